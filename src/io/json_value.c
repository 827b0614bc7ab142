/* SPDX-License-Identifier: MIT */
/* json_value.c - reads values with jansson and turns its errors into dodona_error. */
#include "io/json_value.h"

int ddn_json_object(dodona_text text, size_t flags, json_t **out, dodona_error *err)
{
    json_error_t what;
    json_t *object = json_loadb(text.data, text.size, JSON_REJECT_DUPLICATES | flags, &what);
    if (!object)
        return json_error_code(&what) == json_error_out_of_memory
                   ? ddn_fail_memory(err)
                   : ddn_fail(err, DODONA_E_INPUT, "not JSON: %s", what.text);
    if (!json_is_object(object)) {
        json_decref(object);
        return ddn_fail(err, DODONA_E_INPUT, "not a JSON object");
    }
    *out = object;
    return DODONA_OK;
}

int ddn_json_number(const json_t *value, const char *name, int32_t least, int32_t most,
                    int32_t *out, dodona_error *err)
{
    if (!json_is_integer(value))
        return ddn_fail(err, DODONA_E_INPUT, "\"%s\" has something that is not a whole number",
                        name);
    json_int_t number = json_integer_value(value);
    if (number < least || number > most)
        return ddn_fail(err, DODONA_E_INPUT,
                        "\"%s\" has the number %" JSON_INTEGER_FORMAT "; expected %d to %d", name,
                        number, (int)least, (int)most);
    *out = (int32_t)number;
    return DODONA_OK;
}
