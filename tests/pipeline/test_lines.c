/* SPDX-License-Identifier: MIT */
/* Line ends against a plain account of them: a text is cut at its line ends, and every width up to
 * one that no line reaches is tried.  And texts that are laid out in lines: wrapped ones have no
 * line that is too long, and none that ends too early. */
#include "core/rng.h"
#include "lib/check.h"
#include "pipeline/lines.h"
#include "train/raw_text.h"
#include <stdio.h>
#include <string.h>

enum { TEXT = 6000, MOST_LINES = 1000, MOST_WIDTH = 400, LOOK = 48, PART = 12 };

/* A line of the text, as one sees it. */
typedef struct plain_line {
    size_t from, to; /* without blanks at its end; to == from: a blank line */
} plain_line;

static size_t cut(const char *text, plain_line line[MOST_LINES])
{
    size_t n = 0;
    for (const char *at = text; *at; n++) {
        size_t length = strcspn(at, "\n"), to = length;
        while (to && at[to - 1] == ' ')
            to--;
        line[n] = (plain_line){ (size_t)(at - text), (size_t)(at - text) + to };
        at += length + (at[length] == '\n');
    }
    return n;
}

static size_t chunk_length(const char *text, size_t at)
{
    size_t n = strcspn(text + at, " \n");
    return n < LOOK ? n : LOOK;
}

static size_t first_of(const char *text, const plain_line *x)
{
    return x->from + strspn(text + x->from, " ");
}

/* Whether width is one at which x ends before the line y. */
static bool fits(const char *text, const plain_line *x, const plain_line *y, size_t width,
                 bool about)
{
    size_t length = x->to - x->from, slack = about ? width / PART : 0;
    return length <= width + slack &&
           width < length + 1 + chunk_length(text, first_of(text, y)) + slack;
}

/* The lengths of lines are tried as widths, by definition. */
static uint32_t agreeing(const char *text, const plain_line *line, const size_t *ended, size_t n,
                         size_t now, bool about)
{
    uint32_t best = 0;
    for (size_t i = 0; i <= n; i++) {
        const plain_line *x = &line[i < n ? ended[i] : now];
        size_t width = x->to - x->from;
        uint32_t some = 0;
        if (!fits(text, &line[now], &line[now + 1], width, about))
            continue;
        for (size_t k = 0; k < n; k++)
            some += fits(text, &line[ended[k]], &line[ended[k] + 1], width, about);
        best = some > best ? some : best;
    }
    return best;
}

/* The same for any width at all. */
static uint32_t agreeing_anywhere(const char *text, const plain_line *line, const size_t *ended,
                                  size_t n, size_t now)
{
    uint32_t best = 0;
    for (size_t width = 0; width < MOST_WIDTH; width++) {
        uint32_t some = 0;
        for (size_t k = 0; k < n; k++)
            some += fits(text, &line[ended[k]], &line[ended[k] + 1], width, false);
        if (some > best && fits(text, &line[now], &line[now + 1], width, false))
            best = some;
    }
    return best;
}

static void random_lines(ddn_rng *r, char *text)
{
    static const char *const piece[] = { "a", "bcd", "Efghij", "klmnopqrst", ".", "U", "7" };
    static const char *const gap[] = { " ", " ", " ", " ", " ", "\n", "  \n ", "\n\n", "  " };
    size_t size = 0;
    for (uint64_t k = ddn_rng_below(r, 4); k > 0; k--)
        size += (size_t)sprintf(text + size, "%s", k % 2 ? " " : "\n");
    while (size < TEXT - 100) {
        size += (size_t)sprintf(text + size, "%s", piece[ddn_rng_below(r, 7)]);
        if (ddn_rng_below(r, 4))
            size += (size_t)sprintf(text + size, "%s", gap[ddn_rng_below(r, 9)]);
    }
    strcpy(text + size, "z");
}

static bool is_small(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_letter(char c)
{
    return is_small(c) || (c >= 'A' && c <= 'Z');
}

/* One line end, where the lines ended[0..n) before were remembered. */
static void check_end(const ddn_lines *l, const ddn_chars *c, const char *text,
                      const plain_line *line, const size_t *ended, size_t n, size_t now)
{
    uint32_t at = (uint32_t)line[now].to - 1, next = (uint32_t)first_of(text, &line[now + 1]);
    uint32_t limit = next + LOOK < c->count ? next + LOOK : (uint32_t)c->count;
    ddn_line_end e = ddn_lines_judge(l, c->of, at, next, limit);
    size_t most = line[now].to - line[now].from;
    uint32_t going_on = 0;
    assert_int_equal(e.length, most);
    assert_int_equal(l->known, n);
    for (size_t k = 0; k < n; k++) {
        const plain_line *x = &line[ended[k]];
        most = x->to - x->from > most ? x->to - x->from : most;
        going_on += is_letter(text[x->to - 1]) && is_small(text[first_of(text, x + 1)]);
    }
    assert_int_equal(e.most, most);
    assert_int_equal(l->going_on, going_on);
    assert_int_equal(e.exact, agreeing(text, line, ended, n, now, false));
    assert_int_equal(e.exact, agreeing_anywhere(text, line, ended, n, now));
    assert_int_equal(e.about, agreeing(text, line, ended, n, now, true));
}

static void counts_are_those_of_a_plain_account(void **state)
{
    (void)state;
    static char text[TEXT];
    static plain_line line[MOST_LINES];
    ddn_rng r;
    ddn_rng_init(&r, 3);
    for (int round = 0; round < 20; round++) {
        ddn_chars c = { 0 };
        ddn_lines l;
        size_t ended[MOST_LINES], n = 0, now = 0;
        random_lines(&r, text);
        size_t lines = cut(text, line);
        assert_int_equal(ddn_chars_add(&c, text, 0, strlen(text), NULL), 0);
        uint32_t at = (uint32_t)strspn(text, " \n");
        ddn_lines_begin(&l, c.of, at);
        for (; line[now].to <= at; now++)
            continue;
        while (at + 1 < c.count) {
            uint32_t next = at + 1;
            while (c.of[next].class == DDN_CHAR_BLANK)
                next++;
            uint32_t limit = next + LOOK < c.count ? next + LOOK : (uint32_t)c.count;
            if (at + 1 == line[now].to && now + 1 < lines) {
                bool blank = line[now + 1].to == line[now + 1].from;
                if (!blank) {
                    size_t from = n > DDN_LINES ? n - DDN_LINES : 0;
                    check_end(&l, &c, text, line, ended + from, n - from, now);
                    ended[n++] = now;
                }
                for (now++; line[now].to == line[now].from; now++)
                    continue;
            }
            ddn_lines_pass(&l, c.of, at, next, limit);
            at = next;
        }
        assert_true(n > DDN_LINES);
        ddn_chars_fini(&c);
    }
}

/* Lines may be broken after wide characters, so no more than one of them has to fit. */
static void wide_characters_are_chunks(void **state)
{
    (void)state;
    static const char text[] = "我喜欢\n我喜欢";
    ddn_chars c = { 0 };
    ddn_lines l;
    assert_int_equal(ddn_chars_add(&c, text, 0, strlen(text), NULL), 0);
    ddn_lines_begin(&l, c.of, 0);
    ddn_lines_pass(&l, c.of, 2, 4, 7);
    assert_int_equal(l.line[0].length, 3);
    assert_int_equal(l.line[0].with, 5);
    assert_int_equal(l.begin, 4);
    ddn_chars_fini(&c);
}

static void make_words(ddn_rng *r, char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        text[i] = ddn_rng_below(r, 6) || !i || text[i - 1] == ' ' ? 'a' : ' ';
    for (size_t i = 1; i + 3 < size; i += 1 + ddn_rng_below(r, 300))
        memcpy(text + i, "a\nb", 3);
    memcpy(text + size - 2, "a\n", 3);
}

/* At every line end that was a space: this line is no longer than it may be unless it is one chunk,
 * and with the next chunk it would be. */
static void wrapped_lines_are_full(void **state)
{
    (void)state;
    static char before[TEXT + 1], after[TEXT + 1];
    ddn_rng r;
    ddn_rng_init(&r, 9);
    for (int width = 1; width < 130; width += 7) {
        make_words(&r, before, TEXT);
        memcpy(after, before, sizeof after);
        ddn_break_lines(&(ddn_text_layout){ .width = width }, after, TEXT);
        for (size_t from = 0, to; from < TEXT; from = to + 1) {
            to = from + strcspn(after + from, "\n");
            assert_true(to - from <= (size_t)width || !memchr(after + from, ' ', to - from));
            if (before[to] == ' ')
                assert_true(to - from + 1 + chunk_length(after, to + 1) > (size_t)width);
        }
        for (size_t i = 0; i < TEXT; i++)
            assert_true(after[i] == before[i] || (before[i] == ' ' && after[i] == '\n'));
    }
}

/* In characters, not in bytes. */
static void width_is_in_characters(void **state)
{
    (void)state;
    char text[] = "äöü äöü äöü\n";
    ddn_break_lines(&(ddn_text_layout){ .width = 7 }, text, strlen(text));
    assert_string_equal(text, "äöü äöü\näöü\n");
    strcpy(text, "äöü äöü äöü\n");
    ddn_break_lines(&(ddn_text_layout){ .width = 6 }, text, strlen(text));
    assert_string_equal(text, "äöü\näöü\näöü\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_of_a_plain_account),
        cmocka_unit_test(wide_characters_are_chunks),
        cmocka_unit_test(wrapped_lines_are_full),
        cmocka_unit_test(width_is_in_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
