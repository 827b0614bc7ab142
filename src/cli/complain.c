/* SPDX-License-Identifier: MIT */
/* complain.c - messages on standard error, and failures of standard output. */
#include "cli/cli.h"

#include "core/error.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int ddn_print_check(dodona_error *err)
{
    if (!ferror(stdout))
        return DODONA_OK;
    return ddn_fail_at(err, DODONA_E_IO, "<stdout>", 0, "can't write: %s", strerror(errno));
}

int ddn_print(dodona_text text, dodona_error *err)
{
    fwrite(text.data, 1, text.size, stdout);
    return ddn_print_check(err);
}

/* A pipe without readers is in the state of an error also when nothing is written. */
static bool is_unread(int fd)
{
    struct pollfd pipe = { .fd = fd };
    return poll(&pipe, 1, 0) == 1 && pipe.revents & (POLLERR | POLLHUP);
}

int ddn_complain(const dodona_error *err)
{
    char text[sizeof err->file + sizeof err->message + 32];
    if (err->code == DODONA_E_IO && strcmp(err->file, "<stdout>") == 0 && is_unread(STDOUT_FILENO))
        return DDN_UNREAD;
    fprintf(stderr, "dodona: %s\n", dodona_error_text(err, text, sizeof text));
    return err->code == DODONA_E_ARGUMENT ? DDN_MISUSE : DDN_BAD;
}

static void say(const char *format, va_list args)
{
    fputs("dodona: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

int ddn_misuse(const char *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(format, args);
    va_end(args);
    fprintf(stderr, "Try 'dodona %s%s--help'.\n", command ? command : "", command ? " " : "");
    return DDN_MISUSE;
}

void ddn_warn(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(format, args);
    va_end(args);
}
