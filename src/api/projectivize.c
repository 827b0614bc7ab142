/* SPDX-License-Identifier: MIT */
/* projectivize.c - projective trees for callers: out of the sentence's columns and back into them.
 */
#include "chart/projectivize.h"

#include "api/api.h"
#include "core/arena.h"
#include "dodona_research.h"
#include "tree/pseudo.h"
#include "tree/tree.h"

#include <stdio.h>
#include <stdlib.h>

struct dodona_projectivizer {
    ddn_projectivizer chart;
    ddn_pseudo pseudo;
    int32_t *number;    /* the new heads, and scratch */
    dodona_text *label; /* the old labels and the new ones */
    ddn_arena arena;    /* these: of one sentence */
    char *count;
};

dodona_projectivizer *dodona_projectivizer_new(void)
{
    dodona_projectivizer *p = calloc(1, sizeof *p);
    if (p) {
        ddn_projectivizer_init(&p->chart);
        ddn_pseudo_init(&p->pseudo);
    }
    return p;
}

void dodona_projectivizer_free(dodona_projectivizer *p)
{
    if (!p)
        return;
    ddn_projectivizer_fini(&p->chart);
    ddn_pseudo_fini(&p->pseudo);
    ddn_arena_fini(&p->arena);
    free(p->count);
    free(p);
}

/* Memory for the sentence, which must be a tree. */
static int begin(dodona_projectivizer *p, const ddn_sentence *s, dodona_error *err)
{
    size_t m = (size_t)s->n + 1;
    ddn_arena_reset(&p->arena);
    p->number = ddn_arena_take(&p->arena, m, sizeof *p->number);
    p->label = ddn_arena_take(&p->arena, 2 * m, sizeof *p->label);
    if (p->arena.failed)
        return ddn_fail_memory(err);
    int32_t word;
    if (s->n > 0 && ddn_tree_check(s->head, s->n, false, p->number, &word) != DDN_TREE_OK)
        return ddn_fail(err, DODONA_E_INPUT, "the heads do not form a tree: see word %d",
                        (int)word);
    return 0;
}

/* A failure's code; what is refused has the line of the sentence. */
static int refuse(const ddn_sentence *s, int code, dodona_error *err)
{
    if (err && code != DODONA_E_MEMORY)
        err->line = s->line;
    return code;
}

static int set_head(ddn_sentence *s, int32_t i, int32_t head, dodona_error *err)
{
    char digits[16];
    int size = snprintf(digits, sizeof digits, "%d", (int)head);
    int code = ddn_sentence_set(s, s->word_row[i], DDN_HEAD, digits, (size_t)size, err);
    if (code >= 0)
        s->head[i] = head;
    return code;
}

int dodona_projectivize(dodona_projectivizer *p, dodona_sentence *sentence, int one_root,
                        dodona_error *err)
{
    if (!p || !sentence)
        return ddn_fail_null(err, "projectivizer or the sentence");
    ddn_sentence *s = &sentence->s;
    int code = begin(p, s, err);
    if (code < 0 || s->n == 0)
        return code;
    int32_t changed = ddn_projectivize(&p->chart, s->head, s->n, one_root, p->number, err);
    for (int32_t i = 1; i <= s->n && changed > 0 && code >= 0; i++) {
        if (p->number[i] == s->head[i])
            continue;
        code = set_head(s, i, p->number[i], err);
        if (code >= 0 && !ddn_text_is(ddn_sentence_column(s, i, DDN_DEPS), "_"))
            code = ddn_sentence_set(s, s->word_row[i], DDN_DEPS, "_", 1, err);
    }
    code = changed < 0 ? changed : code;
    return code < 0 ? refuse(s, code, err) : changed;
}

int dodona_projectivize_count(dodona_projectivizer *p, const dodona_sentence *sentence,
                              int one_root, int *kept, const char **count, dodona_error *err)
{
    if (!p || !sentence || !kept || !count)
        return ddn_fail_null(err, "projectivizer, the sentence or a place for the answer");
    const ddn_sentence *s = &sentence->s;
    int32_t keeps;
    const ddn_big *number;
    int code = begin(p, s, err);
    if (code >= 0)
        code = ddn_projectivize_count(&p->chart, s->head, s->n, one_root, &keeps, &number, err);
    if (code < 0)
        return refuse(s, code, err);
    char *text = ddn_big_text(number);
    if (!text)
        return ddn_fail_memory(err);
    free(p->count);
    p->count = text;
    *kept = keeps;
    *count = text;
    return 0;
}

/* ---- Pseudo-projective ---- */

static void read_labels(dodona_projectivizer *p, const ddn_sentence *s)
{
    p->label[0] = (dodona_text){ NULL, 0 };
    for (int32_t i = 1; i <= s->n; i++)
        p->label[i] = ddn_sentence_column(s, i, DDN_DEPREL);
}

/* Brings the new heads and labels into the columns where they differ.  Setting a column may move
 * the sentence's text, on which old labels and some of the new ones lie; so columns are compared
 * first, and a new label that differs lies in memory of its own. */
static int set_tree(dodona_projectivizer *p, ddn_sentence *s, dodona_error *err)
{
    dodona_text *made = p->label + s->n + 1;
    for (int32_t i = 1; i <= s->n; i++)
        if (ddn_text_equal(made[i], p->label[i]))
            made[i].data = NULL;
    for (int32_t i = 1; i <= s->n; i++) {
        int code = p->number[i] != s->head[i] ? set_head(s, i, p->number[i], err) : 0;
        if (code >= 0 && made[i].data)
            code = ddn_sentence_set(s, s->word_row[i], DDN_DEPREL, made[i].data, made[i].size, err);
        if (code < 0)
            return code;
    }
    return 0;
}

static int find_scheme(const char *name, dodona_error *err)
{
    static const char *const names[] = {
        [DDN_PSEUDO_HEAD] = "head", [DDN_PSEUDO_PATH] = "path", [DDN_PSEUDO_HEAD_PATH] = "head+path"
    };
    for (int i = 0; i < (int)(sizeof names / sizeof *names); i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return ddn_fail(err, DODONA_E_ARGUMENT,
                    "there is no scheme '%s'; there are head, path and head+path", name);
}

int dodona_pseudo_encode(dodona_projectivizer *p, dodona_sentence *sentence, const char *scheme,
                         dodona_error *err)
{
    if (!p || !sentence || !scheme)
        return ddn_fail_null(err, "projectivizer, the sentence or the scheme");
    ddn_sentence *s = &sentence->s;
    int which = find_scheme(scheme, err), code = which < 0 ? which : begin(p, s, err);
    if (code < 0 || s->n == 0)
        return code;
    read_labels(p, s);
    int32_t moved = ddn_pseudo_encode(&p->pseudo, (ddn_pseudo_scheme)which, s->head, p->label, s->n,
                                      p->number, p->label + s->n + 1, err);
    code = moved < 0 ? moved : set_tree(p, s, err);
    return code < 0 ? refuse(s, code, err) : moved;
}

int dodona_pseudo_decode(dodona_projectivizer *p, dodona_sentence *sentence, dodona_error *err)
{
    if (!p || !sentence)
        return ddn_fail_null(err, "projectivizer or the sentence");
    ddn_sentence *s = &sentence->s;
    int code = begin(p, s, err);
    if (code < 0 || s->n == 0)
        return code;
    read_labels(p, s);
    int32_t moved =
        ddn_pseudo_decode(&p->pseudo, s->head, p->label, s->n, p->number, p->label + s->n + 1, err);
    code = moved < 0 ? moved : set_tree(p, s, err);
    return code < 0 ? refuse(s, code, err) : moved;
}
