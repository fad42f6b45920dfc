// SPDX-License-Identifier: GPL-2.0
/* The L2 and its superqueue, the queue of the L2's requests to the package. */
#include "hierarchy.h"

/*
 * Returns true if at most a quarter of the superqueue is free. Prefetches leave this quarter free
 * for other requests, and then bring lines into the L3 only (Intel's Optimization Reference Manual,
 * 2.3.5.4).
 */
static bool superqueue_is_busy(const struct vcore_memory *memory, uint64_t cycle)
{
	unsigned int entries = memory->params->l2_requests;

	return vcore_requests_free(&memory->requests, entries / 4 + 1) > cycle;
}

/* Handles the eviction of a line that neither the L1D nor the L2 has any more. */
static void evict_line(struct vcore_memory *memory, uint64_t cycle, uint64_t entry,
		       struct vcore_counts *counts)
{
	bool no_l3 = !memory->params->l3.sets;
	bool dirty = entry & VCORE_DIRTY;

	if (no_l3 || entry & VCORE_OWNED)
		vcore_victims_put(memory, vcore_cache_tag(entry), dirty);
	if (!no_l3 || !dirty)
		return;
	counts->plain[VCORE_L2_VICTIM]++;
	vcore_transfers_write(memory, cycle);
}

/*
 * Inserts a line into the L2. If the L2 evicts a dirty line that the L1D also has, the L1D's entry
 * becomes dirty.
 */
static void l2_insert(struct vcore_memory *memory, uint64_t cycle, uint64_t line,
		      unsigned int state, struct vcore_counts *counts)
{
	uint64_t gone = vcore_cache_insert(&memory->l2, line, state, NULL);
	uint64_t *kept;

	counts->plain[VCORE_L2_LINES_IN]++;
	if (gone == VCORE_NO_ENTRY)
		return;
	kept = vcore_cache_find(&memory->l1d, vcore_cache_tag(gone));
	if (kept)
		*kept |= gone & VCORE_DIRTY;
	else
		evict_line(memory, cycle, gone, counts);
}

/**
 * vcore_l2_victim() - pass a line that the L1D has evicted to the L2
 * @memory: memory of the core
 * @cycle: current cycle
 * @entry: entry of the line in the L1D before the eviction
 * @counts: counts to which the events of the L2 are added
 */
void vcore_l2_victim(struct vcore_memory *memory, uint64_t cycle,
		     uint64_t entry, struct vcore_counts *counts)
{
	uint64_t line = vcore_cache_tag(entry);
	uint64_t *kept = vcore_cache_find(&memory->l2, line);

	if (kept)
		*kept |= entry & (VCORE_DIRTY | VCORE_OWNED);
	else if (entry & VCORE_DIRTY)
		l2_insert(memory, cycle, line, VCORE_DIRTY | VCORE_OWNED, counts);
	else
		evict_line(memory, cycle, entry, counts);
}

/* Counts a fill of Knights Corner's L2 by its source: memory or the L2 of another core. */
static void count_fill(const struct vcore_memory *memory,
		       enum vcore_level level, enum vcore_requester by,
		       struct vcore_counts *counts)
{
	bool rfo = by == VCORE_BY_RFO;

	if (memory->params->l3.sets)
		return;
	if (by == VCORE_BY_PREFETCH)
		counts->plain[VCORE_HWP_L2MISS]++;
	else if (level == VCORE_AT_MEMORY)
		counts->plain[rfo ? VCORE_L2_WRITE_MEM_FILL :
				    VCORE_L2_READ_MEM_FILL]++;
	else
		counts->plain[rfo ? VCORE_L2_WRITE_CACHE_FILL :
				    VCORE_L2_READ_CACHE_FILL]++;
}

/* Counts a lookup of a line in the package's L3 or, without an L3, in its directory of the L2s. */
static void count_lookup(struct vcore_memory *memory, uint64_t line,
			 enum vcore_level level, enum vcore_requester by,
			 uint64_t cycles, struct vcore_counts *counts)
{
	static const enum vcore_request requests[] = {
		[VCORE_BY_READ] = VCORE_REQUEST_READ,
		[VCORE_BY_RFO] = VCORE_REQUEST_RFO,
		[VCORE_BY_CODE] = VCORE_REQUEST_CODE,
		[VCORE_BY_WALK] = VCORE_REQUEST_READ,
		[VCORE_BY_PREFETCH] = VCORE_REQUEST_READ,
	};
	bool hit = level != VCORE_AT_MEMORY;

	vcore_transfers_lookup(memory, line, requests[by], hit, cycles);
	count_fill(memory, level, by, counts);
	if (by == VCORE_BY_PREFETCH)
		return;
	counts->plain[VCORE_L3_REFERENCES]++;
	counts->plain[VCORE_L3_MISSES] += !hit;
}

/*
 * Returns the cycle in which a line that is in the L3 arrives. If a prefetch into the L3 is still
 * fetching the line, the line arrives at the end of the prefetch, and *@level becomes memory.
 */
static uint64_t l3_arrival(struct vcore_memory *memory, uint64_t cycle,
			   uint64_t line, enum vcore_level *level)
{
	uint64_t done = cycle + memory->params->l3.latency;
	uint64_t late = vcore_transfers_in_progress(memory, done, line);

	if (!late)
		return done;
	*level = VCORE_AT_MEMORY;
	return late;
}

/*
 * Returns the cycle in which a line arrives from *@level: memory, the L3 or another core's cache.
 */
static uint64_t arrival_cycle(struct vcore_memory *memory, uint64_t cycle,
			      uint64_t line, enum vcore_level *level)
{
	switch (*level) {
	case VCORE_AT_MEMORY:
		return vcore_transfers_read(memory, cycle, line);
	case VCORE_AT_SNOOP_HITM:
		return cycle + memory->params->snoop_hitm;
	case VCORE_AT_SNOOP_HIT:
		return cycle + memory->params->snoop_hit;
	default:
		return l3_arrival(memory, cycle, line, level);
	}
}

/* Sends a request for a line to the package as soon as the superqueue has a free entry. */
static struct vcore_arrival request_line(struct vcore_memory *memory, uint64_t cycle,
					 uint64_t line, enum vcore_requester by,
					 struct vcore_counts *counts)
{
	uint64_t done = vcore_requests_free(&memory->requests, 1);
	enum vcore_level level;
	struct vcore_grant grant;

	if (cycle < done)
		cycle = done;
	vcore_victims_flush_before(memory, line);
	grant = by == VCORE_BY_RFO ?
		vcore_shared_own(memory->shared, memory->core, cycle, line) :
		vcore_shared_read(memory->shared, memory->core, cycle, line);
	level = grant.level;
	done = arrival_cycle(memory, cycle + grant.wait, line, &level);
	count_lookup(memory, line, grant.level, by, done - cycle, counts);
	vcore_requests_put(&memory->requests, line, done, level);
	if (grant.written_back)
		vcore_transfers_write(memory, cycle);
	if (by == VCORE_BY_READ || by == VCORE_BY_PREFETCH)
		vcore_occupancy_add(&memory->reads, cycle, done);
	return (struct vcore_arrival){ done, level, grant.owned, false };
}

static struct vcore_arrival l2_miss(struct vcore_memory *memory, uint64_t cycle,
				    uint64_t line, enum vcore_requester by,
				    struct vcore_counts *counts)
{
	struct vcore_arrival arrival = request_line(memory, cycle, line, by, counts);

	l2_insert(memory, cycle, line, VCORE_PENDING |
		  (arrival.owned ? VCORE_OWNED : 0), counts);
	return arrival;
}

static struct vcore_arrival l2_hit(struct vcore_memory *memory, uint64_t cycle,
				   uint64_t *entry)
{
	struct vcore_arrival arrival = {
		.done = cycle + memory->params->l2.latency,
		.from = VCORE_AT_L2,
		.owned = *entry & VCORE_OWNED,
	};
	const struct vcore_fill *request;

	if (!(*entry & VCORE_PENDING))
		return arrival;
	request = vcore_requests_find(&memory->requests,
				      vcore_cache_tag(*entry), cycle);
	if (!request) {
		*entry &= ~(uint64_t)VCORE_PENDING;
	} else if (request->done > arrival.done) {
		arrival.done = request->done;
		arrival.from = request->from;
	}
	return arrival;
}

static void count_access(enum vcore_requester by, bool hit,
			 struct vcore_counts *counts)
{
	static const enum vcore_plain all[] = {
		[VCORE_BY_READ] = VCORE_L2_DEMAND_READS,
		[VCORE_BY_RFO] = VCORE_L2_RFOS,
		[VCORE_BY_CODE] = VCORE_L2_CODE_READS,
		[VCORE_BY_PREFETCH] = VCORE_L2_PREFETCHES,
	};

	if (by == VCORE_BY_WALK)
		return;
	counts->plain[all[by]]++;
	counts->plain[all[by] + 1] += hit;
}

/**
 * vcore_l2_access() - request a line from the L2
 * @memory: memory of the core
 * @cycle: cycle of the request
 * @line: line address / 64
 * @by: source of the request; VCORE_BY_RFO requests ownership
 * @counts: counts to which the events of the L2 are added
 *
 * Return: the cycle in which the line arrives, and the level that delivers it.
 */
struct vcore_arrival vcore_l2_access(struct vcore_memory *memory,
				     uint64_t cycle, uint64_t line,
				     enum vcore_requester by,
				     struct vcore_counts *counts)
{
	uint64_t *entry = vcore_cache_touch(&memory->l2, line);
	struct vcore_arrival arrival;
	bool has = entry && (by != VCORE_BY_RFO || *entry & VCORE_OWNED);

	count_access(by, has, counts);
	if (!entry) {
		/*
		 * The host prefetches the L3 tags of the adjacent line, because the spatial
		 * prefetcher may request this line next.
		 */
		if (by != VCORE_BY_WALK)
			vcore_shared_prefetch_host(memory->shared, line ^ 1);
		arrival = l2_miss(memory, cycle, line, by, counts);
	} else if (!has) {
		arrival = request_line(memory, cycle, line, by, counts);
		*entry |= VCORE_OWNED | VCORE_PENDING;
	} else {
		arrival = l2_hit(memory, cycle, entry);
	}
	arrival.hit = has;
	return arrival;
}

/* Prefetches a line into the L3 but not into the L2. */
static void prefetch_l3(struct vcore_memory *memory, uint64_t cycle,
			uint64_t line)
{
	struct vcore_grant grant;
	uint64_t done;
	bool hit;

	vcore_victims_flush_before(memory, line);
	grant = vcore_shared_prefetch(memory->shared, line);
	hit = grant.level != VCORE_AT_MEMORY;
	done = hit ? cycle + memory->params->l3.latency :
		     vcore_transfers_prefetch(memory, cycle, line);
	vcore_transfers_lookup(memory, line, VCORE_REQUEST_PREFETCH, hit, done - cycle);
	if (hit)
		return;
	if (grant.written_back)
		vcore_transfers_write(memory, cycle);
}

/**
 * vcore_l2_prefetch() - prefetch a line into the L2, or into the L3 if the L2's superqueue is busy
 * @memory: memory of the core
 * @cycle: current cycle
 * @line: line address / 64
 * @counts: counts to which the events of the L2 are added
 *
 * Return: true if the L2 has the line or the prefetch has begun; false if the prefetch was dropped,
 * because no queue has a free entry for it.
 */
bool vcore_l2_prefetch(struct vcore_memory *memory, uint64_t cycle,
		       uint64_t line, struct vcore_counts *counts)
{
	bool has = vcore_cache_find(&memory->l2, line);
	bool to_l2 = !superqueue_is_busy(memory, cycle);

	if (!has && !vcore_transfers_has_room(memory, cycle))
		return false;
	if (!has && !to_l2 && !memory->params->l3.sets)
		return false;
	count_access(VCORE_BY_PREFETCH, has, counts);
	if (!has && to_l2)
		l2_miss(memory, cycle, line, VCORE_BY_PREFETCH, counts);
	else if (!has)
		prefetch_l3(memory, cycle, line);
	return true;
}
