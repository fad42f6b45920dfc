/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A vCPU: its registers, its virtual core, and the events of both.
 *
 * Arrays with an index called "priv" have the kernel's counts at 0 and user space's at 1:
 * bit 63 of the code address decides, not CPL.
 */
#ifndef VPMU_CPU_H
#define VPMU_CPU_H

#include <stdbool.h>
#include <stdint.h>

#include "entry/entry.h"
#include "part.h"
#include "regs.h"

#define VPMU_MAX_GP 16
#define VPMU_MAX_FIXED 4
#define VPMU_MAX_METRICS 8
#define VPMU_MAX_LBR 32
#define VPMU_PRIVS VCORE_PRIVS

/*
 * Quantities that QEMU's generated code counts exactly, from vpmu_exact_wanted() on.
 * Branches are in the order of &enum vcore_branch.
 */
enum vpmu_exact {
	VPMU_INSTRUCTIONS,
	VPMU_BR_CONDITIONAL,
	VPMU_BR_CALL,
	VPMU_BR_RETURN,
	VPMU_BR_OTHER,
	VPMU_BR_FAR,
	VPMU_LOADS,
	VPMU_STORES,
	VPMU_ATOMICS,
	VPMU_EXACT
};

/* bit of IA32_PERFEVTSEL: an overflow of the counter interrupts */
#define VPMU_SEL_INT VPMU_BIT(20)

/* IA32_PERF_GLOBAL_STATUS.CTR_FRZ, from version 4 on: all counters are frozen */
#define VPMU_STATUS_FROZEN VPMU_BIT(59)
/* IA32_PERF_GLOBAL_STATUS.LBR_FRZ: branches are not recorded */
#define VPMU_STATUS_LBR_FROZEN VPMU_BIT(58)

/* Under some hypervisors registers ignore writes, or RDPMC faults; VPMU_DEAF_* simulate that. */
#define VPMU_DEAF_COUNTERS 1
#define VPMU_DEAF_PREFETCH 2
#define VPMU_DEAF_RDPMC 4
/* counters ignore writes, but event selects and control registers do not */
#define VPMU_DEAF_VALUES 8

/**
 * struct vpmu_score - a vCPU's slot of QEMU's scoreboard, which translations update by themselves
 * @exact: exact quantities, [&enum vpmu_exact][priv]
 * @model_on: set of VPMU_FOR_*, users of the core model on this vCPU
 * @last_pc: address of the latest instruction that began execution
 * @tsc_read: 1 if the latest instruction was RDTSC, whose result must be corrected
 * @paced: 1 if the virtual core has executed an instruction since it last halted
 * @until: number of instructions until a counter that interrupts may overflow, [priv];
 *	translations count it down after vpmu_watch_wanted()
 */
struct vpmu_score {
	uint64_t exact[VPMU_EXACT][VPMU_PRIVS];
	uint64_t model_on;
	uint64_t last_pc;
	uint64_t tsc_read;
	uint64_t paced;
	uint64_t until[VPMU_PRIVS];
};

/**
 * struct vpmu_snapshot - all quantities of a vCPU at one time
 * @part: CPU model of the vCPU
 * @exact: exact quantities, [&enum vpmu_exact][priv]
 * @priv: quantities of the virtual core, [priv]
 * @interrupts: number of interrupts and exceptions, by the privilege level that they interrupted,
 *	[priv]
 * @l1_prefetch: an L1 prefetcher is enabled, as of the latest register write
 * @passed: injected events that matched the filter of an extra register,
 *	[&enum vpmu_extra]; counted in user space
 */
struct vpmu_snapshot {
	const struct vpmu_part *part;
	uint64_t exact[VPMU_EXACT][VPMU_PRIVS];
	struct vcore_counts priv[VPMU_PRIVS];
	uint64_t interrupts[VPMU_PRIVS];
	bool l1_prefetch;
	uint64_t passed[VPMU_EXTRAS];
};

/**
 * struct vpmu_counter - a counter register
 * @value: value when the counter last started or stopped
 * @since: total of the event when the counter last started; valid while @running
 * @leak_since: @leaked of the sibling's counter when this counter last started
 * @leaked: counts of this counter that leaked to the sibling's counter since power on
 * @insns_since: instructions at the counter's privilege levels when the counter last started
 * @rate: events per 256 of these instructions, when last measured
 * @running: the counter is enabled
 */
struct vpmu_counter {
	uint64_t value;
	uint64_t since;
	uint64_t leak_since;
	uint64_t leaked;
	uint64_t insns_since;
	uint64_t rate;
	bool running;
};

/**
 * struct vpmu_metrics - state of PERF_METRICS
 * @slots: slots since fixed counter 3 was 0
 * @part: slots of each field, [VPMU_MAX_METRICS]
 * @slots_since: total slots when PERF_METRICS last started; valid while @running
 * @part_since: total slots of each field when PERF_METRICS last started, [VPMU_MAX_METRICS]
 * @running: PERF_METRICS is enabled
 */
struct vpmu_metrics {
	uint64_t slots;
	uint64_t part[VPMU_MAX_METRICS];
	uint64_t slots_since;
	uint64_t part_since[VPMU_MAX_METRICS];
	bool running;
};

/**
 * struct vpmu_pmi - state of interrupts by overflows (PMI)
 * @lvt: the local APIC's LVT performance entry
 * @debugctl: IA32_DEBUGCTL
 * @trace: IA32_RTIT_CTL, the control of Intel PT, which traces nothing here
 * @x2apic: the local APIC is in x2APIC mode
 * @due: set of counters whose overflow waits for vpmu_pmi_raise(), bits as in
 *	IA32_PERF_GLOBAL_STATUS
 * @late: counts since the overflow, the maximum over the counters in @due
 * @raised: interrupts raised since power on, delivered or not
 * @ghost: an interrupt without a cause follows (erratum ghost-pmi)
 */
struct vpmu_pmi {
	uint32_t lvt;
	uint64_t debugctl;
	uint64_t trace;
	bool x2apic;
	uint64_t due;
	uint64_t late;
	uint64_t raised;
	bool ghost;
};

/**
 * struct vpmu_pebs - precise records of events (PEBS)
 * @base: IA32_PEBS_BASE
 * @index: IA32_PEBS_INDEX
 * @config: IA32_PMC_GPn_CFG_C, [vpmu_nr_gp()]
 * @fixed_config: IA32_PMC_FXn_CFG_C, [&vpmu_part.nr_fixed]
 * @armed: set of counters that have overflowed and wait for their next event, which is recorded;
 *	bits as in IA32_PERF_GLOBAL_STATUS
 * @pc: address of the latest instruction that was executed while a counter was armed
 * @next: address of the instruction that executes next
 */
struct vpmu_pebs {
	uint64_t base;
	uint64_t index;
	uint64_t config[VPMU_MAX_GP];
	uint64_t fixed_config[VPMU_MAX_FIXED];
	uint64_t armed;
	uint64_t pc;
	uint64_t next;
};

/**
 * struct vpmu_branch - a last branch record: the values of its MSRs
 * @from: address of the branch
 * @to: address of the branch's target
 * @info: misprediction bit, cycles since the branch before, and type of the branch
 */
struct vpmu_branch {
	uint64_t from;
	uint64_t to;
	uint64_t info;
};

/**
 * struct vpmu_lbr - last branch records of a vCPU, a ring of entries
 * @depth: number of entries, 0 if the CPU model has none
 * @ctl: MSR_LBR_SELECT, or IA32_LBR_CTL
 * @tos: index of the newest entry
 * @updated: cycle of the core model at the latest record
 * @branch: the entries, [@depth]
 */
struct vpmu_lbr {
	unsigned int depth;
	uint64_t ctl;
	unsigned int tos;
	uint64_t updated;
	struct vpmu_branch branch[VPMU_MAX_LBR];
};

/**
 * struct vpmu_amend - corrections of an instruction's results in QEMU, made before the next one
 * @replaced: bitmap by VPMU_R*. If the bit of a register is 1, its @value replaces the result;
 *	otherwise the bits of its @value are set in the result
 * @value: values for RAX, RCX, RDX and RBX, [VPMU_R*]
 */
struct vpmu_amend {
	unsigned int replaced;
	uint64_t value[VPMU_RBX + 1];
};

/**
 * struct vpmu_cpu - a vCPU
 * @index: vCPU number
 * @part: CPU model; the CPU models of one machine differ only in counter registers, events
 *	and CPUID
 * @score: slot of the scoreboard
 * @gp: general-purpose counters, [vpmu_nr_gp()]
 * @fixed: fixed counters, [&vpmu_part.nr_fixed]
 * @select: event selects (IA32_PERFEVTSEL), [vpmu_nr_gp()]
 * @fixed_ctrl: IA32_FIXED_CTR_CTRL
 * @global_ctrl: IA32_PERF_GLOBAL_CTRL
 * @status: IA32_PERF_GLOBAL_STATUS: overflow bits and VPMU_STATUS_FROZEN
 * @metrics: PERF_METRICS
 * @pmi: state of interrupts by overflows
 * @pebs: precise records
 * @lbr: branch records
 * @prefetch_off: MSR 0x1a4, disabled prefetchers; used only in the first thread of a core
 * @l1_prefetch: an L1 prefetcher is enabled
 * @extra: extra registers of events, [&enum vpmu_extra]
 * @passed: injected events that matched the filter of an extra register, [&enum vpmu_extra]
 * @interrupts: number of interrupts and exceptions, by the privilege level that they interrupted,
 *	[priv]
 * @illegal_writes: register writes that raise #GP on a real CPU
 * @absent: accesses to registers of boxes that do not exist
 * @deaf: set of VPMU_DEAF_*, registers that ignore writes, and RDPMC if it faults
 * @ignored: registers of counters and boxes ignore values with these bits 15:0; 0: they take all
 * @core: virtual core
 * @counting: at least one counter is enabled
 * @timing: at least one enabled counter needs the core model
 * @fed: instructions simulated since the last vpmu_clock_fed()
 * @lingering: number of instructions for which the core model has run on without a user
 * @amend: corrections of the latest special instruction's results in QEMU
 */
struct vpmu_cpu {
	unsigned int index;
	const struct vpmu_part *part;
	struct vpmu_score *score;
	struct vpmu_counter gp[VPMU_MAX_GP];
	struct vpmu_counter fixed[VPMU_MAX_FIXED];
	uint64_t select[VPMU_MAX_GP];
	uint64_t fixed_ctrl;
	uint64_t global_ctrl;
	uint64_t status;
	struct vpmu_metrics metrics;
	struct vpmu_pmi pmi;
	struct vpmu_pebs pebs;
	struct vpmu_lbr lbr;
	uint64_t prefetch_off;
	bool l1_prefetch;
	uint64_t extra[VPMU_EXTRAS];
	uint64_t passed[VPMU_EXTRAS];
	uint64_t interrupts[VPMU_PRIVS];
	uint64_t illegal_writes;
	uint64_t absent;
	uint32_t deaf;
	uint16_t ignored;
	struct vcore *core;
	bool counting;
	bool timing;
	unsigned int fed;
	unsigned int lingering;
	struct vpmu_amend amend;
};

/**
 * vpmu_cpu_ignores() - check if a vCPU ignores a value that it writes, because a test wants it to
 * @cpu: the vCPU
 * @value: value that the vCPU writes to a register
 */
static inline bool vpmu_cpu_ignores(const struct vpmu_cpu *cpu, uint64_t value)
{
	return cpu->ignored && (uint16_t)value == cpu->ignored;
}

#endif /* VPMU_CPU_H */
