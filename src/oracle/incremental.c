/* SPDX-License-Identifier: MIT */
/* incremental.c - the optimal step of arc-standard along a derivation, for projective gold trees.
 *
 * The scores are those of linear.c.  Nederhof 2019, section 7, remarks that most of them stay the
 * same after a move; here they are kept.  Say f(i, s) = score(i-1, i, s) is the score of the stack
 * up to a_i, with the component that a_i waits for in state s.
 *   - f(i, none) depends on a_0..a_i and on b only: what a_i waits for, if its own head is not
 *     ahead, matters in the other states only.  Those are kept together with what a_i waited for,
 *     and equal f(i, none) when no element below a_i has a gold arc to that component.
 *   - every other score starts from the top, goes down a few elements, and ends in an f.
 * So there is a row of f for the present buffer, and a second one for the buffer after a shift.
 * They differ only from the lowest element on that has a gold arc to b (`split`); below it, the
 * first row is used for both.  A shift makes the second row the first one and starts a new second
 * row from the new split; a reduction drops the end of both rows.  The three moves then cost one
 * look at the row (right-arc) and two walks from the top (left-arc, shift).
 *
 * Each stack is compared with that of the question before, and the scores of the common part are
 * kept.  Any question may follow any other; only where the buffer is longer than before is
 * everything computed anew.
 *
 * The time for a move depends on the number of elements above the split.  These are few on the way
 * to good trees, where b is connected with elements near the top.  It does not depend on the length
 * of stack and buffer, apart from the comparison of stacks.  The worst case is a stack full of
 * words that all should have been reduced.
 *
 * Strategies.  strict-lbr: nothing below the top takes left children, so no f lets a_i do so.  lbr:
 * after a shift the old top takes none; its f is computed anew for that question (`pin`).  rbl:
 * after left-arc the top takes no right children. */
#include "oracle/standard.h"
#include "system/kinds.h"

#include <string.h>

enum { NOW, THEN }; /* the buffer from b on, or from b + 1 on */

/* f(i, s) for each state. */
typedef struct scores {
    int32_t none, consumed, fresh;
    int32_t waits; /* the word for which consumed and fresh were computed; -1: none */
} scores;

enum { UNKNOWN = -1 };

typedef struct element {
    int32_t word;
    int32_t low; /* the lowest element below with a gold arc to it or from it, or DDN_NOWHERE */
    scores row[2];
} element;

typedef struct space {
    ddn_oracle_space base;
    ddn_standard_tree tree;
    int32_t depth, next;
    int32_t next_head; /* the gold head of the next word; -1: there is no next word */
    int32_t next_low;  /* the lowest element with a gold arc to the next word or from it */
    int32_t split;    /* elements below it have the same row[NOW] and row[THEN]; only NOW is kept */
    int32_t known[2]; /* how many elements' rows are computed */
    int32_t pin;      /* the element that takes no left children in this question, or -1 */
    scores pinned;    /* and its row */
    element *at;      /* [depth] */
    int32_t *stack;   /* [depth] the words again, for comparison */
    int32_t *place;   /* [n + 1] index on the stack, or -1 */
    int32_t *ahead;   /* [n + 1] gold children to the right of the word that are in the buffer */
    int32_t *attached; /* [n + 1] by component, the lowest element whose head is in it */
} space;

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* ---- Elements ---- */

/* The gold head of a word on the stack, if it is in the buffer; 0: it is not. */
static int32_t head_ahead(const space *w, int side, int32_t word)
{
    int32_t h = w->base.gold->head[word];
    return h >= w->next + side ? h : 0;
}

static int32_t children_ahead(const space *w, int side, int32_t word)
{
    return w->ahead[word] - (side == THEN && w->next_head == word);
}

static int32_t first_ahead(const space *w, int side, int32_t word)
{
    int32_t count = children_ahead(w, side, word);
    return count ? w->base.gold->child[w->base.gold->first[word + 1] - count] : 0;
}

/* The lowest element with a gold arc to or from a component: the component's head, if that is on
 * the stack, since all others lie between the two.  Otherwise the one whose head is in it; of
 * several, the lowest has the rightmost head, so if that is no longer ahead, none is. */
static int32_t reach_of(const space *w, int side, int32_t part)
{
    int32_t h = w->base.gold->head[part];
    if (h >= 0 && w->place[h] >= 0)
        return w->place[h];
    int32_t i = w->attached[part];
    return i != DDN_NOWHERE && head_ahead(w, side, w->at[i].word) ? i : DDN_NOWHERE;
}

/* Down to which element a word goes that takes element i without a gold arc. */
static int32_t jump(const space *w, int32_t i)
{
    return smaller(w->at[i].low, i - 1);
}

/* ---- Scores ---- */

static int32_t score_in_state(space *w, int side, int32_t i, int state, int32_t waits);

static inline scores *scores_at(space *w, int side, int32_t i)
{
    if (i == w->pin)
        return &w->pinned;
    return &w->at[i].row[side == THEN && i >= w->split ? THEN : NOW];
}

/* f(i, state), when a_i waits for waits. */
static inline int32_t score_of(space *w, int side, int32_t i, int state, int32_t waits)
{
    if (state == DDN_NONE)
        return scores_at(w, side, i)->none;
    return score_in_state(w, side, i, state, waits);
}

/* score'(i, x).  waits: what the elements above i wait for. */
static int32_t under_critical(space *w, int side, int32_t i, int32_t x, int32_t waits)
{
    const int32_t *summit = w->tree.summit;
    int32_t part = summit[x], reach = reach_of(w, side, part), gain = 0, best = -1;
    while (i >= 0) {
        int32_t word = w->at[i].word, h = head_ahead(w, side, word);
        bool joined = h && summit[h] == part;
        int state = DDN_NONE;
        waits = h ? h : waits;
        if (summit[waits] == part && (joined || reach < i)) /* else the state does not matter */
            state = waits != x ? DDN_FRESH : DDN_CONSUMED;
        best =
            larger(best, gain + children_ahead(w, side, word) + score_of(w, side, i, state, waits));
        if (joined) {
            gain++;
            x = h;
            i--;
        } else if (reach < i) {
            i = jump(w, i);
        } else {
            return best;
        }
    }
    return larger(best, gain);
}

/* The top of the stack in a walk, and the state of its component. */
typedef struct top {
    int32_t word, low, waits;
    int state;
    bool no_left;
} top;

/* score(i, top, state) */
static int32_t under(space *w, int side, int32_t i, top t)
{
    const int32_t *head = w->base.gold->head, *summit = w->tree.summit;
    int32_t h = head_ahead(w, side, t.word), own = h ? h : t.waits, part = summit[own];
    int32_t waits = own, gain = 0, best = -1;
    while (i >= 0) {
        int32_t word = w->at[i].word, h_i = head_ahead(w, side, word), above = waits;
        int state = DDN_NONE;
        waits = h_i ? h_i : waits;
        if (t.state != DDN_NONE && summit[waits] == part)
            state = waits != own ? DDN_FRESH : t.state;
        bool spent = t.state != DDN_NONE && part && first_ahead(w, side, word) == part;
        best = larger(best, gain + children_ahead(w, side, word) - spent + (head[t.word] == word) +
                                score_of(w, side, i, state, waits));
        if (h && t.state != DDN_CONSUMED)
            best =
                larger(best, gain + (t.state == DDN_NONE) + under_critical(w, side, i, h, above));
        if (t.no_left)
            return best;
        if (head[word] == t.word) {
            gain++;
            i--;
        } else if (t.low < i) {
            i = jump(w, i);
        } else {
            return best;
        }
    }
    return larger(best, gain);
}

static int32_t work_out(space *w, int side, int32_t i, int state, int32_t waits)
{
    bool no_left = w->base.options.strategy == DDN_STRATEGY_STRICT_LBR || i == w->pin;
    return under(w, side, i - 1, (top){ w->at[i].word, w->at[i].low, waits, state, no_left });
}

/* Whether the state of what a_i waits for can matter to f(i, s). */
static bool state_matters(const space *w, int side, int32_t i, int32_t part)
{
    int32_t h = head_ahead(w, side, w->at[i].word);
    return h ? w->tree.summit[h] == part : reach_of(w, side, part) < i;
}

/* f(i, consumed) and f(i, fresh): the scores of lower elements that they need are computed first,
 * so that recursion stays shallow. */
static void work_out_states(space *w, int side, int32_t i, int32_t waits)
{
    int32_t part = w->tree.summit[waits], from = i;
    for (; from >= 0 && state_matters(w, side, from, part); from--) {
        int32_t h = head_ahead(w, side, w->at[from].word);
        scores *f = scores_at(w, side, from);
        waits = h ? h : waits;
        if (f->waits != waits) {
            f->waits = waits;
            f->consumed = f->fresh = UNKNOWN;
        }
    }
    while (++from <= i) {
        scores *f = scores_at(w, side, from);
        if (f->fresh != UNKNOWN)
            continue;
        f->consumed = work_out(w, side, from, DDN_CONSUMED, f->waits);
        f->fresh = work_out(w, side, from, DDN_FRESH, f->waits);
    }
}

static int32_t score_in_state(space *w, int side, int32_t i, int state, int32_t waits)
{
    scores *f = scores_at(w, side, i);
    if (!state_matters(w, side, i, w->tree.summit[waits]))
        return f->none;
    if (f->waits != waits)
        work_out_states(w, side, i, waits);
    return state == DDN_CONSUMED ? f->consumed : f->fresh;
}

/* Computes the row of the elements below end. */
static void work_out_row(space *w, int side, int32_t end)
{
    if (side == THEN) {
        int32_t same = smaller(end, w->split);
        work_out_row(w, NOW, same);
        w->known[THEN] = larger(w->known[THEN], same);
    }
    for (; w->known[side] < end; w->known[side]++) {
        int32_t i = w->known[side];
        scores *f = &w->at[i].row[side];
        f->waits = -1;
        f->none = work_out(w, side, i, DDN_NONE, 0);
    }
}

/* ---- Moves ---- */

static int32_t after_shift(space *w)
{
    int32_t k = w->depth - 1, b = w->next;
    bool pin = w->base.options.strategy == DDN_STRATEGY_LBR;
    work_out_row(w, THEN, pin ? k : k + 1);
    if (pin) {
        w->pin = k;
        w->pinned.waits = -1;
        w->pinned.none = work_out(w, THEN, k, DDN_NONE, 0);
    }
    int32_t v = w->tree.inside[b + 1] + w->ahead[b] +
                under(w, THEN, k, (top){ .word = b, .low = w->next_low });
    w->pin = -1;
    return v;
}

static int32_t after_left(space *w)
{
    int32_t k = w->depth - 1, s0 = w->at[k].word;
    work_out_row(w, NOW, k - 1);
    int32_t v = under(w, NOW, k - 2, (top){ .word = s0, .low = w->at[k].low });
    if (w->base.options.strategy != DDN_STRATEGY_RBL)
        v += w->ahead[s0];
    return w->tree.inside[w->next] + v + (w->base.gold->head[w->at[k - 1].word] == s0);
}

static int32_t after_right(space *w)
{
    int32_t k = w->depth - 1, s1 = w->at[k - 1].word;
    work_out_row(w, NOW, k);
    return w->tree.inside[w->next] + w->at[k - 1].row[NOW].none + w->ahead[s1] +
           (w->base.gold->head[w->at[k].word] == s1);
}

static int32_t score(space *w, int kind)
{
    return kind == DDN_STANDARD_SHIFT  ? after_shift(w)
           : kind == DDN_STANDARD_LEFT ? after_left(w)
                                       : after_right(w);
}

/* ---- From one configuration to the next ---- */

/* The lowest element with a gold arc to or from a word that is to go on top of all. */
static int32_t lowest_tie(const space *w, int32_t word)
{
    const ddn_gold *g = w->base.gold;
    if (g->head[word] < word && w->place[g->head[word]] >= 0)
        return w->place[g->head[word]]; /* its children lie between the two */
    for (int32_t c = g->first[word]; c < g->first[word + 1] && g->child[c] < word; c++)
        if (w->place[g->child[c]] >= 0)
            return w->place[g->child[c]];
    return DDN_NOWHERE;
}

static void set_split(space *w, int32_t low)
{
    w->next_low = w->split = low;
    if (low != DDN_NOWHERE && w->next_head == w->at[low].word)
        w->split++; /* what a head may take matters from the next element on */
}

static void pop(space *w)
{
    int32_t i = --w->depth, word = w->at[i].word, h = w->base.gold->head[word];
    w->place[word] = -1;
    if (h > word && w->attached[w->tree.summit[h]] == i)
        w->attached[w->tree.summit[h]] = DDN_NOWHERE;
    if (w->next_low == i)
        w->next_low = w->split = DDN_NOWHERE;
    w->known[NOW] = smaller(w->known[NOW], i);
    w->known[THEN] = smaller(w->known[THEN], i);
}

static void push(space *w, int32_t word, int32_t low)
{
    int32_t i = w->depth++, h = head_ahead(w, NOW, word);
    w->at[i].word = w->stack[i] = word;
    w->at[i].low = low;
    w->place[word] = i;
    if (h) {
        int32_t *attached = &w->attached[w->tree.summit[h]];
        if (*attached == DDN_NOWHERE || !head_ahead(w, NOW, w->at[*attached].word))
            *attached = i;
    }
    if (w->next_low == DDN_NOWHERE && (h == w->next || w->next_head == word))
        set_split(w, i);
}

static void look_ahead(space *w)
{
    w->next_head = w->next <= w->base.gold->n ? w->base.gold->head[w->next] : -1;
}

/* The next word leaves the buffer. */
static void pass(space *w)
{
    int32_t b = w->next++, h = w->base.gold->head[b];
    if (w->known[THEN] > w->split) {
        for (int32_t i = w->split; i < w->known[THEN]; i++)
            w->at[i].row[NOW] = w->at[i].row[THEN];
        w->known[NOW] = w->known[THEN];
    } else {
        w->known[NOW] = smaller(w->known[NOW], w->split);
    }
    if (h < b)
        w->ahead[h]--;
    look_ahead(w);
    set_split(w, w->next_head < 0 ? DDN_NOWHERE : lowest_tie(w, w->next));
    w->known[THEN] = smaller(w->known[NOW], w->split);
}

static void restart(space *w)
{
    const ddn_gold *g = w->base.gold;
    for (int32_t x = 0; x <= g->n; x++) {
        w->place[x] = -1;
        w->attached[x] = DDN_NOWHERE;
        w->ahead[x] = 0;
    }
    for (int32_t x = 1; x <= g->n; x++)
        w->ahead[g->head[x]] += g->head[x] < x;
    w->depth = 0;
    w->next = 1;
    look_ahead(w);
    w->pin = -1;
    w->known[NOW] = w->known[THEN] = 0;
    w->next_low = w->split = DDN_NOWHERE;
    push(w, 0, DDN_NOWHERE);
}

/* How many elements the stacks share.  Most differ at the top or not at all. */
static int32_t common(const space *w, const ddn_state *s)
{
    int32_t keep = smaller(w->depth, s->depth);
    while (keep > 0 && w->stack[keep - 1] != s->stack[keep - 1])
        keep--;
    if (memcmp(w->stack, s->stack, (size_t)keep * sizeof *w->stack) == 0)
        return keep;
    for (keep = 0; w->stack[keep] == s->stack[keep];)
        keep++;
    return keep;
}

static void follow(space *w, const ddn_state *s)
{
    if (s->next < w->next)
        restart(w);
    int32_t keep = common(w, s), last = w->depth - 1, word = w->at[last].word;
    int32_t low = w->at[last].low;
    bool left_arc =
        s->next == w->next && s->depth == last && keep == last - 1 && s->stack[keep] == word;
    while (w->depth > keep)
        pop(w);
    while (w->next < s->next)
        pass(w);
    if (left_arc)
        push(w, word, low < keep ? low : DDN_NOWHERE);
    for (int32_t i = w->depth; i < s->depth; i++)
        push(w, s->stack[i], lowest_tie(w, s->stack[i]));
}

static void costs(void *sp, const ddn_state *s, const ddn_move *moves, int32_t m, int32_t *cost)
{
    space *w = sp;
    follow(w, s);
    for (int32_t i = 0; i < m; i++)
        cost[i] = score(w, moves[i].kind);
    ddn_oracle_rank(cost, m);
}

static int32_t value(void *sp, const ddn_state *s)
{
    extern const ddn_system ddn_system_arc_standard;
    space *w = sp;
    uint32_t legal = ddn_system_arc_standard.legal(s);
    int32_t best = 0;
    follow(w, s);
    for (int kind = 0; kind < ddn_system_arc_standard.kinds; kind++)
        if (legal >> kind & 1)
            best = larger(best, score(w, kind));
    return ddn_oracle_made(w->base.gold, s) + best;
}

static int begin(void *sp, dodona_error *err)
{
    space *w = sp;
    ddn_arena *a = &w->base.arena;
    size_t need = (size_t)w->base.gold->n + 2;
    w->at = ddn_arena_take(a, need, sizeof *w->at);
    w->stack = ddn_arena_take(a, need, sizeof *w->stack);
    w->place = ddn_arena_take(a, need, sizeof *w->place);
    w->ahead = ddn_arena_take(a, need, sizeof *w->ahead);
    w->attached = ddn_arena_take(a, need, sizeof *w->attached);
    if (!ddn_standard_tree_set(&w->tree, w->base.gold, a))
        return ddn_fail_memory(err);
    restart(w);
    return DODONA_OK;
}

const ddn_oracle ddn_oracle_incremental = {
    .name = "incremental",
    .summary = "keeps scores from one configuration to the next, for projective trees",
    .everywhere = true,
    .strategies = true,
    .size = sizeof(space),
    .serves = ddn_standard_serves,
    .begin = begin,
    .costs = costs,
    .value = value,
};
