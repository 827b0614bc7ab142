/* SPDX-License-Identifier: MIT */
/* options.h - copies the options of a caller over the defaults and checks them against the tables
 * of options.c: words must be among the choices, and numbers in their ranges.  A default is always
 * allowed, also one that stands for a value that is found later. given NULL: the defaults. */
#ifndef DDN_API_OPTIONS_H
#define DDN_API_OPTIONS_H

#include "dodona.h"

/* Words in the order of ddn_regime, ddn_update and ddn_nonprojective. */
#define DDN_REGIMES       "static|nondet|explore"
#define DDN_UPDATES       "early|max-violation"
#define DDN_NONPROJECTIVE "skip|projectivize|pseudo|direct"

int ddn_train_options_take(dodona_train_options *all, const dodona_train_options *given,
                           dodona_error *err);
int ddn_parse_options_take(dodona_parse_options *all, const dodona_parse_options *given,
                           dodona_error *err);
int ddn_eval_options_take(dodona_eval_options *all, const dodona_eval_options *given,
                          dodona_error *err);

#endif
