/* SPDX-License-Identifier: MIT */
/* The library's figures against those of the plain scorer, on random pairs of files over the same
 * characters.
 *
 * A plan has, for every place in the text, all choices that might have to be made there, as numbers
 * in 0..999: whether a token ends here, how many words a token that starts here has, what they look
 * like, where their heads are wanted.  Any plan makes a file.  The system's plan is the gold one
 * with a share of the choices drawn again, so the two files may be equal, unrelated or anything
 * between, and a change of the tokens leaves the annotation of the others as it was. */
#include "core/rng.h"
#include "dodona.h"
#include "lib/check.h"
#include "lib/memory.h"
#include <stdio.h>

#include "eval/plain.h"

enum { PAIRS = 4000, OUTPUT = 1 << 18 };
enum { MAX_TEXT = MAX_TOKENS, LONGEST = 12 }; /* characters: of the text, of a token */

enum choice {
    CUT, /* the first four are the shape of the file, asked of the first word only */
    STOP,
    MULTI,
    INNER_WORDS,
    FORM, /* from here on what the words are like */
    LEMMA,
    TAG,
    FINE_TAG,
    FEATS, /* how many */
    FEAT,
    FEAT_TOO,
    RELATION,
    SUBTYPE,
    WEIGHT, /* the heaviest word is the root */
    HEAD_PLACE,
    HEAD_WORD,
    BLANK,
    EMPTY,
    CHOICES
};

typedef int plan[MAX_TEXT][MAX_INNER][CHOICES];

typedef struct recipe {
    const char *text[MAX_TEXT]; /* characters */
    int length;
    int cut, stop, multi; /* out of 1000 */
} recipe;

#define COUNT(a)       ((int)(sizeof(a) / sizeof *(a)))
#define PICK(a, value) ((a)[(value) % COUNT(a)])

static const char *const letters[] = { "a", "a", "A", "b", "B", "é", "の", "😀" };
static const char *const inner_forms[] = {
    "a", "A", "b", "ab", "aB", "é", "a b", "a\u00a0B", "の"
};
static const char *const lemmas[] = { "_", "a", "A", "b" };
static const char *const tags[] = { "NOUN", "VERB", "PUNCT", "_" };
static const char *const fine_tags[] = { "x", "y", "_" };
static const char *const some_feats[] = {
    "PronType=Prs",      "NumType=Card", "Poss=Yes",     "Reflex=Yes",   "Foreign=Yes",
    "Abbr=Yes",          "Gender=Fem",   "Animacy=Anim", "Number=Sing",  "Case=Nom",
    "Case=Acc",          "Definite=Def", "Degree=Cmp",   "VerbForm=Fin", "Mood=Ind",
    "Tense=Past",        "Aspect=Perf",  "Voice=Act",    "Evident=Fh",   "Polarity=Neg",
    "Person=3",          "Polite=Form",  "Typo=Yes",     "Cas=Nom",      "Style=Arch",
    "Number[psor]=Plur", "Cases=X",      "Case=Acc,Nom",
};
static const char *const relations[] = {
    "nsubj",  "obj",        "iobj",       "csubj",  "ccomp",     "xcomp",    "obl",   "vocative",
    "expl",   "dislocated", "advcl",      "advmod", "discourse", "nmod",     "appos", "nummod",
    "acl",    "amod",       "conj",       "fixed",  "flat",      "compound", "list",  "parataxis",
    "orphan", "goeswith",   "reparandum", "root",   "dep",       "aux",      "cop",   "mark",
    "det",    "clf",        "case",       "cc",     "aux",       "cop",      "mark",  "det",
    "clf",    "case",       "cc",         "aux",    "cop",       "mark",     "det",   "clf",
    "case",   "cc",         "punct",      "obje",   "c",         "_",
};
static const char *const subtypes[] = { "", "", "", ":x", ":y:z", ":" };

/* ---- From a plan to a file ---- */

typedef struct made {
    file file;
    const int *choice[MAX_WORDS]; /* what each word was made of */
    int place[MAX_TOKENS];        /* where each token starts in the text */
} made;

static void fill_word(word *w, const int *choice, const char *form)
{
    snprintf(w->form, sizeof w->form, "%s", form);
    w->lemma = PICK(lemmas, choice[LEMMA]);
    w->upos = PICK(tags, choice[TAG]);
    w->xpos = PICK(fine_tags, choice[FINE_TAG]);
    int feats = choice[FEATS] % 3;
    snprintf(w->feats, sizeof w->feats, "%s%s%s", feats ? PICK(some_feats, choice[FEAT]) : "_",
             feats > 1 ? "|" : "", feats > 1 ? PICK(some_feats, choice[FEAT_TOO]) : "");
    snprintf(w->deprel, sizeof w->deprel, "%s%s", PICK(relations, choice[RELATION]),
             PICK(subtypes, choice[SUBTYPE]));
}

/* Appends the token that starts at a place; returns where it ends. */
static int make_token(made *m, const recipe *r, plan p, int at)
{
    file *f = &m->file;
    const int *first = p[at][0];
    int end = at;
    token *t = &f->token[f->tokens];
    m->place[f->tokens++] = at;
    *t = (token){ .first = f->words, .multiword = first[MULTI] < r->multi };
    t->words = t->multiword ? 1 + first[INNER_WORDS] % MAX_INNER : 1;
    do {
        strcat(t->form, r->text[end]);
        if (p[end][0][BLANK] < BLANKS * 10)
            strcat(t->form, PICK(blank, p[end][0][BLANK]));
        end++;
    } while (end < r->length && end < at + LONGEST && p[end - 1][0][CUT] >= r->cut);
    for (int k = 0; k < t->words; k++) {
        const int *choice = p[at][k];
        m->choice[f->words] = choice;
        fill_word(&f->word[f->words++], choice,
                  t->multiword ? PICK(inner_forms, choice[FORM]) : t->form);
    }
    return end;
}

/* The word of tokens first..last that a word of token t wants as its head, or one near it where
 * these tokens have no such word. */
static int wanted_head(const made *m, int first, int last, int t, const int *choice)
{
    int place = m->place[t] + choice[HEAD_PLACE] % 13 - 6, to = first;
    while (to < last && m->place[to + 1] <= place)
        to++;
    const token *k = &m->file.token[to];
    int inner = choice[HEAD_WORD] % MAX_INNER;
    return k->first + (inner < k->words ? inner : k->words - 1);
}

static bool reaches(const word *w, int from, int root, int steps)
{
    while (from != root && steps-- > 0)
        from = w[from].head;
    return from == root;
}

/* Links the words of tokens first..last: each to the head that it wants, or to the root where that
 * would be a cycle.  What has reached the root once is never changed, so it goes on reaching it. */
static void make_tree(made *m, int first, int last)
{
    file *f = &m->file;
    int from = f->token[first].first, to = f->token[last].first + f->token[last].words, root = from;
    for (int t = first; t <= last; t++)
        for (int w = f->token[t].first; w < f->token[t].first + f->token[t].words; w++) {
            f->word[w].head = wanted_head(m, first, last, t, m->choice[w]);
            if (m->choice[w][WEIGHT] > m->choice[root][WEIGHT])
                root = w;
        }
    f->word[root].head = -1;
    for (int w = from; w < to; w++)
        if (!reaches(f->word, w, root, to - from))
            f->word[w].head = root;
}

static void make_file(made *m, const recipe *r, plan p)
{
    file *f = &m->file;
    f->tokens = f->words = f->sentences = 0;
    for (int at = 0, first = 0; at < r->length;) {
        at = make_token(m, r, p, at);
        if (at < r->length && p[at - 1][0][STOP] >= r->stop)
            continue;
        f->sentence[f->sentences++] = first;
        make_tree(m, first, f->tokens - 1);
        first = f->tokens;
    }
}

/* ---- From a file to its text ---- */

typedef struct text {
    char data[OUTPUT];
    size_t size;
} text;

static void put(text *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(text *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    out->size += (size_t)vsnprintf(out->data + out->size, OUTPUT - out->size, format, args);
    va_end(args);
    assert_true(out->size < OUTPUT);
}

static void put_empty_nodes(text *out, int after, int count)
{
    for (int i = 1; i <= count; i++)
        put(out, "%d.%d\tab\ta\tVERB\tx\tCase=Nom\t_\t_\t0:root\t_\n", after, i);
}

static void put_token(text *out, const made *m, int t, int before)
{
    const token *k = &m->file.token[t];
    int id = k->first - before + 1;
    if (k->multiword)
        put(out, "%d-%d\t%s\t_\t_\t_\t_\t_\t_\t_\t_\n", id, id + k->words - 1, k->form);
    for (int i = k->first; i < k->first + k->words; i++, id++) {
        const word *w = &m->file.word[i];
        int head = w->head < 0 ? 0 : w->head - before + 1, empty = m->choice[i][EMPTY];
        put(out, "%d\t%s\t%s\t%s\t%s\t%s\t%d\t%s\t_\t_\n", id, w->form, w->lemma, w->upos, w->xpos,
            w->feats, head, w->deprel);
        put_empty_nodes(out, id, empty < 50 ? 1 + empty % 2 : 0);
    }
}

static void put_file(text *out, const made *m)
{
    const file *f = &m->file;
    out->size = 0;
    for (int i = 0; i < f->sentences; i++) {
        int past = i + 1 < f->sentences ? f->sentence[i + 1] : f->tokens;
        int before = f->token[f->sentence[i]].first;
        put_empty_nodes(out, 0, m->choice[before][EMPTY] > 950);
        for (int t = f->sentence[i]; t < past; t++)
            put_token(out, m, t, before);
        put(out, "\n");
    }
}

/* ---- Both scorers ---- */

static dodona_scores *library_score(const text *gold, const text *system)
{
    const text *of[] = { gold, system };
    static const char *const name[] = { "gold", "system" };
    test_memory bytes[2];
    dodona_reader *reader[2];
    dodona_source source[2];
    dodona_scores *scores;
    dodona_error err = { 0 };
    for (int i = 0; i < 2; i++) {
        bytes[i] = (test_memory){ .data = of[i]->data, .size = of[i]->size };
        assert_int_equal(dodona_reader_open_callback(test_memory_read, &bytes[i], name[i], NULL,
                                                     &reader[i], NULL),
                         0);
        source[i] = (dodona_source){ dodona_reader_pull, reader[i], name[i] };
    }
    if (dodona_evaluate(NULL, &source[0], &source[1], NULL, &scores, &err) < 0)
        fail_msg("%s:%d: %s", err.file, (int)err.line, err.message);
    for (int i = 0; i < 2; i++)
        dodona_reader_close(reader[i]);
    return scores;
}

/* To the two decimals that are printed. */
static bool same_percent(double percent, int64_t part, int64_t whole)
{
    char got[64], want[64];
    snprintf(got, sizeof got, "%.2f", percent);
    snprintf(want, sizeof want, "%.2f", whole > 0 ? 100 * ((double)part / (double)whole) : 0.0);
    return strcmp(got, want) == 0;
}

static bool same_metric(const dodona_metric *got, const figures *want)
{
    return got->correct == want->correct && got->gold == want->gold &&
           got->system == want->system && got->aligned == want->aligned &&
           same_percent(got->precision, want->correct, want->system) &&
           same_percent(got->recall, want->correct, want->gold) &&
           same_percent(got->f1, 2 * want->correct, want->gold + want->system) &&
           same_percent(got->aligned_accuracy, want->correct, want->aligned);
}

static void compare(const dodona_scores *scores, const figures want[METRICS], const text *gold,
                    const text *system)
{
    for (int m = 0; m < METRICS; m++) {
        dodona_metric got;
        assert_int_equal(dodona_scores_metric(scores, 1, m, &got), 0);
        assert_string_equal(got.name, metric_name[m]);
        if (!same_metric(&got, &want[m])) {
            fprintf(stderr, "gold:\n%s\nsystem:\n%s\n", gold->data, system->data);
            fail_msg("%s: %d of %d and %d, aligned %d; expected %d of %d and %d, aligned %d",
                     got.name, (int)got.correct, (int)got.gold, (int)got.system, (int)got.aligned,
                     (int)want[m].correct, (int)want[m].gold, (int)want[m].system,
                     (int)want[m].aligned);
        }
    }
}

/* ---- Pairs ---- */

static int below(ddn_rng *rng, int n)
{
    return (int)ddn_rng_below(rng, (uint64_t)n);
}

/* Draws a share of the choices again. */
static void redraw(plan p, ddn_rng *rng, int shape, int labels)
{
    for (int at = 0; at < MAX_TEXT; at++)
        for (int k = 0; k < MAX_INNER; k++)
            for (int c = 0; c < CHOICES; c++)
                if (below(rng, 1000) < (c < FORM ? shape : labels))
                    p[at][k][c] = below(rng, 1000);
}

static recipe draw_recipe(ddn_rng *rng)
{
    static const int often[] = { 100, 300, 600, 950 }, seldom[] = { 0, 50, 200, 500 };
    static const int multi[] = { 0, 100, 400, 900 };
    recipe r = { .length = 1 + below(rng, below(rng, 8) ? 24 : MAX_TEXT) };
    for (int i = 0; i < r.length; i++)
        r.text[i] = PICK(letters, below(rng, COUNT(letters)));
    r.cut = PICK(often, below(rng, COUNT(often)));
    r.stop = PICK(seldom, below(rng, COUNT(seldom)));
    r.multi = PICK(multi, below(rng, COUNT(multi)));
    return r;
}

static void score_pair(ddn_rng *rng, figures want[METRICS])
{
    static plan p;
    static made gold, system;
    static text gold_text, system_text;
    static const int change[] = { 0, 20, 100, 300, 1000 };
    recipe r = draw_recipe(rng);
    redraw(p, rng, 1000, 1000);
    make_file(&gold, &r, p);
    put_file(&gold_text, &gold);
    redraw(p, rng, PICK(change, below(rng, COUNT(change))),
           PICK(change, below(rng, COUNT(change))));
    make_file(&system, &r, p);
    put_file(&system_text, &system);
    plain_score(&gold.file, &system.file, want);
    dodona_scores *scores = library_score(&gold_text, &system_text);
    compare(scores, want, &gold_text, &system_text);
    dodona_scores_free(scores);
}

/* The sums show that the pairs are neither all alike nor all different. */
static void random_pairs(void **state)
{
    (void)state;
    ddn_rng rng;
    figures sum[METRICS] = { 0 }, want[METRICS];
    ddn_rng_init(&rng, 2018);
    for (int i = 0; i < PAIRS; i++) {
        score_pair(&rng, want);
        for (int m = 0; m < METRICS; m++) {
            sum[m].correct += want[m].correct;
            sum[m].gold += want[m].gold;
            sum[m].system += want[m].system;
        }
    }
    for (int m = 0; m < METRICS; m++) {
        assert_in_range(sum[m].correct * 100 / sum[m].gold, 10, 90);
        assert_in_range(sum[m].correct * 100 / sum[m].system, 10, 90);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(random_pairs) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
