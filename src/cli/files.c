/* SPDX-License-Identifier: MIT */
/* files.c - one file after the other is opened, read to its end and closed. */
#include "cli/files.h"

#include <string.h>

static char *const standard_input[] = { "-" };

void ddn_files_init(ddn_files *f, const ddn_operands *operands, const dodona_reader_options *o)
{
    *f = (ddn_files){ .path = operands->of, .count = operands->count, .options = *o };
    if (f->count == 0) {
        f->path = standard_input;
        f->count = 1;
    }
}

static void close_reader(ddn_files *f)
{
    dodona_error first;
    int64_t bad = f->reader ? dodona_reader_bad(f->reader, &first) : 0;
    if (bad && !f->bad)
        f->first = first;
    f->bad += bad;
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
            if (status != 0)
                return status;
            close_reader(f);
        }
        if (f->at == f->count)
            return 0;
        int status = dodona_reader_open(f->path[f->at++], &f->options, &f->reader, err);
        if (status < 0)
            return status;
    }
}

const char *ddn_path_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "<stdin>" : path;
}
