/* SPDX-License-Identifier: MIT */
#include "cli/steps.h"

#include "cli/cli.h"

#include <string.h>

static const struct {
    const char *name;
    int step;
} steps[] = { { "tokenize", DODONA_STEP_TOKENIZE },
              { "tag", DODONA_STEP_TAG },
              { "parse", DODONA_STEP_PARSE },
              { NULL, 0 } };

const char *ddn_step_name(int i)
{
    return steps[i].name;
}

int ddn_steps_read(const char *command, const char *text, int *out)
{
    for (const char *at = text; at;) {
        size_t size = strcspn(at, ","), i = 0;
        while (steps[i].name &&
               (strlen(steps[i].name) != size || memcmp(steps[i].name, at, size) != 0))
            i++;
        if (!steps[i].name)
            return ddn_misuse(command,
                              "--steps is '%s'; expected tokenize, tag and parse, or some of "
                              "them, with commas between them",
                              text);
        *out |= steps[i].step;
        at = at[size] ? at + size + 1 : NULL;
    }
    return -1;
}
