/* SPDX-License-Identifier: MIT */
/* sentence.c - Sentence and Word, which the classes of these names in dodona/_doc.py extend, and
 * sentences in the formats that are written. */
#include "binding.h"

#include <stdlib.h>
#include <string.h>

PyTypeObject *py_sentence_type;
static PyTypeObject *word_type;      /* Word here, */
static PyTypeObject *made_word_type; /* and the class that sentences make words of */

typedef struct sentence {
    py_sentence base;
    int64_t *place; /* [2n] start and end of each word's token, or NULL: not looked up yet */
} sentence;

typedef struct word {
    PyObject ob_base;
    PyObject *sentence;
    int i; /* 0: the root above the tree */
} word;

static dodona_sentence *of(PyObject *o)
{
    return ((py_sentence *)o)->s;
}

/* ---- Sentences ---- */

PyObject *py_sentence_wrap(PyTypeObject *type, dodona_sentence *take_s)
{
    sentence *o = (sentence *)PyType_GenericAlloc(type, 0);
    if (!o)
        dodona_sentence_free(take_s);
    else
        o->base.s = take_s;
    return (PyObject *)o;
}

bool py_is_sentence_type(PyObject *type)
{
    if (PyType_Check(type) && PyType_IsSubtype((PyTypeObject *)type, py_sentence_type))
        return true;
    PyErr_Format(PyExc_TypeError, "%R is not a subclass of Sentence", type);
    return false;
}

dodona_sentence *py_get_sentence(PyObject *o)
{
    if (PyObject_TypeCheck(o, py_sentence_type))
        return of(o);
    PyErr_Format(PyExc_TypeError, "expected a Sentence, not %R", Py_TYPE(o));
    return NULL;
}

dodona_sentence *py_copy_sentence(PyObject *o)
{
    dodona_error err;
    dodona_sentence *from = py_get_sentence(o), *s = from ? dodona_sentence_new() : NULL;
    if (from && !s)
        PyErr_NoMemory();
    if (s && dodona_sentence_copy(s, from, &err) < 0) {
        py_fail(&err);
        dodona_sentence_free(s);
        s = NULL;
    }
    return s;
}

static void sentence_dealloc(PyObject *o)
{
    dodona_sentence_free(of(o));
    free(((sentence *)o)->place);
    py_free(o);
}

/* A word from a tuple (form, lemma, upos, xpos, feats, head, deprel, deps, misc). */
static bool add_word(dodona_sentence *s, PyObject *row)
{
    static const char *const name[] = { "form", "lemma",  "upos", "xpos", "feats",
                                        "head", "deprel", "deps", "misc" };
    dodona_word w = { .head = -1 };
    dodona_text *const to[] = { &w.form, &w.lemma,  &w.upos, &w.xpos, &w.feats,
                                NULL,    &w.deprel, &w.deps, &w.misc };
    dodona_error err;
    if (!PyTuple_Check(row) || PyTuple_Size(row) != 9) {
        PyErr_SetString(PyExc_TypeError, "a word is a tuple of 9 columns");
        return false;
    }
    for (Py_ssize_t k = 0; k < 9; k++) {
        PyObject *value = PyTuple_GetItem(row, k);
        if (Py_IsNone(value))
            continue;
        if (to[k] && !py_get_text(value, name[k], to[k]))
            return false;
        long head = to[k] ? 0 : PyLong_AsLong(value);
        if (head == -1 && PyErr_Occurred())
            return false;
        if (!to[k])
            w.head = head < -1 || head > DODONA_MAX_WORDS ? DODONA_MAX_WORDS + 1 : (int)head;
    }
    if (dodona_sentence_add(s, &w, &err) < 0)
        py_fail(&err);
    return !PyErr_Occurred();
}

static bool add_comment(dodona_sentence *s, PyObject *line)
{
    dodona_text text;
    dodona_error err;
    if (!py_get_text(line, "a comment", &text))
        return false;
    if (dodona_sentence_add_comment(s, text, &err) < 0)
        py_fail(&err);
    return !PyErr_Occurred();
}

/* Sentence._make(words, comments) */
static PyObject *make(PyObject *type, PyObject *args)
{
    PyObject *words, *comments;
    if (!PyArg_ParseTuple(args, "O!O!", &PyList_Type, &words, &PyList_Type, &comments))
        return NULL;
    dodona_sentence *s = dodona_sentence_new();
    if (!s)
        return PyErr_NoMemory();
    bool done = true;
    for (Py_ssize_t i = 0; done && i < PyList_Size(comments); i++)
        done = add_comment(s, PyList_GetItem(comments, i));
    for (Py_ssize_t i = 0; done && i < PyList_Size(words); i++)
        done = add_word(s, PyList_GetItem(words, i));
    if (done)
        return py_sentence_wrap((PyTypeObject *)type, s);
    dodona_sentence_free(s);
    return NULL;
}

static PyObject *make_word(PyObject *o, int i)
{
    word *w = (word *)PyType_GenericAlloc(made_word_type, 0);
    if (w) {
        w->sentence = Py_NewRef(o);
        w->i = i;
    }
    return (PyObject *)w;
}

static Py_ssize_t length(PyObject *o)
{
    return dodona_sentence_length(of(o));
}

static PyObject *item(PyObject *o, Py_ssize_t i)
{
    if (i >= 0 && i < length(o))
        return make_word(o, (int)i + 1);
    PyErr_SetString(PyExc_IndexError, "the sentence has no such word");
    return NULL;
}

static PyObject *slice(PyObject *o, PyObject *key)
{
    Py_ssize_t start, stop, step;
    if (PySlice_Unpack(key, &start, &stop, &step) < 0)
        return NULL;
    Py_ssize_t count = PySlice_AdjustIndices(length(o), &start, &stop, step);
    PyObject *list = PyList_New(count);
    for (Py_ssize_t i = 0; list && i < count; i++) {
        PyObject *w = make_word(o, (int)(start + i * step) + 1);
        if (!w || PyList_SetItem(list, i, w) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *subscript(PyObject *o, PyObject *key)
{
    if (PySlice_Check(key))
        return slice(o, key);
    Py_ssize_t i = PyNumber_AsSsize_t(key, PyExc_IndexError);
    if (i == -1 && PyErr_Occurred())
        return NULL;
    return item(o, i < 0 ? i + length(o) : i);
}

/* sentence.word(id): 1 is the first word, 0 the root above the tree */
static PyObject *word_by_id(PyObject *o, PyObject *id)
{
    long i = PyLong_AsLong(id);
    if (i == -1 && PyErr_Occurred())
        return NULL;
    if (i >= 0 && i <= length(o))
        return make_word(o, (int)i);
    return PyErr_Format(PyExc_IndexError, "there is no word %R; ids are 0 to %zd", id, length(o));
}

static PyObject *heads(PyObject *o, void *unused)
{
    (void)unused;
    Py_ssize_t n = length(o);
    PyObject *list = PyList_New(n);
    for (Py_ssize_t i = 0; list && i < n; i++) {
        dodona_word w = { .head = -1 };
        dodona_sentence_get(of(o), (int)i + 1, &w);
        PyObject *head = w.head < 0 ? Py_NewRef(Py_None) : PyLong_FromLong(w.head);
        if (!head || PyList_SetItem(list, i, head) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *comments(PyObject *o, void *unused)
{
    (void)unused;
    dodona_text line;
    PyObject *list = PyList_New(0);
    for (int i = 0; list && dodona_sentence_comment(of(o), i, &line) >= 0; i++) {
        PyObject *text = py_text(line);
        if (!text || PyList_Append(list, text) < 0)
            Py_CLEAR(list);
        Py_XDECREF(text);
    }
    return list;
}

static PyObject *meta(PyObject *o, PyObject *key)
{
    const char *name;
    dodona_text value;
    if (!py_get_name(key, "the key", false, &name))
        return NULL;
    if (dodona_sentence_meta(of(o), name, &value) != 1)
        return Py_NewRef(Py_None);
    return py_text(value);
}

/* The place where there is one, else None. */
static PyObject *offset(int64_t at)
{
    return at < 0 ? Py_NewRef(Py_None) : PyLong_FromLongLong(at);
}

/* [(first, last, form, misc, start, end)] */
static PyObject *tokens(PyObject *o, PyObject *unused)
{
    (void)unused;
    dodona_token t = { 0 };
    PyObject *list = PyList_New(0);
    while (list && dodona_sentence_next_token(of(o), &t)) {
        PyObject *one = Py_BuildValue("(iiNNNN)", t.first, t.last, py_text(t.form), py_text(t.misc),
                                      offset(t.start), offset(t.end));
        if (!one || PyList_Append(list, one) < 0)
            Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

/* Tree k: (score, [heads], [relations]) */
static PyObject *tree(PyObject *o, int k)
{
    double score = 0;
    Py_ssize_t n = length(o);
    PyObject *head_list = PyList_New(n), *labels = PyList_New(n);
    dodona_sentence_tree_score(of(o), k, &score);
    for (Py_ssize_t i = 0; head_list && labels && i < n; i++) {
        int head = -1;
        dodona_text label = { "", 0 };
        dodona_sentence_tree_arc(of(o), k, (int)i + 1, &head, &label);
        PyObject *h = PyLong_FromLong(head), *l = py_text(label);
        int failed = !h || !l;
        failed |= h ? PyList_SetItem(head_list, i, h) < 0 : 0;
        failed |= l ? PyList_SetItem(labels, i, l) < 0 : 0;
        if (failed)
            Py_CLEAR(labels);
    }
    if (head_list && labels)
        return Py_BuildValue("(dNN)", score, head_list, labels);
    Py_XDECREF(head_list);
    Py_XDECREF(labels);
    return NULL;
}

static PyObject *trees(PyObject *o, PyObject *unused)
{
    (void)unused;
    int count = dodona_sentence_trees(of(o));
    PyObject *list = PyList_New(0);
    for (int k = 1; list && k <= count; k++) {
        PyObject *one = tree(o, k);
        if (!one || PyList_Append(list, one) < 0)
            Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

static PyObject *forest(PyObject *o, void *unused)
{
    (void)unused;
    dodona_text line = dodona_sentence_forest(of(o));
    return line.size ? py_text(line) : Py_NewRef(Py_None);
}

static PyObject *fallback(PyObject *o, void *unused)
{
    (void)unused;
    const char *name = dodona_sentence_fallback(of(o));
    return name ? PyUnicode_FromString(name) : Py_NewRef(Py_None);
}

static PyObject *fault(PyObject *o, void *unused)
{
    (void)unused;
    const dodona_error *err = dodona_sentence_fault(of(o));
    return err ? py_error(err) : Py_NewRef(Py_None);
}

static PyObject *is_bad(PyObject *o, void *unused)
{
    (void)unused;
    return PyBool_FromLong(dodona_sentence_is_bad(of(o)));
}

/* ---- Words ---- */

static void word_dealloc(PyObject *o)
{
    Py_XDECREF(((word *)o)->sentence);
    py_free(o);
}

enum { FORM, LEMMA, UPOS, XPOS, FEATS, DEPREL, DEPS, MISC };

/* A column; what is empty is "". */
static PyObject *column(PyObject *o, void *which)
{
    const word *w = (word *)o;
    intptr_t k = (intptr_t)which;
    dodona_word c;
    if (w->i == 0 || dodona_sentence_get(of(w->sentence), w->i, &c) < 0)
        return PyUnicode_FromString(k == FORM ? "ROOT" : "");
    const dodona_text columns[] = { c.form,  c.lemma,  c.upos, c.xpos,
                                    c.feats, c.deprel, c.deps, c.misc };
    dodona_text t = columns[k];
    return py_text(k != FORM && t.size == 1 && t.data[0] == '_' ? (dodona_text){ "", 0 } : t);
}

static int head_of(const word *w)
{
    dodona_word c;
    return w->i && dodona_sentence_get(of(w->sentence), w->i, &c) >= 0 ? c.head : -1;
}

static PyObject *head_id(PyObject *o, void *unused)
{
    (void)unused;
    return offset(head_of((word *)o));
}

static PyObject *head(PyObject *o, void *unused)
{
    (void)unused;
    const word *w = (word *)o;
    int h = head_of(w);
    if (h < 0 || h > length(w->sentence))
        return Py_NewRef(Py_None);
    return make_word(w->sentence, h);
}

static PyObject *word_id(PyObject *o, void *unused)
{
    (void)unused;
    return PyLong_FromLong(((word *)o)->i);
}

static PyObject *word_sentence(PyObject *o, void *unused)
{
    (void)unused;
    return Py_NewRef(((word *)o)->sentence);
}

static PyObject *confidence(PyObject *o, void *unused)
{
    (void)unused;
    const word *w = (word *)o;
    double p = w->i ? dodona_sentence_confidence(of(w->sentence), w->i) : -1;
    return p < 0 ? Py_NewRef(Py_None) : PyFloat_FromDouble(p);
}

static int64_t *find_places(const dodona_sentence *s)
{
    size_t n = (size_t)dodona_sentence_length(s);
    int64_t *place = malloc(2 * (n + 1) * sizeof *place);
    dodona_token t = { 0 };
    while (place && dodona_sentence_next_token(s, &t))
        for (int i = t.first; i <= t.last; i++) {
            place[2 * i - 2] = t.start;
            place[2 * i - 1] = t.end;
        }
    return place;
}

/* Where the token of the word begins (which 0) or ends (1). */
static PyObject *word_place(PyObject *o, void *which)
{
    const word *w = (word *)o;
    sentence *s = (sentence *)w->sentence;
    if (w->i == 0)
        return Py_NewRef(Py_None);
    if (!s->place)
        s->place = find_places(s->base.s);
    if (!s->place)
        return PyErr_NoMemory();
    return offset(s->place[2 * (w->i - 1) + (intptr_t)which]);
}

static PyObject *compare(PyObject *a, PyObject *b, int op)
{
    if ((op != Py_EQ && op != Py_NE) || !PyObject_TypeCheck(b, word_type))
        return Py_NewRef(Py_NotImplemented);
    const word *x = (word *)a, *y = (word *)b;
    bool same = x->sentence == y->sentence && x->i == y->i;
    return PyBool_FromLong(same == (op == Py_EQ));
}

static Py_hash_t hash(PyObject *o)
{
    const word *w = (word *)o;
    Py_hash_t h = (Py_hash_t)((uintptr_t)w->sentence >> 4) * 31 + w->i;
    return h == -1 ? -2 : h;
}

/* ---- Formats ---- */

static int put_all(dodona_writer *w, PyObject *list, dodona_error *err)
{
    int status = 0;
    for (Py_ssize_t i = 0; status >= 0 && i < PyList_Size(list); i++) {
        const dodona_sentence *s = py_get_sentence(PyList_GetItem(list, i));
        status = s ? dodona_writer_put(w, s, err) : py_raised(err);
    }
    return status;
}

/* write_text(sentences, format) -> str */
PyObject *py_write_text(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *list, *text = NULL;
    const char *name;
    dodona_error err;
    dodona_writer *w;
    dodona_text out;
    if (!PyArg_ParseTuple(args, "O!s", &PyList_Type, &list, &name))
        return NULL;
    int format = dodona_format_find(name, &err);
    if (format < 0 || dodona_writer_open_memory((dodona_format)format, &w, &err) < 0)
        return py_fail(&err);
    if (put_all(w, list, &err) < 0 || dodona_writer_text(w, &out, &err) < 0)
        py_fail(&err);
    else
        text = py_text(out);
    dodona_writer_abandon(w);
    return text;
}

/* ---- Types ---- */

static PyObject *use_word_type(PyObject *unused, PyObject *type)
{
    (void)unused;
    if (!PyType_Check(type) || !PyType_IsSubtype((PyTypeObject *)type, word_type))
        return PyErr_Format(PyExc_TypeError, "%R is not a subclass of Word", type);
    PyTypeObject *old = made_word_type;
    made_word_type = (PyTypeObject *)Py_NewRef(type);
    Py_DECREF(old);
    return Py_NewRef(Py_None);
}

static PyMethodDef sentence_methods[] = {
    { "_make", make, METH_VARARGS | METH_CLASS, NULL },
    { "_use_word_type", use_word_type, METH_O | METH_STATIC, NULL },
    { "word", word_by_id, METH_O,
      "The word with that id: 1 is the first, 0 the root above the tree." },
    { "meta", meta, METH_O, "The value of the comment '# key = value', or None." },
    { "_tokens", tokens, METH_NOARGS, NULL },
    { "_trees", trees, METH_NOARGS, NULL },
    { NULL, NULL, 0, NULL },
};

static PyGetSetDef sentence_fields[] = {
    { "heads", heads, NULL, "Ids of the words' heads, 0 for the root, None for no head.", NULL },
    { "comments", comments, NULL, "The comment lines, without their line ends.", NULL },
    { "forest", forest, NULL, "The packed forest as a JSON line, or None.", NULL },
    { "fallback", fallback, NULL,
      "The search that parsed it in place of the one asked for, or None.", NULL },
    { "fault", fault, NULL, "Why the sentence was left unparsed, or None.", NULL },
    { "is_bad", is_bad, NULL, "Whether it could not be read and has no words.", NULL },
    { NULL, NULL, NULL, NULL, NULL },
};

static PyType_Slot sentence_slots[] = {
    { Py_tp_new, py_no_new },
    { Py_tp_dealloc, sentence_dealloc },
    { Py_tp_methods, sentence_methods },
    { Py_tp_getset, sentence_fields },
    { Py_sq_length, length },
    { Py_sq_item, item },
    { Py_mp_length, length },
    { Py_mp_subscript, subscript },
    { Py_tp_doc, (void *)"A sentence.  It does not change." },
    { 0, NULL },
};

static PyType_Spec sentence_spec = { "dodona._dodona.Sentence", sizeof(sentence), 0,
                                     Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, sentence_slots };

#define COLUMN(name, which, doc)                                                                   \
    {                                                                                              \
        name, column, NULL, doc, (void *)(intptr_t)(which)                                         \
    }

static PyGetSetDef word_fields[] = {
    { "id", word_id, NULL, "Its number in the sentence, from 1; 0: the root above the tree.",
      NULL },
    { "sentence", word_sentence, NULL, "The sentence that it is in.", NULL },
    COLUMN("text", FORM, "The word form."),
    COLUMN("form", FORM, "The word form."),
    COLUMN("lemma", LEMMA, "The lemma; empty: none."),
    COLUMN("upos", UPOS, "The universal part of speech; empty: none."),
    COLUMN("xpos", XPOS, "The treebank's own part of speech; empty: none."),
    COLUMN("deprel", DEPREL, "The relation to the head; empty: none."),
    COLUMN("_feats", FEATS, NULL),
    COLUMN("_deps", DEPS, NULL),
    COLUMN("_misc", MISC, NULL),
    { "head", head, NULL, "The head, which is word 0 for the root of the tree; None: none.", NULL },
    { "head_id", head_id, NULL, "The head's id; None: it has no head.", NULL },
    { "confidence", confidence, NULL,
      "The probability that the head is right; None: not asked for.", NULL },
    { "start", word_place, NULL, "Code points before its token in the text; None: not known.",
      (void *)0 },
    { "end", word_place, NULL, "Code points up to its token's end; None: not known.", (void *)1 },
    { NULL, NULL, NULL, NULL, NULL },
};

static PyType_Slot word_slots[] = {
    { Py_tp_new, py_no_new },
    { Py_tp_dealloc, word_dealloc },
    { Py_tp_getset, word_fields },
    { Py_tp_richcompare, compare },
    { Py_tp_hash, hash },
    { Py_tp_doc, (void *)"A word of a sentence." },
    { 0, NULL },
};

static PyType_Spec word_spec = { "dodona._dodona.Word", sizeof(word), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, word_slots };

bool py_add_sentence(PyObject *module)
{
    py_sentence_type = (PyTypeObject *)PyType_FromSpec(&sentence_spec);
    word_type = (PyTypeObject *)PyType_FromSpec(&word_spec);
    if (!py_sentence_type || !word_type)
        return false;
    made_word_type = (PyTypeObject *)Py_NewRef((PyObject *)word_type);
    return PyModule_AddObjectRef(module, "Sentence", (PyObject *)py_sentence_type) == 0 &&
           PyModule_AddObjectRef(module, "Word", (PyObject *)word_type) == 0;
}
