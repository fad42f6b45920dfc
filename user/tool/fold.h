/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Folds the lines of the tool's output to the width of the terminal.
 */
#ifndef BPMU_FOLD_H
#define BPMU_FOLD_H

#include <stdbool.h>
#include <stdio.h>

void bpmu_fold_begin(void);
void bpmu_fold_stop(void);
int bpmu_fold_end(void);
FILE *bpmu_fold_stderr(void);
bool bpmu_fold_is(const FILE *out);
unsigned int bpmu_fold_width(const FILE *out);
char *bpmu_fold_line(const char *line, size_t len, unsigned int width);

#endif /* BPMU_FOLD_H */
