/* SPDX-License-Identifier: MIT */
/* Whole training runs on generated sentences: what they learn, that they repeat to the byte however
 * often they are interrupted, and what they refuse. */
#include "lib/check.h"
#include "lib/files.h"
#include "lib/generated.h"
#include "lib/memory.h"
#include "lib/naive.h"
#include "model/file.h"
#include "system/system.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SENTENCES = 130, DEV = 40 }; /* three reports an iteration, and one for dev */
enum { LEARNT = 240, FEW = 20 };    /* enough to learn from; enough to tell two runs apart */

typedef struct path {
    char name[256];
} path;

static path scratch(const char *name)
{
    path p;
    snprintf(p.name, sizeof p.name, "%s", test_scratch(name));
    return p;
}

static path checkpoint_of(path model)
{
    path p;
    snprintf(p.name, sizeof p.name, "%.200s.checkpoint", model.name);
    return p;
}

static bool there(path p)
{
    return access(p.name, F_OK) == 0;
}

static dodona_train_options options(int iterations)
{
    dodona_train_options o;
    dodona_train_options_init(&o);
    o.iterations = iterations;
    return o;
}

static int train_on(const dodona_train_options *o, int64_t sentences, int64_t dev_sentences,
                    int nonprojective, path to, dodona_train_result *result, dodona_error *err)
{
    test_generated train, dev;
    test_generated_open(&train, 1, nonprojective, sentences);
    test_generated_open(&dev, 2, 0, dev_sentences);
    memset(err, 0, sizeof *err);
    int code =
        dodona_train(o, &train.source, dev_sentences ? &dev.source : NULL, to.name, result, err);
    test_generated_close(&train);
    test_generated_close(&dev);
    return code;
}

static int train(const dodona_train_options *o, path to, dodona_train_result *result,
                 dodona_error *err)
{
    return train_on(o, SENTENCES, DEV, DDN_GRAMMAR_NONPROJECTIVE, to, result, err);
}

static void train_well(const dodona_train_options *o, path to, dodona_train_result *result)
{
    dodona_error err;
    if (train(o, to, result, &err) != DODONA_OK)
        fail_msg("%s", err.message);
    assert_false(there(checkpoint_of(to)));
}

static void same_bytes(path a, path b, bool same)
{
    size_t a_size, b_size;
    char *x = test_slurp(a.name, &a_size), *y = test_slurp(b.name, &b_size);
    assert_int_equal(a_size == b_size && memcmp(x, y, a_size) == 0, same);
    free(x);
    free(y);
}

/* ---- What is learnt ---- */

/* The best that can be done by looking at a word's tag alone: its most frequent distance to the
 * head, with the most frequent relation for that. */
typedef struct choice {
    char upos[16], deprel[32];
    int offset, count;
} choice;

static choice seen[4000];
static int seen_count;

static choice *find_choice(const dodona_word *w, int i)
{
    char upos[16], deprel[32];
    int offset = w->head ? w->head - i : 0;
    snprintf(upos, sizeof upos, "%.*s", (int)w->upos.size, w->upos.data);
    snprintf(deprel, sizeof deprel, "%.*s", (int)w->deprel.size, w->deprel.data);
    for (int k = 0; k < seen_count; k++)
        if (seen[k].offset == offset && !strcmp(seen[k].upos, upos) &&
            !strcmp(seen[k].deprel, deprel))
            return &seen[k];
    assert_true(seen_count < (int)(sizeof seen / sizeof *seen));
    choice *c = &seen[seen_count++];
    c->offset = offset;
    c->count = 0;
    strcpy(c->upos, upos);
    strcpy(c->deprel, deprel);
    return c;
}

static double baseline(int64_t sentences)
{
    int64_t right = 0, words = 0;
    dodona_sentence *s = dodona_sentence_new();
    for (int pass = 0; pass < 2; pass++) {
        test_generated g;
        test_generated_open(&g, pass ? 2 : 1, 0, pass ? DEV : sentences);
        while (dodona_reader_next(g.reader, s, NULL) > 0)
            for (int i = 1; i <= dodona_sentence_length(s); i++) {
                dodona_word w;
                assert_int_equal(dodona_sentence_get(s, i, &w), 0);
                choice *own = find_choice(&w, i), *best = own;
                own->count += pass == 0;
                for (int k = 0; k < seen_count; k++)
                    if (!strcmp(seen[k].upos, own->upos) && seen[k].count > best->count)
                        best = &seen[k];
                words += pass;
                right += pass && best == own;
            }
        test_generated_close(&g);
    }
    dodona_sentence_free(s);
    return 100.0 * (double)right / (double)words;
}

static void every_system_learns(void **state)
{
    (void)state;
    static const struct {
        const char *oracle, *search, *update;
    } way[] = { { "static", "greedy", "early" },  { "nondet", "greedy", "early" },
                { "explore", "greedy", "early" }, { NULL, "beam", "max-violation" },
                { NULL, "dp", "max-violation" },  { NULL, "dp", "early" } };
    double floor = baseline(LEARNT);
    assert_true(floor > 20 && floor < 70);
    for (int i = 0; dodona_system_name(i); i++)
        for (size_t k = 0; k < sizeof way / sizeof *way; k++) {
            dodona_train_options o = options(4);
            dodona_train_result result;
            dodona_error err;
            o.system = dodona_system_name(i);
            o.oracle = way[k].oracle;
            o.search = way[k].search;
            o.update = way[k].update;
            o.beam = 2;
            path model = scratch("learnt");
            int code = train_on(&o, LEARNT, DEV, 0, model, &result, &err);
            if (k > 3 && !ddn_system_find(o.system)->joining) {
                assert_int_equal(code, DODONA_E_ARGUMENT);
                assert_non_null(strstr(err.message, "no dynamic programming"));
                continue;
            }
            assert_int_equal(code, 0);
            print_message("%s %s %s: LAS %.2f (%.2f)\n", o.system, o.search,
                          k < 3 ? o.oracle : o.update, result.las, floor);
            assert_true(result.las > floor + 20 && result.las > 85);
            assert_true(result.uas >= result.las && result.uas <= 100);
            assert_true(result.best >= 1 && result.best <= 4);
            assert_int_equal(result.skipped, 0);
            assert_int_equal(result.resumed, 0);
        }
}

/* Whatever bound of the loss ranks the moves. */
static void every_bound_teaches(void **state)
{
    (void)state;
    static const char *const bound[] = { "lower", "pc", "upper" };
    for (int k = 0; k < 3; k++) {
        dodona_train_options o = options(4);
        dodona_train_result result;
        dodona_error err;
        o.system = "covington-nm";
        o.oracle = "explore";
        o.algorithm = bound[k];
        path model = scratch("bound");
        assert_int_equal(train_on(&o, LEARNT, DEV, 0, model, &result, &err), 0);
        assert_true(result.las > 85);
        assert_int_equal(result.tied, 0);
        assert_int_equal(result.given_up, 0);
    }
}

static double uas_of(path model)
{
    dodona_model *m;
    dodona_workspace *ws;
    dodona_error err;
    assert_int_equal(dodona_model_open(model.name, &m, &err), 0);
    assert_int_equal(dodona_workspace_new(m, NULL, &ws, &err), 0);
    test_generated g;
    test_generated_open(&g, 2, 0, DEV);
    dodona_sentence *s = dodona_sentence_new();
    int64_t words = 0, heads = 0;
    while (dodona_reader_next(g.reader, s, &err) > 0) {
        int gold[DDN_GRAMMAR_LONGEST + 1], n = dodona_sentence_length(s);
        dodona_word w;
        for (int i = 1; i <= n; i++) {
            assert_int_equal(dodona_sentence_get(s, i, &w), 0);
            gold[i] = w.head;
        }
        assert_int_equal(dodona_parse(ws, s, &err), 0);
        for (int i = 1; i <= n; i++) {
            assert_int_equal(dodona_sentence_get(s, i, &w), 0);
            heads += w.head == gold[i];
            words++;
        }
    }
    test_generated_close(&g);
    dodona_sentence_free(s);
    dodona_workspace_free(ws);
    dodona_model_free(m);
    return 100.0 * (double)heads / (double)words;
}

/* The reported LAS is what parsing dev with the written model gives: by the search, and with the
 * beam, that it was trained with. */
static void the_model_does_what_was_measured(void **state)
{
    (void)state;
    for (int beam = 0; beam < 8; beam += 3) {
        dodona_train_options o = options(3);
        dodona_train_result result;
        path model = scratch("measured");
        if (beam) {
            o.search = "beam";
            o.beam = beam;
        }
        train_well(&o, model, &result);
        assert_true(fabs(uas_of(model) - result.uas) < 1e-9);
    }
}

/* ---- Repeating ---- */

static void the_same_seed_gives_the_same_bytes(void **state)
{
    (void)state;
    dodona_train_result result;
    dodona_error err;
    path first = scratch("first"), second = scratch("second");
    for (int i = 0; dodona_system_name(i / 2); i++) {
        dodona_train_options o = options(2);
        o.system = dodona_system_name(i / 2);
        o.search = i % 2 ? "beam" : "greedy";
        o.beam = 2;
        assert_int_equal(train_on(&o, FEW, FEW, 0, first, &result, &err), 0);
        assert_int_equal(train_on(&o, FEW, FEW, 0, second, &result, &err), 0);
        same_bytes(first, second, true);
        o.seed = 2;
        assert_int_equal(train_on(&o, FEW, FEW, 0, second, &result, &err), 0);
        same_bytes(first, second, false);
    }
}

/* Stops at the stop-th report. */
typedef struct stopper {
    int calls, stop;
    int iteration; /* in which it stopped */
    char phase[16];
} stopper;

static int stop_report(void *ctx, const dodona_progress *p)
{
    stopper *s = ctx;
    assert_true(p->iteration >= 1 && p->iteration <= p->iterations);
    assert_true(p->done <= p->total);
    assert_int_equal(p->las >= 0, strcmp(p->phase, "iteration") == 0);
    if (++s->calls != s->stop)
        return 0;
    s->iteration = p->iteration;
    snprintf(s->phase, sizeof s->phase, "%s", p->phase);
    return 1;
}

/* Runs until the stop-th report; whether it got that far. */
static bool interrupt(dodona_train_options o, path model, stopper *s)
{
    dodona_train_result result;
    dodona_error err;
    s->calls = 0;
    o.report = stop_report;
    o.report_ctx = s;
    int code = train(&o, model, &result, &err);
    if (code == DODONA_OK)
        return false;
    assert_int_equal(code, DODONA_E_CANCELLED);
    assert_int_equal(err.code, DODONA_E_CANCELLED);
    assert_false(there(model));
    assert_int_equal(there(checkpoint_of(model)), s->iteration > 1);
    return true;
}

static void interrupted_runs_end_in_the_same_bytes(void **state)
{
    (void)state;
    dodona_train_options o = options(3);
    dodona_train_result result;
    path whole = scratch("whole"), model = scratch("interrupted");
    train_well(&o, whole, &result);
    bool seen_phase[3] = { 0 };
    stopper s = { .stop = 1 };
    for (; interrupt(o, model, &s); s.stop++) {
        seen_phase[0] |= !strcmp(s.phase, "train");
        seen_phase[1] |= !strcmp(s.phase, "dev");
        seen_phase[2] |= !strcmp(s.phase, "iteration");
        train_well(&o, model, &result);
        assert_int_equal(result.resumed, s.iteration - 1);
        same_bytes(whole, model, true);
        unlink(model.name);
    }
    assert_true(s.stop > 12 && seen_phase[0] && seen_phase[1] && seen_phase[2]);
    same_bytes(whole, model, true);
    unlink(model.name);
    /* Interrupted again and again: the 7th report is in the second iteration of every start. */
    s.stop = 7;
    int times = 0;
    while (interrupt(o, model, &s))
        times++;
    assert_int_equal(times, 2);
    same_bytes(whole, model, true);
}

static void a_checkpoint_serves_other_lengths(void **state)
{
    (void)state;
    dodona_train_result result;
    path whole = scratch("whole"), model = scratch("longer");
    static const int wanted[] = { 5, 3, 2, 1 };
    for (int i = 0; i < 4; i++) {
        stopper s = { .stop = 12 }; /* in the third iteration */
        assert_true(interrupt(options(4), model, &s));
        assert_int_equal(s.iteration, 3);
        dodona_train_options o = options(wanted[i]);
        train_well(&o, whole, &result);
        train_well(&o, model, &result);
        assert_int_equal(result.resumed, wanted[i] >= 2 ? 2 : 0);
        same_bytes(whole, model, true);
        unlink(model.name);
    }
}

/* A run with other options neither takes the checkpoint nor ends in other bytes for it. */
static void a_checkpoint_serves_its_own_options_only(void **state)
{
    (void)state;
    dodona_train_options other[11];
    dodona_train_result result;
    for (int i = 0; i < 11; i++)
        other[i] = options(2);
    other[0].seed = 2;
    other[1].system = "arc-eager";
    other[2].oracle = "nondet";
    other[3].templates = "arc-eager";
    other[4].explore_after = 2;
    other[5].explore_rate = 0.5;
    other[6].model_mb = 0.02;
    other[7].keep_last = 1;
    other[8].search = "beam";
    other[9].beam = 4;
    other[10].update = "early";
    path whole = scratch("whole"), model = scratch("other");
    stopper s = { .stop = 12 };
    assert_true(interrupt(options(4), model, &s));
    size_t size;
    char *checkpoint = test_slurp(checkpoint_of(model).name, &size);
    for (int i = 0; i < 11; i++) {
        test_spill(checkpoint_of(model).name, checkpoint, size);
        train_well(&other[i], model, &result);
        assert_int_equal(result.resumed, 0);
        train_well(&other[i], whole, &result);
        same_bytes(whole, model, true);
        unlink(model.name);
    }
    free(checkpoint);
}

/* Rewrites a checkpoint with one byte of a section changed and all hashes right. */
static void forge(path checkpoint, const char *section, size_t at)
{
    ddn_model_file f;
    ddn_output o;
    size_t size;
    char *bytes = test_slurp(checkpoint.name, &size);
    assert_int_equal(ddn_model_file_memory(&f, bytes, size, "c", NULL), 0);
    const ddn_section *s;
    assert_int_equal(ddn_model_file_find(&f, section, &s, NULL), 0);
    bytes[(const char *)s->data - bytes + (ptrdiff_t)(at % s->size)] ^= 0x40;
    ddn_output_memory(&o);
    ddn_model_file_put(&o, f.section, f.sections);
    test_spill(checkpoint.name, o.data, o.size);
    ddn_output_abandon(&o);
    ddn_model_file_close(&f);
    free(bytes);
}

static void damaged_checkpoints_are_passed_over(void **state)
{
    (void)state;
    dodona_train_options o = options(2);
    dodona_train_result result;
    path whole = scratch("whole"), model = scratch("damaged"), c = checkpoint_of(model);
    train_well(&o, whole, &result);
    for (int i = 0; i < 8; i++) {
        stopper s = { .stop = 7 };
        assert_true(interrupt(o, model, &s) && s.iteration == 2);
        size_t size;
        char *bytes = test_slurp(c.name, &size);
        if (i == 0)
            bytes[size / 2] ^= 1;
        if (i <= 1)
            test_spill(c.name, bytes, i == 0 ? size : size / 2);
        free(bytes);
        if (i == 2)
            forge(c, "loop.point", 0); /* another run's */
        if (i == 3)
            forge(c, "loop.order", 3); /* a sentence that does not exist */
        if (i == 4)
            forge(c, "loop.model.1", 16); /* the number of rows */
        if (i == 5)
            forge(c, "loop.model.1", SIZE_MAX); /* any of them */
        if (i == 6)
            test_spill(c.name, "", 0);
        if (i == 7)
            forge(c, "train.best", 0); /* no model file */
        train_well(&o, model, &result);
        if (i != 5) {
            assert_int_equal(result.resumed, 0);
            same_bytes(whole, model, true);
        }
        unlink(model.name);
    }
}

static void the_best_or_the_last_is_kept(void **state)
{
    (void)state;
    dodona_train_result best, last, none;
    dodona_error err;
    dodona_train_options o = options(6);
    train_well(&o, scratch("best"), &best);
    o.keep_last = 1;
    train_well(&o, scratch("last"), &last);
    assert_int_equal(last.best, 6);
    assert_true(best.las >= last.las);
    if (best.best < 6)
        assert_true(best.las > last.las || best.uas >= last.uas);
    o.keep_last = 0; /* without dev the last is kept */
    assert_int_equal(train_on(&o, SENTENCES, 0, 0, scratch("none"), &none, &err), 0);
    assert_int_equal(none.best, 6);
    assert_true(none.las == -1 && none.uas == -1);
}

static void models_keep_to_their_size(void **state)
{
    (void)state;
    dodona_train_result result;
    size_t last = SIZE_MAX;
    static const double mb[] = { 1, 0.03, 0.01 };
    for (int i = 0; i < 3; i++) {
        dodona_train_options o = options(2);
        o.model_mb = mb[i];
        path p = scratch("small");
        train_well(&o, p, &result);
        size_t size;
        free(test_slurp(p.name, &size));
        assert_true(size < last && size <= (size_t)(mb[i] * 1e6) + 8192); /* readable parts */
        last = size;
    }
}

/* ---- What is left out, and what is refused ---- */

static void unreachable_trees_are_skipped(void **state)
{
    (void)state;
    enum { SYSTEMS = 32 };
    int64_t crossing = 0, beyond[SYSTEMS] = { 0 };
    test_generated g;
    test_generated_open(&g, 1, 40, SENTENCES);
    dodona_sentence *s = dodona_sentence_new();
    while (dodona_reader_next(g.reader, s, NULL) > 0) {
        int32_t head[DDN_GRAMMAR_LONGEST + 1] = { -1 };
        int32_t n = dodona_sentence_length(s);
        dodona_word w;
        for (int i = 1; i <= n; i++) {
            assert_int_equal(dodona_sentence_get(s, i, &w), 0);
            head[i] = w.head;
        }
        crossing += !test_is_projective(head, n);
        for (int i = 0; ddn_systems[i]; i++) {
            int32_t scratch[2 * (DDN_GRAMMAR_LONGEST + 1)];
            assert_true(i < SYSTEMS);
            beyond[i] += !ddn_system_reaches(ddn_systems[i], head, n, scratch);
        }
    }
    dodona_sentence_free(s);
    test_generated_close(&g);
    assert_true(crossing > 20);
    for (int i = 0; dodona_system_name(i); i++) {
        dodona_train_options o = options(1);
        dodona_train_result result;
        dodona_error err;
        o.system = dodona_system_name(i);
        o.nonprojective = "skip";
        assert_int_equal(train_on(&o, SENTENCES, 0, 40, scratch("m"), &result, &err), 0);
        bool projective = ddn_system_find(o.system)->projective;
        if (!ddn_systems[i]->rules)
            assert_int_equal(beyond[i], projective ? crossing : 0);
        assert_int_equal(result.crossing, beyond[i]);
        assert_int_equal(result.skipped, beyond[i]);
        int code = train_on(&o, 20, 0, 100, scratch("m"), &result, &err);
        assert_int_equal(code, projective ? DODONA_E_INPUT : 0);
        assert_true(!projective || strstr(err.message, o.system));
    }
}

/* Crossing arcs in what the model makes of sentences with many of them. */
static int64_t crossing_output(path model)
{
    dodona_model *m;
    dodona_workspace *ws;
    dodona_error err;
    int64_t crossing = 0;
    test_generated g;
    test_generated_open(&g, 3, 60, SENTENCES);
    dodona_sentence *s = dodona_sentence_new();
    if (dodona_model_open(model.name, &m, &err) || dodona_workspace_new(m, NULL, &ws, &err))
        fail_msg("%s", err.message);
    while (dodona_reader_next(g.reader, s, NULL) > 0) {
        int32_t head[DDN_GRAMMAR_LONGEST + 1] = { -1 };
        int32_t n = dodona_sentence_length(s);
        assert_int_equal(dodona_parse(ws, s, &err), 0);
        for (int i = 1; i <= n; i++) {
            dodona_word w;
            assert_int_equal(dodona_sentence_get(s, i, &w), 0);
            assert_null(memchr(w.deprel.data, '|', w.deprel.size)); /* no mark is left */
            assert_null(memchr(w.deprel.data, '%', w.deprel.size));
            head[i] = w.head;
        }
        assert_true(test_is_tree(head, n, true));
        crossing += !test_is_projective(head, n);
    }
    dodona_sentence_free(s);
    test_generated_close(&g);
    dodona_workspace_free(ws);
    dodona_model_free(m);
    return crossing;
}

/* Half of the sentences cross.  All ways but skip learn from all of them; only pseudo builds trees
 * that cross; each way gives a model of its own. */
static void crossing_trees_are_learnt(void **state)
{
    (void)state;
    static const char *const ways[] = { "skip", "projectivize", "pseudo", "direct" };
    path model[4] = { scratch("skip"), scratch("projectivize"), scratch("pseudo"),
                      scratch("direct") };
    for (int i = 0; i < 4; i++) {
        dodona_train_options o = options(3);
        dodona_train_result result;
        dodona_error err;
        o.system = "arc-standard";
        o.nonprojective = ways[i];
        if (train_on(&o, SENTENCES, DEV, 50, model[i], &result, &err) != DODONA_OK)
            fail_msg("%s: %s", ways[i], err.message);
        assert_true(result.crossing > 30);
        assert_int_equal(result.skipped, i == 0 ? result.crossing : 0);
        assert_int_equal(crossing_output(model[i]) > 0, i == 2);
        for (int k = 0; k < i; k++)
            same_bytes(model[k], model[i], false);
    }
}

static void a_second_pass_follows_the_first_model(void **state)
{
    (void)state;
    dodona_train_options o = options(2);
    dodona_train_result result;
    path once = scratch("once"), twice = scratch("twice"), model = scratch("stopped");
    o.system = "arc-standard";
    o.oracle = "static";
    train_well(&o, once, &result);
    o.two_pass = 1;
    train_well(&o, twice, &result);
    same_bytes(once, twice, false);
    stopper s = { .stop = 1 };
    for (; interrupt(o, model, &s); s.stop += 3) { /* also in the second pass, with its guide */
        train_well(&o, model, &result);
        same_bytes(twice, model, true);
        unlink(model.name);
    }
    assert_true(s.stop > 15);
    same_bytes(twice, model, true);
}

static void an_average_is_resumed(void **state)
{
    (void)state;
    dodona_train_options o = options(2);
    dodona_train_result result;
    path one = scratch("one"), whole = scratch("averaged"), model = scratch("cut-short");
    o.keep_last = 1;
    train_well(&o, one, &result);
    o.average = 3;
    train_well(&o, whole, &result);
    assert_int_equal(result.best, 6);
    same_bytes(one, whole, false);
    stopper s = { .stop = 1 };
    for (; interrupt(o, model, &s); s.stop += 4) { /* in all three runs */
        train_well(&o, model, &result);
        same_bytes(whole, model, true);
        unlink(model.name);
    }
    assert_true(s.stop > 20);
    same_bytes(whole, model, true);
    unlink(model.name);
    /* Of a damaged checkpoint no part is taken, the earlier runs neither. */
    s.stop = 7; /* in the second iteration of every start */
    while (interrupt(o, model, &s) && s.iteration < 4)
        continue;
    assert_int_equal(s.iteration, 4);
    forge(checkpoint_of(model), "loop.model.1", 16); /* the number of rows */
    train_well(&o, model, &result);
    assert_int_equal(result.resumed, 0);
    same_bytes(whole, model, true);
    /* The best on dev is one of the last run, too. */
    o.keep_last = 0;
    train_well(&o, whole, &result);
    assert_true(result.best > 4);
}

static int train_on_file(const dodona_train_options *o, path file, path to,
                         dodona_train_result *result, dodona_error *err)
{
    dodona_reader *train, *dev;
    assert_int_equal(dodona_reader_open(file.name, NULL, &train, err), 0);
    assert_int_equal(dodona_reader_open(file.name, NULL, &dev, err), 0);
    dodona_source from = { dodona_reader_pull, train, "t" },
                  dev_from = { dodona_reader_pull, dev, "d" };
    int code = dodona_train(o, &from, &dev_from, to.name, result, err);
    dodona_reader_close(train);
    dodona_reader_close(dev);
    return code;
}

/* A word with 120 children is beyond the tables of LR-spine in every iteration. */
static void what_was_given_up_is_counted_across_interruptions(void **state)
{
    (void)state;
    enum { CHILDREN = 120, ITERATIONS = 3 };
    path star = scratch("star"), model = scratch("given-up");
    FILE *f = fopen(star.name, "w");
    assert_non_null(f);
    for (int i = 1; i <= CHILDREN + 1; i++)
        fprintf(f, "%d\tw\t_\tX\t_\t_\t%d\t%s\t_\t_\n", i, i > 1, i > 1 ? "dep" : "root");
    fputs("\n", f);
    assert_int_equal(fclose(f), 0);
    dodona_train_options o = options(ITERATIONS), stopped;
    dodona_train_result result;
    dodona_error err;
    stopper s = { .stop = 1 };
    o.system = "lr-spine";
    o.oracle = "explore";
    o.explore_after = 0;
    stopped = o;
    stopped.report = stop_report;
    stopped.report_ctx = &s;
    for (int code = -1; code < 0; s.stop++, s.calls = 0) {
        code = train_on_file(&stopped, star, model, &result, &err);
        if (code < 0) {
            assert_int_equal(code, DODONA_E_CANCELLED);
            assert_int_equal(train_on_file(&o, star, model, &result, &err), 0);
        }
        assert_int_equal(result.given_up, ITERATIONS);
    }
    assert_true(s.stop > 2 * ITERATIONS);
}

static void a_beam_is_resumed(void **state)
{
    (void)state;
    dodona_train_result result;
    path whole = scratch("whole"), model = scratch("beam");
    for (int early = 0; early < 2; early++) {
        dodona_train_options o = options(3);
        o.search = "beam";
        o.beam = 2;
        o.update = early ? "early" : "max-violation";
        train_well(&o, whole, &result);
        stopper s = { .stop = 1 };
        for (; interrupt(o, model, &s); s.stop += 5) {
            train_well(&o, model, &result);
            same_bytes(whole, model, true);
            unlink(model.name);
        }
        assert_true(s.stop > 12);
        same_bytes(whole, model, true);
        unlink(model.name);
    }
}

static void exact_search_is_resumed(void **state)
{
    (void)state;
    static const char *const system[] = { "alls0s1", "arc-hybrid" };
    dodona_train_result result;
    path whole = scratch("whole"), model = scratch("exact");
    for (int i = 0; i < 2; i++) {
        dodona_train_options o = options(3);
        o.system = system[i];
        o.search = "exact";
        train_well(&o, whole, &result);
        assert_int_equal(result.too_long, 0);
        assert_true(result.las > 80);
        stopper s = { .stop = 7 }; /* in the second iteration, and in the third */
        for (; s.stop < 12 && interrupt(o, model, &s); s.stop += 4) {
            train_well(&o, model, &result);
            assert_int_equal(result.resumed, s.iteration - 1);
            same_bytes(whole, model, true);
            unlink(model.name);
        }
    }
}

static int train_text(const char *text, int roots_many, dodona_error *err)
{
    test_memory m = { text, strlen(text), 0, 0 };
    dodona_reader *r;
    dodona_train_options o = options(1);
    path to = scratch("text");
    o.roots_many = roots_many;
    assert_int_equal(dodona_reader_open_callback(test_memory_read, &m, "x", NULL, &r, err), 0);
    dodona_source source = { dodona_reader_pull, r, "x" };
    unlink(to.name);
    int code = dodona_train(&o, &source, NULL, to.name, NULL, err);
    assert_int_equal(there(to), code == DODONA_OK);
    assert_false(there(checkpoint_of(to)));
    dodona_reader_close(r);
    return code;
}

#define ROW(id, head) id "\tw\t_\t_\t_\t_\t" head "\tdep\t_\t_\n"

static void only_trees_are_learnt_from(void **state)
{
    (void)state;
    dodona_error err;
#define GOOD ROW("1", "0") ROW("2", "1") "\n"
    assert_int_equal(train_text(GOOD GOOD, 0, &err), 0);
    assert_int_equal(train_text(GOOD ROW("1", "2") ROW("2", "1") "\n", 0, &err), DODONA_E_INPUT);
    assert_non_null(strstr(err.message, "sentence 2 (line 4)"));
    assert_int_equal(train_text(GOOD ROW("1", "_") "\n", 1, &err), DODONA_E_INPUT);
    assert_non_null(strstr(err.message, "not a tree"));
    assert_int_equal(train_text(GOOD ROW("1", "0") ROW("2", "0") "\n", 0, &err), DODONA_E_INPUT);
    assert_non_null(strstr(err.message, "one root"));
    assert_int_equal(train_text(GOOD ROW("1", "0") ROW("2", "0") "\n", 1, &err), 0);
    assert_int_equal(train_text("", 0, &err), DODONA_E_INPUT);
    assert_int_equal(train_text(GOOD "broken\n\n", 0, &err), DODONA_E_INPUT);
    assert_int_equal(err.line, 4);
}

static void refused(dodona_train_options o, int want, const char *says)
{
    dodona_train_result result;
    dodona_error err;
    path to = scratch("refused");
    int code = train(&o, to, &result, &err);
    if (code != want || err.code != code || !strstr(err.message, says))
        fail_msg("code %d: %s", code, err.message);
    assert_false(there(to));
    assert_false(there(checkpoint_of(to)));
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    dodona_train_options o = options(1);
#define REFUSED(field, value, code, says)                                                          \
    do {                                                                                           \
        dodona_train_options changed = o;                                                          \
        changed.field = value;                                                                     \
        refused(changed, code, says);                                                              \
    } while (0)
    REFUSED(system, "arc-lazy", DODONA_E_ARGUMENT, "'arc-lazy'");
    REFUSED(oracle, "delphi", DODONA_E_ARGUMENT, "'delphi'");
    REFUSED(nonprojective, "ignore", DODONA_E_ARGUMENT, "'ignore'");
    dodona_train_options hybrid = o;
    hybrid.system = "arc-hybrid";
    hybrid.nonprojective = "direct";
    refused(hybrid, DODONA_E_ARGUMENT, "arc-hybrid");
    dodona_train_options twice = o;
    twice.oracle = "explore";
    twice.two_pass = 1;
    refused(twice, DODONA_E_ARGUMENT, "two passes");
    REFUSED(search, "wide", DODONA_E_ARGUMENT, "'wide'");
    REFUSED(update, "late", DODONA_E_ARGUMENT, "'late'");
    REFUSED(beam, 0, DODONA_E_ARGUMENT, "beam");
    REFUSED(beam, DODONA_MAX_BEAM + 1, DODONA_E_ARGUMENT, "beam");
    dodona_train_options beam = o;
    beam.search = "beam";
    beam.oracle = "explore";
    refused(beam, DODONA_E_ARGUMENT, "static");
    beam.oracle = NULL;
    beam.two_pass = 1;
    refused(beam, DODONA_E_ARGUMENT, "one pass");
    beam.two_pass = 0;
    beam.nonprojective = "direct";
    refused(beam, DODONA_E_ARGUMENT, "pseudo");
    REFUSED(algorithm, "guess", DODONA_E_ARGUMENT, "guess");
    REFUSED(iterations, -1, DODONA_E_ARGUMENT, "iterations");
    REFUSED(average, 0, DODONA_E_ARGUMENT, "average");
    REFUSED(average, 101, DODONA_E_ARGUMENT, "average");
    dodona_train_options averaged = o;
    averaged.average = 2;
    averaged.oracle = "nondet";
    averaged.two_pass = 1;
    refused(averaged, DODONA_E_ARGUMENT, "one pass");
    REFUSED(iterations, 10001, DODONA_E_ARGUMENT, "iterations");
    REFUSED(explore_after, -1, DODONA_E_ARGUMENT, "explore_after is -1; expected");
    REFUSED(explore_rate, 1.5, DODONA_E_ARGUMENT, "explore_rate is 1.5; expected");
    REFUSED(explore_rate, (double)NAN, DODONA_E_ARGUMENT, "rate");
    REFUSED(model_mb, 0, DODONA_E_ARGUMENT, "model_mb is 0; expected");
    REFUSED(model_mb, (double)NAN, DODONA_E_ARGUMENT, "model_mb is nan; expected");
    REFUSED(templates, "/nowhere/at.all", DODONA_E_IO, "");
    path bad = scratch("bad.templates");
    test_spill(bad.name, "s0.w\ns0.q\n", 10);
    REFUSED(templates, bad.name, DODONA_E_INPUT, "'q'");
    o.oracle = "explore";
    o.algorithm = "path"; /* which knows the gold path only */
    REFUSED(system, "arc-standard", DODONA_E_ARGUMENT, "arc-standard");
    dodona_error err;
    dodona_train_result result;
    path nowhere = { "/nowhere/model" };
    o = options(1);
    assert_int_equal(train(&o, nowhere, &result, &err), DODONA_E_IO);
}

static void templates_come_from_files(void **state)
{
    (void)state;
    path t = scratch("t.templates"), model = scratch("own");
    static const char text[] = "s0.t+q0.t\n[labels]\ns0.t\n";
    test_spill(t.name, text, sizeof text - 1);
    dodona_train_options o = options(2);
    dodona_train_result result;
    o.templates = t.name;
    o.notes = "licence: none\n";
    train_well(&o, model, &result);
    ddn_model_file f;
    const ddn_section *s;
    assert_int_equal(ddn_model_file_open(&f, model.name, NULL), 0);
    assert_int_equal(ddn_model_file_find(&f, "parser.templates", &s, NULL), 0);
    assert_int_equal(s->size, sizeof text - 1);
    assert_memory_equal(s->data, text, sizeof text - 1);
    dodona_text licence = ddn_model_file_meta(&f, "licence");
    assert_true(licence.size == 4 && memcmp(licence.data, "none", 4) == 0);
    ddn_model_file_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_system_learns),
        cmocka_unit_test(every_bound_teaches),
        cmocka_unit_test(the_model_does_what_was_measured),
        cmocka_unit_test(the_same_seed_gives_the_same_bytes),
        cmocka_unit_test(interrupted_runs_end_in_the_same_bytes),
        cmocka_unit_test(a_checkpoint_serves_other_lengths),
        cmocka_unit_test(a_checkpoint_serves_its_own_options_only),
        cmocka_unit_test(damaged_checkpoints_are_passed_over),
        cmocka_unit_test(the_best_or_the_last_is_kept),
        cmocka_unit_test(models_keep_to_their_size),
        cmocka_unit_test(unreachable_trees_are_skipped),
        cmocka_unit_test(crossing_trees_are_learnt),
        cmocka_unit_test(a_second_pass_follows_the_first_model),
        cmocka_unit_test(an_average_is_resumed),
        cmocka_unit_test(a_beam_is_resumed),
        cmocka_unit_test(exact_search_is_resumed),
        cmocka_unit_test(what_was_given_up_is_counted_across_interruptions),
        cmocka_unit_test(only_trees_are_learnt_from),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(templates_come_from_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
