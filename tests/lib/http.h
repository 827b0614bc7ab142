/* SPDX-License-Identifier: MIT */
/* http.h - a small HTTP client, and the server as a process. */
#ifndef DDN_TESTS_HTTP_H
#define DDN_TESTS_HTTP_H

#include "core/output.h"

#include <sys/types.h>

typedef struct test_server {
    pid_t pid;
    int port;
} test_server;

/* Starts dodona serve on a free port with these arguments, NULL after the last, and waits until it
 * is ready. */
void test_server_start(test_server *s, const char *const *arguments);
/* Sends the signal and returns the exit code. */
int test_server_stop(test_server *s, int number);

int test_connect(const test_server *s);
/* "\r\n" stands between the lines of head.  Content-Length is added where there is a body. */
void test_send(int to, const char *head, const char *body, size_t size);

typedef struct test_answer {
    int status;      /* 0: the connection ended before the answer did */
    ddn_output head; /* with a NUL */
    ddn_output body; /* likewise */
} test_answer;

void test_answer_init(test_answer *a);
void test_answer_fini(test_answer *a);
/* Reads an answer, of which the length is given or which comes in chunks. */
void test_receive(int from, test_answer *a);
/* A request of its own connection. */
void test_ask(const test_server *s, const char *head, const char *body, test_answer *a);

#endif
