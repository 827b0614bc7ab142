/* SPDX-License-Identifier: MIT */
#include "lib/perceptrons.h"

#include "lib/check.h"
#include "model/builtin.h"
#include "search/replay.h"

#include <string.h>

enum { MOST_MOVES = 256, MOST_WORDS = 64 };

static const char mixed[] = "s0.w\ns0.w+q0.w\ns1.t+s0.t+q0.t\n[moves]\nq0.w+q1.t\ns0.lc.t+s0.l\n"
                            "[labels]\ns0.t+q0.t\ns1.w+s0.w\ns1.rc.w+d(s1,s0)\n";
static const char focus[] = "l0.w\nq0.w\nl0.w+q0.w\nl0.lc.w+l0.l\n[moves]\nq0.lc.t+q0.next.w\n"
                            "cl.w+l0.w\n[labels]\nl0.h.w+l0.t\nq0.rc.w+q0.vl\n";
static const char places[] = "s0.w\np.w\np.t+s0.l\n[moves]\nq0.w+p.w\n[labels]\np.w+c.t\n";
static const char arcs[] = "[arcs]\nh.w+m.w\nm.t+h.t\nd(h,m)+h.next.w\nm.prev.w+h.prev.t\n";
static const char pairs[] =
    "[moves]\ns0.w+q0.w\ns1.w+s0.w\ns2.t+s0.w\nq0.t\n[arcs]\nh.w+m.w\nm.w\n";

const char *test_templates(const ddn_system *system, int i)
{
    static const char *const sets[] = { mixed, focus, places, arcs, pairs, NULL };
    const char *own = system->templates ? system->templates : system->name;
    return i == 0 ? ddn_builtin_find(own) : sets[i - 1];
}

void test_perceptron_init(test_perceptron *p, const ddn_system *system, const char *templates)
{
    static const uint8_t uses[TEST_RELATIONS] = { DDN_LABEL_OF_WORD,
                                                  DDN_LABEL_OF_WORD | DDN_LABEL_OF_ROOT,
                                                  DDN_LABEL_OF_ROOT };
    dodona_error err = { 0 };
    memset(p, 0, sizeof *p);
    ddn_schema_init(&p->schema);
    ddn_sections_init(&p->sections);
    p->schema.system = system;
    for (int l = 0; l < TEST_RELATIONS; l++)
        assert_int_equal(
            ddn_schema_add_label(&p->schema, (dodona_text){ &"abc"[l], 1 }, uses[l], NULL), 0);
    ddn_spec spec = { .part = "parser",
                      .schema = &p->schema,
                      .templates = templates,
                      .templates_size = strlen(templates),
                      .templates_name = "test" };
    if (ddn_scorer_find("perceptron")->create(&spec, &p->learning, &err) < 0)
        fail_msg("%s", err.message);
}

void test_perceptron_fini(test_perceptron *p)
{
    ddn_model_close(p->learning);
    ddn_model_close(p->frozen);
    ddn_sections_fini(&p->sections);
    ddn_schema_fini(&p->schema);
}

static ddn_adjoint draw(ddn_rng *r, int32_t output)
{
    return (ddn_adjoint){ output, (double)ddn_rng_below(r, 21) - 10 };
}

static void learn_derivation(ddn_replay *replay, ddn_rng *r)
{
    const ddn_system *system = replay->system;
    const ddn_scorer *scorer = replay->pass->model->scorer;
    while (!system->final(&replay->state)) {
        ddn_move move[MOST_MOVES];
        int32_t position[MOST_WORDS + 1];
        int32_t count = ddn_system_moves(system, &replay->state, move, position);
        ddn_move m = move[ddn_rng_below(r, (uint64_t)count)];
        ddn_score unused;
        m.label = (uint16_t)ddn_rng_below(r, TEST_RELATIONS);
        assert_int_equal(ddn_replay_score(replay, m, &unused, NULL), 0);
        ddn_adjoint kind = draw(r, m.kind), label = draw(r, m.label);
        assert_int_equal(scorer->learn_move(replay->pass, replay->arc.query, &kind, 1, NULL), 0);
        if (replay->arc.arc.head >= 0)
            assert_int_equal(scorer->learn_label(replay->pass, &replay->arc, &label, 1, NULL), 0);
        ddn_replay_make(replay, m);
    }
}

void test_randomize(test_perceptron *p, ddn_rng *r, const ddn_sentence *const *s, int count,
                    int derivations, ddn_roots roots)
{
    const ddn_scorer *scorer = p->learning->scorer;
    ddn_pass *pass;
    ddn_replay replay;
    assert_int_equal(scorer->pass(p->learning, DDN_ONE_VIEW, &pass, NULL), 0);
    ddn_replay_init(&replay, pass);
    for (int i = 0; i < count; i++) {
        assert_true(s[i]->n <= MOST_WORDS);
        assert_int_equal(scorer->encode(pass, &s[i], 1, NULL), 0);
        for (int k = 0; k < derivations; k++) {
            assert_int_equal(ddn_replay_start(&replay, 0, s[i]->n, roots, NULL), 0);
            learn_derivation(&replay, r);
        }
    }
    /* All in the first step: then the averages are the weights. */
    assert_int_equal(scorer->step(p->learning, &pass, 1, NULL), 0);
    ddn_replay_fini(&replay);
    ddn_pass_end(pass);
}

void test_freeze(test_perceptron *p)
{
    ddn_spec spec = { .part = "parser", .schema = &p->schema };
    dodona_error err = { 0 };
    assert_int_equal(p->learning->scorer->save(p->learning, UINT64_MAX, &p->sections, NULL), 0);
    ddn_sections_view(&p->sections, "test", &p->file);
    if (p->learning->scorer->open(&p->file, &spec, &p->frozen, &err) < 0)
        fail_msg("%s", err.message);
}
