/* SPDX-License-Identifier: MIT */
/* serve.c - dodona serve: models over HTTP. */
#include "server/serve.h"
#include "cli/cli.h"
#include "cli/embedded.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "core/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_MODELS = 64 };

static const ddn_page page = {
    .command = "serve",
    .operands = "",
    .about = "Answers requests over HTTP: those of UDPipe's service (/models, /process), and\n"
             "our own (/v1/parse, /v1/models, /health, /metrics).  It listens on this machine\n"
             "alone unless --host says otherwise, and prints the address when it is ready.",
    .example = "  dodona serve --port 8080\n"
               "  dodona serve --model english=my.model --model greek=el.model -j 4\n"
               "  curl --data-urlencode 'data=I saw Al.' -d tokenizer= -d tagger= -d parser= \\\n"
               "      http://127.0.0.1:8080/process\n"
               "  curl --data-binary 'I saw Al.' 'http://127.0.0.1:8080/v1/parse?output=conllu'\n",
};

#ifdef DDN_SERVER

static const char *host;

static void ready(int port)
{
    bool is_v6 = strchr(host, ':') != NULL;
    printf("http://%s%s%s:%d/\n", is_v6 ? "[" : "", host, is_v6 ? "]" : "", port);
    fflush(stdout);
}

/* The lines of --model, "NAME=PATH" or "PATH", whose name is that of the file up to its dot. */
static int open_models(char *lines, ddn_served *model, int *count, dodona_error *err)
{
    int status = DODONA_OK;
    for (char *line = lines ? strtok(lines, "\n") : NULL; line && status >= 0;
         line = strtok(NULL, "\n")) {
        char *equals = strchr(line, '='), *path = equals ? equals + 1 : line, *name = line;
        dodona_model *m;
        if (*count == MAX_MODELS)
            return ddn_fail(err, DODONA_E_ARGUMENT, "there is room for %d models", MAX_MODELS);
        status = ddn_model_open(path, &m, err);
        if (status < 0)
            return status;
        if (equals)
            *equals = '\0';
        else if ((name = strrchr(line, '/')))
            name++;
        else
            name = line;
        if (!equals && strchr(name, '.'))
            *strchr(name, '.') = '\0';
        model[(*count)++] = (ddn_served){ name, m };
    }
    if (*count)
        return status;
    dodona_model *m;
    status = ddn_model_open(NULL, &m, err);
    if (status >= 0)
        model[(*count)++] = (ddn_served){ "english", m };
    return status;
}

static int run(ddn_serve_options *o, char *lines, dodona_error *err)
{
    ddn_served model[MAX_MODELS];
    o->model = model;
    host = o->host;
    int status = open_models(lines, model, &o->models, err);
    ddn_interrupt_catch();
    if (status >= 0)
        status = ddn_serve(o, err);
    for (int i = 0; i < o->models; i++)
        dodona_model_free((dodona_model *)model[i].model);
    return status;
}

#else

static void ready(int port)
{
    (void)port;
}

static int run(ddn_serve_options *o, char *lines, dodona_error *err)
{
    (void)o, (void)lines;
    return ddn_fail(err, DODONA_E_ARGUMENT,
                    "this dodona was built without its server; install libmicrohttpd (Debian: "
                    "libmicrohttpd-dev) and build it again");
}

#endif

int ddn_command_serve(int argc, char **argv)
{
    char *models = NULL;
    ddn_serve_options o = { .host = "127.0.0.1",
                            .port = 8080,
                            .threads = 1,
                            .max_request = 10 << 20,
                            .max_words = 1000000,
                            .timeout = 30,
                            .max_connections = 4096,
                            .stopped = ddn_interrupted,
                            .ready = ready };
    const ddn_option options[] = {
        { .name = "model",
          .type = DDN_LINES,
          .argument = "[NAME=]M",
          .to = &models,
          .otherwise = "the English one that is built in",
          .help = "a model and its name in requests, or that of its file; several may be given, "
                  "and the first is the default" },
        { .name = "host",
          .argument = "ADDRESS",
          .to = &o.host,
          .help = "the address to listen on; 0.0.0.0: all of this machine's" },
        { .name = "port",
          .type = DDN_INT,
          .argument = "N",
          .to = &o.port,
          .least = 0,
          .most = 65535,
          .help = "the port; 0: any that is free" },
        { .letter = 'j',
          .type = DDN_INT,
          .argument = "N",
          .to = &o.threads,
          .least = 1,
          .most = DODONA_MAX_THREADS,
          .help = "threads that parse" },
        { .name = "max-request",
          .type = DDN_COUNT,
          .argument = "BYTES",
          .to = &o.max_request,
          .least = 1024,
          .most = 1 << 30,
          .help = "the largest request" },
        { .name = "max-words",
          .type = DDN_COUNT,
          .argument = "N",
          .to = &o.max_words,
          .least = 1,
          .most = 1e9,
          .help = "the most words of a request, as white space separates them" },
        { .name = "timeout",
          .type = DDN_INT,
          .argument = "S",
          .to = &o.timeout,
          .least = 1,
          .most = 3600,
          .help = "seconds after which a client that sends or takes nothing is dropped" },
        { .name = "max-connections",
          .type = DDN_INT,
          .argument = "N",
          .to = &o.max_connections,
          .least = 1,
          .most = 100000,
          .help = "connections at a time; who comes when there are as many is told to come again" },
        { 0 },
    };
    ddn_operands none = { 0 };
    dodona_error err;
    int code = ddn_options_read(&page, options, argc, argv, &none);
    if (code < 0) {
        o.quiet = none.quiet;
        code = run(&o, models, &err) < 0 ? ddn_complain(&err) : DDN_DONE;
    }
    free(models);
    return code;
}
