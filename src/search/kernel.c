/* SPDX-License-Identifier: MIT */
/* kernel.c - computes the kernel after a move, by the plans of kernel_close.c, and signatures of
 * kernels.
 *
 * A signature has the same numbers if and only if the kernels are the same.  It is by value: words
 * that the templates can't tell apart in a slot are one class there; classes are found once a
 * sentence. */
#include "search/kernel.h"

#include <string.h>

/* ---- Moving ---- */

void ddn_kernel_start(const ddn_kernel *k, const ddn_state *start, ddn_core *core, ddn_slot *slot)
{
    ddn_view view;
    memset(&view, 0, sizeof view);
    ddn_view_fill(&k->layout, start, -1, -1, &view);
    memcpy(slot, view.slot, (size_t)k->layout.slots * sizeof *slot);
    *core = (ddn_core){ .next = 1, .depth = 1, .pushed = DDN_NOT_PUSHED };
}

static ddn_core move_core(const ddn_kernel *k, int kind, const ddn_core *p, const ddn_core *q)
{
    const ddn_joining *j = k->system->joining;
    bool arc = j->effect[kind].arc;
    ddn_core c = { .barred = (uint16_t)j->not_after[kind] };
    if (j->effect[kind].pushes) {
        c.next = q->next + 1;
        c.start = q->next;
        c.depth = (uint8_t)(q->depth < DDN_MANY ? q->depth + 1 : DDN_MANY);
        c.pushed = (uint8_t)kind;
        c.headed = (uint16_t)(q->headed << 1 | arc);
        c.headless = q->headless || !arc;
        c.root_taken = q->root_taken || (arc && q->depth == 1);
        return c;
    }
    c.next = q->next;
    c.start = p->start;
    c.depth = p->depth;
    c.pushed = p->pushed;
    c.headed = p->headed;
    c.headless = p->headless;
    c.root_taken = p->root_taken || (j->effect[kind].head == DDN_JOINT_S1 && p->depth == 1);
    return c;
}

/* The slots of the buffer: after a push they are other words. */
static ddn_slot move_buffer(const ddn_kernel *k, int x, int32_t n, const ddn_core *core,
                            bool pushes, const ddn_slot *q)
{
    if (!pushes)
        return q[x];
    int32_t word = core->next + k->layout.address[x].index;
    return (ddn_slot){ .word = word <= n ? word : -1 };
}

static ddn_slot neighbour(const ddn_layout *l, int x, const ddn_slot *slot, int32_t n)
{
    int32_t word = slot[(int)l->address[x].from].word;
    if (word >= 0 && l->address[x].link == DDN_LINK_PREV)
        return (ddn_slot){ .word = word - 1 };
    return (ddn_slot){ .word = word >= 0 && word < n ? word + 1 : -1 };
}

static ddn_slot move_slot(const ddn_origin *o, uint16_t label, const ddn_slot *const view[2])
{
    if (o->how == DDN_ORIGIN_NOTHING)
        return (ddn_slot){ .word = -1 };
    bool other = o->how == DDN_ORIGIN_EITHER && view[o->view][o->test].word < 0;
    ddn_slot slot = other ? view[o->other_view][o->other] : view[o->view][o->slot];
    if (label && o->child && other == (o->how == DDN_ORIGIN_EITHER))
        slot.label = label;
    return slot;
}

static ddn_slot same_slot(const ddn_origin *o, const ddn_core *core, const ddn_slot *slot)
{
    bool there = o->how == DDN_ORIGIN_SAME ? slot[o->test].word >= 0 : core->headed >> o->test & 1;
    return there ? slot[o->slot] : (ddn_slot){ .word = -1 };
}

/* ddn_kernel_move where only words are read. */
static void move_words(const ddn_kernel *k, const struct ddn_plan *plan, int32_t n,
                       const ddn_slot *const view[2], const ddn_core *core, ddn_slot *slot)
{
    for (int i = 0; i < plan->own; i++) {
        int x = plan->order[i];
        const ddn_origin *o = &plan->origin[x];
        int32_t word = -1;
        if (o->how == DDN_ORIGIN_COPY) {
            word = view[o->view][o->slot].word;
        } else if (o->how == DDN_ORIGIN_BUFFER) {
            word = core->next + k->layout.address[x].index;
            word = word <= n ? word : -1;
        } else if (o->how == DDN_ORIGIN_NEIGHBOUR) {
            word = neighbour(&k->layout, x, slot, n).word;
        } else if (o->how == DDN_ORIGIN_EITHER) {
            word = view[o->view][o->slot].word;
            if (view[o->view][o->test].word < 0)
                word = view[o->other_view][o->other].word;
        }
        slot[x].word = word;
    }
}

void ddn_kernel_move(const ddn_kernel *k, ddn_move m, int32_t n, const ddn_core *p,
                     const ddn_slot *pslot, const ddn_core *q, const ddn_slot *qslot,
                     ddn_core *core, ddn_slot *slot)
{
    const struct ddn_plan *plan = &k->plan[m.kind];
    const ddn_slot *const view[2] = { pslot, qslot };
    bool pushes = k->system->joining->effect[m.kind].pushes;
    bool makes_arc = k->system->kind[m.kind].makes_arc;
    uint16_t label = makes_arc ? (uint16_t)(m.label + 1) : 0;
    *core = move_core(k, m.kind, p, q);
    if (k->words_only && plan->own == k->layout.slots) {
        move_words(k, plan, n, view, core, slot);
        return;
    }
    for (int i = 0; i < plan->own; i++) {
        int x = plan->order[i];
        const ddn_origin *o = &plan->origin[x];
        if (o->how == DDN_ORIGIN_BUFFER)
            slot[x] = move_buffer(k, x, n, core, pushes, qslot);
        else if (o->how == DDN_ORIGIN_NEIGHBOUR)
            slot[x] = neighbour(&k->layout, x, slot, n);
        else
            slot[x] = move_slot(o, label, view);
    }
    if (plan->head >= 0) {
        label = makes_arc ? label : qslot[k->s0].label;
        slot[plan->head].valency[plan->side]++;
        if (label)
            slot[plan->head].set[plan->side] |= UINT64_C(1) << ((label - 1) % 64);
    }
    for (int i = plan->own; i < k->layout.slots; i++)
        slot[plan->order[i]] = same_slot(&plan->origin[plan->order[i]], core, slot);
}

/* ---- Classes and signatures ---- */

/* Numbers of words, stride of them for each source. */
typedef struct numbers {
    const uint32_t *value;
    size_t stride;
} numbers;

static uint32_t number(const numbers *e, uint64_t sources, size_t a)
{
    return e->value[(size_t)__builtin_ctzll(sources) * e->stride + a];
}

static uint64_t hash(const numbers *e, uint64_t sources, size_t a)
{
    uint64_t h = 0;
    for (; sources; sources &= sources - 1)
        h = (h ^ number(e, sources, a)) * 0x9e3779b97f4a7c15u;
    return h >> 32;
}

static bool equal(const numbers *e, uint64_t sources, size_t a, size_t b)
{
    for (; sources; sources &= sources - 1)
        if (number(e, sources, a) != number(e, sources, b))
            return false;
    return true;
}

/* Each word's class is the first word of it, plus 1. */
static void find_classes(const numbers *e, uint64_t sources, uint32_t *table, size_t mask,
                         uint32_t *of)
{
    memset(table, 0, (mask + 1) * sizeof *table);
    for (size_t a = 0; a < e->stride; a++) {
        size_t i = hash(e, sources, a) & mask;
        while (table[i] && !equal(e, sources, a, table[i] - 1))
            i = (i + 1) & mask;
        if (!table[i])
            table[i] = (uint32_t)a + 1;
        of[a] = table[i];
    }
}

int ddn_classes_find(ddn_classes *c, ddn_arena *a, const ddn_kernel *k, const uint32_t *value,
                     int32_t n, dodona_error *err)
{
    size_t stride = (size_t)n + 2, room = 4;
    while (room < 2 * stride)
        room *= 2;
    uint32_t *table = ddn_arena_take(a, room, sizeof *table);
    c->of = ddn_arena_take(a, stride * (size_t)k->sets, sizeof *c->of);
    if (a->failed)
        return ddn_fail_memory(err);
    c->n = n;
    for (int i = 0; i < k->sets; i++)
        find_classes(&(numbers){ value, stride }, k->set[i], table, room - 1,
                     c->of + (size_t)i * stride);
    return DODONA_OK;
}

void ddn_kernel_sign(const ddn_kernel *k, const ddn_classes *c, const ddn_core *core,
                     const ddn_slot *slot, uint32_t *s)
{
    const ddn_joining *j = k->system->joining;
    size_t stride = (size_t)c->n + 2;
    *s++ = (uint32_t)core->next;
    *s++ = (uint32_t)core->start;
    *s++ = (uint32_t)(core->pushed | core->depth << 8 | (core->headless && j->headless) << 16 |
                      (core->root_taken && j->root_taken) << 17);
    *s++ = core->barred | (uint32_t)(core->headed & k->headed) << 16;
    for (int i = 0; i < k->parts; i++) {
        struct ddn_part part = k->part[i];
        const ddn_slot *t = &slot[part.slot];
        switch (part.what) {
        case DDN_PART_CLASS:
            *s++ = c->of[part.detail * stride + (size_t)(t->word + 1)];
            break;
        case DDN_PART_WORD:
            *s++ = (uint32_t)(t->word + 1);
            break;
        case DDN_PART_THERE:
            *s++ = t->word >= 0;
            break;
        case DDN_PART_LABEL:
            *s++ = t->label;
            break;
        case DDN_PART_VALENCY:
            *s++ = (uint32_t)(t->valency[part.detail] < DDN_MOST_CHILDREN ? t->valency[part.detail]
                                                                          : DDN_MOST_CHILDREN);
            break;
        default:
            *s++ = (uint32_t)t->set[part.detail];
            *s++ = (uint32_t)(t->set[part.detail] >> 32);
            break;
        }
    }
}
