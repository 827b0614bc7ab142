/* SPDX-License-Identifier: MIT */
/* perceptron_moves.c - scores of transition types and labels from views.
 *
 * A call goes over its queries three times: it hashes their features and sends for the rows, sums
 * the rows, and adds up.  Rows travel to the cache while other features are hashed.  The lists of
 * class weights that the rows point to are kept, and summed when a label is wanted: the best move
 * is known by then, and half of all moves need none.  Templates for labels alone are looked up only
 * then.
 *
 * Of the views of one configuration (LR-spine), the first looks up all templates and the others
 * only those that see p.
 *
 * The cache.  Most templates read few words, and the same words come back: a beam scores many
 * configurations that share s0 or s0 and q0, Covington's systems return to a focus word.  Templates
 * that start from the same words are a group.  The sums of a group depend on the atoms that it
 * reads and on nothing else, so they are kept under a hash of these, like a feature under its key,
 * and serve every configuration, of every sentence of the batch and of later ones, that shows the
 * group the same.  Group 0 is what is not kept and is looked up for every query.  When the cache is
 * full, it forgets everything.  Weights that learn are not cached. */
#include "model/perceptron.h"

#include "chart/targets.h"
#include "core/rng.h"

#include <string.h>

#define NEW 0x80000000u /* a place whose sums are to be found */

enum { MOST_GROUPS = 32, LEAST_ROOM = 512 };
enum { NEXT = 255, FOCUS = 254 }; /* anchors beside slots: the buffer, the left focus word */

/* Templates that are kept together; group 0: those that are not kept. */
typedef struct group {
    int first, both, moves, end; /* in order: up to both for moves and labels, up to moves for moves
                                    alone, then for labels alone */
    uint8_t anchor[2];
    int atoms;
    uint8_t atom[DDN_MAX_ATOMS]; /* that it reads */
    uint64_t base, factor[DDN_MAX_ATOMS];
} group;

typedef struct cell {
    uint64_t key;
    uint32_t place;
    uint32_t round; /* when it was filled; of an earlier round: empty */
} cell;

typedef struct moves_pass {
    ddn_perceptron_pass base;
    /* Templates group by group; without groups, in their own order. */
    ddn_feature feature[DDN_MAX_TEMPLATES];
    int groups; /* group 0 included */
    group group[MOST_GROUPS + 1];

    /* ---- The queries of the last call ---- */
    const ddn_query *query;
    uint32_t *atom;  /* [queries][atoms] */
    uint64_t *key;   /* [queries][templates] in order, where they were needed */
    uint32_t *list;  /* [queries][templates] in order, of group 0 */
    uint32_t *place; /* [queries][groups] */
    struct shared {
        int32_t query;              /* the first view of the configuration */
        int32_t sum[DDN_MAX_KINDS]; /* of group 0, without templates that see p */
    } * shared;                     /* [queries] */

    /* ---- The cache ---- */
    cell *cell;          /* [2 * room] open addressing */
    size_t room, used;   /* room: a power of two */
    uint32_t round;      /* since it last forgot */
    size_t width, lists; /* of a place: classes, rounded up; lists */
    int32_t *kind_sum;   /* [room][columns] */
    int32_t *class_sum;  /* [room][width] */
    uint32_t *kept;      /* [room][lists] of the templates for both */
    bool *has_classes;   /* [room] */
    int32_t *nothing;    /* [width] zeros */
} moves_pass;

/* ---- Groups ---- */

/* Where a slot's address starts, over links to neighbours alone: the slot there, or NEXT. */
static int word_anchor(const ddn_layout *l, int slot)
{
    int at = slot;
    while (l->address[at].link == DDN_LINK_PREV || l->address[at].link == DDN_LINK_NEXT)
        at = l->address[at].from;
    return l->address[at].link == DDN_LINK_BUFFER ? NEXT : slot;
}

/* Where a slot's address starts, if that is one of two focus words; else -1. */
static int focus_anchor(const ddn_layout *l, int slot)
{
    while (l->address[slot].from >= 0)
        slot = l->address[slot].from;
    return l->address[slot].link == DDN_LINK_FOCUS    ? FOCUS
           : l->address[slot].link == DDN_LINK_BUFFER ? NEXT
                                                      : -1;
}

static void add_anchor(int anchor, int *anchors, uint8_t *to)
{
    for (int i = 0; i < *anchors && i < 2; i++)
        if (to[i] == anchor)
            return;
    if (*anchors < 2)
        to[*anchors] = (uint8_t)anchor;
    ++*anchors;
}

/* The words that a template starts from, if its sums are worth keeping: with many configurations at
 * a time, one or two words whatever they are, but nothing of the tree; with one at a time, one of
 * the focus words and what hangs from it. */
static bool find_anchors(const ddn_templates *t, int line, ddn_breadth breadth, uint8_t *to)
{
    int anchors = 0;
    for (int i = 0; i < t->line[line].arity; i++) {
        const ddn_atom *a = &t->atom[t->line[line].atom[i]];
        bool many = breadth == DDN_MANY_VIEWS, distance = a->kind == DDN_ATOM_DISTANCE;
        if (many && a->kind != DDN_ATOM_WORD && !distance)
            return false;
        for (int end = 0; end <= distance; end++) {
            int slot = end ? a->detail : a->slot;
            int anchor = many ? word_anchor(&t->layout, slot) : focus_anchor(&t->layout, slot);
            if (anchor < 0)
                return false;
            add_anchor(anchor, &anchors, to);
        }
    }
    if (anchors == 2 && to[0] > to[1]) {
        uint8_t first = to[0];
        to[0] = to[1];
        to[1] = first;
    }
    if (anchors == 1)
        to[1] = to[0];
    return anchors <= (breadth == DDN_MANY_VIEWS ? 2 : 1);
}

static int find_group(moves_pass *w, const uint8_t *anchor)
{
    for (int i = 1; i < w->groups; i++)
        if (memcmp(w->group[i].anchor, anchor, 2) == 0)
            return i;
    if (w->groups > MOST_GROUPS)
        return 0;
    memcpy(w->group[w->groups].anchor, anchor, 2);
    return w->groups++;
}

/* The atoms of a group, and the constants of its hash. */
static void list_atoms(moves_pass *w, group *g)
{
    ddn_rng r;
    ddn_rng_init(&r, (uint64_t)(g - w->group));
    for (int i = g->first; i < g->end; i++)
        for (int j = 0; j < w->feature[i].arity; j++)
            if (!memchr(g->atom, w->feature[i].atom[j], (size_t)g->atoms))
                g->atom[g->atoms++] = w->feature[i].atom[j];
    g->base = ddn_rng_next(&r);
    for (int i = 0; i < g->atoms; i++)
        g->factor[i] = ddn_rng_next(&r) | 1;
}

/* Puts the templates into groups, in each those for both first, then those for moves, then those
 * for labels. */
static void make_groups(moves_pass *w, ddn_breadth breadth)
{
    static const uint8_t uses[] = { DDN_FOR_MOVES | DDN_FOR_LABELS, DDN_FOR_MOVES, DDN_FOR_LABELS };
    const ddn_features *f = &w->base.model->features;
    const ddn_templates *t = &f->templates;
    int of[DDN_MAX_TEMPLATES], count = 0;
    for (int i = 0; i < t->templates; i++) {
        uint8_t anchor[2];
        of[i] = find_anchors(t, i, breadth, anchor) ? find_group(w, anchor) : 0;
    }
    for (int g = 0; g < w->groups; g++) {
        int end[3];
        w->group[g].first = count;
        for (int u = 0; u < 3; u++) {
            for (int i = 0; i < t->templates; i++)
                if (of[i] == g && t->line[i].use == uses[u])
                    w->feature[count++] = f->feature[i];
            end[u] = count;
        }
        w->group[g].both = end[0];
        w->group[g].moves = end[1];
        w->group[g].end = end[2];
        list_atoms(w, &w->group[g]);
        size_t both = (size_t)(end[0] - w->group[g].first);
        w->lists = g > 0 && both > w->lists ? both : w->lists;
    }
}

/* Whether sums are worth keeping: never where views of a configuration share what does not see p.
 */
static bool is_cached(const ddn_perceptron *m, ddn_breadth breadth)
{
    const ddn_templates *t = &m->features.templates;
    bool focus = breadth == DDN_MANY_VIEWS;
    for (int i = 0; i < t->layout.slots; i++)
        focus |= t->layout.address[i].link == DDN_LINK_FOCUS;
    return focus && !m->linear.learns && t->plain == t->atoms && !m->base.schema->system->positions;
}

static void init(ddn_perceptron_pass *p, ddn_breadth breadth)
{
    moves_pass *w = (moves_pass *)p;
    const ddn_features *f = &p->model->features;
    const ddn_templates *t = &f->templates;
    w->groups = 1;
    w->width = (ddn_features_classes(f) + DDN_SUM_LANES - 1) / DDN_SUM_LANES * DDN_SUM_LANES;
    memcpy(w->feature, f->feature, sizeof w->feature);
    w->group[0] = (group){ .both = t->both, .moves = t->moves, .end = t->templates };
    if (is_cached(p->model, breadth))
        make_groups(w, breadth);
}

/* ---- Room ---- */

static void forget(moves_pass *w)
{
    w->used = 0;
    if (++w->round == 0) {
        w->round = 1;
        memset(w->cell, 0, 2 * w->room * sizeof *w->cell);
    }
}

/* Room for the cells of that many queries at once. */
static void reserve_cache(moves_pass *w, size_t queries)
{
    size_t room = w->room ? w->room : LEAST_ROOM, columns = (size_t)w->base.model->linear.columns;
    while (room < 2 * queries * (size_t)w->groups)
        room *= 2;
    if (room == w->room)
        return;
    ddn_arena *a = &w->base.cache;
    ddn_arena_reset(a);
    w->kind_sum = ddn_arena_take(a, room * columns, sizeof *w->kind_sum);
    w->class_sum = ddn_arena_take(a, room * w->width, sizeof *w->class_sum);
    w->kept = ddn_arena_take(a, room * w->lists, sizeof *w->kept);
    w->has_classes = ddn_arena_take(a, room, sizeof *w->has_classes);
    w->nothing = ddn_arena_zeros(a, w->width, sizeof *w->nothing);
    w->cell = ddn_arena_zeros(a, 2 * room, sizeof *w->cell);
    w->room = a->failed ? 0 : room;
    w->used = 0;
    w->round = 1;
}

static void reserve(ddn_perceptron_pass *p, size_t queries)
{
    moves_pass *w = (moves_pass *)p;
    const ddn_templates *t = &p->model->features.templates;
    w->atom = ddn_arena_take(&p->queries, queries * (size_t)t->atoms, sizeof *w->atom);
    w->key = ddn_arena_take(&p->queries, queries * (size_t)t->templates, sizeof *w->key);
    w->list = ddn_arena_take(&p->queries, queries * (size_t)t->templates, sizeof *w->list);
    w->place = ddn_arena_take(&p->queries, queries * (size_t)w->groups, sizeof *w->place);
    w->shared = ddn_arena_take(&p->queries, queries, sizeof *w->shared);
    if (w->groups > 1)
        reserve_cache(w, queries);
}

/* ---- Hashing ---- */

static size_t at(const moves_pass *w, int32_t q)
{
    return (size_t)q * (size_t)w->base.model->features.templates.templates;
}

static uint32_t *atoms_of(const moves_pass *w, int32_t q)
{
    return w->atom + (size_t)q * (size_t)w->base.model->features.templates.atoms;
}

static uint32_t *places_of(const moves_pass *w, int32_t q)
{
    return w->place + (size_t)q * (size_t)w->groups;
}

static void find_keys(const moves_pass *w, int32_t q, int from, int to)
{
    ddn_linear_keys(&w->base.model->linear, w->feature, atoms_of(w, q), from, to,
                    w->key + at(w, q));
}

/* Where the sums of a group are, or will be, for what it reads. */
static uint32_t find_place(moves_pass *w, const group *g, const uint32_t *atom)
{
    uint64_t key = g->base;
    for (int i = 0; i < g->atoms; i++)
        key += atom[g->atom[i]] * g->factor[i];
    key ^= key >> 32;
    key *= 0xd6e8feb86659fd93u;
    size_t mask = 2 * w->room - 1, i = (key ^ key >> 32) & mask;
    for (; w->cell[i].round == w->round; i = (i + 1) & mask)
        if (w->cell[i].key == key)
            return w->cell[i].place;
    w->cell[i] = (cell){ key, (uint32_t)w->used++, w->round };
    return w->cell[i].place | NEW;
}

static void hash_query(moves_pass *w, int32_t q)
{
    const ddn_templates *t = &w->base.model->features.templates;
    const ddn_view *view = w->query[q].view;
    const ddn_encoded *e = &w->base.encoded.of[w->query[q].sentence];
    uint32_t *atom = atoms_of(w, q);
    if (view->back) {
        memcpy(atom, atoms_of(w, q - view->back), (size_t)t->atoms * sizeof *atom);
        ddn_read_atoms_of_p(t, e, view, atom);
        find_keys(w, q, t->from, t->to);
        return;
    }
    ddn_read_atoms(t, e, view, atom);
    if (w->groups == 1) {
        find_keys(w, q, 0, t->from);
        find_keys(w, q, t->to, t->moves);
        return;
    }
    uint32_t *place = places_of(w, q);
    find_keys(w, q, w->group[0].first, w->group[0].moves);
    for (int g = 1; g < w->groups; g++) {
        place[g] = find_place(w, &w->group[g], atom);
        if (place[g] & NEW)
            find_keys(w, q, w->group[g].first, w->group[g].moves);
    }
}

/* ---- Sums ---- */

/* Adds the rows of features from..to-1 of a query, and notes their lists. */
static void add_rows(const moves_pass *w, int32_t q, int from, int to, int32_t *sum)
{
    size_t first = at(w, q) + (size_t)from;
    ddn_linear_rows(&w->base.model->linear, w->key + first, to - from, sum, w->list + first);
}

/* The sums of a group that the query was the first to need. */
static void fill_place(moves_pass *w, int32_t q, const group *g, uint32_t place)
{
    size_t columns = (size_t)w->base.model->linear.columns;
    int32_t *sum = w->kind_sum + place * columns;
    memset(sum, 0, columns * sizeof *sum);
    add_rows(w, q, g->first, g->moves, sum);
    memcpy(w->kept + place * w->lists, w->list + at(w, q) + g->first,
           (size_t)(g->both - g->first) * sizeof *w->kept);
    w->has_classes[place] = false;
}

/* Group 0 of a query, whose views that have a position come after the first. */
static void sum_query(moves_pass *w, int32_t q)
{
    const ddn_templates *t = &w->base.model->features.templates;
    int32_t back = w->query[q].view->back;
    struct shared *shared = &w->shared[q];
    if (back) {
        *shared = w->shared[q - back];
        return;
    }
    *shared = (struct shared){ .query = q };
    if (w->groups == 1) {
        add_rows(w, q, 0, t->from, shared->sum);
        add_rows(w, q, t->to, t->moves, shared->sum);
        return;
    }
    uint32_t *place = places_of(w, q);
    for (int g = 1; g < w->groups; g++)
        if (place[g] & NEW) {
            place[g] &= ~NEW;
            fill_place(w, q, &w->group[g], place[g]);
        }
    add_rows(w, q, w->group[0].first, w->group[0].moves, shared->sum);
}

static void add_up(const moves_pass *w, int32_t q, ddn_score *score)
{
    const ddn_templates *t = &w->base.model->features.templates;
    int columns = w->base.model->linear.columns;
    int32_t sum[DDN_MAX_KINDS];
    memcpy(sum, w->shared[q].sum, sizeof sum);
    if (w->query[q].view->back)
        add_rows(w, q, t->from, t->to, sum);
    const uint32_t *place = places_of(w, q);
    for (int g = 1; g < w->groups; g++) {
        const int32_t *kept = w->kind_sum + place[g] * (size_t)columns;
        for (int k = 0; k < columns; k++)
            sum[k] += kept[k];
    }
    for (int k = 0; k < columns; k++)
        score[k] = sum[k];
}

static void moves(ddn_perceptron_pass *p, const ddn_query *query, int m, ddn_score *score)
{
    moves_pass *w = (moves_pass *)p;
    if (w->groups > 1 && w->used + (size_t)m * (size_t)w->groups > w->room)
        forget(w);
    w->query = query;
    p->summed = DDN_SUMMED_NONE;
    for (int32_t q = 0; q < m; q++)
        hash_query(w, q);
    for (int32_t q = 0; q < m; q++)
        sum_query(w, q);
    for (int32_t q = 0; q < m; q++)
        add_up(w, q, score + (size_t)q * DDN_MAX_KINDS);
}

/* ---- Labels ---- */

/* The lists of the templates for labels alone of a group, behind the count that there are. */
static int add_own_lists(const moves_pass *w, int32_t q, int from, int to, uint32_t *list,
                         int count)
{
    int32_t unused[DDN_MAX_KINDS] = { 0 };
    find_keys(w, q, from, to);
    ddn_linear_rows(&w->base.model->linear, w->key + at(w, q) + from, to - from, unused,
                    list + count);
    return count + to - from;
}

/* The sums of classes of a group, found when they are first wanted. */
static const int32_t *classes_at(moves_pass *w, int32_t q, int number)
{
    const group *g = &w->group[number];
    uint32_t place = places_of(w, q)[number], list[DDN_MAX_TEMPLATES];
    int32_t *sum = w->class_sum + place * w->width;
    if (w->has_classes[place])
        return sum;
    int count = g->both - g->first;
    memcpy(list, w->kept + place * w->lists, (size_t)count * sizeof *list);
    count = add_own_lists(w, q, g->moves, g->end, list, count);
    memset(sum, 0, w->width * sizeof *sum);
    ddn_linear_lists(&w->base.model->linear, list, count, sum);
    w->has_classes[place] = true;
    return sum;
}

/* total[i] += a[i] + b[i] + c[i] + d[i]: several at a time, so that totals need not be written and
 * read again for each of them. */
DDN_TARGETS
static void add_four(int32_t *restrict total, const int32_t *a, const int32_t *b, const int32_t *c,
                     const int32_t *d, size_t width)
{
    for (size_t i = 0; i < width; i++)
        total[i] += a[i] + b[i] + c[i] + d[i];
}

static void add_groups(moves_pass *w, int32_t q, int32_t *total)
{
    const int32_t *sum[MOST_GROUPS + 4];
    int count = 0;
    for (int g = 1; g < w->groups; g++)
        sum[count++] = classes_at(w, q, g);
    while (count % 4)
        sum[count++] = w->nothing;
    for (int i = 0; i < count; i += 4)
        add_four(total, sum[i], sum[i + 1], sum[i + 2], sum[i + 3], w->width);
}

/* The sums of all classes of a query: those of one type cost as much as those of all. */
static const int32_t *sum_classes(moves_pass *w, int32_t q)
{
    const ddn_templates *t = &w->base.model->features.templates;
    uint32_t list[DDN_MAX_TEMPLATES];
    int32_t *total = w->base.sum, first = w->shared[q].query;
    if (w->base.summed == q)
        return total;
    int count;
    memset(total, 0, w->width * sizeof *total);
    if (w->groups == 1) {
        bool placed = first != q;
        count = t->from;
        memcpy(list, w->list + at(w, first), (size_t)count * sizeof *list);
        if (placed) {
            memcpy(list + count, w->list + at(w, q) + t->from,
                   (size_t)(t->both - t->from) * sizeof *list);
            count += t->both - t->from;
        }
        count = add_own_lists(w, q, placed ? t->moves : t->labels, t->templates, list, count);
    } else {
        const group *g = &w->group[0];
        count = g->both - g->first;
        memcpy(list, w->list + at(w, q) + g->first, (size_t)count * sizeof *list);
        count = add_own_lists(w, q, g->moves, g->end, list, count);
        add_groups(w, q, total);
    }
    ddn_linear_lists(&w->base.model->linear, list, count, total);
    w->base.summed = q;
    return total;
}

static const int32_t *labels(ddn_perceptron_pass *p, const ddn_arc_query *q)
{
    return sum_classes((moves_pass *)p, q->query) +
           ddn_features_class(&p->model->features, q->kind);
}

/* ---- Learning ---- */

/* The keys of the templates with that use, in their order, as the query saw them.  The first view
 * of the configuration has those for moves that do not see p. */
static int keys_for(const moves_pass *w, int32_t q, uint8_t use, uint64_t *key)
{
    const ddn_templates *t = &w->base.model->features.templates;
    int32_t first = w->shared[q].query;
    int count = 0;
    for (int i = 0; i < t->templates; i++) {
        bool own = t->line[i].sees_p || i >= t->moves;
        if ((t->line[i].use & use) && (!t->line[i].sees_p || first != q))
            key[count++] = w->key[at(w, own ? q : first) + (size_t)i];
    }
    return count;
}

static int learn_move(ddn_perceptron_pass *p, int32_t query, const ddn_adjoint *d, int m,
                      dodona_error *err)
{
    uint64_t key[DDN_MAX_TEMPLATES];
    int count = keys_for((moves_pass *)p, query, DDN_FOR_MOVES, key);
    int status = ddn_updates_keys(&p->updates, key, count, err);
    for (int i = 0; i < m && status >= 0; i++)
        status =
            ddn_updates_change(&p->updates, (uint16_t)d[i].output, false, -(int32_t)d[i].d, err);
    return status;
}

static int learn_label(ddn_perceptron_pass *p, const ddn_arc_query *q, const ddn_adjoint *d, int m,
                       dodona_error *err)
{
    moves_pass *w = (moves_pass *)p;
    uint64_t key[DDN_MAX_TEMPLATES];
    uint32_t class = ddn_features_class(&p->model->features, q->kind);
    sum_classes(w, q->query); /* which finds the keys of templates for labels alone */
    int count = keys_for(w, q->query, DDN_FOR_LABELS, key);
    int status = ddn_updates_keys(&p->updates, key, count, err);
    for (int i = 0; i < m && status >= 0; i++)
        status = ddn_updates_change(&p->updates, (uint16_t)(class + (uint32_t)d[i].output), true,
                                    -(int32_t)d[i].d, err);
    return status;
}

const ddn_pass_table ddn_pass_by_moves = {
    .size = sizeof(moves_pass),
    .init = init,
    .reserve = reserve,
    .moves = moves,
    .labels = labels,
    .learn_move = learn_move,
    .learn_label = learn_label,
};
