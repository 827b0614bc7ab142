/* SPDX-License-Identifier: MIT */
/* projectivize.c - the projective tree that keeps the most heads (Nederhof 2019, section 3).
 *
 * Parsing with the grammar of Table 3 and w(h,d) = [h is d's head] finds it in cubic time.  Most
 * words need no parsing.  Call v whole if it and its descendants are contiguous and no arc among
 * them crosses another.  Then every optimal tree keeps all arcs below v: whatever it makes of v's
 * words, putting the old subtree back in their place, and hanging from v what hung from them, keeps
 * more.  So for a whole v whose head is not whole
 *
 *   - v itself may get any head;
 *   - every word below it has the head that it had;
 *   - words from outside can hang only from v, its leftmost left child, that one's leftmost left
 *     child and so on, and from the right spine likewise: all others are covered by an arc.
 *
 * Only these spines go into the chart, with the arcs of the spines forced, beside all words that
 * are not whole.  Attachments to different words are different trees, so the number of optimal
 * trees is not changed either.  Whole words are found by a shift-reduce pass, which ends with 0
 * whole if and only if the tree is projective: then that is all.
 *
 * The tie-breaking of the header is in the weights: a kept head counts U1, a new head that is no
 * ancestor -U2, an ancestor minus the levels climbed, with U1 > all U2 together > all levels
 * together.  best.c finds the smallest head vector.  Words outside the chart have the same heads in
 * all candidates, so the smallest vector over the chart's words is the smallest of all.
 *
 * Compared with all projective trees by brute force: tests/chart/test_projectivize.c. */
#include "chart/projectivize.h"

#include "tree/tree.h"

#include <string.h>

/* The words of a tree that go into the chart; arrays are [n+1]. */
typedef struct reduction {
    const int32_t *head;
    int32_t n;
    int32_t *missing;      /* [2(n+1)] as ddn_tree_is_projective leaves it; 0: the node is whole */
    int32_t *first, *last; /* outermost children, 0: none */
    int32_t *word;         /* [nodes] the word of each node of the chart */
    int32_t *node;         /* the node of each word, 0: not in the chart (or the root) */
    int32_t *small;        /* [nodes] heads found, as nodes */
    int32_t nodes;         /* without 0 */
    int32_t forced;        /* nodes whose head is known */
} reduction;

void ddn_projectivizer_init(ddn_projectivizer *p)
{
    *p = (ddn_projectivizer){ 0 };
    ddn_split_plan_make(&p->plan, &ddn_split_projective);
    ddn_split_count_init(&p->count);
}

void ddn_projectivizer_fini(ddn_projectivizer *p)
{
    ddn_split_count_fini(&p->count);
    ddn_arena_fini(&p->arena);
}

static bool begin(ddn_projectivizer *p, reduction *r, const int32_t *head, int32_t n)
{
    size_t m = (size_t)n + 1;
    ddn_arena *a = &p->arena;
    ddn_arena_reset(a);
    *r = (reduction){ .head = head,
                      .n = n,
                      .missing = ddn_arena_take(a, 2 * m, sizeof *r->missing),
                      .first = ddn_arena_take(a, m, sizeof *r->first),
                      .last = ddn_arena_take(a, m, sizeof *r->last),
                      .word = ddn_arena_take(a, m, sizeof *r->word),
                      .node = ddn_arena_take(a, m, sizeof *r->node),
                      .small = ddn_arena_take(a, m, sizeof *r->small) };
    return !a->failed;
}

static bool has_one_root(const int32_t *head, int32_t n)
{
    int32_t roots = 0;
    for (int32_t i = 1; i <= n; i++)
        roots += head[i] == 0;
    return roots == 1;
}

/* Below a whole node: its head is known. */
static inline bool is_inner(const reduction *r, int32_t i)
{
    return r->missing[i] == 0 && r->head[i] != 0 && r->missing[r->head[i]] == 0;
}

/* Chooses and numbers the words of the chart. */
static int reduce(reduction *r, dodona_error *err)
{
    for (int32_t i = 0; i <= r->n; i++)
        r->first[i] = r->last[i] = r->node[i] = 0;
    for (int32_t i = 1; i <= r->n; i++) {
        int32_t h = r->head[i];
        if (r->first[h] == 0)
            r->first[h] = i;
        r->last[h] = i;
    }
    for (int32_t i = 1; i <= r->n; i++) {
        if (is_inner(r, i))
            continue;
        r->node[i] = 1;
        if (r->missing[i] != 0)
            continue;
        for (int32_t u = r->first[i], h = i; u != 0 && u < h; h = u, u = r->first[u])
            r->node[u] = 1;
        for (int32_t u = r->last[i], h = i; u > h; h = u, u = r->last[u])
            r->node[u] = 1;
    }
    r->word[0] = r->nodes = r->forced = 0;
    for (int32_t i = 1; i <= r->n; i++)
        if (r->node[i]) {
            r->node[i] = ++r->nodes;
            r->word[r->nodes] = i;
            r->forced += is_inner(r, i);
        }
    if (r->nodes > DDN_PROJECTIVIZE_WORDS)
        return ddn_fail(err, DODONA_E_LIMIT,
                        "%d words stand where arcs cross; up to %d can be made projective",
                        r->nodes, DDN_PROJECTIVIZE_WORDS);
    return 0;
}

/* ---- Weights ---- */

/* keep: of a head that is kept; other: of any other head; climb: of an ancestor, a level. */
static int weigh(ddn_projectivizer *p, const reduction *r, int64_t keep, int64_t other,
                 int64_t climb, dodona_error *err)
{
    size_t side = (size_t)r->nodes + 1;
    int64_t *w = p->weight = ddn_arena_take(&p->arena, side * side, sizeof *w);
    if (!w)
        return ddn_fail_memory(err);
    w[0] = other;
    for (size_t d = 1; d < side; d++)
        w[d] = is_inner(r, r->word[d]) ? DDN_SPLIT_BEST_NONE : other;
    for (size_t h = 1; h < side; h++)
        memcpy(w + h * side, w, side * sizeof *w);
    for (size_t d = 1; d < side; d++) {
        int32_t h = r->head[r->word[d]];
        if (is_inner(r, r->word[d])) {
            w[(size_t)r->node[h] * side + d] = 0;
            continue;
        }
        w[(size_t)r->node[h] * side + d] = keep;
        int64_t level = 0;
        while (climb != 0 && h != 0) {
            h = r->head[h];
            level += climb;
            w[(size_t)r->node[h] * side + d] = level;
        }
    }
    return 0;
}

int32_t ddn_projectivize(ddn_projectivizer *p, const int32_t *head, int32_t n, bool one_root,
                         int32_t *out, dodona_error *err)
{
    reduction r;
    if (!begin(p, &r, head, n))
        return ddn_fail_memory(err);
    bool as_it_is = ddn_tree_is_projective(head, n, r.missing) &&
                    (!one_root || n == 0 || has_one_root(head, n));
    int code = as_it_is ? 0 : reduce(&r, err);
    if (code < 0)
        return code;
    if (!as_it_is) {
        int64_t u2 = (int64_t)r.nodes * n + 1, u1 = u2 * (r.nodes + 1);
        ddn_split_input in = { &p->plan, NULL, r.nodes, one_root };
        code = weigh(p, &r, u1, -u2, -1, err);
        if (code < 0)
            return code;
        if (!ddn_split_best_take(&p->best, &p->plan, r.nodes, &p->arena))
            return ddn_fail_memory(err);
        ddn_split_best_value(&p->best, &in, p->weight);
        ddn_split_best_tree(&p->best, &in, p->weight, r.small);
    }
    if (out != head)
        memcpy(out + 1, head + 1, (size_t)n * sizeof *out);
    out[0] = -1;
    int32_t changed = 0;
    for (int32_t d = 1; d <= r.nodes; d++) {
        int32_t i = r.word[d], h = r.word[r.small[d]];
        changed += h != out[i];
        out[i] = h;
    }
    return changed;
}

int ddn_projectivize_count(ddn_projectivizer *p, const int32_t *head, int32_t n, bool one_root,
                           int32_t *kept, const ddn_big **count, dodona_error *err)
{
    reduction r;
    if (!begin(p, &r, head, n))
        return ddn_fail_memory(err);
    if (ddn_tree_is_projective(head, n, r.missing) &&
        (!one_root || n == 0 || has_one_root(head, n))) {
        ddn_big_pool_clear(&p->count.pool);
        if (p->count.pool.failed)
            return ddn_fail_memory(err);
        *kept = n;
        *count = &p->count.pool.big[DDN_BIG_ONE];
        return 0;
    }
    int64_t best;
    int code = reduce(&r, err);
    if (code >= 0)
        code = weigh(p, &r, 1, 0, 0, err);
    if (code < 0)
        return code;
    ddn_split_input in = { &p->plan, NULL, r.nodes, one_root };
    code = ddn_split_count_best(&p->count, &in, p->weight, &best, count, err);
    if (code >= 0)
        *kept = n - r.nodes + r.forced + (int32_t)best;
    return code;
}
