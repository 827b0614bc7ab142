/* SPDX-License-Identifier: MIT */
/* follow.c - online learning along a computation.
 *
 * At every configuration the oracle gives each legal move its cost.  The target is a move of least
 * cost: the first kind in the system's order (static), or the one that the model likes best (nondet
 * and explore).  If the model's own choice is not right, the weights move towards the target.  Then
 * a move is made: the target, or, when exploring, mostly the model's choice, so that the model also
 * learns what to do after its own mistakes.
 *
 * Labels are learnt where arcs are made: an arc that is in the gold tree wants its gold label, any
 * other arc teaches nothing.  On the gold path arcs carry gold labels; while exploring they carry
 * the model's, since those are what it will see when it parses.
 * Goldberg and Nivre 2012, 2013. */
#include "train/follow.h"

#include "core/array.h"

#include <stdlib.h>
#include <string.h>

int ddn_follower_init(ddn_follower *f, const ddn_train_options *o, const ddn_schema *schema,
                      ddn_learner *learner, ddn_rng *rng, dodona_error *err)
{
    memset(f, 0, sizeof *f);
    f->options = o;
    f->schema = schema;
    f->learner = learner;
    f->rng = rng;
    ddn_gold_init(&f->gold);
    ddn_state_init(&f->state);
    return o->oracle->open(o->system, &f->oracle, err);
}

void ddn_follower_fini(ddn_follower *f)
{
    if (f->oracle)
        f->options->oracle->close(f->oracle);
    ddn_gold_fini(&f->gold);
    ddn_state_fini(&f->state);
    free(f->moves);
    free(f->cost);
    free(f->scratch);
    free(f->views);
    free(f->scores);
    free(f->view_of);
    free(f->label);
    memset(f, 0, sizeof *f);
}

int ddn_follower_gold(ddn_follower *f, const ddn_sentence *s, dodona_error *err)
{
    if (!ddn_reserve(&f->label, &f->label_cap, (size_t)s->n + 1, sizeof *f->label))
        return ddn_fail_memory(err);
    for (int32_t i = 1; i <= s->n; i++) {
        dodona_text t = ddn_sentence_column(s, i, DDN_DEPREL);
        uint32_t id = ddn_intern_find(&f->schema->labels, t.data, t.size);
        f->label[i] = id == DDN_INTERN_NONE ? 0 : (uint16_t)id;
    }
    int status = ddn_gold_set(&f->gold, s->head, f->label, s->n, err);
    if (status < 0)
        return status;
    status = f->options->oracle->begin(f->oracle, &f->gold, err);
    if (status == DODONA_E_INPUT)
        return 0;
    return status < 0 ? status : 1;
}

static int reserve(ddn_follower *f, int32_t n, dodona_error *err)
{
    size_t moves = (size_t)ddn_moves_room(f->options->system, n);
    size_t views = f->options->system->positions ? moves + 1 : 1;
    if (!ddn_reserve(&f->moves, &f->moves_cap, moves, sizeof *f->moves) ||
        !ddn_reserve(&f->cost, &f->cost_cap, moves, sizeof *f->cost) ||
        !ddn_reserve(&f->view_of, &f->view_of_cap, moves, sizeof *f->view_of) ||
        !ddn_reserve(&f->scratch, &f->scratch_cap, (size_t)n + 1, sizeof *f->scratch) ||
        !ddn_reserve(&f->views, &f->views_cap, views, sizeof *f->views) ||
        !ddn_reserve(&f->scores, &f->scores_cap, views * DDN_MAX_KINDS, sizeof *f->scores))
        return ddn_fail_memory(err);
    return DODONA_OK;
}

/* Scores of m moves: view 0 has no position, every move with one has a view of its own. */
static void score(ddn_follower *f, int32_t m)
{
    ddn_scoring *g = ddn_learner_scoring(f->learner);
    int views = 1;
    ddn_view_fill(g->layout, &f->state, 0, &f->views[0]);
    for (int32_t i = 0; i < m; i++) {
        f->view_of[i] = f->moves[i].pos ? views : 0;
        if (f->moves[i].pos)
            ddn_view_fill(g->layout, &f->state, f->moves[i].pos, &f->views[views++]);
    }
    g->scorer->kinds(g, 0, f->views, views, f->scores);
}

static ddn_score score_of(const ddn_follower *f, int32_t i)
{
    return f->scores[f->view_of[i] * DDN_MAX_KINDS + f->moves[i].kind];
}

static int32_t least_cost(const ddn_follower *f, int32_t m)
{
    int32_t least = f->cost[0];
    for (int32_t i = 1; i < m; i++)
        least = f->cost[i] < least ? f->cost[i] : least;
    return least;
}

/* The first move of the best score among those that cost at most most; the first of all of them
 * when in_order. */
static int32_t best_move(const ddn_follower *f, int32_t m, int32_t most, bool in_order)
{
    int32_t best = -1;
    for (int32_t i = 0; i < m; i++) {
        if (f->cost[i] > most)
            continue;
        if (best < 0 || (!in_order && score_of(f, i) > score_of(f, best)))
            best = i;
    }
    return best;
}

/* Learns the label of the arc that move i makes, if it is a gold arc; sets the label to make. */
static int learn_label(ddn_follower *f, int32_t i, bool gold_labels, dodona_error *err)
{
    ddn_scoring *g = ddn_learner_scoring(f->learner);
    ddn_move *move = &f->moves[i];
    if (!f->options->system->kind[move->kind].makes_arc)
        return DODONA_OK;
    ddn_arc arc = f->options->system->arc(&f->state, move->kind, move->pos);
    ddn_score unused;
    int view = f->view_of[i], status = DODONA_OK;
    uint16_t guess = g->scorer->label(g, view, move->kind, arc, &unused);
    uint16_t gold = f->gold.label[arc.child];
    bool is_gold = f->gold.head[arc.child] == arc.head;
    if (is_gold && guess != gold) {
        status = ddn_learner_label(f->learner, view, move->kind, gold, 1, err);
        if (status >= 0)
            status = ddn_learner_label(f->learner, view, move->kind, guess, -1, err);
    }
    move->label = is_gold && gold_labels ? gold : guess;
    return status;
}

/* One configuration: learn, then move. */
static int step(ddn_follower *f, bool explore, dodona_error *err)
{
    const ddn_train_options *o = f->options;
    int32_t m = ddn_system_moves(o->system, &f->state, f->moves, f->scratch);
    if (m == 1 && !o->system->kind[f->moves[0].kind].makes_arc) {
        o->system->apply(&f->state, f->moves[0], NULL);
        return DODONA_OK;
    }
    o->oracle->costs(f->oracle, &f->state, f->moves, m, f->cost);
    score(f, m);
    int32_t least = least_cost(f, m);
    int32_t target = best_move(f, m, least, o->regime == DDN_TRAIN_STATIC);
    int32_t choice = best_move(f, m, DDN_COST_DEAD, false);
    int status = DODONA_OK;
    bool right = o->regime == DDN_TRAIN_STATIC ? choice == target : f->cost[choice] == least;
    if (!right) {
        status = ddn_learner_move(f->learner, f->view_of[target], f->moves[target].kind, 1, err);
        if (status >= 0)
            status =
                ddn_learner_move(f->learner, f->view_of[choice], f->moves[choice].kind, -1, err);
    }
    int32_t made = explore && ddn_rng_unit(f->rng) < o->explore_rate ? choice : target;
    if (status >= 0)
        status = learn_label(f, made, !explore, err);
    if (status < 0)
        return status;
    ddn_learner_weights(f->learner)->steps++;
    o->system->apply(&f->state, f->moves[made], NULL);
    return DODONA_OK;
}

int ddn_follow(ddn_follower *f, const ddn_sentence *s, bool explore, dodona_error *err)
{
    ddn_scoring *g = ddn_learner_scoring(f->learner);
    int status = reserve(f, s->n, err);
    if (status >= 0)
        status = ddn_state_start(&f->state, s->n, f->options->roots, err);
    if (status >= 0)
        status = g->scorer->begin(g, &s, 1, (int)f->views_cap, err);
    while (status >= 0 && !f->options->system->final(&f->state))
        status = step(f, explore, err);
    return status;
}
