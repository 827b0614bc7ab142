/* SPDX-License-Identifier: MIT */
/* memo.c - three rounds over the views of a call: what is needed is found or put on a list, its
 * buckets on their way meanwhile; what was on the list is summed; the sums are added up.
 *
 * A cell's key is the sentence's stamp, the group, and the words: cells of earlier sentences count
 * as empty, so that nothing need be cleared. */
#include "model/memo.h"

#include "chart/targets.h"
#include "core/array.h"

#include <stdlib.h>
#include <string.h>

#define NEW 0x80000000u /* a place that is to be filled */
enum { NEXT = 255 };
enum { WORD_BITS = 21, GROUP_BITS = 6, STAMP_BITS = 16, LEAST_ROOM = 1024 };

/* ---- Groups ---- */

/* A word of the buffer is known by the next one. */
static int word_of(const ddn_layout *l, int slot)
{
    int at = slot;
    while (l->address[at].link == DDN_LINK_PREV || l->address[at].link == DDN_LINK_NEXT)
        at = l->address[at].from;
    return l->address[at].link == DDN_LINK_BUFFER ? NEXT : slot;
}

static void add_word(struct ddn_memo_group *g, int slot)
{
    for (int i = 0; i < g->words && i < 2; i++)
        if (g->slot[i] == slot)
            return;
    if (g->words < 2)
        g->slot[g->words] = (uint8_t)slot;
    g->words++;
}

/* The words that a template reads; more than two, or the tree: words is 3. */
static struct ddn_memo_group words_of(const ddn_templates *t, int line)
{
    struct ddn_memo_group g = { .words = 0 };
    for (int i = 0; i < t->line[line].arity; i++) {
        const ddn_atom *a = &t->atom[t->line[line].atom[i]];
        if (a->kind != DDN_ATOM_WORD && a->kind != DDN_ATOM_DISTANCE)
            return (struct ddn_memo_group){ .words = 3 };
        add_word(&g, word_of(&t->layout, a->slot));
        if (a->kind == DDN_ATOM_DISTANCE)
            add_word(&g, word_of(&t->layout, a->detail));
    }
    if (g.words == 2 && g.slot[0] > g.slot[1]) {
        uint8_t slot = g.slot[0];
        g.slot[0] = g.slot[1];
        g.slot[1] = slot;
    }
    if (g.words == 1)
        g.slot[1] = g.slot[0];
    return g;
}

static int find_group(ddn_memo *m, struct ddn_memo_group g)
{
    if (g.words > 2)
        return 0;
    for (int i = 1; i < m->groups; i++)
        if (m->group[i].slot[0] == g.slot[0] && m->group[i].slot[1] == g.slot[1])
            return i;
    if (m->groups > DDN_MEMO_GROUPS)
        return 0;
    m->group[m->groups] = g;
    return m->groups++;
}

void ddn_memo_init(ddn_memo *m, const ddn_schema *schema, const ddn_frozen *frozen)
{
    const ddn_templates *t = &schema->templates;
    int of[DDN_MAX_TEMPLATES], count = 0;
    memset(m, 0, sizeof *m);
    m->schema = schema;
    m->frozen = frozen;
    m->groups = 1;
    for (int i = 0; i < t->templates; i++)
        of[i] = find_group(m, words_of(t, i));
    for (int g = 0; g < m->groups; g++) {
        static const uint8_t uses[] = { DDN_FOR_MOVES | DDN_FOR_LABELS, DDN_FOR_MOVES,
                                        DDN_FOR_LABELS };
        int end[3];
        m->group[g].first = count;
        for (int u = 0; u < 3; u++) {
            for (int i = 0; i < t->templates; i++)
                if (of[i] == g && t->line[i].use == uses[u])
                    m->order[count++] = (uint8_t)i;
            end[u] = count;
        }
        m->group[g].moves = end[0];
        m->group[g].labels = end[1];
        m->group[g].end = end[2];
    }
}

void ddn_memo_fini(ddn_memo *m)
{
    free(m->cell);
    free(m->sum);
    free(m->total);
    free(m->atom);
    free(m->key);
    free(m->place);
}

int ddn_memo_reserve(ddn_memo *m, int views, dodona_error *err)
{
    const ddn_templates *t = &m->schema->templates;
    size_t count = (size_t)views, room = m->room ? m->room : LEAST_ROOM;
    while (room < 2 * count * (size_t)m->groups)
        room *= 2;
    m->width = ((size_t)m->schema->system->kinds + ddn_schema_classes(m->schema) + 3) / 4 * 4;
    if (!ddn_reserve(&m->sum, &m->sum_cap, (room + 1) * m->width, sizeof *m->sum) ||
        !ddn_reserve(&m->total, &m->total_cap, count * m->width, sizeof *m->total) ||
        !ddn_reserve(&m->atom, &m->atom_cap, count * (size_t)t->atoms, sizeof *m->atom) ||
        !ddn_reserve(&m->key, &m->key_cap, count * (size_t)t->templates, sizeof *m->key) ||
        !ddn_reserve(&m->place, &m->place_cap, count * (size_t)m->groups, sizeof *m->place) ||
        !ddn_reserve(&m->cell, &m->cell_cap, 2 * room, sizeof *m->cell))
        return ddn_fail_memory(err);
    if (room != m->room) {
        memset(m->cell, 0, 2 * room * sizeof *m->cell);
        m->used = 0;
    }
    m->room = room;
    m->nothing = m->sum + room * m->width;
    memset(m->nothing, 0, m->width * sizeof *m->nothing);
    m->stamp = m->stamp ? m->stamp : 1;
    return DODONA_OK;
}

void ddn_memo_begin(ddn_memo *m)
{
    m->used = 0;
    if (++m->stamp >> STAMP_BITS) {
        m->stamp = 1;
        memset(m->cell, 0, 2 * m->room * sizeof *m->cell);
    }
}

/* ---- Sums ---- */

/* The keys of a run of templates, with their buckets on the way. */
static void find_keys(const ddn_memo *m, const struct ddn_memo_group *g, const uint32_t *atom,
                      uint64_t *key)
{
    for (int i = g->first; i < g->end; i++) {
        key[i] = ddn_feature_key(&m->schema->templates, &m->schema->hashing, atom, m->order[i]);
        ddn_frozen_prefetch(m->frozen, key[i]);
    }
}

/* Adds the weights of a run of templates. */
static void add_weights(const ddn_memo *m, const struct ddn_memo_group *g, const uint64_t *key,
                        int32_t *sum)
{
    uint32_t list[DDN_MAX_TEMPLATES];
    int32_t kinds[DDN_MAX_KINDS] = { 0 }, unused[DDN_MAX_KINDS] = { 0 };
    int both = g->moves - g->first, labels = g->end - g->labels;
    ddn_frozen_kinds(m->frozen, key + g->first, g->labels - g->first, kinds, list);
    ddn_frozen_kinds(m->frozen, key + g->labels, labels, unused, list + both);
    for (int k = 0; k < m->frozen->kinds; k++)
        sum[k] += kinds[k];
    ddn_frozen_classes(m->frozen, list, both + labels, sum + m->frozen->kinds);
}

static int32_t word_in(const ddn_view *view, uint8_t slot)
{
    return slot == NEXT ? view->next : view->slot[slot].word;
}

/* Where the sum of a group for the words of a view is, or will be. */
static uint32_t find(ddn_memo *m, int group, const ddn_view *view)
{
    const struct ddn_memo_group *g = &m->group[group];
    uint64_t a = (uint64_t)(word_in(view, g->slot[0]) + 1);
    uint64_t b = (uint64_t)(word_in(view, g->slot[1]) + 1);
    uint64_t key = ((m->stamp << GROUP_BITS | (uint64_t)group) << WORD_BITS | a) << WORD_BITS | b;
    uint64_t stamp = key >> (GROUP_BITS + 2 * WORD_BITS);
    size_t mask = 2 * m->room - 1, i = (key * 0x9e3779b97f4a7c15u >> 32) & mask;
    for (; m->cell[i].key != key; i = (i + 1) & mask)
        if (m->cell[i].key >> (GROUP_BITS + 2 * WORD_BITS) != stamp) {
            m->cell[i] = (struct ddn_memo_cell){ key, (uint32_t)m->used++ };
            return m->cell[i].place | NEW;
        }
    return m->cell[i].place;
}

static void find_all(ddn_memo *m, const ddn_encoded *e, const ddn_view *view, int v)
{
    const ddn_templates *t = &m->schema->templates;
    uint32_t *atom = m->atom + (size_t)v * (size_t)t->atoms;
    uint64_t *key = m->key + (size_t)v * (size_t)t->templates;
    uint32_t *place = m->place + (size_t)v * (size_t)m->groups;
    ddn_read_atoms(t, e, view, atom);
    find_keys(m, &m->group[0], atom, key);
    for (int g = 1; g < m->groups; g++) {
        place[g] = find(m, g, view);
        if (place[g] & NEW)
            find_keys(m, &m->group[g], atom, key);
    }
}

/* The sums that view v was the first to need. */
static void fill(ddn_memo *m, int v)
{
    const uint64_t *key = m->key + (size_t)v * (size_t)m->schema->templates.templates;
    uint32_t *place = m->place + (size_t)v * (size_t)m->groups;
    for (int g = 1; g < m->groups; g++) {
        if (!(place[g] & NEW))
            continue;
        place[g] &= ~NEW;
        int32_t *sum = m->sum + place[g] * m->width;
        memset(sum, 0, m->width * sizeof *sum);
        add_weights(m, &m->group[g], key, sum);
    }
}

/* total[i] = a[i] + b[i] + c[i] + d[i]: several at a time, so that totals need not be written and
 * read again for each of them. */
DDN_TARGETS
static void add_four(int32_t *restrict total, const int32_t *a, const int32_t *b, const int32_t *c,
                     const int32_t *d, size_t width)
{
    for (size_t i = 0; i < width; i++)
        total[i] += a[i] + b[i] + c[i] + d[i];
}

static void add_up(ddn_memo *m, int v)
{
    const uint64_t *key = m->key + (size_t)v * (size_t)m->schema->templates.templates;
    const uint32_t *place = m->place + (size_t)v * (size_t)m->groups;
    const int32_t *sum[DDN_MEMO_GROUPS + 4];
    int32_t *total = m->total + (size_t)v * m->width;
    int count = 0;
    for (int g = 1; g < m->groups; g++)
        sum[count++] = m->sum + place[g] * m->width;
    while (count % 4)
        sum[count++] = m->nothing;
    memset(total, 0, m->width * sizeof *total);
    for (int i = 0; i < count; i += 4)
        add_four(total, sum[i], sum[i + 1], sum[i + 2], sum[i + 3], m->width);
    add_weights(m, &m->group[0], key, total);
}

void ddn_memo_score(ddn_memo *m, const ddn_encoded *e, const ddn_view *views, int count)
{
    if (m->used + (size_t)count * (size_t)m->groups > m->room)
        ddn_memo_begin(m);
    for (int v = 0; v < count; v++)
        find_all(m, e, &views[v], v);
    for (int v = 0; v < count; v++)
        fill(m, v);
    for (int v = 0; v < count; v++)
        add_up(m, v);
}
