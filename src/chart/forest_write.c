/* SPDX-License-Identifier: MIT */
/* forest_write.c - a forest as a line of JSON.  Scores are written with all digits, so that reading
 * gives the same forest. */
#include "chart/forest_file.h"

#include "core/json.h"
#include "io/comments.h"

#include <stdlib.h>

static void put_words(ddn_json *j, const ddn_sentence *s)
{
    dodona_text id = ddn_sentence_comment(s, "sent_id");
    if (id.size)
        ddn_json_text(ddn_json_key(j, "sent_id"), id);
    ddn_json_begin(ddn_json_key(j, "words"), '[');
    for (int32_t i = 1; i <= s->n; i++)
        ddn_json_text(j, ddn_sentence_column(s, i, DDN_FORM));
    ddn_json_end(j, ']');
}

/* The labels that arcs have, in the order in which edges bring them; number[label] becomes the
 * place of each. */
static void put_labels(ddn_json *j, const ddn_forest *f, const ddn_intern *labels, int32_t *number)
{
    int32_t count = 0;
    for (uint32_t i = 0; i < labels->count; i++)
        number[i] = -1;
    ddn_json_begin(ddn_json_key(j, "labels"), '[');
    for (uint32_t e = 0; e < ddn_forest_edges(f); e++) {
        int32_t label = f->edge[e].label;
        if (!f->edge[e].child || number[label] >= 0)
            continue;
        ddn_json_text(j, ddn_intern_text(labels, (uint32_t)label));
        number[label] = count++;
    }
    ddn_json_end(j, ']');
}

/* One list with an entry an edge. */
#define PUT_COLUMN(key, put, value)                                                                \
    do {                                                                                           \
        ddn_json_begin(ddn_json_key(j, key), '[');                                                 \
        for (uint32_t e = 0; e < ddn_forest_edges(f); e++) {                                       \
            const ddn_forest_edge *x = &f->edge[e];                                                \
            put(j, value);                                                                         \
        }                                                                                          \
        ddn_json_end(j, ']');                                                                      \
    } while (0)

static void put_edges(ddn_json *j, const ddn_forest *f, const int32_t *number)
{
    ddn_json_begin(ddn_json_key(j, "edges"), '[');
    for (int32_t v = 0; v < f->nodes; v++)
        ddn_json_int(j, f->first[v + 1] - f->first[v]);
    ddn_json_end(j, ']');
    PUT_COLUMN("left", ddn_json_int, x->left);
    PUT_COLUMN("right", ddn_json_int, x->right);
    PUT_COLUMN("score", ddn_json_double, x->score);
    PUT_COLUMN("head", ddn_json_int, x->head);
    PUT_COLUMN("child", ddn_json_int, x->child);
    PUT_COLUMN("label", ddn_json_int, x->child ? number[x->label] : 0);
}

int ddn_forest_write(ddn_output *o, const ddn_forest *f, const ddn_sentence *s,
                     const ddn_intern *labels, dodona_error *err)
{
    ddn_output line;
    int32_t *number = malloc(((size_t)labels->count + 1) * sizeof *number);
    if (!number)
        return ddn_fail_memory(err);
    ddn_output_memory(&line);
    ddn_json j = { .out = &line };
    ddn_json_begin(&j, '{');
    put_words(&j, s);
    put_labels(&j, f, labels, number);
    put_edges(&j, f, number);
    ddn_json_end(&j, '}');
    ddn_puts(&line, "\n");
    free(number);
    int status = line.error.code;
    if (status < 0 && err)
        *err = line.error;
    if (status >= 0 && line.size > DODONA_MAX_LINE)
        status = ddn_fail(err, DODONA_E_LIMIT,
                          "the forest of a sentence of %d words takes %zu bytes, more than a line "
                          "of %u can have; a smaller beam makes a smaller forest",
                          (int)f->n, line.size, DODONA_MAX_LINE);
    if (status >= 0)
        ddn_put(o, line.data, line.size);
    ddn_output_abandon(&line);
    return status;
}
