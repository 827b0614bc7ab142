/* SPDX-License-Identifier: MIT */
/* arc_eager.c - sigma is the rest of the stack, b the first buffer word.
 *     SH   sigma    | b beta  =>  sigma b    | beta
 *     LA   sigma s0 | b beta  =>  sigma      | b beta   arc b -> s0, s0 headless, not the root
 *     RA   sigma s0 | b beta  =>  sigma s0 b | beta     arc s0 -> b
 *     RE   sigma s0 | beta    =>  sigma      | beta     s0 has a head
 * Right children are attached before they are complete, so RE says when they are.  The end is an
 * empty buffer; at most 2n moves.
 *
 * The plain system may end with headless words on the stack.  A parser must end in a tree, so then
 * the last word is never shifted, and it is attached to the left only when no word on the stack is
 * headless: headless words can still go under it by LA.  With one root, the root takes a child only
 * while it has none, and that child is not reduced, so that later words find it.
 *
 * arc-eager-nm is not monotonic: LA may replace the head of s0, and RE of a headless s0 makes it a
 * child of the element below it.  So nothing need stay headless, and the end has 0 alone on the
 * stack; exactly 2n moves.  Legality for trees is the same, with two additions: with one root, a
 * headless word above 0 is not reduced either, and when the buffer is empty everything is reduced.
 * Nivre 2003; Honnibal, Goldberg and Johnson 2013; the root stands at the left. */
#include "system/kinds.h"
#include "system/system.h"

enum { LA = DDN_EAGER_LEFT, RA = DDN_EAGER_RIGHT, RE = DDN_EAGER_REDUCE, SH = DDN_EAGER_SHIFT };

/* Of the moves of the plain system, those from which a parser still comes to a tree. */
static uint32_t narrow(const ddn_state *s, uint32_t mask)
{
    if (s->next > s->n || s->roots == DDN_ROOTS_PLAIN)
        return mask;
    int32_t s0 = ddn_state_top(s, 0);
    if (s->next == s->n) {
        mask &= ~(1u << SH);
        if (s->headless > 0)
            mask &= ~(1u << RA);
    }
    if (s->roots == DDN_ROOTS_ONE) {
        if (s0 == 0 && s->node[0].far[DDN_RIGHT])
            mask &= ~(1u << RA);
        if (s0 > 0 && (s->node[s0].head == 0 || (s->node[s0].head < 0 && s->depth == 2)))
            mask &= ~(1u << RE);
    }
    return mask;
}

static uint32_t legal(const ddn_state *s)
{
    int32_t s0 = ddn_state_top(s, 0);
    if (s->next > s->n)
        return 0;
    uint32_t mask = 1u << SH | 1u << RA;
    if (s0 > 0)
        mask |= s->node[s0].head < 0 ? 1u << LA : 1u << RE;
    return narrow(s, mask);
}

static uint32_t legal_nm(const ddn_state *s)
{
    uint32_t mask = 0;
    if (s->next <= s->n)
        mask |= 1u << SH | 1u << RA;
    if (s->depth > 1)
        mask |= s->next <= s->n ? 1u << LA | 1u << RE : 1u << RE;
    return narrow(s, mask);
}

static ddn_arc arc(const ddn_state *s, int kind, int32_t pos)
{
    (void)pos;
    int32_t s0 = ddn_state_top(s, 0);
    if (kind == RE)
        return (ddn_arc){ s->node[s0].head < 0 ? ddn_state_top(s, 1) : -1, s0 };
    return kind == LA ? (ddn_arc){ s->next, s0 } : (ddn_arc){ s0, s->next };
}

static void apply(ddn_state *s, ddn_move m, ddn_undo *undo)
{
    ddn_undo_begin(s, undo);
    if (m.kind != SH) {
        ddn_arc a = arc(s, m.kind, 0);
        if (a.head >= 0)
            ddn_state_attach(s, a.head, a.child, m.label, undo);
    }
    if (m.kind == LA || m.kind == RE)
        ddn_state_remove(s, 0, undo);
    else
        ddn_state_push(s);
}

static bool final(const ddn_state *s)
{
    return s->next > s->n;
}

/* The same as legal, from what dynamic programming keeps of a configuration; the head of s0, if it
 * has one, is s1. */
static uint32_t allowed(const ddn_facts *f)
{
    bool last = f->next == f->n, one = f->roots == DDN_ROOTS_ONE;
    uint32_t mask = 0;
    if (f->next > f->n)
        return 0;
    if (!last)
        mask |= 1u << SH;
    if (!(last && f->headless) && !(one && f->depth == 1 && f->root_taken))
        mask |= 1u << RA;
    if (f->depth > 1 && !f->headed)
        mask |= 1u << LA;
    if (f->headed && !(one && f->depth == 2))
        mask |= 1u << RE;
    return mask;
}

/* RE is made as late as possible: just before the arc that needs it, and at the end for the words
 * that are left on the stack. */
static const ddn_joining joining = {
    .effect = { [LA] = { .head = DDN_JOINT_Q0, .child = DDN_JOINT_S0 },
                [RA] = { .pushes = true, .arc = true, .head = DDN_JOINT_S0, .child = DDN_JOINT_Q0 },
                [RE] = { .head = DDN_JOINT_S1, .child = DDN_JOINT_S0 },
                [SH] = { .pushes = true, .child = DDN_JOINT_Q0 } },
    .not_after = { [RE] = 1u << SH },
    .late = 1u << RE,
    .closing = RE,
    .headless = true,
    .root_taken = true,
    .legal = allowed,
};

const ddn_system ddn_system_arc_eager = {
    .name = "arc-eager",
    .cite = "Nivre 2003",
    .decoder = "arc-eager",
    .family = DDN_FAMILY_EAGER,
    .projective = true,
    .kinds = 4,
    .kind = { [LA] = { .name = "left-arc", .makes_arc = true },
              [RA] = { .name = "right-arc", .makes_arc = true },
              [RE] = { .name = "reduce" },
              [SH] = { .name = "shift" } },
    .shift = SH,
    .legal = legal,
    .arc = arc,
    .apply = apply,
    .final = final,
    .max_moves = ddn_max_two_a_word,
    .joining = &joining,
};

const ddn_system ddn_system_arc_eager_nm = {
    .name = "arc-eager-nm",
    .cite = "Honnibal, Goldberg and Johnson 2013",
    .templates = "arc-eager",
    .family = DDN_FAMILY_EAGER,
    .nonmonotonic = true,
    .projective = true,
    .kinds = 4,
    .kind = { [LA] = { .name = "left-arc", .makes_arc = true },
              [RA] = { .name = "right-arc", .makes_arc = true },
              [RE] = { .name = "reduce", .makes_arc = true },
              [SH] = { .name = "shift" } },
    .shift = SH,
    .legal = legal_nm,
    .arc = arc,
    .apply = apply,
    .final = ddn_final_root_alone,
    .max_moves = ddn_max_two_a_word,
};
