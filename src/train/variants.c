/* SPDX-License-Identifier: MIT */
/* variants.c - copies are written as CoNLL-U and read again, so that they are sentences like
 * others. Comments and empty nodes are left out. */
#include "train/variants.h"

#include "core/rng.h"
#include "pipeline/words.h"
#include "train/jackknife.h"

#include <string.h>

/* Whether the last row can be left out: punctuation that nothing depends on, outside of tokens of
 * several words. */
static bool has_loose_end(const ddn_sentence *s)
{
    if (s->n < 2 || !ddn_text_is(ddn_sentence_column(s, s->n, DDN_UPOS), "PUNCT"))
        return false;
    for (int32_t i = 1; i <= s->n; i++)
        if (s->head[i] == s->n)
            return false;
    for (size_t i = 0; i < s->rows; i++)
        if (s->row[i].kind == DDN_ROW_RANGE && s->row[i].minor == s->n)
            return false;
    return s->head[s->n] != 0;
}

/* An apostrophe in ASCII or a curly one at t.data + i: its bytes, or 0. */
static size_t apostrophe(dodona_text t, size_t i)
{
    if (t.data[i] == '\'')
        return 1;
    return t.size - i >= 3 && memcmp(t.data + i, "\xe2\x80\x99", 3) == 0 ? 3 : 0;
}

static void put_without_apostrophes(ddn_output *o, dodona_text form)
{
    size_t before = o->size;
    for (size_t i = 0; i < form.size;) {
        size_t size = apostrophe(form, i);
        if (!size)
            ddn_put(o, form.data + i, 1);
        i += size ? size : 1;
    }
    if (o->size == before) /* nothing else is in it */
        ddn_put(o, form.data, form.size);
}

/* Quotes open and close by turns; open: one is. */
static void put_curly(ddn_output *o, dodona_text form, bool *open)
{
    if (ddn_text_is(form, "\"")) {
        ddn_puts(o, *open ? "\xe2\x80\x9d" : "\xe2\x80\x9c");
        *open = !*open;
        return;
    }
    for (size_t i = 0; i < form.size; i++)
        if (form.data[i] == '\'')
            ddn_puts(o, "\xe2\x80\x99");
        else
            ddn_put(o, form.data + i, 1);
}

static void put_form(ddn_output *o, dodona_text form, ddn_variant variant, bool *open)
{
    char *room;
    switch (variant) {
    case DDN_VARIANT_PLAIN:
        put_without_apostrophes(o, form);
        break;
    case DDN_VARIANT_CURLY:
        put_curly(o, form, open);
        break;
    case DDN_VARIANT_UPPER:
    case DDN_VARIANT_LOWER:
        room = ddn_output_room(o, 2 * form.size + 4);
        if (room)
            ddn_output_took(o, variant == DDN_VARIANT_UPPER
                                   ? ddn_upper(form.data, form.size, room)
                                   : ddn_lower(form.data, form.size, room));
        break;
    default:
        ddn_put(o, form.data, form.size);
    }
}

/* Puts a row; returns whether its form differs. */
static bool put_row(ddn_output *o, const ddn_sentence *s, const ddn_row *row, ddn_variant variant,
                    bool *open)
{
    bool differs = false;
    for (int k = 0; k < DDN_COLUMNS; k++) {
        dodona_text column = ddn_sentence_span(s, row->col[k]);
        size_t at = o->size;
        if (k == DDN_FORM) {
            put_form(o, column, variant, open);
            differs = !o->error.code &&
                      !ddn_text_equal(column, (dodona_text){ o->data + at, o->size - at });
        } else {
            ddn_put(o, column.data, column.size);
        }
        ddn_put(o, k + 1 < DDN_COLUMNS ? "\t" : "\n", 1);
    }
    return differs;
}

bool ddn_variant_put(ddn_output *o, const ddn_sentence *s, ddn_variant variant)
{
    size_t before = o->size;
    bool differs = false, open = false, cut = variant == DDN_VARIANT_OPEN && has_loose_end(s);
    ddn_puts(o, "# newpar\n");
    for (size_t i = 0; i < s->rows; i++) {
        const ddn_row *row = &s->row[i];
        if (row->kind == DDN_ROW_RANGE)
            differs |= put_row(o, s, row, variant, &(bool){ open });
        else if (row->kind == DDN_ROW_WORD && !(cut && i == s->word_row[s->n]))
            differs |= put_row(o, s, row, variant, &open);
    }
    ddn_puts(o, "\n");
    if (!o->error.code && !differs && !cut)
        o->size = before;
    return differs || cut;
}

int ddn_treebank_vary(ddn_treebank *t, int percent, uint64_t seed, dodona_error *err)
{
    ddn_rng r;
    ddn_output text;
    ddn_rng_init(&r, seed);
    ddn_output_memory(&text);
    for (size_t i = 0; i < t->count; i++) {
        ddn_variant variant = (ddn_variant)ddn_rng_below(&r, DDN_VARIANTS);
        if (ddn_rng_below(&r, 100) >= (uint64_t)percent)
            continue;
        for (int k = 0; k < DDN_VARIANTS; k++)
            if (ddn_variant_put(&text, &t->sentence[i], (variant + k) % DDN_VARIANTS))
                break;
    }
    int status = text.error.code ? ddn_fail_memory(err) : DODONA_OK;
    if (status >= 0 && text.size)
        status = ddn_treebank_take(t, text.data, text.size, err);
    ddn_output_abandon(&text);
    return status;
}
