/* SPDX-License-Identifier: MIT */
/* coverage.c - the public interface to coverage: which trees systems reach. */
#include "eval/coverage.h"

#include "api/api.h"
#include "core/array.h"
#include "dodona_research.h"
#include "tree/tree.h"
#include <stdlib.h>

struct dodona_coverage {
    ddn_coverage coverage;
    int32_t *mark;
    size_t mark_cap;
    ddn_output printed;
};

int dodona_coverage_open(const char *systems, int one_root, dodona_coverage **out,
                         dodona_error *err)
{
    if (!out)
        return ddn_fail_null(err, "place for the coverage");
    *out = NULL;
    dodona_coverage *c = calloc(1, sizeof *c);
    if (!c)
        return ddn_fail_memory(err);
    ddn_output_memory(&c->printed);
    int status = ddn_coverage_init(&c->coverage, systems, one_root, err);
    if (status < 0) {
        dodona_coverage_close(c);
        return status;
    }
    *out = c;
    return DODONA_OK;
}

void dodona_coverage_close(dodona_coverage *c)
{
    if (!c)
        return;
    ddn_coverage_fini(&c->coverage);
    ddn_output_abandon(&c->printed);
    free(c->mark);
    free(c);
}

int dodona_coverage_add(dodona_coverage *c, const dodona_sentence *sentence, dodona_error *err)
{
    if (!c || !sentence)
        return ddn_fail_null(err, "coverage or the sentence");
    const ddn_sentence *s = &sentence->s;
    if (s->n == 0)
        return DODONA_OK;
    if (!ddn_reserve(&c->mark, &c->mark_cap, (size_t)s->n + 1, sizeof *c->mark))
        return ddn_fail_memory(err);
    if (ddn_tree_check(s->head, s->n, false, c->mark, NULL) != DDN_TREE_OK)
        return ddn_fail(err, DODONA_E_INPUT, "the heads do not form a tree");
    return ddn_coverage_add(&c->coverage, s->head, s->n, err);
}

int dodona_coverage_print(dodona_coverage *c, const char *name, dodona_format format,
                          dodona_text *out, dodona_error *err)
{
    if (!c || !name || !out)
        return ddn_fail_null(err, "coverage, the name or the place for the text");
    if (format != DODONA_TEXT && format != DODONA_JSON)
        return ddn_fail(err, DODONA_E_ARGUMENT, "figures are printed as text or as JSON only");
    ddn_output_abandon(&c->printed);
    ddn_coverage_put(&c->printed, &c->coverage, name, format == DODONA_JSON);
    return ddn_output_text(&c->printed, out, err);
}
