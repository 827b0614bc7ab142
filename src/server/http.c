/* SPDX-License-Identifier: MIT */
/* http.c - connections: one thread reads requests, hands them to their handlers, and sends answers
 * as they become ready.
 *
 * libmicrohttpd calls `answer` when the header of a request has come, for each part of its body,
 * and once more when all of it is there.  A request whose job is not done puts its connection to
 * sleep; the pool wakes it. */
#include "core/error.h"
#include "core/utf8.h"
#include "server/request.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <netdb.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    QUEUE = 2048,           /* jobs that may wait */
    REQUESTS_IN_MEMORY = 8, /* of the largest size, at a time */
    SPARE_CONNECTIONS = 64, /* beyond the limit, which are told so */
    SLOWEST = 4096          /* bytes a second that a client must send */
};

/* ---- Small answers ---- */

void ddn_request_refuse(ddn_request *r, unsigned status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ddn_output_clear(&r->text);
    ddn_vputf(&r->text, format, args);
    va_end(args);
    ddn_put(&r->text, "\n", 1);
    r->type = "text/plain; charset=utf-8";
    r->status = status;
}

void ddn_request_fail(ddn_request *r, const dodona_error *err)
{
    char line[1024];
    unsigned status = err->code == DODONA_E_LIMIT    ? MHD_HTTP_CONTENT_TOO_LARGE
                      : err->code == DODONA_E_MEMORY ? MHD_HTTP_SERVICE_UNAVAILABLE
                      : err->code == DODONA_E_INPUT || err->code == DODONA_E_ARGUMENT
                          ? MHD_HTTP_BAD_REQUEST
                          : MHD_HTTP_INTERNAL_SERVER_ERROR;
    ddn_request_refuse(r, status, "%s", dodona_error_text(err, line, sizeof line));
}

static void tell_health(ddn_request *r)
{
    ddn_request_refuse(r, MHD_HTTP_OK, "ok");
}

static void tell_metrics(ddn_request *r)
{
    ddn_server *s = r->server;
    ddn_metrics_print(&s->metrics, s->options, ddn_pool_waiting(s->pool), &r->text);
    r->type = "text/plain; version=0.0.4; charset=utf-8";
    r->status = MHD_HTTP_OK;
}

static void tell_about(ddn_request *r)
{
    ddn_request_refuse(r, MHD_HTTP_OK,
                       "Dodona %s, a dependency parser.\n\n"
                       "POST /v1/parse    text, or a JSON object with it; trees come back\n"
                       "GET  /v1/models   what there is\n"
                       "GET  /models      the same, and\n"
                       "POST /process     the same, as UDPipe's service has it\n"
                       "GET  /health      whether the server is well\n"
                       "GET  /metrics     for Prometheus\n"
                       "GET  /openapi.json  all of this, for programs",
                       dodona_version());
}

extern const char ddn_openapi[], ddn_openapi_end[];

static void tell_openapi(ddn_request *r)
{
    ddn_put(&r->text, ddn_openapi, (size_t)(ddn_openapi_end - ddn_openapi));
    r->type = "application/json; charset=utf-8";
    r->status = MHD_HTTP_OK;
}

const ddn_route ddn_routes[] = {
    { "/", false, false, tell_about },
    { "/models", false, false, ddn_list_models },
    { "/models", true, true, ddn_list_models },
    { "/process", false, false, ddn_process },
    { "/process", true, true, ddn_process },
    { "/v1/models", false, false, ddn_native_models },
    { "/v1/parse", true, false, ddn_native_parse },
    { "/health", false, false, tell_health },
    { "/metrics", false, false, tell_metrics },
    { "/openapi.json", false, false, tell_openapi },
    { NULL, false, false, NULL },
};

/* ---- What a request says ---- */

const ddn_parameter *ddn_request_find(const ddn_request *r, const char *name)
{
    for (int i = 0; i < r->parameters; i++)
        if (strcmp(r->parameter[i].name, name) == 0)
            return &r->parameter[i];
    return NULL;
}

const char *ddn_request_get(const ddn_request *r, const char *name)
{
    const ddn_parameter *p = ddn_request_find(r, name);
    return p ? p->value.data : NULL;
}

const ddn_served *ddn_request_model(ddn_request *r, const char *name)
{
    const ddn_serve_options *o = r->server->options;
    size_t size = name ? strlen(name) : 0;
    for (int i = 0; i < o->models; i++)
        if (name && strcmp(o->model[i].name, name) == 0)
            return &o->model[i];
    for (int i = 0; i < o->models; i++)
        if (size == 0 || strncmp(o->model[i].name, name, size) == 0)
            return &o->model[i];
    ddn_request_refuse(r, MHD_HTTP_BAD_REQUEST, "there is no model '%s'; /models lists them", name);
    return NULL;
}

static int64_t count_words(const char *data, size_t size)
{
    int64_t words = 0;
    bool inside = false;
    for (size_t i = 0; i < size; i++) {
        bool space = isspace((unsigned char)data[i]);
        words += inside && space;
        inside = !space;
    }
    return words + inside;
}

ddn_job *ddn_request_job(ddn_request *r, const ddn_served *served, const char *data, size_t size)
{
    const ddn_serve_options *o = r->server->options;
    size_t valid = ddn_utf8_check(data, size);
    if (valid < size) {
        ddn_request_refuse(r, MHD_HTTP_BAD_REQUEST, "the text is not UTF-8 at byte %zu", valid + 1);
        return NULL;
    }
    int64_t words = count_words(data, size);
    if (words > o->max_words) {
        ddn_request_refuse(r, MHD_HTTP_CONTENT_TOO_LARGE,
                           "the text has %lld words; the server takes %lld at a time",
                           (long long)words, (long long)o->max_words);
        return NULL;
    }
    ddn_job *j = ddn_job_new(served);
    if (j && (j->data = malloc(size + 1))) {
        memcpy(j->data, data, size);
        j->size = size;
        return j;
    }
    ddn_job_free(j);
    ddn_request_refuse(r, MHD_HTTP_SERVICE_UNAVAILABLE, "the server is out of memory");
    return NULL;
}

/* Appends to the parameter of that name, which is made where there is none; what is too much is
 * left out. */
static enum MHD_Result add_parameter(ddn_request *r, const char *name, const char *data,
                                     size_t size, bool first)
{
    ddn_parameter *p = (ddn_parameter *)ddn_request_find(r, name);
    if (first)
        r->repeated = p != NULL; /* the first of that name counts */
    if (r->repeated)
        return MHD_YES;
    if (!p && (r->parameters == DDN_MAX_PARAMETERS || strlen(name) >= DDN_MAX_PARAMETER_NAME))
        return MHD_YES;
    if (!p) {
        p = &r->parameter[r->parameters++];
        snprintf(p->name, sizeof p->name, "%s", name);
        ddn_output_memory(&p->value);
        ddn_put(&p->value, "", 1);
    }
    p->value.size--; /* its NUL */
    ddn_put(&p->value, data, size);
    ddn_put(&p->value, "", 1);
    return p->value.error.code == DODONA_OK ? MHD_YES : MHD_NO;
}

static enum MHD_Result add_argument(void *ctx, enum MHD_ValueKind kind, const char *name,
                                    const char *value)
{
    (void)kind;
    return add_parameter(ctx, name, value ? value : "", value ? strlen(value) : 0, true);
}

static enum MHD_Result add_field(void *ctx, enum MHD_ValueKind kind, const char *name,
                                 const char *file, const char *type, const char *encoding,
                                 const char *data, uint64_t at, size_t size)
{
    (void)kind, (void)file, (void)type, (void)encoding;
    return add_parameter(ctx, name, data, size, at == 0);
}

static bool read_form(ddn_request *r)
{
    enum { BUFFER = 1 << 14 };
    if (r->body.size == 0)
        return true;
    struct MHD_PostProcessor *form = MHD_create_post_processor(r->connection, BUFFER, add_field, r);
    if (!form) {
        ddn_request_refuse(r, MHD_HTTP_BAD_REQUEST,
                           "the body is neither application/x-www-form-urlencoded nor "
                           "multipart/form-data");
        return false;
    }
    enum MHD_Result good = MHD_post_process(form, r->body.data, r->body.size);
    if (MHD_destroy_post_processor(form) == MHD_NO || good == MHD_NO) {
        ddn_request_refuse(r, MHD_HTTP_BAD_REQUEST, "the form in the body is malformed");
        return false;
    }
    return true;
}

/* ---- Requests and their memory ---- */

static double seconds_since(const struct timespec *then)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + 1e-9 * (double)(now.tv_nsec - then->tv_nsec);
}

static ddn_request *new_request(ddn_server *s, struct MHD_Connection *connection)
{
    ddn_request *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->server = s;
    r->connection = connection;
    clock_gettime(CLOCK_MONOTONIC, &r->began);
    ddn_output_memory(&r->body);
    ddn_output_memory(&r->text);
    pthread_mutex_lock(&s->lock);
    r->next = s->first;
    if (s->first)
        s->first->previous = r;
    s->first = r;
    pthread_mutex_unlock(&s->lock);
    return r;
}

/* What the request said is not needed any more. */
static void forget(ddn_request *r)
{
    ddn_output_abandon(&r->body);
    for (int i = 0; i < r->parameters; i++)
        ddn_output_abandon(&r->parameter[i].value);
    r->parameters = 0;
}

static void free_request(ddn_request *r)
{
    ddn_server *s = r->server;
    forget(r);
    pthread_mutex_lock(&s->lock);
    s->bytes -= r->counted; /* its job had a copy */
    if (r->next)
        r->next->previous = r->previous;
    if (r->previous)
        r->previous->next = r->next;
    else
        s->first = r->next;
    pthread_mutex_unlock(&s->lock);
    ddn_output_abandon(&r->text);
    free(r);
}

/* Counts bytes of a body before they come; false: there are too many in memory. */
static bool count_bytes(ddn_request *r, size_t size)
{
    ddn_server *s = r->server;
    pthread_mutex_lock(&s->lock);
    bool room = s->bytes + (int64_t)size <= REQUESTS_IN_MEMORY * s->options->max_request;
    if (room) {
        s->bytes += (int64_t)size;
        r->counted += (int64_t)size;
    }
    pthread_mutex_unlock(&s->lock);
    return room;
}

/* ---- Answers ---- */

static void wake(void *connection)
{
    MHD_resume_connection(connection);
}

static void put_to_sleep(void *connection)
{
    MHD_suspend_connection(connection);
}

static ssize_t send_some(void *ctx, uint64_t at, char *buf, size_t size)
{
    (void)at;
    ddn_request *r = ctx;
    ptrdiff_t got = ddn_pool_take(r->server->pool, r->job, buf, size, put_to_sleep);
    return got == -1   ? (ssize_t)MHD_CONTENT_READER_END_OF_STREAM
           : got == -2 ? (ssize_t)MHD_CONTENT_READER_END_WITH_ERROR
                       : got;
}

static void add_headers(struct MHD_Response *response, const ddn_request *r)
{
    MHD_add_response_header(response, "Content-Type", r->type);
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(response, "Access-Control-Allow-Origin", "*");
    if (r->status == MHD_HTTP_SERVICE_UNAVAILABLE)
        MHD_add_response_header(response, "Retry-After", "1");
}

static enum MHD_Result send_response(ddn_request *r, struct MHD_Response *response)
{
    if (!response)
        return MHD_NO;
    add_headers(response, r);
    enum MHD_Result result = MHD_queue_response(r->connection, r->status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result send_text(ddn_request *r)
{
    return send_response(
        r, MHD_create_response_from_buffer(r->text.size, r->text.data, MHD_RESPMEM_MUST_COPY));
}

/* The job has something to answer with: all of it, its failure, or its beginning. */
static enum MHD_Result send_job(ddn_request *r)
{
    enum { BLOCK = 1 << 16 };
    dodona_error err;
    ddn_progress_of state = ddn_pool_look(r->server->pool, r->job, &err);
    if (state == DDN_HAS_FAILED) {
        ddn_request_fail(r, &err);
        return send_text(r);
    }
    r->status = MHD_HTTP_OK;
    r->type = r->job->type;
    if (state == DDN_HAS_ENDED)
        return send_response(r, MHD_create_response_from_buffer(
                                    r->job->ready.size, r->job->ready.data, MHD_RESPMEM_MUST_COPY));
    return send_response(
        r, MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, send_some, r, NULL));
}

/* ---- What libmicrohttpd calls ---- */

static const ddn_route *find_route(ddn_request *r, const char *path, const char *method)
{
    bool known = false, posts = strcmp(method, "POST") == 0;
    bool gets = strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
    for (const ddn_route *route = ddn_routes; route->path; route++) {
        if (strcmp(route->path, path) != 0)
            continue;
        known = true;
        if (route->takes_body ? posts : gets)
            return route;
    }
    if (known)
        ddn_request_refuse(r, MHD_HTTP_METHOD_NOT_ALLOWED, "%s does not take %s", path, method);
    else
        ddn_request_refuse(r, MHD_HTTP_NOT_FOUND, "there is no %s here; / says what there is",
                           path);
    return NULL;
}

/* The header has come; false: it is refused, before its body is read. */
static bool begin(ddn_request *r, const char *path, const char *method)
{
    const ddn_serve_options *o = r->server->options;
    const char *length =
        MHD_lookup_connection_value(r->connection, MHD_HEADER_KIND, "Content-Length");
    r->route = find_route(r, path, method);
    if (!r->route)
        return false;
    if (ddn_metrics_connect(&r->server->metrics, 0) > o->max_connections) {
        ddn_request_refuse(r, MHD_HTTP_SERVICE_UNAVAILABLE,
                           "the server has %d connections already; try again", o->max_connections);
        return false;
    }
    if (length && strtoll(length, NULL, 10) > o->max_request) {
        ddn_request_refuse(r, MHD_HTTP_CONTENT_TOO_LARGE,
                           "the request has %s bytes; the server takes %lld", length,
                           (long long)o->max_request);
        return false;
    }
    return true;
}

static bool take_body(ddn_request *r, const char *data, size_t size)
{
    const ddn_serve_options *o = r->server->options;
    if (r->status)
        return true; /* it is refused already; the rest is read and forgotten */
    if ((int64_t)(r->body.size + size) > o->max_request) {
        forget(r);
        ddn_request_refuse(r, MHD_HTTP_CONTENT_TOO_LARGE,
                           "the request is larger than the %lld bytes that the server takes",
                           (long long)o->max_request);
        return true;
    }
    if (!count_bytes(r, size)) {
        forget(r);
        ddn_request_refuse(r, MHD_HTTP_SERVICE_UNAVAILABLE,
                           "the server has too many large requests at present; try again");
        return true;
    }
    ddn_put(&r->body, data, size);
    return r->body.error.code == DODONA_OK;
}

/* All of the request is there. */
static enum MHD_Result finish(ddn_request *r)
{
    pthread_mutex_lock(&r->server->lock);
    r->whole = true;
    pthread_mutex_unlock(&r->server->lock);
    if (!r->status)
        MHD_get_connection_values(r->connection, MHD_GET_ARGUMENT_KIND, add_argument, r);
    if (!r->status && (!r->route->form || read_form(r)))
        r->route->handle(r);
    forget(r);
    if (!r->job)
        return send_text(r);
    r->job->wake = wake;
    r->job->of = r->connection;
    MHD_suspend_connection(r->connection);
    if (ddn_pool_submit(r->server->pool, r->job))
        return MHD_YES;
    MHD_resume_connection(r->connection);
    ddn_job_free(r->job);
    r->job = NULL;
    ddn_request_refuse(r, MHD_HTTP_SERVICE_UNAVAILABLE,
                       "too many requests wait to be parsed; try again");
    return MHD_YES; /* it is asked again, and then answers with this */
}

static enum MHD_Result preflight(struct MHD_Connection *connection)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(0, (void *)"", MHD_RESPMEM_PERSISTENT);
    if (!response)
        return MHD_NO;
    MHD_add_response_header(response, "Access-Control-Allow-Origin", "*");
    MHD_add_response_header(response, "Access-Control-Allow-Methods", "GET, POST, OPTIONS");
    MHD_add_response_header(response, "Access-Control-Allow-Headers", "Content-Type");
    enum MHD_Result result = MHD_queue_response(connection, MHD_HTTP_NO_CONTENT, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result answer(void *ctx, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *data,
                              size_t *size, void **state)
{
    (void)version;
    ddn_request *r = *state;
    if (!r) {
        r = *state = new_request(ctx, connection);
        if (!r)
            return MHD_NO;
        if (strcmp(method, "OPTIONS") == 0) {
            r->status = MHD_HTTP_NO_CONTENT;
            return preflight(connection);
        }
        return begin(r, path, method) ? MHD_YES : send_text(r);
    }
    if (*size) {
        bool good = take_body(r, data, *size);
        *size = 0;
        return good ? MHD_YES : MHD_NO;
    }
    if (!r->whole)
        return finish(r);
    return r->job ? send_job(r) : send_text(r);
}

/* A line for the log, without the text. */
static void log_request(const ddn_request *r, double seconds, int64_t words)
{
    char address[INET6_ADDRSTRLEN] = "?", when[32];
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(r->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    time_t now = time(NULL);
    struct tm utc;
    if (info)
        getnameinfo(info->client_addr, sizeof(struct sockaddr_storage), address, sizeof address,
                    NULL, 0, NI_NUMERICHOST);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    fprintf(stderr, "%s %s %s %u %lld words %.1f ms\n", when, address,
            r->route ? r->route->path : "-", r->status, (long long)words, 1e3 * seconds);
}

static void completed(void *ctx, struct MHD_Connection *connection, void **state,
                      enum MHD_RequestTerminationCode how)
{
    (void)ctx, (void)connection, (void)how;
    ddn_request *r = *state;
    if (!r)
        return;
    ddn_server *s = r->server;
    double seconds = seconds_since(&r->began);
    int64_t sentences = 0, words = 0;
    int model = r->job ? (int)(r->job->served - s->options->model) : -1;
    if (r->job)
        ddn_pool_drop(s->pool, r->job, &sentences, &words);
    ddn_metrics_add(&s->metrics, r->status, seconds, model, sentences, words);
    if (!s->options->quiet)
        log_request(r, seconds, words);
    free_request(r);
    *state = NULL;
}

static void connected(void *ctx, struct MHD_Connection *connection, void **state,
                      enum MHD_ConnectionNotificationCode what)
{
    (void)connection, (void)state;
    ddn_server *s = ctx;
    ddn_metrics_connect(&s->metrics, what == MHD_CONNECTION_NOTIFY_STARTED ? 1 : -1);
}

/* ---- The server ---- */

/* Ends connections whose request comes too slowly; those that send nothing at all are ended by
 * libmicrohttpd. */
static void drop_slow(ddn_server *s)
{
    pthread_mutex_lock(&s->lock);
    for (ddn_request *r = s->first; r; r = r->next) {
        double most = s->options->timeout + (double)r->counted / SLOWEST;
        if (r->whole || seconds_since(&r->began) < most)
            continue;
        const union MHD_ConnectionInfo *info =
            MHD_get_connection_info(r->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        if (info)
            shutdown(info->connect_fd, SHUT_RDWR);
    }
    pthread_mutex_unlock(&s->lock);
}

static bool is_idle(ddn_server *s)
{
    pthread_mutex_lock(&s->lock);
    bool idle = s->first == NULL;
    pthread_mutex_unlock(&s->lock);
    return idle;
}

static void pause_for(int milliseconds)
{
    struct timespec t = { .tv_nsec = milliseconds * 1000000L };
    nanosleep(&t, NULL);
}

static int find_address(const ddn_serve_options *o, struct addrinfo **out, dodona_error *err)
{
    char port[16];
    struct addrinfo hints = { .ai_flags = AI_NUMERICSERV | AI_PASSIVE, .ai_socktype = SOCK_STREAM };
    snprintf(port, sizeof port, "%d", o->port);
    int code = getaddrinfo(o->host, port, &hints, out);
    return code ? ddn_fail(err, DODONA_E_ARGUMENT, "'%s' is no address of this machine: %s",
                           o->host, gai_strerror(code))
                : DODONA_OK;
}

/* Room for the connections that may come. */
static void raise_files(int connections)
{
    struct rlimit files;
    rlim_t wanted = (rlim_t)connections + 256;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < wanted) {
        files.rlim_cur = wanted < files.rlim_max ? wanted : files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
}

static int start(ddn_server *s, dodona_error *err)
{
    const ddn_serve_options *o = s->options;
    struct addrinfo *address;
    int status = find_address(o, &address, err);
    if (status < 0)
        return status;
    raise_files(o->max_connections + SPARE_CONNECTIONS);
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
    if (address->ai_family == AF_INET6)
        flags |= MHD_USE_IPv6;
    s->daemon = MHD_start_daemon(
        flags, (uint16_t)o->port, NULL, NULL, answer, s, MHD_OPTION_SOCK_ADDR, address->ai_addr,
        MHD_OPTION_NOTIFY_COMPLETED, completed, s, MHD_OPTION_NOTIFY_CONNECTION, connected, s,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)o->timeout, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)(o->max_connections + SPARE_CONNECTIONS), MHD_OPTION_LISTENING_ADDRESS_REUSE, 1u,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)1 << 16, MHD_OPTION_END);
    freeaddrinfo(address);
    return s->daemon
               ? DODONA_OK
               : ddn_fail(err, DODONA_E_IO, "can't listen on %s, port %d; is another server there?",
                          o->host, o->port);
}

static void run(ddn_server *s)
{
    enum { TICK = 100 };
    const ddn_serve_options *o = s->options;
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_BIND_PORT);
    if (o->ready)
        o->ready(info ? info->port : o->port);
    while (!o->stopped()) {
        pause_for(TICK);
        drop_slow(s);
    }
    MHD_socket listening = MHD_quiesce_daemon(s->daemon);
    for (int i = 0; (i < o->timeout * 1000 / TICK && !is_idle(s)) || ddn_pool_is_busy(s->pool);
         i++) {
        pause_for(TICK);
        drop_slow(s);
    }
    if (listening != MHD_INVALID_SOCKET)
        close(listening);
}

int ddn_serve(const ddn_serve_options *o, dodona_error *err)
{
    ddn_server s = { .options = o };
    ddn_metrics_init(&s.metrics);
    pthread_mutex_init(&s.lock, NULL);
    int status = ddn_pool_open(&s.pool, o->threads, QUEUE, err);
    if (status >= 0)
        status = start(&s, err);
    if (status >= 0)
        run(&s);
    if (s.daemon)
        MHD_stop_daemon(s.daemon);
    ddn_pool_close(s.pool);
    pthread_mutex_destroy(&s.lock);
    ddn_metrics_fini(&s.metrics);
    return status;
}
