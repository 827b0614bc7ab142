/* SPDX-License-Identifier: MIT */
/* guess.c - a row of CoNLL-U has nine tabs, begins with a number and has a number or _ for its
 * head. No text that people write does, so text is not taken for CoNLL-U; the other way round, a
 * file that is not well formed is read as text, and nothing is lost by that but the guess. */
#include "io/guess.h"

#include <stdbool.h>
#include <string.h>

static bool is_number(const char *at, const char *end)
{
    if (at == end)
        return false;
    for (; at < end; at++)
        if (*at < '0' || *at > '9')
            return false;
    return true;
}

/* Of the ID: 8, 8-9 or 8.1. */
static bool is_id(const char *at, const char *end)
{
    const char *joint = at;
    while (joint < end && *joint != '-' && *joint != '.')
        joint++;
    return is_number(at, joint) && (joint == end || is_number(joint + 1, end));
}

static bool is_row(const char *line, const char *end)
{
    enum { ID, HEAD = 6, COLUMNS = 10 };
    int column = 0;
    for (const char *at = line;; column++) {
        const char *tab = memchr(at, '\t', (size_t)(end - at)), *to = tab ? tab : end;
        bool none = to - at == 1 && *at == '_';
        if ((column == ID && !is_id(at, to)) || (column == HEAD && !none && !is_number(at, to)))
            return false;
        if (!tab)
            return column + 1 == COLUMNS;
        at = tab + 1;
    }
}

static bool is_empty(const char *line, const char *end)
{
    return line == end || (end - line == 1 && *line == '\r');
}

static ddn_guess_result judge(const char *line, const char *end)
{
    if (is_empty(line, end))
        return DDN_GUESS_NONE;
    if (is_row(line, end))
        return DDN_GUESS_CONLLU;
    return memchr(line, '\t', (size_t)(end - line)) ? DDN_GUESS_TABS : DDN_GUESS_TEXT;
}

int ddn_guess_conllu(ddn_input *in, ddn_guess_result *out, dodona_error *err)
{
    const char *bytes;
    size_t size, at = 0;
    bool first = true; /* nothing but empty lines so far */
    int more;
    *out = DDN_GUESS_NONE;
    while ((more = ddn_input_look(in, &bytes, &size, err)) >= 0) {
        const char *end = bytes + size, *stop;
        if (size >= 3 && at == 0 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
            at = 3;
        while (at < size && (stop = memchr(bytes + at, '\n', size - at))) {
            if (bytes[at] != '#' && !(first && is_empty(bytes + at, stop))) {
                *out = judge(bytes + at, stop);
                return DODONA_OK;
            }
            first &= bytes[at] != '#';
            at = (size_t)(stop - bytes) + 1;
        }
        bool no_row = at < size && bytes[at] != '#' && !memchr(bytes + at, '\t', size - at);
        if (no_row && size - at > 20) { /* a text without line ends need not be read for it */
            *out = DDN_GUESS_TEXT;
            return DODONA_OK;
        }
        if (more)
            continue;
        if (at < size && bytes[at] != '#')
            *out = judge(bytes + at, end);
        return DODONA_OK;
    }
    return more;
}
