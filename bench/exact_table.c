/* SPDX-License-Identifier: MIT */
/* exact_table.c - what does exact search bring where trees cross?
 *
 *     build/bench/exact_table FOLDER [ITERATIONS [TREEBANK...]]
 *
 * FOLDER/TREEBANK/{train,dev,test}.conllu; got_proiel, hu_szeged, af_afribooms and cu_proiel when
 * none is named, and 5 iterations.  The system is alls0s1 and the features are those of the
 * templates `exact` throughout: greedy with exploration, a beam of 8 with max-violation updates,
 * exact search; and exact search with scores of arcs alone (`arcs`).  Seed 1, gold tokens and tags,
 * the iteration is chosen on dev, all words of test count.  Non-projective arcs are those of the
 * gold trees that span a word that is not below their head; such an arc is right when its head is
 * found.
 *
 * A cell is a line of exact_table.cells in the working directory, and cells that are there are not
 * run again.  Out comes a Markdown table. */
#include "api/api.h"
#include "lib/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char store[] = "exact_table.cells";
static const char model_path[] = "exact_table.%s.%s.model";

typedef struct row {
    const char *name, *label, *search, *templates;
} row;

static const row rows[] = {
    { "greedy", "greedy", "greedy", "exact" },
    { "beam", "beam", "beam", "exact" },
    { "exact", "exact", "exact", "exact" },
    { "arcs", "exact, arcs alone", "exact", "arcs" },
};

enum { ROWS = sizeof rows / sizeof *rows, MAX_TREEBANKS = 16 };

typedef struct cell {
    int iterations;
    long words, heads, labels, crossing, found; /* of test; crossing: non-projective arcs */
    double seconds;                             /* of training */
} cell;

static bool find_cell(const char *treebank, const row *r, int iterations, cell *out)
{
    char line[512], bank[64], name[16];
    FILE *f = fopen(store, "r");
    bool found = false;
    while (f && !found && fgets(line, sizeof line, f))
        found = sscanf(line, "%63s %15s %d %ld %ld %ld %ld %ld %lf", bank, name, &out->iterations,
                       &out->words, &out->heads, &out->labels, &out->crossing, &out->found,
                       &out->seconds) == 9 &&
                strcmp(bank, treebank) == 0 && strcmp(name, r->name) == 0 &&
                out->iterations == iterations;
    if (f)
        fclose(f);
    return found;
}

static void keep_cell(const char *treebank, const row *r, const cell *c)
{
    FILE *f = fopen(store, "a");
    if (!f ||
        fprintf(f, "%s %s %d %ld %ld %ld %ld %ld %.1f\n", treebank, r->name, c->iterations,
                c->words, c->heads, c->labels, c->crossing, c->found, c->seconds) < 0 ||
        fclose(f) != 0) {
        perror(store);
        exit(1);
    }
}

static dodona_reader *open_part(const char *folder, const char *treebank, const char *part)
{
    char path[4096];
    dodona_error err;
    dodona_reader *r;
    snprintf(path, sizeof path, "%s/%s/%s.conllu", folder, treebank, part);
    if (dodona_reader_open(path, NULL, &r, &err) < 0)
        bench_stop(&err);
    return r;
}

static void train(const char *folder, const char *treebank, const row *r, const char *model,
                  cell *c)
{
    dodona_error err;
    dodona_train_options o;
    dodona_reader *t = open_part(folder, treebank, "train");
    dodona_reader *d = open_part(folder, treebank, "dev");
    dodona_source from = { dodona_reader_pull, t, treebank },
                  dev = { dodona_reader_pull, d, treebank };
    double start = bench_seconds();
    dodona_train_options_init(&o);
    o.system = "alls0s1";
    o.search = r->search;
    o.templates = r->templates;
    o.iterations = c->iterations;
    if (dodona_train(&o, &from, &dev, model, NULL, &err) < 0)
        bench_stop(&err);
    c->seconds = bench_seconds() - start;
    dodona_reader_close(t);
    dodona_reader_close(d);
}

static bool is_below(const int32_t *head, int32_t word, int32_t top)
{
    while (word > 0 && word != top)
        word = head[word];
    return word == top;
}

static bool is_nonprojective(const int32_t *head, int32_t d)
{
    int32_t from = head[d] < d ? head[d] : d, to = head[d] < d ? d : head[d];
    for (int32_t w = from + 1; w < to; w++)
        if (!is_below(head, w, head[d]))
            return true;
    return false;
}

/* Up to the first colon, as the official scorer compares relations. */
static size_t universal(dodona_text t)
{
    const char *colon = memchr(t.data, ':', t.size);
    return colon ? (size_t)(colon - t.data) : t.size;
}

static void count(const ddn_sentence *gold, const ddn_sentence *s, cell *c)
{
    for (int32_t i = 1; i <= gold->n; i++) {
        dodona_text a = ddn_sentence_column(gold, i, DDN_DEPREL);
        dodona_text b = ddn_sentence_column(s, i, DDN_DEPREL);
        bool right = gold->head[i] == s->head[i], crossing = is_nonprojective(gold->head, i);
        c->words++;
        c->heads += right;
        c->labels +=
            right && universal(a) == universal(b) && memcmp(a.data, b.data, universal(a)) == 0;
        c->crossing += crossing;
        c->found += crossing && right;
    }
}

static void test(const char *folder, const char *treebank, const char *path, cell *c)
{
    dodona_error err;
    dodona_model *m;
    dodona_workspace *ws;
    dodona_reader *a = open_part(folder, treebank, "test"),
                  *b = open_part(folder, treebank, "test");
    dodona_sentence *gold = bench_need(dodona_sentence_new()),
                    *s = bench_need(dodona_sentence_new());
    if (dodona_model_open(path, &m, &err) < 0 || dodona_workspace_new(m, NULL, &ws, &err) < 0)
        bench_stop(&err);
    while (dodona_reader_next(a, gold, &err) > 0 && dodona_reader_next(b, s, &err) > 0) {
        if (dodona_parse(ws, s, &err) < 0)
            bench_stop(&err);
        count(&gold->s, &s->s, c);
    }
    dodona_sentence_free(gold);
    dodona_sentence_free(s);
    dodona_workspace_free(ws);
    dodona_model_free(m);
    dodona_reader_close(a);
    dodona_reader_close(b);
}

static void run(const char *folder, const char *treebank, const row *r, int iterations)
{
    char path[256];
    cell c;
    if (find_cell(treebank, r, iterations, &c))
        return;
    c = (cell){ .iterations = iterations };
    snprintf(path, sizeof path, model_path, treebank, r->name);
    train(folder, treebank, r, path, &c);
    test(folder, treebank, path, &c);
    unlink(path);
    keep_cell(treebank, r, &c);
}

static void print(const char *const *treebank, int treebanks, int iterations)
{
    printf("| |");
    for (int t = 0; t < treebanks; t++)
        printf(" %s |", treebank[t]);
    printf("\n|---|");
    for (int t = 0; t < treebanks; t++)
        printf("---|");
    for (int r = 0; r < ROWS; r++) {
        printf("\n| %s |", rows[r].label);
        for (int t = 0; t < treebanks; t++) {
            cell c;
            if (find_cell(treebank[t], &rows[r], iterations, &c))
                printf(" %.2f / %.2f, %.1f, %.0f s |", 100.0 * (double)c.heads / (double)c.words,
                       100.0 * (double)c.labels / (double)c.words,
                       100.0 * (double)c.found / (double)c.crossing, c.seconds);
            else
                printf(" |");
        }
    }
    printf("\n\nUAS / LAS on test, percent of non-projective arcs found, processor seconds of "
           "training; "
           "%d iterations.\n",
           iterations);
}

int main(int argc, char **argv)
{
    const char *treebank[MAX_TREEBANKS] = { "got_proiel", "hu_szeged", "af_afribooms",
                                            "cu_proiel" };
    int treebanks = 4, iterations = argc > 2 ? atoi(argv[2]) : 5;
    if (argc < 2 || iterations < 1 || argc > 3 + MAX_TREEBANKS) {
        fprintf(stderr, "usage: exact_table FOLDER [ITERATIONS [TREEBANK...]]\n");
        return 2;
    }
    if (argc > 3)
        for (treebanks = 0; treebanks < argc - 3; treebanks++)
            treebank[treebanks] = argv[3 + treebanks];
    for (int r = 0; r < ROWS; r++)
        for (int t = 0; t < treebanks; t++)
            run(argv[1], treebank[t], &rows[r], iterations);
    print(treebank, treebanks, iterations);
    return 0;
}
