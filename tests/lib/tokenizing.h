/* SPDX-License-Identifier: MIT */
/* tokenizing.h - tokenizers for tests, and texts through them. */
#ifndef DDN_TESTS_TOKENIZING_H
#define DDN_TESTS_TOKENIZING_H

#include "core/rng.h"
#include "pipeline/text_pieces.h"
#include "train/raw_text.h"
#include "train/tokenizer_train.h"

typedef struct test_tokenizer {
    ddn_output bytes; /* a model file of it and nothing else */
    ddn_model_file file;
    ddn_tokenizer tokenizer;
} test_tokenizer;

/* All sentences of some CoNLL-U. */
void test_treebank_read(ddn_treebank *t, const char *conllu, size_t size);
/* Sentences of the grammar, see lib/grammar.h. */
void test_treebank_generated(ddn_treebank *t, uint64_t seed, int64_t sentences);

/* Trains with the defaults.  Fails the running test when it can't. */
void test_tokenizer_train(test_tokenizer *t, const ddn_treebank *treebank);
void test_tokenizer_free(test_tokenizer *t);

/* What a tokenizer makes of a text that comes in pieces of at most chunk bytes (0: any), as CoNLL-U
 * behind *conllu; and the text that is rebuilt from it behind *back.  Either may be NULL.  Returns
 * the last status. */
int test_tokenize(const ddn_tokenizer *t, const char *text, size_t size, size_t chunk,
                  ddn_output *conllu, ddn_output *back, dodona_error *err);

/* The same with ddn_text_flush. */
int test_tokenize_flush(const ddn_tokenizer *t, const char *text, size_t size, size_t chunk,
                        ddn_output *conllu, ddn_output *back);
/* The same in pieces of so many characters that go on for more (pipeline/text_pieces.h), all cut
 * before the first is tokenized. */
int test_tokenize_pieces(const ddn_tokenizer *t, const char *text, size_t size, size_t piece,
                         size_t more, ddn_output *conllu, dodona_error *err);

/* Random text from parts that matter to a tokenizer, and from any characters at all: its size, at
 * most 4 bytes a part and one more. */
size_t test_random_text(ddn_rng *r, char *to, int parts);

#endif
