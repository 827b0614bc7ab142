/* SPDX-License-Identifier: MIT */
/* lemma_rule.c - finding a rule: the form in each casing is compared with the lemma, and the casing
 * with the longest common substring wins, the earlier one of equals.  What is around the substring
 * is dropped and added.  Quadratic in the length of the words. */
#include "pipeline/lemma_rule.h"

#include "core/array.h"
#include "pipeline/words.h"

#include <stdlib.h>
#include <utf8proc.h>

void ddn_cased_init(ddn_cased *c)
{
    memset(c, 0, sizeof *c);
}

void ddn_cased_fini(ddn_cased *c)
{
    free(c->buffer);
    ddn_cased_init(c);
}

static size_t room_for(dodona_text form)
{
    return 2 * form.size + 4;
}

int ddn_cased_set(ddn_cased *c, dodona_text form, dodona_error *err)
{
    if (!ddn_reserve(&c->buffer, &c->capacity, 3 * room_for(form), 1))
        return ddn_fail_memory(err);
    c->form = form;
    memset(c->as, 0, sizeof c->as);
    c->as[DDN_CASE_KEEP] = form;
    return DODONA_OK;
}

/* The first letter in upper case. */
static size_t raise(dodona_text t, char *out)
{
    size_t first = 1;
    while (first < t.size && ((unsigned char)t.data[first] & 0xc0) == 0x80)
        first++;
    first = first < t.size ? first : t.size;
    size_t made = ddn_upper(t.data, first, out);
    memcpy(out + made, t.data + first, t.size - first);
    return made + t.size - first;
}

static dodona_text cased(ddn_cased *c, ddn_casing casing)
{
    dodona_text *t = &c->as[casing];
    if (t->data)
        return *t;
    if (casing == DDN_CASE_LOWER) {
        *t = (dodona_text){ c->buffer, ddn_lower(c->form.data, c->form.size, c->buffer) };
        return *t;
    }
    char *out = c->buffer + room_for(c->form);
    if (casing == DDN_CASE_UPPER) {
        *t = (dodona_text){ out, ddn_upper(c->form.data, c->form.size, out) };
    } else {
        out += room_for(c->form);
        *t = (dodona_text){ out, raise(cased(c, DDN_CASE_LOWER), out) };
    }
    return *t;
}

/* ---- Finding ---- */

static bool begins(dodona_text t, size_t at)
{
    return at >= t.size || ((unsigned char)t.data[at] & 0xc0) != 0x80;
}

/* The longest common substring of whole characters, the first of equals. */
static size_t common(dodona_text a, dodona_text b, size_t *in_a, size_t *in_b)
{
    size_t best = 0;
    for (size_t i = 0; i + best < a.size; i++)
        for (size_t j = 0; begins(a, i) && j + best < b.size; j++) {
            size_t k = 0;
            if (!begins(b, j))
                continue;
            while (i + k < a.size && j + k < b.size && a.data[i + k] == b.data[j + k])
                k++;
            while (k > 0 && !(begins(a, i + k) && begins(b, j + k)))
                k--;
            if (k > best) {
                best = k;
                *in_a = i;
                *in_b = j;
            }
        }
    return best;
}

static void put_rule(ddn_output *o, const ddn_lemma_rule *r)
{
    const dodona_text part[] = { r->drop_before, r->add_before, r->drop_behind, r->add_behind };
    char casing = (char)('0' + r->casing);
    o->size = 0;
    ddn_put(o, &casing, 1);
    for (int i = 0; i < 4; i++) {
        ddn_put(o, "\t", 1);
        ddn_put(o, part[i].data, part[i].size);
    }
}

void ddn_lemma_rule_find(ddn_cased *c, dodona_text lemma, ddn_output *o)
{
    enum { LONGEST = 400 }; /* bytes; longer words are taken whole */
    size_t best = 0, at = 0, in_lemma = 0;
    ddn_lemma_rule r = { .casing = DDN_CASE_WHOLE };
    for (int k = 0; k < DDN_CASINGS && c->form.size + lemma.size <= LONGEST; k++) {
        size_t i = 0, j = 0, size = common(cased(c, (ddn_casing)k), lemma, &i, &j);
        if (size <= best)
            continue;
        best = size;
        at = i;
        in_lemma = j;
        r.casing = (ddn_casing)k;
    }
    dodona_text from = cased(c, best ? r.casing : DDN_CASE_LOWER);
    r.drop_before = (dodona_text){ from.data, at };
    r.add_before = (dodona_text){ lemma.data, in_lemma };
    r.drop_behind = (dodona_text){ from.data + at + best, from.size - at - best };
    r.add_behind = (dodona_text){ lemma.data + in_lemma + best, lemma.size - in_lemma - best };
    put_rule(o, &r);
}

void ddn_lemma_rule_whole(ddn_cased *c, dodona_text lemma, ddn_output *o)
{
    put_rule(o, &(ddn_lemma_rule){ .casing = DDN_CASE_WHOLE,
                                   .drop_behind = cased(c, DDN_CASE_LOWER),
                                   .add_behind = lemma });
}

void ddn_lemma_rule_none(ddn_output *o)
{
    put_rule(o, &(ddn_lemma_rule){ .casing = DDN_CASE_NONE, .add_before = { "_", 1 } });
}

/* ---- Using ---- */

bool ddn_lemma_rule_read(ddn_lemma_rule *r, dodona_text text)
{
    dodona_text *part[] = { &r->drop_before, &r->add_before, &r->drop_behind, &r->add_behind };
    const char *at = text.data + 1, *end = text.data + text.size;
    if (text.size < 1 || text.data[0] < '0' || text.data[0] > '0' + DDN_CASE_NONE)
        return false;
    r->casing = (ddn_casing)(text.data[0] - '0');
    for (int i = 0; i < 4; i++) {
        if (at >= end || *at != '\t')
            return false;
        const char *tab = memchr(at + 1, '\t', (size_t)(end - at - 1));
        const char *stop = tab ? tab : end;
        *part[i] = (dodona_text){ at + 1, (size_t)(stop - at - 1) };
        at = stop;
    }
    return at == end;
}

bool ddn_lemma_rule_is_casing(const ddn_lemma_rule *r)
{
    return r->casing < DDN_CASE_WHOLE && !r->drop_before.size && !r->add_before.size &&
           !r->drop_behind.size && !r->add_behind.size;
}

bool ddn_lemma_rule_applies(const ddn_lemma_rule *r, ddn_cased *c)
{
    if (r->casing == DDN_CASE_NONE)
        return true;
    bool whole = r->casing == DDN_CASE_WHOLE;
    dodona_text t = cased(c, whole ? DDN_CASE_LOWER : r->casing);
    size_t before = r->drop_before.size, behind = r->drop_behind.size;
    if (before > t.size || behind > t.size - before || (whole && before + behind != t.size))
        return false;
    return memcmp(t.data, r->drop_before.data, before) == 0 &&
           memcmp(t.data + t.size - behind, r->drop_behind.data, behind) == 0;
}

dodona_text ddn_lemma_rule_kept(const ddn_lemma_rule *r, ddn_cased *c)
{
    if (r->casing >= DDN_CASE_WHOLE)
        return (dodona_text){ "", 0 };
    dodona_text t = cased(c, r->casing);
    return (dodona_text){ t.data + r->drop_before.size,
                          t.size - r->drop_before.size - r->drop_behind.size };
}

void ddn_lemma_rule_apply(const ddn_lemma_rule *r, ddn_cased *c, ddn_output *o)
{
    dodona_text kept = ddn_lemma_rule_kept(r, c);
    o->size = 0;
    ddn_put(o, r->add_before.data, r->add_before.size);
    ddn_put(o, kept.data, kept.size);
    ddn_put(o, r->add_behind.data, r->add_behind.size);
}
