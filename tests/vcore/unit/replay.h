/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A loop of real instructions, from their bytes, that a virtual core executes.
 */
#ifndef VCORE_REPLAY_H
#define VCORE_REPLAY_H

#include "entry/entry.h"

#define VCORE_REPLAY_INSNS 256
#define VCORE_REPLAY_CODE 0x400000
#define VCORE_REPLAY_DATA 0x10000000

/**
 * struct vcore_replay - the loop
 * @core: that executes it
 * @insn: its instructions; behind the last comes the first again
 * @nr: how many
 * @round: the next
 * @stride: bytes from the data of one round to those of the next
 * @wrap: bytes after which the data begin again
 * @chance: of 256, how often a conditional branch but the last one is taken
 *	over the instruction behind it
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
/* cycles a round, once all is warm; what was counted is in *@counts */
double vcore_replay_cycles(struct vcore_replay *replay, uint64_t rounds,
			   struct vcore_counts *counts);

#endif /* VCORE_REPLAY_H */
