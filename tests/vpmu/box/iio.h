/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VPMU_IIO_H
#define VPMU_IIO_H

#include "machine/cpu.h"

extern const struct vpmu_iio_part vpmu_skx_iio;
extern const struct vpmu_iio_part vpmu_icx_iio;

void vpmu_iio_init(void);
bool vpmu_iio_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value);
bool vpmu_iio_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);
bool vpmu_iio_counts(const struct vpmu_iio_part *part, uint32_t what, uint32_t detail,
		     unsigned int i, uint64_t select);
void vpmu_iio_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t detail,
		     uint32_t count);
void vpmu_irp_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t detail,
		     uint32_t count);

#endif /* VPMU_IIO_H */
