/* SPDX-License-Identifier: MIT */
/* The reference itself: the oracle 'search' goes down every computation from one configuration, the
 * walk of lib/enumerate.h comes up from the ends of all.  They agree for every listed system, every
 * kind of end and every gold tree, projective or not. */
#include "lib/check.h"
#include "lib/enumerate.h"

#include <string.h>

enum { N = 4 };

static void compare_all(ddn_roots roots)
{
    for (int i = 0; ddn_systems[i]; i++)
        for (int32_t n = 1; n <= N; n++)
            test_search_agrees(ddn_systems[i], n, roots);
}

static void with_one_root(void **state)
{
    (void)state;
    compare_all(DDN_ROOTS_ONE);
}

static void with_many_roots(void **state)
{
    (void)state;
    compare_all(DDN_ROOTS_MANY);
}

static void as_the_papers_have_them(void **state)
{
    (void)state;
    compare_all(DDN_ROOTS_PLAIN);
}

static void long_sentences_are_refused(void **state)
{
    (void)state;
    const ddn_oracle *search;
    ddn_oracle_space *space;
    int32_t head[12] = { -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
    ddn_gold gold;
    ddn_gold_init(&gold);
    assert_int_equal(ddn_oracle_find(ddn_systems[0], "search", true, &search, NULL), DODONA_OK);
    assert_int_equal(
        ddn_oracle_open(search, ddn_systems[0], (ddn_oracle_options){ 0 }, &space, NULL),
        DODONA_OK);
    dodona_error err = { 0 };
    assert_int_equal(ddn_gold_set(&gold, head, NULL, 11, NULL), DODONA_OK);
    assert_int_equal(ddn_oracle_begin(space, &gold, &err), DODONA_E_LIMIT);
    assert_non_null(strstr(err.message, "11"));
    assert_int_equal(ddn_gold_set(&gold, head, NULL, 10, NULL), DODONA_OK);
    assert_int_equal(ddn_oracle_begin(space, &gold, &err), DODONA_OK);
    ddn_oracle_close(space);
    ddn_gold_fini(&gold);
}

/* A gold tree's children, by hand: heads 2 0 2 5 2. */
static void gold_children_are_in_order(void **state)
{
    (void)state;
    const int32_t head[] = { -1, 2, 0, 2, 5, 2 };
    const int32_t first[] = { 0, 1, 1, 4, 4, 4, 5 }, child[] = { 2, 1, 3, 5, 4 };
    ddn_gold gold;
    ddn_gold_init(&gold);
    assert_int_equal(ddn_gold_set(&gold, head, NULL, 5, NULL), DODONA_OK);
    for (int i = 0; i <= 6; i++)
        assert_int_equal(gold.first[i], first[i]);
    for (int i = 0; i < 5; i++)
        assert_int_equal(gold.child[i], child[i]);
    assert_true(gold.projective);
    ddn_gold_fini(&gold);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gold_children_are_in_order),
        cmocka_unit_test(long_sentences_are_refused),
        cmocka_unit_test(with_one_root),
        cmocka_unit_test(with_many_roots),
        cmocka_unit_test(as_the_papers_have_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
