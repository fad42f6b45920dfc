/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The state that all core models have.
 */
#ifndef VCORE_CORE_H
#define VCORE_CORE_H

#include "base/counts.h"
#include "frontend/front.h"
#include "memory/memory.h"
#include "base/params.h"
#include "stack.h"
#include "base/trace.h"

struct vcore_ooo;
struct vcore_inorder;

/**
 * struct vcore - a virtual core, or a thread of an in-order one
 * @params: its sizes and latencies
 * @ideal: what is perfect
 * @counts: results by ring
 * @trace: what the guest executed
 * @open: an instruction has begun whose successor is not known
 * @memory: caches; in-order threads of a core share them
 * @cycle: the next to be simulated
 * @ring: of the step that is simulated; a change of ring drains the core, so
 *	that each cycle belongs to one
 * @ooo: out-of-order state, or NULL
 * @inorder: in-order state, or NULL
 */
struct vcore {
	const struct vcore_params *params;
	const struct vcore_ideal *ideal;
	struct vcore_counts counts[VCORE_RINGS];
	struct vcore_trace trace;
	bool open;
	struct vcore_memory *memory;
	uint64_t cycle;
	unsigned int ring;
	struct vcore_ooo *ooo;
	struct vcore_inorder *inorder;
};

/* so long an in-order core waits for a thread that the host does not run */
extern unsigned int vcore_patience_ms;

/* core models: run until the trace is short, or with @all until it is empty */
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
	return &core->counts[core->ring];
}

#endif /* VCORE_CORE_H */
