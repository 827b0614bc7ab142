/* SPDX-License-Identifier: MIT */
/* features.c - numbers the columns and classes of a system and its templates. */
#include "model/features.h"

int ddn_features_init(ddn_features *f, const ddn_schema *schema, const char *templates, size_t size,
                      const char *name, dodona_error *err)
{
    const ddn_system *system = schema->system;
    f->schema = schema;
    int status = ddn_templates_compile(&f->templates, templates, size, name, err);
    if (status < 0)
        return status;
    ddn_features_list(&f->templates, f->feature);
    f->groups = 0;
    for (int k = 0; k < system->kinds; k++)
        f->arc_index[k] = system->kind[k].makes_arc ? f->groups++ : -1;
    f->columns = system->kinds;
    f->by_arc = ddn_templates_see_arcs(&f->templates);
    if (f->by_arc) {
        f->columns = (f->templates.arcs ? system->kinds : 0) + DDN_DIRECTIONS;
        f->groups = DDN_DIRECTIONS;
    }
    if (ddn_features_classes(f) > DDN_MAX_CLASSES)
        return ddn_fail(err, DODONA_E_LIMIT,
                        "%u different relations are too many for %s: at most %d can be learnt",
                        schema->labels.count, system->name, DDN_MAX_CLASSES / f->groups);
    return DODONA_OK;
}
