/* SPDX-License-Identifier: MIT */
/* constraint.c - given heads and labels: finds contradictions, and filters moves.
 *
 * A move is kept if its own arc is allowed and the configuration after it is alive, that is, if a
 * tree with all given heads can still be reached; the constraint_*.c files decide that for each
 * family of systems.  A word that is its own head, a cycle or a second root is reported as such.
 * Heads that only contradict each other together, such as crossing arcs, are found by adding the
 * given heads one by one, up to the word with which no tree is left. */
#include "search/constraint.h"

#include "model/schema.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int ddn_constraint_open(const ddn_system *system, ddn_roots roots, ddn_constraint **out,
                        dodona_error *err)
{
    if (system->family == DDN_FAMILY_NONE)
        return ddn_fail(err, DODONA_E_ARGUMENT, "given heads can't be kept with %s", system->name);
    ddn_constraint *c = calloc(1, sizeof *c);
    if (!c)
        return ddn_fail_memory(err);
    c->system = system;
    c->roots = roots;
    ddn_state_init(&c->after);
    ddn_split_max_init(&c->chart);
    bool standard = system->family == DDN_FAMILY_STANDARD || system->family == DDN_FAMILY_SPINE;
    ddn_split_plan_make(&c->plan, standard ? &ddn_split_stack : &ddn_split_projective);
    *out = c;
    return DODONA_OK;
}

void ddn_constraint_close(ddn_constraint *c)
{
    if (!c)
        return;
    ddn_state_fini(&c->after);
    ddn_split_max_fini(&c->chart);
    ddn_arena_fini(&c->arena);
    free(c);
}

static bool is_alive(ddn_constraint *c, const ddn_state *s)
{
    if (c->system->family == DDN_FAMILY_COVINGTON)
        return ddn_constraint_pairs_alive(c, s);
    return c->system->family == DDN_FAMILY_ATTARDI ? ddn_constraint_rules_alive(c, s)
                                                   : ddn_constraint_stack_alive(c, s);
}

/* ---- Contradictions ---- */

static int wrong(int32_t *word, int32_t d)
{
    *word = d;
    return DODONA_E_INPUT;
}

/* Each word is marked with the word from which it was first reached. */
static int32_t find_cycle(ddn_constraint *c)
{
    memset(c->place, 0, ((size_t)c->n + 1) * sizeof *c->place);
    for (int32_t d = 1; d <= c->n; d++) {
        int32_t x = d;
        for (; x > 0 && !c->place[x]; x = c->head[x])
            c->place[x] = d;
        if (x > 0 && c->place[x] == d)
            return x;
    }
    return 0;
}

static int check_plainly(ddn_constraint *c, int32_t *word, dodona_error *err)
{
    int32_t root = 0, d;
    for (d = 1; d <= c->n; d++) {
        if (c->head[d] > c->n)
            return ddn_fail(err, wrong(word, d), "the given head is %d; expected 0 to %d",
                            (int)c->head[d], (int)c->n);
        if (c->head[d] == d)
            return ddn_fail(err, wrong(word, d), "word %d is given as its own head", (int)d);
        if (c->head[d] == 0 && root && c->roots == DDN_ROOTS_ONE)
            return ddn_fail(err, wrong(word, d),
                            "word %d is given as a second root, after word %d; expected one root, "
                            "or --roots many",
                            (int)d, (int)root);
        if (c->head[d] == 0)
            root = d;
    }
    if ((d = find_cycle(c)))
        return ddn_fail(err, wrong(word, d), "word %d is on a cycle of given heads", (int)d);
    return DODONA_OK;
}

/* No tree can be reached from the start.  The given heads are removed and added again word by word
 * to find the first that is too much. */
static int blame(ddn_constraint *c, int32_t *word, dodona_error *err)
{
    int32_t *all = c->label; /* used for a copy, since the search won't start */
    memcpy(all, c->head, ((size_t)c->n + 1) * sizeof *all);
    for (int32_t d = 1; d <= c->n; d++)
        c->head[d] = DDN_HEAD_OPEN;
    int32_t d = 0;
    do
        c->head[d + 1] = all[d + 1];
    while (++d < c->n && is_alive(c, &c->after));
    if (all[d] == DDN_HEAD_WORD)
        return ddn_fail(err, wrong(word, d),
                        "the given label of word %d says that it is not the root, and with what is "
                        "given before it no tree is left",
                        (int)d);
    if (c->system->family == DDN_FAMILY_COVINGTON)
        return ddn_fail(err, wrong(word, d),
                        "no tree has %d as the head of word %d together with what is given before "
                        "it",
                        (int)all[d], (int)d);
    if (c->system->family == DDN_FAMILY_ATTARDI)
        return ddn_fail(err, wrong(word, d),
                        "no tree that %s reaches has %d as the head of word %d together with what "
                        "is given before it; covington reaches all trees",
                        c->system->name, (int)all[d], (int)d);
    return ddn_fail(err, wrong(word, d),
                    "no projective tree has %d as the head of word %d together with what is given "
                    "before it, and %s builds no other trees; covington does",
                    (int)all[d], (int)d, c->system->name);
}

static int reserve(ddn_constraint *c, int32_t n, dodona_error *err)
{
    size_t nodes = (size_t)n + 2;
    ddn_arena *a = &c->arena;
    ddn_arena_reset(a);
    c->head = ddn_arena_take(a, nodes, sizeof *c->head);
    c->label = ddn_arena_take(a, nodes, sizeof *c->label);
    c->held = ddn_arena_zeros(a, nodes, sizeof *c->held);
    c->root = ddn_arena_take(a, nodes, sizeof *c->root);
    c->loose = ddn_arena_take(a, nodes, sizeof *c->loose);
    c->item = ddn_arena_take(a, nodes, sizeof *c->item);
    c->place = ddn_arena_take(a, nodes, sizeof *c->place);
    return a->failed ? ddn_fail_memory(err) : ddn_state_start(&c->after, n, c->roots, err);
}

int ddn_constraint_begin(ddn_constraint *c, const int32_t *head, const int32_t *label, int32_t n,
                         int32_t *word, dodona_error *err)
{
    *word = 0;
    c->n = 0;
    c->heads = false;
    if (n == 0)
        return DODONA_OK;
    int status = reserve(c, n, err);
    if (status < 0)
        return status;
    c->n = n;
    for (int32_t d = 1; d <= n; d++) {
        c->head[d] = head[d];
        c->label[d] = label[d];
        c->heads |= head[d] != DDN_HEAD_OPEN;
        if (head[d] >= 0 && head[d] <= n)
            c->held[head[d]] = true;
    }
    if (!c->heads)
        return DODONA_OK;
    status = check_plainly(c, word, err);
    if (status >= 0 && c->system->family != DDN_FAMILY_COVINGTON &&
        c->system->family != DDN_FAMILY_ATTARDI)
        status = ddn_constraint_stack_room(c, n, err);
    if (status >= 0 && !is_alive(c, &c->after))
        status = blame(c, word, err);
    return status;
}

/* ---- Moves ---- */

int32_t ddn_constraint_filter(ddn_constraint *c, const ddn_state *s, ddn_move *moves, int32_t m)
{
    if (!c->heads || m == 1)
        return m;
    int32_t left = 0;
    int copied = ddn_state_copy(&c->after, s, NULL);
    assert(copied >= 0); /* begin made room for it */
    (void)copied;
    for (int32_t i = 0; i < m; i++) {
        ddn_arc arc = ddn_system_arc(c->system, s, moves[i]);
        if (arc.head >= 0 && !ddn_constraint_allows(c, arc.head, arc.child))
            continue;
        ddn_undo undo;
        c->system->apply(&c->after, moves[i], &undo);
        if (is_alive(c, &c->after))
            moves[left++] = moves[i];
        ddn_state_revert(&c->after, &undo);
    }
    assert(left > 0);
    return left;
}

/* ---- Labels ---- */

static uint8_t use_of(ddn_arc arc)
{
    return arc.head == 0 ? DDN_LABEL_OF_ROOT : DDN_LABEL_OF_WORD;
}

bool ddn_constraint_takes(const ddn_constraint *c, ddn_arc arc, uint16_t liked)
{
    if (c->n == 0)
        return true;
    int32_t given = c->label[arc.child];
    bool is_open = given == DDN_LABEL_OPEN && c->head[arc.child] == DDN_HEAD_OPEN;
    return is_open || (given < 0 && (!c->uses || c->uses[liked] & use_of(arc)));
}

uint16_t ddn_constraint_label(const ddn_constraint *c, ddn_arc arc, uint16_t liked,
                              const ddn_score *score)
{
    int32_t given = c->label[arc.child], best = given;
    for (int32_t l = 0; given < 0 && l < c->labels; l++)
        if (c->uses[l] & use_of(arc) && (best < 0 || score[l] > score[best]))
            best = l;
    return best < 0 ? liked : (uint16_t)best;
}
