/* SPDX-License-Identifier: MIT */
/* fuzz_model.c - any bytes as a model file.
 *
 * A changed byte would never get past the hashes.  So the bytes are tried as they are, and then
 * once more after sizes and hashes have been set right; what opens then must parse a sentence into
 * a tree.
 *
 * A mutation that moves the sections is lost on most inputs, so the file is put together anew from
 * what its list of sections says, as far as that makes sense. */
#include "lib.h"
#include "model/perceptron.h"
#include "pipeline/annotate.h"
#include "search/search.h"
#include "tree/tree.h"

enum { HEADER = 32, ENTRY = DDN_MAX_SECTION_NAME + 24, WORDS = 6 };

static uint64_t number(const uint8_t *at, int bytes)
{
    uint64_t x = 0;
    while (bytes-- > 0)
        x = x << 8 | at[bytes];
    return x;
}

/* The sections that the bytes hold, read with goodwill. */
static int find_sections(const uint8_t *data, size_t size, ddn_section *out)
{
    uint64_t sections = size < HEADER ? 0 : number(data + 12, 4);
    int found = 0;
    for (uint64_t i = 0; i < sections && i < DDN_MAX_SECTIONS; i++) {
        const uint8_t *entry = data + HEADER + i * ENTRY;
        if ((uint64_t)(data + size - entry) < ENTRY)
            break;
        uint64_t at = number(entry + DDN_MAX_SECTION_NAME, 8);
        uint64_t length = number(entry + DDN_MAX_SECTION_NAME + 8, 8);
        at = at < size ? at : size;
        ddn_section *s = &out[found++];
        memcpy(s->name, entry, sizeof s->name);
        s->name[sizeof s->name - 1] = '\0';
        s->data = data + at;
        s->size = length < size - at ? length : size - at;
    }
    return found;
}

static void make_sentence(ddn_sentence *s, const char *upos)
{
    static const char *const form[WORDS] = { "the", "oaks", "of", "Dodona", "speak", "." };
    for (int i = 0; i < WORDS; i++) {
        dodona_text col[DDN_COLUMNS] = { [DDN_FORM] = { form[i], strlen(form[i]) },
                                         [DDN_UPOS] = { upos, upos ? strlen(upos) : 0 } };
        must(ddn_sentence_word(s, col, NULL) == 0);
    }
}

static void parse(const ddn_perceptron *p, ddn_roots roots)
{
    ddn_scoring *scoring;
    ddn_searching *searching;
    ddn_search_options options = { .roots = roots };
    ddn_sentence s;
    int32_t head[WORDS + 1], mark[WORDS + 1];
    ddn_sentence_init(&s);
    make_sentence(&s, "NOUN");
    must(ddn_perceptron_scoring(&p->schema, &p->frozen, &scoring, NULL) == 0);
    must(ddn_search_open("greedy", p->schema.system, scoring, &options, &searching, NULL) == 0);
    must(searching->search->run(searching, &s, NULL) == 0);
    for (int i = 1; i <= WORDS; i++) {
        head[i] = searching->state.node[i].head;
        must(searching->state.node[i].label < p->schema.labels.count);
    }
    must(ddn_tree_check(head, WORDS, roots == DDN_ROOTS_ONE, mark, NULL) == DDN_TREE_OK);
    searching->search->close(searching);
    scoring->scorer->close(scoring);
    ddn_sentence_fini(&s);
}

/* Tagger and lemmatizer, where they are there. */
static int annotate(const ddn_model_file *f, dodona_error *err)
{
    ddn_tagger tagger;
    ddn_lemmatizer lemmatizer;
    ddn_annotator a;
    ddn_sentence s;
    if (!ddn_tagger_is_in(f))
        return DODONA_OK;
    int code = ddn_tagger_open(&tagger, f, err);
    if (code < 0)
        return code;
    code = ddn_lemmatizer_open(&lemmatizer, f, err);
    if (code >= 0) {
        ddn_sentence_init(&s);
        make_sentence(&s, NULL);
        must(ddn_annotator_init(&a, &tagger, &lemmatizer, NULL) == 0);
        must(ddn_annotate(&a, &s, true, NULL) == 0);
        ddn_annotator_fini(&a);
        ddn_sentence_fini(&s);
        ddn_lemmatizer_close(&lemmatizer);
    }
    ddn_tagger_close(&tagger);
    return code;
}

static void try(const void *bytes, size_t size)
{
    static ddn_perceptron p;
    ddn_model_file f;
    dodona_error err = { 0 };
    int code = ddn_model_file_memory(&f, bytes, size, "fuzz", &err);
    if (code >= 0) {
        code = ddn_perceptron_open(&p, &f, &err);
        if (code >= 0) {
            parse(&p, DDN_ROOTS_ONE);
            parse(&p, DDN_ROOTS_MANY);
            ddn_perceptron_close(&p);
            code = annotate(&f, &err);
        }
        ddn_model_file_close(&f);
    }
    must(code >= 0 || (code == DODONA_E_MODEL && err.message[0] && err.file[0]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ddn_section section[DDN_MAX_SECTIONS];
    ddn_output o;
    try(data, size);
    int sections = find_sections(data, size, section);
    if (sections == 0)
        return 0;
    ddn_output_memory(&o);
    ddn_model_file_put(&o, section, sections);
    must(o.error.code == DODONA_OK);
    /* In a block of its own size, so that a sanitizer sees reads past its end. */
    char *exact = malloc(o.size);
    must(exact);
    memcpy(exact, o.data, o.size);
    size_t exact_size = o.size;
    ddn_output_abandon(&o);
    try(exact, exact_size);
    free(exact);
    return 0;
}
