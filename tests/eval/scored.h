/* SPDX-License-Identifier: MIT */
/* scored.h - files for the scoring tests, written where they are used.
 *
 * compact() writes CoNLL-U from a line of tokens: "am=an+dem See / Ja" is a multiword token of two
 * words, a word, and a sentence of one word.  The first word of a sentence is its root and the head
 * of all others. */
#ifndef DDN_TESTS_SCORED_H
#define DDN_TESTS_SCORED_H

#include "eval/evaluate.h"
#include "io/conll.h"
#include "lib/check.h"
#include "lib/memory.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct held {
    const char *text;
    test_memory bytes;
    ddn_conll_reader *reader;
    ddn_sentence s;
} held;

static int next_held(void *ctx, const ddn_sentence **s, dodona_error *err)
{
    held *h = ctx;
    *s = &h->s;
    return ddn_conll_next(h->reader, &h->s, err);
}

/* A source over h->text; release frees what it holds. */
static ddn_eval_source hold(held *h, const char *name)
{
    ddn_input *in;
    h->bytes = (test_memory){ .data = h->text, .size = strlen(h->text) };
    assert_int_equal(ddn_input_callback(&in, test_memory_read, &h->bytes, name, NULL), 0);
    assert_int_equal(ddn_conll_open(&h->reader, in, DODONA_CONLLU, DODONA_CHECK_FORM, false, NULL),
                     0);
    ddn_sentence_init(&h->s);
    return (ddn_eval_source){ next_held, h, name };
}

static void release(held *h)
{
    ddn_conll_close(h->reader);
    ddn_sentence_fini(&h->s);
}

/* Evaluates texts; second may be NULL. */
static int evaluate_texts(ddn_evaluation *e, ddn_eval_settings settings, const char *gold,
                          const char *first, const char *second, dodona_error *err)
{
    held h[3] = { { .text = gold }, { .text = first }, { .text = second } };
    static const char *const name[] = { "gold", "first", "second" };
    ddn_eval_source source[3];
    int files = second ? 3 : 2;
    for (int i = 0; i < files; i++)
        source[i] = hold(&h[i], name[i]);
    int status = ddn_evaluate(e, &settings, &source[0], &source[1], files - 1, err);
    for (int i = 0; i < files; i++)
        release(&h[i]);
    return status;
}

enum { TEXT_SIZE = 1 << 17 };

typedef struct written {
    char *data;
    size_t size;
} written;

static void add(written *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(written *w, const char *format, ...)
{
    if (!w->data)
        w->data = malloc(TEXT_SIZE);
    assert_non_null(w->data);
    va_list args;
    va_start(args, format);
    w->size += (size_t)vsnprintf(w->data + w->size, TEXT_SIZE - w->size, format, args);
    va_end(args);
    assert_true(w->size < TEXT_SIZE);
}

static inline char *compact(const char *line)
{
    written out = { 0 };
    char *copy = strdup(line), *save = NULL;
    int id = 0;
    for (char *t = strtok_r(copy, " ", &save); t; t = strtok_r(NULL, " ", &save)) {
        if (strcmp(t, "/") == 0) {
            add(&out, "\n");
            id = 0;
            continue;
        }
        char *words = strchr(t, '='), *inner = NULL;
        if (words) {
            *words++ = '\0';
            int n = 1;
            for (const char *p = words; *p; p++)
                n += *p == '+';
            add(&out, "%d-%d\t%s\t_\t_\t_\t_\t_\t_\t_\t_\n", id + 1, id + n, t);
        }
        for (char *w = strtok_r(words ? words : t, "+", &inner); w;
             w = strtok_r(NULL, "+", &inner)) {
            id++;
            add(&out, "%d\t%s\t_\t_\t_\t_\t%d\t%s\t_\t_\n", id, w, id > 1, id > 1 ? "dep" : "root");
        }
    }
    add(&out, "\n");
    free(copy);
    return out.data;
}

#endif
