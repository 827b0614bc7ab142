/* SPDX-License-Identifier: MIT */
/* embedded.c - the model lies between two symbols of embedded.S. */
#include "cli/embedded.h"

#include <stdlib.h>
#include <string.h>

extern const unsigned char ddn_embedded_model[], ddn_embedded_model_end[];

int ddn_model_open(const char *name, dodona_model **out, dodona_error *err)
{
    int status = DODONA_E_IO;
    if (name)
        status = dodona_model_open_from(getenv("DODONA_MODELS"), name, out, err);
    if (status != DODONA_E_IO || (name && strcmp(name, "english") != 0))
        return status;
    return dodona_model_open_memory(ddn_embedded_model,
                                    (size_t)(ddn_embedded_model_end - ddn_embedded_model),
                                    "<english>", out, err);
}
