/* SPDX-License-Identifier: MIT */
/* displacy_write.c - words and arcs as displaCy wants them. */
#include "io/displacy_write.h"

#include "core/json.h"
#include "io/picture.h"

static void put_words(ddn_json *j, const ddn_sentence *s)
{
    ddn_json_begin(ddn_json_key(j, "words"), '[');
    for (int32_t i = 1; i <= s->n; i++) {
        ddn_json_begin(j, '{');
        ddn_json_text(ddn_json_key(j, "text"), ddn_sentence_column(s, i, DDN_FORM));
        ddn_json_text(ddn_json_key(j, "tag"), ddn_row_tag(s, &s->row[s->word_row[i]]));
        ddn_json_end(j, '}');
    }
    ddn_json_end(j, ']');
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

void ddn_displacy_put(ddn_output *o, const ddn_sentence *s)
{
    ddn_json j = { .out = o };
    if (s->bad || s->n == 0)
        return;
    ddn_json_begin(&j, '{');
    put_words(&j, s);
    put_arcs(&j, s);
    if (ddn_sentence_is_rtl(s)) {
        ddn_json_begin(ddn_json_key(&j, "settings"), '{');
        ddn_json_string(ddn_json_key(&j, "direction"), "rtl");
        ddn_json_end(&j, '}');
    }
    ddn_json_end(&j, '}');
    ddn_puts(o, "\n");
}
