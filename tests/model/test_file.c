/* SPDX-License-Identifier: MIT */
/* Model files: what was written is read, and nothing else is. */
#include "lib/check.h"
#include "lib/files.h"
#include "lib/memory.h"
#include "model/file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char meta[] = "system: arc-eager\nsys: short\nempty: \nno colon\nlast: one";
static const unsigned char odd[] = { 0, 1, 2, 0xff, 0xfe, 10, 13 };
static const char longest[] = "abcdefghijklmnopqrstuvw"; /* 23 bytes and a NUL */

enum { SECTIONS = 4 };

static void put(ddn_output *o)
{
    ddn_section section[SECTIONS] = {
        { .name = "meta", .data = meta, .size = sizeof meta - 1 },
        { .name = "parser.odd", .data = odd, .size = sizeof odd },
        { .name = "nothing", .data = "", .size = 0 },
        { .data = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", .size = 64 },
    };
    memcpy(section[3].name, longest, sizeof longest);
    ddn_output_memory(o);
    ddn_model_file_put(o, section, SECTIONS);
    assert_int_equal(o->error.code, DODONA_OK);
}

static bool has(dodona_text t, const char *want)
{
    return t.data && t.size == strlen(want) && memcmp(t.data, want, t.size) == 0;
}

static void check_contents(const ddn_model_file *f)
{
    const ddn_section *s = NULL;
    dodona_error err;
    assert_int_equal(f->sections, SECTIONS);
    assert_int_equal(ddn_model_file_find(f, "parser.odd", &s, &err), 0);
    assert_int_equal(s->size, sizeof odd);
    assert_memory_equal(s->data, odd, sizeof odd);
    assert_int_equal(((const unsigned char *)s->data - f->bytes) % 64, 0);
    assert_int_equal(ddn_model_file_find(f, "nothing", &s, &err), 0);
    assert_int_equal(s->size, 0);
    assert_int_equal(ddn_model_file_find(f, longest, &s, &err), 0);
    assert_int_equal(s->size, 64);
    assert_true(has(ddn_model_file_meta(f, "system"), "arc-eager"));
    assert_true(has(ddn_model_file_meta(f, "sys"), "short"));
    assert_true(has(ddn_model_file_meta(f, "empty"), ""));
    assert_true(has(ddn_model_file_meta(f, "last"), "one"));
    assert_null(ddn_model_file_meta(f, "syst").data);
    assert_null(ddn_model_file_meta(f, "no colon").data);
    assert_null(ddn_model_file_meta(f, "").data);
    assert_int_equal(ddn_model_file_find(f, "parser", &s, &err), DODONA_E_MODEL);
    assert_non_null(strstr(err.message, "'parser'"));
    assert_string_equal(err.file, f->path);
}

static void what_was_written_is_read(void **state)
{
    (void)state;
    ddn_output o;
    ddn_model_file f;
    dodona_error err;
    put(&o);
    assert_int_equal(ddn_model_file_memory(&f, o.data, o.size, "some name", &err), 0);
    check_contents(&f);
    ddn_model_file_close(&f);
    test_spill(test_scratch("model"), o.data, o.size);
    assert_int_equal(ddn_model_file_open(&f, test_scratch("model"), &err), 0);
    check_contents(&f);
    ddn_model_file_close(&f);
    ddn_model_file_close(&f); /* closed twice is closed */
    ddn_output_abandon(&o);
}

/* A copy in a block of its own size, so that a sanitizer sees reads past it; the code it gives. */
static int try(const char *bytes, size_t size, dodona_error *err)
{
    char *copy = malloc(size ? size : 1);
    ddn_model_file f;
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    memset(err, 0, sizeof *err);
    int code = ddn_model_file_memory(&f, copy, size, "x.model", err);
    if (code >= 0)
        ddn_model_file_close(&f);
    free(copy);
    return code;
}

static void refused(const char *bytes, size_t size, size_t which)
{
    dodona_error err;
    int code = try(bytes, size, &err);
    if (code != DODONA_E_MODEL || err.code != code || strcmp(err.file, "x.model") || !*err.message)
        fail_msg("accepted: %zu of %zu, code %d", which, size, code);
}

static void cut_files_are_refused(void **state)
{
    (void)state;
    ddn_output o;
    dodona_error err;
    put(&o);
    for (size_t size = 0; size < o.size; size++) {
        refused(o.data, size, size);
        test_spill(test_scratch("cut"), o.data, size);
        ddn_model_file f;
        if (size % 17 == 0)
            assert_int_equal(ddn_model_file_open(&f, test_scratch("cut"), &err), DODONA_E_MODEL);
    }
    ddn_put(&o, "x", 1);
    refused(o.data, o.size, o.size);
    for (int i = 0; i < 8; i++) /* also when the header counts it */
        o.data[16 + i] = (char)(o.size >> 8 * i);
    refused(o.data, o.size, o.size);
    ddn_output_abandon(&o);
}

static void every_altered_byte_is_found(void **state)
{
    (void)state;
    ddn_output o;
    put(&o);
    for (size_t i = 0; i < o.size; i++)
        for (int bit = 0; bit < 9; bit++) {
            char old = o.data[i];
            o.data[i] = (char)(bit < 8 ? old ^ 1 << bit : ~old);
            refused(o.data, o.size, i);
            o.data[i] = old;
        }
    dodona_error err;
    assert_int_equal(try(o.data, o.size, &err), 0);
    ddn_output_abandon(&o);
}

static void newer_versions_are_refused_by_name(void **state)
{
    (void)state;
    ddn_output o;
    dodona_error err;
    put(&o);
    o.data[8] = DDN_MODEL_VERSION + 1;
    assert_int_equal(try(o.data, o.size, &err), DODONA_E_MODEL);
    assert_non_null(strstr(err.message, "format 2"));
    assert_non_null(strstr(err.message, "newer"));
    /* Also when it is longer or shorter than this version thinks. */
    assert_int_equal(try(o.data, o.size - 3, &err), DODONA_E_MODEL);
    assert_non_null(strstr(err.message, "newer"));
    ddn_output_abandon(&o);
    static const char other[] =
        "1\tword\t_\t_\t_\t_\t0\troot\t_\t_\n\n1\tword\t_\t_\t_\t_\t0\troot\n";
    assert_int_equal(try(other, sizeof other - 1, &err), DODONA_E_MODEL);
    assert_non_null(strstr(err.message, "not a Dodona model"));
}

static void what_is_no_file_is_refused(void **state)
{
    (void)state;
    ddn_model_file f;
    dodona_error err;
    assert_int_equal(ddn_model_file_open(&f, test_scratch("absent"), &err), DODONA_E_IO);
    assert_string_equal(err.file, test_scratch("absent"));
    assert_int_equal(ddn_model_file_open(&f, "/", &err), DODONA_E_MODEL);
    assert_int_equal(ddn_model_file_open(&f, "/dev/null", &err), DODONA_E_MODEL);
    test_spill(test_scratch("empty"), "", 0);
    assert_int_equal(ddn_model_file_open(&f, test_scratch("empty"), &err), DODONA_E_MODEL);
    assert_int_equal(ddn_model_file_open(&f, test_scratch("empty"), NULL), DODONA_E_MODEL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_is_read),
        cmocka_unit_test(cut_files_are_refused),
        cmocka_unit_test(every_altered_byte_is_found),
        cmocka_unit_test(newer_versions_are_refused_by_name),
        cmocka_unit_test(what_is_no_file_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
