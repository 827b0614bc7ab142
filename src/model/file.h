/* SPDX-License-Identifier: MIT */
/* file.h - a model file: named sections in one file that is mapped, not parsed.
 *
 *     magic (8 bytes)  version (u32)  sections (u32)  size of the file (u64)  hash (u64)
 *     for each section: name (24 bytes, NUL-padded)  offset, size, hash (u64 each)
 *     the sections in the order of the list, each at the next multiple of 64 bytes, zeros between
 *     them and nothing after the last
 *
 * Numbers are little-endian; hashes are XXH3-64, the first over the list of sections.  The first
 * section is "meta": readable lines "key: value".  Opening checks every size and every hash, so a
 * file that was cut short, altered or written by a newer program is refused with the reason. */
#ifndef DDN_MODEL_FILE_H
#define DDN_MODEL_FILE_H

#include "core/error.h"
#include "core/output.h"

enum { DDN_MODEL_VERSION = 1, DDN_MAX_SECTIONS = 64, DDN_MAX_SECTION_NAME = 24 };

typedef struct ddn_section {
    char name[DDN_MAX_SECTION_NAME];
    const void *data;
    uint64_t size;
} ddn_section;

typedef struct ddn_model_file {
    const unsigned char *bytes;
    size_t size;
    bool mapped;
    const char *path; /* for messages */
    char *own_path;   /* the same, where it is to be freed, */
    void *own_bytes;  /* as is this */
    int sections;
    ddn_section section[DDN_MAX_SECTIONS];
} ddn_model_file;

int ddn_model_file_open(ddn_model_file *f, const char *path, dodona_error *err);
/* The same for bytes in memory, which outlive f, unless they are not at a multiple of 64: those are
 * copied. */
int ddn_model_file_memory(ddn_model_file *f, const void *bytes, size_t size, const char *name,
                          dodona_error *err);
void ddn_model_file_close(ddn_model_file *f);

/* The section of that name, or an error that names the file. */
int ddn_model_file_find(const ddn_model_file *f, const char *name, const ddn_section **out,
                        dodona_error *err);
/* The value of "key: value" in the metadata; data NULL: not there. */
dodona_text ddn_model_file_meta(const ddn_model_file *f, const char *key);

void ddn_model_file_put(ddn_output *o, const ddn_section *section, int sections);

/* ---- Sections that are being made ---- */

enum { DDN_MAX_MADE = 32 };

/* In memory, in the order in which they were added. */
typedef struct ddn_sections {
    int count;
    struct ddn_made {
        char name[DDN_MAX_SECTION_NAME];
        ddn_output bytes;
    } made[DDN_MAX_MADE];
} ddn_sections;

void ddn_sections_init(ddn_sections *s);
void ddn_sections_fini(ddn_sections *s);
/* Adds an empty section of that name and returns it; borrowed from s, and its address does not
 * change. */
ddn_output *ddn_sections_add(ddn_sections *s, const char *name);
/* Adds a copy of a section. */
void ddn_sections_copy(ddn_sections *s, const ddn_section *from);
/* The first error that occurred when writing them. */
int ddn_sections_check(const ddn_sections *s, dodona_error *err);
/* The sections as an open file would have them, borrowed from s; there is nothing to close. name is
 * for messages and must outlive f. */
void ddn_sections_view(const ddn_sections *s, const char *name, ddn_model_file *f);

#endif
