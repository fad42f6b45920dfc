/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The quantities that the virtual core counts. If a quantity is an event of Ivy Bridge or of
 * Knights Corner, a comment names the event; other quantities are named after what they measure.
 */
#ifndef VCORE_COUNTS_H
#define VCORE_COUNTS_H

#include <stdint.h>

#include "insn.h"

/* Each count exists twice, for kernel code and for user code; vcore_priv() returns the index. */
#define VCORE_PRIVS 2
#define VCORE_MAX_WIDTH 8
#define VCORE_MAX_PORTS 8
/*
 * Last index of &vcore_counts.outstanding. This element counts the cycles with at least this many
 * requests.
 */
#define VCORE_MAX_OUTSTANDING 32

/*
 * Quantities that have a value in each cycle. Each has a histogram: element k is the number of
 * cycles in which the value was k.
 */
enum vcore_per_cycle {
	VCORE_BUBBLES,		/* fetch bubbles: the back end has room, but no uop */
	VCORE_UNSUPPLIED,	/* fetch bubbles, and slots lost to recovery */
	VCORE_ISSUED,		/* issued slots, including those of the wrong path */
	VCORE_RETIRED,		/* retired slots */
	VCORE_EXECUTED,		/* unfused uops that a port has begun to execute */
	VCORE_PER_CYCLE
};

/* Quantities of which only the total is counted. */
enum vcore_plain {
	VCORE_CYCLES,
	/* events of the front end */
	VCORE_ICACHE_MISSES,		/* event ICACHE.MISSES */
	VCORE_ICACHE_STALL,		/* cycles of the event ICACHE.IFETCH_STALL */
	VCORE_ITLB_STLB_HIT,		/* event ITLB_MISSES.STLB_HIT */
	VCORE_ITLB_WALKS,		/* event ITLB_MISSES.MISS_CAUSES_A_WALK */
	VCORE_ITLB_WALK_CYCLES,		/* event ITLB_MISSES.WALK_DURATION */
	VCORE_IDQ_EMPTY,		/* cycles of the event IDQ.EMPTY */
	VCORE_DSB_UOPS,			/* event IDQ.DSB_UOPS */
	VCORE_MITE_UOPS,		/* event IDQ.MITE_UOPS */
	VCORE_MS_UOPS,			/* event IDQ.MS_UOPS */
	VCORE_MS_SWITCHES,		/* event IDQ.MS_SWITCHES */
	VCORE_MS_CYCLES_ANY,		/* event IDQ.MS_CYCLES */
	VCORE_MS_CYCLES_4,		/* cycles in which IDQ.MS_UOPS fills all slots */
	VCORE_DSB_CYCLES_ANY,		/* event IDQ.ALL_DSB_CYCLES_ANY_UOPS */
	VCORE_DSB_CYCLES_4,		/* event IDQ.ALL_DSB_CYCLES_4_UOPS */
	VCORE_MITE_CYCLES_ANY,		/* event IDQ.ALL_MITE_CYCLES_ANY_UOPS */
	VCORE_MITE_CYCLES_4,		/* event IDQ.ALL_MITE_CYCLES_4_UOPS */
	VCORE_DSB_SWITCH_CYCLES,	/* event DSB2MITE_SWITCHES.PENALTY_CYCLES */
	VCORE_LCP_STALLS,		/* cycles of the event ILD_STALL.LCP */
	VCORE_BACLEARS,			/* event BACLEARS.ANY */
	/* events of speculation: branches, machine clears, assists */
	VCORE_MISPREDICTS,		/* event BR_MISP_RETIRED.ALL_BRANCHES */
	VCORE_MISPREDICTS_CONDITIONAL,	/* event BR_MISP_RETIRED.CONDITIONAL */
	VCORE_MISPREDICTS_NEAR_TAKEN,	/* event BR_MISP_RETIRED.NEAR_TAKEN */
	VCORE_NEAR_TAKEN,		/* event BR_INST_RETIRED.NEAR_TAKEN */
	VCORE_RECOVERY_CYCLES,		/* event INT_MISC.RECOVERY_CYCLES */
	VCORE_WRONG_SLOTS,		/* issued slots of the wrong path */
	VCORE_RECOVERY_SLOTS,		/* slots lost to recovery of the allocator */
	VCORE_CLEARS,			/* event MACHINE_CLEARS.COUNT */
	VCORE_CLEARS_ORDERING,		/* event MACHINE_CLEARS.MEMORY_ORDERING */
	VCORE_CLEARS_CODE,		/* event MACHINE_CLEARS.SMC: caused by stores to code */
	VCORE_ASSISTS,			/* event FP_ASSIST.ANY */
	/* events of the back end */
	VCORE_BACKEND_SLOTS,		/* slots lost to a full buffer of the back end */
	VCORE_CONTENDED_SLOTS,		/* usable slots that the other thread had */
	VCORE_STALL_ANY,		/* cycles of the event RESOURCE_STALLS.ANY */
	VCORE_STALL_RS,			/* event RESOURCE_STALLS.RS */
	VCORE_STALL_ROB,		/* event RESOURCE_STALLS.ROB */
	VCORE_STALL_SB,			/* event RESOURCE_STALLS.SB */
	VCORE_STALL_LB,			/* cycles in which a full load buffer stalls issue */
	VCORE_RS_EMPTY,			/* event RS_EVENTS.EMPTY_CYCLES */
	VCORE_NO_EXECUTE,		/* event CYCLE_ACTIVITY.CYCLES_NO_EXECUTE */
	VCORE_NO_EXECUTE_LOAD,		/* cycles: no uop executes, a load is incomplete */
	VCORE_NO_EXECUTE_L1,		/* cycles: no uop executes, an L1 miss is incomplete */
	VCORE_NO_EXECUTE_L2,		/* cycles: no uop executes, an L2 miss is incomplete */
	VCORE_NO_EXECUTE_L3,		/* cycles: no uop executes, an L3 miss is incomplete */
	VCORE_FEW_EXECUTE_STORES,	/* cycles: store buffer full, <= 2 uops, no load stall */
	VCORE_CYCLES_LOAD,		/* event CYCLE_ACTIVITY.CYCLES_LDM_PENDING */
	VCORE_CYCLES_L1,		/* event CYCLE_ACTIVITY.CYCLES_L1D_PENDING */
	VCORE_CYCLES_L2,		/* event CYCLE_ACTIVITY.CYCLES_L2_PENDING */
	VCORE_CYCLES_L3,		/* cycles in which a load that missed L3 is incomplete */
	VCORE_DIVIDER_ACTIVE,		/* cycles of the event ARITH.FPU_DIV_ACTIVE */
	VCORE_DIVIDES,			/* event ARITH.FPU_DIV */
	VCORE_NO_RETIRE_WAITS,		/* cycles: no slot retires, the oldest awaits a uop */
	VCORE_NO_RETIRE_LOAD,		/* cycles: no slot retires, the oldest awaits a load */
	VCORE_RETIRED_MS_SLOTS,		/* retired slots from the microcode sequencer */
	VCORE_RETIRED_UOPS,		/* event UOPS_RETIRED.ALL: unfused uops */
	/* events of retired loads and stores; for loads, by the level that had the data */
	VCORE_LOADS,			/* event MEM_UOPS_RETIRED.ALL_LOADS */
	VCORE_STORES,			/* event MEM_UOPS_RETIRED.ALL_STORES */
	VCORE_LOCK_LOADS,		/* event MEM_UOPS_RETIRED.LOCK_LOADS */
	VCORE_SPLIT_LOADS,		/* event MEM_UOPS_RETIRED.SPLIT_LOADS */
	VCORE_SPLIT_STORES,		/* event MEM_UOPS_RETIRED.SPLIT_STORES */
	VCORE_STLB_MISS_LOADS,		/* event MEM_UOPS_RETIRED.STLB_MISS_LOADS */
	VCORE_STLB_MISS_STORES,
	VCORE_L1_HIT,			/* event MEM_LOAD_UOPS_RETIRED.L1_HIT */
	VCORE_LFB_HIT,			/* event MEM_LOAD_UOPS_RETIRED.HIT_LFB */
	VCORE_L2_HIT,
	VCORE_L3_HIT,			/* L3 hits, with or without a snoop hit */
	VCORE_L3_HIT_XSNP_HITM,		/* event MEM_LOAD_UOPS_LLC_HIT_RETIRED.XSNP_HITM */
	VCORE_L3_HIT_XSNP_HIT,		/* event MEM_LOAD_UOPS_LLC_HIT_RETIRED.XSNP_HIT */
	VCORE_L3_MISS,
	VCORE_SLOW_LOADS,		/* loads that took more cycles than &vcore.slow */
	VCORE_BLOCKED_FORWARD,		/* event LD_BLOCKS.STORE_FORWARD */
	VCORE_ALIAS_4K,			/* event LD_BLOCKS_PARTIAL.ADDRESS_ALIAS */
	/* events of the memory subsystem */
	VCORE_L1_REPLACED,		/* event L1D.REPLACEMENT */
	VCORE_L1_PENDING,		/* event L1D_PEND_MISS.PENDING: pending lines x cycles */
	VCORE_FILLS_FULL,		/* cycles of the event L1D_PEND_MISS.FB_FULL */
	VCORE_DTLB_LOAD_STLB_HIT,
	VCORE_DTLB_LOAD_WALKS,		/* events DTLB_LOAD_MISSES, DTLB_STORE_MISSES */
	VCORE_DTLB_LOAD_WALK_CYCLES,
	VCORE_DTLB_STORE_STLB_HIT,
	VCORE_DTLB_STORE_WALKS,
	VCORE_DTLB_STORE_WALK_CYCLES,
	VCORE_L2_DEMAND_READS,		/* event L2_RQSTS.ALL_DEMAND_DATA_RD */
	VCORE_L2_DEMAND_READ_HITS,
	VCORE_L2_RFOS,			/* event L2_RQSTS.ALL_RFO */
	VCORE_L2_RFO_HITS,
	VCORE_L2_CODE_READS,		/* event L2_RQSTS.ALL_CODE_RD */
	VCORE_L2_CODE_HITS,
	VCORE_L2_PREFETCHES,		/* event L2_RQSTS.ALL_PF */
	VCORE_L2_PREFETCH_HITS,
	VCORE_L2_LINES_IN,		/* event L2_LINES_IN.ALL */
	VCORE_L3_REFERENCES,		/* event LONGEST_LAT_CACHE.REFERENCE */
	VCORE_L3_MISSES,		/* event LONGEST_LAT_CACHE.MISS */
	VCORE_OFFCORE_READ_CYCLES,	/* offcore reads outstanding: cycles with 1 or more */
	VCORE_OFFCORE_READ_4_CYCLES,	/* offcore reads outstanding: cycles with 4 or more */
	VCORE_OFFCORE_READ_6_CYCLES,	/* offcore reads outstanding: cycles with 6 or more */
	/* events of Knights Corner */
	VCORE_CORE_CYCLES,		/* cycles in which some thread of the core is unhalted */
	VCORE_EXEC_STAGE_CYCLES,
	VCORE_DATA_READ,
	VCORE_DATA_WRITE,
	VCORE_DATA_READ_MISS,
	VCORE_DATA_WRITE_MISS,
	VCORE_L1_HIT_INFLIGHT,		/* event L1_DATA_HIT_INFLIGHT_PF1 */
	VCORE_PAGE_WALK,		/* event DATA_PAGE_WALK */
	VCORE_LONG_PAGE_WALK,		/* event LONG_DATA_PAGE_WALK */
	VCORE_VPU_INSTRUCTIONS,
	VCORE_VPU_ELEMENTS,
	VCORE_L2_READ_CACHE_FILL,
	VCORE_L2_WRITE_CACHE_FILL,
	VCORE_L2_READ_MEM_FILL,
	VCORE_L2_WRITE_MEM_FILL,
	VCORE_L2_VICTIM,		/* event L2_VICTIM_REQ_WITH_DATA */
	VCORE_SNP_HITM,			/* event SNP_HITM_L2 */
	VCORE_HWP_L2MISS,
	VCORE_PLAIN
};

/*
 * Stages at which a cycle's slots are attributed to components of the CPI stacks, named as in the
 * paper that core/stack.h cites; Intel has other names for the three stages.
 */
enum vcore_stage {
	VCORE_DISPATCH,			/* Intel calls it issue */
	VCORE_ISSUE,			/* Intel calls it execution */
	VCORE_COMMIT,			/* Intel calls it retirement */
	VCORE_STAGES
};

enum vcore_component {
	VCORE_BASE,
	VCORE_ICACHE,
	VCORE_BPRED,
	VCORE_DCACHE,
	VCORE_ALU_LATENCY,
	VCORE_DEPEND,
	VCORE_OTHER,
	VCORE_COMPONENTS
};

/*
 * Subcomponents of the CPI stacks, in the order of the components of &enum vcore_component. Some
 * cycles are unavoidable and have subcomponents of their own: the hit latency of a load, which even
 * a perfect data cache has, and the first cycle of an operation, which even perfect execution units
 * need.
 */
enum vcore_part {
	VCORE_PART_BASE,
	VCORE_PART_CODE_L2,		/* code fetches that hit the L2 */
	VCORE_PART_CODE_L3,		/* code fetches that hit the L3 */
	VCORE_PART_CODE_MEMORY,		/* code fetches from memory */
	VCORE_PART_ITLB,
	VCORE_PART_BPRED,
	VCORE_PART_MISS_HIT,		/* hit latency of loads, although they missed L1 */
	VCORE_PART_DTLB,
	VCORE_PART_L2,			/* loads that hit the L2 */
	VCORE_PART_L3,			/* loads that hit the L3 or another core's cache */
	VCORE_PART_MEMORY,		/* loads from memory */
	VCORE_PART_FILLS,		/* loads that wait because all fill buffers are in use */
	VCORE_PART_STORES,		/* store buffer full; the oldest store missed the L1D */
	VCORE_PART_ALU,			/* operations of several cycles: later cycles */
	VCORE_PART_ALU_FIRST,		/* operations of several cycles: the first cycle */
	VCORE_PART_L1_HIT,
	VCORE_PART_BLOCKED,		/* loads blocked by an older store */
	VCORE_PART_DEPEND,
	VCORE_PART_PORTS,		/* ready uops whose port executes another uop */
	VCORE_PART_STORE_BUFFER,	/* store buffer full; the oldest store hit the L1D */
	VCORE_PART_CLEARS,		/* machine clears */
	VCORE_PART_DECODE,		/* decoders, switches of the source, BTB misses */
	VCORE_PART_ORDER,		/* serialising instructions and interrupts */
	VCORE_PART_OTHER,
	VCORE_PARTS
};

/**
 * struct vcore_counts - all counts of a core at one privilege level
 * @plain: sums, [&enum vcore_plain]
 * @cycles_with: [&enum vcore_per_cycle][k], number of cycles in which the quantity was k; not
 *	counted for k = 0
 * @ports: [port], number of unfused uops that the port executed
 * @computed: [&enum vcore_compute], number of unfused uops executed that have this type of
 *	operation
 * @outstanding: [k], number of cycles in which the memory controller had k outstanding requests,
 *	from all cores of the package together
 * @stack: [stage][&enum vcore_part], CPI stacks in slots; the number of slots of a cycle is the
 *	width of the narrowest stage
 */
struct vcore_counts {
	uint64_t plain[VCORE_PLAIN];
	uint64_t cycles_with[VCORE_PER_CYCLE][VCORE_MAX_WIDTH + 1];
	uint64_t ports[VCORE_MAX_PORTS];
	uint64_t computed[VCORE_NR_COMPUTE];
	uint64_t outstanding[VCORE_MAX_OUTSTANDING + 1];
	uint64_t stack[VCORE_STAGES][VCORE_PARTS];
};

/* Returns the component to which the subcomponent @part belongs. */
static inline enum vcore_component vcore_component_of(enum vcore_part part)
{
	static const enum vcore_part last[VCORE_COMPONENTS] = {
		[VCORE_BASE] = VCORE_PART_BASE,
		[VCORE_ICACHE] = VCORE_PART_ITLB,
		[VCORE_BPRED] = VCORE_PART_BPRED,
		[VCORE_DCACHE] = VCORE_PART_STORES,
		[VCORE_ALU_LATENCY] = VCORE_PART_BLOCKED,
		[VCORE_DEPEND] = VCORE_PART_DEPEND,
		[VCORE_OTHER] = VCORE_PART_OTHER,
	};
	enum vcore_component component = VCORE_BASE;

	while (part > last[component])
		component++;
	return component;
}

/* Returns the slots of @component at a stage, the sum over the component's subcomponents. */
static inline uint64_t vcore_component(const struct vcore_counts *counts,
				       enum vcore_stage stage,
				       enum vcore_component component)
{
	uint64_t sum = 0;
	unsigned int part;

	for (part = 0; part < VCORE_PARTS; part++)
		if (vcore_component_of(part) == component)
			sum += counts->stack[stage][part];
	return sum;
}

/* Returns the total of a per-cycle quantity, the sum of k * @cycles_with[k] for k = 1 to @most. */
static inline uint64_t vcore_sum(const uint64_t *cycles_with, unsigned int most)
{
	uint64_t sum = 0;
	unsigned int k;

	for (k = 1; k <= most; k++)
		sum += k * cycles_with[k];
	return sum;
}

#endif /* VCORE_COUNTS_H */
