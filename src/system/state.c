/* SPDX-License-Identifier: MIT */
/* state.c - the primitives that change a configuration, and their revert.
 *
 * A child is inserted among its siblings from the outside: nearly every system attaches the
 * outermost child, which takes constant time.  Detaching a child computes the set of labels anew
 * from the siblings that are left. */
#include "system/state.h"

#include "core/array.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void ddn_state_init(ddn_state *s)
{
    memset(s, 0, sizeof *s);
}

void ddn_state_fini(ddn_state *s)
{
    free(s->stack);
    free(s->node);
    ddn_state_init(s);
}

static int reserve(ddn_state *s, int32_t n, dodona_error *err)
{
    if (!ddn_reserve(&s->stack, &s->stack_cap, (size_t)n + 1, sizeof *s->stack) ||
        !ddn_reserve(&s->node, &s->node_cap, (size_t)n + 1, sizeof *s->node))
        return ddn_fail_memory(err);
    return DODONA_OK;
}

int ddn_state_start(ddn_state *s, int32_t n, ddn_roots roots, dodona_error *err)
{
    if (reserve(s, n, err))
        return DODONA_E_MEMORY;
    memset(s->node, 0, ((size_t)n + 1) * sizeof *s->node);
    for (int32_t i = 0; i <= n; i++)
        s->node[i].head = -1;
    s->n = n;
    s->roots = roots;
    s->stack[0] = 0;
    s->node[0].stacked = true;
    s->depth = 1;
    s->next = 1;
    s->left = s->headless = 0;
    return DODONA_OK;
}

int ddn_state_copy(ddn_state *to, const ddn_state *from, dodona_error *err)
{
    if (reserve(to, from->n, err))
        return DODONA_E_MEMORY;
    memcpy(to->stack, from->stack, (size_t)from->depth * sizeof *to->stack);
    memcpy(to->node, from->node, ((size_t)from->n + 1) * sizeof *to->node);
    to->n = from->n;
    to->depth = from->depth;
    to->next = from->next;
    to->left = from->left;
    to->headless = from->headless;
    to->roots = from->roots;
    return DODONA_OK;
}

void ddn_undo_begin(const ddn_state *s, ddn_undo *undo)
{
    if (!undo)
        return;
    undo->depth = s->depth;
    undo->next = s->next;
    undo->left = s->left;
    undo->removed = -1;
    undo->arcs = 0;
}

void ddn_state_push(ddn_state *s)
{
    int32_t word = s->next++;
    s->stack[s->depth++] = word;
    s->node[word].stacked = true;
    s->headless += s->node[word].head < 0;
}

void ddn_state_focus(ddn_state *s, int32_t left, int32_t next)
{
    s->left = left;
    s->next = next;
}

void ddn_state_remove(ddn_state *s, int k, ddn_undo *undo)
{
    int32_t at = s->depth - 1 - k, word = s->stack[at];
    if (undo) {
        assert(undo->removed < 0);
        undo->removed = word;
        undo->index = at;
    }
    for (int32_t i = at + 1; i < s->depth; i++)
        s->stack[i - 1] = s->stack[i];
    s->depth--;
    s->node[word].stacked = false;
    s->headless -= s->node[word].head < 0;
}

/* Takes child out of its head's list and computes the set of labels anew from the siblings that are
 * left. */
static void unlink_child(ddn_state *s, int32_t child)
{
    ddn_node *c = &s->node[child], *h = &s->node[c->head];
    int side = child > c->head;
    if (c->inward)
        s->node[c->inward].outward = c->outward;
    else
        h->near[side] = c->outward;
    if (c->outward)
        s->node[c->outward].inward = c->inward;
    else
        h->far[side] = c->inward;
    h->valency[side]--;
    h->set[side] = 0;
    for (int32_t d = h->far[side]; d; d = s->node[d].inward)
        h->set[side] |= UINT64_C(1) << (s->node[d].label % 64);
    c->head = -1;
    c->inward = c->outward = 0;
    s->headless += c->stacked;
}

static int32_t distance(int32_t a, int32_t b)
{
    return a < b ? b - a : a - b;
}

/* Inserts child among its new siblings, searching its place from the outside. */
static void link_child(ddn_state *s, int32_t head, int32_t child, uint16_t label)
{
    ddn_node *c = &s->node[child], *h = &s->node[head];
    int side = child > head;
    int32_t outer = 0, inner = h->far[side];
    while (inner && distance(inner, head) > distance(child, head)) {
        outer = inner;
        inner = s->node[inner].inward;
    }
    c->inward = inner;
    c->outward = outer;
    if (inner)
        s->node[inner].outward = child;
    else
        h->near[side] = child;
    if (outer)
        s->node[outer].inward = child;
    else
        h->far[side] = child;
    h->valency[side]++;
    h->set[side] |= UINT64_C(1) << (label % 64);
    c->head = head;
    c->label = label;
    s->headless -= c->stacked;
}

static void note_arc(const ddn_state *s, int32_t child, ddn_undo *undo)
{
    if (!undo)
        return;
    assert(undo->arcs < DDN_UNDO_ARCS);
    undo->arc[undo->arcs].child = child;
    undo->arc[undo->arcs].head = s->node[child].head;
    undo->arc[undo->arcs].label = s->node[child].label;
    undo->arcs++;
}

void ddn_state_attach(ddn_state *s, int32_t head, int32_t child, uint16_t label, ddn_undo *undo)
{
    assert(child > 0 && head != child);
    note_arc(s, child, undo);
    if (s->node[child].head >= 0)
        unlink_child(s, child);
    link_child(s, head, child, label);
}

void ddn_state_detach(ddn_state *s, int32_t child, ddn_undo *undo)
{
    note_arc(s, child, undo);
    if (s->node[child].head >= 0)
        unlink_child(s, child);
}

void ddn_state_revert(ddn_state *s, const ddn_undo *undo)
{
    if (undo->removed >= 0) {
        for (int32_t i = s->depth; i > undo->index; i--)
            s->stack[i] = s->stack[i - 1];
        s->stack[undo->index] = undo->removed;
        s->depth++;
        s->node[undo->removed].stacked = true;
        s->headless += s->node[undo->removed].head < 0;
    }
    while (s->depth > undo->depth) {
        int32_t word = s->stack[--s->depth];
        s->node[word].stacked = false;
        s->headless -= s->node[word].head < 0;
    }
    s->next = undo->next;
    s->left = undo->left;
    for (int i = undo->arcs - 1; i >= 0; i--) {
        if (s->node[undo->arc[i].child].head >= 0)
            unlink_child(s, undo->arc[i].child);
        if (undo->arc[i].head >= 0)
            link_child(s, undo->arc[i].head, undo->arc[i].child, undo->arc[i].label);
        else
            s->node[undo->arc[i].child].label = undo->arc[i].label;
    }
}
