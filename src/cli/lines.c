/* SPDX-License-Identifier: MIT */
/* lines.c - a line is taken as soon as it is there, and what is wrong with it is told with its
 * file and number. */
#include "cli/lines.h"
#include "cli/cli.h"
#include "cli/files.h"
#include "core/buffer.h"
#include "core/error.h"

#include <stdio.h>

static int take_all(ddn_take_line *take, void *ctx, ddn_buffer *b, int64_t *number,
                    dodona_error *err)
{
    for (;; ++*number) {
        size_t size;
        int status = ddn_buffer_line(b, &size, err);
        if (status < 0 || size == 0)
            return status;
        const char *text = b->data + b->at;
        status = take(ctx, (dodona_text){ text, size - (text[size - 1] == '\n') }, err);
        if (status < 0)
            return status;
        b->at += size;
    }
}

static int take_file(ddn_take_line *take, void *ctx, const char *path, dodona_error *err)
{
    ddn_input *in;
    ddn_buffer buffer;
    dodona_error why;
    int64_t line = 1;
    int status = ddn_input_open(&in, path, err);
    if (status >= 0)
        status = ddn_buffer_init(&buffer, in, err);
    if (status < 0)
        return status;
    status = take_all(take, ctx, &buffer, &line, &why);
    ddn_buffer_fini(&buffer);
    if ((status == DODONA_E_INPUT || status == DODONA_E_LIMIT) && !why.line)
        ddn_fail_at(err, (dodona_code)status, ddn_path_name(path), line, "%s", why.message);
    else if (status < 0)
        *err = why;
    return status;
}

int ddn_take_lines(const ddn_operands *operands, ddn_take_line *take, void *ctx, dodona_error *err)
{
    ddn_operands files = ddn_files_or_input(operands);
    int status = DODONA_OK;
    for (int i = 0; i < files.count && status >= 0; i++)
        status = take_file(take, ctx, files.of[i], err);
    return status;
}

typedef struct answering {
    ddn_answer *answer;
    void *ctx;
} answering;

static int print_answer(void *ctx, dodona_text line, dodona_error *err)
{
    const answering *a = ctx;
    dodona_text out;
    int status = a->answer(a->ctx, line, &out, err);
    if (status < 0)
        return status;
    fwrite(out.data, 1, out.size, stdout);
    putchar('\n');
    return ddn_print_check(err);
}

int ddn_answer_lines(const ddn_operands *files, ddn_answer *answer, void *ctx, dodona_error *err)
{
    answering a = { answer, ctx };
    return ddn_take_lines(files, print_answer, &a, err);
}
