/* SPDX-License-Identifier: MIT */
/* The oracles of the Attardi family.
 *
 * 'path' against enumeration, on every configuration from which a gold tree can be reached; 'chart'
 * against enumeration, on every configuration for every gold tree; 'approximate' never above it,
 * and equal where the gold tree can be reached.  A tree is covered by the static oracle if and only
 * if the chart of exact search derives it: on all trees of up to six words for every system, and on
 * treebank sentences.  And for every set of rules of which it is said that reducing early is never
 * wrong, that is so. */
#include "chart/decode.h"
#include "io/conll.h"
#include "lib/check.h"
#include "lib/enumerate.h"
#include "lib/files.h"
#include "system/attardi_reach.h"
#include "system/attardi_rules.h"
#include "tree/tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const family[] = {
    "attardi", "alldeg1", "all", "alls0s1", "attardi:1", "s1<s0+s0<s1+s1<b0",
};
enum { FAMILY = sizeof family / sizeof *family };

/* ---- Oracles against enumeration ---- */

typedef struct comparison {
    const ddn_system *system;
    const ddn_oracle *path, *chart, *approximate;
    ddn_oracle_space *path_space, *chart_space, *approximate_space;
    test_golds golds;
    test_values values;
    int64_t on_path;
} comparison;

static void open_named(comparison *c, const char *name, bool one, const ddn_oracle **o,
                       ddn_oracle_space **space)
{
    ddn_oracle_options options = { .one_root = one };
    assert_int_equal(ddn_oracle_find(c->system, name, false, o, NULL), DODONA_OK);
    assert_int_equal(ddn_oracle_open(*o, c->system, options, space, NULL), DODONA_OK);
}

static void check_path(comparison *c, const ddn_state *s, int32_t g, const test_step *step,
                       int32_t m)
{
    ddn_move moves[DDN_MAX_KINDS];
    int32_t cost[DDN_MAX_KINDS];
    for (int32_t i = 0; i < m; i++)
        moves[i] = step[i].move;
    assert_int_equal(ddn_oracle_begin(c->path_space, &c->golds.gold[g], NULL), DODONA_OK);
    c->path->costs(c->path_space, s, moves, m, cost);
    for (int32_t i = 0; i < m; i++)
        assert_int_equal(cost[i] == 0, test_value(&c->values, step[i].to, g) == s->n);
    c->on_path++;
}

static void check_chart(comparison *c, const ddn_state *s, int32_t id, int32_t g,
                        const test_step *step, int32_t m)
{
    ddn_move moves[DDN_MAX_KINDS];
    int32_t cost[DDN_MAX_KINDS], best = test_value(&c->values, id, g);
    for (int32_t i = 0; i < m; i++)
        moves[i] = step[i].move;
    assert_int_equal(ddn_oracle_begin(c->chart_space, &c->golds.gold[g], NULL), DODONA_OK);
    assert_int_equal(c->chart->value(c->chart_space, s), best);
    c->chart->costs(c->chart_space, s, moves, m, cost);
    assert_false(c->chart_space->gave_up);
    for (int32_t i = 0; i < m; i++)
        assert_int_equal(best - cost[i], test_value(&c->values, step[i].to, g));
}

static void check_bound(comparison *c, const ddn_state *s, int32_t id, int32_t g)
{
    int32_t best = test_value(&c->values, id, g);
    ddn_oracle_space *space = c->approximate_space;
    assert_int_equal(ddn_oracle_begin(space, &c->golds.gold[g], NULL), DODONA_OK);
    int32_t bound = c->approximate->value(space, s);
    assert_true(bound <= best);
    if (best == s->n)
        assert_int_equal(bound, best);
}

static void visit(void *ctx, ddn_state *s, int32_t id, const test_step *step, int32_t m)
{
    comparison *c = ctx;
    test_values_add(&c->values, c->system, s, id, step, m);
    for (int32_t g = 0; g < c->golds.count; g++) {
        if (test_value(&c->values, id, g) == s->n)
            check_path(c, s, g, step, m);
        if (s->n < 4 || (id + g) % 7 == 0) /* a share of the many */
            check_chart(c, s, id, g, step, m);
        if (s->roots == DDN_ROOTS_MANY)
            check_bound(c, s, id, g);
    }
}

static void compare(const char *name, int32_t n, ddn_roots roots)
{
    comparison c = { .system = ddn_system_find(name) };
    bool one = roots == DDN_ROOTS_ONE;
    open_named(&c, "path", false, &c.path, &c.path_space);
    open_named(&c, "chart", one, &c.chart, &c.chart_space);
    open_named(&c, "approximate", false, &c.approximate, &c.approximate_space);
    test_golds_init(&c.golds, n, one ? TEST_ONE_ROOT : TEST_ALL);
    test_values_init(&c.values, &c.golds);
    test_each_configuration(c.system, n, roots, NULL, visit, &c);
    assert_true(c.on_path > 0);
    test_values_fini(&c.values);
    test_golds_fini(&c.golds);
    ddn_oracle_close(c.path_space);
    ddn_oracle_close(c.chart_space);
    ddn_oracle_close(c.approximate_space);
}

static void oracles_agree_with_enumeration(void **state)
{
    (void)state;
    for (int i = 0; i < FAMILY; i++)
        for (int32_t n = 1; n <= 4; n++) {
            compare(family[i], n, DDN_ROOTS_ONE);
            compare(family[i], n, DDN_ROOTS_MANY);
        }
}

/* The canonical computation has 2n moves or stops short. */
static void canonical_moves_are_counted(void **state)
{
    (void)state;
    enum { WORDS = 30, TREES = 3000 };
    ddn_rng rng;
    ddn_rng_init(&rng, 5);
    int32_t head[WORDS + 1], scratch[2 * (WORDS + 1)];
    int reached = 0;
    for (int t = 0; t < TREES; t++) {
        int32_t n = 6 + (int32_t)ddn_rng_below(&rng, 5);
        test_random_tree(&rng, n, TEST_ALL, head);
        for (int i = 0; i < 4; i++) {
            ddn_attardi_path p;
            const ddn_system *system = ddn_system_find(family[i]);
            ddn_attardi_path_start(&p, system->rules, head, n, scratch);
            int moves = 0;
            while (ddn_attardi_path_step(&p) >= 0)
                moves++;
            bool ends = p.depth == 1;
            assert_int_equal(ends, ddn_system_reaches(system, head, n, scratch));
            assert_true(!ends || moves == 2 * n);
            reached += ends;
        }
    }
    assert_true(reached > 0);
}

/* ---- The static oracle and the chart ---- */

typedef struct coverage {
    ddn_decoder decoder;
    ddn_decoding decoding;
    bool eager;
    int32_t n, covered;
} coverage;

enum { MOST = 15 };

static void both_cover(void *ctx, const int32_t *head)
{
    coverage *c = ctx;
    double w[(MOST + 1) * (MOST + 1)];
    int32_t found[MOST + 1], scratch[2 * (MOST + 1)], n = c->n;
    for (int32_t h = 0; h <= n; h++)
        for (int32_t d = 0; d <= n; d++)
            w[h * (n + 1) + d] = d > 0 && head[d] == h ? 1 : -INFINITY;
    ddn_decode_input in = { n, false, w };
    int derives = ddn_decode_best(&c->decoding, &c->decoder, &in, found, NULL, NULL);
    assert_in_range(derives, 0, 1);
    bool covers = ddn_attardi_reaches(c->decoder.rules, head, n, scratch);
    if (c->eager)
        assert_int_equal(covers, derives);
    else
        assert_true(derives || !covers);
    c->covered += derives;
}

static void static_oracle_covers_what_the_chart_derives(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int32_t six; /* trees of six words, by enumeration elsewhere */
    } of[] = { { "attardi", 9597 },  { "alldeg1", 10673 },  { "all", 13263 },
               { "alls0s1", 10733 }, { "attardi:1", 1428 }, { "s1<s0,s0<s1,s1<b0", 4063 } };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        coverage c = { .eager = true };
        ddn_decoding_init(&c.decoding, DDN_DECODE_MEMORY);
        assert_int_equal(ddn_decoder_find(of[i].name, &c.decoder, NULL), DODONA_OK);
        assert_true(ddn_attardi_is_eager(c.decoder.rules));
        for (c.n = 1; c.n <= 6; c.n++) {
            c.covered = 0;
            test_each_tree(c.n, TEST_ALL, both_cover, &c);
        }
        assert_int_equal(c.covered, of[i].six);
        ddn_decoding_fini(&c.decoding);
    }
}

/* All 512 sets, on all trees of four words; those of which it is not said are not all wrong, and
 * some are. */
static void eager_sets_are_eager(void **state)
{
    (void)state;
    int said = 0;
    for (uint32_t rules = 1; rules < DDN_RULE_BIT(DDN_ATTARDI_RULES); rules++) {
        coverage c = { .eager = ddn_attardi_is_eager(rules) };
        ddn_decoder_of_rules(rules, &c.decoder);
        ddn_decoding_init(&c.decoding, DDN_DECODE_MEMORY);
        for (c.n = 1; c.n <= 4; c.n++)
            test_each_tree(c.n, TEST_ALL, both_cover, &c);
        said += c.eager;
        ddn_decoding_fini(&c.decoding);
    }
    assert_in_range(said, 100, 512);
    uint32_t rules;
    assert_int_equal(ddn_attardi_rules_read("s1<s0+s0<s1+s0<s2+s1<b0", &rules, NULL), DODONA_OK);
    assert_false(ddn_attardi_is_eager(rules));
    for (int degree = 1; degree <= 7; degree++) {
        char name[16];
        snprintf(name, sizeof name, "attardi:%d", degree);
        assert_true(ddn_attardi_is_eager(ddn_system_find(name)->rules));
    }
}

/* Every crossing tree of up to MOST words, and some of the others. */
static int cover_file(coverage *c, const char *path)
{
    ddn_input *in;
    ddn_conll_reader *reader;
    ddn_sentence s;
    int compared = 0, number = 0;
    assert_int_equal(ddn_input_open(&in, path, NULL), DODONA_OK);
    assert_int_equal(ddn_conll_open(&reader, in, DODONA_CONLLU, DODONA_CHECK_TREE, false, NULL),
                     DODONA_OK);
    ddn_sentence_init(&s);
    while (ddn_conll_next(reader, &s, NULL) > 0) {
        int32_t scratch[2 * (MOST + 1)];
        if (s.n < 1 || s.n > MOST)
            continue;
        if (ddn_tree_is_projective(s.head, s.n, scratch) && number++ % 20 > 0)
            continue;
        c->n = s.n;
        both_cover(c, s.head);
        compared++;
    }
    ddn_sentence_fini(&s);
    ddn_conll_close(reader);
    return compared;
}

static void treebank_sentences(void **state)
{
    (void)state;
    static const char *const files[] = { "got_proiel/dev.conllu", "hu_szeged/dev.conllu",
                                         "cu_proiel/dev.conllu", "af_afribooms/dev.conllu",
                                         "tr_imst/dev.conllu" };
    int compared = 0;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++)
        for (int i = 0; i < 4; i++) {
            coverage c = { .eager = true };
            const char *path = test_treebank(files[f]);
            if (!path)
                continue;
            ddn_decoding_init(&c.decoding, DDN_DECODE_MEMORY);
            assert_int_equal(ddn_decoder_find(family[i], &c.decoder, NULL), DODONA_OK);
            compared += cover_file(&c, path);
            ddn_decoding_fini(&c.decoding);
        }
    if (!compared) {
        print_message("skipped: no treebanks here\n");
        skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oracles_agree_with_enumeration),
        cmocka_unit_test(canonical_moves_are_counted),
        cmocka_unit_test(static_oracle_covers_what_the_chart_derives),
        cmocka_unit_test(eager_sets_are_eager),
        cmocka_unit_test(treebank_sentences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
