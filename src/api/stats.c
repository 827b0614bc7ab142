/* SPDX-License-Identifier: MIT */
/* stats.c - the public interface to treebank statistics. */
#include "eval/stats.h"

#include "api/api.h"
#include <stdlib.h>

struct dodona_stats {
    ddn_stats stats;
    ddn_output printed;
};

dodona_stats *dodona_stats_new(void)
{
    dodona_stats *s = malloc(sizeof *s);
    if (s) {
        ddn_stats_init(&s->stats);
        ddn_output_memory(&s->printed);
    }
    return s;
}

void dodona_stats_free(dodona_stats *s)
{
    if (!s)
        return;
    ddn_stats_fini(&s->stats);
    ddn_output_abandon(&s->printed);
    free(s);
}

int dodona_stats_add(dodona_stats *s, const dodona_sentence *sentence, dodona_error *err)
{
    if (!s || !sentence)
        return ddn_fail_null(err, "figures or the sentence");
    return ddn_stats_add(&s->stats, &sentence->s, err);
}

int dodona_stats_print(dodona_stats *s, const char *name, dodona_format format, dodona_text *out,
                       dodona_error *err)
{
    if (!s || !name || !out)
        return ddn_fail_null(err, "figures, the name or the place for the text");
    if (format != DODONA_TEXT && format != DODONA_JSON)
        return ddn_fail(err, DODONA_E_ARGUMENT, "figures are printed as text or as JSON only");
    ddn_output_abandon(&s->printed);
    ddn_stats_put(&s->printed, &s->stats, name, format == DODONA_JSON);
    return ddn_output_text(&s->printed, out, err);
}
