/* SPDX-License-Identifier: MIT */
/* words.c - splits and lists words with bars between them. */
#include "core/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *ddn_words_at(const char *words, int i, size_t *size)
{
    while (i > 0 && (words = strchr(words, '|'))) {
        words++;
        i--;
    }
    if (!words || i < 0)
        return NULL;
    *size = strcspn(words, "|");
    return words;
}

int ddn_words_find(const char *words, const char *word)
{
    size_t size;
    const char *at;
    for (int i = 0; (at = ddn_words_at(words, i, &size)); i++)
        if (size == strlen(word) && memcmp(at, word, size) == 0)
            return i;
    return -1;
}

const char *ddn_words_list(const char *words, char *buf, size_t size)
{
    size_t used = 0, length;
    const char *at;
    buf[0] = '\0';
    for (int i = 0; (at = ddn_words_at(words, i, &length)) && used < size; i++)
        used += (size_t)snprintf(buf + used, size - used, "%s%.*s",
                                 i == 0       ? ""
                                 : at[length] ? ", "
                                              : " or ",
                                 (int)length, at);
    return buf;
}

const char *ddn_range_text(bool whole, double least, double most, char *buf, size_t size)
{
    const char *kind = whole ? "whole number" : "number";
    if (isinf(most))
        snprintf(buf, size, "a %s of %.15g or more", kind, least);
    else
        snprintf(buf, size, "a %s from %.15g to %.15g", kind, least, most);
    return buf;
}
