/* SPDX-License-Identifier: MIT */
/* scorer.h - the interface of scorers: what a model scores, and how it learns. scorers.def lists
 * the scorers.
 *
 * A scorer is a type of model: the averaged perceptron, a network.  A model is a scorer with its
 * parameters; it is read-only once it is open, and threads share it.  A pass is the scratch memory
 * of one thread: it encodes a batch of sentences once and then answers questions about them.
 *
 * What can be asked for depends on the heads (output layers) that the model has:
 *   MOVES   the score of every transition type in a configuration, and of the labels of its arc;
 *   ARCS    the score of every arc of a sentence with its best label, for exact search;
 *   PAIRS   what transitions of the Attardi family score beside their arcs, as sums over pairs of
 *           words, for exact search;
 *   WORDS   classes of a place in a text that is described by hashed features: tags of a word,
 *           rules for its lemma, whether a token or a sentence ends.
 * Transition types are scored first, and labels only for arcs that are made or considered.
 *
 * Learning goes by adjoints.  A loss (model/loss.h) turns the scores of a head into
 * d(loss)/d(score).  The pass gathers these for the queries that were scored, and a step of the
 * model descends along what its passes have gathered. */
#ifndef DDN_MODEL_SCORER_H
#define DDN_MODEL_SCORER_H

#include "io/vectors.h"
#include "model/file.h"
#include "model/loss.h"
#include "model/schema.h"
#include "system/pairs.h"
#include "system/system.h"
#include "tree/sentence.h"

typedef double ddn_score;

enum { DDN_HEAD_MOVES = 1, DDN_HEAD_ARCS = 2, DDN_HEAD_PAIRS = 4, DDN_HEAD_WORDS = 8 };
enum {
    DDN_MAX_KEYS = 64,   /* features of a place that is classified */
    DDN_MAX_BATCH = 256, /* sentences that are encoded together */
    DDN_ITERATIONS = 15
};

typedef struct ddn_scorer ddn_scorer;

/* The beginning of every scorer's model. */
typedef struct ddn_model {
    const ddn_scorer *scorer;
    const ddn_schema *schema; /* borrowed: the system and the labels; NULL with WORDS alone */
    unsigned heads;
    bool beside;              /* with ARCS: moves score something beside their arcs */
    bool labels_apart;        /* with ARCS: arcs are scored without their labels */
    int batch;                /* sentences that are learnt together; 0: as the scorer has it */
    uint64_t left_out;        /* steps that were not made: their gradients were not finite; */
    bool diverged;            /* too many in a row: it is as it was before, and learns no more */
    int classes;              /* of WORDS */
    int templates;            /* how many it reads, where its scorer reads any */
    const ddn_layout *layout; /* what the views of moves hold */
    const ddn_reads *reads;   /* what is read of them; NULL: the words in a view themselves */
    uint64_t updates;         /* steps that changed it since it was created */
} ddn_model;

/* The beginning of every scorer's pass. */
typedef struct ddn_pass {
    const ddn_model *model;
    uint64_t seed; /* of what is random in learning; set before encode by who learns by batches */
} ddn_pass;

/* What create and open are given.  All that is pointed to outlives the model. */
typedef struct ddn_spec {
    const char *part;         /* the name that its sections begin with, or its only section has */
    const ddn_schema *schema; /* of a parser; NULL: a model with WORDS alone */
    const char *templates;    /* of a parser, where the scorer reads templates and it is created */
    size_t templates_size;
    const char *templates_name; /* for messages */
    int classes;                /* of WORDS, where it is created: 2 or more */
    uint64_t seed;
    /* ---- Of a parser that is created: what it will learn from, and how ---- */
    const ddn_sentence *const *sentence; /* [sentences] which need not outlive the call */
    size_t sentences;
    int iterations;             /* over all of them */
    unsigned heads;             /* that are wanted */
    const ddn_vectors *vectors; /* that forms begin with, where the scorer takes any; need not
                                   outlive the call; NULL: none */
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

/* Roughly how many configurations are scored at a time, which decides what is worth caching. */
typedef enum ddn_breadth { DDN_ONE_VIEW, DDN_MANY_VIEWS } ddn_breadth;

struct ddn_scorer {
    const char *name; /* after --learner and in model files */
    const char *summary;
    bool templates;     /* reads feature templates */
    bool vectors;       /* forms can begin with given vectors */
    bool online;        /* takes a step after each round of configurations; otherwise one a batch */
    bool local;         /* learns move by move, or head by head, whatever the search */
    bool scheduled;     /* what is learnt depends on how many iterations there will be */
    int batch;          /* sentences that are best encoded together, up to DDN_MAX_BATCH */
    double temperature; /* the scale of its scores, roughly, for confidences that were not fitted */
    const ddn_loss *loss;

    /* ---- The model ---- */
    /* A new model, to be trained. */
    int (*create)(const ddn_spec *spec, ddn_model **out, dodona_error *err);
    /* A model that is only read, from the sections of a file that outlives it. */
    int (*open)(const ddn_model_file *f, const ddn_spec *spec, ddn_model **out, dodona_error *err);
    void (*close)(ddn_model *m);
    /* Appends the sections that open reads, in at most about limit bytes; for a parser also the
     * labels of its schema, which are read before it is opened (ddn_schema_put_labels). */
    int (*save)(ddn_model *m, uint64_t limit, ddn_sections *to, dodona_error *err);
    /* Adds what was learnt to a mean over runs, which save then writes, and begins a new run.
     * NULL: models can't be averaged. */
    int (*restart)(ddn_model *m, dodona_error *err);
    /* All that later steps depend on, as a section of a checkpoint, and back.  Invalid bytes are
     * DODONA_E_INPUT and leave the model unchanged. */
    void (*put)(const ddn_model *m, ddn_output *o);
    int (*take)(ddn_model *m, const ddn_section *s, dodona_error *err);
    /* How many iterations are good for so many sentences and words.  NULL: any treebank takes
     * DDN_ITERATIONS. */
    int (*iterations)(size_t sentences, size_t words);
    /* One step along the adjoints of n passes, in their order; these are empty afterwards. */
    int (*step)(ddn_model *m, ddn_pass *const *pass, int n, dodona_error *err);
    /* Explains why the model lacks that head; returns DODONA_E_ARGUMENT, or DODONA_OK where it has
     * nothing to add.  May be NULL.
     */
    int (*lacks)(const ddn_model *m, unsigned head, dodona_error *err);

    /* ---- A pass ---- */
    int (*pass)(const ddn_model *m, ddn_breadth breadth, ddn_pass **out, dodona_error *err);
    void (*end)(ddn_pass *p);
    /* Encodes m sentences, numbered 0..m-1 in later calls. */
    int (*encode)(ddn_pass *p, const ddn_sentence *const *s, int m, dodona_error *err);
    /* score[q * DDN_MAX_KINDS + k] for each query q and transition type k.  The views of one
     * configuration (ddn_view.back) stand one after the other. */
    int (*moves)(ddn_pass *p, const ddn_query *query, int m, ddn_score *score, dodona_error *err);
    /* The best label of an arc, and its score; and the scores of all labels. */
    uint16_t (*label)(ddn_pass *p, const ddn_arc_query *q, ddn_score *score);
    void (*labels)(ddn_pass *p, const ddn_arc_query *q, ddn_score *score);
    /* w[h * (n + 1) + d] for arcs h -> d of a sentence with the best label, which goes to
     * label[h * (n + 1) + d]; where labels are apart, the arcs alone. */
    int (*arcs)(ddn_pass *p, int sentence, ddn_score *w, uint16_t *label, dodona_error *err);
    /* What moves score beside their arcs. */
    void (*pairs)(ddn_pass *p, int sentence, const ddn_pair_scores *to);
    /* score[class] for a place with these features, at most DDN_MAX_KEYS; needs no encode. */
    void (*words)(ddn_pass *p, const uint64_t *key, int n, ddn_score *score);
    /* Numbers of the words of a sentence, value[source * (n + 2) + word + 1], for the sources that
     * the model's reads name; the model does not distinguish words with equal numbers. */
    const uint32_t *(*values)(const ddn_pass *p, int sentence);

    /* ---- Adjoints of scores that were asked for since the last step ---- */
    /* Of the transition types of a query of the last call of moves. */
    int (*learn_move)(ddn_pass *p, int32_t query, const ddn_adjoint *d, int m, dodona_error *err);
    /* Of the labels of an arc; with query -1 of the arc itself, too, unless labels are apart. */
    int (*learn_label)(ddn_pass *p, const ddn_arc_query *q, const ddn_adjoint *d, int m,
                       dodona_error *err);
    /* Of all arcs of a sentence: d[h * (n + 1) + d], of the last call of arcs for it. */
    int (*learn_arcs)(ddn_pass *p, int sentence, const ddn_score *d, dodona_error *err);
    /* What the adjoints mean for the parameters, worked out in the pass's own thread before step;
     * NULL: step does all. */
    int (*backward)(ddn_pass *p, dodona_error *err);
    /* Of the classes of a place. */
    int (*learn_word)(ddn_pass *p, const uint64_t *key, int n, const ddn_adjoint *d, int m,
                      dodona_error *err);
};

/* All scorers, in the order of scorers.def, and NULL. */
extern const ddn_scorer *const ddn_scorers[];
/* NULL when there is none of that name. */
const ddn_scorer *ddn_scorer_find(const char *name);
/* The same; the error names those that there are. */
int ddn_scorer_get(const char *name, const ddn_scorer **out, dodona_error *err);
/* The first that has the head for words; tokenizer, tagger and lemmatizer score with it. */
const ddn_scorer *ddn_scorer_of_words(void);

/* The model in a file: reads the schema, and has the scorer that the file names open the rest.  The
 * file and the schema outlive the model. */
int ddn_model_open_file(const ddn_model_file *f, ddn_schema *schema, ddn_model **out,
                        dodona_error *err);
/* NULL may be closed, too. */
void ddn_model_close(ddn_model *m);
void ddn_pass_end(ddn_pass *p);
/* An error that says what is missing if the model lacks one of the heads. */
int ddn_model_needs(const ddn_model *m, unsigned heads, const char *who, dodona_error *err);

#endif
