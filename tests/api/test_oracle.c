/* SPDX-License-Identifier: MIT */
/* Configurations written as JSON.  Every configuration that a system can come to is taken, with the
 * scores that enumeration finds; every other combination of stack, buffer and arcs is refused, with
 * a reason. */
#include "api/losses.h"
#include "dodona_research.h"
#include "lib/check.h"
#include "lib/enumerate.h"
#include "oracle/oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 4, REFUSED = 3, LINE = 400, NAME = 32 };

static void put_list(char *line, const char *name, const int32_t *number, int32_t count)
{
    size_t at = strlen(line);
    at += (size_t)snprintf(line + at, LINE - at, "\"%s\":[", name);
    for (int32_t i = 0; i < count; i++)
        at += (size_t)snprintf(line + at, LINE - at, "%s%d", i ? "," : "", (int)number[i]);
    snprintf(line + at, LINE - at, "],");
}

typedef struct written {
    const int32_t *heads; /* [1..n] */
    int32_t n, depth, buffer;
    bool focus; /* the buffer is j, and there is an i in place of the stack */
    int32_t i;
    int32_t stack[N + 1], arc[N + 1];
} written;

static void write_down(const written *w, char *line)
{
    strcpy(line, "{");
    put_list(line, "heads", w->heads + 1, w->n);
    put_list(line, "arcs", w->arc + 1, w->n);
    size_t at = strlen(line);
    if (w->focus) {
        snprintf(line + at, LINE - at, "\"i\":%d,\"j\":%d}", (int)w->i, (int)w->buffer);
        return;
    }
    put_list(line, "stack", w->stack, w->depth);
    at = strlen(line);
    snprintf(line + at, LINE - at, "\"buffer\":%d}", (int)w->buffer);
}

static dodona_oracle *opened(const char *system, const char *algorithm)
{
    dodona_oracle_options o;
    dodona_oracle *oracle;
    dodona_oracle_options_init(&o);
    o.system = system;
    o.algorithm = algorithm;
    assert_int_equal(dodona_oracle_open(&o, &oracle, NULL), DODONA_OK);
    return oracle;
}

static int ask(dodona_oracle *o, const char *line, char *answer, dodona_error *err)
{
    dodona_text text;
    int status = dodona_oracle_answer(o, (dodona_text){ line, strlen(line) }, &text, err);
    if (status >= 0) {
        assert_true(text.size < LINE);
        memcpy(answer, text.data, text.size);
        answer[text.size] = '\0';
    }
    return status;
}

/* The score of a move in an answer, or -1 for null. */
static int32_t score_in(const char *answer, const char *move)
{
    char key[40];
    snprintf(key, sizeof key, "\"%s\":", move);
    const char *at = strstr(answer, key);
    assert_non_null(at);
    at += strlen(key);
    return strncmp(at, "null", 4) == 0 ? -1 : (int32_t)atoi(at);
}

static bool is_optimal(const char *answer, const char *move)
{
    char key[40];
    snprintf(key, sizeof key, "\"%s\"", move);
    return strstr(strstr(answer, "\"optimal\""), key) != NULL;
}

/* As answers name it: moves of a kind with positions are counted from 1, in their order. */
static void name_of(const ddn_system *system, const test_step *step, int32_t i, char *name)
{
    const ddn_kind *kind = &system->kind[step[i].move.kind];
    int k = 1;
    for (int32_t before = 0; before < i; before++)
        k += step[before].move.kind == step[i].move.kind;
    if (system->positions && kind->makes_arc)
        snprintf(name, NAME, "%s:%d", kind->name, k);
    else
        snprintf(name, NAME, "%s", kind->name);
}

/* As the papers define it: what the command speaks of. */
static ddn_roots roots_of(const ddn_system *system)
{
    return strncmp(system->name, "arc-eager", 9) == 0 ? DDN_ROOTS_PLAIN : DDN_ROOTS_MANY;
}

static bool takes_all_trees(const ddn_system *system)
{
    return system->forest || system->rules || strcmp(system->name, "arc-standard") == 0;
}

typedef struct comparison {
    const ddn_system *system;
    dodona_oracle *oracle;
    test_golds golds;
    test_values values;
    int64_t taken;
} comparison;

static void compare(void *ctx, ddn_state *s, int32_t id, const test_step *step, int32_t m)
{
    comparison *c = ctx;
    written w = {
        .n = s->n, .depth = s->depth, .buffer = s->next, .focus = c->system->forest, .i = s->left
    };
    test_values_add(&c->values, c->system, s, id, step, m);
    memcpy(w.stack, s->stack, (size_t)s->depth * sizeof *w.stack);
    for (int32_t d = 1; d <= s->n; d++)
        w.arc[d] = s->node[d].head;
    for (int32_t g = 0; g < c->golds.count; g++) {
        char line[LINE], answer[LINE];
        bool legal[DDN_MAX_KINDS] = { false };
        w.heads = c->golds.gold[g].head;
        write_down(&w, line);
        assert_int_equal(ask(c->oracle, line, answer, NULL), DODONA_OK);
        for (int32_t i = 0; i < m; i++) {
            char name[NAME];
            int32_t score = test_value(&c->values, step[i].to, g);
            name_of(c->system, step, i, name);
            legal[step[i].move.kind] = true;
            assert_int_equal(score_in(answer, name), score);
            assert_int_equal(is_optimal(answer, name),
                             score >= 0 && score == test_value(&c->values, id, g));
        }
        if (c->system->forest)
            assert_int_equal(score_in(answer, "loss"), s->n - test_value(&c->values, id, g));
        if (strcmp(c->system->name, "covington-nm") == 0)
            assert_true(score_in(answer, "lower") <= score_in(answer, "word_loss") &&
                        score_in(answer, "word_loss") <= score_in(answer, "pc") &&
                        score_in(answer, "pc") <= score_in(answer, "upper"));
        assert_null(strstr(answer, "unknown"));
        for (int kind = 0; kind < c->system->kinds; kind++)
            if (!legal[kind]) {
                test_step none = { .move = { .kind = (uint8_t)kind } };
                char name[NAME];
                name_of(c->system, &none, 0, name);
                assert_int_equal(score_in(answer, name), -1);
                assert_false(is_optimal(answer, name));
            }
        c->taken++;
    }
}

static void scores_are_right(void **state)
{
    (void)state;
    for (int i = 0; ddn_systems[i]; i++) {
        comparison c = { .system = ddn_systems[i] };
        c.oracle = opened(c.system->name, NULL);
        test_golds_init(&c.golds, N, takes_all_trees(c.system) ? TEST_ALL : TEST_PROJECTIVE);
        test_values_init(&c.values, &c.golds);
        test_each_configuration(c.system, N, roots_of(c.system), NULL, compare, &c);
        assert_true(c.taken > 0);
        dodona_oracle_close(c.oracle);
        test_values_fini(&c.values);
        test_golds_fini(&c.golds);
    }
}

static void count_one(void *ctx, ddn_state *s, int32_t id, const test_step *step, int32_t m)
{
    (void)s, (void)id, (void)step, (void)m;
    ++*(int32_t *)ctx;
}

/* Every stack (or left focus word), buffer and set of arcs over three words: as many are taken as
 * can be reached. */
static int32_t count_taken(dodona_oracle *o, bool focus)
{
    const int32_t heads[] = { -1, 0, 1, 2 };
    int32_t taken = 0;
    for (int32_t code = 0; code < 5 * 5 * 5 * 4 * 8; code++) {
        written w = { .heads = heads, .n = REFUSED, .depth = 1 };
        char line[LINE], answer[LINE];
        dodona_error err = { 0 };
        int32_t rest = code;
        for (int32_t d = 1; d <= REFUSED; d++, rest /= 5)
            w.arc[d] = rest % 5 - 1;
        w.focus = focus;
        w.i = rest % 8;
        for (int32_t d = 1; d <= REFUSED; d++, rest /= 2)
            if (rest % 2)
                w.stack[w.depth++] = d;
        w.buffer = 1 + rest;
        write_down(&w, line);
        int status = ask(o, line, answer, &err);
        taken += status >= 0;
        assert_true(status >= 0 || (status == DODONA_E_INPUT && err.message[0]));
    }
    return taken;
}

static void others_are_refused(void **state)
{
    (void)state;
    for (int i = 0; ddn_systems[i]; i++) {
        int32_t there = 0;
        test_each_configuration(ddn_systems[i], REFUSED, roots_of(ddn_systems[i]), NULL, count_one,
                                &there);
        dodona_oracle *o = opened(ddn_systems[i]->name, NULL);
        assert_int_equal(count_taken(o, ddn_systems[i]->forest), there);
        dodona_oracle_close(o);
    }
}

static void answer_of(const char *algorithm, int64_t limit, const char *line, char *answer)
{
    dodona_oracle_options o;
    dodona_oracle *oracle;
    dodona_oracle_options_init(&o);
    o.system = "covington-nm";
    o.algorithm = algorithm;
    o.limit = limit ? limit : o.limit;
    assert_int_equal(dodona_oracle_open(&o, &oracle, NULL), DODONA_OK);
    assert_int_equal(ask(oracle, line, answer, NULL), DODONA_OK);
    dodona_oracle_close(oracle);
}

/* 2 -> 1 is made and 1 -> 3, 3 -> 2 are gold: a cycle, closed by 3 -> 2 or, if 2 and 3 are passed,
 * by 1 -> 3.  Left-arc makes 3 -> 2.  After that, 1 -> 3 takes 2 -> 1 away, which is not gold. */
static void bounds_are_scores(void **state)
{
    (void)state;
    const char *line = "{\"heads\":[0,3,1],\"i\":2,\"j\":3,\"arcs\":[2,-1,-1]}";
    char answer[LINE];
    answer_of("lower", 0, line, answer);
    assert_int_equal(score_in(answer, "left-arc"), 3);
    assert_int_equal(score_in(answer, "right-arc"), 2);
    assert_int_equal(score_in(answer, "no-arc"), 2);
    assert_int_equal(score_in(answer, "shift"), 1);
    assert_int_equal(score_in(answer, "lower"), 0);
    assert_int_equal(score_in(answer, "pc"), 0);
    assert_int_equal(score_in(answer, "upper"), 1);
    assert_int_equal(score_in(answer, "word_loss"), 0);
    answer_of("pc", 0, line, answer);
    assert_int_equal(score_in(answer, "left-arc"), 3);
    answer_of("upper", 0, line, answer);
    assert_int_equal(score_in(answer, "left-arc"), 2);
    assert_int_equal(score_in(answer, "no-arc"), 2);
}

/* 1, 2, 3 with 1 -> 2 gold and made, and 3 -> 1, 2 -> 3 ... */
static void limits_are_said(void **state)
{
    (void)state;
    const char *line = "{\"heads\":[3,0,2,0,0,0],\"i\":2,\"j\":3,\"arcs\":[-1,1,-1,-1,-1,-1]}";
    char answer[LINE];
    answer_of("exact", 1, line, answer);
    assert_non_null(strstr(answer, "\"loss\":null"));
    assert_non_null(strstr(answer, "\"optimal\":[]"));
    assert_non_null(strstr(answer, "\"unknown\":true"));
    answer_of("exact", 1000000, line, answer);
    assert_null(strstr(answer, "unknown"));
}

static void unknown_names_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *system, *algorithm, *strategy;
        int one_root;
        const char *word;
    } bad[] = {
        { "arc-lazy", NULL, "free", 0, "arc-lazy" },
        { "arc-standard", "delphi", "free", 0, "delphi" },
        { "arc-standard", "cost", "free", 0, "cost" },
        { "arc-standard", "path", "free", 0, "path" },
        { "arc-standard", NULL, "left", 0, "left" },
        { "arc-eager", NULL, "lbr", 0, "strategy" },
        { "arc-eager", NULL, "free", 1, "one" },
        { "covington", NULL, "free", 1, "one" },
        { "covington", "lower", "free", 0, "lower" },
        { "covington-nm", NULL, "lbr", 0, "strategy" },
        { "arc-standard", "linear", "free", 1, "linear" },
        { "arc-standard", "quadratic", "free", 1, "quadratic" },
        { "arc-standard", "incremental", "free", 1, "incremental" },
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        dodona_oracle_options o;
        dodona_oracle *oracle;
        dodona_error err = { 0 };
        dodona_oracle_options_init(&o);
        o.system = bad[i].system;
        o.algorithm = bad[i].algorithm;
        o.strategy = bad[i].strategy;
        o.one_root = bad[i].one_root;
        assert_int_equal(dodona_oracle_open(&o, &oracle, &err), DODONA_E_ARGUMENT);
        assert_null(oracle);
        assert_non_null(strstr(err.message, bad[i].word));
    }
}

/* Scores are values less costs; those of covington-nm are found elsewhere. */
static void oracles_have_values(void **state)
{
    (void)state;
    for (int i = 0; ddn_oracles[i]; i++)
        if (ddn_oracles[i]->everywhere && !ddn_oracles[i]->value &&
            !ddn_losses_knows(ddn_oracles[i]))
            fail_msg("'%s' answers everywhere but has no value", ddn_oracles[i]->name);
}

/* What the list for users says is what ddn_oracle_find takes. */
static void algorithms_serve(void **state)
{
    (void)state;
    int i, k = 0, served = 0;
    for (i = 0; dodona_algorithm_name(i); i++)
        for (k = 0; dodona_system_name(k); k++) {
            const ddn_oracle *o;
            int found = ddn_oracle_find(ddn_system_find(dodona_system_name(k)),
                                        dodona_algorithm_name(i), false, &o, NULL);
            assert_int_equal(dodona_algorithm_serves(i, k), found >= 0);
            served += found >= 0;
        }
    assert_true(served > i + k);
    assert_int_equal(dodona_algorithm_serves(i, 0), 0);
    assert_int_equal(dodona_algorithm_serves(0, k), 0);
    assert_int_equal(dodona_algorithm_serves(-1, -1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oracles_have_values),       cmocka_unit_test(scores_are_right),
        cmocka_unit_test(others_are_refused),        cmocka_unit_test(bounds_are_scores),
        cmocka_unit_test(algorithms_serve),          cmocka_unit_test(limits_are_said),
        cmocka_unit_test(unknown_names_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
