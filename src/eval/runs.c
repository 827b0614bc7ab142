/* SPDX-License-Identifier: MIT */
/* runs.c - sentences are read in turn until both sides have the same text.
 *
 * The side whose text is shorter reads the next sentence.  It can't end a run with less, so the
 * first time that both are equally long is the nearest character at which both end a sentence.
 * Only the run is kept in memory.
 *
 * Words that one side alone has stand in the order of the text: a word of the second side stands
 * behind all words of the first that begin before it ends, and not behind the next one that both
 * have. */
#include "eval/runs.h"

#include "eval/align.h"

void ddn_runs_init(ddn_runs *r, const ddn_eval_source *first, const ddn_eval_source *second)
{
    memset(r, 0, sizeof *r);
    r->side[0].from = *first;
    r->side[1].from = *second;
    ddn_comparison_init(&r->with);
    for (int i = 0; i < 2; i++)
        ddn_sentence_init(&r->side[i].all);
}

void ddn_runs_fini(ddn_runs *r)
{
    for (int i = 0; i < 2; i++) {
        ddn_sentence_fini(&r->side[i].all);
        ddn_corpus_fini(&r->side[i].words);
    }
    ddn_comparison_fini(&r->with);
}

/* ---- Reading ---- */

/* Adds the next sentence that has words: 1, or 0 at the end. */
static int pull(ddn_run_side *side, dodona_error *err)
{
    int status;
    while ((status = side->from.next(side->from.ctx, &side->last, err)) > 0)
        if (side->last->n > 0)
            break;
    if (status <= 0)
        return status;
    side->read++;
    if (side->all.n && side->last->n > DODONA_MAX_WORDS - side->all.n)
        return ddn_fail_at(err, DODONA_E_LIMIT, side->from.name, side->last->line,
                           "no sentence has ended where one of the other file does for %d words, "
                           "the limit",
                           DODONA_MAX_WORDS);
    int code = 0;
    if (side->words.sentences == 1) /* the text that they tell is no longer all */
        code = ddn_sentence_set_comments(&side->all, "#", "", 0, err);
    if (!code)
        code = ddn_sentence_append(&side->all, side->last, err);
    return code ? code : 1;
}

static int ended(const ddn_run_side *side, dodona_error *err)
{
    return ddn_fail_at(err, DODONA_E_INPUT, side->from.name, 0,
                       "ends after %lld sentence%s; the other file goes on", (long long)side->read,
                       side->read == 1 ? "" : "s");
}

static bool same_words(const ddn_sentence *s, const ddn_sentence *t)
{
    for (int32_t i = 1; i <= s->n && s->n == t->n; i++)
        if (!ddn_text_equal(ddn_sentence_column(s, i, DDN_FORM),
                            ddn_sentence_column(t, i, DDN_FORM)))
            return false;
    return s->n == t->n;
}

/* Reads on until both sides, which have a sentence each, have the same text. */
static int extend(ddn_runs *r, dodona_error *err)
{
    ddn_run_side *a = &r->side[0], *b = &r->side[1];
    size_t same = 0;
    int status = ddn_corpus_add(&a->words, &r->names, a->last, err);
    if (!status)
        status = ddn_corpus_add(&b->words, &r->names, b->last, err);
    while (!status) {
        const ddn_folded *x = &a->words.text, *y = &b->words.text;
        size_t common = x->size < y->size ? x->size : y->size;
        bool differs = memcmp(x->data + same, y->data + same, common - same) != 0;
        if (differs || x->size == y->size)
            return ddn_corpus_same_text(&b->words, &a->words, err);
        same = common;
        ddn_run_side *more = x->size < y->size ? a : b;
        status = pull(more, err);
        if (status == 0)
            return ddn_corpus_same_text(&b->words, &a->words, err);
        if (status > 0)
            status = ddn_corpus_add(&more->words, &r->names, more->last, err);
    }
    return status;
}

/* ---- Words ---- */

/* Where words of the second side stand; those that both have are known. */
static void set_after(ddn_runs *r)
{
    ddn_comparison *with = &r->with;
    const ddn_eval_word *first = r->side[0].words.word, *second = r->side[1].words.word;
    int32_t most = r->side[0].all.n;
    for (int32_t j = with->other->n; j > 0; j--) {
        with->after[j] = with->here[j] ? with->here[j] : most;
        most = with->here[j] ? with->here[j] - 1 : most;
    }
    for (int32_t j = 1; j <= with->other->n; j++) {
        int32_t at = with->after[j - 1];
        while (at < with->after[j] && first[at].start < second[j - 1].end)
            at++;
        with->after[j] = with->here[j] ? with->here[j] : at;
    }
}

static void set_ends(const ddn_corpus *c, bool *ends, int32_t *sentences)
{
    for (size_t i = 1; i < c->sentences; i++)
        ends[c->sentence[i]] = true; /* words count from 0 there */
    *sentences = (int32_t)c->sentences;
}

static int align(ddn_runs *r, dodona_error *err)
{
    ddn_alignment a;
    ddn_comparison *with = &r->with;
    int status = ddn_comparison_begin(with, &r->side[0].all, &r->side[1].all, err);
    if (status < 0)
        return status;
    status = ddn_align(&a, &r->side[1].words, &r->side[0].words, err);
    for (int32_t j = 1; status >= 0 && j <= with->other->n; j++)
        if (a.to_system[j - 1] != DDN_NO_WORD) {
            with->here[j] = (int32_t)a.to_system[j - 1] + 1;
            with->there[with->here[j]] = j;
        }
    ddn_alignment_fini(&a);
    if (status < 0)
        return status;
    set_after(r);
    set_ends(&r->side[0].words, with->ends, &with->sentences);
    set_ends(&r->side[1].words, with->ends_there, &with->sentences_there);
    return 0;
}

/* The names are those of the run, so that they don't become more and more. */
static int compare(ddn_runs *r, dodona_error *err)
{
    int status = ddn_eval_names_init(&r->names, err);
    if (status >= 0)
        status = extend(r, err);
    if (status >= 0)
        status = align(r, err);
    ddn_eval_names_fini(&r->names);
    return status;
}

int ddn_runs_next(ddn_runs *r, dodona_error *err)
{
    int got[2];
    for (int i = 0; i < 2; i++) {
        ddn_sentence_clear(&r->side[i].all);
        ddn_corpus_fini(&r->side[i].words);
        r->side[i].words.name = r->side[i].from.name;
        got[i] = pull(&r->side[i], err);
        if (got[i] < 0)
            return got[i];
    }
    const ddn_sentence *s = &r->side[0].all, *t = &r->side[1].all;
    if (got[0] != got[1])
        return ended(&r->side[got[1] == 0], err);
    if (!got[0])
        return 0;
    int status = same_words(s, t) ? ddn_comparison_same(&r->with, s, t, err) : compare(r, err);
    return status < 0 ? status : 1;
}
