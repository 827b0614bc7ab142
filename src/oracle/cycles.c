/* SPDX-License-Identifier: MIT */
/* cycles.c - Johnson's algorithm, written so that it can stop after each cycle and go on later.
 *
 * Edges go from a word to its heads, so no node has more than two.  The smallest node of a cycle is
 * its start.  For each start s, take the strongly connected component of s among the nodes s..n,
 * and walk all paths from s within it.  When a node is left and no cycle was found beyond it, it
 * stays blocked: every path from it to s meets the present one.  It is unblocked when one of its
 * heads is; for that it is in the waiting list of each head.  Whenever a cycle was found beyond a
 * node, it is unblocked at once.
 *
 * Why the time between two cycles is bounded: no node is unblocked twice, so next looks at each
 * edge a fixed number of times; a component is sought only for starts that have a cycle, and once
 * more at the end.
 * Trap: an edge may be seen again while it is in a list, so it is added only once.
 * Johnson 1975; components by Tarjan 1972. */
#include "oracle/cycles.h"

#include <string.h>

enum { NOT_THERE = -1, LAST = 0 };

void ddn_cycles_init(ddn_cycles *c)
{
    memset(c, 0, sizeof *c);
}

void ddn_cycles_fini(ddn_cycles *c)
{
    ddn_arena_fini(&c->arena);
    ddn_cycles_init(c);
}

bool ddn_cycles_reserve(ddn_cycles *c, int32_t n)
{
    size_t nodes = (size_t)n + 1;
    ddn_arena *a = &c->arena;
    ddn_arena_reset(a);
    c->head = ddn_arena_take(a, nodes, sizeof *c->head);
    c->link = ddn_arena_take(a, 2 * nodes, sizeof *c->link);
    c->path = ddn_arena_take(a, nodes, sizeof *c->path);
    c->waiting = ddn_arena_take(a, nodes, sizeof *c->waiting);
    c->component = ddn_arena_take(a, nodes, sizeof *c->component);
    c->order = ddn_arena_take(a, nodes, sizeof *c->order);
    c->low = ddn_arena_take(a, nodes, sizeof *c->low);
    c->todo = ddn_arena_take(a, nodes, sizeof *c->todo);
    c->slot = ddn_arena_take(a, nodes, sizeof *c->slot);
    c->found = ddn_arena_take(a, nodes, sizeof *c->found);
    c->blocked = ddn_arena_take(a, nodes, sizeof *c->blocked);
    c->n = n;
    return !a->failed;
}

void ddn_cycles_begin(ddn_cycles *c)
{
    c->start = 1;
    c->length = 0;
    c->steps = 0;
}

/* ---- Components ---- */

/* Tarjan's algorithm from one root, without recursion: path is the present path, slot the next head
 * to look at, todo the nodes whose component is not complete.  Returns the smallest node that
 * shares a component with another, or INT32_MAX. */
static int32_t find_components(ddn_cycles *c, int32_t root, int32_t *count, int32_t *open)
{
    int32_t depth = 0, least = INT32_MAX;
    c->path[depth++] = root;
    c->order[root] = c->low[root] = ++*count;
    c->slot[0] = 0;
    c->todo[(*open)++] = root;
    while (depth > 0) {
        int32_t v = c->path[depth - 1];
        if (c->slot[depth - 1] < 2) {
            int32_t w = c->head[v][c->slot[depth - 1]++];
            c->steps++;
            if (w < c->start || c->component[w])
                continue;
            if (c->order[w]) {
                c->low[v] = c->order[w] < c->low[v] ? c->order[w] : c->low[v];
                continue;
            }
            c->order[w] = c->low[w] = ++*count;
            c->slot[depth] = 0;
            c->path[depth++] = w;
            c->todo[(*open)++] = w;
            continue;
        }
        depth--;
        if (depth > 0 && c->low[v] < c->low[c->path[depth - 1]])
            c->low[c->path[depth - 1]] = c->low[v];
        if (c->low[v] < c->order[v])
            continue;
        bool alone = c->todo[*open - 1] == v;
        int32_t w;
        do {
            w = c->todo[--*open];
            c->component[w] = v;
            least = !alone && w < least ? w : least;
        } while (w != v);
    }
    return least;
}

/* Moves start to the next node that is the smallest of a cycle; false: there is none. */
static bool find_start(ddn_cycles *c)
{
    int32_t count = 0, open = 0, least = INT32_MAX;
    size_t from = (size_t)c->start, nodes = (size_t)c->n + 1 - from;
    memset(c->order + from, 0, nodes * sizeof *c->order);
    memset(c->component + from, 0, nodes * sizeof *c->component);
    for (int32_t v = c->start; v <= c->n; v++) {
        int32_t found = c->order[v] ? INT32_MAX : find_components(c, v, &count, &open);
        least = found < least ? found : least;
    }
    c->start = least;
    if (least == INT32_MAX)
        return false;
    for (int32_t v = least; v <= c->n; v++) {
        c->blocked[v] = false;
        c->waiting[v] = LAST;
        c->link[2 * v] = c->link[2 * v + 1] = NOT_THERE;
    }
    return true;
}

/* ---- The walk ---- */

static void enter(ddn_cycles *c, int32_t v)
{
    c->path[c->length] = v;
    c->slot[c->length] = 0;
    c->found[c->length++] = false;
    c->blocked[v] = true;
}

/* The k-th head of v if it takes part in the search from the present start, else 0. */
static int32_t head_within(const ddn_cycles *c, int32_t v, int k)
{
    int32_t w = c->head[v][k];
    return w >= c->start && c->component[w] == c->component[c->start] ? w : 0;
}

static void unblock(ddn_cycles *c, int32_t v)
{
    int32_t count = 0;
    c->blocked[v] = false;
    c->todo[count++] = v;
    while (count > 0) {
        int32_t w = c->todo[--count], edge = c->waiting[w];
        c->waiting[w] = LAST;
        while (edge != LAST) {
            int32_t next = c->link[edge], from = edge / 2;
            c->link[edge] = NOT_THERE;
            c->steps++;
            if (c->blocked[from]) {
                c->blocked[from] = false;
                c->todo[count++] = from;
            }
            edge = next;
        }
    }
}

static void leave(ddn_cycles *c)
{
    int32_t v = c->path[--c->length];
    if (c->found[c->length]) {
        unblock(c, v);
        if (c->length > 0)
            c->found[c->length - 1] = true;
        return;
    }
    for (int k = 0; k < 2; k++) {
        int32_t w = head_within(c, v, k), edge = 2 * v + k;
        if (w && c->link[edge] == NOT_THERE) {
            c->link[edge] = c->waiting[w];
            c->waiting[w] = edge;
        }
    }
}

bool ddn_cycles_next(ddn_cycles *c)
{
    for (;;) {
        if (c->length == 0) {
            if (c->start > c->n || !find_start(c))
                return false;
            enter(c, c->start);
        }
        while (c->length > 0) {
            int32_t at = c->length - 1;
            if (c->slot[at] == 2) {
                leave(c);
                continue;
            }
            int32_t w = head_within(c, c->path[at], c->slot[at]++);
            c->steps++;
            if (w == c->start) {
                c->found[at] = true;
                return true;
            }
            if (w && !c->blocked[w])
                enter(c, w);
        }
        c->start++;
    }
}
