/* SPDX-License-Identifier: MIT */
/* research.c - dodona_research.h: projectivisation, oracles, decoders, forests. */
#include "binding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Projectivisation ---- */

typedef int (*change)(dodona_projectivizer *p, dodona_sentence *s, int one_root, const char *scheme,
                      dodona_error *err);

static int projectivize(dodona_projectivizer *p, dodona_sentence *s, int one_root,
                        const char *scheme, dodona_error *err)
{
    (void)scheme;
    return dodona_projectivize(p, s, one_root, err);
}

static int pseudo(dodona_projectivizer *p, dodona_sentence *s, int one_root, const char *scheme,
                  dodona_error *err)
{
    (void)one_root;
    return scheme ? dodona_pseudo_encode(p, s, scheme, err) : dodona_pseudo_decode(p, s, err);
}

/* (a changed copy of the sentence, new heads) */
static PyObject *changed(PyObject *sentence, change how, int one_root, const char *scheme)
{
    dodona_error err;
    dodona_projectivizer *p = dodona_projectivizer_new();
    if (!p)
        return PyErr_NoMemory();
    dodona_sentence *s = py_copy_sentence(sentence);
    int status = s ? how(p, s, one_root, scheme, &err) : -1;
    dodona_projectivizer_free(p);
    if (s && status < 0) {
        dodona_sentence_free(s);
        return py_fail(&err);
    }
    PyObject *o = s ? py_sentence_wrap(Py_TYPE(sentence), s) : NULL;
    return o ? Py_BuildValue("(Ni)", o, status) : NULL;
}

/* projectivize(sentence, one_root) */
PyObject *py_projectivize(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *sentence;
    int one_root;
    if (!PyArg_ParseTuple(args, "Op", &sentence, &one_root))
        return NULL;
    return changed(sentence, projectivize, one_root, NULL);
}

/* pseudo(sentence, scheme), or None in its place for the way back */
PyObject *py_pseudo(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *sentence;
    const char *scheme;
    if (!PyArg_ParseTuple(args, "Oz", &sentence, &scheme))
        return NULL;
    return changed(sentence, pseudo, 0, scheme);
}

/* projectivize_count(sentence, one_root) -> (kept, count) */
PyObject *py_projectivize_count(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *sentence, *result;
    int one_root, kept;
    const char *count;
    dodona_error err;
    if (!PyArg_ParseTuple(args, "Op", &sentence, &one_root))
        return NULL;
    const dodona_sentence *s = py_get_sentence(sentence);
    if (!s)
        return NULL;
    dodona_projectivizer *p = dodona_projectivizer_new();
    if (!p)
        return PyErr_NoMemory();
    if (dodona_projectivize_count(p, s, one_root, &kept, &count, &err) < 0)
        result = py_fail(&err);
    else
        result = Py_BuildValue("(is)", kept, count);
    dodona_projectivizer_free(p);
    return result;
}

/* ---- Oracles ---- */

/* oracle(system, algorithm, strategy, one_root, limit, JSON) -> JSON */
PyObject *py_oracle(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *json;
    long long limit;
    dodona_error err;
    dodona_oracle_options o;
    dodona_oracle *oracle;
    dodona_text in, out;
    dodona_oracle_options_init(&o);
    if (!PyArg_ParseTuple(args, "szspLU", &o.system, &o.algorithm, &o.strategy, &o.one_root, &limit,
                          &json) ||
        !py_get_text(json, "the configuration", &in))
        return NULL;
    if (limit > 0)
        o.limit = limit;
    if (dodona_oracle_open(&o, &oracle, &err) < 0)
        return py_fail(&err);
    PyThreadState *gil = PyEval_SaveThread();
    int status = dodona_oracle_answer(oracle, in, &out, &err);
    PyEval_RestoreThread(gil);
    PyObject *answer = status < 0 ? py_fail(&err) : py_text(out);
    dodona_oracle_close(oracle);
    return answer;
}

/* ---- Decoders ---- */

/* decode_json(system, one_root, kbest, JSON) -> JSON */
PyObject *py_decode_json(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *json;
    dodona_error err;
    dodona_decode_options o;
    dodona_decoder *d;
    dodona_text in, out;
    dodona_decode_options_init(&o);
    if (!PyArg_ParseTuple(args, "spiU", &o.system, &o.one_root, &o.kbest, &json) ||
        !py_get_text(json, "the scores", &in))
        return NULL;
    if (dodona_decoder_open(&o, &d, &err) < 0)
        return py_fail(&err);
    PyThreadState *gil = PyEval_SaveThread();
    int status = dodona_decoder_answer(d, in, &out, &err);
    PyEval_RestoreThread(gil);
    PyObject *answer = status < 0 ? py_fail(&err) : py_text(out);
    dodona_decoder_close(d);
    return answer;
}

/* Whether the buffer is a square matrix of doubles that a decoder can take; else it raises. */
static bool is_matrix(const Py_buffer *b)
{
    if (!b->format || strcmp(b->format, "d") != 0 || b->itemsize != sizeof(double)) {
        PyErr_SetString(PyExc_TypeError, "the scores are not float64; convert them with "
                                         "numpy.ascontiguousarray(scores, dtype=float)");
        return false;
    }
    if (b->ndim != 2 || b->shape[0] != b->shape[1] || b->shape[0] < 1 ||
        b->shape[0] > DODONA_MAX_WORDS + 1) {
        PyErr_Format(PyExc_ValueError,
                     "the scores are not a matrix of (n+1) x (n+1), row = head, column = modifier, "
                     "with n up to %d",
                     DODONA_MAX_WORDS);
        return false;
    }
    const double *w = b->buf, most = 1e100;
    Py_ssize_t m = b->shape[0];
    for (Py_ssize_t head = 0; head < m; head++)
        for (Py_ssize_t mod = 1; mod < m; mod++) {
            double x = w[head * m + mod];
            if (head == mod || x == -INFINITY || (x >= -most && x <= most))
                continue;
            PyErr_Format(PyExc_ValueError,
                         "the score of head %zd and modifier %zd is neither a number up to 1e100 "
                         "nor -inf",
                         head, mod);
            return false;
        }
    return true;
}

static PyObject *tree(int found, int n, const int *heads, double score)
{
    if (!found)
        return Py_NewRef(Py_None);
    PyObject *list = PyList_New(n);
    for (int i = 0; list && i < n; i++) {
        PyObject *head = PyLong_FromLong(heads[i]);
        if (!head || PyList_SetItem(list, i, head) < 0)
            Py_CLEAR(list);
    }
    return list ? Py_BuildValue("(Nd)", list, score) : NULL;
}

/* The sum over all trees: (log of it, a bytearray of (n+1) x (n+1) doubles). */
static PyObject *sum(dodona_decoder *d, int n, const double *w)
{
    dodona_error err;
    double total = 0;
    Py_ssize_t m = n + 1;
    PyObject *out = PyByteArray_FromStringAndSize(NULL, m * m * (Py_ssize_t)sizeof(double));
    if (!out)
        return NULL;
    double *share = (double *)(void *)PyByteArray_AsString(out);
    PyThreadState *gil = PyEval_SaveThread();
    int found = dodona_decode_marginals(d, n, w, share, &total, &err);
    PyEval_RestoreThread(gil);
    if (found > 0)
        return Py_BuildValue("(dN)", total, out);
    Py_DECREF(out);
    return found < 0 ? py_fail(&err) : Py_NewRef(Py_None);
}

static PyObject *best(dodona_decoder *d, int n, const double *w)
{
    dodona_error err;
    double score = 0;
    int *heads = calloc((size_t)n + 1, sizeof *heads);
    if (!heads)
        return PyErr_NoMemory();
    PyThreadState *gil = PyEval_SaveThread();
    int found = dodona_decode(d, n, w, heads, &score, &err);
    PyEval_RestoreThread(gil);
    PyObject *result = found < 0 ? py_fail(&err) : tree(found, n, heads, score);
    free(heads);
    return result;
}

/* decode(scores, system, one_root, marginals): (heads, score), or with marginals as sum; None:
 * there is no tree */
PyObject *py_decode(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *scores, *result = NULL;
    Py_buffer b;
    dodona_error err;
    dodona_decode_options o;
    dodona_decoder *d;
    dodona_decode_options_init(&o);
    if (!PyArg_ParseTuple(args, "Ospp", &scores, &o.system, &o.one_root, &o.marginals))
        return NULL;
    if (dodona_decoder_open(&o, &d, &err) < 0)
        return py_fail(&err);
    if (PyObject_GetBuffer(scores, &b, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) == 0) {
        int n = is_matrix(&b) ? (int)b.shape[0] - 1 : -1;
        if (n >= 0)
            result = o.marginals ? sum(d, n, b.buf) : best(d, n, b.buf);
        PyBuffer_Release(&b);
    }
    dodona_decoder_close(d);
    return result;
}

/* ---- Forests ---- */

typedef struct forest {
    PyObject ob_base;
    dodona_forest *f;
    int words;
} forest;

static void forest_dealloc(PyObject *o)
{
    dodona_forest_free(((forest *)o)->f);
    py_free(o);
}

/* Forest(JSON) */
static PyObject *forest_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *json;
    dodona_text line;
    dodona_error err;
    dodona_forest_size size;
    if (kwargs && PyDict_Size(kwargs))
        return PyErr_Format(PyExc_TypeError, "Forest takes no keywords");
    if (!PyArg_ParseTuple(args, "U", &json) || !py_get_text(json, "the forest", &line))
        return NULL;
    forest *o = (forest *)PyType_GenericAlloc(type, 0);
    if (!o)
        return NULL;
    o->f = dodona_forest_new();
    if (!o->f) {
        PyErr_NoMemory();
        Py_CLEAR(o);
    } else if (dodona_forest_read(o->f, line, &err) < 0) {
        py_fail(&err);
        Py_CLEAR(o);
    } else {
        dodona_forest_measure(o->f, &size);
        o->words = size.words;
    }
    return (PyObject *)o;
}

/* (score, [heads], [relations]) */
static PyObject *forest_tree(const forest *o, const dodona_forest_tree *t)
{
    PyObject *heads = PyList_New(o->words), *labels = PyList_New(o->words);
    for (int i = 0; heads && labels && i < o->words; i++) {
        PyObject *h = PyLong_FromLong(t->head[i + 1]), *l = py_text(t->deprel[i + 1]);
        bool failed = !h || !l;
        failed |= h && PyList_SetItem(heads, i, h) < 0;
        failed |= l && PyList_SetItem(labels, i, l) < 0;
        if (failed)
            Py_CLEAR(labels);
    }
    if (heads && labels)
        return Py_BuildValue("(dNN)", t->score, heads, labels);
    Py_XDECREF(heads);
    Py_XDECREF(labels);
    return NULL;
}

/* forest.next(restart): a tree, or None after the last */
static PyObject *forest_next(PyObject *o, PyObject *restart)
{
    forest *f = (forest *)o;
    dodona_forest_tree t;
    dodona_error err;
    int again = PyObject_IsTrue(restart);
    int status = again < 0 ? -1 : dodona_forest_next(f->f, again, &t, &err);
    if (again < 0)
        return NULL;
    if (status < 0)
        return py_fail(&err);
    return status ? forest_tree(f, &t) : Py_NewRef(Py_None);
}

static PyObject *forest_size(PyObject *o, PyObject *unused)
{
    dodona_forest_size size;
    (void)unused;
    dodona_forest_measure(((forest *)o)->f, &size);
    return Py_BuildValue("(iiL)", size.words, size.nodes, (long long)size.edges);
}

static PyObject *forest_count(PyObject *o, PyObject *unused)
{
    const char *digits;
    dodona_error err;
    (void)unused;
    if (dodona_forest_count(((forest *)o)->f, &digits, &err) < 0)
        return py_fail(&err);
    return PyUnicode_FromString(digits);
}

/* forest.oracle(gold, labelled) -> (correct, tree) */
static PyObject *forest_oracle(PyObject *o, PyObject *args)
{
    PyObject *gold;
    int labelled, correct;
    dodona_error err;
    dodona_forest_tree t;
    if (!PyArg_ParseTuple(args, "Op", &gold, &labelled))
        return NULL;
    const dodona_sentence *s = py_get_sentence(gold);
    if (!s)
        return NULL;
    if (dodona_forest_oracle(((forest *)o)->f, s, labelled, &correct, &t, &err) < 0)
        return py_fail(&err);
    return Py_BuildValue("(iN)", correct, forest_tree((forest *)o, &t));
}

/* forest.marginals(temperature) -> [(head, child, p, deprel, labelled)] */
static PyObject *forest_marginals(PyObject *o, PyObject *temperature)
{
    const dodona_forest_arc *arcs;
    size_t count;
    dodona_error err;
    double t = PyFloat_AsDouble(temperature);
    if (t == -1 && PyErr_Occurred())
        return NULL;
    if (dodona_forest_marginals(((forest *)o)->f, t, &arcs, &count, &err) < 0)
        return py_fail(&err);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < count; i++) {
        PyObject *one = Py_BuildValue("(iidNd)", arcs[i].head, arcs[i].child, arcs[i].p,
                                      py_text(arcs[i].deprel), arcs[i].labelled);
        if (!one || PyList_Append(list, one) < 0)
            Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

static PyMethodDef forest_methods[] = {
    { "next", forest_next, METH_O, NULL },
    { "size", forest_size, METH_NOARGS, NULL },
    { "count", forest_count, METH_NOARGS, NULL },
    { "oracle", forest_oracle, METH_VARARGS, NULL },
    { "marginals", forest_marginals, METH_O, NULL },
    { NULL, NULL, 0, NULL },
};

static PyType_Slot forest_slots[] = {
    { Py_tp_new, forest_new },
    { Py_tp_dealloc, forest_dealloc },
    { Py_tp_methods, forest_methods },
    { 0, NULL },
};

static PyType_Spec forest_spec = { "dodona._dodona.Forest", sizeof(forest), 0, Py_TPFLAGS_DEFAULT,
                                   forest_slots };

bool py_add_forest(PyObject *module)
{
    PyObject *type = PyType_FromSpec(&forest_spec);
    return type && PyModule_AddObjectRef(module, "Forest", type) == 0;
}
