/* SPDX-License-Identifier: MIT */
/* tokenizer.c - opens a tokenizer, and decides where tokens and sentences end.
 *
 * Most characters stand inside words, and asking a classifier after each of them would be most of
 * the work.  So training notes which pairs of character classes no token ended between (two lower
 * case letters, in most languages), and they are passed over by looking at one bit.  The same is
 * noted for sentences and the characters on both sides of a gap; a line end that is due to wrapping
 * counts as a space.
 *
 * The section of rules: ddn_certain in numbers of 32 bits, then the rules of the splitter as text.
 */
#include "pipeline/token_hints.h"

#include <string.h>

enum { WRAPPED_LINES = 4 }; /* so many make a width certain */

bool ddn_tokenizer_is_in(const ddn_model_file *f)
{
    const ddn_section *rules;
    return ddn_model_file_find(f, DDN_TOKENIZER_RULES, &rules, NULL) >= 0;
}

static int open_part(const ddn_model_file *f, const char *name, ddn_model **out, dodona_error *err)
{
    ddn_spec spec = { .part = name };
    int status = ddn_scorer_of_words()->open(f, &spec, out, err);
    if (status >= 0 && (*out)->classes != 2)
        status = ddn_fail(err, DODONA_E_MODEL, "the tokenizer is invalid");
    return status;
}

int ddn_tokenizer_open(ddn_tokenizer *t, const ddn_model_file *f, dodona_error *err)
{
    const ddn_section *rules, *words;
    memset(t, 0, sizeof *t);
    int status = ddn_model_file_find(f, DDN_TOKENIZER_RULES, &rules, err);
    if (status >= 0)
        status = open_part(f, DDN_TOKENIZER_TOKENS, &t->tokens, err);
    if (status >= 0)
        status = open_part(f, DDN_TOKENIZER_SENTENCES, &t->sentences, err);
    if (status >= 0 && ddn_model_file_find(f, DDN_TOKENIZER_SHORT, &words, NULL) >= 0)
        status = ddn_lexicon_check(&t->abbreviations, words->data, words->size, UINT32_MAX, err);
    if (status >= 0 && rules->size < sizeof t->certain)
        status = ddn_fail(err, DODONA_E_MODEL, "the tokenizer is invalid");
    if (status >= 0) {
        memcpy(&t->certain, rules->data, sizeof t->certain);
        for (int a = 0; a < DDN_CHAR_CLASSES; a++) /* whatever a file says, no space is inside */
            t->certain.inside[a] &= a == DDN_CHAR_BLANK ? 0 : ~(UINT32_C(1) << DDN_CHAR_BLANK);
        status = ddn_splitter_open(&t->splitter, (const char *)rules->data + sizeof t->certain,
                                   rules->size - sizeof t->certain, err);
    }
    if (status < 0) {
        ddn_model_close(t->tokens);
        ddn_model_close(t->sentences);
    }
    return status;
}

void ddn_tokenizer_close(ddn_tokenizer *t)
{
    ddn_splitter_close(&t->splitter);
    ddn_model_close(t->tokens);
    ddn_model_close(t->sentences);
}

int ddn_tokenizing_init(ddn_tokenizing *w, const ddn_tokenizer *t, dodona_error *err)
{
    *w = (ddn_tokenizing){ .tokenizer = t };
    int status = t->tokens->scorer->pass(t->tokens, DDN_ONE_VIEW, &w->tokens, err);
    if (status >= 0)
        status = t->sentences->scorer->pass(t->sentences, DDN_ONE_VIEW, &w->sentences, err);
    return status;
}

void ddn_tokenizing_fini(ddn_tokenizing *w)
{
    ddn_pass_end(w->tokens);
    ddn_pass_end(w->sentences);
    *w = (ddn_tokenizing){ 0 };
}

ddn_gap ddn_gap_of(const ddn_char *text, uint32_t from, uint32_t to)
{
    int lines = 0;
    for (uint32_t i = from; i < to && lines < 2; i++)
        lines += text[i].code == '\n';
    if (lines)
        return lines > 1 ? DDN_GAP_BLANK_LINE : DDN_GAP_LINE;
    if (to - from == 1 && text[from].code == ' ')
        return DDN_GAP_SPACE;
    return to == from ? DDN_GAP_NONE : DDN_GAP_OTHER;
}

static bool ask(ddn_pass *p, const uint64_t *key, int n)
{
    ddn_score score[2];
    p->model->scorer->words(p, key, n, score);
    return score[1] > score[0];
}

static bool has(const uint32_t *rows, const ddn_char *a, const ddn_char *b)
{
    return rows[a->class] >> b->class & 1;
}

/* Whether no token ends at a place, for what stands around it. */
static bool is_whole(const ddn_place *p)
{
    if (ddn_is_joined(p))
        return true;
    int place = ddn_span_place(p);
    return place >= 0 &&
           ddn_lexicon_find(p->abbreviations, ddn_span_key(place)) != DDN_LEXICON_NONE;
}

int ddn_token_certain(const ddn_certain *c, const ddn_place *p)
{
    const ddn_char *at = &p->text[p->at], *next = &p->text[p->next];
    if (p->next == p->end || p->gap == DDN_GAP_BLANK_LINE || p->at - p->from + 1 >= DDN_TOKEN_CHARS)
        return 1;
    if (p->gap == DDN_GAP_NONE)
        return has(c->inside, at, next) || (p->abbreviations && is_whole(p)) ? 0 : -1;
    return p->next - p->at > DDN_LOOK / 2 || !has(c->across, at, next) ? 1 : -1;
}

int ddn_sentence_certain(const ddn_certain *c, const ddn_place *p)
{
    if (p->next == p->end || p->gap == DDN_GAP_BLANK_LINE || p->tokens >= DDN_SENTENCE_TOKENS ||
        p->at - p->begin >= DDN_SENTENCE_CHARS)
        return 1;
    bool wrapped = p->gap == DDN_GAP_LINE && p->lines.known >= WRAPPED_LINES;
    if (!has(c->on[wrapped ? DDN_GAP_SPACE : p->gap], &p->text[p->at], &p->text[p->next]))
        return -1;
    return wrapped && !ddn_place_wrapped(p) ? -1 : 0;
}

bool ddn_token_ends(ddn_tokenizing *w, const ddn_place *p)
{
    uint64_t key[DDN_MAX_KEYS];
    int known = ddn_token_certain(&w->tokenizer->certain, p);
    return known < 0 ? ask(w->tokens, key, ddn_token_keys(p, key)) : known;
}

bool ddn_sentence_ends(ddn_tokenizing *w, const ddn_place *p)
{
    uint64_t key[DDN_MAX_KEYS];
    int known = ddn_sentence_certain(&w->tokenizer->certain, p);
    return known < 0 ? ask(w->sentences, key, ddn_sentence_keys(p, key)) : known;
}
