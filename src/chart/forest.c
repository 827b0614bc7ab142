/* SPDX-License-Identifier: MIT */
/* forest.c - making, trimming and checking packed forests.
 *
 * Checking which words get a head.  In a forest without useless nodes, every edge of every node is
 * part of some derivation of the goal, and the edges of one node can stand for each other.  So each
 * derivation gives every word one head if and only if
 *     all edges of a node cover the same words, where an edge covers what its tails cover and its
 *     child, and nothing twice; a leaf covers nothing; and the goal covers 1..n.
 * Sets are bits, n+1 a node: time O(edges * n / 64). */
#include "chart/forest.h"

#include "core/array.h"
#include "tree/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ddn_forest_init(ddn_forest *f)
{
    memset(f, 0, sizeof *f);
}

void ddn_forest_fini(ddn_forest *f)
{
    free(f->first);
    free(f->edge);
    ddn_forest_init(f);
}

void ddn_forest_clear(ddn_forest *f, int32_t n)
{
    f->n = n;
    f->nodes = 0;
}

int ddn_forest_add_node(ddn_forest *f, int32_t *node, dodona_error *err)
{
    if (f->nodes == DDN_FOREST_MAX_NODES)
        return ddn_fail(err, DODONA_E_LIMIT, "the forest has more than %d nodes",
                        DDN_FOREST_MAX_NODES);
    if (!ddn_reserve(&f->first, &f->first_cap, (size_t)f->nodes + 2, sizeof *f->first))
        return ddn_fail_memory(err);
    uint32_t edges = ddn_forest_edges(f);
    if (node)
        *node = f->nodes;
    f->first[f->nodes++] = edges;
    f->first[f->nodes] = edges;
    return DODONA_OK;
}

int ddn_forest_add_edge(ddn_forest *f, const ddn_forest_edge *edge, dodona_error *err)
{
    uint32_t edges = f->first[f->nodes];
    if (edges == DDN_FOREST_MAX_EDGES)
        return ddn_fail(err, DODONA_E_LIMIT, "the forest has more than %d edges",
                        DDN_FOREST_MAX_EDGES);
    if (!ddn_reserve(&f->edge, &f->edge_cap, (size_t)edges + 1, sizeof *f->edge))
        return ddn_fail_memory(err);
    f->edge[edges] = *edge;
    f->first[f->nodes]++;
    return DODONA_OK;
}

/* used[v] = 1 for the goal and all that its derivations use. */
static void mark_used(const ddn_forest *f, int32_t *used)
{
    memset(used, 0, (size_t)f->nodes * sizeof *used);
    used[f->nodes - 1] = 1;
    for (int32_t v = f->nodes - 1; v >= 0; v--)
        for (uint32_t e = f->first[v]; used[v] && e < f->first[v + 1]; e++) {
            used[f->edge[e].left] = 1;
            if (f->edge[e].right >= 0)
                used[f->edge[e].right] = 1;
        }
}

int ddn_forest_trim(ddn_forest *f, dodona_error *err)
{
    if (f->nodes == 0)
        return DODONA_OK;
    int32_t *number = malloc((size_t)f->nodes * sizeof *number); /* used or not, then the new one */
    if (!number)
        return ddn_fail_memory(err);
    mark_used(f, number);
    int32_t nodes = 0;
    uint32_t edges = 0;
    for (int32_t v = 0; v < f->nodes; v++) {
        if (!number[v])
            continue;
        uint32_t from = f->first[v], to = f->first[v + 1];
        number[v] = nodes;
        f->first[nodes++] = edges; /* nodes <= v: overwrites nothing that is still to be read */
        for (uint32_t e = from; e < to; e++) {
            ddn_forest_edge edge = f->edge[e];
            edge.left = number[edge.left];
            if (edge.right >= 0)
                edge.right = number[edge.right];
            f->edge[edges++] = edge;
        }
    }
    f->first[nodes] = edges;
    f->nodes = nodes;
    free(number);
    return DODONA_OK;
}

static int check_edge(const ddn_forest *f, int32_t v, uint32_t e, dodona_error *err)
{
    const ddn_forest_edge *x = &f->edge[e];
    if (x->left < 0 || x->left >= v || x->right < -1 || x->right >= v)
        return ddn_fail(err, DODONA_E_INPUT,
                        "edge %u of the forest leads from nodes %d and %d to node %d; expected "
                        "earlier nodes, or -1 for the second",
                        (unsigned)e, (int)x->left, (int)x->right, (int)v);
    if (!(fabs(x->score) <= DDN_FOREST_MAX_SCORE))
        return ddn_fail(err, DODONA_E_INPUT,
                        "edge %u of the forest has the score %g; expected at most %g from 0",
                        (unsigned)e, x->score, DDN_FOREST_MAX_SCORE);
    if (x->child < 0 || x->child > f->n || x->label < 0 ||
        (x->child > 0 ? x->head < 0 || x->head > f->n || x->head == x->child
                      : x->head != 0 || x->label != 0))
        return ddn_fail(err, DODONA_E_INPUT,
                        "edge %u of the forest makes the arc %d -> %d with label %d; expected two "
                        "nodes of a sentence of %d words, or 0 -> 0 with label 0 for none",
                        (unsigned)e, (int)x->head, (int)x->child, (int)x->label, (int)f->n);
    return DODONA_OK;
}

static int check_edges(const ddn_forest *f, dodona_error *err)
{
    if (f->nodes <= 0)
        return ddn_fail(err, DODONA_E_INPUT, "the forest has no node; expected a goal");
    int status = DODONA_OK;
    for (int32_t v = 0; v < f->nodes && status >= 0; v++)
        for (uint32_t e = f->first[v]; e < f->first[v + 1] && status >= 0; e++)
            status = check_edge(f, v, e, err);
    return status;
}

static int check_used(const ddn_forest *f, dodona_error *err)
{
    int32_t *used = malloc((size_t)f->nodes * sizeof *used), v = 0;
    if (!used)
        return ddn_fail_memory(err);
    mark_used(f, used);
    while (v < f->nodes && used[v])
        v++;
    free(used);
    if (v == f->nodes)
        return DODONA_OK;
    return ddn_fail(err, DODONA_E_INPUT,
                    "node %d of the forest is not used by the last node, which is the goal",
                    (int)v);
}

/* Nodes that give no head may be used twice in a derivation, and so may nodes below them: without a
 * limit, a small forest could have a derivation too large for any memory. */
static int check_steps(const ddn_forest *f, dodona_error *err)
{
    int32_t *steps = malloc((size_t)f->nodes * sizeof *steps), v;
    if (!steps)
        return ddn_fail_memory(err);
    for (v = 0; v < f->nodes; v++) {
        steps[v] = 0;
        for (uint32_t e = f->first[v]; e < f->first[v + 1]; e++) {
            const ddn_forest_edge *x = &f->edge[e];
            int32_t sum = 1 + steps[x->left] + (x->right >= 0 ? steps[x->right] : 0);
            if (sum > steps[v])
                steps[v] = sum;
        }
        if (steps[v] > DDN_FOREST_MAX_STEPS)
            break;
    }
    free(steps);
    if (v == f->nodes)
        return DODONA_OK;
    return ddn_fail(err, DODONA_E_LIMIT, "the forest has a derivation of more than %d steps",
                    DDN_FOREST_MAX_STEPS);
}

/* The words that edge x gives heads to, in set; false: one gets two. */
static bool cover(const ddn_forest_edge *x, const uint64_t *sets, size_t width, uint64_t *set)
{
    memcpy(set, sets + (size_t)x->left * width, width * sizeof *set);
    uint64_t twice = 0;
    for (size_t i = 0; x->right >= 0 && i < width; i++) {
        uint64_t other = sets[(size_t)x->right * width + i];
        twice |= set[i] & other;
        set[i] |= other;
    }
    if (x->child > 0) {
        uint64_t bit = (uint64_t)1 << (x->child & 63);
        twice |= set[x->child >> 6] & bit;
        set[x->child >> 6] |= bit;
    }
    return !twice;
}

static int check_covers(const ddn_forest *f, uint64_t *sets, size_t width, dodona_error *err)
{
    uint64_t *spare = sets + (size_t)f->nodes * width, *goal = spare - width;
    for (int32_t v = 0; v < f->nodes; v++) {
        uint64_t *own = sets + (size_t)v * width;
        for (uint32_t e = f->first[v]; e < f->first[v + 1]; e++) {
            if (!cover(&f->edge[e], sets, width, spare))
                return ddn_fail(err, DODONA_E_INPUT,
                                "edge %u of the forest gives a word a second head", (unsigned)e);
            if (e == f->first[v])
                memcpy(own, spare, width * sizeof *own);
            else if (memcmp(own, spare, width * sizeof *own) != 0)
                return ddn_fail(err, DODONA_E_INPUT,
                                "node %d of the forest has edges after which different words have "
                                "heads",
                                (int)v);
        }
    }
    for (int32_t i = 1; i <= f->n; i++)
        if (!(goal[i >> 6] >> (i & 63) & 1))
            return ddn_fail(err, DODONA_E_INPUT, "word %d has no head in the forest's trees",
                            (int)i);
    return DODONA_OK;
}

int ddn_forest_check(const ddn_forest *f, dodona_error *err)
{
    int status = check_edges(f, err);
    if (status >= 0)
        status = check_used(f, err);
    if (status >= 0)
        status = check_steps(f, err);
    if (status < 0)
        return status;
    size_t width = (size_t)f->n / 64 + 1;
    if (((size_t)f->nodes + 1) * width > DDN_FOREST_MAX_COVER / sizeof(uint64_t))
        return ddn_fail(err, DODONA_E_LIMIT,
                        "the forest has %d nodes over %d words; it would take more than %d MiB to "
                        "check it",
                        (int)f->nodes, (int)f->n, DDN_FOREST_MAX_COVER >> 20);
    uint64_t *sets = calloc(((size_t)f->nodes + 1) * width, sizeof *sets);
    if (!sets)
        return ddn_fail_memory(err);
    status = check_covers(f, sets, width, err);
    free(sets);
    return status;
}

int ddn_forest_check_tree(const ddn_forest *f, const int32_t *head, int32_t *mark,
                          dodona_error *err)
{
    int32_t word;
    ddn_tree_fault fault = ddn_tree_check(head, f->n, false, mark, &word);
    if (fault == DDN_TREE_OK)
        return DODONA_OK;
    if (fault == DDN_TREE_NO_ROOT)
        return ddn_fail(err, DODONA_E_INPUT,
                        "the forest has a derivation in which no word hangs from the root");
    return ddn_fail(err, DODONA_E_INPUT,
                    "the forest has a derivation whose heads are not a tree; see word %d",
                    (int)word);
}
