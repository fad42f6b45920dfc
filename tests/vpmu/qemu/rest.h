/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VPMU_REST_H
#define VPMU_REST_H

#include <stdbool.h>
#include <stdint.h>

void vpmu_rest(unsigned int us);
void vpmu_rest_in_pause(unsigned int us);
bool vpmu_is_pause(const uint8_t *bytes, unsigned int size);
void vpmu_pause(void);

#endif /* VPMU_REST_H */
