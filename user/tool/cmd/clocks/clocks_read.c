// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the machine's clocks, to measure what a reading costs. Many readings of a clock are timed
 * together, in a loop of some microseconds. The time of the same loop without readings is
 * subtracted.
 */
#include <cpuid.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include "arch.h"
#include "base/clock.h"
#include "base/cpulist.h"
#include "base/sysfs.h"
#include "clocks.h"
#include "event/affinity.h"
#include "source/overhead.h"

#define CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/"
/*
 * number of readings in each of the series of readings by which the cost of reading a clock is
 * measured
 */
#define BATCH_READINGS 200
/* time limit in ns for the round trips to another CPU; a CPU that takes longer is not compared */
#define TIMEOUT_NS (100 * BPMU_NS_PER_MS)
/*
 * number of moves of the process between two CPUs; a clock is read before and after each move. The
 * number is even, so that the process ends where it began
 */
#define MIGRATIONS 10
/* Bits of CPUID: RDTSCP in EDX of leaf 0x80000001, invariant TSC in EDX of leaf 0x80000007 */
#define HAS_RDTSCP (1U << 27)
#define HAS_INVARIANT (1U << 8)
/*
 * How long to wait for a step of a clock: this multiple of its stated resolution, at least
 * STEPS_WAIT_NS.
 */
#define STEPS_WAIT 50
#define STEPS_WAIT_NS (20 * BPMU_NS_PER_MS)
/* The step of a clock is not measured if its stated resolution in ns exceeds this. */
#define STATED_MAX_NS (100 * BPMU_NS_PER_MS)
/* The rate of the TSC is measured in five periods of this length in ns. */
#define PERIODS 5
#define PERIOD_NS (10 * BPMU_NS_PER_MS)

/**
 * struct method - how a clock is read
 * @name: name of the clock
 * @read: returns the clock's time, in ticks or ns
 * @type: &enum bpmu_clock_type
 * @id: argument of @read
 * @stated: resolution of the clock in ns; 0 if only clock_getres(2) tells it, or if it is unknown
 */
struct method {
	const char *name;
	u64 (*read)(clockid_t id);
	enum bpmu_clock_type type;
	clockid_t id;
	double stated;
};

static u64 read_nothing(clockid_t id)
{
	(void)id;
	return 0;
}

static u64 read_rdtsc(clockid_t id)
{
	(void)id;
	return __rdtsc();
}

static u64 read_rdtscp(clockid_t id)
{
	unsigned int cpu;

	(void)id;
	return __rdtscp(&cpu);
}

/*
 * Returns the value of fixed counter 1, unhalted core cycles, read by RDPMC; the counter stands
 * still if it is not enabled.
 */
static u64 read_rdpmc(clockid_t id)
{
	(void)id;
	return __rdpmc(1 << 30 | 1);
}

static u64 clocks_read_clock(clockid_t id)
{
	return bpmu_clock_ns(id);
}

static u64 read_timeofday(clockid_t id)
{
	struct timeval now;

	(void)id;
	gettimeofday(&now, NULL);
	return now.tv_sec * BPMU_NS_PER_S + now.tv_usec * 1000;
}

/*
 * Returns the value of time() of the C library in ns. It is one of the clocks whose cost is
 * measured.
 */
static u64 read_time(clockid_t id)
{
	(void)id;
	return time(NULL) * BPMU_NS_PER_S;
}

#pragma GCC diagnostic push
/*
 * ftime() is obsolete. Its cost is measured because the book that clocks.h names has it in its
 * table of clocks.
 */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static u64 read_ftime(clockid_t id)
{
	struct timeb now;

	(void)id;
	ftime(&now);
	return now.time * BPMU_NS_PER_S + now.millitm * BPMU_NS_PER_MS;
}

#pragma GCC diagnostic pop

#define CALL(id) { "clock_gettime(" #id ")", clocks_read_clock, BPMU_CLOCK_CALL, id }

static const struct method methods[] = {
	{ "rdtsc", read_rdtsc, BPMU_CLOCK_TICKS, 0 },
	{ "rdtscp", read_rdtscp, BPMU_CLOCK_TICKS, 0 },
	{ "rdpmc", read_rdpmc, BPMU_CLOCK_TICKS, 0 },
	CALL(CLOCK_REALTIME),
	CALL(CLOCK_MONOTONIC),
	CALL(CLOCK_MONOTONIC_RAW),
	CALL(CLOCK_BOOTTIME),
	CALL(CLOCK_TAI),
	CALL(CLOCK_REALTIME_COARSE),
	CALL(CLOCK_MONOTONIC_COARSE),
	CALL(CLOCK_PROCESS_CPUTIME_ID),
	CALL(CLOCK_THREAD_CPUTIME_ID),
	{ "gettimeofday", read_timeofday, BPMU_CLOCK_CALL, CLOCK_REALTIME, 1e3 },
	{ "ftime", read_ftime, BPMU_CLOCK_CALL, CLOCK_REALTIME, 1e6 },
	{ "time", read_time, BPMU_CLOCK_CALL, CLOCK_REALTIME, 1e9 },
};

#define NR_METHODS (sizeof(methods) / sizeof(methods[0]))

static sigjmp_buf fault;

static void on_fault(int signal)
{
	(void)signal;
	siglongjmp(fault, 1);
}

/*
 * Returns true if user space may execute the instruction of a method. To find out, this function
 * executes the instruction, and catches the fault if it is not allowed.
 */
static bool is_allowed(const struct method *method)
{
	struct sigaction action = { .sa_handler = on_fault };
	struct sigaction old[2];
	volatile bool allowed = false;

	sigaction(SIGSEGV, &action, &old[0]);
	sigaction(SIGILL, &action, &old[1]);
	if (!sigsetjmp(fault, 1)) {
		method->read(method->id);
		allowed = true;
	}
	sigaction(SIGSEGV, &old[0], NULL);
	sigaction(SIGILL, &old[1], NULL);
	return allowed;
}

static double batch_cost(const struct method *method)
{
	u64 sum = 0;
	u64 begin;
	int i;

	begin = __rdtsc();
	for (i = 0; i < BATCH_READINGS; i++)
		sum += method->read(method->id);
	/* Tells the compiler that the sum is used: otherwise it would remove the readings. */
	__asm__ volatile("" : : "r"(sum));
	return (double)(__rdtsc() - begin) / BATCH_READINGS;
}

static void measure_cost(const struct method *method, struct bpmu_clock *clock)
{
	static const struct method nothing = { "", read_nothing, 0, 0, 0 };
	double batch[BPMU_CLOCKS_BATCHES];
	struct bpmu_clock loop;
	unsigned int i;

	for (i = 0; i < BPMU_CLOCKS_BATCHES; i++)
		batch[i] = batch_cost(&nothing);
	bpmu_clocks_median(batch, &loop);
	for (i = 0; i < BPMU_CLOCKS_BATCHES; i++)
		batch[i] = batch_cost(method) - loop.cycles;
	bpmu_clocks_median(batch, clock);
}

static void measure_steps(const struct method *method, double khz,
			  struct bpmu_clock *clock)
{
	static double read[BPMU_CLOCKS_READS], at[BPMU_CLOCKS_READS];
	bool ticks = method->type == BPMU_CLOCK_TICKS;
	double unit = 1e6 / khz;
	double cost = clock->cycles * unit;
	/*
	 * Readings are stored as differences from the first reading: a double has 53 bits, too few
	 * for the exact number of nanoseconds since 1970.
	 */
	const u64 first = method->read(method->id), start = __rdtsc();
	u64 begin = bpmu_clock_ns(CLOCK_MONOTONIC), wait = 0;
	struct timespec stated;
	unsigned int nr = 0;

	clock->stated = method->stated;
	if (method->read == clocks_read_clock && !clock_getres(method->id, &stated))
		clock->stated = stated.tv_sec * 1e9 + stated.tv_nsec;
	if (clock->stated <= STATED_MAX_NS)
		wait = fmax(STEPS_WAIT_NS, STEPS_WAIT * clock->stated);
	/*
	 * A clock with large steps may not advance during the first BPMU_CLOCKS_READS readings.
	 * More readings are then made.
	 */
	while (nr < BPMU_CLOCKS_READS ||
	       (bpmu_clocks_unclear(clock, cost) &&
		bpmu_clock_ns(CLOCK_MONOTONIC) - begin < wait)) {
		if (nr == BPMU_CLOCKS_READS) {
			read[0] = read[nr - 1];
			at[0] = at[nr - 1];
			nr = 1;
		}
		for (; nr < BPMU_CLOCKS_READS; nr++) {
			read[nr] = (long long)(method->read(method->id) - first) *
				   (ticks ? unit : 1);
			at[nr] = ticks ? 0 : (__rdtsc() - start) * unit;
		}
		bpmu_clocks_steps(read, ticks ? NULL : at, nr, cost, clock);
	}
	clock->disturbed = wait && bpmu_clocks_unclear(clock, cost);
	if (clock->disturbed)
		clock->step = 0;
}

/*
 * Returns the rate of the TSC in kHz, measured in one period of PERIOD_NS by CLOCK_MONOTONIC_RAW,
 * because NTP does not change the rate of CLOCK_MONOTONIC_RAW.
 */
static double rate_of_period(void)
{
	u64 begin = bpmu_clock_ns(CLOCK_MONOTONIC_RAW);
	u64 ticks = __rdtsc();
	u64 now;

	do
		now = bpmu_clock_ns(CLOCK_MONOTONIC_RAW);
	while (now - begin < PERIOD_NS);
	return (__rdtsc() - ticks) * 1e6 / (now - begin);
}

static void find_rate(struct bpmu_clocks *clocks)
{
	double sum = 0, squares = 0;
	double rate;
	int i;

	for (i = 0; i < PERIODS; i++) {
		rate = rate_of_period();
		sum += rate;
		squares += rate * rate;
	}
	clocks->khz = sum / PERIODS;
	squares = fmax(0, squares - sum * sum / PERIODS);
	/* Student's t for a 95 % interval with 4 degrees of freedom: five periods. */
	clocks->khz_half = 2.776 * sqrt(squares / (PERIODS - 1) / PERIODS);
}

static void read_features(struct bpmu_clocks *clocks)
{
	struct bpmu_cpuid regs = { };

	if (__get_cpuid(0x80000001, &regs.eax, &regs.ebx, &regs.ecx,
			&regs.edx))
		clocks->rdtscp = regs.edx & HAS_RDTSCP;
	if (__get_cpuid(0x80000007, &regs.eax, &regs.ebx, &regs.ecx,
			&regs.edx))
		clocks->invariant = regs.edx & HAS_INVARIANT;
	bpmu_sysfs_read(CLOCKSOURCE "current_clocksource", clocks->current,
			sizeof(clocks->current));
	bpmu_sysfs_read(CLOCKSOURCE "available_clocksource",
			clocks->available, sizeof(clocks->available));
	/* The kernel ends the list with a blank, which is removed here. */
	while (*clocks->available &&
	       clocks->available[strlen(clocks->available) - 1] == ' ')
		clocks->available[strlen(clocks->available) - 1] = '\0';
}

/*
 * States of a mailbox: a thread on another CPU gets requests for the TSC of that CPU in the
 * mailbox, and answers them
 */
enum mailbox_state {
	MAILBOX_IDLE,
	MAILBOX_REQUESTED,
	MAILBOX_ANSWERED,
	MAILBOX_CLOSED
};

/**
 * struct mailbox - exchange of TSC values with a thread on another CPU
 * @state: &enum mailbox_state; with MAILBOX_CLOSED the thread ends
 * @cpu: the other CPU
 * @there: TSC that the thread read
 */
struct mailbox {
	_Atomic int state;
	u32 cpu;
	u64 there;
};

/*
 * Thread on another CPU: answers each request with the value of the TSC there, until the mailbox is
 * closed. The thread sets the mailbox's state only if it still is MAILBOX_REQUESTED (compare and
 * exchange): if the thread overwrote MAILBOX_CLOSED, it would never end. Returns NULL.
 */
static void *answer_requests(void *data)
{
	struct mailbox *box = data;
	int requested;

	if (bpmu_affinity_pin(box->cpu))
		return NULL;
	while (box->state != MAILBOX_CLOSED) {
		if (box->state != MAILBOX_REQUESTED)
			continue;
		_mm_lfence();
		box->there = __rdtsc();
		requested = MAILBOX_REQUESTED;
		atomic_compare_exchange_strong(&box->state, &requested, MAILBOX_ANSWERED);
	}
	return NULL;
}

/*
 * Waits for the answer to a request. Returns false if the other CPU is so busy that it has not
 * answered when CLOCK_MONOTONIC reaches @end.
 */
static bool mailbox_wait(struct mailbox *box, u64 end)
{
	while (box->state != MAILBOX_ANSWERED)
		if (bpmu_clock_ns(CLOCK_MONOTONIC) > end)
			return false;
	return true;
}

static void make_round_trips(struct mailbox *box, struct bpmu_clocks_offset *offset)
{
	u64 end = bpmu_clock_ns(CLOCK_MONOTONIC) + TIMEOUT_NS;
	unsigned int t;
	u64 here;

	for (t = 0; t < BPMU_CLOCKS_TRIPS; t++) {
		here = __rdtsc();
		_mm_lfence();
		box->state = MAILBOX_REQUESTED;
		if (!mailbox_wait(box, end))
			return;
		_mm_lfence();
		bpmu_clocks_trip(offset, here, box->there, __rdtsc());
		box->state = MAILBOX_IDLE;
	}
}

/*
 * Measures how much the TSC of CPU @cpu differs from the TSC of the CPU that runs this function.
 * Sets @offset to the bounds of the difference. Returns false if CPU @cpu took too long.
 */
static bool measure_offset(struct bpmu_clocks_offset *offset, u32 cpu)
{
	struct mailbox box = { .cpu = cpu };
	pthread_t thread;

	*offset = (struct bpmu_clocks_offset){ -INFINITY, INFINITY };
	if (pthread_create(&thread, NULL, answer_requests, &box))
		return false;
	make_round_trips(&box, offset);
	box.state = MAILBOX_CLOSED;
	pthread_join(thread, NULL);
	return isfinite(offset->low) && isfinite(offset->high);
}

/*
 * Moves the process from CPU @home to CPU @cpu and back several times. Reads each clock of the C
 * library before and after each move, and updates the clock's largest step backward.
 */
static void measure_backward_steps(struct bpmu_clocks *clocks, u32 home, u32 cpu)
{
	u64 before, after;
	unsigned int t, i;

	for (i = 0; i < NR_METHODS; i++) {
		if (methods[i].type != BPMU_CLOCK_CALL)
			continue;
		for (t = 0; t < MIGRATIONS; t++) {
			before = methods[i].read(methods[i].id);
			if (bpmu_affinity_pin(t & 1 ? home : cpu))
				return;
			after = methods[i].read(methods[i].id);
			clocks->clock[i].across =
				fmax(clocks->clock[i].across,
				     (long long)(before - after));
		}
	}
}

static void compare_with_cpu(struct bpmu_clocks *clocks, u32 home, u32 cpu)
{
	struct bpmu_clocks_offset offset;
	double offset_ns;

	measure_backward_steps(clocks, home, cpu);
	if (bpmu_affinity_pin(home) || !measure_offset(&offset, cpu))
		return;
	offset_ns = fmax(offset.low, -offset.high) * 1e6 / clocks->khz;
	clocks->away += offset_ns > 0;
	clocks->offset = fmax(clocks->offset, offset_ns);
	clocks->window = fmax(clocks->window, (offset.high - offset.low) * 1e6 /
					      clocks->khz);
	clocks->cpus++;
}

static void compare_cpus(struct bpmu_clocks *clocks, const struct bpmu_cpulist *cpus)
{
	unsigned int i;

	clocks->cpus = 1;
	for (i = 0; i < NR_METHODS; i++)
		clocks->clock[i].across =
			cpus->nr > 1 && methods[i].type == BPMU_CLOCK_CALL ? 0 :
									  NAN;
	for (i = 1; i < cpus->nr; i++)
		compare_with_cpu(clocks, cpus->cpu[0], cpus->cpu[i]);
}

/*
 * Measures how long barepmu.ko needs for a sample of two events, and stores the time in @clock. If
 * the module is not loaded or is in use, @clock->why says so.
 */
static void module_read(struct bpmu_clock *clock)
{
	struct bpmu_overhead overhead;
	struct bpmu_error err;

	clock->name = "barepmu, two events";
	clock->type = BPMU_CLOCK_MODULE;
	clock->across = NAN;
	if (bpmu_overhead_measure(&overhead, &err)) {
		snprintf(clock->why, sizeof(clock->why), "%.*s",
			 (int)strcspn(err.text, ";\n"), err.text);
		return;
	}
	clock->cycles = overhead.reading;
	clock->low = overhead.reading_low;
	clock->high = overhead.reading_high;
}

static void measure_method(struct bpmu_clocks *clocks, unsigned int i)
{
	struct bpmu_clock *clock = &clocks->clock[i];

	clock->name = methods[i].name;
	clock->type = methods[i].type;
	if (methods[i].read == read_rdtscp && !clocks->rdtscp)
		strcpy(clock->why, "the CPU has no such instruction");
	else if (!is_allowed(&methods[i]))
		strcpy(clock->why,
		       "not allowed in user space (CR4.PCE is 0)");
	if (*clock->why)
		return;
	measure_cost(&methods[i], clock);
	/* RDPMC reads a counter that may not be enabled, and that has no steps then. */
	if (methods[i].read != read_rdpmc)
		measure_steps(&methods[i], clocks->khz, clock);
}

/**
 * bpmu_clocks_measure() - read all clocks of the machine to measure cost, step and offset
 * @clocks: output
 * @cpus: CPUs whose clocks are compared; costs and steps are measured on the first one
 *
 * Takes about half a second. The process's affinity is restored.
 *
 * Return: 0, or a negative errno if the process cannot run on the first CPU.
 */
int bpmu_clocks_measure(struct bpmu_clocks *clocks,
			const struct bpmu_cpulist *cpus,
			struct bpmu_error *err)
{
	struct bpmu_affinity old;
	unsigned int i;

	memset(clocks, 0, sizeof(*clocks));
	if (bpmu_affinity_get(0, &old) ||
	    bpmu_affinity_pin(cpus->cpu[0]))
		return bpmu_error_set(err, -EINVAL,
				      "CPU %u: this process may not run there; choose another one with -C",
				      cpus->cpu[0]);
	read_features(clocks);
	find_rate(clocks);
	for (i = 0; i < NR_METHODS; i++)
		measure_method(clocks, i);
	compare_cpus(clocks, cpus);
	bpmu_affinity_set(0, &old);
	module_read(&clocks->clock[i]);
	clocks->nr = i + 1;
	return 0;
}

/* Switches the kernel to a clocksource; returns false if the kernel keeps another one. */
static bool switch_clocksource(const char *name)
{
	char now[BPMU_CLOCKS_NAME];
	size_t size = strlen(name);
	bool written;
	int fd;

	fd = open(CLOCKSOURCE "current_clocksource", O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	written = write(fd, name, size) == (ssize_t)size;
	close(fd);
	return written &&
	       bpmu_sysfs_read(CLOCKSOURCE "current_clocksource", now, sizeof(now)) &&
	       !strcmp(now, name);
}

static void measure_source(struct bpmu_clocksource *source)
{
	static const struct method by_source[BPMU_CLOCKS_BY_SOURCE] = {
		CALL(CLOCK_REALTIME),
		{ "gettimeofday", read_timeofday, BPMU_CLOCK_CALL, CLOCK_REALTIME, 1e3 },
	};
	unsigned int i;

	if (!switch_clocksource(source->name)) {
		strcpy(source->why, "the kernel does not switch to it");
		return;
	}
	for (i = 0; i < BPMU_CLOCKS_BY_SOURCE; i++) {
		source->clock[i].name = by_source[i].name;
		source->clock[i].type = by_source[i].type;
		measure_cost(&by_source[i], &source->clock[i]);
	}
}

/**
 * bpmu_clocks_compare() - read two clocks with each available clocksource to measure their costs
 * @clocks: the clocks as bpmu_clocks_measure() has measured them; &bpmu_clocks.source is filled in
 * @cpu: CPU that reads the clocks
 *
 * The kernel of the machine is switched to one available clocksource after the other, and at the
 * end back to the clocksource that it used before. Meanwhile signals are blocked. The process's
 * affinity is restored.
 *
 * Return: 0; -EACCES if this user may not switch clocksources; -EIO if the kernel did not switch
 * back.
 */
int bpmu_clocks_compare(struct bpmu_clocks *clocks, u32 cpu, struct bpmu_error *err)
{
	struct bpmu_affinity affinity;
	char list[BPMU_CLOCKS_LIST], *name, *rest;
	struct bpmu_clocksource *source;
	sigset_t all, before;
	bool back;

	if (access(CLOCKSOURCE "current_clocksource", W_OK) || !*clocks->current)
		return bpmu_error_set(err, -EACCES,
				      "--clocksources: this user may not switch the kernel's clocksource; run as root");
	bpmu_affinity_get(0, &affinity);
	bpmu_affinity_pin(cpu);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	strcpy(list, clocks->available);
	for (name = strtok_r(list, " ", &rest);
	     name && clocks->nr_sources < BPMU_CLOCKS_SOURCES;
	     name = strtok_r(NULL, " ", &rest)) {
		source = &clocks->source[clocks->nr_sources++];
		snprintf(source->name, sizeof(source->name), "%s", name);
		measure_source(source);
	}
	back = switch_clocksource(clocks->current);
	sigprocmask(SIG_SETMASK, &before, NULL);
	bpmu_affinity_set(0, &affinity);
	return back ? 0 :
	       bpmu_error_set(err, -EIO,
			      "clocksource: the kernel does not switch back to %s; write it to %scurrent_clocksource",
			      clocks->current, CLOCKSOURCE);
}
