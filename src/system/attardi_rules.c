/* SPDX-License-Identifier: MIT */
/* attardi_rules.c - names of rules, and lists of them. */
#include "system/attardi_rules.h"

#include <string.h>

#define RULE(modifier, head, text)                                                                 \
    [DDN_##modifier##_BELOW_##head] = { text, DDN_AT_##head, DDN_AT_##modifier },

const ddn_attardi_rule ddn_attardi_rules[DDN_ATTARDI_ALL_RULES] = { DDN_SET_ALL(RULE)
                                                                        DDN_SET_ABOVE7(RULE) };

int ddn_attardi_rule_find(const char *name, size_t size)
{
    for (int r = 0; r < DDN_ATTARDI_ALL_RULES; r++)
        if (strlen(ddn_attardi_rules[r].name) == size &&
            memcmp(ddn_attardi_rules[r].name, name, size) == 0)
            return r;
    return -1;
}

int ddn_attardi_rules_read(const char *list, uint32_t *mask, dodona_error *err)
{
    *mask = 0;
    for (;;) {
        size_t size = strcspn(list, "+,");
        int rule = ddn_attardi_rule_find(list, size);
        if (rule < 0 || rule >= DDN_ATTARDI_RULES)
            return ddn_fail(
                err, DODONA_E_ARGUMENT,
                "'%.*s' is not a reduce transition; there are s1<s0, s0<s1, s2<s0, s0<s2, "
                "s2<s1, s1<s2, s0<b0, s1<b0 and s2<b0",
                (int)(size < 40 ? size : 40), list);
        *mask |= DDN_RULE_BIT(rule);
        if (!list[size])
            return DODONA_OK;
        list += size + 1;
    }
}
