/* SPDX-License-Identifier: MIT */
/* sentence.c - sentences as a program builds and reads them. */
#include "api/api.h"

#include "core/utf8.h"
#include "io/text_write.h"

#include <stdio.h>
#include <stdlib.h>

dodona_sentence *dodona_sentence_new(void)
{
    dodona_sentence *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    ddn_sentence_init(&s->s);
    ddn_output_memory(&s->forest);
    ddn_output_memory(&s->trace);
    return s;
}

void dodona_sentence_free(dodona_sentence *s)
{
    if (!s)
        return;
    ddn_sentence_fini(&s->s);
    ddn_output_abandon(&s->forest);
    ddn_output_abandon(&s->trace);
    ddn_piece_free(s->piece);
    free(s);
}

void dodona_sentence_clear(dodona_sentence *s)
{
    if (!s)
        return;
    ddn_sentence_clear(&s->s);
    ddn_output_clear(&s->forest);
    ddn_output_clear(&s->trace);
    s->fallback = NULL;
    s->fault.code = DODONA_OK;
    s->is_piece = false;
}

int dodona_sentence_copy(dodona_sentence *s, const dodona_sentence *from, dodona_error *err)
{
    if (!s || !from)
        return ddn_fail_null(err, "sentence");
    const ddn_sentence *f = &from->s;
    if (s == from)
        return 0;
    dodona_sentence_clear(s);
    int code = ddn_sentence_append(&s->s, f, err);
    if (!code)
        code = ddn_sentence_set_file(&s->s, f->file ? f->file : "", err);
    if (code) {
        dodona_sentence_clear(s);
        return code;
    }
    for (int32_t i = 1; i <= f->n; i++)
        s->s.head[i] = f->head[i]; /* also one that is not a word of the sentence */
    s->s.bad = f->bad;
    s->s.continued = f->continued;
    s->s.byte = f->byte;
    return 0;
}

int ddn_check_source(const dodona_source *from, dodona_error *err)
{
    if (!from || !from->pull || !from->name)
        return ddn_fail_null(err, "source, its pull or its name");
    return DODONA_OK;
}

int ddn_filled_next(void *filled, const ddn_sentence **s, dodona_error *err)
{
    const ddn_filled *f = filled;
    dodona_sentence_clear(f->s);
    *s = &f->s->s;
    return f->from->pull(f->from->ctx, f->s, err);
}

int dodona_sentence_length(const dodona_sentence *s)
{
    return s ? (int)s->s.n : 0;
}

const char *dodona_sentence_fallback(const dodona_sentence *s)
{
    return s ? s->fallback : NULL;
}

int dodona_sentence_is_bad(const dodona_sentence *s)
{
    return s && s->s.bad;
}

static int check_field(dodona_text t, const char *name, dodona_error *err)
{
    for (size_t i = 0; t.data && i < t.size; i++)
        if (t.data[i] == '\t' || t.data[i] == '\n' || t.data[i] == '\r')
            return ddn_fail(err, DODONA_E_ARGUMENT, "the %s of a word has a %s in it", name,
                            t.data[i] == '\t' ? "tab" : "line end");
    if (t.data && ddn_utf8_check(t.data, t.size) < t.size)
        return ddn_fail(err, DODONA_E_ARGUMENT, "the %s of a word is not UTF-8 or has a NUL in it",
                        name);
    return 0;
}

int dodona_sentence_add(dodona_sentence *s, const dodona_word *word, dodona_error *err)
{
    if (!s || !word)
        return ddn_fail_null(err, "sentence or the word");
    static const char *const name[DDN_COLUMNS] = { "id",    "form", "lemma",  "upos", "xpos",
                                                   "feats", "head", "deprel", "deps", "misc" };
    ddn_sentence *t = &s->s;
    if (t->rows && !(t->row[0].made && t->row[t->rows - 1].made))
        return ddn_fail(err, DODONA_E_ARGUMENT,
                        "words can't be added to a sentence that was read; clear it first");
    if (t->n == DODONA_MAX_WORDS)
        return ddn_fail(err, DODONA_E_LIMIT, "the sentence has %d words, the limit",
                        DODONA_MAX_WORDS);
    if (word->head < -1 || word->head > DODONA_MAX_WORDS)
        return ddn_fail(err, DODONA_E_ARGUMENT, "the head of a word is %d; expected -1 to %d",
                        word->head, DODONA_MAX_WORDS);
    char head[16] = "_";
    int size = word->head < 0 ? 1 : snprintf(head, sizeof head, "%d", word->head);
    const dodona_text col[DDN_COLUMNS] = {
        [DDN_FORM] = word->form,     [DDN_LEMMA] = word->lemma, [DDN_UPOS] = word->upos,
        [DDN_XPOS] = word->xpos,     [DDN_FEATS] = word->feats, [DDN_HEAD] = { head, (size_t)size },
        [DDN_DEPREL] = word->deprel, [DDN_DEPS] = word->deps,   [DDN_MISC] = word->misc,
    };
    for (int k = DDN_FORM; k < DDN_COLUMNS; k++) {
        int code = check_field(col[k], name[k], err);
        if (code)
            return code;
    }
    return ddn_sentence_word(t, col, err);
}

int dodona_sentence_get(const dodona_sentence *s, int i, dodona_word *out)
{
    if (!s || !out || i < 1 || i > s->s.n)
        return DODONA_E_ARGUMENT;
    *out = (dodona_word){
        .form = ddn_sentence_column(&s->s, i, DDN_FORM),
        .lemma = ddn_sentence_column(&s->s, i, DDN_LEMMA),
        .upos = ddn_sentence_column(&s->s, i, DDN_UPOS),
        .xpos = ddn_sentence_column(&s->s, i, DDN_XPOS),
        .feats = ddn_sentence_column(&s->s, i, DDN_FEATS),
        .head = s->s.head[i],
        .deprel = ddn_sentence_column(&s->s, i, DDN_DEPREL),
        .deps = ddn_sentence_column(&s->s, i, DDN_DEPS),
        .misc = ddn_sentence_column(&s->s, i, DDN_MISC),
    };
    return 0;
}

/* Where the token stands; byte: of its first one, -1: not known. */
static void place_token(dodona_token *t, int64_t byte)
{
    t->start = t->end = t->start_byte = t->end_byte = -1;
    ddn_token_range(t->misc, &t->start, &t->end);
    if (byte < 0)
        return;
    t->start_byte = byte;
    t->end_byte = byte + (int64_t)ddn_token_size(t->form, t->misc);
}

int dodona_sentence_next_token(const dodona_sentence *s, dodona_token *token)
{
    if (!s || !token)
        return 0;
    const ddn_sentence *t = &s->s;
    int last = token->last;
    if (last < 0 || last >= t->n)
        return 0;
    int64_t byte = t->byte;
    if (last && byte >= 0)
        byte = token->end_byte + (int64_t)ddn_space_size(token->misc);
    ddn_token_rows at = { .row = last ? t->word_row[last] + 1 : 0, .reach = last };
    const ddn_row *row = ddn_next_token(t, &at);
    *token = (dodona_token){
        .first = row->id,
        .last = row->kind == DDN_ROW_RANGE ? row->minor : row->id,
        .form = ddn_sentence_span(t, row->col[DDN_FORM]),
        .misc = t->conllx ? (dodona_text){ "_", 1 } : ddn_sentence_span(t, row->col[DDN_MISC]),
    };
    place_token(token, byte);
    return 1;
}

int dodona_sentence_trees(const dodona_sentence *s)
{
    return s ? (int)s->s.trees.count : 0;
}

int dodona_sentence_tree_score(const dodona_sentence *s, int k, double *score)
{
    if (!s || !score || k < 1 || k > s->s.trees.count)
        return DODONA_E_ARGUMENT;
    *score = s->s.trees.score[k - 1];
    return DODONA_OK;
}

int dodona_sentence_tree_arc(const dodona_sentence *s, int k, int i, int *head, dodona_text *deprel)
{
    if (!s || !head || !deprel || k < 1 || k > s->s.trees.count || i < 1 || i > s->s.trees.n)
        return DODONA_E_ARGUMENT;
    size_t at = (size_t)(k - 1) * ((size_t)s->s.trees.n + 1) + (size_t)i;
    *head = s->s.trees.head[at];
    *deprel = ddn_sentence_span(&s->s, s->s.trees.label[at]);
    return DODONA_OK;
}

double dodona_sentence_confidence(const dodona_sentence *s, int i)
{
    return s && i >= 1 && i <= s->s.confident ? s->s.confidence[i] : -1;
}

dodona_text dodona_sentence_forest(const dodona_sentence *s)
{
    if (!s)
        return (dodona_text){ "", 0 };
    return (dodona_text){ s->forest.size ? s->forest.data : "", s->forest.size };
}

const dodona_error *dodona_sentence_fault(const dodona_sentence *s)
{
    return s && s->fault.code < 0 ? &s->fault : NULL;
}
