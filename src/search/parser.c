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
    p->searching = ddn_arena_zeros(&p->arena, (size_t)room, sizeof(ddn_searching *));
    p->asks = ddn_arena_zeros(&p->arena, (size_t)room, sizeof *p->asks);
    if (p->arena.failed)
        return ddn_fail_memory(err);
    p->room = room;
    int status = m->scorer->pass(m, found ? found->breadth : DDN_ONE_VIEW, &p->pass, err);
    for (int i = 0; i < room && status >= 0; i++)
        status = ddn_search_open(search, p->pass, options, &p->searching[i], err);
    return status;
}

void ddn_parser_close(ddn_parser *p)
{
    for (int i = 0; i < p->room; i++)
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

/* Lets all searches that go on ask; returns whether any does. */
static int ask_all(ddn_parser *p, int m, dodona_error *err)
{
    int any = 0;
    p->batch.count = 0;
    for (int i = 0; i < m; i++) {
        int status = p->asks[i] ? ddn_searching_ask(p->searching[i], &p->batch, err) : 0;
        if (status < 0)
            return status;
        p->asks[i] = status > 0;
        any |= status;
    }
    return any;
}

int ddn_parser_search(ddn_parser *p, const ddn_sentence *const *s, int m, dodona_error *err)
{
    int status = DODONA_OK;
    for (int i = 0; i < m && status >= 0; i++) {
        status = ddn_searching_begin(p->searching[i], i, s[i]->n, err);
        p->asks[i] = true;
    }
    while (status >= 0 && (status = ask_all(p, m, err)) > 0) {
        status = p->pass->model->scorer->moves(p->pass, p->batch.query, (int)p->batch.count,
                                               p->batch.score, err);
        for (int i = 0; i < m && status >= 0; i++)
            if (p->asks[i])
                status = ddn_searching_tell(p->searching[i], &p->batch, err);
    }
    return status;
}

int ddn_parser_run(ddn_parser *p, const ddn_sentence *const *s, int m, dodona_error *err)
{
    int status = ddn_parser_encode(p, s, m, err);
    return status < 0 ? status : ddn_parser_search(p, s, m, err);
}
