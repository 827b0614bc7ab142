/* SPDX-License-Identifier: MIT */
#include "system/system.h"

#include <string.h>

#define SYSTEM(name) extern const ddn_system ddn_system_##name;
#include "system/systems.def"
#undef SYSTEM

const ddn_system *const ddn_systems[] = {
#define SYSTEM(name) &ddn_system_##name,
#include "system/systems.def"
#undef SYSTEM
    NULL,
};

const ddn_system *ddn_system_find(const char *name)
{
    for (int i = 0; ddn_systems[i]; i++)
        if (strcmp(ddn_systems[i]->name, name) == 0)
            return ddn_systems[i];
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

int32_t ddn_moves_room(const ddn_system *system, int32_t n)
{
    return system->positions ? system->kinds * (n + 1) : system->kinds;
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
