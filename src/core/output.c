/* SPDX-License-Identifier: MIT */
/* output.c - buffered writing, and how a named file is created or replaced.
 *
 * A regular file is written beside its place and renamed over it, so that no reader ever sees half
 * of it.  Links are followed first: the file they lead to is replaced, not the link.  It keeps its
 * permissions, and its owner where the system allows that.  What is there and is no regular file (a
 * device, a pipe) can't be replaced by renaming and is written directly. */
#include "core/output.h"

#include "core/array.h"
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 18, MAX_LINKS = 40, MAX_TRIES = 1000 };

static int file_error(dodona_error *err, const char *path, const char *what)
{
    return ddn_fail_at(err, DODONA_E_IO, path, 0, "can't %s: %s", what, strerror(errno));
}

/* The folder of path, with its slash, followed by name. */
static char *beside(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0, size = strlen(name) + 1;
    char *joined = malloc(folder + size);
    if (joined) {
        memcpy(joined, path, folder);
        memcpy(joined + folder, name, size);
    }
    return joined;
}

/* The file that path leads to, which need not exist; for the caller to free. */
static int follow_links(const char *path, char **out, dodona_error *err)
{
    char *now = strdup(path);
    for (int i = 0; now && i < MAX_LINKS; i++) {
        char target[4096];
        ssize_t size = readlink(now, target, sizeof target - 1);
        if (size < 0) {
            *out = now;
            return 0;
        }
        target[size] = '\0';
        char *next = target[0] == '/' ? strdup(target) : beside(now, target);
        free(now);
        now = next;
    }
    if (!now)
        return ddn_fail_memory(err);
    free(now);
    errno = ELOOP;
    return file_error(err, path, "open the file for writing");
}

/* Creates the file that is renamed on close.  Its name does not grow from that of the file, which
 * may be as long as names can be. */
static int open_temporary(ddn_output *o, const struct stat *old, dodona_error *err)
{
    for (int i = 0; i < MAX_TRIES; i++) {
        char name[64];
        snprintf(name, sizeof name, ".dodona-%ld-%d", (long)getpid(), i);
        free(o->temporary);
        o->temporary = beside(o->path, name);
        if (!o->temporary)
            return ddn_fail_memory(err);
        o->fd = open(o->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (o->fd >= 0 || errno != EEXIST)
            break;
    }
    if (o->fd < 0) {
        file_error(err, o->path, "create a file beside it");
        free(o->temporary);
        o->temporary = NULL;
        return DODONA_E_IO;
    }
    /* The owner first: changing it may clear bits of the mode.  Where the system says no, the file
     * belongs to whoever writes it, as any new file does. */
    if (!old)
        return 0;
    bool same_owner = fchown(o->fd, old->st_uid, old->st_gid) == 0;
    mode_t mode = old->st_mode & (same_owner ? 07777 : 0777);
    return fchmod(o->fd, mode) == 0 ? 0 : file_error(err, o->path, "set its permissions");
}

/* What is no regular file is opened by the name that was given: the links of /dev/stdout end in a
 * name that is none. */
static int open_special(ddn_output *o, const char *path, dodona_error *err)
{
    o->path = strdup(path);
    if (!o->path)
        return ddn_fail_memory(err);
    o->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    return o->fd < 0 ? file_error(err, path, "open the file for writing") : 0;
}

static int open_path(ddn_output *o, const char *path, dodona_error *err)
{
    struct stat old;
    bool there = stat(path, &old) == 0;
    size_t size = strlen(path);
    bool nameless = size == 0 || path[size - 1] == '/';
    if (!there && (errno != ENOENT || nameless))
        return file_error(err, path, "open the file for writing");
    if (there && !S_ISREG(old.st_mode))
        return open_special(o, path, err);
    int code = follow_links(path, &o->path, err);
    if (code)
        return code;
    if (there && access(o->path, W_OK) != 0)
        return file_error(err, path, "open the file for writing");
    return open_temporary(o, there ? &old : NULL, err);
}

int ddn_output_open(ddn_output *o, const char *path, dodona_error *err)
{
    ddn_output_memory(o);
    int code = 0;
    if (strcmp(path, "-") == 0)
        o->fd = STDOUT_FILENO;
    else
        code = open_path(o, path, err);
    if (!code && !ddn_reserve(&o->data, &o->capacity, BUFFER_BYTES, 1))
        code = ddn_fail_memory(err);
    if (code)
        ddn_output_abandon(o);
    return code;
}

int ddn_output_open_packed(ddn_output *o, const char *path, dodona_error *err)
{
    int code = ddn_output_open(o, path, err);
    if (!code)
        code = ddn_packer_new(&o->packer, path, err);
    if (code)
        ddn_output_abandon(o);
    return code;
}

void ddn_output_memory(ddn_output *o)
{
    memset(o, 0, sizeof *o);
    o->fd = -1;
}

int ddn_output_callback(ddn_output *o, dodona_write write, void *ctx, dodona_error *err)
{
    ddn_output_memory(o);
    o->write = write;
    o->write_ctx = ctx;
    return ddn_reserve(&o->data, &o->capacity, BUFFER_BYTES, 1) ? 0 : ddn_fail_memory(err);
}

static bool hand_over(ddn_output *o, const char *data, size_t size)
{
    dodona_error err = { .message = "the callback that takes the bytes failed" };
    int code = size ? o->write(o->write_ctx, data, size, &err) : 0;
    if (code < 0) {
        o->error = err;
        o->error.code = (dodona_code)code;
    }
    return code >= 0;
}

static bool write_all(void *output, const char *data, size_t size)
{
    ddn_output *o = output;
    if (o->write)
        return !o->error.code && hand_over(o, data, size);
    for (size_t at = 0; at < size && !o->error.code;) {
        ssize_t wrote = write(o->fd, data + at, size - at);
        if (wrote >= 0)
            at += (size_t)wrote;
        else if (errno != EINTR)
            file_error(&o->error, o->path ? o->path : "<stdout>", "write");
    }
    return !o->error.code;
}

static void pack(ddn_output *o, bool last)
{
    if (!o->error.code && !ddn_packer_put(o->packer, o->data, o->size, last, write_all, o) &&
        !o->error.code)
        ddn_fail_at(&o->error, DODONA_E_IO, o->path, 0, "can't compress");
}

void ddn_output_flush(ddn_output *o)
{
    if (o->fd < 0 && !o->write)
        return;
    if (o->packer)
        pack(o, false);
    else
        write_all(o, o->data, o->size);
    o->size = 0;
}

char *ddn_output_room(ddn_output *o, size_t size)
{
    if (o->error.code)
        return NULL;
    if (o->capacity - o->size >= size && o->data)
        return o->data + o->size;
    ddn_output_flush(o);
    if (o->error.code)
        return NULL;
    /* At least one byte, so that the address is one also when nothing is asked for. */
    if (size >= SIZE_MAX - o->size || !ddn_reserve(&o->data, &o->capacity, o->size + size + 1, 1)) {
        ddn_fail_memory(&o->error);
        return NULL;
    }
    return o->data + o->size;
}

void ddn_puts(ddn_output *o, const char *text)
{
    ddn_put(o, text, strlen(text));
}

void ddn_put_int(ddn_output *o, int64_t value)
{
    char digits[24];
    size_t at = sizeof digits;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do
        digits[--at] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0)
        digits[--at] = '-';
    ddn_put(o, digits + at, sizeof digits - at);
}

static void put_formatted(ddn_output *o, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int size = vsnprintf(NULL, 0, format, args);
    char *to = size < 0 ? NULL : ddn_output_room(o, (size_t)size + 1);
    if (to) {
        vsnprintf(to, (size_t)size + 1, format, again);
        o->size += (size_t)size;
    }
    va_end(again);
}

/* In the locale "C": the calling program's may put a comma where JSON and model files have a
 * point. */
void ddn_vputf(ddn_output *o, const char *format, va_list args)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain) {
        ddn_fail_memory(&o->error);
        return;
    }
    locale_t callers = uselocale(plain);
    put_formatted(o, format, args);
    uselocale(callers);
    freelocale(plain);
}

void ddn_putf(ddn_output *o, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ddn_vputf(o, format, args);
    va_end(args);
}

int ddn_output_check(const ddn_output *o, dodona_error *err)
{
    if (o->error.code && err)
        *err = o->error;
    return o->error.code;
}

int ddn_output_text(const ddn_output *o, dodona_text *text, dodona_error *err)
{
    if (!o->error.code)
        *text = (dodona_text){ o->data, o->size };
    return ddn_output_check(o, err);
}

int ddn_output_close(ddn_output *o, dodona_error *err)
{
    ddn_output_flush(o);
    if (o->packer)
        pack(o, true);
    if (o->path && o->fd >= 0) {
        /* Some file systems tell only here that the disk is full. */
        if (close(o->fd) != 0 && !o->error.code)
            file_error(&o->error, o->path, "write");
        o->fd = -1;
    }
    if (o->temporary && !o->error.code) {
        if (rename(o->temporary, o->path) != 0) {
            file_error(&o->error, o->path, "put the file in place");
        } else {
            free(o->temporary);
            o->temporary = NULL;
        }
    }
    int code = ddn_output_check(o, err);
    ddn_output_abandon(o);
    return code;
}

void ddn_output_abandon(ddn_output *o)
{
    if (o->path && o->fd >= 0)
        close(o->fd);
    if (o->temporary)
        unlink(o->temporary);
    ddn_packer_free(o->packer);
    free(o->temporary);
    free(o->path);
    free(o->data);
    ddn_output_memory(o);
}
