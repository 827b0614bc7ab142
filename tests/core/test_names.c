/* SPDX-License-Identifier: MIT */
/* Names in messages: lists with commas and "and", what does not fit, and what was meant. */
#include "core/names.h"
#include "lib/check.h"

#include <string.h>

static void names_are_listed(void **state)
{
    (void)state;
    static const char *const name[] = { "a", "bc", "d" };
    static const char *const expected[] = { "none", "a", "a and bc", "a, bc and d" };
    for (int count = 0; count <= 3; count++) {
        ddn_names names = { 0 };
        for (int i = 0; i < count; i++)
            ddn_names_add(&names, name[i]);
        assert_string_equal(ddn_names_text(&names), expected[count]);
    }
}

/* Names of every length fill the room up to its end, and never go beyond it. */
static void long_lists_are_cut(void **state)
{
    (void)state;
    char name[sizeof((ddn_names *)0)->text + 8];
    for (size_t size = 1; size < sizeof name; size++) {
        ddn_names names = { 0 };
        memset(name, 'x', size);
        name[size] = '\0';
        for (int i = 0; i < 300; i++)
            ddn_names_add(&names, name);
        assert_int_equal(strlen(ddn_names_text(&names)), sizeof names.text - 1);
    }
}

/* One letter off for short names, two for others; the nearest is suggested, of several the first.
 */
static void misspelt_names_are_guessed(void **state)
{
    (void)state;
    static const struct {
        const char *wanted, *best;
    } of[] = {
        { "dp", "dp" },         { "d", "dp" },
        { "dpp", "dp" },        { "pd", NULL },
        { "bean", "beam" },     { "baem", NULL },
        { "greddy", "greedy" }, { "gready", "greedy" },
        { "gerdy", "greedy" },  { "gerdi", NULL },
        { "", NULL },           { "exact!?", "exact" },
        { "exakt", "exact" },   { "an oracle that has a name of more than forty letters", NULL },
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        ddn_guess g = { .wanted = of[i].wanted };
        ddn_guess_try(&g, "greedy");
        ddn_guess_try(&g, "beam");
        ddn_guess_try(&g, "dp");
        ddn_guess_try(&g, "exact");
        if (of[i].best)
            assert_string_equal(g.best, of[i].best);
        else
            assert_null(g.best);
    }
}

static void unknown_names_are_refused(void **state)
{
    (void)state;
    static const char *const wanted[] = { "beem", "best" };
    static const char *const says[] = { "there is no search 'beem'; did you mean 'beam'?",
                                        "there is no search 'best'; there are greedy and beam" };
    for (int i = 0; i < 2; i++) {
        dodona_error err;
        ddn_names names = { .guess.wanted = wanted[i] };
        ddn_names_add(&names, "greedy");
        ddn_names_add(&names, "beam");
        assert_int_equal(ddn_fail_unknown(&err, "search", &names), DODONA_E_ARGUMENT);
        assert_string_equal(err.message, says[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_listed),
        cmocka_unit_test(long_lists_are_cut),
        cmocka_unit_test(misspelt_names_are_guessed),
        cmocka_unit_test(unknown_names_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
