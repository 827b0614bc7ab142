/* SPDX-License-Identifier: MIT */
/* corpus.c - from sentences to the records that scoring compares.
 *
 * Everything that the scorer's keys ignore is removed here, once: spaces in forms, letter case,
 * features that are not universal and their order, subtypes of relations.  After that two values
 * agree exactly when their ids do.
 *
 * Trap: of a word inside a multiword range, the form keeps its spaces; only tokens lose theirs. */
#include "eval/corpus.h"

#include "core/array.h"
#include "tree/tree.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const content_relations[] = {
    "nsubj",  "obj",        "iobj",       "csubj",  "ccomp",     "xcomp",    "obl",   "vocative",
    "expl",   "dislocated", "advcl",      "advmod", "discourse", "nmod",     "appos", "nummod",
    "acl",    "amod",       "conj",       "fixed",  "flat",      "compound", "list",  "parataxis",
    "orphan", "goeswith",   "reparandum", "root",   "dep",
};
static const char *const functional_relations[] = {
    "aux", "cop", "mark", "det", "clf", "case", "cc"
};
static const char *const universal_features[] = {
    "PronType", "NumType", "Poss",  "Reflex",   "Foreign",  "Abbr",     "Gender",
    "Animacy",  "Number",  "Case",  "Definite", "Degree",   "VerbForm", "Mood",
    "Tense",    "Aspect",  "Voice", "Evident",  "Polarity", "Person",   "Polite",
};

#define LENGTH(a) (sizeof(a) / sizeof *(a))

/* What reading a file needs besides its records. */
typedef struct reader {
    ddn_corpus *to;
    ddn_eval_names *names;
    const ddn_sentence *s; /* at hand */
    ddn_folded fold;
    dodona_text *feature; /* of one word */
    size_t feature_cap;
    int32_t *mark;
    size_t mark_cap;
} reader;

static bool add_all(ddn_intern *t, const char *const *name, size_t n)
{
    uint32_t id;
    for (size_t i = 0; i < n; i++)
        if (!ddn_intern_add(t, name[i], strlen(name[i]), &id))
            return false;
    return true;
}

int ddn_eval_names_init(ddn_eval_names *n, dodona_error *err)
{
    ddn_intern_init(&n->table);
    n->content_end = LENGTH(content_relations);
    n->function_end = n->content_end + LENGTH(functional_relations);
    if (!add_all(&n->table, content_relations, LENGTH(content_relations)) ||
        !add_all(&n->table, functional_relations, LENGTH(functional_relations)) ||
        !ddn_intern_add(&n->table, "_", 1, &n->blank) ||
        !ddn_intern_add(&n->table, "PUNCT", 5, &n->punct))
        return ddn_fail_memory(err);
    return 0;
}

void ddn_eval_names_fini(ddn_eval_names *n)
{
    ddn_intern_fini(&n->table);
}

void ddn_corpus_fini(ddn_corpus *c)
{
    free(c->text.data);
    free(c->word);
    free(c->sentence);
    memset(c, 0, sizeof *c);
}

static bool intern(reader *r, dodona_text t, uint32_t *id)
{
    return ddn_intern_add(&r->names->table, t.data, t.size, id);
}

static bool intern_lower(reader *r, dodona_text form, uint32_t *id)
{
    r->fold.size = 0;
    return ddn_fold_lower(&r->fold, form) &&
           ddn_intern_add(&r->names->table, r->fold.data, r->fold.size, id);
}

static bool is_universal(dodona_text feature)
{
    const char *equals = memchr(feature.data, '=', feature.size);
    if (equals)
        feature.size = (size_t)(equals - feature.data);
    for (size_t i = 0; i < LENGTH(universal_features); i++)
        if (ddn_text_is(feature, universal_features[i]))
            return true;
    return false;
}

static int compare_texts(const void *pa, const void *pb)
{
    const dodona_text *a = pa, *b = pb;
    size_t common = a->size < b->size ? a->size : b->size;
    int order = memcmp(a->data, b->data, common);
    return order ? order : (a->size > b->size) - (a->size < b->size);
}

static bool intern_features(reader *r, dodona_text feats, uint32_t *id)
{
    size_t n = 0;
    for (size_t at = 0, end; at <= feats.size; at = end + 1) {
        const char *bar = at < feats.size ? memchr(feats.data + at, '|', feats.size - at) : NULL;
        end = bar ? (size_t)(bar - feats.data) : feats.size;
        dodona_text feature = { feats.data + at, end - at };
        if (!is_universal(feature))
            continue;
        if (!ddn_reserve(&r->feature, &r->feature_cap, n + 1, sizeof *r->feature))
            return false;
        r->feature[n++] = feature;
    }
    if (n > 1)
        qsort(r->feature, n, sizeof *r->feature, compare_texts);
    if (!ddn_reserve(&r->fold.data, &r->fold.capacity, feats.size + 1, 1))
        return false;
    r->fold.size = 0;
    for (size_t i = 0; i < n; i++) {
        if (i)
            r->fold.data[r->fold.size++] = '|';
        memcpy(r->fold.data + r->fold.size, r->feature[i].data, r->feature[i].size);
        r->fold.size += r->feature[i].size;
    }
    return ddn_intern_add(&r->names->table, r->fold.data, r->fold.size, id);
}

static bool intern_columns(reader *r, const ddn_row *row, ddn_eval_word *w)
{
    dodona_text deprel = ddn_sentence_span(r->s, row->col[DDN_DEPREL]);
    const char *colon = deprel.size ? memchr(deprel.data, ':', deprel.size) : NULL;
    if (colon)
        deprel.size = (size_t)(colon - deprel.data);
    if (!intern(r, ddn_sentence_span(r->s, row->col[DDN_LEMMA]), &w->lemma) ||
        !intern(r, ddn_sentence_span(r->s, row->col[DDN_UPOS]), &w->upos) ||
        !intern(r, ddn_sentence_span(r->s, row->col[DDN_XPOS]), &w->xpos) ||
        !intern_features(r, ddn_sentence_span(r->s, row->col[DDN_FEATS]), &w->feats) ||
        !intern(r, deprel, &w->deprel))
        return false;
    if (w->deprel < r->names->content_end)
        w->flags |= DDN_WORD_CONTENT;
    if (w->upos == r->names->punct)
        w->flags |= DDN_WORD_PUNCT;
    return true;
}

/* 0 for a sentence that was not read from a file.  A byte order mark is a row, but no line. */
static int64_t line_of(const reader *r, size_t row)
{
    bool mark = row > 0 && r->s->row[0].eol == 0;
    return r->s->line ? r->s->line + (int64_t)row - mark : 0;
}

/* Appends the form of a token to the text. */
static int add_token(reader *r, size_t row, uint32_t *start, uint32_t *end, dodona_error *err)
{
    ddn_corpus *c = r->to;
    size_t before = c->text.size;
    if (!ddn_fold_blanks(&c->text, ddn_sentence_span(r->s, r->s->row[row].col[DDN_FORM])))
        return ddn_fail_memory(err);
    if (c->text.size == before)
        return ddn_fail_at(err, DODONA_E_INPUT, c->name, line_of(r, row),
                           "the form is blank; a token needs a character to be compared by");
    if (c->text.size >= UINT32_MAX)
        return ddn_fail_at(err, DODONA_E_LIMIT, c->name, line_of(r, row),
                           "the file has more than 4 GiB of text, more than can be scored");
    *start = (uint32_t)before;
    *end = (uint32_t)c->text.size;
    return 0;
}

static int add_word(reader *r, size_t row, ddn_eval_word *w, dodona_error *err)
{
    dodona_text form = ddn_sentence_span(r->s, r->s->row[row].col[DDN_FORM]);
    if (!(w->flags & DDN_WORD_INNER)) {
        int status = add_token(r, row, &w->start, &w->end, err);
        if (status < 0)
            return status;
        form = (dodona_text){ r->to->text.data + w->start, w->end - w->start };
    }
    if (!intern_lower(r, form, &w->form) || !intern_columns(r, &r->s->row[row], w))
        return ddn_fail_memory(err);
    return 0;
}

static int check_tree(reader *r, dodona_error *err)
{
    static const char *const words[] = {
        [DDN_TREE_NO_HEAD] = "the word has no head; scoring needs one for every word",
        [DDN_TREE_OUT_OF_RANGE] = "the head is no word of the sentence",
        [DDN_TREE_SELF_LOOP] = "the word is its own head",
        [DDN_TREE_CYCLE] = "the word is on a cycle of heads",
        [DDN_TREE_NO_ROOT] = "the sentence has no root: no word has head 0",
        [DDN_TREE_TWO_ROOTS] = "the sentence has a second root; scoring needs exactly one",
    };
    const ddn_sentence *s = r->s;
    if (s->bad)
        return ddn_fail_at(err, DODONA_E_INPUT, r->to->name, s->line,
                           "the sentence can't be read, so it can't be scored");
    if (!ddn_reserve(&r->mark, &r->mark_cap, (size_t)s->n + 1, sizeof *r->mark))
        return ddn_fail_memory(err);
    int32_t word = 0;
    ddn_tree_fault fault = ddn_tree_check(s->head, s->n, true, r->mark, &word);
    if (fault == DDN_TREE_OK)
        return 0;
    return ddn_fail_at(err, DODONA_E_INPUT, r->to->name, line_of(r, s->word_row[word ? word : 1]),
                       "%s", words[fault]);
}

/* From the last word to the first, so that each list comes out in the order of the words. */
static void link_functions(ddn_corpus *c, size_t first, const ddn_eval_names *names)
{
    for (size_t i = c->words; i-- > first;) {
        ddn_eval_word *w = &c->word[i];
        if (w->head == DDN_NO_WORD || w->deprel < names->content_end ||
            w->deprel >= names->function_end)
            continue;
        w->next_function = c->word[w->head].function;
        c->word[w->head].function = (uint32_t)i;
    }
}

static int add_sentence(reader *r, dodona_error *err)
{
    ddn_corpus *c = r->to;
    const ddn_sentence *s = r->s;
    size_t first = c->words, n = (size_t)s->n;
    if (first + n > INT32_MAX)
        return ddn_fail_at(err, DODONA_E_LIMIT, c->name, s->line,
                           "the file has more than 2^31 - 1 words, more than can be scored");
    if (!ddn_reserve(&c->word, &c->word_cap, first + n, sizeof *c->word) ||
        !ddn_reserve(&c->sentence, &c->sentence_cap, c->sentences + 1, sizeof *c->sentence))
        return ddn_fail_memory(err);
    uint32_t start = 0, end = 0;
    int32_t range_end = 0;
    for (size_t i = 0; i < s->rows; i++) {
        int status = 0;
        if (s->row[i].kind == DDN_ROW_RANGE) {
            range_end = s->row[i].minor;
            status = add_token(r, i, &start, &end, err);
        } else if (s->row[i].kind == DDN_ROW_WORD) {
            int32_t head = s->head[s->row[i].id];
            ddn_eval_word w = { .start = start,
                                .end = end,
                                .line = line_of(r, i),
                                .head = head > 0 && head <= s->n
                                            ? (uint32_t)first + (uint32_t)head - 1
                                            : DDN_NO_WORD,
                                .function = DDN_NO_WORD,
                                .next_function = DDN_NO_WORD,
                                .flags = s->row[i].id <= range_end ? DDN_WORD_INNER : 0 };
            status = add_word(r, i, &w, err);
            c->word[c->words++] = w;
        }
        if (status < 0)
            return status;
    }
    assert(c->words == first + n);
    c->sentence[c->sentences++] = (uint32_t)first;
    link_functions(c, first, r->names);
    return 0;
}

static void free_scratch(reader *r)
{
    free(r->fold.data);
    free(r->feature);
    free(r->mark);
}

int ddn_corpus_read(ddn_corpus *c, ddn_eval_names *names, const ddn_eval_source *from,
                    dodona_error *err)
{
    memset(c, 0, sizeof *c);
    c->name = from->name;
    reader r = { .to = c, .names = names };
    int status;
    while ((status = from->next(from->ctx, &r.s, err)) > 0) {
        if (r.s->n == 0 && !r.s->bad)
            continue; /* comments at the end of a file */
        if ((status = check_tree(&r, err)) < 0 || (status = add_sentence(&r, err)) < 0)
            break;
    }
    free_scratch(&r);
    return status;
}

int ddn_corpus_add(ddn_corpus *c, ddn_eval_names *names, const ddn_sentence *s, dodona_error *err)
{
    reader r = { .to = c, .names = names, .s = s };
    int status = add_sentence(&r, err);
    free_scratch(&r);
    return status;
}

#define SHOWN 40 /* bytes of text in a message */

/* Line of the token at a place in the text; the last line when the place is the end. */
static int64_t line_at(const ddn_corpus *c, size_t at)
{
    size_t low = 0, high = c->words; /* the last word that starts at or before */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (c->word[middle].start <= at)
            low = middle;
        else
            high = middle;
    }
    while (low > 0 && c->word[low - 1].start == c->word[low].start)
        low--;
    return c->words ? c->word[low].line : 0;
}

static size_t to_boundary(const ddn_corpus *c, size_t at)
{
    while (at > 0 && at < c->text.size && ((unsigned char)c->text.data[at] & 0xc0) == 0x80)
        at--;
    return at;
}

static const char *shown(const ddn_corpus *c, size_t at, char buf[SHOWN + 16])
{
    size_t end = to_boundary(c, at + SHOWN < c->text.size ? at + SHOWN : c->text.size);
    if (at >= c->text.size)
        snprintf(buf, SHOWN + 16, "the end");
    else
        snprintf(buf, SHOWN + 16, "'%.*s%s'", (int)(end - at), c->text.data + at,
                 end < c->text.size ? "..." : "");
    return buf;
}

int ddn_corpus_same_text(const ddn_corpus *gold, const ddn_corpus *system, dodona_error *err)
{
    const ddn_folded *a = &gold->text, *b = &system->text;
    size_t common = a->size < b->size ? a->size : b->size, at = 0;
    while (at < common && a->data[at] == b->data[at])
        at++;
    if (at == a->size && at == b->size)
        return 0;
    at = to_boundary(gold, at); /* all before is equal, so it is a boundary of both */
    char after_gold[SHOWN + 16], after_system[SHOWN + 16], before[SHOWN + 16] = "";
    size_t from = to_boundary(gold, at > SHOWN ? at - SHOWN : 0);
    if (at > 0)
        snprintf(before, sizeof before, "after '%.*s' ", (int)(at - from), a->data + from);
    return ddn_fail_at(err, DODONA_E_INPUT, system->name, line_at(system, at),
                       "the text differs from that of %.100s, line %lld: %sthat has %s, "
                       "this has %s",
                       gold->name ? gold->name : "the gold file", (long long)line_at(gold, at),
                       before, shown(gold, at, after_gold), shown(system, at, after_system));
}
