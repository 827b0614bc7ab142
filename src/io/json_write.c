/* SPDX-License-Identifier: MIT */
/* json_write.c - the members of a sentence's object, one after the other. */
#include "io/json_write.h"

#include "core/array.h"
#include "core/json.h"
#include "io/comments.h"
#include "io/spaces.h"
#include "io/text_write.h"
#include "io/trees_write.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Documents and paragraphs ---- */

static void begin_unit(ddn_json_unit *u, dodona_text id, ddn_output *o)
{
    u->number++;
    u->size = id.size;
    if (!ddn_reserve(&u->id, &u->capacity, id.size, 1))
        ddn_fail_memory(&o->error);
    else if (id.size)
        memcpy(u->id, id.data, id.size);
}

static void put_unit(ddn_json *j, const char *key, const ddn_json_unit *u)
{
    if (u->number == 0)
        return;
    ddn_json_key(j, key);
    if (u->size)
        ddn_json_text(j, (dodona_text){ u->id, u->size });
    else
        ddn_json_int(j, u->number);
}

static void go_to(ddn_json_place *p, ddn_output *o, const ddn_sentence *s)
{
    dodona_text id;
    size_t row;
    if (ddn_comment_find(s, "newdoc", &row, &id)) {
        begin_unit(&p->document, id, o);
        p->paragraph.number = 0;
    }
    if (ddn_comment_find(s, "newpar", &row, &id))
        begin_unit(&p->paragraph, id, o);
}

void ddn_json_place_fini(ddn_json_place *p)
{
    free(p->document.id);
    free(p->paragraph.id);
    *p = (ddn_json_place){ 0 };
}

/* ---- Columns that are lists ---- */

/* The next of the parts of a column, which have '|' between them; data NULL: there is none. */
static dodona_text next_part(dodona_text *rest)
{
    if (!rest->data)
        return *rest;
    const char *bar = memchr(rest->data, '|', rest->size);
    dodona_text part = { rest->data, bar ? (size_t)(bar - rest->data) : rest->size };
    *rest = bar ? (dodona_text){ bar + 1, rest->size - part.size - 1 } : (dodona_text){ NULL, 0 };
    return part;
}

/* Splits a part at the first such character.  False: there is none, or nothing before it. */
static bool split(dodona_text part, char at, dodona_text *name, dodona_text *value)
{
    const char *found = part.size ? memchr(part.data, at, part.size) : NULL;
    if (!found || found == part.data)
        return false;
    *name = (dodona_text){ part.data, (size_t)(found - part.data) };
    *value = (dodona_text){ found + 1, part.size - name->size - 1 };
    return true;
}

typedef struct pair {
    dodona_text name, value;
} pair;

/* How many pairs name=value the column is; -1: it is not such pairs with different names. */
static int read_pairs(dodona_text column, pair of[DDN_JSON_PAIRS])
{
    int count = 0;
    for (dodona_text part; (part = next_part(&column)).data; count++) {
        if (count == DDN_JSON_PAIRS || !split(part, '=', &of[count].name, &of[count].value))
            return -1;
        for (int i = 0; i < count; i++)
            if (ddn_text_equal(of[i].name, of[count].name))
                return -1;
    }
    return count;
}

static void put_pairs(ddn_json *j, const char *key, const pair *of, int count)
{
    if (count == 0)
        return;
    ddn_json_begin(ddn_json_key(j, key), '{');
    for (int i = 0; i < count; i++)
        ddn_json_text(ddn_json_key_text(j, of[i].name), of[i].value);
    ddn_json_end(j, '}');
}

static void put_feats(ddn_json *j, dodona_text feats)
{
    pair of[DDN_JSON_PAIRS];
    int count = read_pairs(feats, of);
    if (count < 0)
        ddn_json_text(ddn_json_key(j, "feats"), feats);
    else
        put_pairs(j, "feats", of, count);
}

/* What MISC has that is said in numbers. */
typedef struct place {
    int64_t start, end;  /* -1: not there */
    char confidence[24]; /* "": not there */
} place;

/* From "0.0" to "1.0", with at least one digit before and behind the point. */
static bool is_confidence(const pair *p, place *out)
{
    dodona_text whole, digits;
    int64_t ones, rest;
    if (!ddn_text_is(p->name, "Confidence") || !split(p->value, '.', &whole, &digits) ||
        whole.size != 1 || !ddn_misc_number(whole, &ones) || !ddn_misc_number(digits, &rest) ||
        ones + (rest > 0) > 1)
        return false;
    memcpy(out->confidence, p->value.data, p->value.size);
    return true;
}

/* MISC without what goes to *out. */
static void put_misc(ddn_json *j, dodona_text misc, place *out)
{
    pair of[DDN_JSON_PAIRS];
    int count = read_pairs(misc, of), kept = 0;
    *out = (place){ -1, -1, "" };
    if (count < 0)
        ddn_json_text(ddn_json_key(j, "misc"), misc);
    bool placed = count >= 0 && ddn_token_range(misc, &out->start, &out->end);
    for (int i = 0; i < count; i++)
        if (!(placed && ddn_text_is(of[i].name, "TokenRange")) && !is_confidence(&of[i], out))
            of[kept++] = of[i];
    put_pairs(j, "misc", of, kept);
}

static void put_place(ddn_json *j, const place *p)
{
    if (p->start >= 0) {
        ddn_json_int(ddn_json_key(j, "start"), p->start);
        ddn_json_int(ddn_json_key(j, "end"), p->end);
    }
    if (p->confidence[0])
        ddn_json_raw(ddn_json_key(j, "confidence"), p->confidence);
}

/* "4:nsubj", or "3.1:nsubj" with an empty node. */
static bool read_dep(dodona_text part, dodona_text *head, dodona_text *deprel, bool *is_empty)
{
    dodona_text whole, minor;
    int64_t number;
    if (!split(part, ':', head, deprel) || deprel->size == 0)
        return false;
    *is_empty = split(*head, '.', &whole, &minor);
    return *is_empty ? ddn_misc_number(whole, &number) && ddn_misc_number(minor, &number)
                     : ddn_misc_number(*head, &number);
}

static void put_deps(ddn_json *j, dodona_text deps)
{
    dodona_text rest = deps, part, head, deprel;
    bool is_empty;
    ddn_json_key(j, "deps");
    while ((part = next_part(&rest)).data)
        if (!read_dep(part, &head, &deprel, &is_empty)) {
            ddn_json_text(j, deps);
            return;
        }
    ddn_json_begin(j, '[');
    for (rest = deps; (part = next_part(&rest)).data;) {
        int64_t number;
        read_dep(part, &head, &deprel, &is_empty);
        ddn_json_begin(j, '{');
        ddn_json_key(j, "head");
        if (is_empty)
            ddn_json_text(j, head);
        else if (ddn_misc_number(head, &number))
            ddn_json_int(j, number);
        ddn_json_text(ddn_json_key(j, "deprel"), deprel);
        ddn_json_end(j, '}');
    }
    ddn_json_end(j, ']');
}

/* ---- Rows ---- */

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

/* The columns that are text, unless they are "_". */
static void put_text(ddn_json *j, const ddn_sentence *s, const ddn_row *row, int column,
                     const char *key)
{
    dodona_text t = ddn_sentence_span(s, row->col[column]);
    if (!ddn_text_is(t, "_"))
        ddn_json_text(ddn_json_key(j, key), t);
}

static void put_columns(ddn_json *j, const ddn_sentence *s, const ddn_row *row)
{
    dodona_text form = ddn_sentence_span(s, row->col[DDN_FORM]);
    dodona_text feats = ddn_sentence_span(s, row->col[DDN_FEATS]);
    dodona_text deps = ddn_sentence_span(s, row->col[DDN_DEPS]);
    if (ddn_text_is(form, "_"))
        ddn_json_text(ddn_json_key(j, "lemma"), ddn_sentence_span(s, row->col[DDN_LEMMA]));
    else
        put_text(j, s, row, DDN_LEMMA, "lemma");
    put_text(j, s, row, DDN_UPOS, "upos");
    put_text(j, s, row, DDN_XPOS, "xpos");
    if (!ddn_text_is(feats, "_"))
        put_feats(j, feats);
    if (row->kind == DDN_ROW_WORD && s->head[row->id] >= 0)
        ddn_json_int(ddn_json_key(j, "head"), s->head[row->id]);
    put_text(j, s, row, DDN_DEPREL, "deprel");
    if (!s->conllx && !ddn_text_is(deps, "_"))
        put_deps(j, deps);
}

static void put_row(ddn_json *j, const ddn_sentence *s, const ddn_row *row)
{
    dodona_text misc = ddn_sentence_span(s, row->col[DDN_MISC]);
    place at;
    ddn_json_begin(j, '{');
    put_id(j, row);
    ddn_json_text(ddn_json_key(j, "form"), ddn_sentence_span(s, row->col[DDN_FORM]));
    if (row->kind != DDN_ROW_RANGE)
        put_columns(j, s, row);
    if (!s->conllx && !ddn_text_is(misc, "_")) {
        put_misc(j, misc, &at);
        put_place(j, &at);
    }
    ddn_json_end(j, '}');
}

/* The rows of one kind as a list under a key; nothing when there are none. */
static void put_rows(ddn_json *j, const ddn_sentence *s, ddn_row_kind kind, const char *key)
{
    bool begun = false;
    for (size_t i = 0; i < s->rows; i++) {
        if (s->row[i].kind != kind)
            continue;
        if (!begun)
            ddn_json_begin(ddn_json_key(j, key), '[');
        begun = true;
        put_row(j, s, &s->row[i]);
    }
    if (begun)
        ddn_json_end(j, ']');
}

/* ---- Sentences ---- */

static void put_comment(ddn_json *j, const ddn_sentence *s, const char *key)
{
    dodona_text t = ddn_sentence_comment(s, key);
    if (t.size)
        ddn_json_text(ddn_json_key(j, key), t);
}

static void put_members(ddn_json *j, const ddn_json_place *p, const ddn_sentence *s)
{
    put_unit(j, "document", &p->document);
    put_unit(j, "paragraph", &p->paragraph);
    put_comment(j, s, "sent_id");
    put_comment(j, s, "text");
    put_rows(j, s, DDN_ROW_WORD, "words");
    put_rows(j, s, DDN_ROW_RANGE, "multiword_tokens");
    put_rows(j, s, DDN_ROW_EMPTY, "empty_nodes");
    if (s->trees.count == 0)
        return;
    ddn_json_begin(ddn_json_key(j, "kbest"), '[');
    for (int32_t k = 0; k < s->trees.count; k++)
        ddn_tree_put(j, s, k);
    ddn_json_end(j, ']');
}

void ddn_json_put(ddn_json_place *p, ddn_output *o, const ddn_sentence *s)
{
    ddn_json j = { .out = o };
    if (s->bad ? s->continued : s->n == 0)
        return;
    ddn_json_begin(&j, '{');
    if (s->bad) {
        ddn_json_raw(ddn_json_key(&j, "bad"), "true");
        ddn_json_int(ddn_json_key(&j, "line"), s->line);
    } else {
        go_to(p, o, s);
        put_members(&j, p, s);
    }
    ddn_json_end(&j, '}');
    ddn_puts(o, "\n");
}
