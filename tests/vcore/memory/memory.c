// SPDX-License-Identifier: GPL-2.0
#include "memory.h"

#include <stdlib.h>
#include <string.h>

#include "hierarchy.h"

/*
 * The Top-Down trees count the cycles with at least this many outstanding reads, by the event
 * OFFCORE_REQUESTS_OUTSTANDING: 4 on Skylake, 6 on Ivy Bridge.
 */
#define SEVERAL_READS 4
#define MANY_READS 6

/*
 * Mask of the prefetchers that Knights Corner, the in-order core, lacks: it has only the L2
 * streamer.
 */
#define NOT_IN_ORDER (VCORE_PREFETCH_L2_ADJACENT | VCORE_PREFETCH_L1_NEXT | \
		      VCORE_PREFETCH_L1_IP)

/**
 * vcore_memory_new() - create the memory hierarchy of a core, with empty caches
 * @params: sizes and latencies of the core
 * @ideal: units that are simulated as perfect
 * @core: number of the core in the package, below VCORE_MAX_CORES
 *
 * Return: the memory hierarchy, never NULL; vcore_memory_free() frees it.
 */
struct vcore_memory *vcore_memory_new(const struct vcore_params *params,
				      const struct vcore_ideal *ideal,
				      unsigned int core)
{
	struct vcore_memory *memory = calloc(1, sizeof(*memory));

	if (!memory)
		abort();
	memory->part = params;
	memory->params = &params->memory;
	memory->ideal = ideal;
	memory->core = core;
	memory->shared = vcore_shared_join(params, core);
	memory->snoops = vcore_shared_snoops(memory->shared, core);
	vcore_cache_init(&memory->l1i, &params->memory.l1i, false);
	vcore_cache_init(&memory->l1d, &params->memory.l1d, false);
	vcore_cache_init(&memory->l2, &params->memory.l2, false);
	vcore_requests_init(&memory->fills, params->memory.fills);
	vcore_requests_init(&memory->requests, params->memory.l2_requests);
	memory->controller = vcore_transfers_controller(memory);
	vcore_tlb_init(memory);
	vcore_prefetch_init(memory);
	vcore_memory_prefetchers(memory, 0);
	return memory;
}

/**
 * vcore_memory_free() - free the memory hierarchy of a core
 * @memory: memory of the core
 */
void vcore_memory_free(struct vcore_memory *memory)
{
	vcore_snoops_empty(memory);
	vcore_transfers_leave(memory);
	vcore_shared_leave(memory->shared, memory->core);
	vcore_cache_free(&memory->l1i);
	vcore_cache_free(&memory->l1d);
	vcore_cache_free(&memory->l2);
	vcore_tlb_free(memory);
	free(memory);
}

/**
 * vcore_memory_prefetchers() - turn hardware prefetchers of a core's memory hierarchy on and off
 * @memory: memory of the core
 * @off: mask of VCORE_PREFETCH_...: the prefetchers to turn off; the others are turned on
 */
void vcore_memory_prefetchers(struct vcore_memory *memory, unsigned int off)
{
	memory->prefetch.off = off | (memory->part->in_order ? NOT_IN_ORDER :
							       0);
}

/*
 * Prepares an access: answers the snoops that wait. If many cycles have passed since the last count
 * of occupancies, counts them, so that they never exceed VCORE_AHEAD, the length of the tables of
 * occupancies.
 */
static inline void begin_access(struct vcore_memory *memory, uint64_t cycle,
				struct vcore_counts *counts)
{
	if (vcore_snoop_waits(memory->snoops))
		vcore_snoops_read(memory, counts);
	if (cycle > memory->advanced + VCORE_AHEAD / 2)
		vcore_memory_advance(memory, cycle, counts);
}

static struct vcore_reply perfect_reply(uint64_t done)
{
	return (struct vcore_reply){
		.done = done,
		.level = VCORE_AT_L1,
		.from = VCORE_AT_L1,
		.l1_done = done,
	};
}

static uint64_t first_line(const struct vcore_access *access)
{
	return access->pa >> VCORE_LINE_SHIFT;
}

static uint64_t last_line(const struct vcore_access *access)
{
	return (access->pa + access->size - 1) >> VCORE_LINE_SHIFT;
}

/* Returns true if the bytes of the access are on both sides of a multiple of 1 << @shift. */
static bool is_split(const struct vcore_access *access, uint64_t address,
		     unsigned int shift)
{
	unsigned int bytes = 1u << shift;

	return address % bytes + access->size > bytes;
}

static bool splits_line(const struct vcore_access *access)
{
	return is_split(access, access->pa, VCORE_LINE_SHIFT);
}

static bool splits_page(const struct vcore_access *access)
{
	return is_split(access, access->va, VCORE_PAGE_SHIFT);
}

static struct vcore_reply refuse_access(struct vcore_memory *memory, uint64_t cycle,
					struct vcore_counts *counts)
{
	return (struct vcore_reply){
		.done = vcore_fills_wait(memory, cycle, counts),
		.refused = true,
	};
}

/*
 * Looks up the line of an access, or both of its lines, and stores the results in @lookup. Returns
 * the number of free fill buffers that the access needs.
 */
static unsigned int look_up_lines(struct vcore_memory *memory, uint64_t cycle,
				  const struct vcore_access *access, bool store,
				  struct vcore_lookup lookup[2])
{
	lookup[0] = vcore_fills_look(memory, cycle, first_line(access), store);
	if (!splits_line(access))
		return lookup[0].needed;
	lookup[1] = vcore_fills_look(memory, cycle, last_line(access), store);
	return lookup[0].needed + lookup[1].needed;
}

/* Returns the cycle in which the physical addresses of all bytes of the access are known. */
static uint64_t translate_access(struct vcore_memory *memory, uint64_t cycle,
				 const struct vcore_access *access, bool store,
				 struct vcore_counts *counts,
				 struct vcore_reply *reply)
{
	uint64_t ready = vcore_tlb_data(memory, cycle, access->va, store,
					counts, reply);

	if (splits_page(access))
		ready = vcore_tlb_data(memory, ready,
				       access->va + access->size - 1, store,
				       counts, reply);
	return ready;
}

/*
 * Returns the result of a split access from the results of its two lines. The access completes with
 * the later line.
 */
static struct vcore_found later_line(struct vcore_found a, struct vcore_found b)
{
	return (struct vcore_found){
		.done = a.done > b.done ? a.done : b.done,
		.level = a.level > b.level ? a.level : b.level,
		.from = a.from > b.from ? a.from : b.from,
	};
}

static void set_found(struct vcore_reply *reply, struct vcore_found found)
{
	reply->done = found.done;
	reply->level = found.level;
	reply->from = found.from;
}

/*
 * Performs an access to the TLBs and the L1D. The second line of a split access is assumed to
 * follow the first in physical memory, because the physical address of a second page is not known.
 */
static struct vcore_reply access_caches(struct vcore_memory *memory, uint64_t cycle,
					const struct vcore_access *access, bool store,
					struct vcore_counts *counts)
{
	struct vcore_reply reply = { .split = splits_line(access) };
	struct vcore_lookup lookup[2];
	struct vcore_found found;
	unsigned int needed;
	uint64_t ready;

	needed = look_up_lines(memory, cycle, access, store, lookup);
	if (!vcore_fills_free(memory, cycle, needed))
		return refuse_access(memory, cycle, counts);
	ready = translate_access(memory, cycle, access, store, counts, &reply);
	found = vcore_fills_access(memory, cycle, ready, &lookup[0], store,
				   counts);
	reply.l1_done = ready + memory->params->l1d.latency;
	if (reply.split) {
		found = later_line(found, vcore_fills_access(memory, cycle, ready,
							     &lookup[1], store,
							     counts));
		found.done += memory->part->back.split;
		reply.l1_done += memory->part->back.split;
	}
	set_found(&reply, found);
	return reply;
}

/**
 * vcore_memory_prefetch_host() - prefetch, on the host, L3 tags that the memory hierarchy will need
 * @memory: memory of the core
 * @access: an access that is in the trace and will be simulated later
 */
void vcore_memory_prefetch_host(const struct vcore_memory *memory,
				const struct vcore_access *access)
{
	vcore_shared_prefetch_host(memory->shared, first_line(access));
}

/**
 * vcore_memory_load() - access the memory hierarchy for a load that executes
 * @memory: memory of the core
 * @cycle: current cycle
 * @pc: address of the instruction
 * @access: the load
 * @counts: counts to which the events of the load are added
 *
 * A load from a device is not cached and has the latency of memory.
 *
 * Return: the cycle in which the data arrive, and the level that delivers them.
 */
struct vcore_reply vcore_memory_load(struct vcore_memory *memory,
				     uint64_t cycle, uint64_t pc,
				     const struct vcore_access *access,
				     struct vcore_counts *counts)
{
	struct vcore_reply reply;

	if (memory->ideal->l1d)
		return perfect_reply(cycle + memory->params->l1d.latency);
	if (access->device)
		return perfect_reply(cycle + memory->params->memory);
	begin_access(memory, cycle, counts);
	reply = access_caches(memory, cycle, access, false, counts);
	if (!reply.refused)
		vcore_prefetch_load(memory, cycle, pc, access->pa, counts);
	return reply;
}

/* Performs a non-temporal store, which completes as soon as a fill buffer has its data. */
static struct vcore_reply gather_store(struct vcore_memory *memory, uint64_t cycle,
				       const struct vcore_access *access,
				       struct vcore_counts *counts)
{
	uint64_t line = first_line(access);
	struct vcore_reply reply = { 0 };

	if (!vcore_fills_gathers(memory, line) &&
	    !vcore_fills_free(memory, cycle, 1))
		return refuse_access(memory, cycle, counts);
	reply.done = translate_access(memory, cycle, access, true, counts, &reply) + 1;
	reply.level = VCORE_AT_FILL;
	reply.from = VCORE_AT_MEMORY;
	reply.l1_done = reply.done;
	vcore_fills_stream(memory, cycle, line, access->size);
	return reply;
}

/**
 * vcore_memory_store() - access the memory hierarchy for a store that leaves the store buffer
 * @memory: memory of the core
 * @cycle: current cycle
 * @access: the store
 * @streams: true if the store is non-temporal and bypasses the caches
 * @counts: counts to which the events of the store are added
 *
 * Return: the cycle in which the L1D, or a fill buffer if @streams, has the data.
 */
struct vcore_reply vcore_memory_store(struct vcore_memory *memory,
				      uint64_t cycle,
				      const struct vcore_access *access,
				      bool streams, struct vcore_counts *counts)
{
	if (memory->ideal->l1d)
		return perfect_reply(cycle + 1);
	if (access->device)
		return perfect_reply(cycle + memory->params->memory);
	begin_access(memory, cycle, counts);
	return streams ? gather_store(memory, cycle, access, counts) :
			 access_caches(memory, cycle, access, true, counts);
}

/**
 * vcore_memory_owns() - check, without an effect, if the L1D has all that a store writes
 * @memory: memory of the core
 * @access: the store
 *
 * Return: false also if another core may have a line, or if a device has the data.
 */
bool vcore_memory_owns(const struct vcore_memory *memory, const struct vcore_access *access)
{
	uint64_t line = first_line(access), end = line + 1 + splits_line(access);
	const uint64_t *entry;

	if (access->device)
		return false;
	for (; line < end; line++) {
		entry = vcore_cache_find(&memory->l1d, line);
		if (!memory->ideal->l1d && (!entry || !(*entry & VCORE_OWNED)))
			return false;
	}
	return true;
}

/**
 * vcore_memory_translates() - check, without an effect, if a data TLB has the page of an access
 * @memory: memory of the core
 * @access: the access
 */
bool vcore_memory_translates(const struct vcore_memory *memory,
			     const struct vcore_access *access)
{
	return memory->ideal->l1d || access->device || vcore_tlb_has_data(memory, access->va);
}

/**
 * vcore_memory_full_until() - get the cycle until which the memory hierarchy refuses any L1D miss
 * @memory: memory of the core
 *
 * Return: a cycle before which every load that misses is refused, without side effects; 0 if no
 * such cycle is known.
 */
uint64_t vcore_memory_full_until(const struct vcore_memory *memory)
{
	return vcore_snoop_waits(memory->snoops) ? 0 : memory->full_until;
}

/**
 * vcore_memory_retry() - retry an access to which the memory hierarchy refused a fill buffer
 * @memory: memory of the core
 * @cycle: current cycle
 * @counts: counts to which the cycles without a free fill buffer are added
 *
 * The caller must have checked that no fill buffer waits for the line of the load.
 *
 * Return: 0 if a fill buffer is free, else the cycle of the next retry.
 */
uint64_t vcore_memory_retry(struct vcore_memory *memory, uint64_t cycle,
			    struct vcore_counts *counts)
{
	begin_access(memory, cycle, counts);
	if (vcore_fills_free(memory, cycle, 1))
		return 0;
	return vcore_fills_wait(memory, cycle, counts);
}

/**
 * vcore_memory_invalidate_code() - invalidate code in the memory hierarchy after a store to it
 * @memory: memory of the core
 * @access: a retired store
 *
 * The SDM (Vol. 3A, self-modifying code) says that a write to a cached line of code invalidates the
 * line. The function compares physical addresses.
 *
 * Return: true if the L1I had a line that the store overwrites.
 */
bool vcore_memory_invalidate_code(struct vcore_memory *memory,
				  const struct vcore_access *access)
{
	uint64_t line = first_line(access);
	bool had = vcore_cache_remove(&memory->l1i, line) != VCORE_NO_ENTRY;

	if (last_line(access) != line)
		had |= vcore_cache_remove(&memory->l1i, line + 1) != VCORE_NO_ENTRY;
	return had;
}

/**
 * vcore_memory_await() - tell the memory hierarchy that a refused load waits for a line, or no more
 * @memory: memory of the core
 * @line: line address / 64
 * @by: 1 if the load begins to wait, -1 if it stops waiting
 */
void vcore_memory_await(struct vcore_memory *memory, uint64_t line, int by)
{
	memory->awaited[line % VCORE_AWAITED] += by;
}

/**
 * vcore_memory_awaited_fills() - count the memory hierarchy's fills for lines that loads await
 * @memory: memory of the core
 * @line: output: the line of the latest of these fills
 *
 * A fill of a line that has the same low address bits as an awaited line is counted, too.
 *
 * Return: the number of fills since the start of the simulation.
 */
uint64_t vcore_memory_awaited_fills(const struct vcore_memory *memory, uint64_t *line)
{
	*line = memory->latest_awaited;
	return memory->awaited_fills;
}

/**
 * vcore_memory_prefetch() - access the memory hierarchy for a software prefetch
 * @memory: memory of the core
 * @cycle: current cycle
 * @access: the access; its @store is true if the prefetch requests ownership (PREFETCHW)
 * @counts: counts to which the events of the prefetch are added
 *
 * The prefetch is dropped if it needs a fill buffer and none is free.
 */
void vcore_memory_prefetch(struct vcore_memory *memory, uint64_t cycle,
			   const struct vcore_access *access,
			   struct vcore_counts *counts)
{
	struct vcore_reply reply = { 0 };
	uint64_t line = first_line(access);
	uint64_t ready;

	if (memory->ideal->l1d || access->device)
		return;
	begin_access(memory, cycle, counts);
	if (vcore_fills_look(memory, cycle, line, access->store).needed &&
	    !vcore_fills_free(memory, cycle, 1))
		return;
	ready = vcore_tlb_data(memory, cycle, access->va, access->store, counts,
			       &reply);
	vcore_fills_prefetch(memory, ready, line, access->store, counts);
}

static struct vcore_found fetch_miss(struct vcore_memory *memory,
				     uint64_t ready, uint64_t line,
				     struct vcore_counts *counts)
{
	struct vcore_fill *fill;
	struct vcore_arrival arrival;

	arrival = vcore_prefetch_access(memory, ready, line, VCORE_BY_CODE,
					counts);
	vcore_cache_insert(&memory->l1i, line, VCORE_PENDING, NULL);
	fill = &memory->code[memory->code_fills++ % VCORE_CODE_FILLS];
	fill->line = line;
	fill->done = arrival.done;
	fill->from = arrival.from;
	return (struct vcore_found){
		.done = arrival.done,
		.level = arrival.from,
		.from = arrival.from,
	};
}

static struct vcore_found fetch_hit(struct vcore_memory *memory,
				    uint64_t cycle, uint64_t ready,
				    uint64_t *entry)
{
	struct vcore_found found = {
		.done = ready + memory->params->l1i.latency,
		.level = VCORE_AT_L1,
		.from = VCORE_AT_L1,
	};
	struct vcore_fill *fill;

	if (!(*entry & VCORE_PENDING))
		return found;
	fill = vcore_fill_in_progress(memory->code, VCORE_CODE_FILLS,
				      vcore_cache_tag(*entry), cycle);
	if (!fill) {
		*entry &= ~(uint64_t)VCORE_PENDING;
	} else if (fill->done > found.done) {
		found.done = fill->done;
		found.level = VCORE_AT_FILL;
		found.from = fill->from;
	}
	return found;
}

/**
 * vcore_memory_fetch() - access the memory hierarchy to fetch a line of code
 * @memory: memory of the core
 * @cycle: current cycle
 * @va: virtual address in the line
 * @pa: physical address in the line
 * @counts: counts to which the events of the fetch are added
 *
 * Return: the cycle in which the line is available, and the level that delivers it.
 */
struct vcore_reply vcore_memory_fetch(struct vcore_memory *memory,
				      uint64_t cycle, uint64_t va, uint64_t pa,
				      struct vcore_counts *counts)
{
	uint64_t line = pa >> VCORE_LINE_SHIFT;
	struct vcore_reply reply = { 0 };
	uint64_t *entry, ready;

	if (memory->ideal->l1i)
		return perfect_reply(cycle + memory->params->l1i.latency);
	begin_access(memory, cycle, counts);
	ready = vcore_tlb_code(memory, cycle, va, counts, &reply);
	entry = vcore_cache_touch(&memory->l1i, line);
	set_found(&reply, entry ? fetch_hit(memory, cycle, ready, entry) :
				  fetch_miss(memory, ready, line, counts));
	reply.l1_done = ready + memory->params->l1i.latency;
	return reply;
}

static void count_reads(struct vcore_memory *memory, uint64_t cycle,
			struct vcore_counts *counts)
{
	uint64_t with[MANY_READS + 1] = { 0 };
	unsigned int k;

	vcore_occupancy_advance(&memory->reads, cycle, with, MANY_READS);
	for (k = 1; k <= MANY_READS; k++)
		counts->plain[VCORE_OFFCORE_READ_CYCLES] += with[k];
	for (k = SEVERAL_READS; k <= MANY_READS; k++)
		counts->plain[VCORE_OFFCORE_READ_4_CYCLES] += with[k];
	counts->plain[VCORE_OFFCORE_READ_6_CYCLES] += with[MANY_READS];
}

static void count_misses(struct vcore_memory *memory, uint64_t cycle,
			 struct vcore_counts *counts)
{
	uint64_t with[VCORE_MAX_FILLS + 1] = { 0 };

	vcore_occupancy_advance(&memory->missed, cycle, with, VCORE_MAX_FILLS);
	counts->plain[VCORE_L1_PENDING] += vcore_sum(with, VCORE_MAX_FILLS);
}

/**
 * vcore_memory_advance() - count events of a core's memory hierarchy up to a cycle
 * @memory: memory of the core
 * @cycle: cycle up to which events are counted, exclusive
 * @counts: counts to which the events are added
 */
void vcore_memory_advance(struct vcore_memory *memory, uint64_t cycle,
			  struct vcore_counts *counts)
{
	vcore_victims_flush(memory);
	if (cycle <= memory->advanced)
		return;
	vcore_transfers_advance(memory, cycle, counts);
	count_reads(memory, cycle, counts);
	count_misses(memory, cycle, counts);
	memory->advanced = cycle;
}

/**
 * vcore_memory_pace() - keep a core's memory hierarchy from running too far ahead of another core's
 * @memory: memory of the core
 * @cycle: cycle that is about to be simulated
 */
void vcore_memory_pace(struct vcore_memory *memory, uint64_t cycle)
{
	if (vcore_shared_pace(memory->shared, memory->core, cycle))
		vcore_transfers_joined(memory);
}

/**
 * vcore_memory_yields() - check if the memory hierarchy gives a cycle to the core's other thread
 * @memory: memory of the core
 * @sibling: number, in the package, of the core that simulates the other thread
 * @cycle: cycle that is being simulated
 */
bool vcore_memory_yields(const struct vcore_memory *memory, unsigned int sibling,
			 uint64_t cycle)
{
	return vcore_shared_yields(memory->shared, memory->core, sibling, cycle);
}

/**
 * vcore_memory_halt() - stop synchronising the clock of a memory hierarchy whose core halts
 * @memory: memory of the core
 */
void vcore_memory_halt(struct vcore_memory *memory)
{
	vcore_shared_halt(memory->shared, memory->core);
}

/**
 * vcore_memory_traffic() - read the arbiter's counts of requests from a core's memory hierarchy
 * @memory: memory of a core
 * @seen: output
 */
void vcore_memory_traffic(const struct vcore_memory *memory,
			  struct vcore_traffic *seen)
{
	vcore_transfers_traffic(memory, seen);
}
