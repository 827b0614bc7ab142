/* SPDX-License-Identifier: MIT */
/* module.c - the module: exceptions, text, options, and the table of functions. */
#include "binding.h"

#include <string.h>

/* ---- Errors ---- */

static PyObject *error_type;                       /* dodona.Error */
static PyObject *error_types[-DODONA_E_CANCELLED]; /* by -code - 1 */

static bool set(PyObject *o, const char *name, PyObject *take_value)
{
    int status = take_value ? PyObject_SetAttrString(o, name, take_value) : -1;
    Py_XDECREF(take_value);
    return status == 0;
}

PyObject *py_error(const dodona_error *err)
{
    char text[sizeof err->file + sizeof err->message + 32];
    int code = err->code < 0 && err->code >= DODONA_E_CANCELLED ? (int)err->code : DODONA_E_INPUT;
    dodona_error_text(err, text, sizeof text);
    PyObject *words = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
    PyObject *e = words ? PyObject_CallFunctionObjArgs(error_types[-code - 1], words, NULL) : NULL;
    Py_XDECREF(words);
    if (!e || code == DODONA_E_MEMORY)
        return e;
    PyObject *file = err->file[0] ? PyUnicode_DecodeFSDefault(err->file) : Py_NewRef(Py_None);
    PyObject *line = err->line ? PyLong_FromLongLong(err->line) : Py_NewRef(Py_None);
    PyObject *message =
        PyUnicode_DecodeUTF8(err->message, (Py_ssize_t)strlen(err->message), "replace");
    bool done = set(e, "file", file);
    done &= set(e, "line", line);
    done &= set(e, "message", message);
    if (!done)
        Py_CLEAR(e);
    return e;
}

void *py_fail(const dodona_error *err)
{
    if (PyErr_Occurred())
        return NULL;
    PyObject *e = py_error(err);
    if (e)
        PyErr_SetObject((PyObject *)Py_TYPE(e), e);
    Py_XDECREF(e);
    return NULL;
}

int py_raised(dodona_error *err)
{
    *err = (dodona_error){ .code = DODONA_E_CANCELLED, .message = "a callback has raised" };
    return DODONA_E_CANCELLED;
}

int py_check_signals(PyThreadState **state, dodona_error *err)
{
    PyEval_RestoreThread(*state);
    int status = PyErr_CheckSignals();
    *state = PyEval_SaveThread();
    return status ? py_raised(err) : 0;
}

static bool add_error(PyObject *module, int code, const char *name, PyObject *base, const char *doc)
{
    char full[64];
    PyOS_snprintf(full, sizeof full, "dodona.%s", name);
    PyObject *bases = base ? PyTuple_Pack(2, error_type, base) : Py_NewRef(error_type);
    PyObject *type = bases ? PyErr_NewExceptionWithDoc(full, doc, bases, NULL) : NULL;
    Py_XDECREF(bases);
    error_types[-code - 1] = type;
    return type && PyModule_AddObjectRef(module, name, type) == 0;
}

static bool add_errors(PyObject *module)
{
    error_type = PyErr_NewExceptionWithDoc(
        "dodona.Error",
        "What the library refuses.  message says why; file and line say where, or are None.", NULL,
        NULL);
    if (!error_type || PyModule_AddObjectRef(module, "Error", error_type) < 0)
        return false;
    static const char *const fields[] = { "file", "line", "message" };
    for (int i = 0; i < 3; i++)
        if (PyObject_SetAttrString(error_type, fields[i], Py_None) < 0)
            return false;
    error_types[-DODONA_E_MEMORY - 1] = Py_NewRef(PyExc_MemoryError);
    return add_error(module, DODONA_E_INPUT, "InputError", PyExc_ValueError,
                     "The input breaks the rules of its format.") &&
           add_error(module, DODONA_E_IO, "FileError", PyExc_OSError,
                     "The system refused to open, read or write.") &&
           add_error(module, DODONA_E_MODEL, "ModelError", NULL,
                     "A model file is damaged, newer or of the wrong kind.") &&
           add_error(module, DODONA_E_LIMIT, "LimitError", PyExc_ValueError,
                     "The input is larger than a named limit.") &&
           add_error(module, DODONA_E_ARGUMENT, "ArgumentError", PyExc_ValueError,
                     "Options that do not exist or do not go together.") &&
           add_error(module, DODONA_E_CANCELLED, "Cancelled", NULL,
                     "A progress callback asked to stop.");
}

/* ---- Objects ---- */

PyObject *py_no_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    (void)args;
    (void)kwargs;
    return PyErr_Format(PyExc_TypeError, "%R is not made by calling it", type);
}

void py_free(PyObject *o)
{
    PyTypeObject *type = Py_TYPE(o);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(o);
    Py_DECREF(type);
}

/* ---- Text ---- */

PyObject *py_text(dodona_text t)
{
    return PyUnicode_DecodeUTF8(t.data ? t.data : "", (Py_ssize_t)t.size, "strict");
}

bool py_get_text(PyObject *o, const char *what, dodona_text *out)
{
    Py_ssize_t size;
    if (!PyUnicode_Check(o)) {
        PyErr_Format(PyExc_TypeError, "%s is not a str, but %R", what, Py_TYPE(o));
        return false;
    }
    out->data = PyUnicode_AsUTF8AndSize(o, &size);
    out->size = (size_t)size;
    return out->data;
}

bool py_get_name(PyObject *o, const char *what, bool none, const char **out)
{
    dodona_text t;
    *out = NULL;
    if (none && Py_IsNone(o))
        return true;
    if (!py_get_text(o, what, &t))
        return false;
    if (strlen(t.data) != t.size) {
        PyErr_Format(PyExc_ValueError, "%s has a NUL in it", what);
        return false;
    }
    *out = t.data;
    return true;
}

PyObject *py_names(const char *(*at)(int))
{
    PyObject *list = PyList_New(0);
    for (int i = 0; list && at(i); i++) {
        PyObject *name = PyUnicode_FromString(at(i));
        if (!name || PyList_Append(list, name) < 0)
            Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list;
}

/* ---- Options ---- */

static bool refuse(const dodona_option *o, PyObject *value)
{
    if (o->type == DODONA_OPTION_CHOICE || o->type == DODONA_OPTION_INDEX) {
        PyErr_Format(error_types[-DODONA_E_ARGUMENT - 1], "%s is %R; expected one of %s", o->field,
                     value, o->argument);
        return false;
    }
    PyObject *least = PyFloat_FromDouble(o->least), *most = PyFloat_FromDouble(o->most);
    if (least && most)
        PyErr_Format(error_types[-DODONA_E_ARGUMENT - 1], "%s is %R; expected %S to %S", o->field,
                     value, least, most);
    Py_XDECREF(least);
    Py_XDECREF(most);
    return false;
}

/* The place of a word among words with bars between them; -1: it is not there. */
static int place(const char *words, const char *word)
{
    size_t size = strlen(word);
    for (int i = 0;; i++) {
        const char *end = strchr(words, '|');
        size_t length = end ? (size_t)(end - words) : strlen(words);
        if (length == size && memcmp(words, word, size) == 0)
            return i;
        if (!end)
            return -1;
        words = end + 1;
    }
}

static bool set_word(const dodona_option *o, PyObject *value, char *field, PyObject *keep)
{
    const char *word;
    PyObject *path = o->type == DODONA_OPTION_FILE ? py_path(value) : NULL;
    if (o->type == DODONA_OPTION_FILE) {
        word = path && PyList_Append(keep, path) == 0 ? PyBytes_AsString(path) : NULL;
        Py_XDECREF(path);
    } else if (!py_get_name(value, o->field, false, &word)) {
        word = NULL;
    }
    if (!word)
        return false;
    int at = o->type == DODONA_OPTION_CHOICE || o->type == DODONA_OPTION_INDEX
                 ? place(o->argument, word)
                 : 0;
    if (at < 0)
        return refuse(o, value);
    if (o->type == DODONA_OPTION_INDEX)
        memcpy(field, &at, sizeof at);
    else
        memcpy(field, &word, sizeof word);
    return true;
}

static bool set_number(const dodona_option *o, PyObject *value, char *field)
{
    if (o->type == DODONA_OPTION_REAL) {
        double real = PyFloat_AsDouble(value);
        if (real == -1 && PyErr_Occurred())
            return false;
        if (!(real >= o->least && real <= o->most))
            return refuse(o, value);
        memcpy(field, &real, sizeof real);
        return true;
    }
    int overflow;
    int64_t whole = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (whole == -1 && !overflow && PyErr_Occurred())
        return false;
    if (overflow || (double)whole < o->least || (double)whole > o->most)
        return refuse(o, value);
    int small = (int)whole;
    if (o->type == DODONA_OPTION_INT)
        memcpy(field, &small, sizeof small);
    else
        memcpy(field, &whole, sizeof whole);
    return true;
}

static bool set_option(const dodona_option *o, PyObject *value, char *field, PyObject *keep)
{
    if (Py_IsNone(value))
        return true;
    if (o->type == DODONA_OPTION_FLAG) {
        int flag = PyObject_IsTrue(value);
        memcpy(field, &flag, sizeof flag);
        return flag >= 0;
    }
    if (o->type <= DODONA_OPTION_INDEX)
        return set_word(o, value, field, keep);
    return set_number(o, value, field);
}

static bool set_by_name(PyObject *key, PyObject *value, void *options,
                        const dodona_option *(*at)(int), PyObject *keep)
{
    const char *name;
    if (!py_get_name(key, "the name of an option", false, &name))
        return false;
    for (int i = 0; at(i); i++)
        if (strcmp(at(i)->field, name) == 0)
            return set_option(at(i), value, (char *)options + at(i)->offset, keep);
    PyErr_Format(PyExc_TypeError, "there is no option %R", key);
    return false;
}

bool py_options(PyObject *dict, void *options, const dodona_option *(*at)(int), PyObject *keep)
{
    PyObject *key, *value, *own = PyDict_Copy(dict);
    Py_ssize_t next = 0;
    bool done = own && PyList_Append(keep, own) == 0;
    while (done && PyDict_Next(own, &next, &key, &value))
        done = set_by_name(key, value, options, at, keep);
    Py_XDECREF(own);
    return done;
}

/* ---- The module ---- */

static PyObject *names(PyObject *module, PyObject *arg)
{
    (void)module;
    static const struct {
        const char *kind;
        const char *(*at)(int);
    } lists[] = { { "systems", dodona_system_name },   { "algorithms", dodona_algorithm_name },
                  { "searches", dodona_search_name },  { "templates", dodona_templates_name },
                  { "decoders", dodona_decoder_name }, { "learners", dodona_learner_name } };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (PyUnicode_Check(arg) && PyUnicode_CompareWithASCIIString(arg, lists[i].kind) == 0)
            return py_names(lists[i].at);
    return PyErr_Format(PyExc_ValueError, "there is no list %R", arg);
}

/* Fields of option i: (field, argument, help). */
static PyObject *describe(PyObject *module, PyObject *arg)
{
    (void)module;
    const dodona_option *(*at)(int) = dodona_train_option;
    if (PyUnicode_Check(arg) && PyUnicode_CompareWithASCIIString(arg, "parse") == 0)
        at = dodona_parse_option;
    else if (PyUnicode_Check(arg) && PyUnicode_CompareWithASCIIString(arg, "eval") == 0)
        at = dodona_eval_option;
    PyObject *list = PyList_New(0);
    for (int i = 0; list && at(i); i++) {
        PyObject *one = Py_BuildValue("(szs)", at(i)->field, at(i)->argument, at(i)->help);
        if (!one || PyList_Append(list, one) < 0)
            Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

static PyMethodDef functions[] = {
    { "names", names, METH_O, "Names of systems, algorithms, searches, ..." },
    { "describe", describe, METH_O, "The options of train, parse or eval." },
    { "write_text", py_write_text, METH_VARARGS, "Sentences in a format, as a str." },
    { "train", py_train, METH_VARARGS, "Trains a model." },
    { "evaluate", py_evaluate, METH_VARARGS, "Scores systems against gold." },
    { "stats", py_stats, METH_VARARGS, "A treebank in figures." },
    { "projectivize", py_projectivize, METH_VARARGS, "The nearest projective tree." },
    { "projectivize_count", py_projectivize_count, METH_VARARGS, "How many nearest trees." },
    { "pseudo", py_pseudo, METH_VARARGS, "Pseudo-projective encoding and the way back." },
    { "oracle", py_oracle, METH_VARARGS, "How good each transition is." },
    { "coverage", py_coverage, METH_VARARGS, "How many trees systems reach." },
    { "decode", py_decode, METH_VARARGS, "The best tree over a matrix of arc scores." },
    { "decode_json", py_decode_json, METH_VARARGS, "The same, with all that decode has." },
    { NULL, NULL, 0, NULL },
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "dodona._dodona", .m_size = -1, .m_methods = functions,
    .m_doc = "The library, for the package dodona.  Not an interface of its own."
};

PyMODINIT_FUNC PyInit__dodona(void);

PyMODINIT_FUNC PyInit__dodona(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (module && (!add_errors(module) || !py_add_sentence(module) || !py_add_parser(module) ||
                   !py_add_files(module) || !py_add_forest(module) ||
                   PyModule_AddStringConstant(module, "version", dodona_version()) < 0))
        Py_CLEAR(module);
    return module;
}
