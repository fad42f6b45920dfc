/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The quantities that the virtual core counts. A quantity that is an event of Ivy Bridge has the
 * event's name, in a comment; other quantities are named after what they measure.
 */
#ifndef VCORE_COUNTS_H
#define VCORE_COUNTS_H

#include <stdint.h>

#include "insn.h"

/* Privilege levels with separate counts: kernel and user, see vcore_priv(). */
#define VCORE_PRIVS 2
#define VCORE_MAX_WIDTH 8
#define VCORE_MAX_PORTS 8
/* Last bucket of &vcore_counts.outstanding: this number of requests or more. */
#define VCORE_MAX_OUTSTANDING 32

/*
 * Quantities that have a value in each cycle. Of each there is a histogram: for each value k, the
 * number of cycles in which the quantity was k.
 */
enum vcore_per_cycle {
	VCORE_BUBBLES,		/* slots without a uop, back end not stalled: fetch bubbles */
	VCORE_UNSUPPLIED,	/* fetch bubbles and slots lost to recovery */
	VCORE_ISSUED,		/* slots issued, including the wrong path */
	VCORE_RETIRED,		/* slots retired */
	VCORE_EXECUTED,		/* unfused uops dispatched to a port */
	VCORE_PER_CYCLE
};

/* Quantities that are plain sums. */
enum vcore_plain {
	VCORE_CYCLES,
	/* front end */
	VCORE_ICACHE_MISSES,		/* ICACHE.MISSES */
	VCORE_ICACHE_STALL,		/* ICACHE.IFETCH_STALL, cycles */
	VCORE_ITLB_STLB_HIT,		/* ITLB_MISSES.STLB_HIT */
	VCORE_ITLB_WALKS,		/* ITLB_MISSES.MISS_CAUSES_A_WALK */
	VCORE_ITLB_WALK_CYCLES,		/* ITLB_MISSES.WALK_DURATION */
	VCORE_IDQ_EMPTY,		/* IDQ.EMPTY, cycles */
	VCORE_DSB_UOPS,			/* IDQ.DSB_UOPS */
	VCORE_MITE_UOPS,		/* IDQ.MITE_UOPS */
	VCORE_MS_UOPS,			/* IDQ.MS_UOPS */
	VCORE_MS_SWITCHES,		/* IDQ.MS_SWITCHES */
	VCORE_MS_CYCLES_ANY,		/* IDQ.MS_CYCLES */
	VCORE_MS_CYCLES_4,		/* IDQ.MS_UOPS: cycles with the core's full width */
	VCORE_DSB_CYCLES_ANY,		/* IDQ.ALL_DSB_CYCLES_ANY_UOPS */
	VCORE_DSB_CYCLES_4,		/* IDQ.ALL_DSB_CYCLES_4_UOPS */
	VCORE_MITE_CYCLES_ANY,		/* IDQ.ALL_MITE_CYCLES_ANY_UOPS */
	VCORE_MITE_CYCLES_4,		/* IDQ.ALL_MITE_CYCLES_4_UOPS */
	VCORE_DSB_SWITCH_CYCLES,	/* DSB2MITE_SWITCHES.PENALTY_CYCLES */
	VCORE_LCP_STALLS,		/* ILD_STALL.LCP, cycles */
	VCORE_BACLEARS,			/* BACLEARS.ANY */
	/* speculation */
	VCORE_MISPREDICTS,		/* BR_MISP_RETIRED.ALL_BRANCHES */
	VCORE_MISPREDICTS_CONDITIONAL,	/* BR_MISP_RETIRED.CONDITIONAL */
	VCORE_MISPREDICTS_NEAR_TAKEN,	/* BR_MISP_RETIRED.NEAR_TAKEN */
	VCORE_NEAR_TAKEN,		/* BR_INST_RETIRED.NEAR_TAKEN */
	VCORE_RECOVERY_CYCLES,		/* INT_MISC.RECOVERY_CYCLES */
	VCORE_WRONG_SLOTS,		/* issued slots of the wrong path */
	VCORE_RECOVERY_SLOTS,		/* slots lost to recovery */
	VCORE_CLEARS,			/* MACHINE_CLEARS.COUNT */
	VCORE_CLEARS_ORDERING,		/* MACHINE_CLEARS.MEMORY_ORDERING */
	VCORE_CLEARS_CODE,		/* MACHINE_CLEARS.SMC: caused by stores to code */
	VCORE_ASSISTS,			/* FP_ASSIST.ANY */
	/* back end */
	VCORE_BACKEND_SLOTS,		/* slots lost to a full back end */
	VCORE_CONTENDED_SLOTS,		/* usable slots that the other thread had */
	VCORE_STALL_ANY,		/* RESOURCE_STALLS.ANY, cycles */
	VCORE_STALL_RS,			/* RESOURCE_STALLS.RS */
	VCORE_STALL_ROB,		/* RESOURCE_STALLS.ROB */
	VCORE_STALL_SB,			/* RESOURCE_STALLS.SB */
	VCORE_STALL_LB,			/* cycles in which a full load buffer stalls issue */
	VCORE_RS_EMPTY,			/* RS_EVENTS.EMPTY_CYCLES */
	VCORE_NO_EXECUTE,		/* CYCLE_ACTIVITY.CYCLES_NO_EXECUTE */
	VCORE_NO_EXECUTE_LOAD,		/* no uop executes, a load is incomplete */
	VCORE_NO_EXECUTE_L1,		/* no uop executes, an L1 miss is incomplete */
	VCORE_NO_EXECUTE_L2,		/* no uop executes, an L2 miss is incomplete */
	VCORE_NO_EXECUTE_L3,		/* no uop executes, an L3 miss is incomplete */
	VCORE_FEW_EXECUTE_STORES,	/* at most 2 uops execute, store buffer full, no load */
	VCORE_CYCLES_LOAD,		/* CYCLES_LDM_PENDING */
	VCORE_CYCLES_L1,		/* CYCLE_ACTIVITY.CYCLES_L1D_PENDING */
	VCORE_CYCLES_L2,		/* CYCLE_ACTIVITY.CYCLES_L2_PENDING */
	VCORE_CYCLES_L3,		/* cycles with an incomplete L3 miss */
	VCORE_DIVIDER_ACTIVE,		/* ARITH.FPU_DIV_ACTIVE, cycles */
	VCORE_DIVIDES,			/* ARITH.FPU_DIV */
	VCORE_NO_RETIRE_WAITS,		/* no slot retires: the oldest one waits for a uop */
	VCORE_NO_RETIRE_LOAD,		/* no slot retires: the oldest lacks a load's data */
	VCORE_RETIRED_MS_SLOTS,		/* retired slots from the microcode sequencer */
	VCORE_RETIRED_UOPS,		/* UOPS_RETIRED.ALL: unfused uops */
	/* retired loads and stores, by the level that they hit */
	VCORE_LOADS,			/* MEM_UOPS_RETIRED.ALL_LOADS */
	VCORE_STORES,			/* MEM_UOPS_RETIRED.ALL_STORES */
	VCORE_LOCK_LOADS,		/* MEM_UOPS_RETIRED.LOCK_LOADS */
	VCORE_SPLIT_LOADS,		/* MEM_UOPS_RETIRED.SPLIT_LOADS */
	VCORE_SPLIT_STORES,		/* MEM_UOPS_RETIRED.SPLIT_STORES */
	VCORE_STLB_MISS_LOADS,		/* MEM_UOPS_RETIRED.STLB_MISS_LOADS */
	VCORE_STLB_MISS_STORES,
	VCORE_L1_HIT,			/* MEM_LOAD_UOPS_RETIRED.L1_HIT */
	VCORE_LFB_HIT,			/* MEM_LOAD_UOPS_RETIRED.HIT_LFB */
	VCORE_L2_HIT,
	VCORE_L3_HIT,			/* including snoop hits in other cores */
	VCORE_L3_HIT_XSNP_HITM,		/* MEM_LOAD_UOPS_LLC_HIT_RETIRED.XSNP_HITM */
	VCORE_L3_HIT_XSNP_HIT,		/* MEM_LOAD_UOPS_LLC_HIT_RETIRED.XSNP_HIT */
	VCORE_L3_MISS,
	VCORE_BLOCKED_FORWARD,		/* LD_BLOCKS.STORE_FORWARD */
	VCORE_ALIAS_4K,			/* LD_BLOCKS_PARTIAL.ADDRESS_ALIAS */
	/* memory subsystem */
	VCORE_L1_REPLACED,		/* L1D.REPLACEMENT */
	VCORE_L1_PENDING,		/* L1D_PEND_MISS.PENDING: pending lines x cycles */
	VCORE_FILLS_FULL,		/* L1D_PEND_MISS.FB_FULL, cycles */
	VCORE_DTLB_LOAD_STLB_HIT,
	VCORE_DTLB_LOAD_WALKS,		/* DTLB_LOAD_MISSES... */
	VCORE_DTLB_LOAD_WALK_CYCLES,
	VCORE_DTLB_STORE_STLB_HIT,
	VCORE_DTLB_STORE_WALKS,
	VCORE_DTLB_STORE_WALK_CYCLES,
	VCORE_L2_DEMAND_READS,		/* L2_RQSTS.ALL_DEMAND_DATA_RD */
	VCORE_L2_DEMAND_READ_HITS,
	VCORE_L2_RFOS,			/* L2_RQSTS.ALL_RFO */
	VCORE_L2_RFO_HITS,
	VCORE_L2_CODE_READS,		/* L2_RQSTS.ALL_CODE_RD */
	VCORE_L2_CODE_HITS,
	VCORE_L2_PREFETCHES,		/* L2_RQSTS.ALL_PF */
	VCORE_L2_PREFETCH_HITS,
	VCORE_L2_LINES_IN,		/* L2_LINES_IN.ALL */
	VCORE_L3_REFERENCES,		/* LONGEST_LAT_CACHE.REFERENCE */
	VCORE_L3_MISSES,		/* LONGEST_LAT_CACHE.MISS */
	VCORE_OFFCORE_READ_CYCLES,	/* OFFCORE_REQUESTS_OUTSTANDING, any */
	VCORE_OFFCORE_READ_4_CYCLES,	/* OFFCORE_REQUESTS_OUTSTANDING, at least 4 */
	VCORE_OFFCORE_READ_6_CYCLES,	/* OFFCORE_REQUESTS_OUTSTANDING, at least 6 */
	/* Knights Corner */
	VCORE_CORE_CYCLES,		/* cycles in which any thread is unhalted */
	VCORE_EXEC_STAGE_CYCLES,
	VCORE_DATA_READ,
	VCORE_DATA_WRITE,
	VCORE_DATA_READ_MISS,
	VCORE_DATA_WRITE_MISS,
	VCORE_L1_HIT_INFLIGHT,		/* L1_DATA_HIT_INFLIGHT_PF1 */
	VCORE_PAGE_WALK,		/* DATA_PAGE_WALK */
	VCORE_LONG_PAGE_WALK,		/* LONG_DATA_PAGE_WALK */
	VCORE_VPU_INSTRUCTIONS,
	VCORE_VPU_ELEMENTS,
	VCORE_L2_READ_CACHE_FILL,
	VCORE_L2_WRITE_CACHE_FILL,
	VCORE_L2_READ_MEM_FILL,
	VCORE_L2_WRITE_MEM_FILL,
	VCORE_L2_VICTIM,		/* L2_VICTIM_REQ_WITH_DATA */
	VCORE_SNP_HITM,			/* SNP_HITM_L2 */
	VCORE_HWP_L2MISS,
	VCORE_PLAIN
};

/*
 * Stages of multi-stage CPI stacks, by the paper's names and Intel's; core/stack.h cites the
 * paper.
 */
enum vcore_stage {
	VCORE_DISPATCH,			/* Intel: issue */
	VCORE_ISSUE,			/* Intel: execute */
	VCORE_COMMIT,			/* Intel: retire */
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
 * Subcomponents of the CPI stacks, in the order of &enum vcore_component. Even with a perfect
 * data cache a load has the latency of a hit, and even with perfect functional units an operation
 * takes one cycle. These unavoidable cycles have subcomponents of their own.
 */
enum vcore_part {
	VCORE_PART_BASE,
	VCORE_PART_CODE_L2,		/* code fetches that hit the L2 */
	VCORE_PART_CODE_L3,		/* code fetches that hit the L3 */
	VCORE_PART_CODE_MEMORY,		/* loads from memory */
	VCORE_PART_ITLB,
	VCORE_PART_BPRED,
	VCORE_PART_MISS_HIT,		/* hit latency of loads that missed the L1 */
	VCORE_PART_DTLB,
	VCORE_PART_L2,			/* loads that hit the L2 */
	VCORE_PART_L3,			/* loads that hit the L3 or another core's cache */
	VCORE_PART_MEMORY,		/* loads from memory */
	VCORE_PART_FILLS,		/* loads that wait for a free fill buffer */
	VCORE_PART_STORES,		/* store buffer full, the oldest store missed the L1D */
	VCORE_PART_ALU,			/* slow operations: after the first cycle */
	VCORE_PART_ALU_FIRST,		/* slow operations: the first cycle */
	VCORE_PART_L1_HIT,
	VCORE_PART_BLOCKED,		/* load blocked by an older store */
	VCORE_PART_DEPEND,
	VCORE_PART_PORTS,		/* port contention */
	VCORE_PART_STORE_BUFFER,	/* store buffer full, the oldest store hit the L1D */
	VCORE_PART_CLEARS,		/* machine clears */
	VCORE_PART_DECODE,		/* decoders, switches to or from them, BTB misses */
	VCORE_PART_ORDER,		/* serialising instructions, interrupts */
	VCORE_PART_OTHER,
	VCORE_PARTS
};

/**
 * struct vcore_counts - all counts of a core at one privilege level
 * @plain: sums, [&enum vcore_plain]
 * @cycles_with: [&enum vcore_per_cycle][k], number of cycles in which the quantity was k; k = 0
 *	is not counted
 * @ports: [port], number of unfused uops executed
 * @computed: [&enum vcore_compute], number of unfused uops executed
 * @outstanding: [k], cycles in which the memory controller had k outstanding requests, of all
 *	cores of the package together
 * @stack: [stage][&enum vcore_part], CPI stacks in slots; each cycle has as many slots as the
 *	narrowest stage is wide
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

/* Returns the slots of a component at a stage: the sum of the component's subcomponents. */
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

/*
 * Returns the total of a per-cycle quantity: the sum of k * @cycles_with[k] for
 * k = 1..@most.
 */
static inline uint64_t vcore_sum(const uint64_t *cycles_with, unsigned int most)
{
	uint64_t sum = 0;
	unsigned int k;

	for (k = 1; k <= most; k++)
		sum += k * cycles_with[k];
	return sum;
}

#endif /* VCORE_COUNTS_H */
