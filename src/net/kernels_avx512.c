/* SPDX-License-Identifier: MIT */
/* kernels_avx512.c - 512-bit vectors with products of four bytes (Intel servers since 2019, AMD
 * since 2022). */
#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")))
#define WIDTH  64
#include "net/vector.tmpl.h"

typedef __m512i lanes;
enum { ROWS = 6, REGISTERS = 2, EXCESS = 1 };

INLINE lanes broadcast(uint32_t bytes)
{
    return _mm512_set1_epi32((int32_t)bytes);
}

INLINE lanes dot(lanes acc, lanes w, lanes x)
{
    return _mm512_dpbusd_epi32(acc, x, w);
}

#include "net/int8.tmpl.h"

static bool runs(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vnni");
}

const ddn_kernels ddn_kernels_avx512 = {
    .name = "avx512-vnni", .runs = runs, .product = product, VECTOR_KERNELS
};

#else
typedef int ddn_no_avx512; /* a file has to declare something */
#endif
