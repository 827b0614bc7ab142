/* SPDX-License-Identifier: MIT */
/* json_read.c - configurations, by jansson.  Numbers are checked before anything is done with them.
 */
#include "io/json_read.h"

#include "io/json_value.h"
#include "tree/tree.h"

#include <string.h>

void ddn_configuration_init(ddn_configuration *c)
{
    memset(c, 0, sizeof *c);
}

void ddn_configuration_fini(ddn_configuration *c)
{
    ddn_arena_fini(&c->arena);
    ddn_configuration_init(c);
}

/* The array of that name in *out; its length must be at most most. */
static int find_array(const json_t *object, const char *name, size_t most, const json_t **out,
                      dodona_error *err)
{
    *out = json_object_get(object, name);
    if (!*out)
        return ddn_fail(err, DODONA_E_INPUT, "there is no \"%s\"", name);
    if (!json_is_array(*out))
        return ddn_fail(err, DODONA_E_INPUT, "\"%s\" is not an array", name);
    if (json_array_size(*out) > most)
        return ddn_fail(err, DODONA_E_LIMIT, "\"%s\" has %zu numbers; expected at most %zu", name,
                        json_array_size(*out), most);
    return DODONA_OK;
}

static int take_array(const json_t *array, const char *name, int32_t least, int32_t most,
                      int32_t *out, dodona_error *err)
{
    int status = DODONA_OK;
    for (size_t i = 0; i < json_array_size(array) && status >= 0; i++)
        status = ddn_json_number(json_array_get(array, i), name, least, most, &out[i], err);
    return status;
}

static int take_heads(ddn_configuration *c, const json_t *object, dodona_error *err)
{
    const json_t *heads;
    int status = find_array(object, "heads", DODONA_MAX_WORDS, &heads, err);
    if (status < 0)
        return status;
    c->n = (int32_t)json_array_size(heads);
    if (c->n == 0)
        return ddn_fail(err, DODONA_E_INPUT, "\"heads\" is empty; expected a tree");
    size_t need = (size_t)c->n + 1;
    ddn_arena_reset(&c->arena);
    c->head = ddn_arena_take(&c->arena, need, sizeof *c->head);
    c->arc = ddn_arena_take(&c->arena, need, sizeof *c->arc);
    c->stack = ddn_arena_take(&c->arena, need, sizeof *c->stack);
    c->mark = ddn_arena_take(&c->arena, need, sizeof *c->mark);
    if (c->arena.failed)
        return ddn_fail_memory(err);
    c->head[0] = c->arc[0] = -1;
    status = take_array(heads, "heads", 0, c->n, c->head + 1, err);
    if (status < 0)
        return status;
    int32_t word;
    switch (ddn_tree_check(c->head, c->n, false, c->mark, &word)) {
    case DDN_TREE_OK:
        return DODONA_OK;
    case DDN_TREE_NO_ROOT:
        return ddn_fail(err, DODONA_E_INPUT, "\"heads\" is not a tree: no word has the head 0");
    default:
        return ddn_fail(err, DODONA_E_INPUT, "\"heads\" is not a tree: word %d is on a cycle",
                        (int)word);
    }
}

static int take_stack(ddn_configuration *c, const json_t *object, dodona_error *err)
{
    const json_t *stack, *buffer = json_object_get(object, "buffer");
    if (!buffer)
        return ddn_fail(err, DODONA_E_INPUT, "there is no \"buffer\"");
    int status = ddn_json_number(buffer, "buffer", 1, c->n + 1, &c->next, err);
    if (status >= 0)
        status = find_array(object, "stack", (size_t)c->n + 1, &stack, err);
    if (status >= 0)
        status = take_array(stack, "stack", 0, c->n, c->stack, err);
    if (status < 0)
        return status;
    c->depth = (int32_t)json_array_size(stack);
    if (c->depth == 0 || c->stack[0] != 0)
        return ddn_fail(err, DODONA_E_INPUT, "\"stack\" does not start with 0");
    for (int32_t i = 1; i < c->depth; i++)
        if (c->stack[i] <= c->stack[i - 1])
            return ddn_fail(err, DODONA_E_INPUT, "\"stack\" does not ascend: %d comes after %d",
                            (int)c->stack[i], (int)c->stack[i - 1]);
    if (c->stack[c->depth - 1] >= c->next)
        return ddn_fail(err, DODONA_E_INPUT,
                        "word %d is on the stack and in the buffer, which starts with %d",
                        (int)c->stack[c->depth - 1], (int)c->next);
    return DODONA_OK;
}

static int take_focus(ddn_configuration *c, const json_t *object, dodona_error *err)
{
    const json_t *i = json_object_get(object, "i"), *j = json_object_get(object, "j");
    if (!i || !j)
        return ddn_fail(err, DODONA_E_INPUT, "there is no \"%s\"", i ? "j" : "i");
    int status = ddn_json_number(j, "j", 1, c->n + 1, &c->next, err);
    if (status >= 0)
        status = ddn_json_number(i, "i", 0, c->next - 1, &c->left, err);
    c->depth = 1;
    c->stack[0] = 0;
    return status;
}

static int take_arcs(ddn_configuration *c, const json_t *object, dodona_error *err)
{
    const json_t *arcs;
    int status = find_array(object, "arcs", DODONA_MAX_WORDS, &arcs, err);
    if (status < 0)
        return status;
    if (json_array_size(arcs) != (size_t)c->n)
        return ddn_fail(err, DODONA_E_INPUT, "\"arcs\" has %zu numbers; expected %d, as \"heads\"",
                        json_array_size(arcs), (int)c->n);
    return take_array(arcs, "arcs", -1, c->n, c->arc + 1, err);
}

int ddn_configuration_read(ddn_configuration *c, dodona_text text, bool focus, dodona_error *err)
{
    json_t *object;
    int status = ddn_json_object(text, 0, &object, err);
    if (status < 0)
        return status;
    status = take_heads(c, object, err);
    if (status >= 0)
        status = (focus ? take_focus : take_stack)(c, object, err);
    if (status >= 0)
        status = take_arcs(c, object, err);
    json_decref(object);
    return status;
}
