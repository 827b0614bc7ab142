/* SPDX-License-Identifier: MIT */
/* trees_write.c - a tree as an object, and the comments that hold one each. */
#include "io/trees_write.h"

void ddn_tree_put(ddn_json *j, const ddn_sentence *s, int32_t k)
{
    int32_t n = s->trees.n;
    size_t at = (size_t)k * ((size_t)n + 1);
    ddn_json_begin(j, '{');
    ddn_json_double(ddn_json_key(j, "score"), s->trees.score[k]);
    ddn_json_begin(ddn_json_key(j, "heads"), '[');
    for (int32_t i = 1; i <= n; i++)
        ddn_json_int(j, s->trees.head[at + (size_t)i]);
    ddn_json_end(j, ']');
    ddn_json_begin(ddn_json_key(j, "deprels"), '[');
    for (int32_t i = 1; i <= n; i++)
        ddn_json_text(j, ddn_sentence_span(s, s->trees.label[at + (size_t)i]));
    ddn_json_end(j, ']');
    ddn_json_end(j, '}');
}

int ddn_trees_comment(ddn_sentence *s, dodona_error *err)
{
    ddn_output lines;
    ddn_output_memory(&lines);
    for (int32_t k = 0; k < s->trees.count; k++) {
        ddn_puts(&lines, "# kbest = ");
        ddn_tree_put(&(ddn_json){ .out = &lines }, s, k);
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
