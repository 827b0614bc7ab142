/* SPDX-License-Identifier: MIT */
/* breakdown.c - the labelled attachment score taken apart.
 *
 * Recall asks of the gold arcs of a class how many the system has; precision asks of the system's
 * arcs of that class how many are right (McDonald & Nivre 2007).  The classes partition the arcs
 * that LAS counts, so that their right ones add up to it.
 *
 * An arc is non-projective when a word strictly between its ends is not a descendant of its head:
 * its place in preorder is outside the head's interval.  So the least and the greatest place
 * between the ends decide, in O(log n) an arc; projective sentences are passed over in linear time.
 */
#include "eval/breakdown.h"

#include "core/arena.h"
#include "tree/order.h"
#include "tree/tree.h"
#include <stdlib.h>

const char *const ddn_accuracy_name[DDN_ACCURACIES] = { "word", "non-root", "root", "complete" };
const char *const ddn_length_name[DDN_LENGTHS] = { "root", "1",   "2",    "3",     "4",
                                                   "5",    "6-7", "8-10", "11-20", "21+" };
const char *const ddn_shape_name[DDN_SHAPES] = { "projective", "non-projective" };

static double ratio(int64_t part, int64_t whole)
{
    return whole ? (double)part / (double)whole : 0.0;
}

double ddn_accuracy_ratio(const ddn_accuracy *a)
{
    return ratio(a->right, a->total);
}

double ddn_tally_precision(const ddn_tally *t)
{
    return ratio(t->system_right, t->system);
}

double ddn_tally_recall(const ddn_tally *t)
{
    return ratio(t->gold_right, t->gold);
}

double ddn_tally_f1(const ddn_tally *t)
{
    if (t->gold_right == t->system_right)
        return ratio(2 * t->gold_right, t->gold + t->system);
    double p = ddn_tally_precision(t), r = ddn_tally_recall(t);
    return p + r > 0 ? 2 * p * r / (p + r) : 0.0;
}

void ddn_accuracies(const ddn_alignment *a, bool no_punct, ddn_accuracy out[DDN_ACCURACIES])
{
    for (int k = 0; k < DDN_ACCURACIES; k++)
        out[k] = (ddn_accuracy){ 0 };
    for (size_t i = 0; i < a->gold->sentences; i++) {
        int64_t words = 0, right = 0;
        for (uint32_t g = a->gold->sentence[i]; g < ddn_corpus_sentence_end(a->gold, i); g++) {
            if (!ddn_counts_gold(a, no_punct, g))
                continue;
            uint32_t s = a->to_system[g];
            bool hit = s != DDN_NO_WORD && ddn_same_head(a, g, s);
            ddn_accuracy_kind kind =
                a->gold->word[g].head == DDN_NO_WORD ? DDN_ACC_ROOT : DDN_ACC_NON_ROOT;
            out[kind].total++;
            out[kind].right += hit;
            words++;
            right += hit;
        }
        out[DDN_ACC_WORD].total += words;
        out[DDN_ACC_WORD].right += right;
        out[DDN_ACC_COMPLETE].total += words > 0;
        out[DDN_ACC_COMPLETE].right += words > 0 && words == right;
    }
}

/* Scratch for one sentence of n words, m = n + 1 nodes. */
typedef struct shapes {
    ddn_arena arena;     /* all but crossed */
    int32_t *head;       /* [m] */
    int32_t *low, *high; /* [2m] for the least and, negated, the greatest place in preorder */
    int32_t *order;      /* [DDN_TREE_ORDER_SIZE(n)] */
    bool *crossed;       /* [words of the file] */
} shapes;

static bool reserve(shapes *x, int32_t n)
{
    size_t m = (size_t)n + 1;
    ddn_arena_reset(&x->arena);
    x->head = ddn_arena_take(&x->arena, m, sizeof *x->head);
    x->low = ddn_arena_take(&x->arena, 2 * m, sizeof *x->low);
    x->high = ddn_arena_take(&x->arena, 2 * m, sizeof *x->high);
    x->order = ddn_arena_take(&x->arena, DDN_TREE_ORDER_SIZE(n), sizeof *x->order);
    return !x->arena.failed;
}

/* For the sentence in head, whose words are the file's from first on. */
static void mark_crossed(shapes *x, int32_t n, uint32_t first)
{
    ddn_tree_order o;
    ddn_tree_order_make(&o, x->head, n, x->order);
    for (int32_t i = 0; i <= n; i++) {
        x->low[n + 1 + i] = o.enter[i];
        x->high[n + 1 + i] = -o.enter[i];
    }
    ddn_range_build(x->low, n + 1);
    ddn_range_build(x->high, n + 1);
    for (int32_t i = 1; i <= n; i++) {
        int32_t h = x->head[i], from = (h < i ? h : i) + 1, to = h < i ? i : h;
        x->crossed[first + (uint32_t)i - 1] =
            from < to && (ddn_range_min(x->low, n + 1, from, to) < o.enter[h] ||
                          -ddn_range_min(x->high, n + 1, from, to) >= o.leave[h]);
    }
}

static bool find_crossed(shapes *x, const ddn_corpus *c)
{
    for (size_t i = 0; i < c->sentences; i++) {
        uint32_t first = c->sentence[i], end = ddn_corpus_sentence_end(c, i);
        int32_t n = (int32_t)(end - first);
        if (!reserve(x, n))
            return false;
        for (int32_t k = 1; k <= n; k++) {
            uint32_t head = c->word[first + (uint32_t)k - 1].head;
            x->head[k] = head == DDN_NO_WORD ? 0 : (int32_t)(head - first) + 1;
        }
        if (ddn_tree_is_projective(x->head, n, x->low))
            continue;
        mark_crossed(x, n, first);
    }
    return true;
}

static int length_class(const ddn_corpus *c, uint32_t i)
{
    uint32_t head = c->word[i].head;
    if (head == DDN_NO_WORD)
        return 0;
    uint32_t length = head > i ? head - i : i - head;
    return length <= 5 ? (int)length : length <= 7 ? 6 : length <= 10 ? 7 : length <= 20 ? 8 : 9;
}

/* One side of all classes: the gold arcs, or the system's. */
static int tally_side(ddn_breakdown *b, ddn_tally *label, const ddn_alignment *a, bool no_punct,
                      bool gold, dodona_error *err)
{
    const ddn_corpus *c = gold ? a->gold : a->system;
    shapes x = { .crossed = calloc(c->words + 1, sizeof *x.crossed) };
    bool ready = x.crossed && find_crossed(&x, c);
    for (uint32_t i = 0; ready && i < c->words; i++) {
        if (!(gold ? ddn_counts_gold(a, no_punct, i) : ddn_counts_system(a, no_punct, i)))
            continue;
        uint32_t other = gold ? a->to_system[i] : a->to_gold[i];
        uint32_t g = gold ? i : other, s = gold ? other : i;
        bool right = other != DDN_NO_WORD && ddn_same_head(a, g, s) &&
                     a->gold->word[g].deprel == a->system->word[s].deprel;
        ddn_tally *in[] = { &label[c->word[i].deprel], &b->length[length_class(c, i)],
                            &b->shape[x.crossed[i]] };
        for (size_t k = 0; k < sizeof in / sizeof *in; k++) {
            *(gold ? &in[k]->gold : &in[k]->system) += 1;
            *(gold ? &in[k]->gold_right : &in[k]->system_right) += right;
        }
    }
    ddn_arena_fini(&x.arena);
    free(x.crossed);
    return ready ? 0 : ddn_fail_memory(err);
}

typedef struct sorted_label {
    ddn_label_tally label;
    const char *name;
} sorted_label;

static int compare_labels(const void *pa, const void *pb)
{
    const sorted_label *a = pa, *b = pb;
    int64_t x = a->label.tally.gold, y = b->label.tally.gold;
    return x != y ? (x < y) - (x > y) : strcmp(a->name, b->name);
}

/* Keeps the labels that occur, in order. */
static int keep_labels(ddn_breakdown *b, const ddn_tally *label, const ddn_eval_names *names,
                       dodona_error *err)
{
    size_t n = 0;
    for (uint32_t i = 0; i < names->table.count; i++)
        n += label[i].gold || label[i].system;
    sorted_label *sorted = malloc((n + 1) * sizeof *sorted);
    b->label = malloc((n + 1) * sizeof *b->label);
    if (sorted && b->label) {
        for (uint32_t i = 0; i < names->table.count; i++)
            if (label[i].gold || label[i].system)
                sorted[b->labels++] =
                    (sorted_label){ { i, label[i] }, ddn_intern_text(&names->table, i).data };
        qsort(sorted, n, sizeof *sorted, compare_labels);
        for (size_t i = 0; i < n; i++)
            b->label[i] = sorted[i].label;
    }
    bool done = sorted && b->label;
    free(sorted);
    return done ? 0 : ddn_fail_memory(err);
}

int ddn_breakdown_make(ddn_breakdown *b, const ddn_alignment *a, const ddn_eval_names *names,
                       bool no_punct, dodona_error *err)
{
    memset(b, 0, sizeof *b);
    ddn_tally *label = calloc((size_t)names->table.count + 1, sizeof *label);
    if (!label)
        return ddn_fail_memory(err);
    int status = tally_side(b, label, a, no_punct, true, err);
    if (status == 0)
        status = tally_side(b, label, a, no_punct, false, err);
    if (status == 0)
        status = keep_labels(b, label, names, err);
    free(label);
    return status;
}

void ddn_breakdown_fini(ddn_breakdown *b)
{
    free(b->label);
    memset(b, 0, sizeof *b);
}
