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

/* Bytes may be anywhere; where they are not aligned, they need not stay. */
static void bytes_are_read_at_any_address(void **state)
{
    (void)state;
    ddn_output o;
    ddn_model_file f;
    put(&o);
    for (size_t at = 0; at <= 64; at++) {
        void *block;
        assert_int_equal(posix_memalign(&block, 64, at + o.size), 0);
        char *bytes = (char *)block + at;
        memcpy(bytes, o.data, o.size);
        assert_int_equal(ddn_model_file_memory(&f, bytes, o.size, "some name", NULL), 0);
        if (at % 64)
            memset(bytes, 0, o.size);
        assert_true((uintptr_t)f.bytes % 64 == 0);
        check_contents(&f);
        ddn_model_file_close(&f);
        free(block);
    }
    assert_int_equal(ddn_model_file_memory(&f, o.data + 1, 0, "x", NULL), DODONA_E_MODEL);
    ddn_output_abandon(&o);
}

/* A copy in a block of its own size, so that a sanitizer sees reads past it; the code it gives. */
static int try(const char *bytes, size_t size, dodona_error *err)
{
    void *copy;
    ddn_model_file f;
    assert_int_equal(posix_memalign(&copy, 64, size ? size : 1), 0);
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

/* ---- Sections that are being made ---- */

static void same_sections(const ddn_model_file *a, const ddn_model_file *b)
{
    assert_int_equal(a->sections, b->sections);
    for (int i = 0; i < a->sections; i++) {
        assert_string_equal(a->section[i].name, b->section[i].name);
        assert_int_equal(a->section[i].size, b->section[i].size);
        assert_memory_equal(a->section[i].data, b->section[i].data, a->section[i].size);
    }
}

/* Views of sections, of a file that is written from the view, and of copies of its sections. */
static void sections_come_through(void **state)
{
    (void)state;
    ddn_sections made, copied;
    ddn_model_file view, file, again;
    ddn_output o;
    const ddn_section *s;
    ddn_sections_init(&made);
    ddn_sections_init(&copied);
    ddn_output *first = ddn_sections_add(&made, "meta"), *second;
    ddn_sections_add(&made, "nothing");
    for (int i = 2; i < DDN_MAX_MADE; i++) {
        char name[DDN_MAX_SECTION_NAME];
        snprintf(name, sizeof name, "number.%d", i);
        second = ddn_sections_add(&made, i == 3 ? longest : name);
        for (int k = 0; k < 40 * i; k++) /* more than fits at first */
            ddn_put(second, (const char *)odd, sizeof odd);
    }
    ddn_puts(first, meta); /* an output that was given stays where it is */
    assert_int_equal(ddn_sections_check(&made, NULL), 0);
    ddn_sections_view(&made, "made", &view);
    assert_int_equal(view.sections, DDN_MAX_MADE);
    assert_string_equal(view.section[3].name, longest);
    assert_int_equal(view.section[9].size, 9 * 40 * sizeof odd);
    assert_true(has(ddn_model_file_meta(&view, "system"), "arc-eager"));
    assert_int_equal(ddn_model_file_find(&view, "nothing", &s, NULL), 0);
    assert_true(s->data && s->size == 0);
    dodona_error err;
    assert_int_equal(ddn_model_file_find(&view, "number.0", &s, &err), DODONA_E_MODEL);
    assert_string_equal(err.file, "made");

    ddn_output_memory(&o);
    ddn_model_file_put(&o, view.section, view.sections);
    assert_int_equal(ddn_model_file_memory(&file, o.data, o.size, "x", NULL), 0);
    same_sections(&view, &file);
    for (int i = 0; i < file.sections; i++)
        ddn_sections_copy(&copied, &file.section[i]);
    ddn_model_file_close(&file);
    ddn_output_abandon(&o);
    ddn_sections_view(&copied, "copied", &again); /* on its own */
    same_sections(&view, &again);
    ddn_sections_fini(&made);
    ddn_sections_fini(&copied);
    ddn_sections_view(&made, "empty", &view);
    assert_int_equal(view.sections, 0);
}

static void sections_tell_what_went_wrong(void **state)
{
    (void)state;
    ddn_sections made;
    dodona_error err = { 0 };
    ddn_sections_init(&made);
    ddn_puts(ddn_sections_add(&made, "meta"), meta);
    ddn_output *bad = ddn_sections_add(&made, "bad");
    assert_int_equal(ddn_sections_check(&made, &err), 0);
    bad->error = (dodona_error){ .code = DODONA_E_MEMORY, .message = "none left" };
    assert_int_equal(ddn_sections_check(&made, &err), DODONA_E_MEMORY);
    assert_string_equal(err.message, "none left");
    assert_int_equal(ddn_sections_check(&made, NULL), DODONA_E_MEMORY);
    ddn_sections_fini(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_is_read),
        cmocka_unit_test(bytes_are_read_at_any_address),
        cmocka_unit_test(cut_files_are_refused),
        cmocka_unit_test(every_altered_byte_is_found),
        cmocka_unit_test(newer_versions_are_refused_by_name),
        cmocka_unit_test(what_is_no_file_is_refused),
        cmocka_unit_test(sections_come_through),
        cmocka_unit_test(sections_tell_what_went_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
