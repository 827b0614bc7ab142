/* SPDX-License-Identifier: MIT */
/* attardi.c - Attardi's system and its family.  sigma is the rest of the stack, b0 the first word
 * of the buffer.
 *
 *     SH    sigma | b0 beta  =>  sigma b0 | beta
 *     m<h   takes m off the stack                   arc h -> m, m not the root
 *
 * m and h are two of s0, s1, s2, ..., or h is b0.  A system is the list of its reduce transitions
 * (attardi_rules.h); the instances below are a line each, and any set of rules may have one.
 *
 * Between neighbours on the stack these are the moves of arc-standard, and s0<b0 is that of
 * arc-hybrid.  The others connect elements that are not adjacent, and so make crossing arcs.  2n
 * moves.
 *
 * One root: an arc from the root only as the last move.  Before that, SH is legal while words are
 * left; then, with three or more elements on the stack, s1<s0 is.
 * Many roots, or the plain system: the only condition is that the root is never a modifier.
 *
 * Which trees it reaches: attardi_reach.h.
 * Attardi 2006; Cohen, Gomez-Rodriguez and Satta 2011; Shi, Gomez-Rodriguez and Lee 2018. */
#include "system/attardi_rules.h"
#include "system/system.h"

static int32_t node_at(const ddn_state *s, uint8_t place)
{
    if (place == DDN_AT_B0)
        return s->next <= s->n ? s->next : -1;
    return ddn_state_top(s, ddn_place_depth(place));
}

static uint32_t legal(const ddn_state *s, const uint8_t *rule, int rules)
{
    bool last = s->next > s->n && s->depth == 2;
    uint32_t mask = s->next <= s->n ? 1u << rules : 0;
    for (int k = 0; k < rules; k++) {
        const ddn_attardi_rule *r = &ddn_attardi_rules[rule[k]];
        int32_t head = node_at(s, r->head);
        bool may_head = head > 0 || (head == 0 && (s->roots != DDN_ROOTS_ONE || last));
        if (may_head && node_at(s, r->modifier) > 0)
            mask |= 1u << k;
    }
    return mask;
}

static ddn_arc arc(const ddn_state *s, uint8_t rule)
{
    const ddn_attardi_rule *r = &ddn_attardi_rules[rule];
    return (ddn_arc){ node_at(s, r->head), node_at(s, r->modifier) };
}

static void apply(ddn_state *s, ddn_move m, const uint8_t *rule, int rules, ddn_undo *undo)
{
    ddn_undo_begin(s, undo);
    if (m.kind == rules) {
        ddn_state_push(s);
        return;
    }
    ddn_arc a = arc(s, rule[m.kind]);
    ddn_state_attach(s, a.head, a.child, m.label, undo);
    ddn_state_remove(s, ddn_place_depth(ddn_attardi_rules[rule[m.kind]].modifier), undo);
}

/* ---- Instances ---- */

#define TO_RULE(modifier, head, text) DDN_##modifier##_BELOW_##head,
#define TO_KIND(modifier, head, text) { .name = text, .makes_arc = true },

#define FAMILY(id, text, chart, from, LIST)                                                        \
    static const uint8_t rules_##id[] = { LIST(TO_RULE) };                                         \
    static uint32_t legal_##id(const ddn_state *s)                                                 \
    {                                                                                              \
        return legal(s, rules_##id, sizeof rules_##id);                                            \
    }                                                                                              \
    static ddn_arc arc_##id(const ddn_state *s, int kind, int32_t pos)                             \
    {                                                                                              \
        (void)pos;                                                                                 \
        return arc(s, rules_##id[kind]);                                                           \
    }                                                                                              \
    static void apply_##id(ddn_state *s, ddn_move m, ddn_undo *undo)                               \
    {                                                                                              \
        apply(s, m, rules_##id, sizeof rules_##id, undo);                                          \
    }                                                                                              \
    const ddn_system ddn_system_##id = { .name = text,                                             \
                                         .cite = from,                                             \
                                         .templates = "attardi",                                   \
                                         .templates_exact = "exact",                               \
                                         .decoder = chart,                                         \
                                         .family = DDN_FAMILY_ATTARDI,                             \
                                         .rules = 0u LIST(DDN_RULE_OR),                            \
                                         .kinds = sizeof rules_##id + 1,                           \
                                         .kind = { LIST(TO_KIND){ .name = "shift" } },             \
                                         .shift = sizeof rules_##id,                               \
                                         .legal = legal_##id,                                      \
                                         .arc = arc_##id,                                          \
                                         .apply = apply_##id,                                      \
                                         .final = ddn_final_root_alone,                            \
                                         .max_moves = ddn_max_two_a_word };

#define ATTARDI    "Attardi 2006"
#define SHI        "Shi, Gomez-Rodriguez and Lee 2018"
#define DEGREE3(X) DDN_SET_ATTARDI2(X) DDN_SET_ABOVE3(X)
#define DEGREE4(X) DDN_SET_ATTARDI2(X) DDN_SET_ABOVE4(X)
#define DEGREE5(X) DDN_SET_ATTARDI2(X) DDN_SET_ABOVE5(X)
#define DEGREE6(X) DDN_SET_ATTARDI2(X) DDN_SET_ABOVE6(X)
#define DEGREE7(X) DDN_SET_ATTARDI2(X) DDN_SET_ABOVE7(X)

/* Degree D has 2D + 1 transition types, and DDN_MAX_KINDS has room for degree 7.  There are
 * decoders up to degree 2. */
FAMILY(attardi, "attardi", "attardi", ATTARDI, DDN_SET_ATTARDI2)
FAMILY(attardi1, "attardi:1", "attardi:1", ATTARDI, DDN_SET_ATTARDI1)
FAMILY(attardi2, "attardi:2", "attardi:2", ATTARDI, DDN_SET_ATTARDI2)
FAMILY(attardi3, "attardi:3", NULL, ATTARDI, DEGREE3)
FAMILY(attardi4, "attardi:4", NULL, ATTARDI, DEGREE4)
FAMILY(attardi5, "attardi:5", NULL, ATTARDI, DEGREE5)
FAMILY(attardi6, "attardi:6", NULL, ATTARDI, DEGREE6)
FAMILY(attardi7, "attardi:7", NULL, ATTARDI, DEGREE7)
FAMILY(alldeg1, "alldeg1", "alldeg1", SHI, DDN_SET_ALLDEG1)
FAMILY(all, "all", "all", SHI, DDN_SET_ALL)
FAMILY(alls0s1, "alls0s1", "alls0s1", SHI, DDN_SET_ALLS0S1)
FAMILY(near, "s1<s0+s0<s1+s1<b0", "s1<s0+s0<s1+s1<b0", SHI, DDN_SET_NEAR)
