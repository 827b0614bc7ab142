/* SPDX-License-Identifier: MIT */
/* parser.c - runs the searches of a batch: all ask, the pass scores, all are told, until every
 * search has ended. */
#include "search/parser.h"

#include <string.h>

int ddn_parser_open(ddn_parser *p, const ddn_model *m, const char *search,
                    const ddn_search_options *options, int room, dodona_error *err)
{
    const ddn_search *found = ddn_search_find(search);
    memset(p, 0, sizeof *p);
    int lanes = found && found->exact ? 1 : room;
    p->searching = ddn_arena_zeros(&p->arena, (size_t)lanes, sizeof(ddn_searching *));
    p->failure = ddn_arena_zeros(&p->arena, (size_t)lanes, sizeof *p->failure);
    p->asks = ddn_arena_zeros(&p->arena, (size_t)lanes, sizeof *p->asks);
    if (p->arena.failed)
        return ddn_fail_memory(err);
    p->room = room;
    p->lanes = lanes;
    int status = m->scorer->pass(m, found ? found->breadth : DDN_ONE_VIEW, &p->pass, err);
    for (int i = 0; i < lanes && status >= 0; i++)
        status = ddn_search_open(search, p->pass, options, &p->searching[i], err);
    return status;
}

void ddn_parser_close(ddn_parser *p)
{
    for (int i = 0; i < p->lanes; i++)
        ddn_search_close(p->searching[i]);
    ddn_pass_end(p->pass);
    ddn_batch_fini(&p->batch);
    ddn_arena_fini(&p->arena);
    memset(p, 0, sizeof *p);
}

int ddn_parser_encode(ddn_parser *p, const ddn_sentence *const *s, int m, dodona_error *err)
{
    return p->pass->model->scorer->encode(p->pass, s, m, err);
}

/* Lets all searches that go on ask; returns whether any does.  One that fails goes on no more. */
static bool ask_all(ddn_parser *p, int m)
{
    bool any = false;
    p->batch.count = 0;
    for (int i = 0; i < m; i++) {
        if (p->asks[i])
            p->asks[i] = ddn_searching_ask(p->searching[i], &p->batch, &p->failure[i]) > 0;
        any |= p->asks[i];
    }
    return any;
}

static void tell_all(ddn_parser *p, int m)
{
    for (int i = 0; i < m; i++)
        if (p->asks[i])
            p->asks[i] = ddn_searching_tell(p->searching[i], &p->batch, &p->failure[i]) >= 0;
}

/* The configurations that were asked for can't be scored. */
static void fail_all(ddn_parser *p, int m, const dodona_error *fault)
{
    for (int i = 0; i < m; i++) {
        if (p->asks[i])
            p->failure[i] = *fault;
        p->asks[i] = false;
    }
}

int ddn_parser_search(ddn_parser *p, const ddn_sentence *const *s, int first, int m,
                      dodona_error *err)
{
    for (int i = 0; i < m; i++) {
        p->failure[i].code = DODONA_OK;
        p->asks[i] =
            ddn_searching_begin(p->searching[i], first + i, s[first + i]->n, &p->failure[i]) >= 0;
    }
    while (ask_all(p, m)) {
        dodona_error fault;
        if (p->pass->model->scorer->moves(p->pass, p->batch.query, (int)p->batch.count,
                                          p->batch.score, &fault) >= 0)
            tell_all(p, m);
        else
            fail_all(p, m, &fault);
    }
    for (int i = 0; i < m; i++) {
        if (p->failure[i].code == DODONA_OK)
            continue;
        if (err)
            *err = p->failure[i];
        return p->failure[i].code;
    }
    return DODONA_OK;
}

int ddn_parser_run(ddn_parser *p, const ddn_sentence *const *s, int m, dodona_error *err)
{
    int status = ddn_parser_encode(p, s, m, err);
    return status < 0 ? status : ddn_parser_search(p, s, 0, m, err);
}
