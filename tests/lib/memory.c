/* SPDX-License-Identifier: MIT */
#include "lib/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ptrdiff_t test_memory_read(void *ctx, char *buf, size_t size, dodona_error *err)
{
    (void)err;
    test_memory *m = ctx;
    size_t take = m->size - m->at;
    take = take < size ? take : size;
    if (m->chunk && take > m->chunk)
        take = m->chunk;
    memcpy(buf, m->data + m->at, take);
    m->at += take;
    return (ptrdiff_t)take;
}

static FILE *need(const char *path, const char *mode)
{
    FILE *f = fopen(path, mode);
    if (!f) {
        perror(path);
        abort();
    }
    return f;
}

char *test_slurp(const char *path, size_t *size)
{
    FILE *f = need(path, "rb");
    char *data = NULL;
    size_t got;
    *size = 0;
    do {
        data = realloc(data, *size + (1 << 16) + 1);
        if (!data)
            abort();
        got = fread(data + *size, 1, 1 << 16, f);
        *size += got;
    } while (got);
    fclose(f);
    data[*size] = '\0';
    return data;
}

void test_spill(const char *path, const char *data, size_t size)
{
    FILE *f = need(path, "wb");
    if (fwrite(data, 1, size, f) != size || fclose(f))
        abort();
}
