/* SPDX-License-Identifier: MIT */
/* forest.c - packed forests for programs: read, ask, write. */
#include "api/api.h"
#include "dodona_research.h"

#include "chart/forest_file.h"
#include "chart/kbest.h"
#include "chart/marginals.h"
#include "core/arena.h"
#include "core/array.h"

#include <stdlib.h>

struct dodona_forest {
    ddn_forest_record record;
    ddn_kbest kbest;
    bool read;  /* there is a forest */
    bool begun; /* kbest has begun with it */
    ddn_marginals marginals;
    ddn_big_pool pool;
    char *count;
    ddn_output line;
    int32_t *head, *label; /* [n+1] */
    int32_t *gold_label;   /* [n+1] */
    dodona_text *deprel;   /* [n+1] */
    ddn_arena arena;       /* these: of one forest */
    dodona_forest_arc *arc;
    size_t arc_cap;
};

dodona_forest *dodona_forest_new(void)
{
    dodona_forest *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    ddn_forest_record_init(&f->record);
    ddn_kbest_init(&f->kbest);
    ddn_marginals_init(&f->marginals);
    ddn_big_pool_init(&f->pool);
    ddn_output_memory(&f->line);
    return f;
}

void dodona_forest_free(dodona_forest *f)
{
    if (!f)
        return;
    ddn_forest_record_fini(&f->record);
    ddn_kbest_fini(&f->kbest);
    ddn_marginals_fini(&f->marginals);
    ddn_big_pool_fini(&f->pool);
    ddn_output_abandon(&f->line);
    free(f->count);
    ddn_arena_fini(&f->arena);
    free(f->arc);
    free(f);
}

int dodona_forest_read(dodona_forest *f, dodona_text line, dodona_error *err)
{
    if (!f || !line.data)
        return ddn_fail_null(err, "forest or its line");
    f->begun = f->read = false;
    int status = ddn_forest_read(&f->record, line, err);
    size_t words = (size_t)f->record.sentence.n + 1;
    if (status < 0)
        return status;
    ddn_arena_reset(&f->arena);
    f->head = ddn_arena_take(&f->arena, words, sizeof *f->head);
    f->label = ddn_arena_take(&f->arena, words, sizeof *f->label);
    f->gold_label = ddn_arena_take(&f->arena, words, sizeof *f->gold_label);
    f->deprel = ddn_arena_take(&f->arena, words, sizeof *f->deprel);
    f->read = !f->arena.failed;
    return f->read ? DODONA_OK : ddn_fail_memory(err);
}

/* Whether it can be asked; has: there is a place for the answer. */
static int check_asked(const dodona_forest *f, bool has, dodona_error *err)
{
    if (!f || !has)
        return ddn_fail_null(err, "forest or a place for the answer");
    return f->read ? DODONA_OK : ddn_fail(err, DODONA_E_ARGUMENT, "no forest was read");
}

int dodona_forest_write(dodona_forest *f, dodona_text *line, dodona_error *err)
{
    if (check_asked(f, line, err) < 0)
        return DODONA_E_ARGUMENT;
    f->line.size = 0;
    f->line.error.code = DODONA_OK;
    int status =
        ddn_forest_write(&f->line, &f->record.forest, &f->record.sentence, &f->record.labels, err);
    return status < 0 ? status : ddn_output_text(&f->line, line, err);
}

void dodona_forest_measure(const dodona_forest *f, dodona_forest_size *out)
{
    if (!out)
        return;
    *out = (dodona_forest_size){ 0 };
    if (!f || !f->read)
        return;
    *out = (dodona_forest_size){ .words = f->record.forest.n,
                                 .nodes = f->record.forest.nodes,
                                 .edges = ddn_forest_edges(&f->record.forest) };
}

int dodona_forest_word(const dodona_forest *f, int i, dodona_text *out)
{
    if (!f || !f->read || !out || i < 1 || i > f->record.sentence.n)
        return DODONA_E_ARGUMENT;
    *out = ddn_sentence_column(&f->record.sentence, i, DDN_FORM);
    return DODONA_OK;
}

int dodona_forest_count(dodona_forest *f, const char **count, dodona_error *err)
{
    if (check_asked(f, count, err) < 0)
        return DODONA_E_ARGUMENT;
    uint32_t number;
    int status = ddn_forest_count(&f->record.forest, &f->pool, &number, err);
    if (status < 0)
        return status;
    free(f->count);
    f->count = ddn_big_text(&f->pool.big[number]);
    *count = f->count;
    return f->count ? DODONA_OK : ddn_fail_memory(err);
}

/* The tree in f->head and f->label. */
static void give_tree(dodona_forest *f, double score, dodona_forest_tree *out)
{
    for (int32_t i = 1; i <= f->record.forest.n; i++)
        f->deprel[i] = ddn_intern_text(&f->record.labels, (uint32_t)f->label[i]);
    f->head[0] = -1;
    f->deprel[0] = (dodona_text){ "", 0 };
    *out = (dodona_forest_tree){ .score = score, .head = f->head, .deprel = f->deprel };
}

static int check_gold(const dodona_forest *f, const ddn_sentence *gold, dodona_error *err)
{
    const ddn_sentence *s = &f->record.sentence;
    if (gold->n != s->n)
        return ddn_fail(err, DODONA_E_INPUT, "the gold sentence has %d words; the forest has %d",
                        (int)gold->n, (int)s->n);
    for (int32_t i = 1; i <= s->n; i++) {
        dodona_text a = ddn_sentence_column(s, i, DDN_FORM);
        dodona_text b = ddn_sentence_column(gold, i, DDN_FORM);
        if (!ddn_text_equal(a, b))
            return ddn_fail(err, DODONA_E_INPUT,
                            "word %d is '%.*s' in the gold sentence and '%.*s' in the forest",
                            (int)i, (int)(b.size < 60 ? b.size : 60), b.data,
                            (int)(a.size < 60 ? a.size : 60), a.data);
    }
    return DODONA_OK;
}

int dodona_forest_oracle(dodona_forest *f, const dodona_sentence *gold, int labelled, int *correct,
                         dodona_forest_tree *out, dodona_error *err)
{
    if (check_asked(f, gold && correct && out, err) < 0)
        return DODONA_E_ARGUMENT;
    const ddn_sentence *s = &gold->s;
    ddn_forest_oracle best;
    int status = check_gold(f, s, err);
    if (status < 0)
        return status;
    for (int32_t i = 1; i <= s->n; i++) {
        dodona_text deprel = ddn_sentence_column(s, i, DDN_DEPREL);
        uint32_t label = ddn_intern_find(&f->record.labels, deprel.data, deprel.size);
        f->gold_label[i] = label == DDN_INTERN_NONE ? -1 : (int32_t)label;
    }
    status = ddn_forest_find_oracle(&f->record.forest, s->head, labelled ? f->gold_label : NULL,
                                    f->head, f->label, &best, err);
    if (status < 0)
        return status;
    *correct = best.correct;
    give_tree(f, best.score, out);
    return DODONA_OK;
}

int dodona_forest_next(dodona_forest *f, int restart, dodona_forest_tree *out, dodona_error *err)
{
    if (check_asked(f, out, err) < 0)
        return DODONA_E_ARGUMENT;
    double score;
    if (restart || !f->begun) {
        int status = ddn_kbest_begin(&f->kbest, &f->record.forest, err);
        if (status < 0)
            return status;
        f->begun = true;
    }
    int status = ddn_kbest_next(&f->kbest, &score, f->head, f->label, err);
    if (status > 0)
        give_tree(f, score, out);
    return status;
}

int dodona_forest_marginals(dodona_forest *f, double temperature, const dodona_forest_arc **arcs,
                            size_t *count, dodona_error *err)
{
    if (check_asked(f, arcs && count, err) < 0)
        return DODONA_E_ARGUMENT;
    ddn_marginals *m = &f->marginals;
    if (!(temperature >= DODONA_MIN_TEMPERATURE && temperature <= DODONA_MAX_TEMPERATURE))
        return ddn_fail(err, DODONA_E_ARGUMENT, "the temperature must be from %g to %g",
                        DODONA_MIN_TEMPERATURE, DODONA_MAX_TEMPERATURE);
    int status = ddn_marginals_compute(m, &f->record.forest, temperature, err);
    if (status < 0)
        return status;
    if (!ddn_reserve(&f->arc, &f->arc_cap, m->count, sizeof *f->arc))
        return ddn_fail_memory(err);
    for (size_t i = 0; i < m->count; i++)
        f->arc[i] = (dodona_forest_arc){
            .head = m->arc[i].head,
            .child = m->arc[i].child,
            .p = m->arc[i].p,
            .deprel = ddn_intern_text(&f->record.labels, (uint32_t)m->arc[i].label),
            .labelled = m->arc[i].labelled,
        };
    *arcs = f->arc;
    *count = m->count;
    return DODONA_OK;
}
