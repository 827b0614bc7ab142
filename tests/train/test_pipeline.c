/* SPDX-License-Identifier: MIT */
/* Training a whole pipeline: it repeats to the byte, also when it is interrupted in any phase, and
 * what was done before the parser is not done again. */
#include "lib/check.h"
#include "lib/files.h"
#include "lib/generated.h"
#include "lib/memory.h"
#include "model/file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Stops at the n-th report of a phase. */
typedef struct stopper {
    const char *phase;
    int n;
    int tagger; /* reports of the phase "tagger" */
} stopper;

static int report(void *ctx, const dodona_progress *p)
{
    stopper *s = ctx;
    s->tagger += strcmp(p->phase, "tagger") == 0;
    return s->phase && strcmp(p->phase, s->phase) == 0 && --s->n == 0;
}

static int train(const char *model, stopper *s, uint64_t seed, dodona_error *err)
{
    test_generated from, dev;
    dodona_train_options o;
    dodona_train_options_init(&o);
    o.pipeline = 1;
    o.jackknife = 2;
    o.iterations = 2;
    o.seed = seed;
    o.report = report;
    o.report_ctx = s;
    test_generated_open(&from, 1, 0, 70);
    test_generated_open(&dev, 2, 0, 20);
    int code = dodona_train(&o, &from.source, &dev.source, model, NULL, err);
    test_generated_close(&from);
    test_generated_close(&dev);
    return code;
}

static bool same_files(const char *a, const char *b)
{
    size_t a_size, b_size;
    char *x = test_slurp(a, &a_size), *y = test_slurp(b, &b_size);
    bool same = a_size == b_size && memcmp(x, y, a_size) == 0;
    free(x);
    free(y);
    return same;
}

static void interrupted_runs_end_in_the_same_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *phase;
        int n;
        bool again; /* the tagger must be trained anew */
    } stop[] = { { "tokenizer", 1, true },
                 { "tagger", 3, true },
                 { "jackknife", 2, true },
                 { "train", 1, false },
                 { "train", 4, false } };
    char whole[256], cut[256], parts[300];
    dodona_error err = { 0 };
    stopper none = { 0 };
    snprintf(whole, sizeof whole, "%s", test_scratch("whole"));
    snprintf(cut, sizeof cut, "%s", test_scratch("cut"));
    snprintf(parts, sizeof parts, "%s.parts", cut);
    if (train(whole, &none, 1, &err) < 0)
        fail_msg("%s", err.message);
    for (size_t i = 0; i < sizeof stop / sizeof *stop; i++) {
        stopper s = { .phase = stop[i].phase, .n = stop[i].n }, on = { 0 };
        assert_int_equal(train(cut, &s, 1, &err), DODONA_E_CANCELLED);
        assert_int_equal(access(parts, F_OK) == 0, !stop[i].again);
        assert_int_equal(train(cut, &on, 1, &err), 0);
        assert_int_equal(on.tagger > 0, stop[i].again);
        assert_true(access(parts, F_OK) != 0);
        assert_true(same_files(whole, cut));
    }
}

/* What another run left is not taken. */
static void parts_of_other_runs_are_ignored(void **state)
{
    (void)state;
    char other[256], whole[256], parts[300];
    dodona_error err = { 0 };
    stopper s = { .phase = "train", .n = 1 }, on = { 0 };
    snprintf(whole, sizeof whole, "%s", test_scratch("whole"));
    snprintf(other, sizeof other, "%s", test_scratch("other"));
    snprintf(parts, sizeof parts, "%s.parts", other);
    assert_int_equal(train(other, &s, 2, &err), DODONA_E_CANCELLED);
    assert_int_equal(train(other, &on, 1, &err), 0);
    assert_true(on.tagger > 0);
    assert_true(same_files(whole, other));
    test_spill(parts, "rubbish", 7);
    assert_int_equal(train(other, &on, 1, &err), 0);
    assert_true(same_files(whole, other));
}

/* ---- Parts, one by one ---- */

static int train_steps(const char *model, int steps, const char *into, bool with_dev, uint64_t seed,
                       dodona_error *err)
{
    test_generated from, dev;
    dodona_train_options o;
    dodona_train_options_init(&o);
    o.steps = steps;
    o.into = into;
    o.jackknife = steps & DODONA_STEP_PARSE ? 2 : 0;
    o.iterations = 2;
    o.seed = seed;
    test_generated_open(&from, 1, 0, 70);
    test_generated_open(&dev, 2, 0, 20);
    int code = dodona_train(&o, &from.source, with_dev ? &dev.source : NULL, model, NULL, err);
    test_generated_close(&from);
    test_generated_close(&dev);
    return code;
}

/* Whether the sections with a prefix are the same; *count of them. */
static bool same_part(const char *a, const char *b, const char *prefix, int *count)
{
    ddn_model_file x, y;
    bool same = true;
    *count = 0;
    assert_int_equal(ddn_model_file_open(&x, a, NULL), 0);
    assert_int_equal(ddn_model_file_open(&y, b, NULL), 0);
    for (int i = 0; i < x.sections; i++) {
        const ddn_section *other;
        if (strncmp(x.section[i].name, prefix, strlen(prefix)) != 0)
            continue;
        ++*count;
        assert_int_equal(ddn_model_file_find(&y, x.section[i].name, &other, NULL), 0);
        same = same && other->size == x.section[i].size &&
               memcmp(other->data, x.section[i].data, (size_t)other->size) == 0;
    }
    ddn_model_file_close(&x);
    ddn_model_file_close(&y);
    return same;
}

/* Every line of metadata has a key of its own. */
static void check_metadata(const char *path, const char *kind, bool scores)
{
    dodona_model *m;
    char text[4096], keys[64][64], *line, *rest;
    int count = 0;
    assert_int_equal(dodona_model_open(path, &m, NULL), 0);
    dodona_text meta = dodona_model_metadata(m);
    assert_true(meta.size < sizeof text);
    memcpy(text, meta.data, meta.size);
    text[meta.size] = '\0';
    assert_non_null(strstr(text, kind));
    assert_int_equal(strstr(text, "dev-tokens: Tokens ") != NULL, scores);
    for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        snprintf(keys[count], sizeof keys[0], "%.*s", (int)strcspn(line, ":"), line);
        for (int i = 0; i < count; i++)
            assert_string_not_equal(keys[i], keys[count]);
        count++;
    }
    dodona_model_free(m);
}

/* A pipeline, and its parts one after the other into one file: the same sections.  With a dev set
 * only the metadata differs. */
static void parts_are_trained_alone_to_the_same_bytes(void **state)
{
    (void)state;
    static const int steps[] = { DODONA_STEP_TAG, DODONA_STEP_PARSE, DODONA_STEP_TOKENIZE };
    static const char *const kinds[] = { "kind: tagger\n", "kind: pipeline\n", "kind: pipeline\n" };
    char whole[256], part[256], undeveloped[256];
    int count;
    dodona_error err = { 0 };
    snprintf(whole, sizeof whole, "%s", test_scratch("whole"));
    snprintf(part, sizeof part, "%s", test_scratch("part"));
    snprintf(undeveloped, sizeof undeveloped, "%s", test_scratch("undeveloped"));
    for (int i = 0; i < 3; i++) {
        if (train_steps(part, steps[i], i ? part : NULL, true, 1, &err) < 0)
            fail_msg("%s", err.message);
        check_metadata(part, kinds[i], i == 2);
    }
    for (const char *prefix = "parser.\0tagger.\0lemma.\0tokenizer.\0"; *prefix;
         prefix += strlen(prefix) + 1) {
        assert_true(same_part(whole, part, prefix, &count));
        assert_true(count >= 3);
    }
    assert_int_equal(train_steps(undeveloped, 7, NULL, false, 1, &err), 0);
    assert_true(same_part(undeveloped, whole, "t", &count) && count == 8);
    check_metadata(undeveloped, "kind: pipeline\n", false);
}

/* A new part, here from another seed, leaves the others as they are. */
static void other_parts_stay(void **state)
{
    (void)state;
    static const struct {
        int step;
        const char *own;
    } parts[] = { { DODONA_STEP_TOKENIZE, "tokenizer." },
                  { DODONA_STEP_TAG, "tagger." },
                  { DODONA_STEP_PARSE, "parser." } };
    char whole[256], other[256];
    int count;
    dodona_error err = { 0 };
    snprintf(whole, sizeof whole, "%s", test_scratch("whole"));
    snprintf(other, sizeof other, "%s", test_scratch("other"));
    for (int i = 0; i < 3; i++) {
        assert_int_equal(train_steps(other, parts[i].step, whole, true, 2, &err), 0);
        for (int k = 0; k < 3; k++)
            assert_int_equal(same_part(whole, other, parts[k].own, &count), k != i);
        check_metadata(other, "kind: pipeline\n", true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interrupted_runs_end_in_the_same_bytes),
        cmocka_unit_test(parts_of_other_runs_are_ignored),
        cmocka_unit_test(parts_are_trained_alone_to_the_same_bytes),
        cmocka_unit_test(other_parts_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
