/* SPDX-License-Identifier: MIT */
/* attardi_reach.c - which trees the Attardi family reaches, in linear time.
 *
 * A word that leaves the stack takes no more children, so in a derivation of the gold tree a
 * reduction m<h must make a gold arc and m must be complete.  The canonical derivation makes such a
 * reduction as soon as it can, by the first rule that applies, and shifts when it can't: 2n moves,
 * each of which tries every rule.  A tree has one such derivation or none, so as a static oracle it
 * has no spurious ambiguity.
 *
 * It misses no tree.  Take any derivation D of the gold tree and a configuration in it where m<h is
 * possible.  D reduces m later; let D' reduce it now and otherwise be like D.  Until D reduces m,
 * the stacks of D' are those of D without m.  No reduction of D in between has m as its modifier,
 * nor as its head, since m is complete.  So each has its head and its modifier on the stack or in
 * b0 in D' too, perhaps nearer to the top or to each other, by one:
 *
 *     m was above both        places (i, j) become (i-1, j-1)
 *     m was between them      the lower of the two goes up by one
 *     the head is b0          (b0, j) becomes (b0, j-1) or stays
 *
 * If a set of rules has with each rule also those that it becomes in this way, D' is a derivation,
 * and reducing early is never wrong.  All listed sets are closed in this sense, of any degree.
 *
 * Sets without a rule of s2 may reduce early too, even if they have s1<b0 without s0<b0.  Let m
 * keep x in s1 when D does x<b0; m is then s0.  Before that m could be reduced.  If by s0<s1, its
 * head was next below it, and is x or was between them and went first; if by s1<s0, its head was
 * above it and went first.  Either way a head went before its child.  If by s1<b0, some w was above
 * m and left before m: by s0<s1 it was a child of m, which was complete; else something was shifted
 * over it, so that m's head went to the stack above m, and it would be there still.
 *
 * Other sets may not: with s1<b0 and s0<s2 but without s0<b0, an s0 that is reduced at once no
 * longer holds s1 in its place.  Of the 512 sets, 111 miss a tree of up to five words that way.
 *
 * The idea of one canonical derivation: S. B. Cohen, C. Gomez-Rodriguez, G. Satta, Elimination of
 * spurious ambiguity in transition-based dependency parsing, 2012. */
#include "system/attardi_reach.h"

#include "system/attardi_rules.h"
#include <string.h>

static bool has(uint32_t rules, int head, int modifier)
{
    for (int r = 0; r < DDN_ATTARDI_ALL_RULES; r++) {
        const ddn_attardi_rule *rule = &ddn_attardi_rules[r];
        if (!(rules >> r & 1) || ddn_place_depth(rule->modifier) != modifier)
            continue;
        if (head < 0 ? rule->head == DDN_AT_B0
                     : rule->head != DDN_AT_B0 && ddn_place_depth(rule->head) == head)
            return true;
    }
    return false;
}

/* Whether the set has also what a rule becomes when a word above its places or between them is
 * removed. */
static bool is_closed(uint32_t rules, const ddn_attardi_rule *rule)
{
    int m = ddn_place_depth(rule->modifier);
    if (rule->head == DDN_AT_B0)
        return m == 0 || has(rules, -1, m - 1);
    int h = ddn_place_depth(rule->head);
    bool above = h == 0 || m == 0 || has(rules, h - 1, m - 1);
    bool between = h < m ? m - h < 2 || has(rules, h, m - 1) : h - m < 2 || has(rules, h - 1, m);
    return above && between;
}

bool ddn_attardi_is_eager(uint32_t rules)
{
    if (!(rules & ~(DDN_RULES_ALL & ~DDN_RULES_WITH_S2)))
        return true;
    for (int r = 0; r < DDN_ATTARDI_ALL_RULES; r++)
        if (rules >> r & 1 && !is_closed(rules, &ddn_attardi_rules[r]))
            return false;
    return true;
}

void ddn_attardi_path_start(ddn_attardi_path *p, uint32_t rules, const int32_t *head, int32_t n,
                            int32_t *scratch)
{
    *p = (ddn_attardi_path){ .rules = rules, .head = head, .n = n, .depth = 1, .next = 1 };
    p->stack = scratch;
    p->missing = scratch + n + 1;
    p->stack[0] = 0;
    memset(p->missing, 0, ((size_t)n + 1) * sizeof *p->missing);
    for (int32_t d = 1; d <= n; d++)
        if (head[d] >= 0)
            p->missing[head[d]]++;
}

static int32_t node_at(const ddn_attardi_path *p, uint8_t place)
{
    if (place == DDN_AT_B0)
        return p->next <= p->n ? p->next : -1;
    int depth = ddn_place_depth(place);
    return depth < p->depth ? p->stack[p->depth - 1 - depth] : -1;
}

int ddn_attardi_path_rule(const ddn_attardi_path *p)
{
    for (uint32_t left = p->rules; left; left &= left - 1) {
        int r = __builtin_ctz(left);
        int32_t m = node_at(p, ddn_attardi_rules[r].modifier);
        if (m > 0 && p->head[m] >= 0 && p->missing[m] == 0 &&
            node_at(p, ddn_attardi_rules[r].head) == p->head[m])
            return r;
    }
    return -1;
}

int ddn_attardi_path_step(ddn_attardi_path *p)
{
    int r = ddn_attardi_path_rule(p);
    if (r >= 0) {
        int32_t at = p->depth - 1 - ddn_place_depth(ddn_attardi_rules[r].modifier);
        p->missing[p->head[p->stack[at]]]--;
        p->depth--;
        for (; at < p->depth; at++)
            p->stack[at] = p->stack[at + 1];
        return r;
    }
    if (p->next > p->n)
        return -1;
    p->stack[p->depth++] = p->next++;
    return DDN_ATTARDI_ALL_RULES;
}

bool ddn_attardi_path_ends(ddn_attardi_path *p)
{
    while (ddn_attardi_path_step(p) >= 0)
        ;
    return p->depth == 1;
}

bool ddn_attardi_comes_to(uint32_t rules, const int32_t *head, int32_t n, const int32_t *stack,
                          int32_t depth, int32_t next, int32_t *scratch)
{
    ddn_attardi_path p;
    ddn_attardi_path_start(&p, rules, head, n, scratch);
    while (p.next < next || ddn_attardi_path_rule(&p) >= 0)
        ddn_attardi_path_step(&p);
    return p.depth == depth && memcmp(p.stack, stack, (size_t)depth * sizeof *stack) == 0;
}

bool ddn_attardi_reaches(uint32_t rules, const int32_t *head, int32_t n, int32_t *scratch)
{
    ddn_attardi_path p;
    ddn_attardi_path_start(&p, rules, head, n, scratch);
    return ddn_attardi_path_ends(&p);
}
