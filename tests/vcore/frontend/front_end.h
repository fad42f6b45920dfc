/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State of the front end, shared by its files. The front end turns instructions
 * into issue slots, from the uop cache, the decoders or the microcode sequencer.
 */
#ifndef VCORE_FRONT_END_H
#define VCORE_FRONT_END_H

#include "base/counts.h"
#include "base/params.h"
#include "base/trace.h"
#include "decoded.h"
#include "memory/memory.h"
#include "predictor.h"
#include "queue.h"

#define VCORE_NOWHERE UINT64_MAX

/* Reasons for which fetch stops until a known cycle. */
enum vcore_stall {
	VCORE_STALL_CODE,		/* L1I miss, hit in the L2 */
	VCORE_STALL_CODE_L3,
	VCORE_STALL_CODE_MEMORY,
	VCORE_STALL_PAGE,
	VCORE_STALL_SWITCH,
	VCORE_STALL_LCP,
	VCORE_STALL_SEQUENCER,
	VCORE_STALL_LATE,
	VCORE_STALL_RESTEER,
	VCORE_STALL_ORDER
};

/* The source of slots. */
enum vcore_supply {
	VCORE_FROM_DSB,
	VCORE_FROM_MITE,
	VCORE_FROM_MS
};

/**
 * struct vcore_front - a front end
 * @params: parameters of the front end
 * @width: slots per cycle
 * @ideal: units that are made perfect
 * @trace: instructions on the correct path
 * @memory: memory from which code is fetched
 * @decoded: uop cache
 * @predictor: branch predictor; unused if branch prediction is ideal
 * @queue: fetched slots, until they issue
 * @now: current cycle
 * @resume: first cycle in which fetch continues
 * @stall: reason why fetch stops until @resume
 * @lack: reason why the next slot is late
 * @all: no step follows the last one of the trace
 * @draining: fetch waits until all slots have retired
 * @wrong: slots of the wrong path after step @branch are fetched
 * @branch: number of the step with the mispredicted branch
 * @learnt: number of the first step that has not trained the predictor; a
 *	branch that is fetched again trains it only once
 * @supply: source of the latest slots
 * @legacy: slots come from the decoders, not from the uop cache
 * @line: number of the line known to be in the L1I, or VCORE_NOWHERE
 * @window: number of the window looked up last in the uop cache, or
 *	VCORE_NOWHERE
 * @predecoded: address up to which the lengths of instructions are known
 * @uop: number of uops of the next step that are in the queue already
 * @stalled: the penalties of that step (prefix, switch to the sequencer) are
 *	charged
 * @repeats: that step is a further iteration of a string instruction
 * @prediction: prediction of its branch
 * @pace: mean slots per cycle of the latest cycles, in 1/16
 * @credit: fraction of a slot of the wrong path that is due, in 1/16
 */
struct vcore_front {
	const struct vcore_front_params *params;
	unsigned int width;
	const struct vcore_ideal *ideal;
	struct vcore_trace *trace;
	struct vcore_memory *memory;
	struct vcore_decoded *decoded;
	struct vcore_predictor *predictor;
	struct vcore_queue queue;
	uint64_t now;
	uint64_t resume;
	enum vcore_stall stall;
	enum vcore_lack lack;
	bool all;
	bool draining;
	bool wrong;
	uint64_t branch;
	uint64_t learnt;
	enum vcore_supply supply;
	bool legacy;
	uint64_t line;
	uint64_t window;
	uint64_t predecoded;
	unsigned int uop;
	bool stalled;
	bool repeats;
	enum vcore_prediction prediction;
	unsigned int pace;
	unsigned int credit;
};

/*
 * Returns true if the next step and, unless the trace ends, its successor are
 * complete.
 */
static inline bool vcore_fetch_may(const struct vcore_front *front)
{
	const struct vcore_trace *trace = front->trace;

	return trace->fetch + !front->all < trace->end;
}

/* supply.c */
enum vcore_lack vcore_supply_lack(enum vcore_stall stall);
void vcore_supply_stop(struct vcore_front *front, enum vcore_stall stall,
		       uint64_t until);

/* fetch.c */
void vcore_fetch_elsewhere(struct vcore_front *front);
void vcore_fetch_cycle(struct vcore_front *front, struct vcore_counts *counts);
void vcore_fetch_wrong(struct vcore_front *front, struct vcore_counts *counts);

#endif /* VCORE_FRONT_END_H */
