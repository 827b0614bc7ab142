/* SPDX-License-Identifier: MIT */
/* models.c - folders are tried one after the other.
 *
 * Installed models lie in share/dodona/models below the prefix.  An installed tree may be moved, so
 * that is first looked for from where the library lies (or the program, where it is linked in), in
 * lib, lib/TRIPLET or bin, and then where the build was told to install. */
#define _GNU_SOURCE /* dladdr */
#include "api/models.h"

#include "core/intern.h"
#include "core/output.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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

/* What is done with a folder; a status other than 0 ends the search. */
typedef struct visitor {
    int (*visit)(struct visitor *v, const char *folder, dodona_error *err);
    ddn_output folder; /* the current one, with a NUL */
} visitor;

static int visit(visitor *v, dodona_text folder, const char *below, dodona_error *err)
{
    if (folder.size == 0)
        return DODONA_OK;
    ddn_output_clear(&v->folder);
    ddn_put(&v->folder, folder.data, folder.size);
    ddn_put(&v->folder, below, strlen(below) + 1);
    return v->folder.error.code ? ddn_fail_memory(err) : v->visit(v, v->folder.data, err);
}

static int visit_installed(visitor *v, dodona_error *err)
{
    static const char *const below[] = { "../share/dodona/models", "../../share/dodona/models" };
    char path[4096];
    int status = DODONA_OK;
    dodona_text folder = own_folder(path, sizeof path);
    for (size_t i = 0; i < sizeof below / sizeof *below && !status; i++)
        status = visit(v, folder, below[i], err);
    if (status)
        return status;
    return visit(v, (dodona_text){ DDN_MODELS_FOLDER, strlen(DDN_MODELS_FOLDER) }, "", err);
}

/* All folders in the order of the search. */
static int visit_all(visitor *v, const char *folders, dodona_error *err)
{
    int status = DODONA_OK;
    ddn_output_memory(&v->folder);
    while (folders && *folders && !status) {
        size_t size = strcspn(folders, ":");
        status = visit(v, (dodona_text){ folders, size }, "", err);
        folders += size + (folders[size] == ':');
    }
    if (!status)
        status = visit_installed(v, err);
    ddn_output_abandon(&v->folder);
    return status;
}

/* ---- A model of some name ---- */

enum { FOUND = 1 };

typedef struct search {
    visitor v;
    const char *name;
    ddn_output path;    /* that is tried, with a NUL */
    ddn_output message; /* the folders so far */
} search;

static int try_folder(visitor *v, const char *folder, dodona_error *err)
{
    search *s = (search *)(void *)v;
    ddn_puts(&s->message, s->message.size ? ", " : "");
    ddn_puts(&s->message, folder);
    ddn_output_clear(&s->path);
    ddn_puts(&s->path, folder);
    ddn_puts(&s->path, "/");
    ddn_puts(&s->path, s->name);
    ddn_put(&s->path, ".model", sizeof ".model");
    if (s->path.error.code || s->message.error.code)
        return ddn_fail_memory(err);
    return access(s->path.data, F_OK) == 0 ? FOUND : DODONA_OK;
}

int ddn_models_find(const char *folders, const char *name, char **path, dodona_error *err)
{
    search s = { .v.visit = try_folder, .name = name };
    ddn_output_memory(&s.path);
    ddn_output_memory(&s.message);
    int code = FOUND;
    if (strchr(name, '/') || access(name, F_OK) == 0)
        ddn_put(&s.path, name, strlen(name) + 1);
    else
        code = visit_all(&s.v, folders, err);
    if (code == DODONA_OK)
        code =
            ddn_fail_at(err, DODONA_E_IO, name, 0, "there is no such file, and no %s.model in %.*s",
                        name, (int)s.message.size, s.message.data);
    if (s.path.error.code)
        code = ddn_fail_memory(err);
    ddn_output_abandon(&s.message);
    *path = s.path.data;
    if (code < 0) {
        ddn_output_abandon(&s.path);
        *path = NULL;
    }
    return code < 0 ? code : DODONA_OK;
}

/* ---- All models ---- */

typedef struct listing {
    visitor v;
    dodona_model_found found;
    void *ctx;
    ddn_intern names; /* so far */
} listing;

static int is_model(const struct dirent *e)
{
    const char *dot = strrchr(e->d_name, '.');
    return dot && dot > e->d_name && strcmp(dot, ".model") == 0;
}

/* By the values of bytes, whatever the locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int list_model(listing *l, const char *folder, const char *file, dodona_error *err)
{
    char path[4096], name[256];
    uint32_t id, before = l->names.count;
    size_t size = strlen(file) - strlen(".model");
    if (!ddn_intern_add(&l->names, file, size, &id))
        return ddn_fail_memory(err);
    if (l->names.count == before || size >= sizeof name)
        return DODONA_OK;
    memcpy(name, file, size);
    name[size] = '\0';
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, file) >= sizeof path)
        return DODONA_OK;
    return l->found(l->ctx, name, path, err);
}

static int list_folder(visitor *v, const char *folder, dodona_error *err)
{
    listing *l = (listing *)(void *)v;
    struct dirent **file = NULL;
    int status = DODONA_OK, n = scandir(folder, &file, is_model, by_name);
    for (int i = 0; i < n; i++) {
        if (status >= 0)
            status = list_model(l, folder, file[i]->d_name, err);
        free(file[i]);
    }
    free(file);
    return status < 0 ? status : DODONA_OK;
}

int dodona_models(const char *folders, dodona_model_found found, void *ctx, dodona_error *err)
{
    if (!found)
        return ddn_fail_null(err, "callback");
    listing l = { .v.visit = list_folder, .found = found, .ctx = ctx };
    ddn_intern_init(&l.names);
    int status = visit_all(&l.v, folders, err);
    ddn_intern_fini(&l.names);
    return status;
}
