/* SPDX-License-Identifier: MIT */
/* lists.c - the tables of systems, oracles, searches, templates and learners, by number. */
#include "chart/decode.h"
#include "model/builtin.h"
#include "oracle/oracle.h"
#include "search/search.h"
#include "system/system.h"

#include <string.h>

static const ddn_system *system_at(int i)
{
    for (int k = 0; ddn_systems[k]; k++)
        if (k == i)
            return ddn_systems[k];
    return NULL;
}

/* An algorithm may have an instance for each of several systems; it is listed once. */
static bool listed_before(int k)
{
    for (int i = 0; i < k; i++)
        if (strcmp(ddn_oracles[i]->name, ddn_oracles[k]->name) == 0)
            return true;
    return false;
}

static const ddn_oracle *oracle_at(int i)
{
    for (int k = 0; i >= 0 && ddn_oracles[k]; k++)
        if (!listed_before(k) && i-- == 0)
            return ddn_oracles[k];
    return NULL;
}

static const ddn_search *search_at(int i)
{
    for (int k = 0; ddn_searches[k]; k++)
        if (k == i)
            return ddn_searches[k];
    return NULL;
}

static const ddn_scorer *learner_at(int i)
{
    for (int k = 0; ddn_scorers[k]; k++)
        if (k == i)
            return ddn_scorers[k];
    return NULL;
}

const char *dodona_system_name(int i)
{
    return system_at(i) ? system_at(i)->name : NULL;
}

const char *dodona_system_about(int i)
{
    return system_at(i) ? system_at(i)->cite : NULL;
}

const char *dodona_algorithm_name(int i)
{
    return oracle_at(i) ? oracle_at(i)->name : NULL;
}

const char *dodona_algorithm_about(int i)
{
    return oracle_at(i) ? oracle_at(i)->summary : NULL;
}

int dodona_algorithm_serves(int i, int k)
{
    const ddn_oracle *named = oracle_at(i);
    const ddn_system *system = system_at(k);
    for (int o = 0; named && system && ddn_oracles[o]; o++)
        if (strcmp(ddn_oracles[o]->name, named->name) == 0 && ddn_oracles[o]->serves(system))
            return 1;
    return 0;
}

const char *dodona_search_name(int i)
{
    return search_at(i) ? search_at(i)->name : NULL;
}

const char *dodona_search_about(int i)
{
    return search_at(i) ? search_at(i)->summary : NULL;
}

const char *dodona_templates_name(int i)
{
    for (int k = 0; ddn_builtin_templates[k].name; k++)
        if (k == i)
            return ddn_builtin_templates[k].name;
    return NULL;
}

const char *dodona_decoder_name(int i)
{
    for (int k = 0; ddn_decoders[k]; k++)
        if (k == i)
            return ddn_decoders[k]->name;
    return NULL;
}

const char *dodona_learner_name(int i)
{
    return learner_at(i) ? learner_at(i)->name : NULL;
}

const char *dodona_learner_about(int i)
{
    return learner_at(i) ? learner_at(i)->summary : NULL;
}
