/* SPDX-License-Identifier: MIT */
/* models.h - where models are found by their names. */
#ifndef DDN_API_MODELS_H
#define DDN_API_MODELS_H

#include "core/error.h"

#define DDN_DEFAULT_MODEL "english"

/* The file of a model, for the caller to free: the name itself where that is a file or has a slash;
 * else NAME.model in the first folder that has it, of those given (with ':' between them, or NULL)
 * and then of those where models are installed.  The error names all that were searched. */
int ddn_models_find(const char *folders, const char *name, char **path, dodona_error *err);

#endif
