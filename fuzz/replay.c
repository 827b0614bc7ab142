/* SPDX-License-Identifier: MIT */
/* replay.c - a main for a fuzz target without libFuzzer: every file named on the command line is
 * one input.  So the seeds and whatever once crashed run with any compiler, as an ordinary test. */
#include "lib.h"
#include <stdio.h>

/* The whole file, in a block of exactly its size so that a sanitizer sees a read past its end;
 * NULL when it can't be read. */
static uint8_t *load(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    uint8_t *data = NULL;
    long length = -1;
    if (f && fseek(f, 0, SEEK_END) == 0 && (length = ftell(f)) >= 0 && fseek(f, 0, SEEK_SET) == 0)
        data = malloc(length ? (size_t)length : 1);
    if (data && fread(data, 1, (size_t)length, f) != (size_t)length) {
        free(data);
        data = NULL;
    }
    if (f)
        fclose(f);
    *size = data ? (size_t)length : 0;
    return data;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        size_t size;
        uint8_t *data = load(argv[i], &size);
        if (!data) {
            fprintf(stderr, "%s: can't be read\n", argv[i]);
            return 1;
        }
        LLVMFuzzerTestOneInput(data, size);
        free(data);
    }
    printf("%d inputs replayed\n", argc - 1);
    return 0;
}
