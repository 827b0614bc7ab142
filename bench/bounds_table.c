/* SPDX-License-Identifier: MIT */
/* bounds_table.c - how close are the bounds to the loss of non-monotonic Covington? (Table 1 of
 * Fernandez-Gonzalez and Gomez-Rodriguez 2017)
 *
 *     build/bench/bounds_table FOLDER [--transitions N] [--limit N] TREEBANK...
 *
 * FOLDER/TREEBANK/train.conllu.  A parser is trained, one iteration along the gold moves and then
 * exploring, moves being ranked by pc.  In each of the first N (100,000) configurations of the
 * exploring that have a choice of moves the loss is searched for, up to a limit of configurations
 * (20,000).  Losses and bounds count the words whose
 * gold head is not 0, for which lower <= loss <= pc <= upper.
 *
 * Out comes a line of Markdown a treebank: mean values; mean relative differences to the loss,
 * which are 0 where both are 0; configurations whose loss was not found, which are left out, and
 * how many had to be searched at all. */
#include "api/api.h"
#include "lib/bench.h"
#include "model/builtin.h"
#include "oracle/covington.h"
#include "train/train.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOWER, LOSS, PC, UPPER, VALUES };

typedef struct figures {
    int64_t transitions, limit;
    bool exploring;
    int64_t seen, unknown, searched;
    double sum[VALUES], difference[VALUES]; /* to the loss, relative */
} figures;

/* ---- An oracle that looks at what it is asked ---- */

typedef struct space {
    ddn_oracle_space base;
    ddn_oracle_space *inner;
    ddn_covington_search *search;
    ddn_cycles cycles;
} space;

static figures now; /* the oracle's table has no place for it */

static bool serves(const ddn_system *system)
{
    return strcmp(system->name, "covington-nm") == 0;
}

static void fini(void *sp)
{
    space *w = sp;
    ddn_oracle_close(w->inner);
    ddn_covington_search_free(w->search);
    ddn_cycles_fini(&w->cycles);
}

static int begin(void *sp, dodona_error *err)
{
    space *w = sp;
    if (!w->inner) {
        const ddn_oracle *pc;
        w->search = bench_need(ddn_covington_search_new(now.limit));
        if (ddn_oracle_find(w->base.system, "pc", true, &pc, err) < 0 ||
            ddn_oracle_open(pc, w->base.system, w->base.options, &w->inner, err) < 0)
            bench_stop(err);
    }
    bench_need(ddn_cycles_reserve(&w->cycles, w->base.gold->n) ? w : NULL);
    return ddn_oracle_begin(w->inner, w->base.gold, err);
}

static void look(space *w, const ddn_state *s)
{
    ddn_bounds b;
    int32_t loss;
    dodona_error err;
    ddn_covington_bounds(&w->cycles, s, w->base.gold, &b);
    if (ddn_covington_search_loss(w->search, s, w->base.gold, false, &loss, &err) < 0)
        bench_stop(&err);
    now.seen++;
    now.searched += b.problematic != 0;
    if (loss < 0 || b.problematic < 0) {
        now.unknown++;
        return;
    }
    const int32_t value[VALUES] = { [LOWER] = b.lower,
                                    [LOSS] = loss,
                                    [PC] = b.lower + b.problematic,
                                    [UPPER] = b.lower + b.cycles };
    for (int k = 0; k < VALUES; k++) {
        now.sum[k] += value[k];
        if (value[k] != loss) /* a bound above a loss of 0 counts as if the loss were 1 */
            now.difference[k] += (double)abs(value[k] - loss) / (loss ? loss : 1);
    }
}

static void costs(void *sp, const ddn_state *s, const ddn_move *moves, int32_t m, int32_t *cost)
{
    space *w = sp;
    if (now.exploring && now.seen < now.transitions)
        look(w, s);
    w->inner->oracle->costs(w->inner, s, moves, m, cost);
}

static const ddn_oracle looking = {
    .name = "looking",
    .summary = "pc, and measures",
    .everywhere = true,
    .any_tree = true,
    .size = sizeof(space),
    .serves = serves,
    .begin = begin,
    .fini = fini,
    .costs = costs,
};

/* ---- Training ---- */

static int next(void *ctx, ddn_sentence *s, dodona_error *err)
{
    static dodona_sentence *held;
    held = held ? held : bench_need(dodona_sentence_new());
    int status = dodona_reader_next(ctx, held, err);
    ddn_sentence emptied = *s;
    if (status > 0) {
        *s = held->s;
        held->s = emptied;
    }
    return status;
}

static int enough(void *ctx, const dodona_progress *progress)
{
    (void)ctx;
    now.exploring = progress->iteration > 1;
    return now.seen >= now.transitions;
}

static void train(const char *path)
{
    dodona_error err;
    dodona_reader *r;
    ddn_treebank bank, none;
    ddn_train_result result;
    const char *text = ddn_builtin_find("covington");
    char model[] = "/tmp/dodona-bounds-XXXXXX";
    int fd = mkstemp(model);
    if (fd < 0) {
        perror("mkstemp");
        exit(1);
    }
    close(fd);
    ddn_train_options o = { .system = ddn_system_find("covington-nm"),
                            .oracle = &looking,
                            .regime = DDN_TRAIN_EXPLORE,
                            .search = "greedy",
                            .roots = DDN_ROOTS_ONE,
                            .templates = text,
                            .templates_size = strlen(text),
                            .templates_name = "covington",
                            .iterations = 100,
                            .explore_after = 1,
                            .explore_rate = 0.9,
                            .seed = 1,
                            .model_bytes = 24000000,
                            .report = enough };
    ddn_treebank_init(&bank);
    ddn_treebank_init(&none);
    if (dodona_reader_open(path, NULL, &r, &err) < 0 || ddn_treebank_read(&bank, next, r, &err) < 0)
        bench_stop(&err);
    dodona_reader_close(r);
    if (ddn_train(&o, &bank, &none, model, &result, &err) < 0 && err.code != DODONA_E_CANCELLED)
        bench_stop(&err);
    ddn_treebank_fini(&bank);
    unlink(model);
}

static void print(const char *name)
{
    double count = (double)(now.seen - now.unknown);
    printf("| %s |", name);
    for (int k = 0; k < VALUES; k++)
        printf(" %.5f |", now.sum[k] / count);
    for (int k = 0; k < VALUES; k++)
        if (k != LOSS)
            printf(" %.5f |", now.difference[k] / count);
    printf(" %lld | %lld |\n", (long long)now.searched, (long long)now.unknown);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    figures options = { .transitions = 100000, .limit = 20000 };
    int at = 2;
    for (; at + 1 < argc && strncmp(argv[at], "--", 2) == 0; at += 2)
        *(strcmp(argv[at], "--limit") == 0 ? &options.limit : &options.transitions) =
            atoll(argv[at + 1]);
    if (at >= argc || options.limit < 1 || options.transitions < 1) {
        fprintf(stderr, "usage: %s FOLDER [--transitions N] [--limit N] TREEBANK...\n", argv[0]);
        return 2;
    }
    printf(
        "| treebank | lower | loss | pc | upper | lower, rel. | pc, rel. | upper, rel. | searched "
        "| unknown |\n|---|---|---|---|---|---|---|---|---|---|\n");
    for (; at < argc; at++) {
        char path[4096];
        now = options;
        snprintf(path, sizeof path, "%s/%s/train.conllu", argv[1], argv[at]);
        train(path);
        print(argv[at]);
    }
    return 0;
}
