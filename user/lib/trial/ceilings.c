// SPDX-License-Identifier: GPL-2.0
#include "ceilings.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/sysfs.h"
#include "base/team.h"
#include "event/affinity.h"

#define LINE_BYTES 64
/*
 * A CPU reads memory of CACHES times the size of its caches, so that few of the reads hit in a
 * cache.
 */
#define CACHES 4
/* smallest size in bytes of the memory to read, used if the kernel reports no caches */
#define BYTES_LEAST (4 << 20)
/* shortest CPU time of a run in ns: much longer than it takes to start the loop on all CPUs */
#define RUN_NS (20 * BPMU_NS_PER_MS)
/*
 * Largest fraction of the fastest run's time during which a CPU may have executed other programs
 * instead of the loop. The measured rate can be too low by this fraction.
 */
#define WAITED_MOST 0.05
/*
 * Number of runs of each loop. The rate of the fastest run is taken, as in STREAM: slower runs were
 * disturbed.
 */
#define RUNS 5

/**
 * struct ceilings_loop - a loop with a known amount of work, to measure a maximum rate
 * @run: executes the loop
 * @name: what the loop executes, for error messages
 * @work: uops or floating-point operations in one iteration of the loop; 0 if an iteration reads
 *	the whole memory, whose size in bytes is then the work
 * @what: offset of the rate that the loop measures in &struct bpmu_ceilings
 * @feature: name of the CPU feature that the loop needs, as GCC calls it; NULL if it needs none
 */
struct ceilings_loop {
	void (*run)(u64 rounds, const char *memory, size_t bytes);
	const char *name;
	double work;
	size_t what;
	const char *feature;
};

/*
 * Reads @bytes of memory @rounds times. One word of each cache line is read, which transfers the
 * whole line from memory.
 */
static void read_lines(u64 rounds, const char *memory, size_t bytes)
{
	const char *end = memory + bytes;
	const char *at;
	u64 word;

	for (; rounds; rounds--)
		for (at = memory; at < end; at += 8 * LINE_BYTES)
			asm volatile("mov (%1), %0\n\t"
				     "mov 64(%1), %0\n\t"
				     "mov 128(%1), %0\n\t"
				     "mov 192(%1), %0\n\t"
				     "mov 256(%1), %0\n\t"
				     "mov 320(%1), %0\n\t"
				     "mov 384(%1), %0\n\t"
				     "mov 448(%1), %0"
				     : "=&r" (word) : "r" (at) : "memory");
}

/*
 * Number of nops in an iteration of the loop that measures the maximum rate of uops. A nop needs
 * only a slot of the pipeline; other uops need resources that may be scarcer than slots. The
 * decrement and the branch of the loop fuse to a single uop, so that an iteration has NOPS + 1
 * uops.
 */
#define NOPS 127

static void retire_nops(u64 rounds, const char *memory, size_t bytes)
{
	(void)memory;
	(void)bytes;
	asm volatile("1:\n\t"
		     ".rept 127\n\t"
		     "nop\n\t"
		     ".endr\n\t"
		     "dec %0\n\t"
		     "jnz 1b"
		     : "+r" (rounds) : : "cc");
}

/*
 * Number of independent chains of operations in the loops that measure the maximum rate of
 * floating-point operations. To reach the maximum rate, a CPU needs a number of chains: the latency
 * of an operation in cycles, times the number of operations that the CPU starts per cycle. No CPU
 * needs more than twelve. All operands are 0.
 */
#define CHAINS 12

#define OPERATE(name, clear, one, other, clean)				\
static void name(u64 rounds, const char *memory, size_t bytes)		\
{									\
	(void)memory;							\
	(void)bytes;							\
	asm volatile(clear						\
		     "1:\n\t"						\
		     one("0") other("1") one("2") other("3") one("4")	\
		     other("5") one("6") other("7") one("8") other("9")	\
		     one("10") other("11")				\
		     "dec %0\n\t"					\
		     "jnz 1b\n\t"					\
		     clean						\
		     : "+r" (rounds) : :				\
		     "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",	\
		     "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",	\
		     "xmm14", "xmm15");					\
}

#define CLEAR(n) "pxor %%xmm" n ", %%xmm" n "\n\t"
#define CLEAR_ALL CLEAR("0") CLEAR("1") CLEAR("2") CLEAR("3") CLEAR("4")	\
	CLEAR("5") CLEAR("6") CLEAR("7") CLEAR("8") CLEAR("9") CLEAR("10")	\
	CLEAR("11") CLEAR("14") CLEAR("15")
#define VCLEAR(n) "vpxor %%xmm" n ", %%xmm" n ", %%xmm" n "\n\t"
#define VCLEAR_ALL VCLEAR("0") VCLEAR("1") VCLEAR("2") VCLEAR("3")	\
	VCLEAR("4") VCLEAR("5") VCLEAR("6") VCLEAR("7") VCLEAR("8")	\
	VCLEAR("9") VCLEAR("10") VCLEAR("11") VCLEAR("14") VCLEAR("15")
#define MUL_128(n) "mulpd %%xmm14, %%xmm" n "\n\t"
#define ADD_128(n) "addpd %%xmm15, %%xmm" n "\n\t"
#define MUL_256(n) "vmulpd %%ymm14, %%ymm" n ", %%ymm" n "\n\t"
#define ADD_256(n) "vaddpd %%ymm15, %%ymm" n ", %%ymm" n "\n\t"
#define FMA_256(n) "vfmadd231pd %%ymm14, %%ymm15, %%ymm" n "\n\t"
#define FMA_512(n) "vfmadd231pd %%zmm14, %%zmm15, %%zmm" n "\n\t"

OPERATE(operate_128, CLEAR_ALL, MUL_128, ADD_128, "")
OPERATE(operate_256, VCLEAR_ALL, MUL_256, ADD_256, "vzeroupper")
OPERATE(operate_fma, VCLEAR_ALL, FMA_256, FMA_256, "vzeroupper")
OPERATE(operate_512, VCLEAR_ALL, FMA_512, FMA_512, "vzeroupper")

#define OF(member) offsetof(struct bpmu_ceilings, member)

static const struct ceilings_loop loops[] = {
	{ read_lines, "memory reads", 0, OF(bytes) },
	{ retire_nops, "uops", NOPS + 1, OF(uops) },
	{ operate_128, "FLOPs", 2 * CHAINS, OF(flops) },
	{ operate_256, "FLOPs with AVX", 4 * CHAINS, OF(flops), "avx" },
	{ operate_fma, "FLOPs with FMA", 2 * 4 * CHAINS, OF(flops), "fma" },
	{ operate_512, "FLOPs with AVX-512", 2 * 8 * CHAINS, OF(flops), "avx512f" },
};

static bool has_feature(const char *feature)
{
	/* __builtin_cpu_supports() takes only string literals, so each name has its own call. */
	return !feature ||
	       (!strcmp(feature, "avx") && __builtin_cpu_supports("avx")) ||
	       (!strcmp(feature, "fma") && __builtin_cpu_supports("fma")) ||
	       (!strcmp(feature, "avx512f") && __builtin_cpu_supports("avx512f"));
}

/**
 * struct ceilings_cpu - a CPU that executes the loops, and the times of its latest run
 * @cpu: number of the CPU
 * @memory: memory that only this CPU reads
 * @bytes: size of @memory
 * @begin: when the CPU began its latest run, CLOCK_MONOTONIC in ns
 * @end: when the CPU ended its latest run, CLOCK_MONOTONIC in ns
 * @ran: CPU time of the latest run in ns, without the time of other programs
 * @code: 0, or the negative errno with which the thread could not be pinned to the CPU
 */
struct ceilings_cpu {
	u32 cpu;
	char *memory;
	size_t bytes;
	u64 begin;
	u64 end;
	u64 ran;
	int code;
};

/**
 * struct ceilings_run - one run of a loop on all CPUs
 * @cpu: the CPUs, [@nr]
 * @nr: number of CPUs
 * @loop: the loop; NULL if each CPU only writes its memory, so that the kernel allocates it
 * @rounds: number of iterations of the loop
 * @arrived: number of CPUs whose threads are ready to start
 * @ran: CPU time of the run in ns, on the CPU on which it took longest
 */
struct ceilings_run {
	struct ceilings_cpu *cpu;
	unsigned int nr;
	const struct ceilings_loop *loop;
	u64 rounds;
	unsigned int arrived;
	u64 ran;
};

/*
 * Executes a run on the CPU with index @i; @data is the &struct ceilings_run. The thread first
 * waits until the threads of all CPUs are ready. Without this wait a single thread could execute
 * the loops of two CPUs one after the other.
 */
static void ceilings_work(void *data, unsigned int i)
{
	struct ceilings_run *run = data;
	struct ceilings_cpu *own = &run->cpu[i];
	u64 ran;

	own->code = bpmu_affinity_pin(own->cpu);
	__atomic_add_fetch(&run->arrived, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&run->arrived, __ATOMIC_SEQ_CST) < run->nr)
		sched_yield();
	own->begin = bpmu_clock_ns(CLOCK_MONOTONIC);
	ran = bpmu_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	if (run->loop)
		run->loop->run(run->rounds, own->memory, own->bytes);
	else
		memset(own->memory, 1, own->bytes);
	own->ran = bpmu_clock_ns(CLOCK_THREAD_CPUTIME_ID) - ran;
	own->end = bpmu_clock_ns(CLOCK_MONOTONIC);
}

/*
 * Executes a run on all CPUs. Returns the time in ns from when the first CPU began the loop until
 * the last CPU ended it.
 */
static u64 ceilings_time(struct ceilings_run *run, struct bpmu_team *team)
{
	u64 begin = ~0ULL, end = 0;
	unsigned int i;

	run->arrived = 0;
	run->ran = 0;
	bpmu_team_run(team, ceilings_work, run, run->nr);
	for (i = 0; i < run->nr; i++) {
		if (run->cpu[i].begin < begin)
			begin = run->cpu[i].begin;
		if (run->cpu[i].end > end)
			end = run->cpu[i].end;
		if (run->cpu[i].ran > run->ran)
			run->ran = run->cpu[i].ran;
	}
	return end > begin ? end - begin : 1;
}

/*
 * Returns the maximum work (uops, FLOPs or bytes read) per second of all CPUs together. Repeats the
 * run @run and keeps the result of the fastest repetition. All CPUs execute the same number of
 * iterations, which is doubled until a run takes RUN_NS of CPU time. Sets @waited to the fraction
 * of the fastest run's duration during which other programs had the CPU, 0 to 1.
 */
static double ceilings_best(struct ceilings_run *run, struct bpmu_team *team, double *waited)
{
	double work = 0, rate, best = 0;
	unsigned int i;
	u64 ns;

	*waited = 0;
	for (i = 0; i < run->nr; i++)
		work += run->loop->work ?: run->cpu[i].bytes;
	run->rounds = 1;
	while (ns = ceilings_time(run, team), run->ran < RUN_NS)
		run->rounds *= 2;
	for (i = 0; i < RUNS; i++) {
		rate = work * run->rounds * BPMU_NS_PER_S / ns;
		if (rate > best) {
			best = rate;
			*waited = 1 - (double)run->ran / ns;
		}
		ns = ceilings_time(run, team);
	}
	return best;
}

/*
 * Returns how many of @cpus share a cache, at least 1. @text is the list of the CPUs that use the
 * cache, from sysfs.
 */
static unsigned int sharers(const struct bpmu_cpulist *cpus, const char *text)
{
	struct bpmu_cpulist with = { };
	struct bpmu_error ignored;
	unsigned int i, nr = 0;

	if (!bpmu_cpulist_parse(text, &with, &ignored))
		for (i = 0; i < cpus->nr; i++)
			nr += bpmu_cpulist_has(&with, cpus->cpu[i]);
	bpmu_cpulist_free(&with);
	return nr ?: 1;
}

/*
 * Returns the size of the memory in bytes that a CPU has to read so that few of the reads hit in
 * its caches: a multiple of 2 MiB, for huge pages.
 */
static size_t beyond_caches(const struct bpmu_cpulist *cpus, u32 cpu)
{
	char path[128], text[4096];
	unsigned long size;
	size_t own, most = BYTES_LEAST;
	unsigned int i;

	for (i = 0; i < 8; i++) {
		snprintf(path, sizeof(path),
			 "/sys/devices/system/cpu/cpu%u/cache/index%u/size",
			 cpu, i);
		/* A file of sysfs has the size of a cache as text, such as "32768K". */
		if (!bpmu_sysfs_read(path, text, sizeof(text)) ||
		    sscanf(text, "%luK", &size) != 1)
			continue;
		snprintf(path, sizeof(path),
			 "/sys/devices/system/cpu/cpu%u/cache/index%u/shared_cpu_list",
			 cpu, i);
		if (!bpmu_sysfs_read(path, text, sizeof(text)))
			continue;
		own = CACHES * (size << 10) / sharers(cpus, text);
		if (own > most)
			most = own;
	}
	return (most + (2 << 20) - 1) & ~(size_t)((2 << 20) - 1);
}

static int ceilings_memory(struct ceilings_run *run,
			   const struct bpmu_cpulist *cpus,
			   struct bpmu_error *err)
{
	struct ceilings_cpu *own;
	unsigned int i;

	for (i = 0; i < run->nr; i++) {
		own = &run->cpu[i];
		own->cpu = cpus->cpu[i];
		own->bytes = beyond_caches(cpus, own->cpu);
		own->memory = mmap(NULL, own->bytes, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (own->memory == MAP_FAILED) {
			own->memory = NULL;
			return bpmu_error_set(err, -ENOMEM,
				"--ceilings: no memory for CPU %u to read: %zu MB, four times its caches; take fewer CPUs with -C, or leave it out",
				own->cpu, own->bytes >> 20);
		}
		/* Page walks for 4 KiB pages would lower the rate. */
		madvise(own->memory, own->bytes, MADV_HUGEPAGE);
	}
	return 0;
}

static int ceilings_run_all(struct ceilings_run *run, struct bpmu_team *team,
			    struct bpmu_ceilings *ceilings,
			    struct bpmu_error *err)
{
	double *most, rate, waited;
	unsigned int i;

	/*
	 * Each CPU first writes its memory, so that the kernel allocates it on the CPU's NUMA node.
	 */
	ceilings_time(run, team);
	for (i = 0; i < run->nr; i++)
		if (run->cpu[i].code)
			return bpmu_error_set(err, run->cpu[i].code,
				"--ceilings: cannot run on CPU %u: %s; take others with -C",
				run->cpu[i].cpu, strerror(-run->cpu[i].code));
	for (i = 0; i < ARRAY_SIZE(loops); i++) {
		if (!has_feature(loops[i].feature))
			continue;
		run->loop = &loops[i];
		rate = ceilings_best(run, team, &waited);
		if (waited > WAITED_MOST)
			return bpmu_error_set(err, -EBUSY,
				"--ceilings: other programs had the CPUs for %.0f %% of the best run of %s: the ceilings would be too low and are left out; record on an idle machine",
				100 * waited, run->loop->name);
		most = (double *)((char *)ceilings + loops[i].what);
		if (rate > *most)
			*most = rate;
	}
	return 0;
}

/**
 * bpmu_ceilings_measure() - measure ceilings: the maximum rates of CPUs that run in parallel
 * @cpus: the CPUs, at least one
 * @ceilings: set to the sums of the rates of all CPUs
 *
 * The measurement takes about a second, and memory of four times the size of the caches of @cpus.
 * The function starts a thread for each CPU. On return, the calling thread may run on the same CPUs
 * as before.
 *
 * Return: 0; -ENOMEM; -EAGAIN if the threads cannot be started; -EBUSY if other programs lowered a
 * rate by more than 5 %; or the errno with which a thread could not be pinned to one of @cpus.
 * After an error all @ceilings are 0.
 */
int bpmu_ceilings_measure(const struct bpmu_cpulist *cpus,
			  struct bpmu_ceilings *ceilings,
			  struct bpmu_error *err)
{
	struct bpmu_affinity before;
	struct ceilings_run run = {
		.cpu = calloc(cpus->nr, sizeof(*run.cpu)), .nr = cpus->nr,
	};
	struct bpmu_team *team = run.cpu ? bpmu_team_new(cpus->nr) : NULL;
	unsigned int i;
	int code;

	memset(ceilings, 0, sizeof(*ceilings));
	bpmu_affinity_get(0, &before);
	if (!team || bpmu_team_threads(team) < cpus->nr)
		code = bpmu_error_set(err, -EAGAIN,
				      "--ceilings: cannot start %u threads; take fewer CPUs with -C",
				      cpus->nr);
	else
		code = ceilings_memory(&run, cpus, err);
	if (!code)
		code = ceilings_run_all(&run, team, ceilings, err);
	if (code)
		memset(ceilings, 0, sizeof(*ceilings));
	bpmu_affinity_set(0, &before);
	bpmu_team_free(team);
	for (i = 0; run.cpu && i < run.nr; i++)
		if (run.cpu[i].memory)
			munmap(run.cpu[i].memory, run.cpu[i].bytes);
	free(run.cpu);
	return code;
}
