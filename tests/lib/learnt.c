/* SPDX-License-Identifier: MIT */
#include "lib/learnt.h"

#include "lib/check.h"

static const ddn_features *features_of(const ddn_model *m)
{
    return &((const ddn_perceptron *)m)->features;
}

static uint16_t class_of(const ddn_model *m, int kind, uint16_t label)
{
    return (uint16_t)(ddn_features_class(features_of(m), kind) + label);
}

ddn_weights *test_weights(ddn_model *m)
{
    return &((ddn_perceptron *)m)->linear.weights;
}

uint64_t test_key(const ddn_model *m, uint32_t value)
{
    const ddn_feature *f = &features_of(m)->feature[0];
    uint32_t atom[DDN_MAX_ATOMS] = { 0 };
    assert_int_equal(f->arity, 1);
    atom[f->atom[0]] = value;
    return ddn_feature_key(f, atom);
}

int32_t test_kind_weight(ddn_model *m, uint64_t key, int kind)
{
    const ddn_weights *w = test_weights(m);
    return w->w[ddn_weights_find(w, key) * (uint32_t)w->kinds + (uint32_t)kind];
}

int32_t test_label_weight(ddn_model *m, uint64_t key, int kind, uint16_t label)
{
    const ddn_weights *w = test_weights(m);
    struct ddn_list list = w->list[ddn_weights_find(w, key)];
    for (unsigned i = 0; i < list.count; i++)
        if (w->class[list.at + i].class == class_of(m, kind, label))
            return w->class[list.at + i].w;
    return 0;
}

void test_add_to_kind(ddn_model *m, uint64_t key, int kind, int32_t delta)
{
    assert_int_equal(ddn_weights_add_kind(test_weights(m), key, kind, delta, NULL), 0);
}

void test_add_to_label(ddn_model *m, uint64_t key, int kind, uint16_t label, int32_t delta)
{
    assert_int_equal(
        ddn_weights_add_class(test_weights(m), key, class_of(m, kind, label), delta, NULL), 0);
}
