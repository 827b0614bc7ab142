/* SPDX-License-Identifier: MIT */
/* examples.c - from a treebank to the trees that are learnt.
 *
 * Each tree is checked, then, if the system can't reach it, left out, made projective, or lifted
 * with labels that say how (pseudo-projective).  The sentence still has its own tree, for oracles
 * that find the best step towards any tree.  Labels are counted over the trees that result, and
 * numbered by falling frequency: first as they come, then by rank. */
#include "train/examples.h"

#include "chart/projectivize.h"
#include "core/array.h"
#include "tree/pseudo.h"
#include "tree/tree.h"

#include <stdlib.h>
#include <string.h>

typedef struct label_count {
    uint32_t id;
    uint64_t count;
    uint8_t uses;
} label_count;

typedef struct maker {
    const ddn_train_options *o;
    ddn_examples *e;
    ddn_intern names;   /* in the order in which they come */
    label_count *count; /* [DDN_MAX_LABELS] by number in names */
    ddn_projectivizer projectivizer;
    ddn_pseudo pseudo;
    int32_t *mark;     /* scratch */
    dodona_text *gold; /* the labels of the sentence, */
    dodona_text *text; /* and those that are learnt */
    ddn_arena arena;   /* these three: of one sentence */
} maker;

void ddn_examples_fini(ddn_examples *e)
{
    ddn_arena_fini(&e->arena);
    free(e->example);
    memset(e, 0, sizeof *e);
}

/* ---- Trees ---- */

static int check(maker *m, const ddn_sentence *s, size_t number, dodona_error *err)
{
    int32_t word;
    size_t nodes = (size_t)s->n + 1;
    bool one = m->o->roots == DDN_ROOTS_ONE;
    ddn_arena_reset(&m->arena);
    m->mark = ddn_arena_take(&m->arena, 2 * nodes, sizeof *m->mark);
    m->gold = ddn_arena_take(&m->arena, nodes, sizeof *m->gold);
    m->text = ddn_arena_take(&m->arena, nodes, sizeof *m->text);
    if (m->arena.failed)
        return ddn_fail_memory(err);
    if (ddn_tree_check(s->head, s->n, one, m->mark, &word) != DDN_TREE_OK)
        return ddn_fail(err, DODONA_E_INPUT, "training sentence %zu (line %lld) is not a tree%s",
                        number, (long long)s->line, one ? " with one root" : "");
    return DODONA_OK;
}

/* Labels are encoded in every tree when they are in any, so that one that looks like a mark is not
 * taken for one; in a chain nothing is lifted. */
static int encode_labels(maker *m, int32_t n, int32_t *out, dodona_error *err)
{
    for (int32_t i = 1; i <= n; i++)
        m->mark[i] = i - 1;
    return ddn_pseudo_encode(&m->pseudo, m->o->pseudo, m->mark, m->gold, n, out, m->text, err);
}

/* The tree that is learnt, and the texts of its labels. */
static int find_tree(maker *m, ddn_example *x, dodona_error *err)
{
    const ddn_sentence *s = x->sentence;
    for (int32_t i = 1; i <= s->n; i++)
        m->gold[i] = ddn_sentence_column(s, i, DDN_DEPREL);
    bool pseudo = ddn_train_marks_labels(m->o);
    if (pseudo && x->crossing)
        return ddn_pseudo_encode(&m->pseudo, m->o->pseudo, s->head, m->gold, s->n, x->head, m->text,
                                 err);
    memcpy(m->text, m->gold, ((size_t)s->n + 1) * sizeof *m->text);
    int status = pseudo ? encode_labels(m, s->n, x->head, err) : DODONA_OK;
    memcpy(x->head, s->head, ((size_t)s->n + 1) * sizeof *x->head);
    if (status < 0 || !x->crossing)
        return status;
    bool one = m->o->roots == DDN_ROOTS_ONE;
    return ddn_projectivize(&m->projectivizer, s->head, s->n, one, x->head, err);
}

static int number_labels(maker *m, ddn_example *x, dodona_error *err)
{
    for (int32_t i = 1; i <= x->sentence->n; i++) {
        uint32_t id;
        if (!ddn_intern_add(&m->names, m->text[i].data, m->text[i].size, &id))
            return ddn_fail_memory(err);
        if (id >= DDN_MAX_LABELS)
            return ddn_fail(err, DODONA_E_LIMIT,
                            "the training data has more than %d different relations",
                            DDN_MAX_LABELS);
        m->count[id].id = id;
        m->count[id].count++;
        m->count[id].uses |= x->head[i] ? DDN_LABEL_OF_WORD : DDN_LABEL_OF_ROOT;
        x->label[i] = (uint16_t)id;
    }
    return DODONA_OK;
}

/* Enters a sentence among the examples. */
static int add(maker *m, const ddn_sentence *s, bool crossing, dodona_error *err)
{
    ddn_examples *e = m->e;
    size_t nodes = (size_t)s->n + 1;
    if (!ddn_reserve(&e->example, &e->capacity, e->count + 1, sizeof *e->example))
        return ddn_fail_memory(err);
    ddn_example *x = &e->example[e->count++];
    *x = (ddn_example){ .sentence = s, .crossing = crossing };
    x->head = ddn_arena_take(&e->arena, nodes, sizeof *x->head);
    x->label = ddn_arena_zeros(&e->arena, nodes, sizeof *x->label);
    if (e->arena.failed)
        return ddn_fail_memory(err);
    int status = find_tree(m, x, err);
    return status < 0 ? status : number_labels(m, x, err);
}

static int add_all(maker *m, const ddn_treebank *t, dodona_error *err)
{
    int status = DODONA_OK;
    for (size_t i = 0; i < t->count && status >= 0; i++) {
        const ddn_sentence *s = &t->sentence[i];
        status = check(m, s, i + 1, err);
        if (status < 0)
            break;
        if (m->o->exact_limit && s->n > m->o->exact_limit && !m->o->learner->local) {
            m->e->too_long++;
            continue;
        }
        bool crossing = !ddn_reach_has(m->o->reach, s->head, s->n, m->mark);
        m->e->crossing += crossing;
        if (crossing && m->o->nonprojective == DDN_NONPROJECTIVE_SKIP)
            m->e->skipped++;
        else
            status = add(m, s, crossing, err);
    }
    return status;
}

/* ---- Labels ---- */

static int by_frequency(const void *a, const void *b)
{
    const label_count *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* Enters the labels in the schema by frequency, and numbers those of the examples accordingly. */
static int rank_labels(maker *m, ddn_schema *schema, dodona_error *err)
{
    uint16_t rank[DDN_MAX_LABELS];
    int status = DODONA_OK;
    qsort(m->count, m->names.count, sizeof *m->count, by_frequency);
    for (uint32_t i = 0; i < m->names.count && status >= 0; i++) {
        rank[m->count[i].id] = (uint16_t)i;
        status = ddn_schema_add_label(schema, ddn_intern_text(&m->names, m->count[i].id),
                                      m->count[i].uses, err);
    }
    for (size_t i = 0; i < m->e->count && status >= 0; i++) {
        ddn_example *x = &m->e->example[i];
        for (int32_t w = 1; w <= x->sentence->n; w++)
            x->label[w] = rank[x->label[w]];
    }
    return status;
}

int ddn_examples_make(ddn_examples *e, const ddn_train_options *o, const ddn_treebank *t,
                      ddn_schema *schema, dodona_error *err)
{
    maker m = { .o = o, .e = e };
    ddn_intern_init(&m.names);
    memset(e, 0, sizeof *e);
    m.count = calloc(DDN_MAX_LABELS, sizeof *m.count);
    ddn_projectivizer_init(&m.projectivizer);
    ddn_pseudo_init(&m.pseudo);
    int status = m.count ? DODONA_OK : ddn_fail_memory(err);
    if (status >= 0)
        status = add_all(&m, t, err);
    if (status >= 0 && e->count == 0)
        status = ddn_fail(err, DODONA_E_INPUT, "there is no training sentence that %s can reach",
                          o->system->name);
    if (status >= 0)
        status = rank_labels(&m, schema, err);
    ddn_projectivizer_fini(&m.projectivizer);
    ddn_pseudo_fini(&m.pseudo);
    ddn_intern_fini(&m.names);
    free(m.count);
    ddn_arena_fini(&m.arena);
    return status;
}
