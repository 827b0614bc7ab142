/* SPDX-License-Identifier: MIT */
/* trees.c - lists of trees side by side in one array each, and confidences into MISC. */
#include "tree/trees.h"

#include "core/array.h"

#include <stdio.h>
#include <stdlib.h>

int ddn_trees_add(ddn_sentence *s, double score, const int32_t *head, const dodona_text *label,
                  dodona_error *err)
{
    ddn_trees *t = &s->trees;
    t->n = s->n;
    size_t width = (size_t)s->n + 1, at = (size_t)t->count * width;
    if (!ddn_reserve(&t->score, &t->score_cap, (size_t)t->count + 1, sizeof *t->score) ||
        !ddn_reserve(&t->head, &t->head_cap, at + width, sizeof *t->head) ||
        !ddn_reserve(&t->label, &t->label_cap, at + width, sizeof *t->label))
        return ddn_fail_memory(err);
    t->score[t->count] = score;
    t->head[at] = -1;
    t->label[at] = (ddn_span){ 0, 0 };
    for (int32_t i = 1; i <= s->n; i++) {
        t->head[at + (size_t)i] = head[i];
        int status =
            ddn_sentence_text(s, label[i].data, label[i].size, &t->label[at + (size_t)i], err);
        if (status < 0)
            return status;
    }
    t->count++;
    return DODONA_OK;
}

bool ddn_trees_have(const ddn_sentence *s, const int32_t *head, const dodona_text *label)
{
    const ddn_trees *t = &s->trees;
    size_t width = (size_t)s->n + 1;
    for (size_t k = 0; k < (size_t)t->count; k++) {
        int32_t i = 1;
        while (i <= s->n && t->head[k * width + (size_t)i] == head[i] &&
               ddn_text_equal(ddn_sentence_span(s, t->label[k * width + (size_t)i]), label[i]))
            i++;
        if (i > s->n)
            return true;
    }
    return false;
}

static const char key[] = "Confidence=";

/* The next of the parts of MISC, which have '|' between them; what follows it stays in *rest. */
static dodona_text next_part(dodona_text *rest)
{
    const char *bar = memchr(rest->data, '|', rest->size);
    size_t size = bar ? (size_t)(bar - rest->data) : rest->size, used = bar ? size + 1 : size;
    dodona_text part = { rest->data, size };
    rest->data += used;
    rest->size -= used;
    return part;
}

/* MISC of word i with p in it, if that is there.  Room is there: the old value is copied part by
 * part. */
static size_t print_misc(const ddn_sentence *s, int32_t i, const double *p, char *to)
{
    dodona_text rest = ddn_sentence_column(s, i, DDN_MISC);
    int thousandths = p ? (int)(1000 * p[i] + 0.5) : 0;
    size_t size = 0;
    while (rest.size > 0 && !ddn_text_is(rest, "_")) {
        dodona_text part = next_part(&rest);
        if (part.size >= sizeof key - 1 && memcmp(part.data, key, sizeof key - 1) == 0)
            continue;
        memcpy(to + size, part.data, part.size);
        size += part.size;
        to[size++] = '|';
    }
    if (!p) {
        to[0] = size > 0 ? to[0] : '_';
        return size > 0 ? size - 1 : 1;
    }
    return size +
           (size_t)sprintf(to + size, "%s%d.%03d", key, thousandths / 1000, thousandths % 1000);
}

int ddn_confidence_set(ddn_sentence *s, const double *p, dodona_error *err)
{
    char *text = NULL;
    size_t cap = 0;
    int status = DODONA_OK;
    if (!ddn_reserve(&s->confidence, &s->confidence_cap, (size_t)s->n + 1, sizeof *s->confidence))
        return ddn_fail_memory(err);
    for (int32_t i = 1; i <= s->n && status >= 0; i++) {
        s->confidence[i] = p ? p[i] : -1;
        if (s->conllx)
            continue;
        size_t need = ddn_sentence_column(s, i, DDN_MISC).size + sizeof key + 16;
        if (!ddn_reserve(&text, &cap, need, 1))
            status = ddn_fail_memory(err);
        else
            status =
                ddn_sentence_set(s, s->word_row[i], DDN_MISC, text, print_misc(s, i, p, text), err);
    }
    free(text);
    s->confident = p && status >= 0 ? s->n : 0;
    return status;
}
