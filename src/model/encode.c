/* SPDX-License-Identifier: MIT */
/* encode.c - hashes the columns of a sentence once, and reads the values of atoms from views. */
#include "model/encode.h"

#include "core/rng.h"

#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { NOTHING = 0, ROOT = 1 }; /* numbers that no string is hashed to */

static uint32_t number(dodona_text t)
{
    uint32_t h = (uint32_t)XXH3_64bits(t.data, t.size);
    return h > ROOT ? h : h + 2;
}

static bool continues(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

static dodona_text prefix(dodona_text t, int characters)
{
    size_t size = 0;
    while (size < t.size && characters-- > 0)
        do
            size++;
        while (size < t.size && continues(t.data[size]));
    return (dodona_text){ t.data, size };
}

static dodona_text suffix(dodona_text t, int characters)
{
    size_t at = t.size;
    while (at > 0 && characters-- > 0)
        do
            at--;
        while (at > 0 && continues(t.data[at]));
    return (dodona_text){ t.data + at, t.size - at };
}

/* The value of one feature in "Case=Nom|Number=Sing"; empty when it is not there. */
static dodona_text feature(dodona_text feats, const char *name)
{
    size_t length = strlen(name);
    const char *at = feats.data, *end = feats.data + feats.size;
    while (at < end) {
        const char *bar = memchr(at, '|', (size_t)(end - at));
        const char *stop = bar ? bar : end;
        if ((size_t)(stop - at) > length && memcmp(at, name, length) == 0 && at[length] == '=')
            return (dodona_text){ at + length + 1, (size_t)(stop - at) - length - 1 };
        at = bar ? bar + 1 : end;
    }
    return (dodona_text){ end, 0 };
}

static inline dodona_text text_of(const ddn_source *source, const ddn_sentence *s, int32_t word)
{
    switch (source->attribute) {
    case 'w':
        return ddn_sentence_column(s, word, DDN_FORM);
    case 'm':
        return ddn_sentence_column(s, word, DDN_LEMMA);
    case 't':
        return ddn_sentence_column(s, word, DDN_UPOS);
    case 'x':
        return ddn_sentence_column(s, word, DDN_XPOS);
    case 'f':
        return ddn_sentence_column(s, word, DDN_FEATS);
    case 'p':
        return prefix(ddn_sentence_column(s, word, DDN_FORM), source->length);
    case 's':
        return suffix(ddn_sentence_column(s, word, DDN_FORM), source->length);
    default:
        return feature(ddn_sentence_column(s, word, DDN_FEATS), source->name);
    }
}

dodona_text ddn_source_text(const ddn_source *source, const ddn_sentence *s, int32_t word)
{
    return text_of(source, s, word);
}

/* e->value has room. */
static void encode(ddn_encoded *e, const ddn_templates *t, const ddn_sentence *s)
{
    size_t stride = (size_t)s->n + 2;
    e->n = s->n;
    for (int i = 0; i < t->sources; i++) {
        uint32_t *column = e->value + (size_t)i * stride;
        column[0] = NOTHING;
        column[1] = ROOT;
        for (int32_t word = 1; word <= s->n; word++)
            column[word + 1] = number(text_of(&t->source[i], s, word));
    }
}

void ddn_encodings_fini(ddn_encodings *e)
{
    ddn_arena_fini(&e->arena);
}

int ddn_encode_all(ddn_encodings *e, const ddn_templates *t, const ddn_sentence *const *s, int m,
                   dodona_error *err)
{
    ddn_arena_reset(&e->arena);
    e->of = ddn_arena_take(&e->arena, (size_t)m, sizeof *e->of);
    for (int i = 0; i < m && !e->arena.failed; i++) {
        size_t numbers = ((size_t)s[i]->n + 2) * (size_t)t->sources;
        e->of[i].value = ddn_arena_take(&e->arena, numbers, sizeof *e->of[i].value);
        if (e->of[i].value)
            encode(&e->of[i], t, s[i]);
    }
    return e->arena.failed ? ddn_fail_memory(err) : DODONA_OK;
}

void ddn_features_list(const ddn_templates *t, ddn_feature *feature)
{
    ddn_rng r;
    ddn_rng_init(&r, 0x646f646f6e61); /* any constant: models depend on it */
    for (int i = 0; i < t->templates; i++) {
        ddn_feature *f = &feature[i];
        f->arity = t->line[i].arity;
        memcpy(f->atom, t->line[i].atom, sizeof f->atom);
        f->base = ddn_rng_next(&r);
        for (int j = 0; j < DDN_MAX_ARITY; j++)
            f->factor[j] = ddn_rng_next(&r) | 1;
    }
}

static uint32_t distance(int32_t a, int32_t b)
{
    if (a < 0 || b < 0)
        return 0;
    int32_t d = a < b ? b - a : a - b;
    return d <= 5 ? (uint32_t)d + 1 : d <= 10 ? 7 : 8;
}

/* A set of relations as 32 bits; the upper half of a product depends on all bits of the set. */
static uint32_t fold(uint64_t set)
{
    return (uint32_t)(set * 0x9e3779b97f4a7c15u >> 32);
}

/* The word at a slot, which only the first view of a configuration has unless it starts from p. */
static int32_t word_at(const ddn_templates *t, const ddn_view *v, int slot)
{
    return v[ddn_layout_placed(&t->layout, slot) ? 0 : -v->back].slot[slot].word;
}

static inline uint32_t read_atom(const ddn_templates *t, const ddn_atom *a, const ddn_encoded *e,
                                 const ddn_view *v)
{
    const ddn_slot *slot = &v->slot[a->slot];
    size_t stride = (size_t)e->n + 2;
    switch (a->kind) {
    case DDN_ATOM_WORD:
        return e->value[a->detail * stride + (size_t)(slot->word + 1)];
    case DDN_ATOM_LABEL:
        return slot->label;
    case DDN_ATOM_VALENCY:
        return (uint32_t)(slot->valency[a->detail] < DDN_MOST_CHILDREN ? slot->valency[a->detail]
                                                                       : DDN_MOST_CHILDREN);
    case DDN_ATOM_SET:
        return fold(slot->set[a->detail]);
    default:
        return distance(word_at(t, v, a->slot), word_at(t, v, a->detail));
    }
}

static inline void read_some(const ddn_templates *t, const ddn_encoded *e, const ddn_view *v,
                             int from, int to, uint32_t *value)
{
    for (int i = from; i < to; i++)
        value[i] = read_atom(t, &t->atom[i], e, v);
}

void ddn_read_atoms(const ddn_templates *t, const ddn_encoded *e, const ddn_view *v,
                    uint32_t *value)
{
    read_some(t, e, v, 0, t->plain, value);
}

void ddn_read_atoms_of_p(const ddn_templates *t, const ddn_encoded *e, const ddn_view *v,
                         uint32_t *value)
{
    read_some(t, e, v, t->plain, t->atoms, value);
}

void ddn_read_atoms_listed(const ddn_templates *t, const ddn_encoded *e, const ddn_view *v,
                           const uint8_t *atom, int atoms, uint32_t *value)
{
    for (int i = 0; i < atoms; i++)
        value[atom[i]] = read_atom(t, &t->atom[atom[i]], e, v);
}
