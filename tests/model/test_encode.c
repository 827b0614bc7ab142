/* SPDX-License-Identifier: MIT */
/* From words and views to keys.  Values are hashes, so what is tested is which of them are equal:
 * a prefix must have the number that the same string has as a form. */
#include "core/rng.h"
#include "lib/check.h"
#include "model/encode.h"
#include <stdlib.h>
#include <string.h>

typedef struct fixture {
    ddn_templates t;
    ddn_sentence s;
    ddn_encodings all;
    ddn_encoded e;
} fixture;

static dodona_text text(const char *t)
{
    return (dodona_text){ t, strlen(t) };
}

static void begin(fixture *f, const char *templates)
{
    dodona_error err = { 0 };
    ddn_sentence_init(&f->s);
    f->all = (ddn_encodings){ 0 };
    assert_int_equal(ddn_templates_compile(&f->t, templates, strlen(templates), "x", &err), 0);
}

static void add(fixture *f, const char *form, const char *feats)
{
    dodona_text col[DDN_COLUMNS] = { [DDN_FORM] = text(form),
                                     [DDN_LEMMA] = text("lemma"),
                                     [DDN_UPOS] = text("UPOS"),
                                     [DDN_XPOS] = text("XPOS"),
                                     [DDN_FEATS] = text(feats) };
    assert_int_equal(ddn_sentence_word(&f->s, col, NULL), 0);
}

static void encode(fixture *f)
{
    const ddn_sentence *s = &f->s;
    assert_int_equal(ddn_encode_all(&f->all, &f->t, &s, 1, NULL), 0);
    f->e = f->all.of[0];
    assert_int_equal(f->e.n, f->s.n);
}

static void end(fixture *f)
{
    ddn_sentence_fini(&f->s);
    ddn_encodings_fini(&f->all);
}

/* The number of a source for a word; -1: nothing. */
static uint32_t value(const fixture *f, int source, int32_t word)
{
    return f->e.value[(size_t)source * ((size_t)f->e.n + 2) + (size_t)(word + 1)];
}

static void prefixes_and_suffixes_count_characters(void **state)
{
    (void)state;
    static const struct {
        const char *form, *p1, *p3, *s1, *s3, *s9;
    } want[] = {
        { "oracles", "o", "ora", "s", "les", "oracles" },
        { "ab", "a", "ab", "b", "ab", "ab" },
        { "na\xc3\xafve", "n", "na\xc3\xaf", "e", "\xc3\xafve", "na\xc3\xafve" },
        { "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e\xe3\x81\xae", "\xe6\x97\xa5",
          "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e", "\xe3\x81\xae",
          "\xe6\x9c\xac\xe8\xaa\x9e\xe3\x81\xae",
          "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e\xe3\x81\xae" },
        { "\xf0\x9f\x98\x80x", "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80x", "x", "\xf0\x9f\x98\x80x",
          "\xf0\x9f\x98\x80x" },
        { "incontrovertibly", "i", "inc", "y", "bly", "overtibly" },
    };
    enum { FORMS = sizeof want / sizeof *want, EACH = 6 };
    fixture f;
    begin(&f, "s0.w+s0.p1+s0.p3+s0.s1+s0.s3\ns0.s9");
    for (int i = 0; i < FORMS; i++) {
        add(&f, want[i].form, "_");
        add(&f, want[i].p1, "_");
        add(&f, want[i].p3, "_");
        add(&f, want[i].s1, "_");
        add(&f, want[i].s3, "_");
        add(&f, want[i].s9, "_");
    }
    encode(&f);
    for (int i = 0; i < FORMS; i++)
        for (int k = 1; k < EACH; k++)
            assert_int_equal(value(&f, k, i * EACH + 1), value(&f, 0, i * EACH + 1 + k));
    end(&f);
}

static void columns_are_told_apart(void **state)
{
    (void)state;
    fixture f;
    begin(&f, "s0.w+s0.m+s0.t+s0.x+s0.f");
    add(&f, "form", "FEATS");
    add(&f, "lemma", "_");
    add(&f, "UPOS", "_");
    add(&f, "XPOS", "_");
    add(&f, "FEATS", "_");
    encode(&f);
    for (int k = 0; k < 5; k++) /* column k of word 1 is what the form of word k+1 spells */
        assert_int_equal(value(&f, k, 1), value(&f, 0, k + 1));
    end(&f);
}

static void one_feature_is_found(void **state)
{
    (void)state;
    static const struct {
        const char *feats, *a, *ab, *ba; /* the values of Case, CaseX and XCase; NULL: absent */
    } want[] = {
        { "Case=Nom", "Nom", NULL, NULL },
        { "CaseX=Acc", NULL, "Acc", NULL },
        { "XCase=Dat", NULL, NULL, "Dat" },
        { "Case=Nom|CaseX=Acc|XCase=Dat", "Nom", "Acc", "Dat" },
        { "XCase=Dat|CaseX=Acc|Case=Nom", "Nom", "Acc", "Dat" },
        { "A=1|Case=Acc,Dat|Z=2", "Acc,Dat", NULL, NULL },
        { "A=Case=Nom|B=2", NULL, NULL, NULL },
        { "_", NULL, NULL, NULL },
        { "Case", NULL, NULL, NULL },
        { "case=Nom", NULL, NULL, NULL },
        { "Cas=Nom", NULL, NULL, NULL },
        { "Case=Nom|Case=Gen", "Nom", NULL, NULL },
    };
    enum { ROWS = sizeof want / sizeof *want };
    fixture f;
    begin(&f, "s0.w+s0.f:Case+s0.f:CaseX+s0.f:XCase");
    static const char *const value_of[] = { "Nom", "Acc", "Dat", "Acc,Dat", "Gen" };
    for (int i = 0; i < 5; i++)
        add(&f, value_of[i], "_"); /* words 1..5 spell the values */
    for (int i = 0; i < ROWS; i++)
        add(&f, "x", want[i].feats);
    encode(&f);
    uint32_t absent = value(&f, 1, 1);
    for (int i = 1; i <= 5; i++)
        assert_int_not_equal(value(&f, 0, i), absent);
    for (int i = 0; i < ROWS; i++) {
        const char *of[] = { want[i].a, want[i].ab, want[i].ba };
        for (int k = 0; k < 3; k++) {
            uint32_t expected = absent;
            for (int v = 0; of[k] && v < 5; v++)
                if (strcmp(of[k], value_of[v]) == 0)
                    expected = value(&f, 0, v + 1);
            assert_int_equal(value(&f, k + 1, 6 + i), expected);
        }
    }
    end(&f);
}

static void nothing_and_root_are_no_word(void **state)
{
    (void)state;
    fixture f;
    begin(&f, "s0.w+s0.t+s0.f:Case+s0.p1");
    add(&f, "_", "_");
    add(&f, "0", "_");
    add(&f, "", "_");
    encode(&f);
    for (int k = 0; k < f.t.sources; k++) {
        assert_int_equal(value(&f, k, -1), value(&f, 0, -1));
        assert_int_equal(value(&f, k, 0), value(&f, 0, 0));
        assert_int_not_equal(value(&f, k, -1), value(&f, k, 0));
        for (int32_t w = 1; w <= 3; w++) {
            assert_int_not_equal(value(&f, k, w), value(&f, k, -1));
            assert_int_not_equal(value(&f, k, w), value(&f, k, 0));
        }
    }
    ddn_sentence_clear(&f.s);
    encode(&f); /* no words at all */
    assert_int_equal(value(&f, 1, -1), value(&f, 0, -1));
    end(&f);
}

/* The value of the first atom when the slots stand as set. */
static uint32_t atom_of(fixture *f, const ddn_view *v)
{
    uint32_t value_of[DDN_MAX_ATOMS];
    ddn_read_atoms(&f->t, &f->e, v, value_of);
    return value_of[0];
}

static void distances_fall_into_buckets(void **state)
{
    (void)state;
    fixture f;
    begin(&f, "d(s0,q0)");
    encode(&f);
    ddn_view v = { 0 };
    uint32_t of[60];
    for (int d = 0; d < 60; d++) {
        v.slot[0].word = 7;
        v.slot[1].word = 7 + d;
        of[d] = atom_of(&f, &v);
        v.slot[0].word = 7 + d;
        v.slot[1].word = 7;
        assert_int_equal(atom_of(&f, &v), of[d]);
    }
    v.slot[0].word = -1;
    uint32_t none = atom_of(&f, &v);
    v.slot[0].word = 3;
    v.slot[1].word = -1;
    assert_int_equal(atom_of(&f, &v), none);
    for (int a = 0; a < 60; a++) {
        assert_int_not_equal(of[a], none);
        for (int b = 0; b < a; b++) {
            int bucket_a = a <= 5 ? a : a <= 10 ? 6 : 7, bucket_b = b <= 5 ? b : b <= 10 ? 6 : 7;
            assert_int_equal(of[a] == of[b], bucket_a == bucket_b);
        }
    }
    end(&f);
}

static void children_are_counted_up_to_seven(void **state)
{
    (void)state;
    fixture f;
    begin(&f, "s0.vl\ns0.vr");
    encode(&f);
    ddn_view v = { 0 };
    uint32_t of[20];
    for (int d = 0; d < 20; d++) {
        uint32_t both[2];
        v.slot[0].valency[DDN_LEFT] = d;
        v.slot[0].valency[DDN_RIGHT] = 19 - d;
        ddn_read_atoms(&f.t, &f.e, &v, both);
        of[d] = both[0];
        if (d >= 10)
            assert_int_equal(both[1], of[19 - d]);
        for (int b = 0; b < d; b++)
            assert_int_equal(of[b] == of[d], b >= 7);
    }
    end(&f);
}

static void labels_and_sets_are_told_apart(void **state)
{
    (void)state;
    enum { SETS = 400 };
    fixture f;
    begin(&f, "s0.sl");
    encode(&f);
    ddn_view v = { 0 };
    uint64_t set[SETS];
    uint32_t of[SETS];
    ddn_rng r;
    ddn_rng_init(&r, 1);
    for (int i = 0; i < SETS; i++) {
        set[i] = i == 0 ? 0 : i <= 64 ? 1ull << (i - 1) : ddn_rng_next(&r) & ddn_rng_next(&r);
        v.slot[0].set[DDN_LEFT] = set[i];
        of[i] = atom_of(&f, &v);
        for (int k = 0; k < i; k++)
            assert_int_equal(of[i] == of[k], set[i] == set[k]);
    }
    end(&f);
    begin(&f, "s0.l");
    encode(&f);
    v.slot[0].label = 0;
    uint32_t none = atom_of(&f, &v);
    v.slot[0].label = 1;
    assert_int_not_equal(atom_of(&f, &v), none);
    end(&f);
}

static int by_number(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* A key depends on the template and on its atoms, in their order, and on nothing else.  With 64
 * bits no two of some hundred thousand may be equal by chance. */
static void keys_are_equal_where_atoms_are(void **state)
{
    (void)state;
    enum { VALUES = 6, VIEWS = 8000 };
    fixture f;
    ddn_feature h[DDN_MAX_TEMPLATES];
    begin(&f, "s0.w\nq0.w\ns0.w+q0.w\nq0.w+s0.w\ns0.w+q0.w+s0.t\ns0.w+q0.w+s0.t+q0.t\n"
              "s0.w+q0.w+s0.t+q0.t+s1.w+s1.t\ns0.w\n");
    ddn_features_list(&f.t, h);
    int atoms = f.t.atoms, templates = f.t.templates;
    assert_int_equal(atoms, 6);
    static uint64_t key[VIEWS][8], sorted[VIEWS * 8];
    static uint32_t value_of[VIEWS][6];
    ddn_rng r;
    ddn_rng_init(&r, 2);
    for (int i = 0; i < VIEWS; i++) {
        for (int a = 0; a < atoms; a++) {
            uint32_t x = (uint32_t)ddn_rng_below(&r, VALUES);
            value_of[i][a] = i % 2 ? x : x * 0x9e3779b1u; /* small ones and hashes */
        }
        for (int t = 0; t < templates; t++)
            key[i][t] = ddn_feature_key(&h[t], value_of[i]);
    }
    for (int i = 0; i < 500; i++)
        for (int k = 0; k < i; k++)
            for (int t = 0; t < templates; t++) {
                bool same = true;
                for (int a = 0; a < f.t.line[t].arity; a++)
                    same &= value_of[i][f.t.line[t].atom[a]] == value_of[k][f.t.line[t].atom[a]];
                assert_int_equal(key[i][t] == key[k][t], same);
            }
    /* All different keys: as many as there are different pairs of template and values. */
    memcpy(sorted, key, sizeof sorted);
    qsort(sorted, VIEWS * 8, sizeof *sorted, by_number);
    size_t different = 1, low = 0;
    for (size_t i = 1; i < VIEWS * 8; i++)
        different += sorted[i] != sorted[i - 1];
    /* 6 numbers and 6 hashes, of which 0 is common: 11 values, but a view has all of one sort. */
    size_t pairs = VALUES * VALUES * 2 - 1, singles = VALUES * 2 - 1;
    assert_true(different >= 3 * singles + 2 * pairs);
    size_t expected = 0;
    for (int t = 0; t < templates; t++) {
        for (int i = 0; i < VIEWS; i++)
            sorted[i] = key[i][t];
        qsort(sorted, VIEWS, sizeof *sorted, by_number);
        expected++;
        for (int i = 1; i < VIEWS; i++)
            expected += sorted[i] != sorted[i - 1];
    }
    assert_int_equal(different, expected); /* no key belongs to two templates */
    /* Both halves vary: they choose bucket and print. */
    for (int i = 0; i < VIEWS; i++)
        low += (key[i][6] & 1) + (key[i][6] >> 63);
    assert_true(low > VIEWS * 9 / 10 && low < VIEWS * 11 / 10);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prefixes_and_suffixes_count_characters),
        cmocka_unit_test(columns_are_told_apart),
        cmocka_unit_test(one_feature_is_found),
        cmocka_unit_test(nothing_and_root_are_no_word),
        cmocka_unit_test(distances_fall_into_buckets),
        cmocka_unit_test(children_are_counted_up_to_seven),
        cmocka_unit_test(labels_and_sets_are_told_apart),
        cmocka_unit_test(keys_are_equal_where_atoms_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
