/* SPDX-License-Identifier: MIT */
/* The figures against counting by hand: a pair of files that differ in their tokens, alignments
 * small enough to do on paper, and random trees over equal tokens, where every figure is a plain
 * loop over words. */
#include "core/rng.h"
#include "eval/scored.h"
#include "lib/files.h"

static void check_count(const ddn_evaluation *e, ddn_metric m, int64_t correct, int64_t gold,
                        int64_t system, int64_t aligned)
{
    const ddn_count *c = &e->result[0].metric[m];
    if (c->correct != correct || c->gold != gold || c->system != system || c->aligned != aligned)
        fail_msg("%s: %d of %d and %d, aligned %d; expected %d of %d and %d, aligned %d",
                 ddn_metric_name[m], (int)c->correct, (int)c->gold, (int)c->system, (int)c->aligned,
                 (int)correct, (int)gold, (int)system, (int)aligned);
}

static void evaluate_pair(ddn_evaluation *e, ddn_eval_settings settings)
{
    size_t size;
    char *gold = test_slurp(test_data("eval/gold.conllu"), &size);
    char *system = test_slurp(test_data("eval/system.conllu"), &size);
    assert_int_equal(evaluate_texts(e, settings, gold, system, NULL, NULL), 0);
    free(gold);
    free(system);
}

/* Aligned: Das, Haus, See, Wirklich, "?"; "an dem" is not "am", "brennt" "." not "brennt .".  The
 * system's Haus hangs from a word that is aligned with nothing. */
static void pair_by_hand(void **state)
{
    (void)state;
    ddn_evaluation e;
    evaluate_pair(&e, (ddn_eval_settings){ 0 });
    check_count(&e, DDN_TOKENS, 6, 8, 7, -1);
    check_count(&e, DDN_SENTENCES, 2, 2, 2, -1);
    check_count(&e, DDN_WORDS, 5, 9, 7, -1);
    check_count(&e, DDN_UPOS_SCORE, 5, 9, 7, 5);
    check_count(&e, DDN_XPOS_SCORE, 4, 9, 7, 5); /* Wirklich is wrong */
    check_count(&e, DDN_UFEATS, 4, 9, 7, 5);     /* See lacks one; order and Typo don't count */
    check_count(&e, DDN_ALLTAGS, 3, 9, 7, 5);
    check_count(&e, DDN_LEMMAS, 4, 9, 7, 5); /* Haus; that of Wirklich is free */
    check_count(&e, DDN_UAS, 4, 9, 7, 5);
    check_count(&e, DDN_LAS, 4, 9, 7, 5);
    check_count(&e, DDN_CLAS, 2, 4, 4, 3); /* of Haus, See, Wirklich */
    check_count(&e, DDN_MLAS, 1, 4, 4, 3); /* See has other features and children */
    check_count(&e, DDN_BLEX, 2, 4, 4, 3);
    const ddn_accuracy *a = e.result[0].accuracy;
    assert_true(a[DDN_ACC_WORD].right == 4 && a[DDN_ACC_WORD].total == 9);
    assert_true(a[DDN_ACC_NON_ROOT].right == 3 && a[DDN_ACC_NON_ROOT].total == 7);
    assert_true(a[DDN_ACC_ROOT].right == 1 && a[DDN_ACC_ROOT].total == 2);
    assert_true(a[DDN_ACC_COMPLETE].right == 1 && a[DDN_ACC_COMPLETE].total == 2);
    ddn_evaluation_fini(&e);
}

static void pair_without_punctuation(void **state)
{
    (void)state;
    ddn_evaluation e;
    evaluate_pair(&e, (ddn_eval_settings){ .no_punct = true });
    check_count(&e, DDN_WORDS, 5, 9, 7, -1);
    check_count(&e, DDN_UPOS_SCORE, 5, 9, 7, 5);
    check_count(&e, DDN_UAS, 3, 7, 6, 4);
    check_count(&e, DDN_LAS, 3, 7, 6, 4);
    check_count(&e, DDN_CLAS, 2, 4, 4, 3);
    const ddn_accuracy *a = e.result[0].accuracy;
    assert_true(a[DDN_ACC_WORD].right == 3 && a[DDN_ACC_WORD].total == 7);
    assert_true(a[DDN_ACC_NON_ROOT].right == 2 && a[DDN_ACC_NON_ROOT].total == 5);
    assert_true(a[DDN_ACC_COMPLETE].right == 1 && a[DDN_ACC_COMPLETE].total == 2);
    ddn_evaluation_fini(&e);
}

static void words_aligned(const char *gold, const char *system, int pairs)
{
    char *g = compact(gold), *s = compact(system);
    ddn_evaluation e;
    dodona_error err = { 0 };
    if (evaluate_texts(&e, (ddn_eval_settings){ 0 }, g, s, NULL, &err) < 0)
        fail_msg("%s", err.message);
    if (e.result[0].metric[DDN_WORDS].correct != pairs)
        fail_msg("%s, %s: %d words aligned, expected %d", gold, system,
                 (int)e.result[0].metric[DDN_WORDS].correct, pairs);
    ddn_evaluation_fini(&e);
    free(g);
    free(s);
}

static void alignments_by_hand(void **state)
{
    (void)state;
    words_aligned("x y z", "x y z", 3);
    words_aligned("xyz", "x y z", 0);
    words_aligned("x yz w", "xy z w", 1);
    words_aligned("x y / z w", "x / y z / w", 4); /* sentences don't matter */
    /* In a multiword token the forms decide, in any letter case, in order. */
    words_aligned("zum=zu+dem Ort", "zum=Zu+DEM Ort", 3);
    words_aligned("zum=zu+dem Ort", "zum=dem+zu Ort", 2);
    words_aligned("zudem=zu+dem", "zu dem", 2);
    words_aligned("zudem", "zudem=zu+dem", 0);
    words_aligned("zum=a+b+c+d", "zum=b+d+a+c", 2);
    /* Tokens that overlap make one stretch: pqrs against p qr=.. s, then pq=.. rs=.. . */
    words_aligned("pqrs=p+q+r+s", "p qr=q+r s", 4);
    words_aligned("pq=p+q rs=r+s", "p qr=q+r s", 4);
    /* A plain word that crosses the border of a stretch is not aligned, and not in it. */
    words_aligned("pq=p+qr r", "p qr", 1);
    words_aligned("a pq=ap+q", "ap q", 1);
    words_aligned("x yz w", "xy zw=yz+w", 1);
    /* But gold's is taken first where it begins with the stretch, however far it reaches. */
    words_aligned("pqr", "p=pqr+x qr", 1);
    words_aligned("p=pqr+x qr", "pqr", 0);
    /* Only tokens lose the blanks in their forms (here a no-break space). */
    words_aligned("ab c", "a\u00a0b c", 2);
    words_aligned("abc=ab+c", "abc=a\u00a0b+c", 1);
    words_aligned("abc=ab+c", "a\u00a0b c", 2);
}

/* "u w" and "v w" are both longest: gold's v is passed, since that loses nothing, and u is aligned.
 */
static void ties_pass_gold_first(void **state)
{
    (void)state;
    static const char gold[] = "1-3\tm\t_\t_\t_\t_\t_\t_\t_\t_\n"
                               "1\tv\t_\t_\t_\t_\t3\tdep\t_\t_\n"
                               "2\tu\t_\t_\t_\t_\t3\tdep\t_\t_\n"
                               "3\tw\t_\t_\t_\t_\t0\troot\t_\t_\n\n";
    static const char system[] = "1-3\tm\t_\t_\t_\t_\t_\t_\t_\t_\n"
                                 "1\tu\t_\t_\t_\t_\t3\tdep\t_\t_\n"
                                 "2\tv\t_\t_\t_\t_\t1\tdep\t_\t_\n"
                                 "3\tw\t_\t_\t_\t_\t0\troot\t_\t_\n\n";
    ddn_evaluation e;
    assert_int_equal(evaluate_texts(&e, (ddn_eval_settings){ 0 }, gold, system, NULL, NULL), 0);
    check_count(&e, DDN_WORDS, 2, 3, 3, -1);
    check_count(&e, DDN_UAS, 2, 3, 3, 2); /* u and w; with v in place of u it would be 1 */
    ddn_evaluation_fini(&e);
}

static void letter_case(void **state)
{
    (void)state;
    words_aligned("m=\u0130", "m=i\u0307", 1); /* I with a dot: two characters */
    words_aligned("m=\u0130", "m=i", 0);
    words_aligned("m=\u039f\u03a3", "m=\u03bf\u03c2", 1); /* a final sigma */
    words_aligned("m=\u039f\u03a3", "m=\u03bf\u03c3", 0);
    words_aligned("m=\u03a3", "m=\u03c3", 1); /* alone, it is not final */
    words_aligned("m=\u039f\u03a3\u0391", "m=\u03bf\u03c3\u03b1", 1);
    words_aligned("m=\u039f\u0301\u03a3.", "m=\u03bf\u0301\u03c2.", 1); /* looks through both */
    words_aligned("m=\u039f\u03a3.\u0391", "m=\u03bf\u03c3.\u03b1", 1);
    words_aligned("m=1\u03a3", "m=1\u03c3", 1); /* a digit has no case */
    words_aligned("m=\u00c4\u1e9e", "m=\u00e4\u00df", 1);
}

/* ---- Equal tokens: everything again, by loops ---- */

enum { WORDS = 9 };
static const char *const tags[] = { "NOUN", "PUNCT", "ADP" };
static const char *const feats[] = { "_", "Case=Nom|Person=3", "Person=3|Zzz=1|Case=Nom", "Zzz=1" };
static const int feats_key[] = { 0, 1, 1, 0 };
static const char *const lemmas[] = { "_", "a", "b" };
static const char *const rels[] = { "nsubj", "nsubj:pass", "case", "det", "punct", "root" };
static const int rel_key[] = { 0, 0, 2, 3, 4, 5 };
static const int rel_kind[] = { 1, 1, 2, 2, 0, 1 }; /* 1 content, 2 functional */

typedef struct row {
    int head, upos, xpos, feats, lemma, rel;
} row;

static int pick(ddn_rng *r, int n)
{
    return (int)ddn_rng_below(r, (uint64_t)n);
}

/* A tree: in a random order, each word hangs from one before it. */
static void random_rows(ddn_rng *r, row *w, int n)
{
    uint32_t order[WORDS];
    for (int i = 0; i < n; i++)
        order[i] = (uint32_t)i + 1;
    ddn_rng_shuffle(r, order, (uint64_t)n);
    for (int i = 0; i < n; i++)
        w[order[i]] = (row){ i ? (int)order[pick(r, i)] : 0,
                             pick(r, 3),
                             pick(r, 2),
                             pick(r, 4),
                             pick(r, 3),
                             pick(r, 6) };
}

/* The system's rows: gold's, some of their values changed, and at times another tree. */
static void changed_rows(ddn_rng *r, const row *gold, row *w, int n)
{
    row other[WORDS + 1];
    random_rows(r, other, n);
    bool tree = pick(r, 3) == 0;
    for (int i = 1; i <= n; i++) {
        w[i] = pick(r, 4) ? gold[i] : other[i];
        w[i].head = tree ? other[i].head : gold[i].head;
    }
}

static void write_rows(written *out, const row *w, int n)
{
    for (int i = 1; i <= n; i++)
        add(out, "%d\tw\t%s\t%s\t%c\t%s\t%d\t%s\t_\t_\n", i, lemmas[w[i].lemma], tags[w[i].upos],
            'A' + w[i].xpos, feats[w[i].feats], w[i].head, rels[w[i].rel]);
    add(out, "\n");
}

/* Whether h has the same functional children; with equal tokens their order is that of the words.
 */
static bool children_agree(const row *g, const row *s, int n, int h)
{
    for (int i = 1; i <= n; i++) {
        bool in_gold = g[i].head == h && rel_kind[g[i].rel] == 2;
        bool in_system = s[i].head == h && rel_kind[s[i].rel] == 2;
        if (in_gold != in_system)
            return false;
        if (in_gold && (g[i].rel != s[i].rel || g[i].upos != s[i].upos ||
                        feats_key[g[i].feats] != feats_key[s[i].feats]))
            return false;
    }
    return true;
}

static void count_rows(const row *g, const row *s, int n, ddn_count out[DDN_METRICS])
{
    for (int i = 1; i <= n; i++) {
        bool upos = g[i].upos == s[i].upos, xpos = g[i].xpos == s[i].xpos;
        bool same_feats = feats_key[g[i].feats] == feats_key[s[i].feats];
        bool lemma = g[i].lemma == s[i].lemma || g[i].lemma == 0;
        bool head = g[i].head == s[i].head;
        bool las = head && rel_key[g[i].rel] == rel_key[s[i].rel];
        bool content = rel_kind[g[i].rel] == 1;
        bool correct[DDN_METRICS] = {
            [DDN_TOKENS] = true,
            [DDN_WORDS] = true,
            [DDN_UPOS_SCORE] = upos,
            [DDN_XPOS_SCORE] = xpos,
            [DDN_UFEATS] = same_feats,
            [DDN_ALLTAGS] = upos && xpos && same_feats,
            [DDN_LEMMAS] = lemma,
            [DDN_UAS] = head,
            [DDN_LAS] = las,
            [DDN_CLAS] = content && las,
            [DDN_MLAS] = content && las && upos && same_feats && children_agree(g, s, n, i),
            [DDN_BLEX] = content && las && lemma,
        };
        for (int m = 0; m < DDN_METRICS; m++) {
            out[m].correct += correct[m];
            out[m].gold += m < DDN_CLAS || content;
            out[m].system += m < DDN_CLAS || rel_kind[s[i].rel] == 1;
            out[m].aligned += m < DDN_CLAS || content;
        }
    }
}

static void equal_tokens_by_loops(void **state)
{
    (void)state;
    ddn_rng r;
    ddn_rng_init(&r, 5);
    for (int round = 0; round < 200; round++) {
        ddn_count want[DDN_METRICS] = { 0 };
        written gold = { 0 }, system = { 0 };
        int sentences = 1 + pick(&r, 5);
        for (int k = 0; k < sentences; k++) {
            row g[WORDS + 1], s[WORDS + 1];
            int n = 1 + pick(&r, WORDS);
            random_rows(&r, g, n);
            changed_rows(&r, g, s, n);
            write_rows(&gold, g, n);
            write_rows(&system, s, n);
            count_rows(g, s, n, want);
        }
        want[DDN_SENTENCES] = (ddn_count){ sentences, sentences, sentences, -1 };
        want[DDN_TOKENS].aligned = want[DDN_WORDS].aligned = -1;
        ddn_evaluation e;
        assert_int_equal(
            evaluate_texts(&e, (ddn_eval_settings){ 0 }, gold.data, system.data, NULL, NULL), 0);
        for (int m = 0; m < DDN_METRICS; m++)
            check_count(&e, (ddn_metric)m, want[m].correct, want[m].gold, want[m].system,
                        want[m].aligned);
        ddn_evaluation_fini(&e);
        free(gold.data);
        free(system.data);
    }
}

/* ---- What is refused ---- */

#define LINE(id, form, head) id "\t" form "\t_\t_\t_\t_\t" head "\tdep\t_\t_\n"

static void refused(const char *gold, const char *system, const char *file, int line,
                    const char *words)
{
    ddn_evaluation e;
    dodona_error err = { 0 };
    assert_int_equal(evaluate_texts(&e, (ddn_eval_settings){ 0 }, gold, system, NULL, &err),
                     DODONA_E_INPUT);
    assert_string_equal(err.file, file);
    assert_int_equal(err.line, line);
    if (!strstr(err.message, words))
        fail_msg("'%s' does not say '%s'", err.message, words);
    ddn_evaluation_fini(&e);
}

static void bad_input_names_its_line(void **state)
{
    (void)state;
    static const char good[] = LINE("1", "a", "0") LINE("2", "b", "1") "\n";
    refused("# c\n" LINE("1", "a", "0") LINE("2", "b", "0") "\n", good, "gold", 3, "second root");
    refused(good, LINE("1", "a", "2") LINE("2", "b", "1") "\n", "first", 1, "no root");
    refused(good, LINE("1", "a", "0") LINE("2", "b", "3") LINE("3", "b", "2") "\n", "first", 2,
            "cycle");
    refused(good, LINE("1", "a", "0") LINE("2", "b", "_") "\n", "first", 2, "no head");
    refused(good, LINE("1", "a", "0") LINE("2", "b", "7") "\n", "first", 2, "7");
    refused(good, LINE("1", "a", "0") LINE("2", "\u00a0", "1") "\n", "first", 2, "blank");
}

static void other_text_says_where(void **state)
{
    (void)state;
    static const char gold[] = LINE("1", "ab", "0") LINE("2", "c\u00e4d", "1") "\n";
    refused(gold,
            "# c\n" LINE("1", "abc", "0") "2-3\t\u00f6d\t_\t_\t_\t_\t_\t_\t_\t_\n" LINE(
                "2", "x", "1") LINE("3", "y", "1") "\n",
            "first", 4, "gold, line 2: after 'abc' that has '\u00e4d', this has '\u00f6d'");
    refused(gold, LINE("1", "ab", "0") "\n", "first", 1, "that has 'c\u00e4d', this has the end");
    refused(LINE("1", "ab", "0") "\n", gold, "first", 2, "that has the end, this has 'c\u00e4d'");
}

/* ---- The public interface ---- */

static int pull_reader(void *ctx, dodona_sentence *s, dodona_error *err)
{
    return dodona_reader_next(ctx, s, err);
}

static void through_the_interface(void **state)
{
    (void)state;
    dodona_reader *gold, *system;
    dodona_scores *scores;
    dodona_metric m;
    dodona_text text;
    assert_int_equal(dodona_reader_open(test_data("eval/gold.conllu"), NULL, &gold, NULL), 0);
    assert_int_equal(dodona_reader_open(test_data("eval/system.conllu"), NULL, &system, NULL), 0);
    dodona_source from = { pull_reader, gold, "gold" }, to = { pull_reader, system, "system" };
    assert_int_equal(dodona_evaluate(NULL, &from, &to, NULL, &scores, NULL), 0);
    dodona_reader_close(gold);
    dodona_reader_close(system);
    assert_int_equal(dodona_scores_find(scores, 1, "LAS", &m), 0);
    assert_true(m.correct == 4 && m.gold == 9 && m.system == 7 && m.aligned == 5);
    assert_true(m.f1 == 50 && m.aligned_accuracy == 80);
    assert_true(dodona_scores_find(scores, 1, "LASS", &m) < 0);
    assert_true(dodona_scores_find(scores, 2, "LAS", &m) < 0);
    assert_true(dodona_scores_metric(scores, 1, DODONA_METRICS, &m) < 0);
    assert_true(dodona_scores_unlabelled(scores, 1, "complete") == 50);
    assert_true(dodona_scores_unlabelled(scores, 1, "words") < 0);
    double difference, p;
    assert_true(dodona_scores_difference(scores, "LAS", &difference, &p) < 0);
    assert_int_equal(dodona_scores_print(scores, DODONA_TEXT, &text, NULL), 0);
    char *table = strndup(text.data, text.size);
    assert_non_null(strstr(table, "\nTokens     |     85.71 |     75.00 |     80.00 |\n"));
    assert_non_null(
        strstr(table, "\nCLAS       |     50.00 |     50.00 |     50.00 |     66.67\n"));
    free(table);
    assert_int_equal(dodona_scores_print(scores, DODONA_JSON, &text, NULL), 0);
    char *json = strndup(text.data, text.size);
    assert_non_null(strstr(
        json, "\"LAS\":{\"precision\":57.14,\"recall\":44.44,\"f1\":50.00,\"aligned\":80.00}"));
    assert_non_null(strstr(json, "\"f1\":62.50,\"aligned\":null}"));
    assert_non_null(strstr(json, "\"root\":50.00,\"complete\":50.00}}\n"));
    free(json);
    assert_true(dodona_scores_print(scores, DODONA_TREE, &text, NULL) < 0);
    dodona_scores_free(scores);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pair_by_hand),
        cmocka_unit_test(pair_without_punctuation),
        cmocka_unit_test(alignments_by_hand),
        cmocka_unit_test(ties_pass_gold_first),
        cmocka_unit_test(letter_case),
        cmocka_unit_test(equal_tokens_by_loops),
        cmocka_unit_test(bad_input_names_its_line),
        cmocka_unit_test(other_text_says_where),
        cmocka_unit_test(through_the_interface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
