/* SPDX-License-Identifier: MIT */
/* attardi_fill.c - the chart for any rules of the Attardi family.
 *
 * Columns j = 2..n+1 are filled one after the other.  Within a column, the word h3 where two items
 * meet goes from j-2 down to 1: all [h3, k, ., ., j] are complete then, since what goes into them
 * meets at k or later.  For fixed h3 and j:
 *
 *   Reducing s0 or s1.  The modifier is in the second item, so it is maximised out there first,
 *   once for every s2 = h2: M(k, x) = the best [h3, k, ., ., j] with an arc that leaves x on top.
 *   Then
 *       [h1, i, h2, x, j] = max over k  [h1, i, h2, h3, k] + M(k, x)
 *   is a max-plus product of matrices, (h1, i) by k by x.  x is h3, or a word from k on, so that M
 *   is a triangle and a first column.
 *
 *   Reducing s2 = h2.  The modifier is in the first item and is maximised out there, once for every
 *   head g, when the first item is complete: hook(h1, i, h3, k, g).  Then
 *       [h1, i, h4, h5, j] = max over k  [h3, k, h4, h5, j] + max of the hooks of h4, h5 and j
 *   in loops over h5.  Without these rules h2 = h1 and h4 = h3 everywhere.
 *
 * Indices are ordered h1 < i <= h2 < h3 < k <= h4 < h5 < j, so there are about n^7/5040 terms of
 * either kind, and n^6/720 without rules that reduce s2; the inner loops have unit stride and are
 * sums and maxima, in an order that does not depend on the width of vectors: results are the same
 * on every machine.
 *
 * Scores of moves (ddn_decode_moves) are added where M is computed, in with_moves.  The score of a
 * reduction of s0 or s1 depends on s2, s1, s0 and b0, which are known there, and not on k: it is
 * computed once for every s2, s1 and b0, as a row over s0, in O(n^4) for all.  The score of the
 * shift that begins the second item, of k over h2 h3, is added to row k; where s2 is reduced, to
 * the hooks; and over an empty stack in end_column.  A reduction of s2 has the score of its arc
 * alone: the hook has head and modifier and nothing else.
 *
 * S. B. Cohen, C. Gomez-Rodriguez, G. Satta, Exact inference for generative probabilistic
 * non-projective dependency parsing, EMNLP 2011; T. Shi, C. Gomez-Rodriguez, L. Lee, Improving
 * coverage and runtime complexity for exact inference in non-projective transition-based dependency
 * parsers, NAACL 2018. */
#include "chart/attardi.h"
#include "chart/targets.h"

#define INLINE static inline __attribute__((always_inline))

typedef ddn_attardi_chart chart;

/* ---- Loops ---- */

INLINE double greater(double a, double b)
{
    return a > b ? a : b;
}

/* to = max(to, row + x) */
INLINE void add_one(double *restrict to, const double *restrict row, double x, int32_t m)
{
    for (int32_t c = 0; c < m; c++)
        to[c] = greater(row[c] + x, to[c]);
}

/* to = max(to, row + max(a, x)) */
INLINE void add_two(double *restrict to, const double *restrict row, const double *restrict a,
                    double x, int32_t m)
{
    for (int32_t c = 0; c < m; c++)
        to[c] = greater(row[c] + greater(a[c], x), to[c]);
}

/* max(z, row + a) */
INLINE double most_one(double z, const double *row, const double *a, int32_t m)
{
    double lane[4] = { z, z, z, z };
    int32_t c = 0;
    for (; c + 4 <= m; c += 4)
        for (int l = 0; l < 4; l++)
            lane[l] = greater(row[c + l] + a[c + l], lane[l]);
    for (; c < m; c++)
        lane[0] = greater(row[c] + a[c], lane[0]);
    return greater(greater(lane[0], lane[1]), greater(lane[2], lane[3]));
}

/* Four values of k for two rows: p and q become the larger of what they are and a sum a + b. */
INLINE void multiply_two(double *restrict p, double *restrict q, const double *restrict a,
                         const double *restrict e, const double *restrict b, size_t stride,
                         int32_t m)
{
    const double *b1 = b + stride, *b2 = b1 + stride, *b3 = b2 + stride;
    double a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3], e0 = e[0], e1 = e[1], e2 = e[2], e3 = e[3];
    for (int32_t x = 0; x < m; x++) {
        double y0 = b[x], y1 = b1[x], y2 = b2[x], y3 = b3[x];
        p[x] = greater(greater(greater(a0 + y0, a1 + y1), greater(a2 + y2, a3 + y3)), p[x]);
        q[x] = greater(greater(greater(e0 + y0, e1 + y1), greater(e2 + y2, e3 + y3)), q[x]);
    }
}

/* to[r][x] = max(to[r][x], a[r][k] + b[k][x]), x >= k, for k, x < size.  Lines of four k go from
 * the block of DDN_ATTARDI_PAD columns that the first of them is in to the end of the last block,
 * for which rows of to and b have room; b is -INFINITY where x < k or x >= size. */
INLINE void multiply(double *to, size_t to_stride, const double *a, size_t a_stride,
                     const double *b, size_t b_stride, size_t rows, int32_t size)
{
    enum { BLOCK = DDN_ATTARDI_PAD };
    int32_t end = (size + BLOCK - 1) / BLOCK * BLOCK;
    for (size_t r = 0; r < rows; r += 2) {
        size_t last = r + 1 < rows ? r + 1 : r;
        double *p = to + r * to_stride, *q = to + last * to_stride;
        const double *ap = a + r * a_stride, *aq = a + last * a_stride;
        int32_t k = 0;
        for (; k + 4 <= size && last > r; k += 4) {
            int32_t x = k / BLOCK * BLOCK;
            multiply_two(p + x, q + x, ap + k, aq + k, b + (size_t)k * b_stride + x, b_stride,
                         (end - x) / BLOCK * BLOCK);
        }
        for (; k < size; k++) {
            int32_t x = k / BLOCK * BLOCK;
            add_one(p + x, b + (size_t)k * b_stride + x, ap[k], (end - x) / BLOCK * BLOCK);
            if (last > r)
                add_one(q + x, b + (size_t)k * b_stride + x, aq[k], (end - x) / BLOCK * BLOCK);
        }
    }
}

/* ---- Rows ---- */

INLINE const double *weights(const chart *c, int rule, int32_t head)
{
    return c->weights.rule[rule] + (size_t)head * c->weights.stride;
}

INLINE const double *heads(const chart *c, int rule, int32_t modifier)
{
    return c->weights.turned[rule] + (size_t)modifier * c->weights.stride;
}

INLINE bool has(const chart *c, int rule)
{
    return c->weights.rules >> rule & 1;
}

/* [h3, k, h4, ., j] from column h4+1 on. */
INLINE double *second(const chart *c, int32_t h3, int32_t k, int32_t h4)
{
    size_t row =
        h4 == h3 ? ddn_attardi_pairs(c, h3) + (size_t)(k - h3 - 1) : ddn_attardi_pair(k, h3);
    return c->column + c->column_at[h4] + row * ddn_attardi_width(c, h4);
}

/* A row of M, from column h3+1 on. */
INLINE double *row_of(const chart *c, double *table, int32_t h3, int32_t k)
{
    return table + (size_t)(k - h3 - 1) * ((size_t)c->n + DDN_ATTARDI_PAD);
}

/* ---- Reducing s0 or s1 ---- */

/* M without arcs from s2. */
INLINE void without_s2(const chart *c, int32_t h3, int32_t j)
{
    const double *b0 = weights(c, DDN_S0_BELOW_B0, j);
    int32_t size = j - 1 - h3;
    for (int32_t k = h3 + 1; k < j; k++) {
        double *to = row_of(c, c->common, h3, k);
        double *first = &c->common_first[k - h3 - 1];
        for (int32_t x = 0; x < size + DDN_ATTARDI_PAD; x++)
            to[x] = -INFINITY;
        *first = -INFINITY;
        for (int32_t h4 = h3; h4 < j - 1; h4 = h4 == h3 ? k : h4 + 1) {
            if (h4 > h3 && !c->pairs)
                break;
            int32_t from = h4 == h3 ? k : h4 + 1;
            const double *row = second(c, h3, k, h4) + (from - h4 - 1);
            double top = most_one(-INFINITY, row, b0 + from, j - from);
            top = most_one(top, row, weights(c, DDN_S0_BELOW_S1, h4) + from, j - from);
            if (h4 == h3)
                *first = top;
            else
                to[h4 - h3 - 1] = greater(to[h4 - h3 - 1], top);
            add_two(to + (from - h3 - 1), row, heads(c, DDN_S1_BELOW_S0, h4) + from,
                    weights(c, DDN_S1_BELOW_B0, j)[h4], j - from);
        }
    }
}

/* M for s2 = h2. */
INLINE void with_s2(const chart *c, int32_t h2, int32_t h3, int32_t j)
{
    const double *s0 = weights(c, DDN_S0_BELOW_S2, h2), *s1 = weights(c, DDN_S1_BELOW_S2, h2);
    int32_t size = j - 1 - h3;
    for (int32_t k = h3 + 1; k < j; k++) {
        const double *common = row_of(c, c->common, h3, k);
        double *to = row_of(c, c->product, h3, k), *first = &c->product_first[k - h3 - 1];
        for (int32_t x = 0; x < size + DDN_ATTARDI_PAD; x++)
            to[x] = common[x];
        *first = c->common_first[k - h3 - 1];
        for (int32_t h4 = h3; h4 < j - 1; h4 = h4 == h3 ? k : h4 + 1) {
            if (h4 > h3 && !c->pairs)
                break;
            int32_t from = h4 == h3 ? k : h4 + 1;
            const double *row = second(c, h3, k, h4) + (from - h4 - 1);
            double top =
                has(c, DDN_S0_BELOW_S2) ? most_one(-INFINITY, row, s0 + from, j - from) : -INFINITY;
            if (h4 == h3)
                *first = greater(*first, top);
            else
                to[h4 - h3 - 1] = greater(to[h4 - h3 - 1], top);
            if (has(c, DDN_S1_BELOW_S2))
                add_one(to + (from - h3 - 1), row, s1[h4], j - from);
        }
    }
}

/* With moves: scores of reductions of s0 and of s1 = h4 over s2 (-1: none), for s0 from..j-1. */
INLINE void earn(const chart *c, int32_t s2, int32_t h4, int32_t from, int32_t j)
{
    size_t d = c->moves->stride, room = (size_t)c->n + DDN_ATTARDI_PAD;
    for (int32_t x = from; x < j; x++)
        c->top[0][(size_t)h4 * room + (size_t)x] = c->top[1][(size_t)h4 * room + (size_t)x] =
            -INFINITY;
    for (int r = 0; r < DDN_ATTARDI_RULES; r++) {
        const ddn_attardi_rule *rule = &ddn_attardi_rules[r];
        const double *const *pair = c->moves->rule[r];
        if (!has(c, r) || rule->modifier == DDN_AT_S2 || (rule->head == DDN_AT_S2 && s2 < 0))
            continue;
        double *to = c->top[rule->modifier == DDN_AT_S1] + (size_t)h4 * room;
        int32_t head = rule->head == DDN_AT_S2 ? s2 : rule->head == DDN_AT_B0 ? j : h4;
        const double *arc = rule->head == DDN_AT_S0 ? heads(c, r, h4) : weights(c, r, head);
        if (r == DDN_S0_BELOW_S1 && h4 == 0)
            arc = ddn_attardi_root(&c->weights, j);
        bool same = rule->modifier == DDN_AT_S1 && rule->head != DDN_AT_S0;
        const double *s2_s0 = pair[DDN_PAIR_S2_S0] + (size_t)(s2 + 1) * d + 1;
        const double *s1_s0 = pair[DDN_PAIR_S1_S0] + (size_t)(h4 + 1) * d + 1;
        const double *b0_s0 = pair[DDN_PAIR_B0_S0] + (size_t)(j + 1) * d + 1;
        double rest = pair[DDN_PAIR_S2_S1][(size_t)(s2 + 1) * d + (size_t)(h4 + 1)] +
                      pair[DDN_PAIR_S1_B0][(size_t)(h4 + 1) * d + (size_t)(j + 1)] +
                      pair[DDN_PAIR_S2_B0][(size_t)(s2 + 1) * d + (size_t)(j + 1)];
        for (int32_t x = from; x < j; x++)
            to[x] = greater(to[x], arc[same ? h4 : x] + rest + s2_s0[x] + s1_s0[x] + b0_s0[x]);
    }
}

/* M for s2 = h2, with scores of moves: of the reductions, and of the shift that begins the second
 * item. */
INLINE void with_moves(const chart *c, int32_t h2, int32_t h3, int32_t j)
{
    size_t room = (size_t)c->n + DDN_ATTARDI_PAD;
    int32_t size = j - 1 - h3;
    for (int32_t h4 = h3; h4 < j - 1 && (h4 == h3 || c->pairs); h4++)
        earn(c, h2, h4, h4 + 1, j);
    for (int32_t k = h3 + 1; k < j; k++) {
        double *to = row_of(c, c->product, h3, k), *first = &c->product_first[k - h3 - 1];
        double shift = ddn_decode_shift(c->moves, h2, h3, k);
        for (int32_t x = 0; x < size + DDN_ATTARDI_PAD; x++)
            to[x] = -INFINITY;
        *first = -INFINITY;
        for (int32_t h4 = h3; h4 < j - 1; h4 = h4 == h3 ? k : h4 + 1) {
            if (h4 > h3 && !c->pairs)
                break;
            int32_t from = h4 == h3 ? k : h4 + 1;
            const double *row = second(c, h3, k, h4) + (from - h4 - 1);
            const double *s0 = c->top[0] + (size_t)h4 * room, *s1 = c->top[1] + (size_t)h4 * room;
            double *left = h4 == h3 ? first : &to[h4 - h3 - 1];
            *left = most_one(*left, row, s0 + from, j - from);
            for (int32_t x = from; x < j; x++)
                to[x - h3 - 1] = greater(row[x - from] + s1[x], to[x - h3 - 1]);
        }
        for (int32_t x = 0; x < size; x++)
            to[x] += shift;
        *first += shift;
    }
}

INLINE void reduce_top(const chart *c, int32_t h2, int32_t h3, int32_t j)
{
    size_t rows = ddn_attardi_pairs(c, h2) + (size_t)(h3 - h2);
    size_t to_stride = ddn_attardi_width(c, h2), a_stride = (size_t)(c->n + 1 - h3);
    double *to = c->column + c->column_at[h2] + (h3 - h2 - 1);
    const double *a = c->items + c->items_at[(size_t)h2 * ((size_t)c->n + 1) + (size_t)h3];
    int32_t size = j - 1 - h3;
    for (size_t r = 0; r < rows; r++)
        to[r * to_stride] = most_one(to[r * to_stride], a + r * a_stride, c->product_first, size);
    multiply(to + 1, to_stride, a, a_stride, c->product, (size_t)c->n + DDN_ATTARDI_PAD, rows,
             size);
}

/* ---- Reducing s2 ---- */

/* When column k is complete: the best score for each head of s2 in [h1, i, s2, h3, k]. */
INLINE void make_hooks(const chart *c, int32_t h3, int32_t k)
{
    size_t width = (size_t)(c->n - k + 2);
    double *hook = c->hook + c->hook_at[(size_t)h3 * ((size_t)c->n + 1) + (size_t)k];
    for (int32_t i = 1; i <= h3; i++)
        for (int32_t h1 = 0; h1 < i; h1++, hook += width) {
            for (size_t g = 0; g < width; g++)
                hook[g] = -INFINITY;
            for (int32_t word = i - 1; word < h3; word++) {
                int32_t s2 = word < i ? h1 : word;
                double item = second(c, h1, i, s2)[h3 - s2 - 1];
                if (c->moves)
                    item += ddn_decode_shift(c->moves, s2, h3, k);
                const double *by = c->weights.any_turned + (size_t)s2 * c->weights.stride;
                hook[0] = greater(item + by[h3], hook[0]);
                add_one(hook + 1, by + k, item, c->n - k + 1);
            }
        }
}

/* For the pair (h1, i) of that number. */
INLINE void reduce_s2(const chart *c, size_t pair, int32_t h3, int32_t j)
{
    const double *hook = c->hook;
    const size_t *hook_at = c->hook_at + (size_t)h3 * ((size_t)c->n + 1);
    bool by_s0 = has(c, DDN_S2_BELOW_S0), by_s1 = has(c, DDN_S2_BELOW_S1);
    bool by_b0 = has(c, DDN_S2_BELOW_B0) && j <= c->n;
    for (int32_t h4 = h3; h4 < j - 1; h4++) {
        double *to = c->column + c->column_at[h4] + pair * ddn_attardi_width(c, h4);
        int32_t last = h4 == h3 ? j - 1 : h4;
        for (int32_t k = h3 + 1; k <= last; k++) {
            const double *g = hook + hook_at[k] + pair * (size_t)(c->n - k + 2);
            double s1 = by_s1 ? g[h4 == h3 ? 0 : 1 + h4 - k] : -INFINITY;
            double both = by_b0 ? greater(g[1 + j - k], s1) : s1;
            int32_t from = h4 == h3 ? k : h4 + 1;
            const double *row = second(c, h3, k, h4) + (from - h4 - 1);
            add_two(to + (from - h4 - 1), row, by_s0 ? g + 1 + from - k : c->none, both, j - from);
        }
    }
}

/* ---- Columns ---- */

INLINE void start_column(const chart *c, int32_t j)
{
    for (int32_t h2 = 0; h2 < j - 1; h2++) {
        size_t width = ddn_attardi_width(c, h2);
        size_t rows = ddn_attardi_pairs(c, h2) + (size_t)(j - 1 - h2);
        double *row = c->column + c->column_at[h2];
        for (size_t r = 0; r < rows; r++, row += width)
            for (int32_t x = 0; x < j - 1 - h2 + DDN_ATTARDI_PAD; x++)
                row[x] = -INFINITY;
        second(c, h2, j - 1, h2)[j - 2 - h2] = 0;
    }
}

INLINE void end_column(const chart *c, int32_t j)
{
    const double *root = ddn_attardi_root(&c->weights, j), *b0 = weights(c, DDN_S0_BELOW_B0, j);
    if (c->moves)
        earn(c, -1, 0, 1, j);
    for (int32_t k = 1; k < j; k++) {
        const double *row = second(c, 0, k, 0) + (k - 1);
        if (c->moves) {
            double sum = most_one(-INFINITY, row, c->top[0] + k, j - k);
            c->empty[j] =
                greater(c->empty[k] + ddn_decode_shift(c->moves, -1, 0, k) + sum, c->empty[j]);
            continue;
        }
        double top = most_one(-INFINITY, row, root + k, j - k);
        top = most_one(top, row, b0 + k, j - k);
        c->empty[j] = greater(c->empty[k] + top, c->empty[j]);
    }
}

/* Copies the items of the column to where they are read as first items. */
INLINE void keep_column(const chart *c, int32_t j)
{
    for (int32_t h2 = 0; h2 < j - 1; h2++) {
        size_t width = ddn_attardi_width(c, h2), above = ddn_attardi_pairs(c, h2);
        const double *from = c->column + c->column_at[h2];
        for (int32_t x = h2 + 1; x < j; x++) {
            double *to = c->items + c->items_at[(size_t)h2 * ((size_t)c->n + 1) + (size_t)x];
            size_t stride = (size_t)(c->n + 1 - x), rows = above + (size_t)(x - h2);
            for (size_t r = 0; r < rows; r++)
                to[r * stride + (size_t)(j - x - 1)] = from[r * width + (size_t)(x - h2 - 1)];
        }
    }
}

DDN_TARGETS
static void fill_column(const chart *c, int32_t j)
{
    start_column(c, j);
    c->empty[j] = -INFINITY;
    for (int32_t h3 = j - 2; h3 >= 1 && j > c->stacked; h3--) {
        size_t pairs = ddn_attardi_pairs(c, h3);
        if (!c->moves)
            without_s2(c, h3, j);
        for (int32_t h2 = 0; h2 < h3; h2++) {
            if (c->moves)
                with_moves(c, h2, h3, j);
            else
                with_s2(c, h2, h3, j);
            reduce_top(c, h2, h3, j);
        }
        for (size_t pair = 0; pair < pairs; pair++)
            reduce_s2(c, pair, h3, j);
    }
    if (j > c->stacked)
        end_column(c, j);
    keep_column(c, j);
    for (int32_t h3 = 1; h3 < j && c->pairs && j <= c->n; h3++)
        make_hooks(c, h3, j);
}

void ddn_attardi_fill(ddn_attardi_chart *c)
{
    for (int32_t x = 0; x < c->n + 2; x++)
        c->none[x] = -INFINITY;
    c->empty[1] = 0;
    for (int32_t j = 2; j <= c->n + 1; j++)
        fill_column(c, j);
}
