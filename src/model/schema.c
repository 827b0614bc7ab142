/* SPDX-License-Identifier: MIT */
/* schema.c - labels as text and back, and the best label of an arc. */
#include "model/schema.h"

#include "chart/targets.h"
#include "core/utf8.h"

#include <string.h>

void ddn_schema_init(ddn_schema *s)
{
    memset(s, 0, sizeof *s);
    ddn_intern_init(&s->labels);
}

void ddn_schema_fini(ddn_schema *s)
{
    ddn_intern_fini(&s->labels);
}

int ddn_schema_add_label(ddn_schema *s, dodona_text label, uint8_t uses, dodona_error *err)
{
    uint32_t id;
    if (s->labels.count == DDN_MAX_LABELS)
        return ddn_fail(err, DODONA_E_LIMIT, "more than %d different relations", DDN_MAX_LABELS);
    if (!ddn_intern_add(&s->labels, label.data, label.size, &id))
        return ddn_fail_memory(err);
    s->uses[id] = uses;
    s->barred[0][id] = !(uses & DDN_LABEL_OF_WORD);
    s->barred[1][id] = !(uses & DDN_LABEL_OF_ROOT);
    return DODONA_OK;
}

/* The largest of the values that are not barred. */
DDN_TARGETS
static int32_t largest(const int32_t *value, const int32_t *barred, uint32_t count)
{
    int32_t best = INT32_MIN;
    for (uint32_t i = 0; i < count; i++) {
        int32_t v = barred[i] ? INT32_MIN : value[i];
        best = v > best ? v : best;
    }
    return best;
}

uint16_t ddn_schema_best_label(const ddn_schema *s, bool from_root, const int32_t *of)
{
    const int32_t *barred = s->barred[from_root];
    uint32_t count = s->labels.count, l = 0;
    int32_t best = largest(of, barred, count);
    while (l < count && (barred[l] || of[l] != best))
        l++;
    return (uint16_t)(l < count ? l : 0);
}

uint16_t ddn_schema_root_label(const ddn_schema *s)
{
    uint32_t best = s->labels.count;
    for (uint32_t l = 0; l < s->labels.count; l++) {
        if (s->uses[l] == DDN_LABEL_OF_ROOT)
            return (uint16_t)l;
        if ((s->uses[l] & DDN_LABEL_OF_ROOT) && best == s->labels.count)
            best = l;
    }
    return best == s->labels.count ? 0 : (uint16_t)best;
}

void ddn_schema_put_labels(const ddn_schema *s, ddn_output *o)
{
    for (uint32_t l = 0; l < s->labels.count; l++) {
        dodona_text t = ddn_intern_text(&s->labels, l);
        ddn_put_int(o, s->uses[l]);
        ddn_puts(o, " ");
        ddn_put(o, t.data, t.size);
        ddn_puts(o, "\n");
    }
}

/* Labels are written into the DEPREL column, so they must be readable there. */
static bool fits_a_column(dodona_text t)
{
    return ddn_utf8_check(t.data, t.size) == t.size && !memchr(t.data, '\t', t.size) &&
           !memchr(t.data, '\r', t.size);
}

int ddn_schema_take_labels(ddn_schema *s, const char *text, size_t size, dodona_error *err)
{
    for (const char *at = text, *end = text + size; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (!newline || newline - at < 3 || at[0] < '1' || at[0] > '3' || at[1] != ' ')
            return ddn_fail(err, DODONA_E_MODEL, "the list of relations is not as expected");
        dodona_text label = { at + 2, (size_t)(newline - at) - 2 };
        if (!fits_a_column(label))
            return ddn_fail(err, DODONA_E_MODEL,
                            "a relation contains a tab, a carriage return or invalid UTF-8");
        uint32_t before = s->labels.count;
        int status = ddn_schema_add_label(s, label, (uint8_t)(at[0] - '0'), err);
        if (status < 0)
            return status;
        if (s->labels.count == before)
            return ddn_fail(err, DODONA_E_MODEL, "the list of relations has one of them twice");
        at = newline + 1;
    }
    if (s->labels.count == 0)
        return ddn_fail(err, DODONA_E_MODEL, "the list of relations is empty");
    return DODONA_OK;
}
