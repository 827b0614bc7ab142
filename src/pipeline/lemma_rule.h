/* SPDX-License-Identifier: MIT */
/* lemma_rule.h - how a lemma is made from a form: a casing, and what is dropped and added at both
 * ends.
 *
 *     dogs  -> dog    lower, drop "s" behind
 *     Flies -> fly    lower, drop "ies", add "y"
 *     went  -> go     the whole form "went" becomes "go"
 *
 * A rule applies only to forms that have what it drops; the rule of treebanks without lemmas
 * applies to all.  As text a rule is its casing and four strings, with tabs between them: casing,
 * drop and add before, drop and add behind. */
#ifndef DDN_PIPELINE_LEMMA_RULE_H
#define DDN_PIPELINE_LEMMA_RULE_H

#include "core/output.h"

typedef enum ddn_casing {
    DDN_CASE_LOWER,
    DDN_CASE_KEEP,
    DDN_CASE_TITLE, /* the first letter upper, the others lower */
    DDN_CASE_UPPER,
    DDN_CASE_WHOLE, /* for one form, whatever its casing; the lemma is what is added */
    DDN_CASE_NONE,  /* for all forms; the lemma is "_", as in treebanks without lemmas */
} ddn_casing;

enum { DDN_CASINGS = 4 }; /* that change the form */

typedef struct ddn_lemma_rule {
    ddn_casing casing;
    dodona_text drop_before, add_before, drop_behind, add_behind;
} ddn_lemma_rule;

/* A form in the casings that were asked for. */
typedef struct ddn_cased {
    dodona_text form;
    dodona_text as[DDN_CASINGS]; /* data NULL: not asked for yet */
    char *buffer;                /* room for all of them */
    size_t capacity;
} ddn_cased;

void ddn_cased_init(ddn_cased *c);
void ddn_cased_fini(ddn_cased *c);
/* Begins with a form, which must outlive its use. */
int ddn_cased_set(ddn_cased *c, dodona_text form, dodona_error *err);

/* The rule that makes the lemma from the form with the least change, as text into o, from its
 * start; errors are kept in o. */
void ddn_lemma_rule_find(ddn_cased *c, dodona_text lemma, ddn_output *o);
/* The rule that makes the lemma from this form alone, in the same way. */
void ddn_lemma_rule_whole(ddn_cased *c, dodona_text lemma, ddn_output *o);
/* The rule of treebanks without lemmas, in the same way. */
void ddn_lemma_rule_none(ddn_output *o);
/* A rule from its text, which it borrows.  False: the text is none. */
bool ddn_lemma_rule_read(ddn_lemma_rule *r, dodona_text text);
/* Whether it changes at most the casing of a form. */
bool ddn_lemma_rule_is_casing(const ddn_lemma_rule *r);
bool ddn_lemma_rule_applies(const ddn_lemma_rule *r, ddn_cased *c);
/* What a rule that applies to a form keeps of it; borrowed from c. */
dodona_text ddn_lemma_rule_kept(const ddn_lemma_rule *r, ddn_cased *c);
/* The lemma of a form that the rule applies to, into o, from its start. */
void ddn_lemma_rule_apply(const ddn_lemma_rule *r, ddn_cased *c, ddn_output *o);

#endif
