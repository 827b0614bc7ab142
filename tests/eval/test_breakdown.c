/* SPDX-License-Identifier: MIT */
/* Breakdowns against loops over the words that climb from word to head; and, where tokens differ,
 * that the classes add up to LAS. */
#include "core/rng.h"
#include "eval/scored.h"

enum { WORDS = 30 };
static const char *const rels[] = { "nsubj", "obj", "nmod", "nmod:poss", "punct" };
static const int rel_key[] = { 0, 1, 2, 2, 3 };
static const char *const key_name[] = { "nsubj", "obj", "nmod", "punct" };

typedef struct row {
    int head, rel;
} row;

static int pick(ddn_rng *r, int n)
{
    return (int)ddn_rng_below(r, (uint64_t)n);
}

static void random_tree(ddn_rng *r, row *w, int n)
{
    uint32_t order[WORDS];
    for (int i = 0; i < n; i++)
        order[i] = (uint32_t)i + 1;
    ddn_rng_shuffle(r, order, (uint64_t)n);
    for (int i = 0; i < n; i++)
        w[order[i]] = (row){ i ? (int)order[pick(r, i)] : 0, pick(r, 5) };
}

static void write_tree(written *out, const row *w, int n)
{
    for (int i = 1; i <= n; i++)
        add(out, "%d\tw\t_\t%s\t_\t_\t%d\t%s\t_\t_\n", i, w[i].rel == 4 ? "PUNCT" : "X", w[i].head,
            rels[w[i].rel]);
    add(out, "\n");
}

static bool is_below(const row *w, int i, int above)
{
    while (i != 0 && i != above)
        i = w[i].head;
    return i == above;
}

static int shape_of(const row *w, int i)
{
    for (int k = 1 + (w[i].head < i ? w[i].head : i); k < (w[i].head < i ? i : w[i].head); k++)
        if (!is_below(w, k, w[i].head))
            return 1;
    return 0;
}

/* The name of the class, so that the order of the classes is not taken from the code. */
static const char *length_of(const row *w, int i)
{
    static const char *const name[] = { "", "1", "2", "3", "4", "5" };
    int length = abs(w[i].head - i);
    return w[i].head == 0 ? "root"
           : length < 6   ? name[length]
           : length < 8   ? "6-7"
           : length < 11  ? "8-10"
           : length < 21  ? "11-20"
                          : "21+";
}

static ddn_tally *length_tally(ddn_tally *t, const char *name)
{
    for (int i = 0; i < DDN_LENGTHS; i++)
        if (strcmp(ddn_length_name[i], name) == 0)
            return &t[i];
    fail_msg("no length %s", name);
    return NULL;
}

typedef struct expected {
    ddn_tally label[4], length[DDN_LENGTHS], shape[2];
} expected;

static void count(expected *x, const row *g, const row *s, int n, bool no_punct)
{
    for (int i = 1; i <= n; i++) {
        if (no_punct && g[i].rel == 4)
            continue;
        bool right = g[i].head == s[i].head && rel_key[g[i].rel] == rel_key[s[i].rel];
        ddn_tally *gold[] = { &x->label[rel_key[g[i].rel]],
                              length_tally(x->length, length_of(g, i)), &x->shape[shape_of(g, i)] };
        ddn_tally *system[] = { &x->label[rel_key[s[i].rel]],
                                length_tally(x->length, length_of(s, i)),
                                &x->shape[shape_of(s, i)] };
        for (int k = 0; k < 3; k++) {
            gold[k]->gold++;
            gold[k]->gold_right += right;
            system[k]->system++;
            system[k]->system_right += right;
        }
    }
}

static void same_tally(const ddn_tally *a, const ddn_tally *b)
{
    assert_int_equal(a->gold, b->gold);
    assert_int_equal(a->gold_right, b->gold_right);
    assert_int_equal(a->system, b->system);
    assert_int_equal(a->system_right, b->system_right);
}

static void same_labels(const ddn_evaluation *e, const expected *x)
{
    const ddn_breakdown *b = &e->result[0].breakdown;
    size_t occur = 0;
    for (int k = 0; k < 4; k++)
        occur += x->label[k].gold || x->label[k].system;
    assert_int_equal(b->labels, occur);
    for (size_t i = 0; i < b->labels; i++) {
        const char *name = ddn_intern_text(&e->names.table, b->label[i].label).data;
        int k = 0;
        while (k < 4 && strcmp(key_name[k], name) != 0)
            k++;
        assert_true(k < 4);
        same_tally(&b->label[i].tally, &x->label[k]);
        if (i > 0)
            assert_true(b->label[i - 1].tally.gold >= b->label[i].tally.gold);
    }
}

static void random_trees(void **state)
{
    (void)state;
    ddn_rng r;
    ddn_rng_init(&r, 11);
    for (int round = 0; round < 200; round++) {
        expected x = { 0 };
        written gold = { 0 }, system = { 0 };
        bool no_punct = round % 2;
        for (int k = 1 + pick(&r, 4); k > 0; k--) {
            row g[WORDS + 1], s[WORDS + 1];
            int n = 1 + pick(&r, WORDS);
            random_tree(&r, g, n);
            if (pick(&r, 2))
                memcpy(s, g, sizeof s);
            else
                random_tree(&r, s, n);
            for (int i = 1; i <= n; i++)
                s[i].rel = pick(&r, 3) ? g[i].rel : pick(&r, 5);
            write_tree(&gold, g, n);
            write_tree(&system, s, n);
            count(&x, g, s, n, no_punct);
        }
        ddn_evaluation e;
        ddn_eval_settings settings = { .analysis = true, .no_punct = no_punct };
        assert_int_equal(evaluate_texts(&e, settings, gold.data, system.data, NULL, NULL), 0);
        same_labels(&e, &x);
        for (int i = 0; i < DDN_LENGTHS; i++)
            same_tally(&e.result[0].breakdown.length[i], &x.length[i]);
        for (int i = 0; i < DDN_SHAPES; i++)
            same_tally(&e.result[0].breakdown.shape[i], &x.shape[i]);
        ddn_evaluation_fini(&e);
        free(gold.data);
        free(system.data);
    }
}

static void adds_up(const ddn_tally *t, size_t n, size_t stride, const ddn_count *las)
{
    ddn_tally sum = { 0 };
    for (size_t i = 0; i < n; i++, t = (const ddn_tally *)((const char *)t + stride)) {
        sum.gold += t->gold;
        sum.gold_right += t->gold_right;
        sum.system += t->system;
        sum.system_right += t->system_right;
    }
    assert_int_equal(sum.gold, las->gold);
    assert_int_equal(sum.system, las->system);
    assert_int_equal(sum.gold_right, las->correct);
    assert_int_equal(sum.system_right, las->correct);
}

static void classes_add_up(void **state)
{
    (void)state;
    char *gold = compact("a bc d=d+e f / g h"), *system = compact("a b c d=d+x+e f g h");
    const char *pair[][2] = { { gold, system }, { system, gold } };
    for (size_t k = 0; k < 2; k++) {
        ddn_evaluation e;
        ddn_eval_settings settings = { .analysis = true };
        assert_int_equal(evaluate_texts(&e, settings, pair[k][0], pair[k][1], NULL, NULL), 0);
        const ddn_breakdown *b = &e.result[0].breakdown;
        const ddn_count *las = &e.result[0].metric[DDN_LAS];
        adds_up(&b->label[0].tally, b->labels, sizeof *b->label, las);
        adds_up(b->length, DDN_LENGTHS, sizeof *b->length, las);
        adds_up(b->shape, DDN_SHAPES, sizeof *b->shape, las);
        ddn_evaluation_fini(&e);
    }
    free(gold);
    free(system);
}

/* 4 gold arcs, 3 of the system's; gold finds 2 of its own, the system 1: P 1/3, R 1/2, F 2/5. */
static void ratios(void **state)
{
    (void)state;
    ddn_tally t = { .gold = 4, .gold_right = 2, .system = 3, .system_right = 1 }, none = { 0 };
    assert_true(ddn_tally_precision(&t) * 3 == 1);
    assert_true(ddn_tally_recall(&t) == 0.5);
    assert_true(ddn_tally_f1(&t) > 0.4 - 1e-12 && ddn_tally_f1(&t) < 0.4 + 1e-12);
    assert_true(ddn_tally_f1(&none) == 0 && ddn_tally_precision(&none) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_trees),
        cmocka_unit_test(classes_add_up),
        cmocka_unit_test(ratios),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
