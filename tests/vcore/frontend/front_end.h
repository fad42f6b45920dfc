/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State of the front end, for the files that implement it. The front end turns instructions into
 * issue slots, which come from the uop cache, the decoders or the microcode sequencer.
 */
#ifndef VCORE_FRONT_END_H
#define VCORE_FRONT_END_H

#include "base/counts.h"
#include "base/params.h"
#include "base/trace.h"
#include "decoded.h"
#include "fetched.h"
#include "memory/memory.h"
#include "predictor.h"
#include "queue.h"

/* Value of a line number or window number if no line or window was fetched. */
#define VCORE_NOT_FETCHED UINT64_MAX

/* Reasons why fetch stalls until a known cycle. */
enum vcore_stall {
	VCORE_STALL_CODE,		/* L1I miss that hits the L2 */
	VCORE_STALL_CODE_L3,
	VCORE_STALL_CODE_MEMORY,
	VCORE_STALL_PAGE,		/* ITLB miss */
	VCORE_STALL_SWITCH,		/* switch from the uop cache to the decoders */
	VCORE_STALL_LCP,		/* length-changing prefix */
	VCORE_STALL_SEQUENCER,		/* switch to the microcode sequencer */
	VCORE_STALL_LATE,		/* resteer by the decoders after a BTB miss (BACLEAR) */
	VCORE_STALL_RESTEER,		/* resteer after a mispredict or a machine clear */
	VCORE_STALL_ORDER		/* serialising instruction or interrupt */
};

/* Sources of issue slots: uop cache, decoders, microcode sequencer. */
enum vcore_supply {
	VCORE_FROM_DSB,
	VCORE_FROM_MITE,
	VCORE_FROM_MS
};

/**
 * struct vcore_front - the front end of an out-of-order core
 * @params: parameters of the front end
 * @width: slots per cycle
 * @ideal: units that are simulated as perfect
 * @trace: trace of the instructions on the correct path
 * @memory: memory subsystem from which code is fetched
 * @decoded: uop cache
 * @predictor: branch predictor; unused if branch prediction is ideal
 * @fetches: counts fetches, and tags one
 * @queue: fetched slots that have not issued
 * @now: current cycle
 * @resume: first cycle in which fetch continues
 * @stall: reason why fetch stalls until @resume
 * @lack: reason why the next slot to be fetched was not fetched earlier
 * @all: true if the trace is complete: no step will be added to it
 * @draining: fetch waits until all slots have retired
 * @wrong: fetch is on the wrong path, after step @branch
 * @branch: number of the step with the mispredicted branch; valid if @wrong
 * @learnt: number of the first step whose branch has not trained the predictor. A branch that is
 *	fetched again after a machine clear does not train the predictor again
 * @supply: source of the latest slots
 * @legacy: slots come from the legacy decode pipeline (MITE), not from the uop cache
 * @line: number of the latest line fetched from the L1I, or VCORE_NOT_FETCHED
 * @window: number of the window that was looked up last in the uop cache, or VCORE_NOT_FETCHED
 * @predecoded: address up to which the predecoder has found instructions
 * @uop: number of uops of the next step that are already in the queue
 * @stalled: fetch has already stalled for the next step (length-changing prefix, switch to the
 *	sequencer) and does not stall again
 * @repeats: the next step is a further iteration of a string instruction
 * @prediction: result of the prediction of the next step's branch
 * @rate: moving average of the correct path's slots per cycle, in 1/16 of a slot
 * @credit: on the wrong path, the fraction of a slot that earlier cycles have left over, in 1/16 of
 *	a slot
 */
struct vcore_front {
	const struct vcore_front_params *params;
	unsigned int width;
	const struct vcore_ideal *ideal;
	struct vcore_trace *trace;
	struct vcore_memory *memory;
	struct vcore_decoded *decoded;
	struct vcore_predictor *predictor;
	struct vcore_fetches *fetches;
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
	unsigned int rate;
	unsigned int credit;
};

/*
 * Returns true if there is a step to fetch. The step that follows it must have been recorded,
 * because the two may be macro-fused. If the trace is complete, its last step can be fetched, too.
 */
static inline bool vcore_fetch_has_step(const struct vcore_front *front)
{
	const struct vcore_trace *trace = front->trace;

	return trace->fetch + !front->all < trace->end;
}

/* Defined in supply.c: */
enum vcore_lack vcore_supply_lack(enum vcore_stall stall);
void vcore_supply_stop(struct vcore_front *front, enum vcore_stall stall,
		       uint64_t until);

/* Defined in fetch.c: */
void vcore_fetch_redirect(struct vcore_front *front);
void vcore_fetch_cycle(struct vcore_front *front, struct vcore_counts *counts);
void vcore_fetch_wrong(struct vcore_front *front, struct vcore_counts *counts);

#endif /* VCORE_FRONT_END_H */
