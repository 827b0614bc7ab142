/* SPDX-License-Identifier: MIT */
#include "lib/tokenizing.h"

#include "core/array.h"
#include "io/conll.h"
#include "io/text_write.h"
#include "lib/check.h"
#include "lib/grammar.h"
#include "lib/memory.h"
#include <stdlib.h>
#include <string.h>

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

static int tokenize(const ddn_tokenizer *t, const char *text, size_t size, size_t chunk, bool flush,
                    ddn_output *conllu, ddn_output *back, dodona_error *err)
{
    test_memory m = { .data = text, .size = size, .chunk = chunk };
    ddn_input *in;
    ddn_text_reader *r;
    ddn_sentence s;
    ddn_sentence_init(&s);
    assert_int_equal(ddn_input_callback(&in, test_memory_read, &m, "text", err), 0);
    assert_int_equal(ddn_text_open(&r, t, in, err), 0);
    if (flush)
        ddn_text_flush(r);
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

int test_tokenize(const ddn_tokenizer *t, const char *text, size_t size, size_t chunk,
                  ddn_output *conllu, ddn_output *back, dodona_error *err)
{
    return tokenize(t, text, size, chunk, false, conllu, back, err);
}

int test_tokenize_flush(const ddn_tokenizer *t, const char *text, size_t size, size_t chunk,
                        ddn_output *conllu, ddn_output *back)
{
    return tokenize(t, text, size, chunk, true, conllu, back, NULL);
}

size_t test_random_text(ddn_rng *r, char *to, int parts)
{
    static const char *const piece[] = {
        " ", " ",  "\n", "\n\n", "\r\n", "\t", "\xc2\xa0", "a", "B", "du", "7",    "000",
        ".", "..", "\"", "'",    "n't",  "|",  "\\",       "(", ")", "我", "喜欢", "。"
    };
    size_t size = 0;
    for (int i = 0; i < parts; i++) {
        uint64_t k = ddn_rng_below(r, sizeof piece / sizeof *piece + 3);
        if (k < sizeof piece / sizeof *piece) {
            size_t length = strlen(piece[k]);
            memcpy(to + size, piece[k], length);
            size += length;
            continue;
        }
        uint32_t c = 1 + (uint32_t)ddn_rng_below(r, ddn_rng_below(r, 2) ? 0x2fff : 0x10fffe);
        if (c >= 0xd800 && c < 0xe000)
            c = 'x';
        if (c < 0x80) {
            to[size++] = (char)c;
        } else if (c < 0x800) {
            to[size++] = (char)(0xc0 | c >> 6);
            to[size++] = (char)(0x80 | (c & 63));
        } else {
            to[size++] = (char)(c < 0x10000 ? 0xe0 | c >> 12 : 0xf0 | c >> 18);
            if (c >= 0x10000)
                to[size++] = (char)(0x80 | (c >> 12 & 63));
            to[size++] = (char)(0x80 | (c >> 6 & 63));
            to[size++] = (char)(0x80 | (c & 63));
        }
    }
    to[size++] = 'z'; /* at least one that is not blank */
    return size;
}

/* ---- In pieces ---- */

/* A piece with what was found in it. */
typedef struct found {
    ddn_text_piece *piece;
    ddn_piece_starts starts;
    ddn_sentence *sentence; /* [starts.count] */
} found;

static void find_sentences(ddn_text_reader *r, found *f)
{
    size_t capacity = 0;
    int status;
    assert_int_equal(ddn_piece_begin(r, f->piece, &f->starts, NULL), 0);
    do {
        assert_true(ddn_reserve(&f->sentence, &capacity, f->starts.count + 1, sizeof *f->sentence));
        ddn_sentence *s = &f->sentence[f->starts.count];
        ddn_sentence_init(s);
        status = ddn_piece_next(r, f->piece, &f->starts, s, NULL);
        assert_true(status >= 0);
        if (status == 0)
            ddn_sentence_fini(s);
    } while (status > 0);
}

static void put_numbered(ddn_output *conllu, ddn_sentence *s, int64_t *number)
{
    assert_int_equal(ddn_text_number(s, ++*number, NULL), 0);
    ddn_conll_put(conllu, s);
}

/* The sentences of a piece, after those that its reader did not find. */
static int join(ddn_joiner *j, found *f, ddn_output *conllu, int64_t *number, dodona_error *err)
{
    ddn_sentence s;
    int status;
    ddn_sentence_init(&s);
    ddn_joiner_begin(j, f->piece, &f->starts);
    while ((status = ddn_joiner_next(j, &s, err)) > 0)
        put_numbered(conllu, &s, number);
    for (size_t i = j->take; status >= 0 && i < f->starts.count; i++)
        put_numbered(conllu, &f->sentence[i], number);
    ddn_sentence_fini(&s);
    return status < 0 ? status : ddn_joiner_end(j, err);
}

static void free_found(found *f)
{
    for (size_t i = 0; i < f->starts.count; i++)
        ddn_sentence_fini(&f->sentence[i]);
    free(f->sentence);
    ddn_piece_starts_fini(&f->starts);
    ddn_piece_free(f->piece);
}

int test_tokenize_pieces(const ddn_tokenizer *t, const char *text, size_t size, size_t piece,
                         size_t more, ddn_output *conllu, dodona_error *err)
{
    test_memory m = { .data = text, .size = size, .chunk = piece };
    ddn_input *in;
    ddn_pieces *r;
    ddn_text_reader *worker;
    ddn_joiner j;
    found *all = NULL;
    size_t count = 0, capacity = 0;
    int status = 1, joined = DODONA_OK;
    int64_t number = 0;
    assert_int_equal(ddn_input_callback(&in, test_memory_read, &m, "text", err), 0);
    assert_int_equal(ddn_pieces_open(&r, t, in, piece, more, err), 0);
    while (status > 0) {
        assert_true(ddn_reserve(&all, &capacity, count + 1, sizeof *all));
        all[count] = (found){ .piece = calloc(1, sizeof *all->piece) };
        status = ddn_pieces_next(r, all[count].piece, err);
        count += status > 0;
    }
    ddn_piece_free(all[count].piece);
    ddn_pieces_close(r);
    assert_int_equal(ddn_text_open(&worker, NULL, NULL, NULL), 0);
    for (size_t i = count; i > 0; i--)
        find_sentences(worker, &all[i - 1]);
    ddn_text_close(worker);
    assert_int_equal(ddn_joiner_init(&j, NULL), 0);
    for (size_t i = 0; i < count; i++) {
        if (joined >= 0)
            joined = join(&j, &all[i], conllu, &number, err);
        free_found(&all[i]);
    }
    ddn_joiner_fini(&j);
    free(all);
    return joined < 0 ? joined : status;
}
