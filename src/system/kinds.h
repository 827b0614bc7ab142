/* SPDX-License-Identifier: MIT */
/* kinds.h - the transition types of each family, numbered in the order of its table, for what is
 * written for one family, as oracles are.  Everything else goes through the table. */
#ifndef DDN_SYSTEM_KINDS_H
#define DDN_SYSTEM_KINDS_H

enum { DDN_STANDARD_LEFT, DDN_STANDARD_RIGHT, DDN_STANDARD_SHIFT };
enum { DDN_HYBRID_LEFT, DDN_HYBRID_RIGHT, DDN_HYBRID_SHIFT };
enum { DDN_EAGER_LEFT, DDN_EAGER_RIGHT, DDN_EAGER_REDUCE, DDN_EAGER_SHIFT }; /* -nm as well */
enum { DDN_SPINE_LEFT, DDN_SPINE_RIGHT, DDN_SPINE_SHIFT };
enum { DDN_COVINGTON_LEFT, DDN_COVINGTON_RIGHT, DDN_COVINGTON_SHIFT, DDN_COVINGTON_NONE };

#endif
