/* SPDX-License-Identifier: MIT */
/* weights.c - rows in a hash table that grows; lists of class weights in one pool, with room for a
 * power of two.  A list that grows moves, and its place is used again. */
#include "model/weights.h"

#include "core/array.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CELLS = 1 << 12 };

static bool make_cells(ddn_weights *m, uint64_t cells)
{
    struct ddn_cell *cell = calloc(cells, sizeof *cell);
    if (!cell)
        return false;
    free(m->cell);
    m->cell = cell;
    m->mask = cells - 1;
    for (uint32_t row = 1; row < m->rows; row++) {
        uint64_t at = m->key[row] & m->mask;
        while (cell[at].row)
            at = (at + 1) & m->mask;
        cell[at] = (struct ddn_cell){ (uint32_t)(m->key[row] >> 32), row };
    }
    return true;
}

static bool reserve_rows(ddn_weights *m, size_t rows)
{
    size_t kinds = (size_t)m->kinds;
    return ddn_reserve(&m->key, &m->key_cap, rows, sizeof *m->key) &&
           ddn_reserve(&m->w, &m->w_cap, rows * kinds, sizeof *m->w) &&
           ddn_reserve(&m->u, &m->u_cap, rows * kinds, sizeof *m->u) &&
           ddn_reserve(&m->list, &m->list_cap, rows, sizeof *m->list);
}

static void clear_row(ddn_weights *m, size_t row, uint64_t key)
{
    size_t kinds = (size_t)m->kinds;
    m->key[row] = key;
    memset(m->w + row * kinds, 0, kinds * sizeof *m->w);
    memset(m->u + row * kinds, 0, kinds * sizeof *m->u);
    m->list[row] = (struct ddn_list){ 0 };
}

int ddn_weights_init(ddn_weights *m, int kinds, dodona_error *err)
{
    memset(m, 0, sizeof *m);
    m->kinds = kinds;
    if (!reserve_rows(m, 1) || !ddn_reserve(&m->class, &m->class_cap, 1, sizeof *m->class) ||
        !make_cells(m, FIRST_CELLS)) {
        ddn_weights_fini(m);
        return ddn_fail_memory(err);
    }
    clear_row(m, 0, 0);
    m->class[0] = (ddn_class_weight){ 0 };
    m->rows = m->classes = 1;
    return DODONA_OK;
}

void ddn_weights_fini(ddn_weights *m)
{
    free(m->cell);
    free(m->key);
    free(m->w);
    free(m->u);
    free(m->list);
    free(m->class);
    memset(m, 0, sizeof *m);
}

uint32_t ddn_weights_find(const ddn_weights *m, uint64_t key)
{
    uint32_t print = (uint32_t)(key >> 32);
    for (uint64_t at = key & m->mask; m->cell[at].row; at = (at + 1) & m->mask)
        if (m->cell[at].print == print)
            return m->cell[at].row;
    return 0;
}

/* The row of a key, made if it is not there; 0: out of memory. */
static uint32_t make_row(ddn_weights *m, uint64_t key)
{
    uint32_t row = ddn_weights_find(m, key);
    if (row)
        return row;
    if (m->rows >= UINT32_MAX || !reserve_rows(m, m->rows + 1))
        return 0;
    if (m->rows * 2 > m->mask && !make_cells(m, (m->mask + 1) * 2))
        return 0;
    row = (uint32_t)m->rows++;
    clear_row(m, row, key);
    uint64_t at = key & m->mask;
    while (m->cell[at].row)
        at = (at + 1) & m->mask;
    m->cell[at] = (struct ddn_cell){ (uint32_t)(key >> 32), row };
    return row;
}

int ddn_weights_add_kind(ddn_weights *m, uint64_t key, int kind, int32_t delta, dodona_error *err)
{
    uint32_t row = make_row(m, key);
    if (!row)
        return ddn_fail_memory(err);
    size_t at = (size_t)row * (size_t)m->kinds + (size_t)kind;
    m->w[at] += delta;
    m->u[at] += delta * (int64_t)m->steps;
    return DODONA_OK;
}

static int log2_of(unsigned room)
{
    int k = 0;
    while (1u << k < room)
        k++;
    return k;
}

/* Room for twice as many weights in a list, from an abandoned list of that size or new. */
static bool grow_list(ddn_weights *m, struct ddn_list *l)
{
    unsigned room = l->room ? l->room * 2u : 1;
    int k = log2_of(room);
    uint32_t at = m->free[k];
    if (room > 1u << 15)
        return false;
    if (at) {
        m->free[k] = (uint32_t)m->class[at].u;
    } else {
        if (m->classes + room > UINT32_MAX ||
            !ddn_reserve(&m->class, &m->class_cap, m->classes + room, sizeof *m->class))
            return false;
        at = (uint32_t)m->classes;
        memset(m->class + at, 0, room * sizeof *m->class);
        m->classes += room;
    }
    if (l->room) {
        memcpy(m->class + at, m->class + l->at, l->count * sizeof *m->class);
        k = log2_of(l->room);
        m->class[l->at].u = m->free[k];
        m->free[k] = l->at;
    }
    l->at = at;
    l->room = (uint16_t)room;
    return true;
}

/* The weight of a class in a row, made if it is not there; NULL: out of memory. */
static ddn_class_weight *make_class(ddn_weights *m, uint32_t row, uint16_t class)
{
    struct ddn_list *l = &m->list[row];
    int i = 0;
    while (i < l->count && m->class[l->at + (unsigned)i].class != class)
        i++;
    if (i == l->count) {
        if (l->count == l->room && !grow_list(m, l))
            return NULL;
        m->class[l->at + l->count++] = (ddn_class_weight){ .class = class };
    }
    return &m->class[l->at + (unsigned)i];
}

int ddn_weights_add_class(ddn_weights *m, uint64_t key, uint16_t class, int32_t delta,
                          dodona_error *err)
{
    uint32_t row = make_row(m, key);
    ddn_class_weight *c = row ? make_class(m, row, class) : NULL;
    if (!c)
        return ddn_fail_memory(err);
    c->w += delta;
    c->u += delta * (int64_t)m->steps;
    return DODONA_OK;
}

int ddn_weights_clear(ddn_weights *m, dodona_error *err)
{
    int kinds = m->kinds;
    ddn_weights_fini(m);
    return ddn_weights_init(m, kinds, err);
}

/* ---- Sums over runs.  w stays 0, u is minus the sum of the averages in units of 1/UNIT, and there
 * are UNIT steps for each run: so w - u/T is the mean. ---- */

enum { UNIT = 256 };

static int64_t in_units(const ddn_weights *m, int64_t w, int64_t u)
{
    int64_t T = m->steps ? (int64_t)m->steps : 1;
    return (w * T - u) * UNIT / T;
}

static bool include_row(ddn_weights *sum, const ddn_weights *m, size_t from, int sign)
{
    size_t kinds = (size_t)m->kinds;
    uint32_t row = make_row(sum, m->key[from]);
    if (!row)
        return false;
    for (size_t k = 0; k < kinds; k++)
        sum->u[row * kinds + k] -=
            sign * in_units(m, m->w[from * kinds + k], m->u[from * kinds + k]);
    for (unsigned i = 0; i < m->list[from].count; i++) {
        const ddn_class_weight *c = &m->class[m->list[from].at + i];
        ddn_class_weight *to = make_class(sum, row, c->class);
        if (!to)
            return false;
        to->u -= sign * in_units(m, c->w, c->u);
    }
    return true;
}

static int include(ddn_weights *sum, const ddn_weights *m, int sign, dodona_error *err)
{
    for (size_t row = 1; row < m->rows; row++)
        if (!include_row(sum, m, row, sign))
            return ddn_fail_memory(err);
    sum->steps += (uint64_t)(sign * UNIT);
    return DODONA_OK;
}

int ddn_weights_include(ddn_weights *sum, const ddn_weights *m, dodona_error *err)
{
    return include(sum, m, 1, err);
}

int ddn_weights_exclude(ddn_weights *sum, const ddn_weights *m, dodona_error *err)
{
    return include(sum, m, -1, err);
}

/* ---- As bytes: kinds, steps, the arrays.  Cells are rebuilt and abandoned lists left out. ----
 */

static void put(ddn_output *o, const void *data, size_t size)
{
    ddn_put(o, data, size);
}

void ddn_weights_put(const ddn_weights *m, ddn_output *o)
{
    uint64_t head[] = { (uint64_t)m->kinds, m->steps, m->rows, m->classes };
    size_t kinds = (size_t)m->kinds;
    put(o, head, sizeof head);
    put(o, m->key, m->rows * sizeof *m->key);
    put(o, m->w, m->rows * kinds * sizeof *m->w);
    put(o, m->u, m->rows * kinds * sizeof *m->u);
    put(o, m->list, m->rows * sizeof *m->list);
    put(o, m->class, m->classes * sizeof *m->class);
}

static bool take(const char **at, const char *end, void *data, size_t size)
{
    if ((size_t)(end - *at) < size)
        return false;
    memcpy(data, *at, size);
    *at += size;
    return true;
}

/* Whether every list lies inside and could have been made by grow_list, of classes below limit. */
static bool lists_are_sound(const ddn_weights *m, uint32_t limit)
{
    for (size_t i = 0; i < m->rows; i++) {
        struct ddn_list l = m->list[i];
        bool power_of_two = (l.room & (l.room - 1u)) == 0;
        if (!power_of_two || l.count > l.room || (size_t)l.at + l.room > m->classes)
            return false;
        for (unsigned j = 0; j < l.count; j++)
            if (m->class[l.at + j].class >= limit)
                return false;
    }
    return true;
}

static int take_arrays(ddn_weights *m, uint32_t limit, const char **at, const char *end,
                       dodona_error *err)
{
    size_t kinds = (size_t)m->kinds, rows = m->rows, classes = m->classes;
    uint64_t cells = FIRST_CELLS;
    while (cells < rows * 2)
        cells *= 2;
    if (!reserve_rows(m, rows) || !ddn_reserve(&m->class, &m->class_cap, classes, sizeof *m->class))
        return ddn_fail_memory(err);
    if (!take(at, end, m->key, rows * sizeof *m->key) ||
        !take(at, end, m->w, rows * kinds * sizeof *m->w) ||
        !take(at, end, m->u, rows * kinds * sizeof *m->u) ||
        !take(at, end, m->list, rows * sizeof *m->list) ||
        !take(at, end, m->class, classes * sizeof *m->class))
        return ddn_fail(err, DODONA_E_INPUT, "the weights do not have the expected size");
    if (!lists_are_sound(m, limit))
        return ddn_fail(err, DODONA_E_INPUT, "a list of weights is invalid");
    return make_cells(m, cells) ? DODONA_OK : ddn_fail_memory(err);
}

int ddn_weights_take(ddn_weights *m, uint32_t limit, const char **at, const char *end,
                     dodona_error *err)
{
    uint64_t head[4];
    size_t left = (size_t)(end - *at);
    if (!take(at, end, head, sizeof head) || head[0] != (uint64_t)m->kinds || head[2] < 1 ||
        head[3] < 1 || head[2] > left / sizeof *m->key || head[3] > left / sizeof *m->class)
        return ddn_fail(err, DODONA_E_INPUT, "the weights do not have the expected size");
    ddn_weights taken = {
        .kinds = m->kinds, .steps = head[1], .rows = head[2], .classes = head[3]
    };
    int status = take_arrays(&taken, limit, at, end, err);
    if (status < 0) {
        ddn_weights_fini(&taken);
        return status;
    }
    ddn_weights_fini(m);
    *m = taken;
    return DODONA_OK;
}
