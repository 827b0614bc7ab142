/* SPDX-License-Identifier: MIT */
/* dodona.h - transition-based dependency parsing: train, parse, score.
 *
 * Lifetimes.  A model is read-only once opened; any number of threads may share it.  A workspace
 *             is the scratch memory of one thread, reused from sentence to sentence.  Readers,
 *             writers and sentences belong to one thread at a time.
 * Ownership.  *_new and *_open give the caller something to *_free or *_close.  Every other
 *             pointer that a function returns is borrowed from its first argument and lives until
 *             that is changed or freed.  Strings passed in are copied where they are kept.
 * Failure.    A function that can fail returns 0 or more on success and a negative dodona_code
 *             otherwise; then out-parameters are NULL or unchanged and *err (which may be NULL)
 *             says what went wrong, in words for the user.
 * Arguments.  err may be NULL everywhere, and so may what says so; options that are NULL are the
 *             defaults.  Any other NULL, and numbers and formats that do not exist, are the
 * caller's mistake and are answered, never a crash: by DODONA_E_ARGUMENT (or _LIMIT, _INPUT) where
 * a function can fail, else by 0, -1, NULL or an empty text, as where there is nothing; *_free and
 * *_close of NULL do nothing. Options.    Structs of options carry their size, so that a program
 * built against an older header goes on working.  Fill them with their *_init function first, then
 * change what you want to change. Long work   reports progress through a callback and stops when
 * the callback asks for it. The library keeps no global state, prints nothing and never exits.
 */
#ifndef DODONA_H
#define DODONA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DODONA_VERSION_MAJOR 0
#define DODONA_VERSION_MINOR 1
#define DODONA_VERSION_PATCH 0

#if defined(__GNUC__)
#define DODONA_API __attribute__((visibility("default")))
#else
#define DODONA_API
#endif

/* ---- Errors ---- */

typedef enum dodona_code {
    DODONA_OK = 0,
    DODONA_E_INPUT = -1,    /* the input breaks the rules of its format */
    DODONA_E_IO = -2,       /* the system refused to open, read or write */
    DODONA_E_MEMORY = -3,   /* an allocation failed */
    DODONA_E_MODEL = -4,    /* a model file is damaged, newer or of the wrong kind */
    DODONA_E_LIMIT = -5,    /* the input is larger than a named limit */
    DODONA_E_ARGUMENT = -6, /* options that do not exist or do not go together */
    DODONA_E_CANCELLED = -7 /* a progress callback asked to stop */
} dodona_code;

typedef struct dodona_error {
    dodona_code code;
    int64_t line;      /* in file, from 1; 0 when no line is to blame */
    char file[256];    /* "" when no file is to blame */
    char message[512]; /* what is wrong and what was expected */
} dodona_error;

/* "file:line: message" into buf, cut to size; returns buf. */
DODONA_API const char *dodona_error_text(const dodona_error *err, char *buf, size_t size);

/* The library's version, "major.minor.patch". */
DODONA_API const char *dodona_version(void);

/* ---- Limits ---- */

#define DODONA_MAX_WORDS          100000       /* words in a sentence */
#define DODONA_MAX_LINE           (16u << 20)  /* bytes in a line */
#define DODONA_MAX_SENTENCE_BYTES (256u << 20) /* bytes in a sentence, comments included */
#define DODONA_MAX_THREADS        256
#define DODONA_MAX_BEAM           65536
#define DODONA_MAX_KBEST          10000

/* ---- Text and sentences ---- */

/* A stretch of UTF-8, not terminated by a NUL. */
typedef struct dodona_text {
    const char *data;
    size_t size;
} dodona_text;

typedef struct dodona_sentence dodona_sentence;
typedef struct dodona_model dodona_model;

typedef struct dodona_word {
    dodona_text form, lemma, upos, xpos, feats;
    int head; /* 0: the root; -1: none yet */
    dodona_text deprel, deps, misc;
} dodona_word;

DODONA_API dodona_sentence *dodona_sentence_new(void); /* NULL: out of memory */
DODONA_API void dodona_sentence_free(dodona_sentence *s);
DODONA_API void dodona_sentence_clear(dodona_sentence *s);
/* Makes s a copy of another sentence as it stands in its file, without what a parse brought besides
 * the columns.  After a failure s is empty. */
DODONA_API int dodona_sentence_copy(dodona_sentence *s, const dodona_sentence *from,
                                    dodona_error *err);

/* Appends a word.  Empty fields become "_"; tabs and line ends in a field are refused. */
DODONA_API int dodona_sentence_add(dodona_sentence *s, const dodona_word *word, dodona_error *err);

/* Words, counted from 1. */
DODONA_API int dodona_sentence_length(const dodona_sentence *s);
DODONA_API int dodona_sentence_get(const dodona_sentence *s, int i, dodona_word *out);

/* Comments.  Line i of them, from 0, as it stands, "# text = Oaks speak.", without its line end;
 * negative: there is none. */
DODONA_API int dodona_sentence_comment(const dodona_sentence *s, int i, dodona_text *line);
/* Appends one, which begins with '#'. */
DODONA_API int dodona_sentence_add_comment(dodona_sentence *s, dodona_text line, dodona_error *err);
/* The value of the comment "# key = value", as sent_id and text are: 1; 0: there is none.  The keys
 * newdoc and newpar say that a document or a paragraph begins with the sentence; their value is its
 * id, size 0 where it has none: "# newdoc id = value" or "# newdoc". */
DODONA_API int dodona_sentence_meta(const dodona_sentence *s, const char *key, dodona_text *value);
/* Sets it; value NULL: removes it. */
DODONA_API int dodona_sentence_set_meta(dodona_sentence *s, const char *key,
                                        const dodona_text *value, dodona_error *err);

/* A token as it stands in the text: a word, or a multiword token, which is several.  Its place in
 * the text that was read is told twice: in characters (code points), where MISC has a TokenRange;
 * and in bytes of UTF-8, where the sentence was read from text.  Of text in another encoding, or
 * with replaced bytes, it is the place in what the reader made of it. */
typedef struct dodona_token {
    int first, last;              /* words */
    dodona_text form, misc;       /* MISC has the white space around it */
    int64_t start, end;           /* characters before it, and up to its end; -1: not known */
    int64_t start_byte, end_byte; /* bytes before it, and up to its end; -1: not known */
} dodona_token;

/* Goes on from *token, at first { 0 } and then as it was left, to the token behind it: 1, or 0 when
 * there is none. */
DODONA_API int dodona_sentence_next_token(const dodona_sentence *s, dodona_token *token);

/* What a parse brings besides the tree in the columns, where its options ask for it; it lives until
 * the sentence is parsed again, read into or cleared.
 *
 * Trees, k from 1, the best first: how many there are (0: none were asked for), the score of one,
 * and the head and relation of its word i.  Negative: there is none.  Words that were added after
 * the parse have none of this. */
DODONA_API int dodona_sentence_trees(const dodona_sentence *s);
DODONA_API int dodona_sentence_tree_score(const dodona_sentence *s, int k, double *score);
DODONA_API int dodona_sentence_tree_arc(const dodona_sentence *s, int k, int i, int *head,
                                        dodona_text *deprel);
/* The probability that word i has the right head; -1: it was not asked for. */
DODONA_API double dodona_sentence_confidence(const dodona_sentence *s, int i);
/* The packed forest, a JSON object and a newline (docs/forest.md); size 0: it was not asked for. */
DODONA_API dodona_text dodona_sentence_forest(const dodona_sentence *s);

/* Why the sentence was left as it is (dodona_parse_options.skip_bad); NULL: it was not. */
DODONA_API const dodona_error *dodona_sentence_fault(const dodona_sentence *s);

/* Callbacks that hand sentences over, one at a time: pull fills *s and returns 1, or 0 at the end;
 * push takes *s, which it may change but not keep.  Both return a negative code to stop.
 *
 * For dodona_parse_stream alone, pull may also return DODONA_WAIT, once: it would have to wait for
 * its input.  Then all sentences before are parsed and pushed, and pull is called again. */
#define DODONA_WAIT 2
typedef int (*dodona_pull)(void *ctx, dodona_sentence *s, dodona_error *err);
typedef int (*dodona_push)(void *ctx, dodona_sentence *s, dodona_error *err);

/* Where the sentences of a file come from.  The name stands in messages and tables. */
typedef struct dodona_source {
    dodona_pull pull;
    void *ctx;
    const char *name;
} dodona_source;

/* ---- Reading and writing ---- */

typedef enum dodona_format {
    DODONA_CONLLU,
    DODONA_CONLLX,
    DODONA_TOKENS, /* a sentence a line, spaces between tokens */
    DODONA_TEXT,   /* plain text; to be read, it takes a model with a tokenizer */
    DODONA_JSON,   /* a JSON object a line, docs/schema/sentence.json; output only */
    DODONA_TREE,   /* a drawing for a terminal; output only, as are the following */
    DODONA_SVG,    /* a picture, kept in a temporary file until the writer is closed */
    DODONA_HTML,   /* a page of pictures that can be searched */
    DODONA_TIKZ,   /* for LaTeX's package tikz-dependency */
    DODONA_GUESS,  /* input only: text for a model with a tokenizer, unless the first row is one of
                      CoNLL-U; else CoNLL-U */
    DODONA_PRESEGMENTED, /* input only: text with a sentence a line; takes a model as text does */
    DODONA_VERTICAL, /* input only: a token a line, up to a tab; a blank line between sentences */
    DODONA_DISPLACY  /* output only: a JSON object a line, for spaCy's displaCy to draw */
} dodona_format;

/* The format of that name, or a negative code.  "horizontal" is another name of "tokens". */
DODONA_API int dodona_format_find(const char *name, dodona_error *err);

typedef enum dodona_check {
    DODONA_CHECK_FORM,    /* lines, ids and the range of heads; heads may be missing */
    DODONA_CHECK_TREE,    /* every word has a head, and they form a tree under 0 */
    DODONA_CHECK_ONE_ROOT /* and 0 has exactly one child */
} dodona_check;

typedef struct dodona_reader_options {
    size_t size;
    dodona_format format; /* DODONA_CONLLU */
    dodona_check check;   /* DODONA_CHECK_FORM */
    int skip_bad;         /* 1: a bad sentence comes as dodona_sentence_is_bad and counts; of a text
                             nothing is skipped */
    const dodona_model *model; /* DODONA_TEXT: whose tokenizer splits it; outlives the reader */
    int64_t sentences; /* DODONA_TEXT: that came before, from other texts; sent_id counts on */
    int pieces; /* DODONA_TEXT: 1: the text is not tokenized yet but comes in pieces, sentences
                   without words, for dodona_parse_stream alone, whose threads tokenize it; sent_id
                   counts on from all sentences of the stream, too */
    const char *encoding; /* of the input: "utf-8", "latin1", "cp1252" or "utf-16" (little-endian
                             unless it has a byte order mark); NULL: UTF-8 */
    int replace; /* 1: what is no character in that encoding becomes U+FFFD; 0: it is an error */
    int signals; /* 1: the reader returns DODONA_WAIT when a signal interrupts its waiting */
    int flush; /* 1: the reader returns DODONA_WAIT before it waits for input; and in DODONA_TEXT a
                  blank line ends the sentence before it, whatever follows, so that this can be
                  written at once */
} dodona_reader_options;

DODONA_API void dodona_reader_options_init(dodona_reader_options *o);

typedef struct dodona_reader dodona_reader;

/* Opens a file ("-": standard input), plain or compressed with gzip or zstd. */
DODONA_API int dodona_reader_open(const char *path, const dodona_reader_options *o,
                                  dodona_reader **out, dodona_error *err);
/* The same over bytes that a callback brings: it fills up to size bytes of buf and returns how
 * many, 0 at the end, or a negative code.  The name stands in messages. */
typedef ptrdiff_t (*dodona_read)(void *ctx, char *buf, size_t size, dodona_error *err);
DODONA_API int dodona_reader_open_callback(dodona_read read, void *ctx, const char *name,
                                           const dodona_reader_options *o, dodona_reader **out,
                                           dodona_error *err);
/* Next sentence: 1, 0 at the end of the input, or a negative code; with flush also DODONA_WAIT. */
DODONA_API int dodona_reader_next(dodona_reader *r, dodona_sentence *s, dodona_error *err);
/* The same as a dodona_pull, with the reader as context. */
DODONA_API int dodona_reader_pull(void *reader, dodona_sentence *s, dodona_error *err);
/* How many bad sentences were passed over so far (with skip_bad), and the first one's error. */
DODONA_API int64_t dodona_reader_bad(const dodona_reader *r, dodona_error *first);
/* How often U+FFFD was put in so far (with replace), and the lines of the first places, most of
 * them at most, the rest 0. */
DODONA_API int64_t dodona_reader_replaced(const dodona_reader *r, int64_t *lines, int most);
/* Bytes that were read of the file so far, compressed as it is. */
DODONA_API int64_t dodona_reader_bytes(const dodona_reader *r);
DODONA_API void dodona_reader_close(dodona_reader *r);

/* True of a sentence that the reader could not understand: it has no words and is written as it
 * came. */
DODONA_API int dodona_sentence_is_bad(const dodona_sentence *s);

typedef struct dodona_writer dodona_writer;

/* Opens a file for writing ("-": standard output), compressed where its name ends with .gz or .zst.
 * A named file appears only when the writer is closed with success; until then the bytes are in a
 * temporary file beside it. */
DODONA_API int dodona_writer_open(const char *path, dodona_format format, dodona_writer **out,
                                  dodona_error *err);
/* The same to a callback, which takes the bytes, some 256 kB at a time, or each sentence where
 * dodona_writer_flush asks for it; it returns 0, or a negative code to stop. */
typedef int (*dodona_write)(void *ctx, const char *data, size_t size, dodona_error *err);
DODONA_API int dodona_writer_open_callback(dodona_write write, void *ctx, dodona_format format,
                                           dodona_writer **out, dodona_error *err);
/* The same to memory.  dodona_writer_text ends the document and lends it, borrowed from w until its
 * next use; the next sentence begins a new one. */
DODONA_API int dodona_writer_open_memory(dodona_format format, dodona_writer **out,
                                         dodona_error *err);
DODONA_API int dodona_writer_text(dodona_writer *w, dodona_text *out, dodona_error *err);
DODONA_API int dodona_writer_put(dodona_writer *w, const dodona_sentence *s, dodona_error *err);
/* The same as a dodona_push, with the writer as context. */
DODONA_API int dodona_writer_push(void *writer, dodona_sentence *s, dodona_error *err);
/* All sentences of two analyses of the same text, the differences marked; DODONA_TREE, DODONA_SVG
 * and DODONA_HTML.  Words and sentences may differ, but not the text without white space; the error
 * has the line in the first source where it does. */
DODONA_API int dodona_writer_compare(dodona_writer *w, const dodona_source *from,
                                     const dodona_source *other, dodona_error *err);
/* 1: each sentence is written out at once, as it is at first to a terminal; not for memory. */
DODONA_API void dodona_writer_flush(dodona_writer *w, int flush);
/* DODONA_TREE: the columns that there are (0: any number, as at first), and whether the terminal
 * shows colours.  Other formats don't care. */
DODONA_API void dodona_writer_terminal(dodona_writer *w, int width, int colours);
/* Writes what is left and puts the file in place. */
DODONA_API int dodona_writer_close(dodona_writer *w, dodona_error *err);
/* Drops the writer; a named file is not created or changed. */
DODONA_API void dodona_writer_abandon(dodona_writer *w);

/* ---- Progress ---- */

/* A score by its name: "LAS", "UPOS". */
typedef struct dodona_figure {
    const char *name;
    double percent;
} dodona_figure;

typedef struct dodona_progress {
    const char *phase; /* "train", "dev", "iteration" (one has ended), "parse"; before "train",
                          "tokenizer", "tagger", "lemmatizer" and "jackknife" (iterations are
                          folds); "warning" */
    int64_t done;      /* sentences of this phase */
    int64_t total;     /* 0: not known */
    int64_t tokens;    /* words of this phase so far */
    int iteration;     /* of training, from 1; 0 elsewhere */
    int iterations;
    double las, uas;  /* on dev when an iteration has ended; -1: not measured */
    const char *part; /* of the model: the phases before "train", or "parser"; NULL elsewhere */
    int ended;        /* 1: an iteration, or a fold, has ended; 2: the part has; 0: neither */
    int64_t updates;  /* then: steps of the iteration that changed weights */
    const dodona_figure *figure; /* [figures] then: what is reached on dev; of a fold: on it */
    int figures;
    const char *message; /* of the phase "warning": what does not go together, in words */
} dodona_progress;

/* Called now and then from the thread that called the library; non-zero stops the work. */
typedef int (*dodona_report)(void *ctx, const dodona_progress *p);

/* ---- Models and parsing ---- */

typedef struct dodona_workspace dodona_workspace;

/* Opens a model: a file, or the name of an installed model, "english"; NULL: that one.  A name is
 * what has no slash and is not a file; NAME.model is looked for in share/dodona/models below the
 * prefix of the installed library. */
DODONA_API int dodona_model_open(const char *path, dodona_model **out, dodona_error *err);
/* The same, but a name is first looked for in these folders, with ':' between them; NULL: none. */
DODONA_API int dodona_model_open_from(const char *folders, const char *name, dodona_model **out,
                                      dodona_error *err);
/* Tells of every model that a name would open, by its name and its file: those in these folders,
 * then those that are installed, in the order of their names; of models of the same name only the
 * one that is found first.  A negative code of found stops. */
typedef int (*dodona_model_found)(void *ctx, const char *name, const char *path, dodona_error *err);
DODONA_API int dodona_models(const char *folders, dodona_model_found found, void *ctx,
                             dodona_error *err);
/* A model over bytes, which must outlive it if they are at a multiple of 64; elsewhere they are
 * copied.  name is for messages. */
DODONA_API int dodona_model_open_memory(const void *bytes, size_t size, const char *name,
                                        dodona_model **out, dodona_error *err);
DODONA_API void dodona_model_free(dodona_model *m);
/* The model's readable metadata: lines "key: value". */
DODONA_API dodona_text dodona_model_metadata(const dodona_model *m);
/* The templates that it was trained with, as their file had them. */
DODONA_API dodona_text dodona_model_templates(const dodona_model *m);
/* What it can do, of DODONA_STEP_*. */
DODONA_API int dodona_model_steps(const dodona_model *m);
/* Relation i that it can give, from 0, the most frequent first; negative: there is none. */
DODONA_API int dodona_model_label(const dodona_model *m, int i, dodona_text *out);
/* Section i of the file, from 0: its name and its size in bytes; negative: there is none. */
DODONA_API int dodona_model_section(const dodona_model *m, int i, const char **name,
                                    uint64_t *size);

/* Takes the moves that a sentence was parsed with: a JSON object and a newline, borrowed until it
 * returns; a negative code stops.  The manual describes the object. */
typedef int (*dodona_trace)(void *ctx, dodona_text line, dodona_error *err);

/* What is done with a sentence.  Reading text tokenizes it; tagging sets UPOS, XPOS, FEATS and
 * LEMMA. */
#define DODONA_STEP_TOKENIZE 1
#define DODONA_STEP_TAG      2
#define DODONA_STEP_PARSE    4

typedef struct dodona_parse_options {
    size_t size;
    const char *search; /* a name from dodona_search_name; NULL: what the model was trained with */
    int roots_many;     /* 0: exactly one word hangs from 0; 1: any number; default -1: as in
                           training */
    int keep_deps;      /* 0: DEPS becomes "_" when HEAD is predicted */
    int threads;        /* of dodona_parse_stream; default 1 */
    dodona_report report;
    void *report_ctx;
    dodona_trace trace; /* NULL: moves are not kept */
    void *trace_ctx;
    int beam;        /* configurations that a beam keeps; 0: as in training, or 8 */
    int kbest;       /* how many of the best trees to list, also in the comments; 0: none */
    int confidence;  /* 1: how probable each arc is, also in MISC */
    int forest;      /* 1: the packed forest */
    int exact_limit; /* words; what is longer exact search leaves to a beam, and says so in a
                        comment and by dodona_sentence_fallback.  0: 100, or 40 where the system can
                        take s2 off the stack */
    int steps;       /* of DODONA_STEP_*: these alone, replacing what is in the columns; 0: all that
                        the model can do, but tags and lemmas that are in the columns are kept */
    int keep;        /* 1: a HEAD or DEPREL that is not "_" is given, and the tree keeps to it; dp
                        search leaves such a sentence to a beam, and says so as above */
    int skip_bad; /* what is given contradicts itself: 0: fail; 1: leave the sentence as it is (2,
                     which the command has for replacing bytes: as 0) */
    const char *decoder; /* of exact search: mst, eisner or a system; NULL: as in training, or the
                            system's own */
} dodona_parse_options;

DODONA_API void dodona_parse_options_init(dodona_parse_options *o);

/* A workspace for one thread; the options are checked against the model here. */
DODONA_API int dodona_workspace_new(const dodona_model *m, const dodona_parse_options *o,
                                    dodona_workspace **out, dodona_error *err);
DODONA_API void dodona_workspace_free(dodona_workspace *ws);

/* The search that parsed a sentence in place of the one that was asked for; NULL: none did. */
DODONA_API const char *dodona_sentence_fallback(const dodona_sentence *s);

/* Sets HEAD and DEPREL of every word and, where the model has a tagger, UPOS, XPOS and FEATS of
 * words without a UPOS, and LEMMA where it is "_".  A trace is called before it returns. */
DODONA_API int dodona_parse(dodona_workspace *ws, dodona_sentence *s, dodona_error *err);
/* The same for several sentences, which a network parses faster together.  *parsed: how many were
 * parsed, all that come before one that fails. */
DODONA_API int dodona_parse_sentences(dodona_workspace *ws, dodona_sentence *const *s, int count,
                                      int *parsed, dodona_error *err);

/* Parses all that pull brings with o->threads threads and pushes it in the same order, each
 * sentence after its trace.  All callbacks are called from the calling thread alone.  Memory does
 * not grow with the input. */
DODONA_API int dodona_parse_stream(const dodona_model *m, const dodona_parse_options *o,
                                   dodona_pull pull, void *pull_ctx, dodona_push push,
                                   void *push_ctx, dodona_error *err);

/* ---- Training ---- */

typedef struct dodona_train_options {
    size_t size;
    const char *system;    /* a name from dodona_system_name, or of the Attardi family; default
                              "arc-standard" */
    const char *oracle;    /* "static", "nondet" or "explore"; NULL: explore where the system can,
                              static with another search than greedy */
    const char *algorithm; /* of the oracle, from dodona_algorithm_name; NULL: the system's own */
    const char *templates; /* a file, or a name from dodona_templates_name; NULL: the system's;
                              greedy arc-standard with predicted tags: arc-standard-wide */
    int iterations;        /* default 0: 15, or as the learner has it for a treebank of that size */
    int explore_after;     /* iterations along the gold moves before exploring; default 1 */
    double explore_rate;   /* how often the parser's own move is made then; default 0.9 */
    uint64_t seed;         /* default 1 */
    double model_mb;       /* megabytes that the weights may take; default 24 */
    const char *nonprojective; /* trees that the system can't reach: "skip" them, learn the nearest
                                  projective one ("projectivize"), lift arcs and mark labels
                                  ("pseudo"), or take them as they are ("direct", arc-standard);
                                  default "pseudo" */
    int two_pass;              /* 1: as many iterations again, along the moves of a frozen model */
    int keep_last;             /* 0: the model with the best LAS on dev; 1: the last one */
    int roots_many;            /* 0: trees with one root; 1: with any number of them */
    const char *notes;         /* lines "key: value" for the model's metadata; NULL: none */
    dodona_report report;
    void *report_ctx;
    const char *search; /* "greedy": moves are learnt one by one; another name from
                           dodona_search_name: whole derivations, and the model remembers it for
                           parsing; NULL: "greedy", or "exact" where there is a decoder */
    int beam;           /* configurations that a beam keeps; default 8 */
    const char *update; /* with another search than greedy, what is learnt when the gold derivation
                           is not found: its moves up to where the search lost it ("early"), or up
                           to where another beats it by most; default "max-violation" */
    int pipeline;       /* 1: also a tokenizer, a tagger and a lemmatizer, all in one model file */
    int jackknife; /* folds: every fold gets its tags from a tagger trained on the others, and the
                      parser learns from these; 1: from gold tags; 0: 5 with pipeline, else 1 */
    int average;   /* runs of the parser's training, from seeds one apart, whose weights are
                      averaged; default 1 */
    const char *learner; /* a name from dodona_learner_name; default "perceptron" */
    const char *decoder; /* of exact search: "mst", "eisner" or a system; NULL: the system's own */
    int threads;         /* that a network learns with; default 2 */
    int steps;           /* of DODONA_STEP_*: the parts to train, a tokenizer, a tagger with a
                            lemmatizer, a parser; 0: the parser, or with pipeline all of them */
    const char *into;    /* a model file whose other parts go into the new one, unchanged; it may be
                            the file that is written; NULL: none */
    const char *embeddings; /* file of vectors that the forms of a network begin with, of word2vec
                               or fastText; NULL: none */
    int variants; /* percent of the training sentences that are learnt once more in another
                     spelling: without final punctuation, in capitals, in lower case, without
                     apostrophes or with curly quotes; default 0 */
} dodona_train_options;

DODONA_API void dodona_train_options_init(dodona_train_options *o);

typedef struct dodona_train_result {
    int64_t crossing; /* training trees that the system can't reach: they are not projective */
    int64_t skipped;  /* of these, those that were left out */
    int64_t given_up; /* times that a sentence was beyond the oracle's limits: it was then learnt
                         along the gold moves */
    int64_t tied; /* times that there were too many cycles to count, so that the oracle ranked moves
                     by what it had counted */
    int64_t too_long; /* training sentences that were left out: too long for exact search */
    int resumed;      /* iterations that were taken from the checkpoint of an interrupted run */
    int best;         /* iteration that the parser is from; 0: none was trained */
    double uas, las;  /* of the model on dev; -1: no dev */
    int64_t left_out; /* steps of a network that were not made: gradients were not finite */
    int diverged;     /* the iteration that was the last because there were too many of them in a
                         row: the model is from before; 0: there was none */
} dodona_train_result;

/* Trains a parser, or the parts that are asked for, and writes a model file.  dev may be NULL.  The
 * same options and data give the same bytes.  A checkpoint, model_path with ".checkpoint" behind
 * it, is kept while training goes on, and with pipeline or jackknife one of what comes before the
 * parser, ".parts"; when a run with the same options and data finds one, it goes on from there. */
DODONA_API int dodona_train(const dodona_train_options *o, const dodona_source *train,
                            const dodona_source *dev, const char *model_path,
                            dodona_train_result *result, dodona_error *err);

/* What there is to choose from: transition systems, algorithms of oracles, searches, template sets,
 * decoders of exact search and learners, in the order of their tables; NULL after the last.  About:
 * where a system comes from, what an algorithm, a search or a learner does. */
DODONA_API const char *dodona_system_name(int i);
DODONA_API const char *dodona_system_about(int i);
DODONA_API const char *dodona_algorithm_name(int i);
DODONA_API const char *dodona_algorithm_about(int i);
/* Whether algorithm i serves system k; 0 where there is no such algorithm or system. */
DODONA_API int dodona_algorithm_serves(int i, int k);
DODONA_API const char *dodona_search_name(int i);
DODONA_API const char *dodona_search_about(int i);
DODONA_API const char *dodona_templates_name(int i);
DODONA_API const char *dodona_decoder_name(int i);
DODONA_API const char *dodona_learner_name(int i);
DODONA_API const char *dodona_learner_about(int i);

/* ---- Scoring ---- */

typedef struct dodona_eval_options {
    size_t size;
    int no_punct;      /* 1: words with gold UPOS PUNCT are left out of the attachment scores */
    int analysis;      /* 1: also by label, by length of the arc, by its shape */
    int64_t trials;    /* of the test with several systems; default 10000 */
    uint64_t seed;     /* of the test; default 1 */
    const char *trace; /* with analysis: a file that dodona parse --trace wrote when it parsed the
                          first system's sentences ("-": standard input); NULL: none */
} dodona_eval_options;

DODONA_API void dodona_eval_options_init(dodona_eval_options *o);

typedef struct dodona_scores dodona_scores;

/* Scores a system, or two of them (system2 not NULL), against gold.  Tokens and sentences may
 * differ between the files, but not the text without white space.  Every sentence must be a tree
 * with one root.  o NULL: the defaults. */
DODONA_API int dodona_evaluate(const dodona_eval_options *o, const dodona_source *gold,
                               const dodona_source *system, const dodona_source *system2,
                               dodona_scores **out, dodona_error *err);
/* The same for any number of systems, one at least.  Every other is compared with the first. */
DODONA_API int dodona_evaluate_systems(const dodona_eval_options *o, const dodona_source *gold,
                                       const dodona_source *system, int systems,
                                       dodona_scores **out, dodona_error *err);
DODONA_API void dodona_scores_free(dodona_scores *s);

/* A figure of the CoNLL 2018 UD scorer.  Ratios are percents. */
typedef struct dodona_metric {
    const char *name;              /* Tokens Sentences Words UPOS XPOS UFeats AllTags Lemmas UAS LAS
                                      CLAS MLAS BLEX */
    int64_t correct, gold, system; /* how many */
    int64_t aligned;               /* pairs that could be correct; -1 for the first three */
    double precision, recall, f1;
    double aligned_accuracy; /* correct of aligned; 0 where there is no aligned */
} dodona_metric;

#define DODONA_METRICS 13

/* Metric i of DODONA_METRICS, or that of a name; systems count from 1.  Negative: there is none.
 */
DODONA_API int dodona_scores_metric(const dodona_scores *s, int system, int i, dodona_metric *out);
DODONA_API int dodona_scores_find(const dodona_scores *s, int system, const char *name,
                                  dodona_metric *out);

/* Percent of right heads, regardless of labels: "word", "non-root", "root" (sentences whose root is
 * right) and "complete" (sentences with no wrong head).  Negative: there is none. */
DODONA_API double dodona_scores_unlabelled(const dodona_scores *s, int system, const char *name);

/* F1 of system 1 less that of system 2 in percent, for "UAS" or "LAS", and its two-sided p by
 * paired randomisation over sentences.  Negative: there is none. */
DODONA_API int dodona_scores_difference(const dodona_scores *s, const char *name, double *percent,
                                        double *p);
/* The same of system 1 and another one. */
DODONA_API int dodona_scores_compare(const dodona_scores *s, int system, const char *name,
                                     double *percent, double *p);

/* All of it as tables (DODONA_TEXT) or as a JSON object in a line (DODONA_JSON).  The text is
 * borrowed from s until the next call. */
DODONA_API int dodona_scores_print(dodona_scores *s, dodona_format format, dodona_text *out,
                                   dodona_error *err);

/* ---- Treebank figures ---- */

typedef struct dodona_stats dodona_stats;

DODONA_API dodona_stats *dodona_stats_new(void); /* NULL: out of memory */
DODONA_API void dodona_stats_free(dodona_stats *s);

/* Counts a sentence.  After a failure the figures are not to be used. */
DODONA_API int dodona_stats_add(dodona_stats *s, const dodona_sentence *sentence,
                                dodona_error *err);

/* The figures so far under a name: a table (DODONA_TEXT) or a JSON object in a line (DODONA_JSON).
 * The text is borrowed from s until the next call. */
DODONA_API int dodona_stats_print(dodona_stats *s, const char *name, dodona_format format,
                                  dodona_text *out, dodona_error *err);

/* ---- Options, described ---- */

/* How an option is kept in its field, and what may stand there. */
typedef enum dodona_option_type {
    DODONA_OPTION_STRING, /* const char * */
    DODONA_OPTION_FILE,   /* const char *: the name of a file */
    DODONA_OPTION_LINES,  /* const char *: lines; an option that may be given several times */
    DODONA_OPTION_CHOICE, /* const char *: one of the words in argument */
    DODONA_OPTION_INDEX,  /* int: the place, from 0, of a word in argument */
    DODONA_OPTION_FLAG,   /* int: 0 or 1 */
    DODONA_OPTION_INT,    /* int from least to most */
    DODONA_OPTION_COUNT,  /* int64_t or uint64_t from least to most */
    DODONA_OPTION_REAL    /* double from least to most */
} dodona_option_type;

/* What an option is, for programs that offer it to their users, as the command does. */
typedef struct dodona_option {
    const char *field; /* of its struct, "explore_rate", */
    size_t offset;     /* and where that is */
    dodona_option_type type;
    const char *name;     /* on the command line: "explore-rate", or a letter */
    const char *argument; /* what stands for its value there: "P"; words have bars between them */
    double least, most;
    double number;         /* the default of what is kept as a number */
    const char *word;      /* and of what is not; NULL: none */
    const char *otherwise; /* what a default means that is not a value to be given; NULL: it is */
    const char *(*names)(int i); /* some values of a string or file, NULL after the last; NULL: none
                                    are listed */
    const char *help;
} dodona_option;

/* Option i of the struct, from 0; NULL: there is none. */
DODONA_API const dodona_option *dodona_train_option(int i);
DODONA_API const dodona_option *dodona_parse_option(int i);
DODONA_API const dodona_option *dodona_eval_option(int i);

#ifdef __cplusplus
}
#endif
#endif
