/* SPDX-License-Identifier: MIT */
#include "lib/pictures.h"

#include "lib/check.h"
#include <stdio.h>
#include <string.h>

static const char *const labels[] = { "x", "nsubj", "xxxxxxxxxxxxxxxxxxxxxxxx", "acl:relcl" };
static const char *const forms[] = { "a", "oak", "wwwwwwwwwwwwwwww", "木" };

void test_add_word(ddn_sentence *s, const char *form, int32_t head, const char *label)
{
    char number[16];
    snprintf(number, sizeof number, "%d", (int)head);
    dodona_text col[DDN_COLUMNS] = { [DDN_FORM] = { form, strlen(form) },
                                     [DDN_UPOS] = { "X", 1 },
                                     [DDN_HEAD] = { number, strlen(number) },
                                     [DDN_DEPREL] = { label, strlen(label) } };
    assert_int_equal(ddn_sentence_word(s, col, NULL), 0);
}

/* A multiword token or an empty node, without anything but its form. */
static void add_row(ddn_sentence *s, ddn_row_kind kind, int32_t id, int32_t minor, const char *form)
{
    ddn_row *row;
    ddn_span span;
    assert_int_equal(ddn_sentence_text(s, form, strlen(form), &span, NULL), 0);
    assert_int_equal(ddn_sentence_row(s, kind, &row, NULL), 0);
    row->id = id;
    row->minor = minor;
    row->col[DDN_FORM] = span;
}

void test_random_sentence(ddn_sentence *s, ddn_rng *rng, int32_t n, bool rtl)
{
    int32_t reach = 0;
    ddn_sentence_clear(s);
    for (int32_t i = 1; i <= n; i++) {
        if (i > reach && ddn_rng_below(rng, 6) == 0) {
            reach = i + (int32_t)ddn_rng_below(rng, 3);
            reach = reach < n ? reach : n;
            add_row(s, DDN_ROW_RANGE, i, reach, forms[ddn_rng_below(rng, 4)]);
        }
        test_add_word(s, i == 1 && rtl ? "יער" : forms[ddn_rng_below(rng, 4)],
                      (int32_t)ddn_rng_below(rng, (uint32_t)n + 1), labels[ddn_rng_below(rng, 4)]);
        if (ddn_rng_below(rng, 8) == 0)
            add_row(s, DDN_ROW_EMPTY, i, 1, forms[ddn_rng_below(rng, 4)]);
    }
}

void test_change_some(ddn_sentence *to, const ddn_sentence *from, ddn_rng *rng)
{
    ddn_sentence_clear(to);
    for (int32_t i = 1; i <= from->n; i++) {
        char form[64], label[64];
        dodona_text f = ddn_sentence_column(from, i, DDN_FORM);
        dodona_text l = ddn_sentence_column(from, i, DDN_DEPREL);
        snprintf(form, sizeof form, "%.*s", (int)f.size, f.data);
        snprintf(label, sizeof label, "%.*s", (int)l.size, l.data);
        bool other = ddn_rng_below(rng, 2);
        test_add_word(to, form,
                      other ? (int32_t)ddn_rng_below(rng, (uint32_t)from->n + 1) : from->head[i],
                      other ? "y" : label);
    }
}

void test_random_pairs(ddn_comparison *c, const ddn_sentence *s, const ddn_sentence *t,
                       ddn_rng *rng)
{
    assert_int_equal(ddn_comparison_begin(c, s, t, NULL), 0);
    for (int32_t i = 0, j = 0; i < s->n || j < t->n;) {
        uint32_t next = ddn_rng_below(rng, 4);
        if (next > 1 && i < s->n && j < t->n) {
            i++, j++;
            c->there[i] = j;
            c->here[j] = c->after[j] = i;
        } else if (next == 0 && i < s->n) {
            i++;
        } else if (next == 1 && j < t->n) {
            c->after[++j] = i;
        }
        if (i && i < s->n && ddn_rng_below(rng, 6) == 0)
            c->ends[i] = true;
        if (j && j < t->n && ddn_rng_below(rng, 6) == 0)
            c->ends_there[j] = true;
    }
    for (int32_t i = 1; i <= s->n; i++)
        c->sentences += c->ends[i];
    for (int32_t j = 1; j <= t->n; j++)
        c->sentences_there += c->ends_there[j];
}
