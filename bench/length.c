/* SPDX-License-Identifier: MIT */
/* length.c - does the time a word takes depend on the length of the sentence?
 *
 *     build/bench/length MODEL FILE [SEARCH [BEAM]]
 *
 * The words of FILE, from its beginning and again when it ends, are put into one sentence of 100 to
 * 100,000 words, which is parsed; the best of three runs is shown, in processor time. */
#include "lib/bench.h"

#include <stdio.h>
#include <stdlib.h>

/* All words of a file in one sentence of n words. */
static dodona_sentence *one_sentence(const char *path, int n)
{
    dodona_error err;
    dodona_sentence *s = bench_need(dodona_sentence_new()),
                    *all = bench_need(dodona_sentence_new());
    while (dodona_sentence_length(all) < n) {
        dodona_reader *r;
        int status;
        if (dodona_reader_open(path, NULL, &r, &err) < 0)
            bench_stop(&err);
        while ((status = dodona_reader_next(r, s, &err)) > 0)
            for (int i = 1; i <= dodona_sentence_length(s) && dodona_sentence_length(all) < n;
                 i++) {
                dodona_word word;
                dodona_sentence_get(s, i, &word);
                word.head = -1;
                if (dodona_sentence_add(all, &word, &err) < 0)
                    bench_stop(&err);
            }
        if (status < 0 || dodona_sentence_length(all) == 0)
            bench_stop(&err);
        dodona_reader_close(r);
    }
    dodona_sentence_free(s);
    return all;
}

int main(int argc, char **argv)
{
    static const int lengths[] = { 100, 1000, 5000, 20000, 50000, DODONA_MAX_WORDS };
    if (argc < 3) {
        fprintf(stderr, "usage: %s MODEL FILE.conllu [SEARCH [BEAM]]\n", argv[0]);
        return 2;
    }
    dodona_error err;
    dodona_model *model;
    dodona_workspace *ws;
    dodona_parse_options o;
    dodona_parse_options_init(&o);
    o.search = argc > 3 ? argv[3] : NULL;
    o.beam = argc > 4 ? atoi(argv[4]) : 0;
    if (dodona_model_open(argv[1], &model, &err) < 0 ||
        dodona_workspace_new(model, &o, &ws, &err) < 0)
        bench_stop(&err);
    printf("%8s %10s\n", "words", "ns/word");
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        dodona_sentence *s = one_sentence(argv[2], lengths[i]);
        double best = 1e9;
        for (int k = 0; k < 3; k++) {
            double start = bench_seconds();
            if (dodona_parse(ws, s, &err) < 0)
                bench_stop(&err);
            double seconds = bench_seconds() - start;
            best = seconds < best ? seconds : best;
        }
        printf("%8d %10.0f\n", lengths[i], 1e9 * best / lengths[i]);
        dodona_sentence_free(s);
    }
    dodona_workspace_free(ws);
    dodona_model_free(model);
    return 0;
}
