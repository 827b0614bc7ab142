/* SPDX-License-Identifier: MIT */
/* The trees of an HTML page as numbers: read by jansson, they say what the sentences say.  How the
 * page's script draws them is looked at in tests/cli/browser. */
#include "core/rng.h"
#include "io/html_write.h"
#include "io/picture.h"
#include "lib/check.h"
#include "lib/pictures.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 20 };

static const char opening[] = "<script type=\"application/json\">";

/* The trees of the next section from *at on; NULL: there is none. */
static json_t *next_section(const char **at)
{
    const char *start = strstr(*at, opening);
    if (!start)
        return NULL;
    start += strlen(opening);
    *at = strstr(start, "</script>");
    assert_non_null(*at);
    json_t *section = json_loadb(start, (size_t)(*at - start), 0, NULL);
    assert_non_null(section);
    return section;
}

static long long number(const json_t *list, int32_t i)
{
    json_t *value = json_array_get(list, (size_t)i);
    assert_true(json_is_integer(value));
    return json_integer_value(value);
}

static const char *string(const json_t *section, const char *list, long long i)
{
    const char *text = json_string_value(json_array_get(json_object_get(section, list), (size_t)i));
    assert_non_null(text);
    return text;
}

static bool same(dodona_text t, const char *text)
{
    return t.size == strlen(text) && memcmp(t.data, text, t.size) == 0;
}

/* The form before the first tab; the columns of the strip stand where the numbers say. */
static void check_columns(const json_t *section, const json_t *columns, const ddn_picture *p)
{
    long long x = 0;
    assert_int_equal(json_array_size(columns), 4 * p->columns);
    for (int32_t i = 0; i < p->columns; i++) {
        const ddn_column *c = &p->column[i];
        const char *text = string(section, "text", number(columns, 4 * i + 2));
        dodona_text form = ddn_sentence_span(c->of, c->of->row[c->row].col[DDN_FORM]);
        assert_true(form.size == strcspn(text, "\t") && memcmp(form.data, text, form.size) == 0);
        x += number(columns, 4 * i);
        assert_int_equal(x, c->x);
        assert_int_equal(number(columns, 4 * i + 1), c->half);
    }
}

/* Each arc of an analysis is there once, and of the second those that differ. */
static void check_arcs(const json_t *section, const json_t *arcs, const ddn_picture *p, bool below)
{
    const ddn_sentence *s = below ? p->with->other : p->s;
    int seen[MOST + 1] = { 0 };
    assert_int_equal(json_array_size(arcs) % 5, 0);
    for (int32_t k = 0; k < (int32_t)json_array_size(arcs); k += 5) {
        long long head = number(arcs, k), child = number(arcs, k + 1), label = number(arcs, k + 2);
        int32_t word = 0;
        for (int32_t i = 1; i <= s->n; i++)
            if (ddn_picture_column(p, i, below) == &p->column[child])
                word = i;
        assert_true(word > 0);
        seen[word]++;
        if (s->head[word])
            assert_ptr_equal(ddn_picture_column(p, s->head[word], below), &p->column[head]);
        else
            assert_int_equal(head, -1);
        int32_t here = below ? p->with->here[word] : word;
        bool differs = !here || (p->with && ddn_arc_differs(p->s, p->with, here));
        assert_int_equal(label < 0, differs);
        assert_true(same(ddn_sentence_column(s, word, DDN_DEPREL),
                         string(section, "label", 2 * (label < 0 ? ~label : label))));
    }
    for (int32_t i = 1; i <= s->n; i++) {
        int32_t here = below ? p->with->here[i] : i;
        bool shown = !below || !here || ddn_arc_differs(p->s, p->with, here);
        assert_int_equal(seen[i], shown && s->head[i] != i);
    }
}

static void trees_say_the_same(void **state)
{
    (void)state;
    ddn_rng rng;
    ddn_picture p;
    ddn_sentence s, t;
    ddn_comparison with;
    ddn_rng_init(&rng, 5);
    ddn_picture_init(&p);
    ddn_sentence_init(&s);
    ddn_sentence_init(&t);
    ddn_comparison_init(&with);
    for (int round = 0; round < 500; round++) {
        ddn_output o;
        ddn_html *h = ddn_html_new();
        const ddn_comparison *compared = round % 3 ? &with : NULL;
        assert_non_null(h);
        ddn_output_memory(&o);
        test_random_sentence(&s, &rng, 1 + (int32_t)ddn_rng_below(&rng, MOST), round % 5 == 0);
        test_random_sentence(&t, &rng, 1 + (int32_t)ddn_rng_below(&rng, MOST), false);
        test_random_pairs(&with, &s, &t, &rng);
        for (int i = 0; i < 2; i++)
            assert_int_equal(ddn_html_put(h, &o, &s, compared, NULL), 0);
        ddn_html_end(h, &o);
        ddn_put(&o, "", 1);
        const char *at = o.data;
        json_t *section = next_section(&at), *trees = json_object_get(section, "trees");
        assert_int_equal(json_array_size(trees), 2);
        assert_int_equal(ddn_picture_make(&p, &s, compared, NULL), 0);
        for (size_t i = 0; i < 2; i++) {
            const json_t *tree = json_array_get(trees, i);
            assert_int_equal(number(tree, 0), round % 5 == 0);
            check_columns(section, json_array_get(tree, 1), &p);
            check_arcs(section, json_array_get(tree, 2), &p, false);
            if (compared)
                check_arcs(section, json_array_get(tree, 3), &p, true);
        }
        assert_null(next_section(&at));
        json_decref(section);
        ddn_output_abandon(&o);
        ddn_html_free(h);
    }
    ddn_comparison_fini(&with);
    ddn_picture_fini(&p);
    ddn_sentence_fini(&s);
    ddn_sentence_fini(&t);
}

/* A page of many sentences has few elements, and at most 50 bytes a word beside 200 a sentence: as
 * pictures, ten times as many. */
static void many_sentences(void **state)
{
    (void)state;
    enum { SENTENCES = 5000, WORDS = 15, SECTION = 32 };
    ddn_sentence s;
    ddn_output o;
    ddn_html *h = ddn_html_new();
    assert_non_null(h);
    ddn_sentence_init(&s);
    ddn_output_memory(&o);
    for (int32_t i = 1; i <= WORDS; i++)
        test_add_word(&s, i % 2 ? "leaves" : "whisper", i - 1, "nsubj");
    ddn_html_end(h, &o); /* a page without sentences, */
    size_t empty = o.size;
    ddn_html_free(h);
    assert_non_null(h = ddn_html_new()); /* and one with many */
    o.size = 0;
    for (int i = 0; i < SENTENCES; i++)
        assert_int_equal(ddn_html_put(h, &o, &s, NULL, NULL), 0);
    ddn_html_end(h, &o);
    assert_true(o.size - empty < (size_t)SENTENCES * (200 + 50 * WORDS));
    ddn_put(&o, "", 1);
    size_t sections = 0, trees = 0;
    const char *at = o.data;
    for (json_t *section; (section = next_section(&at)); sections++) {
        trees += json_array_size(json_object_get(section, "trees"));
        json_decref(section);
    }
    assert_int_equal(sections, (SENTENCES + SECTION - 1) / SECTION);
    assert_int_equal(trees, SENTENCES);
    ddn_output_abandon(&o);
    ddn_html_free(h);
    ddn_sentence_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_say_the_same),
        cmocka_unit_test(many_sentences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
