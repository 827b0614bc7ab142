/* SPDX-License-Identifier: MIT */
/* html_write.c - the page around the trees, and the trees as numbers that its script draws.
 *
 * A sentence is a <details> element, which folds without a script.  32 sentences make a <section>,
 * and behind them stands a <script> element with their trees, which page.js draws when the section
 * comes near the window.  So a page of 12,000 trees has few elements, and opens at once.  The
 * window decides where lines end, so the script must break lines and draw.  The layout of the
 * strip, which is most of the work, is done here (picture.c), and so the script needs no font and
 * no order of arcs.  What it does have in common with picture_lines.c and svg_write.c is compared
 * with them element by element in tests/cli/browser.
 *
 * The trees of a section are
 *
 *     {"trees":[TREE,...],"text":["form",...],"label":["nsubj",62,...]}
 *
 * with every text once, and each label followed by the length that an arc with it needs at least. A
 * TREE is six arrays of numbers, but for the first, which is one:
 *
 *     flags    1: from right to left; 2: never broken into lines
 *     columns  7 numbers each: x, as the distance from the column before; half the width; form,
 * tag, LEMMA, XPOS and FEATS, as places in "text" above    arcs, 5 numbers each, the shortest
 * first: head (-1: the root) and child, as columns; label, as a place in "label", or where the arc
 * differs, its complement; where the arc ends at the head and at the child, from the middle of the
 * column below    the same, of the arcs that only the second analysis has tokens   multiword
 * tokens, 3 numbers each: first and last column, form marks    5 numbers for each column that is
 * not a plain word: column; 1: an empty node, 2: a word that the second analysis lacks, 3: one that
 * only it has; the number of such a word; its tag there where that differs, or -1; 1 and 2: a
 * sentence of the first or of the second analysis alone ended before it */
#include "io/html_write.h"

#include "core/array.h"
#include "core/intern.h"
#include "core/json.h"
#include "io/comments.h"
#include "io/page.h"
#include "io/svg_write.h"
#include "io/text_write.h"
#include "io/xml_write.h"
#include <stdlib.h>

enum {
    SECTION = 32,
    SECTION_BYTES = 1 << 16
}; /* sentences of a section, or as many as that take */

struct ddn_html {
    ddn_picture picture;
    ddn_output text; /* in memory, as are */
    ddn_output data; /* the trees of the section */
    ddn_json json;   /* writes there */
    ddn_intern texts, labels;
    int64_t *needs; /* [labels.count] */
    size_t needs_cap;
    int in_section; /* sentences, and -1 outside */
    int64_t sentences;
    bool begun;
    bool failed; /* there was no memory */
};

ddn_html *ddn_html_new(void)
{
    ddn_html *h = calloc(1, sizeof *h);
    if (!h)
        return NULL;
    ddn_picture_init(&h->picture);
    ddn_output_memory(&h->text);
    ddn_output_memory(&h->data);
    ddn_intern_init(&h->texts);
    ddn_intern_init(&h->labels);
    h->in_section = -1;
    return h;
}

void ddn_html_free(ddn_html *h)
{
    if (!h)
        return;
    ddn_picture_fini(&h->picture);
    ddn_output_abandon(&h->text);
    ddn_output_abandon(&h->data);
    ddn_intern_fini(&h->texts);
    ddn_intern_fini(&h->labels);
    free(h->needs);
    free(h);
}

/* ---- The page ---- */

static const char page_head[] =
    "<!DOCTYPE html>\n"
    "<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n"
    "<head>\n"
    "<meta charset=\"utf-8\"/>\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
    "style-src 'unsafe-inline'; script-src 'unsafe-inline'\"/>\n"
    "<meta name=\"viewport\" content=\"width=device-width\"/>\n"
    "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
    "<title>Trees</title>\n"
    "<style>\n";

static void put_lines(ddn_output *o, const char *const *line)
{
    while (*line)
        ddn_puts(o, *line++);
}

static void begin(ddn_html *h, ddn_output *o, bool compared)
{
    h->begun = true;
    ddn_puts(o, page_head);
    ddn_svg_style_put(o);
    put_lines(o, ddn_page_style);
    ddn_puts(o, "</style>\n</head>\n<body>\n"
                "<form>\n"
                "<label>Word <input type=\"search\" name=\"word\" autocomplete=\"off\"/></label>\n"
                "<label>Relation <input type=\"search\" name=\"relation\" autocomplete=\"off\"/>"
                "</label>\n");
    if (compared)
        ddn_puts(o,
                 "<label><input type=\"checkbox\" name=\"differs\"/> Differences only</label>\n");
    ddn_puts(o, "<button type=\"button\" name=\"unfold\">Unfold all</button>\n"
                "<button type=\"button\" name=\"fold\">Fold all</button>\n"
                "<output aria-live=\"polite\"></output>\n"
                "</form>\n"
                "<noscript><p class=\"bad\">The trees are drawn by the script of this page, "
                "which is turned off.</p></noscript>\n"
                "<script>//<![CDATA[\n");
    put_lines(o, ddn_page_script);
    ddn_puts(o, "//]]></script>\n");
}

/* Words that differ or that one analysis alone has. */
static int32_t differences(const ddn_sentence *s, const ddn_comparison *with)
{
    int32_t count = 0;
    for (int32_t i = 1; i <= s->n; i++)
        count += ddn_arc_differs(s, with, i) || ddn_tag_differs(s, with, i);
    for (int32_t j = 1; j <= with->other->n; j++)
        count += !with->here[j];
    return count;
}

static void put_differences(ddn_output *o, const ddn_sentence *s, const ddn_comparison *with)
{
    int32_t differ = differences(s, with);
    bool borders = with->sentences + with->sentences_there > 2;
    if (!differ && !borders)
        return;
    ddn_puts(o, "<b>≠ ");
    ddn_put_int(o, differ);
    ddn_puts(o, borders ? ", sentences end elsewhere</b>" : "</b>");
}

static void put_summary(ddn_html *h, ddn_output *o, const ddn_sentence *s,
                        const ddn_comparison *with)
{
    dodona_text id = ddn_sentence_comment(s, "sent_id");
    ddn_puts(o, "<summary><small>");
    ddn_put_int(o, ++h->sentences);
    if (with && with->sentences > 1) {
        h->sentences += with->sentences - 1;
        ddn_puts(o, "–");
        ddn_put_int(o, h->sentences);
    }
    ddn_puts(o, "</small>");
    if (with)
        put_differences(o, s, with);
    ddn_puts(o, h->picture.rtl ? "<bdi dir=\"rtl\">" : "<bdi>");
    h->text.size = 0;
    ddn_text_put(&h->text, s);
    ddn_xml_put(o, (dodona_text){ h->text.data, h->text.size });
    ddn_puts(o, "</bdi>");
    if (id.size) {
        ddn_puts(o, " <small>");
        ddn_xml_put(o, id);
        ddn_puts(o, "</small>");
    }
    ddn_puts(o, "</summary>");
}

/* ---- Trees ---- */

/* The place of a text in the section's list. */
static int64_t place_of(ddn_html *h, dodona_text t)
{
    uint32_t id = 0;
    h->failed |= !ddn_intern_add(&h->texts, t.data, t.size, &id);
    return id;
}

static int64_t place_of_label(ddn_html *h, dodona_text t, int64_t needs)
{
    uint32_t id = 0;
    if (!ddn_reserve(&h->needs, &h->needs_cap, (size_t)h->labels.count + 1, sizeof *h->needs) ||
        !ddn_intern_add(&h->labels, t.data, t.size, &id))
        h->failed = true;
    else
        h->needs[id] = needs;
    return id;
}

/* Texts with tabs between, as one text. */
static int64_t place_of_texts(ddn_html *h, const dodona_text *t, int count)
{
    h->text.size = 0;
    for (int k = 0; k < count; k++) {
        ddn_put(&h->text, "\t", k > 0);
        ddn_put(&h->text, t[k].data, t[k].size);
    }
    return h->text.error.code ? 0 : place_of(h, (dodona_text){ h->text.data, h->text.size });
}

static void put_columns(ddn_html *h)
{
    const ddn_picture *l = &h->picture;
    ddn_json_begin(&h->json, '[');
    for (int32_t i = 0; i < l->columns; i++) {
        const ddn_column *c = &l->column[i];
        const ddn_row *row = &c->of->row[c->row];
        dodona_text word[] = { ddn_sentence_span(c->of, row->col[DDN_FORM]),
                               ddn_sentence_span(c->of, row->col[DDN_LEMMA]) };
        dodona_text tags[] = { ddn_row_tag(c->of, row),
                               ddn_sentence_span(c->of, row->col[DDN_XPOS]),
                               ddn_sentence_span(c->of, row->col[DDN_FEATS]) };
        ddn_json_int(&h->json, c->x - (i ? c[-1].x : 0));
        ddn_json_int(&h->json, c->half);
        ddn_json_int(&h->json, place_of_texts(h, word, ddn_text_equal(word[0], word[1]) ? 1 : 2));
        ddn_json_int(&h->json, place_of_texts(h, tags, 3));
    }
    ddn_json_end(&h->json, ']');
}

static void put_arcs(ddn_html *h, bool below)
{
    const ddn_picture *l = &h->picture;
    ddn_json_begin(&h->json, '[');
    for (int32_t k = 0; k < l->arcs; k++) {
        const ddn_bow *a = &l->arc[k];
        if (a->below != below)
            continue;
        const ddn_sentence *s = below ? l->with->other : l->s;
        const ddn_column *child = ddn_picture_column(l, a->child, below);
        const ddn_column *head = a->head ? ddn_picture_column(l, a->head, below) : child;
        int64_t label = place_of_label(h, ddn_sentence_column(s, a->child, DDN_DEPREL),
                                       a->needs - (a->differs ? DDN_LABEL_SIZE : 0));
        ddn_json_int(&h->json, a->head ? head - l->column : -1);
        ddn_json_int(&h->json, child - l->column);
        ddn_json_int(&h->json, a->differs ? ~label : label);
        ddn_json_int(&h->json, a->from - head->x);
        ddn_json_int(&h->json, a->to - child->x);
    }
    ddn_json_end(&h->json, ']');
}

static void put_tokens(ddn_html *h)
{
    const ddn_picture *l = &h->picture;
    ddn_json_begin(&h->json, '[');
    for (size_t i = 0; i < l->s->rows; i++) {
        const ddn_row *row = &l->s->row[i];
        if (row->kind != DDN_ROW_RANGE)
            continue;
        ddn_json_int(&h->json, l->column_of[row->id]);
        ddn_json_int(&h->json, l->column_of[row->minor]);
        ddn_json_int(&h->json, place_of(h, ddn_sentence_span(l->s, row->col[DDN_FORM])));
    }
    ddn_json_end(&h->json, ']');
}

static void put_marks(ddn_html *h)
{
    const ddn_picture *l = &h->picture;
    ddn_json_begin(&h->json, '[');
    for (int32_t i = 0; i < l->columns; i++) {
        const ddn_column *c = &l->column[i];
        bool is_new = c->of != l->s, is_first = l->with && c->word && !is_new;
        int32_t there = is_first ? l->with->there[c->word] : 0;
        bool tag = there && ddn_tag_differs(l->s, l->with, c->word);
        int kind = !c->word ? 1 : is_first && !there ? 2 : is_new ? 3 : 0;
        if (!kind && !tag && !c->begins && !c->begins_there)
            continue;
        ddn_json_int(&h->json, i);
        ddn_json_int(&h->json, kind);
        ddn_json_int(&h->json, is_new ? l->s->n + c->word : 0);
        ddn_json_int(&h->json, tag ? place_of(h, ddn_word_tag(l->with->other, there)) : -1);
        ddn_json_int(&h->json, c->begins + 2 * c->begins_there);
    }
    ddn_json_end(&h->json, ']');
}

static void put_tree(ddn_html *h)
{
    ddn_json_begin(&h->json, '[');
    ddn_json_int(&h->json, h->picture.rtl + 2 * h->picture.whole);
    put_columns(h);
    put_arcs(h, false);
    put_arcs(h, true);
    put_tokens(h);
    put_marks(h);
    ddn_json_end(&h->json, ']');
}

/* ---- Sections ---- */

static void begin_section(ddn_html *h, ddn_output *o)
{
    ddn_puts(o, "<section>\n");
    h->in_section = 0;
    h->data.size = 0;
    h->json = (ddn_json){ .out = &h->data };
    ddn_intern_clear(&h->texts);
    ddn_intern_clear(&h->labels);
    ddn_json_begin(&h->json, '{');
    ddn_json_begin(ddn_json_key(&h->json, "trees"), '[');
}

static void end_section(ddn_html *h, ddn_output *o)
{
    ddn_json_end(&h->json, ']');
    ddn_json_begin(ddn_json_key(&h->json, "text"), '[');
    for (uint32_t i = 0; i < h->texts.count; i++)
        ddn_json_text(&h->json, ddn_intern_text(&h->texts, i));
    ddn_json_end(&h->json, ']');
    ddn_json_begin(ddn_json_key(&h->json, "label"), '[');
    for (uint32_t i = 0; i < h->labels.count; i++) {
        ddn_json_text(&h->json, ddn_intern_text(&h->labels, i));
        ddn_json_int(&h->json, h->needs[i]);
    }
    ddn_json_end(&h->json, ']');
    ddn_json_end(&h->json, '}');
    if (h->data.error.code && !o->error.code)
        o->error = h->data.error;
    ddn_puts(o, "<script type=\"application/json\">");
    ddn_xml_put_json(o, (dodona_text){ h->data.data, h->data.size });
    ddn_puts(o, "</script></section>\n");
    h->in_section = -1;
}

int ddn_html_put(ddn_html *h, ddn_output *o, const ddn_sentence *s, const ddn_comparison *with,
                 dodona_error *err)
{
    if (!h->begun)
        begin(h, o, with != NULL);
    if (h->in_section < 0)
        begin_section(h, o);
    if (s->bad && !s->continued) {
        ddn_puts(o, "<p class=\"bad\">malformed, line ");
        ddn_put_int(o, s->line);
        ddn_puts(o, "</p>\n");
    }
    if (s->n == 0)
        return 0;
    int code = ddn_picture_make(&h->picture, s, with, err);
    if (code)
        return code;
    ddn_puts(o, "<details open=\"\" data-width=\"");
    ddn_put_int(o, h->picture.width);
    ddn_puts(o, "\">");
    put_summary(h, o, s, with);
    ddn_puts(o, h->picture.rtl ? "<div dir=\"rtl\"></div></details>\n" : "<div></div></details>\n");
    put_tree(h);
    if (++h->in_section == SECTION || h->data.size >= SECTION_BYTES)
        end_section(h, o);
    return h->failed || h->text.error.code || h->data.error.code ? ddn_fail_memory(err) : 0;
}

void ddn_html_end(ddn_html *h, ddn_output *o)
{
    if (!h->begun)
        begin(h, o, false);
    if (h->in_section >= 0)
        end_section(h, o);
    ddn_puts(o, "</body>\n</html>\n");
}
