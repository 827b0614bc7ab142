/* SPDX-License-Identifier: MIT */
/* forest_kbest.c - the k best trees of a forest, lazily (Huang & Chiang 2005, algorithm 3).
 *
 * The best derivation of each node comes first, bottom up.  From there on, derivations are computed
 * only as they are needed.  Write (e, i, j) for the derivation of a node by edge e from the i-th
 * best of the left tail and the j-th best of the right one.  A node keeps its derivations found so
 * far, in order, and a heap of candidates, at first (e, 0, 0) for all its edges.  The next one is
 * the best candidate; when it is taken out, its successors are inserted:
 *     (e, i+1, j)   and, where i = 0,   (e, 0, j+1)
 * Every (e, i, j) then is the successor of exactly one other and never scores more, so that none is
 * missed and none is inserted twice.  A successor needs the next derivation of a tail; it is
 * inserted only when the node itself is asked for another derivation.
 *
 * Tasks.  Requests go down as deep as the forest, which for long sentences is too deep for the C
 * stack.  Hence a stack of tasks (node, how many it should have); a task that needs more of a tail
 * puts a task for that tail on top and is looked at again later.
 *
 * Same trees.  A derivation whose arcs are those of one found before at the same node is taken out
 * and not kept, but its successors are inserted.  Doing so at every node and not only at the goal
 * bounds the work: the tails' lists have no duplicates and give heads to different words, so per
 * edge only one pair (i, j) makes a given set of arcs.  Derivations with equal hashes of their arcs
 * (the sum of one number for each arc) are compared arc by arc.
 *
 * Cost.  O(edges) to begin, and O(d log(edges of a node)) for each further tree, d being the depth
 * of derivations. */
#include "chart/kbest.h"

#include "core/array.h"

#include <stdlib.h>
#include <string.h>

typedef struct ddn_kbest_task {
    int32_t node;
    int32_t rank; /* wanted: the derivation with this number, from 0 */
} task;

void ddn_kbest_init(ddn_kbest *k)
{
    memset(k, 0, sizeof *k);
}

void ddn_kbest_fini(ddn_kbest *k)
{
    for (size_t i = 0; i < k->made; i++) {
        free(k->node[i].found);
        free(k->node[i].heap);
    }
    free(k->best);
    free(k->node);
    free(k->task);
    free(k->tree);
    ddn_kbest_init(k);
}

/* ---- Derivations ---- */

/* Finalizer of splitmix64: a number for an arc. */
static uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static uint64_t hash_arc(const ddn_forest_edge *x)
{
    return x->child ? mix(mix(mix((uint64_t)x->child) + (uint64_t)x->head) + (uint64_t)x->label)
                    : 0;
}

/* Derivation number rank of a node, which has been found. */
static const ddn_derivation *derivation(const ddn_kbest *k, int32_t node, int32_t rank)
{
    return rank == 0 ? &k->best[node] : &k->node[node].found[rank];
}

static ddn_derivation combine(const ddn_kbest *k, uint32_t edge, int32_t left, int32_t right)
{
    const ddn_forest_edge *x = &k->forest->edge[edge];
    ddn_derivation d = *derivation(k, x->left, left);
    d.score += x->score;
    d.hash += hash_arc(x);
    if (x->right >= 0) {
        const ddn_derivation *r = derivation(k, x->right, right);
        d.score += r->score;
        d.hash += r->hash;
    }
    d.edge = edge;
    d.left = left;
    d.right = right;
    return d;
}

/* Before: whether a comes out of the heap before b. */
static bool before(const ddn_derivation *a, const ddn_derivation *b)
{
    if (a->score != b->score)
        return a->score > b->score;
    if (a->edge != b->edge)
        return a->edge < b->edge;
    return a->left != b->left ? a->left < b->left : a->right < b->right;
}

/* The arcs of a derivation of node v. */
static int read_arcs(ddn_kbest *k, int32_t v, const ddn_derivation *d, size_t tasks, int32_t *head,
                     int32_t *label, dodona_error *err)
{
    const ddn_forest *f = k->forest;
    for (size_t depth = tasks;;) {
        if (f->first[v] < f->first[v + 1]) {
            const ddn_forest_edge *x = &f->edge[d->edge];
            if (x->child > 0) {
                head[x->child] = x->head;
                label[x->child] = x->label;
            }
            if (!ddn_reserve(&k->task, &k->task_cap, depth + 2, sizeof *k->task))
                return ddn_fail_memory(err);
            k->task[depth++] = (task){ x->left, d->left };
            if (x->right >= 0)
                k->task[depth++] = (task){ x->right, d->right };
        }
        if (depth == tasks)
            return DODONA_OK;
        v = k->task[--depth].node;
        d = derivation(k, v, k->task[depth].rank);
    }
}

/* ---- The heap of a node: the first comes out first ---- */

static int heap_put(ddn_kbest_node *node, const ddn_derivation *d, dodona_error *err)
{
    size_t at = (size_t)node->heaps;
    if (!ddn_reserve(&node->heap, &node->heap_cap, at + 1, sizeof *node->heap))
        return ddn_fail_memory(err);
    for (; at > 0 && before(d, &node->heap[(at - 1) / 2]); at = (at - 1) / 2)
        node->heap[at] = node->heap[(at - 1) / 2];
    node->heap[at] = *d;
    node->heaps++;
    return DODONA_OK;
}

static ddn_derivation heap_take(ddn_kbest_node *node)
{
    ddn_derivation top = node->heap[0], last = node->heap[--node->heaps];
    size_t size = (size_t)node->heaps, at = 0, child;
    while ((child = 2 * at + 1) < size) {
        if (child + 1 < size && before(&node->heap[child + 1], &node->heap[child]))
            child++;
        if (!before(&node->heap[child], &last))
            break;
        node->heap[at] = node->heap[child];
        at = child;
    }
    node->heap[at] = last;
    return top;
}

/* ---- One more derivation of a node ---- */

static int keep(ddn_kbest_node *node, const ddn_derivation *d, dodona_error *err)
{
    if (!ddn_reserve(&node->found, &node->found_cap, (size_t)node->founds + 1, sizeof *node->found))
        return ddn_fail_memory(err);
    node->found[node->founds++] = *d;
    return DODONA_OK;
}

/* All edges are candidates but that of the best derivation, which is found. */
static int begin_node(ddn_kbest *k, int32_t v, dodona_error *err)
{
    const ddn_forest *f = k->forest;
    ddn_kbest_node *node = &k->node[v];
    node->begun = true;
    node->founds = node->heaps = 0;
    node->ended = f->first[v] == f->first[v + 1];
    int status = keep(node, &k->best[v], err);
    for (uint32_t e = f->first[v]; e < f->first[v + 1] && status >= 0; e++) {
        ddn_derivation d = combine(k, e, 0, 0);
        if (e != k->best[v].edge)
            status = heap_put(node, &d, err);
    }
    node->last = k->best[v];
    node->pending = true;
    return status;
}

/* Whether derivation rank of node v is there (1), does not exist (0), or must be looked for (-1).
 */
static int look(const ddn_kbest *k, int32_t v, int32_t rank)
{
    const ddn_kbest_node *node = &k->node[v];
    if (rank == 0 || (node->begun && rank < node->founds))
        return 1;
    return node->begun && node->ended ? 0 : -1;
}

/* Puts what follows node->last into the heap: 1; or 0 and a task for what is missing first. */
static int follow(ddn_kbest *k, ddn_kbest_node *node, task *missing, dodona_error *err)
{
    const ddn_derivation last = node->last;
    const ddn_forest_edge *x = &k->forest->edge[last.edge];
    bool both = x->right >= 0 && last.left == 0;
    int left = look(k, x->left, last.left + 1);
    int right = both ? look(k, x->right, last.right + 1) : 0;
    if (left < 0 || right < 0) {
        *missing = left < 0 ? (task){ x->left, last.left + 1 } : (task){ x->right, last.right + 1 };
        return 0;
    }
    int status = DODONA_OK;
    if (left) {
        ddn_derivation d = combine(k, last.edge, last.left + 1, last.right);
        status = heap_put(node, &d, err);
    }
    if (right && status >= 0) {
        ddn_derivation d = combine(k, last.edge, 0, last.right + 1);
        status = heap_put(node, &d, err);
    }
    node->pending = false;
    return status < 0 ? status : 1;
}

/* 1: node v has a derivation with the arcs of d; 0: it has none. */
static int is_known(ddn_kbest *k, int32_t v, const ddn_derivation *d, size_t tasks,
                    dodona_error *err)
{
    size_t width = (size_t)k->forest->n + 1;
    int32_t *a = k->tree, *b = k->tree + 2 * width;
    const ddn_kbest_node *node = &k->node[v];
    for (int32_t i = 0; i < node->founds; i++) {
        if (node->found[i].hash != d->hash)
            continue;
        memset(k->tree, 0, 4 * width * sizeof *k->tree);
        int status = read_arcs(k, v, d, tasks, a, a + width, err);
        if (status >= 0)
            status = read_arcs(k, v, &node->found[i], tasks, b, b + width, err);
        if (status < 0)
            return status;
        if (memcmp(a, b, 2 * width * sizeof *a) == 0)
            return 1;
    }
    return 0;
}

/* One step towards the derivation that the top task wants: 1 when that is settled; or 0, when there
 * is more to do or *missing comes first (missing->node >= 0). */
static int step(ddn_kbest *k, task top, size_t tasks, task *missing, dodona_error *err)
{
    ddn_kbest_node *node = &k->node[top.node];
    int status = DODONA_OK;
    if (look(k, top.node, top.rank) >= 0)
        return 1;
    if (!node->begun) {
        status = begin_node(k, top.node, err);
        if (status < 0 || node->ended)
            return status;
    }
    if (node->pending && (status = follow(k, node, missing, err)) <= 0)
        return status;
    if (node->heaps == 0) {
        node->ended = true;
        return 1;
    }
    node->last = heap_take(node);
    node->pending = true;
    status = is_known(k, top.node, &node->last, tasks, err);
    if (status == 0)
        status = keep(node, &node->last, err);
    return status < 0 ? status : 0;
}

/* Finds derivation rank of the goal, if there is one. */
static int find(ddn_kbest *k, int32_t rank, dodona_error *err)
{
    size_t tasks = 0;
    task next = { k->forest->nodes - 1, rank };
    for (;;) {
        if (next.node >= 0) {
            if (!ddn_reserve(&k->task, &k->task_cap, tasks + 1, sizeof *k->task))
                return ddn_fail_memory(err);
            k->task[tasks++] = next;
        }
        next.node = -1;
        int status = step(k, k->task[tasks - 1], tasks, &next, err);
        if (status < 0)
            return status;
        if (status == 1 && --tasks == 0)
            return DODONA_OK;
    }
}

int ddn_kbest_begin(ddn_kbest *k, const ddn_forest *f, dodona_error *err)
{
    size_t nodes = (size_t)f->nodes;
    if (!ddn_reserve(&k->best, &k->best_cap, nodes, sizeof *k->best) ||
        !ddn_reserve(&k->node, &k->node_cap, nodes, sizeof *k->node) ||
        !ddn_reserve(&k->tree, &k->tree_cap, 4 * ((size_t)f->n + 1), sizeof *k->tree))
        return ddn_fail_memory(err);
    for (; k->made < nodes; k->made++)
        k->node[k->made] = (ddn_kbest_node){ 0 };
    k->forest = f;
    k->given = 0;
    for (int32_t v = 0; v < f->nodes; v++) {
        k->node[v].begun = false;
        k->best[v] = (ddn_derivation){ 0 };
        for (uint32_t e = f->first[v]; e < f->first[v + 1]; e++) {
            ddn_derivation d = combine(k, e, 0, 0);
            if (e == f->first[v] || before(&d, &k->best[v]))
                k->best[v] = d;
        }
    }
    return DODONA_OK;
}

int ddn_kbest_next(ddn_kbest *k, double *score, int32_t *head, int32_t *label, dodona_error *err)
{
    const ddn_forest *f = k->forest;
    int32_t goal = f->nodes - 1;
    int status = find(k, k->given, err);
    if (status < 0 || look(k, goal, k->given) == 0)
        return status;
    const ddn_derivation *d = derivation(k, goal, k->given);
    *score = d->score;
    status = read_arcs(k, goal, d, 0, head, label, err);
    if (status < 0)
        return status;
    head[0] = -1;
    status = ddn_forest_check_tree(f, head, k->tree, err);
    if (status < 0)
        return status;
    k->given++;
    return 1;
}
