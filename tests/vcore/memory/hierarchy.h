/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of a core's memory share.
 *
 *   memory.c     its interface: accesses
 *   snoops.c     lines that others read or took
 *   fills.c      the L1D and its fill buffers
 *   l2.c         the L2 and what it asks of the package
 *   victims.c    lines that left, until the L3 is told
 *   transfers.c  what it asks of the memory controller
 *   tlb.c        TLBs and page walks
 *   prefetch_l1.c, prefetch_l2.c  hardware prefetchers
 *
 * Lines and TLB entries are in their tags from the moment that they are asked
 * for, marked VCORE_PENDING; whoever asked for them knows until when.
 */
#ifndef VCORE_HIERARCHY_H
#define VCORE_HIERARCHY_H

#include <stddef.h>

#include "base/counts.h"
#include "base/params.h"
#include "base/trace.h"
#include "cache.h"
#include "reply.h"
#include "requests.h"
#include "shared.h"
#include "snoop_queue.h"
#include "tracker.h"

#define VCORE_VICTIMS 4
#define VCORE_WALKS 8
#define VCORE_CODE_FILLS 8
#define VCORE_LOST 64
#define VCORE_AWAITED 1024
#define VCORE_STREAMS 32
#define VCORE_STREAM_PAGES 1024
#define VCORE_STRIDES 256
#define VCORE_ASCENTS 16
#define VCORE_PAGE_LINES (1u << (VCORE_PAGE_SHIFT - VCORE_LINE_SHIFT))

#define VCORE_NO_PAGE UINT64_MAX

/**
 * struct vcore_tlb - a first TLB
 * @cache: its pages
 * @latest: the page that was used last, VCORE_NO_PAGE while it may be under way
 */
struct vcore_tlb {
	struct vcore_cache cache;
	uint64_t latest;
};

/**
 * struct vcore_tlbs - TLBs and walker
 * @itlb: of code
 * @dtlb: of data
 * @stlb: of both
 * @directory: page-directory entries, so that a walk reads one table only
 * @walk: latest walks
 * @walks: number of walks
 * @free: cycle in which the walker is free
 */
struct vcore_tlbs {
	struct vcore_tlb itlb;
	struct vcore_tlb dtlb;
	struct vcore_cache stlb;
	struct vcore_cache directory;
	struct vcore_fill walk[VCORE_WALKS];
	unsigned int walks;
	uint64_t free;
};

/**
 * struct vcore_stream - lines of a page that are asked for one after the other
 * @page: physical, or VCORE_NO_PAGE
 * @last: line of the page that was asked for last
 * @next: line of the page to be prefetched next
 * @direction: 1, -1, or 0 before there is one
 * @seen: lookups in that direction, in a row
 * @is_new: the page was not asked for before
 */
struct vcore_stream {
	uint64_t page;
	int last;
	int next;
	int direction;
	unsigned int seen;
	bool is_new;
};

/**
 * struct vcore_stride - a load instruction
 * @pc: its address
 * @last: physical address that it read last
 * @stride: from the one before
 * @seen: how often the stride was the same, in a row
 */
struct vcore_stride {
	uint64_t pc;
	uint64_t last;
	int64_t stride;
	unsigned int seen;
};

/**
 * struct vcore_ascent - a line that was read lately
 * @line: which
 * @offset: of the latest read in it
 * @fired: the next line was asked for
 */
struct vcore_ascent {
	uint64_t line;
	unsigned int offset;
	bool fired;
};

/**
 * struct vcore_presence - filter of streams, by the low bits of their page
 * @streams: number of streams whose pages have these bits; 0 proves absence
 * @latest: number of the one among them that was used last
 */
struct vcore_presence {
	uint8_t streams;
	uint8_t latest;
};

/**
 * struct vcore_prefetch - state of the hardware prefetchers
 * @off: those that are off, VCORE_PREFETCH_...
 * @order: numbers of streams, a byte each, the latest used first
 * @presence: by the low bits of a page
 * @stream: L2
 * @stride: L1, by instruction
 * @ascent: L1, next line
 */
struct vcore_prefetch {
	unsigned int off;
	uint64_t order[VCORE_STREAMS / VCORE_HINTS];
	struct vcore_presence presence[VCORE_STREAM_PAGES];
	struct vcore_stream stream[VCORE_STREAMS];
	struct vcore_stride stride[VCORE_STRIDES];
	struct vcore_ascent ascent[VCORE_ASCENTS];
};

/**
 * struct vcore_victims - lines evicted from the L2, the oldest first
 * @line: line addresses (address / 64), [nr]
 * @dirty: the line was modified and must be written back, [nr]
 * @nr: lines queued
 * @filter: bit (line % 64) is set for each queued line; a clear bit proves absence
 *
 * They are handed to the shared L3 a few accesses later. The delay lets a prefetch on
 * the host bring in what the L3 keeps of their sets.
 */
struct vcore_victims {
	uint64_t line[VCORE_VICTIMS];
	bool dirty[VCORE_VICTIMS];
	unsigned int nr;
	uint64_t filter;
};

/* lines of the same set of the L3 have the same bit, whatever sets it has */
static inline uint64_t vcore_victims_bit(uint64_t line)
{
	return 1ull << line % 64;
}

/**
 * struct vcore_memory - what a core has
 * @params: the part's
 * @ideal: what is perfect
 * @core: its number
 * @shared: the package
 * @box: what others did to its lines
 * @victims: lines evicted lately
 * @l1i: cache
 * @l1d: cache
 * @l2: cache
 * @tlbs: translation
 * @prefetch: hardware prefetchers
 * @fills: fill buffers of the L1D
 * @gathered: those that gather a line
 * @full: cycle until which a refused access was told to wait
 * @taken: cycle before which no fill buffer gets free, none of them gathers
 * @awaited: by the low bits of a line: loads that were refused and wait
 * @came: so many times a line got a buffer for which one may wait
 * @latest: the latest of them
 * @code: lines of code under way
 * @code_fills: number of such lines
 * @requests: superqueue of the L2
 * @controller: of memory
 * @outstanding: what its tracker had counted when this core looked last
 * @missed: fill buffers that a demand load waits for
 * @reads: data reads beyond the L2
 * @advanced: cycles before it are counted
 * @lost: ring of lines that others took
 * @nr_lost: taken
 * @told: of them, told
 */
struct vcore_memory {
	const struct vcore_memory_params *params;
	const struct vcore_params *part;
	const struct vcore_ideal *ideal;
	unsigned int core;
	struct vcore_shared *shared;
	struct vcore_snoop_queue *snoops;
	struct vcore_victims victims;
	struct vcore_cache l1i;
	struct vcore_cache l1d;
	struct vcore_cache l2;
	struct vcore_tlbs tlbs;
	struct vcore_prefetch prefetch;
	struct vcore_requests fills;
	unsigned int gathered;
	uint64_t full;
	uint64_t taken;
	uint16_t awaited[VCORE_AWAITED];
	uint64_t came;
	uint64_t latest;
	struct vcore_fill code[VCORE_CODE_FILLS];
	unsigned int code_fills;
	struct vcore_requests requests;
	struct vcore_controller *controller;
	uint64_t outstanding[VCORE_TRACKER_ENTRIES + 1];
	struct vcore_occupancy missed;
	struct vcore_occupancy reads;
	uint64_t advanced;
	uint64_t lost[VCORE_LOST];
	uint64_t nr_lost;
	uint64_t told;
};

/* who asks the L2 */
enum vcore_asker {
	VCORE_BY_READ,		/* load, and the L1D's prefetchers */
	VCORE_BY_RFO,		/* store */
	VCORE_BY_CODE,
	VCORE_BY_WALK,
	VCORE_BY_PREFETCH	/* the L2's own prefetchers */
};

/**
 * struct vcore_arrival - a line that the L2 delivers
 * @done: cycle in which it is there
 * @from: where it was
 * @owned: it may be written
 * @hit: the L2 had it, as it was asked for
 */
struct vcore_arrival {
	uint64_t done;
	enum vcore_level from;
	bool owned;
	bool hit;
};

/**
 * struct vcore_lookup - what the L1D has of a line
 * @line: number
 * @entry: its entry, or NULL
 * @fill: if the entry will not do: the buffer in which it comes, or NULL
 * @needed: buffers that an access to it takes, 0 or 1
 */
struct vcore_lookup {
	uint64_t line;
	uint64_t *entry;
	struct vcore_fill *fill;
	unsigned int needed;
};

/**
 * struct vcore_found - a line that is read or written
 * @done: cycle in which it is there
 * @level: &enum vcore_level, where it is
 * @from: the same, or where a fill under way comes from
 */
struct vcore_found {
	uint64_t done;
	uint8_t level;
	uint8_t from;
};

/* snoops.c */
void vcore_snoops_read(struct vcore_memory *memory,
		       struct vcore_counts *counts);
void vcore_snoops_empty(struct vcore_memory *memory);

/* fills.c */
struct vcore_lookup vcore_fills_look(struct vcore_memory *memory, uint64_t cycle,
				    uint64_t line, bool store);
bool vcore_fills_free(const struct vcore_memory *memory, uint64_t cycle,
		      unsigned int wanted);
uint64_t vcore_fills_wait(struct vcore_memory *memory, uint64_t cycle,
			  struct vcore_counts *counts);
struct vcore_found vcore_fills_access(struct vcore_memory *memory,
				      uint64_t cycle, uint64_t ready,
				      const struct vcore_lookup *lookup,
				      bool store, struct vcore_counts *counts);
void vcore_fills_prefetch(struct vcore_memory *memory, uint64_t cycle,
			  uint64_t line, bool store,
			  struct vcore_counts *counts);
void vcore_fills_stream(struct vcore_memory *memory, uint64_t cycle,
			uint64_t line, unsigned int bytes);
bool vcore_fills_streams(struct vcore_memory *memory, uint64_t line);

/* l2.c */
struct vcore_arrival vcore_l2_access(struct vcore_memory *memory,
				     uint64_t cycle, uint64_t line,
				     enum vcore_asker by,
				     struct vcore_counts *counts);
bool vcore_l2_prefetch(struct vcore_memory *memory, uint64_t cycle,
		       uint64_t line, struct vcore_counts *counts);
void vcore_l2_victim(struct vcore_memory *memory, uint64_t cycle,
		     uint64_t entry, struct vcore_counts *counts);

/* victims.c */
void vcore_victims_tell(struct vcore_memory *memory);
void vcore_victims_put(struct vcore_memory *memory, uint64_t line, bool dirty);

/* before the L3 is asked for a line, it is told of the victims of its set */
static inline void vcore_victims_before(struct vcore_memory *memory,
					uint64_t line)
{
	if (memory->victims.filter & vcore_victims_bit(line))
		vcore_victims_tell(memory);
}

/* transfers.c */
struct vcore_controller *vcore_transfers_of(struct vcore_memory *memory);
void vcore_transfers_leave(struct vcore_memory *memory);
uint64_t vcore_transfers_read(struct vcore_memory *memory, uint64_t cycle,
			      uint64_t line);
uint64_t vcore_transfers_prefetch(struct vcore_memory *memory, uint64_t cycle,
				  uint64_t line);
uint64_t vcore_transfers_write(struct vcore_memory *memory, uint64_t cycle);
bool vcore_transfers_has_room(const struct vcore_memory *memory,
			      uint64_t cycle);
uint64_t vcore_transfers_late(const struct vcore_memory *memory,
			      uint64_t cycle, uint64_t line);
void vcore_transfers_lookup(struct vcore_memory *memory, uint64_t line,
			    bool store, bool hit);
void vcore_transfers_advance(struct vcore_memory *memory, uint64_t cycle,
			     struct vcore_counts *counts);
void vcore_transfers_joined(struct vcore_memory *memory);
void vcore_transfers_traffic(const struct vcore_memory *memory,
			     struct vcore_traffic *seen);

/* tlb.c */
void vcore_tlb_init(struct vcore_memory *memory);
void vcore_tlb_free(struct vcore_memory *memory);
uint64_t vcore_tlb_data(struct vcore_memory *memory, uint64_t cycle,
			uint64_t va, bool store, struct vcore_counts *counts,
			struct vcore_reply *reply);
uint64_t vcore_tlb_code(struct vcore_memory *memory, uint64_t cycle,
			uint64_t va, struct vcore_counts *counts,
			struct vcore_reply *reply);

/* prefetch_l2.c */
void vcore_prefetch_init(struct vcore_memory *memory);
struct vcore_arrival vcore_prefetch_access(struct vcore_memory *memory,
					   uint64_t cycle, uint64_t line,
					   enum vcore_asker by,
					   struct vcore_counts *counts);

/* prefetch_l1.c */
void vcore_prefetch_load(struct vcore_memory *memory, uint64_t cycle,
			 uint64_t pc, uint64_t pa, struct vcore_counts *counts);

/* the entry of a queue for a line that is there last, if after a cycle */
static inline struct vcore_fill *vcore_under_way(struct vcore_fill *queue,
						 unsigned int entries,
						 uint64_t line, uint64_t cycle)
{
	struct vcore_fill *found = NULL;
	unsigned int i;

	for (i = 0; i < entries; i++)
		if (queue[i].line == line && queue[i].done > cycle &&
		    (!found || queue[i].done > found->done))
			found = &queue[i];
	return found;
}

#endif /* VCORE_HIERARCHY_H */
