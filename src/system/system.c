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
