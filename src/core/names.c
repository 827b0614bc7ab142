/* SPDX-License-Identifier: MIT */
/* names.c - names side by side; the last waits, as "and" comes before it. */
#include "core/names.h"

#include <stdio.h>
#include <string.h>

static void append(ddn_names *names, const char *before, const char *name)
{
    size_t room = sizeof names->text - names->size;
    snprintf(names->text + names->size, room, "%s%s", names->size ? before : "", name);
    names->size += strlen(names->text + names->size);
}

void ddn_names_add(ddn_names *names, const char *name)
{
    if (names->last)
        append(names, ", ", names->last);
    names->last = name;
}

const char *ddn_names_text(ddn_names *names)
{
    append(names, " and ", names->last ? names->last : "none");
    names->last = NULL;
    return names->text;
}
