/* SPDX-License-Identifier: MIT */
/* The training loop with a small task: two models for words that have learnt something before, and
 * a sum of all that the task has seen, which the checkpoint carries. */
#include "lib/check.h"
#include "lib/files.h"
#include "lib/memory.h"
#include "train/loop.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXAMPLES = 11, BATCH = 4, ITERATIONS = 2, RUNS = 3, MODELS = 2, CLASSES = 3 };
enum { ALL = ITERATIONS * RUNS, BATCHES = (EXAMPLES + BATCH - 1) / BATCH };
enum { BEGIN_RUN, BEGIN, LEARN, TICK, JUDGE, PHASES };

typedef struct job {
    ddn_task task;
    ddn_pass *pass[MODELS];
    uint64_t seen;     /* depends on all examples, and on their order */
    int calls[PHASES]; /* since the job was opened */
    int fail_phase, fail_at;
    int take_code; /* what take answers where it does not take */
    char log[4096];
} job;

/* ---- The task ---- */

static void say(job *j, const char *what, int number)
{
    size_t at = strlen(j->log);
    assert_true(at + 32 < sizeof j->log);
    snprintf(j->log + at, sizeof j->log - at, "%s %d", what, number);
}

static int count(job *j, int phase, dodona_error *err)
{
    if (++j->calls[phase] == j->fail_at && phase == j->fail_phase)
        return ddn_fail(err, DODONA_E_CANCELLED, "stopped");
    return DODONA_OK;
}

/* Every model learns from an example what the sum says. */
static int learn(void *ctx, const uint32_t *example, int m, dodona_error *err)
{
    job *j = ctx;
    for (int i = 0; i < m; i++) {
        uint64_t key = example[i];
        say(j, i ? "" : "\nlearn", (int)example[i]);
        j->seen = j->seen * 31 + example[i];
        for (int k = 0; k < MODELS; k++) {
            int32_t class = (int32_t)((j->seen + (uint64_t)k) % CLASSES);
            ddn_adjoint d[] = { { class, -1 }, { (class + 1) % CLASSES, 1 } };
            const ddn_scorer *scorer = j->task.model[k]->scorer;
            assert_int_equal(scorer->learn_word(j->pass[k], &key, 1, d, 2, NULL), 0);
            assert_int_equal(scorer->step(j->task.model[k], &j->pass[k], 1, NULL), 0);
        }
    }
    return count(j, LEARN, err);
}

static int begin_run(void *ctx, int run, dodona_error *err)
{
    job *j = ctx;
    ddn_score score[CLASSES];
    for (uint64_t key = 0; key < EXAMPLES; key++) /* they begin from nothing */
        for (int k = 0; k < MODELS; k++) {
            j->task.model[k]->scorer->words(j->pass[k], &key, 1, score);
            for (int c = 0; c < CLASSES; c++)
                assert_true(score[c] == 0);
        }
    ddn_rng_init(&j->task.rng, 100 + (uint64_t)run);
    say(j, "\nrun", run);
    return count(j, BEGIN_RUN, err);
}

static int begin(void *ctx, dodona_error *err)
{
    job *j = ctx;
    say(j, "\nbegin", (int)j->task.iteration);
    return count(j, BEGIN, err);
}

static int judge(void *ctx, dodona_error *err)
{
    job *j = ctx;
    j->seen += ddn_rng_below(&j->task.rng, 1000); /* a task may draw, too */
    say(j, "\njudge", (int)j->task.iteration);
    return count(j, JUDGE, err);
}

static int tick(void *ctx, size_t done, dodona_error *err)
{
    say(ctx, "\ntick", (int)done);
    return count(ctx, TICK, err);
}

static void put(void *ctx, ddn_sections *to)
{
    const job *j = ctx;
    ddn_put(ddn_sections_add(to, "job"), (const char *)&j->seen, sizeof j->seen);
}

static int take(void *ctx, const ddn_model_file *f, dodona_error *err)
{
    job *j = ctx;
    const ddn_section *s;
    if (ddn_model_file_find(f, "job", &s, NULL) < 0 || s->size != sizeof j->seen)
        return j->take_code < 0 ? ddn_fail(err, j->take_code, "no") : 0;
    memcpy(&j->seen, s->data, sizeof j->seen);
    return 1;
}

/* ---- Jobs ---- */

/* checkpoint may be NULL. */
static void open_job(job *j, const char *checkpoint)
{
    memset(j, 0, sizeof *j);
    j->task = (ddn_task){ .ctx = j,
                          .examples = EXAMPLES,
                          .batch = BATCH,
                          .iterations = ITERATIONS,
                          .runs = RUNS,
                          .models = MODELS,
                          .learn = learn,
                          .begin_run = begin_run,
                          .begin = begin,
                          .judge = judge,
                          .tick = tick,
                          .checkpoint = checkpoint,
                          .fingerprint = 0x1234567890abcdef,
                          .put = put,
                          .take = take };
    ddn_rng_init(&j->task.rng, 100);
    for (int k = 0; k < MODELS; k++) {
        const ddn_scorer *scorer = ddn_scorer_find("perceptron");
        ddn_spec spec = { .part = "words", .classes = CLASSES };
        ddn_adjoint before = { k, -5 };
        uint64_t key = 3;
        assert_int_equal(scorer->create(&spec, &j->task.model[k], NULL), 0);
        assert_int_equal(scorer->pass(j->task.model[k], DDN_ONE_VIEW, &j->pass[k], NULL), 0);
        assert_int_equal(scorer->learn_word(j->pass[k], &key, 1, &before, 1, NULL), 0);
        assert_int_equal(scorer->step(j->task.model[k], &j->pass[k], 1, NULL), 0);
    }
}

static void close_job(job *j)
{
    for (int k = 0; k < MODELS; k++) {
        ddn_pass_end(j->pass[k]);
        ddn_model_close(j->task.model[k]);
    }
}

/* All that a job has come to. */
static void put_state(const job *j, ddn_output *o)
{
    ddn_output_memory(o);
    ddn_put(o, (const char *)&j->seen, sizeof j->seen);
    ddn_put(o, (const char *)&j->task.rng, sizeof j->task.rng);
    ddn_put(o, (const char *)&j->task.iteration, sizeof j->task.iteration);
    for (int k = 0; k < MODELS; k++)
        j->task.model[k]->scorer->put(j->task.model[k], o);
    assert_int_equal(o->error.code, 0);
}

static bool same_state(const job *j, const ddn_output *want)
{
    ddn_output o;
    put_state(j, &o);
    bool same = o.size == want->size && memcmp(o.data, want->data, o.size) == 0;
    ddn_output_abandon(&o);
    return same;
}

static int run(job *j, int *resumed)
{
    dodona_error err = { 0 };
    int status = ddn_learn(&j->task, resumed, &err);
    assert_true(status == 0 || status == err.code);
    return status;
}

/* What an uninterrupted job without a checkpoint comes to. */
static void whole_state(ddn_output *o)
{
    job j;
    int resumed = -1;
    open_job(&j, NULL);
    assert_int_equal(run(&j, &resumed), 0);
    assert_int_equal(resumed, 0);
    assert_int_equal(j.task.iteration, ALL);
    put_state(&j, o);
    close_job(&j);
}

static const char *checkpoint(void)
{
    static char name[256];
    snprintf(name, sizeof name, "%s", test_scratch("checkpoint"));
    return name;
}

/* ---- Order ---- */

/* The calls of a job, written down from what the header says. */
static void write_expected(char *log)
{
    uint32_t order[EXAMPLES];
    ddn_rng r;
    for (uint32_t i = 0; i < EXAMPLES; i++)
        order[i] = i;
    for (int iteration = 0; iteration < ALL; iteration++) {
        if (iteration % ITERATIONS == 0)
            ddn_rng_init(&r, 100 + (uint64_t)(iteration / ITERATIONS));
        if (iteration > 0 && iteration % ITERATIONS == 0)
            log += sprintf(log, "\nrun %d", iteration / ITERATIONS);
        log += sprintf(log, "\nbegin %d", iteration);
        ddn_rng_shuffle(&r, order, EXAMPLES);
        for (int i = 0; i < EXAMPLES; i++) {
            log += sprintf(log, i % BATCH ? " %d" : "\nlearn %d", (int)order[i]);
            if (i == BATCH - 1)
                log += sprintf(log, "\ntick 0"); /* after the first batch */
        }
        log += sprintf(log, "\njudge %d", iteration);
        ddn_rng_below(&r, 1000);
    }
}

static void calls_come_in_order(void **state)
{
    (void)state;
    static char want[4096];
    job j;
    open_job(&j, NULL);
    assert_int_equal(run(&j, NULL), 0);
    write_expected(want);
    assert_string_equal(j.log, want);
    close_job(&j);
}

/* A tick after the first batch, and whenever 64 more examples are done. */
static void ticks_come_now_and_then(void **state)
{
    (void)state;
    enum { MANY = 400, BATCHED = 48 };
    static job j;
    open_job(&j, NULL);
    j.task.batch = BATCHED;
    j.task.examples = MANY;
    j.task.iterations = j.task.runs = 1;
    assert_int_equal(run(&j, NULL), 0);
    for (int i = 0, last = -1; i < MANY; i += BATCHED) {
        char line[24];
        snprintf(line, sizeof line, "\ntick %d\n", i);
        assert_int_equal(strstr(j.log, line) != NULL, i / 64 != last);
        last = i / 64;
    }
    close_job(&j);
}

/* The callbacks that may be left out. */
static void only_learning_is_needed(void **state)
{
    (void)state;
    job j;
    open_job(&j, checkpoint());
    j.task.begin_run = NULL;
    j.task.begin = j.task.judge = NULL;
    j.task.tick = NULL;
    j.task.put = NULL;
    j.task.take = NULL;
    assert_int_equal(run(&j, NULL), 0);
    assert_int_equal(j.calls[LEARN], ALL * BATCHES);
    close_job(&j);
    unlink(checkpoint());
}

/* ---- Interruptions ---- */

/* Stopped at every call of every sort, and taken up by another job. */
static void interrupted_jobs_come_to_the_same(void **state)
{
    (void)state;
    static const int calls[PHASES] = { RUNS - 1, ALL, ALL * BATCHES, ALL, ALL };
    ddn_output whole;
    whole_state(&whole);
    for (int phase = 0; phase < PHASES; phase++)
        for (int at = 1; at <= calls[phase]; at++) {
            job j;
            int resumed;
            open_job(&j, checkpoint());
            j.fail_phase = phase;
            j.fail_at = at;
            assert_int_equal(run(&j, &resumed), DODONA_E_CANCELLED);
            int finished = phase == BEGIN_RUN ? at * ITERATIONS : (at - 1) * ALL / calls[phase];
            assert_int_equal(j.task.iteration, finished);
            assert_int_equal(access(checkpoint(), F_OK) == 0, finished > 0);
            close_job(&j);
            open_job(&j, checkpoint());
            assert_int_equal(run(&j, &resumed), 0);
            assert_int_equal(resumed, finished);
            assert_int_equal(j.calls[BEGIN], ALL - finished);
            assert_true(same_state(&j, &whole));
            close_job(&j);
            unlink(checkpoint());
        }
    ddn_output_abandon(&whole);
}

/* Stopped in every iteration, again and again; and a job that has ended has nothing left to do. */
static void jobs_are_interrupted_again_and_again(void **state)
{
    (void)state;
    ddn_output whole;
    job j;
    int resumed, starts = 0, status = -1;
    whole_state(&whole);
    for (; status < 0; starts++) {
        open_job(&j, checkpoint());
        j.fail_phase = LEARN;
        j.fail_at = BATCHES + 1; /* in the second iteration of every start */
        status = run(&j, &resumed);
        assert_int_equal(resumed, starts);
        if (status == 0)
            assert_true(same_state(&j, &whole));
        close_job(&j);
    }
    assert_int_equal(starts, ALL);
    open_job(&j, checkpoint());
    assert_int_equal(run(&j, &resumed), 0);
    assert_int_equal(resumed, ALL);
    assert_string_equal(j.log, "");
    assert_true(same_state(&j, &whole));
    close_job(&j);
    unlink(checkpoint());
    ddn_output_abandon(&whole);
}

/* ---- Checkpoints that are none ---- */

/* A checkpoint after three iterations, in the second run. */
static char *make_checkpoint(size_t *size)
{
    job j;
    open_job(&j, checkpoint());
    j.fail_phase = BEGIN;
    j.fail_at = 4;
    assert_int_equal(run(&j, NULL), DODONA_E_CANCELLED);
    close_job(&j);
    return test_slurp(checkpoint(), size);
}

/* A job that finds these bytes as its checkpoint does as if there were none. */
static void passed_over(const char *bytes, size_t size, const ddn_output *whole)
{
    job j;
    int resumed = -1;
    test_spill(checkpoint(), bytes, size);
    open_job(&j, checkpoint());
    assert_int_equal(run(&j, &resumed), 0);
    assert_int_equal(resumed, 0);
    assert_true(same_state(&j, whole));
    close_job(&j);
    unlink(checkpoint());
}

static void damaged_checkpoints_are_passed_over(void **state)
{
    (void)state;
    ddn_output whole;
    size_t size;
    char *bytes = make_checkpoint(&size);
    whole_state(&whole);
    for (size_t cut = 0; cut < size; cut += 1 + cut / 8)
        passed_over(bytes, cut, &whole);
    for (size_t at = 0; at < size; at += 1 + size / 50) {
        bytes[at] ^= 1;
        passed_over(bytes, size, &whole);
        bytes[at] ^= 1;
    }
    free(bytes);
    ddn_output_abandon(&whole);
}

/* Changes the section of that number, or leaves it out (size 0), with all hashes right. */
static void forge(const ddn_model_file *f, int number, const void *data, size_t size,
                  const ddn_output *whole)
{
    ddn_output o;
    ddn_section section[DDN_MAX_SECTIONS];
    int sections = 0;
    for (int i = 0; i < f->sections; i++) {
        section[sections] = f->section[i];
        if (i == number) {
            section[sections].data = data;
            section[sections].size = size;
        }
        sections += i != number || size > 0;
    }
    ddn_output_memory(&o);
    ddn_model_file_put(&o, section, sections);
    passed_over(o.data, o.size, whole);
    ddn_output_abandon(&o);
}

static int number_of(const ddn_model_file *f, const char *name)
{
    const ddn_section *s;
    assert_int_equal(ddn_model_file_find(f, name, &s, NULL), 0);
    return (int)(s - f->section);
}

/* Whatever section makes no sense, none is taken: the models neither, although those that come
 * before it are sound. */
static void no_part_of_a_bad_checkpoint_is_taken(void **state)
{
    (void)state;
    static const char *const name[] = { "loop.point", "loop.order", "loop.model.1", "loop.model.2",
                                        "job" };
    ddn_output whole;
    ddn_model_file f;
    size_t size;
    char *bytes = make_checkpoint(&size);
    whole_state(&whole);
    assert_int_equal(ddn_model_file_memory(&f, bytes, size, "c", NULL), 0);
    for (int i = 0; i < 5; i++) {
        int number = number_of(&f, name[i]);
        const ddn_section *s = &f.section[number];
        forge(&f, number, s->data, 0, &whole);
        forge(&f, number, s->data, s->size - 1, &whole);
        char *longer = calloc(1, s->size + 1);
        assert_non_null(longer);
        memcpy(longer, s->data, s->size);
        forge(&f, number, longer, s->size + 1, &whole);
        free(longer);
    }
    ddn_model_file_close(&f);
    free(bytes);
    ddn_output_abandon(&whole);
}

/* Sections of the right size with contents of another job, or of none. */
static void foreign_checkpoints_are_passed_over(void **state)
{
    (void)state;
    ddn_output whole;
    ddn_model_file f;
    size_t size;
    char *bytes = make_checkpoint(&size);
    uint64_t point[6];
    uint32_t order[EXAMPLES];
    whole_state(&whole);
    assert_int_equal(ddn_model_file_memory(&f, bytes, size, "c", NULL), 0);
    int at = number_of(&f, "loop.point");
    assert_int_equal(f.section[at].size, sizeof point);
    memcpy(point, f.section[at].data, sizeof point);
    assert_int_equal(point[1], 3); /* iterations */
    point[0] ^= 1;
    forge(&f, at, point, sizeof point, &whole); /* other options */
    point[0] ^= 1;
    point[1] = ALL + 1;
    forge(&f, at, point, sizeof point, &whole); /* more iterations than there are */
    at = number_of(&f, "loop.order");
    memcpy(order, f.section[at].data, sizeof order);
    order[EXAMPLES - 1] = EXAMPLES;
    forge(&f, at, order, sizeof order, &whole); /* an example that does not exist */
    at = number_of(&f, "loop.model.2");
    char *model = malloc(f.section[at].size);
    assert_non_null(model);
    memcpy(model, f.section[at].data, f.section[at].size);
    model[16] ^= 0x40; /* the number of rows */
    forge(&f, at, model, f.section[at].size, &whole);
    free(model);
    ddn_model_file_close(&f);
    free(bytes);
    ddn_output_abandon(&whole);
}

/* ---- Errors ---- */

static void errors_are_passed_on(void **state)
{
    (void)state;
    job j;
    open_job(&j, "/nowhere/checkpoint");
    assert_int_equal(run(&j, NULL), DODONA_E_IO);
    assert_int_equal(j.calls[JUDGE], 1);
    close_job(&j);
    /* Memory that is short is no fault of a checkpoint. */
    size_t size;
    char *bytes = make_checkpoint(&size);
    ddn_model_file f;
    ddn_output o;
    assert_int_equal(ddn_model_file_memory(&f, bytes, size, "c", NULL), 0);
    memcpy(f.section[number_of(&f, "job")].name, "joy", 4);
    ddn_output_memory(&o);
    ddn_model_file_put(&o, f.section, f.sections);
    test_spill(checkpoint(), o.data, o.size);
    open_job(&j, checkpoint());
    j.take_code = DODONA_E_MEMORY;
    assert_int_equal(run(&j, NULL), DODONA_E_MEMORY);
    assert_string_equal(j.log, "");
    close_job(&j);
    unlink(checkpoint());
    ddn_output_abandon(&o);
    ddn_model_file_close(&f);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_come_in_order),
        cmocka_unit_test(ticks_come_now_and_then),
        cmocka_unit_test(only_learning_is_needed),
        cmocka_unit_test(interrupted_jobs_come_to_the_same),
        cmocka_unit_test(jobs_are_interrupted_again_and_again),
        cmocka_unit_test(damaged_checkpoints_are_passed_over),
        cmocka_unit_test(no_part_of_a_bad_checkpoint_is_taken),
        cmocka_unit_test(foreign_checkpoints_are_passed_over),
        cmocka_unit_test(errors_are_passed_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
