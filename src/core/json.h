/* SPDX-License-Identifier: MIT */
/* json.h - JSON, written value by value; the writer puts the commas and escapes the strings.
 *
 *     ddn_json j = { .out = o };
 *     ddn_json_begin(&j, '{');
 *     ddn_json_int(ddn_json_key(&j, "words"), 2);
 *     ddn_json_begin(ddn_json_key(&j, "forms"), '[');
 *     ddn_json_string(&j, "oaks");
 *     ddn_json_string(&j, "speak");
 *     ddn_json_end(&j, ']');
 *     ddn_json_end(&j, '}');                              {"words":2,"forms":["oaks","speak"]}
 *
 * Nothing stands between the values, so a text is one line.  Texts are valid UTF-8 and numbers are
 * finite.  Errors are kept in the output, as with every put. */
#ifndef DDN_CORE_JSON_H
#define DDN_CORE_JSON_H

#include "core/output.h"

typedef struct ddn_json {
    ddn_output *out;
    bool comma; /* a value stands before the next one */
} ddn_json;

void ddn_json_begin(ddn_json *j, char bracket); /* '{' or '[' */
void ddn_json_end(ddn_json *j, char bracket);   /* '}' or ']' */

/* The name of a member, whose value comes next; returns j. */
ddn_json *ddn_json_key(ddn_json *j, const char *key);
ddn_json *ddn_json_key_text(ddn_json *j, dodona_text key);

void ddn_json_string(ddn_json *j, const char *s);
void ddn_json_text(ddn_json *j, dodona_text t);
void ddn_json_int(ddn_json *j, int64_t value);
/* Whole numbers below 2^53 as such, others with 17 digits, which mean the same number. */
void ddn_json_double(ddn_json *j, double x);
/* The fewest digits, at least 15 where there are that many, that mean the same number. */
void ddn_json_shortest(ddn_json *j, double x);
/* The inside of a string: the text with its escapes, without quotes or comma. */
void ddn_json_put_escaped(ddn_output *o, dodona_text t);
/* A number as printf writes it. */
void ddn_json_printf(ddn_json *j, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Text that is already JSON: null, true, or an integer of any length. */
void ddn_json_raw(ddn_json *j, const char *value);

#endif
