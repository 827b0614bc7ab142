/* SPDX-License-Identifier: MIT */
/* fuzz_forest.c - any bytes as a line with a forest.
 *
 * What is read must bear all questions, and come back the same after it was written; what is not
 * must be refused with a reason. */
#include "dodona_research.h"
#include "lib.h"

/* Sorted, and every head in range. */
static void ask_trees(dodona_forest *f, int words)
{
    dodona_forest_tree tree;
    dodona_error err = { 0 };
    double last = 0;
    int status = 1;
    for (int k = 0; k < 20 && status > 0; k++) {
        status = dodona_forest_next(f, k == 0, &tree, &err);
        must(status >= 0 || (status == DODONA_E_INPUT && err.message[0]));
        if (status <= 0)
            break;
        must(k == 0 || tree.score <= last);
        last = tree.score;
        for (int i = 1; i <= words; i++)
            must(tree.head[i] >= 0 && tree.head[i] <= words && tree.deprel[i].size > 0);
    }
}

static void ask(dodona_forest *f)
{
    dodona_forest_size size;
    const dodona_forest_arc *arc;
    const char *count;
    size_t arcs;
    dodona_error err = { 0 };
    dodona_forest_measure(f, &size);
    must(size.words <= DODONA_MAX_WORDS && size.nodes >= 1);
    int status = dodona_forest_count(f, &count, &err);
    must(status == DODONA_E_LIMIT || (status >= 0 && strcmp(count, "0") != 0));
    ask_trees(f, size.words);
    must(dodona_forest_marginals(f, 1, &arc, &arcs, &err) >= 0);
    for (size_t i = 0; i < arcs; i++)
        must(arc[i].p >= 0 && arc[i].p <= 1 && arc[i].labelled <= arc[i].p + 1e-9);
}

static void write_and_read(dodona_forest *f)
{
    dodona_text line, again;
    dodona_error err = { 0 };
    dodona_forest *other = dodona_forest_new();
    must(other != NULL);
    int status = dodona_forest_write(f, &line, &err);
    must(status >= 0 || status == DODONA_E_LIMIT);
    if (status >= 0) {
        must(dodona_forest_read(other, line, &err) >= 0);
        must(dodona_forest_write(other, &again, &err) >= 0);
        must(line.size == again.size && memcmp(line.data, again.data, line.size) == 0);
    }
    dodona_forest_free(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dodona_error err = { 0 };
    dodona_forest *f = dodona_forest_new();
    must(f != NULL);
    int status = dodona_forest_read(f, (dodona_text){ (const char *)data, size }, &err);
    if (status < 0) {
        must((status == DODONA_E_INPUT || status == DODONA_E_LIMIT) && err.message[0]);
    } else {
        ask(f);
        write_and_read(f);
    }
    dodona_forest_free(f);
    return 0;
}
