/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State of an out-of-order core's back end, which its files share: ooo.c, issue.c, sched.c,
 * refused.c, lsq.c, stores.c, execute.c, retire.c, blame.c.
 *
 * The order of events in a cycle: the timing wheel wakes uops, a mispredicted branch that has
 * executed squashes the wrong path, slots retire, the store buffer drains, uops execute, the front
 * end supplies slots, slots issue.
 */
#ifndef VCORE_OOO_H
#define VCORE_OOO_H

#include <stddef.h>

#include "base/bits.h"
#include "core/core.h"
#include "overlap.h"

/*
 * Maximum number of unfused uops in flight. A uop is in flight from its issue until its slot
 * retires.
 */
#define VCORE_UOPS VCORE_BITS
#define VCORE_NO_UOP 0xffff
#define VCORE_NEVER UINT64_MAX
/*
 * Lengths of ring buffers. Each length is a power of two. No core has more elements of a ring in
 * flight than the ring holds.
 */
#define VCORE_STORE_RING 128
#define VCORE_LOAD_RING 256
#define VCORE_BARRIERS 16
#define VCORE_WAIT_TABLE 1024

enum vcore_state {
	VCORE_UOP_WAITS,			/* the uop waits for operands, a buffer or a port */
	VCORE_UOP_DONE			/* the uop has executed */
};

/**
 * struct vcore_flight - an unfused uop in flight
 * @seq: number, increasing in program order
 * @done: cycle of its result if it has executed, else cycle of its latest operand
 * @at: cycle in which the timing wheel wakes the uop
 * @miss_at: cycle in which the load would have completed if it had hit the L1D, but with the same
 *	TLB misses
 * @hit_at: cycle in which the load would have completed with hits in the L1D and the DTLB
 * @access: the memory access, an element of &vcore_step.access, or NULL
 * @store: for an STA or STD uop, number of its store; for a load, number of the first younger store
 * @load: for a load, number of the load buffer entry
 * @rob: index of the uop's slot in the reorder buffer
 * @next: next uop in the same bucket of the timing wheel, or in the same list of waiting loads
 * @consumers: first operand that waits for this uop's result, as index of the waiting uop *
 *	VCORE_MAX_SOURCES + number of its operand
 * @next_consumer: [operand of this uop], the next operand that waits for the same result, in the
 *	form of @consumers
 * @producer: [operand], index of the uop that produces the operand, or VCORE_NO_UOP
 * @sources: number of operands
 * @waits: number of operands whose producers have not executed
 * @state: &enum vcore_state
 * @type: &enum vcore_uop_type
 * @port: port to which issue has bound the uop
 * @latency: as in struct vcore_uop
 * @divides: as in struct vcore_uop
 * @compute: &enum vcore_compute
 * @level: for a load, &enum vcore_level that it hit
 * @from: for a load, &enum vcore_level that delivered the data: the source of the fill if @level is
 *	VCORE_AT_FILL, else @level
 * @wrong: the uop is on the wrong path
 * @tlb_missed: the load missed the first-level TLB
 * @walked: the load missed both TLBs
 * @split: the load crosses a line
 * @refused: the load waits for a fill buffer
 * @blocked: the load waits for a store that overlaps but cannot forward
 * @held: a store delays the data of the load; the load counts as pending, but not as a miss
 * @aliased: the load has waited for a store that has the same low 12 address bits, but does not
 *	overlap it
 * @waited: the load has waited for the addresses of older stores
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
	bool waited;
};

/**
 * struct vcore_rob - an entry of the reorder buffer, which holds one slot
 * @slot: the issued slot
 * @seq: number of the slot's first uop
 * @done: cycle of the latest result among the slot's executed uops
 * @first: number of the first slot of the same instruction
 * @stores: number of the first store that is younger than the slot
 * @nr: number of the slot's unfused uops
 * @pending: number of the slot's uops that have not executed
 * @clear: a machine clear is due before the slot retires
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
 * struct vcore_store - an entry of the store buffer
 * @access: copy of the step's access, because the entry outlives the step
 * @step: number of the step whose store this is
 * @data: cycle in which the data to be stored are available; valid if @filled
 * @done: cycle in which the entry can be freed; valid once the store was sent to the L1D
 * @sta: index of the store's STA uop
 * @std: index of the store's STD uop, or VCORE_NO_UOP; equal to @sta if one uop is both
 * @waiters: list of loads that wait until the entry is freed
 * @known: the address is known
 * @filled: the data are known
 * @missed: the store missed the L1D
 * @streams: the store is non-temporal
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
 * struct vcore_load - an entry of the load buffer
 * @access: the memory access, an element of &vcore_step.access
 * @step: number of the step whose load this is
 * @from: 1 + number of the store that forwarded the data; 0 if none did
 * @uop: index of the load's uop
 * @executed: the load has executed
 */
struct vcore_load {
	const struct vcore_access *access;
	uint64_t step;
	uint64_t from;
	uint16_t uop;
	bool executed;
};

/**
 * struct vcore_barrier - a fence or a locked instruction in flight, which delays younger loads
 * @step: number of the instruction's step in the trace
 * @first_store: number of the instruction's first store
 * @locked: true for a locked instruction, false for a fence
 * @load: list of the locked instruction's own loads, which wait until the instruction is the oldest
 *	in flight and older stores have left the store buffer
 * @waiters: list of younger loads, which wait until the barrier is passed
 */
struct vcore_barrier {
	uint64_t step;
	uint64_t first_store;
	bool locked;
	uint16_t load;
	uint16_t waiters;
};

/* Buffers of the back end: issue stalls while one of them is full. */
enum vcore_full {
	VCORE_FULL_ROB = 1,
	VCORE_FULL_RS = 2,
	VCORE_FULL_STORES = 4,
	VCORE_FULL_LOADS = 8
};

/**
 * struct vcore_did - what the back end did in one cycle
 * @retired: number of slots retired
 * @executed: number of uops executed
 * @executed_slots: number of slots of the correct path whose last uop executed in this cycle
 * @issued: number of slots issued
 * @issued_correct: number of issued slots on the correct path
 * @stalls: mask of &enum vcore_full that stalled issue
 * @lacks: reason why the front end had no more slots
 * @recovering: issue is stopped, because the allocator recovers from a mispredicted branch or a
 *	machine clear
 * @yields: this thread could issue, but the core's other thread has the issue slots of the cycle
 * @active: the state changed in another way than by execution, issue or retirement
 */
struct vcore_did {
	unsigned int retired;
	unsigned int executed;
	unsigned int executed_slots;
	unsigned int issued;
	unsigned int issued_correct;
	unsigned int stalls;
	enum vcore_lack lacks;
	bool recovering;
	bool yields;
	bool active;
};

/*
 * Kinds of incomplete loads, as the events of CYCLE_ACTIVITY distinguish them: all incomplete loads
 * (VCORE_PENDING_LOAD), and those that have missed the L1D, the L2 or the L3.
 */
enum vcore_pending {
	VCORE_PENDING_LOAD,
	VCORE_PENDING_L1,
	VCORE_PENDING_L2,
	VCORE_PENDING_L3,
	VCORE_NR_PENDING
};

/**
 * struct vcore_blamed - the components that are blamed for the lost slots of idle cycles
 * @lost: [stage], component of the CPI stack
 * @waits: the oldest slot waits for the result of one of its uops
 * @load: the uop that the oldest slot waits for is a load without its data
 * @until: first cycle in which any of the other members of this structure may change
 */
struct vcore_blamed {
	enum vcore_part lost[VCORE_STAGES];
	bool waits;
	bool load;
	uint64_t until;
};

/**
 * struct vcore_refused - loads refused because no fill buffer was free
 * @until: cycle in which the parked loads become ready to retry
 * @ports: mask of ports with parked loads
 * @parked: [port], set of the refused loads that wait for cycle @until
 * @known: set of the refused loads, parked or ready, whose retry is known to fail until a fill
 *	buffer becomes free
 * @granule: number of loads in @known by granule of 8 bytes, a table as in overlap.h
 * @came: the result of vcore_memory_awaited_fills() at the latest update of @known
 *
 * Each port retries one refused load per cycle. If all retries of the next cycles are known to
 * fail, the simulation skips these cycles.
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
 * struct vcore_ooo - back end of an out-of-order core
 * @core: core
 * @front: front end
 * @stack: CPI stacks
 * @did: what the back end did in the current cycle
 * @head: number of the oldest slot in the reorder buffer
 * @tail: number of the next slot to be issued
 * @told: number of the first slot that &vcore.retired has not been told of
 * @oldest: number of the oldest uop in flight
 * @next: number of the next uop
 * @map: [register], number of the uop that produces the register, or 0
 * @x87_top: top of the x87 stack, modulo 8
 * @ready: [port], uops in the scheduler that have all operands
 * @ready_ports: mask of ports with ready uops
 * @waiting: set of the uops in the scheduler that lack an operand, a buffer or an older store
 * @on_port: [port], number of uops in the scheduler
 * @scheduled: number of uops in the scheduler
 * @scheduled_wrong: number of uops of the wrong path in the scheduler
 * @wheel: timing wheel: [cycle % VCORE_BITS], list of uops that are woken in that cycle
 * @occupied: buckets of @wheel that are not empty
 * @refused: loads for which no fill buffer was free
 * @divider: first cycle in which the divider is free
 * @resolve: cycle in which the mispredicted branch is resolved
 * @unresolved: a mispredicted branch has issued and is not resolved yet
 * @recovered: first cycle in which issue resumes
 * @clearing: no slot of the correct path has issued since the latest machine clear
 * @clear_next: a machine clear is due before the next instruction retires
 * @clear_code: the cause of @clear_next is a store to code that is in flight
 * @serialised: the instruction that retired last is serialising
 * @load_head: number of the oldest entry of the load buffer
 * @load_tail: number of the next load
 * @store_head: number of the oldest entry of the store buffer
 * @store_sent: number of the first store that is not sent to the L1D
 * @store_senior: number of the first store that has not retired
 * @store_tail: number of the next store
 * @send_at: first cycle in which a store that the L1D refused is sent again
 * @unknown_stores: number of stores whose address is unknown
 * @barrier_head: number of the oldest barrier
 * @barrier_tail: number of the next barrier
 * @pending: [&enum vcore_pending], cycle until which a load of this kind is pending; an element is
 *	never larger than the element before it
 * @held: number of loads whose data a store delays (&vcore_flight.held)
 * @store_granule: number of stores with a known address per granule, a table as in overlap.h
 * @load_granule: number of executed loads in the load buffer per granule, a table as in overlap.h
 * @wait_table: [hash of a load's PC], store-wait table: for how many more executions the load waits
 *	for the addresses of older stores
 * @barrier: ring buffer of barriers
 * @first: number of the first slot of the instruction being issued
 * @first_store: number of the first store of the instruction being issued
 * @loads: number of issued loads of the instruction being issued
 * @stas: number of STA uops of the instruction being issued that have issued
 * @stds: number of STD uops of the instruction being issued that have issued
 * @surplus: number of surplus accesses of the instruction being issued that have issued, see
 *	&vcore_step.nr_accesses
 * @store: store buffer, [number % VCORE_STORE_RING]
 * @load: load buffer, [number % VCORE_LOAD_RING]
 * @rob: reorder buffer, [number % VCORE_MAX_ROB]
 * @uop: uops in flight, [number % VCORE_UOPS]
 */
struct vcore_ooo {
	struct vcore *core;
	struct vcore_front *front;
	struct vcore_stack stack;
	struct vcore_did did;

	uint64_t head;
	uint64_t tail;
	uint64_t told;
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
	struct vcore_bits occupied;
	struct vcore_refused refused;
	uint64_t divider;

	uint64_t resolve;
	bool unresolved;
	uint64_t recovered;
	bool clearing;
	bool clear_next;
	bool clear_code;
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
	uint64_t pending[VCORE_NR_PENDING];
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
	unsigned int surplus;

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

/* Defined in issue.c: */
void vcore_issue(struct vcore_ooo *ooo);

/* Defined in sched.c: */
void vcore_sched_add(struct vcore_ooo *ooo, struct vcore_flight *flight);
void vcore_sched_operand(struct vcore_ooo *ooo, struct vcore_flight *flight,
			 uint64_t producer);
void vcore_sched_wait(struct vcore_ooo *ooo, struct vcore_flight *flight,
		      uint16_t producer);
void vcore_sched_wake_at(struct vcore_ooo *ooo, struct vcore_flight *flight,
			 uint64_t cycle);
void vcore_sched_park(struct vcore_ooo *ooo, struct vcore_flight *flight);
void vcore_sched_wake_all_at(struct vcore_ooo *ooo, uint16_t *list,
			     uint64_t cycle);
void vcore_sched_ready(struct vcore_ooo *ooo, struct vcore_flight *flight);
void vcore_sched_wake(struct vcore_ooo *ooo, struct vcore_flight *flight);
void vcore_sched_leave(struct vcore_ooo *ooo, struct vcore_flight *flight);
void vcore_sched_squash(struct vcore_ooo *ooo, struct vcore_flight *flight);
void vcore_sched_reset(struct vcore_ooo *ooo);
uint64_t vcore_sched_next(const struct vcore_ooo *ooo, uint64_t ready,
			  bool *wakes);

/* Defined in refused.c: */
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

/* Defined in lsq.c: */
bool vcore_lsq_load(struct vcore_ooo *ooo, struct vcore_flight *flight);
void vcore_lsq_loaded(struct vcore_ooo *ooo, struct vcore_flight *flight);
void vcore_lsq_pending(struct vcore_ooo *ooo, struct vcore_flight *flight);
void vcore_lsq_retire_load(struct vcore_ooo *ooo);
void vcore_lsq_barrier(struct vcore_ooo *ooo, uint64_t step, bool locked);
void vcore_lsq_barriers(struct vcore_ooo *ooo);
void vcore_lsq_violation(struct vcore_ooo *ooo, uint64_t nr);
void vcore_lsq_invalidated(struct vcore_ooo *ooo, uint64_t line);
void vcore_lsq_reset(struct vcore_ooo *ooo);

/* Defined in stores.c: */
void vcore_stores_executed(struct vcore_ooo *ooo, struct vcore_flight *flight);
void vcore_stores_drain(struct vcore_ooo *ooo);
void vcore_stores_reset(struct vcore_ooo *ooo);
uint64_t vcore_stores_next(struct vcore_ooo *ooo);

/* Defined in execute.c: */
void vcore_execute_due(struct vcore_ooo *ooo);
void vcore_execute(struct vcore_ooo *ooo);

/* Defined in retire.c: */
bool vcore_retire(struct vcore_ooo *ooo);

/* Defined in blame.c: */
void vcore_blame(struct vcore_ooo *ooo);
void vcore_blame_idle(struct vcore_ooo *ooo, struct vcore_blamed *blamed);
void vcore_blame_for(struct vcore_ooo *ooo, const struct vcore_blamed *blamed,
		     uint64_t cycles);

#endif /* VCORE_OOO_H */
