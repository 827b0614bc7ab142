/* SPDX-License-Identifier: MIT */
/* Forests to lines and back, and lines that are no forests. */
#include "chart/forest_file.h"
#include "io/comments.h"
#include "lib/check.h"
#include "lib/forests.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ddn_output line;

static int make_line(void **state)
{
    (void)state;
    ddn_output_memory(&line);
    return 0;
}

static int free_line(void **state)
{
    (void)state;
    ddn_output_abandon(&line);
    return 0;
}

static dodona_text text(const char *t)
{
    return (dodona_text){ t, strlen(t) };
}

/* n words, the odd ones with what JSON must escape. */
static void make_words(ddn_sentence *s, int32_t n, const char *id)
{
    ddn_sentence_clear(s);
    if (id)
        assert_int_equal(ddn_sentence_set_comments(s, "#", id, strlen(id), NULL), 0);
    for (int32_t i = 1; i <= n; i++) {
        dodona_text col[DDN_COLUMNS] = { [DDN_FORM] = text(i % 2 ? "\"q\\\xc3\xa9" : "two words") };
        assert_int_equal(ddn_sentence_word(s, col, NULL), 0);
    }
}

/* Edges are the same in all but the numbers of labels, which mean the same texts. */
static void assert_same(const ddn_forest *a, const ddn_intern *la, const ddn_forest *b,
                        const ddn_intern *lb)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->nodes, b->nodes);
    assert_memory_equal(a->first, b->first, ((size_t)a->nodes + 1) * sizeof *a->first);
    for (uint32_t e = 0; e < ddn_forest_edges(a); e++) {
        const ddn_forest_edge *x = &a->edge[e], *y = &b->edge[e];
        assert_true(x->score == y->score); /* to the last bit */
        assert_int_equal(x->left, y->left);
        assert_int_equal(x->right, y->right);
        assert_int_equal(x->head, y->head);
        assert_int_equal(x->child, y->child);
        if (x->child)
            assert_true(ddn_text_equal(ddn_intern_text(la, (uint32_t)x->label),
                                       ddn_intern_text(lb, (uint32_t)y->label)));
    }
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    static const char *const label[] = { "unused", "a:b", "\"", "\xc3\xa4" };
    ddn_rng rng;
    ddn_forest f;
    ddn_intern labels;
    ddn_sentence s;
    ddn_forest_record r;
    ddn_rng_init(&rng, 3);
    ddn_forest_init(&f);
    ddn_intern_init(&labels);
    ddn_sentence_init(&s);
    ddn_forest_record_init(&r);
    for (size_t i = 0; i < 4; i++) {
        uint32_t id;
        assert_true(ddn_intern_add(&labels, label[i], strlen(label[i]), &id));
    }
    for (int i = 0; i < 200; i++) {
        test_forest_plan plan = { .n = 1 + (int32_t)ddn_rng_below(&rng, 6),
                                  .keep = 0.5,
                                  .copies = 2,
                                  .labels = 3,
                                  .twice = 0.1,
                                  .whole = i % 2 ? 1000000 : 0 };
        test_forest_make(&f, &plan, &rng);
        for (uint32_t e = 0; e < ddn_forest_edges(&f); e++)
            f.edge[e].label += f.edge[e].child > 0; /* so that label 0 is not used */
        make_words(&s, plan.n, i % 3 ? NULL : "# sent_id = x \"1\"\n");
        line.size = 0;
        assert_int_equal(ddn_forest_write(&line, &f, &s, &labels, NULL), 0);
        assert_true(line.size > 0 && line.data[line.size - 1] == '\n');
        assert_null(memchr(line.data, '\n', line.size - 1));
        assert_int_equal(ddn_forest_read(&r, (dodona_text){ line.data, line.size }, NULL), 0);
        assert_same(&f, &labels, &r.forest, &r.labels);
        assert_true(r.labels.count <= 3);
        assert_true(ddn_text_equal(ddn_sentence_comment(&r.sentence, "sent_id"),
                                   text(i % 3 ? "" : "x \"1\"")));
        for (int32_t w = 1; w <= s.n; w++)
            assert_true(ddn_text_equal(ddn_sentence_column(&s, w, DDN_FORM),
                                       ddn_sentence_column(&r.sentence, w, DDN_FORM)));
    }
    ddn_forest_fini(&f);
    ddn_intern_fini(&labels);
    ddn_sentence_fini(&s);
    ddn_forest_record_fini(&r);
}

/* The line of the header, and what becomes of it when one thing is another. */
static const char good[] =
    "{\"sent_id\":\"a-1\",\"words\":[\"oaks\",\"speak\"],\"labels\":[\"nsubj\",\"root\"],"
    "\"edges\":[0,0,0,1,1],\"left\":[1,0],\"right\":[2,3],\"score\":[5,7.5],\"head\":[2,0],"
    "\"child\":[1,2],\"label\":[0,1]}";

static const struct {
    const char *what, *by, *why;
} changes[] = {
    { "\"sent_id\"", "\"other\"", NULL },
    { "7.5", "-7e10", NULL },
    { "{", "[", "JSON" },
    { "}", "", "JSON" },
    { "\"words\"", "\"word\"", "no \"words\"" },
    { "\"words\":[\"oaks\",\"speak\"]", "\"words\":{}", "not a list" },
    { "\"oaks\"", "7", "not a string" },
    { "\"oaks\"", "\"\"", "empty" },
    { "\"oaks\"", "\"a\\tb\"", "control" },
    { "\"oaks\"", "\"a\\u0000b\"", "JSON" },
    { "\"oaks\",", "", "expected 0 to 1" },
    { "\"a-1\"", "1", "not a string" },
    { "\"a-1\"", "\"a\\nb\"", "control" },
    { "\"root\"]", "\"nsubj\"]", "twice" },
    { "[\"nsubj\",\"root\"]", "[]", "empty" },
    { "[0,0,0,1,1]", "[0,0,0,1,2]", "expected 0 to 1" },
    { "[0,0,0,1,1]", "[0,0,0,1]", "sum" },
    { "[0,0,0,1,1]", "[0,0,0,1,-1]", "-1" },
    { "[0,0,0,1,1]", "[0,0,0,1,1,0]", "not used" },
    { "[0,0,0,1,1]", "[]", "sum" },
    { "[0,0,0,1,1]", "[0,0,0,1,1.0]", "whole" },
    { "\"left\":[1,0]", "\"left\":[1]", "as many" },
    { "\"left\":[1,0]", "\"left\":[1,4]", "earlier" },
    { "\"left\":[1,0]", "\"left\":[1,5]", "expected 0 to 4" },
    { "\"left\":[1,0]", "\"left\":[1,-1]", "-1" },
    { "\"left\":[1,0]", "\"left\":[1,4294967296]", "expected 0 to" },
    { "\"left\":[1,0]", "\"left\":[1,99999999999999999999]", "JSON" },
    { "\"score\":[5,7.5]", "\"score\":[5,null]", "not a number" },
    { "\"score\":[5,7.5]", "\"score\":[5,1e999]", "JSON" },
    { "\"score\":[5,7.5]", "\"score\":[5,1e101]", "score" },
    { "\"head\":[2,0]", "\"head\":[3,0]", "expected 0 to 2" },
    { "\"child\":[1,2]", "\"child\":[2,2]", "arc" },
    { "\"child\":[1,2]", "\"child\":[1,1]", "second head" },
    { "\"label\":[0,1]", "\"label\":[0,2]", "expected 0 to 1" },
    { "\"label\":[0,1]", "\"left\":[0,1]", "JSON" }, /* the same key twice */
};

static void what_is_no_forest_is_refused(void **state)
{
    (void)state;
    ddn_forest_record r;
    ddn_forest_record_init(&r);
    assert_int_equal(ddn_forest_read(&r, text(good), NULL), 0);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char changed[1024];
        const char *at = strstr(good, changes[i].what);
        assert_non_null(at);
        snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - good), good, changes[i].by,
                 at + strlen(changes[i].what));
        dodona_error err = { 0 };
        int status = ddn_forest_read(&r, text(changed), &err);
        if (!changes[i].why) {
            assert_int_equal(status, 0);
            continue;
        }
        assert_int_equal(status, DODONA_E_INPUT);
        if (!strstr(err.message, changes[i].why))
            fail_msg("'%s' for '%s': %s", changes[i].by, changes[i].what, err.message);
    }
    for (size_t size = 0; size < sizeof good - 1; size++) /* cut anywhere */
        assert_int_equal(ddn_forest_read(&r, (dodona_text){ good, size }, NULL), DODONA_E_INPUT);
    ddn_forest_record_fini(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(what_is_no_forest_is_refused),
    };
    return cmocka_run_group_tests(tests, make_line, free_line);
}
