/* SPDX-License-Identifier: MIT */
/* What differs between two analyses, against a plain way to say it: each word has a name, the same
 * in both analyses where they share it, and arcs differ when names of heads or labels do. */
#include "core/rng.h"
#include "io/compare.h"
#include "lib/check.h"
#include <stdio.h>

enum { MOST = 8, ROUNDS = 5000, ROOT = 100, NONE, FAR };

typedef struct analysis {
    ddn_sentence s;
    int name[MOST + 1];
} analysis;

static void make(analysis *a, ddn_rng *rng, int32_t n)
{
    static const char *const tags[] = { "X", "Y", "_" };
    ddn_sentence_clear(&a->s);
    for (int32_t i = 1; i <= n; i++) {
        char head[16];
        const char *upos = tags[ddn_rng_below(rng, 3)], *xpos = tags[ddn_rng_below(rng, 3)];
        int32_t h = (int32_t)ddn_rng_below(rng, MOST + 2); /* MOST + 1: no word of either */
        h = h > n ? MOST + 1 : h;
        snprintf(head, sizeof head, "%d", (int)h);
        dodona_text col[DDN_COLUMNS] = {
            [DDN_UPOS] = { upos, 1 },
            [DDN_XPOS] = { xpos, 1 },
            [DDN_HEAD] = { ddn_rng_below(rng, 6) ? head : "_", strlen(head) },
            [DDN_DEPREL] = { ddn_rng_below(rng, 2) ? "k" : "l", 1 },
        };
        assert_int_equal(ddn_sentence_word(&a->s, col, NULL), 0);
    }
}

static int head_name(const analysis *a, int32_t i)
{
    int32_t h = a->s.head[i];
    return h < 0 ? NONE : h == 0 ? ROOT : h > a->s.n ? FAR : a->name[h];
}

static char tag(const analysis *a, int32_t i)
{
    char upos = *ddn_sentence_column(&a->s, i, DDN_UPOS).data;
    return upos != '_' ? upos : *ddn_sentence_column(&a->s, i, DDN_XPOS).data;
}

static void names_tell(void **state)
{
    (void)state;
    analysis a, b;
    ddn_comparison c;
    ddn_rng rng;
    ddn_rng_init(&rng, 2);
    ddn_comparison_init(&c);
    ddn_sentence_init(&a.s);
    ddn_sentence_init(&b.s);
    for (int round = 0; round < ROUNDS; round++) {
        make(&a, &rng, 1 + (int32_t)ddn_rng_below(&rng, MOST));
        make(&b, &rng, 1 + (int32_t)ddn_rng_below(&rng, MOST));
        assert_int_equal(ddn_comparison_begin(&c, &a.s, &b.s, NULL), 0);
        for (int32_t i = 1; i <= MOST; i++) {
            a.name[i] = i;
            b.name[i] = MOST + i;
        }
        for (int32_t i = 1, j = 1; i <= a.s.n && j <= b.s.n; i++, j++) {
            i += (int32_t)ddn_rng_below(&rng, 2);
            j += (int32_t)ddn_rng_below(&rng, 2);
            if (i > a.s.n || j > b.s.n)
                break;
            b.name[j] = a.name[i];
            c.there[i] = j;
            c.here[j] = i;
        }
        for (int32_t i = 1; i <= a.s.n; i++) {
            int32_t j = c.there[i];
            bool head = j && head_name(&a, i) != head_name(&b, j);
            bool label = j && *ddn_sentence_column(&a.s, i, DDN_DEPREL).data !=
                                  *ddn_sentence_column(&b.s, j, DDN_DEPREL).data;
            assert_int_equal(ddn_arc_differs(&a.s, &c, i), !j || head || label);
            assert_int_equal(ddn_tag_differs(&a.s, &c, i), j && tag(&a, i) != tag(&b, j));
            if (j)
                assert_int_equal(ddn_head_differs(&a.s, &c, i), head);
        }
    }
    ddn_comparison_fini(&c);
    ddn_sentence_fini(&a.s);
    ddn_sentence_fini(&b.s);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(names_tell) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
