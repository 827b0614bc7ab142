/* SPDX-License-Identifier: MIT */
/* files.c - one file after the other is opened, read to its end and closed. */
#include "cli/files.h"
#include "cli/cli.h"

#include "cli/progress.h"
#include "core/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

ddn_operands ddn_files_or_input(const ddn_operands *operands)
{
    static char *standard_input[] = { "-" };
    ddn_operands files = *operands;
    if (files.count == 0) {
        files.of = standard_input;
        files.count = 1;
    }
    return files;
}

void ddn_files_init(ddn_files *f, const ddn_operands *operands, const dodona_reader_options *o)
{
    ddn_operands files = ddn_files_or_input(operands);
    *f = (ddn_files){
        .path = files.of, .count = files.count, .total = ddn_files_size(&files), .options = *o
    };
}

static void count_replaced(ddn_files *f)
{
    int64_t lines[DDN_PLACES], count = dodona_reader_replaced(f->reader, lines, DDN_PLACES);
    for (int i = 0; i < DDN_PLACES && i < count && f->replaced + i < DDN_PLACES; i++) {
        f->place[f->replaced + i].file = ddn_path_name(f->path[f->at - 1]);
        f->place[f->replaced + i].line = lines[i];
    }
    f->replaced += count;
}

static void close_reader(ddn_files *f)
{
    dodona_error first;
    int64_t bad = f->reader ? dodona_reader_bad(f->reader, &first) : 0;
    if (bad && !f->bad)
        f->first = first;
    f->bad += bad;
    if (f->reader) {
        count_replaced(f);
        f->bytes += dodona_reader_bytes(f->reader);
    }
    dodona_reader_close(f->reader);
    f->reader = NULL;
}

void ddn_files_fini(ddn_files *f)
{
    close_reader(f);
}

int ddn_files_pull(void *files, dodona_sentence *s, dodona_error *err)
{
    ddn_files *f = files;
    for (;;) {
        if (f->reader) {
            int status = dodona_reader_next(f->reader, s, err);
            f->options.sentences += status == 1 && !f->options.pieces;
            if (status != 0)
                return status;
            close_reader(f);
        }
        if (f->at == f->count)
            return 0;
        if (f->options.flush && !f->told) {
            f->told = true;
            return DODONA_WAIT;
        }
        f->told = false;
        int status = dodona_reader_open(f->path[f->at++], &f->options, &f->reader, err);
        if (status < 0)
            return status;
    }
}

static int each_of(ddn_files *f, dodona_push each, void *ctx, dodona_sentence *s,
                   ddn_progress *progress, dodona_error *err)
{
    dodona_progress now = { 0 };
    int status;
    while ((status = ddn_files_pull(f, s, err)) > 0) {
        now.done++;
        now.tokens += dodona_sentence_length(s);
        status = each(ctx, s, err);
        if (status < 0)
            break;
        ddn_progress_parse(progress, &now,
                           f->total ? (double)ddn_files_bytes(f) / (double)f->total : -1);
    }
    if (status < 0 && err->line && !err->file[0])
        snprintf(err->file, sizeof err->file, "%s", ddn_path_name(f->path[f->at - 1]));
    return status;
}

int ddn_files_each(const ddn_operands *operands, const dodona_reader_options *o, dodona_push each,
                   void *ctx, dodona_error *err)
{
    ddn_files files;
    ddn_progress progress;
    dodona_sentence *s = dodona_sentence_new();
    ddn_files_init(&files, operands, o);
    ddn_progress_init(&progress, operands->quiet, true);
    int status = s ? each_of(&files, each, ctx, s, &progress, err) : ddn_fail_memory(err);
    ddn_files_fini(&files);
    ddn_progress_end(&progress);
    dodona_sentence_free(s);
    return status;
}

void ddn_files_warn(const ddn_files *f)
{
    char text[1024] = "";
    if (f->bad)
        ddn_warn("%lld sentence%s copied unparsed; the first: %s", (long long)f->bad,
                 f->bad == 1 ? "" : "s", dodona_error_text(&f->first, text, sizeof text));
    if (!f->replaced)
        return;
    size_t used = 0;
    for (int i = 0; i < DDN_PLACES && i < f->replaced && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s:%lld", i ? ", " : "",
                                 f->place[i].file, (long long)f->place[i].line);
    const char *encoding = f->options.encoding ? f->options.encoding : "utf-8";
    ddn_warn("U+FFFD was put in for what is not %s, %lld time%s; the first: %s", encoding,
             (long long)f->replaced, f->replaced == 1 ? "" : "s", text);
}

int64_t ddn_files_bytes(const ddn_files *f)
{
    return f->bytes + (f->reader ? dodona_reader_bytes(f->reader) : 0);
}

int64_t ddn_files_size(const ddn_operands *files)
{
    int64_t total = 0;
    for (int i = 0; i < files->count; i++) {
        struct stat s;
        bool standard = strcmp(files->of[i], "-") == 0;
        int status = standard ? fstat(STDIN_FILENO, &s) : stat(files->of[i], &s);
        if (status != 0 || !S_ISREG(s.st_mode))
            return 0;
        total += (int64_t)s.st_size;
    }
    return total;
}

static int terminal_width(void)
{
    enum { COMMON = 80, LEAST = 20 };
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    int width = columns ? atoi(columns) : 0;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        width = size.ws_col;
    return width <= 0 ? COMMON : width < LEAST ? LEAST : width;
}

/* https://no-color.org */
static bool wants_colours(void)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return !(no && *no) && term && strcmp(term, "dumb") != 0;
}

int ddn_writer_open(const char *format, const char *path, dodona_writer **out, dodona_error *err)
{
    int found = dodona_format_find(format, err);
    int status = found < 0 ? found : dodona_writer_open(path, (dodona_format)found, out, err);
    if (status >= 0 && strcmp(path, "-") == 0 && isatty(STDOUT_FILENO))
        dodona_writer_terminal(*out, terminal_width(), wants_colours());
    return status;
}

int ddn_writer_end(dodona_writer *w, int status, dodona_error *err)
{
    int closed = dodona_writer_close(w, status < 0 ? NULL : err);
    return status < 0 ? status : closed;
}

const char *ddn_path_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "<stdin>" : path;
}
