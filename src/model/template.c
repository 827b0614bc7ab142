/* SPDX-License-Identifier: MIT */
/* A hand-written descent over one line at a time:
 *     template  = atom { "+" atom }
 *     atom      = "d(" address "," address ")" | address "." attribute
 *     address   = start { "." link }
 *     heading   = "[moves]" | "[labels]" | "[both]" | "[arcs]"
 * Links and attributes share the dot, so a dotted name is a link if the list of links has it and an
 * attribute otherwise. */
#include "model/template.h"

#include <stdio.h>
#include <string.h>

typedef struct parser {
    ddn_templates *t;
    const char *at, *end; /* the line */
    const char *name;
    int64_t line;
    uint8_t use; /* of the templates from here on */
    dodona_error *err;
} parser;

static int bad(const parser *p, const char *what, const char *word, size_t size)
{
    return ddn_fail_at(p->err, DODONA_E_INPUT, p->name, p->line, "%s '%.*s'", what,
                       (int)(size < 60 ? size : 60), word);
}

static int full(const parser *p, const char *what, int limit)
{
    return ddn_fail_at(p->err, DODONA_E_LIMIT, p->name, p->line, "more than %d %s", limit, what);
}

static bool accept(parser *p, char c)
{
    if (p->at == p->end || *p->at != c)
        return false;
    p->at++;
    return true;
}

static bool name_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == ':' ||
           c == '_' || c == '[' || c == ']';
}

/* The next run of name characters. */
static dodona_text word(parser *p)
{
    const char *start = p->at;
    while (p->at < p->end && name_character(*p->at))
        p->at++;
    return (dodona_text){ start, (size_t)(p->at - start) };
}

static bool is(dodona_text t, const char *text)
{
    return t.size == strlen(text) && memcmp(t.data, text, t.size) == 0;
}

static int add_slot(parser *p, ddn_address a)
{
    int slot = ddn_layout_add(&p->t->layout, a);
    return slot < 0 ? full(p, "addresses", DDN_MAX_SLOTS) : slot;
}

/* h or m. */
static int arc_slot(parser *p, dodona_text t)
{
    if (!is(t, "h") && !is(t, "m"))
        return bad(p, "below [arcs], expected an address from h or m, found", t.data, t.size);
    ddn_address a = { .from = -1, .link = is(t, "h") ? DDN_LINK_ARC_HEAD : DDN_LINK_CHILD };
    return add_slot(p, a);
}

/* The slot of s0, q1, l0, cl, cr, p or c. */
static int start_slot(parser *p, dodona_text t)
{
    ddn_address a = { .from = -1 };
    static const struct {
        const char *name;
        uint8_t link;
    } plain[] = { { "p", DDN_LINK_POS },
                  { "c", DDN_LINK_CHILD },
                  { "cl", DDN_LINK_OUTER_FIRST },
                  { "cr", DDN_LINK_OUTER_LAST } };
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (is(t, plain[i].name)) {
            a.link = plain[i].link;
            return add_slot(p, a);
        }
    if (t.size != 2 || t.data[1] < '0' || t.data[1] > '0' + DDN_MAX_INDEX)
        return bad(p, "expected an address like s0, q0, l0, p or c, found", t.data, t.size);
    a.index = (uint8_t)(t.data[1] - '0');
    if (t.data[0] == 's')
        a.link = DDN_LINK_STACK;
    else if (t.data[0] == 'q')
        a.link = DDN_LINK_BUFFER;
    else if (t.data[0] == 'l')
        a.link = DDN_LINK_FOCUS;
    else
        return bad(p, "expected an address like s0, q0, l0, p or c, found", t.data, t.size);
    return add_slot(p, a);
}

/* The link of that name, or -1. */
static int find_link(dodona_text t)
{
    static const struct {
        const char *name;
        int link;
    } links[] = {
        { "h", DDN_LINK_HEAD },        { "lc", DDN_LINK_FAR_LEFT },    { "rc", DDN_LINK_FAR_RIGHT },
        { "lc2", DDN_LINK_FAR_LEFT2 }, { "rc2", DDN_LINK_FAR_RIGHT2 }, { "ln", DDN_LINK_NEAR_LEFT },
        { "rn", DDN_LINK_NEAR_RIGHT }, { "prev", DDN_LINK_PREV },      { "next", DDN_LINK_NEXT },
    };
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        if (is(t, links[i].name))
            return links[i].link;
    return -1;
}

#define WORDS_ONLY "below [arcs], expected .prev, .next or an attribute of a word, found"

/* An address, up to the first dotted name that is no link; that name goes to *rest (size 0: none).
 */
static int address(parser *p, dodona_text *rest)
{
    bool arcs = p->use == DDN_FOR_ARCS;
    int slot = arcs ? arc_slot(p, word(p)) : start_slot(p, word(p));
    rest->size = 0;
    while (slot >= 0 && accept(p, '.')) {
        dodona_text t = word(p);
        int link = find_link(t);
        if (link < 0) {
            *rest = t;
            if (t.size == 0)
                return bad(p, "expected a link or an attribute after the dot, found", p->at,
                           (size_t)(p->end - p->at));
            break;
        }
        if (arcs && link != DDN_LINK_PREV && link != DDN_LINK_NEXT)
            return bad(p, WORDS_ONLY, t.data, t.size);
        slot = add_slot(p, (ddn_address){ .link = (uint8_t)link, .from = (int8_t)slot });
    }
    return slot;
}

static int add_source(parser *p, ddn_source source)
{
    ddn_templates *t = p->t;
    for (int i = 0; i < t->sources; i++)
        if (memcmp(&t->source[i], &source, sizeof source) == 0)
            return i;
    if (t->sources == DDN_MAX_SOURCES)
        return full(p, "attributes of words", DDN_MAX_SOURCES);
    t->source[t->sources] = source;
    return t->sources++;
}

static int add_atom(parser *p, ddn_atom atom)
{
    ddn_templates *t = p->t;
    for (int i = 0; i < t->atoms; i++)
        if (memcmp(&t->atom[i], &atom, sizeof atom) == 0)
            return i;
    if (t->atoms == DDN_MAX_ATOMS)
        return full(p, "atoms", DDN_MAX_ATOMS);
    t->atom[t->atoms] = atom;
    return t->atoms++;
}

/* An atom that is read from the words of the sentence. */
static int word_atom(parser *p, int slot, dodona_text a)
{
    ddn_source source;
    memset(&source, 0, sizeof source);
    if (a.size == 1 && strchr("wmtxf", a.data[0])) {
        source.attribute = a.data[0];
    } else if (a.size == 2 && strchr("ps", a.data[0]) && a.data[1] >= '1' && a.data[1] <= '9') {
        source.attribute = a.data[0];
        source.length = (uint8_t)(a.data[1] - '0');
    } else if (a.size > 2 && memcmp(a.data, "f:", 2) == 0) {
        if (a.size - 2 >= DDN_MAX_NAME)
            return bad(p, "the name of a feature is too long:", a.data, a.size);
        source.attribute = ':';
        memcpy(source.name, a.data + 2, a.size - 2);
    } else {
        return bad(p, "expected an attribute (w m t x f f:Name p1-p9 s1-s9 l vl vr sl sr), found",
                   a.data, a.size);
    }
    int index = add_source(p, source);
    if (index < 0)
        return index;
    return add_atom(p, (ddn_atom){ DDN_ATOM_WORD, (uint8_t)slot, (uint8_t)index });
}

static int tree_atom(parser *p, int slot, ddn_atom_kind kind, int wants, int side)
{
    p->t->layout.address[slot].wants |= (uint8_t)wants;
    return add_atom(p, (ddn_atom){ (uint8_t)kind, (uint8_t)slot, (uint8_t)side });
}

static int distance(parser *p)
{
    dodona_text rest;
    int a = address(p, &rest);
    if (a < 0)
        return a;
    if (rest.size || !accept(p, ','))
        return bad(p, "expected a comma between the addresses of d(a,b), found", p->at,
                   (size_t)(p->end - p->at));
    int b = address(p, &rest);
    if (b < 0)
        return b;
    if (rest.size || !accept(p, ')'))
        return bad(p, "expected ) after the addresses of d(a,b), found", p->at,
                   (size_t)(p->end - p->at));
    return add_atom(p, (ddn_atom){ DDN_ATOM_DISTANCE, (uint8_t)a, (uint8_t)b });
}

static int atom(parser *p)
{
    if (p->end - p->at >= 2 && memcmp(p->at, "d(", 2) == 0) {
        p->at += 2;
        return distance(p);
    }
    const char *start = p->at;
    dodona_text a;
    int slot = address(p, &a);
    if (slot < 0)
        return slot;
    if (a.size == 0)
        return bad(p, "expected an attribute, like .w or .t, after", start,
                   (size_t)(p->at - start));
    if (p->use == DDN_FOR_ARCS &&
        (is(a, "l") || is(a, "vl") || is(a, "vr") || is(a, "sl") || is(a, "sr")))
        return bad(p, WORDS_ONLY, a.data, a.size);
    if (is(a, "l"))
        return tree_atom(p, slot, DDN_ATOM_LABEL, DDN_WANTS_LABEL, 0);
    if (is(a, "vl") || is(a, "vr"))
        return tree_atom(p, slot, DDN_ATOM_VALENCY, DDN_WANTS_VALENCY, a.data[1] == 'r');
    if (is(a, "sl") || is(a, "sr"))
        return tree_atom(p, slot, DDN_ATOM_SET, DDN_WANTS_SET, a.data[1] == 'r');
    return word_atom(p, slot, a);
}

static bool atom_sees_p(const ddn_templates *t, const ddn_atom *a)
{
    return ddn_layout_placed(&t->layout, a->slot) ||
           (a->kind == DDN_ATOM_DISTANCE && ddn_layout_placed(&t->layout, a->detail));
}

static bool sees_p(const ddn_templates *t, const struct ddn_template *line)
{
    for (int i = 0; i < line->arity; i++)
        if (atom_sees_p(t, &t->atom[line->atom[i]]))
            return true;
    return false;
}

static int template(parser *p)
{
    ddn_templates *t = p->t;
    if (t->templates == DDN_MAX_TEMPLATES)
        return full(p, "templates", DDN_MAX_TEMPLATES);
    int arity = 0;
    do {
        int index = atom(p);
        if (index < 0)
            return index;
        if (arity == DDN_MAX_ARITY)
            return full(p, "atoms in a template", DDN_MAX_ARITY);
        t->line[t->templates].atom[arity++] = (uint8_t)index;
    } while (accept(p, '+'));
    if (p->at != p->end)
        return bad(p, "expected + or the end of the line, found", p->at, (size_t)(p->end - p->at));
    struct ddn_template *line = &t->line[t->templates++];
    line->use = p->use;
    line->arity = (uint8_t)arity;
    line->sees_p = sees_p(t, line);
    line->number = (int32_t)p->line;
    return DODONA_OK;
}

/* Both ends of an arc are always seen. */
static int arcs_heading(parser *p)
{
    p->use = DDN_FOR_ARCS;
    int head = arc_slot(p, (dodona_text){ "h", 1 });
    return head < 0 ? head : arc_slot(p, (dodona_text){ "m", 1 });
}

static int heading(parser *p)
{
    dodona_text t = { p->at, (size_t)(p->end - p->at) };
    if (is(t, "[moves]"))
        p->use = DDN_FOR_MOVES;
    else if (is(t, "[labels]"))
        p->use = DDN_FOR_LABELS;
    else if (is(t, "[both]"))
        p->use = DDN_FOR_MOVES | DDN_FOR_LABELS;
    else if (is(t, "[arcs]"))
        return arcs_heading(p);
    else
        return bad(p, "expected [moves], [labels], [both] or [arcs], found", t.data, t.size);
    return DODONA_OK;
}

/* By use, and by whether p is seen, so that what sees p stands together. */
static void sort_by_use(ddn_templates *t)
{
    enum { BOTH = DDN_FOR_MOVES | DDN_FOR_LABELS };
    static const struct {
        uint8_t use;
        bool sees_p;
    } order[] = { { BOTH, false },          { BOTH, true },           { DDN_FOR_MOVES, true },
                  { DDN_FOR_MOVES, false }, { DDN_FOR_LABELS, true }, { DDN_FOR_LABELS, false },
                  { DDN_FOR_ARCS, true } };
    struct ddn_template sorted[DDN_MAX_TEMPLATES];
    enum { USES = sizeof order / sizeof *order };
    int count = 0, after[USES];
    for (int u = 0; u < USES; u++) {
        for (int i = 0; i < t->templates; i++)
            if (t->line[i].use == order[u].use && t->line[i].sees_p == order[u].sees_p)
                sorted[count++] = t->line[i];
        after[u] = count;
    }
    memcpy(t->line, sorted, (size_t)count * sizeof *sorted);
    t->from = after[0];
    t->both = after[1];
    t->to = after[2];
    t->moves = after[3];
    t->labels = after[4];
    t->arcs = after[5];
    t->layout.arcs = t->arcs < count;
}

/* Those that see p come last. */
static void sort_atoms(ddn_templates *t)
{
    ddn_atom sorted[DDN_MAX_ATOMS];
    uint8_t number[DDN_MAX_ATOMS];
    int count = 0;
    for (int sees = 0; sees < 2; sees++) {
        t->plain = count;
        for (int i = 0; i < t->atoms; i++)
            if (atom_sees_p(t, &t->atom[i]) == sees) {
                number[i] = (uint8_t)count;
                sorted[count++] = t->atom[i];
            }
    }
    memcpy(t->atom, sorted, (size_t)count * sizeof *sorted);
    for (int i = 0; i < t->templates; i++)
        for (int j = 0; j < t->line[i].arity; j++)
            t->line[i].atom[j] = number[t->line[i].atom[j]];
}

/* The line without its comment and without spaces at both ends. */
static void trim(parser *p)
{
    const char *comment = memchr(p->at, '#', (size_t)(p->end - p->at));
    if (comment)
        p->end = comment;
    while (p->at < p->end && strchr(" \t\r", *p->at) && *p->at)
        p->at++;
    while (p->at < p->end && strchr(" \t\r", p->end[-1]) && p->end[-1])
        p->end--;
}

/* Where there are templates for arcs, only they score labels and see the ends of arcs. */
static int check_arcs(const ddn_templates *t, const char *name, dodona_error *err)
{
    for (int i = 0; i < t->arcs; i++) {
        if (t->line[i].use & DDN_FOR_LABELS)
            return ddn_fail_at(err, DODONA_E_INPUT, name, t->line[i].number,
                               "with [arcs], relations are scored by the templates there; put this "
                               "one below [moves] or [arcs]");
        if (t->line[i].sees_p)
            return ddn_fail_at(err, DODONA_E_INPUT, name, t->line[i].number,
                               "with [arcs], the arc of a move is seen by the templates there, and "
                               "not from p or c");
    }
    return DODONA_OK;
}

int ddn_templates_compile(ddn_templates *t, const char *text, size_t size, const char *name,
                          dodona_error *err)
{
    parser p = { .t = t, .name = name, .err = err, .use = DDN_FOR_MOVES | DDN_FOR_LABELS };
    memset(t, 0, sizeof *t);
    for (const char *at = text, *end = size ? text + size : text; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        p.at = at;
        p.end = newline ? newline : end;
        p.line++;
        at = newline ? newline + 1 : end;
        trim(&p);
        if (p.at == p.end)
            continue;
        int status = *p.at == '[' ? heading(&p) : template(&p);
        if (status < 0)
            return status;
    }
    sort_by_use(t);
    sort_atoms(t);
    if (ddn_templates_see_arcs(t))
        return check_arcs(t, name, err);
    if (t->moves == 0 || (t->both == 0 && t->moves == t->templates))
        return ddn_fail_at(err, DODONA_E_INPUT, name, 0,
                           "expected at least one template for moves and one for labels");
    return DODONA_OK;
}

/* ---- What is read ---- */

static void put_atom(const ddn_templates *t, int atom, char *buf, size_t size)
{
    static const char *const sided[] = { "vl", "vr", "sl", "sr" };
    const ddn_atom *a = &t->atom[atom];
    const ddn_source *source = &t->source[a->kind == DDN_ATOM_WORD ? a->detail : 0];
    if (a->kind == DDN_ATOM_DISTANCE) {
        char one[128], two[128];
        ddn_layout_describe(&t->layout, a->slot, one, sizeof one);
        ddn_layout_describe(&t->layout, a->detail, two, sizeof two);
        snprintf(buf, size, "d(%s,%s)", one, two);
        return;
    }
    size_t at = ddn_layout_describe(&t->layout, a->slot, buf, size);
    buf += at;
    size -= at;
    if (a->kind == DDN_ATOM_LABEL)
        snprintf(buf, size, ".l");
    else if (a->kind != DDN_ATOM_WORD)
        snprintf(buf, size, ".%s", sided[(a->kind == DDN_ATOM_SET) * 2 + a->detail]);
    else if (source->attribute == ':')
        snprintf(buf, size, ".f:%s", source->name);
    else if (source->length)
        snprintf(buf, size, ".%c%d", source->attribute, source->length);
    else
        snprintf(buf, size, ".%c", source->attribute);
}

/* The line of the first template with that atom. */
static int32_t line_of(const ddn_templates *t, int atom)
{
    int32_t line = INT32_MAX;
    for (int i = 0; i < t->templates; i++)
        for (int j = 0; j < t->line[i].arity; j++)
            if (t->line[i].atom[j] == atom && t->line[i].number < line)
                line = t->line[i].number;
    return line;
}

static void describe(const void *of, int atom, char *buf, size_t size)
{
    char name[400];
    put_atom(of, atom, name, sizeof name);
    snprintf(buf, size, "'%s' (line %d of the templates)", name, (int)line_of(of, atom));
}

ddn_reads ddn_templates_reads(const ddn_templates *t)
{
    return (ddn_reads){ t->atoms, t->atom, t, describe };
}
