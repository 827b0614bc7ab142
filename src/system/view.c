/* SPDX-License-Identifier: MIT */
#include "system/view.h"

#include <stdio.h>

#include <string.h>

int ddn_layout_add(ddn_layout *l, ddn_address a)
{
    for (int i = 0; i < l->slots; i++) {
        ddn_address *b = &l->address[i];
        if (a.link == b->link && a.index == b->index && a.from == b->from) {
            b->wants |= a.wants;
            return i;
        }
    }
    if (l->slots == DDN_MAX_SLOTS)
        return -1;
    bool starts = a.link == DDN_LINK_POS || a.link == DDN_LINK_CHILD || a.link == DDN_LINK_ARC_HEAD;
    bool placed = a.from < 0 ? starts : ddn_layout_placed(l, a.from);
    l->placed |= (uint64_t)placed << l->slots;
    l->address[l->slots] = a;
    return l->slots++;
}

/* The first word, from either end, strictly between the focus words whose head does not lie from
 * the left one to the right one. */
static int32_t outer(const ddn_state *s, int32_t from, int32_t step)
{
    int32_t i = s->left, j = s->next;
    if (i < 1)
        return -1;
    for (int32_t w = from; w > i && w < j; w += step)
        if (s->node[w].head < i || s->node[w].head > j)
            return w;
    return -1;
}

/* The word at an address that belongs to a candidate move; -1: none. */
typedef struct move_ends {
    int32_t pos, head, child;
} move_ends;

static int32_t start(const ddn_state *s, ddn_address a, move_ends m)
{
    switch (a.link) {
    case DDN_LINK_STACK:
        return ddn_state_top(s, a.index);
    case DDN_LINK_BUFFER:
        return s->next + a.index <= s->n ? s->next + a.index : -1;
    case DDN_LINK_FOCUS:
        return s->left > a.index ? s->left - a.index : -1;
    case DDN_LINK_OUTER_FIRST:
        return outer(s, s->left + 1, 1);
    case DDN_LINK_OUTER_LAST:
        return outer(s, s->next - 1, -1);
    case DDN_LINK_POS:
        return m.pos;
    case DDN_LINK_ARC_HEAD:
        return m.head;
    default:
        return m.child;
    }
}

static int32_t child(int32_t d)
{
    return d ? d : -1;
}

static int32_t second(const ddn_state *s, int32_t d)
{
    return d ? child(s->node[d].inward) : -1;
}

static int32_t step(const ddn_state *s, int link, int32_t word)
{
    const ddn_node *w = &s->node[word];
    switch (link) {
    case DDN_LINK_HEAD:
        return w->head;
    case DDN_LINK_FAR_LEFT:
        return child(w->far[DDN_LEFT]);
    case DDN_LINK_FAR_RIGHT:
        return child(w->far[DDN_RIGHT]);
    case DDN_LINK_FAR_LEFT2:
        return second(s, w->far[DDN_LEFT]);
    case DDN_LINK_FAR_RIGHT2:
        return second(s, w->far[DDN_RIGHT]);
    case DDN_LINK_NEAR_LEFT:
        return child(w->near[DDN_LEFT]);
    case DDN_LINK_NEAR_RIGHT:
        return child(w->near[DDN_RIGHT]);
    case DDN_LINK_PREV:
        return word - 1;
    default:
        return word < s->n ? word + 1 : -1;
    }
}

/* Fills slot i; those before it are filled already. */
static inline void fill_slot(const ddn_layout *l, const ddn_state *s, int i, move_ends m,
                             ddn_view *v)
{
    ddn_address a = l->address[i];
    ddn_slot *t = &v->slot[i];
    if (a.from < 0) {
        t->word = start(s, a, m);
    } else {
        int32_t from = v->slot[a.from].word;
        t->word = from < 0 ? -1 : step(s, a.link, from);
    }
    if (!a.wants)
        return;
    if (t->word < 0) {
        *t = (ddn_slot){ .word = -1 };
        return;
    }
    const ddn_node *w = &s->node[t->word];
    if (a.wants & DDN_WANTS_LABEL)
        t->label = w->head < 0 ? 0 : (uint16_t)(w->label + 1);
    if (a.wants & DDN_WANTS_VALENCY)
        memcpy(t->valency, w->valency, sizeof t->valency);
    if (a.wants & DDN_WANTS_SET)
        memcpy(t->set, w->set, sizeof t->set);
}

static void fill_rest(const ddn_state *s, int32_t back, ddn_view *v)
{
    v->n = s->n;
    v->depth = s->depth;
    v->next = s->next;
    v->left = s->left;
    v->back = back;
}

void ddn_view_fill(const ddn_layout *l, const ddn_state *s, int32_t pos, int32_t child, ddn_view *v)
{
    fill_rest(s, 0, v);
    for (int i = 0; i < l->slots; i++)
        fill_slot(l, s, i, (move_ends){ pos, -1, child }, v);
}

void ddn_view_fill_placed(const ddn_layout *l, const ddn_state *s, int32_t pos, int32_t head,
                          int32_t child, ddn_view *v, int32_t back)
{
    fill_rest(s, back, &v[back]);
    for (uint64_t left = l->placed; left; left &= left - 1)
        fill_slot(l, s, __builtin_ctzll(left), (move_ends){ pos, head, child }, &v[back]);
}

size_t ddn_layout_describe(const ddn_layout *l, int slot, char *buf, size_t size)
{
    static const char *const links[] = {
        [DDN_LINK_HEAD] = "h",        [DDN_LINK_FAR_LEFT] = "lc",    [DDN_LINK_FAR_RIGHT] = "rc",
        [DDN_LINK_FAR_LEFT2] = "lc2", [DDN_LINK_FAR_RIGHT2] = "rc2", [DDN_LINK_NEAR_LEFT] = "ln",
        [DDN_LINK_NEAR_RIGHT] = "rn", [DDN_LINK_PREV] = "prev",      [DDN_LINK_NEXT] = "next"
    };
    ddn_address a = l->address[slot];
    if (a.from >= 0) {
        size_t at = ddn_layout_describe(l, a.from, buf, size);
        return at + (size_t)snprintf(buf + at, size - at, ".%s", links[a.link]);
    }
    if (a.link == DDN_LINK_STACK || a.link == DDN_LINK_BUFFER || a.link == DDN_LINK_FOCUS)
        return (size_t)snprintf(buf, size, "%c%d",
                                a.link == DDN_LINK_STACK    ? 's'
                                : a.link == DDN_LINK_BUFFER ? 'q'
                                                            : 'l',
                                a.index);
    static const char *const starts[] = { [DDN_LINK_OUTER_FIRST] = "cl",
                                          [DDN_LINK_OUTER_LAST] = "cr",
                                          [DDN_LINK_POS] = "p",
                                          [DDN_LINK_CHILD] = "c",
                                          [DDN_LINK_ARC_HEAD] = "h" };
    return (size_t)snprintf(buf, size, "%s", starts[a.link]);
}
