/* SPDX-License-Identifier: MIT */
#include "lib/parsing.h"

#include "lib/check.h"
#include "search/replay.h"

ddn_searching *test_parser_open(ddn_parser *p, const ddn_model *m, const char *search,
                                ddn_search_options options)
{
    dodona_error err = { 0 };
    if (ddn_parser_open(p, m, search, &options, 1, &err) < 0)
        fail_msg("%s", err.message);
    return p->searching[0];
}

void test_parse(ddn_parser *p, const ddn_sentence *s)
{
    dodona_error err = { 0 };
    if (ddn_parser_run(p, &s, 1, &err) < 0)
        fail_msg("%s", err.message);
}

bool test_parse_goal(ddn_parser *p, const ddn_sentence *s, const ddn_goal *goal)
{
    p->searching[0]->goal = goal;
    test_parse(p, s);
    p->searching[0]->goal = NULL;
    return p->searching[0]->beaten;
}

ddn_score test_replayed(ddn_parser *p, const ddn_sentence *s, ddn_roots roots, const ddn_move *move,
                        size_t moves)
{
    ddn_replay r;
    ddn_score total = 0;
    assert_int_equal(ddn_parser_encode(p, &s, 1, NULL), DODONA_OK);
    ddn_replay_init(&r, p->pass);
    assert_int_equal(ddn_replay_start(&r, 0, s->n, roots, NULL), DODONA_OK);
    for (size_t i = 0; i < moves; i++) {
        ddn_score score;
        assert_true(r.system->legal(&r.state) >> move[i].kind & 1);
        assert_int_equal(ddn_replay_score(&r, move[i], &score, NULL), DODONA_OK);
        total += score;
        ddn_replay_make(&r, move[i]);
    }
    ddn_replay_fini(&r);
    return total;
}
