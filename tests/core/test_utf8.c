/* SPDX-License-Identifier: MIT */
/* Validation against utf8proc's decoder, over all short byte strings. */
#include "core/utf8.h"
#include "lib/check.h"
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* The first bad offset according to utf8proc, and NUL as bad. */
static size_t reference(const unsigned char *p, size_t size)
{
    size_t at = 0;
    while (at < size) {
        utf8proc_int32_t c;
        utf8proc_ssize_t length = utf8proc_iterate(p + at, (utf8proc_ssize_t)(size - at), &c);
        if (length <= 0 || c == 0)
            break;
        at += (size_t)length;
    }
    return at;
}

static void agrees(const unsigned char *bytes, size_t size)
{
    if (ddn_utf8_check((const char *)bytes, size) != reference(bytes, size))
        fail_msg("%02x %02x %02x %02x", bytes[0], bytes[1], bytes[2], bytes[3]);
}

static void short_strings_agree(void **state)
{
    (void)state;
    for (unsigned x = 0; x < 1u << 24; x++) {
        const unsigned char b[4] = { (unsigned char)(x >> 16), (unsigned char)(x >> 8),
                                     (unsigned char)x, 0x80 };
        agrees(b, 3);
        if (b[0] >= 0xee)
            agrees(b, 4);
    }
}

static void every_place_is_looked_at(void **state)
{
    (void)state;
    enum { SIZE = 67 };
    static const unsigned char bad[] = { 0x00, 0x80, 0xc0, 0xff };
    unsigned char *text = malloc(SIZE); /* of exact size, so that a read beyond is noticed */
    assert_non_null(text);
    for (size_t start = 0; start <= SIZE; start++)
        for (size_t at = start; at < SIZE; at++)
            for (size_t k = 0; k < sizeof bad; k++) {
                memset(text, 'x', SIZE);
                text[at] = bad[k];
                assert_int_equal(ddn_utf8_check((char *)text + start, SIZE - start), at - start);
            }
    memset(text, 0x7f, SIZE);
    assert_int_equal(ddn_utf8_check((char *)text, SIZE), SIZE);
    memset(text, 0x01, SIZE);
    assert_int_equal(ddn_utf8_check((char *)text, SIZE), SIZE);
    assert_int_equal(ddn_utf8_check(NULL, 0), 0);
    free(text);
}

static void widths(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t width;
    } cases[] = { { "", 0 },   { "oak", 3 },  { "e\xcc\x81", 1 },
                  { "木", 2 }, { "Δρυς", 4 }, { "बोलता", 5 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(ddn_utf8_width(cases[i].text, strlen(cases[i].text)), cases[i].width);
}

static void directions(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int direction;
    } cases[] = { { "", 0 },        { "12 (.", 0 }, { "oak", 1 },   { "\"木", 1 },
                  { "(יער a", -1 }, { "دار", -1 },  { "1a دار", 1 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(ddn_utf8_direction(cases[i].text, strlen(cases[i].text)),
                         cases[i].direction);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_strings_agree),
        cmocka_unit_test(every_place_is_looked_at),
        cmocka_unit_test(widths),
        cmocka_unit_test(directions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
