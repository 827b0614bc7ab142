/* SPDX-License-Identifier: MIT */
/* Given heads in the Attardi family, against all configurations of short sentences and, in longer
 * ones, against the charts, which try every computation and know nothing of a canonical one.  In
 * every configuration from which a tree with the given heads can be reached, just those moves are
 * left after which one still can. */
#include "chart/decode.h"
#include "core/array.h"
#include "lib/check.h"
#include "lib/enumerate.h"
#include "search/constraint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 10, MOST_MOVES = 16 };

static const char *const systems[] = { "attardi:1", "attardi", "attardi:3", "attardi:7",
                                       "alldeg1",   "all",     "alls0s1",   "s1<s0+s0<s1+s1<b0" };
enum { SYSTEMS = sizeof systems / sizeof *systems };

/* ---- All configurations ---- */

typedef struct cases {
    const ddn_system *system;
    int32_t n, count;
    int32_t (*given)[LONGEST + 1]; /* [count] */
    ddn_constraint **c;            /* [count]; NULL: refused */
    bool *alive;                   /* [id][count] */
    size_t alive_cap;
    int32_t last;
} cases;

static bool has_given(const ddn_system *system, const ddn_state *s, const int32_t *given)
{
    for (int32_t d = 1; d <= s->n; d++) {
        int32_t head = ddn_system_head(system, s, d);
        if (given[d] == DDN_HEAD_WORD ? head == 0 : given[d] >= 0 && head != given[d])
            return false;
    }
    return true;
}

static void check_case(const cases *k, const ddn_state *s, int32_t i, const test_step *step,
                       int32_t m)
{
    ddn_move left[MOST_MOVES];
    int32_t count = 0;
    for (int32_t j = 0; j < m; j++)
        left[j] = step[j].move;
    int32_t found = ddn_constraint_filter(k->c[i], s, left, m);
    for (int32_t j = 0; j < m; j++)
        if (k->alive[(size_t)step[j].to * (size_t)k->count + (size_t)i]) {
            assert_true(count < found);
            assert_int_equal(left[count++].kind, step[j].move.kind);
        }
    assert_int_equal(count, found);
}

static void visit(void *ctx, ddn_state *s, int32_t id, const test_step *step, int32_t m)
{
    cases *k = ctx;
    size_t row = (size_t)id * (size_t)k->count;
    assert_true(m <= MOST_MOVES);
    assert_true(ddn_reserve(&k->alive, &k->alive_cap, row + (size_t)k->count, sizeof *k->alive));
    k->last = id;
    for (int32_t i = 0; i < k->count; i++) {
        bool alive = m == 0 && has_given(k->system, s, k->given[i]);
        for (int32_t j = 0; j < m; j++)
            alive |= k->alive[(size_t)step[j].to * (size_t)k->count + (size_t)i];
        k->alive[row + (size_t)i] = alive;
        if (alive && m > 0) {
            assert_non_null(k->c[i]);
            check_case(k, s, i, step, m);
        }
    }
}

/* Every word's head is open, any word, or one of 0..n, also itself: each combination, or each of so
 * many. */
static void check_all(const ddn_system *system, ddn_roots roots, int32_t n, int32_t every)
{
    int32_t all = 1, open[LONGEST + 1], word;
    cases k = { .system = system, .n = n };
    for (int32_t d = 1; d <= n; d++) {
        all *= n + 3;
        open[d] = DDN_LABEL_OPEN;
    }
    k.count = (all + every - 1) / every;
    k.given = malloc((size_t)k.count * sizeof *k.given);
    k.c = calloc((size_t)k.count, sizeof *k.c);
    assert_true(k.given && k.c);
    for (int32_t i = 0; i < k.count; i++) {
        int32_t rest = i * every;
        for (int32_t d = 1; d <= n; d++, rest /= n + 3)
            k.given[i][d] = rest % (n + 3) + DDN_HEAD_WORD;
        assert_int_equal(ddn_constraint_open(system, roots, &k.c[i], NULL), DODONA_OK);
        if (ddn_constraint_begin(k.c[i], k.given[i], open, n, &word, NULL) < 0) {
            assert_in_range(word, 1, n);
            ddn_constraint_close(k.c[i]);
            k.c[i] = NULL;
        }
    }
    test_each_configuration(system, n, roots, NULL, visit, &k);
    for (int32_t i = 0; i < k.count; i++) { /* the start comes last */
        assert_int_equal(k.alive[(size_t)k.last * (size_t)k.count + (size_t)i], k.c[i] != NULL);
        ddn_constraint_close(k.c[i]);
    }
    free(k.given);
    free(k.c);
    free(k.alive);
}

static void leaves_what_leads_to_the_given_heads(void **state)
{
    (void)state;
    for (int i = 0; i < SYSTEMS; i++)
        for (int roots = DDN_ROOTS_ONE; roots <= DDN_ROOTS_MANY; roots++) {
            const ddn_system *system = ddn_system_find(systems[i]);
            for (int32_t n = 1; n <= 3; n++)
                check_all(system, (ddn_roots)roots, n, 1);
            check_all(system, (ddn_roots)roots, 4, 1);
            check_all(system, (ddn_roots)roots, 5, 97);
        }
}

/* ---- Charts ---- */

/* What follows a configuration is what follows so many shifts over its words. */
static bool has_tree(ddn_decoding *d, const ddn_constraint *c, const ddn_state *s)
{
    int32_t word[LONGEST + 1], head[LONGEST + 1], n = 0;
    double w[(LONGEST + 1) * (LONGEST + 1)];
    ddn_decoder decoder;
    for (int32_t i = 0; i < s->depth; i++)
        word[n++] = s->stack[i];
    for (int32_t x = s->next; x <= s->n; x++)
        word[n++] = x;
    for (int32_t h = 0; h < n; h++)
        for (int32_t x = 0; x < n; x++)
            w[h * n + x] = ddn_constraint_allows(c, word[h], word[x]) ? 0 : -INFINITY;
    ddn_decoder_of_rules(c->system->rules, &decoder);
    decoder.stacked = s->depth - 1;
    ddn_decode_input in = { n - 1, s->roots == DDN_ROOTS_ONE, w };
    return n == 1 || ddn_decode_best(d, &decoder, &in, head, NULL, NULL) > 0;
}

/* Heads that are near, as most are; many of them, or few. */
static void draw_given(ddn_rng *r, int32_t n, int32_t *given)
{
    uint64_t many = 1 + ddn_rng_below(r, 4), words = ddn_rng_below(r, 3);
    int32_t far = 2 + (int32_t)ddn_rng_below(r, 5);
    for (int32_t d = 1; d <= n; d++) {
        int32_t head = d - far + (int32_t)ddn_rng_below(r, 2 * (uint64_t)far + 1);
        given[d] = DDN_HEAD_OPEN;
        if (ddn_rng_below(r, 5) >= many)
            given[d] = ddn_rng_below(r, 3) < words ? DDN_HEAD_WORD : DDN_HEAD_OPEN;
        else if (head > 0 && head <= n && head != d)
            given[d] = head;
        else if (ddn_rng_below(r, 6) == 0)
            given[d] = 0;
    }
}

/* Asks the chart about each move, and makes one of those that are left; returns their number. */
static int32_t check_step(ddn_decoding *d, ddn_rng *r, ddn_constraint *c, ddn_state *s)
{
    ddn_move move[MOST_MOVES], left[MOST_MOVES];
    int32_t scratch[LONGEST + 2], m = ddn_system_moves(c->system, s, move, scratch), count = 0;
    memcpy(left, move, sizeof left);
    int32_t found = ddn_constraint_filter(c, s, left, m);
    for (int32_t i = 0; i < m; i++) {
        ddn_arc arc = ddn_system_arc(c->system, s, move[i]);
        ddn_undo undo;
        c->system->apply(s, move[i], &undo);
        if ((arc.head < 0 || ddn_constraint_allows(c, arc.head, arc.child)) && has_tree(d, c, s)) {
            assert_true(count < found);
            assert_int_equal(left[count++].kind, move[i].kind);
        }
        ddn_state_revert(s, &undo);
    }
    assert_int_equal(count, found);
    c->system->apply(s, left[ddn_rng_below(r, (uint64_t)found)], NULL);
    return m - found;
}

static void agrees_with_the_charts(void **state)
{
    (void)state;
    ddn_rng r;
    ddn_decoding d;
    ddn_state s;
    int32_t open[LONGEST + 1], given[LONGEST + 1], word;
    ddn_rng_init(&r, 4);
    ddn_decoding_init(&d, DDN_DECODE_MEMORY);
    ddn_state_init(&s);
    for (int32_t x = 0; x <= LONGEST; x++)
        open[x] = DDN_LABEL_OPEN;
    for (int i = 0; i < 2 * SYSTEMS; i++) {
        const ddn_system *system = ddn_system_find(systems[i / 2]);
        ddn_roots roots = i % 2 ? DDN_ROOTS_MANY : DDN_ROOTS_ONE;
        ddn_decoder decoder;
        ddn_constraint *c;
        int32_t fit = 0, taken = 0;
        if (ddn_decoder_find(system->name, &decoder, NULL) < 0)
            continue; /* degrees over 2 */
        assert_int_equal(ddn_constraint_open(system, roots, &c, NULL), DODONA_OK);
        for (int round = 0; round < 600; round++) {
            int32_t n = 5 + (int32_t)ddn_rng_below(&r, LONGEST - 4);
            draw_given(&r, n, given);
            bool begun = ddn_constraint_begin(c, given, open, n, &word, NULL) >= 0;
            memcpy(c->head, given, ((size_t)n + 1) * sizeof *given); /* as they were */
            assert_int_equal(ddn_state_start(&s, n, roots, NULL), DODONA_OK);
            assert_int_equal(begun, has_tree(&d, c, &s));
            fit += begun && c->heads;
            while (begun && c->heads && !system->final(&s))
                taken += check_step(&d, &r, c, &s);
        }
        assert_true(fit > 200 && fit < 590 && taken > 1000);
        ddn_constraint_close(c);
    }
    ddn_state_fini(&s);
    ddn_decoding_fini(&d);
}

/* With s1<b0 and without s0<b0.  b stands for the word to which most belong, and 2 waits for the
 * one after it, so that 1 can go to b only as s1 below 2, with b in the buffer; till then something
 * must hold all others that go there in s1. */
static void free_words_hold_others_in_place(void **state)
{
    (void)state;
    enum { O = DDN_HEAD_OPEN };
    static const struct {
        int32_t n, head[LONGEST + 1];
        bool fits;
    } of[] = {
        { 7, { 0, 6, O, 6, 6, O, O, 2 }, true },        /* 5 holds 4, then 3 */
        { 6, { 0, 5, O, 5, 5, O, 2 }, false },          /* nothing holds 4 */
        { 9, { 0, 8, O, 6, 8, 8, 8, O, O, 2 }, false }, /* 7 is gone when 6 is complete */
        { 8, { 0, 7, O, 4, 7, O, O, O, 2 }, true },     /* 5 and 6 hold 4 */
    };
    ddn_constraint *c;
    ddn_decoding d;
    ddn_state s;
    ddn_decoding_init(&d, DDN_DECODE_MEMORY);
    ddn_state_init(&s);
    assert_int_equal(
        ddn_constraint_open(ddn_system_find("s1<s0+s0<s1+s1<b0"), DDN_ROOTS_ONE, &c, NULL),
        DODONA_OK);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        int32_t open[LONGEST + 1], word;
        for (int32_t x = 0; x <= LONGEST; x++)
            open[x] = DDN_LABEL_OPEN;
        int status = ddn_constraint_begin(c, of[i].head, open, of[i].n, &word, NULL);
        memcpy(c->head, of[i].head, ((size_t)of[i].n + 1) * sizeof *c->head);
        assert_int_equal(ddn_state_start(&s, of[i].n, DDN_ROOTS_ONE, NULL), DODONA_OK);
        assert_int_equal(has_tree(&d, c, &s), of[i].fits);
        assert_int_equal(status, of[i].fits ? DODONA_OK : DODONA_E_INPUT);
    }
    ddn_constraint_close(c);
    ddn_state_fini(&s);
    ddn_decoding_fini(&d);
}

/* ---- Words ---- */

static void says_what_is_not_reached(void **state)
{
    (void)state;
    /* 1 <- 4, 2 <- 5, 3 <- 6: s3 would have to be reduced. */
    const int32_t given[] = { 0, 4, 5, 6, 0, 4, 4 }, open[] = { 0, -1, -1, -1, -1, -1, -1 };
    int32_t word;
    for (int degree = 2; degree <= 3; degree++) {
        ddn_constraint *c;
        dodona_error err = { 0 };
        const ddn_system *system = ddn_system_find(degree == 2 ? "attardi" : "attardi:3");
        assert_int_equal(ddn_constraint_open(system, DDN_ROOTS_ONE, &c, NULL), DODONA_OK);
        int status = ddn_constraint_begin(c, given, open, 6, &word, &err);
        if (degree == 2) {
            assert_int_equal(status, DODONA_E_INPUT);
            assert_non_null(strstr(err.message, "no tree that attardi reaches"));
            assert_int_equal(word, 3);
        } else {
            assert_int_equal(status, DODONA_OK);
        }
        ddn_constraint_close(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves_what_leads_to_the_given_heads),
        cmocka_unit_test(agrees_with_the_charts),
        cmocka_unit_test(free_words_hold_others_in_place),
        cmocka_unit_test(says_what_is_not_reached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
