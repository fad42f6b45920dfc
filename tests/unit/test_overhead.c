// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the measurement of what a sample costs: the median of the samples' times and the
 * confidence interval of this median are right. The times are made up.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "client/holder.h"
#include "source/live.h"
#include "source/overhead.h"
#include "source/target.h"
#include "unit.h"

#define RECORD (sizeof(struct bpmu_sample) + 2 * sizeof(u64))
#define MOST 600

int __wrap_bpmu_target_open_any(struct bpmu_target *target, const char *cpus,
				struct bpmu_error *err);
int __wrap_bpmu_live_run(const struct bpmu_measure *measure, int *status, struct bpmu_error *err);
u32 __wrap_bpmu_client_record_size(const struct bpmu_client *client);
void __wrap_bpmu_holder_explain(struct bpmu_error *err);

/*
 * Faked costs of samples in TSC ticks: time of the whole interrupt handler, and the part of it in
 * which it reads the counters.
 */
static u64 whole[MOST], reading[MOST];
static unsigned int nr;
static int open_code, run_code;
static struct bpmu_measure asked;

int __wrap_bpmu_target_open_any(struct bpmu_target *target, const char *cpus,
				struct bpmu_error *err)
{
	assert_null(cpus);
	unit_target(target, "ivb", 0);
	return open_code ? bpmu_error_set(err, open_code, "not there") : 0;
}

u32 __wrap_bpmu_client_record_size(const struct bpmu_client *client)
{
	(void)client;
	return RECORD;
}

void __wrap_bpmu_holder_explain(struct bpmu_error *err)
{
	strcat(err->text, "; held");
}

/*
 * Gives @nr + 1 faked samples to the measurement. @spent of a sample is the time that all earlier
 * runs of the interrupt handler have taken together. Every fourth sample is followed by a sample
 * without the flag of the timer, which must not be measured.
 */
int __wrap_bpmu_live_run(const struct bpmu_measure *measure, int *status, struct bpmu_error *err)
{
	char records[2][RECORD];
	struct bpmu_sample sample = { .flags = BPMU_SAMPLE_TIMER, .spent = 5000 };
	unsigned int i;

	*status = 0;
	asked = *measure;
	assert_int_equal(measure->cpus[0], 0);
	assert_int_equal(measure->groups[0]->group[0].sched.values, 2);
	if (run_code)
		return bpmu_error_set(err, run_code, "refused");
	for (i = 0; i <= nr; i++) {
		struct bpmu_sample none = { .spent = 7, .tsc_end = 99999 };

		sample.tsc_begin = 1000 * i;
		sample.tsc_end = 1000 * i + (i ? reading[i - 1] : 12345);
		sample.spent += i ? whole[i - 1] : 0;
		memcpy(records[0], &sample, sizeof(sample));
		memcpy(records[1], &none, sizeof(none));
		measure->records(measure->data, records, i % 4 ? RECORD : 2 * RECORD);
	}
	return 0;
}

TEST(medians_and_extremes_are_those_of_the_samples)
{
	struct bpmu_field field[BPMU_OVERHEAD_FIELDS];
	static const char *const names[] = {
		"events", "samples", "median", "least", "most", "reading",
	};
	struct bpmu_overhead o;
	struct bpmu_error err;
	unsigned int i;

	/*
	 * 100 samples take 301 to 400 ticks each, in some order; reading the counters takes 101 to
	 * 200 of these ticks.
	 */
	nr = 100;
	for (i = 0; i < nr; i++) {
		whole[i] = 301 + i * 37 % 100;
		reading[i] = 101 + i * 63 % 100;
	}
	assert_int_equal(bpmu_overhead_measure(&o, &err), 0);
	assert_int_equal(o.events, 2);
	assert_int_equal(o.samples, 100);
	assert_int_equal(o.median, 351);
	assert_int_equal(o.least, 301);
	assert_int_equal(o.most, 400);
	assert_int_equal(o.reading, 151);
	/*
	 * The samples are sorted by time. The ends of the confidence interval are the values that
	 * are sqrt(100) = 10 places before and behind the median.
	 */
	assert_int_equal(o.reading_low, 141);
	assert_int_equal(o.reading_high, 161);
	assert_int_equal(asked.nr_cpus, 1);
	assert_int_equal(asked.interval_ns, 1000000);
	assert_int_equal(asked.timeout_ns, 300000000);
	assert_int_equal(asked.timer, BPMU_TIMER_HARD);
	bpmu_overhead_fields(&o, field);
	for (i = 0; i < BPMU_OVERHEAD_FIELDS; i++)
		assert_string_equal(field[i].name, names[i]);
	assert_int_equal(field[0].whole, 2);
	assert_int_equal(field[1].whole, 100);
	assert_int_equal(field[2].whole, 351);
	assert_int_equal(field[3].whole, 301);
	assert_int_equal(field[4].whole, 400);
	assert_int_equal(field[5].whole, 151);
}

TEST(few_samples_have_a_wide_interval)
{
	struct bpmu_overhead o;
	struct bpmu_error err;
	unsigned int i;

	nr = 1;
	whole[0] = 9;
	reading[0] = 4;
	assert_int_equal(bpmu_overhead_measure(&o, &err), 0);
	assert_int_equal(o.median, 9);
	assert_int_equal(o.reading_low, 4);
	assert_int_equal(o.reading_high, 4);
	nr = 3;
	for (i = 0; i < nr; i++) {
		whole[i] = 10 - i;
		reading[i] = 3 - i;
	}
	assert_int_equal(bpmu_overhead_measure(&o, &err), 0);
	assert_int_equal(o.least, 8);
	assert_int_equal(o.reading, 2);
	assert_int_equal(o.reading_low, 1);
	assert_int_equal(o.reading_high, 3);
	/* The median is that of the first 512 samples only. Here there are more samples. */
	nr = 550;
	for (i = 0; i < nr; i++)
		whole[i] = i;
	assert_int_equal(bpmu_overhead_measure(&o, &err), 0);
	assert_int_equal(o.samples, 512);
	assert_int_equal(o.most, 511);
}

TEST(what_fails_is_named)
{
	struct bpmu_overhead o;
	struct bpmu_error err;

	nr = 0;
	assert_int_equal(bpmu_overhead_measure(&o, &err), -EAGAIN);
	assert_string_equal(err.text, "overhead: no sample was taken; try again");
	run_code = -EBUSY;
	assert_int_equal(bpmu_overhead_measure(&o, &err), -EBUSY);
	assert_string_equal(err.text, "refused; held");
	run_code = -EPERM;
	assert_int_equal(bpmu_overhead_measure(&o, &err), -EPERM);
	assert_string_equal(err.text, "refused");
	open_code = -ENOENT;
	assert_int_equal(bpmu_overhead_measure(&o, &err), -ENOENT);
	assert_string_equal(err.text, "not there");
}
