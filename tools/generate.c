/* SPDX-License-Identifier: MIT */
/* generate.c - writes sentences of the test grammar as CoNLL-U to standard output. */
#include "lib/grammar.h"
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

static const char usage[] = "usage: generate [--seed N] [--sentences N] [--nonprojective PERCENT]\n"
                            "Writes generated sentences as CoNLL-U, by default 100 from seed 1, 10 "
                            "% of them non-projective.\n";

/* A whole number in 0..most, or -1. */
static long long number(const char *text, long long most)
{
    char *end;
    long long value = strtoll(text, &end, 10);
    return *text && !*end && value >= 0 && value <= most ? value : -1;
}

int main(int argc, char **argv)
{
    static const struct option options[] = { { "seed", required_argument, NULL, 's' },
                                             { "sentences", required_argument, NULL, 'n' },
                                             { "nonprojective", required_argument, NULL, 'p' },
                                             { NULL, 0, NULL, 0 } };
    long long seed = 1, sentences = 100, nonprojective = DDN_GRAMMAR_NONPROJECTIVE;
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (c == 's')
            seed = number(optarg, INT64_MAX);
        else if (c == 'n')
            sentences = number(optarg, INT64_MAX);
        else
            nonprojective = c == 'p' ? number(optarg, 100) : -1;
    }
    if (optind < argc || seed < 0 || sentences < 0 || nonprojective < 0) {
        fputs(usage, stderr);
        return 2;
    }

    static ddn_grammar g;
    ddn_grammar_init(&g, (uint64_t)seed, (int)nonprojective, sentences);
    while (ddn_grammar_next(&g))
        fwrite(g.text, 1, g.size, stdout);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("generate: can't write");
        return 1;
    }
    return 0;
}
