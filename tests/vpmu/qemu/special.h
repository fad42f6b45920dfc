/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VPMU_SPECIAL_H
#define VPMU_SPECIAL_H

#include "machine/cpu.h"

/**
 * enum vpmu_executes - who executes an instruction for which vpmu_is_special() returned true
 * @VPMU_QEMU: QEMU must execute the instruction; afterwards &vpmu_cpu.amend corrects the results
 * @VPMU_RESULT: the virtual PMU has executed the instruction. QEMU may execute it as well;
 *	&vpmu_cpu.amend must then replace the results
 * @VPMU_ALONE: the virtual PMU has executed the instruction; QEMU must not execute it
 */
enum vpmu_executes {
	VPMU_QEMU,
	VPMU_RESULT,
	VPMU_ALONE
};

bool vpmu_is_special(const uint8_t *bytes, unsigned int size, uint8_t *op);
void vpmu_special_lock(void);
void vpmu_special_unlock(void);
enum vpmu_executes vpmu_special(struct vpmu_cpu *cpu, uint8_t op);
void vpmu_special_amend(struct vpmu_cpu *cpu);

#endif /* VPMU_SPECIAL_H */
