/* SPDX-License-Identifier: MIT */
/* grammar.c - the rules of the generator.
 *
 * Every rule appends its words from left to right and returns the word that heads them; the caller
 * gives that word its head.  So an ordinary rule can only make projective subtrees, and a
 * non-projective tree arises where a sentence rule holds on to a word and lets something attach to
 * it later: `extraposed` comes back to the subject behind the verb, `fronted` hangs the first
 * phrase from the verb of the embedded clause.  In both, the root word lies between the two.
 *
 * No call has two arguments that draw from the generator: C evaluates them in any order, and
 * compilers differ.
 *
 * Recursion is damped twice: what is optional gets rarer with depth, and stops when the draft has
 * DDN_GROWN words.  A draft that leaves the promised lengths all the same is thrown away. */
#include "lib/grammar.h"

#include "lib/rules.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- Sentences: each returns its root ---- */

static int declarative(ddn_writer *w)
{
    ddn_draft *d = w->d;
    int first = 0, comma = 0;
    const char *rel = "advmod";
    if (ddn_roll(w, 8)) {
        first = ddn_adverb(w, &ddn_sentence_adverbs);
        comma = ddn_roll(w, 60) ? ddn_draft_punct(d, ",") : 0;
    } else if (ddn_roll(w, 7)) {
        rel = "advcl";
        first = ddn_adverbial_clause(w, 1);
        comma = ddn_draft_punct(d, ",");
    }
    int head = ddn_clause(w, 0);
    if (first)
        ddn_draft_link(d, first, head, rel);
    if (comma)
        ddn_draft_link(d, comma, head, "punct");
    return head;
}

/* Peter didn't: the auxiliary stands for the verb that is not said again. */
static int short_denial(ddn_writer *w)
{
    int subject = ddn_proper_name(w);
    int did = ddn_draft_aux(w->d, "do", DDN_FINITE_PAST, DDN_THIRD, false);
    ddn_draft_link(w->d, subject, did, "nsubj");
    ddn_draft_link(w->d, ddn_negation(w), did, "advmod");
    return did;
}

/* Anna smiled, but the dog vanished | but Peter didn't */
static int two_clauses(ddn_writer *w)
{
    ddn_draft *d = w->d;
    int head = ddn_clause(w, 1);
    int comma = ddn_draft_punct(d, ",");
    const char *word = ddn_roll(w, 50) ? "and" : ddn_roll(w, 70) ? "but" : "or";
    int conjunction = ddn_draft_add(d, word, word, "CCONJ", "CC", "_");
    int second = ddn_roll(w, 15) ? short_denial(w) : ddn_clause(w, 1);
    ddn_draft_link(d, comma, second, "punct");
    ddn_draft_link(d, conjunction, second, "cc");
    ddn_draft_link(d, second, head, "conj");
    return head;
}

/* Anna baked a cake and Peter [baked] two pies: an empty node stands for the second verb. */
static int gapping(ddn_writer *w)
{
    ddn_draft *d = w->d;
    const ddn_verb *v = ddn_some_verb(w, DDN_TRANSITIVE, 0);
    ddn_noun_class class = ddn_some_class(w, v->objects);
    int subject = ddn_proper_name(w);
    int verb = ddn_draft_verb(d, v->lemma, ddn_roll(w, 50) ? DDN_FINITE_PAST : DDN_FINITE_PRESENT,
                              DDN_THIRD);
    ddn_draft_link(d, subject, verb, "nsubj");
    ddn_draft_link(d, ddn_plain_noun(w, class, 1).head, verb, "obj");
    int joint = ddn_draft_add(d, "and", "and", "CCONJ", "CC", "_");
    int second = ddn_proper_name(w);
    ddn_draft_link(d, joint, second, "cc");
    ddn_draft_link(d, second, verb, "conj");
    d->after = d->n;
    int thing = ddn_plain_noun(w, class, 1).head;
    ddn_draft_link(d, thing, second, "orphan");

    d->empty = d->word[verb];
    d->empty.head = verb;
    d->empty.rel = "conj";
    ddn_draft_below_empty(d, joint, "cc");
    ddn_draft_below_empty(d, second, "nsubj");
    ddn_draft_below_empty(d, thing, "obj");
    return verb;
}

/* [You] open the door: the subject that is not said is an empty node at the very beginning. */
static int imperative(ddn_writer *w)
{
    ddn_draft *d = w->d;
    ddn_agreement a;
    ddn_draft_pronoun(d, 1, false, &a);
    ddn_draft_word you = d->word[1];
    ddn_draft_init(d);

    int aux = 0, negative = 0;
    if (ddn_roll(w, 30)) {
        aux = ddn_draft_aux(d, "do", DDN_IMPERATIVE, a, false);
        negative = ddn_negation(w);
    }
    const ddn_verb *v = ddn_some_verb(w, DDN_TRANSITIVE, 0);
    int verb = ddn_draft_verb(d, v->lemma, aux ? DDN_BASE : DDN_IMPERATIVE, a);
    if (aux) {
        ddn_draft_link(d, aux, verb, "aux");
        ddn_draft_link(d, negative, verb, "advmod");
    }
    ddn_complements(w, verb, v, ddn_some_class(w, v->objects), false, 0);
    d->after = 0;
    d->empty = you;
    d->empty.head = verb;
    d->empty.rel = "nsubj";
    return verb;
}

/* Did the baker smile */
static int question(ddn_writer *w)
{
    ddn_draft *d = w->d;
    ddn_auxiliary aux =
        ddn_start_group(w, ddn_roll(w, 30) ? DDN_MODAL : DDN_DO_PAST, DDN_THIRD, false);
    ddn_phrase subject = ddn_noun_phrase(w, ddn_agent_class(w), false, 0);
    const ddn_verb *v = ddn_main_verb(w, 0);
    int verb = ddn_draft_verb(d, v->lemma, DDN_BASE, subject.a);
    ddn_draft_link(d, aux.word, verb, "aux");
    ddn_draft_link(d, subject.head, verb, "nsubj");
    ddn_complements(w, verb, v, v->objects ? ddn_some_class(w, v->objects) : 0, false, 0);
    return verb;
}

/* A sailor arrived who knew the king | A letter vanished about the war: what belongs to the subject
 * follows the verb, so that its arc crosses the root's. */
static int extraposed(ddn_writer *w)
{
    ddn_draft *d = w->d;
    static const unsigned long_tail = 1u << DDN_PERSON | 1u << DDN_ANIMAL | 1u << DDN_DOCUMENT;
    bool clausal = ddn_roll(w, 65);
    ddn_noun_class class = clausal ? ddn_some_class(w, long_tail) : DDN_DOCUMENT;
    ddn_phrase subject = ddn_plain_noun(w, class, 1);
    const ddn_verb *v = ddn_some_verb(w, DDN_INTRANSITIVE, 1u << class);
    int verb = ddn_verb_group(w, v, subject.head, subject.a, false);
    ddn_draft_link(d, subject.head, verb, "nsubj");
    if (ddn_roll(w, 40))
        ddn_draft_link(d, ddn_adverb(w, &ddn_sentence_adverbs), verb, "advmod");
    else if (ddn_roll(w, 40))
        ddn_verb_modifier(w, verb, v->phrases & (DDN_IN_PLACE | DDN_AT_TIME), 2);
    if (clausal)
        ddn_relative_clause(w, subject, class, 1);
    else
        ddn_noun_modifier(w, subject.head, class, 1);
    return verb;
}

/* The rest of a sentence whose first phrase is the object of the clause that is embedded in it:
 * [...] Anna claimed that the baker cooked. */
static int fronted(ddn_writer *w, int front, ddn_noun_class class, bool asked)
{
    ddn_draft *d = w->d;
    int did = asked ? ddn_draft_aux(d, "do", DDN_FINITE_PAST, DDN_THIRD, false) : 0;
    ddn_phrase subject = ddn_simple_phrase(w, DDN_PERSON, false, 2);
    const ddn_verb *says = ddn_some_verb(w, DDN_SAYS, 0);
    int verb = asked ? ddn_draft_verb(d, says->lemma, DDN_BASE, subject.a)
                     : ddn_verb_group(w, says, subject.head, subject.a, false);
    ddn_draft_link(d, subject.head, verb, "nsubj");
    if (did)
        ddn_draft_link(d, did, verb, "aux");
    int that = ddn_roll(w, 50) ? ddn_draft_add(d, "that", "that", "SCONJ", "IN", "_") : 0;
    ddn_phrase inner = ddn_simple_phrase(w, ddn_agent_class(w), false, 1);
    const ddn_verb *v = ddn_some_verb(w, DDN_TRANSITIVE, 1u << class);
    int second = ddn_verb_group(w, v, inner.head, inner.a, false);
    ddn_draft_link(d, inner.head, second, "nsubj");
    if (that)
        ddn_draft_link(d, that, second, "mark");
    ddn_draft_link(d, second, verb, "ccomp");
    ddn_draft_link(d, front, second, "obj");
    ddn_complements(w, second, v, class, true, 1);
    return verb;
}

/* The cake Anna claimed that the baker cooked */
static int topicalised(ddn_writer *w)
{
    ddn_noun_class class = (ddn_noun_class)ddn_below(w, DDN_NOUN_CLASSES);
    ddn_phrase front = ddn_plain_noun(w, class, 0);
    return fronted(w, front.head, class, false);
}

/* What did Anna claim that the baker cooked */
static int wh_question(ddn_writer *w)
{
    ddn_noun_class class = (ddn_noun_class)ddn_below(w, DDN_NOUN_CLASSES);
    int front;
    if (ddn_roll(w, 50)) {
        const char *word = class == DDN_PERSON ? "who" : "what";
        front = ddn_draft_add(w->d, word, word, "PRON", "WP", "PronType=Int");
    } else {
        int which = ddn_draft_add(w->d, "which", "which", "DET", "WDT", "PronType=Int");
        const char *noun = ddn_one_of(w, &ddn_nouns[class]);
        front = ddn_draft_noun(w->d, noun, ddn_roll(w, 35));
        ddn_draft_link(w->d, which, front, "det");
    }
    return fronted(w, front, class, true);
}

typedef struct rule {
    int (*write)(ddn_writer *);
    int weight; /* the weights of a table add up to 100 */
    const char *mark;
} rule;

static const rule projective[] = { { declarative, 74, "." }, { two_clauses, 12, "." },
                                   { gapping, 4, "." },      { imperative, 4, "!" },
                                   { question, 6, "?" },     { NULL, 0, NULL } };
static const rule crossing[] = {
    { extraposed, 50, "." }, { topicalised, 25, "." }, { wh_question, 25, "?" }, { NULL, 0, NULL }
};

static void sentence(ddn_writer *w, const rule *rules)
{
    const rule *r = rules;
    for (int x = ddn_below(w, 100); x >= r->weight; r++)
        x -= r->weight;
    ddn_draft_init(w->d);
    int root = r->write(w);
    int mark = ddn_draft_punct(w->d, r->mark);
    ddn_draft_link(w->d, root, 0, "root");
    ddn_draft_link(w->d, mark, root, "punct");
    char *first = w->d->word[1].form;
    if (*first >= 'a' && *first <= 'z')
        *first = (char)(*first - 'a' + 'A');
}

/* ---- The interface ---- */

void ddn_grammar_init(ddn_grammar *g, uint64_t seed, int nonprojective, int64_t sentences)
{
    ddn_rng_init(&g->rng, seed);
    g->seed = seed;
    g->nonprojective = nonprojective;
    g->made = 0;
    g->wanted = sentences;
    g->size = g->read = 0;
}

bool ddn_grammar_next(ddn_grammar *g)
{
    if (g->made >= g->wanted)
        return false;
    ddn_draft draft;
    ddn_writer w = { &g->rng, &draft };
    const rule *rules = ddn_roll(&w, g->nonprojective) ? crossing : projective;
    do
        sentence(&w, rules);
    while (draft.n < DDN_GRAMMAR_SHORTEST || draft.n > DDN_GRAMMAR_LONGEST);
    g->made++;
    char id[64];
    snprintf(id, sizeof id, "made-%" PRIu64 "-%" PRId64, g->seed, g->made);
    g->size = ddn_draft_print(&draft, id, g->text, sizeof g->text);
    g->read = 0;
    return true;
}

ptrdiff_t ddn_grammar_read(void *ctx, char *buf, size_t size, dodona_error *err)
{
    (void)err;
    ddn_grammar *g = ctx;
    if (g->read == g->size && !ddn_grammar_next(g))
        return 0;
    size_t n = g->size - g->read < size ? g->size - g->read : size;
    memcpy(buf, g->text + g->read, n);
    g->read += n;
    return (ptrdiff_t)n;
}
