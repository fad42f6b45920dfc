/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Opens files whose paths a recording contains, but only if to read them has no side effects.
 */
#ifndef BPMU_REGULAR_H
#define BPMU_REGULAR_H

int bpmu_regular_open(const char *path);

#endif /* BPMU_REGULAR_H */
