/* SPDX-License-Identifier: MIT */
/* interrupt.h - SIGINT and SIGTERM ask a command to stop where nothing is half done. */
#ifndef DDN_CLI_INTERRUPT_H
#define DDN_CLI_INTERRUPT_H

/* From now on.  A second signal of the same kind ends the process; one that the caller ignores
 * (nohup, a job in the background) stays ignored. */
void ddn_interrupt_catch(void);
/* The signal that came; 0: none. */
int ddn_interrupted(void);

#endif
