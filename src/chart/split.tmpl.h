/* SPDX-License-Identifier: MIT */
/* split.tmpl.h - Table 2 of Nederhof (2019) for any split grammar and any semiring.
 *
 * For 0 <= i < j <= n, with B, C the pairs and groups of the plan (grammar.c):
 *
 *     X(B,C,i,j)    = SUM_k  Wr(B,i,k) * Wl(C,k+1,j)         i and j meet between k and k+1
 *     Wl2(g,i,j)    = SUM_{(B,C) in g} X(B,C,i,j) * w(j,i)   the arc j -> i
 *     Wr2(g,i,j)    = SUM_{(B,C) in g} X(B,C,i,j) * w(i,j)   the arc i -> j
 *     Wl(C',i,j)    = SUM_{g to C', k} Wl(g.outer,i,k) * Wl2(g,k,j)
 *     Wr(B',i,j)    = SUM_{g to B', k} Wr2(g,i,k) * Wr(g.outer,k,j)
 *     total         = SUM_{S -> (B,C)} Wl(B,0,0) * Wr(C,0,n)
 *
 * With one root, the last line has in place of Wr(C,0,n) the sum over 0's only child k of
 * Wl(.,1,k) * w(0,k) * Wr(.,k,n).  Columns j are filled from left to right, each from i = j-1 down;
 * every cell is written before it is read, so nothing is cleared.  Three sums of length j-i a cell
 * for the grammars that we have: O(n^3), all reads with unit stride.
 *
 * Wanted, and undefined at the end:
 *     SPLIT_NAME(x)             the names of the functions made here
 *     SPLIT_VALUE, SPLIT_WEIGHT types of cells and of arcs' weights
 *     SPLIT_CONTEXT             passed to the operations as c
 *     SPLIT_ZERO(c), SPLIT_ONE(c)
 *     SPLIT_PLUS(c, x, y), SPLIT_TIMES(c, x, y)
 *     SPLIT_ARC(c, x, w)        x * w
 *     SPLIT_DOT(c, z, a, b, m)  z + a[0] * b[0] + ... + a[m-1] * b[m-1]
 *     SPLIT_SPREAD(c, z, a, b, da, db, m)
 *                               optional, makes outside: da[k] += z * b[k], db[k] += z * a[k]
 *     SPLIT_TARGETS             attributes of the function that does the work, or nothing
 */

static inline void SPLIT_NAME(start)(SPLIT_CONTEXT *c, const ddn_split_shape *s,
                                     const ddn_split_input *in, SPLIT_VALUE *cell, int32_t i)
{
    (void)c;
    const ddn_split_pair initial = in->plan->initial[in->kind ? in->kind[i] : 0];
    size_t at = (size_t)i * s->stride + (size_t)i;
    for (int x = 0; x < in->plan->states; x++) {
        cell[s->left[x] + at] = cell[s->left_t[x] + at] =
            x == initial.left ? SPLIT_ONE(c) : SPLIT_ZERO(c);
        cell[s->right[x] + at] = cell[s->right_t[x] + at] =
            x == initial.right ? SPLIT_ONE(c) : SPLIT_ZERO(c);
    }
}

static inline void SPLIT_NAME(arcs)(SPLIT_CONTEXT *c, const ddn_split_shape *s,
                                    const ddn_split_input *in, const SPLIT_WEIGHT *w,
                                    SPLIT_VALUE *cell, int32_t i, int32_t j)
{
    (void)c;
    const ddn_split_plan *plan = in->plan;
    size_t ij = (size_t)i * s->stride + (size_t)j, ji = (size_t)j * s->stride + (size_t)i;
    SPLIT_VALUE x[DDN_SPLIT_PAIRS];
    for (int p = 0; p < plan->pairs; p++) {
        ddn_split_line line = ddn_split_meet(s, plan, p, i, j);
        x[p] = SPLIT_DOT(c, SPLIT_ZERO(c), cell + line.a, cell + line.b, line.m);
    }
    for (int g = 0; g < plan->lefts; g++) {
        SPLIT_VALUE y = SPLIT_ZERO(c);
        for (int p = 0; p < plan->pairs; p++)
            if (plan->left[g].pairs >> p & 1)
                y = SPLIT_PLUS(c, y, x[p]);
        cell[s->left_arc[g] + ji] = SPLIT_ARC(c, y, w[ji]);
    }
    for (int g = 0; g < plan->rights; g++) {
        SPLIT_VALUE y = SPLIT_ZERO(c);
        for (int p = 0; p < plan->pairs; p++)
            if (plan->right[g].pairs >> p & 1)
                y = SPLIT_PLUS(c, y, x[p]);
        cell[s->right_arc[g] + ij] = SPLIT_ARC(c, y, w[ij]);
    }
}

static inline void SPLIT_NAME(halves)(SPLIT_CONTEXT *c, const ddn_split_shape *s,
                                      const ddn_split_input *in, SPLIT_VALUE *cell, int32_t i,
                                      int32_t j)
{
    (void)c;
    const ddn_split_plan *plan = in->plan;
    size_t ij = (size_t)i * s->stride + (size_t)j, ji = (size_t)j * s->stride + (size_t)i;
    for (int x = 0; x < plan->states; x++) {
        if (plan->left_grows[x]) {
            SPLIT_VALUE y = SPLIT_ZERO(c);
            for (int g = 0; g < plan->lefts; g++) {
                if (plan->left[g].to != x)
                    continue;
                ddn_split_line line = ddn_split_leftward(s, plan, g, i, j);
                y = SPLIT_DOT(c, y, cell + line.a, cell + line.b, line.m);
            }
            cell[s->left[x] + ij] = cell[s->left_t[x] + ji] = y;
        }
        if (plan->right_grows[x]) {
            SPLIT_VALUE y = SPLIT_ZERO(c);
            for (int g = 0; g < plan->rights; g++) {
                if (plan->right[g].to != x)
                    continue;
                ddn_split_line line = ddn_split_rightward(s, plan, g, i, j);
                y = SPLIT_DOT(c, y, cell + line.a, cell + line.b, line.m);
            }
            cell[s->right[x] + ij] = cell[s->right_t[x] + ji] = y;
        }
    }
}

SPLIT_TARGETS
static void SPLIT_NAME(inside)(SPLIT_CONTEXT *c, const ddn_split_shape *s,
                               const ddn_split_input *in, const SPLIT_WEIGHT *w, SPLIT_VALUE *cell)
{
    (void)c;
    for (int32_t j = 0; j <= in->n; j++) {
        SPLIT_NAME(start)(c, s, in, cell, j);
        for (int32_t i = j - 1; i >= 0; i--) {
            SPLIT_NAME(arcs)(c, s, in, w, cell, i, j);
            SPLIT_NAME(halves)(c, s, in, cell, i, j);
        }
    }
}

/* Trees in which k is 0's only child. */
static SPLIT_VALUE SPLIT_NAME(rooted)(SPLIT_CONTEXT *c, const ddn_split_shape *s,
                                      const ddn_split_input *in, const SPLIT_WEIGHT *w,
                                      const SPLIT_VALUE *cell, int32_t k)
{
    (void)c;
    const ddn_split_plan *plan = in->plan;
    size_t last = (size_t)in->n * s->stride;
    SPLIT_VALUE sum = SPLIT_ZERO(c);
    for (int r = 0; r < plan->starts; r++)
        for (int g = 0; g < plan->rights; g++)
            for (int p = 0; p < plan->pairs; p++) {
                const ddn_split_group *group = &plan->right[g];
                const ddn_split_pair q = plan->pair[p];
                if (group->to != plan->start[r].right || !(group->pairs >> p & 1) ||
                    (k > 1 && !plan->left_grows[q.right]) ||
                    (k < in->n && !plan->right_grows[group->outer]))
                    continue;
                SPLIT_VALUE y =
                    SPLIT_TIMES(c, cell[s->left[plan->start[r].left]], cell[s->right[q.left]]);
                y = SPLIT_TIMES(c, y, cell[s->left[q.right] + s->stride + (size_t)k]);
                y = SPLIT_TIMES(c, y, cell[s->right_t[group->outer] + last + (size_t)k]);
                sum = SPLIT_PLUS(c, sum, SPLIT_ARC(c, y, w[k]));
            }
    return sum;
}

/* After inside.  With one root also fills the row of its terms. */
static SPLIT_VALUE SPLIT_NAME(total)(SPLIT_CONTEXT *c, const ddn_split_shape *s,
                                     const ddn_split_input *in, const SPLIT_WEIGHT *w,
                                     SPLIT_VALUE *cell)
{
    (void)c;
    const ddn_split_plan *plan = in->plan;
    SPLIT_VALUE sum = SPLIT_ZERO(c);
    for (int r = 0; r < plan->starts && !in->one_root; r++)
        if (in->n == 0 || plan->right_grows[plan->start[r].right])
            sum = SPLIT_PLUS(c, sum,
                             SPLIT_TIMES(c, cell[s->left[plan->start[r].left]],
                                         cell[s->right[plan->start[r].right] + (size_t)in->n]));
    for (int32_t k = 1; k <= in->n && in->one_root; k++) {
        cell[s->root + (size_t)k] = SPLIT_NAME(rooted)(c, s, in, w, cell, k);
        sum = SPLIT_PLUS(c, sum, cell[s->root + (size_t)k]);
    }
    return sum;
}

#ifdef SPLIT_SPREAD

/* The outside of a cell is what all trees that use it have besides it.  It is the inside pass run
 * backwards: where the one adds up a line of products into a cell, the other spreads the cell's
 * outside over the line.  Wl and Wr are there twice, and their outside is the sum of both. */
static void SPLIT_NAME(outside_top)(SPLIT_CONTEXT *c, const ddn_split_shape *s,
                                    const ddn_split_input *in, const SPLIT_WEIGHT *w,
                                    const SPLIT_VALUE *cell, SPLIT_VALUE *out)
{
    (void)c;
    const ddn_split_plan *plan = in->plan;
    for (int r = 0; r < plan->starts; r++) {
        const ddn_split_pair q = plan->start[r];
        SPLIT_VALUE left = cell[s->left[q.left]];
        if (!in->one_root && plan->right_grows[q.right]) {
            SPLIT_VALUE *to = &out[s->right[q.right] + (size_t)in->n];
            *to = SPLIT_PLUS(c, *to, left);
        }
        for (int g = 0; g < plan->rights && in->one_root; g++)
            for (int p = 0; p < plan->pairs; p++) {
                const ddn_split_group *group = &plan->right[g];
                if (group->to != q.right || !(group->pairs >> p & 1))
                    continue;
                for (int32_t k = 1; k <= in->n; k++) {
                    size_t a = s->left[plan->pair[p].right] + s->stride + (size_t)k;
                    size_t b = s->right_t[group->outer] + (size_t)in->n * s->stride + (size_t)k;
                    if ((k > 1 && !plan->left_grows[plan->pair[p].right]) ||
                        (k < in->n && !plan->right_grows[group->outer]))
                        continue;
                    SPLIT_VALUE y = SPLIT_TIMES(c, left, cell[s->right[plan->pair[p].left]]);
                    y = SPLIT_ARC(c, y, w[k]);
                    SPLIT_SPREAD(c, y, cell + a, cell + b, out + a, out + b, 1);
                }
            }
    }
}

static void SPLIT_NAME(outside_cell)(SPLIT_CONTEXT *c, const ddn_split_shape *s,
                                     const ddn_split_input *in, const SPLIT_WEIGHT *w,
                                     const SPLIT_VALUE *cell, SPLIT_VALUE *out, int32_t i,
                                     int32_t j)
{
    (void)c;
    const ddn_split_plan *plan = in->plan;
    size_t ij = (size_t)i * s->stride + (size_t)j, ji = (size_t)j * s->stride + (size_t)i;
    SPLIT_VALUE x[DDN_SPLIT_PAIRS];
    for (int p = 0; p < plan->pairs; p++)
        x[p] = SPLIT_ZERO(c);
    for (int g = 0; g < plan->lefts; g++) {
        int to = plan->left[g].to;
        ddn_split_line line = ddn_split_leftward(s, plan, g, i, j);
        SPLIT_VALUE y = SPLIT_PLUS(c, out[s->left[to] + ij], out[s->left_t[to] + ji]);
        SPLIT_SPREAD(c, y, cell + line.a, cell + line.b, out + line.a, out + line.b, line.m);
    }
    for (int g = 0; g < plan->rights; g++) {
        int to = plan->right[g].to;
        ddn_split_line line = ddn_split_rightward(s, plan, g, i, j);
        SPLIT_VALUE y = SPLIT_PLUS(c, out[s->right[to] + ij], out[s->right_t[to] + ji]);
        SPLIT_SPREAD(c, y, cell + line.a, cell + line.b, out + line.a, out + line.b, line.m);
    }
    for (int p = 0; p < plan->pairs; p++) {
        for (int g = 0; g < plan->lefts; g++)
            if (plan->left[g].pairs >> p & 1)
                x[p] = SPLIT_PLUS(c, x[p], SPLIT_ARC(c, out[s->left_arc[g] + ji], w[ji]));
        for (int g = 0; g < plan->rights; g++)
            if (plan->right[g].pairs >> p & 1)
                x[p] = SPLIT_PLUS(c, x[p], SPLIT_ARC(c, out[s->right_arc[g] + ij], w[ij]));
        ddn_split_line line = ddn_split_meet(s, plan, p, i, j);
        SPLIT_SPREAD(c, x[p], cell + line.a, cell + line.b, out + line.a, out + line.b, line.m);
    }
}

/* After total; out is as large as cell. */
static void SPLIT_NAME(outside)(SPLIT_CONTEXT *c, const ddn_split_shape *s,
                                const ddn_split_input *in, const SPLIT_WEIGHT *w,
                                const SPLIT_VALUE *cell, SPLIT_VALUE *out)
{
    (void)c;
    for (size_t x = 0; x < s->cells; x++)
        out[x] = SPLIT_ZERO(c);
    SPLIT_NAME(outside_top)(c, s, in, w, cell, out);
    for (int32_t j = in->n; j >= 1; j--)
        for (int32_t i = 0; i < j; i++)
            SPLIT_NAME(outside_cell)(c, s, in, w, cell, out, i, j);
}

#endif

#undef SPLIT_NAME
#undef SPLIT_VALUE
#undef SPLIT_WEIGHT
#undef SPLIT_CONTEXT
#undef SPLIT_ZERO
#undef SPLIT_ONE
#undef SPLIT_PLUS
#undef SPLIT_TIMES
#undef SPLIT_ARC
#undef SPLIT_DOT
#undef SPLIT_SPREAD
#undef SPLIT_TARGETS
