/* SPDX-License-Identifier: MIT */
/* calibrate.c - fits the temperature and the coverage that turn scores into probabilities.
 *
 * A perceptron's scores have no scale: only their order was learnt.  Dividing them by a temperature
 * before exp() leaves the order of trees and gives the scale (Guo et al. 2017).  But a forest has
 * only the trees that the beam kept: an arc that all of them have gets probability 1 at any
 * temperature, and is wrong now and then.  So the probability from the forest is conditional on the
 * right arc being in the forest, and is multiplied by the probability of that, the coverage: p =
 * coverage * q, q = the sum of the probabilities of the trees that have the arc
 *
 * Both are chosen on dev, for the arcs that the parser gives there, by their Brier score, the sum
 * of (p - right)^2: it is smallest where probabilities are true, and unlike the likelihood it stays
 * finite when an arc that was thought certain is wrong.  For a given temperature the best coverage
 * is that of least squares, sum(q right) / sum(q^2).  The temperature is sought on a grid of powers
 * of 2, then on a finer one around the best of them.  The grid makes it the same number on machines
 * that differ in the last bit of exp(). */
#include "train/calibrate.h"

#include "chart/marginals.h"
#include "search/parser.h"
#include "search/result.h"
#include "search/rivals.h"

#include <math.h>

/* Words of dev, about, from which the scale of rivals is found: looking for rivals takes ten times
 * as long as parsing, and there are two numbers to find.  Half powers of 2 around the usual. */
enum { WORDS = 2500, HALVES = 24 };
enum { COARSE = 30, FINE = 17, STEPS = 8 }; /* FINE: from one power of 2 below to one above */

void ddn_reliability_add(ddn_reliability *r, double p, bool right)
{
    int bin = p >= 1 ? DDN_BINS - 1 : (int)(p * DDN_BINS);
    r->p[bin] += p;
    r->right[bin] += right;
    r->count[bin]++;
}

double ddn_reliability_error(const ddn_reliability *r)
{
    double sum = 0;
    int64_t count = 0;
    for (int i = 0; i < DDN_BINS; i++) {
        sum += fabs(r->p[i] - (double)r->right[i]);
        count += r->count[i];
    }
    return count ? sum / (double)count : 0;
}

/* Sums over the arcs that were given, at one temperature. */
typedef struct sums {
    double temperature;
    double qq, q_right, right;
} sums;

static double coverage(const sums *s)
{
    return s->qq > 0 ? fmin(s->q_right / s->qq, 1) : 1;
}

/* The sum of (coverage * q - right)^2; right is 0 or 1, its own square. */
static double brier(const sums *s)
{
    double c = coverage(s);
    return c * c * s->qq - 2 * c * s->q_right + s->right;
}

typedef struct grid {
    sums at[COARSE];
    int size;
} grid;

typedef struct work {
    const ddn_schema *schema;
    const ddn_treebank *dev;
    ddn_parser parser;
    ddn_forest forest;
    ddn_marginals marginals;
    ddn_result result;
} work;

/* One sentence at all temperatures. */
static int add_sentence(work *w, const ddn_sentence *s, grid *g, dodona_error *err)
{
    const ddn_searching *searching = w->parser.searching[0];
    const ddn_state *state = &searching->state;
    int status = ddn_parser_run(&w->parser, &s, 1, err);
    if (status >= 0)
        status = searching->search->forest(searching, &w->forest, err);
    if (status >= 0)
        status = ddn_result_read(&w->result, w->schema, state, err);
    for (int t = 0; t < g->size && status >= 0; t++) {
        sums *sum = &g->at[t];
        status = ddn_marginals_compute(&w->marginals, &w->forest, sum->temperature, err);
        for (int32_t i = 1; i <= s->n && status >= 0; i++) {
            int32_t head = ddn_system_head(searching->system, state, i);
            const ddn_marginal *arc = ddn_marginals_find(&w->marginals, head, i);
            double q = arc ? arc->p : 0;
            bool right = w->result.head[i] == s->head[i];
            sum->qq += q * q;
            sum->q_right += right ? q : 0;
            sum->right += right;
        }
    }
    return status;
}

/* The place of the best temperature of the grid; of equals the first. */
static int search_grid(work *w, grid *g, int *best, dodona_error *err)
{
    int status = DODONA_OK;
    for (size_t i = 0; i < w->dev->count && status >= 0; i++)
        status = add_sentence(w, &w->dev->sentence[i], g, err);
    *best = 0;
    for (int t = 1; t < g->size; t++)
        if (brier(&g->at[t]) < brier(&g->at[*best]))
            *best = t;
    return status;
}

static int find(work *w, ddn_calibration *out, dodona_error *err)
{
    grid coarse = { .size = COARSE }, fine = { .size = FINE };
    int best;
    for (int t = 0; t < COARSE; t++)
        coarse.at[t].temperature = ldexp(1, t);
    int status = search_grid(w, &coarse, &best, err);
    if (status < 0)
        return status;
    for (int t = 0; t < FINE; t++)
        fine.at[t].temperature = exp2(best + (double)(t - FINE / 2) / STEPS);
    status = search_grid(w, &fine, &best, err);
    *out = (ddn_calibration){ fine.at[best].temperature, coverage(&fine.at[best]) };
    return status;
}

int ddn_calibrate(const ddn_model *model, const char *search, const ddn_search_options *options,
                  const ddn_treebank *dev, ddn_calibration *out, dodona_error *err)
{
    work w = { .schema = model->schema, .dev = dev };
    ddn_search_options with_forest = *options;
    with_forest.forest = true;
    with_forest.root_label = ddn_schema_root_label(model->schema);
    ddn_forest_init(&w.forest);
    ddn_marginals_init(&w.marginals);
    ddn_result_init(&w.result);
    int status = ddn_parser_open(&w.parser, model, search, &with_forest, 1, err);
    if (status >= 0)
        status = find(&w, out, err);
    ddn_parser_close(&w.parser);
    ddn_forest_fini(&w.forest);
    ddn_marginals_fini(&w.marginals);
    ddn_result_fini(&w.result);
    return status;
}

/* ---- Rivals ---- */

static void add_arc(sums *s, double q, bool right)
{
    s->qq += q * q;
    s->q_right += right ? q : 0;
    s->right += right;
}

/* One sentence at all temperatures; odds has room for its words. */
static int add_rivals(work *w, ddn_rivals *rivals, const ddn_sentence *s, double forest,
                      double *odds, grid *g, dodona_error *err)
{
    const ddn_searching *searching = w->parser.searching[0];
    const ddn_state *state = &searching->state;
    int status = ddn_parser_run(&w->parser, &s, 1, err);
    if (status >= 0 && forest > 0)
        status = searching->search->forest(searching, &w->forest, err);
    if (status >= 0 && forest > 0)
        status = ddn_marginals_compute(&w->marginals, &w->forest, forest, err);
    if (status >= 0)
        status = ddn_result_read(&w->result, w->schema, state, err);
    if (status >= 0)
        status = ddn_rivals_find(rivals, searching, err);
    for (int t = 0; t < g->size && status >= 0; t++) {
        ddn_rivals_odds(rivals, s->n, g->at[t].temperature, odds);
        for (int32_t i = 1; i <= s->n; i++) {
            const ddn_marginal *arc = NULL;
            if (forest > 0)
                arc = ddn_marginals_find(&w->marginals,
                                         ddn_system_head(searching->system, state, i), i);
            add_arc(&g->at[t], ddn_confidence(forest > 0, arc ? arc->p : 0, odds[i]),
                    w->result.head[i] == s->head[i]);
        }
    }
    return status;
}

/* The best temperature and its coverage, over sentences at equal distances. */
static int find_rivals(work *w, double usual, double forest, ddn_calibration *out,
                       dodona_error *err)
{
    grid g = { .size = HALVES };
    ddn_rivals rivals;
    ddn_arena arena = { 0 };
    size_t count = w->dev->count, words = 0;
    int status = DODONA_OK, best = 0;
    for (size_t k = 0; k < count; k++)
        words += (size_t)w->dev->sentence[k].n;
    size_t stride = words / WORDS + 1;
    ddn_rivals_init(&rivals, w->parser.pass);
    for (int t = 0; t < HALVES; t++)
        g.at[t].temperature = usual * exp2((double)(t - HALVES / 2) / 2);
    for (size_t k = 0; k < count && status >= 0; k += stride) {
        const ddn_sentence *s = &w->dev->sentence[k];
        ddn_arena_reset(&arena);
        double *odds = ddn_arena_take(&arena, (size_t)s->n + 1, sizeof *odds);
        if (!odds)
            status = ddn_fail_memory(err);
        else if (s->n)
            status = add_rivals(w, &rivals, s, forest, odds, &g, err);
    }
    for (int t = 1; t < HALVES; t++)
        if (brier(&g.at[t]) < brier(&g.at[best]))
            best = t;
    *out = (ddn_calibration){ g.at[best].temperature, coverage(&g.at[best]) };
    ddn_rivals_fini(&rivals);
    ddn_arena_fini(&arena);
    return status;
}

int ddn_calibrate_rivals(const ddn_model *model, const char *search,
                         const ddn_search_options *options, const ddn_treebank *dev,
                         const ddn_calibration *forest, ddn_calibration *out, dodona_error *err)
{
    work w = { .schema = model->schema, .dev = dev };
    ddn_search_options with = *options;
    double usual = model->scorer->temperature > 0 ? model->scorer->temperature : 1;
    with.forest = forest->temperature > 0;
    with.root_label = ddn_schema_root_label(model->schema);
    ddn_forest_init(&w.forest);
    ddn_marginals_init(&w.marginals);
    ddn_result_init(&w.result);
    int status = ddn_parser_open(&w.parser, model, search, &with, 1, err);
    if (status >= 0) {
        w.parser.searching[0]->keeps_moves = true;
        status = find_rivals(&w, usual, forest->temperature, out, err);
    }
    ddn_parser_close(&w.parser);
    ddn_forest_fini(&w.forest);
    ddn_marginals_fini(&w.marginals);
    ddn_result_fini(&w.result);
    return status;
}
