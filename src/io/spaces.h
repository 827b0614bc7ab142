/* SPDX-License-Identifier: MIT */
/* spaces.h - white space inside MISC, as UDPipe writes it.
 *
 *     SpaceAfter=No     nothing stands between the token and the next one
 *     SpacesAfter=X     X stands there, and not one space
 *     SpacesBefore=X    X stands before the token (the first of a text)
 *     SpacesInToken=X   the token with its spaces as they are in the text; FORM has one space each
 *     TokenRange=a:b    the characters of the text that the token is, from a up to b, from 0
 *
 * In X, \s is a space, \t \r \n are what they are in C, \p is a bar and \\ a backslash.  Other
 * white space is \uXXXX with four hexadecimal digits: as itself, it would make MISC begin or end
 * with a space, which CoNLL-U forbids. */
#ifndef DDN_IO_SPACES_H
#define DDN_IO_SPACES_H

#include "core/output.h"

/* The value of "key=value" in MISC; data NULL: not there. */
dodona_text ddn_misc_find(dodona_text misc, const char *key);

/* A whole number of at most 15 digits, so that programs that know doubles alone read it, too. */
bool ddn_misc_number(dodona_text value, int64_t *out);

/* Text as the value of one of the keys.  Characters that are not white space stay as they are, but
 * for the bar and the backslash. */
void ddn_spaces_escape(ddn_output *o, const char *data, size_t size);
/* The text back.  A backslash that begins none of the above stands for itself. */
void ddn_spaces_unescape(ddn_output *o, dodona_text value);
/* How many bytes that is. */
size_t ddn_spaces_size(dodona_text value);

#endif
