/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Colours of text output: chooses whether there are colours, and defines the terminal's escape
 * sequences for them.
 */
#ifndef BPMU_COLOUR_H
#define BPMU_COLOUR_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

/* terminal escape sequences that begin and end the colour of a value above its threshold */
#define BPMU_COLOUR_FLAGGED "\033[1;31m"
#define BPMU_COLOUR_END "\033[0m"

int bpmu_colour_choose(const char *when, struct bpmu_error *err);
bool bpmu_colour(FILE *out);

#endif /* BPMU_COLOUR_H */
