/* SPDX-License-Identifier: MIT */
/* heads.c - the head of every word, and the label of its arc (Dozat and Manning 2017). */
#include "train/heads.h"

#include "core/array.h"

#include <stdlib.h>
#include <string.h>

int ddn_heads_open(ddn_heads *l, ddn_model *model, dodona_error *err)
{
    *l = (ddn_heads){ .model = model };
    return model->scorer->pass(model, DDN_ONE_VIEW, &l->pass, err);
}

void ddn_heads_close(ddn_heads *l)
{
    ddn_pass_end(l->pass);
    free(l->arc);
    free(l->darc);
    free(l->score);
    free(l->adjoint);
    memset(l, 0, sizeof *l);
}

static int reserve(ddn_heads *l, int32_t n, dodona_error *err)
{
    size_t m = (size_t)n + 1, labels = l->model->schema->labels.count;
    size_t choices = m > labels ? m : labels;
    if (!ddn_reserve(&l->arc, &l->arc_cap, m * m, sizeof *l->arc) ||
        !ddn_reserve(&l->darc, &l->darc_cap, m * m, sizeof *l->darc) ||
        !ddn_reserve(&l->score, &l->score_cap, choices, sizeof *l->score) ||
        !ddn_reserve(&l->adjoint, &l->adjoint_cap, choices + 2, sizeof *l->adjoint))
        return ddn_fail_memory(err);
    return DODONA_OK;
}

static int32_t best_of(const ddn_score *score, int32_t m)
{
    int32_t best = 0;
    for (int32_t i = 1; i < m; i++)
        best = score[i] > score[best] ? i : best;
    return best;
}

/* The adjoints of all arcs to word d: choice i is head i, or i + 1 from the word itself on. */
static void choose_head(ddn_heads *l, int32_t n, int32_t d, int32_t gold)
{
    const ddn_loss *loss = l->model->scorer->loss;
    size_t m = (size_t)n + 1;
    for (int32_t i = 0; i < n; i++)
        l->score[i] = l->arc[(size_t)(i + (i >= d)) * m + (size_t)d];
    int32_t target = gold - (gold > d);
    int32_t count = loss->adjoints(l->score, n, target, best_of(l->score, n), l->adjoint);
    for (int32_t k = 0; k < count; k++) {
        int32_t i = l->adjoint[k].output;
        l->darc[(size_t)(i + (i >= d)) * m + (size_t)d] = l->adjoint[k].d;
    }
}

static int choose_label(ddn_heads *l, int sentence, ddn_arc arc, uint16_t gold, dodona_error *err)
{
    const ddn_scorer *scorer = l->model->scorer;
    int32_t labels = (int32_t)l->model->schema->labels.count;
    ddn_arc_query q = { -1, sentence, 0, arc };
    scorer->labels(l->pass, &q, l->score);
    int32_t count =
        scorer->loss->adjoints(l->score, labels, gold, best_of(l->score, labels), l->adjoint);
    return count ? scorer->learn_label(l->pass, &q, l->adjoint, count, err) : DODONA_OK;
}

static int learn(ddn_heads *l, const ddn_example *x, int number, dodona_error *err)
{
    const ddn_scorer *scorer = l->model->scorer;
    int32_t n = x->sentence->n;
    size_t m = (size_t)n + 1;
    int status = reserve(l, n, err);
    if (status >= 0)
        status = scorer->arcs(l->pass, number, l->arc, NULL, err);
    if (status < 0)
        return status;
    memset(l->darc, 0, m * m * sizeof *l->darc);
    for (int32_t d = 1; d <= n; d++)
        choose_head(l, n, d, x->head[d]);
    status = scorer->learn_arcs(l->pass, number, l->darc, err);
    for (int32_t d = 1; d <= n && status >= 0; d++)
        status = choose_label(l, number, (ddn_arc){ x->head[d], d }, x->label[d], err);
    return status;
}

int ddn_heads_learn(ddn_heads *l, const ddn_example *const *x, int m, dodona_error *err)
{
    const ddn_scorer *scorer = l->model->scorer;
    const ddn_sentence *sentence[DDN_MAX_BATCH] = { NULL };
    for (int i = 0; i < m; i++)
        sentence[i] = x[i]->sentence;
    int status = scorer->encode(l->pass, sentence, m, err);
    for (int i = 0; i < m && status >= 0; i++)
        status = learn(l, x[i], i, err);
    return status < 0 || !scorer->backward ? status : scorer->backward(l->pass, err);
}
