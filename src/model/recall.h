/* SPDX-License-Identifier: MIT */
/* recall.h - sums of weights that depend on one of two focus words alone.
 *
 * Covington's systems look at pairs of words, so a word is in focus several times, and mostly
 * nothing has changed around it in between.  The templates whose addresses all start from the left
 * focus word are a group, and those whose addresses all start from the buffer are another: nearly
 * half of all.  For each word, what its group read when the word was last in focus is kept, with
 * the sums of the weights.  While the group reads the same, nothing of it is looked up.
 *
 * It is a cache of limited size, for one view at a time.  What was read is compared, so it need not
 * be told when a sentence begins. */
#ifndef DDN_MODEL_RECALL_H
#define DDN_MODEL_RECALL_H

#include "model/frozen.h"
#include "model/schema.h"

enum {
    DDN_RECALL_ALWAYS, /* what is looked up for every view */
    DDN_RECALL_LEFT,
    DDN_RECALL_NEXT,
    DDN_RECALL_GROUPS
};
enum { DDN_RECALL_PLACES = 64 }; /* words this far apart share a place */

typedef struct ddn_recall {
    const ddn_schema *schema;
    const ddn_frozen *frozen;
    /* Templates in order: group by group those for moves, in each first those that are for labels
     * too; then those for labels alone. */
    uint8_t order[DDN_MAX_TEMPLATES];
    struct ddn_recall_group {
        int first, moves, end; /* in order; up to moves, both */
        int atoms;             /* that it reads */
        uint8_t atom[DDN_MAX_ATOMS];
    } group[DDN_RECALL_GROUPS];

    struct ddn_recall_cell {
        bool filled;
        int32_t sum[DDN_MAX_KINDS];
        uint32_t atom[DDN_MAX_ATOMS];              /* what the group read */
        uint32_t list[DDN_MAX_TEMPLATES];          /* of its templates */
    } * cell;                                      /* [groups][places] */
    struct ddn_recall_cell *of[DDN_RECALL_GROUPS]; /* those of the last view */
    uint32_t atom[DDN_MAX_ATOMS];                  /* of the last view */
    uint64_t key[DDN_MAX_TEMPLATES];               /* in order, where they were needed */
    int32_t *classes;                              /* [classes] */
    size_t classes_cap;
    bool summed; /* classes are those of the last view */
} ddn_recall;

/* Whether views of this schema have two focus words. */
bool ddn_recall_helps(const ddn_schema *schema);

void ddn_recall_init(ddn_recall *r, const ddn_schema *schema, const ddn_frozen *frozen);
void ddn_recall_fini(ddn_recall *r);
/* Makes room; the rest can't fail. */
int ddn_recall_reserve(ddn_recall *r, dodona_error *err);
/* The sums of a view, [kinds]. */
void ddn_recall_score(ddn_recall *r, const ddn_encoded *e, const ddn_view *view, int32_t *sum);
/* The sums of all classes in the last view. */
const int32_t *ddn_recall_classes(ddn_recall *r);

#endif
