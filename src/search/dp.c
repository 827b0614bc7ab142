/* SPDX-License-Identifier: MIT */
/* dp.c - beam search with dynamic programming: states with equal feature kernels are merged into
 * items.
 *
 * An item stands for all derivations of one length that have the same kernel (kernel.h).  It keeps
 * two scores of the best of them, as in Figure 3 of Huang and Sagae 2010, maximised:
 *     c   prefix: all moves from the start
 *     v   inside: the moves since the word was pushed where the span of the top starts
 * An item that was pushed has predictors: the items that it was pushed from.  Together they are the
 * stack below it, shared by all derivations (Tomita's graph-structured stack).  An item that came
 * from taking a word away has the predictors of the item that was pushed where its span starts, its
 * base.
 *     push     q : c            =>  r : c + x, 0               q becomes a predictor of r
 *     take     p : c', v'
 *              q : -, v         =>  r : c' + v + d, v' + v + d      for each predictor p of q
 * where x is the score of the push at q, and d that of the push at p that led to q, plus that of
 * the move at q.  The prefix score of q plays no part: it may belong to another predictor.  The
 * start is 0 alone on the stack, and after 2n steps 0 is alone again.  All items of that last step
 * are merged, since nothing comes after them.
 *
 * Each step scores its items, lists all that can follow, and makes them the best first until B
 * different ones were made.  What comes later and equals one that was made is not better; it only
 * counts as a further predictor or, when the forest is wanted, as a further edge.  Equal items that
 * came from taking a word away have the same base, because its step follows from the span, and its
 * kernel from theirs; so the best c has the best v.  Ties go to what was listed first.
 *
 * Every tree is built in one order (ddn_joining.not_after).  An item has one label for each
 * transition type, the best one.
 *
 * Given heads and labels (search/constraint.h) can't be checked on items: an item stands for
 * several configurations, of which some may lead to a tree with the given heads and others not, and
 * which differ in the words whose labels are given.  Such a sentence is parsed by a plain beam of
 * the same width, and fallback names it.
 *
 * Cost: 2n steps, B items to score in each, up to B predictors for each.  Items lie in arrays that
 * are reused; no state is copied. */
#include "search/dp.h"

#include "core/array.h"
#include "search/kernel.h"

#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { NONE = -1, KNOWN = 4096 };

typedef struct item {
    ddn_core core;
    int32_t base;             /* itself, if it was pushed */
    int32_t p, q;             /* best way: pushed from p, or q joined with p; q NONE: pushed */
    int32_t kind;             /* transition type of the last move */
    int32_t twin;             /* an earlier item whose moves have the same scores, or NONE */
    uint32_t legal;           /* transition types */
    uint64_t hash;            /* of its signature without what ddn_core has */
    int32_t predictor, count; /* of a base: a list, and its length */
    int32_t edge, last_edge;  /* a list, where the forest is wanted */
    ddn_score c, v;
} item;

typedef struct predictor {
    int32_t item, next;
} predictor;

typedef struct edge {
    int32_t p, q, kind, next;
} edge;

/* What can follow: q pushes (p NONE), or is joined with p. */
typedef struct follower {
    ddn_score c;
    int32_t number; /* in the order in which they were listed */
    int32_t p, q, kind;
    int32_t predictor; /* p in the list of predictors */
} follower;

/* For telling moves: an item's own, or a push at it. */
typedef struct task {
    int32_t item, push;
} task;

/* The goal among the items of a step. */
typedef struct track {
    int32_t item; /* whose best derivation is the goal's, labels aside; NONE: the goal is lost */
    bool other;   /* one of its labels is not the goal's */
} track;

/* A prefix that scores higher than the goal's; item NONE: none. */
typedef struct rival {
    int32_t item;
    size_t prefix;
    ddn_score violation;
} rival;

typedef struct dp {
    ddn_searching base;
    ddn_searching *plain; /* for sentences with given heads; NULL: options->keep is not set */
    ddn_kernel kernel;
    ddn_classes classes;
    int32_t beam, n;
    int slots, kinds;
    bool forest, apart;

    item *item;
    ddn_slot *slot;   /* [items][slots] */
    ddn_score *score; /* [items][kinds] of a move, its label's included */
    uint16_t *label;  /* [items][kinds] */
    int32_t items;
    int32_t first; /* of the present step */
    predictor *predictor;
    edge *edge;
    size_t predictors, edges;

    ddn_view *view;              /* of the present step */
    int32_t first_query;         /* its first question in the batch, */
    const ddn_score *kind_score; /* and the answers */
    follower *heap;              /* the best at the root */
    int32_t followers;
    size_t total;         /* followers of the step, those that are not in the heap yet included */
    uint32_t *signature;  /* [items][kernel.size] */
    int32_t *table;       /* items of the next step by signature; 0: empty, else its place plus 1 */
    int32_t known[KNOWN]; /* items whose moves are scored, by what scores depend on */
    size_t mask;
    task *work;
    int64_t step;             /* made so far */
    track track;              /* with a goal, */
    rival found, label_rival; /* and what it lost to, or a wrong label */
    ddn_arena step_arena;     /* the view, the heap and the table: of one step */
    size_t item_cap, slot_cap, score_cap, label_cap, predictor_cap, edge_cap, signature_cap;
} dp;

/* ---- Opening ---- */

static void close_dp(ddn_searching *base)
{
    dp *w = (dp *)base;
    ddn_search_close(w->plain);
    ddn_searching_fini(&w->base);
    ddn_arena_fini(&w->step_arena);
    free(w->item);
    free(w->slot);
    free(w->score);
    free(w->label);
    free(w->predictor);
    free(w->edge);
    free(w->signature);
    free(w);
}

static int open_plain(dp *w, const ddn_search_options *options, dodona_error *err)
{
    if (!options->keep)
        return DODONA_OK;
    return ddn_search_open(ddn_search_beam.name, w->base.pass, options, &w->plain, err);
}

static int open_dp(ddn_pass *pass, const ddn_search_options *options, ddn_searching **out,
                   dodona_error *err)
{
    if (options->beam < 1 || options->beam > DODONA_MAX_BEAM)
        return ddn_fail(err, DODONA_E_ARGUMENT, "the size of a beam must be from 1 to %d",
                        DODONA_MAX_BEAM);
    dp *w = calloc(1, sizeof *w);
    if (!w)
        return ddn_fail_memory(err);
    const ddn_model *m = pass->model;
    int status = ddn_kernel_init(&w->kernel, m->schema->system, m->layout, m->reads, err);
    if (status < 0) {
        free(w);
        return status;
    }
    ddn_searching_init(&w->base, pass, options);
    w->beam = options->beam;
    w->forest = options->forest;
    w->slots = w->kernel.layout.slots;
    w->kinds = m->schema->system->kinds;
    status = open_plain(w, options, err);
    if (status < 0) {
        close_dp(&w->base);
        return status;
    }
    *out = &w->base;
    return DODONA_OK;
}

void ddn_dp_keep_apart(ddn_searching *base)
{
    ((dp *)base)->apart = true;
}

int64_t ddn_dp_items(const ddn_searching *base)
{
    return ((const dp *)base)->items;
}

/* ---- Items ---- */

static ddn_slot *slots_of(const dp *w, int32_t i)
{
    return w->slot + (size_t)i * (size_t)w->slots;
}

static uint32_t *signature_of(const dp *w, int32_t i)
{
    return w->signature + (size_t)i * (size_t)w->kernel.size;
}

static size_t at(const dp *w, int32_t i, int kind)
{
    return (size_t)i * (size_t)w->kinds + (size_t)kind;
}

static bool pushes(const dp *w, int kind)
{
    return w->base.system->joining->effect[kind].pushes;
}

/* The buffer is empty, and the stack is cleared without the system's help. */
static bool is_closing(const dp *w, int32_t i)
{
    return w->base.system->joining->closing >= 0 && w->item[i].core.next > w->n;
}

static uint32_t find_legal(const dp *w, int32_t i)
{
    const ddn_joining *j = w->base.system->joining;
    const ddn_core *c = &w->item[i].core;
    if (is_closing(w, i))
        return c->depth > 1 ? 1u << j->closing : 0;
    ddn_facts f = { .n = w->n,
                    .next = c->next,
                    .roots = w->base.roots,
                    .depth = c->depth,
                    .headed = c->headed & 1,
                    .headless = c->headless,
                    .root_taken = c->root_taken };
    return j->legal(&f) & ~(uint32_t)c->barred;
}

/* Room for that many items more. */
static int reserve_items(dp *w, size_t more, dodona_error *err)
{
    size_t items = (size_t)w->items + more;
    if (items > INT32_MAX / 2)
        return ddn_fail(err, DODONA_E_LIMIT, "a beam of %d over %d words takes too many items",
                        w->beam, w->n);
    if (!ddn_reserve(&w->item, &w->item_cap, items, sizeof *w->item) ||
        !ddn_reserve(&w->slot, &w->slot_cap, items * (size_t)w->slots, sizeof *w->slot) ||
        !ddn_reserve(&w->score, &w->score_cap, items * (size_t)w->kinds, sizeof *w->score) ||
        !ddn_reserve(&w->label, &w->label_cap, items * (size_t)w->kinds, sizeof *w->label) ||
        !ddn_reserve(&w->signature, &w->signature_cap, items * (size_t)w->kernel.size,
                     sizeof *w->signature))
        return ddn_fail_memory(err);
    return DODONA_OK;
}

/* ---- Scoring a step ---- */

static int32_t word_at(const dp *w, int32_t i, int place)
{
    if (place == DDN_JOINT_Q0)
        return w->item[i].core.next;
    return slots_of(w, i)[place == DDN_JOINT_S0 ? w->kernel.s0 : w->kernel.s1].word;
}

/* The scores of the moves of item i, whose view is number v, with the best labels. */
static void score_item(dp *w, int32_t i, int v)
{
    const ddn_system *system = w->base.system;
    ddn_pass *pass = w->base.pass;
    for (int kind = 0; kind < w->kinds; kind++) {
        if (!(w->item[i].legal >> kind & 1))
            continue;
        ddn_score label = 0;
        w->label[at(w, i, kind)] = 0;
        if (system->kind[kind].makes_arc) {
            ddn_arc arc = { word_at(w, i, system->joining->effect[kind].head),
                            word_at(w, i, system->joining->effect[kind].child) };
            ddn_arc_query q = { w->first_query + v, w->base.sentence, kind, arc };
            w->label[at(w, i, kind)] = pass->model->scorer->label(pass, &q, &label);
        }
        w->score[at(w, i, kind)] = w->kind_score[v * DDN_MAX_KINDS + kind] + label;
    }
}

/* Scores depend on what the templates read and on whether s1 is the root, but not on the step or
 * the span: a seventh of all kernels, or a third, differ in these alone. */
static bool are_twins(const dp *w, int32_t i, int32_t k)
{
    const uint32_t *a = signature_of(w, i), *b = signature_of(w, k);
    size_t rest = (size_t)(w->kernel.size - DDN_KERNEL_OWN);
    return a[0] == b[0] && w->item[i].core.depth == w->item[k].core.depth &&
           (w->item[i].legal & ~w->item[k].legal) == 0 &&
           memcmp(a + DDN_KERNEL_OWN, b + DDN_KERNEL_OWN, rest * sizeof *a) == 0;
}

/* Looks for a twin of item i, or notes that i is to be scored. */
static void find_twin(dp *w, int32_t i)
{
    const uint32_t *a = signature_of(w, i);
    int32_t *known = &w->known[(w->item[i].hash ^ a[0]) % KNOWN];
    w->item[i].legal = find_legal(w, i);
    w->item[i].twin = *known != NONE && are_twins(w, i, *known) ? *known : NONE;
    if (w->item[i].twin == NONE)
        *known = i;
}

static void fill_view(const dp *w, int32_t i, ddn_view *view)
{
    view->n = w->n;
    view->depth = w->item[i].core.depth;
    view->next = w->item[i].core.next;
    view->left = view->back = 0;
    memcpy(view->slot, slots_of(w, i), (size_t)w->slots * sizeof *view->slot);
}

/* Puts the items of the step that have no twin into the batch; returns how many there are. */
static int ask_step(dp *w, ddn_batch *b, dodona_error *err)
{
    size_t items = (size_t)(w->items - w->first);
    int views = 0;
    ddn_arena_reset(&w->step_arena);
    w->view = ddn_arena_take(&w->step_arena, items, sizeof *w->view);
    if (!w->view)
        return ddn_fail_memory(err);
    int status = ddn_batch_reserve(b, items, err);
    if (status < 0)
        return status;
    w->first_query = (int32_t)b->count;
    for (int32_t i = w->first; i < w->items; i++) {
        find_twin(w, i);
        if (w->item[i].twin == NONE && !is_closing(w, i)) {
            fill_view(w, i, &w->view[views]);
            b->query[b->count++] = (ddn_query){ w->base.sentence, &w->view[views++] };
        }
    }
    return views;
}

/* The answers are there. */
static void score_step(dp *w, const ddn_batch *b)
{
    int v = 0, closing = w->base.system->joining->closing;
    w->kind_score = b->score + (size_t)w->first_query * DDN_MAX_KINDS;
    for (int32_t i = w->first; i < w->items; i++) {
        int32_t twin = w->item[i].twin;
        size_t row = (size_t)w->kinds;
        if (is_closing(w, i)) {
            w->label[at(w, i, closing)] = 0;
            w->score[at(w, i, closing)] = 0;
        } else if (twin == NONE) {
            score_item(w, i, v++);
        } else {
            memcpy(&w->label[at(w, i, 0)], &w->label[at(w, twin, 0)], row * sizeof *w->label);
            memcpy(&w->score[at(w, i, 0)], &w->score[at(w, twin, 0)], row * sizeof *w->score);
        }
    }
}

/* ---- What can follow ---- */

static bool is_better(const follower *a, const follower *b)
{
    return a->c > b->c || (a->c == b->c && a->number < b->number);
}

/* Puts x where it belongs in a heap of that size, from place i down. */
static void sink(follower *heap, int32_t size, int32_t i, follower x)
{
    for (int32_t child; (child = 2 * i + 1) < size; i = child) {
        if (child + 1 < size && is_better(&heap[child + 1], &heap[child]))
            child++;
        if (is_better(&x, &heap[child]))
            break;
        heap[i] = heap[child];
    }
    heap[i] = x;
}

/* The score of joining q with its predictor p: of the push at p that led to q, and of the move. */
static ddn_score combo(const dp *w, int32_t p, int32_t q, int kind)
{
    return w->score[at(w, p, w->item[q].core.pushed)] + w->score[at(w, q, kind)];
}

/* The follower of q by a transition type that takes a word away, with predictor k or later ones. */
static follower join_with(const dp *w, int32_t q, int kind, int32_t k, int32_t number)
{
    int32_t p = w->predictor[k].item;
    return (follower){ .c = w->item[p].c + w->item[q].v + combo(w, p, q, kind),
                       .number = number,
                       .p = p,
                       .q = q,
                       .kind = kind,
                       .predictor = k };
}

static void list_kind(dp *w, int32_t q, int kind)
{
    const item *base = &w->item[w->item[q].base];
    int32_t number = w->followers, k = base->predictor;
    w->total += pushes(w, kind) ? 1 : (size_t)base->count;
    if (pushes(w, kind))
        w->heap[w->followers++] = (follower){ .c = w->item[q].c + w->score[at(w, q, kind)],
                                              .number = number,
                                              .p = NONE,
                                              .q = q,
                                              .kind = kind,
                                              .predictor = NONE };
    else if (k != NONE)
        w->heap[w->followers++] = join_with(w, q, kind, k, number);
}

/* What can follow the items of the step, as a heap: with their best predictors only, as the others
 * come when these have gone. */
static int list_followers(dp *w, dodona_error *err)
{
    size_t room = (size_t)w->kinds * (size_t)(w->items - w->first);
    w->heap = ddn_arena_take(&w->step_arena, room, sizeof *w->heap);
    if (!w->heap)
        return ddn_fail_memory(err);
    w->followers = 0;
    w->total = 0;
    for (int32_t i = w->first; i < w->items; i++)
        for (int kind = 0; kind < w->kinds; kind++)
            if (w->item[i].legal >> kind & 1)
                list_kind(w, i, kind);
    for (int32_t i = w->followers / 2 - 1; i >= 0; i--)
        sink(w->heap, w->followers, i, w->heap[i]);
    return DODONA_OK;
}

/* The best follower.  The next with the same item and transition type takes its place. */
static follower pop(dp *w)
{
    follower best = w->heap[0];
    int32_t k = best.p == NONE ? NONE : w->predictor[best.predictor].next;
    if (k != NONE) {
        sink(w->heap, w->followers, 0, join_with(w, best.q, best.kind, k, best.number));
    } else {
        w->followers--;
        sink(w->heap, w->followers, 0, w->heap[w->followers]);
    }
    return best;
}

/* ---- The next step ---- */

/* The place in the table of an item of this signature, or where it would be. */
static size_t find(const dp *w, int32_t first, const uint32_t *signature)
{
    uint64_t own = XXH3_64bits(signature, DDN_KERNEL_OWN * sizeof *signature);
    size_t i = (w->item[w->items].hash ^ own) & w->mask;
    while (w->table[i] && memcmp(signature_of(w, first + w->table[i] - 1), signature,
                                 (size_t)w->kernel.size * sizeof *signature) != 0)
        i = (i + 1) & w->mask;
    return i;
}

static int prepare(dp *w, dodona_error *err)
{
    size_t most = w->total < (size_t)w->beam ? w->total : (size_t)w->beam, room = 4;
    while (room < 2 * (most + 1))
        room *= 2;
    w->table = ddn_arena_zeros(&w->step_arena, room, sizeof *w->table);
    if (!w->table ||
        !ddn_reserve(&w->predictor, &w->predictor_cap, w->predictors + w->total,
                     sizeof *w->predictor) ||
        (w->forest && !ddn_reserve(&w->edge, &w->edge_cap, w->edges + w->total, sizeof *w->edge)))
        return ddn_fail_memory(err);
    w->mask = room - 1;
    return reserve_items(w, most + 1, err);
}

/* The score with which p pushes r, as far as r's predictors differ in it. */
static ddn_score worth(const dp *w, const item *r, int32_t p)
{
    return w->item[p].c + w->score[at(w, p, r->core.pushed)];
}

/* Predictors stand in the order of what they are worth to any item that they are joined with. */
static void add_predictor(dp *w, item *r, int32_t p)
{
    int32_t k = (int32_t)w->predictors++, *at = &r->predictor;
    while (*at != NONE && worth(w, r, w->predictor[*at].item) >= worth(w, r, p))
        at = &w->predictor[*at].next;
    w->predictor[k] = (predictor){ .item = p, .next = *at };
    *at = k;
    r->count++;
}

static void add_edge(dp *w, item *r, const follower *f)
{
    int32_t k = (int32_t)w->edges++;
    w->edge[k] = (edge){ .p = f->p, .q = f->q, .kind = f->kind, .next = NONE };
    if (r->edge == NONE)
        r->edge = k;
    else
        w->edge[r->last_edge].next = k;
    r->last_edge = k;
}

/* The configuration after f, as if it were the item after the last. */
static void build(dp *w, const follower *f)
{
    ddn_move m = { .kind = (uint8_t)f->kind, .label = w->label[at(w, f->q, f->kind)] };
    bool push = f->p == NONE;
    ddn_kernel_move(&w->kernel, m, w->n, push ? NULL : &w->item[f->p].core,
                    push ? NULL : slots_of(w, f->p), &w->item[f->q].core, slots_of(w, f->q),
                    &w->item[w->items].core, slots_of(w, w->items));
}

static void keep(dp *w, const follower *f)
{
    int32_t i = w->items++;
    item *r = &w->item[i];
    r->kind = f->kind;
    r->predictor = r->edge = NONE;
    r->count = 0;
    r->c = f->c;
    if (f->p == NONE) {
        r->base = i;
        r->p = f->q;
        r->q = NONE;
        r->v = 0;
    } else {
        r->base = w->item[f->p].base;
        r->p = f->p;
        r->q = f->q;
        r->v = w->item[f->p].v + w->item[f->q].v + combo(w, f->p, f->q, f->kind);
    }
}

/* One more way to make item r, which is of the next step. */
static void note(dp *w, int32_t r, const follower *f)
{
    if (f->p == NONE)
        add_predictor(w, &w->item[r], f->q);
    else if (w->forest)
        add_edge(w, &w->item[r], f);
}

/* Signs what was built after the last item. */
static void sign(dp *w, uint32_t *signature)
{
    item *r = &w->item[w->items];
    size_t rest = (size_t)(w->kernel.size - DDN_KERNEL_OWN);
    ddn_kernel_sign(&w->kernel, &w->classes, &r->core, slots_of(w, w->items), signature);
    r->hash = XXH3_64bits(signature + DDN_KERNEL_OWN, rest * sizeof *signature);
}

/* f becomes an item of the next step, which begin at first, or one more way to make one. */
static void take(dp *w, const follower *f, int32_t first, bool last_step)
{
    int32_t place = w->items - first;
    uint32_t *signature = signature_of(w, w->items);
    build(w, f);
    sign(w, signature);
    if (last_step) {
        memset(signature, 0, (size_t)w->kernel.size * sizeof *signature);
        w->item[w->items].hash = 0;
    }
    size_t i = find(w, first, signature);
    if (w->table[i] && !w->apart) {
        note(w, first + w->table[i] - 1, f);
    } else if (place < w->beam) {
        w->table[i] = place + 1;
        keep(w, f);
        note(w, first + place, f);
    }
}

/* The followers, the best first, become the items of the next step. */
static int advance(dp *w, bool last_step, dodona_error *err)
{
    int status = prepare(w, err);
    if (status < 0)
        return status;
    int32_t first = w->items;
    while (w->followers > 0 && (w->items - first < w->beam || w->forest)) {
        follower f = pop(w);
        take(w, &f, first, last_step);
    }
    for (int32_t i = 0; i < w->followers; i++)
        if (w->heap[i].p == NONE)
            take(w, &w->heap[i], first, last_step);
    w->first = first;
    return DODONA_OK;
}

static int start(dp *w, dodona_error *err)
{
    ddn_pass *pass = w->base.pass;
    w->n = w->base.n;
    w->items = w->first = 0;
    w->predictors = w->edges = 0;
    w->work = ddn_arena_take(&w->base.arena, 6 * (size_t)w->n + 1, sizeof *w->work);
    int status =
        w->work ? ddn_state_start(&w->base.state, w->n, w->base.roots, err) : ddn_fail_memory(err);
    if (status >= 0)
        status = reserve_items(w, 1, err);
    if (status >= 0 && pass->model->reads)
        status = ddn_classes_find(&w->classes, &w->base.arena, &w->kernel,
                                  pass->model->scorer->values(pass, w->base.sentence), w->n, err);
    if (status < 0)
        return status;
    w->classes.n = w->n;
    w->item[0] = (item){ .p = NONE, .q = NONE, .predictor = NONE, .edge = NONE };
    ddn_kernel_start(&w->kernel, &w->base.state, &w->item[0].core, slots_of(w, 0));
    w->items = 0;
    sign(w, signature_of(w, 0));
    memset(w->known, 0xff, sizeof w->known);
    w->items = 1;
    return DODONA_OK;
}

/* ---- The way to an item ---- */

static void tell_move(dp *w, int32_t i, int kind)
{
    if (!is_closing(w, i))
        w->base.move[w->base.moves++] =
            (ddn_move){ .kind = (uint8_t)kind, .label = w->label[at(w, i, kind)], .pos = -1 };
}

/* The inside moves of item i, the last first. */
static void tell_inside(dp *w, int32_t i)
{
    int32_t size = 0;
    w->work[size++] = (task){ i, NONE };
    while (size > 0) {
        task t = w->work[--size];
        const item *r = &w->item[t.item];
        if (t.push != NONE) {
            tell_move(w, t.item, t.push);
        } else if (r->q != NONE) {
            tell_move(w, r->q, r->kind);
            w->work[size++] = (task){ r->p, NONE };
            w->work[size++] = (task){ r->p, w->item[r->q].core.pushed };
            w->work[size++] = (task){ r->q, NONE };
        }
    }
}

/* Writes the moves of the best derivation of item i to w->base.move. */
static int tell_moves(dp *w, int32_t i, dodona_error *err)
{
    ddn_searching *base = &w->base;
    size_t moves = 2 * (size_t)w->n;
    if (!ddn_reserve(&base->move, &base->move_cap, moves + 1, sizeof *base->move))
        return ddn_fail_memory(err);
    base->moves = 0;
    for (;;) {
        tell_inside(w, i);
        const item *pushed = &w->item[w->item[i].base];
        if (pushed->p == NONE)
            break;
        tell_move(w, pushed->p, pushed->kind);
        i = pushed->p;
    }
    for (size_t a = 0, b = base->moves; a + 1 < b; a++) {
        ddn_move m = base->move[a];
        base->move[a] = base->move[--b];
        base->move[b] = m;
    }
    return DODONA_OK;
}

int ddn_dp_tell(ddn_searching *base, int32_t rank, dodona_error *err)
{
    dp *w = (dp *)base;
    if (rank >= w->items - w->first)
        return 0;
    int status = tell_moves(w, w->first + rank, err);
    return status < 0 ? status : 1;
}

/* ---- Training ---- */

/* From the step before to the present one: the item whose best derivation is that of t->item and
 * one move more. */
static void follow(const dp *w, track *t, const ddn_goal *goal, size_t number)
{
    int32_t g = t->item;
    if (g == NONE)
        return;
    bool ended = number >= goal->moves;
    int kind = ended ? w->base.system->joining->closing : goal->move[number].kind;
    t->other |= !ended && w->base.system->kind[kind].makes_arc &&
                w->label[at(w, g, kind)] != goal->move[number].label;
    bool push = pushes(w, kind);
    int32_t p = push ? g : w->item[w->item[g].base].p, q = push ? NONE : g;
    t->item = NONE;
    for (int32_t i = w->first; i < w->items && t->item == NONE; i++)
        if (w->item[i].p == p && w->item[i].q == q && w->item[i].kind == kind)
            t->item = i;
}

/* Early update: notes the best prefix where the search has lost the tree of the goal, or has ended
 * with another derivation.  A wrong label alone is no reason to stop, since an item has one label
 * for each transition type.  But where templates read labels, the goal may score higher than the
 * best item in spite of a wrong label; then the prefix up to that label is used. */
static void note_early(const track *t, rival now, bool end, rival *found, rival *label)
{
    if (t->item != NONE && !t->other)
        return;
    if (label->item == NONE)
        *label = now;
    if (now.violation >= 0 && (t->item == NONE || end))
        *found = now;
    else if (end)
        *found = *label;
}

static void note_largest(const dp *w, const track *t, rival now, rival *found)
{
    if ((t->item != w->first || t->other) && now.violation >= found->violation)
        *found = now;
}

/* With a goal, after a step. */
static void note_rival(dp *w)
{
    const ddn_goal *goal = w->base.goal;
    size_t step = (size_t)w->step, reached = step < goal->moves ? step : goal->moves;
    rival now = { w->first, reached, w->item[w->first].c - goal->score[reached] };
    follow(w, &w->track, goal, step - 1);
    if (goal->early)
        note_early(&w->track, now, w->step == 2 * (int64_t)w->n, &w->found, &w->label_rival);
    else
        note_largest(w, &w->track, now, &w->found);
}

/* ---- Searching ---- */

static int begin(ddn_searching *base, dodona_error *err)
{
    dp *w = (dp *)base;
    if (base->constraint && base->constraint->n > 0)
        return ddn_searching_leave(base, w->plain, err);
    w->step = 0;
    w->track = (track){ .item = 0 };
    w->found = w->label_rival = (rival){ .item = NONE };
    return start(w, err);
}

static int end(dp *w, dodona_error *err)
{
    ddn_searching *base = &w->base;
    base->beaten = base->goal && w->found.item != NONE;
    if (base->goal) {
        base->prefix = w->found.prefix;
        return base->beaten ? tell_moves(w, w->found.item, err) : DODONA_OK;
    }
    int status = tell_moves(w, w->first, err);
    for (size_t i = 0; i < base->moves && status >= 0; i++)
        base->system->apply(&base->state, base->move[i], NULL);
    base->score = w->item[w->first].c;
    return status;
}

static int tell(ddn_searching *base, const ddn_batch *b, dodona_error *err)
{
    dp *w = (dp *)base;
    score_step(w, b);
    int status = list_followers(w, err);
    if (status >= 0)
        status = advance(w, ++w->step == 2 * (int64_t)w->n, err);
    if (status >= 0 && base->goal)
        note_rival(w);
    return status;
}

static int ask(ddn_searching *base, ddn_batch *b, dodona_error *err)
{
    dp *w = (dp *)base;
    while (w->step < 2 * (int64_t)w->n) {
        if (base->goal && base->goal->early && w->found.item != NONE)
            break;
        int asked = ask_step(w, b, err);
        int status = asked == 0 ? tell(base, b, err) : DODONA_OK;
        if (asked)
            return asked < 0 ? asked : 1;
        if (status < 0)
            return status;
    }
    return end(w, err);
}

/* ---- The forest ---- */

static ddn_forest_edge forest_edge(const dp *w, const edge *e)
{
    const ddn_joining *j = w->base.system->joining;
    ddn_forest_edge f = { .score = combo(w, e->p, e->q, e->kind), .left = e->p, .right = e->q };
    int32_t p = slots_of(w, e->p)[w->kernel.s0].word, q = slots_of(w, e->q)[w->kernel.s0].word;
    int pushed = w->item[e->q].core.pushed;
    bool early = !w->base.system->kind[e->kind].makes_arc; /* the arc is that of the push */
    f.head = j->effect[e->kind].head == DDN_JOINT_Q0   ? w->item[e->q].core.next
             : j->effect[e->kind].head == DDN_JOINT_S1 ? p
                                                       : q;
    f.child = j->effect[e->kind].child == DDN_JOINT_S1 ? p : q;
    f.label = early ? w->label[at(w, e->p, pushed)] : w->label[at(w, e->q, e->kind)];
    return f;
}

/* What the last run kept: a node for each item, an edge for each way to make it.  Derivations are
 * trees, and the scores of a derivation's edges add up to the score of the moves that it stands
 * for. */
static int forest(const ddn_searching *base, ddn_forest *f, dodona_error *err)
{
    const dp *w = (const dp *)base;
    int status = DODONA_OK;
    if (base->fallback)
        return w->plain->search->forest(w->plain, f, err);
    ddn_forest_clear(f, w->n);
    for (int32_t i = 0; i < w->items && status >= 0; i++) {
        status = ddn_forest_add_node(f, NULL, err);
        for (int32_t k = w->item[i].edge; k != NONE && status >= 0; k = w->edge[k].next) {
            ddn_forest_edge e = forest_edge(w, &w->edge[k]);
            status = ddn_forest_add_edge(f, &e, err);
        }
    }
    return status < 0 ? status : ddn_forest_trim(f, err);
}

const ddn_search ddn_search_dp = {
    .name = "dp",
    .summary = "beam search that merges states with equal feature kernels",
    .heads = DDN_HEAD_MOVES,
    .breadth = DDN_MANY_VIEWS,
    .derivations = true,
    .ordered = true,
    .open = open_dp,
    .close = close_dp,
    .begin = begin,
    .ask = ask,
    .tell = tell,
    .forest = forest,
};
