// SPDX-License-Identifier: GPL-2.0
#include "predictor.h"

static bool conditional(struct vpmu_predictor *p, uint64_t pc, bool taken)
{
	uint32_t mask = (1u << VPMU_PREDICTOR_BITS) - 1;
	uint8_t *counter = &p->taken[((pc >> 1) ^ p->history) & mask];
	bool predicted = *counter >= 2;

	if (taken && *counter < 3)
		(*counter)++;
	else if (!taken && *counter)
		(*counter)--;
	p->history = p->history << 1 | taken;
	return predicted != taken;
}

static bool indirect(struct vpmu_predictor *p, uint64_t pc, uint64_t next_pc)
{
	uint64_t *target = &p->target[(pc >> 1) % VPMU_PREDICTOR_TARGETS];
	bool wrong = *target != next_pc;

	*target = next_pc;
	return wrong;
}

/**
 * vpmu_predictor_wrong() - predict a branch, learn, and say whether it failed
 * @predictor: state
 * @insn: a branch
 * @next_pc: where it went
 *
 * Return: true if it was mispredicted.
 */
bool vpmu_predictor_wrong(struct vpmu_predictor *predictor,
			  const struct vpmu_insn *insn, uint64_t next_pc)
{
	uint64_t after = insn->pc + insn->size;
	struct vpmu_predictor *p = predictor;

	switch (insn->branch) {
	case VPMU_BR_CONDITIONAL:
		return conditional(p, insn->pc, next_pc != after);
	case VPMU_BR_CALL:
		p->returns[p->top++ % VPMU_PREDICTOR_RETURNS] = after;
		break;
	case VPMU_BR_RETURN:
		return p->returns[--p->top % VPMU_PREDICTOR_RETURNS] !=
		       next_pc;
	case VPMU_BR_FAR:
		return false;
	}
	return insn->indirect && indirect(p, insn->pc, next_pc);
}
