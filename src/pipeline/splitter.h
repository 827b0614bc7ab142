/* SPDX-License-Identifier: MIT */
/* splitter.h - multiword tokens: which tokens are several words, and which words.
 *
 * A rule speaks of an ending, or of a whole token, folded as ddn_char is.  The rule with the
 * longest ending that fits a token holds; that of the whole token is longer than any.  It says that
 * the token stays whole, or where it is cut, or which words it stands for.  As text, a line a rule:
 *
 *     e <tab> n't <tab> 3                   the last three characters are a word
 *     w <tab> don't <tab> 3
 *     w <tab> point <tab> .                 stays whole
 *     w <tab> gimme <tab> 1 <tab> 1         the lengths of the second word, the third ...
 *     w <tab> du <tab> = <tab> de <tab> le
 */
#ifndef DDN_PIPELINE_SPLITTER_H
#define DDN_PIPELINE_SPLITTER_H

#include "core/output.h"
#include "pipeline/chars.h"

enum { DDN_SPLIT_WORDS = 16 }; /* words in a token, at most */

typedef struct ddn_split_rule {
    uint8_t words;                 /* 1: stays whole */
    uint16_t cut[DDN_SPLIT_WORDS]; /* characters of each word but the first */
    dodona_text text;              /* the words, each with a tab before it; size 0: cut */
} ddn_split_rule;

typedef struct ddn_splitter {
    struct ddn_split_node {
        uint64_t key;  /* 0: empty */
        uint32_t rule; /* from 1; 0: endings only begin here */
    } * node;          /* [mask + 1] */
    uint64_t mask;
    size_t nodes;
    ddn_split_rule *rule; /* [rules] */
    size_t rules, rule_cap;
} ddn_splitter;

/* Over rules as text, which outlives s. */
int ddn_splitter_open(ddn_splitter *s, const char *text, size_t size, dodona_error *err);
void ddn_splitter_close(ddn_splitter *s);

/* The words of the token text[from..to) of bytes: how many; when more than 1, each is put to *words
 * with a tab before it.  Words that are not parts of the token take over its capitals. */
int ddn_splitter_split(const ddn_splitter *s, const ddn_char *text, uint32_t from, uint32_t to,
                       const char *bytes, ddn_output *words);

#endif
