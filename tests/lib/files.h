/* SPDX-License-Identifier: MIT */
/* files.h - where tests find the project's own data, the command, and a place to write. */
#ifndef DDN_TESTS_FILES_H
#define DDN_TESTS_FILES_H

/* NAME in the source tree; borrowed, valid until the next call of any of these. */
const char *test_source(const char *name);
/* tests/data/NAME in the source tree; borrowed, valid until the next call. */
const char *test_data(const char *name);
/* ../shared/treebanks/NAME, or NULL where that does not exist: say that the test is skipped. */
const char *test_treebank(const char *name);
/* A name for a file that this process may create, in a folder of its own; removed at exit. */
const char *test_scratch(const char *name);

#endif
