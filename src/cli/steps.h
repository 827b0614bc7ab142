/* SPDX-License-Identifier: MIT */
/* steps.h - the option --steps: tokenize, tag and parse, or some of them. */
#ifndef DDN_CLI_STEPS_H
#define DDN_CLI_STEPS_H

/* For completion: step i, from 0; NULL: there is none. */
const char *ddn_step_name(int i);
/* Reads words with commas between them into *steps (DODONA_STEP_*); text NULL: leaves it.
 * -1: all is well; else the exit code. */
int ddn_steps_read(const char *command, const char *text, int *steps);

#endif
