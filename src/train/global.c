/* SPDX-License-Identifier: MIT */
/* global.c - the structured perceptron with inexact search.
 *
 * One computation leads to the gold tree: the static oracle's, at every configuration the first
 * kind of least cost in the order of the system, with gold labels.  (For arc-standard, that takes
 * left children before right ones, so that a tree has one computation.)  The search looks for the
 * best computation under the present weights.  It prefers another prefix to the gold one in one of
 * two ways:
 *   early          where the gold prefix is first not among what the search keeps, or at the end,
 *                  if it is kept but not the best (Collins and Roark 2004);
 *   max-violation  where the best prefix that is kept beats the gold prefix of that length by most
 *                  (Huang, Fayong and Guo 2012).
 * Then the features of all moves of the gold prefix get +1 and those of the other prefix -1, in the
 * weights of kinds and of labels alike.  In either way the wrong prefix scores at least as high as
 * the gold one; that is what the perceptron's proof of convergence needs, and what an update at the
 * end of the sentence would not guarantee when the search has lost the gold prefix on the way.
 *
 * Moves that both have in common at the beginning are not touched: they would cancel out.  One
 * sentence is one step for averaging.  Where a tree can't be reached, the computation is that of
 * least cost, and a word with a wrong head still wants its gold label. */
#include "train/global.h"

#include "core/array.h"

#include <stdlib.h>
#include <string.h>

int ddn_global_init(ddn_global *g, const ddn_train_options *o, ddn_learner *learner,
                    dodona_error *err)
{
    ddn_scoring *scoring = ddn_learner_scoring(learner);
    ddn_search_options options = { .roots = o->roots,
                                   .beam = o->beam,
                                   .exact_limit = o->exact_limit };
    memset(g, 0, sizeof *g);
    g->options = o;
    g->learner = learner;
    g->oracle = o->path_oracle ? o->path_oracle : o->oracle;
    ddn_gold_init(&g->gold);
    ddn_replay_init(&g->replay, o->system, scoring);
    int status = g->oracle->open(o->system, (ddn_oracle_options){ 0 }, &g->space, err);
    if (status < 0)
        return status;
    return ddn_search_open(o->search, o->system, scoring, &options, &g->searching, err);
}

void ddn_global_fini(ddn_global *g)
{
    if (g->space)
        g->oracle->close(g->space);
    if (g->searching)
        g->searching->search->close(g->searching);
    ddn_gold_fini(&g->gold);
    ddn_replay_fini(&g->replay);
    free(g->move);
    free(g->score);
    free(g->legal);
    free(g->cost);
    free(g->position);
    memset(g, 0, sizeof *g);
}

/* In the one order of a search that has one, this kind comes only where no other is right. */
static bool is_late(const ddn_global *g, int kind)
{
    const ddn_joining *joining = g->options->system->joining;
    return g->searching->search->ordered && joining && (joining->late >> kind & 1);
}

/* The oracle's move in the configuration of the replay. */
static ddn_move gold_move(ddn_global *g)
{
    const ddn_system *system = g->options->system;
    const ddn_state *s = &g->replay.state;
    int32_t count = ddn_system_moves(system, s, g->legal, g->position), best = 0;
    g->oracle->costs(g->space, s, g->legal, count, g->cost);
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

static int begin(ddn_global *g, const ddn_example *x, dodona_error *err)
{
    int32_t n = x->sentence->n;
    size_t room = (size_t)ddn_moves_room(g->options->system, n);
    if (!ddn_reserve(&g->legal, &g->legal_cap, room, sizeof *g->legal) ||
        !ddn_reserve(&g->cost, &g->cost_cap, room, sizeof *g->cost) ||
        !ddn_reserve(&g->position, &g->position_cap, (size_t)n + 1, sizeof *g->position))
        return ddn_fail_memory(err);
    int status = ddn_gold_set(&g->gold, x->head, x->label, n, err);
    if (status >= 0)
        status = g->oracle->begin(g->space, &g->gold, err);
    return status < 0 ? status : ddn_replay_start(&g->replay, x->sentence, g->options->roots, err);
}

/* The gold computation and the scores of its prefixes. */
static int find_goal(ddn_global *g, const ddn_example *x, dodona_error *err)
{
    int status = begin(g, x, err);
    ddn_score total = 0;
    g->moves = 0;
    while (status >= 0) {
        if (!ddn_reserve(&g->move, &g->move_cap, g->moves + 1, sizeof *g->move) ||
            !ddn_reserve(&g->score, &g->score_cap, g->moves + 1, sizeof *g->score))
            return ddn_fail_memory(err);
        g->score[g->moves] = total;
        if (g->options->system->final(&g->replay.state))
            break;
        ddn_move m = gold_move(g);
        total += ddn_replay_score(&g->replay, m);
        ddn_replay_make(&g->replay, m);
        g->move[g->moves++] = m;
    }
    return status;
}

static bool is_same(ddn_move a, ddn_move b)
{
    return a.kind == b.kind && a.pos == b.pos && a.label == b.label;
}

/* Adds delta to the weights of the moves from number first on. */
static int learn(ddn_global *g, const ddn_example *x, const ddn_move *move, size_t moves,
                 size_t first, int32_t delta, dodona_error *err)
{
    const ddn_system *system = g->options->system;
    int status = ddn_replay_start(&g->replay, x->sentence, g->options->roots, err);
    for (size_t i = 0; i < moves && status >= 0; i++) {
        ddn_move m = move[i];
        if (i >= first) {
            ddn_replay_score(&g->replay, m);
            status = ddn_learner_move(g->learner, g->replay.at, m.kind, delta, err);
            if (status >= 0 && ddn_system_arc(system, &g->replay.state, m).head >= 0)
                status = ddn_learner_label(g->learner, g->replay.at, m.kind, m.label, delta, err);
        }
        ddn_replay_make(&g->replay, m);
    }
    return status;
}

int ddn_global_learn(ddn_global *g, const ddn_example *x, dodona_error *err)
{
    size_t prefix, common = 0;
    int status = find_goal(g, x, err);
    if (status < 0)
        return status;
    ddn_goal goal = { .move = g->move,
                      .moves = g->moves,
                      .score = g->score,
                      .early = g->options->update == DDN_UPDATE_EARLY };
    ddn_searching *w = g->searching;
    status = w->search->contrast(w, x->sentence, &goal, &prefix, err);
    if (status > 0) {
        g->updates++;
        g->before_end += prefix < g->moves;
        while (common < prefix && common < w->moves && is_same(g->move[common], w->move[common]))
            common++;
        status = learn(g, x, g->move, prefix, common, 1, err);
        if (status >= 0)
            status = learn(g, x, w->move, w->moves, common, -1, err);
    }
    ddn_learner_weights(g->learner)->steps++;
    return status;
}
