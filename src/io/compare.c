/* SPDX-License-Identifier: MIT */
/* compare.c - heads are the same when they are the same word, whatever its number. */
#include "io/compare.h"

void ddn_comparison_init(ddn_comparison *c)
{
    *c = (ddn_comparison){ 0 };
}

void ddn_comparison_fini(ddn_comparison *c)
{
    ddn_arena_fini(&c->arena);
    ddn_comparison_init(c);
}

int ddn_comparison_begin(ddn_comparison *c, const ddn_sentence *s, const ddn_sentence *other,
                         dodona_error *err)
{
    size_t n = (size_t)s->n + 1, m = (size_t)other->n + 1;
    ddn_arena_reset(&c->arena);
    c->there = ddn_arena_zeros(&c->arena, n, sizeof *c->there);
    c->ends = ddn_arena_zeros(&c->arena, n, sizeof *c->ends);
    c->here = ddn_arena_zeros(&c->arena, m, sizeof *c->here);
    c->after = ddn_arena_zeros(&c->arena, m, sizeof *c->after);
    c->ends_there = ddn_arena_zeros(&c->arena, m, sizeof *c->ends_there);
    if (c->arena.failed)
        return ddn_fail_memory(err);
    c->other = other;
    c->sentences = c->sentences_there = 1;
    return 0;
}

int ddn_comparison_same(ddn_comparison *c, const ddn_sentence *s, const ddn_sentence *other,
                        dodona_error *err)
{
    int code = ddn_comparison_begin(c, s, other, err);
    for (int32_t i = 1; !code && i <= s->n; i++)
        c->there[i] = c->here[i] = c->after[i] = i;
    return code;
}

bool ddn_head_differs(const ddn_sentence *s, const ddn_comparison *c, int32_t i)
{
    int32_t h = s->head[i], there = c->other->head[c->there[i]];
    if (h <= 0 || h > s->n || there <= 0)
        return h != there;
    return c->there[h] != there;
}

bool ddn_arc_differs(const ddn_sentence *s, const ddn_comparison *c, int32_t i)
{
    return !c->there[i] || ddn_head_differs(s, c, i) ||
           !ddn_text_equal(ddn_sentence_column(s, i, DDN_DEPREL),
                           ddn_sentence_column(c->other, c->there[i], DDN_DEPREL));
}

bool ddn_tag_differs(const ddn_sentence *s, const ddn_comparison *c, int32_t i)
{
    return c->there[i] && !ddn_text_equal(ddn_word_tag(s, i), ddn_word_tag(c->other, c->there[i]));
}

dodona_text ddn_row_tag(const ddn_sentence *s, const ddn_row *row)
{
    dodona_text tag = ddn_sentence_span(s, row->col[DDN_UPOS]);
    if (ddn_text_is(tag, "_"))
        tag = ddn_sentence_span(s, row->col[DDN_XPOS]);
    return ddn_text_is(tag, "_") ? (dodona_text){ "", 0 } : tag;
}

dodona_text ddn_word_tag(const ddn_sentence *s, int32_t i)
{
    return ddn_row_tag(s, &s->row[s->word_row[i]]);
}
