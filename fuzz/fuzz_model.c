/* SPDX-License-Identifier: MIT */
/* fuzz_model.c - any bytes as a model file.
 *
 * A changed byte would never get past the hashes.  So the bytes are tried as they are, and then
 * once more after sizes and hashes have been set right; what opens then must parse a sentence into
 * a tree and, with a tokenizer, a text into trees that keep it to the byte.
 *
 * A mutation that moves the sections is lost on most inputs, so the file is put together anew from
 * what its list of sections says, as far as that makes sense. */
#include "api/api.h"
#include "io/text_write.h"
#include "lib.h"
#include "tree/tree.h"

enum { HEADER = 32, ENTRY = DDN_MAX_SECTION_NAME + 24 };

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

static void make_sentence(dodona_sentence *s)
{
    static const char *const form[] = { "the", "oaks", "of", "Dodona", "speak", ".", NULL };
    dodona_sentence_clear(s);
    for (int i = 0; form[i]; i++) {
        dodona_word word = { .form = { form[i], strlen(form[i]) }, .upos = { "NOUN", 4 } };
        must(dodona_sentence_add(s, &word, NULL) == 0);
    }
}

/* A model may have no parser. */
static void parse(const dodona_model *m, dodona_workspace *w, dodona_sentence *s, bool one_root)
{
    must(dodona_parse(w, s, NULL) == 0);
    if (!(dodona_model_steps(m) & DODONA_STEP_PARSE))
        return;
    int32_t *mark = calloc((size_t)s->s.n + 1, sizeof *mark);
    must(mark != NULL);
    must(ddn_tree_check(s->s.head, s->s.n, one_root, mark, NULL) == DDN_TREE_OK);
    free(mark);
}

/* A text, where the model has a tokenizer: it must come back. */
static void parse_text(const dodona_model *m, dodona_workspace *w, dodona_sentence *s)
{
    static const char text[] =
        "The oaks of Dodona DON'T speak.\tGimmeit!\r\nLe prix du 10 000\n\n我。";
    memory from = { .data = text, .size = sizeof text - 1 };
    dodona_reader_options o;
    dodona_reader *r;
    ddn_output back;
    int status;
    ddn_output_memory(&back);
    dodona_reader_options_init(&o);
    o.format = DODONA_TEXT;
    o.model = m;
    if (dodona_reader_open_callback(read_memory, &from, "text", &o, &r, NULL) < 0)
        return;
    while ((status = dodona_reader_next(r, s, NULL)) > 0) {
        parse(m, w, s, true);
        must(ddn_text_rebuild(&back, &s->s));
    }
    must(status == 0 && back.size == from.size && memcmp(back.data, text, back.size) == 0);
    dodona_reader_close(r);
    ddn_output_abandon(&back);
}

/* With the search, the beam and the decoder that the model names, if there are such. */
static void use_own_search(const dodona_model *m, dodona_sentence *s)
{
    dodona_workspace *w;
    dodona_error err = { 0 };
    int code = dodona_workspace_new(m, NULL, &w, &err);
    if (code >= 0) {
        make_sentence(s);
        code = dodona_parse(w, s, &err); /* a list of rules may build no tree of that length */
    }
    must(code >= 0 || (code == DODONA_E_ARGUMENT && err.message[0]));
    dodona_workspace_free(w);
}

static void use(const dodona_model *m)
{
    dodona_sentence *s = dodona_sentence_new();
    dodona_parse_options o;
    dodona_workspace *w;
    dodona_error err = { 0 };
    must(s != NULL);
    dodona_parse_options_init(&o);
    o.search = dodona_model_steps(m) & DODONA_STEP_PARSE ? "greedy" : NULL;
    for (o.roots_many = 0; o.roots_many <= 1; o.roots_many++) {
        int code = dodona_workspace_new(m, &o, &w, &err);
        if (code == DODONA_E_ARGUMENT && strstr(err.message, "needs scores of"))
            continue; /* a network that scores arcs alone */
        must(code == 0);
        make_sentence(s);
        parse(m, w, s, !o.roots_many);
        if (!o.roots_many)
            parse_text(m, w, s);
        dodona_workspace_free(w);
    }
    use_own_search(m, s);
    dodona_sentence_free(s);
}

/* In a block of its own size, so that a sanitizer sees reads past its end. */
static void try(const void *bytes, size_t size)
{
    void *block;
    dodona_model *m;
    dodona_error err = { 0 };
    must(posix_memalign(&block, 64, size ? size : 1) == 0);
    if (size)
        memcpy(block, bytes, size);
    int code = dodona_model_open_memory(block, size, "fuzz", &m, &err);
    must(code >= 0 || (code == DODONA_E_MODEL && err.message[0] && err.file[0]));
    if (code >= 0)
        use(m);
    dodona_model_free(m);
    free(block);
}

static void put_together(ddn_output *o, const ddn_section *section, int sections)
{
    ddn_output_memory(o);
    ddn_model_file_put(o, section, sections);
    must(o->error.code == DODONA_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ddn_section section[DDN_MAX_SECTIONS];
    ddn_output file;
    try(data, size);
    int sections = find_sections(data, size, section);
    if (sections == 0)
        return 0;
    put_together(&file, section, sections);
    if (file.size != size || memcmp(file.data, data, size) != 0)
        try(file.data, file.size);
    ddn_output_abandon(&file);
    return 0;
}

/* libFuzzer's own mutation, where there is libFuzzer. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most) __attribute__((weak));
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

/* Most mutations are of one section, each as often as the others however large it is. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    enum { GROWTH = 64, AS_IT_IS = 8 };
    ddn_section section[DDN_MAX_SECTIONS];
    int sections = find_sections(data, size, section);
    if (sections == 0 || seed % AS_IT_IS == 0)
        return LLVMFuzzerMutate(data, size, most);
    ddn_section *s = &section[seed / AS_IT_IS % (unsigned)sections];
    uint8_t *changed = malloc(s->size + GROWTH);
    must(changed != NULL);
    if (s->size)
        memcpy(changed, s->data, s->size);
    s->size = LLVMFuzzerMutate(changed, s->size, s->size + GROWTH);
    s->data = changed;
    ddn_output file;
    put_together(&file, section, sections);
    if (file.size <= most) {
        memcpy(data, file.data, file.size);
        size = file.size;
    }
    ddn_output_abandon(&file);
    free(changed);
    return size;
}
