/* SPDX-License-Identifier: MIT */
/* usage: check_json SCHEMA <LINES
 * Whether each line of standard input is what docs/schema/SCHEMA.json describes; prints how many
 * there are, or the first that is not and why. */
#include "lib/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char why[256];

static json_t *read_schema(const char *name)
{
    char path[4096], text[1 << 16];
    snprintf(path, sizeof path, "%s/%s.json", SCHEMAS, name);
    FILE *f = fopen(path, "r");
    size_t size = f ? fread(text, 1, sizeof text, f) : 0;
    if (f)
        fclose(f);
    json_t *schema = test_schema_load(text, size, why);
    if (schema && test_schema_is_sound(schema, why))
        return schema;
    json_decref(schema);
    return NULL;
}

int main(int argc, char **argv)
{
    json_t *schema = argc == 2 ? read_schema(argv[1]) : NULL;
    if (!schema) {
        printf("no schema: %s\n", why);
        return 2;
    }
    char *line = NULL;
    size_t capacity = 0;
    long count = 0;
    bool good = true;
    for (ssize_t size; good && (size = getline(&line, &capacity, stdin)) > 0; count++) {
        json_t *value = test_schema_load(line, (size_t)size, why);
        good = value && test_schema_takes(schema, value, why);
        json_decref(value);
    }
    if (good)
        printf("%ld %s\n", count, argv[1]);
    else
        printf("line %ld%s\n", count, why);
    free(line);
    json_decref(schema);
    return !good || count == 0;
}
