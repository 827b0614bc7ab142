/* SPDX-License-Identifier: MIT */
/* big.c - schoolbook arithmetic on 32-bit limbs: counts of trees have a few bits a word. */
#include "core/big.h"

#include "core/array.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void ddn_big_pool_init(ddn_big_pool *p)
{
    *p = (ddn_big_pool){ 0 };
}

void ddn_big_pool_fini(ddn_big_pool *p)
{
    for (size_t i = 0; i < p->made; i++)
        free(p->big[i].limb);
    free(p->big);
}

/* Room for size limbs; the new ones are 0. */
static bool widen(ddn_big_pool *p, ddn_big *x, size_t size)
{
    if (!ddn_reserve(&x->limb, &x->cap, size, sizeof *x->limb)) {
        p->failed = true;
        return false;
    }
    if (size > x->size) {
        memset(x->limb + x->size, 0, (size - x->size) * sizeof *x->limb);
        x->size = size;
    }
    return true;
}

static void trim(ddn_big *x)
{
    while (x->size > 0 && x->limb[x->size - 1] == 0)
        x->size--;
}

uint32_t ddn_big_new(ddn_big_pool *p)
{
    if (p->failed || p->count == UINT32_MAX ||
        !ddn_reserve(&p->big, &p->cap, (size_t)p->count + 1, sizeof *p->big)) {
        p->failed = true;
        return DDN_BIG_ZERO;
    }
    if (p->made == p->count)
        p->big[p->made++] = (ddn_big){ 0 };
    p->big[p->count].size = 0;
    return p->count++;
}

void ddn_big_pool_clear(ddn_big_pool *p)
{
    p->count = 0;
    p->failed = false;
    ddn_big_new(p);
    uint32_t one = ddn_big_new(p);
    if (!p->failed && widen(p, &p->big[one], 1))
        p->big[one].limb[0] = 1;
}

void ddn_big_add(ddn_big_pool *p, uint32_t sum, uint32_t x)
{
    if (p->failed)
        return;
    assert(sum > DDN_BIG_ONE && sum != x);
    ddn_big *z = &p->big[sum];
    const ddn_big *a = &p->big[x];
    size_t size = (z->size > a->size ? z->size : a->size) + 1;
    if (!widen(p, z, size))
        return;
    uint64_t carry = 0;
    for (size_t i = 0; i < size; i++) {
        carry += (uint64_t)z->limb[i] + (i < a->size ? a->limb[i] : 0);
        z->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    trim(z);
}

void ddn_big_add_product(ddn_big_pool *p, uint32_t sum, uint32_t x, uint32_t y)
{
    if (p->failed)
        return;
    assert(sum > DDN_BIG_ONE && sum != x && sum != y);
    ddn_big *z = &p->big[sum];
    const ddn_big *a = &p->big[x], *b = &p->big[y];
    size_t product = a->size + b->size, size = (z->size > product ? z->size : product) + 1;
    if (!widen(p, z, size))
        return;
    for (size_t i = 0; i < a->size; i++) {
        uint64_t carry = 0; /* (2^32-1)^2 + 2(2^32-1) is 2^64-1: product, limb and carry fit */
        size_t at = i;
        for (size_t j = 0; j < b->size; j++, at++) {
            carry += (uint64_t)a->limb[i] * b->limb[j] + z->limb[at];
            z->limb[at] = (uint32_t)carry;
            carry >>= 32;
        }
        for (; carry != 0; at++) {
            carry += z->limb[at];
            z->limb[at] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    trim(z);
}

char *ddn_big_text(const ddn_big *x)
{
    enum { CHUNK = 1000000000, DIGITS = 9 };
    size_t size = x->size, at = 10 * size + 2; /* a limb has fewer than ten digits */
    char *text = malloc(at + 1);
    uint32_t *left = malloc((size + 1) * sizeof *left);
    if (!text || !left) {
        free(text);
        free(left);
        return NULL;
    }
    if (size > 0)
        memcpy(left, x->limb, size * sizeof *left);
    text[at] = '\0';
    while (size > 0) {
        uint64_t rest = 0;
        for (size_t i = size; i-- > 0;) {
            rest = rest << 32 | left[i];
            left[i] = (uint32_t)(rest / CHUNK);
            rest %= CHUNK;
        }
        while (size > 0 && left[size - 1] == 0)
            size--;
        for (int d = 0; size > 0 ? d < DIGITS : rest > 0; d++, rest /= 10)
            text[--at] = (char)('0' + rest % 10);
    }
    if (text[at] == '\0')
        text[--at] = '0';
    memmove(text, text + at, strlen(text + at) + 1);
    free(left);
    return text;
}

double ddn_big_log(const ddn_big *x)
{
    double value = 0;
    for (size_t i = x->size, used = 0; i-- > 0 && used < 3; used++)
        value = value * 4294967296.0 + x->limb[i];
    size_t below = x->size > 3 ? x->size - 3 : 0;
    return log(value) + (double)below * 32 * log(2.0);
}
