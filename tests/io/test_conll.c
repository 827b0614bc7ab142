/* SPDX-License-Identifier: MIT */
/* CoNLL-U and CoNLL-X come out as they went in, and what is malformed is named with its line. */
#include "io/conll.h"
#include "lib/check.h"
#include "lib/files.h"
#include "lib/memory.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

/* A word line with these id, form and head. */
#define W(id, head) id "\tw\t_\t_\t_\t_\t" head "\td\t_\t_\n"
#define R(id)       id "\tw\t_\t_\t_\t_\t_\t_\t_\t_\n"
#define OK          W("1", "0")
#define NONE        DODONA_CHECK_FORM
#define TREE        DODONA_CHECK_TREE
#define ONE         DODONA_CHECK_ONE_ROOT

typedef struct options {
    dodona_format format;
    dodona_check check;
    bool skip_bad;
    size_t chunk;
} options;

typedef struct result {
    int code; /* of the first failure, or 0 */
    dodona_error err;
    int sentences, words, bad_sentences;
    int64_t bad;
    dodona_error first;
    ddn_output out;
} result;

/* Reads data to its end or first error and writes what was read. */
static result copy(const char *data, size_t size, options o)
{
    result r = { 0 };
    test_memory m = { data, size, 0, o.chunk };
    ddn_input *in;
    ddn_conll_reader *reader;
    ddn_sentence s;
    ddn_sentence_init(&s);
    ddn_output_memory(&r.out);
    assert_int_equal(ddn_input_callback(&in, test_memory_read, &m, "f", NULL), 0);
    assert_int_equal(ddn_conll_open(&reader, in, o.format, o.check, o.skip_bad, NULL), 0);
    while ((r.code = ddn_conll_next(reader, &s, &r.err)) == 1) {
        r.sentences++;
        r.words += s.n;
        r.bad_sentences += s.bad;
        assert_true(!s.bad || (s.n == 0 && s.rows == 1 && s.row[0].kind == DDN_ROW_RAW));
        ddn_conll_put(&r.out, &s);
    }
    if (r.code < 0) /* an error stays */
        assert_int_equal(ddn_conll_next(reader, &s, NULL), r.code);
    r.bad = ddn_conll_bad(reader, &r.first);
    ddn_conll_close(reader);
    ddn_sentence_fini(&s);
    return r;
}

static void same(const result *r, const char *data, size_t size)
{
    assert_int_equal(r->out.size, size);
    if (size)
        assert_memory_equal(r->out.data, data, size);
}

static void own_files_round_trip(void **state)
{
    (void)state;
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", test_data(""));
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    int files = 0;
    for (struct dirent *entry; (entry = readdir(dir));) {
        const char *dot = strrchr(entry->d_name, '.');
        bool x = dot && strcmp(dot, ".conllx") == 0;
        if (!x && (!dot || strcmp(dot, ".conllu") != 0))
            continue;
        size_t size;
        char *data = test_slurp(test_data(entry->d_name), &size);
        for (size_t chunk = 0; chunk < 4; chunk++) {
            options o = { x ? DODONA_CONLLX : DODONA_CONLLU, DODONA_CHECK_FORM, false, chunk };
            result r = copy(data, size, o);
            if (r.code)
                fail_msg("%s:%d: %s", entry->d_name, (int)r.err.line, r.err.message);
            same(&r, data, size);
            ddn_output_abandon(&r.out);
        }
        free(data);
        files++;
    }
    closedir(dir);
    assert_true(files >= 10);
}

static void blank_lines_belong_to_the_next(void **state)
{
    (void)state;
    static const char data[] = "\n\n" OK "\n\r\n\n" OK "\n\n\n";
    static const size_t rows[] = { 4, 4, 2 };
    static const int words[] = { 1, 1, 0 };
    test_memory m = { data, sizeof data - 1, 0, 0 };
    ddn_input *in;
    ddn_conll_reader *r;
    ddn_sentence s;
    ddn_sentence_init(&s);
    assert_int_equal(ddn_input_callback(&in, test_memory_read, &m, "f", NULL), 0);
    assert_int_equal(ddn_conll_open(&r, in, DODONA_CONLLU, NONE, false, NULL), 0);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(ddn_conll_next(r, &s, NULL), 1);
        assert_int_equal(s.rows, rows[i]);
        assert_int_equal(s.n, words[i]);
        assert_int_equal(s.row[s.rows - 1].kind, DDN_ROW_BLANK);
    }
    assert_int_equal(ddn_conll_next(r, &s, NULL), 0);
    ddn_conll_close(r);
    ddn_sentence_fini(&s);
}

static void treebanks_round_trip(void **state)
{
    (void)state;
    static const char *const banks[] = { "af_afribooms", "cu_proiel", "de_gsd",     "el_gdt",
                                         "en_ewt",       "eu_bdt",    "fr_sequoia", "got_proiel",
                                         "grc_proiel",   "hu_szeged", "it_partut",  "ja_gsd",
                                         "tr_imst" };
    static const char *const parts[] = { "train", "dev", "test" };
    int files = 0;
    for (size_t i = 0; i < sizeof banks / sizeof *banks; i++)
        for (size_t k = 0; k < 3; k++) {
            char name[64];
            snprintf(name, sizeof name, "%s/%s.conllu", banks[i], parts[k]);
            const char *path = test_treebank(name);
            if (!path)
                continue;
            size_t size;
            char *data = test_slurp(path, &size);
            result r = copy(data, size, (options){ .check = DODONA_CHECK_ONE_ROOT });
            if (r.code)
                fail_msg("%s:%d: %s", name, (int)r.err.line, r.err.message);
            same(&r, data, size);
            ddn_output_abandon(&r.out);
            free(data);
            files++;
        }
    if (!files) {
        print_message("skipped: no treebanks here\n");
        skip();
    }
}

/* ---- What is wrong ---- */

static const struct bad {
    const char *data;
    dodona_check check;
    int line;
    const char *words; /* of the message */
} bads[] = {
    { "1\tw\t_\t_\t_\t_\t0\td\t_\n\n", NONE, 1, "9 columns; expected 10" },
    { "1\tw\t_\t_\t_\t_\t0\td\t_\t_\t_\n\n", NONE, 1, "11 columns; expected 10" },
    { "# c\n" OK "oak\n\n", NONE, 3, "no tabs; expected CoNLL" },
    { OK "  \n\n", NONE, 2, "no tabs; expected CoNLL" },
    { "1 w _ _ _ _ 0 d _ _\n\n", NONE, 1, "no tabs; expected CoNLL" },
    { OK "\n\n" W("1", "0") W("2", "1") "3\t\t_\t_\t_\t_\t0\td\t_\t_\n\n", NONE, 6,
      "column 2 is empty" },
    { "1\tw\t_\t_\t_\t_\t0\td\t_\t\n\n", NONE, 1, "column 10 is empty" },
    { "1\tw\t_\t_\t_\t_\t0\td\t_\t\r\n\r\n", NONE, 1, "column 10 is empty" },
    { "\tw\t_\t_\t_\t_\t0\td\t_\t_\n\n", NONE, 1, "column 1 is empty" },
    { W("2", "0"), NONE, 1, "the id is 2; expected 1" },
    { W("0", "0"), NONE, 1, "the id is 0; expected 1" },
    { OK W("1", "0"), NONE, 2, "the id is 1; expected 2" },
    { OK W("3", "0"), NONE, 2, "the id is 3; expected 2" },
    { W("01", "0"), NONE, 1, "the id is '01'" },
    { W("+1", "0"), NONE, 1, "the id is '+1'" },
    { W(" 1", "0"), NONE, 1, "the id is ' 1'" },
    { W("x", "0"), NONE, 1, "the id is 'x'" },
    { W("1-", "0"), NONE, 1, "the id is '1-'" },
    { W("1-2-3", "0"), NONE, 1, "the id is '1-2-3'" },
    { W("1.1.1", "0"), NONE, 1, "the id is '1.1.1'" },
    { W("99999999999999999999", "0"), NONE, 1, "the id is '99999999999999999999'" },
    { W("1", "2"), NONE, 1, "the head is 2; expected 0 to 1" },
    { "# c\n\n# c\n" OK W("2", "999999999"), NONE, 5, "the head is 999999999; expected 0 to 2" },
    { W("1", "-1"), NONE, 1, "the head is '-1'; expected a number or _" },
    { W("1", "x"), NONE, 1, "the head is 'x'" },
    { W("1", "00"), NONE, 1, "the head is '00'" },
    { W("1", "1.1"), NONE, 1, "the head is '1.1'" },
    { W("1", "4294967296"), NONE, 1, "the head is '4294967296'" },
    { OK "# late\n\n", NONE, 2, "a comment inside the sentence" },
    { R("0.1") "# late\n\n", NONE, 2, "a comment inside the sentence" },
    { "# c\n# \xff\n" OK, NONE, 2, "byte 0xff is not UTF-8" },
    { "# \xc3\n" OK, NONE, 1, "byte 0xc3 is not UTF-8" },
    { "# \xed\xa0\x80\n" OK, NONE, 1, "byte 0xed is not UTF-8" },
    { "x\n# \xff\n", NONE, 1, "no tabs" }, /* the first line that is wrong counts */
    { R("2-1") OK, NONE, 1, "goes backwards" },
    { R("1-2") OK, NONE, 1, "the range ends at 2; the sentence has 1 words" },
    { R("1-2"), NONE, 1, "the range ends at 2; the sentence has 0 words" },
    { R("2-3") OK, NONE, 1, "out of place; expected one that starts at 1" },
    { OK R("1-2") W("2", "1"), NONE, 2, "out of place; expected one that starts at 2" },
    { R("0-1") OK, NONE, 1, "the range 0-1 is out of place; expected one that starts at 1" },
    { R("1-2") R("1-3") OK W("2", "1") W("3", "1"), NONE, 2,
      "overlaps the one before, which ends at 2" },
    { R("1-3") OK R("2-3") W("2", "1") W("3", "1"), NONE, 2 + 1,
      "overlaps the one before, which ends at 3" },
    { R("1-2") W("2", "0"), NONE, 2, "the id is 2; expected 1" },
    { R("1-2") R("0.1") OK W("2", "1"), NONE, 2, "between a range and its first word" },
    { R("1.1") OK, NONE, 1, "the empty node is 1.1; expected 0.1 or word 1" },
    { R("0.0") OK, NONE, 1, "the empty node is 0.0; expected 0.1 or word 1" },
    { R("0.2") OK, NONE, 1, "the empty node is 0.2; expected 0.1 or word 1" },
    { R("0.1") R("0.1") OK, NONE, 2, "the empty node is 0.1; expected 0.2 or word 1" },
    { OK R("0.1"), NONE, 2, "the empty node is 0.1; expected 1.1 or word 2" },
    { OK R("1.1") W("2", "1") R("1.2"), NONE, 4, "the empty node is 1.2; expected 2.1 or word 3" },
    { OK W("2", "_"), TREE, 2, "word 2 has no head" },
    { "\n\n# c\n" R("1-2") OK W("2", "2"), TREE, 6, "word 2 is its own head" },
    { OK W("2", "3") W("3", "2"), TREE, 2, "word 2 is on a cycle" },
    { "# c\n" W("1", "2") W("2", "1"), TREE, 2, "no word has head 0" },
    { OK W("2", "0"), ONE, 2, "word 2 is a second root" },
    { "\xef\xbb\xbf" OK "x\n", NONE, 2, "no tabs" },
    { "\xef\xbb\xbf" OK W("2", "0"), ONE, 2, "word 2 is a second root" },
    { "\xef\xbb\xbf# c\n" OK "\nx\n", NONE, 4, "no tabs" },
    { OK "\n\xef\xbb\xbf" OK, NONE, 3,
      "the id is '\xef\xbb\xbf"
      "1'" },
};

static void bad_lines_are_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bads / sizeof *bads; i++) {
        result r = copy(bads[i].data, strlen(bads[i].data), (options){ .check = bads[i].check });
        if (r.code != DODONA_E_INPUT || r.err.line != bads[i].line || strcmp(r.err.file, "f") ||
            !strstr(r.err.message, bads[i].words))
            fail_msg("case %zu: %s:%d: %s; wanted line %d: %s", i, r.err.file, (int)r.err.line,
                     r.code ? r.err.message : "no error", bads[i].line, bads[i].words);
        ddn_output_abandon(&r.out);
    }
}

static void a_nul_is_named(void **state)
{
    (void)state;
    static const char data[] = OK W("2\0", "0");
    result r = copy(data, sizeof data - 1, (options){ 0 });
    assert_int_equal(r.code, DODONA_E_INPUT);
    assert_int_equal(r.err.line, 2);
    assert_string_equal(r.err.message, "a NUL byte; expected text");
    ddn_output_abandon(&r.out);
}

static void conllx_has_words_only(void **state)
{
    (void)state;
    static const char *const data[] = { R("1-2") OK, R("0.1") OK };
    for (int i = 0; i < 2; i++) {
        result r = copy(data[i], strlen(data[i]), (options){ .format = DODONA_CONLLX });
        assert_int_equal(r.code, DODONA_E_INPUT);
        assert_non_null(strstr(r.err.message, "CoNLL-X has no"));
        ddn_output_abandon(&r.out);
    }
}

/* ---- Passing over ---- */

static void bad_sentences_pass_through(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bads / sizeof *bads; i++)
        for (size_t chunk = 0; chunk < 3; chunk++) {
            char data[1024];
            int before = snprintf(data, sizeof data, "# first\r\n%s\n", OK);
            int at =
                before + snprintf(data + before, sizeof data - (size_t)before, "%s", bads[i].data);
            bool ended = memcmp(data + at - 2, "\n\n", 2) == 0 || data[at - 2] == '\r';
            int size =
                at + snprintf(data + at, sizeof data - (size_t)at, "%s\n%s", ended ? "" : "\n", OK);
            options o = { DODONA_CONLLU, bads[i].check, true, chunk };
            result r = copy(data, (size_t)size, o);
            assert_int_equal(r.code, 0);
            same(&r, data, (size_t)size);
            bool mark = memcmp(bads[i].data, "\xef\xbb\xbf", 3) == 0; /* bad here in any case */
            assert_true(mark || r.bad == 1);
            assert_int_equal(r.bad, r.bad_sentences);
            if (!mark) {
                assert_int_equal(r.first.line, bads[i].line + 3);
                assert_non_null(strstr(r.first.message, bads[i].words));
            }
            ddn_output_abandon(&r.out);
        }
}

/* ---- Limits ---- */

typedef struct endless {
    const char *start; /* once, then fill for ever or until left is 0 */
    char fill;
    uint64_t left, brought;
} endless;

static ptrdiff_t read_endless(void *ctx, char *buf, size_t size, dodona_error *err)
{
    (void)err;
    endless *e = ctx;
    if (e->start && *e->start) {
        size_t length = strlen(e->start);
        length = length < size ? length : size;
        memcpy(buf, e->start, length);
        e->start += length;
        return (ptrdiff_t)length;
    }
    if (size > e->left)
        size = (size_t)e->left;
    memset(buf, e->fill, size);
    e->left -= size;
    e->brought += size;
    return (ptrdiff_t)size;
}

static void a_long_line_fails_early(void **state)
{
    (void)state;
    endless e = { OK "\n# c\n1\t", 'x', UINT64_C(1) << 40, 0 };
    ddn_input *in;
    ddn_conll_reader *r;
    ddn_sentence s;
    dodona_error err;
    ddn_sentence_init(&s);
    assert_int_equal(ddn_input_callback(&in, read_endless, &e, "f", NULL), 0);
    assert_int_equal(ddn_conll_open(&r, in, DODONA_CONLLU, NONE, false, NULL), 0);
    assert_int_equal(ddn_conll_next(r, &s, &err), 1);
    assert_int_equal(ddn_conll_next(r, &s, &err), DODONA_E_LIMIT);
    assert_int_equal(err.line, 4);
    assert_non_null(strstr(err.message, "the line is longer than 16777216 bytes"));
    assert_true(e.brought < 2 * DODONA_MAX_LINE);
    ddn_conll_close(r);
    ddn_sentence_fini(&s);
}

/* 100 MB in one line pass in pieces, in the memory of a line. */
static void a_long_line_passes_in_pieces(void **state)
{
    (void)state;
    enum { SIZE = 100 << 20 };
    endless e = { OK "\n# c\n1\t", 'x', SIZE, 0 };
    ddn_input *in;
    ddn_conll_reader *r;
    ddn_sentence s;
    uint64_t bytes = 0;
    int pieces = 0, code;
    ddn_sentence_init(&s);
    assert_int_equal(ddn_input_callback(&in, read_endless, &e, "f", NULL), 0);
    assert_int_equal(ddn_conll_open(&r, in, DODONA_CONLLU, NONE, true, NULL), 0);
    assert_int_equal(ddn_conll_next(r, &s, NULL), 1);
    while ((code = ddn_conll_next(r, &s, NULL)) == 1) {
        assert_true(s.bad);
        assert_int_equal(s.continued, pieces > 0);
        for (size_t i = s.text_len > 100 ? s.text_len - 100 : 0; i < s.text_len; i++)
            assert_true(strchr("# c\n1\tx", s.text[i]) != NULL);
        assert_true(s.text_cap < DODONA_MAX_LINE);
        bytes += s.text_len;
        pieces++;
    }
    assert_int_equal(code, 0);
    assert_int_equal(bytes, SIZE + strlen("# c\n1\t"));
    assert_int_equal(ddn_conll_bad(r, NULL), 1);
    ddn_conll_close(r);
    ddn_sentence_fini(&s);
}

/* A sentence with a line over the limit, with blank lines before it and a good sentence after.  The
 * line's length and what is read at a time are such that the line's end comes alone, after pieces
 * of the line went out, and looks like a blank line. */
static void reading_goes_on_after_a_long_line(void **state)
{
    (void)state;
    static const char before[] = "\n\n#\n", after[] = "\nx\n\n" OK;
    size_t size = 0, line = DODONA_MAX_LINE + DODONA_MAX_LINE / 4;
    char *data = malloc(sizeof before + line + sizeof after);
    assert_non_null(data);
    memcpy(data, before, sizeof before - 1);
    size += sizeof before - 1;
    memset(data + size, 'y', line);
    size += line;
    memcpy(data + size, after, sizeof after - 1);
    size += sizeof after - 1;
    result r = copy(data, size, (options){ .skip_bad = true, .chunk = 1 << 16 });
    assert_int_equal(r.code, 0);
    same(&r, data, size);
    assert_int_equal(r.bad, 1);
    assert_int_equal(r.first.line, 4);
    assert_int_equal(r.words, 1);
    ddn_output_abandon(&r.out);
    free(data);
}

static void sentences_have_limits(void **state)
{
    (void)state;
    ddn_output o;
    ddn_output_memory(&o);
    for (int i = 1; i <= DODONA_MAX_WORDS; i++)
        ddn_putf(&o, "%d\tw\t_\t_\t_\t_\t%d\td\t_\t_\n", i, i - 1);
    result r = copy(o.data, o.size, (options){ .check = ONE });
    assert_int_equal(r.code, 0);
    assert_int_equal(r.words, DODONA_MAX_WORDS);
    ddn_output_abandon(&r.out);
    ddn_putf(&o, "%d\tw\t_\t_\t_\t_\t0\td\t_\t_\n", DODONA_MAX_WORDS + 1);
    r = copy(o.data, o.size, (options){ 0 });
    assert_int_equal(r.code, DODONA_E_LIMIT);
    assert_int_equal(r.err.line, DODONA_MAX_WORDS + 1);
    ddn_output_abandon(&r.out);
    ddn_output_abandon(&o);

    endless e = { NULL, '\n', 50 << 20, 0 }; /* blank lines pass for ever */
    ddn_input *in;
    ddn_conll_reader *reader;
    ddn_sentence s;
    size_t bytes = 0;
    int code;
    ddn_sentence_init(&s);
    assert_int_equal(ddn_input_callback(&in, read_endless, &e, "f", NULL), 0);
    assert_int_equal(ddn_conll_open(&reader, in, DODONA_CONLLU, NONE, false, NULL), 0);
    while ((code = ddn_conll_next(reader, &s, NULL)) == 1) {
        assert_true(s.text_len < 10000);
        bytes += s.text_len;
    }
    assert_int_equal(code, 0);
    assert_int_equal(bytes, 50 << 20);
    ddn_conll_close(reader);
    ddn_sentence_fini(&s);
}

static void lines_without_words_have_a_limit(void **state)
{
    (void)state;
    size_t size = 4u << 20;
    char *data = malloc(size);
    assert_non_null(data);
    for (size_t i = 0; i < size; i += 2)
        memcpy(data + i, "#\n", 2);
    result r = copy(data, size, (options){ 0 });
    assert_int_equal(r.code, DODONA_E_LIMIT);
    ddn_output_abandon(&r.out);
    r = copy(data, size, (options){ .skip_bad = true });
    assert_int_equal(r.code, 0);
    same(&r, data, size);
    ddn_output_abandon(&r.out);
    free(data);
}

/* A failing input is an error of its own and no bad sentence, also with skip_bad. */
static void damaged_input_is_not_passed_over(void **state)
{
    (void)state;
    static const char data[] = "\x1f\x8b\x08\x00 and no gzip after all";
    result r = copy(data, sizeof data - 1, (options){ .skip_bad = true });
    assert_int_equal(r.code, DODONA_E_INPUT);
    assert_int_equal(r.bad, 0);
    assert_non_null(strstr(r.err.message, "gzip"));
    ddn_output_abandon(&r.out);
}

/* ---- Writing what was changed ---- */

/* The only sentence of data. */
static void parse(ddn_sentence *s, const char *data, dodona_format format)
{
    test_memory m = { data, strlen(data), 0, 0 };
    ddn_input *in;
    ddn_conll_reader *r;
    ddn_sentence_init(s);
    assert_int_equal(ddn_input_callback(&in, test_memory_read, &m, "f", NULL), 0);
    assert_int_equal(ddn_conll_open(&r, in, format, NONE, false, NULL), 0);
    assert_int_equal(ddn_conll_next(r, s, NULL), 1);
    ddn_conll_close(r);
}

static void writes(void (*put)(ddn_output *, const ddn_sentence *), const ddn_sentence *s,
                   const char *want)
{
    ddn_output o;
    ddn_output_memory(&o);
    put(&o, s);
    ddn_put(&o, "", 1);
    assert_string_equal(o.data, want);
    ddn_output_abandon(&o);
}

static const char mixed[] = "# text = du chêne\r\n"
                            "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\tA=1\r\n"
                            "1\tde\tde\tADP\tE\tF=1\t3\tcase\t3:case\tB=2\r\n"
                            "2\tle la\tle\tDET\tD\t_\t3\tdet\t3:det\t_\n"
                            "2.1\tx\t_\t_\t_\t_\t_\t_\t3:amod\t_\n"
                            "3\tchêne\tchêne\tNOUN\tN\t_\t0\troot\t0:root\t_";

static void only_what_was_set_changes(void **state)
{
    (void)state;
    ddn_sentence s;
    parse(&s, mixed, DODONA_CONLLU);
    assert_int_equal(s.n, 3);
    assert_int_equal(ddn_conll_gap(&s), 2);
    const int32_t head[] = { -1, 2, 0, 2 };
    const dodona_text label[] = { { "", 0 }, { "a", 1 }, { "root", 4 }, { "b:c", 3 } };
    assert_int_equal(ddn_sentence_set_tree(&s, head, label, false, NULL), 0);
    writes(ddn_conll_put, &s,
           "# text = du chêne\r\n"
           "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\tA=1\r\n"
           "1\tde\tde\tADP\tE\tF=1\t2\ta\t_\tB=2\r\n"
           "2\tle la\tle\tDET\tD\t_\t0\troot\t_\t_\n"
           "2.1\tx\t_\t_\t_\t_\t_\t_\t3:amod\t_\n"
           "3\tchêne\tchêne\tNOUN\tN\t_\t2\tb:c\t_\t_");
    writes(ddn_conllx_put, &s,
           "1\tde\tde\tADP\tE\tF=1\t2\ta\t_\t_\n"
           "2\tle_la\tle\tDET\tD\t_\t0\troot\t_\t_\n"
           "3\tchêne\tchêne\tNOUN\tN\t_\t2\tb:c\t_\t_\n\n");
    ddn_sentence_fini(&s);
}

/* Values that stand one byte apart in the buffer, with another value's byte between them. */
static void neighbours_by_chance(void **state)
{
    (void)state;
    ddn_sentence s;
    parse(&s, OK W("2", "1"), DODONA_CONLLU);
    assert_int_equal(ddn_sentence_set(&s, 0, DDN_FORM, "x", 1, NULL), 0);
    assert_int_equal(ddn_sentence_set(&s, 1, DDN_FORM, "y", 1, NULL), 0);
    assert_int_equal(ddn_sentence_set(&s, 0, DDN_LEMMA, "z", 1, NULL), 0);
    writes(ddn_conll_put, &s, "1\tx\tz\t_\t_\t_\t0\td\t_\t_\n2\ty\t_\t_\t_\t_\t1\td\t_\t_\n");
    ddn_sentence_fini(&s);
}

/* Rows that a program adds need not lie in the buffer in their order. */
static void rows_in_another_order(void **state)
{
    (void)state;
    ddn_sentence s;
    ddn_span a, b;
    ddn_row *row;
    ddn_sentence_init(&s);
    assert_int_equal(ddn_sentence_text(&s, "# a\n", 4, &a, NULL), 0);
    assert_int_equal(ddn_sentence_text(&s, "# b\n", 4, &b, NULL), 0);
    assert_int_equal(ddn_sentence_row(&s, DDN_ROW_COMMENT, &row, NULL), 0);
    row->line = b;
    assert_int_equal(ddn_sentence_row(&s, DDN_ROW_COMMENT, &row, NULL), 0);
    row->line = a;
    writes(ddn_conll_put, &s, "# b\n# a\n");
    ddn_sentence_fini(&s);
}

static void conllx_becomes_conllu(void **state)
{
    (void)state;
    ddn_sentence s;
    parse(&s, "1\ta\ta\tN\tNN\t_\t2\tSBJ\t2\tSBJ\r\n2\tb\tb\tV\tVB\t_\t0\tROOT\t_\t_\r\n\r\n",
          DODONA_CONLLX);
    assert_true(s.conllx);
    assert_int_equal(ddn_conll_gap(&s), 0);
    writes(ddn_conllu_from_x_put, &s,
           "1\ta\ta\tN\tNN\t_\t2\tSBJ\t_\t_\r\n2\tb\tb\tV\tVB\t_\t0\tROOT\t_\t_\r\n\r\n");
    const dodona_text label[] = { { "", 0 }, { "x", 1 }, { "y", 1 } };
    assert_int_equal(ddn_sentence_set_tree(&s, s.head, label, false, NULL), 0);
    writes(ddn_conll_put, &s,
           "1\ta\ta\tN\tNN\t_\t2\tx\t_\t_\r\n2\tb\tb\tV\tVB\t_\t0\ty\t_\t_\r\n\r\n");
    ddn_sentence_fini(&s);
}

static void made_words_end_with_a_blank_line(void **state)
{
    (void)state;
    ddn_sentence s;
    ddn_sentence_init(&s);
    const dodona_text col[DDN_COLUMNS] = { [DDN_FORM] = { "oak", 3 } };
    assert_int_equal(ddn_sentence_word(&s, col, NULL), 0);
    writes(ddn_conll_put, &s, "1\toak\t_\t_\t_\t_\t_\t_\t_\t_\n\n");
    writes(ddn_conllx_put, &s, "1\toak\t_\t_\t_\t_\t_\t_\t_\t_\n\n");
    assert_int_equal(ddn_conll_gap(&s), 0);
    ddn_sentence_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_files_round_trip),
        cmocka_unit_test(blank_lines_belong_to_the_next),
        cmocka_unit_test(treebanks_round_trip),
        cmocka_unit_test(bad_lines_are_named),
        cmocka_unit_test(a_nul_is_named),
        cmocka_unit_test(conllx_has_words_only),
        cmocka_unit_test(bad_sentences_pass_through),
        cmocka_unit_test(a_long_line_fails_early),
        cmocka_unit_test(a_long_line_passes_in_pieces),
        cmocka_unit_test(reading_goes_on_after_a_long_line),
        cmocka_unit_test(sentences_have_limits),
        cmocka_unit_test(lines_without_words_have_a_limit),
        cmocka_unit_test(damaged_input_is_not_passed_over),
        cmocka_unit_test(only_what_was_set_changes),
        cmocka_unit_test(neighbours_by_chance),
        cmocka_unit_test(rows_in_another_order),
        cmocka_unit_test(conllx_becomes_conllu),
        cmocka_unit_test(made_words_end_with_a_blank_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
