/* SPDX-License-Identifier: MIT */
/* builtin.h - the template files of templates/, compiled into the library under their names. */
#ifndef DDN_MODEL_BUILTIN_H
#define DDN_MODEL_BUILTIN_H

#include <stddef.h>

typedef struct ddn_builtin {
    const char *name; /* the file's, without its ending */
    const char *text;
} ddn_builtin;

/* By name; the last one's name is NULL. */
extern const ddn_builtin ddn_builtin_templates[];

/* The text of that name, or NULL. */
const char *ddn_builtin_find(const char *name);

#endif
