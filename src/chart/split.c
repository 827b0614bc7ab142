/* SPDX-License-Identifier: MIT */
/* split.c - where each table of a chart lies in its memory.  split.tmpl.h fills them; it is
 * instantiated for a semiring in each of best.c, count.c, eisner.c, log.c and max.c. */
#include "chart/split.h"

void ddn_split_shape_make(ddn_split_shape *shape, const ddn_split_plan *plan, int32_t n)
{
    size_t stride = (size_t)n + 1, table = stride * stride, at = 0;
    *shape = (ddn_split_shape){ .stride = stride };
    for (int x = 0; x < plan->states; x++, at += 4 * table) {
        shape->left[x] = at;
        shape->left_t[x] = at + table;
        shape->right[x] = at + 2 * table;
        shape->right_t[x] = at + 3 * table;
    }
    for (int g = 0; g < plan->lefts; g++, at += table)
        shape->left_arc[g] = at;
    for (int g = 0; g < plan->rights; g++, at += table)
        shape->right_arc[g] = at;
    shape->root = at;
    shape->cells = at + stride;
}
