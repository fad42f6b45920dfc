// SPDX-License-Identifier: GPL-2.0
/*
 * Passes to the simulated cores which instructions the guest executes, and which memory it
 * accesses.
 */
#include "feed.h"

#include <stdlib.h>

#include "clock.h"
#include "decode/decode.h"
#include "machine/level.h"
#include "machine/options.h"
#include "machine/qemu_api.h"
#include "machine/regs.h"
#include "machine/topology.h"

/*
 * physical address that the simulated core gets for accesses to devices and to unmapped addresses
 */
#define NOWHERE (~0ull >> 8)
#define PREFETCHED 1

static void begins(unsigned int vcpu, void *insn)
{
	struct vpmu_cpu *cpu = vpmu_cpu(vcpu);
	uint64_t *on = &cpu->score->model_on;

	vcore_begin(cpu->core, insn);
	cpu->score->paced = 1;
	if (++cpu->fed == VPMU_CLOCK_STEP) {
		cpu->fed = 0;
		vpmu_clock_fed(cpu);
	}
	if (*on != VPMU_LINGERS) {
		cpu->lingering = 0;
	} else if (++cpu->lingering > VPMU_PAUSE) {
		vpmu_clock_halt(cpu);
		__atomic_and_fetch(on, ~VPMU_LINGERS, __ATOMIC_SEQ_CST);
	}
}

static void accesses(unsigned int vcpu, uint32_t info, uint64_t vaddr,
		     void *data)
{
	const struct qemu_plugin_hwaddr *hwaddr;
	struct vpmu_cpu *cpu = vpmu_cpu(vcpu);
	struct vcore_access access = { .va = vaddr };

	if (!cpu->score->model_on)
		return;
	hwaddr = qemu_plugin_get_hwaddr(info, vaddr);
	access.pa = hwaddr ? qemu_plugin_hwaddr_phys_addr(hwaddr) : NOWHERE;
	access.device = !hwaddr || qemu_plugin_hwaddr_is_io(hwaddr);
	access.size = 1u << qemu_plugin_mem_size_shift(info);
	access.store = qemu_plugin_mem_is_store(info);
	vcore_access(cpu->core, &access);
	(void)data;
}

/*
 * Passes a software prefetch to the simulated core. QEMU makes no memory access for a prefetch, so
 * the address is computed here from the registers.
 */
static void prefetches(unsigned int vcpu, void *data)
{
	const struct vcore_address *address = data;
	struct vpmu_cpu *cpu = vpmu_cpu(vcpu);
	struct vcore_access access = { .size = PREFETCHED };

	if (!cpu->score->model_on)
		return;
	access.va = address->offset;
	if (address->base)
		access.va += vpmu_reg_read(address->base - VCORE_REG_GP);
	if (address->index)
		access.va += address->scale *
			     vpmu_reg_read(address->index - VCORE_REG_GP);
	if (qemu_plugin_translate_vaddr(access.va, &access.pa))
		vcore_access(cpu->core, &access);
}

static void feed_prefetch(struct qemu_plugin_insn *qinsn,
			  const struct vcore_insn *insn, const uint8_t *bytes)
{
	struct vcore_address *address = malloc(sizeof(*address));

	if (!address)
		abort();
	if (!vcore_prefetch_address(address, bytes, insn->size, insn->pc)) {
		free(address);
		return;
	}
	qemu_plugin_register_vcpu_insn_exec_cb(qinsn, prefetches,
					       QEMU_PLUGIN_CB_R_REGS, address);
}

/*
 * Tells the simulated core if a multiplication or division needs a microcode assist. Called before
 * the instruction executes, because the instruction overwrites one of its operands.
 */
static void multiplies(unsigned int vcpu, void *data)
{
	const struct vcore_float *operation = data;
	struct vpmu_cpu *cpu = vpmu_cpu(vcpu);
	uint8_t left[16], right[16];

	if (!cpu->score->model_on)
		return;
	vpmu_reg_copy(VPMU_XMM0 + operation->left, left, sizeof(left));
	vpmu_reg_copy(VPMU_XMM0 + operation->right, right, sizeof(right));
	/*
	 * QEMU takes long to read MXCSR. If the operands need no assist with MXCSR's value after
	 * reset, they need none with any value.
	 */
	if (vcore_float_assists(operation, left, right, VCORE_MXCSR_RESET) &&
	    vcore_float_assists(operation, left, right, vpmu_reg_read(VPMU_MXCSR)))
		vcore_assist(cpu->core);
}

static void feed_float(struct qemu_plugin_insn *qinsn, const struct vcore_insn *insn,
		       const uint8_t *bytes)
{
	struct vcore_float *operation = malloc(sizeof(*operation));

	if (!operation)
		abort();
	if (!vcore_float_operands(operation, bytes, insn->size)) {
		free(operation);
		return;
	}
	qemu_plugin_register_vcpu_insn_exec_cb(qinsn, multiplies, QEMU_PLUGIN_CB_R_REGS,
					       operation);
}

/**
 * vpmu_feed_pa() - physical address of an instruction that will be fed to the simulated core
 * @va: virtual address of the instruction
 *
 * Context: QEMU translates the instruction, on the vCPU that will execute it.
 * Return: the address; if @va is not mapped, an address that no instruction has.
 */
uint64_t vpmu_feed_pa(uint64_t va)
{
	uint64_t pa;

	return qemu_plugin_translate_vaddr(va, &pa) ? pa : NOWHERE;
}

/**
 * vpmu_feed() - let a translation feed an instruction to the simulated core
 * @qinsn: instruction that is being translated
 * @insn: the instruction as uops
 * @bytes: encoding of the instruction
 * @on: &vpmu_score.model_on; callbacks feed the simulated core while this bitmap is not 0
 */
void vpmu_feed(struct qemu_plugin_insn *qinsn, struct vcore_insn *insn,
	       const uint8_t *bytes, struct qemu_plugin_u64 on)
{
	enum qemu_plugin_cb_flags flags = QEMU_PLUGIN_CB_NO_REGS;

	qemu_plugin_register_vcpu_insn_exec_cond_cb(qinsn, begins, flags,
						    QEMU_PLUGIN_COND_NE, on, 0,
						    insn);
	if (insn->prefetch)
		feed_prefetch(qinsn, insn, bytes);
	if (insn->vector_elements && vpmu_options.denormals)
		feed_float(qinsn, insn, bytes);
	qemu_plugin_register_vcpu_mem_cb(qinsn, accesses, flags,
					 QEMU_PLUGIN_MEM_RW, NULL);
}
