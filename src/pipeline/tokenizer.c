/* SPDX-License-Identifier: MIT */
/* tokenizer.c - the frozen tokenizer, and its two questions.
 *
 * Most characters stand inside words, and asking a classifier after each of them would be most of
 * the work.  So training notes which pairs of character classes no token ended between (two lower
 * case letters, in most languages), and they are passed over by looking at one bit.  The same is
 * noted for sentences and the characters on both sides of a gap; a line end that is plainly due to
 * wrapping counts as a space.
 *
 * The section of rules: ddn_certain in numbers of 32 bits, then the rules of the splitter as text.
 */
#include "pipeline/tokenizer.h"

#include <string.h>

enum { WRAPPED_LINES = 4 }; /* so many make a width certain */

bool ddn_tokenizer_is_in(const ddn_model_file *f)
{
    const ddn_section *rules;
    return ddn_model_file_find(f, DDN_TOKENIZER_RULES, &rules, NULL) >= 0;
}

int ddn_tokenizer_open(ddn_tokenizer *t, const ddn_model_file *f, dodona_error *err)
{
    const ddn_section *rules, *tokens, *sentences;
    int status = ddn_model_file_find(f, DDN_TOKENIZER_RULES, &rules, err);
    if (status >= 0)
        status = ddn_model_file_find(f, DDN_TOKENIZER_TOKENS, &tokens, err);
    if (status >= 0)
        status = ddn_model_file_find(f, DDN_TOKENIZER_SENTENCES, &sentences, err);
    if (status >= 0)
        status = ddn_classifier_open(&t->tokens, tokens->data, tokens->size, err);
    if (status >= 0)
        status = ddn_classifier_open(&t->sentences, sentences->data, sentences->size, err);
    if (status < 0)
        return status;
    if (rules->size < sizeof t->certain || t->tokens.classes != 2 || t->sentences.classes != 2)
        return ddn_fail(err, DODONA_E_MODEL, "the tokenizer makes no sense");
    memcpy(&t->certain, rules->data, sizeof t->certain);
    for (int a = 0; a < DDN_CHAR_CLASSES; a++) /* whatever a file says, blanks are not inside */
        t->certain.inside[a] &= a == DDN_CHAR_BLANK ? 0 : ~(UINT32_C(1) << DDN_CHAR_BLANK);
    return ddn_splitter_open(&t->splitter, (const char *)rules->data + sizeof t->certain,
                             rules->size - sizeof t->certain, err);
}

void ddn_tokenizer_close(ddn_tokenizer *t)
{
    ddn_splitter_close(&t->splitter);
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

static bool ask(const ddn_classifier *c, const uint64_t *key, int n)
{
    int32_t sum[2];
    for (int i = 0; i < n; i++)
        ddn_classifier_prefetch(c, key[i]);
    ddn_classifier_scores(c, key, n, sum);
    return sum[1] > sum[0];
}

static bool has(const uint32_t *rows, const ddn_char *a, const ddn_char *b)
{
    return rows[a->class] >> b->class & 1;
}

int ddn_token_certain(const ddn_certain *c, const ddn_place *p)
{
    const ddn_char *at = &p->text[p->at], *next = &p->text[p->next];
    if (p->next == p->end || p->gap == DDN_GAP_BLANK_LINE || p->at - p->from + 1 >= DDN_TOKEN_CHARS)
        return 1;
    if (p->gap == DDN_GAP_NONE)
        return has(c->inside, at, next) ? 0 : -1;
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

bool ddn_token_ends(const ddn_tokenizer *t, const ddn_place *p)
{
    uint64_t key[DDN_MAX_KEYS];
    int known = ddn_token_certain(&t->certain, p);
    return known < 0 ? ask(&t->tokens, key, ddn_token_keys(p, key)) : known;
}

bool ddn_sentence_ends(const ddn_tokenizer *t, const ddn_place *p)
{
    uint64_t key[DDN_MAX_KEYS];
    int known = ddn_sentence_certain(&t->certain, p);
    return known < 0 ? ask(&t->sentences, key, ddn_sentence_keys(p, key)) : known;
}
