/* SPDX-License-Identifier: MIT */
/* check.h - cmocka with what it needs before it, in the order in which it needs it. */
#ifndef DDN_TESTS_CHECK_H
#define DDN_TESTS_CHECK_H

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#endif
