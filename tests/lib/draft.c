/* SPDX-License-Identifier: MIT */
#include "lib/draft.h"

#include "lib/lexicon.h"
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void ddn_draft_init(ddn_draft *d)
{
    d->n = 0;
    d->word[0] = (ddn_draft_word){ 0 };
    d->after = -1;
    d->below_n = 0;
}

static void fill(ddn_draft_word *w, const char *form, const char *lemma, const char *upos,
                 const char *xpos, const char *feats)
{
    snprintf(w->form, sizeof w->form, "%s", form);
    snprintf(w->lemma, sizeof w->lemma, "%s", lemma);
    snprintf(w->feats, sizeof w->feats, "%s", feats);
    w->upos = upos;
    w->xpos = xpos;
    w->rel = "dep";
    w->head = 0;
    w->glued = w->joined = false;
}

int ddn_draft_add(ddn_draft *d, const char *form, const char *lemma, const char *upos,
                  const char *xpos, const char *feats)
{
    if (d->n < DDN_DRAFT_WORDS)
        d->n++;
    fill(&d->word[d->n], form, lemma, upos, xpos, feats);
    return d->n;
}

void ddn_draft_link(ddn_draft *d, int word, int head, const char *rel)
{
    d->word[word].head = head;
    d->word[word].rel = rel;
}

int ddn_draft_punct(ddn_draft *d, const char *mark)
{
    d->word[d->n].glued = true;
    return ddn_draft_add(d, mark, mark, "PUNCT", strcmp(mark, ",") == 0 ? "," : ".", "_");
}

void ddn_draft_below_empty(ddn_draft *d, int word, const char *rel)
{
    assert(d->below_n < (int)(sizeof d->below / sizeof *d->below));
    d->below[d->below_n].word = word;
    d->below[d->below_n].rel = rel;
    d->below_n++;
}

/* ---- Morphology ---- */

static bool third_singular(ddn_agreement a)
{
    return a.person == 3 && !a.plural;
}

/* FEATS and XPOS of a verb form.  Regular verbs show person and number in the present only. */
static const char *verb_feats(ddn_verb_form form, ddn_agreement a, bool be, char *out, size_t size)
{
    const char *number = a.plural ? "Plur" : "Sing";
    switch (form) {
    case DDN_FINITE_PRESENT:
        snprintf(out, size, "Mood=Ind|Number=%s|Person=%d|Tense=Pres|VerbForm=Fin", number,
                 a.person);
        return third_singular(a) ? "VBZ" : "VBP";
    case DDN_FINITE_PAST:
        if (be)
            snprintf(out, size, "Mood=Ind|Number=%s|Person=%d|Tense=Past|VerbForm=Fin", number,
                     a.person);
        else
            snprintf(out, size, "Mood=Ind|Tense=Past|VerbForm=Fin");
        return "VBD";
    case DDN_BASE:
        snprintf(out, size, "VerbForm=Inf");
        return "VB";
    case DDN_IMPERATIVE:
        snprintf(out, size, "Mood=Imp|VerbForm=Fin");
        return "VB";
    case DDN_PARTICIPLE:
        snprintf(out, size, "Tense=Past|VerbForm=Part");
        return "VBN";
    default:
        snprintf(out, size, "Tense=Pres|VerbForm=Part");
        return "VBG";
    }
}

int ddn_draft_verb(ddn_draft *d, const char *lemma, ddn_verb_form form, ddn_agreement a)
{
    char text[32], feats[80];
    const char *xpos = verb_feats(form, a, false, feats, sizeof feats);
    if (form == DDN_FINITE_PRESENT && third_singular(a))
        ddn_inflect(lemma, DDN_S, text, sizeof text);
    else if (form == DDN_FINITE_PAST || form == DDN_PARTICIPLE)
        ddn_inflect(lemma, DDN_ED, text, sizeof text);
    else if (form == DDN_GERUND)
        ddn_inflect(lemma, DDN_ING, text, sizeof text);
    else
        snprintf(text, sizeof text, "%s", lemma);
    return ddn_draft_add(d, text, lemma, "VERB", xpos, feats);
}

static const char *be_form(ddn_verb_form form, ddn_agreement a, bool short_form)
{
    bool one = !a.plural && a.person != 2; /* I am, she is: not you */
    if (form == DDN_BASE || form == DDN_IMPERATIVE)
        return "be";
    if (form == DDN_PARTICIPLE)
        return "been";
    if (form == DDN_GERUND)
        return "being";
    if (form == DDN_FINITE_PAST)
        return one ? "was" : "were";
    if (short_form)
        return !one ? "'re" : a.person == 1 ? "'m" : "'s";
    return !one ? "are" : a.person == 1 ? "am" : "is";
}

static const char *have_or_do_form(bool have, ddn_verb_form form, ddn_agreement a, bool short_form)
{
    if (form == DDN_FINITE_PAST || form == DDN_PARTICIPLE)
        return have ? "had" : "did";
    if (form != DDN_FINITE_PRESENT)
        return have ? "have" : "do";
    if (have && short_form)
        return third_singular(a) ? "'s" : "'ve";
    if (third_singular(a))
        return have ? "has" : "does";
    return have ? "have" : "do";
}

int ddn_draft_aux(ddn_draft *d, const char *lemma, ddn_verb_form form, ddn_agreement a,
                  bool short_form)
{
    char feats[80];
    bool be = strcmp(lemma, "be") == 0;
    const char *xpos = verb_feats(form, a, be, feats, sizeof feats);
    const char *text =
        be ? be_form(form, a, short_form) : have_or_do_form(lemma[0] == 'h', form, a, short_form);
    return ddn_draft_add(d, text, lemma, "AUX", xpos, feats);
}

int ddn_draft_noun(ddn_draft *d, const char *lemma, bool plural)
{
    char text[32];
    if (!plural)
        return ddn_draft_add(d, lemma, lemma, "NOUN", "NN", "Number=Sing");
    ddn_inflect(lemma, DDN_S, text, sizeof text);
    return ddn_draft_add(d, text, lemma, "NOUN", "NNS", "Number=Plur");
}

static const struct pronoun {
    const char *nominative, *accusative, *possessive, *gender;
    int person;
    bool plural;
} pronouns[] = {
    { "I", "me", "my", "", 1, false },
    { "you", "you", "your", "", 2, false },
    { "he", "him", "his", "Gender=Masc|", 3, false },
    { "she", "her", "her", "Gender=Fem|", 3, false },
    { "it", "it", "its", "Gender=Neut|", 3, false },
    { "we", "us", "our", "", 1, true },
    { "they", "them", "their", "", 3, true },
};

static int pronoun(ddn_draft *d, int which, const char *kase, const char *form, const char *poss)
{
    const struct pronoun *p = &pronouns[which];
    char feats[80];
    snprintf(feats, sizeof feats, "Case=%s|%sNumber=%s|Person=%d|%sPronType=Prs", kase, p->gender,
             p->plural ? "Plur" : "Sing", p->person, poss);
    return ddn_draft_add(d, form, p->nominative, "PRON", poss[0] ? "PRP$" : "PRP", feats);
}

int ddn_draft_pronoun(ddn_draft *d, int which, bool accusative, ddn_agreement *a)
{
    const struct pronoun *p = &pronouns[which];
    *a = (ddn_agreement){ p->person, p->plural };
    return accusative ? pronoun(d, which, "Acc", p->accusative, "")
                      : pronoun(d, which, "Nom", p->nominative, "");
}

int ddn_draft_possessive(ddn_draft *d, int which)
{
    return pronoun(d, which, "Gen", pronouns[which].possessive, "Poss=Yes|");
}

/* ---- CoNLL-U ---- */

typedef struct page {
    char *out;
    size_t size, used;
} page;

__attribute__((format(printf, 2, 3))) static void put(page *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(p->out + p->used, p->size - p->used, format, args);
    va_end(args);
    assert(n >= 0 && (size_t)n < p->size - p->used);
    p->used += (size_t)n;
}

static void put_deps(page *p, const ddn_draft *d, int i)
{
    if (d->after < 0) {
        put(p, "_");
        return;
    }
    for (int k = 0; k < d->below_n; k++)
        if (d->below[k].word == i) {
            put(p, "%d.1:%s", d->after, d->below[k].rel);
            return;
        }
    put(p, "%d:%s", d->word[i].head, d->word[i].rel);
}

static void put_empty(page *p, const ddn_draft *d)
{
    const ddn_draft_word *w = &d->empty;
    put(p, "%d.1\t%s\t%s\t%s\t%s\t%s\t_\t_\t%d:%s\t_\n", d->after, w->form, w->lemma, w->upos,
        w->xpos, w->feats, w->head, w->rel);
}

static void put_word(page *p, const ddn_draft *d, int i)
{
    const ddn_draft_word *w = &d->word[i];
    bool inside = w->joined || d->word[i - 1].joined;
    if (w->joined)
        put(p, "%d-%d\t%s%s\t_\t_\t_\t_\t_\t_\t_\t%s\n", i, i + 1, w->form, w[1].form,
            w[1].glued ? "SpaceAfter=No" : "_");
    put(p, "%d\t%s\t%s\t%s\t%s\t%s\t%d\t%s\t", i, w->form, w->lemma, w->upos, w->xpos, w->feats,
        w->head, w->rel);
    put_deps(p, d, i);
    put(p, "\t%s\n", w->glued && !inside ? "SpaceAfter=No" : "_");
}

size_t ddn_draft_print(const ddn_draft *d, const char *id, char *out, size_t size)
{
    page p = { out, size, 0 };
    put(&p, "# sent_id = %s\n# text = ", id);
    for (int i = 1; i <= d->n; i++) {
        const ddn_draft_word *w = &d->word[i];
        put(&p, "%s%s", w->form, w->joined || w->glued || i == d->n ? "" : " ");
    }
    put(&p, "\n");
    if (d->after == 0)
        put_empty(&p, d);
    for (int i = 1; i <= d->n; i++) {
        put_word(&p, d, i);
        if (d->after == i)
            put_empty(&p, d);
    }
    put(&p, "\n");
    return p.used;
}
