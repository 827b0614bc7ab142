/* SPDX-License-Identifier: MIT */
/* params.h - the parameters of a network: one block of floats with named views.
 *
 * A plan lists the tensors (name, rows, columns, offset).  Values, gradients and the optimiser's
 * state are blocks of the same plan, so that one loop over size floats serves all tensors.
 *
 *     ddn_params_init(&p);
 *     ddn_linear output = ddn_params_linear(&p, "output", 64, 10, 1);
 *     float *value = ddn_params_block(&p);                        NULL: no memory, or adding failed
 *     ddn_params_begin(&p, seed, value);
 *
 * Functions that add do not fail; ddn_params_block does when one of them could not.  Random numbers
 * of a tensor depend on the seed and on its name alone: a head more or less changes no other. */
#ifndef DDN_NET_PARAMS_H
#define DDN_NET_PARAMS_H

#include "core/error.h"
#include "net/kernels.h"

enum {
    DDN_TENSOR_NAME = 32,      /* bytes with the NUL */
    DDN_TENSOR_ALIGN = 16,     /* floats: a tensor's offset is a multiple of this */
    DDN_PARAMS_MOST = 1 << 28, /* floats in a block */
    DDN_TENSORS_MOST = 1 << 10
};

#define DDN_NO_TENSOR SIZE_MAX

typedef struct ddn_tensor {
    char name[DDN_TENSOR_NAME];
    size_t rows, cols;
    size_t at;       /* offset in a block, floats */
    float centre;    /* begins at centre plus a random number from -spread to spread */
    float spread;    /* 0: all at centre */
    size_t bias;     /* the weights of a product: the tensor that is added to it */
    bool multiplies; /* the weights of a product, and */
    bool looked_up;  /* a table of rows: both can be quantised */
} ddn_tensor;

typedef struct ddn_params {
    ddn_tensor *tensor; /* [count] */
    size_t count, cap;
    size_t size; /* floats of a block, a multiple of DDN_TENSOR_ALIGN */
    bool failed;
    bool large; /* it failed since a limit was reached, and not for lack of memory */
} ddn_params;

/* y = x w + b: its tensors. */
typedef struct ddn_linear {
    size_t w, b; /* [in][out], [1][out] */
    size_t in, out;
} ddn_linear;

void ddn_params_init(ddn_params *p); /* allocates nothing */
void ddn_params_fini(ddn_params *p);

/* A tensor under a name that is not taken; its number, from 0. */
size_t ddn_params_add(ddn_params *p, const char *name, size_t rows, size_t cols, float centre,
                      float spread);
/* The weights and the bias of a product, NAME.w and NAME.b.  The weights begin uniform with the
 * variance that keeps sizes alike forward and backward (Glorot and Bengio 2010), where the
 * columns are so many blocks that serve different purposes; with 0 blocks they begin at 0. */
ddn_linear ddn_params_linear(ddn_params *p, const char *name, size_t in, size_t out, size_t blocks);
/* Its weights are not quantised for parsing. */
void ddn_params_keep_floats(ddn_params *p, const ddn_linear *l);
/* The number of the tensor of that name, or DDN_NO_TENSOR. */
size_t ddn_params_find(const ddn_params *p, const char *name);

/* A block of zeros, to be freed by free. */
float *ddn_params_block(const ddn_params *p);
/* The values that training begins with. */
void ddn_params_begin(const ddn_params *p, uint64_t seed, float *value);

/* ---- For parsing: weights of products and tables as 8-bit integers, the rest in floats ---- */

/* By tensor, [params->count] each; weight = NULL where a tensor is not one of these. */
typedef struct ddn_packed {
    ddn_int8 *matrix;
    ddn_int8_table *table;
    void *block; /* NULL: the caller's */
} ddn_packed;

/* Bytes of a block of all that is packed, which can lie in a file. */
size_t ddn_packed_bytes(const ddn_params *p);
int ddn_packed_init(ddn_packed *q, const ddn_params *p, const float *value, dodona_error *err);
/* What lies in a block of that many bytes, aligned to DDN_INT8_ALIGN, which must outlive q. */
int ddn_packed_view(ddn_packed *q, const ddn_params *p, const void *block, dodona_error *err);
void ddn_packed_fini(ddn_packed *q);

/* The same tensors under the same numbers, where those that are packed take no room in a block. */
int ddn_params_slim(ddn_params *slim, const ddn_params *p, dodona_error *err);
/* The values of a block of p that have room in one of slim. */
void ddn_params_thin(const ddn_params *slim, const ddn_params *p, const float *value, float *thin);

/* ---- What a pass computes with ---- */

/* The parameters may be shared by threads; the gradient, where there is one, is the pass's own. */
typedef struct ddn_net {
    const ddn_params *params;
    const ddn_kernels *kernels;
    const float *value;
    const ddn_packed *packed; /* when parsing; NULL: all is in floats */
    float *gradient;          /* backward functions add to it */
} ddn_net;

static inline const float *ddn_net_value(const ddn_net *n, size_t tensor)
{
    return n->value + n->params->tensor[tensor].at;
}

static inline float *ddn_net_gradient(const ddn_net *n, size_t tensor)
{
    return n->gradient + n->params->tensor[tensor].at;
}

#endif
