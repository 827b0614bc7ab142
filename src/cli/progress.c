/* SPDX-License-Identifier: MIT */
/* progress.c - bars, rates and times left.
 *
 * The time left of training is that of this run so far, times the work that is left over the work
 * that is done; the work is counted in iterations and parts of them. */
#include "cli/progress.h"

#include "cli/cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BAR = 24 };
static const double REDRAW = 0.1, SPARSE = 10; /* seconds between two drawings, or two lines */

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void ddn_progress_init(ddn_progress *p, bool quiet, bool prints_output)
{
    bool terminal = isatty(STDERR_FILENO);
    bool mixed = terminal && prints_output && isatty(STDOUT_FILENO);
    *p = (ddn_progress){ .quiet = quiet || mixed, .terminal = terminal, .began = seconds() };
    p->shown = p->iteration_began = p->began;
}

double ddn_progress_seconds(const ddn_progress *p)
{
    return seconds() - p->began;
}

void ddn_progress_clear(ddn_progress *p)
{
    if (p->drawn)
        fputs("\r\033[K", stderr);
    p->drawn = false;
}

/* True when it is time to show something again. */
static bool is_due(ddn_progress *p)
{
    double now = seconds();
    if (p->quiet || now - p->shown < (p->terminal ? REDRAW : SPARSE))
        return false;
    p->shown = now;
    return true;
}

/* 75 s as 1:15, 3675 s as 1:01:15. */
static const char *clock_text(double s, char *buf, size_t size)
{
    int64_t all = (int64_t)(s + 0.5);
    int hours = (int)(all / 3600), minutes = (int)(all / 60 % 60), rest = (int)(all % 60);
    if (hours)
        snprintf(buf, size, "%d:%02d:%02d", hours, minutes, rest);
    else
        snprintf(buf, size, "%d:%02d", minutes, rest);
    return buf;
}

/* ---- Training ---- */

static double left(const ddn_progress *p, double done, int iterations)
{
    double here = done - (p->first - 1);
    return here > 0 ? ddn_progress_seconds(p) * (iterations - done) / here : 0;
}

static void put_bar(double part)
{
    char bar[BAR + 1];
    memset(bar, '.', BAR);
    memset(bar, '#', (size_t)(part * BAR));
    bar[BAR] = '\0';
    fprintf(stderr, "[%s] %3.0f%%", bar, part * 100);
}

static void draw_train(ddn_progress *p, const dodona_progress *now)
{
    double part = now->total ? (double)now->done / (double)now->total : 0;
    double spent = seconds() - p->iteration_began;
    bool dev = strcmp(now->phase, "dev") == 0;
    char time[32];
    double done = now->iteration - 1 + (dev ? 0.9 + part / 10 : part * 0.9);
    fprintf(stderr, "\r\033[Kiteration %d/%d %-5s ", now->iteration, now->iterations, now->phase);
    put_bar(part);
    if (!dev)
        fprintf(stderr, " %.0f words/s", spent > 0 ? (double)now->tokens / spent : 0);
    fprintf(stderr, " %s left ", clock_text(left(p, done, now->iterations), time, sizeof time));
    p->drawn = true;
}

static void end_iteration(ddn_progress *p, const dodona_progress *now)
{
    char time[32];
    ddn_progress_clear(p);
    fprintf(stderr, "iteration %d/%d: ", now->iteration, now->iterations);
    if (p->dev)
        fprintf(stderr, "UAS %.2f LAS %.2f on dev, ", now->uas, now->las);
    fprintf(stderr, "%.1f s, %s left\n", seconds() - p->iteration_began,
            clock_text(left(p, now->iteration, now->iterations), time, sizeof time));
}

static void put_figures(const dodona_progress *now, const char *on)
{
    for (int i = 0; i < now->figures; i++)
        fprintf(stderr, "%s%s %.2f", i ? " " : "", now->figure[i].name, now->figure[i].percent);
    if (now->figures)
        fprintf(stderr, " on %s, ", on);
}

/* What comes before the parser: a line when it begins, where nothing is redrawn, and a line when it
 * has ended; of folds a line each. */
static void draw_before(ddn_progress *p, const dodona_progress *now)
{
    double part = now->total ? 100 * (double)now->done / (double)now->total : 0;
    bool folds = strcmp(now->part, "jackknife") == 0;
    if (p->before != now->part)
        p->before_began = p->iteration_began = seconds();
    if (now->ended == 2 || (now->ended && folds)) {
        double *began = now->ended == 2 ? &p->before_began : &p->iteration_began;
        ddn_progress_clear(p);
        fputs(now->part, stderr);
        if (now->ended == 1)
            fprintf(stderr, " %d/%d", now->iteration, now->iterations);
        fputs(": ", stderr);
        put_figures(now, !folds ? "dev" : now->ended == 1 ? "the fold" : "the folds");
        fprintf(stderr, "%.1f s\n", seconds() - *began);
        *began = seconds();
    } else if (p->terminal && is_due(p)) {
        fprintf(stderr, "\r\033[K%s %d/%d %3.0f%%", now->phase, now->iteration, now->iterations,
                part);
        p->drawn = true;
    } else if (!p->terminal && p->before != now->part) {
        fprintf(stderr, "%s\n", now->phase);
    }
    p->before = now->part;
}

void ddn_progress_train(ddn_progress *p, const dodona_progress *now)
{
    if (p->quiet)
        return;
    if (now->message) {
        ddn_progress_clear(p);
        ddn_warn("%s", now->message);
        return;
    }
    if (strcmp(now->part, "parser") != 0) {
        draw_before(p, now);
        return;
    }
    if (p->iteration == 0) {
        p->first = now->iteration;
        p->began = p->shown = seconds();
        if (p->first > 1)
            fprintf(stderr, "going on after iteration %d, from the checkpoint\n", p->first - 1);
    }
    if (p->iteration != now->iteration) {
        p->iteration = now->iteration;
        p->iteration_began = seconds();
    }
    if (strcmp(now->phase, "iteration") == 0)
        end_iteration(p, now);
    else if (p->terminal && is_due(p))
        draw_train(p, now);
}

/* ---- Parsing ---- */

static void show_counts(const ddn_progress *p)
{
    double spent = ddn_progress_seconds(p);
    fprintf(stderr, "%" PRId64 " sentences, %" PRId64 " words, %.0f words/s", p->sentences,
            p->words, spent > 0 ? (double)p->words / spent : 0);
}

/* What is read is ahead of what is parsed, so all of it is not the end. */
void ddn_progress_parse(ddn_progress *p, const dodona_progress *now, double part)
{
    char time[32];
    p->sentences = p->earlier_sentences + now->done;
    p->words = p->earlier_words + now->tokens;
    if (!is_due(p))
        return;
    double spent = ddn_progress_seconds(p), known = part < 0.99 ? part : 0.99;
    if (p->terminal)
        fputs("\r\033[K", stderr);
    if (p->terminal && part >= 0)
        put_bar(known);
    else if (part >= 0)
        fprintf(stderr, "%.0f%%", known * 100);
    if (part >= 0)
        fputs(" ", stderr);
    show_counts(p);
    if (part > 0)
        fprintf(stderr, ", %s left", clock_text(spent * (1 - known) / known, time, sizeof time));
    fputs(p->terminal ? " " : "\n", stderr);
    p->drawn = p->terminal;
    p->said = true;
}

void ddn_progress_next(ddn_progress *p)
{
    p->earlier_sentences = p->sentences;
    p->earlier_words = p->words;
}

void ddn_progress_end(ddn_progress *p)
{
    ddn_progress_clear(p);
    if (!p->said)
        return;
    show_counts(p);
    fputs("\n", stderr);
}
