/* SPDX-License-Identifier: MIT */
/* sink.c - the output comes into place last, so that what stands beside it is complete when it is
 * there. */
#include "cli/sink.h"

#include "cli/files.h"
#include "cli/interrupt.h"

#include <string.h>

static int put(ddn_output *o, dodona_text line, dodona_error *err)
{
    ddn_put(o, line.data, line.size);
    if (o->error.code < 0)
        *err = o->error;
    return o->error.code;
}

int ddn_sink_moves(void *sink, dodona_text line, dodona_error *err)
{
    return put(&((ddn_sink *)sink)->moves, line, err);
}

int ddn_sink_push(void *sink, dodona_sentence *s, dodona_error *err)
{
    ddn_sink *to = sink;
    if (ddn_interrupted())
        return ddn_fail(err, DODONA_E_CANCELLED, "interrupted");
    const dodona_error *fault = dodona_sentence_fault(s);
    if (fault && to->unparsed++ == 0)
        to->first = *fault;
    int status = dodona_writer_push(to->writer, s, err);
    const char *fallback = dodona_sentence_fallback(s);
    to->fallback = fallback ? fallback : to->fallback;
    to->fallbacks += fallback != NULL;
    dodona_text forest = dodona_sentence_forest(s);
    return status < 0 || forest.size == 0 ? status : put(&to->forest, forest, err);
}

int ddn_sink_open(ddn_sink *to, const ddn_sink_options *o, dodona_error *err)
{
    int status = 0;
    *to = (ddn_sink){ .options = o };
    ddn_output_memory(&to->moves);
    ddn_output_memory(&to->forest);
    if (o->trace)
        status = ddn_output_open(&to->moves, o->trace, err);
    if (status >= 0 && o->forest)
        status = ddn_output_open(&to->forest, o->forest, err);
    if (status >= 0)
        status = ddn_writer_open(o->format, o->path, &to->writer, err);
    if (status >= 0 && o->flush)
        dodona_writer_flush(to->writer, 1);
    if (status < 0) {
        ddn_output_abandon(&to->moves);
        ddn_output_abandon(&to->forest);
    }
    return status;
}

int ddn_sink_close(ddn_sink *to, int status, dodona_error *err)
{
    dodona_error late;
    int closed = DODONA_OK;
    bool standard = strcmp(to->options->path, "-") == 0;
    if (status >= 0 && to->options->trace)
        closed = ddn_output_close(&to->moves, &late);
    if (status >= 0 && closed >= 0 && to->options->forest)
        closed = ddn_output_close(&to->forest, &late);
    if (standard || (status >= 0 && closed >= 0)) {
        dodona_error last;
        int written = dodona_writer_close(to->writer, &last);
        late = closed < 0 ? late : last;
        closed = closed < 0 ? closed : written;
    } else {
        dodona_writer_abandon(to->writer);
    }
    ddn_output_abandon(&to->moves);
    ddn_output_abandon(&to->forest);
    if (status >= 0 && closed < 0)
        *err = late;
    return status < 0 ? status : closed;
}
