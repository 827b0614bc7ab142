/* SPDX-License-Identifier: MIT */
/* Any text ends in CoNLL-U that the UD validator takes, and comes back to the byte: odd texts and
 * random ones, with the English model and with one of a few sentences that have all that is rare.
 * And before that, whether lib/valid.h finds what is wrong. */
#include "core/output.h"
#include "core/rng.h"
#include "dodona.h"
#include "lib/check.h"
#include "lib/files.h"
#include "lib/memory.h"
#include "lib/valid.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* ---- The checks ---- */

#define LAST "1\t10 000\t10 000\tNUM\tCD\tNumType=Card\t0\troot\t_\t_\n"

static const char good[] =
    "# newdoc\n"
    "# newpar\n"
    "# sent_id = a1\n"
    "# text = He can't go.\n"
    "1\tHe\the\tPRON\tPRP\tCase=Nom|Number=Plur,Sing\t4\tnsubj\t_\tSpaceBefore=No|TokenRange=0:2\n"
    "2-3\tcan't\t_\t_\t_\t_\t_\t_\t_\tTokenRange=3:8\n"
    "2\tcan\tcan\tAUX\tMD\tVerbForm=Fin\t4\taux\t_\t_\n"
    "3\tn't\tnot\tPART\tRB\t_\t2\tadvmod\t_\t_\n"
    "4\tgo\tgo\tVERB\tVB\tNumber[psor]=Sing|VerbForm=Inf\t0\troot\t_\tSpaceAfter=No\n"
    "5\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\t_\n"
    "\n"
    "# newpar\n"
    "# sent_id = a2\n"
    "# text = 10 000\n" LAST "\n";

static const struct fault {
    const char *from, *to; /* the first of the one becomes the other */
    int line;
    const char *fault;
} faults[] = {
    { "He", "\xff", 1, "not UTF-8" },
    { "newdoc\n", "newdoc\r\n", 1, "a carriage return" },
    { "# newpar", "newpar", 2, "a line that is neither a comment nor a word" },
    { "\n\n", "\n\n\n", 12, "an empty line too many" },
    { "3\tn't", "# x\n3\tn't", 8, "a comment among the words" },
    { "root\t_\t_\n\n", "root\t_\t_", 15, "no line end at the end" },
    { "root\t_\t_\n\n", "root\t_\t_\n", 16, "no empty line at the end" },
    { LAST, "", 15, "a sentence without words" },
    { "He\the", "He", 5, "not ten columns" },
    { "He\the", "He\the\the", 5, "not ten columns" },
    { "\the\t", "\t\t", 5, "an empty column" },
    { "\the\t", "\t he\t", 5, "a column that begins with a blank" },
    { "\the\t", "\t\xc2\xa0he\t", 5, "a column that begins with a blank" },
    { "\the\t", "\the\x1f\t", 5, "a column that ends with a blank" },
    { "\the\t", "\th\xe3\x80\x80 e\t", 5, "a column with two blanks in a row" },
    { "PRP", "P P", 5, "a blank in a column that must have none" },
    { "1\tHe", "01\tHe", 5, "an id out of sequence" },
    { "1\tHe", "2\tHe", 5, "an id out of sequence" },
    { "3\tn't", "3.1\tn't", 8, "an id out of sequence" },
    { "2-3", "1-3", 6, "a range that does not stand before its first word" },
    { "2-3", "3-4", 6, "a range that does not stand before its first word" },
    { "2-3", "2-2", 6, "a range of less than two words" },
    { "2-3", "2-x", 6, "a range of less than two words" },
    { "1\t10 000", "1-2\t10 000\t_\t_\t_\t_\t_\t_\t_\t_\n1\t10 000", 17,
      "a range that goes beyond the last word" },
    { "3\tn't", "3-4\tn't\t_\t_\t_\t_\t_\t_\t_\t_\n3\tn't", 8, "a range inside another" },
    { "can't\t_", "can't\tcan", 6, "a range with more than FORM and MISC" },
    { "4\tnsubj", "_\tnsubj", 5, "a head that is no number" },
    { "4\tnsubj", "04\tnsubj", 5, "a head that is no number" },
    { "4\tnsubj", "-4\tnsubj", 5, "a head that is no number" },
    { "4\tnsubj", "1\tnsubj", 5, "a word that is its own head" },
    { "4\tnsubj", "6\tnsubj", 11, "a head that is no word" },
    { "4\tnsubj", "0\tnsubj", 5, "root without 0, or 0 without root" },
    { "nsubj", "root", 5, "root without 0, or 0 without root" },
    { "4\tnsubj", "0\troot", 11, "not one root" },
    { "0\troot", "1\tdep", 11, "not one root" },
    { "4\taux", "3\taux", 11, "a cycle" },
    { "aux\t_", "aux\t4:aux", 7, "something in DEPS" },
    { "PRON", "_", 5, "a tag that UD does not have" },
    { "PRON", "PRO", 5, "a tag that UD does not have" },
    { "nsubj", "_", 5, "a relation that UD does not have" },
    { "nsubj", "subj", 5, "a relation that UD does not have" },
    { "nsubj", "nsubj:", 5, "a relation with an empty subtype" },
    { "nsubj", "nsubj:Pass", 5, "a subtype that is not of small letters" },
    { "Case=Nom|Number=Plur,Sing", "Number=Sing|Case=Nom", 5, "features out of order" },
    { "Case=Nom|Number", "Case=Nom|Case", 5, "a feature twice" },
    { "Case=Nom", "Case", 5, "a feature that is not Name=Value" },
    { "Case=Nom", "case=Nom", 5, "a feature that is not Name=Value" },
    { "[psor]", "[Psor]", 9, "a feature that is not Name=Value" },
    { "[psor]", "[psor", 9, "a feature that is not Name=Value" },
    { "[psor]", "[]", 9, "a feature that is not Name=Value" },
    { "Case=Nom", "Case=nom", 5, "a value of a feature that is none" },
    { "Case=Nom", "Case=", 5, "a value of a feature that is none" },
    { "Plur,Sing", "Sing,Plur", 5, "values of a feature out of order" },
    { "Plur,Sing", "Sing,Sing", 5, "values of a feature out of order" },
    { "=No\n", "=No|\n", 9, "MISC with something that is not Name=Value" },
    { "=No\n", "=No|A=\n", 9, "MISC with something that is not Name=Value" },
    { "=No\n", "=No|A\n", 9, "MISC with something that is not Name=Value" },
    { "=No\n", "=No|=A\n", 9, "MISC with something that is not Name=Value" },
    { "=No\n", "=No|A= B\n", 9, "MISC with a blank around a value" },
    { "SpaceAfter=No\n", "SpaceAfter=Yes\n", 9, "SpaceAfter that is not No" },
    { "=No\n", "=No|SpaceAfter=No\n", 9, "MISC with a name twice" },
    { "TokenRange=3:8", "TokenRange=3:8|TokenRange=3:8", 6, "MISC with a name twice" },
    { "advmod\t_\t_", "advmod\t_\tSpaceAfter=No", 8, "SpaceAfter=No inside a range" },
    { "# sent_id = a1\n", "", 10, "no sent_id" },
    { "a1\n", "a1\n# sent_id = a3\n", 4, "two sent_ids" },
    { "a1", "a 1", 3, "a bad sent_id" },
    { "a1", "", 3, "a bad sent_id" },
    { "a1", "a/1", 3, "a bad sent_id" },
    { "a1", "a2", 17, "a sent_id twice" },
    { "# text = He can't go.\n", "", 10, "no text" },
    { "go.\n", "go.\n# text = He\n", 5, "two texts" },
    { "go.\n", "go. \n", 4, "a text that begins or ends with a blank" },
    { "= He", "= \xc2\xa0He", 4, "a text that begins or ends with a blank" },
    { "= He", "= Hi", 11, "a text that is not that of the tokens" },
    { "go.\n", "go\n", 11, "a text that is not that of the tokens" },
    { "go.\n", "go .\n", 11, "a text that is not that of the tokens" },
    { "He can't go", "Hecan't go", 11, "a token that lacks SpaceAfter=No" },
    { "go.\n", "go.!\n", 11, "a text that goes on after the tokens" },
    { "# newdoc\n# newpar\n", "# newdoc\n", 10, "a document without a paragraph" },
    { "# newdoc\n", "# newdoc\n# newdoc\n", 12, "a document or paragraph that begins twice" },
    { "# newpar\n", "# newpar\n# newpar\n", 12, "a document or paragraph that begins twice" },
    { "punct\t_\t_", "punct\t_\tSpaceAfter=No", 16, "a paragraph after SpaceAfter=No" },
};

/* What valid.h says of the good sentences with one change. */
static const char *say(const struct fault *f, int *line)
{
    ddn_output o;
    const char *at = strstr(good, f->from);
    assert_non_null(at);
    ddn_output_memory(&o);
    ddn_put(&o, good, (size_t)(at - good));
    ddn_puts(&o, f->to);
    ddn_puts(&o, at + strlen(f->from));
    const char *fault = test_valid(o.data, o.size, line);
    ddn_output_abandon(&o);
    return fault;
}

static void every_fault_is_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        int line = 0;
        const char *fault = say(&faults[i], &line);
        if (!fault || strcmp(fault, faults[i].fault) != 0 || line != faults[i].line)
            fail_msg("'%s' for '%s': line %d, %s", faults[i].to, faults[i].from, line,
                     fault ? fault : "nothing is wrong");
    }
}

static void nothing_is_wrong_with_what_is_right(void **state)
{
    (void)state;
    int line;
    assert_null(test_valid(good, sizeof good - 1, &line));
    assert_null(test_valid("", 0, &line));
}

/* ---- Texts ---- */

enum { ENGLISH, SMALL, MODELS, TEXTS = 120, LONGEST = 500 };

static dodona_model *model[MODELS];

static void train_small(const char *path)
{
    dodona_error err;
    dodona_reader *r;
    dodona_train_options o;
    dodona_train_options_init(&o);
    o.pipeline = 1;
    o.jackknife = 2;
    o.iterations = 2;
    assert_int_equal(dodona_reader_open(test_data("pipeline.conllu"), NULL, &r, &err), 0);
    dodona_source source = { .pull = dodona_reader_pull, .ctx = r, .name = "pipeline.conllu" };
    assert_int_equal(dodona_train(&o, &source, NULL, path, NULL, &err), 0);
    dodona_reader_close(r);
}

static int open_models(void **state)
{
    (void)state;
    char path[256];
    dodona_error err;
    snprintf(path, sizeof path, "%s", test_scratch("small.model"));
    train_small(path);
    assert_int_equal(dodona_model_open(path, &model[SMALL], &err), 0);
    const char *english = test_data("../../models/english.model");
    return dodona_model_open(english, &model[ENGLISH], &err);
}

static int free_models(void **state)
{
    (void)state;
    for (int i = 0; i < MODELS; i++)
        dodona_model_free(model[i]);
    return 0;
}

/* The text through a model to a file of CoNLL-U. */
static void parse(const dodona_model *m, test_memory text, const char *path)
{
    dodona_error err;
    dodona_reader_options reading;
    dodona_reader *r;
    dodona_writer *w;
    dodona_reader_options_init(&reading);
    reading.format = DODONA_TEXT;
    reading.model = m;
    assert_int_equal(
        dodona_reader_open_callback(test_memory_read, &text, "text", &reading, &r, &err), 0);
    assert_int_equal(dodona_writer_open(path, DODONA_CONLLU, &w, &err), 0);
    if (dodona_parse_stream(m, NULL, dodona_reader_pull, r, dodona_writer_push, w, &err) < 0)
        fail_msg("%s", err.message);
    assert_int_equal(dodona_writer_close(w, &err), 0);
    dodona_reader_close(r);
}

/* CoNLL-U to a file of text, as dodona convert does. */
static void convert(const char *from, const char *to)
{
    dodona_error err;
    dodona_reader *r;
    dodona_writer *w;
    dodona_sentence *s = dodona_sentence_new();
    int status;
    assert_non_null(s);
    assert_int_equal(dodona_reader_open(from, NULL, &r, &err), 0);
    assert_int_equal(dodona_writer_open(to, DODONA_TEXT, &w, &err), 0);
    while ((status = dodona_reader_next(r, s, &err)) > 0)
        assert_int_equal(dodona_writer_put(w, s, &err), 0);
    assert_int_equal(status, 0);
    assert_int_equal(dodona_writer_close(w, &err), 0);
    dodona_reader_close(r);
    dodona_sentence_free(s);
}

static void is_valid_and_comes_back(const char *data, size_t size, size_t chunk)
{
    char conllu[256], back[256];
    snprintf(conllu, sizeof conllu, "%s", test_scratch("conllu"));
    snprintf(back, sizeof back, "%s", test_scratch("back"));
    for (int i = 0; i < MODELS; i++) {
        size_t length;
        int line;
        parse(model[i], (test_memory){ .data = data, .size = size, .chunk = chunk }, conllu);
        char *parsed = test_slurp(conllu, &length);
        const char *fault = test_valid(parsed, length, &line);
        if (fault)
            fail_msg("line %d: %s, in\n%s", line, fault, parsed);
        free(parsed);
        convert(conllu, back);
        char *text = test_slurp(back, &length);
        assert_int_equal(length, size);
        assert_memory_equal(text, data, size);
        free(text);
    }
}

static void odd_texts(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "It works.",
        "x",
        "\n\n  \t Oaks\r\n\r\nspeak .\xc2\xa0\xc2\xa0 They\xe2\x80\x83"
        "do n't. \n",
        "\xef\xbb\xbf樹木說話。אלון شجرة",
        "\xe2\x80\x8b\xcc\x81 \xf0\x9f\x8c\xb3\xf0\x9f\x8f\xbf\xe2\x80\x8d\xf0\x9f\xa6\xb0 ... "
        "?!?! _ - "
        "# a\n# b",
        "http://a.b/c?d=e&f#g <br/> |x=y|\\n\\ \"q\" can't won't a_b = _ \n1-2\n1.1\n",
        "10 \n 000  10\t000 gimmeit!du\x1c\x1d\x1e\x1f\x7f\x01 \xc2\x85 \xe2\x80\xa8 x",
        "say a n't. A n't oaks a \n s. a can't 1 0",
        "Don't DON'T don’t gimmeIT Du dU DU",
        "\xef\xbf\xbe \xef\xbf\xbf \xf4\x8f\xbf\xbf \xef\xb7\x90",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        is_valid_and_comes_back(texts[i], strlen(texts[i]), 0);
        is_valid_and_comes_back(texts[i], strlen(texts[i]), 1);
    }
}

/* Longer than a token or a sentence may be. */
static void long_texts(void **state)
{
    (void)state;
    ddn_output o;
    ddn_output_memory(&o);
    for (int i = 0; i < 20000; i++)
        ddn_puts(&o, "x");
    is_valid_and_comes_back(o.data, o.size, 0);
    o.size = 0;
    for (int i = 0; i < 3000; i++)
        ddn_puts(&o, "and so on ");
    is_valid_and_comes_back(o.data, o.size, 0);
    ddn_output_abandon(&o);
}

static void put_code(ddn_output *o, uint32_t code)
{
    utf8proc_uint8_t bytes[4];
    if (code >= 0xd800 && code < 0xe000)
        code -= 0x800;
    utf8proc_ssize_t size = utf8proc_encode_char((utf8proc_int32_t)code, bytes);
    ddn_put(o, (const char *)bytes, (size_t)size);
}

static void put_random(ddn_output *o, ddn_rng *r)
{
    static const char *const pieces[] = { "can't",   "gimmeit", "du",   "10 000", "Don't", "...",
                                          "http://", "\r\n",    "\n\n", "cannot", "#",     "1-2" };
    static const uint32_t blanks[] = { ' ',    ' ',    '\t',   '\n',   '\r',   0x0b,   0x0c,
                                       0x00,   0x1f,   0x85,   0xa0,   0x1680, 0x2003, 0x2028,
                                       0x2029, 0x202f, 0x205f, 0x3000, 0xfeff, 0x200b, 0x180e };
    static const struct {
        uint32_t from, count;
    } ranges[] = { { 'a', 26 },      { 'A', 26 },      { '0', 10 },     { ' ', 95 },
                   { 0, 32 },        { 0x80, 0x180 },  { 0x300, 0x70 }, { 0x590, 0x100 },
                   { 0x4e00, 4000 }, { 0x1f300, 700 }, { 0, 0x10f800 } };
    size_t kind = ddn_rng_below(r, 16);
    if (kind < sizeof ranges / sizeof *ranges)
        put_code(o, ranges[kind].from + (uint32_t)ddn_rng_below(r, ranges[kind].count));
    else if (kind < 14)
        put_code(o, blanks[ddn_rng_below(r, sizeof blanks / sizeof *blanks)]);
    else
        ddn_puts(o, pieces[ddn_rng_below(r, sizeof pieces / sizeof *pieces)]);
}

static void random_texts(void **state)
{
    (void)state;
    ddn_rng r;
    ddn_output o;
    ddn_rng_init(&r, 1);
    ddn_output_memory(&o);
    for (int i = 0; i < TEXTS; i++) {
        size_t before = ddn_rng_below(&r, LONGEST / 2), after = ddn_rng_below(&r, LONGEST / 2);
        o.size = 0;
        for (size_t k = 0; k < before; k++)
            put_random(&o, &r);
        ddn_puts(&o, "x"); /* of blanks alone, nothing comes back */
        for (size_t k = 0; k < after; k++)
            put_random(&o, &r);
        is_valid_and_comes_back(o.data, o.size, ddn_rng_below(&r, 9));
    }
    ddn_output_abandon(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_wrong_with_what_is_right),
        cmocka_unit_test(every_fault_is_found),
        cmocka_unit_test(odd_texts),
        cmocka_unit_test(long_texts),
        cmocka_unit_test(random_texts),
    };
    return cmocka_run_group_tests(tests, open_models, free_models);
}
