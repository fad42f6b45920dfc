// SPDX-License-Identifier: GPL-2.0
/*
 * Sources: Linux, arch/x86/events/intel/ds.c (intel_nehalem_, _snb_, _hsw_, _skl_, _icl_, _glc_,
 * _lnc_ and _grt_pebs_event_constraints, pebs_data_source and what is written into it, union
 * intel_x86_pebs_dse, *_latency_data), core.c (PMU_FL_MEM_LOADS_AUX).
 */
#include "data_access.h"

#include <linux/barepmu.h>

#include "intel.h"

#define CODE (BPMU_SEL_EVENT | BPMU_SEL_UMASK)
/* event code of retired loads and stores, and which bits of its unit mask say which of them */
#define UOPS 0xd0
#define UMASK_LOADS BPMU_BIT(8)
#define UMASK_STORES BPMU_BIT(9)

/* events of retired loads, by where they found their data */
#define LOADS_FIRST 0xd1
#define LOADS_LAST 0xd4

/*
 * MEM_TRANS_RETIRED.LOAD_LATENCY and STORE_SAMPLE of performance cores; the latter was
 * PRECISE_STORE on Sandy Bridge and Ivy Bridge
 */
#define LOAD_LATENCY 0x01cd
#define STORE_SAMPLE 0x02cd
/* MEM_INST_RETIRED.LATENCY_ABOVE_THRESHOLD of Nehalem and Westmere */
#define NEHALEM_LOAD_LATENCY 0x100b
/* MEM_UOPS_RETIRED.LOAD_LATENCY and STORE_LATENCY of efficient cores */
#define SMALL_LOAD_LATENCY 0x05d0
#define SMALL_STORE_LATENCY 0x06d0
/* LD_BLOCKS.STORE_FORWARD, the auxiliary event */
#define AUX 0x8203

/*
 * the source of a store, of precise stores (SDM Vol. 3, "Precise Store Facility") and of other
 * stores of performance cores from Haswell on (SDM Vol. 3, "PEBS Data Address Profiling"; Intel's
 * event files, L1_Hit_Indication): it hit the L1 data cache
 */
#define STORE_L1_HIT BPMU_BIT(0)

/* latencies of formats from 5 on: of the instruction, of the cache */
#define LATENCY_BITS 0xffffULL
#define LATENCY_CACHE(word) ((word) >> 32 & LATENCY_BITS)
#define LATENCY_OLD(word) ((word) & 0xffffffffULL)
#define FORMAT_TWO_LATENCIES 5

/* a source that is also a hit of a modified line */
#define HITM 0x80
/* the source is not known, but the load has missed the L1 */
#define MISS 0x40

/**
 * struct source_code - how a core type codes the source of a load's data
 * @mask: bits of the code
 * @walked: both TLBs were missed; 0 without this bit and the next
 * @locked: the access is locked
 * @data: the load was blocked by a store that could not forward; formats from 5 on
 * @address: the load was blocked by an address that might be the same; 0 without such a bit
 * @source: &enum bpmu_source, with HITM and MISS, by code
 */
struct source_code {
	u64 mask;
	u64 walked;
	u64 locked;
	u64 data;
	u64 address;
	u8 source[18];
};

/*
 * Performance cores: from Skylake on codes 8 and 9 are a cache behind the memory (L4) on clients,
 * and persistent memory on servers.
 */
#define FROM_SANDY_BRIDGE_ON { \
	0xf, BPMU_BIT(4), BPMU_BIT(5), 0, 0, \
	{ MISS, BPMU_SOURCE_L1, BPMU_SOURCE_FILL_BUFFER, BPMU_SOURCE_L2, \
	  BPMU_SOURCE_L3, BPMU_SOURCE_L3, BPMU_SOURCE_L3, BPMU_SOURCE_L3 | HITM, \
	  BPMU_SOURCE_REMOTE_CACHE, BPMU_SOURCE_REMOTE_CACHE | HITM, BPMU_SOURCE_MEMORY, \
	  BPMU_SOURCE_REMOTE_MEMORY, BPMU_SOURCE_MEMORY, BPMU_SOURCE_REMOTE_MEMORY, \
	  BPMU_SOURCE_IO, BPMU_SOURCE_UNKNOWN } \
}

static const struct source_code codes[] = {
	[BPMU_DATA_SOURCE_SNB] = FROM_SANDY_BRIDGE_ON,
	[BPMU_DATA_SOURCE_HSW] = FROM_SANDY_BRIDGE_ON,
	[BPMU_DATA_SOURCE_NHM] = {
		0xf, 0, 0, 0, 0,
		{ MISS, BPMU_SOURCE_L1, BPMU_SOURCE_FILL_BUFFER, BPMU_SOURCE_L2,
		  BPMU_SOURCE_L3, BPMU_SOURCE_L3, BPMU_SOURCE_L3 | HITM, BPMU_SOURCE_L3 | HITM,
		  BPMU_SOURCE_REMOTE_CACHE, BPMU_SOURCE_REMOTE_CACHE | HITM, BPMU_SOURCE_MEMORY,
		  BPMU_SOURCE_REMOTE_MEMORY, BPMU_SOURCE_MEMORY, BPMU_SOURCE_REMOTE_MEMORY,
		  BPMU_SOURCE_IO, BPMU_SOURCE_UNKNOWN }
	},
	[BPMU_DATA_SOURCE_SKL] = {
		0xf, BPMU_BIT(4), BPMU_BIT(5), BPMU_BIT(6), BPMU_BIT(7),
		{ MISS, BPMU_SOURCE_L1, BPMU_SOURCE_FILL_BUFFER, BPMU_SOURCE_L2,
		  BPMU_SOURCE_L3, BPMU_SOURCE_L3, BPMU_SOURCE_L3, BPMU_SOURCE_L3 | HITM,
		  BPMU_SOURCE_MEMORY_CACHE, BPMU_SOURCE_MEMORY_CACHE, BPMU_SOURCE_MEMORY,
		  BPMU_SOURCE_REMOTE_MEMORY, BPMU_SOURCE_REMOTE_CACHE,
		  BPMU_SOURCE_REMOTE_CACHE | HITM, BPMU_SOURCE_IO, BPMU_SOURCE_UNKNOWN }
	},
	[BPMU_DATA_SOURCE_SKX] = {
		0xf, BPMU_BIT(4), BPMU_BIT(5), BPMU_BIT(6), BPMU_BIT(7),
		{ MISS, BPMU_SOURCE_L1, BPMU_SOURCE_FILL_BUFFER, BPMU_SOURCE_L2,
		  BPMU_SOURCE_L3, BPMU_SOURCE_L3, BPMU_SOURCE_L3, BPMU_SOURCE_L3 | HITM,
		  BPMU_SOURCE_PERSISTENT, BPMU_SOURCE_PERSISTENT, BPMU_SOURCE_MEMORY,
		  BPMU_SOURCE_REMOTE_MEMORY, BPMU_SOURCE_REMOTE_CACHE,
		  BPMU_SOURCE_REMOTE_CACHE | HITM, BPMU_SOURCE_IO, BPMU_SOURCE_UNKNOWN }
	},
	[BPMU_DATA_SOURCE_GRT] = {
		0xf, BPMU_BIT(5), BPMU_BIT(4), BPMU_BIT(6), 0,
		{ MISS, BPMU_SOURCE_L1, BPMU_SOURCE_FILL_BUFFER, BPMU_SOURCE_L2,
		  BPMU_SOURCE_L3, BPMU_SOURCE_L3, BPMU_SOURCE_L3 | HITM, BPMU_SOURCE_L3 | HITM,
		  BPMU_SOURCE_L3, BPMU_SOURCE_REMOTE_CACHE | HITM, BPMU_SOURCE_MEMORY,
		  BPMU_SOURCE_REMOTE_MEMORY, BPMU_SOURCE_MEMORY, BPMU_SOURCE_REMOTE_MEMORY,
		  BPMU_SOURCE_IO, BPMU_SOURCE_UNKNOWN }
	},
	[BPMU_DATA_SOURCE_CMT] = {
		0x1f, BPMU_BIT(6), BPMU_BIT(5), BPMU_BIT(7), 0,
		{ MISS, BPMU_SOURCE_L1, BPMU_SOURCE_FILL_BUFFER, BPMU_SOURCE_L2,
		  BPMU_SOURCE_L3, BPMU_SOURCE_L3, BPMU_SOURCE_L3, BPMU_SOURCE_L3,
		  BPMU_SOURCE_L3 | HITM, BPMU_SOURCE_REMOTE_CACHE | HITM, BPMU_SOURCE_MEMORY,
		  BPMU_SOURCE_REMOTE_MEMORY, BPMU_SOURCE_REMOTE_CACHE,
		  BPMU_SOURCE_REMOTE_CACHE | HITM, BPMU_SOURCE_IO, BPMU_SOURCE_UNKNOWN }
	},
	[BPMU_DATA_SOURCE_LNC] = {
		0xff, BPMU_BIT(10), BPMU_BIT(11), BPMU_BIT(12), BPMU_BIT(13),
		{ MISS, BPMU_SOURCE_L1, BPMU_SOURCE_L1, BPMU_SOURCE_FILL_BUFFER, 0,
		  BPMU_SOURCE_L2, BPMU_SOURCE_FILL_BUFFER, 0, BPMU_SOURCE_L3, 0, 0, 0,
		  BPMU_SOURCE_L3, BPMU_SOURCE_L3 | HITM, 0, MISS | HITM,
		  BPMU_SOURCE_MEMORY_CACHE, BPMU_SOURCE_MEMORY }
	},
};

static int is_small(const struct bpmu_part *part)
{
	return part->data_source == BPMU_DATA_SOURCE_GRT ||
	       part->data_source == BPMU_DATA_SOURCE_CMT;
}

/**
 * bpmu_data_access_kind() - what the precise records of an event say of memory accesses
 * @part: descriptor
 * @select: event select of a general-purpose counter
 *
 * Context: any.
 * Return: BPMU_DATA_ACCESS_NONE also if it is not known how the part codes them.
 */
enum bpmu_data_access_kind bpmu_data_access_kind(const struct bpmu_part *part, u64 select)
{
	u64 code = select & CODE;
	u64 uops = select & (UMASK_LOADS | UMASK_STORES);

	if (part->data_source == BPMU_DATA_SOURCE_UNKNOWN)
		return BPMU_DATA_ACCESS_NONE;
	if (part->data_source == BPMU_DATA_SOURCE_NHM)
		return code == NEHALEM_LOAD_LATENCY ? BPMU_DATA_ACCESS_LOAD_LATENCY :
						      BPMU_DATA_ACCESS_NONE;
	if (code == (is_small(part) ? SMALL_LOAD_LATENCY : LOAD_LATENCY))
		return BPMU_DATA_ACCESS_LOAD_LATENCY;
	if (part->data_source == BPMU_DATA_SOURCE_SNB)
		return code == STORE_SAMPLE ? BPMU_DATA_ACCESS_PRECISE_STORE :
					      BPMU_DATA_ACCESS_NONE;
	if (code == (is_small(part) ? SMALL_STORE_LATENCY : STORE_SAMPLE))
		return BPMU_DATA_ACCESS_STORE_LATENCY;
	code &= BPMU_SEL_EVENT;
	if (code >= LOADS_FIRST && code <= LOADS_LAST)
		return BPMU_DATA_ACCESS_LOAD;
	if (code != UOPS || !uops)
		return BPMU_DATA_ACCESS_NONE;
	if (uops == (UMASK_LOADS | UMASK_STORES))
		return BPMU_DATA_ACCESS_ANY;
	return uops == UMASK_LOADS ? BPMU_DATA_ACCESS_LOAD : BPMU_DATA_ACCESS_STORE;
}

/**
 * bpmu_data_access_needs_aux() - check if records of a load latency event need an auxiliary event
 * @part: descriptor
 * @select: event select of a general-purpose counter
 *
 * Context: any.
 * Return: nonzero if the records lack the source unless the same group counts the event of
 * bpmu_data_access_is_aux().
 */
int bpmu_data_access_needs_aux(const struct bpmu_part *part, u64 select)
{
	return part->quirks & BPMU_QUIRK_LOADS_AUX &&
	       bpmu_data_access_kind(part, select) == BPMU_DATA_ACCESS_LOAD_LATENCY;
}

/**
 * bpmu_data_access_is_aux() - check if an event is the auxiliary one of the load latency
 * @select: event select of a general-purpose counter
 *
 * Context: any.
 * Return: nonzero if it is.
 */
int bpmu_data_access_is_aux(u64 select)
{
	return (select & CODE) == AUX;
}

static u32 said(u64 value, u64 bit, u32 flag)
{
	return value & bit ? flag : 0;
}

static u16 saturated(u64 cycles)
{
	return cycles < LATENCY_BITS ? cycles : LATENCY_BITS;
}

static void decode_latency(const struct bpmu_pmu *pmu, u64 word, struct bpmu_tagged_op *op)
{
	if (pmu->pebs_format > FORMAT_TWO_LATENCIES) {
		op->cycles = word & LATENCY_BITS;
		op->latency = LATENCY_CACHE(word);
	} else {
		op->latency = saturated(LATENCY_OLD(word));
	}
}

/* Sets where a load found its data, and what that says of the L1. */
static void decode_source(const struct source_code *code, u64 word, struct bpmu_tagged_op *op)
{
	u64 at = word & code->mask;
	u8 source = at < sizeof(code->source) ? code->source[at] : 0;

	op->source = source & ~(HITM | MISS);
	if (source & HITM)
		op->flags |= BPMU_TAGGED_MODIFIED;
	if (source & MISS || (op->source > BPMU_SOURCE_L1 && op->source != BPMU_SOURCE_IO))
		op->flags |= BPMU_TAGGED_L1_MISS;
}

/* Returns true if records of a kind say whether the store hit the L1. */
static int tells_store_hit(const struct bpmu_part *part, enum bpmu_data_access_kind kind)
{
	return kind == BPMU_DATA_ACCESS_PRECISE_STORE ||
	       (kind == BPMU_DATA_ACCESS_STORE && !is_small(part));
}

static void decode_store_hit(u64 word, struct bpmu_tagged_op *op)
{
	if (word & STORE_L1_HIT)
		op->source = BPMU_SOURCE_L1;
	else
		op->flags |= BPMU_TAGGED_L1_MISS;
}

/**
 * bpmu_data_access_decode() - convert what a precise record says of a memory access
 * @pmu: PMU of the CPU that wrote the record, whose descriptor tells how it codes sources
 * @select: event select of the recorded event, not of BPMU_DATA_ACCESS_NONE
 * @access: the words of the record
 * @op: set to what they say
 *
 * Context: any; the sampling path.
 */
void bpmu_data_access_decode(const struct bpmu_pmu *pmu, u64 select,
			     const struct bpmu_data_access *access, struct bpmu_tagged_op *op)
{
	enum bpmu_data_access_kind kind = bpmu_data_access_kind(pmu->part, select);
	const struct source_code *code = &codes[pmu->part->data_source];

	*op = (struct bpmu_tagged_op){ .address = access->address, .flags = BPMU_TAGGED_BY_PEBS };
	if (access->address)
		op->flags |= BPMU_TAGGED_ADDRESS;
	if (kind == BPMU_DATA_ACCESS_LOAD || kind == BPMU_DATA_ACCESS_LOAD_LATENCY)
		op->flags |= BPMU_TAGGED_LOAD;
	if (kind == BPMU_DATA_ACCESS_STORE || kind == BPMU_DATA_ACCESS_STORE_LATENCY ||
	    kind == BPMU_DATA_ACCESS_PRECISE_STORE)
		op->flags |= BPMU_TAGGED_STORE;
	if (tells_store_hit(pmu->part, kind))
		decode_store_hit(access->source, op);
	if (kind < BPMU_DATA_ACCESS_PRECISE_STORE)
		return;
	op->flags |= code->walked ? BPMU_TAGGED_TLBS : 0;
	op->flags |= said(access->source, code->walked, BPMU_TAGGED_TLB2_MISS) |
		     said(access->source, code->locked, BPMU_TAGGED_LOCKED);
	if (kind == BPMU_DATA_ACCESS_PRECISE_STORE)
		return;
	decode_latency(pmu, access->latency, op);
	if (kind != BPMU_DATA_ACCESS_LOAD_LATENCY)
		return;
	decode_source(code, access->source, op);
	if (pmu->pebs_format > FORMAT_TWO_LATENCIES)
		op->flags |= said(access->source, code->data, BPMU_TAGGED_DATA_BLOCKED) |
			     said(access->source, code->address, BPMU_TAGGED_ADDRESS_BLOCKED);
}
