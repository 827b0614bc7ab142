/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700

#include "lib/http.h"

#include "lib/check.h"

#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH = 512, ARGUMENTS = 32 };

void test_server_start(test_server *s, const char *const *arguments)
{
    char path[PATH], line[128] = "";
    const char *build = getenv("DODONA_BUILD"), *argv[ARGUMENTS] = { path, "serve", "--port", "0" };
    int out[2], count = 4;
    snprintf(path, sizeof path, "%s/dodona", build ? build : "build");
    while (*arguments && count < ARGUMENTS - 1)
        argv[count++] = *arguments++;
    assert_int_equal(pipe(out), 0);
    signal(SIGPIPE, SIG_IGN);
    s->pid = fork();
    assert_true(s->pid >= 0);
    if (s->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* a test that fails leaves no server behind */
        dup2(out[1], 1);
        close(out[0]);
        close(out[1]);
        execv(path, (char *const *)argv);
        _exit(127);
    }
    close(out[1]);
    FILE *f = fdopen(out[0], "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    assert_int_equal(sscanf(line, "http://127.0.0.1:%d/", &s->port), 1);
    fclose(f);
}

int test_server_stop(test_server *s, int number)
{
    int status;
    kill(s->pid, number);
    assert_int_equal(waitpid(s->pid, &status, 0), s->pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int test_connect(const test_server *s)
{
    struct sockaddr_in to = { .sin_family = AF_INET,
                              .sin_port = htons((uint16_t)s->port),
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(fd >= 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    return fd;
}

static void send_all(int to, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t sent = write(to, data, size);
        if (sent <= 0)
            return; /* the server has answered already, and reads no more */
        data += sent;
        size -= (size_t)sent;
    }
}

void test_send(int to, const char *head, const char *body, size_t size)
{
    ddn_output o;
    ddn_output_memory(&o);
    ddn_putf(&o, "%s\r\nHost: localhost\r\n", head);
    if (body)
        ddn_putf(&o, "Content-Length: %zu\r\n", size);
    ddn_puts(&o, "\r\n");
    if (body)
        ddn_put(&o, body, size);
    send_all(to, o.data, o.size);
    ddn_output_abandon(&o);
}

void test_answer_init(test_answer *a)
{
    a->status = 0;
    ddn_output_memory(&a->head);
    ddn_output_memory(&a->body);
}

void test_answer_fini(test_answer *a)
{
    ddn_output_abandon(&a->head);
    ddn_output_abandon(&a->body);
}

static bool read_byte(int from, char *c)
{
    return read(from, c, 1) == 1;
}

/* A line without its end, into *to; false: the connection has ended. */
static bool read_line(int from, ddn_output *to)
{
    char c;
    ddn_output_clear(to);
    while (read_byte(from, &c)) {
        if (c == '\n') {
            if (to->size && to->data[to->size - 1] == '\r')
                to->size--;
            ddn_put(to, "", 1);
            return true;
        }
        ddn_put(to, &c, 1);
    }
    return false;
}

static bool read_body(int from, ddn_output *to, size_t size)
{
    while (size > 0) {
        char part[65536];
        ssize_t got = read(from, part, size < sizeof part ? size : sizeof part);
        if (got <= 0)
            return false;
        ddn_put(to, part, (size_t)got);
        size -= (size_t)got;
    }
    return true;
}

static bool read_chunks(int from, ddn_output *to)
{
    ddn_output line;
    bool good = true;
    size_t size = 1;
    ddn_output_memory(&line);
    while (good && size > 0) {
        good = read_line(from, &line);
        size = good ? strtoul(line.data, NULL, 16) : 0;
        good = good && read_body(from, to, size) && read_line(from, &line);
    }
    ddn_output_abandon(&line);
    return good;
}

void test_receive(int from, test_answer *a)
{
    ddn_output line;
    size_t length = 0;
    bool chunked = false, good;
    int status = 0;
    ddn_output_memory(&line);
    ddn_output_clear(&a->head);
    ddn_output_clear(&a->body);
    a->status = 0;
    if ((good = read_line(from, &line)))
        sscanf(line.data, "HTTP/1.1 %d", &status);
    while (good && (good = read_line(from, &line)) && line.data[0]) {
        if (strncasecmp(line.data, "Content-Length:", 15) == 0)
            length = strtoul(line.data + 15, NULL, 10);
        chunked |= strcasecmp(line.data, "Transfer-Encoding: chunked") == 0;
        ddn_putf(&a->head, "%s\n", line.data);
    }
    good = good && (chunked ? read_chunks(from, &a->body) : read_body(from, &a->body, length));
    ddn_put(&a->head, "", 1);
    ddn_put(&a->body, "", 1);
    ddn_output_abandon(&line);
    a->status = good ? status : 0;
}

void test_ask(const test_server *s, const char *head, const char *body, test_answer *a)
{
    int fd = test_connect(s);
    test_send(fd, head, body, body ? strlen(body) : 0);
    test_receive(fd, a);
    close(fd);
}
