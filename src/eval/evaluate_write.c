/* SPDX-License-Identifier: MIT */
/* evaluate_write.c - an evaluation as tables and as JSON.
 *
 * Figures are percents with two decimals, printed from 100 times the fraction as a double: that
 * order of operations is what makes the last digit equal to the official scorer's. */
#include "eval/evaluate.h"

#include "core/json.h"
#include <inttypes.h>
#include <stdio.h>

static const ddn_metric tested[DDN_TESTS] = { [DDN_TEST_UAS] = DDN_UAS, [DDN_TEST_LAS] = DDN_LAS };

/* ---- Tables ---- */

static void put_metrics(ddn_output *o, const ddn_eval_result *r)
{
    ddn_puts(o, "Metric     | Precision |    Recall |  F1 Score | AligndAcc\n"
                "-----------+-----------+-----------+-----------+-----------\n");
    for (int m = 0; m < DDN_METRICS; m++) {
        const ddn_count *c = &r->metric[m];
        ddn_putf(o, "%-11s|%10.2f |%10.2f |%10.2f |", ddn_metric_name[m], 100 * ddn_precision(c),
                 100 * ddn_recall(c), 100 * ddn_f1(c));
        if (c->aligned >= 0)
            ddn_putf(o, "%10.2f", 100 * ddn_aligned_accuracy(c));
        ddn_puts(o, "\n");
    }
}

static void put_accuracies(ddn_output *o, const ddn_eval_result *r)
{
    ddn_puts(o, "\nUnlabelled |   Correct |     Total |  Accuracy\n"
                "-----------+-----------+-----------+----------\n");
    for (int k = 0; k < DDN_ACCURACIES; k++)
        ddn_putf(o, "%-11s|%10" PRId64 " |%10" PRId64 " |%10.2f\n", ddn_accuracy_name[k],
                 r->accuracy[k].right, r->accuracy[k].total,
                 100 * ddn_accuracy_ratio(&r->accuracy[k]));
}

static void put_class_head(ddn_output *o, const char *what)
{
    ddn_putf(o,
             "\n%-15s| Precision |    Recall |  F1 Score |      Gold |    System\n"
             "---------------+-----------+-----------+-----------+-----------+----------\n",
             what);
}

static void put_class(ddn_output *o, const char *name, const ddn_tally *t)
{
    ddn_putf(o, "%-15s|%10.2f |%10.2f |%10.2f |%10" PRId64 " |%10" PRId64 "\n", name,
             100 * ddn_tally_precision(t), 100 * ddn_tally_recall(t), 100 * ddn_tally_f1(t),
             t->gold, t->system);
}

static void put_breakdown(ddn_output *o, const ddn_evaluation *e, const ddn_breakdown *b)
{
    put_class_head(o, "LAS by label");
    for (size_t i = 0; i < b->labels; i++)
        put_class(o, ddn_intern_text(&e->names.table, b->label[i].label).data, &b->label[i].tally);
    put_class_head(o, "LAS by length");
    for (int i = 0; i < DDN_LENGTHS; i++)
        put_class(o, ddn_length_name[i], &b->length[i]);
    put_class_head(o, "LAS by shape");
    for (int i = 0; i < DDN_SHAPES; i++)
        put_class(o, ddn_shape_name[i], &b->shape[i]);
}

/* The rows of the table of moves.  The last two are parts of those that replace. */
typedef struct moves_row {
    const char *name;
    int64_t count;
    double percent;
} moves_row;

enum { MOVES_ROWS = 4 };

static void list_moves(const ddn_replaced *r, moves_row row[MOVES_ROWS])
{
    double arcs = r->arcs ? (double)r->arcs : 1,
           replacing = r->replacing ? (double)r->replacing : 1;
    row[0] = (moves_row){ "arcs", r->arcs, 100 * (double)r->arcs / arcs };
    row[1] = (moves_row){ "replacing", r->replacing, 100 * (double)r->replacing / arcs };
    row[2] = (moves_row){ "gold", r->gold, 100 * (double)r->gold / replacing };
    row[3] = (moves_row){ "harmful", r->harmful, 100 * (double)r->harmful / replacing };
}

static void put_moves(ddn_output *o, const ddn_replaced *r)
{
    moves_row row[MOVES_ROWS];
    list_moves(r, row);
    ddn_puts(o, "\nMoves          |     Count |   Percent\n"
                "---------------+-----------+----------\n");
    for (int i = 0; i < MOVES_ROWS; i++)
        ddn_putf(o, "%-15s|%10" PRId64 " |%10.2f\n", row[i].name, row[i].count, row[i].percent);
}

static void put_trials(ddn_output *o, const ddn_evaluation *e)
{
    ddn_putf(
        o, "Paired randomisation over sentences, two-sided: %" PRId64 " trials, seed %" PRIu64 "\n",
        e->settings.trials, e->settings.seed);
}

static void put_comparison(ddn_output *o, const ddn_evaluation *e)
{
    const ddn_test *test = e->result[1].test;
    ddn_puts(o, "\nF1 Score   |  System 1 |  System 2 |   1 less 2 |         p\n"
                "-----------+-----------+-----------+------------+----------\n");
    for (int k = DDN_TESTS - 1; k >= 0; k--) {
        ddn_metric m = tested[k];
        ddn_putf(o, "%-11s|%10.2f |%10.2f |%+11.2f |%10.4f\n", ddn_metric_name[m],
                 100 * ddn_f1(&e->result[0].metric[m]), 100 * ddn_f1(&e->result[1].metric[m]),
                 100 * test[k].difference, test[k].p);
    }
    put_trials(o, e);
}

/* ---- Tables of many systems, a column each ---- */

/* The end of a cell of system i. */
static const char *cell_end(const ddn_evaluation *e, int i)
{
    return i + 1 < e->systems ? " " : "\n";
}

static void put_columns(ddn_output *o, const ddn_evaluation *e, const char *title, int first)
{
    ddn_putf(o, "\n%-11s", title);
    for (int i = first; i < e->systems; i++)
        ddn_putf(o, "|  System%2d%s", i + 1, cell_end(e, i));
    ddn_puts(o, "-----------");
    for (int i = first; i < e->systems; i++)
        ddn_puts(o, i + 1 < e->systems ? "+-----------" : "+----------\n");
}

/* Each system against the first. */
static void put_comparisons(ddn_output *o, const ddn_evaluation *e)
{
    put_columns(o, e, "1 less", 1);
    for (int k = DDN_TESTS - 1; k >= 0; k--) {
        ddn_putf(o, "%-11s", ddn_metric_name[tested[k]]);
        for (int i = 1; i < e->systems; i++)
            ddn_putf(o, "|%+10.2f%s", 100 * e->result[i].test[k].difference, cell_end(e, i));
        ddn_puts(o, "  p        ");
        for (int i = 1; i < e->systems; i++)
            ddn_putf(o, "|%10.4f%s", e->result[i].test[k].p, cell_end(e, i));
    }
    put_trials(o, e);
}

static void put_side_by_side(ddn_output *o, const ddn_evaluation *e)
{
    for (int i = 0; i < e->systems; i++)
        ddn_putf(o, "System %d: %s\n", i + 1, e->result[i].name);
    put_columns(o, e, "F1 Score", 0);
    for (int m = 0; m < DDN_METRICS; m++) {
        ddn_putf(o, "%-11s", ddn_metric_name[m]);
        for (int i = 0; i < e->systems; i++)
            ddn_putf(o, "|%10.2f%s", 100 * ddn_f1(&e->result[i].metric[m]), cell_end(e, i));
    }
    put_columns(o, e, "Unlabelled", 0);
    for (int k = 0; k < DDN_ACCURACIES; k++) {
        ddn_putf(o, "%-11s", ddn_accuracy_name[k]);
        for (int i = 0; i < e->systems; i++)
            ddn_putf(o, "|%10.2f%s", 100 * ddn_accuracy_ratio(&e->result[i].accuracy[k]),
                     cell_end(e, i));
    }
    put_comparisons(o, e);
}

/* ---- All of them ---- */

static void put_analysis(ddn_output *o, const ddn_evaluation *e, const ddn_eval_result *r)
{
    if (e->settings.analysis)
        put_breakdown(o, e, &r->breakdown);
    if (r->traced)
        put_moves(o, &r->replaced);
}

void ddn_evaluation_put_table(ddn_output *o, const ddn_evaluation *e)
{
    bool many = e->systems > 2;
    if (many)
        put_side_by_side(o, e);
    for (int i = 0; i < e->systems; i++) {
        if (many ? e->settings.analysis : e->systems == 2)
            ddn_putf(o, "%sSystem %d: %s\n%s", i || many ? "\n" : "", i + 1, e->result[i].name,
                     many ? "" : "\n");
        if (!many) {
            put_metrics(o, &e->result[i]);
            put_accuracies(o, &e->result[i]);
        }
        put_analysis(o, e, &e->result[i]);
    }
    if (e->systems == 2)
        put_comparison(o, e);
    if (e->settings.no_punct)
        ddn_puts(o, "\nWithout punctuation (gold UPOS PUNCT) from UAS on.\n");
}

/* ---- JSON ---- */

static void put_percent(ddn_json *j, const char *key, double ratio)
{
    ddn_json_printf(ddn_json_key(j, key), "%.2f", 100 * ratio);
}

static void put_metrics_json(ddn_json *j, const ddn_eval_result *r)
{
    for (int m = 0; m < DDN_METRICS; m++) {
        const ddn_count *c = &r->metric[m];
        ddn_json_begin(ddn_json_key(j, ddn_metric_name[m]), '{');
        put_percent(j, "precision", ddn_precision(c));
        put_percent(j, "recall", ddn_recall(c));
        put_percent(j, "f1", ddn_f1(c));
        if (c->aligned >= 0)
            put_percent(j, "aligned", ddn_aligned_accuracy(c));
        else
            ddn_json_raw(ddn_json_key(j, "aligned"), "null");
        ddn_json_end(j, '}');
    }
}

static void put_class_json(ddn_json *j, const char *name, const ddn_tally *t)
{
    ddn_json_begin(ddn_json_key(j, name), '{');
    put_percent(j, "precision", ddn_tally_precision(t));
    put_percent(j, "recall", ddn_tally_recall(t));
    put_percent(j, "f1", ddn_tally_f1(t));
    ddn_json_int(ddn_json_key(j, "gold"), t->gold);
    ddn_json_int(ddn_json_key(j, "system"), t->system);
    ddn_json_end(j, '}');
}

static void put_breakdown_json(ddn_json *j, const ddn_evaluation *e, const ddn_breakdown *b)
{
    ddn_json_begin(ddn_json_key(j, "label"), '{');
    for (size_t i = 0; i < b->labels; i++)
        put_class_json(j, ddn_intern_text(&e->names.table, b->label[i].label).data,
                       &b->label[i].tally);
    ddn_json_end(j, '}');
    ddn_json_begin(ddn_json_key(j, "length"), '{');
    for (int i = 0; i < DDN_LENGTHS; i++)
        put_class_json(j, ddn_length_name[i], &b->length[i]);
    ddn_json_end(j, '}');
    ddn_json_begin(ddn_json_key(j, "shape"), '{');
    for (int i = 0; i < DDN_SHAPES; i++)
        put_class_json(j, ddn_shape_name[i], &b->shape[i]);
    ddn_json_end(j, '}');
}

static void put_moves_json(ddn_json *j, const ddn_replaced *r)
{
    moves_row row[MOVES_ROWS];
    list_moves(r, row);
    ddn_json_begin(ddn_json_key(j, "moves"), '{');
    for (int i = 0; i < MOVES_ROWS; i++) {
        ddn_json_begin(ddn_json_key(j, row[i].name), '{');
        ddn_json_int(ddn_json_key(j, "count"), row[i].count);
        ddn_json_printf(ddn_json_key(j, "percent"), "%.2f", row[i].percent);
        ddn_json_end(j, '}');
    }
    ddn_json_end(j, '}');
}

static void put_analysis_json(ddn_json *j, const ddn_evaluation *e, const ddn_eval_result *r)
{
    ddn_json_begin(ddn_json_key(j, "analysis"), '{');
    put_breakdown_json(j, e, &r->breakdown);
    if (r->traced)
        put_moves_json(j, &r->replaced);
    ddn_json_end(j, '}');
}

/* The members of one system's object, without its braces. */
static void put_result_json(ddn_json *j, const ddn_evaluation *e, const ddn_eval_result *r)
{
    put_metrics_json(j, r);
    ddn_json_begin(ddn_json_key(j, "unlabelled"), '{');
    for (int k = 0; k < DDN_ACCURACIES; k++)
        put_percent(j, ddn_accuracy_name[k], ddn_accuracy_ratio(&r->accuracy[k]));
    ddn_json_end(j, '}');
    if (e->settings.analysis)
        put_analysis_json(j, e, r);
}

static void put_tests_json(ddn_json *j, const ddn_eval_result *r)
{
    for (int k = DDN_TESTS - 1; k >= 0; k--) {
        ddn_json_begin(ddn_json_key(j, ddn_metric_name[tested[k]]), '{');
        put_percent(j, "difference", r->test[k].difference);
        ddn_json_printf(ddn_json_key(j, "p"), "%.6g", r->test[k].p);
        ddn_json_end(j, '}');
    }
}

static const char *system_key(int i, char buf[32])
{
    snprintf(buf, 32, "system%d", i + 1);
    return buf;
}

static void put_comparison_json(ddn_json *j, const ddn_evaluation *e)
{
    char key[32];
    ddn_json_begin(ddn_json_key(j, "comparison"), '{');
    ddn_json_int(ddn_json_key(j, "trials"), e->settings.trials);
    ddn_json_printf(ddn_json_key(j, "seed"), "%" PRIu64, e->settings.seed);
    if (e->systems == 2)
        put_tests_json(j, &e->result[1]);
    for (int i = 1; e->systems > 2 && i < e->systems; i++) {
        ddn_json_begin(ddn_json_key(j, system_key(i, key)), '{');
        put_tests_json(j, &e->result[i]);
        ddn_json_end(j, '}');
    }
    ddn_json_end(j, '}');
}

void ddn_evaluation_put_json(ddn_output *o, const ddn_evaluation *e)
{
    char key[32];
    ddn_json j = { .out = o };
    ddn_json_begin(&j, '{');
    put_result_json(&j, e, &e->result[0]);
    for (int i = 1; i < e->systems; i++) {
        ddn_json_begin(ddn_json_key(&j, system_key(i, key)), '{');
        put_result_json(&j, e, &e->result[i]);
        ddn_json_end(&j, '}');
    }
    if (e->systems > 1)
        put_comparison_json(&j, e);
    ddn_json_end(&j, '}');
    ddn_puts(o, "\n");
}
