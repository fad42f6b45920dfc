// SPDX-License-Identifier: GPL-2.0
/*
 * Interrupts of overflows, in QEMU.
 *
 * Translations count down the instructions until an overflow is possible, and call due() before the
 * instruction at which the countdown ends. If a counter has overflowed, due() leaves the
 * translation before this instruction, as QEMU does for faults of its own helpers. The registers,
 * flags included, then have their values before the instruction, and the instruction is executed
 * after the NMI. If the event is instructions or branches, the NMI comes directly after the
 * instruction that caused the overflow, without skid. For other events the NMI comes late, see
 * overflow.c. In user space it then names the instruction of the overflow: due() sets RIP to its
 * address, which the NMI pushes, and IRET gets the address at which the vCPU goes on. Before a
 * string instruction with REP, due() does not leave, because QEMU cannot restore the flags there,
 * see leaves(). The NMI comes after some iterations, and names the instruction itself or the next.
 *
 * Precise records (PEBS) are written when the interrupt is raised, outside of translations. A
 * record has the time, and QEMU's clock cannot be read in translations.
 *
 * The LVT performance entry is a device of 16 bytes in the page of the local APICs, as are the
 * entries of AMD's extended LVT together.
 */
#include "interrupt.h"

#include <stdlib.h>
#include <string.h>

#include "counter/counter.h"
#include "counter/ibs.h"
#include "counter/pebs.h"
#include "counter/pmi.h"
#include "counter/store.h"
#include "machine/level.h"
#include "machine/options.h"
#include "machine/regs.h"
#include "machine/topology.h"
#include "machine/window.h"
#include "special.h"
#include "truth/truth.h"
#include "tsc.h"

/*
 * physical address and size of the LVT performance entry: SDM Vol. 3, "Local APIC Register Address
 * Map"
 */
#define LVT 0xfee00340
#define LVT_SIZE 16
/* physical address of the first entry of AMD's extended LVT (Linux, asm/apicdef.h) */
#define EXTENDED_LVT 0xfee00500

static __thread bool interrupted;

static void nmi(void *qemu, void *data)
{
	struct vpmu_cpu *cpu = data;

	cpu_interrupt(qemu, QEMU_CPU_INTERRUPT_NMI);
	cpu->pmi.pending = true;
}

static void raise_nmi(struct vpmu_cpu *cpu)
{
	interrupted = true;
	async_run_on_cpu(qemu_get_cpu(cpu->index), nmi, cpu);
}

static void write_record(void *cpu, void *data)
{
	struct vpmu_record *record = data;
	uint64_t tsc = vpmu_tsc_of(cpu_get_tsc(NULL));
	struct glib_bytes bytes = { record->bytes, record->size };

	memcpy(record->bytes + record->tsc, &tsc, sizeof(tsc));
	qemu_plugin_write_memory_hwaddr(record->pa, &bytes);
	free(record);
	(void)cpu;
}

static void send_record(struct vpmu_cpu *cpu, const struct vpmu_record *record)
{
	struct vpmu_record *copy = malloc(sizeof(*copy));

	if (!copy)
		abort();
	*copy = *record;
	interrupted = true;
	async_run_on_cpu(qemu_get_cpu(cpu->index), write_record, copy);
}

static bool access_store(struct vpmu_cpu *cpu, uint64_t va, void *bytes, unsigned int size,
			 bool write)
{
	return !cpu_memory_rw_debug(qemu_get_cpu(cpu->index), va, bytes, size, write);
}

static void write_stored(void *cpu, void *data)
{
	struct vpmu_stored *record = data;
	uint64_t tsc = vpmu_tsc_of(cpu_get_tsc(NULL));

	memcpy(record->bytes + record->tsc, &tsc, sizeof(tsc));
	cpu_memory_rw_debug(cpu, record->va, record->bytes, record->size, true);
	free(record);
}

static void send_stored(struct vpmu_cpu *cpu, const struct vpmu_stored *record)
{
	struct vpmu_stored *copy = malloc(sizeof(*copy));

	if (!copy)
		abort();
	*copy = *record;
	interrupted = true;
	async_run_on_cpu(qemu_get_cpu(cpu->index), write_stored, copy);
}

/*
 * Checks if a vCPU can leave translated code before an instruction. QEMU keeps a record of the last
 * operation, from which it computes the flags, and restores it from a note that it made when it
 * translated the instruction. The note of a string instruction with REP only says that the record is
 * up to date. This is true within the instruction, but not before it. The NMI would push part of an
 * operand as EFLAGS; if TF was set in it, the vCPU would trap in the kernel after IRET.
 */
static bool leaves(const struct vcore_insn *insn)
{
	return !insn->rep;
}

/*
 * Returns the virtual address of the instruction whose callback is running, and records it as that
 * of the instruction that the vCPU executes next, for precise records. If the vCPU can leave before
 * the instruction, sets the registers in QEMU to their values before it; @back is the return address
 * of the callback in translated code. Otherwise changes no register, since translated code that goes
 * on computes RIP from its old value: the address at which its block starts. QEMU uses one block for
 * all virtual addresses of a physical page, so only the lowest bits of &vcore_insn.pc are right.
 * EFLAGS in a precise record may then be of an older operation.
 */
static uint64_t arrive(struct vpmu_cpu *cpu, const struct vcore_insn *insn, uintptr_t back)
{
	uint64_t pc;

	if (leaves(insn))
		cpu_restore_state(qemu_get_cpu(cpu->index), back);
	pc = vpmu_reg_read(VPMU_RIP);
	if (!leaves(insn))
		pc += (insn->pc - pc) & 0xfff;
	vpmu_pebs_at(cpu, pc);
	return pc;
}

/*
 * Lets the interrupt that has been raised name the instruction &vpmu_pmi.place, which the vCPU
 * pushes as the address of return; vpmu_interrupt_return() replaces it. Returns the address that is
 * named; @pc is that of the instruction whose callback is running, before which the vCPU leaves.
 */
static uint64_t name(struct vpmu_cpu *cpu, const struct vcore_insn *insn, uint64_t pc)
{
	/* The core may not know yet that the vCPU has entered the kernel. */
	if (!cpu->pmi.place || !insn->priv)
		return pc;
	cpu->pmi.named = cpu->pmi.place;
	cpu->pmi.resume = pc;
	return cpu->pmi.named;
}

/*
 * Before IRET: if the handler of an interrupt returns to the instruction that the interrupt has
 * named, lets it return to where the vCPU goes on.
 */
static void returns(unsigned int vcpu, void *data)
{
	struct vpmu_cpu *cpu = vpmu_cpu(vcpu);
	void *qemu = qemu_get_cpu(vcpu);
	uint64_t rsp, rip;

	(void)data;
	if (!cpu->pmi.resume)
		return;
	rsp = vpmu_reg_read(VPMU_RSP);
	if (cpu_memory_rw_debug(qemu, rsp, &rip, sizeof(rip), false) ||
	    rip != cpu->pmi.named)
		return;
	if (cpu_memory_rw_debug(qemu, rsp, &cpu->pmi.resume, sizeof(rip), true))
		abort();
	cpu->pmi.resume = 0;
}

/*
 * Callback before an instruction at which a counter may have overflowed: &vpmu_score.until is 0.
 * The function is not inlined, so that its return address is in translated code.
 */
static __attribute__((noinline)) void due(unsigned int vcpu, void *data)
{
	uintptr_t back = (uintptr_t)__builtin_return_address(0);
	const struct vcore_insn *insn = data;
	struct vpmu_cpu *cpu = vpmu_cpu(vcpu);
	uint64_t raised = cpu->pmi.raised;
	uint64_t *until = &cpu->score->until[insn->priv];
	bool armed = cpu->pebs.armed;
	uint64_t pc = 0;
	bool came;

	/*
	 * The running translated code may have fewer callbacks than are wanted now, and will be
	 * replaced by new code. The overflow is then looked for at the first instruction of the new
	 * code.
	 */
	if (vpmu_level_coming()) {
		*until = 1;
		return;
	}
	vpmu_special_lock();
	interrupted = false;
	vcore_next(cpu->core, insn->pc, insn->priv);
	if (armed)
		pc = arrive(cpu, insn, back);
	vpmu_counters_look(cpu);
	vpmu_special_unlock();
	came = interrupted || cpu->pmi.raised != raised || armed || cpu->pebs.armed;
	if (came && !armed)
		pc = arrive(cpu, insn, back);
	if (cpu->pmi.raised != raised)
		cpu->pmi.open = !leaves(insn);
	if (cpu->pmi.raised != raised && leaves(insn)) {
		uint64_t named = name(cpu, insn, pc);

		vpmu_truth_interrupted_at(cpu, named);
		if (named != pc)
			qemu_plugin_set_pc(named);
	}
	if (came && leaves(insn))
		cpu_loop_exit(qemu_get_cpu(vcpu));
	/*
	 * Translated code has already decremented the countdown for this instruction, but the
	 * countdown has since been set to a new value.
	 */
	--*until;
}

/**
 * vpmu_interrupt_came() - learn where an interrupt has come
 * @cpu: the calling vCPU, which is about to handle an interrupt
 * @pc: address at which it goes on
 *
 * If an NMI is pending, it is the first that comes.
 */
void vpmu_interrupt_came(struct vpmu_cpu *cpu, uint64_t pc)
{
	if (!cpu->pmi.pending)
		return;
	if (cpu->pmi.open)
		vpmu_truth_interrupted_at(cpu, pc);
	cpu->pmi.open = false;
	cpu->pmi.pending = false;
}

/**
 * vpmu_interrupt_return() - let an instruction return from an interrupt to where the vCPU goes on
 * @qinsn: instruction that QEMU translates; nothing is done if it is no IRETQ
 * @bytes: the instruction
 * @size: its size
 *
 * An interrupt of an event of the simulated core names an instruction that the vCPU has executed
 * already, see vpmu_overflow_names(). The handler must not return there.
 */
void vpmu_interrupt_return(struct qemu_plugin_insn *qinsn, const uint8_t *bytes, size_t size)
{
	if (size == 2 && bytes[0] == 0x48 && bytes[1] == 0xcf)
		qemu_plugin_register_vcpu_insn_exec_cb(qinsn, returns, QEMU_PLUGIN_CB_RW_REGS,
						       NULL);
}

/**
 * vpmu_interrupt_watch() - let an instruction count down to the next possible overflow interrupt
 * @qinsn: instruction that QEMU translates; callbacks that count the instruction must be added
 *	after this call
 * @insn: the same instruction, decoded; must not be freed
 * @until: &vpmu_score.until at the instruction's privilege level
 */
void vpmu_interrupt_watch(struct qemu_plugin_insn *qinsn, struct vcore_insn *insn,
			  struct qemu_plugin_u64 until)
{
	qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(qinsn, QEMU_PLUGIN_INLINE_ADD_U64,
							    until, -1ull);
	qemu_plugin_register_vcpu_insn_exec_cond_cb(qinsn, due, QEMU_PLUGIN_CB_RW_REGS_PC,
						    QEMU_PLUGIN_COND_EQ, until, 0, insn);
}

static uint64_t lvt_read(struct vpmu_cpu *cpu, uint64_t offset, unsigned int bytes)
{
	(void)bytes;
	return offset ? 0 : cpu->pmi.lvt;
}

static void lvt_write(struct vpmu_cpu *cpu, uint64_t offset, unsigned int bytes, uint64_t value)
{
	if (!offset && bytes == sizeof(cpu->pmi.lvt))
		vpmu_pmi_set_lvt(cpu, value);
}

static uint64_t extended_read(struct vpmu_cpu *cpu, uint64_t offset, unsigned int bytes)
{
	(void)bytes;
	return offset % LVT_SIZE ? 0 : cpu->ibs.lvt[offset / LVT_SIZE];
}

static void extended_write(struct vpmu_cpu *cpu, uint64_t offset, unsigned int bytes,
			   uint64_t value)
{
	if (!(offset % LVT_SIZE) && bytes == sizeof(*cpu->ibs.lvt))
		vpmu_ibs_set_lvt(cpu, offset / LVT_SIZE, value);
}

/**
 * vpmu_interrupt_init() - let overflows interrupt vCPUs in QEMU
 */
void vpmu_interrupt_init(void)
{
	static const struct vpmu_window lvt = {
		.name = "LVT performance entry", .base = LVT, .size = LVT_SIZE,
		.read = lvt_read, .write = lvt_write,
	};

	static const struct vpmu_window extended = {
		.name = "extended LVT", .base = EXTENDED_LVT, .size = VPMU_IBS_LVTS * LVT_SIZE,
		.read = extended_read, .write = extended_write,
	};

	vpmu_pmi_to(raise_nmi);
	vpmu_pebs_to(send_record);
	vpmu_store_to(access_store, send_stored);
	vpmu_window_add(&lvt);
	if (vpmu_options.part->ibs)
		vpmu_window_add(&extended);
}
