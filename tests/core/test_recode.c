/* SPDX-License-Identifier: MIT */
/* Encodings against iconv, and what is not UTF-8 against a search for characters and beginnings of
 * characters; in any pieces and any room. */
#include "core/recode.h"
#include "core/rng.h"
#include "core/utf8.h"
#include "lib/check.h"
#include <iconv.h>
#include <string.h>

enum { SIZE = 300 };

/* Recodes with the bytes coming chunk at a time, into so much room. */
static ptrdiff_t recode(ddn_recoder *r, const char *in, size_t size, size_t chunk, size_t room,
                        char *out, dodona_error *err)
{
    size_t at = 0, end = 0, made = 0;
    for (;;) {
        size_t used = end - at;
        ptrdiff_t some = ddn_recode(r, in + at, &used, end == size, out + made, room, "f", err);
        if (some < 0)
            return some;
        assert_true((size_t)some <= room && used <= end - at);
        at += used;
        made += (size_t)some;
        if (at == size)
            return (ptrdiff_t)made;
        if (some == 0) {
            assert_true(end < size && end - at < DDN_CHARACTER);
            end = end + chunk < size ? end + chunk : size;
        }
    }
}

static void check(ddn_encoding e, const char *name, const char *in, size_t size, ddn_rng *r)
{
    char want[8 * SIZE], got[8 * SIZE], *from = (char *)(uintptr_t)in, *to = want;
    size_t left = size, room = sizeof want;
    iconv_t c = iconv_open("UTF-8", name);
    assert_true(c != (iconv_t)-1);
    assert_int_equal(iconv(c, &from, &left, &to, &room), 0);
    iconv_close(c);
    ddn_recoder x = { .encoding = e };
    ptrdiff_t made =
        recode(&x, in, size, 1 + ddn_rng_below(r, 9), 4 + ddn_rng_below(r, 9), got, NULL);
    assert_int_equal(made, to - want);
    assert_memory_equal(got, want, made);
    int64_t lines = 0;
    for (const char *p = want; p < to; p++)
        lines += *p == '\n';
    assert_int_equal(x.line, lines);
}

static void as_iconv(void **state)
{
    (void)state;
    ddn_rng r;
    ddn_rng_init(&r, 1);
    for (int i = 0; i < 500; i++) {
        char in[SIZE];
        size_t size = ddn_rng_below(&r, SIZE);
        for (size_t k = 0; k < size; k++)
            in[k] = (char)ddn_rng_below(&r, 256);
        check(DDN_LATIN1, "ISO-8859-1", in, size, &r);
        for (size_t k = 0; k < size; k++)
            if (strchr("\x81\x8d\x8f\x90\x9d", in[k]))
                in[k] = '\n';
        check(DDN_CP1252, "CP1252", in, size, &r);
        for (size_t k = 0; k + 1 < size; k += 2) /* no surrogates but in pairs */
            if (((unsigned char)in[k + 1] & 0xf8) == 0xd8) {
                in[k + 1] = k + 3 < size ? (char)(in[k + 1] & 0xfb) : ' ';
                if (k + 3 < size) {
                    in[k + 3] = (char)(0xdc | (in[k + 3] & 3));
                    k += 2;
                }
            }
        check(DDN_UTF16, "UTF-16LE", in, size & ~(size_t)1, &r);
    }
}

static void byte_order_marks(void **state)
{
    (void)state;
    static const struct {
        const char *in;
        size_t size;
    } cases[] = { { "\xff\xfe\xe9\0\n\0", 6 }, { "\xfe\xff\0\xe9\0\n", 6 }, { "\xe9\0\n\0", 4 } };
    for (size_t i = 0; i < 3; i++) {
        char out[64];
        ddn_recoder x = { .encoding = DDN_UTF16 };
        assert_int_equal(recode(&x, cases[i].in, cases[i].size, 1, 4, out, NULL), 3);
        assert_memory_equal(out, "\xc3\xa9\n", 3);
    }
}

/* ---- What is not UTF-8 ---- */

/* The length of the character that the bytes are, or 0. */
static size_t is_character(const char *p, size_t size)
{
    for (size_t length = 1; length <= 4 && length <= size; length++)
        if (ddn_utf8_check(p, length) == length)
            return length;
    return size && *p == '\0';
}

/* Whether some bytes behind these make a character of them. */
static bool begins(const char *p, size_t size)
{
    static const char ends[] = "\x80\x8f\x90\x9f\xa0\xbf";
    char all[4];
    memcpy(all, p, size);
    for (size_t i = 0; i < 6 * 6 * 6; i++) {
        size_t k = i;
        for (size_t at = size; at < 4; at++, k /= 6)
            all[at] = ends[k % 6];
        if (is_character(all, 4) > size)
            return true;
    }
    return false;
}

static size_t replace_slowly(const char *in, size_t size, char *out, int64_t *count)
{
    size_t made = 0;
    *count = 0;
    for (size_t at = 0, step; at < size; at += step) {
        step = is_character(in + at, size - at);
        if (step) {
            memcpy(out + made, in + at, step);
            made += step;
            continue;
        }
        for (step = 3; step > 1 && (at + step > size || !begins(in + at, step));)
            step--;
        memcpy(out + made, "\xef\xbf\xbd", 3);
        made += 3;
        ++*count;
    }
    return made;
}

static void bad_bytes_are_replaced(void **state)
{
    (void)state;
    static const unsigned char likely[] = { 'a',  '\n', 0,    0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf,
                                            0xc1, 0xc2, 0xe0, 0xe2, 0xed, 0xf0, 0xf1, 0xf4, 0xf5 };
    ddn_rng r;
    ddn_rng_init(&r, 2);
    for (int i = 0; i < 3000; i++) {
        char in[SIZE], want[4 * SIZE], got[4 * SIZE];
        int64_t count;
        size_t size = ddn_rng_below(&r, i % 2 ? 12 : SIZE);
        for (size_t k = 0; k < size; k++)
            in[k] = (char)likely[ddn_rng_below(&r, sizeof likely)];
        if (size > 100)
            memset(in + 20, 'x', 60);
        size_t wanted = replace_slowly(in, size, want, &count);
        ddn_recoder x = { .replace = true };
        ptrdiff_t made =
            recode(&x, in, size, 1 + ddn_rng_below(&r, 50), 4 + ddn_rng_below(&r, 50), got, NULL);
        assert_int_equal(made, wanted);
        assert_memory_equal(got, want, wanted);
        assert_int_equal(x.replaced, count);
    }
}

static void places_are_told(void **state)
{
    (void)state;
    static const char in[] = "a\xff\nb\n\xc3\xc3z\n\n\xe2\x82";
    char out[64];
    dodona_error err;
    ddn_recoder x = { .replace = true }, strict = { .encoding = DDN_CP1252 };
    assert_int_equal(recode(&x, in, sizeof in - 1, 3, 10, out, NULL), 19);
    assert_int_equal(x.replaced, 4);
    assert_int_equal(x.place[0], 1);
    assert_int_equal(x.place[1], 3);
    assert_int_equal(x.place[2], 3);
    assert_int_equal(recode(&strict, "a\nb\x81", 4, 4, 10, out, &err), DODONA_E_INPUT);
    assert_int_equal(err.line, 2);
    assert_string_equal(err.message,
                        "byte 0x81 is not Windows-1252; expected text in Windows-1252");
    x = (ddn_recoder){ .encoding = DDN_UTF16, .replace = true };
    assert_int_equal(recode(&x,
                            "a\0\0\xd8"
                            "b\0\0\xdc"
                            "c",
                            9, 2, 4, out, NULL),
                     11);
    assert_memory_equal(out,
                        "a\xef\xbf\xbd"
                        "b\xef\xbf\xbd\xef\xbf\xbd",
                        11);
}

static void names(void **state)
{
    (void)state;
    dodona_error err;
    assert_int_equal(ddn_encoding_find("utf-8", &err), DDN_UTF8);
    assert_int_equal(ddn_encoding_find("utf-16", &err), DDN_UTF16);
    assert_int_equal(ddn_encoding_find("klingon", &err), DODONA_E_ARGUMENT);
    assert_non_null(strstr(err.message, "cp1252"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_iconv),
        cmocka_unit_test(byte_order_marks),
        cmocka_unit_test(bad_bytes_are_replaced),
        cmocka_unit_test(places_are_told),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
