// SPDX-License-Identifier: GPL-2.0
/*
 * The shared L3 or, without an L3, a directory. An entry has the bit VCORE_OWNED if one core may
 * write the line, MODIFIED if this core has written the line, and VCORE_DIRTY if the L3's copy is
 * newer than memory. Each entry has presence bits as its note: a mask of the cores that may have
 * the line.
 *
 * A core reports the eviction of a line that it owns, so a snoop of an owned line always hits. If
 * there is an L3, cores evict shared lines silently, so presence bits of a shared line may be
 * stale. The presence bits of a directory are exact.
 */
#include "shared.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "bandwidth.h"
#include "cache.h"
#include "controller.h"
#include "pace.h"
#include "snoop_queue.h"

#define MODIFIED 0x10

/* Number of locks for the sets of the L3. A lock covers several sets. */
#define LOCKS 64

/*
 * Size of the directory, which holds the lines of the L2s: enough for more cores than the virtual
 * machines have.
 */
static const struct vcore_cache_params directory_params = { 16384, 16, 0 };

/**
 * struct vcore_transfer - a transfer of a line from one core to another
 * @line: line address / 64
 * @until: end of the transfer, in the package's time
 */
struct vcore_transfer {
	uint64_t line;
	uint64_t until;
};

/**
 * struct vcore_shared - state that the cores of a package share
 * @params: sizes and latencies of the first core of the package
 * @users: number of cores in the package
 * @l3: L3 cache; directory of the L2s if @no_l3
 * @no_l3: the CPU model has no L3
 * @locked: [line % LOCKS], spin locks of the sets of @l3; a thread that waits for a lock yields its
 *	host CPU
 * @transfer: [line % LOCKS], the latest transfer of a line with this index from one core to another
 * @pace: synchronisation of the cores' clocks
 * @snoops: [core], queue of the snoops to the core
 * @bandwidth: use of memory by each core; unused if the cores share @controller
 * @controller: memory controller of the package; unused if each core has its own
 */
struct vcore_shared {
	const struct vcore_params *params;
	unsigned int users;
	struct vcore_cache l3;
	bool no_l3;
	bool locked[LOCKS];
	struct vcore_transfer transfer[LOCKS];
	struct vcore_pace pace;
	struct vcore_snoop_queue snoops[VCORE_MAX_CORES];
	struct vcore_bandwidth bandwidth;
	struct vcore_controller controller;
};

static pthread_mutex_t package_lock = PTHREAD_MUTEX_INITIALIZER;
static struct vcore_shared *package;

static struct vcore_shared *shared_new(const struct vcore_params *params)
{
	struct vcore_shared *shared = calloc(1, sizeof(*shared));
	unsigned int i;

	if (!shared)
		abort();
	shared->params = params;
	shared->no_l3 = !params->memory.l3.sets;
	vcore_cache_init(&shared->l3, shared->no_l3 ? &directory_params :
						      &params->memory.l3, true);
	for (i = 0; i < VCORE_MAX_CORES; i++)
		vcore_snoop_init(&shared->snoops[i]);
	vcore_controller_init(&shared->controller, params->memory.tracker);
	shared->bandwidth.line_interval = params->memory.line_interval;
	return shared;
}

/*
 * Returns true if two cores have the same L3 and memory. Cores of a package may be of different
 * types, but must share these.
 */
static bool same_l3(const struct vcore_memory_params *a,
		    const struct vcore_memory_params *b)
{
	return a->l3.sets == b->l3.sets && a->l3.ways == b->l3.ways &&
	       a->l3.latency == b->l3.latency &&
	       a->snoop_hit == b->snoop_hit &&
	       a->snoop_hitm == b->snoop_hitm && a->memory == b->memory &&
	       a->line_interval == b->line_interval &&
	       a->tracker == b->tracker;
}

/**
 * vcore_shared_join() - add a core to the cores that share an L3
 * @params: sizes and latencies of the core; those of L3 and memory must be the same for all cores
 * @core: number of the core, unique and below VCORE_MAX_CORES
 *
 * Return: the package, never NULL. It is created for the first core; vcore_shared_leave() releases
 * it.
 */
struct vcore_shared *vcore_shared_join(const struct vcore_params *params,
				       unsigned int core)
{
	struct vcore_shared *shared;

	if (core >= VCORE_MAX_CORES)
		abort();
	pthread_mutex_lock(&package_lock);
	if (!package)
		package = shared_new(params);
	if (!same_l3(&package->params->memory, &params->memory))
		abort();
	shared = package;
	shared->users++;
	pthread_mutex_unlock(&package_lock);
	return shared;
}

static void shared_free(struct vcore_shared *shared)
{
	unsigned int i;

	vcore_cache_free(&shared->l3);
	for (i = 0; i < VCORE_MAX_CORES; i++)
		vcore_snoop_free(&shared->snoops[i]);
	free(shared);
}

/**
 * vcore_shared_leave() - remove a core from the cores that share an L3
 * @shared: the package, which is freed when its last core leaves
 * @core: number of the core
 *
 * The core's presence bits stay in the L3, as if the core had evicted its lines silently.
 */
void vcore_shared_leave(struct vcore_shared *shared, unsigned int core)
{
	pthread_mutex_lock(&package_lock);
	vcore_pace_leave(&shared->pace, core);
	memset(&shared->bandwidth.user[core], 0,
	       sizeof(shared->bandwidth.user[core]));
	if (!--shared->users) {
		shared_free(shared);
		package = NULL;
	}
	pthread_mutex_unlock(&package_lock);
}

static void lock_line(struct vcore_shared *shared, uint64_t line)
{
	while (__atomic_exchange_n(&shared->locked[line % LOCKS], true,
				   __ATOMIC_ACQUIRE))
		sched_yield();
}

static void unlock_line(struct vcore_shared *shared, uint64_t line)
{
	__atomic_store_n(&shared->locked[line % LOCKS], false,
			 __ATOMIC_RELEASE);
}

/* Sends a snoop of type @type for a line to each core of the mask @cores. */
static void send_snoops(struct vcore_shared *shared, uint64_t cores, uint64_t line,
			enum vcore_snoop_type type)
{
	for (; cores; cores &= cores - 1)
		vcore_snoop_send(&shared->snoops[__builtin_ctzll(cores)], line,
				 type);
}

/*
 * Inserts a line into the L3, which may evict another line for it. Returns true if the evicted line
 * must be written back to memory.
 */
static bool insert_line(struct vcore_shared *shared, uint64_t line, unsigned int state,
			uint64_t presence)
{
	uint64_t gone;

	gone = vcore_cache_insert(&shared->l3, line, state, &presence);
	if (gone == VCORE_NO_ENTRY)
		return false;
	send_snoops(shared, presence, vcore_cache_tag(gone), VCORE_SNOOP_INVALIDATE);
	return gone & (VCORE_DIRTY | MODIFIED);
}

static struct vcore_grant fill_from_memory(struct vcore_shared *shared,
					   unsigned int core, uint64_t line,
					   bool modified)
{
	struct vcore_grant grant = { .level = VCORE_AT_MEMORY, .owned = true };

	grant.written_back = insert_line(shared, line, VCORE_OWNED |
					 (modified ? MODIFIED : 0), 1ull << core);
	return grant;
}

/*
 * Starts the transfer of a line from one core to another. Returns the number of cycles that the
 * transfer must wait for an earlier transfer of the same line; 0 if the cores' clocks are not
 * synchronised.
 */
static unsigned int transfer_time(struct vcore_shared *shared, unsigned int core,
				  uint64_t cycle, uint64_t line,
				  enum vcore_level level)
{
	const struct vcore_memory_params *params = &shared->params->memory;
	struct vcore_transfer *t = &shared->transfer[line % LOCKS];
	uint64_t now = vcore_pace_time(&shared->pace, core, cycle);
	uint64_t from = t->line == line && t->until > now ? t->until : now;

	if (!vcore_pace_has(&shared->pace, core))
		return 0;
	t->line = line;
	t->until = from + (level == VCORE_AT_SNOOP_HITM ? params->snoop_hitm :
							  params->snoop_hit);
	return from - now;
}

/*
 * Returns where a hit in the L3 gets the line from: the L3 or another core. @others is a mask of
 * the other cores that may have the line.
 */
static enum vcore_level hit_level(const struct vcore_shared *shared, uint64_t entry,
				  uint64_t others)
{
	if (entry & VCORE_OWNED && others)
		return entry & MODIFIED ? VCORE_AT_SNOOP_HITM : VCORE_AT_SNOOP_HIT;
	return shared->no_l3 ? VCORE_AT_SNOOP_HIT : VCORE_AT_L3;
}

static void downgrade_owner(struct vcore_shared *shared, uint64_t *entry,
			    uint64_t others, uint64_t line)
{
	if (!(*entry & VCORE_OWNED))
		return;
	send_snoops(shared, others, line, VCORE_SNOOP_SHARE);
	if (*entry & MODIFIED)
		*entry |= VCORE_DIRTY;
	*entry &= ~(uint64_t)(VCORE_OWNED | MODIFIED);
}

/**
 * vcore_shared_pace() - let a core of a shared L3 wait for cores that are too far behind
 * @shared: the package
 * @core: number of the core
 * @cycle: cycle that the core is about to simulate
 *
 * Return: true if the core's clock was not synchronised before the call.
 */
bool vcore_shared_pace(struct vcore_shared *shared, unsigned int core,
		       uint64_t cycle)
{
	return vcore_pace_keep(&shared->pace, core, cycle);
}

/**
 * vcore_shared_offset() - get how far the time of the shared L3 is ahead of a core's cycles
 * @shared: the package
 * @core: number of the core
 * @cycle: current cycle of the core's clock. If the core is not synchronised, it is synchronised
 *	now and continues at the time of the other cores
 */
uint64_t vcore_shared_offset(struct vcore_shared *shared, unsigned int core,
			     uint64_t cycle)
{
	if (!vcore_pace_has(&shared->pace, core))
		vcore_pace_join(&shared->pace, core, cycle);
	return vcore_pace_time(&shared->pace, core, 0);
}

/**
 * vcore_shared_passed() - advance a core's clock in the package of a shared L3
 * @shared: the package
 * @core: number of the core
 * @cycle: first cycle of the core's clock that has not passed yet
 *
 * Return: the package's time: the first cycle that has not passed yet on some running core.
 */
uint64_t vcore_shared_passed(struct vcore_shared *shared, unsigned int core,
			     uint64_t cycle)
{
	return vcore_pace_passed(&shared->pace, core, cycle);
}

/**
 * vcore_shared_controller() - get the memory controller behind the shared L3
 * @shared: the package
 */
struct vcore_controller *vcore_shared_controller(struct vcore_shared *shared)
{
	return &shared->controller;
}

/**
 * vcore_shared_yields() - check if the cores of a shared L3 give a cycle to a core's other thread
 * @shared: the package
 * @core: number of the core
 * @sibling: number of the core that simulates the other thread
 * @cycle: cycle of the first core's clock
 */
bool vcore_shared_yields(const struct vcore_shared *shared, unsigned int core,
			 unsigned int sibling, uint64_t cycle)
{
	return vcore_pace_yields(&shared->pace, core, sibling, cycle);
}

/**
 * vcore_shared_halt() - let the cores of a shared L3 no longer wait for a core that halts
 * @shared: the package
 * @core: number of the core
 */
void vcore_shared_halt(struct vcore_shared *shared, unsigned int core)
{
	vcore_pace_leave(&shared->pace, core);
}

/**
 * vcore_shared_prefetch_host() - prefetch on the host the tags of a line in the shared L3
 * @shared: the package
 * @line: line address / 64 of a later request
 */
void vcore_shared_prefetch_host(const struct vcore_shared *shared, uint64_t line)
{
	vcore_cache_prefetch_host(&shared->l3, line);
}

/**
 * vcore_shared_read() - request from the shared L3 a line that a core does not have
 * @shared: the package
 * @core: number of the requesting core
 * @cycle: current cycle of the core's clock
 * @line: line address / 64
 */
struct vcore_grant vcore_shared_read(struct vcore_shared *shared,
				     unsigned int core, uint64_t cycle,
				     uint64_t line)
{
	struct vcore_grant grant = { 0 };
	uint64_t *entry, *presence, others;

	lock_line(shared, line);
	entry = vcore_cache_touch(&shared->l3, line);
	if (!entry) {
		grant = fill_from_memory(shared, core, line, false);
	} else {
		presence = vcore_cache_note(entry);
		others = *presence & ~(1ull << core);
		grant.level = hit_level(shared, *entry, others);
		if (grant.level != VCORE_AT_L3)
			grant.wait = transfer_time(shared, core, cycle, line,
						   grant.level);
		if (others)
			downgrade_owner(shared, entry, others, line);
		else
			*entry |= VCORE_OWNED;
		grant.owned = !others;
		*presence |= 1ull << core;
	}
	unlock_line(shared, line);
	return grant;
}

/**
 * vcore_shared_own() - request from the shared L3 the ownership of a line
 * @shared: the package
 * @core: number of the requesting core, which does not own the line
 * @cycle: current cycle of the core's clock
 * @line: line address / 64
 */
struct vcore_grant vcore_shared_own(struct vcore_shared *shared,
				    unsigned int core, uint64_t cycle,
				    uint64_t line)
{
	struct vcore_grant grant = { .owned = true };
	uint64_t *entry, *presence, others;

	lock_line(shared, line);
	entry = vcore_cache_touch(&shared->l3, line);
	if (!entry) {
		grant = fill_from_memory(shared, core, line, true);
	} else {
		presence = vcore_cache_note(entry);
		others = *presence & ~(1ull << core);
		grant.level = hit_level(shared, *entry, others);
		if (others && grant.level == VCORE_AT_L3)
			grant.level = VCORE_AT_SNOOP_HIT;
		if (grant.level != VCORE_AT_L3)
			grant.wait = transfer_time(shared, core, cycle, line,
						   grant.level);
		send_snoops(shared, others, line, VCORE_SNOOP_INVALIDATE);
		if (others && *entry & MODIFIED)
			*entry |= VCORE_DIRTY;
		*entry |= VCORE_OWNED | MODIFIED;
		*presence = 1ull << core;
	}
	unlock_line(shared, line);
	return grant;
}

/**
 * vcore_shared_prefetch() - bring a line into the shared L3, but into no core's caches
 * @shared: the package, which must have an L3
 * @line: line address / 64
 */
struct vcore_grant vcore_shared_prefetch(struct vcore_shared *shared,
					 uint64_t line)
{
	struct vcore_grant grant = { .level = VCORE_AT_L3 };

	lock_line(shared, line);
	if (!vcore_cache_find(&shared->l3, line)) {
		grant.level = VCORE_AT_MEMORY;
		grant.written_back = insert_line(shared, line, 0, 0);
	}
	unlock_line(shared, line);
	return grant;
}

/**
 * vcore_shared_modified() - record in the shared L3 a core's first write to a line that it owns
 * @shared: the package
 * @core: number of the core
 * @line: line address / 64
 *
 * The call has no latency, because hardware has no such message. On hardware, a later snoop finds
 * that the line is modified.
 */
void vcore_shared_modified(struct vcore_shared *shared, unsigned int core,
			   uint64_t line)
{
	uint64_t *entry;

	lock_line(shared, line);
	entry = vcore_cache_find(&shared->l3, line);
	if (entry && *entry & VCORE_OWNED &&
	    *vcore_cache_note(entry) == 1ull << core)
		*entry |= MODIFIED;
	unlock_line(shared, line);
}

/**
 * vcore_shared_drop() - update the shared L3 when a core's caches evict a line
 * @shared: the package
 * @core: number of the core
 * @line: line address / 64
 * @dirty: true if the core has modified the line
 */
void vcore_shared_drop(struct vcore_shared *shared, unsigned int core,
		       uint64_t line, bool dirty)
{
	uint64_t *entry, *presence;

	lock_line(shared, line);
	entry = vcore_cache_find(&shared->l3, line);
	if (entry) {
		presence = vcore_cache_note(entry);
		if (*presence == 1ull << core)
			*entry &= ~(uint64_t)(VCORE_OWNED | MODIFIED);
		*presence &= ~(1ull << core);
		if (dirty)
			*entry |= VCORE_DIRTY;
		if (shared->no_l3 && !*presence)
			vcore_cache_clear(&shared->l3, entry);
	}
	unlock_line(shared, line);
}

/**
 * vcore_shared_purge() - invalidate a line in the shared L3 and in the caches of all other cores
 * @shared: the package
 * @core: number of the core that writes the line to memory; it has removed its own copy
 * @line: line address / 64
 *
 * Return: true if the L3 or directory had the line.
 */
bool vcore_shared_purge(struct vcore_shared *shared, unsigned int core,
			uint64_t line)
{
	uint64_t *entry;

	lock_line(shared, line);
	entry = vcore_cache_find(&shared->l3, line);
	if (entry) {
		send_snoops(shared, *vcore_cache_note(entry) &
				    ~(1ull << core), line, VCORE_SNOOP_INVALIDATE);
		vcore_cache_clear(&shared->l3, entry);
	}
	unlock_line(shared, line);
	return entry;
}

/**
 * vcore_shared_snoops() - get the queue by which the shared L3 sends snoops to a core
 * @shared: the package
 * @core: number of the core
 */
struct vcore_snoop_queue *vcore_shared_snoops(struct vcore_shared *shared,
					      unsigned int core)
{
	return &shared->snoops[core];
}

/**
 * vcore_shared_interval() - get the time between transfers that a core's share of bandwidth allows
 * @shared: the package
 * @core: number of the core
 * @cycle: current cycle of the core's clock
 * @lines: number of lines that the core has transferred since power-on
 *
 * Return: the minimum time from one transfer to the next, in units of 1 / VCORE_INTERVAL_UNITS of a
 * cycle.
 */
unsigned int vcore_shared_interval(struct vcore_shared *shared,
				   unsigned int core, uint64_t cycle,
				   uint64_t lines)
{
	return vcore_bandwidth_interval(&shared->bandwidth, core, cycle, lines);
}
