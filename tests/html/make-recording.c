// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: make-recording topdown|late|tma|knc|stack|disturbed|roofline|counts|sockets|slices|hybrid FILE
 *        make-recording where|both|moved|branches|ops|fetches|retired|tasks PROGRAM FILE
 *        make-recording big CPUS SECONDS FILE [SECONDS]
 *
 * Writes a recording of known counts:
 *   topdown   level 3 on four CPUs of an Ivy Bridge
 *   late      level 2 on two of these CPUs, second half only
 *   tma       level 1 of the published tree on one of these CPUs
 *   knc       metrics of a Knights Corner with two cores
 *   stack     CPI stacks at three stages
 *   disturbed as "stack"; another agent wrote to counters of CPU 0, once
 *   roofline  work and memory traffic of one CPU, below ceilings
 *   counts    events of one CPU and its package, not multiplexed
 *   sockets   events of three packages of two CPUs: CPU N counts N + 1 times what CPU 0 counts, and so
 *             do the packages. CPU 0 loses a core sample before one of its package, and one of the
 *             package before a core sample; CPU 3 counts in the first three quarters only, and the
 *             last package is silent: it has the samples of the start only
 *   slices    multiplexed events of two CPUs, with the interrupted tasks; disturbed as well
 *   where     the events cycles and instructions of one CPU; instructions interrupts. It interrupts
 *             two functions of PROGRAM, at addresses of tests/html/where.S, a function of the copy
 *             PROGRAM-too, a function of the kernel, and code without a name
 *   both      as "where", but cycles interrupts, too, at the first three of these places
 *   moved     as "where", but with fewer interrupts in the first function, more in the second
 *             function, and none in the copy
 *   branches  as "both", but with call chains and branches, fewer interrupts, of which three are
 *             lost and ten are late; cycles interrupts 4,000 times a second
 *   ops       as "where", of a Zen 4 with the NUMA nodes 0 and 3, on which IBS samples ops in place
 *             of instructions; cycles interrupts three times, without an op
 *   fetches   as "ops", but IBS samples fetches
 *   retired   as "where", but with precise interrupts by locked loads of a Panther Lake. The CPU has
 *             written the retire latencies of those in the first two functions
 *   hybrid    level 1 on two performance cores and, at other rates, on two efficient cores
 *   big       level 2 of CPUS for SECONDS, fetched every 2 s; continued in FILE.1, FILE.2 and so
 *             on after each of the last SECONDS
 * In the second half of a recording, more slots retire than are issued, so that a share is
 * negative. CPU 1 loses samples.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "count/phi_passes.h"
#include "recording/recording_write.h"
#include "recording/symbols.h"
#include "tree/metric_choice.h"
#include "tree/tree.h"

#define KHZ 2000000
#define CPUS_MOST 1024
/* EAX of CPUID leaf 8000001BH of the virtual Zen 4 */
#define ZEN4_IBS 0x9fd
/* TSC ticks from one sample to the next, for 10 ms. */
#define STEP 20000000ULL
#define SAMPLES 1200
/*
 * Value of IA32_THERM_STATUS at 40 degrees C below TjMax. It is a gauge: values of several samples
 * are not added.
 */
#define DEGREES_40 (1ULL << 31 | 40 << 16)
/*
 * Number of samples of a CPU that are added to the recording at a time, as the tool fetches them.
 */
#define FETCHED 200

/**
 * struct record - a sample as the module sends it
 * @head: header of the sample
 * @value: values of the counters
 */
struct record {
	struct bpmu_sample head;
	u64 value[BPMU_MAX_COUNTERS];
};

/**
 * struct rate - frequency of the events whose names begin with a prefix
 * @begins: the prefix
 * @first: events per clock in the first half of the recording
 * @second: events per clock in the second half of the recording
 */
struct rate {
	const char *begins;
	double first;
	double second;
};

static const struct rate rates[] = {
	{ "CPU_CLK_UNHALTED", 1, 1 },
	{ "cycles", 1, 1 },
	{ "cycles:u", 0.0625, 0.0625 },
	{ "instructions", 0.75, 2.25 },
	{ "instructions:u", 0.5, 1.5 },
	{ "EXECUTION_STAGE_CYCLES", 1, 1 },
	{ "UOPS_RETIRED.RETIRE_SLOTS", 0.8, 2.4 },
	{ "UOPS_ISSUED.ANY", 1.0, 2.0 },
	{ "IDQ_UOPS_NOT_DELIVERED.CORE", 0.5, 0.3 },
	{ "IDQ_UOPS_NOT_DELIVERED.CORE:[>=4]", 0.05, 0.04 },
	{ "INT_MISC.RECOVERY_CYCLES", 0.01, 0.01 },
	{ "INSTRUCTIONS_EXECUTED", 0.3, 0.4 },
	{ "INST_RETIRED", 0.7, 2.1 },
	{ "CYCLE_ACTIVITY.STALLS_MEM_ANY", 0.45, 0.05 },
	{ "CYCLE_ACTIVITY.STALLS_L1D_MISS", 0.4, 0.04 },
	{ "CYCLE_ACTIVITY.STALLS_L2_MISS", 0.35, 0.02 },
	{ "CYCLE_ACTIVITY.CYCLES_NO_EXECUTE", 0.5, 0.1 },
	{ "DATA_READ_OR_WRITE", 0.2, 0.2 },
	{ "FP_COMP_OPS_EXE.SSE_SCALAR_DOUBLE", 0, 1 },
	{ "FP_COMP_OPS_EXE.SSE_PACKED_DOUBLE", 0, 0 },
	{ "SIMD_FP_256.PACKED_DOUBLE", 0, 0 },
	{ "UNC_ARB_TRK_REQUESTS.ALL", 0.0625, 0.03125 },
	{ "", 0.03, 0.06 },
};

/* The tasks that the samples of the recording "slices" have interrupted. */
static const struct bpmu_who people[] = {
	{ .ip = 0x401010, .pid = 100, .tgid = 100, .comm = "a.out" },
	{ .ip = 0x401030, .pid = 101, .tgid = 100, .comm = "worker" },
	{ .ip = 0xffffffff81000014, .pid = 100, .tgid = 100, .flags = BPMU_WHO_KERNEL,
	  .comm = "a.out" },
	{ .ip = 0xffffffff81000020, .flags = BPMU_WHO_KERNEL | BPMU_WHO_IDLE,
	  .comm = "swapper/0" },
};

static const char kernel_functions[] =
	"[[\"0xffffffff81000000\",64,\"work\",\"[kernel]\"]]";
static const char process_maps[] =
	"{\"tgid\":100,\"comm\":\"a.out\",\"maps\":[[4194304,8192,0,\"/nowhere/a.out\",\"\"]]}";

/*
 * The places of interrupts in the recording "where": the address of an instruction, its flags, how
 * many interrupts have this address (each stands for 10,000 instructions), and how many have it in
 * the recording "moved".
 */
static const struct {
	u64 ip;
	u32 flags;
	unsigned int times;
	unsigned int moved;
} places[] = {
	{ 0x401002, 0, 300, 150 }, { 0x401005, 0, 100, 100 }, { 0x40100c, 0, 80, 80 },
	{ 0x401023, 0, 400, 560 }, { 0x501002, 0, 10, 0 },
	{ 0xffffffff81000014, BPMU_WHO_KERNEL, 100, 100 }, { 0x7f0000000000, 0, 10, 10 },
};

/**
 * struct what - what a recording has
 * @pmu: PMU of the simulated CPU model
 * @groups: groups of events that were counted
 * @asked: command line of the tool that made the recording
 * @first: number of the first CPU
 * @cpus: number of CPUs
 * @of_socket: number of CPUs of a package; 0 for all
 * @nodes: number of NUMA nodes, 0 for one; CPU N is on the node whose number is three times N
 *	modulo this number
 * @threads: number of threads of a core; 0 or 1 without hyper-threading
 * @late: true if events have the rates of the second half of other recordings all the time
 * @whole: true if groups are not multiplexed
 * @disturbed: true if another agent writes counters
 * @who: true if samples name the interrupted task
 * @program: program in which interrupts occur; NULL for no interrupts
 * @both: true if the first event interrupts, too
 * @branches: true if interrupts have call chains and branches
 * @ops: true if interrupts have sampled ops
 * @fetches: true if interrupts have sampled fetches
 * @retired: true if interrupts have retire latencies
 * @tasks: true if several threads of several programs were interrupted
 * @moved: true if interrupts occur at the places of "moved"
 * @ceilings: ceilings of the machine's roofline; 0 for none
 * @samples: number of samples of each CPU, which are fetched in several steps; 0 for SAMPLES
 * @of_file: number of samples of each CPU in one file; 0 for all
 */
struct what {
	struct bpmu_pmu pmu;
	struct bpmu_groups *groups;
	char **asked;
	unsigned int first;
	unsigned int cpus;
	unsigned int of_socket;
	unsigned int nodes;
	unsigned int threads;
	bool late;
	bool whole;
	bool disturbed;
	bool who;
	const char *program;
	bool both;
	bool branches;
	bool ops;
	bool fetches;
	bool retired;
	bool tasks;
	bool moved;
	struct bpmu_ceilings ceilings;
	unsigned int samples;
	unsigned int of_file;
};

static void die(const struct bpmu_error *err)
{
	fprintf(stderr, "make-recording: %s\n", err->text);
	exit(1);
}

/*
 * Returns the rate of an event: the rate of the longest prefix in the table with which the event's
 * name begins.
 */
static double rate_of(const char *event, bool second)
{
	const struct rate *best = NULL;
	size_t i;

	for (i = 0; i < sizeof(rates) / sizeof(*rates); i++)
		if (!strncmp(event, rates[i].begins, strlen(rates[i].begins)) &&
		    (!best || strlen(rates[i].begins) > strlen(best->begins)))
			best = &rates[i];
	return second ? best->second : best->first;
}

/*
 * Returns the clocks of sample @k of a CPU, relative to the clocks of a CPU that is always busy. In
 * the first half of the recording, the last thread of a core idles. The clocks of samples differ a
 * little.
 */
static double clocks_of(const struct what *what, unsigned int cpu,
			unsigned int k)
{
	bool idle = what->threads > 1 && cpu % what->threads == 3 &&
		    k < SAMPLES / 2;

	return idle ? 0.001 : (1 - 0.1 * cpu / what->cpus) *
			      (1 + 0.02 * (k * 7 % 11));
}

static void count(const struct what *what, unsigned int cpu, unsigned int k,
		  unsigned int g, u64 *value)
{
	const struct bpmu_sched *sched = &what->groups->group[g].sched;
	double clocks = clocks_of(what, cpu, k) * STEP;
	double rate;
	unsigned int i;

	for (i = 0; i < sched->nr; i++) {
		rate = rate_of(sched->slot[i].text,
			       what->late || k >= SAMPLES / 2);
		/* The threads of a core share the clock of the core. */
		if (what->threads > 1 &&
		    !strncmp(sched->slot[i].text, "CPU_CLK", 7))
			value[sched->slot[i].value] += rate * STEP;
		else
			value[sched->slot[i].value] += rate * clocks *
				(1 + 0.05 * ((k * (i + 3)) % 5));
	}
}

static void write_cpu(const struct what *what, unsigned int cpu,
		      struct bpmu_recording *recording)
{
	unsigned int slices = what->groups->nr;
	static u64 value[BPMU_TREE_GROUPS][BPMU_MAX_COUNTERS];
	static u64 running[BPMU_TREE_GROUPS];
	struct {
		struct record record;
		struct bpmu_who who;
	} sample;
	struct record *record = &sample.record;
	unsigned int k, g;

	memset(value, 0, sizeof(value));
	memset(running, 0, sizeof(running));
	for (k = 0; k < SAMPLES + slices; k++) {
		g = k % slices;
		memset(&sample, 0, sizeof(sample));
		record->head.seq = k;
		record->head.cpu = cpu;
		record->head.group = g;
		record->head.nr = what->groups->group[g].sched.values;
		record->head.flags = k < slices ? BPMU_SAMPLE_START :
						BPMU_SAMPLE_TIMER;
		if (k >= slices) {
			count(what, cpu, k - slices, g, value[g]);
			running[g] += STEP;
			record->head.enabled = (k - slices + 1) * STEP;
		}
		if (what->disturbed && !cpu && k == SAMPLES / 3)
			record->head.flags |= BPMU_SAMPLE_DISTURBED;
		sample.who = people[k / 7 % (sizeof(people) / sizeof(*people))];
		record->head.running = running[g];
		record->head.tsc_begin = STEP + record->head.enabled;
		record->head.tsc_end = record->head.tsc_begin + 100;
		memcpy(record->value, value[g], sizeof(value[g]));
		/* CPU 1 loses the last ten of each 400 samples. */
		if (cpu == 1 && k > slices && k % 400 >= 390)
			continue;
		bpmu_recording_add(recording, &sample,
				   what->who ? sizeof(sample) : sizeof(*record));
	}
}

/*
 * Checks if a sample is missing in the recording "sockets": @k is its number in the group @bank of
 * the CPU.
 */
static bool is_missing(unsigned int cpu, unsigned int k, unsigned int bank)
{
	if (cpu >= 4)
		return k > 0;
	if (cpu == 3)
		return k > SAMPLES / 4 * 3;
	return !cpu && (bank == BPMU_BANK_CORE ? k == 100 : k == 700);
}

/* Writes samples of groups that are not multiplexed: those of a CPU and those of its package. */
static void write_whole(const struct what *what, unsigned int cpu,
			struct bpmu_recording *recording)
{
	unsigned int socket = what->of_socket ? cpu / what->of_socket : 0;
	bool reader = !what->of_socket || !(cpu % what->of_socket);
	u64 value[BPMU_TREE_GROUPS][BPMU_MAX_COUNTERS] = { };
	const struct bpmu_sched *sched;
	struct record record;
	unsigned int k, g, i;
	u64 seq = 0;

	for (k = 0; k <= SAMPLES; k++) {
		for (g = 0; g < what->groups->nr; g++) {
			sched = &what->groups->group[g].sched;
			if (sched->bank != BPMU_BANK_CORE && !reader)
				continue;
			memset(&record, 0, sizeof(record));
			record.head.seq = seq++;
			record.head.cpu = what->first + cpu;
			record.head.flags = k ? BPMU_SAMPLE_TIMER :
						BPMU_SAMPLE_START;
			record.head.bank = sched->bank;
			record.head.nr = sched->values;
			for (i = 0; k && i < sched->nr; i++)
				value[g][sched->slot[i].value] += STEP *
					((sched->bank == BPMU_BANK_CORE ? cpu : socket) + 1) *
					rate_of(sched->slot[i].text,
						k > SAMPLES / 2);
			if (!strcmp(sched->slot[0].text, "CORE.THERMAL_MARGIN"))
				value[g][0] = DEGREES_40;
			record.head.enabled = (u64)k * STEP;
			record.head.running = record.head.enabled;
			record.head.tsc_begin = STEP + record.head.enabled;
			record.head.tsc_end = record.head.tsc_begin;
			memcpy(record.value, value[g], sizeof(value[g]));
			if (!what->of_socket || !is_missing(cpu, k, sched->bank))
				bpmu_recording_add(recording, &record, sizeof(record));
		}
	}
}

/**
 * struct state - counts of a CPU of the recording "big" up to the latest sample
 * @value: [group][counter], counts
 * @running: [group], TSC ticks in which the group has counted
 */
struct state {
	u64 value[BPMU_TREE_GROUPS][BPMU_MAX_COUNTERS];
	u64 running[BPMU_TREE_GROUPS];
};

static void write_fetched(const struct what *what, unsigned int cpu,
			  unsigned int first, struct state *state,
			  struct bpmu_recording *recording)
{
	static struct record record[FETCHED];
	unsigned int slices = what->groups->nr;
	struct bpmu_sample *head;
	unsigned int i, k, g;

	memset(record, 0, sizeof(record));
	for (i = 0, k = first; i < FETCHED; i++, k++) {
		g = k % slices;
		head = &record[i].head;
		head->seq = k;
		head->cpu = cpu;
		head->group = g;
		head->nr = what->groups->group[g].sched.values;
		head->flags = k < slices ? BPMU_SAMPLE_START : BPMU_SAMPLE_TIMER;
		if (k >= slices) {
			count(what, cpu, k / 100 % SAMPLES, g, state->value[g]);
			state->running[g] += STEP - 20 * (k % 7);
			head->enabled = (k - slices + 1) * STEP;
		}
		head->running = state->running[g];
		/* The timer of each CPU has a phase of its own, and some jitter. */
		head->tsc_begin = STEP + head->enabled + 100 * cpu + k * 37 % 1000;
		head->tsc_end = head->tsc_begin + 2000 + k * 13 % 100;
		head->spent = 2100ULL * k;
		memcpy(record[i].value, state->value[g], sizeof(record[i].value));
	}
	bpmu_recording_add(recording, record, sizeof(record));
}

static void write_big(const struct what *what,
		      struct bpmu_recording_about *about, const char *name,
		      struct bpmu_recording *recording)
{
	struct state *state = calloc(what->cpus, sizeof(*state));
	struct bpmu_error err;
	unsigned int cpu, k;
	static char next[4096];

	for (k = 0; state && k < what->samples; k += FETCHED) {
		if (k && what->of_file && k % what->of_file == 0) {
			snprintf(next, sizeof(next), "%s.%u", name,
				 about->file++);
			if (bpmu_recording_switch(recording, next, about, &err))
				die(&err);
		}
		for (cpu = 0; cpu < what->cpus; cpu++)
			write_fetched(what, cpu, k, &state[cpu], recording);
		bpmu_recording_round(recording);
	}
	free(state);
}

/*
 * Writes records of interrupts at the first @nr places of the program. The event in @slot
 * interrupts. Each place gets the number of interrupts in places[], divided by @part. @seq is the
 * number of the CPU's next interrupt; it is increased by the number of records.
 */
static void write_places(const struct what *what, struct bpmu_recording *recording,
			 const struct bpmu_sched_slot *slot, unsigned int nr, unsigned int part,
			 u64 *seq)
{
	struct bpmu_overflow overflow = {
		.period = slot->period, .event = slot->value, .size = sizeof(overflow),
		.who = { .pid = 100, .tgid = 100, .comm = "where" },
	};
	unsigned int i, k, times;

	for (i = 0; i < nr; i++) {
		times = what->moved ? places[i].moved : places[i].times;
		for (k = 0; k < times / part; k++) {
			overflow.seq = (*seq)++;
			overflow.tsc = 2 * STEP + overflow.seq * STEP;
			overflow.who.ip = places[i].ip;
			overflow.who.flags = places[i].flags;
			bpmu_recording_add_overflows(recording, &overflow, sizeof(overflow));
		}
	}
}

/**
 * struct traced - an interrupt as the module sends it, with a call chain and branches
 * @head: the interrupt
 * @user: head of @callers
 * @callers: return addresses in user space
 * @last: head of @branch
 * @branch: branches before the interrupt, the last one first
 */
struct traced {
	struct bpmu_overflow head;
	struct bpmu_section user;
	u64 callers[2];
	struct bpmu_section last;
	struct bpmu_branch branch[2];
};

/*
 * The places of interrupts in the recording "branches": the address of an instruction, return
 * addresses, the branches before, and how many interrupts have this address. Those in the kernel
 * are late: each stands for 50,000 events, and has more callers than were recorded.
 */
static const struct {
	u64 ip, callers[2];
	struct bpmu_branch branch[2];
	unsigned int times;
} traced[] = {
	{ 0x401002, { 0x401023, 0x501023 },
	  { { 0x40100c, 0x401002, BPMU_BRANCH_PREDICTED | BPMU_BRANCH_CYCLES, 6 },
	    { 0x40100c, 0x401002, BPMU_BRANCH_PREDICTED | BPMU_BRANCH_CYCLES, 8 } }, 30 },
	{ 0x401005, { 0x501023, 0x401023 },
	  { { 0x40100c, 0x401002, BPMU_BRANCH_MISPREDICTED | BPMU_BRANCH_CYCLES, 21 },
	    { 0x401023, 0x401000 } }, 10 },
	{ 0x401023, { 0x501023, 0x401025 },
	  { { 0x401023, 0x401023, BPMU_BRANCH_PREDICTED },
	    { 0x50100e, 0x401020, BPMU_BRANCH_MISPREDICTED | BPMU_BRANCH_IN_TX } }, 40 },
	{ 0xffffffff81000014, { 0x401025, 0x501023 },
	  { { 0xffffffff81000010, 0xffffffff81000014, BPMU_BRANCH_PREDICTED },
	    { 0x401025, 0xffffffff81000000, BPMU_BRANCH_ABORT } }, 10 },
};

static void write_traced(struct bpmu_recording *recording, const struct bpmu_sched_slot *slot,
			 unsigned int nr, unsigned int part, u64 *seq)
{
	struct traced record = {
		.head = { .event = slot->value, .size = sizeof(record),
			  .who = { .pid = 100, .tgid = 100, .comm = "where" } },
		.user = { .id = BPMU_SECTION_USER,
			  .size = sizeof(record.user) + sizeof(record.callers) },
		.last = { .id = BPMU_SECTION_BRANCHES,
			  .size = sizeof(record.last) + sizeof(record.branch) },
	};
	unsigned int i, k;

	for (i = 0; i < nr; i++) {
		record.head.who.ip = traced[i].ip;
		record.head.who.flags = traced[i].ip >> 63 ? BPMU_WHO_KERNEL : 0;
		record.head.period = traced[i].ip >> 63 ? 50000 : 10000;
		record.user.flags = traced[i].ip >> 63 ? BPMU_SECTION_CUT : 0;
		memcpy(record.callers, traced[i].callers, sizeof(record.callers));
		memcpy(record.branch, traced[i].branch, sizeof(record.branch));
		for (k = 0; k < traced[i].times / part; k++) {
			record.head.seq = (*seq)++;
			record.head.tsc = 2 * STEP + record.head.seq * STEP;
			bpmu_recording_add_overflows(recording, &record, sizeof(record));
		}
	}
	*seq += 3;
}

/**
 * struct sampled - an interrupt as the module sends it, with a sampled op
 * @head: the interrupt
 * @section: head of @op
 * @op: the op
 */
struct sampled {
	struct bpmu_overflow head;
	struct bpmu_section section;
	struct bpmu_tagged_op op;
};

#define DATA (BPMU_TAGGED_LOAD | BPMU_TAGGED_ADDRESS)
#define MISS (DATA | BPMU_TAGGED_L1_MISS)

/* The ops of the recording "ops": address of the instruction, what IBS says, and how many there are */
static const struct {
	u64 ip;
	struct bpmu_tagged_op op;
	unsigned int times;
} sampled[] = {
	{ 0x401002, { 0x602040, DATA, 0, BPMU_SOURCE_L1, 9, 2 }, 20 },
	{ 0x401002, { 0x602048, MISS, 12, BPMU_SOURCE_L2, 21, 2 }, 10 },
	{ 0x401005, { 0x602078, MISS | BPMU_TAGGED_LOCKED | BPMU_TAGGED_STORE |
		      BPMU_TAGGED_MODIFIED, 60, BPMU_SOURCE_L3, 90, 4 }, 5 },
	{ 0x401005, { 0x7fff80, MISS | BPMU_TAGGED_MODIFIED, 140, BPMU_SOURCE_NEAR_CACHE, 160 }, 4 },
	{ 0x401005, { 0x7fff80, MISS, 240, BPMU_SOURCE_REMOTE_CACHE, 260 }, 3 },
	{ 0x401023, { 0x800000, MISS | BPMU_TAGGED_TLB_MISS, 300, BPMU_SOURCE_MEMORY, 330, 1 }, 25 },
	{ 0x401023, { 0x801000, MISS | BPMU_TAGGED_TLB_MISS | BPMU_TAGGED_TLB2_MISS, 500,
		      BPMU_SOURCE_REMOTE_MEMORY, 540, 1 }, 5 },
	{ 0x401023, { 0x802000, MISS, 700, BPMU_SOURCE_PERSISTENT, 720 }, 1 },
	{ 0x401023, { 0x802000, MISS, 800, BPMU_SOURCE_EXTENSION, 820 }, 1 },
	{ 0x401023, { 0x802000, MISS, 900, BPMU_SOURCE_PEER, 920 }, 1 },
	{ 0x401023, { 0x802000, DATA, 0, BPMU_SOURCE_IO, 970 }, 1 },
	{ 0x401023, { 0x803000, DATA }, 1 },
	{ 0x401023, { 0x803000, MISS, 400 }, 1 },
	{ 0x401025, { 0x602040, BPMU_TAGGED_STORE | BPMU_TAGGED_ADDRESS, .cycles = 6 }, 8 },
	{ 0x401025, { .flags = BPMU_TAGGED_BRANCH | BPMU_TAGGED_TAKEN, .cycles = 5 }, 8 },
	{ 0x401025, { .flags = BPMU_TAGGED_INEXACT, .cycles = 5 }, 2 },
	{ 0xffffffff81000014, { 0xffff888000001040, DATA, 0, BPMU_SOURCE_L1, 8, 1 }, 3 },
	{ 0xffffffff81000014, { 0, DATA, 0, BPMU_SOURCE_L1, 8, 1 }, 1 },
};

/* Writes an interrupt of address @ip, with the sections behind @head, @times times. */
static void write_times(struct bpmu_recording *recording, struct bpmu_overflow *head, u64 ip,
			unsigned int times)
{
	unsigned int k;

	head->who.ip = ip;
	head->who.flags = ip >> 63 ? BPMU_WHO_KERNEL : 0;
	for (k = 0; k < times; k++, head->seq++) {
		head->tsc = 2 * STEP + head->seq * STEP;
		bpmu_recording_add_overflows(recording, head, head->size);
	}
}

/* Writes three interrupts by an event @slot, without sections, where the last one of @head was. */
static void write_plain(struct bpmu_recording *recording, struct bpmu_overflow *head,
			const struct bpmu_sched_slot *slot)
{
	head->event = slot->value;
	head->period = slot->period;
	head->size = sizeof(*head);
	write_times(recording, head, head->who.ip, 3);
}

/* Writes interrupts by an event of IBS, with ops, and three by @other, without. */
static void write_sampled(struct bpmu_recording *recording, const struct bpmu_sched_slot *slot,
			  const struct bpmu_sched_slot *other)
{
	struct sampled record = {
		.head = { .event = slot->value, .period = slot->period, .size = sizeof(record),
			  .who = { .pid = 100, .tgid = 100, .comm = "where" } },
		.section = { .id = BPMU_SECTION_OP,
			     .size = sizeof(record.section) + sizeof(record.op) },
	};
	unsigned int i;

	for (i = 0; i < sizeof(sampled) / sizeof(*sampled); i++) {
		record.op = sampled[i].op;
		write_times(recording, &record.head, sampled[i].ip, sampled[i].times);
	}
	write_plain(recording, &record.head, other);
}

/**
 * struct fetched - an interrupt as the module sends it, with a sampled fetch
 * @head: the interrupt
 * @section: head of @fetch
 * @fetch: the fetch
 */
struct fetched {
	struct bpmu_overflow head;
	struct bpmu_section section;
	struct bpmu_fetched fetch;
};

#define FETCH (BPMU_FETCHED_COMPLETE | BPMU_FETCHED_REFILL)
#define FETCH_ZEN4 (FETCH | BPMU_FETCHED_ZEN4)
#define FETCH_MISS (FETCH_ZEN4 | BPMU_FETCHED_UOP_CACHE_MISS)

/* The fetches of the recording "fetches": address, what IBS says, and how many there are */
static const struct {
	u64 ip;
	struct bpmu_fetched fetch;
	unsigned int times;
} fetches[] = {
	{ 0x401002, { FETCH_ZEN4, 0, 0, 4096 }, 40 },
	{ 0x401002, { FETCH_MISS, 2, 0, 4096 }, 10 },
	{ 0x401005, { FETCH_MISS | BPMU_FETCHED_L1_MISS, 12, 0, 4096 }, 10 },
	{ 0x401023, { FETCH_MISS | BPMU_FETCHED_L1_MISS | BPMU_FETCHED_L2_MISS, 50, 0, 4096 }, 12 },
	{ 0x401023, { FETCH_MISS | BPMU_FETCHED_L1_MISS | BPMU_FETCHED_L2_MISS |
		      BPMU_FETCHED_L3_MISS | BPMU_FETCHED_TLB_MISS | BPMU_FETCHED_TLB2_MISS, 400,
		      60, 4096 }, 8 },
	{ 0x401025, { FETCH_MISS | BPMU_FETCHED_TLB_MISS, 9, 7, 4096 }, 5 },
	{ 0x401025, { BPMU_FETCHED_ZEN4 | BPMU_FETCHED_L1_MISS, 20, 0, 0 }, 3 },
	{ 0x401025, { FETCH, 0, 0, 4096 }, 4 },
	{ 0x401025, { FETCH | BPMU_FETCHED_L1_MISS | BPMU_FETCHED_L2_MISS, 90, 0, 4096 }, 2 },
	{ 0xffffffff81000014, { FETCH_MISS, 1, 0, 2 << 20 }, 6 },
};

/* Writes interrupts by an event of IBS, with fetches, and three by @other, without. */
static void write_fetches(struct bpmu_recording *recording, const struct bpmu_sched_slot *slot,
			  const struct bpmu_sched_slot *other)
{
	struct fetched record = {
		.head = { .event = slot->value, .period = slot->period, .size = sizeof(record),
			  .who = { .pid = 100, .tgid = 100, .comm = "where" } },
		.section = { .id = BPMU_SECTION_FETCH,
			     .size = sizeof(record.section) + sizeof(record.fetch) },
	};
	unsigned int i;

	for (i = 0; i < sizeof(fetches) / sizeof(*fetches); i++) {
		record.fetch = fetches[i].fetch;
		write_times(recording, &record.head, fetches[i].ip, fetches[i].times);
	}
	write_plain(recording, &record.head, other);
}

/**
 * struct timed - an interrupt as the module sends it, with its retire latency
 * @head: the interrupt
 * @section: head of @retired
 * @retired: the latency
 */
struct timed {
	struct bpmu_overflow head;
	struct bpmu_section section;
	struct bpmu_retired retired;
};

/*
 * Writes interrupts at the first places of "branches". The latencies of one place are its index
 * times 100, plus 0 to 4.
 */
static void write_timed(struct bpmu_recording *recording, const struct bpmu_sched_slot *slot)
{
	struct timed record = {
		.head = { .event = slot->value, .period = 10000,
			  .who = { .pid = 100, .tgid = 100, .comm = "where" } },
		.section = { .id = BPMU_SECTION_RETIRED,
			     .size = sizeof(record.section) + sizeof(record.retired) },
	};
	unsigned int i, k;

	for (i = 0; i < sizeof(traced) / sizeof(*traced); i++) {
		record.head.who.ip = traced[i].ip;
		record.head.who.flags = traced[i].ip >> 63 ? BPMU_WHO_KERNEL : 0;
		record.head.size = traced[i].ip >> 63 ? sizeof(record.head) : sizeof(record);
		for (k = 0; k < traced[i].times; k++) {
			record.retired.latency = 100 * i + k % 5;
			record.head.tsc = 2 * STEP + record.head.seq * STEP;
			bpmu_recording_add_overflows(recording, &record, record.head.size);
			record.head.seq++;
		}
	}
}

/* The mappings that processes of the recording "tasks" had under their names; the program is %1$s */
static const char *const task_maps[] = {
	"{\"tgid\":100,\"comm\":\"where\",\"maps\":[[4194304,8192,0,\"%1$s\",\"0123456789abcdef\"],"
	"[139637976727552,4096,0,\"\",\"\"]]}",
	"{\"tgid\":100,\"comm\":\"after\",\"maps\":[[5246976,4096,4096,\"%1$s-too\",\"\"]]}",
	"{\"tgid\":200,\"comm\":\"first\",\"maps\":[[4194304,8192,0,\"%1$s\",\"\"]]}",
	"{\"tgid\":200,\"comm\":\"second\",\"maps\":[[5242880,8192,0,\"%1$s-too\",\"\"]]}",
};

/*
 * The interrupts of the recording "tasks" in their order: who was interrupted, on which CPU, by which
 * event, and how many times
 */
static const struct {
	struct bpmu_who who;
	u32 cpu;
	unsigned int event;
	unsigned int times;
} tasks[] = {
	{ { .ip = 0x401002, .pid = 100, .tgid = 100, .comm = "where" }, 2, 1, 20 },
	{ { .ip = 0x401005, .pid = 101, .tgid = 100, .comm = "worker" }, 3, 1, 15 },
	{ { .ip = 0x401002, .pid = 100, .tgid = 100, .comm = "where" }, 2, 0, 10 },
	{ { .ip = 0x501022, .pid = 100, .tgid = 100, .comm = "after" }, 2, 1, 12 },
	{ { .ip = 0xffffffff81000014, .pid = 100, .tgid = 100, .flags = BPMU_WHO_KERNEL,
	    .comm = "after" }, 3, 1, 8 },
	{ { .ip = 0x401023, .pid = 100, .tgid = 100, .comm = "where" }, 3, 0, 5 },
	{ { .ip = 0x401023, .pid = 200, .tgid = 200, .comm = "nameless" }, 2, 1, 9 },
	{ { .ip = 0x501023, .pid = 201, .tgid = 200, .comm = "nameless" }, 3, 1, 7 },
	{ { .ip = 0x501002, .pid = 200, .tgid = 200, .comm = "second" }, 2, 0, 4 },
	{ { .ip = 0x401002, .pid = 300, .tgid = 300, .comm = "unmapped" }, 2, 1, 3 },
	{ { .flags = BPMU_WHO_UNNAMED }, 3, 1, 6 },
	{ { .ip = 0xffffffff81000020, .flags = BPMU_WHO_KERNEL | BPMU_WHO_IDLE,
	    .comm = "swapper/2" }, 2, 1, 2 },
};

static void write_tasks(const struct what *what, struct bpmu_recording *recording,
			const struct bpmu_sched_slot *slot)
{
	struct bpmu_overflow overflow = { .size = sizeof(overflow) };
	u64 seq[CPUS_MOST] = { }, time = 2 * STEP;
	unsigned int i, k;
	char maps[16384];

	for (i = 0; i < sizeof(task_maps) / sizeof(*task_maps); i++) {
		snprintf(maps, sizeof(maps), task_maps[i], what->program);
		bpmu_recording_block(recording, BPMU_RECORDING_PROCESS, maps);
	}
	for (i = 0; i < sizeof(tasks) / sizeof(*tasks); i++) {
		overflow.who = tasks[i].who;
		overflow.cpu = tasks[i].cpu;
		overflow.event = slot[tasks[i].event].value;
		overflow.period = slot[tasks[i].event].period;
		for (k = 0; k < tasks[i].times; k++, time += STEP) {
			overflow.seq = seq[overflow.cpu]++;
			overflow.tsc = time;
			bpmu_recording_add_overflows(recording, &overflow, sizeof(overflow));
		}
	}
}

/*
 * Writes the records of interrupts, and the mappings of the program in which they occur. The second
 * event interrupts; the first one, too, if @what says so.
 */
static void write_interrupts(const struct what *what, struct bpmu_recording *recording)
{
	const struct bpmu_sched_slot *slot = what->groups->group[0].sched.slot;
	char maps[16384], build_id[BPMU_BUILD_ID];
	u64 seq = 0;

	bpmu_symbols_build_id(what->program, build_id);
	snprintf(maps, sizeof(maps),
		 "{\"tgid\":100,\"comm\":\"where\",\"maps\":[[4194304,8192,0,\"%s\",\"%s\"],"
		 "[5242880,8192,0,\"%s-too\",\"%s\"]]}",
		 what->program, build_id, what->program, build_id);
	bpmu_recording_block(recording, BPMU_RECORDING_KERNEL, kernel_functions);
	if (what->tasks) {
		write_tasks(what, recording, slot);
		return;
	}
	bpmu_recording_block(recording, BPMU_RECORDING_PROCESS, maps);
	if (what->retired) {
		write_timed(recording, &slot[1]);
		return;
	}
	if (what->branches) {
		write_traced(recording, &slot[1], sizeof(traced) / sizeof(*traced), 1, &seq);
		write_traced(recording, &slot[0], 3, 10, &seq);
		return;
	}
	if (what->ops) {
		write_sampled(recording, &slot[0], &slot[1]);
		return;
	}
	if (what->fetches) {
		write_fetches(recording, &slot[0], &slot[1]);
		return;
	}
	write_places(what, recording, &slot[1], sizeof(places) / sizeof(*places), 1, &seq);
	if (what->both)
		write_places(what, recording, &slot[0], 3, 10, &seq);
}

static void describe(const struct what *what, struct bpmu_recording_about *about, u32 *cpu,
		     struct bpmu_topology *topology)
{
	static char *command[] = { "./a.out", "<b>&amp;</script>", NULL };
	unsigned int i;

	*about = (struct bpmu_recording_about){
		.info = { .tsc_khz = KHZ, .pmu = what->pmu },
		.interval_ns = 10000000ULL *
			       (what->whole ? 1 : what->groups->nr),
		.period_ns = 10000000,
		.cpus = { cpu, what->cpus }, .topology = topology,
		.machine_topology = topology, .machine_cpus = what->cpus,
		.groups = *what->groups, .asked = what->asked,
		.command = command, .host = "testhost",
		.smt = what->threads > 1,
		.ceilings = what->ceilings,
	};
	snprintf(about->info.part, sizeof(about->info.part), "%s",
		 what->pmu.part->name);
	snprintf(about->info.title, sizeof(about->info.title), "%s",
		 what->pmu.part->title);
	if (what->of_file) {
		about->session = 0xbadcafe;
		about->file = 1;
	}
	for (i = 0; i < what->cpus; i++) {
		cpu[i] = what->first + i;
		topology[i] = (struct bpmu_topology){
			what->of_socket ? i / what->of_socket : 0, cpu[i] / what->threads,
			.node = what->nodes ? 3 * (i % what->nodes) : 0,
		};
	}
}

/* Writes a recording of one or several core types. @what: [@nr], the contents of each core type. */
static void write_types(const struct what *what, unsigned int nr, const char *name)
{
	static struct bpmu_topology topology[CPUS_MOST];
	static u32 cpu[CPUS_MOST];
	struct bpmu_recording_about about[BPMU_CORE_TYPES];
	struct bpmu_recording recording;
	struct bpmu_error err;
	unsigned int i, k;

	for (k = 0; k < nr; k++)
		describe(&what[k], &about[k], cpu + what[k].first, topology + what[k].first);
	about->machine_cpus = what[nr - 1].first + what[nr - 1].cpus;
	about->others = nr - 1;
	if (bpmu_recording_create(&recording, name, &err))
		die(&err);
	recording.who = what->who;
	if (bpmu_recording_describe(&recording, about, sizeof(struct record) +
				    (what->who ? sizeof(struct bpmu_who) : 0), &err))
		die(&err);
	if (what->who) {
		bpmu_recording_block(&recording, BPMU_RECORDING_KERNEL, kernel_functions);
		bpmu_recording_block(&recording, BPMU_RECORDING_PROCESS, process_maps);
	}
	if (what->samples)
		write_big(what, about, name, &recording);
	for (i = 0; what->whole && i < what->cpus; i++)
		write_whole(what, i, &recording);
	if (what->program)
		write_interrupts(what, &recording);
	for (k = 0; k < nr && !what->samples && !what->whole; k++)
		for (i = 0; i < what[k].cpus; i++)
			write_cpu(&what[k], what[k].first + i, &recording);
	bpmu_recording_round(&recording);
	if (bpmu_recording_close(&recording, &err))
		die(&err);
}

static void write_all(const struct what *what, const char *name)
{
	write_types(what, 1, name);
}

/*
 * Makes the PMU of a CPU model. If the number of counters is found by CPUID leaf 0xA, the PMU has
 * four general-purpose and three fixed counters of 48 bits.
 */
static struct bpmu_pmu make_pmu(const char *part)
{
	const struct bpmu_cpuid cpuid = {
		.eax = 3 | 4 << 8 | 48 << 16, .edx = 3 | 48 << 5,
	};
	struct bpmu_pmu pmu;

	bpmu_pmu_init(&pmu, bpmu_part_by_name(part), &cpuid,
		      bpmu_part_by_name(part)->ids->core);
	return pmu;
}

static void tree(struct bpmu_tree_wish wish, struct what what, const char *name)
{
	struct bpmu_tree tree;
	struct bpmu_error err;

	what.threads = 1;
	what.pmu = make_pmu("ivb");
	wish.pmu = &what.pmu;
	if (bpmu_tree_make(&tree, &wish, &err))
		die(&err);
	what.groups = &tree.groups;
	write_all(&what, name);
	bpmu_tree_free(&tree);
}

static void hybrid(const char *name)
{
	static char *asked[] = { "topdown", "-l", "1", NULL };
	static const char *const parts[BPMU_CORE_TYPES] = { "adl", "adl-e" };
	struct what what[BPMU_CORE_TYPES] = { };
	struct bpmu_tree tree[BPMU_CORE_TYPES];
	struct bpmu_tree_wish wish = { .method = "topdown", .level = 1 };
	struct bpmu_error err;
	unsigned int k;

	for (k = 0; k < BPMU_CORE_TYPES; k++) {
		what[k] = (struct what){
			.asked = asked, .first = 2 * k, .cpus = 2, .threads = 1,
			.pmu = make_pmu(parts[k]), .late = k, .groups = &tree[k].groups,
		};
		wish.pmu = &what[k].pmu;
		if (bpmu_tree_make(&tree[k], &wish, &err))
			die(&err);
	}
	write_types(what, BPMU_CORE_TYPES, name);
	for (k = 0; k < BPMU_CORE_TYPES; k++)
		bpmu_tree_free(&tree[k]);
}

static void knc(const char *name)
{
	static char *asked[] = { "phi", NULL };
	struct bpmu_phi_passes passes;
	struct what what = {
		.asked = asked, .cpus = 8, .threads = 4, .groups = &passes.groups,
	};
	struct bpmu_error err;

	what.pmu = make_pmu("knc");
	if (bpmu_phi_passes_make(&passes, &what.pmu, 1, &err))
		die(&err);
	write_all(&what, name);
	bpmu_phi_passes_free(&passes);
}

static void roofline(const char *name)
{
	static char *asked[] = {
		"stat", "-M", "Memory_Traffic,DP_FLOP_Rate,Uop_Rate", NULL
	};
	struct bpmu_tree_wish wish = { .level = BPMU_TREE_ALL };
	struct bpmu_pmu pmu = make_pmu("ivb");
	struct bpmu_choice choice = { };
	struct bpmu_error err;

	if (bpmu_choice_add_names(&choice, asked[2], &err) ||
	    bpmu_choice_load(&choice, &pmu, &err))
		die(&err);
	bpmu_choice_wish(&choice, &wish);
	tree(wish, (struct what){
		.asked = asked, .cpus = 1, .whole = true,
		.ceilings = { .bytes = 10e9, .flops = 16e9, .uops = 8e9 },
	}, name);
	bpmu_choice_free(&choice);
}

/* Writes a recording of "barepmu stat". @asked: its command line: "stat", "-e", and the events. */
static void stat(char **asked, struct what what, const char *name)
{
	const struct bpmu_groups_wish wish = { };
	struct bpmu_event_list list = { };
	struct bpmu_groups groups;
	struct bpmu_error err;

	what.pmu = make_pmu(what.ops || what.fetches ? "zen4" : what.retired ? "ptl" : "ivb");
	what.pmu.ibs = what.ops || what.fetches ? ZEN4_IBS : 0;
	/* The unit of energy is 2^-16 J. */
	what.pmu.units = 16 << 8;
	what.asked = asked;
	what.threads = 1;
	what.groups = &groups;
	if (bpmu_event_list_parse(&what.pmu, 0, asked[2], &list, &err) ||
	    bpmu_groups_make(&groups, &what.pmu, &list, &wish, &err))
		die(&err);
	if (what.program)
		groups.group[0].sched.slot[1].period = 10000;
	if (what.both || what.tasks || what.ops || what.fetches)
		groups.group[0].sched.slot[0].period = 20000;
	if (what.branches)
		groups.group[0].sched.slot[0].frequency = 4000;
	write_all(&what, name);
	bpmu_groups_free(&groups);
	bpmu_event_list_free(&list);
}

int main(int argc, char **argv)
{
	static char *sockets[] = {
		"stat", "-e", "cycles,instructions,UNC_ARB_TRK_REQUESTS.ALL,POWER.PKG", NULL
	};
	static char *counts[] = {
		"stat", "-e", "cycles:u,instructions,cycles,instructions:u,"
		"MEM_LOAD_UOPS_RETIRED.LLC_HIT,UNC_ARB_TRK_REQUESTS.ALL,POWER.PKG,"
		"CORE.THERMAL_MARGIN", NULL
	};
	static char *slices[] = {
		"stat", "-e", "cycles,instructions,UOPS_ISSUED.ANY,r02c4,r04c4,r08c4,r10c4,"
		"r20c4,r40c4,r80c4", NULL
	};
	static char *where[] = { "stat", "-e", "cycles:u,instructions:u", NULL };
	static char *ops[] = { "stat", "-e", "ibs_op:cnt_ctl=1,cycles:u", NULL };
	static char *of_fetches[] = { "stat", "-e", "ibs_fetch/rand_en=1/,cycles:u", NULL };
	static char *locked[] = {
		"stat", "-e", "cycles:u,MEM_INST_RETIRED.LOCK_LOADS:upp", NULL
	};
	static char *of_tasks[] = {
		"stat", "-e", "cycles:u,BR_INST_RETIRED.ALL_BRANCHES:pp", NULL
	};
	static char *topdown[] = { "topdown", "-l", "3", NULL };
	static char *late[] = { "topdown", "-l", "2", NULL };
	static char *tma[] = { "topdown", "--method", "tma", NULL };
	static char *stack[] = { "cpistack", NULL };

	if (argc == 3 && !strcmp(argv[1], "topdown")) {
		tree((struct bpmu_tree_wish){ .method = "topdown", .level = 3 },
		     (struct what){ .asked = topdown, .cpus = 4 }, argv[2]);
	} else if (argc == 3 && !strcmp(argv[1], "late")) {
		tree((struct bpmu_tree_wish){ .method = "topdown", .level = 2 },
		     (struct what){ .asked = late, .cpus = 2, .late = true },
		     argv[2]);
	} else if (argc == 3 && !strcmp(argv[1], "tma")) {
		tree((struct bpmu_tree_wish){ .method = "tma", .level = 1 },
		     (struct what){ .asked = tma, .cpus = 1 }, argv[2]);
	} else if (argc == 3 && !strcmp(argv[1], "knc")) {
		knc(argv[2]);
	} else if (argc == 3 && !strcmp(argv[1], "hybrid")) {
		hybrid(argv[2]);
	} else if (argc == 3 && !strcmp(argv[1], "counts")) {
		stat(counts, (struct what){ .cpus = 1, .whole = true }, argv[2]);
	} else if (argc == 3 && !strcmp(argv[1], "sockets")) {
		stat(sockets, (struct what){ .cpus = 6, .of_socket = 2, .whole = true }, argv[2]);
	} else if (argc == 3 && !strcmp(argv[1], "slices")) {
		stat(slices, (struct what){ .cpus = 2, .disturbed = true, .who = true },
		     argv[2]);
	} else if (argc == 3 && (!strcmp(argv[1], "stack") || !strcmp(argv[1], "disturbed"))) {
		tree((struct bpmu_tree_wish){ .method = "cpistack",
					      .level = BPMU_TREE_ALL,
					      .cpi = true },
		     (struct what){ .asked = stack, .cpus = 4,
				    .disturbed = *argv[1] == 'd' }, argv[2]);
	} else if (argc == 4 && (!strcmp(argv[1], "where") || !strcmp(argv[1], "both") ||
				 !strcmp(argv[1], "moved") || !strcmp(argv[1], "branches"))) {
		stat(where, (struct what){ .cpus = 1, .whole = true, .program = argv[2],
					   .both = !strcmp(argv[1], "both"),
					   .branches = !strcmp(argv[1], "branches"),
					   .moved = *argv[1] == 'm' },
		     argv[3]);
	} else if (argc == 4 && !strcmp(argv[1], "retired")) {
		stat(locked, (struct what){ .cpus = 1, .whole = true, .program = argv[2],
					    .retired = true }, argv[3]);
	} else if (argc == 4 && !strcmp(argv[1], "tasks")) {
		stat(of_tasks, (struct what){ .first = 2, .cpus = 2, .whole = true,
					      .program = argv[2], .tasks = true }, argv[3]);
	} else if (argc == 4 && !strcmp(argv[1], "ops")) {
		stat(ops, (struct what){ .cpus = 4, .nodes = 2, .whole = true,
					 .program = argv[2], .ops = true }, argv[3]);
	} else if (argc == 4 && !strcmp(argv[1], "fetches")) {
		stat(of_fetches, (struct what){ .cpus = 4, .nodes = 2, .whole = true,
						.program = argv[2], .fetches = true }, argv[3]);
	} else if (argc == 3 && !strcmp(argv[1], "roofline")) {
		roofline(argv[2]);
	} else if ((argc == 5 || argc == 6) && !strcmp(argv[1], "big") &&
		   atoi(argv[2]) > 0 && atoi(argv[2]) <= CPUS_MOST) {
		tree((struct bpmu_tree_wish){ .method = "topdown", .level = 2 },
		     (struct what){ .asked = late, .cpus = atoi(argv[2]),
				    .samples = 100 * atoi(argv[3]),
				    .of_file = argc == 6 ? 100 * atoi(argv[5]) : 0 },
		     argv[4]);
	} else {
		fputs("Usage: make-recording topdown|late|tma|knc|stack|disturbed|roofline|counts|sockets|slices|hybrid FILE\n"
		      "       make-recording where|both|moved|branches|ops|fetches|retired|tasks PROGRAM FILE\n"
		      "       make-recording big CPUS SECONDS FILE [SECONDS]\n", stderr);
		return 2;
	}
	return 0;
}
