/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A vCPU: its registers, its virtual core, and what it has executed.
 *
 * A "ring" is 0 for the kernel and 1 for user space, by the top bit of the code
 * address.
 */
#ifndef VPMU_CPU_H
#define VPMU_CPU_H

#include <stdbool.h>
#include <stdint.h>

#include "entry/entry.h"
#include "part.h"

#define VPMU_MAX_GP 8
#define VPMU_MAX_FIXED 4
#define VPMU_MAX_METRICS 8
#define VPMU_RINGS VCORE_RINGS

/*
 * Quantities that generated code counts exactly, once they are wanted. Branches are in
 * the order of &enum vcore_branch.
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
	VPMU_EXACT
};

/* IA32_PERF_GLOBAL_STATUS.CTR_FRZ, from version 4 on: no counter counts */
#define VPMU_STATUS_FROZEN VPMU_BIT(59)

/* registers that ignore writes, as under some hypervisors */
#define VPMU_DEAF_COUNTERS 1
#define VPMU_DEAF_PREFETCH 2

/**
 * struct vpmu_score - a vCPU's slot of the scoreboard, which generated code updates
 * @exact: exact quantities, [&enum vpmu_exact][ring]
 * @model_on: set of VPMU_FOR_*, users of the model on this vCPU
 * @last_pc: address of the latest instruction that began
 * @tsc_read: the latest instruction was RDTSC, and its result must be amended
 * @paced: the virtual core was fed since it halted
 */
struct vpmu_score {
	uint64_t exact[VPMU_EXACT][VPMU_RINGS];
	uint64_t model_on;
	uint64_t last_pc;
	uint64_t tsc_read;
	uint64_t paced;
};

/**
 * struct vpmu_snapshot - all quantities of a vCPU at one time
 * @part: part of the vCPU
 * @exact: exact quantities, [&enum vpmu_exact][ring]
 * @ring: quantities of the virtual core, [ring]
 * @interrupts: interrupts and exceptions that began, [ring]
 * @l1_prefetch: an L1 prefetcher is on, as of the latest register write
 * @passed: injected events that an extra register let pass, [&enum vpmu_extra]; they
 *	count as user space's
 */
struct vpmu_snapshot {
	const struct vpmu_part *part;
	uint64_t exact[VPMU_EXACT][VPMU_RINGS];
	struct vcore_counts ring[VPMU_RINGS];
	uint64_t interrupts[VPMU_RINGS];
	bool l1_prefetch;
	uint64_t passed[VPMU_EXTRAS];
};

/**
 * struct vpmu_counter - a counter register
 * @value: its value at @since
 * @since: the event's total when the counter last started; valid while @running
 * @leak_since: the sibling's @leaked when the counter last started
 * @leaked: sum of all counts that leaked from it to the sibling
 * @running: the counter is counting
 */
struct vpmu_counter {
	uint64_t value;
	uint64_t since;
	uint64_t leak_since;
	uint64_t leaked;
	bool running;
};

/**
 * struct vpmu_metrics - the register behind PERF_METRICS
 * @slots: slots since fixed counter 3 was 0
 * @part: slots of each field, [fields]
 * @slots_since: total slots when it last started; valid while @running
 * @part_since: total slots of each field then, [fields]
 * @running: it is counting
 */
struct vpmu_metrics {
	uint64_t slots;
	uint64_t part[VPMU_MAX_METRICS];
	uint64_t slots_since;
	uint64_t part_since[VPMU_MAX_METRICS];
	bool running;
};

/**
 * struct vpmu_amend - bits to set in the result of CPUID
 * @eax: in EAX
 * @ecx: in ECX
 * @edx: in EDX
 */
struct vpmu_amend {
	uint32_t eax;
	uint32_t ecx;
	uint32_t edx;
};

/**
 * struct vpmu_cpu - a vCPU
 * @index: its number
 * @part: its part; parts of one machine differ only in counter registers, events
 *	and CPUID
 * @score: its slot of the scoreboard
 * @gp: general counters
 * @fixed: fixed counters
 * @select: event selects
 * @fixed_ctrl: control of the fixed counters
 * @global_ctrl: enable bits
 * @status: overflow bits, and VPMU_STATUS_FROZEN
 * @metrics: PERF_METRICS
 * @prefetch_off: prefetchers that are off; of a core's first thread
 * @l1_prefetch: as in &struct vpmu_snapshot
 * @extra: extra registers of events, [&enum vpmu_extra]
 * @passed: as in &struct vpmu_snapshot
 * @interrupts: interrupts and exceptions that began, [ring]
 * @illegal_writes: number of register writes at which a real part would fault
 * @absent: number of accesses to registers of an absent box
 * @deaf: set of VPMU_DEAF_*, registers that ignore writes
 * @core: its virtual core
 * @counting: some counter is enabled
 * @timing: one of the enabled counters needs the model
 * @fed: instructions that the core was fed with since the last vpmu_clock_fed()
 * @lingering: instructions since the model lost its last user
 * @amend: bits that QEMU's result of the latest CPUID lacks
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
	uint64_t prefetch_off;
	bool l1_prefetch;
	uint64_t extra[VPMU_EXTRAS];
	uint64_t passed[VPMU_EXTRAS];
	uint64_t interrupts[VPMU_RINGS];
	uint64_t illegal_writes;
	uint64_t absent;
	uint32_t deaf;
	struct vcore *core;
	bool counting;
	bool timing;
	unsigned int fed;
	unsigned int lingering;
	struct vpmu_amend amend;
};

#endif /* VPMU_CPU_H */
