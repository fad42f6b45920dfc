// SPDX-License-Identifier: GPL-2.0
#include "replay.h"

#include <stdlib.h>
#include <string.h>

#include "decode/decode.h"

#define WARM 3000

static unsigned int insn_length(const uint8_t *bytes, unsigned int size)
{
	ZydisDecodedInstruction insn;
	ZydisDecoder decoder;

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
			 ZYDIS_STACK_WIDTH_64);
	if (ZYAN_FAILED(ZydisDecoderDecodeInstruction(&decoder, NULL, bytes,
						      size, &insn)))
		abort();
	return insn.length;
}

struct vcore_replay *vcore_replay_new(const struct vcore_params *params,
				      const struct vcore_ideal *ideal,
				      const void *bytes, unsigned int size)
{
	struct vcore_replay *replay = calloc(1, sizeof(*replay));
	unsigned int at = 0, length;

	if (!replay)
		return NULL;
	replay->core = vcore_new(params, ideal, 0);
	while (at < size) {
		length = insn_length((const uint8_t *)bytes + at, size - at);
		vcore_decode(&replay->insn[replay->nr++],
			     (const uint8_t *)bytes + at, length,
			     VCORE_REPLAY_CODE + at, VCORE_REPLAY_CODE + at);
		at += length;
	}
	replay->wrap = 64;
	return replay;
}

void vcore_replay_free(struct vcore_replay *replay)
{
	vcore_free(replay->core);
	free(replay);
}

static void access_data(struct vcore_replay *replay, bool store)
{
	uint64_t offset = replay->round * replay->stride % replay->wrap;
	struct vcore_access access = {
		.va = VCORE_REPLAY_DATA + offset, .size = 8, .store = store,
	};

	access.pa = access.va;
	vcore_access(replay->core, &access);
}

static void access_all(struct vcore_replay *replay,
		       const struct vcore_insn *insn)
{
	unsigned int i;

	for (i = 0; i < insn->nr_uops; i++) {
		if (insn->uop[i].type == VCORE_LOAD)
			access_data(replay, false);
		else if (insn->uop[i].type == VCORE_STA)
			access_data(replay, true);
	}
}

/* Returns a pseudo-random number from 0 to 255: a hash of the iteration and of the index @at. */
static unsigned int draw(const struct vcore_replay *replay, unsigned int at)
{
	uint32_t number = replay->round * VCORE_REPLAY_INSNS + at;

	number = (number ^ number >> 16) * 0x7feb352du;
	number = (number ^ number >> 15) * 0x846ca68bu;
	return (number ^ number >> 16) & 255;
}

void vcore_replay_run(struct vcore_replay *replay, uint64_t rounds)
{
	const struct vcore_insn *insn;
	unsigned int at;

	for (; rounds; rounds--, replay->round++) {
		for (at = 0; at < replay->nr; at++) {
			insn = &replay->insn[at];
			vcore_begin(replay->core, insn);
			access_all(replay, insn);
			if (insn->branch == VCORE_CONDITIONAL &&
			    draw(replay, at) < replay->chance)
				at++;
		}
	}
}

double vcore_replay_cycles(struct vcore_replay *replay, uint64_t rounds,
			   struct vcore_counts *counts)
{
	struct vcore *core = replay->core;

	vcore_replay_run(replay, WARM);
	vcore_settle(core);
	memset(core->counts, 0, sizeof(core->counts));
	vcore_replay_run(replay, rounds);
	vcore_settle(core);
	*counts = core->counts[1];
	return (double)counts->plain[VCORE_CYCLES] / rounds;
}
