/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The state of an out-of-order core's back end, shared by the files that make
 * it up: ooo.c, issue.c, sched.c, refused.c, lsq.c, stores.c, execute.c, retire.c,
 * blame.c.
 *
 * A cycle goes: results that are due wake what waits for them; a mispredicted
 * branch that is due squashes; retire; drain a store; execute; front end; issue.
 */
#ifndef VCORE_OOO_H
#define VCORE_OOO_H

#include <stddef.h>

#include "base/bits.h"
#include "core/core.h"
#include "overlap.h"

/* uops in flight, of slots that have not retired */
#define VCORE_UOPS VCORE_BITS
#define VCORE_NO_UOP 0xffff
#define VCORE_NEVER UINT64_MAX
/* powers of two that hold what any core has */
#define VCORE_STORE_RING 128
#define VCORE_LOAD_RING 256
#define VCORE_BARRIERS 16
#define VCORE_WAIT_TABLE 1024

enum vcore_state {
	VCORE_UOP_WAITS,			/* for operands, a buffer or its port */
	VCORE_UOP_DONE			/* executed */
};

/**
 * struct vcore_flight - an unfused uop in flight
 * @seq: its number, which grows in program order
 * @done: when executed: cycle of its result
 * @at: cycle in which the wheel calls it
 * @access: to memory, or NULL; belongs to the step
 * @store: of STA and STD its store's number, of loads that of the next store
 * @load: its number in the load buffer
 * @rob: its slot
 * @next: in the wheel, or in the list of what it waits for
 * @consumers: first of the operands that wait for it
 * @next_consumer: by operand: the next that waits for the same
 * @producer: by operand: who makes it
 * @sources: operands
 * @waits: operands that have not executed
 * @level: where the load found its data
 * @from: the same, or where the fill that it joined comes from
 * @wrong: of the wrong path
 * @tlb_missed: the first TLB
 * @walked: both missed
 * @split: touched two lines
 * @refused: waits for a fill buffer
 * @blocked: waits for a store that overlaps
 * @held: has met a store that keeps it from its data: in flight, but no miss
 * @aliased: has waited for a store that only seemed to
 * @wary: waited for the addresses of older stores
 * @miss_at: when a hit would have been done, once its page is known
 * @hit_at: the same were it known at once
 */
struct vcore_flight {
	uint64_t seq;
	uint64_t done;
	uint64_t at;
	uint64_t miss_at;
	uint64_t hit_at;
	const struct vcore_access *access;
	uint64_t store;
	uint64_t load;
	uint16_t rob;
	uint16_t next;
	uint16_t consumers;
	uint16_t next_consumer[VCORE_MAX_SOURCES];
	uint16_t producer[VCORE_MAX_SOURCES];
	uint8_t sources;
	uint8_t waits;
	uint8_t state;
	uint8_t type;
	uint8_t port;
	uint8_t latency;
	uint8_t divides;
	uint8_t compute;
	uint8_t level;
	uint8_t from;
	bool wrong;
	bool tlb_missed;
	bool walked;
	bool split;
	bool refused;
	bool blocked;
	bool held;
	bool aliased;
	bool wary;
};

/**
 * struct vcore_rob - a slot in the reorder buffer
 * @slot: what it holds
 * @seq: its first uop
 * @done: result of its last
 * @first: number of the instruction's first slot
 * @stores: number of the next store behind it
 * @nr: unfused uops
 * @pending: of them not executed
 * @clear: a machine clear is due before it retires
 */
struct vcore_rob {
	struct vcore_slot slot;
	uint64_t seq;
	uint64_t done;
	uint64_t first;
	uint64_t stores;
	uint8_t nr;
	uint8_t pending;
	bool clear;
};

/**
 * struct vcore_store - a store buffer entry
 * @access: copied, as the entry outlives its step
 * @step: that it belongs to
 * @sta: uop that makes the address
 * @std: uop that makes the data
 * @known: the address is
 * @filled: the data are there, at @data
 * @sent: told the memory; may leave at @done
 * @missed: it did not hit the L1
 * @waiters: loads that wait for it to leave
 */
struct vcore_store {
	struct vcore_access access;
	uint64_t step;
	uint64_t data;
	uint64_t done;
	uint16_t sta;
	uint16_t std;
	uint16_t waiters;
	bool known;
	bool filled;
	bool missed;
	bool streams;
};

/**
 * struct vcore_load - a load buffer entry
 * @access: of the step
 * @step: that it belongs to
 * @from: number of the store that fed it, plus 1
 * @uop: in flight
 * @executed: it has read
 */
struct vcore_load {
	const struct vcore_access *access;
	uint64_t step;
	uint64_t from;
	uint16_t uop;
	bool executed;
};

/**
 * struct vcore_barrier - a fence or a locked instruction in flight
 * @step: younger loads wait for it
 * @first_store: number of its first store
 * @locked: or a fence
 * @load: of the locked instruction that waits to become the oldest
 * @waiters: younger loads
 */
struct vcore_barrier {
	uint64_t step;
	uint64_t first_store;
	bool locked;
	uint16_t load;
	uint16_t waiters;
};

/* why issue stalled */
enum vcore_full {
	VCORE_FULL_ROB = 1,
	VCORE_FULL_RS = 2,
	VCORE_FULL_STORES = 4,
	VCORE_FULL_LOADS = 8
};

/**
 * struct vcore_did - what a cycle did
 * @retired: slots
 * @executed: uops that went to a port
 * @executed_slots: slots of the correct path whose last uop did
 * @issued: slots
 * @issued_right: of them of the correct path
 * @stalls: &enum vcore_full
 * @lacks: why the front end had no more
 * @recovering: nothing could issue
 * @active: something moved
 */
struct vcore_did {
	unsigned int retired;
	unsigned int executed;
	unsigned int executed_slots;
	unsigned int issued;
	unsigned int issued_right;
	unsigned int stalls;
	enum vcore_lack lacks;
	bool recovering;
	bool active;
};

/* how near a level of incomplete loads is, for the counts of what is pending */
enum vcore_pending {
	VCORE_PENDING_LOAD,
	VCORE_PENDING_L1,
	VCORE_PENDING_L2,
	VCORE_PENDING_L3,
	VCORE_PENDING
};

/**
 * struct vcore_blamed - why cycles are lost in which nothing happens
 * @lost: by stage
 * @until: cycle from which on it may be another reason
 */
struct vcore_blamed {
	enum vcore_part lost[VCORE_STAGES];
	uint64_t until;
};

/**
 * struct vcore_refused - loads that found no fill buffer free
 * @until: cycle in which those that are parked are called
 * @ports: that any are parked of, bits
 * @parked: by port: uops that were refused and have not been called
 * @known: uops that were refused and are again as long as no buffer is free
 * @granule: what @known read
 * @came: awaited lines that got a fill buffer, as far as @known knows
 *
 * Until one is, they would be tried and refused again and again, one a cycle of each
 * port: what is known to end so is done at once.
 */
struct vcore_refused {
	uint64_t until;
	unsigned int ports;
	struct vcore_bits parked[VCORE_MAX_PORTS];
	struct vcore_bits known;
	uint16_t granule[VCORE_GRANULES];
	uint64_t came;
};

/**
 * struct vcore_ooo - the back end
 * @head: number of the oldest slot in the reorder buffer
 * @tail: of the next
 * @oldest: number of the oldest uop in flight
 * @next: of the next
 * @map: by register: number of the uop that makes it
 * @x87_top: of the x87 stack, modulo 8
 * @ready: by port: uops that may execute
 * @ready_ports: those that have any, bits
 * @waiting: uops in the scheduler that may not
 * @on_port: by port: uops in the scheduler that are bound to it
 * @scheduled: uops in the scheduler
 * @scheduled_wrong: of them of the wrong path
 * @wheel: by cycle: first uop that is called then
 * @called: cycles of the wheel that call anyone
 * @refused: loads that found no fill buffer
 * @divider: first cycle in which it is free
 * @resolve: cycle in which the mispredicted branch is known
 * @unresolved: a mispredicted branch has issued and is not known yet
 * @recovered: first cycle in which issue goes on
 * @clearing: a machine clear has happened, nothing has issued since
 * @clear_next: a machine clear is due before the next instruction retires
 * @serialised: the last that retired serialises
 * @pending: by &enum vcore_pending: until when a load is; none longer than the
 *	one before
 * @held: loads that are, see &struct vcore_flight
 * @step: of the instruction that is being issued; @loads, @stas, @stds and
 *	@further its accesses so far, @first its first slot,
 *	@first_store its first store
 */
struct vcore_ooo {
	struct vcore *core;
	struct vcore_front *front;
	struct vcore_stack stack;
	struct vcore_did did;

	uint64_t head;
	uint64_t tail;
	uint64_t oldest;
	uint64_t next;
	uint64_t map[VCORE_NR_REGS];
	unsigned int x87_top;

	struct vcore_bits ready[VCORE_MAX_PORTS];
	unsigned int ready_ports;
	struct vcore_bits waiting;
	unsigned int on_port[VCORE_MAX_PORTS];
	unsigned int scheduled;
	unsigned int scheduled_wrong;
	uint16_t wheel[VCORE_BITS];
	struct vcore_bits called;
	struct vcore_refused refused;
	uint64_t divider;

	uint64_t resolve;
	bool unresolved;
	uint64_t recovered;
	bool clearing;
	bool clear_next;
	bool serialised;

	uint64_t load_head;
	uint64_t load_tail;
	uint64_t store_head;
	uint64_t store_sent;
	uint64_t store_senior;
	uint64_t store_tail;
	uint64_t send_at;
	unsigned int unknown_stores;
	unsigned int barrier_head;
	unsigned int barrier_tail;
	uint64_t pending[VCORE_PENDING];
	unsigned int held;
	uint16_t store_granule[VCORE_GRANULES];
	uint16_t load_granule[VCORE_GRANULES];
	uint8_t wait_table[VCORE_WAIT_TABLE];
	struct vcore_barrier barrier[VCORE_BARRIERS];

	uint64_t first;
	uint64_t first_store;
	unsigned int loads;
	unsigned int stas;
	unsigned int stds;
	unsigned int further;

	struct vcore_store store[VCORE_STORE_RING];
	struct vcore_load load[VCORE_LOAD_RING];
	struct vcore_rob rob[VCORE_MAX_ROB];
	struct vcore_flight uop[VCORE_UOPS];
};

static inline struct vcore_flight *vcore_flight(struct vcore_ooo *ooo,
						uint64_t seq)
{
	return &ooo->uop[seq % VCORE_UOPS];
}

static inline struct vcore_rob *vcore_rob(struct vcore_ooo *ooo, uint64_t nr)
{
	return &ooo->rob[nr % VCORE_MAX_ROB];
}

static inline struct vcore_store *vcore_store(struct vcore_ooo *ooo,
					      uint64_t nr)
{
	return &ooo->store[nr % VCORE_STORE_RING];
}

static inline struct vcore_load *vcore_load(struct vcore_ooo *ooo, uint64_t nr)
{
	return &ooo->load[nr % VCORE_LOAD_RING];
}

static inline uint16_t vcore_uop_index(const struct vcore_flight *flight)
{
	return flight->seq % VCORE_UOPS;
}

static inline const struct vcore_insn *vcore_insn_of(struct vcore_ooo *ooo,
						     uint64_t step)
{
	return vcore_step(&ooo->core->trace, step)->insn;
}

/* issue.c */
void vcore_issue(struct vcore_ooo *ooo);

/* sched.c */
void vcore_sched_add(struct vcore_ooo *ooo, struct vcore_flight *flight);
void vcore_sched_operand(struct vcore_ooo *ooo, struct vcore_flight *flight,
			 uint64_t producer);
void vcore_sched_wait(struct vcore_ooo *ooo, struct vcore_flight *flight,
		      uint16_t producer);
void vcore_sched_call(struct vcore_ooo *ooo, struct vcore_flight *flight,
		      uint64_t cycle);
void vcore_sched_park(struct vcore_ooo *ooo, struct vcore_flight *flight);
void vcore_sched_call_all(struct vcore_ooo *ooo, uint16_t *list,
			  uint64_t cycle);
void vcore_sched_ready(struct vcore_ooo *ooo, struct vcore_flight *flight);
void vcore_sched_wake(struct vcore_ooo *ooo, struct vcore_flight *flight);
void vcore_sched_leave(struct vcore_ooo *ooo, struct vcore_flight *flight);
void vcore_sched_squash(struct vcore_ooo *ooo, struct vcore_flight *flight);
void vcore_sched_reset(struct vcore_ooo *ooo);
uint64_t vcore_sched_next(const struct vcore_ooo *ooo, uint64_t ready,
			  bool *wakes);

/* refused.c */
void vcore_refused_add(struct vcore_ooo *ooo, struct vcore_flight *flight,
		       uint64_t until);
bool vcore_refused_again(struct vcore_ooo *ooo, struct vcore_flight *flight);
void vcore_refused_due(struct vcore_ooo *ooo);
void vcore_refused_forget(struct vcore_ooo *ooo);
void vcore_refused_store(struct vcore_ooo *ooo,
			 const struct vcore_access *access);
uint64_t vcore_refused_end(struct vcore_ooo *ooo);
void vcore_refused_sweep(struct vcore_ooo *ooo, uint64_t cycles);
void vcore_refused_reset(struct vcore_ooo *ooo);

/* lsq.c */
bool vcore_lsq_load(struct vcore_ooo *ooo, struct vcore_flight *flight);
void vcore_lsq_loaded(struct vcore_ooo *ooo, struct vcore_flight *flight);
void vcore_lsq_pending(struct vcore_ooo *ooo, struct vcore_flight *flight);
void vcore_lsq_retire_load(struct vcore_ooo *ooo);
void vcore_lsq_barrier(struct vcore_ooo *ooo, uint64_t step, bool locked);
void vcore_lsq_barriers(struct vcore_ooo *ooo);
void vcore_lsq_violation(struct vcore_ooo *ooo, uint64_t nr);
void vcore_lsq_lost(struct vcore_ooo *ooo, uint64_t line);
void vcore_lsq_reset(struct vcore_ooo *ooo);

/* stores.c */
void vcore_stores_executed(struct vcore_ooo *ooo, struct vcore_flight *flight);
void vcore_stores_drain(struct vcore_ooo *ooo);
void vcore_stores_reset(struct vcore_ooo *ooo);
uint64_t vcore_stores_next(struct vcore_ooo *ooo);

/* execute.c */
void vcore_execute_due(struct vcore_ooo *ooo);
void vcore_execute(struct vcore_ooo *ooo);

/* retire.c */
bool vcore_retire(struct vcore_ooo *ooo);

/* blame.c */
void vcore_blame(struct vcore_ooo *ooo);
void vcore_blame_idle(struct vcore_ooo *ooo, struct vcore_blamed *blamed);
void vcore_blame_for(struct vcore_ooo *ooo, const struct vcore_blamed *blamed,
		     uint64_t cycles);

#endif /* VCORE_OOO_H */
