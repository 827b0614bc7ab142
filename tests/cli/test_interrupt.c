/* SPDX-License-Identifier: MIT */
/* test_interrupt.c - dodona parse that is interrupted while it waits for input: exit code 130,
 * whole sentences on standard output, and no file at all with -o. */
#define _XOPEN_SOURCE 700

#include "lib/check.h"
#include "lib/files.h"
#include "lib/memory.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* More sentences than a pipe and the buffers of the command hold: when all have been written, some
 * have been parsed. */
enum { PATH = 512, SENTENCES = 16000 };

static char dodona[PATH], folder[PATH], out[PATH + 16];

static int prepare(void **state)
{
    (void)state;
    const char *build = getenv("DODONA_BUILD");
    snprintf(dodona, sizeof dodona, "%s/dodona", build ? build : "build");
    snprintf(folder, sizeof folder, "%s", test_scratch("interrupted"));
    snprintf(out, sizeof out, "%s/out", folder);
    return mkdir(folder, 0700);
}

static int tidy(void **state)
{
    (void)state;
    return rmdir(folder);
}

/* Runs the command with its standard output in a file, sends it sentences without an end, and then
 * the signal; its exit code. */
static int interrupt(const char *const *argv, const char *standard_output, int number)
{
    int in[2], status;
    assert_int_equal(pipe(in), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        int to = open("/dev/null", O_WRONLY);
        signal(SIGINT, SIG_DFL);
        dup2(in[0], 0);
        dup2(open(standard_output, O_WRONLY | O_CREAT, 0600), 1);
        dup2(to, 2);
        close(in[0]);
        close(in[1]);
        execv(argv[0], (char *const *)argv);
        _exit(127);
    }
    close(in[0]);
    for (int i = 0; i < SENTENCES; i++)
        assert_int_equal(write(in[1], "The oak speaks .\n", 17), 17);
    kill(pid, number);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    close(in[1]);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int files(void)
{
    int count = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));)
        count += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(d);
    return count;
}

static const char *const threads[] = { "-j1", "-j3" };

static void no_file(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        const char *const argv[] = { dodona,     "parse", "--input", "tokens",
                                     threads[i], "-o",    out,       NULL };
        assert_int_equal(interrupt(argv, "/dev/null", SIGINT), 130);
        assert_int_equal(files(), 0);
        assert_int_equal(interrupt(argv, "/dev/null", SIGTERM), 143);
        assert_int_equal(files(), 0);
    }
}

/* How many sentences come before the signal differs; each is whole. */
static void whole_sentences(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        size_t size;
        const char *const argv[] = { dodona, "parse", "--input", "tokens", threads[i], NULL };
        assert_int_equal(interrupt(argv, out, SIGINT), 130);
        char *got = test_slurp(out, &size);
        assert_true(size > 2);
        assert_memory_equal(got + size - 2, "\n\n", 2);
        free(got);
        assert_int_equal(unlink(out), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_file),
        cmocka_unit_test(whole_sentences),
    };
    return cmocka_run_group_tests(tests, prepare, tidy);
}
