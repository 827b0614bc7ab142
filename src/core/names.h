/* SPDX-License-Identifier: MIT */
/* names.h - a list of names for a message: "a, b and c".
 *
 *     ddn_names names = { 0 };
 *     ddn_names_add(&names, "greedy");          (each name lives as long as the list)
 *     ddn_fail(err, code, "there are %s", ddn_names_text(&names));
 *
 * What is longer than the room in it is cut. */
#ifndef DDN_CORE_NAMES_H
#define DDN_CORE_NAMES_H

#include <stddef.h>

typedef struct ddn_names {
    char text[256];
    size_t size;      /* of text */
    const char *last; /* not yet in text; NULL: the list is empty */
} ddn_names;

void ddn_names_add(ddn_names *names, const char *name);
/* Ends the list; "none" when it is empty. */
const char *ddn_names_text(ddn_names *names);

#endif
