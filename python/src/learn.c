/* SPDX-License-Identifier: MIT */
/* learn.c - training, scoring and figures of treebanks. */
#include "binding.h"

#include <stdlib.h>
#include <string.h>

/* ---- Training ---- */

static PyObject *progress_dict(const dodona_progress *p)
{
    return Py_BuildValue("{s:s,s:L,s:L,s:L,s:i,s:i,s:d,s:d}", "phase", p->phase, "done",
                         (long long)p->done, "total", (long long)p->total, "tokens",
                         (long long)p->tokens, "iteration", p->iteration, "iterations",
                         p->iterations, "las", p->las, "uas", p->uas);
}

/* Calls progress(dict), which stops the work by an exception or by returning true. */
static int tell(PyObject *progress, const dodona_progress *p)
{
    if (PyErr_CheckSignals())
        return 1;
    if (Py_IsNone(progress))
        return 0;
    PyObject *dict = progress_dict(p);
    PyObject *answer = dict ? PyObject_CallFunctionObjArgs(progress, dict, NULL) : NULL;
    int stop = answer ? PyObject_IsTrue(answer) : 1;
    Py_XDECREF(dict);
    Py_XDECREF(answer);
    return stop != 0;
}

static int report(void *ctx, const dodona_progress *p)
{
    PyGILState_STATE state = PyGILState_Ensure();
    int stop = tell(ctx, p);
    PyGILState_Release(state);
    return stop;
}

static PyObject *result_dict(const dodona_train_result *r)
{
    return Py_BuildValue("{s:L,s:L,s:L,s:L,s:L,s:i,s:i,s:d,s:d}", "crossing",
                         (long long)r->crossing, "skipped", (long long)r->skipped, "given_up",
                         (long long)r->given_up, "tied", (long long)r->tied, "too_long",
                         (long long)r->too_long, "resumed", r->resumed, "best", r->best, "uas",
                         r->uas, "las", r->las);
}

static PyObject *train(const dodona_train_options *o, const py_source *from, const py_source *dev,
                       const char *path)
{
    dodona_train_result result;
    dodona_error err;
    PyThreadState *gil = PyEval_SaveThread();
    int status = dodona_train(o, &from->source, dev ? &dev->source : NULL, path, &result, &err);
    PyEval_RestoreThread(gil);
    return status < 0 ? py_fail(&err) : result_dict(&result);
}

/* train(options, train, dev or None, path, progress or None) -> dict */
PyObject *py_train(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *dict, *from, *dev, *to, *progress, *result = NULL;
    dodona_train_options o;
    py_source sources[2] = { 0 };
    dodona_train_options_init(&o);
    if (!PyArg_ParseTuple(args, "O!OOOO", &PyDict_Type, &dict, &from, &dev, &to, &progress))
        return NULL;
    PyObject *kept = PyList_New(0), *path = py_path(to);
    if (kept && path && py_options(dict, &o, dodona_train_option, kept)) {
        dodona_check check = o.roots_many ? DODONA_CHECK_TREE : DODONA_CHECK_ONE_ROOT;
        bool has_dev = !Py_IsNone(dev);
        o.report = report;
        o.report_ctx = progress;
        if (py_source_open(&sources[0], from, check, "train") &&
            (!has_dev || py_source_open(&sources[1], dev, check, "dev")))
            result = train(&o, &sources[0], has_dev ? &sources[1] : NULL, PyBytes_AsString(path));
        py_source_close(&sources[0]);
        py_source_close(&sources[1]);
    }
    Py_XDECREF(kept);
    Py_XDECREF(path);
    return result;
}

/* ---- Scoring ---- */

/* (JSON, table) */
static PyObject *print_scores(dodona_scores *scores)
{
    dodona_error err;
    dodona_text text;
    if (dodona_scores_print(scores, DODONA_JSON, &text, &err) < 0)
        return py_fail(&err);
    PyObject *json = py_text(text);
    if (json && dodona_scores_print(scores, DODONA_TEXT, &text, &err) < 0) {
        Py_DECREF(json);
        return py_fail(&err);
    }
    return json ? Py_BuildValue("(NN)", json, py_text(text)) : NULL;
}

static PyObject *evaluate(const dodona_eval_options *o, const py_source *sources, int systems)
{
    dodona_error err;
    dodona_scores *scores = NULL;
    dodona_source *all = calloc((size_t)systems + 1, sizeof *all);
    if (!all)
        return PyErr_NoMemory();
    for (int i = 0; i <= systems; i++)
        all[i] = sources[i].source;
    PyThreadState *gil = PyEval_SaveThread();
    int status = dodona_evaluate_systems(o, all, all + 1, systems, &scores, &err);
    PyEval_RestoreThread(gil);
    free(all);
    PyObject *printed = status < 0 ? py_fail(&err) : print_scores(scores);
    dodona_scores_free(scores);
    return printed;
}

/* evaluate(options, (gold, system, ...)) -> (JSON, table) */
PyObject *py_evaluate(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *dict, *files, *result = NULL;
    dodona_eval_options o;
    dodona_eval_options_init(&o);
    if (!PyArg_ParseTuple(args, "O!O!", &PyDict_Type, &dict, &PyTuple_Type, &files))
        return NULL;
    Py_ssize_t count = PyTuple_Size(files), opened = 0;
    if (count < 2 || count > 1000)
        return PyErr_Format(PyExc_ValueError, "expected gold and 1 to 999 systems");
    PyObject *kept = PyList_New(0);
    py_source *sources = calloc((size_t)count, sizeof *sources);
    bool done = kept && sources && py_options(dict, &o, dodona_eval_option, kept);
    for (; done && opened < count; opened++)
        done = py_source_open(&sources[opened], PyTuple_GetItem(files, opened),
                              DODONA_CHECK_ONE_ROOT, opened ? "system" : "gold");
    if (done)
        result = evaluate(&o, sources, (int)count - 1);
    else if (!PyErr_Occurred())
        PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < opened; i++)
        py_source_close(&sources[i]);
    free(sources);
    Py_XDECREF(kept);
    return result;
}

/* ---- Figures ---- */

/* Pulls all sentences of a source into whatever add counts with. */
static int count_all(const dodona_source *from,
                     int (*add)(void *, const dodona_sentence *, dodona_error *), void *to,
                     dodona_error *err)
{
    dodona_sentence *s = dodona_sentence_new();
    int status = s ? 1 : DODONA_E_MEMORY;
    if (!s)
        *err = (dodona_error){ .code = DODONA_E_MEMORY, .message = "out of memory" };
    while (status > 0) {
        status = from->pull(from->ctx, s, err);
        if (status > 0 && add(to, s, err) < 0)
            status = -1;
    }
    dodona_sentence_free(s);
    return status;
}

static int add_stats(void *stats, const dodona_sentence *s, dodona_error *err)
{
    return dodona_stats_add(stats, s, err);
}

static int add_coverage(void *coverage, const dodona_sentence *s, dodona_error *err)
{
    return dodona_coverage_add(coverage, s, err);
}

/* stats(from, name) -> JSON */
PyObject *py_stats(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *from, *result = NULL;
    const char *name;
    dodona_error err;
    dodona_text text;
    py_source source;
    if (!PyArg_ParseTuple(args, "Os", &from, &name))
        return NULL;
    dodona_stats *stats = dodona_stats_new();
    if (!stats)
        return PyErr_NoMemory();
    if (py_source_open(&source, from, DODONA_CHECK_FORM, "sentences")) {
        PyThreadState *gil = PyEval_SaveThread();
        int status = count_all(&source.source, add_stats, stats, &err);
        if (status >= 0)
            status = dodona_stats_print(stats, name, DODONA_JSON, &text, &err);
        PyEval_RestoreThread(gil);
        result = status < 0 ? py_fail(&err) : py_text(text);
    }
    py_source_close(&source);
    dodona_stats_free(stats);
    return result;
}

/* coverage(from, name, systems or None, one_root) -> JSON */
PyObject *py_coverage(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *from, *result = NULL;
    const char *name, *systems;
    int one_root;
    dodona_error err;
    dodona_text text;
    dodona_coverage *coverage;
    py_source source;
    if (!PyArg_ParseTuple(args, "Oszp", &from, &name, &systems, &one_root))
        return NULL;
    if (dodona_coverage_open(systems, one_root, &coverage, &err) < 0)
        return py_fail(&err);
    if (py_source_open(&source, from, DODONA_CHECK_TREE, "sentences")) {
        PyThreadState *gil = PyEval_SaveThread();
        int status = count_all(&source.source, add_coverage, coverage, &err);
        if (status >= 0)
            status = dodona_coverage_print(coverage, name, DODONA_JSON, &text, &err);
        PyEval_RestoreThread(gil);
        result = status < 0 ? py_fail(&err) : py_text(text);
    }
    py_source_close(&source);
    dodona_coverage_close(coverage);
    return result;
}
