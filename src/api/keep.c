/* SPDX-License-Identifier: MIT */
/* keep.c - makes a constraint from the HEAD and DEPREL columns.
 *
 * A HEAD or DEPREL that is not _ is given.  A given label restricts a head that is not given: one
 * that the model has seen on roots alone makes the word the root, and one that it has never seen on
 * a root keeps the word from being the root.  With pseudo-projective models no word with a given
 * head or label gets a label that says it was lifted, so that putting lifted arcs back does not
 * move it. */
#include "api/keep.h"

#include "tree/pseudo.h"

#include <stdio.h>
#include <stdlib.h>

int ddn_keep_init(ddn_keep *k, const ddn_schema *schema, ddn_constraint *constraint,
                  dodona_error *err)
{
    *k = (ddn_keep){ .schema = schema, .constraint = constraint };
    if (!schema->pseudo)
        return DODONA_OK;
    uint32_t labels = schema->labels.count;
    k->uses = malloc(labels * sizeof *k->uses);
    if (!k->uses)
        return ddn_fail_memory(err);
    for (uint32_t l = 0; l < labels; l++)
        k->uses[l] =
            ddn_pseudo_is_lifted(ddn_intern_text(&schema->labels, l)) ? 0 : schema->uses[l];
    constraint->uses = k->uses;
    constraint->labels = (int32_t)labels;
    return DODONA_OK;
}

void ddn_keep_fini(ddn_keep *k)
{
    free(k->uses);
    ddn_arena_fini(&k->arena);
}

static int reserve(ddn_keep *k, const ddn_sentence *s, dodona_error *err)
{
    size_t nodes = (size_t)s->n + 1, bytes = 0;
    for (int32_t d = 1; d <= s->n; d++)
        bytes += ddn_sentence_column(s, d, DDN_DEPREL).size;
    ddn_arena_reset(&k->arena);
    k->head = ddn_arena_take(&k->arena, nodes, sizeof *k->head);
    k->label = ddn_arena_take(&k->arena, nodes, sizeof *k->label);
    k->text = ddn_arena_take(&k->arena, nodes, sizeof *k->text);
    k->bytes = ddn_arena_take(&k->arena, bytes, 1);
    return k->arena.failed ? ddn_fail_memory(err) : DODONA_OK;
}

static int32_t find_label(const ddn_keep *k, dodona_text text)
{
    if (text.size == 0)
        return DDN_LABEL_OPEN;
    uint32_t label = ddn_intern_find(&k->schema->labels, text.data, text.size);
    bool is_known = label != DDN_INTERN_NONE && !(k->uses && !k->uses[label]);
    return is_known ? (int32_t)label : DDN_LABEL_UNKNOWN;
}

/* What a label tells of a head that is not given. */
static int32_t head_of_label(const ddn_keep *k, int32_t label)
{
    uint8_t uses = label < 0 ? 0 : k->schema->uses[label];
    return uses == DDN_LABEL_OF_ROOT   ? 0
           : uses == DDN_LABEL_OF_WORD ? DDN_HEAD_WORD
                                       : DDN_HEAD_OPEN;
}

/* Returns whether anything is given. */
static bool read_columns(ddn_keep *k, const ddn_sentence *s)
{
    char *at = k->bytes;
    bool any = false;
    for (int32_t d = 1; d <= s->n; d++) {
        dodona_text text = ddn_sentence_column(s, d, DDN_DEPREL);
        if (ddn_text_is(text, "_"))
            text.size = 0;
        memcpy(at, text.data, text.size);
        k->text[d] = (dodona_text){ at, text.size };
        at += text.size;
        k->label[d] = find_label(k, text);
        k->head[d] = s->head[d] >= 0 ? s->head[d] : head_of_label(k, k->label[d]);
        any |= s->head[d] >= 0 || text.size > 0;
    }
    return any;
}

int ddn_keep_begin(ddn_keep *k, const ddn_sentence *s, dodona_error *err)
{
    int32_t word;
    int status = reserve(k, s, err);
    if (status < 0)
        return status;
    int32_t n = read_columns(k, s) ? s->n : 0;
    status = ddn_constraint_begin(k->constraint, k->head, k->label, n, &word, err);
    if (status >= 0 || !err || status == DODONA_E_MEMORY)
        return status;
    snprintf(err->file, sizeof err->file, "%s", s->file ? s->file : "");
    err->line = s->line ? ddn_sentence_line(s, s->word_row[word ? word : 1]) : 0;
    return status;
}
