/* SPDX-License-Identifier: MIT */
/* coverage.c - every tree is measured once, and each system asked whether it reaches it. */
#include "eval/coverage.h"

#include "core/array.h"
#include "core/json.h"
#include "system/attardi_reach.h"
#include "system/attardi_rules.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Names ---- */

/* A set of rules that no system has must at least be one of which the linear test is true. */
static int find_rules(ddn_covered *x, dodona_error *err)
{
    int status = ddn_attardi_rules_read(x->name, &x->rules, err);
    if (status < 0 || ddn_attardi_is_eager(x->rules))
        return status;
    return ddn_fail(err, DODONA_E_ARGUMENT,
                    "with the transitions %s it can be wrong to reduce early, so that there is no "
                    "linear test of what they reach; add those that each becomes when a word above "
                    "it goes",
                    x->name);
}

static int add_system(ddn_coverage *c, const char *name, size_t size, dodona_error *err)
{
    ddn_covered x = { .system = NULL };
    if (c->systems == DDN_COVERAGE_SYSTEMS)
        return ddn_fail(err, DODONA_E_LIMIT, "there can be at most %d systems at a time",
                        DDN_COVERAGE_SYSTEMS);
    snprintf(x.name, sizeof x.name, "%.*s", (int)(size < sizeof x.name ? size : sizeof x.name),
             name);
    int status = ddn_system_get(x.name, &x.system, err);
    if (status < 0 && strchr(x.name, '<'))
        status = find_rules(&x, err);
    if (status >= 0)
        c->system[c->systems++] = x;
    return status;
}

int ddn_coverage_init(ddn_coverage *c, const char *systems, bool one_root, dodona_error *err)
{
    static const char *const classes[] = { "planar", "2-planar", "1-endpoint-crossing",
                                           "well-nested-gap-1" };
    int status = DODONA_OK;
    memset(c, 0, sizeof *c);
    c->one_root = one_root;
    ddn_tree_space_init(&c->space);
    for (int i = 0; i < DDN_COVERAGE_CLASSES; i++)
        snprintf(c->class[i].name, DDN_COVERAGE_NAME, "%s", classes[i]);
    for (int i = 0; !systems && ddn_systems[i] && status >= 0; i++)
        status = add_system(c, ddn_systems[i]->name, strlen(ddn_systems[i]->name), err);
    while (systems && status >= 0) {
        size_t size = strcspn(systems, ",");
        status = add_system(c, systems, size, err);
        systems = systems[size] ? systems + size + 1 : NULL;
    }
    return status;
}

void ddn_coverage_fini(ddn_coverage *c)
{
    ddn_tree_space_fini(&c->space);
    free(c->mark);
    memset(c, 0, sizeof *c);
}

/* ---- Counting ---- */

static void count(ddn_covered *x, bool covered, bool projective)
{
    x->trees += covered;
    x->crossing += covered && !projective;
}

int ddn_coverage_add(ddn_coverage *c, const int32_t *head, int32_t n, dodona_error *err)
{
    ddn_tree_shape shape;
    if (!ddn_reserve(&c->mark, &c->mark_cap, 2 * ((size_t)n + 1), sizeof *c->mark))
        return ddn_fail_memory(err);
    int status = ddn_tree_measure(&c->space, head, n, &shape, err);
    if (status < 0)
        return status;
    c->trees++;
    c->projective += shape.projective;
    for (int i = 0; i < c->systems; i++) {
        ddn_covered *x = &c->system[i];
        bool covered = x->system ? ddn_system_reaches(x->system, head, n, c->mark)
                                 : ddn_attardi_reaches(x->rules, head, n, c->mark);
        count(x, covered && (!c->one_root || shape.roots == 1), shape.projective);
    }
    count(&c->class[0], shape.planar, shape.projective);
    count(&c->class[1], shape.two_planar, shape.projective);
    count(&c->class[2], shape.one_endpoint, shape.projective);
    count(&c->class[3], shape.well_nested && shape.gap_degree <= 1, shape.projective);
    return DODONA_OK;
}

/* ---- Writing ---- */

static void put_counts(ddn_json *j, const char *key, const ddn_covered *x, int items)
{
    ddn_json_begin(ddn_json_key(j, key), '{');
    for (int i = 0; i < items; i++)
        ddn_json_int(ddn_json_key(j, x[i].name), x[i].trees);
    ddn_json_end(j, '}');
}

static void put_share(ddn_output *o, int64_t part, int64_t of)
{
    if (of)
        ddn_putf(o, " %9" PRId64 " %7.2f%%", part, 100.0 * (double)part / (double)of);
    else
        ddn_putf(o, " %9" PRId64 " %8s", part, "-");
}

static void put_row(ddn_output *o, const ddn_coverage *c, const char *name, int64_t trees,
                    int64_t crossing)
{
    ddn_putf(o, "  %-24s", name);
    put_share(o, trees, c->trees);
    put_share(o, crossing, c->trees - c->projective);
    ddn_puts(o, "\n");
}

static void put_table(ddn_output *o, const ddn_coverage *c, const char *name)
{
    ddn_putf(o, "%s: %" PRId64 " trees, %" PRId64 " not projective\n", name, c->trees,
             c->trees - c->projective);
    ddn_putf(o, "  %-24s %18s %18s\n", "", "trees", "not projective");
    for (int i = 0; i < c->systems; i++)
        put_row(o, c, c->system[i].name, c->system[i].trees, c->system[i].crossing);
    put_row(o, c, "projective", c->projective, 0);
    for (int i = 0; i < DDN_COVERAGE_CLASSES; i++)
        put_row(o, c, c->class[i].name, c->class[i].trees, c->class[i].crossing);
}

void ddn_coverage_put(ddn_output *o, const ddn_coverage *c, const char *name, bool json)
{
    if (!json) {
        put_table(o, c, name);
        return;
    }
    ddn_json j = { .out = o };
    ddn_json_begin(&j, '{');
    ddn_json_string(ddn_json_key(&j, "file"), name);
    ddn_json_int(ddn_json_key(&j, "trees"), c->trees);
    ddn_json_int(ddn_json_key(&j, "projective"), c->projective);
    put_counts(&j, "covered", c->system, c->systems);
    put_counts(&j, "classes", c->class, DDN_COVERAGE_CLASSES);
    ddn_json_end(&j, '}');
    ddn_puts(o, "\n");
}
