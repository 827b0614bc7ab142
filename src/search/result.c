/* SPDX-License-Identifier: MIT */
/* result.c - heads and labels out of the last configuration; lifted arcs put back, given labels
 * kept. */
#include "search/result.h"

#include <string.h>

void ddn_result_init(ddn_result *r)
{
    memset(r, 0, sizeof *r);
    ddn_pseudo_init(&r->pseudo);
}

void ddn_result_fini(ddn_result *r)
{
    ddn_arena_fini(&r->arena);
    ddn_pseudo_fini(&r->pseudo);
    ddn_result_init(r);
}

static int reserve(ddn_result *r, const ddn_schema *schema, int32_t n, dodona_error *err)
{
    size_t nodes = (size_t)n + 1;
    ddn_arena_reset(&r->arena);
    r->head = ddn_arena_take(&r->arena, nodes, sizeof *r->head);
    r->label = ddn_arena_take(&r->arena, nodes, sizeof *r->label);
    r->lifted_head = r->head;
    r->lifted_label = r->label;
    if (schema->pseudo) {
        r->lifted_head = ddn_arena_take(&r->arena, nodes, sizeof *r->lifted_head);
        r->lifted_label = ddn_arena_take(&r->arena, nodes, sizeof *r->lifted_label);
    }
    return r->arena.failed ? ddn_fail_memory(err) : DODONA_OK;
}

/* The tree is there, in the lifted arrays, which are the others where no arc can be lifted. */
static int put_back(ddn_result *r, const ddn_schema *schema, int32_t n, dodona_error *err)
{
    int32_t status = DODONA_OK;
    if (schema->pseudo)
        status = ddn_pseudo_decode(&r->pseudo, r->lifted_head, r->lifted_label, n, r->head,
                                   r->label, err);
    for (int32_t i = 1; r->given && i <= n; i++)
        if (r->given[i].size > 0)
            r->label[i] = r->given[i];
    return status;
}

int ddn_result_read(ddn_result *r, const ddn_schema *schema, const ddn_state *s, dodona_error *err)
{
    int status = reserve(r, schema, s->n, err);
    if (status < 0)
        return status;
    uint16_t of_root = ddn_schema_root_label(schema);
    for (int32_t i = 1; i <= s->n; i++) {
        r->lifted_head[i] = ddn_system_head(schema->system, s, i);
        r->lifted_label[i] =
            ddn_intern_text(&schema->labels, s->node[i].head < 0 ? of_root : s->node[i].label);
    }
    return put_back(r, schema, s->n, err);
}

int ddn_result_from(ddn_result *r, const ddn_schema *schema, int32_t n, const int32_t *head,
                    const int32_t *label, dodona_error *err)
{
    int status = reserve(r, schema, n, err);
    if (status < 0)
        return status;
    for (int32_t i = 1; i <= n; i++) {
        r->lifted_head[i] = head[i];
        r->lifted_label[i] = ddn_intern_text(&schema->labels, (uint32_t)label[i]);
    }
    return put_back(r, schema, n, err);
}
