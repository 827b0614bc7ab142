/* SPDX-License-Identifier: MIT */
#include "cli/lines.h"
#include "cli/files.h"
#include "core/buffer.h"
#include "core/error.h"

#include <stdio.h>

static int answer_all(ddn_answer *answer, void *ctx, ddn_buffer *b, int64_t *number,
                      dodona_error *err)
{
    for (;; ++*number) {
        dodona_text out;
        size_t size;
        int status = ddn_buffer_line(b, &size, err);
        if (status < 0 || size == 0)
            return status;
        const char *text = b->data + b->at;
        dodona_text line = { text, size - (text[size - 1] == '\n') };
        status = answer(ctx, line, &out, err);
        if (status < 0)
            return status;
        fwrite(out.data, 1, out.size, stdout);
        putchar('\n');
        b->at += size;
    }
}

static int answer_file(ddn_answer *answer, void *ctx, const char *path, dodona_error *err)
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
    status = answer_all(answer, ctx, &buffer, &line, &why);
    ddn_buffer_fini(&buffer);
    if (status < 0 && (status == DODONA_E_INPUT || status == DODONA_E_LIMIT) && !why.line)
        ddn_fail_at(err, (dodona_code)status, ddn_path_name(path), line, "%s", why.message);
    else if (status < 0)
        *err = why;
    return status;
}

int ddn_answer_lines(const ddn_operands *files, ddn_answer *answer, void *ctx, dodona_error *err)
{
    static char *const standard_input[] = { "-" };
    char *const *path = files->count ? files->of : standard_input;
    int status = DODONA_OK;
    for (int i = 0; i < (files->count ? files->count : 1) && status >= 0; i++)
        status = answer_file(answer, ctx, path[i], err);
    return status;
}
