// SPDX-License-Identifier: GPL-2.0
/*
 * Periods in these trials are not random (BPMU_CHECK_PERIOD). The period in the record of an
 * interrupt is then the configured period plus the skid: the events that were counted after the
 * overflow.
 *
 * How large the skid of a healthy CPU can be is published nowhere. The limits are those of the
 * debugger rr, which needs one for each CPU (src/PerfCounters.cc, commit 01ae9d25aedf, skid_size):
 * it has not seen more than 125 conditional branches on Intel's CPUs, and allows for 10000 on AMD's
 * Zens. An iteration of the loop bpmu_bench_alu has one such branch.
 */
#include "errata_overflow.h"

#include <errno.h>

#define SKID_BRANCHES 125
#define SKID_BRANCHES_AMD 10000
/* number of periods in a trial's loop, if the skid is 0 */
#define PERIODS 16

/**
 * bpmu_overflow_skid() - largest skid of a CPU without errata: events from overflow to interrupt
 * @part: CPU model
 *
 * Return: instructions of the loop bpmu_bench_alu.
 */
u64 bpmu_overflow_skid(const struct bpmu_part *part)
{
	return bpmu_bench_alu.instructions *
	       (part->ids->vendor == BPMU_VENDOR_AMD ? SKID_BRANCHES_AMD : SKID_BRANCHES);
}

/**
 * bpmu_overflow_rounds() - loop iterations in a trial of an errata test of overflows
 * @part: CPU model
 *
 * Return: number of iterations: enough for some periods of BPMU_OVERFLOW_PERIOD instructions, but
 * few enough that the module does not make periods longer to limit the cost of its interrupts.
 */
u64 bpmu_overflow_rounds(const struct bpmu_part *part)
{
	return (PERIODS * BPMU_OVERFLOW_PERIOD + 2 * bpmu_overflow_skid(part)) /
	       bpmu_bench_alu.instructions;
}

/**
 * bpmu_overflow_refused() - errata of overflows: check if a session with interrupts was refused
 * @code: result of bpmu_trial_begin()
 *
 * Return: true if the reason is this machine or another agent, so that a test has to be skipped;
 * false on success and after any other error.
 */
bool bpmu_overflow_refused(int code)
{
	return code == -EINVAL || code == -EOPNOTSUPP || code == -EBUSY;
}

/**
 * bpmu_overflow_begin() - errata of overflows: begin a trial of one event that interrupts
 * @trial: trial whose counters are replaced by the one of @event
 * @event: event, its select and its counter
 *
 * Return: 0; an error for which bpmu_overflow_refused() is true, or another negative errno.
 */
int bpmu_overflow_begin(struct bpmu_trial *trial, const struct bpmu_sched_slot *event,
			struct bpmu_error *err)
{
	bpmu_trial_clear(trial);
	bpmu_trial_count(trial, event->text, event->select, event->counter, event->counter);
	trial->group.sched.slot[0].period = BPMU_OVERFLOW_PERIOD;
	trial->config.check = BPMU_CHECK_PERIOD;
	return bpmu_trial_begin(trial, err);
}

/**
 * bpmu_overflow_judge() - errata of overflows: judge the interrupts of one event of a trial
 * @trial: the trial, whose session had BPMU_CHECK_PERIOD
 * @counts: counts and interrupts of one run of the trial
 * @slot: index of the event in the trial; the event has a period
 * @verdict: set to what the interrupts show
 */
void bpmu_overflow_judge(const struct bpmu_trial *trial, const struct bpmu_trial_counts *counts,
			 unsigned int slot, struct bpmu_overflow_verdict *verdict)
{
	u64 most = bpmu_overflow_skid(trial->info->pmu.part);
	u64 period = trial->group.sched.slot[slot].period;
	u64 rest = counts->own[slot];
	u64 least = ~0ull;
	u64 counted;
	unsigned int i;

	*verdict = (struct bpmu_overflow_verdict){ };
	for (i = 0; i < counts->nr_records; i++) {
		if (counts->record[i].slot != slot)
			continue;
		counted = counts->record[i].period;
		rest -= counted;
		verdict->missing += counted >= 2 * period + most;
		verdict->nr++;
		if (counted < period)
			verdict->early++;
		if (counted < least)
			least = counted;
	}
	verdict->missing += rest >= 2 * period + most;
	if (verdict->nr && least > period)
		verdict->skid = least - period;
}
