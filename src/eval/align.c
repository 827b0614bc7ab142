/* SPDX-License-Identifier: MIT */
/* align.c - the alignment of words of the CoNLL 2018 shared task (Zeman et al. 2018, section 4).
 *
 * Words that are tokens align when their spans are equal.  Words inside multiword tokens have no
 * spans of their own, so they are aligned by their forms: in the smallest stretch of text that
 * begins here, contains a multiword token, and out of which no multiword token of either file
 * sticks, by a longest common subsequence (LCS) of the lower-cased forms.
 *
 * Which LCS matters, since several may exist.  With L(g, s) the length for the words from g and s
 * on, the walk from the front takes equal forms at once, else passes the gold word when that loses
 * nothing, L(g+1, s) = L(g, s), else the system's.  So of the table only one bit a cell is needed,
 * and two rows of lengths while it is filled from the back.
 *
 * Cost: linear in the words, and quadratic in the words of a stretch, which are few; a stretch
 * whose table would pass DDN_ALIGN_CELLS is refused.  Forms that agree from the front need no
 * table. */
#include "eval/align.h"

#include <stdlib.h>

typedef struct stretch {
    uint32_t gold, gold_end, system, system_end;
} stretch;

static bool is_inner(const ddn_corpus *c, uint32_t i)
{
    return c->word[i].flags & DDN_WORD_INNER;
}

static bool is_beyond(const ddn_corpus *c, uint32_t i, uint32_t end)
{
    if (i >= c->words)
        return true;
    return is_inner(c, i) ? c->word[i].start >= end : c->word[i].end > end;
}

/* Takes the word at *i into the stretch, whose end moves out to that of a multiword token. */
static void consume(const ddn_corpus *c, uint32_t *i, uint32_t *end)
{
    if (is_inner(c, *i) && c->word[*i].end > *end)
        *end = c->word[*i].end;
    ++*i;
}

/* The stretch from words g and s, at least one of which is inside a multiword token. */
static stretch find_stretch(const ddn_corpus *gold, const ddn_corpus *system, uint32_t g,
                            uint32_t s)
{
    uint32_t end;
    bool gold_first = gold->word[g].start < system->word[s].start;
    bool system_first = system->word[s].start < gold->word[g].start;
    if (is_inner(gold, g)) {
        end = gold->word[g].end;
        if (!is_inner(system, s) && system_first)
            s++;
    } else {
        end = system->word[s].end;
        if (gold_first)
            g++;
    }
    stretch x = { .gold = g, .system = s };
    while (!is_beyond(gold, g, end) || !is_beyond(system, s, end)) {
        if (g < gold->words && (s >= system->words || gold->word[g].start <= system->word[s].start))
            consume(gold, &g, &end);
        else
            consume(system, &s, &end);
    }
    x.gold_end = g;
    x.system_end = s;
    return x;
}

static void pair(ddn_alignment *a, uint32_t g, uint32_t s)
{
    a->to_system[g] = s;
    a->to_gold[s] = g;
    a->pairs++;
}

/* Bit (g, s) of skip: forms differ and passing gold word g loses nothing.  row[0] and row[1] have
 * room for the stretch's system words and one more, all 0. */
static void fill(const ddn_alignment *a, stretch x, uint8_t *skip, uint32_t *row[2])
{
    const ddn_eval_word *gold = a->gold->word + x.gold, *system = a->system->word + x.system;
    size_t m = x.gold_end - x.gold, n = x.system_end - x.system;
    for (size_t g = m; g-- > 0;) {
        const uint32_t *below = row[(g + 1) & 1];
        uint32_t *here = row[g & 1];
        for (size_t s = n; s-- > 0;) {
            uint32_t best = below[s] > here[s + 1] ? below[s] : here[s + 1];
            if (gold[g].form == system[s].form && below[s + 1] + 1 > best)
                best = below[s + 1] + 1;
            here[s] = best;
            if (best == below[s])
                skip[(g * n + s) / 8] |= (uint8_t)(1u << (g * n + s) % 8);
        }
    }
}

static void walk(ddn_alignment *a, stretch x, const uint8_t *skip)
{
    size_t n = x.system_end - x.system;
    uint32_t g = x.gold, s = x.system;
    while (g < x.gold_end && s < x.system_end) {
        size_t cell = (size_t)(g - x.gold) * n + (s - x.system);
        if (a->gold->word[g].form == a->system->word[s].form)
            pair(a, g++, s++);
        else if (skip[cell / 8] >> cell % 8 & 1)
            g++;
        else
            s++;
    }
}

static int align_stretch(ddn_alignment *a, stretch x, dodona_error *err)
{
    while (x.gold < x.gold_end && x.system < x.system_end &&
           a->gold->word[x.gold].form == a->system->word[x.system].form)
        pair(a, x.gold++, x.system++);
    uint64_t m = x.gold_end - x.gold, n = x.system_end - x.system;
    if (m == 0 || n == 0)
        return 0;
    if (m * n > DDN_ALIGN_CELLS)
        return ddn_fail_at(err, DODONA_E_LIMIT, a->system->name, a->system->word[x.system].line,
                           "multiword tokens that overlap those of the gold file make a stretch "
                           "of %llu and %llu words, too long to align",
                           (unsigned long long)m, (unsigned long long)n);
    uint8_t *skip = calloc(1, (size_t)(m * n / 8 + 1));
    uint32_t *rows = calloc(2 * ((size_t)n + 1), sizeof *rows);
    bool done = skip && rows;
    if (done) {
        fill(a, x, skip, (uint32_t *[2]){ rows, rows + n + 1 });
        walk(a, x, skip);
    }
    free(skip);
    free(rows);
    return done ? 0 : ddn_fail_memory(err);
}

static int align_words(ddn_alignment *a, dodona_error *err)
{
    const ddn_corpus *gold = a->gold, *system = a->system;
    uint32_t g = 0, s = 0;
    while (g < gold->words && s < system->words) {
        const ddn_eval_word *p = &gold->word[g], *q = &system->word[s];
        if ((p->flags | q->flags) & DDN_WORD_INNER) {
            stretch x = find_stretch(gold, system, g, s);
            int status = align_stretch(a, x, err);
            if (status < 0)
                return status;
            g = x.gold_end;
            s = x.system_end;
        } else if (p->start == q->start && p->end == q->end) {
            pair(a, g++, s++);
        } else if (p->start <= q->start) {
            g++;
        } else {
            s++;
        }
    }
    return 0;
}

int ddn_align(ddn_alignment *a, const ddn_corpus *gold, const ddn_corpus *system, dodona_error *err)
{
    *a = (ddn_alignment){ .gold = gold, .system = system };
    a->to_system = ddn_arena_take(&a->arena, gold->words, sizeof *a->to_system);
    a->to_gold = ddn_arena_take(&a->arena, system->words, sizeof *a->to_gold);
    if (a->arena.failed)
        return ddn_fail_memory(err);
    for (size_t i = 0; i < gold->words; i++)
        a->to_system[i] = DDN_NO_WORD;
    for (size_t i = 0; i < system->words; i++)
        a->to_gold[i] = DDN_NO_WORD;
    return align_words(a, err);
}

void ddn_alignment_fini(ddn_alignment *a)
{
    ddn_arena_fini(&a->arena);
}
