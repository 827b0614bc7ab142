/* SPDX-License-Identifier: MIT */
/* parts.c - a batch is cut, the parts are learnt beside each other, and a step is made. */
#include "train/parts.h"

#include "search/search.h"

#include <pthread.h>
#include <string.h>

static int open_part(ddn_part *p, const ddn_train_options *o, ddn_model *model, int room,
                     ddn_rng *rng, dodona_error *err)
{
    p->by_heads = ddn_search_find(o->search)->exact;
    return p->by_heads ? ddn_heads_open(&p->heads, model, err)
                       : ddn_following_open(&p->following, o, model, room, rng, err);
}

int ddn_parts_open(ddn_parts *p, const ddn_train_options *o, ddn_model *model, int batch,
                   ddn_rng *rng, dodona_error *err)
{
    bool online = model->scorer->online;
    int count = online ? 1 : DDN_PARTS, room = (batch + count - 1) / count, status = DODONA_OK;
    *p = (ddn_parts){ .model = model, .rng = rng, .threads = o->threads };
    for (; p->count < count && status >= 0; p->count++) {
        ddn_part *part = &p->part[p->count];
        status = open_part(part, o, model, room, online ? rng : &part->rng, err);
    }
    return status;
}

void ddn_parts_close(ddn_parts *p)
{
    for (int i = 0; i < p->count; i++)
        if (p->part[i].by_heads)
            ddn_heads_close(&p->part[i].heads);
        else
            ddn_following_close(&p->part[i].following);
    p->count = 0;
}

int ddn_parts_guide(ddn_parts *p, const ddn_model *guide, dodona_error *err)
{
    int status = DODONA_OK;
    for (int i = 0; i < p->count && status >= 0; i++)
        status = ddn_following_guide(&p->part[i].following, guide, err);
    return status;
}

bool ddn_parts_guided(const ddn_parts *p)
{
    return p->part[0].following.guide != NULL;
}

int64_t ddn_parts_tied(const ddn_parts *p)
{
    int64_t tied = 0;
    for (int i = 0; i < p->count && !p->part[i].by_heads; i++)
        tied += ddn_following_tied(&p->part[i].following);
    return tied;
}

static ddn_pass *pass_of(const ddn_part *p)
{
    return p->by_heads ? p->heads.pass : p->following.pass;
}

static void *work(void *ctx)
{
    ddn_part *p = ctx;
    p->status = p->by_heads ? ddn_heads_learn(&p->heads, p->x, p->m, &p->error)
                            : ddn_follow(&p->following, p->x, p->m, p->manner, &p->error);
    return NULL;
}

/* All parts that have a share, the first in this thread. */
static void work_all(ddn_parts *p, int busy)
{
    pthread_t thread[DDN_PARTS];
    bool started[DDN_PARTS] = { false };
    for (int i = 1; i < busy; i++)
        started[i] = i < p->threads && pthread_create(&thread[i], NULL, work, &p->part[i]) == 0;
    for (int i = 0; i < busy; i++)
        if (!started[i])
            work(&p->part[i]);
    for (int i = 1; i < busy; i++)
        if (started[i])
            pthread_join(thread[i], NULL);
}

int ddn_parts_learn(ddn_parts *p, const ddn_example *const *x, int m, ddn_manner manner,
                    dodona_error *err)
{
    const ddn_scorer *scorer = p->model->scorer;
    ddn_pass *pass[DDN_PARTS];
    int busy = 0, done = 0, gave_up = 0, status = DODONA_OK;
    for (; busy < p->count && done < m; busy++) {
        ddn_part *part = &p->part[busy];
        int until = (m * (busy + 1) + p->count - 1) / p->count;
        part->x = x + done;
        part->m = until - done;
        part->manner = manner;
        pass[busy] = pass_of(part);
        if (!scorer->online) {
            ddn_rng_init(&part->rng, ddn_rng_next(p->rng));
            pass[busy]->seed = ddn_rng_next(p->rng);
        }
        done = until;
    }
    work_all(p, busy);
    for (int i = 0; i < busy && status >= 0; i++) {
        status = p->part[i].status;
        if (status < 0 && err)
            *err = p->part[i].error;
        gave_up += status < 0 ? 0 : status;
    }
    if (status >= 0 && !scorer->online)
        status = scorer->step(p->model, pass, busy, err);
    return status < 0 ? status : gave_up;
}
