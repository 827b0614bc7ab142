/* SPDX-License-Identifier: MIT */
/* kernels_neon.c - 128-bit vectors of 64-bit ARM; every such processor has them.
 *
 * A product of two bytes fits 16 bits, and pairs are added in 32, so nothing saturates. */
#if defined(__aarch64__)

#include <arm_neon.h>

#define TARGET
#define WIDTH 16
#include "net/vector.tmpl.h"

typedef int32x4_t lanes;
enum { ROWS = 4, REGISTERS = 4, EXCESS = 0 };

INLINE lanes broadcast(uint32_t bytes)
{
    return vreinterpretq_s32_u32(vdupq_n_u32(bytes ^ 0x80808080u));
}

INLINE lanes dot(lanes acc, lanes w, lanes x)
{
    int8x16_t a = vreinterpretq_s8_s32(w), b = vreinterpretq_s8_s32(x);
    int32x4_t low = vpaddlq_s16(vmull_s8(vget_low_s8(a), vget_low_s8(b)));
    int32x4_t high = vpaddlq_s16(vmull_high_s8(a, b));
    return vaddq_s32(acc, vpaddq_s32(low, high));
}

#include "net/int8.tmpl.h"

static bool runs(void)
{
    return true;
}

const ddn_kernels ddn_kernels_neon = {
    .name = "neon", .runs = runs, .product = product, VECTOR_KERNELS
};

#else
typedef int ddn_no_neon; /* a file has to declare something */
#endif
