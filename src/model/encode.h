/* SPDX-License-Identifier: MIT */
/* encode.h - from a sentence and a view to the keys of features.
 *
 * Words are read once a sentence: every source of the templates becomes a column of 32-bit numbers,
 * hashes of the strings.  There is no vocabulary: a word that training never saw has keys that the
 * model has no weights for.
 *
 * A feature's key is a multilinear hash of its atoms: the sum over atoms of value times a 64-bit
 * constant of the template, then mixed.  The products of a key are independent, so the processor
 * computes them in parallel. */
#ifndef DDN_MODEL_ENCODE_H
#define DDN_MODEL_ENCODE_H

#include "core/arena.h"
#include "model/template.h"
#include "tree/sentence.h"

/* The numbers of a sentence: value[source * (n + 2) + word + 1], word -1 standing for "nothing". */
typedef struct ddn_encoded {
    int32_t n;
    uint32_t *value;
} ddn_encoded;

/* What a source reads of a word, from 1 on. */
dodona_text ddn_source_text(const ddn_source *source, const ddn_sentence *s, int32_t word);

/* The numbers of the sentences of a batch; all zero at the start. */
typedef struct ddn_encodings {
    ddn_encoded *of;
    ddn_arena arena; /* all of it */
} ddn_encodings;

void ddn_encodings_fini(ddn_encodings *e);
/* Sets of[0..m). */
int ddn_encode_all(ddn_encodings *e, const ddn_templates *t, const ddn_sentence *const *s, int m,
                   dodona_error *err);

/* A template as it is hashed: its atoms, and constants that depend on its number alone. */
typedef struct ddn_feature {
    uint64_t base, factor[DDN_MAX_ARITY];
    uint8_t arity, atom[DDN_MAX_ARITY];
} ddn_feature;

/* The features of all templates, [templates]. */
void ddn_features_list(const ddn_templates *t, ddn_feature *feature);

/* The values of the atoms in a view that do not see p or c, and of those that do.  v stands among
 * the views that are scored together. */
void ddn_read_atoms(const ddn_templates *t, const ddn_encoded *e, const ddn_view *v,
                    uint32_t *value);
void ddn_read_atoms_of_p(const ddn_templates *t, const ddn_encoded *e, const ddn_view *v,
                         uint32_t *value);
/* The values of the listed atoms; value has a place for each atom, listed or not. */
void ddn_read_atoms_listed(const ddn_templates *t, const ddn_encoded *e, const ddn_view *v,
                           const uint8_t *atom, int atoms, uint32_t *value);
/* The key of a feature; value: of all atoms. */
static inline uint64_t ddn_feature_key(const ddn_feature *f, const uint32_t *value)
{
    uint64_t k = f->base;
    for (int j = 0; j < f->arity; j++)
        k += value[f->atom[j]] * f->factor[j];
    k ^= k >> 32;
    k *= 0xd6e8feb86659fd93u;
    return k ^ k >> 32;
}

#endif
