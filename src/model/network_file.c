/* SPDX-License-Identifier: MIT */
/* network_file.c - networks in files: the sizes as lines of text, the tables of the vocabulary and
 * the labels likewise, and the sections of tensors.h. */
#include "model/network.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- Sizes ---- */

static const struct size_line {
    const char *name;
    size_t offset;
    int most;
} lines[] = {
#define SIZE(name, most)                                                                           \
    {                                                                                              \
#name, offsetof(ddn_network_sizes, name), most                                             \
    }
    SIZE(word, 512),   SIZE(upos, 128), SIZE(feats, 128), SIZE(character, 256), SIZE(spelling, 256),
    SIZE(hidden, 512), SIZE(layers, 8), SIZE(arcs, 1024), SIZE(labels, 256),    SIZE(moves, 1024),
#undef SIZE
};
enum { LINES = sizeof lines / sizeof *lines };

_Static_assert(DDN_ENCODER_LAYERS == 8, "the most layers that a file may ask for");
_Static_assert(512 + 2 * 256 + 128 + 128 <= DDN_INT8_DEPTH && 2 * 512 <= DDN_INT8_DEPTH,
               "inputs of products");

static int *size_at(ddn_network_sizes *z, int line)
{
    return (int *)((char *)z + lines[line].offset);
}

static const char *head_name(unsigned heads)
{
    return heads & DDN_HEAD_ARCS ? "arcs" : "moves";
}

static void put_sizes(ddn_network *m, ddn_output *o)
{
    ddn_putf(o, "head %s\n", head_name(m->base.heads));
    for (int i = 0; i < LINES; i++)
        ddn_putf(o, "%s %d\n", lines[i].name, *size_at(&m->sizes, i));
}

/* Reads what put_sizes writes, line by line, and nothing else. */
static int take_sizes(ddn_network *m, const ddn_section *s, dodona_error *err)
{
    char text[512], head[8];
    int used = 0, got = 0;
    snprintf(text, sizeof text, "%.*s", (int)(s->size < sizeof text ? s->size : sizeof text - 1),
             (const char *)s->data);
    const char *at = text;
    if (sscanf(at, "head %7s\n%n", head, &used) < 1)
        return ddn_fail(err, DODONA_E_MODEL, "the sizes of the network have no line 'head'");
    m->base.heads = strcmp(head, "arcs") == 0 ? DDN_HEAD_ARCS : DDN_HEAD_MOVES;
    if (strcmp(head, head_name(m->base.heads)) != 0)
        return ddn_fail(err, DODONA_E_MODEL,
                        "the network has a head '%s', which this program does "
                        "not have; use a newer dodona",
                        head);
    for (int i = 0; i < LINES; i++) {
        char name[16];
        at += used;
        got = sscanf(at, "%15s %d\n%n", name, size_at(&m->sizes, i), &used);
        int value = got == 2 ? *size_at(&m->sizes, i) : 0;
        if (got < 2 || strcmp(name, lines[i].name) != 0 || value < 1 || value > lines[i].most)
            return ddn_fail(err, DODONA_E_MODEL,
                            "the sizes of the network must have a line '%s' with a number from 1 "
                            "to %d",
                            lines[i].name, lines[i].most);
    }
    return DODONA_OK;
}

/* ---- Saving and opening ---- */

int ddn_network_save(ddn_model *base, uint64_t limit, ddn_sections *to, dodona_error *err)
{
    ddn_network *m = (ddn_network *)base;
    put_sizes(m, ddn_part_add(to, m->part, "sizes"));
    ddn_schema_put_labels(base->schema, ddn_part_add(to, m->part, "labels"));
    for (int t = 0; t < DDN_TABLES; t++)
        ddn_vocabulary_put(&m->vocabulary, (ddn_table)t,
                           ddn_part_add(to, m->part, ddn_vocabulary_names[t]));
    int status = ddn_tensors_save(&m->tensors, m->part, limit, to, err);
    return status < 0 ? status : ddn_sections_check(to, err);
}

int ddn_network_open(const ddn_model_file *f, const ddn_spec *spec, ddn_model **out,
                     dodona_error *err)
{
    const ddn_section *s;
    ddn_network *m;
    *out = NULL;
    int status = ddn_network_new(spec, 0, &m, err);
    if (status < 0)
        return status;
    status = ddn_part_find(f, m->part, "sizes", &s, err);
    if (status >= 0)
        status = take_sizes(m, s, err);
    for (int t = 0; t < DDN_TABLES && status >= 0; t++) {
        status = ddn_part_find(f, m->part, ddn_vocabulary_names[t], &s, err);
        if (status >= 0)
            status = ddn_vocabulary_take(&m->vocabulary, (ddn_table)t, s, err);
    }
    if (status >= 0) {
        ddn_network_plan(m);
        status = ddn_tensors_open(&m->tensors, f, m->part, err);
    }
    if (status < 0)
        ddn_network_close(&m->base);
    else
        *out = &m->base;
    return status;
}
