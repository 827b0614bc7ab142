/* SPDX-License-Identifier: MIT */
/* outputs.h - names of outputs that follow from those of the inputs. */
#ifndef DDN_CLI_OUTPUTS_H
#define DDN_CLI_OUTPUTS_H

#include "cli/options.h"

/* Whether a name has {} in it. */
bool ddn_is_pattern(const char *name);

/* A name for each input, in an array for ddn_outputs_free: the pattern with the name of the input
 * in place of {}, without its folder and its endings (.txt, .conllu.gz).  Two inputs with one
 * output are an error. */
int ddn_outputs_make(const char *pattern, const ddn_operands *inputs, char ***out,
                     dodona_error *err);
void ddn_outputs_free(char **names, int count);

#endif
