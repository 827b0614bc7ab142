/* SPDX-License-Identifier: MIT */
/* Words are kept as they were given; setting a column changes that column alone. */
#include "lib/check.h"
#include "tree/sentence.h"
#include <stdlib.h>

static dodona_text text(const char *t)
{
    return (dodona_text){ t, strlen(t) };
}

static void add(ddn_sentence *s, const char *form, const char *head, const char *deprel)
{
    const dodona_text col[DDN_COLUMNS] = { [DDN_ID] = text("ignored"),
                                           [DDN_FORM] = text(form),
                                           [DDN_HEAD] = text(head),
                                           [DDN_DEPREL] = text(deprel) };
    assert_int_equal(ddn_sentence_word(s, col, NULL), 0);
}

static void is(const ddn_sentence *s, int32_t i, int column, const char *want)
{
    dodona_text t = ddn_sentence_column(s, i, column);
    if (!ddn_text_is(t, want))
        fail_msg("column %d of word %d is '%.*s', not '%s'", column, (int)i, (int)t.size, t.data,
                 want);
}

static void words_are_kept(void **state)
{
    (void)state;
    ddn_sentence s;
    ddn_sentence_init(&s);
    add(&s, "oaks", "2", "nsubj");
    add(&s, "speak", "0", "root");
    add(&s, "low", "_", "");
    add(&s, "now", "x1", "");
    assert_int_equal(s.n, 4);
    assert_int_equal(s.rows, 4);
    static const int32_t head[] = { -1, 2, 0, -1, -1 };
    assert_memory_equal(s.head, head, sizeof head);
    is(&s, 1, DDN_ID, "1");
    is(&s, 1, DDN_FORM, "oaks");
    is(&s, 1, DDN_LEMMA, "_");
    is(&s, 2, DDN_DEPREL, "root");
    is(&s, 3, DDN_DEPREL, "_");
    is(&s, 4, DDN_MISC, "_");
    assert_true(s.row[2].made);

    ddn_sentence_clear(&s);
    assert_int_equal(s.n + (int)s.rows, 0);
    add(&s, "again", "0", "root");
    is(&s, 1, DDN_ID, "1");
    is(&s, 1, DDN_FORM, "again");
    ddn_sentence_fini(&s);
}

static void set_changes_one_column(void **state)
{
    (void)state;
    ddn_sentence s;
    ddn_sentence_init(&s);
    add(&s, "oaks", "2", "nsubj");
    add(&s, "speak", "0", "root");
    assert_int_equal(ddn_sentence_set(&s, 0, DDN_UPOS, "NOUN", 4, NULL), 0);
    assert_int_equal(ddn_sentence_set(&s, 1, DDN_HEAD, "1", 1, NULL), 0);
    is(&s, 1, DDN_UPOS, "NOUN");
    is(&s, 1, DDN_FORM, "oaks");
    is(&s, 2, DDN_UPOS, "_");
    assert_int_equal(s.head[2], 1);
    assert_int_equal(ddn_sentence_set(&s, 1, DDN_HEAD, "_", 1, NULL), 0);
    assert_int_equal(s.head[2], -1);
    ddn_sentence_fini(&s);
}

/* A label that lies in the sentence's own buffer is found again after the buffer has moved. */
static void values_may_be_its_own(void **state)
{
    (void)state;
    ddn_sentence s;
    ddn_sentence_init(&s);
    add(&s, "a-form-of-some-length", "2", "nsubj");
    add(&s, "speak", "0", "root");
    for (int round = 0; round < 40; round++) {
        dodona_text own = ddn_sentence_column(&s, 1, DDN_FORM);
        assert_int_equal(ddn_sentence_set(&s, 1, DDN_FORM, own.data, own.size, NULL), 0);
        is(&s, 2, DDN_FORM, "a-form-of-some-length");
        dodona_text col[DDN_COLUMNS] = { [DDN_FORM] = ddn_sentence_column(&s, 1, DDN_FORM) };
        assert_int_equal(ddn_sentence_word(&s, col, NULL), 0);
        is(&s, s.n, DDN_FORM, "a-form-of-some-length");
    }
    dodona_text *label = calloc((size_t)s.n + 1, sizeof *label);
    assert_non_null(label);
    for (int round = 0; round < 10; round++) {
        for (int32_t i = 1; i <= s.n; i++)
            label[i] = ddn_sentence_column(&s, i, DDN_FORM);
        assert_int_equal(ddn_sentence_set_tree(&s, s.head, label, false, NULL), 0);
        for (int32_t i = 1; i <= s.n; i++)
            is(&s, i, DDN_DEPREL, "a-form-of-some-length");
    }
    free(label);
    ddn_sentence_fini(&s);
}

static void a_tree_is_set(void **state)
{
    (void)state;
    ddn_sentence s;
    ddn_sentence_init(&s);
    for (int i = 0; i < 1000; i++)
        add(&s, "w", "0", "dep");
    assert_int_equal(ddn_sentence_set(&s, 4, DDN_DEPS, "4:x", 3, NULL), 0);
    assert_int_equal(ddn_sentence_set(&s, 4, DDN_MISC, "M=1", 3, NULL), 0);
    int32_t head[1001] = { -1 };
    dodona_text label[1001] = { { NULL, 0 } };
    for (int i = 1; i <= 1000; i++) {
        head[i] = i - 1;
        label[i] = text(i % 2 ? "odd" : "even");
    }
    head[7] = -1;
    label[7] = text("");
    assert_int_equal(ddn_sentence_set_tree(&s, head, label, true, NULL), 0);
    is(&s, 5, DDN_DEPS, "4:x");
    assert_int_equal(ddn_sentence_set_tree(&s, head, label, false, NULL), 0);
    is(&s, 5, DDN_DEPS, "_");
    is(&s, 5, DDN_MISC, "M=1");
    is(&s, 1, DDN_HEAD, "0");
    is(&s, 1, DDN_DEPREL, "odd");
    is(&s, 7, DDN_HEAD, "_");
    is(&s, 7, DDN_DEPREL, "_");
    is(&s, 1000, DDN_HEAD, "999");
    assert_int_equal(s.head[1000], 999);
    assert_int_equal(s.head[7], -1);
    ddn_sentence_fini(&s);
}

/* Numbers go on; the columns that have them do not. */
static void sentences_are_joined(void **state)
{
    (void)state;
    ddn_sentence s, t;
    ddn_row *row;
    ddn_sentence_init(&s);
    ddn_sentence_init(&t);
    add(&t, "oaks", "2", "nsubj");
    assert_int_equal(ddn_sentence_row(&t, DDN_ROW_RANGE, &row, NULL), 0);
    row->id = 2;
    row->minor = 3;
    add(&t, "speak", "0", "root");
    add(&t, "low", "_", "");
    assert_int_equal(ddn_sentence_row(&t, DDN_ROW_EMPTY, &row, NULL), 0);
    row->id = 3;
    row->minor = 1;
    add(&t, "now", "5", "far"); /* no word */
    assert_int_equal(ddn_sentence_row(&t, DDN_ROW_COMMENT, &row, NULL), 0);
    assert_int_equal(ddn_sentence_text(&t, "# end", 5, &t.row[6].line, NULL), 0);
    t.line = 7;
    t.conllx = true;
    assert_int_equal(ddn_sentence_append(&s, &t, NULL), 0);
    assert_int_equal(s.line, 7);
    assert_true(s.conllx);
    t.line = 20;
    assert_int_equal(ddn_sentence_set(&t, t.word_row[2], DDN_FORM, "talk", 4, NULL), 0);
    assert_int_equal(ddn_sentence_text(&t, "# more", 6, &t.row[6].line, NULL), 0);
    assert_int_equal(ddn_sentence_append(&s, &t, NULL), 0);
    assert_int_equal(s.line, 7);
    static const int32_t head[] = { -1, 2, 0, -1, -1, 6, 0, -1, -1 };
    assert_int_equal(s.n, 8);
    assert_memory_equal(s.head, head, sizeof head);
    is(&s, 1, DDN_FORM, "oaks");
    is(&s, 2, DDN_FORM, "speak");
    is(&s, 6, DDN_FORM, "talk");
    is(&s, 6, DDN_ID, "2");
    is(&s, 8, DDN_DEPREL, "far");
    assert_int_equal(s.rows, 14);
    assert_true(ddn_text_is(ddn_sentence_span(&s, s.row[6].line), "# end"));
    assert_true(ddn_text_is(ddn_sentence_span(&s, s.row[13].line), "# more"));
    assert_int_equal(s.row[s.word_row[8]].id, 8);
    assert_int_equal(s.row[8].id, 6);
    assert_int_equal(s.row[8].minor, 7);
    assert_int_equal(s.row[11].id, 7);
    assert_int_equal(s.row[11].minor, 1);
    ddn_sentence_fini(&s);
    ddn_sentence_fini(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_kept),        cmocka_unit_test(set_changes_one_column),
        cmocka_unit_test(values_may_be_its_own), cmocka_unit_test(a_tree_is_set),
        cmocka_unit_test(sentences_are_joined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
