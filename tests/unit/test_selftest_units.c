// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of three checks of the self-test. The first checks that counts of units outside the core
 * are plausible. The second measures the costs of a sample. The third looks for errata.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "client/holder.h"
#include "cmd/selftest/selftest.h"
#include "free.h"
#include "source/live.h"
#include "source/overhead.h"
#include "unit.h"

#define TICKS 1000

int __wrap_bpmu_live_run(const struct bpmu_measure *measure, int *status, struct bpmu_error *err);
void __wrap_bpmu_groups_event_slots(const struct bpmu_groups *groups,
				    const struct bpmu_event_spec *spec,
				    const struct bpmu_event_spec *counted,
				    struct bpmu_event_slots *slots);
void __wrap_bpmu_interval_raw(const struct bpmu_groups *groups,
			      const struct bpmu_interval *interval, unsigned int pos,
			      const struct bpmu_event_slots *slots, struct bpmu_raw *raw);
void __wrap_bpmu_holder_explain(struct bpmu_error *err);
int __wrap_bpmu_overhead_measure(struct bpmu_overhead *overhead, struct bpmu_error *err);
int __wrap_bpmu_errata_check(struct bpmu_errata_check *check, struct bpmu_error *err);

/*
 * odd: name of the event that counts odd_count on the second of two CPUs. All other counts are
 * plausible.
 */
static const char *odd;
static long long odd_count;
static int code;
static struct bpmu_overhead overhead;
static struct bpmu_selftest selftest;
static char *text, *json;
static size_t text_size, json_size;

int __wrap_bpmu_live_run(const struct bpmu_measure *measure, int *status, struct bpmu_error *err)
{
	assert_int_equal(measure->timeout_ns, 200000000);
	assert_int_equal(measure->nr_cpus, 2);
	assert_int_equal(measure->cpus[1], 4);
	*status = 0;
	if (code)
		return bpmu_error_set(err, code, "refused");
	measure->emit(measure->data, NULL);
	return 0;
}

/* Name of the event that the check looked up last. */
static const char *name;

void __wrap_bpmu_groups_event_slots(const struct bpmu_groups *groups,
				    const struct bpmu_event_spec *spec,
				    const struct bpmu_event_spec *counted,
				    struct bpmu_event_slots *slots)
{
	(void)groups;
	(void)slots;
	assert_ptr_equal(counted, spec);
	name = spec->row->name;
}

void __wrap_bpmu_interval_raw(const struct bpmu_groups *groups,
			      const struct bpmu_interval *interval, unsigned int pos,
			      const struct bpmu_event_slots *slots, struct bpmu_raw *raw)
{
	(void)groups;
	(void)slots;
	assert_null(interval);
	raw->enabled = TICKS / 2;
	raw->count = pos && odd && !strcmp(name, odd) ? odd_count :
		     !strcmp(name, "THREAD.TSC") ? TICKS / 2 : pos;
	if (odd && !strcmp(name, odd) && !pos)
		raw->count = 0;
}

void __wrap_bpmu_holder_explain(struct bpmu_error *err)
{
	strcat(err->text, "; held");
}

int __wrap_bpmu_overhead_measure(struct bpmu_overhead *o, struct bpmu_error *err)
{
	*o = overhead;
	return code ? bpmu_error_set(err, code, "no sample") : 0;
}

static void begin(const char *part, u64 free)
{
	code = 0;
	odd = NULL;
	selftest = (struct bpmu_selftest){ };
	unit_target(&selftest.target, part, 3);
	selftest.target.info.pmu.free = free;
	selftest.text = open_memstream(&text, &text_size);
	selftest.json = open_memstream(&json, &json_size);
}

/*
 * Ends a check. Its text must be @said, and its JSON must contain @raw. What is NULL is not
 * compared.
 */
static void end(const char *said, const char *raw)
{
	fclose(selftest.text);
	fclose(selftest.json);
	if (said)
		assert_string_equal(text, said);
	if (raw && !strstr(json, raw))
		fail_msg("'%s' is not in %s", raw, json);
	free(text);
	free(json);
	free(selftest.target.cpus_text);
	bpmu_cpulist_free(&selftest.target.cpus);
}

#define SOME (BPMU_FREE(TSC) | BPMU_FREE(APERF) | BPMU_FREE(MPERF) | BPMU_FREE(PKG))

TEST(one_event_of_each_unit_is_counted)
{
	struct bpmu_error err;

	begin("ivb", SOME);
	assert_int_equal(bpmu_selftest_units(&selftest, &err), 0);
	end("ok    units        3 uncore units and 4 free-running registers count\n",
	    "{\"schema\":3,\"type\":\"selftest-raw\",\"check\":\"units\",\"event\":\"THREAD.TSC\",\"count\":1000,\"tsc\":1000}");
	begin("skx", BPMU_FREE(PKG));
	assert_int_equal(bpmu_selftest_units(&selftest, &err), 0);
	end("ok    units        8 uncore units and 1 free-running registers count\n", NULL);
	begin("zen4", 0);
	assert_int_equal(bpmu_selftest_units(&selftest, &err), 0);
	end("ok    units        3 uncore units and 0 free-running registers count\n", NULL);
	begin("knc", 0);
	assert_int_equal(bpmu_selftest_units(&selftest, &err), 0);
	end("skip  units        no uncore counters and no free-running registers that barepmu knows\n",
	    NULL);
}

/*
 * TSC ticks are implausible if they are at most half or at least twice the time for which the
 * session ran. 0 cycles and negative counts are implausible, too. Other events may count 0.
 */
TEST(implausible_counts_are_named)
{
	static const struct {
		const char *event;
		long long count;
		bool right;
	} all[] = {
		{ "THREAD.TSC", 500, false }, { "THREAD.TSC", 501, true },
		{ "THREAD.TSC", 1999, true }, { "THREAD.TSC", 2000, false },
		{ "CORE.APERF", 0, false }, { "CORE.APERF", 1, true },
		{ "CORE.MPERF", 0, false }, { "CORE.MPERF", 1, true },
		{ "POWER.PKG", 0, true }, { "POWER.PKG", -1, false },
		{ "UNC_CLOCK.SOCKET", 0, false }, { "UNC_CLOCK.SOCKET", 1, true },
	};
	struct bpmu_error err;
	char said[160];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		begin("ivb", SOME);
		odd = all[i].event;
		odd_count = all[i].count;
		assert_int_equal(bpmu_selftest_units(&selftest, &err), 0);
		snprintf(said, sizeof(said), "FAIL  units        1 of 7 counts of the uncore and of free-running registers are implausible: %s\n",
			 odd);
		assert_int_equal(selftest.nr[BPMU_SELFTEST_FAIL], !all[i].right);
		end(all[i].right ?
		    "ok    units        3 uncore units and 4 free-running registers count\n" : said,
		    NULL);
	}
}

TEST(units_in_use_are_left_out)
{
	struct bpmu_error err;

	begin("ivb", SOME);
	code = -EBUSY;
	assert_int_equal(bpmu_selftest_units(&selftest, &err), 0);
	end("skip  units        refused; held\n", NULL);
	begin("ivb", SOME);
	code = -EPERM;
	assert_int_equal(bpmu_selftest_units(&selftest, &err), -EPERM);
	assert_string_equal(err.text, "refused");
	end("", NULL);
}

TEST(the_cost_of_a_sample_is_in_ticks_and_time)
{
	struct bpmu_error err;

	overhead = (struct bpmu_overhead){
		.events = 2, .samples = 301, .median = 4500, .least = 3003, .most = 50004,
		.reading = 605,
	};
	begin("ivb", 0);
	selftest.target.info.tsc_khz = 2000000;
	assert_int_equal(bpmu_selftest_cost(&selftest, &err), 0);
	end("ok    cost         a sample of 2 events takes 4500 ticks of the TSC (2.2 us), the median of 301\n",
	    "\"check\":\"cost\",\"events\":2,\"samples\":301,\"median\":4500,\"least\":3003,\"most\":50004,\"reading\":605}");
	begin("ivb", 0);
	selftest.target.info.tsc_khz = 0;
	assert_int_equal(bpmu_selftest_cost(&selftest, &err), 0);
	end("ok    cost         a sample of 2 events takes 4500 ticks of the TSC (0.0 us), the median of 301\n",
	    NULL);
	begin("ivb", 0);
	overhead.median = 0;
	assert_int_equal(bpmu_selftest_cost(&selftest, &err), 0);
	end("skip  cost         the TSC stands still while a sample is taken, as of some virtual machines\n",
	    NULL);
	begin("ivb", 0);
	code = -EAGAIN;
	assert_int_equal(bpmu_selftest_cost(&selftest, &err), 0);
	end("FAIL  cost         no sample\n", NULL);
	begin("ivb", 0);
	code = -EIO;
	assert_int_equal(bpmu_selftest_cost(&selftest, &err), -EIO);
	end("", NULL);
}

static unsigned int nr_tests, nr_skips;
static double sum;
static enum bpmu_erratum_symptom symptom = BPMU_SYMPTOM_WRAP;

/*
 * Fakes the tests for errata. If @sum is not 0, the last test deviates in each of its trials. The
 * other tests never deviate.
 */
int __wrap_bpmu_errata_check(struct bpmu_errata_check *check, struct bpmu_error *err)
{
	unsigned int i;

	assert_int_equal(check->trial.cpu, 3);
	assert_int_equal(check->trials, 32);
	assert_int_equal(check->smt, 1);
	assert_ptr_equal(check->trial.info, &selftest.target.info);
	for (i = 0; i < nr_tests; i++)
		check->test[i] = (struct bpmu_errata_test){
			.what = symptom, .event = "INST", .counter = 32 + i,
			.per = "wrap",
			.deviation = { .trials = 32, .base = 32 },
		};
	if (sum) {
		check->test[nr_tests - 1].deviation.sum = sum;
		check->test[nr_tests - 1].deviation.above = sum > 0 ? 32 : 0;
		check->test[nr_tests - 1].deviation.below = sum < 0 ? 32 : 0;
	}
	check->nr = nr_tests;
	check->skip[0] = "siblings: none";
	check->skip[1] = "prefetchers: none";
	check->nr_skips = nr_skips;
	return code ? bpmu_error_set(err, code, "no check") : 0;
}

TEST(errata_are_found_or_not)
{
	struct bpmu_error err;

	nr_tests = 3;
	nr_skips = 2;
	begin("ivb", 0);
	selftest.target.smt = 1;
	assert_int_equal(bpmu_selftest_errata(&selftest, &err), 0);
	end("ok    errata       nothing found in 3 tests of 32 trials each\n"
	    "skip  errata       siblings: none\n"
	    "skip  errata       prefetchers: none\n",
	    "\"check\":\"errata\",\"test\":\"wrap\",\"event\":\"INST\",\"counter\":34,\"trials\":32,\"above\":0,\"below\":0,\"sum\":0,\"base\":32,\"p\":1}");
	nr_skips = 0;
	sum = -64;
	begin("ivb", 0);
	selftest.target.smt = 1;
	assert_int_equal(bpmu_selftest_errata(&selftest, &err), 0);
	assert_int_equal(selftest.nr[BPMU_SELFTEST_FAIL], 1);
	assert_int_equal(selftest.nr[BPMU_SELFTEST_OK], 0);
	fflush(selftest.text);
	assert_non_null(strstr(text, "FAIL  errata       wrap: INST, counter fixed 2: "));
	assert_non_null(strstr(text, ", -2 per wrap in 32 of 32 trials; published: "));
	end(NULL, "\"counter\":34,\"trials\":32,\"above\":0,\"below\":32,\"sum\":-64,\"base\":32,\"p\":");
	sum = 16;
	begin("ivb", 0);
	selftest.target.smt = 1;
	assert_int_equal(bpmu_selftest_errata(&selftest, &err), 0);
	fflush(selftest.text);
	assert_non_null(strstr(text, ", +0.5 per wrap in 32 of 32 trials; published: "));
	end(NULL, NULL);
	begin("ivb", 0);
	selftest.target.smt = 1;
	nr_skips = 2;
	code = -EIO;
	assert_int_equal(bpmu_selftest_errata(&selftest, &err), -EIO);
	end("", NULL);
}

/* Returns what is published of a symptom of the test that fails on a part. */
static void publishes(const char *part, enum bpmu_erratum_symptom of, const char *names)
{
	struct bpmu_error err;
	const char *at;

	nr_tests = 1;
	nr_skips = 0;
	sum = 64;
	code = 0;
	symptom = of;
	begin(part, 0);
	selftest.target.smt = 1;
	assert_int_equal(bpmu_selftest_errata(&selftest, &err), 0);
	fflush(selftest.text);
	at = strstr(text, "; published: ");
	assert_non_null(at);
	assert_string_equal(at + strlen("; published: "), names);
	end(NULL, NULL);
	symptom = BPMU_SYMPTOM_WRAP;
}

TEST(each_published_erratum_of_a_symptom_is_named)
{
	publishes("srf", BPMU_SYMPTOM_COUNT, "SRF6, SRF7\n");
	publishes("ivb", BPMU_SYMPTOM_L1_BELOW_L2, "L2-PENDING\n");
	publishes("zen5", BPMU_SYMPTOM_WRAP, "no such erratum\n");
}
