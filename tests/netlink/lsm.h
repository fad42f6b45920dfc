/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A hook of the kernel's security modules that refuses, by a BPF program, until it is removed.
 */
#ifndef LSM_H
#define LSM_H

#include <stdbool.h>

bool lsm_refuse(const char *hook, int code);
void lsm_allow(void);

#endif /* LSM_H */
