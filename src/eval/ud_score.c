/* SPDX-License-Identifier: MIT */
/* ud_score.c - counting what agrees.
 *
 * Tokens and sentences agree when their spans are the same in both files.  Everything else is
 * counted over aligned words: a pair is correct when its keys agree, and the head of a system word
 * stands for the gold word that it is aligned with.
 *
 *     UPOS XPOS UFeats   that column          Lemmas   lemma, free where gold has "_"
 *     AllTags            all three            UAS LAS  head; head and relation
 *     CLAS               as LAS
 *     MLAS               and UPOS, UFeats, and these of the functional children, in order
 *     BLEX               as LAS, and lemma
 *
 * The last three count content words only.  Trap: gold's own relation decides that for the pairs
 * and for the gold total, but the system's own relation for the system total.
 *
 * Zeman et al., CoNLL 2018 Shared Task: Multilingual Parsing from Raw Text to UD. */
#include "eval/ud_score.h"

const char *const ddn_metric_name[DDN_METRICS] = {
    "Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags",
    "Lemmas", "UAS",       "LAS",   "CLAS", "MLAS", "BLEX",
};

static double ratio(int64_t part, int64_t whole)
{
    return whole ? (double)part / (double)whole : 0.0;
}

double ddn_precision(const ddn_count *c)
{
    return ratio(c->correct, c->system);
}

double ddn_recall(const ddn_count *c)
{
    return ratio(c->correct, c->gold);
}

double ddn_f1(const ddn_count *c)
{
    return ratio(2 * c->correct, c->system + c->gold);
}

double ddn_aligned_accuracy(const ddn_count *c)
{
    return c->aligned > 0 ? ratio(c->correct, c->aligned) : 0.0;
}

/* The i-th span of a file, by which it is walked: tokens or sentences. */
typedef struct spans {
    const ddn_corpus *c;
    bool sentences;
    size_t at; /* the word or the sentence where the span begins */
    uint32_t start, end;
} spans;

static bool next_span(spans *x)
{
    const ddn_corpus *c = x->c;
    if (x->at >= (x->sentences ? c->sentences : c->words))
        return false;
    if (x->sentences) {
        x->start = c->word[c->sentence[x->at]].start;
        x->end = c->word[ddn_corpus_sentence_end(c, x->at) - 1].end;
        x->at++;
        return true;
    }
    x->start = c->word[x->at].start;
    x->end = c->word[x->at].end;
    do
        x->at++;
    while (x->at < c->words && c->word[x->at].start == x->start);
    return true;
}

static ddn_count score_spans(const ddn_alignment *a, bool sentences)
{
    ddn_count n = { .aligned = -1 };
    spans g = { .c = a->gold, .sentences = sentences };
    spans s = { .c = a->system, .sentences = sentences };
    bool more = next_span(&s);
    n.system += more;
    while (next_span(&g)) {
        n.gold++;
        while (more && s.start < g.start) {
            more = next_span(&s);
            n.system += more;
        }
        n.correct += more && s.start == g.start && s.end == g.end;
    }
    while (more) {
        more = next_span(&s);
        n.system += more;
    }
    return n;
}

static bool same_functions(const ddn_alignment *a, const ddn_eval_word *p, const ddn_eval_word *q)
{
    uint32_t g = p->function, s = q->function;
    for (; g != DDN_NO_WORD && s != DDN_NO_WORD;
         g = a->gold->word[g].next_function, s = a->system->word[s].next_function) {
        const ddn_eval_word *c = &a->gold->word[g], *d = &a->system->word[s];
        if (a->to_gold[s] != g || c->deprel != d->deprel || c->upos != d->upos ||
            c->feats != d->feats)
            return false;
    }
    return g == s;
}

static void score_attachment(const ddn_alignment *a, uint32_t g, bool same_lemma,
                             ddn_count out[DDN_METRICS])
{
    uint32_t s = a->to_system[g];
    const ddn_eval_word *p = &a->gold->word[g], *q = &a->system->word[s];
    bool head = ddn_same_head(a, g, s), labelled = head && p->deprel == q->deprel;
    out[DDN_UAS].aligned++;
    out[DDN_UAS].correct += head;
    out[DDN_LAS].aligned++;
    out[DDN_LAS].correct += labelled;
    if (!(p->flags & DDN_WORD_CONTENT))
        return;
    for (ddn_metric m = DDN_CLAS; m <= DDN_BLEX; m++)
        out[m].aligned++;
    out[DDN_CLAS].correct += labelled;
    out[DDN_MLAS].correct +=
        labelled && p->upos == q->upos && p->feats == q->feats && same_functions(a, p, q);
    out[DDN_BLEX].correct += labelled && same_lemma;
}

static void score_pair(const ddn_alignment *a, uint32_t g, const ddn_eval_names *names,
                       bool no_punct, ddn_count out[DDN_METRICS])
{
    const ddn_eval_word *p = &a->gold->word[g], *q = &a->system->word[a->to_system[g]];
    bool upos = p->upos == q->upos, xpos = p->xpos == q->xpos, feats = p->feats == q->feats;
    bool lemma = p->lemma == q->lemma || p->lemma == names->blank;
    out[DDN_UPOS_SCORE].correct += upos;
    out[DDN_XPOS_SCORE].correct += xpos;
    out[DDN_UFEATS].correct += feats;
    out[DDN_ALLTAGS].correct += upos && xpos && feats;
    out[DDN_LEMMAS].correct += lemma;
    if (ddn_counts_gold(a, no_punct, g))
        score_attachment(a, g, lemma, out);
}

static void count_totals(const ddn_alignment *a, bool no_punct, ddn_count out[DDN_METRICS])
{
    int64_t counted[2] = { 0 }, content[2] = { 0 };
    for (uint32_t g = 0; g < a->gold->words; g++)
        if (ddn_counts_gold(a, no_punct, g)) {
            counted[0]++;
            content[0] += (a->gold->word[g].flags & DDN_WORD_CONTENT) != 0;
        }
    for (uint32_t s = 0; s < a->system->words; s++)
        if (ddn_counts_system(a, no_punct, s)) {
            counted[1]++;
            content[1] += (a->system->word[s].flags & DDN_WORD_CONTENT) != 0;
        }
    for (ddn_metric m = DDN_WORDS; m < DDN_METRICS; m++) {
        bool attachment = m >= DDN_UAS;
        out[m].gold = m >= DDN_CLAS ? content[0]
                      : attachment  ? counted[0]
                                    : (int64_t)a->gold->words;
        out[m].system = m >= DDN_CLAS ? content[1]
                        : attachment  ? counted[1]
                                      : (int64_t)a->system->words;
        out[m].aligned = attachment ? 0 : (int64_t)a->pairs;
    }
}

void ddn_ud_score(const ddn_alignment *a, const ddn_eval_names *names, bool no_punct,
                  ddn_count out[DDN_METRICS])
{
    for (int m = 0; m < DDN_METRICS; m++)
        out[m] = (ddn_count){ 0 };
    out[DDN_TOKENS] = score_spans(a, false);
    out[DDN_SENTENCES] = score_spans(a, true);
    count_totals(a, no_punct, out);
    out[DDN_WORDS].correct = (int64_t)a->pairs;
    out[DDN_WORDS].aligned = -1;
    for (uint32_t g = 0; g < a->gold->words; g++)
        if (a->to_system[g] != DDN_NO_WORD)
            score_pair(a, g, names, no_punct, out);
}
