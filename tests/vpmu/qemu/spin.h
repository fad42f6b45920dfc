/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VPMU_SPIN_H
#define VPMU_SPIN_H

#include <stdbool.h>
#include <stdint.h>

void vpmu_spin_sleep(unsigned int us);
void vpmu_spin_sleep_in_pause(unsigned int us);
bool vpmu_spin_is_pause(const uint8_t *bytes, unsigned int size);
void vpmu_spin_pause(void);

#endif /* VPMU_SPIN_H */
