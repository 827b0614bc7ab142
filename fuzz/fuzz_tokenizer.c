/* SPDX-License-Identifier: MIT */
/* fuzz_tokenizer.c - any bytes as a text: tokenized, written as CoNLL-U, read again and made a text
 * again, they must be the same bytes.
 *
 * The first byte chooses the size of reads; the rest is the text.  Bytes that are not UTF-8 must be
 * refused.  The tokenizer is trained at the start, on a few lines that have all that is rare:
 * multiword tokens of both kinds, blanks inside tokens, a script without spaces. */
#include "core/utf8.h"
#include "io/conll.h"
#include "io/text_write.h"
#include "lib.h"
#include "pipeline/text_read.h"
#include "train/tokenizer_train.h"

static const char treebank[] = "# newpar\n"
                               "1\tLe\t_\t_\t_\t_\t0\troot\t_\t_\n"
                               "2-3\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n"
                               "2\tde\t_\t_\t_\t_\t1\tdep\t_\t_\n"
                               "3\tle\t_\t_\t_\t_\t1\tdep\t_\t_\n"
                               "4\t10 000\t_\t_\t_\t_\t1\tdep\t_\tSpaceAfter=No\n"
                               "5\t.\t_\t_\t_\t_\t1\tdep\t_\t_\n\n"
                               "1-3\tgimmeit\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
                               "1\tgim\t_\t_\t_\t_\t0\troot\t_\t_\n"
                               "2\tme\t_\t_\t_\t_\t1\tdep\t_\t_\n"
                               "3\tit\t_\t_\t_\t_\t1\tdep\t_\t_\n"
                               "4\t!\t_\t_\t_\t_\t1\tdep\t_\t_\n\n"
                               "1\t我\t_\t_\t_\t_\t0\troot\t_\tSpaceAfter=No\n"
                               "2\t喜欢\t_\t_\t_\t_\t1\tdep\t_\tSpaceAfter=No\n"
                               "3\t。\t_\t_\t_\t_\t1\tdep\t_\tSpaceAfter=No\n\n"
                               "1\t我\t_\t_\t_\t_\t0\troot\t_\tSpaceAfter=No\n"
                               "2\t。\t_\t_\t_\t_\t1\tdep\t_\tSpaceAfter=No\n\n";

static ddn_conll_reader *read_conll(memory *m)
{
    ddn_input *in;
    ddn_conll_reader *r;
    must(ddn_input_callback(&in, read_memory, m, "conllu", NULL) == 0);
    must(ddn_conll_open(&r, in, DODONA_CONLLU, DODONA_CHECK_FORM, false, NULL) == 0);
    return r;
}

static int next_conll(void *reader, ddn_sentence *s, dodona_error *err)
{
    return ddn_conll_next(reader, s, err);
}

/* Trained once; its memory is given back with that of the process. */
static const ddn_tokenizer *tokenizer(void)
{
    static bool ready;
    static ddn_tokenizer t;
    static ddn_model_file file;
    static ddn_output bytes;
    if (ready)
        return &t;
    memory m = { .data = treebank, .size = sizeof treebank - 1 };
    ddn_conll_reader *r = read_conll(&m);
    ddn_treebank all;
    ddn_tokenizer_options o;
    ddn_tokenizer_parts parts;
    ddn_section section[1 + DDN_TOKENIZER_SECTIONS] = { { .name = "meta", .data = "" } };
    ddn_treebank_init(&all);
    must(ddn_treebank_read(&all, next_conll, r, NULL) == 0);
    ddn_conll_close(r);
    ddn_tokenizer_options_init(&o);
    must(ddn_tokenizer_train(&o, &all, &parts, NULL) == 0);
    ddn_treebank_fini(&all);
    ddn_tokenizer_sections(&parts, section + 1);
    ddn_output_memory(&bytes);
    ddn_model_file_put(&bytes, section, 1 + DDN_TOKENIZER_SECTIONS);
    ddn_tokenizer_parts_fini(&parts);
    must(ddn_model_file_memory(&file, bytes.data, bytes.size, "tokenizer", NULL) == 0);
    must(ddn_tokenizer_open(&t, &file, NULL) == 0);
    ready = true;
    return &t;
}

/* Text to CoNLL-U; the last status. */
static int tokenize(memory *m, ddn_output *conllu, ddn_sentence *s)
{
    ddn_input *in;
    ddn_text_reader *r;
    int status;
    must(ddn_input_callback(&in, read_memory, m, "text", NULL) == 0);
    must(ddn_text_open(&r, tokenizer(), in, NULL) == 0);
    while ((status = ddn_text_next(r, s, NULL)) > 0)
        ddn_conll_put(conllu, s);
    ddn_text_close(r);
    return status;
}

/* CoNLL-U to text, which is size bytes of data. */
static void compare(const ddn_output *conllu, ddn_sentence *s, const char *data, size_t size)
{
    memory m = { .data = conllu->data, .size = conllu->size };
    ddn_conll_reader *r = read_conll(&m);
    ddn_output text;
    int status;
    ddn_output_memory(&text);
    while ((status = ddn_conll_next(r, s, NULL)) > 0)
        must(ddn_text_rebuild(&text, s));
    must(status == 0 && text.size == size && memcmp(text.data, data, size) == 0);
    ddn_output_abandon(&text);
    ddn_conll_close(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || is_packed(data + 1, size - 1))
        return 0;
    memory m = { .data = (const char *)data + 1, .size = size - 1, .chunk = data[0] % 64 };
    bool good = ddn_utf8_check(m.data, m.size) == m.size;
    ddn_output conllu;
    ddn_sentence s;
    ddn_output_memory(&conllu);
    ddn_sentence_init(&s);
    int status = tokenize(&m, &conllu, &s);
    must(good ? status == 0 : status == DODONA_E_INPUT);
    /* A text of blanks alone has no token to keep them. */
    if (good && conllu.size)
        compare(&conllu, &s, m.data, m.size);
    ddn_sentence_fini(&s);
    ddn_output_abandon(&conllu);
    return 0;
}
