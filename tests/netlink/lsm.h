/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A security module for tests: a BPF program on a hook of the kernel's security modules (LSM). The
 * program refuses each request until it is removed.
 */
#ifndef LSM_H
#define LSM_H

#include <stdbool.h>

bool lsm_refuse(const char *hook, int code);
void lsm_allow(void);

#endif /* LSM_H */
