/* SPDX-License-Identifier: MIT */
/* tokenizer_train.c - a treebank laid out as text again, and learnt from.
 *
 * Every paragraph becomes text, as MISC says, and the two classifiers are taught at every place
 * where the tokenizer would ask them, along the gold tokens.  A treebank rarely says where lines
 * ended, so each time a paragraph is laid out in one of three ways: in one line, broken into lines
 * at random spaces, or with a sentence in each line.  So a line end comes to mean little inside a
 * clause and much after a full stop.
 *
 * Before that, one pass over the text in lines notes which pairs of character classes never, or
 * almost never, stand on both sides of an end (ddn_certain).  Sentences that say nothing of
 * paragraphs are taken PARAGRAPH at a time. */
#include "train/tokenizer_train.h"

#include "core/array.h"
#include "core/rng.h"
#include "pipeline/tokenizer.h"
#include "train/raw_text.h"
#include "train/splitter_train.h"

#include <stdlib.h>

enum {
    PARAGRAPH = 50,
    SURE_TOKEN = 5000, /* as often, at least, must a pair be inside for an end between it */
    SURE_SENTENCE = 3000,
    SEEN = 30,  /* and as often must it have been seen */
    BREAK = 12, /* one of so many spaces becomes a line end */
    ITERATIONS = 10,
    MODEL_BYTES = 4 << 20,
};

enum { TOKEN_END = 1, SENTENCE_END = 2 };

typedef enum layout { ONE_LINE, BROKEN, A_LINE_EACH } layout;

typedef struct trainer {
    const ddn_tokenizer_options *o;
    const ddn_treebank *treebank;
    uint32_t *paragraph; /* [paragraphs + 1] the first sentence of each */
    size_t paragraphs, paragraph_cap;
    ddn_rng rng;
    ddn_learning tokens, sentences;
    ddn_certain certain;

    ddn_output text; /* a paragraph, laid out */
    ddn_chars chars;
    uint8_t *end; /* [chars.count] what ends there */
    size_t end_cap;
    ddn_token *token;
    size_t token_cap;
    struct counts {
        uint32_t in, out; /* how often nothing ended there, and how often something did */
    } pair[1 + DDN_GAPS][DDN_CHAR_CLASSES][DDN_CHAR_CLASSES]; /* the first for tokens */
} trainer;

void ddn_tokenizer_options_init(ddn_tokenizer_options *o)
{
    *o = (ddn_tokenizer_options){ .iterations = ITERATIONS, .seed = 1, .model_bytes = MODEL_BYTES };
}

/* ---- Laying out ---- */

static int find_paragraphs(trainer *t, dodona_error *err)
{
    for (size_t i = 0; i <= t->treebank->count; i++) {
        bool last = i == t->treebank->count;
        size_t from = t->paragraphs ? t->paragraph[t->paragraphs - 1] : 0;
        if (i && !last && i - from < PARAGRAPH && !ddn_begins_paragraph(&t->treebank->sentence[i]))
            continue;
        if (!ddn_reserve(&t->paragraph, &t->paragraph_cap, t->paragraphs + 1, sizeof *t->paragraph))
            return ddn_fail_memory(err);
        t->paragraph[t->paragraphs++] = (uint32_t)i;
    }
    t->paragraphs--;
    return DODONA_OK;
}

/* Makes characters of the text that was put last, and marks the last of them that is no blank. */
static int take(trainer *t, size_t from, uint8_t mark, dodona_error *err)
{
    if (t->text.error.code)
        return ddn_fail_memory(err);
    size_t first = t->chars.count;
    int status = ddn_chars_add(&t->chars, t->text.data, from, t->text.size, err);
    if (status < 0)
        return status;
    if (!ddn_reserve(&t->end, &t->end_cap, t->chars.count, 1))
        return ddn_fail_memory(err);
    for (size_t i = first; i < t->chars.count; i++)
        t->end[i] = 0;
    if (mark && t->chars.count > first)
        t->end[t->chars.count - 1] = mark;
    return DODONA_OK;
}

static void put_blanks(trainer *t, const ddn_sentence *s, const ddn_row *token, bool last,
                       layout how)
{
    size_t from = t->text.size;
    if (last && how == A_LINE_EACH) {
        ddn_put(&t->text, "\n", 1);
        return;
    }
    ddn_put_spaces_after(&t->text, s, token);
    if (how == BROKEN && t->text.size == from + 1 && t->text.data[from] == ' ' &&
        ddn_rng_below(&t->rng, BREAK) == 0)
        t->text.data[from] = '\n';
}

static int lay_out(trainer *t, size_t paragraph, layout how, dodona_error *err)
{
    t->text.size = t->chars.count = 0;
    for (uint32_t i = t->paragraph[paragraph]; i < t->paragraph[paragraph + 1]; i++) {
        const ddn_sentence *s = &t->treebank->sentence[i];
        ddn_token_rows at = { 0 };
        const ddn_row *row = ddn_next_token(s, &at), *after;
        for (; row; row = after) {
            after = ddn_next_token(s, &at);
            size_t from = t->text.size;
            dodona_text form = ddn_sentence_span(s, row->col[DDN_FORM]);
            ddn_put(&t->text, form.data, form.size);
            int status = take(t, from, TOKEN_END | (after ? 0 : SENTENCE_END), err);
            if (status < 0)
                return status;
            from = t->text.size;
            put_blanks(t, s, row, !after, how);
            status = take(t, from, 0, err);
            if (status < 0)
                return status;
        }
    }
    return DODONA_OK;
}

/* ---- Walking along the gold tokens ---- */

/* What is done at a place: of a token, or of a sentence. */
typedef int (*visit)(trainer *t, const ddn_place *p, bool of_sentence, bool ends,
                     dodona_error *err);

static int walk(trainer *t, visit at_place, dodona_error *err)
{
    ddn_place p = { .text = t->chars.of, .end = (uint32_t)t->chars.count };
    if (!ddn_reserve(&t->token, &t->token_cap, t->chars.count + 1, sizeof *t->token))
        return ddn_fail_memory(err);
    p.token = t->token;
    int status = DODONA_OK;
    while (p.at < p.end && status >= 0) {
        for (p.next = p.at + 1; p.next < p.end && p.text[p.next].class == DDN_CHAR_BLANK; p.next++)
            continue;
        p.gap = ddn_gap_of(p.text, p.at + 1, p.next);
        uint8_t end = t->end[p.at];
        status = at_place(t, &p, false, end, err);
        if (end && status >= 0) {
            ddn_place_add(&p);
            status = at_place(t, &p, true, end & SENTENCE_END, err);
            p.from = p.next;
        }
        if (end & SENTENCE_END) {
            p.begin = p.next;
            p.tokens = 0;
        }
        p.at = p.next;
    }
    return status;
}

static int count(trainer *t, const ddn_place *p, bool of_sentence, bool ends, dodona_error *err)
{
    (void)err;
    if (p->next == p->end)
        return DODONA_OK;
    uint8_t a = p->text[p->at].class, b = p->text[p->next].class;
    if (!of_sentence && p->gap != DDN_GAP_NONE) {
        t->certain.across[a] |= (uint32_t)!ends << b;
        return DODONA_OK;
    }
    struct counts *c = &t->pair[of_sentence ? 1 + p->gap : 0][a][b];
    c->in += !ends;
    c->out += ends;
    return DODONA_OK;
}

static int learn(trainer *t, const ddn_place *p, bool of_sentence, bool ends, dodona_error *err)
{
    uint64_t key[DDN_MAX_KEYS];
    int32_t sum[2];
    int known =
        of_sentence ? ddn_sentence_certain(&t->certain, p) : ddn_token_certain(&t->certain, p);
    if (known >= 0)
        return DODONA_OK;
    ddn_learning *l = of_sentence ? &t->sentences : &t->tokens;
    int n = of_sentence ? ddn_sentence_keys(p, key) : ddn_token_keys(p, key);
    ddn_learning_step(l);
    ddn_learning_scores(l, key, n, sum);
    bool guess = sum[1] > sum[0];
    return guess == ends ? DODONA_OK : ddn_learning_update(l, key, n, ends, guess, err);
}

/* ---- All of it ---- */

static int find_certain(trainer *t, dodona_error *err)
{
    int status = DODONA_OK;
    for (size_t i = 0; i < t->paragraphs && status >= 0; i++) {
        status = lay_out(t, i, ONE_LINE, err);
        if (status >= 0)
            status = walk(t, count, err);
    }
    for (int kind = 0; kind <= 1 + DDN_GAP_SPACE; kind++)
        for (int a = 0; a < DDN_CHAR_CLASSES; a++)
            for (int b = 0; b < DDN_CHAR_CLASSES; b++) {
                const struct counts *c = &t->pair[kind][a][b];
                uint32_t sure = kind ? SURE_SENTENCE : SURE_TOKEN;
                uint32_t *row = kind ? &t->certain.on[kind - 1][a] : &t->certain.inside[a];
                if (c->in >= SEEN && (uint64_t)c->out * sure <= c->in)
                    *row |= UINT32_C(1) << b;
            }
    return status;
}

static int learn_all(trainer *t, dodona_error *err)
{
    static const layout ways[] = { ONE_LINE, ONE_LINE, BROKEN, A_LINE_EACH };
    uint32_t *order = malloc((t->paragraphs + 1) * sizeof *order);
    int status = order ? DODONA_OK : ddn_fail_memory(err);
    for (uint32_t i = 0; order && i < t->paragraphs; i++)
        order[i] = i;
    for (int k = 0; k < t->o->iterations && status >= 0; k++) {
        ddn_rng_shuffle(&t->rng, order, t->paragraphs);
        for (size_t i = 0; i < t->paragraphs && status >= 0; i++) {
            status = lay_out(t, order[i], ways[ddn_rng_below(&t->rng, 4)], err);
            if (status >= 0)
                status = walk(t, learn, err);
        }
    }
    free(order);
    return status;
}

static int freeze(trainer *t, ddn_tokenizer_parts *parts, dodona_error *err)
{
    ddn_put(&parts->rules, (const char *)&t->certain, sizeof t->certain);
    int status = ddn_splitter_train(t->treebank, &parts->rules, err);
    if (status >= 0)
        status = ddn_learning_freeze(&t->tokens, t->o->model_bytes / 2, &parts->tokens, err);
    if (status >= 0)
        status = ddn_learning_freeze(&t->sentences, t->o->model_bytes / 2, &parts->sentences, err);
    return status;
}

int ddn_tokenizer_train(const ddn_tokenizer_options *o, const ddn_treebank *train,
                        ddn_tokenizer_parts *parts, dodona_error *err)
{
    ddn_output_memory(&parts->rules);
    ddn_output_memory(&parts->tokens);
    ddn_output_memory(&parts->sentences);
    trainer *t = calloc(1, sizeof *t);
    if (!t)
        return ddn_fail_memory(err);
    t->o = o;
    t->treebank = train;
    ddn_output_memory(&t->text);
    ddn_rng_init(&t->rng, o->seed);
    int status = ddn_learning_init(&t->tokens, 2, err);
    if (status >= 0)
        status = ddn_learning_init(&t->sentences, 2, err);
    if (status >= 0)
        status = find_paragraphs(t, err);
    if (status >= 0)
        status = find_certain(t, err);
    if (status >= 0)
        status = learn_all(t, err);
    if (status >= 0)
        status = freeze(t, parts, err);
    ddn_learning_fini(&t->tokens);
    ddn_learning_fini(&t->sentences);
    ddn_output_abandon(&t->text);
    ddn_chars_fini(&t->chars);
    free(t->paragraph);
    free(t->end);
    free(t->token);
    free(t);
    return status;
}

void ddn_tokenizer_parts_fini(ddn_tokenizer_parts *parts)
{
    ddn_output_abandon(&parts->rules);
    ddn_output_abandon(&parts->tokens);
    ddn_output_abandon(&parts->sentences);
}

static ddn_section section(const char *name, const ddn_output *bytes)
{
    ddn_section s = { .data = bytes->data, .size = bytes->size };
    memcpy(s.name, name, strlen(name) + 1);
    return s;
}

void ddn_tokenizer_sections(const ddn_tokenizer_parts *parts,
                            ddn_section out[DDN_TOKENIZER_SECTIONS])
{
    out[0] = section(DDN_TOKENIZER_RULES, &parts->rules);
    out[1] = section(DDN_TOKENIZER_TOKENS, &parts->tokens);
    out[2] = section(DDN_TOKENIZER_SENTENCES, &parts->sentences);
}
