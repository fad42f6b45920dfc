/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State of the front end, which makes instructions into slots, from the uop cache, the
 * decoders or the micro-sequencer; shared by its files.
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

/* reasons for which fetch waits until a known cycle */
enum vcore_stall {
	VCORE_STALL_CODE,		/* in the L2 */
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

/* where slots come from */
enum vcore_supply {
	VCORE_FROM_DSB,
	VCORE_FROM_MITE,
	VCORE_FROM_MS
};

/**
 * struct vcore_front - a front end
 * @params: sizes
 * @width: slots a cycle
 * @ideal: what is perfect
 * @trace: correct path
 * @memory: where code comes from
 * @decoded: uop cache
 * @predictor: of branches; not asked if that is ideal
 * @queue: slots made
 * @now: cycle
 * @resume: nothing is fetched before this cycle ...
 * @stall: ... for this reason
 * @lack: why the next slot is late, &enum vcore_lack
 * @all: no step follows the trace's last one
 * @draining: fetch waits until all slots have retired
 * @wrong: the wrong path behind step @branch is fetched
 * @branch: number of a step
 * @learnt: first step that has not trained the predictor: a refetch trains it once
 * @supply: from where the latest slots came, &enum vcore_supply
 * @legacy: the decoders work, or the uop cache
 * @line: of code, whose presence in the L1I is known
 * @window: of code, that was looked up in the uop cache
 * @predecoded: up to here instructions' lengths are known
 * @uop: of the instruction that is being made into slots
 * @stalled: that instruction's prefix and the sequencer's start are paid for
 * @repeats: it is a further iteration of a string instruction
 * @prediction: of its branch, &enum vcore_prediction
 * @pace: slots a cycle, mean of the latest cycles, in 1/16
 * @credit: of the wrong path, which comes at that pace, in 1/16
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

/* are the next step and its successor, if any, complete */
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
