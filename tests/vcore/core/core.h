/* SPDX-License-Identifier: GPL-2.0 */
/* State that the models of out-of-order and of in-order cores have in common. */
#ifndef VCORE_CORE_H
#define VCORE_CORE_H

#include "base/counts.h"
#include "frontend/fetched.h"
#include "frontend/front.h"
#include "memory/memory.h"
#include "base/params.h"
#include "stack.h"
#include "tag.h"
#include "base/trace.h"

struct vcore_ooo;
struct vcore_inorder;

/**
 * struct vcore_taken - a taken branch that retires, as the LBR records it
 * @insn: the branch instruction
 * @from: its virtual address
 * @to: virtual address of the instruction after the branch
 * @cycle: cycle in which the branch retires
 * @mispredicted: true if the direction or the target of the branch was mispredicted
 */
struct vcore_taken {
	const struct vcore_insn *insn;
	uint64_t from;
	uint64_t to;
	uint64_t cycle;
	bool mispredicted;
};

/**
 * struct vcore_accessed - memory accesses of an instruction that has retired
 * @insn: the instruction; of a fused pair the first one. NULL if no instruction has retired
 * @load: the instruction loads; false for a software prefetch
 * @store: the instruction stores
 * @load_va: virtual address of the load
 * @store_va: virtual address of the store
 * @level: &enum vcore_level that the load hit, the L1 if a store has forwarded the data;
 *	VCORE_NO_ACCESS if a device has them
 * @walked: the load missed both TLBs
 * @blocked: the load has waited for a store that overlaps but could not forward
 * @cycles: cycles from the load's execution until it had its data
 * @miss_cycles: cycles from the L1D miss of the load until it had its data; 0 without a miss
 * @store_hit: the L1D had the line of the store, owned, when the store retired
 * @store_walked: both TLBs lacked the page of the store then
 *
 * If an instruction has several loads, or several stores, the last one counts.
 */
struct vcore_accessed {
	const struct vcore_insn *insn;
	bool load;
	bool store;
	uint64_t load_va;
	uint64_t store_va;
	uint8_t level;
	bool walked;
	bool blocked;
	uint64_t cycles;
	uint64_t miss_cycles;
	bool store_hit;
	bool store_walked;
};

/**
 * struct vcore - an out-of-order core, or one thread of an in-order core
 * @params: sizes and latencies
 * @ideal: units that are simulated as perfect
 * @counts: results, [privilege level as in vcore_priv()]
 * @trace: instructions that the guest executed and that are still to be simulated
 * @moved: what is added to &vcore_insn.pc of the instructions that begin in user space for their
 *	virtual addresses
 * @open: the last step of the trace has begun, and the address of the next
 *	instruction is not known yet
 * @cut: the emulator has not executed the steps behind the end of the trace yet, although nothing
 *	keeps the guest from it. Slots that lack these steps are not the front end's fault
 * @memory: caches and TLBs; the threads of an in-order core share them
 * @cycle: the next cycle to simulate
 * @shares: true if another struct vcore is a second thread of the same core
 * @sibling: number, in the package, of the struct vcore of the other thread; valid if @shares
 * @priv: privilege level of the simulated steps. When the level changes, the core is drained, so
 *	that each cycle belongs to one level
 * @ooo: out-of-order state, or NULL
 * @inorder: in-order state, or NULL
 * @taken: function to call when a taken branch retires, in program order, or NULL; in-order cores
 *	do not call it
 * @taken_data: first argument of @taken
 * @retired: function to call when an instruction retires, in program order, with the number of slots
 *	that have retired since the call before, or NULL; in-order cores do not call it. Of a fused
 *	pair the first instruction has the slot, and the second none
 * @retired_data: first argument of @retired
 * @tag: counts slots or cycles, and tags a slot
 * @fetches: counts fetches of an out-of-order core, and tags one
 * @slow: loads that take more cycles than this are counted as slow
 * @follows: @accessed is kept up to date
 * @accessed: memory accesses of the last instruction of each privilege level that has retired, as in
 *	@counts; only in an out-of-order core
 * @retired_at: cycle in which the last instruction has retired; only in an out-of-order core
 * @retire_latency: cycles from the retirement of the instruction before to that of this instruction,
 *	for the last one of each privilege level
 */
struct vcore {
	const struct vcore_params *params;
	const struct vcore_ideal *ideal;
	struct vcore_counts counts[VCORE_PRIVS];
	struct vcore_trace trace;
	uint64_t moved;
	bool open;
	bool cut;
	struct vcore_memory *memory;
	uint64_t cycle;
	bool shares;
	unsigned int sibling;
	unsigned int priv;
	struct vcore_ooo *ooo;
	struct vcore_inorder *inorder;
	void (*taken)(void *data, const struct vcore_taken *branch);
	void *taken_data;
	void (*retired)(void *data, const struct vcore_insn *insn, unsigned int slots);
	void *retired_data;
	struct vcore_tag tag;
	struct vcore_fetches fetches;
	uint64_t slow;
	bool follows;
	struct vcore_accessed accessed[VCORE_PRIVS];
	uint64_t retired_at;
	uint64_t retire_latency[VCORE_PRIVS];
};

/*
 * Time in ms for which a thread of an in-order core waits for another thread that does not advance.
 */
extern unsigned int vcore_patience_ms;

/*
 * Functions of the two core models. If @all is true, vcore_*_run() simulates until all steps of the
 * trace have retired. Otherwise it leaves the last steps in the trace, because a core needs to know
 * the steps that follow the one that it fetches.
 */
struct vcore_ooo *vcore_ooo_new(struct vcore *core);
void vcore_ooo_free(struct vcore_ooo *ooo);
void vcore_ooo_run(struct vcore *core, bool all);
struct vcore_inorder *vcore_inorder_new(struct vcore *core, unsigned int cpu);
void vcore_inorder_free(struct vcore_inorder *inorder);
void vcore_inorder_run(struct vcore *core, bool all);
void vcore_inorder_settle(struct vcore *core);
void vcore_inorder_halt(struct vcore *core);

static inline struct vcore_counts *vcore_counts(struct vcore *core)
{
	return &core->counts[core->priv];
}

#endif /* VCORE_CORE_H */
