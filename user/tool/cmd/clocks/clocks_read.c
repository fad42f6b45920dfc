// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the machine's clocks. A batch is a number of readings that takes some
 * microseconds; the time of the empty loop is subtracted.
 */
#include <cpuid.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include "arch.h"
#include "base/clock.h"
#include "base/cpulist.h"
#include "base/sysfs.h"
#include "clocks.h"
#include "source/overhead.h"

#define CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/"
#define BATCH 200
/* timeout of a CPU, which is then left out */
#define ANSWER_NS (100 * BPMU_NS_PER_MS)
/* readings of each clock alternately on two CPUs, an even number */
#define TRAVELS 10
#define BITS (8 * sizeof(long))
#define MASK_WORDS (BPMU_CPULIST_MAX / BITS)
/* CPUID 0x80000001 EDX and 0x80000007 EDX */
#define HAS_RDTSCP (1U << 27)
#define HAS_INVARIANT (1U << 8)
/* the TSC's rate is measured in this number of periods, of this length in ns */
#define PIECES 5
#define PIECE_NS (10 * BPMU_NS_PER_MS)

/**
 * struct way - a method of reading a clock
 * @name: its name
 * @read: reads it, in ticks or ns
 * @type: &enum bpmu_clock_type
 * @id: of a clock_gettime()
 */
struct way {
	const char *name;
	u64 (*read)(clockid_t id);
	enum bpmu_clock_type type;
	clockid_t id;
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

/* fixed counter 1: cycles of this CPU, if it runs */
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

#define CALL(id) { "clock_gettime(" #id ")", clocks_read_clock, BPMU_CLOCK_CALL, id }

static const struct way ways[] = {
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
	{ "gettimeofday", read_timeofday, BPMU_CLOCK_CALL, CLOCK_REALTIME },
};

#define NR_WAYS (sizeof(ways) / sizeof(ways[0]))

static sigjmp_buf fault;

static void on_fault(int signal)
{
	(void)signal;
	siglongjmp(fault, 1);
}

/* the instruction may fault in user space */
static bool is_allowed(const struct way *way)
{
	struct sigaction action = { .sa_handler = on_fault };
	struct sigaction old[2];
	volatile bool allowed = false;

	sigaction(SIGSEGV, &action, &old[0]);
	sigaction(SIGILL, &action, &old[1]);
	if (!sigsetjmp(fault, 1)) {
		way->read(way->id);
		allowed = true;
	}
	sigaction(SIGSEGV, &old[0], NULL);
	sigaction(SIGILL, &old[1], NULL);
	return allowed;
}

static double batch_of(const struct way *way)
{
	u64 sum = 0;
	u64 begin;
	int i;

	begin = __rdtsc();
	for (i = 0; i < BATCH; i++)
		sum += way->read(way->id);
	/* the sum is used, so that it is computed */
	__asm__ volatile("" : : "r"(sum));
	return (double)(__rdtsc() - begin) / BATCH;
}

static void cost_of(const struct way *way, struct bpmu_clock *clock)
{
	static const struct way nothing = { "", read_nothing, 0, 0 };
	double batch[BPMU_CLOCKS_BATCHES];
	struct bpmu_clock loop;
	unsigned int i;

	for (i = 0; i < BPMU_CLOCKS_BATCHES; i++)
		batch[i] = batch_of(&nothing);
	bpmu_clocks_median(batch, &loop);
	for (i = 0; i < BPMU_CLOCKS_BATCHES; i++)
		batch[i] = batch_of(way) - loop.cycles;
	bpmu_clocks_median(batch, clock);
}

static void fineness_of(const struct way *way, double khz,
			struct bpmu_clock *clock)
{
	static double read[BPMU_CLOCKS_READS];
	struct timespec stated;
	double unit = way->type == BPMU_CLOCK_TICKS ? 1e6 / khz : 1;
	u64 end = bpmu_clock_ns(CLOCK_MONOTONIC) + 20 * BPMU_NS_PER_MS;
	/* dates have more digits than a double */
	const u64 first = way->read(way->id);
	unsigned int nr = 0;

	/* a coarse clock may not change during these readings */
	while (nr < BPMU_CLOCKS_READS ||
	       (!clock->step && bpmu_clock_ns(CLOCK_MONOTONIC) < end)) {
		if (nr == BPMU_CLOCKS_READS) {
			read[0] = read[nr - 1];
			nr = 1;
		}
		while (nr < BPMU_CLOCKS_READS)
			read[nr++] = (long long)(way->read(way->id) - first) *
				     unit;
		bpmu_clocks_steps(read, nr, clock);
	}
	if (way->read == clocks_read_clock && !clock_getres(way->id, &stated))
		clock->stated = stated.tv_sec * 1e9 + stated.tv_nsec;
	else if (way->type == BPMU_CLOCK_CALL)
		clock->stated = 1000;
}

/* TSC rate over a short time, by a clock without adjustments */
static double rate_of_piece(void)
{
	u64 begin = bpmu_clock_ns(CLOCK_MONOTONIC_RAW);
	u64 ticks = __rdtsc();
	u64 now;

	do
		now = bpmu_clock_ns(CLOCK_MONOTONIC_RAW);
	while (now - begin < PIECE_NS);
	return (__rdtsc() - ticks) * 1e6 / (now - begin);
}

static void find_rate(struct bpmu_clocks *clocks)
{
	double sum = 0, squares = 0;
	double rate;
	int i;

	for (i = 0; i < PIECES; i++) {
		rate = rate_of_piece();
		sum += rate;
		squares += rate * rate;
	}
	clocks->khz = sum / PIECES;
	squares = fmax(0, squares - sum * sum / PIECES);
	/* Student's t of 4 degrees of freedom */
	clocks->khz_half = 2.776 * sqrt(squares / (PIECES - 1) / PIECES);
}

static void find_facts(struct bpmu_clocks *clocks)
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
	/* the kernel ends the list with a blank */
	while (*clocks->available &&
	       clocks->available[strlen(clocks->available) - 1] == ' ')
		clocks->available[strlen(clocks->available) - 1] = '\0';
}

/**
 * struct mailbox - communication between processes on two CPUs
 * @state: 0 idle, 1 asked, 2 answered, 3 the answering thread is to end
 * @there: TSC of the other one
 */
struct mailbox {
	_Atomic int state;
	u64 there;
};

static void clocks_read_answer(struct mailbox *box, u32 cpu)
{
	if (bpmu_cpu_pin(cpu))
		_exit(1);
	while (box->state != 3) {
		if (box->state != 1)
			continue;
		_mm_lfence();
		box->there = __rdtsc();
		box->state = 2;
	}
	_exit(0);
}

/* until then, so that a busy CPU does not hold it up for ever */
static bool mailbox_wait(struct mailbox *box, u64 end)
{
	while (box->state != 2)
		if (bpmu_clock_ns(CLOCK_MONOTONIC) > end)
			return false;
	return true;
}

static void exchange(struct mailbox *box, struct bpmu_clocks_offset *offset)
{
	u64 end = bpmu_clock_ns(CLOCK_MONOTONIC) + ANSWER_NS;
	unsigned int t;
	u64 here;

	for (t = 0; t < BPMU_CLOCKS_TRIPS; t++) {
		here = __rdtsc();
		_mm_lfence();
		box->state = 1;
		if (!mailbox_wait(box, end))
			return;
		_mm_lfence();
		bpmu_clocks_trip(offset, here, box->there, __rdtsc());
		box->state = 0;
	}
}

/* bounds of the offset of a CPU's TSC from that of the current CPU */
static bool clocks_read_compare(struct bpmu_clocks_offset *offset, u32 cpu)
{
	struct mailbox *box;
	pid_t pid;

	*offset = (struct bpmu_clocks_offset){ -INFINITY, INFINITY };
	box = mmap(NULL, sizeof(*box), PROT_READ | PROT_WRITE,
		   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (box == MAP_FAILED)
		return false;
	pid = fork();
	if (!pid)
		clocks_read_answer(box, cpu);
	if (pid > 0) {
		exchange(box, offset);
		box->state = 3;
		waitpid(pid, NULL, 0);
	}
	munmap(box, sizeof(*box));
	return isfinite(offset->low) && isfinite(offset->high);
}

/* largest backward step of a clock between the first CPU and another, either way */
static void travel(struct bpmu_clocks *clocks, u32 home, u32 cpu)
{
	u64 before, after;
	unsigned int t, i;

	for (i = 0; i < NR_WAYS; i++) {
		if (ways[i].type != BPMU_CLOCK_CALL)
			continue;
		for (t = 0; t < TRAVELS; t++) {
			before = ways[i].read(ways[i].id);
			if (bpmu_cpu_pin(t & 1 ? home : cpu))
				return;
			after = ways[i].read(ways[i].id);
			clocks->clock[i].across =
				fmax(clocks->clock[i].across,
				     (long long)(before - after));
		}
	}
}

static void clocks_read_visit(struct bpmu_clocks *clocks, u32 home, u32 cpu)
{
	struct bpmu_clocks_offset offset;
	double apart;

	travel(clocks, home, cpu);
	if (bpmu_cpu_pin(home) || !clocks_read_compare(&offset, cpu))
		return;
	apart = fmax(offset.low, -offset.high) * 1e6 / clocks->khz;
	clocks->away += apart > 0;
	clocks->offset = fmax(clocks->offset, apart);
	clocks->window = fmax(clocks->window, (offset.high - offset.low) * 1e6 /
					      clocks->khz);
	clocks->cpus++;
}

static void across(struct bpmu_clocks *clocks, const struct bpmu_cpulist *cpus)
{
	unsigned int i;

	clocks->cpus = 1;
	for (i = 0; i < NR_WAYS; i++)
		clocks->clock[i].across =
			cpus->nr > 1 && ways[i].type == BPMU_CLOCK_CALL ? 0 :
									  NAN;
	for (i = 1; i < cpus->nr; i++)
		clocks_read_visit(clocks, cpus->cpu[0], cpus->cpu[i]);
}

/* cost of a sample of two events by barepmu.ko, if it is loaded and idle */
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

static void one_way(struct bpmu_clocks *clocks, unsigned int i)
{
	struct bpmu_clock *clock = &clocks->clock[i];

	clock->name = ways[i].name;
	clock->type = ways[i].type;
	if (ways[i].read == read_rdtscp && !clocks->rdtscp)
		strcpy(clock->why, "the CPU has no such instruction");
	else if (!is_allowed(&ways[i]))
		strcpy(clock->why,
		       "not allowed in user space (CR4.PCE is 0)");
	if (*clock->why)
		return;
	cost_of(&ways[i], clock);
	/* a counter that is not enabled does not advance */
	if (ways[i].read != read_rdpmc)
		fineness_of(&ways[i], clocks->khz, clock);
}

/**
 * bpmu_clocks_measure() - measure all clocks
 * @clocks: filled in
 * @cpus: those to visit; costs are of the first one
 * @err: set on failure
 *
 * Takes about half a second, and ends where it began, on any CPU.
 *
 * Return: 0, or a negative errno if the process cannot run on the first CPU.
 */
int bpmu_clocks_measure(struct bpmu_clocks *clocks,
			const struct bpmu_cpulist *cpus,
			struct bpmu_error *err)
{
	unsigned long old[MASK_WORDS] = { 0 };
	unsigned int i;

	memset(clocks, 0, sizeof(*clocks));
	if (syscall(SYS_sched_getaffinity, 0, sizeof(old), old) < 0 ||
	    bpmu_cpu_pin(cpus->cpu[0]))
		return bpmu_error_set(err, -EINVAL,
				      "CPU %u: this process may not run there; choose another one with -C",
				      cpus->cpu[0]);
	find_facts(clocks);
	find_rate(clocks);
	for (i = 0; i < NR_WAYS; i++)
		one_way(clocks, i);
	across(clocks, cpus);
	syscall(SYS_sched_setaffinity, 0, sizeof(old), old);
	module_read(&clocks->clock[i]);
	clocks->nr = i + 1;
	return 0;
}
