/* SPDX-License-Identifier: MIT */
/* decode.h - the best tree over arc scores, by exact search: one table of decoders.
 *
 * Words are 1..n, 0 is the root.  Scores are a matrix with a row a head, w[head * (n+1) +
 * modifier]; -INFINITY forbids the arc, and what stands on the diagonal and in column 0 is not
 * read.  A finite score is at most DDN_SCORE_MOST in size.  The score of a tree is the sum of its
 * arcs'.
 *
 *     ddn_decoder decoder;
 *     ddn_decoding d;
 *     if (ddn_decoder_find("alls0s1", &decoder, err) < 0) ...
 *     ddn_decoding_init(&d, DDN_DECODE_MEMORY);
 *     int found = ddn_decode_best(&d, &decoder, &in, head, NULL, err);   (1 a tree, 0 none)
 *     ddn_decoding_fini(&d);
 *
 * Every decoder maximises over all trees that its system reaches, with any number of words below 0
 * or, with one_root, exactly one.  Sums are of doubles; where they are exact, so is the maximum.
 * Ties are broken by the order of loops: the same scores give the same tree on every machine. */
#ifndef DDN_CHART_DECODE_H
#define DDN_CHART_DECODE_H

#include "chart/space.h"
#include "core/error.h"
#include "system/attardi_rules.h"
#include "system/pairs.h"
#include <stdbool.h>
#include <stdint.h>

#define DDN_SCORE_MOST    1e100
#define DDN_DECODE_MEMORY 4e9 /* bytes; larger sentences are refused unless told otherwise */

/* Scores of the moves of the Attardi family, which are added to those of their arcs: sums over
 * pairs of places.  rule[r][pair] is [a + 1][b + 1] for the words a and b at the places of the
 * pair, -1 where the stack has none and n + 1 where the buffer is empty.  Rules that take s2 off
 * the stack have no such score; that of a shift (by s1, s0 and the word that it reads) has no pairs
 * with s2.  Rules that are not in the set may be NULL.  All scores must be integers, arcs' too, so
 * that sums do not depend on order. */
typedef struct ddn_decode_moves {
    size_t stride; /* n+3 */
    const double *rule[DDN_ATTARDI_RULES][DDN_PAIRS];
    const double *shift[DDN_PAIRS];
} ddn_decode_moves;

/* The score of a rule without that of its arc; words are -1 where the stack has none. */
static inline double ddn_decode_reduce(const ddn_decode_moves *m,
                                       const double *const pair[DDN_PAIRS], int32_t s2, int32_t s1,
                                       int32_t s0, int32_t b0)
{
    size_t d = m->stride, x = (size_t)(s2 + 1), y = (size_t)(s1 + 1), z = (size_t)(s0 + 1),
           b = (size_t)(b0 + 1);
    return pair[DDN_PAIR_S1_S0][y * d + z] + pair[DDN_PAIR_B0_S0][b * d + z] +
           pair[DDN_PAIR_S1_B0][y * d + b] + pair[DDN_PAIR_S2_S0][x * d + z] +
           pair[DDN_PAIR_S2_S1][x * d + y] + pair[DDN_PAIR_S2_B0][x * d + b];
}

/* The score of the shift of b0 over s1 s0. */
static inline double ddn_decode_shift(const ddn_decode_moves *m, int32_t s1, int32_t s0, int32_t b0)
{
    size_t d = m->stride, y = (size_t)(s1 + 1), z = (size_t)(s0 + 1), b = (size_t)(b0 + 1);
    return m->shift[DDN_PAIR_S1_S0][y * d + z] + m->shift[DDN_PAIR_B0_S0][b * d + z] +
           m->shift[DDN_PAIR_S1_B0][y * d + b];
}

typedef struct ddn_decode_input {
    int32_t n;
    bool one_root;
    const double *w; /* [(n+1) * (n+1)] */
} ddn_decode_input;

typedef struct ddn_decoder ddn_decoder;
struct ddn_decoder {
    const char *name;
    const char *cite;
    bool projective; /* projective trees only */
    uint32_t rules;  /* the Attardi family: its reduce transitions (system/attardi_rules.h) */
    /* The same: only derivations that begin with so many shifts, as if from a configuration with
     * words 1..stacked on the stack. */
    int32_t stacked;
    const ddn_decode_moves *moves; /* the same: their scores; NULL: their arcs alone */
    bool has_moves;                /* best can give the moves */

    /* The most bytes that best needs, for n >= 1 words. */
    double (*need)(const ddn_decoder *d, int32_t n);
    /* False: there is no tree.  head[0] becomes -1.  move, where it is not NULL and has_moves,
     * becomes the 2n moves of a derivation: for the Attardi family the number of a rule or
     * DDN_DECODE_SHIFT, for others a kind of the system of that name. */
    bool (*best)(const ddn_decoder *d, const ddn_decode_input *in, ddn_space space, int32_t *head,
                 uint8_t *move);

    /* Sums over all trees; NULL where the chart sums over derivations, several a tree. */
    double (*sum_need)(int32_t n);
    /* The logarithm of the sum of exp(score) over all trees, -INFINITY where there is none, and the
     * share of each arc in it, p[head * (n+1) + modifier]; 0 where there is no such arc. */
    double (*sum)(const ddn_decode_input *in, ddn_space space, double *p);
};

/* The trees that it chooses from. */
static inline ddn_reach ddn_decoder_reach(const ddn_decoder *d)
{
    return (ddn_reach){ d->rules, d->projective };
}

enum { DDN_DECODE_SHIFT = 255 };

/* All decoders, in the order of decoders.def, and NULL. */
extern const ddn_decoder *const ddn_decoders[];

/* Bytes that are enough for any name, also of a list that names each transition once. */
enum { DDN_MAX_DECODER_NAME = 64 };

/* By name; or "attardi:D", or a list of reduce transitions with commas between them. */
int ddn_decoder_find(const char *name, ddn_decoder *out, dodona_error *err);
/* That of a set of rules of the Attardi family. */
void ddn_decoder_of_rules(uint32_t rules, ddn_decoder *out);

/* Scratch memory, one a thread, reused from sentence to sentence. */
typedef struct ddn_decoding {
    double limit; /* bytes */
    void *block;
    size_t size;
} ddn_decoding;

void ddn_decoding_init(ddn_decoding *d, double limit);
void ddn_decoding_fini(ddn_decoding *d);

/* 1: head[1..n] is the best tree; 0: there is none; DODONA_E_LIMIT: it would need too much memory,
 * which the message gives. */
int ddn_decode_best(ddn_decoding *d, const ddn_decoder *decoder, const ddn_decode_input *in,
                    int32_t *head, uint8_t *move, dodona_error *err);
/* 1, 0 as above.  DODONA_E_ARGUMENT: the decoder has no marginals. */
int ddn_decode_sum(ddn_decoding *d, const ddn_decoder *decoder, const ddn_decode_input *in,
                   double *p, double *total, dodona_error *err);
/* DODONA_E_LIMIT, with what it would need, when that many bytes are more than the limit. */
int ddn_decode_check(const ddn_decoding *d, const char *name, int32_t n, double need,
                     dodona_error *err);
/* Why a decoder without sum has none; returns DODONA_E_ARGUMENT. */
int ddn_decode_no_sum(const ddn_decoder *decoder, dodona_error *err);
/* The same for the k best trees, with the lists that hold them. */
int ddn_decode_kbest_check(const ddn_decoding *d, const ddn_decoder *decoder, int32_t n, int32_t k,
                           dodona_error *err);
/* The k best trees, all different, best first.  head is [k][n+1], score [k].  Returns how many
 * there are. */
int32_t ddn_decode_kbest(ddn_decoding *d, const ddn_decoder *decoder, const ddn_decode_input *in,
                         int32_t k, int32_t *head, double *score, dodona_error *err);

/* The sum of a tree's arcs, from word 1 to word n. */
double ddn_decode_score(const ddn_decode_input *in, const int32_t *head);

#endif
