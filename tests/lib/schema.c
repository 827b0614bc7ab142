/* SPDX-License-Identifier: MIT */
/* schema.c - a schema is walked together with a value.  Each keyword is a line in a table: which
 * values it speaks of, what it says, and what its own value must look like. */
#include "lib/schema.h"

#include <math.h>
#include <regex.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { WHY = 256 };

typedef struct walk {
    const json_t *root;
    char *why;
} walk;

static bool refuse(char *why, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool refuse(char *why, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(why, WHY, format, args);
    va_end(args);
    return false;
}

json_t *test_schema_load(const char *text, size_t size, char why[WHY])
{
    json_error_t what;
    json_t *value = json_loadb(
        text, size, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL | JSON_DECODE_ANY, &what);
    if (!value)
        refuse(why, "not JSON: %s", what.text);
    return value;
}

/* For jansson's loops, which change nothing. */
static json_t *loose(const json_t *v)
{
    return (json_t *)(uintptr_t)v;
}

/* What $ref leads to; NULL: nothing. */
static const json_t *follow(const json_t *root, const json_t *ref)
{
    static const char prefix[] = "#/$defs/";
    const char *path = json_string_value(ref);
    if (!path || strncmp(path, prefix, sizeof prefix - 1) != 0)
        return NULL;
    return json_object_get(json_object_get(root, "$defs"), path + sizeof prefix - 1);
}

/* ---- What values are ---- */

static bool is_integer(const json_t *v)
{
    return json_is_real(v) && json_real_value(v) == floor(json_real_value(v));
}

static bool is_a(const json_t *v, const char *type)
{
    static const char *const names[] = {
        [JSON_OBJECT] = "object", [JSON_ARRAY] = "array",  [JSON_STRING] = "string",
        [JSON_REAL] = "number",   [JSON_TRUE] = "boolean", [JSON_FALSE] = "boolean",
        [JSON_NULL] = "null",
    };
    const char *name = json_is_integer(v) ? "number" : names[json_typeof(v)];
    return strcmp(type, name) == 0 || (strcmp(type, "integer") == 0 && is_integer(v));
}

static bool is_type_name(const json_t *t)
{
    static const char *const names[] = { "object",  "array",   "string", "number",
                                         "integer", "boolean", "null" };
    for (size_t i = 0; json_is_string(t) && i < sizeof names / sizeof *names; i++)
        if (strcmp(json_string_value(t), names[i]) == 0)
            return true;
    return false;
}

static bool matches(const char *pattern, const char *text)
{
    regex_t r;
    if (regcomp(&r, pattern, REG_EXTENDED | REG_NOSUB) != 0)
        return false;
    bool found = regexec(&r, text, 0, NULL, 0) == 0;
    regfree(&r);
    return found;
}

/* ---- Keywords: whether a value is as one says ---- */

static bool takes(walk *w, const json_t *schema, const json_t *value);

static bool check_ref(walk *w, const json_t *schema, const json_t *k, const json_t *v)
{
    (void)schema;
    return takes(w, follow(w->root, k), v);
}

static bool check_type(walk *w, const json_t *schema, const json_t *k, const json_t *v)
{
    (void)schema;
    size_t i;
    const json_t *one;
    if (json_is_string(k) && is_a(v, json_string_value(k)))
        return true;
    json_array_foreach(k, i, one) if (is_a(v, json_string_value(one))) return true;
    return refuse(w->why, ": not of the right type");
}

static bool check_enum(walk *w, const json_t *schema, const json_t *k, const json_t *v)
{
    (void)schema;
    size_t i;
    const json_t *one;
    json_array_foreach(k, i, one) if (json_equal(one, v)) return true;
    return refuse(w->why, ": not one of those listed");
}

static bool check_const(walk *w, const json_t *schema, const json_t *k, const json_t *v)
{
    (void)schema;
    return json_equal(k, v) || refuse(w->why, ": not the value that it must be");
}

static bool check_minimum(walk *w, const json_t *schema, const json_t *k, const json_t *v)
{
    (void)schema;
    return !json_is_number(v) || json_number_value(v) >= json_number_value(k) ||
           refuse(w->why, ": %g is too small", json_number_value(v));
}

static bool check_maximum(walk *w, const json_t *schema, const json_t *k, const json_t *v)
{
    (void)schema;
    return !json_is_number(v) || json_number_value(v) <= json_number_value(k) ||
           refuse(w->why, ": %g is too large", json_number_value(v));
}

/* In bytes: only whether there are any is asked. */
static bool check_min_length(walk *w, const json_t *schema, const json_t *k, const json_t *v)
{
    (void)schema;
    return !json_is_string(v) || (double)json_string_length(v) >= json_number_value(k) ||
           refuse(w->why, ": too short");
}

static bool check_pattern(walk *w, const json_t *schema, const json_t *k, const json_t *v)
{
    (void)schema;
    return !json_is_string(v) || matches(json_string_value(k), json_string_value(v)) ||
           refuse(w->why, ": does not match %s", json_string_value(k));
}

/* The size of lists and objects; bound: 1 where k is the least, -1 where it is the most. */
static bool check_size(walk *w, const json_t *k, double size, int bound)
{
    return bound * size >= bound * json_number_value(k) ||
           refuse(w->why, ": has %g members, %s than %g", size, bound > 0 ? "less" : "more",
                  json_number_value(k));
}

static bool check_min_items(walk *w, const json_t *schema, const json_t *k, const json_t *v)
{
    (void)schema;
    return !json_is_array(v) || check_size(w, k, (double)json_array_size(v), 1);
}

static bool check_max_items(walk *w, const json_t *schema, const json_t *k, const json_t *v)
{
    (void)schema;
    return !json_is_array(v) || check_size(w, k, (double)json_array_size(v), -1);
}

static bool check_min_properties(walk *w, const json_t *schema, const json_t *k, const json_t *v)
{
    (void)schema;
    return !json_is_object(v) || check_size(w, k, (double)json_object_size(v), 1);
}

/* Whether a member is taken; its name goes before the reason. */
static bool takes_member(walk *w, const json_t *schema, const json_t *v, const char *name)
{
    char inner[WHY];
    if (takes(&(walk){ w->root, inner }, schema, v))
        return true;
    return refuse(w->why, "/%.80s%.160s", name, inner);
}

static bool takes_item(walk *w, const json_t *schema, const json_t *v, size_t i)
{
    char name[24];
    snprintf(name, sizeof name, "%zu", i);
    return takes_member(w, schema, v, name);
}

static bool check_items(walk *w, const json_t *schema, const json_t *k, const json_t *v)
{
    size_t first = json_array_size(json_object_get(schema, "prefixItems"));
    for (size_t i = first; i < json_array_size(v); i++)
        if (!takes_item(w, k, json_array_get(v, i), i))
            return false;
    return true;
}

static bool check_prefix_items(walk *w, const json_t *schema, const json_t *k, const json_t *v)
{
    (void)schema;
    for (size_t i = 0; i < json_array_size(k) && i < json_array_size(v); i++)
        if (!takes_item(w, json_array_get(k, i), json_array_get(v, i), i))
            return false;
    return true;
}

static bool check_properties(walk *w, const json_t *schema, const json_t *k, const json_t *v)
{
    (void)schema;
    const char *name;
    json_t *of;
    json_object_foreach(loose(k), name, of)
    {
        const json_t *member = json_object_get(v, name);
        if (member && !takes_member(w, of, member, name))
            return false;
    }
    return true;
}

static bool check_pattern_properties(walk *w, const json_t *schema, const json_t *k,
                                     const json_t *v)
{
    (void)schema;
    const char *pattern, *name;
    json_t *of, *member;
    json_object_foreach(loose(k), pattern, of) json_object_foreach(
        loose(v), name,
        member) if (matches(pattern, name) && !takes_member(w, of, member, name)) return false;
    return true;
}

static bool is_named(const json_t *schema, const char *name)
{
    const char *pattern;
    json_t *of;
    if (json_object_get(json_object_get(schema, "properties"), name))
        return true;
    json_object_foreach(json_object_get(schema, "patternProperties"), pattern,
                        of) if (matches(pattern, name)) return true;
    return false;
}

static bool check_additional(walk *w, const json_t *schema, const json_t *k, const json_t *v)
{
    const char *name;
    json_t *member;
    json_object_foreach(loose(v), name, member) if (!is_named(schema, name) &&
                                                    !takes_member(w, k, member, name)) return false;
    return true;
}

static bool check_required(walk *w, const json_t *schema, const json_t *k, const json_t *v)
{
    (void)schema;
    size_t i;
    const json_t *name;
    json_array_foreach(
        k, i, name) if (json_is_object(v) &&
                        !json_object_get(
                            v, json_string_value(name))) return refuse(w->why,
                                                                       ": there is no \"%s\"",
                                                                       json_string_value(name));
    return true;
}

static bool check_one_of(walk *w, const json_t *schema, const json_t *k, const json_t *v)
{
    (void)schema;
    size_t i, taken = 0;
    const json_t *of;
    char inner[WHY] = "", first[WHY] = "";
    json_array_foreach(k, i, of)
    {
        if (takes(&(walk){ w->root, inner }, of, v))
            taken++;
        else if (!first[0])
            snprintf(first, sizeof first, "%s", inner);
    }
    return taken == 1 || refuse(w->why, ": %zu of several schemas take it%.200s", taken, first);
}

/* ---- Keywords: whether they are well-formed ---- */

static bool is_sound(walk *w, const json_t *schema);

static bool sound_any(walk *w, const json_t *schema, const json_t *k)
{
    (void)w;
    (void)schema;
    return k != NULL;
}

static bool sound_ref(walk *w, const json_t *schema, const json_t *k)
{
    (void)schema;
    return follow(w->root, k) != NULL;
}

static bool sound_type(walk *w, const json_t *schema, const json_t *k)
{
    (void)w;
    (void)schema;
    size_t i;
    const json_t *one;
    json_array_foreach(k, i, one) if (!is_type_name(one)) return false;
    return json_array_size(k) > 0 || is_type_name(k);
}

static bool sound_number(walk *w, const json_t *schema, const json_t *k)
{
    (void)w;
    (void)schema;
    return json_is_number(k);
}

static bool sound_text(walk *w, const json_t *schema, const json_t *k)
{
    (void)w;
    (void)schema;
    return json_is_string(k);
}

static bool sound_pattern(walk *w, const json_t *schema, const json_t *k)
{
    (void)w;
    (void)schema;
    regex_t r;
    bool sound = json_is_string(k) && regcomp(&r, json_string_value(k), REG_EXTENDED) == 0;
    if (sound)
        regfree(&r);
    return sound;
}

static bool sound_list(walk *w, const json_t *schema, const json_t *k)
{
    (void)w;
    (void)schema;
    return json_array_size(k) > 0;
}

static bool sound_schema(walk *w, const json_t *schema, const json_t *k)
{
    (void)schema;
    return is_sound(w, k);
}

static bool sound_schemas(walk *w, const json_t *schema, const json_t *k)
{
    (void)schema;
    size_t i;
    const json_t *one;
    json_array_foreach(k, i, one) if (!is_sound(w, one)) return false;
    return json_array_size(k) > 0;
}

static bool sound_members(walk *w, const json_t *schema, const json_t *k)
{
    (void)schema;
    const char *name;
    json_t *one;
    json_object_foreach(loose(k), name, one) if (!is_sound(w, one)) return false;
    return json_is_object(k);
}

/* What is required is described, too: a name that is misspelt shows. */
static bool sound_required(walk *w, const json_t *schema, const json_t *k)
{
    (void)w;
    size_t i;
    const json_t *name;
    json_array_foreach(k, i, name) if (!json_is_string(name) ||
                                       !is_named(schema, json_string_value(name))) return false;
    return json_is_array(k);
}

static const struct keyword {
    const char *name;
    bool (*check)(walk *, const json_t *schema, const json_t *keyword, const json_t *value);
    bool (*sound)(walk *, const json_t *schema, const json_t *keyword);
} keywords[] = {
    { "$schema", NULL, sound_text },
    { "title", NULL, sound_text },
    { "description", NULL, sound_text },
    { "$defs", NULL, sound_members },
    { "$ref", check_ref, sound_ref },
    { "type", check_type, sound_type },
    { "enum", check_enum, sound_list },
    { "const", check_const, sound_any },
    { "minimum", check_minimum, sound_number },
    { "maximum", check_maximum, sound_number },
    { "minLength", check_min_length, sound_number },
    { "pattern", check_pattern, sound_pattern },
    { "minItems", check_min_items, sound_number },
    { "maxItems", check_max_items, sound_number },
    { "minProperties", check_min_properties, sound_number },
    { "items", check_items, sound_schema },
    { "prefixItems", check_prefix_items, sound_schemas },
    { "properties", check_properties, sound_members },
    { "patternProperties", check_pattern_properties, sound_members },
    { "additionalProperties", check_additional, sound_schema },
    { "required", check_required, sound_required },
    { "oneOf", check_one_of, sound_schemas },
};

static const struct keyword *find(const char *name)
{
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (strcmp(keywords[i].name, name) == 0)
            return &keywords[i];
    return NULL;
}

/* ---- Schemas ---- */

static bool takes(walk *w, const json_t *schema, const json_t *value)
{
    const char *name;
    json_t *k;
    if (json_is_false(schema))
        return refuse(w->why, ": nothing may stand here");
    json_object_foreach(loose(schema), name, k)
    {
        const struct keyword *known = find(name);
        if (known->check && !known->check(w, schema, k, value))
            return false;
    }
    return true;
}

static bool is_sound(walk *w, const json_t *schema)
{
    const char *name;
    json_t *k;
    if (json_is_boolean(schema))
        return true;
    if (!json_is_object(schema))
        return refuse(w->why, "a schema is not an object");
    json_object_foreach(loose(schema), name, k)
    {
        const struct keyword *known = find(name);
        if (!known)
            return refuse(w->why, "the keyword '%.80s' is not known", name);
        w->why[0] = '\0';
        if (!known->sound(w, schema, k))
            return w->why[0] ? false : refuse(w->why, "the keyword '%.80s' is malformed", name);
    }
    return true;
}

bool test_schema_is_sound(const json_t *schema, char why[WHY])
{
    return is_sound(&(walk){ schema, why }, schema);
}

bool test_schema_takes(const json_t *schema, const json_t *value, char why[WHY])
{
    return takes(&(walk){ schema, why }, schema, value);
}
