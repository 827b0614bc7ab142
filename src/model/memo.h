/* SPDX-License-Identifier: MIT */
/* memo.h - sums of weights that many views of a sentence have in common.
 *
 * A search with a beam scores many configurations of one sentence, and most templates read one or
 * two words of them: the weights of all templates that read s0 alone are the same wherever that
 * word is s0.  The templates that read the same one or two words are a group.  The sum of a group's
 * weights, for every kind and every class, is found once for each word or pair of words of a
 * sentence, and kept.  Templates that read more words, or the tree, are looked up for each view.
 *
 * It is a cache of limited size: when it is full, it forgets everything. */
#ifndef DDN_MODEL_MEMO_H
#define DDN_MODEL_MEMO_H

#include "model/frozen.h"
#include "model/schema.h"

enum { DDN_MEMO_GROUPS = 32 };

typedef struct ddn_memo {
    const ddn_schema *schema;
    const ddn_frozen *frozen;
    /* Templates in order: those that are looked up, then group by group.  In each of these runs
     * first those for both, then those for moves, then those for labels. */
    uint8_t order[DDN_MAX_TEMPLATES];
    int groups; /* the run of lookups, which has number 0, included */
    struct ddn_memo_group {
        int first, moves, labels, end; /* in order: from labels on, not for moves; up to moves, both
                                        */
        int words;                     /* 1 or 2 */
        uint8_t slot[2];               /* or NEXT */
    } group[DDN_MEMO_GROUPS + 1];
    size_t width; /* of a sum: kinds, then classes */

    uint64_t stamp;    /* of the present sentence */
    size_t used, room; /* a power of two */
    struct ddn_memo_cell {
        uint64_t key;
        uint32_t place;
    } * cell;         /* [2 * room] open addressing */
    int32_t *sum;     /* [room][width] */
    int32_t *nothing; /* [width] zeros */
    int32_t *total;   /* [views][width] */
    uint32_t *atom;   /* [views][atoms] */
    uint64_t *key;    /* [views][templates] in order */
    uint32_t *place;  /* [views][groups] */
    size_t cell_cap, sum_cap, total_cap, atom_cap, key_cap, place_cap;
} ddn_memo;

void ddn_memo_init(ddn_memo *m, const ddn_schema *schema, const ddn_frozen *frozen);
void ddn_memo_fini(ddn_memo *m);
/* Makes room for so many views at a time. */
int ddn_memo_reserve(ddn_memo *m, int views, dodona_error *err);
/* A new sentence. */
void ddn_memo_begin(ddn_memo *m);
/* Sums for views of the present sentence: ddn_memo_total(m, v) is that of view v. */
void ddn_memo_score(ddn_memo *m, const ddn_encoded *e, const ddn_view *views, int count);

/* [kinds], then [classes]. */
static inline const int32_t *ddn_memo_total(const ddn_memo *m, int v)
{
    return m->total + (size_t)v * m->width;
}

#endif
