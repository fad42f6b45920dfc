/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files that a recording names, read without side effects.
 */
#ifndef BPMU_REGULAR_H
#define BPMU_REGULAR_H

int bpmu_regular_open(const char *path);

#endif /* BPMU_REGULAR_H */
