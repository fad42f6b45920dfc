// SPDX-License-Identifier: GPL-2.0
/*
 * Further checks of the self-test, which are not about the counters of a core: whether uncore units
 * and free-running registers count, how long a sample takes, and whether symptoms of errata are
 * seen.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "client/holder.h"
#include "events.h"
#include "free.h"
#include "selftest.h"
#include "source/live.h"
#include "source/overhead.h"
#include "source/wanted.h"
#include "trial/errata_symptom.h"

#define UNITS_NS (200 * BPMU_NS_PER_MS)
/*
 * number of trials (counted loops) of each test for errata: the least number with which a result
 * can be significant
 */
#define ERRATA_TRIALS 32
/*
 * A session's time is compared with a count of TSC ticks, which is not read at the same time. The
 * two may differ by this factor.
 */
#define TOLERANCE 2

/**
 * struct units - counts of uncore units and free-running registers
 * @selftest: the self-test
 * @wanted: one event of every uncore unit, and events of the free-running registers
 * @count: count of each event, summed over CPUs, [event]
 * @ticks: time in TSC ticks for which each event was counted, summed over CPUs, [event]
 */
struct units {
	struct bpmu_selftest *selftest;
	struct bpmu_wanted wanted;
	long long *count;
	u64 *ticks;
};

static void add_units(void *data, const struct bpmu_interval *interval)
{
	struct units *units = data;
	const struct bpmu_event_list *events = &units->wanted.events;
	struct bpmu_event_slots slots;
	struct bpmu_raw raw;
	unsigned int i, pos;

	for (i = 0; i < events->nr; i++) {
		bpmu_groups_event_slots(&units->wanted.groups, &events->spec[i], &events->spec[i],
					&slots);
		for (pos = 0; pos < units->selftest->target.cpus.nr; pos++) {
			raw = (struct bpmu_raw){ };
			bpmu_interval_raw(&units->wanted.groups, interval, pos, &slots, &raw);
			units->count[i] += raw.count;
			units->ticks[i] += raw.enabled;
		}
	}
}

static int want_units(struct units *units, struct bpmu_error *err)
{
	const struct bpmu_pmu *pmu = &units->selftest->target.info.pmu;
	const struct bpmu_event *rows;
	unsigned int unit;
	size_t nr, i;
	int code = 0;

	rows = bpmu_events(pmu->part, &nr);
	for (unit = 0; unit < BPMU_UNITS && !code; unit++) {
		if (!pmu->nr[unit])
			continue;
		for (i = 0; i < nr && rows[i].unit != unit; i++)
			;
		if (i < nr)
			code = bpmu_wanted_add(&units->wanted, rows[i].name,
					       err);
	}
	rows = bpmu_free_events(&nr);
	for (i = 0; i < nr && !code; i++)
		if (pmu->free & rows[i].counters)
			code = bpmu_wanted_add(&units->wanted, rows[i].name,
					       err);
	return code;
}

static int measure_units(struct units *units, struct bpmu_error *err)
{
	struct bpmu_target *target = &units->selftest->target;
	const struct bpmu_measure m = {
		.client = target->client,
		.info = &target->info,
		.cpus = target->cpus.cpu,
		.nr_cpus = target->cpus.nr,
		.groups = { &units->wanted.groups },
		.timeout_ns = UNITS_NS,
		.emit = add_units,
		.data = units,
	};
	int status;
	int code;

	code = bpmu_wanted_schedule(&units->wanted, target, err);
	if (code)
		return code;
	units->count = calloc(units->wanted.events.nr, sizeof(*units->count));
	units->ticks = calloc(units->wanted.events.nr, sizeof(*units->ticks));
	if (!units->count || !units->ticks)
		return bpmu_error_no_memory(err, "selftest");
	code = bpmu_live_run(&m, &status, err);
	if (code == -EBUSY)
		bpmu_holder_explain(err);
	return code;
}

/*
 * Returns true if a count is plausible. @ticks is the time for which the event was enabled, in TSC
 * ticks. A count of the TSC may differ from @ticks by the factor TOLERANCE, a count of cycles must
 * be above 0, and any other count must not be negative.
 */
static bool plausible(const struct bpmu_event_spec *spec, long long count,
		      double ticks)
{
	if (!strcmp(spec->row->name, "THREAD.TSC"))
		return count > ticks / TOLERANCE && count < ticks * TOLERANCE;
	if (spec->row->unit == BPMU_UNIT_CLOCK ||
	    !strcmp(spec->row->name, "CORE.APERF") ||
	    !strcmp(spec->row->name, "CORE.MPERF"))
		return count > 0;
	return count >= 0;
}

static void raw_unit(struct bpmu_selftest *selftest, const char *event,
		     long long count, u64 ticks)
{
	const struct bpmu_field fields[] = {
		{ "event", event, BPMU_FIELD_TEXT },
		{ "count", .form = BPMU_FIELD_FIXED, .number = count },
		{ "tsc", .form = BPMU_FIELD_WHOLE, .whole = ticks },
	};

	bpmu_selftest_raw(selftest, "units", fields, ARRAY_SIZE(fields));
}

static void judge_units(struct units *units)
{
	struct bpmu_selftest *selftest = units->selftest;
	const struct bpmu_event_list *events = &units->wanted.events;
	unsigned int i, wrong = 0, uncore = 0;
	const char *example = "";

	for (i = 0; i < events->nr; i++) {
		raw_unit(selftest, events->spec[i].row->name, units->count[i],
			 units->ticks[i]);
		uncore += bpmu_bank_is_uncore(bpmu_unit_facts[events->spec[i].row->unit].bank);
		if (plausible(&events->spec[i], units->count[i],
			      units->ticks[i]))
			continue;
		if (!wrong++)
			example = events->spec[i].row->name;
	}
	if (wrong)
		bpmu_selftest_say(selftest, "units", BPMU_SELFTEST_FAIL,
				  "%u of %u counts of the uncore and of free-running registers are implausible: %s",
				  wrong, events->nr, example);
	else
		bpmu_selftest_say(selftest, "units", BPMU_SELFTEST_OK,
				  "%u uncore units and %u free-running registers count",
				  uncore, events->nr - uncore);
}

/**
 * bpmu_selftest_units() - self-test: check that uncore units and free-running registers count
 */
int bpmu_selftest_units(struct bpmu_selftest *selftest, struct bpmu_error *err)
{
	struct units units = { .selftest = selftest };
	int code;

	code = want_units(&units, err);
	if (!code && !units.wanted.text) {
		bpmu_selftest_say(selftest, "units", BPMU_SELFTEST_SKIP,
				  "no uncore counters and no free-running registers that barepmu knows");
		return 0;
	}
	if (!code)
		code = measure_units(&units, err);
	if (!code)
		judge_units(&units);
	free(units.count);
	free(units.ticks);
	bpmu_wanted_free(&units.wanted);
	if (code != -EBUSY)
		return code;
	bpmu_selftest_say(selftest, "units", BPMU_SELFTEST_SKIP, "%s",
			  err->text);
	return 0;
}

static void raw_cost(struct bpmu_selftest *selftest,
		     const struct bpmu_overhead *overhead)
{
	struct bpmu_field fields[BPMU_OVERHEAD_FIELDS];

	bpmu_overhead_fields(overhead, fields);
	bpmu_selftest_raw(selftest, "cost", fields, ARRAY_SIZE(fields));
}

/**
 * bpmu_selftest_cost() - self-test: measure the cost of a sample in TSC ticks
 */
int bpmu_selftest_cost(struct bpmu_selftest *selftest, struct bpmu_error *err)
{
	u32 khz = selftest->target.info.tsc_khz;
	struct bpmu_overhead o;
	int code;

	code = bpmu_overhead_measure(&o, err);
	if (code == -EAGAIN) {
		bpmu_selftest_say(selftest, "cost", BPMU_SELFTEST_FAIL, "%s",
				  err->text);
		return 0;
	}
	if (code)
		return code;
	raw_cost(selftest, &o);
	if (!o.median)
		bpmu_selftest_say(selftest, "cost", BPMU_SELFTEST_SKIP,
				  "the TSC stands still while a sample is taken, as of some virtual machines");
	else
		bpmu_selftest_say(selftest, "cost", BPMU_SELFTEST_OK,
				  "a sample of %u events takes %llu ticks of the TSC (%.1f us), the median of %u",
				  o.events, o.median,
				  khz ? o.median * 1e3 / khz : 0, o.samples);
	return 0;
}

static void errata_text(struct bpmu_selftest *selftest,
			const struct bpmu_errata_cpu *cpu,
			const struct bpmu_errata_check *check,
			const struct bpmu_errata_test *test)
{
	const struct bpmu_deviation *d = &test->deviation;
	struct bpmu_errata errata;
	char counter[20], names[128] = "no such erratum";
	size_t at = 0;
	unsigned int i;

	bpmu_errata_with_symptom(cpu, test->what, &errata);
	for (i = 0; i < errata.nr && at < sizeof(names); i++)
		at += snprintf(names + at, sizeof(names) - at, "%s%s",
			       i ? ", " : "", errata.name[i]);
	bpmu_selftest_counter(test->counter, counter);
	bpmu_selftest_say(selftest, "errata", BPMU_SELFTEST_FAIL,
			  "%s: %s, counter %s: %s, %+.4g per %s in %u of %u trials; published: %s",
			  bpmu_errata_symptom_name(test->what), test->event,
			  counter, bpmu_errata_symptom_text(test->what),
			  d->base ? d->sum / d->base : 0, test->per,
			  d->sum < 0 ? d->below : d->above, check->trials,
			  names);
}

static void raw_erratum(struct bpmu_selftest *selftest,
			const struct bpmu_errata_test *test, unsigned int tests)
{
	const struct bpmu_deviation *deviation = &test->deviation;
	const struct bpmu_field fields[] = {
		{ "test", bpmu_errata_symptom_name(test->what), BPMU_FIELD_TEXT },
		{ "event", test->event, BPMU_FIELD_TEXT },
		{ "counter", .form = BPMU_FIELD_WHOLE, .whole = test->counter },
		{ "trials", .form = BPMU_FIELD_WHOLE,
		  .whole = deviation->trials },
		{ "above", .form = BPMU_FIELD_WHOLE, .whole = deviation->above },
		{ "below", .form = BPMU_FIELD_WHOLE, .whole = deviation->below },
		{ "sum", .form = BPMU_FIELD_REAL, .number = deviation->sum,
		  .digits = 6 },
		{ "base", .form = BPMU_FIELD_REAL, .number = deviation->base,
		  .digits = 6 },
		{ "p", .form = BPMU_FIELD_REAL, .digits = 3,
		  .number = bpmu_deviation_p(deviation, tests) },
	};

	bpmu_selftest_raw(selftest, "errata", fields, ARRAY_SIZE(fields));
}

/**
 * bpmu_selftest_errata() - self-test: test the first CPU for errata, as "barepmu errata check" does
 *
 * The check "errata" fails if a symptom of an erratum is found. The calling thread stays pinned to
 * the first CPU.
 */
int bpmu_selftest_errata(struct bpmu_selftest *selftest, struct bpmu_error *err)
{
	struct bpmu_errata_check check = {
		.trial = {
			.client = selftest->target.client,
			.info = &selftest->target.info,
			.cpu = selftest->target.cpus.cpu[0],
		},
		.smt = selftest->target.smt,
		.trials = ERRATA_TRIALS,
	};
	const struct bpmu_errata_test *test;
	struct bpmu_errata_cpu cpu;
	unsigned int i, found = 0;
	int code;

	bpmu_errata_cpu_init(&cpu, &selftest->target.info,
			     selftest->target.smt);
	code = bpmu_errata_check(&check, err);
	for (i = 0; i < check.nr && !code; i++) {
		test = &check.test[i];
		raw_erratum(selftest, test, check.nr);
		if (!bpmu_deviation_sure(&test->deviation, check.nr))
			continue;
		errata_text(selftest, &cpu, &check, test);
		found++;
	}
	if (!code && !found)
		bpmu_selftest_say(selftest, "errata", BPMU_SELFTEST_OK,
				  "nothing found in %u tests of %u trials each",
				  check.nr, check.trials);
	for (i = 0; i < check.nr_skips && !code; i++)
		bpmu_selftest_say(selftest, "errata", BPMU_SELFTEST_SKIP, "%s",
				  check.skip[i]);
	return code;
}
