/* SPDX-License-Identifier: MIT */
/* path.c - which moves of arc-standard keep the gold tree within reach, on the gold path.
 *
 * On the gold path every arc made is gold, so a word is complete when it has as many children as in
 * the gold tree.
 *   LA (s0 -> s1)   keeps it iff h(s1) = s0 and s1 is complete
 *   RA (s1 -> s0)   keeps it iff h(s0) = s1 and s0 is complete
 *   SH              keeps it iff s0 still waits for a word of the buffer: a child lies there, or
 *                   its head does and s0 is complete.  Otherwise s0 must be joined with s1 first:
 *                   what is pushed on top of s0 can only be joined with s0 itself, and if that is
 *                   the head, s0 goes and takes no left child any more.  The root may always wait.
 * Both LA and SH may be right: a word may take its right children before its left ones.
 * Each answer is constant time.  Nivre 2004; Goldberg, Sartorio and Satta 2014, section 3. */
#include "oracle/oracle.h"
#include "system/kinds.h"

#include <stdlib.h>
#include <string.h>

static bool serves(const ddn_system *system)
{
    return strcmp(system->name, "arc-standard") == 0;
}

typedef struct space {
    const ddn_gold *gold;
} space;

static int open_space(const ddn_system *system, ddn_oracle_options options, void **out,
                      dodona_error *err)
{
    extern const ddn_oracle ddn_oracle_path;
    int status = ddn_oracle_plain(&ddn_oracle_path, options, err);
    if (status < 0)
        return status;
    (void)system;
    *out = calloc(1, sizeof(space));
    return *out ? DODONA_OK : ddn_fail_memory(err);
}

static int begin(void *sp, const ddn_gold *gold, dodona_error *err)
{
    if (!gold->projective)
        return ddn_fail(err, DODONA_E_INPUT,
                        "arc-standard reaches projective trees only, and this tree is not "
                        "projective");
    ((space *)sp)->gold = gold;
    return DODONA_OK;
}

static bool complete(const ddn_gold *g, const ddn_state *s, int32_t w)
{
    const ddn_node *node = &s->node[w];
    return node->valency[DDN_LEFT] + node->valency[DDN_RIGHT] == g->first[w + 1] - g->first[w];
}

static bool waits(const ddn_gold *g, const ddn_state *s, int32_t w)
{
    bool child_ahead = g->first[w] < g->first[w + 1] && g->child[g->first[w + 1] - 1] >= s->next;
    return w == 0 || child_ahead || (g->head[w] >= s->next && complete(g, s, w));
}

static void costs(void *sp, const ddn_state *s, const ddn_move *moves, int32_t m, int32_t *cost)
{
    const ddn_gold *g = ((space *)sp)->gold;
    int32_t s0 = ddn_state_top(s, 0), s1 = ddn_state_top(s, 1);
    for (int32_t i = 0; i < m; i++) {
        bool keeps;
        if (moves[i].kind == DDN_STANDARD_SHIFT)
            keeps = waits(g, s, s0);
        else if (moves[i].kind == DDN_STANDARD_LEFT)
            keeps = g->head[s1] == s0 && complete(g, s, s1);
        else
            keeps = g->head[s0] == s1 && complete(g, s, s0);
        cost[i] = !keeps;
    }
}

const ddn_oracle ddn_oracle_path = {
    .name = "path",
    .summary = "says which moves keep the gold tree within reach, on the way to it",
    .serves = serves,
    .open = open_space,
    .close = free,
    .begin = begin,
    .costs = costs,
};
