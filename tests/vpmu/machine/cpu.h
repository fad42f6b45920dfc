/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A vCPU: the registers of its PMU, its simulated core, and the totals of instructions, cycles and
 * so on from which counts are computed.
 *
 * Arrays with an index called "priv" have the kernel's counts at 0 and user space's at 1: code is
 * the kernel's if bit 63 of the code's address is 1, whatever CPL is.
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
 * Quantities of a vCPU that QEMU's generated code counts exactly, without a simulated core.
 * Counting begins when vpmu_exact_wanted() is called. Types of branches are in the order of &enum
 * vcore_branch.
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

/* INT bit of IA32_PERFEVTSEL: an overflow of the counter raises an interrupt */
#define VPMU_SEL_INT VPMU_BIT(20)

/*
 * bits of IA32_PERFEVTSEL, and of IA32_FIXED_CTR_CTRL for fixed counter 0, by which the precise
 * records of the counter have the groups in MSR_PEBS_DATA_CFG
 */
#define VPMU_SEL_ADAPTIVE VPMU_BIT(34)
#define VPMU_FIXED_ADAPTIVE VPMU_BIT(32)

/* CTR_FRZ bit of IA32_PERF_GLOBAL_STATUS, from PMU version 4 on: all counters are stopped */
#define VPMU_STATUS_FROZEN VPMU_BIT(59)
/* LBR_FRZ bit of IA32_PERF_GLOBAL_STATUS: the CPU records no branches */
#define VPMU_STATUS_LBR_FROZEN VPMU_BIT(58)

/*
 * Faults of a vCPU that a test asks for, and that some hypervisors have. Each bit is one fault:
 * writes to counters and event selects have no effect; writes to the prefetcher MSR have no effect;
 * RDPMC raises #GP.
 */
#define VPMU_DEAF_COUNTERS 1
#define VPMU_DEAF_PREFETCH 2
#define VPMU_DEAF_RDPMC 4
/* Writes to counters have no effect, but writes to event selects and control registers do. */
#define VPMU_DEAF_VALUES 8

/**
 * struct vpmu_score - variables of a vCPU that translated code updates (in QEMU's scoreboard)
 * @exact: quantities that QEMU counts exactly, [&enum vpmu_exact][0 kernel, 1 user space]
 * @model_on: bitmap of VPMU_FOR_*: for what the core of this vCPU must be simulated
 * @last_pc: address of the latest instruction that began execution
 * @block_pc: address of the latest block of translated code that began execution
 * @tsc_read: 1 if the latest instruction was RDTSC, whose result must be corrected
 * @paced: 1 if the simulated core has executed an instruction since it last halted
 * @until: number of instructions until a counter that interrupts may overflow, [0 kernel, 1 user
 *	space]. After vpmu_watch_wanted() translated code counts @until down
 */
struct vpmu_score {
	uint64_t exact[VPMU_EXACT][VPMU_PRIVS];
	uint64_t model_on;
	uint64_t last_pc;
	uint64_t block_pc;
	uint64_t tsc_read;
	uint64_t paced;
	uint64_t until[VPMU_PRIVS];
};

/**
 * struct vpmu_snapshot - all quantities of a vCPU at one time. Arrays by privilege level have the
 * kernel at 0 and user space at 1
 * @part: CPU model of the vCPU
 * @exact: quantities that QEMU counts exactly, [&enum vpmu_exact][privilege level]
 * @priv: quantities that the simulated core counts, [privilege level]
 * @interrupts: number of interrupts and exceptions, [privilege level that was interrupted]
 * @l1_prefetch: an L1 prefetcher is enabled
 * @passed: injected events that matched the filter of an extra register, [&enum vpmu_extra]; they
 *	count as events in user space
 * @msr_reads: number of RDMSR of registers of the PMU and of boxes
 * @msr_writes: number of WRMSR of these registers
 */
struct vpmu_snapshot {
	const struct vpmu_part *part;
	uint64_t exact[VPMU_EXACT][VPMU_PRIVS];
	struct vcore_counts priv[VPMU_PRIVS];
	uint64_t interrupts[VPMU_PRIVS];
	bool l1_prefetch;
	uint64_t passed[VPMU_EXTRAS];
	uint64_t msr_reads;
	uint64_t msr_writes;
};

/**
 * struct vpmu_counter - a counter register, and what is needed to compute its value
 * @value: value when the counter last started or stopped
 * @since: total of the counter's event when the counter last started; valid while @running
 * @leak_since: @leaked of the sibling thread's counter when this counter last started
 * @leaked: counts that an erratum has leaked from this counter to the sibling thread's counter
 *	since power on
 * @insns_since: total instructions, at the privilege levels that the counter counts, when the
 *	counter last started
 * @rate: events per 256 instructions at these privilege levels, when last measured
 * @glanced: the counter's value when it was last checked for overflow, at cycle @glanced_at of the
 *	simulated core; a value above the current one means nothing
 * @glanced_at: see @glanced
 * @running: the counter is enabled
 * @lost: by the erratum overflow-loss, the counter has gone back before its next overflow
 */
struct vpmu_counter {
	uint64_t value;
	uint64_t since;
	uint64_t leak_since;
	uint64_t leaked;
	uint64_t insns_since;
	uint64_t rate;
	uint64_t glanced;
	uint64_t glanced_at;
	bool running;
	bool lost;
};

/**
 * struct vpmu_metrics - state of the register PERF_METRICS
 * @slots: number of slots, since fixed counter 3 was 0; the fields of PERF_METRICS are fractions of
 *	this number
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
 * struct vpmu_pmi - state of the interrupts that overflowing counters raise (PMIs) on a vCPU
 * @lvt: the local APIC's LVT performance entry
 * @debugctl: IA32_DEBUGCTL
 * @trace: IA32_RTIT_CTL, the control register of Intel PT; the virtual PMU only stores it
 * @x2apic: the local APIC is in x2APIC mode
 * @due: bitmap of counters that have overflowed and for which vpmu_pmi_raise() must still raise
 *	the interrupt, bits as in IA32_PERF_GLOBAL_STATUS
 * @late: events counted after the overflow, the maximum over the counters in @due
 * @place: address of the oldest instruction in user space that had not retired when a counter of an
 *	event of the simulated core overflowed: the interrupt names it; 0 for the instruction that the
 *	vCPU executes next
 * @named: the address that the latest such interrupt has named
 * @resume: while this interrupt is handled, the address at which the vCPU goes on; else 0
 * @open: the latest interrupt came up at a string instruction with REP, and where it is delivered is
 *	not known yet
 * @pending: QEMU has been told of an NMI, and has not delivered it
 * @raised: number of interrupts raised since power on, whether delivered or not
 * @ghost: the erratum ghost-pmi will raise an interrupt that no overflow causes
 * @coming: the erratum late-pmi holds back an interrupt that has been raised
 * @comes_at: while @coming, total instructions at a privilege level at which the interrupt comes,
 *	[VPMU_PRIVS]
 */
struct vpmu_pmi {
	uint32_t lvt;
	uint64_t debugctl;
	uint64_t trace;
	bool x2apic;
	uint64_t due;
	uint64_t late;
	uint64_t place;
	uint64_t named;
	uint64_t resume;
	bool open;
	bool pending;
	uint64_t raised;
	bool ghost;
	bool coming;
	uint64_t comes_at[VPMU_PRIVS];
};

/**
 * struct vpmu_pebs - registers and state of a vCPU's precise records of events (PEBS)
 * @base: IA32_PEBS_BASE
 * @index: IA32_PEBS_INDEX
 * @config: IA32_PMC_GPn_CFG_C, [vpmu_nr_gp()]
 * @fixed_config: IA32_PMC_FXn_CFG_C, [&vpmu_part.nr_fixed]
 * @armed: bitmap of counters that have overflowed and whose next event will be recorded; bits as
 *	in IA32_PERF_GLOBAL_STATUS
 * @merged: bitmap of the armed counters whose event is in the record of another counter
 * @waiting: bitmap of the counters that have yet to be armed: a CPU would have written their records
 *	before the guest turned them off
 * @pc: address of the latest instruction that was executed while a counter was armed
 * @next: address of the instruction that the vCPU executes next
 * @place: the latest counter in @armed counts cycles or slots: address of the instruction that its
 *	record names; else 0
 * @nr: number of precise records so far
 */
struct vpmu_pebs {
	uint64_t base;
	uint64_t index;
	uint64_t config[VPMU_MAX_GP];
	uint64_t fixed_config[VPMU_MAX_FIXED];
	uint64_t armed;
	uint64_t merged;
	uint64_t waiting;
	uint64_t pc;
	uint64_t next;
	uint64_t place;
	unsigned int nr;
};

/**
 * struct vpmu_store - registers of a vCPU's debug store (DS)
 * @area: IA32_DS_AREA
 * @enable: IA32_PEBS_ENABLE
 * @config: MSR_PEBS_DATA_CFG
 * @latency: MSR_PEBS_LD_LAT_THRESHOLD
 */
struct vpmu_store {
	uint64_t area;
	uint64_t enable;
	uint64_t config;
	uint64_t latency;
};

/* MSR of the first register of IBS, and number of the registers */
#define VPMU_IBS_FIRST 0xc0011030
#define VPMU_IBS_REGS 16
/* number of entries of the extended LVT */
#define VPMU_IBS_LVTS 4

/**
 * struct vpmu_ibs - registers of a vCPU's instruction-based sampling (IBS)
 * @reg: values of the registers, by their MSR minus VPMU_IBS_FIRST
 * @lvt: entries of the local APIC's extended LVT, one of which IBS uses
 * @random: state of the random number generator
 * @fetch_random: state of that for fetches
 * @nr: number of sampled ops
 */
struct vpmu_ibs {
	uint64_t reg[VPMU_IBS_REGS];
	uint32_t lvt[VPMU_IBS_LVTS];
	uint32_t random;
	uint32_t fetch_random;
	unsigned int nr;
};

/**
 * struct vpmu_branch - a last branch record (LBR): the values of its three MSRs
 * @from: address of the branch
 * @to: address of the branch's target
 * @info: misprediction bit, cycles since the previous recorded branch, and type of the branch
 */
struct vpmu_branch {
	uint64_t from;
	uint64_t to;
	uint64_t info;
};

/**
 * struct vpmu_lbr - last branch records (LBR) of a vCPU, a ring buffer
 * @depth: number of records, 0 if the CPU model has none
 * @ctl: MSR_LBR_SELECT or, with architectural LBR, IA32_LBR_CTL
 * @tos: index of the newest record in @branch
 * @updated: cycle of the simulated core in which the newest record was made
 * @branch: the records, [@depth]
 */
struct vpmu_lbr {
	unsigned int depth;
	uint64_t ctl;
	unsigned int tos;
	uint64_t updated;
	struct vpmu_branch branch[VPMU_MAX_LBR];
};

/**
 * struct vpmu_amend - corrections of the registers that an instruction has set in QEMU; they are
 * made before the next instruction
 * @replaced: bitmap of registers, by VPMU_R*. The @value of a register in the bitmap replaces the
 *	register; the @value of another register is ORed into the register
 * @value: values for RAX, RCX, RDX and RBX, [VPMU_R*]
 */
struct vpmu_amend {
	unsigned int replaced;
	uint64_t value[VPMU_RBX + 1];
};

/**
 * struct vpmu_cpu - a vCPU: its PMU registers and its simulated core
 * @index: vCPU number
 * @part: CPU model; the CPU models of one machine differ only in counter registers, events and
 *	CPUID
 * @score: variables of the vCPU that translated code updates, in QEMU's scoreboard
 * @gp: general-purpose counters, [vpmu_nr_gp()]
 * @fixed: fixed counters, [&vpmu_part.nr_fixed]
 * @select: event selects (IA32_PERFEVTSEL), [vpmu_nr_gp()]
 * @fixed_ctrl: IA32_FIXED_CTR_CTRL
 * @global_ctrl: IA32_PERF_GLOBAL_CTRL
 * @status: IA32_PERF_GLOBAL_STATUS: overflow bits, VPMU_STATUS_FROZEN, VPMU_STATUS_LBR_FROZEN
 * @metrics: PERF_METRICS
 * @pmi: state of interrupts by overflows
 * @pebs: precise records
 * @store: debug store, on CPU models whose precise records go there
 * @ibs: instruction-based sampling
 * @lbr: branch records
 * @prefetch_off: MSR 0x1a4, bitmap of disabled prefetchers; used only in the first thread of a core
 * @l1_prefetch: an L1 prefetcher is enabled
 * @extra: extra registers of events, [&enum vpmu_extra]
 * @passed: injected events that matched the filter of an extra register, [&enum vpmu_extra]
 * @interrupts: number of interrupts and exceptions, [privilege level that was interrupted: 0
 *	kernel, 1 user space]
 * @msr_reads: number of RDMSR of registers of the PMU and of boxes
 * @msr_writes: number of WRMSR of these registers
 * @illegal_writes: number of register writes that would raise #GP on a real CPU, and of precise
 *	records for which the guest's page tables have no memory
 * @absent: number of accesses to registers of boxes that do not exist
 * @deaf: bitmap of VPMU_DEAF_*, the faults that a test asked for
 * @ignored: if bits 15:0 of a value equal this, a write of the value changes no register of a
 *	counter or box; 0: every write takes effect
 * @core: simulated core
 * @counting: at least one counter is enabled
 * @timing: at least one enabled counter needs the simulated core
 * @fed: number of instructions that the core has simulated since the last vpmu_clock_fed()
 * @lingering: number of instructions that the core has simulated since the simulation was last
 *	needed
 * @amend: values that the result registers of the latest RDMSR, RDPMC, CPUID or the like must get
 *	in QEMU
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
	struct vpmu_store store;
	struct vpmu_ibs ibs;
	struct vpmu_lbr lbr;
	uint64_t prefetch_off;
	bool l1_prefetch;
	uint64_t extra[VPMU_EXTRAS];
	uint64_t passed[VPMU_EXTRAS];
	uint64_t interrupts[VPMU_PRIVS];
	uint64_t msr_reads;
	uint64_t msr_writes;
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
 * vpmu_cpu_ignores() - check if a test makes a vCPU ignore writes of a value
 * @cpu: the vCPU
 * @value: value that the vCPU writes to a register of a counter or box
 */
static inline bool vpmu_cpu_ignores(const struct vpmu_cpu *cpu, uint64_t value)
{
	return cpu->ignored && (uint16_t)value == cpu->ignored;
}

#endif /* VPMU_CPU_H */
