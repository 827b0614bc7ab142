/* SPDX-License-Identifier: MIT */
/* exact.c - exact search: the best tree of all, by a chart or another exact decoder.
 *
 * The model gives a table of arc scores with the best label of each and, where moves score
 * something beside their arcs, tables over pairs of words; a decoder (chart/decode.h) maximises the
 * sum over all trees that it reaches and, in the Attardi family, over all derivations of them.
 *
 * With the decoder of the system itself, the moves are made from the start, so that the end is a
 * configuration like that of any other search.  Where moves score nothing beside their arcs, as in
 * the projective systems, all derivations of a tree score the same, and the one that the oracle
 * finds for the best tree is made.  With another decoder (mst over a projective system, say) there
 * is a tree and no derivation, and scores of moves are not used.
 *
 * Given heads are kept by forbidding other arcs in the table.  In ddn_constraint_begin it was made
 * sure that a tree of the decoder has them all.
 *
 * A sentence that is longer than the limit, or whose chart would take more than DDN_EXACT_MEMORY,
 * goes to a beam over the same model, which is opened when it is first needed, and fallback names
 * it.  A model without scores of moves has no beam; such a sentence gets the best tree of all, by
 * mst.
 *
 * In training, any result other than the goal is a violation: no derivation scores higher than what
 * is found here, so an update at the end of the sentence is always sound (Collins 2002).
 *
 * Cost: n^2 arcs to score, and the chart's (docs/exact.md). */
#include "chart/decode.h"
#include "oracle/oracle.h"
#include "search/search.h"

#include "core/array.h"
#include "core/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct exact {
    ddn_searching base;
    ddn_searching *beam;        /* for sentences that are too long; NULL: not needed yet */
    ddn_search_options options; /* for the beam */
    ddn_decoder decoder;
    ddn_decoding decoding;
    int limit;               /* words */
    int kind_of[256];        /* the Attardi family: by rule, and of the shift */
    ddn_oracle_space *space; /* finds a derivation of a tree, where moves score arcs alone; */
    ddn_gold gold;           /* and the tree */
    ddn_move *legal;
    int32_t *cost, *position;
    bool beside; /* moves score something beside their arcs: */
    ddn_pair_scores pairs;
    ddn_decode_moves moves;
    ddn_score *arc;    /* [n+1][n+1] */
    uint16_t *labels;  /* [n+1][n+1] */
    ddn_score *scores; /* [labels] of one arc */
    int32_t *head;
    uint8_t *rule;   /* [2n] */
    uint16_t *label; /* [n+1] of the tree */
} exact;

/* ---- Opening ---- */

static void close_exact(ddn_searching *base)
{
    exact *w = (exact *)base;
    ddn_search_close(w->beam);
    ddn_oracle_close(w->space);
    ddn_searching_fini(&w->base);
    ddn_decoding_fini(&w->decoding);
    ddn_gold_fini(&w->gold);
    free(w);
}

int ddn_exact_limit(const ddn_system *system, const char *decoder, bool training)
{
    enum { WORDS = 100, WORDS_SLOW = 40, WORDS_SLOW_TRAINING = 25 };
    ddn_decoder d;
    uint32_t rules = system->rules;
    if (decoder && ddn_decoder_find(decoder, &d, NULL) >= 0)
        rules = d.rules;
    if (!(rules & DDN_RULES_REDUCE_S2))
        return WORDS;
    return training ? WORDS_SLOW_TRAINING : WORDS_SLOW;
}

static int refuse_system(const ddn_system *system, dodona_error *err)
{
    ddn_names names = { 0 };
    for (int i = 0; ddn_systems[i]; i++)
        if (ddn_systems[i]->decoder)
            ddn_names_add(&names, ddn_systems[i]->name);
    return ddn_fail(err, DODONA_E_ARGUMENT,
                    "there is no exact search over the derivations of %s; there is for %s; or name "
                    "another decoder, as --decoder mst",
                    system->name, ddn_names_text(&names));
}

/* The decoder, and the types of its rules. */
static int find_decoder(exact *w, dodona_error *err)
{
    const ddn_system *system = w->base.system;
    const char *name = w->options.decoder ? w->options.decoder : system->decoder;
    if (!name)
        return refuse_system(system, err);
    w->base.by_tree = !system->decoder || strcmp(name, system->decoder) != 0;
    int status = ddn_decoder_find(name, &w->decoder, err);
    if (status >= 0)
        w->base.reach = ddn_decoder_reach(&w->decoder);
    for (int k = 0; status >= 0 && k < system->kinds && system->rules; k++) {
        const char *rule_name = system->kind[k].name;
        int rule = ddn_attardi_rule_find(rule_name, strlen(rule_name));
        w->kind_of[rule < 0 ? DDN_DECODE_SHIFT : rule] = k;
    }
    return status;
}

static int open_oracle(exact *w, dodona_error *err)
{
    const ddn_oracle *oracle;
    int status = ddn_oracle_find(w->base.system, NULL, false, &oracle, err);
    if (status < 0)
        return status;
    return ddn_oracle_open(oracle, w->base.system, (ddn_oracle_options){ 0 }, &w->space, err);
}

static int prepare(exact *w, dodona_error *err)
{
    const ddn_model *m = w->base.pass->model;
    int status = find_decoder(w, err);
    if (status < 0 || w->base.by_tree)
        return status;
    w->beside = m->beside;
    if (!w->beside)
        return open_oracle(w, err);
    w->decoder.moves = &w->moves;
    return ddn_model_needs(m, DDN_HEAD_PAIRS, "exact search", err);
}

static int open_exact(ddn_pass *pass, const ddn_search_options *options, ddn_searching **out,
                      dodona_error *err)
{
    if (options->exact_limit < 0 || options->exact_limit > DDN_EXACT_MOST)
        return ddn_fail(err, DODONA_E_ARGUMENT,
                        "the limit of exact search must be from 1 to %d words", DDN_EXACT_MOST);
    exact *w = calloc(1, sizeof *w);
    if (!w)
        return ddn_fail_memory(err);
    ddn_searching_init(&w->base, pass, options);
    w->options = *options;
    w->limit = options->exact_limit ? options->exact_limit
                                    : ddn_exact_limit(w->base.system, options->decoder, false);
    ddn_gold_init(&w->gold);
    ddn_decoding_init(&w->decoding, DDN_EXACT_MEMORY);
    int status = prepare(w, err);
    if (status < 0) {
        close_exact(&w->base);
        return status;
    }
    *out = &w->base;
    return DODONA_OK;
}

/* ---- Scores ---- */

static int reserve(exact *w, int32_t n, dodona_error *err)
{
    size_t m = (size_t)n + 1, moves = (size_t)w->base.system->max_moves(n);
    size_t room = (size_t)ddn_moves_room(w->base.system, n);
    size_t labels = w->base.pass->model->schema->labels.count;
    ddn_arena *a = &w->base.arena;
    w->arc = ddn_arena_take(a, m * m, sizeof *w->arc);
    w->labels = ddn_arena_take(a, m * m, sizeof *w->labels);
    w->scores = ddn_arena_take(a, labels, sizeof *w->scores);
    w->head = ddn_arena_take(a, m, sizeof *w->head);
    w->label = ddn_arena_take(a, m, sizeof *w->label);
    w->rule = ddn_arena_take(a, 2 * m, sizeof *w->rule);
    w->legal = ddn_arena_take(a, room, sizeof *w->legal);
    w->cost = ddn_arena_take(a, room, sizeof *w->cost);
    w->position = ddn_arena_take(a, m, sizeof *w->position);
    if (a->failed || !ddn_reserve(&w->base.move, &w->base.move_cap, moves, sizeof *w->base.move))
        return ddn_fail_memory(err);
    return DODONA_OK;
}

/* The tables of pairs, by transition type for the scorer and by rule for the chart. */
static int reserve_pairs(exact *w, int32_t n, dodona_error *err)
{
    const ddn_system *system = w->base.system;
    size_t stride = (size_t)n + 3, cells = stride * stride;
    double *table =
        ddn_arena_take(&w->base.arena, (size_t)system->kinds * DDN_PAIRS * cells, sizeof *table);
    if (!table)
        return ddn_fail_memory(err);
    w->pairs.stride = w->moves.stride = stride;
    for (int k = 0; k < system->kinds; k++)
        for (int p = 0; p < DDN_PAIRS; p++)
            w->pairs.score[k][p] = table + ((size_t)k * DDN_PAIRS + (size_t)p) * cells;
    for (int r = 0; r < DDN_ATTARDI_RULES; r++)
        for (int p = 0; p < DDN_PAIRS; p++)
            w->moves.rule[r][p] = system->rules >> r & 1 ? w->pairs.score[w->kind_of[r]][p] : NULL;
    for (int p = 0; p < DDN_PAIRS; p++)
        w->moves.shift[p] = w->pairs.score[w->kind_of[DDN_DECODE_SHIFT]][p];
    return DODONA_OK;
}

static int score(exact *w, dodona_error *err)
{
    ddn_pass *pass = w->base.pass;
    int status = reserve(w, w->base.n, err);
    if (status >= 0 && w->beside)
        status = reserve_pairs(w, w->base.n, err);
    if (status < 0)
        return status;
    status = pass->model->scorer->arcs(pass, w->base.sentence, w->arc, w->labels, err);
    if (status >= 0 && w->beside)
        pass->model->scorer->pairs(pass, w->base.sentence, &w->pairs);
    return status;
}

/* Gives an arc the best label that the constraint allows. */
static void relabel(exact *w, ddn_arc arc, size_t at)
{
    ddn_pass *pass = w->base.pass;
    const ddn_constraint *c = w->base.constraint;
    uint16_t liked = w->labels[at];
    if (ddn_constraint_takes(c, arc, liked))
        return;
    pass->model->scorer->labels(pass, &(ddn_arc_query){ -1, w->base.sentence, 0, arc }, w->scores);
    w->labels[at] = ddn_constraint_label(c, arc, liked, w->scores);
    w->arc[at] += w->scores[w->labels[at]] - w->scores[liked];
}

/* Forbids the arcs that contradict what is given, and gives the others labels that do not. */
static void keep_to_given(exact *w, int32_t n)
{
    for (int32_t d = 1; d <= n; d++)
        for (int32_t h = 0; h <= n; h++) {
            size_t at = (size_t)h * ((size_t)n + 1) + (size_t)d;
            if (!ddn_constraint_allows(w->base.constraint, h, d))
                w->arc[at] = -INFINITY;
            else if (h != d && !w->base.pass->model->labels_apart)
                relabel(w, (ddn_arc){ h, d }, at);
        }
}

/* The label of an arc of the tree, which was not asked for before. */
static uint16_t label_of(exact *w, ddn_arc arc)
{
    ddn_pass *pass = w->base.pass;
    const ddn_constraint *c = w->base.constraint;
    ddn_arc_query q = { -1, w->base.sentence, 0, arc };
    ddn_score unused;
    uint16_t liked = pass->model->scorer->label(pass, &q, &unused);
    if (!c || c->n == 0 || ddn_constraint_takes(c, arc, liked))
        return liked;
    pass->model->scorer->labels(pass, &q, w->scores);
    return ddn_constraint_label(c, arc, liked, w->scores);
}

/* ---- The derivation ---- */

/* The oracle's move towards the tree. */
static ddn_move next_move(exact *w)
{
    const ddn_state *s = &w->base.state;
    int32_t count = ddn_system_moves(w->base.system, s, w->legal, w->position), best = 0;
    w->space->oracle->costs(w->space, s, w->legal, count, w->cost);
    for (int32_t i = 1; i < count; i++)
        best = w->cost[i] < w->cost[best] ? i : best;
    return w->legal[best];
}

/* The score of a move in the present configuration, with its arc. */
static ddn_score score_of(const exact *w, ddn_move m, ddn_arc arc)
{
    const ddn_state *s = &w->base.state;
    int32_t s0 = ddn_state_top(s, 0), s1 = ddn_state_top(s, 1), s2 = ddn_state_top(s, 2);
    ddn_score sum = 0;
    if (arc.head >= 0)
        sum += w->arc[(size_t)arc.head * ((size_t)s->n + 1) + (size_t)arc.child];
    if (!w->beside)
        return sum;
    if (arc.head < 0)
        return sum + ddn_decode_shift(&w->moves, s1, s0, s->next);
    return sum + ddn_decode_reduce(&w->moves, (const double *const *)w->pairs.score[m.kind], s2, s1,
                                   s0, s->next);
}

/* Makes the moves that lead to the tree, from the start. */
static int retell(exact *w, int32_t n, dodona_error *err)
{
    const ddn_system *system = w->base.system;
    ddn_state *s = &w->base.state;
    int status = DODONA_OK;
    if (w->space) {
        status = ddn_gold_set(&w->gold, w->head, w->label, n, err);
        if (status >= 0)
            status = ddn_oracle_begin(w->space, &w->gold, err);
    }
    if (status >= 0)
        status = ddn_state_start(s, n, w->base.roots, err);
    while (status >= 0 && !system->final(s)) {
        ddn_move m = { .pos = -1 };
        if (w->space)
            m = next_move(w);
        else
            m.kind = (uint8_t)w->kind_of[w->rule[w->base.moves]];
        ddn_arc arc = ddn_system_arc(system, s, m);
        m.label = arc.head < 0 ? 0 : w->label[arc.child];
        w->base.score += score_of(w, m, arc);
        system->apply(s, m, NULL);
        w->base.move[w->base.moves++] = m;
    }
    return status;
}

/* Makes the arcs of the tree, which no derivation leads to. */
static int make_tree(exact *w, int32_t n, dodona_error *err)
{
    int status = ddn_state_start(&w->base.state, n, w->base.roots, err);
    for (int32_t d = 1; d <= n && status >= 0; d++) {
        ddn_state_attach(&w->base.state, w->head[d], d, w->label[d], NULL);
        w->base.score += w->arc[(size_t)w->head[d] * ((size_t)n + 1) + (size_t)d];
    }
    return status;
}

/* Only a set of rules that the caller chose can leave a sentence without a tree: those of a system
 * build one of any length, and what is given has been found to leave one. */
static int refuse_rules(const exact *w, dodona_error *err)
{
    return ddn_fail(err, DODONA_E_ARGUMENT,
                    "the decoder '%s' builds no tree of %d words; add reduce transitions to it",
                    w->options.decoder, (int)w->base.n);
}

static int find(exact *w, dodona_error *err)
{
    int32_t n = w->base.n;
    int status = score(w, err);
    if (status < 0)
        return status;
    if (w->base.constraint && w->base.constraint->n > 0)
        keep_to_given(w, n);
    ddn_decode_input in = { n, w->base.roots == DDN_ROOTS_ONE, w->arc };
    status = ddn_decode_best(&w->decoding, &w->decoder, &in, w->head, w->rule, err);
    if (status <= 0)
        return status < 0 ? status : refuse_rules(w, err);
    bool apart = w->base.pass->model->labels_apart;
    for (int32_t d = 1; d <= n; d++)
        w->label[d] = apart ? label_of(w, (ddn_arc){ w->head[d], d })
                            : w->labels[(size_t)w->head[d] * ((size_t)n + 1) + (size_t)d];
    return w->base.by_tree ? make_tree(w, n, err) : retell(w, n, err);
}

/* ---- Searching ---- */

static bool is_too_long(const exact *w, int32_t n)
{
    return n > w->limit || w->decoder.need(&w->decoder, n) > w->decoding.limit;
}

/* The best tree of all, which need not be one that the decoder reaches. */
static int leave_to_mst(exact *w, dodona_error *err)
{
    ddn_decoder own = w->decoder;
    bool by_tree = w->base.by_tree;
    int32_t n = w->base.n;
    int status = ddn_decoder_find("mst", &w->decoder, err);
    if (status >= 0 && (n > DDN_EXACT_MOST || w->decoder.need(&w->decoder, n) > w->decoding.limit))
        status =
            ddn_fail(err, DODONA_E_LIMIT,
                     "a sentence of %d words is too long for exact search, and the model scores "
                     "no moves, which a beam would need",
                     n);
    w->base.by_tree = true;
    if (status >= 0)
        status = find(w, err);
    w->decoder = own;
    w->base.by_tree = by_tree;
    w->base.fallback = "mst";
    return status;
}

static int leave(exact *w, dodona_error *err)
{
    int status = DODONA_OK;
    if (!(w->base.pass->model->heads & DDN_HEAD_MOVES))
        return leave_to_mst(w, err);
    if (!w->beam) {
        ddn_search_options plain = w->options;
        plain.decoder = NULL;
        status = ddn_search_open(ddn_search_beam.name, w->base.pass, &plain, &w->beam, err);
    }
    return status < 0 ? status : ddn_searching_leave(&w->base, w->beam, err);
}

static bool is_goal(const exact *w, const ddn_goal *goal)
{
    const ddn_searching *base = &w->base;
    if (base->by_tree) {
        size_t words = (size_t)base->n;
        return memcmp(goal->head + 1, w->head + 1, words * sizeof *w->head) == 0 &&
               memcmp(goal->label + 1, w->label + 1, words * sizeof *w->label) == 0;
    }
    if (base->moves != goal->moves)
        return false;
    for (size_t i = 0; i < goal->moves; i++)
        if (goal->move[i].kind != base->move[i].kind || goal->move[i].pos != base->move[i].pos ||
            goal->move[i].label != base->move[i].label)
            return false;
    return true;
}

static int begin(ddn_searching *base, dodona_error *err)
{
    exact *w = (exact *)base;
    bool too_long = is_too_long(w, base->n);
    if (too_long)
        return base->goal ? DODONA_OK : leave(w, err); /* too long to learn from */
    int status = find(w, err);
    if (status >= 0 && base->goal) {
        base->beaten = !is_goal(w, base->goal);
        base->prefix = base->goal->moves;
    }
    return status;
}

/* All was found at the beginning. */
static int ask(ddn_searching *base, ddn_batch *b, dodona_error *err)
{
    (void)base, (void)b, (void)err;
    return 0;
}

const ddn_search ddn_search_exact = {
    .name = "exact",
    .summary = "the best tree that the system reaches",
    .heads = DDN_HEAD_ARCS,
    .derivations = true,
    .exact = true,
    .open = open_exact,
    .close = close_exact,
    .begin = begin,
    .ask = ask,
};
