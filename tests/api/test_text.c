/* SPDX-License-Identifier: MIT */
/* Raw text through a model that has a tokenizer beside its parser: in order on any number of
 * threads, with one tree a sentence, and back to the byte; and through the command. */
#include "dodona.h"
#include "lib/check.h"
#include "lib/files.h"
#include "lib/generated.h"
#include "lib/memory.h"
#include "lib/tokenizing.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 256 };

static char parser_path[PATH], model_path[PATH], text_path[PATH], conllu_path[PATH],
    back_path[PATH];
static dodona_model *parser, *model;
static ddn_output text;

/* The parser's sections and the tokenizer's in one file. */
static void join(const test_tokenizer *t)
{
    dodona_error err;
    ddn_model_file f;
    ddn_section section[DDN_MAX_SECTIONS];
    ddn_output o;
    int count = 0;
    assert_int_equal(ddn_model_file_open(&f, parser_path, &err), 0);
    for (int i = 0; i < f.sections; i++)
        section[count++] = f.section[i];
    for (int i = 1; i < t->file.sections; i++)
        section[count++] = t->file.section[i];
    assert_int_equal(ddn_output_open(&o, model_path, &err), 0);
    ddn_model_file_put(&o, section, count);
    assert_int_equal(ddn_output_close(&o, &err), 0);
    ddn_model_file_close(&f);
}

static int make_models(void **state)
{
    (void)state;
    test_generated train;
    test_tokenizer tokenizer;
    ddn_treebank treebank;
    dodona_error err;
    dodona_train_options o;
    snprintf(parser_path, PATH, "%s", test_scratch("parser.model"));
    snprintf(model_path, PATH, "%s", test_scratch("text.model"));
    snprintf(text_path, PATH, "%s", test_scratch("some.txt"));
    snprintf(conllu_path, PATH, "%s", test_scratch("some.conllu"));
    snprintf(back_path, PATH, "%s", test_scratch("back.txt"));
    dodona_train_options_init(&o);
    o.iterations = 2;
    test_generated_open(&train, 1, 0, 200);
    assert_int_equal(dodona_train(&o, &train.source, NULL, parser_path, NULL, &err), 0);
    test_generated_close(&train);
    test_treebank_generated(&treebank, 1, 200);
    test_tokenizer_train(&tokenizer, &treebank);
    ddn_treebank_fini(&treebank);
    join(&tokenizer);
    test_tokenizer_free(&tokenizer);
    ddn_output_memory(&text);
    ddn_puts(&text, "\xef\xbb\xbf\n");
    test_treebank_generated(&treebank, 3, 400);
    ddn_treebank_text(&treebank, &(ddn_text_layout){ .blank_lines = true }, &text);
    ddn_treebank_fini(&treebank);
    ddn_puts(&text, "\r\n\r\nAnd\tthen\xc2\xa0 \\ some|more ...\n\n \n");
    test_spill(text_path, text.data, text.size);
    assert_int_equal(dodona_model_open(parser_path, &parser, &err), 0);
    return dodona_model_open(model_path, &model, &err);
}

static int free_models(void **state)
{
    (void)state;
    dodona_model_free(parser);
    dodona_model_free(model);
    ddn_output_abandon(&text);
    return 0;
}

static void parse_text(int threads, int steps, int pieces)
{
    dodona_error err;
    dodona_reader_options reading;
    dodona_parse_options o;
    dodona_reader *r;
    dodona_writer *w;
    dodona_reader_options_init(&reading);
    reading.format = DODONA_TEXT;
    reading.model = model;
    reading.pieces = pieces;
    dodona_parse_options_init(&o);
    o.threads = threads;
    o.steps = steps;
    assert_int_equal(dodona_reader_open(text_path, &reading, &r, &err), 0);
    assert_int_equal(dodona_writer_open(conllu_path, DODONA_CONLLU, &w, &err), 0);
    if (dodona_parse_stream(model, &o, dodona_reader_pull, r, dodona_writer_push, w, &err) < 0)
        fail_msg("%s", err.message);
    assert_int_equal(dodona_writer_close(w, &err), 0);
    assert_int_equal(dodona_reader_bad(r, NULL), 0);
    dodona_reader_close(r);
}

/* Reads what was parsed, with that check, and gives the text that it keeps to back_path. */
static int64_t convert_back(dodona_check check)
{
    dodona_error err;
    dodona_reader_options reading;
    dodona_reader *r;
    dodona_writer *w;
    dodona_sentence *s = dodona_sentence_new();
    int64_t sentences = 0;
    int status;
    dodona_reader_options_init(&reading);
    reading.check = check;
    assert_int_equal(dodona_reader_open(conllu_path, &reading, &r, &err), 0);
    assert_int_equal(dodona_writer_open(back_path, DODONA_TEXT, &w, &err), 0);
    for (; (status = dodona_reader_next(r, s, &err)) > 0; sentences++)
        assert_int_equal(dodona_writer_put(w, s, &err), 0);
    if (status < 0)
        fail_msg("%s", err.message);
    assert_int_equal(dodona_writer_close(w, &err), 0);
    dodona_reader_close(r);
    dodona_sentence_free(s);
    return sentences;
}

static void same_as_text(const char *path)
{
    size_t size;
    char *back = test_slurp(path, &size);
    assert_int_equal(size, text.size);
    assert_memory_equal(back, text.data, size);
    free(back);
}

static void text_is_parsed_and_comes_back(void **state)
{
    (void)state;
    size_t size, more;
    parse_text(1, 0, 0);
    char *one = test_slurp(conllu_path, &size);
    assert_true(convert_back(DODONA_CHECK_ONE_ROOT) > 300);
    same_as_text(back_path);
    for (int i = 1; i < 6; i++) {
        parse_text(1 + i / 2, 0, i % 2); /* of several threads and in pieces, both or neither */
        char *other = test_slurp(conllu_path, &more);
        assert_int_equal(size, more);
        assert_memory_equal(one, other, size);
        free(other);
    }
    free(one);
}

static void tokenizing_alone_leaves_heads_empty(void **state)
{
    (void)state;
    dodona_error err;
    dodona_reader *r;
    dodona_word word;
    dodona_sentence *s = dodona_sentence_new();
    parse_text(2, DODONA_STEP_TOKENIZE, 1);
    assert_true(convert_back(DODONA_CHECK_FORM) > 300);
    same_as_text(back_path);
    assert_int_equal(dodona_reader_open(conllu_path, NULL, &r, &err), 0);
    while (dodona_reader_next(r, s, &err) > 0)
        for (int i = 1; i <= dodona_sentence_length(s); i++) {
            assert_int_equal(dodona_sentence_get(s, i, &word), 0);
            assert_int_equal(word.head, -1);
        }
    dodona_reader_close(r);
    dodona_sentence_free(s);
}

static void without_a_tokenizer_text_is_refused(void **state)
{
    (void)state;
    dodona_error err;
    dodona_reader *r;
    dodona_reader_options reading;
    dodona_reader_options_init(&reading);
    reading.format = DODONA_TEXT;
    assert_int_equal(dodona_reader_open(text_path, &reading, &r, &err), DODONA_E_ARGUMENT);
    assert_non_null(strstr(err.message, "takes a model"));
    reading.model = parser;
    assert_int_equal(dodona_reader_open(text_path, &reading, &r, &err), DODONA_E_MODEL);
    assert_non_null(strstr(err.message, "the model has no tokenizer"));
    assert_string_equal(err.file, parser_path);
    assert_null(r);
}

/* A shell line with the command and the files of this test; its exit code. */
static int shell(const char *line)
{
    char command[16 * PATH];
    const char *build = getenv("DODONA_BUILD");
    snprintf(command, sizeof command, "PATH=%s:$PATH M=%s P=%s T=%s B=%s; %s", build ? build : ".",
             model_path, parser_path, text_path, back_path, line);
    int status = system(command);
    return status < 0 ? status : status >> 8;
}

static void the_command_reads_text(void **state)
{
    (void)state;
    assert_int_equal(shell("dodona parse --model $M --input text $T | "
                           "dodona convert --output text >$B"),
                     0);
    same_as_text(back_path);
    assert_int_equal(shell("dodona parse --model $M --input text --steps tokenize -j 2 <$T | "
                           "dodona convert --output text >$B"),
                     0);
    same_as_text(back_path);
    assert_int_equal(shell("dodona parse --model $P --input text $T 2>$B"), 1);
    size_t size;
    char *message = test_slurp(back_path, &size);
    assert_non_null(strstr(message, "the model has no tokenizer"));
    free(message);
    assert_int_equal(shell("printf 'a\\nb \\377' | dodona parse --model $M --input text 2>$B"), 1);
    message = test_slurp(back_path, &size);
    assert_non_null(strstr(message, "<stdin>:2: byte 0xff is not UTF-8"));
    free(message);
}

/* Tokens lead through all words, and their forms and blanks make up the text. */
static void tokens_are_the_text(void **state)
{
    (void)state;
    static const char raw[] = " The dogs didn't bark.\n\nThe old farmer slept.";
    test_memory m = { .data = raw, .size = sizeof raw - 1 };
    dodona_reader_options o;
    dodona_reader *r;
    dodona_sentence *s = dodona_sentence_new();
    int ranges = 0;
    dodona_reader_options_init(&o);
    o.format = DODONA_TEXT;
    o.model = model;
    assert_int_equal(dodona_reader_open_callback(test_memory_read, &m, "m", &o, &r, NULL), 0);
    while (dodona_reader_next(r, s, NULL) > 0) {
        dodona_token t = { 0 };
        for (int word = 1; dodona_sentence_next_token(s, &t); word = t.last + 1) {
            char misc[256];
            int from, to;
            assert_int_equal(t.first, word);
            assert_true(t.last >= t.first);
            ranges += t.last > t.first;
            snprintf(misc, sizeof misc, "%.*s", (int)t.misc.size, t.misc.data);
            assert_non_null(strstr(misc, "TokenRange="));
            assert_int_equal(sscanf(strstr(misc, "TokenRange="), "TokenRange=%d:%d", &from, &to),
                             2);
            assert_int_equal(t.form.size, to - from);
            assert_memory_equal(t.form.data, raw + from, t.form.size);
        }
        assert_int_equal(t.last, dodona_sentence_length(s));
    }
    assert_int_equal(ranges, 1);
    dodona_sentence_clear(s);
    assert_int_equal(dodona_sentence_next_token(s, &(dodona_token){ 0 }), 0);
    dodona_reader_close(r);
    dodona_sentence_free(s);
}

/* ---- Places ---- */

typedef struct places {
    const char *raw;
    size_t size;
    int64_t last_byte, last, tokens; /* last: characters before last_byte */
} places;

static int64_t characters(const char *of, int64_t from, int64_t to)
{
    int64_t count = 0;
    for (int64_t i = from; i < to; i++)
        count += ((unsigned char)of[i] & 0xc0) != 0x80;
    return count;
}

/* The bytes of every token are its form, in order, and as many characters are before them. */
static int check_places(void *ctx, dodona_sentence *s, dodona_error *err)
{
    places *p = ctx;
    dodona_token t = { 0 };
    (void)err;
    while (dodona_sentence_next_token(s, &t)) {
        assert_true(t.start_byte >= p->last_byte && t.end_byte <= (int64_t)p->size);
        for (int64_t i = p->last_byte; i < t.start_byte; i++)
            assert_true(strchr(" \n\t\xc2\xa0\xef\xbb\xbf", p->raw[i]) || p->raw[i] == '\0');
        if (!memchr(t.form.data, ' ', t.form.size)) {
            assert_int_equal(t.end_byte - t.start_byte, t.form.size);
            assert_memory_equal(p->raw + t.start_byte, t.form.data, t.form.size);
        }
        assert_int_equal(t.start, p->last + characters(p->raw, p->last_byte, t.start_byte));
        assert_int_equal(t.end, t.start + characters(p->raw, t.start_byte, t.end_byte));
        p->last_byte = t.end_byte;
        p->last = t.end;
        p->tokens++;
    }
    return 0;
}

/* Long enough for many pieces; characters of one to four bytes, white space of all kinds. */
static char *odd_text(size_t *size)
{
    static const char *const parts[] = {
        "The", "dogs", "didn't", "bark.", "n\303\251e", "\346\234\250", "\360\237\214\263",
        "x|y", "a\\s", ".",      "20",    "000"
    };
    static const char *const gaps[] = { " ", " ", " ", "  ", "\n", "\n\n", "\t", "\302\240", "" };
    enum { WORDS = 40000 };
    char *made = malloc(WORDS * 16), *to = made;
    uint32_t seed = 3;
    assert_non_null(made);
    to += sprintf(to, "\357\273\277 ");
    for (int i = 0; i < WORDS; i++) {
        seed = seed * 1664525 + 1013904223;
        to += sprintf(to, "%s%s", parts[(seed >> 8) % 12], gaps[(seed >> 16) % 9]);
    }
    *size = (size_t)(to - made);
    return made;
}

static void tokens_tell_their_places(void **state)
{
    (void)state;
    size_t size;
    char *raw = odd_text(&size);
    int64_t tokens = 0;
    for (int threads = 1; threads <= 3; threads++) {
        test_memory m = { .data = raw, .size = size };
        places p = { .raw = raw, .size = size };
        dodona_reader_options o;
        dodona_parse_options parse;
        dodona_reader *r;
        dodona_reader_options_init(&o);
        o.format = DODONA_TEXT;
        o.model = model;
        o.pieces = threads > 1;
        dodona_parse_options_init(&parse);
        parse.steps = DODONA_STEP_TOKENIZE;
        parse.threads = threads;
        assert_int_equal(dodona_reader_open_callback(test_memory_read, &m, "m", &o, &r, NULL), 0);
        assert_int_equal(
            dodona_parse_stream(model, &parse, dodona_reader_pull, r, check_places, &p, NULL), 0);
        dodona_reader_close(r);
        assert_true(p.tokens > 30000 && (threads == 1 || p.tokens == tokens));
        tokens = p.tokens;
    }
    free(raw);
}

/* CoNLL-U has the characters alone, or nothing. */
static void other_tokens_have_no_bytes(void **state)
{
    (void)state;
    static const char raw[] = "1\ta\t_\t_\t_\t_\t_\t_\t_\tTokenRange=7:8\n"
                              "2\tb\t_\t_\t_\t_\t_\t_\t_\tTokenRange=x\n\n";
    test_memory m = { .data = raw, .size = sizeof raw - 1 };
    dodona_reader *r;
    dodona_sentence *s = dodona_sentence_new();
    dodona_token t = { 0 };
    assert_int_equal(dodona_reader_open_callback(test_memory_read, &m, "m", NULL, &r, NULL), 0);
    assert_int_equal(dodona_reader_next(r, s, NULL), 1);
    assert_int_equal(dodona_sentence_next_token(s, &t), 1);
    assert_true(t.start == 7 && t.end == 8 && t.start_byte == -1 && t.end_byte == -1);
    assert_int_equal(dodona_sentence_next_token(s, &t), 1);
    assert_true(t.start == -1 && t.end == -1 && t.start_byte == -1 && t.end_byte == -1);
    dodona_reader_close(r);
    dodona_sentence_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_parsed_and_comes_back),
        cmocka_unit_test(tokenizing_alone_leaves_heads_empty),
        cmocka_unit_test(without_a_tokenizer_text_is_refused),
        cmocka_unit_test(tokens_are_the_text),
        cmocka_unit_test(tokens_tell_their_places),
        cmocka_unit_test(other_tokens_have_no_bytes),
        cmocka_unit_test(the_command_reads_text),
    };
    return cmocka_run_group_tests(tests, make_models, free_models);
}
