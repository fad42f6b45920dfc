// SPDX-License-Identifier: GPL-2.0
#include "live.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/signals.h"
#include "child.h"
#include "client/holder.h"
#include "series.h"

/*
 * Shortest and longest times in ms between two fetches of samples from the module. Even if
 * intervals are shorter, the time is at least FETCH_MS_MIN, because a fetch takes as long as
 * printing ten rows. If somebody watches the output, the time can be as short as FETCH_MS_WATCHED.
 * The time is at most FETCH_MS_MAX, so that an interval is printed soon after it ends.
 */
#define FETCH_MS_WATCHED 20
#define FETCH_MS_MIN 200
#define FETCH_MS_MAX 500
/* time in ms between two fetches if output goes to a file, where nobody waits for it */
#define FETCH_MS_FILE 1000
/*
 * Number of fetches of samples per interval if the caller may choose other event groups after each
 * interval (a drill-down). With more fetches the end of an interval is noticed earlier, and the new
 * groups are counted sooner.
 */
#define FETCHES_FOLLOWED 4

/*
 * Time in ms between two fetches of samples for a recording. It is so short that a power failure
 * loses few samples. The module's buffer becomes half full after two seconds, and the module then
 * wakes this process. Fetches come before that, so that there are no wake-ups besides fetches.
 */
#define FETCH_RECORDS_MS 1900
/*
 * Time in ms between two fetches if samples name the interrupted process. The memory mappings of a
 * process must be read before the process ends.
 */
#define FETCH_WHO_MS 50

/*
 * For a recording with so many samples that RECORDED_SAMPLES of them are taken within RECORDED_NS, the
 * module's buffer has as many, fewer than by default: the module then wakes this process more often,
 * which costs less than memory for the samples of seconds. Otherwise the buffer has its default size.
 */
#define RECORDED_SAMPLES 2048
#define RECORDED_NS (2 * BPMU_NS_PER_S)

/*
 * Maximum number of intervals that are printed before signals and the end of the run are checked.
 * If printing an interval takes longer than the interval, a further interval can always be printed.
 * Without this limit, signals and the end of the run would then never be checked.
 */
#define EMIT_AT_ONCE 16

/**
 * struct live_plan - a plan of the session: the groups that are counted during a part of the run
 * @measure: parameters of the measurement, with the groups of the plan
 * @series: counts of the plan's groups in each interval; NULL if the plan is not in use
 */
struct live_plan {
	struct bpmu_measure measure;
	struct bpmu_series *series;
};

/**
 * struct run - state of a live measurement
 * @m: parameters of the measurement
 * @plans: the plan (event groups) that is counted, and the previous or next plan; the index of a
 *	plan is its number modulo 2
 * @plan: number of the plan that is counted
 * @series: series of intervals of the plan that is counted
 * @child: process of the measured command
 * @signals: signal handling during the run
 * @deadline: when the run ends, CLOCK_MONOTONIC in ns; 0 for no limit
 * @status: exit status of the command
 * @to_file: true if output goes to a file or device where nobody waits for it
 * @over: true if the run must end
 */
struct run {
	const struct bpmu_measure *m;
	struct live_plan plans[2];
	u32 plan;
	struct bpmu_series *series;
	struct bpmu_child child;
	struct bpmu_signals signals;
	u64 deadline;
	int status;
	bool to_file;
	bool over;
};

static int begin_plan(struct run *run, u32 plan,
		      const struct bpmu_groups *const groups[BPMU_CORE_TYPES],
		      struct bpmu_error *err)
{
	struct live_plan *live = &run->plans[plan & 1];

	live->measure = *run->m;
	memcpy(live->measure.groups, groups, sizeof(live->measure.groups));
	live->measure.period_ns = bpmu_measure_period_ns(&live->measure);
	live->series = bpmu_series_new(&live->measure,
				       bpmu_measure_batches(&live->measure));
	return live->series ? 0 : bpmu_error_no_memory(err, "measurement");
}

static void end_plan(struct live_plan *live)
{
	bpmu_series_free(live->series);
	live->series = NULL;
}

static int live_fetch(struct run *run, struct bpmu_error *err)
{
	const struct bpmu_reader reader = {
		.samples = bpmu_series_add, .records = run->m->records,
		.overflows = run->m->overflows, .overflows_lost = run->m->overflows_lost,
		.data = run->m->records ? run->m->data : run->series,
	};
	int code;

	code = bpmu_client_read(run->m->client, &reader, err);
	if (!code && run->m->records)
		run->m->records(run->m->data, NULL, 0);
	return code;
}

/*
 * Checks if a CPU can write many precise records with branches before it interrupts. The page that
 * takes records where page tables are isolated would have room for two.
 */
static bool has_room_for_branches(const struct bpmu_info *info)
{
	return bpmu_pmu_has_groups(&info->pmu) && info->batch == BPMU_MAX_BATCH;
}

/*
 * Returns how many precise records a CPU may write before it interrupts: many, if each event that
 * interrupts has precise records and a period, and nothing else is to be recorded with them. Returns
 * 0 if the CPU must interrupt at each record, or writes none.
 */
static u32 batch_of(const struct bpmu_measure *m)
{
	unsigned int type, g, i;
	bool any = false;

	if (m->chain || m->info->batch <= 1 || bpmu_measure_counts(m))
		return 0;
	if (m->branches && !has_room_for_branches(m->info))
		return 0;
	for (type = 0; type < bpmu_measure_core_types(m); type++)
		for (g = 0; g < m->groups[type]->nr; g++) {
			const struct bpmu_sched *sched = &m->groups[type]->group[g].sched;

			for (i = 0; i < sched->nr; i++) {
				if (!bpmu_sched_interrupts(&sched->slot[i]))
					continue;
				if (!sched->slot[i].precise || sched->slot[i].frequency)
					return 0;
				any = true;
			}
		}
	return any ? m->info->batch : 0;
}

/**
 * bpmu_live_configure() - configure the module for counting live, not for replaying a recording
 * @m: parameters of the measurement
 *
 * Return: 0, -ERANGE if a counter could wrap twice in an interval, or another negative errno.
 */
int bpmu_live_configure(const struct bpmu_measure *m, struct bpmu_error *err)
{
	struct bpmu_config config = {
		.cpus = m->cpus, .nr_cpus = m->nr_cpus,
		.interval_ns = bpmu_measure_period_ns(m), .timer = m->timer,
		.take_over = m->take_over, .prefetch = m->prefetch,
		.who = m->who, .chain = m->chain, .branches = m->branches,
		.calls = m->calls, .counts = bpmu_measure_counts(m), .batch = batch_of(m),
	};
	u64 guard = bpmu_pmu_guard_ns(&m->info->pmu, m->info->tsc_khz);
	int code = 0;

	memcpy(config.groups, m->groups, sizeof(config.groups));
	if (config.interval_ns > guard)
		return bpmu_error_set(err, -ERANGE,
			"-I: %llu s: a counter could wrap twice in that time; the longest here is %llu ms",
			m->interval_ns / BPMU_NS_PER_S, guard / BPMU_NS_PER_MS);
	if (m->records && config.interval_ns < RECORDED_NS / RECORDED_SAMPLES)
		config.buffer_samples = RECORDED_SAMPLES;
	if (m->groups[0]->nr_of[BPMU_BANK_UNCORE])
		code = bpmu_holder_uncore(err);
	return code ? code : bpmu_client_configure(m->client, &config, err);
}

/*
 * Waits for the time that the option -D gives. A signal ends the wait; the caller handles the
 * signal after counting has started.
 */
static void delay_start(struct run *run)
{
	u64 until = bpmu_clock_ns(CLOCK_MONOTONIC) + run->m->delay_ns;
	struct pollfd fd = { .fd = run->signals.fd, .events = POLLIN };
	int code;

	do {
		code = poll(&fd, 1, bpmu_clock_poll_ms(until, -1));
	} while (code <= 0 && bpmu_clock_ns(CLOCK_MONOTONIC) < until);
}

static int live_begin(struct run *run, struct bpmu_error *err)
{
	const struct bpmu_measure *m = run->m;
	int code;

	code = bpmu_live_configure(m, err);
	if (code)
		return code;
	if (m->ready) {
		code = m->ready(m->data, err);
		if (code)
			return code;
	}
	if (m->argv) {
		code = bpmu_child_create(&run->child, m->argv,
					 &run->signals, err);
		if (code)
			return code;
	}
	if (m->delay_ns) {
		code = m->argv ? bpmu_child_go(&run->child, m->argv[0],
					       &run->status, err) : 0;
		if (code)
			return code;
		delay_start(run);
	}
	code = bpmu_client_start(m->client, err);
	if (code)
		return code;
	if (m->timeout_ns)
		run->deadline = bpmu_clock_ns(CLOCK_MONOTONIC) + m->timeout_ns;
	if (!m->argv || m->delay_ns)
		return 0;
	return bpmu_child_go(&run->child, m->argv[0], &run->status, err);
}

/*
 * Checks if output goes to a file or a character device, and nobody watches it. Samples may then be
 * fetched less often. Returns false for a pipe or socket, whose reader waits for output, and if a
 * callback can change the groups or end the run.
 */
static bool is_to_file(const struct bpmu_measure *m)
{
	struct stat file;

	return m->out && !m->watched && !m->next && !m->stop && !fstat(fileno(m->out), &file) &&
	       (S_ISREG(file.st_mode) || S_ISCHR(file.st_mode));
}

/*
 * Returns how long to wait for the next fetch, in ms: @left, the usual time, or the time until the
 * last interval of the run ends if this is shorter, but then at least FETCH_MS_MIN.
 */
static long long until_last_ms(const struct run *run, long long left)
{
	unsigned int max = run->m->max_intervals;
	long long last = max - bpmu_series_index(run->series);

	last = last * (long long)(run->m->interval_ns / BPMU_NS_PER_MS) + FETCH_MS_WATCHED;
	if (!max || last > left)
		return left;
	return last < FETCH_MS_MIN ? FETCH_MS_MIN : last;
}

static int live_wait_ms(const struct run *run)
{
	u64 interval_ms = run->m->interval_ns / BPMU_NS_PER_MS;
	int least = run->m->watched || run->m->next ? FETCH_MS_WATCHED : FETCH_MS_MIN;
	long long left = -1;

	if (run->m->records) {
		left = run->m->who || run->m->overflows ? FETCH_WHO_MS : FETCH_RECORDS_MS;
	} else if (run->m->interval_ns) {
		left = interval_ms;
		if (run->m->next)
			left /= FETCHES_FOLLOWED;
		if (left < least)
			left = least;
		if (left > FETCH_MS_MAX)
			left = FETCH_MS_MAX;
		if (run->to_file)
			left = until_last_ms(run, FETCH_MS_FILE);
	}
	return bpmu_clock_poll_ms(run->deadline, left);
}

static void live_on_signal(struct run *run)
{
	struct signalfd_siginfo info;

	if (!bpmu_signals_next(&run->signals, &info))
		return;
	if (info.ssi_signo == SIGCHLD) {
		if (run->child.pid)
			run->over |= bpmu_child_ended(&run->child,
						      &run->status);
		return;
	}
	/*
	 * With SI_KERNEL the signal is from the terminal (Ctrl-C), which has sent the same signal
	 * to the command, so it is not passed on.
	 */
	if (!run->child.pid)
		run->over = true;
	else if (info.ssi_code != SI_KERNEL)
		kill(run->child.pid, info.ssi_signo);
}

static int live_follow(struct run *run, struct bpmu_error *err)
{
	struct live_plan *old = &run->plans[run->plan & 1];
	const struct bpmu_groups *groups[BPMU_CORE_TYPES] = { };
	int code;

	code = run->m->next(run->m->data, groups, err);
	if (code || !groups[0])
		return code;
	code = begin_plan(run, run->plan + 1, groups, err);
	if (code)
		return code;
	bpmu_series_swap(run->series, run->plans[(run->plan + 1) & 1].series);
	code = bpmu_client_swap(run->m->client, groups, err);
	if (!code)
		code = live_fetch(run, err);
	if (code)
		return code;
	run->plan++;
	run->series = run->plans[run->plan & 1].series;
	bpmu_series_follow(run->series, old->series);
	end_plan(old);
	return 0;
}

static int live_watch(struct run *run, struct bpmu_error *err)
{
	struct pollfd fds[] = {
		{ .fd = run->signals.fd, .events = POLLIN },
		{ .fd = bpmu_client_listen_fd(run->m->client),
		  .events = POLLIN },
		/* poll() ignores an entry with a negative descriptor. */
		{ .fd = run->m->input ? run->m->input_fd : -1,
		  .events = POLLIN },
	};
	const unsigned int max = run->m->max_intervals;
	int more = 0, code = 0;

	while (!run->over && !code) {
		if (poll(fds, 3, more ? 0 : live_wait_ms(run)) < 0 &&
		    errno != EINTR)
			return bpmu_error_set(err, -errno, "poll: %s",
					      strerror(errno));
		if (fds[0].revents)
			live_on_signal(run);
		if (fds[1].revents)
			code = bpmu_client_listen_drain(run->m->client, err);
		if (!run->over && fds[2].revents)
			run->m->input(run->m->data);
		if (run->deadline &&
		    bpmu_clock_ns(CLOCK_MONOTONIC) >= run->deadline)
			run->over = true;
		if (code || run->over)
			break;
		if (!more)
			code = live_fetch(run, err);
		more = code ? 0 : bpmu_series_emit(run->series, EMIT_AT_ONCE);
		if (more < 0)
			return bpmu_error_no_memory(err, "measurement");
		if (!more && run->m->emitted)
			run->m->emitted(run->m->data);
		if (!more && run->m->out)
			fflush(run->m->out);
		if (max && bpmu_series_index(run->series) >= max)
			run->over = true;
		if (!code && !more && run->m->next && !run->over)
			code = live_follow(run, err);
		if (run->m->stop && *run->m->stop)
			run->over = true;
	}
	return code;
}

static int live_end(struct run *run, struct bpmu_error *err)
{
	int code;

	code = bpmu_client_stop(run->m->client, err);
	if (code)
		return code;
	code = live_fetch(run, err);
	if (code)
		return code;
	if (bpmu_series_finish(run->series))
		return bpmu_error_no_memory(err, "measurement");
	return bpmu_client_release(run->m->client, err);
}

static int live_measure(struct run *run, struct bpmu_error *err)
{
	int code;

	code = live_begin(run, err);
	if (!code)
		code = live_watch(run, err);
	return code ? code : live_end(run, err);
}

/**
 * bpmu_live_run() - run a live measurement in a session of the module
 * @measure: parameters of the measurement, whose client must listen (bpmu_client_listen())
 * @exit_status: set to the exit status of the command; to 126 or 127 if the command cannot be
 *	executed; to 0 if there is no command
 *
 * During the run, signals are received by bpmu_signals_take().
 *
 * Return: 0 or a negative errno. The session has ended on return, also after an error.
 */
int bpmu_live_run(const struct bpmu_measure *measure, int *exit_status,
		  struct bpmu_error *err)
{
	struct run run = { .m = measure, .to_file = is_to_file(measure) };
	struct bpmu_error ignored;
	int code;

	*exit_status = 0;
	code = begin_plan(&run, 0, measure->groups, err);
	if (code)
		return code;
	run.series = run.plans[0].series;
	code = bpmu_signals_take(&run.signals, err);
	if (!code)
		code = live_measure(&run, err);
	if (code)
		bpmu_client_release(measure->client, &ignored);
	bpmu_child_end(&run.child);
	bpmu_signals_give(&run.signals);
	end_plan(&run.plans[0]);
	end_plan(&run.plans[1]);
	*exit_status = run.status;
	return code;
}
