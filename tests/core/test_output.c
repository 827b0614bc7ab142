/* SPDX-License-Identifier: MIT */
/* A named file appears whole or not at all; a write that fails is told on close. */
#include "core/output.h"
#include "lib/check.h"
#include "lib/files.h"
#include "lib/memory.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[256];

static const char *in_folder(const char *name)
{
    static char path[4][512];
    static int k;
    k = (k + 1) % 4;
    snprintf(path[k], sizeof path[k], "%s/%s", folder, name);
    return path[k];
}

static int setup(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s", test_scratch("out"));
    signal(SIGPIPE, SIG_IGN);
    return mkdir(folder, 0777);
}

static int entries(void)
{
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    int count = -2;
    while (readdir(dir))
        count++;
    closedir(dir);
    return count;
}

static void holds(const char *path, const char *want)
{
    size_t size;
    char *got = test_slurp(path, &size);
    assert_string_equal(got, want);
    free(got);
}

static void a_file_appears_on_close(void **state)
{
    (void)state;
    ddn_output o;
    dodona_error err;
    const char *path = in_folder("a");
    umask(022);
    assert_int_equal(ddn_output_open(&o, path, &err), 0);
    ddn_puts(&o, "oak");
    ddn_output_flush(&o);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(ddn_output_close(&o, &err), 0);
    holds(path, "oak");
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0644);

    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(ddn_output_open(&o, path, &err), 0);
    ddn_puts(&o, "leaf");
    ddn_output_flush(&o);
    holds(path, "oak");
    ddn_output_abandon(&o);
    holds(path, "oak");
    assert_int_equal(entries(), 1);

    assert_int_equal(ddn_output_open(&o, path, &err), 0);
    ddn_puts(&o, "leaf");
    assert_int_equal(ddn_output_close(&o, &err), 0);
    holds(path, "leaf");
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0640);
    assert_int_equal(entries(), 1);
    unlink(path);
}

static void links_are_followed(void **state)
{
    (void)state;
    ddn_output o;
    dodona_error err;
    assert_int_equal(symlink("target", in_folder("link")), 0);
    assert_int_equal(symlink("link", in_folder("link2")), 0);
    for (int i = 0; i < 2; i++) { /* first it is dangling */
        assert_int_equal(ddn_output_open(&o, in_folder("link2"), &err), 0);
        ddn_put_int(&o, i);
        assert_int_equal(ddn_output_close(&o, &err), 0);
        holds(in_folder("target"), i ? "1" : "0");
        struct stat st;
        assert_int_equal(lstat(in_folder("link"), &st), 0);
        assert_true(S_ISLNK(st.st_mode));
    }
    assert_int_equal(symlink("loop", in_folder("loop")), 0);
    assert_int_equal(ddn_output_open(&o, in_folder("loop"), &err), DODONA_E_IO);
    unlink(in_folder("link"));
    unlink(in_folder("link2"));
    unlink(in_folder("target"));
    unlink(in_folder("loop"));
}

/* A pipe of our own stands for all that is no regular file.  Never name a device here: with a bug
 * in the code, a test that runs as root would replace it. */
static void what_is_no_file_is_written_directly(void **state)
{
    (void)state;
    ddn_output o;
    dodona_error err;
    const char *path = in_folder("fifo");
    assert_int_equal(mkfifo(path, 0600), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    assert_int_equal(ddn_output_open(&o, path, &err), 0);
    ddn_puts(&o, "piped");
    assert_int_equal(ddn_output_close(&o, &err), 0);
    char buf[8];
    assert_int_equal(read(reader, buf, sizeof buf), 5);
    assert_memory_equal(buf, "piped", 5);

    assert_int_equal(ddn_output_open(&o, path, &err), 0);
    close(reader);
    ddn_puts(&o, "nobody");
    assert_int_equal(ddn_output_close(&o, &err), DODONA_E_IO);
    assert_non_null(strstr(err.message, strerror(EPIPE)));
    unlink(path);
}

/* Standard output takes the place of the full disk. */
static void a_full_disk_is_told(void **state)
{
    (void)state;
    int full = open("/dev/full", O_WRONLY);
    if (full < 0)
        skip();
    for (int many = 0; many < 2; many++) {
        ddn_output o;
        dodona_error err;
        fflush(stdout);
        int kept = dup(STDOUT_FILENO);
        dup2(full, STDOUT_FILENO);
        int opened = ddn_output_open(&o, "-", &err);
        for (int i = 0; i < (many ? 100000 : 1); i++)
            ddn_puts(&o, "a line that fills the buffer\n");
        int before = o.error.code, closed = ddn_output_close(&o, many ? &err : NULL);
        dup2(kept, STDOUT_FILENO);
        close(kept);
        assert_int_equal(opened, 0);
        assert_int_equal(before, many ? DODONA_E_IO : DODONA_OK);
        assert_int_equal(closed, DODONA_E_IO);
        assert_true(!many || strstr(err.message, strerror(ENOSPC)));
    }
    close(full);
}

/* A file that may not grow: the old one stays, and no other is left beside it. */
static void a_failed_file_is_not_put_in_place(void **state)
{
    (void)state;
    ddn_output o;
    dodona_error err;
    const char *path = in_folder("small");
    struct rlimit old, small;
    test_spill(path, "old", 3);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = 1000;
    assert_int_equal(ddn_output_open(&o, path, &err), 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    for (int i = 0; i < 500; i++)
        ddn_puts(&o, "a line\n");
    int code = ddn_output_close(&o, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(code, DODONA_E_IO);
    assert_string_equal(err.file, path);
    assert_non_null(strstr(err.message, strerror(EFBIG)));
    holds(path, "old");
    assert_int_equal(entries(), 1);
    unlink(path);
}

static void places_that_are_none(void **state)
{
    (void)state;
    ddn_output o;
    dodona_error err;
    assert_int_equal(ddn_output_open(&o, in_folder("no/such/folder"), &err), DODONA_E_IO);
    assert_int_equal(ddn_output_open(&o, folder, &err), DODONA_E_IO);
    assert_int_equal(ddn_output_open(&o, in_folder(""), &err), DODONA_E_IO);
    assert_int_equal(ddn_output_open(&o, "", &err), DODONA_E_IO);
    assert_int_equal(entries(), 0);
}

static void memory_grows(void **state)
{
    (void)state;
    ddn_output o;
    ddn_output_memory(&o);
    static const int64_t values[] = { 0, 7, -7, 10, 1234567890123, INT64_MAX, INT64_MIN };
    char want[512] = "";
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        ddn_put_int(&o, values[i]);
        ddn_put(&o, "", 0);
        sprintf(want + strlen(want), "%lld", (long long)values[i]);
    }
    ddn_putf(&o, "%s:%03d", "x", 5);
    strcat(want, "x:005");
    assert_int_equal(o.size, strlen(want));
    assert_memory_equal(o.data, want, o.size);
    for (int i = 0; i < 100000; i++)
        ddn_puts(&o, "0123456789");
    assert_int_equal(o.size, strlen(want) + 1000000);
    assert_int_equal(ddn_output_close(&o, NULL), 0);
}

static void memory_is_handed_over_or_its_error(void **state)
{
    (void)state;
    ddn_output o;
    dodona_text text = { "as before", 9 };
    dodona_error err = { 0 };
    ddn_output_memory(&o);
    ddn_puts(&o, "words");
    assert_int_equal(ddn_output_check(&o, &err), DODONA_OK);
    assert_int_equal(ddn_output_text(&o, &text, &err), DODONA_OK);
    assert_int_equal(err.code, DODONA_OK);
    assert_int_equal(text.size, 5);
    assert_memory_equal(text.data, "words", 5);
    text = (dodona_text){ "as before", 9 };
    assert_null(ddn_output_room(&o, SIZE_MAX / 2));
    assert_int_equal(ddn_output_text(&o, &text, &err), DODONA_E_MEMORY);
    assert_int_equal(err.code, DODONA_E_MEMORY);
    assert_int_equal(text.size, 9);
    assert_int_equal(ddn_output_check(&o, NULL), DODONA_E_MEMORY);
    ddn_output_abandon(&o); /* an empty output to memory again */
    ddn_puts(&o, "more");
    assert_int_equal(ddn_output_text(&o, &text, NULL), DODONA_OK);
    assert_int_equal(text.size, 4);
    ddn_output_abandon(&o);
}

static void numbers_do_not_depend_on_the_locale(void **state)
{
    static const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8",
                                         "ru_RU.UTF-8" };
    (void)state;
    const char *found = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++)
        found = setlocale(LC_ALL, names[i]);
    if (!found || strcmp(localeconv()->decimal_point, ",") != 0) {
        print_message("skipped: no locale that writes numbers with a comma is installed\n");
        setlocale(LC_ALL, "C");
        skip();
    }
    ddn_output o;
    ddn_output_memory(&o);
    ddn_putf(&o, "%.2f %g", 97.25, 0.5);
    assert_int_equal(o.size, strlen("97.25 0.5"));
    assert_memory_equal(o.data, "97.25 0.5", o.size);
    assert_string_equal(localeconv()->decimal_point, ",");
    ddn_output_abandon(&o);
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_appears_on_close),
        cmocka_unit_test(links_are_followed),
        cmocka_unit_test(what_is_no_file_is_written_directly),
        cmocka_unit_test(a_full_disk_is_told),
        cmocka_unit_test(a_failed_file_is_not_put_in_place),
        cmocka_unit_test(memory_grows),
        cmocka_unit_test(memory_is_handed_over_or_its_error),
        cmocka_unit_test(numbers_do_not_depend_on_the_locale),
        cmocka_unit_test(places_that_are_none),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
