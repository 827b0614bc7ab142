/* SPDX-License-Identifier: MIT */
#include "lib/learnt.h"

int32_t test_kind_weight(ddn_learner *l, uint64_t key, int kind)
{
    const ddn_weights *m = ddn_learner_weights(l);
    return m->w[ddn_weights_find(m, key) * (uint32_t)m->kinds + (uint32_t)kind];
}

int32_t test_label_weight(ddn_learner *l, const ddn_schema *schema, uint64_t key, int kind,
                          uint16_t label)
{
    const ddn_weights *m = ddn_learner_weights(l);
    struct ddn_list list = m->list[ddn_weights_find(m, key)];
    for (unsigned i = 0; i < list.count; i++)
        if (m->class[list.at + i].class == ddn_schema_class(schema, kind, label))
            return m->class[list.at + i].w;
    return 0;
}
