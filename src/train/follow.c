/* SPDX-License-Identifier: MIT */
/* follow.c - learning move by move along a derivation.
 *
 * At every configuration the oracle gives each legal move its cost.  The target is a move of least
 * cost: the first transition type in the system's order (static), or the one that scores best
 * (nondet and explore).  The loss compares it with the model's own choice, and its adjoints go to
 * the model.  Then a move is made: the target, or, when exploring, mostly the model's choice, so
 * that the model also learns what to do after its own mistakes.
 *
 * Where waiting (Covington's no-arc) and reading a word cost the same, both are right, but in place
 * of a wrong choice it learns to read: a parser that reads as soon as it may makes half as many
 * moves.
 *
 * Labels are learnt where arcs are made: an arc of the gold tree should have its gold label, and
 * nothing is learnt from any other arc.  On the gold path arcs carry gold labels; while exploring
 * they carry the model's, since those are what it will see when it parses.
 *
 * With a guide, a frozen model of an earlier pass makes the moves, and the model learns what would
 * be right in the configurations that these lead to: the second pass of Nederhof 2019, after Choi
 * and Palmer 2011.
 *
 * An oracle with limits may give up.  Then the sentence begins again, now along the gold moves, by
 * the oracle that knows only those; what was learnt up to there stays.  So does a long sentence
 * from the first, where the oracle would read all of it again for every move. Goldberg and Nivre
 * 2012, 2013. */
#include "train/follow.h"

#include <stdlib.h>
#include <string.h>

/* ---- Opening ---- */

static int open_follower(ddn_follower *f, ddn_following *all, dodona_error *err)
{
    const ddn_train_options *o = all->options;
    ddn_oracle_options plain = { 0 };
    f->all = all;
    ddn_gold_init(&f->gold);
    ddn_state_init(&f->state);
    ddn_candidates_init(&f->candidates, all->pass);
    int status = ddn_oracle_open(o->oracle, o->system, plain, &f->plain_space, err);
    if (status >= 0 && o->crossing_oracle)
        status = ddn_oracle_open(o->crossing_oracle, o->system, plain, &f->crossing_space, err);
    if (status >= 0 && o->path_oracle)
        status = ddn_oracle_open(o->path_oracle, o->system, plain, &f->path_space, err);
    return status;
}

static void close_follower(ddn_follower *f)
{
    ddn_oracle_close(f->plain_space);
    ddn_oracle_close(f->crossing_space);
    ddn_oracle_close(f->path_space);
    ddn_gold_fini(&f->gold);
    ddn_state_fini(&f->state);
    ddn_candidates_fini(&f->candidates);
    ddn_candidates_fini(&f->guide);
}

int ddn_following_open(ddn_following *f, const ddn_train_options *o, ddn_model *model, int room,
                       ddn_rng *rng, dodona_error *err)
{
    memset(f, 0, sizeof *f);
    f->options = o;
    f->model = model;
    f->rng = rng;
    int status = model->scorer->pass(model, DDN_ONE_VIEW, &f->pass, err);
    if (status < 0)
        return status;
    f->follower = calloc((size_t)room, sizeof *f->follower);
    if (!f->follower)
        return ddn_fail_memory(err);
    for (; f->room < room && status >= 0; f->room++)
        status = open_follower(&f->follower[f->room], f, err);
    return status;
}

void ddn_following_close(ddn_following *f)
{
    for (int i = 0; i < f->room; i++)
        close_follower(&f->follower[i]);
    ddn_pass_end(f->pass);
    ddn_pass_end(f->guide);
    ddn_batch_fini(&f->batch);
    ddn_batch_fini(&f->guide_batch);
    ddn_arena_fini(&f->arena);
    free(f->follower);
    memset(f, 0, sizeof *f);
}

int ddn_following_guide(ddn_following *f, const ddn_model *guide, dodona_error *err)
{
    int status = guide->scorer->pass(guide, DDN_ONE_VIEW, &f->guide, err);
    for (int i = 0; i < f->room && status >= 0; i++)
        ddn_candidates_init(&f->follower[i].guide, f->guide);
    return status;
}

int64_t ddn_following_tied(const ddn_following *f)
{
    int64_t tied = 0;
    for (int i = 0; i < f->room; i++)
        tied += f->follower[i].plain_space->tied;
    return tied;
}

/* ---- Choices ---- */

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

/* The target where the choice is wrong: the candidate of that cost with the best score, but where
 * both waiting and reading a word are of that cost, reading, which needs fewer moves. */
static int32_t better_choice(const ddn_follower *f, int32_t cost)
{
    const ddn_kind *kind = f->all->options->system->kind;
    int32_t waiting = -1, reading = -1;
    for (int32_t i = 0; i < f->candidates.count; i++) {
        ddn_kind k = kind[f->candidates.move[i].kind];
        if (f->cost[i] != cost || k.makes_arc)
            continue;
        *(k.waits ? &waiting : &reading) = i;
    }
    return waiting >= 0 && reading >= 0 ? reading : best_of_cost(f, cost, false);
}

/* ---- Learning ---- */

static int learn_move(ddn_follower *f, int32_t target, int32_t choice, dodona_error *err)
{
    ddn_following *all = f->all;
    const ddn_scorer *scorer = all->model->scorer;
    const ddn_candidates *c = &f->candidates;
    int status = DODONA_OK;
    for (int32_t i = 0; i < c->count && scorer->loss->reads_scores; i++)
        all->score[i] = ddn_candidates_score_of(c, i);
    int32_t count = scorer->loss->adjoints(all->score, c->count, target, choice, all->adjoint);
    for (int32_t i = 0; i < count && status >= 0; i++) {
        int32_t candidate = all->adjoint[i].output;
        ddn_adjoint d = { c->move[candidate].kind, all->adjoint[i].d };
        status = scorer->learn_move(all->pass, ddn_candidates_query(c, candidate), &d, 1, err);
    }
    return status;
}

static int learn_arc(ddn_following *all, const ddn_arc_query *q, uint16_t gold, uint16_t guess,
                     dodona_error *err)
{
    const ddn_scorer *scorer = all->model->scorer;
    int32_t labels = (int32_t)all->model->schema->labels.count;
    if (scorer->loss->reads_scores)
        scorer->labels(all->pass, q, all->score);
    int32_t count = scorer->loss->adjoints(all->score, labels, gold, guess, all->adjoint);
    return count ? scorer->learn_label(all->pass, q, all->adjoint, count, err) : DODONA_OK;
}

/* Learns the label of the arc that candidate i makes, if it is a gold arc; sets the label to make.
 */
static int learn_label(ddn_follower *f, int32_t i, dodona_error *err)
{
    ddn_move *move = &f->candidates.move[i];
    ddn_score unused;
    ddn_arc arc = ddn_system_arc(f->all->options->system, &f->state, *move);
    if (arc.head < 0)
        return DODONA_OK;
    uint16_t guess = ddn_candidates_label(&f->candidates, &f->state, i, &unused);
    uint16_t gold = f->gold.label[arc.child];
    bool is_gold = f->gold.head[arc.child] == arc.head;
    move->label = is_gold && !f->explore ? gold : guess;
    if (f->guided)
        move->label = ddn_candidates_label(&f->guide, &f->state, i, &unused);
    ddn_arc_query q = ddn_candidates_arc(&f->candidates, i, arc);
    return is_gold ? learn_arc(f->all, &q, gold, guess, err) : DODONA_OK;
}

/* The move that the guide makes, by its number: both list the same candidates. */
static int ask_guide(ddn_follower *f, int32_t *made, dodona_error *err)
{
    ddn_batch *b = &f->all->guide_batch;
    ddn_pass *guide = f->all->guide;
    b->count = 0;
    ddn_candidates_list(&f->guide, &f->state);
    int status = ddn_candidates_view(&f->guide, &f->state, err);
    if (status >= 0)
        status = ddn_candidates_ask(&f->guide, b, err);
    if (status >= 0)
        status = guide->model->scorer->moves(guide, b->query, (int)b->count, b->score, err);
    if (status < 0)
        return status;
    ddn_candidates_told(&f->guide, b);
    *made = ddn_candidates_best(&f->guide);
    return DODONA_OK;
}

/* One configuration, scored: learn, then move. */
static int tell(ddn_follower *f, dodona_error *err)
{
    const ddn_train_options *o = f->all->options;
    ddn_candidates *c = &f->candidates;
    ddn_candidates_told(c, &f->all->batch);
    int32_t least = least_cost(f), choice = ddn_candidates_best(c);
    int32_t target = f->in_order                ? best_of_cost(f, least, true)
                     : f->cost[choice] == least ? choice
                                                : better_choice(f, least);
    int status = learn_move(f, target, choice, err);
    int32_t made = f->explore && ddn_rng_unit(f->all->rng) < o->explore_rate ? choice : target;
    if (status >= 0 && f->guided)
        status = ask_guide(f, &made, err);
    if (status >= 0)
        status = learn_label(f, made, err);
    if (status >= 0)
        o->system->apply(&f->state, c->move[made], NULL);
    return status;
}

/* ---- Walking ---- */

/* Begins the example again, along the gold derivation. */
static int begin_statically(ddn_follower *f, dodona_error *err)
{
    const ddn_train_options *o = f->all->options;
    f->space = f->path_space;
    f->in_order = true;
    f->explore = f->guided = false; /* these would leave the path */
    f->gave_up = true;
    int status = ddn_oracle_begin(f->space, &f->gold, err);
    return status < 0 ? status : ddn_state_start(&f->state, f->gold.n, o->roots, err);
}

/* Goes on to a configuration that is to be scored; 0: the example has ended. */
static int ask(ddn_follower *f, dodona_error *err)
{
    const ddn_system *system = f->all->options->system;
    ddn_candidates *c = &f->candidates;
    int status = DODONA_OK;
    while (status >= 0 && !system->final(&f->state)) {
        if (ddn_candidates_list(c, &f->state)) {
            system->apply(&f->state, c->move[0], NULL);
            continue;
        }
        f->space->oracle->costs(f->space, &f->state, c->move, c->count, f->cost);
        if (f->space->gave_up) {
            status = begin_statically(f, err);
            continue;
        }
        status = ddn_candidates_view(c, &f->state, err);
        if (status >= 0)
            status = ddn_candidates_ask(c, &f->all->batch, err);
        return status < 0 ? status : 1;
    }
    return status < 0 ? status : 0;
}

static int begin(ddn_follower *f, int number, const ddn_example *x, ddn_manner manner,
                 dodona_error *err)
{
    const ddn_train_options *o = f->all->options;
    const ddn_sentence *s = x->sentence;
    bool too_long = o->oracle->rereads && s->n > DDN_REREAD_WORDS;
    bool direct = manner.direct && x->crossing && !too_long;
    f->space = direct ? f->crossing_space : f->plain_space;
    f->in_order = o->regime == DDN_TRAIN_STATIC;
    f->explore = manner.explore;
    f->guided = f->all->guide != NULL;
    f->gave_up = false;
    f->asks = true;
    int status = ddn_gold_set(&f->gold, direct ? s->head : x->head, x->label, s->n, err);
    if (status >= 0)
        status = ddn_candidates_begin(&f->candidates, number, s->n, err);
    if (status >= 0 && f->guided)
        status = ddn_candidates_begin(&f->guide, number, s->n, err);
    if (status >= 0 && too_long)
        return begin_statically(f, err);
    if (status >= 0)
        status = ddn_oracle_begin(f->space, &f->gold, err);
    return status < 0 ? status : ddn_state_start(&f->state, s->n, o->roots, err);
}

/* Room for a choice among the moves of each example, and for one among the labels. */
static int reserve(ddn_following *f, const ddn_example *const *x, int m, dodona_error *err)
{
    size_t choices = f->model->schema->labels.count;
    ddn_arena_reset(&f->arena);
    for (int i = 0; i < m; i++) {
        size_t moves = (size_t)ddn_moves_room(f->options->system, x[i]->sentence->n);
        f->follower[i].cost = ddn_arena_take(&f->arena, moves, sizeof(int32_t));
        choices = moves > choices ? moves : choices;
    }
    f->adjoint = ddn_arena_take(&f->arena, choices + 2, sizeof *f->adjoint);
    f->score = ddn_arena_take(&f->arena, choices, sizeof *f->score);
    return f->arena.failed ? ddn_fail_memory(err) : DODONA_OK;
}

static int begin_all(ddn_following *f, const ddn_example *const *x, int m, ddn_manner manner,
                     dodona_error *err)
{
    const ddn_sentence *sentence[DDN_MAX_BATCH] = { NULL };
    int status = reserve(f, x, m, err);
    for (int i = 0; i < m && status >= 0; i++) {
        sentence[i] = x[i]->sentence;
        status = begin(&f->follower[i], i, x[i], manner, err);
    }
    if (status >= 0)
        status = f->model->scorer->encode(f->pass, sentence, m, err);
    if (status >= 0 && f->guide)
        status = f->guide->model->scorer->encode(f->guide, sentence, m, err);
    return status;
}

/* Lets all followers that go on ask; returns whether any does. */
static int ask_all(ddn_following *f, int m, dodona_error *err)
{
    int any = 0;
    f->batch.count = 0;
    for (int i = 0; i < m; i++) {
        int status = f->follower[i].asks ? ask(&f->follower[i], err) : 0;
        if (status < 0)
            return status;
        f->follower[i].asks = status > 0;
        any |= status;
    }
    return any;
}

int ddn_follow(ddn_following *f, const ddn_example *const *x, int m, ddn_manner manner,
               dodona_error *err)
{
    const ddn_scorer *scorer = f->model->scorer;
    int gave_up = 0, status = begin_all(f, x, m, manner, err);
    while (status >= 0 && (status = ask_all(f, m, err)) > 0) {
        status = scorer->moves(f->pass, f->batch.query, (int)f->batch.count, f->batch.score, err);
        for (int i = 0; i < m && status >= 0; i++)
            if (f->follower[i].asks)
                status = tell(&f->follower[i], err);
        if (status >= 0 && scorer->online)
            status = scorer->step(f->model, &f->pass, 1, err);
    }
    if (status >= 0 && scorer->backward)
        status = scorer->backward(f->pass, err);
    for (int i = 0; i < m; i++)
        gave_up += f->follower[i].gave_up;
    return status < 0 ? status : gave_up;
}

int ddn_follow_step(ddn_following *f, const ddn_example *const *x, int m, ddn_manner manner,
                    dodona_error *err)
{
    const ddn_scorer *scorer = f->model->scorer;
    int gave_up = ddn_follow(f, x, m, manner, err), status = DODONA_OK;
    if (gave_up >= 0 && !scorer->online)
        status = scorer->step(f->model, &f->pass, 1, err);
    return status < 0 ? status : gave_up;
}
