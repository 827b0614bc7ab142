/* SPDX-License-Identifier: MIT */
/* replaced.c - the moves of a trace against the gold tree.
 *
 * A move replaces when it makes an arc and takes one away: the former arc of the same child, or one
 * that would have closed a cycle with the new arc.  It is gold when the arc that it makes is in the
 * gold tree; harmful when that is not, but one that it took away is.  All other replacing moves put
 * a wrong arc in the place of a wrong one.  The words of a trace are the system's, so the alignment
 * tells which gold words they are. */
#include "eval/replaced.h"

#include "core/buffer.h"
#include "io/trace_read.h"

/* The sentence of the system file whose words begin with first. */
typedef struct traced {
    const ddn_alignment *a;
    bool no_punct;
    uint32_t first;
} traced;

static bool counts(const traced *t, ddn_trace_arc arc)
{
    return ddn_counts_system(t->a, t->no_punct, t->first + (uint32_t)arc.child - 1);
}

static bool is_gold(const traced *t, ddn_trace_arc arc)
{
    uint32_t child = t->a->to_gold[t->first + (uint32_t)arc.child - 1];
    if (child == DDN_NO_WORD)
        return false;
    uint32_t want = t->a->gold->word[child].head;
    if (arc.head == 0 || want == DDN_NO_WORD)
        return arc.head == 0 && want == DDN_NO_WORD;
    return t->a->to_gold[t->first + (uint32_t)arc.head - 1] == want;
}

static void count_move(ddn_replaced *r, const traced *t, const ddn_trace_arc *made, size_t mades,
                       const ddn_trace_arc *removed, size_t removeds)
{
    bool makes = false, gold = false, replaces = false, loses = false;
    for (size_t i = 0; i < mades; i++)
        if (counts(t, made[i])) {
            makes = true;
            gold = gold || is_gold(t, made[i]);
        }
    for (size_t i = 0; i < removeds; i++)
        if (counts(t, removed[i])) {
            replaces = true;
            loses = loses || is_gold(t, removed[i]);
        }
    r->arcs += makes;
    r->replacing += makes && replaces;
    r->gold += makes && replaces && gold;
    r->harmful += makes && replaces && !gold && loses;
}

static const char *name_of(const ddn_corpus *c)
{
    return c->name ? c->name : "the system's file";
}

static int count_sentence(ddn_replaced *r, const ddn_alignment *a, bool no_punct, size_t sentence,
                          const ddn_trace *trace, dodona_error *err)
{
    const ddn_corpus *c = a->system;
    if (sentence >= c->sentences)
        return ddn_fail(err, DODONA_E_INPUT,
                        "the trace has more sentences than %.200s, which has "
                        "%zu",
                        name_of(c), c->sentences);
    traced t = { a, no_punct, c->sentence[sentence] };
    uint32_t words = ddn_corpus_sentence_end(c, sentence) - t.first;
    if ((uint32_t)trace->words != words)
        return ddn_fail(err, DODONA_E_INPUT,
                        "the trace is of another sentence: it has %d words, the one at line %lld "
                        "of %.200s has %u",
                        (int)trace->words, (long long)c->word[t.first].line, name_of(c),
                        (unsigned)words);
    for (size_t i = 0; i < trace->moves; i++) {
        const ddn_trace_move *m = &trace->move[i];
        const ddn_trace_arc *arc = trace->arc + m->first;
        count_move(r, &t, arc, m->made, arc + m->made, m->removed);
    }
    return DODONA_OK;
}

static int count_lines(ddn_replaced *r, const ddn_alignment *a, bool no_punct, ddn_buffer *b,
                       size_t *line, dodona_error *err)
{
    ddn_trace trace;
    size_t size = 0;
    int status;
    ddn_trace_init(&trace);
    while ((status = ddn_buffer_line(b, &size, err)) >= 0 && size > 0) {
        status = ddn_trace_read(&trace, (dodona_text){ b->data + b->at, size }, err);
        if (status >= 0)
            status = count_sentence(r, a, no_punct, *line, &trace, err);
        if (status < 0)
            break;
        b->at += size;
        ++*line;
    }
    ddn_trace_fini(&trace);
    if (status >= 0 && *line < a->system->sentences)
        status = ddn_fail(err, DODONA_E_INPUT, "the trace ends here, and %.200s has %zu sentences",
                          name_of(a->system), a->system->sentences);
    return status;
}

int ddn_replaced_read(ddn_replaced *r, const ddn_alignment *a, bool no_punct, const char *path,
                      dodona_error *err)
{
    ddn_input *in;
    ddn_buffer buffer;
    dodona_error why = { 0 };
    size_t line = 0;
    *r = (ddn_replaced){ 0 };
    int status = ddn_input_open(&in, path, err);
    if (status >= 0)
        status = ddn_buffer_init(&buffer, in, err);
    if (status < 0)
        return status;
    status = count_lines(r, a, no_punct, &buffer, &line, &why);
    if ((status == DODONA_E_INPUT || status == DODONA_E_LIMIT) && !why.file[0])
        ddn_fail_at(err, why.code, ddn_input_name(in), (int64_t)line + 1, "%s", why.message);
    else if (status < 0 && err)
        *err = why;
    ddn_buffer_fini(&buffer);
    return status;
}
