/* SPDX-License-Identifier: MIT */
/* grammar.c - the grammars of Nederhof's Tables 3 and 4, and plans made from them.
 *
 * Table 2 sums, for left children, over rules A -> (D, B) and (C', _) -> A (C, _):
 *
 *     Wl(C',i,j) = SUM_k  Wl(D,i,k) * Wl2(B,C,k,j)
 *
 * where B is the child's right state and C the head's left state.  All (B, C) with the same C' and
 * D stand beside the same factor Wl(D,i,k), so they are summed before the loop over k: that is a
 * group.  Table 4 has six left products and four right ones but needs, with groups and with the
 * states that exist on the diagonal only, the same three loops as Table 3.
 *
 * Errata: the paper's prose under Table 2 swaps which arc Wl2 and Wr2 carry; the table is right. */
#include "chart/grammar.h"

#include <assert.h>

enum { P = DDN_SPLIT_BELOW, S = DDN_SPLIT_AHEAD };

const ddn_split_grammar ddn_split_projective = {
    .name = "projective",
    .states = 1,
    .kinds = 1,
    .initial = { { 0, 0 } },
    .finishes = 1,
    .finish = { { 0, 0, 0 } },
    .lefts = 1,
    .left = { { 0, 0, 0 } },
    .rights = 1,
    .right = { { 0, 0, 0 } },
    .start = 0,
};

/* The rule that the strict strategy drops stands last of the left ones. */
#define STACK(title, left_rules)                                                                   \
    {                                                                                              \
        .name = title, .states = 2, .kinds = 2, .initial = { [P] = { P, P }, [S] = { S, S } },     \
        .finishes = 3, .finish = { { P, P, P }, { S, P, S }, { S, S, S } }, .lefts = (left_rules), \
        .left = { { S, P, S }, { S, S, S }, { S, P, P } }, .rights = 2,                            \
        .right = { { S, S, P }, { S, S, S } }, .start = S                                          \
    }

const ddn_split_grammar ddn_split_stack = STACK("stack", 3);
const ddn_split_grammar ddn_split_stack_strict = STACK("stack, strict", 2);

static uint8_t pair_bit(ddn_split_plan *plan, uint8_t left, uint8_t right)
{
    int p = 0;
    while (p < plan->pairs && (plan->pair[p].left != left || plan->pair[p].right != right))
        p++;
    if (p == plan->pairs) {
        assert(p < DDN_SPLIT_PAIRS);
        plan->pair[plan->pairs++] = (ddn_split_pair){ left, right };
    }
    return (uint8_t)(1u << p);
}

static void group_add(ddn_split_group *group, int *groups, uint8_t to, uint8_t outer, uint8_t pair)
{
    int g = 0;
    while (g < *groups && (group[g].to != to || group[g].outer != outer))
        g++;
    if (g == *groups) {
        assert(g < DDN_SPLIT_GROUPS);
        group[(*groups)++] = (ddn_split_group){ to, outer, 0 };
    }
    group[g].pairs |= pair;
}

void ddn_split_plan_make(ddn_split_plan *plan, const ddn_split_grammar *g)
{
    *plan = (ddn_split_plan){ .states = g->states, .kinds = g->kinds };
    for (int k = 0; k < g->kinds; k++)
        plan->initial[k] = g->initial[k];
    for (int f = 0; f < g->finishes; f++) {
        const ddn_split_finish *child = &g->finish[f];
        for (int r = 0; r < g->lefts; r++)
            if (g->left[r].child == child->symbol)
                group_add(plan->left, &plan->lefts, g->left[r].to, child->left,
                          pair_bit(plan, child->right, g->left[r].from));
        for (int r = 0; r < g->rights; r++)
            if (g->right[r].child == child->symbol)
                group_add(plan->right, &plan->rights, g->right[r].to, child->right,
                          pair_bit(plan, g->right[r].from, child->left));
        if (child->symbol == g->start)
            plan->start[plan->starts++] = (ddn_split_pair){ child->left, child->right };
    }
    for (int r = 0; r < g->lefts; r++)
        plan->left_grows[g->left[r].to] = true;
    for (int r = 0; r < g->rights; r++)
        plan->right_grows[g->right[r].to] = true;
}
