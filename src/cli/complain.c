/* SPDX-License-Identifier: MIT */
/* complain.c - messages on standard error. */
#include "cli/cli.h"

#include <stdarg.h>
#include <stdio.h>

int ddn_complain(const dodona_error *err)
{
    char text[sizeof err->file + sizeof err->message + 32];
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
