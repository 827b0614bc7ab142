/* SPDX-License-Identifier: MIT */
/* extras.h - what a parse brings besides a tree: the best trees, confidences, the forest. */
#ifndef DDN_API_EXTRAS_H
#define DDN_API_EXTRAS_H

#include "api/api.h"
#include "chart/kbest.h"
#include "chart/marginals.h"
#include "search/result.h"
#include "search/rivals.h"
#include "search/search.h"

typedef struct ddn_extras {
    int kbest;
    bool confidence, forest; /* what is wanted */
    bool by_forest;          /* confidences are also by the forest, */
    double temperature;      /* at that temperature */
    double rival_temperature, rival_coverage;
    bool opened; /* rivals are */
    ddn_rivals rivals;
    ddn_forest packed;
    ddn_kbest list;
    ddn_marginals marginals;
    ddn_result result;
    int32_t *head, *label; /* [n+1] of a tree from the list */
    double *p;             /* [n+1] */
    ddn_arena arena;       /* these */
} ddn_extras;

/* What o wants; refused in words where the model or the search does not have it. */
int ddn_extras_init(ddn_extras *x, const dodona_model *m, const dodona_parse_options *o,
                    const char *search, dodona_error *err);
void ddn_extras_fini(ddn_extras *x);

static inline bool ddn_extras_wanted(const ddn_extras *x)
{
    return x->kbest || x->confidence || x->forest;
}

/* Whether the search must keep its forest. */
static inline bool ddn_extras_need_forest(const ddn_extras *x)
{
    return x->kbest || x->forest || (x->confidence && x->by_forest);
}

/* Before the first sentence, when the searches are open; they keep their moves where confidences
 * are wanted. */
void ddn_extras_open(ddn_extras *x, ddn_pass *pass);

/* After a run of w over s and setting its tree. */
int ddn_extras_take(ddn_extras *x, const ddn_schema *schema, ddn_searching *w, dodona_sentence *s,
                    dodona_error *err);

#endif
