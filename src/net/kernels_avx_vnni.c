/* SPDX-License-Identifier: MIT */
/* kernels_avx_vnni.c - 256-bit vectors with products of four bytes (Intel since 2021, AMD since
 * 2024). */
#include "net/kernels.h"

#ifdef DDN_AVX_VNNI

#include <cpuid.h>
#include <immintrin.h>

#define TARGET __attribute__((target("avx2,avxvnni")))
#define WIDTH  32
#include "net/vector.tmpl.h"

typedef __m256i lanes;
enum { ROWS = 6, REGISTERS = 2, EXCESS = 1 };

INLINE lanes broadcast(uint32_t bytes)
{
    return _mm256_set1_epi32((int32_t)bytes);
}

INLINE lanes dot(lanes acc, lanes w, lanes x)
{
    return _mm256_dpbusd_avx_epi32(acc, x, w);
}

#include "net/int8.tmpl.h"

/* The builtin sees that the system saves the registers; not all compilers know avxvnni by name. */
static bool runs(void)
{
    unsigned a = 0, b, c, d;
    return __builtin_cpu_supports("avx2") && __get_cpuid_count(7, 1, &a, &b, &c, &d) &&
           (a >> 4 & 1);
}

const ddn_kernels ddn_kernels_avx_vnni = {
    .name = "avx-vnni", .runs = runs, .product = product, VECTOR_KERNELS
};

#else
typedef int ddn_no_avx_vnni; /* a file has to declare something */
#endif
