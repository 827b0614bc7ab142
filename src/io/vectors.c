/* SPDX-License-Identifier: MIT */
/* vectors.c - the numbers of a text are read here and not by strtod, which obeys the locale: up to
 * 18 digits as an integer, then a power of ten. */
#include "io/vectors.h"

#include "core/array.h"
#include "core/input.h"
#include "core/utf8.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 16, NUMBER = 64, END = -1, FAILED = -2 };

typedef struct reader {
    ddn_input *in;
    const char *path;
    dodona_error *err;
    int status;         /* why FAILED */
    bool binary;        /* behind the first line */
    int64_t line, byte; /* of the next character, the latter from 0 */
    size_t at, size;
    char piece[PIECE];
    char word[DDN_VECTOR_WORD + 1];
    size_t word_size;
    float value[DDN_VECTOR_WIDTH];
} reader;

void ddn_vectors_init(ddn_vectors *v)
{
    *v = (ddn_vectors){ 0 };
    ddn_intern_init(&v->found);
}

void ddn_vectors_fini(ddn_vectors *v)
{
    ddn_intern_fini(&v->found);
    free(v->value);
    ddn_vectors_init(v);
}

/* ---- Characters ---- */

/* Names the line, or in a binary file the byte. */
__attribute__((format(printf, 2, 3))) static int bad(reader *r, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (r->binary)
        return ddn_fail_at(r->err, DODONA_E_INPUT, r->path, 0, "byte %lld: %s", (long long)r->byte,
                           text);
    return ddn_fail_at(r->err, DODONA_E_INPUT, r->path, r->line, "%s", text);
}

static int fill(reader *r)
{
    ptrdiff_t got = ddn_input_read(r->in, r->piece, sizeof r->piece, r->err);
    r->at = 0;
    r->size = got > 0 ? (size_t)got : 0;
    r->status = got < 0 ? (int)got : DODONA_OK;
    return got > 0 ? 1 : got == 0 ? END : FAILED;
}

/* The next character, which stays; END or FAILED. */
static inline int peek(reader *r)
{
    if (r->at == r->size) {
        int status = fill(r);
        if (status < 0)
            return status;
    }
    return (unsigned char)r->piece[r->at];
}

static inline void skip(reader *r)
{
    r->line += r->piece[r->at++] == '\n';
    r->byte++;
}

static inline bool is_space(int c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static int skip_spaces(reader *r)
{
    int c;
    while (is_space(c = peek(r)))
        skip(r);
    return c;
}

/* Up to the next white space, at most size - 1 characters; returns how many, or a negative code. */
static int take_token(reader *r, char *to, size_t size)
{
    size_t used = 0;
    int c;
    while ((c = peek(r)) >= 0 && !is_space(c) && c != '\n') {
        if (used == size - 1)
            return bad(r, "a %s has more than %zu bytes", size == NUMBER ? "number" : "word",
                       size - 1);
        to[used++] = (char)c;
        skip(r);
    }
    to[used] = '\0';
    return c == FAILED ? r->status : (int)used;
}

/* ---- Numbers ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A decimal number, all of text; false: it is none, or not finite as a float. */
static bool parse_number(const char *text, float *out)
{
    enum { MOST_POWER = 400 };
    uint64_t digits = 0;
    int power = 0, count = 0, exponent = 0;
    bool negative = *text == '-';
    text += *text == '-' || *text == '+';
    for (bool point = false; is_digit(*text) || (*text == '.' && !point); text++) {
        if (*text == '.') {
            point = true;
            continue;
        }
        bool room = digits < UINT64_C(100000000000000000);
        digits = room ? digits * 10 + (uint64_t)(*text - '0') : digits;
        power += !room - point;
        count++;
    }
    if (count && (*text == 'e' || *text == 'E')) {
        text++;
        bool small = *text == '-';
        text += *text == '-' || *text == '+';
        count = is_digit(*text);
        for (; is_digit(*text); text++)
            exponent = exponent < MOST_POWER ? exponent * 10 + (*text - '0') : exponent;
        power += small ? -exponent : exponent;
    }
    double x = (double)digits;
    for (; power > 0 && x < 1e300 && digits; power--)
        x *= 10;
    for (; power < 0 && x > 0; power++)
        x /= 10;
    *out = (float)(negative ? -x : x);
    return count && !*text && isfinite(*out);
}

/* A whole number without a sign, at most most; -1: it is none. */
static int64_t parse_count(const char *text, int64_t most)
{
    int64_t x = 0;
    if (!*text)
        return -1;
    for (; *text; text++) {
        if (!is_digit(*text) || x > (most - (*text - '0')) / 10)
            return -1;
        x = x * 10 + (*text - '0');
    }
    return x;
}

/* ---- Lines ---- */

static int read_header(reader *r, ddn_vectors *v)
{
    char text[2][NUMBER];
    for (int i = 0; i < 2; i++) {
        int status = take_token(r, text[i], sizeof text[i]);
        if (status < 0)
            return status;
        if (skip_spaces(r) == FAILED)
            return r->status;
    }
    int64_t words = parse_count(text[0], INT64_MAX), width = parse_count(text[1], INT64_MAX);
    if (words < 0 || width < 0 || peek(r) != '\n')
        return bad(r, "expected the number of words and the width of their vectors, as word2vec "
                      "and fastText write them");
    if (width < 1 || width > DDN_VECTOR_WIDTH)
        return bad(r, "vectors must have from 1 to %d numbers, not %lld", DDN_VECTOR_WIDTH,
                   (long long)width);
    skip(r);
    v->words = words;
    v->width = (size_t)width;
    return DODONA_OK;
}

static int check_word(reader *r, int size)
{
    if (size < 0)
        return size;
    if (size == 0)
        return bad(r, "expected a word and its vector");
    r->word_size = (size_t)size;
    if (ddn_utf8_check(r->word, r->word_size) < r->word_size)
        return bad(r, "a word is not valid UTF-8");
    return DODONA_OK;
}

static int read_line(reader *r, size_t width)
{
    char text[NUMBER];
    int status = check_word(r, take_token(r, r->word, sizeof r->word));
    size_t count = 0;
    while (status >= 0) {
        int c = skip_spaces(r);
        if (c == FAILED)
            return r->status;
        if (c == END || c == '\n')
            break;
        status = take_token(r, text, sizeof text);
        if (status >= 0 && count == width)
            return bad(r, "more than %zu numbers follow the word", width);
        if (status >= 0 && !parse_number(text, &r->value[count++]))
            return bad(r, "'%s' is not a finite number", text);
    }
    if (status >= 0 && count < width)
        return bad(r, "%zu numbers follow the word, and not %zu", count, width);
    if (status >= 0 && peek(r) == '\n')
        skip(r);
    return status < 0 ? status : DODONA_OK;
}

/* ---- Binary ---- */

static int read_floats(reader *r, size_t width)
{
    for (size_t i = 0; i < width; i++) {
        uint32_t bits = 0;
        for (int k = 0; k < 4; k++) {
            int c = peek(r);
            if (c < 0)
                return c == END ? bad(r, "the file ends within a vector") : r->status;
            bits |= (uint32_t)c << 8 * k;
            skip(r);
        }
        memcpy(&r->value[i], &bits, sizeof bits);
        if (!isfinite(r->value[i])) {
            r->byte -= 4;
            return bad(r, "a number of a vector is not finite");
        }
    }
    return DODONA_OK;
}

static int read_binary(reader *r, size_t width)
{
    int status = check_word(r, take_token(r, r->word, sizeof r->word)), c = peek(r);
    if (status < 0)
        return status;
    if (c != ' ')
        return c == FAILED ? r->status : bad(r, "expected a space between a word and its vector");
    skip(r);
    status = read_floats(r, width);
    if (status >= 0 && peek(r) == '\n')
        skip(r);
    return status;
}

/* Whether what follows the first word of the second line has bytes that no number in a text has.
 * Before the first read. */
static int look_for_floats(reader *r, bool *found)
{
    static const char of_text[] = "0123456789+-.eE \t\r\nnaifNAIF";
    const char *bytes;
    size_t size;
    int status;
    while ((status = ddn_input_look(r->in, &bytes, &size, r->err)) > 0)
        ;
    if (status < 0)
        return status;
    const char *end = bytes + size, *at = size ? memchr(bytes, '\n', size) : NULL;
    at = at ? memchr(at, ' ', (size_t)(end - at)) : NULL;
    for (int i = 0; at && at < end && i < NUMBER && (*at != '\n' || *found); at++, i++)
        *found |= !*at || !strchr(of_text, *at);
    return DODONA_OK;
}

/* ---- Files ---- */

static int keep(reader *r, ddn_vectors *v, const ddn_intern *wanted)
{
    uint32_t before = v->found.count, number;
    if (ddn_intern_find(wanted, r->word, r->word_size) == DDN_INTERN_NONE)
        return DODONA_OK;
    if (!ddn_intern_add(&v->found, r->word, r->word_size, &number) ||
        !ddn_reserve(&v->value, &v->value_cap, v->found.count * v->width, sizeof *v->value))
        return ddn_fail_memory(r->err);
    if (v->found.count > before)
        memcpy(v->value + number * v->width, r->value, v->width * sizeof *v->value);
    return DODONA_OK;
}

static int read_all(reader *r, ddn_vectors *v, const ddn_intern *wanted)
{
    bool binary = false;
    int status = look_for_floats(r, &binary);
    if (status >= 0)
        status = read_header(r, v);
    r->binary = binary;
    for (int64_t i = 0; i < v->words && status >= 0; i++) {
        int c = peek(r);
        if (c == FAILED)
            return r->status;
        if (c == END)
            return bad(r, "the file ends after %lld words, and its first line says %lld",
                       (long long)i, (long long)v->words);
        status = r->binary ? read_binary(r, v->width) : read_line(r, v->width);
        if (status >= 0)
            status = keep(r, v, wanted);
    }
    int c = status < 0 ? END : peek(r);
    if (c == FAILED)
        return r->status;
    return c == END ? status
                    : bad(r, "the file goes on after the %lld words that its first line says",
                          (long long)v->words);
}

int ddn_vectors_read(ddn_vectors *v, const char *path, const ddn_intern *wanted, dodona_error *err)
{
    reader *r = malloc(sizeof *r);
    if (!r)
        return ddn_fail_memory(err);
    memset(r, 0, offsetof(reader, piece));
    r->path = path;
    r->err = err;
    r->line = 1;
    int status = ddn_input_open(&r->in, path, err);
    if (status >= 0) {
        status = read_all(r, v, wanted);
        ddn_input_close(r->in);
    }
    free(r);
    return status;
}

/* ---- What was read ---- */

bool ddn_vectors_name(const ddn_vectors *v, ddn_intern *names, uint32_t most)
{
    uint32_t unused;
    for (uint32_t i = 0; i < v->found.count && names->count < most; i++) {
        dodona_text word = ddn_intern_text(&v->found, i);
        if (!ddn_intern_add(names, word.data, word.size, &unused))
            return false;
    }
    return true;
}

static void scale(const float *from, size_t width, float spread, float *to)
{
    double most = 0, sum = 0;
    for (size_t i = 0; i < width; i++)
        most = fmax(most, fabs(from[i]));
    for (size_t i = 0; i < width && most > 0; i++)
        sum += from[i] / most * (from[i] / most);
    double by = most > 0 ? spread * sqrt((double)width / 3 / sum) / most : 0;
    for (size_t i = 0; i < width; i++)
        to[i] = (float)(from[i] * by);
}

void ddn_vectors_fill(const ddn_vectors *v, const ddn_intern *names, float spread, float *row)
{
    for (uint32_t i = 0; i < names->count; i++) {
        dodona_text name = ddn_intern_text(names, i);
        uint32_t number = ddn_intern_find(&v->found, name.data, name.size);
        if (number != DDN_INTERN_NONE)
            scale(v->value + number * v->width, v->width, spread, row + i * v->width);
    }
}
