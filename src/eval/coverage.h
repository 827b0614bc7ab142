/* SPDX-License-Identifier: MIT */
/* coverage.h - how many trees of a treebank transition systems reach, and how many are in the
 * classes that people compare with.
 *
 *     ddn_coverage c;
 *     if (ddn_coverage_init(&c, "attardi,all,s1<s0+s0<s1", false, err) < 0) ...
 *     while (there is a tree s)
 *         if (ddn_coverage_add(&c, s.head, s.n, err) < 0) ...
 *     ddn_coverage_put(output, &c, "train.conllu", false);
 *     ddn_coverage_fini(&c);
 */
#ifndef DDN_EVAL_COVERAGE_H
#define DDN_EVAL_COVERAGE_H

#include "core/output.h"
#include "system/system.h"
#include "tree/shape.h"

enum { DDN_COVERAGE_SYSTEMS = 32, DDN_COVERAGE_CLASSES = 4, DDN_COVERAGE_NAME = 64 };

typedef struct ddn_covered {
    char name[DDN_COVERAGE_NAME];
    const ddn_system *system; /* NULL: a set of rules that no system has */
    uint32_t rules;
    int64_t trees, crossing; /* covered; of these, not projective */
} ddn_covered;

typedef struct ddn_coverage {
    bool one_root;
    int64_t trees, projective;
    int systems;
    ddn_covered system[DDN_COVERAGE_SYSTEMS];
    ddn_covered class[DDN_COVERAGE_CLASSES]; /* system, rules: unused */
    ddn_tree_space space;                    /* scratch */
    int32_t *mark;
    size_t mark_cap;
} ddn_coverage;

/* systems: names with commas between them, NULL for all that are listed; a set of rules of the
 * Attardi family has + between them.  one_root: a tree with several roots is reached by none. */
int ddn_coverage_init(ddn_coverage *c, const char *systems, bool one_root, dodona_error *err);
void ddn_coverage_fini(ddn_coverage *c);

/* Counts a tree.  Linear for each system; ddn_tree_measure for the classes. */
int ddn_coverage_add(ddn_coverage *c, const int32_t *head, int32_t n, dodona_error *err);

/* A table, or an object on a line. */
void ddn_coverage_put(ddn_output *o, const ddn_coverage *c, const char *name, bool json);

#endif
