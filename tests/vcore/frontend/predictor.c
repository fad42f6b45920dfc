// SPDX-License-Identifier: GPL-2.0
#include "predictor.h"

#include <stdlib.h>

#include "loops.h"
#include "tage.h"
#include "targets.h"

/* Number of bits that an indirect branch appends to the global history, taken from its target. */
#define TARGET_BITS 4

/*
 * An entry of the branch target buffer (BTB): address of a taken branch, and its latest target. The
 * address is 0 if the entry is unused.
 */
struct btb_entry {
	uint64_t pc;
	uint64_t target;
};

struct vcore_predictor {
	struct vcore_history history;
	struct vcore_tage tage;
	struct vcore_loops loops;
	struct vcore_targets targets;
	unsigned int sets;
	unsigned int ways;
	struct btb_entry *btb;		/* [set][way]; the most recently used entry first */
	unsigned int nr_returns;
	unsigned int top;
	uint64_t *returns;
};

/**
 * vcore_predictor_new() - create a branch predictor: TAGE, loop predictor, ITTAGE, returns and BTB
 * @params: parameters of the front end
 *
 * Return: the untrained predictor, or NULL if the allocation failed.
 */
struct vcore_predictor *
vcore_predictor_new(const struct vcore_front_params *params)
{
	struct vcore_predictor *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->ways = params->btb_ways;
	p->sets = params->btb / params->btb_ways;
	p->nr_returns = params->returns;
	p->btb = calloc(p->sets * p->ways, sizeof(*p->btb));
	p->returns = calloc(p->nr_returns, sizeof(*p->returns));
	if (!p->btb || !p->returns) {
		vcore_predictor_free(p);
		return NULL;
	}
	return p;
}

/**
 * vcore_predictor_free() - free a branch predictor with all its parts
 * @predictor: predictor, or NULL
 */
void vcore_predictor_free(struct vcore_predictor *predictor)
{
	if (!predictor)
		return;
	free(predictor->btb);
	free(predictor->returns);
	free(predictor);
}

/*
 * Makes a taken branch the most recently used entry of its BTB set, with @target as its latest
 * target. Returns the entry of the branch before this update; its @pc is 0 if there was none.
 */
static struct btb_entry btb_update(struct vcore_predictor *p, uint64_t pc,
				   uint64_t target)
{
	struct btb_entry *set = &p->btb[(pc ^ pc >> 12) % p->sets * p->ways];
	struct btb_entry old = { 0 };
	unsigned int way;

	for (way = 0; way < p->ways - 1 && set[way].pc != pc; way++)
		;
	if (set[way].pc == pc)
		old = set[way];
	for (; way; way--)
		set[way] = set[way - 1];
	set[0] = (struct btb_entry) { .pc = pc, .target = target };
	return old;
}

static bool conditional_mispredicts(struct vcore_predictor *p, uint64_t pc,
				    bool taken)
{
	bool predicted = vcore_tage_taken(&p->tage, &p->history, pc, taken);

	predicted = vcore_loops_taken(&p->loops, pc, taken, predicted);
	vcore_history_push(&p->history, taken);
	return predicted != taken;
}

static bool indirect_mispredicts(struct vcore_predictor *p, uint64_t pc,
				 uint64_t last, uint64_t to)
{
	uint64_t hash = to ^ to >> 4 ^ to >> 9;
	uint64_t predicted;
	unsigned int i;

	predicted = vcore_targets_next(&p->targets, &p->history, pc, last, to);
	for (i = 0; i < TARGET_BITS; i++)
		vcore_history_push(&p->history, hash >> i & 1);
	return predicted != to;
}

static bool return_mispredicts(struct vcore_predictor *p, uint64_t to)
{
	p->top = (p->top + p->nr_returns - 1) % p->nr_returns;
	return p->returns[p->top] != to;
}

static void push_return(struct vcore_predictor *p, uint64_t after)
{
	p->returns[p->top] = after;
	p->top = (p->top + 1) % p->nr_returns;
}

/**
 * vcore_predictor_branch() - predict a near branch's direction and target, then train the predictor
 * @predictor: branch predictor
 * @insn: the branch
 * @taken: actual direction
 * @next_pc: address of the instruction that is executed after the branch
 *
 * Return: whether the prediction was right, and whether the BTB had the branch.
 */
enum vcore_prediction
vcore_predictor_branch(struct vcore_predictor *predictor,
		       const struct vcore_insn *insn, bool taken,
		       uint64_t next_pc)
{
	struct vcore_predictor *p = predictor;
	struct btb_entry known = { 0 };
	bool wrong = false;

	if (taken)
		known = btb_update(p, insn->pc, next_pc);
	if (insn->branch == VCORE_CONDITIONAL)
		wrong = conditional_mispredicts(p, insn->pc, taken);
	else if (insn->branch == VCORE_RETURN)
		wrong = return_mispredicts(p, next_pc);
	else if (insn->indirect)
		wrong = indirect_mispredicts(p, insn->pc, known.target, next_pc);
	if (insn->branch == VCORE_CALL)
		push_return(p, insn->pc + insn->size);
	if (wrong)
		return VCORE_WRONG;
	return taken && !known.pc ? VCORE_LATE : VCORE_RIGHT;
}
