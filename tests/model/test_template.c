/* SPDX-License-Identifier: MIT */
/* The template language: what every word of it compiles to, and what is said of every mistake. */
#include "lib/check.h"
#include "model/builtin.h"
#include "model/template.h"
#include <stdio.h>
#include <string.h>

static ddn_templates t;

static void compile(const char *text)
{
    dodona_error err = { 0 };
    if (ddn_templates_compile(&t, text, strlen(text), "x.templates", &err) != DODONA_OK)
        fail_msg("%s", err.message);
}

static ddn_atom only_atom(const char *text)
{
    compile(text);
    assert_int_equal(t.templates, 1);
    assert_int_equal(t.atoms, 1);
    assert_int_equal(t.line[0].arity, 1);
    assert_int_equal(t.line[0].atom[0], 0);
    return t.atom[0];
}

static void attributes_of_words(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        char attribute;
        int length;
        const char *name;
    } want[] = {
        { "s0.w", 'w', 0, "" },
        { "s0.m", 'm', 0, "" },
        { "s0.t", 't', 0, "" },
        { "s0.x", 'x', 0, "" },
        { "s0.f", 'f', 0, "" },
        { "s0.f:Case", ':', 0, "Case" },
        { "s0.p1", 'p', 1, "" },
        { "s0.p9", 'p', 9, "" },
        { "s0.s1", 's', 1, "" },
        { "s0.s9", 's', 9, "" },
        { "s0.f:A", ':', 0, "A" },
        { "s0.f:Person[psor]", ':', 0, "Person[psor]" },
        { "s0.f:Abc_1", ':', 0, "Abc_1" },
    };
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        ddn_atom a = only_atom(want[i].text);
        assert_int_equal(a.kind, DDN_ATOM_WORD);
        assert_int_equal(t.sources, 1);
        assert_int_equal(a.detail, 0);
        assert_int_equal(t.source[0].attribute, want[i].attribute);
        assert_int_equal(t.source[0].length, want[i].length);
        assert_string_equal(t.source[0].name, want[i].name);
        assert_int_equal(t.layout.address[a.slot].wants, 0);
    }
}

static void attributes_of_the_tree(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int kind, detail, wants;
    } want[] = {
        { "q0.l", DDN_ATOM_LABEL, 0, DDN_WANTS_LABEL },
        { "q0.vl", DDN_ATOM_VALENCY, DDN_LEFT, DDN_WANTS_VALENCY },
        { "q0.vr", DDN_ATOM_VALENCY, DDN_RIGHT, DDN_WANTS_VALENCY },
        { "q0.sl", DDN_ATOM_SET, DDN_LEFT, DDN_WANTS_SET },
        { "q0.sr", DDN_ATOM_SET, DDN_RIGHT, DDN_WANTS_SET },
    };
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        ddn_atom a = only_atom(want[i].text);
        assert_int_equal(a.kind, want[i].kind);
        assert_int_equal(a.detail, want[i].detail);
        assert_int_equal(t.sources, 0);
        assert_int_equal(t.layout.slots, 1);
        assert_int_equal(t.layout.address[a.slot].wants, want[i].wants);
    }
    compile("s0.l+s0.vr+s0.sl+s0.w");
    assert_int_equal(t.layout.slots, 1);
    assert_int_equal(t.layout.address[0].wants,
                     DDN_WANTS_LABEL | DDN_WANTS_VALENCY | DDN_WANTS_SET);
}

static void starts_of_addresses(void **state)
{
    (void)state;
    static const struct {
        char letter;
        int link;
    } start[] = { { 's', DDN_LINK_STACK }, { 'q', DDN_LINK_BUFFER }, { 'l', DDN_LINK_FOCUS } };
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= DDN_MAX_INDEX; k++) {
            char text[8];
            snprintf(text, sizeof text, "%c%d.t", start[i].letter, k);
            int slot = only_atom(text).slot;
            ddn_address a = t.layout.address[slot];
            assert_int_equal(a.link, start[i].link);
            assert_int_equal(a.index, k);
            assert_int_equal(a.from, -1);
        }
    only_atom("p.t");
    assert_int_equal(t.layout.address[0].link, DDN_LINK_POS);
    assert_int_equal(t.layout.address[0].from, -1);
}

static void links_of_addresses(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int link;
    } want[] = {
        { "h", DDN_LINK_HEAD },        { "lc", DDN_LINK_FAR_LEFT },    { "rc", DDN_LINK_FAR_RIGHT },
        { "lc2", DDN_LINK_FAR_LEFT2 }, { "rc2", DDN_LINK_FAR_RIGHT2 }, { "ln", DDN_LINK_NEAR_LEFT },
        { "rn", DDN_LINK_NEAR_RIGHT }, { "prev", DDN_LINK_PREV },      { "next", DDN_LINK_NEXT },
    };
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        char text[32];
        snprintf(text, sizeof text, "s1.%s.w", want[i].name);
        ddn_atom a = only_atom(text);
        assert_int_equal(t.layout.slots, 2);
        assert_int_equal(t.layout.address[a.slot].link, want[i].link);
        int from = t.layout.address[a.slot].from;
        assert_true(from >= 0 && from < a.slot); /* parents before children */
        assert_int_equal(t.layout.address[from].link, DDN_LINK_STACK);
        assert_int_equal(t.layout.address[from].index, 1);
    }
    ddn_atom a = only_atom("s0.h.h.lc.w");
    assert_int_equal(t.layout.slots, 4);
    static const int path[] = { DDN_LINK_FAR_LEFT, DDN_LINK_HEAD, DDN_LINK_HEAD, DDN_LINK_STACK };
    int slot = a.slot;
    for (int i = 0; i < 4; i++, slot = t.layout.address[slot].from)
        assert_int_equal(t.layout.address[slot].link, path[i]);
    assert_int_equal(slot, -1);
}

static void distances(void **state)
{
    (void)state;
    ddn_atom a = only_atom("d(s1,q0.lc)");
    assert_int_equal(a.kind, DDN_ATOM_DISTANCE);
    assert_int_equal(t.layout.address[a.slot].link, DDN_LINK_STACK);
    assert_int_equal(t.layout.address[a.slot].index, 1);
    assert_int_equal(t.layout.address[a.detail].link, DDN_LINK_FAR_LEFT);
    assert_int_equal(t.layout.address[t.layout.address[a.detail].from].link, DDN_LINK_BUFFER);
    assert_int_equal(t.layout.slots, 3);
    compile("d(s0,q0)+s0.t+d(p,l0)");
    assert_int_equal(t.line[0].arity, 3);
    assert_int_equal(t.atoms, 3);
}

/* The same atom, address or source is entered once, whatever the number of its uses. */
static void equal_things_are_shared(void **state)
{
    (void)state;
    compile("s0.w+q0.t\nq0.t+s0.w\ns0.w\ns0.w\ns0.lc.w+s0.lc.t\n");
    assert_int_equal(t.templates, 5);
    assert_int_equal(t.atoms, 4);        /* s0.w q0.t s0.lc.w s0.lc.t */
    assert_int_equal(t.sources, 2);      /* w t */
    assert_int_equal(t.layout.slots, 3); /* s0 q0 s0.lc */
    assert_int_equal(t.line[0].atom[0], t.line[1].atom[1]);
    assert_int_equal(t.line[0].atom[1], t.line[1].atom[0]);
    assert_int_equal(t.line[2].atom[0], t.line[3].atom[0]);
    compile("s0.p2+s0.p3+s0.s2+s0.f:Case+s0.f:Cas+s0.f");
    assert_int_equal(t.sources, 6);
}

static void headings(void **state)
{
    (void)state;
    /* Arities tell the templates apart. */
    compile("[labels]\ns0.w\n[moves]\ns0.w+s0.t\n[both]\ns0.w+s0.t+q0.w\n"
            "[moves]\ns0.w+s0.t+q0.w+q0.t\n[labels]\ns0.w+s0.t+q0.w+q0.t+q1.w\n");
    static const struct {
        int arity, use;
    } want[] = { { 3, DDN_FOR_MOVES | DDN_FOR_LABELS },
                 { 2, DDN_FOR_MOVES },
                 { 4, DDN_FOR_MOVES },
                 { 1, DDN_FOR_LABELS },
                 { 5, DDN_FOR_LABELS } };
    assert_int_equal(t.templates, 5);
    assert_int_equal(t.both, 1);
    assert_int_equal(t.moves, 3);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(t.line[i].arity, want[i].arity);
        assert_int_equal(t.line[i].use, want[i].use);
    }
    compile("[moves]\ns0.w\n[labels]\ns0.w\n");
    assert_int_equal(t.both, 0);
    assert_int_equal(t.moves, 1);
    compile("s0.w");
    assert_int_equal(t.both, 1);
    assert_int_equal(t.moves, 1);
}

static void layout_of_the_text(void **state)
{
    (void)state;
    compile("# a comment\n\n   \t\n  s0.w+q0.t  # and another\r\n\r\n#\ns0.t\r\n\t[moves] # here\n"
            "s1.t");
    assert_int_equal(t.templates, 3);
    assert_int_equal(t.both, 2);
    assert_int_equal(t.moves, 3);
    for (int i = 0; ddn_builtin_templates[i].name; i++)
        compile(ddn_builtin_templates[i].text);
}

static void mistakes_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line;
        const char *says;
    } bad[] = {
        { "s0", 1, "expected an attribute" },
        { "s0.", 1, "after the dot" },
        { "s0.w.t", 1, "expected + or the end" },
        { "s0.lc", 1, "expected an attribute" },
        { "s0.lc.", 1, "after the dot" },
        { "\n\ns0.y", 3, "'y'" },
        { "s0.p", 1, "'p'" },
        { "s0.p0", 1, "'p0'" },
        { "s0.s10", 1, "'s10'" },
        { "s0.f:", 1, "'f:'" },
        { "s0.W", 1, "'W'" },
        { "s0.f:abcdefghijklmnopqrstuvwx", 1, "too long" },
        { "s8.w", 1, "address like s0" },
        { "s9.w", 1, "address like s0" },
        { "s.w", 1, "address like s0" },
        { "s00.w", 1, "address like s0" },
        { "z0.w", 1, "'z0'" },
        { "p0.w", 1, "'p0'" },
        { ".w", 1, "address like s0" },
        { "w", 1, "'w'" },
        { "s0.w+", 1, "address like s0" },
        { "+s0.w", 1, "address like s0" },
        { "s0.w++q0.t", 1, "address like s0" },
        { "s0.w + q0.t", 1, "expected + or the end" },
        { "s0.w q0.t", 1, "expected + or the end" },
        { "s0.w,q0.t", 1, "expected + or the end" },
        { "s0.w\ns0.t\ns0.w%", 3, "expected + or the end" },
        { "d(s0", 1, "comma" },
        { "d(s0)", 1, "comma" },
        { "d(s0.w,q0)", 1, "comma" },
        { "d(s0,q0", 1, "expected )" },
        { "d(s0,q0.w)", 1, "expected )" },
        { "d(s0,q0,q1)", 1, "expected )" },
        { "d(,q0)", 1, "address like s0" },
        { "d(s0,)", 1, "address like s0" },
        { "d(s0,q0).w", 1, "expected + or the end" },
        { "d(s0.,q0)", 1, "after the dot" },
        { "[Moves]", 1, "expected [moves]" },
        { "s0.w\n[moves", 2, "expected [moves]" },
        { "[]", 1, "expected [moves]" },
        { "[moves] s0.w", 1, "expected [moves]" },
        { "", 0, "at least one template" },
        { "\n# nothing\n", 0, "at least one template" },
        { "[moves]\ns0.w", 0, "for moves and one for labels" },
        { "[labels]\ns0.w", 0, "one template for moves" },
        { "s\xc3\xa9.w", 1, "address like s0" },
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        dodona_error err = { 0 };
        int code = ddn_templates_compile(&t, bad[i].text, strlen(bad[i].text), "x.templates", &err);
        if (code != DODONA_E_INPUT || err.code != code || err.line != bad[i].line ||
            strcmp(err.file, "x.templates") != 0 || !strstr(err.message, bad[i].says))
            fail_msg("'%s' gives %d, %s:%d: %s", bad[i].text, code, err.file, (int)err.line,
                     err.message);
        assert_int_equal(ddn_templates_compile(&t, bad[i].text, strlen(bad[i].text), "x", NULL),
                         DODONA_E_INPUT);
    }
    dodona_error err;
    assert_int_equal(ddn_templates_compile(&t, "s0.w\0", 5, "x", &err), DODONA_E_INPUT);
    assert_int_equal(ddn_templates_compile(&t, NULL, 0, "x", &err), DODONA_E_INPUT);
}

/* Appends lines until one more is refused, and says how many went. */
static int fill(int (*line)(int i, char *out, size_t size), int most, const char *says)
{
    static char text[1 << 16];
    size_t size = 0;
    dodona_error err = { 0 };
    for (int i = 0; i < most; i++) {
        size += (size_t)line(i, text + size, sizeof text - size);
        int code = ddn_templates_compile(&t, text, size, "x", &err);
        if (code < 0) {
            assert_int_equal(code, DODONA_E_LIMIT);
            assert_int_equal(err.line, i + 1);
            assert_non_null(strstr(err.message, says));
            return i;
        }
    }
    return most;
}

static int same_line(int i, char *out, size_t size)
{
    (void)i;
    return snprintf(out, size, "s0.w\n");
}

static int new_atom(int i, char *out, size_t size)
{
    static const char *const a[] = { "w",  "m",  "t",  "x",  "f",  "p1", "p2", "p3", "p4", "p5",
                                     "p6", "p7", "p8", "p9", "s1", "s2", "s3", "s4", "s5", "s6" };
    return snprintf(out, size, "s%d.%s\n", i / 20, a[i % 20]);
}

static int new_source(int i, char *out, size_t size)
{
    return snprintf(out, size, "s0.f:N%d\n", i);
}

static int new_address(int i, char *out, size_t size)
{
    static const char *const step[] = { "", ".h", ".lc", ".rc", ".ln", ".rn" };
    return snprintf(out, size, "%c%d%s.t\n", "sq"[i / 8 % 2], i % 8, step[i / 16]);
}

static void limits_are_kept(void **state)
{
    (void)state;
    assert_int_equal(fill(same_line, 300, "256 templates"), DDN_MAX_TEMPLATES);
    assert_int_equal(fill(new_atom, 160, "128 atoms"), DDN_MAX_ATOMS);
    assert_int_equal(fill(new_source, 60, "48 attributes"), DDN_MAX_SOURCES);
    assert_int_equal(fill(new_address, 96, "48 addresses"), DDN_MAX_SLOTS);
    compile("s0.w+s0.w+s0.w+s0.w+s0.w+s0.w");
    dodona_error err;
    static const char wide[] = "s0.t\ns0.w+s0.w+s0.w+s0.w+s0.w+s0.w+s0.w";
    assert_int_equal(ddn_templates_compile(&t, wide, sizeof wide - 1, "x", &err), DODONA_E_LIMIT);
    assert_int_equal(err.line, 2);
    compile("s0.f:abcdefghijklmnopqrstuvw"); /* 23 bytes and a NUL */
    assert_string_equal(t.source[0].name, "abcdefghijklmnopqrstuvw");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attributes_of_words),
        cmocka_unit_test(attributes_of_the_tree),
        cmocka_unit_test(starts_of_addresses),
        cmocka_unit_test(links_of_addresses),
        cmocka_unit_test(distances),
        cmocka_unit_test(equal_things_are_shared),
        cmocka_unit_test(headings),
        cmocka_unit_test(layout_of_the_text),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(limits_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
