/* SPDX-License-Identifier: MIT */
/* stats.h - a treebank in figures, gathered a sentence at a time.
 *
 *     ddn_stats stats;
 *     ddn_stats_init(&stats);
 *     while (there is a sentence s)
 *         if (ddn_stats_add(&stats, &s, err) < 0) ...
 *     ddn_stats_put(output, &stats, "train.conllu", false);
 *     ddn_stats_fini(&stats);
 *
 * What holds no words and is not bad (comments at the end of a file) is no sentence.  Sentences
 * whose heads are no tree count as sentences with their words and labels; everything about the
 * shape of trees is over the others.  docs/trees.md has the definitions. */
#ifndef DDN_EVAL_STATS_H
#define DDN_EVAL_STATS_H

#include "core/intern.h"
#include "core/output.h"
#include "tree/sentence.h"
#include "tree/shape.h"

enum {
    DDN_STATS_DEGREES = 4,  /* 0, 1, 2, 3 and more */
    DDN_STATS_LENGTHS = 10, /* 1, 2, ... 9, 10 and more */
};

/* How often each value of a column occurs. */
typedef struct ddn_stats_names {
    ddn_intern name;
    int64_t *count; /* [name.count] */
    size_t count_cap;
} ddn_stats_names;

typedef struct ddn_stats {
    int64_t sentences;
    int64_t words;
    int64_t ranges;    /* multiword tokens */
    int64_t in_ranges; /* words that multiword tokens consist of */
    int64_t empty;     /* empty nodes */
    int64_t not_trees; /* sentences, bad ones among them */
    int64_t longest;   /* words in a sentence */
    ddn_stats_names label, upos;

    int64_t trees; /* of these is all that follows */
    int64_t nonprojective, nonplanar, ill_nested, not_one_endpoint, not_one_root;
    int64_t gap_degree[DDN_STATS_DEGREES], edge_degree[DDN_STATS_DEGREES];
    int64_t nonprojective_arcs, crossing_arcs, crossings;
    int64_t arcs, lengths, farthest; /* between words: how many, sum and greatest of lengths */
    int64_t length[DDN_STATS_LENGTHS];
    int64_t depths, deepest; /* the sum over trees, and the greatest */

    ddn_tree_space space; /* scratch */
    int32_t *mark;
    size_t mark_cap;
} ddn_stats;

void ddn_stats_init(ddn_stats *s);
void ddn_stats_fini(ddn_stats *s);

/* Counts a sentence.  After a failure the figures are not to be used. */
int ddn_stats_add(ddn_stats *s, const ddn_sentence *sentence, dodona_error *err);

/* Tokens of the text: multiword tokens, and the words outside them. */
static inline int64_t ddn_stats_tokens(const ddn_stats *s)
{
    return s->words - s->in_ranges + s->ranges;
}

/* Writes the figures under the file's name: a table to read or, with json, an object on a line of
 * its own. */
void ddn_stats_put(ddn_output *o, const ddn_stats *s, const char *file, bool json);

#endif
