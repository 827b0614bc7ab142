/* SPDX-License-Identifier: MIT */
/* Layouts of pictures: what must hold of every one, looked at column by column and arc by arc. */
#include "core/rng.h"
#include "io/picture.h"
#include "lib/check.h"
#include "lib/pictures.h"
#include "tree/tree.h"
#include <stdlib.h>

enum { MOST = 14, ROUNDS = 3000, EDGE = 8 /* of a line, to the end of a piece that is cut */ };

/* x as if words went to the right. */
static int64_t from_start(const ddn_picture *p, const ddn_column *c)
{
    return p->rtl ? p->width - c->x : c->x;
}

static const ddn_bow *arc_of(const ddn_picture *p, const ddn_piece *piece)
{
    const ddn_bow *a = p->arc;
    for (int32_t k = 0; k < p->arcs; k++)
        if (p->piece + p->arc[k].piece <= piece && p->arc[k].piece >= a->piece)
            a = &p->arc[k];
    return a;
}

/* ---- Lines ---- */

/* Whether the columns behind the first one of a line are all parts of one multiword token with it,
 * by the rows of the sentence. */
static bool is_one_token(const ddn_picture *p, const ddn_picture_line *line)
{
    const ddn_column *last = &p->column[line->end - 1];
    for (size_t i = 0; i < p->s->rows; i++) {
        const ddn_row *row = &p->s->row[i];
        if (row->kind == DDN_ROW_RANGE &&
            ddn_picture_column(p, row->id, false) == &p->column[line->first] &&
            last <= ddn_picture_column(p, row->minor, false))
            return true;
    }
    return line->end == line->first + 1;
}

/* Whether a label that passes through the line is wider than the limit. */
static bool has_wide_label(const ddn_picture *p, int32_t line, int64_t limit)
{
    for (int32_t k = 0; k < p->pieces; k++) {
        const ddn_piece *piece = &p->piece[k];
        if (piece->line == line && piece->from_cut && piece->to_cut &&
            arc_of(p, piece)->needs + 40 > limit)
            return true;
    }
    return false;
}

/* Lines follow upon each other, keep to the limit and don't break multiword tokens. */
static void check_lines(const ddn_picture *p, int64_t limit, int64_t strip)
{
    int32_t next = 0;
    int64_t width = 0, y = 0;
    bool one = p->line[0].end == p->columns && is_one_token(p, &p->line[0]);
    assert_int_equal(p->lines == 1, !limit || strip <= limit || one);
    for (int32_t k = 0; k < p->lines; k++) {
        const ddn_picture_line *line = &p->line[k];
        assert_int_equal(line->first, next);
        assert_true(line->end > next);
        for (next = line->first; next < line->end; next++)
            assert_int_equal(p->column[next].line, k);
        if (p->lines > 1 && line->width > limit)
            assert_true(is_one_token(p, line) || has_wide_label(p, k, limit));
        assert_true(y < line->top && line->top + 40 <= line->bottom);
        y = line->bottom;
        width = line->width > width ? line->width : width;
    }
    assert_int_equal(next, p->columns);
    assert_int_equal(width, p->width);
    assert_true(y < p->height);
    for (size_t i = 0; i < p->s->rows; i++)
        if (p->s->row[i].kind == DDN_ROW_RANGE)
            assert_int_equal(ddn_picture_column(p, p->s->row[i].id, false)->line,
                             ddn_picture_column(p, p->s->row[i].minor, false)->line);
}

/* ---- Pieces ---- */

/* Every arc is drawn from its head to its child: in the line of each it ends at the column, in the
 * lines between and at the breaks it reaches the edge, and in all there is room for the label. */
static void check_pieces(const ddn_picture *p)
{
    int32_t next = 0;
    for (int32_t k = 0; k < p->arcs; k++) {
        const ddn_bow *a = &p->arc[k];
        const ddn_column *child = ddn_picture_column(p, a->child, a->below);
        const ddn_column *head = ddn_picture_column(p, a->head ? a->head : a->child, a->below);
        int32_t top = head->line < child->line ? head->line : child->line;
        int32_t last = head->line + child->line - top;
        const ddn_sentence *s = a->below ? p->with->other : p->s;
        size_t letters = ddn_sentence_column(s, a->child, DDN_DEPREL).size + a->differs;
        assert_int_equal(a->piece, next);
        for (int32_t line = top; line <= last; line++) {
            const ddn_piece *piece = &p->piece[next++];
            int64_t begin = p->rtl ? p->width : 0;
            int64_t end = p->rtl ? begin - p->line[line].width : p->line[line].width;
            assert_int_equal(piece->line, line);
            assert_int_equal(piece->from_cut, head->line != line);
            assert_int_equal(piece->to_cut, child->line != line);
            int64_t from = !piece->from_cut ? head->x : head->line < line ? begin : end;
            int64_t to = !piece->to_cut ? child->x : child->line < line ? begin : end;
            assert_true(llabs((long long)(piece->from - from)) <=
                        (piece->from_cut ? EDGE : head->half));
            assert_true(llabs((long long)(piece->to - to)) <= (piece->to_cut ? EDGE : child->half));
            /* Half the letter size for each letter, which is what narrow fonts take. */
            if (a->head)
                assert_true(llabs((long long)(piece->to - piece->from)) >
                            (int64_t)letters * DDN_LABEL_SIZE / 2);
        }
    }
    assert_int_equal(p->pieces, next);
}

/* Whether an arc passes over the gap before a column; a root's counts as passing over both gaps
 * beside it. */
static bool passes(const ddn_picture *p, const ddn_bow *a, int32_t gap)
{
    const ddn_column *child = ddn_picture_column(p, a->child, a->below);
    const ddn_column *head = ddn_picture_column(p, a->head ? a->head : a->child, a->below);
    const ddn_column *before = p->column + gap - 1, *after = p->column + gap;
    if (!a->head)
        return child == before || child == after;
    return (child <= before && after <= head) || (head <= before && after <= child);
}

static bool share_gap(const ddn_picture *p, const ddn_piece *a, const ddn_piece *b)
{
    const ddn_picture_line *line = &p->line[a->line];
    const ddn_bow *x = arc_of(p, a), *y = arc_of(p, b);
    for (int32_t gap = line->first; a->line == b->line && gap <= line->end; gap++)
        if (passes(p, x, gap) && passes(p, y, gap))
            return true;
    return false;
}

static int32_t length(const ddn_bow *a)
{
    return a->head ? abs((int)(a->head - a->child)) : MOST + 1;
}

static void check_levels(const ddn_picture *p)
{
    int32_t top[2][2 * MOST + MOST] = { { 0 } };
    for (int32_t i = 0; i < p->pieces; i++) {
        const ddn_piece *v = &p->piece[i];
        const ddn_bow *a = arc_of(p, v);
        bool rests = v->level == 1;
        for (int32_t j = 0; j < p->pieces; j++) {
            const ddn_piece *w = &p->piece[j];
            const ddn_bow *b = arc_of(p, w);
            if (a == b || a->below != b->below || !share_gap(p, v, w) || (!a->head && !b->head))
                continue;
            assert_int_not_equal(v->level, w->level);
            if (length(a) < length(b))
                assert_true(v->level < w->level);
            rests = rests || w->level == v->level - 1;
        }
        assert_true(rests); /* no level is left free below it without need */
        int32_t *most = &top[a->below][v->line];
        *most = v->level > *most ? v->level : *most;
        const ddn_picture_line *line = &p->line[v->line];
        assert_int_equal(a->below ? v->y - line->bottom : line->top - v->y, 8 + 24 * v->level);
    }
    for (int32_t c = 0; c < p->columns; c++) {
        const ddn_column *column = &p->column[c];
        if (column->begins && top[0][column->line] == 0)
            top[0][column->line] = 1;
        if (column->begins_there && top[1][column->line] == 0)
            top[1][column->line] = 1;
    }
    for (int32_t k = 0; k < p->lines; k++) {
        assert_int_equal(p->line[k].above, top[0][k]);
        assert_int_equal(p->line[k].below, top[1][k]);
    }
}

/* ---- Columns ---- */

static void check_places(const ddn_picture *p)
{
    int64_t reach = 0;
    for (int32_t k = 0; k < p->columns; k++) {
        const ddn_column *c = &p->column[k];
        const ddn_picture_line *line = &p->line[c->line];
        reach = k == line->first ? 0 : reach;
        assert_true(from_start(p, c) - c->half > reach);
        reach = from_start(p, c) + c->half;
        assert_true(reach < line->width);
        size_t letters = ddn_sentence_span(c->of, c->of->row[c->row].col[DDN_FORM]).size;
        assert_true(2 * c->half >= (int64_t)(letters < 3 ? letters : 3) * 5);
    }
}

/* Arcs that are there, arcs that differ. */
static void check_arcs(const ddn_picture *p)
{
    int above[MOST + 1] = { 0 }, below[MOST + 1] = { 0 };
    for (int32_t i = 0; i < p->arcs; i++) {
        const ddn_bow *a = &p->arc[i];
        (a->below ? below : above)[a->child]++;
        assert_int_equal(a->head, (a->below ? p->with->other : p->s)->head[a->child]);
    }
    for (int32_t i = 1; i <= p->s->n; i++)
        assert_int_equal(above[i], p->s->head[i] != i);
    for (int32_t j = 1; p->with && j <= p->with->other->n; j++) {
        bool differs = !p->with->here[j] || ddn_arc_differs(p->s, p->with, p->with->here[j]);
        assert_int_equal(below[j], differs && p->with->other->head[j] != j);
    }
}

/* Whether column k, or its right neighbour where words go left, begins a sentence of the first or
 * the second analysis: the last word of that analysis before it ended one. */
static void check_borders(const ddn_picture *p)
{
    int32_t last = 0, last_there = 0, borders[2] = { 0, 0 };
    for (int32_t k = 0; k < p->columns; k++) {
        const ddn_column *c = &p->column[k];
        bool shared = c->of == p->s && c->word && p->with->there[c->word];
        borders[0] += c->begins;
        borders[1] += c->begins_there;
        if (c->begins)
            assert_true(c->of == p->s && p->with->ends[last]);
        if (c->begins_there)
            assert_true(p->with->ends_there[last_there]);
        if (c->begins || c->begins_there) {
            /* At the beginning of a line, the column before it is the edge. */
            int64_t before = k == p->line[c->line].first ? 0 : from_start(p, c - 1) + c[-1].half;
            int64_t border = p->rtl ? p->width - c->border : c->border;
            assert_true(before + 20 < border);
            assert_true(border < from_start(p, c) - c->half - 20);
        }
        if (!c->word)
            continue;
        if (c->of == p->s) {
            assert_int_equal(c->word, last + 1);
            last = c->word;
        }
        if (c->of != p->s || shared) {
            assert_int_equal(shared ? p->with->there[c->word] : c->word, last_there + 1);
            assert_ptr_equal(ddn_picture_column(p, ++last_there, true), c);
        }
    }
    assert_int_equal(last, p->s->n);
    assert_int_equal(last_there, p->with->other->n);
    assert_int_equal(borders[0], p->with->sentences - 1);
    assert_int_equal(borders[1], p->with->sentences_there - 1);
}

/* No upright line goes through a lower arc. */
static void check_no_crossing(const ddn_picture *p)
{
    for (int32_t i = 0; i < p->pieces; i++)
        for (int32_t j = 0; j < p->pieces; j++) {
            const ddn_piece *a = &p->piece[i], *b = &p->piece[j];
            int64_t left = a->from < a->to ? a->from : a->to, right = a->from + a->to - left;
            if (i == j || a->line != b->line || a->level >= b->level)
                continue;
            assert_false(!b->from_cut && left <= b->from && b->from <= right);
            assert_false(!b->to_cut && left <= b->to && b->to <= right);
        }
}

static void layouts(void **state)
{
    (void)state;
    ddn_rng rng;
    ddn_picture p;
    ddn_sentence s, t;
    ddn_comparison with;
    int32_t mark[2 * (MOST + 1)];
    int projective = 0, broken = 0;
    ddn_rng_init(&rng, 7);
    ddn_picture_init(&p);
    ddn_sentence_init(&s);
    ddn_sentence_init(&t);
    ddn_comparison_init(&with);
    for (int round = 0; round < ROUNDS; round++) {
        int32_t n = 1 + (int32_t)ddn_rng_below(&rng, round % 2 ? MOST : 5);
        test_random_sentence(&s, &rng, n, round % 3 == 0);
        if (round % 5 == 0) {
            test_change_some(&t, &s, &rng);
            assert_int_equal(ddn_comparison_same(&with, &s, &t, NULL), 0);
        } else if (round % 5 == 1) {
            test_random_sentence(&t, &rng, 1 + (int32_t)ddn_rng_below(&rng, MOST), false);
            test_random_pairs(&with, &s, &t, &rng);
        }
        int64_t limit = round % 4 ? 60 + (int64_t)ddn_rng_below(&rng, 900) : 0;
        assert_int_equal(ddn_picture_make(&p, &s, round % 5 > 1 ? NULL : &with, NULL), 0);
        int64_t strip = p.width;
        assert_int_equal(ddn_picture_break(&p, limit, NULL), 0);
        assert_int_equal(p.rtl, round % 3 == 0);
        check_arcs(&p);
        check_lines(&p, limit, strip);
        check_pieces(&p);
        check_levels(&p);
        check_places(&p);
        broken += p.lines > 2;
        if (p.with)
            check_borders(&p);
        if (!p.with && ddn_tree_check(s.head, n, false, mark, NULL) == DDN_TREE_OK &&
            ddn_tree_is_projective(s.head, n, mark)) {
            check_no_crossing(&p);
            projective++;
        }
    }
    assert_true(projective > 100);
    assert_true(broken > ROUNDS / 4);
    ddn_comparison_fini(&with);
    ddn_picture_fini(&p);
    ddn_sentence_fini(&s);
    ddn_sentence_fini(&t);
}

/* Ends meet at most once at a level: a comb of 100,000 words is laid out in a moment. */
static void long_sentences(void **state)
{
    (void)state;
    enum { N = 100000 };
    ddn_sentence s;
    ddn_picture p;
    ddn_sentence_init(&s);
    ddn_picture_init(&p);
    for (int32_t i = 1; i <= N; i++)
        test_add_word(&s, "w", i == N ? 0 : N, "d");
    assert_int_equal(ddn_picture_make(&p, &s, NULL, NULL), 0);
    assert_int_equal(ddn_picture_break(&p, 1000, NULL), 0);
    assert_int_equal(p.lines, 1);
    assert_int_equal(p.line[0].above, N);
    ddn_picture_fini(&p);
    ddn_sentence_fini(&s);
}

/* Arcs of up to DDN_PICTURE_SPAN columns on average are broken, longer ones are not: in a comb of n
 * words they have n/2 columns on average, as the root's has none. */
static void long_arcs(void **state)
{
    (void)state;
    ddn_sentence s;
    ddn_picture p;
    ddn_picture_init(&p);
    ddn_sentence_init(&s);
    for (int32_t more = 0; more < 2; more++) {
        int32_t n = 2 * DDN_PICTURE_SPAN + 1 + more;
        ddn_sentence_clear(&s);
        for (int32_t i = 1; i <= n; i++)
            test_add_word(&s, "w", i == n ? 0 : n, "d");
        assert_int_equal(ddn_picture_make(&p, &s, NULL, NULL), 0);
        assert_int_equal(ddn_picture_break(&p, 1000, NULL), 0);
        assert_int_equal(p.lines == 1, more);
    }
    ddn_picture_fini(&p);
    ddn_sentence_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layouts),
        cmocka_unit_test(long_sentences),
        cmocka_unit_test(long_arcs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
