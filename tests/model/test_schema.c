/* SPDX-License-Identifier: MIT */
/* Labels and classes: numbered without gaps, written and read back, given only where they belong.
 */
#include "lib/check.h"
#include "model/features.h"
#include <stdio.h>
#include <string.h>

static ddn_schema s;
static ddn_features f;

static void begin(const char *system)
{
    ddn_schema_init(&s);
    s.system = ddn_system_find(system);
}

static int add(const char *label, int uses)
{
    return ddn_schema_add_label(&s, (dodona_text){ label, strlen(label) }, (uint8_t)uses, NULL);
}

/* Every pair of a kind that makes an arc and a label has a class of its own, from 0 without gaps.
 */
static void classes_are_numbered(void **state)
{
    (void)state;
    for (int i = 0; ddn_systems[i]; i++) {
        const ddn_system *system = ddn_systems[i];
        bool seen[64] = { 0 };
        unsigned count = 0;
        begin(system->name);
        for (int l = 0; l < 3; l++)
            assert_int_equal(add(&"c\0b\0a"[2 * l], 3), 0);
        assert_int_equal(ddn_features_init(&f, &s, "s0.w", 4, "x", NULL), 0);
        for (int k = 0; k < system->kinds; k++)
            for (uint16_t l = 0; system->kind[k].makes_arc && l < 3; l++, count++) {
                uint32_t class = ddn_features_class(&f, k) + l;
                assert_true(class < ddn_features_classes(&f) && !seen[class]);
                seen[class] = true;
            }
        assert_int_equal(count, ddn_features_classes(&f));
        ddn_schema_fini(&s);
    }
}

static void the_best_label_is_one_of_its_sort(void **state)
{
    (void)state;
    begin("arc-eager");
    assert_int_equal(add("word", DDN_LABEL_OF_WORD), 0);
    assert_int_equal(add("root", DDN_LABEL_OF_ROOT), 0);
    assert_int_equal(add("both", DDN_LABEL_OF_ROOT | DDN_LABEL_OF_WORD), 0);
    assert_int_equal(add("last", DDN_LABEL_OF_WORD), 0);
    static const struct {
        int32_t sum[4];
        int of_word, of_root;
    } want[] = {
        { { 0, 0, 0, 0 }, 0, 1 },     { { 0, 9, 0, 0 }, 0, 1 }, { { 9, 0, 1, 0 }, 0, 2 },
        { { -5, -5, -5, -4 }, 3, 1 }, { { 1, 2, 3, 3 }, 2, 2 }, { { -9, -1, -2, -9 }, 2, 1 },
    };
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        assert_int_equal(ddn_schema_best_label(&s, false, want[i].sum), want[i].of_word);
        assert_int_equal(ddn_schema_best_label(&s, true, want[i].sum), want[i].of_root);
    }
    ddn_schema_fini(&s);
    begin("arc-eager"); /* where none of the sort was seen, label 0 must do */
    assert_int_equal(add("word", DDN_LABEL_OF_WORD), 0);
    int32_t sum[2] = { 0 };
    assert_int_equal(ddn_schema_best_label(&s, true, sum), 0);
    ddn_schema_fini(&s);
}

static void labels_are_written_and_read(void **state)
{
    (void)state;
    static const char *const label[] = { "nsubj", "nsubj:pass", "obl tmod", "\xce\xb4\xce\xb7",
                                         "#" };
    ddn_output o;
    begin("arc-hybrid");
    for (int i = 0; i < 5; i++)
        assert_int_equal(add(label[i], i % 3 + 1), 0);
    ddn_output_memory(&o);
    ddn_schema_put_labels(&s, &o);
    ddn_schema_fini(&s);
    begin("arc-hybrid");
    assert_int_equal(ddn_schema_take_labels(&s, o.data, o.size, NULL), 0);
    assert_int_equal(s.labels.count, 5);
    for (uint32_t i = 0; i < 5; i++) {
        dodona_text t = ddn_intern_text(&s.labels, i);
        assert_true(t.size == strlen(label[i]) && memcmp(t.data, label[i], t.size) == 0);
        assert_int_equal(s.uses[i], i % 3 + 1);
    }
    ddn_schema_fini(&s);
    ddn_output_abandon(&o);
}

static void bad_lists_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = { "",           "1 a",      "0 a\n",   "4 a\n",
                                       "a\n",        "1a\n",     "1 \n",    "1 a\n\n",
                                       "1 a\n2 a\n", "1 a\tb\n", "1 a\r\n", "1 \xff\n",
                                       "3  \n3",     "1 a\n1 b", "11 a\n",  "-1 a\n" };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        dodona_error err = { 0 };
        begin("arc-hybrid");
        int code = ddn_schema_take_labels(&s, bad[i], strlen(bad[i]), &err);
        if (code != DODONA_E_MODEL || !err.message[0])
            fail_msg("list %zu gives %d", i, code);
        ddn_schema_fini(&s);
    }
    begin("arc-hybrid");
    assert_int_equal(ddn_schema_take_labels(&s, "1 a\0b\n", 6, NULL), DODONA_E_MODEL);
    ddn_schema_fini(&s);
}

static void there_is_a_limit(void **state)
{
    (void)state;
    char label[16];
    begin("arc-hybrid");
    for (int i = 0; i < DDN_MAX_LABELS; i++) {
        snprintf(label, sizeof label, "r%d", i);
        assert_int_equal(add(label, 3), 0);
    }
    assert_int_equal(add("more", 3), DODONA_E_LIMIT);
    assert_int_equal(ddn_features_init(&f, &s, "s0.w", 4, "x", NULL), 0);
    assert_true(ddn_features_classes(&f) <= DDN_MAX_CLASSES);
    s.system = ddn_system_find("all"); /* with nine types that make arcs */
    dodona_error err = { 0 };
    assert_int_equal(ddn_features_init(&f, &s, "s0.w", 4, "x", &err), DODONA_E_LIMIT);
    assert_non_null(strstr(err.message, "at most 3640"));
    ddn_schema_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_numbered),
        cmocka_unit_test(the_best_label_is_one_of_its_sort),
        cmocka_unit_test(labels_are_written_and_read),
        cmocka_unit_test(bad_lists_are_refused),
        cmocka_unit_test(there_is_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
