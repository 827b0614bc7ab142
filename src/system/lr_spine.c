/* SPDX-License-Identifier: MIT */
/* lr_spine.c - as arc-standard, but arcs may start from any node on the inner spines.
 *
 * An element of the stack is a tree.  Its left spine leads from its root to the outermost left
 * child, from there to the outermost left child again, and so on; its right spine likewise to the
 * right.  t1 t0 are the two topmost trees, with the roots s1 s0:
 *     SH      sigma       | b beta  =>  sigma b        | beta
 *     LA:k    sigma t1 t0 | beta    =>  sigma (t0+t1)  | beta   arc p -> s1, p the k-th node of the
 *                                                             left spine of t0; s1 not the root
 *     RA:k    sigma t1 t0 | beta    =>  sigma (t1+t0)  | beta   arc p -> s0, p the k-th node of the
 *                                                             right spine of t1
 * The position of a move is the node p itself.  With k = 1 only, this is arc-standard; beyond that
 * a word may be attached before its own children on the outer side are known, so trees need not be
 * built bottom-up.  2n moves.  Nodes off the spines take no more children.
 *
 * One root: RA from 0 itself only while 0 has no child.  Later words go deeper on its right spine,
 * which has a second node by then, so there is no dead end.
 * Sartorio, Satta and Nivre 2013; Goldberg, Sartorio and Satta 2014, section 6.1. */
#include "system/kinds.h"
#include "system/system.h"

enum { LA = DDN_SPINE_LEFT, RA = DDN_SPINE_RIGHT, SH = DDN_SPINE_SHIFT };

static uint32_t legal(const ddn_state *s)
{
    uint32_t mask = 0;
    if (s->next <= s->n)
        mask |= 1u << SH;
    if (s->depth >= 2)
        mask |= 1u << RA;
    if (s->depth >= 3)
        mask |= 1u << LA;
    return mask;
}

static int32_t positions(const ddn_state *s, int kind, int32_t *pos)
{
    int32_t count = 0;
    if (kind == SH) {
        pos[count++] = -1;
        return count;
    }
    int side = kind == LA ? DDN_LEFT : DDN_RIGHT;
    int32_t p = ddn_state_top(s, kind == LA ? 0 : 1);
    if (p == 0 && s->roots == DDN_ROOTS_ONE && s->node[0].far[side])
        p = s->node[0].far[side];
    do
        pos[count++] = p;
    while ((p = s->node[p].far[side]));
    return count;
}

static ddn_arc arc(const ddn_state *s, int kind, int32_t pos)
{
    return (ddn_arc){ pos, ddn_state_top(s, kind == LA ? 1 : 0) };
}

static void apply(ddn_state *s, ddn_move m, ddn_undo *undo)
{
    ddn_undo_begin(s, undo);
    if (m.kind == SH) {
        ddn_state_push(s);
        return;
    }
    ddn_arc a = arc(s, m.kind, m.pos);
    ddn_state_attach(s, a.head, a.child, m.label, undo);
    ddn_state_remove(s, m.kind == LA ? 1 : 0, undo);
}

const ddn_system ddn_system_lr_spine = {
    .name = "lr-spine",
    .cite = "Sartorio, Satta and Nivre 2013",
    .decoder = "lr-spine",
    .family = DDN_FAMILY_SPINE,
    .projective = true,
    .kinds = 3,
    .kind = { [LA] = { .name = "left-arc", .makes_arc = true },
              [RA] = { .name = "right-arc", .makes_arc = true },
              [SH] = { .name = "shift" } },
    .shift = SH,
    .legal = legal,
    .positions = positions,
    .arc = arc,
    .apply = apply,
    .final = ddn_final_root_alone,
    .max_moves = ddn_max_two_a_word,
};
