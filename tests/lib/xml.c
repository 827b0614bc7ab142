/* SPDX-License-Identifier: MIT */
#include "lib/xml.h"

#include "core/utf8.h"
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { DEPTH = 32, ATTRIBUTES = 16 };

typedef struct name {
    const char *at;
    size_t size;
} name;

typedef struct parser {
    const char *start, *at, *end;
    name open[DEPTH];
    int depth;
    int elements; /* below the top */
    const char *fault;
} parser;

static bool fail(parser *p, const char *fault)
{
    p->fault = p->fault ? p->fault : fault;
    return false;
}

static bool is_next(const parser *p, const char *text)
{
    size_t size = strlen(text);
    return (size_t)(p->end - p->at) >= size && memcmp(p->at, text, size) == 0;
}

static bool skip(parser *p, const char *text)
{
    bool there = is_next(p, text);
    p->at += there ? strlen(text) : 0;
    return there;
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '-' || c == ':';
}

static bool read_name(parser *p, name *out)
{
    out->at = p->at;
    while (p->at < p->end && is_name(*p->at))
        p->at++;
    out->size = (size_t)(p->at - out->at);
    return out->size ? true : fail(p, "no name");
}

static bool same(name a, name b)
{
    return a.size == b.size && memcmp(a.at, b.at, a.size) == 0;
}

/* One character of text or of a value. */
static bool character(parser *p)
{
    static const char *const entities[] = { "&amp;", "&lt;", "&gt;", "&quot;", "&#39;" };
    unsigned char c = (unsigned char)*p->at;
    if (c == '&') {
        for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
            if (skip(p, entities[i]))
                return true;
        return fail(p, "a bare &");
    }
    if (c == '<')
        return fail(p, "a bare <");
    if ((c < 0x20 && c != '\t' && c != '\n') || c == 0x7f)
        return fail(p, "a control character");
    if (is_next(p, "\xef\xbf\xbe") || is_next(p, "\xef\xbf\xbf"))
        return fail(p, "a character that is none");
    if (c == 0xc2 && p->at + 1 < p->end && (unsigned char)p->at[1] < 0xa0)
        return fail(p, "a control character");
    p->at++;
    return true;
}

static bool attributes(parser *p)
{
    name seen[ATTRIBUTES];
    for (int count = 0; skip(p, " "); count++) {
        if (count == ATTRIBUTES || !read_name(p, &seen[count]))
            return fail(p, "too many attributes");
        for (int i = 0; i < count; i++)
            if (same(seen[i], seen[count]))
                return fail(p, "an attribute again");
        if (!skip(p, "=\""))
            return fail(p, "an attribute without a value in quotes");
        while (p->at < p->end && *p->at != '"')
            if (!character(p))
                return false;
        if (!skip(p, "\""))
            return fail(p, "a value without an end");
    }
    return true;
}

/* Text that is as it stands, up to its end. */
static bool literal(parser *p)
{
    while (p->at < p->end && !is_next(p, "]]>"))
        p->at++;
    return skip(p, "]]>") && p->depth > 0 ? true : fail(p, "CDATA without an end or a place");
}

static bool tag(parser *p)
{
    name n;
    if (skip(p, "<![CDATA["))
        return literal(p);
    if (skip(p, "</"))
        return read_name(p, &n) && skip(p, ">") && p->depth > 0 && same(p->open[--p->depth], n)
                   ? true
                   : fail(p, "an end of something else");
    p->elements += p->depth == 0;
    p->at++;
    if (!read_name(p, &n) || !attributes(p))
        return fail(p, "no tag");
    if (skip(p, "/>"))
        return true;
    if (!skip(p, ">") || p->depth == DEPTH)
        return fail(p, "a tag without an end");
    p->open[p->depth++] = n;
    return true;
}

const char *test_xml(const char *data, size_t size, size_t *at)
{
    parser p = { .start = data, .at = data, .end = data + size };
    *at = ddn_utf8_check(data, size);
    if (*at < size)
        return "not UTF-8";
    skip(&p, "<!DOCTYPE html>\n");
    while (p.at < p.end && !p.fault) {
        if (*p.at == '<')
            tag(&p);
        else if (p.depth == 0 && *p.at != '\n')
            fail(&p, "text outside");
        else
            character(&p);
    }
    if (!p.fault && (p.depth || p.elements != 1))
        p.fault = "not one element that is closed";
    *at = (size_t)(p.at - data);
    return p.fault;
}
