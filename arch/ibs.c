// SPDX-License-Identifier: GPL-2.0
#include "ibs.h"

#include <linux/barepmu.h>

#include "intel.h"

/* What the module needs of IBS: samples of ops, and a count that can be read and written */
#define NEEDED (BPMU_IBS_AVAIL | BPMU_IBS_OPS | BPMU_IBS_READ_WRITE)
#define FAMILY_10H 0x10
#define FAMILY_19H 0x19
/* The last of the models of family 19h, Zen 3, that have errata 1197 and 1293 */
#define LAST_WITH_1197 0x0f
#define LAST_WITH_1293 0x0f

/* Bits of IBS_OP_DATA; its bits 15:0 and 31:16 have cycles */
#define DATA_RETURN BPMU_BIT(34)
#define DATA_TAKEN BPMU_BIT(35)
#define DATA_MISPREDICTED BPMU_BIT(36)
#define DATA_BRANCH BPMU_BIT(37)
#define DATA_RIP_INVALID BPMU_BIT(38)

/* Bits of IBS_OP_DATA3; its bits 47:32 have the latency of a data cache miss */
#define DATA3_LOAD BPMU_BIT(0)
#define DATA3_STORE BPMU_BIT(1)
#define DATA3_L1_TLB_MISS BPMU_BIT(2)
#define DATA3_L2_TLB_MISS BPMU_BIT(3)
#define DATA3_DC_MISS BPMU_BIT(7)
#define DATA3_UNCACHED BPMU_BIT(14)
#define DATA3_LOCKED BPMU_BIT(15)
#define DATA3_NO_BUFFER BPMU_BIT(16)
#define DATA3_LINEAR BPMU_BIT(17)
#define DATA3_L2_MISS BPMU_BIT(20)
#define DATA3_PREFETCH BPMU_BIT(21)

/*
 * Bits of IBS_OP_DATA2: source of the data, two more bits of it on Zen 4, remote node, state of the
 * line in the cache that had it: owned, not modified
 */
#define DATA2_SOURCE 7
#define DATA2_SOURCE_HIGH 0xc0
#define DATA2_SOURCE_HIGH_SHIFT 3
#define DATA2_REMOTE BPMU_BIT(4)
#define DATA2_OWNED BPMU_BIT(5)

/*
 * Bits of IBS_FETCH_CTL; its bits 47:32 have the latency, and bits 54:53, with a valid physical
 * address, say which size the page has
 */
#define FETCH_COMPLETE BPMU_BIT(50)
#define FETCH_L1_MISS BPMU_BIT(51)
#define FETCH_PHYSICAL BPMU_BIT(52)
#define FETCH_PAGE_SHIFT 53
#define FETCH_L1_TLB_MISS BPMU_BIT(55)
#define FETCH_L2_TLB_MISS BPMU_BIT(56)
#define FETCH_L2_MISS BPMU_BIT(58)
#define FETCH_UOP_CACHE_MISS BPMU_BIT(60)
#define FETCH_L3_MISS BPMU_BIT(61)

/**
 * bpmu_ibs_usable() - check if instruction-based sampling (IBS) of ops can be used
 * @family: family of the CPU
 * @caps: EAX of CPUID leaf BPMU_CPUID_IBS, 0 without the leaf
 *
 * Context: any.
 * Return: @caps; 0 if ops cannot be sampled, their count cannot be read and written, or the family
 * is 10h, whose IBS may interrupt without end after it has been stopped (erratum 420).
 */
u32 bpmu_ibs_usable(u32 family, u32 caps)
{
	return family != FAMILY_10H && (caps & NEEDED) == NEEDED ? caps : 0;
}

/**
 * bpmu_ibs_legal() - legal bits in the event select of an event that IBS counts
 * @caps: what IBS can do, from bpmu_ibs_usable()
 *
 * Context: any.
 * Return: the bits.
 */
u64 bpmu_ibs_legal(u32 caps)
{
	u64 legal = BPMU_SEL_USR | BPMU_SEL_OS;

	if (caps & BPMU_IBS_COUNT_OPS)
		legal |= BPMU_IBS_SEL_OPS;
	if (caps & BPMU_IBS_ZEN4)
		legal |= BPMU_IBS_SEL_L3_MISS;
	if (caps & BPMU_IBS_LATENCY)
		legal |= BPMU_IBS_SEL_LATENCY;
	if (caps & BPMU_IBS_CTL2 && caps & BPMU_IBS_STREAMS)
		legal |= BPMU_IBS_SEL_STREAMS;
	return legal;
}

/**
 * bpmu_ibs_is_latency() - check the threshold of the load latency in an event select of IBS
 * @select: event select with legal bits
 *
 * Context: any.
 * Return: nonzero if there is no threshold, or one that IBS can have.
 */
int bpmu_ibs_is_latency(u64 select)
{
	return (select & BPMU_IBS_SEL_LATENCY) >> BPMU_IBS_SEL_LATENCY_SHIFT <=
	       BPMU_IBS_LATENCY_MOST;
}

/**
 * bpmu_ibs_ctl() - bits of IBS_OP_CTL for the event select of an event that IBS counts
 * @select: a legal event select; the threshold of the latency is at most BPMU_IBS_LATENCY_MOST
 *
 * Context: any.
 * Return: the bits that say what is counted and sampled, without maximum count and enable bit. A
 * threshold of the latency needs the filter for L3 misses as well, on Zen 5 (Linux, ibs.c).
 */
u64 bpmu_ibs_ctl(u64 select)
{
	u64 latency = (select & BPMU_IBS_SEL_LATENCY) >> BPMU_IBS_SEL_LATENCY_SHIFT;
	u64 ctl = select & BPMU_IBS_SEL_OPS ? BPMU_IBS_OP_COUNT_OPS : 0;

	if (select & BPMU_IBS_SEL_L3_MISS || latency)
		ctl |= BPMU_IBS_OP_L3_MISS;
	if (latency)
		ctl |= BPMU_IBS_OP_LATENCY_ON | (latency - 1) << BPMU_IBS_OP_LATENCY_SHIFT;
	return ctl;
}

/**
 * bpmu_ibs_ctl2() - value of IBS_OP_CTL2 for the event select of an event that IBS counts
 * @select: a legal event select
 *
 * Filters by the privilege level are not used: the CPU would begin a new period after each sample
 * that it discards, from a random count that nobody knows.
 *
 * Context: any.
 * Return: the value, with which ops are sampled if IBS_OP_CTL is enabled.
 */
u64 bpmu_ibs_ctl2(u64 select)
{
	return select & BPMU_IBS_SEL_STREAMS ? BPMU_IBS_OP_STREAMS : 0;
}

/**
 * bpmu_ibs_max() - bits of IBS_OP_CTL with the maximum count of IBS
 * @period: number of ops or cycles, a multiple of BPMU_IBS_STEP
 *
 * Context: any.
 * Return: the bits.
 */
u64 bpmu_ibs_max(u64 period)
{
	return (period & BPMU_IBS_OP_MAX_HIGH) | (period >> 4 & 0xffff);
}

/**
 * bpmu_ibs_longest() - longest period of IBS
 * @caps: what IBS can do, from bpmu_ibs_usable()
 *
 * Context: any.
 * Return: number of ops or cycles.
 */
u64 bpmu_ibs_longest(u32 caps)
{
	return caps & BPMU_IBS_LONG ? 0x7fffff0 : 0xffff0;
}

/**
 * bpmu_ibs_has_rip() - check if a sample of IBS has the op's address
 * @caps: what IBS can do, from bpmu_ibs_usable()
 * @sample: the registers
 *
 * Context: any.
 * Return: nonzero if &bpmu_ibs_sample.rip is the address of the op.
 */
int bpmu_ibs_has_rip(u32 caps, const struct bpmu_ibs_sample *sample)
{
	return !(caps & BPMU_IBS_RIP_CHECK) || !(sample->data & DATA_RIP_INVALID);
}

/**
 * bpmu_ibs_has_1293() - check if IBS has erratum 1293: it may have a wrong source of data
 * @family: family of the CPU
 * @model: model of the CPU
 *
 * The source is then invalid for software prefetches, and for misses to which no miss address
 * buffer (MAB) was allocated; that they did not miss the L2 is invalid, too (Linux, ibs.c).
 *
 * Context: any.
 * Return: nonzero if it has.
 */
int bpmu_ibs_has_1293(u32 family, u32 model)
{
	return family == FAMILY_19H && model <= LAST_WITH_1293;
}

/* Returns the &enum bpmu_source of the source that IBS_OP_DATA2 has, before Zen 4. */
static u16 old_source(u64 data2)
{
	int remote = !!(data2 & DATA2_REMOTE);

	switch (data2 & DATA2_SOURCE) {
	case 2:
		return BPMU_SOURCE_L3;
	case 3:
		return remote ? BPMU_SOURCE_REMOTE_MEMORY : BPMU_SOURCE_MEMORY;
	case 4:
		return BPMU_SOURCE_REMOTE_CACHE;
	case 7:
		return BPMU_SOURCE_IO;
	default:
		return BPMU_SOURCE_UNKNOWN;
	}
}

/* Returns the &enum bpmu_source of the source that IBS_OP_DATA2 has from Zen 4 on. */
static u16 zen4_source(u64 data2)
{
	u64 source = (data2 & DATA2_SOURCE) |
		     (data2 & DATA2_SOURCE_HIGH) >> DATA2_SOURCE_HIGH_SHIFT;
	int remote = !!(data2 & DATA2_REMOTE);

	switch (source) {
	case 1:
		return BPMU_SOURCE_L3;
	case 2:
		return BPMU_SOURCE_NEAR_CACHE;
	case 3:
		return remote ? BPMU_SOURCE_REMOTE_MEMORY : BPMU_SOURCE_MEMORY;
	case 5:
		return BPMU_SOURCE_REMOTE_CACHE;
	case 6:
		return BPMU_SOURCE_PERSISTENT;
	case 7:
		return BPMU_SOURCE_IO;
	case 8:
		return BPMU_SOURCE_EXTENSION;
	case 12:
		return BPMU_SOURCE_PEER;
	default:
		return BPMU_SOURCE_UNKNOWN;
	}
}

/* Returns the &enum bpmu_source of the source that IBS_OP_DATA2 has. */
static u16 told_source(u32 caps, u64 data2)
{
	return caps & BPMU_IBS_ZEN4 ? zen4_source(data2) : old_source(data2);
}

/*
 * Returns the &enum bpmu_source of an op's data. IBS_OP_DATA2 is valid for loads that miss the L2
 * only; a store has no source. Of uncached accesses all that is said of caches is invalid, and so
 * is any source but a device (Linux, ibs.c).
 */
static u16 source_of(u32 caps, int has_1293, const struct bpmu_ibs_sample *sample)
{
	int wrong = has_1293 && sample->data3 & (DATA3_PREFETCH | DATA3_NO_BUFFER);
	u16 told = wrong ? BPMU_SOURCE_UNKNOWN : told_source(caps, sample->data2);

	if (!(sample->data3 & DATA3_LOAD))
		return BPMU_SOURCE_UNKNOWN;
	if (sample->data3 & DATA3_UNCACHED)
		return told == BPMU_SOURCE_IO ? told : BPMU_SOURCE_UNKNOWN;
	if (!(sample->data3 & DATA3_DC_MISS))
		return BPMU_SOURCE_L1;
	return wrong || sample->data3 & DATA3_L2_MISS ? told : BPMU_SOURCE_L2;
}

/* Returns true if a load missed the L1 data cache, wherever it found its data. */
static int is_miss(u64 data3)
{
	return data3 & DATA3_LOAD && data3 & DATA3_DC_MISS && !(data3 & DATA3_UNCACHED);
}

/*
 * Returns true if the line of a load's data was modified in the cache that had it. Before Zen 4 the
 * bit is invalid on some models, and a cache of the same complex is any of its caches (Linux,
 * ibs.c). The bit tells modified from owned lines, and has no value for lines that are neither.
 */
static int is_modified(u32 caps, u16 source, u64 data2)
{
	return caps & BPMU_IBS_ZEN4 && !(data2 & DATA2_OWNED) &&
	       (source == BPMU_SOURCE_L3 || source == BPMU_SOURCE_NEAR_CACHE ||
		source == BPMU_SOURCE_REMOTE_CACHE);
}

static u32 flag(u64 value, u64 bit, u32 flag)
{
	return value & bit ? flag : 0;
}

/**
 * bpmu_ibs_decode() - convert the registers of an op that IBS has sampled
 * @caps: what IBS can do, from bpmu_ibs_usable()
 * @has_1293: from bpmu_ibs_has_1293()
 * @sample: the registers
 * @op: set to what they say
 *
 * What is invalid is left out: source and latency of uncached accesses, but not that they are those
 * of a device.
 *
 * Context: any.
 */
void bpmu_ibs_decode(u32 caps, int has_1293, const struct bpmu_ibs_sample *sample,
		     struct bpmu_tagged_op *op)
{
	u64 data = sample->data;
	u64 data3 = sample->data3;

	op->address = data3 & DATA3_LINEAR ? sample->linear : 0;
	op->retire = data & 0xffff;
	op->cycles = data >> 16 & 0xffff;
	op->source = source_of(caps, has_1293, sample);
	op->latency = is_miss(data3) ? data3 >> 32 & 0xffff : 0;
	op->flags = flag(data, DATA_BRANCH, BPMU_TAGGED_BRANCH) |
		    flag(data3, DATA3_LOAD, BPMU_TAGGED_LOAD) |
		    flag(data3, DATA3_STORE, BPMU_TAGGED_STORE) |
		    flag(data3, DATA3_LOCKED, BPMU_TAGGED_LOCKED) |
		    flag(data3, DATA3_LINEAR, BPMU_TAGGED_ADDRESS) |
		    flag(data3, DATA3_L1_TLB_MISS, BPMU_TAGGED_TLB_MISS) |
		    flag(data3, DATA3_L2_TLB_MISS, BPMU_TAGGED_TLB2_MISS);
	if (op->flags & BPMU_TAGGED_BRANCH)
		op->flags |= flag(data, DATA_RETURN, BPMU_TAGGED_RETURN) |
			     flag(data, DATA_TAKEN, BPMU_TAGGED_TAKEN) |
			     flag(data, DATA_MISPREDICTED, BPMU_TAGGED_MISPREDICTED);
	if (!bpmu_ibs_has_rip(caps, sample))
		op->flags |= BPMU_TAGGED_INEXACT;
	if (is_miss(data3))
		op->flags |= BPMU_TAGGED_L1_MISS;
	if (is_modified(caps, op->source, sample->data2))
		op->flags |= BPMU_TAGGED_MODIFIED;
	op->pad = 0;
}

/**
 * bpmu_ibs_fetch_legal() - legal bits in the event select of fetches that IBS counts
 * @caps: what IBS can do, from bpmu_ibs_usable()
 *
 * Context: any.
 * Return: the bits.
 */
u64 bpmu_ibs_fetch_legal(u32 caps)
{
	u64 legal = BPMU_SEL_USR | BPMU_SEL_OS | BPMU_IBS_SEL_RANDOM;

	if (caps & BPMU_IBS_ZEN4)
		legal |= BPMU_IBS_SEL_L3_MISS;
	if (caps & BPMU_IBS_CTL2 && caps & BPMU_IBS_FETCH_LATENCY)
		legal |= BPMU_IBS_SEL_FETCH_LATENCY;
	return legal;
}

/**
 * bpmu_ibs_fetch_ctl() - bits of IBS_FETCH_CTL for the event select of fetches
 * @select: a legal event select
 *
 * Context: any.
 * Return: the bits that say what is sampled, without maximum count and enable bit.
 */
u64 bpmu_ibs_fetch_ctl(u64 select)
{
	return (select & BPMU_IBS_SEL_RANDOM ? BPMU_IBS_FETCH_RANDOM : 0) |
	       (select & BPMU_IBS_SEL_L3_MISS ? BPMU_IBS_FETCH_L3_MISS : 0);
}

/**
 * bpmu_ibs_fetch_ctl2() - value of IBS_FETCH_CTL2 for the event select of fetches
 * @select: a legal event select
 *
 * Context: any.
 * Return: the value, with which fetches are sampled if IBS_FETCH_CTL is enabled.
 */
u64 bpmu_ibs_fetch_ctl2(u64 select)
{
	return (select & BPMU_IBS_SEL_FETCH_LATENCY) >> BPMU_IBS_SEL_LATENCY_SHIFT <<
	       BPMU_IBS_FETCH_LATENCY_SHIFT;
}

/**
 * bpmu_ibs_fetch_max() - bits of IBS_FETCH_CTL with the maximum count of fetches
 * @period: number of fetches, a multiple of BPMU_IBS_STEP, at most BPMU_IBS_FETCH_LONGEST
 *
 * Context: any.
 * Return: the bits.
 */
u64 bpmu_ibs_fetch_max(u64 period)
{
	return period / BPMU_IBS_STEP & BPMU_IBS_FETCH_MAX;
}

/**
 * bpmu_ibs_has_1197() - check if IBS has erratum 1197: a sampled fetch may have address 0
 * @family: family of the CPU
 * @model: model of the CPU
 *
 * Such a sample is not valid (Linux, ibs.c).
 *
 * Context: any.
 * Return: nonzero if it has.
 */
int bpmu_ibs_has_1197(u32 family, u32 model)
{
	return family == FAMILY_19H && model <= LAST_WITH_1197;
}

/* Returns the size in bytes of the page that a fetch has read from; 0 if it is not known. */
static u32 page_of(u64 ctl)
{
	static const u32 sizes[] = { 4 << 10, 2 << 20, 1 << 30, 0 };

	return ctl & FETCH_PHYSICAL ? sizes[ctl >> FETCH_PAGE_SHIFT & 3] : 0;
}

/**
 * bpmu_ibs_fetch_decode() - convert the registers of a fetch that IBS has sampled
 * @caps: what IBS can do, from bpmu_ibs_usable()
 * @sample: the registers
 * @fetched: set to what they say
 *
 * Context: any.
 */
void bpmu_ibs_fetch_decode(u32 caps, const struct bpmu_ibs_fetch *sample,
			   struct bpmu_fetched *fetched)
{
	u64 ctl = sample->ctl;

	fetched->flags = flag(ctl, FETCH_COMPLETE, BPMU_FETCHED_COMPLETE) |
			 flag(ctl, FETCH_L1_MISS, BPMU_FETCHED_L1_MISS) |
			 flag(ctl, FETCH_L2_MISS, BPMU_FETCHED_L2_MISS) |
			 flag(ctl, FETCH_L1_TLB_MISS, BPMU_FETCHED_TLB_MISS) |
			 flag(ctl, FETCH_L2_TLB_MISS, BPMU_FETCHED_TLB2_MISS) |
			 flag(caps, BPMU_IBS_FETCH_EXT, BPMU_FETCHED_REFILL);
	if (caps & BPMU_IBS_ZEN4)
		fetched->flags |= BPMU_FETCHED_ZEN4 |
				  flag(ctl, FETCH_UOP_CACHE_MISS, BPMU_FETCHED_UOP_CACHE_MISS) |
				  flag(ctl, FETCH_L3_MISS, BPMU_FETCHED_L3_MISS);
	fetched->latency = ctl >> 32 & 0xffff;
	fetched->refill = caps & BPMU_IBS_FETCH_EXT ? sample->ext & 0xffff : 0;
	fetched->page = page_of(ctl);
	fetched->pad = 0;
}
