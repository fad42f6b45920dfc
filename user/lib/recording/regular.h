/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Opens regular files whose paths a recording contains, and refuses files whose reading could have
 * side effects.
 */
#ifndef BPMU_REGULAR_H
#define BPMU_REGULAR_H

int bpmu_regular_open(const char *path);

#endif /* BPMU_REGULAR_H */
