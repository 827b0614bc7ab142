/* SPDX-License-Identifier: MIT */
/* xml_write.c - what has a meaning in XML is written by name; all other UTF-8 stands for itself.
 *
 * XML 1.0 (fifth edition), 2.2: there is no way to write the control characters below U+0020 but
 * for tab and line ends, nor U+FFFE and U+FFFF.  Those from U+007F to U+009F are allowed but HTML
 * does not want them. */
#include "io/xml_write.h"

/* What stands for the character at p, with its length in *size; NULL: itself. */
typedef const char *stand_in(const unsigned char *p, size_t left, size_t *size);

/* Characters that must not stand anywhere. */
static const char *forbidden(const unsigned char *p, size_t left, size_t *size)
{
    static const char none[] = "\xef\xbf\xbd";
    if ((p[0] < 0x20 && p[0] != '\t') || p[0] == 0x7f)
        return none;
    if (p[0] == 0xc2 && left > 1 && p[1] < 0xa0) {
        *size = 2;
        return none;
    }
    if (p[0] == 0xef && left > 2 && p[1] == 0xbf && p[2] >= 0xbe) {
        *size = 3;
        return none;
    }
    return NULL;
}

static const char *in_xml(const unsigned char *p, size_t left, size_t *size)
{
    *size = 1;
    switch (p[0]) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return forbidden(p, left, size);
    }
}

static const char *in_json(const unsigned char *p, size_t left, size_t *size)
{
    *size = 1;
    switch (p[0]) {
    case '<':
        return "\\u003c";
    case '>':
        return "\\u003e";
    case '&':
        return "\\u0026";
    default:
        return forbidden(p, left, size);
    }
}

static void put(ddn_output *o, dodona_text t, stand_in *in_place_of)
{
    size_t from = 0, at = 0;
    while (at < t.size) {
        size_t size;
        const char *in_place = in_place_of((const unsigned char *)t.data + at, t.size - at, &size);
        if (in_place) {
            ddn_put(o, t.data + from, at - from);
            ddn_puts(o, in_place);
            from = at + size;
        }
        at += size;
    }
    if (from < at) /* nothing may be NULL */
        ddn_put(o, t.data + from, at - from);
}

void ddn_xml_put(ddn_output *o, dodona_text t)
{
    put(o, t, in_xml);
}

void ddn_xml_put_json(ddn_output *o, dodona_text t)
{
    put(o, t, in_json);
}
