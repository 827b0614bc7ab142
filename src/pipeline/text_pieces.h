/* SPDX-License-Identifier: MIT */
/* text_pieces.h - a text in pieces that several threads tokenize, with the sentences of a reader
 * that goes through it from beginning to end (text_read.h).
 *
 *     ddn_pieces_next     one thread cuts the text, in order          (reading: cheap)
 *     ddn_piece_next      any thread finds the sentences of a piece   (tokenizing: the work)
 *     ddn_joiner_*        one thread puts them together, in order     (nearly nothing)
 *
 * A piece begins where a sentence may begin, and goes on for some way into the next one, so that
 * its last sentence can be finished.  Whether a sentence really begins at its beginning is known
 * only when all before it is joined; nearly always it does, or the first sentence that was found
 * ends where the true one does, and all others are right.  Where not, the joining thread tokenizes
 * until it comes to the beginning of a sentence that was found. */
#ifndef DDN_PIPELINE_TEXT_PIECES_H
#define DDN_PIPELINE_TEXT_PIECES_H

#include "pipeline/text_read.h"

/* In characters: where a piece ends, about, and how far it goes on. */
enum { DDN_PIECE = 1 << 13, DDN_PIECE_MORE = 1 << 11 };

typedef struct ddn_text_piece {
    char *bytes;
    size_t size, capacity;
    size_t own;           /* bytes; the rest is the beginning of the next piece */
    int64_t end;          /* the character behind its own */
    bool last;            /* the text ends with it */
    ddn_text_state start; /* if a sentence begins with it */
    int64_t earlier;      /* sentences of other texts, which sent_id counts on from */
    const ddn_tokenizer *tokenizer;
    char name[sizeof((dodona_error){ 0 }.file)];
} ddn_text_piece;

void ddn_piece_free(ddn_text_piece *p);

/* ---- Cutting the text ---- */

typedef struct ddn_pieces ddn_pieces;

/* Owns the input from here on, also when this fails; the tokenizer outlives the pieces.  Pieces of
 * so many characters, which go on for more of them, at least DDN_LOOK. */
int ddn_pieces_open(ddn_pieces **out, const ddn_tokenizer *t, ddn_input *take_in, size_t size,
                    size_t more, dodona_error *err);
/* Before the first piece: sent_id counts on from that many sentences. */
void ddn_pieces_count_on(ddn_pieces *r, int64_t sentences);
/* Fills *p: 1; 0 at the end; or a negative code with file, line and reason. */
int ddn_pieces_next(ddn_pieces *r, ddn_text_piece *p, dodona_error *err);
void ddn_pieces_close(ddn_pieces *r);

/* ---- Finding sentences ---- */

/* Where the sentences of a piece begin. */
typedef struct ddn_piece_starts {
    int64_t
        *start; /* [count+1]; the last: where the first sentence begins that is not among them */
    size_t count, capacity;
    ddn_text_state after; /* that one */
    int status;           /* negative: why it could not be read */
    dodona_error error;
} ddn_piece_starts;

void ddn_piece_starts_fini(ddn_piece_starts *s);
/* Begins to read a piece with a reader that is fed. */
int ddn_piece_begin(ddn_text_reader *r, const ddn_text_piece *p, ddn_piece_starts *s,
                    dodona_error *err);
/* The next sentence, which is entered into *s: 1; 0 when there is none, which sets what s has
 * behind start; or a negative code when there is no memory. */
int ddn_piece_next(ddn_text_reader *r, const ddn_text_piece *p, ddn_piece_starts *s,
                   ddn_sentence *out, dodona_error *err);

/* ---- Joining ---- */

typedef struct ddn_joiner {
    ddn_text_reader *reader; /* is fed */
    ddn_text_state at;       /* the next sentence, */
    bool reading;            /* unless the reader is on its way to it */
    const ddn_text_piece *piece;
    const ddn_piece_starts *found;
    bool fed;    /* the reader has the piece */
    size_t take; /* after the last of next: the sentences of the piece from here on are right */
} ddn_joiner;

int ddn_joiner_init(ddn_joiner *j, dodona_error *err);
void ddn_joiner_fini(ddn_joiner *j);
/* The next piece, in the order of the texts. */
void ddn_joiner_begin(ddn_joiner *j, const ddn_text_piece *p, const ddn_piece_starts *found);
/* A sentence that was not found before those that are right: 1; 0: there is no more, and now
 * j->take.. are right; or a negative code. */
int ddn_joiner_next(ddn_joiner *j, ddn_sentence *out, dodona_error *err);
/* After those: DODONA_OK, or why the text can't be read further. */
int ddn_joiner_end(ddn_joiner *j, dodona_error *err);

#endif
