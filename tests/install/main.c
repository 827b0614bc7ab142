/* SPDX-License-Identifier: MIT */
/* The smallest program outside the tree: does the installed library compile, link and run? */
#include <dodona.h>
#include <stdio.h>

int main(void)
{
    dodona_error err = { DODONA_E_INPUT, 7, "file", "words" };
    char text[64];
    return puts(dodona_error_text(&err, text, sizeof text)) == EOF;
}
