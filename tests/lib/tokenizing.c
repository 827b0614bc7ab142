/* SPDX-License-Identifier: MIT */
#include "lib/tokenizing.h"

#include "io/conll.h"
#include "io/text_write.h"
#include "lib/check.h"
#include "lib/grammar.h"
#include "lib/memory.h"

static int next_conll(void *reader, ddn_sentence *s, dodona_error *err)
{
    return ddn_conll_next(reader, s, err);
}

static void read_treebank(ddn_treebank *t, dodona_read read, void *ctx)
{
    dodona_error err;
    ddn_input *in;
    ddn_conll_reader *r;
    ddn_treebank_init(t);
    assert_int_equal(ddn_input_callback(&in, read, ctx, "treebank", &err), 0);
    assert_int_equal(ddn_conll_open(&r, in, DODONA_CONLLU, DODONA_CHECK_FORM, false, &err), 0);
    if (ddn_treebank_read(t, next_conll, r, &err) < 0)
        fail_msg("%s", err.message);
    ddn_conll_close(r);
}

void test_treebank_read(ddn_treebank *t, const char *conllu, size_t size)
{
    test_memory m = { .data = size ? conllu : "", .size = size };
    read_treebank(t, test_memory_read, &m);
}

void test_treebank_generated(ddn_treebank *t, uint64_t seed, int64_t sentences)
{
    ddn_grammar g;
    ddn_grammar_init(&g, seed, DDN_GRAMMAR_NONPROJECTIVE, sentences);
    read_treebank(t, ddn_grammar_read, &g);
}

void test_tokenizer_train(test_tokenizer *t, const ddn_treebank *treebank)
{
    dodona_error err;
    ddn_tokenizer_options o;
    ddn_sections sections;
    ddn_model_file made;
    ddn_sections_init(&sections);
    ddn_sections_add(&sections, "meta");
    ddn_tokenizer_options_init(&o);
    if (ddn_tokenizer_train(&o, treebank, &sections, &err) < 0)
        fail_msg("%s", err.message);
    ddn_sections_view(&sections, "tokenizer", &made);
    ddn_output_memory(&t->bytes);
    ddn_model_file_put(&t->bytes, made.section, made.sections);
    ddn_sections_fini(&sections);
    assert_int_equal(
        ddn_model_file_memory(&t->file, t->bytes.data, t->bytes.size, "tokenizer", &err), 0);
    if (ddn_tokenizer_open(&t->tokenizer, &t->file, &err) < 0)
        fail_msg("%s", err.message);
}

void test_tokenizer_free(test_tokenizer *t)
{
    ddn_tokenizer_close(&t->tokenizer);
    ddn_model_file_close(&t->file);
    ddn_output_abandon(&t->bytes);
}

int test_tokenize(const ddn_tokenizer *t, const char *text, size_t size, size_t chunk,
                  ddn_output *conllu, ddn_output *back, dodona_error *err)
{
    test_memory m = { .data = text, .size = size, .chunk = chunk };
    ddn_input *in;
    ddn_text_reader *r;
    ddn_sentence s;
    ddn_sentence_init(&s);
    assert_int_equal(ddn_input_callback(&in, test_memory_read, &m, "text", err), 0);
    assert_int_equal(ddn_text_open(&r, t, in, err), 0);
    int status;
    while ((status = ddn_text_next(r, &s, err)) > 0) {
        if (conllu)
            ddn_conll_put(conllu, &s);
        if (back)
            assert_true(ddn_text_rebuild(back, &s));
    }
    ddn_text_close(r);
    ddn_sentence_fini(&s);
    return status;
}
