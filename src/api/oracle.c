/* SPDX-License-Identifier: MIT */
/* oracle.c - how good each move is, for configurations that callers write down.
 *
 * A configuration must be one that the system can come to.  For the systems here that means:
 * words that are neither on the stack nor in the buffer have a head, what is in the buffer has
 * none, on the stack only arc-eager's right arcs have given one (the element below), and every word
 * and its descendants stand side by side, so that they can have been joined one by one.  In the
 * Covington systems it means that arcs are between words that were focus words together.  In the
 * Attardi family arcs may cross; there the canonical moves must come to the configuration.
 *
 * Of several algorithms, the first that takes the gold tree answers. */
#include "oracle/oracle.h"
#include "api/api.h"
#include "api/losses.h"
#include "core/arena.h"
#include "dodona_research.h"
#include "io/json_read.h"
#include "system/attardi_reach.h"
#include "tree/tree.h"

#include <stdlib.h>

enum { MAX_ORACLES = 8 };

struct dodona_oracle {
    const ddn_system *system;
    ddn_roots roots;
    bool eager; /* words on the stack may have heads */
    bool last;  /* the end comes when the last word is pushed */
    bool nm;    /* covington-nm with any number of roots: there are losses */
    ddn_losses losses;
    bool ahead; /* the first word of the buffer may have children */
    int oracles;
    ddn_oracle_space *space[MAX_ORACLES];
    ddn_configuration configuration;
    ddn_gold gold;
    ddn_state state;
    int32_t *head, *scratch; /* [n + 1], [2 * (n + 1)] */
    ddn_move *move;          /* the legal ones, and their scores, -1 where no tree can follow */
    int32_t *score;
    int32_t moves;
    int32_t value;   /* of the configuration, where it has moves or is Covington's; -1: no tree */
    ddn_arena arena; /* these: of one question */
    ddn_output answer;
};

void dodona_oracle_options_init(dodona_oracle_options *o)
{
    if (!o)
        return;
    *o = (dodona_oracle_options){
        .size = sizeof *o, .system = "arc-standard", .strategy = "free", .limit = DDN_SEARCH_LIMIT
    };
}

static int find_strategy(const char *name, ddn_strategy *out, dodona_error *err)
{
    static const char *const names[] = { "free", "lbr", "strict-lbr", "rbl" };
    for (int i = 0; i < 4; i++)
        if (strcmp(name, names[i]) == 0) {
            *out = (ddn_strategy)i;
            return DODONA_OK;
        }
    return ddn_fail(err, DODONA_E_ARGUMENT,
                    "there is no strategy '%s'; there are free, lbr, strict-lbr and rbl", name);
}

static int open_one(dodona_oracle *o, const ddn_oracle *oracle, ddn_oracle_options options,
                    dodona_error *err)
{
    int status = ddn_oracle_open(oracle, o->system, options, &o->space[o->oracles], err);
    o->oracles += status >= 0;
    return status;
}

/* All that serve and know the options, in their order; if there is none, *err is the first's. */
static int open_all(dodona_oracle *o, ddn_oracle_options options, dodona_error *err)
{
    dodona_error later;
    bool first = true;
    int status = ddn_fail(err, DODONA_E_ARGUMENT,
                          "there is no oracle for %s that is exact everywhere; name an algorithm",
                          o->system->name);
    for (int i = 0; ddn_oracles[i] && o->oracles < MAX_ORACLES; i++) {
        const ddn_oracle *oracle = ddn_oracles[i];
        if (oracle->reference || oracle->approximate || !oracle->everywhere ||
            !oracle->serves(o->system))
            continue;
        int code = open_one(o, oracle, options, first ? err : &later);
        if (code == DODONA_E_MEMORY)
            return ddn_fail_memory(err);
        status = first ? code : status;
        first = false;
    }
    return o->oracles ? DODONA_OK : status;
}

static int open_oracles(dodona_oracle *o, const dodona_oracle_options *given, dodona_error *err)
{
    const ddn_oracle *named;
    ddn_oracle_options options = { .one_root = given->one_root, .limit = given->limit };
    int status = find_strategy(given->strategy, &options.strategy, err);
    if (status < 0)
        return status;
    if (!given->algorithm && o->nm)
        return open_one(o, &ddn_oracle_covington_search, options, err);
    if (!given->algorithm)
        return open_all(o, options, err);
    status = ddn_oracle_find(o->system, given->algorithm, true, &named, err);
    return status < 0 ? status : open_one(o, named, options, err);
}

/* What the checks below must know of the system. */
static void describe(dodona_oracle *o, bool one_root)
{
    ddn_family family = o->system->family;
    bool nm = o->system->nonmonotonic;
    o->eager = family == DDN_FAMILY_EAGER;
    o->last = o->eager && !nm;
    o->nm = family == DDN_FAMILY_COVINGTON && nm && !one_root;
    o->ahead = family != DDN_FAMILY_STANDARD && family != DDN_FAMILY_SPINE;
    o->roots = one_root ? DDN_ROOTS_ONE : o->eager ? DDN_ROOTS_PLAIN : DDN_ROOTS_MANY;
}

int dodona_oracle_open(const dodona_oracle_options *given, dodona_oracle **out, dodona_error *err)
{
    if (!out)
        return ddn_fail_null(err, "place for the oracle");
    dodona_oracle_options options;
    dodona_oracle_options_init(&options);
    if (given)
        ddn_options_take(&options, sizeof options, given, given->size);
    *out = NULL;
    if (!options.system || !options.strategy)
        return ddn_fail_null(err, "system or the strategy");
    const ddn_system *system;
    int status = ddn_system_get(options.system, &system, err);
    if (status < 0)
        return status;
    if (options.limit < 1)
        return ddn_fail(err, DODONA_E_ARGUMENT, "the limit must be at least 1");
    dodona_oracle *o = calloc(1, sizeof *o);
    if (!o)
        return ddn_fail_memory(err);
    ddn_configuration_init(&o->configuration);
    ddn_gold_init(&o->gold);
    ddn_state_init(&o->state);
    ddn_output_memory(&o->answer);
    o->system = system;
    describe(o, options.one_root);
    status = o->nm ? ddn_losses_init(&o->losses, options.limit, err) : DODONA_OK;
    if (status >= 0)
        status = open_oracles(o, &options, err);
    if (status < 0) {
        dodona_oracle_close(o);
        return status;
    }
    *out = o;
    return DODONA_OK;
}

void dodona_oracle_close(dodona_oracle *o)
{
    if (!o)
        return;
    for (int i = 0; i < o->oracles; i++)
        ddn_oracle_close(o->space[i]);
    ddn_losses_fini(&o->losses);
    ddn_configuration_fini(&o->configuration);
    ddn_gold_fini(&o->gold);
    ddn_state_fini(&o->state);
    ddn_output_abandon(&o->answer);
    ddn_arena_fini(&o->arena);
    free(o);
}

/* ---- Is it a configuration of the system? ---- */

static int refuse_order(dodona_error *err)
{
    return ddn_fail(err, DODONA_E_INPUT,
                    "an arc in \"arcs\" crosses another one or spans a word on the stack");
}

/* The head of a word that is not in the buffer.  below: what is below it on the stack, or -1. */
static int check_head(const dodona_oracle *o, int32_t word, bool stacked, int32_t below,
                      dodona_error *err)
{
    const ddn_configuration *c = &o->configuration;
    int32_t head = c->arc[word], last = o->ahead ? c->next : c->next - 1;
    if (!stacked && head < 0)
        return ddn_fail(err, DODONA_E_INPUT,
                        "word %d is neither on the stack nor in the buffer and has no head",
                        (int)word);
    if (head > last)
        return ddn_fail(err, DODONA_E_INPUT,
                        "word %d has the head %d, which is still in the buffer", (int)word,
                        (int)head);
    if (stacked && head >= 0 && !o->eager)
        return ddn_fail(err, DODONA_E_INPUT,
                        "word %d is on the stack and has a head; in %s a word leaves the stack "
                        "when it gets one",
                        (int)word, o->system->name);
    if (stacked && head >= 0 && head != below)
        return ddn_fail(err, DODONA_E_INPUT,
                        "word %d is on the stack and has the head %d, which is not the element "
                        "below it",
                        (int)word, (int)head);
    return DODONA_OK;
}

static int check_heads(const dodona_oracle *o, dodona_error *err)
{
    const ddn_configuration *c = &o->configuration;
    int32_t at = 1;
    int status = DODONA_OK;
    for (int32_t word = 1; word < c->next && status >= 0; word++) {
        bool stacked = at < c->depth && c->stack[at] == word;
        if (!o->system->rules && !stacked && c->arc[word] >= 0 && c->arc[word] < c->stack[at - 1])
            return refuse_order(err);
        at += stacked;
        status = check_head(o, word, stacked, stacked ? c->stack[at - 2] : -1, err);
    }
    if (status >= 0 && o->last && c->next > c->n && c->stack[c->depth - 1] != c->n)
        status =
            ddn_fail(err, DODONA_E_INPUT,
                     "the buffer is empty and word %d is not on the stack; %s ends when it pushes "
                     "the last word",
                     (int)c->n, o->system->name);
    for (int32_t word = c->next; word <= c->n && status >= 0; word++)
        if (c->arc[word] >= 0)
            status =
                ddn_fail(err, DODONA_E_INPUT, "word %d is in the buffer and has a head", (int)word);
    return status;
}

/* Covington: every arc is between words that have been focus words together. */
static int check_pairs(const dodona_oracle *o, dodona_error *err)
{
    const ddn_configuration *c = &o->configuration;
    if (c->next > c->n && c->left < c->n)
        return ddn_fail(err, DODONA_E_INPUT, "\"j\" is after the last word, so \"i\" must be %d",
                        (int)c->n);
    for (int32_t word = 1; word <= c->n; word++) {
        int32_t head = c->arc[word];
        if (head == 0)
            return ddn_fail(err, DODONA_E_INPUT,
                            "word %d has the head 0; in %s the root's children have no head",
                            (int)word, o->system->name);
        if (head == word || (head > 0 && ddn_meets(c->left, c->next, head, word)))
            return ddn_fail(err, DODONA_E_INPUT,
                            "word %d has the head %d, but the two have not been focus words yet",
                            (int)word, (int)head);
    }
    return DODONA_OK;
}

/* No cycle, and, but for Covington's systems, every node's descendants side by side.  Words without
 * a head hang from 0 here, which makes a tree of it; then an arc that spans a headless word on the
 * stack looks like a crossing. */
static int check_order(dodona_oracle *o, dodona_error *err)
{
    ddn_configuration *c = &o->configuration;
    size_t need = (size_t)c->n + 1;
    ddn_arena_reset(&o->arena);
    o->head = ddn_arena_take(&o->arena, need, sizeof *o->head);
    o->scratch = ddn_arena_take(&o->arena, 2 * need, sizeof *o->scratch);
    if (o->arena.failed)
        return ddn_fail_memory(err);
    if (o->system->rules)
        return ddn_attardi_comes_to(o->system->rules, c->arc, c->n, c->stack, c->depth, c->next,
                                    o->scratch)
                   ? DODONA_OK
                   : ddn_fail(err, DODONA_E_INPUT,
                              "%s can't come to a configuration with these \"arcs\"",
                              o->system->name);
    for (int32_t d = 1; d <= c->n; d++)
        o->head[d] = c->arc[d] < 0 ? 0 : c->arc[d];
    if (ddn_tree_check(o->head, c->n, false, o->scratch, NULL) != DDN_TREE_OK)
        return ddn_fail(err, DODONA_E_INPUT, "\"arcs\" has a cycle");
    if (!o->system->forest && !ddn_tree_is_projective(o->head, c->n, o->scratch))
        return refuse_order(err);
    return DODONA_OK;
}

static void set_state(dodona_oracle *o)
{
    const ddn_configuration *c = &o->configuration;
    ddn_state *s = &o->state;
    int32_t at = 1;
    if (o->system->forest)
        ddn_state_focus(s, c->left, c->next);
    while (s->next < c->next) {
        int32_t word = s->next;
        ddn_state_push(s);
        if (at < c->depth && c->stack[at] == word)
            at++;
        else
            ddn_state_remove(s, 0, NULL);
    }
    for (int32_t d = c->n; d >= 1; d--) /* outermost last on either side */
        if (c->arc[d] > d)
            ddn_state_attach(s, c->arc[d], d, 0, NULL);
    for (int32_t d = 1; d <= c->n; d++)
        if (c->arc[d] >= 0 && c->arc[d] < d)
            ddn_state_attach(s, c->arc[d], d, 0, NULL);
}

/* ---- Answers ---- */

/* Shift first, then the others in the system's order. */
static int kind_at(const ddn_system *system, int i)
{
    return i == 0 ? system->shift : i <= system->shift ? i - 1 : i;
}

/* The name of the k-th move of a transition type; moves with positions are counted from 1. */
static const char *name_of(const ddn_system *system, int kind, int k, char name[DDN_MOVE_NAME])
{
    bool placed = system->positions && system->kind[kind].makes_arc;
    return ddn_move_name(system, kind, placed ? k : 0, name);
}

/* The scores of the moves of a transition type, null where it has none. */
static void put_scores(const dodona_oracle *o, ddn_json *j, int kind)
{
    char name[DDN_MOVE_NAME];
    int k = 0;
    for (int32_t i = 0; i < o->moves; i++) {
        if (o->move[i].kind != kind)
            continue;
        ddn_json_key(j, name_of(o->system, kind, ++k, name));
        if (o->score[i] < 0)
            ddn_json_raw(j, "null");
        else
            ddn_json_int(j, o->score[i]);
    }
    if (k == 0)
        ddn_json_raw(ddn_json_key(j, name_of(o->system, kind, 1, name)), "null");
}

static void put_answer(dodona_oracle *o)
{
    const ddn_system *system = o->system;
    ddn_json j = { .out = &o->answer };
    char name[DDN_MOVE_NAME];
    int32_t best = 0;
    bool unknown = false; /* a legal move of covington-nm can always be completed to a tree */
    for (int32_t i = 0; i < o->moves; i++)
        unknown |= o->nm && o->score[i] < 0;
    for (int32_t i = 0; i < o->moves; i++)
        best = o->score[i] > best ? o->score[i] : best;
    ddn_json_begin(&j, '{');
    ddn_json_begin(ddn_json_key(&j, "scores"), '{');
    for (int kind = 0; kind < system->kinds; kind++)
        put_scores(o, &j, kind_at(system, kind));
    ddn_json_end(&j, '}');
    ddn_json_begin(ddn_json_key(&j, "optimal"), '[');
    for (int kind = 0; kind < system->kinds && !unknown; kind++)
        for (int32_t i = 0, k = 0; i < o->moves; i++) {
            k += o->move[i].kind == kind_at(system, kind);
            if (o->move[i].kind == kind_at(system, kind) && o->score[i] >= best)
                ddn_json_string(&j, name_of(system, o->move[i].kind, k, name));
        }
    ddn_json_end(&j, ']');
    if (o->nm)
        ddn_losses_put(&o->losses, &j);
    else if (system->forest && o->value < 0)
        ddn_json_raw(ddn_json_key(&j, "loss"), "null");
    else if (system->forest)
        ddn_json_int(ddn_json_key(&j, "loss"), o->state.n - o->value);
    ddn_json_end(&j, '}');
}

/* The number of the oracle that takes the gold tree, or the first one's refusal. */
static int begin(dodona_oracle *o, dodona_error *err)
{
    dodona_error later;
    int first = DODONA_OK;
    for (int i = 0; i < o->oracles; i++) {
        int status = ddn_oracle_begin(o->space[i], &o->gold, i ? &later : err);
        if (status >= 0)
            return i;
        if (status == DODONA_E_MEMORY)
            return ddn_fail_memory(err);
        first = i ? first : status;
    }
    return first;
}

static int ask(dodona_oracle *o, dodona_error *err)
{
    size_t room = (size_t)ddn_moves_room(o->system, o->state.n);
    int i = begin(o, err);
    if (i < 0)
        return i;
    ddn_oracle_space *space = o->space[i];
    const ddn_oracle *oracle = space->oracle;
    o->move = ddn_arena_take(&o->arena, room, sizeof *o->move);
    o->score = ddn_arena_take(&o->arena, room, sizeof *o->score);
    if (o->arena.failed)
        return ddn_fail_memory(err);
    o->moves = 0;
    if (!o->system->final(&o->state))
        o->moves = ddn_system_moves(o->system, &o->state, o->move, o->scratch);
    if (o->nm && ddn_losses_knows(oracle))
        return ddn_losses_find(&o->losses, o->system, &o->state, &o->gold, oracle, o->move,
                               o->moves, o->score, err);
    if (o->nm) {
        int status =
            ddn_losses_find(&o->losses, o->system, &o->state, &o->gold, oracle, NULL, 0, NULL, err);
        if (status < 0)
            return status;
    }
    if (o->moves == 0 && !o->system->forest)
        return DODONA_OK;
    o->value = oracle->value(space, &o->state);
    bool beyond = space->gave_up;
    oracle->costs(space, &o->state, o->move, o->moves, o->score);
    if (beyond || space->gave_up)
        return ddn_fail(err, DODONA_E_LIMIT,
                        "the configuration is beyond the limits of the oracle '%s'", oracle->name);
    for (int32_t k = 0; k < o->moves; k++)
        o->score[k] = o->score[k] == DDN_COST_DEAD ? -1 : o->value - o->score[k];
    return DODONA_OK;
}

int dodona_oracle_answer(dodona_oracle *o, dodona_text configuration, dodona_text *answer,
                         dodona_error *err)
{
    if (!o || !configuration.data || !answer)
        return ddn_fail_null(err, "oracle, the configuration or the place for the answer");
    const ddn_configuration *c = &o->configuration;
    int status = ddn_configuration_read(&o->configuration, configuration, o->system->forest, err);
    if (status >= 0)
        status = (o->system->forest ? check_pairs : check_heads)(o, err);
    if (status >= 0)
        status = check_order(o, err);
    if (status >= 0)
        status = ddn_gold_set(&o->gold, c->head, NULL, c->n, err);
    if (status >= 0)
        status = ddn_state_start(&o->state, c->n, o->roots, err);
    if (status < 0)
        return status;
    set_state(o);
    status = ask(o, err);
    if (status < 0)
        return status;
    ddn_output_abandon(&o->answer);
    put_answer(o);
    return ddn_output_text(&o->answer, answer, err);
}
