/* SPDX-License-Identifier: MIT */
/* files.h - the files of a command line as one stream of sentences, and where they go. */
#ifndef DDN_CLI_FILES_H
#define DDN_CLI_FILES_H

#include "cli/options.h"
#include "dodona.h"

/* The words of the option --input, and the hint for a word that is not one of them. */
#define DDN_INPUTS  "conllu|conllx|tokens|horizontal|vertical"
#define DDN_OUTPUTS "conllu|conllx|tokens|text|json|displacy|tree|svg|html|tikz"
#define DDN_OUTPUTS_HELP                                                                           \
    "what is written; json: an object a line; displacy: the same for displaCy to draw; tree: a "   \
    "drawing for a terminal; svg: a picture; html: a page to search; tikz: for LaTeX"
#define DDN_INPUTS_HINT "plain text takes a model to split it: dodona parse --input text"

enum { DDN_PLACES = 3 }; /* that are told of many */

typedef struct ddn_files {
    char *const *path; /* [count] */
    int count, at;     /* at: the next to be opened */
    bool told;         /* that opening it may wait */
    dodona_reader_options options;
    dodona_reader *reader; /* NULL: none is open */
    int64_t bad;           /* with options.skip_bad: sentences passed over so far */
    dodona_error first;    /* and the first of them */
    int64_t bytes, total;  /* of files that were read to their end, and of all; 0: not known */
    int64_t replaced;      /* with options.replace: U+FFFD that was put in, and the first places */
    struct {
        const char *file;
        int64_t line;
    } place[DDN_PLACES];
} ddn_files;

/* A file alone, without progress. */
#define DDN_ONE_FILE(path) ((ddn_operands){ .of = (char *[]){ path }, .count = 1, .quiet = true })

/* The operands, or standard input when there is none. */
ddn_operands ddn_files_or_input(const ddn_operands *operands);

/* Those in their order. */
void ddn_files_init(ddn_files *f, const ddn_operands *operands, const dodona_reader_options *o);
void ddn_files_fini(ddn_files *f);

/* Says on standard error what was passed over and replaced, if anything was. */
void ddn_files_warn(const ddn_files *f);

/* Bytes of the files that were read so far. */
int64_t ddn_files_bytes(const ddn_files *f);
/* The sum of the sizes of files; 0: one of them is no regular file, or can't be looked at. */
int64_t ddn_files_size(const ddn_operands *files);

/* The next sentence; a dodona_pull. */
int ddn_files_pull(void *files, dodona_sentence *s, dodona_error *err);

/* Hands every sentence of the files to each, with progress unless operands->quiet.  An error that
 * has a line gets the name of the file, too. */
int ddn_files_each(const ddn_operands *operands, const dodona_reader_options *o, dodona_push each,
                   void *ctx, dodona_error *err);

/* Opens a file, or standard output ("-"), for a format; a drawing suits the terminal, where it is
 * one: its width, and colours unless NO_COLOR is set. */
int ddn_writer_open(const char *format, const char *path, dodona_writer **out, dodona_error *err);

/* Closes the writer after a work that ended with status; returns the first failure of both. */
int ddn_writer_end(dodona_writer *w, int status, dodona_error *err);

/* What a path is called in messages. */
const char *ddn_path_name(const char *path);

#endif
