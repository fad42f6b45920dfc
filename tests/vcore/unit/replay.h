/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A loop of real instructions, which are decoded from their bytes and executed by a virtual core.
 */
#ifndef VCORE_REPLAY_H
#define VCORE_REPLAY_H

#include "entry/entry.h"

#define VCORE_REPLAY_INSNS 256
#define VCORE_REPLAY_CODE 0x400000
#define VCORE_REPLAY_DATA 0x10000000

/**
 * struct vcore_replay - a loop of decoded instructions
 * @core: core that executes the loop
 * @insn: [@nr], instructions of the loop
 * @nr: number of instructions
 * @round: number of the next iteration
 * @stride: increment of the data address per iteration, in bytes
 * @wrap: length of the data buffer in bytes
 * @chance: probability, in units of 1/256, that a conditional branch is taken and skips the next
 *	instruction; the branch at the end of the loop is always taken
 */
struct vcore_replay {
	struct vcore *core;
	struct vcore_insn insn[VCORE_REPLAY_INSNS];
	unsigned int nr;
	uint64_t round;
	uint64_t stride;
	uint64_t wrap;
	unsigned int chance;
};

struct vcore_replay *vcore_replay_new(const struct vcore_params *params,
				      const struct vcore_ideal *ideal,
				      const void *bytes, unsigned int size);
void vcore_replay_free(struct vcore_replay *replay);
void vcore_replay_run(struct vcore_replay *replay, uint64_t rounds);
/*
 * Returns the mean cycles of an iteration of the loop after a warm-up. *@counts becomes the counts
 * of the @rounds measured iterations.
 */
double vcore_replay_cycles(struct vcore_replay *replay, uint64_t rounds,
			   struct vcore_counts *counts);

#endif /* VCORE_REPLAY_H */
