/* SPDX-License-Identifier: MIT */
/* attardi_chart.c - the oracle 'chart' of the Attardi family: exact, for any configuration and any
 * gold tree, in polynomial time, by exact search (chart/attardi.h).
 *
 * What can follow a configuration depends only on the words of its stack and its buffer.  So the
 * derivations from it are those of a shorter sentence, of these words alone, that begin by shifting
 * the words of the stack.  A chart over this sentence, restricted to such derivations, finds the
 * best tree, where a gold arc scores 1 and any other 0; gold arcs that were made before are added.
 *
 * A question costs one chart a move, over N = stack + buffer words: O(N^7), O(N^6) where no rule
 * reduces s2, O(N^4) where none has to do with it.  It gives up beyond the number of words for
 * which that takes some hundredths of a second.  Degrees over 2 have no chart.
 *
 * For attardi this is what Gomez-Rodriguez, Sartorio and Satta compute (A polynomial-time dynamic
 * oracle for non-projective dependency parsing, EMNLP 2014).  Theirs tabulates the same
 * I-computations (a term of Cohen et al.  2011) with gold arcs for weights, in O(n^8); it starts
 * from the elements of the stack where this starts from shifts, and has no hook for the
 * modifier. */
#include "chart/decode.h"
#include "core/array.h"
#include "oracle/oracle.h"
#include "system/attardi_rules.h"

#include <stdlib.h>

/* Words on stack and buffer, at most; without rules that reduce s2. */
enum { MAX_WORDS = 24, MAX_WORDS_FAST = 48 };

typedef struct space {
    const ddn_system *system;
    const ddn_gold *gold;
    ddn_decoder decoder;
    ddn_decoding decoding;
    bool one_root, gave_up;
    ddn_state after; /* a configuration after a move */
    int32_t *word;   /* [n+1] of the shorter sentence */
    int32_t *head;   /* [n+1] found for it */
    double *w;       /* its scores */
    size_t word_cap, head_cap, w_cap;
} space;

static bool serves(const ddn_system *system)
{
    return system->rules && !(system->rules & ~DDN_RULES_ALL);
}

static int open_space(const ddn_system *system, ddn_oracle_options options, void **out,
                      dodona_error *err)
{
    extern const ddn_oracle ddn_oracle_attardi_chart;
    bool one_root = options.one_root;
    options.one_root = false; /* the chart takes care of it */
    int status = ddn_oracle_space(&ddn_oracle_attardi_chart, options, sizeof(space), out, err);
    if (status < 0)
        return status;
    space *w = *out;
    w->system = system;
    w->one_root = one_root;
    ddn_decoder_of_rules(system->rules, &w->decoder);
    ddn_decoding_init(&w->decoding, DDN_DECODE_MEMORY);
    ddn_state_init(&w->after);
    return DODONA_OK;
}

static void close_space(void *sp)
{
    space *w = sp;
    ddn_decoding_fini(&w->decoding);
    ddn_state_fini(&w->after);
    free(w->word);
    free(w->head);
    free(w->w);
    free(w);
}

static int32_t most_words(const space *w)
{
    return w->system->rules & DDN_RULES_REDUCE_S2 ? MAX_WORDS : MAX_WORDS_FAST;
}

static int begin(void *sp, const ddn_gold *gold, dodona_error *err)
{
    space *w = sp;
    size_t need = (size_t)(gold->n < most_words(w) ? gold->n : most_words(w)) + 1;
    if (!ddn_reserve(&w->word, &w->word_cap, need, sizeof *w->word) ||
        !ddn_reserve(&w->head, &w->head_cap, need, sizeof *w->head) ||
        !ddn_reserve(&w->w, &w->w_cap, need * need, sizeof *w->w))
        return ddn_fail_memory(err);
    w->gold = gold;
    w->gave_up = false;
    return ddn_state_start(&w->after, gold->n, DDN_ROOTS_MANY, err); /* room, once */
}

/* Words on stack and buffer. */
static int32_t words(const ddn_state *s)
{
    return s->depth + s->n - s->next;
}

/* The shorter sentence and its scores. */
static void shorten(space *w, const ddn_state *s, ddn_decode_input *in)
{
    int32_t n = 0;
    *in = (ddn_decode_input){ .n = words(s), .one_root = w->one_root, .w = w->w };
    w->decoder.stacked = s->depth - 1;
    for (int32_t i = 0; i < s->depth; i++)
        w->word[n++] = s->stack[i];
    for (int32_t d = s->next; d <= s->n; d++)
        w->word[n++] = d;
    for (int32_t h = 0; h < n; h++)
        for (int32_t d = 0; d < n; d++)
            w->w[h * n + d] = w->gold->head[w->word[d]] == w->word[h];
}

/* -1: there is no tree, or it gave up. */
static int32_t value(void *sp, const ddn_state *s)
{
    space *w = sp;
    ddn_decode_input in;
    int32_t made = 0;
    w->gave_up = words(s) > most_words(w);
    if (w->gave_up)
        return -1;
    for (int32_t d = 1; d <= s->n; d++)
        made += s->node[d].head == w->gold->head[d];
    if (w->system->final(s))
        return made;
    shorten(w, s, &in);
    int status = ddn_decode_best(&w->decoding, &w->decoder, &in, w->head, NULL, NULL);
    w->gave_up = status < 0; /* no memory */
    return status > 0 ? made + (int32_t)ddn_decode_score(&in, w->head) : -1;
}

static void costs(void *sp, const ddn_state *s, const ddn_move *moves, int32_t m, int32_t *cost)
{
    space *w = sp;
    w->gave_up = words(s) > most_words(w);
    ddn_state_copy(&w->after, s, NULL); /* begin made room */
    for (int32_t i = 0; i < m && !w->gave_up; i++) {
        ddn_undo undo;
        w->system->apply(&w->after, moves[i], &undo);
        cost[i] = value(w, &w->after);
        ddn_state_revert(&w->after, &undo);
    }
    if (!w->gave_up)
        ddn_oracle_rank(cost, m);
}

static bool gave_up(const void *sp)
{
    return ((const space *)sp)->gave_up;
}

const ddn_oracle ddn_oracle_attardi_chart = {
    .name = "chart",
    .summary = "exact search from the configuration; for a few dozen words",
    .everywhere = true,
    .any_tree = true,
    .serves = serves,
    .open = open_space,
    .close = close_space,
    .begin = begin,
    .costs = costs,
    .value = value,
    .gave_up = gave_up,
};
