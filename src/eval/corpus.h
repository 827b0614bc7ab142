/* SPDX-License-Identifier: MIT */
/* corpus.h - a file as scoring sees it: its text without spaces, and a short record a word.
 *
 * The text is the concatenation of all token forms, spaces (Unicode Zs) left out.  A token is a
 * word or a multiword range, and occupies a span of that text; a word inside a range has the span
 * of the range.  Spans count bytes: where two texts are equal, that orders and equates exactly as
 * counting characters does.  Strings are ids of one table that all files to be compared share. */
#ifndef DDN_EVAL_CORPUS_H
#define DDN_EVAL_CORPUS_H

#include "core/intern.h"
#include "eval/fold.h"
#include "tree/sentence.h"

#define DDN_NO_WORD UINT32_MAX /* the root, an unaligned word, the end of a list */

enum {
    DDN_WORD_INNER = 1,   /* inside a multiword range */
    DDN_WORD_CONTENT = 2, /* its relation is a content relation */
    DDN_WORD_PUNCT = 4,   /* its UPOS is PUNCT */
};

typedef struct ddn_eval_word {
    uint32_t start, end; /* of the token, in the text */
    uint32_t head;       /* of the file's words, or DDN_NO_WORD for the root */
    uint32_t form;       /* in lower case */
    uint32_t lemma, upos, xpos;
    uint32_t feats;                   /* the universal ones, sorted */
    uint32_t deprel;                  /* up to the first colon */
    uint32_t function, next_function; /* the first functional child; the head's next one */
    uint32_t flags;
    int64_t line;
} ddn_eval_word;

typedef struct ddn_corpus {
    const char *name; /* for messages; borrowed */
    ddn_folded text;
    ddn_eval_word *word;
    size_t words, word_cap;
    uint32_t *sentence; /* [sentences] the first word of each; none is empty */
    size_t sentences, sentence_cap;
} ddn_corpus;

/* The strings that scoring knows by name, with fixed ids, and all others after them. */
typedef struct ddn_eval_names {
    ddn_intern table;
    uint32_t blank, punct; /* "_", "PUNCT" */
    uint32_t content_end;  /* ids below are content relations */
    uint32_t function_end; /* ids from content_end to here are functional relations */
} ddn_eval_names;

int ddn_eval_names_init(ddn_eval_names *n, dodona_error *err); /* to fini also after a failure */
void ddn_eval_names_fini(ddn_eval_names *n);

/* Where sentences come from: next lends one, until it is called again, and returns 1; or 0 at the
 * end, or a negative code. */
typedef struct ddn_eval_source {
    int (*next)(void *ctx, const ddn_sentence **s, dodona_error *err);
    void *ctx;
    const char *name; /* for messages */
} ddn_eval_source;

/* Reads all of a source.  A sentence must be a tree with one root.  To fini also after a failure.
 */
int ddn_corpus_read(ddn_corpus *c, ddn_eval_names *names, const ddn_eval_source *from,
                    dodona_error *err);
/* Adds a sentence with words, whatever its heads, to an empty corpus or one with others. */
int ddn_corpus_add(ddn_corpus *c, ddn_eval_names *names, const ddn_sentence *s, dodona_error *err);
void ddn_corpus_fini(ddn_corpus *c);

/* The end of sentence i's words. */
static inline uint32_t ddn_corpus_sentence_end(const ddn_corpus *c, size_t i)
{
    return i + 1 < c->sentences ? c->sentence[i + 1] : (uint32_t)c->words;
}

/* Fails where the texts of two files first differ, with the line of each and the text there. */
int ddn_corpus_same_text(const ddn_corpus *gold, const ddn_corpus *system, dodona_error *err);

#endif
