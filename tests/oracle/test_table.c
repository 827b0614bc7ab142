/* SPDX-License-Identifier: MIT */
/* The table of oracles: whom each serves, which trees it takes, and how another is refused. */
#include "lib/check.h"
#include "lib/enumerate.h"

#include <stdio.h>
#include <string.h>

/* By name, as docs/oracles.md says. */
static const struct {
    const char *oracle, *systems;
} served[] = {
    { "path",
      "arc-standard lr-spine arc-eager-nm covington covington-nm attardi alldeg1 all alls0s1 "
      "attardi:3" },
    { "cost", "arc-eager arc-hybrid arc-eager-nm" },
    { "incremental", "arc-standard" },
    { "linear", "arc-standard" },
    { "quadratic", "arc-standard" },
    { "cubic", "arc-standard" },
    { "tabular", "arc-standard lr-spine" },
    { "exact", "covington covington-nm" },
    { "upper", "covington-nm" },
    { "pc", "covington-nm" },
    { "lower", "covington-nm" },
    { "approximate", "attardi alldeg1 all alls0s1 attardi:3" },
    { "chart", "attardi alldeg1 all alls0s1" },
};

static bool names(const char *list, const char *name)
{
    char padded[256], wanted[64];
    snprintf(padded, sizeof padded, " %s ", list);
    snprintf(wanted, sizeof wanted, " %s ", name);
    return strstr(padded, wanted) != NULL;
}

static void expect_served(const ddn_system *system)
{
    const ddn_oracle *o;
    for (size_t i = 0; i < sizeof served / sizeof *served; i++) {
        int status = ddn_oracle_find(system, served[i].oracle, false, &o, NULL);
        assert_int_equal(status >= 0, names(served[i].systems, system->name));
    }
    assert_int_equal(ddn_oracle_find(system, "search", false, &o, NULL), DODONA_OK);
}

static void oracles_serve_their_systems(void **state)
{
    (void)state;
    for (int i = 0; ddn_systems[i]; i++)
        expect_served(ddn_systems[i]);
    expect_served(ddn_system_find("attardi:3"));
}

/* ---- Which gold trees ---- */

typedef struct trees {
    const ddn_oracle *oracle;
    const ddn_system *system;
    ddn_oracle_space *space;
    int32_t n, refused;
} trees;

static void begin_tree(void *ctx, const int32_t *head)
{
    trees *t = ctx;
    int32_t scratch[2 * (TEST_MAX_WORDS + 1)];
    ddn_gold gold;
    ddn_gold_init(&gold);
    assert_int_equal(ddn_gold_set(&gold, head, NULL, t->n, NULL), DODONA_OK);
    bool reached = ddn_system_reaches(t->system, head, t->n, scratch);
    bool taken = ddn_oracle_begin(t->space, &gold, NULL) >= 0;
    assert_int_equal(taken, reached || t->oracle->any_tree);
    t->refused += !taken;
    ddn_gold_fini(&gold);
}

/* Refused are the trees that the system does not reach, unless the oracle takes any tree. */
static void trees_are_taken(void **state)
{
    (void)state;
    int refusing = 0;
    for (int i = 0; ddn_systems[i]; i++)
        for (int k = 0; ddn_oracles[k]; k++) {
            trees t = { .oracle = ddn_oracles[k], .system = ddn_systems[i] };
            if (!t.oracle->serves(t.system))
                continue;
            assert_int_equal(
                ddn_oracle_open(t.oracle, t.system, (ddn_oracle_options){ 0 }, &t.space, NULL),
                DODONA_OK);
            for (t.n = 1; t.n <= 5; t.n++)
                test_each_tree(t.n, TEST_ALL, begin_tree, &t);
            ddn_oracle_close(t.space);
            refusing += t.refused > 0;
        }
    assert_true(refusing > 0);
}

/* ---- Refusals ---- */

static void refusals_name_others(void **state)
{
    (void)state;
    static const struct {
        const char *system, *oracle;
        bool everywhere;
        const char *says;
    } bad[] = {
        { "covington", "cubic", false,
          "the oracle 'cubic' does not serve covington; those that do are path, exact and search" },
        { "arc-eager-nm", "path", true,
          "the oracle 'path' does not serve arc-eager-nm off the gold path; those that do are cost "
          "and search" },
        { "arc-hybrid", "best", false,
          "there is no oracle algorithm 'best'; those that serve arc-hybrid are cost and search" },
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const ddn_oracle *o;
        dodona_error err;
        assert_int_equal(ddn_oracle_find(ddn_system_find(bad[i].system), bad[i].oracle,
                                         bad[i].everywhere, &o, &err),
                         DODONA_E_ARGUMENT);
        assert_string_equal(err.message, bad[i].says);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oracles_serve_their_systems),
        cmocka_unit_test(trees_are_taken),
        cmocka_unit_test(refusals_name_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
