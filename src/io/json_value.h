/* SPDX-License-Identifier: MIT */
/* json_value.h - what all readers of JSON share: the object of a line, and its numbers, checked
 * before anything is done with them. */
#ifndef DDN_IO_JSON_VALUE_H
#define DDN_IO_JSON_VALUE_H

#include "core/error.h"
#include <jansson.h>
#include <stdint.h>

/* The object that a text is, for json_decref; no name may stand in it twice.  flags: 0, or more of
 * what jansson may do. */
int ddn_json_object(dodona_text text, size_t flags, json_t **out, dodona_error *err);

/* A whole number from least to most; name: what has it, for the message. */
int ddn_json_number(const json_t *value, const char *name, int32_t least, int32_t most,
                    int32_t *out, dodona_error *err);

#endif
