/* SPDX-License-Identifier: MIT */
/* fuzz_templates.c - any bytes as a file of templates.
 *
 * What compiles must be a plan that stays inside itself, and reading features with it from a small
 * configuration must come back; what does not must be blamed on a line, with a reason. */
#include "lib.h"
#include "model/encode.h"
#include "system/system.h"

static void check_plan(const ddn_templates *t)
{
    must(t->templates >= 1 && t->templates <= DDN_MAX_TEMPLATES);
    must(t->both >= 0 && t->both <= t->moves && t->moves <= t->templates);
    must(t->moves > 0 || ddn_templates_see_arcs(t));
    for (int i = 0; i < t->layout.slots; i++)
        must(t->layout.address[i].from < i);
    for (int i = 0; i < t->atoms; i++) {
        must(t->atom[i].slot < t->layout.slots);
        if (t->atom[i].kind == DDN_ATOM_WORD)
            must(t->atom[i].detail < t->sources);
        if (t->atom[i].kind == DDN_ATOM_DISTANCE)
            must(t->atom[i].detail < t->layout.slots);
    }
    for (int i = 0; i < t->templates; i++) {
        must(t->line[i].arity >= 1 && t->line[i].arity <= DDN_MAX_ARITY);
        for (int j = 0; j < t->line[i].arity; j++)
            must(t->line[i].atom[j] < t->atoms);
    }
}

static void read_features(const ddn_templates *t)
{
    static const char *const columns[DDN_COLUMNS] = {
        "1", "w\xc3\xb6rd", "word", "NOUN", "NN", "Case=Nom|Number=Sing"
    };
    static ddn_feature h[DDN_MAX_TEMPLATES];
    ddn_sentence s;
    ddn_state state;
    ddn_encodings e = { 0 };
    const ddn_sentence *sentence = &s;
    ddn_view v;
    uint32_t value[DDN_MAX_ATOMS];
    uint64_t sum = 0;
    ddn_sentence_init(&s);
    ddn_state_init(&state);
    dodona_text col[DDN_COLUMNS] = { 0 };
    for (int i = 0; i < DDN_COLUMNS; i++)
        col[i] = (dodona_text){ columns[i], columns[i] ? strlen(columns[i]) : 0 };
    for (int i = 0; i < 4; i++)
        must(ddn_sentence_word(&s, col, NULL) == 0);
    must(ddn_encode_all(&e, t, &sentence, 1, NULL) == 0);
    must(ddn_state_start(&state, s.n, DDN_ROOTS_ONE, NULL) == 0);
    ddn_features_list(t, h);
    for (int step = 0; step < 4; step++) {
        ddn_view_fill(&t->layout, &state, step - 1, step - 1, &v);
        ddn_read_atoms(t, e.of, &v, value);
        ddn_read_atoms_of_p(t, e.of, &v, value);
        for (int i = 0; i < t->templates; i++)
            sum |= ddn_feature_key(&h[i], value);
        ddn_state_push(&state);
        if (step == 1)
            ddn_state_attach(&state, 2, 1, 3, NULL);
    }
    must(sum != 0);
    ddn_encodings_fini(&e);
    ddn_state_fini(&state);
    ddn_sentence_fini(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static ddn_templates t;
    dodona_error err = { 0 };
    int code = ddn_templates_compile(&t, (const char *)data, size, "fuzz", &err);
    if (code < 0) {
        must((code == DODONA_E_INPUT || code == DODONA_E_LIMIT) && err.message[0]);
        return 0;
    }
    check_plan(&t);
    read_features(&t);
    return 0;
}
