/* SPDX-License-Identifier: MIT */
/* svg_write.c - a picture that was laid out, as SVG.
 *
 * Everything is plain shapes and text with a class: no markers, no ids and no scripts, so that
 * pictures can stand in one page, and other programs than browsers can show them.  A label lies on
 * its arc with a seam in the colour of the background. */
#include "io/svg_write.h"

#include "io/text_write.h"
#include "io/xml_write.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    BRACE = 38,       /* from the upper edge of words to the brace of a multiword token */
    FORMS = 40,       /* and to the lower edge of forms and tags */
    FIRST_LEVEL = 32, /* from the words to the first level */
    DOTS = 10,        /* length of the dots where an arc is cut */
    ROUND = 9,        /* radius of corners */
    BETWEEN = 12,     /* from one picture to the next */
    CHUNK = 1 << 16   /* bytes copied at a time */
};

void ddn_svg_style_put(ddn_output *o)
{
    ddn_puts(o, "svg{font-family:system-ui,-apple-system,'Segoe UI','Noto Sans',"
                "'DejaVu Sans',sans-serif;fill:#1d2430;text-anchor:middle}\n"
                "svg text{unicode-bidi:plaintext}\n"
                "svg .b{fill:#fff}\n"
                "svg .w{font-size:16px;font-weight:500}\n"
                "svg .t{font-size:11px;font-weight:400;fill:#667085;letter-spacing:.03em}\n"
                "svg .e{font-style:italic;fill:#667085}\n"
                "svg .m{font-size:12px;font-style:italic;fill:#667085}\n"
                "svg .m path{fill:none;stroke:#98a2b3}\n"
                "svg .a path{fill:none;stroke:#8090a8;stroke-width:1.4}\n"
                "svg .a path+path{fill:#8090a8;stroke:none}\n"
                "svg .a text{font-size:12px;fill:#1f5fbf;stroke:#fff;stroke-width:5px;"
                "stroke-linejoin:round;paint-order:stroke}\n"
                "svg .root text{font-weight:700}\n"
                "svg .end text{font-size:12px}\n"
                "svg .old path{stroke:#c4320a;stroke-width:2}\n"
                "svg .old path+path{fill:#c4320a}\n"
                "svg .old text,svg .d{fill:#b42318;font-weight:700}\n"
                "svg .new path{stroke:#067647;stroke-width:2;stroke-dasharray:5 3}\n"
                "svg .new path+path{fill:#067647}\n"
                "svg .new text{fill:#067647;font-weight:700}\n"
                "@media (prefers-color-scheme:dark){\n"
                "svg{fill:#e6e9ef}\n"
                "svg .b{fill:#14171c}\n"
                "svg .t,svg .e,svg .m{fill:#98a2b3}\n"
                "svg .m path{stroke:#667085}\n"
                "svg .a path{stroke:#6b7a90}\n"
                "svg .a path+path{fill:#6b7a90}\n"
                "svg .a text{fill:#84b6ff;stroke:#14171c}\n"
                "svg .old path{stroke:#ff8a65}\n"
                "svg .old path+path{fill:#ff8a65}\n"
                "svg .old text,svg .d{fill:#ff9e80}\n"
                "svg .new path{stroke:#5fd39a}\n"
                "svg .new path+path{fill:#5fd39a}\n"
                "svg .new text{fill:#5fd39a}\n"
                "}\n");
}

static void put_attribute(ddn_output *o, const char *name, int64_t value)
{
    ddn_puts(o, name);
    ddn_puts(o, "=\"");
    ddn_put_int(o, value);
    ddn_puts(o, "\"");
}

/* Numbers with letters or spaces before them, as paths have them. */
static void put_step(ddn_output *o, const char *before, int64_t value)
{
    ddn_puts(o, before);
    ddn_put_int(o, value);
}

static void put_text_at(ddn_output *o, int64_t x, int64_t y)
{
    put_attribute(o, "<text x", x);
    put_attribute(o, " y", y);
}

/* ---- Words ---- */

/* What a word is called by words and arcs: words that only the second analysis has are numbered on
 * from those of the first. */
static int64_t number(const ddn_picture *l, int32_t word, bool second)
{
    if (!second || word == 0)
        return word;
    return l->with->here[word] ? l->with->here[word] : (int64_t)l->s->n + word;
}

/* What there is to say about a word that the picture does not show. */
static void put_title(ddn_output *o, const ddn_sentence *s, const ddn_row *row)
{
    static const int columns[] = { DDN_LEMMA, DDN_XPOS, DDN_FEATS };
    bool begun = false;
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
        dodona_text t = ddn_sentence_span(s, row->col[columns[k]]);
        if (ddn_text_is(t, "_"))
            continue;
        ddn_puts(o, begun ? ", " : "<title>");
        ddn_xml_put(o, t);
        begun = true;
    }
    if (begun)
        ddn_puts(o, "</title>");
}

static void put_tag(ddn_output *o, const ddn_picture *l, const ddn_column *c, int64_t y)
{
    dodona_text tag = ddn_row_tag(c->of, &c->of->row[c->row]);
    bool differs = c->word && l->with && c->of == l->s && ddn_tag_differs(l->s, l->with, c->word);
    if (!tag.size && !differs)
        return;
    put_text_at(o, c->x, y);
    ddn_puts(o, " class=\"t\">");
    ddn_xml_put(o, tag);
    if (differs) {
        ddn_puts(o, "<tspan class=\"d\"> ≠ ");
        ddn_xml_put(o, ddn_word_tag(l->with->other, l->with->there[c->word]));
        ddn_puts(o, "</tspan>");
    }
    ddn_puts(o, "</text>");
}

static void put_column(ddn_output *o, const ddn_picture *l, const ddn_column *c)
{
    const ddn_row *row = &c->of->row[c->row];
    bool is_new = c->of != l->s, is_old = !is_new && c->word && l->with && !l->with->there[c->word];
    ddn_puts(o, "<g class=\"w");
    ddn_puts(o, is_new ? " new" : is_old ? " old" : "");
    if (c->word)
        put_attribute(o, "\" data-i", number(l, c->word, is_new));
    else
        ddn_puts(o, " e\"");
    ddn_puts(o, ">");
    put_title(o, c->of, row);
    int64_t y = l->line[c->line].top + DDN_FORM_SIZE;
    put_text_at(o, c->x, y);
    ddn_puts(o, is_new ? ">+" : is_old ? ">−" : c->word ? ">" : ">[");
    ddn_xml_put(o, ddn_sentence_span(c->of, row->col[DDN_FORM]));
    ddn_puts(o, c->word ? "</text>" : "]</text>");
    put_tag(o, l, c, y + DDN_TAG_SIZE + 5);
    ddn_puts(o, "</g>\n");
}

/* A brace below the words of a multiword token, and its form. */
static void put_token(ddn_output *o, const ddn_picture *l, const ddn_row *row)
{
    const ddn_column *first = ddn_picture_column(l, row->id, false);
    const ddn_column *last = ddn_picture_column(l, row->minor, false);
    const ddn_column *left = l->rtl ? last : first, *right = l->rtl ? first : last;
    int64_t from = left->x - left->half, to = right->x + right->half;
    int64_t y = l->line[first->line].top + BRACE;
    ddn_puts(o, "<g class=\"m\"><path d=\"M");
    ddn_put_int(o, from);
    put_step(o, " ", y);
    put_step(o, "v4H", to);
    ddn_puts(o, "v-4\"/>");
    put_text_at(o, (from + to) / 2, y + 18);
    ddn_puts(o, ">");
    ddn_xml_put(o, ddn_sentence_span(l->s, row->col[DDN_FORM]));
    ddn_puts(o, "</text></g>\n");
}

/* ---- Arcs ---- */

/* Where a piece is cut, it ends with two dots. */
static void put_dots(ddn_output *o, int64_t right, bool at_end)
{
    const char *dots = right > 0 ? (at_end ? "m3 0h2m3 0h2" : "h2m3 0h2m3 0")
                                 : (at_end ? "m-3 0h-2m-3 0h-2" : "h-2m-3 0h-2m-3 0");
    ddn_puts(o, dots);
}

/* The line from the head at height base up (or down) to the level, across and back to the child. */
static void put_line(ddn_output *o, const ddn_piece *p, bool is_root, int64_t base)
{
    int64_t across = p->to - p->from, wide = across < 0 ? -across : across;
    int64_t r = wide / 2 < ROUND ? wide / 2 : ROUND, right = across < 0 ? -r : r;
    int64_t y = p->y, back = y < base ? r : -r;
    put_step(o, "M", p->from);
    put_step(o, " ", p->from_cut ? y : base);
    if (is_root) {
        put_step(o, "V", y);
        return;
    }
    if (p->from_cut) {
        put_dots(o, right, false);
    } else {
        put_step(o, "V", y + back);
        put_step(o, "Q", p->from);
        put_step(o, " ", y);
        put_step(o, " ", p->from + right);
        put_step(o, " ", y);
    }
    put_step(o, "H", p->to_cut ? p->to - (right > 0 ? DOTS : -DOTS) : p->to - right);
    if (p->to_cut) {
        put_dots(o, right, true);
    } else {
        put_step(o, "Q", p->to);
        put_step(o, " ", y);
        put_step(o, " ", p->to);
        put_step(o, " ", y + back);
        put_step(o, "V", base);
    }
}

static int64_t base_of(const ddn_picture *l, const ddn_bow *a, const ddn_piece *p)
{
    return a->below ? l->line[p->line].bottom : l->line[p->line].top;
}

/* All pieces, the head of the arrow, and the label on each piece. */
static void put_arc(ddn_output *o, const ddn_picture *l, const ddn_bow *a)
{
    int sign = a->below ? 1 : -1;
    const ddn_piece *first = l->piece + a->piece, *at_child = first;
    const ddn_piece *end = first + l->column[a->right].line - l->column[a->left].line + 1;
    ddn_puts(o, "<g class=\"a");
    if (a->differs)
        ddn_puts(o, a->below ? " new" : " old");
    if (!a->head)
        ddn_puts(o, " root");
    put_attribute(o, "\" data-h", number(l, a->head, a->below));
    put_attribute(o, " data-c", number(l, a->child, a->below));
    ddn_puts(o, "><path d=\"");
    for (const ddn_piece *p = first; p < end; p++) {
        put_line(o, p, !a->head, base_of(l, a, p) + sign * 3);
        at_child = p->to_cut ? at_child : p;
    }
    ddn_puts(o, "\"/>");
    put_step(o, "<path d=\"M", at_child->to - 4);
    put_step(o, " ", base_of(l, a, at_child) + sign * 8);
    put_step(o, "h8l-4 ", sign * -7);
    ddn_puts(o, "z\"/>");
    for (const ddn_piece *p = first; p < end; p++) {
        put_text_at(o, (p->from + p->to) / 2, p->y + 4);
        ddn_puts(o, !a->differs ? ">" : a->below ? ">+" : ">−");
        ddn_xml_put(o, ddn_sentence_column(a->below ? l->with->other : l->s, a->child, DDN_DEPREL));
        ddn_puts(o, "</text>");
    }
    ddn_puts(o, "</g>\n");
}

/* A line before a column where a sentence of one analysis alone ends.  No arc of that analysis is
 * there. */
static void put_border(ddn_output *o, const ddn_picture *l, const ddn_column *c, bool below)
{
    const ddn_picture_line *line = &l->line[c->line];
    int64_t base = below ? line->bottom : line->top + FORMS;
    int64_t y = below ? base + FIRST_LEVEL : line->top - FIRST_LEVEL;
    ddn_puts(o, below ? "<g class=\"end new\">" : "<g class=\"end old\">");
    put_step(o, "<path d=\"M", c->border);
    put_step(o, " ", base);
    put_step(o, "V", below ? y - DDN_LABEL_SIZE / 2 : y + DDN_LABEL_SIZE / 2);
    ddn_puts(o, "\"/>");
    put_text_at(o, c->border, y + 4);
    ddn_puts(o, below ? ">+end</text></g>\n" : ">−end</text></g>\n");
}

void ddn_svg_picture_put(ddn_output *o, const ddn_picture *l, int64_t y)
{
    ddn_puts(o, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    put_attribute(o, " width", l->width);
    put_attribute(o, " height", l->height);
    if (y >= 0)
        put_attribute(o, " y", y);
    ddn_puts(o, l->rtl ? " direction=\"rtl\" role=\"img\" aria-label=\""
                       : " role=\"img\" aria-label=\"");
    ddn_output text;
    ddn_output_memory(&text);
    ddn_text_put(&text, l->s);
    ddn_xml_put(o, (dodona_text){ text.data, text.size });
    if (text.error.code && !o->error.code)
        o->error = text.error;
    ddn_output_abandon(&text);
    ddn_puts(o, "\">\n");
    /* The highest first, so that no line lies on a label. */
    for (int32_t k = l->arcs; k-- > 0;)
        put_arc(o, l, &l->arc[k]);
    for (int32_t c = 0; c < l->columns; c++) {
        put_column(o, l, &l->column[c]);
        if (l->column[c].begins)
            put_border(o, l, &l->column[c], false);
        if (l->column[c].begins_there)
            put_border(o, l, &l->column[c], true);
    }
    for (size_t i = 0; i < l->s->rows; i++)
        if (l->s->row[i].kind == DDN_ROW_RANGE)
            put_token(o, l, &l->s->row[i]);
    ddn_puts(o, "</svg>\n");
}

/* ---- Documents ---- */

struct ddn_svg {
    ddn_picture picture;
    FILE *pictures; /* removed by the system when closed */
    ddn_output now; /* one picture */
    int64_t width, height;
};

static int file_error(const char *what, dodona_error *err)
{
    return ddn_fail(err, DODONA_E_IO, "can't %s a temporary file: %s", what, strerror(errno));
}

int ddn_svg_new(ddn_svg **out, dodona_error *err)
{
    ddn_svg *g = calloc(1, sizeof *g);
    *out = NULL;
    if (!g)
        return ddn_fail_memory(err);
    ddn_picture_init(&g->picture);
    ddn_output_memory(&g->now);
    g->pictures = tmpfile();
    if (!g->pictures) {
        int code = errno == ENOMEM ? ddn_fail_memory(err) : file_error("create", err);
        free(g);
        return code;
    }
    *out = g;
    return 0;
}

void ddn_svg_free(ddn_svg *g)
{
    if (!g)
        return;
    ddn_picture_fini(&g->picture);
    ddn_output_abandon(&g->now);
    fclose(g->pictures);
    free(g);
}

int ddn_svg_put(ddn_svg *g, const ddn_sentence *s, const ddn_comparison *with, dodona_error *err)
{
    if (s->n == 0)
        return 0;
    int code = ddn_picture_make(&g->picture, s, with, err);
    if (!code)
        code = ddn_picture_break(&g->picture, DDN_SVG_WIDTH, err);
    if (code)
        return code;
    int64_t y = g->height ? g->height + BETWEEN : 0;
    g->now.size = 0;
    ddn_svg_picture_put(&g->now, &g->picture, y);
    if (g->now.error.code)
        return ddn_fail_memory(err);
    if (fwrite(g->now.data, 1, g->now.size, g->pictures) != g->now.size)
        return file_error("write", err);
    g->height = y + g->picture.height;
    g->width = g->picture.width > g->width ? g->picture.width : g->width;
    return 0;
}

int ddn_svg_end(ddn_svg *g, ddn_output *o, dodona_error *err)
{
    int64_t width = g->width ? g->width : 1, height = g->height ? g->height : 1;
    if (fflush(g->pictures) != 0 || fseek(g->pictures, 0, SEEK_SET) != 0)
        return file_error("write", err);
    ddn_puts(o, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    put_attribute(o, " width", width);
    put_attribute(o, " height", height);
    put_step(o, " viewBox=\"0 0 ", width);
    put_step(o, " ", height);
    ddn_puts(o, "\">\n<style>\n");
    ddn_svg_style_put(o);
    ddn_puts(o, "</style>\n<rect class=\"b\" width=\"100%\" height=\"100%\"/>\n");
    for (size_t got = 1; got > 0;) {
        char *room = ddn_output_room(o, CHUNK);
        if (!room)
            break;
        got = fread(room, 1, CHUNK, g->pictures);
        ddn_output_took(o, got);
    }
    if (ferror(g->pictures))
        return file_error("read", err);
    ddn_puts(o, "</svg>\n");
    return 0;
}
