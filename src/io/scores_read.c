/* SPDX-License-Identifier: MIT */
/* scores_read.c - the shape of the matrix is checked before any number is taken. */
#include "io/scores_read.h"

#include "core/array.h"
#include "io/json_value.h"

#include <math.h>
#include <stdlib.h>

void ddn_scores_init(ddn_scores *s)
{
    *s = (ddn_scores){ 0 };
}

void ddn_scores_fini(ddn_scores *s)
{
    free(s->w);
    ddn_scores_init(s);
}

/* Every row is as long as there are rows. */
static int check_rows(const json_t *rows, size_t m, dodona_error *err)
{
    for (size_t h = 0; h < m; h++)
        if (!json_is_array(json_array_get(rows, h)) ||
            json_array_size(json_array_get(rows, h)) != m)
            return ddn_fail(err, DODONA_E_INPUT,
                            "row %zu of \"scores\" is not an array of %zu, as many as there are "
                            "rows",
                            h, m);
    return DODONA_OK;
}

static int take_row(const json_t *row, size_t number, size_t m, double most, double *out,
                    dodona_error *err)
{
    for (size_t d = 0; d < m; d++) {
        const json_t *value = json_array_get(row, d);
        if (!json_is_null(value) && !json_is_number(value))
            return ddn_fail(err, DODONA_E_INPUT,
                            "row %zu of \"scores\" has something that is neither a number nor null",
                            number);
        out[d] = json_is_null(value) ? -INFINITY : json_number_value(value);
        if (!json_is_null(value) && fabs(out[d]) > most)
            return ddn_fail(err, DODONA_E_LIMIT,
                            "row %zu of \"scores\" has a number beyond %g; null forbids an arc",
                            number, out[d] < 0 ? -most : most);
    }
    return DODONA_OK;
}

static int take_scores(ddn_scores *s, const json_t *object, double most, dodona_error *err)
{
    const json_t *rows = json_object_get(object, "scores");
    if (!rows)
        return ddn_fail(err, DODONA_E_INPUT, "there is no \"scores\"");
    size_t m = json_array_size(rows);
    if (!json_is_array(rows) || m == 0)
        return ddn_fail(err, DODONA_E_INPUT, "\"scores\" is not an array of rows");
    if (m - 1 > DODONA_MAX_WORDS)
        return ddn_fail(err, DODONA_E_LIMIT, "\"scores\" has %zu rows; expected at most %d", m,
                        DODONA_MAX_WORDS + 1);
    int status = check_rows(rows, m, err);
    if (status < 0)
        return status;
    if (!ddn_reserve(&s->w, &s->cap, m * m, sizeof *s->w))
        return ddn_fail_memory(err);
    s->n = (int32_t)m - 1;
    for (size_t h = 0; h < m && status >= 0; h++)
        status = take_row(json_array_get(rows, h), h, m, most, s->w + h * m, err);
    return status;
}

int ddn_scores_read(ddn_scores *s, dodona_text text, double most, dodona_error *err)
{
    json_t *object;
    int status = ddn_json_object(text, JSON_DECODE_INT_AS_REAL, &object, err);
    if (status < 0)
        return status;
    status = take_scores(s, object, most, err);
    json_decref(object);
    return status;
}
