/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interfaces between the files of a core's memory hierarchy.
 *
 *   memory.c     accesses, the interface to the core
 *   snoops.c     snoops from other cores
 *   fills.c      the L1D and its fill buffers
 *   l2.c         the L2 and its requests to the package
 *   victims.c    lines evicted from the L2, until the L3 is informed
 *   transfers.c  requests to the memory controller
 *   tlb.c        TLBs and page walks
 *   prefetch_l1.c, prefetch_l2.c  hardware prefetchers
 *
 * A line or a TLB entry is inserted when it is requested, in state VCORE_PENDING. The cycle in
 * which it arrives is in the queue that holds the request.
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
 * struct vcore_tlb - a first-level TLB of code or of data
 * @cache: the TLB as a cache, whose tags are page numbers
 * @latest: number of the page that was used last, or VCORE_NO_PAGE if its walk may still be in
 *	progress
 */
struct vcore_tlb {
	struct vcore_cache cache;
	uint64_t latest;
};

/**
 * struct vcore_tlbs - TLBs and page walker
 * @itlb: first-level TLB of code
 * @dtlb: first-level TLB of data
 * @stlb: second-level TLB of code and data
 * @directory: cache of page-directory entries; a walk that hits it reads only the last table
 * @walk: ring buffer of the latest walks
 * @walks: number of page walks since power-on
 * @free: first cycle in which the page walker is free
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
 * struct vcore_stream - accesses to a page in one direction, as the L2 streamer tracks them
 * @page: physical page number, or VCORE_NO_PAGE
 * @last: index in the page of the line requested last
 * @next: index in the page of the line that is prefetched next
 * @direction: 1 for ascending, -1 for descending lines; 0 if not known yet
 * @seen: number of consecutive lookups that went in @direction
 * @is_new: true if the current lookup is the first one in the page
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
 * struct vcore_stride - a load instruction, as the L1 IP prefetcher tracks it
 * @pc: address of the instruction
 * @last: physical address of the instruction's latest access
 * @stride: difference of the instruction's two latest addresses, in bytes
 * @seen: number of times that @stride has been repeated in a row
 */
struct vcore_stride {
	uint64_t pc;
	uint64_t last;
	int64_t stride;
	unsigned int seen;
};

/**
 * struct vcore_ascent - a line that was read recently, as the L1 next-line prefetcher tracks it
 * @line: line address / 64
 * @offset: offset of the latest read in the line, in bytes
 * @fired: the next line has been prefetched
 */
struct vcore_ascent {
	uint64_t line;
	unsigned int offset;
	bool fired;
};

/**
 * struct vcore_presence - filter by which the L2 streamer avoids most searches for a page's stream
 * @streams: number of streams whose page number has the same low bits; if 0, the page has no stream
 * @latest: index of the one of these streams that was used last
 */
struct vcore_presence {
	uint8_t streams;
	uint8_t latest;
};

/**
 * struct vcore_prefetch - state of the hardware prefetchers
 * @off: mask of VCORE_PREFETCH_...: the prefetchers that are turned off
 * @order: indices in @stream in LRU order, the most recently used first, a byte each
 * @presence: [page % VCORE_STREAM_PAGES], filter of the L2 streamer
 * @stream: [VCORE_STREAMS], streams of the L2 streamer
 * @stride: [pc % VCORE_STRIDES], load instructions that the L1 IP prefetcher tracks
 * @ascent: [line % VCORE_ASCENTS], lines that the L1 next-line prefetcher tracks
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
 * struct vcore_victims - victim queue: the lines that the L2 has evicted last, oldest first
 * @line: [@nr], line address / 64
 * @dirty: [@nr], true if the line was modified and must be written back
 * @nr: number of queued lines
 * @filter: has bit (line % 64) for each queued line; if the bit is 0, the line is not queued
 *
 * The shared L3 is informed of an eviction a few accesses later. In the meantime the host has time
 * to prefetch the tags of the L3 set into its own cache.
 */
struct vcore_victims {
	uint64_t line[VCORE_VICTIMS];
	bool dirty[VCORE_VICTIMS];
	unsigned int nr;
	uint64_t filter;
};

/*
 * Returns the bit of &vcore_victims.filter for a line. If the L3 has at least 64 sets, all lines of
 * an L3 set have the same bit.
 */
static inline uint64_t vcore_victims_bit(uint64_t line)
{
	return 1ull << line % 64;
}

/**
 * struct vcore_memory - memory hierarchy of a core
 * @params: sizes and latencies of caches, TLBs and memory; part of @part
 * @part: all sizes and latencies of the core
 * @ideal: units that are simulated as perfect
 * @core: number of the core in the package
 * @shared: state of the package, which its cores share
 * @snoops: queue of snoops from other cores
 * @victims: victim queue
 * @l1i: L1 instruction cache
 * @l1d: L1 data cache
 * @l2: L2 cache
 * @tlbs: TLBs and page walker
 * @prefetch: hardware prefetchers
 * @fills: fill buffers of the L1D
 * @gathered: number of fill buffers that gather non-temporal stores
 * @full_counted: cycle up to which VCORE_FILLS_FULL has been counted
 * @full_until: if all fill buffers are in use, the first cycle in which one can become free; 0 if
 *	not known
 * @awaited: [line % VCORE_AWAITED], number of refused loads that wait for a line with this index
 * @awaited_fills: number of fill buffers that were allocated for lines with @awaited greater than 0
 * @latest_awaited: line for which @awaited_fills was last increased
 * @code: ring buffer of the latest fills of code lines
 * @code_fills: number of fills of code lines since power-on
 * @requests: superqueue of the L2
 * @controller: memory controller
 * @outstanding: [k], number of cycles with k outstanding requests that the tracker had at the
 *	core's last reading
 * @missed: number of fill buffers that demand loads wait for, by cycle
 * @reads: number of superqueue entries that data reads use, by cycle
 * @advanced: cycle up to which @missed and @reads have been added to the counts
 * @lost: ring buffer of lines that another core's snoops have invalidated
 * @nr_lost: number of lines added to @lost since power-on
 * @reported: number of the lines of @lost that vcore_memory_invalidated() has reported
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
	uint64_t full_counted;
	uint64_t full_until;
	uint16_t awaited[VCORE_AWAITED];
	uint64_t awaited_fills;
	uint64_t latest_awaited;
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
	uint64_t reported;
};

/* What a request to the L2 is made for. */
enum vcore_requester {
	VCORE_BY_READ,		/* loads and prefetches of the L1D */
	VCORE_BY_RFO,		/* stores */
	VCORE_BY_CODE,
	VCORE_BY_WALK,
	VCORE_BY_PREFETCH	/* prefetches of the L2 */
};

/**
 * struct vcore_arrival - reply of the L2 to a request for a line
 * @done: cycle in which the line arrives
 * @from: level that delivers the line
 * @owned: true if the core owns the line and may write it
 * @hit: true if the L2 had the line in the requested state
 */
struct vcore_arrival {
	uint64_t done;
	enum vcore_level from;
	bool owned;
	bool hit;
};

/**
 * struct vcore_lookup - result of a lookup of a line in the L1D and its fill buffers
 * @line: line address / 64
 * @entry: entry of the line in the L1D, or NULL
 * @fill: fill buffer that waits for the line, or that gathers non-temporal stores to it; NULL if
 *	there is none, or if the L1D can serve the access
 * @needed: number of free fill buffers that the access needs: 0 or 1
 */
struct vcore_lookup {
	uint64_t line;
	uint64_t *entry;
	struct vcore_fill *fill;
	unsigned int needed;
};

/**
 * struct vcore_found - result of an access to a line
 * @done: cycle in which the line is available
 * @level: &enum vcore_level that the access hit
 * @from: &enum vcore_level that delivers the line: the source of the fill if @level is
 *	VCORE_AT_FILL, else @level
 */
struct vcore_found {
	uint64_t done;
	uint8_t level;
	uint8_t from;
};

/* Defined in snoops.c: */
void vcore_snoops_read(struct vcore_memory *memory,
		       struct vcore_counts *counts);
void vcore_snoops_empty(struct vcore_memory *memory);

/* Defined in fills.c: */
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
bool vcore_fills_gathers(struct vcore_memory *memory, uint64_t line);

/* Defined in l2.c: */
struct vcore_arrival vcore_l2_access(struct vcore_memory *memory,
				     uint64_t cycle, uint64_t line,
				     enum vcore_requester by,
				     struct vcore_counts *counts);
bool vcore_l2_prefetch(struct vcore_memory *memory, uint64_t cycle,
		       uint64_t line, struct vcore_counts *counts);
void vcore_l2_victim(struct vcore_memory *memory, uint64_t cycle,
		     uint64_t entry, struct vcore_counts *counts);

/* Defined in victims.c: */
void vcore_victims_flush(struct vcore_memory *memory);
void vcore_victims_put(struct vcore_memory *memory, uint64_t line, bool dirty);

/*
 * Reports the lines in the victim queue to the L3, if one of them may be in the same L3 set as
 * @line. Must be called before the L3 is accessed for @line.
 */
static inline void vcore_victims_flush_before(struct vcore_memory *memory,
					      uint64_t line)
{
	if (memory->victims.filter & vcore_victims_bit(line))
		vcore_victims_flush(memory);
}

/* Defined in transfers.c: */
struct vcore_controller *vcore_transfers_controller(struct vcore_memory *memory);
void vcore_transfers_leave(struct vcore_memory *memory);
uint64_t vcore_transfers_read(struct vcore_memory *memory, uint64_t cycle,
			      uint64_t line);
uint64_t vcore_transfers_prefetch(struct vcore_memory *memory, uint64_t cycle,
				  uint64_t line);
uint64_t vcore_transfers_write(struct vcore_memory *memory, uint64_t cycle);
bool vcore_transfers_has_room(const struct vcore_memory *memory,
			      uint64_t cycle);
uint64_t vcore_transfers_in_progress(const struct vcore_memory *memory,
				     uint64_t cycle, uint64_t line);
void vcore_transfers_lookup(struct vcore_memory *memory, uint64_t line,
			    enum vcore_request request, bool hit, uint64_t cycles);
void vcore_transfers_advance(struct vcore_memory *memory, uint64_t cycle,
			     struct vcore_counts *counts);
void vcore_transfers_joined(struct vcore_memory *memory);
void vcore_transfers_traffic(const struct vcore_memory *memory,
			     struct vcore_traffic *seen);

/* Defined in tlb.c: */
void vcore_tlb_init(struct vcore_memory *memory);
void vcore_tlb_free(struct vcore_memory *memory);
uint64_t vcore_tlb_data(struct vcore_memory *memory, uint64_t cycle,
			uint64_t va, bool store, struct vcore_counts *counts,
			struct vcore_reply *reply);
bool vcore_tlb_has_data(const struct vcore_memory *memory, uint64_t va);
uint64_t vcore_tlb_code(struct vcore_memory *memory, uint64_t cycle,
			uint64_t va, struct vcore_counts *counts,
			struct vcore_reply *reply);

/* Defined in prefetch_l2.c: */
void vcore_prefetch_init(struct vcore_memory *memory);
struct vcore_arrival vcore_prefetch_access(struct vcore_memory *memory,
					   uint64_t cycle, uint64_t line,
					   enum vcore_requester by,
					   struct vcore_counts *counts);

/* Defined in prefetch_l1.c: */
void vcore_prefetch_load(struct vcore_memory *memory, uint64_t cycle,
			 uint64_t pc, uint64_t pa, struct vcore_counts *counts);

/*
 * Among the elements of a queue for @line that are done after @cycle, returns the one that is done
 * last. Returns NULL if there is none.
 */
static inline struct vcore_fill *vcore_fill_in_progress(struct vcore_fill *queue,
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
