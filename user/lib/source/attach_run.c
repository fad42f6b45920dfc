// SPDX-License-Identifier: GPL-2.0
/*
 * Reads beside the owner of a session, as long as it counts what is wanted, and
 * waits for the next one that does.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attach_own.h"
#include "base/clock.h"
#include "base/signals.h"

/* how often samples are fetched: their owner takes the last ones with it */
#define FETCH_MS_MIN 20
#define FETCH_MS_MAX 500

#define SENTENCE 320

/**
 * struct run - under way
 * @reading: of the session, or of none
 * @refused: run of a session that does not count what is wanted, or 0
 * @refused_number: of its plan
 * @signals: taken over
 * @deadline: monotonic nanoseconds, 0 for none
 */
struct run {
	struct bpmu_attach_reading reading;
	u32 refused;
	u32 refused_number;
	struct bpmu_signals signals;
	u64 deadline;
};

static void said_entered(const struct run *run)
{
	const struct bpmu_attach *attach = run->reading.attach;
	char text[SENTENCE];

	snprintf(text, sizeof(text), "reading the session of %s, process %u",
		 attach->owner_comm, attach->owner_pid);
	bpmu_attach_say(&run->reading, true, text);
}

/* one that does not suit is named once */
static void attach_run_refuse(struct run *run, const struct bpmu_client_plan *plan,
			      const struct bpmu_error *why)
{
	run->refused = plan->run;
	run->refused_number = plan->number;
	bpmu_attach_say(&run->reading, false, why->text);
}

/* is there one that counts what is wanted */
static void attach_run_follow(struct run *run)
{
	struct bpmu_client_plan plan;
	struct bpmu_error why;
	int code;

	code = bpmu_client_plan(run->reading.attach->client, &plan, &why);
	if (!code && plan.state == BPMU_STATE_RUNNING &&
	    (plan.run != run->refused || plan.number != run->refused_number)) {
		code = bpmu_attach_take(run->reading.attach, &plan, &why);
		if (!code)
			code = bpmu_attach_enter(&run->reading, &why);
		if (code)
			attach_run_refuse(run, &plan, &why);
		else
			said_entered(run);
	}
	bpmu_client_plan_free(&plan);
}

static int attach_run_wait_ms(const struct run *run)
{
	u64 wait = run->reading.attach->about.period_ns / BPMU_NS_PER_MS;

	if (wait < FETCH_MS_MIN)
		wait = FETCH_MS_MIN;
	if (wait > FETCH_MS_MAX || !run->reading.series)
		wait = FETCH_MS_MAX;
	return bpmu_clock_poll_ms(run->deadline, wait);
}

static bool signalled(const struct run *run)
{
	struct signalfd_siginfo info;

	return bpmu_signals_next(&run->signals, &info) &&
	       info.ssi_signo != SIGCHLD;
}

static int attach_run_watch(struct run *run, struct bpmu_error *err)
{
	struct bpmu_client *client = run->reading.attach->client;
	struct pollfd fds[] = {
		{ .fd = run->signals.fd, .events = POLLIN },
		{ .fd = bpmu_client_listen_fd(client), .events = POLLIN },
	};
	int code = 0;

	while (!code) {
		if (poll(fds, 2, attach_run_wait_ms(run)) < 0 && errno != EINTR)
			return bpmu_error_set(err, -errno, "poll: %s",
					      strerror(errno));
		if (signalled(run) ||
		    (run->deadline &&
		     bpmu_clock_ns(CLOCK_MONOTONIC) >= run->deadline))
			break;
		if (fds[1].revents)
			code = bpmu_client_listen_drain(client, err);
		if (!code && run->reading.series)
			code = bpmu_attach_fetch(&run->reading, err);
		if (!code && !run->reading.series)
			attach_run_follow(run);
	}
	return code;
}

static int attach_run_start(struct run *run, struct bpmu_error *err)
{
	const struct bpmu_measure *m = run->reading.watch->measure;
	int code;

	code = bpmu_attach_enter(&run->reading, err);
	if (!code && m->ready)
		code = m->ready(m->data, err);
	if (code)
		return code;
	said_entered(run);
	if (m->timeout_ns)
		run->deadline = bpmu_clock_ns(CLOCK_MONOTONIC) + m->timeout_ns;
	return 0;
}

/**
 * bpmu_attach_run() - give its counts until a signal comes or time is up
 * @attach: open
 * @reader: to whom
 * @err: set on failure
 *
 * When the session ends, or counts something else, the next one that counts what
 * is wanted is read; its counts come as those of the first one did.
 *
 * Signals are taken over while it runs.
 * Return: 0, -ENODATA if an event is not counted, or another negative errno.
 */
int bpmu_attach_run(struct bpmu_attach *attach,
		    const struct bpmu_attach_watch *reader,
		    struct bpmu_error *err)
{
	struct run run = { .reading = { .attach = attach, .watch = reader } };
	int code;

	code = bpmu_signals_take(&run.signals, err);
	if (!code)
		code = attach_run_start(&run, err);
	if (!code)
		code = attach_run_watch(&run, err);
	bpmu_signals_give(&run.signals);
	bpmu_attach_leave(&run.reading);
	free(run.reading.records);
	return code;
}
