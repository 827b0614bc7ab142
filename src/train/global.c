/* SPDX-License-Identifier: MIT */
/* global.c - structured learning of whole derivations or trees, with exact or inexact search.
 *
 * One derivation leads to the gold tree: the static oracle's, at every configuration the first
 * transition type of least cost in the order of the system, with gold labels.  (For arc-standard,
 * that takes left children before right ones, so that a tree has one derivation.)  The search looks
 * for the best derivation under the present weights.  The prefix at which the two are compared is
 * chosen in one of two ways:
 *   early          where the search first drops the gold prefix, or at the end,
 *                  if it is kept but not the best (Collins and Roark 2004);
 *   max-violation  where the best prefix that is kept beats the gold prefix of that length by most
 *                  (Huang, Fayong and Guo 2012).
 * The loss is the difference of the two scores, so the adjoint of all moves of the gold prefix is
 * -1 and that of the other prefix +1, in the scores of types and of labels alike.  In either way
 * the wrong prefix scores at least as high as the gold one; that is what the perceptron's proof of
 * convergence needs, and what an update at the end of the sentence would not guarantee when the
 * search has lost the gold prefix on the way.
 *
 * Moves that both have in common at the beginning are not touched: they would cancel out.  Where a
 * tree can't be reached, the derivation is that of least cost, and a word with a wrong head still
 * gets its gold label.
 *
 * Where the search finds trees and no derivations (exact search with a decoder other than the
 * system's own), or the model scores no moves, the arcs of the two trees are contrasted instead.
 *
 * A sentence is encoded once: the gold derivation, the search and the update use the same pass. */
#include "train/global.h"

#include "core/array.h"

#include <stdlib.h>
#include <string.h>

int ddn_global_open(ddn_global *g, const ddn_train_options *o, ddn_model *model, dodona_error *err)
{
    ddn_search_options options = {
        .roots = o->roots, .beam = o->beam, .decoder = o->decoder, .exact_limit = o->exact_limit
    };
    memset(g, 0, sizeof *g);
    g->options = o;
    g->model = model;
    ddn_gold_init(&g->gold);
    int status = ddn_parser_open(&g->parser, model, o->search, &options, model->scorer->batch, err);
    if (status < 0)
        return status;
    g->way = calloc((size_t)g->parser.lanes, sizeof *g->way);
    if (!g->way)
        return ddn_fail_memory(err);
    g->by_tree = g->parser.searching[0]->by_tree || !(model->heads & DDN_HEAD_MOVES);
    for (int i = 0; i < g->parser.lanes; i++)
        g->parser.searching[i]->by_tree = g->by_tree;
    ddn_replay_init(&g->replay, g->parser.pass);
    return ddn_oracle_open(o->oracle->gives_up ? o->path_oracle : o->oracle, o->system,
                           (ddn_oracle_options){ 0 }, &g->space, err);
}

void ddn_global_close(ddn_global *g)
{
    ddn_oracle_close(g->space);
    for (int i = 0; g->way && i < g->parser.lanes; i++) {
        free(g->way[i].move);
        free(g->way[i].score);
    }
    ddn_parser_close(&g->parser);
    ddn_gold_fini(&g->gold);
    ddn_replay_fini(&g->replay);
    free(g->way);
    ddn_arena_fini(&g->arena);
    memset(g, 0, sizeof *g);
}

/* ---- The gold derivation ---- */

/* Where the search builds trees in one order: whether the order takes this transition type only
 * where no other is right. */
static bool is_late(const ddn_global *g, int kind)
{
    const ddn_joining *joining = g->options->system->joining;
    return g->parser.searching[0]->search->ordered && joining && (joining->late >> kind & 1);
}

/* The oracle's move in the configuration of the replay. */
static ddn_move gold_move(ddn_global *g)
{
    const ddn_system *system = g->options->system;
    const ddn_state *s = &g->replay.state;
    int32_t count = ddn_system_moves(system, s, g->legal, g->position), best = 0;
    g->space->oracle->costs(g->space, s, g->legal, count, g->cost);
    for (int32_t i = 1; i < count; i++)
        if (g->cost[i] < g->cost[best] ||
            (g->cost[i] == g->cost[best] && is_late(g, g->legal[best].kind)))
            best = i;
    ddn_move m = g->legal[best];
    m.label = 0;
    ddn_arc arc = ddn_system_arc(system, s, m);
    if (arc.head >= 0)
        m.label = g->gold.label[arc.child];
    return m;
}

static int begin(ddn_global *g, const ddn_example *x, int number, dodona_error *err)
{
    int32_t n = x->sentence->n;
    size_t room = (size_t)ddn_moves_room(g->options->system, n);
    ddn_arena_reset(&g->arena);
    g->legal = ddn_arena_take(&g->arena, room, sizeof *g->legal);
    g->cost = ddn_arena_take(&g->arena, room, sizeof *g->cost);
    g->position = ddn_arena_take(&g->arena, (size_t)n + 1, sizeof *g->position);
    if (g->arena.failed)
        return ddn_fail_memory(err);
    int status = ddn_gold_set(&g->gold, x->head, x->label, n, err);
    if (status >= 0)
        status = ddn_oracle_begin(g->space, &g->gold, err);
    return status < 0 ? status : ddn_replay_start(&g->replay, number, n, g->options->roots, err);
}

/* The gold derivation of an example and the scores of its prefixes. */
static int find_way(ddn_global *g, const ddn_example *x, int number, dodona_error *err)
{
    ddn_gold_way *way = &g->way[number % g->parser.lanes];
    int status = begin(g, x, number, err);
    ddn_score total = 0, score;
    way->moves = 0;
    while (status >= 0) {
        if (!ddn_reserve(&way->move, &way->move_cap, way->moves + 1, sizeof *way->move) ||
            !ddn_reserve(&way->score, &way->score_cap, way->moves + 1, sizeof *way->score))
            return ddn_fail_memory(err);
        way->score[way->moves] = total;
        if (g->options->system->final(&g->replay.state))
            break;
        ddn_move m = gold_move(g);
        status = ddn_replay_score(&g->replay, m, &score, err);
        total += score;
        ddn_replay_make(&g->replay, m);
        way->move[way->moves++] = m;
    }
    return status;
}

static int set_goal(ddn_global *g, const ddn_example *x, int number, dodona_error *err)
{
    ddn_gold_way *way = &g->way[number % g->parser.lanes];
    int status = g->by_tree ? DODONA_OK : find_way(g, x, number, err);
    way->goal = (ddn_goal){ .move = way->move,
                            .moves = way->moves,
                            .score = way->score,
                            .head = x->head,
                            .label = x->label,
                            .early = g->options->update == DDN_UPDATE_EARLY };
    g->parser.searching[number % g->parser.lanes]->goal = &way->goal;
    return status;
}

/* ---- The update ---- */

static bool is_same(ddn_move a, ddn_move b)
{
    return a.kind == b.kind && a.pos == b.pos && a.label == b.label;
}

/* Gives adjoint d to the moves from number first on. */
static int learn_moves(ddn_global *g, int number, const ddn_move *move, size_t moves, size_t first,
                       ddn_score d, dodona_error *err)
{
    const ddn_scorer *scorer = g->model->scorer;
    const ddn_searching *w = g->parser.searching[number % g->parser.lanes];
    ddn_replay *r = &g->replay;
    int status = ddn_replay_start(r, number, w->n, g->options->roots, err);
    for (size_t i = 0; i < moves && status >= 0; i++) {
        ddn_move m = move[i];
        if (i >= first) {
            ddn_score unused;
            status = ddn_replay_score(r, m, &unused, err);
            if (status >= 0)
                status =
                    scorer->learn_move(r->pass, r->arc.query, &(ddn_adjoint){ m.kind, d }, 1, err);
            if (status >= 0 && r->arc.arc.head >= 0)
                status =
                    scorer->learn_label(r->pass, &r->arc, &(ddn_adjoint){ m.label, d }, 1, err);
        }
        ddn_replay_make(r, m);
    }
    return status;
}

static int contrast_moves(ddn_global *g, int number, dodona_error *err)
{
    const ddn_searching *w = g->parser.searching[number % g->parser.lanes];
    const ddn_gold_way *way = &g->way[number % g->parser.lanes];
    size_t common = 0;
    g->before_end += w->prefix < way->moves;
    while (common < w->prefix && common < w->moves && is_same(way->move[common], w->move[common]))
        common++;
    int status = learn_moves(g, number, way->move, w->prefix, common, -1, err);
    return status < 0 ? status : learn_moves(g, number, w->move, w->moves, common, 1, err);
}

/* Arcs that both trees have cancel out. */
static int contrast_arcs(ddn_global *g, int number, dodona_error *err)
{
    const ddn_scorer *scorer = g->model->scorer;
    const ddn_searching *w = g->parser.searching[number % g->parser.lanes];
    const ddn_goal *goal = w->goal;
    int status = DODONA_OK;
    for (int32_t d = 1; d <= w->n && status >= 0; d++) {
        const struct ddn_node *found = &w->state.node[d];
        if (goal->head[d] == found->head && goal->label[d] == found->label)
            continue;
        ddn_arc_query gold = { -1, number, 0, { goal->head[d], d } };
        ddn_arc_query wrong = { -1, number, 0, { found->head, d } };
        status = scorer->learn_label(g->parser.pass, &gold, &(ddn_adjoint){ goal->label[d], -1 }, 1,
                                     err);
        if (status >= 0)
            status = scorer->learn_label(g->parser.pass, &wrong, &(ddn_adjoint){ found->label, 1 },
                                         1, err);
    }
    return status;
}

/* Learns from m of the examples, which have been encoded and are searched together. */
static int learn(ddn_global *g, const ddn_example *const *x, const ddn_sentence *const *sentence,
                 int first, int m, dodona_error *err)
{
    int status = DODONA_OK;
    for (int i = first; i < first + m && status >= 0; i++)
        status = set_goal(g, x[i], i, err);
    if (status >= 0)
        status = ddn_parser_search(&g->parser, sentence, first, m, err);
    for (int i = 0; i < m && status >= 0; i++) {
        if (!g->parser.searching[i]->beaten)
            continue;
        g->updates++;
        status = g->by_tree ? contrast_arcs(g, first + i, err) : contrast_moves(g, first + i, err);
    }
    return status;
}

int ddn_global_learn(ddn_global *g, const ddn_example *const *x, int m, dodona_error *err)
{
    const ddn_sentence *sentence[DDN_MAX_BATCH] = { NULL };
    int lanes = g->parser.lanes;
    for (int i = 0; i < m; i++)
        sentence[i] = x[i]->sentence;
    int status = ddn_parser_encode(&g->parser, sentence, m, err);
    for (int i = 0; i < m && status >= 0; i += lanes)
        status = learn(g, x, sentence, i, m - i < lanes ? m - i : lanes, err);
    return status < 0 ? status : g->model->scorer->step(g->model, &g->parser.pass, 1, err);
}
