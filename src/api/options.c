/* SPDX-License-Identifier: MIT */
/* options.c - what the options of training, parsing and scoring are, each declared once.
 *
 * Defaults, checks, the options of the command, its --help, the manual and the completions follow
 * from these tables, in their order.  An entry begins with the field, which must have the type that
 * its macro names.  The default is .number or .word; .otherwise says what is meant by one that is
 * not a value to be given. */
#include "api/options.h"

#include "api/api.h"
#include "core/words.h"
#include "search/search.h"
#include "train/jackknife.h"

#include <math.h>

#define FIELD(f, c_type, option_type)                                                              \
    .field = #f, .offset = offsetof(OPTIONS, f),                                                   \
    .type = _Generic(((OPTIONS *)NULL)->f, c_type                                                  \
                     : DODONA_OPTION_##option_type)
#define FLAG(f)     FIELD(f, int, FLAG)
#define INDEX(f)    FIELD(f, int, INDEX)
#define INT(f)      FIELD(f, int, INT)
#define COUNT(f)    FIELD(f, int64_t, COUNT)
#define SEED(f)     FIELD(f, uint64_t, COUNT)
#define REAL(f)     FIELD(f, double, REAL)
#define CHOICE(f)   FIELD(f, const char *, CHOICE)
#define STRING(f)   FIELD(f, const char *, STRING)
#define FILENAME(f) FIELD(f, const char *, FILE)
#define LINES(f)    FIELD(f, const char *, LINES)

/* "|greedy|beam|...": the words of an option from the second character on. */
static const char searches[] =
#define SEARCH(name) "|" #name
#include "search/searches.def"
#undef SEARCH
    ;

#define OPTIONS dodona_train_options
static const dodona_option train_options[] = {
    { STRING(system), .name = "system", .argument = "S", .word = "arc-standard",
      .names = dodona_system_name,
      .help = "the transition system; see --list; also attardi:D, D from 1 to 7" },
    { STRING(learner), .name = "learner", .argument = "L", .word = "perceptron",
      .names = dodona_learner_name, .help = "what scores moves and arcs; see --list" },
    { CHOICE(oracle), .name = "oracle", .argument = DDN_REGIMES,
      .otherwise = "explore; with --two-pass, nondet; with another search than greedy, static",
      .help = "which moves count as right: those of one derivation, all that keep the tree within "
              "reach, or the latter along the parser's own moves" },
    { STRING(algorithm), .name = "algorithm", .argument = "A", .otherwise = "the system's own",
      .names = dodona_algorithm_name, .help = "of the oracle; see --list" },
    { INT(explore_after), .name = "explore-after", .argument = "N", .most = 10000, .number = 1,
      .help = "iterations along the gold moves before exploring" },
    { REAL(explore_rate), .name = "explore-rate", .argument = "P", .most = 1, .number = 0.9,
      .help = "how often the parser's own move is made then" },
    { CHOICE(search), .name = "search", .argument = searches + 1,
      .otherwise = "greedy; with --decoder, exact",
      .help = "greedy: every move is learnt by itself; else whole sequences of moves are learnt as "
              "the search ranks them, and the model is parsed with that search" },
    { STRING(decoder), .name = "decoder", .argument = "D", .otherwise = "the system's own",
      .names = dodona_decoder_name,
      .help = "exact search, where mst, eisner, or the decoder of a system finds the best tree" },
    { INT(beam), .name = "beam", .argument = "B", .least = 1, .most = DODONA_MAX_BEAM, .number = 8,
      .help = "configurations that a beam keeps" },
    { CHOICE(update), .name = "update", .argument = DDN_UPDATES, .word = "max-violation",
      .help = "with --search beam or dp, how much of a sentence is learnt: up to where the right "
              "sequence is lost, or up to where another beats it by most" },
    { CHOICE(nonprojective), .name = "nonprojective", .argument = DDN_NONPROJECTIVE,
      .word = "pseudo",
      .help = "trees that the system can't build: leave them out; learn the nearest projective "
              "tree; lift arcs, mark them in the labels and put them back when parsing; or take "
              "them as they are (arc-standard, the Attardi family)" },
    { FLAG(two_pass), .name = "two-pass",
      .help = "as many iterations again along the moves of the model that the first ones gave; "
              "instead of exploring" },
    { FLAG(pipeline), .name = "pipeline",
      .help = "train all that comes before the parser, too, into the same model: a tokenizer, a "
              "tagger and a lemmatizer" },
    { FILENAME(into), .name = "into", .argument = "M",
      .help = "take all parts that are not trained from this model, which may be OUT itself" },
    { INT(jackknife), .name = "jackknife", .argument = "N", .least = 1, .most = DDN_MAX_FOLDS,
      .otherwise = "5 where the model has a tagger, else 1",
      .help = "cut the treebank into N folds and let the parser learn from the tags that each gets "
              "from a tagger trained on the others; 1: from gold tags" },
    { FILENAME(templates), .name = "templates", .argument = "F",
      .otherwise =
          "the system's; greedy arc-standard with --pipeline or --jackknife: arc-standard-wide",
      .names = dodona_templates_name, .help = "feature templates: a file, or a set of --list" },
    { FILENAME(embeddings), .name = "embeddings", .argument = "F", .otherwise = "none",
      .help = "vectors that the forms of a network begin with: a file of word2vec, text or binary, "
              "or a .vec file of fastText; parsing does not need it" },
    { INDEX(roots_many), .name = "roots", .argument = "one|many",
      .help = "how many words may hang from the root" },
    { INT(variants), .name = "variants", .argument = "P", .most = 100,
      .help = "learn so many percent of the sentences once more in another spelling: without final "
              "punctuation, in capitals, in lower case, without apostrophes or with curly quotes" },
    { REAL(model_mb), .name = "model-size", .argument = "MB", .least = 0.01, .most = 4096,
      .number = 24, .help = "megabytes that the weights may take; the lightest are dropped" },
    { INT(iterations), .name = "iterations", .argument = "N", .least = 1, .most = 10000,
      .otherwise = "15; 10 with feed-forward; with network, more for smaller treebanks",
      .help = "passes over the training data" },
    { INT(average), .name = "average", .argument = "N", .least = 1, .most = 100, .number = 1,
      .help = "train the parser N times, from seeds one apart, and average the weights: a better "
              "model of the same size and speed" },
    { SEED(seed), .name = "seed", .argument = "N", .most = INFINITY, .number = 1,
      .help = "what all randomness is drawn from" },
    { INDEX(keep_last), .name = "keep", .argument = "best|last",
      .help = "the model with the best LAS on dev, or the last one" },
    { LINES(notes), .name = "note", .argument = "'KEY: VALUE'",
      .help = "a line for the model's metadata; may be given several times" },
    { INT(threads), .name = "j", .argument = "N", .least = 1, .most = DODONA_MAX_THREADS,
      .number = 2,
      .help = "threads that a network learns with; the model is the same for any number" },
    { 0 },
};
#undef OPTIONS

#define OPTIONS dodona_parse_options
static const dodona_option parse_options[] = {
    { CHOICE(search), .name = "search", .argument = searches + 1,
      .otherwise = "what the model was trained with",
      .help = "how the best sequence of moves is sought" },
    { STRING(decoder), .name = "decoder", .argument = "D",
      .otherwise = "as in training, or the system's own", .names = dodona_decoder_name,
      .help = "exact search with mst, eisner, or the decoder of a system" },
    { INT(beam), .name = "beam", .argument = "B", .least = 1, .most = DODONA_MAX_BEAM,
      .otherwise = "as in training, or 8", .help = "configurations that a beam keeps" },
    { INT(exact_limit), .name = "exact-limit", .argument = "N", .least = 1, .most = DDN_EXACT_MOST,
      .otherwise = "100, or 40 with systems like all",
      .help = "words; exact search leaves longer sentences to a beam" },
    { INT(kbest), .name = "kbest", .argument = "K", .least = 1, .most = DODONA_MAX_KBEST,
      .otherwise = "none",
      .help = "list the best K trees with their scores: comments in conllu, a list in json; "
              "needs beam or dp search" },
    { FLAG(confidence), .name = "confidence",
      .help = "write into MISC how probable it is that the head is right" },
    { INDEX(roots_many), .name = "roots", .argument = "one|many", .number = -1,
      .otherwise = "as in training", .help = "how many words may hang from the root" },
    { FLAG(keep), .name = "keep",
      .help = "keep heads and relations that the input has, and find the rest" },
    { FLAG(keep_deps), .name = "keep-deps",
      .help = "keep the DEPS column, which becomes _ otherwise" },
    { INDEX(skip_bad), .name = "on-error", .argument = "stop|skip|replace",
      .help = "at a malformed sentence, or one whose given heads contradict each other: stop, or "
              "copy it unparsed and count it; replace: stop, but put U+FFFD for what is no "
              "character, and count it" },
    { INT(threads), .name = "j", .argument = "N", .least = 1, .most = DODONA_MAX_THREADS,
      .number = 1, .help = "threads; the output is the same for any number" },
    { 0 },
};
#undef OPTIONS

#define OPTIONS dodona_eval_options
static const dodona_option eval_options[] = {
    { FLAG(no_punct), .name = "no-punct", .help = "leave out words whose gold UPOS is PUNCT" },
    { FLAG(analysis), .name = "analysis",
      .help = "also by label, by length of the arc, and for projective and non-projective arcs" },
    { FILENAME(trace), .name = "trace", .argument = "F",
      .help = "with --analysis: the moves of SYSTEM, as parse --trace wrote them; counts arcs that "
              "replaced another" },
    { COUNT(trials), .name = "trials", .argument = "N", .least = 1, .most = 1e9, .number = 10000,
      .help = "shuffles of the randomisation test" },
    { SEED(seed), .name = "seed", .argument = "N", .most = INFINITY, .number = 1,
      .help = "what they are drawn from" },
    { 0 },
};
#undef OPTIONS

/* ---- Defaults ---- */

static void set_defaults(const dodona_option *table, void *options)
{
    for (const dodona_option *o = table; o->name; o++) {
        void *field = (char *)options + o->offset;
        switch (o->type) {
        case DODONA_OPTION_FLAG:
        case DODONA_OPTION_INDEX:
        case DODONA_OPTION_INT:
            *(int *)field = (int)o->number;
            break;
        case DODONA_OPTION_COUNT:
            *(int64_t *)field = (int64_t)o->number;
            break;
        case DODONA_OPTION_REAL:
            *(double *)field = o->number;
            break;
        default:
            *(const char **)field = o->word;
        }
    }
}

/* ---- Checks ---- */

static int check_word(const dodona_option *o, const char *word, dodona_error *err)
{
    char words[200];
    if (!word && o->word)
        return ddn_fail(err, DODONA_E_ARGUMENT, "%s is NULL", o->field);
    if (!word || o->type != DODONA_OPTION_CHOICE || ddn_words_find(o->argument, word) >= 0)
        return DODONA_OK;
    return ddn_fail(err, DODONA_E_ARGUMENT, "%s is '%s'; expected %s", o->field, word,
                    ddn_words_list(o->argument, words, sizeof words));
}

static int check_number(const dodona_option *o, double x, dodona_error *err)
{
    char range[80];
    size_t size;
    double least = o->least, most = o->most;
    if (o->type == DODONA_OPTION_INDEX)
        for (most = 0; ddn_words_at(o->argument, (int)most + 1, &size); most++)
            ;
    if ((x >= least && x <= most) || x == o->number)
        return DODONA_OK;
    ddn_range_text(o->type != DODONA_OPTION_REAL, least, most, range, sizeof range);
    return ddn_fail(err, DODONA_E_ARGUMENT, "%s is %.15g; expected %s", o->field, x, range);
}

static int check(const dodona_option *table, const void *options, dodona_error *err)
{
    int status = DODONA_OK;
    for (const dodona_option *o = table; o->name && status >= 0; o++) {
        const void *field = (const char *)options + o->offset;
        switch (o->type) {
        case DODONA_OPTION_FLAG:
            break;
        case DODONA_OPTION_INDEX:
        case DODONA_OPTION_INT:
            status = check_number(o, *(const int *)field, err);
            break;
        case DODONA_OPTION_COUNT:
            status =
                isinf(o->most) ? DODONA_OK : check_number(o, (double)*(const int64_t *)field, err);
            break;
        case DODONA_OPTION_REAL:
            status = check_number(o, *(const double *)field, err);
            break;
        default:
            status = check_word(o, *(const char *const *)field, err);
        }
    }
    return status;
}

/* ---- The three structs ---- */

#define STRUCT(name)                                                                               \
    const dodona_option *dodona_##name##_option(int i)                                             \
    {                                                                                              \
        int count = (int)(sizeof name##_options / sizeof *name##_options) - 1;                     \
        return i >= 0 && i < count ? &name##_options[i] : NULL;                                    \
    }                                                                                              \
    void dodona_##name##_options_init(dodona_##name##_options *o)                                  \
    {                                                                                              \
        if (!o)                                                                                    \
            return;                                                                                \
        *o = (dodona_##name##_options){ .size = sizeof *o };                                       \
        set_defaults(name##_options, o);                                                           \
    }                                                                                              \
    int ddn_##name##_options_take(dodona_##name##_options *all,                                    \
                                  const dodona_##name##_options *given, dodona_error *err)         \
    {                                                                                              \
        dodona_##name##_options_init(all);                                                         \
        if (given)                                                                                 \
            ddn_options_take(all, sizeof *all, given, given->size);                                \
        return check(name##_options, all, err);                                                    \
    }

STRUCT(train)
STRUCT(parse)
STRUCT(eval)
