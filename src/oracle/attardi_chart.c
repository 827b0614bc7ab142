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
#include "oracle/oracle.h"
#include "system/attardi_rules.h"

/* Words on stack and buffer, at most; without rules that reduce s2. */
enum { MAX_WORDS = 24, MAX_WORDS_FAST = 48 };

typedef struct space {
    ddn_oracle_space base;
    ddn_decoder decoder;
    ddn_decoding decoding;
    int32_t *word; /* [n+1] of the shorter sentence */
    int32_t *head; /* [n+1] found for it */
    double *w;     /* its scores */
} space;

static bool serves(const ddn_system *system)
{
    return system->rules && !(system->rules & ~DDN_RULES_ALL);
}

static void fini(void *sp)
{
    ddn_decoding_fini(&((space *)sp)->decoding);
}

static int32_t most_words(const space *w)
{
    return w->base.system->rules & DDN_RULES_REDUCE_S2 ? MAX_WORDS : MAX_WORDS_FAST;
}

static int begin(void *sp, dodona_error *err)
{
    space *w = sp;
    ddn_arena *a = &w->base.arena;
    int32_t n = w->base.gold->n, most = most_words(w);
    size_t need = (size_t)(n < most ? n : most) + 1;
    w->word = ddn_arena_take(a, need, sizeof *w->word);
    w->head = ddn_arena_take(a, need, sizeof *w->head);
    w->w = ddn_arena_take(a, need * need, sizeof *w->w);
    w->decoding.limit = DDN_DECODE_MEMORY;
    ddn_decoder_of_rules(w->base.system->rules, &w->decoder);
    return a->failed ? ddn_fail_memory(err) : DODONA_OK;
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
    *in = (ddn_decode_input){ .n = words(s), .one_root = w->base.options.one_root, .w = w->w };
    w->decoder.stacked = s->depth - 1;
    for (int32_t i = 0; i < s->depth; i++)
        w->word[n++] = s->stack[i];
    for (int32_t d = s->next; d <= s->n; d++)
        w->word[n++] = d;
    for (int32_t h = 0; h < n; h++)
        for (int32_t d = 0; d < n; d++)
            w->w[h * n + d] = w->base.gold->head[w->word[d]] == w->word[h];
}

/* -1: there is no tree, or it gave up. */
static int32_t value(void *sp, const ddn_state *s)
{
    space *w = sp;
    ddn_decode_input in;
    w->base.gave_up = words(s) > most_words(w);
    if (w->base.gave_up)
        return -1;
    int32_t made = ddn_oracle_made(w->base.gold, s);
    if (w->base.system->final(s))
        return made;
    shorten(w, s, &in);
    int status = ddn_decode_best(&w->decoding, &w->decoder, &in, w->head, NULL, NULL);
    w->base.gave_up = status < 0; /* no memory */
    return status > 0 ? made + (int32_t)ddn_decode_score(&in, w->head) : -1;
}

static void costs(void *sp, const ddn_state *s, const ddn_move *moves, int32_t m, int32_t *cost)
{
    space *w = sp;
    w->base.gave_up = words(s) > most_words(w);
    if (!w->base.gave_up)
        ddn_oracle_try(w, s, moves, m, cost);
}

const ddn_oracle ddn_oracle_attardi_chart = {
    .name = "chart",
    .summary = "exact search from the configuration; for a few dozen words",
    .everywhere = true,
    .any_tree = true,
    .one_root = true,
    .gives_up = true,
    .tries = true,
    .size = sizeof(space),
    .serves = serves,
    .begin = begin,
    .fini = fini,
    .costs = costs,
    .value = value,
};
