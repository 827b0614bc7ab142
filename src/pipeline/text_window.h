/* SPDX-License-Identifier: MIT */
/* text_window.h - the part of a text that is being looked at, as bytes and as characters.
 *
 * More of the text comes in at its end, from an input or fed by hand, and what is done with is
 * dropped at its beginning.  A byte that is not UTF-8 ends the text with an error, which is due
 * when all before it has been used. */
#ifndef DDN_PIPELINE_TEXT_WINDOW_H
#define DDN_PIPELINE_TEXT_WINDOW_H

#include "core/input.h"
#include "pipeline/chars.h"

typedef struct ddn_window {
    ddn_input *in; /* NULL: it is fed */
    char name[sizeof((dodona_error){ 0 }.file)];
    char *bytes; /* size of them are characters, have of them were read */
    size_t size, have, capacity;
    ddn_chars chars;
    bool ended; /* the text has no more */
    int coming; /* a code that is due after what was read before it */
    dodona_error error;
    int64_t skipped, skipped_bytes; /* characters and bytes of the text before the window */
    int64_t lines;                  /* line ends before the end of the window's characters */
} ddn_window;

/* Owns the input, which may be NULL, from here on. */
void ddn_window_init(ddn_window *w, ddn_input *take_in);
void ddn_window_fini(ddn_window *w);

/* Brings more characters or sets ended; DODONA_WAIT when nothing more was fed or the input tells
 * so; or a negative code with w->error set. */
int ddn_window_fill(ddn_window *w);
/* For a window without an input: the next bytes of the text, and whether they are the last. */
int ddn_window_feed(ddn_window *w, const char *bytes, size_t size, bool last);
/* Empties a window without an input; what is fed next stands behind that many characters, bytes and
 * line ends. */
void ddn_window_restart(ddn_window *w, int64_t skipped, int64_t skipped_bytes, int64_t lines);
/* Drops characters at the beginning. */
void ddn_window_drop(ddn_window *w, size_t characters);

/* The bytes of the text before a character of the window. */
static inline int64_t ddn_window_byte(const ddn_window *w, size_t i)
{
    return w->skipped_bytes + (int64_t)(i < w->chars.count ? w->chars.of[i].at : w->size);
}

/* The bytes of the characters from..to. */
static inline dodona_text ddn_window_text(const ddn_window *w, size_t from, size_t to)
{
    const ddn_char *of = w->chars.of;
    size_t begin = from < w->chars.count ? of[from].at : w->size;
    size_t end = to < w->chars.count ? of[to].at : w->size;
    return (dodona_text){ w->bytes + begin, end - begin };
}

#endif
