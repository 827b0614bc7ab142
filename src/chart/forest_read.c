/* SPDX-License-Identifier: MIT */
/* forest_read.c - a forest from a line of JSON, by jansson.  Every number is checked before use,
 * and the forest as a whole before it is returned. */
#include "chart/forest_file.h"

#include "io/json_value.h"

void ddn_forest_record_init(ddn_forest_record *r)
{
    ddn_forest_init(&r->forest);
    ddn_intern_init(&r->labels);
    ddn_sentence_init(&r->sentence);
}

void ddn_forest_record_fini(ddn_forest_record *r)
{
    ddn_forest_fini(&r->forest);
    ddn_intern_fini(&r->labels);
    ddn_sentence_fini(&r->sentence);
}

static int find_list(const json_t *object, const char *name, size_t most, const json_t **out,
                     dodona_error *err)
{
    *out = json_object_get(object, name);
    if (!*out)
        return ddn_fail(err, DODONA_E_INPUT, "there is no \"%s\"", name);
    if (!json_is_array(*out))
        return ddn_fail(err, DODONA_E_INPUT, "\"%s\" is not a list", name);
    if (json_array_size(*out) > most)
        return ddn_fail(err, DODONA_E_LIMIT, "\"%s\" has %zu entries; expected at most %zu", name,
                        json_array_size(*out), most);
    return DODONA_OK;
}

/* A string that can stand in a column of CoNLL-U. */
static int take_text(const json_t *value, const char *name, dodona_text *out, dodona_error *err)
{
    if (!json_is_string(value))
        return ddn_fail(err, DODONA_E_INPUT, "\"%s\" has an entry that is not a string", name);
    *out = (dodona_text){ json_string_value(value), json_string_length(value) };
    for (size_t i = 0; i < out->size; i++)
        if ((unsigned char)out->data[i] < 0x20)
            return ddn_fail(err, DODONA_E_INPUT, "\"%s\" has a string with a control character",
                            name);
    if (out->size == 0)
        return ddn_fail(err, DODONA_E_INPUT, "\"%s\" has an empty string", name);
    return DODONA_OK;
}

static int take_id(ddn_forest_record *r, const json_t *object, dodona_error *err)
{
    const json_t *value = json_object_get(object, "sent_id");
    dodona_text id;
    ddn_output line;
    if (!value)
        return DODONA_OK;
    int status = take_text(value, "sent_id", &id, err);
    if (status < 0)
        return status;
    ddn_output_memory(&line);
    ddn_puts(&line, "# sent_id = ");
    ddn_put(&line, id.data, id.size);
    ddn_puts(&line, "\n");
    status = line.error.code < 0
                 ? ddn_fail_memory(err)
                 : ddn_sentence_set_comments(&r->sentence, "# sent_id", line.data, line.size, err);
    ddn_output_abandon(&line);
    return status;
}

static int take_words(ddn_forest_record *r, const json_t *object, dodona_error *err)
{
    const json_t *words;
    int status = find_list(object, "words", DODONA_MAX_WORDS, &words, err);
    for (size_t i = 0; status >= 0 && i < json_array_size(words); i++) {
        dodona_text col[DDN_COLUMNS] = { 0 };
        status = take_text(json_array_get(words, i), "words", &col[DDN_FORM], err);
        if (status >= 0)
            status = ddn_sentence_word(&r->sentence, col, err);
    }
    return status;
}

static int take_labels(ddn_forest_record *r, const json_t *object, dodona_error *err)
{
    const json_t *labels;
    int status = find_list(object, "labels", DODONA_MAX_LINE, &labels, err);
    for (size_t i = 0; status >= 0 && i < json_array_size(labels); i++) {
        dodona_text text;
        uint32_t id;
        status = take_text(json_array_get(labels, i), "labels", &text, err);
        if (status >= 0 && !ddn_intern_add(&r->labels, text.data, text.size, &id))
            status = ddn_fail_memory(err);
        if (status >= 0 && id != i)
            status = ddn_fail(err, DODONA_E_INPUT, "\"labels\" has an entry twice");
    }
    return status;
}

static int take_number(const json_t *list, size_t i, const char *name, int32_t least, int32_t most,
                       int32_t *out, dodona_error *err)
{
    return ddn_json_number(json_array_get(list, i), name, least, most, out, err);
}

enum { LEFT, RIGHT, SCORE, HEAD, CHILD, LABEL, COLUMNS };
static const char *const column_name[COLUMNS] = {
    "left", "right", "score", "head", "child", "label"
};

static int find_columns(const json_t *object, const json_t *column[COLUMNS], dodona_error *err)
{
    int status = DODONA_OK;
    for (int c = 0; c < COLUMNS && status >= 0; c++) {
        status = find_list(object, column_name[c], DDN_FOREST_MAX_EDGES, &column[c], err);
        if (status >= 0 && json_array_size(column[c]) != json_array_size(column[0]))
            status = ddn_fail(
                err, DODONA_E_INPUT, "\"%s\" has %zu entries; expected %zu, as many as \"left\"",
                column_name[c], json_array_size(column[c]), json_array_size(column[0]));
    }
    return status;
}

static int take_edge(ddn_forest_record *r, const json_t *const column[COLUMNS], size_t i,
                     dodona_error *err)
{
    ddn_forest *f = &r->forest;
    int32_t labels = r->labels.count ? (int32_t)r->labels.count - 1 : 0, last = f->nodes - 1;
    ddn_forest_edge x;
    int status = take_number(column[LEFT], i, "left", 0, last, &x.left, err);
    if (status >= 0)
        status = take_number(column[RIGHT], i, "right", -1, last, &x.right, err);
    if (status >= 0)
        status = take_number(column[HEAD], i, "head", 0, f->n, &x.head, err);
    if (status >= 0)
        status = take_number(column[CHILD], i, "child", 0, f->n, &x.child, err);
    if (status >= 0)
        status = take_number(column[LABEL], i, "label", 0, labels, &x.label, err);
    if (status < 0)
        return status;
    const json_t *score = json_array_get(column[SCORE], i);
    if (!json_is_number(score))
        return ddn_fail(err, DODONA_E_INPUT, "\"score\" has an entry that is not a number");
    if (x.child > 0 && r->labels.count == 0)
        return ddn_fail(err, DODONA_E_INPUT, "\"labels\" is empty, and there are arcs");
    x.score = json_number_value(score);
    return ddn_forest_add_edge(f, &x, err);
}

static int take_forest(ddn_forest_record *r, const json_t *object, dodona_error *err)
{
    const json_t *edges, *column[COLUMNS];
    int status = find_list(object, "edges", DDN_FOREST_MAX_NODES, &edges, err);
    if (status >= 0)
        status = find_columns(object, column, err);
    if (status < 0)
        return status;
    size_t at = 0, all = json_array_size(column[0]);
    for (size_t v = 0; v < json_array_size(edges) && status >= 0; v++) {
        int32_t own = 0;
        status = take_number(edges, v, "edges", 0, (int32_t)(all - at), &own, err);
        if (status >= 0)
            status = ddn_forest_add_node(&r->forest, NULL, err);
        for (; own > 0 && status >= 0; own--)
            status = take_edge(r, column, at++, err);
    }
    if (status >= 0 && at != all)
        status = ddn_fail(err, DODONA_E_INPUT,
                          "\"left\" has %zu entries; expected %zu, the sum of \"edges\"", all, at);
    return status < 0 ? status : ddn_forest_check(&r->forest, err);
}

int ddn_forest_read(ddn_forest_record *r, dodona_text text, dodona_error *err)
{
    json_t *object;
    int status = ddn_json_object(text, 0, &object, err);
    if (status < 0)
        return status;
    ddn_sentence_clear(&r->sentence);
    ddn_intern_clear(&r->labels);
    status = take_id(r, object, err);
    if (status >= 0)
        status = take_words(r, object, err);
    if (status >= 0)
        status = take_labels(r, object, err);
    ddn_forest_clear(&r->forest, r->sentence.n);
    if (status >= 0)
        status = take_forest(r, object, err);
    json_decref(object);
    return status;
}
