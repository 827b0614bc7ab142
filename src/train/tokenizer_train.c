/* SPDX-License-Identifier: MIT */
/* tokenizer_train.c - lays a treebank out as text again and trains the tokenizer on it.
 *
 * Some dozens of sentences at a time become a text, as MISC and comments say, and the two
 * classifiers are taught at every place where the tokenizer would ask them, along the gold tokens.
 * A treebank rarely says where lines ended, so each time a text is laid out in one of several ways
 * (ways below), with blank lines between its paragraphs or without.  What a line end means is to be
 * learnt from the lines before it (pipeline/lines.h).  Texts may be short, so the lines before are
 * forgotten now and then, as if a text began there.
 *
 * Before that, one pass over the text in lines notes which pairs of character classes never, or
 * almost never, stand on both sides of an end (ddn_certain), and tokens with a period at their end
 * are collected: these are the abbreviations.  Every other time, they are learnt from as if they
 * were not known, so that what unknown ones look like is learnt, too. */
#include "train/tokenizer_train.h"

#include "core/array.h"
#include "pipeline/token_hints.h"
#include "train/loop.h"
#include "train/raw_text.h"
#include "train/splitter_train.h"

#include <stdlib.h>

enum {
    TEXT = 50,         /* sentences that are laid out together, */
    PARAGRAPH = 4,     /* in paragraphs of about so many where these are not known */
    FORGET = 10,       /* at one of so many sentences, the lines before are forgotten */
    NARROW = 30,       /* lines are wrapped at some width from this */
    WIDE = 120,        /* to that */
    SURE_TOKEN = 5000, /* as often, at least, must a pair be inside for an end between it */
    SURE_SENTENCE = 3000,
    SEEN = 30,      /* and as often must it have been seen */
    SURE_SPAN = 20, /* the same of places inside addresses, numbers and so on */
    SEEN_SPAN = 5,
    ITERATIONS = 10,
    RUNS = 5, /* from nothing, whose weights are averaged */
    MODEL_BYTES = 4 << 20,
};

enum { TOKEN_END = 1, SENTENCE_END = 2 };

enum { PARAGRAPH_LINES, SENTENCE_LINES, WRAPPED, RAGGED, BROKEN, WAYS };

/* How many texts of WAYS_SUM are laid out so. */
static const uint8_t ways[WAYS] = {
    [PARAGRAPH_LINES] = 8, [SENTENCE_LINES] = 8, [WRAPPED] = 5, [RAGGED] = 3, [BROKEN] = 1
};
enum { WAYS_SUM = 25 };

typedef struct trainer {
    const ddn_tokenizer_options *o;
    const ddn_treebank *treebank;
    uint32_t *first; /* [texts + 1] the first sentence of each */
    size_t texts, first_cap;
    bool has_paragraphs; /* the treebank says where they begin */
    ddn_task task;
    ddn_model *tokens, *sentences;
    ddn_pass *tokens_pass, *sentences_pass;
    ddn_certain certain;
    ddn_output words; /* the lexicon of abbreviations */
    ddn_lexicon_entries entries;
    ddn_lexicon abbreviations;

    ddn_output text; /* one of them, laid out */
    ddn_chars chars;
    uint8_t end_at; /* what ends at the place that is visited */
    uint8_t *end;   /* [ends] what ends before that byte of it */
    size_t ends, end_cap;
    ddn_token *token;
    size_t token_cap;
    struct counts {
        uint32_t in, out; /* how often nothing ended there, and how often something did */
    } span[DDN_SPAN_PLACES],
        pair[1 + DDN_GAPS][DDN_CHAR_CLASSES][DDN_CHAR_CLASSES]; /* the first for tokens */
} trainer;

void ddn_tokenizer_options_init(ddn_tokenizer_options *o)
{
    *o = (ddn_tokenizer_options){ .iterations = ITERATIONS, .seed = 1, .model_bytes = MODEL_BYTES };
}

/* ---- Laying out ---- */

/* Texts are TEXT sentences long or somewhat longer, up to the end of a paragraph. */
static int find_texts(trainer *t, dodona_error *err)
{
    size_t from = 0;
    for (size_t i = 0; i <= t->treebank->count; i++) {
        bool starts = i < t->treebank->count && ddn_begins_paragraph(&t->treebank->sentence[i]);
        t->has_paragraphs |= i && starts;
        if (i && i < t->treebank->count && (i - from < TEXT || !starts) && i - from < 2 * TEXT)
            continue;
        if (!ddn_reserve(&t->first, &t->first_cap, t->texts + 1, sizeof *t->first))
            return ddn_fail_memory(err);
        t->first[t->texts++] = (uint32_t)i;
        from = i;
    }
    t->texts--;
    return DODONA_OK;
}

/* Makes end reach to where the text ends so far. */
static bool reach(trainer *t)
{
    size_t need = t->text.size + 1;
    if (!ddn_reserve(&t->end, &t->end_cap, need, 1))
        return false;
    memset(t->end + t->ends, 0, need - t->ends);
    t->ends = need;
    return true;
}

/* Notes what ends where the text ends so far. */
static bool mark(trainer *t, uint8_t what)
{
    if (!reach(t))
        return false;
    t->end[t->ends - 1] = what;
    return true;
}

/* Whether a paragraph ends before a sentence.  Where the treebank tells nothing of that, some do
 * anyway, but for the layout that shows nothing else. */
static bool is_new(trainer *t, size_t sentence, const ddn_text_layout *how)
{
    if (sentence == t->treebank->count)
        return true;
    if (t->has_paragraphs)
        return ddn_begins_paragraph(&t->treebank->sentence[sentence]);
    bool plain = how->blank_lines && !how->sentence_lines && !how->width && !how->broken;
    return !plain && ddn_rng_below(&t->task.rng, PARAGRAPH) == 0;
}

static int lay_out(trainer *t, size_t text, const ddn_text_layout *how, dodona_error *err)
{
    t->text.size = t->ends = t->chars.count = 0;
    for (size_t i = t->first[text]; i < t->first[text + 1]; i++) {
        const ddn_sentence *s = &t->treebank->sentence[i];
        ddn_token_rows at = { 0 };
        const ddn_row *row = ddn_next_token(s, &at), *after;
        for (; row; row = after) {
            after = ddn_next_token(s, &at);
            dodona_text form = ddn_sentence_span(s, row->col[DDN_FORM]);
            ddn_put(&t->text, form.data, form.size);
            if (t->text.error.code || !mark(t, TOKEN_END | (after ? 0 : SENTENCE_END)))
                return ddn_fail_memory(err);
            if (after)
                ddn_put_spaces_after(&t->text, s, row);
            else
                ddn_put_sentence_end(&t->text, how, s, row, is_new(t, i + 1, how));
        }
    }
    if (t->text.error.code ||
        !reach(t)) /* SpacesAfter may have characters that are not white space */
        return ddn_fail_memory(err);
    ddn_break_lines(how, t->text.data, t->text.size);
    return ddn_chars_add(&t->chars, t->text.data, 0, t->text.size, err);
}

/* ---- Walking along the gold tokens ---- */

/* What is done at a place: of a token, or of a sentence. */
typedef int (*visit)(trainer *t, const ddn_place *p, bool of_sentence, bool ends,
                     dodona_error *err);

static int walk(trainer *t, visit at_place, dodona_error *err)
{
    ddn_place p = { .text = t->chars.of,
                    .end = (uint32_t)t->chars.count,
                    .abbreviations = &t->abbreviations };
    if (!ddn_reserve(&t->token, &t->token_cap, t->chars.count + 1, sizeof *t->token))
        return ddn_fail_memory(err);
    p.token = t->token;
    int status = DODONA_OK;
    while (p.at < p.end && status >= 0) {
        for (p.next = p.at + 1; p.next < p.end && p.text[p.next].class == DDN_CHAR_BLANK; p.next++)
            continue;
        p.gap = ddn_gap_of(p.text, p.at + 1, p.next);
        uint8_t end = t->end[p.at + 1 < p.end ? p.text[p.at + 1].at : t->text.size];
        t->end_at = end;
        status = at_place(t, &p, false, end, err);
        if (end && status >= 0) {
            ddn_place_add(&p);
            status = at_place(t, &p, true, end & SENTENCE_END, err);
            p.from = p.next;
            p.hidden = ddn_rng_below(&t->task.rng, 2);
        }
        if (end & SENTENCE_END) {
            p.begin = p.next;
            p.tokens = 0;
        }
        ddn_place_move(&p);
        if ((end & SENTENCE_END) && ddn_rng_below(&t->task.rng, FORGET) == 0)
            p.lines = (ddn_lines){ .begin = p.at };
    }
    return status;
}

/* Collects a token that ends before p->at + 1, inside a sentence, if it is an abbreviation:
 * letters, perhaps with periods between, and a period. */
static int collect(trainer *t, const ddn_place *p, dodona_error *err)
{
    uint32_t letters = 0, others = 0;
    if (p->text[p->at].code != '.' || p->next == p->end)
        return DODONA_OK;
    for (uint32_t i = p->from; i < p->at; i++)
        if (ddn_char_is_letter(&p->text[i]))
            letters++;
        else
            others += p->text[i].code != '.';
    if (!letters || others)
        return DODONA_OK;
    return ddn_lexicon_add(&t->entries, ddn_abbreviation_key(p->text, p->from, p->at), 0, err);
}

static int count(trainer *t, const ddn_place *p, bool of_sentence, bool ends, dodona_error *err)
{
    if (!of_sentence && ends && !(t->end_at & SENTENCE_END)) {
        int status = collect(t, p, err);
        if (status < 0)
            return status;
    }
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
    int place = of_sentence ? -1 : ddn_span_place(p);
    if (place >= 0) {
        t->span[place].in += !ends;
        t->span[place].out += ends;
    }
    return DODONA_OK;
}

static int learn_place(trainer *t, const ddn_place *p, bool of_sentence, bool ends,
                       dodona_error *err)
{
    ddn_model *model = of_sentence ? t->sentences : t->tokens;
    ddn_pass *pass = of_sentence ? t->sentences_pass : t->tokens_pass;
    const ddn_scorer *scorer = model->scorer;
    uint64_t key[DDN_MAX_KEYS];
    ddn_score score[2];
    ddn_adjoint d[2];
    int known =
        of_sentence ? ddn_sentence_certain(&t->certain, p) : ddn_token_certain(&t->certain, p);
    if (known >= 0)
        return DODONA_OK;
    int n = of_sentence ? ddn_sentence_keys(p, key) : ddn_token_keys(p, key);
    scorer->words(pass, key, n, score);
    int32_t count = scorer->loss->adjoints(score, 2, ends, score[1] > score[0], d);
    int status = count ? scorer->learn_word(pass, key, n, d, count, err) : DODONA_OK;
    return status < 0 ? status : scorer->step(model, &pass, 1, err);
}

/* ---- All of it ---- */

/* The abbreviations, and the kinds of places that are certain: in numbers if training has shown it,
 * in other spans unless it has shown that tokens end there. */
static int make_lexicon(trainer *t, dodona_error *err)
{
    int status = DODONA_OK;
    for (int i = 0; i < DDN_SPAN_PLACES && status >= 0; i++) {
        const struct counts *c = &t->span[i];
        if ((uint64_t)c->out * SURE_SPAN <= c->in && (c->in >= SEEN_SPAN || !ddn_span_is_number(i)))
            status = ddn_lexicon_add(&t->entries, ddn_span_key(i), 0, err);
    }
    ddn_lexicon_put(&t->words, &t->entries);
    if (status >= 0 && t->words.error.code)
        status = ddn_fail_memory(err);
    return status < 0 ? status
                      : ddn_lexicon_check(&t->abbreviations, t->words.data, t->words.size, 1, err);
}

static int find_certain(trainer *t, dodona_error *err)
{
    int status = DODONA_OK;
    for (size_t i = 0; i < t->texts && status >= 0; i++) {
        status = lay_out(t, i, &(ddn_text_layout){ .blank_lines = true }, err);
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
    return status < 0 ? status : make_lexicon(t, err);
}

static int learn_text(trainer *t, size_t text, dodona_error *err)
{
    ddn_text_layout how = { .blank_lines = ddn_rng_below(&t->task.rng, 2) };
    int way = 0;
    for (uint64_t k = ddn_rng_below(&t->task.rng, WAYS_SUM); k >= ways[way]; way++)
        k -= ways[way];
    how.sentence_lines = way == SENTENCE_LINES;
    if (way == WRAPPED || way == RAGGED)
        how.width = NARROW + (int)ddn_rng_below(&t->task.rng, WIDE - NARROW + 1);
    if (way == RAGGED)
        how.ragged = &t->task.rng;
    if (way == BROKEN)
        how.broken = &t->task.rng;
    int status = lay_out(t, text, &how, err);
    return status < 0 ? status : walk(t, learn_place, err);
}

static int learn(void *ctx, const uint32_t *text, int m, dodona_error *err)
{
    int status = DODONA_OK;
    for (int i = 0; i < m && status >= 0; i++)
        status = learn_text(ctx, text[i], err);
    return status;
}

static int open_models(trainer *t, dodona_error *err)
{
    const ddn_scorer *scorer = ddn_scorer_of_words();
    ddn_spec tokens = { .part = DDN_TOKENIZER_TOKENS, .classes = 2 };
    ddn_spec sentences = { .part = DDN_TOKENIZER_SENTENCES, .classes = 2 };
    int status = scorer->create(&tokens, &t->tokens, err);
    if (status >= 0)
        status = scorer->create(&sentences, &t->sentences, err);
    if (status >= 0)
        status = scorer->pass(t->tokens, DDN_ONE_VIEW, &t->tokens_pass, err);
    if (status >= 0)
        status = scorer->pass(t->sentences, DDN_ONE_VIEW, &t->sentences_pass, err);
    return status;
}

static int save(void *ctx, ddn_sections *out, dodona_error *err)
{
    const trainer *t = ctx;
    const ddn_scorer *scorer = t->tokens->scorer;
    ddn_output *rules = ddn_sections_add(out, DDN_TOKENIZER_RULES);
    ddn_put(rules, (const char *)&t->certain, sizeof t->certain);
    int status = ddn_splitter_train(t->treebank, rules, err);
    if (status >= 0)
        status = scorer->save(t->tokens, t->o->model_bytes / 2, out, err);
    if (status >= 0)
        status = scorer->save(t->sentences, t->o->model_bytes / 2, out, err);
    if (status < 0)
        return status;
    ddn_output *words = ddn_sections_add(out, DDN_TOKENIZER_SHORT);
    ddn_put(words, t->words.data, t->words.size);
    return words->error.code ? ddn_fail_memory(err) : DODONA_OK;
}

static int tick(void *ctx, size_t done, dodona_error *err)
{
    const trainer *t = ctx;
    return ddn_listener_tick(&t->o->listener, &t->task, done, err);
}

static int judge(void *ctx, dodona_error *err)
{
    const trainer *t = ctx;
    return ddn_listener_judge(&t->o->listener, &t->task, save, err);
}

static int learn_all(trainer *t, dodona_error *err)
{
    t->task.examples = t->texts;
    t->task.models = 2;
    t->task.model[0] = t->tokens;
    t->task.model[1] = t->sentences;
    return ddn_learn(&t->task, NULL, err);
}

static void finish(trainer *t)
{
    ddn_pass_end(t->tokens_pass);
    ddn_pass_end(t->sentences_pass);
    ddn_model_close(t->tokens);
    ddn_model_close(t->sentences);
    ddn_output_abandon(&t->text);
    ddn_output_abandon(&t->words);
    ddn_chars_fini(&t->chars);
    free(t->entries.at);
    free(t->first);
    free(t->end);
    free(t->token);
    free(t);
}

int ddn_tokenizer_train(const ddn_tokenizer_options *o, const ddn_treebank *train,
                        ddn_sections *out, dodona_error *err)
{
    trainer *t = calloc(1, sizeof *t);
    if (!t)
        return ddn_fail_memory(err);
    t->o = o;
    t->treebank = train;
    t->task = (ddn_task){ .ctx = t,
                          .batch = 1,
                          .iterations = o->iterations,
                          .runs = RUNS,
                          .learn = learn,
                          .judge = judge,
                          .tick = tick };
    ddn_output_memory(&t->text);
    ddn_output_memory(&t->words);
    ddn_rng_init(&t->task.rng, o->seed);
    int status = open_models(t, err);
    if (status >= 0)
        status = find_texts(t, err);
    if (status >= 0)
        status = find_certain(t, err);
    if (status >= 0)
        status = learn_all(t, err);
    if (status >= 0)
        status = save(t, out, err);
    finish(t);
    return status;
}
