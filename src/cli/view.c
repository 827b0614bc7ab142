/* SPDX-License-Identifier: MIT */
/* view.c - dodona view: trees as pictures, in a browser, in the terminal or into a file.
 *
 * Without --output, a page is opened in the browser where a person could see it: standard output is
 * a terminal and there is a display.  Elsewhere the trees are drawn.  The page is written to a
 * temporary folder and stays there, since nobody knows when the browser has read it. */
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/options.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const ddn_page page = {
    .command = "view",
    .operands = "[FILE...]",
    .about = "Shows trees: in the browser where there is a display, or drawn in the terminal.\n"
             "With --output, writes them.",
    .example = "  dodona view test.conllu\n"
               "  dodona view --output html --compare parsed.conllu test.conllu >both.html\n",
    .most = -1,
};

typedef struct arguments {
    const char *input, *output, *compare;
    ddn_operands files;
} arguments;

static int read_arguments(arguments *a, int argc, char **argv)
{
    const ddn_option options[] = {
        { .name = "input",
          .type = DDN_CHOICE,
          .argument = DDN_INPUTS,
          .to = &a->input,
          .help = "what is read",
          .hint = DDN_INPUTS_HINT },
        { .name = "output",
          .type = DDN_CHOICE,
          .argument = "tree|svg|html|tikz",
          .to = &a->output,
          .help = "write to standard output: a drawing for a terminal, a picture, a page to "
                  "search, or LaTeX" },
        { .name = "compare",
          .type = DDN_FILE,
          .argument = "OTHER",
          .to = &a->compare,
          .help = "another analysis of the same text; what differs there is marked" },
        { 0 },
    };
    return ddn_options_read(&page, options, argc, argv, &a->files);
}

/* ---- Sentences ---- */

static dodona_source source(ddn_files *files)
{
    return (dodona_source){ ddn_files_pull, files, ddn_path_name(files->path[0]) };
}

static int write_all(const arguments *a, dodona_writer *w, dodona_error *err)
{
    dodona_reader_options reading;
    ddn_operands quietly = a->files;
    ddn_files files, other;
    char *others[] = { (char *)a->compare };
    dodona_reader_options_init(&reading);
    int status = dodona_format_find(a->input, err);
    if (status < 0)
        return status;
    reading.format = (dodona_format)status;
    quietly.quiet = true;
    if (!a->compare)
        return ddn_files_each(&quietly, &reading, dodona_writer_push, w, err);
    ddn_files_init(&files, &a->files, &reading);
    ddn_files_init(&other, &(ddn_operands){ .of = others, .count = 1 }, &reading);
    dodona_source first = source(&files), second = source(&other);
    status = dodona_writer_compare(w, &first, &second, err);
    ddn_files_fini(&files);
    ddn_files_fini(&other);
    return status;
}

/* ---- Where they go ---- */

static int print(const arguments *a, const char *format, dodona_error *err)
{
    dodona_writer *w;
    int status = ddn_writer_open(format, "-", &w, err);
    return status < 0 ? status : ddn_writer_end(w, write_all(a, w, err), err);
}

#ifdef __APPLE__
static const char opener[] = "open";
#else
static const char opener[] = "xdg-open";
#endif

static bool has_display(void)
{
#ifdef __APPLE__
    return true;
#else
    const char *x = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    return (x && *x) || (wayland && *wayland);
#endif
}

static int start_browser(const char *path)
{
    pid_t pid;
    int status = 0;
    char *argv[] = { (char *)opener, (char *)path, NULL };
    if (posix_spawnp(&pid, opener, NULL, NULL, argv, environ) != 0)
        return -1;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

static int write_page(const arguments *a, const char *path, dodona_error *err)
{
    dodona_writer *w;
    int status = dodona_writer_open(path, DODONA_HTML, &w, err);
    if (status < 0)
        return status;
    status = write_all(a, w, err);
    if (status >= 0)
        return dodona_writer_close(w, err);
    dodona_writer_abandon(w);
    return status;
}

static int open_page(const arguments *a)
{
    const char *temporary = getenv("TMPDIR");
    char folder[1000], path[sizeof folder + 16];
    dodona_error err;
    int size = snprintf(folder, sizeof folder, "%s/dodona-XXXXXX",
                        temporary && *temporary ? temporary : "/tmp");
    if (size < 0 || (size_t)size >= sizeof folder || !mkdtemp(folder)) {
        ddn_warn("can't make a temporary folder: %s", strerror(errno));
        return DDN_BAD;
    }
    snprintf(path, sizeof path, "%s/trees.html", folder);
    if (write_page(a, path, &err) < 0) {
        rmdir(folder);
        return ddn_complain(&err);
    }
    if (start_browser(path) < 0) {
        ddn_warn("%s did not open the page; it is %s", opener, path);
        return DDN_BAD;
    }
    if (!a->files.quiet)
        ddn_warn("the page is %s", path);
    return DDN_DONE;
}

int ddn_command_view(int argc, char **argv)
{
    arguments a = { .input = "conllu" };
    int code = read_arguments(&a, argc, argv);
    if (code >= 0)
        return code;
    if (a.compare && a.files.count > 1)
        return ddn_misuse("view", "--compare takes one FILE, not %d", a.files.count);
    if (a.compare && strcmp(a.compare, "-") == 0 &&
        (a.files.count == 0 || strcmp(a.files.of[0], "-") == 0))
        return ddn_misuse("view", "only one of the files can be standard input");
    if (a.compare && a.output && strcmp(a.output, "tikz") == 0)
        return ddn_misuse("view", "--compare marks differences in tree, svg or html");
    if (!a.output && isatty(STDOUT_FILENO) && has_display())
        return open_page(&a);
    dodona_error err;
    return print(&a, a.output ? a.output : "tree", &err) < 0 ? ddn_complain(&err) : DDN_DONE;
}
