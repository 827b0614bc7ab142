/* SPDX-License-Identifier: MIT */
/* forest_oracle.c - the tree of a forest that is nearest to a gold tree.
 *
 * The best derivation of each node, bottom up, by (arcs that are right, score, earlier edge).  The
 * sum over two tails is as good as it can be when each tail is, in that order of pairs, so one pass
 * over the edges finds it.  Linear time. */
#include "chart/forest.h"

#include "core/array.h"

#include <stdlib.h>

typedef struct best {
    double score;
    int32_t correct;
    uint32_t edge;
} best;

static bool is_right(const ddn_forest_edge *x, const int32_t *gold, const int32_t *gold_label)
{
    return x->child > 0 && x->head == gold[x->child] &&
           (!gold_label || x->label == gold_label[x->child]);
}

static void fill(const ddn_forest *f, const int32_t *gold, const int32_t *gold_label, best *of)
{
    for (int32_t v = 0; v < f->nodes; v++) {
        of[v] = (best){ 0 };
        for (uint32_t e = f->first[v]; e < f->first[v + 1]; e++) {
            const ddn_forest_edge *x = &f->edge[e];
            best one = of[x->left];
            one.correct += is_right(x, gold, gold_label);
            one.score += x->score;
            one.edge = e;
            if (x->right >= 0) {
                one.correct += of[x->right].correct;
                one.score += of[x->right].score;
            }
            if (e == f->first[v] || one.correct > of[v].correct ||
                (one.correct == of[v].correct && one.score > of[v].score))
                of[v] = one;
        }
    }
}

/* The arcs of the goal's best derivation.  A derivation has no more open nodes than steps. */
static int read_tree(const ddn_forest *f, const best *of, int32_t *head, int32_t *label,
                     dodona_error *err)
{
    int32_t *open = NULL;
    size_t cap = 0, depth = 0;
    for (int32_t v = f->nodes - 1;;) {
        if (f->first[v] < f->first[v + 1]) {
            const ddn_forest_edge *x = &f->edge[of[v].edge];
            if (x->child > 0) {
                head[x->child] = x->head;
                label[x->child] = x->label;
            }
            if (!ddn_reserve(&open, &cap, depth + 2, sizeof *open)) {
                free(open);
                return ddn_fail_memory(err);
            }
            open[depth++] = x->left;
            if (x->right >= 0)
                open[depth++] = x->right;
        }
        if (depth == 0)
            break;
        v = open[--depth];
    }
    free(open);
    return DODONA_OK;
}

int ddn_forest_find_oracle(const ddn_forest *f, const int32_t *gold, const int32_t *gold_label,
                           int32_t *head, int32_t *label, ddn_forest_oracle *out, dodona_error *err)
{
    best *of = malloc((size_t)f->nodes * sizeof *of);
    if (!of)
        return ddn_fail_memory(err);
    fill(f, gold, gold_label, of);
    int status = read_tree(f, of, head, label, err);
    if (status >= 0)
        *out = (ddn_forest_oracle){ of[f->nodes - 1].correct, of[f->nodes - 1].score };
    free(of);
    return status;
}
