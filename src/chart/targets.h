/* SPDX-License-Identifier: MIT */
/* targets.h - DDN_TARGETS before a function compiles it for several processors, of which the
 * program takes the best it finds.  For integers, and for floating-point sums and maxima whose
 * order does not depend on the width of vectors: results are to be the same everywhere.  With
 * sanitizers, whose runtime must start before the choice is made, there is one variant. */
#ifndef DDN_CHART_TARGETS_H
#define DDN_CHART_TARGETS_H

#ifndef __has_attribute
#define __has_attribute(x) 0
#endif
#ifndef __has_feature
#define __has_feature(x) 0
#endif

#if defined(__x86_64__) && defined(__gnu_linux__) && __has_attribute(target_clones) &&             \
    !defined(__SANITIZE_ADDRESS__) && !__has_feature(address_sanitizer) &&                         \
    !__has_feature(memory_sanitizer) && !__has_feature(thread_sanitizer) &&                        \
    !defined(__SANITIZE_THREAD__)
#define DDN_TARGETS __attribute__((target_clones("avx2", "default")))
#else
#define DDN_TARGETS
#endif

#endif
