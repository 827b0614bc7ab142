/* SPDX-License-Identifier: MIT */
/* tokenizer.h - where tokens and sentences end: two classifiers that were trained on a treebank.
 *
 * After every character that is not white space, the first decides whether the token ends there;
 * after every token, the second decides whether the sentence does.  Both see what stands before in
 * the sentence and up to DDN_LOOK characters after.  A blank line always ends a sentence; white
 * space ends a token unless tokens of the treebank have spaces inside. */
#ifndef DDN_PIPELINE_TOKENIZER_H
#define DDN_PIPELINE_TOKENIZER_H

#include "model/file.h"
#include "model/scorer.h"
#include "pipeline/chars.h"
#include "pipeline/keys.h"
#include "pipeline/lexicon.h"
#include "pipeline/lines.h"
#include "pipeline/splitter.h"

enum {
    DDN_LOOK = 48,               /* characters that are seen ahead */
    DDN_TOKEN_CHARS = 4096,      /* a longer token is cut, */
    DDN_SENTENCE_TOKENS = 1000,  /* and a longer sentence, */
    DDN_SENTENCE_CHARS = 1 << 16 /* also in characters */
};

/* What stands between two tokens. */
typedef enum ddn_gap {
    DDN_GAP_NONE,
    DDN_GAP_SPACE, /* one space */
    DDN_GAP_LINE,  /* with one line end */
    DDN_GAP_OTHER, /* other white space */
    DDN_GAP_BLANK_LINE,
    DDN_GAPS
} ddn_gap;

/* A token of the sentence so far, in characters. */
typedef struct ddn_token {
    uint32_t from, to;
    uint64_t form;  /* hash of the folded characters */
    uint64_t shape; /* its classes, without repetitions */
    uint8_t open;   /* brackets that are open after it */
    uint8_t quotes; /* 1: an odd number of plain quotes up to here */
} ddn_token;

/* A place in a text where something may end. */
typedef struct ddn_place {
    const ddn_char *text;
    uint32_t begin;    /* the first character of the sentence */
    uint32_t end;      /* behind all characters that are there */
    uint32_t from, at; /* the token so far: its first and its last character */
    uint32_t next;     /* the first character after at that is not white space, or end */
    ddn_gap gap;       /* between at and next */
    ddn_token *token;  /* [tokens] that have ended; the last one ends at at for a sentence's end */
    uint32_t tokens;
    ddn_lines lines;                  /* up to at */
    const ddn_lexicon *abbreviations; /* NULL: of an earlier program, which has no hints */
    bool hidden;                      /* no abbreviation counts as known: when learning */
} ddn_place;

/* What training saw no exception to; bit b of row a is for a character of class a before one of
 * class b. */
typedef struct ddn_certain {
    uint32_t inside[DDN_CHAR_CLASSES];       /* no token ended between a and b */
    uint32_t across[DDN_CHAR_CLASSES];       /* some token went on from a to b across white space */
    uint32_t on[DDN_GAPS][DDN_CHAR_CLASSES]; /* no sentence ended between a and b at that gap */
} ddn_certain;

/* Read-only, shared by threads. */
typedef struct ddn_tokenizer {
    ddn_model *tokens, *sentences; /* class 1: it ends */
    ddn_certain certain;
    ddn_splitter splitter;
    ddn_lexicon abbreviations; /* without their final period; slots 0: there are no hints */
} ddn_tokenizer;

/* The scratch memory of one thread. */
typedef struct ddn_tokenizing {
    const ddn_tokenizer *tokenizer;
    ddn_pass *tokens, *sentences;
} ddn_tokenizing;

/* Sections of a model file. */
#define DDN_TOKENIZER_RULES     "tokenizer.rules"
#define DDN_TOKENIZER_TOKENS    "tokenizer.tokens"
#define DDN_TOKENIZER_SENTENCES "tokenizer.sentences"
#define DDN_TOKENIZER_SHORT     "tokenizer.abbreviations"

bool ddn_tokenizer_is_in(const ddn_model_file *f);
/* The file outlives the tokenizer.  To close only after success. */
int ddn_tokenizer_open(ddn_tokenizer *t, const ddn_model_file *f, dodona_error *err);
void ddn_tokenizer_close(ddn_tokenizer *t);

/* To be closed also after a failure. */
int ddn_tokenizing_init(ddn_tokenizing *w, const ddn_tokenizer *t, dodona_error *err);
void ddn_tokenizing_fini(ddn_tokenizing *w);

/* What the gap from..to is. */
ddn_gap ddn_gap_of(const ddn_char *text, uint32_t from, uint32_t to);

/* The features of a decision; returns how many. */
int ddn_token_keys(const ddn_place *p, uint64_t key[DDN_MAX_KEYS]);
int ddn_sentence_keys(const ddn_place *p, uint64_t key[DDN_MAX_KEYS]);

/* The abbreviations of a tokenizer, for places. */
static inline const ddn_lexicon *ddn_tokenizer_hints(const ddn_tokenizer *t)
{
    return t->abbreviations.slots ? &t->abbreviations : NULL;
}

/* Enters the token p->from..p->at into p->token, which has room. */
void ddn_place_add(ddn_place *p);

/* Whether the line that ends at p->gap was wrapped there, as far as one can see. */
bool ddn_place_wrapped(const ddn_place *p);
/* Goes on to p->next: at stands there, and line ends on the way are noted. */
void ddn_place_move(ddn_place *p);

/* What is known without asking: 1, it ends; 0, it does not; -1, ask. */
int ddn_token_certain(const ddn_certain *c, const ddn_place *p);
int ddn_sentence_certain(const ddn_certain *c, const ddn_place *p);

/* Whether the token ends after p->at, and whether the sentence does after its last token. */
bool ddn_token_ends(ddn_tokenizing *w, const ddn_place *p);
bool ddn_sentence_ends(ddn_tokenizing *w, const ddn_place *p);

#endif
