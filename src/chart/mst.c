/* SPDX-License-Identifier: MIT */
/* mst.c - the best tree of all: a maximum spanning arborescence, in O(n^2) time.
 *
 * Every node takes its best entering arc; where these make a cycle, the cycle becomes one node,
 * into which an arc u -> d costs what it gains over the arc of the cycle that it replaces.  A path
 * is grown backwards along best entering arcs until it meets itself, and is contracted there, or
 * meets what hangs from the root.  At most n-1 contractions, each of which merges rows of n cells.
 * In the end the contractions are undone, the last one first: the arc that enters a cycle takes the
 * place of the cycle's own arc into the same word.
 *
 * One root: weights are pairs, first the number of arcs from 0, which is to be small, then the
 * score.  Pairs are added and compared like numbers, so the same algorithm finds the best tree with
 * the fewest arcs from 0; there is no large constant that would swallow digits of the scores.
 *
 * Of equal arcs the one from the smallest node is taken.
 *
 * R. E. Tarjan, Finding optimum branchings, Networks 7, 1977; for dense graphs with rows in place
 * of heaps.  P. M. Camerini, L. Fratta, F. Maffioli, A note on finding optimum branchings, Networks
 * 9, 1979, for undoing the contractions. */
#include "chart/decode.h"
#include "chart/matrix_tree.h"

#include <math.h>

typedef struct cell {
    double score;
    int32_t roots;    /* arcs from 0 in it */
    int32_t modifier; /* the word where the arc ends */
} cell;

typedef struct enter { /* the best arc into a node */
    cell by;
    int32_t head;
} enter;

enum { NEW, ON_PATH, DONE };

/* Nodes are 0, the words 1..n, and from n+1 on what was contracted. */
typedef struct graph {
    int32_t n, nodes;
    cell *cells;     /* [n+1][n+1] entering arcs: [row[node]][from] */
    int32_t *row;    /* [2n] */
    int32_t *parent; /* [2n] what it was contracted into */
    int32_t *inside; /* [n+1] the node that a word is in now */
    enter *enter;    /* [2n] */
    uint8_t *state;  /* [2n] */
    int32_t *path;   /* [n+1] */
    int32_t depth;
} graph;

static double need(const ddn_decoder *d, int32_t n)
{
    (void)d;
    double m = n + 1.0;
    return ddn_space_cost(m * m, sizeof(cell)) + 2 * ddn_space_cost(2 * m, sizeof(int32_t)) +
           2 * ddn_space_cost(m, sizeof(int32_t)) + ddn_space_cost(2 * m, sizeof(enter)) +
           ddn_space_cost(2 * m, 1);
}

static inline bool is_better(const cell *a, const cell *b)
{
    if (a->score == -INFINITY || b->score == -INFINITY)
        return a->score > b->score;
    return a->roots != b->roots ? a->roots < b->roots : a->score > b->score;
}

static void graph_make(graph *g, const ddn_decode_input *in, ddn_space space)
{
    size_t m = (size_t)in->n + 1;
    *g = (graph){ .n = in->n, .nodes = in->n + 1 };
    g->cells = ddn_space_take(&space, m * m, sizeof *g->cells);
    g->row = ddn_space_take(&space, 2 * m, sizeof *g->row);
    g->parent = ddn_space_take(&space, 2 * m, sizeof *g->parent);
    g->inside = ddn_space_take(&space, m, sizeof *g->inside);
    g->path = ddn_space_take(&space, m, sizeof *g->path);
    g->enter = ddn_space_take(&space, 2 * m, sizeof *g->enter);
    g->state = ddn_space_take(&space, 2 * m, sizeof *g->state);
    for (int32_t d = 0; d <= in->n; d++) {
        cell *row = g->cells + (size_t)d * m;
        g->row[d] = g->inside[d] = d;
        g->state[d] = NEW;
        for (int32_t h = 0; h <= in->n; h++)
            row[h] = (cell){ in->w[(size_t)h * m + (size_t)d], in->one_root && h == 0, d };
    }
    g->state[0] = DONE;
}

static inline cell *row_of(const graph *g, int32_t node)
{
    return g->cells + (size_t)g->row[node] * ((size_t)g->n + 1);
}

/* False: nothing enters the node. */
static bool find_enter(graph *g, int32_t node)
{
    const cell *row = row_of(g, node);
    enter best = { { -INFINITY, 0, 0 }, -1 };
    for (int32_t h = 0; h <= g->n; h++)
        if (g->inside[h] != node && is_better(&row[h], &best.by)) {
            best.by = row[h];
            best.head = h;
        }
    g->enter[node] = best;
    return best.head >= 0;
}

/* What an arc gains over the one that enters the node now. */
static inline cell gain(cell by, const cell *own)
{
    return (cell){ by.score - own->score, by.roots - own->roots, by.modifier };
}

/* The end of the path, from node `first` on, becomes one node, which takes over first's row. */
static void contract(graph *g, int32_t first)
{
    int32_t made = g->nodes++, member;
    cell *to = row_of(g, first);
    g->row[made] = g->row[first];
    g->state[made] = ON_PATH;
    for (int32_t h = 0; h <= g->n; h++)
        to[h] = gain(to[h], &g->enter[first].by);
    do {
        member = g->path[--g->depth];
        const cell *from = row_of(g, member);
        g->parent[member] = made;
        for (int32_t h = 0; h <= g->n; h++)
            if (g->inside[h] == member)
                g->inside[h] = made;
        for (int32_t h = 0; h <= g->n && member != first; h++) {
            cell by = gain(from[h], &g->enter[member].by);
            if (is_better(&by, &to[h]))
                to[h] = by;
        }
    } while (member != first);
    g->path[g->depth++] = made;
}

static bool grow(graph *g, int32_t word)
{
    if (g->state[g->inside[word]] == DONE)
        return true;
    g->path[0] = g->inside[word];
    g->depth = 1;
    for (;;) {
        int32_t node = g->path[g->depth - 1];
        g->state[node] = ON_PATH;
        if (!find_enter(g, node))
            return false;
        int32_t from = g->inside[g->enter[node].head];
        if (g->state[from] == DONE)
            break;
        if (g->state[from] == ON_PATH)
            contract(g, from);
        else
            g->path[g->depth++] = from;
    }
    while (g->depth > 0)
        g->state[g->path[--g->depth]] = DONE;
    return true;
}

/* Later nodes hold earlier ones, so an arc into a node is settled before those of its parts. */
static void expand(graph *g, int32_t *head)
{
    for (int32_t node = 1; node < g->nodes; node++)
        g->state[node] = NEW;
    for (int32_t node = g->nodes - 1; node >= 1; node--) {
        if (g->state[node] == DONE)
            continue;
        int32_t word = g->enter[node].by.modifier;
        head[word] = g->enter[node].head;
        for (int32_t part = word; part != node; part = g->parent[part])
            g->state[part] = DONE;
    }
}

static bool best(const ddn_decoder *d, const ddn_decode_input *in, ddn_space space, int32_t *head,
                 uint8_t *move)
{
    graph g;
    int32_t roots = 0;
    (void)d;
    (void)move;
    graph_make(&g, in, space);
    for (int32_t word = 1; word <= in->n; word++)
        if (!grow(&g, word))
            return false;
    head[0] = -1;
    expand(&g, head);
    for (int32_t word = 1; word <= in->n; word++)
        roots += head[word] == 0;
    return !in->one_root || roots == 1;
}

const ddn_decoder ddn_decoder_mst = {
    .name = "mst",
    .cite = "any tree (Tarjan 1977)",
    .need = need,
    .best = best,
    .sum_need = ddn_matrix_tree_need,
    .sum = ddn_matrix_tree_sum,
};
