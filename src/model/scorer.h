/* SPDX-License-Identifier: MIT */
/* scorer.h - what a model scores, and how it learns.  scorers.def lists the scorers.
 *
 * A scorer is a way to score: the averaged perceptron, a network.  A model is a scorer with its
 * parameters; it is read-only once it is open, and threads share it.  A pass is the scratch memory
 * of one thread: it encodes a batch of sentences once and then answers questions about them.
 *
 * Questions are put to heads, and a model says which heads it has:
 *   MOVES   the score of every transition type in a configuration, and of the labels of its arc;
 *   ARCS    the score of every arc of a sentence with its best label, for exact search;
 *   PAIRS   what transitions of the Attardi family score beside their arcs, as sums over pairs of
 *           words, for exact search;
 *   WORDS   classes of a place in a text that is described by hashed features: tags of a word,
 *           rules for its lemma, whether a token or a sentence ends.
 * Structure comes before labels: transition types are scored first, and a label only when an arc is
 * made.
 *
 * Learning goes by adjoints.  A loss (model/loss.h) looks at the scores of a head and says how each
 * should have been different: d(loss)/d(score).  The pass takes these in beside the question that
 * they answer, and a step of the model descends along what its passes have gathered. */
#ifndef DDN_MODEL_SCORER_H
#define DDN_MODEL_SCORER_H

#include "model/file.h"
#include "model/loss.h"
#include "model/schema.h"
#include "system/pairs.h"
#include "system/system.h"
#include "tree/sentence.h"

typedef double ddn_score;

enum { DDN_HEAD_MOVES = 1, DDN_HEAD_ARCS = 2, DDN_HEAD_PAIRS = 4, DDN_HEAD_WORDS = 8 };
enum {
    DDN_MAX_KEYS = 64,  /* features of a place that is classified */
    DDN_MAX_BATCH = 256 /* sentences that are encoded together */
};

typedef struct ddn_scorer ddn_scorer;

/* The beginning of every scorer's model. */
typedef struct ddn_model {
    const ddn_scorer *scorer;
    const ddn_schema *schema; /* borrowed: the system and the labels; NULL with WORDS alone */
    unsigned heads;
    bool beside;              /* with ARCS: moves score something beside their arcs */
    int classes;              /* of WORDS */
    int templates;            /* how many it reads, where its scorer reads any */
    const ddn_layout *layout; /* what the views of moves hold */
    const ddn_reads *reads;   /* what is read of them; NULL: every word in a view as itself */
} ddn_model;

/* The beginning of every scorer's pass. */
typedef struct ddn_pass {
    const ddn_model *model;
} ddn_pass;

/* What a model is to be.  All that is pointed to outlives it. */
typedef struct ddn_spec {
    const char *part;         /* the name that its sections begin with, or its only section has */
    const ddn_schema *schema; /* of a parser; NULL: a model with WORDS alone */
    const char *templates;    /* of a parser, where the scorer reads templates and it is created */
    size_t templates_size;
    const char *templates_name; /* for messages */
    int classes;                /* of WORDS, where it is created: 2 or more */
    uint64_t seed;
} ddn_spec;

/* A configuration of a sentence of the batch. */
typedef struct ddn_query {
    int32_t sentence;
    const ddn_view *view;
} ddn_query;

/* An arc whose labels are in question.  query: the move that makes it, by its number in the last
 * call of moves; -1: no move, the arc alone, which only models with ARCS can answer. */
typedef struct ddn_arc_query {
    int32_t query;
    int32_t sentence;
    int kind; /* of the move */
    ddn_arc arc;
} ddn_arc_query;

/* How many configurations are scored at a time about, which decides what is worth caching. */
typedef enum ddn_breadth { DDN_ONE_VIEW, DDN_MANY_VIEWS } ddn_breadth;

struct ddn_scorer {
    const char *name; /* after --learner and in model files */
    const char *summary;
    bool templates; /* reads feature templates */
    bool online;    /* learns from every configuration at once; otherwise once a batch */
    int batch;      /* sentences that are best encoded together, up to DDN_MAX_BATCH */
    const ddn_loss *loss;

    /* ---- The model ---- */
    /* A model that knows nothing yet, and can learn. */
    int (*create)(const ddn_spec *spec, ddn_model **out, dodona_error *err);
    /* A model that is only read, from the sections of a file that outlives it. */
    int (*open)(const ddn_model_file *f, const ddn_spec *spec, ddn_model **out, dodona_error *err);
    void (*close)(ddn_model *m);
    /* Appends the sections that open reads, in at most about limit bytes; for a parser also the
     * labels of its schema, which are read before it is opened (ddn_schema_put_labels). */
    int (*save)(ddn_model *m, uint64_t limit, ddn_sections *to, dodona_error *err);
    /* Begins anew; what was learnt goes into a mean over runs, which save then writes.  NULL: there
     * is no such mean. */
    int (*restart)(ddn_model *m, dodona_error *err);
    /* All that learning goes on from, as a section of a checkpoint, and back.  Bytes that make no
     * sense are DODONA_E_INPUT and leave the model as it was. */
    void (*put)(const ddn_model *m, ddn_output *o);
    int (*take)(ddn_model *m, const ddn_section *s, dodona_error *err);
    /* One step along the adjoints of n passes, in their order; these are empty afterwards. */
    int (*step)(ddn_model *m, ddn_pass *const *pass, int n, dodona_error *err);
    /* Explains why the model has not that head; returns DODONA_E_ARGUMENT.  NULL: nothing to add.
     */
    int (*lacks)(const ddn_model *m, unsigned head, dodona_error *err);

    /* ---- A pass ---- */
    int (*pass)(const ddn_model *m, ddn_breadth breadth, ddn_pass **out, dodona_error *err);
    void (*end)(ddn_pass *p);
    /* Reads m sentences, which are 0..m-1 from then on. */
    int (*encode)(ddn_pass *p, const ddn_sentence *const *s, int m, dodona_error *err);
    /* score[q * DDN_MAX_KINDS + k] for each query q and transition type k.  The views of one
     * configuration (ddn_view.back) stand one after the other. */
    int (*moves)(ddn_pass *p, const ddn_query *query, int m, ddn_score *score, dodona_error *err);
    /* The best label of an arc, and its score; and the scores of all labels. */
    uint16_t (*label)(ddn_pass *p, const ddn_arc_query *q, ddn_score *score);
    void (*labels)(ddn_pass *p, const ddn_arc_query *q, ddn_score *score);
    /* w[h * (n + 1) + d] for arcs h -> d of a sentence with the best label, which goes to
     * label[h * (n + 1) + d]. */
    void (*arcs)(ddn_pass *p, int sentence, ddn_score *w, uint16_t *label);
    /* What moves score beside their arcs. */
    void (*pairs)(ddn_pass *p, int sentence, const ddn_pair_scores *to);
    /* score[class] for a place with these features, at most DDN_MAX_KEYS; needs no encode. */
    void (*words)(ddn_pass *p, const uint64_t *key, int n, ddn_score *score);
    /* Numbers of the words of a sentence, value[source * (n + 2) + word + 1], for the sources that
     * the model's reads name; words with equal numbers are the same to the model. */
    const uint32_t *(*values)(const ddn_pass *p, int sentence);

    /* ---- Adjoints of answers that were given since the last step ---- */
    /* Of the transition types of a query of the last call of moves. */
    int (*learn_move)(ddn_pass *p, int32_t query, const ddn_adjoint *d, int m, dodona_error *err);
    /* Of the labels of an arc; with query -1 of the arc itself, too. */
    int (*learn_label)(ddn_pass *p, const ddn_arc_query *q, const ddn_adjoint *d, int m,
                       dodona_error *err);
    /* Of the classes of a place. */
    int (*learn_word)(ddn_pass *p, const uint64_t *key, int n, const ddn_adjoint *d, int m,
                      dodona_error *err);
};

/* All scorers, in the order of scorers.def, and NULL. */
extern const ddn_scorer *const ddn_scorers[];
/* NULL when there is none of that name. */
const ddn_scorer *ddn_scorer_find(const char *name);
/* The same, refused in words that name those that there are. */
int ddn_scorer_get(const char *name, const ddn_scorer **out, dodona_error *err);
/* The first that has the head for words: what tokenizer, tagger and lemmatizer are learnt with. */
const ddn_scorer *ddn_scorer_of_words(void);

/* The model in a file: reads the schema, and has the scorer that the file names open the rest.  The
 * file and the schema outlive the model. */
int ddn_model_open_file(const ddn_model_file *f, ddn_schema *schema, ddn_model **out,
                        dodona_error *err);
/* NULL may be closed, too. */
void ddn_model_close(ddn_model *m);
void ddn_pass_end(ddn_pass *p);
/* Refuses in words what needs heads that the model has not. */
int ddn_model_needs(const ddn_model *m, unsigned heads, const char *who, dodona_error *err);

#endif
