/* SPDX-License-Identifier: MIT */
/* embedded.h - the English model that is linked into the command, so that it needs no file. */
#ifndef DDN_CLI_EMBEDDED_H
#define DDN_CLI_EMBEDDED_H

#include <dodona.h>

/* The model at path, or the embedded one when path is NULL. */
int ddn_model_open(const char *path, dodona_model **out, dodona_error *err);

#endif
