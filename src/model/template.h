/* SPDX-License-Identifier: MIT */
/* template.h - feature templates: the text that a person edits, compiled into a plan.
 *
 *     # one template a line, atoms joined by +
 *     s0.w+q0.t
 *     s1.t+s1.lc.t+s0.t
 *     s0.f:Case+q0.f:Case
 *     d(s1,s0)+s0.t
 *     [moves]
 *     q0.t+q1.t+q2.t
 *
 * Templates score moves and labels, unless they stand below a line [moves] or [labels], which says
 * that they score only those; [both] goes back.  Scoring labels costs about as much as scoring
 * moves, and they need fewer templates.
 *
 * Those below [arcs] see an arc, its head h and its modifier m, and nothing of a configuration.
 * They score it and its label whatever move makes it, as exact search needs it.  In a set with such
 * templates they alone score labels, and the others, below [moves], only moves.
 *
 * An atom is an address (view.h) and an attribute.
 *   addresses   s0 s1 ... the stack from the top     q0 q1 ... the buffer
 *               l0 l1 ... the left focus word and the words before it
 *               cl cr  the first and the last word between l0 and q0 whose head is not from l0
 *               to q0
 *               p  the move's position, c  the child of its arc; where a move has no position,
 * templates that see either are left out h m  in [arcs] only: the head and the modifier links .h
 * head   .lc .rc outermost left and right child   .lc2 .rc2 the second outermost .ln .rn innermost
 * child   .prev .next the neighbours in the sentence attributes  .w form   .m lemma   .t UPOS   .x
 * XPOS   .f FEATS   .f:Name one feature of FEATS .pN .sN prefix and suffix of N characters (1 to 9)
 * .l relation to the head .vl .vr number of left and right children   .sl .sr set of their
 * relations d(a,b) distance of the words at addresses a and b
 *
 * The plan reads every atom once a configuration, whatever the number of templates it stands in. */
#ifndef DDN_MODEL_TEMPLATE_H
#define DDN_MODEL_TEMPLATE_H

#include "system/view.h"

enum {
    DDN_MAX_TEMPLATES = 256,
    DDN_MAX_ATOMS = 128,
    DDN_MAX_ARITY = 6,    /* atoms in a template */
    DDN_MAX_SOURCES = 48, /* attributes of words that are read from the sentence */
    DDN_MAX_NAME = 24,    /* bytes in the name of a feature */
};

/* What is read of a word, once a sentence. */
typedef struct ddn_source {
    char attribute;          /* w m t x f p s, or : for one feature of FEATS */
    uint8_t length;          /* p and s: characters */
    char name[DDN_MAX_NAME]; /* ':' */
} ddn_source;

typedef struct ddn_templates {
    ddn_layout layout;
    int sources, atoms, templates;
    ddn_source source[DDN_MAX_SOURCES];
    ddn_atom atom[DDN_MAX_ATOMS];
    int plain; /* from here on the atoms have an address that starts from p or c */
    /* Sorted by use: first those for both, up to index both; then those for moves, up to index
     * moves; then those for labels, up to index arcs.  Those with an address that starts from p or
     * c stand together: from..to-1 among the templates for moves, moves..labels-1 among those for
     * labels alone. Otherwise in the order of the text. */
    int both, moves;
    int from, to, labels;
    int arcs; /* from here on those for arcs, all of which see h or m */
    struct ddn_template {
        uint8_t use; /* DDN_FOR_MOVES, DDN_FOR_LABELS */
        uint8_t arity;
        bool sees_p; /* an atom of it has an address that starts from p, c, h or m */
        uint8_t atom[DDN_MAX_ARITY];
        int32_t number; /* of its line in the text */
    } line[DDN_MAX_TEMPLATES];
} ddn_templates;

enum { DDN_FOR_MOVES = 1, DDN_FOR_LABELS = 2, DDN_FOR_ARCS = 4 };

/* Whether there are templates for arcs. */
static inline bool ddn_templates_see_arcs(const ddn_templates *t)
{
    return t->arcs < t->templates;
}

/* Compiles size bytes of text; name stands in messages, with the line. */
int ddn_templates_compile(ddn_templates *t, const char *text, size_t size, const char *name,
                          dodona_error *err);

/* What the templates read, for searches that merge states; borrowed from t. */
ddn_reads ddn_templates_reads(const ddn_templates *t);

#endif
