/* SPDX-License-Identifier: MIT */
#include "lib/biaffine.h"

#include "core/array.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { UNKNOWN, ROOT, FIRST_KNOWN }; /* rows of words, UPOS and characters */
enum { SEEN = 2 };                   /* words less frequent are unknown */

/* ---- Sentences to numbers ---- */

static bool add_name(ddn_intern *t, dodona_text text, bool grow, uint32_t *id)
{
    if (grow)
        return ddn_intern_add(t, text.data, text.size, id);
    *id = ddn_intern_find(t, text.data, text.size);
    return true;
}

/* The row of a name: unknown for one that is not there. */
static uint32_t row(uint32_t id)
{
    return id == DDN_INTERN_NONE ? UNKNOWN : id + FIRST_KNOWN;
}

static size_t character_size(const char *p, const char *end)
{
    size_t n = 1;
    while (p + n < end && ((unsigned char)p[n] & 0xc0) == 0x80)
        n++;
    return n;
}

/* Appends the characters of a new type, without the middle of a long one. */
static bool add_type(biaffine *b, dodona_text form, bool grow)
{
    uint32_t row_of[2 * BIAFFINE_EDGE], id, count = 0, begin = b->type_begin[b->types.count - 1];
    const char *end = form.data + form.size;
    for (const char *p = form.data; p < end; count++) {
        size_t size = character_size(p, end);
        if (!add_name(&b->characters, (dodona_text){ p, size }, grow, &id))
            return false;
        if (count == 2 * BIAFFINE_EDGE) { /* the last ones move up */
            memmove(row_of + BIAFFINE_EDGE, row_of + BIAFFINE_EDGE + 1,
                    (BIAFFINE_EDGE - 1) * sizeof *row_of);
            count--;
        }
        row_of[count] = row(id);
        p += size;
    }
    if (count == 0)
        row_of[count++] = ROOT;
    if (!ddn_reserve(&b->type_begin, &b->type_begin_cap, b->types.count + 1u,
                     sizeof *b->type_begin) ||
        !ddn_reserve(&b->type_chars, &b->type_chars_cap, begin + count, sizeof *b->type_chars))
        return false;
    memcpy(b->type_chars + begin, row_of, count * sizeof *row_of);
    b->type_begin[b->types.count] = begin + count;
    return true;
}

static bool find_type(biaffine *b, dodona_text form, bool grow, uint32_t *type)
{
    uint32_t known = b->types.count;
    return ddn_intern_add(&b->types, form.data, form.size, type) &&
           (b->types.count == known || add_type(b, form, grow));
}

static bool reserve_word(biaffine_text *t)
{
    size_t n = t->words + 1;
    return ddn_reserve(&t->word, &t->word_cap, n, sizeof *t->word) &&
           ddn_reserve(&t->upos, &t->upos_cap, n, sizeof *t->upos) &&
           ddn_reserve(&t->type, &t->type_cap, n, sizeof *t->type) &&
           ddn_reserve(&t->feats_begin, &t->feats_begin_cap, n + 1, sizeof *t->feats_begin) &&
           ddn_reserve(&t->head, &t->head_cap, n, sizeof *t->head) &&
           ddn_reserve(&t->label, &t->label_cap, n, sizeof *t->label);
}

static bool add_feats(biaffine *b, biaffine_text *t, dodona_text feats, bool grow)
{
    const char *end = feats.data + feats.size;
    if (feats.size == 1 && *feats.data == '_')
        return true;
    for (const char *p = feats.data; p < end;) {
        const char *bar = memchr(p, '|', (size_t)(end - p));
        uint32_t id;
        bar = bar ? bar : end;
        if (!add_name(&b->feats, (dodona_text){ p, (size_t)(bar - p) }, grow, &id) ||
            !ddn_reserve(&t->feats, &t->feats_cap, t->feats_count + 1, sizeof *t->feats))
            return false;
        t->feats[t->feats_count++] = id == DDN_INTERN_NONE ? 0 : id + 1;
        p = bar + 1;
    }
    return true;
}

static bool add_word(biaffine *b, biaffine_text *t, const ddn_sentence *s, int32_t i, bool grow)
{
    const dodona_text nothing = { "", 0 };
    dodona_text form = i ? ddn_sentence_column(s, i, DDN_FORM) : nothing;
    uint32_t word = 0, upos = 0, label = 0;
    size_t at = t->words;
    if (!reserve_word(t) || !find_type(b, form, grow, &t->type[at]))
        return false;
    t->head[at] = i ? s->head[i] : -1;
    t->feats_begin[0] = 0;
    if (i && (!add_name(&b->words, form, grow, &word) ||
              !add_name(&b->upos, ddn_sentence_column(s, i, DDN_UPOS), grow, &upos) ||
              !add_name(&b->labels, ddn_sentence_column(s, i, DDN_DEPREL), grow, &label) ||
              !add_feats(b, t, ddn_sentence_column(s, i, DDN_FEATS), grow)))
        return false;
    t->word[at] = i ? row(word) : ROOT;
    t->upos[at] = i ? row(upos) : ROOT;
    t->label[at] = label;
    t->feats_begin[at + 1] = (uint32_t)t->feats_count;
    if (!grow && t->word[at] >= FIRST_KNOWN && b->count[word] < SEEN)
        t->word[at] = UNKNOWN;
    t->words++;
    return true;
}

static bool add_sentences(biaffine *b, biaffine_text *t, const ddn_sentence *const *s, size_t count,
                          bool grow)
{
    memset(t, 0, sizeof *t);
    if (!ddn_reserve(&t->start, &t->start_cap, count + 1, sizeof *t->start))
        return false;
    for (size_t k = 0; k < count; k++) {
        if (s[k]->n == 0)
            continue;
        t->start[t->sentences++] = (uint32_t)t->words;
        for (int32_t i = 0; i <= s[k]->n; i++)
            if (!add_word(b, t, s[k], i, grow))
                return false;
    }
    t->start[t->sentences] = (uint32_t)t->words;
    return true;
}

static void text_fini(biaffine_text *t)
{
    free(t->start), free(t->word), free(t->upos), free(t->type);
    free(t->feats_begin), free(t->feats), free(t->head), free(t->label);
}

/* Counts the words of the training text; rare ones become unknown. */
static bool forget_rare(biaffine *b)
{
    biaffine_text *t = &b->train;
    b->count = calloc(b->words.count + 1u, sizeof *b->count);
    if (!b->count)
        return false;
    for (size_t i = 0; i < t->words; i++)
        if (t->word[i] >= FIRST_KNOWN)
            b->count[t->word[i] - FIRST_KNOWN]++;
    for (size_t i = 0; i < t->words; i++)
        if (t->word[i] >= FIRST_KNOWN && b->count[t->word[i] - FIRST_KNOWN] < SEEN)
            t->word[i] = UNKNOWN;
    return true;
}

/* ---- The network ---- */

static bool make_network(biaffine *b)
{
    const biaffine_options *o = &b->options;
    ddn_encoder_shape shape = { .words = b->words.count + FIRST_KNOWN,
                                .word_width = 64,
                                .upos = b->upos.count + FIRST_KNOWN,
                                .upos_width = 32,
                                .feats = b->feats.count + 1,
                                .feats_width = 32,
                                .chars = b->characters.count + FIRST_KNOWN,
                                .char_width = 48,
                                .char_hidden = 64,
                                .hidden = o->hidden,
                                .layers = o->layers };
    ddn_params_init(&b->params);
    ddn_encoder_init(&b->encoder, &shape, &b->params);
    b->arcs = ddn_arcs_head_add(&b->params, "arcs", b->encoder.out, 128);
    b->label = ddn_labels_head_add(&b->params, "labels", b->encoder.out, 64, b->labels.count);
    b->value = ddn_params_block(&b->params);
    for (int i = 0; i < BIAFFINE_PARTS; i++)
        b->gradient[i] = ddn_params_block(&b->params);
    if (!b->value || !b->gradient[0] || !b->gradient[BIAFFINE_PARTS - 1])
        return false;
    ddn_params_begin(&b->params, o->seed, b->value);
    ddn_encoder_begin(&b->encoder, &b->params, b->value);
    return true;
}

static uint64_t batches(const biaffine *b)
{
    return (b->train.words + b->options.batch - 1) / b->options.batch;
}

int biaffine_init(biaffine *b, const biaffine_options *o, const ddn_sentence *const *s,
                  size_t count, dodona_error *err)
{
    memset(b, 0, sizeof *b);
    b->options = *o;
    b->kernels = ddn_kernels_best();
    if (!ddn_reserve(&b->type_begin, &b->type_begin_cap, 1, sizeof *b->type_begin))
        return ddn_fail_memory(err);
    b->type_begin[0] = 0;
    if (!add_sentences(b, &b->train, s, count, true) || !forget_rare(b) || !make_network(b))
        return ddn_fail_memory(err);
    ddn_optimiser_options steps = ddn_optimiser_defaults(batches(b) * o->epochs);
    steps.averaging = o->averaging;
    return ddn_optimiser_init(&b->optimiser, &steps, &b->params, err);
}

void biaffine_fini(biaffine *b)
{
    ddn_intern *names[] = { &b->words, &b->upos, &b->feats, &b->characters, &b->labels, &b->types };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ddn_intern_fini(names[i]);
    free(b->count), free(b->type_begin), free(b->type_chars), free(b->value);
    for (int i = 0; i < BIAFFINE_PARTS; i++)
        free(b->gradient[i]);
    text_fini(&b->train);
    ddn_optimiser_fini(&b->optimiser);
    ddn_packed_fini(&b->packed);
    ddn_params_fini(&b->params);
}

/* ---- A part of a batch ---- */

typedef struct part {
    const biaffine *b;
    const biaffine_text *text;
    const uint32_t *sentence; /* [sentences] of the text */
    size_t sentences;
    ddn_net net;
    ddn_learning learning;
    double share; /* of a word in the loss */
    double loss;  /* the sum over words */
    bool failed;
    ddn_tape tape;
    ddn_encoder_batch batch;
    ddn_encoder_pass encoded;
    uint32_t *from; /* [words] the position in the text */
} part;

static uint32_t *numbers(part *p, size_t n)
{
    uint32_t *u = (uint32_t *)ddn_tape_take(&p->tape, n + 1);
    p->failed |= !u;
    return u;
}

static void copy_words(part *p, uint32_t *word, uint32_t *upos, uint32_t *feats_begin,
                       uint32_t *feats)
{
    const biaffine_text *t = p->text;
    uint32_t count = 0;
    for (size_t i = 0; i < p->batch.sentences.words; i++) {
        uint32_t at = p->from[i];
        word[i] = t->word[at];
        upos[i] = t->upos[at];
        feats_begin[i] = count;
        for (uint32_t k = t->feats_begin[at]; k < t->feats_begin[at + 1]; k++)
            feats[count++] = t->feats[k];
    }
    feats_begin[p->batch.sentences.words] = count;
}

/* The types of the words, each once, in the order in which they come. */
static void copy_types(part *p, uint32_t *type, uint32_t *local, uint32_t *length, uint32_t *chars)
{
    const biaffine *b = p->b;
    ddn_sequences *types = &p->batch.types;
    memset(local, 0, b->types.count * sizeof *local);
    for (size_t i = 0; i < p->batch.sentences.words; i++) {
        uint32_t id = p->text->type[p->from[i]], begin = b->type_begin[id];
        if (!local[id]) {
            length[types->count++] = b->type_begin[id + 1] - begin;
            memcpy(chars + types->words, b->type_chars + begin,
                   (b->type_begin[id + 1] - begin) * sizeof *chars);
            types->words += b->type_begin[id + 1] - begin;
            local[id] = (uint32_t)types->count;
        }
        type[i] = local[id] - 1;
    }
}

static bool make_batch(part *p)
{
    const biaffine_text *t = p->text;
    size_t words = 0, feats = 0;
    uint32_t *length = numbers(p, p->sentences);
    for (size_t k = 0; length && k < p->sentences; k++) {
        const uint32_t *start = t->start + p->sentence[k];
        length[k] = start[1] - start[0];
        words += length[k];
        feats += t->feats_begin[start[1]] - t->feats_begin[start[0]];
    }
    uint32_t *word = numbers(p, words), *upos = numbers(p, words), *type = numbers(p, words);
    uint32_t *begin = numbers(p, words), *feat = numbers(p, feats), *types = numbers(p, words);
    uint32_t *chars = numbers(p, words * 2 * BIAFFINE_EDGE), *local = numbers(p, p->b->types.count);
    p->from = numbers(p, words);
    if (p->failed)
        return false;
    for (size_t k = 0, i = 0; k < p->sentences; k++)
        for (uint32_t at = t->start[p->sentence[k]]; at < t->start[p->sentence[k] + 1]; at++)
            p->from[i++] = at;
    p->batch = (ddn_encoder_batch){ .sentences = { p->sentences, words, length },
                                    .word = word,
                                    .upos = upos,
                                    .feats = { feat, begin },
                                    .type = type,
                                    .types = { .length = types },
                                    .characters = chars };
    copy_words(p, word, upos, begin, feat);
    copy_types(p, type, local, types, chars);
    return true;
}

/* Fills d with the adjoints of scores of arcs. */
static void arc_losses(part *p, const float *score, float *d)
{
    const ddn_sequences *s = &p->batch.sentences;
    for (size_t k = 0, start = 0; k < s->count; start += s->length[k++]) {
        size_t n = s->length[k];
        for (size_t m = 0; m < n; m++, score += n, d += n) {
            int32_t gold = p->text->head[p->from[start + m]];
            if (gold < 0)
                memset(d, 0, n * sizeof *d);
            else
                p->loss += ddn_cross_entropy(p->net.kernels, score, n, (size_t)gold, d);
            for (size_t h = 0; h < n; h++)
                d[h] *= (float)p->share;
        }
    }
}

static bool learn_arcs(part *p, float *dx)
{
    const biaffine *b = p->b;
    const ddn_sequences *s = &p->batch.sentences;
    ddn_arcs_pass arcs;
    float *d;
    if (!ddn_arcs_forward(&p->net, &b->arcs, s, p->encoded.out, &p->learning, &p->tape, &arcs) ||
        !(d = ddn_tape_take(&p->tape, arcs.scores)))
        return false;
    arc_losses(p, arcs.score, d);
    return ddn_arcs_backward(&p->net, &b->arcs, s, p->encoded.out, &arcs, d, &p->tape, dx);
}

static bool learn_labels(part *p, float *dx)
{
    const biaffine *b = p->b;
    const ddn_sequences *s = &p->batch.sentences;
    size_t labels = b->label.labels;
    float *score = ddn_tape_take(&p->tape, labels), *d = ddn_tape_take(&p->tape, labels);
    ddn_labels_words words;
    if (!score || !d ||
        !ddn_labels_words_forward(&p->net, &b->label, p->encoded.out, s->words, &p->learning,
                                  &p->tape, &words))
        return false;
    for (size_t k = 0, start = 0; k < s->count; start += s->length[k++])
        for (size_t m = 1; m < s->length[k]; m++) {
            uint32_t modifier = (uint32_t)(start + m), at = p->from[modifier];
            uint32_t head = (uint32_t)start + (uint32_t)p->text->head[at];
            ddn_labels_forward(&p->net, &b->label, &words, modifier, head, score);
            p->loss += ddn_cross_entropy(p->net.kernels, score, labels, p->text->label[at], d);
            for (size_t l = 0; l < labels; l++)
                d[l] *= (float)p->share;
            ddn_labels_backward(&b->label, &words, modifier, head, d);
        }
    return ddn_labels_words_backward(&p->net, &b->label, p->encoded.out, s->words, &words, &p->tape,
                                     dx);
}

static void *learn(void *ctx)
{
    part *p = ctx;
    float *dx = NULL;
    p->failed = !make_batch(p) ||
                !ddn_encoder_forward(&p->net, &p->b->encoder, &p->batch, &p->learning, &p->tape,
                                     &p->encoded) ||
                !(dx = ddn_tape_zeros(&p->tape, p->batch.sentences.words * p->b->encoder.out)) ||
                !learn_arcs(p, dx) || !learn_labels(p, dx) ||
                !ddn_encoder_backward(&p->net, &p->b->encoder, &p->encoded, dx, &p->tape);
    return NULL;
}

/* ---- Training ---- */

/* A step over some sentences; the number of their words counts the loss. */
static int step(biaffine *b, part *parts, const uint32_t *sentence, size_t sentences, double words,
                double *loss, dodona_error *err)
{
    const biaffine_options *o = &b->options;
    pthread_t thread[BIAFFINE_PARTS];
    bool started[BIAFFINE_PARTS];
    size_t done = 0;
    for (int i = 0; i < BIAFFINE_PARTS; i++) {
        part *p = &parts[i];
        size_t until = sentences * (size_t)(i + 1) / BIAFFINE_PARTS;
        memset(b->gradient[i], 0, b->params.size * sizeof(float));
        ddn_tape_clear(&p->tape);
        *p = (part){ .b = b,
                     .text = &b->train,
                     .sentence = sentence + done,
                     .sentences = until - done,
                     .net = { &b->params, b->kernels, b->value, NULL, b->gradient[i] },
                     .learning = { .rate = o->dropout, .word_rate = 0.2f },
                     .share = 1 / words,
                     .tape = p->tape };
        ddn_rng_init(&p->learning.rng, o->seed * 1000003 + b->steps * BIAFFINE_PARTS + (uint64_t)i);
        done = until;
        started[i] = o->threads > 1 && pthread_create(&thread[i], NULL, learn, p) == 0;
        if (!started[i])
            learn(p);
    }
    bool failed = false;
    for (int i = 0; i < BIAFFINE_PARTS; i++) {
        if (started[i])
            pthread_join(thread[i], NULL);
        failed |= parts[i].failed;
        *loss += parts[i].loss;
    }
    if (failed)
        return ddn_fail_memory(err);
    ddn_gradient_sum(b->gradient[0], b->gradient, BIAFFINE_PARTS, b->params.size);
    b->steps++;
    if (!isfinite(ddn_optimiser_step(&b->optimiser, b->value, b->gradient[0])))
        return ddn_fail(err, DODONA_E_LIMIT, "the gradient is not finite");
    return DODONA_OK;
}

int biaffine_epoch(biaffine *b, uint64_t epoch, double *loss, dodona_error *err)
{
    const biaffine_text *t = &b->train;
    part parts[BIAFFINE_PARTS] = { { 0 } };
    uint32_t *order = malloc((t->sentences + 1) * sizeof *order);
    ddn_rng rng;
    int code = order ? DODONA_OK : ddn_fail_memory(err);
    for (size_t i = 0; order && i < t->sentences; i++)
        order[i] = (uint32_t)i;
    ddn_rng_init(&rng, b->options.seed * 7919 + epoch);
    if (order)
        ddn_rng_shuffle(&rng, order, t->sentences);
    *loss = 0;
    for (size_t from = 0, to = 0; code == DODONA_OK && from < t->sentences; from = to) {
        size_t words = 0;
        while (to < t->sentences && words < b->options.batch) {
            words += t->start[order[to] + 1] - t->start[order[to]] - 1;
            to++;
        }
        code = step(b, parts, order + from, to - from, (double)words, loss, err);
    }
    *loss /= (double)(t->words - t->sentences);
    for (int i = 0; i < BIAFFINE_PARTS; i++)
        ddn_tape_fini(&parts[i].tape);
    free(order);
    return code;
}

int biaffine_finish(biaffine *b, dodona_error *err)
{
    if (b->optimiser.average)
        memcpy(b->value, b->optimiser.average, b->params.size * sizeof *b->value);
    return ddn_packed_init(&b->packed, &b->params, b->value, err);
}

/* ---- Parsing ---- */

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int decode(ddn_decoding *d, const float *score, size_t n, int32_t *head, dodona_error *err)
{
    ddn_decoder mst;
    double *w = malloc(n * n * sizeof *w);
    if (!w)
        return ddn_fail_memory(err);
    for (size_t h = 0; h < n; h++)
        for (size_t m = 0; m < n; m++)
            w[h * n + m] = score[m * n + h];
    ddn_decode_input in = { .n = (int32_t)n - 1, .one_root = true, .w = w };
    int code = ddn_decoder_find("mst", &mst, err);
    if (code == DODONA_OK)
        code = ddn_decode_best(d, &mst, &in, head, NULL, err);
    free(w);
    return code < 0 ? code : DODONA_OK;
}

/* Labels are the same up to a colon. */
static bool same_label(const biaffine *b, uint32_t x, uint32_t y)
{
    if (x == DDN_INTERN_NONE || y == DDN_INTERN_NONE)
        return false;
    dodona_text a = ddn_intern_text(&b->labels, x), c = ddn_intern_text(&b->labels, y);
    return strcspn(a.data, ":") == strcspn(c.data, ":") &&
           memcmp(a.data, c.data, strcspn(a.data, ":")) == 0;
}

static int measure_one(part *p, ddn_decoding *d, biaffine_score *score, dodona_error *err)
{
    const biaffine *b = p->b;
    ddn_arcs_pass arcs;
    ddn_labels_words words;
    double begin = seconds();
    if (!make_batch(p) ||
        !ddn_encoder_forward(&p->net, &b->encoder, &p->batch, NULL, &p->tape, &p->encoded) ||
        !ddn_arcs_forward(&p->net, &b->arcs, &p->batch.sentences, p->encoded.out, NULL, &p->tape,
                          &arcs))
        return ddn_fail_memory(err);
    score->seconds += seconds() - begin;
    size_t n = p->batch.sentences.words;
    int32_t *tree = (int32_t *)numbers(p, n);
    float *of = ddn_tape_take(&p->tape, n * b->label.labels);
    if (p->failed || !of)
        return ddn_fail_memory(err);
    int code = decode(d, arcs.score, n, tree, err);
    if (code < 0)
        return code;
    begin = seconds();
    if (!ddn_labels_words_forward(&p->net, &b->label, p->encoded.out, n, NULL, &p->tape, &words))
        return ddn_fail_memory(err);
    for (uint32_t m = 1; m < n; m++)
        ddn_labels_forward(&p->net, &b->label, &words, m, (uint32_t)tree[m],
                           of + m * b->label.labels);
    score->seconds += seconds() - begin;
    for (size_t m = 1; m < n; m++) {
        of += b->label.labels;
        uint32_t best = 0, at = p->from[m];
        for (uint32_t l = 1; l < b->label.labels; l++)
            best = of[l] > of[best] ? l : best;
        bool right = tree[m] == p->text->head[at];
        score->words++;
        score->heads += right;
        score->labelled += right && same_label(b, best, p->text->label[at]);
    }
    return DODONA_OK;
}

int biaffine_measure(biaffine *b, const ddn_sentence *const *s, size_t count, bool int8,
                     biaffine_score *score, dodona_error *err)
{
    biaffine_text text;
    ddn_decoding d;
    part p = { 0 };
    int code = add_sentences(b, &text, s, count, false) ? DODONA_OK : ddn_fail_memory(err);
    memset(score, 0, sizeof *score);
    ddn_decoding_init(&d, DDN_DECODE_MEMORY);
    for (uint32_t k = 0; code == DODONA_OK && k < text.sentences; k++) {
        ddn_tape_clear(&p.tape);
        p = (part){ .b = b,
                    .text = &text,
                    .sentence = &k,
                    .sentences = 1,
                    .net = { &b->params, b->kernels, b->value, int8 ? &b->packed : NULL, NULL },
                    .tape = p.tape };
        code = measure_one(&p, &d, score, err);
    }
    ddn_decoding_fini(&d);
    ddn_tape_fini(&p.tape);
    text_fini(&text);
    return code;
}
