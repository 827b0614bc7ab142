/* SPDX-License-Identifier: MIT */
/* builtin.c - the table itself is made from templates/ when the project is built. */
#include "model/builtin.h"

#include <string.h>

const char *ddn_builtin_find(const char *name)
{
    for (int i = 0; ddn_builtin_templates[i].name; i++)
        if (strcmp(ddn_builtin_templates[i].name, name) == 0)
            return ddn_builtin_templates[i].text;
    return NULL;
}
