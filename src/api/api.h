/* SPDX-License-Identifier: MIT */
/* api.h - what the public types are made of, for the files of this room. */
#ifndef DDN_API_API_H
#define DDN_API_API_H

#include "tree/sentence.h"

struct dodona_sentence {
    ddn_sentence s;
};

#endif
