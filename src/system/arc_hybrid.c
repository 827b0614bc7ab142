/* SPDX-License-Identifier: MIT */
/* arc_hybrid.c - sigma is the rest of the stack, b the first buffer word.
 *     SH   sigma       | b beta  =>  sigma b  | beta
 *     LA   sigma s0    | b beta  =>  sigma    | b beta   arc b  -> s0, s0 not the root
 *     RA   sigma s1 s0 | beta    =>  sigma s1 | beta     arc s1 -> s0
 * Left children as in arc-eager, right ones as in arc-standard: a word leaves the stack when it
 * gets its head.  2n moves.  A tree may have several derivations.
 * One root: RA from the root only as the last move.  Before that a word above the root can still
 * go under the next word by LA, and after the last word was shifted only RA is left.
 * Kuhlmann, Gomez-Rodriguez and Satta 2011. */
#include "system/kinds.h"
#include "system/system.h"

enum { LA = DDN_HYBRID_LEFT, RA = DDN_HYBRID_RIGHT, SH = DDN_HYBRID_SHIFT };

static uint32_t allowed(const ddn_facts *f)
{
    uint32_t mask = 0;
    if (f->next <= f->n)
        mask |= f->depth >= 2 ? 1u << SH | 1u << LA : 1u << SH;
    if (f->depth >= DDN_MANY || (f->depth == 2 && (f->roots != DDN_ROOTS_ONE || f->next > f->n)))
        mask |= 1u << RA;
    return mask;
}

static uint32_t legal(const ddn_state *s)
{
    ddn_facts f = ddn_system_facts(s);
    return allowed(&f);
}

static ddn_arc arc(const ddn_state *s, int kind, int32_t pos)
{
    (void)pos;
    int32_t head = kind == LA ? s->next : ddn_state_top(s, 1);
    return (ddn_arc){ head, ddn_state_top(s, 0) };
}

static void apply(ddn_state *s, ddn_move m, ddn_undo *undo)
{
    ddn_undo_begin(s, undo);
    if (m.kind == SH) {
        ddn_state_push(s);
        return;
    }
    ddn_arc a = arc(s, m.kind, 0);
    ddn_state_attach(s, a.head, a.child, m.label, undo);
    ddn_state_remove(s, 0, undo);
}

/* RA is made as soon as possible, so it never follows LA: the word that LA removes was shifted onto
 * the one that RA removes, and RA could have come before that shift. */
static const ddn_joining joining = {
    .effect = { [LA] = { .head = DDN_JOINT_Q0, .child = DDN_JOINT_S0 },
                [RA] = { .head = DDN_JOINT_S1, .child = DDN_JOINT_S0 },
                [SH] = { .pushes = true, .child = DDN_JOINT_Q0 } },
    .not_after = { [LA] = 1u << RA },
    .closing = -1,
    .legal = allowed,
};

const ddn_system ddn_system_arc_hybrid = {
    .name = "arc-hybrid",
    .cite = "Kuhlmann, Gomez-Rodriguez and Satta 2011",
    .decoder = "arc-hybrid",
    .family = DDN_FAMILY_HYBRID,
    .projective = true,
    .kinds = 3,
    .kind = { [LA] = { .name = "left-arc", .makes_arc = true },
              [RA] = { .name = "right-arc", .makes_arc = true },
              [SH] = { .name = "shift" } },
    .shift = SH,
    .legal = legal,
    .arc = arc,
    .apply = apply,
    .final = ddn_final_root_alone,
    .max_moves = ddn_max_two_a_word,
    .joining = &joining,
};
