/* SPDX-License-Identifier: MIT */
/* attardi_trace.c - a best derivation, recovered from the values of the items.
 *
 * The charts keep no back-pointers.  For each item of the derivation, all its divisions are tried
 * until one gives its value: O(n^3) an item at most, for 2n items.  The order in which divisions
 * are tried is fixed, and so is the derivation that is found. */
#include "chart/attardi.h"

typedef struct item {
    int32_t h1, i, h2, h3, j;
} item;

typedef struct step {
    int rule;
    int32_t head, modifier;
    item first, second;
} step;

double ddn_attardi_trace_need(int32_t n)
{
    return ddn_space_cost(2.0 * n + 4, sizeof(item));
}

static inline double value(const ddn_attardi_view *v, item x)
{
    return v->value(v->chart, x.h1, x.i, x.h2, x.h3, x.j);
}

/* Tries the rules that reduce the word at a place, with the heads at the other places; true: one of
 * them gives the wanted value and is in *s. */
static bool try_rules(const ddn_attardi_view *v, ddn_attardi_place place, bool in_first, item first,
                      item second, int32_t s2, double wanted, step *s)
{
    int32_t at[] = {
        [DDN_AT_S0] = second.h3, [DDN_AT_S1] = second.h2, [DDN_AT_S2] = s2, [DDN_AT_B0] = second.j
    };
    double a = value(v, first), b = value(v, second);
    if (a == -INFINITY || b == -INFINITY)
        return false;
    for (int r = 0; r < DDN_ATTARDI_RULES; r++) {
        if (ddn_attardi_rules[r].modifier != place)
            continue;
        int32_t head = at[ddn_attardi_rules[r].head];
        double arc = ddn_attardi_weight(v->weights, r, head, at[place]);
        if (v->moves && arc != -INFINITY)
            arc +=
                ddn_decode_shift(v->moves, first.h2, first.h3, first.j) +
                ddn_decode_reduce(v->moves, v->moves->rule[r], s2, second.h2, second.h3, second.j);
        double sum = in_first ? b + (a + arc) : a + (b + arc);
        if (sum == wanted) {
            *s = (step){ r, head, at[place], first, second };
            return true;
        }
    }
    return false;
}

/* x = [h1, i, h2, h3, j] from two items that meet at (h, k), after s0 was reduced. */
static bool reduced_s0(const ddn_attardi_view *v, item x, int32_t h, int32_t k, double wanted,
                       step *s)
{
    item first = { x.h1, x.i, x.h2, h, k };
    if (x.h3 != h && (x.h3 < k || !v->pairs))
        return false;
    for (int32_t h5 = x.h3 < k ? k : x.h3 + 1; h5 < x.j; h5++)
        if (try_rules(v, DDN_AT_S0, false, first, (item){ h, k, x.h3, h5, x.j }, x.h2, wanted, s))
            return true;
    return false;
}

static bool reduced_s1(const ddn_attardi_view *v, item x, int32_t h, int32_t k, double wanted,
                       step *s)
{
    item first = { x.h1, x.i, x.h2, h, k };
    if (x.h3 < k)
        return false;
    if (try_rules(v, DDN_AT_S1, v->s1_is_first, first, (item){ h, k, h, x.h3, x.j }, x.h2, wanted,
                  s))
        return true;
    for (int32_t h4 = k; h4 < x.h3 && v->pairs; h4++)
        if (try_rules(v, DDN_AT_S1, false, first, (item){ h, k, h4, x.h3, x.j }, x.h2, wanted, s))
            return true;
    return false;
}

/* s2 is h1, or a word from i on. */
static bool reduced_s2(const ddn_attardi_view *v, item x, int32_t h, int32_t k, double wanted,
                       step *s)
{
    if (x.h2 == x.h1 || (x.h2 != h && x.h2 < k) || x.h3 < k)
        return false;
    for (int32_t word = x.i - 1; word < h; word++) {
        int32_t s2 = word < x.i ? x.h1 : word;
        if (try_rules(v, DDN_AT_S2, true, (item){ x.h1, x.i, s2, h, k },
                      (item){ h, k, x.h2, x.h3, x.j }, s2, wanted, s))
            return true;
    }
    return false;
}

static void divide(const ddn_attardi_view *v, item x, step *s)
{
    double wanted = value(v, x);
    for (int32_t h = x.i; h < x.j - 1; h++)
        for (int32_t k = h + 1; k < x.j; k++) {
            if (x.h2 < h &&
                (reduced_s0(v, x, h, k, wanted, s) || reduced_s1(v, x, h, k, wanted, s)))
                return;
            if (reduced_s2(v, x, h, k, wanted, s))
                return;
        }
    assert(!"an item without a derivation");
}

/* The scores of the shift of k and of the reduction of h5 over 0, without that of the arc. */
static double earns_over_0(const ddn_attardi_view *v, int rule, int32_t k, int32_t h5, int32_t j)
{
    if (!v->moves || !(v->weights->rules >> rule & 1))
        return 0;
    return ddn_decode_shift(v->moves, -1, 0, k) +
           ddn_decode_reduce(v->moves, v->moves->rule[rule], -1, 0, h5, j);
}

/* The item over 0 that ends [eps, 0, eps, 0, j]; returns where the rest ends. */
static int32_t divide_empty(const ddn_attardi_view *v, int32_t j, step *s)
{
    const double *root = ddn_attardi_root(v->weights, j);
    for (int32_t k = 1; k < j; k++)
        for (int32_t h5 = k; h5 < j; h5++) {
            item second = { 0, k, 0, h5, j };
            double b = value(v, second);
            *s = (step){ DDN_S0_BELOW_S1, 0, h5, second, second };
            if (b != -INFINITY &&
                v->empty[k] + (b + (root[h5] + earns_over_0(v, s->rule, k, h5, j))) == v->empty[j])
                return k;
            *s = (step){ DDN_S0_BELOW_B0, j, h5, second, second };
            if (b != -INFINITY &&
                v->empty[k] + (b + (ddn_attardi_weight(v->weights, DDN_S0_BELOW_B0, j, h5) +
                                    earns_over_0(v, s->rule, k, h5, j))) ==
                    v->empty[j])
                return k;
        }
    assert(!"an item without a derivation");
    return 1;
}

void ddn_attardi_trace(const ddn_attardi_view *v, ddn_space *space, int32_t *head, uint8_t *move)
{
    int32_t n = v->weights->n, at = 2 * n, depth;
    item *stack = ddn_space_take(space, 2 * (size_t)n + 4, sizeof *stack);
    step s;
    head[0] = -1;
    for (int32_t j = n + 1; j > 1;) {
        j = divide_empty(v, j, &s);
        depth = 0;
        stack[depth++] = s.second;
        for (;;) {
            head[s.modifier] = s.head;
            if (move)
                move[--at] = (uint8_t)s.rule;
            while (depth > 0 && stack[depth - 1].j == stack[depth - 1].i + 1) {
                depth--;
                if (move)
                    move[--at] = DDN_DECODE_SHIFT;
            }
            if (depth == 0)
                break;
            item x = stack[--depth];
            divide(v, x, &s);
            stack[depth++] = s.first;
            stack[depth++] = s.second;
        }
    }
}
