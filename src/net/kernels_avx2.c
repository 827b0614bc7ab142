/* SPDX-License-Identifier: MIT */
/* kernels_avx2.c - 256-bit vectors (Intel since 2013, AMD since 2015).
 *
 * vpmaddubsw multiplies unsigned by signed bytes and adds two products with saturation at 32767.
 * Here the unsigned factor is |x| <= 127, and the signed one the weight with the sign of x, from
 * -127 to 127; two products are at most 2 * 127 * 127 = 32258, so nothing saturates. */
#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("avx2")))
#define WIDTH  32
#include "net/vector.tmpl.h"

typedef __m256i lanes;
enum { ROWS = 4, REGISTERS = 2, EXCESS = 0 };

INLINE lanes broadcast(uint32_t bytes)
{
    return _mm256_set1_epi32((int32_t)(bytes ^ 0x80808080u));
}

INLINE lanes dot(lanes acc, lanes w, lanes x)
{
    lanes pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(x), _mm256_sign_epi8(w, x));
    return _mm256_add_epi32(acc, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

#include "net/int8.tmpl.h"

static bool runs(void)
{
    return __builtin_cpu_supports("avx2");
}

const ddn_kernels ddn_kernels_avx2 = {
    .name = "avx2", .runs = runs, .product = product, VECTOR_KERNELS
};

#else
typedef int ddn_no_avx2; /* a file has to declare something */
#endif
