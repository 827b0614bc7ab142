/* SPDX-License-Identifier: MIT */
/* inherit.c - a line of metadata belongs to the part that its key names; all other lines, as notes
 * about corpus and licence, are about the model and stay. */
#include "train/inherit.h"

#include "tree/sentence.h"

#include <string.h>

/* Keys of the parser (put_metadata in train.c), of the tagger and of the tokenizer. */
static const struct {
    const char *key;
    int step;
} keys[] = {
    { "learner", DODONA_STEP_PARSE },
    { "system", DODONA_STEP_PARSE },
    { "roots", DODONA_STEP_PARSE },
    { "oracle", DODONA_STEP_PARSE },
    { "algorithm", DODONA_STEP_PARSE },
    { "explore", DODONA_STEP_PARSE },
    { "search", DODONA_STEP_PARSE },
    { "beam", DODONA_STEP_PARSE },
    { "decoder", DODONA_STEP_PARSE },
    { "update", DODONA_STEP_PARSE },
    { "passes", DODONA_STEP_PARSE },
    { "average", DODONA_STEP_PARSE },
    { "nonprojective", DODONA_STEP_PARSE },
    { "pseudo", DODONA_STEP_PARSE },
    { "seed", DODONA_STEP_PARSE },
    { "iteration", DODONA_STEP_PARSE },
    { "sentences", DODONA_STEP_PARSE },
    { "crossing", DODONA_STEP_PARSE },
    { "skipped", DODONA_STEP_PARSE },
    { "too long", DODONA_STEP_PARSE },
    { "templates", DODONA_STEP_PARSE },
    { "relations", DODONA_STEP_PARSE },
    { "dev", DODONA_STEP_PARSE },
    { "temperature", DODONA_STEP_PARSE },
    { "coverage", DODONA_STEP_PARSE },
    { "jackknife", DODONA_STEP_PARSE },
    { "jackknife-tags", DODONA_STEP_PARSE },
    { "dev-tags", DODONA_STEP_TAG },
    { "embeddings", DODONA_STEP_PARSE },
    { "rival-temperature", DODONA_STEP_PARSE },
    { "rival-coverage", DODONA_STEP_PARSE },
    { "dev-tokens", DODONA_STEP_TOKENIZE },
};

static bool is_of(dodona_text key, int steps)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (ddn_text_is(key, keys[i].key))
            return keys[i].step & steps;
    return ddn_text_is(key, "kind");
}

static bool has_key(const ddn_output *lines, dodona_text key)
{
    const char *end = lines->data + lines->size;
    for (const char *at = lines->data, *next; at < end; at = next + 1) {
        next = memchr(at, '\n', (size_t)(end - at));
        next = next ? next : end;
        if ((size_t)(next - at) > key.size && at[key.size] == ':' &&
            memcmp(at, key.data, key.size) == 0)
            return true;
    }
    return false;
}

void ddn_inherit_metadata(const ddn_model_file *from, int steps, ddn_output *lines)
{
    const ddn_section *meta;
    if (ddn_model_file_find(from, "meta", &meta, NULL) < 0)
        return;
    const char *at = meta->data, *end = at + meta->size, *next;
    for (; at < end; at = next + 1) {
        next = memchr(at, '\n', (size_t)(end - at));
        next = next ? next : end;
        const char *colon = memchr(at, ':', (size_t)(next - at));
        dodona_text key = { at, colon ? (size_t)(colon - at) : 0 };
        if (!colon || is_of(key, steps) || has_key(lines, key))
            continue;
        ddn_put(lines, at, (size_t)(next - at));
        ddn_puts(lines, "\n");
    }
}

void ddn_put_kind(ddn_output *o, bool has_parser, const ddn_section *part, int parts)
{
    bool tags = false, tokenizes = false;
    for (int i = 0; i < parts; i++) {
        tags |= strncmp(part[i].name, "tagger.", 7) == 0;
        tokenizes |= strncmp(part[i].name, "tokenizer.", 10) == 0;
    }
    ddn_putf(o, "kind: %s\n",
             has_parser          ? "pipeline"
             : tags && tokenizes ? "tokenizer and tagger"
             : tags              ? "tagger"
                                 : "tokenizer");
}
