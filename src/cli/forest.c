/* SPDX-License-Identifier: MIT */
/* forest.c - dodona forest: what is in the forests that dodona parse --forest wrote. */
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/lines.h"
#include "cli/options.h"
#include "core/json.h"
#include "dodona_research.h"

#include <stdio.h>

static const ddn_page page = {
    .command = "forest",
    .operands = "[FILE...]",
    .about = "Reads packed forests, a JSON object a line, as dodona parse --forest writes them,\n"
             "and prints how large they are and what is asked for: how many trees they hold, the\n"
             "tree nearest to a gold one, the best trees, or how probable each arc is.",
    .example = "  dodona parse --model my.model --search dp --forest test.forest test.conllu\n"
               "  dodona forest --count --oracle gold.conllu test.forest\n"
               "  dodona forest --kbest 10 --json test.forest\n",
    .most = -1,
};

enum { MAX_KBEST = 1000000 };

typedef struct task {
    int count, marginals, json;
    int64_t kbest;         /* 0: none */
    double temperature;    /* of the marginals */
    const char *gold_path; /* NULL: no oracle */
    dodona_reader *gold;
    dodona_sentence *sentence; /* of gold */
    dodona_forest *forest;
    ddn_output out;
    ddn_json object;              /* with json: that of the forest */
    int64_t words, heads, labels; /* of all forests: words, and those that oracles have right */
} task;

/* ---- What is printed of one forest ---- */

/* The members of a tree's object, without its braces. */
static void put_tree_json(ddn_json *j, const dodona_forest_tree *tree, int words)
{
    ddn_json_double(ddn_json_key(j, "score"), tree->score);
    ddn_json_begin(ddn_json_key(j, "heads"), '[');
    for (int i = 1; i <= words; i++)
        ddn_json_int(j, tree->head[i]);
    ddn_json_end(j, ']');
    ddn_json_begin(ddn_json_key(j, "deprels"), '[');
    for (int i = 1; i <= words; i++)
        ddn_json_text(j, tree->deprel[i]);
    ddn_json_end(j, ']');
}

/* Its score, heads and relations. */
static void put_tree(ddn_output *o, const dodona_forest_tree *tree, int words)
{
    ddn_json_double(&(ddn_json){ .out = o }, tree->score);
    ddn_puts(o, " ");
    for (int i = 1; i <= words; i++) {
        ddn_puts(o, i == 1 ? "" : ",");
        ddn_put_int(o, tree->head[i]);
    }
    ddn_puts(o, " ");
    for (int i = 1; i <= words; i++) {
        ddn_puts(o, i == 1 ? "" : ",");
        ddn_put(o, tree->deprel[i].data, tree->deprel[i].size);
    }
    ddn_puts(o, "\n");
}

static int print_count(task *t, dodona_error *err)
{
    const char *number;
    int status = dodona_forest_count(t->forest, &number, err);
    if (status >= 0 && t->json)
        ddn_json_raw(ddn_json_key(&t->object, "count"), number);
    else if (status >= 0)
        ddn_putf(&t->out, "trees %s\n", number);
    return status;
}

/* The next gold sentence that has words. */
static int next_gold(task *t, dodona_error *err)
{
    int status;
    do
        status = dodona_reader_next(t->gold, t->sentence, err);
    while (status > 0 && dodona_sentence_length(t->sentence) == 0);
    if (status != 0)
        return status;
    return ddn_fail(err, DODONA_E_INPUT, "'%s' has no gold sentence for this forest; it has ended",
                    ddn_path_name(t->gold_path));
}

static int print_oracle(task *t, int words, dodona_error *err)
{
    dodona_forest_tree tree;
    int heads, labels;
    int status = next_gold(t, err);
    if (status >= 0)
        status = dodona_forest_oracle(t->forest, t->sentence, 1, &labels, &tree, err);
    if (status >= 0)
        status = dodona_forest_oracle(t->forest, t->sentence, 0, &heads, &tree, err);
    if (status < 0)
        return status;
    t->words += words;
    t->heads += heads;
    t->labels += labels;
    if (t->json) {
        ddn_json_begin(ddn_json_key(&t->object, "oracle"), '{');
        ddn_json_int(ddn_json_key(&t->object, "correct"), heads);
        ddn_json_int(ddn_json_key(&t->object, "labelled"), labels);
        put_tree_json(&t->object, &tree, words);
        ddn_json_end(&t->object, '}');
    } else {
        ddn_putf(&t->out, "oracle %d heads, %d with relations: ", heads, labels);
        put_tree(&t->out, &tree, words);
    }
    return status;
}

static int print_kbest(task *t, int words, dodona_error *err)
{
    dodona_forest_tree tree;
    int status = DODONA_OK;
    if (t->json)
        ddn_json_begin(ddn_json_key(&t->object, "kbest"), '[');
    for (int64_t k = 0; k < t->kbest; k++) {
        status = dodona_forest_next(t->forest, k == 0, &tree, err);
        if (status <= 0)
            break;
        if (t->json) {
            ddn_json_begin(&t->object, '{');
            put_tree_json(&t->object, &tree, words);
            ddn_json_end(&t->object, '}');
        } else {
            ddn_putf(&t->out, "tree %lld: ", (long long)k + 1);
            put_tree(&t->out, &tree, words);
        }
    }
    if (t->json)
        ddn_json_end(&t->object, ']');
    return status;
}

static void put_arc_json(ddn_json *j, const dodona_forest_arc *arc)
{
    ddn_json_begin(j, '{');
    ddn_json_int(ddn_json_key(j, "child"), arc->child);
    ddn_json_int(ddn_json_key(j, "head"), arc->head);
    ddn_json_printf(ddn_json_key(j, "p"), "%.6g", arc->p);
    ddn_json_text(ddn_json_key(j, "deprel"), arc->deprel);
    ddn_json_printf(ddn_json_key(j, "labelled"), "%.6g", arc->labelled);
    ddn_json_end(j, '}');
}

static int print_marginals(task *t, dodona_error *err)
{
    const dodona_forest_arc *arc;
    size_t count;
    int status = dodona_forest_marginals(t->forest, t->temperature, &arc, &count, err);
    if (status < 0)
        return status;
    if (t->json)
        ddn_json_begin(ddn_json_key(&t->object, "marginals"), '[');
    for (size_t i = 0; i < count; i++)
        if (t->json)
            put_arc_json(&t->object, &arc[i]);
        else
            ddn_putf(&t->out, "arc %d %d %.6f %.*s %.6f\n", arc[i].child, arc[i].head, arc[i].p,
                     (int)arc[i].deprel.size, arc[i].deprel.data, arc[i].labelled);
    if (t->json)
        ddn_json_end(&t->object, ']');
    return status;
}

static void print_size(task *t, const dodona_forest_size *size)
{
    if (t->json) {
        t->object = (ddn_json){ .out = &t->out };
        ddn_json_begin(&t->object, '{');
        ddn_json_int(ddn_json_key(&t->object, "words"), size->words);
        ddn_json_int(ddn_json_key(&t->object, "nodes"), size->nodes);
        ddn_json_int(ddn_json_key(&t->object, "edges"), size->edges);
    } else {
        ddn_putf(&t->out, "forest of %d words, %d nodes, %lld edges\n", size->words, size->nodes,
                 (long long)size->edges);
    }
}

static int print_forest(void *ctx, dodona_text line, dodona_error *err)
{
    task *t = ctx;
    dodona_forest_size size;
    int status = dodona_forest_read(t->forest, line, err);
    if (status < 0)
        return status;
    dodona_forest_measure(t->forest, &size);
    print_size(t, &size);
    if (t->count)
        status = print_count(t, err);
    if (status >= 0 && t->gold)
        status = print_oracle(t, size.words, err);
    if (status >= 0 && t->kbest)
        status = print_kbest(t, size.words, err);
    if (status >= 0 && t->marginals)
        status = print_marginals(t, err);
    if (t->json) {
        ddn_json_end(&t->object, '}');
        ddn_puts(&t->out, "\n");
    }
    return status < 0 ? status : ddn_output_check(&t->out, err);
}

/* The sums over all forests, against gold. */
static void print_totals(task *t)
{
    if (!t->gold || t->json || t->words == 0)
        return;
    ddn_putf(&t->out, "oracle of all: %.2f%% of %lld heads, %.2f%% with relations\n",
             100.0 * (double)t->heads / (double)t->words, (long long)t->words,
             100.0 * (double)t->labels / (double)t->words);
}

static int run(task *t, const ddn_operands *files, dodona_error *err)
{
    dodona_reader_options reading;
    int status = DODONA_OK;
    dodona_reader_options_init(&reading);
    reading.check = DODONA_CHECK_TREE;
    t->forest = dodona_forest_new();
    t->sentence = dodona_sentence_new();
    if (!t->forest || !t->sentence)
        status = ddn_fail_memory(err);
    if (status >= 0 && t->gold_path)
        status = dodona_reader_open(t->gold_path, &reading, &t->gold, err);
    if (status >= 0 && (status = ddn_output_open(&t->out, "-", err)) >= 0) {
        status = ddn_take_lines(files, print_forest, t, err);
        if (status >= 0)
            print_totals(t);
        int closed = ddn_output_close(&t->out, status < 0 ? NULL : err);
        status = status < 0 ? status : closed;
    }
    if (t->gold)
        dodona_reader_close(t->gold);
    dodona_sentence_free(t->sentence);
    dodona_forest_free(t->forest);
    return status;
}

int ddn_command_forest(int argc, char **argv)
{
    task t = { .temperature = 1 };
    const ddn_option options[] = {
        { .name = "count",
          .type = DDN_FLAG,
          .to = &t.count,
          .help = "print how many trees there are, exactly" },
        { .name = "oracle",
          .type = DDN_FILE,
          .argument = "GOLD",
          .to = &t.gold_path,
          .help = "a CoNLL-U file with the same sentences: print the tree that has the most "
                  "heads of the gold one" },
        { .name = "kbest",
          .type = DDN_COUNT,
          .argument = "K",
          .to = &t.kbest,
          .least = 1,
          .most = MAX_KBEST,
          .help = "print the best K trees" },
        { .name = "marginals",
          .type = DDN_FLAG,
          .to = &t.marginals,
          .help = "print how probable each arc is, and its most probable relation" },
        { .name = "temperature",
          .type = DDN_REAL,
          .argument = "T",
          .to = &t.temperature,
          .least = DODONA_MIN_TEMPERATURE,
          .most = DODONA_MAX_TEMPERATURE,
          .help = "a tree's probability is proportional to exp(score / T)" },
        { .name = "json", .type = DDN_FLAG, .to = &t.json, .help = "a JSON object a forest" },
        { 0 },
    };
    ddn_operands files = { 0 };
    dodona_error err;
    int code = ddn_options_read(&page, options, argc, argv, &files);
    if (code >= 0)
        return code;
    int status = run(&t, &files, &err);
    return status < 0 ? ddn_complain(&err) : DDN_DONE;
}
