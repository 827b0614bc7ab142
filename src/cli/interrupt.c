/* SPDX-License-Identifier: MIT */
/* interrupt.c - calls that wait are interrupted, too: there is no SA_RESTART. */
#include "cli/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
    interrupted = signal;
}

static void catch (int signal)
{
    struct sigaction action = { .sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND }, old;
    sigemptyset(&action.sa_mask);
    if (sigaction(signal, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(signal, &action, NULL);
}

void ddn_interrupt_catch(void)
{
    catch (SIGINT);
    catch (SIGTERM);
}

int ddn_interrupted(void)
{
    return interrupted;
}
