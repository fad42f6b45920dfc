// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of attaching to the session of another process. The tool finds the session's events by
 * name. However the session ends, the tool's counts are exactly those of the session. The test
 * answers netlink requests in place of the module.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/genetlink.h>

#include "client/nl.h"
#include "no_memory.h"
#include "source/attach.h"
#include "unit.h"

#define KHZ 1000000
/* TSC ticks between two samples: 10 ms of a TSC of 1 GHz. */
#define STEP 10000000ULL
#define PERIOD_NS 10000000ULL
#define VALUES 8
#define CPUS 2
#define EACH 100

#define INSTRUCTIONS BPMU_COUNTER_FIXED
#define BOTH 0x30000ULL

/**
 * struct on - an event on a counter of the other process's session
 * @counter: number of the counter
 * @select: value of its event select
 * @filter: value of the filter register of the uncore box that has the counter; 0 if there is none
 */
struct on {
	u32 counter;
	u64 select;
	u64 filter;
};

static const struct on plain[] = { { INSTRUCTIONS, BOTH }, { 0, BOTH | 0x1c2 } };
static const struct on moved[] = { { 2, BOTH | 0x1c2 }, { INSTRUCTIONS, BOTH } };
static const struct on other[] = { { 0, BOTH | 0x00c4 } };

/**
 * struct module - state that the test reports in place of the module
 * @part: name of the machine's CPU model
 * @code: error code of all answers; 0 if they succeed
 * @run: number of the session's run; each start of counting is a new run
 * @plan: number of the plan (which events are on which counters). The number changes when the
 *	session's owner swaps groups of events during a run
 * @state: state of the session
 * @interval_ns: interval of samples
 * @on: events that the session counts, and their counters, [@nr]
 * @nr: number of events
 * @hybrid: the session also counts on CPUs of another core type
 * @type: type of the netlink attribute that holds the session's group of events; 0 for BPMU_A_GROUP
 * @reads: how often samples were read
 * @step: called at each read of samples; may change the session
 * @changed: called when the tool starts or stops counting
 * @seq: sequence number of the latest sample
 * @steady: the session is not started again, so that reads continue where the one before ended
 */
static struct module {
	const char *part;
	int code;
	u32 run;
	u32 plan;
	u32 state;
	u64 interval_ns;
	const struct on *on;
	unsigned int nr;
	bool hybrid;
	u16 type;
	unsigned int reads;
	void (*step)(void);
	void (*changed)(bool counts);
	u64 seq;
	bool steady;
} module;

static const u32 cpus[CPUS] = { 0, 1 };
static char reply_buffer[65536];

static struct nlmsghdr *message(void)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(reply_buffer);

	mnl_nlmsg_put_extra_header(nlh, sizeof(struct genlmsghdr));
	return nlh;
}

static void put_box(struct nlmsghdr *nlh, u32 unit, u32 nr)
{
	const struct bpmu_box *box = bpmu_uncore_box(bpmu_part_by_name(module.part), unit);
	struct nlattr *nest;

	if (!box)
		return;
	nest = mnl_attr_nest_start(nlh, BPMU_A_INFO_BOX);
	mnl_attr_put_u32(nlh, BPMU_A_BOX_UNIT, unit);
	mnl_attr_put_u32(nlh, BPMU_A_BOX_NR, nr);
	mnl_attr_put_u32(nlh, BPMU_A_BOX_COUNTERS, box->counters);
	mnl_attr_nest_end(nlh, nest);
}

static struct nlmsghdr *info(void)
{
	struct nlmsghdr *nlh = message();

	mnl_attr_put_strz(nlh, BPMU_A_INFO_PART, module.part);
	mnl_attr_put_u32(nlh, BPMU_A_INFO_METRICS,
			 bpmu_part_by_name(module.part)->metrics);
	mnl_attr_put_u32(nlh, BPMU_A_INFO_TSC_KHZ, KHZ);
	mnl_attr_put_u32(nlh, BPMU_A_INFO_PMU_VERSION, 3);
	mnl_attr_put_u32(nlh, BPMU_A_INFO_GP_COUNTERS, 4);
	mnl_attr_put_u32(nlh, BPMU_A_INFO_GP_WIDTH, 48);
	mnl_attr_put_u32(nlh, BPMU_A_INFO_FIXED_COUNTERS, 4);
	mnl_attr_put_u32(nlh, BPMU_A_INFO_FIXED_WIDTH, 48);
	mnl_attr_put_u64(nlh, BPMU_A_INFO_SELECT_MASK,
			 bpmu_part_by_name(module.part)->legal);
	put_box(nlh, BPMU_UNIT_CBO, 2);
	put_box(nlh, BPMU_UNIT_CHA, 2);
	put_box(nlh, BPMU_UNIT_PCU, 1);
	put_box(nlh, BPMU_UNIT_UBOX, 1);
	return nlh;
}

static void put_group(struct nlmsghdr *nlh, u16 type)
{
	struct nlattr *group, *event;
	unsigned int i;

	group = mnl_attr_nest_start(nlh, type);
	for (i = 0; i < module.nr; i++) {
		event = mnl_attr_nest_start(nlh, BPMU_A_GROUP_EVENT);
		mnl_attr_put_u32(nlh, BPMU_A_EVENT_COUNTER,
				 module.on[i].counter);
		mnl_attr_put_u64(nlh, BPMU_A_EVENT_SELECT, module.on[i].select);
		if (module.on[i].filter)
			mnl_attr_put_u64(nlh, BPMU_A_EVENT_FILTER,
					 module.on[i].filter);
		mnl_attr_nest_end(nlh, event);
	}
	mnl_attr_nest_end(nlh, group);
}

static struct nlmsghdr *plan(void)
{
	struct nlmsghdr *nlh = message();

	mnl_attr_put(nlh, BPMU_A_CPUS, sizeof(cpus), cpus);
	put_group(nlh, module.type ?: BPMU_A_GROUP);
	if (module.hybrid)
		put_group(nlh, BPMU_A_OTHER_GROUP);
	if (module.interval_ns)
		mnl_attr_put_u64(nlh, BPMU_A_INTERVAL_NS, module.interval_ns);
	mnl_attr_put_u32(nlh, BPMU_A_RECORD_SIZE,
			 sizeof(struct bpmu_sample) + VALUES * sizeof(u64));
	mnl_attr_put_u32(nlh, BPMU_A_TIMER, BPMU_TIMER_HARD);
	mnl_attr_put_u32(nlh, BPMU_A_RUN, module.run);
	mnl_attr_put_u32(nlh, BPMU_A_PLAN, module.plan);
	mnl_attr_put_u32(nlh, BPMU_A_INFO_STATE, module.state);
	mnl_attr_put_u32(nlh, BPMU_A_INFO_OWNER_PID, 42);
	mnl_attr_put_strz(nlh, BPMU_A_INFO_OWNER_COMM, "stat");
	return nlh;
}

/*
 * Adds a sample to a message. The sample of CPU 0 comes first in the message, although its time
 * stamp is later than that of CPU 1: samples do not arrive in the order of their times.
 */
static void put_sample(struct nlmsghdr *nlh, u64 at, u32 cpu)
{
	u64 tsc = at * STEP - cpu * STEP / 2;
	struct {
		struct bpmu_sample head;
		u64 value[VALUES];
	} record = {
		.head = {
			.seq = at, .tsc_begin = tsc, .tsc_end = tsc,
			.enabled = tsc, .running = tsc,
			.flags = BPMU_SAMPLE_TIMER, .cpu = cpu,
			.plan = module.plan, .nr = module.nr,
		},
	};
	unsigned int i;

	for (i = 0; i < module.nr; i++)
		record.value[i] = at * EACH;
	mnl_attr_put(nlh, BPMU_A_SAMPLES, sizeof(record), &record);
}

/*
 * Returns a message with one new sample of each CPU, in which the value of every event is EACH
 * higher than in the previous sample.
 */
static struct nlmsghdr *samples(void)
{
	struct nlmsghdr *nlh = message();
	u64 at = ++module.seq;

	put_sample(nlh, at, 0);
	put_sample(nlh, at, 1);
	return nlh;
}

int bpmu_nl_open(struct bpmu_nl *nl, const struct bpmu_nl *known,
		 struct bpmu_error *err)
{
	(void)known;
	(void)err;
	nl->socket = mnl_socket_open(NETLINK_GENERIC);
	assert_non_null(nl->socket);
	return 0;
}

void bpmu_nl_close(struct bpmu_nl *nl)
{
	if (nl->socket)
		mnl_socket_close(nl->socket);
	nl->socket = NULL;
}

struct nlmsghdr *bpmu_nl_request(struct bpmu_nl *nl, u8 command, u16 flags)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(nl->buffer);
	struct genlmsghdr *genl;

	(void)flags;
	genl = mnl_nlmsg_put_extra_header(nlh, sizeof(*genl));
	genl->cmd = command;
	return nlh;
}

/* The counters are those of the session's first CPU: on a hybrid machine they differ. */
static void check_cpu(const struct nlmsghdr *request)
{
	const struct nlattr *attr = mnl_nlmsg_get_payload_offset(request, sizeof(struct genlmsghdr));

	assert_int_equal(mnl_attr_get_type(attr), BPMU_A_INFO_CPU);
	assert_int_equal(mnl_attr_get_u32(attr), cpus[0]);
}

/* Each read but the first one asks for the samples of each CPU behind those that were read. */
static void check_positions(const struct nlmsghdr *request)
{
	const struct nlattr *attr = mnl_nlmsg_get_payload_offset(request, sizeof(struct genlmsghdr));
	struct bpmu_position from[CPUS];
	unsigned int i;

	assert_int_equal(mnl_attr_get_type(attr), BPMU_A_FROM);
	assert_int_equal(mnl_attr_get_payload_len(attr), sizeof(from));
	memcpy(from, mnl_attr_get_payload(attr), sizeof(from));
	for (i = 0; i < CPUS; i++) {
		assert_int_equal(from[i].cpu, cpus[i]);
		if (module.reads)
			assert_int_equal(from[i].seq, module.seq + 1);
	}
}

int bpmu_nl_call(struct bpmu_nl *nl, struct nlmsghdr *request, mnl_cb_t reply,
		 void *data, struct bpmu_error *err)
{
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(request);
	struct nlmsghdr *nlh;

	(void)nl;
	if (genl->cmd == BPMU_CMD_READ) {
		if (module.steady)
			check_positions(request);
		module.reads++;
		if (module.step)
			module.step();
	}
	if (module.code)
		return bpmu_error_set(err, module.code, "module: refused");
	switch (genl->cmd) {
	case BPMU_CMD_GET_INFO:
		check_cpu(request);
		nlh = info();
		break;
	case BPMU_CMD_GET_PLAN:
		nlh = plan();
		break;
	default:
		assert_int_equal(genl->cmd, BPMU_CMD_READ);
		nlh = samples();
	}
	/* What is malformed cannot be told from what there is no memory for. */
	return reply(nlh, data) >= 0 ? 0 : bpmu_error_set(err, -EPROTO, "malformed, or no memory; ");
}

int bpmu_nl_join(struct bpmu_nl *nl, struct bpmu_error *err)
{
	(void)nl;
	(void)err;
	return 0;
}

int bpmu_nl_drain(struct bpmu_nl *nl, struct bpmu_error *err)
{
	(void)nl;
	(void)err;
	return 0;
}

/**
 * struct watched - what the tool reported about the session to which it attached
 * @groups: groups of the events that the user asked for
 * @events: events that the user asked for
 * @count: count of each event
 * @begun: number of times that the tool announced that it counts a session
 * @ended: number of times that the tool announced that it no longer counts a session
 * @why: text of the last of these announcements
 */
static struct watched {
	struct bpmu_groups groups;
	struct bpmu_event_list events;
	struct bpmu_raw count[4];
	unsigned int begun;
	unsigned int ended;
	char why[512];
} watched;

static void on_interval(void *data, const struct bpmu_interval *interval)
{
	const struct bpmu_event_spec *spec;
	struct bpmu_event_slots slots;
	unsigned int i;

	(void)data;
	for (i = 0; i < CPUS * watched.events.nr; i++) {
		spec = &watched.events.spec[i / CPUS];
		bpmu_groups_event_slots(&watched.groups, spec, spec, &slots);
		bpmu_interval_raw(&watched.groups, interval, i % CPUS, &slots,
				  &watched.count[i / CPUS]);
	}
}

static void on_change(void *data, bool counts, const char *why)
{
	(void)data;
	watched.begun += counts;
	watched.ended += !counts;
	snprintf(watched.why, sizeof(watched.why), "%s", why);
	if (module.changed)
		module.changed(counts);
}

static void stop(void)
{
	kill(getpid(), SIGTERM);
}

static void begin(const struct on *on, unsigned int nr)
{
	memset(&watched, 0, sizeof(watched));
	module = (struct module){
		.part = "ivb", .run = 7, .state = BPMU_STATE_RUNNING, .on = on, .nr = nr,
		.interval_ns = PERIOD_NS, .seq = 1000,
	};
}

/*
 * Attaches to the other process's session and counts @wanted, until the function module.step makes
 * the counting end. Returns 0, or a negative error code with @err filled in.
 */
static int run(const char *wanted, struct bpmu_error *err)
{
	const struct bpmu_groups_wish wish = { };
	struct bpmu_attach attach;
	struct bpmu_measure m = {
		.cpus = cpus, .nr_cpus = CPUS, .interval_ns = module.interval_ns,
		.groups = { &watched.groups }, .emit = on_interval,
	};
	const struct bpmu_attach_watch watch = { &m, on_change };
	int code;

	no_memory_begin();
	code = bpmu_attach_open(&attach, err);
	no_memory_end();
	if (code)
		return code;
	m.info = &attach.about.info;
	assert_int_equal(bpmu_event_list_parse(&m.info->pmu, 0, wanted,
					       &watched.events, err), 0);
	assert_int_equal(bpmu_groups_make(&watched.groups, &m.info->pmu,
					  &watched.events, &wish, err), 0);
	no_memory_begin();
	code = bpmu_attach_run(&attach, &watch, err);
	no_memory_end();
	bpmu_groups_free(&watched.groups);
	bpmu_event_list_free(&watched.events);
	bpmu_attach_close(&attach);
	return code;
}

static void ten_reads(void)
{
	if (module.reads == 10)
		stop();
}

/*
 * The first read of samples only finds the newest sample. Counts are differences from the samples
 * of the second read, so reads 3 to 10 contribute to the counts.
 */
TEST(counts_begin_with_the_second_read)
{
	struct bpmu_error err;

	begin(plain, 2);
	module.step = ten_reads;
	module.steady = true;
	assert_int_equal(run("r01c2,instructions", &err), 0);
	assert_int_equal(watched.begun, 1);
	assert_int_equal(watched.ended, 0);
	assert_string_equal(watched.why,
			    "reading the session of stat, process 42");
	assert_int_equal(watched.count[0].count, CPUS * 8 * EACH);
	assert_int_equal(watched.count[1].count, CPUS * 8 * EACH);
	assert_int_equal(watched.count[0].enabled, CPUS * 8 * STEP);
}

/* Reads a session until its tenth read. */
static int read_ten(void *data, struct bpmu_error *err)
{
	int code;

	(void)data;
	begin(plain, 2);
	module.step = ten_reads;
	code = run("r01c2,instructions", err);
	if (!code)
		assert_int_equal(watched.count[0].count, CPUS * 8 * EACH);
	return code;
}

static void stay(int number)
{
	(void)number;
}

/* The signal that ends the run may still be pending when memory is short in its last read. */
TEST(reading_that_needs_more_memory_is_refused)
{
	sighandler_t before = signal(SIGTERM, stay);

	assert_true(no_memory_each(read_ten, NULL) > 10);
	signal(SIGTERM, before);
}

static void end_at_six(void)
{
	if (module.reads == 6)
		module.code = -ENOTCONN;
	ten_reads();
}

/*
 * Called when the tool starts or stops counting. When the tool stops, another session begins. This
 * session counts the same event on another counter, and its run has a new number.
 */
static void begin_again(bool counts)
{
	if (counts)
		return;
	module.code = 0;
	module.run++;
	module.on = moved;
	module.seq = 5;
}

TEST(the_next_session_is_followed)
{
	struct bpmu_error err;

	begin(plain, 2);
	module.step = end_at_six;
	module.changed = begin_again;
	assert_int_equal(run("r01c2", &err), 0);
	assert_int_equal(watched.begun, 2);
	assert_int_equal(watched.ended, 1);
	/*
	 * The count has the samples of the first session from reads 3 to 5, and the samples of the
	 * second session from reads 9 and 10.
	 */
	assert_int_equal(watched.count[0].count, CPUS * (3 + 2) * EACH);
}

static int fails_with;

static void fail_at_five(void)
{
	if (module.reads == 5)
		module.code = fails_with;
}

static void stop_when_ended(bool counts)
{
	if (!counts)
		stop();
}

/* A session that may no longer be read has ended for the reader; what else fails ends the run. */
TEST(a_session_that_may_not_be_read_has_ended)
{
	struct bpmu_error err;

	begin(plain, 2);
	fails_with = -EPERM;
	module.step = fail_at_five;
	module.changed = stop_when_ended;
	assert_int_equal(run("r01c2", &err), 0);
	assert_int_equal(watched.ended, 1);
	assert_string_equal(watched.why, "module: refused");
	begin(plain, 2);
	fails_with = -ENOTCONN;
	module.step = fail_at_five;
	module.changed = stop_when_ended;
	assert_int_equal(run("r01c2", &err), 0);
	assert_string_equal(watched.why, "the session has ended");
	begin(plain, 2);
	fails_with = -EIO;
	module.step = fail_at_five;
	assert_int_equal(run("r01c2", &err), -EIO);
	assert_string_equal(err.text, "module: refused");
	assert_int_equal(watched.ended, 0);
}

static void stop_at_second_end(bool counts)
{
	if (!counts && watched.ended == 2)
		stop();
}

/*
 * When the tool reads samples for the fourth time, a new run of the session has begun. The tool
 * gets samples of this run before it knows that the run is a new one.
 */
static void another_at_four(void)
{
	if (module.reads != 4)
		return;
	module.run++;
	module.seq = 77777;
	module.on = other;
	module.nr = 1;
}

TEST(a_session_without_the_event_is_not_counted)
{
	struct bpmu_error err;

	begin(plain, 2);
	module.step = another_at_four;
	module.changed = stop_at_second_end;
	assert_int_equal(run("r01c2", &err), 0);
	assert_int_equal(watched.count[0].count, CPUS * EACH);
	assert_int_equal(watched.begun, 1);
	assert_non_null(strstr(watched.why,
			       "event 'r01c2': the session does not count it"));
}

static void swap_at_four(void)
{
	if (module.reads != 4)
		return;
	module.plan++;
	module.on = other;
	module.nr = 1;
}

TEST(a_swap_to_groups_without_the_event_ends_the_counts)
{
	struct bpmu_error err;

	begin(plain, 2);
	module.step = swap_at_four;
	module.changed = stop_at_second_end;
	assert_int_equal(run("r01c2", &err), 0);
	assert_int_equal(watched.count[0].count, CPUS * EACH);
	assert_int_equal(watched.begun, 1);
}

static const char of_two_core_types[] =
	"--attach: the session of stat, process 42, counts on two core types; start it on one of them, with -C";

TEST(two_core_types_are_refused)
{
	struct bpmu_attach attach;
	struct bpmu_error err;

	begin(plain, 2);
	module.hybrid = true;
	assert_int_equal(bpmu_attach_open(&attach, &err), -ENOTSUP);
	assert_string_equal(err.text, of_two_core_types);
}

static void two_core_types_at_four(void)
{
	if (module.reads != 4)
		return;
	module.run++;
	module.hybrid = true;
}

TEST(a_next_session_on_two_core_types_is_reported)
{
	struct bpmu_error err;

	begin(plain, 2);
	module.step = two_core_types_at_four;
	module.changed = stop_at_second_end;
	assert_int_equal(run("r01c2", &err), 0);
	assert_int_equal(watched.begun, 1);
	assert_int_equal(watched.count[0].count, CPUS * EACH);
	assert_string_equal(watched.why, of_two_core_types);
}

static void stop_at_four(void)
{
	if (module.reads == 4)
		module.state = BPMU_STATE_READY;
}

static void stop_at_end(bool counts)
{
	if (!counts)
		stop();
}

TEST(a_stopped_session_is_reported)
{
	struct bpmu_error err;

	begin(plain, 2);
	module.step = stop_at_four;
	module.changed = stop_at_end;
	assert_int_equal(run("r01c2", &err), 0);
	/* Samples that existed when the session was stopped are still counted. */
	assert_int_equal(watched.count[0].count, CPUS * 2 * EACH);
	assert_string_equal(watched.why, "the session was stopped");
}

TEST(an_event_that_the_session_does_not_count_is_refused)
{
	struct bpmu_error err;

	begin(other, 1);
	assert_int_equal(run("r01c2", &err), -ENODATA);
	assert_non_null(strstr(err.text, "event 'r01c2': the session does not"));
	assert_int_equal(module.reads, 0);
}

TEST(the_session_is_described)
{
	const struct bpmu_recording_about *about;
	struct bpmu_attach attach;
	struct bpmu_error err;
	unsigned int i;

	begin(plain, 2);
	module.plan = 9;
	assert_int_equal(bpmu_attach_open(&attach, &err), 0);
	about = &attach.about;
	assert_int_equal(attach.run, 7);
	assert_int_equal(attach.number, 9);
	assert_int_equal(attach.owner_pid, 42);
	assert_string_equal(attach.owner_comm, "stat");
	assert_string_equal(about->info.part, "ivb");
	assert_int_equal(about->info.tsc_khz, KHZ);
	assert_int_equal(about->interval_ns, PERIOD_NS);
	assert_int_equal(about->period_ns, PERIOD_NS);
	assert_int_equal(about->timer, BPMU_TIMER_HARD);
	assert_int_equal(about->cpus.nr, CPUS);
	assert_memory_equal(about->cpus.cpu, cpus, sizeof(cpus));
	assert_non_null(about->topology);
	assert_int_equal(about->groups.nr, 1);
	assert_true(about->groups.live);
	assert_int_equal(about->groups.slots, 2);
	for (i = 0; i < 2; i++) {
		assert_int_equal(about->groups.group[0].sched.slot[i].counter, plain[i].counter);
		assert_int_equal(about->groups.group[0].sched.slot[i].select, plain[i].select);
	}
	bpmu_attach_close(&attach);
	assert_null(attach.client);
}

/* Timeouts in ms for poll(), each at most what the tool waits between two reads. */
static int waits[16];
static unsigned int nr_waits;

int __wrap_bpmu_clock_poll_ms(u64 deadline, int most);

int __wrap_bpmu_clock_poll_ms(u64 deadline, int most)
{
	assert_int_equal(deadline, 0);
	if (nr_waits < 16)
		waits[nr_waits++] = most;
	return 0;
}

static void pause_at_two(void)
{
	if (module.reads == 3)
		stop();
}

/*
 * Samples are read once in their interval, but not more often than every 20 ms, and at least every
 * 500 ms. After the session's end the tool looks for the next one every 500 ms.
 */
TEST(samples_are_read_as_they_come)
{
	static const struct {
		u64 ms;
		int wait;
	} all[] = { { 1, 20 }, { 19, 20 }, { 21, 21 }, { 499, 499 }, { 501, 500 }, { 5000, 500 } };
	struct bpmu_error err;
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		begin(plain, 2);
		module.interval_ns = all[i].ms * 1000000;
		module.step = pause_at_two;
		nr_waits = 0;
		assert_int_equal(run("r01c2", &err), 0);
		assert_in_range(nr_waits, 2, 16);
		assert_int_equal(waits[0], all[i].wait);
		assert_int_equal(waits[1], all[i].wait);
	}
	begin(plain, 2);
	module.step = stop_at_four;
	module.changed = stop_at_end;
	nr_waits = 0;
	assert_int_equal(run("r01c2", &err), 0);
	assert_in_range(nr_waits, 2, 16);
	assert_int_equal(waits[0], 20);
	assert_int_equal(waits[nr_waits - 1], 500);
}

static void check_named_as(u16 type, const char *part, const struct on *on, unsigned int nr,
			   const char *names)
{
	struct bpmu_attach attach;
	struct bpmu_error err;
	char *text;

	begin(on, nr);
	module.part = part;
	module.type = type;
	assert_int_equal(bpmu_attach_open(&attach, &err), 0);
	assert_int_equal(bpmu_attach_events(&attach, &text, &err), 0);
	assert_string_equal(text, names);
	free(text);
	bpmu_attach_close(&attach);
}

static void check_named(const char *part, const struct on *on, const char *names)
{
	check_named_as(BPMU_A_UNCORE_GROUP, part, on, 2, names);
}

TEST(events_of_the_session_are_named)
{
	static const struct on all[] = {
		{ INSTRUCTIONS, BOTH }, { INSTRUCTIONS + 1, 0x10000 },
		{ 0, BOTH | 0x2c2 }, { 1, 0x20000 | 0x1c4 },
		{ 2, BOTH | 0x30002c2 }, { 3, 0x10000 | 0x10401c2 },
	};

	check_named_as(BPMU_A_GROUP, "ivb", all, 6,
		       "instructions,cycles:u,UOPS_RETIRED.RETIRE_SLOTS,BR_INST_RETIRED.CONDITIONAL:k,r30002c2,r10401c2:u");
}

/*
 * The name of an uncore event follows from its event select and from the value of its box's filter.
 */
TEST(events_with_filters_are_named)
{
	static const struct on all[] = {
		{ BPMU_COUNTER_CHA, 0x336, 0x1820000000000000 },
		{ BPMU_COUNTER_CHA + 1, 0x1134, 0x20000 },
		{ BPMU_COUNTER_CHA + 2, 0, 0 },
	};

	check_named_as(BPMU_A_UNCORE_GROUP, "bdx", all, 3,
		       "UNC_C_TOR_OCCUPANCY.MISS_OPCODE:filter_opc=0x182,UNC_C_LLC_LOOKUP.ANY:filter_state=0x1,UNC_C_CLOCKTICKS");
}

/* An event that several counters count has its name once, wherever these counters are. */
TEST(events_are_named_once)
{
	static const struct on twice[] = {
		{ INSTRUCTIONS, BOTH }, { 0, BOTH | 0x2c2 }, { 1, BOTH | 0x2c2 },
		{ 2, BOTH | 0x2c2 }, { 3, 0x10000 | 0x2c2 },
	};

	check_named_as(BPMU_A_GROUP, "ivb", twice, 5,
		       "instructions,UOPS_RETIRED.RETIRE_SLOTS,UOPS_RETIRED.RETIRE_SLOTS:u");
}

/* The first counter of the first box has the lowest number of all that are not the core's. */
TEST(the_first_uncore_counter_is_no_core_s)
{
	static const struct on cbo[] = {
		{ BPMU_COUNTER_UNCORE, 0x8834, 0 }, { BPMU_COUNTER_UNCORE + 1, 0x1134, 0 },
	};

	check_named("ivb", cbo, "UNC_CBO_CACHE_LOOKUP.ANY_I,UNC_CBO_CACHE_LOOKUP.READ_M");
}

/*
 * Event selects of PCU and UBox are alike. The number of the counter tells whether the PCU or the
 * UBox counts the event. The UBox's clock is counted by a fixed counter without event select, and
 * has a name all the same.
 */
TEST(events_of_pcu_and_ubox_are_named)
{
	static const struct on pcu[] = {
		{ BPMU_COUNTER_PCU + 3, 0x0c, 0x1e00 }, { BPMU_COUNTER_PCU, 0xc080, 0 }
	};
	static const struct on ubox[] = {
		{ BPMU_COUNTER_UBOX + 2, 0, 0 }, { BPMU_COUNTER_UBOX, 0x842, 0 }
	};

	check_named("hsx", pcu,
		    "UNC_P_FREQ_BAND1_CYCLES:filter_band1=0x1e,UNC_P_POWER_STATE_OCCUPANCY.CORES_C6");
	check_named("hsx", ubox, "UNC_U_CLOCKTICKS,UNC_U_EVENT_MSG.DOORBELL_RCVD");
}

/*
 * An event's name can stand for an event select together with a value of the box's filter register.
 * The first event in named[] has such a name. No name stands for the filter of the first event in
 * other[], so the text has the values of the filter's fields behind the name.
 */
TEST(names_that_imply_filters_are_found)
{
	static const struct on named[] = {
		{ BPMU_COUNTER_CHA, 0x2136, 0x4043300000000 },
		{ BPMU_COUNTER_CHA + 1, 0x2135, 0x3b00000000 },
	};
	static const struct on other[] = {
		{ BPMU_COUNTER_CHA, 0x3135, 0x43c3200000000 },
		{ BPMU_COUNTER_CHA + 1, 0x334, 0x1e20000 },
	};

	check_named("skx", named,
		    "UNC_CHA_TOR_OCCUPANCY.IA_MISS_DRD,UNC_CHA_TOR_INSERTS.IA_MISS");
	check_named("skx", other,
		    "UNC_CHA_TOR_INSERTS.IA:filter_rem=0x0:filter_loc=0x1:filter_all_op=0x0:filter_nm=0x1:filter_not_nm=0x1:filter_opc0=0x21e,UNC_CHA_LLC_LOOKUP.DATA_READ");
}

/*
 * PERF_METRICS is one register with several fields, and each field is an event. The session counts
 * the whole register. The tool reports only the fields that the user asked for.
 */
TEST(all_fields_of_perf_metrics_are_events)
{
	static const struct on metrics[] = {
		{ INSTRUCTIONS + 3, BOTH }, { BPMU_COUNTER_METRICS, BOTH },
	};
	struct bpmu_attach attach;
	struct bpmu_error err;
	char *text;

	begin(metrics, 2);
	module.part = "spr";
	assert_int_equal(bpmu_attach_open(&attach, &err), 0);
	assert_int_equal(attach.about.groups.slots, 9);
	assert_int_equal(attach.about.groups.group[0].sched.slot[8].value, 1);
	assert_int_equal(bpmu_attach_events(&attach, &text, &err), 0);
	assert_non_null(strstr(text, "slots,PERF_METRICS.RETIRING,"));
	assert_non_null(strstr(text, ",PERF_METRICS.BACKEND_BOUND"));
	free(text);
	bpmu_attach_close(&attach);
}

TEST(an_idle_module_is_refused)
{
	struct bpmu_attach attach;
	struct bpmu_error err;

	begin(plain, 2);
	module.code = -ENOTCONN;
	assert_int_equal(bpmu_attach_open(&attach, &err), -ENOTCONN);
	assert_non_null(strstr(err.text, "--attach: no session is running"));
	module.code = -EPERM;
	assert_int_equal(bpmu_attach_open(&attach, &err), -EPERM);
	begin(plain, 2);
	module.state = BPMU_STATE_READY;
	assert_int_equal(bpmu_attach_open(&attach, &err), -ENOTCONN);
	begin(plain, 2);
	module.interval_ns = 0;
	assert_int_equal(bpmu_attach_open(&attach, &err), -ENODATA);
	assert_non_null(strstr(err.text, "takes no samples before its end"));
}

/*
 * This record has the largest possible number of values. Behind the values it has the task that the
 * sample interrupted.
 */
TEST(the_interrupted_task_is_not_read_as_a_value)
{
	struct {
		struct bpmu_sample head;
		u64 value[BPMU_MAX_COUNTERS];
		struct bpmu_who who;
	} record = { .head = { .nr = BPMU_MAX_COUNTERS }, .who = { .pid = 7 } };
	struct {
		u64 value[BPMU_MAX_COUNTERS];
		u64 guard[8];
	} got = { };
	struct bpmu_sample sample;
	unsigned int i;

	for (i = 0; i < BPMU_MAX_COUNTERS; i++)
		record.value[i] = i + 1;
	bpmu_client_record(&record, sizeof(record), &sample, got.value);
	assert_memory_equal(got.value, record.value, sizeof(got.value));
	for (i = 0; i < 8; i++)
		assert_int_equal(got.guard[i], 0);
	/*
	 * If the sample has fewer values, the rest of the record is padding. The padding is not
	 * read as values.
	 */
	memset(&got, 0, sizeof(got));
	record.head.nr = 3;
	bpmu_client_record(&record, sizeof(record), &sample, got.value);
	assert_int_equal(got.value[2], 3);
	assert_int_equal(got.value[3], 0);
	/*
	 * A record that claims more values than there can be does not overflow the reader's array.
	 */
	record.head.nr = BPMU_MAX_COUNTERS + 4;
	bpmu_client_record(&record, sizeof(record), &sample, got.value);
	for (i = 0; i < 8; i++)
		assert_int_equal(got.guard[i], 0);
}
