/* SPDX-License-Identifier: MIT */
/* network_words.h - what a network reads of words: sentences to numbers.
 *
 * A vocabulary has the forms and characters that were seen at least twice in training, and all
 * tags and features.  What it does not have is read as unknown, row 0 of each table.  A type is a
 * spelling: its characters, or the first and last ten of a long word. */
#ifndef DDN_MODEL_NETWORK_WORDS_H
#define DDN_MODEL_NETWORK_WORDS_H

#include "core/intern.h"
#include "core/output.h"
#include "model/file.h"
#include "tree/sentence.h"

typedef enum ddn_table {
    DDN_TABLE_WORDS,
    DDN_TABLE_CHARACTERS,
    DDN_TABLE_UPOS,
    DDN_TABLE_FEATS
} //
ddn_table;
enum { DDN_TABLES = 4 };
enum { DDN_ROW_UNKNOWN, DDN_ROW_ROOT, DDN_ROW_FIRST }; /* rows of every table */
enum { DDN_VOCABULARY_MOST = 1 << 20, DDN_TYPE_EDGE = 10, DDN_TYPES_KEPT = 1 << 14 };

typedef struct ddn_vocabulary {
    ddn_intern table[DDN_TABLES];
} ddn_vocabulary;

void ddn_vocabulary_init(ddn_vocabulary *v); /* allocates nothing */
void ddn_vocabulary_fini(ddn_vocabulary *v);
int ddn_vocabulary_learn(ddn_vocabulary *v, const ddn_sentence *const *s, size_t count,
                         dodona_error *err);
/* The name of the section of a table, behind the name of the part. */
extern const char *const ddn_vocabulary_names[DDN_TABLES];
/* A table as text, a line a name; and back. */
void ddn_vocabulary_put(const ddn_vocabulary *v, ddn_table table, ddn_output *o);
int ddn_vocabulary_take(ddn_vocabulary *v, ddn_table table, const ddn_section *s,
                        dodona_error *err);

static inline size_t ddn_vocabulary_rows(const ddn_vocabulary *v, ddn_table table)
{
    return v->table[table].count + DDN_ROW_FIRST;
}

/* Sentences as numbers, one behind the other, each with its root first. */
typedef struct ddn_reading {
    const ddn_vocabulary *vocabulary;
    size_t words;
    uint32_t *length;      /* [sentences] words and the root */
    uint32_t *word, *upos; /* [words] rows of tables */
    uint32_t *feats_begin, *feats;
    uint32_t *type;                     /* [words] numbers of types */
    ddn_intern types;                   /* all that were met since they were last forgotten */
    uint32_t known;                     /* of these, those that were there before */
    uint32_t *type_length, *characters; /* of the others */
    size_t type_characters;
    size_t length_cap, word_cap, upos_cap, feats_begin_cap, feats_cap, type_cap, type_length_cap,
        characters_cap;
} ddn_reading;

void ddn_reading_init(ddn_reading *r, const ddn_vocabulary *v);
void ddn_reading_fini(ddn_reading *r);
/* Reads m sentences.  Types are forgotten first where that is asked for, or there are more than
 * DDN_TYPES_KEPT. */
int ddn_reading_take(ddn_reading *r, const ddn_sentence *const *s, int m, bool forget,
                     dodona_error *err);

#endif
