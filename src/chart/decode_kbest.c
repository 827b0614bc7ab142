/* SPDX-License-Identifier: MIT */
/* decode_kbest.c - the k best trees, by dividing the set of trees (Lawler 1972).
 *
 * The best tree is the first.  The others fall into n parts: part q has the heads of words 1..q-1
 * in common with it and another head of word q.  The best tree of each part is a candidate, the
 * best candidate is the second tree, its part is divided in the same way, and so on.  A part is a
 * matrix of scores with more arcs forbidden, so that every decoder finds its best tree, whatever
 * derivations it has: no tree comes twice.  At most n decodings a tree.  Only as many candidates
 * are kept as trees are still wanted.
 *
 * E. L. Lawler, A procedure for computing the k best solutions to discrete optimization problems,
 * Management Science 18, 1972. */
#include "chart/decode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct part {
    double score;
    int32_t fixed;   /* words 1..fixed have the heads of its tree */
    int32_t *head;   /* [n+1] the best tree in it */
    bool *forbidden; /* [n+1] heads of word fixed + 1 */
} part;

typedef struct partition {
    const ddn_decode_input *in;
    part *part; /* [k+1] candidates in no order, then free ones */
    int32_t parts, most;
    double *w; /* the scores of a part */
} partition;

static bool is_better(const part *a, const part *b, int32_t n)
{
    int32_t d = 1;
    if (a->score != b->score)
        return a->score > b->score;
    while (d < n && a->head[d] == b->head[d])
        d++;
    return a->head[d] < b->head[d];
}

static void partition_free(partition *t)
{
    for (int32_t i = 0; t->part && i <= t->most; i++) {
        free(t->part[i].head);
        free(t->part[i].forbidden);
    }
    free(t->part);
    free(t->w);
}

static bool partition_make(partition *t, const ddn_decode_input *in, int32_t k)
{
    size_t m = (size_t)in->n + 1;
    *t = (partition){ .in = in, .most = k };
    t->w = malloc(m * m * sizeof *t->w);
    t->part = calloc((size_t)k + 1, sizeof *t->part);
    return t->w && t->part;
}

/* The next free part, with memory. */
static part *free_part(partition *t)
{
    part *p = &t->part[t->parts];
    size_t m = (size_t)t->in->n + 1;
    if (!p->head)
        p->head = malloc(m * sizeof *p->head);
    if (!p->forbidden)
        p->forbidden = malloc(m * sizeof *p->forbidden);
    return p->head && p->forbidden ? p : NULL;
}

/* Keeps the candidate that was filled; where there are too many, the worst goes. */
static void add_part(partition *t)
{
    int32_t worst = 0;
    if (++t->parts <= t->most)
        return;
    for (int32_t i = 1; i < t->parts; i++)
        if (is_better(&t->part[worst], &t->part[i], t->in->n))
            worst = i;
    part last = t->part[--t->parts];
    t->part[t->parts] = t->part[worst];
    t->part[worst] = last;
}

/* The scores of the part in which words 1..fixed have these heads. */
static void restrict_scores(const partition *t, const int32_t *head, int32_t fixed,
                            const bool *forbidden)
{
    size_t m = (size_t)t->in->n + 1;
    memcpy(t->w, t->in->w, m * m * sizeof *t->w);
    for (int32_t d = 1; d <= fixed + 1; d++)
        for (int32_t h = 0; h <= t->in->n; h++)
            if (d <= fixed ? h != head[d] : forbidden[h])
                t->w[(size_t)h * m + (size_t)d] = -INFINITY;
}

/* All trees of the part `from` but its best. */
static int divide(partition *t, ddn_decoding *d, const ddn_decoder *decoder, const part *from,
                  dodona_error *err)
{
    size_t m = (size_t)t->in->n + 1;
    ddn_decode_input in = { t->in->n, t->in->one_root, t->w };
    for (int32_t fixed = from->fixed; fixed < t->in->n; fixed++) {
        part *p = free_part(t);
        if (!p)
            return ddn_fail_memory(err);
        p->fixed = fixed;
        memset(p->forbidden, 0, m);
        if (fixed == from->fixed)
            memcpy(p->forbidden, from->forbidden, m);
        p->forbidden[from->head[fixed + 1]] = true;
        restrict_scores(t, from->head, fixed, p->forbidden);
        int status = ddn_decode_best(d, decoder, &in, p->head, NULL, err);
        if (status < 0)
            return status;
        p->score = status ? ddn_decode_score(t->in, p->head) : 0;
        if (status)
            add_part(t);
    }
    return DODONA_OK;
}

/* Takes the best candidate out, into the free part at the end. */
static part *take_best(partition *t)
{
    int32_t best = 0;
    for (int32_t i = 1; i < t->parts; i++)
        if (is_better(&t->part[i], &t->part[best], t->in->n))
            best = i;
    part last = t->part[--t->parts];
    t->part[t->parts] = t->part[best];
    t->part[best] = last;
    return &t->part[t->parts];
}

/* A decoder adds in another order than ddn_decode_score, so that trees may come out in the wrong
 * order where scores differ by rounding. */
static void sort_by_score(int32_t *head, double *score, int32_t found, size_t m, int32_t *scratch)
{
    for (int32_t i = 1; i < found; i++) {
        double s = score[i];
        int32_t to = i;
        while (to > 0 && score[to - 1] < s)
            to--;
        if (to == i)
            continue;
        size_t moved = (size_t)(i - to);
        memcpy(scratch, head + (size_t)i * m, m * sizeof *head);
        memmove(head + (size_t)(to + 1) * m, head + (size_t)to * m, moved * m * sizeof *head);
        memmove(score + to + 1, score + to, moved * sizeof *score);
        memcpy(head + (size_t)to * m, scratch, m * sizeof *head);
        score[to] = s;
    }
}

static int32_t find_all(partition *t, ddn_decoding *d, const ddn_decoder *decoder, int32_t k,
                        int32_t *head, double *score, dodona_error *err)
{
    size_t m = (size_t)t->in->n + 1;
    part now = { .head = malloc(m * sizeof *now.head), .forbidden = calloc(m, 1) };
    int32_t found = 0;
    int status = now.head && now.forbidden ? ddn_decode_best(d, decoder, t->in, now.head, NULL, err)
                                           : ddn_fail_memory(err);
    now.score = status > 0 ? ddn_decode_score(t->in, now.head) : 0;
    while (status > 0) {
        memcpy(head + (size_t)found * m, now.head, m * sizeof *head);
        score[found++] = now.score;
        t->most = k - found;
        if (found == k)
            break;
        status = divide(t, d, decoder, &now, err);
        if (status < 0 || t->parts == 0)
            break;
        part *next = take_best(t), swap = now;
        now = *next;
        *next = swap;
        status = 1;
    }
    if (status >= 0)
        sort_by_score(head, score, found, m, now.head);
    free(now.head);
    free(now.forbidden);
    return status < 0 ? status : found;
}

int ddn_decode_kbest_check(const ddn_decoding *d, const ddn_decoder *decoder, int32_t n, int32_t k,
                           dodona_error *err)
{
    double m = n + 1.0, tree = m * sizeof(int32_t);
    double parts = (k + 1.0) * (sizeof(part) + tree + m * sizeof(bool));
    double need =
        decoder->need(decoder, n) + m * m * sizeof(double) + parts + k * (tree + sizeof(double));
    return ddn_decode_check(d, decoder->name, n, need, err);
}

int32_t ddn_decode_kbest(ddn_decoding *d, const ddn_decoder *decoder, const ddn_decode_input *in,
                         int32_t k, int32_t *head, double *score, dodona_error *err)
{
    partition t;
    int32_t found = ddn_decode_kbest_check(d, decoder, in->n, k, err);
    if (found < 0)
        return found;
    found = partition_make(&t, in, k) ? find_all(&t, d, decoder, k, head, score, err)
                                      : ddn_fail_memory(err);
    t.most = k;
    partition_free(&t);
    return found;
}
