/* SPDX-License-Identifier: MIT */
/* significance.c - approximate randomisation (Noreen 1989; for F1 and the like: Yeh 2000).
 *
 * Were the two systems equal, it would not matter which of them gave which answer to a sentence.  A
 * trial swaps the answers to each sentence with probability 1/2 and takes the difference of the F1
 * of the two heaps.  p = (k + 1) / (N + 1), where k of N trials differ at least as much, in either
 * direction, as the real answers do.
 *
 * Sentences are those of gold; what each adds to the numerator (correct words) and to the
 * denominator (system words) is swapped together, so that systems with different tokens can be
 * compared.  A sentence to which both add the same needs no coin.
 *
 * F1 = 2c / (s + g).  A tie with the real difference counts, so ties must not be lost to rounding:
 * the difference is c1 (s2 + g) - c2 (s1 + g) over (s1 + g)(s2 + g), and when the denominators are
 * equal, as with equal tokens they always are, the integer numerators are compared.  Files have
 * fewer than 2^31 words, so that the products fit.
 *
 * Cost: N times the sentences that differ, 64 coins a random number. */
#include "eval/significance.h"

#include "core/rng.h"
#include <stdlib.h>

static void add_correct(const ddn_alignment *a, bool no_punct, int which, ddn_stratum *out)
{
    for (size_t i = 0; i < a->gold->sentences; i++)
        for (uint32_t g = a->gold->sentence[i]; g < ddn_corpus_sentence_end(a->gold, i); g++) {
            uint32_t s = a->to_system[g];
            if (s == DDN_NO_WORD || !ddn_counts_gold(a, no_punct, g) || !ddn_same_head(a, g, s))
                continue;
            out[i].correct[which][DDN_TEST_UAS]++;
            out[i].correct[which][DDN_TEST_LAS] +=
                a->gold->word[g].deprel == a->system->word[s].deprel;
        }
}

/* A system word belongs to the gold sentence in whose text it begins. */
static void add_words(const ddn_alignment *a, bool no_punct, int which, ddn_stratum *out)
{
    const ddn_corpus *gold = a->gold;
    size_t i = 0;
    for (uint32_t s = 0; s < a->system->words; s++) {
        while (i + 1 < gold->sentences &&
               gold->word[gold->sentence[i + 1]].start <= a->system->word[s].start)
            i++;
        out[i].words[which] += ddn_counts_system(a, no_punct, s);
    }
}

void ddn_strata(const ddn_alignment *first, const ddn_alignment *second, bool no_punct,
                ddn_stratum *out)
{
    const ddn_alignment *a[2] = { first, second };
    for (size_t i = 0; i < first->gold->sentences; i++)
        out[i] = (ddn_stratum){ 0 };
    for (int which = 0; which < 2; which++) {
        add_correct(a[which], no_punct, which, out);
        add_words(a[which], no_punct, which, out);
    }
}

/* Counts of both systems, of the real answers or of a trial. */
typedef struct heap {
    int64_t correct[2][DDN_TESTS], words[2];
} heap;

/* What the first system gains, and the second loses, when a sentence is swapped. */
typedef struct swap {
    int32_t correct[DDN_TESTS], words;
} swap;

typedef struct fraction {
    int64_t over;
    uint64_t under;
} fraction;

static fraction difference(const heap *h, int test, int64_t gold)
{
    int64_t first = h->words[0] + gold, second = h->words[1] + gold;
    return (fraction){ h->correct[0][test] * second - h->correct[1][test] * first,
                       (uint64_t)first * (uint64_t)second };
}

static double value(fraction f)
{
    return f.under ? 2.0 * (double)f.over / (double)f.under : 0.0;
}

static bool at_least(fraction a, fraction b)
{
    if (a.under == b.under)
        return llabs(a.over) >= llabs(b.over);
    double x = value(a), y = value(b);
    return (x < 0 ? -x : x) >= (y < 0 ? -y : y);
}

static heap shuffled(const heap *real, const swap *s, size_t n, ddn_rng *rng)
{
    int64_t gain[DDN_TESTS] = { 0 }, words = 0;
    for (size_t i = 0; i < n;) {
        uint64_t coins = ddn_rng_next(rng);
        for (size_t end = n - i < 64 ? n : i + 64; i < end; i++, coins >>= 1) {
            int32_t mask = -(int32_t)(coins & 1);
            for (int k = 0; k < DDN_TESTS; k++)
                gain[k] += s[i].correct[k] & mask;
            words += s[i].words & mask;
        }
    }
    heap h = *real;
    for (int k = 0; k < DDN_TESTS; k++) {
        h.correct[0][k] += gain[k];
        h.correct[1][k] -= gain[k];
    }
    h.words[0] += words;
    h.words[1] -= words;
    return h;
}

/* The totals, and the sentences that a swap changes. */
static size_t gather(const ddn_stratum *stratum, size_t n, heap *real, swap *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        swap x = { .words = stratum[i].words[1] - stratum[i].words[0] };
        bool differs = x.words != 0;
        for (int k = 0; k < DDN_TESTS; k++) {
            x.correct[k] = stratum[i].correct[1][k] - stratum[i].correct[0][k];
            differs = differs || x.correct[k] != 0;
            real->correct[0][k] += stratum[i].correct[0][k];
            real->correct[1][k] += stratum[i].correct[1][k];
        }
        real->words[0] += stratum[i].words[0];
        real->words[1] += stratum[i].words[1];
        if (differs)
            s[kept++] = x;
    }
    return kept;
}

int ddn_paired_randomisation(const ddn_stratum *stratum, size_t n, int64_t gold, int64_t trials,
                             uint64_t seed, ddn_test out[DDN_TESTS], dodona_error *err)
{
    swap *s = malloc((n + 1) * sizeof *s);
    if (!s)
        return ddn_fail_memory(err);
    heap real = { 0 };
    size_t kept = gather(stratum, n, &real, s);
    fraction seen[DDN_TESTS];
    int64_t count[DDN_TESTS] = { 0 };
    for (int k = 0; k < DDN_TESTS; k++)
        seen[k] = difference(&real, k, gold);
    ddn_rng rng;
    ddn_rng_init(&rng, seed);
    for (int64_t t = 0; t < trials; t++) {
        heap h = shuffled(&real, s, kept, &rng);
        for (int k = 0; k < DDN_TESTS; k++)
            count[k] += at_least(difference(&h, k, gold), seen[k]);
    }
    for (int k = 0; k < DDN_TESTS; k++) {
        out[k].difference = value(seen[k]);
        out[k].p = (double)(count[k] + 1) / (double)(trials + 1);
    }
    free(s);
    return 0;
}
