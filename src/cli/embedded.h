/* SPDX-License-Identifier: MIT */
/* embedded.h - the English model that is linked into the command, so that it needs no file. */
#ifndef DDN_CLI_EMBEDDED_H
#define DDN_CLI_EMBEDDED_H

#include <dodona.h>

/* The model of that file or name, which is also looked for in the folders of the variable
 * DODONA_MODELS; the embedded one when name is NULL, or "english" and nothing else has that name.
 */
int ddn_model_open(const char *name, dodona_model **out, dodona_error *err);

#endif
