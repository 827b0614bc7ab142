/* SPDX-License-Identifier: MIT */
/* splitter_train.c - which endings say that a token is several words.
 *
 * What is done with a token most often (left whole, cut somewhere, replaced by words) is the rule
 * of its form.  Forms are then sorted by their endings, so that all that share an ending stand
 * together; an ending gets the rule that most of its forms have, when at least LEAST forms have it.
 * A rule is written down only where it differs from that of the longest shorter ending, and at last
 * for single forms that all of this would treat wrongly.  So the rules give every form of the
 * treebank what it had there most often, and new forms what most forms with their ending had.
 *
 * Words that are not parts of the token, as in du = de le, are a rule for a whole form only. */
#include "train/splitter_train.h"

#include "core/arena.h"
#include "core/array.h"
#include "core/intern.h"
#include "pipeline/chars.h"
#include "pipeline/splitter.h"
#include "pipeline/tokenizer.h"
#include "train/raw_text.h"

#include <stdlib.h>
#include <utf8proc.h>

enum { LEAST = 3, LONGEST = 12, WHOLE = 0 /* the rule "." */ };

typedef struct seen {
    uint32_t form, rule;
} seen;

typedef struct form {
    uint32_t id, rule;
} form;

typedef struct trainer {
    ddn_intern forms, rules; /* folded; as they stand in a line */
    seen *seen;
    size_t count, seen_cap;
    form *form;      /* [forms.count], then sorted by endings */
    uint32_t *votes; /* [rules.count] zeros between uses */
    ddn_arena arena; /* form, votes */
    ddn_chars chars, parts;
    ddn_output scratch;
    ddn_output *out;
} trainer;

/* ---- What was done with each token ---- */

static bool put_folded(ddn_output *o, const ddn_chars *c, bool digits)
{
    for (size_t i = 0; i < c->count; i++) {
        utf8proc_uint8_t bytes[4];
        bool keep = digits && c->of[i].class == UTF8PROC_CATEGORY_ND;
        utf8proc_ssize_t size =
            utf8proc_encode_char((utf8proc_int32_t)(keep ? c->of[i].code : c->of[i].fold), bytes);
        ddn_put(o, (const char *)bytes, (size_t)size);
    }
    return !o->error.code;
}

static bool same(const ddn_chars *a, const ddn_chars *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (a->of[i].fold != b->of[i].fold ||
            (a->of[i].class == UTF8PROC_CATEGORY_ND && a->of[i].code != b->of[i].code))
            return false;
    return true;
}

static int read_chars(ddn_chars *c, dodona_text t, dodona_error *err)
{
    return ddn_chars_add(c, t.data, 0, t.size, err);
}

/* The rule for a token that is these words, into scratch.  None for one that is longer than tokens
 * of a text get. */
static int put_rule(trainer *t, const ddn_sentence *s, const ddn_row *row, dodona_error *err)
{
    int words = ddn_token_words(row);
    t->scratch.size = 0;
    t->parts.count = 0;
    if (words == 1 || words > DDN_SPLIT_WORDS || t->chars.count > DDN_TOKEN_CHARS) {
        ddn_puts(&t->scratch, ".");
        return DODONA_OK;
    }
    for (int32_t i = 0; i < words; i++) {
        size_t before = t->parts.count;
        int status = read_chars(&t->parts, ddn_sentence_column(s, row->id + i, DDN_FORM), err);
        if (status < 0)
            return status;
        if (i)
            ddn_putf(&t->scratch, i > 1 ? "\t%zu" : "%zu", t->parts.count - before);
    }
    if (same(&t->chars, &t->parts))
        return DODONA_OK;
    t->scratch.size = 0;
    ddn_puts(&t->scratch, "=");
    for (int32_t i = 0; i < words; i++) {
        t->parts.count = 0;
        ddn_put(&t->scratch, "\t", 1);
        int status = read_chars(&t->parts, ddn_sentence_column(s, row->id + i, DDN_FORM), err);
        if (status < 0)
            return status;
        put_folded(&t->scratch, &t->parts, true);
    }
    return DODONA_OK;
}

static int see_token(trainer *t, const ddn_sentence *s, const ddn_row *row, dodona_error *err)
{
    dodona_text token = ddn_sentence_span(s, row->col[DDN_FORM]);
    if (memchr(token.data, ' ', token.size))
        return DODONA_OK;
    t->chars.count = 0;
    int status = read_chars(&t->chars, token, err);
    if (status >= 0)
        status = put_rule(t, s, row, err);
    if (status < 0)
        return status;
    if (!ddn_reserve(&t->seen, &t->seen_cap, t->count + 1, sizeof *t->seen))
        return ddn_fail_memory(err);
    seen *x = &t->seen[t->count];
    if (t->scratch.error.code ||
        !ddn_intern_add(&t->rules, t->scratch.data, t->scratch.size, &x->rule))
        return ddn_fail_memory(err);
    t->scratch.size = 0;
    if (!put_folded(&t->scratch, &t->chars, false) ||
        !ddn_intern_add(&t->forms, t->scratch.data, t->scratch.size, &x->form))
        return ddn_fail_memory(err);
    t->count++;
    return DODONA_OK;
}

static int by_form(const void *a, const void *b)
{
    const seen *x = a, *y = b;
    if (x->form != y->form)
        return x->form < y->form ? -1 : 1;
    return (x->rule > y->rule) - (x->rule < y->rule);
}

/* The most frequent rule of each form; of several, the first. */
static void decide_forms(trainer *t)
{
    if (t->count > 1)
        qsort(t->seen, t->count, sizeof *t->seen, by_form);
    size_t best = 0;
    for (size_t i = 0, end; i < t->count; i = end) {
        for (end = i; end < t->count && by_form(&t->seen[i], &t->seen[end]) == 0; end++)
            continue;
        form *f = &t->form[t->seen[i].form];
        if (i == 0 || t->seen[i - 1].form != t->seen[i].form)
            best = 0;
        if (end - i > best) {
            *f = (form){ t->seen[i].form, t->seen[i].rule };
            best = end - i;
        }
    }
}

/* ---- Endings ---- */

static size_t tail(dodona_text t, size_t bytes)
{
    while (bytes < t.size && ((unsigned char)t.data[t.size - bytes] & 0xc0) == 0x80)
        bytes++;
    return bytes;
}

static bool is_cut(const trainer *t, uint32_t rule)
{
    return rule != WHOLE && ddn_intern_text(&t->rules, rule).data[0] != '=';
}

static void put_line(trainer *t, const char *kind, dodona_text ending, uint32_t rule)
{
    dodona_text text = ddn_intern_text(&t->rules, rule);
    ddn_puts(t->out, kind);
    ddn_put(t->out, ending.data, ending.size);
    ddn_put(t->out, "\t", 1);
    ddn_put(t->out, text.data, text.size);
    ddn_put(t->out, "\n", 1);
}

/* The rule of an ending that the forms from..to have in common; of two that are as frequent, the
 * inherited one. */
static uint32_t vote(trainer *t, size_t from, size_t to, uint32_t inherited)
{
    uint32_t best = inherited;
    for (size_t i = from; i < to; i++)
        t->votes[t->form[i].rule]++;
    for (size_t i = from; i < to; i++) {
        uint32_t rule = t->form[i].rule;
        if (t->votes[rule] > t->votes[best] && (rule == WHOLE || is_cut(t, rule)))
            best = rule;
    }
    if (t->votes[best] < LEAST)
        best = inherited;
    for (size_t i = from; i < to; i++)
        t->votes[t->form[i].rule] = 0;
    return best;
}

/* The forms from..to share an ending of that many bytes, for which the rule so far holds. */
static void find_rules(trainer *t, size_t from, size_t to, size_t bytes, int depth, uint32_t rule)
{
    bool alike = true;
    for (size_t i = from; i < to; i++)
        alike &= t->form[i].rule == rule;
    if (alike)
        return;
    for (size_t i = from, end; i < to; i = end) {
        dodona_text first = ddn_intern_text(&t->forms, t->form[i].id);
        size_t longer = tail(first, bytes + 1);
        if (first.size == bytes || depth == LONGEST) {
            if (t->form[i].rule != rule)
                put_line(t, "w\t", first, t->form[i].rule);
            end = i + 1;
            continue;
        }
        dodona_text ending = { first.data + first.size - longer, longer };
        for (end = i; end < to; end++) {
            dodona_text other = ddn_intern_text(&t->forms, t->form[end].id);
            if (other.size < longer ||
                memcmp(other.data + other.size - longer, ending.data, longer) != 0)
                break;
        }
        uint32_t theirs = vote(t, i, end, rule);
        if (theirs != rule)
            put_line(t, "e\t", ending, theirs);
        find_rules(t, i, end, longer, depth + 1, theirs);
    }
}

/* qsort has no context, so texts are compared through pointers that stand beside the forms. */
typedef struct sortable {
    dodona_text text;
    form form;
} sortable;

static int by_ending(const void *a, const void *b)
{
    const sortable *x = a, *y = b;
    size_t i = x->text.size, j = y->text.size;
    while (i && j) {
        unsigned char p = (unsigned char)x->text.data[--i], q = (unsigned char)y->text.data[--j];
        if (p != q)
            return p < q ? -1 : 1;
    }
    return (i > j) - (i < j);
}

static int sort_forms(trainer *t, dodona_error *err)
{
    size_t n = t->forms.count;
    sortable *all = ddn_arena_take(&t->arena, n, sizeof *all);
    if (!all)
        return ddn_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        all[i] = (sortable){ ddn_intern_text(&t->forms, t->form[i].id), t->form[i] };
    qsort(all, n, sizeof *all, by_ending);
    for (size_t i = 0; i < n; i++)
        t->form[i] = all[i].form;
    return DODONA_OK;
}

static int train_all(trainer *t, const ddn_treebank *train, dodona_error *err)
{
    uint32_t whole;
    int status = ddn_intern_add(&t->rules, ".", 1, &whole) ? DODONA_OK : ddn_fail_memory(err);
    for (size_t i = 0; i < train->count && status >= 0; i++) {
        ddn_token_rows at = { 0 };
        for (const ddn_row *row; status >= 0 && (row = ddn_next_token(&train->sentence[i], &at));)
            status = see_token(t, &train->sentence[i], row, err);
    }
    if (status < 0)
        return status;
    t->form = ddn_arena_zeros(&t->arena, t->forms.count, sizeof *t->form);
    t->votes = ddn_arena_zeros(&t->arena, t->rules.count, sizeof *t->votes);
    if (t->arena.failed)
        return ddn_fail_memory(err);
    decide_forms(t);
    status = sort_forms(t, err);
    if (status >= 0)
        find_rules(t, 0, t->forms.count, 0, 0, WHOLE);
    return status < 0 || !t->out->error.code ? status : ddn_fail_memory(err);
}

int ddn_splitter_train(const ddn_treebank *train, ddn_output *rules, dodona_error *err)
{
    trainer t = { .out = rules };
    ddn_intern_init(&t.forms);
    ddn_intern_init(&t.rules);
    ddn_output_memory(&t.scratch);
    int status = train_all(&t, train, err);
    ddn_intern_fini(&t.forms);
    ddn_intern_fini(&t.rules);
    ddn_output_abandon(&t.scratch);
    ddn_chars_fini(&t.chars);
    ddn_chars_fini(&t.parts);
    free(t.seen);
    ddn_arena_fini(&t.arena);
    return status;
}
