/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is measured of the machine's clocks: the cost of a reading, resolution, and differences
 * between CPUs, as in "Intel Xeon Phi Coprocessor High Performance Programming", chapter 13, tables
 * 13.3 and 13.4.
 */
#ifndef BPMU_CLOCKS_H
#define BPMU_CLOCKS_H

#include <stdbool.h>

#include "base/cpulist.h"
#include "base/error.h"

/* number of series of readings by which the cost of a reading is measured; odd, for the median */
#define BPMU_CLOCKS_BATCHES 31
/* number of consecutive readings in which the smallest step of a clock is looked for */
#define BPMU_CLOCKS_READS 2000
/* number of round trips to another CPU, which bound the offset of its TSC */
#define BPMU_CLOCKS_TRIPS 500
#define BPMU_CLOCKS_NAME 64
#define BPMU_CLOCKS_LIST 256

/**
 * enum bpmu_clock_type - how a clock is read
 * @BPMU_CLOCK_TICKS: by an instruction, such as RDTSC; its unit is cycles or ticks
 * @BPMU_CLOCK_CALL: by a call of the C library; its unit is ns
 * @BPMU_CLOCK_MODULE: by barepmu.ko, which takes a sample of counters: only the cost of the sample
 *	is measured
 */
enum bpmu_clock_type {
	BPMU_CLOCK_TICKS,
	BPMU_CLOCK_CALL,
	BPMU_CLOCK_MODULE
};

/**
 * struct bpmu_clock - what was measured of a clock
 * @name: instruction or function that reads the clock
 * @type: how the clock is read
 * @why: why the clock cannot be used on this machine; "" if it can
 * @cycles: median cost of a reading in TSC ticks
 * @low: lower end of the 95 % interval of @cycles
 * @high: upper end of the 95 % interval of @cycles
 * @step: smallest nonzero difference of two readings, in ns; 0 if there was none
 * @disturbed: no step could be measured, because other processes ran meanwhile; @step is 0
 * @back: number of readings that were less than the previous one
 * @stated: resolution in ns that clock_getres(2) reports, 0 if none is known
 * @across: largest backward step, in ns, when the process moved from one CPU to another; 0 if there
 *	was none, NAN if it was not measured
 */
struct bpmu_clock {
	const char *name;
	enum bpmu_clock_type type;
	char why[BPMU_CLOCKS_LIST];
	double cycles;
	double low;
	double high;
	double step;
	bool disturbed;
	unsigned int back;
	double stated;
	double across;
};

/**
 * struct bpmu_clocks_offset - bounds of the offset of a CPU's TSC from the first CPU's TSC
 * @low: lower bound in ticks
 * @high: upper bound in ticks
 */
struct bpmu_clocks_offset {
	double low;
	double high;
};

#define BPMU_CLOCKS_MAX 24

/*
 * maximum number of the kernel's clocksources that are compared, and number of clocks that are read
 * while the kernel uses a clocksource
 */
#define BPMU_CLOCKS_SOURCES 8
#define BPMU_CLOCKS_BY_SOURCE 2

/**
 * struct bpmu_clocksource - what it costs to read clocks with one of the kernel's clocksources
 * @name: name of the clocksource
 * @why: why the kernel could not be switched to it; "" if it could
 * @clock: costs of clock_gettime(CLOCK_REALTIME) and gettimeofday() while the kernel uses the
 *	clocksource
 */
struct bpmu_clocksource {
	char name[BPMU_CLOCKS_NAME];
	char why[BPMU_CLOCKS_LIST];
	struct bpmu_clock clock[BPMU_CLOCKS_BY_SOURCE];
};

/**
 * struct bpmu_clocks - what was measured of this machine's clocks
 * @khz: rate of the TSC in kHz
 * @khz_half: half-width of the 95 % interval of @khz
 * @invariant: the TSC is invariant (CPUID 0x80000007 EDX bit 8)
 * @rdtscp: the CPU has RDTSCP
 * @current: the kernel's current clocksource; "" if unknown
 * @available: available clocksources, separated by blanks
 * @cpus: number of CPUs whose TSCs were compared
 * @away: number of CPUs whose TSC certainly differs from the first CPU's TSC: 0 is not between the
 *	bounds of the offset
 * @offset: largest certain difference of a CPU's TSC from the first CPU's TSC, in ns; 0 if @away is
 *	0
 * @window: largest difference, in ns, between the two bounds of a CPU's offset
 * @nr: number of clocks
 * @clock: the clocks, [@nr]
 * @nr_sources: number of compared clocksources, 0 without a comparison
 * @source: compared clocksources, [@nr_sources]
 */
struct bpmu_clocks {
	double khz;
	double khz_half;
	bool invariant;
	bool rdtscp;
	char current[BPMU_CLOCKS_NAME];
	char available[BPMU_CLOCKS_LIST];
	unsigned int cpus;
	unsigned int away;
	double offset;
	double window;
	unsigned int nr;
	struct bpmu_clock clock[BPMU_CLOCKS_MAX];
	unsigned int nr_sources;
	struct bpmu_clocksource source[BPMU_CLOCKS_SOURCES];
};

typedef void bpmu_clocks_warn(void *ctx, const char *text);

void bpmu_clocks_median(double *batch, struct bpmu_clock *clock);
void bpmu_clocks_steps(const double *read, const double *at, unsigned int nr,
		       double cost, struct bpmu_clock *clock);
bool bpmu_clocks_unclear(const struct bpmu_clock *clock, double cost);
void bpmu_clocks_trip(struct bpmu_clocks_offset *offset, double here,
		      double there, double back);
void bpmu_clocks_warnings(const struct bpmu_clocks *clocks,
			  bpmu_clocks_warn *warn, void *ctx);

int bpmu_clocks_measure(struct bpmu_clocks *clocks,
			const struct bpmu_cpulist *cpus,
			struct bpmu_error *err);
int bpmu_clocks_compare(struct bpmu_clocks *clocks, u32 cpu, struct bpmu_error *err);

#endif /* BPMU_CLOCKS_H */
