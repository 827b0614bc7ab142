/* SPDX-License-Identifier: MIT */
/* What grammar.h promises of its sentences.  The lines are taken apart here by hand, so that these
 * tests need nothing that they may later be used to test. */
#include "lib/check.h"
#include "lib/grammar.h"
#include "tree/tree.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST = DDN_GRAMMAR_LONGEST + 2,
    ID = 0,
    FORM,
    LEMMA,
    UPOS,
    XPOS,
    FEATS,
    HEAD,
    REL,
    DEPS,
    MISC
};

typedef struct parsed {
    char bytes[DDN_GRAMMAR_BYTES];
    const char *text;           /* of the comment */
    const char *col[MOST][10];  /* words from 1 */
    int32_t head[MOST];         /* [0] unused */
    const char *range[MOST][2]; /* form and MISC of the range that starts at a word, or NULL */
    const char *empty[MOST];    /* DEPS of the empty node after a word, or NULL */
    int n;
} parsed;

static void take_word(parsed *p, const char **col)
{
    int next = 0;
    char rest = 0;
    if (sscanf(col[ID], "%d-%d%c", &(int){ 0 }, &next, &rest) == 2) {
        assert_int_equal(atoi(col[ID]), p->n + 1);
        assert_int_equal(next, p->n + 2);
        p->range[p->n + 1][0] = col[FORM];
        p->range[p->n + 1][1] = col[MISC];
    } else if (sscanf(col[ID], "%d.%d%c", &(int){ 0 }, &next, &rest) == 2) {
        assert_int_equal(atoi(col[ID]), p->n);
        assert_int_equal(next, 1);
        assert_string_equal(col[HEAD], "_");
        assert_string_equal(col[REL], "_");
        p->empty[p->n] = col[DEPS];
    } else {
        p->n++;
        assert_true(p->n <= DDN_GRAMMAR_LONGEST);
        assert_int_equal(sscanf(col[ID], "%d%c", &next, &rest), 1);
        assert_int_equal(next, p->n);
        memcpy(p->col[p->n], col, sizeof p->col[p->n]);
        p->head[p->n] = atoi(col[HEAD]);
    }
}

/* Takes the sentence in g apart, and fails on any line that CoNLL-U does not allow. */
static void parse(const ddn_grammar *g, parsed *p)
{
    memset(p, 0, sizeof *p);
    assert_true(g->size < sizeof p->bytes);
    memcpy(p->bytes, g->text, g->size);
    assert_memory_equal(g->text + g->size - 2, "\n\n", 2);
    p->bytes[g->size - 1] = '\0';
    assert_null(strstr(p->bytes, "\n\n"));
    char *line = p->bytes;
    for (char *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        if (line[0] == '#') {
            if (strncmp(line, "# text = ", 9) == 0)
                p->text = line + 9;
            assert_int_equal(p->n, 0);
            continue;
        }
        const char *col[10] = { line };
        int n = 1;
        for (char *c = line; *c; c++)
            if (*c == '\t') {
                assert_true(n < 10);
                *c = '\0';
                col[n++] = c + 1;
            }
        assert_int_equal(n, 10);
        for (int i = 0; i < 10; i++)
            assert_true(col[i][0] != '\0');
        take_word(p, col);
    }
    assert_non_null(p->text);
}

static parsed sentence; /* of the test that runs */
static ddn_grammar made;

static bool next(void)
{
    if (!ddn_grammar_next(&made))
        return false;
    parse(&made, &sentence);
    return true;
}

static void every_sentence_is_a_tree_with_one_root(void **state)
{
    (void)state;
    int shortest = MOST, longest = 0;
    ddn_grammar_init(&made, 1, DDN_GRAMMAR_NONPROJECTIVE, 5000);
    while (next()) {
        const parsed *p = &sentence;
        int roots = 0;
        for (int i = 1; i <= p->n; i++) {
            int steps = 0;
            roots += p->head[i] == 0;
            assert_int_equal(p->head[i] == 0, strcmp(p->col[i][REL], "root") == 0);
            assert_string_not_equal(p->col[i][REL], "dep"); /* what a rule forgot to link */
            for (int h = i; h != 0; h = p->head[h]) {
                assert_in_range(h, 1, p->n);
                assert_true(steps++ < p->n);
            }
        }
        assert_int_equal(roots, 1);
        int32_t mark[MOST], word;
        assert_int_equal(ddn_tree_check(p->head, p->n, true, mark, &word), DDN_TREE_OK);
        shortest = p->n < shortest ? p->n : shortest;
        longest = p->n > longest ? p->n : longest;
    }
    assert_int_equal(made.made, 5000);
    assert_int_equal(shortest, DDN_GRAMMAR_SHORTEST);
    assert_in_range(longest, 33, DDN_GRAMMAR_LONGEST);
}

static void text_is_the_tokens_joined(void **state)
{
    (void)state;
    ddn_grammar_init(&made, 2, DDN_GRAMMAR_NONPROJECTIVE, 2000);
    while (next()) {
        const parsed *p = &sentence;
        char text[2048] = "";
        for (int i = 1; i <= p->n; i++) {
            const char *form = p->col[i][FORM], *misc = p->col[i][MISC];
            if (p->range[i][0]) {
                form = p->range[i][0];
                misc = p->range[i][1];
                assert_string_equal(p->col[i][MISC], "_");
                assert_string_equal(p->col[++i][MISC], "_");
            }
            strcat(text, form);
            if (i < p->n && strcmp(misc, "SpaceAfter=No") != 0)
                strcat(text, " ");
        }
        assert_string_equal(text, p->text);
    }
}

/* DEPS are there exactly where an empty node is, and hang everything from 0 by way of it. */
static void empty_nodes_are_referred_to(void **state)
{
    (void)state;
    int referring = 0;
    ddn_grammar_init(&made, 3, DDN_GRAMMAR_NONPROJECTIVE, 2000);
    while (next()) {
        const parsed *p = &sentence;
        int after = -1;
        for (int i = 0; i <= p->n; i++)
            if (p->empty[i]) {
                assert_int_equal(after, -1);
                after = i;
                assert_in_range(atoi(p->empty[i]), 1, p->n);
                assert_non_null(strchr(p->empty[i], ':'));
            }
        for (int i = 1; i <= p->n; i++) {
            const char *deps = p->col[i][DEPS];
            char basic[64], empty[16];
            snprintf(basic, sizeof basic, "%d:%s", p->head[i], p->col[i][REL]);
            snprintf(empty, sizeof empty, "%d.1:", after);
            if (after < 0)
                assert_string_equal(deps, "_");
            else if (strncmp(deps, empty, strlen(empty)) == 0)
                referring++;
            else
                assert_string_equal(deps, basic);
        }
    }
    assert_true(referring > 0);
}

/* Over 2,000 sentences, as the seed that the demo trains on. */
static void every_feature_is_there(void **state)
{
    (void)state;
    static const char *const rels[] = { "nsubj",    "obj",       "iobj",  "obl",       "advmod",
                                        "amod",     "det",       "case",  "mark",      "cc",
                                        "conj",     "acl:relcl", "advcl", "xcomp",     "ccomp",
                                        "aux",      "cop",       "punct", "nmod",      "compound",
                                        "flat",     "nummod",    "root",  "nmod:poss", "orphan",
                                        "aux:pass", "nsubj:pass" };
    enum { RELS = sizeof rels / sizeof *rels };
    int seen[RELS] = { 0 }, ranges = 0, first_empty = 0, later_empty = 0, accusatives = 0;
    ddn_grammar_init(&made, 1, DDN_GRAMMAR_NONPROJECTIVE, 2000);
    while (next())
        for (int i = 1; i <= sentence.n; i++) {
            int k = 0;
            while (k < RELS && strcmp(rels[k], sentence.col[i][REL]) != 0)
                k++;
            assert_true(k < RELS);
            seen[k]++;
            ranges += sentence.range[i][0] != NULL;
            first_empty += i == 1 && sentence.empty[0] != NULL;
            later_empty += sentence.empty[i] != NULL;
            accusatives += strstr(sentence.col[i][FEATS], "Case=Acc") != NULL;
        }
    for (int k = 0; k < RELS; k++)
        if (seen[k] < 20)
            fail_msg("%s occurs %d times", rels[k], seen[k]);
    assert_true(ranges >= 100 && first_empty >= 20 && later_empty >= 20 && accusatives >= 100);
}

/* Straight from the definition: two arcs cross when each has one end strictly inside the other. */
static bool has_crossing(const parsed *p)
{
    for (int a = 1; a <= p->n; a++)
        for (int b = 1; b <= p->n; b++) {
            int al = a < p->head[a] ? a : p->head[a], ar = a + p->head[a] - al;
            int bl = b < p->head[b] ? b : p->head[b], br = b + p->head[b] - bl;
            if (al < bl && bl < ar && ar < br)
                return true;
        }
    return false;
}

static void the_rate_of_crossings_is_as_asked(void **state)
{
    (void)state;
    static const struct {
        int percent, least, most;
    } rates[] = { { 0, 0, 0 }, { 10, 430, 570 }, { 50, 2350, 2650 }, { 100, 5000, 5000 } };
    for (int k = 0; k < 4; k++) {
        int crossing = 0;
        ddn_grammar_init(&made, 4, rates[k].percent, 5000);
        while (next())
            crossing += has_crossing(&sentence);
        assert_in_range(crossing, rates[k].least, rates[k].most);
    }
}

static const char *feature(const parsed *p, int i, const char *name)
{
    const char *at = strstr(p->col[i][FEATS], name);
    return at ? at + strlen(name) : NULL;
}

/* A noun or name as subject, alone, has the number of the finite verb over or beside it. */
static void subjects_agree_with_their_verbs(void **state)
{
    (void)state;
    int checked = 0, plural = 0;
    ddn_grammar_init(&made, 5, DDN_GRAMMAR_NONPROJECTIVE, 2000);
    while (next())
        for (int s = 1; s <= sentence.n; s++) {
            const parsed *p = &sentence;
            if (strncmp(p->col[s][REL], "nsubj", 5) != 0 || strcmp(p->col[s][UPOS], "PRON") == 0)
                continue;
            int finite = p->head[s];
            bool several = false;
            for (int i = 1; i <= p->n; i++) {
                several |= p->head[i] == s && strcmp(p->col[i][REL], "conj") == 0;
                if (p->head[i] == p->head[s] && strcmp(p->col[i][UPOS], "AUX") == 0 &&
                    feature(p, i, "Mood=Ind"))
                    finite = i;
            }
            if (!feature(p, finite, "Mood=Ind") || !feature(p, finite, "Number="))
                continue;
            const char *subject = several ? "Plur" : feature(p, s, "Number=");
            assert_memory_equal(subject, feature(p, finite, "Number="), 4);
            checked++;
            plural += subject[0] == 'P';
            /* and the ending says it */
            if (strcmp(p->col[finite][UPOS], "VERB") == 0) {
                const char *form = p->col[finite][FORM];
                bool ends = form[strlen(form) - 1] == 's' && strcmp(form, "discuss") != 0;
                assert_int_equal(ends, subject[0] == 'S');
            }
        }
    assert_true(plural > 200 && checked - plural > 200);
}

static void same_seed_same_bytes(void **state)
{
    (void)state;
    static ddn_grammar a, b, c;
    int differ = 0;
    ddn_grammar_init(&a, 7, 10, 500);
    ddn_grammar_init(&b, 7, 10, 500);
    ddn_grammar_init(&c, 8, 10, 500);
    while (ddn_grammar_next(&a)) {
        assert_true(ddn_grammar_next(&b) && ddn_grammar_next(&c));
        assert_int_equal(a.size, b.size);
        assert_memory_equal(a.text, b.text, a.size);
        parse(&a, &sentence);
        char text[2048];
        snprintf(text, sizeof text, "%s", sentence.text);
        parse(&c, &sentence);
        differ += strcmp(text, sentence.text) != 0;
    }
    assert_true(differ > 450);
}

static void the_stream_is_the_sentences(void **state)
{
    (void)state;
    static ddn_grammar stream;
    ddn_grammar_init(&made, 9, 10, 50);
    ddn_grammar_init(&stream, 9, 10, 50);
    size_t at = 0;
    ddn_grammar_next(&made);
    char buf[100];
    for (ptrdiff_t n; (n = ddn_grammar_read(&stream, buf, sizeof buf, NULL)) > 0;)
        for (ptrdiff_t i = 0; i < n; i++) {
            if (at == made.size) {
                assert_true(ddn_grammar_next(&made));
                at = 0;
            }
            assert_int_equal(buf[i], made.text[at++]);
        }
    assert_int_equal(at, made.size);
    assert_false(ddn_grammar_next(&made));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sentence_is_a_tree_with_one_root),
        cmocka_unit_test(text_is_the_tokens_joined),
        cmocka_unit_test(empty_nodes_are_referred_to),
        cmocka_unit_test(every_feature_is_there),
        cmocka_unit_test(the_rate_of_crossings_is_as_asked),
        cmocka_unit_test(subjects_agree_with_their_verbs),
        cmocka_unit_test(same_seed_same_bytes),
        cmocka_unit_test(the_stream_is_the_sentences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
