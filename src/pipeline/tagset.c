/* SPDX-License-Identifier: MIT */
/* tagset.c - lines of a section into tags and their parts. */
#include "pipeline/tagset.h"

#include "core/array.h"
#include "core/error.h"

#include <stdlib.h>
#include <string.h>

void ddn_tagset_init(ddn_tagset *t)
{
    memset(t, 0, sizeof *t);
    ddn_intern_init(&t->names);
}

void ddn_tagset_fini(ddn_tagset *t)
{
    ddn_intern_fini(&t->names);
    free(t->tag);
    ddn_tagset_init(t);
}

void ddn_tag_name(ddn_output *o, dodona_text upos, dodona_text xpos, dodona_text feats)
{
    o->size = 0;
    ddn_put(o, upos.data, upos.size);
    ddn_put(o, "\t", 1);
    ddn_put(o, xpos.data, xpos.size);
    ddn_put(o, "\t", 1);
    ddn_put(o, feats.data, feats.size);
}

static int refuse(dodona_error *err)
{
    return ddn_fail(err, DODONA_E_MODEL, "the list of tags is invalid");
}

/* A line into its three columns. */
static bool split(dodona_text line, ddn_tag *tag)
{
    const char *end = line.data + line.size;
    const char *one = memchr(line.data, '\t', line.size);
    const char *two = one ? memchr(one + 1, '\t', (size_t)(end - one - 1)) : NULL;
    if (!two || memchr(two + 1, '\t', (size_t)(end - two - 1)))
        return false;
    tag->upos = (dodona_text){ line.data, (size_t)(one - line.data) };
    tag->xpos = (dodona_text){ one + 1, (size_t)(two - one - 1) };
    tag->feats = (dodona_text){ two + 1, (size_t)(end - two - 1) };
    return tag->upos.size && tag->xpos.size && tag->feats.size;
}

static int add_tag(ddn_tagset *t, dodona_text line, dodona_error *err)
{
    uint32_t id;
    if (t->count >= DDN_MAX_TAGS)
        return refuse(err);
    if (!ddn_reserve(&t->tag, &t->tag_cap, t->count + 1, sizeof *t->tag) ||
        !ddn_intern_add(&t->names, line.data, line.size, &id))
        return ddn_fail_memory(err);
    ddn_tag *tag = &t->tag[t->count];
    memset(tag, 0, sizeof *tag);
    if (id != t->count || !split(ddn_intern_text(&t->names, id), tag))
        return refuse(err);
    t->count++;
    return DODONA_OK;
}

/* The class of a part; kind tells a UPOS from an XPOS of the same letters. */
static int add_part(ddn_intern *parts, ddn_tag *tag, char kind, dodona_text text, dodona_error *err)
{
    char name[256];
    uint32_t id;
    if (tag->parts == DDN_MAX_TAG_PARTS || text.size >= sizeof name)
        return DODONA_OK;
    name[0] = kind;
    memcpy(name + 1, text.data, text.size);
    if (!ddn_intern_add(parts, name, text.size + 1, &id))
        return ddn_fail_memory(err);
    if (id >= DDN_MAX_PARTS)
        return refuse(err);
    tag->part[tag->parts++] = (uint16_t)id;
    if (kind == 'u')
        tag->upos_id = id + 1;
    return DODONA_OK;
}

static ddn_tag_sort sort_of(dodona_text upos)
{
    static const char nominal[][6] = { "NOUN", "PROPN", "PRON", "DET", "ADJ", "NUM" };
    for (size_t i = 0; i < sizeof nominal / sizeof *nominal; i++)
        if (upos.size == strlen(nominal[i]) && memcmp(upos.data, nominal[i], upos.size) == 0)
            return DDN_SORT_NOMINAL;
    bool verbal = (upos.size == 4 && memcmp(upos.data, "VERB", 4) == 0) ||
                  (upos.size == 3 && memcmp(upos.data, "AUX", 3) == 0);
    return verbal ? DDN_SORT_VERBAL : DDN_SORT_OTHER;
}

static int add_parts(ddn_tagset *t, ddn_intern *parts, uint32_t i, dodona_error *err)
{
    ddn_tag *tag = &t->tag[i];
    tag->sort = (uint8_t)sort_of(tag->upos);
    int status = add_part(parts, tag, 'u', tag->upos, err);
    if (status >= 0)
        status = add_part(parts, tag, 'x', tag->xpos, err);
    const char *at = tag->feats.data, *end = at + tag->feats.size;
    while (status >= 0 && at < end) {
        const char *bar = memchr(at, '|', (size_t)(end - at)), *stop = bar ? bar : end;
        status = add_part(parts, tag, 'f', (dodona_text){ at, (size_t)(stop - at) }, err);
        at = bar ? bar + 1 : end;
    }
    return status;
}

int ddn_tagset_read(ddn_tagset *t, const char *text, size_t size, dodona_error *err)
{
    int status = DODONA_OK;
    for (const char *at = text, *end = text + size; at < end && status >= 0;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (!newline)
            return refuse(err);
        status = add_tag(t, (dodona_text){ at, (size_t)(newline - at) }, err);
        at = newline + 1;
    }
    if (status >= 0 && t->count == 0)
        status = refuse(err);
    ddn_intern parts;
    ddn_intern_init(&parts);
    for (uint32_t i = 0; i < t->count && status >= 0; i++)
        status = add_parts(t, &parts, i, err);
    t->classes = parts.count < 2 ? 2 : parts.count; /* a classifier has two classes */
    ddn_intern_fini(&parts);
    return status;
}
