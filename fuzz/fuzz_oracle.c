/* SPDX-License-Identifier: MIT */
/* fuzz_oracle.c - any bytes as a configuration, for every transition system, and as a trace.
 *
 * A configuration is answered, or refused with a reason.  Every number of a trace that is taken is
 * within its sentence. */
#include "dodona_research.h"
#include "io/trace_read.h"
#include "lib.h"
#include "system/system.h"

enum { LONGEST = 600, MOST_SYSTEMS = 16, LIMIT = 50 };

static dodona_oracle *opened(const char *system)
{
    dodona_oracle_options o;
    dodona_oracle *oracle;
    dodona_oracle_options_init(&o);
    o.system = system;
    o.limit = LIMIT;
    must(dodona_oracle_open(&o, &oracle, NULL) == DODONA_OK);
    return oracle;
}

static void ask(dodona_oracle *o, dodona_text line)
{
    static const char start[] = "{\"scores\":{";
    dodona_text answer;
    dodona_error err = { 0 };
    int code = dodona_oracle_answer(o, line, &answer, &err);
    if (code < 0) {
        must((code == DODONA_E_INPUT || code == DODONA_E_LIMIT) && err.message[0]);
        return;
    }
    must(answer.size > sizeof start && memcmp(answer.data, start, sizeof start - 1) == 0);
    must(answer.data[answer.size - 1] == '}');
}

static void read_trace(dodona_text line)
{
    ddn_trace t;
    dodona_error err = { 0 };
    ddn_trace_init(&t);
    if (ddn_trace_read(&t, line, &err) < 0)
        must(err.message[0]);
    else
        for (size_t i = 0; i < t.arcs; i++) {
            must(t.arc[i].head >= 0 && t.arc[i].head <= t.words);
            must(t.arc[i].child >= 1 && t.arc[i].child <= t.words);
        }
    ddn_trace_fini(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static dodona_oracle *oracle[MOST_SYSTEMS];
    dodona_text line = { (const char *)data, size };
    if (size > LONGEST)
        return 0;
    for (int i = 0; ddn_systems[i] && i < MOST_SYSTEMS; i++) {
        if (!oracle[i])
            oracle[i] = opened(ddn_systems[i]->name);
        ask(oracle[i], line);
    }
    read_trace(line);
    return 0;
}
