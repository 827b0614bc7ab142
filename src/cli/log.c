/* SPDX-License-Identifier: MIT */
#include "cli/log.h"

#include "core/error.h"
#include "core/json.h"

#include <errno.h>
#include <string.h>
#include <time.h>

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int fail(const ddn_log *l, const char *what, dodona_error *err)
{
    return ddn_fail_at(err, DODONA_E_IO, l->path, 0, "can't %s the log: %s", what, strerror(errno));
}

int ddn_log_open(ddn_log *l, const char *path, dodona_error *err)
{
    *l = (ddn_log){ .path = path, .began = seconds() };
    if (!path)
        return DODONA_OK;
    l->file = fopen(path, "ae");
    return l->file ? DODONA_OK : fail(l, "open", err);
}

int ddn_log_close(ddn_log *l, dodona_error *err)
{
    if (!l->file)
        return DODONA_OK;
    int bad = ferror(l->file);
    return fclose(l->file) != 0 || bad ? fail(l, "write", err) : DODONA_OK;
}

/* ---- Lines ---- */

typedef struct line {
    ddn_output out;
    ddn_json json;
} line;

static void begin(line *x, const ddn_log *l, const char *event)
{
    ddn_output_memory(&x->out);
    x->json = (ddn_json){ .out = &x->out };
    ddn_json_begin(&x->json, '{');
    ddn_json_string(ddn_json_key(&x->json, "event"), event);
    ddn_json_printf(ddn_json_key(&x->json, "seconds"), "%.3f", seconds() - l->began);
}

static void end(line *x, ddn_log *l)
{
    ddn_json_end(&x->json, '}');
    ddn_puts(&x->out, "\n");
    if (!x->out.error.code)
        fwrite(x->out.data, 1, x->out.size, l->file);
    fflush(l->file);
    ddn_output_abandon(&x->out);
}

static void put_string(line *x, const char *key, const char *value)
{
    if (value)
        ddn_json_string(ddn_json_key(&x->json, key), value);
}

static void put_scores(line *x, const char *on, const dodona_figure *figure, int figures)
{
    if (figures == 0)
        return;
    put_string(x, "on", on);
    ddn_json_begin(ddn_json_key(&x->json, "scores"), '{');
    for (int i = 0; i < figures; i++)
        ddn_json_printf(ddn_json_key(&x->json, figure[i].name), "%.2f", figure[i].percent);
    ddn_json_end(&x->json, '}');
}

void ddn_log_start(ddn_log *l, const char *model, const char *train, const char *dev)
{
    line x;
    if (!l->file)
        return;
    begin(&x, l, "start");
    put_string(&x, "version", dodona_version());
    put_string(&x, "model", model);
    put_string(&x, "train", train);
    put_string(&x, "dev", dev);
    end(&x, l);
}

void ddn_log_progress(ddn_log *l, const dodona_progress *now)
{
    line x;
    if (!l->file || !(now->ended || now->message))
        return;
    begin(&x, l, now->message ? "warning" : now->ended == 1 ? "iteration" : "part");
    put_string(&x, "message", now->message);
    put_string(&x, "part", now->part);
    if (now->ended == 1) {
        ddn_json_int(ddn_json_key(&x.json, "iteration"), now->iteration);
        ddn_json_int(ddn_json_key(&x.json, "iterations"), now->iterations);
        ddn_json_int(ddn_json_key(&x.json, "updates"), now->updates);
    }
    bool folds = now->part && strcmp(now->part, "jackknife") == 0;
    put_scores(&x, folds ? "folds" : "dev", now->figure, now->figures);
    end(&x, l);
}

void ddn_log_end(ddn_log *l, const char *model, const dodona_train_result *result)
{
    line x;
    const dodona_figure figure[] = { { "UAS", result->uas }, { "LAS", result->las } };
    if (!l->file)
        return;
    begin(&x, l, "end");
    put_string(&x, "model", model);
    if (result->best)
        ddn_json_int(ddn_json_key(&x.json, "best"), result->best);
    put_scores(&x, "dev", figure, result->las < 0 ? 0 : 2);
    end(&x, l);
}
