/* SPDX-License-Identifier: MIT */
/* Elementary cycles: on random graphs all that trying every path finds, each once; and a sentence
 * with 2^50 of them, of which no question may look at more than the cap. */
#include "core/rng.h"
#include "lib/check.h"
#include "oracle/covington.h"
#include "system/kinds.h"

#include <stdlib.h>
#include <string.h>

enum { NODES = 9, GRAPHS = 3000, MOST = 4096, DIAMONDS = 50 };

/* ---- Random graphs ---- */

/* A cycle as its smallest node and, for each node, the next one; sorted and compared as bytes. */
typedef struct cycle {
    int8_t next[NODES + 1];
} cycle;

typedef struct cycles {
    cycle of[MOST];
    int count;
} cycles;

static void add(cycles *c, const int32_t *path, int32_t length)
{
    assert_true(c->count < MOST);
    cycle *new = &c->of[c->count++];
    memset(new, 0, sizeof *new);
    for (int32_t k = 0; k < length; k++) {
        assert_int_equal(new->next[path[k]], 0); /* elementary */
        new->next[path[k]] = (int8_t)path[(k + 1) % length];
    }
}

static void try_paths(cycles *c, int32_t (*head)[2], int32_t *path, int32_t length)
{
    for (int k = 0; k < 2; k++) {
        int32_t w = head[path[length - 1]][k];
        bool seen = w < path[0];
        if (w == path[0])
            add(c, path, length);
        for (int32_t at = 0; at < length; at++)
            seen |= path[at] == w;
        if (seen)
            continue;
        path[length] = w;
        try_paths(c, head, path, length + 1);
    }
}

static int by_bytes(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(cycle));
}

static void random_heads(ddn_rng *rng, int32_t n, int32_t (*head)[2])
{
    for (int32_t y = 1; y <= n; y++) {
        head[y][0] = (int32_t)ddn_rng_below(rng, (uint64_t)n + 1);
        head[y][1] = (int32_t)ddn_rng_below(rng, (uint64_t)n + 1);
        for (int k = 0; k < 2; k++)
            if (head[y][k] == y || (k == 1 && head[y][1] == head[y][0]))
                head[y][k] = 0;
    }
}

static void all_are_found(void **state)
{
    (void)state;
    static cycles got, want;
    ddn_rng rng;
    ddn_cycles c;
    int64_t total = 0;
    ddn_rng_init(&rng, 3);
    ddn_cycles_init(&c);
    for (int graph = 0; graph < GRAPHS; graph++) {
        int32_t n = 1 + graph % NODES, path[NODES + 1];
        got.count = want.count = 0;
        assert_true(ddn_cycles_reserve(&c, n));
        random_heads(&rng, n, c.head);
        ddn_cycles_begin(&c);
        while (ddn_cycles_next(&c))
            add(&got, c.path, c.length);
        assert_false(ddn_cycles_next(&c));
        for (int32_t y = 1; y <= n; y++) {
            path[0] = y;
            try_paths(&want, c.head, path, 1);
        }
        assert_int_equal(got.count, want.count);
        qsort(got.of, (size_t)got.count, sizeof(cycle), by_bytes);
        qsort(want.of, (size_t)want.count, sizeof(cycle), by_bytes);
        assert_memory_equal(got.of, want.of, (size_t)got.count * sizeof(cycle));
        total += got.count;
        assert_true(c.steps <= 20 * (int64_t)n * (got.count + 1));
    }
    assert_true(total > GRAPHS);
    ddn_cycles_fini(&c);
}

/* ---- 2^50 ---- */

/* Words v_0 ... v_50, a_0 ... a_50, z have been read; b_1 ... b_50, c and e come.  A is the chain
 * v_50 -> a_50 -> v_49 ... v_0, of which only the arcs into a are gold.  Gold goes v_t -> b_t ->
 * v_(t-1), so that there are two ways from v_t down to v_(t-1), but from v_1 to v_0 there is one;
 * and v_0 -> c -> v_51 at the top closes every one of the 2^50 ways. */
typedef struct diamonds {
    int32_t n, j;
    int32_t gold[4 * DIAMONDS + 20], made[4 * DIAMONDS + 20];
} diamonds;

static void build(diamonds *d)
{
    int32_t top = DIAMONDS + 1, v = 1, a = v + top + 1, b = a + top + 1, c = b + top + 1;
    memset(d, 0, sizeof *d);
    d->n = c + 1;
    d->j = b;
    for (int32_t y = 0; y <= d->n; y++)
        d->made[y] = -1;
    for (int32_t t = 1; t <= top; t++) {
        d->made[a + t] = d->gold[a + t] = v + t;
        d->made[v + t - 1] = a + t;
        d->gold[b + t] = v + t;
        d->gold[v + t - 1] = t > 1 ? b + t : 0;
    }
    d->gold[v + top] = c;
    d->gold[c] = v;
    d->gold[a] = d->gold[b] = d->gold[c + 1] = v;
}

static void start(const diamonds *d, ddn_gold *gold, ddn_state *s)
{
    ddn_gold_init(gold);
    ddn_state_init(s);
    assert_int_equal(ddn_gold_set(gold, d->gold, NULL, d->n, NULL), DODONA_OK);
    assert_int_equal(ddn_state_start(s, d->n, DDN_ROOTS_MANY, NULL), DODONA_OK);
    for (int32_t y = 1; y <= d->n; y++)
        if (d->made[y] > 0)
            ddn_state_attach(s, d->made[y], y, 0, NULL);
    ddn_state_focus(s, d->j - 1, d->j);
}

/* What a question may cost.  From one cycle to the next only the lowest diamonds change, on average
 * two of them, each of four words with two heads that are looked at twice; and some are looked at
 * when components are sought. */
static int64_t most_steps(int32_t n)
{
    return 2 * 4 * 2 * 2 * (int64_t)DDN_CYCLES_CAP + 100 * (int64_t)n;
}

static void ask(const ddn_gold *gold, const ddn_state *s, const char *name)
{
    const ddn_system *system = ddn_system_find("covington-nm");
    const ddn_oracle *oracle;
    ddn_oracle_space *space;
    ddn_move moves[4] = { { .kind = DDN_COVINGTON_LEFT },
                          { .kind = DDN_COVINGTON_RIGHT },
                          { .kind = DDN_COVINGTON_NONE },
                          { .kind = DDN_COVINGTON_SHIFT } };
    int32_t cost[4];
    assert_int_equal(ddn_oracle_find(system, name, true, &oracle, NULL), DODONA_OK);
    assert_int_equal(ddn_oracle_open(oracle, system, (ddn_oracle_options){ 0 }, &space, NULL),
                     DODONA_OK);
    assert_int_equal(ddn_oracle_begin(space, gold, NULL), DODONA_OK);
    oracle->costs(space, s, moves, 4, cost);
    assert_int_equal(space->tied, 1);
    assert_true(ddn_covington_steps(space) > DDN_CYCLES_CAP);
    assert_true(ddn_covington_steps(space) < most_steps(s->n));
    /* by |U| + r: i gets a head too many or loses its gold one; the gold arc v_0 -> b is still due
     */
    assert_int_equal(cost[2], 0);
    assert_true(cost[0] > 0 && cost[1] == 0 && cost[3] > 0);
    ddn_oracle_close(space);
}

static void nothing_runs_away(void **state)
{
    (void)state;
    static diamonds d;
    ddn_gold gold;
    ddn_state s;
    ddn_cycles c;
    ddn_bounds bounds;
    build(&d);
    start(&d, &gold, &s);
    ddn_cycles_init(&c);
    assert_true(ddn_cycles_reserve(&c, d.n));
    ddn_covington_bounds(&c, &s, &gold, &bounds);
    assert_int_equal(bounds.cycles, -1);
    assert_int_equal(bounds.problematic, -1);
    assert_true(c.steps < most_steps(d.n));
    ask(&gold, &s, "pc");
    ask(&gold, &s, "upper");
    int32_t loss;
    ddn_covington_search *search = ddn_covington_search_new(0);
    assert_non_null(search);
    assert_int_equal(ddn_covington_search_loss(search, &s, &gold, true, &loss, NULL), DODONA_OK);
    assert_int_equal(loss, -1); /* without an upper bound it does not begin */
    ddn_covington_search_free(search);
    ddn_cycles_fini(&c);
    ddn_state_fini(&s);
    ddn_gold_fini(&gold);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_are_found),
        cmocka_unit_test(nothing_runs_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
