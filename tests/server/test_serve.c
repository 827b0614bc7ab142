/* SPDX-License-Identifier: MIT */
/* test_serve.c - dodona serve over real sockets: what it answers to right and wrong requests, that
 * it answers as dodona parse does, and that slow, silent and broken clients don't matter. */
#define _XOPEN_SOURCE 700

#include "lib/check.h"
#include "lib/files.h"
#include "lib/http.h"
#include "lib/memory.h"

#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char model_path[512];
static dodona_model *model;

#define FORM "\r\nContent-Type: application/x-www-form-urlencoded"
#define JSON "\r\nContent-Type: application/json"

static int open_model(void **state)
{
    (void)state;
    snprintf(model_path, sizeof model_path, "%s", test_source("models/english.model"));
    return dodona_model_open(model_path, &model, NULL);
}

static int close_model(void **state)
{
    (void)state;
    dodona_model_free(model);
    return 0;
}

static void start(test_server *s, const char *more, const char *value)
{
    char named[600];
    snprintf(named, sizeof named, "english-test=%s", model_path);
    test_server_start(
        s, (const char *const[]){ "--quiet", "-j", "2", "--model", named, more, value, NULL });
}

/* What dodona parse gives for a text. */
static char *parse_here(const char *text)
{
    dodona_reader_options reading;
    dodona_reader *r;
    dodona_writer *w;
    dodona_workspace *ws;
    dodona_text out;
    dodona_sentence *s = dodona_sentence_new();
    test_memory from = { text, strlen(text), 0, 0 };
    dodona_reader_options_init(&reading);
    reading.format = DODONA_TEXT;
    reading.model = model;
    assert_int_equal(
        dodona_reader_open_callback(test_memory_read, &from, "text", &reading, &r, NULL), 0);
    assert_int_equal(dodona_writer_open_memory(DODONA_CONLLU, &w, NULL), 0);
    assert_int_equal(dodona_workspace_new(model, NULL, &ws, NULL), 0);
    while (dodona_reader_next(r, s, NULL) > 0) {
        assert_int_equal(dodona_parse(ws, s, NULL), 0);
        assert_int_equal(dodona_writer_put(w, s, NULL), 0);
    }
    assert_int_equal(dodona_writer_text(w, &out, NULL), 0);
    char *copy = malloc(out.size + 1);
    assert_non_null(copy);
    memcpy(copy, out.data, out.size);
    copy[out.size] = '\0';
    dodona_writer_abandon(w);
    dodona_workspace_free(ws);
    dodona_reader_close(r);
    dodona_sentence_free(s);
    return copy;
}

/* The member "result" of an answer of /process. */
static void is_result(const test_answer *a, const char *expected)
{
    json_t *object = json_loads(a->body.data, 0, NULL);
    assert_int_equal(a->status, 200);
    assert_string_equal(json_string_value(json_object_get(object, "model")), "english-test");
    assert_true(json_is_array(json_object_get(object, "acknowledgements")));
    assert_string_equal(json_string_value(json_object_get(object, "result")), expected);
    json_decref(object);
}

static void put_text(char *text, size_t size, int i)
{
    static const char *const who[] = { "Al", "Joe", "Ann", "The oak", "A dog" };
    static const char *const did[] = { "saw", "heard", "met", "called" };
    snprintf(text, size, "%s %s %s on day %d. Then %s left!", who[i % 5], did[i % 4],
             who[(i / 5 + 1) % 5], i, who[(i / 7) % 5]);
}

static char *long_text(int sentences)
{
    ddn_output o;
    char text[128];
    ddn_output_memory(&o);
    for (int i = 0; i < sentences; i++) {
        put_text(text, sizeof text, i);
        ddn_putf(&o, "%s\n", text);
    }
    ddn_put(&o, "", 1);
    return o.data;
}

/* ---- UDPipe's interface ---- */

static void udpipe_requests_are_answered(void **state)
{
    (void)state;
    test_server s;
    test_answer a;
    char *expected = parse_here("I saw Al.");
    test_answer_init(&a);
    start(&s, NULL, NULL);
    test_ask(&s, "GET /models HTTP/1.1", NULL, &a);
    assert_string_equal(a.body.data,
                        "{\"models\":{\"english-test\":[\"tokenizer\",\"tagger\",\"parser\"]},"
                        "\"default_model\":\"english-test\"}\n");
    test_ask(&s, "GET /process?tokenizer&tagger&parser&data=I%20saw%20Al. HTTP/1.1", NULL, &a);
    is_result(&a, expected);
    test_ask(&s, "POST /process HTTP/1.1" FORM,
             "data=I+saw+Al.&tokenizer=&tagger=&parser=&model=eng", &a);
    is_result(&a, expected);
    assert_non_null(strstr(a.head.data, "Access-Control-Allow-Origin: *"));
    test_ask(&s, "POST /process HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=xx",
             "--xx\r\nContent-Disposition: form-data; name=\"data\"\r\n\r\nI saw Al.\r\n"
             "--xx\r\nContent-Disposition: form-data; name=\"tokenizer\"\r\n\r\n\r\n"
             "--xx\r\nContent-Disposition: form-data; name=\"tagger\"\r\n\r\n\r\n"
             "--xx\r\nContent-Disposition: form-data; name=\"parser\"\r\n\r\n\r\n--xx--\r\n",
             &a);
    is_result(&a, expected);
    /* Of a field that comes twice, the first counts, also where the second is long. */
    char *twice = long_text(1000), *form = malloc(strlen(twice) + 256);
    assert_non_null(form);
    for (char *c = twice; *c; c++)
        *c = *c == ' ' || *c == '\n' ? '+' : *c;
    sprintf(form, "tokenizer=&tagger=&parser=&data=I+saw+Al.&data=%s", twice);
    test_ask(&s, "POST /process HTTP/1.1" FORM, form, &a);
    is_result(&a, expected);
    free(form);
    free(twice);
    /* Steps that are not asked for are not done, and tokens may be given. */
    test_ask(&s, "POST /process HTTP/1.1" FORM, "input=horizontal&data=Oaks+speak", &a);
    is_result(&a, "1\tOaks\t_\t_\t_\t_\t_\t_\t_\t_\n2\tspeak\t_\t_\t_\t_\t_\t_\t_\t_\n\n");
    test_ask(&s, "POST /process HTTP/1.1" FORM,
             "tokenizer=presegmented&output=horizontal&data=I+saw.+Al%0AHe+ran.", &a);
    is_result(&a, "I saw . Al\nHe ran .\n");
    assert_int_equal(test_server_stop(&s, SIGTERM), 0);
    test_answer_fini(&a);
    free(expected);
}

/* ---- Our own ---- */

static void native_requests_are_answered(void **state)
{
    (void)state;
    test_server s;
    test_answer a;
    char *expected = parse_here("I saw Al. He ran.");
    test_answer_init(&a);
    start(&s, NULL, NULL);
    test_ask(&s, "POST /v1/parse?output=conllu HTTP/1.1", "I saw Al. He ran.", &a);
    assert_string_equal(a.body.data, expected);
    test_ask(&s, "POST /v1/parse HTTP/1.1" JSON,
             "{\"text\":\"I saw Al. He ran.\",\"output\":\"conllu\"}", &a);
    assert_string_equal(a.body.data, expected);
    test_ask(&s, "POST /v1/parse HTTP/1.1" JSON, "{\"text\":\"I saw Al. He ran.\"}", &a);
    json_t *object = json_loads(a.body.data, 0, NULL);
    assert_int_equal(json_array_size(json_object_get(object, "sentences")), 2);
    json_decref(object);
    test_ask(&s, "POST /v1/parse?output=ndjson HTTP/1.1", "I saw Al. He ran.", &a);
    char *second = strchr(a.body.data, '\n') + 1;
    object = json_loads(second, 0, NULL);
    assert_string_equal(json_string_value(json_object_get(object, "text")), "He ran.");
    json_decref(object);
    test_ask(&s, "POST /v1/parse?output=svg HTTP/1.1", "I saw Al.", &a);
    assert_non_null(strstr(a.body.data, "</svg>"));
    assert_non_null(strstr(a.head.data, "nosniff"));
    test_ask(&s, "POST /v1/parse HTTP/1.1", "", &a);
    assert_string_equal(a.body.data, "{\"model\":\"english-test\",\"sentences\":[]}\n");
    test_ask(&s, "POST /v1/parse HTTP/1.1" JSON,
             "{\"text\":\"1\\tOaks\\t_\\tNOUN\\t_\\t_\\t0\\troot\\t_\\t_\\n2\\tspeak\\t_\\tVERB\\t_"
             "\\t_\\t_\\t_\\t_\\t_\\n\\n\","
             "\"input\":\"conllu\",\"keep\":true,\"output\":\"conllu\"}",
             &a);
    assert_non_null(strstr(a.body.data, "\t0\troot\t"));
    test_ask(&s, "GET /v1/models HTTP/1.1", NULL, &a);
    assert_int_equal(a.status, 200);
    test_ask(&s, "GET /health HTTP/1.1", NULL, &a);
    assert_string_equal(a.body.data, "ok\n");
    test_ask(&s, "GET /metrics HTTP/1.1", NULL, &a);
    assert_non_null(strstr(a.body.data, "dodona_sentences_total{model=\"english-test\"} 10\n"));
    assert_non_null(strstr(a.body.data, "dodona_requests_total{status=\"200\"} 9\n"));
    assert_int_equal(test_server_stop(&s, SIGINT), 0);
    test_answer_fini(&a);
    free(expected);
}

static void wrong_requests_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *head, *body;
        int status;
        const char *says;
    } wrong[] = {
        { "GET /nowhere HTTP/1.1", NULL, 404, "there is no /nowhere" },
        { "GET /../../etc/passwd HTTP/1.1", NULL, 404, "there is no" },
        { "GET /v1/parse HTTP/1.1", NULL, 405, "does not take GET" },
        { "POST /health HTTP/1.1", "x", 405, "does not take POST" },
        { "POST /process HTTP/1.1" FORM, "tokenizer=", 400, "'data' is missing" },
        { "POST /process HTTP/1.1" FORM, "data=x&model=greek", 400, "no model 'greek'" },
        { "POST /process HTTP/1.1" FORM, "data=x&input=epe", 400, "input format 'epe'" },
        { "POST /process HTTP/1.1" FORM, "data=x&output=epe", 400, "output format 'epe'" },
        { "POST /process HTTP/1.1" FORM, "data=x&parser=", 400, "data:1: " },
        { "POST /process HTTP/1.1" FORM, "tokenizer=&data=%FF", 400, "not UTF-8 at byte 1" },
        { "POST /process HTTP/1.1\r\nContent-Type: text/plain", "data=x", 400, "neither" },
        { "POST /v1/parse HTTP/1.1" JSON, "{", 400, "not a JSON object" },
        { "POST /v1/parse HTTP/1.1" JSON, "[]", 400, "not a JSON object" },
        { "POST /v1/parse HTTP/1.1" JSON, "{}", 400, "'text' is missing" },
        { "POST /v1/parse HTTP/1.1" JSON, "{\"text\":1}", 400, "another type" },
        { "POST /v1/parse HTTP/1.1" JSON, "{\"test\":\"\"}", 400, "no member 'test'" },
        { "POST /v1/parse HTTP/1.1" JSON, "{\"text\":\"\",\"beam\":-1}", 400, "'beam'" },
        { "POST /v1/parse HTTP/1.1" JSON, "{\"text\":\"x\",\"search\":\"deep\"}", 400, "deep" },
        { "POST /v1/parse?output=html HTTP/1.1", "x", 400, "no output 'html'" },
        { "POST /v1/parse?steps=guess HTTP/1.1", "x", 400, "'steps'" },
        { "POST /v1/parse?kbest=3x HTTP/1.1", "x", 400, "'kbest'" },
        { "POST /v1/parse?what=3 HTTP/1.1", "x", 400, "no parameter 'what'" },
        { "POST /v1/parse HTTP/1.1", "one two three four five", 413, "5 words" },
        { "POST /v1/parse HTTP/1.1\r\nContent-Length: 99999999", NULL, 413, "99999999 bytes" },
    };
    test_server s;
    test_answer a;
    test_answer_init(&a);
    start(&s, "--max-words", "4");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        test_ask(&s, wrong[i].head, wrong[i].body, &a);
        if (a.status != wrong[i].status || !strstr(a.body.data, wrong[i].says))
            fail_msg("%s %s: %d %s", wrong[i].head, wrong[i].body ? wrong[i].body : "", a.status,
                     a.body.data);
    }
    assert_int_equal(test_server_stop(&s, SIGTERM), 0);
    test_answer_fini(&a);
}

/* ---- The description ---- */

/* It was answered, or the model has not what it takes, which the message says. */
static void is_known(const test_answer *a)
{
    if (a->status != 200)
        assert_true(a->status == 400 && strstr(a->body.data, " search "));
}

/* Sends a parameter of /v1/parse both ways; what the description has must be known. */
static void check_parameter(const test_server *s, const char *name, const json_t *schema,
                            test_answer *a)
{
    char head[256], body[256];
    const char *type = json_string_value(json_object_get(schema, "type"));
    const json_t *words = json_object_get(schema, "enum");
    bool is_word = strcmp(type, "string") == 0;
    for (size_t i = 0; i < (words ? json_array_size(words) : 1); i++) {
        const char *word = json_string_value(json_array_get(words, i));
        const char *value = word                           ? word
                            : is_word                      ? ""
                            : strcmp(type, "boolean") == 0 ? "true"
                                                           : "0";
        snprintf(body, sizeof body,
                 is_word ? "{\"text\":\"\",\"%s\":\"%s\"}" : "{\"text\":\"\",\"%s\":%s}", name,
                 value);
        test_ask(s, "POST /v1/parse HTTP/1.1" JSON, body, a);
        is_known(a);
        snprintf(head, sizeof head, "POST /v1/parse?%s=%s HTTP/1.1", name,
                 strcmp(value, "true") == 0 ? "1" : value);
        test_ask(s, head, "", a);
        is_known(a);
    }
}

/* All paths that it has are there, and all parameters of /v1/parse with their words are taken. */
static void the_description_is_true(void **state)
{
    (void)state;
    test_server s;
    test_answer a;
    const char *path, *method, *name;
    json_t *operations, *operation, *schema;
    test_answer_init(&a);
    start(&s, NULL, NULL);
    test_ask(&s, "GET /openapi.json HTTP/1.1", NULL, &a);
    json_t *description = json_loads(a.body.data, 0, NULL);
    assert_non_null(description);
    json_object_foreach(json_object_get(description, "paths"), path, operations)
    {
        json_object_foreach(operations, method, operation)
        {
            char head[256];
            bool posts = strcmp(method, "post") == 0;
            snprintf(head, sizeof head, "%s %s HTTP/1.1%s", posts ? "POST" : "GET", path,
                     posts ? FORM : "");
            test_ask(&s, head, posts ? "" : NULL, &a);
            json_t *answers = json_object_get(operation, "responses");
            char status[16];
            snprintf(status, sizeof status, "%d", a.status);
            assert_non_null(json_object_get(answers, status));
        }
    }
    json_t *body = json_object_get(
        json_object_get(json_object_get(json_object_get(description, "paths"), "/v1/parse"),
                        "post"),
        "requestBody");
    json_t *members = json_object_get(
        json_object_get(json_object_get(json_object_get(body, "content"), "application/json"),
                        "schema"),
        "properties");
    assert_int_equal(json_object_size(members), 11);
    json_object_foreach(members, name, schema)
    {
        if (strcmp(name, "text") != 0)
            check_parameter(&s, name, schema, &a);
    }
    json_decref(description);
    assert_int_equal(test_server_stop(&s, SIGTERM), 0);
    test_answer_fini(&a);
}

/* ---- Many at a time ---- */

static void answers_are_not_mixed(void **state)
{
    (void)state;
    enum { CONNECTIONS = 16, ROUNDS = 12, TEXT = 128 };
    test_server s;
    test_answer a;
    int fd[CONNECTIONS];
    char text[TEXT];
    test_answer_init(&a);
    start(&s, NULL, NULL);
    for (int i = 0; i < CONNECTIONS; i++)
        fd[i] = test_connect(&s);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < CONNECTIONS; i++) {
            put_text(text, sizeof text, round * CONNECTIONS + i);
            test_send(fd[i], "POST /v1/parse?output=conllu HTTP/1.1", text, strlen(text));
        }
        for (int i = 0; i < CONNECTIONS; i++) {
            put_text(text, sizeof text, round * CONNECTIONS + i);
            char *expected = parse_here(text);
            test_receive(fd[i], &a);
            assert_int_equal(a.status, 200);
            assert_string_equal(a.body.data, expected);
            free(expected);
        }
    }
    for (int i = 0; i < CONNECTIONS; i++)
        close(fd[i]);
    assert_int_equal(test_server_stop(&s, SIGTERM), 0);
    test_answer_fini(&a);
}

/* ---- Long requests ---- */

/* A long answer comes piece by piece and is whole, also when the server is told to end meanwhile;
 * a short request behind it does not wait for it. */
static void long_requests_let_short_ones_pass(void **state)
{
    (void)state;
    enum { LONG = 6000 };
    test_server s;
    test_answer a;
    char *text = long_text(LONG), *expected = parse_here(text);
    test_answer_init(&a);
    start(&s, NULL, NULL);
    int fd = test_connect(&s);
    test_send(fd, "POST /v1/parse?output=conllu HTTP/1.1", text, strlen(text));
    for (int i = 0; i < 3; i++) {
        test_ask(&s, "POST /v1/parse?output=conllu HTTP/1.1", "I saw Al.", &a);
        assert_int_equal(a.status, 200);
    }
    test_ask(&s, "GET /metrics HTTP/1.1", NULL, &a);
    assert_non_null(strstr(a.body.data, "dodona_parses_total{model=\"english-test\"} 3\n"));
    kill(s.pid, SIGTERM);
    test_receive(fd, &a);
    assert_int_equal(a.status, 200);
    assert_non_null(strstr(a.head.data, "chunked"));
    assert_string_equal(a.body.data, expected);
    close(fd);
    assert_int_equal(test_server_stop(&s, 0), 0);
    test_answer_fini(&a);
    free(text);
    free(expected);
}

/* Clients that go away in the middle of a request or of an answer. */
static void broken_clients_leave_nothing(void **state)
{
    (void)state;
    test_server s;
    test_answer a;
    char *text = long_text(2000);
    test_answer_init(&a);
    start(&s, NULL, NULL);
    for (int i = 0; i < 10; i++) {
        int fd = test_connect(&s);
        char part[1000];
        test_send(fd, "POST /v1/parse?output=conllu HTTP/1.1", text, strlen(text));
        if (i % 2)
            assert_true(read(fd, part, sizeof part) > 0);
        close(fd);
        fd = test_connect(&s);
        assert_true(write(fd, "POST /v1/parse HTTP/1.1\r\nContent-Le", 35) == 35);
        close(fd);
        fd = test_connect(&s);
        test_send(fd, "POST /v1/parse HTTP/1.1\r\nContent-Length: 1000", NULL, 0);
        close(fd);
    }
    test_ask(&s, "POST /v1/parse?output=conllu HTTP/1.1", "I saw Al.", &a);
    assert_int_equal(a.status, 200);
    assert_int_equal(test_server_stop(&s, SIGTERM), 0);
    test_answer_fini(&a);
    free(text);
}

/* ---- Limits ---- */

static void silent_clients_are_dropped(void **state)
{
    (void)state;
    enum { SILENT = 200 };
    test_server s;
    test_answer a;
    int fd[SILENT];
    char c;
    test_answer_init(&a);
    start(&s, "--timeout", "1");
    for (int i = 0; i < SILENT; i++) {
        fd[i] = test_connect(&s);
        if (i % 2)
            assert_int_equal(write(fd[i], "POST /v1", 8), 8);
    }
    test_ask(&s, "POST /v1/parse?output=conllu HTTP/1.1", "I saw Al.", &a);
    assert_int_equal(a.status, 200);
    for (int i = 0; i < SILENT; i++) {
        assert_true(read(fd[i], &c, 1) <= 0 || c == 'H'); /* the end, or 408 */
        close(fd[i]);
    }
    assert_int_equal(test_server_stop(&s, SIGTERM), 0);
    test_answer_fini(&a);
}

/* Requests that are being read count together: where they are too large, others wait for them. */
static void too_many_bytes_are_told(void **state)
{
    (void)state;
    enum { LARGE = 8, BYTES = 1000 };
    test_server s;
    test_answer a;
    int fd[LARGE];
    char *text = long_text(50);
    struct timespec moment = { .tv_nsec = 10000000 };
    test_answer_init(&a);
    start(&s, "--max-request", "1024");
    for (int i = 0; i < LARGE; i++) {
        fd[i] = test_connect(&s);
        test_send(fd[i], "POST /v1/parse HTTP/1.1\r\nContent-Length: 1024", NULL, 0);
        assert_int_equal(write(fd[i], text, BYTES), BYTES);
    }
    text[BYTES] = '\0';
    do {
        nanosleep(&moment, NULL);
        test_ask(&s, "POST /v1/parse HTTP/1.1", text, &a);
    } while (a.status == 200); /* until the server has read the others */
    assert_int_equal(a.status, 503);
    assert_non_null(strstr(a.body.data, "too many large requests"));
    for (int i = 0; i < LARGE; i++)
        close(fd[i]);
    do {
        nanosleep(&moment, NULL);
        test_ask(&s, "POST /v1/parse HTTP/1.1", text, &a);
    } while (a.status == 503); /* until it has seen that they are gone */
    assert_int_equal(a.status, 200);
    assert_int_equal(test_server_stop(&s, SIGTERM), 0);
    test_answer_fini(&a);
    free(text);
}

static void too_many_connections_are_told(void **state)
{
    (void)state;
    test_server s;
    test_answer a;
    test_answer_init(&a);
    start(&s, "--max-connections", "2");
    int fd[2] = { test_connect(&s), test_connect(&s) };
    for (int i = 0; i < 2; i++) {
        test_send(fd[i], "GET /health HTTP/1.1", NULL, 0);
        test_receive(fd[i], &a);
        assert_int_equal(a.status, 200);
    }
    test_ask(&s, "GET /health HTTP/1.1", NULL, &a);
    assert_int_equal(a.status, 503);
    assert_non_null(strstr(a.head.data, "Retry-After"));
    close(fd[0]);
    close(fd[1]);
    assert_int_equal(test_server_stop(&s, SIGTERM), 0);
    test_answer_fini(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(udpipe_requests_are_answered),
        cmocka_unit_test(native_requests_are_answered),
        cmocka_unit_test(wrong_requests_are_refused),
        cmocka_unit_test(the_description_is_true),
        cmocka_unit_test(answers_are_not_mixed),
        cmocka_unit_test(long_requests_let_short_ones_pass),
        cmocka_unit_test(broken_clients_leave_nothing),
        cmocka_unit_test(silent_clients_are_dropped),
        cmocka_unit_test(too_many_bytes_are_told),
        cmocka_unit_test(too_many_connections_are_told),
    };
    return cmocka_run_group_tests(tests, open_model, close_model);
}
