/* SPDX-License-Identifier: MIT */
/* arcs.c - scores of arcs, and of moves as sums over pairs of words.
 *
 * A move earns what its arc earns, in the weights of the arc's direction and of its label, and what
 * the templates for moves give its kind.  The former depends on head and modifier alone.  The
 * latter is a sum over pairs of places as long as no template looks at more than two of s2, s1, s0
 * and the buffer, or at the partial tree; decompose sees to that.  Then all scores that a chart
 * needs are a few tables of n^2 numbers (arcs and pairs), and what greedy and beam search compute
 * from views (kinds and label) is the same sum: one model serves all searches.
 *
 * What no chart can know does not count in any search: a kind that makes no arc does not see s2,
 * and a kind that takes s2 off the stack earns its arc alone (Shi, Gomez-Rodriguez and Lee 2018;
 * Huang and Sagae 2010, Figure 3, for the shift).
 *
 * Weights are frozen or change; both give sums and lists by key. */
#include "model/arcs.h"

#include "core/array.h"

#include <stdlib.h>
#include <string.h>

enum { SEES_S0 = 1, SEES_S1 = 2, SEES_S2 = 4, SEES_BUFFER = 8 };

/* The templates for moves that see a pair, and their atoms. */
typedef struct pair_plan {
    int templates, atoms;
    uint8_t template[DDN_MAX_TEMPLATES], atom[DDN_MAX_ATOMS];
} pair_plan;

enum { OF_NONE = -1, OF_ARC = -2 };

typedef struct arc_scoring {
    ddn_scoring base;
    const ddn_schema *schema;
    const ddn_frozen *frozen; /* one of the two */
    ddn_weights *weights;
    int head_slot, child_slot;
    uint32_t deep; /* kinds that take s2, or what is below it, off the stack */
    bool sees_s2[DDN_MAX_TEMPLATES];
    pair_plan pair[DDN_PAIRS]; /* after decompose */
    ddn_encodings encoded;
    uint64_t *key;  /* [views][templates] of the last call: for moves, or for arcs */
    uint32_t *list; /* [views][templates] */
    struct arc_view {
        int base;   /* the view with the keys for moves */
        bool right; /* the direction of the arc */
    } * of;         /* [views] */
    int32_t *sum;   /* [classes] of view summed; or of an arc, or of none */
    int summed;
    ddn_arc arc;   /* where summed is OF_ARC */
    int32_t alone; /* its score without a label */
    size_t key_cap, list_cap, of_cap, sum_cap;
} arc_scoring;

/* ---- Weights ---- */

static void fetch(const arc_scoring *w, uint64_t key)
{
    if (w->frozen)
        ddn_frozen_prefetch(w->frozen, key);
    else
        ddn_weights_prefetch(w->weights, key);
}

/* Adds the rows of n keys to sum[columns]; list names their classes. */
static void add_rows(const arc_scoring *w, const uint64_t *key, int n, int32_t *sum, uint32_t *list)
{
    if (w->frozen) {
        ddn_frozen_kinds(w->frozen, key, n, sum, list);
        return;
    }
    const ddn_weights *m = w->weights;
    for (int i = 0; i < n; i++) {
        list[i] = ddn_weights_find(m, key[i]);
        __builtin_prefetch(&m->list[list[i]]);
        const int32_t *row = m->w + (size_t)list[i] * (size_t)m->kinds;
        for (int k = 0; k < m->kinds; k++)
            sum[k] += row[k];
    }
}

/* Adds the weights of n lists to sum[class]. */
static void add_classes(const arc_scoring *w, uint32_t *list, int n, int32_t *sum)
{
    if (w->frozen) {
        ddn_frozen_classes(w->frozen, list, n, sum);
        return;
    }
    const ddn_weights *m = w->weights;
    for (int i = 0; i < n; i++) {
        struct ddn_list l = m->list[list[i]];
        for (unsigned j = 0; j < l.count; j++)
            sum[m->class[l.at + j].class] += m->class[l.at + j].w;
    }
}

static int arc_column(const arc_scoring *w, bool right)
{
    return w->schema->columns - DDN_DIRECTIONS + right;
}

static uint16_t arc_class(const arc_scoring *w, bool right, uint16_t label)
{
    return (uint16_t)(right * w->schema->labels.count + label);
}

/* ---- Configurations ---- */

static void close_scoring(ddn_scoring *g)
{
    arc_scoring *w = (arc_scoring *)g;
    ddn_encodings_fini(&w->encoded);
    free(w->key);
    free(w->list);
    free(w->of);
    free(w->sum);
    free(w);
}

static int reserve(ddn_scoring *g, int views, dodona_error *err)
{
    arc_scoring *w = (arc_scoring *)g;
    size_t m = (size_t)views, room = m * (size_t)w->schema->templates.templates;
    if (!ddn_reserve(&w->key, &w->key_cap, room, sizeof *w->key) ||
        !ddn_reserve(&w->list, &w->list_cap, room, sizeof *w->list) ||
        !ddn_reserve(&w->of, &w->of_cap, m, sizeof *w->of) ||
        !ddn_reserve(&w->sum, &w->sum_cap, ddn_schema_classes(w->schema), sizeof *w->sum))
        return ddn_fail_memory(err);
    return DODONA_OK;
}

static int begin(ddn_scoring *g, const ddn_sentence *const *s, int m, dodona_error *err)
{
    arc_scoring *w = (arc_scoring *)g;
    return ddn_encode_all(&w->encoded, &w->schema->templates, s, m, err);
}

static const ddn_encoded *encoded(const ddn_scoring *g, int which)
{
    return &((const arc_scoring *)g)->encoded.of[which];
}

static size_t at(const arc_scoring *w, int v)
{
    return (size_t)v * (size_t)w->schema->templates.templates;
}

/* The keys of templates from..to-1, on their way. */
static void find_keys(const arc_scoring *w, const uint32_t *atom, int from, int to, uint64_t *key)
{
    const ddn_templates *t = &w->schema->templates;
    for (int i = from; i < to; i++) {
        key[i] = ddn_feature_key(t, &w->schema->hashing, atom, i);
        fetch(w, key[i]);
    }
}

static void hash_view(arc_scoring *w, int which, const ddn_view *view, int v)
{
    const ddn_templates *t = &w->schema->templates;
    uint32_t atom[DDN_MAX_ATOMS];
    w->of[v].base = v - view->back;
    if (view->back) {
        ddn_read_atoms_of_p(t, &w->encoded.of[which], view, atom);
        find_keys(w, atom, t->arcs, t->templates, w->key + at(w, v));
        w->of[v].right = view->slot[w->head_slot].word < view->slot[w->child_slot].word;
    } else {
        ddn_read_atoms(t, &w->encoded.of[which], view, atom);
        find_keys(w, atom, 0, t->arcs, w->key + at(w, v));
    }
}

/* What templates for moves give each kind. */
static void score_moves(arc_scoring *w, int v, ddn_score *score)
{
    const ddn_system *system = w->schema->system;
    const uint64_t *key = w->key + at(w, v);
    memset(score, 0, DDN_MAX_KINDS * sizeof *score);
    for (int i = 0; i < w->schema->templates.arcs; i++) {
        int32_t sum[DDN_MAX_KINDS + DDN_DIRECTIONS] = { 0 };
        uint32_t list;
        add_rows(w, &key[i], 1, sum, &list);
        for (int k = 0; k < system->kinds; k++)
            if (!(w->deep >> k & 1) && (system->kind[k].makes_arc || !w->sees_s2[i]))
                score[k] += sum[k];
    }
}

static void score_arc(arc_scoring *w, int v, const ddn_score *moves, ddn_score *score)
{
    const ddn_templates *t = &w->schema->templates;
    const ddn_system *system = w->schema->system;
    int32_t sum[DDN_MAX_KINDS + DDN_DIRECTIONS] = { 0 };
    size_t first = at(w, v) + (size_t)t->arcs;
    add_rows(w, w->key + first, t->templates - t->arcs, sum, w->list + first);
    for (int k = 0; k < system->kinds; k++)
        score[k] = moves[k] + (system->kind[k].makes_arc ? sum[arc_column(w, w->of[v].right)] : 0);
}

static void kinds(ddn_scoring *g, int which, const ddn_view *views, int m, ddn_score *score)
{
    arc_scoring *w = (arc_scoring *)g;
    w->summed = OF_NONE;
    for (int v = 0; v < m; v++)
        hash_view(w, which, &views[v], v);
    for (int v = 0; v < m; v++) {
        ddn_score *of = score + v * DDN_MAX_KINDS;
        if (views[v].back)
            score_arc(w, v, of - views[v].back * DDN_MAX_KINDS, of);
        else
            score_moves(w, v, of);
    }
}

/* The sums of all labels of the arc of view v. */
static const int32_t *sum_labels(arc_scoring *w, int v)
{
    const ddn_templates *t = &w->schema->templates;
    uint32_t list[DDN_MAX_TEMPLATES];
    if (w->summed != v) {
        memset(w->sum, 0, ddn_schema_classes(w->schema) * sizeof *w->sum);
        memcpy(list, w->list + at(w, v) + t->arcs, (size_t)(t->templates - t->arcs) * sizeof *list);
        add_classes(w, list, t->templates - t->arcs, w->sum);
        w->summed = v;
    }
    return w->sum + arc_class(w, w->of[v].right, 0);
}

static uint16_t label(ddn_scoring *g, int v, int kind, ddn_arc arc, ddn_score *score)
{
    arc_scoring *w = (arc_scoring *)g;
    const int32_t *of = sum_labels(w, v);
    uint16_t best = ddn_schema_best_of(w->schema, arc.head == 0, of);
    (void)kind;
    *score = of[best];
    return best;
}

static ddn_score label_score(ddn_scoring *g, int v, int kind, uint16_t label_id)
{
    (void)kind;
    return sum_labels((arc_scoring *)g, v)[label_id];
}

/* ---- Learning ---- */

int ddn_arc_scoring_move(ddn_scoring *g, int v, int kind, int32_t delta, dodona_error *err)
{
    arc_scoring *w = (arc_scoring *)g;
    const ddn_templates *t = &w->schema->templates;
    bool makes_arc = w->schema->system->kind[kind].makes_arc;
    int status = DODONA_OK;
    const uint64_t *key = w->key + at(w, w->of[v].base);
    w->summed = OF_NONE;
    for (int i = 0; i < t->arcs && !(w->deep >> kind & 1) && status >= 0; i++)
        if (makes_arc || !w->sees_s2[i])
            status = ddn_weights_add_kind(w->weights, key[i], kind, delta, err);
    key = w->key + at(w, v);
    for (int i = t->arcs; i < t->templates && makes_arc && status >= 0; i++)
        status =
            ddn_weights_add_kind(w->weights, key[i], arc_column(w, w->of[v].right), delta, err);
    return status;
}

int ddn_arc_scoring_label(ddn_scoring *g, int v, uint16_t label_id, int32_t delta,
                          dodona_error *err)
{
    arc_scoring *w = (arc_scoring *)g;
    const ddn_templates *t = &w->schema->templates;
    const uint64_t *key = w->key + at(w, v);
    int status = DODONA_OK;
    w->summed = OF_NONE;
    for (int i = t->arcs; i < t->templates && status >= 0; i++)
        status = ddn_weights_add_class(w->weights, key[i], arc_class(w, w->of[v].right, label_id),
                                       delta, err);
    return status;
}

/* ---- Tables ---- */

/* The words at the places of a pair, or of an arc. */
typedef struct places {
    int32_t n, stack[3], next, head, child;
} places;

/* The view of the slots that start from places, and what is next to them.  The others show
 * nothing. */
static void fill_view(const ddn_layout *l, const places *p, ddn_view *v)
{
    v->back = 0;
    for (int i = 0; i < l->slots; i++) {
        ddn_address a = l->address[i];
        int32_t from = a.from < 0 ? -1 : v->slot[a.from].word, word = -1;
        if (a.link == DDN_LINK_STACK && a.index < 3)
            word = p->stack[a.index];
        else if (a.link == DDN_LINK_BUFFER)
            word = p->next + a.index <= p->n ? p->next + a.index : -1;
        else if (a.link == DDN_LINK_ARC_HEAD)
            word = p->head;
        else if (a.link == DDN_LINK_CHILD)
            word = p->child;
        else if (a.link == DDN_LINK_PREV && from >= 0)
            word = from - 1;
        else if (a.link == DDN_LINK_NEXT && from >= 0)
            word = from < p->n ? from + 1 : -1;
        v->slot[i].word = word;
    }
}

/* The sums of all labels of an arc; its score without a label goes to w->alone. */
static const int32_t *sum_arc(arc_scoring *w, int which, ddn_arc arc)
{
    const ddn_templates *t = &w->schema->templates;
    const ddn_encoded *e = &w->encoded.of[which];
    uint32_t atom[DDN_MAX_ATOMS], list[DDN_MAX_TEMPLATES];
    uint64_t key[DDN_MAX_TEMPLATES];
    int32_t sum[DDN_MAX_KINDS + DDN_DIRECTIONS] = { 0 };
    bool right = arc.head < arc.child;
    ddn_view view;
    fill_view(&t->layout, &(places){ e->n, { -1, -1, -1 }, e->n + 1, arc.head, arc.child }, &view);
    ddn_read_atoms_of_p(t, e, &view, atom);
    find_keys(w, atom, t->arcs, t->templates, key);
    add_rows(w, key + t->arcs, t->templates - t->arcs, sum, list);
    memset(w->sum, 0, ddn_schema_classes(w->schema) * sizeof *w->sum);
    add_classes(w, list, t->templates - t->arcs, w->sum);
    w->alone = sum[arc_column(w, right)];
    return w->sum + arc_class(w, right, 0);
}

static void arcs(ddn_scoring *g, int which, ddn_score *to, uint16_t *labels)
{
    arc_scoring *w = (arc_scoring *)g;
    int32_t n = w->encoded.of[which].n;
    for (int32_t h = 0; h <= n; h++)
        for (int32_t m = 1; m <= n; m++) {
            size_t cell = (size_t)h * ((size_t)n + 1) + (size_t)m;
            if (h == m)
                continue;
            const int32_t *of = sum_arc(w, which, (ddn_arc){ h, m });
            labels[cell] = ddn_schema_best_of(w->schema, h == 0, of);
            to[cell] = w->alone + of[labels[cell]];
        }
    w->summed = OF_NONE;
}

/* Labels of one arc are asked for one after the other. */
static ddn_score arc(ddn_scoring *g, int which, ddn_arc of, uint16_t label_id)
{
    arc_scoring *w = (arc_scoring *)g;
    if (w->summed != OF_ARC || w->arc.head != of.head || w->arc.child != of.child)
        sum_arc(w, which, of);
    w->summed = OF_ARC;
    w->arc = of;
    return w->alone + w->sum[arc_class(w, of.head < of.child, label_id)];
}

/* The words x < y at the places of a pair. */
static places at_pair(int pair, int32_t n, int32_t x, int32_t y)
{
    places p = { n, { -1, -1, -1 }, n + 1, -1, -1 };
    bool x_is_s2 = pair == DDN_PAIR_S2_S0 || pair == DDN_PAIR_S2_S1 || pair == DDN_PAIR_S2_B0;
    bool x_is_s1 = pair == DDN_PAIR_S1_S0 || pair == DDN_PAIR_S1_B0;
    p.stack[x_is_s2 ? 2 : x_is_s1 ? 1 : 0] = x;
    if (pair == DDN_PAIR_S1_S0 || pair == DDN_PAIR_S2_S0)
        p.stack[0] = y;
    else if (pair == DDN_PAIR_S2_S1)
        p.stack[1] = y;
    else
        p.next = y;
    return p;
}

/* What the templates of a pair give every kind. */
static void score_pair(const arc_scoring *w, const ddn_encoded *e, int pair, const places *p,
                       int32_t *sum)
{
    const ddn_templates *t = &w->schema->templates;
    const pair_plan *plan = &w->pair[pair];
    uint32_t atom[DDN_MAX_ATOMS], list[DDN_MAX_TEMPLATES];
    uint64_t key[DDN_MAX_TEMPLATES];
    ddn_view view;
    fill_view(&t->layout, p, &view);
    ddn_read_atoms_listed(t, e, &view, plan->atom, plan->atoms, atom);
    for (int i = 0; i < plan->templates; i++) {
        key[i] = ddn_feature_key(t, &w->schema->hashing, atom, plan->template[i]);
        fetch(w, key[i]);
    }
    add_rows(w, key, plan->templates, sum, list);
}

static void pairs(ddn_scoring *g, int which, const ddn_pair_scores *to)
{
    arc_scoring *w = (arc_scoring *)g;
    const ddn_encoded *e = &w->encoded.of[which];
    const ddn_system *system = w->schema->system;
    for (int pair = 0; pair < DDN_PAIRS; pair++) {
        bool buffer = pair == DDN_PAIR_B0_S0 || pair == DDN_PAIR_S1_B0 || pair == DDN_PAIR_S2_B0;
        bool s2 = pair == DDN_PAIR_S2_S0 || pair == DDN_PAIR_S2_S1 || pair == DDN_PAIR_S2_B0;
        for (int32_t x = -1; x <= e->n; x++)
            for (int32_t y = x + 1; y <= e->n + buffer; y++) {
                int32_t sum[DDN_MAX_KINDS + DDN_DIRECTIONS] = { 0 };
                places p = at_pair(pair, e->n, x, y);
                score_pair(w, e, pair, &p, sum);
                size_t row = (size_t)((pair == DDN_PAIR_B0_S0 ? y : x) + 1);
                size_t column = (size_t)((pair == DDN_PAIR_B0_S0 ? x : y) + 1);
                for (int k = 0; k < system->kinds; k++) {
                    bool counts = !(w->deep >> k & 1) && (system->kind[k].makes_arc || !s2);
                    to->score[k][pair][row * to->stride + column] = counts ? sum[k] : 0;
                }
            }
    }
}

/* ---- What decomposes ---- */

/* Where an address starts, or 0 where no table can follow it. */
static int start_of(const ddn_layout *l, int slot)
{
    for (; l->address[slot].from >= 0; slot = l->address[slot].from)
        if (l->address[slot].link != DDN_LINK_PREV && l->address[slot].link != DDN_LINK_NEXT)
            return 0;
    if (l->address[slot].link == DDN_LINK_BUFFER)
        return SEES_BUFFER;
    return l->address[slot].link == DDN_LINK_STACK && l->address[slot].index < 3
               ? 1 << l->address[slot].index
               : 0;
}

/* The places that a template sees; -1: the partial tree, or other places. */
static int places_of(const ddn_templates *t, const struct ddn_template *line)
{
    int seen = 0;
    for (int i = 0; i < line->arity; i++) {
        const ddn_atom *a = &t->atom[line->atom[i]];
        int start = start_of(&t->layout, a->slot);
        int other = a->kind == DDN_ATOM_DISTANCE ? start_of(&t->layout, a->detail) : start;
        if (!start || !other || (a->kind != DDN_ATOM_WORD && a->kind != DDN_ATOM_DISTANCE))
            return -1;
        seen |= start | other;
    }
    return seen;
}

/* The pair that holds the places; -1: none. */
static int pair_of(int seen)
{
    static const int held[DDN_PAIRS] = {
        [DDN_PAIR_S1_S0] = SEES_S1 | SEES_S0,     [DDN_PAIR_B0_S0] = SEES_BUFFER | SEES_S0,
        [DDN_PAIR_S2_S0] = SEES_S2 | SEES_S0,     [DDN_PAIR_S2_S1] = SEES_S2 | SEES_S1,
        [DDN_PAIR_S1_B0] = SEES_S1 | SEES_BUFFER, [DDN_PAIR_S2_B0] = SEES_S2 | SEES_BUFFER,
    };
    for (int p = 0; p < DDN_PAIRS; p++)
        if ((seen & ~held[p]) == 0)
            return p;
    return -1;
}

static void plan_template(pair_plan *p, const ddn_templates *t, int i)
{
    p->template[p->templates++] = (uint8_t)i;
    for (int j = 0; j < t->line[i].arity; j++)
        if (!memchr(p->atom, t->line[i].atom[j], (size_t)p->atoms))
            p->atom[p->atoms++] = t->line[i].atom[j];
}

static int refuse(const struct ddn_template *line, const char *why, dodona_error *err)
{
    return ddn_fail(err, DODONA_E_ARGUMENT,
                    "exact search can't carry the template in line %u of the model's templates: %s",
                    (unsigned)line->number, why);
}

static int decompose(ddn_scoring *g, bool with_pairs, dodona_error *err)
{
    arc_scoring *w = (arc_scoring *)g;
    const ddn_templates *t = &w->schema->templates;
    memset(w->pair, 0, sizeof w->pair);
    for (int i = 0; i < t->arcs; i++) {
        int seen = places_of(t, &t->line[i]), pair = pair_of(seen);
        if (!with_pairs)
            return refuse(&t->line[i], "with this system it scores arcs alone, those below [arcs]",
                          err);
        if (seen < 0)
            return refuse(
                &t->line[i],
                "it sees more than words at s2, s1, s0 and in the buffer, and next to them", err);
        if (pair < 0)
            return refuse(&t->line[i], "it sees more than two of s2, s1, s0 and the buffer", err);
        plan_template(&w->pair[pair], t, i);
    }
    return t->arcs > 0;
}

/* ---- Opening ---- */

static const ddn_scorer arc_scorer = {
    .name = "perceptron over arcs",
    .facets = DDN_FACET_STATES | DDN_FACET_ARCS,
    .close = close_scoring,
    .reserve = reserve,
    .begin = begin,
    .encoded = encoded,
    .kinds = kinds,
    .label = label,
    .label_score = label_score,
    .decompose = decompose,
    .arcs = arcs,
    .arc = arc,
    .pairs = pairs,
};

/* Whether the template sees s2 or what is below it. */
static bool sees_s2(const ddn_templates *t, const struct ddn_template *line)
{
    for (int i = 0; i < line->arity; i++) {
        const ddn_atom *a = &t->atom[line->atom[i]];
        for (int end = 0; end <= (a->kind == DDN_ATOM_DISTANCE); end++) {
            int slot = end ? a->detail : a->slot;
            while (t->layout.address[slot].from >= 0)
                slot = t->layout.address[slot].from;
            if (t->layout.address[slot].link == DDN_LINK_STACK &&
                t->layout.address[slot].index >= 2)
                return true;
        }
    }
    return false;
}

static uint32_t deep_kinds(const ddn_system *system)
{
    uint32_t deep = 0;
    for (int k = 0; k < system->kinds && system->rules; k++) {
        int r = ddn_attardi_rule_find(system->kind[k].name, strlen(system->kind[k].name));
        if (r >= 0 && ddn_place_depth(ddn_attardi_rules[r].modifier) >= 2)
            deep |= 1u << k;
    }
    return deep;
}

int ddn_arc_scoring_new(const ddn_schema *schema, const ddn_frozen *frozen, ddn_weights *weights,
                        ddn_scoring **out, dodona_error *err)
{
    const ddn_templates *t = &schema->templates;
    arc_scoring *w = calloc(1, sizeof *w);
    if (!w)
        return ddn_fail_memory(err);
    w->base.scorer = &arc_scorer;
    w->base.layout = &t->layout;
    w->base.templates = t;
    w->schema = schema;
    w->frozen = frozen;
    w->weights = weights;
    w->deep = deep_kinds(schema->system);
    w->summed = OF_NONE;
    for (int i = 0; i < t->arcs; i++)
        w->sees_s2[i] = sees_s2(t, &t->line[i]);
    for (int i = 0; i < t->layout.slots; i++) {
        if (t->layout.address[i].link == DDN_LINK_ARC_HEAD)
            w->head_slot = i;
        if (t->layout.address[i].link == DDN_LINK_CHILD)
            w->child_slot = i;
    }
    *out = &w->base;
    return DODONA_OK;
}
