/* SPDX-License-Identifier: MIT */
/* plain.h - the figures of the CoNLL 2018 UD scorer a second time, from its rules alone: over files
 * in memory, by comparing strings, with no care for speed.  It shares nothing with the library.
 *
 * Blanks are those of blank[], letters with a case those of ASCII: files for this scorer have no
 * others. */
#ifndef DDN_TESTS_PLAIN_H
#define DDN_TESTS_PLAIN_H

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TOKENS = 80, MAX_INNER = 4, MAX_WORDS = MAX_TOKENS * MAX_INNER, FIELD = 128 };

typedef struct word {
    char form[FIELD], feats[FIELD], deprel[FIELD];
    const char *lemma, *upos, *xpos;
    int head; /* of the file's words; -1: the root */
} word;

typedef struct token {
    char form[FIELD];
    int first, words;
    bool multiword; /* also one of a single word, as 3-3 */
} token;

typedef struct file {
    token token[MAX_TOKENS];
    word word[MAX_WORDS];
    int sentence[MAX_TOKENS]; /* the first token of each */
    int tokens, words, sentences;
} file;

typedef struct figures {
    int64_t correct, gold, system, aligned;
} figures;

enum metric {
    TOKENS,
    SENTENCES,
    WORDS,
    UPOS,
    XPOS,
    UFEATS,
    ALLTAGS,
    LEMMAS,
    UAS,
    LAS,
    CLAS,
    MLAS,
    BLEX,
    METRICS
};

static const char *const metric_name[METRICS] = { "Tokens", "Sentences", "Words",  "UPOS", "XPOS",
                                                  "UFeats", "AllTags",   "Lemmas", "UAS",  "LAS",
                                                  "CLAS",   "MLAS",      "BLEX" };

/* Lists have a blank around each entry. */
static const char content[] =
    " nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse nmod "
    "appos nummod acl amod conj fixed flat compound list parataxis orphan goeswith reparandum root "
    "dep ";
static const char functional[] = " aux cop mark det clf case cc ";
static const char universal[] = " PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number "
                                "Case Definite Degree VerbForm "
                                "Mood Tense Aspect Voice Evident Polarity Person Polite ";
static const char *const blank[] = { " ", "\u00a0", "\u3000" };
enum { BLANKS = sizeof blank / sizeof *blank };

/* ---- A file as the scorer sees it ---- */

typedef struct span {
    int start, end; /* characters */
} span;

/* What a word is after reading. */
typedef struct seen {
    span span;
    bool inner;        /* of a multiword token */
    char form[FIELD];  /* in lower case; without blanks, but those of inner words stay */
    char feats[FIELD]; /* universal, sorted */
    char deprel[FIELD];
    const word *word;
    int other; /* the aligned word of the other file, or -1 */
} seen;

typedef struct view {
    seen word[MAX_WORDS];
    span token[MAX_TOKENS], sentence[MAX_TOKENS];
    int words, tokens, sentences;
} view;

static bool listed(const char *list, const char *name)
{
    char entry[FIELD + 2];
    snprintf(entry, sizeof entry, " %s ", name);
    return strstr(list, entry) != NULL;
}

static void without_blanks(const char *form, char *out)
{
    while (*form) {
        size_t skip = 0;
        for (int i = 0; i < BLANKS; i++)
            if (strncmp(form, blank[i], strlen(blank[i])) == 0)
                skip = strlen(blank[i]);
        if (!skip)
            *out++ = *form++;
        form += skip;
    }
    *out = '\0';
}

static int characters(const char *form)
{
    char bare[FIELD];
    int n = 0;
    without_blanks(form, bare);
    for (const char *p = bare; *p; p++)
        n += ((unsigned char)*p & 0xc0) != 0x80;
    return n;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void universal_feats(const char *feats, char *out)
{
    char copy[FIELD], *kept[FIELD], *save = NULL;
    size_t n = 0;
    snprintf(copy, sizeof copy, "%s", feats);
    for (char *f = strtok_r(copy, "|", &save); f; f = strtok_r(NULL, "|", &save)) {
        char name[FIELD];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(f, "="), f);
        if (listed(universal, name))
            kept[n++] = f;
    }
    qsort(kept, n, sizeof *kept, by_text);
    *out = '\0';
    for (size_t i = 0; i < n; i++)
        strcat(strcat(out, "|"), kept[i]);
}

static void look_word(seen *s, const word *w, span at, bool inner)
{
    *s = (seen){ .span = at, .inner = inner, .word = w, .other = -1 };
    if (inner)
        strcpy(s->form, w->form);
    else
        without_blanks(w->form, s->form);
    for (char *p = s->form; *p; p++)
        *p = (char)((unsigned char)*p < 0x80 ? tolower((unsigned char)*p) : *p);
    universal_feats(w->feats, s->feats);
    snprintf(s->deprel, sizeof s->deprel, "%.*s", (int)strcspn(w->deprel, ":"), w->deprel);
}

static void look(view *v, const file *f)
{
    int at = 0;
    v->words = f->words;
    v->tokens = f->tokens;
    v->sentences = f->sentences;
    for (int t = 0; t < f->tokens; t++) {
        const token *k = &f->token[t];
        v->token[t] = (span){ at, at + characters(k->form) };
        at = v->token[t].end;
        for (int w = k->first; w < k->first + k->words; w++)
            look_word(&v->word[w], &f->word[w], v->token[t], k->multiword);
    }
    for (int i = 0; i < f->sentences; i++) {
        int past = i + 1 < f->sentences ? f->sentence[i + 1] : f->tokens;
        v->sentence[i] = (span){ v->token[f->sentence[i]].start, v->token[past - 1].end };
    }
}

/* ---- Alignment ---- */

static void pair_up(view *gold, view *system, int g, int s)
{
    gold->word[g].other = s;
    system->word[s].other = g;
}

static bool beyond(const view *v, int i, int end)
{
    if (i == v->words)
        return true;
    const seen *w = &v->word[i];
    return w->inner ? w->span.start >= end : w->span.end > end;
}

/* Which of the next words starts first; gold on a tie. */
static bool gold_first(const view *gold, const view *system, int g, int s)
{
    if (g == gold->words || s == system->words)
        return s == system->words;
    return gold->word[g].span.start <= system->word[s].span.start;
}

/* Gold words g..g_end-1 with system words s..s_end-1, by their forms. */
static void align_forms(view *gold, view *system, int g, int g_end, int s, int s_end)
{
    static int longest[MAX_WORDS + 1][MAX_WORDS + 1]; /* [gold][system] of the words from here */
    for (int i = g_end; i >= g; i--)
        for (int j = s_end; j >= s; j--) {
            longest[i][j] = 0;
            if (i == g_end || j == s_end)
                continue;
            int best =
                longest[i + 1][j] > longest[i][j + 1] ? longest[i + 1][j] : longest[i][j + 1];
            if (strcmp(gold->word[i].form, system->word[j].form) == 0 &&
                longest[i + 1][j + 1] + 1 > best)
                best = longest[i + 1][j + 1] + 1;
            longest[i][j] = best;
        }
    while (g < g_end && s < s_end)
        if (strcmp(gold->word[g].form, system->word[s].form) == 0)
            pair_up(gold, system, g++, s++);
        else if (longest[g][s] == longest[g + 1][s])
            g++;
        else
            s++;
}

/* The stretch from *g and *s, of which one is multiword; they move past it. */
static void align_stretch(view *gold, view *system, int *g, int *s)
{
    const seen *a = &gold->word[*g], *b = &system->word[*s];
    int end = a->inner ? a->span.end : b->span.end;
    if (a->inner && !b->inner && b->span.start < a->span.start)
        ++*s;
    if (b->inner && !a->inner && a->span.start < b->span.start)
        ++*g;
    int g_start = *g, s_start = *s;
    while (!beyond(gold, *g, end) || !beyond(system, *s, end)) {
        const seen *w =
            gold_first(gold, system, *g, *s) ? &gold->word[(*g)++] : &system->word[(*s)++];
        if (w->inner && w->span.end > end)
            end = w->span.end;
    }
    align_forms(gold, system, g_start, *g, s_start, *s);
}

static bool same_span(span a, span b)
{
    return a.start == b.start && a.end == b.end;
}

static void align(view *gold, view *system)
{
    int g = 0, s = 0;
    while (g < gold->words && s < system->words)
        if (gold->word[g].inner || system->word[s].inner)
            align_stretch(gold, system, &g, &s);
        else if (same_span(gold->word[g].span, system->word[s].span))
            pair_up(gold, system, g++, s++);
        else if (gold_first(gold, system, g, s))
            g++;
        else
            s++;
}

/* ---- Figures ---- */

static figures score_spans(const span *gold, int golds, const span *system, int systems)
{
    figures f = { .gold = golds, .system = systems, .aligned = -1 };
    for (int g = 0; g < golds; g++)
        for (int s = 0; s < systems; s++)
            f.correct += same_span(gold[g], system[s]);
    return f;
}

static bool same_head(const view *system, const seen *a, const seen *b)
{
    int want = a->word->head, head = b->word->head;
    return head < 0 || want < 0 ? head == want : system->word[head].other == want;
}

static bool same_tags(const seen *a, const seen *b)
{
    return strcmp(a->word->upos, b->word->upos) == 0 && strcmp(a->feats, b->feats) == 0;
}

/* The functional children of a word, in order; returns how many. */
static int functions(const view *v, int of, const seen **child)
{
    int n = 0;
    for (int i = 0; i < v->words; i++)
        if (v->word[i].word->head == of && listed(functional, v->word[i].deprel))
            child[n++] = &v->word[i];
    return n;
}

static bool same_functions(const view *gold, const view *system, int g, int s)
{
    const seen *a[MAX_WORDS], *b[MAX_WORDS];
    int n = functions(gold, g, a);
    if (functions(system, s, b) != n)
        return false;
    for (int i = 0; i < n; i++)
        if (b[i]->other < 0 || &gold->word[b[i]->other] != a[i] ||
            strcmp(a[i]->deprel, b[i]->deprel) != 0 || !same_tags(a[i], b[i]))
            return false;
    return true;
}

static bool agree(enum metric m, const view *gold, const view *system, int g, int s)
{
    const seen *a = &gold->word[g], *b = &system->word[s];
    bool xpos = strcmp(a->word->xpos, b->word->xpos) == 0;
    bool lemma = strcmp(a->word->lemma, "_") == 0 || strcmp(a->word->lemma, b->word->lemma) == 0;
    bool head = same_head(system, a, b), labelled = head && strcmp(a->deprel, b->deprel) == 0;
    switch (m) {
    case UPOS:
        return strcmp(a->word->upos, b->word->upos) == 0;
    case XPOS:
        return xpos;
    case UFEATS:
        return strcmp(a->feats, b->feats) == 0;
    case ALLTAGS:
        return same_tags(a, b) && xpos;
    case LEMMAS:
        return lemma;
    case UAS:
        return head;
    case LAS:
    case CLAS:
        return labelled;
    case MLAS:
        return labelled && same_tags(a, b) && same_functions(gold, system, g, s);
    case BLEX:
        return labelled && lemma;
    default: /* Words */
        return true;
    }
}

static figures score_words(enum metric m, const view *gold, const view *system)
{
    figures f = { 0 };
    bool all = m < CLAS;
    for (int g = 0; g < gold->words; g++) {
        const seen *w = &gold->word[g];
        if (!all && !listed(content, w->deprel))
            continue;
        f.gold++;
        f.aligned += w->other >= 0;
        f.correct += w->other >= 0 && agree(m, gold, system, g, w->other);
    }
    for (int s = 0; s < system->words; s++)
        f.system += all || listed(content, system->word[s].deprel);
    if (m == WORDS)
        f.aligned = -1;
    return f;
}

/* All figures of a system file against a gold file with the same text. */
static void plain_score(const file *gold, const file *system, figures out[METRICS])
{
    static view g, s;
    look(&g, gold);
    look(&s, system);
    align(&g, &s);
    out[TOKENS] = score_spans(g.token, g.tokens, s.token, s.tokens);
    out[SENTENCES] = score_spans(g.sentence, g.sentences, s.sentence, s.sentences);
    for (int m = WORDS; m < METRICS; m++)
        out[m] = score_words((enum metric)m, &g, &s);
}

#endif
