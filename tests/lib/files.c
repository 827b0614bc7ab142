/* SPDX-License-Identifier: MIT */
#include "lib/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[4096];
static char scratch[64];

static const char *source(void)
{
    const char *dir = getenv("DODONA_SOURCE");
    return dir ? dir : ".";
}

const char *test_source(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", source(), name);
    return path;
}

const char *test_data(const char *name)
{
    snprintf(path, sizeof path, "%s/tests/data/%s", source(), name);
    return path;
}

const char *test_treebank(const char *name)
{
    snprintf(path, sizeof path, "%s/../shared/treebanks/%s", source(), name);
    return access(path, R_OK) == 0 ? path : NULL;
}

static void clean(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", scratch);
    if (system(command) != 0)
        fprintf(stderr, "can't remove %s\n", scratch);
}

const char *test_scratch(const char *name)
{
    if (!scratch[0]) {
        strcpy(scratch, "/tmp/dodona-test-XXXXXX");
        if (!mkdtemp(scratch))
            abort();
        atexit(clean);
    }
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    return path;
}
