// SPDX-License-Identifier: GPL-2.0
#include "perf_op.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "base/sysfs.h"
#include "ibs.h"

/*
 * The kernel numbers its PMUs anew at each boot. These numbers, which none has, stand for ibs_op and
 * ibs_fetch if the machine that writes perf.data has no such PMUs.
 */
#define NO_OP_PMU 0x1b50
#define NO_FETCH_PMU 0x1b51

/* perf's bit strmst of &perf_event_attr.config1 (Linux, amd/ibs.c, IBS_OP_CONFIG1_STRMST_MASK) */
#define STREAMS (1 << 12)

#define LEVEL(name) (PERF_MEM_S(LVL, name) | PERF_MEM_S(LVL, HIT))
#define NUMBER(name) PERF_MEM_S(LVLNUM, name)
#define REMOTE(hops) (PERF_MEM_S(REMOTE, REMOTE) | PERF_MEM_S(HOPS, hops))

/**
 * bpmu_perf_op_pmu() - number of perf's PMU ibs_op
 *
 * A perf.data file says which PMU the number stands for.
 *
 * Return: the number that this machine's kernel has given it; another one if it has no IBS.
 */
u32 bpmu_perf_op_pmu(void)
{
	char text[16];

	return bpmu_sysfs_read("/sys/bus/event_source/devices/ibs_op/type", text, sizeof(text)) ?
	       strtoul(text, NULL, 10) : NO_OP_PMU;
}

/**
 * bpmu_perf_fetch_pmu() - number of perf's PMU ibs_fetch
 *
 * Return: as of bpmu_perf_op_pmu().
 */
u32 bpmu_perf_fetch_pmu(void)
{
	char text[16];

	return bpmu_sysfs_read("/sys/bus/event_source/devices/ibs_fetch/type", text, sizeof(text)) ?
	       strtoul(text, NULL, 10) : NO_FETCH_PMU;
}

/**
 * bpmu_perf_op_config() - &perf_event_attr.config of an event of IBS
 * @select: event select of the event
 */
u64 bpmu_perf_op_config(u64 select)
{
	return bpmu_ibs_ctl(select & ~BPMU_IBS_SEL_LATENCY);
}

/**
 * bpmu_perf_op_filters() - &perf_event_attr.config1 of an event of IBS that samples ops: the least
 * latency in cycles, and whether only non-temporal stores are sampled
 * @select: event select of the event
 */
u64 bpmu_perf_op_filters(u64 select)
{
	return ((select & BPMU_IBS_SEL_LATENCY) >> BPMU_IBS_SEL_LATENCY_SHIFT) *
	       BPMU_IBS_LATENCY_UNIT | (select & BPMU_IBS_SEL_STREAMS ? STREAMS : 0);
}

/**
 * bpmu_perf_fetch_latency() - &perf_event_attr.config1 of an event of IBS that samples fetches: the
 * least latency in cycles
 * @select: event select of the event
 */
u64 bpmu_perf_fetch_latency(u64 select)
{
	return ((select & BPMU_IBS_SEL_FETCH_LATENCY) >> BPMU_IBS_SEL_LATENCY_SHIFT) *
	       BPMU_IBS_LATENCY_UNIT;
}

/*
 * Returns where an op found its data: the words of the kernel's driver of IBS for what the op's
 * source says. Where &struct bpmu_tagged_op says less than the driver does, so does this: of stores,
 * for which the driver has hits of the L1 and L2; of the local cache before Zen 4, for which it has
 * L3 and another core; of uncached accesses; of misses that wait for an earlier one (LFB); and of
 * the node of persistent and CXL memory. The driver has HITM before Zen 4, too.
 */
static u64 level_of(const struct bpmu_tagged_op *op)
{
	static const u64 levels[] = {
		[BPMU_SOURCE_L1] = LEVEL(L1) | NUMBER(L1),
		[BPMU_SOURCE_L2] = LEVEL(L2) | NUMBER(L2),
		[BPMU_SOURCE_L3] = LEVEL(L3) | NUMBER(L3),
		[BPMU_SOURCE_NEAR_CACHE] = LEVEL(REM_CCE1) | NUMBER(ANY_CACHE) | REMOTE(0),
		[BPMU_SOURCE_REMOTE_CACHE] = LEVEL(REM_CCE2) | NUMBER(ANY_CACHE) | REMOTE(1),
		[BPMU_SOURCE_MEMORY] = LEVEL(LOC_RAM) | NUMBER(RAM),
		[BPMU_SOURCE_REMOTE_MEMORY] = LEVEL(REM_RAM1) | NUMBER(RAM) | REMOTE(1),
		[BPMU_SOURCE_PERSISTENT] = NUMBER(PMEM),
		[BPMU_SOURCE_EXTENSION] = NUMBER(CXL),
		[BPMU_SOURCE_IO] = LEVEL(IO) | NUMBER(IO),
		[BPMU_SOURCE_FILL_BUFFER] = LEVEL(LFB) | NUMBER(LFB),
		[BPMU_SOURCE_MEMORY_CACHE] = NUMBER(L4),
	};
	u64 level = op->source <= BPMU_SOURCE_MEMORY_CACHE ? levels[op->source] : 0;

	if (!(op->flags & BPMU_TAGGED_LOAD) && op->flags & BPMU_TAGGED_L1_MISS)
		level = PERF_MEM_S(LVL, L1) | PERF_MEM_S(LVL, MISS) | NUMBER(NA);
	return level ?: PERF_MEM_S(LVL, NA) | NUMBER(NA);
}

/* Returns true if it is known whether the op missed the TLBs, and whether it is locked. */
static bool is_known(const struct bpmu_tagged_op *op)
{
	return !(op->flags & BPMU_TAGGED_BY_PEBS) || op->flags & BPMU_TAGGED_TLBS;
}

/* Returns what a load waited for; 0 of IBS, which does not tell. */
static u64 delays_of(const struct bpmu_tagged_op *op)
{
	u64 blocks = 0;

	if (op->flags & BPMU_TAGGED_DATA_BLOCKED)
		blocks |= PERF_MEM_S(BLK, DATA);
	if (op->flags & BPMU_TAGGED_ADDRESS_BLOCKED)
		blocks |= PERF_MEM_S(BLK, ADDR);
	return blocks;
}

static u64 tlb_of(const struct bpmu_tagged_op *op)
{
	if (!(op->flags & BPMU_TAGGED_ADDRESS) || !is_known(op))
		return PERF_MEM_S(TLB, NA);
	if (op->flags & BPMU_TAGGED_TLB2_MISS)
		return PERF_MEM_S(TLB, L2) | PERF_MEM_S(TLB, MISS);
	if (op->flags & BPMU_TAGGED_BY_PEBS)
		return PERF_MEM_S(TLB, HIT) | PERF_MEM_S(TLB, L1) | PERF_MEM_S(TLB, L2);
	return PERF_MEM_S(TLB, HIT) | (op->flags & BPMU_TAGGED_TLB_MISS ? PERF_MEM_S(TLB, L2) :
									  PERF_MEM_S(TLB, L1));
}

/**
 * bpmu_perf_op_source() - PERF_SAMPLE_DATA_SRC of a sampled op
 * @op: the op; NULL if the interrupt has none
 */
u64 bpmu_perf_op_source(const struct bpmu_tagged_op *op)
{
	const u32 data = BPMU_TAGGED_LOAD | BPMU_TAGGED_STORE;

	if (!op || !(op->flags & data))
		return PERF_MEM_S(OP, NA) | PERF_MEM_S(LVL, NA) | PERF_MEM_S(SNOOP, NA) |
		       PERF_MEM_S(LOCK, NA) | PERF_MEM_S(TLB, NA) | NUMBER(NA);
	return (op->flags & BPMU_TAGGED_LOAD ? PERF_MEM_S(OP, LOAD) : PERF_MEM_S(OP, STORE)) |
	       level_of(op) | tlb_of(op) | delays_of(op) |
	       (op->flags & BPMU_TAGGED_MODIFIED ? PERF_MEM_S(SNOOP, HITM) :
						   PERF_MEM_S(SNOOP, NA)) |
	       (op->flags & BPMU_TAGGED_LOCKED ? PERF_MEM_S(LOCK, LOCKED) : PERF_MEM_S(LOCK, NA));
}

/**
 * bpmu_perf_op_weight() - PERF_SAMPLE_WEIGHT_STRUCT of a sampled op
 * @op: the op; NULL if the interrupt has none
 *
 * perf calls the members "weight": the latency of the data cache miss; "ins_lat": cycles from
 * dispatch until the op retired; and "retire_lat": cycles from its completion.
 */
u64 bpmu_perf_op_weight(const struct bpmu_tagged_op *op)
{
	union perf_sample_weight weight = { };

	if (!op)
		return 0;
	weight.var1_dw = op->latency;
	weight.var2_w = op->cycles;
	weight.var3_w = op->retire;
	return weight.full;
}
