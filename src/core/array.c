/* SPDX-License-Identifier: MIT */
/* array.c - capacities grow by half, so that n additions cost O(n). */
#include "core/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool ddn_reserve(void *pointer, size_t *capacity, size_t need, size_t size)
{
    if (need <= *capacity)
        return true;
    size_t want = *capacity < 8 ? 8 : *capacity + *capacity / 2;
    if (want < need)
        want = need;
    if (want > SIZE_MAX / 2 / size)
        return false;
    void *old, *grown;
    memcpy(&old, pointer, sizeof old);
    grown = realloc(old, want * size);
    if (!grown)
        return false;
    memcpy(pointer, &grown, sizeof grown);
    *capacity = want;
    return true;
}
