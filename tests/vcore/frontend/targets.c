// SPDX-License-Identifier: GPL-2.0
#include "targets.h"

#include <stddef.h>

#define CONFIDENCE_MAX 3

static void update_target(struct vcore_target *target, uint64_t to)
{
	if (target->to == to) {
		if (target->confidence < CONFIDENCE_MAX)
			target->confidence++;
	} else if (target->confidence) {
		target->confidence--;
	} else {
		target->to = to;
	}
}

static struct vcore_target *target_entry(struct vcore_targets *targets,
					 const struct vcore_history *history,
					 int table, uint64_t pc)
{
	return &targets->table[table][vcore_history_index(history, table, pc)];
}

/*
 * Allocates an entry for a branch and its target in table @first or, if the entry there is in use,
 * in a later table, which has a longer history.
 */
static void allocate_target(struct vcore_targets *targets,
			    const struct vcore_history *history, int first,
			    uint64_t pc, uint64_t to)
{
	struct vcore_target *target;
	int i;

	for (i = first; i < VCORE_TARGETS_TABLES; i++) {
		target = target_entry(targets, history, i, pc);
		if (target->confidence) {
			target->confidence--;
			continue;
		}
		target->to = to;
		target->tag = vcore_history_tag(history, i, pc);
		return;
	}
}

/**
 * vcore_targets_next() - predict an indirect branch's target, then train the tables of targets
 * @targets: predictor
 * @history: global history before the branch
 * @pc: address of the branch
 * @last: latest target of the branch, which is predicted if no entry matches
 * @to: actual target of the branch
 *
 * Return: the predicted target.
 */
uint64_t vcore_targets_next(struct vcore_targets *targets,
			    const struct vcore_history *history, uint64_t pc,
			    uint64_t last, uint64_t to)
{
	struct vcore_target *target = NULL;
	uint64_t predicted = last;
	int i;

	for (i = VCORE_TARGETS_TABLES - 1; i >= 0; i--) {
		target = target_entry(targets, history, i, pc);
		if (target->tag == vcore_history_tag(history, i, pc))
			break;
	}
	if (i >= 0) {
		predicted = target->to;
		update_target(target, to);
	}
	if (predicted != to)
		allocate_target(targets, history, i + 1, pc, to);
	return predicted;
}
