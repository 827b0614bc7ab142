/* SPDX-License-Identifier: MIT */
/* buffer.c - unused bytes are moved to the front to make room; the buffer grows only where a line
 * or a sentence fills it. */
#include "core/buffer.h"

#include "core/array.h"
#include <stdlib.h>
#include <string.h>

int ddn_buffer_init(ddn_buffer *b, ddn_input *take_in, dodona_error *err)
{
    *b = (ddn_buffer){ .in = take_in };
    if (ddn_reserve(&b->data, &b->capacity, DDN_BUFFER_READ, 1))
        return 0;
    ddn_buffer_fini(b);
    return ddn_fail_memory(err);
}

void ddn_buffer_fini(ddn_buffer *b)
{
    ddn_input_close(b->in);
    free(b->data);
    *b = (ddn_buffer){ 0 };
}

int ddn_buffer_fill(ddn_buffer *b, dodona_error *err)
{
    if (b->capacity - b->end < DDN_BUFFER_READ / 2 && b->at > 0) {
        memmove(b->data, b->data + b->at, b->end - b->at);
        b->end -= b->at;
        b->at = 0;
    }
    if (b->capacity - b->end < DDN_BUFFER_READ / 2 &&
        !ddn_reserve(&b->data, &b->capacity, b->end + DDN_BUFFER_READ, 1))
        return ddn_fail_memory(err);
    ptrdiff_t got = ddn_input_read(b->in, b->data + b->end, b->capacity - b->end, err);
    if (got < 0)
        return got == DDN_INPUT_WAITS ? DODONA_WAIT : (int)got;
    b->end += (size_t)got;
    b->ended = got == 0;
    return 0;
}

int ddn_buffer_line(ddn_buffer *b, size_t *size, dodona_error *err)
{
    size_t scanned = 0;
    for (;;) {
        const char *base = b->data + b->at;
        size_t have = b->end - b->at;
        const char *newline = scanned < have ? memchr(base + scanned, '\n', have - scanned) : NULL;
        *size = newline ? (size_t)(newline - base) + 1 : have;
        if (*size > DODONA_MAX_LINE)
            return ddn_fail(err, DODONA_E_LIMIT, "the line is longer than %u bytes, the limit",
                            DODONA_MAX_LINE);
        if (newline || b->ended)
            return 0;
        scanned = have;
        int code = ddn_buffer_fill(b, err);
        if (code)
            return code;
    }
}
