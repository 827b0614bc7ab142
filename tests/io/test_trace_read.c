/* SPDX-License-Identifier: MIT */
/* Lines of traces, good and bad. */
#include "io/trace_read.h"
#include "lib/check.h"
#include <string.h>

static int read_line(ddn_trace *t, const char *line, dodona_error *err)
{
    return ddn_trace_read(t, (dodona_text){ line, strlen(line) }, err);
}

static void good_lines(void **state)
{
    (void)state;
    ddn_trace t;
    ddn_trace_init(&t);
    assert_int_equal(
        read_line(
            &t,
            "{\"words\":3,\"more\":null,\"moves\":[{\"move\":\"x\"},"
            "{\"made\":[[0,3,\"a\"]],\"removed\":[[1,3],[3,2,\"b\"]]},{\"removed\":[[2,1]]}]}",
            NULL),
        0);
    assert_int_equal(t.words, 3);
    assert_int_equal(t.moves, 2);
    assert_int_equal(t.arcs, 4);
    assert_int_equal(t.move[0].made, 1);
    assert_int_equal(t.move[0].removed, 2);
    assert_int_equal(t.arc[0].head, 0);
    assert_int_equal(t.arc[0].child, 3);
    assert_int_equal(t.arc[2].head, 3);
    assert_int_equal(t.arc[2].child, 2);
    assert_int_equal(t.move[1].first, 3);
    assert_int_equal(t.move[1].made, 0);
    assert_int_equal(t.move[1].removed, 1);
    assert_int_equal(read_line(&t, "{\"words\":1,\"moves\":[]}\n", NULL), 0);
    assert_int_equal(t.moves + t.arcs, 0);
    ddn_trace_fini(&t);
}

static void bad_lines(void **state)
{
    (void)state;
    static const struct {
        const char *line, *says;
    } bad[] = {
        { "", "not JSON" },
        { "{\"words\":3,\"moves\":[}", "not JSON" },
        { "[]", "not a JSON object" },
        { "{\"moves\":[]}", "\"words\"" },
        { "{\"words\":0,\"moves\":[]}", "\"words\"" },
        { "{\"words\":4294967297,\"moves\":[]}", "\"words\"" },
        { "{\"words\":\"3\",\"moves\":[]}", "\"words\"" },
        { "{\"words\":3}", "\"moves\"" },
        { "{\"words\":3,\"moves\":{}}", "\"moves\"" },
        { "{\"words\":3,\"moves\":[1]}", "\"moves\"" },
        { "{\"words\":3,\"moves\":[{\"made\":1}]}", "\"made\"" },
        { "{\"words\":3,\"moves\":[{\"made\":[1]}]}", "\"made\"" },
        { "{\"words\":3,\"moves\":[{\"made\":[[1]]}]}", "\"made\"" },
        { "{\"words\":3,\"moves\":[{\"made\":[[1,0]]}]}", "\"made\"" },
        { "{\"words\":3,\"moves\":[{\"removed\":[[4,1]]}]}", "\"removed\"" },
        { "{\"words\":3,\"moves\":[{\"removed\":[[-1,1]]}]}", "\"removed\"" },
        { "{\"words\":3,\"moves\":[{\"removed\":[[1,4]]}]}", "\"removed\"" },
        { "{\"words\":3,\"moves\":[{\"removed\":[[1.5,2]]}]}", "\"removed\"" },
    };
    ddn_trace t;
    ddn_trace_init(&t);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        dodona_error err = { 0 };
        assert_int_equal(read_line(&t, bad[i].line, &err), DODONA_E_INPUT);
        if (!strstr(err.message, bad[i].says))
            fail_msg("%s: %s", bad[i].line, err.message);
    }
    ddn_trace_fini(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_lines),
        cmocka_unit_test(bad_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
