/* SPDX-License-Identifier: MIT */
/* dp_training.c - is training with dynamic programming faster and better?  Table 2 and Figure 7 of
 * Huang and Sagae 2010.
 *
 *     build/bench/dp_training TRAIN DEV [ITERATIONS [BEAM [UPDATE]]]
 *
 * Arc-standard with the templates of the paper (huang), a beam of 8 and early updates unless told
 * otherwise, 5 iterations.  For dp and for the plain beam and each iteration: sentences that taught
 * something, the share of these that did so before the end of the sentence, processor time of
 * learning, and accuracy of the averaged weights on dev, parsed by the same search. */
#include "api/api.h"
#include "core/rng.h"
#include "lib/bench.h"
#include "model/builtin.h"
#include "train/global.h"
#include "train/measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int next(void *ctx, ddn_sentence *s, dodona_error *err)
{
    dodona_sentence *read = bench_need(dodona_sentence_new());
    int status = dodona_reader_next(ctx, read, err);
    if (status > 0) {
        ddn_sentence old = *s;
        *s = read->s;
        read->s = old;
    }
    dodona_sentence_free(read);
    return status;
}

static void load(const char *path, ddn_treebank *t)
{
    dodona_error err;
    dodona_reader *r;
    ddn_treebank_init(t);
    if (dodona_reader_open(path, NULL, &r, &err) < 0 || ddn_treebank_read(t, next, r, &err) < 0)
        bench_stop(&err);
    dodona_reader_close(r);
}

/* UAS and LAS of the averages of the weights. */
static void judge(ddn_model *learning, const ddn_train_options *o, const ddn_treebank *dev,
                  double *uas, double *las)
{
    static ddn_sections sections;
    dodona_error err;
    ddn_model_file file;
    ddn_model *model;
    ddn_measured m;
    ddn_spec spec = { .part = "parser", .schema = learning->schema };
    ddn_search_options options = { .roots = o->roots, .beam = o->beam };
    ddn_sections_init(&sections);
    if (o->learner->save(learning, o->model_bytes, &sections, &err) < 0)
        bench_stop(&err);
    ddn_sections_view(&sections, "the model", &file);
    if (o->learner->open(&file, &spec, &model, &err) < 0 ||
        ddn_measure(model, o->search, &options, dev, NULL, NULL, &m, &err) < 0)
        bench_stop(&err);
    *uas = 100 * (double)m.heads / (double)dev->words;
    *las = 100 * (double)m.labels / (double)dev->words;
    ddn_model_close(model);
    ddn_sections_fini(&sections);
}

static void train(const ddn_train_options *o, const ddn_treebank *t, const ddn_treebank *dev)
{
    static ddn_schema schema;
    ddn_examples examples = { 0 };
    ddn_model *model;
    ddn_global g;
    ddn_rng rng;
    dodona_error err;
    ddn_schema_init(&schema);
    schema.system = o->system;
    ddn_spec spec = { .part = "parser",
                      .schema = &schema,
                      .templates = o->templates,
                      .templates_size = o->templates_size,
                      .templates_name = o->templates_name };
    if (ddn_examples_make(&examples, o, t, &schema, &err) < 0 ||
        o->learner->create(&spec, &model, &err) < 0 || ddn_global_open(&g, o, model, &err) < 0)
        bench_stop(&err);
    schema.pseudo = o->nonprojective == DDN_NONPROJECTIVE_PSEUDO;
    uint32_t *order = bench_need(malloc(examples.count * sizeof *order));
    for (size_t i = 0; i < examples.count; i++)
        order[i] = (uint32_t)i;
    ddn_rng_init(&rng, o->seed);
    for (int i = 1; i <= o->iterations; i++) {
        double start = bench_seconds(), uas, las;
        g.updates = g.before_end = 0;
        ddn_rng_shuffle(&rng, order, examples.count);
        for (size_t k = 0; k < examples.count; k++) {
            const ddn_example *x = &examples.example[order[k]];
            if (ddn_global_learn(&g, &x, 1, &err) < 0)
                bench_stop(&err);
        }
        double seconds = bench_seconds() - start;
        judge(model, o, dev, &uas, &las);
        printf("%-5s %9d %8lld %7.1f %8.2f %7.2f %7.2f\n", o->search, i, (long long)g.updates,
               g.updates ? 100 * (double)g.before_end / (double)g.updates : 0, seconds, uas, las);
        fflush(stdout);
    }
    ddn_global_close(&g);
    ddn_model_close(model);
    ddn_examples_fini(&examples);
    ddn_schema_fini(&schema);
    free(order);
}

int main(int argc, char **argv)
{
    static const char *const searches[] = { "dp", "beam" };
    ddn_treebank t, dev;
    if (argc < 3 || argc > 6) {
        fprintf(stderr, "usage: %s TRAIN DEV [ITERATIONS [BEAM [early|max-violation]]]\n", argv[0]);
        return 2;
    }
    load(argv[1], &t);
    load(argv[2], &dev);
    const char *text = ddn_builtin_find("huang");
    ddn_train_options o = { .learner = ddn_scorers[0],
                            .system = ddn_system_find("arc-standard"),
                            .reach = { .projective = true },
                            .regime = DDN_TRAIN_STATIC,
                            .roots = DDN_ROOTS_ONE,
                            .nonprojective = DDN_NONPROJECTIVE_PSEUDO,
                            .pseudo = DDN_PSEUDO_HEAD_PATH,
                            .templates = text,
                            .templates_size = strlen(text),
                            .templates_name = "huang",
                            .iterations = argc > 3 ? atoi(argv[3]) : 5,
                            .beam = argc > 4 ? atoi(argv[4]) : 8,
                            .update = argc > 5 && strcmp(argv[5], "max-violation") == 0
                                          ? DDN_UPDATE_MAX_VIOLATION
                                          : DDN_UPDATE_EARLY,
                            .seed = 1,
                            .model_bytes = 24 << 20 };
    dodona_error err;
    if (ddn_oracle_find(o.system, "path", false, &o.oracle, &err) < 0)
        bench_stop(&err);
    printf("%-5s %9s %8s %7s %8s %7s %7s\n", "", "iteration", "updates", "early%", "seconds", "UAS",
           "LAS");
    for (int s = 0; s < 2; s++) {
        o.search = searches[s];
        train(&o, &t, &dev);
    }
    ddn_treebank_fini(&t);
    ddn_treebank_fini(&dev);
    return 0;
}
