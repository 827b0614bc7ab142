/* SPDX-License-Identifier: MIT */
#include "lib/reach.h"
#include "lib/check.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64 };

/* The stack is what was read and has no head; 0 has none either. */
typedef struct state {
    int32_t n, next;
    int32_t head[DEEPEST]; /* -1: none */
} state;

/* What is at s0, s1, s2 or b0; -1: nothing. */
static int32_t place(const state *s, const char *name)
{
    if (name[0] == 'b')
        return s->next <= s->n ? s->next : -1;
    int32_t skip = name[1] - '0';
    for (int32_t word = s->next - 1; word >= 0; word--)
        if (s->head[word] < 0 && skip-- == 0)
            return word;
    return -1;
}

static bool is_end(const state *s)
{
    for (int32_t word = 1; word <= s->n; word++)
        if (s->head[word] < 0)
            return false;
    return s->next == s->n + 1;
}

static bool reduce(state *s, const char *name, bool one_root)
{
    int32_t modifier = place(s, name), head = place(s, name + 3);
    if (modifier <= 0 || head < 0)
        return false;
    s->head[modifier] = head;
    return !(one_root && head == 0 && !is_end(s));
}

static state start(int32_t n)
{
    state s = { .n = n, .next = 1 };
    for (int32_t word = 0; word <= n; word++)
        s.head[word] = -1;
    return s;
}

typedef struct walk {
    test_reach *r;
    const char *const *name;
    int rules;
    bool one_root;
    uint8_t *seen; /* a bit a configuration */
} walk;

static size_t number(const state *s)
{
    size_t at = (size_t)s->next;
    for (int32_t word = 1; word <= s->n; word++)
        at = at * 8 + (size_t)(s->head[word] + 1);
    return at;
}

static void visit(walk *w, const state *s)
{
    size_t at = number(s);
    if (w->seen[at / 8] >> (at % 8) & 1)
        return;
    w->seen[at / 8] |= (uint8_t)(1u << (at % 8));
    if (is_end(s)) {
        for (int32_t word = 0; word <= s->n; word++)
            w->r->head[w->r->count][word] = (int8_t)s->head[word];
        w->r->count++;
    }
    if (s->next <= s->n) {
        state after = *s;
        after.next++;
        visit(w, &after);
    }
    for (int i = 0; i < w->rules; i++) {
        state after = *s;
        if (reduce(&after, w->name[i], w->one_root))
            visit(w, &after);
    }
}

void test_reach_walk(test_reach *r, int32_t n, const char *const *name, int rules, bool one_root)
{
    assert_true(n <= TEST_REACH_WORDS);
    walk w = { r, name, rules, one_root, calloc((size_t)1 << 18, 1) };
    state s = start(n);
    assert_non_null(w.seen);
    r->n = n;
    r->count = 0;
    visit(&w, &s);
    free(w.seen);
}

bool test_replay(int32_t n, const char *const *move, int moves, bool one_root, int32_t *head)
{
    state s = start(n);
    assert_true(n < DEEPEST);
    for (int i = 0; i < moves; i++) {
        if (!move[i] && s.next > n)
            return false;
        if (!move[i])
            s.next++;
        else if (!reduce(&s, move[i], one_root))
            return false;
    }
    memcpy(head, s.head, ((size_t)n + 1) * sizeof *head);
    return is_end(&s);
}
