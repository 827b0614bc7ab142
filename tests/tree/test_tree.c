/* SPDX-License-Identifier: MIT */
/* Every measure of a tree against its definition, written down as loops over nodes and pairs: on
 * all trees of up to six words, and on random ones of up to thirty.  The slow side shares nothing
 * with the fast one but the heads. */
#include "core/rng.h"
#include "lib/check.h"
#include "tree/shape.h"
#include "tree/tree.h"
#include <stdlib.h>
#include <string.h>

enum { MAX = 30 };

/* ---- The definitions ---- */

/* Whether a is d or above it; false on a cycle that does not pass through a. */
static bool above(const int32_t *head, int32_t n, int32_t a, int32_t d)
{
    for (int32_t steps = 0; steps <= n; steps++) {
        if (d == a)
            return true;
        if (d == 0)
            return false;
        d = head[d];
    }
    return false;
}

static bool slow_is_tree(const int32_t *head, int32_t n)
{
    for (int32_t i = 1; i <= n; i++)
        if (!above(head, n, 0, i))
            return false;
    return true;
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static bool between(int32_t x, int32_t a, int32_t b)
{
    return least(a, b) < x && x < most(a, b);
}

static bool slow_arc_projective(const int32_t *head, int32_t n, int32_t d)
{
    for (int32_t x = 0; x <= n; x++)
        if (between(x, head[d], d) && !above(head, n, head[d], x))
            return false;
    return true;
}

/* Whether the arcs into a and b cross; arcs from 0 cross nothing. */
static bool slow_cross(const int32_t *head, int32_t a, int32_t b)
{
    if (head[a] == 0 || head[b] == 0)
        return false;
    int32_t l1 = least(a, head[a]), r1 = most(a, head[a]);
    int32_t l2 = least(b, head[b]), r2 = most(b, head[b]);
    return (l1 < l2 && l2 < r1 && r1 < r2) || (l2 < l1 && l1 < r2 && r2 < r1);
}

/* Gaps: how often the words of v's subtree stop and go on again. */
static int32_t slow_gaps(const int32_t *head, int32_t n, int32_t v)
{
    int32_t blocks = 0;
    bool inside = false;
    for (int32_t x = 0; x <= n; x++) {
        bool in = above(head, n, v, x);
        blocks += in && !inside;
        inside = in;
    }
    return blocks - 1;
}

/* Components of the graph strictly between the ends, by spreading the smallest number; a
 * component counts unless its topmost node is below the head. */
static int32_t slow_edge_degree(const int32_t *head, int32_t n, int32_t d)
{
    int32_t part[MAX + 1], degree = 0;
    for (int32_t x = 0; x <= n; x++)
        part[x] = x;
    for (int32_t round = 0; round <= n; round++)
        for (int32_t x = 1; x <= n; x++)
            if (between(x, head[d], d) && between(head[x], head[d], d))
                part[x] = part[head[x]] = least(part[x], part[head[x]]);
    for (int32_t p = 0; p <= n; p++) {
        if (!between(p, head[d], d) || part[p] != p)
            continue;
        int32_t top = p;
        for (int32_t x = 0; x <= n; x++)
            if (between(x, head[d], d) && part[x] == p && above(head, n, x, top))
                top = x;
        degree += !above(head, n, head[d], top);
    }
    return degree;
}

static bool slow_interleave(const int32_t *head, int32_t n, int32_t u, int32_t v)
{
    int32_t want = 0; /* u v u v, as a subsequence of the sentence */
    for (int32_t x = 0; x <= n; x++)
        want += above(head, n, want % 2 == 0 ? u : v, x);
    return want >= 4;
}

static bool slow_well_nested(const int32_t *head, int32_t n)
{
    for (int32_t u = 0; u <= n; u++)
        for (int32_t v = 0; v <= n; v++)
            if (!above(head, n, u, v) && !above(head, n, v, u) && slow_interleave(head, n, u, v))
                return false;
    return true;
}

/* Whether some point is an end of every arc that crosses the arc into d. */
static bool slow_crossers_meet(const int32_t *head, int32_t n, int32_t d)
{
    for (int32_t p = 0; p <= n; p++) {
        bool all = true;
        for (int32_t x = 1; x <= n; x++)
            all = all && (!slow_cross(head, d, x) || x == p || head[x] == p);
        if (all)
            return true;
    }
    return false;
}

/* Short ones: every division of the arcs in two.  Others: colours that spread from arc to arc. */
static bool slow_two_planar(const int32_t *head, int32_t n)
{
    int colour[MAX + 1] = { 0 };
    for (int32_t first = 1; first <= n; first++) {
        if (!colour[first])
            colour[first] = 1;
        for (int32_t round = 0; round < n; round++)
            for (int32_t a = 1; a <= n; a++)
                for (int32_t b = 1; b <= n; b++)
                    if (colour[a] && !colour[b] && slow_cross(head, a, b))
                        colour[b] = 3 - colour[a];
    }
    bool spread = true, divided = n > 10;
    for (int32_t a = 1; a <= n; a++)
        for (int32_t b = 1; b < a; b++)
            spread = spread && !(slow_cross(head, a, b) && colour[a] == colour[b]);
    for (uint32_t part = 0; part < 1u << n && !divided; part++) {
        bool fits = true;
        for (int32_t a = 1; a <= n && fits; a++)
            for (int32_t b = 1; b < a && fits; b++)
                fits = !slow_cross(head, a, b) || (part >> (a - 1) & 1) != (part >> (b - 1) & 1);
        divided = fits;
    }
    if (n <= 10)
        assert_int_equal(divided, spread);
    return spread;
}

static int32_t slow_depth(const int32_t *head, int32_t i)
{
    return i == 0 ? 0 : 1 + slow_depth(head, head[i]);
}

static ddn_tree_shape slow_measure(const int32_t *head, int32_t n)
{
    ddn_tree_shape s = { .planar = true, .one_endpoint = true };
    s.two_planar = slow_two_planar(head, n);
    s.well_nested = slow_well_nested(head, n);
    for (int32_t d = 1; d <= n; d++) {
        s.roots += head[d] == 0;
        s.depth = most(s.depth, slow_depth(head, d));
        s.nonprojective += !slow_arc_projective(head, n, d);
        s.gap_degree = most(s.gap_degree, slow_gaps(head, n, d));
        s.edge_degree = most(s.edge_degree, slow_edge_degree(head, n, d));
        s.one_endpoint = s.one_endpoint && slow_crossers_meet(head, n, d);
        bool crosses = false;
        for (int32_t x = 1; x <= n; x++) {
            crosses = crosses || slow_cross(head, d, x);
            s.crossings += x < d && slow_cross(head, d, x);
        }
        s.crossing += crosses;
    }
    s.projective = s.nonprojective == 0;
    s.planar = s.crossings == 0;
    return s;
}

/* ---- Comparing ---- */

static void compare(ddn_tree_space *space, const int32_t *head, int32_t n, ddn_tree_shape *out)
{
    ddn_tree_shape slow = slow_measure(head, n);
    assert_int_equal(ddn_tree_measure(space, head, n, out, NULL), 0);
    assert_int_equal(out->roots, slow.roots);
    assert_int_equal(out->depth, slow.depth);
    assert_int_equal(out->projective, slow.projective);
    assert_int_equal(out->nonprojective, slow.nonprojective);
    assert_int_equal(out->crossing, slow.crossing);
    assert_int_equal(out->crossings, slow.crossings);
    assert_int_equal(out->gap_degree, slow.gap_degree);
    assert_int_equal(out->edge_degree, slow.edge_degree);
    assert_int_equal(out->planar, slow.planar);
    assert_int_equal(out->well_nested, slow.well_nested);
    assert_int_equal(out->two_planar, slow.two_planar);
    assert_int_equal(out->one_endpoint, slow.one_endpoint);
}

/* The next vector of numbers 0..n in head[1..n]; false after the last. */
static bool count_up(int32_t *head, int32_t n)
{
    for (int32_t i = 1; i <= n; i++) {
        if (head[i]++ < n)
            return true;
        head[i] = 0;
    }
    return false;
}

static void all_small_trees(void **state)
{
    (void)state;
    /* Cayley's (n+1)^(n-1) trees; projective ones with any number of roots are counted by the
     * ternary trees (OEIS A001764), with one root by A006013. */
    static const int trees[] = { 0, 1, 3, 16, 125, 1296, 16807 };
    static const int projective[] = { 0, 1, 3, 12, 55, 273, 1428 };
    static const int projective_one_root[] = { 0, 1, 2, 7, 30, 143, 728 };
    ddn_tree_space space;
    ddn_tree_space_init(&space);
    for (int32_t n = 1; n <= 6; n++) {
        int32_t head[8] = { 0 }, mark[16], seen = 0, proj = 0, proj_one = 0;
        do {
            bool tree = ddn_tree_check(head, n, false, mark, NULL) == DDN_TREE_OK;
            assert_int_equal(tree, slow_is_tree(head, n));
            if (!tree)
                continue;
            ddn_tree_shape shape;
            compare(&space, head, n, &shape);
            bool one = ddn_tree_check(head, n, true, mark, NULL) == DDN_TREE_OK;
            assert_int_equal(one, shape.roots == 1);
            assert_int_equal(ddn_tree_is_projective(head, n, mark), shape.projective);
            seen++;
            proj += shape.projective;
            proj_one += shape.projective && one;
        } while (count_up(head, n));
        assert_int_equal(seen, trees[n]);
        assert_int_equal(proj, projective[n]);
        assert_int_equal(proj_one, projective_one_root[n]);
    }
    ddn_tree_space_fini(&space);
}

/* A tree over nodes in a random order, each below an earlier one; reach small: long chains. */
static void random_tree(ddn_rng *r, int32_t *head, int32_t n, int32_t reach)
{
    uint32_t order[MAX];
    for (int32_t i = 0; i < n; i++)
        order[i] = (uint32_t)i + 1;
    ddn_rng_shuffle(r, order, (uint64_t)n);
    for (int32_t i = 0; i < n; i++) {
        int32_t back = (int32_t)ddn_rng_below(r, (uint64_t)least(i + 1, reach)) + 1;
        head[order[i]] = back > i ? 0 : (int32_t)order[i - back];
    }
}

/* A few words of a projective chain are moved elsewhere: mostly nested, as in treebanks. */
static void nearly_projective_tree(ddn_rng *r, int32_t *head, int32_t n)
{
    int32_t mark[MAX + 1];
    for (int32_t i = 1; i <= n; i++)
        head[i] = i - 1;
    for (int32_t k = 0; k < 4; k++) {
        int32_t d = 1 + (int32_t)ddn_rng_below(r, (uint64_t)n), old = head[d];
        head[d] = (int32_t)ddn_rng_below(r, (uint64_t)n + 1);
        if (ddn_tree_check(head, n, false, mark, NULL) != DDN_TREE_OK)
            head[d] = old;
    }
}

static void random_trees(void **state)
{
    (void)state;
    ddn_rng r;
    ddn_rng_init(&r, 11);
    ddn_tree_space space;
    ddn_tree_space_init(&space);
    int planar = 0, nested = 0, endpoint = 0, two_planar = 0;
    for (int k = 0; k < 6000; k++) {
        int32_t head[MAX + 1] = { 0 }, n = 1 + (int32_t)ddn_rng_below(&r, MAX);
        if (k % 2 == 0)
            random_tree(&r, head, n, k % 4 == 0 ? 3 : n);
        else
            nearly_projective_tree(&r, head, n);
        ddn_tree_shape shape;
        compare(&space, head, n, &shape);
        planar += shape.planar && !shape.projective;
        nested += shape.well_nested && shape.gap_degree > 1;
        endpoint += shape.one_endpoint && !shape.planar;
        two_planar += shape.two_planar && !shape.one_endpoint;
    }
    /* The sample reaches what lies between projective and anything goes. */
    assert_true(planar > 20 && nested > 20 && endpoint > 20 && two_planar > 20);
    ddn_tree_space_fini(&space);
}

/* ---- By hand ---- */

static ddn_tree_shape measure(const int32_t *head, int32_t n)
{
    ddn_tree_space space;
    ddn_tree_shape shape;
    ddn_tree_space_init(&space);
    assert_int_equal(ddn_tree_measure(&space, head, n, &shape, NULL), 0);
    ddn_tree_space_fini(&space);
    return shape;
}

/* 1 and 2 hang from 5; 3 from 1, 4 from 2.  The subtrees {1, 3} and {2, 4} interleave. */
static void smallest_ill_nested(void **state)
{
    (void)state;
    const int32_t head[] = { -1, 5, 5, 1, 2, 0 };
    ddn_tree_shape s = measure(head, 5);
    assert_false(s.well_nested);
    assert_int_equal(s.gap_degree, 1);
    /* 1->3 spans 2; 2->4 spans 3; 5->2 spans nothing foreign. */
    assert_int_equal(s.nonprojective, 2);
    /* 1-3 with 2-4 and with 2-5. */
    assert_int_equal(s.crossings, 2);
    assert_int_equal(s.crossing, 3);
    assert_int_equal(s.edge_degree, 1);
    assert_true(s.one_endpoint); /* 2-4 and 2-5 share 2 */
}

/* The arc 3 -> 1 covers the root 2: no arcs between words cross, yet it is not projective. */
static void planar_is_weaker(void **state)
{
    (void)state;
    const int32_t head[] = { -1, 3, 0, 2 };
    ddn_tree_shape s = measure(head, 3);
    assert_true(s.planar && s.one_endpoint && s.well_nested);
    assert_false(s.projective);
    assert_int_equal(s.nonprojective, 1);
    assert_int_equal(s.gap_degree, 1);
    assert_int_equal(s.edge_degree, 1);
}

static void no_words(void **state)
{
    (void)state;
    const int32_t head[] = { -1 };
    ddn_tree_shape s = measure(head, 0);
    assert_true(s.projective && s.planar && s.well_nested && s.one_endpoint);
    assert_int_equal(s.roots + s.depth + s.gap_degree + s.edge_degree, 0);
}

static void lengths(void **state)
{
    (void)state;
    const int32_t head[] = { -1, 2, 0, 2, 6, 6, 2 }; /* 1, -, 1, 2, 1, 4 */
    int64_t count[3] = { 0 };
    ddn_tree_lengths all = ddn_tree_count_lengths(head, 6, count, 3);
    assert_int_equal(all.arcs, 5);
    assert_int_equal(all.sum, 9);
    assert_int_equal(all.most, 4);
    assert_int_equal(count[0], 3);
    assert_int_equal(count[1], 1);
    assert_int_equal(count[2], 1);
}

static void faults(void **state)
{
    (void)state;
    static const struct {
        int32_t n, head[7];
        bool one_root;
        ddn_tree_fault fault;
        int32_t word;
    } cases[] = {
        { 0, { -1 }, false, DDN_TREE_OK, 0 },
        { 0, { -1 }, true, DDN_TREE_NO_ROOT, 0 },
        { 3, { -1, 2, 0, 2 }, true, DDN_TREE_OK, 0 },
        { 3, { -1, 0, 1, 0 }, false, DDN_TREE_OK, 0 },
        { 3, { -1, 0, 1, 0 }, true, DDN_TREE_TWO_ROOTS, 3 },
        { 3, { -1, 1, 9, -1 }, false, DDN_TREE_NO_HEAD, 3 },
        { 3, { -1, 1, 4, 0 }, false, DDN_TREE_OUT_OF_RANGE, 2 },
        { 3, { -1, 0, -2, 0 }, false, DDN_TREE_OUT_OF_RANGE, 2 },
        { 3, { -1, 0, 3, 3 }, false, DDN_TREE_SELF_LOOP, 3 },
        { 2, { -1, 2, 1 }, false, DDN_TREE_NO_ROOT, 0 },
        { 3, { -1, 0, 3, 2 }, false, DDN_TREE_CYCLE, 2 },
        /* 1 leads into the cycle 5 6, found first; the cycle 3 4 has the smaller word. */
        { 6, { -1, 5, 0, 4, 3, 6, 5 }, false, DDN_TREE_CYCLE, 3 },
        { 6, { -1, 5, 0, 0, 3, 6, 5 }, true, DDN_TREE_CYCLE, 5 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int32_t mark[7], word = 77;
        assert_int_equal(ddn_tree_check(cases[i].head, cases[i].n, cases[i].one_root, mark, &word),
                         cases[i].fault);
        assert_int_equal(word, cases[i].word);
    }
}

/* The longest sentence: a projective chain and bush, and one with crossing arcs throughout. */
static void long_sentences(void **state)
{
    (void)state;
    int32_t n = DODONA_MAX_WORDS, *head = malloc(((size_t)n + 1) * sizeof *head);
    assert_non_null(head);
    head[0] = -1;
    for (int32_t i = 1; i <= n; i++)
        head[i] = i - 1;
    ddn_tree_shape s = measure(head, n);
    assert_true(s.projective);
    assert_int_equal(s.depth, n);
    for (int32_t i = 1; i <= n; i++)
        head[i] = 0;
    s = measure(head, n);
    assert_true(s.projective);
    assert_int_equal(s.roots, n);
    /* Odd words and even words are two interleaved chains. */
    for (int32_t i = 1; i <= n; i++)
        head[i] = i < 3 ? 0 : i - 2;
    s = measure(head, n);
    assert_int_equal(s.nonprojective, n - 2);
    assert_int_equal(s.crossing, n - 2);
    assert_int_equal(s.crossings, n - 3);
    assert_int_equal(s.gap_degree, n / 2 - 1);
    assert_int_equal(s.edge_degree, 1);
    assert_false(s.well_nested);
    assert_true(s.one_endpoint); /* what crosses i-2 - i meets in i-1 */
    free(head);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults),           cmocka_unit_test(all_small_trees),
        cmocka_unit_test(random_trees),     cmocka_unit_test(smallest_ill_nested),
        cmocka_unit_test(planar_is_weaker), cmocka_unit_test(no_words),
        cmocka_unit_test(lengths),          cmocka_unit_test(long_sentences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
