// SPDX-License-Identifier: GPL-2.0
/*
 * The hardware prefetchers of the L1D: next-line and IP. prefetch_l2.c names the manual that
 * describes them.
 */
#include "hierarchy.h"
#include "memory.h"

/*
 * The IP prefetcher handles strides below 2 KB (Intel's Optimization Reference Manual). The number
 * of repetitions of a stride before it prefetches is not published.
 */
#define STRIDE_LIMIT 2048
#define STRIDE_SEEN 2

/*
 * Prefetches a line if at least half of the fill buffers are free. The manual's condition is that
 * not many load misses are in progress.
 */
static void prefetch_into_l1(struct vcore_memory *memory, uint64_t cycle, uint64_t line,
			     struct vcore_counts *counts)
{
	if (vcore_fills_free(memory, cycle, (memory->params->fills + 1) / 2))
		vcore_fills_prefetch(memory, cycle, line, false, counts);
}

static uint64_t page_of(uint64_t pa)
{
	return pa >> VCORE_PAGE_SHIFT;
}

/*
 * The next-line prefetcher: prefetches the next line when a line is read twice at ascending
 * offsets.
 */
static void prefetch_next_line(struct vcore_memory *memory, uint64_t cycle, uint64_t pa,
			       struct vcore_counts *counts)
{
	uint64_t line = pa >> VCORE_LINE_SHIFT;
	unsigned int offset = pa % (1 << VCORE_LINE_SHIFT);
	struct vcore_ascent *ascent;
	bool ascends;

	ascent = &memory->prefetch.ascent[line % VCORE_ASCENTS];
	if (ascent->line != line) {
		*ascent = (struct vcore_ascent){ line, offset, false };
		return;
	}
	ascends = offset > ascent->offset;
	ascent->offset = offset;
	if (!ascends || ascent->fired)
		return;
	ascent->fired = true;
	if ((line + 1) % VCORE_PAGE_LINES)
		prefetch_into_l1(memory, cycle, line + 1, counts);
}

/*
 * The IP prefetcher: if a load instruction repeats its stride, prefetches the line that the
 * instruction will read next.
 */
static void prefetch_by_stride(struct vcore_memory *memory, uint64_t cycle, uint64_t pc,
			       uint64_t pa, struct vcore_counts *counts)
{
	struct vcore_stride *s = &memory->prefetch.stride[pc % VCORE_STRIDES];
	int64_t stride = pa - s->last;
	uint64_t next = pa + stride;

	if (s->pc != pc) {
		*s = (struct vcore_stride){ .pc = pc, .last = pa };
		return;
	}
	s->last = pa;
	if (stride != s->stride) {
		s->stride = stride;
		s->seen = 0;
	} else if (s->seen < STRIDE_SEEN) {
		s->seen++;
	}
	if (!stride || s->seen < STRIDE_SEEN || stride >= STRIDE_LIMIT ||
	    stride <= -STRIDE_LIMIT || page_of(next) != page_of(pa) ||
	    next >> VCORE_LINE_SHIFT == pa >> VCORE_LINE_SHIFT)
		return;
	prefetch_into_l1(memory, cycle, next >> VCORE_LINE_SHIFT, counts);
}

/**
 * vcore_prefetch_load() - train and trigger the hardware prefetchers of the L1D by a load
 * @memory: memory of the core
 * @cycle: current cycle
 * @pc: address of the load instruction
 * @pa: physical address that the instruction read
 * @counts: counts to which the events of prefetches are added
 */
void vcore_prefetch_load(struct vcore_memory *memory, uint64_t cycle,
			 uint64_t pc, uint64_t pa, struct vcore_counts *counts)
{
	unsigned int off = memory->prefetch.off;

	if (!(off & VCORE_PREFETCH_L1_NEXT))
		prefetch_next_line(memory, cycle, pa, counts);
	if (!(off & VCORE_PREFETCH_L1_IP))
		prefetch_by_stride(memory, cycle, pc, pa, counts);
}
