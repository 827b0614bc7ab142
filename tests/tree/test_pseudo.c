/* SPDX-License-Identifier: MIT */
/* Pseudo-projective encoding: an example by hand, the paper's procedure written down anew for all
 * small trees, the way back, labels that look like marks, and marks that make no sense. */
#include "core/rng.h"
#include "lib/check.h"
#include "lib/enumerate.h"
#include "lib/naive.h"
#include "tree/pseudo.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = 10, SIDE = MAX + 1 };

static const ddn_pseudo_scheme schemes[] = { DDN_PSEUDO_HEAD, DDN_PSEUDO_PATH,
                                             DDN_PSEUDO_HEAD_PATH };

static void set_labels(dodona_text *label, const char *const *text, int32_t n)
{
    label[0] = (dodona_text){ NULL, 0 };
    for (int32_t i = 1; i <= n; i++)
        label[i] = (dodona_text){ text[i], strlen(text[i]) };
}

static void assert_labels(const dodona_text *label, const char *const *text, int32_t n)
{
    for (int32_t i = 1; i <= n; i++) {
        assert_int_equal(label[i].size, strlen(text[i]));
        assert_memory_equal(label[i].data, text[i], label[i].size);
    }
}

/* of(1) hangs from one(4) over is(2); both(3) hangs from one too.
 *     of 4 case, is 0 root, just 4 mod, one 2 subj */
static void example(void **state)
{
    (void)state;
    static const int32_t gold[] = { -1, 4, 0, 4, 2 }, flat[] = { -1, 2, 0, 4, 2 };
    static const char *const text[] = { "", "case", "root", "mod", "subj" };
    static const char *const expected[][5] = {
        { "", "case|subj", "root", "mod", "subj" },
        { "", "case|", "root", "mod", "subj%" },
        { "", "case|subj", "root", "mod", "subj%" },
    };
    ddn_pseudo p;
    dodona_text label[5], made[5], back[5];
    int32_t head[5], again[5];
    char copy[5][20];
    ddn_pseudo_init(&p);
    set_labels(label, text, 4);
    for (int s = 0; s < 3; s++) {
        assert_int_equal(ddn_pseudo_encode(&p, schemes[s], gold, label, 4, head, made, NULL), 1);
        assert_memory_equal(head + 1, flat + 1, 4 * sizeof *head);
        assert_labels(made, expected[s], 4);
        for (int i = 1; i <= 4; i++) { /* the next call takes the old labels' place */
            memcpy(copy[i], made[i].data, made[i].size);
            made[i].data = copy[i];
        }
        assert_int_equal(ddn_pseudo_decode(&p, head, made, 4, again, back, NULL), 1);
        assert_memory_equal(again + 1, gold + 1, 4 * sizeof *head);
        assert_labels(back, text, 4);
    }
    ddn_pseudo_fini(&p);
}

/* ---- All trees ---- */

static bool naive_crossed(const int32_t *head, int32_t d)
{
    int32_t h = head[d];
    for (int32_t x = h < d ? h + 1 : d + 1; x < (h < d ? d : h); x++) {
        int32_t v = x;
        while (v > 0 && v != h)
            v = head[v];
        if (v != h)
            return true;
    }
    return false;
}

/* Figure 3 of the paper. */
static void naive_lift(int32_t *head, int32_t n)
{
    while (!test_is_projective(head, n)) {
        int32_t best = 0;
        for (int32_t d = 1; d <= n; d++)
            if (naive_crossed(head, d) && (best == 0 || abs(head[d] - d) < abs(head[best] - best)))
                best = d;
        head[best] = head[head[best]];
    }
}

typedef struct round_trip {
    ddn_pseudo *p;
    int32_t n;
    char text[SIDE][4];
    dodona_text label[SIDE];
    int64_t trees, lost[3];
} round_trip;

static void go_and_come_back(void *ctx, const int32_t *gold)
{
    round_trip *r = ctx;
    int32_t lifted[SIDE], head[SIDE], back[SIDE], changed = 0;
    dodona_text made[SIDE], plain[SIDE];
    char copy[SIDE][16];
    memcpy(lifted, gold, ((size_t)r->n + 1) * sizeof *gold);
    naive_lift(lifted, r->n);
    for (int32_t i = 1; i <= r->n; i++)
        changed += lifted[i] != gold[i];
    for (int s = 0; s < 3; s++) {
        assert_int_equal(
            ddn_pseudo_encode(r->p, schemes[s], gold, r->label, r->n, head, made, NULL), changed);
        assert_memory_equal(head + 1, lifted + 1, (size_t)r->n * sizeof *head);
        for (int32_t i = 1; i <= r->n; i++) {
            memcpy(copy[i], made[i].data, made[i].size);
            made[i].data = copy[i];
        }
        assert_true(ddn_pseudo_decode(r->p, head, made, r->n, back, plain, NULL) <= changed);
        assert_true(test_is_tree(back, r->n, false));
        for (int32_t i = 1; i <= r->n; i++) {
            assert_int_equal(plain[i].size, r->label[i].size);
            assert_memory_equal(plain[i].data, r->label[i].data, plain[i].size);
        }
        r->lost[s] += memcmp(back + 1, gold + 1, (size_t)r->n * sizeof *gold) != 0;
    }
    r->trees++;
}

/* With a label of its own for every word, head and head+path lose nothing. */
static void all_trees(void **state)
{
    (void)state;
    ddn_pseudo p;
    ddn_pseudo_init(&p);
    for (int32_t n = 1; n <= 6; n++) {
        round_trip r = { .p = &p, .n = n };
        for (int32_t i = 1; i <= n; i++) {
            snprintf(r.text[i], sizeof r.text[i], "l%d", (int)i);
            r.label[i] = (dodona_text){ r.text[i], strlen(r.text[i]) };
        }
        test_each_tree(n, TEST_ALL, go_and_come_back, &r);
        assert_int_equal(r.lost[0], 0);
        assert_int_equal(r.lost[2], 0);
        assert_true(2 * r.lost[1] <= r.trees);
    }
    ddn_pseudo_fini(&p);
}

/* ---- Odd labels ---- */

static void labels_like_marks(void **state)
{
    (void)state;
    static const int32_t gold[] = { -1, 4, 0, 4, 2 };
    static const char *const text[] = { "", "|", "ro%ot\\", "\\|", "a|b%" };
    static const char *const expected[] = { "", "\\||a\\|b\\%", "ro\\%ot\\\\", "\\\\\\|",
                                            "a\\|b\\%%" };
    ddn_pseudo p;
    dodona_text label[5], made[5], back[5];
    int32_t head[5], again[5];
    char copy[5][20];
    ddn_pseudo_init(&p);
    set_labels(label, text, 4);
    assert_int_equal(ddn_pseudo_encode(&p, DDN_PSEUDO_HEAD_PATH, gold, label, 4, head, made, NULL),
                     1);
    assert_labels(made, expected, 4);
    for (int i = 1; i <= 4; i++) {
        memcpy(copy[i], made[i].data, made[i].size);
        made[i].data = copy[i];
    }
    assert_int_equal(ddn_pseudo_decode(&p, head, made, 4, again, back, NULL), 1);
    assert_memory_equal(again + 1, gold + 1, 4 * sizeof *head);
    assert_labels(back, text, 4);
    ddn_pseudo_fini(&p);
}

/* What a parser may predict: any marks on any tree.  The result is a tree. */
static void senseless_marks(void **state)
{
    (void)state;
    static const char *const text[] = { "a",   "b",  "a|b", "b|a%", "a|%",  "b%", "a|",
                                        "|||", "%%", "\\",  "a\\",  "a|\\", "",   "|" };
    ddn_rng rng;
    ddn_pseudo p;
    ddn_pseudo_init(&p);
    ddn_rng_init(&rng, 5);
    for (int x = 0; x < 20000; x++) {
        int32_t n = 1 + (int32_t)ddn_rng_below(&rng, MAX), head[SIDE], back[SIDE];
        dodona_text label[SIDE], plain[SIDE];
        test_random_tree(&rng, n, TEST_ALL, head);
        for (int32_t i = 1; i <= n; i++) {
            const char *t = text[ddn_rng_below(&rng, sizeof text / sizeof *text)];
            label[i] = (dodona_text){ t, strlen(t) };
        }
        assert_true(ddn_pseudo_decode(&p, head, label, n, back, plain, NULL) >= 0);
        assert_true(test_is_tree(back, n, false));
    }
    ddn_pseudo_fini(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(example),
        cmocka_unit_test(all_trees),
        cmocka_unit_test(labels_like_marks),
        cmocka_unit_test(senseless_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
