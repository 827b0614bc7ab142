/* SPDX-License-Identifier: MIT */
/* tree.c - is it a tree, and is it projective?
 *
 * Cycles.  From every word not yet seen the walk goes up and leaves the word's number behind.  It
 * ends at 0, on an older walk, or on its own trace: then it has found a cycle that no older walk
 * touched.  Every word is marked once, so all walks together are linear.
 *
 * Projectivity.  A tree is projective if and only if the bottom-up shift-reduce parser
 * (arc-standard) can build it: words are pushed from left to right, and of the two on top one is
 * attached to the other and removed as soon as that is its head and it has all its own children.
 * What is attached stands beside its head's material, so whatever is built is projective; in a
 * projective tree each node is complete when the last word of its interval has been pushed.
 * Each word is pushed and removed once. */
#include "tree/tree.h"

static ddn_tree_fault blame(int32_t *word, int32_t i, ddn_tree_fault fault)
{
    if (word)
        *word = i;
    return fault;
}

/* The first fault that a word shows on its own, by order of faults, then of words. */
static ddn_tree_fault check_words(const int32_t *head, int32_t n, int32_t *word)
{
    ddn_tree_fault worst = DDN_TREE_OK;
    int32_t at = 0;
    for (int32_t i = 1; i <= n; i++) {
        ddn_tree_fault f = head[i] == -1                ? DDN_TREE_NO_HEAD
                           : head[i] < 0 || head[i] > n ? DDN_TREE_OUT_OF_RANGE
                           : head[i] == i               ? DDN_TREE_SELF_LOOP
                                                        : DDN_TREE_OK;
        if (f != DDN_TREE_OK && (worst == DDN_TREE_OK || f < worst)) {
            worst = f;
            at = i;
        }
    }
    return blame(word, at, worst);
}

/* The smallest word on the cycle that i is on. */
static int32_t smallest_on_cycle(const int32_t *head, int32_t i)
{
    int32_t least = i;
    for (int32_t j = head[i]; j != i; j = head[j])
        if (j < least)
            least = j;
    return least;
}

/* The smallest word on any cycle, or 0. */
static int32_t find_cycle(const int32_t *head, int32_t n, int32_t *mark)
{
    int32_t found = 0;
    for (int32_t i = 0; i <= n; i++)
        mark[i] = 0;
    for (int32_t i = 1; i <= n; i++) {
        if (mark[i] != 0)
            continue;
        int32_t j = i;
        for (; j != 0 && mark[j] == 0; j = head[j])
            mark[j] = i;
        if (j == 0 || mark[j] != i)
            continue;
        int32_t least = smallest_on_cycle(head, j);
        if (found == 0 || least < found)
            found = least;
    }
    return found;
}

ddn_tree_fault ddn_tree_check(const int32_t *head, int32_t n, bool one_root, int32_t *mark,
                              int32_t *word)
{
    ddn_tree_fault fault = check_words(head, n, word);
    if (fault != DDN_TREE_OK)
        return fault;
    int32_t roots = 0, second = 0;
    for (int32_t i = 1; i <= n; i++)
        if (head[i] == 0 && ++roots == 2)
            second = i;
    if (roots == 0 && (n > 0 || one_root))
        return blame(word, 0, DDN_TREE_NO_ROOT);
    int32_t cycle = find_cycle(head, n, mark);
    if (cycle != 0)
        return blame(word, cycle, DDN_TREE_CYCLE);
    if (one_root && roots > 1)
        return blame(word, second, DDN_TREE_TWO_ROOTS);
    return DDN_TREE_OK;
}

bool ddn_tree_is_projective(const int32_t *head, int32_t n, int32_t *mark)
{
    int32_t *missing = mark, *stack = mark + n + 1; /* [n+1] children still to come; [n+1] */
    for (int32_t i = 0; i <= n; i++)
        missing[i] = 0;
    for (int32_t i = 1; i <= n; i++)
        missing[head[i]]++;
    int32_t top = 0;
    stack[0] = 0;
    for (int32_t i = 1; i <= n; i++) {
        stack[++top] = i;
        while (top > 0) {
            int32_t s0 = stack[top], s1 = stack[top - 1];
            if (s1 != 0 && head[s1] == s0 && missing[s1] == 0) {
                stack[--top] = s0;
                missing[s0]--;
            } else if (head[s0] == s1 && missing[s0] == 0) {
                top--;
                missing[s1]--;
            } else {
                break;
            }
        }
    }
    return top == 0;
}
