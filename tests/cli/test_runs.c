/* SPDX-License-Identifier: MIT */
/* test_runs.c - the command as a process: killed and started again, interrupted, measured.
 *
 * The data comes from the generator, so runs are long enough to be hit in the middle but short
 * enough for a test. */
#include "core/rng.h"
#include "lib/check.h"
#include "lib/files.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATH = 512, KILLS = 12, MOST_RUNS = 200 };

typedef struct fixture {
    char dodona[PATH], generate[PATH], train[PATH], dev[PATH], model[PATH], other[PATH], err[PATH];
} fixture;

/* Starts a program with its output and its errors in files; NULL: /dev/null. */
static pid_t start(const char *const *argv, const char *in, const char *out, const char *err)
{
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid)
        return pid;
    int i = open(in ? in : "/dev/null", O_RDONLY);
    int o = open(out ? out : "/dev/null", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int e = open(err ? err : "/dev/null", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (i < 0 || o < 0 || e < 0 || dup2(i, 0) < 0 || dup2(o, 1) < 0 || dup2(e, 2) < 0)
        _exit(126);
    execv(argv[0], (char *const *)argv);
    _exit(127);
}

static int finish(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        assert_int_equal(errno, EINTR);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void wait_for(double seconds)
{
    struct timespec t = { (time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9) };
    nanosleep(&t, NULL);
}

static char *content(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    *size = (size_t)ftell(f);
    rewind(f);
    char *data = malloc(*size + 1);
    assert_non_null(data);
    assert_int_equal(fread(data, 1, *size, f), *size);
    data[*size] = '\0';
    fclose(f);
    return data;
}

static void assert_same_file(const char *a, const char *b)
{
    size_t m, n;
    char *x = content(a, &m), *y = content(b, &n);
    assert_int_equal(m, n);
    assert_memory_equal(x, y, m);
    free(x);
    free(y);
}

static void assert_says(const char *path, const char *words)
{
    size_t size;
    char *text = content(path, &size);
    if (!strstr(text, words))
        fail_msg("expected \"%s\" in: %s", words, text);
    free(text);
}

static void generate(const fixture *f, const char *seed, const char *sentences, const char *to)
{
    const char *argv[] = { f->generate, "--seed", seed, "--sentences", sentences, NULL };
    assert_int_equal(finish(start(argv, NULL, to, NULL)), 0);
}

static pid_t start_training(const fixture *f, const char *model, const char *iterations)
{
    const char *argv[] = { f->dodona, "train", "--train",      f->train,   "--dev", f->dev,
                           "--model", model,   "--iterations", iterations, NULL };
    return start(argv, NULL, NULL, f->err);
}

static int set_up(void **state)
{
    static fixture f;
    const char *build = getenv("DODONA_BUILD");
    assert_non_null(build);
    snprintf(f.dodona, PATH, "%s/dodona", build);
    snprintf(f.generate, PATH, "%s/tools/generate", build);
    snprintf(f.train, PATH, "%s", test_scratch("train.conllu"));
    snprintf(f.dev, PATH, "%s", test_scratch("dev.conllu"));
    snprintf(f.model, PATH, "%s", test_scratch("model"));
    snprintf(f.other, PATH, "%s", test_scratch("other"));
    snprintf(f.err, PATH, "%s", test_scratch("errors"));
    generate(&f, "1", "2000", f.train);
    generate(&f, "2", "100", f.dev);
    *state = &f;
    return 0;
}

static void remove_models(const fixture *f)
{
    char checkpoint[PATH + 16];
    remove(f->model);
    remove(f->other);
    snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", f->other);
    remove(checkpoint);
}

/* Killed again and again at moments that the seed of the test picks, each time after about half an
 * iteration to two, the run ends in the bytes of one that was left alone. */
static void killed_runs_end_in_the_same_model(void **state)
{
    const fixture *f = *state;
    double began = now();
    remove_models(f);
    assert_int_equal(finish(start_training(f, f->model, "8")), 0);
    double iteration = (now() - began) / 8;
    ddn_rng rng;
    ddn_rng_init(&rng, 5);
    int kills = 0, runs = 0, code;
    do {
        pid_t pid = start_training(f, f->other, "8");
        if (kills < KILLS) {
            wait_for(iteration * (0.5 + 1.5 * (double)ddn_rng_below(&rng, 1000) / 1000));
            kill(pid, SIGKILL);
        }
        code = finish(pid);
        kills += code == -SIGKILL;
        assert_true(code == 0 || code == -SIGKILL);
        assert_true(++runs < MOST_RUNS);
    } while (code != 0);
    print_message("killed %d times\n", kills);
    assert_true(kills > 0);
    assert_same_file(f->model, f->other);
    char checkpoint[PATH + 16];
    snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", f->other);
    assert_int_not_equal(access(checkpoint, F_OK), 0);
}

/* Waits until the run has ended an iteration, and so has written a checkpoint or is about to. */
static void wait_for_checkpoint(const char *model)
{
    char checkpoint[PATH + 16];
    snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", model);
    for (int i = 0; i < 10000 && access(checkpoint, F_OK) != 0; i++)
        wait_for(0.002);
    assert_int_equal(access(checkpoint, F_OK), 0);
}

static void interrupt_and_go_on(const fixture *f, int signal)
{
    remove_models(f);
    pid_t pid = start_training(f, f->other, "10000");
    wait_for_checkpoint(f->other);
    kill(pid, signal);
    assert_int_equal(finish(pid), 1);
    assert_says(f->err, "give the same command again to go on from there");
    assert_int_not_equal(access(f->other, F_OK), 0);
    /* With as many iterations as it takes to be past the checkpoint, and as one run. */
    char more[16];
    size_t size;
    char *said = content(f->err, &size);
    int done = 0;
    for (char *at = said; (at = strstr(at, "iteration ")); at++)
        done++;
    free(said);
    snprintf(more, sizeof more, "%d", done + 2);
    assert_int_equal(finish(start_training(f, f->other, more)), 0);
    assert_says(f->err, "from the checkpoint");
    assert_int_equal(finish(start_training(f, f->model, more)), 0);
    assert_same_file(f->model, f->other);
}

static void interrupted_runs_go_on(void **state)
{
    interrupt_and_go_on(*state, SIGINT);
    interrupt_and_go_on(*state, SIGTERM);
}

/* Fewer iterations than the checkpoint has: it is not taken, since its best model may come from one
 * of those that are not asked for. */
static void a_checkpoint_too_far_is_not_taken(void **state)
{
    const fixture *f = *state;
    remove_models(f);
    assert_int_equal(finish(start_training(f, f->model, "1")), 0);
    pid_t pid = start_training(f, f->other, "10000");
    wait_for_checkpoint(f->other);
    for (int i = 0; i < 10000; i++) {
        size_t size;
        char *said = content(f->err, &size);
        int ended = strstr(said, "iteration 3/") != NULL;
        free(said);
        if (ended)
            break;
        wait_for(0.002);
    }
    kill(pid, SIGKILL);
    assert_int_equal(finish(pid), -SIGKILL);
    assert_int_equal(finish(start_training(f, f->other, "1")), 0);
    assert_same_file(f->model, f->other);
}

/* ---- Memory ---- */

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

#ifndef SANITIZED
/* The most memory that a run took, in KiB.  A process of its own waits for it, so that other
 * children don't count. */
static long peak_kib(const char *const *argv)
{
    int ends[2];
    long kib = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct rusage usage;
        int code = finish(start(argv, NULL, NULL, NULL));
        getrusage(RUSAGE_CHILDREN, &usage);
        kib = usage.ru_maxrss;
        _exit(write(ends[1], &kib, sizeof kib) == (ssize_t)sizeof kib ? code : 1);
    }
    assert_int_equal(finish(pid), 0);
    assert_int_equal(read(ends[0], &kib, sizeof kib), sizeof kib);
    close(ends[0]);
    close(ends[1]);
    return kib;
}

static void repeat(const char *from, const char *to, int times)
{
    size_t size;
    char *data = content(from, &size);
    FILE *f = fopen(to, "wb");
    assert_non_null(f);
    for (int i = 0; i < times; i++)
        assert_int_equal(fwrite(data, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
    free(data);
}
#endif

/* From an input that uses every buffer to one that is thirty times as long, 24 MB: no more than the
 * buffers of the threads take when each has had the longest sentence. */
static void parsing_has_bounded_memory(void **state)
{
#ifdef SANITIZED
    (void)state;
    print_message("skipped: a sanitizer keeps freed memory for a while\n");
    skip();
#else
    const fixture *f = *state;
    char once[PATH], often[PATH];
    snprintf(once, PATH, "%s", test_scratch("once"));
    snprintf(often, PATH, "%s", test_scratch("often"));
    repeat(f->dev, once, 10);
    repeat(f->dev, often, 300);
    remove_models(f);
    assert_int_equal(finish(start_training(f, f->model, "1")), 0);
    for (int k = 0; k < 2; k++) {
        const char *j = k ? "4" : "1";
        const char *argv[] = { f->dodona, "parse", "--model", f->model, "-j", j, once, NULL };
        long before = peak_kib(argv);
        argv[6] = often;
        long after = peak_kib(argv);
        print_message("-j %s: %ld KiB, then %ld KiB\n", j, before, after);
        assert_true(after < before + 8192);
    }
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(killed_runs_end_in_the_same_model),
        cmocka_unit_test(interrupted_runs_go_on),
        cmocka_unit_test(a_checkpoint_too_far_is_not_taken),
        cmocka_unit_test(parsing_has_bounded_memory),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
