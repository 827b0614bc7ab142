/* SPDX-License-Identifier: MIT */
/* embedded.c - the model lies between two symbols of embedded.S. */
#include "cli/embedded.h"

extern const unsigned char ddn_embedded_model[], ddn_embedded_model_end[];

int ddn_model_open(const char *path, dodona_model **out, dodona_error *err)
{
    if (path)
        return dodona_model_open(path, out, err);
    return dodona_model_open_memory(ddn_embedded_model,
                                    (size_t)(ddn_embedded_model_end - ddn_embedded_model),
                                    "<english>", out, err);
}
