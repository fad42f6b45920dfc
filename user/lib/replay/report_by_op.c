// SPDX-License-Identifier: GPL-2.0
#include "report_by_op.h"

#include <stdio.h>

/* Size in bytes of a cache line of the parts that have IBS */
#define LINE 64

/**
 * bpmu_by_ops_add() - add a sampled op to sums over ops
 * @ops: the sums
 * @op: the op; NULL if the interrupt has none, which is not counted
 */
void bpmu_by_ops_add(struct bpmu_by_ops *ops, const struct bpmu_tagged_op *op)
{
	bool load;

	if (!op)
		return;
	load = op->flags & BPMU_TAGGED_LOAD;
	ops->nr++;
	ops->accesses += !!(op->flags & BPMU_TAGGED_BY_PEBS);
	ops->loads += load;
	ops->stores += !!(op->flags & BPMU_TAGGED_STORE);
	ops->locked += !!(op->flags & BPMU_TAGGED_LOCKED);
	ops->modified += !!(op->flags & BPMU_TAGGED_MODIFIED);
	if (!load)
		return;
	ops->missed_l1 += !!(op->flags & BPMU_TAGGED_L1_MISS);
	ops->source[op->source < BPMU_SOURCES ? op->source : BPMU_SOURCE_UNKNOWN]++;
	ops->waited += op->latency > 0;
	ops->latency += op->latency;
}

/**
 * bpmu_by_ops_from() - number of loads that found their data in one of several places
 * @ops: sums over ops
 * @first: the first of these places
 * @last: the last of them
 */
u64 bpmu_by_ops_from(const struct bpmu_by_ops *ops, enum bpmu_source first,
		     enum bpmu_source last)
{
	unsigned int i;
	u64 sum = 0;

	for (i = first; i <= last; i++)
		sum += ops->source[i];
	return sum;
}

/**
 * bpmu_by_op_source() - name the place where a sampled op found its data, a key of --by source
 * @op: the op, NULL if the interrupt has none
 */
const char *bpmu_by_op_source(const struct bpmu_tagged_op *op)
{
	static const char *const names[] = {
		[BPMU_SOURCE_UNKNOWN] = "[load, source not known]",
		[BPMU_SOURCE_L1] = "L1",
		[BPMU_SOURCE_L2] = "L2",
		[BPMU_SOURCE_L3] = "L3",
		[BPMU_SOURCE_NEAR_CACHE] = "cache of another core complex",
		[BPMU_SOURCE_REMOTE_CACHE] = "cache of another node",
		[BPMU_SOURCE_MEMORY] = "memory",
		[BPMU_SOURCE_REMOTE_MEMORY] = "memory of another node",
		[BPMU_SOURCE_PERSISTENT] = "persistent memory",
		[BPMU_SOURCE_EXTENSION] = "CXL memory",
		[BPMU_SOURCE_PEER] = "peer agent",
		[BPMU_SOURCE_IO] = "device",
		[BPMU_SOURCE_FILL_BUFFER] = "line on its way",
		[BPMU_SOURCE_MEMORY_CACHE] = "cache of the memory",
	};

	if (!op)
		return "[no op]";
	if (op->flags & BPMU_TAGGED_LOAD)
		return names[op->source < BPMU_SOURCES ? op->source : BPMU_SOURCE_UNKNOWN];
	if (!(op->flags & BPMU_TAGGED_STORE))
		return "[no load or store]";
	if (op->flags & BPMU_TAGGED_L1_MISS)
		return "[store, missed the L1]";
	return op->source == BPMU_SOURCE_L1 ? "[store, hit the L1]" : "[store]";
}

/**
 * bpmu_by_op_line() - name the cache line that a sampled op loads or stores, a key of --by cacheline
 * @key: memory for the name
 * @op: the op, NULL if the interrupt has none
 * @who: the interrupted task
 *
 * Two processes may have different memory at the same address. The kernel's memory is one for all.
 *
 * Return: the name, which may be in @key.
 */
const char *bpmu_by_op_line(char key[BPMU_BY_OP_KEY], const struct bpmu_tagged_op *op,
			    const struct bpmu_who *who)
{
	u64 line;

	if (!op || !(op->flags & BPMU_TAGGED_ADDRESS))
		return "[no data]";
	if (!op->address)
		return "[hidden]";
	line = op->address & -(u64)LINE;
	if (line >> 63)
		snprintf(key, BPMU_BY_OP_KEY, "0x%llx kernel", line);
	else
		snprintf(key, BPMU_BY_OP_KEY, "0x%llx %u", line, who->tgid);
	return key;
}
