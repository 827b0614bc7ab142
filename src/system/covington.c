/* SPDX-License-Identifier: MIT */
/* covington.c - considers every pair of words once: i is the left focus word, j the right one.
 *     SH   (i, j)  =>  (j, j+1)
 *     NA   (i, j)  =>  (i-1, j)               i >= 1
 *     LA   (i, j)  =>  (i-1, j)   arc j -> i
 *     RA   (i, j)  =>  (i-1, j)   arc i -> j
 * The words before j that are not before i have been passed.  In the paper 1..i is lambda1, the
 * passed words lambda2 and j..n the buffer.  The end is j = n+1; words that have no head then are
 * children of the root.  Before that the root takes no part: the partial tree has no arc from 0.
 * Any tree can be built, and at most n(n+1)/2 moves are made.
 *
 * covington is monotonic: an arc is legal if its child has no head and it closes no cycle.  In
 * covington-nm every arc is legal: it replaces the head that the child may have, and where it
 * closes a cycle its own head becomes headless.
 *
 * One root.  Words that were passed and have no connection with each other can only be connected by
 * the last word, j = n, so legality looks ahead there.  Let r be the root of the tree that n is in.
 * A word that was passed without a head and is not r can't become a child of n any more; its tree
 * is connected only if a word of it in 1..i takes n as a child.  So a configuration is dead
 *   - with two such words: n has one head;
 *   - with one, if its tree has no word in 1..i;
 *   - with one, if r is lost when n changes its head: r must be n itself or, in covington-nm,
 *     be in 1..i, and then become a child of n.
 * A move is legal if the configuration after it is not dead, the last shift if one headless word is
 * left.  Cost: the test for a cycle walks from a word to its root; at j = n, each move looks at
 * every word, which concerns n of about n^2 moves.  Trap: the simpler rule that a headless word
 * must get its head at once would lose a quarter of the trees.
 * Covington 2001; Nivre 2008; Fernandez-Gonzalez and Gomez-Rodriguez 2017. */
#include "system/kinds.h"
#include "system/system.h"

enum {
    LA = DDN_COVINGTON_LEFT,
    RA = DDN_COVINGTON_RIGHT,
    SH = DDN_COVINGTON_SHIFT,
    NA = DDN_COVINGTON_NONE
};

static ddn_arc arc(const ddn_state *s, int kind, int32_t pos)
{
    (void)pos;
    return kind == LA ? (ddn_arc){ s->next, s->left } : (ddn_arc){ s->left, s->next };
}

/* ---- One root ---- */

/* Heads as they will be after a move: those of the state, but for the two focus words. */
typedef struct outlook {
    const ddn_state *s;
    int32_t i, i_head, j_head;
} outlook;

static outlook after(const ddn_state *s, int kind)
{
    int32_t i = s->left, j = s->next;
    outlook o = { .s = s, .i = i, .i_head = s->node[i].head, .j_head = s->node[j].head };
    if (kind == LA) {
        o.i_head = j;
        o.j_head = ddn_state_leads_to(s, i, j) ? -1 : o.j_head;
    } else if (kind == RA) {
        o.j_head = i;
        o.i_head = ddn_state_leads_to(s, j, i) ? -1 : o.i_head;
    }
    return o;
}

static int32_t head_in(const outlook *o, int32_t word)
{
    return word == o->i ? o->i_head : word == o->s->next ? o->j_head : o->s->node[word].head;
}

static int32_t root_in(const outlook *o, int32_t word)
{
    for (int32_t head; (head = head_in(o, word)) >= 0;)
        word = head;
    return word;
}

/* Whether a tree with one root can still follow, i having been passed and j being the last word. */
static bool alive(const outlook *o, bool monotonic)
{
    int32_t n = o->s->n, r = root_in(o, n), apart = 0;
    for (int32_t w = o->i; w < n; w++) {
        if (w == r || head_in(o, w) >= 0)
            continue;
        if (apart)
            return false;
        apart = w;
    }
    if (!apart)
        return true;
    if (r != n && (monotonic || r >= o->i))
        return false;
    for (int32_t w = 1; w < o->i; w++)
        if (root_in(o, w) == apart)
            return true;
    return false;
}

static bool one_root(const ddn_state *s)
{
    int32_t roots = 0;
    for (int32_t w = 1; w <= s->n; w++)
        roots += s->node[w].head < 0;
    return roots == 1;
}

static uint32_t keep_alive(const ddn_state *s, uint32_t mask, bool monotonic)
{
    if (s->roots != DDN_ROOTS_ONE || s->next < s->n)
        return mask;
    for (int kind = LA; kind <= NA; kind++) {
        if (!(mask >> kind & 1))
            continue;
        outlook o = after(s, kind);
        if (!(kind == SH ? one_root(s) : alive(&o, monotonic)))
            mask &= ~(1u << kind);
    }
    return mask;
}

/* ---- The systems ---- */

static uint32_t legal(const ddn_state *s)
{
    int32_t i = s->left, j = s->next;
    if (j > s->n)
        return 0;
    uint32_t mask = 1u << SH;
    if (i > 0) {
        mask |= 1u << NA;
        if (s->node[i].head < 0 && !ddn_state_leads_to(s, i, j))
            mask |= 1u << LA;
        if (s->node[j].head < 0 && !ddn_state_leads_to(s, j, i))
            mask |= 1u << RA;
    }
    return keep_alive(s, mask, true);
}

static uint32_t legal_nm(const ddn_state *s)
{
    if (s->next > s->n)
        return 0;
    uint32_t mask = 1u << SH;
    if (s->left > 0)
        mask |= 1u << NA | 1u << LA | 1u << RA;
    return keep_alive(s, mask, false);
}

/* In the monotonic system the child has no head and no cycle is closed. */
static void apply(ddn_state *s, ddn_move m, ddn_undo *undo)
{
    int32_t i = s->left, j = s->next;
    ddn_undo_begin(s, undo);
    if (m.kind == SH) {
        ddn_state_focus(s, j, j + 1);
        return;
    }
    if (m.kind != NA) {
        ddn_arc a = arc(s, m.kind, 0);
        if (s->node[a.head].head >= 0 && ddn_state_leads_to(s, a.child, a.head))
            ddn_state_detach(s, a.head, undo);
        ddn_state_attach(s, a.head, a.child, m.label, undo);
    }
    ddn_state_focus(s, i - 1, j);
}

static bool final(const ddn_state *s)
{
    return s->next > s->n;
}

static int64_t max_moves(int32_t n)
{
    return (int64_t)n * (n + 1) / 2;
}

#define KINDS                                                                                      \
    {                                                                                              \
        [LA] = { .name = "left-arc", .makes_arc = true },                                          \
        [RA] = { .name = "right-arc", .makes_arc = true }, [SH] = { .name = "shift" },             \
        [NA] = { .name = "no-arc", .waits = true },                                                \
    }

const ddn_system ddn_system_covington = {
    .name = "covington",
    .cite = "Covington 2001; Nivre 2008",
    .family = DDN_FAMILY_COVINGTON,
    .forest = true,
    .kinds = 4,
    .kind = KINDS,
    .shift = SH,
    .legal = legal,
    .arc = arc,
    .apply = apply,
    .final = final,
    .max_moves = max_moves,
};

const ddn_system ddn_system_covington_nm = {
    .name = "covington-nm",
    .cite = "Fernandez-Gonzalez and Gomez-Rodriguez 2017",
    .templates = "covington",
    .family = DDN_FAMILY_COVINGTON,
    .nonmonotonic = true,
    .forest = true,
    .kinds = 4,
    .kind = KINDS,
    .shift = SH,
    .legal = legal_nm,
    .arc = arc,
    .apply = apply,
    .final = final,
    .max_moves = max_moves,
};
