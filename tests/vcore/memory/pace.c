// SPDX-License-Identifier: GPL-2.0
#include "pace.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

unsigned int vcore_pace_patience_ms = 20;

/*
 * Factor by which a core waits longer than vcore_pace_patience_ms for a thread that is ready to run
 * but that the host does not schedule.
 */
#define RUNNABLE_FACTOR 50
/*
 * Number of times that a waiting thread checks the clock of the other core before it sleeps. If the
 * host has a CPU for each core's thread, the thread need not sleep.
 */
#define SPINS 500
/*
 * Maximum length of a sleep in ns. It is limited because the wake-up may be sent before the sleep
 * starts, and is then lost.
 */
#define MAX_SLEEP_NS 1000000

static uint64_t core_bit(unsigned int core)
{
	return 1ull << core;
}

static uint64_t running_cores(const struct vcore_pace *pace)
{
	return __atomic_load_n(&pace->running, __ATOMIC_ACQUIRE);
}

static uint64_t core_time(const struct vcore_pace *pace, unsigned int core)
{
	return __atomic_load_n(&pace->now[core], __ATOMIC_ACQUIRE);
}

static void set_core_time(struct vcore_pace *pace, unsigned int core, uint64_t time)
{
	__atomic_store_n(&pace->now[core], time, __ATOMIC_RELEASE);
}

static uint64_t monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

/**
 * vcore_pace_has() - check if a core keeps pace with the other cores
 * @pace: clocks of the cores of a package
 * @core: number of the core
 */
bool vcore_pace_has(const struct vcore_pace *pace, unsigned int core)
{
	return running_cores(pace) & core_bit(core);
}

/**
 * vcore_pace_yields() - check if the pace gives a cycle to the other thread of the physical core
 * @pace: clocks of the cores of a package
 * @core: number of the thread that asks
 * @sibling: number of the other thread; one of the two numbers is even, the other odd
 * @cycle: cycle of the asking thread's clock, which the asking thread is about to simulate
 *
 * The thread with the even number has the even cycles of the package's time, the other thread the
 * odd ones. A thread whose sibling halts has all cycles.
 */
bool vcore_pace_yields(const struct vcore_pace *pace, unsigned int core,
		       unsigned int sibling, uint64_t cycle)
{
	return vcore_pace_has(pace, sibling) && (vcore_pace_time(pace, core, cycle) ^ core) & 1;
}

static void wake_waiters(struct vcore_pace *pace, unsigned int core)
{
	if (!(__atomic_load_n(&pace->awaited, __ATOMIC_SEQ_CST) & core_bit(core)))
		return;
	__atomic_and_fetch(&pace->awaited, ~core_bit(core), __ATOMIC_SEQ_CST);
	__atomic_add_fetch(&pace->woken[core], 1, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &pace->woken[core], FUTEX_WAKE_PRIVATE, INT_MAX,
		NULL, NULL, 0);
}

/**
 * vcore_pace_leave() - let the other cores no longer keep pace with a core that halts
 * @pace: clocks of the cores of a package
 * @core: number of the core, which halts or is no longer simulated
 *
 * Context: any thread.
 */
void vcore_pace_leave(struct vcore_pace *pace, unsigned int core)
{
	__atomic_and_fetch(&pace->running, ~core_bit(core), __ATOMIC_ACQ_REL);
	wake_waiters(pace, core);
}

/* Returns true if a thread of this process runs on the host or is ready to run. */
static bool is_runnable(pid_t thread)
{
	char path[64], text[256];
	const char *state;
	ssize_t length;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", (int)thread);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	length = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (length <= 0)
		return false;
	text[length] = '\0';
	state = strrchr(text, ')');
	return state && !strncmp(state, ") R", 3);
}

/*
 * Returns the CPU time in ns that a thread of this process has used, or 0 if the host does not
 * tell.
 */
static uint64_t time_on_cpu(pid_t thread)
{
	char path[64], text[64];
	ssize_t length;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%d/schedstat", (int)thread);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	length = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (length <= 0)
		return 0;
	text[length] = '\0';
	return strtoull(text, NULL, 10);
}

/**
 * vcore_pace_join() - let a core begin to keep pace with the other cores
 * @pace: clocks of the cores of a package
 * @core: number of the core, which must not keep pace yet
 * @cycle: current cycle of the core's clock
 *
 * The core continues at the time of the core that is furthest ahead, because the package's time
 * must never decrease.
 */
void vcore_pace_join(struct vcore_pace *pace, unsigned int core, uint64_t cycle)
{
	uint64_t time = 0;
	unsigned int i;

	for (i = 0; i < VCORE_MAX_CORES; i++)
		if (core_time(pace, i) > time)
			time = core_time(pace, i);
	if (time > vcore_pace_time(pace, core, cycle))
		pace->offset[core] = time - cycle;
	set_core_time(pace, core, vcore_pace_time(pace, core, cycle));
	__atomic_store_n(&pace->thread[core], syscall(SYS_gettid),
			 __ATOMIC_RELAXED);
	__atomic_or_fetch(&pace->running, core_bit(core), __ATOMIC_ACQ_REL);
}

static bool is_behind(const struct vcore_pace *pace, unsigned int core,
		      uint64_t time)
{
	return vcore_pace_has(pace, core) &&
	       core_time(pace, core) + VCORE_PACE_AHEAD < time;
}

static bool is_waiting(const struct vcore_pace *pace, unsigned int core)
{
	return __atomic_load_n(&pace->waiting, __ATOMIC_ACQUIRE) & core_bit(core);
}

/*
 * Sleeps until core @core has advanced to @time, or for MAX_SLEEP_NS. The thread does not call
 * sched_yield() instead: on a busy host a thread that yields loses a whole time slice, while a
 * thread that has slept is scheduled at once.
 */
static void sleep_until_advance(struct vcore_pace *pace, unsigned int core, uint64_t time)
{
	static const struct timespec max_sleep = { .tv_nsec = MAX_SLEEP_NS };
	uint32_t woken = __atomic_load_n(&pace->woken[core], __ATOMIC_SEQ_CST);

	__atomic_or_fetch(&pace->awaited, core_bit(core), __ATOMIC_SEQ_CST);
	if (is_behind(pace, core, time))
		syscall(SYS_futex, &pace->woken[core], FUTEX_WAIT_PRIVATE, woken,
			&max_sleep, NULL, 0);
}

/**
 * vcore_pace_look() - look if a thread that others keep pace with makes progress on the host
 * @pace: clocks of the package
 * @core: number of the core
 *
 * Return: the state of the thread; its &vcore_pace_thread.waited is 0.
 */
struct vcore_pace_thread vcore_pace_look(const struct vcore_pace *pace, unsigned int core)
{
	pid_t thread = __atomic_load_n(&pace->thread[core], __ATOMIC_RELAXED);

	return (struct vcore_pace_thread){
		.waits = is_waiting(pace, core),
		.runnable = is_runnable(thread),
		.ran = time_on_cpu(thread),
	};
}

/**
 * vcore_pace_is_over() - check if a core may stop waiting for another one to keep pace
 * @thread: state of the other core's thread; its @ran is the CPU time since the other core's clock
 *	last advanced
 * @patience: limit in ns for a thread that sleeps, or that runs outside of the model
 *
 * The limit is RUNNABLE_FACTOR times as long if the thread itself waits for a third core, or if it
 * is ready to run but gets no CPU of the host.
 */
bool vcore_pace_is_over(const struct vcore_pace_thread *thread, uint64_t patience)
{
	return thread->waited > RUNNABLE_FACTOR * patience ||
	       (!thread->waits && (!thread->runnable || thread->ran > patience));
}

/* Lets core @me wait until core @core has advanced to @time, or until the patience is over. */
static void wait_for_core(struct vcore_pace *pace, unsigned int me,
			  unsigned int core, uint64_t time)
{
	uint64_t patience = vcore_pace_patience_ms * 1000000ull;
	struct vcore_pace_thread thread;
	uint64_t begin, since, came, ran;
	unsigned int spins = 0;

	if (!is_behind(pace, core, time))
		return;
	wake_waiters(pace, me);
	__atomic_or_fetch(&pace->waiting, core_bit(me), __ATOMIC_ACQ_REL);
	begin = monotonic_ns();
	since = begin;
	came = core_time(pace, core);
	ran = time_on_cpu(__atomic_load_n(&pace->thread[core], __ATOMIC_RELAXED));
	do {
		if (spins++ < SPINS)
			__builtin_ia32_pause();
		else
			sleep_until_advance(pace, core, time);
		if (spins < SPINS || monotonic_ns() - since <= patience)
			continue;
		since = monotonic_ns();
		thread = vcore_pace_look(pace, core);
		if (core_time(pace, core) != came) {
			came = core_time(pace, core);
			ran = thread.ran;
			continue;
		}
		thread.waited = since - begin;
		thread.ran -= ran;
		if (vcore_pace_is_over(&thread, patience))
			vcore_pace_leave(pace, core);
	} while (is_behind(pace, core, time));
	__atomic_and_fetch(&pace->waiting, ~core_bit(me), __ATOMIC_ACQ_REL);
}

/**
 * vcore_pace_keep() - let a core keep pace with the others: wait for those that are behind
 * @pace: clocks of the cores of a package
 * @core: number of the core
 * @cycle: cycle that the core is about to simulate
 *
 * Context: the thread that simulates the core.
 *
 * Return: true if the core did not keep pace before the call.
 */
bool vcore_pace_keep(struct vcore_pace *pace, unsigned int core,
		     uint64_t cycle)
{
	bool joins = !vcore_pace_has(pace, core);
	uint64_t others, time;

	if (joins)
		vcore_pace_join(pace, core, cycle);
	time = vcore_pace_time(pace, core, cycle);
	set_core_time(pace, core, time);
	others = running_cores(pace) & ~core_bit(core);
	for (; others; others &= others - 1)
		wait_for_core(pace, core, __builtin_ctzll(others), time);
	return joins;
}

/**
 * vcore_pace_passed() - advance a core's clock, for the pace of the other cores
 * @pace: clocks of the cores of a package
 * @core: number of the core
 * @cycle: first cycle of the core's clock that has not passed yet
 *
 * Context: the thread that simulates the core.
 *
 * Return: the package's time: the first cycle that has not passed yet on some running core.
 */
uint64_t vcore_pace_passed(struct vcore_pace *pace, unsigned int core,
			   uint64_t cycle)
{
	uint64_t time = vcore_pace_time(pace, core, cycle);
	uint64_t others = running_cores(pace) & ~core_bit(core);

	if (vcore_pace_has(pace, core))
		set_core_time(pace, core, time);
	for (; others; others &= others - 1) {
		uint64_t other = core_time(pace, __builtin_ctzll(others));

		if (other < time)
			time = other;
	}
	return time;
}
