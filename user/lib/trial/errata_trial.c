// SPDX-License-Identifier: GPL-2.0
#include "errata_trial.h"

#include <errno.h>
#include <string.h>
#include <linux/sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "client/holder.h"
#include "count/delta.h"
#include "errata_interrupts.h"
#include "event/affinity.h"
#include "intel.h"

/* maximum number of times that a run is tried if other processes disturb it */
#define TRIES 100
/*
 * Maximum number of times that a run is repeated because of an interrupt. If interrupts are
 * frequent, no run may be without one.
 */
#define QUIET_TRIES 4

/**
 * bpmu_trial_pin() - pin the thread of an errata trial to a CPU
 * @cpu: number of the CPU, below BPMU_CPULIST_MAX
 *
 * Return: 0, or the negative errno with which the calling thread could not be pinned.
 */
int bpmu_trial_pin(u32 cpu, struct bpmu_error *err)
{
	int code = bpmu_affinity_pin(cpu);

	if (code)
		bpmu_error_set(err, code,
			       "errata: cannot run on CPU %u: %s; take another one with -C",
			       cpu, strerror(-code));
	return code;
}

/**
 * bpmu_trial_settle() - pin the thread of an errata trial, with real-time priority if allowed
 * @cpu: number of the CPU, below BPMU_CPULIST_MAX
 *
 * With real-time priority, the thread is not preempted by work that the kernel does after a timer
 * tick. Children do not inherit this priority.
 *
 * Return: 0, also without the priority, or the negative errno with which the calling thread could
 * not be pinned.
 */
int bpmu_trial_settle(u32 cpu, struct bpmu_error *err)
{
	const int lowest = 1;

	syscall(SYS_sched_setscheduler, 0, SCHED_FIFO | SCHED_RESET_ON_FORK,
		&lowest);
	return bpmu_trial_pin(cpu, err);
}

/**
 * bpmu_trial_clear() - remove all counters from an errata trial
 * @trial: the trial. Its members groups, group, config and sibling are cleared; its members client,
 *	info (which must be set), cpu and arena are kept
 */
void bpmu_trial_clear(struct bpmu_trial *trial)
{
	memset(&trial->group, 0, sizeof(trial->group));
	memset(&trial->config, 0, sizeof(trial->config));
	trial->groups = (struct bpmu_groups){
		.pmu = &trial->info->pmu,
		.nr = 1,
		.nr_of = { 1 },
		.group = &trial->group,
	};
	trial->sibling = -1;
}

/**
 * bpmu_trial_count() - add a counter to an errata trial
 * @trial: trial to which the counter is added; has fewer than BPMU_MAX_COUNTERS counters
 * @name: name of the event; must outlive @trial
 * @select: event select; if @counter is a fixed counter, only the privilege levels are used
 * @counter: number of the counter on the trial's CPU
 * @sibling: number of the counter that counts the event on the sibling of the trial's CPU
 */
void bpmu_trial_count(struct bpmu_trial *trial, const char *name, u64 select,
		      u32 counter, u32 sibling)
{
	struct bpmu_sched *sched = &trial->group.sched;

	if (counter >= BPMU_FIXED_BASE)
		select &= BPMU_SEL_USR | BPMU_SEL_OS;
	sched->slot[sched->nr] = (struct bpmu_sched_slot){
		.counter = counter,
		.sibling = sibling,
		.select = select,
		.value = sched->nr,
		.text = name,
	};
	sched->nr++;
	sched->values++;
	trial->groups.slots++;
}

/**
 * bpmu_trial_begin() - configure the module with an errata trial's counters
 * @trial: has at least one counter; end it with bpmu_trial_end() if this function succeeds
 *
 * Return: 0, -EBUSY if the counters are in use, with a message that says by whom, or another
 * negative errno.
 */
int bpmu_trial_begin(struct bpmu_trial *trial, struct bpmu_error *err)
{
	u32 cpus[2] = { trial->cpu, trial->sibling };
	int code;

	trial->config.cpus = cpus;
	trial->config.nr_cpus = trial->sibling < 0 ? 1 : 2;
	trial->config.groups[0] = &trial->groups;
	code = bpmu_client_configure(trial->client, &trial->config, err);
	trial->config.cpus = NULL;
	if (code == -EBUSY)
		bpmu_holder_explain(err);
	return code;
}

/**
 * struct reading - state of reading a trial's samples, one before and one after the loop per CPU
 * @trial: the trial
 * @counts: counts of the trial, set from the samples
 * @first: counter values before the loop, in the order of the trial's events: [0][i] on the trial's
 *	CPU, [1][i] on the sibling of this CPU
 * @began: TSC before the loop on the trial's CPU
 */
struct reading {
	const struct bpmu_trial *trial;
	struct bpmu_trial_counts *counts;
	u64 first[2][BPMU_MAX_COUNTERS];
	u64 began;
};

static void errata_trial_on_sample(struct reading *reading, const struct bpmu_sample *sample,
				   const u64 *values)
{
	const struct bpmu_trial *trial = reading->trial;
	bool other = sample->cpu != trial->cpu;
	u64 *counts = other ? reading->counts->other : reading->counts->own;
	struct bpmu_delta delta;
	unsigned int i;

	if (sample->flags & BPMU_SAMPLE_START) {
		memcpy(reading->first[other], values,
		       sample->nr * sizeof(*values));
		if (!other)
			reading->began = sample->tsc_begin;
	}
	if (!(sample->flags & BPMU_SAMPLE_STOP))
		return;
	for (i = 0; i < trial->group.sched.nr; i++) {
		delta = bpmu_delta_of_slot(trial->groups.pmu,
					   &trial->group.sched, i);
		counts[i] = bpmu_delta(&delta, reading->first[other], values,
				       sample->enabled);
	}
	if (other)
		return;
	memcpy(reading->counts->first, reading->first[0],
	       sizeof(reading->counts->first));
	memcpy(reading->counts->last, values, sample->nr * sizeof(*values));
	reading->counts->ticks = sample->tsc_end - reading->began;
}

static void errata_trial_on_samples(void *reading, const struct bpmu_taken_sample *samples,
				    unsigned int nr)
{
	for (; nr; nr--, samples++)
		errata_trial_on_sample(reading, samples->head, samples->values);
}

static void errata_trial_on_overflows(void *data, const void *records, size_t bytes)
{
	struct reading *reading = data;
	struct bpmu_trial_counts *counts = reading->counts;
	struct bpmu_overflow record;
	size_t at;

	for (at = 0; at < bytes; at += record.size) {
		memcpy(&record, (const char *)records + at, sizeof(record));
		if (record.cpu != reading->trial->cpu || counts->nr_records == BPMU_TRIAL_RECORDS)
			continue;
		counts->record[counts->nr_records++] = (struct bpmu_trial_record){
			.period = record.period,
			.ip = record.who.ip,
			.slot = record.event,
		};
	}
}

static int errata_trial_counted(struct bpmu_trial *trial, struct bpmu_trial_counts *counts,
				struct bpmu_error *err)
{
	struct reading reading = { .trial = trial, .counts = counts };
	const struct bpmu_reader reader = {
		.samples = errata_trial_on_samples,
		.overflows = errata_trial_on_overflows,
		.data = &reading,
	};

	counts->nr_records = 0;
	return bpmu_client_read(trial->client, &reader, err);
}

/*
 * Returns the number of context switches and page faults of this process so far. A run during which
 * this number changes is repeated.
 */
static long disturbances(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage))
		return 0;
	return usage.ru_nivcsw + usage.ru_nvcsw + usage.ru_minflt +
	       usage.ru_majflt;
}

static int run_once(struct bpmu_trial *trial, const struct bpmu_bench *bench,
		    u64 rounds, struct bpmu_trial_counts *counts,
		    bool *disturbed, struct bpmu_error *err)
{
	u64 interrupts = bpmu_interrupts_now(trial->cpu);
	long before = disturbances();
	int code;

	code = bpmu_client_start(trial->client, err);
	if (code)
		return code;
	bench->run(rounds + 1, &trial->arena);
	code = bpmu_client_stop(trial->client, err);
	*disturbed = disturbances() != before;
	counts->interrupts = bpmu_interrupts_now(trial->cpu) - interrupts;
	return code ? code : errata_trial_counted(trial, counts, err);
}

/**
 * bpmu_trial_run() - run the loop of an errata trial once and count it
 * @trial: begun by bpmu_trial_begin()
 * @bench: the loop
 * @rounds: number of iterations of the loop. One more iteration is always executed. To get the
 *	counts of @rounds iterations, the caller subtracts the counts of another run with
 *	@rounds = 0: these are the counts of the additional iteration and of the code before and
 *	after the loop
 * @quiet: if true, a run with an interrupt is repeated a few times
 * @counts: set to the counts of the last run
 *
 * A run during which another process was scheduled on the CPU is repeated. The calling thread must
 * be pinned to the trial's CPU.
 *
 * Return: 0, -EAGAIN if other processes keep the CPU busy, or another negative errno.
 */
int bpmu_trial_run(struct bpmu_trial *trial, const struct bpmu_bench *bench,
		   u64 rounds, bool quiet, struct bpmu_trial_counts *counts,
		   struct bpmu_error *err)
{
	bool disturbed = true;
	unsigned int i;
	int code;

	for (i = 0; i < TRIES; i++) {
		code = run_once(trial, bench, rounds, counts, &disturbed, err);
		if (code)
			return code;
		if (!disturbed && (!quiet || !counts->interrupts ||
				   i >= QUIET_TRIES))
			return 0;
	}
	return bpmu_error_set(err, -EAGAIN,
		"errata: CPU %u is kept busy by other processes; choose another one with -C",
		trial->cpu);
}

/**
 * bpmu_trial_end() - release the counters of an errata trial
 * @trial: begun by bpmu_trial_begin()
 */
int bpmu_trial_end(struct bpmu_trial *trial, struct bpmu_error *err)
{
	return bpmu_client_release(trial->client, err);
}
