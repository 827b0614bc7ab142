/* SPDX-License-Identifier: MIT */
/* attardi_rules.h - the nine reduce transitions of the Attardi family (Shi, Gomez-Rodriguez and Lee
 * 2018, section 3.2), and the sets of them that have names.
 *
 * s0, s1, s2 are the top of the stack and what is below it, b0 the first word of the buffer.  A
 * transition makes the arc from head to modifier and takes the modifier off the stack.  Its name is
 * modifier<head.  s2 needs three elements on the stack, b0 a buffer that is not empty, and 0 is
 * never a modifier.  A set is a mask: bit r for rule r. */
#ifndef DDN_SYSTEM_ATTARDI_RULES_H
#define DDN_SYSTEM_ATTARDI_RULES_H

#include "core/error.h"
#include <stdint.h>

typedef enum ddn_place { DDN_AT_S0, DDN_AT_S1, DDN_AT_S2, DDN_AT_B0 } ddn_place;

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
    DDN_ATTARDI_RULES
};

typedef struct ddn_attardi_rule {
    const char *name;
    uint8_t head, modifier; /* a ddn_place */
} ddn_attardi_rule;

extern const ddn_attardi_rule ddn_attardi_rules[DDN_ATTARDI_RULES];

#define DDN_RULE_BIT(rule) (1u << (rule))

/* Degree 1: what arc-standard does. */
#define DDN_RULES_ATTARDI1 (DDN_RULE_BIT(DDN_S1_BELOW_S0) | DDN_RULE_BIT(DDN_S0_BELOW_S1))
#define DDN_RULES_ATTARDI2                                                                         \
    (DDN_RULES_ATTARDI1 | DDN_RULE_BIT(DDN_S2_BELOW_S0) | DDN_RULE_BIT(DDN_S0_BELOW_S2))
#define DDN_RULES_ALLDEG1                                                                          \
    (DDN_RULES_ATTARDI2 | DDN_RULE_BIT(DDN_S2_BELOW_S1) | DDN_RULE_BIT(DDN_S1_BELOW_S2) |          \
     DDN_RULE_BIT(DDN_S0_BELOW_B0))
#define DDN_RULES_ALL                                                                              \
    (DDN_RULES_ALLDEG1 | DDN_RULE_BIT(DDN_S1_BELOW_B0) | DDN_RULE_BIT(DDN_S2_BELOW_B0))
/* What takes s2 off the stack, and what looks at it. */
#define DDN_RULES_REDUCE_S2                                                                        \
    (DDN_RULE_BIT(DDN_S2_BELOW_S0) | DDN_RULE_BIT(DDN_S2_BELOW_S1) | DDN_RULE_BIT(DDN_S2_BELOW_B0))
#define DDN_RULES_WITH_S2                                                                          \
    (DDN_RULES_REDUCE_S2 | DDN_RULE_BIT(DDN_S0_BELOW_S2) | DDN_RULE_BIT(DDN_S1_BELOW_S2))
#define DDN_RULES_ALLS0S1 (DDN_RULES_ALL & ~DDN_RULES_REDUCE_S2)

/* The mask of a list of rules with commas between them, as "s1<s0,s0<s1,s1<b0"; DODONA_E_ARGUMENT
 * names what is no rule. */
int ddn_attardi_rules_read(const char *list, uint32_t *mask, dodona_error *err);

#endif
