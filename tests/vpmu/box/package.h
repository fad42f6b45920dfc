/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Uncore totals in the truth file, to which the virtual PMU writes exact counts for tests.
 */
#ifndef VPMU_PACKAGE_H
#define VPMU_PACKAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "memory/tracker.h"

#define VPMU_MAX_WINDOWS 256

void vpmu_package_window(const struct vcore_traffic *seen, bool begin);
void vpmu_package_write(FILE *out);

#endif /* VPMU_PACKAGE_H */
