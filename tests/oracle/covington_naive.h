/* SPDX-License-Identifier: MIT */
/* covington_naive.h - the two Covington systems once more, from the figures of the paper, on arrays
 * of heads, with losses by trying every computation and cycles by trying every path.  Nothing here
 * knows the library's systems, states or graphs. */
#ifndef DDN_TESTS_COVINGTON_NAIVE_H
#define DDN_TESTS_COVINGTON_NAIVE_H

#include <limits.h>
#include <stdbool.h>
#include <string.h>

enum { NAIVE_WORDS = 7 };

typedef struct naive {
    int n, i, j;
    int head[NAIVE_WORDS + 1]; /* 0: none */
} naive;

enum { NAIVE_LEFT, NAIVE_RIGHT, NAIVE_SHIFT, NAIVE_NONE, NAIVE_MOVES };

/* Going up from b, does one come to a? */
static inline bool naive_above(const naive *c, int a, int b)
{
    for (; b; b = c->head[b])
        if (b == a)
            return true;
    return false;
}

/* Figures 1 and 2.  False: not allowed. */
static inline bool naive_move(const naive *c, int move, bool nm, naive *out)
{
    int i = c->i, j = c->j;
    *out = *c;
    if (j > c->n || (move != NAIVE_SHIFT && i == 0))
        return false;
    if (move == NAIVE_SHIFT) {
        out->i = j;
        out->j = j + 1;
        return true;
    }
    out->i = i - 1;
    if (move == NAIVE_NONE)
        return true;
    int head = move == NAIVE_LEFT ? j : i, child = move == NAIVE_LEFT ? i : j;
    bool cycle = naive_above(c, child, head);
    if (!nm && (c->head[child] || cycle))
        return false;
    if (cycle)
        out->head[head] = 0;
    out->head[child] = head;
    return true;
}

/* The least number of wrong heads at an end; words: of those whose gold head is not 0. */
static inline int naive_loss(const naive *c, const int *gold, bool nm, bool words)
{
    int least = INT_MAX;
    if (c->j > c->n) {
        int wrong = 0;
        for (int y = 1; y <= c->n; y++)
            wrong += c->head[y] != gold[y] && !(words && gold[y] == 0);
        return wrong;
    }
    for (int m = 0; m < NAIVE_MOVES; m++) {
        naive next;
        if (!naive_move(c, m, nm, &next))
            continue;
        int loss = naive_loss(&next, gold, nm, words);
        least = loss < least ? loss : least;
    }
    return least;
}

/* Can x and y still be the focus words of some configuration from here on? */
static inline bool naive_meet(const naive *c, int x, int y)
{
    naive at = *c;
    while (at.j <= at.n) {
        if (at.i > 0 && ((at.i == x && at.j == y) || (at.i == y && at.j == x)))
            return true;
        naive_move(&at, at.i > 0 ? NAIVE_NONE : NAIVE_SHIFT, true, &at);
    }
    return false;
}

typedef struct naive_bounds {
    int lower, roots, settled, problematic, cycles;
} naive_bounds;

typedef struct naive_search {
    const naive *c;
    const int *gold;
    int path[NAIVE_WORDS + 1], length;
    naive_bounds *out;
} naive_search;

static inline bool naive_made(const naive *c, int x, int y)
{
    return c->head[y] == x;
}

/* x -> y is in A or in I. */
static inline bool naive_edge(const naive *c, const int *gold, int x, int y)
{
    return naive_made(c, x, y) || (gold[y] == x && naive_meet(c, x, y));
}

/* path[0] -> path[1] -> ... -> path[0].  When are the arcs visited that are not made?  The last
 * one, x -> y, closes the cycle, and z -> x goes. */
static inline bool naive_problematic(const naive_search *s)
{
    int last = -1, when = -1;
    for (int k = 0; k < s->length; k++) {
        int x = s->path[k], y = s->path[(k + 1) % s->length], right = x > y ? x : y,
            left = x + y - right;
        int time = right * (NAIVE_WORDS + 1) + NAIVE_WORDS - left;
        if (!naive_made(s->c, x, y) && time > when) {
            when = time;
            last = k;
        }
    }
    int x = s->path[last], z = s->path[(last + s->length - 1) % s->length];
    return s->gold[x] == z;
}

static inline void naive_paths(naive_search *s)
{
    int end = s->path[s->length - 1];
    for (int y = s->path[0]; y <= s->c->n; y++) {
        bool seen = false;
        if (!naive_edge(s->c, s->gold, end, y))
            continue;
        if (y == s->path[0]) {
            s->out->cycles++;
            s->out->problematic += naive_problematic(s);
            continue;
        }
        for (int k = 0; k < s->length; k++)
            seen |= s->path[k] == y;
        if (seen)
            continue;
        s->path[s->length++] = y;
        naive_paths(s);
        s->length--;
    }
}

static inline naive_bounds naive_count(const naive *c, const int *gold)
{
    naive_bounds b = { 0 };
    for (int y = 1; y <= c->n; y++) {
        bool meets_any = false;
        for (int x = 1; x <= c->n; x++)
            meets_any |= x != y && naive_meet(c, x, y);
        if (gold[y])
            b.lower += !naive_edge(c, gold, gold[y], y);
        else if (c->head[y]) {
            b.roots++;
            b.settled += !meets_any;
        }
    }
    for (int first = 1; first <= c->n; first++) {
        naive_search s = { .c = c, .gold = gold, .path = { first }, .length = 1, .out = &b };
        naive_paths(&s);
    }
    return b;
}

#endif
