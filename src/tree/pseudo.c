/* SPDX-License-Identifier: MIT */
/* pseudo.c - lifting arcs until a tree is projective, and putting them back.
 *
 * Lifting.  An arc h -> d is non-projective if some word between its ends is not below h.  The
 * shortest such arc becomes head(h) -> d.  That ends: every lift takes a word nearer to the root.
 * Only h loses descendants by it, so only the arcs out of h, and the new one, need a new look.  A
 * look walks up from each word under the arc; projective sentences, nearly all, are recognised in
 * linear time before that.
 *
 * Marks.  The lifted word remembers the label of the head it had first; every arc that it was
 * lifted past gets a path mark.
 *
 * Undoing.  A breadth-first search below the lifted word's present head, over the tree as it is by
 * then, leaving out what is below the word itself, so that no cycle can come about.  With a label
 * to look for, along marked arcs first; for words for which that leads nowhere (there are no such
 * marks in the scheme head, and a parser may forget some), along all.  Without one (path), to the
 * first node at which the marks end.  Words that find nothing are tried again while others come
 * down: with heads 5 4 0 1 0, word 4 is below 5 when word 2 looks for it below 1, and gets there
 * later. */
#include "tree/pseudo.h"

#include "core/array.h"
#include "tree/order.h"
#include "tree/tree.h"

#include <stdlib.h>

void ddn_pseudo_init(ddn_pseudo *p)
{
    *p = (ddn_pseudo){ 0 };
}

void ddn_pseudo_fini(ddn_pseudo *p)
{
    free(p->number);
    free(p->text);
}

/* ---- Lifting ---- */

static bool is_below(const int32_t *head, int32_t v, int32_t h)
{
    while (v != h && v != 0)
        v = head[v];
    return v == h;
}

static bool is_crossed(const int32_t *head, int32_t d)
{
    int32_t h = head[d], low = h < d ? h : d, high = h < d ? d : h;
    for (int32_t x = low + 1; x < high; x++)
        if (!is_below(head, x, h))
            return true;
    return false;
}

static int32_t shortest_crossed(const int32_t *head, const int32_t *crossed, int32_t n)
{
    int32_t best = 0, length = 0;
    for (int32_t d = 1; d <= n; d++) {
        int32_t now = crossed[d] ? abs(d - head[d]) : 0;
        if (now > 0 && (best == 0 || now < length)) {
            best = d;
            length = now;
        }
    }
    return best;
}

/* Lifts until nothing crosses; passed[h] is set when a word is lifted past h. */
static void lift(int32_t *head, int32_t n, int32_t *crossed, int32_t *passed)
{
    int32_t d;
    for (d = 1; d <= n; d++)
        crossed[d] = is_crossed(head, d);
    while ((d = shortest_crossed(head, crossed, n)) != 0) {
        int32_t h = head[d];
        passed[h] = 1;
        head[d] = head[h];
        crossed[d] = is_crossed(head, d);
        for (int32_t x = 1; x <= n; x++)
            if (head[x] == h)
                crossed[x] = is_crossed(head, x);
    }
}

/* ---- Labels ---- */

static bool is_mark(char c)
{
    return c == '|' || c == '%' || c == '\\';
}

/* Bytes of a label with a backslash before each mark; to NULL: only counted. */
static size_t put_escaped(char *to, dodona_text label)
{
    size_t size = 0;
    for (size_t i = 0; i < label.size; i++) {
        if (is_mark(label.data[i])) {
            if (to)
                to[size] = '\\';
            size++;
        }
        if (to)
            to[size] = label.data[i];
        size++;
    }
    return size;
}

/* A label with its marks.  base and of (the head's label) still have their backslashes. */
typedef struct marked {
    dodona_text base, of;
    bool lifted, path;
} marked;

/* The length of the text up to the first of two marks that has no backslash. */
static size_t until(dodona_text t, char a, char b)
{
    size_t i = 0;
    while (i < t.size && t.data[i] != a && t.data[i] != b)
        i += t.data[i] == '\\' && i + 1 < t.size ? 2 : 1;
    return i;
}

static marked read_marks(dodona_text label)
{
    marked m = { .base = { label.data, until(label, '|', '%') } };
    dodona_text rest = { label.data + m.base.size, label.size - m.base.size };
    m.lifted = rest.size > 0 && rest.data[0] == '|';
    if (m.lifted) {
        rest.data++;
        rest.size--;
        m.of = (dodona_text){ rest.data, until(rest, '%', '%') };
        rest.size -= m.of.size;
    }
    m.path = rest.size > 0;
    return m;
}

bool ddn_pseudo_is_lifted(dodona_text label)
{
    return read_marks(label).lifted;
}

static dodona_text unescape(char **at, dodona_text t)
{
    char *start = *at;
    for (size_t i = 0; i < t.size; i++) {
        i += t.data[i] == '\\' && i + 1 < t.size;
        *(*at)++ = t.data[i];
    }
    return (dodona_text){ start, (size_t)(*at - start) };
}

static bool is_plain(dodona_text t)
{
    for (size_t i = 0; i < t.size; i++)
        if (is_mark(t.data[i]))
            return false;
    return true;
}

static bool same(dodona_text a, dodona_text b)
{
    return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

/* ---- Encoding ---- */

/* The new label of d, at *at. */
static dodona_text encode_label(char **at, ddn_pseudo_scheme scheme, const dodona_text *label,
                                int32_t d, int32_t lifted_from, bool passed)
{
    char *start = *at;
    *at += put_escaped(*at, label[d]);
    if (lifted_from > 0) {
        *(*at)++ = '|';
        if (scheme != DDN_PSEUDO_PATH)
            *at += put_escaped(*at, label[lifted_from]);
    }
    if (passed && scheme != DDN_PSEUDO_HEAD)
        *(*at)++ = '%';
    return (dodona_text){ start, (size_t)(*at - start) };
}

static int reserve(ddn_pseudo *p, size_t numbers, size_t bytes, dodona_error *err)
{
    if (!ddn_reserve(&p->number, &p->number_cap, numbers, sizeof *p->number) ||
        !ddn_reserve(&p->text, &p->text_cap, bytes, 1))
        return ddn_fail_memory(err);
    return 0;
}

int32_t ddn_pseudo_encode(ddn_pseudo *p, ddn_pseudo_scheme scheme, const int32_t *head,
                          const dodona_text *label, int32_t n, int32_t *out_head,
                          dodona_text *out_label, dodona_error *err)
{
    size_t m = (size_t)n + 1, bytes = 1;
    int code = reserve(p, 2 * m, 1, err);
    if (code < 0)
        return code;
    bool projective = ddn_tree_is_projective(head, n, p->number);
    if (!projective && n > DDN_PSEUDO_WORDS)
        return ddn_fail(err, DODONA_E_LIMIT,
                        "a sentence of %d words is not projective; up to %d words can be encoded",
                        n, DDN_PSEUDO_WORDS);
    memcpy(out_head, head, m * sizeof *head);
    int32_t *crossed = p->number, *passed = p->number + m;
    memset(passed, 0, m * sizeof *passed);
    if (!projective)
        lift(out_head, n, crossed, passed);
    for (int32_t d = 1; d <= n; d++)
        bytes += put_escaped(NULL, label[d]) + 2 +
                 (out_head[d] != head[d] ? put_escaped(NULL, label[head[d]]) : 0);
    code = reserve(p, 2 * m, bytes, err);
    if (code < 0)
        return code;
    int32_t lifted = 0;
    char *at = p->text;
    for (int32_t d = 1; d <= n; d++) {
        bool up = out_head[d] != head[d];
        lifted += up;
        out_label[d] = encode_label(&at, scheme, label, d, up ? head[d] : 0, passed[d]);
    }
    return lifted;
}

/* ---- Decoding ---- */

typedef struct decoder {
    const dodona_text *label;
    int32_t *head;
    int32_t *memory, *queue; /* the tree's order is made in memory */
    int32_t n;
    ddn_tree_order order;
} decoder;

typedef enum search { BY_LABEL_ON_PATH, BY_LABEL, END_OF_PATH } search;

/* The first node in breadth-first order below d's head, without d, that the search is after, or
 * -1. */
static int32_t find(const decoder *k, int32_t d, dodona_text wanted, search how)
{
    int32_t from = 0, to = 0;
    k->queue[to++] = k->head[d];
    while (from < to) {
        int32_t v = k->queue[from++];
        bool ends = true;
        for (int32_t x = k->order.first[v]; x != 0; x = k->order.next[x]) {
            if (x == d)
                continue;
            marked m = read_marks(k->label[x]);
            if (how != BY_LABEL && !m.path)
                continue;
            ends = false;
            if (how != END_OF_PATH && same(m.base, wanted))
                return x;
            k->queue[to++] = x;
        }
        if (how == END_OF_PATH && ends && v != k->head[d])
            return v;
    }
    return -1;
}

static bool lower(decoder *k, int32_t d, bool any_path)
{
    marked m = read_marks(k->label[d]);
    search how = m.of.size == 0 ? END_OF_PATH : any_path ? BY_LABEL : BY_LABEL_ON_PATH;
    int32_t to = find(k, d, m.of, how);
    if (to < 0)
        return false;
    k->head[d] = to;
    ddn_tree_order_make(&k->order, k->head, k->n, k->memory);
    return true;
}

/* Lowers those of count words that can be, in their order, again and again, as a head that is
 * sought may itself have to come down first; leaves the others in the list and returns how many. */
static int32_t lower_all(decoder *k, int32_t *list, int32_t count, bool any_path)
{
    for (int32_t before = count + 1; count < before;) {
        before = count;
        count = 0;
        for (int32_t x = 0; x < before; x++)
            if (!lower(k, list[x], any_path))
                list[count++] = list[x];
    }
    return count;
}

/* The lifted words from the top down, level by level, each level from left to right. */
static int32_t list_lifted(const decoder *k, int32_t *list)
{
    int32_t to = 0, count = 0;
    k->queue[to++] = 0;
    for (int32_t from = 0; from < to; from++)
        for (int32_t x = k->order.first[k->queue[from]]; x != 0; x = k->order.next[x]) {
            k->queue[to++] = x;
            if (read_marks(k->label[x]).lifted && count < DDN_PSEUDO_WORDS)
                list[count++] = x;
        }
    return count;
}

int32_t ddn_pseudo_decode(ddn_pseudo *p, const int32_t *head, const dodona_text *label, int32_t n,
                          int32_t *out_head, dodona_text *out_label, dodona_error *err)
{
    size_t m = (size_t)n + 1, bytes = 1, marks = 0;
    for (int32_t d = 1; d <= n; d++) {
        marks += !is_plain(label[d]);
        bytes += is_plain(label[d]) ? 0 : label[d].size;
    }
    memcpy(out_head, head, m * sizeof *head);
    for (int32_t d = 1; d <= n; d++)
        out_label[d] = label[d];
    if (marks == 0)
        return 0;
    int code = reserve(p, DDN_TREE_ORDER_SIZE(n) + 2 * m, bytes, err);
    if (code < 0)
        return code;
    int32_t *list = p->number + DDN_TREE_ORDER_SIZE(n) + m;
    decoder k = { .label = label,
                  .head = out_head,
                  .memory = p->number,
                  .queue = p->number + DDN_TREE_ORDER_SIZE(n),
                  .n = n };
    ddn_tree_order_make(&k.order, out_head, n, k.memory);
    int32_t lifted = list_lifted(&k, list);
    int32_t waiting = lower_all(&k, list, lifted, false);
    waiting = lower_all(&k, list, waiting, true);
    char *at = p->text;
    for (int32_t d = 1; d <= n; d++)
        if (!is_plain(label[d]))
            out_label[d] = unescape(&at, read_marks(label[d]).base);
    return lifted - waiting;
}
