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
 * @to: virtual address of the instruction after the branch
 * @cycle: cycle in which the branch retires
 * @mispredicted: true if the direction or the target of the branch was mispredicted
 */
struct vcore_taken {
	const struct vcore_insn *insn;
	uint64_t to;
	uint64_t cycle;
	bool mispredicted;
};

/**
 * struct vcore - an out-of-order core, or one thread of an in-order core
 * @params: sizes and latencies
 * @ideal: units that are simulated as perfect
 * @counts: results, [privilege level as in vcore_priv()]
 * @trace: instructions that the guest executed and that are still to be simulated
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
 * @retired_at: cycle in which the last instruction has retired; only in an out-of-order core
 * @retire_latency: cycles from the retirement of the instruction before it to @retired_at
 */
struct vcore {
	const struct vcore_params *params;
	const struct vcore_ideal *ideal;
	struct vcore_counts counts[VCORE_PRIVS];
	struct vcore_trace trace;
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
	uint64_t retired_at;
	uint64_t retire_latency;
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
