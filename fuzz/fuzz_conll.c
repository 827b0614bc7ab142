/* SPDX-License-Identifier: MIT */
/* fuzz_conll.c - any bytes through the CoNLL readers and all writers.
 *
 * The first byte chooses format, check and the size of reads; the rest is the file.  What is
 * accepted must come out byte for byte, and with skip_bad everything must. */
#include "io/conll.h"
#include "io/displacy_write.h"
#include "io/draw.h"
#include "io/html_write.h"
#include "io/json_write.h"
#include "io/text_write.h"
#include "io/tikz_write.h"
#include "io/tokens.h"
#include "lib.h"

/* A page has all that a picture has. */
static void write_pictures(ddn_output *o, const ddn_sentence *s)
{
    ddn_html *html = ddn_html_new();
    ddn_picture picture;
    ddn_comparison with;
    must(html != NULL);
    ddn_picture_init(&picture);
    ddn_comparison_init(&with);
    must(ddn_comparison_same(&with, s, s, NULL) == 0);
    must(ddn_html_put(html, o, s, &with, NULL) == 0);
    ddn_comparison_fini(&with);
    must(ddn_tikz_put(&picture, o, s, NULL) == 0);
    ddn_picture_fini(&picture);
    ddn_html_free(html);
}

/* The other writers want no more than to come back. */
static void write_others(ddn_draw *draw, ddn_output *o, ddn_sentence *s)
{
    ddn_json_place place = { 0 };
    o->size = 0;
    ddn_conllx_put(o, s);
    ddn_json_put(&place, o, s);
    ddn_json_place_fini(&place);
    ddn_displacy_put(o, s);
    ddn_text_put(o, s);
    ddn_tokens_put(o, s);
    must(ddn_draw_put(draw, o, s, NULL, NULL) == 0);
    write_pictures(o, s);
    dodona_text *label = calloc((size_t)s->n + 1, sizeof *label);
    must(label);
    for (int32_t i = 1; i <= s->n; i++)
        label[i] = ddn_sentence_column(s, i, DDN_FORM);
    must(ddn_sentence_set_tree(s, s->head, label, false, NULL) == 0);
    ddn_conll_put(o, s);
    free(label);
}

static void round_trip(const uint8_t *data, size_t size, uint8_t choice, bool skip_bad)
{
    memory m = { (const char *)data, size, 0, choice >> 3 & 7 };
    ddn_input *in = NULL;
    ddn_conll_reader *r;
    ddn_sentence s;
    ddn_output out, others;
    ddn_draw *draw = ddn_draw_new();
    dodona_error err;
    int code;
    must(draw != NULL);
    ddn_draw_terminal(draw, choice, choice & 1);
    must(ddn_input_callback(&in, read_memory, &m, "fuzz", &err) == 0);
    must(ddn_conll_open(&r, in, choice & 1 ? DODONA_CONLLX : DODONA_CONLLU,
                        (dodona_check)((choice >> 1 & 3) % 3), skip_bad, &err) == 0);
    ddn_sentence_init(&s);
    ddn_output_memory(&out);
    ddn_output_memory(&others);
    while ((code = ddn_conll_next(r, &s, &err)) == 1) {
        ddn_conll_put(&out, &s);
        write_others(draw, &others, &s);
    }
    if (!is_packed(data, size)) {
        must(code == 0 || (!skip_bad && err.line > 0 && err.message[0]));
        must(code < 0 || (out.size == size && (size == 0 || memcmp(out.data, data, size) == 0)));
    }
    ddn_conll_close(r);
    ddn_sentence_fini(&s);
    ddn_output_abandon(&out);
    ddn_output_abandon(&others);
    ddn_draw_free(draw);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    round_trip(data + 1, size - 1, data[0], false);
    round_trip(data + 1, size - 1, data[0], true);
    return 0;
}
