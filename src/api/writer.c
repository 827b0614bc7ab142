/* SPDX-License-Identifier: MIT */
/* writer.c - sentences into a file of any format.
 *
 * CoNLL-U and CoNLL-X come out as they went in, byte for byte, when the formats agree.  The last
 * sentence of a file may lack its blank line or even its line end; when the sentences of another
 * file follow it, what is missing is put between them. */
#include "api/api.h"

#include "io/conll.h"
#include "io/draw.h"
#include "io/json_write.h"
#include "io/text_write.h"
#include "io/tokens.h"
#include <stdlib.h>
#include <unistd.h>

struct dodona_writer {
    ddn_output out;
    dodona_format format;
    ddn_draw *draw;   /* DODONA_TREE */
    int gap;          /* newlines that are missing before the next sentence */
    bool interactive; /* a person waits for each sentence */
};

int dodona_writer_open(const char *path, dodona_format format, dodona_writer **out,
                       dodona_error *err)
{
    *out = NULL;
    dodona_writer *w = calloc(1, sizeof *w);
    if (!w)
        return ddn_fail_memory(err);
    w->format = format;
    if (format == DODONA_TREE && !(w->draw = ddn_draw_new())) {
        free(w);
        return ddn_fail_memory(err);
    }
    int code = ddn_output_open(&w->out, path, err);
    if (code) {
        ddn_draw_free(w->draw);
        free(w);
        return code;
    }
    w->interactive = isatty(w->out.fd);
    *out = w;
    return 0;
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

static int put(dodona_writer *w, const ddn_sentence *s, dodona_error *err)
{
    switch (w->format) {
    case DODONA_CONLLU:
    case DODONA_CONLLX:
        put_conll(w, s);
        return 0;
    case DODONA_JSON:
        ddn_json_put(&w->out, s);
        return 0;
    default:
        break;
    }
    if (s->bad) {
        ddn_conll_put(&w->out, s);
        return 0;
    }
    if (w->format == DODONA_TREE)
        return ddn_draw_put(w->draw, &w->out, s, err);
    if (w->format == DODONA_TOKENS) {
        ddn_tokens_put(&w->out, s);
    } else if (s->n) {
        ddn_text_put(&w->out, s);
        ddn_put(&w->out, "\n", 1);
    }
    return 0;
}

int dodona_writer_put(dodona_writer *w, const dodona_sentence *s, dodona_error *err)
{
    int code = put(w, &s->s, err);
    if (w->interactive)
        ddn_output_flush(&w->out);
    if (!code && w->out.error.code) {
        code = w->out.error.code;
        if (err)
            *err = w->out.error;
    }
    return code;
}

int dodona_writer_push(void *writer, dodona_sentence *s, dodona_error *err)
{
    return dodona_writer_put(writer, s, err);
}

int dodona_writer_close(dodona_writer *w, dodona_error *err)
{
    int code = ddn_output_close(&w->out, err);
    ddn_draw_free(w->draw);
    free(w);
    return code;
}

void dodona_writer_abandon(dodona_writer *w)
{
    if (!w)
        return;
    ddn_output_abandon(&w->out);
    ddn_draw_free(w->draw);
    free(w);
}
