/* SPDX-License-Identifier: MIT */
/* json_write.c - JSON out.  Only quotes, backslashes and control characters need to be escaped; all
 * other UTF-8 stands for itself. */
#include "io/json_write.h"

#include "io/picture.h"
#include "io/text_write.h"
#include "io/trees_write.h"

void ddn_json_put_string(ddn_output *o, dodona_text t)
{
    static const char hex[] = "0123456789abcdef";
    char *room = ddn_output_room(o, 6 * t.size + 2), *to = room;
    if (!room)
        return;
    *to++ = '"';
    for (size_t i = 0; i < t.size; i++) {
        unsigned char c = (unsigned char)t.data[i];
        if (c >= 0x20 && c != '"' && c != '\\') {
            *to++ = (char)c;
        } else if (c >= 0x20) {
            *to++ = '\\';
            *to++ = (char)c;
        } else {
            memcpy(to, "\\u00", 4);
            to[4] = hex[c >> 4];
            to[5] = hex[c & 15];
            to += 6;
        }
    }
    *to++ = '"';
    ddn_output_took(o, (size_t)(to - room));
}

static void put_field(ddn_output *o, const char *key, dodona_text t, bool is_literal)
{
    ddn_puts(o, key);
    if (!is_literal && ddn_text_is(t, "_"))
        ddn_puts(o, "null");
    else
        ddn_json_put_string(o, t);
}

static void put_columns(ddn_output *o, const ddn_sentence *s, const ddn_row *row)
{
    static const char *const key[DDN_COLUMNS] = {
        [DDN_FORM] = ",\"form\":",     [DDN_LEMMA] = ",\"lemma\":", [DDN_UPOS] = ",\"upos\":",
        [DDN_XPOS] = ",\"xpos\":",     [DDN_FEATS] = ",\"feats\":", [DDN_HEAD] = ",\"head\":",
        [DDN_DEPREL] = ",\"deprel\":", [DDN_DEPS] = ",\"deps\":",   [DDN_MISC] = ",\"misc\":",
    };
    dodona_text form = ddn_sentence_span(s, row->col[DDN_FORM]);
    for (int k = DDN_FORM; k < DDN_COLUMNS; k++) {
        dodona_text t = ddn_sentence_span(s, row->col[k]);
        if (row->kind == DDN_ROW_RANGE && k != DDN_FORM && k != DDN_MISC)
            continue;
        if (k == DDN_HEAD && row->kind == DDN_ROW_WORD && s->head[row->id] >= 0) {
            ddn_puts(o, key[k]);
            ddn_put_int(o, s->head[row->id]);
        } else if (s->conllx && k > DDN_DEPREL) {
            put_field(o, key[k], (dodona_text){ "_", 1 }, false);
        } else {
            bool is_lemma = k == DDN_LEMMA && ddn_text_is(form, "_");
            put_field(o, key[k], t, k == DDN_FORM || is_lemma);
        }
    }
}

/* What displaCy wants to know of a word. */
static void put_display(ddn_output *o, const ddn_sentence *s, const ddn_row *row)
{
    ddn_puts(o, ",\"text\":");
    ddn_json_put_string(o, ddn_sentence_span(s, row->col[DDN_FORM]));
    ddn_puts(o, ",\"tag\":");
    ddn_json_put_string(o, ddn_row_tag(s, row));
}

static void put_arcs(ddn_output *o, const ddn_sentence *s)
{
    const char *before = "";
    ddn_puts(o, ",\"arcs\":[");
    for (int32_t i = 1; i <= s->n; i++) {
        int32_t h = s->head[i];
        if (h <= 0 || h > s->n || h == i)
            continue;
        ddn_puts(o, before);
        before = ",";
        ddn_puts(o, "{\"start\":");
        ddn_put_int(o, (h < i ? h : i) - 1);
        ddn_puts(o, ",\"end\":");
        ddn_put_int(o, (h < i ? i : h) - 1);
        ddn_puts(o, ",\"label\":");
        ddn_json_put_string(o, ddn_sentence_column(s, i, DDN_DEPREL));
        ddn_puts(o, h < i ? ",\"dir\":\"right\"}" : ",\"dir\":\"left\"}");
    }
    ddn_puts(o, "]");
}

/* The rows of one kind as a list under a key; nothing when there are none. */
static void put_rows(ddn_output *o, const ddn_sentence *s, ddn_row_kind kind, const char *key)
{
    bool begun = false;
    for (size_t i = 0; i < s->rows; i++) {
        const ddn_row *row = &s->row[i];
        if (row->kind != kind)
            continue;
        if (begun)
            ddn_puts(o, ",");
        else
            ddn_puts(o, key);
        begun = true;
        if (kind == DDN_ROW_WORD)
            ddn_putf(o, "{\"id\":%d", (int)row->id);
        else if (kind == DDN_ROW_RANGE)
            ddn_putf(o, "{\"id\":[%d,%d]", (int)row->id, (int)row->minor);
        else
            ddn_putf(o, "{\"id\":\"%d.%d\"", (int)row->id, (int)row->minor);
        put_columns(o, s, row);
        if (kind == DDN_ROW_WORD)
            put_display(o, s, row);
        ddn_puts(o, "}");
    }
    if (begun)
        ddn_puts(o, "]");
}

void ddn_json_put(ddn_output *o, const ddn_sentence *s)
{
    if (s->bad) {
        if (!s->continued)
            ddn_putf(o, "{\"bad\":true,\"line\":%lld}\n", (long long)s->line);
        return;
    }
    if (s->n == 0)
        return;
    dodona_text id = ddn_sentence_comment(s, "sent_id"), text = ddn_sentence_comment(s, "text");
    ddn_puts(o, "{");
    if (id.size) {
        ddn_puts(o, "\"sent_id\":");
        ddn_json_put_string(o, id);
        ddn_puts(o, ",");
    }
    if (text.size) {
        ddn_puts(o, "\"text\":");
        ddn_json_put_string(o, text);
        ddn_puts(o, ",");
    }
    put_rows(o, s, DDN_ROW_WORD, "\"words\":[");
    put_arcs(o, s);
    if (ddn_sentence_is_rtl(s))
        ddn_puts(o, ",\"settings\":{\"direction\":\"rtl\"}");
    put_rows(o, s, DDN_ROW_RANGE, ",\"ranges\":[");
    put_rows(o, s, DDN_ROW_EMPTY, ",\"empty\":[");
    for (int32_t k = 0; k < s->trees.count; k++) {
        ddn_puts(o, k ? "," : ",\"kbest\":[");
        ddn_tree_put(o, s, k);
    }
    ddn_puts(o, s->trees.count ? "]" : "");
    ddn_puts(o, "}\n");
}
