/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Texts of others: names of processes and files, what a recording or a table
 * says. Control characters in them would be commands to a terminal.
 */
#ifndef BPMU_PLAIN_H
#define BPMU_PLAIN_H

#include <stdbool.h>

bool bpmu_plain_is(const char *text, const char *but);
char *bpmu_plain(char *text, const char *but);

#endif /* BPMU_PLAIN_H */
