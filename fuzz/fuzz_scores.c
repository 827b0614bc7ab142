/* SPDX-License-Identifier: MIT */
/* fuzz_scores.c - any bytes as a line of dodona decode.
 *
 * The first byte chooses the decoder and its options.  What is answered starts as an answer does;
 * what is not must be blamed on the input, with a reason. */
#include "dodona_research.h"
#include "lib.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const systems[] = { "mst",     "eisner", "arc-hybrid", "alls0s1",
                                           "alldeg1", "all",    "attardi",    "s1<s0,s0<s1,s1<b0" };
    static const char start[] = "{\"heads\":";
    dodona_decode_options o;
    dodona_decoder *d;
    dodona_text answer;
    dodona_error err = { 0 };
    if (size == 0)
        return 0;
    dodona_decode_options_init(&o);
    o.system = systems[data[0] % 8];
    o.one_root = data[0] / 8 % 2;
    o.kbest = data[0] / 16 % 4;
    o.marginals = data[0] % 8 < 3;
    o.memory = 1e6;
    must(dodona_decoder_open(&o, &d, &err) == DODONA_OK);
    int code =
        dodona_decoder_answer(d, (dodona_text){ (const char *)data + 1, size - 1 }, &answer, &err);
    if (code < 0)
        must((code == DODONA_E_INPUT || code == DODONA_E_LIMIT) && err.message[0]);
    else
        must(answer.size > sizeof start && memcmp(answer.data, start, sizeof start - 1) == 0);
    dodona_decoder_close(d);
    return 0;
}
