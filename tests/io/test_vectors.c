/* SPDX-License-Identifier: MIT */
/* Vectors of words: what is read of each format, and what is refused with its place. */
#include "io/vectors.h"

#include "core/rng.h"
#include "lib/alloc.h"
#include "lib/check.h"
#include "lib/files.h"
#include "lib/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 20 };

typedef struct bytes {
    char data[MOST];
    size_t size;
} bytes;

static void put(bytes *b, const void *data, size_t size)
{
    assert_true(b->size + size <= MOST);
    memcpy(b->data + b->size, data, size);
    b->size += size;
}

static void puts_to(bytes *b, const char *text)
{
    put(b, text, strlen(text));
}

/* The bytes of a float, lowest first. */
static void put_float(bytes *b, float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    for (int k = 0; k < 4; k++)
        put(b, &(unsigned char){ (unsigned char)(bits >> 8 * k) }, 1);
}

static ddn_intern words_of(const char *const *word)
{
    ddn_intern t;
    uint32_t id;
    ddn_intern_init(&t);
    for (; *word; word++)
        assert_true(ddn_intern_add(&t, *word, strlen(*word), &id));
    return t;
}

static const char *const wanted_words[] = { "oak", "\xce\xb4\xcf\x81\xcf\x85\xcf\x82", "none", "-1",
                                            NULL };

static int read_bytes(ddn_vectors *v, const bytes *b, dodona_error *err)
{
    const char *path = test_scratch("vectors");
    ddn_intern wanted = words_of(wanted_words);
    test_spill(path, b->data, b->size);
    ddn_vectors_init(v);
    int status = ddn_vectors_read(v, path, &wanted, err);
    ddn_intern_fini(&wanted);
    return status;
}

static void has(const ddn_vectors *v, const char *word, float x, float y, float z)
{
    uint32_t id = ddn_intern_find(&v->found, word, strlen(word));
    assert_true(id < v->found.count);
    const float *at = v->value + id * v->width;
    assert_true(at[0] == x && at[1] == y && at[2] == z);
}

/* ---- What is read ---- */

static void text_is_read(void **state)
{
    (void)state;
    static const char *const files[] = {
        /* as word2vec writes it, with a space at the end of each line */
        "4 3\nthe 1 2 3 \noak 0.5 -0.25 1e-2 \n\xce\xb4\xcf\x81\xcf\x85\xcf\x82 +1.5E1 .5 -3. \n"
        "-1 7 8 9 \n",
        /* as fastText does, without; the last newline may be missing */
        "4 3\nthe 1 2 3\noak 0.5 -0.25 1e-2\n\xce\xb4\xcf\x81\xcf\x85\xcf\x82 +1.5E1 .5 -3.\n"
        "-1 7 8 9",
        /* with tabs, carriage returns, and a word a second time */
        "5 3\r\nthe\t1\t2\t3\r\noak\t0.5\t-0.25\t1e-2\r\n"
        "\xce\xb4\xcf\x81\xcf\x85\xcf\x82 +1.5E1 .5 -3.\r\noak 9 9 9\r\n-1 7 8 9\r\n",
    };
    for (int i = 0; i < 3; i++) {
        static bytes b;
        dodona_error err = { 0 };
        ddn_vectors v;
        b.size = 0;
        puts_to(&b, files[i]);
        if (read_bytes(&v, &b, &err) < 0)
            fail_msg("%d: %s", i, err.message);
        assert_int_equal(v.width, 3);
        assert_int_equal(v.found.count, 3);
        has(&v, "oak", 0.5f, -0.25f, 0.01f);
        has(&v, wanted_words[1], 15, 0.5f, -3);
        has(&v, "-1", 7, 8, 9);
        assert_int_equal(ddn_intern_find(&v.found, "the", 3), DDN_INTERN_NONE);
        assert_int_equal(ddn_intern_find(&v.found, "none", 4), DDN_INTERN_NONE);
        ddn_vectors_fini(&v);
    }
}

static void make_binary(bytes *b, bool newlines)
{
    static const float value[3][3] = { { 1, 2, 3 }, { 0, 0, 0 }, { 0.5f, -0.25f, 1e-2f } };
    static const char *const word[] = { "the", "-1", "oak" };
    b->size = 0;
    puts_to(b, "3 3\n");
    for (int i = 0; i < 3; i++) {
        puts_to(b, word[i]);
        puts_to(b, " ");
        for (int k = 0; k < 3; k++)
            put_float(b, value[i][k]);
        if (newlines)
            puts_to(b, "\n");
    }
}

static void binary_is_read(void **state)
{
    (void)state;
    static bytes b;
    for (int newlines = 0; newlines < 2; newlines++) {
        ddn_vectors v;
        make_binary(&b, newlines);
        assert_int_equal(read_bytes(&v, &b, NULL), 0);
        assert_int_equal(v.found.count, 2);
        has(&v, "oak", 0.5f, -0.25f, 1e-2f);
        has(&v, "-1", 0, 0, 0);
        ddn_vectors_fini(&v);
    }
}

/* Random numbers, printed and read back, in both formats, over many pieces of the input. */
static void numbers_come_back(void **state)
{
    (void)state;
    enum { WORDS = 300, WIDTH = 50 };
    static bytes text, binary;
    static float value[WORDS][WIDTH];
    static const char *const format[] = { "%.9g", "%.9e", "%.60f" };
    ddn_rng rng;
    ddn_intern wanted;
    ddn_rng_init(&rng, 3);
    ddn_intern_init(&wanted);
    text.size = binary.size = 0;
    puts_to(&text, "300 50\n");
    puts_to(&binary, "300 50\n");
    for (int i = 0; i < WORDS; i++) {
        char word[64], number[128];
        uint32_t id;
        snprintf(word, sizeof word, "word%d", i);
        puts_to(&text, word);
        puts_to(&binary, word);
        puts_to(&binary, " ");
        if (i % 3 == 0)
            assert_true(ddn_intern_add(&wanted, word, strlen(word), &id));
        for (int k = 0; k < WIDTH; k++) {
            bool plain = ddn_rng_next(&rng) % 4;
            double size = plain ? 1 : pow(10, (double)(ddn_rng_next(&rng) % 60) - 30);
            value[i][k] = (float)((ddn_rng_unit(&rng) - 0.5) * size);
            snprintf(number, sizeof number, format[plain ? ddn_rng_next(&rng) % 2 : 1],
                     (double)value[i][k]);
            puts_to(&text, " ");
            puts_to(&text, number);
            put_float(&binary, value[i][k]);
        }
        puts_to(&text, "\n");
        puts_to(&binary, "\n");
    }
    for (int form = 0; form < 2; form++) {
        const bytes *b = form ? &binary : &text;
        const char *path = test_scratch("numbers");
        ddn_vectors v;
        test_spill(path, b->data, b->size);
        ddn_vectors_init(&v);
        assert_int_equal(ddn_vectors_read(&v, path, &wanted, NULL), 0);
        assert_int_equal(v.found.count, WORDS / 3);
        for (int i = 0; i < WORDS; i += 3)
            assert_memory_equal(v.value + (size_t)(i / 3) * WIDTH, value[i], sizeof value[i]);
        ddn_vectors_fini(&v);
    }
    ddn_intern_fini(&wanted);
}

/* Names that were there keep their places, others follow; rows without a vector stay as they are.
 */
static void rows_are_filled(void **state)
{
    (void)state;
    static bytes b;
    ddn_vectors v;
    ddn_intern names = words_of((const char *const[]){ "the", "none", NULL });
    float row[4][2] = { { 5, 6 } };
    b.size = 0;
    puts_to(&b, "3 2\noak 3e30 4e30\nnone 3e-30 -4e-30\n-1 0 0\n");
    assert_int_equal(read_bytes(&v, &b, NULL), 0);
    assert_true(ddn_vectors_name(&v, &names, 3));
    assert_int_equal(names.count, 3);
    assert_true(ddn_vectors_name(&v, &names, 10));
    assert_int_equal(names.count, 4);
    assert_int_equal(ddn_intern_find(&names, "oak", 3), 2);
    ddn_vectors_fill(&v, &names, 0.3f, row[0]);
    assert_true(row[0][0] == 5 && row[0][1] == 6);
    assert_true(row[3][0] == 0 && row[3][1] == 0);
    for (int i = 1; i < 3; i++) {
        double length = sqrt((double)row[i][0] * row[i][0] + (double)row[i][1] * row[i][1]);
        /* Numbers from -0.3 to 0.3 have the variance 0.3 * 0.3 / 3. */
        assert_true(fabs(length - sqrt(2 * 0.03)) < 1e-6);
        assert_true(fabs(row[i][1] / row[i][0] - (i == 1 ? -1 : 1) * 4.0 / 3) < 1e-6);
    }
    ddn_intern_fini(&names);
    ddn_vectors_fini(&v);
}

/* ---- What is refused ---- */

static void refused(const bytes *b, int64_t line, const char *words)
{
    dodona_error err = { 0 };
    ddn_vectors v;
    assert_int_equal(read_bytes(&v, b, &err), DODONA_E_INPUT);
    if (!strstr(err.message, words))
        fail_msg("'%s' does not say '%s'", err.message, words);
    assert_int_equal(err.line, line);
    assert_non_null(strstr(err.file, "vectors"));
    ddn_vectors_fini(&v);
}

static void refused_text(const char *text, int64_t line, const char *words)
{
    static bytes b;
    b.size = 0;
    puts_to(&b, text);
    refused(&b, line, words);
}

static void malformed_text_is_named_by_its_line(void **state)
{
    (void)state;
    static const char expected[] = "expected the number of words and the width";
    refused_text("", 1, expected);
    refused_text("2\n", 1, expected);
    refused_text("oak 1 2 3\n", 1, expected);
    refused_text("2 3 4\noak 1 2 3\n", 1, expected);
    refused_text("-2 3\noak 1 2 3\n", 1, expected);
    refused_text("99999999999999999999 3\noak 1 2 3\n", 1, expected);
    refused_text("2 0\noak\n", 1, "from 1 to 512 numbers, not 0");
    refused_text("2 513\noak\n", 1, "from 1 to 512 numbers, not 513");
    refused_text("2 9223372036854775807\noak\n", 1, "not 9223372036854775807");
    refused_text("2 3\noak 1 2 3\n", 3, "ends after 1 words, and its first line says 2");
    refused_text("9223372036854775807 3\noak 1 2 3\n", 3, "first line says 9223372036854775807");
    refused_text("1 3\noak 1 2 3\nthe 1 2 3\n", 3, "goes on after the 1 words");
    refused_text("2 3\noak 1 2\nthe 1 2 3\n", 2, "2 numbers follow the word, and not 3");
    refused_text("2 3\noak 1 2 3\nthe 1 2 3 4\n", 3, "more than 3 numbers");
    refused_text("2 3\noak 1 2 3\nthe 1 2", 3, "2 numbers follow");
    refused_text("2 3\noak 1 2 3\n\n", 3, "expected a word");
    refused_text("2 3\noak 1 2 3\n 1 2 3\n", 3, "expected a word");
    static const char *const number[] = { "nan",  "inf", "-inf", "NaN", "1e39",  "1e999999999",
                                          "1e",   "e1",  ".",    "-",   "1.2.3", "1,5",
                                          "0x10", "1f",  "1e+",  "--1", "two" };
    for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
        char text[128], says[64];
        snprintf(text, sizeof text, "2 3\noak 1 2 3\nthe 1 %s 3\n", number[i]);
        snprintf(says, sizeof says, "'%s' is not a finite number", number[i]);
        refused_text(text, 3, says);
    }
    refused_text("2 3\noak 1 2 3\n\xff\xfe 1 2 3\n", 3, "not valid UTF-8");
    refused_text("2 3\noak 1 2 3\n\xc0\xaf 1 2 3\n", 3, "not valid UTF-8");
}

static void long_tokens_are_refused(void **state)
{
    (void)state;
    static bytes b;
    for (int i = 0; i < 2; i++) {
        b.size = 0;
        puts_to(&b, i ? "1 1\noak " : "1 1\n");
        for (int k = 0; k < 200000; k++)
            put(&b, "1", 1);
        puts_to(&b, i ? "\n" : " 1\n");
        refused(&b, 2, i ? "a number has more than 63 bytes" : "a word has more than 4096 bytes");
    }
}

static void malformed_binary_is_named_by_its_byte(void **state)
{
    (void)state;
    static bytes b;
    static const float odd[] = { NAN, INFINITY, -INFINITY };
    for (int i = 0; i < 3; i++) {
        make_binary(&b, true);
        b.size = 4 + 3 + 1 + 4; /* the header, "the ", and a float */
        put_float(&b, odd[i]);
        put_float(&b, 1);
        puts_to(&b, "\n");
        refused(&b, 0, "byte 12: a number of a vector is not finite");
    }
    make_binary(&b, true);
    size_t whole = b.size;
    /* Every way to cut it short, but for the last newline; the first bytes are those of a text. */
    for (size_t size = 13; size < whole - 1; size++) {
        b.size = size;
        dodona_error err = { 0 };
        ddn_vectors v;
        assert_int_equal(read_bytes(&v, &b, &err), DODONA_E_INPUT);
        assert_true(strstr(err.message, "byte ") != NULL || err.line > 0);
        ddn_vectors_fini(&v);
    }
    b.size = whole - 3;
    refused(&b, 0, "ends within a vector");
    b.size = 4 + 3 + 1 + 12 + 1;
    refused(&b, 0, "byte 21: the file ends after 1 words, and its first line says 3");
    b.size = whole;
    puts_to(&b, "x");
    refused(&b, 0, "goes on after the 3 words");
    make_binary(&b, true);
    b.data[21] = '\xff';
    refused(&b, 0, "not valid UTF-8");
    make_binary(&b, true);
    b.data[0] = '9'; /* more words than there are */
    refused(&b, 0, "ends after 3 words, and its first line says 9");
}

/* Bytes that are changed at random are read or refused, and whatever is read is finite. */
static void any_bytes_are_read_or_refused(void **state)
{
    (void)state;
    static bytes b, whole[2];
    static const char odd[] = "\0\n\r\t 0159+-.eE\xff\x80\xce";
    int taken = 0;
    ddn_rng rng;
    ddn_rng_init(&rng, 8);
    make_binary(&whole[0], true);
    whole[1].size = 0;
    puts_to(&whole[1], "3 3\nthe 1 2 3\noak 0.5 -0.25 1e-2\n-1 7 8 9\n");
    for (int i = 0; i < 1500; i++) {
        dodona_error err = { 0 };
        ddn_vectors v;
        b = whole[i % 2];
        for (int k = 0; k <= i % 3; k++)
            b.data[ddn_rng_next(&rng) % b.size] = odd[ddn_rng_next(&rng) % (sizeof odd - 1)];
        b.size -= i % 5 ? 0 : ddn_rng_next(&rng) % b.size;
        int status = read_bytes(&v, &b, &err);
        assert_true(status == DODONA_OK || status == DODONA_E_INPUT);
        for (size_t k = 0; status >= 0 && k < v.found.count * v.width; k++)
            assert_true(isfinite(v.value[k]));
        taken += status >= 0;
        ddn_vectors_fini(&v);
    }
    assert_in_range(taken, 1, 1499);
}

static void missing_files_are_named(void **state)
{
    (void)state;
    dodona_error err = { 0 };
    ddn_vectors v;
    ddn_intern wanted = words_of(wanted_words);
    ddn_vectors_init(&v);
    assert_int_equal(ddn_vectors_read(&v, "/no/such/file", &wanted, &err), DODONA_E_IO);
    assert_non_null(strstr(err.file, "/no/such/file"));
    ddn_intern_fini(&wanted);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static bytes b;
    const char *path = test_scratch("vectors");
    ddn_intern wanted = words_of(wanted_words);
    make_binary(&b, true);
    test_spill(path, b.data, b.size);
    long before = test_alloc_live();
    bool failed = true;
    for (long k = 1; failed; k++) {
        ddn_vectors v;
        ddn_vectors_init(&v);
        test_alloc_fail(k, false);
        int status = ddn_vectors_read(&v, path, &wanted, NULL);
        failed = test_alloc_stop();
        assert_int_equal(status, failed ? DODONA_E_MEMORY : 0);
        ddn_vectors_fini(&v);
        assert_int_equal(test_alloc_live(), before);
    }
    ddn_intern_fini(&wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_read),
        cmocka_unit_test(binary_is_read),
        cmocka_unit_test(numbers_come_back),
        cmocka_unit_test(rows_are_filled),
        cmocka_unit_test(malformed_text_is_named_by_its_line),
        cmocka_unit_test(long_tokens_are_refused),
        cmocka_unit_test(malformed_binary_is_named_by_its_byte),
        cmocka_unit_test(any_bytes_are_read_or_refused),
        cmocka_unit_test(missing_files_are_named),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
