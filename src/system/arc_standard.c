/* SPDX-License-Identifier: MIT */
/* arc_standard.c - sigma is the rest of the stack, b the first buffer word.
 *     SH   sigma       | b beta  =>  sigma b  | beta
 *     LA   sigma s1 s0 | beta    =>  sigma s0 | beta    arc s0 -> s1, s1 not the root
 *     RA   sigma s1 s0 | beta    =>  sigma s1 | beta    arc s1 -> s0
 * A word gets its head once all its children have been found, so trees are built bottom-up.  2n
 * moves.  A tree may have several derivations, since a word's left and right children may be taken
 * in any order; the static oracle takes left ones first.
 * One root: RA from the root only as the last move.  Until then the word above the root waits, and
 * SH is legal as long as words are left.
 * Nivre 2004; Nederhof 2019 calls LA reduce_right and RA reduce_left. */
#include "system/kinds.h"
#include "system/system.h"

enum { LA = DDN_STANDARD_LEFT, RA = DDN_STANDARD_RIGHT, SH = DDN_STANDARD_SHIFT };

static uint32_t allowed(const ddn_facts *f)
{
    uint32_t mask = 0;
    if (f->next <= f->n)
        mask |= 1u << SH;
    if (f->depth >= DDN_MANY)
        mask |= 1u << LA | 1u << RA;
    else if (f->depth == 2 && (f->roots != DDN_ROOTS_ONE || f->next > f->n))
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
    int32_t s0 = ddn_state_top(s, 0), s1 = ddn_state_top(s, 1);
    return kind == LA ? (ddn_arc){ s0, s1 } : (ddn_arc){ s1, s0 };
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
    ddn_state_remove(s, m.kind == LA ? 1 : 0, undo);
}

/* Left children before right ones: just after RA the top has a right child, so LA does not
 * follow. */
static const ddn_joining joining = {
    .effect = { [LA] = { .head = DDN_JOINT_S0, .child = DDN_JOINT_S1 },
                [RA] = { .head = DDN_JOINT_S1, .child = DDN_JOINT_S0 },
                [SH] = { .pushes = true, .child = DDN_JOINT_Q0 } },
    .not_after = { [RA] = 1u << LA },
    .closing = -1,
    .legal = allowed,
};

const ddn_system ddn_system_arc_standard = {
    .name = "arc-standard",
    .cite = "Nivre 2004",
    .templates_predicted = "arc-standard-wide",
    .decoder = "arc-standard",
    .family = DDN_FAMILY_STANDARD,
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
