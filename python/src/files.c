/* SPDX-License-Identifier: MIT */
/* files.c - Reader and Writer, and sentences from Python for the library. */
#include "binding.h"

#include <string.h>

static PyTypeObject *reader_type, *writer_type;

PyObject *py_path(PyObject *o)
{
    PyObject *bytes;
    return PyUnicode_FSConverter(o, &bytes) ? bytes : NULL;
}

static bool is_path(PyObject *o)
{
    return PyUnicode_Check(o) || PyBytes_Check(o) || PyObject_HasAttrString(o, "__fspath__");
}

static void *used_elsewhere(void)
{
    PyErr_SetString(PyExc_RuntimeError, "it is in use by another thread");
    return NULL;
}

/* ---- Readers ---- */

typedef struct reader {
    PyObject ob_base;
    dodona_reader *r; /* NULL: closed */
    PyObject *file;   /* whose method read brings bytes; NULL: the reader has a path */
    py_model *model;  /* whose tokenizer splits text, or NULL */
    PyTypeObject *type;
    bool busy;
} reader;

/* Bytes of file.read(size). */
static ptrdiff_t read_object(PyObject *file, char *buf, size_t size, dodona_error *err)
{
    PyObject *bytes = PyObject_CallMethod(file, "read", "n", (Py_ssize_t)size);
    char *data = NULL;
    Py_ssize_t count = -1;
    if (bytes && !PyBytes_Check(bytes))
        PyErr_Format(PyExc_TypeError, "read() gave %R; open the file in binary mode",
                     Py_TYPE(bytes));
    else if (bytes && PyBytes_AsStringAndSize(bytes, &data, &count) == 0 && (size_t)count > size)
        PyErr_SetString(PyExc_ValueError, "read() gave more bytes than it was asked for");
    if (!PyErr_Occurred())
        memcpy(buf, data, (size_t)count);
    Py_XDECREF(bytes);
    return PyErr_Occurred() ? py_raised(err) : count;
}

static ptrdiff_t read_file(void *ctx, char *buf, size_t size, dodona_error *err)
{
    PyGILState_STATE state = PyGILState_Ensure();
    ptrdiff_t count = read_object(ctx, buf, size, err);
    PyGILState_Release(state);
    return count;
}

static int open_reader(reader *r, PyObject *from, const dodona_reader_options *o)
{
    dodona_error err;
    int status;
    PyObject *path = is_path(from) ? py_path(from) : NULL;
    if (is_path(from) && !path)
        return -1;
    if (!path)
        r->file = Py_NewRef(from);
    const char *name = path ? PyBytes_AsString(path) : "file";
    PyThreadState *gil = PyEval_SaveThread();
    status = path ? dodona_reader_open(name, o, &r->r, &err)
                  : dodona_reader_open_callback(read_file, r->file, name, o, &r->r, &err);
    PyEval_RestoreThread(gil);
    Py_XDECREF(path);
    if (status < 0)
        py_fail(&err);
    return status;
}

/* Reader(from, format, check, skip_bad, encoding, replace, model, cls) */
static PyObject *reader_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *from, *model, *sentence_type;
    const char *format, *encoding;
    int check;
    dodona_error err;
    dodona_reader_options o;
    dodona_reader_options_init(&o);
    if (kwargs && PyDict_Size(kwargs))
        return PyErr_Format(PyExc_TypeError, "Reader takes no keywords");
    if (!PyArg_ParseTuple(args, "OsipzpOO", &from, &format, &check, &o.skip_bad, &encoding,
                          &o.replace, &model, &sentence_type) ||
        !py_is_sentence_type(sentence_type))
        return NULL;
    if (!Py_IsNone(model) && !PyObject_TypeCheck(model, py_model_type))
        return PyErr_Format(PyExc_TypeError, "expected a model, not %R", Py_TYPE(model));
    if (check < DODONA_CHECK_FORM || check > DODONA_CHECK_ONE_ROOT)
        return PyErr_Format(PyExc_ValueError, "check is %d; expected 0 to 2", check);
    int found = dodona_format_find(format, &err);
    if (found < 0)
        return py_fail(&err);
    reader *r = (reader *)PyType_GenericAlloc(type, 0);
    if (!r)
        return NULL;
    o.format = (dodona_format)found;
    o.check = (dodona_check)check;
    o.encoding = encoding;
    r->type = (PyTypeObject *)Py_NewRef(sentence_type);
    r->model = Py_IsNone(model) ? NULL : (py_model *)Py_NewRef(model);
    o.model = r->model ? r->model->m : NULL;
    if (open_reader(r, from, &o) < 0)
        Py_CLEAR(r);
    return (PyObject *)r;
}

static PyObject *reader_next(PyObject *o)
{
    reader *r = (reader *)o;
    dodona_error err;
    if (r->busy)
        return used_elsewhere();
    if (!r->r)
        return NULL;
    dodona_sentence *s = dodona_sentence_new();
    if (!s)
        return PyErr_NoMemory();
    r->busy = true;
    PyThreadState *gil = PyEval_SaveThread();
    int status = dodona_reader_next(r->r, s, &err);
    PyEval_RestoreThread(gil);
    r->busy = false;
    if (status > 0)
        return py_sentence_wrap(r->type, s);
    dodona_sentence_free(s);
    return status < 0 ? py_fail(&err) : NULL;
}

static PyObject *reader_close(PyObject *o, PyObject *unused)
{
    reader *r = (reader *)o;
    (void)unused;
    if (r->busy)
        return used_elsewhere();
    dodona_reader_close(r->r);
    r->r = NULL;
    return Py_NewRef(Py_None);
}

/* (how many were bad, the first one's error or None) */
static PyObject *reader_bad(PyObject *o, void *unused)
{
    reader *r = (reader *)o;
    dodona_error first;
    (void)unused;
    if (r->busy)
        return used_elsewhere();
    int64_t count = r->r ? dodona_reader_bad(r->r, &first) : 0;
    return Py_BuildValue("(LN)", (long long)count, count ? py_error(&first) : Py_NewRef(Py_None));
}

static void reader_dealloc(PyObject *o)
{
    reader *r = (reader *)o;
    dodona_reader_close(r->r);
    Py_XDECREF(r->file);
    Py_XDECREF((PyObject *)r->model);
    Py_XDECREF((PyObject *)r->type);
    py_free(o);
}

/* ---- Writers ---- */

typedef struct writer {
    PyObject ob_base;
    dodona_writer *w; /* NULL: closed */
} writer;

/* Writer(path, format) */
static PyObject *writer_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *to;
    const char *format;
    dodona_error err;
    if (kwargs && PyDict_Size(kwargs))
        return PyErr_Format(PyExc_TypeError, "Writer takes no keywords");
    if (!PyArg_ParseTuple(args, "Os", &to, &format))
        return NULL;
    int found = dodona_format_find(format, &err);
    if (found < 0)
        return py_fail(&err);
    PyObject *path = py_path(to);
    writer *w = path ? (writer *)PyType_GenericAlloc(type, 0) : NULL;
    if (w && dodona_writer_open(PyBytes_AsString(path), (dodona_format)found, &w->w, &err) < 0) {
        py_fail(&err);
        Py_CLEAR(w);
    }
    Py_XDECREF(path);
    return (PyObject *)w;
}

static PyObject *writer_put(PyObject *o, PyObject *sentence)
{
    writer *w = (writer *)o;
    dodona_error err;
    const dodona_sentence *s = py_get_sentence(sentence);
    if (!s)
        return NULL;
    if (!w->w)
        return PyErr_Format(PyExc_ValueError, "the writer is closed");
    if (dodona_writer_put(w->w, s, &err) < 0)
        return py_fail(&err);
    return Py_NewRef(Py_None);
}

static PyObject *writer_close(PyObject *o, PyObject *unused)
{
    writer *w = (writer *)o;
    dodona_error err;
    (void)unused;
    dodona_writer *closing = w->w;
    w->w = NULL;
    if (closing && dodona_writer_close(closing, &err) < 0)
        return py_fail(&err);
    return Py_NewRef(Py_None);
}

static PyObject *writer_abandon(PyObject *o, PyObject *unused)
{
    writer *w = (writer *)o;
    (void)unused;
    dodona_writer_abandon(w->w);
    w->w = NULL;
    return Py_NewRef(Py_None);
}

static void writer_dealloc(PyObject *o)
{
    dodona_writer_abandon(((writer *)o)->w);
    py_free(o);
}

/* ---- Sources ---- */

static int pull_next(PyObject *iterator, dodona_sentence *s, dodona_error *err)
{
    PyObject *item = PyErr_CheckSignals() ? NULL : PyIter_Next(iterator);
    if (!item)
        return PyErr_Occurred() ? py_raised(err) : 0;
    const dodona_sentence *from = py_get_sentence(item);
    int status = from ? dodona_sentence_copy(s, from, err) : py_raised(err);
    Py_DECREF(item);
    return status < 0 ? status : 1;
}

static int pull(void *ctx, dodona_sentence *s, dodona_error *err)
{
    PyGILState_STATE state = PyGILState_Ensure();
    int status = pull_next(ctx, s, err);
    PyGILState_Release(state);
    return status;
}

static bool open_path(py_source *s, PyObject *from, dodona_check check)
{
    dodona_error err;
    dodona_reader_options o;
    dodona_reader_options_init(&o);
    o.check = check;
    s->path = py_path(from);
    if (!s->path)
        return false;
    const char *name = PyBytes_AsString(s->path);
    if (dodona_reader_open(name, &o, &s->reader, &err) < 0) {
        py_fail(&err);
        return false;
    }
    s->source = (dodona_source){ dodona_reader_pull, s->reader, name };
    return true;
}

bool py_source_open(py_source *s, PyObject *from, dodona_check check, const char *name)
{
    *s = (py_source){ 0 };
    if (is_path(from))
        return open_path(s, from, check);
    s->iterator = PyObject_GetIter(from);
    PyOS_snprintf(s->name, sizeof s->name, "%s", name);
    s->source = (dodona_source){ pull, s->iterator, s->name };
    return s->iterator;
}

void py_source_close(py_source *s)
{
    dodona_reader_close(s->reader);
    Py_XDECREF(s->path);
    Py_XDECREF(s->iterator);
}

/* ---- Types ---- */

static PyMethodDef reader_methods[] = {
    { "close", reader_close, METH_NOARGS, NULL },
    { NULL, NULL, 0, NULL },
};

static PyGetSetDef reader_fields[] = {
    { "bad", reader_bad, NULL, "How many sentences were bad, and the first one's error.", NULL },
    { NULL, NULL, NULL, NULL, NULL },
};

static PyType_Slot reader_slots[] = {
    { Py_tp_new, reader_new },
    { Py_tp_dealloc, reader_dealloc },
    { Py_tp_iter, PyObject_SelfIter },
    { Py_tp_iternext, reader_next },
    { Py_tp_methods, reader_methods },
    { Py_tp_getset, reader_fields },
    { 0, NULL },
};

static PyType_Spec reader_spec = { "dodona._dodona.Reader", sizeof(reader), 0, Py_TPFLAGS_DEFAULT,
                                   reader_slots };

static PyMethodDef writer_methods[] = {
    { "put", writer_put, METH_O, NULL },
    { "close", writer_close, METH_NOARGS, NULL },
    { "abandon", writer_abandon, METH_NOARGS, NULL },
    { NULL, NULL, 0, NULL },
};

static PyType_Slot writer_slots[] = {
    { Py_tp_new, writer_new },
    { Py_tp_dealloc, writer_dealloc },
    { Py_tp_methods, writer_methods },
    { 0, NULL },
};

static PyType_Spec writer_spec = { "dodona._dodona.Writer", sizeof(writer), 0, Py_TPFLAGS_DEFAULT,
                                   writer_slots };

bool py_add_files(PyObject *module)
{
    reader_type = (PyTypeObject *)PyType_FromSpec(&reader_spec);
    writer_type = (PyTypeObject *)PyType_FromSpec(&writer_spec);
    return reader_type && writer_type &&
           PyModule_AddObjectRef(module, "Reader", (PyObject *)reader_type) == 0 &&
           PyModule_AddObjectRef(module, "Writer", (PyObject *)writer_type) == 0;
}
