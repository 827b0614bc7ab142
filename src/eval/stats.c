/* SPDX-License-Identifier: MIT */
/* stats.c - counts what sentences hold and how their trees are shaped. */
#include "eval/stats.h"

#include "core/array.h"
#include "tree/tree.h"
#include <stdlib.h>

static void names_fini(ddn_stats_names *t)
{
    ddn_intern_fini(&t->name);
    free(t->count);
}

static bool names_add(ddn_stats_names *t, dodona_text name)
{
    uint32_t id, before = t->name.count;
    if (!ddn_reserve(&t->count, &t->count_cap, (size_t)before + 1, sizeof *t->count) ||
        !ddn_intern_add(&t->name, name.data, name.size, &id))
        return false;
    if (id == before)
        t->count[id] = 0;
    t->count[id]++;
    return true;
}

void ddn_stats_init(ddn_stats *s)
{
    *s = (ddn_stats){ 0 };
    ddn_intern_init(&s->label.name);
    ddn_intern_init(&s->upos.name);
    ddn_tree_space_init(&s->space);
}

void ddn_stats_fini(ddn_stats *s)
{
    names_fini(&s->label);
    names_fini(&s->upos);
    ddn_tree_space_fini(&s->space);
    free(s->mark);
    *s = (ddn_stats){ 0 };
}

static void add_rows(ddn_stats *s, const ddn_sentence *sentence)
{
    for (size_t i = 0; i < sentence->rows; i++) {
        const ddn_row *row = &sentence->row[i];
        s->empty += row->kind == DDN_ROW_EMPTY;
        if (row->kind == DDN_ROW_RANGE) {
            s->ranges++;
            s->in_ranges += row->minor - row->id + 1;
        }
    }
    s->words += sentence->n;
    if (sentence->n > s->longest)
        s->longest = sentence->n;
}

static bool add_names(ddn_stats *s, const ddn_sentence *sentence)
{
    for (int32_t i = 1; i <= sentence->n; i++)
        if (!names_add(&s->label, ddn_sentence_column(sentence, i, DDN_DEPREL)) ||
            !names_add(&s->upos, ddn_sentence_column(sentence, i, DDN_UPOS)))
            return false;
    return true;
}

static int degree_bin(int32_t degree)
{
    return degree < DDN_STATS_DEGREES ? degree : DDN_STATS_DEGREES - 1;
}

static void add_shape(ddn_stats *s, const ddn_tree_shape *shape)
{
    s->trees++;
    s->nonprojective += !shape->projective;
    s->nonplanar += !shape->planar;
    s->ill_nested += !shape->well_nested;
    s->not_one_endpoint += !shape->one_endpoint;
    s->not_one_root += shape->roots != 1;
    s->gap_degree[degree_bin(shape->gap_degree)]++;
    s->edge_degree[degree_bin(shape->edge_degree)]++;
    s->nonprojective_arcs += shape->nonprojective;
    s->crossing_arcs += shape->crossing;
    s->crossings += shape->crossings;
    s->depths += shape->depth;
    if (shape->depth > s->deepest)
        s->deepest = shape->depth;
}

static void add_lengths(ddn_stats *s, const int32_t *head, int32_t n)
{
    ddn_tree_lengths all = ddn_tree_count_lengths(head, n, s->length, DDN_STATS_LENGTHS);
    s->arcs += all.arcs;
    s->lengths += all.sum;
    if (all.most > s->farthest)
        s->farthest = all.most;
}

int ddn_stats_add(ddn_stats *s, const ddn_sentence *sentence, dodona_error *err)
{
    int32_t n = sentence->n;
    const int32_t *head = sentence->head;
    if (sentence->bad ? sentence->continued : n == 0)
        return 0;
    s->sentences++;
    if (sentence->bad) {
        s->not_trees++;
        return 0;
    }
    add_rows(s, sentence);
    if (!add_names(s, sentence) ||
        !ddn_reserve(&s->mark, &s->mark_cap, (size_t)n + 1, sizeof *s->mark))
        return ddn_fail_memory(err);
    if (ddn_tree_check(head, n, false, s->mark, NULL) != DDN_TREE_OK) {
        s->not_trees++;
        return 0;
    }
    ddn_tree_shape shape;
    int code = ddn_tree_measure(&s->space, head, n, &shape, err);
    if (code < 0)
        return code;
    add_shape(s, &shape);
    add_lengths(s, head, n);
    return 0;
}
