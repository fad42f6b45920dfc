/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VPMU_IIO_H
#define VPMU_IIO_H

#include "machine/cpu.h"

void vpmu_iio_init(void);
bool vpmu_iio_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value);
bool vpmu_iio_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);
void vpmu_iio_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t detail,
		     uint32_t count);

#endif /* VPMU_IIO_H */
