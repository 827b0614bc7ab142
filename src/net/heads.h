/* SPDX-License-Identifier: MIT */
/* heads.h - what is asked of encoded words: scores of arcs, of labels, and of moves.
 *
 * A head reads x[words][in], the result of the encoder, and adds to dx, its adjoint.  Each has a
 * pass that keeps what backward needs; its arrays are on the tape.  Functions return false when
 * there is no memory.  learning is NULL when parsing: no dropout.
 *
 * Adjoints of scores come from a loss outside: softmax minus gold, or any other. */
#ifndef DDN_NET_HEADS_H
#define DDN_NET_HEADS_H

#include "net/layers.h"

/* ---- A perceptron of one layer: y = dropout(leaky(x w + b)) (mlp.c) ---- */

typedef struct ddn_mlp_pass {
    float *y;    /* [rows][out] */
    float *mask; /* NULL: not learning */
} ddn_mlp_pass;

bool ddn_mlp_forward(const ddn_net *n, const ddn_linear *l, const float *x, size_t rows,
                     ddn_learning *learning, ddn_tape *tape, ddn_mlp_pass *pass);
/* Overwrites dy. */
void ddn_mlp_backward(const ddn_net *n, const ddn_linear *l, const float *x, size_t rows,
                      const ddn_mlp_pass *pass, float *dy, float *dx);

/* ---- Arcs: score(h, m) = head_h . (modifier_m W + u), in each sentence (arcs.c) ---- */

typedef struct ddn_arcs_head {
    ddn_linear modifier, head; /* perceptrons over x */
    ddn_linear between;        /* W and u */
} ddn_arcs_head;

typedef struct ddn_arcs_pass {
    ddn_mlp_pass modifier, head;
    float *between; /* [words][width] */
    float *score;   /* of each sentence [length][length], one behind the other: a row a modifier */
    size_t scores;
} ddn_arcs_pass;

ddn_arcs_head ddn_arcs_head_add(ddn_params *p, const char *name, size_t in, size_t width);
bool ddn_arcs_forward(const ddn_net *n, const ddn_arcs_head *h, const ddn_sequences *s,
                      const float *x, ddn_learning *learning, ddn_tape *tape, ddn_arcs_pass *pass);
bool ddn_arcs_backward(const ddn_net *n, const ddn_arcs_head *h, const ddn_sequences *s,
                       const float *x, const ddn_arcs_pass *pass, const float *dscore,
                       ddn_tape *tape, float *dx);

/* ---- Labels: score(l) = (modifier 1) W_l (head 1)' for given arcs (labels.c) ---- */

typedef struct ddn_labels_head {
    ddn_linear modifier, head;
    ddn_linear between; /* width to (width + 1) * labels */
    size_t labels, width;
} ddn_labels_head;

/* Words once a batch; arcs as often as they come. */
typedef struct ddn_labels_words {
    ddn_mlp_pass modifier, head;
    float *between;          /* [words][width + 1][labels] of the modifiers */
    float *dbetween, *dhead; /* what the arcs added; NULL: not learning */
} ddn_labels_words;

ddn_labels_head ddn_labels_head_add(ddn_params *p, const char *name, size_t in, size_t width,
                                    size_t labels);
bool ddn_labels_words_forward(const ddn_net *n, const ddn_labels_head *h, const float *x,
                              size_t words, ddn_learning *learning, ddn_tape *tape,
                              ddn_labels_words *w);
bool ddn_labels_words_backward(const ddn_net *n, const ddn_labels_head *h, const float *x,
                               size_t words, const ddn_labels_words *w, ddn_tape *tape, float *dx);
/* score[labels] of one arc, between two rows of x. */
void ddn_labels_forward(const ddn_net *n, const ddn_labels_head *h, const ddn_labels_words *w,
                        uint32_t modifier, uint32_t head, float *score);
void ddn_labels_backward(const ddn_labels_head *h, const ddn_labels_words *w, uint32_t modifier,
                         uint32_t head, const float *dscore);

/* ---- Slots: moves scored by a hidden layer over the words at some places (slots.c) ---- */

/* hidden = leaky(sum over slots of x[word at slot] W_slot), score = hidden V + v.  The products
 * with W depend on one word and one slot each: they are made once for all words of the batch. */
typedef struct ddn_slots_head {
    ddn_linear place; /* in to slots * hidden */
    size_t none;      /* [slots][hidden] where a place has no word */
    ddn_linear out;   /* hidden to classes */
    size_t slots, hidden;
} ddn_slots_head;

typedef struct ddn_slots_words {
    float *place;  /* [words][slots][hidden] */
    float *dplace; /* what the queries added; NULL: not learning */
} ddn_slots_words;

typedef struct ddn_slots_pass {
    size_t count;
    const int32_t *at; /* [count][slots] rows of x, negative: none */
    float *hidden;     /* [count][hidden] */
    float *score;      /* [count][classes] */
} ddn_slots_pass;

ddn_slots_head ddn_slots_head_add(ddn_params *p, const char *name, size_t in, size_t slots,
                                  size_t hidden, size_t classes);
bool ddn_slots_words_forward(const ddn_net *n, const ddn_slots_head *h, const float *x,
                             size_t words, bool learning, ddn_tape *tape, ddn_slots_words *w);
void ddn_slots_words_backward(const ddn_net *n, const ddn_slots_head *h, const float *x,
                              size_t words, const ddn_slots_words *w, float *dx);
bool ddn_slots_forward(const ddn_net *n, const ddn_slots_head *h, const ddn_slots_words *w,
                       const int32_t *at, size_t count, ddn_tape *tape, ddn_slots_pass *pass);
bool ddn_slots_backward(const ddn_net *n, const ddn_slots_head *h, const ddn_slots_words *w,
                        const ddn_slots_pass *pass, const float *dscore, ddn_tape *tape);

/* ---- Pairs: moves scored by sums over pairs of places (pairs.c) ---- */

/* score(c) = v_c + sum over pairs of sum_k left[a][k] right[b][k] V[k][c], for the words a and b at
 * the places of the pair; left and right are products of x, each pair with its own.  A chart can
 * have the share of every pair in a table, which a sum over more than two words would not allow. */
typedef struct ddn_pairs_head {
    ddn_linear left, right;       /* in to pairs * width */
    size_t left_none, right_none; /* [2][pairs * width]: no word on the stack; buffer empty */
    ddn_linear out;               /* pairs * width to classes */
    size_t pairs, width;
} ddn_pairs_head;

enum { DDN_PAIR_NO_STACK = -1, DDN_PAIR_NO_BUFFER = -2 };

typedef struct ddn_pairs_words {
    float *left, *right;   /* [words][pairs][width] */
    float *dleft, *dright; /* what the queries added; NULL: not learning */
} ddn_pairs_words;

typedef struct ddn_pairs_pass {
    size_t count;
    const int32_t *at; /* [count][pairs][2] rows of x, or DDN_PAIR_NO_... */
    float *both;       /* [count][pairs * width] left times right */
    float *score;      /* [count][classes] */
} ddn_pairs_pass;

ddn_pairs_head ddn_pairs_head_add(ddn_params *p, const char *name, size_t in, size_t pairs,
                                  size_t width, size_t classes);
bool ddn_pairs_words_forward(const ddn_net *n, const ddn_pairs_head *h, const float *x,
                             size_t words, bool learning, ddn_tape *tape, ddn_pairs_words *w);
void ddn_pairs_words_backward(const ddn_net *n, const ddn_pairs_head *h, const float *x,
                              size_t words, const ddn_pairs_words *w, float *dx);
bool ddn_pairs_forward(const ddn_net *n, const ddn_pairs_head *h, const ddn_pairs_words *w,
                       const int32_t *at, size_t count, ddn_tape *tape, ddn_pairs_pass *pass);
bool ddn_pairs_backward(const ddn_net *n, const ddn_pairs_head *h, const ddn_pairs_words *w,
                        const ddn_pairs_pass *pass, const float *dscore, ddn_tape *tape);
/* The share of one pair in the score of a class, for words from..from+length-1: table[length +
 * 2][length + 2], row a of the left word: 0 no word on the stack, 1 + i word from + i, length + 1
 * the buffer is empty; columns likewise of the right word.  v_c is not in it. */
bool ddn_pairs_table(const ddn_net *n, const ddn_pairs_head *h, const ddn_pairs_words *w,
                     size_t from, size_t length, size_t pair, size_t class, ddn_tape *tape,
                     float *table);

#endif
