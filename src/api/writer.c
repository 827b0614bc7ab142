/* SPDX-License-Identifier: MIT */
/* writer.c - sentences into a file of any format.
 *
 * CoNLL-U and CoNLL-X come out as they went in, byte for byte, when the formats agree.  The last
 * sentence of a file may lack its blank line or even its line end; when the sentences of another
 * file follow it, what is missing is put between them. */
#include "api/api.h"

#include "eval/runs.h"
#include "io/comments.h"
#include "io/conll.h"
#include "io/displacy_write.h"
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
    ddn_json_place json; /* DODONA_JSON */
    int gap;             /* newlines that are missing before the next sentence */
    bool own_line;       /* DODONA_TEXT: the last sentence stands in a line of its own */
    bool interactive;    /* each sentence is written at once */
    bool memory;         /* the output is for dodona_writer_text, */
    bool ended;          /* which has ended a document; the next one has not begun */
};

/* All but the output. */
static void free_parts(dodona_writer *w)
{
    ddn_draw_free(w->draw);
    ddn_svg_free(w->svg);
    ddn_html_free(w->html);
    ddn_picture_fini(&w->picture);
    ddn_json_place_fini(&w->json);
}

static int begin_document(dodona_writer *w, dodona_error *err)
{
    if (w->format == DODONA_HTML && !(w->html = ddn_html_new()))
        return ddn_fail_memory(err);
    return w->format == DODONA_SVG ? ddn_svg_new(&w->svg, err) : 0;
}

static int make_parts(dodona_writer *w, dodona_error *err)
{
    ddn_picture_init(&w->picture);
    if (w->format == DODONA_TREE && !(w->draw = ddn_draw_new()))
        return ddn_fail_memory(err);
    return begin_document(w, err);
}

static int check_format(dodona_format format, dodona_error *err)
{
    if (format == DODONA_GUESS)
        return ddn_fail(err, DODONA_E_ARGUMENT, "a format to write is named, not guessed");
    if (format == DODONA_PRESEGMENTED || format == DODONA_VERTICAL)
        return ddn_fail(err, DODONA_E_ARGUMENT, "that format can be read, not written");
    if (format < DODONA_CONLLU || format > DODONA_DISPLACY)
        return ddn_fail(err, DODONA_E_ARGUMENT, "there is no format %d", (int)format);
    return 0;
}

/* Where the bytes go. */
typedef struct target {
    const char *path;
    dodona_write write; /* path NULL */
    void *ctx;
} target; /* both NULL: memory */

static int open_output(ddn_output *o, const target *to, dodona_error *err)
{
    if (to->path)
        return ddn_output_open_packed(o, to->path, err);
    if (to->write)
        return ddn_output_callback(o, to->write, to->ctx, err);
    ddn_output_memory(o);
    return 0;
}

static int open_writer(const target *to, dodona_format format, dodona_writer **out,
                       dodona_error *err)
{
    if (!out)
        return ddn_fail_null(err, "place for the writer");
    *out = NULL;
    int code = check_format(format, err);
    if (code)
        return code;
    dodona_writer *w = calloc(1, sizeof *w);
    if (!w)
        return ddn_fail_memory(err);
    w->format = format;
    w->memory = !to->path && !to->write;
    code = make_parts(w, err);
    if (!code)
        code = open_output(&w->out, to, err);
    if (code) {
        free_parts(w);
        free(w);
        return code;
    }
    w->interactive = w->out.fd >= 0 && isatty(w->out.fd);
    *out = w;
    return 0;
}

int dodona_writer_open(const char *path, dodona_format format, dodona_writer **out,
                       dodona_error *err)
{
    if (!path)
        return ddn_fail_null(err, "path");
    return open_writer(&(target){ .path = path }, format, out, err);
}

int dodona_writer_open_callback(dodona_write write, void *ctx, dodona_format format,
                                dodona_writer **out, dodona_error *err)
{
    if (!write)
        return ddn_fail_null(err, "callback");
    return open_writer(&(target){ .write = write, .ctx = ctx }, format, out, err);
}

int dodona_writer_open_memory(dodona_format format, dodona_writer **out, dodona_error *err)
{
    return open_writer(&(target){ 0 }, format, out, err);
}

void dodona_writer_flush(dodona_writer *w, int flush)
{
    if (!w)
        return;
    w->interactive = flush != 0;
}

void dodona_writer_terminal(dodona_writer *w, int width, int colours)
{
    if (w && w->draw)
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

/* A malformed sentence is copied unchanged where the format is lines of text. */
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

/* with NULL: nothing to compare. */
static int put(dodona_writer *w, const ddn_sentence *s, const ddn_comparison *with,
               dodona_error *err)
{
    switch (w->format) {
    case DODONA_CONLLU:
    case DODONA_CONLLX:
        put_conll(w, s);
        return 0;
    case DODONA_JSON:
        ddn_json_put(&w->json, &w->out, s);
        return 0;
    case DODONA_DISPLACY:
        ddn_displacy_put(&w->out, s);
        return 0;
    case DODONA_SVG:
        return ddn_svg_put(w->svg, s, with, err);
    case DODONA_HTML:
        return ddn_html_put(w->html, &w->out, s, with, err);
    case DODONA_TIKZ:
        return ddn_tikz_put(&w->picture, &w->out, s, err);
    case DODONA_TREE:
        if (!s->bad)
            return ddn_draw_put(w->draw, &w->out, s, with, err);
        break;
    default:
        break;
    }
    put_lines(w, s);
    return 0;
}

/* After dodona_writer_text: a new document. */
static int begin_again(dodona_writer *w, dodona_error *err)
{
    ddn_svg_free(w->svg);
    ddn_html_free(w->html);
    w->svg = NULL;
    w->html = NULL;
    ddn_json_place_fini(&w->json);
    w->gap = 0;
    w->own_line = false;
    ddn_output_clear(&w->out);
    int code = begin_document(w, err);
    w->ended = code < 0;
    return code;
}

static int put_and_check(dodona_writer *w, const ddn_sentence *s, const ddn_comparison *with,
                         dodona_error *err)
{
    int code = w->ended ? begin_again(w, err) : 0;
    if (!code)
        code = put(w, s, with, err);
    if (w->interactive)
        ddn_output_flush(&w->out);
    return code ? code : ddn_output_check(&w->out, err);
}

int dodona_writer_put(dodona_writer *w, const dodona_sentence *s, dodona_error *err)
{
    if (!w || !s)
        return ddn_fail_null(err, "writer or the sentence");
    return put_and_check(w, &s->s, NULL, err);
}

int dodona_writer_push(void *writer, dodona_sentence *s, dodona_error *err)
{
    return dodona_writer_put(writer, s, err);
}

static int put_runs(dodona_writer *w, ddn_filled *first, ddn_filled *second, dodona_error *err)
{
    ddn_runs r;
    int status;
    ddn_runs_init(&r, &(ddn_eval_source){ ddn_filled_next, first, first->from->name },
                  &(ddn_eval_source){ ddn_filled_next, second, second->from->name });
    while ((status = ddn_runs_next(&r, err)) > 0)
        if ((status = put_and_check(w, &r.side[0].all, &r.with, err)) < 0)
            break;
    ddn_runs_fini(&r);
    return status;
}

int dodona_writer_compare(dodona_writer *w, const dodona_source *from, const dodona_source *other,
                          dodona_error *err)
{
    if (!w)
        return ddn_fail_null(err, "writer");
    if (ddn_check_source(from, err) < 0 || ddn_check_source(other, err) < 0)
        return DODONA_E_ARGUMENT;
    if (w->format != DODONA_TREE && w->format != DODONA_SVG && w->format != DODONA_HTML)
        return ddn_fail(err, DODONA_E_ARGUMENT,
                        "two analyses can be compared in tree, svg or html");
    ddn_filled first = { from, dodona_sentence_new() }, second = { other, dodona_sentence_new() };
    int status = first.s && second.s ? put_runs(w, &first, &second, err) : ddn_fail_memory(err);
    dodona_sentence_free(first.s);
    dodona_sentence_free(second.s);
    return status;
}

static int end_document(dodona_writer *w, dodona_error *err)
{
    if (w->format == DODONA_SVG)
        return ddn_svg_end(w->svg, &w->out, err);
    if (w->format == DODONA_HTML)
        ddn_html_end(w->html, &w->out);
    return 0;
}

int dodona_writer_text(dodona_writer *w, dodona_text *out, dodona_error *err)
{
    if (!w || !out)
        return ddn_fail_null(err, "writer or the place for the text");
    if (!w->memory)
        return ddn_fail(err, DODONA_E_ARGUMENT, "a writer has a text only if it writes to memory");
    int code = w->ended ? 0 : end_document(w, err);
    w->ended = true;
    ddn_put(&w->out, "", 0); /* so that there is an address */
    return code ? code : ddn_output_text(&w->out, out, err);
}

int dodona_writer_close(dodona_writer *w, dodona_error *err)
{
    if (!w)
        return 0;
    int code = w->ended ? 0 : end_document(w, err);
    if (code)
        ddn_output_abandon(&w->out);
    else
        code = ddn_output_close(&w->out, err);
    free_parts(w);
    free(w);
    return code;
}

void dodona_writer_abandon(dodona_writer *w)
{
    if (!w)
        return;
    ddn_output_abandon(&w->out);
    free_parts(w);
    free(w);
}
