/* SPDX-License-Identifier: MIT */
/* Pictures as SVG, HTML and LaTeX: that what is written of any words is well-formed and says what
 * it should, and that no text lies on another. */
#include "core/rng.h"
#include "io/html_write.h"
#include "io/picture.h"
#include "io/svg_write.h"
#include "io/tikz_write.h"
#include "io/xml_write.h"
#include "lib/check.h"
#include "lib/pictures.h"
#include "lib/xml.h"
#include <stdio.h>
#include <stdlib.h>

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
        /* The page's script, which writes <svg> elements, and the trees. */
        assert_int_equal(count(data, "<script"), html ? 2 : 0);
        assert_int_equal(count(data, "</script"), html ? 2 : 0);
        assert_int_equal(count(data, "<svg"), html ? 1 : 3);
        free(data);
    }
}

/* ---- Texts in a picture ---- */

enum { TEXTS = 400 };

typedef struct box {
    double left, right, top, bottom;
    const char *text;
} box;

/* What a text takes at least: half the letter size for a letter, all of it for an ideograph. */
static double least_width(const char *text, const char *end, double size)
{
    double width = 0;
    for (; text < end; text++) {
        unsigned char c = (unsigned char)*text;
        width += c >= 0xe3 ? size : (c & 0xc0) == 0x80 ? 0 : size / 2;
    }
    return width;
}

/* The boxes of the texts of a picture, from their places in the markup and the sizes in the style
 * sheet. */
static int read_boxes(const char *svg, box *out)
{
    int found = 0;
    double group = 0; /* letter size of the group */
    for (const char *at = svg; (at = strchr(at, '<')); at++) {
        double x, y;
        if (strncmp(at, "<g class=\"", 10) == 0)
            group = at[10] == 'w' ? DDN_FORM_SIZE : DDN_LABEL_SIZE;
        if (sscanf(at, "<text x=\"%lf\" y=\"%lf\"", &x, &y) != 2)
            continue;
        const char *text = strchr(at, '>') + 1, *end = strchr(text, '<');
        bool is_tag = strstr(at, "class=\"t\"") && strstr(at, "class=\"t\"") < text;
        double size = is_tag ? DDN_TAG_SIZE : group, half = least_width(text, end, size) / 2;
        assert_true(found < TEXTS);
        out[found++] = (box){ x - half, x + half, y - 0.7 * size, y + 0.2 * size, text };
    }
    return found;
}

static void check_boxes(const ddn_picture *p, const char *svg, int round)
{
    static box texts[TEXTS];
    int count = read_boxes(svg, texts);
    assert_true(count >= p->columns + p->pieces);
    for (int i = 0; i < count; i++) {
        box a = texts[i];
        assert_true(a.left >= 0 && a.top >= 0);
        assert_true(a.right <= (double)p->width && a.bottom <= (double)p->height);
        for (int j = 0; j < i; j++) {
            box b = texts[j];
            if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
                fail_msg("round %d: %.*s at %.0f lies on %.*s at %.0f", round,
                         (int)strcspn(a.text, "<"), a.text, a.left, (int)strcspn(b.text, "<"),
                         b.text, b.left);
        }
    }
}

/* One root, and trees as well as other heads. */
static void one_root(ddn_sentence *s)
{
    for (int32_t i = 1, roots = 0; i <= s->n; i++)
        if (s->head[i] == 0 && roots++)
            s->head[i] = i > 1 ? 1 : s->n;
}

/* No arcs from one sentence to another. */
static void keep_within(ddn_sentence *s, const bool *ends)
{
    for (int32_t i = 1; i <= s->n; i++) {
        int32_t h = s->head[i], low = h < i ? h : i, high = h < i ? i : h;
        for (int32_t k = low; h && k < high; k++)
            s->head[i] = ends[k] ? i : s->head[i]; /* no arc */
    }
}

static void texts_apart(void **state)
{
    (void)state;
    ddn_rng rng;
    ddn_picture p;
    ddn_sentence s, t;
    ddn_comparison with;
    ddn_output o;
    ddn_rng_init(&rng, 11);
    ddn_picture_init(&p);
    ddn_sentence_init(&s);
    ddn_sentence_init(&t);
    ddn_comparison_init(&with);
    ddn_output_memory(&o);
    for (int round = 0; round < 2000; round++) {
        test_random_sentence(&s, &rng, 1 + (int32_t)ddn_rng_below(&rng, 20), round % 3 == 0);
        one_root(&s);
        if (round % 4 == 0) {
            test_change_some(&t, &s, &rng);
            one_root(&t);
            assert_int_equal(ddn_comparison_same(&with, &s, &t, NULL), 0);
        } else if (round % 4 == 1) {
            test_random_sentence(&t, &rng, 1 + (int32_t)ddn_rng_below(&rng, 20), false);
            one_root(&t);
            test_random_pairs(&with, &s, &t, &rng);
            keep_within(&s, with.ends);
            keep_within(&t, with.ends_there);
        }
        assert_int_equal(ddn_picture_make(&p, &s, round % 4 < 2 ? &with : NULL, NULL), 0);
        assert_int_equal(ddn_picture_break(&p, (int64_t)ddn_rng_below(&rng, 1200), NULL), 0);
        o.size = 0;
        ddn_svg_picture_put(&o, &p, -1);
        ddn_put(&o, "", 1);
        assert_int_equal(o.error.code, 0);
        check_boxes(&p, o.data, round);
    }
    ddn_output_abandon(&o);
    ddn_comparison_fini(&with);
    ddn_picture_fini(&p);
    ddn_sentence_fini(&s);
    ddn_sentence_fini(&t);
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
        "<a><![CDATA[x</a>",
        "<![CDATA[]]><a/>",
        "<a>\xc2\x80</a>",
    };
    size_t at;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_non_null(test_xml(bad[i], strlen(bad[i]), &at));
    assert_null(test_xml("<a><![CDATA[<&]]></a>", 21, &at));
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
        test_add_word(&s, words[i], i == 3 ? 0 : 4, words[i]);
        test_add_word(&t, words[i], i == 3 ? 0 : 4, i % 2 ? words[i] : "<b>");
    }
    is_well_formed(&s, NULL);
    assert_int_equal(ddn_comparison_same(&with, &s, &t, NULL), 0);
    is_well_formed(&s, &with);
    for (int round = 0; round < 20; round++) {
        test_random_pairs(&with, &s, &t, &rng);
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
            test_add_word(&s, word, (int32_t)ddn_rng_below(&rng, (uint32_t)n + 1), word);
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
    test_add_word(&s, "[יער", 2, "a_b");
    test_add_word(&s, "\\{}$&#^_~%<>|\"\x01", 0, "root");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_checker_checks),
        cmocka_unit_test(hostile_words),
        cmocka_unit_test(random_words),
        cmocka_unit_test(no_sentences),
        cmocka_unit_test(latex),
        cmocka_unit_test(texts_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
