/* SPDX-License-Identifier: MIT */
/* test_latency.c - a program that talks to dodona parse --flush through pipes: it gets each
 * sentence before it sends the next. */
#define _XOPEN_SOURCE 700

#include "lib/check.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH = 512, PATIENCE = 60000 /* milliseconds */ };

static char dodona[PATH];

typedef struct talk {
    pid_t pid;
    int to, from;
    char got[1 << 16];
    size_t size;
} talk;

static void begin(talk *t, const char *const *argv)
{
    int in[2], out[2];
    t->size = 0;
    assert_true(pipe(in) == 0 && pipe(out) == 0);
    t->pid = fork();
    assert_true(t->pid >= 0);
    if (t->pid == 0) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        close(in[0]);
        close(in[1]);
        close(out[0]);
        close(out[1]);
        execv(argv[0], (char *const *)argv);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    t->to = in[1];
    t->from = out[0];
}

static void say(talk *t, const char *text)
{
    assert_int_equal(write(t->to, text, strlen(text)), strlen(text));
}

/* Reads until so many sentences have come in all; more must not come. */
static void hear(talk *t, int sentences)
{
    for (;;) {
        int have = 0;
        t->got[t->size] = '\0';
        for (const char *at = t->got; (at = strstr(at, "\n\n")); at += 2)
            have++;
        assert_true(have <= sentences);
        if (have == sentences)
            return;
        struct pollfd p = { .fd = t->from, .events = POLLIN };
        if (poll(&p, 1, PATIENCE) != 1) {
            kill(t->pid, SIGKILL);
            fail_msg("nothing comes after %d of %d sentences", have, sentences);
        }
        ssize_t more = read(t->from, t->got + t->size, sizeof t->got - t->size - 1);
        assert_true(more > 0);
        t->size += (size_t)more;
    }
}

static void end(talk *t)
{
    int status;
    close(t->to);
    assert_int_equal(waitpid(t->pid, &status, 0), t->pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    close(t->from);
}

static int prepare(void **state)
{
    (void)state;
    const char *build = getenv("DODONA_BUILD");
    snprintf(dodona, sizeof dodona, "%s/dodona", build ? build : "build");
    return 0;
}

static const char *const threads[] = { "-j1", "-j3" };

static void text(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        static talk t;
        begin(&t, (const char *const[]){ dodona, "parse", "--flush", threads[i], NULL });
        say(&t, "The oak speaks.\n\n");
        hear(&t, 1);
        say(&t, "\n\nThe oak\nis old.\r\n  \r\nIt");
        hear(&t, 2);
        say(&t, " is quiet.\n"); /* may go on */
        say(&t, "\n");
        hear(&t, 3);
        /* A sentence is certain when enough of the next ones is there. */
        say(&t,
            "The wind blows. Nobody hears it, for there is nobody near who could, and it ends.");
        hear(&t, 4);
        end(&t);
    }
}

static void tokens(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        static talk t;
        begin(&t, (const char *const[]){ dodona, "parse", "--flush", threads[i], "--input",
                                         "tokens", NULL });
        say(&t, "The oak speaks .\n");
        hear(&t, 1);
        say(&t, "It is old .\nIt is");
        hear(&t, 2);
        say(&t, " quiet .\n");
        hear(&t, 3);
        end(&t);
    }
}

static void conllu(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        static talk t;
        begin(&t, (const char *const[]){ dodona, "parse", "--flush", threads[i], NULL });
        say(&t, "1\toaks\t_\t_\t_\t_\t_\t_\t_\t_\n\n");
        hear(&t, 1);
        say(&t, "1\toaks\t_\t_\t_\t_\t_\t_\t_\t_\n\n1\tthey");
        hear(&t, 2);
        say(&t, "\t_\t_\t_\t_\t_\t_\t_\t_\n\n");
        hear(&t, 3);
        end(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text),
        cmocka_unit_test(tokens),
        cmocka_unit_test(conllu),
    };
    return cmocka_run_group_tests(tests, prepare, NULL);
}
