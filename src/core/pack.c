/* SPDX-License-Identifier: MIT */
/* pack.c - both libraries at their default levels, with checksums. */
#include "core/pack.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum { PACKED_BYTES = 1 << 16 };

struct ddn_packer {
    bool gzip_ready;
    z_stream gzip;
    ZSTD_CCtx *zstd; /* NULL: gzip */
    char packed[PACKED_BYTES];
};

static bool ends_with(const char *text, const char *end)
{
    size_t size = strlen(text), length = strlen(end);
    return size > length && strcmp(text + size - length, end) == 0;
}

int ddn_packer_new(ddn_packer **out, const char *path, dodona_error *err)
{
    bool gzip = ends_with(path, ".gz");
    *out = NULL;
    if (!gzip && !ends_with(path, ".zst"))
        return DODONA_OK;
    ddn_packer *p = calloc(1, sizeof *p);
    if (p && gzip)
        p->gzip_ready = deflateInit2(&p->gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8,
                                     Z_DEFAULT_STRATEGY) == Z_OK;
    else if (p)
        p->zstd = ZSTD_createCCtx();
    if (!p || (gzip ? !p->gzip_ready : !p->zstd)) {
        ddn_packer_free(p);
        return ddn_fail_memory(err);
    }
    if (p->zstd)
        ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_checksumFlag, 1);
    *out = p;
    return DODONA_OK;
}

void ddn_packer_free(ddn_packer *p)
{
    if (!p)
        return;
    if (p->gzip_ready)
        deflateEnd(&p->gzip);
    ZSTD_freeCCtx(p->zstd);
    free(p);
}

/* Packs some of data[*at..size) into p->packed: how many bytes, and whether all has come out. */
static bool step_gzip(ddn_packer *p, const char *data, size_t size, bool last, size_t *at,
                      size_t *made, bool *done)
{
    size_t some = size - *at < 1u << 30 ? size - *at : 1u << 30;
    p->gzip.next_in = (unsigned char *)(uintptr_t)data + *at;
    p->gzip.avail_in = (unsigned)some;
    p->gzip.next_out = (unsigned char *)p->packed;
    p->gzip.avail_out = PACKED_BYTES;
    bool end = last && *at + some == size;
    int code = deflate(&p->gzip, end ? Z_FINISH : Z_NO_FLUSH);
    *at += some - p->gzip.avail_in;
    *made = PACKED_BYTES - p->gzip.avail_out;
    *done = end ? code == Z_STREAM_END : *at == size && p->gzip.avail_out > 0;
    return code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR;
}

static bool step_zstd(ddn_packer *p, const char *data, size_t size, bool last, size_t *at,
                      size_t *made, bool *done)
{
    ZSTD_inBuffer in = { data, size, *at };
    ZSTD_outBuffer out = { p->packed, PACKED_BYTES, 0 };
    size_t left = ZSTD_compressStream2(p->zstd, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
    *at = in.pos;
    *made = out.pos;
    *done = in.pos == size && (!last || left == 0);
    return !ZSTD_isError(left);
}

bool ddn_packer_put(ddn_packer *p, const char *data, size_t size, bool last, ddn_pack_out *put,
                    void *ctx)
{
    size_t at = 0, made;
    for (bool done = false; !done;) {
        bool ok = p->zstd ? step_zstd(p, data, size, last, &at, &made, &done)
                          : step_gzip(p, data, size, last, &at, &made, &done);
        if (!ok || (made && !put(ctx, p->packed, made)))
            return false;
    }
    return true;
}
