/* SPDX-License-Identifier: MIT */
/* The validator of the tests itself, and the schemas in docs/. */
#include "lib/check.h"
#include "lib/memory.h"
#include "lib/schema.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ' stands for ". */
static json_t *load(const char *text)
{
    char copy[1024], why[256] = "";
    snprintf(copy, sizeof copy, "%s", text);
    for (char *at = copy; *at; at++)
        *at = *at == '\'' ? '"' : *at;
    json_t *value = test_schema_load(copy, strlen(copy), why);
    if (!value)
        fail_msg("%s: %s", text, why);
    return value;
}

static void keywords(void **state)
{
    (void)state;
    static const struct {
        const char *schema, *good, *bad; /* lists of values */
    } cases[] = {
        { "{'type':'integer'}", "[0,-3,2.0,1e300]", "[0.5,'1',null,[],{},true]" },
        { "{'type':'number'}", "[0,0.5]", "['1',null,false]" },
        { "{'type':['string','null']}", "['',null]", "[0,[],{},true]" },
        { "{'type':'boolean'}", "[true,false]", "[0,null]" },
        { "{'type':'object'}", "[{},{'a':1}]", "[[],null]" },
        { "{'type':'array'}", "[[],[1]]", "[{},null]" },
        { "{'enum':['a',1]}", "['a',1]", "['b',2,null]" },
        { "{'const':true}", "[true]", "[false,1,null]" },
        { "{'minimum':1}", "[1,2,'a']", "[0,0.99,-1]" },
        { "{'maximum':1}", "[1,0,'a']", "[1.01]" },
        { "{'minLength':1}", "['a',1]", "['']" },
        { "{'pattern':'^[0-9]+$'}", "['12',1]", "['','1a']" },
        { "{'items':{'type':'string'}}", "[[],['a','b'],1]", "[[1],['a',1]]" },
        { "{'items':false}", "[[]]", "[[1]]" },
        { "{'prefixItems':[{'type':'string'},{'const':1}],'items':{'const':2}}",
          "[[],['a'],['a',1],['a',1,2,2]]", "[[1],['a',2],['a',1,1]]" },
        { "{'minItems':2,'maxItems':3}", "[[1,2],[1,2,3],1]", "[[1],[1,2,3,4]]" },
        { "{'minProperties':1}", "[{'a':1},[]]", "[{}]" },
        { "{'properties':{'a':{'const':1}}}", "[{},{'a':1},{'b':2},1]", "[{'a':2}]" },
        { "{'properties':{'a':true},'required':['a']}", "[{'a':2},1]", "[{},{'b':1}]" },
        { "{'properties':{'a':true},'additionalProperties':false}", "[{},{'a':2}]",
          "[{'b':1},{'a':1,'b':1}]" },
        { "{'additionalProperties':{'const':1}}", "[{},{'a':1}]", "[{'a':1,'b':2}]" },
        { "{'patternProperties':{'^s[0-9]$':{'const':1}},'additionalProperties':false}",
          "[{},{'s1':1,'s2':1}]", "[{'s1':2},{'t1':1},{'s12':1}]" },
        { "{'oneOf':[{'type':'string'},{'minLength':2},{'minimum':9}]}", "[1]", "['a','ab']" },
        { "{'oneOf':[{'type':'string'},{'type':'null'}]}", "['a',null]", "[1]" },
        { "{'$ref':'#/$defs/a','$defs':{'a':{'const':1}}}", "[1]", "[2]" },
        { "{'items':{'properties':{'a':{'items':{'const':1}}}}}", "[[{'a':[1,1]}]]",
          "[[{'a':[1,1]},{'a':[1,2]}]]" },
        { "true", "[1,null]", "[]" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char why[256] = "";
        json_t *schema = load(cases[i].schema), *lists[2];
        if (!test_schema_is_sound(schema, why))
            fail_msg("%s: %s", cases[i].schema, why);
        for (int good = 0; good < 2; good++) {
            const char *text = good ? cases[i].good : cases[i].bad;
            lists[good] = load(text);
            for (size_t k = 0; k < json_array_size(lists[good]); k++)
                if (test_schema_takes(schema, json_array_get(lists[good], k), why) != (good == 1))
                    fail_msg("%s and value %zu of %s: %s", cases[i].schema, k, text, why);
            json_decref(lists[good]);
        }
        json_decref(schema);
    }
}

static void unsound(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "{'typ':'string'}",
        "{'format':'date'}",
        "{'properties':{'a':{'exclusiveMinimum':1}}}",
        "{'items':{'items':{'x':1}}}",
        "{'oneOf':[{'x':1}]}",
        "{'$defs':{'a':{'x':1}}}",
        "{'type':'text'}",
        "{'type':['string','text']}",
        "{'type':[]}",
        "{'minimum':'1'}",
        "{'enum':[]}",
        "{'pattern':'('}",
        "{'$ref':'#/$defs/a'}",
        "{'$ref':'#/a','$defs':{'a':true}}",
        "{'required':['a']}",
        "{'properties':[]}",
        "[]",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char why[256] = "";
        json_t *schema = load(cases[i]);
        if (test_schema_is_sound(schema, why))
            fail_msg("%s was taken", cases[i]);
        assert_true(why[0] != '\0');
        json_decref(schema);
    }
}

static void schemas_are_sound(void **state)
{
    (void)state;
    char path[4096];
    int count = 0;
    const char *source = getenv("DODONA_SOURCE");
    snprintf(path, sizeof path, "%s/docs/schema", source ? source : ".");
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder));) {
        char why[256] = "", file[sizeof path + 300];
        size_t size;
        if (!strstr(entry->d_name, ".json"))
            continue;
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        char *text = test_slurp(file, &size);
        json_t *schema = test_schema_load(text, size, why);
        if (!schema || !test_schema_is_sound(schema, why))
            fail_msg("%s: %s", entry->d_name, why);
        assert_string_equal(json_string_value(json_object_get(schema, "$schema")),
                            "https://json-schema.org/draft/2020-12/schema");
        json_decref(schema);
        free(text);
        count++;
    }
    closedir(folder);
    assert_true(count > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keywords),
        cmocka_unit_test(unsound),
        cmocka_unit_test(schemas_are_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
