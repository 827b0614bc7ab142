/* SPDX-License-Identifier: MIT */
/* Pictures: what must hold of every layout, looked at arc by arc; and that what is written of any
 * words is well-formed and says what it should. */
#include "core/rng.h"
#include "io/html_write.h"
#include "io/picture.h"
#include "io/svg_write.h"
#include "io/tikz_write.h"
#include "io/xml_write.h"
#include "lib/check.h"
#include "lib/xml.h"
#include "tree/tree.h"
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 14, ROUNDS = 3000 };

static const char *const labels[] = { "x", "nsubj", "xxxxxxxxxxxxxxxxxxxxxxxx", "acl:relcl" };
static const char *const forms[] = { "a", "oak", "wwwwwwwwwwwwwwww", "木" };

static void add_word(ddn_sentence *s, const char *form, int32_t head, const char *label)
{
    char number[16];
    snprintf(number, sizeof number, "%d", (int)head);
    dodona_text col[DDN_COLUMNS] = { [DDN_FORM] = { form, strlen(form) },
                                     [DDN_UPOS] = { "X", 1 },
                                     [DDN_HEAD] = { number, strlen(number) },
                                     [DDN_DEPREL] = { label, strlen(label) } };
    assert_int_equal(ddn_sentence_word(s, col, NULL), 0);
}

/* Any heads at all: most are no trees.  Words in the wide script of the first make it run left. */
static void random_sentence(ddn_sentence *s, ddn_rng *rng, int32_t n, bool rtl)
{
    ddn_sentence_clear(s);
    for (int32_t i = 1; i <= n; i++)
        add_word(s, i == 1 && rtl ? "יער" : forms[ddn_rng_below(rng, 4)],
                 (int32_t)ddn_rng_below(rng, (uint32_t)n + 1), labels[ddn_rng_below(rng, 4)]);
}

/* The same words with some heads and labels changed. */
static void change(ddn_sentence *to, const ddn_sentence *from, ddn_rng *rng)
{
    ddn_sentence_clear(to);
    for (int32_t i = 1; i <= from->n; i++) {
        char form[64], label[64];
        dodona_text f = ddn_sentence_column(from, i, DDN_FORM);
        dodona_text l = ddn_sentence_column(from, i, DDN_DEPREL);
        snprintf(form, sizeof form, "%.*s", (int)f.size, f.data);
        snprintf(label, sizeof label, "%.*s", (int)l.size, l.data);
        bool other = ddn_rng_below(rng, 2);
        add_word(to, form,
                 other ? (int32_t)ddn_rng_below(rng, (uint32_t)from->n + 1) : from->head[i],
                 other ? "y" : label);
    }
}

/* Any words of s and t in common that ascend in both, the others anywhere between, and any ends of
 * sentences. */
static void random_pairs(ddn_comparison *c, const ddn_sentence *s, const ddn_sentence *t,
                         ddn_rng *rng)
{
    assert_int_equal(ddn_comparison_begin(c, s, t, NULL), 0);
    for (int32_t i = 0, j = 0; i < s->n || j < t->n;) {
        uint32_t next = ddn_rng_below(rng, 4);
        if (next > 1 && i < s->n && j < t->n) {
            i++, j++;
            c->there[i] = j;
            c->here[j] = c->after[j] = i;
        } else if (next == 0 && i < s->n) {
            i++;
        } else if (next == 1 && j < t->n) {
            c->after[++j] = i;
        }
        if (i && i < s->n && ddn_rng_below(rng, 6) == 0)
            c->ends[i] = true;
        if (j && j < t->n && ddn_rng_below(rng, 6) == 0)
            c->ends_there[j] = true;
    }
    for (int32_t i = 1; i <= s->n; i++)
        c->sentences += c->ends[i];
    for (int32_t j = 1; j <= t->n; j++)
        c->sentences_there += c->ends_there[j];
}

static int32_t lesser(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* Whether two arcs pass over the same gap between words; a root's counts as passing over both gaps
 * beside it. */
static bool share_gap(const ddn_bow *a, const ddn_bow *b)
{
    int32_t al = a->head ? lesser(a->head, a->child) : a->child - 1;
    int32_t ar = a->head ? a->head + a->child - al : a->child + 1;
    int32_t bl = b->head ? lesser(b->head, b->child) : b->child - 1;
    int32_t br = b->head ? b->head + b->child - bl : b->child + 1;
    return al < br && bl < ar;
}

static int32_t length(const ddn_bow *a)
{
    return a->head ? abs((int)(a->head - a->child)) : MOST + 1;
}

static void check_levels(const ddn_picture *p)
{
    int32_t top[2] = { 0, 0 };
    for (int32_t i = 0; i < p->arcs; i++) {
        const ddn_bow *a = &p->arc[i];
        bool rests = a->level == 1;
        for (int32_t j = 0; j < p->arcs; j++) {
            const ddn_bow *b = &p->arc[j];
            if (i == j || a->below != b->below || !share_gap(a, b) || (!a->head && !b->head))
                continue;
            assert_int_not_equal(a->level, b->level);
            if (length(a) < length(b))
                assert_true(a->level < b->level);
            rests = rests || b->level == a->level - 1;
        }
        assert_true(rests); /* no level is left free below it without need */
        top[a->below] = a->level > top[a->below] ? a->level : top[a->below];
    }
    if (p->with && p->with->sentences > 1 && top[0] == 0)
        top[0] = 1;
    if (p->with && p->with->sentences_there > 1 && top[1] == 0)
        top[1] = 1;
    assert_int_equal(p->above, top[0]);
    assert_int_equal(p->below, top[1]);
}

static void check_places(const ddn_picture *p)
{
    int64_t reach = 0;
    for (int32_t k = 0; k < p->columns; k++) {
        const ddn_column *c = &p->column[p->rtl ? p->columns - 1 - k : k];
        assert_true(c->x - c->half > reach);
        reach = c->x + c->half;
        size_t letters = ddn_sentence_span(c->of, c->of->row[c->row].col[DDN_FORM]).size;
        assert_true(2 * c->half >= (int64_t)lesser((int32_t)letters, 3) * 5);
    }
    assert_true(reach < p->width);
    for (int32_t i = 0; i < p->arcs; i++) {
        const ddn_bow *a = &p->arc[i];
        const ddn_column *child = ddn_picture_column(p, a->child, a->below);
        const ddn_column *head = ddn_picture_column(p, a->head ? a->head : a->child, a->below);
        assert_true(llabs((long long)(a->to - child->x)) <= child->half);
        assert_true(llabs((long long)(a->from - head->x)) <= head->half);
        /* Half the letter size for each letter, which is what narrow fonts take. */
        const ddn_sentence *s = a->below ? p->with->other : p->s;
        size_t letters = ddn_sentence_column(s, a->child, DDN_DEPREL).size + a->differs;
        if (a->head)
            assert_true(llabs((long long)(a->to - a->from)) >
                        (int64_t)letters * DDN_LABEL_SIZE / 2);
    }
}

/* Arcs that are there, arcs that differ. */
static void check_arcs(const ddn_picture *p)
{
    int above[MOST + 1] = { 0 }, below[MOST + 1] = { 0 };
    for (int32_t i = 0; i < p->arcs; i++) {
        const ddn_bow *a = &p->arc[i];
        (a->below ? below : above)[a->child]++;
        assert_int_equal(a->head, (a->below ? p->with->other : p->s)->head[a->child]);
    }
    for (int32_t i = 1; i <= p->s->n; i++)
        assert_int_equal(above[i], p->s->head[i] != i);
    for (int32_t j = 1; p->with && j <= p->with->other->n; j++) {
        bool differs = !p->with->here[j] || ddn_arc_differs(p->s, p->with, p->with->here[j]);
        assert_int_equal(below[j], differs && p->with->other->head[j] != j);
    }
}

/* Whether column k, or its right neighbour where words go left, begins a sentence of the first or
 * the second analysis: the last word of that analysis before it ended one. */
static void check_borders(const ddn_picture *p)
{
    int32_t last = 0, last_there = 0, borders[2] = { 0, 0 };
    for (int32_t k = 0; k < p->columns; k++) {
        const ddn_column *c = &p->column[k];
        bool shared = c->of == p->s && p->with->there[c->word];
        borders[0] += c->begins;
        borders[1] += c->begins_there;
        if (c->begins)
            assert_true(c->of == p->s && p->with->ends[last]);
        if (c->begins_there)
            assert_true(p->with->ends_there[last_there]);
        if (c->begins || c->begins_there) {
            const ddn_column *left = p->rtl ? c : c - 1, *right = p->rtl ? c - 1 : c;
            assert_true(left->x + left->half + 20 < c->border);
            assert_true(c->border < right->x - right->half - 20);
        }
        if (c->of == p->s) {
            assert_int_equal(c->word, last + 1);
            last = c->word;
        }
        if (c->of != p->s || shared) {
            assert_int_equal(shared ? p->with->there[c->word] : c->word, last_there + 1);
            assert_ptr_equal(ddn_picture_column(p, ++last_there, true), c);
        }
    }
    assert_int_equal(last, p->s->n);
    assert_int_equal(last_there, p->with->other->n);
    assert_int_equal(borders[0], p->with->sentences - 1);
    assert_int_equal(borders[1], p->with->sentences_there - 1);
}

/* No upright line goes through a lower arc. */
static void check_no_crossing(const ddn_picture *p)
{
    for (int32_t i = 0; i < p->arcs; i++)
        for (int32_t j = 0; j < p->arcs; j++) {
            const ddn_bow *a = &p->arc[i], *b = &p->arc[j];
            int64_t left = a->from < a->to ? a->from : a->to, right = a->from + a->to - left;
            if (i == j || a->level >= b->level)
                continue;
            assert_false(left <= b->from && b->from <= right);
            assert_false(left <= b->to && b->to <= right);
        }
}

static void layouts(void **state)
{
    (void)state;
    ddn_rng rng;
    ddn_picture p;
    ddn_sentence s, t;
    ddn_comparison with;
    int32_t mark[2 * (MOST + 1)];
    int projective = 0;
    ddn_rng_init(&rng, 7);
    ddn_picture_init(&p);
    ddn_sentence_init(&s);
    ddn_sentence_init(&t);
    ddn_comparison_init(&with);
    for (int round = 0; round < ROUNDS; round++) {
        int32_t n = 1 + (int32_t)ddn_rng_below(&rng, round % 2 ? MOST : 5);
        random_sentence(&s, &rng, n, round % 3 == 0);
        if (round % 5 == 0) {
            change(&t, &s, &rng);
            assert_int_equal(ddn_comparison_same(&with, &s, &t, NULL), 0);
        } else if (round % 5 == 1) {
            random_sentence(&t, &rng, 1 + (int32_t)ddn_rng_below(&rng, MOST), false);
            random_pairs(&with, &s, &t, &rng);
        }
        assert_int_equal(ddn_picture_make(&p, &s, round % 5 > 1 ? NULL : &with, NULL), 0);
        assert_int_equal(p.rtl, round % 3 == 0);
        check_arcs(&p);
        check_levels(&p);
        check_places(&p);
        if (p.with)
            check_borders(&p);
        if (!p.with && ddn_tree_check(s.head, n, false, mark, NULL) == DDN_TREE_OK &&
            ddn_tree_is_projective(s.head, n, mark)) {
            check_no_crossing(&p);
            projective++;
        }
    }
    assert_true(projective > 100);
    ddn_comparison_fini(&with);
    ddn_picture_fini(&p);
    ddn_sentence_fini(&s);
    ddn_sentence_fini(&t);
}

/* ---- Markup ---- */

static char *written(const ddn_sentence *s, const ddn_comparison *with, bool html, size_t *size)
{
    ddn_output o;
    ddn_output_memory(&o);
    if (html) {
        ddn_html *h = ddn_html_new();
        assert_non_null(h);
        for (int i = 0; i < 2; i++)
            assert_int_equal(ddn_html_put(h, &o, s, with, NULL), 0);
        ddn_html_end(h, &o);
        ddn_html_free(h);
    } else {
        ddn_svg *g;
        assert_int_equal(ddn_svg_new(&g, NULL), 0);
        for (int i = 0; i < 2; i++)
            assert_int_equal(ddn_svg_put(g, s, with, NULL), 0);
        assert_int_equal(ddn_svg_end(g, &o, NULL), 0);
        ddn_svg_free(g);
    }
    *size = o.size;
    ddn_put(&o, "", 1);
    assert_int_equal(o.error.code, 0);
    return o.data;
}

static int count(const char *text, const char *part)
{
    int found = 0;
    for (; (text = strstr(text, part)); text++)
        found++;
    return found;
}

static void is_well_formed(const ddn_sentence *s, const ddn_comparison *with)
{
    for (int html = 0; html < 2; html++) {
        size_t size, at;
        char *data = written(s, with, html, &size);
        const char *fault = test_xml(data, size, &at);
        if (fault)
            fail_msg("%s at %zu: ...%.60s", fault, at, data + (at < 20 ? 0 : at - 20));
        assert_int_equal(count(data, "<script"), html);
        assert_int_equal(count(data, "</script"), html);
        assert_int_equal(count(data, "<svg"), html ? 2 : 3);
        free(data);
    }
}

/* The checker itself: what is not well-formed. */
static void the_checker_checks(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "<a>",
        "<a></b>",
        "<a/><a/>",
        "x<a/>",
        "<a>&</a>",
        "<a>&nbsp;</a>",
        "<a b=c/>",
        "<a b=\"<\"/>",
        "<a b=\"\" b=\"\"/>",
        "<a>\x01</a>",
        "<a>\xff</a>",
        "<a>\xef\xbf\xbf</a>",
        "<a><!-- --></a>",
        "<a>\xc2\x80</a>",
    };
    size_t at;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_non_null(test_xml(bad[i], strlen(bad[i]), &at));
    assert_null(test_xml("<a b=\"&lt;\"><c/>&amp;é</a>\n", 27, &at));
}

static void hostile_words(void **state)
{
    (void)state;
    static const char *const words[] = {
        "</script><script>alert(1)</script>",
        "\"onload=\"alert(1)",
        "'",
        "&amp;",
        "]]>",
        "-->",
        "<!--",
        "\x01\x02\x1f\x7f",
        "\xef\xbf\xbe\xef\xbf\xbf",
        "\xc2\x85",
        "\u202e",
        "\\",
    };
    ddn_sentence s, t;
    ddn_comparison with;
    ddn_rng rng;
    size_t size;
    ddn_rng_init(&rng, 1);
    ddn_comparison_init(&with);
    ddn_sentence_init(&s);
    ddn_sentence_init(&t);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        add_word(&s, words[i], i == 3 ? 0 : 4, words[i]);
        add_word(&t, words[i], i == 3 ? 0 : 4, i % 2 ? words[i] : "<b>");
    }
    is_well_formed(&s, NULL);
    assert_int_equal(ddn_comparison_same(&with, &s, &t, NULL), 0);
    is_well_formed(&s, &with);
    for (int round = 0; round < 20; round++) {
        random_pairs(&with, &s, &t, &rng);
        is_well_formed(&s, &with);
    }
    ddn_comparison_fini(&with);
    char *data = written(&s, NULL, false, &size);
    /* As form, in the text, and as label. */
    assert_int_equal(count(data, "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;"), 2 * 3);
    assert_int_equal(count(data, ">&quot;onload=&quot;alert(1)<"), 2 * 2);
    assert_int_equal(count(data, ">\ufffd\ufffd\ufffd\ufffd<"), 2 * 2);
    free(data);
    ddn_sentence_fini(&s);
    ddn_sentence_fini(&t);
}

/* Words of random characters from 1 to U+10FFFF. */
static void random_words(void **state)
{
    (void)state;
    ddn_rng rng;
    ddn_sentence s;
    ddn_rng_init(&rng, 3);
    ddn_sentence_init(&s);
    for (int round = 0; round < 300; round++) {
        ddn_sentence_clear(&s);
        int32_t n = 1 + (int32_t)ddn_rng_below(&rng, 6);
        for (int32_t i = 1; i <= n; i++) {
            char word[64];
            size_t size = 0;
            for (uint32_t k = 0; k < 1 + ddn_rng_below(&rng, 8); k++) {
                static const uint32_t most[] = { 0x7f, 0xff, 0x7ff, 0xffff, 0x10ffff };
                uint32_t c = 1 + ddn_rng_below(&rng, most[ddn_rng_below(&rng, 5)]);
                if (c == '\t' || c == '\n' || c == '\r' || (c >= 0xd800 && c < 0xe000))
                    c = '<';
                if (c < 0x80) {
                    word[size++] = (char)c;
                    continue;
                }
                int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
                word[size++] = (char)((0xf80 >> more & 0xff) | c >> 6 * more);
                while (more-- > 0)
                    word[size++] = (char)(0x80 | (c >> 6 * more & 0x3f));
            }
            word[size] = '\0';
            add_word(&s, word, (int32_t)ddn_rng_below(&rng, (uint32_t)n + 1), word);
        }
        is_well_formed(&s, NULL);
    }
    ddn_sentence_fini(&s);
}

static void no_sentences(void **state)
{
    (void)state;
    ddn_sentence s;
    ddn_sentence_init(&s);
    for (int html = 0; html < 2; html++) {
        size_t size, at;
        char *data = written(&s, NULL, html, &size);
        assert_null(test_xml(data, size, &at));
        free(data);
    }
    s.bad = true;
    s.line = 12;
    size_t size, at;
    char *data = written(&s, NULL, true, &size);
    assert_null(test_xml(data, size, &at));
    assert_non_null(strstr(data, "malformed, line 12<"));
    free(data);
    ddn_sentence_fini(&s);
}

static void latex(void **state)
{
    (void)state;
    ddn_sentence s;
    ddn_output o;
    ddn_picture p;
    ddn_sentence_init(&s);
    ddn_picture_init(&p);
    ddn_output_memory(&o);
    add_word(&s, "[יער", 2, "a_b");
    add_word(&s, "\\{}$&#^_~%<>|\"\x01", 0, "root");
    assert_int_equal(ddn_tikz_put(&p, &o, &s, NULL), 0);
    ddn_put(&o, "", 1);
    assert_string_equal(
        o.data,
        "\\begin{dependency}\n"
        "\\begin{deptext}[column sep=1em]\n"
        "{\\textbackslash{}\\{\\}\\$\\symbol{38}\\#\\textasciicircum{}\\_\\textasciitilde{}\\%"
        "\\textless{}\\textgreater{}\\textbar{}\\textquotedblright{}?} \\& {[יער} \\\\\n"
        "{\\small X} \\& {\\small X} \\\\\n"
        "\\end{deptext}\n"
        "\\depedge[edge height=3ex]{1}{2}{a\\_b}\n"
        "\\deproot[edge height=7ex]{1}{root}\n"
        "\\end{dependency}\n\n");
    ddn_output_abandon(&o);
    ddn_picture_fini(&p);
    ddn_sentence_fini(&s);
}

/* Ends meet at most once at a level: a comb of 100,000 words is laid out in a moment. */
static void long_sentences(void **state)
{
    (void)state;
    enum { N = 100000 };
    ddn_sentence s;
    ddn_picture p;
    ddn_sentence_init(&s);
    ddn_picture_init(&p);
    for (int32_t i = 1; i <= N; i++)
        add_word(&s, "w", i == N ? 0 : N, "d");
    assert_int_equal(ddn_picture_make(&p, &s, NULL, NULL), 0);
    assert_int_equal(p.above, N);
    ddn_picture_fini(&p);
    ddn_sentence_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layouts),        cmocka_unit_test(the_checker_checks),
        cmocka_unit_test(hostile_words),  cmocka_unit_test(random_words),
        cmocka_unit_test(no_sentences),   cmocka_unit_test(latex),
        cmocka_unit_test(long_sentences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
