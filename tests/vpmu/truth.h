/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VPMU_TRUTH_H
#define VPMU_TRUTH_H

#include <stdio.h>

void vpmu_truth_uncore_write(FILE *out);

#endif /* VPMU_TRUTH_H */
