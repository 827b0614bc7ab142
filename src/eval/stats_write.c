/* SPDX-License-Identifier: MIT */
/* stats_write.c - treebank figures as a table and as JSON.  Both walk the same lists, so that
 * neither lacks a figure of the other's. */
#include "eval/stats.h"

#include "core/json.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct figure {
    const char *key, *title;
    int64_t value;
    int64_t of; /* what the table's percentage refers to; -1: none */
} figure;

typedef struct mean {
    const char *key, *title;
    int64_t sum, count, most;
    const char *most_key;
} mean;

typedef struct spread {
    const char *key, *title;
    const int64_t *count; /* [values] */
    int values;
    int first; /* the value that count[0] is about; count[values-1] is about that and more */
} spread;

enum { FIGURES = 16, MEANS = 3, SPREADS = 3 };

static void list_figures(const ddn_stats *s, figure list[FIGURES])
{
    const figure all[FIGURES] = {
        { "sentences", "sentences", s->sentences, -1 },
        { "words", "words", s->words, -1 },
        { "tokens", "tokens", ddn_stats_tokens(s), -1 },
        { "multiword_tokens", "multiword tokens", s->ranges, -1 },
        { "empty_nodes", "empty nodes", s->empty, -1 },
        { "not_trees", "sentences that are no trees", s->not_trees, s->sentences },
        { "trees", "trees", s->trees, s->sentences },
        { "not_one_root", "  roots other than one", s->not_one_root, s->trees },
        { "nonprojective", "  not projective", s->nonprojective, s->trees },
        { "nonplanar", "  not planar", s->nonplanar, s->trees },
        { "not_one_endpoint", "  not 1-endpoint-crossing", s->not_one_endpoint, s->trees },
        { "ill_nested", "  not well-nested", s->ill_nested, s->trees },
        { "arcs", "arcs between words", s->arcs, -1 },
        { "nonprojective_arcs", "  not projective", s->nonprojective_arcs, s->arcs },
        { "crossing_arcs", "  crossing another", s->crossing_arcs, s->arcs },
        { "crossing_pairs", "pairs of arcs that cross", s->crossings, -1 },
    };
    memcpy(list, all, sizeof all);
}

static void list_means(const ddn_stats *s, mean list[MEANS])
{
    const mean all[MEANS] = {
        { "mean_words", "words a sentence", s->words, s->sentences, s->longest, "max_words" },
        { "mean_depth", "depth of a tree", s->depths, s->trees, s->deepest, "max_depth" },
        { "mean_arc_length", "length of an arc", s->lengths, s->arcs, s->farthest,
          "max_arc_length" },
    };
    memcpy(list, all, sizeof all);
}

static void list_spreads(const ddn_stats *s, spread list[SPREADS])
{
    const spread all[SPREADS] = {
        { "gap_degrees", "gap degree", s->gap_degree, DDN_STATS_DEGREES, 0 },
        { "edge_degrees", "edge degree", s->edge_degree, DDN_STATS_DEGREES, 0 },
        { "arc_lengths", "arc length", s->length, DDN_STATS_LENGTHS, 1 },
    };
    memcpy(list, all, sizeof all);
}

static double ratio(int64_t a, int64_t b)
{
    return b > 0 ? (double)a / (double)b : 0.0;
}

/* ---- Names by falling count ---- */

typedef struct named {
    dodona_text name;
    int64_t count;
} named;

static int by_count(const void *x, const void *y)
{
    const named *a = x, *b = y;
    if (a->count != b->count)
        return a->count < b->count ? 1 : -1;
    size_t shorter = a->name.size < b->name.size ? a->name.size : b->name.size;
    int order = shorter ? memcmp(a->name.data, b->name.data, shorter) : 0;
    return order ? order : (a->name.size > b->name.size) - (a->name.size < b->name.size);
}

/* All names and counts in order, to be freed; NULL when there are none or no memory, which *o then
 * remembers. */
static named *sort_names(ddn_output *o, const ddn_stats_names *t)
{
    size_t count = t->name.count;
    named *list = count ? malloc(count * sizeof *list) : NULL;
    if (count && !list && o->error.code == DODONA_OK)
        ddn_fail_memory(&o->error);
    if (!list)
        return NULL;
    for (uint32_t i = 0; i < count; i++)
        list[i] = (named){ ddn_intern_text(&t->name, i), t->count[i] };
    qsort(list, count, sizeof *list, by_count);
    return list;
}

/* ---- Table ---- */

static void table_names(ddn_output *o, const char *title, const ddn_stats_names *t, int64_t words)
{
    named *list = sort_names(o, t);
    ddn_putf(o, "%s\n", title);
    for (uint32_t i = 0; list && i < t->name.count; i++) {
        int pad = list[i].name.size < 26 ? 26 - (int)list[i].name.size : 0;
        ddn_puts(o, "  ");
        ddn_put(o, list[i].name.data, list[i].name.size);
        ddn_putf(o, "%*s%12" PRId64 " %7.2f%%\n", pad, "", list[i].count,
                 100 * ratio(list[i].count, words));
    }
    free(list);
}

static void table_spread(ddn_output *o, const spread *p)
{
    ddn_putf(o, "%s\n", p->title);
    for (int k = 0; k < p->values; k++) {
        bool last = k + 1 == p->values;
        char bin[16];
        snprintf(bin, sizeof bin, "%d%s", p->first + k, last ? "+" : "");
        ddn_putf(o, "  %-26s%12" PRId64 "\n", bin, p->count[k]);
    }
}

static void table(ddn_output *o, const ddn_stats *s, const char *file)
{
    figure figures[FIGURES];
    mean means[MEANS];
    spread spreads[SPREADS];
    list_figures(s, figures);
    list_means(s, means);
    list_spreads(s, spreads);
    ddn_putf(o, "%s\n", file);
    for (int i = 0; i < FIGURES; i++) {
        ddn_putf(o, "%-28s%12" PRId64, figures[i].title, figures[i].value);
        if (figures[i].of >= 0)
            ddn_putf(o, " %7.2f%%", 100 * ratio(figures[i].value, figures[i].of));
        ddn_puts(o, "\n");
    }
    for (int i = 0; i < MEANS; i++)
        ddn_putf(o, "%-28s%12.2f   at most %" PRId64 "\n", means[i].title,
                 ratio(means[i].sum, means[i].count), means[i].most);
    for (int i = 0; i < SPREADS; i++)
        table_spread(o, &spreads[i]);
    table_names(o, "labels", &s->label, s->words);
    table_names(o, "UPOS", &s->upos, s->words);
}

/* ---- JSON ---- */

static void json_names(ddn_json *j, const char *key, const ddn_stats_names *t)
{
    named *list = sort_names(j->out, t);
    ddn_json_begin(ddn_json_key(j, key), '{');
    for (uint32_t i = 0; list && i < t->name.count; i++)
        ddn_json_int(ddn_json_key_text(j, list[i].name), list[i].count);
    ddn_json_end(j, '}');
    free(list);
}

static void json_spread(ddn_json *j, const spread *p)
{
    ddn_json_begin(ddn_json_key(j, p->key), '[');
    for (int k = 0; k < p->values; k++)
        ddn_json_int(j, p->count[k]);
    ddn_json_end(j, ']');
}

static void object(ddn_output *o, const ddn_stats *s, const char *file)
{
    figure figures[FIGURES];
    mean means[MEANS];
    spread spreads[SPREADS];
    ddn_json j = { .out = o };
    list_figures(s, figures);
    list_means(s, means);
    list_spreads(s, spreads);
    ddn_json_begin(&j, '{');
    ddn_json_string(ddn_json_key(&j, "file"), file);
    for (int i = 0; i < FIGURES; i++)
        ddn_json_int(ddn_json_key(&j, figures[i].key), figures[i].value);
    ddn_json_printf(ddn_json_key(&j, "nonprojective_percent"), "%.2f",
                    100 * ratio(s->nonprojective, s->trees));
    for (int i = 0; i < MEANS; i++) {
        ddn_json_printf(ddn_json_key(&j, means[i].key), "%.2f",
                        ratio(means[i].sum, means[i].count));
        ddn_json_int(ddn_json_key(&j, means[i].most_key), means[i].most);
    }
    for (int i = 0; i < SPREADS; i++)
        json_spread(&j, &spreads[i]);
    json_names(&j, "labels", &s->label);
    json_names(&j, "upos", &s->upos);
    ddn_json_end(&j, '}');
    ddn_puts(o, "\n");
}

void ddn_stats_put(ddn_output *o, const ddn_stats *s, const char *file, bool json)
{
    if (json)
        object(o, s, file);
    else
        table(o, s, file);
}
