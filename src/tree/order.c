/* SPDX-License-Identifier: MIT */
/* order.c - preorder without recursion: a chain of 100,000 words would exhaust the C stack.  The
 * walk goes down by first, across by next and up by head. */
#include "tree/order.h"

static void link_children(ddn_tree_order *o)
{
    for (int32_t v = 0; v <= o->n; v++)
        o->first[v] = o->last[v] = o->next[v] = 0;
    for (int32_t v = o->n; v >= 1; v--) {
        int32_t h = o->head[v];
        if (o->last[h] == 0)
            o->last[h] = v;
        o->next[v] = o->first[h];
        o->first[h] = v;
    }
}

void ddn_tree_order_make(ddn_tree_order *o, const int32_t *head, int32_t n, int32_t *memory)
{
    size_t m = (size_t)n + 1;
    *o = (ddn_tree_order){ .n = n,
                           .head = head,
                           .first = memory,
                           .last = memory + m,
                           .next = memory + 2 * m,
                           .enter = memory + 3 * m,
                           .leave = memory + 4 * m,
                           .at = memory + 5 * m };
    link_children(o);
    int32_t v = 0, time = 0, depth = 0;
    for (;;) {
        o->at[time] = v;
        o->enter[v] = time++;
        if (o->first[v] != 0) {
            v = o->first[v];
            if (++depth > o->depth)
                o->depth = depth;
            continue;
        }
        for (; v != 0 && o->next[v] == 0; v = head[v], depth--)
            o->leave[v] = time;
        o->leave[v] = time;
        if (v == 0)
            return;
        v = o->next[v];
    }
}

void ddn_range_build(int32_t *tree, int32_t m)
{
    for (int32_t i = m - 1; i >= 1; i--)
        tree[i] = tree[2 * i] < tree[2 * i + 1] ? tree[2 * i] : tree[2 * i + 1];
}

int32_t ddn_range_min(const int32_t *tree, int32_t m, int32_t from, int32_t to)
{
    int32_t least = INT32_MAX;
    for (from += m, to += m; from < to; from /= 2, to /= 2) {
        if (from % 2 == 1 && tree[from++] < least)
            least = tree[from - 1];
        if (to % 2 == 1 && tree[--to] < least)
            least = tree[to];
    }
    return least;
}
