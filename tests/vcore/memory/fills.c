// SPDX-License-Identifier: GPL-2.0
/*
 * The L1D and its line fill buffers. A miss allocates a buffer until the line arrives; further
 * accesses to the line hit the buffer. Non-temporal stores gather the bytes of a line in a buffer
 * (write combining), which then sends the line to memory.
 */
#include "hierarchy.h"

#define LINE_BYTES (1u << VCORE_LINE_SHIFT)

static bool is_gathering(const struct vcore_fill *fill)
{
	return fill->done == VCORE_NEVER_DONE;
}

static bool has_line(const uint64_t *entry, bool store)
{
	return entry && (!store || *entry & VCORE_OWNED);
}

/**
 * vcore_fills_look() - look up a line in the L1D and its fill buffers
 * @memory: memory of the core
 * @cycle: current cycle
 * @line: line address / 64
 * @store: true for a store, false for a load
 *
 * Return: the result; it is valid until another line is inserted into the same set of the L1D.
 */
struct vcore_lookup vcore_fills_look(struct vcore_memory *memory, uint64_t cycle,
				     uint64_t line, bool store)
{
	struct vcore_lookup lookup = {
		.line = line,
		.entry = vcore_cache_touch(&memory->l1d, line),
	};

	if (has_line(lookup.entry, store))
		return lookup;
	lookup.fill = vcore_requests_find(&memory->fills, line, cycle);
	lookup.needed = store || !lookup.fill || is_gathering(lookup.fill);
	return lookup;
}

/**
 * vcore_fills_free() - check if a number of fill buffers is free
 * @memory: memory of the core
 * @cycle: current cycle
 * @wanted: number of fill buffers; if it is 0, the result is true
 */
bool vcore_fills_free(const struct vcore_memory *memory, uint64_t cycle,
		      unsigned int wanted)
{
	return !wanted || vcore_requests_free(&memory->fills, wanted) <= cycle;
}

/*
 * Sends the bytes that a fill buffer has gathered to memory. The buffer is free once they are sent.
 */
static void send_gathered(struct vcore_memory *memory, uint64_t cycle,
			  struct vcore_fill *fill)
{
	vcore_requests_send(&memory->fills, fill,
			    vcore_transfers_write(memory, cycle));
	memory->gathered--;
}

/* Returns the first cycle after @cycle in which one more fill buffer becomes free. */
static uint64_t next_free_cycle(const struct vcore_memory *memory, uint64_t cycle)
{
	unsigned int wanted = 1;

	while (vcore_requests_free(&memory->fills, wanted) <= cycle)
		wanted++;
	return vcore_requests_free(&memory->fills, wanted);
}

/**
 * vcore_fills_wait() - find the cycle in which a fill buffer becomes free for an access
 * @memory: memory of the core
 * @cycle: current cycle
 * @counts: counts to which the cycles without a free buffer are added
 *
 * All fill buffers may be gathering non-temporal stores, and might then never become free.
 * Therefore one of them sends what it has.
 *
 * Return: the first cycle in which a buffer is free.
 */
uint64_t vcore_fills_wait(struct vcore_memory *memory, uint64_t cycle,
			  struct vcore_counts *counts)
{
	uint64_t from = cycle > memory->full_counted ? cycle : memory->full_counted;
	bool gathered = memory->gathered;
	uint64_t first;

	if (cycle < memory->full_until)
		return memory->full_until;
	if (gathered)
		send_gathered(memory, cycle, vcore_requests_last(&memory->fills));
	first = next_free_cycle(memory, cycle);
	if (!gathered && !vcore_fills_free(memory, cycle, 1))
		memory->full_until = first;
	if (first > from) {
		counts->plain[VCORE_FILLS_FULL] += first - from;
		memory->full_counted = first;
	}
	return first;
}

/* Marks a line of the L1D as modified when it is written first. */
static void mark_modified(struct vcore_memory *memory, uint64_t *entry)
{
	if (*entry & VCORE_DIRTY)
		return;
	*entry |= VCORE_DIRTY;
	vcore_shared_modified(memory->shared, memory->core,
			      vcore_cache_tag(*entry));
}

/*
 * Counts a fill as a demand miss from @cycle on, because a load waits for it. Does nothing if an
 * earlier load has already waited for the fill.
 */
static void mark_demanded(struct vcore_memory *memory, uint64_t cycle,
			  struct vcore_fill *fill)
{
	if (fill->demanded)
		return;
	fill->demanded = true;
	vcore_occupancy_add(&memory->missed, cycle, fill->done);
}

static struct vcore_found merge_with_fill(struct vcore_memory *memory, uint64_t ready,
					  struct vcore_fill *fill, bool store)
{
	struct vcore_found reply = {
		.done = fill->done,
		.level = VCORE_AT_FILL,
		.from = fill->from,
	};

	if (!store)
		mark_demanded(memory, ready, fill);
	return reply;
}

/*
 * Returns the result of an access that hits an entry of the L1D. The line may still be on its way.
 */
static struct vcore_found l1d_hit(struct vcore_memory *memory, uint64_t cycle,
				  uint64_t ready, uint64_t *entry, bool store)
{
	struct vcore_found reply = {
		.done = ready + (store ? 1 : memory->params->l1d.latency),
		.level = VCORE_AT_L1,
		.from = VCORE_AT_L1,
	};
	struct vcore_fill *fill;

	if (store)
		mark_modified(memory, entry);
	if (!(*entry & VCORE_PENDING))
		return reply;
	fill = vcore_requests_find(&memory->fills, vcore_cache_tag(*entry),
				   cycle);
	if (!fill)
		*entry &= ~(uint64_t)VCORE_PENDING;
	else if (fill->done > reply.done)
		return merge_with_fill(memory, ready, fill, store);
	return reply;
}

/*
 * Inserts a line into the L1D, or adds @state to the entry of the line if the L1D already has one.
 */
static void l1d_insert(struct vcore_memory *memory, uint64_t cycle,
		       const struct vcore_lookup *lookup, unsigned int state,
		       struct vcore_counts *counts)
{
	uint64_t gone;

	if (lookup->entry) {
		*lookup->entry |= state;
		return;
	}
	gone = vcore_cache_insert(&memory->l1d, lookup->line, state, NULL);
	if (gone == VCORE_NO_ENTRY)
		return;
	counts->plain[VCORE_L1_REPLACED]++;
	vcore_l2_victim(memory, cycle, gone, counts);
}

/* Allocates a fill buffer for a line and requests the line from the L2. Returns the buffer. */
static struct vcore_fill *take_buffer(struct vcore_memory *memory, uint64_t ready,
				      const struct vcore_lookup *lookup, bool store,
				      struct vcore_counts *counts)
{
	unsigned int state = VCORE_PENDING;
	uint64_t line = lookup->line;
	struct vcore_arrival arrival;

	if (memory->awaited[line % VCORE_AWAITED]) {
		memory->awaited_fills++;
		memory->latest_awaited = line;
	}
	arrival = vcore_prefetch_access(memory, ready, line,
					store ? VCORE_BY_RFO : VCORE_BY_READ, counts);
	if (store)
		state |= VCORE_OWNED | VCORE_DIRTY;
	else if (arrival.owned)
		state |= VCORE_OWNED;
	l1d_insert(memory, ready, lookup, state, counts);
	return vcore_requests_put(&memory->fills, line, arrival.done,
				  arrival.from);
}

static struct vcore_found l1d_miss(struct vcore_memory *memory, uint64_t ready,
				   const struct vcore_lookup *lookup, bool store,
				   struct vcore_counts *counts)
{
	struct vcore_fill *fill = take_buffer(memory, ready, lookup, store, counts);

	if (!store)
		mark_demanded(memory, ready, fill);
	return (struct vcore_found){
		.done = fill->done,
		.level = fill->from,
		.from = fill->from,
	};
}

/**
 * vcore_fills_access() - read or write a line in the L1D, with a fill buffer if it misses
 * @memory: memory of the core; at least @lookup->needed fill buffers must be free
 * @cycle: current cycle
 * @ready: cycle from which the physical address is known
 * @lookup: result of vcore_fills_look() for the line in the same cycle
 * @store: true for a store, false for a load
 * @counts: counts to which the events of the access are added
 *
 * Return: the cycle in which the line is available, and the level that delivers it.
 */
struct vcore_found vcore_fills_access(struct vcore_memory *memory,
				      uint64_t cycle, uint64_t ready,
				      const struct vcore_lookup *lookup,
				      bool store, struct vcore_counts *counts)
{
	struct vcore_fill *fill = lookup->fill;

	if (has_line(lookup->entry, store))
		return l1d_hit(memory, cycle, ready, lookup->entry, store);
	if (fill && is_gathering(fill)) {
		send_gathered(memory, cycle, fill);
		ready = fill->done;
	} else if (fill && !store) {
		return merge_with_fill(memory, ready, fill, store);
	}
	return l1d_miss(memory, ready, lookup, store, counts);
}

/**
 * vcore_fills_prefetch() - prefetch a line into the L1D by a fill buffer
 * @memory: memory of the core; at least one fill buffer must be free
 * @cycle: current cycle
 * @line: line address / 64
 * @store: true if the prefetch requests ownership (PREFETCHW)
 * @counts: counts to which the events of the prefetch are added
 *
 * Does nothing if the L1D has the line or if the line is already on its way.
 */
void vcore_fills_prefetch(struct vcore_memory *memory, uint64_t cycle,
			  uint64_t line, bool store,
			  struct vcore_counts *counts)
{
	struct vcore_lookup lookup = {
		.line = line,
		.entry = vcore_cache_find(&memory->l1d, line),
	};

	if (!has_line(lookup.entry, store) &&
	    !vcore_requests_find(&memory->fills, line, cycle))
		take_buffer(memory, cycle, &lookup, store, counts);
}

static struct vcore_fill *find_gathered(struct vcore_memory *memory,
					uint64_t line)
{
	return vcore_requests_find(&memory->fills, line, VCORE_NEVER_DONE - 1);
}

/**
 * vcore_fills_gathers() - check if a fill buffer gathers non-temporal stores to a line
 * @memory: memory of the core
 * @line: line address / 64
 */
bool vcore_fills_gathers(struct vcore_memory *memory, uint64_t line)
{
	return find_gathered(memory, line);
}

/**
 * vcore_fills_stream() - gather a non-temporal store in a fill buffer
 * @memory: memory of the core; a fill buffer must be free or already gather the line
 * @cycle: current cycle
 * @line: line address / 64
 * @bytes: number of bytes stored
 */
void vcore_fills_stream(struct vcore_memory *memory, uint64_t cycle,
			uint64_t line, unsigned int bytes)
{
	struct vcore_fill *fill = find_gathered(memory, line);

	if (!fill) {
		vcore_cache_remove(&memory->l1d, line);
		vcore_cache_remove(&memory->l2, line);
		vcore_victims_flush_before(memory, line);
		vcore_shared_purge(memory->shared, memory->core, line);
		fill = vcore_requests_put(&memory->fills, line,
					  VCORE_NEVER_DONE, VCORE_NO_ACCESS);
		memory->gathered++;
	}
	fill->bytes += bytes;
	if (fill->bytes >= LINE_BYTES)
		send_gathered(memory, cycle, fill);
}
