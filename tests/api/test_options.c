/* SPDX-License-Identifier: MIT */
/* The tables of options against the structs as the public header shows them, and what is refused
 * against what the tables say. */
#include "api/options.h"
#include "lib/check.h"
#include "lib/files.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct kind {
    const char *name;
    const dodona_option *(*option)(int i);
    const char *not_options; /* fields that are not, with spaces around them */
    int (*take)(void *all, const void *given, dodona_error *err);
} kind;

#define TAKE(name)                                                                                 \
    static int take_##name(void *all, const void *given, dodona_error *err)                        \
    {                                                                                              \
        return ddn_##name##_options_take(all, given, err);                                         \
    }
TAKE(train)
TAKE(parse)
TAKE(eval)

static const kind kinds[] = {
    { "train", dodona_train_option, " size report report_ctx steps ", take_train },
    { "parse", dodona_parse_option, " size report report_ctx trace trace_ctx forest steps ",
      take_parse },
    { "eval", dodona_eval_option, " size ", take_eval },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef union options {
    dodona_train_options train;
    dodona_parse_options parse;
    dodona_eval_options eval;
} options;

static const dodona_option *find(const kind *k, const char *field, size_t size)
{
    const dodona_option *o;
    for (int i = 0; (o = k->option(i)); i++)
        if (strlen(o->field) == size && memcmp(o->field, field, size) == 0)
            return o;
    return NULL;
}

/* The header with one space in place of every run of them and of line ends. */
static char *read_header(void)
{
    enum { MOST = 1 << 20 };
    char *text = malloc(MOST);
    FILE *f = fopen(test_data("../../include/dodona.h"), "r");
    assert_true(text && f);
    size_t size = 0;
    for (int c, space = 0; (c = getc(f)) != EOF && size + 2 < MOST; space = isspace(c)) {
        if (!isspace(c))
            text[size++] = (char)c;
        else if (!space)
            text[size++] = ' ';
    }
    text[size] = '\0';
    fclose(f);
    return text;
}

/* The comment of a field names the default, unless that is 0 or NULL. */
static void check_comment(const dodona_option *o, const char *comment, size_t size)
{
    char wanted[80] = "", text[800];
    snprintf(text, sizeof text, "%.*s", (int)size, comment);
    if (o->word)
        snprintf(wanted, sizeof wanted, "default \"%s\"", o->word);
    else if (o->number != 0)
        snprintf(wanted, sizeof wanted, "default %g", o->number);
    if (!strstr(text, wanted))
        fail_msg("the comment of %s does not say %s", o->field, wanted);
}

/* A declaration, from its start to the end of the comment behind it; returns that end. */
static const char *check_field(const kind *k, const char *at, int *found)
{
    const char *semicolon = strchr(at, ';'), *name = semicolon, *end = semicolon + 1;
    while (isalnum((unsigned char)name[-1]) || name[-1] == '_')
        name--;
    if (strncmp(end, " /*", 3) == 0)
        end = strstr(end, "*/") + 2;
    size_t size = (size_t)(semicolon - name);
    const dodona_option *o = find(k, name, size);
    char spaced[64];
    snprintf(spaced, sizeof spaced, " %.*s ", (int)size, name);
    if (o)
        check_comment(o, semicolon, (size_t)(end - semicolon));
    else if (!strstr(k->not_options, spaced))
        fail_msg("%s is not an option of %s", spaced, k->name);
    *found += o != NULL;
    return end;
}

/* Every field of the struct in the header is an option or is known not to be one, and every option
 * is a field. */
static void header_has_the_options(void **state)
{
    (void)state;
    char *header = read_header();
    for (const kind *k = kinds; k < kinds + KINDS; k++) {
        char begin[80];
        int found = 0, count = 0;
        snprintf(begin, sizeof begin, "typedef struct dodona_%s_options {", k->name);
        const char *at = strstr(header, begin);
        assert_non_null(at);
        at += strlen(begin);
        while (strncmp(at, " }", 2) != 0)
            at = check_field(k, at, &found);
        while (k->option(count))
            count++;
        assert_int_equal(found, count);
    }
    free(header);
}

/* A field set to a number is taken or refused, and the refusal names both. */
static void check_number(const kind *k, const dodona_option *o, double x, bool good)
{
    options given, all;
    dodona_error err;
    char begin[80];
    assert_int_equal(k->take(&given, NULL, &err), 0);
    void *field = (char *)&given + o->offset;
    if (o->type == DODONA_OPTION_REAL)
        *(double *)field = x;
    else if (o->type == DODONA_OPTION_COUNT)
        *(int64_t *)field = (int64_t)x;
    else
        *(int *)field = (int)x;
    int status = k->take(&all, &given, &err);
    if (good)
        assert_int_equal(status, 0);
    if (good)
        return;
    assert_int_equal(status, DODONA_E_ARGUMENT);
    snprintf(begin, sizeof begin, "%s is %.15g; expected a ", o->field, x);
    assert_memory_equal(err.message, begin, strlen(begin));
}

static void check_word(const kind *k, const dodona_option *o, const char *word, bool good)
{
    options given, all;
    dodona_error err;
    assert_int_equal(k->take(&given, NULL, &err), 0);
    *(const char **)((char *)&given + o->offset) = word;
    assert_int_equal(k->take(&all, &given, &err), good ? 0 : DODONA_E_ARGUMENT);
    if (!good)
        assert_memory_equal(err.message, o->field, strlen(o->field));
}

static void values_are_checked(void **state)
{
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        const dodona_option *o;
        for (int i = 0; (o = kinds[k].option(i)); i++) {
            double step = o->type == DODONA_OPTION_REAL ? 1e-9 : 1;
            switch (o->type) {
            case DODONA_OPTION_INT:
            case DODONA_OPTION_COUNT:
            case DODONA_OPTION_REAL:
                check_number(&kinds[k], o, o->least, true);
                check_number(&kinds[k], o, o->number, true);
                if (isinf(o->most))
                    break;
                check_number(&kinds[k], o, o->most, true);
                check_number(&kinds[k], o, o->most + 2 * step, false);
                check_number(&kinds[k], o, o->least - 2 * step, false);
                if (o->type == DODONA_OPTION_REAL)
                    check_number(&kinds[k], o, INFINITY, false);
                break;
            case DODONA_OPTION_INDEX:
                check_number(&kinds[k], o, 0, true);
                check_number(&kinds[k], o, 1, true);
                check_number(&kinds[k], o, strchr(strchr(o->argument, '|') + 1, '|') ? 3 : 2,
                             false);
                check_number(&kinds[k], o, -2, false);
                break;
            case DODONA_OPTION_FLAG:
                break;
            default:
                check_word(&kinds[k], o, NULL, !o->word);
                check_word(&kinds[k], o, "nonsense", o->type != DODONA_OPTION_CHOICE);
                check_word(&kinds[k], o, "", o->type != DODONA_OPTION_CHOICE);
            }
        }
    }
}

/* Words of a choice, and no others, are taken: here those that come from a table. */
static void searches_are_all_there_are(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        const dodona_option *o = find(&kinds[k], "search", 6);
        size_t size = 0;
        for (int i = 0; dodona_search_name(i); i++) {
            check_word(&kinds[k], o, dodona_search_name(i), true);
            size += strlen(dodona_search_name(i)) + 1;
        }
        assert_int_equal(strlen(o->argument) + 1, size);
        check_word(&kinds[k], o, "greed", false);
        check_word(&kinds[k], o, "greedyx", false);
    }
}

static void a_refusal_says_what_was_expected(void **state)
{
    (void)state;
    dodona_train_options o;
    dodona_error err;
    dodona_train_options_init(&o);
    o.explore_rate = 1.5;
    assert_int_equal(dodona_train(&o, NULL, NULL, "never", NULL, &err), DODONA_E_ARGUMENT);
    assert_string_equal(err.message, "explore_rate is 1.5; expected a number from 0 to 1");
    dodona_train_options_init(&o);
    o.nonprojective = "lift";
    assert_int_equal(dodona_train(&o, NULL, NULL, "never", NULL, &err), DODONA_E_ARGUMENT);
    assert_string_equal(err.message, "nonprojective is 'lift'; expected skip, projectivize, pseudo "
                                     "or direct");
    dodona_train_options_init(&o);
    o.jackknife = -1;
    assert_int_equal(dodona_train(&o, NULL, NULL, "never", NULL, &err), DODONA_E_ARGUMENT);
    assert_string_equal(err.message, "jackknife is -1; expected a whole number from 1 to 100");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(header_has_the_options),
        cmocka_unit_test(values_are_checked),
        cmocka_unit_test(searches_are_all_there_are),
        cmocka_unit_test(a_refusal_says_what_was_expected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
