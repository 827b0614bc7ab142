/* SPDX-License-Identifier: MIT */
/* file.c - maps a model file and checks all of it before it is used. */
#include "model/file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { HEADER = 32, ENTRY = DDN_MAX_SECTION_NAME + 24, ALIGN = 64 };

static const char magic[8] = "dodona\r\n";

static uint64_t get64(const unsigned char *at)
{
    uint64_t x = 0;
    for (int i = 7; i >= 0; i--)
        x = x << 8 | at[i];
    return x;
}

static uint32_t get32(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void put64(ddn_output *o, uint64_t x)
{
    char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (char)(x >> (8 * i));
    ddn_put(o, bytes, 8);
}

static uint64_t aligned(uint64_t at)
{
    return (at + ALIGN - 1) / ALIGN * ALIGN;
}

/* ---- Reading ---- */

static int refuse(const ddn_model_file *f, const char *why, dodona_error *err)
{
    return ddn_fail_at(err, DODONA_E_MODEL, f->path, 0, "%s", why);
}

/* Whether the bytes before a section are the padding that the writer puts there. */
static bool follows(const ddn_model_file *f, uint64_t end, uint64_t at)
{
    if (at != aligned(end) || at > f->size)
        return false;
    for (; end < at; end++)
        if (f->bytes[end])
            return false;
    return true;
}

/* Checks that a section begins where the one before it ended, up to padding.  *end: the end of that
 * one before, of this one after the call. */
static int read_section(ddn_model_file *f, int i, uint64_t *end, dodona_error *err)
{
    const unsigned char *entry = f->bytes + HEADER + (size_t)i * ENTRY;
    ddn_section *s = &f->section[i];
    memcpy(s->name, entry, DDN_MAX_SECTION_NAME);
    uint64_t at = get64(entry + DDN_MAX_SECTION_NAME);
    s->size = get64(entry + DDN_MAX_SECTION_NAME + 8);
    if (s->name[DDN_MAX_SECTION_NAME - 1] || !follows(f, *end, at) || s->size > f->size - at)
        return refuse(f, "the model file is damaged: its list of parts is invalid", err);
    s->data = f->bytes + at;
    if (XXH3_64bits(s->data, s->size) != get64(entry + DDN_MAX_SECTION_NAME + 16))
        return ddn_fail_at(err, DODONA_E_MODEL, f->path, 0,
                           "the model file is damaged: the part '%s' is not as it was written",
                           s->name);
    *end = at + s->size;
    return DODONA_OK;
}

static int read_sections(ddn_model_file *f, dodona_error *err)
{
    if (f->size < HEADER || memcmp(f->bytes, magic, sizeof magic) != 0)
        return refuse(f, "not a Dodona model", err);
    uint32_t version = get32(f->bytes + 8), sections = get32(f->bytes + 12);
    if (version > DDN_MODEL_VERSION)
        return ddn_fail_at(
            err, DODONA_E_MODEL, f->path, 0,
            "the model has format %u, and this program reads formats up to %d; use a "
            "newer dodona",
            version, DDN_MODEL_VERSION);
    if (get64(f->bytes + 16) != f->size)
        return refuse(f, "the model file is cut short or has bytes after its end", err);
    if (version < 1 || sections < 1 || sections > DDN_MAX_SECTIONS ||
        f->size - HEADER < (size_t)sections * ENTRY ||
        XXH3_64bits(f->bytes + HEADER, (size_t)sections * ENTRY) != get64(f->bytes + 24))
        return refuse(f, "the model file is damaged: its header is not as it was written", err);
    uint64_t end = HEADER + (uint64_t)sections * ENTRY;
    for (f->sections = 0; f->sections < (int)sections; f->sections++) {
        int status = read_section(f, f->sections, &end, err);
        if (status < 0)
            return status;
    }
    if (end != f->size)
        return refuse(f, "the model file is damaged: it has bytes after its last part", err);
    return DODONA_OK;
}

int ddn_model_file_memory(ddn_model_file *f, const void *bytes, size_t size, const char *name,
                          dodona_error *err)
{
    memset(f, 0, sizeof *f);
    f->path = f->own_path = strdup(name);
    if ((uintptr_t)bytes % ALIGN != 0) {
        f->own_bytes = size < SIZE_MAX - ALIGN ? aligned_alloc(ALIGN, aligned(size + !size)) : NULL;
        bytes = f->own_bytes ? memcpy(f->own_bytes, bytes, size) : NULL;
    }
    f->bytes = bytes;
    f->size = size;
    int status = f->path && bytes ? read_sections(f, err) : ddn_fail_memory(err);
    if (status < 0)
        ddn_model_file_close(f);
    return status;
}

static int map(ddn_model_file *f, int fd, dodona_error *err)
{
    struct stat st;
    if (fstat(fd, &st) < 0)
        return ddn_fail_at(err, DODONA_E_IO, f->path, 0, "can't read the model: %s",
                           strerror(errno));
    if (!S_ISREG(st.st_mode))
        return refuse(f, "a model must be a regular file", err);
    if (st.st_size < HEADER)
        return refuse(f, "not a Dodona model", err);
    void *bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED)
        return ddn_fail_at(err, DODONA_E_IO, f->path, 0, "can't map the model: %s",
                           strerror(errno));
    f->bytes = bytes;
    f->size = (size_t)st.st_size;
    f->mapped = true;
    return read_sections(f, err);
}

int ddn_model_file_open(ddn_model_file *f, const char *path, dodona_error *err)
{
    memset(f, 0, sizeof *f);
    f->path = f->own_path = strdup(path);
    if (!f->path)
        return ddn_fail_memory(err);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int status;
    if (fd < 0) {
        status =
            ddn_fail_at(err, DODONA_E_IO, path, 0, "can't open the model: %s", strerror(errno));
    } else {
        status = map(f, fd, err);
        close(fd);
    }
    if (status < 0)
        ddn_model_file_close(f);
    return status;
}

void ddn_model_file_close(ddn_model_file *f)
{
    if (f->mapped)
        munmap((void *)(uintptr_t)f->bytes, f->size);
    free(f->own_path);
    free(f->own_bytes);
    memset(f, 0, sizeof *f);
}

int ddn_model_file_find(const ddn_model_file *f, const char *name, const ddn_section **out,
                        dodona_error *err)
{
    for (int i = 0; i < f->sections; i++)
        if (strcmp(f->section[i].name, name) == 0) {
            *out = &f->section[i];
            return DODONA_OK;
        }
    return ddn_fail_at(err, DODONA_E_MODEL, f->path, 0, "the model has no part '%s'", name);
}

dodona_text ddn_model_file_meta(const ddn_model_file *f, const char *key)
{
    const ddn_section *meta = NULL;
    size_t length = strlen(key);
    if (ddn_model_file_find(f, "meta", &meta, NULL) < 0)
        return (dodona_text){ 0 };
    for (const char *at = meta->data, *end = at + meta->size; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        if ((size_t)(stop - at) >= length + 2 && memcmp(at, key, length) == 0 &&
            memcmp(at + length, ": ", 2) == 0)
            return (dodona_text){ at + length + 2, (size_t)(stop - at) - length - 2 };
        at = newline ? newline + 1 : end;
    }
    return (dodona_text){ 0 };
}

/* ---- Writing ---- */

static void put_entry(ddn_output *o, const ddn_section *s, uint64_t at)
{
    ddn_put(o, s->name, sizeof s->name);
    put64(o, at);
    put64(o, s->size);
    put64(o, XXH3_64bits(s->data, s->size));
}

void ddn_model_file_put(ddn_output *o, const ddn_section *section, int sections)
{
    static const char zeros[ALIGN];
    ddn_output list;
    ddn_output_memory(&list);
    uint64_t at = HEADER + (uint64_t)sections * ENTRY;
    for (int i = 0; i < sections; i++) {
        at = aligned(at);
        put_entry(&list, &section[i], at);
        at += section[i].size;
    }
    uint32_t numbers[2] = { DDN_MODEL_VERSION, (uint32_t)sections };
    ddn_put(o, magic, sizeof magic);
    put64(o, (uint64_t)numbers[1] << 32 | numbers[0]);
    put64(o, at);
    put64(o, XXH3_64bits(list.data, list.size));
    ddn_put(o, list.data, list.size);
    uint64_t end = HEADER + list.size;
    for (int i = 0; i < sections; i++) {
        ddn_put(o, zeros, aligned(end) - end);
        ddn_put(o, section[i].data, section[i].size);
        end = aligned(end) + section[i].size;
    }
    if (list.error.code)
        o->error = list.error;
    ddn_output_abandon(&list);
}

/* ---- Sections that are being made ---- */

void ddn_sections_init(ddn_sections *s)
{
    s->count = 0;
}

void ddn_sections_fini(ddn_sections *s)
{
    for (int i = 0; i < s->count; i++)
        ddn_output_abandon(&s->made[i].bytes);
    s->count = 0;
}

ddn_output *ddn_sections_add(ddn_sections *s, const char *name)
{
    assert(s->count < DDN_MAX_MADE);
    struct ddn_made *made = &s->made[s->count++];
    memset(made->name, 0, sizeof made->name);
    snprintf(made->name, sizeof made->name, "%s", name);
    ddn_output_memory(&made->bytes);
    return &made->bytes;
}

void ddn_sections_copy(ddn_sections *s, const ddn_section *from)
{
    ddn_put(ddn_sections_add(s, from->name), from->data, from->size);
}

int ddn_sections_check(const ddn_sections *s, dodona_error *err)
{
    int status = DODONA_OK;
    for (int i = 0; i < s->count && status >= 0; i++)
        status = ddn_output_check(&s->made[i].bytes, err);
    return status;
}

void ddn_sections_view(const ddn_sections *s, const char *name, ddn_model_file *f)
{
    memset(f, 0, sizeof *f);
    f->path = name;
    f->sections = s->count;
    for (int i = 0; i < s->count; i++) {
        const ddn_output *bytes = &s->made[i].bytes;
        memcpy(f->section[i].name, s->made[i].name, sizeof f->section[i].name);
        f->section[i].data = bytes->data ? bytes->data : "";
        f->section[i].size = bytes->size;
    }
}
