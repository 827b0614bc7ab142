/* SPDX-License-Identifier: MIT */
/* schema.h - JSON Schema (draft 2020-12), as far as docs/schema/ uses it.
 *
 * $ref to "#/$defs/...", type, enum, const, minimum, maximum, minLength, pattern (a POSIX extended
 * expression), items, prefixItems, minItems, maxItems, properties, patternProperties, required,
 * additionalProperties, minProperties, oneOf; title, description, $schema and $defs say nothing of
 * values.  Any other keyword is a fault of the schema. */
#ifndef TEST_LIB_SCHEMA_H
#define TEST_LIB_SCHEMA_H

#include <jansson.h>
#include <stdbool.h>

/* Text as a value in which all numbers are doubles, so that integers of any length are taken;
 * duplicate names are refused.  NULL, with the reason in why. */
json_t *test_schema_load(const char *text, size_t size, char why[256]);

/* Whether every keyword of the schema is known and well-formed, and every reference leads to
 * something; else why says what is wrong. */
bool test_schema_is_sound(const json_t *schema, char why[256]);

/* Whether the value is what the schema, which is sound, describes; else why says where it is not.
 */
bool test_schema_takes(const json_t *schema, const json_t *value, char why[256]);

#endif
