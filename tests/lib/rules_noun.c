/* SPDX-License-Identifier: MIT */
/* rules_noun.c - chance, and the rules for noun phrases. */
#include "lib/rules.h"

#include <stdio.h>
#include <string.h>

/* ---- Chance ---- */

int ddn_below(ddn_writer *w, int n)
{
    return (int)ddn_rng_below(w->rng, (uint64_t)n);
}

bool ddn_roll(ddn_writer *w, int percent)
{
    return ddn_below(w, 100) < percent;
}

bool ddn_more(ddn_writer *w, int depth, int percent)
{
    return ddn_roll(w, percent / (1 + depth)) && depth < DDN_DEEPEST && w->d->n < DDN_GROWN;
}

/* One of n with weights as 1/2, 1/3, 1/4 ...: about Zipf's law, in integers. */
int ddn_zipf(ddn_writer *w, int n)
{
    int total = 0, i = 0;
    for (int k = 0; k < n; k++)
        total += 10000 / (k + 2);
    for (int x = ddn_below(w, total); x >= 10000 / (i + 2); i++)
        x -= 10000 / (i + 2);
    return i;
}

const char *ddn_one_of(ddn_writer *w, const ddn_words *words)
{
    return words->word[ddn_zipf(w, words->n)];
}

const ddn_verb *ddn_some_verb(ddn_writer *w, ddn_frame frame, unsigned mask)
{
    const ddn_verb *fit[64];
    int n = 0;
    for (int i = 0; i < ddn_verb_count && n < 64; i++)
        if (ddn_verbs[i].frame == frame && (mask == 0 || (ddn_verbs[i].objects & mask)))
            fit[n++] = &ddn_verbs[i];
    return fit[ddn_zipf(w, n)];
}

ddn_noun_class ddn_some_class(ddn_writer *w, unsigned mask)
{
    int c;
    do
        c = ddn_below(w, DDN_NOUN_CLASSES);
    while (!(mask & 1u << c));
    return (ddn_noun_class)c;
}

ddn_noun_class ddn_agent_class(ddn_writer *w)
{
    return ddn_roll(w, 85) ? DDN_PERSON : DDN_ANIMAL;
}

/* ---- Noun phrases ---- */

int ddn_adverb(ddn_writer *w, const ddn_words *words)
{
    const char *word = ddn_one_of(w, words);
    return ddn_draft_add(w->d, word, word, "ADV", "RB", "_");
}

/* A preposition and its noun phrase below head. */
void ddn_prepositional(ddn_writer *w, const char *word, ddn_noun_class class, int head,
                       const char *rel, int depth)
{
    int preposition = ddn_draft_add(w->d, word, word, "ADP", "IN", "_");
    ddn_phrase p = ddn_noun_phrase(w, class, true, depth + 1);
    ddn_draft_link(w->d, preposition, p.head, "case");
    ddn_draft_link(w->d, p.head, head, rel);
}

/* What modifies a noun: for each class, two prepositions with the class that they govern.  The
 * first is the likelier.  `with` a part and `about` after a document belong to the noun; `with` a
 * tool and `about` after a verb of talking belong to the verb. */
void ddn_noun_modifier(ddn_writer *w, int noun, ddn_noun_class class, int depth)
{
    static const struct {
        const char *word;
        ddn_noun_class class;
    } after[DDN_NOUN_CLASSES][2] = {
        [DDN_PERSON] = { { "with", DDN_PART }, { "from", DDN_PLACE } },
        [DDN_ANIMAL] = { { "with", DDN_PART }, { "of", DDN_PERSON } },
        [DDN_FOOD] = { { "from", DDN_PLACE }, { "for", DDN_PERSON } },
        [DDN_TOOL] = { { "of", DDN_PERSON }, { "with", DDN_PART } },
        [DDN_PLACE] = { { "near", DDN_PLACE }, { "of", DDN_PERSON } },
        [DDN_TIME] = { { "in", DDN_PLACE }, { "of", DDN_PERSON } },
        [DDN_DOCUMENT] = { { "about", DDN_TOPIC }, { "from", DDN_PERSON } },
        [DDN_PART] = { { "of", DDN_ANIMAL }, { "of", DDN_PERSON } },
        [DDN_THING] = { { "of", DDN_PERSON }, { "in", DDN_PLACE } },
        [DDN_TOPIC] = { { "of", DDN_PERSON }, { "about", DDN_TIME } },
    };
    int k = !ddn_roll(w, 70);
    ddn_prepositional(w, after[class][k].word, after[class][k].class, noun, "nmod", depth);
}

int ddn_proper_name(ddn_writer *w)
{
    static const char *const syllable[] = { "ta", "ri", "mo", "ke", "lu", "va", "ni", "so" };
    const char *name = ddn_one_of(w, &ddn_first_names);
    char made[16];
    if (ddn_roll(w, 15)) {             /* an open class has words that were never seen */
        int draw = ddn_below(w, 1024); /* one, since arguments are evaluated in any order */
        snprintf(made, sizeof made, "%s%s%s%s", syllable[draw % 8], syllable[draw / 8 % 8],
                 syllable[draw / 64 % 8], draw < 512 ? "n" : "");
        made[0] = (char)(made[0] - 'a' + 'A');
        name = made;
    }
    int first = ddn_draft_add(w->d, name, name, "PROPN", "NNP", "Number=Sing");
    if (ddn_roll(w, 30)) {
        name = ddn_one_of(w, &ddn_family_names);
        int family = ddn_draft_add(w->d, name, name, "PROPN", "NNP", "Number=Sing");
        ddn_draft_link(w->d, family, first, "flat");
    }
    return first;
}

/* my | Anna's | the baker's */
static int possessor(ddn_writer *w)
{
    if (ddn_roll(w, 70))
        return ddn_draft_possessive(w->d, ddn_below(w, 7));
    int owner;
    if (ddn_roll(w, 60)) {
        owner = ddn_proper_name(w);
    } else {
        int article = ddn_draft_add(w->d, "the", "the", "DET", "DT", "Definite=Def|PronType=Art");
        owner = ddn_draft_noun(w->d, ddn_one_of(w, &ddn_nouns[DDN_PERSON]), false);
        ddn_draft_link(w->d, article, owner, "det");
    }
    w->d->word[w->d->n].glued = true;
    int mark = ddn_draft_add(w->d, "'s", "'s", "PART", "POS", "_");
    ddn_draft_link(w->d, mark, owner, "case");
    return owner;
}

static int numeral(ddn_writer *w)
{
    static const char *const words[] = { "two", "three", "four", "seven", "ten" };
    char digits[16];
    const char *form = words[ddn_below(w, 5)];
    if (ddn_roll(w, 25)) {
        snprintf(digits, sizeof digits, "%d", 2 + ddn_below(w, 998));
        form = digits;
    }
    return ddn_draft_add(w->d, form, form, "NUM", "CD", "NumType=Card");
}

/* The word that opens a noun phrase, which also says how it hangs from the noun; 0: none. */
static int determiner(ddn_writer *w, bool plural, const char **rel)
{
    ddn_draft *d = w->d;
    int r = ddn_below(w, 100);
    *rel = "det";
    if (r < 42)
        return ddn_draft_add(d, "the", "the", "DET", "DT", "Definite=Def|PronType=Art");
    if (r < 58) {
        *rel = "nmod:poss";
        return possessor(w);
    }
    if (r < 68)
        return plural ? ddn_draft_add(d, "these", "this", "DET", "DT", "Number=Plur|PronType=Dem")
                      : ddn_draft_add(d, "that", "that", "DET", "DT", "Number=Sing|PronType=Dem");
    if (!plural && r < 92)
        return ddn_draft_add(d, "a", "a", "DET", "DT", "Definite=Ind|PronType=Art");
    if (!plural)
        return ddn_draft_add(d, "every", "every", "DET", "DT", "PronType=Tot");
    if (r < 84) {
        *rel = "nummod";
        return numeral(w);
    }
    return r < 92 ? ddn_draft_add(d, "some", "some", "DET", "DT", "PronType=Ind") : 0;
}

int ddn_adjective(ddn_writer *w)
{
    const char *word = ddn_one_of(w, &ddn_adjectives);
    return ddn_draft_add(w->d, word, word, "ADJ", "JJ", "Degree=Pos");
}

ddn_phrase ddn_plain_noun(ddn_writer *w, ddn_noun_class class, int depth)
{
    ddn_draft *d = w->d;
    bool plural = ddn_roll(w, 35);
    const char *rel;
    int det = determiner(w, plural, &rel), adjectives[2], n = 0, modifier = 0;
    int next = d->n + 1;
    while (n < 2 && ddn_more(w, depth, n ? 15 : 36))
        adjectives[n++] = ddn_adjective(w);
    if ((class == DDN_THING || class == DDN_FOOD) && ddn_more(w, depth, 18))
        modifier = ddn_draft_noun(
            d, ddn_one_of(w, &ddn_nouns[class == DDN_FOOD ? DDN_FOOD : DDN_PLACE]), false);
    int noun = ddn_draft_noun(d, ddn_one_of(w, &ddn_nouns[class]), plural);

    if (det) {
        ddn_draft_link(d, det, noun, rel);
        if (strcmp(d->word[det].form, "a") == 0 && strchr("aeiou", d->word[next].form[0]))
            strcpy(d->word[det].form, "an");
    }
    for (int i = 0; i < n; i++)
        ddn_draft_link(d, adjectives[i], noun, "amod");
    if (modifier)
        ddn_draft_link(d, modifier, noun, "compound");
    return (ddn_phrase){ noun, { 3, plural } };
}

ddn_phrase ddn_simple_phrase(ddn_writer *w, ddn_noun_class class, bool accusative, int depth)
{
    ddn_phrase p = { 0, DDN_THIRD };
    int r = ddn_below(w, 100);
    if (class == DDN_PERSON && r < 28) {
        p.head = ddn_draft_pronoun(w->d, ddn_below(w, 7), accusative, &p.a);
        return p;
    }
    if (class == DDN_PERSON && r < 50) {
        p.head = ddn_proper_name(w);
        return p;
    }
    p = ddn_plain_noun(w, class, depth);
    if (ddn_more(w, depth, 22))
        ddn_noun_modifier(w, p.head, class, depth);
    if (ddn_more(w, depth, 12))
        ddn_relative_clause(w, p, class, depth + 1);
    return p;
}

ddn_phrase ddn_noun_phrase(ddn_writer *w, ddn_noun_class class, bool accusative, int depth)
{
    ddn_draft *d = w->d;
    ddn_phrase first = ddn_simple_phrase(w, class, accusative, depth);
    if (!ddn_more(w, depth, 9))
        return first;
    if (ddn_roll(w, 25)) {
        int comma = ddn_draft_punct(d, ",");
        ddn_phrase middle = ddn_simple_phrase(w, class, accusative, depth + 1);
        ddn_draft_link(d, comma, middle.head, "punct");
        ddn_draft_link(d, middle.head, first.head, "conj");
    }
    int joint = ddn_draft_add(d, "and", "and", "CCONJ", "CC", "_");
    ddn_phrase last = ddn_simple_phrase(w, class, accusative, depth + 1);
    ddn_draft_link(d, joint, last.head, "cc");
    ddn_draft_link(d, last.head, first.head, "conj");
    return (ddn_phrase){ first.head, { 3, true } };
}
