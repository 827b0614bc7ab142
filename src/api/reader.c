/* SPDX-License-Identifier: MIT */
/* reader.c - sentences from files of any format that can be read. */
#include "api/api.h"

#include "io/conll.h"
#include "io/guess.h"
#include "io/tokens.h"
#include <stdlib.h>

struct dodona_reader {
    ddn_conll_reader *conll; /* one of the four */
    ddn_tokens_reader *tokens;
    ddn_text_reader *text;
    ddn_pieces *pieces;
    const ddn_input *in; /* which that one owns */
};

int dodona_format_find(const char *name, dodona_error *err)
{
    if (!name)
        return ddn_fail_null(err, "name of the format");
    static const char *const names[] = {
        [DODONA_CONLLU] = "conllu",     [DODONA_CONLLX] = "conllx",
        [DODONA_TOKENS] = "tokens",     [DODONA_TEXT] = "text",
        [DODONA_JSON] = "json",         [DODONA_TREE] = "tree",
        [DODONA_SVG] = "svg",           [DODONA_HTML] = "html",
        [DODONA_TIKZ] = "tikz",         [DODONA_PRESEGMENTED] = "presegmented",
        [DODONA_VERTICAL] = "vertical", [DODONA_DISPLACY] = "displacy",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i] && strcmp(name, names[i]) == 0)
            return (int)i;
    if (strcmp(name, "horizontal") == 0)
        return DODONA_TOKENS;
    return ddn_fail(err, DODONA_E_ARGUMENT,
                    "no format is called '%s'; there are conllu, conllx, tokens, vertical, text, "
                    "presegmented, json, displacy, tree, svg, html, tikz",
                    name);
}

void dodona_reader_options_init(dodona_reader_options *o)
{
    if (!o)
        return;
    *o = (dodona_reader_options){ .size = sizeof *o };
}

static int no_tokenizer(const dodona_model *m, dodona_error *err)
{
    return ddn_fail_at(err, DODONA_E_MODEL, m->file.path, 0,
                       "the model has no tokenizer, so it can't read text; put spaces between the "
                       "tokens, a sentence a line, and read tokens");
}

/* Takes the input, also when it fails. */
static int open_text(dodona_reader *r, ddn_input *take_in, const dodona_reader_options *o,
                     dodona_error *err)
{
    const dodona_model *m = o->model;
    if (m && m->has_tokenizer && o->pieces && !o->flush && o->format == DODONA_TEXT) {
        int code =
            ddn_pieces_open(&r->pieces, &m->tokenizer, take_in, DDN_PIECE, DDN_PIECE_MORE, err);
        if (!code)
            ddn_pieces_count_on(r->pieces, o->sentences);
        return code;
    }
    if (m && m->has_tokenizer) {
        int code = ddn_text_open(&r->text, &m->tokenizer, take_in, err);
        if (!code)
            ddn_text_count_on(r->text, o->sentences);
        if (!code && o->format == DODONA_PRESEGMENTED)
            ddn_text_lines(r->text);
        if (!code && o->flush)
            ddn_text_flush(r->text);
        return code;
    }
    ddn_input_close(take_in);
    if (!m)
        return ddn_fail(err, DODONA_E_ARGUMENT, "reading text takes a model with a tokenizer");
    return no_tokenizer(m, err);
}

/* What DODONA_GUESS is, in this input.  A text is also told from CoNLL-U where the model can't read
 * it, whatever was said, since it is likely that nobody knew that. */
static int find_format(ddn_input *in, dodona_reader_options *o, dodona_error *err)
{
    bool guess = o->format == DODONA_GUESS, can = o->model && o->model->has_tokenizer;
    bool wary = o->model && !can && !o->skip_bad && (guess || o->format == DODONA_CONLLU);
    ddn_guess_result found = DDN_GUESS_CONLLU;
    int status = wary || (guess && can) ? ddn_guess_conllu(in, &found, err) : DODONA_OK;
    if (status >= 0 && wary && found == DDN_GUESS_TEXT)
        status = no_tokenizer(o->model, err);
    if (guess)
        o->format = can && found != DDN_GUESS_CONLLU ? DODONA_TEXT : DODONA_CONLLU;
    return status;
}

static int recode(ddn_input *in, const dodona_reader_options *o, dodona_error *err)
{
    int encoding = o->encoding ? ddn_encoding_find(o->encoding, err) : DDN_UTF8;
    if (encoding < 0 || (encoding == DDN_UTF8 && !o->replace))
        return encoding;
    return ddn_input_recode(in, (ddn_encoding)encoding, o->replace, err);
}

/* Takes the input, also when it fails. */
static int open_input(ddn_input *take_in, const dodona_reader_options *o, dodona_reader **out,
                      dodona_error *err)
{
    dodona_reader_options all;
    dodona_reader_options_init(&all);
    if (o)
        ddn_options_take(&all, sizeof all, o, o->size);
    dodona_reader *r = calloc(1, sizeof *r);
    int code = r ? recode(take_in, &all, err) : ddn_fail_memory(err);
    if (!code && (all.check < DODONA_CHECK_FORM || all.check > DODONA_CHECK_ONE_ROOT))
        code = ddn_fail(err, DODONA_E_ARGUMENT, "there is no check %d", (int)all.check);
    if (!code)
        code = find_format(take_in, &all, err);
    if (!code && all.flush)
        ddn_input_tell_waits(take_in);
    if (!code && all.signals)
        ddn_input_tell_signals(take_in);
    if (!code)
        r->in = take_in;
    if (code) {
        ddn_input_close(take_in);
    } else if (all.format == DODONA_TOKENS || all.format == DODONA_VERTICAL) {
        code =
            ddn_tokens_open(&r->tokens, take_in, all.format == DODONA_VERTICAL, all.skip_bad, err);
    } else if (all.format == DODONA_CONLLU || all.format == DODONA_CONLLX) {
        code = ddn_conll_open(&r->conll, take_in, all.format, all.check, all.skip_bad, err);
    } else if (all.format == DODONA_TEXT || all.format == DODONA_PRESEGMENTED) {
        code = open_text(r, take_in, &all, err);
    } else {
        ddn_input_close(take_in);
        code =
            ddn_fail(err, DODONA_E_ARGUMENT,
                     "that format can't be read, only written; conllu, conllx, tokens, vertical, "
                     "text and presegmented can");
    }
    if (code) {
        free(r);
        return code;
    }
    *out = r;
    return 0;
}

int dodona_reader_open(const char *path, const dodona_reader_options *o, dodona_reader **out,
                       dodona_error *err)
{
    if (!path || !out)
        return ddn_fail_null(err, "path or the place for the reader");
    ddn_input *in;
    *out = NULL;
    int code = ddn_input_open(&in, path, err);
    return code ? code : open_input(in, o, out, err);
}

int dodona_reader_open_callback(dodona_read read, void *ctx, const char *name,
                                const dodona_reader_options *o, dodona_reader **out,
                                dodona_error *err)
{
    if (!read || !out)
        return ddn_fail_null(err, "callback or the place for the reader");
    ddn_input *in;
    *out = NULL;
    int code = ddn_input_callback(&in, read, ctx, name ? name : "", err);
    return code ? code : open_input(in, o, out, err);
}

static int next_piece(ddn_pieces *r, dodona_sentence *s, dodona_error *err)
{
    if (!s->piece && !(s->piece = calloc(1, sizeof *s->piece)))
        return ddn_fail_memory(err);
    ddn_sentence_clear(&s->s);
    int status = ddn_pieces_next(r, s->piece, err);
    s->is_piece = status > 0;
    return status;
}

int dodona_reader_next(dodona_reader *r, dodona_sentence *s, dodona_error *err)
{
    if (!r || !s)
        return ddn_fail_null(err, "reader or the sentence");
    s->forest.size = 0;
    s->is_piece = false;
    if (r->pieces)
        return next_piece(r->pieces, s, err);
    if (r->text)
        return ddn_text_next(r->text, &s->s, err);
    return r->conll ? ddn_conll_next(r->conll, &s->s, err) : ddn_tokens_next(r->tokens, &s->s, err);
}

int dodona_reader_pull(void *reader, dodona_sentence *s, dodona_error *err)
{
    return dodona_reader_next(reader, s, err);
}

int64_t dodona_reader_bad(const dodona_reader *r, dodona_error *first)
{
    if (!r)
        return 0;
    if (r->text || r->pieces)
        return 0;
    return r->conll ? ddn_conll_bad(r->conll, first) : ddn_tokens_bad(r->tokens, first);
}

int64_t dodona_reader_replaced(const dodona_reader *r, int64_t *lines, int most)
{
    if (!r)
        return 0;
    const ddn_recoder *recoder = ddn_input_recoder(r->in);
    for (int i = 0; lines && i < most; i++)
        lines[i] = recoder && i < DDN_REPLACED_PLACES ? recoder->place[i] : 0;
    return recoder ? recoder->replaced : 0;
}

int64_t dodona_reader_bytes(const dodona_reader *r)
{
    return r ? ddn_input_taken(r->in) : 0;
}

void dodona_reader_close(dodona_reader *r)
{
    if (!r)
        return;
    ddn_conll_close(r->conll);
    ddn_tokens_close(r->tokens);
    ddn_text_close(r->text);
    ddn_pieces_close(r->pieces);
    free(r);
}
