/* SPDX-License-Identifier: MIT */
/* evaluate.c - reads the files, and asks every part of the room in turn.
 *
 * Only records are kept, about 60 bytes a word, and the text; of strings, one copy of each that
 * occurs.  Gold is read once, whatever the number of systems. */
#include "eval/evaluate.h"

#include <stdlib.h>

/* What lives only while the evaluation is made. */
typedef struct material {
    ddn_corpus gold, system[2];
    ddn_alignment alignment[2];
} material;

static void free_material(material *m)
{
    ddn_corpus_fini(&m->gold);
    for (int i = 0; i < 2; i++) {
        ddn_corpus_fini(&m->system[i]);
        ddn_alignment_fini(&m->alignment[i]);
    }
}

static int score_system(ddn_evaluation *e, material *m, int i, const ddn_eval_source *from,
                        dodona_error *err)
{
    ddn_eval_result *result = &e->result[i];
    ddn_alignment *a = &m->alignment[i];
    bool no_punct = e->settings.no_punct;
    result->name = strdup(from->name ? from->name : i ? "system 2" : "system 1");
    if (!result->name)
        return ddn_fail_memory(err);
    int status = ddn_corpus_read(&m->system[i], &e->names, from, err);
    if (status == 0)
        status = ddn_corpus_same_text(&m->gold, &m->system[i], err);
    if (status == 0)
        status = ddn_align(a, &m->gold, &m->system[i], err);
    if (status < 0)
        return status;
    ddn_ud_score(a, &e->names, no_punct, result->metric);
    ddn_accuracies(a, no_punct, result->accuracy);
    if (e->settings.analysis)
        status = ddn_breakdown_make(&result->breakdown, a, &e->names, no_punct, err);
    result->traced = i == 0 && e->settings.trace;
    if (status == 0 && result->traced)
        status = ddn_replaced_read(&result->replaced, a, no_punct, e->settings.trace, err);
    return status;
}

static int compare_systems(ddn_evaluation *e, const material *m, dodona_error *err)
{
    ddn_stratum *stratum = malloc((m->gold.sentences + 1) * sizeof *stratum);
    if (!stratum)
        return ddn_fail_memory(err);
    ddn_strata(&m->alignment[0], &m->alignment[1], e->settings.no_punct, stratum);
    int status =
        ddn_paired_randomisation(stratum, m->gold.sentences, e->result[0].metric[DDN_LAS].gold,
                                 e->settings.trials, e->settings.seed, e->test, err);
    free(stratum);
    return status;
}

int ddn_evaluate(ddn_evaluation *e, const ddn_eval_settings *settings, const ddn_eval_source *gold,
                 const ddn_eval_source *system, int systems, dodona_error *err)
{
    memset(e, 0, sizeof *e);
    e->settings = *settings;
    e->systems = systems;
    material m = { 0 };
    int status = ddn_eval_names_init(&e->names, err);
    if (status == 0)
        status = ddn_corpus_read(&m.gold, &e->names, gold, err);
    for (int i = 0; status == 0 && i < systems; i++)
        status = score_system(e, &m, i, &system[i], err);
    if (status == 0 && systems == 2)
        status = compare_systems(e, &m, err);
    free_material(&m);
    return status;
}

void ddn_evaluation_fini(ddn_evaluation *e)
{
    for (int i = 0; i < 2; i++) {
        free(e->result[i].name);
        ddn_breakdown_fini(&e->result[i].breakdown);
    }
    ddn_eval_names_fini(&e->names);
    memset(e, 0, sizeof *e);
}
