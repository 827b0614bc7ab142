/* SPDX-License-Identifier: MIT */
/* fuzz_pipeline.c - any bytes as a text, through tokenizer, tagger, lemmatizer and parser.
 *
 * The first byte chooses the model, the size of reads and one of the formats besides CoNLL-U; the
 * rest is the text.  The CoNLL-U must be what the UD validator takes and become the same bytes
 * again; XML must be well-formed and JSON be JSON.  Bytes that are not UTF-8 must be refused with
 * their line. */
#include "api/api.h"
#include "core/utf8.h"
#include "io/conll.h"
#include "io/draw.h"
#include "io/html_write.h"
#include "io/json_write.h"
#include "io/svg_write.h"
#include "io/text_write.h"
#include "io/tikz_write.h"
#include "lib.h"
#include "lib/valid.h"
#include "lib/xml.h"
#include <ctype.h>
#include <jansson.h>

enum { MODELS = 2, SVG = 0, HTML, TREE, LINES };

/* A format, and what it takes to write it. */
typedef struct picture {
    int format;
    ddn_svg *svg;
    ddn_html *html;
    ddn_draw *draw;
    ddn_picture tikz;
    ddn_output out;
} picture;

static void open_picture(picture *p, uint8_t choice)
{
    *p = (picture){ .format = choice >> 1 & 3 };
    ddn_picture_init(&p->tikz);
    ddn_output_memory(&p->out);
    if (p->format == SVG)
        must(ddn_svg_new(&p->svg, NULL) == 0);
    if (p->format == HTML)
        must((p->html = ddn_html_new()) != NULL);
    if (p->format == TREE) {
        must((p->draw = ddn_draw_new()) != NULL);
        ddn_draw_terminal(p->draw, choice >> 1, choice >> 3 & 1);
    }
}

static void put_picture(picture *p, const ddn_sentence *s)
{
    switch (p->format) {
    case SVG:
        must(ddn_svg_put(p->svg, s, NULL, NULL) == 0);
        return;
    case HTML:
        must(ddn_html_put(p->html, &p->out, s, NULL, NULL) == 0);
        return;
    case TREE:
        must(ddn_draw_put(p->draw, &p->out, s, NULL, NULL) == 0);
        return;
    default:
        must(ddn_tikz_put(&p->tikz, &p->out, s, NULL) == 0);
        p->out.size = 0;
        ddn_json_place place = { 0 };
        ddn_json_put(&place, &p->out, s);
        ddn_json_place_fini(&place);
        json_t *json = json_loadb(p->out.data, p->out.size, JSON_REJECT_DUPLICATES, NULL);
        must(json != NULL);
        json_decref(json);
    }
}

static void close_picture(picture *p)
{
    size_t at;
    if (p->format == SVG)
        must(ddn_svg_end(p->svg, &p->out, NULL) == 0);
    if (p->format == HTML)
        ddn_html_end(p->html, &p->out);
    must(p->out.error.code == 0);
    if (p->format == SVG || p->format == HTML)
        must(test_xml(p->out.data, p->out.size, &at) == NULL);
    ddn_svg_free(p->svg);
    ddn_html_free(p->html);
    ddn_draw_free(p->draw);
    ddn_picture_fini(&p->tikz);
    ddn_output_abandon(&p->out);
}

/* Opened once; its memory is given back with that of the process. */
static dodona_workspace *workspace(int which, const dodona_model **model)
{
    static const char *const path[MODELS] = { FUZZ_SMALL_MODEL, FUZZ_ENGLISH_MODEL };
    static dodona_model *m[MODELS];
    static dodona_workspace *w[MODELS];
    if (!w[which]) {
        must(dodona_model_open(path[which], &m[which], NULL) == 0);
        must(dodona_workspace_new(m[which], NULL, &w[which], NULL) == 0);
    }
    *model = m[which];
    return w[which];
}

/* Text to CoNLL-U and a picture; the last status. */
static int parse(memory *text, uint8_t choice, ddn_output *conllu, picture *p, dodona_error *err)
{
    dodona_reader_options o;
    dodona_reader *r;
    dodona_sentence *s = dodona_sentence_new();
    int status;
    dodona_reader_options_init(&o);
    o.format = DODONA_TEXT;
    dodona_workspace *w = workspace(choice % MODELS, &o.model);
    must(s != NULL);
    must(dodona_reader_open_callback(read_memory, text, "text", &o, &r, err) == 0);
    while ((status = dodona_reader_next(r, s, err)) > 0) {
        must(dodona_parse(w, s, NULL) == 0);
        ddn_conll_put(conllu, &s->s);
        put_picture(p, &s->s);
    }
    dodona_reader_close(r);
    dodona_sentence_free(s);
    return status;
}

/* CoNLL-U to text, as a writer of DODONA_TEXT has it. */
static void compare(const ddn_output *conllu, const char *data, size_t size)
{
    memory m = { .data = conllu->data, .size = conllu->size };
    ddn_input *in;
    ddn_conll_reader *r;
    ddn_sentence s;
    ddn_output text;
    int status;
    ddn_sentence_init(&s);
    ddn_output_memory(&text);
    must(ddn_input_callback(&in, read_memory, &m, "conllu", NULL) == 0);
    must(ddn_conll_open(&r, in, DODONA_CONLLU, DODONA_CHECK_ONE_ROOT, false, NULL) == 0);
    while ((status = ddn_conll_next(r, &s, NULL)) > 0)
        must(ddn_text_rebuild(&text, &s));
    must(status == 0 && text.size == size && memcmp(text.data, data, size) == 0);
    ddn_conll_close(r);
    ddn_output_abandon(&text);
    ddn_sentence_fini(&s);
}

static int64_t line_of(const char *data, size_t at)
{
    int64_t line = 1;
    for (size_t i = 0; i < at; i++)
        line += data[i] == '\n';
    return line;
}

/* The end of what is UTF-8, NUL being a character. */
static size_t end_of_text(const char *data, size_t size)
{
    for (size_t at = 0;; at++) {
        at += ddn_utf8_check(data + at, size - at);
        if (at == size || data[at])
            return at;
    }
}

static bool has_something(const char *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (isgraph((unsigned char)data[i]))
            return true;
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    memory m = { .data = (const char *)data + 1, .size = size - 1, .chunk = data[0] >> 3 };
    size_t good = end_of_text(m.data, m.size);
    if (good < m.size && is_packed(data + 1, size - 1))
        return 0;
    dodona_error err = { 0 };
    ddn_output conllu;
    picture p;
    int line;
    ddn_output_memory(&conllu);
    open_picture(&p, data[0]);
    int status = parse(&m, data[0], &conllu, &p, &err);
    close_picture(&p);
    must(test_valid(conllu.data, conllu.size, &line) == NULL);
    if (good < m.size)
        must(status == DODONA_E_INPUT && err.line == line_of(m.data, good) && err.message[0]);
    else
        must(status == 0);
    /* A text of blanks alone has no token to keep them. */
    must(conllu.size || status < 0 || !has_something(m.data, m.size));
    if (status == 0 && conllu.size)
        compare(&conllu, m.data, m.size);
    ddn_output_abandon(&conllu);
    return 0;
}
