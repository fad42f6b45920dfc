/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VPMU_PROFILE_H
#define VPMU_PROFILE_H

#include <stdio.h>

#include "machine/cpu.h"

void vpmu_profile_open(uint64_t base);
bool vpmu_profile_is_open(void);
void vpmu_profile_region(unsigned int number, bool begin);
void vpmu_profile_write(FILE *out);

#endif /* VPMU_PROFILE_H */
