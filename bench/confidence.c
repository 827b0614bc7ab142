/* SPDX-License-Identifier: MIT */
/* confidence.c - are the probabilities that `dodona parse --confidence` gives true?
 *
 *     build/bench/confidence MODEL GOLD.conllu
 *
 * The arcs that the model gives are sorted by their probability into ten bins of equal width.  In
 * each, the mean of the probabilities should be the part of the arcs that is right.  The expected
 * calibration error is the mean over all arcs of the distance between the two (Guo et al. 2017).
 * Once for heads, once for heads with relations, whose probability comes from the same forest. */
#include "lib/bench.h"

#include "dodona_research.h"
#include "train/calibrate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double number_of(const dodona_model *m, const char *key)
{
    size_t size = strlen(key);
    dodona_text meta = dodona_model_metadata(m);
    for (size_t i = 0; i + size < meta.size; i++)
        if (memcmp(meta.data + i, key, size) == 0)
            return strtod(meta.data + i + size, NULL);
    fprintf(stderr, "the metadata has no '%s'; train the model with --search dp and --dev\n", key);
    exit(1);
}

/* The probability of the arc of word i with its relation; 0 where the forest prefers another
 * relation for it.  Where arcs were lifted, the forest has the arc before it was put back, and a
 * mark after the relation; so the arc is known by its probability. */
static double labelled(const dodona_forest_arc *arc, size_t count, int i, double p,
                       dodona_text deprel)
{
    const dodona_forest_arc *found = NULL;
    for (size_t k = 0; k < count; k++)
        if (arc[k].child == i && (!found || fabs(arc[k].p - p) < fabs(found->p - p)))
            found = &arc[k];
    bool same = found && found->deprel.size >= deprel.size &&
                memcmp(found->deprel.data, deprel.data, deprel.size) == 0;
    return same ? found->labelled : 0;
}

typedef struct figures {
    ddn_reliability heads, relations;
    dodona_forest *forest;
    double temperature, coverage;
} figures;

/* s is parsed; gold has the same words. */
static void add(figures *f, const dodona_sentence *s, const dodona_word *gold)
{
    const dodona_forest_arc *arc;
    size_t arcs;
    dodona_error err;
    if (dodona_forest_read(f->forest, dodona_sentence_forest(s), &err) < 0 ||
        dodona_forest_marginals(f->forest, f->temperature, &arc, &arcs, &err) < 0)
        bench_stop(&err);
    for (int i = 1; i <= dodona_sentence_length(s); i++) {
        dodona_word w;
        dodona_sentence_get(s, i, &w);
        bool head = w.head == gold[i].head;
        bool relation = head && w.deprel.size == gold[i].deprel.size &&
                        memcmp(w.deprel.data, gold[i].deprel.data, w.deprel.size) == 0;
        double p = dodona_sentence_confidence(s, i);
        double both = labelled(arc, arcs, i, p / f->coverage, w.deprel) * f->coverage;
        ddn_reliability_add(&f->heads, p, head);
        ddn_reliability_add(&f->relations, both, relation);
    }
}

static void print(const char *what, const ddn_reliability *r)
{
    printf("%s\n%-10s %9s %9s %9s\n", what, "bin", "arcs", "mean p", "right");
    for (int i = 0; i < DDN_BINS; i++) {
        if (r->count[i] == 0)
            continue;
        double count = (double)r->count[i];
        printf("%.1f - %.1f %10lld %9.4f %9.4f\n", i / 10.0, (i + 1) / 10.0, (long long)r->count[i],
               r->p[i] / count, (double)r->right[i] / count);
    }
    printf("expected calibration error %.4f\n\n", ddn_reliability_error(r));
}

/* Reads gold, keeps its tree, parses it. */
static void measure(figures *f, dodona_workspace *ws, dodona_reader *r)
{
    dodona_error err;
    dodona_sentence *s = bench_need(dodona_sentence_new()), *g = bench_need(dodona_sentence_new());
    dodona_word *gold = bench_need(calloc(DODONA_MAX_WORDS + 1, sizeof *gold));
    int status;
    while ((status = dodona_reader_next(r, g, &err)) > 0) {
        dodona_sentence_clear(s);
        for (int i = 1; i <= dodona_sentence_length(g); i++) {
            dodona_sentence_get(g, i, &gold[i]);
            if (dodona_sentence_add(s, &gold[i], &err) < 0)
                bench_stop(&err);
        }
        if (dodona_sentence_length(s) == 0)
            continue;
        if (dodona_parse(ws, s, &err) < 0)
            bench_stop(&err);
        add(f, s, gold);
    }
    if (status < 0)
        bench_stop(&err);
    free(gold);
    dodona_sentence_free(s);
    dodona_sentence_free(g);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s MODEL GOLD.conllu\n", argv[0]);
        return 2;
    }
    dodona_error err;
    dodona_model *model;
    dodona_workspace *ws;
    dodona_reader *reader;
    dodona_parse_options o;
    dodona_parse_options_init(&o);
    o.confidence = o.forest = 1;
    if (dodona_model_open(argv[1], &model, &err) < 0 ||
        dodona_workspace_new(model, &o, &ws, &err) < 0 ||
        dodona_reader_open(argv[2], NULL, &reader, &err) < 0)
        bench_stop(&err);
    figures f = { .forest = bench_need(dodona_forest_new()),
                  .temperature = number_of(model, "temperature: "),
                  .coverage = number_of(model, "coverage: ") };
    measure(&f, ws, reader);
    print("heads", &f.heads);
    print("heads and relations", &f.relations);
    dodona_forest_free(f.forest);
    dodona_reader_close(reader);
    dodona_workspace_free(ws);
    dodona_model_free(model);
    return 0;
}
