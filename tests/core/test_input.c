/* SPDX-License-Identifier: MIT */
/* Plain, gzip and zstd bytes come out the same, whole or in pieces; damage is noticed. */
#include "core/input.h"
#include "lib/check.h"
#include "lib/files.h"
#include "lib/memory.h"
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum { SIZE = 300000 };
static char text[SIZE]; /* letters with some order in them, so that they compress */

static int setup(void **state)
{
    (void)state;
    uint32_t x = 1;
    for (int i = 0; i < SIZE; i++) {
        x = x * 1664525 + 1013904223;
        text[i] = x >> 29 ? (char)('a' + (x >> 24) % 26) : '\n';
    }
    return 0;
}

static size_t gzip(const char *data, size_t size, char *out, size_t room)
{
    z_stream z = { .next_in = (unsigned char *)(uintptr_t)data,
                   .avail_in = (unsigned)size,
                   .next_out = (unsigned char *)out,
                   .avail_out = (unsigned)room };
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    return room - z.avail_out;
}

static size_t zstd(const char *data, size_t size, char *out, size_t room)
{
    ZSTD_CCtx *c = ZSTD_createCCtx();
    assert_non_null(c);
    ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
    size_t packed = ZSTD_compress2(c, out, room, data, size);
    assert_false(ZSTD_isError(packed));
    ZSTD_freeCCtx(c);
    return packed;
}

/* Reads it all in bites of some size; the code of the first failure, or 0. */
static int read_all(const char *data, size_t size, size_t chunk, size_t bite, char *out,
                    size_t *out_size, dodona_error *err)
{
    test_memory m = { data, size, 0, chunk };
    ddn_input *in;
    assert_int_equal(ddn_input_callback(&in, test_memory_read, &m, "mem", err), 0);
    assert_string_equal(ddn_input_name(in), "mem");
    ptrdiff_t got;
    *out_size = 0;
    while ((got = ddn_input_read(in, out + *out_size, bite, err)) > 0) {
        assert_true((size_t)got <= bite);
        *out_size += (size_t)got;
        assert_true(*out_size <= 2 * SIZE);
    }
    ddn_input_close(in);
    return (int)got;
}

static void expect(const char *data, size_t size, const char *want, size_t want_size)
{
    static const size_t chunks[] = { 0, 1, 3, 1000 }, bites[] = { 7, 65536 };
    char *out = malloc(2 * SIZE + 65536);
    assert_non_null(out);
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++)
        for (size_t k = 0; k < sizeof bites / sizeof *bites; k++) {
            size_t got;
            dodona_error err;
            assert_int_equal(read_all(data, size, chunks[i], bites[k], out, &got, &err), 0);
            assert_int_equal(got, want_size);
            assert_memory_equal(out, want, got);
        }
    free(out);
}

static void all_codings_give_the_text(void **state)
{
    (void)state;
    enum { ROOM = 2 * SIZE };
    char *packed = malloc(ROOM);
    assert_non_null(packed);
    expect(text, SIZE, text, SIZE);
    expect(text, 1, text, 1);
    expect("", 0, "", 0);
    expect("\x1f", 1, "\x1f", 1); /* the beginning of a gzip header, and no more */
    expect("\x28\xb5\x2f", 3, "\x28\xb5\x2f", 3);
    expect("PQ", 2, "PQ", 2);
    expect("\x5a*M", 3, "\x5a*M", 3);
    expect("P*M\x18", 4, "P*M\x18", 4); /* a skippable frame has more, and zstd behind it */
    expect("P*M\x18\0\0no: oaks", 14, "P*M\x18\0\0no: oaks", 14);
    expect("P*M\x18\4\0\0\0oaks", 12, "P*M\x18\4\0\0\0oaks", 12);
    expect("P*M\x18\4\0\0\0oaks(", 13, "P*M\x18\4\0\0\0oaks(", 13);
    expect("P*M\x18\4\0\0\0oaks, and more", 21, "P*M\x18\4\0\0\0oaks, and more", 21);
    expect("P*M\x18 an oak", 11, "P*M\x18 an oak", 11);
    size_t (*const pack[])(const char *, size_t, char *, size_t) = { gzip, zstd };
    for (int k = 0; k < 2; k++) {
        expect(packed, pack[k](text, SIZE, packed, ROOM), text, SIZE);
        size_t size = pack[k](text, SIZE / 3, packed, ROOM);
        size += pack[k]("", 0, packed + size, ROOM - size);
        size += pack[k](text + SIZE / 3, SIZE - SIZE / 3, packed + size, ROOM - size);
        expect(packed, size, text, SIZE);
        expect(packed, pack[k]("", 0, packed, ROOM), "", 0);
    }
    free(packed);
}

static void a_skippable_frame_is_skipped(void **state)
{
    (void)state;
    char packed[256] = "\x53\x2a\x4d\x18\x03\x00\x00\x00xyz";
    size_t size = 11 + zstd("oak", 3, packed + 11, sizeof packed - 11);
    expect(packed, size, "oak", 3);
    memmove(packed + 8, packed, size); /* an empty one before it */
    memcpy(packed, "\x50\x2a\x4d\x18\x00\x00\x00\x00", 8);
    expect(packed, size + 8, "oak", 3);
}

/* Frames that end, or begin, about where no more is read ahead. */
static void skippable_frames_have_a_limit(void **state)
{
    (void)state;
    enum { AHEAD = 1 << 16, MOST = AHEAD + 64 };
    char *packed = calloc(MOST, 1);
    assert_non_null(packed);
    for (int end = AHEAD - 20; end < AHEAD + 20; end++) {
        uint32_t length = (uint32_t)end - 8;
        memset(packed, 'x', MOST);
        memcpy(packed, "\x50\x2a\x4d\x18", 4);
        for (int k = 0; k < 4; k++)
            packed[4 + k] = (char)(length >> 8 * k);
        expect(packed, MOST, packed, MOST); /* nothing behind it */
        memcpy(packed + end, "\x51\x2a\x4d\x18\x01\x00\x00\x00", 8);
        expect(packed, MOST, packed, MOST);
        size_t size = (size_t)end + zstd("oak", 3, packed + end, MOST - (size_t)end);
        if (end <= AHEAD - 4)
            expect(packed, size, "oak", 3);
        else
            expect(packed, size, packed, size);
    }
    free(packed);
}

static void damage_is_an_error(void **state)
{
    (void)state;
    enum { ROOM = 8192, WORDS = 3000 };
    static char packed[ROOM], out[2 * SIZE + 65536];
    size_t (*const pack[])(const char *, size_t, char *, size_t) = { gzip, zstd };
    for (int k = 0; k < 2; k++) {
        size_t size = pack[k](text, WORDS, packed, ROOM), got;
        dodona_error err;
        for (size_t cut = 4; cut < size; cut++) {
            assert_int_equal(read_all(packed, cut, 0, 4096, out, &got, &err), DODONA_E_INPUT);
            assert_string_equal(err.file, "mem");
        }
        packed[size / 2] ^= 0x10;
        assert_int_equal(read_all(packed, size, 0, 4096, out, &got, &err), DODONA_E_INPUT);
        packed[size / 2] ^= 0x10;
        memcpy(packed + size, "garbage", 7);
        assert_int_equal(read_all(packed, size + 7, 0, 4096, out, &got, &err), DODONA_E_INPUT);
    }
}

static void files(void **state)
{
    (void)state;
    dodona_error err;
    ddn_input *in;
    char buf[16];
    const char *path = test_scratch("in");
    test_spill(path, "oak\n", 4);
    assert_int_equal(ddn_input_open(&in, path, &err), 0);
    size_t size = 0;
    ptrdiff_t got;
    while ((got = ddn_input_read(in, buf + size, sizeof buf - size, &err)) > 0)
        size += (size_t)got;
    assert_int_equal(got, 0);
    assert_int_equal(size, 4);
    assert_memory_equal(buf, "oak\n", 4);
    ddn_input_close(in);
    path = test_scratch("missing");
    assert_int_equal(ddn_input_open(&in, path, &err), DODONA_E_IO);
    assert_null(in);
    assert_string_equal(err.file, path);
    assert_int_equal(ddn_input_open(&in, "/", &err), 0);
    assert_int_equal(ddn_input_read(in, buf, sizeof buf, &err), DODONA_E_IO);
    ddn_input_close(in);
}

static ptrdiff_t failing(void *ctx, char *buf, size_t size, dodona_error *err)
{
    (void)ctx, (void)buf, (void)size;
    return ddn_fail(err, DODONA_E_CANCELLED, "enough");
}

static void a_callback_may_fail(void **state)
{
    (void)state;
    dodona_error err;
    ddn_input *in;
    char buf[4];
    assert_int_equal(ddn_input_callback(&in, failing, NULL, "x", &err), 0);
    assert_int_equal(ddn_input_read(in, buf, sizeof buf, &err), DODONA_E_CANCELLED);
    assert_string_equal(err.message, "enough");
    ddn_input_close(in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_codings_give_the_text),
        cmocka_unit_test(a_skippable_frame_is_skipped),
        cmocka_unit_test(skippable_frames_have_a_limit),
        cmocka_unit_test(damage_is_an_error),
        cmocka_unit_test(files),
        cmocka_unit_test(a_callback_may_fail),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
