/* SPDX-License-Identifier: MIT */
/* losses.c - for each question the loss by search, of all words and of those whose gold head is
 * not 0, and the bounds by counting cycles; then one of the four for each move, made and taken
 * back. */
#include "api/losses.h"

#include <string.h>

int ddn_losses_init(ddn_losses *l, int64_t limit, dodona_error *err)
{
    memset(l, 0, sizeof *l);
    ddn_cycles_init(&l->cycles);
    l->search = ddn_covington_search_new(limit);
    return l->search ? DODONA_OK : ddn_fail_memory(err);
}

void ddn_losses_fini(ddn_losses *l)
{
    ddn_covington_search_free(l->search);
    ddn_cycles_fini(&l->cycles);
}

bool ddn_losses_knows(const ddn_oracle *oracle)
{
    return oracle == &ddn_oracle_covington_search || oracle == &ddn_oracle_covington_lower ||
           oracle == &ddn_oracle_covington_pc || oracle == &ddn_oracle_covington_upper;
}

static void find_bounds(ddn_losses *l, const ddn_state *s, const ddn_gold *g, int32_t *lower,
                        int32_t *pc, int32_t *upper)
{
    ddn_bounds b;
    ddn_covington_bounds(&l->cycles, s, g, &b);
    *lower = b.lower;
    *pc = b.problematic < 0 ? -1 : b.lower + b.problematic;
    *upper = b.cycles < 0 ? -1 : b.lower + b.cycles;
}

/* The loss after a move, or the oracle's bound of it; -1: not known. */
static int find_one(ddn_losses *l, const ddn_state *s, const ddn_gold *g, const ddn_oracle *oracle,
                    int32_t *found, dodona_error *err)
{
    int32_t lower, pc, upper;
    if (oracle == &ddn_oracle_covington_search)
        return ddn_covington_search_loss(l->search, s, g, true, found, err);
    find_bounds(l, s, g, &lower, &pc, &upper);
    *found = oracle == &ddn_oracle_covington_lower ? lower
             : oracle == &ddn_oracle_covington_pc  ? pc
                                                   : upper;
    return DODONA_OK;
}

int ddn_losses_find(ddn_losses *l, const ddn_system *system, ddn_state *s, const ddn_gold *g,
                    const ddn_oracle *oracle, const ddn_move *moves, int32_t m, int32_t *score,
                    dodona_error *err)
{
    if (!ddn_cycles_reserve(&l->cycles, s->n))
        return ddn_fail_memory(err);
    int status = ddn_covington_search_loss(l->search, s, g, true, &l->loss, err);
    if (status >= 0)
        status = ddn_covington_search_loss(l->search, s, g, false, &l->word_loss, err);
    find_bounds(l, s, g, &l->lower, &l->pc, &l->upper);
    l->unknown = l->loss < 0 || l->word_loss < 0 || l->upper < 0;
    for (int32_t k = 0; k < m && status >= 0; k++) {
        ddn_undo undo;
        int32_t found;
        system->apply(s, moves[k], &undo);
        status = find_one(l, s, g, oracle, &found, err);
        ddn_state_revert(s, &undo);
        if (status < 0)
            return status;
        score[k] = found < 0 ? -1 : s->n - found;
        l->unknown |= found < 0;
    }
    return status;
}

static void put_number(ddn_json *j, const char *name, int32_t number)
{
    ddn_json_key(j, name);
    if (number < 0)
        ddn_json_raw(j, "null");
    else
        ddn_json_int(j, number);
}

void ddn_losses_put(const ddn_losses *l, ddn_json *j)
{
    put_number(j, "loss", l->loss);
    put_number(j, "word_loss", l->word_loss);
    ddn_json_begin(ddn_json_key(j, "bounds"), '{');
    put_number(j, "lower", l->lower);
    put_number(j, "pc", l->pc);
    put_number(j, "upper", l->upper);
    ddn_json_end(j, '}');
    if (l->unknown)
        ddn_json_raw(ddn_json_key(j, "unknown"), "true");
}
