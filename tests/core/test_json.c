/* SPDX-License-Identifier: MIT */
/* The writer against texts written by hand, and against what jansson reads in them. */
#include "core/json.h"
#include "lib/check.h"

#include <float.h>
#include <jansson.h>
#include <locale.h>
#include <math.h>

static ddn_output out;

static int begin(void **state)
{
    (void)state;
    ddn_output_memory(&out);
    return 0;
}

static int end(void **state)
{
    (void)state;
    ddn_output_abandon(&out);
    return 0;
}

/* What was written since the last call. */
static void check_text(const char *wanted)
{
    ddn_put(&out, "", 1);
    assert_int_equal(out.error.code, DODONA_OK);
    assert_string_equal(out.data, wanted);
    out.size = 0;
}

static void commas_stand_between_values(void **state)
{
    (void)state;
    ddn_json j = { .out = &out };
    ddn_json_begin(&j, '{');
    ddn_json_int(ddn_json_key(&j, "a"), -1);
    ddn_json_begin(ddn_json_key(&j, "b"), '[');
    ddn_json_end(&j, ']');
    ddn_json_begin(ddn_json_key(&j, "c"), '[');
    ddn_json_begin(&j, '{');
    ddn_json_end(&j, '}');
    ddn_json_begin(&j, '[');
    ddn_json_string(&j, "x");
    ddn_json_string(&j, "");
    ddn_json_end(&j, ']');
    ddn_json_raw(&j, "null");
    ddn_json_printf(&j, "%.2f", 0.5);
    ddn_json_end(&j, ']');
    ddn_json_begin(ddn_json_key(&j, "d"), '{');
    ddn_json_raw(ddn_json_key_text(&j, (dodona_text){ "efg", 1 }),
                 "123456789012345678901234567890");
    ddn_json_double(ddn_json_key(&j, "f"), 2);
    ddn_json_shortest(ddn_json_key(&j, "g"), 0.25);
    ddn_json_end(&j, '}');
    ddn_json_end(&j, '}');
    check_text("{\"a\":-1,\"b\":[],\"c\":[{},[\"x\",\"\"],null,0.50],"
               "\"d\":{\"e\":123456789012345678901234567890,\"f\":2,\"g\":0.25}}");
}

static void strings_are_escaped(void **state)
{
    (void)state;
    static const char text[] = "\"\\/\b\t\n\r\x01\x1f\x7f é 𝄞";
    ddn_json j = { .out = &out };
    ddn_json_string(&j, text);
    check_text("\"\\\"\\\\/\\u0008\\t\\n\\u000d\\u0001\\u001f\x7f é 𝄞\"");
    j.comma = false;
    ddn_json_text(&j, (dodona_text){ "a\0b", 3 });
    check_text("\"a\\u0000b\"");
    j.comma = false;
    ddn_json_begin(&j, '{');
    ddn_json_string(ddn_json_key(&j, text), text);
    ddn_json_end(&j, '}');
    json_t *read = json_loadb(out.data, out.size, 0, NULL);
    assert_non_null(read);
    assert_string_equal(json_string_value(json_object_get(read, text)), text);
    json_decref(read);
}

static void numbers_mean_the_same_when_read(void **state)
{
    (void)state;
    static const struct {
        double x;
        const char *full, *shortest;
    } of[] = {
        { 0, "0", "0" },
        { -3, "-3", "-3" },
        { 0.5, "0.5", "0.5" },
        { 0.1, "0.10000000000000001", "0.1" },
        { 1e15, "1000000000000000", "1e+15" },
        { 9007199254740991.0, "9007199254740991", "9007199254740991" },
        { 9007199254740992.0, "9007199254740992", "9007199254740992" },
        { 1e22, "1e+22", "1e+22" },
        { -0.3, "-0.29999999999999999", "-0.3" },
        { DBL_MAX, "1.7976931348623157e+308", "1.7976931348623157e+308" },
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        ddn_json_double(&(ddn_json){ .out = &out }, of[i].x);
        check_text(of[i].full);
        ddn_json_shortest(&(ddn_json){ .out = &out }, of[i].x);
        check_text(of[i].shortest);
    }
    ddn_json j = { .out = &out };
    ddn_json_begin(&j, '[');
    double x = 1e-9;
    for (int i = 0; i < 2000; i++, x *= -1.03) {
        ddn_json_double(&j, x);
        ddn_json_shortest(&j, x);
    }
    ddn_json_end(&j, ']');
    json_t *read = json_loadb(out.data, out.size, JSON_DECODE_INT_AS_REAL, NULL);
    assert_int_equal(json_array_size(read), 4000);
    x = 1e-9;
    for (size_t i = 0; i < 4000; i += 2, x *= -1.03) {
        assert_true(json_real_value(json_array_get(read, i)) == x);
        assert_true(json_real_value(json_array_get(read, i + 1)) == x);
    }
    json_decref(read);
}

/* A program that uses the library may have set a locale with a decimal comma. */
static void numbers_have_a_point_in_any_locale(void **state)
{
    (void)state;
    locale_t comma = newlocale(LC_NUMERIC_MASK, "de_DE.UTF-8", (locale_t)0);
    if (!comma)
        skip();
    locale_t before = uselocale(comma);
    ddn_json_shortest(&(ddn_json){ .out = &out }, 0.25);
    check_text("0.25");
    ddn_json_double(&(ddn_json){ .out = &out }, 0.25);
    check_text("0.25");
    ddn_json_printf(&(ddn_json){ .out = &out }, "%.2f", 0.25);
    check_text("0.25");
    uselocale(before);
    freelocale(comma);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(commas_stand_between_values, begin, end),
        cmocka_unit_test_setup_teardown(strings_are_escaped, begin, end),
        cmocka_unit_test_setup_teardown(numbers_mean_the_same_when_read, begin, end),
        cmocka_unit_test_setup_teardown(numbers_have_a_point_in_any_locale, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
