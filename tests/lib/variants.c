/* SPDX-License-Identifier: MIT */
#include "lib/variants.h"

#include "lib/check.h"

#include <stdio.h>
#include <stdlib.h>

enum { LOOKS = 12 }; /* combinations of tag and features */

/* Forms that are a multiple of LOOKS apart have the same tag and features. */
static void add_word(ddn_sentence *s, int form)
{
    char word[16], tag[16], feats[16];
    snprintf(word, sizeof word, "w%d", form);
    snprintf(tag, sizeof tag, "T%d", form % 4);
    snprintf(feats, sizeof feats, "Case=C%d", form % 3);
    dodona_text col[DDN_COLUMNS] = { [DDN_FORM] = { word, strlen(word) },
                                     [DDN_LEMMA] = { word, strlen(word) },
                                     [DDN_UPOS] = { tag, strlen(tag) },
                                     [DDN_XPOS] = { tag, strlen(tag) },
                                     [DDN_FEATS] = { feats, strlen(feats) } };
    assert_int_equal(ddn_sentence_word(s, col, NULL), DODONA_OK);
}

void test_variants_init(test_variants *v, ddn_rng *r, int count, int forms, int longest)
{
    int form[64] = { 0 };
    int32_t n = 0;
    v->count = count;
    v->sentence = calloc((size_t)count, sizeof *v->sentence);
    v->list = calloc((size_t)count, sizeof *v->list);
    assert_true(v->sentence && v->list && longest < 64);
    for (int i = 0; i < count; i++) {
        if (i % 5 == 0 || i % 5 == 4) {
            n = 1 + (int32_t)ddn_rng_below(r, (uint64_t)longest);
            for (int32_t w = 0; w < n; w++)
                form[w] = (int)ddn_rng_below(r, (uint64_t)forms);
        }
        int32_t place = i % 5 == 1 ? 0 : i % 5 == 2 ? n / 2 : i % 5 == 3 ? n - 1 : -1;
        ddn_sentence_init(&v->sentence[i]);
        for (int32_t w = 0; w < n; w++)
            add_word(&v->sentence[i], w == place ? (form[w] + LOOKS) % forms : form[w]);
        v->list[i] = &v->sentence[i];
    }
}

void test_variants_fini(test_variants *v)
{
    for (int i = 0; i < v->count; i++)
        ddn_sentence_fini(&v->sentence[i]);
    free(v->sentence);
    free(v->list);
}
