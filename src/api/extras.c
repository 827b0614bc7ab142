/* SPDX-License-Identifier: MIT */
/* extras.c - lists of trees, confidences and forests for callers, from the forest of a search.
 *
 * The forest has the trees that the search builds.  Where arcs were lifted (pseudo-projective
 * models), those of listed trees are put back as in the tree in the columns, and two that become
 * the same are listed once, with the better score; the confidence of a word is that of the arc that
 * was built, before it was put back.  Confidences come from the rivals of each arc
 * (search/rivals.h) and, with the search that the model was trained with, from the forest.  A
 * sentence that another search parsed has none: they were fitted for this one. */
#include "api/extras.h"

#include "chart/forest_file.h"
#include "dodona_research.h"
#include "io/trees_write.h"
#include "tree/trees.h"

#include <math.h>
#include <string.h>

/* How scores become confidences: as it was fitted in training, or as is usual for models of this
 * learner.  Models that were trained before rivals counted have numbers for their forests alone. */
static void find_scale(ddn_extras *x, const dodona_model *m, const char *search)
{
    const double usual_coverage = 0.97;
    double usual = m->parser->scorer->temperature;
    bool same = strcmp(search, m->search) == 0;
    const ddn_search *found = ddn_search_find(search);
    x->by_forest = same && found && found->forest && m->temperature >= DODONA_MIN_TEMPERATURE;
    x->rival_temperature = x->by_forest ? m->temperature / 2 : usual > 0 ? usual : 1;
    x->rival_coverage = x->by_forest ? sqrt(m->coverage) : usual_coverage;
    if (same && m->rival_temperature >= DODONA_MIN_TEMPERATURE && m->rival_coverage > 0) {
        x->rival_temperature = m->rival_temperature;
        x->rival_coverage = m->rival_coverage;
    }
}

int ddn_extras_init(ddn_extras *x, const dodona_model *m, const dodona_parse_options *o,
                    const char *search, dodona_error *err)
{
    memset(x, 0, sizeof *x);
    ddn_forest_init(&x->packed);
    ddn_kbest_init(&x->list);
    ddn_marginals_init(&x->marginals);
    ddn_result_init(&x->result);
    x->kbest = o->kbest;
    x->confidence = o->confidence;
    x->forest = o->forest;
    x->temperature = m->temperature;
    const ddn_search *found = ddn_search_find(search);
    if ((x->kbest || x->forest) && found && !found->forest)
        return ddn_fail(err, DODONA_E_ARGUMENT,
                        "%s search ends with one tree; lists of trees and forests need beam or dp "
                        "search, with a model that was trained with it",
                        search);
    find_scale(x, m, search);
    return DODONA_OK;
}

void ddn_extras_open(ddn_extras *x, ddn_pass *pass)
{
    if (x->confidence)
        ddn_rivals_init(&x->rivals, pass);
    x->opened = x->confidence;
}

void ddn_extras_fini(ddn_extras *x)
{
    ddn_forest_fini(&x->packed);
    ddn_kbest_fini(&x->list);
    ddn_marginals_fini(&x->marginals);
    ddn_result_fini(&x->result);
    if (x->opened)
        ddn_rivals_fini(&x->rivals);
    ddn_arena_fini(&x->arena);
}

static int list_trees(ddn_extras *x, const ddn_schema *schema, ddn_sentence *s, dodona_error *err)
{
    double score;
    int status = ddn_kbest_begin(&x->list, &x->packed, err);
    while (status >= 0 && s->trees.count < x->kbest) {
        status = ddn_kbest_next(&x->list, &score, x->head, x->label, err);
        if (status <= 0)
            break;
        status = ddn_result_from(&x->result, schema, s->n, x->head, x->label, err);
        if (status >= 0 && !(schema->pseudo && ddn_trees_have(s, x->result.head, x->result.label)))
            status = ddn_trees_add(s, score, x->result.head, x->result.label, err);
    }
    return status < 0 ? status : ddn_trees_comment(s, err);
}

static int find_confidence(ddn_extras *x, const ddn_searching *w, ddn_sentence *s,
                           dodona_error *err)
{
    int status = ddn_rivals_find(&x->rivals, w, err);
    if (status >= 0 && x->by_forest)
        status = ddn_marginals_compute(&x->marginals, &x->packed, x->temperature, err);
    if (status < 0)
        return status;
    ddn_rivals_odds(&x->rivals, s->n, x->rival_temperature, x->p);
    for (int32_t i = 1; i <= s->n; i++) {
        const ddn_marginal *arc = NULL;
        if (x->by_forest)
            arc = ddn_marginals_find(&x->marginals, ddn_system_head(w->system, &w->state, i), i);
        x->p[i] = x->rival_coverage * ddn_confidence(x->by_forest, arc ? arc->p : 0, x->p[i]);
    }
    return ddn_confidence_set(s, x->p, err);
}

int ddn_extras_take(ddn_extras *x, const ddn_schema *schema, ddn_searching *w,
                    dodona_sentence *sentence, dodona_error *err)
{
    ddn_sentence *s = &sentence->s;
    size_t nodes = (size_t)s->n + 1;
    ddn_arena_reset(&x->arena);
    x->head = ddn_arena_take(&x->arena, nodes, sizeof *x->head);
    x->label = ddn_arena_take(&x->arena, nodes, sizeof *x->label);
    x->p = ddn_arena_take(&x->arena, nodes, sizeof *x->p);
    if (x->arena.failed)
        return ddn_fail_memory(err);
    int status = DODONA_OK;
    if (ddn_extras_need_forest(x))
        status = w->search->forest(w, &x->packed, err);
    if (status >= 0 && x->kbest)
        status = list_trees(x, schema, s, err);
    if (status >= 0 && x->confidence)
        status = w->fallback ? ddn_confidence_set(s, NULL, err) : find_confidence(x, w, s, err);
    if (status >= 0 && x->forest)
        status = ddn_forest_write(&sentence->forest, &x->packed, s, &schema->labels, err);
    return status < 0 ? status : ddn_output_check(&sentence->forest, err);
}
