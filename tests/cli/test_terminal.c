/* SPDX-License-Identifier: MIT */
/* test_terminal.c - the command in a terminal: width, colours, and the browser that view opens. */
#define _XOPEN_SOURCE 700 /* pseudo-terminals */

#include "lib/check.h"
#include "lib/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH = 512, COLUMNS = 24 };

static char dodona[PATH], trees[PATH], folder[PATH];

/* In the child: a terminal of COLUMNS columns for its output. */
static void take_terminal(const char *name)
{
    struct winsize size = { .ws_row = 20, .ws_col = COLUMNS };
    setsid();
    int fd = open(name, O_RDWR);
    if (fd < 0 || ioctl(fd, TIOCSWINSZ, &size) < 0 || dup2(fd, 0) < 0 || dup2(fd, 1) < 0 ||
        dup2(fd, 2) < 0)
        _exit(126);
}

/* Runs the command in a terminal where typed comes from the keys; returns its exit code and what
 * the terminal got, with \n alone as line ends. */
static int in_terminal(const char *const *argv, const char *const *environment, const char *typed,
                       char *got, size_t size)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        take_terminal(ptsname(master));
        execve(argv[0], (char *const *)argv, (char *const *)environment);
        _exit(127);
    }
    assert_int_equal(write(master, typed, strlen(typed)), strlen(typed));
    size_t used = 0;
    ssize_t more;
    /* The last program to close it makes reading fail with EIO. */
    while (used + 1 < size &&
           ((more = read(master, got + used, size - used - 1)) > 0 || (more < 0 && errno == EINTR)))
        used += more > 0 ? (size_t)more : 0;
    size_t kept = 0;
    for (size_t i = 0; i < used; i++)
        if (got[i] != '\r')
            got[kept++] = got[i];
    got[kept] = '\0';
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    close(master);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void put_file(const char *path, const char *text, mode_t mode)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0 && fclose(f) == 0 && chmod(path, mode) == 0);
}

static int prepare(void **state)
{
    (void)state;
    const char *build = getenv("DODONA_BUILD");
    snprintf(dodona, sizeof dodona, "%s/dodona", build ? build : "build");
    snprintf(folder, sizeof folder, "%s", test_scratch("bin"));
    snprintf(trees, sizeof trees, "%s", test_scratch("trees.conllu"));
    put_file(trees,
             "# text = Oaks speak to all people\n"
             "1\tOaksoaksoaksoaksoaks\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n"
             "2\tspeak\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n",
             0600);
    return 0;
}

static void colours_and_width(void **state)
{
    (void)state;
    char got[4096];
    const char *const argv[] = { dodona, "view", trees, NULL };
    const char *const colours[] = { "TERM=xterm", NULL };
    assert_int_equal(in_terminal(argv, colours, "", got, sizeof got), 0);
    assert_string_equal(got,
                        "Oaks speak to all people\n"
                        "\x1b[2m╭─ \x1b[0mOaksoak…  \x1b[36mNOUN\x1b[0m  \x1b[33mnsubj\x1b[0m\n"
                        "\x1b[2m╯ \x1b[0mspeak      \x1b[36mVERB\x1b[0m  \x1b[33mroot\x1b[0m\n\n");
    const char *const plain[] = { "TERM=xterm", "NO_COLOR=1", NULL };
    static const char want[] = "Oaks speak to all people\n"
                               "╭─ Oaksoak…  NOUN  nsubj\n"
                               "╯ speak      VERB  root\n\n";
    assert_int_equal(in_terminal(argv, plain, "", got, sizeof got), 0);
    assert_string_equal(got, want);
    const char *const dumb[] = { "TERM=dumb", NULL };
    const char *const convert[] = { dodona, "convert", "--quiet", "--output", "tree", trees, NULL };
    assert_int_equal(in_terminal(convert, dumb, "", got, sizeof got), 0);
    assert_string_equal(got, want);
}

/* Somebody who types is told how to end. */
static void typing(void **state)
{
    (void)state;
    char got[4096];
    const char *const environment[] = { "TERM=xterm", "NO_COLOR=1", NULL };
    const char *const argv[] = { dodona, "parse", "--output", "tree", NULL };
    assert_int_equal(in_terminal(argv, environment, "Oaks speak.\n\x04", got, sizeof got), 0);
    assert_non_null(strstr(got, "A blank line shows"));
    assert_non_null(strstr(got, "Ctrl-D"));
    assert_non_null(strstr(got, "  root\n"));
    const char *const quiet[] = { dodona, "parse", "--quiet", NULL };
    assert_int_equal(in_terminal(quiet, environment, "Oaks speak.\n\x04", got, sizeof got), 0);
    assert_null(strstr(got, "Ctrl-D"));
}

/* A bar, and the time that is left; not between sentences in the same terminal. */
static void progress(void **state)
{
    (void)state;
    static char got[1 << 20];
    char input[PATH], out[PATH];
    const char *const environment[] = { "TERM=xterm", NULL };
    snprintf(input, sizeof input, "%s", test_scratch("many"));
    snprintf(out, sizeof out, "%s", test_scratch("parsed"));
    FILE *f = fopen(input, "w");
    assert_non_null(f);
    for (int i = 0; i < 60000; i++)
        assert_true(fputs("The old oak speaks to the wind .\n", f) >= 0);
    assert_int_equal(fclose(f), 0);
    const char *const argv[] = { dodona,  "parse", "--input", "tokens", "--steps",
                                 "parse", "-o",    out,       input,    NULL };
    assert_int_equal(in_terminal(argv, environment, "", got, sizeof got), 0);
    assert_non_null(strstr(got, "[#"));
    assert_non_null(strstr(got, "% "));
    assert_non_null(strstr(got, " words/s, 0:0"));
    assert_non_null(strstr(got, " left "));
    assert_non_null(strstr(got, "60000 sentences, 480000 words, "));
    unlink(out);
    unlink(input);
}

/* A program in place of xdg-open that tells what it was given. */
static void the_browser(void **state)
{
    (void)state;
    char got[4096], path[PATH + 32], opener[PATH + 32], temporary[PATH + 32];
    snprintf(path, sizeof path, "PATH=%s:/usr/bin:/bin", folder);
    snprintf(temporary, sizeof temporary, "TMPDIR=%s", folder);
    snprintf(opener, sizeof opener, "%s/xdg-open", folder);
    assert_int_equal(mkdir(folder, 0700), 0);
    put_file(opener, "#!/bin/sh\ngrep -c '^<details' \"$1\"\nrm -r \"$(dirname \"$1\")\"\n", 0700);
    const char *const environment[] = { "TERM=xterm", "DISPLAY=:9", path, temporary, NULL };
    const char *const argv[] = { dodona, "view", trees, NULL };
    assert_int_equal(in_terminal(argv, environment, "", got, sizeof got), 0);
    assert_memory_equal(got, "1\ndodona: the page is ", 22);
    assert_non_null(strstr(got, "/trees.html\n"));
    /* With --output, the terminal gets it. */
    const char *const written[] = { dodona, "view", "--output", "tikz", trees, NULL };
    assert_int_equal(in_terminal(written, environment, "", got, sizeof got), 0);
    assert_memory_equal(got, "\\begin{dependency}", 18);
    /* Bad input: no browser, and no folder left. */
    const char *const missing[] = { dodona, "view", "/nonexistent", NULL };
    assert_int_equal(in_terminal(missing, environment, "", got, sizeof got), 1);
    assert_non_null(strstr(got, "/nonexistent: can't open"));
    put_file(opener, "#!/bin/sh\nrm -r \"$(dirname \"$1\")\"\nexit 3\n", 0700);
    assert_int_equal(in_terminal(argv, environment, "", got, sizeof got), 1);
    assert_non_null(strstr(got, "xdg-open did not open the page; it is "));
    assert_int_equal(unlink(opener), 0);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colours_and_width),
        cmocka_unit_test(typing),
        cmocka_unit_test(progress),
        cmocka_unit_test(the_browser),
    };
    return cmocka_run_group_tests(tests, prepare, NULL);
}
