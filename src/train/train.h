/* SPDX-License-Identifier: MIT */
/* train.h - from annotated sentences to a model file. */
#ifndef DDN_TRAIN_TRAIN_H
#define DDN_TRAIN_TRAIN_H

#include "model/file.h"
#include "model/scorer.h"
#include "oracle/oracle.h"
#include "tree/pseudo.h"
#include "tree/sentence.h"

typedef enum ddn_regime {
    DDN_TRAIN_STATIC,  /* the first right move in the order of the system, along the gold derivation
                        */
    DDN_TRAIN_NONDET,  /* the right move that scores best; along right moves */
    DDN_TRAIN_EXPLORE, /* the model's own moves, with a dynamic oracle */
} ddn_regime;

/* What is done with trees that the system can't reach. */
typedef enum ddn_nonprojective {
    DDN_NONPROJECTIVE_SKIP,         /* they are left out */
    DDN_NONPROJECTIVE_PROJECTIVIZE, /* the nearest projective tree is learnt */
    DDN_NONPROJECTIVE_PSEUDO,       /* arcs are lifted, and labels say how to put them back */
    DDN_NONPROJECTIVE_DIRECT,       /* the best steps towards the tree as it is */
} ddn_nonprojective;

/* What is learnt from a sentence whose gold derivation the search does not find (global.h). */
typedef enum ddn_update {
    DDN_UPDATE_EARLY,         /* its prefix up to where it falls out of the beam */
    DDN_UPDATE_MAX_VIOLATION, /* the prefix that the best one in the beam beats by most */
} ddn_update;

typedef struct ddn_train_options {
    const ddn_system *system;
    const ddn_oracle *oracle;
    const ddn_oracle *crossing_oracle; /* for crossing trees, with DIRECT */
    const ddn_oracle *path_oracle;     /* for sentences beyond the limits of oracle */
    ddn_nonprojective nonprojective;
    ddn_pseudo_scheme pseudo; /* with PSEUDO */
    bool two_pass;            /* twice the iterations: then along the moves of a frozen model */
    bool skip_in_first_pass;  /* crossing trees are left out of the first pass */
    ddn_regime regime;
    const ddn_scorer *learner;
    const char *search;  /* what dev is parsed with; if it learns derivations: also trained with */
    const char *decoder; /* of exact search; NULL: the system's own */
    ddn_reach reach;     /* trees that can be learnt as they are: the system's, or the decoder's */
    int beam;            /* of that search */
    int exact_limit;     /* with exact search: longer sentences are left out of training; else 0 */
    ddn_update update;   /* with such a search; then the regime is STATIC */
    ddn_roots roots;
    const char *templates; /* text */
    size_t templates_size;
    const char *templates_name;
    const char
        *embeddings; /* file of vectors of words, for a learner that takes them; NULL: none */
    int iterations;
    int average;         /* runs from seeds one apart, whose weights are averaged; 1: just one */
    int explore_after;   /* iterations along the gold path before exploring */
    double explore_rate; /* how often the model's own move is made then */
    int threads;         /* that learn; the model is the same for any number */
    uint64_t seed;
    uint64_t model_bytes;    /* the most that weights may take in the model */
    bool keep_last;          /* the last model, not the best on dev */
    const char *checkpoint;  /* file; NULL: none */
    const char *notes;       /* lines "key: value" that go into the metadata; may be NULL */
    const ddn_section *more; /* [more_count] other parts of the pipeline, for the model file */
    int more_count;
    dodona_report report;
    void *report_ctx;
} ddn_train_options;

/* Whether labels are learnt in the encoding that has marks for lifted arcs. */
static inline bool ddn_train_marks_labels(const ddn_train_options *o)
{
    return ddn_reach_is_partial(o->reach) && o->nonprojective == DDN_NONPROJECTIVE_PSEUDO;
}

/* Sentences to learn from or to measure on, kept in memory. */
typedef struct ddn_treebank {
    ddn_sentence *sentence;
    size_t count, capacity;
    int64_t words;
} ddn_treebank;

void ddn_treebank_init(ddn_treebank *c);
void ddn_treebank_fini(ddn_treebank *c);
/* A hash of all sentences, and of seed. */
uint64_t ddn_treebank_hash(const ddn_treebank *c, uint64_t seed);
/* All that next brings: 1 with a sentence, 0 at the end, or a negative code. */
int ddn_treebank_read(ddn_treebank *c, int (*next)(void *ctx, ddn_sentence *s, dodona_error *err),
                      void *ctx, dodona_error *err);

typedef struct ddn_train_result {
    int64_t crossing; /* training trees that the system can't reach */
    int64_t skipped;  /* of these, those that were left out */
    int64_t too_long; /* sentences that were left out for their length */
    int64_t
        given_up; /* times that a sentence was beyond the oracle's limits: followed statically */
    int64_t
        tied; /* configurations where the oracle reached its limit and ranked moves more coarsely */
    int64_t left_out; /* steps of a network whose gradients were not finite */
    int diverged;     /* the iteration in which too many were left out in a row; 0: none */
    int resumed;      /* iterations that the checkpoint already had */
    int best;         /* iteration that the model is from */
    double uas, las;  /* of that model on dev, or -1 */
} ddn_train_result;

/* Trains and writes the model to path.  dev may be empty: then the last model is kept. */
int ddn_train(const ddn_train_options *o, const ddn_treebank *train, const ddn_treebank *dev,
              const char *path, ddn_train_result *result, dodona_error *err);

#endif
