// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of libbarepmu: what a live handle asks of the module, which intervals and values a program
 * reads from it or from a recording, and what the program is told of a failed request. The test
 * fakes the module, which counts on CPUs 4 and 5. tests/user/library.sh tests handles of recordings
 * against the tool.
 */

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "api/barepmu.h"
#include "base/array.h"
#include "base/version.h"
#include "no_memory.h"
#include "recording/recording_write.h"
#include "source/live.h"
#include "source/series.h"
#include "source/target.h"
#include "unit.h"

#define FIRST 4
#define CPUS 2
#define INTERVAL_NS 10000000ULL
/* TSC ticks of an interval; the TSC of unit_target() has 1 GHz */
#define TICKS 10000000ULL

/* Timeout in ms for what has happened already, on a machine that may be busy. */
#define PATIENCE_MS 60000

/**
 * struct module - the faked module
 * @said: names of the requests so far, each followed by a blank
 * @refused: name of the request that is refused; NULL for none
 * @measure: parameters of the session
 * @listen: descriptor on which the module notifies
 * @time: period of the timer, as the handle has set it
 * @seq: number of the next sample of each CPU
 * @pending: [@nr_pending], end of each sample that the next request for samples gets, in tenths of
 *	intervals since the start
 * @nr_pending: number of @pending
 * @flags: flags of all samples
 * @stopped: the last of @pending ends the session
 * @skip: number of samples that CPU 5 has lost before its next one
 * @stuck: only the first group of events is ever on the counters
 */
static struct module {
	char said[200];
	const char *refused;
	struct bpmu_measure measure;
	int listen;
	struct itimerspec time;
	u64 seq[CPUS];
	unsigned int pending[8];
	unsigned int nr_pending;
	u32 flags;
	bool stopped;
	unsigned int skip;
	bool stuck;
} module;

static struct barepmu_error error;

static int request(const char *what, struct bpmu_error *err)
{
	assert_true(strlen(module.said) + strlen(what) + 1 < sizeof(module.said));
	strcat(module.said, what);
	strcat(module.said, " ");
	if (!module.refused || strcmp(what, module.refused))
		return 0;
	return bpmu_error_set(err, -EBUSY, "module: %s refused", what);
}

/* Checks the names of the requests since the last call of this function. */
static void asked(const char *names)
{
	assert_string_equal(module.said, names);
	module.said[0] = '\0';
}

int __wrap_bpmu_target_open(struct bpmu_target *target, const char *cpus, struct bpmu_error *err);
int __wrap_bpmu_live_configure(const struct bpmu_measure *m, struct bpmu_error *err);
int __wrap_bpmu_client_start(struct bpmu_client *client, struct bpmu_error *err);
int __wrap_bpmu_client_stop(struct bpmu_client *client, struct bpmu_error *err);
int __wrap_bpmu_client_release(struct bpmu_client *client, struct bpmu_error *err);
int __wrap_bpmu_client_read(struct bpmu_client *client, const struct bpmu_reader *reader,
			    struct bpmu_error *err);
int __wrap_bpmu_client_listen_fd(const struct bpmu_client *client);
int __wrap_bpmu_client_listen_drain(struct bpmu_client *client, struct bpmu_error *err);
void __wrap_bpmu_client_close(struct bpmu_client *client);
int __real_timerfd_settime(int fd, int flags, const struct itimerspec *time,
			   struct itimerspec *before);
int __wrap_timerfd_settime(int fd, int flags, const struct itimerspec *time,
			   struct itimerspec *before);

int __wrap_bpmu_target_open(struct bpmu_target *target, const char *cpus, struct bpmu_error *err)
{
	int code = request(cpus ?: "all", err);

	if (code)
		return code;
	unit_target(target, "ivb", FIRST);
	target->client = (struct bpmu_client *)&module;
	return 0;
}

void __wrap_bpmu_client_close(struct bpmu_client *client)
{
	assert_true(!client || client == (struct bpmu_client *)&module);
}

int __wrap_bpmu_live_configure(const struct bpmu_measure *m, struct bpmu_error *err)
{
	module.measure = *m;
	return request("configure", err);
}

int __wrap_bpmu_client_start(struct bpmu_client *client, struct bpmu_error *err)
{
	assert_ptr_equal(client, &module);
	return request("start", err);
}

int __wrap_bpmu_client_stop(struct bpmu_client *client, struct bpmu_error *err)
{
	assert_ptr_equal(client, &module);
	module.stopped = true;
	return request("stop", err);
}

int __wrap_bpmu_client_release(struct bpmu_client *client, struct bpmu_error *err)
{
	assert_ptr_equal(client, &module);
	return request("release", err);
}

int __wrap_bpmu_client_listen_fd(const struct bpmu_client *client)
{
	assert_ptr_equal(client, &module);
	return module.listen;
}

int __wrap_bpmu_client_listen_drain(struct bpmu_client *client, struct bpmu_error *err)
{
	assert_ptr_equal(client, &module);
	return request("drain", err);
}

/* The test's timer has expired when it is set, so that no test waits for the end of an interval. */
int __wrap_timerfd_settime(int fd, int flags, const struct itimerspec *time,
			   struct itimerspec *before)
{
	const struct itimerspec soon = { .it_value.tv_nsec = 1 };

	assert_int_equal(flags, 0);
	assert_null(before);
	module.time = *time;
	return __real_timerfd_settime(fd, flags, &soon, NULL);
}

/*
 * Returns how often an event occurs on CPU 4 in a tenth of an interval. CPU 5 has twice as many
 * events.
 */
static u64 rate(const char *event)
{
	return strstr(event, "inst") || strstr(event, "INST_RETIRED") ? 300 :
	       strstr(event, "CLK") || strstr(event, "cycles") ? 100 : 7;
}

/*
 * Passes on sample number @i of a read, of the CPU with index @pos. If the events are in two groups,
 * each is on the counters in turn, for half of the time.
 */
static void give(const struct bpmu_reader *reader, unsigned int pos, unsigned int i)
{
	unsigned int tenths = module.pending[i], groups = module.measure.groups[0]->nr;
	u32 group = tenths && module.stuck ? 0 : module.seq[pos] % groups;
	const struct bpmu_sched *sched = &module.measure.groups[0]->group[group].sched;
	u64 value[BPMU_MAX_COUNTERS];
	unsigned int ran = (tenths + groups - 1) / groups;
	struct bpmu_sample sample = {
		.seq = module.seq[pos]++, .cpu = FIRST + pos, .group = group, .nr = sched->nr,
		.flags = module.flags,
		.tsc_begin = TICKS + tenths * TICKS / 10, .tsc_end = TICKS + tenths * TICKS / 10,
		.enabled = tenths * TICKS / 10, .running = ran * TICKS / 10,
	};
	unsigned int k;

	if (!tenths)
		sample.flags |= BPMU_SAMPLE_START;
	else if (i + 1 == module.nr_pending && module.stopped)
		sample.flags |= BPMU_SAMPLE_STOP;
	else
		sample.flags |= BPMU_SAMPLE_TIMER;
	for (k = 0; k < sched->nr; k++)
		value[k] = 1000 * k + (1 + pos) * ran * rate(sched->slot[k].text);
	reader->samples(reader->data, &(struct bpmu_taken_sample){ &sample, value, NULL }, 1);
}

int __wrap_bpmu_client_read(struct bpmu_client *client, const struct bpmu_reader *reader,
			    struct bpmu_error *err)
{
	unsigned int pos, i;
	int code = request("read", err);

	assert_ptr_equal(client, &module);
	module.seq[1] += module.skip;
	module.skip = 0;
	for (pos = 0; pos < CPUS && !code; pos++)
		for (i = 0; i < module.nr_pending; i++)
			give(reader, pos, i);
	module.nr_pending = 0;
	return code;
}

/* The module has taken a sample of each CPU, @tenths tenths of an interval after the start. */
static void sampled(unsigned int tenths)
{
	assert_true(module.nr_pending < ARRAY_SIZE(module.pending));
	module.pending[module.nr_pending++] = tenths;
}

TEST_FIXTURE(load)
{
	module = (struct module){ .listen = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) };
	memset(&error, 0, sizeof(error));
	return module.listen < 0;
}

TEST_FIXTURE(unload)
{
	return close(module.listen);
}

static struct barepmu *opened(void)
{
	struct barepmu *b;

	assert_int_equal(barepmu_open(&b, "4,5", &error), 0);
	assert_non_null(b);
	asked("4,5 ");
	return b;
}

/* Opens and starts a handle that counts instructions. */
static struct barepmu *started(void)
{
	struct barepmu *b = opened();

	assert_int_equal(barepmu_add_event(b, "instructions", &error), 0);
	assert_int_equal(barepmu_start(b, INTERVAL_NS, &error), 0);
	asked("configure start ");
	return b;
}

/* Checks that a call has returned @code and an error that says @text. */
static void refuses(int code, int wanted, const char *text)
{
	assert_int_equal(code, wanted);
	assert_string_equal(error.text, text);
	memset(&error, 0, sizeof(error));
}

/* Checks that an event or a metric has an exact value without flags. */
static void is(const struct barepmu_value *value, double wanted)
{
	assert_true(value->known);
	assert_true(value->value == wanted);
	assert_true(value->half_width == 0);
	assert_true(value->running == 1);
	assert_int_equal(value->flags, 0);
}

TEST(the_version_is_that_of_the_tool)
{
	assert_string_equal(barepmu_version(), BPMU_VERSION);
}

TEST_BETWEEN(a_handle_knows_its_cpus_and_their_model, load, unload)
{
	struct barepmu *b = opened();
	const uint32_t *cpus;

	/* A call that succeeds leaves the error of an earlier one. */
	strcpy(error.text, "earlier");
	assert_int_equal(barepmu_add_event(b, "instructions", &error), 0);
	assert_int_equal(barepmu_stop(b, &error), 0);
	assert_string_equal(error.text, "earlier");
	assert_string_equal(barepmu_part(b), "ivb");
	assert_int_equal(barepmu_cpus(b, NULL), CPUS);
	assert_int_equal(barepmu_cpus(b, &cpus), CPUS);
	assert_int_equal(cpus[0], 4);
	assert_int_equal(cpus[1], 5);
	assert_int_equal(barepmu_fd(b), -1);
	barepmu_close(b);
	asked("");
	barepmu_close(NULL);
}

TEST_BETWEEN(a_target_that_cannot_be_opened_has_no_handle, load, unload)
{
	struct barepmu *b = (struct barepmu *)&module;

	module.refused = "all";
	refuses(barepmu_open(&b, NULL, &error), -EBUSY, "module: all refused");
	assert_null(b);
	b = (struct barepmu *)&module;
	assert_int_equal(barepmu_open(&b, NULL, NULL), -EBUSY);
	assert_null(b);
}

/* Events and metrics have numbers of their own, in the order in which they were added. */
TEST_BETWEEN(events_and_metrics_are_numbered, load, unload)
{
	struct barepmu *b = opened();

	assert_int_equal(barepmu_add_event(b, "instructions", &error), 0);
	assert_int_equal(barepmu_add_metric(b, "IPC", &error), 0);
	assert_int_equal(barepmu_add_event(b, "cycles", &error), 1);
	refuses(barepmu_add_event(b, "cycles,branches", &error), -EINVAL,
		"cycles,branches: several events; add them one by one");
	assert_int_equal(barepmu_add_event(b, "no_event", &error), -ENOENT);
	memset(&error, 0, sizeof(error));
	refuses(barepmu_add_metric(b, "IPC,Retiring", &error), -EINVAL,
		"IPC,Retiring: several metrics; name one");
	assert_true(barepmu_add_metric(b, "no_metric", NULL) < 0);
	assert_int_equal(barepmu_add_metric(b, "retiring", &error), 1);
	assert_int_equal(barepmu_add_event(b, "branches", &error), 2);
	assert_string_equal(error.text, "");
	barepmu_close(b);
}

/* Checks the parameters of a session with intervals of @ns. */
static void session_has(u64 ns, u32 timer)
{
	const struct bpmu_measure *m = &module.measure;

	assert_ptr_equal(m->client, &module);
	assert_string_equal(m->info->part, "ivb");
	assert_int_equal(m->nr_cpus, CPUS);
	assert_int_equal(m->cpus[1], FIRST + 1);
	assert_int_equal(m->interval_ns, ns);
	assert_int_equal(m->period_ns, ns);
	assert_int_equal(m->timer, timer);
	assert_int_equal(m->merge, ns > 0);
	assert_non_null(m->groups[0]);
	assert_null(m->groups[1]);
}

TEST_BETWEEN(a_session_has_the_intervals_of_the_program, load, unload)
{
	struct barepmu *b = opened();

	assert_int_equal(barepmu_add_event(b, "instructions", &error), 0);
	assert_int_equal(barepmu_start(b, 12345678901, &error), 0);
	asked("configure start ");
	session_has(12345678901, BPMU_TIMER_HARD);
	/* The timer expires 2 ms after the end of each interval. */
	assert_int_equal(module.time.it_interval.tv_sec, 12);
	assert_int_equal(module.time.it_interval.tv_nsec, 345678901);
	assert_int_equal(module.time.it_value.tv_sec, 12);
	assert_int_equal(module.time.it_value.tv_nsec, 347678901);
	barepmu_close(b);
	asked("release ");
	b = opened();
	assert_int_equal(barepmu_add_event(b, "instructions", &error), 0);
	assert_int_equal(barepmu_start(b, 999000000, &error), 0);
	asked("configure start ");
	assert_int_equal(module.time.it_value.tv_sec, 1);
	assert_int_equal(module.time.it_value.tv_nsec, 1000000);
	barepmu_close(b);
	asked("release ");
}

/* Without intervals there is no timer: only a notification of the module wakes the program. */
TEST_BETWEEN(a_session_without_intervals_has_one, load, unload)
{
	struct barepmu *b = opened();
	struct barepmu_interval interval;
	struct barepmu_value value;
	struct pollfd fd;

	assert_int_equal(barepmu_add_event(b, "instructions", &error), 0);
	assert_int_equal(barepmu_start(b, 0, &error), 0);
	asked("configure start ");
	session_has(0, BPMU_TIMER_AUTO);
	assert_int_equal(module.time.it_value.tv_nsec, 0);
	fd = (struct pollfd){ .fd = barepmu_fd(b), .events = POLLIN };
	assert_int_equal(poll(&fd, 1, 0), 0);
	assert_int_equal(eventfd_write(module.listen, 1), 0);
	assert_int_equal(poll(&fd, 1, PATIENCE_MS), 1);
	sampled(0);
	assert_int_equal(barepmu_read(b, &interval, &error), 0);
	asked("drain read ");
	sampled(25);
	assert_int_equal(barepmu_stop(b, &error), 0);
	asked("stop read release ");
	assert_int_equal(barepmu_read(b, &interval, &error), 1);
	assert_true(interval.last);
	assert_float_equal(interval.seconds, 0.025, 0.000001);
	assert_int_equal(barepmu_event(b, 0, 5, &value), 0);
	is(&value, 25 * 600);
	barepmu_close(b);
	asked("");
}

TEST_BETWEEN(the_timer_wakes_the_program_until_it_reads, load, unload)
{
	struct barepmu *b = started();
	struct pollfd fd = { .fd = barepmu_fd(b), .events = POLLIN };
	struct barepmu_interval interval;

	assert_true(fd.fd >= 0);
	assert_int_equal(poll(&fd, 1, PATIENCE_MS), 1);
	assert_int_equal(barepmu_read(b, &interval, &error), 0);
	assert_int_equal(poll(&fd, 1, 0), 0);
	/* A read while the timer has not expired is no error. */
	assert_int_equal(barepmu_read(b, &interval, &error), 0);
	asked("drain read drain read ");
	assert_int_equal(eventfd_write(module.listen, 1), 0);
	assert_int_equal(poll(&fd, 1, PATIENCE_MS), 1);
	barepmu_close(b);
	asked("release ");
	assert_int_equal(fcntl(fd.fd, F_GETFD), -1);
}

/*
 * The metrics are those of all CPUs: three instructions per cycle, and 7 micro-operations
 * in 100 cycles of 4 each. One of the events is needed by both metrics, another one by none.
 */
TEST_BETWEEN(each_interval_has_counts_and_metrics, load, unload)
{
	static const unsigned int per_tenth[] = { 300, 7, 100 };
	struct barepmu *b = opened();
	struct barepmu_interval interval;
	struct barepmu_value value;
	unsigned int i, k;

	assert_int_equal(barepmu_add_event(b, "instructions", &error), 0);
	assert_int_equal(barepmu_add_event(b, "branches", &error), 1);
	assert_int_equal(barepmu_add_event(b, "cycles", &error), 2);
	assert_int_equal(barepmu_add_metric(b, "IPC", &error), 0);
	assert_int_equal(barepmu_add_metric(b, "Retiring", &error), 1);
	assert_int_equal(barepmu_event(b, 0, 4, &value), -EINVAL);
	assert_int_equal(barepmu_metric(b, 0, &value), -EINVAL);
	assert_int_equal(barepmu_start(b, INTERVAL_NS, &error), 0);
	asked("configure start ");
	session_has(INTERVAL_NS, BPMU_TIMER_HARD);
	for (k = 0; k < 3; k++) {
		if (!k)
			sampled(0);
		sampled(10 * (k + 1));
		module.skip = k == 1 ? 3 : 0;
		assert_int_equal(barepmu_read(b, &interval, &error), 1);
		asked("drain read ");
		assert_int_equal(interval.index, k);
		assert_float_equal(interval.seconds, (k + 1) / 100.0, 0.000001);
		assert_float_equal(interval.duration, 0.01, 0.000001);
		assert_int_equal(interval.lost, k == 1 ? 3 : 0);
		assert_int_equal(interval.flags, 0);
		assert_false(interval.last);
		for (i = 0; i < 3; i++) {
			assert_int_equal(barepmu_event(b, i, 4, &value), 0);
			is(&value, 10 * per_tenth[i]);
			assert_int_equal(barepmu_event(b, i, 5, &value), 0);
			is(&value, 20 * per_tenth[i]);
			assert_int_equal(barepmu_event(b, i, BAREPMU_ALL_CPUS, &value), 0);
			is(&value, 30 * per_tenth[i]);
		}
		assert_int_equal(barepmu_metric(b, 0, &value), 0);
		is(&value, 3);
		assert_int_equal(barepmu_metric(b, 1, &value), 0);
		is(&value, 7 / 400.0);
	}
	assert_int_equal(barepmu_event(b, 3, 4, &value), -EINVAL);
	assert_int_equal(barepmu_event(b, 0, 3, &value), -EINVAL);
	assert_int_equal(barepmu_event(b, 0, 6, &value), -EINVAL);
	assert_int_equal(barepmu_metric(b, 2, &value), -EINVAL);
	assert_int_equal(barepmu_read(b, &interval, &error), 0);
	/* What was read last stays readable, as long as there is no other interval. */
	assert_int_equal(barepmu_event(b, 0, 4, &value), 0);
	is(&value, 3000);
	barepmu_close(b);
}

/*
 * Eight events and another one on eight counters need two groups, of which each ran for half of the
 * interval: three slices are too few for an uncertainty. Instructions have a counter of their own
 * in both groups, so their count is exact.
 */
TEST_BETWEEN(multiplexed_counts_are_scaled, load, unload)
{
	static const char *const events[] = {
		"r01c4", "r02c4", "r04c4", "r08c4", "r10c4", "r20c4", "r40c4", "r80c4", "r03c4",
		"instructions"
	};
	struct barepmu *b = opened();
	struct barepmu_interval interval;
	struct barepmu_value value;
	unsigned int i;
	int cpu;

	for (i = 0; i < ARRAY_SIZE(events); i++)
		assert_int_equal(barepmu_add_event(b, events[i], &error), i);
	assert_int_equal(barepmu_start(b, 0, &error), 0);
	assert_int_equal(module.measure.groups[0]->nr, 2);
	assert_int_equal(module.measure.interval_ns, 0);
	assert_true(module.measure.period_ns);
	sampled(0);
	sampled(0);
	for (i = 1; i <= 6; i++)
		sampled(i);
	assert_int_equal(barepmu_stop(b, &error), 0);
	assert_int_equal(barepmu_read(b, &interval, &error), 1);
	for (cpu = BAREPMU_ALL_CPUS; cpu <= 5; cpu += cpu < 0 ? 5 : 1) {
		const unsigned int share = cpu < 0 ? 3 : cpu - 3;

		for (i = 0; i < 9; i++) {
			assert_int_equal(barepmu_event(b, i, cpu, &value), 0);
			assert_true(value.known);
			assert_true(value.value == share * 6 * 7);
			assert_true(value.running == 0.5);
			assert_true(isinf(value.half_width));
		}
		assert_int_equal(barepmu_event(b, i, cpu, &value), 0);
		is(&value, share * 6 * 300);
	}
	barepmu_close(b);
}

/* Events of a group that was never on the counters have no value. */
TEST_BETWEEN(counts_that_are_not_known_are_missing, load, unload)
{
	static const char *const events[] = {
		"r01c4", "r02c4", "r04c4", "r08c4", "r10c4", "r20c4", "r40c4", "r80c4", "r03c4"
	};
	struct barepmu *b = opened();
	struct barepmu_interval interval;
	struct barepmu_value value;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(events); i++)
		assert_int_equal(barepmu_add_event(b, events[i], &error), i);
	assert_int_equal(barepmu_start(b, 0, &error), 0);
	module.stuck = true;
	sampled(0);
	sampled(0);
	sampled(2);
	sampled(4);
	assert_int_equal(barepmu_stop(b, &error), 0);
	assert_int_equal(barepmu_read(b, &interval, &error), 1);
	assert_int_equal(barepmu_event(b, 0, 4, &value), 0);
	assert_true(value.known);
	assert_true(value.value == 4 * 7);
	assert_true(value.running == 0.5);
	assert_int_equal(value.flags, 0);
	assert_int_equal(barepmu_event(b, 8, 4, &value), 0);
	assert_false(value.known);
	assert_true(value.running == 0);
	assert_int_equal(value.flags, BAREPMU_MISSING);
	barepmu_close(b);
}

/* A flaw of the samples is one of the interval, and of each of its values. */
TEST_BETWEEN(flaws_flag_the_interval_and_all_values, load, unload)
{
	struct barepmu *b = opened();
	struct barepmu_interval interval;
	struct barepmu_value value;

	assert_int_equal(barepmu_add_event(b, "instructions", &error), 0);
	assert_int_equal(barepmu_add_metric(b, "IPC", &error), 0);
	assert_int_equal(barepmu_start(b, INTERVAL_NS, &error), 0);
	sampled(0);
	assert_int_equal(barepmu_read(b, &interval, &error), 0);
	sampled(10);
	module.flags = BPMU_SAMPLE_DISTURBED;
	assert_int_equal(barepmu_read(b, &interval, &error), 1);
	assert_int_equal(interval.flags, BAREPMU_DISTURBED);
	assert_int_equal(barepmu_event(b, 0, 4, &value), 0);
	assert_int_equal(value.flags, BAREPMU_DISTURBED);
	assert_int_equal(barepmu_event(b, 0, BAREPMU_ALL_CPUS, &value), 0);
	assert_int_equal(value.flags, BAREPMU_DISTURBED);
	assert_int_equal(barepmu_metric(b, 0, &value), 0);
	assert_true(value.flags & BAREPMU_DISTURBED);
	barepmu_close(b);
}

/*
 * Samples of three intervals come at once. A read queues one interval, a stop all that are left.
 * Then no session is running, and reads ask nothing of the module.
 */
TEST_BETWEEN(intervals_wait_in_their_order, load, unload)
{
	struct barepmu *b = started();
	struct barepmu_interval interval;
	struct barepmu_value value;
	unsigned int k;

	sampled(0);
	sampled(10);
	sampled(20);
	sampled(30);
	assert_int_equal(barepmu_read(b, &interval, &error), 1);
	asked("drain read ");
	assert_int_equal(interval.index, 0);
	sampled(45);
	assert_int_equal(barepmu_stop(b, &error), 0);
	asked("stop read release ");
	for (k = 1; k < 4; k++) {
		assert_int_equal(barepmu_read(b, &interval, &error), 1);
		assert_int_equal(interval.index, k);
		assert_int_equal(interval.last, k == 3);
		assert_int_equal(barepmu_event(b, 0, 4, &value), 0);
		is(&value, 300 * (k == 3 ? 15 : 10));
	}
	assert_int_equal(barepmu_read(b, &interval, &error), 0);
	assert_int_equal(barepmu_stop(b, &error), 0);
	barepmu_close(b);
	asked("");
}

/* A handle that is closed with intervals in its queue frees them. */
TEST_BETWEEN(a_closed_handle_frees_what_was_not_read, load, unload)
{
	struct barepmu *b = started();

	sampled(0);
	sampled(10);
	sampled(25);
	assert_int_equal(barepmu_stop(b, &error), 0);
	barepmu_close(b);
	asked("stop read release ");
}

/*
 * A refused request is told, and a session is released if the module was asked for one. The handle
 * can then only be closed.
 */
TEST_BETWEEN(a_refused_request_is_told, load, unload)
{
	struct barepmu_interval interval;
	struct barepmu *b = opened();

	assert_int_equal(barepmu_add_event(b, "instructions", &error), 0);
	module.refused = "configure";
	refuses(barepmu_start(b, INTERVAL_NS, &error), -EBUSY, "module: configure refused");
	asked("configure ");
	refuses(barepmu_read(b, &interval, &error), -EINVAL,
		"libbarepmu: nothing is counted; call barepmu_start() before barepmu_read()");
	barepmu_close(b);
	asked("");
	b = opened();
	assert_int_equal(barepmu_add_event(b, "instructions", &error), 0);
	module.refused = "start";
	refuses(barepmu_start(b, INTERVAL_NS, &error), -EBUSY, "module: start refused");
	asked("configure start release ");
	refuses(barepmu_start(b, INTERVAL_NS, &error), -EALREADY,
		"libbarepmu: barepmu_start() was called before; open another handle");
	barepmu_close(b);
	asked("");
}

TEST_BETWEEN(a_refused_read_or_stop_is_told, load, unload)
{
	struct barepmu_interval interval;
	struct barepmu *b = started();

	module.refused = "drain";
	refuses(barepmu_read(b, &interval, &error), -EBUSY, "module: drain refused");
	asked("drain ");
	module.refused = "read";
	refuses(barepmu_read(b, &interval, &error), -EBUSY, "module: read refused");
	asked("drain read ");
	refuses(barepmu_stop(b, &error), -EBUSY, "module: read refused");
	asked("stop read release ");
	barepmu_close(b);
	asked("");
	module.refused = NULL;
	module.stopped = false;
	b = started();
	module.refused = "stop";
	refuses(barepmu_stop(b, &error), -EBUSY, "module: stop refused");
	asked("stop release ");
	assert_int_equal(barepmu_stop(b, &error), 0);
	asked("");
	barepmu_close(b);
}

/* Without a descriptor to listen on there is nothing to wait for. */
TEST_BETWEEN(a_session_that_cannot_be_waited_for_is_refused, load, unload)
{
	struct barepmu *b = opened();

	assert_int_equal(barepmu_add_event(b, "instructions", &error), 0);
	close(module.listen);
	module.listen = -1;
	refuses(barepmu_start(b, INTERVAL_NS, &error), -EBADF, "epoll: Bad file descriptor");
	asked("configure start release ");
	barepmu_close(b);
	asked("");
	module.listen = eventfd(0, EFD_CLOEXEC);
}

/* Writes a recording of two intervals of instructions and cycles on CPUs 4 and 5. */
static void write_recording(const char *path)
{
	static struct bpmu_topology topology[] = { { 0, 0 }, { 0, 1 } };
	struct record {
		struct bpmu_sample head;
		u64 value[2];
	} record[3] = { };
	const struct bpmu_groups_wish wish = { };
	struct bpmu_target target = { };
	struct bpmu_event_list list = { };
	struct bpmu_recording_about about = {
		.topology = topology, .machine_topology = topology, .machine_cpus = CPUS,
		.interval_ns = INTERVAL_NS, .period_ns = INTERVAL_NS,
	};
	struct bpmu_recording recording;
	struct bpmu_error err;
	unsigned int pos, i, k;

	unit_target(&target, "ivb", FIRST);
	about.info = target.info;
	about.cpus = target.cpus;
	assert_int_equal(bpmu_event_list_parse(&about.info.pmu, 0, "instructions,cycles", &list,
					       &err), 0);
	assert_int_equal(bpmu_groups_make(&about.groups, &about.info.pmu, &list, &wish, &err), 0);
	assert_int_equal(bpmu_recording_create(&recording, path, &err), 0);
	assert_int_equal(bpmu_recording_describe(&recording, &about, sizeof(*record), &err), 0);
	for (pos = 0; pos < CPUS; pos++) {
		for (i = 0; i < ARRAY_SIZE(record); i++) {
			record[i].head = (struct bpmu_sample){
				.cpu = FIRST + pos, .seq = i, .nr = 2,
				.flags = !i ? BPMU_SAMPLE_START :
					 i == 2 ? BPMU_SAMPLE_STOP : BPMU_SAMPLE_TIMER,
				.tsc_begin = (1 + i) * TICKS, .tsc_end = (1 + i) * TICKS,
				.enabled = i * TICKS, .running = i * TICKS,
			};
			for (k = 0; k < 2; k++)
				record[i].value[k] = (1 + pos) * i * i *
					rate(about.groups.group[0].sched.slot[k].text);
		}
		bpmu_recording_add(&recording, record, sizeof(record));
	}
	bpmu_recording_round(&recording);
	assert_int_equal(bpmu_recording_close(&recording, &err), 0);
	bpmu_groups_free(&about.groups);
	bpmu_event_list_free(&list);
	bpmu_cpulist_free(&target.cpus);
	free(target.cpus_text);
}

/* A handle of a recording reads all CPUs or some of them, and asks nothing of the module. */
TEST_BETWEEN(a_recording_is_read_interval_by_interval, load, unload)
{
	char path[] = "/tmp/barepmu-test-library-XXXXXX", text[100];
	struct barepmu_interval interval;
	struct barepmu_value value;
	struct barepmu *b;
	int k;

	unit_file(path, "");
	write_recording(path);
	assert_int_equal(barepmu_open_recording(&b, path, NULL, &error), 0);
	assert_string_equal(barepmu_part(b), "ivb");
	assert_int_equal(barepmu_cpus(b, NULL), 2);
	assert_int_equal(barepmu_add_event(b, "instructions", &error), 0);
	assert_int_equal(barepmu_start(b, INTERVAL_NS, &error), 0);
	assert_int_equal(barepmu_fd(b), -1);
	for (k = 0; k < 2; k++) {
		assert_int_equal(barepmu_read(b, &interval, &error), 1);
		assert_int_equal(interval.index, k);
		assert_int_equal(interval.last, k);
		assert_int_equal(barepmu_event(b, 0, 5, &value), 0);
		is(&value, k ? 1800 : 600);
	}
	assert_int_equal(barepmu_read(b, &interval, &error), 0);
	assert_int_equal(barepmu_stop(b, &error), 0);
	barepmu_close(b);
	assert_int_equal(barepmu_open_recording(&b, path, "5", &error), 0);
	assert_int_equal(barepmu_cpus(b, NULL), 1);
	assert_int_equal(barepmu_add_event(b, "instructions", &error), 0);
	assert_int_equal(barepmu_start(b, INTERVAL_NS / 10, &error), -EINVAL);
	barepmu_close(b);
	assert_int_equal(barepmu_open_recording(&b, path, "5", &error), 0);
	assert_int_equal(barepmu_add_event(b, "branches", &error), 0);
	assert_int_equal(barepmu_start(b, 0, &error), -ENODATA);
	barepmu_close(b);
	assert_true(barepmu_open_recording(&b, path, "3", &error) < 0);
	snprintf(text, sizeof(text), "CPU 3: is not in %s; choose from 4-5", path);
	assert_string_equal(error.text, text);
	assert_null(b);
	unlink(path);
	assert_int_equal(barepmu_open_recording(&b, path, NULL, &error), -ENOENT);
	assert_null(b);
	snprintf(text, sizeof(text), "%s: ", path);
	assert_memory_equal(error.text, text, strlen(text));
	asked("");
}

/* Reads the first interval of the recording @path with an event and a metric. */
static int read_recorded(void *path, struct bpmu_error *err)
{
	struct barepmu_interval interval;
	struct barepmu_value value;
	struct barepmu *b = NULL;
	int code;

	no_memory_begin();
	code = barepmu_open_recording(&b, path, NULL, &error);
	if (!code)
		code = barepmu_add_event(b, "instructions", &error);
	if (!code)
		code = barepmu_add_metric(b, "IPC", &error);
	if (!code)
		code = barepmu_start(b, 0, &error);
	if (!code)
		code = barepmu_read(b, &interval, &error);
	no_memory_end();
	if (code >= 0) {
		assert_int_equal(code, 1);
		assert_int_equal(barepmu_event(b, 0, 5, &value), 0);
		is(&value, 2400);
		assert_int_equal(barepmu_metric(b, 0, &value), 0);
		is(&value, 3);
	}
	barepmu_close(b);
	snprintf(err->text, sizeof(err->text), "%s", error.text);
	return code < 0 ? code : 0;
}

/* Evaluates a metric from two counts. */
static int evaluate(void *data, struct bpmu_error *err)
{
	static const struct barepmu_count counts[] = { { "cycles", 100 }, { "instructions", 200 } };
	struct barepmu_value value;
	int code;

	(void)data;
	no_memory_begin();
	code = barepmu_evaluate("ivb", "IPC", counts, 2, &value, &error);
	no_memory_end();
	if (!code)
		is(&value, 2);
	snprintf(err->text, sizeof(err->text), "%s", error.text);
	return code;
}

TEST(what_needs_more_memory_is_refused)
{
	char path[] = "/tmp/barepmu-test-library-XXXXXX";

	unit_file(path, "");
	write_recording(path);
	assert_true(no_memory_each(read_recorded, path) > 50);
	unlink(path);
	assert_true(no_memory_each(evaluate, NULL) > 20);
}

/**
 * struct given - counts from which a metric is evaluated, and what is the result
 * @metric: name of the metric
 * @count: the counts, up to the first without an event
 * @value: the metric's value; NAN if it has none
 * @half_width: half-width of the value
 * @flags: flags of the value
 */
struct given {
	const char *metric;
	struct barepmu_count count[4];
	double value;
	double half_width;
	unsigned int flags;
};

/*
 * The lower and the upper end of 200 instructions in 100 cycles are 1.9 and 2.1 instructions in a
 * cycle if the instructions are uncertain by 10, and 2.5 and 5 / 3 if the cycles are by 20. An event
 * may have several names, and events that the metric does not need change nothing.
 */
TEST(a_metric_is_evaluated_from_given_counts)
{
	static const struct given all[] = {
		{ "IPC", { { "instructions", 200 }, { "cycles", 100 } }, 2, 0, 0 },
		{ "ipc", { { "INST_RETIRED.ANY", 200 }, { "CPU_CLK_UNHALTED.THREAD", 100 } }, 2, 0, 0 },
		{ "IPC", { { "INSTRUCTIONS", 200, 10 }, { "cycles", 100 }, { "branches", 7, 7 } },
		  2, 0.1, 0 },
		{ "IPC", { { "cycles", 100, 20 }, { "instructions", 200 } }, 2, (2.5 - 5 / 3.0) / 2, 0 },
		{ "IPC", { { "cycles", 100, 100 }, { "instructions", 200 } }, 2, INFINITY, 0 },
		{ "IPC", { { "cycles", 100, -1 }, { "instructions", 200, NAN } }, 2, 0, 0 },
		{ "IPC", { { "cycles", 0 }, { "instructions", 200 } }, NAN, 0, BAREPMU_DIVIDED_BY_0 },
		{ "IPC", { { "cycles", 100 } }, NAN, 0, BAREPMU_MISSING },
		{ "GHz", { { "cycles", 300 }, { "ref_cycles", 100 }, { "TSC_HZ", 2e9, 1e9 } }, 6, 0, 0 },
	};
	struct barepmu_value value;
	unsigned int i, nr;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		for (nr = 0; nr < 4 && all[i].count[nr].event; nr++)
			;
		assert_int_equal(barepmu_evaluate("ivb", all[i].metric, all[i].count, nr, &value,
						  &error), 0);
		assert_int_equal(value.known, !isnan(all[i].value));
		assert_int_equal(value.flags, all[i].flags);
		assert_true(value.running == 1);
		if (!value.known)
			continue;
		assert_true(value.value == all[i].value);
		if (isinf(all[i].half_width))
			assert_true(isinf(value.half_width));
		else
			assert_float_equal(value.half_width, all[i].half_width, 0.000001);
	}
}

TEST(what_cannot_be_evaluated_is_told)
{
	static const struct barepmu_count twice[] = {
		{ "cycles", 1 }, { "instructions", 2 }, { "INST_RETIRED.ANY", 2 }
	};
	static const struct barepmu_count unknown[] = { { "cycles", 1 }, { "no_event", 2 } };
	struct barepmu_value value;

	memset(&error, 0, sizeof(error));
	refuses(barepmu_evaluate("ivb", "IPC", twice, 3, &value, &error), -EINVAL,
		"INST_RETIRED.ANY: counts the same as instructions; leave one of them out");
	assert_int_equal(barepmu_evaluate("ivb", "IPC", unknown, 2, &value, &error), -ENOENT);
	assert_non_null(strstr(error.text, "no_event"));
	assert_int_equal(barepmu_evaluate("IPC", "ivb", twice, 2, &value, &error), -ENOENT);
	assert_non_null(strstr(error.text, "IPC"));
	refuses(barepmu_evaluate("ivb", "IPC,GHz", twice, 2, &value, &error), -EINVAL,
		"IPC,GHz: several metrics; name one");
	assert_true(barepmu_evaluate("ivb", "no_metric", twice, 2, &value, NULL) < 0);
}
