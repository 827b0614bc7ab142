/* SPDX-License-Identifier: MIT */
/* recall.c - a view in two rounds: what is not known is hashed, its buckets on their way, and then
 * summed.
 *
 * A word's cell is found by its number, and what its group read stands in it, so a cell that
 * another word or sentence left is told apart like one whose word has got another child.  What is
 * always looked up has a cell, too, which is never known, so that the three groups are alike.
 *
 * Finer groups (what can't change, and what depends on the tree) would know a little more, but no
 * time was won: they cost what they save in comparing. */
#include "model/recall.h"

#include "core/array.h"

#include <stdlib.h>
#include <string.h>

/* ---- Groups ---- */

/* The group of what is read at a slot. */
static int group_of_slot(const ddn_layout *l, int slot)
{
    while (l->address[slot].from >= 0)
        slot = l->address[slot].from;
    return l->address[slot].link == DDN_LINK_FOCUS    ? DDN_RECALL_LEFT
           : l->address[slot].link == DDN_LINK_BUFFER ? DDN_RECALL_NEXT
                                                      : DDN_RECALL_ALWAYS;
}

static int group_of_atom(const ddn_templates *t, const ddn_atom *a)
{
    int group = group_of_slot(&t->layout, a->slot);
    bool one = a->kind != DDN_ATOM_DISTANCE || group_of_slot(&t->layout, a->detail) == group;
    return one ? group : DDN_RECALL_ALWAYS;
}

static int group_of_line(const ddn_templates *t, int line)
{
    int group = group_of_atom(t, &t->atom[t->line[line].atom[0]]);
    for (int i = 1; i < t->line[line].arity; i++)
        if (group_of_atom(t, &t->atom[t->line[line].atom[i]]) != group)
            return DDN_RECALL_ALWAYS;
    return group;
}

static void add_atoms(struct ddn_recall_group *g, const struct ddn_template *line)
{
    for (int i = 0; i < line->arity; i++)
        if (!memchr(g->atom, line->atom[i], (size_t)g->atoms))
            g->atom[g->atoms++] = line->atom[i];
}

/* Appends the templates of a group with that use. */
static int append(ddn_recall *r, int group, uint8_t use, int count)
{
    const ddn_templates *t = &r->schema->templates;
    for (int i = 0; i < t->templates; i++)
        if (t->line[i].use == use && group_of_line(t, i) == group) {
            r->order[count++] = (uint8_t)i;
            add_atoms(&r->group[group], &t->line[i]);
        }
    return count;
}

bool ddn_recall_helps(const ddn_schema *schema)
{
    const ddn_templates *t = &schema->templates;
    bool focus = false;
    for (int i = 0; i < t->layout.slots; i++)
        focus |= t->layout.address[i].link == DDN_LINK_FOCUS;
    return focus && t->plain == t->atoms && !schema->system->positions;
}

void ddn_recall_init(ddn_recall *r, const ddn_schema *schema, const ddn_frozen *frozen)
{
    const ddn_templates *t = &schema->templates;
    int count = 0;
    memset(r, 0, sizeof *r);
    r->schema = schema;
    r->frozen = frozen;
    for (int g = 0; g < DDN_RECALL_GROUPS; g++) {
        r->group[g].first = count;
        r->group[g].moves = count = append(r, g, DDN_FOR_MOVES | DDN_FOR_LABELS, count);
        r->group[g].end = count = append(r, g, DDN_FOR_MOVES, count);
    }
    for (int i = t->moves; i < t->templates; i++)
        r->order[i] = (uint8_t)i;
}

void ddn_recall_fini(ddn_recall *r)
{
    free(r->cell);
    free(r->classes);
}

int ddn_recall_reserve(ddn_recall *r, dodona_error *err)
{
    if (!r->cell)
        r->cell = calloc(DDN_RECALL_GROUPS * DDN_RECALL_PLACES, sizeof *r->cell);
    if (!r->cell || !ddn_reserve(&r->classes, &r->classes_cap, ddn_schema_classes(r->schema),
                                 sizeof *r->classes))
        return ddn_fail_memory(err);
    return DODONA_OK;
}

/* ---- Sums ---- */

static void find_keys(ddn_recall *r, int first, int end)
{
    for (int i = first; i < end; i++) {
        r->key[i] =
            ddn_feature_key(&r->schema->templates, &r->schema->hashing, r->atom, r->order[i]);
        ddn_frozen_prefetch(r->frozen, r->key[i]);
    }
}

/* Whether the cell has the sums for what the group reads now; it will have, once it is filled. */
static bool knows(struct ddn_recall_cell *cell, const struct ddn_recall_group *g,
                  const uint32_t *atom)
{
    uint32_t differ = !cell->filled;
    for (int i = 0; i < g->atoms; i++) {
        differ |= cell->atom[i] ^ atom[g->atom[i]];
        cell->atom[i] = atom[g->atom[i]];
    }
    return !differ;
}

static void fill(const ddn_recall *r, const struct ddn_recall_group *g,
                 struct ddn_recall_cell *cell)
{
    memset(cell->sum, 0, sizeof cell->sum);
    ddn_frozen_kinds(r->frozen, r->key + g->first, g->end - g->first, cell->sum, cell->list);
    cell->filled = true;
}

void ddn_recall_score(ddn_recall *r, const ddn_encoded *e, const ddn_view *view, int32_t *sum)
{
    const int32_t place[DDN_RECALL_GROUPS] = { 0, view->left % DDN_RECALL_PLACES,
                                               view->next % DDN_RECALL_PLACES };
    bool known[DDN_RECALL_GROUPS] = { false };
    ddn_read_atoms(&r->schema->templates, e, view, r->atom);
    for (int g = 0; g < DDN_RECALL_GROUPS; g++) {
        r->of[g] = &r->cell[g * DDN_RECALL_PLACES + place[g]];
        known[g] = g != DDN_RECALL_ALWAYS && knows(r->of[g], &r->group[g], r->atom);
        if (!known[g])
            find_keys(r, r->group[g].first, r->group[g].end);
    }
    memset(sum, 0, (size_t)r->frozen->kinds * sizeof *sum);
    for (int g = 0; g < DDN_RECALL_GROUPS; g++) {
        if (!known[g])
            fill(r, &r->group[g], r->of[g]);
        for (int k = 0; k < r->frozen->kinds; k++)
            sum[k] += r->of[g]->sum[k];
    }
    r->summed = false;
}

const int32_t *ddn_recall_classes(ddn_recall *r)
{
    const ddn_templates *t = &r->schema->templates;
    uint32_t list[DDN_MAX_TEMPLATES];
    int32_t unused[DDN_MAX_KINDS] = { 0 };
    int count = 0;
    if (r->summed)
        return r->classes;
    find_keys(r, t->moves, t->templates);
    for (int g = 0; g < DDN_RECALL_GROUPS; g++) {
        int both = r->group[g].moves - r->group[g].first;
        memcpy(list + count, r->of[g]->list, (size_t)both * sizeof *list);
        count += both;
    }
    ddn_frozen_kinds(r->frozen, r->key + t->moves, t->templates - t->moves, unused, list + count);
    count += t->templates - t->moves;
    memset(r->classes, 0, ddn_schema_classes(r->schema) * sizeof *r->classes);
    ddn_frozen_classes(r->frozen, list, count, r->classes);
    r->summed = true;
    return r->classes;
}
