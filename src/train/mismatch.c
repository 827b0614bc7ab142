/* SPDX-License-Identifier: MIT */
/* mismatch.c - looks up every value of dev among those of train, column by column.
 *
 * Columns that only one of the two fills have one line that says so, and their values none. */
#include "train/mismatch.h"

#include "core/array.h"
#include "core/intern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMED = 5 }; /* values that a line names */

typedef struct column {
    int column;
    const char *name;        /* of the column */
    const char *one, *other; /* what its values are called; NULL: they are not compared */
    bool features;           /* a value is a list, "Name=Value|Name=Value" */
} column;

static const column columns[] = {
    { DDN_LEMMA, "LEMMA", NULL, NULL, false },
    { DDN_UPOS, "UPOS", "UPOS tag", "UPOS tags", false },
    { DDN_XPOS, "XPOS", "XPOS tag", "XPOS tags", false },
    { DDN_FEATS, "FEATS", "feature", "features", true },
    { DDN_DEPREL, "DEPREL", "relation", "relations", false },
};

typedef struct counted {
    uint32_t id;
    int64_t words;
} counted;

typedef struct values {
    ddn_intern seen, unseen; /* of train; of dev and not of train */
    counted *count;          /* [unseen.count] */
    size_t count_cap;
    ddn_output line;
} values;

/* ---- Values of a column ---- */

typedef bool (*visit)(values *v, dodona_text value);

static bool see(values *v, dodona_text value)
{
    uint32_t id;
    return ddn_intern_add(&v->seen, value.data, value.size, &id);
}

static bool look_up(values *v, dodona_text value)
{
    uint32_t id, known = v->unseen.count;
    if (ddn_intern_find(&v->seen, value.data, value.size) != DDN_INTERN_NONE)
        return true;
    if (!ddn_intern_add(&v->unseen, value.data, value.size, &id) ||
        !ddn_reserve(&v->count, &v->count_cap, v->unseen.count, sizeof *v->count))
        return false;
    if (id == known)
        v->count[id] = (counted){ .id = id };
    v->count[id].words++;
    return true;
}

static bool visit_value(const column *c, values *v, dodona_text text, visit each)
{
    if (!c->features)
        return each(v, text);
    for (size_t at = 0; at <= text.size;) {
        const char *bar = memchr(text.data + at, '|', text.size - at);
        size_t end = bar ? (size_t)(bar - text.data) : text.size;
        if (!each(v, (dodona_text){ text.data + at, end - at }))
            return false;
        at = end + 1;
    }
    return true;
}

/* False: no memory. */
static bool visit_all(const column *c, values *v, const ddn_treebank *t, visit each)
{
    for (size_t k = 0; k < t->count; k++)
        for (int32_t i = 1; i <= t->sentence[k].n; i++) {
            dodona_text text = ddn_sentence_column(&t->sentence[k], i, c->column);
            if (!ddn_text_is(text, "_") && !visit_value(c, v, text, each))
                return false;
        }
    return true;
}

static bool is_filled(const column *c, const ddn_treebank *t)
{
    for (size_t k = 0; k < t->count; k++)
        for (int32_t i = 1; i <= t->sentence[k].n; i++)
            if (!ddn_text_is(ddn_sentence_column(&t->sentence[k], i, c->column), "_"))
                return true;
    return false;
}

/* ---- Lines ---- */

/* The most frequent first; of equals the one that came first. */
static int by_words(const void *a, const void *b)
{
    const counted *x = a, *y = b;
    if (x->words != y->words)
        return x->words < y->words ? 1 : -1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static void put_unseen(const column *c, values *v)
{
    uint32_t count = v->unseen.count;
    qsort(v->count, count, sizeof *v->count, by_words);
    ddn_putf(&v->line, "dev has %u %s that train never has: ", count,
             count == 1 ? c->one : c->other);
    for (uint32_t i = 0; i < count && i < NAMED; i++) {
        dodona_text text = ddn_intern_text(&v->unseen, v->count[i].id);
        ddn_putf(&v->line, "%s%s (%lld word%s)", i ? ", " : "", text.data,
                 (long long)v->count[i].words, v->count[i].words == 1 ? "" : "s");
    }
    if (count > NAMED)
        ddn_putf(&v->line, ", and %u more", count - NAMED);
}

/* Puts the line of a column, if there is something to say. */
static int compare(const column *c, values *v, const ddn_treebank *train, const ddn_treebank *dev,
                   dodona_error *err)
{
    bool in_train = is_filled(c, train), in_dev = is_filled(c, dev);
    if (in_train != in_dev) {
        ddn_putf(&v->line, "the column %s is empty in %s and filled in %s", c->name,
                 in_train ? "dev" : "train", in_train ? "train" : "dev");
    } else if (in_dev && c->one) {
        if (!visit_all(c, v, train, see) || !visit_all(c, v, dev, look_up))
            return ddn_fail_memory(err);
        if (v->unseen.count)
            put_unseen(c, v);
    }
    ddn_put(&v->line, "", 1);
    return v->line.error.code ? ddn_fail_memory(err) : DODONA_OK;
}

int ddn_warn_mismatch(const ddn_treebank *train, const ddn_treebank *dev, dodona_report report,
                      void *report_ctx, dodona_error *err)
{
    int status = DODONA_OK;
    for (size_t i = 0; i < sizeof columns / sizeof *columns && status >= 0 && report; i++) {
        values v = { 0 };
        ddn_intern_init(&v.seen);
        ddn_intern_init(&v.unseen);
        ddn_output_memory(&v.line);
        status = compare(&columns[i], &v, train, dev, err);
        dodona_progress now = { .phase = "warning", .las = -1, .uas = -1, .message = v.line.data };
        if (status >= 0 && now.message[0] && report(report_ctx, &now))
            status = ddn_fail(err, DODONA_E_CANCELLED, "training was stopped");
        ddn_intern_fini(&v.seen);
        ddn_intern_fini(&v.unseen);
        free(v.count);
        ddn_output_abandon(&v.line);
    }
    return status;
}
