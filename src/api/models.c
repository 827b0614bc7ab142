/* SPDX-License-Identifier: MIT */
/* models.c - folders are tried one after the other.
 *
 * Installed models lie in share/dodona/models below the prefix.  An installed tree may be moved, so
 * that is first looked for from where the library lies (or the program, where it is linked in), in
 * lib, lib/TRIPLET or bin, and then where the build was told to install. */
#define _GNU_SOURCE /* dladdr */
#include "api/models.h"

#include "core/output.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct search {
    const char *name;
    ddn_output path;    /* that is tried, with a NUL */
    ddn_output message; /* the folders so far */
} search;

/* Whether NAME.model is in a folder; below: a folder under it. */
static bool is_in(search *s, dodona_text folder, const char *below)
{
    if (folder.size == 0)
        return false;
    ddn_output_clear(&s->path);
    ddn_put(&s->path, folder.data, folder.size);
    ddn_puts(&s->path, below);
    ddn_puts(&s->message, s->message.size ? ", " : "");
    ddn_put(&s->message, s->path.data, s->path.size);
    ddn_puts(&s->path, "/");
    ddn_puts(&s->path, s->name);
    ddn_put(&s->path, ".model", sizeof ".model");
    return !s->path.error.code && access(s->path.data, F_OK) == 0;
}

static bool is_in_list(search *s, const char *folders)
{
    while (folders && *folders) {
        size_t size = strcspn(folders, ":");
        if (is_in(s, (dodona_text){ folders, size }, ""))
            return true;
        folders += size + (folders[size] == ':');
    }
    return false;
}

/* The folder, with its slash, of the library or of the program that it is linked into; size 0: it
 * is not known. */
static dodona_text own_folder(char path[], size_t size)
{
    static const char here = 0; /* an address in it */
    Dl_info self;
    ssize_t length = 0;
    if (dladdr(&here, &self) && strchr(self.dli_fname, '/'))
        length = snprintf(path, size, "%s", self.dli_fname);
    else
        length = readlink("/proc/self/exe", path, size); /* a program that was found by its name */
    while (length > 0 && (size_t)length < size && path[length - 1] != '/')
        length--;
    bool known = length > 0 && (size_t)length < size;
    return (dodona_text){ path, known ? (size_t)length : 0 };
}

static bool is_installed(search *s)
{
    static const char *const below[] = { "../share/dodona/models", "../../share/dodona/models" };
    char path[4096];
    dodona_text folder = own_folder(path, sizeof path);
    for (size_t i = 0; i < sizeof below / sizeof *below; i++)
        if (is_in(s, folder, below[i]))
            return true;
    return is_in(s, (dodona_text){ DDN_MODELS_FOLDER, strlen(DDN_MODELS_FOLDER) }, "");
}

int ddn_models_find(const char *folders, const char *name, char **path, dodona_error *err)
{
    search s = { .name = name };
    ddn_output_memory(&s.path);
    ddn_output_memory(&s.message);
    int code = DODONA_OK;
    if (strchr(name, '/') || access(name, F_OK) == 0)
        ddn_put(&s.path, name, strlen(name) + 1);
    else if (!is_in_list(&s, folders) && !is_installed(&s))
        code =
            ddn_fail_at(err, DODONA_E_IO, name, 0, "there is no such file, and no %s.model in %.*s",
                        name, (int)s.message.size, s.message.data);
    if (s.path.error.code || s.message.error.code)
        code = ddn_fail_memory(err);
    ddn_output_abandon(&s.message);
    *path = s.path.data;
    if (code) {
        ddn_output_abandon(&s.path);
        *path = NULL;
    }
    return code;
}
