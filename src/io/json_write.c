/* SPDX-License-Identifier: MIT */
/* json_write.c - the members of a sentence's object, one after the other. */
#include "io/json_write.h"

#include "core/json.h"
#include "io/picture.h"
#include "io/text_write.h"
#include "io/trees_write.h"

#include <stdio.h>

static void put_field(ddn_json *j, const char *key, dodona_text t, bool is_literal)
{
    ddn_json_key(j, key);
    if (!is_literal && ddn_text_is(t, "_"))
        ddn_json_raw(j, "null");
    else
        ddn_json_text(j, t);
}

static void put_columns(ddn_json *j, const ddn_sentence *s, const ddn_row *row)
{
    static const char *const key[DDN_COLUMNS] = {
        [DDN_FORM] = "form",     [DDN_LEMMA] = "lemma", [DDN_UPOS] = "upos",
        [DDN_XPOS] = "xpos",     [DDN_FEATS] = "feats", [DDN_HEAD] = "head",
        [DDN_DEPREL] = "deprel", [DDN_DEPS] = "deps",   [DDN_MISC] = "misc",
    };
    dodona_text form = ddn_sentence_span(s, row->col[DDN_FORM]);
    for (int k = DDN_FORM; k < DDN_COLUMNS; k++) {
        dodona_text t = ddn_sentence_span(s, row->col[k]);
        if (row->kind == DDN_ROW_RANGE && k != DDN_FORM && k != DDN_MISC)
            continue;
        if (k == DDN_HEAD && row->kind == DDN_ROW_WORD && s->head[row->id] >= 0) {
            ddn_json_int(ddn_json_key(j, key[k]), s->head[row->id]);
        } else if (s->conllx && k > DDN_DEPREL) {
            ddn_json_raw(ddn_json_key(j, key[k]), "null");
        } else {
            bool is_lemma = k == DDN_LEMMA && ddn_text_is(form, "_");
            put_field(j, key[k], t, k == DDN_FORM || is_lemma);
        }
    }
}

/* What displaCy wants to know of a word. */
static void put_display(ddn_json *j, const ddn_sentence *s, const ddn_row *row)
{
    ddn_json_text(ddn_json_key(j, "text"), ddn_sentence_span(s, row->col[DDN_FORM]));
    ddn_json_text(ddn_json_key(j, "tag"), ddn_row_tag(s, row));
}

static void put_arcs(ddn_json *j, const ddn_sentence *s)
{
    ddn_json_begin(ddn_json_key(j, "arcs"), '[');
    for (int32_t i = 1; i <= s->n; i++) {
        int32_t h = s->head[i];
        if (h <= 0 || h > s->n || h == i)
            continue;
        ddn_json_begin(j, '{');
        ddn_json_int(ddn_json_key(j, "start"), (h < i ? h : i) - 1);
        ddn_json_int(ddn_json_key(j, "end"), (h < i ? i : h) - 1);
        ddn_json_text(ddn_json_key(j, "label"), ddn_sentence_column(s, i, DDN_DEPREL));
        ddn_json_string(ddn_json_key(j, "dir"), h < i ? "right" : "left");
        ddn_json_end(j, '}');
    }
    ddn_json_end(j, ']');
}

static void put_id(ddn_json *j, const ddn_row *row)
{
    char decimal[32];
    ddn_json_key(j, "id");
    switch (row->kind) {
    case DDN_ROW_RANGE:
        ddn_json_begin(j, '[');
        ddn_json_int(j, row->id);
        ddn_json_int(j, row->minor);
        ddn_json_end(j, ']');
        break;
    case DDN_ROW_EMPTY:
        snprintf(decimal, sizeof decimal, "%d.%d", (int)row->id, (int)row->minor);
        ddn_json_string(j, decimal);
        break;
    default:
        ddn_json_int(j, row->id);
    }
}

/* The rows of one kind as a list under a key; nothing when there are none. */
static void put_rows(ddn_json *j, const ddn_sentence *s, ddn_row_kind kind, const char *key)
{
    bool begun = false;
    for (size_t i = 0; i < s->rows; i++) {
        const ddn_row *row = &s->row[i];
        if (row->kind != kind)
            continue;
        if (!begun)
            ddn_json_begin(ddn_json_key(j, key), '[');
        begun = true;
        ddn_json_begin(j, '{');
        put_id(j, row);
        put_columns(j, s, row);
        if (kind == DDN_ROW_WORD)
            put_display(j, s, row);
        ddn_json_end(j, '}');
    }
    if (begun)
        ddn_json_end(j, ']');
}

static void put_comment(ddn_json *j, const ddn_sentence *s, const char *key)
{
    dodona_text t = ddn_sentence_comment(s, key);
    if (t.size)
        ddn_json_text(ddn_json_key(j, key), t);
}

static void put_members(ddn_json *j, const ddn_sentence *s)
{
    put_comment(j, s, "sent_id");
    put_comment(j, s, "text");
    put_rows(j, s, DDN_ROW_WORD, "words");
    put_arcs(j, s);
    if (ddn_sentence_is_rtl(s)) {
        ddn_json_begin(ddn_json_key(j, "settings"), '{');
        ddn_json_string(ddn_json_key(j, "direction"), "rtl");
        ddn_json_end(j, '}');
    }
    put_rows(j, s, DDN_ROW_RANGE, "ranges");
    put_rows(j, s, DDN_ROW_EMPTY, "empty");
    if (s->trees.count == 0)
        return;
    ddn_json_begin(ddn_json_key(j, "kbest"), '[');
    for (int32_t k = 0; k < s->trees.count; k++)
        ddn_tree_put(j, s, k);
    ddn_json_end(j, ']');
}

void ddn_json_put(ddn_output *o, const ddn_sentence *s)
{
    ddn_json j = { .out = o };
    if (s->bad ? s->continued : s->n == 0)
        return;
    ddn_json_begin(&j, '{');
    if (s->bad) {
        ddn_json_raw(ddn_json_key(&j, "bad"), "true");
        ddn_json_int(ddn_json_key(&j, "line"), s->line);
    } else {
        put_members(&j, s);
    }
    ddn_json_end(&j, '}');
    ddn_puts(o, "\n");
}
