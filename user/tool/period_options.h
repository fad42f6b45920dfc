/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Options -c and -F, which say how often events interrupt.
 */
#ifndef BPMU_PERIOD_OPTIONS_H
#define BPMU_PERIOD_OPTIONS_H

#include "source/wanted.h"

/* event that is sampled if the user names none: where time goes */
#define BPMU_ANY_EVENT "cycles"

/* how often a second it interrupts on each CPU: no multiple of the frequency of a timer */
#define BPMU_ANY_FREQUENCY "997"

int bpmu_periods_take(struct bpmu_periods *periods, char option, const char *text,
		      struct bpmu_error *err);

#endif /* BPMU_PERIOD_OPTIONS_H */
