/* SPDX-License-Identifier: MIT */
/* network_words.c - vocabularies, and sentences as numbers. */
#include "model/network_words.h"

#include "core/array.h"

#include <stdlib.h>

const char *const ddn_vocabulary_names[DDN_TABLES] = { "words", "characters", "upos", "feats" };

static const uint32_t least_seen[DDN_TABLES] = { 2, 2, 1, 1 };

/* ---- Pieces of a word ---- */

/* Bytes of the character at p. */
static size_t character_size(const char *p, const char *end)
{
    size_t n = 1;
    while (p + n < end && ((unsigned char)p[n] & 0xc0) == 0x80)
        n++;
    return n;
}

/* The next feature of a column; false: there is none. */
static bool next_feature(dodona_text *rest, dodona_text *feature)
{
    if (rest->size == 0 || (rest->size == 1 && *rest->data == '_'))
        return false;
    const char *bar = memchr(rest->data, '|', rest->size);
    *feature = (dodona_text){ rest->data, bar ? (size_t)(bar - rest->data) : rest->size };
    size_t used = feature->size + (bar != NULL);
    rest->data += used;
    rest->size -= used;
    return true;
}

/* ---- Vocabularies ---- */

void ddn_vocabulary_init(ddn_vocabulary *v)
{
    for (int i = 0; i < DDN_TABLES; i++)
        ddn_intern_init(&v->table[i]);
}

void ddn_vocabulary_fini(ddn_vocabulary *v)
{
    for (int i = 0; i < DDN_TABLES; i++)
        ddn_intern_fini(&v->table[i]);
}

/* Names in the order in which they came, and how often. */
typedef struct counts {
    ddn_vocabulary names;
    uint32_t *count[DDN_TABLES];
    size_t cap[DDN_TABLES];
} counts;

static bool count(counts *c, ddn_table table, dodona_text name)
{
    ddn_intern *t = &c->names.table[table];
    uint32_t before = t->count, id;
    if (!ddn_intern_add(t, name.data, name.size, &id) ||
        !ddn_reserve(&c->count[table], &c->cap[table], t->count, sizeof *c->count[table]))
        return false;
    if (t->count > before)
        c->count[table][id] = 0;
    c->count[table][id]++;
    return true;
}

static bool count_word(counts *c, const ddn_sentence *s, int32_t i)
{
    dodona_text form = ddn_sentence_column(s, i, DDN_FORM), feature;
    dodona_text feats = ddn_sentence_column(s, i, DDN_FEATS);
    const char *end = form.data + form.size;
    bool good = count(c, DDN_TABLE_WORDS, form) &&
                count(c, DDN_TABLE_UPOS, ddn_sentence_column(s, i, DDN_UPOS));
    for (const char *p = form.data; good && p < end;) {
        size_t size = character_size(p, end);
        good = count(c, DDN_TABLE_CHARACTERS, (dodona_text){ p, size });
        p += size;
    }
    while (good && next_feature(&feats, &feature))
        good = count(c, DDN_TABLE_FEATS, feature);
    return good;
}

/* Those that were seen often enough and fit on a line. */
static bool keep_frequent(ddn_vocabulary *v, const counts *c)
{
    for (int t = 0; t < DDN_TABLES; t++)
        for (uint32_t i = 0, unused; i < c->names.table[t].count; i++) {
            dodona_text name = ddn_intern_text(&c->names.table[t], i);
            if (c->count[t][i] < least_seen[t] || memchr(name.data, '\n', name.size) ||
                v->table[t].count == DDN_VOCABULARY_MOST)
                continue;
            if (!ddn_intern_add(&v->table[t], name.data, name.size, &unused))
                return false;
        }
    return true;
}

int ddn_vocabulary_learn(ddn_vocabulary *v, const ddn_sentence *const *s, size_t sentences,
                         dodona_error *err)
{
    counts c = { 0 };
    bool good = true;
    ddn_vocabulary_init(&c.names);
    for (size_t k = 0; k < sentences; k++)
        for (int32_t i = 1; i <= s[k]->n && good; i++)
            good = count_word(&c, s[k], i);
    good = good && keep_frequent(v, &c);
    ddn_vocabulary_fini(&c.names);
    for (int t = 0; t < DDN_TABLES; t++)
        free(c.count[t]);
    return good ? DODONA_OK : ddn_fail_memory(err);
}

void ddn_vocabulary_put(const ddn_vocabulary *v, ddn_table table, ddn_output *o)
{
    for (uint32_t i = 0; i < v->table[table].count; i++) {
        dodona_text name = ddn_intern_text(&v->table[table], i);
        ddn_put(o, name.data, name.size);
        ddn_put(o, "\n", 1);
    }
}

int ddn_vocabulary_take(ddn_vocabulary *v, ddn_table table, const ddn_section *s, dodona_error *err)
{
    ddn_intern *t = &v->table[table];
    const char *p = s->data, *end = p + s->size;
    for (uint32_t lines = 1; p < end; lines++) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        uint32_t unused;
        if (!newline || lines > DDN_VOCABULARY_MOST)
            return ddn_fail(err, DODONA_E_MODEL, "the section %s %s", s->name,
                            newline ? "has too many lines" : "does not end with a newline");
        if (!ddn_intern_add(t, p, (size_t)(newline - p), &unused))
            return ddn_fail_memory(err);
        if (t->count != lines)
            return ddn_fail(err, DODONA_E_MODEL, "line %u of the section %s repeats an earlier one",
                            lines, s->name);
        p = newline + 1;
    }
    return DODONA_OK;
}

/* ---- Sentences ---- */

void ddn_reading_init(ddn_reading *r, const ddn_vocabulary *v)
{
    *r = (ddn_reading){ .vocabulary = v };
    ddn_intern_init(&r->types);
}

void ddn_reading_fini(ddn_reading *r)
{
    ddn_intern_fini(&r->types);
    free(r->length), free(r->word), free(r->upos), free(r->feats_begin), free(r->feats);
    free(r->type), free(r->type_length), free(r->characters);
}

static uint32_t find(const ddn_reading *r, ddn_table table, dodona_text name)
{
    uint32_t id = ddn_intern_find(&r->vocabulary->table[table], name.data, name.size);
    return id == DDN_INTERN_NONE ? (uint32_t)DDN_ROW_UNKNOWN : id + DDN_ROW_FIRST;
}

/* Appends the characters of a new type, without the middle of a long one; the root has a character
 * of its own. */
static bool add_type(ddn_reading *r, dodona_text form)
{
    uint32_t count = 0, *row;
    const char *end = form.data + form.size;
    size_t number = r->types.count - r->known;
    if (!ddn_reserve(&r->characters, &r->characters_cap, r->type_characters + 2 * DDN_TYPE_EDGE,
                     sizeof *r->characters) ||
        !ddn_reserve(&r->type_length, &r->type_length_cap, number, sizeof *r->type_length))
        return false;
    row = r->characters + r->type_characters;
    for (const char *p = form.data; p < end; count++) {
        size_t size = character_size(p, end);
        if (count == 2 * DDN_TYPE_EDGE) { /* the last ones move up */
            memmove(row + DDN_TYPE_EDGE, row + DDN_TYPE_EDGE + 1,
                    (DDN_TYPE_EDGE - 1) * sizeof *row);
            count--;
        }
        row[count] = find(r, DDN_TABLE_CHARACTERS, (dodona_text){ p, size });
        p += size;
    }
    if (count == 0)
        row[count++] = DDN_ROW_ROOT;
    r->type_length[number - 1] = count;
    r->type_characters += count;
    return true;
}

static bool find_type(ddn_reading *r, dodona_text form, uint32_t *type)
{
    uint32_t before = r->types.count;
    return ddn_intern_add(&r->types, form.data, form.size, type) &&
           (r->types.count == before || add_type(r, form));
}

static bool add_feats(ddn_reading *r, dodona_text feats, uint32_t *end)
{
    dodona_text feature;
    while (next_feature(&feats, &feature)) {
        if (!ddn_reserve(&r->feats, &r->feats_cap, *end + 1u, sizeof *r->feats))
            return false;
        r->feats[(*end)++] = find(r, DDN_TABLE_FEATS, feature);
    }
    return true;
}

static bool reserve_words(ddn_reading *r, size_t n)
{
    return ddn_reserve(&r->word, &r->word_cap, n, sizeof *r->word) &&
           ddn_reserve(&r->upos, &r->upos_cap, n, sizeof *r->upos) &&
           ddn_reserve(&r->type, &r->type_cap, n, sizeof *r->type) &&
           ddn_reserve(&r->feats_begin, &r->feats_begin_cap, n + 1, sizeof *r->feats_begin);
}

static bool add_word(ddn_reading *r, const ddn_sentence *s, int32_t i)
{
    size_t at = r->words++;
    uint32_t *end = &r->feats_begin[at + 1];
    *end = r->feats_begin[at];
    r->word[at] = r->upos[at] = DDN_ROW_ROOT;
    if (i == 0)
        return find_type(r, (dodona_text){ "", 0 }, &r->type[at]);
    dodona_text form = ddn_sentence_column(s, i, DDN_FORM);
    r->word[at] = find(r, DDN_TABLE_WORDS, form);
    r->upos[at] = find(r, DDN_TABLE_UPOS, ddn_sentence_column(s, i, DDN_UPOS));
    return find_type(r, form, &r->type[at]) &&
           add_feats(r, ddn_sentence_column(s, i, DDN_FEATS), end);
}

int ddn_reading_take(ddn_reading *r, const ddn_sentence *const *s, int m, bool forget,
                     dodona_error *err)
{
    if (forget || r->types.count > DDN_TYPES_KEPT)
        ddn_intern_clear(&r->types);
    r->known = r->types.count;
    r->words = r->type_characters = 0;
    if (!ddn_reserve(&r->length, &r->length_cap, (size_t)m, sizeof *r->length) ||
        !reserve_words(r, 0))
        return ddn_fail_memory(err);
    r->feats_begin[0] = 0;
    for (int k = 0; k < m; k++) {
        r->length[k] = (uint32_t)s[k]->n + 1;
        if (!reserve_words(r, r->words + r->length[k]))
            return ddn_fail_memory(err);
        for (int32_t i = 0; i <= s[k]->n; i++)
            if (!add_word(r, s[k], i))
                return ddn_fail_memory(err);
    }
    return DODONA_OK;
}
