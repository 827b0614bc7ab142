/* SPDX-License-Identifier: MIT */
/* eval.c - the public interface to scoring. */
#include "eval/evaluate.h"

#include "api/api.h"
#include "api/options.h"
#include <stdlib.h>

struct dodona_scores {
    ddn_evaluation e;
    ddn_output printed;
};

_Static_assert(DODONA_METRICS == (int)DDN_METRICS, "the public number of metrics");

static int evaluate(dodona_scores *scores, const dodona_eval_options *o, const dodona_source *gold,
                    const dodona_source *system, int systems, dodona_error *err)
{
    ddn_eval_settings settings = {
        .no_punct = o->no_punct,
        .analysis = o->analysis,
        .trace = o->trace,
        .trials = o->trials,
        .seed = o->seed,
    };
    size_t sources = (size_t)systems + 1;
    dodona_sentence *s = dodona_sentence_new();
    ddn_filled *f = malloc(sources * sizeof *f);
    ddn_eval_source *source = malloc(sources * sizeof *source);
    int status = s && f && source ? DODONA_OK : ddn_fail_memory(err);
    for (size_t i = 0; i < sources && status >= 0; i++) {
        const dodona_source *from = i ? &system[i - 1] : gold;
        f[i] = (ddn_filled){ from, s };
        source[i] = (ddn_eval_source){ ddn_filled_next, &f[i], from->name };
    }
    if (status >= 0)
        status = ddn_evaluate(&scores->e, &settings, &source[0], &source[1], systems, err);
    dodona_sentence_free(s);
    free(f);
    free(source);
    return status;
}

int dodona_evaluate_systems(const dodona_eval_options *o, const dodona_source *gold,
                            const dodona_source *system, int systems, dodona_scores **out,
                            dodona_error *err)
{
    if (!system || !out)
        return ddn_fail_null(err, "systems or the place for the scores");
    *out = NULL;
    dodona_eval_options all;
    int status = ddn_eval_options_take(&all, o, err);
    if (status < 0)
        return status;
    if (systems < 1)
        return ddn_fail(err, DODONA_E_ARGUMENT, "there is no system to score");
    status = ddn_check_source(gold, err);
    for (int i = 0; i < systems && status >= 0; i++)
        status = ddn_check_source(&system[i], err);
    if (status < 0)
        return status;
    if (all.trace && !all.analysis)
        return ddn_fail(err, DODONA_E_ARGUMENT,
                        "moves are counted by the analysis, which was not asked for");
    dodona_scores *scores = calloc(1, sizeof *scores);
    if (!scores)
        return ddn_fail_memory(err);
    ddn_output_memory(&scores->printed);
    status = evaluate(scores, &all, gold, system, systems, err);
    if (status < 0)
        dodona_scores_free(scores);
    else
        *out = scores;
    return status;
}

int dodona_evaluate(const dodona_eval_options *o, const dodona_source *gold,
                    const dodona_source *system, const dodona_source *system2, dodona_scores **out,
                    dodona_error *err)
{
    if (!system)
        return ddn_fail_null(err, "system");
    dodona_source both[2] = { *system, system2 ? *system2 : *system };
    return dodona_evaluate_systems(o, gold, both, system2 ? 2 : 1, out, err);
}

void dodona_scores_free(dodona_scores *s)
{
    if (!s)
        return;
    ddn_evaluation_fini(&s->e);
    ddn_output_abandon(&s->printed);
    free(s);
}

static bool has(const dodona_scores *s, int system)
{
    return s && system >= 1 && system <= s->e.systems;
}

int dodona_scores_metric(const dodona_scores *s, int system, int i, dodona_metric *out)
{
    if (!has(s, system) || !out || i < 0 || i >= DODONA_METRICS)
        return DODONA_E_ARGUMENT;
    const ddn_count *c = &s->e.result[system - 1].metric[i];
    *out = (dodona_metric){
        .name = ddn_metric_name[i],
        .correct = c->correct,
        .gold = c->gold,
        .system = c->system,
        .aligned = c->aligned,
        .precision = 100 * ddn_precision(c),
        .recall = 100 * ddn_recall(c),
        .f1 = 100 * ddn_f1(c),
        .aligned_accuracy = 100 * ddn_aligned_accuracy(c),
    };
    return 0;
}

int dodona_scores_find(const dodona_scores *s, int system, const char *name, dodona_metric *out)
{
    for (int i = 0; name && i < DODONA_METRICS; i++)
        if (strcmp(name, ddn_metric_name[i]) == 0)
            return dodona_scores_metric(s, system, i, out);
    return DODONA_E_ARGUMENT;
}

double dodona_scores_unlabelled(const dodona_scores *s, int system, const char *name)
{
    for (int k = 0; name && has(s, system) && k < DDN_ACCURACIES; k++)
        if (strcmp(name, ddn_accuracy_name[k]) == 0)
            return 100 * ddn_accuracy_ratio(&s->e.result[system - 1].accuracy[k]);
    return -1;
}

int dodona_scores_compare(const dodona_scores *s, int system, const char *name, double *percent,
                          double *p)
{
    if (!name || !percent || !p)
        return DODONA_E_ARGUMENT;
    static const char *const names[DDN_TESTS] = { [DDN_TEST_UAS] = "UAS", [DDN_TEST_LAS] = "LAS" };
    for (int k = 0; system > 1 && has(s, system) && k < DDN_TESTS; k++)
        if (strcmp(name, names[k]) == 0) {
            const ddn_test *test = &s->e.result[system - 1].test[k];
            *percent = 100 * test->difference;
            *p = test->p;
            return 0;
        }
    return DODONA_E_ARGUMENT;
}

int dodona_scores_difference(const dodona_scores *s, const char *name, double *percent, double *p)
{
    return dodona_scores_compare(s, 2, name, percent, p);
}

int dodona_scores_print(dodona_scores *s, dodona_format format, dodona_text *out, dodona_error *err)
{
    if (!s || !out)
        return ddn_fail_null(err, "scores or the place for the text");
    if (format != DODONA_TEXT && format != DODONA_JSON)
        return ddn_fail(err, DODONA_E_ARGUMENT, "scores are printed as text or as JSON only");
    ddn_output_abandon(&s->printed);
    if (format == DODONA_JSON)
        ddn_evaluation_put_json(&s->printed, &s->e);
    else
        ddn_evaluation_put_table(&s->printed, &s->e);
    return ddn_output_text(&s->printed, out, err);
}
