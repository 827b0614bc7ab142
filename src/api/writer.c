/* SPDX-License-Identifier: MIT */
/* writer.c - sentences into a file of any format.
 *
 * CoNLL-U and CoNLL-X come out as they went in, byte for byte, when the formats agree.  The last
 * sentence of a file may lack its blank line or even its line end; when the sentences of another
 * file follow it, what is missing is put between them. */
#include "api/api.h"

#include "io/conll.h"
#include "io/draw.h"
#include "io/html_write.h"
#include "io/json_write.h"
#include "io/svg_write.h"
#include "io/text_write.h"
#include "io/tikz_write.h"
#include "io/tokens.h"
#include <stdlib.h>
#include <unistd.h>

struct dodona_writer {
    ddn_output out;
    dodona_format format;
    ddn_draw *draw;      /* DODONA_TREE */
    ddn_svg *svg;        /* DODONA_SVG */
    ddn_html *html;      /* DODONA_HTML */
    ddn_picture picture; /* DODONA_TIKZ */
    int gap;             /* newlines that are missing before the next sentence */
    bool own_line;       /* DODONA_TEXT: the last sentence stands in a line of its own */
    bool interactive;    /* a person waits for each sentence */
};

/* All but the output. */
static void free_parts(dodona_writer *w)
{
    ddn_draw_free(w->draw);
    ddn_svg_free(w->svg);
    ddn_html_free(w->html);
    ddn_picture_fini(&w->picture);
    free(w);
}

static int make_parts(dodona_writer *w, dodona_error *err)
{
    if (w->format == DODONA_TREE && !(w->draw = ddn_draw_new()))
        return ddn_fail_memory(err);
    if (w->format == DODONA_HTML && !(w->html = ddn_html_new()))
        return ddn_fail_memory(err);
    return w->format == DODONA_SVG ? ddn_svg_new(&w->svg, err) : 0;
}

int dodona_writer_open(const char *path, dodona_format format, dodona_writer **out,
                       dodona_error *err)
{
    *out = NULL;
    dodona_writer *w = calloc(1, sizeof *w);
    if (!w)
        return ddn_fail_memory(err);
    w->format = format;
    ddn_picture_init(&w->picture);
    int code = make_parts(w, err);
    if (!code)
        code = ddn_output_open(&w->out, path, err);
    if (code) {
        free_parts(w);
        return code;
    }
    w->interactive = isatty(w->out.fd);
    *out = w;
    return 0;
}

void dodona_writer_terminal(dodona_writer *w, int width, int colours)
{
    if (w->draw)
        ddn_draw_terminal(w->draw, width, colours != 0);
}

static void put_conll(dodona_writer *w, const ddn_sentence *s)
{
    if (s->rows && !s->continued)
        ddn_put(&w->out, "\n\n", (size_t)w->gap);
    bool to_x = w->format == DODONA_CONLLX;
    if (s->bad || to_x == s->conllx)
        ddn_conll_put(&w->out, s);
    else if (to_x)
        ddn_conllx_put(&w->out, s);
    else
        ddn_conllu_from_x_put(&w->out, s);
    if (s->rows)
        w->gap = to_x && !s->conllx && !s->bad ? 0 : ddn_conll_gap(s);
}

/* Sentences that keep their text have its blank lines; others stand in lines of their own, with a
 * blank line before a paragraph. */
static void put_text(dodona_writer *w, const ddn_sentence *s)
{
    if (w->own_line && ddn_begins_paragraph(s))
        ddn_put(&w->out, "\n", 1);
    w->own_line = !ddn_text_rebuild(&w->out, s);
    if (w->own_line) {
        ddn_text_put(&w->out, s);
        ddn_put(&w->out, "\n", 1);
    }
}

/* A bad sentence goes as it came where the format is lines of text. */
static void put_lines(dodona_writer *w, const ddn_sentence *s)
{
    if (s->bad) {
        ddn_conll_put(&w->out, s);
    } else if (w->format == DODONA_TOKENS) {
        ddn_tokens_put(&w->out, s);
    } else if (s->n) {
        put_text(w, s);
    }
}

/* other NULL: nothing to compare with. */
static int put(dodona_writer *w, const ddn_sentence *s, const ddn_sentence *other,
               dodona_error *err)
{
    switch (w->format) {
    case DODONA_CONLLU:
    case DODONA_CONLLX:
        put_conll(w, s);
        return 0;
    case DODONA_JSON:
        ddn_json_put(&w->out, s);
        return 0;
    case DODONA_SVG:
        return ddn_svg_put(w->svg, s, other, err);
    case DODONA_HTML:
        return ddn_html_put(w->html, &w->out, s, other, err);
    case DODONA_TIKZ:
        return ddn_tikz_put(&w->picture, &w->out, s, err);
    case DODONA_TREE:
        if (!s->bad)
            return ddn_draw_put(w->draw, &w->out, s, other, err);
        break;
    default:
        break;
    }
    put_lines(w, s);
    return 0;
}

static int put_and_check(dodona_writer *w, const ddn_sentence *s, const ddn_sentence *other,
                         dodona_error *err)
{
    int code = put(w, s, other, err);
    if (w->interactive)
        ddn_output_flush(&w->out);
    if (!code && w->out.error.code) {
        code = w->out.error.code;
        if (err)
            *err = w->out.error;
    }
    return code;
}

int dodona_writer_put(dodona_writer *w, const dodona_sentence *s, dodona_error *err)
{
    return put_and_check(w, &s->s, NULL, err);
}

int dodona_writer_push(void *writer, dodona_sentence *s, dodona_error *err)
{
    return dodona_writer_put(writer, s, err);
}

/* Rows are lines, in sentences that are not bad. */
static long long line_of(const ddn_sentence *s, int32_t word)
{
    return s->line + (word ? s->word_row[word] : 0);
}

/* At most so much of a form that it fits into a message. */
static int shown(dodona_text form)
{
    size_t size = form.size < 60 ? form.size : 60;
    while (size < form.size && size && ((unsigned char)form.data[size] & 0xc0) == 0x80)
        size--;
    return (int)size;
}

static int same_words(const ddn_sentence *a, const ddn_sentence *b, dodona_error *err)
{
    int32_t least = a->n < b->n ? a->n : b->n;
    for (int32_t i = 1; i <= least; i++) {
        dodona_text here = ddn_sentence_column(a, i, DDN_FORM);
        dodona_text there = ddn_sentence_column(b, i, DDN_FORM);
        if (!ddn_text_equal(here, there))
            return ddn_fail_at(
                err, DODONA_E_INPUT, "", line_of(a, i),
                "'%.*s' here is '%.*s' in the other file, line %lld; to be compared, "
                "sentences must have the same words",
                shown(here), here.data, shown(there), there.data, line_of(b, i));
    }
    if (a->n != b->n)
        return ddn_fail_at(err, DODONA_E_INPUT, "", line_of(a, least),
                           "the sentence has %d words, and %d in the other file, line %lld; to be "
                           "compared, sentences must have the same words",
                           (int)a->n, (int)b->n, line_of(b, least));
    return 0;
}

int dodona_writer_compare(dodona_writer *w, const dodona_sentence *s, const dodona_sentence *other,
                          dodona_error *err)
{
    if (w->format != DODONA_TREE && w->format != DODONA_SVG && w->format != DODONA_HTML)
        return ddn_fail(err, DODONA_E_ARGUMENT,
                        "two analyses can be compared in tree, svg or html");
    int code = same_words(&s->s, &other->s, err);
    return code ? code : put_and_check(w, &s->s, &other->s, err);
}

int dodona_writer_close(dodona_writer *w, dodona_error *err)
{
    int code = 0;
    if (w->format == DODONA_SVG)
        code = ddn_svg_end(w->svg, &w->out, err);
    else if (w->format == DODONA_HTML)
        ddn_html_end(w->html, &w->out);
    if (code)
        ddn_output_abandon(&w->out);
    else
        code = ddn_output_close(&w->out, err);
    free_parts(w);
    return code;
}

void dodona_writer_abandon(dodona_writer *w)
{
    if (!w)
        return;
    ddn_output_abandon(&w->out);
    free_parts(w);
}
