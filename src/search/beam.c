/* SPDX-License-Identifier: MIT */
/* beam.c - beam search: the best B derivations of every length, side by side.
 *
 * Each step extends every derivation in the beam by every legal move, and keeps the best B of the
 * results.  The score of a derivation is the sum of its moves' scores: of the transition type and,
 * where an arc is made, of its best label.  No bound on a label's score is known before it is
 * computed, so every arc in question gets its label, not only those that survive; the labels of all
 * transition types in a configuration come out of one sum.  Every move counts, also one that has no
 * alternative.  Where a model learns move by move, scores of different configurations can't be
 * compared: in their place come logarithms of probabilities among the legal moves.
 *
 * Derivations need not have the same length (arc-eager, Covington).  One that has ended stays as it
 * is and is compared by its score with others that still go on; there is no normalisation by
 * length.  The search is over when all derivations in the beam have ended.  Ties go to what was
 * generated first: from the better parent, then in the order of the candidates.
 *
 * A derivation is a chain of links, each with a move and what the move changed (its undo), so that
 * the past is shared.  Configurations are real states in B slots.  The best child of a parent takes
 * over its parent's slot and makes its move in place.  Another child needs a slot that has become
 * free: the moves that slot made since the two derivations parted are undone, and those of the
 * parent made.  Where that would be more work than to copy the state, it is copied.  So a step
 * costs what the derivations in the beam differ by, and not the length of the sentence: rivals that
 * parted long ago are rare, since few choices stay open for long.
 *
 * Cost: at most B configurations a move to score, and one heap operation a candidate.
 * Zhang and Clark 2008; Huang and Sagae 2010, section 2. */
#include "search/candidates.h"
#include "search/search.h"

#include "core/array.h"

#include <stdlib.h>

enum { START = -1, UNSET = -2 };
enum { COPIED_AS_ONE_MOVE = 4 }; /* nodes that are copied in the time of a move */

/* The last move of a derivation. */
typedef struct link {
    int64_t before; /* what it is added to, or START */
    int64_t length; /* moves, this one included */
    ddn_move move;
    ddn_undo undo;
} link;

typedef struct slot {
    ddn_state state;
    int64_t at; /* the derivation that led there, START or UNSET */
    bool taken;
} slot;

typedef struct element {
    int64_t at; /* link or START */
    int32_t slot;
    int32_t end; /* its candidates end here; they follow those of the element before */
    ddn_score score;
    bool goal; /* its moves are the first of the goal's */
} element;

typedef struct extension {
    ddn_score score;
    int32_t from;   /* element */
    int32_t number; /* in the order in which they were generated */
    ddn_move move;
    bool ended; /* the derivation has ended and stays as it is */
    bool goal;
} extension;

typedef struct beam {
    ddn_searching base;
    ddn_candidates candidates;
    int32_t width; /* B */
    uint16_t root_label;
    slot *slot;    /* [width] */
    int32_t slots; /* used so far */
    element *kept; /* [count] by falling score */
    element *next; /* scratch of that size */
    int32_t count;
    extension *heap; /* [extensions] the worst at the root, while they are gathered */
    int32_t extensions, generated;
    link *link;
    int64_t *trail; /* scratch: links to make again */
    size_t steps;   /* made so far */
    int64_t rival;  /* with a goal: a derivation that is preferred to it, or UNSET, */
    ddn_score most; /* and by how much */
    size_t links, link_cap;
    ddn_arena arena; /* what lives as long as the search */
} beam;

/* ---- Opening ---- */

static void close_beam(ddn_searching *base)
{
    beam *w = (beam *)base;
    for (int32_t i = 0; i < w->slots; i++)
        ddn_state_fini(&w->slot[i].state);
    ddn_searching_fini(&w->base);
    ddn_candidates_fini(&w->candidates);
    ddn_arena_fini(&w->arena);
    free(w->link);
    free(w);
}

static int open_beam(ddn_pass *pass, const ddn_search_options *options, ddn_searching **out,
                     dodona_error *err)
{
    if (options->beam < 1 || options->beam > DODONA_MAX_BEAM)
        return ddn_fail(err, DODONA_E_ARGUMENT, "the size of a beam must be from 1 to %d",
                        DODONA_MAX_BEAM);
    beam *w = calloc(1, sizeof *w);
    if (!w)
        return ddn_fail_memory(err);
    ddn_searching_init(&w->base, pass, options);
    w->width = options->beam;
    w->root_label = options->root_label;
    ddn_candidates_init(&w->candidates, pass);
    size_t width = (size_t)w->width;
    w->slot = ddn_arena_take(&w->arena, width, sizeof *w->slot);
    w->kept = ddn_arena_take(&w->arena, width, sizeof *w->kept);
    w->next = ddn_arena_take(&w->arena, width, sizeof *w->next);
    w->heap = ddn_arena_take(&w->arena, width, sizeof *w->heap);
    if (w->arena.failed) {
        close_beam(&w->base);
        return ddn_fail_memory(err);
    }
    *out = &w->base;
    return DODONA_OK;
}

/* ---- Slots ---- */

/* A slot that is not taken, looked for from that number on; there is one whenever fewer than B are
 * taken. */
static int32_t free_slot(beam *w, int32_t from)
{
    for (int32_t i = from; i < w->slots; i++)
        if (!w->slot[i].taken)
            return i;
    w->slot[w->slots].at = UNSET;
    ddn_state_init(&w->slot[w->slots].state);
    return w->slots++;
}

static int64_t length(const beam *w, int64_t at)
{
    return at == START ? 0 : w->link[at].length;
}

/* The last link that derivations a and b share, or UNSET if it is more than most steps back.  The
 * links of b after it are in w->trail, the last first. */
static int64_t parting(beam *w, int64_t a, int64_t b, int64_t most, size_t *trail)
{
    *trail = 0;
    for (int64_t steps = 0; a != b; steps++) {
        if (steps == most || a == UNSET)
            return UNSET;
        if (length(w, a) > length(w, b)) {
            a = w->link[a].before;
        } else {
            w->trail[(*trail)++] = b;
            b = w->link[b].before;
        }
    }
    return a;
}

/* Gives slot to the configuration of slot from. */
static int become(beam *w, slot *to, const slot *from, dodona_error *err)
{
    size_t trail;
    int64_t most = from->state.n / COPIED_AS_ONE_MOVE;
    int64_t common = parting(w, to->at, from->at, most, &trail);
    if (common == UNSET) {
        int status = ddn_state_copy(&to->state, &from->state, err);
        if (status < 0)
            return status;
    } else {
        for (int64_t at = to->at; at != common; at = w->link[at].before)
            ddn_state_revert(&to->state, &w->link[at].undo);
        while (trail > 0)
            w->base.system->apply(&to->state, w->link[w->trail[--trail]].move, NULL);
    }
    to->at = from->at;
    return DODONA_OK;
}

/* ---- The best extensions ---- */

static bool is_better(const extension *a, const extension *b)
{
    return a->score > b->score || (a->score == b->score && a->number < b->number);
}

/* Puts x where it belongs in a heap of that size whose root is to be filled. */
static void sink(extension *heap, int32_t size, extension x)
{
    int32_t i = 0;
    for (int32_t child; (child = 2 * i + 1) < size; i = child) {
        if (child + 1 < size && is_better(&heap[child], &heap[child + 1]))
            child++;
        if (is_better(&heap[child], &x))
            break;
        heap[i] = heap[child];
    }
    heap[i] = x;
}

static void consider(beam *w, extension x)
{
    x.number = w->generated++;
    if (w->extensions == w->width) {
        if (is_better(&x, &w->heap[0]))
            sink(w->heap, w->extensions, x);
        return;
    }
    int32_t i = w->extensions++;
    for (int32_t parent; i > 0 && is_better(&w->heap[parent = (i - 1) / 2], &x); i = parent)
        w->heap[i] = w->heap[parent];
    w->heap[i] = x;
}

/* From a heap to a list, the best first. */
static void sort(beam *w)
{
    for (int32_t size = w->extensions - 1; size > 0; size--) {
        extension worst = w->heap[0];
        sink(w->heap, size, w->heap[size]);
        w->heap[size] = worst;
    }
}

/* Candidate i of element e, which has not ended and whose candidates have that total; wanted: the
 * goal's next move, if e is a prefix of the goal. */
static void consider_candidate(beam *w, int32_t e, int32_t i, ddn_score total,
                               const ddn_move *wanted)
{
    const ddn_candidates *c = &w->candidates;
    const ddn_state *s = &w->slot[w->kept[e].slot].state;
    ddn_score label = 0, kind = w->kept[e].score + (ddn_candidates_score_of(c, i) - total);
    extension x = { .from = e, .move = c->move[i] };
    bool makes_arc = ddn_system_arc(c->system, s, x.move).head >= 0;
    x.move.label = ddn_candidates_label(c, s, i, &label);
    x.score = kind + label;
    bool is_wanted = wanted && wanted->kind == x.move.kind && wanted->pos == x.move.pos;
    x.goal = is_wanted && (!makes_arc || wanted->label == x.move.label);
    consider(w, x);
    if (is_wanted && !x.goal) {
        ddn_arc_query q = ddn_candidates_arc(c, i, ddn_system_arc(c->system, s, x.move));
        w->base.pass->model->scorer->labels(w->base.pass, &q, c->labels);
        x.move.label = wanted->label;
        x.score = kind + c->labels[wanted->label];
        x.goal = true;
        consider(w, x);
    }
}

/* The legal moves of all elements; none: all have ended. */
static int list_candidates(beam *w, dodona_error *err)
{
    ddn_candidates *c = &w->candidates;
    ddn_candidates_clear(c);
    for (int32_t e = 0; e < w->count; e++) {
        const ddn_state *s = &w->slot[w->kept[e].slot].state;
        int status = w->base.system->final(s) ? DODONA_OK : ddn_candidates_add(c, s, err);
        if (status < 0)
            return status;
        w->kept[e].end = c->count;
    }
    return DODONA_OK;
}

/* The best extensions of all elements, into w->heap. */
static void choose(beam *w)
{
    const ddn_goal *goal = w->base.goal;
    w->extensions = w->generated = 0;
    for (int32_t e = 0, i = 0; e < w->count; e++) {
        const element *k = &w->kept[e];
        if (i == k->end)
            consider(w,
                     (extension){ .score = k->score, .from = e, .ended = true, .goal = k->goal });
        const ddn_move *wanted = k->goal ? &goal->move[length(w, k->at)] : NULL;
        ddn_score total = i < k->end ? ddn_candidates_total(&w->candidates, i, k->end) : 0;
        for (; i < k->end; i++)
            consider_candidate(w, e, i, total, wanted);
    }
    sort(w);
}

/* ---- The next beam ---- */

/* A slot for every extension, with its parent's configuration: the first extension of a parent
 * takes over the parent's slot. */
static int place(beam *w, dodona_error *err)
{
    for (int32_t i = 0; i < w->slots; i++)
        w->slot[i].taken = false;
    for (int32_t i = 0; i < w->extensions; i++) {
        int32_t old = w->kept[w->heap[i].from].slot;
        w->next[i].slot = w->slot[old].taken ? -1 : old;
        w->slot[old].taken = true;
    }
    int status = DODONA_OK;
    for (int32_t i = 0, from = 0; i < w->extensions && status >= 0; i++) {
        if (w->next[i].slot >= 0)
            continue;
        from = w->next[i].slot = free_slot(w, from);
        w->slot[from].taken = true;
        status = become(w, &w->slot[from], &w->slot[w->kept[w->heap[i].from].slot], err);
    }
    return status;
}

/* Makes the moves of the extensions, which then are the beam. */
static int advance(beam *w, dodona_error *err)
{
    if (!ddn_reserve(&w->link, &w->link_cap, w->links + (size_t)w->extensions, sizeof *w->link))
        return ddn_fail_memory(err);
    int status = place(w, err);
    if (status < 0)
        return status;
    for (int32_t i = 0; i < w->extensions; i++) {
        const extension *x = &w->heap[i];
        element *e = &w->next[i];
        e->at = w->kept[x->from].at;
        e->score = x->score;
        e->goal = x->goal;
        if (x->ended)
            continue;
        link *l = &w->link[w->links];
        *l = (link){ .before = e->at, .length = length(w, e->at) + 1, .move = x->move };
        w->base.system->apply(&w->slot[e->slot].state, l->move, &l->undo);
        w->slot[e->slot].at = e->at = (int64_t)w->links++;
    }
    element *old = w->kept;
    w->kept = w->next;
    w->next = old;
    w->count = w->extensions;
    return DODONA_OK;
}

/* ---- Searching ---- */

static int begin(ddn_searching *base, dodona_error *err)
{
    beam *w = (beam *)base;
    w->trail = ddn_arena_take(&base->arena, (size_t)base->n + 1, sizeof *w->trail);
    if (!w->trail)
        return ddn_fail_memory(err);
    w->candidates.constraint = base->constraint;
    int status = ddn_candidates_begin(&w->candidates, base->sentence, base->n, err);
    for (int32_t i = 0; i < w->slots; i++) {
        w->slot[i].at = UNSET;
        w->slot[i].taken = false;
    }
    int32_t first = free_slot(w, 0);
    if (status >= 0)
        status = ddn_state_start(&w->slot[first].state, base->n, base->roots, err);
    w->slot[first].at = START;
    w->kept[0] = (element){ .at = START, .slot = first, .goal = base->goal != NULL };
    w->count = 1;
    w->links = w->steps = 0;
    w->most = 0;
    w->rival = UNSET;
    return status;
}

/* Writes the moves of a derivation to w->base.move. */
static int tell_moves(beam *w, int64_t at, dodona_error *err)
{
    size_t moves = (size_t)length(w, at);
    if (!ddn_reserve(&w->base.move, &w->base.move_cap, moves, sizeof *w->base.move))
        return ddn_fail_memory(err);
    w->base.moves = moves;
    for (; at != START; at = w->link[at].before)
        w->base.move[--moves] = w->link[at].move;
    return DODONA_OK;
}

static bool has_goal(const beam *w)
{
    int32_t i = 0;
    while (i < w->count && !w->kept[i].goal)
        i++;
    return i < w->count;
}

/* How many moves of the goal stand against derivations of that many steps. */
static size_t goal_prefix(const ddn_goal *goal, size_t steps)
{
    return steps < goal->moves ? steps : goal->moves;
}

/* With a goal, after a step: notes the best prefix where the goal was lost (early), or where it
 * beats the goal's by most. */
static void note_rival(beam *w)
{
    const ddn_goal *goal = w->base.goal;
    const element *top = &w->kept[0];
    size_t reached = goal_prefix(goal, w->steps);
    ddn_score violation = top->score - goal->score[reached];
    if (goal->early ? !has_goal(w) : !top->goal && violation >= w->most) {
        w->most = violation;
        w->rival = top->at;
        w->base.prefix = reached;
    }
}

static int end_with_goal(beam *w, dodona_error *err)
{
    const ddn_goal *goal = w->base.goal;
    if (goal->early && w->rival == UNSET && !w->kept[0].goal) {
        w->rival = w->kept[0].at;
        w->base.prefix = goal->moves;
    }
    w->base.beaten = w->rival != UNSET;
    return w->base.beaten ? tell_moves(w, w->rival, err) : DODONA_OK;
}

static int end(beam *w, dodona_error *err)
{
    ddn_searching *base = &w->base;
    if (base->goal)
        return end_with_goal(w, err);
    slot *best = &w->slot[w->kept[0].slot];
    ddn_state state = base->state;
    base->state = best->state;
    base->score = w->kept[0].score;
    best->state = state;
    return tell_moves(w, w->kept[0].at, err);
}

static int ask(ddn_searching *base, ddn_batch *b, dodona_error *err)
{
    beam *w = (beam *)base;
    bool found = base->goal && base->goal->early && w->rival != UNSET;
    int status = found ? DODONA_OK : list_candidates(w, err);
    if (status < 0)
        return status;
    if (found || w->candidates.count == 0)
        return end(w, err);
    status = ddn_candidates_ask(&w->candidates, b, err);
    return status < 0 ? status : 1;
}

static int tell(ddn_searching *base, const ddn_batch *b, dodona_error *err)
{
    beam *w = (beam *)base;
    ddn_candidates_told(&w->candidates, b);
    choose(w);
    int status = advance(w, err);
    w->steps++;
    if (status >= 0 && base->goal)
        note_rival(w);
    return status;
}

/* Node 0 is a leaf, and a chain of nodes from there has the arcs of one state, word by word. */
static int add_chain(const beam *w, ddn_forest *f, const ddn_state *s, dodona_error *err)
{
    int status = DODONA_OK;
    for (int32_t i = 1; i <= s->n && status >= 0; i++) {
        int32_t node;
        status = ddn_forest_add_node(f, &node, err);
        ddn_forest_edge e = { .left = i > 1 ? node - 1 : 0,
                              .right = -1,
                              .head = ddn_system_head(w->base.system, s, i),
                              .child = i,
                              .label = s->node[i].head < 0 ? w->root_label : s->node[i].label };
        if (status >= 0)
            status = ddn_forest_add_edge(f, &e, err);
    }
    return status;
}

/* Each derivation in the beam becomes a chain, with its score at the edge to the goal. */
static int forest(const ddn_searching *base, ddn_forest *f, dodona_error *err)
{
    const beam *w = (const beam *)base;
    int32_t n = base->state.n;
    ddn_forest_clear(f, n);
    int status = ddn_forest_add_node(f, NULL, err);
    for (int32_t e = 0; e < w->count && status >= 0; e++)
        status = add_chain(w, f, e ? &w->slot[w->kept[e].slot].state : &base->state, err);
    if (status >= 0)
        status = ddn_forest_add_node(f, NULL, err);
    for (int32_t e = 0; e < w->count && status >= 0; e++) {
        ddn_forest_edge x = { .score = w->kept[e].score, .left = (e + 1) * n, .right = -1 };
        status = ddn_forest_add_edge(f, &x, err);
    }
    return status;
}

const ddn_search ddn_search_beam = {
    .name = "beam",
    .summary = "the best sequences of moves side by side",
    .heads = DDN_HEAD_MOVES,
    .breadth = DDN_MANY_VIEWS,
    .derivations = true,
    .open = open_beam,
    .close = close_beam,
    .begin = begin,
    .ask = ask,
    .tell = tell,
    .forest = forest,
};
