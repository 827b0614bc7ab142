/* SPDX-License-Identifier: MIT */
/* intern.h - strings to dense numbers: the first string added is 0, the next new one 1, and so on.
 *
 * Equal bytes have equal ids, so that tags, labels and lemmas compare as numbers.  The texts stay
 * where they are until clear or fini, however many more are added, and a NUL follows each. */
#ifndef DDN_CORE_INTERN_H
#define DDN_CORE_INTERN_H

#include "dodona.h"
#include <stdbool.h>

#define DDN_INTERN_NONE UINT32_MAX

typedef struct ddn_intern {
    struct ddn_interned *item; /* [count] by id */
    size_t item_cap;
    uint32_t count;
    uint32_t *slot; /* [slots] id + 1, or 0 */
    size_t slots;   /* a power of two, or 0 */
    struct ddn_intern_block *block;
} ddn_intern;

void ddn_intern_init(ddn_intern *t); /* allocates nothing */
void ddn_intern_fini(ddn_intern *t);
void ddn_intern_clear(ddn_intern *t); /* forgets all strings; ids begin at 0 again */

/* The id of the string, new or old.  False: no memory, or 2^32 - 2 strings are there; then nothing
 * has changed. */
bool ddn_intern_add(ddn_intern *t, const char *data, size_t size, uint32_t *id);
/* The id of the string, or DDN_INTERN_NONE. */
uint32_t ddn_intern_find(const ddn_intern *t, const char *data, size_t size);
/* The string of id < count. */
dodona_text ddn_intern_text(const ddn_intern *t, uint32_t id);

#endif
