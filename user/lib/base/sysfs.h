/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files of sysfs that have one value.
 */
#ifndef BPMU_SYSFS_H
#define BPMU_SYSFS_H

#include <stdbool.h>
#include <stddef.h>

bool bpmu_sysfs_read(const char *path, char *text, size_t size);

#endif /* BPMU_SYSFS_H */
