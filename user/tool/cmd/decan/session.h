/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The module's counters on the CPU where the loop runs: core cycles of user code,
 * and whatever events and metrics are wanted beside them.
 */
#ifndef BPMU_DECAN_SESSION_H
#define BPMU_DECAN_SESSION_H

#include "variants.h"
#include "source/machine.h"
#include "source/target.h"
#include "source/wanted.h"
#include "tree/metric_choice.h"
#include "tree/tree.h"

/**
 * struct bpmu_decan_session - counters, one group at a time
 * @target: the module and the CPU
 * @wanted: cycles first, then what -e asked for
 * @choice: of -M
 * @machine: what metrics have to know of it
 * @errata_cpu: which errata there are
 * @tree: of the metrics, or Top-Down
 * @take_over: counters that are enabled already are taken
 * @all: metrics of all variants are wanted, not of the original only
 * @group: on the counters, for user code only
 * @one: the same as groups
 * @first: values where a run began
 * @count: counts of the last run, [nr slots of @group]
 * @event: [nr variants][nr slots of @wanted's groups]
 * @cell: [nr variants][nr slots of the tree's groups]
 * @values: [nr variants][nr metrics of the tree]
 */
struct bpmu_decan_session {
	struct bpmu_target target;
	struct bpmu_wanted wanted;
	struct bpmu_choice choice;
	struct bpmu_machine machine;
	struct bpmu_errata_cpu errata_cpu;
	struct bpmu_tree tree;
	bool take_over;
	bool all;
	struct bpmu_group group;
	struct bpmu_groups one;
	u64 first[BPMU_MAX_COUNTERS];
	u64 count[BPMU_MAX_COUNTERS];
	struct bpmu_cell *event;
	struct bpmu_cell *cell;
	struct bpmu_tree_value *values;
};

int bpmu_decan_session_open(struct bpmu_decan_session *session,
			    const char *cpu, unsigned int level,
			    struct bpmu_error *err);
void bpmu_decan_session_close(struct bpmu_decan_session *session);
int bpmu_decan_session_use(struct bpmu_decan_session *session,
			   const struct bpmu_groups *groups, unsigned int g,
			   struct bpmu_error *err);
void bpmu_decan_session_hook(struct bpmu_decan_session *session,
			     struct bpmu_run *run);
double bpmu_decan_session_cycles(const struct bpmu_decan_session *session);
int bpmu_decan_session_room(struct bpmu_decan_session *session, unsigned int nr,
			    struct bpmu_error *err);
void bpmu_decan_session_keep(const struct bpmu_decan_session *session,
			     struct bpmu_cell *cells, const double counts[]);
double bpmu_decan_session_event(const struct bpmu_decan_session *session,
				unsigned int variant, unsigned int i);
const struct bpmu_tree_value *
bpmu_decan_session_values(const struct bpmu_decan_session *session,
			  unsigned int variant);
void bpmu_decan_session_eval(struct bpmu_decan_session *session,
			     unsigned int variant, double ticks);

#endif /* BPMU_DECAN_SESSION_H */
