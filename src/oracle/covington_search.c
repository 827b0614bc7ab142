/* SPDX-License-Identifier: MIT */
/* covington_search.c - non-monotonic Covington: the loss itself, by search between the bounds.
 *
 * No fast algorithm for the loss is known: an arc of A that will close a cycle can be replaced in
 * time by another wrong arc, which costs nothing.  So, for L from the lower bound on, search depth
 * first for a final configuration with at most L wrong heads.  A configuration is given up when its
 * lower bound is above L, and the search succeeds when its upper bound (with problematic cycles) is
 * not.  When L reaches the upper bound of the start, that is the loss.
 *
 * The bounds of all moves of a configuration are computed before one is followed, so that solutions
 * with a single wrong arc are found soon.  A shift before i = 0 is never tried: passing the
 * remaining pairs without arcs leads to the same configuration.  Configurations that failed are
 * remembered by 128 bits of a hash of focus words and heads.  Of the words with gold head 0, lower
 * bounds count those that have a head and are settled, upper bounds all that have a head, and
 * neither bound any where these words are not to be counted.  Time: exponential in the number of
 * pairs still to visit.  After limit configurations the search gives up; where the start has too
 * many cycles for an upper bound it does not begin, since it would run to the limit.
 * Fernandez-Gonzalez and Gomez-Rodriguez 2017, section 5. */
#include "oracle/covington.h"

#include "core/array.h"
#include "system/kinds.h"

#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

/* The most cycles that are counted for a configuration of the search.  Where there are more, its
 * upper bound is not known, and the search goes on. */
enum { MOST_CYCLES = 100 };

/* A configuration of the search: which of its moves were tried, and how to undo the last. */
typedef struct level {
    ddn_undo undo;
    int tried;
} level;

struct ddn_covington_search {
    int64_t limit, taken;
    const ddn_system *system;
    const ddn_gold *gold;
    bool all_words;
    ddn_state state;
    ddn_cycles graph;
    level *level;
    size_t depth, level_cap;
    int32_t *key; /* [n + 1] what is hashed */
    size_t key_cap;
    XXH128_hash_t *vain; /* open addressing; size is a power of two; {0, 0}: empty */
    size_t size, used;
};

/* OPEN: not known yet.  BEYOND: the limit was reached. */
typedef enum verdict { NO, YES, OPEN, BEYOND, NO_MEMORY } verdict;

ddn_covington_search *ddn_covington_search_new(int64_t limit)
{
    extern const ddn_system ddn_system_covington_nm;
    ddn_covington_search *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->limit = limit ? limit : DDN_SEARCH_LIMIT;
    w->system = &ddn_system_covington_nm;
    ddn_state_init(&w->state);
    ddn_cycles_init(&w->graph);
    return w;
}

void ddn_covington_search_free(ddn_covington_search *w)
{
    if (!w)
        return;
    ddn_state_fini(&w->state);
    ddn_cycles_fini(&w->graph);
    free(w->level);
    free(w->key);
    free(w->vain);
    free(w);
}

/* ---- Configurations that failed ---- */

static XXH128_hash_t key_of(const ddn_covington_search *w)
{
    const ddn_state *s = &w->state;
    w->key[0] = s->next;
    for (int32_t y = 1; y <= s->n; y++)
        w->key[y] = s->node[y].head;
    XXH128_hash_t h =
        XXH3_128bits_withSeed(w->key, ((size_t)s->n + 1) * sizeof *w->key, (uint64_t)s->left);
    h.low64 |= 1; /* not the empty one */
    return h;
}

static XXH128_hash_t *find(const ddn_covington_search *w, XXH128_hash_t key)
{
    size_t at = (size_t)key.high64 & (w->size - 1);
    while (w->vain[at].low64 && !XXH128_isEqual(w->vain[at], key))
        at = (at + 1) & (w->size - 1);
    return &w->vain[at];
}

static bool grow(ddn_covington_search *w)
{
    XXH128_hash_t *old = w->vain, *larger;
    size_t size = w->size;
    larger = calloc(size ? 2 * size : 1024, sizeof *larger);
    if (!larger)
        return false;
    w->size = size ? 2 * size : 1024;
    w->vain = larger;
    for (size_t i = 0; i < size; i++)
        if (old[i].low64)
            *find(w, old[i]) = old[i];
    free(old);
    return true;
}

static bool remember(ddn_covington_search *w, XXH128_hash_t key)
{
    if (2 * w->used >= w->size && !grow(w))
        return false;
    *find(w, key) = key;
    w->used++;
    return true;
}

static void forget(ddn_covington_search *w)
{
    if (w->used)
        memset(w->vain, 0, w->size * sizeof *w->vain);
    w->used = 0;
}

/* ---- Bounds ---- */

static int32_t lower_of(const ddn_covington_search *w, const ddn_bounds *b)
{
    return b->lower + (w->all_words ? b->settled : 0);
}

/* -1: not known. */
static int32_t upper_of(const ddn_covington_search *w, const ddn_bounds *b)
{
    return b->problematic < 0 ? -1 : b->lower + b->problematic + (w->all_words ? b->roots : 0);
}

/* What the bounds say of the present configuration: YES, NO or OPEN. */
static verdict judge(ddn_covington_search *w, int32_t most)
{
    ddn_bounds b;
    ddn_covington_lower(&w->state, w->gold, &b);
    int32_t slack = most - b.lower - (w->all_words ? b.roots : 0);
    if (lower_of(w, &b) > most)
        return NO;
    if (w->system->final(&w->state) ||
        (slack >= 0 &&
         ddn_covington_few_problems(&w->graph, &w->state, w->gold, slack, MOST_CYCLES)))
        return YES;
    return w->used && find(w, key_of(w))->low64 ? NO : OPEN;
}

/* ---- The search ---- */

/* The t-th move to try, of three, or of one when i is 0.  A gold arc comes first, then none. */
static int move_at(const ddn_covington_search *w, int t)
{
    const ddn_state *s = &w->state;
    static const int none_first[] = { DDN_COVINGTON_NONE, DDN_COVINGTON_LEFT, DDN_COVINGTON_RIGHT };
    static const int left_first[] = { DDN_COVINGTON_LEFT, DDN_COVINGTON_NONE, DDN_COVINGTON_RIGHT };
    static const int right_first[] = { DDN_COVINGTON_RIGHT, DDN_COVINGTON_NONE,
                                       DDN_COVINGTON_LEFT };
    if (s->left == 0)
        return DDN_COVINGTON_SHIFT;
    if (w->gold->head[s->left] == s->next)
        return left_first[t];
    return w->gold->head[s->next] == s->left ? right_first[t] : none_first[t];
}

/* Visits the present configuration, or says why not. */
static verdict push(ddn_covington_search *w)
{
    if (w->taken == w->limit)
        return BEYOND;
    if (!ddn_reserve(&w->level, &w->level_cap, w->depth + 1, sizeof *w->level))
        return NO_MEMORY;
    w->taken++;
    w->level[w->depth++].tried = 0;
    return YES;
}

/* Makes the next move of the topmost configuration, or goes back to the one before.  All moves are
 * assessed before one is followed. */
static verdict step(ddn_covington_search *w, int32_t most)
{
    level *top = &w->level[w->depth - 1];
    int moves = w->state.left ? 3 : 1, t = top->tried++;
    if (t == 2 * moves) {
        if (!remember(w, key_of(w)))
            return NO_MEMORY;
        if (--w->depth > 0)
            ddn_state_revert(&w->state, &w->level[w->depth - 1].undo);
        return NO;
    }
    ddn_move m = { .kind = (uint8_t)move_at(w, t % moves), .pos = -1 };
    w->system->apply(&w->state, m, &top->undo);
    verdict v = judge(w, most);
    if (v == OPEN && t >= moves) {
        v = push(w);
        return v == YES ? NO : v;
    }
    if (v != YES)
        ddn_state_revert(&w->state, &top->undo);
    return v == OPEN ? NO : v;
}

/* Whether some final configuration has at most `most` wrong heads.  The state is as before if the
 * answer is NO. */
static verdict reaches(ddn_covington_search *w, int32_t most)
{
    w->depth = 0;
    forget(w);
    verdict v = push(w);
    if (v != YES)
        return v;
    do
        v = step(w, most);
    while (v == NO && w->depth > 0);
    return v;
}

int ddn_covington_search_loss(ddn_covington_search *w, const ddn_state *s, const ddn_gold *g,
                              bool all_words, int32_t *loss, dodona_error *err)
{
    ddn_bounds b;
    w->gold = g;
    w->all_words = all_words;
    w->taken = 0;
    *loss = -1;
    if (!ddn_cycles_reserve(&w->graph, s->n) || ddn_state_copy(&w->state, s, NULL) < 0 ||
        !ddn_reserve(&w->key, &w->key_cap, (size_t)s->n + 1, sizeof *w->key))
        return ddn_fail_memory(err);
    ddn_covington_bounds(&w->graph, s, g, &b);
    int32_t lower = lower_of(w, &b), upper = upper_of(w, &b);
    verdict v = upper < 0 ? BEYOND : NO;
    while (v == NO && lower != upper && !w->system->final(s)) {
        v = reaches(w, lower);
        lower += v == NO;
    }
    if (v == NO_MEMORY)
        return ddn_fail_memory(err);
    if (v != BEYOND)
        *loss = lower;
    return DODONA_OK;
}

/* ---- The oracle ---- */

typedef struct space {
    ddn_oracle_space base;
    ddn_covington_search *search;
} space;

static bool serves(const ddn_system *system)
{
    return system->family == DDN_FAMILY_COVINGTON && system->nonmonotonic;
}

static void fini(void *sp)
{
    ddn_covington_search_free(((space *)sp)->search);
}

static int begin(void *sp, dodona_error *err)
{
    space *w = sp;
    if (!w->search)
        w->search = ddn_covington_search_new(w->base.options.limit);
    return w->search ? DODONA_OK : ddn_fail_memory(err);
}

static int32_t value(void *sp, const ddn_state *s)
{
    space *w = sp;
    int32_t loss;
    int status = ddn_covington_search_loss(w->search, s, w->base.gold, true, &loss, NULL);
    w->base.gave_up = status < 0 || loss < 0;
    return w->base.gave_up ? 0 : s->n - loss;
}

const ddn_oracle ddn_oracle_covington_search = {
    .name = "exact",
    .summary = "searches between the bounds; for analysis",
    .everywhere = true,
    .reference = true,
    .any_tree = true,
    .gives_up = true,
    .tries = true,
    .size = sizeof(space),
    .serves = serves,
    .begin = begin,
    .fini = fini,
    .costs = ddn_oracle_try,
    .value = value,
};
