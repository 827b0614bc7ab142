/* SPDX-License-Identifier: MIT */
/* rules_clause.c - the rules for verb groups, what follows a verb, and clauses. */
#include "lib/rules.h"

#include <string.h>

/* ---- Verbs ---- */

ddn_auxiliary ddn_start_group(ddn_writer *w, ddn_tense tense, ddn_agreement a, bool short_form)
{
    static const char *const modals[][2] = {
        { "can", "can" }, { "will", "will" }, { "must", "must" }, { "could", "can" }
    };
    ddn_draft *d = w->d;
    const char *const *modal = modals[ddn_below(w, 4)];
    bool past = ddn_roll(w, 40) && !short_form;
    ddn_verb_form form = past ? DDN_FINITE_PAST : DDN_FINITE_PRESENT;
    switch (tense) {
    case DDN_MODAL:
        if (short_form)
            return (ddn_auxiliary){ ddn_draft_add(d, "'ll", "will", "AUX", "MD", "VerbForm=Fin"),
                                    DDN_BASE };
        return (ddn_auxiliary){ ddn_draft_add(d, modal[0], modal[1], "AUX", "MD", "VerbForm=Fin"),
                                DDN_BASE };
    case DDN_PERFECT:
        return (ddn_auxiliary){ ddn_draft_aux(d, "have", form, a, short_form), DDN_PARTICIPLE };
    case DDN_PROGRESSIVE:
        return (ddn_auxiliary){ ddn_draft_aux(d, "be", form, a, short_form), DDN_GERUND };
    case DDN_DO_PRESENT:
        return (ddn_auxiliary){ ddn_draft_aux(d, "do", DDN_FINITE_PRESENT, a, false), DDN_BASE };
    case DDN_DO_PAST:
        return (ddn_auxiliary){ ddn_draft_aux(d, "do", DDN_FINITE_PAST, a, false), DDN_BASE };
    default:
        return (ddn_auxiliary){ 0,
                                tense == DDN_SIMPLE_PAST ? DDN_FINITE_PAST : DDN_FINITE_PRESENT };
    }
}

int ddn_negation(ddn_writer *w)
{
    ddn_draft_word *aux = &w->d->word[w->d->n];
    bool joins = aux->form[0] != '\'' && strcmp(aux->form, "am") != 0 && ddn_roll(w, 60);
    if (joins) {
        if (strcmp(aux->form, "can") == 0)
            strcpy(aux->form, "ca");
        else if (strcmp(aux->form, "will") == 0)
            strcpy(aux->form, "wo");
        aux->joined = true;
    }
    return ddn_draft_add(w->d, joins ? "n't" : "not", "not", "PART", "RB", "Polarity=Neg");
}

/* A subject pronoun just before makes short forms possible: she's, they've, we'll. */
static bool shortens(ddn_writer *w, int subject, ddn_tense tense)
{
    ddn_draft_word *s = &w->d->word[subject];
    bool may = subject == w->d->n && strncmp(s->feats, "Case=Nom", 8) == 0 &&
               (tense == DDN_MODAL || tense == DDN_PERFECT || tense == DDN_PROGRESSIVE);
    if (!may || !ddn_roll(w, 45))
        return false;
    s->joined = true;
    return true;
}

int ddn_verb_group(ddn_writer *w, const ddn_verb *v, int subject, ddn_agreement a, bool passive)
{
    static const ddn_tense tenses[] = { DDN_SIMPLE_PRESENT, DDN_SIMPLE_PRESENT, DDN_SIMPLE_PRESENT,
                                        DDN_SIMPLE_PAST,    DDN_SIMPLE_PAST,    DDN_SIMPLE_PAST,
                                        DDN_MODAL,          DDN_PERFECT,        DDN_PROGRESSIVE,
                                        DDN_DO_PRESENT,     DDN_DO_PAST };
    ddn_draft *d = w->d;
    ddn_tense tense = tenses[ddn_below(w, passive ? 9 : 11)];
    int negative = 0, often = 0, be = 0;
    ddn_auxiliary aux = ddn_start_group(w, tense, a, shortens(w, subject, tense));
    if (aux.word && (tense == DDN_DO_PRESENT || tense == DDN_DO_PAST || ddn_roll(w, 15)))
        negative = ddn_negation(w);
    if (ddn_roll(w, 8))
        often = ddn_adverb(w, &ddn_frequency_adverbs);
    if (passive) {
        be = ddn_draft_aux(d, "be", aux.asks, a, false);
        aux.asks = DDN_PARTICIPLE;
    }
    int verb = ddn_draft_verb(d, v->lemma, aux.asks, a);
    if (aux.word)
        ddn_draft_link(d, aux.word, verb, "aux");
    if (negative)
        ddn_draft_link(d, negative, verb, "advmod");
    if (often)
        ddn_draft_link(d, often, verb, "advmod");
    if (be)
        ddn_draft_link(d, be, verb, "aux:pass");
    return verb;
}

void ddn_verb_modifier(ddn_writer *w, int verb, unsigned phrases, int depth)
{
    static const struct {
        unsigned bit;
        const char *word[3];
        ddn_noun_class class;
    } kinds[] = {
        { DDN_WITH_TOOL, { "with", "with", "with" }, DDN_TOOL },
        { DDN_IN_PLACE, { "in", "at", "near" }, DDN_PLACE },
        { DDN_AT_TIME, { "after", "before", "during" }, DDN_TIME },
        { DDN_ON_TOPIC, { "about", "about", "about" }, DDN_TOPIC },
        { DDN_MOTION, { "to", "from", "through" }, DDN_PLACE },
    };
    if (!phrases)
        return;
    int k;
    do
        k = ddn_below(w, 5);
    while (!(phrases & kinds[k].bit));
    ddn_prepositional(w, kinds[k].word[ddn_zipf(w, 3)], kinds[k].class, verb, "obl", depth);
}

static void object(ddn_writer *w, int verb, ddn_noun_class class, const char *rel, int depth)
{
    ddn_phrase p = ddn_noun_phrase(w, class, true, depth);
    ddn_draft_link(w->d, p.head, verb, rel);
}

/* [that] clause */
static void that_clause(ddn_writer *w, int verb, int depth)
{
    int that = 0;
    if (ddn_roll(w, 70))
        that = ddn_draft_add(w->d, "that", "that", "SCONJ", "IN", "_");
    int inner = ddn_clause(w, depth + 1);
    if (that)
        ddn_draft_link(w->d, that, inner, "mark");
    ddn_draft_link(w->d, inner, verb, "ccomp");
}

/* to do something */
static void to_clause(ddn_writer *w, int verb, int depth)
{
    const ddn_verb *v = ddn_some_verb(w, ddn_roll(w, 60) ? DDN_TRANSITIVE : DDN_INTRANSITIVE, 0);
    int to = ddn_draft_add(w->d, "to", "to", "PART", "TO", "_");
    int inner = ddn_draft_verb(w->d, v->lemma, DDN_BASE, DDN_THIRD);
    ddn_draft_link(w->d, to, inner, "mark");
    ddn_draft_link(w->d, inner, verb, "xcomp");
    ddn_complements(w, inner, v, v->objects ? ddn_some_class(w, v->objects) : 0, false, depth + 1);
}

void ddn_complements(ddn_writer *w, int verb, const ddn_verb *v, ddn_noun_class class, bool gap,
                     int depth)
{
    if (v->frame == DDN_SAYS) {
        that_clause(w, verb, depth);
        return;
    }
    if (v->frame == DDN_WANTS) {
        to_clause(w, verb, depth);
        return;
    }
    if (v->frame == DDN_DITRANSITIVE)
        object(w, verb, DDN_PERSON, "iobj", depth + 1);
    if (v->frame != DDN_INTRANSITIVE && !gap)
        object(w, verb, class, "obj", depth);
    if (ddn_more(w, depth, 12))
        ddn_draft_link(w->d, ddn_adverb(w, &ddn_manner_adverbs), verb, "advmod");
    if (ddn_more(w, depth, 45))
        ddn_verb_modifier(w, verb, v->phrases, depth);
    if (ddn_more(w, depth, 10))
        ddn_verb_modifier(w, verb, v->phrases & (DDN_IN_PLACE | DDN_AT_TIME), depth);
}

/* ---- Clauses ---- */

const ddn_verb *ddn_main_verb(ddn_writer *w, int depth)
{
    int r = ddn_below(w, 100);
    if (r >= 78 && (depth >= 2 || w->d->n >= DDN_GROWN))
        r = 0; /* no more clauses inside */
    ddn_frame frame = r < 25   ? DDN_INTRANSITIVE
                      : r < 70 ? DDN_TRANSITIVE
                      : r < 78 ? DDN_DITRANSITIVE
                      : r < 89 ? DDN_SAYS
                               : DDN_WANTS;
    return ddn_some_verb(w, frame, 0);
}

void ddn_relative_clause(ddn_writer *w, ddn_phrase noun, ddn_noun_class class, int depth)
{
    ddn_draft *d = w->d;
    bool person = class == DDN_PERSON, agent = person || class == DDN_ANIMAL;
    bool subject_gap = agent && ddn_roll(w, 65);
    int pronoun = 0, verb;
    if (subject_gap || ddn_roll(w, 60)) {
        const char *word = person ? "who" : ddn_roll(w, 60) ? "that" : "which";
        pronoun = ddn_draft_add(d, word, word, "PRON", person ? "WP" : "WDT", "PronType=Rel");
    }
    if (subject_gap) {
        const ddn_verb *v = ddn_main_verb(w, depth);
        verb = ddn_verb_group(w, v, 0, noun.a, false);
        ddn_complements(w, verb, v, v->objects ? ddn_some_class(w, v->objects) : 0, false, depth);
    } else {
        ddn_phrase subject = ddn_simple_phrase(w, ddn_agent_class(w), false, depth + 1);
        const ddn_verb *v = ddn_some_verb(w, DDN_TRANSITIVE, 1u << class);
        verb = ddn_verb_group(w, v, subject.head, subject.a, false);
        ddn_draft_link(d, subject.head, verb, "nsubj");
        ddn_complements(w, verb, v, class, true, depth);
    }
    if (pronoun)
        ddn_draft_link(d, pronoun, verb, subject_gap ? "nsubj" : "obj");
    ddn_draft_link(d, verb, noun.head, "acl:relcl");
}

/* The baker is old | Anna was a doctor: the predicate is the head. */
static int copular_clause(ddn_writer *w, int depth)
{
    ddn_draft *d = w->d;
    ddn_phrase subject = ddn_noun_phrase(w, ddn_agent_class(w), false, depth);
    bool short_form = shortens(w, subject.head, DDN_PROGRESSIVE);
    int be =
        ddn_draft_aux(d, "be", short_form || ddn_roll(w, 50) ? DDN_FINITE_PRESENT : DDN_FINITE_PAST,
                      subject.a, short_form);
    int negative = ddn_roll(w, 15) ? ddn_negation(w) : 0, head;
    if (ddn_roll(w, 65))
        head = ddn_adjective(w);
    else
        head = ddn_plain_noun(w, DDN_PERSON, depth).head;
    ddn_draft_link(d, subject.head, head, "nsubj");
    ddn_draft_link(d, be, head, "cop");
    if (negative)
        ddn_draft_link(d, negative, head, "advmod");
    return head;
}

static int passive_clause(ddn_writer *w, int depth)
{
    const ddn_verb *v = ddn_some_verb(w, DDN_TRANSITIVE, 0);
    ddn_phrase subject = ddn_noun_phrase(w, ddn_some_class(w, v->objects), false, depth);
    int verb = ddn_verb_group(w, v, subject.head, subject.a, true);
    ddn_draft_link(w->d, subject.head, verb, "nsubj:pass");
    if (ddn_roll(w, 50))
        ddn_prepositional(w, "by", ddn_agent_class(w), verb, "obl", depth);
    return verb;
}

/* and helped the sailor: a second verb with the same subject */
static void second_verb(ddn_writer *w, int verb, ddn_agreement a, int depth)
{
    int joint = ddn_draft_add(w->d, "and", "and", "CCONJ", "CC", "_");
    const ddn_verb *v = ddn_some_verb(w, ddn_roll(w, 70) ? DDN_TRANSITIVE : DDN_INTRANSITIVE, 0);
    int second = ddn_verb_group(w, v, 0, a, false);
    ddn_complements(w, second, v, v->objects ? ddn_some_class(w, v->objects) : 0, false, depth + 1);
    ddn_draft_link(w->d, joint, second, "cc");
    ddn_draft_link(w->d, second, verb, "conj");
}

int ddn_adverbial_clause(ddn_writer *w, int depth)
{
    static const char *const marks[] = { "when", "because", "if", "although", "while" };
    const char *word = marks[ddn_zipf(w, 5)];
    int mark = ddn_draft_add(w->d, word, word, "SCONJ", "IN", "_");
    int head = ddn_clause(w, depth + 1);
    ddn_draft_link(w->d, mark, head, "mark");
    return head;
}

int ddn_clause(ddn_writer *w, int depth)
{
    int r = ddn_below(w, 100);
    if (r < 16)
        return copular_clause(w, depth);
    if (r < 24)
        return passive_clause(w, depth);
    ddn_phrase subject = ddn_noun_phrase(w, ddn_agent_class(w), false, depth);
    const ddn_verb *v = ddn_main_verb(w, depth);
    int verb = ddn_verb_group(w, v, subject.head, subject.a, false);
    ddn_draft_link(w->d, subject.head, verb, "nsubj");
    ddn_complements(w, verb, v, v->objects ? ddn_some_class(w, v->objects) : 0, false, depth);
    if (ddn_more(w, depth, 8))
        second_verb(w, verb, subject.a, depth);
    else if (ddn_more(w, depth, 10))
        ddn_draft_link(w->d, ddn_adverbial_clause(w, depth), verb, "advcl");
    return verb;
}
