/* SPDX-License-Identifier: MIT */
/* follow.c - online learning along a computation.
 *
 * At every configuration the oracle gives each legal move its cost.  The target is a move of least
 * cost: the first kind in the system's order (static), or the one that the model likes best (nondet
 * and explore).  If the model's own choice is not right, the weights move towards the target.  Then
 * a move is made: the target, or, when exploring, mostly the model's choice, so that the model also
 * learns what to do after its own mistakes.
 *
 * Where waiting (Covington's no-arc) and reading a word cost the same, the model may do either, but
 * where it errs it learns to read: a parser that goes on at once makes half as many moves.
 *
 * Labels are learnt where arcs are made: an arc that is in the gold tree wants its gold label, any
 * other arc teaches nothing.  On the gold path arcs carry gold labels; while exploring they carry
 * the model's, since those are what it will see when it parses.
 *
 * With a guide, a frozen model of an earlier pass makes the moves, and what is learnt only answers
 * for its configurations: the second pass of Nederhof 2019, after Choi and Palmer 2011.
 *
 * An oracle with limits may give up.  Then the sentence begins again, now along the gold moves, by
 * the oracle that knows only those; what was learnt up to there stays.
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
    ddn_candidates_init(&f->candidates, o->system, ddn_learner_scoring(learner));
    ddn_candidates_init(&f->guide, o->system, NULL);
    int status = o->oracle->open(o->system, (ddn_oracle_options){ 0 }, &f->plain_space, err);
    if (status >= 0 && o->crossing_oracle)
        status =
            o->crossing_oracle->open(o->system, (ddn_oracle_options){ 0 }, &f->crossing_space, err);
    if (status >= 0 && o->path_oracle)
        status = o->path_oracle->open(o->system, (ddn_oracle_options){ 0 }, &f->path_space, err);
    return status;
}

void ddn_follower_fini(ddn_follower *f)
{
    if (f->plain_space)
        f->options->oracle->close(f->plain_space);
    if (f->crossing_space)
        f->options->crossing_oracle->close(f->crossing_space);
    if (f->path_space)
        f->options->path_oracle->close(f->path_space);
    ddn_gold_fini(&f->gold);
    ddn_state_fini(&f->state);
    ddn_candidates_fini(&f->candidates);
    ddn_candidates_fini(&f->guide);
    free(f->cost);
    memset(f, 0, sizeof *f);
}

void ddn_follower_guide(ddn_follower *f, ddn_scoring *scoring)
{
    f->guide.scoring = scoring;
}

int64_t ddn_follower_tied(const ddn_follower *f)
{
    const ddn_oracle *o = f->plain_space ? f->options->oracle : NULL;
    return o && o->tied ? o->tied(f->plain_space) : 0;
}

static int32_t least_cost(const ddn_follower *f)
{
    int32_t least = f->cost[0];
    for (int32_t i = 1; i < f->candidates.count; i++)
        least = f->cost[i] < least ? f->cost[i] : least;
    return least;
}

/* Among the candidates of that cost the one with the best score, or the first when in_order. */
static int32_t best_of_cost(const ddn_follower *f, int32_t cost, bool in_order)
{
    const ddn_candidates *c = &f->candidates;
    int32_t top = -1;
    for (int32_t i = 0; i < c->count; i++) {
        if (f->cost[i] != cost)
            continue;
        if (top < 0 ||
            (!in_order && ddn_candidates_score_of(c, i) > ddn_candidates_score_of(c, top)))
            top = i;
    }
    return top;
}

/* What is learnt in place of a wrong choice: the candidate of that cost with the best score, but
 * where both waiting and reading a word are of that cost, reading.  A model that waits as long as
 * it may is as right and makes twice the moves. */
static int32_t better_choice(const ddn_follower *f, int32_t cost)
{
    const ddn_kind *kind = f->options->system->kind;
    int32_t waiting = -1, reading = -1;
    for (int32_t i = 0; i < f->candidates.count; i++) {
        ddn_kind k = kind[f->candidates.move[i].kind];
        if (f->cost[i] != cost || k.makes_arc)
            continue;
        *(k.waits ? &waiting : &reading) = i;
    }
    return waiting >= 0 && reading >= 0 ? reading : best_of_cost(f, cost, false);
}

static int learn_move(ddn_follower *f, int32_t target, int32_t choice, dodona_error *err)
{
    const ddn_candidates *c = &f->candidates;
    int status = ddn_learner_move(f->learner, c->view_of[target], c->move[target].kind, 1, err);
    if (status < 0)
        return status;
    return ddn_learner_move(f->learner, c->view_of[choice], c->move[choice].kind, -1, err);
}

/* Learns the label of the arc that candidate i makes, if it is a gold arc; sets the label to make.
 */
static int learn_label(ddn_follower *f, int32_t i, bool gold_labels, dodona_error *err)
{
    const ddn_system *system = f->options->system;
    ddn_move *move = &f->candidates.move[i];
    ddn_score unused;
    ddn_arc arc = ddn_system_arc(system, &f->state, *move);
    if (arc.head < 0)
        return DODONA_OK;
    uint16_t guess = ddn_candidates_label(&f->candidates, &f->state, i, &unused);
    uint16_t gold = f->gold.label[arc.child];
    bool is_gold = f->gold.head[arc.child] == arc.head;
    move->label = is_gold && gold_labels ? gold : guess;
    if (f->guide.scoring)
        move->label = ddn_candidates_label(&f->guide, &f->state, i, &unused);
    if (!is_gold || guess == gold)
        return DODONA_OK;
    int view = f->candidates.view_of[i];
    int status = ddn_learner_label(f->learner, view, move->kind, gold, 1, err);
    if (status < 0)
        return status;
    return ddn_learner_label(f->learner, view, move->kind, guess, -1, err);
}

/* The move that the guide makes: both list the same candidates. */
static int ask_guide(ddn_follower *f, int32_t *made, dodona_error *err)
{
    ddn_candidates_list(&f->guide, &f->state);
    int status = ddn_candidates_score(&f->guide, &f->state, err);
    if (status >= 0)
        *made = ddn_candidates_best(&f->guide);
    return status;
}

/* One configuration: learn, then move. */
static int step(ddn_follower *f, bool in_order, bool explore, dodona_error *err)
{
    const ddn_train_options *o = f->options;
    ddn_candidates *c = &f->candidates;
    if (ddn_candidates_list(c, &f->state)) {
        o->system->apply(&f->state, c->move[0], NULL);
        return DODONA_OK;
    }
    f->oracle->costs(f->space, &f->state, c->move, c->count, f->cost);
    if (f->oracle->gave_up && f->oracle->gave_up(f->space))
        return DDN_FOLLOW_GAVE_UP;
    int status = ddn_candidates_score(c, &f->state, err);
    if (status < 0)
        return status;
    int32_t least = least_cost(f), choice = ddn_candidates_best(c);
    int32_t target = in_order                   ? best_of_cost(f, least, true)
                     : f->cost[choice] == least ? choice
                                                : better_choice(f, least);
    if (choice != target)
        status = learn_move(f, target, choice, err);
    int32_t made = explore && ddn_rng_unit(f->rng) < o->explore_rate ? choice : target;
    if (status >= 0 && f->guide.scoring)
        status = ask_guide(f, &made, err);
    if (status >= 0)
        status = learn_label(f, made, !explore, err);
    if (status < 0)
        return status;
    ddn_learner_weights(f->learner)->steps++;
    o->system->apply(&f->state, c->move[made], NULL);
    return DODONA_OK;
}

/* The present example, from the start to the end or until the oracle gives up. */
static int walk(ddn_follower *f, bool in_order, bool explore, dodona_error *err)
{
    int status = ddn_state_start(&f->state, f->gold.n, f->options->roots, err);
    while (status == DODONA_OK && !f->options->system->final(&f->state))
        status = step(f, in_order, explore, err);
    return status;
}

static int begin(ddn_follower *f, const ddn_example *x, bool direct, dodona_error *err)
{
    const ddn_sentence *s = x->sentence;
    size_t moves = (size_t)ddn_moves_room(f->options->system, s->n);
    direct = direct && x->crossing;
    f->oracle = direct ? f->options->crossing_oracle : f->options->oracle;
    f->space = direct ? f->crossing_space : f->plain_space;
    if (!ddn_reserve(&f->cost, &f->cost_cap, moves, sizeof *f->cost))
        return ddn_fail_memory(err);
    int status = ddn_gold_set(&f->gold, direct ? s->head : x->head, x->label, s->n, err);
    if (status >= 0)
        status = f->oracle->begin(f->space, &f->gold, err);
    if (status >= 0)
        status = ddn_candidates_begin(&f->candidates, s, err);
    if (status >= 0 && f->guide.scoring)
        status = ddn_candidates_begin(&f->guide, s, err);
    return status;
}

/* The example again, along the gold moves. */
static int walk_statically(ddn_follower *f, dodona_error *err)
{
    ddn_scoring *guide = f->guide.scoring;
    f->oracle = f->options->path_oracle;
    f->space = f->path_space;
    f->guide.scoring = NULL; /* it would leave the path */
    int status = f->oracle->begin(f->space, &f->gold, err);
    if (status >= 0)
        status = walk(f, true, false, err);
    f->guide.scoring = guide;
    return status < 0 ? status : DDN_FOLLOW_GAVE_UP;
}

int ddn_follow(ddn_follower *f, const ddn_example *x, ddn_manner manner, dodona_error *err)
{
    int status = begin(f, x, manner.direct, err);
    if (status >= 0)
        status = walk(f, f->options->regime == DDN_TRAIN_STATIC, manner.explore, err);
    return status == DDN_FOLLOW_GAVE_UP ? walk_statically(f, err) : status;
}
