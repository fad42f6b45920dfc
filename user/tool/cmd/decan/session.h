/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The module's counters on the CPU that runs the loop: core cycles of user code, and the events and
 * metrics that the user asks for in addition.
 */
#ifndef BPMU_DECAN_SESSION_H
#define BPMU_DECAN_SESSION_H

#include "variants.h"
#include "source/analysis.h"

/**
 * struct bpmu_decan_session - counting of events in runs of the loop, one event group at a time
 * @type: connection to the module, number of the CPU, and what to count there: core cycles, the
 *	events of -e, and the metrics of -M or of the Top-Down tree
 * @take_over: use counters even if another agent has enabled them
 * @all: count metrics for all variants, not only for the original loop
 * @group: event group that is counted at present; its core events count in user space only
 * @one: list of event groups that has only @group
 * @first: counter values at the start of the last run, [slot of @group]
 * @count: counts of the last run, [slot of @group]
 * @event: counts of the events of -e, [variant][slot of these events' groups]
 * @cell: counts of the metrics' events, [variant][slot of the metrics' groups]
 * @values: values of the metrics, [variant][metric]
 */
struct bpmu_decan_session {
	struct bpmu_core_type type;
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
