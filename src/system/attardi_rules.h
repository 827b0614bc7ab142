/* SPDX-License-Identifier: MIT */
/* attardi_rules.h - the reduce transitions of the Attardi family, and the sets of them that have
 * names.
 *
 * s0, s1, s2, ... are the top of the stack and what is below it, b0 the first word of the buffer. A
 * transition makes the arc from head to modifier and takes the modifier off the stack.  Its name is
 * modifier<head.  s2 needs three elements on the stack, b0 a buffer that is not empty, and 0 is
 * never a modifier.  A set is a mask: bit r for rule r.
 *
 * The first nine are those for which there is a chart (Shi, Gomez-Rodriguez and Lee 2018, section
 * 3.2); the others are Attardi's of degrees 3 to 7.  Each set is defined once, as a list:
 * transition systems take their moves from it, charts its mask. */
#ifndef DDN_SYSTEM_ATTARDI_RULES_H
#define DDN_SYSTEM_ATTARDI_RULES_H

#include "core/error.h"
#include <stdint.h>

typedef enum ddn_attardi_place {
    DDN_AT_S0,
    DDN_AT_S1,
    DDN_AT_S2,
    DDN_AT_B0,
    DDN_AT_S3,
    DDN_AT_S4,
    DDN_AT_S5,
    DDN_AT_S6,
    DDN_AT_S7
} ddn_attardi_place;

/* How far below the top a place on the stack is. */
static inline int ddn_place_depth(ddn_attardi_place place)
{
    return place < DDN_AT_B0 ? (int)place : (int)place - 1;
}

enum {
    DDN_S1_BELOW_S0,
    DDN_S0_BELOW_S1,
    DDN_S2_BELOW_S0,
    DDN_S0_BELOW_S2,
    DDN_S2_BELOW_S1,
    DDN_S1_BELOW_S2,
    DDN_S0_BELOW_B0,
    DDN_S1_BELOW_B0,
    DDN_S2_BELOW_B0,
    DDN_ATTARDI_RULES,
    DDN_S3_BELOW_S0 = DDN_ATTARDI_RULES,
    DDN_S0_BELOW_S3,
    DDN_S4_BELOW_S0,
    DDN_S0_BELOW_S4,
    DDN_S5_BELOW_S0,
    DDN_S0_BELOW_S5,
    DDN_S6_BELOW_S0,
    DDN_S0_BELOW_S6,
    DDN_S7_BELOW_S0,
    DDN_S0_BELOW_S7,
    DDN_ATTARDI_ALL_RULES
};

typedef struct ddn_attardi_rule {
    const char *name;
    uint8_t head, modifier; /* a ddn_attardi_place */
} ddn_attardi_rule;

extern const ddn_attardi_rule ddn_attardi_rules[DDN_ATTARDI_ALL_RULES];

#define DDN_RULE_BIT(rule) (1u << (rule))

/* The sets: X(modifier, head, name) for each rule.  Degree 1 is what arc-standard does. */
#define DDN_SET_ATTARDI1(X) X(S1, S0, "s1<s0") X(S0, S1, "s0<s1")
#define DDN_SET_ATTARDI2(X) DDN_SET_ATTARDI1(X) X(S2, S0, "s2<s0") X(S0, S2, "s0<s2")
/* What degrees 3..D add to degree 2. */
#define DDN_SET_ABOVE3(X) X(S3, S0, "s3<s0") X(S0, S3, "s0<s3")
#define DDN_SET_ABOVE4(X) DDN_SET_ABOVE3(X) X(S4, S0, "s4<s0") X(S0, S4, "s0<s4")
#define DDN_SET_ABOVE5(X) DDN_SET_ABOVE4(X) X(S5, S0, "s5<s0") X(S0, S5, "s0<s5")
#define DDN_SET_ABOVE6(X) DDN_SET_ABOVE5(X) X(S6, S0, "s6<s0") X(S0, S6, "s0<s6")
#define DDN_SET_ABOVE7(X) DDN_SET_ABOVE6(X) X(S7, S0, "s7<s0") X(S0, S7, "s0<s7")
#define DDN_SET_ALLDEG1(X)                                                                         \
    DDN_SET_ATTARDI2(X) X(S2, S1, "s2<s1") X(S1, S2, "s1<s2") X(S0, B0, "s0<b0")
#define DDN_SET_ALL(X) DDN_SET_ALLDEG1(X) X(S1, B0, "s1<b0") X(S2, B0, "s2<b0")
#define DDN_SET_ALLS0S1(X)                                                                         \
    DDN_SET_ATTARDI1(X)                                                                            \
    X(S0, S2, "s0<s2") X(S1, S2, "s1<s2") X(S0, B0, "s0<b0") X(S1, B0, "s1<b0")
#define DDN_SET_NEAR(X) DDN_SET_ATTARDI1(X) X(S1, B0, "s1<b0")

/* Their masks. */
#define DDN_RULE_OR(modifier, head, name) | DDN_RULE_BIT(DDN_##modifier##_BELOW_##head)
#define DDN_RULES_ATTARDI1                (0u DDN_SET_ATTARDI1(DDN_RULE_OR))
#define DDN_RULES_ATTARDI2                (0u DDN_SET_ATTARDI2(DDN_RULE_OR))
#define DDN_RULES_ALLDEG1                 (0u DDN_SET_ALLDEG1(DDN_RULE_OR))
#define DDN_RULES_ALL                     (0u DDN_SET_ALL(DDN_RULE_OR))
#define DDN_RULES_ALLS0S1                 (0u DDN_SET_ALLS0S1(DDN_RULE_OR))

/* The rules that take s2 off the stack, and all rules of s2. */
#define DDN_RULES_REDUCE_S2                                                                        \
    (DDN_RULE_BIT(DDN_S2_BELOW_S0) | DDN_RULE_BIT(DDN_S2_BELOW_S1) | DDN_RULE_BIT(DDN_S2_BELOW_B0))
#define DDN_RULES_WITH_S2                                                                          \
    (DDN_RULES_REDUCE_S2 | DDN_RULE_BIT(DDN_S0_BELOW_S2) | DDN_RULE_BIT(DDN_S1_BELOW_S2))

/* The rule of that name; -1: none. */
int ddn_attardi_rule_find(const char *name, size_t size);

/* The mask of a list of the first nine rules with + or commas between them, as "s1<s0+s0<s1+s1<b0";
 * DODONA_E_ARGUMENT: the message names what is not a rule. */
int ddn_attardi_rules_read(const char *list, uint32_t *mask, dodona_error *err);

#endif
