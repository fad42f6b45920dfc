// SPDX-License-Identifier: GPL-2.0
/*
 * The L3's entries: VCORE_OWNED says that one core may write the line, a bit of
 * their note tells which; LENT that it has; VCORE_DIRTY that memory is older
 * than the L3. Cores give back what they own, so that a snoop finds it; of
 * shared lines the notes may name a core that has it no more. Without L3 they
 * are exact.
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

#define LENT 0x10

/* sets are locked in groups */
#define LOCKS 64

/* room for the L2s of more cores than a virtual machine gets */
static const struct vcore_cache_params directory = { 16384, 16, 0 };

/**
 * struct vcore_transfer - a line that goes from one core to another
 * @line: which
 * @until: the package's time when it is there
 */
struct vcore_transfer {
	uint64_t line;
	uint64_t until;
};

/**
 * struct vcore_shared - a package
 * @params: the part's
 * @users: cores that joined
 * @l3: cache, or directory
 * @no_l3: which of them
 * @locked: of the sets of @l3, by the low bits of the line; for so short a
 *	time that who waits for one only lets other threads run
 * @transfer: the latest of the sets of a lock
 * @pace: the cores' clocks
 * @snoops: of each core, [VCORE_MAX_CORES]
 * @bandwidth: of memory, where each core has a controller of its own
 * @controller: of memory
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

static pthread_mutex_t joining = PTHREAD_MUTEX_INITIALIZER;
static struct vcore_shared *package;

static struct vcore_shared *shared_new(const struct vcore_params *params)
{
	struct vcore_shared *shared = calloc(1, sizeof(*shared));
	unsigned int i;

	if (!shared)
		abort();
	shared->params = params;
	shared->no_l3 = !params->memory.l3.sets;
	vcore_cache_init(&shared->l3, shared->no_l3 ? &directory :
						      &params->memory.l3, true);
	for (i = 0; i < VCORE_MAX_CORES; i++)
		vcore_snoop_init(&shared->snoops[i]);
	vcore_controller_init(&shared->controller, params->memory.tracker);
	shared->bandwidth.line_interval = params->memory.line_interval;
	return shared;
}

/* the models of cores differ up to the L2 only */
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
 * vcore_shared_join() - a core comes to the package
 * @params: the core's; all cores of a package have the same L3 and memory
 * @core: its number, below VCORE_MAX_CORES, that no other has
 *
 * Return: the package, made for the first; vcore_shared_leave() gives it back.
 */
struct vcore_shared *vcore_shared_join(const struct vcore_params *params,
				       unsigned int core)
{
	struct vcore_shared *shared;

	if (core >= VCORE_MAX_CORES)
		abort();
	pthread_mutex_lock(&joining);
	if (!package)
		package = shared_new(params);
	if (!same_l3(&package->params->memory, &params->memory))
		abort();
	shared = package;
	shared->users++;
	pthread_mutex_unlock(&joining);
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
 * vcore_shared_leave() - a core goes
 * @shared: the package, freed with the last
 * @core: its number
 *
 * What the core had is not removed: it is gone like a line dropped silently.
 */
void vcore_shared_leave(struct vcore_shared *shared, unsigned int core)
{
	pthread_mutex_lock(&joining);
	vcore_pace_leave(&shared->pace, core);
	memset(&shared->bandwidth.user[core], 0,
	       sizeof(shared->bandwidth.user[core]));
	if (!--shared->users) {
		shared_free(shared);
		package = NULL;
	}
	pthread_mutex_unlock(&joining);
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

/* snoop all cores of @whom */
static void tell(struct vcore_shared *shared, uint64_t whom, uint64_t line,
		 enum vcore_snoop_type kind)
{
	for (; whom; whom &= whom - 1)
		vcore_snoop_send(&shared->snoops[__builtin_ctzll(whom)], line,
				 kind);
}

/* a line comes from memory, another goes; Return: the latter to memory */
static bool fill(struct vcore_shared *shared, uint64_t line, unsigned int state,
		 uint64_t whose)
{
	uint64_t gone;

	gone = vcore_cache_insert(&shared->l3, line, state, &whose);
	if (gone == VCORE_NO_ENTRY)
		return false;
	tell(shared, whose, vcore_cache_tag(gone), VCORE_SNOOP_INVALIDATE);
	return gone & (VCORE_DIRTY | LENT);
}

static struct vcore_grant from_memory(struct vcore_shared *shared,
				      unsigned int core, uint64_t line,
				      bool modified)
{
	struct vcore_grant grant = { .level = VCORE_AT_MEMORY, .owned = true };

	grant.written_back = fill(shared, line, VCORE_OWNED |
				  (modified ? LENT : 0), 1ull << core);
	return grant;
}

/*
 * Return: the cycles until a line that another core may just be getting is there,
 * if the cores' clocks can be compared.
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

/* where a line of the L3 is found by a core, with what the others have */
static enum vcore_level level(const struct vcore_shared *shared, uint64_t entry,
			      uint64_t others)
{
	if (entry & VCORE_OWNED && others)
		return entry & LENT ? VCORE_AT_SNOOP_HITM : VCORE_AT_SNOOP_HIT;
	return shared->no_l3 ? VCORE_AT_SNOOP_HIT : VCORE_AT_L3;
}

static void read_shared(struct vcore_shared *shared, uint64_t *entry,
			uint64_t others, uint64_t line)
{
	if (!(*entry & VCORE_OWNED))
		return;
	tell(shared, others, line, VCORE_SNOOP_SHARE);
	if (*entry & LENT)
		*entry |= VCORE_DIRTY;
	*entry &= ~(uint64_t)(VCORE_OWNED | LENT);
}

/**
 * vcore_shared_pace() - a core is about to simulate a cycle
 * @shared: the package
 * @core: which
 * @cycle: its clock
 *
 * Returns when no other is too far behind.
 *
 * Return: whether it did not run before.
 */
bool vcore_shared_pace(struct vcore_shared *shared, unsigned int core,
		       uint64_t cycle)
{
	return vcore_pace_keep(&shared->pace, core, cycle);
}

/**
 * vcore_shared_offset() - from a core's cycles to the package's time
 * @shared: the package
 * @core: which
 * @cycle: its clock; if others left it behind, it goes on where they are
 */
uint64_t vcore_shared_offset(struct vcore_shared *shared, unsigned int core,
			     uint64_t cycle)
{
	if (!vcore_pace_has(&shared->pace, core))
		vcore_pace_join(&shared->pace, core, cycle);
	return vcore_pace_time(&shared->pace, core, 0);
}

/**
 * vcore_shared_passed() - a core's cycle has passed
 * @shared: the package
 * @core: which
 * @cycle: the first of its clock that has not passed yet
 *
 * Return: the same of the package, in its time.
 */
uint64_t vcore_shared_passed(struct vcore_shared *shared, unsigned int core,
			     uint64_t cycle)
{
	return vcore_pace_passed(&shared->pace, core, cycle);
}

/**
 * vcore_shared_controller() - the package's memory controller
 * @shared: the package
 */
struct vcore_controller *vcore_shared_controller(struct vcore_shared *shared)
{
	return &shared->controller;
}

/**
 * vcore_shared_halt() - a core halts: the others need not wait for it
 * @shared: the package
 * @core: which
 */
void vcore_shared_halt(struct vcore_shared *shared, unsigned int core)
{
	vcore_pace_leave(&shared->pace, core);
}

/**
 * vcore_shared_expect() - a line is going to be asked for, or dropped
 * @shared: the package
 * @line: its number
 *
 * Changes nothing: the host gets to the L3's entries sooner.
 */
void vcore_shared_expect(const struct vcore_shared *shared, uint64_t line)
{
	vcore_cache_expect(&shared->l3, line);
}

/**
 * vcore_shared_read() - a core reads a line that it does not have
 * @shared: the package
 * @core: who asks
 * @cycle: its clock
 * @line: its number
 */
struct vcore_grant vcore_shared_read(struct vcore_shared *shared,
				     unsigned int core, uint64_t cycle,
				     uint64_t line)
{
	struct vcore_grant grant = { 0 };
	uint64_t *entry, *whose, others;

	lock_line(shared, line);
	entry = vcore_cache_touch(&shared->l3, line);
	if (!entry) {
		grant = from_memory(shared, core, line, false);
	} else {
		whose = vcore_cache_note(entry);
		others = *whose & ~(1ull << core);
		grant.level = level(shared, *entry, others);
		if (grant.level != VCORE_AT_L3)
			grant.wait = transfer_time(shared, core, cycle, line,
						   grant.level);
		if (others)
			read_shared(shared, entry, others, line);
		else
			*entry |= VCORE_OWNED;
		grant.owned = !others;
		*whose |= 1ull << core;
	}
	unlock_line(shared, line);
	return grant;
}

/**
 * vcore_shared_own() - a core is going to write a line that it does not own
 * @shared: the package
 * @core: who asks
 * @cycle: its clock
 * @line: its number
 */
struct vcore_grant vcore_shared_own(struct vcore_shared *shared,
				    unsigned int core, uint64_t cycle,
				    uint64_t line)
{
	struct vcore_grant grant = { .owned = true };
	uint64_t *entry, *whose, others;

	lock_line(shared, line);
	entry = vcore_cache_touch(&shared->l3, line);
	if (!entry) {
		grant = from_memory(shared, core, line, true);
	} else {
		whose = vcore_cache_note(entry);
		others = *whose & ~(1ull << core);
		grant.level = level(shared, *entry, others);
		if (others && grant.level == VCORE_AT_L3)
			grant.level = VCORE_AT_SNOOP_HIT;
		if (grant.level != VCORE_AT_L3)
			grant.wait = transfer_time(shared, core, cycle, line,
						   grant.level);
		tell(shared, others, line, VCORE_SNOOP_INVALIDATE);
		if (others && *entry & LENT)
			*entry |= VCORE_DIRTY;
		*entry |= VCORE_OWNED | LENT;
		*whose = 1ull << core;
	}
	unlock_line(shared, line);
	return grant;
}

/**
 * vcore_shared_prefetch() - a line is to be in the L3
 * @shared: the package, with an L3
 * @line: its number
 */
struct vcore_grant vcore_shared_prefetch(struct vcore_shared *shared,
					 uint64_t line)
{
	struct vcore_grant grant = { .level = VCORE_AT_L3 };

	lock_line(shared, line);
	if (!vcore_cache_find(&shared->l3, line)) {
		grant.level = VCORE_AT_MEMORY;
		grant.written_back = fill(shared, line, 0, 0);
	}
	unlock_line(shared, line);
	return grant;
}

/**
 * vcore_shared_modified() - a core writes a line that it owns the first time
 * @shared: the package
 * @core: which
 * @line: its number
 *
 * Takes no time: only a snoop would find out.
 */
void vcore_shared_modified(struct vcore_shared *shared, unsigned int core,
			   uint64_t line)
{
	uint64_t *entry;

	lock_line(shared, line);
	entry = vcore_cache_find(&shared->l3, line);
	if (entry && *entry & VCORE_OWNED &&
	    *vcore_cache_note(entry) == 1ull << core)
		*entry |= LENT;
	unlock_line(shared, line);
}

/**
 * vcore_shared_drop() - a line leaves the caches of a core
 * @shared: the package
 * @core: which
 * @line: its number
 * @dirty: it was modified
 */
void vcore_shared_drop(struct vcore_shared *shared, unsigned int core,
		       uint64_t line, bool dirty)
{
	uint64_t *entry, *whose;

	lock_line(shared, line);
	entry = vcore_cache_find(&shared->l3, line);
	if (entry) {
		whose = vcore_cache_note(entry);
		if (*whose == 1ull << core)
			*entry &= ~(uint64_t)(VCORE_OWNED | LENT);
		*whose &= ~(1ull << core);
		if (dirty)
			*entry |= VCORE_DIRTY;
		if (shared->no_l3 && !*whose)
			vcore_cache_clear(&shared->l3, entry);
	}
	unlock_line(shared, line);
}

/**
 * vcore_shared_purge() - a line leaves all caches: it is written past them
 * @shared: the package
 * @core: who writes, and has removed its own copy
 * @line: its number
 *
 * Return: whether it was anywhere.
 */
bool vcore_shared_purge(struct vcore_shared *shared, unsigned int core,
			uint64_t line)
{
	uint64_t *entry;

	lock_line(shared, line);
	entry = vcore_cache_find(&shared->l3, line);
	if (entry) {
		tell(shared, *vcore_cache_note(entry) &
			     ~(1ull << core), line, VCORE_SNOOP_INVALIDATE);
		vcore_cache_clear(&shared->l3, entry);
	}
	unlock_line(shared, line);
	return entry;
}

/**
 * vcore_shared_snoops() - the snoop queue of a core
 * @shared: the package
 * @core: which
 */
struct vcore_snoop_queue *vcore_shared_snoops(struct vcore_shared *shared,
					      unsigned int core)
{
	return &shared->snoops[core];
}

/**
 * vcore_shared_interval() - the time between a core's lines at full speed
 * @shared: the package
 * @core: whose
 * @cycle: its clock
 * @lines: that it has moved until now
 *
 * Return: in units of 1 / VCORE_INTERVAL_UNITS of a cycle.
 */
unsigned int vcore_shared_interval(struct vcore_shared *shared,
				   unsigned int core, uint64_t cycle,
				   uint64_t lines)
{
	return vcore_bandwidth_interval(&shared->bandwidth, core, cycle, lines);
}
