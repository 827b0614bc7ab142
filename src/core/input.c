/* SPDX-License-Identifier: MIT */
/* input.c - one stream of bytes from one of two sources through one of three decoders.
 *
 * The first bytes decide: 1f 8b is gzip, 28 b5 2f fd is zstd, also behind skippable frames, 5x 2a
 * 4d 18 with four bytes of size and as many of anything; all else is plain.  No more is read ahead
 * than it takes to tell, so that a person who types gets an answer after the first line.  Plain
 * bytes go straight into the caller's buffer.
 *
 * No text is taken for compressed: 8b and b5 can't stand there in UTF-8.  Skippable frames at the
 * beginning must end within PACKED_BYTES for that.  xz, fd 37 7a 58 5a 00, is known to be refused.
 *
 * A compressed stream must end where a member or frame ends: an end of file before that means that
 * the file was cut off, and bytes behind it that start no other member are an error too.  Both
 * libraries check their checksums.  zstd frames that ask for a window over 128 MiB are refused by
 * the library's own limit, so memory stays bounded. */
#include "core/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

enum { PACKED_BYTES = 1 << 16, MAGIC_BYTES = 8 };

typedef enum coding { UNDECIDED, PLAIN, GZIP, ZSTD, XZ } coding;

struct ddn_input {
    char *name;
    int fd; /* -1: the callback */
    bool own_fd;
    dodona_read read;
    void *ctx;

    int64_t taken;                         /* bytes of the source */
    bool tells_waits, tells_signals, told; /* and told that the next read of the source waits */
    coding coding;
    char *packed; /* [PACKED_BYTES] read from the source and not yet decoded */
    size_t at, end;
    bool source_ended;
    bool inside; /* a member or frame has begun and not ended */
    bool gzip_ready;
    z_stream gzip;
    ZSTD_DStream *zstd;

    char *raw; /* [PACKED_BYTES] unpacked and not yet recoded; NULL: nothing is recoded */
    size_t raw_at, raw_end;
    bool raw_ended;
    ddn_recoder recoder;

    char *ahead; /* [DDN_AHEAD] what look has read; NULL: nothing */
    size_t ahead_at, ahead_end;
};

static int new_input(ddn_input **out, const char *name, dodona_error *err)
{
    *out = NULL;
    ddn_input *in = calloc(1, sizeof *in);
    if (!in)
        return ddn_fail_memory(err);
    in->fd = -1;
    in->name = strdup(name);
    in->packed = malloc(PACKED_BYTES);
    if (!in->name || !in->packed) {
        ddn_input_close(in);
        return ddn_fail_memory(err);
    }
    *out = in;
    return 0;
}

int ddn_input_open(ddn_input **out, const char *path, dodona_error *err)
{
    bool standard = strcmp(path, "-") == 0;
    int code = new_input(out, standard ? "<stdin>" : path, err);
    if (code)
        return code;
    (*out)->own_fd = !standard;
    (*out)->fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if ((*out)->fd < 0) {
        int why = errno;
        ddn_input_close(*out);
        *out = NULL;
        return ddn_fail_at(err, DODONA_E_IO, path, 0, "can't open the file: %s", strerror(why));
    }
    return 0;
}

int ddn_input_callback(ddn_input **out, dodona_read read, void *ctx, const char *name,
                       dodona_error *err)
{
    int code = new_input(out, name, err);
    if (code)
        return code;
    (*out)->read = read;
    (*out)->ctx = ctx;
    return 0;
}

const char *ddn_input_name(const ddn_input *in)
{
    return in->name;
}

void ddn_input_close(ddn_input *in)
{
    if (!in)
        return;
    if (in->gzip_ready)
        inflateEnd(&in->gzip);
    ZSTD_freeDStream(in->zstd);
    if (in->own_fd && in->fd >= 0)
        close(in->fd);
    free(in->raw);
    free(in->ahead);
    free(in->packed);
    free(in->name);
    free(in);
}

void ddn_input_tell_waits(ddn_input *in)
{
    in->tells_waits = true;
}

void ddn_input_tell_signals(ddn_input *in)
{
    in->tells_signals = true;
}

int ddn_input_recode(ddn_input *in, ddn_encoding e, bool replace, dodona_error *err)
{
    in->raw = malloc(PACKED_BYTES);
    in->recoder = (ddn_recoder){ .encoding = e, .replace = replace };
    return in->raw ? DODONA_OK : ddn_fail_memory(err);
}

const ddn_recoder *ddn_input_recoder(const ddn_input *in)
{
    return in->raw ? &in->recoder : NULL;
}

int64_t ddn_input_taken(const ddn_input *in)
{
    return in->taken;
}

static bool would_wait(const ddn_input *in)
{
    struct pollfd p = { .fd = in->fd, .events = POLLIN };
    return in->fd < 0 || poll(&p, 1, 0) == 0;
}

/* Bytes as the source has them. */
static ptrdiff_t read_source(ddn_input *in, char *buf, size_t size, dodona_error *err)
{
    if (in->source_ended)
        return 0;
    if (in->tells_waits && !in->told && would_wait(in)) {
        in->told = true;
        return DDN_INPUT_WAITS;
    }
    in->told = false;
    ptrdiff_t got;
    if (in->fd < 0) {
        got = in->read(in->ctx, buf, size, err);
        if (got > 0 && (size_t)got > size)
            return ddn_fail_at(err, DODONA_E_ARGUMENT, in->name, 0,
                               "the callback brought more bytes than it was asked for");
    } else {
        do
            got = read(in->fd, buf, size);
        while (got < 0 && errno == EINTR && !in->tells_signals);
        if (got < 0 && errno == EINTR)
            return DDN_INPUT_WAITS;
        if (got < 0)
            return ddn_fail_at(err, DODONA_E_IO, in->name, 0, "can't read: %s", strerror(errno));
    }
    if (got == 0)
        in->source_ended = true;
    in->taken += got > 0 ? got : 0;
    return got;
}

static bool begins(const unsigned char *b, size_t size, const unsigned char *magic)
{
    return memcmp(b, magic, size < 4 ? size : 4) == 0;
}

/* What the first size bytes say; UNDECIDED when there must be more of them. */
static coding tell(const char *bytes, size_t size)
{
    static const unsigned char gzip[] = { 0x1f, 0x8b };
    static const unsigned char zstd[] = { 0x28, 0xb5, 0x2f, 0xfd };
    static const unsigned char skip[] = { 0x2a, 0x4d, 0x18 };
    static const unsigned char xz[] = { 0xfd, '7', 'z', 'X', 'Z', 0 };
    const unsigned char *b = (const unsigned char *)bytes;
    if (size && b[0] == gzip[0])
        return size < 2 ? UNDECIDED : b[1] == gzip[1] ? GZIP : PLAIN;
    if (size && b[0] == xz[0]) {
        if (memcmp(b, xz, size < sizeof xz ? size : sizeof xz) != 0)
            return PLAIN;
        return size < sizeof xz ? UNDECIDED : XZ;
    }
    size_t at = 0;
    while (at < size && (b[at] & 0xf0) == 0x50) { /* skippable frames */
        size_t left = size - at - 1;
        if (memcmp(b + at + 1, skip, left < 3 ? left : 3) != 0)
            return PLAIN;
        if (left < 7)
            return UNDECIDED;
        uint64_t length = b[at + 4] | (uint64_t)b[at + 5] << 8 | (uint64_t)b[at + 6] << 16 |
                          (uint64_t)b[at + 7] << 24;
        if (at + 8 + length + 4 > PACKED_BYTES)
            return PLAIN;
        at += 8 + (size_t)length;
    }
    if (at >= size)
        return UNDECIDED;
    if (!begins(b + at, size - at, zstd))
        return PLAIN;
    return size - at < 4 ? UNDECIDED : ZSTD;
}

static int decide(ddn_input *in, dodona_error *err)
{
    while (in->coding == UNDECIDED) {
        size_t wanted = in->end < MAGIC_BYTES ? MAGIC_BYTES : PACKED_BYTES;
        ptrdiff_t got = read_source(in, in->packed + in->end, wanted - in->end, err);
        if (got < 0)
            return (int)got;
        in->end += (size_t)got;
        in->coding = got == 0 ? PLAIN : tell(in->packed, in->end);
        if (in->coding == UNDECIDED && in->end == PACKED_BYTES)
            in->coding = PLAIN;
    }
    if (in->coding == GZIP) {
        if (inflateInit2(&in->gzip, 15 + 16) != Z_OK)
            return ddn_fail_memory(err);
        in->gzip_ready = true;
    } else if (in->coding == ZSTD) {
        in->zstd = ZSTD_createDStream();
        if (!in->zstd)
            return ddn_fail_memory(err);
    }
    return 0;
}

static int corrupt(ddn_input *in, const char *what, dodona_error *err)
{
    return ddn_fail_at(err, DODONA_E_INPUT, in->name, 0, "the %s data is damaged: %s",
                       in->coding == GZIP ? "gzip" : "zstd", what);
}

static ptrdiff_t step_gzip(ddn_input *in, char *buf, size_t size, dodona_error *err)
{
    in->gzip.next_in = (unsigned char *)in->packed + in->at;
    in->gzip.avail_in = (unsigned)(in->end - in->at);
    in->gzip.next_out = (unsigned char *)buf;
    in->gzip.avail_out = size > 1u << 30 ? 1u << 30 : (unsigned)size;
    unsigned room = in->gzip.avail_out;
    in->inside = true;
    int code = inflate(&in->gzip, Z_NO_FLUSH);
    in->at = in->end - in->gzip.avail_in;
    if (code == Z_STREAM_END) {
        in->inside = false;
        if (inflateReset(&in->gzip) != Z_OK)
            return ddn_fail_memory(err);
    } else if (code == Z_MEM_ERROR) {
        return ddn_fail_memory(err);
    } else if (code != Z_OK && code != Z_BUF_ERROR) {
        return corrupt(in, in->gzip.msg ? in->gzip.msg : "not a gzip stream", err);
    }
    return (ptrdiff_t)(room - in->gzip.avail_out);
}

static ptrdiff_t step_zstd(ddn_input *in, char *buf, size_t size, dodona_error *err)
{
    ZSTD_inBuffer from = { in->packed, in->end, in->at };
    ZSTD_outBuffer to = { buf, size, 0 };
    size_t code = ZSTD_decompressStream(in->zstd, &to, &from);
    if (ZSTD_isError(code))
        return corrupt(in, ZSTD_getErrorName(code), err);
    in->at = from.pos;
    in->inside = code != 0;
    return (ptrdiff_t)to.pos;
}

static ptrdiff_t take(char *buf, size_t size, const char *from, size_t *at, size_t end)
{
    size_t have = end - *at, some = have < size ? have : size;
    memcpy(buf, from + *at, some);
    *at += some;
    return (ptrdiff_t)some;
}

static ptrdiff_t unpack(ddn_input *in, char *buf, size_t size, dodona_error *err)
{
    if (in->coding == UNDECIDED) {
        int code = decide(in, err);
        if (code)
            return code;
    }
    if (in->coding == XZ)
        return ddn_fail_at(err, DODONA_E_INPUT, in->name, 0,
                           "the file is compressed with xz, which is not read here; unpack it with "
                           "xz -dc, or compress it with gzip or zstd");
    if (in->coding == PLAIN) {
        if (in->at == in->end)
            return read_source(in, buf, size, err);
        return take(buf, size, in->packed, &in->at, in->end);
    }
    for (;;) {
        /* A decoder may hold output back for want of room, so it is asked before the source. */
        if (in->at < in->end || in->inside) {
            ptrdiff_t made =
                in->coding == GZIP ? step_gzip(in, buf, size, err) : step_zstd(in, buf, size, err);
            if (made != 0)
                return made;
            if (in->at < in->end)
                continue;
        }
        ptrdiff_t got = read_source(in, in->packed, PACKED_BYTES, err);
        if (got < 0)
            return got;
        if (got == 0)
            return in->inside ? corrupt(in, "it ends too early", err) : 0;
        in->at = 0;
        in->end = (size_t)got;
    }
}

/* Unpacked and recoded. */
static ptrdiff_t read_on(ddn_input *in, char *buf, size_t size, dodona_error *err)
{
    if (!in->raw)
        return unpack(in, buf, size, err);
    while (size >= DDN_CHARACTER) {
        size_t used = in->raw_end - in->raw_at;
        ptrdiff_t made = ddn_recode(&in->recoder, in->raw + in->raw_at, &used, in->raw_ended, buf,
                                    size, in->name, err);
        if (made < 0)
            return made;
        in->raw_at += used;
        if (made > 0 || in->raw_ended)
            return made;
        in->raw_end -= in->raw_at;
        memmove(in->raw, in->raw + in->raw_at, in->raw_end);
        in->raw_at = 0;
        ptrdiff_t got = unpack(in, in->raw + in->raw_end, PACKED_BYTES - in->raw_end, err);
        if (got < 0)
            return got;
        in->raw_end += (size_t)got;
        in->raw_ended = got == 0;
    }
    return 0;
}

ptrdiff_t ddn_input_read(ddn_input *in, char *buf, size_t size, dodona_error *err)
{
    if (in->ahead_at < in->ahead_end)
        return take(buf, size, in->ahead, &in->ahead_at, in->ahead_end);
    return read_on(in, buf, size, err);
}

int ddn_input_look(ddn_input *in, const char **bytes, size_t *size, dodona_error *err)
{
    if (!in->ahead && !(in->ahead = malloc(DDN_AHEAD)))
        return ddn_fail_memory(err);
    ptrdiff_t got = 0;
    if (in->ahead_end < DDN_AHEAD)
        got = read_on(in, in->ahead + in->ahead_end, DDN_AHEAD - in->ahead_end, err);
    if (got < 0)
        return (int)got;
    in->ahead_end += (size_t)got;
    *bytes = in->ahead;
    *size = in->ahead_end;
    return got > 0;
}
