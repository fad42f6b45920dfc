// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the requests that a measurement sends to the module. They come in the right order. If a
 * request is refused, the requests that depend on it are left out, and all that was taken is
 * released. The test fakes the module. The run ends at the end of the standard input.
 */
#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "source/live.h"
#include "intel.h"
#include "unit.h"

#define REQUESTS_MOST 128

/*
 * Names of the requests and calls that the measurement has made so far, in their order, each
 * followed by a blank.
 */
static char said[REQUESTS_MOST];
static const char *refused;
static u32 batch;
static bool counts;
static bool stop;

static int request(const char *what, struct bpmu_error *err)
{
	assert_true(strlen(said) + strlen(what) + 1 < sizeof(said));
	strcat(said, what);
	strcat(said, " ");
	if (!refused || strcmp(what, refused))
		return 0;
	return bpmu_error_set(err, -EBUSY, "module: refused");
}

int bpmu_client_configure(struct bpmu_client *client,
			  const struct bpmu_config *config,
			  struct bpmu_error *err)
{
	(void)client;
	batch = config->batch;
	counts = config->counts;
	return request("configure", err);
}

int bpmu_client_start(struct bpmu_client *client, struct bpmu_error *err)
{
	(void)client;
	return request("start", err);
}

int bpmu_client_stop(struct bpmu_client *client, struct bpmu_error *err)
{
	(void)client;
	return request("stop", err);
}

int bpmu_client_swap(struct bpmu_client *client,
		     const struct bpmu_groups *const groups[BPMU_CORE_TYPES],
		     struct bpmu_error *err)
{
	(void)client;
	(void)groups;
	return request("swap", err);
}

int bpmu_client_read(struct bpmu_client *client,
		     const struct bpmu_reader *reader, struct bpmu_error *err)
{
	(void)client;
	(void)reader;
	return request("read", err);
}

int bpmu_client_release(struct bpmu_client *client, struct bpmu_error *err)
{
	(void)client;
	return request("release", err);
}

int bpmu_client_listen_fd(const struct bpmu_client *client)
{
	(void)client;
	return -1;
}

int bpmu_client_listen_drain(struct bpmu_client *client,
			     struct bpmu_error *err)
{
	(void)client;
	(void)err;
	return 0;
}

static void on_input(void *data)
{
	(void)data;
	strcat(said, "input ");
	stop = true;
}

static void on_interval(void *data, const struct bpmu_interval *interval)
{
	(void)data;
	(void)interval;
}

static void on_emitted(void *data)
{
	(void)data;
	strcat(said, "emitted ");
}

static int run(const char *refuses)
{
	static const u32 cpus[] = { 0 };
	struct bpmu_info info = {
		.tsc_khz = 1000000, .pmu = unit_pmu("ivb", 4),
	};
	const struct bpmu_groups_wish wish = { };
	struct bpmu_event_list events = { };
	struct bpmu_groups groups;
	struct bpmu_measure m = {
		.info = &info, .cpus = cpus, .nr_cpus = 1, .groups = { &groups },
		.stop = &stop, .emit = on_interval, .emitted = on_emitted,
		.input = on_input,
		.input_fd = eventfd(1, EFD_CLOEXEC),
	};
	struct bpmu_error err;
	int code, status;

	said[0] = '\0';
	refused = refuses;
	stop = false;
	assert_true(m.input_fd >= 0);
	assert_int_equal(bpmu_event_list_parse(&info.pmu, 0, "instructions",
					       &events, &err), 0);
	assert_int_equal(bpmu_groups_make(&groups, &info.pmu, &events, &wish,
					  &err), 0);
	code = bpmu_live_run(&m, &status, &err);
	bpmu_groups_free(&groups);
	bpmu_event_list_free(&events);
	close(m.input_fd);
	if (code)
		assert_string_equal(err.text, "module: refused");
	return code;
}

TEST(a_run_sends_its_requests_in_order)
{
	assert_int_equal(run(NULL), 0);
	assert_string_equal(said,
			    "configure start input read emitted stop read release ");
}

/*
 * After a refused request the run ends without waiting for intervals, and the tool releases the
 * counters if it had asked for them.
 */
TEST(a_refused_request_ends_the_run_and_releases)
{
	assert_int_equal(run("configure"), -EBUSY);
	assert_string_equal(said, "configure release ");
	assert_int_equal(run("start"), -EBUSY);
	assert_string_equal(said, "configure start release ");
	assert_int_equal(run("read"), -EBUSY);
	assert_string_equal(said, "configure start input read emitted release ");
	assert_int_equal(run("stop"), -EBUSY);
	assert_string_equal(said, "configure start input read emitted stop release ");
}

/*
 * Configures a session of two events, the first of which interrupts, on a part whose precise records
 * can have the values of the counters @with_values. Returns the batch of precise records for which
 * the module is asked.
 */
static u32 batch_of_format(const struct bpmu_measure *settings, u32 format, u32 most,
			   u64 with_values, const struct bpmu_sched_slot *slot)
{
	static const u32 cpus[] = { 0 };
	struct bpmu_info info = {
		.tsc_khz = 1000000, .pmu = unit_pmu("dmr", 8), .batch = most,
	};
	struct bpmu_group group = { .sched.nr = 2 };
	const struct bpmu_groups groups = { .nr = 1, .group = &group, .pmu = &info.pmu };
	struct bpmu_measure m = *settings;
	struct bpmu_error err;

	info.pmu.pebs = with_values;
	info.pmu.pebs_format = format;
	memcpy(group.sched.slot, slot, 2 * sizeof(*slot));
	m.info = &info;
	m.cpus = cpus;
	m.nr_cpus = 1;
	m.groups[0] = &groups;
	m.interval_ns = 10000000;
	said[0] = '\0';
	refused = NULL;
	assert_int_equal(bpmu_live_configure(&m, &err), 0);
	return batch;
}

/* The same on a part with architectural PEBS. */
static u32 batch_of_part(const struct bpmu_measure *settings, u32 most, u64 with_values,
			 const struct bpmu_sched_slot *slot)
{
	return batch_of_format(settings, BPMU_PEBS_ARCHITECTURAL, most, with_values, slot);
}

/* The same on a part whose precise records can have the value of counter 1 alone. */
static u32 batch_for(const struct bpmu_measure *settings, u32 most,
		     const struct bpmu_sched_slot *slot)
{
	return batch_of_part(settings, most, 2, slot);
}

TEST(only_precise_records_without_chains_wait_for_each_other)
{
	const struct bpmu_measure plain = { }, chain = { .chain = 10 };
	const struct bpmu_measure branches = { .branches = true };
	const struct bpmu_sched_slot precise[] = { { .period = 1000, .precise = true }, { } };
	const struct bpmu_sched_slot mixed[] = {
		{ .period = 1000, .precise = true }, { .period = 1000 }
	};
	const struct bpmu_sched_slot frequent[] = { { .frequency = 1000, .precise = true }, { } };
	const struct bpmu_sched_slot silent[] = { { }, { } };

	assert_int_equal(batch_for(&plain, 64, precise), 64);
	assert_int_equal(batch_for(&plain, 16, precise), 16);
	assert_int_equal(batch_for(&plain, 1, precise), 0);
	assert_int_equal(batch_for(&chain, 64, precise), 0);
	assert_int_equal(batch_for(&branches, 64, precise), 0);
	assert_int_equal(batch_of_format(&branches, 4, 64, 2, precise), 0);
	assert_int_equal(batch_of_format(&branches, 5, 64, 2, precise), 64);
	assert_int_equal(batch_of_format(&branches, 5, 28, 2, precise), 0);
	assert_int_equal(batch_for(&plain, 64, mixed), 0);
	assert_int_equal(batch_for(&plain, 64, frequent), 0);
	assert_int_equal(batch_for(&plain, 64, silent), 0);
}

/*
 * An event that does not interrupt is known of the interrupts of another one if the CPU writes its
 * counter into each precise record, on either thread of a core. The slots come with PERF_METRICS.
 */
TEST(records_have_the_counts_of_events_that_do_not_interrupt)
{
	const struct bpmu_sched_slot beside[] = {
		{ .period = 1000, .precise = true }, { .counter = 1, .sibling = 1 }
	};
	const struct bpmu_sched_slot other[] = {
		{ .period = 1000, .precise = true }, { .counter = 1, .sibling = 2 }
	};
	const struct bpmu_sched_slot both[] = {
		{ .period = 1000, .precise = true },
		{ .counter = 1, .sibling = 1, .period = 1000, .precise = true }
	};
	const struct bpmu_sched_slot mixed[] = {
		{ .period = 1000, .precise = true, .counter = 1, .sibling = 1 },
		{ .period = 1000 }
	};
	const struct bpmu_sched_slot metrics[] = {
		{ .period = 1000, .precise = true },
		{ .counter = BPMU_METRICS_COUNTER, .sibling = BPMU_METRICS_COUNTER }
	};
	const struct bpmu_sched_slot slots[] = {
		{ .period = 1000, .precise = true },
		{ .counter = BPMU_FIXED_SLOTS, .sibling = BPMU_FIXED_SLOTS }
	};
	const struct bpmu_measure plain = { };

	assert_int_equal(batch_of_part(&plain, 64, 3, beside), 0);
	assert_true(counts);
	assert_int_equal(batch_of_format(&plain, 5 + 1, 64, 3, beside), 64);
	assert_false(counts);
	/* In a debug store records have counters that write none themselves. */
	assert_int_equal(batch_of_format(&plain, 6 + 1, 64, 1, beside), 0);
	assert_true(counts);
	assert_int_equal(batch_of_part(&plain, 1, 3, beside), 0);
	assert_false(counts);
	assert_int_equal(batch_of_part(&plain, 64, 1, beside), 64);
	assert_false(counts);
	assert_int_equal(batch_of_part(&plain, 64, 3, other), 64);
	assert_false(counts);
	assert_int_equal(batch_of_part(&plain, 64, 3, both), 64);
	assert_false(counts);
	assert_int_equal(batch_of_part(&plain, 64, 3, mixed), 0);
	assert_false(counts);
	batch_of_part(&plain, 64, 1, metrics);
	assert_true(counts);
	batch_of_part(&plain, 64, 1, slots);
	assert_false(counts);
}
