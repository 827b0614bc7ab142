/* SPDX-License-Identifier: MIT */
/* parse.c - Model, and Parser: a model with options.
 *
 * A parser keeps the workspaces that are not in use.  They are taken and put back with the GIL;
 * parsing goes on without it, so any number of threads share a parser. */
#include "binding.h"

#include <stdlib.h>
#include <string.h>

PyTypeObject *py_model_type;
static PyTypeObject *parser_type;

/* ---- Models ---- */

/* Model.open(folder, path or name) */
static PyObject *model_open(PyObject *type, PyObject *args)
{
    dodona_error err;
    dodona_model *m = NULL;
    PyObject *folder = NULL, *path = NULL;
    if (!PyArg_ParseTuple(args, "O&O&", PyUnicode_FSConverter, &folder, PyUnicode_FSConverter,
                          &path))
        return NULL;
    const char *folder_name = PyBytes_AsString(folder), *name = PyBytes_AsString(path);
    PyThreadState *gil = PyEval_SaveThread();
    int status = dodona_model_open_from(folder_name, name, &m, &err);
    PyEval_RestoreThread(gil);
    Py_DECREF(folder);
    Py_DECREF(path);
    if (status < 0)
        return py_fail(&err);
    py_model *o = (py_model *)PyType_GenericAlloc((PyTypeObject *)type, 0);
    if (!o)
        dodona_model_free(m);
    else
        o->m = m;
    return (PyObject *)o;
}

static void model_dealloc(PyObject *o)
{
    dodona_model_free(((py_model *)o)->m);
    py_free(o);
}

static const dodona_model *model_of(PyObject *o)
{
    const py_model *m = (py_model *)o;
    if (!m->closed)
        return m->m;
    PyErr_SetString(PyExc_ValueError, "the model is closed");
    return NULL;
}

static PyObject *model_close(PyObject *o, PyObject *unused)
{
    (void)unused;
    ((py_model *)o)->closed = true;
    return Py_NewRef(Py_None);
}

static PyObject *metadata(PyObject *o, void *unused)
{
    (void)unused;
    const dodona_model *m = model_of(o);
    return m ? py_text(dodona_model_metadata(m)) : NULL;
}

static PyObject *templates(PyObject *o, void *unused)
{
    (void)unused;
    const dodona_model *m = model_of(o);
    return m ? py_text(dodona_model_templates(m)) : NULL;
}

static PyObject *labels(PyObject *o, void *unused)
{
    (void)unused;
    dodona_text label;
    const dodona_model *m = model_of(o);
    PyObject *list = m ? PyList_New(0) : NULL;
    for (int i = 0; list && dodona_model_label(m, i, &label) >= 0; i++) {
        PyObject *text = py_text(label);
        if (!text || PyList_Append(list, text) < 0)
            Py_CLEAR(list);
        Py_XDECREF(text);
    }
    return list;
}

static PyObject *sections(PyObject *o, void *unused)
{
    (void)unused;
    const char *name;
    uint64_t size;
    const dodona_model *m = model_of(o);
    PyObject *dict = m ? PyDict_New() : NULL;
    for (int i = 0; dict && dodona_model_section(m, i, &name, &size) >= 0; i++) {
        PyObject *bytes = PyLong_FromUnsignedLongLong(size);
        if (!bytes || PyDict_SetItemString(dict, name, bytes) < 0)
            Py_CLEAR(dict);
        Py_XDECREF(bytes);
    }
    return dict;
}

/* ---- Parsers ---- */

typedef struct parser {
    PyObject ob_base;
    py_model *model;
    PyObject *kept; /* what the strings of options are borrowed from */
    dodona_parse_options options;
    dodona_workspace **idle; /* [idle_cap] */
    int idles, idle_cap;
} parser;

static dodona_workspace *take(parser *p)
{
    dodona_error err;
    dodona_workspace *ws;
    if (!model_of((PyObject *)p->model))
        return NULL;
    if (p->idles)
        return p->idle[--p->idles];
    return dodona_workspace_new(p->model->m, &p->options, &ws, &err) < 0 ? py_fail(&err) : ws;
}

static void put_back(parser *p, dodona_workspace *take_ws)
{
    if (p->idles == p->idle_cap) {
        int cap = 2 * p->idle_cap + 2;
        dodona_workspace **idle = realloc(p->idle, (size_t)cap * sizeof *idle);
        if (!idle) {
            dodona_workspace_free(take_ws);
            return;
        }
        p->idle = idle;
        p->idle_cap = cap;
    }
    p->idle[p->idles++] = take_ws;
}

static void parser_dealloc(PyObject *o)
{
    parser *p = (parser *)o;
    while (p->idles)
        dodona_workspace_free(p->idle[--p->idles]);
    free(p->idle);
    Py_XDECREF((PyObject *)p->model);
    Py_XDECREF(p->kept);
    py_free(o);
}

/* Parser(model, options, steps, forest): the options are checked against the model. */
static PyObject *parser_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *model, *dict;
    int steps, forest;
    if (kwargs && PyDict_Size(kwargs))
        return PyErr_Format(PyExc_TypeError, "Parser takes no keywords");
    if (!PyArg_ParseTuple(args, "O!O!ip", py_model_type, &model, &PyDict_Type, &dict, &steps,
                          &forest))
        return NULL;
    parser *p = (parser *)PyType_GenericAlloc(type, 0);
    if (!p)
        return NULL;
    p->model = (py_model *)Py_NewRef(model);
    p->kept = PyList_New(0);
    dodona_parse_options_init(&p->options);
    bool done = p->kept && py_options(dict, &p->options, dodona_parse_option, p->kept);
    p->options.steps = steps;
    p->options.forest = forest;
    dodona_workspace *ws = done ? take(p) : NULL;
    if (!ws) {
        Py_DECREF((PyObject *)p);
        return NULL;
    }
    put_back(p, ws);
    return (PyObject *)p;
}

/* ---- A list of texts or sentences ---- */

/* The sentences of a text, or of a given one. */
typedef struct part {
    dodona_text text;
    const dodona_sentence *given; /* NULL: the text is to be read */
    dodona_sentence **s;
    size_t count, cap;
    dodona_error err; /* code 0: all is well */
} part;

typedef struct work {
    parser *p;
    dodona_workspace *ws;
    dodona_format format;
    part *part;
    size_t parts;
    unsigned since; /* sentences since signals were looked at */
    PyThreadState *state;
} work;

enum { LOOK = 64 }; /* sentences from one look at signals to the next */

/* What is left of a text, for a reader. */
static ptrdiff_t read_text(void *ctx, char *buf, size_t size, dodona_error *err)
{
    dodona_text *t = ctx;
    (void)err;
    if (size > t->size)
        size = t->size;
    memcpy(buf, t->data, size);
    t->data += size;
    t->size -= size;
    return (ptrdiff_t)size;
}

static int out_of_memory(dodona_error *err)
{
    *err = (dodona_error){ .code = DODONA_E_MEMORY, .message = "out of memory" };
    return DODONA_E_MEMORY;
}

static int keep(part *a, dodona_sentence *take_s)
{
    if (a->count == a->cap) {
        size_t cap = 2 * a->cap + 2;
        dodona_sentence **s = realloc(a->s, cap * sizeof *s);
        if (!s) {
            dodona_sentence_free(take_s);
            return out_of_memory(&a->err);
        }
        a->s = s;
        a->cap = cap;
    }
    a->s[a->count++] = take_s;
    return 0;
}

/* Parses a sentence and keeps it. */
static int finish(work *w, part *a, dodona_sentence *take_s)
{
    int status = dodona_parse(w->ws, take_s, &a->err);
    if (status >= 0 && ++w->since >= LOOK) {
        w->since = 0;
        status = py_check_signals(&w->state, &a->err);
    }
    if (status >= 0)
        return keep(a, take_s);
    dodona_sentence_free(take_s);
    return status;
}

static int do_text(work *w, part *a)
{
    dodona_reader_options o;
    dodona_reader *reader;
    dodona_text rest = a->text;
    dodona_reader_options_init(&o);
    o.format = w->format;
    o.model = w->p->model->m;
    int status = dodona_reader_open_callback(read_text, &rest, "text", &o, &reader, &a->err);
    if (status < 0)
        return status;
    for (status = 1; status > 0;) {
        dodona_sentence *s = dodona_sentence_new();
        status = s ? dodona_reader_next(reader, s, &a->err) : out_of_memory(&a->err);
        if (status <= 0)
            dodona_sentence_free(s);
        else if (finish(w, a, s) < 0)
            status = -1;
    }
    dodona_reader_close(reader);
    return status;
}

static int do_sentence(work *w, part *a)
{
    dodona_sentence *s = dodona_sentence_new();
    if (!s)
        return out_of_memory(&a->err);
    int status = dodona_sentence_copy(s, a->given, &a->err);
    if (status >= 0)
        return finish(w, a, s);
    dodona_sentence_free(s);
    return status;
}

/* Without the GIL.  A part that fails has its error; only a signal stops the others. */
static void do_parts(work *w)
{
    for (size_t i = 0; i < w->parts; i++) {
        part *a = &w->part[i];
        if (a->given)
            do_sentence(w, a);
        else
            do_text(w, a);
        if (a->err.code == DODONA_E_CANCELLED)
            return;
    }
}

/* The sentences of a part, which are taken from it, or its error. */
static PyObject *outcome(part *a, PyTypeObject *type)
{
    if (a->err.code)
        return py_error(&a->err);
    PyObject *list = PyList_New((Py_ssize_t)a->count);
    for (size_t i = 0; list && i < a->count; i++) {
        PyObject *s = py_sentence_wrap(type, a->s[i]);
        a->s[i] = NULL;
        if (!s || PyList_SetItem(list, (Py_ssize_t)i, s) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *outcomes(work *w, PyTypeObject *type)
{
    PyObject *list = PyErr_Occurred() ? NULL : PyList_New((Py_ssize_t)w->parts);
    for (size_t i = 0; list && i < w->parts; i++) {
        PyObject *o = outcome(&w->part[i], type);
        if (!o || PyList_SetItem(list, (Py_ssize_t)i, o) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static void free_parts(work *w)
{
    for (size_t i = 0; w->part && i < w->parts; i++) {
        for (size_t k = 0; k < w->part[i].count; k++)
            dodona_sentence_free(w->part[i].s[k]);
        free(w->part[i].s);
    }
    free(w->part);
}

/* Runs over the items of a tuple, which hold what the parts borrow. */
static PyObject *run(work *w, PyObject *items, PyTypeObject *type, bool texts)
{
    w->parts = (size_t)PyTuple_Size(items);
    w->part = calloc(w->parts + 1, sizeof *w->part);
    if (!w->part)
        return PyErr_NoMemory();
    for (size_t i = 0; i < w->parts; i++) {
        PyObject *item = PyTuple_GetItem(items, (Py_ssize_t)i);
        if (texts ? !py_get_text(item, "a text", &w->part[i].text)
                  : !(w->part[i].given = py_get_sentence(item)))
            return NULL;
    }
    w->ws = take(w->p);
    if (!w->ws)
        return NULL;
    w->state = PyEval_SaveThread();
    do_parts(w);
    PyEval_RestoreThread(w->state);
    put_back(w->p, w->ws);
    return outcomes(w, type);
}

/* parser.texts(texts, format, cls): for each text a list of sentences, or an exception */
static PyObject *parser_texts(PyObject *o, PyObject *args)
{
    PyObject *items, *type;
    const char *format;
    dodona_error err;
    if (!PyArg_ParseTuple(args, "O!sO", &PyTuple_Type, &items, &format, &type) ||
        !py_is_sentence_type(type))
        return NULL;
    int found = dodona_format_find(format, &err);
    if (found < 0)
        return py_fail(&err);
    work w = { .p = (parser *)o, .format = (dodona_format)found };
    PyObject *list = run(&w, items, (PyTypeObject *)type, true);
    free_parts(&w);
    return list;
}

/* parser.sentences(sentences, cls): the same, each a list of one parsed copy */
static PyObject *parser_sentences(PyObject *o, PyObject *args)
{
    PyObject *items, *type;
    if (!PyArg_ParseTuple(args, "O!O", &PyTuple_Type, &items, &type) || !py_is_sentence_type(type))
        return NULL;
    work w = { .p = (parser *)o };
    PyObject *list = run(&w, items, (PyTypeObject *)type, false);
    free_parts(&w);
    return list;
}

/* ---- Types ---- */

static PyMethodDef model_methods[] = {
    { "open", model_open, METH_VARARGS | METH_CLASS, NULL },
    { "close", model_close, METH_NOARGS, NULL },
    { NULL, NULL, 0, NULL },
};

static PyGetSetDef model_fields[] = {
    { "metadata", metadata, NULL, NULL, NULL }, { "templates", templates, NULL, NULL, NULL },
    { "labels", labels, NULL, NULL, NULL },     { "sections", sections, NULL, NULL, NULL },
    { NULL, NULL, NULL, NULL, NULL },
};

static PyType_Slot model_slots[] = {
    { Py_tp_new, py_no_new },
    { Py_tp_dealloc, model_dealloc },
    { Py_tp_methods, model_methods },
    { Py_tp_getset, model_fields },
    { 0, NULL },
};

static PyType_Spec model_spec = { "dodona._dodona.Model", sizeof(py_model), 0, Py_TPFLAGS_DEFAULT,
                                  model_slots };

static PyMethodDef parser_methods[] = {
    { "texts", parser_texts, METH_VARARGS, NULL },
    { "sentences", parser_sentences, METH_VARARGS, NULL },
    { NULL, NULL, 0, NULL },
};

static PyType_Slot parser_slots[] = {
    { Py_tp_new, parser_new },
    { Py_tp_dealloc, parser_dealloc },
    { Py_tp_methods, parser_methods },
    { 0, NULL },
};

static PyType_Spec parser_spec = { "dodona._dodona.Parser", sizeof(parser), 0, Py_TPFLAGS_DEFAULT,
                                   parser_slots };

bool py_add_parser(PyObject *module)
{
    py_model_type = (PyTypeObject *)PyType_FromSpec(&model_spec);
    parser_type = (PyTypeObject *)PyType_FromSpec(&parser_spec);
    return py_model_type && parser_type &&
           PyModule_AddObjectRef(module, "Model", (PyObject *)py_model_type) == 0 &&
           PyModule_AddObjectRef(module, "Parser", (PyObject *)parser_type) == 0;
}
