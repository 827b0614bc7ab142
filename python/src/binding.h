/* SPDX-License-Identifier: MIT */
/* binding.h - what the files of the extension module dodona._dodona share.
 *
 * The module uses dodona.h and dodona_research.h alone.  Rules that keep the process safe:
 *
 * Sentences   never change once Python can see them.  So they are read without the GIL, and by any
 *             number of threads.  What changes a sentence changes a copy.
 * Models      are freed with the last object that uses them, not by Model.close.
 * Everything  else (workspaces, readers, writers, forests) is used by one thread at a time, marked
 *   else      as busy while the GIL is not held.
 * Callbacks   are called in the thread that called the library; they take the GIL.  A Python
 *             exception in one of them stops the library and goes on to the caller. */
#ifndef DODONA_PYTHON_BINDING_H
#define DODONA_PYTHON_BINDING_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>

#include <dodona.h>
#include <dodona_research.h>

#include <stdbool.h>

typedef struct py_sentence {
    PyObject ob_base;
    dodona_sentence *s;
} py_sentence;

typedef struct py_model {
    PyObject ob_base;
    dodona_model *m; /* NULL: closed, and not in use */
    bool closed;
} py_model;

extern PyTypeObject *py_sentence_type, *py_model_type;

/* ---- module.c ---- */

/* An exception for the error: a new reference, or NULL with another exception set. */
PyObject *py_error(const dodona_error *err);
/* Raises it, unless a callback has raised already; returns NULL. */
void *py_fail(const dodona_error *err);
/* The error for a callback that has raised: stops the library. */
int py_raised(dodona_error *err);
/* Runs what signals ask for, such as KeyboardInterrupt; called without the GIL.  Negative: it has
 * raised. */
int py_check_signals(PyThreadState **state, dodona_error *err);

/* tp_new of types whose objects come from elsewhere: it raises, so that there is no object without
 * what it stands for. */
PyObject *py_no_new(PyTypeObject *type, PyObject *args, PyObject *kwargs);
/* The end of a dealloc: gives back the memory and the reference to the type. */
void py_free(PyObject *o);

/* A str for UTF-8. */
PyObject *py_text(dodona_text t);
/* UTF-8 of a str, borrowed from it; false: it has raised. */
bool py_get_text(PyObject *o, const char *what, dodona_text *out);
/* The same with a NUL at its end and none within; None gives NULL where that is allowed. */
bool py_get_name(PyObject *o, const char *what, bool none, const char **out);
/* A list of what at(0), at(1), ... name, up to NULL. */
PyObject *py_names(const char *(*at)(int));

/* Sets fields of options from a dict by their descriptions; keep is a list that the strings live as
 * long as.  False: it has raised. */
bool py_options(PyObject *dict, void *options, const dodona_option *(*at)(int), PyObject *keep);

/* ---- sentence.c ---- */

/* A new object of a subclass of Sentence, which owns s also when it fails; NULL: it has raised. */
PyObject *py_sentence_wrap(PyTypeObject *type, dodona_sentence *take_s);
/* Whether it is a subclass of Sentence; else it raises. */
bool py_is_sentence_type(PyObject *type);
/* A sentence, borrowed; NULL: it has raised. */
dodona_sentence *py_get_sentence(PyObject *o);
/* A copy that may be changed; NULL: it has raised. */
dodona_sentence *py_copy_sentence(PyObject *o);
/* What a writer to memory writes of the sentences in a list. */
PyObject *py_write_text(PyObject *module, PyObject *args);
bool py_add_sentence(PyObject *module);

/* ---- parse.c ---- */

bool py_add_parser(PyObject *module);

/* ---- files.c ---- */

/* A path as bytes for the library; a new reference, NULL: it has raised. */
PyObject *py_path(PyObject *o);

/* Where sentences come from: a path, or an iterable of sentences. */
typedef struct py_source {
    dodona_source source;
    dodona_reader *reader; /* of a path */
    PyObject *path;        /* bytes */
    PyObject *iterator;
    char name[32];
} py_source;

/* False: it has raised.  Close it in any case. */
bool py_source_open(py_source *s, PyObject *from, dodona_check check, const char *name);
void py_source_close(py_source *s);
bool py_add_files(PyObject *module);

/* ---- learn.c, research.c ---- */

PyObject *py_train(PyObject *module, PyObject *args);
PyObject *py_evaluate(PyObject *module, PyObject *args);
PyObject *py_stats(PyObject *module, PyObject *args);

PyObject *py_projectivize(PyObject *module, PyObject *args);
PyObject *py_projectivize_count(PyObject *module, PyObject *args);
PyObject *py_pseudo(PyObject *module, PyObject *args);
PyObject *py_oracle(PyObject *module, PyObject *args);
PyObject *py_coverage(PyObject *module, PyObject *args);
PyObject *py_decode(PyObject *module, PyObject *args);
PyObject *py_decode_json(PyObject *module, PyObject *args);

bool py_add_forest(PyObject *module);

#endif
