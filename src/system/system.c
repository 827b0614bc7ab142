/* SPDX-License-Identifier: MIT */
/* system.c - the tables of systems, and functions for all of them. */
#include "system/system.h"

#include "core/names.h"
#include "system/attardi_reach.h"
#include "system/attardi_rules.h"
#include "tree/tree.h"

#include <stdio.h>
#include <string.h>

#define SYSTEM(name)  extern const ddn_system ddn_system_##name;
#define VARIANT(name) SYSTEM(name)
#include "system/systems.def"
#undef SYSTEM
#undef VARIANT

const ddn_system *const ddn_systems[] = {
#define SYSTEM(name) &ddn_system_##name,
#define VARIANT(name)
#include "system/systems.def"
#undef SYSTEM
#undef VARIANT
    NULL,
};

static const ddn_system *const every_system[] = {
#define SYSTEM(name)  &ddn_system_##name,
#define VARIANT(name) SYSTEM(name)
#include "system/systems.def"
#undef SYSTEM
#undef VARIANT
    NULL,
};

const ddn_system *ddn_system_find(const char *name)
{
    uint32_t rules = 0;
    if (strchr(name, '<') && ddn_attardi_rules_read(name, &rules, NULL) < 0)
        return NULL;
    for (int i = 0; every_system[i]; i++)
        if (rules ? every_system[i]->rules == rules : strcmp(every_system[i]->name, name) == 0)
            return every_system[i];
    return NULL;
}

int ddn_system_get(const char *name, const ddn_system **out, dodona_error *err)
{
    ddn_names names = { .guess.wanted = name };
    *out = ddn_system_find(name);
    if (*out)
        return DODONA_OK;
    for (int i = 0; ddn_systems[i]; i++)
        ddn_names_add(&names, ddn_systems[i]->name);
    return ddn_fail_unknown(err, "transition system", &names);
}

const ddn_system *ddn_system_reaching(ddn_reach r)
{
    for (int i = 0; every_system[i]; i++) {
        ddn_reach of = ddn_system_reach(every_system[i]);
        if (of.rules == r.rules && of.projective == r.projective)
            return every_system[i];
    }
    return NULL;
}

ddn_facts ddn_system_facts(const ddn_state *s)
{
    int32_t top = ddn_state_top(s, 0);
    return (ddn_facts){ .n = s->n,
                        .next = s->next,
                        .roots = s->roots,
                        .depth = s->depth < DDN_MANY ? s->depth : DDN_MANY,
                        .headed = top > 0 && s->node[top].head >= 0,
                        .headless = s->headless > 0,
                        .root_taken = s->node[0].far[DDN_RIGHT] != 0 };
}

bool ddn_final_root_alone(const ddn_state *s)
{
    return s->next > s->n && s->depth == 1;
}

int64_t ddn_max_two_a_word(int32_t n)
{
    return 2 * (int64_t)n;
}

bool ddn_reach_has(ddn_reach r, const int32_t *head, int32_t n, int32_t *scratch)
{
    if (r.rules)
        return ddn_attardi_reaches(r.rules, head, n, scratch);
    return !r.projective || ddn_tree_is_projective(head, n, scratch);
}

int32_t ddn_moves_room(const ddn_system *system, int32_t n)
{
    return system->positions ? system->kinds * (n + 1) : system->kinds;
}

ddn_arc ddn_system_arc(const ddn_system *system, const ddn_state *s, ddn_move m)
{
    if (!system->kind[m.kind].makes_arc)
        return (ddn_arc){ -1, -1 };
    return system->arc(s, m.kind, m.pos);
}

int32_t ddn_system_moves(const ddn_system *system, const ddn_state *s, ddn_move *moves,
                         int32_t *scratch)
{
    int32_t m = 0;
    uint32_t legal = system->legal(s);
    for (int kind = 0; kind < system->kinds; kind++) {
        if (!(legal >> kind & 1))
            continue;
        if (!system->positions) {
            moves[m++] = (ddn_move){ .kind = (uint8_t)kind, .pos = -1 };
            continue;
        }
        int32_t count = system->positions(s, kind, scratch);
        for (int32_t i = 0; i < count; i++)
            moves[m++] = (ddn_move){ .kind = (uint8_t)kind, .pos = scratch[i] };
    }
    return m;
}

const char *ddn_move_name(const ddn_system *system, int kind, int32_t place,
                          char buf[DDN_MOVE_NAME])
{
    const char *name = system->kind[kind].name;
    if (place > 0)
        snprintf(buf, DDN_MOVE_NAME, "%s:%d", name, (int)place);
    else
        snprintf(buf, DDN_MOVE_NAME, "%s", name);
    return buf;
}
