/* SPDX-License-Identifier: MIT */
/* splitter.c - finds the rule of a token's longest ending, in a trie from the last character
 * backwards.
 *
 * A hash table holds every path that is the end of some rule's ending, so a look-up goes backwards
 * through the token for as long as paths are there, which for most tokens is two or three
 * characters, and remembers the last rule on the way. */
#include "pipeline/splitter.h"

#include "core/array.h"
#include "pipeline/keys.h"

#include <stdlib.h>
#include <utf8proc.h>

enum { FIRST_NODES = 1 << 10 };

/* The path beyond the first character of a token. */
static const uint64_t before_first = UINT32_MAX;

static uint64_t longer(uint64_t path, uint64_t next)
{
    uint64_t key = ddn_key(path, next);
    return key ? key : 1;
}

static struct ddn_split_node *find(const ddn_splitter *s, uint64_t key)
{
    uint64_t at = key & s->mask;
    while (s->node[at].key && s->node[at].key != key)
        at = (at + 1) & s->mask;
    return &s->node[at];
}

/* ---- Splitting ---- */

static const ddn_split_rule *rule_for(const ddn_splitter *s, const ddn_char *text, uint32_t from,
                                      uint32_t to)
{
    uint32_t rule = 0;
    uint64_t path = 0;
    for (uint32_t i = to;; i--) {
        path = longer(path, i > from ? text[i - 1].fold : before_first);
        const struct ddn_split_node *node = find(s, path);
        if (!node->key)
            break;
        rule = node->rule ? node->rule : rule;
        if (i == from)
            break;
    }
    return rule ? &s->rule[rule - 1] : NULL;
}

static int put_cuts(const ddn_split_rule *r, const ddn_char *text, uint32_t from, uint32_t to,
                    const char *bytes, ddn_output *words)
{
    uint32_t cut = 0, end = to;
    for (int i = 1; i < r->words; i++)
        cut += r->cut[i];
    if (cut >= to - from)
        return 1;
    size_t stop = text[to - 1].at + (size_t)utf8proc_utf8class[(uint8_t)bytes[text[to - 1].at]];
    uint32_t at = from;
    end = to - cut;
    for (int i = 0; i < r->words; i++) {
        size_t next = end < to ? text[end].at : stop;
        ddn_put(words, "\t", 1);
        ddn_put(words, bytes + text[at].at, next - text[at].at);
        at = end;
        end += i + 1 < r->words ? r->cut[i + 1] : 0;
    }
    return r->words;
}

/* How many letters from the first on are to be capitals: all, one or none. */
static size_t capitals(const ddn_char *text, uint32_t from, uint32_t to)
{
    uint32_t upper = 0;
    for (uint32_t i = from; i < to; i++)
        if (text[i].class == UTF8PROC_CATEGORY_LU)
            upper++;
        else if (ddn_char_is_letter(&text[i]))
            return text[from].class == UTF8PROC_CATEGORY_LU;
    return upper > 1 ? SIZE_MAX : upper;
}

static int put_words(const ddn_split_rule *r, size_t capital, ddn_output *words)
{
    dodona_text t = r->text;
    while (t.size) {
        utf8proc_int32_t c;
        utf8proc_ssize_t size =
            utf8proc_iterate((const utf8proc_uint8_t *)t.data, (utf8proc_ssize_t)t.size, &c);
        utf8proc_uint8_t bytes[4];
        utf8proc_ssize_t made = 0;
        if (capital && c != '\t') {
            made = utf8proc_encode_char(utf8proc_toupper(c), bytes);
            capital--;
        }
        ddn_put(words, made ? (const char *)bytes : t.data, (size_t)(made ? made : size));
        t.data += size;
        t.size -= (size_t)size;
    }
    return r->words;
}

int ddn_splitter_split(const ddn_splitter *s, const ddn_char *text, uint32_t from, uint32_t to,
                       const char *bytes, ddn_output *words)
{
    const ddn_split_rule *r = rule_for(s, text, from, to);
    if (!r || r->words == 1)
        return 1;
    if (r->text.size)
        return put_words(r, capitals(text, from, to), words);
    return put_cuts(r, text, from, to, bytes, words);
}

/* ---- Reading the rules ---- */

static int refuse(dodona_error *err)
{
    return ddn_fail(err, DODONA_E_MODEL, "a rule for multiword tokens is invalid");
}

static bool grow(ddn_splitter *s)
{
    uint64_t cells = s->node ? (s->mask + 1) * 2 : FIRST_NODES;
    ddn_splitter old = *s;
    s->node = calloc(cells, sizeof *s->node);
    if (!s->node) {
        s->node = old.node;
        return false;
    }
    s->mask = cells - 1;
    for (uint64_t i = 0; old.node && i <= old.mask; i++)
        if (old.node[i].key)
            *find(s, old.node[i].key) = old.node[i];
    free(old.node);
    return true;
}

static struct ddn_split_node *enter(ddn_splitter *s, uint64_t key)
{
    if ((s->nodes + 1) * 2 > s->mask && !grow(s))
        return NULL;
    struct ddn_split_node *node = find(s, key);
    s->nodes += !node->key;
    node->key = key;
    return node;
}

/* The field up to a tab or the end of the line. */
static dodona_text field(dodona_text *line)
{
    const char *tab = line->size ? memchr(line->data, '\t', line->size) : NULL;
    dodona_text f = { line->data, tab ? (size_t)(tab - line->data) : line->size };
    line->data += f.size + (tab != NULL);
    line->size -= f.size + (tab != NULL);
    return f;
}

/* Enters the path of an ending; its last node is to get a rule. */
static struct ddn_split_node *path_of(ddn_splitter *s, dodona_text ending, bool whole)
{
    struct ddn_split_node *node = NULL;
    uint64_t path = 0;
    for (size_t at = ending.size; at > 0;) {
        size_t end = at;
        do
            at--;
        while (at > 0 && ((unsigned char)ending.data[at] & 0xc0) == 0x80);
        utf8proc_int32_t c;
        if (utf8proc_iterate((const utf8proc_uint8_t *)ending.data + at,
                             (utf8proc_ssize_t)(end - at), &c) != (utf8proc_ssize_t)(end - at))
            return NULL;
        path = longer(path, (uint64_t)c);
        if (!(node = enter(s, path)))
            return NULL;
    }
    return whole ? enter(s, longer(path, before_first)) : node;
}

static int read_number(dodona_text f)
{
    int x = 0;
    for (size_t i = 0; i < f.size && f.size < 5; i++) {
        if (f.data[i] < '0' || f.data[i] > '9')
            return 0;
        x = x * 10 + f.data[i] - '0';
    }
    return x;
}

static bool read_rule(ddn_split_rule *r, dodona_text line)
{
    dodona_text all = line, first = field(&line);
    *r = (ddn_split_rule){ .words = 1 };
    if (first.size == 1 && first.data[0] == '.')
        return line.size == 0;
    if (all.size && all.data[all.size - 1] == '\t')
        return false; /* a word that is empty */
    bool words = first.size == 1 && first.data[0] == '=';
    if (words) {
        r->text = (dodona_text){ all.data + 1, all.size - 1 };
        r->words = 0;
    }
    for (dodona_text f = words ? field(&line) : first;; f = field(&line)) {
        int length = words ? f.size != 0 : read_number(f);
        if (!length || r->words == DDN_SPLIT_WORDS)
            return false;
        r->cut[r->words++] = (uint16_t)length;
        if (!line.size)
            break;
    }
    if (words && utf8proc_decompose((const utf8proc_uint8_t *)r->text.data,
                                    (utf8proc_ssize_t)r->text.size, NULL, 0, 0) < 0)
        return false;
    return r->words > 1;
}

static int read_line(ddn_splitter *s, dodona_text line, dodona_error *err)
{
    dodona_text kind = field(&line), ending = field(&line);
    if (kind.size != 1 || (kind.data[0] != 'e' && kind.data[0] != 'w') || !ending.size)
        return refuse(err);
    if (!ddn_reserve(&s->rule, &s->rule_cap, s->rules + 1, sizeof *s->rule))
        return ddn_fail_memory(err);
    struct ddn_split_node *node = path_of(s, ending, kind.data[0] == 'w');
    if (!node || !read_rule(&s->rule[s->rules], line))
        return refuse(err);
    node->rule = (uint32_t)++s->rules;
    return DODONA_OK;
}

int ddn_splitter_open(ddn_splitter *s, const char *text, size_t size, dodona_error *err)
{
    memset(s, 0, sizeof *s);
    int status = grow(s) ? DODONA_OK : ddn_fail_memory(err);
    while (size && status >= 0) {
        const char *end = memchr(text, '\n', size);
        size_t length = end ? (size_t)(end - text) : size;
        status = end ? read_line(s, (dodona_text){ text, length }, err) : refuse(err);
        text += length + 1;
        size -= length + (end != NULL);
    }
    if (status < 0)
        ddn_splitter_close(s);
    return status;
}

void ddn_splitter_close(ddn_splitter *s)
{
    free(s->node);
    free(s->rule);
    memset(s, 0, sizeof *s);
}
