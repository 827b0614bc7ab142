/* SPDX-License-Identifier: MIT */
/* dodona_research.h - what the papers' algorithms say of trees, for research and for tools.
 *
 * This header is installed beside dodona.h but is UNSTABLE: what it declares may change or go in
 * any version, with no regard to the version number.  Rules of lifetime, ownership and failure are
 * those of dodona.h.
 *
 * Objects here are scratch memory, one a thread, reused from sentence to sentence.  Functions that
 * ask for a tree return DODONA_E_INPUT for a sentence that is not a tree; a reader with
 * DODONA_CHECK_TREE refuses such a sentence with its line. */
#ifndef DODONA_RESEARCH_H
#define DODONA_RESEARCH_H

#include "dodona.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The nearest projective tree (Nederhof 2019) ---- */

typedef struct dodona_projectivizer dodona_projectivizer;

DODONA_API dodona_projectivizer *dodona_projectivizer_new(void); /* NULL: out of memory */
DODONA_API void dodona_projectivizer_free(dodona_projectivizer *p);

/* Sets HEAD to that of a projective tree that keeps the most heads, by the rules in
 * docs/projectivisation.md; DEPREL is kept, and DEPS becomes "_" where HEAD is a new one.
 * one_root: exactly one word below 0.  Returns the number of new heads. */
DODONA_API int dodona_projectivize(dodona_projectivizer *p, dodona_sentence *s, int one_root,
                                   dodona_error *err);

/* How many heads a projective tree can keep, in *kept, and how many projective trees keep as many:
 * decimal digits, borrowed from p until its next use. */
DODONA_API int dodona_projectivize_count(dodona_projectivizer *p, const dodona_sentence *s,
                                         int one_root, int *kept, const char **count,
                                         dodona_error *err);

/* Pseudo-projective encoding (Nivre & Nilsson 2005): sets HEAD, and DEPREL with marks.  scheme:
 * "head", "path" or "head+path".  Returns the number of new heads. */
DODONA_API int dodona_pseudo_encode(dodona_projectivizer *p, dodona_sentence *s, const char *scheme,
                                    dodona_error *err);
/* The way back, as far as the marks show it; no marks are left. */
DODONA_API int dodona_pseudo_decode(dodona_projectivizer *p, dodona_sentence *s, dodona_error *err);

/* ---- How good each move is (docs/oracles.md) ---- */

typedef struct dodona_oracle dodona_oracle;

typedef struct dodona_oracle_options {
    size_t size;
    const char *system;    /* "arc-standard" */
    const char *algorithm; /* NULL: the system's own, the fastest that takes the gold tree */
    const char *strategy;  /* "free", "lbr", "strict-lbr" or "rbl" */
    int one_root;          /* 0: the papers' systems; 1: trees with one root */
    int64_t limit;         /* 100,000 configurations that a search for a loss takes on */
} dodona_oracle_options;

DODONA_API void dodona_oracle_options_init(dodona_oracle_options *o);
/* What the algorithm does not know is refused. */
DODONA_API int dodona_oracle_open(const dodona_oracle_options *options, dodona_oracle **out,
                                  dodona_error *err);
DODONA_API void dodona_oracle_close(dodona_oracle *o);

/* A configuration as a JSON object,
 *     {"heads":[2,0,2],"stack":[0,2],"buffer":3,"arcs":[2,-1,-1]}
 * and the number of gold arcs in the best tree after each move, null where there is none:
 *     {"scores":{"shift":3,"left-arc":null,"right-arc":2},"optimal":["shift"]}
 * The Covington systems have the focus words in place of stack and buffer,
 *     {"heads":[2,0,2],"i":1,"j":3,"arcs":[2,-1,-1]}
 * and their answers also the loss of the configuration, those of covington-nm its bounds; what the
 * limit leaves open is null, and "unknown" says so (docs/covington-losses.md).
 * The answer is borrowed from o until the next call.  DODONA_E_INPUT: what the object says is not a
 * configuration of the system, or no algorithm takes its tree. */
DODONA_API int dodona_oracle_answer(dodona_oracle *o, dodona_text configuration,
                                    dodona_text *answer, dodona_error *err);

/* ---- How many trees systems reach (docs/coverage.md) ---- */

typedef struct dodona_coverage dodona_coverage;

/* systems: names with commas between them, as "attardi,all"; NULL: all that are listed.  The
 * Attardi family also by its reduce transitions, "s1<s0+s0<s1+s1<b0".  one_root: a tree with
 * several roots is reached by none.  DODONA_E_ARGUMENT: there is no such system. */
DODONA_API int dodona_coverage_open(const char *systems, int one_root, dodona_coverage **out,
                                    dodona_error *err);
DODONA_API void dodona_coverage_close(dodona_coverage *c);

/* Counts the sentence's tree, unless the sentence has no words. */
DODONA_API int dodona_coverage_add(dodona_coverage *c, const dodona_sentence *s, dodona_error *err);

/* The figures so far, under a name: DODONA_TEXT or DODONA_JSON.  Borrowed from c until its next
 * use. */
DODONA_API int dodona_coverage_print(dodona_coverage *c, const char *name, dodona_format format,
                                     dodona_text *out, dodona_error *err);

/* ---- The best tree over arc scores, by exact search (docs/exact.md) ---- */

typedef struct dodona_decoder dodona_decoder;

typedef struct dodona_decode_options {
    size_t size;
    const char *system; /* a decoder or a transition system: "mst", "eisner", "alls0s1", ... */
    int one_root;       /* 0: any number of words below the root; 1: exactly one */
    int kbest;          /* dodona_decoder_answer: also this many trees, the best first; 0: none */
    int marginals;      /* dodona_decoder_answer: also the shares of all arcs */
    double memory;      /* bytes; sentences that need more are refused */
} dodona_decode_options;

DODONA_API void dodona_decode_options_init(dodona_decode_options *o);
/* DODONA_E_ARGUMENT: there is no such decoder, or it has no marginals. */
DODONA_API int dodona_decoder_open(const dodona_decode_options *options, dodona_decoder **out,
                                   dodona_error *err);
DODONA_API void dodona_decoder_close(dodona_decoder *d);

/* scores is an (n+1) x (n+1) matrix, row = head, column = modifier, with 0 for the root; -INFINITY
 * forbids an arc, and what stands on the diagonal and in column 0 is not read.  Sizes of scores are
 * at most 1e100.  Returns 1 and sets heads[0..n-1], those of words 1..n, and *score; 0: there is no
 * tree.
 */
DODONA_API int dodona_decode(dodona_decoder *d, int n, const double *scores, int *heads,
                             double *score, dodona_error *err);

/* The sum of exp(score) over all trees of such a matrix: its logarithm in *log_total, and in
 * marginals, another (n+1) x (n+1) matrix, the share of the trees with each arc.  Returns 1, or 0:
 * there is no tree.  The decoder was opened with marginals, or DODONA_E_ARGUMENT. */
DODONA_API int dodona_decode_marginals(dodona_decoder *d, int n, const double *scores,
                                       double *marginals, double *log_total, dodona_error *err);

/* Scores as a JSON object, {"scores":[[null,1,0],[null,null,2.5],[null,-1,null]]} with null for a
 * forbidden arc, and the best tree, {"heads":[0,1],"score":3.5}; both null when there is none.
 * With kbest, "kbest" is an array of such objects; with marginals, "marginals" is a matrix like
 * the scores, and "log_total" the logarithm of the sum of exp(score) over all trees.
 * The answer is borrowed from d until the next call. */
DODONA_API int dodona_decoder_answer(dodona_decoder *d, dodona_text scores, dodona_text *answer,
                                     dodona_error *err);

/* ---- Packed forests (docs/forest.md) ---- */

#define DODONA_MIN_TEMPERATURE 1e-6
#define DODONA_MAX_TEMPERATURE 1e12

typedef struct dodona_forest dodona_forest;

DODONA_API dodona_forest *dodona_forest_new(void); /* NULL: out of memory */
DODONA_API void dodona_forest_free(dodona_forest *f);

/* A line that dodona parse --forest wrote.  What is not a forest is refused with a message; then f
 * is not to be asked. */
DODONA_API int dodona_forest_read(dodona_forest *f, dodona_text line, dodona_error *err);
/* The same forest as a line, with its newline; borrowed from f until the next call. */
DODONA_API int dodona_forest_write(dodona_forest *f, dodona_text *line, dodona_error *err);

typedef struct dodona_forest_size {
    int words, nodes;
    int64_t edges;
} dodona_forest_size;

DODONA_API void dodona_forest_measure(const dodona_forest *f, dodona_forest_size *out);
/* The form of word i, from 1; negative: there is none. */
DODONA_API int dodona_forest_word(const dodona_forest *f, int i, dodona_text *out);

/* The number of trees: decimal digits, borrowed from f until the next call. */
DODONA_API int dodona_forest_count(dodona_forest *f, const char **count, dodona_error *err);

/* A tree; both arrays are borrowed from the forest until its next use. */
typedef struct dodona_forest_tree {
    double score;
    const int32_t *head;       /* [words + 1] of words 1 ... */
    const dodona_text *deprel; /* [words + 1] */
} dodona_forest_tree;

/* Of all trees the one that has the most heads in common with gold, which has the same forms; with
 * labelled, the most heads whose relation is the same, too.  How many that are goes to *correct. */
DODONA_API int dodona_forest_oracle(dodona_forest *f, const dodona_sentence *gold, int labelled,
                                    int *correct, dodona_forest_tree *out, dodona_error *err);

/* The trees from the best on: 1, 0 after the last.  restart: from the best again. */
DODONA_API int dodona_forest_next(dodona_forest *f, int restart, dodona_forest_tree *out,
                                  dodona_error *err);

typedef struct dodona_forest_arc {
    int head, child;
    double p;           /* of the arc */
    dodona_text deprel; /* its most probable relation */
    double labelled;    /* probability of the arc with this relation */
} dodona_forest_arc;

/* The probability of every arc when a tree's is proportional to exp(score / temperature), by child,
 * then by head; *count of them, borrowed from f until the next call. */
DODONA_API int dodona_forest_marginals(dodona_forest *f, double temperature,
                                       const dodona_forest_arc **arcs, size_t *count,
                                       dodona_error *err);

#ifdef __cplusplus
}
#endif
#endif
