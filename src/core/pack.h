/* SPDX-License-Identifier: MIT */
/* pack.h - compression of a stream of bytes with gzip or zstd. */
#ifndef DDN_CORE_PACK_H
#define DDN_CORE_PACK_H

#include "core/error.h"
#include <stdbool.h>

typedef struct ddn_packer ddn_packer;

/* One that suits the name of a file, .gz or .zst; NULL for any other name. */
int ddn_packer_new(ddn_packer **out, const char *path, dodona_error *err);
void ddn_packer_free(ddn_packer *p);

/* Takes packed bytes; false stops. */
typedef bool ddn_pack_out(void *ctx, const char *data, size_t size);

/* Packs bytes and gives out what has become ready; last: all that is left.  False: ctx stopped it,
 * or the library failed. */
bool ddn_packer_put(ddn_packer *p, const char *data, size_t size, bool last, ddn_pack_out *put,
                    void *ctx);

#endif
