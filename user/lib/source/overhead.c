// SPDX-License-Identifier: GPL-2.0
#include "overhead.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "client/holder.h"
#include "live.h"
#include "measure.h"
#include "target.h"
#include "wanted.h"

#define INTERVAL_NS BPMU_NS_PER_MS
#define TIMEOUT_NS (300 * BPMU_NS_PER_MS)
#define SAMPLES 512

/**
 * struct trial - a short session that measures how long it takes to take a sample
 * @target: the CPUs, of which only the first one is measured, and their PMU
 * @wanted: events that the session counts
 * @nr: number of samples in @whole and @reading
 * @last: TSC ticks that the module's timer handler has taken in total until the latest sample
 * @whole: TSC ticks that the handler took for a sample, [SAMPLES]
 * @reading: TSC ticks in which the handler read the counters for a sample, a part of @whole,
 *	[SAMPLES]
 */
struct trial {
	struct bpmu_target target;
	struct bpmu_wanted wanted;
	unsigned int nr;
	u64 last;
	u64 whole[SAMPLES];
	u64 reading[SAMPLES];
};

/*
 * Stores how long the sample before @sample took. Each sample has the total time that the handler
 * has taken for all earlier samples. The total in @sample minus the total in the sample before it
 * is therefore the time that the sample before it took.
 */
static void overhead_take(struct trial *trial, const struct bpmu_sample *sample)
{
	if (!(sample->flags & BPMU_SAMPLE_TIMER))
		return;
	if (trial->last && trial->nr < SAMPLES) {
		trial->whole[trial->nr] = sample->spent - trial->last;
		trial->reading[trial->nr++] = sample->tsc_end -
					      sample->tsc_begin;
	}
	trial->last = sample->spent;
}

static void overhead_on_records(void *data, const void *records, size_t bytes)
{
	struct trial *trial = data;
	u32 size = bpmu_client_record_size(trial->target.client);
	struct bpmu_sample sample;
	const char *at = records;

	for (; bytes >= size; bytes -= size, at += size) {
		memcpy(&sample, at, sizeof(sample));
		overhead_take(trial, &sample);
	}
}

static int overhead_run(struct trial *trial, struct bpmu_error *err)
{
	const struct bpmu_measure m = {
		.client = trial->target.client,
		.info = &trial->target.info,
		.cpus = trial->target.cpus.cpu,
		.nr_cpus = 1,
		.groups = { &trial->wanted.groups },
		.interval_ns = INTERVAL_NS,
		.timer = BPMU_TIMER_HARD,
		.timeout_ns = TIMEOUT_NS,
		.records = overhead_on_records,
		.data = trial,
	};
	int status;
	int code;

	code = bpmu_live_run(&m, &status, err);
	if (code == -EBUSY)
		bpmu_holder_explain(err);
	if (!code && !trial->nr)
		return bpmu_error_set(err, -EAGAIN,
			"overhead: no sample was taken; try again");
	return code;
}

static int overhead_compare(const void *a, const void *b)
{
	const u64 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void overhead_summarise(struct trial *trial, struct bpmu_overhead *overhead)
{
	unsigned int nr = trial->nr;

	qsort(trial->whole, nr, sizeof(u64), overhead_compare);
	qsort(trial->reading, nr, sizeof(u64), overhead_compare);
	overhead->events = trial->wanted.groups.group[0].sched.values;
	overhead->samples = nr;
	overhead->median = trial->whole[nr / 2];
	overhead->least = trial->whole[0];
	overhead->most = trial->whole[nr - 1];
	overhead->reading = trial->reading[nr / 2];
	/*
	 * The number of samples below the true median has a standard deviation of sqrt(nr) / 2. The
	 * ends of the median's 95 % confidence interval are two standard deviations, which is
	 * sqrt(nr) samples, before and behind the middle of the sorted samples.
	 */
	overhead->reading_low =
		trial->reading[nr / 2 - (unsigned int)fmin(nr / 2, sqrt(nr))];
	overhead->reading_high =
		trial->reading[(unsigned int)fmin(nr - 1, nr / 2 + sqrt(nr))];
}

/**
 * bpmu_overhead_fields() - fill the fields of an output row with the overhead of sampling
 * @overhead: from bpmu_overhead_measure()
 * @field: filled in from all members of @overhead but the bounds of the confidence interval
 */
void bpmu_overhead_fields(const struct bpmu_overhead *overhead,
			  struct bpmu_field field[BPMU_OVERHEAD_FIELDS])
{
	const struct {
		const char *name;
		u64 number;
	} numbers[BPMU_OVERHEAD_FIELDS] = {
		{ "events", overhead->events },
		{ "samples", overhead->samples },
		{ "median", overhead->median },
		{ "least", overhead->least },
		{ "most", overhead->most },
		{ "reading", overhead->reading },
	};
	unsigned int i;

	for (i = 0; i < BPMU_OVERHEAD_FIELDS; i++)
		field[i] = (struct bpmu_field){
			numbers[i].name, .form = BPMU_FIELD_WHOLE,
			.whole = numbers[i].number,
		};
}

/**
 * bpmu_overhead_measure() - measure the overhead of sampling for 0.3 s, in a separate session
 * @overhead: filled in, for the first CPU that is not isolated
 *
 * Return: 0, -EBUSY if another session is running, -EAGAIN if no sample was taken, or another
 * negative errno.
 */
int bpmu_overhead_measure(struct bpmu_overhead *overhead,
			  struct bpmu_error *err)
{
	struct trial trial = { };
	char events[] = "cycles,instructions";
	int code;

	code = bpmu_wanted_add(&trial.wanted, events, err);
	if (!code)
		code = bpmu_target_open_any(&trial.target, NULL, err);
	if (!code)
		code = bpmu_wanted_schedule(&trial.wanted, &trial.target, err);
	if (!code)
		code = overhead_run(&trial, err);
	if (!code)
		overhead_summarise(&trial, overhead);
	bpmu_target_close(&trial.target);
	bpmu_wanted_free(&trial.wanted);
	return code;
}
