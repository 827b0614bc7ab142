/* SPDX-License-Identifier: MIT */
/* trees_write.c - scores without loss: whole ones as such, others with 17 digits. */
#include "io/trees_write.h"

#include "io/json_write.h"

#include <math.h>

void ddn_score_put(ddn_output *o, double score)
{
    const double exact = 9007199254740992.0; /* 2^53: below it, whole numbers are exact */
    if (fabs(score) < exact && score == floor(score))
        ddn_put_int(o, (int64_t)score);
    else
        ddn_putf(o, "%.17g", score);
}

void ddn_tree_put(ddn_output *o, const ddn_sentence *s, int32_t k)
{
    size_t at = (size_t)k * ((size_t)s->n + 1);
    ddn_puts(o, "{\"score\":");
    ddn_score_put(o, s->trees.score[k]);
    ddn_puts(o, ",\"heads\":[");
    for (int32_t i = 1; i <= s->n; i++) {
        ddn_put(o, ",", i > 1);
        ddn_put_int(o, s->trees.head[at + (size_t)i]);
    }
    ddn_puts(o, "],\"deprels\":[");
    for (int32_t i = 1; i <= s->n; i++) {
        ddn_put(o, ",", i > 1);
        ddn_json_put_string(o, ddn_sentence_span(s, s->trees.label[at + (size_t)i]));
    }
    ddn_puts(o, "]}");
}

int ddn_trees_comment(ddn_sentence *s, dodona_error *err)
{
    ddn_output lines;
    ddn_output_memory(&lines);
    for (int32_t k = 0; k < s->trees.count; k++) {
        ddn_puts(&lines, "# kbest = ");
        ddn_tree_put(&lines, s, k);
        ddn_puts(&lines, "\n");
    }
    int status = lines.error.code;
    if (status < 0 && err)
        *err = lines.error;
    if (status >= 0)
        status = ddn_sentence_set_comments(s, "# kbest =", lines.data, lines.size, err);
    ddn_output_abandon(&lines);
    return status;
}
