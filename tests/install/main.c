/* SPDX-License-Identifier: MIT */
/* The smallest program outside the tree: does the installed library compile, link and run, and does
 * it find its model (where the first argument is a folder, there)? */
#include <dodona.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    dodona_error err = { DODONA_E_INPUT, 7, "file", "words" };
    char text[1024];
    dodona_model *by_name, *by_default;
    const char *folders = argc > 1 ? argv[1] : NULL;
    if (dodona_model_open_from(folders, "english", &by_name, &err) < 0 ||
        dodona_model_open_from(folders, NULL, &by_default, &err) < 0)
        return puts(dodona_error_text(&err, text, sizeof text)) == EOF;
    dodona_model_free(by_name);
    dodona_model_free(by_default);
    return puts(dodona_error_text(&err, text, sizeof text)) == EOF;
}
