// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the TSC's rate, of what is read of all clocks, and of the thread that reads another CPU's
 * TSC: it ends, whatever it is doing when the first CPU gives up waiting for it. The test includes
 * clocks_read.c unchanged, and fakes the machine: its clocks, CPUs and files. Each reading of a clock
 * takes a known number of ticks, and no time passes otherwise.
 */
#include <cpuid.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include "base/array.h"
#include "event/affinity.h"
#include "source/overhead.h"

static unsigned long long read_test_tsc(void);
static unsigned long long read_test_tscp(unsigned int *cpu);
static unsigned long long read_test_pmc(int counter);
static int test_cpuid(unsigned int leaf, unsigned int *eax, unsigned int *ebx, unsigned int *ecx,
		      unsigned int *edx);
static int test_timeofday(struct timeval *now, void *zone);
static time_t test_time(time_t *now);
static void test_ftime(struct timeb *now);
static int test_getres(clockid_t id, struct timespec *stated);
static int test_open(const char *path, int flags);
static ssize_t test_write(int fd, const char *text, size_t size);
static void test_close(int fd);
static int test_access(const char *path, int mode);
static int test_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
		       void *data);
static int test_join(pthread_t thread, void **result);

#define __rdtsc read_test_tsc
#define __rdtscp read_test_tscp
#undef __rdpmc
#define __rdpmc read_test_pmc
#define __get_cpuid test_cpuid
#define gettimeofday test_timeofday
#define time(now) test_time(now)
#define ftime test_ftime
#define clock_getres test_getres
#define open test_open
#define write test_write
#define close test_close
#define access test_access
#define pthread_create test_create
#define pthread_join test_join
#include "cmd/clocks/clocks_read.c"
#undef time
#undef pthread_create
#undef pthread_join

#include "unit.h"

/* Seconds to wait for the thread: a working one takes microseconds, a broken one never ends. */
#define WAIT_S 60

static struct mailbox box;
static unsigned int readings;
static bool gives_up;
/* In periods, time passes by the test's clock only, one period each time that it is read. */
static u64 elapsed_ns;
static const unsigned int *ticks_of_period;

/* ticks that a reading of a clock takes, if the machine is faked; 2 ticks are a nanosecond */
#define TICKS_PER_NS 2
#define TICKS_OF_TSC 20
#define TICKS_OF_PMC 70
#define TICKS_OF_DAY 50
#define TICKS_OF_TIME 6
#define TICKS_OF_FTIME 90

/* nanoseconds since 1970 when the machine begins */
#define EPOCH_NS 1800000000123456789ULL

static const unsigned int ticks_of_clock[] = {
	[CLOCK_REALTIME] = 40, [CLOCK_MONOTONIC] = 44, [CLOCK_PROCESS_CPUTIME_ID] = 400,
	[CLOCK_THREAD_CPUTIME_ID] = 420, [CLOCK_MONOTONIC_RAW] = 46, [CLOCK_MONOTONIC_COARSE] = 12,
	[CLOCK_BOOTTIME] = 48, [CLOCK_TAI] = 42,
};

/**
 * struct machine - a faked machine
 * @faked: false if the test fakes readings of the TSC only
 * @ticks: time in ticks of the TSC
 * @allowed: CPUs on which the process may run, a bit each
 * @ahead: by how much the TSC of each CPU is ahead, in ticks
 * @behind_ns: how far CLOCK_TAI of each CPU is behind, in ns
 * @slow_ticks: ticks that a reading of CLOCK_MONOTONIC takes in addition
 * @threadless: no thread can be created
 * @peer: mailbox of the thread on another CPU, NULL if there is none
 * @trips: number of requests that it has answered
 * @coarse_ticks: ticks that a reading of CLOCK_REALTIME_COARSE takes
 * @coarse_ns: step of CLOCK_REALTIME_COARSE in ns
 * @stated_ns: what the kernel states as this step
 * @illegal: signal that RDPMC raises, 0 for none
 * @rdtscp: the CPU has RDTSCP
 * @invariant: the TSC is invariant
 * @current: the kernel's clocksource
 * @list: available clocksources
 * @fixed: a clocksource that the kernel does not leave, NULL for none
 * @refused: clocksource to which a write fails
 * @read_only: the user may not write the kernel's clocksource
 * @dear: ticks that a reading of CLOCK_REALTIME takes more with another clocksource than "tsc"
 * @overhead: error of the module, NULL for none
 * @restored: how often the affinity was set to what it was at first
 * @blocked: SIGTERM was blocked at each write
 * @files: number of open files
 */
static struct machine {
	bool faked;
	unsigned long long ticks;
	unsigned int allowed;
	int ahead[4];
	unsigned int behind_ns[4];
	unsigned int slow_ticks;
	bool threadless;
	struct mailbox *peer;
	unsigned int trips;
	unsigned int coarse_ticks;
	unsigned int coarse_ns;
	unsigned int stated_ns;
	int illegal;
	bool rdtscp;
	bool invariant;
	char current[32];
	const char *list;
	const char *fixed;
	const char *refused;
	bool read_only;
	unsigned int dear;
	const char *overhead;
	unsigned int restored;
	bool blocked;
	int files;
} machine;

/* CPU on which the process runs */
static u32 cpu_here;

static void pass(unsigned int ticks)
{
	machine.ticks += ticks;
}

/* Answers a request as answer_requests() does on another CPU. */
static void answer(struct mailbox *peer)
{
	if (!peer || peer->state != MAILBOX_REQUESTED)
		return;
	pass(TICKS_OF_TSC);
	peer->there = machine.ticks + machine.ahead[peer->cpu];
	peer->state = MAILBOX_ANSWERED;
	machine.trips++;
}

static u64 now_ns(void)
{
	return EPOCH_NS + machine.ticks / TICKS_PER_NS;
}

u64 __wrap_bpmu_clock_ns(clockid_t clock)
{
	if (!machine.faked) {
		assert_int_equal(clock, CLOCK_MONOTONIC_RAW);
		elapsed_ns += PERIOD_NS;
		return elapsed_ns;
	}
	if (clock == CLOCK_REALTIME_COARSE) {
		pass(machine.coarse_ticks);
		return now_ns() / machine.coarse_ns * machine.coarse_ns;
	}
	assert_in_range(clock, 0, ARRAY_SIZE(ticks_of_clock) - 1);
	assert_true(ticks_of_clock[clock]);
	pass(ticks_of_clock[clock]);
	if (clock == CLOCK_MONOTONIC) {
		pass(machine.slow_ticks);
		answer(machine.peer);
	}
	if (clock == CLOCK_REALTIME && strcmp(machine.current, "tsc"))
		pass(machine.dear);
	return now_ns() - (clock == CLOCK_TAI ? machine.behind_ns[cpu_here] : 0);
}

static unsigned long long read_test_tsc(void)
{
	static unsigned long long ticks;

	if (machine.faked) {
		machine.ticks += TICKS_OF_TSC;
		return machine.ticks + machine.ahead[cpu_here];
	}
	readings++;
	if (ticks_of_period) {
		ticks += readings % 2 ? 12345 : ticks_of_period[readings / 2 - 1];
		return ticks;
	}
	if (gives_up)
		box.state = MAILBOX_CLOSED;
	return 1000 * readings;
}

static unsigned long long read_test_tscp(unsigned int *cpu)
{
	assert_true(machine.rdtscp);
	*cpu = 0;
	return read_test_tsc();
}

static unsigned long long read_test_pmc(int counter)
{
	assert_int_equal(counter, 0x40000001);
	if (machine.illegal)
		raise(machine.illegal);
	pass(TICKS_OF_PMC);
	return 5;
}

static int test_cpuid(unsigned int leaf, unsigned int *eax, unsigned int *ebx, unsigned int *ecx,
		      unsigned int *edx)
{
	*eax = *ebx = *ecx = ~0U;
	if (leaf == 0x80000001)
		*edx = machine.rdtscp ? 1U << 27 : ~(1U << 27);
	else if (leaf == 0x80000007)
		*edx = machine.invariant ? 1U << 8 : ~(1U << 8);
	else
		return 0;
	return 1;
}

static int test_timeofday(struct timeval *now, void *zone)
{
	assert_null(zone);
	pass(TICKS_OF_DAY);
	now->tv_sec = now_ns() / BPMU_NS_PER_S;
	now->tv_usec = now_ns() % BPMU_NS_PER_S / 1000;
	return 0;
}

static time_t test_time(time_t *now)
{
	assert_null(now);
	pass(TICKS_OF_TIME);
	return now_ns() / BPMU_NS_PER_S;
}

static void test_ftime(struct timeb *now)
{
	pass(TICKS_OF_FTIME);
	now->time = now_ns() / BPMU_NS_PER_S;
	now->millitm = now_ns() % BPMU_NS_PER_S / BPMU_NS_PER_MS;
}

static int test_getres(clockid_t id, struct timespec *stated)
{
	*stated = (struct timespec){ .tv_nsec = 1 };
	if (id == CLOCK_REALTIME_COARSE)
		stated->tv_nsec = machine.stated_ns;
	if (id == CLOCK_MONOTONIC_COARSE)
		*stated = (struct timespec){ .tv_sec = 2, .tv_nsec = 7 };
	return id == CLOCK_BOOTTIME ? -1 : 0;
}

int __wrap_bpmu_affinity_pin(u32 cpu)
{
	if (cpu >= ARRAY_SIZE(machine.ahead) || !(machine.allowed >> cpu & 1))
		return -EINVAL;
	cpu_here = cpu;
	return 0;
}

int __wrap_bpmu_affinity_get(pid_t tid, struct bpmu_affinity *mask)
{
	assert_int_equal(tid, 0);
	*mask = (struct bpmu_affinity){ .word[0] = machine.allowed };
	return machine.allowed ? 0 : -EINVAL;
}

int __wrap_bpmu_affinity_set(pid_t tid, const struct bpmu_affinity *mask)
{
	assert_int_equal(tid, 0);
	machine.restored += mask->word[0] == machine.allowed;
	return 0;
}

bool __wrap_bpmu_sysfs_read(const char *path, char *text, size_t size)
{
	if (!strcmp(path, CLOCKSOURCE "current_clocksource"))
		snprintf(text, size, "%s", machine.current);
	else if (!strcmp(path, CLOCKSOURCE "available_clocksource"))
		snprintf(text, size, "%s", machine.list);
	else
		fail_msg("%s is read", path);
	return *machine.current;
}

static int test_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
		       void *data)
{
	assert_null(attributes);
	assert_ptr_equal(run, answer_requests);
	assert_null(machine.peer);
	machine.peer = machine.allowed >> ((struct mailbox *)data)->cpu & 1 ? data : NULL;
	*thread = pthread_self();
	return machine.threadless ? EAGAIN : 0;
}

static int test_join(pthread_t thread, void **result)
{
	assert_int_equal(thread, pthread_self());
	assert_null(result);
	if (machine.peer)
		assert_int_equal(machine.peer->state, MAILBOX_CLOSED);
	machine.peer = NULL;
	return 0;
}

static int test_access(const char *path, int mode)
{
	assert_string_equal(path, CLOCKSOURCE "current_clocksource");
	assert_int_equal(mode, W_OK);
	return machine.read_only ? -1 : 0;
}

static int test_open(const char *path, int flags)
{
	assert_string_equal(path, CLOCKSOURCE "current_clocksource");
	assert_int_equal(flags, O_WRONLY | O_CLOEXEC);
	if (machine.read_only)
		return -1;
	machine.files++;
	return 7;
}

static ssize_t test_write(int fd, const char *text, size_t size)
{
	sigset_t blocked;

	assert_int_equal(fd, 7);
	sigprocmask(SIG_SETMASK, NULL, &blocked);
	machine.blocked &= sigismember(&blocked, SIGTERM);
	if (machine.refused && !strncmp(text, machine.refused, size)) {
		/* The kernel took some of the name. */
		strcpy(machine.current, machine.refused);
		return size - 1;
	}
	if (!machine.fixed || strcmp(machine.fixed, machine.current))
		snprintf(machine.current, sizeof(machine.current), "%.*s", (int)size, text);
	return size;
}

static void test_close(int fd)
{
	assert_int_equal(fd, 7);
	machine.files--;
}

int __wrap_bpmu_overhead_measure(struct bpmu_overhead *overhead, struct bpmu_error *err)
{
	*overhead = (struct bpmu_overhead){
		.reading = 900, .reading_low = 880, .reading_high = 950,
	};
	return machine.overhead ? bpmu_error_set(err, -ENODEV, "%s", machine.overhead) : 0;
}

static pthread_t begin_with(enum mailbox_state state)
{
	pthread_t thread;

	machine = (struct machine){ .allowed = 1 };
	readings = 0;
	box.cpu = 0;
	box.there = 0;
	box.state = state;
	assert_int_equal(pthread_create(&thread, NULL, answer_requests, &box), 0);
	return thread;
}

static void assert_ends(pthread_t thread)
{
	struct timespec end;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += WAIT_S;
	assert_int_equal(pthread_timedjoin_np(thread, NULL, &end), 0);
}

TEST(a_request_is_answered)
{
	pthread_t thread;

	gives_up = false;
	thread = begin_with(MAILBOX_REQUESTED);
	while (box.state != MAILBOX_ANSWERED)
		;
	assert_int_equal(box.there, 1000);
	box.state = MAILBOX_CLOSED;
	assert_ends(thread);
	assert_int_equal(readings, 1);
}

/*
 * On a busy machine the first CPU may give up while the other CPU reads its TSC for the answer. The
 * first CPU then closes the mailbox, through which the two CPUs exchange requests and answers. The
 * mailbox must stay closed.
 */
TEST(a_mailbox_that_is_closed_during_the_answer_stays_closed)
{
	gives_up = true;
	assert_ends(begin_with(MAILBOX_REQUESTED));
	assert_int_equal(box.state, MAILBOX_CLOSED);
	assert_int_equal(readings, 1);
}

TEST(a_thread_that_may_not_run_there_ends)
{
	pthread_t thread;

	machine = (struct machine){ .allowed = 1 };
	readings = 0;
	box.cpu = 1;
	box.state = MAILBOX_REQUESTED;
	assert_int_equal(pthread_create(&thread, NULL, answer_requests, &box), 0);
	assert_ends(thread);
	assert_int_equal(readings, 0);
	assert_int_equal(box.state, MAILBOX_REQUESTED);
}

/* The rates are 2.0, 2.1, 1.9, 2.0 and 2.0 GHz: a variance of 0.005, and Student's t of 2.776. */
TEST(the_rate_has_the_interval_of_its_periods)
{
	static const unsigned int ticks[PERIODS] = {
		2 * PERIOD_NS, 2.1 * PERIOD_NS, 1.9 * PERIOD_NS, 2 * PERIOD_NS, 2 * PERIOD_NS,
	};
	struct bpmu_clocks clocks = { };

	machine = (struct machine){ };
	readings = 0;
	ticks_of_period = ticks;
	find_rate(&clocks);
	ticks_of_period = NULL;
	assert_true(fabs(clocks.khz - 2000000) < 1);
	assert_true(fabs(clocks.khz_half - 2.776e6 * sqrt(0.005 / 5)) < 1);
}

/* Begins a faked machine of three CPUs on which the process may run, all of whose clocks agree. */
static void begin_machine(void)
{
	machine = (struct machine){
		.faked = true, .ticks = 1000, .allowed = 7, .coarse_ticks = 10,
		.coarse_ns = 4000000, .stated_ns = 4000000,
		.rdtscp = true, .invariant = true, .current = "tsc", .list = "tsc hpet acpi_pm ",
		.dear = 1000, .blocked = true,
	};
	cpu_here = 0;
}

static void measure(struct bpmu_clocks *clocks, unsigned int nr)
{
	u32 cpu[] = { 0, 1, 2 };
	const struct bpmu_cpulist cpus = { cpu, nr };
	struct bpmu_error err;

	memset(clocks, 0xff, sizeof(*clocks));
	assert_int_equal(bpmu_clocks_measure(clocks, &cpus, &err), 0);
	assert_int_equal(machine.restored, 1);
}

static bool is_near(double value, double expected)
{
	if (fabs(value - expected) <= fabs(expected) / 1000000)
		return true;
	print_message("%.9g is not %.9g\n", value, expected);
	return false;
}

/*
 * Each clock costs what the machine takes for a reading of it. Its step is what is between two
 * readings: the reading, and that of the TSC at which it happened, unless the clock is the TSC.
 */
TEST(each_clock_is_measured)
{
	static const struct {
		const char *name;
		enum bpmu_clock_type type;
		double cycles;
		double step;
		double stated;
	} expected[] = {
		{ "rdtsc", BPMU_CLOCK_TICKS, 20, 10, 0 },
		{ "rdtscp", BPMU_CLOCK_TICKS, 20, 10, 0 },
		{ "rdpmc", BPMU_CLOCK_TICKS, 70, 0, 0 },
		{ "clock_gettime(CLOCK_REALTIME)", BPMU_CLOCK_CALL, 40, 30, 1 },
		{ "clock_gettime(CLOCK_MONOTONIC)", BPMU_CLOCK_CALL, 44, 32, 1 },
		{ "clock_gettime(CLOCK_MONOTONIC_RAW)", BPMU_CLOCK_CALL, 46, 33, 1 },
		{ "clock_gettime(CLOCK_BOOTTIME)", BPMU_CLOCK_CALL, 48, 34, 0 },
		{ "clock_gettime(CLOCK_TAI)", BPMU_CLOCK_CALL, 42, 31, 1 },
		{ "clock_gettime(CLOCK_REALTIME_COARSE)", BPMU_CLOCK_CALL, 10, 4e6, 4e6 },
		{ "clock_gettime(CLOCK_MONOTONIC_COARSE)", BPMU_CLOCK_CALL, 12, 16, 2e9 + 7 },
		{ "clock_gettime(CLOCK_PROCESS_CPUTIME_ID)", BPMU_CLOCK_CALL, 400, 210, 1 },
		{ "clock_gettime(CLOCK_THREAD_CPUTIME_ID)", BPMU_CLOCK_CALL, 420, 220, 1 },
		{ "gettimeofday", BPMU_CLOCK_CALL, 50, 1000, 1e3 },
		{ "ftime", BPMU_CLOCK_CALL, 90, 1e6, 1e6 },
		/* A step of a second is too long to wait for. */
		{ "time", BPMU_CLOCK_CALL, 6, 0, 1e9 },
		{ "barepmu, two events", BPMU_CLOCK_MODULE, 900, 0, 0 },
	};
	struct bpmu_clocks clocks;
	unsigned int i;

	begin_machine();
	measure(&clocks, 1);
	assert_int_equal(clocks.nr, ARRAY_SIZE(expected));
	for (i = 0; i < clocks.nr; i++) {
		const struct bpmu_clock *clock = &clocks.clock[i];

		print_message("%s\n", expected[i].name);
		assert_string_equal(clock->name, expected[i].name);
		assert_int_equal(clock->type, expected[i].type);
		assert_string_equal(clock->why, "");
		assert_true(is_near(clock->cycles, expected[i].cycles));
		assert_true(is_near(clock->step, expected[i].step));
		assert_true(is_near(clock->stated, expected[i].stated));
		assert_false(clock->disturbed);
		assert_int_equal(clock->back, 0);
		assert_true(isnan(clock->across));
	}
	assert_true(is_near(clocks.clock[15].low, 880));
	assert_true(is_near(clocks.clock[15].high, 950));
	assert_true(is_near(clocks.khz, 2e6));
	assert_true(clocks.khz_half < 1);
	assert_true(clocks.rdtscp);
	assert_true(clocks.invariant);
	assert_string_equal(clocks.current, "tsc");
	assert_string_equal(clocks.available, "tsc hpet acpi_pm");
	assert_int_equal(clocks.cpus, 1);
	assert_int_equal(clocks.away, 0);
	assert_int_equal(clocks.nr_sources, 0);
}

TEST(the_blanks_after_the_clocksources_are_left_out)
{
	static const char *const lists[][2] = {
		{ "tsc hpet  ", "tsc hpet" }, { "tsc", "tsc" }, { " ", "" }, { "", "" },
	};
	struct bpmu_clocks clocks;
	unsigned int i;

	begin_machine();
	machine.rdtscp = false;
	machine.invariant = false;
	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		machine.list = lists[i][0];
		memset(&clocks, 0xff, sizeof(clocks));
		read_features(&clocks);
		assert_string_equal(clocks.available, lists[i][1]);
		assert_string_equal(clocks.current, "tsc");
		assert_false(clocks.rdtscp);
		assert_false(clocks.invariant);
	}
}

/* An instruction that the CPU does not have or that faults is not read again. */
TEST(a_clock_that_cannot_be_read_says_why)
{
	static const int signals[] = { SIGSEGV, SIGILL };
	struct sigaction before[2], after[2];
	struct bpmu_clocks clocks;
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(signals); i++) {
		begin_machine();
		machine.rdtscp = false;
		machine.illegal = signals[i];
		machine.overhead = "module: not loaded; run 'modprobe barepmu'";
		for (k = 0; k < ARRAY_SIZE(signals); k++)
			sigaction(signals[k], NULL, &before[k]);
		measure(&clocks, 1);
		for (k = 0; k < ARRAY_SIZE(signals); k++) {
			sigaction(signals[k], NULL, &after[k]);
			assert_ptr_equal(after[k].sa_sigaction, before[k].sa_sigaction);
		}
		assert_string_equal(clocks.clock[0].why, "");
		assert_string_equal(clocks.clock[1].why, "the CPU has no such instruction");
		assert_string_equal(clocks.clock[2].name, "rdpmc");
		assert_string_equal(clocks.clock[2].why,
				    "not allowed in user space (CR4.PCE is 0)");
		assert_true(clocks.clock[1].cycles == 0);
		assert_true(clocks.clock[2].cycles == 0);
		assert_string_equal(clocks.clock[3].why, "");
		assert_string_equal(clocks.clock[15].name, "barepmu, two events");
		assert_string_equal(clocks.clock[15].why, "module: not loaded");
		assert_true(clocks.clock[15].cycles == 0);
		assert_true(isnan(clocks.clock[15].across));
	}
}

/*
 * Each tick is so late that the clock advances by four of its steps at once. The tool looks for a
 * single step for 50 times what the kernel states, or for 20 ms if that is longer.
 */
TEST(a_clock_whose_ticks_are_late_is_disturbed)
{
	static const struct {
		unsigned int stated_ns;
		bool disturbed;
		double waited_ms;
	} cases[] = {
		{ 4000000, true, 200 },
		{ 100000, true, 20 },
		{ 100000000, true, 5000 },
		{ 100000001, false, 0 },
	};
	const struct method *method = &methods[8];
	unsigned long long begin;
	unsigned int i;

	assert_string_equal(method->name, "clock_gettime(CLOCK_REALTIME_COARSE)");
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct bpmu_clock clock = { .cycles = 10000 };

		begin_machine();
		machine.coarse_ticks = 10000;
		machine.stated_ns = cases[i].stated_ns;
		machine.coarse_ns = 4 * cases[i].stated_ns;
		begin = machine.ticks;
		measure_steps(method, TICKS_PER_NS * 1e6, &clock);
		assert_int_equal(clock.disturbed, cases[i].disturbed);
		assert_true(clock.step == 0);
		assert_true(clock.stated == cases[i].stated_ns);
		assert_in_range(machine.ticks - begin, cases[i].waited_ms * 1e6 * TICKS_PER_NS,
				(cases[i].waited_ms + 11) * 1e6 * TICKS_PER_NS);
	}
}

/* CLOCK_TAI of two CPUs is behind by 500 ns and 300 ns, of which a reading makes up for 21 ns. */
TEST(a_clock_that_goes_back_between_two_cpus_is_found)
{
	struct bpmu_clocks clocks = { .clock[7].across = 0 };
	unsigned int i;

	begin_machine();
	machine.behind_ns[1] = 500;
	machine.behind_ns[2] = 300;
	measure_backward_steps(&clocks, 0, 1);
	measure_backward_steps(&clocks, 0, 2);
	assert_string_equal(methods[7].name, "clock_gettime(CLOCK_TAI)");
	for (i = 0; i < NR_METHODS; i++)
		assert_true(clocks.clock[i].across == (i == 7 ? 479 : 0));
	/* The way back is looked at, too. */
	begin_machine();
	machine.behind_ns[0] = 900;
	clocks.clock[7].across = 0;
	measure_backward_steps(&clocks, 0, 1);
	assert_true(clocks.clock[7].across == 879);
	assert_int_equal(cpu_here, 0);
	/* A CPU on which the process may not run is not compared. */
	clocks.clock[7].across = 0;
	measure_backward_steps(&clocks, 0, 3);
	assert_true(clocks.clock[7].across == 0);
}

/*
 * In a round trip the other CPU's TSC is read 64 ticks after the first CPU's, and this is read again
 * 20 ticks later.
 */
TEST(the_tscs_of_all_cpus_are_compared)
{
	static const struct {
		int ahead[3];
		unsigned int nr;
		unsigned int away;
		double offset;
	} cases[] = {
		{ { 0, 1000, -700 }, 3, 2, 490 },
		{ { 0, 400, -1700 }, 3, 2, 818 },
		{ { 5000, 5000, 5030 }, 3, 1, 5 },
		{ { 0, 20, -64 }, 3, 0, 0 },
		{ { 0, 21, -65 }, 3, 2, 0.5 },
		{ { 0, 1000, -700 }, 2, 1, 490 },
		{ { 0, 1000, -700 }, 1, 0, 0 },
	};
	u32 cpu[] = { 0, 1, 2 };
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct bpmu_cpulist cpus = { cpu, cases[i].nr };
		struct bpmu_clocks clocks = { .khz = TICKS_PER_NS * 1e6 };

		begin_machine();
		memcpy(machine.ahead, cases[i].ahead, sizeof(cases[i].ahead));
		compare_cpus(&clocks, &cpus);
		assert_int_equal(clocks.cpus, cases[i].nr);
		assert_int_equal(clocks.away, cases[i].away);
		assert_true(is_near(clocks.offset, cases[i].offset));
		assert_true(is_near(clocks.window, 42 * (cases[i].nr > 1)));
		assert_int_equal(machine.trips, (cases[i].nr - 1) * BPMU_CLOCKS_TRIPS);
		for (k = 0; k < NR_METHODS; k++)
			assert_int_equal(!isnan(clocks.clock[k].across),
					 methods[k].type == BPMU_CLOCK_CALL && cases[i].nr > 1);
	}
}

/* No answer comes from a CPU on which no thread may run. */
TEST(a_cpu_that_does_not_answer_is_left_out)
{
	struct bpmu_clocks clocks = { .khz = 2e6, .cpus = 1 };
	struct bpmu_clocks_offset offset;
	unsigned long long begin, wait;

	begin_machine();
	/* Two readings of the clock and one of the TSC take 100 ms: the fourth reading is the last. */
	wait = 50 * BPMU_NS_PER_MS * TICKS_PER_NS - TICKS_OF_TSC / 2;
	machine.slow_ticks = wait - ticks_of_clock[CLOCK_MONOTONIC];
	begin = machine.ticks;
	assert_false(measure_offset(&offset, 3));
	assert_int_equal(machine.ticks - begin, 4 * wait + TICKS_OF_TSC);
	assert_true(isinf(offset.low));
	assert_true(isinf(offset.high));
	compare_with_cpu(&clocks, 0, 3);
	assert_int_equal(clocks.cpus, 1);
	assert_true(clocks.window == 0);
	/* Neither is one compared without a thread, nor if the process cannot get back. */
	machine.slow_ticks = 0;
	machine.threadless = true;
	compare_with_cpu(&clocks, 0, 1);
	assert_int_equal(clocks.cpus, 1);
	machine.peer = NULL;
	machine.threadless = false;
	machine.allowed = 2;
	compare_with_cpu(&clocks, 0, 1);
	assert_int_equal(clocks.cpus, 1);
	assert_int_equal(machine.trips, 0);
}

TEST(a_process_that_may_not_run_on_the_first_cpu_is_told_so)
{
	static const unsigned int allowed[] = { 1, 0 };
	u32 cpu[] = { 2, 0 };
	const struct bpmu_cpulist cpus = { cpu, 2 };
	struct bpmu_clocks clocks;
	struct bpmu_error err;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(allowed); i++) {
		begin_machine();
		machine.allowed = allowed[i];
		assert_int_equal(bpmu_clocks_measure(&clocks, &cpus, &err), -EINVAL);
		assert_string_equal(err.text, "CPU 2: this process may not run there; choose another one with -C");
		assert_int_equal(machine.restored, 0);
	}
}

static int compare(struct bpmu_clocks *clocks, struct bpmu_error *err)
{
	sigset_t before, after;
	int code;

	memset(clocks, 0, sizeof(*clocks));
	read_features(clocks);
	sigprocmask(SIG_SETMASK, NULL, &before);
	code = bpmu_clocks_compare(clocks, 2, err);
	sigprocmask(SIG_SETMASK, NULL, &after);
	assert_int_equal(sigismember(&after, SIGTERM), sigismember(&before, SIGTERM));
	assert_int_equal(machine.files, 0);
	assert_true(machine.blocked);
	return code;
}

TEST(each_clocksource_is_measured_and_the_first_is_used_again)
{
	static const char *const names[] = { "tsc", "hpet", "acpi_pm" };
	struct bpmu_clocks clocks;
	struct bpmu_error err;
	unsigned int i;

	begin_machine();
	assert_int_equal(compare(&clocks, &err), 0);
	assert_int_equal(clocks.nr_sources, 3);
	for (i = 0; i < 3; i++) {
		const struct bpmu_clock *clock = clocks.source[i].clock;

		assert_string_equal(clocks.source[i].name, names[i]);
		assert_string_equal(clocks.source[i].why, "");
		assert_string_equal(clock[0].name, "clock_gettime(CLOCK_REALTIME)");
		assert_string_equal(clock[1].name, "gettimeofday");
		assert_int_equal(clock[0].type, BPMU_CLOCK_CALL);
		assert_int_equal(clock[1].type, BPMU_CLOCK_CALL);
		assert_true(is_near(clock[0].cycles, i ? 1040 : 40));
		assert_true(is_near(clock[1].cycles, TICKS_OF_DAY));
	}
	assert_string_equal(machine.current, "tsc");
	assert_int_equal(machine.restored, 1);
	assert_int_equal(cpu_here, 2);
	/* There may be more than the tool has room for. */
	machine.list = "tsc a b c d e f g h i";
	assert_int_equal(compare(&clocks, &err), 0);
	assert_int_equal(clocks.nr_sources, BPMU_CLOCKS_SOURCES);
	assert_string_equal(clocks.source[7].name, "g");
	assert_string_equal(machine.current, "tsc");
}

TEST(a_clocksource_to_which_the_kernel_does_not_switch_says_so)
{
	static const char why[] = "the kernel does not switch to it";
	struct bpmu_clocks clocks;
	struct bpmu_error err;

	/* The kernel refuses the name, and it takes the name and keeps what it used. */
	begin_machine();
	machine.refused = "hpet";
	assert_int_equal(compare(&clocks, &err), 0);
	assert_string_equal(clocks.source[0].why, "");
	assert_string_equal(clocks.source[1].why, why);
	assert_null(clocks.source[1].clock[0].name);
	assert_string_equal(clocks.source[2].why, "");
	assert_string_equal(machine.current, "tsc");
	begin_machine();
	machine.fixed = "hpet";
	assert_int_equal(compare(&clocks, &err), -EIO);
	assert_string_equal(clocks.source[1].why, "");
	assert_string_equal(clocks.source[2].why, why);
	assert_string_equal(err.text, "clocksource: the kernel does not switch back to tsc; write it to /sys/devices/system/clocksource/clocksource0/current_clocksource");
	assert_int_equal(machine.restored, 1);
}

TEST(who_may_not_switch_the_clocksource_is_told_so)
{
	struct bpmu_clocks clocks;
	struct bpmu_error err;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		begin_machine();
		machine.read_only = !i;
		if (i)
			*machine.current = '\0';
		assert_int_equal(compare(&clocks, &err), -EACCES);
		assert_string_equal(err.text, "--clocksources: this user may not switch the kernel's clocksource; run as root");
		assert_int_equal(clocks.nr_sources, 0);
		assert_int_equal(machine.restored, 0);
	}
	begin_machine();
	assert_true(switch_clocksource("hpet"));
	machine.read_only = true;
	assert_false(switch_clocksource("hpet"));
}
