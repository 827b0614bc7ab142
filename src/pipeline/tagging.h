/* SPDX-License-Identifier: MIT */
/* tagging.h - the beam of the tagger step by step, for tagger.c and for training. */
#ifndef DDN_PIPELINE_TAGGING_H
#define DDN_PIPELINE_TAGGING_H

#include "core/arena.h"
#include "pipeline/tagger.h"

enum {
    DDN_TAG_BEAM = 4,
    DDN_LOCAL_KEYS = 40,
    DDN_HISTORY_KEYS = 8,
    DDN_TAG_ENDING = 4 /* characters of the longest ending in the lexicon */
};

typedef struct ddn_tag_item {
    ddn_score score;
    int32_t back;         /* the item of the word before that it continues */
    uint16_t tag, before; /* of this word and the one before */
    uint16_t last[2];     /* the last nominal and the last verbal tag, this word's included */
} ddn_tag_item;

/* The tags before a word that its features see; DDN_TAG_NONE: there is none. */
typedef struct ddn_tag_past {
    uint16_t one, two; /* of the word before and of the one before that */
    uint16_t last[2];  /* nominal, verbal */
} ddn_tag_past;

struct ddn_tagging {
    const ddn_tagger *tagger;
    ddn_pass *pass; /* of the weights */
    ddn_words words;
    struct ddn_choice {
        uint32_t set; /* what the lexicon says of the word */
        uint32_t at;  /* candidates are pool[at .. at+count) */
        uint32_t count;
        uint32_t plain; /* and of its plain form, where it begins with a capital letter */
        bool known;     /* the word is in the lexicon */
    } * choice;         /* [n + 2]; choice[0] and choice[n + 1]: none */
    uint16_t *pool;
    uint8_t *marked;       /* [tags] scratch */
    ddn_tag_item *item;    /* [n + 1][DDN_TAG_BEAM] */
    int32_t *items;        /* [n + 1] */
    uint16_t *tag;         /* [n + 1] the result */
    ddn_score *sum, *past; /* [classes] of the word, of what is before it */
    ddn_score *local;      /* [candidates] */
    size_t pool_size, pool_cap;
    ddn_arena arena;              /* what depends on n */
    ddn_arena own;                /* the rest but the pool */
    bool titled;                  /* most words of the sentence begin with a capital letter */
    uint64_t key[DDN_LOCAL_KEYS]; /* [keys] of the word of the last step */
    int keys;
    ddn_output name; /* scratch */
};

/* Reads the sentence and finds the candidates.  hidden[1..n], or NULL: words that the lexicon is
 * not asked about.  gold[1..n], or NULL: tags that are to be candidates. */
int ddn_tagging_begin(ddn_tagging *w, const ddn_sentence *s, const uint8_t *hidden,
                      const uint16_t *gold, dodona_error *err);
/* The keys of a word's form, of its plain form (the key of a word with just that form) and of its
 * ending in the lexicon. */
uint64_t ddn_tagger_form_key(const ddn_word *w);
uint64_t ddn_tagger_plain_key(const ddn_word *w);
uint64_t ddn_tagger_ending_key(const ddn_word *w, int length);

/* From the items of word i - 1 to those of word i. */
void ddn_tagging_step(ddn_tagging *w, int32_t i);
/* Fills key with the features of word i among its words. */
void ddn_tagging_keys(ddn_tagging *w, int32_t i);
/* Keys of what is before word i. */
int ddn_tagging_history(const ddn_tagging *w, int32_t i, const ddn_tag_past *past, uint64_t *key);
/* What is before the next word, after a word with that tag. */
ddn_tag_past ddn_tag_past_next(const ddn_tagset *t, ddn_tag_past past, uint16_t tag);
/* Sets sum[classes], the scores of the parts of tags, for n keys. */
static inline void ddn_tagging_score(ddn_tagging *w, const uint64_t *key, int n, ddn_score *sum)
{
    w->pass->model->scorer->words(w->pass, key, n, sum);
}
/* The score of a tag for sums of parts. */
static inline ddn_score ddn_tag_sum(const ddn_tag *tag, const ddn_score *sum)
{
    ddn_score total = 0;
    for (int k = 0; k < tag->parts; k++)
        total += sum[tag->part[k]];
    return total;
}
/* Fills tag[1..i] with the tags of an item of word i. */
void ddn_tagging_trace(const ddn_tagging *w, int32_t i, int32_t item, uint16_t *tag);

#endif
