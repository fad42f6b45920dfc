// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the events and metrics that decan counts during the loop only. To count them decan opens
 * sessions of the module. The test fakes the module's answers.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/holder.h"
#include "cmd/decan/run.h"
#include "cmd/decan/session.h"
#include "count/interval.h"
#include "intel.h"
#include "unit.h"

int __wrap_bpmu_target_open(struct bpmu_target *target, const char *cpus, struct bpmu_error *err);
int __wrap_bpmu_machine_find(struct bpmu_machine *machine, const struct bpmu_target *target,
			     struct bpmu_error *err);
int __wrap_bpmu_client_configure(struct bpmu_client *client, const struct bpmu_config *config,
				 struct bpmu_error *err);
int __wrap_bpmu_client_start(struct bpmu_client *client, struct bpmu_error *err);
int __wrap_bpmu_client_stop(struct bpmu_client *client, struct bpmu_error *err);
int __wrap_bpmu_client_read(struct bpmu_client *client, const struct bpmu_reader *reader,
			    struct bpmu_error *err);
void __wrap_bpmu_client_close(struct bpmu_client *client);
void __wrap_bpmu_holder_explain(struct bpmu_error *err);

static const char *part;
static struct bpmu_config asked;
static struct bpmu_sched sched;
static u32 cpu;
static int open_code, configure_code, start_code, stop_code, read_code;
static unsigned int starts, stops;
static u64 begins[4], ends[4];

int __wrap_bpmu_target_open(struct bpmu_target *target, const char *cpus, struct bpmu_error *err)
{
	assert_string_equal(cpus, "5");
	if (open_code)
		return bpmu_error_set(err, open_code, "not there");
	unit_target(target, part, 5);
	target->cpus.nr = 1;
	return 0;
}

int __wrap_bpmu_machine_find(struct bpmu_machine *machine, const struct bpmu_target *target,
			     struct bpmu_error *err)
{
	(void)target;
	(void)err;
	*machine = (struct bpmu_machine){ .threads = 1, .cores = 1, .sockets = 1, .tsc_hz = 1e9 };
	return 0;
}

int __wrap_bpmu_client_configure(struct bpmu_client *client, const struct bpmu_config *config,
				 struct bpmu_error *err)
{
	(void)client;
	asked = *config;
	cpu = *config->cpus;
	sched = config->groups[0]->group[0].sched;
	assert_int_equal(config->groups[0]->nr, 1);
	assert_int_equal(config->groups[0]->slots, sched.nr);
	assert_int_equal(config->groups[0]->nr_of[sched.bank], 1);
	assert_int_equal(config->groups[0]->group[0].first, 0);
	return configure_code ? bpmu_error_set(err, configure_code, "refused") : 0;
}

void __wrap_bpmu_client_close(struct bpmu_client *client)
{
	(void)client;
}

int __wrap_bpmu_client_start(struct bpmu_client *client, struct bpmu_error *err)
{
	(void)client;
	starts++;
	return start_code ? bpmu_error_set(err, start_code, "not started") : 0;
}

int __wrap_bpmu_client_stop(struct bpmu_client *client, struct bpmu_error *err)
{
	(void)client;
	stops++;
	return stop_code ? bpmu_error_set(err, stop_code, "not stopped") : 0;
}

int __wrap_bpmu_client_read(struct bpmu_client *client, const struct bpmu_reader *reader,
			    struct bpmu_error *err)
{
	struct bpmu_sample sample = {
		.nr = sched.nr, .flags = BPMU_SAMPLE_START, .running = 500,
	};
	struct bpmu_taken_sample taken = { .head = &sample, .values = begins };

	(void)client;
	if (read_code)
		return bpmu_error_set(err, read_code, "not read");
	reader->samples(reader->data, &taken, 1);
	sample.flags = BPMU_SAMPLE_TIMER;
	reader->samples(reader->data, &taken, 1);
	sample.flags = BPMU_SAMPLE_STOP;
	taken.values = ends;
	reader->samples(reader->data, &taken, 1);
	return 0;
}

void __wrap_bpmu_holder_explain(struct bpmu_error *err)
{
	strcat(err->text, "; held");
}

static struct bpmu_decan_session session;
static struct bpmu_error err;

TEST_FIXTURE(setup)
{
	part = "ivb";
	session = (struct bpmu_decan_session){ };
	open_code = 0;
	configure_code = 0;
	start_code = 0;
	stop_code = 0;
	read_code = 0;
	starts = 0;
	stops = 0;
	return 0;
}

/* The loop runs in user space, so core events are counted at user privilege level only. */
TEST_BETWEEN(the_first_session_counts_cycles_of_the_user, setup, NULL)
{
	unsigned int i;

	session.take_over = true;
	assert_int_equal(bpmu_decan_session_open(&session, "5", 0, &err), 0);
	assert_int_equal(asked.nr_cpus, 1);
	assert_int_equal(cpu, 5);
	assert_true(asked.take_over);
	assert_null(asked.groups[1]);
	assert_int_equal(asked.interval_ns, 0);
	assert_int_equal(sched.nr, 1);
	assert_int_equal(sched.slot[0].select & BPMU_SEL_USR, BPMU_SEL_USR);
	assert_int_equal(sched.slot[0].select & BPMU_SEL_OS, 0);
	assert_false(session.all);
	/*
	 * By default decan counts all metrics that this CPU model can measure. A metric that the
	 * model cannot measure is no error unless the user named the metric.
	 */
	assert_true(session.type.tree.groups.nr);
	for (i = 0; i < session.type.tree.groups.nr; i++) {
		unsigned int k;

		assert_int_equal(bpmu_decan_session_use(&session, &session.type.tree.groups, i, &err), 0);
		assert_int_equal(sched.nr, session.type.tree.groups.group[i].sched.nr);
		for (k = 0; k < sched.nr; k++)
			assert_int_equal(sched.slot[k].select & (BPMU_SEL_USR | BPMU_SEL_OS),
					 BPMU_SEL_USR);
	}
	bpmu_decan_session_close(&session);
}

/*
 * The list of events begins with cycles, which decan always counts. The events that the user gave
 * with -e follow.
 */
TEST_BETWEEN(events_stand_behind_the_cycles, setup, NULL)
{
	session.type.wanted.text = strdup("instructions,branches");
	assert_int_equal(bpmu_decan_session_open(&session, "5", 1, &err), 0);
	assert_true(session.all);
	assert_int_equal(session.type.wanted.events.nr, 3);
	assert_string_equal(session.type.wanted.events.spec[0].text, "cycles:u");
	assert_string_equal(session.type.wanted.events.spec[2].text, "branches");
	assert_int_equal(sched.nr, 3);
	bpmu_decan_session_close(&session);
}

TEST_BETWEEN(counts_are_those_of_the_loop, setup, NULL)
{
	struct bpmu_run run = { };
	double counts[4];

	session.type.wanted.text = strdup("instructions");
	assert_int_equal(bpmu_decan_session_open(&session, "5", 0, &err), 0);
	bpmu_decan_session_hook(NULL, &run);
	assert_null(run.begin);
	bpmu_decan_session_hook(&session, &run);
	begins[0] = 100;
	ends[0] = 1100;
	/* The second of the two counters wraps during the loop. It has 48 bits. */
	begins[1] = (1ULL << 48) - 1;
	ends[1] = 2999;
	assert_int_equal(run.begin(run.data, &err), 0);
	assert_int_equal(starts, 1);
	assert_int_equal(stops, 0);
	assert_int_equal(run.end(run.data, &err), 0);
	assert_int_equal(stops, 1);
	assert_int_equal(session.count[0], 1000);
	assert_int_equal(session.count[1], 3000);
	assert_true(bpmu_decan_session_cycles(&session) == 1000);
	/*
	 * There are three variants of the loop. The test stores counts for two of them, as if the
	 * third one was not measured.
	 */
	assert_int_equal(bpmu_decan_session_room(&session, 3, &err), 0);
	counts[0] = 1000;
	counts[1] = 3000;
	bpmu_decan_session_keep(&session, session.event, counts);
	counts[0] = 500;
	counts[1] = 700;
	bpmu_decan_session_keep(&session, session.event + session.type.wanted.groups.slots, counts);
	assert_true(bpmu_decan_session_event(&session, 0, 0) == 1000);
	assert_true(bpmu_decan_session_event(&session, 0, 1) == 3000);
	assert_true(bpmu_decan_session_event(&session, 1, 0) == 500);
	assert_true(bpmu_decan_session_event(&session, 1, 1) == 700);
	assert_true(isnan(bpmu_decan_session_event(&session, 2, 1)));
	bpmu_decan_session_close(&session);
}

/*
 * The first of two variants has no counts. The second one was counted: in each group of events it
 * has three instructions per cycle.
 */
TEST_BETWEEN(metrics_are_those_of_the_variant, setup, NULL)
{
	double counts[BPMU_MAX_COUNTERS];
	unsigned int g, i;
	int ipc;

	session.type.choice.names = strdup("IPC");
	assert_int_equal(bpmu_decan_session_open(&session, "5", 0, &err), 0);
	assert_true(session.all);
	assert_int_equal(bpmu_decan_session_room(&session, 2, &err), 0);
	for (g = 0; g < session.type.tree.groups.nr; g++) {
		assert_int_equal(bpmu_decan_session_use(&session, &session.type.tree.groups, g, &err), 0);
		for (i = 0; i < sched.nr; i++)
			counts[i] = strstr(sched.slot[i].text, "INST_RETIRED") ||
				    strstr(sched.slot[i].text, "instructions") ? 3000 : 1000;
		bpmu_decan_session_keep(&session, session.cell + session.type.tree.groups.slots +
					session.type.tree.groups.group[g].first, counts);
	}
	bpmu_decan_session_eval(&session, 1, 1e6);
	bpmu_decan_session_eval(&session, 0, 1e6);
	ipc = bpmu_metrics_find(&session.type.tree.metrics, "IPC");
	assert_true(ipc >= 0);
	assert_true(bpmu_decan_session_values(&session, 1)[ipc].value == 3);
	assert_true(bpmu_decan_session_values(&session, 1)[ipc].known);
	assert_false(bpmu_decan_session_values(&session, 0)[ipc].known);
	bpmu_decan_session_close(&session);
}

TEST_BETWEEN(what_fails_is_named_and_closed, setup, NULL)
{
	struct bpmu_run run = { };

	open_code = -ENOENT;
	assert_int_equal(bpmu_decan_session_open(&session, "5", 0, &err), -ENOENT);
	assert_string_equal(err.text, "not there");
	bpmu_decan_session_close(&session);
	setup(NULL);
	configure_code = -EBUSY;
	assert_int_equal(bpmu_decan_session_open(&session, "5", 0, &err), -EBUSY);
	assert_string_equal(err.text, "refused; held");
	bpmu_decan_session_close(&session);
	setup(NULL);
	configure_code = -EPERM;
	assert_int_equal(bpmu_decan_session_open(&session, "5", 0, &err), -EPERM);
	assert_string_equal(err.text, "refused");
	bpmu_decan_session_close(&session);
	setup(NULL);
	session.type.wanted.text = strdup("no_such_event");
	assert_int_equal(bpmu_decan_session_open(&session, "5", 0, &err), -ENOENT);
	assert_non_null(strstr(err.text, "no_such_event"));
	bpmu_decan_session_close(&session);
	/*
	 * If barepmu has no metrics for this CPU model, the session is opened without them, unless
	 * the user asked for metrics.
	 */
	setup(NULL);
	part = "arch";
	assert_int_equal(bpmu_decan_session_open(&session, "5", 0, &err), 0);
	assert_int_equal(session.type.tree.metrics.nr, 0);
	bpmu_decan_session_close(&session);
	setup(NULL);
	part = "arch";
	assert_true(bpmu_decan_session_open(&session, "5", 3, &err) < 0);
	bpmu_decan_session_close(&session);
	setup(NULL);
	assert_int_equal(bpmu_decan_session_open(&session, "5", 0, &err), 0);
	bpmu_decan_session_hook(&session, &run);
	start_code = -EIO;
	assert_int_equal(run.begin(run.data, &err), -EIO);
	stop_code = -ENODEV;
	assert_int_equal(run.end(run.data, &err), -ENODEV);
	stop_code = 0;
	read_code = -EPROTO;
	assert_int_equal(run.end(run.data, &err), -EPROTO);
	assert_string_equal(err.text, "not read");
	bpmu_decan_session_close(&session);
}
