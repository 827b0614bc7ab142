/* SPDX-License-Identifier: MIT */
/* losses.h - what dodona_oracle_answer says of a configuration of covington-nm beyond the scores of
 * moves: its losses and their bounds. */
#ifndef DDN_API_LOSSES_H
#define DDN_API_LOSSES_H

#include "core/json.h"
#include "oracle/covington.h"

typedef struct ddn_losses {
    ddn_covington_search *search;
    ddn_cycles cycles;
    int32_t loss, word_loss; /* -1: not known; so in all that follows */
    int32_t lower, pc, upper;
    bool unknown; /* something is not known: of these or of the scores */
} ddn_losses;

/* limit: as for the search; 0: its default. */
int ddn_losses_init(ddn_losses *l, int64_t limit, dodona_error *err);
void ddn_losses_fini(ddn_losses *l);

/* Whether the scores of an oracle come from here: those of exact, lower, pc and upper. */
bool ddn_losses_knows(const ddn_oracle *oracle);

/* The losses and bounds of s, and n minus the loss, or minus the oracle's bound of it, after each
 * of m moves; -1 where it is not known.  s is as before in the end.  With m = 0 the oracle does not
 * matter. */
int ddn_losses_find(ddn_losses *l, const ddn_system *system, ddn_state *s, const ddn_gold *g,
                    const ddn_oracle *oracle, const ddn_move *moves, int32_t m, int32_t *score,
                    dodona_error *err);

/* "loss":1,"word_loss":1,"bounds":{"lower":1,"pc":1,"upper":2} */
void ddn_losses_put(const ddn_losses *l, ddn_json *j);

#endif
