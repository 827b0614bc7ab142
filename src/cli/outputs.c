/* SPDX-License-Identifier: MIT */
/* outputs.c - patterns of names are filled in; a sorted copy shows which occur twice. */
#include "cli/outputs.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

bool ddn_is_pattern(const char *name)
{
    return strstr(name, "{}") != NULL;
}

static bool ends_with(const char *name, size_t size, const char *end)
{
    size_t length = strlen(end);
    return size > length && memcmp(name + size - length, end, length) == 0;
}

/* The name of a file without its folder and its endings. */
static dodona_text stem_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (strcmp(path, "-") == 0)
        name = "stdin";
    size_t size = strlen(name), dot;
    if (ends_with(name, size, ".gz"))
        size -= strlen(".gz");
    else if (ends_with(name, size, ".zst"))
        size -= strlen(".zst");
    for (dot = size; dot > 1 && name[dot - 1] != '.';)
        dot--;
    return (dodona_text){ name, dot > 1 ? dot - 1 : size };
}

static char *fill_in(const char *pattern, const char *input)
{
    const char *hole = strstr(pattern, "{}");
    dodona_text stem = stem_of(input);
    size_t before = (size_t)(hole - pattern), after = strlen(hole + 2) + 1;
    char *name = malloc(before + stem.size + after);
    if (!name)
        return NULL;
    memcpy(name, pattern, before);
    memcpy(name + before, stem.data, stem.size);
    memcpy(name + before + stem.size, hole + 2, after);
    return name;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int check_twice(char *const *names, int count, dodona_error *err)
{
    char **sorted = malloc((size_t)count * sizeof *sorted);
    if (!sorted)
        return ddn_fail_memory(err);
    int status = DODONA_OK;
    memcpy(sorted, names, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare);
    for (int i = 1; i < count && !status; i++)
        if (strcmp(sorted[i - 1], sorted[i]) == 0)
            status =
                ddn_fail(err, DODONA_E_ARGUMENT, "two inputs would be written to %s", sorted[i]);
    free(sorted);
    return status;
}

int ddn_outputs_make(const char *pattern, const ddn_operands *inputs, char ***out,
                     dodona_error *err)
{
    char **names = calloc((size_t)inputs->count, sizeof *names);
    bool all = names != NULL;
    for (int i = 0; all && i < inputs->count; i++)
        all = (names[i] = fill_in(pattern, inputs->of[i])) != NULL;
    int status = all ? check_twice(names, inputs->count, err) : ddn_fail_memory(err);
    if (status < 0 && names)
        ddn_outputs_free(names, inputs->count);
    else
        *out = names;
    return status;
}

void ddn_outputs_free(char **names, int count)
{
    for (int i = 0; i < count; i++)
        free(names[i]);
    free(names);
}
