/* SPDX-License-Identifier: MIT */
/* kernels.c - the list of variants, and the choice among them. */
#include "net/kernels.h"

#define KERNELS(name) extern const ddn_kernels ddn_kernels_##name;
#include "net/kernels.def"
#undef KERNELS

const ddn_kernels *const ddn_kernels_all[] = {
#define KERNELS(name) &ddn_kernels_##name,
#include "net/kernels.def"
#undef KERNELS
    NULL
};

const ddn_kernels *ddn_kernels_best(void)
{
    const ddn_kernels *best = ddn_kernels_all[0];
    for (size_t i = 1; ddn_kernels_all[i]; i++)
        if (ddn_kernels_all[i]->runs())
            best = ddn_kernels_all[i];
    return best;
}
