/* SPDX-License-Identifier: MIT */
/* attardi.h - the charts of the Attardi family, for the files that fill and read them.
 *
 * An item [h1, i, h2, h3, j] stands for the derivations (I-computations in the paper) that start
 * with h1 on top of the stack and i first in the buffer, end with h2 h3 in place of h1 and j first
 * in the buffer, and do not touch the stack below h1 (Cohen, Gomez-Rodriguez & Satta 2011).  Two
 * items are combined and followed by a reduction:
 *
 *     [h1, i, h2, h3, k]  [h3, k, h4, h5, j]     s2 = h2, s1 = h4, s0 = h5, b0 = j
 *     reducing s0 leaves [h1, i, h2, h4, j], s1 [h1, i, h2, h5, j], s2 [h1, i, h4, h5, j]
 *
 * h2 is h1, or a word from i on when h1 itself was reduced, which needs a rule that reduces s2.
 * Shift makes [h, k, h, k, k+1].  Derivations from an empty stack are [eps, 0, eps, 0, j].
 *
 * Two charts fill such items:
 *     attardi_fill.c   any rules: O(n^7), or O(n^6) in O(n^4) memory where no rule reduces s2
 *     attardi_near.c   rules without s2: their items do not depend on h1.  O(n^4)
 * and attardi_trace.c finds a best derivation in either. */
#ifndef DDN_CHART_ATTARDI_H
#define DDN_CHART_ATTARDI_H

#include "chart/decode.h"
#include "system/attardi_rules.h"
#include <math.h>

/* The score of each rule: rule[r][head * stride + modifier] and the same transposed.  Heads go up
 * to n+1, which stands for an empty buffer and scores -INFINITY, as rules that are not in the set
 * do everywhere.  With one root, so does head 0 except in last, the scores of s0<s1 from 0 as the
 * last move; otherwise last is row 0 of that rule. */
typedef struct ddn_attardi_weights {
    int32_t n;
    size_t stride; /* n+2 */
    uint32_t rules;
    const double *rule[DDN_ATTARDI_RULES];
    const double *turned[DDN_ATTARDI_RULES]; /* [modifier * stride + head] */
    const double *any_turned;                /* the same as if all rules were in the set */
    const double *last;                      /* [n+2] */
} ddn_attardi_weights;

void ddn_attardi_weights_make(ddn_attardi_weights *w, const ddn_decode_input *in, uint32_t rules,
                              ddn_space *space);

static inline double ddn_attardi_weight(const ddn_attardi_weights *w, int rule, int32_t head,
                                        int32_t modifier)
{
    return w->rule[rule][(size_t)head * w->stride + (size_t)modifier];
}

/* The score of s0<s1 from 0 with j first in the buffer. */
static inline const double *ddn_attardi_root(const ddn_attardi_weights *w, int32_t j)
{
    return j == w->n + 1 ? w->last : w->rule[DDN_S0_BELOW_S1];
}

/* ---- Any rules ---- */

/* Room behind every row, so that loops may run in steps of this. */
enum { DDN_ATTARDI_PAD = 8 };

/* For one value of h2, items are numbered by row and by column: rows are pairs (h1, i) with
 * h1 < i <= h2, by i, where a rule reduces s2, then h1 = h2 and i = h2+1..n; columns are h3 > h2.
 */
typedef struct ddn_attardi_chart {
    int32_t n;
    int32_t stacked; /* no reduction before so many words were shifted */
    bool pairs;      /* some rule reduces s2 */
    ddn_attardi_weights weights;
    const ddn_decode_moves *moves; /* NULL: none */
    /* Items with the buffer at k, for fixed h2 and h3: [row][k], k = h3+1..n+1. */
    double *items;
    size_t *items_at; /* [h2 * (n+1) + h3] */
    /* The items of the column j that is being filled, for fixed h2: [row][h3], h3 = h2+1..n and
     * room. */
    double *column;
    size_t *column_at; /* [h2] */
    /* The hook: s2 taken out of the first item with k in the buffer, for fixed h3 and k:
     * [pair (h1, i)][head], where heads are h3, then k..n. */
    double *hook;
    size_t *hook_at; /* [h3 * (n+1) + k] */
    double *empty;   /* [n+2] [eps, 0, eps, 0, j] */
    /* Of a step: what is multiplied with the first item, as a triangle and as its first column. */
    double *common, *product;             /* [n][n + room] without and with s2 */
    double *common_first, *product_first; /* [n + room] */
    double *none;                         /* [n+2] -INFINITY */
    double *top[2]; /* with moves: scores of reductions of s0 and of s1, [h4][h5 + room] */
} ddn_attardi_chart;

static inline size_t ddn_attardi_pair(int32_t i, int32_t h1)
{
    return (size_t)i * ((size_t)i - 1) / 2 + (size_t)h1;
}

static inline size_t ddn_attardi_pairs(const ddn_attardi_chart *c, int32_t h2)
{
    return c->pairs ? (size_t)h2 * ((size_t)h2 + 1) / 2 : 0;
}

static inline size_t ddn_attardi_width(const ddn_attardi_chart *c, int32_t h2)
{
    return (size_t)(c->n - h2) + DDN_ATTARDI_PAD;
}

static inline const double *ddn_attardi_item(const ddn_attardi_chart *c, int32_t h1, int32_t i,
                                             int32_t h2, int32_t h3, int32_t j)
{
    size_t row =
        h1 == h2 ? ddn_attardi_pairs(c, h2) + (size_t)(i - h1 - 1) : ddn_attardi_pair(i, h1);
    return &c->items[c->items_at[(size_t)h2 * ((size_t)c->n + 1) + (size_t)h3] +
                     row * (size_t)(c->n + 1 - h3) + (size_t)(j - h3 - 1)];
}

/* Fills items and empty. */
void ddn_attardi_fill(ddn_attardi_chart *c);

/* ---- Rules without s2 ---- */

typedef struct ddn_attardi_near {
    int32_t n;
    ddn_attardi_weights weights;
    double *item;  /* [i][j][h] words that went off the stack from i on, all but h, by j */
    double *hook;  /* [i][k][g] the largest of item[i][k][h] + what g earns as its head */
    double *under; /* [k][j][g] the largest of item[k][j][h] + what it earns as s0 above g */
    double *empty; /* [n+2] */
} ddn_attardi_near;

double ddn_attardi_near_need(int32_t n);
void ddn_attardi_near_fill(ddn_attardi_near *c, const ddn_decode_input *in, uint32_t rules,
                           int32_t stacked, ddn_space *space);

/* ---- Traces ---- */

/* What the trace reads of a chart.  Floating-point sums are found again only when they are added in
 * the same order: the arc's score is first added to the item that holds the modifier. */
typedef struct ddn_attardi_view {
    const ddn_attardi_weights *weights;
    const ddn_decode_moves *moves; /* NULL: none */
    const double *empty;           /* [n+2] */
    bool pairs;                    /* h2 may differ from h1 */
    bool s1_is_first;              /* s1 is in the first of two items */
    const void *chart;
    double (*value)(const void *chart, int32_t h1, int32_t i, int32_t h2, int32_t h3, int32_t j);
} ddn_attardi_view;

double ddn_attardi_trace_need(int32_t n);
/* Where empty[n+1] is finite: heads and moves (NULL: not wanted) of a best derivation. */
void ddn_attardi_trace(const ddn_attardi_view *v, ddn_space *space, int32_t *head, uint8_t *move);

#endif
