/* SPDX-License-Identifier: MIT */
/* html_write.c - the page around the pictures.
 *
 * A sentence is a <details> element, which folds without a script; only the search needs one.  The
 * browser lays out what is in view alone (content-visibility), so that pages of many thousand
 * sentences open.  Script and styles have no < or &, since the page is to be XML as well. */
#include "io/html_write.h"

#include "io/svg_write.h"
#include "io/text_write.h"
#include "io/xml_write.h"
#include <stdlib.h>

struct ddn_html {
    ddn_picture picture;
    ddn_output text; /* in memory */
    int64_t sentences;
    bool begun;
};

ddn_html *ddn_html_new(void)
{
    ddn_html *h = calloc(1, sizeof *h);
    if (!h)
        return NULL;
    ddn_picture_init(&h->picture);
    ddn_output_memory(&h->text);
    return h;
}

void ddn_html_free(ddn_html *h)
{
    if (!h)
        return;
    ddn_picture_fini(&h->picture);
    ddn_output_abandon(&h->text);
    free(h);
}

static const char head[] =
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

static const char page_style[] =
    "body{margin:0;background:#fff;color:#1d2430;font:15px/1.45 system-ui,-apple-system,"
    "'Segoe UI','Noto Sans','DejaVu Sans',sans-serif}\n"
    "form{position:sticky;top:0;z-index:1;display:flex;flex-wrap:wrap;gap:.5em 1em;"
    "align-items:center;padding:.7em 1em;background:#f5f7fa;border-bottom:1px solid #d5dae1}\n"
    "input[type=search]{font:inherit;color:inherit;background:#fff;border:1px solid #b6bfcc;"
    "border-radius:5px;padding:.25em .5em;width:11em}\n"
    "button{font:inherit;color:inherit;background:none;border:1px solid #b6bfcc;"
    "border-radius:5px;padding:.25em .7em;cursor:pointer}\n"
    "output{margin-left:auto;color:#667085}\n"
    "details{border-bottom:1px solid #e4e8ee;content-visibility:auto;"
    "contain-intrinsic-size:auto 16em}\n"
    "details:not([open]){contain-intrinsic-size:auto 2.4em}\n"
    "summary{padding:.5em 1em;cursor:pointer}\n"
    "summary small{color:#667085;margin:0 .5em 0 .2em}\n"
    "summary b{color:#b42318;margin:0 .6em}\n"
    "details>div{overflow-x:auto;padding:0 1em 1em}\n"
    "svg{display:block}\n"
    "svg .w.hit text:first-of-type{fill:#b54708;font-weight:700;text-decoration:underline}\n"
    "svg .a.hit path{stroke-width:2.6}\n"
    "svg .a.hit text{text-decoration:underline;font-weight:700}\n"
    ".bad{padding:.5em 1em;margin:0;color:#b42318}\n"
    "@media (prefers-color-scheme:dark){\n"
    "body{background:#14171c;color:#e6e9ef}\n"
    "form{background:#1b2027;border-color:#323a45}\n"
    "input[type=search]{background:#14171c;border-color:#4a5565}\n"
    "button{border-color:#4a5565}\n"
    "details{border-color:#272e37}\n"
    "summary small,output{color:#98a2b3}\n"
    "summary b,.bad{color:#ff9e80}\n"
    "svg .w.hit text:first-of-type{fill:#fdb022}\n"
    "}\n";

/* A word is found by a part of it, a relation by its beginning; when both are asked for, the word
 * must be at one end of the relation.  The first search may come before the whole page is there:
 * it is done again when it is. */
static const char script[] =
    "'use strict';\n"
    "const form = document.forms[0], found = form.querySelector('output');\n"
    "const fold = open => {\n"
    "  for (const d of document.querySelectorAll('details')) d.open = open;\n"
    "};\n"
    "const mark = (element, hit) => { element.classList.toggle('hit', hit); return hit; };\n"
    "const fits = (sentence, word, relation, differs) => {\n"
    "  const words = new Set();\n"
    "  for (const w of sentence.querySelectorAll('.w[data-i]')) {\n"
    "    const text = w.querySelector('text').textContent.toLowerCase();\n"
    "    if (mark(w, word ? text.includes(word) : false)) words.add(w.dataset.i);\n"
    "  }\n"
    "  let arcs = 0;\n"
    "  for (const a of sentence.querySelectorAll('.a')) {\n"
    "    const text = a.querySelector('text').textContent.toLowerCase().replace(/^[+−]/, '');\n"
    "    const near = !word || words.has(a.dataset.c) || words.has(a.dataset.h);\n"
    "    if (mark(a, relation ? (near ? text.startsWith(relation) : false) : false)) arcs++;\n"
    "  }\n"
    "  if (differs) if (!sentence.querySelector('.old, .new, .d')) return false;\n"
    "  return relation ? arcs > 0 : !word || words.size > 0;\n"
    "};\n"
    "const search = () => {\n"
    "  const word = form.word.value.trim().toLowerCase();\n"
    "  const relation = form.relation.value.trim().toLowerCase();\n"
    "  const differs = form.differs ? form.differs.checked : false;\n"
    "  let shown = 0, all = 0;\n"
    "  for (const sentence of document.querySelectorAll('details')) {\n"
    "    all++;\n"
    "    sentence.hidden = !fits(sentence, word, relation, differs);\n"
    "    if (!sentence.hidden) shown++;\n"
    "  }\n"
    "  found.value = (shown == all ? all : shown + ' of ' + all) + \n"
    "    (all == 1 ? ' sentence' : ' sentences');\n"
    "};\n"
    "let timer;\n"
    "form.oninput = () => { clearTimeout(timer); timer = setTimeout(search, 150); };\n"
    "form.onsubmit = event => { event.preventDefault(); search(); };\n"
    "form.fold.onclick = () => fold(false);\n"
    "form.unfold.onclick = () => fold(true);\n"
    "const read = () => {\n"
    "  const asked = new URLSearchParams(location.hash.slice(1));\n"
    "  form.word.value = asked.get('word') || '';\n"
    "  form.relation.value = asked.get('relation') || '';\n"
    "  search();\n"
    "};\n"
    "window.onhashchange = read;\n"
    "document.addEventListener('DOMContentLoaded', read);\n";

static void begin(ddn_html *h, ddn_output *o, bool compared)
{
    h->begun = true;
    ddn_puts(o, head);
    ddn_svg_style_put(o);
    ddn_puts(o, page_style);
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
                "</form>\n<script>\n");
    ddn_puts(o, script);
    ddn_puts(o, "</script>\n");
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
    ddn_puts(o, "</summary>\n");
}

int ddn_html_put(ddn_html *h, ddn_output *o, const ddn_sentence *s, const ddn_comparison *with,
                 dodona_error *err)
{
    if (!h->begun)
        begin(h, o, with != NULL);
    if (s->bad && !s->continued) {
        ddn_puts(o, "<p class=\"bad\">malformed, line ");
        ddn_put_int(o, s->line);
        ddn_puts(o, "</p>\n");
    }
    if (s->n == 0)
        return 0;
    int code = ddn_picture_make(&h->picture, s, with, err);
    if (!code)
        code = ddn_picture_break(&h->picture, DDN_SVG_WIDTH, err);
    if (code)
        return code;
    ddn_puts(o, "<details open=\"\">");
    put_summary(h, o, s, with);
    ddn_puts(o, h->picture.rtl ? "<div dir=\"rtl\">\n" : "<div>\n");
    ddn_svg_picture_put(o, &h->picture, -1);
    ddn_puts(o, "</div></details>\n");
    return h->text.error.code ? ddn_fail_memory(err) : 0;
}

void ddn_html_end(ddn_html *h, ddn_output *o)
{
    if (!h->begun)
        begin(h, o, false);
    ddn_puts(o, "</body>\n</html>\n");
}
