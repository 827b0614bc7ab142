/* SPDX-License-Identifier: MIT */
#include "lib/alloc.h"

#include <limits.h>
#include <stdatomic.h>
#include <stddef.h>

/* What the linker's --wrap makes of the names: calls go to __wrap_x, and __real_x is the function
 * itself. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t align, size_t size);
char *__real_strdup(const char *text);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size);
char *__wrap_strdup(const char *text);
void __wrap_free(void *block);

static atomic_long live;
static atomic_long left = LONG_MAX; /* allocations before the one that fails */
static atomic_bool goes_on, failed;

void test_alloc_fail(long k, bool on)
{
    atomic_store(&failed, false);
    atomic_store(&goes_on, on);
    atomic_store(&left, k);
}

bool test_alloc_stop(void)
{
    atomic_store(&left, LONG_MAX);
    return atomic_load(&failed);
}

long test_alloc_live(void)
{
    return atomic_load(&live);
}

static bool fails(void)
{
    long now = atomic_fetch_sub(&left, 1);
    bool fail = now == 1 || (now < 1 && atomic_load(&goes_on));
    if (fail)
        atomic_store(&failed, true);
    return fail;
}

static void *counted(void *block)
{
    if (block)
        atomic_fetch_add(&live, 1);
    return block;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : counted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : counted(__real_calloc(count, size));
}

void *__wrap_realloc(void *old, size_t size)
{
    if (fails())
        return NULL;
    return old ? __real_realloc(old, size) : counted(__real_realloc(NULL, size));
}

void *__wrap_aligned_alloc(size_t align, size_t size)
{
    return fails() ? NULL : counted(__real_aligned_alloc(align, size));
}

char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : counted(__real_strdup(text));
}

void __wrap_free(void *block)
{
    if (block)
        atomic_fetch_sub(&live, 1);
    __real_free(block);
}
