/* SPDX-License-Identifier: MIT */
#include "lib/valid.h"

#include "core/array.h"
#include "core/utf8.h"
#include "tree/sentence.h"
#include <ctype.h>
#include <stdlib.h>
#include <utf8proc.h>

/* A row that is a token: a range, or a word outside of ranges. */
typedef struct token {
    dodona_text form;
    bool glued;
} token;

typedef struct checker {
    int line;
    const char *fault;
    dodona_text *id; /* [ids] of all sentences */
    size_t ids, id_cap;

    /* The sentence so far. */
    bool begun;
    int id_lines, newdocs, newpars;
    dodona_text text; /* data NULL: none yet */
    int n, reach;     /* words; the last one of the last range */
    int roots;
    int *head; /* [n+1] */
    size_t head_cap;
    token *token; /* [tokens] */
    size_t tokens, token_cap;
    bool glued; /* the sentence before ended with SpaceAfter=No */
} checker;

static void fail(checker *c, const char *fault)
{
    c->fault = c->fault ? c->fault : fault;
}

static void must(checker *c, bool truth, const char *fault)
{
    if (!truth)
        fail(c, fault);
}

static void reserve(void *pointer, size_t *capacity, size_t need, size_t size)
{
    if (!ddn_reserve(pointer, capacity, need, size))
        abort();
}

/* Takes what stands before the first separator; false, and an empty part, when nothing is left. */
static bool next_part(dodona_text *rest, char separator, dodona_text *part)
{
    *part = (dodona_text){ NULL, 0 };
    if (!rest->data)
        return false;
    const char *end = rest->size ? memchr(rest->data, separator, rest->size) : NULL;
    *part = (dodona_text){ rest->data, end ? (size_t)(end - rest->data) : rest->size };
    *rest = end ? (dodona_text){ end + 1, rest->size - part->size - 1 } : (dodona_text){ NULL, 0 };
    return true;
}

static bool starts(dodona_text t, const char *prefix)
{
    size_t size = strlen(prefix);
    return t.size >= size && memcmp(t.data, prefix, size) == 0;
}

static bool contains(dodona_text t, const char *what)
{
    for (; t.size; t.data++, t.size--)
        if (starts(t, what))
            return true;
    return false;
}

/* Less than 0, 0 or more, regardless of the case of ASCII letters. */
static int compare(dodona_text a, dodona_text b)
{
    size_t least = a.size < b.size ? a.size : b.size;
    for (size_t i = 0; i < least; i++) {
        int d = tolower((unsigned char)a.data[i]) - tolower((unsigned char)b.data[i]);
        if (d)
            return d;
    }
    return (a.size > b.size) - (a.size < b.size);
}

/* ---- Blanks, as Python has them ---- */

static bool is_blank(utf8proc_int32_t c)
{
    return (c >= 9 && c <= 13) || (c >= 0x1c && c <= 0x20) || c == 0x85 || c == 0xa0 ||
           c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 ||
           c == 0x202f || c == 0x205f || c == 0x3000;
}

typedef struct blanks {
    bool any, first, last, twice;
} blanks;

static blanks find_blanks(dodona_text t)
{
    blanks b = { 0 };
    for (size_t at = 0; at < t.size;) {
        utf8proc_int32_t c;
        utf8proc_ssize_t size = utf8proc_iterate((const utf8proc_uint8_t *)t.data + at,
                                                 (utf8proc_ssize_t)(t.size - at), &c);
        bool blank = size > 0 && is_blank(c);
        b.any |= blank;
        b.first |= blank && at == 0;
        b.twice |= blank && b.last;
        b.last = blank;
        at += size > 0 ? (size_t)size : 1;
    }
    return b;
}

/* ---- Columns ---- */

static bool is_listed(dodona_text t, const char *const *list)
{
    while (*list && !ddn_text_is(t, *list))
        list++;
    return *list;
}

/* A capital or a digit, then letters and digits. */
static bool is_name(dodona_text t)
{
    for (size_t i = 0; i < t.size; i++) {
        unsigned char c = (unsigned char)t.data[i];
        if (c > 127 || !(isdigit(c) || isupper(c) || (i && islower(c))))
            return false;
    }
    return t.size;
}

/* A name, perhaps with something in brackets behind it: Number[psor]. */
static bool is_feature(dodona_text t)
{
    dodona_text name, layer;
    next_part(&t, '[', &name);
    if (!t.data)
        return is_name(name);
    layer = t;
    if (layer.size < 2 || layer.data[--layer.size] != ']')
        return false;
    for (size_t i = 0; i < layer.size; i++)
        if (!isdigit((unsigned char)layer.data[i]) && !islower((unsigned char)layer.data[i]))
            return false;
    return is_name(name);
}

static void check_values(checker *c, dodona_text values)
{
    dodona_text value, last = { "", 0 };
    while (next_part(&values, ',', &value)) {
        must(c, is_name(value), "a value of a feature that is none");
        must(c, compare(last, value) < 0, "values of a feature out of order");
        last = value;
    }
}

static void check_features(checker *c, dodona_text feats)
{
    dodona_text pair, name, last = { "", 0 }, last_name = { "", 0 };
    if (ddn_text_is(feats, "_"))
        return;
    while (next_part(&feats, '|', &pair)) {
        must(c, compare(last, pair) < 0, "features out of order");
        last = pair;
        next_part(&pair, '=', &name);
        must(c, is_feature(name) && pair.data, "a feature that is not Name=Value");
        must(c, compare(last_name, name) != 0, "a feature twice");
        last_name = name;
        check_values(c, pair);
    }
}

/* Whether a name stands again among the pairs that are left. */
static bool is_again(dodona_text name, dodona_text rest)
{
    dodona_text pair, other;
    while (next_part(&rest, '|', &pair)) {
        next_part(&pair, '=', &other);
        if (ddn_text_equal(name, other))
            return true;
    }
    return false;
}

static void check_misc(checker *c, dodona_text misc)
{
    dodona_text pair, name;
    if (ddn_text_is(misc, "_"))
        return;
    while (next_part(&misc, '|', &pair)) {
        next_part(&pair, '=', &name);
        must(c, name.size && pair.size, "MISC with something that is not Name=Value");
        blanks n = find_blanks(name), v = find_blanks(pair);
        must(c, !n.first && !n.last && !v.first && !v.last, "MISC with a blank around a value");
        must(c, !is_again(name, misc), "MISC with a name twice");
        must(c, !ddn_text_is(name, "SpaceAfter") || ddn_text_is(pair, "No"),
             "SpaceAfter that is not No");
    }
}

static void check_relation(checker *c, dodona_text deprel)
{
    static const char *const relations[] = {
        "acl",      "advcl", "advmod",    "amod",       "appos", "aux",        "case",
        "cc",       "ccomp", "clf",       "compound",   "conj",  "cop",        "csubj",
        "dep",      "det",   "discourse", "dislocated", "expl",  "fixed",      "flat",
        "goeswith", "iobj",  "list",      "mark",       "nmod",  "nsubj",      "nummod",
        "obj",      "obl",   "orphan",    "parataxis",  "punct", "reparandum", "root",
        "vocative", "xcomp", NULL
    };
    dodona_text universal;
    next_part(&deprel, ':', &universal);
    must(c, is_listed(universal, relations), "a relation that UD does not have");
    must(c, !deprel.data || deprel.size, "a relation with an empty subtype");
    for (size_t i = 0; deprel.data && i < deprel.size; i++)
        must(c, islower((unsigned char)deprel.data[i]), "a subtype that is not of small letters");
}

static void check_tag(checker *c, dodona_text upos)
{
    static const char *const tags[] = { "ADJ",   "ADP",   "ADV", "AUX",  "CCONJ", "DET",
                                        "INTJ",  "NOUN",  "NUM", "PART", "PRON",  "PROPN",
                                        "PUNCT", "SCONJ", "SYM", "VERB", "X",     NULL };
    must(c, is_listed(upos, tags), "a tag that UD does not have");
}

static void check_blanks(checker *c, const dodona_text *col)
{
    for (int k = 0; k < DDN_COLUMNS; k++) {
        blanks b = find_blanks(col[k]);
        must(c, col[k].size, "an empty column");
        must(c, !b.first, "a column that begins with a blank");
        must(c, !b.last, "a column that ends with a blank");
        must(c, !b.twice, "a column with two blanks in a row");
        must(c, !b.any || k == DDN_FORM || k == DDN_LEMMA || k == DDN_MISC,
             "a blank in a column that must have none");
    }
}

/* ---- Rows ---- */

/* The number that is all of the text, without zeros before it; -1: it is none. */
static int number(dodona_text t)
{
    int value = 0;
    if (!t.size || t.size > 8 || (t.data[0] == '0' && t.size > 1))
        return -1;
    for (size_t i = 0; i < t.size; i++) {
        if (!isdigit((unsigned char)t.data[i]))
            return -1;
        value = 10 * value + (t.data[i] - '0');
    }
    return value;
}

static void add_token(checker *c, const dodona_text *col)
{
    dodona_text misc = col[DDN_MISC], pair;
    token t = { .form = col[DDN_FORM] };
    while (next_part(&misc, '|', &pair))
        t.glued |= ddn_text_is(pair, "SpaceAfter=No");
    reserve(&c->token, &c->token_cap, c->tokens + 1, sizeof *c->token);
    c->token[c->tokens++] = t;
}

static void add_range(checker *c, const dodona_text *col)
{
    dodona_text to = col[DDN_ID], from;
    next_part(&to, '-', &from);
    must(c, number(from) == c->n + 1, "a range that does not stand before its first word");
    must(c, number(to) > c->n + 1, "a range of less than two words");
    must(c, c->reach <= c->n, "a range inside another");
    c->reach = number(to);
    for (int k = DDN_LEMMA; k < DDN_MISC; k++)
        must(c, ddn_text_is(col[k], "_"), "a range with more than FORM and MISC");
    add_token(c, col);
}

static void add_word(checker *c, const dodona_text *col)
{
    int head = number(col[DDN_HEAD]);
    must(c, number(col[DDN_ID]) == c->n + 1, "an id out of sequence");
    must(c, head >= 0, "a head that is no number");
    must(c, head != c->n + 1, "a word that is its own head");
    must(c, (head == 0) == ddn_text_is(col[DDN_DEPREL], "root"),
         "root without 0, or 0 without root");
    must(c, ddn_text_is(col[DDN_DEPS], "_"), "something in DEPS");
    check_tag(c, col[DDN_UPOS]);
    check_features(c, col[DDN_FEATS]);
    check_relation(c, col[DDN_DEPREL]);
    c->n++;
    reserve(&c->head, &c->head_cap, (size_t)c->n + 1, sizeof *c->head);
    c->head[c->n] = head;
    c->roots += head == 0;
    if (c->n > c->reach)
        add_token(c, col);
    else
        must(c, !contains(col[DDN_MISC], "SpaceAfter=No"), "SpaceAfter=No inside a range");
}

static void add_row(checker *c, dodona_text line)
{
    dodona_text col[DDN_COLUMNS];
    int columns = 0;
    while (columns < DDN_COLUMNS && next_part(&line, '\t', &col[columns]))
        columns++;
    must(c, columns == DDN_COLUMNS && !line.data, "not ten columns");
    if (c->fault)
        return;
    check_blanks(c, col);
    check_misc(c, col[DDN_MISC]);
    if (contains(col[DDN_ID], "-"))
        add_range(c, col);
    else
        add_word(c, col);
}

/* ---- Sentences ---- */

static void add_comment(checker *c, dodona_text line)
{
    static const char id[] = "# sent_id = ", text[] = "# text = ";
    must(c, c->n == 0 && c->tokens == 0, "a comment among the words");
    c->newdocs += starts(line, "# newdoc");
    c->newpars += starts(line, "# newpar");
    if (starts(line, text)) {
        must(c, !c->text.data, "two texts");
        c->text = (dodona_text){ line.data + strlen(text), line.size - strlen(text) };
        blanks b = find_blanks(c->text);
        must(c, !b.first && !b.last, "a text that begins or ends with a blank");
    }
    if (starts(line, id)) {
        dodona_text value = { line.data + strlen(id), line.size - strlen(id) };
        must(c, c->id_lines++ == 0, "two sent_ids");
        must(c, value.size && !find_blanks(value).any && !contains(value, "/"), "a bad sent_id");
        reserve(&c->id, &c->id_cap, c->ids + 1, sizeof *c->id);
        c->id[c->ids++] = value;
    }
}

static void check_text(checker *c)
{
    dodona_text left = c->text;
    for (size_t i = 0; i < c->tokens && !c->fault; i++) {
        const token *t = &c->token[i];
        size_t size = t->form.size + (i + 1 < c->tokens && !t->glued);
        must(c, left.size >= size && memcmp(left.data, t->form.data, t->form.size) == 0,
             "a text that is not that of the tokens");
        must(c, c->fault || size == t->form.size || left.data[size - 1] == ' ',
             "a token that lacks SpaceAfter=No");
        left = (dodona_text){ left.data + size, left.size - size };
    }
    must(c, c->fault || !left.size, "a text that goes on after the tokens");
}

/* Goes up from every word; a path that is longer than the sentence is a cycle.  Words that were
 * seen to lead to the root have head 0 from then on. */
static void check_tree(checker *c)
{
    must(c, c->roots == 1, "not one root");
    for (int i = 1; i <= c->n; i++)
        must(c, c->head[i] <= c->n, "a head that is no word");
    for (int i = 1; i <= c->n && !c->fault; i++) {
        int at = i, steps = 0, up;
        while (at && steps++ <= c->n)
            at = c->head[at];
        must(c, !at, "a cycle");
        for (at = i; !c->fault && at; at = up) {
            up = c->head[at];
            c->head[at] = 0;
        }
    }
}

static void end_sentence(checker *c)
{
    must(c, c->begun, "an empty line too many");
    must(c, c->n > 0, "a sentence without words");
    must(c, c->reach <= c->n, "a range that goes beyond the last word");
    must(c, c->id_lines, "no sent_id");
    must(c, c->text.data, "no text");
    must(c, c->newdocs <= 1 && c->newpars <= 1, "a document or paragraph that begins twice");
    must(c, c->newdocs <= c->newpars, "a document without a paragraph");
    must(c, !c->newpars || !c->glued, "a paragraph after SpaceAfter=No");
    if (!c->fault) {
        check_text(c);
        check_tree(c);
    }
    c->glued = c->tokens && c->token[c->tokens - 1].glued;
    c->begun = false;
    c->text = (dodona_text){ NULL, 0 };
    c->n = c->reach = c->roots = c->id_lines = c->newdocs = c->newpars = 0;
    c->tokens = 0;
}

static void add_line(checker *c, dodona_text line)
{
    must(c, !line.size || !memchr(line.data, '\r', line.size), "a carriage return");
    if (!line.size) {
        end_sentence(c);
        return;
    }
    c->begun = true;
    if (line.data[0] == '#')
        add_comment(c, line);
    else if (isdigit((unsigned char)line.data[0]))
        add_row(c, line);
    else
        fail(c, "a line that is neither a comment nor a word");
}

static int by_bytes(const void *a, const void *b)
{
    const dodona_text *x = a, *y = b;
    size_t least = x->size < y->size ? x->size : y->size;
    int d = memcmp(x->data, y->data, least);
    return d ? d : (x->size > y->size) - (x->size < y->size);
}

static void check_ids(checker *c)
{
    if (c->ids)
        qsort(c->id, c->ids, sizeof *c->id, by_bytes);
    for (size_t i = 1; i < c->ids; i++)
        must(c, !ddn_text_equal(c->id[i - 1], c->id[i]), "a sent_id twice");
}

const char *test_valid(const char *conllu, size_t size, int *line)
{
    checker c = { .line = 1 };
    must(&c, ddn_utf8_check(conllu, size) == size, "not UTF-8");
    for (size_t at = 0, end; at < size && !c.fault; at = end + 1) {
        const char *newline = memchr(conllu + at, '\n', size - at);
        end = newline ? (size_t)(newline - conllu) : size;
        must(&c, newline, "no line end at the end");
        add_line(&c, (dodona_text){ conllu + at, end - at });
        c.line += !c.fault;
    }
    must(&c, !c.begun, "no empty line at the end");
    check_ids(&c);
    *line = c.line;
    free(c.id);
    free(c.head);
    free(c.token);
    return c.fault;
}
