/* SPDX-License-Identifier: MIT */
/* perceptron_arcs.c - scores of arcs, and of moves as sums over pairs of words.
 *
 * A move scores what its arc scores, in the weights of the arc's direction and of its label, and
 * what the templates for moves give its transition type.  The former depends on head and modifier
 * alone.  The latter is a sum over pairs of places as long as no template looks at more than two of
 * s2, s1, s0 and the buffer, or at the partial tree; then the model has the head for pairs.  All
 * scores that a chart needs are a few tables of n^2 numbers (arcs and pairs), and what greedy and
 * beam search compute from views is the same sum: one model serves all searches.
 *
 * What a chart can't know is not scored in any search: a type that makes no arc does not see s2,
 * and a type that takes s2 off the stack scores its arc alone (Shi, Gomez-Rodriguez and Lee 2018;
 * Huang and Sagae 2010, Figure 3, for the shift). */
#include "model/perceptron.h"

#include "system/attardi_rules.h"

#include <string.h>

enum { SEES_S0 = 1, SEES_S1 = 2, SEES_S2 = 4, SEES_BUFFER = 8 };

typedef struct arcs_pass {
    ddn_perceptron_pass base;
    uint64_t *key;  /* [queries][templates] of the last call: for moves, or for arcs */
    uint32_t *list; /* [queries][templates] */
    struct arc_view {
        int32_t base; /* the query with the keys for moves */
        bool right;   /* the direction of the arc */
    } * of;           /* [queries] */
    int32_t sentence; /* where summed is DDN_SUMMED_ARC, */
    ddn_arc arc;      /* and its arc, */
    int32_t alone;    /* and the score of that without a label */
    uint64_t arc_key[DDN_MAX_TEMPLATES];
} arcs_pass;

static int arc_column(const ddn_perceptron *m, bool right)
{
    return m->features.columns - DDN_DIRECTIONS + right;
}

static uint16_t arc_class(const ddn_perceptron *m, bool right, int32_t label)
{
    return (uint16_t)(right * (int32_t)m->base.schema->labels.count + label);
}

/* ---- Configurations ---- */

static void reserve(ddn_perceptron_pass *p, size_t queries)
{
    arcs_pass *w = (arcs_pass *)p;
    size_t room = queries * (size_t)p->model->features.templates.templates;
    w->key = ddn_arena_take(&p->queries, room, sizeof *w->key);
    w->list = ddn_arena_take(&p->queries, room, sizeof *w->list);
    w->of = ddn_arena_take(&p->queries, queries, sizeof *w->of);
}

static size_t at(const arcs_pass *w, int32_t q)
{
    return (size_t)q * (size_t)w->base.model->features.templates.templates;
}

static void find_keys(const arcs_pass *w, const uint32_t *atom, int from, int to, uint64_t *key)
{
    const ddn_perceptron *m = w->base.model;
    ddn_linear_keys(&m->linear, m->features.feature, atom, from, to, key);
}

static void hash_query(arcs_pass *w, const ddn_query *query, int32_t q)
{
    const ddn_perceptron *m = w->base.model;
    const ddn_templates *t = &m->features.templates;
    const ddn_view *view = query->view;
    const ddn_encoded *e = &w->base.encoded.of[query->sentence];
    uint32_t atom[DDN_MAX_ATOMS];
    w->of[q] = (struct arc_view){ .base = q - view->back };
    if (view->back) {
        ddn_read_atoms_of_p(t, e, view, atom);
        find_keys(w, atom, t->arcs, t->templates, w->key + at(w, q));
        w->of[q].right = view->slot[m->head_slot].word < view->slot[m->child_slot].word;
    } else {
        ddn_read_atoms(t, e, view, atom);
        find_keys(w, atom, 0, t->arcs, w->key + at(w, q));
    }
}

/* Whether template i counts for a transition type. */
static bool counts(const ddn_perceptron *m, int i, int kind)
{
    return !(m->deep >> kind & 1) &&
           (m->base.schema->system->kind[kind].makes_arc || !m->sees_s2[i]);
}

/* What templates for moves give each type. */
static void score_moves(arcs_pass *w, int32_t q, ddn_score *score)
{
    const ddn_perceptron *m = w->base.model;
    const uint64_t *key = w->key + at(w, q);
    memset(score, 0, DDN_MAX_KINDS * sizeof *score);
    for (int i = 0; i < m->features.templates.arcs; i++) {
        int32_t sum[DDN_MAX_KINDS + DDN_DIRECTIONS] = { 0 };
        uint32_t list;
        ddn_linear_rows(&m->linear, &key[i], 1, sum, &list);
        for (int k = 0; k < m->base.schema->system->kinds; k++)
            if (counts(m, i, k))
                score[k] += sum[k];
    }
}

static void score_arc(arcs_pass *w, int32_t q, const ddn_score *moves, ddn_score *score)
{
    const ddn_perceptron *m = w->base.model;
    const ddn_templates *t = &m->features.templates;
    const ddn_system *system = m->base.schema->system;
    int32_t sum[DDN_MAX_KINDS + DDN_DIRECTIONS] = { 0 };
    size_t first = at(w, q) + (size_t)t->arcs;
    ddn_linear_rows(&m->linear, w->key + first, t->templates - t->arcs, sum, w->list + first);
    for (int k = 0; k < system->kinds; k++)
        score[k] = moves[k] + (system->kind[k].makes_arc ? sum[arc_column(m, w->of[q].right)] : 0);
}

static void moves(ddn_perceptron_pass *p, const ddn_query *query, int m, ddn_score *score)
{
    arcs_pass *w = (arcs_pass *)p;
    w->base.summed = DDN_SUMMED_NONE;
    for (int32_t q = 0; q < m; q++)
        hash_query(w, &query[q], q);
    for (int32_t q = 0; q < m; q++) {
        ddn_score *of = score + (size_t)q * DDN_MAX_KINDS;
        if (query[q].view->back)
            score_arc(w, q, score + (size_t)w->of[q].base * DDN_MAX_KINDS, of);
        else
            score_moves(w, q, of);
    }
}

/* ---- Arcs ---- */

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

/* The keys, the lists and the score without a label of an arc that no move makes. */
static void find_arc(arcs_pass *w, int32_t sentence, ddn_arc arc, uint32_t *list)
{
    const ddn_perceptron *m = w->base.model;
    const ddn_templates *t = &m->features.templates;
    const ddn_encoded *e = &w->base.encoded.of[sentence];
    uint32_t atom[DDN_MAX_ATOMS];
    int32_t sum[DDN_MAX_KINDS + DDN_DIRECTIONS] = { 0 };
    ddn_view view;
    fill_view(&t->layout, &(places){ e->n, { -1, -1, -1 }, e->n + 1, arc.head, arc.child }, &view);
    ddn_read_atoms_of_p(t, e, &view, atom);
    find_keys(w, atom, t->arcs, t->templates, w->arc_key);
    ddn_linear_rows(&m->linear, w->arc_key + t->arcs, t->templates - t->arcs, sum, list);
    w->alone = sum[arc_column(m, arc.head < arc.child)];
}

/* The sums of all labels of an arc. */
static const int32_t *sum_arc(arcs_pass *w, int32_t sentence, ddn_arc arc)
{
    const ddn_perceptron *m = w->base.model;
    const ddn_templates *t = &m->features.templates;
    uint32_t list[DDN_MAX_TEMPLATES];
    find_arc(w, sentence, arc, list);
    memset(w->base.sum, 0, ddn_features_classes(&m->features) * sizeof *w->base.sum);
    ddn_linear_lists(&m->linear, list, t->templates - t->arcs, w->base.sum);
    w->base.summed = DDN_SUMMED_ARC;
    w->sentence = sentence;
    w->arc = arc;
    return w->base.sum + arc_class(m, arc.head < arc.child, 0);
}

static bool is_summed(const arcs_pass *w, const ddn_arc_query *q)
{
    return q->query >= 0 ? w->base.summed == q->query
                         : w->base.summed == DDN_SUMMED_ARC && w->sentence == q->sentence &&
                               w->arc.head == q->arc.head && w->arc.child == q->arc.child;
}

/* The sums of all labels of an arc; labels of one arc are asked for one after the other. */
static const int32_t *labels(ddn_perceptron_pass *p, const ddn_arc_query *q)
{
    arcs_pass *w = (arcs_pass *)p;
    const ddn_templates *t = &p->model->features.templates;
    uint32_t list[DDN_MAX_TEMPLATES];
    size_t count = (size_t)(t->templates - t->arcs);
    bool right = q->arc.head < q->arc.child;
    if (is_summed(w, q))
        return p->sum + arc_class(p->model, right, 0);
    if (q->query < 0)
        return sum_arc(w, q->sentence, q->arc);
    memset(p->sum, 0, ddn_features_classes(&p->model->features) * sizeof *p->sum);
    memcpy(list, w->list + at(w, q->query) + t->arcs, count * sizeof *list);
    ddn_linear_lists(&p->model->linear, list, (int)count, p->sum);
    w->base.summed = q->query;
    return p->sum + arc_class(p->model, right, 0);
}

int ddn_perceptron_arcs(ddn_pass *base, int sentence, ddn_score *to, uint16_t *label,
                        dodona_error *err)
{
    arcs_pass *w = (arcs_pass *)base;
    (void)err;
    size_t n = (size_t)w->base.encoded.of[sentence].n;
    for (size_t h = 0; h <= n; h++)
        for (size_t d = 1; d <= n; d++) {
            if (h == d)
                continue;
            const int32_t *of = sum_arc(w, sentence, (ddn_arc){ (int32_t)h, (int32_t)d });
            uint16_t best = ddn_schema_best_label(base->model->schema, h == 0, of);
            label[h * (n + 1) + d] = best;
            to[h * (n + 1) + d] = w->alone + of[best];
        }
    return DODONA_OK;
}

/* ---- Learning ---- */

static int change(arcs_pass *w, const uint64_t *key, int count, uint16_t output, bool is_class,
                  ddn_score d, dodona_error *err)
{
    int status = ddn_updates_keys(&w->base.updates, key, count, err);
    return status < 0 ? status
                      : ddn_updates_change(&w->base.updates, output, is_class, -(int32_t)d, err);
}

/* One transition type: its templates for moves, and those of its arc where the query has one. */
static int learn_kind(arcs_pass *w, int32_t q, const ddn_adjoint *d, dodona_error *err)
{
    const ddn_perceptron *m = w->base.model;
    const ddn_templates *t = &m->features.templates;
    const struct arc_view *of = &w->of[q];
    uint64_t key[DDN_MAX_TEMPLATES];
    int count = 0;
    for (int i = 0; i < t->arcs; i++)
        if (counts(m, i, d->output))
            key[count++] = w->key[at(w, of->base) + (size_t)i];
    int status = change(w, key, count, (uint16_t)d->output, false, d->d, err);
    if (status < 0 || of->base == q)
        return status;
    return change(w, w->key + at(w, q) + t->arcs, t->templates - t->arcs,
                  (uint16_t)arc_column(m, of->right), false, d->d, err);
}

static int learn_move(ddn_perceptron_pass *p, int32_t query, const ddn_adjoint *d, int m,
                      dodona_error *err)
{
    int status = DODONA_OK;
    for (int i = 0; i < m && status >= 0; i++)
        status = learn_kind((arcs_pass *)p, query, &d[i], err);
    return status;
}

static int learn_label(ddn_perceptron_pass *p, const ddn_arc_query *q, const ddn_adjoint *d, int m,
                       dodona_error *err)
{
    arcs_pass *w = (arcs_pass *)p;
    const ddn_templates *t = &p->model->features.templates;
    bool right = q->arc.head < q->arc.child;
    int status = DODONA_OK, count = t->templates - t->arcs;
    if (q->query < 0 && !is_summed(w, q))
        sum_arc(w, q->sentence, q->arc); /* which finds the keys */
    const uint64_t *key = q->query < 0 ? w->arc_key : w->key + at(w, q->query);
    for (int i = 0; i < m && status >= 0; i++) {
        if (q->query < 0)
            status = change(w, key + t->arcs, count, (uint16_t)arc_column(p->model, right), false,
                            d[i].d, err);
        if (status >= 0)
            status = change(w, key + t->arcs, count, arc_class(p->model, right, d[i].output), true,
                            d[i].d, err);
    }
    return status;
}

/* ---- Pairs ---- */

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

/* What the templates of a pair give every type. */
static void score_pair(const arcs_pass *w, const ddn_encoded *e, int pair, const places *p,
                       int32_t *sum)
{
    const ddn_perceptron *m = w->base.model;
    const ddn_templates *t = &m->features.templates;
    const ddn_pair_plan *plan = &m->pair[pair];
    uint32_t atom[DDN_MAX_ATOMS], list[DDN_MAX_TEMPLATES];
    uint64_t key[DDN_MAX_TEMPLATES];
    ddn_view view;
    fill_view(&t->layout, p, &view);
    ddn_read_atoms_listed(t, e, &view, plan->atom, plan->atoms, atom);
    for (int i = 0; i < plan->templates; i++)
        key[i] = ddn_feature_key(&m->features.feature[plan->template[i]], atom);
    ddn_linear_prefetch(&m->linear, key, plan->templates);
    ddn_linear_rows(&m->linear, key, plan->templates, sum, list);
}

void ddn_perceptron_pairs(ddn_pass *base, int sentence, const ddn_pair_scores *to)
{
    const arcs_pass *w = (const arcs_pass *)base;
    const ddn_perceptron *m = w->base.model;
    const ddn_encoded *e = &w->base.encoded.of[sentence];
    const ddn_system *system = base->model->schema->system;
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
                    bool is_scored = !(m->deep >> k & 1) && (system->kind[k].makes_arc || !s2);
                    to->score[k][pair][row * to->stride + column] = is_scored ? sum[k] : 0;
                }
            }
    }
}

/* ---- What follows from the templates ---- */

/* The place where an address starts, as a SEES_ bit; 0 where no table over pairs has the word. */
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

/* The pair that has all of these places; -1: none. */
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

static void plan_template(ddn_pair_plan *p, const ddn_templates *t, int i)
{
    p->template[p->templates++] = (uint8_t)i;
    for (int j = 0; j < t->line[i].arity; j++)
        if (!memchr(p->atom, t->line[i].atom[j], (size_t)p->atoms))
            p->atom[p->atoms++] = t->line[i].atom[j];
}

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

/* Plans the pairs, or notes the first template that reads more than a pair. */
static void plan_pairs(ddn_perceptron *m)
{
    const ddn_templates *t = &m->features.templates;
    for (int i = 0; i < t->arcs && !m->why; i++) {
        int seen = places_of(t, &t->line[i]), pair = pair_of(seen);
        m->bad_template = t->line[i].number;
        if (!m->base.schema->system->rules)
            m->why = "with this system it scores arcs alone, those below [arcs]";
        else if (seen < 0)
            m->why = "it sees more than words at s2, s1, s0 and in the buffer, and next to them";
        else if (pair < 0)
            m->why = "it sees more than two of s2, s1, s0 and the buffer";
        else
            plan_template(&m->pair[pair], t, i);
    }
}

void ddn_perceptron_plan_arcs(ddn_perceptron *m)
{
    const ddn_templates *t = &m->features.templates;
    m->deep = deep_kinds(m->base.schema->system);
    for (int i = 0; i < t->arcs; i++)
        m->sees_s2[i] = sees_s2(t, &t->line[i]);
    for (int i = 0; i < t->layout.slots; i++) {
        if (t->layout.address[i].link == DDN_LINK_ARC_HEAD)
            m->head_slot = i;
        if (t->layout.address[i].link == DDN_LINK_CHILD)
            m->child_slot = i;
    }
    plan_pairs(m);
    m->base.beside = t->arcs > 0;
    m->base.heads |= DDN_HEAD_ARCS | (t->arcs > 0 && !m->why ? DDN_HEAD_PAIRS : 0u);
}

const ddn_pass_table ddn_pass_by_arcs = {
    .size = sizeof(arcs_pass),
    .reserve = reserve,
    .moves = moves,
    .labels = labels,
    .learn_move = learn_move,
    .learn_label = learn_label,
};
