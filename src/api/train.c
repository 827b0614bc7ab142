/* SPDX-License-Identifier: MIT */
/* train.c - the public interface to training: finds tables by name, and reads treebanks. */
#include "train/jackknife.h"
#include "train/mismatch.h"
#include "train/pipeline.h"
#include "train/variants.h"

#include "api/api.h"
#include "api/options.h"
#include "chart/decode.h"
#include "core/input.h"
#include "core/names.h"
#include "core/words.h"
#include "model/builtin.h"
#include "search/search.h"

#include <stdio.h>
#include <stdlib.h>

/* A whole file into memory, as a string. */
static int read_file(const char *path, ddn_output *into, dodona_error *err)
{
    enum { MOST = 1 << 20 };
    ddn_input *in;
    int status = ddn_input_open(&in, path, err);
    if (status < 0)
        return status;
    ptrdiff_t got = 1;
    while (got > 0 && into->size < MOST) {
        char *room = ddn_output_room(into, 4096);
        if (!room) {
            ddn_input_close(in);
            return ddn_fail_memory(err);
        }
        got = ddn_input_read(in, room, 4096, err);
        ddn_output_took(into, got > 0 ? (size_t)got : 0);
    }
    ddn_input_close(in);
    if (got > 0)
        return ddn_fail_at(err, DODONA_E_LIMIT, path, 0, "a file of templates has at most %d bytes",
                           MOST);
    return (int)got;
}

/* The parts that are trained. */
static int steps_of(const dodona_train_options *o)
{
    const int all = DODONA_STEP_TOKENIZE | DODONA_STEP_TAG | DODONA_STEP_PARSE;
    return o->steps ? o->steps : o->pipeline ? all : DODONA_STEP_PARSE;
}

/* into: the model that the others come from; NULL: none. */
static int folds_of(const dodona_train_options *o, const dodona_model *into)
{
    enum { USUAL = 5 };
    bool tags = steps_of(o) & DODONA_STEP_TAG || (into && into->has_tagger);
    return o->jackknife ? o->jackknife : tags && steps_of(o) & DODONA_STEP_PARSE ? USUAL : 1;
}

static int check_steps(const dodona_train_options *o, dodona_error *err)
{
    if (o->pipeline && o->steps)
        return ddn_fail(err, DODONA_E_ARGUMENT,
                        "a pipeline is trained with all steps; name either the pipeline or steps");
    if (o->jackknife && !(steps_of(o) & DODONA_STEP_PARSE))
        return ddn_fail(err, DODONA_E_ARGUMENT,
                        "jackknifing makes the tags that a parser learns from, and no parser is "
                        "trained");
    return DODONA_OK;
}

/* Not move by move along the moves of an oracle. */
static bool learns_derivations(const ddn_train_options *t)
{
    const ddn_search *search = ddn_search_find(t->search);
    return search->exact || (search->derivations && !t->learner->local);
}

/* The set of the system for this search; tagged: with tags that a tagger gave. */
static const char *usual_templates(const ddn_train_options *t, bool tagged)
{
    const ddn_system *system = t->system;
    if (ddn_search_find(t->search)->exact)
        return system->templates_exact ? system->templates_exact : "arcs";
    if (tagged && !learns_derivations(t) && system->templates_predicted)
        return system->templates_predicted;
    return system->templates ? system->templates : system->name;
}

/* Neither a set nor a file that can be read. */
static int refuse_templates(const char *name, dodona_error *err)
{
    ddn_names names = { .guess.wanted = name };
    for (int i = 0; ddn_builtin_templates[i].name; i++)
        ddn_names_add(&names, ddn_builtin_templates[i].name);
    return ddn_fail_unknown(err, "file or set of templates", &names);
}

/* The templates of a name or a file; the text is borrowed from file or built in. */
static int find_templates(const char *name, const char *usual, ddn_output *file,
                          ddn_train_options *t, dodona_error *err)
{
    const char *text = ddn_builtin_find(name ? name : usual);
    t->templates_name = name ? name : usual;
    if (text) {
        t->templates = text;
        t->templates_size = strlen(text);
        return DODONA_OK;
    }
    if (!name)
        return ddn_fail(err, DODONA_E_ARGUMENT, "there are no templates for %s; give a file",
                        t->system->name);
    int status = read_file(name, file, err);
    if (status == DODONA_E_IO && !strpbrk(name, "./"))
        return refuse_templates(name, err);
    t->templates = file->data;
    t->templates_size = file->size;
    return status;
}

/* The first oracle for the system that never gives up; any_tree: of those that take every tree.
 * NULL: there is none. */
static const ddn_oracle *find_sure(const ddn_system *system, bool any_tree)
{
    for (int i = 0; ddn_oracles[i]; i++) {
        const ddn_oracle *o = ddn_oracles[i];
        if (!o->reference && !o->gives_up && (o->any_tree || !any_tree) && o->serves(system))
            return o;
    }
    return NULL;
}

/* Where the oracle may give up, or sentences be too long for it, another one takes its place on the
 * gold path. */
static int find_path_oracle(ddn_train_options *t, dodona_error *err)
{
    if (!t->oracle->gives_up && !t->oracle->rereads)
        return DODONA_OK;
    t->path_oracle = find_sure(t->system, false);
    if (t->path_oracle)
        return DODONA_OK;
    return ddn_fail(err, DODONA_E_ARGUMENT,
                    "the oracle '%s' may give up, and %s has no other to take its place",
                    t->oracle->name, t->system->name);
}

/* The regime and its oracle.  Exploring and the second of two passes leave the gold path. */
static int find_oracle(const dodona_train_options *o, ddn_train_options *t, dodona_error *err)
{
    if (learns_derivations(t)) {
        t->regime = DDN_TRAIN_STATIC;
    } else if (!o->oracle) {
        t->regime = o->two_pass ? DDN_TRAIN_NONDET : DDN_TRAIN_EXPLORE;
        if (ddn_oracle_find(t->system, o->algorithm, true, &t->oracle, NULL) >= 0)
            return DODONA_OK;
        t->regime = DDN_TRAIN_NONDET;
    } else {
        t->regime = (ddn_regime)ddn_words_find(DDN_REGIMES, o->oracle);
    }
    if (o->two_pass && t->regime == DDN_TRAIN_EXPLORE)
        return ddn_fail(err, DODONA_E_ARGUMENT,
                        "exploring and two passes are two ways to learn from the model's own "
                        "moves; choose one");
    bool everywhere = o->two_pass || t->regime == DDN_TRAIN_EXPLORE;
    return ddn_oracle_find(t->system, o->algorithm, everywhere, &t->oracle, err);
}

/* The decoder of exact search, and the trees that it chooses from. */
static int find_decoder(const dodona_train_options *o, ddn_train_options *t, dodona_error *err)
{
    ddn_decoder decoder;
    t->decoder = o->decoder;
    if (!o->decoder)
        return DODONA_OK;
    if (!t->exact_limit)
        return ddn_fail(err, DODONA_E_ARGUMENT,
                        "a decoder needs exact search, and this is %s search", o->search);
    int status = ddn_decoder_find(o->decoder, &decoder, err);
    if (status < 0)
        return status;
    if (strlen(o->decoder) >= DDN_MAX_DECODER_NAME)
        return ddn_fail(err, DODONA_E_ARGUMENT,
                        "the decoder '%.20s...' names reduce transitions more than once",
                        o->decoder);
    t->reach = ddn_decoder_reach(&decoder);
    return DODONA_OK;
}

/* The search, and what training with it needs. */
static int find_search(const dodona_train_options *o, ddn_train_options *t, dodona_error *err)
{
    const ddn_search *search = ddn_search_find(o->search);
    t->search = search->name;
    t->beam = o->beam;
    t->exact_limit = search->exact ? ddn_exact_limit(t->system, o->decoder, true) : 0;
    t->update = (ddn_update)ddn_words_find(DDN_UPDATES, o->update);
    t->reach = ddn_system_reach(t->system);
    int status = find_decoder(o, t, err);
    if (status < 0)
        return status;
    if (!learns_derivations(t))
        return DODONA_OK;
    if (o->two_pass || (o->oracle && strcmp(o->oracle, "static") != 0))
        return ddn_fail(err, DODONA_E_ARGUMENT,
                        "with %s search, one derivation of every tree is learnt: the oracle is "
                        "static, and there is one pass",
                        o->search);
    if (strcmp(o->nonprojective, "direct") == 0 && t->reach.projective)
        return ddn_fail(err, DODONA_E_ARGUMENT,
                        "with %s search, a derivation must lead to the tree that is learnt; take "
                        "projectivize, pseudo or skip instead of direct",
                        o->search);
    return DODONA_OK;
}

static int refuse_direct(const ddn_system *system, dodona_error *err)
{
    ddn_names names = { 0 };
    for (int i = 0; ddn_systems[i]; i++)
        if (ddn_system_is_partial(ddn_systems[i]) && find_sure(ddn_systems[i], true))
            ddn_names_add(&names, ddn_systems[i]->name);
    return ddn_fail(err, DODONA_E_ARGUMENT,
                    "%s has no oracle for trees that it can't reach; take projectivize, pseudo or "
                    "skip instead of direct, or a system that has one: %s",
                    system->name, ddn_names_text(&names));
}

/* What to do with trees out of reach and, to learn them as they are move by move, the oracle for
 * them.  As wholes, the nearest trees are learnt that can be reached. */
static int find_nonprojective(const dodona_train_options *o, ddn_train_options *t,
                              dodona_error *err)
{
    t->nonprojective = (ddn_nonprojective)ddn_words_find(DDN_NONPROJECTIVE, o->nonprojective);
    t->pseudo = DDN_PSEUDO_HEAD_PATH;
    if (t->nonprojective != DDN_NONPROJECTIVE_DIRECT || !ddn_reach_is_partial(t->reach) ||
        learns_derivations(t))
        return DODONA_OK;
    t->crossing_oracle = find_sure(t->system, true);
    return t->crossing_oracle ? DODONA_OK : refuse_direct(t->system, err);
}

static int options(const dodona_train_options *o, const dodona_model *into, ddn_output *file,
                   ddn_train_options *t, dodona_error *err)
{
    if (o->average > 1 && o->two_pass)
        return ddn_fail(err, DODONA_E_ARGUMENT, "an average is over runs with one pass, not two");
    int status = ddn_system_get(o->system, &t->system, err);
    if (status < 0)
        return status;
    status = ddn_scorer_get(o->learner, &t->learner, err);
    if (status < 0)
        return status;
    if (o->average > 1 && !t->learner->restart)
        return ddn_fail(err, DODONA_E_ARGUMENT, "models of the learner '%s' can't be averaged",
                        o->learner);
    if (o->embeddings && !t->learner->vectors)
        return ddn_fail(err, DODONA_E_ARGUMENT,
                        "the learner '%s' has no vectors of words; embeddings are for networks",
                        o->learner);
    t->embeddings = o->embeddings;
    t->roots = o->roots_many ? DDN_ROOTS_MANY : DDN_ROOTS_ONE;
    t->iterations = o->iterations;
    t->threads = o->threads;
    t->average = o->average;
    t->explore_after = o->explore_after;
    t->explore_rate = o->explore_rate;
    t->seed = o->seed;
    t->model_bytes = (uint64_t)(o->model_mb * 1e6);
    t->keep_last = o->keep_last;
    t->notes = o->notes;
    t->report = o->report;
    t->report_ctx = o->report_ctx;
    t->two_pass = o->two_pass;
    status = find_search(o, t, err);
    if (status >= 0)
        status = ddn_search_takes(ddn_search_find(t->search), t->learner, err);
    if (status >= 0)
        status = find_oracle(o, t, err);
    if (status >= 0)
        status = find_path_oracle(t, err);
    if (status >= 0)
        status = find_nonprojective(o, t, err);
    if (status < 0 || !t->learner->templates)
        return status;
    return find_templates(o->templates, usual_templates(t, folds_of(o, into) > 1), file, t, err);
}

/* A source of the caller; sentences move from its sentence into the treebank's. */
typedef struct moved {
    const dodona_source *from;
    dodona_sentence *s;
} moved;

static int next(void *ctx, ddn_sentence *s, dodona_error *err)
{
    moved *m = ctx;
    int status = m->from->pull(m->from->ctx, m->s, err);
    ddn_sentence emptied = *s;
    if (status > 0) {
        *s = m->s->s;
        m->s->s = emptied;
    }
    return status;
}

static int read_treebank(const dodona_source *from, ddn_treebank *into, dodona_error *err)
{
    moved m = { from, dodona_sentence_new() };
    if (!m.s)
        return ddn_fail_memory(err);
    int status = ddn_treebank_read(into, next, &m, err);
    dodona_sentence_free(m.s);
    return status;
}

/* Fails before training, not after it, if the model can't be written. */
static int check_writable(const char *path, dodona_error *err)
{
    ddn_output probe;
    int status = ddn_output_open(&probe, path, err);
    if (status >= 0)
        ddn_output_abandon(&probe);
    return status;
}

/* By default there are no more folds than sentences. */
static int folds_for(const dodona_train_options *o, const dodona_model *into, size_t sentences)
{
    int folds = folds_of(o, into);
    return !o->jackknife && (size_t)folds > sentences ? (int)sentences : folds;
}

/* The parser alone, or with what comes before it; checkpoints stand beside the model. */
static int train_banks(const dodona_train_options *o, const dodona_model *into,
                       ddn_train_options *t, const ddn_treebank *train_bank,
                       const ddn_treebank *dev_bank, const char *path, ddn_train_result *found,
                       dodona_error *err)
{
    int folds = folds_for(o, into, train_bank->count), steps = steps_of(o);
    if (!t->iterations)
        t->iterations = t->learner->iterations
                            ? t->learner->iterations(train_bank->count, (size_t)train_bank->words)
                            : DDN_ITERATIONS;
    size_t size = strlen(path) + sizeof ".checkpoint";
    char *checkpoint = malloc(size), *stage = malloc(size);
    int status = checkpoint && stage ? DODONA_OK : ddn_fail_memory(err);
    if (status >= 0) {
        snprintf(checkpoint, size, "%s.checkpoint", path);
        snprintf(stage, size, "%s.parts", path);
        t->checkpoint = checkpoint;
    }
    ddn_pipeline_options p = { .steps = steps,
                               .into = into ? &into->file : NULL,
                               .folds = folds > 1 ? folds : 0,
                               .stage = stage };
    if (status >= 0 && (steps != DODONA_STEP_PARSE || into || p.folds))
        status = ddn_train_pipeline(t, &p, train_bank, dev_bank, path, found, err);
    else if (status >= 0)
        status = ddn_train(t, train_bank, dev_bank, path, found, err);
    free(checkpoint);
    free(stage);
    return status;
}

/* Reads the treebanks and trains. */
static int read_and_train(const dodona_train_options *o, const dodona_model *into,
                          ddn_train_options *t, const dodona_source *train_from,
                          const dodona_source *dev_from, const char *path, ddn_train_result *found,
                          dodona_error *err)
{
    ddn_treebank train_bank, dev_bank;
    ddn_treebank_init(&train_bank);
    ddn_treebank_init(&dev_bank);
    int status = read_treebank(train_from, &train_bank, err);
    if (status >= 0 && o->variants)
        status = ddn_treebank_vary(&train_bank, o->variants, o->seed, err);
    if (status >= 0 && !train_bank.count)
        status = ddn_fail_at(err, DODONA_E_INPUT, train_from->name, 0,
                             "there are no sentences to learn from");
    if (status >= 0 && dev_from)
        status = read_treebank(dev_from, &dev_bank, err);
    if (status >= 0 && dev_bank.count)
        status = ddn_warn_mismatch(&train_bank, &dev_bank, t->report, t->report_ctx, err);
    if (status >= 0)
        status = train_banks(o, into, t, &train_bank, &dev_bank, path, found, err);
    ddn_treebank_fini(&train_bank);
    ddn_treebank_fini(&dev_bank);
    return status;
}

static int train(const dodona_train_options *o, const dodona_source *train_from,
                 const dodona_source *dev_from, const char *path, dodona_train_result *result,
                 dodona_error *err)
{
    ddn_output file;
    ddn_train_options t = { 0 };
    ddn_train_result found = { 0 };
    dodona_model *into = NULL;
    ddn_output_memory(&file);
    int status = check_steps(o, err);
    if (status >= 0 && o->into)
        status = dodona_model_open(o->into, &into, err);
    if (status >= 0)
        status = options(o, into, &file, &t, err);
    if (status >= 0)
        status = check_writable(path, err);
    if (status >= 0)
        status = read_and_train(o, into, &t, train_from, dev_from, path, &found, err);
    if (status >= 0)
        *result = (dodona_train_result){ .crossing = found.crossing,
                                         .skipped = found.skipped,
                                         .too_long = found.too_long,
                                         .given_up = found.given_up,
                                         .tied = found.tied,
                                         .left_out = found.left_out,
                                         .diverged = found.diverged,
                                         .resumed = found.resumed,
                                         .best = found.best,
                                         .uas = found.uas,
                                         .las = found.las };
    dodona_model_free(into);
    ddn_output_abandon(&file);
    return status;
}

int dodona_train(const dodona_train_options *o, const dodona_source *train_from,
                 const dodona_source *dev_from, const char *model_path, dodona_train_result *result,
                 dodona_error *err)
{
    dodona_train_options all;
    dodona_train_result unused;
    int status = ddn_train_options_take(&all, o, err);
    if (status < 0)
        return status;
    if (!model_path)
        return ddn_fail_null(err, "path of the model");
    if (ddn_check_source(train_from, err) < 0 || (dev_from && ddn_check_source(dev_from, err) < 0))
        return DODONA_E_ARGUMENT;
    if (!all.search)
        all.search = all.decoder ? ddn_search_exact.name : ddn_search_greedy.name;
    return train(&all, train_from, dev_from, model_path, result ? result : &unused, err);
}
