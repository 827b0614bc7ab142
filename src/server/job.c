/* SPDX-License-Identifier: MIT */
/* job.c - reads, writes and wraps the sentences of a job. */
#include "server/job.h"

#include "core/error.h"
#include "core/json.h"

#include <stdlib.h>
#include <string.h>

ddn_job *ddn_job_new(const ddn_served *served)
{
    ddn_job *j = calloc(1, sizeof *j);
    if (!j)
        return NULL;
    j->served = served;
    dodona_parse_options_init(&j->options);
    ddn_output_memory(&j->head);
    ddn_output_memory(&j->tail);
    ddn_output_memory(&j->made);
    ddn_output_memory(&j->ready);
    return j;
}

void ddn_job_free(ddn_job *j)
{
    if (!j)
        return;
    dodona_reader_close(j->reader);
    dodona_writer_abandon(j->writer);
    ddn_output_abandon(&j->head);
    ddn_output_abandon(&j->tail);
    ddn_output_abandon(&j->made);
    ddn_output_abandon(&j->ready);
    free(j->data);
    free(j);
}

static ptrdiff_t read_data(void *ctx, char *buf, size_t size, dodona_error *err)
{
    (void)err;
    ddn_job *j = ctx;
    size_t left = j->size - j->at, part = left < size ? left : size;
    memcpy(buf, j->data + j->at, part);
    j->at += part;
    return (ptrdiff_t)part;
}

/* Whether it takes a tokenizer to read it. */
static bool is_text(dodona_format input)
{
    return input == DODONA_TEXT || input == DODONA_PRESEGMENTED;
}

static int open_reader(ddn_job *j, dodona_error *err)
{
    dodona_reader_options o;
    dodona_reader_options_init(&o);
    o.format = j->input;
    o.model = j->served->model;
    j->at = 0;
    return dodona_reader_open_callback(read_data, j, "data", &o, &j->reader, err);
}

static int check_all(ddn_job *j, dodona_error *err)
{
    dodona_sentence *s = dodona_sentence_new();
    int status = s ? open_reader(j, err) : ddn_fail_memory(err);
    while (status >= 0 && (status = dodona_reader_next(j->reader, s, err)) > 0)
        ;
    dodona_reader_close(j->reader);
    j->reader = NULL;
    dodona_sentence_free(s);
    return status;
}

static int write_made(void *ctx, const char *data, size_t size, dodona_error *err)
{
    ddn_job *j = ctx;
    dodona_text text = { data, size };
    if (j->wrapping == DDN_WRAP_STRING) {
        ddn_json_put_escaped(&j->made, text);
    } else if (j->wrapping == DDN_WRAP_LIST) {
        if (j->any)
            ddn_put(&j->made, ",", 1);
        ddn_put(&j->made, data, size && data[size - 1] == '\n' ? size - 1 : size);
    } else {
        ddn_put(&j->made, data, size);
    }
    return ddn_output_check(&j->made, err);
}

int ddn_job_begin(ddn_job *j, dodona_error *err)
{
    int status = is_text(j->input) ? DODONA_OK : check_all(j, err);
    if (status >= 0)
        status = open_reader(j, err);
    if (status >= 0)
        status = dodona_writer_open_callback(write_made, j, j->output, &j->writer, err);
    if (status < 0)
        return status;
    dodona_writer_flush(j->writer, 1);
    ddn_put(&j->made, j->head.data, j->head.size);
    return ddn_output_check(&j->made, err);
}

int ddn_job_read(ddn_job *j, dodona_sentence *s, dodona_error *err)
{
    return dodona_reader_next(j->reader, s, err);
}

int ddn_job_write(ddn_job *j, dodona_sentence *s, dodona_error *err)
{
    int status = dodona_writer_put(j->writer, s, err);
    j->any = true;
    j->made_sentences++;
    j->made_words += dodona_sentence_length(s);
    return status;
}

int ddn_job_end(ddn_job *j, dodona_error *err)
{
    int status = dodona_writer_close(j->writer, err);
    j->writer = NULL;
    ddn_put(&j->made, j->tail.data, j->tail.size);
    return status < 0 ? status : ddn_output_check(&j->made, err);
}

bool ddn_job_is_like(const ddn_job *a, const ddn_job *b)
{
    const dodona_parse_options *x = &a->options, *y = &b->options;
    return a->served == b->served && strcmp(a->search, b->search) == 0 &&
           strcmp(a->decoder, b->decoder) == 0 && x->beam == y->beam && x->kbest == y->kbest &&
           x->confidence == y->confidence && x->steps == y->steps && x->keep == y->keep &&
           x->roots_many == y->roots_many;
}
