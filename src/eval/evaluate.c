/* SPDX-License-Identifier: MIT */
/* evaluate.c - reads the files, and asks every part of the room in turn.
 *
 * Only records are kept, about 60 bytes a word, and the text; of strings, one copy of each that
 * occurs.  Gold and the first system are read once, and of the others one is kept at a time. */
#include "eval/evaluate.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct aligned {
    ddn_corpus corpus;
    ddn_alignment alignment;
} aligned;

/* What lives only while the evaluation is made. */
typedef struct material {
    ddn_corpus gold;
    aligned first, other;
} material;

static void free_aligned(aligned *a)
{
    ddn_corpus_fini(&a->corpus);
    ddn_alignment_fini(&a->alignment);
    memset(a, 0, sizeof *a);
}

static char *name_of(const ddn_eval_source *from, int i)
{
    char number[32];
    snprintf(number, sizeof number, "system %d", i + 1);
    return strdup(from->name ? from->name : number);
}

static int score_system(ddn_evaluation *e, const ddn_corpus *gold, aligned *x, int i,
                        const ddn_eval_source *from, dodona_error *err)
{
    ddn_eval_result *result = &e->result[i];
    ddn_alignment *a = &x->alignment;
    bool no_punct = e->settings.no_punct;
    result->name = name_of(from, i);
    if (!result->name)
        return ddn_fail_memory(err);
    int status = ddn_corpus_read(&x->corpus, &e->names, from, err);
    if (status == 0)
        status = ddn_corpus_same_text(gold, &x->corpus, err);
    if (status == 0)
        status = ddn_align(a, gold, &x->corpus, err);
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

/* The first system against system i. */
static int compare_systems(ddn_evaluation *e, const material *m, int i, dodona_error *err)
{
    ddn_stratum *stratum = malloc((m->gold.sentences + 1) * sizeof *stratum);
    if (!stratum)
        return ddn_fail_memory(err);
    ddn_strata(&m->first.alignment, &m->other.alignment, e->settings.no_punct, stratum);
    int status =
        ddn_paired_randomisation(stratum, m->gold.sentences, e->result[0].metric[DDN_LAS].gold,
                                 e->settings.trials, e->settings.seed, e->result[i].test, err);
    free(stratum);
    return status;
}

static int evaluate(ddn_evaluation *e, material *m, const ddn_eval_source *gold,
                    const ddn_eval_source *system, dodona_error *err)
{
    int status = ddn_corpus_read(&m->gold, &e->names, gold, err);
    if (status == 0)
        status = score_system(e, &m->gold, &m->first, 0, &system[0], err);
    for (int i = 1; status == 0 && i < e->systems; i++) {
        status = score_system(e, &m->gold, &m->other, i, &system[i], err);
        if (status == 0)
            status = compare_systems(e, m, i, err);
        free_aligned(&m->other);
    }
    return status;
}

int ddn_evaluate(ddn_evaluation *e, const ddn_eval_settings *settings, const ddn_eval_source *gold,
                 const ddn_eval_source *system, int systems, dodona_error *err)
{
    memset(e, 0, sizeof *e);
    e->settings = *settings;
    e->result = calloc((size_t)systems, sizeof *e->result);
    e->systems = e->result ? systems : 0;
    material m = { 0 };
    int status = e->result ? ddn_eval_names_init(&e->names, err) : ddn_fail_memory(err);
    if (status == 0)
        status = evaluate(e, &m, gold, system, err);
    free_aligned(&m.first);
    free_aligned(&m.other);
    ddn_corpus_fini(&m.gold);
    return status;
}

void ddn_evaluation_fini(ddn_evaluation *e)
{
    for (int i = 0; i < e->systems; i++) {
        free(e->result[i].name);
        ddn_breakdown_fini(&e->result[i].breakdown);
    }
    free(e->result);
    ddn_eval_names_fini(&e->names);
    memset(e, 0, sizeof *e);
}
