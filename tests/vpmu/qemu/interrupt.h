/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VPMU_INTERRUPT_H
#define VPMU_INTERRUPT_H

#include "machine/cpu.h"
#include "machine/qemu_api.h"

void vpmu_interrupt_init(void);
void vpmu_interrupt_came(struct vpmu_cpu *cpu, uint64_t pc);
void vpmu_interrupt_return(struct qemu_plugin_insn *qinsn, const uint8_t *bytes, size_t size);
void vpmu_interrupt_watch(struct qemu_plugin_insn *qinsn, struct vcore_insn *insn,
			  struct qemu_plugin_u64 until);

#endif /* VPMU_INTERRUPT_H */
