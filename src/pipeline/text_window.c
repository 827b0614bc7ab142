/* SPDX-License-Identifier: MIT */
/* text_window.c - bytes become characters as soon as they are whole; what is left of a character
 * that is cut waits for the next bytes. */
#include "pipeline/text_window.h"

#include "core/array.h"
#include "core/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { READ_BYTES = 1 << 16, BYTE_ORDER_MARK = 0xfeff };

void ddn_window_init(ddn_window *w, ddn_input *take_in)
{
    *w = (ddn_window){ .in = take_in };
    if (take_in)
        snprintf(w->name, sizeof w->name, "%s", ddn_input_name(take_in));
}

void ddn_window_fini(ddn_window *w)
{
    ddn_input_close(w->in);
    ddn_chars_fini(&w->chars);
    free(w->bytes);
}

void ddn_window_restart(ddn_window *w, int64_t skipped, int64_t skipped_bytes, int64_t lines)
{
    w->size = w->have = w->chars.count = 0;
    w->ended = false;
    w->coming = 0;
    w->skipped = skipped;
    w->skipped_bytes = skipped_bytes;
    w->lines = lines;
}

void ddn_window_drop(ddn_window *w, size_t characters)
{
    size_t left = w->chars.count - characters, bytes = left ? w->chars.of[characters].at : w->size;
    memmove(w->chars.of, w->chars.of + characters, left * sizeof *w->chars.of);
    for (size_t i = 0; i < left; i++)
        w->chars.of[i].at -= (uint32_t)bytes;
    w->chars.count = left;
    memmove(w->bytes, w->bytes + bytes, w->have - bytes);
    w->size -= bytes;
    w->have -= bytes;
    w->skipped += (int64_t)characters;
    w->skipped_bytes += (int64_t)bytes;
}

/* Whether the bytes at the end of the window begin a character that may go on. */
static bool is_cut(const char *at, size_t size)
{
    unsigned char lead = (unsigned char)at[0];
    size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 1;
    return lead <= 0xf4 && size < length;
}

static int note_bad(ddn_window *w, size_t at)
{
    return ddn_fail_at(&w->error, DODONA_E_INPUT, w->name, w->lines + 1,
                       "byte 0x%02x is not UTF-8; expected text in UTF-8",
                       (unsigned char)w->bytes[at]);
}

/* The end of the characters from a place on, NUL being one. */
static size_t end_of_text(const char *bytes, size_t from, size_t have)
{
    for (;; from++) {
        from += ddn_utf8_check(bytes + from, have - from);
        if (from == have || bytes[from] != '\0')
            return from;
    }
}

/* The bytes up to have become characters, up to one that is cut or bad. */
static int decode(ddn_window *w)
{
    size_t good = end_of_text(w->bytes, w->size, w->have), from = w->size;
    bool first = w->skipped == 0 && w->chars.count == 0;
    int status = ddn_chars_add(&w->chars, w->bytes, from, good, &w->error);
    if (status < 0)
        return status;
    if (first && w->chars.count && w->chars.of[0].code == BYTE_ORDER_MARK)
        w->chars.of[0].class = DDN_CHAR_BLANK;
    for (const char *at = w->bytes + from, *end = w->bytes + good;
         at < end && (at = memchr(at, '\n', (size_t)(end - at))); at++)
        w->lines++;
    w->size = good;
    if (good < w->have && (w->ended || !is_cut(w->bytes + good, w->have - good))) {
        w->coming = note_bad(w, good);
        w->ended = false; /* what stands before is not decided as if the text ended there */
    }
    return DODONA_OK;
}

int ddn_window_fill(ddn_window *w)
{
    if (w->coming)
        return w->coming;
    if (!w->in)
        return DODONA_WAIT;
    if (!ddn_reserve(&w->bytes, &w->capacity, w->have + READ_BYTES, 1))
        return ddn_fail_memory(&w->error);
    ptrdiff_t got = ddn_input_read(w->in, w->bytes + w->have, READ_BYTES, &w->error);
    if (got < 0)
        return got == DDN_INPUT_WAITS ? DODONA_WAIT : (int)got;
    w->have += (size_t)got;
    w->ended = got == 0;
    return decode(w);
}

int ddn_window_feed(ddn_window *w, const char *bytes, size_t size, bool last)
{
    if (!ddn_reserve(&w->bytes, &w->capacity, w->have + size + 1, 1))
        return ddn_fail_memory(&w->error);
    memcpy(w->bytes + w->have, bytes, size);
    w->have += size;
    w->ended = last;
    return decode(w);
}
