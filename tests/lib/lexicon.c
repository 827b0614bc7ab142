/* SPDX-License-Identifier: MIT */
#include "lib/lexicon.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define WORDS(...)                                                                                 \
    {                                                                                              \
        (const char *const[]){ __VA_ARGS__ },                                                      \
            sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(const char *)                    \
    }

const ddn_words ddn_nouns[DDN_NOUN_CLASSES] = {
    [DDN_PERSON] = WORDS("teacher", "doctor", "farmer", "student", "neighbour", "baker", "singer",
                         "friend", "painter", "sailor", "lawyer", "soldier", "girl", "boy", "nurse",
                         "writer", "driver", "guest", "king", "queen", "judge", "pilot", "brother",
                         "sister", "uncle", "merchant", "gardener", "actress", "enemy", "coach"),
    [DDN_ANIMAL] = WORDS("dog", "cat", "horse", "bird", "cow", "fox", "goat", "monkey", "rabbit",
                         "donkey", "tiger", "spider", "hen", "lion", "ostrich"),
    [DDN_FOOD] =
        WORDS("apple", "cake", "soup", "egg", "pie", "onion", "potato", "sandwich", "cookie",
              "orange", "tomato", "berry", "cherry", "peach", "pancake", "salad"),
    [DDN_TOOL] = WORDS("hammer", "spoon", "rope", "key", "brush", "needle", "ladder", "shovel",
                       "pencil", "fork", "axe", "telescope", "camera", "stick", "razor"),
    [DDN_PLACE] = WORDS("village", "garden", "city", "market", "kitchen", "school", "harbour",
                        "castle", "forest", "bridge", "island", "valley", "library", "station",
                        "river", "church", "temple", "farm", "square", "office"),
    [DDN_TIME] = WORDS("morning", "winter", "dinner", "holiday", "wedding", "summer", "meeting",
                       "harvest", "concert", "lesson", "night", "party", "ceremony"),
    [DDN_DOCUMENT] = WORDS("letter", "book", "story", "song", "report", "poem", "speech", "novel",
                           "article", "message", "film", "essay", "diary"),
    [DDN_PART] = WORDS("beard", "hat", "tail", "scar", "crown", "belt", "handle", "wing", "ribbon",
                       "feather", "pocket", "jewel", "horn", "eyebrow"),
    [DDN_THING] =
        WORDS("table", "door", "chair", "boat", "wall", "box", "lamp", "window", "basket", "wagon",
              "clock", "carpet", "fence", "tower", "machine", "coat", "engine", "umbrella"),
    [DDN_TOPIC] = WORDS("idea", "problem", "plan", "question", "journey", "battle", "law",
                        "mistake", "secret", "dream", "danger", "future", "theory", "election"),
};

const ddn_words ddn_first_names =
    WORDS("Anna", "Peter", "Maria", "Ivan", "Clara", "Oscar", "Emma", "Hugo", "Nora", "Felix",
          "Alma", "Viktor", "Iris", "Otto", "Rosa", "Zoë", "René", "Ümit");
const ddn_words ddn_family_names =
    WORDS("Weber", "Novak", "Moreau", "Ortega", "Kovács", "Lindqvist", "Åberg", "Papadakis",
          "Müller", "Rossi", "Şahin", "Dvořák", "Okafor", "Tanaka");
const ddn_words ddn_adjectives =
    WORDS("old", "young", "small", "tall", "happy", "red", "angry", "heavy", "clever", "green",
          "brave", "tired", "golden", "ancient", "empty", "strange", "quiet", "modest", "lazy",
          "poor", "rich", "famous", "gentle", "ugly", "elegant", "impatient", "blue", "curious");
const ddn_words ddn_manner_adverbs =
    WORDS("quickly", "slowly", "quietly", "carefully", "gladly", "loudly", "badly", "politely");
const ddn_words ddn_frequency_adverbs = WORDS("often", "always", "never", "rarely", "usually");
const ddn_words ddn_sentence_adverbs =
    WORDS("yesterday", "perhaps", "fortunately", "then", "today", "however", "apparently");

#define OF(class)    (1u << DDN_##class)
#define ANY_OBJECT   (OF(NOUN_CLASSES) - 1)
#define APPEARS      (OF(PERSON) | OF(ANIMAL) | OF(DOCUMENT))
#define HERE_AND_NOW (DDN_IN_PLACE | DDN_AT_TIME)

const ddn_verb ddn_verbs[] = {
    { "arrive", DDN_INTRANSITIVE, APPEARS, HERE_AND_NOW },
    { "talk", DDN_INTRANSITIVE, 0, DDN_ON_TOPIC },
    { "walk", DDN_INTRANSITIVE, 0, DDN_MOTION },
    { "laugh", DDN_INTRANSITIVE, 0, HERE_AND_NOW | DDN_ON_TOPIC },
    { "wait", DDN_INTRANSITIVE, 0, HERE_AND_NOW },
    { "return", DDN_INTRANSITIVE, 0, DDN_MOTION | DDN_AT_TIME },
    { "smile", DDN_INTRANSITIVE, 0, HERE_AND_NOW },
    { "work", DDN_INTRANSITIVE, 0, HERE_AND_NOW | DDN_WITH_TOOL },
    { "appear", DDN_INTRANSITIVE, APPEARS, HERE_AND_NOW },
    { "worry", DDN_INTRANSITIVE, 0, DDN_ON_TOPIC },
    { "dance", DDN_INTRANSITIVE, 0, HERE_AND_NOW },
    { "hurry", DDN_INTRANSITIVE, 0, DDN_MOTION },
    { "vanish", DDN_INTRANSITIVE, APPEARS, HERE_AND_NOW },
    { "complain", DDN_INTRANSITIVE, 0, DDN_ON_TOPIC },
    { "sail", DDN_INTRANSITIVE, 0, DDN_MOTION },
    { "argue", DDN_INTRANSITIVE, 0, DDN_ON_TOPIC | DDN_AT_TIME },
    { "escape", DDN_INTRANSITIVE, 0, DDN_MOTION },

    { "watch", DDN_TRANSITIVE, OF(PERSON) | OF(ANIMAL), DDN_WITH_TOOL | HERE_AND_NOW },
    { "admire", DDN_TRANSITIVE, ANY_OBJECT, HERE_AND_NOW },
    { "help", DDN_TRANSITIVE, OF(PERSON), HERE_AND_NOW },
    { "cook", DDN_TRANSITIVE, OF(FOOD), HERE_AND_NOW },
    { "repair", DDN_TRANSITIVE, OF(THING) | OF(TOOL), DDN_WITH_TOOL | DDN_IN_PLACE },
    { "open", DDN_TRANSITIVE, OF(THING) | OF(DOCUMENT), DDN_WITH_TOOL | DDN_AT_TIME },
    { "visit", DDN_TRANSITIVE, OF(PERSON) | OF(PLACE), DDN_AT_TIME },
    { "follow", DDN_TRANSITIVE, OF(PERSON) | OF(ANIMAL), DDN_MOTION },
    { "paint", DDN_TRANSITIVE, OF(THING) | OF(ANIMAL) | OF(PLACE), DDN_WITH_TOOL },
    { "study", DDN_TRANSITIVE, OF(DOCUMENT) | OF(TOPIC), HERE_AND_NOW },
    { "remember", DDN_TRANSITIVE, ANY_OBJECT, 0 },
    { "bake", DDN_TRANSITIVE, OF(FOOD), HERE_AND_NOW },
    { "carry", DDN_TRANSITIVE, OF(THING) | OF(FOOD), DDN_MOTION },
    { "call", DDN_TRANSITIVE, OF(PERSON), DDN_AT_TIME },
    { "discuss", DDN_TRANSITIVE, OF(TOPIC) | OF(DOCUMENT), HERE_AND_NOW },
    { "taste", DDN_TRANSITIVE, OF(FOOD), DDN_WITH_TOOL },
    { "thank", DDN_TRANSITIVE, OF(PERSON), DDN_AT_TIME },
    { "copy", DDN_TRANSITIVE, OF(DOCUMENT), DDN_WITH_TOOL },
    { "fix", DDN_TRANSITIVE, OF(THING) | OF(TOOL), DDN_WITH_TOOL },
    { "chase", DDN_TRANSITIVE, OF(ANIMAL) | OF(PERSON), DDN_MOTION },
    { "polish", DDN_TRANSITIVE, OF(THING) | OF(TOOL) | OF(PART), DDN_WITH_TOOL },
    { "translate", DDN_TRANSITIVE, OF(DOCUMENT), DDN_AT_TIME },
    { "slice", DDN_TRANSITIVE, OF(FOOD), DDN_WITH_TOOL },

    { "show", DDN_DITRANSITIVE, OF(THING) | OF(DOCUMENT) | OF(PLACE), HERE_AND_NOW },
    { "offer", DDN_DITRANSITIVE, OF(FOOD) | OF(THING), HERE_AND_NOW },
    { "hand", DDN_DITRANSITIVE, OF(TOOL) | OF(FOOD) | OF(DOCUMENT), DDN_IN_PLACE },
    { "mail", DDN_DITRANSITIVE, OF(DOCUMENT) | OF(FOOD), DDN_AT_TIME },
    { "promise", DDN_DITRANSITIVE, OF(ANIMAL) | OF(THING), DDN_AT_TIME },

    { "believe", DDN_SAYS, 0, 0 },
    { "claim", DDN_SAYS, 0, 0 },
    { "hope", DDN_SAYS, 0, 0 },
    { "notice", DDN_SAYS, 0, 0 },
    { "explain", DDN_SAYS, 0, 0 },
    { "suspect", DDN_SAYS, 0, 0 },
    { "deny", DDN_SAYS, 0, 0 },

    { "want", DDN_WANTS, 0, 0 },
    { "try", DDN_WANTS, 0, 0 },
    { "decide", DDN_WANTS, 0, 0 },
    { "refuse", DDN_WANTS, 0, 0 },
    { "need", DDN_WANTS, 0, 0 },
    { "agree", DDN_WANTS, 0, 0 },
};
const int ddn_verb_count = sizeof ddn_verbs / sizeof *ddn_verbs;

static bool ends(const char *word, const char *end)
{
    size_t n = strlen(word), m = strlen(end);
    return n >= m && strcmp(word + n - m, end) == 0;
}

static bool consonant_y(const char *word)
{
    size_t n = strlen(word);
    return n > 1 && word[n - 1] == 'y' && !strchr("aeiou", word[n - 2]);
}

void ddn_inflect(const char *word, ddn_ending ending, char *out, size_t size)
{
    int keep = (int)strlen(word);
    const char *end = ending == DDN_S ? "s" : ending == DDN_ED ? "ed" : "ing";
    if (ending != DDN_ING && consonant_y(word)) {
        keep--;
        end = ending == DDN_S ? "ies" : "ied";
    } else if (ending == DDN_S && (ends(word, "s") || ends(word, "x") || ends(word, "ch") ||
                                   ends(word, "sh") || ends(word, "o"))) {
        end = "es";
    } else if (ending == DDN_ED && ends(word, "e")) {
        end = "d";
    } else if (ending == DDN_ING && ends(word, "e") && !ends(word, "ee")) {
        keep--;
    }
    snprintf(out, size, "%.*s%s", keep, word, end);
}
