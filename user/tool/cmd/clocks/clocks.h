/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The machine's sources of time: what a reading costs, how fine it is, and whether
 * it is the same on all CPUs ("Intel Xeon Phi Coprocessor High Performance
 * Programming", chapter 13, tables 13.3 and 13.4).
 */
#ifndef BPMU_CLOCKS_H
#define BPMU_CLOCKS_H

#include <stdbool.h>

#include "base/cpulist.h"
#include "base/error.h"

/* batches of readings; an odd number, so that one is the median */
#define BPMU_CLOCKS_BATCHES 31
/* readings that are compared with the one before */
#define BPMU_CLOCKS_READS 2000
/* round trips to a CPU */
#define BPMU_CLOCKS_TRIPS 500
#define BPMU_CLOCKS_NAME 64
#define BPMU_CLOCKS_LIST 256

/**
 * enum bpmu_clock_type - how a source is read
 * @BPMU_CLOCK_TICKS: an instruction gives cycles
 * @BPMU_CLOCK_CALL: the C library gives the time
 * @BPMU_CLOCK_MODULE: our module reads counters
 */
enum bpmu_clock_type {
	BPMU_CLOCK_TICKS,
	BPMU_CLOCK_CALL,
	BPMU_CLOCK_MODULE
};

/**
 * struct bpmu_clock - a way to read time
 * @name: of it
 * @type: &enum bpmu_clock_type
 * @why: why it cannot be used here, or empty
 * @cycles: median cost of a reading in cycles of the TSC
 * @low: of its 95 % interval
 * @high: of its 95 % interval
 * @step: smallest difference of two readings, in ns; 0 if there was none
 * @back: readings that were less than the one before
 * @stated: resolution in ns that the kernel states, 0 for none
 * @across: largest step back between two CPUs, in ns; 0 if there was none, NAN if
 *	it was not looked for
 */
struct bpmu_clock {
	const char *name;
	enum bpmu_clock_type type;
	char why[BPMU_CLOCKS_LIST];
	double cycles;
	double low;
	double high;
	double step;
	unsigned int back;
	double stated;
	double across;
};

/**
 * struct bpmu_clocks_offset - how far a CPU's TSC is from the first one's
 * @low: it is not less than this, in ticks
 * @high: nor more than this
 */
struct bpmu_clocks_offset {
	double low;
	double high;
};

#define BPMU_CLOCKS_MOST 24

/**
 * struct bpmu_clocks - all of them
 * @khz: of the TSC
 * @khz_half: half of its 95 % interval
 * @invariant: the TSC runs at one rate whatever the CPU does
 * @rdtscp: there is such an instruction
 * @current: the kernel's clocksource, or empty
 * @available: those that it could use
 * @cpus: that were visited
 * @away: number of CPUs whose TSC is surely not the first one's
 * @offset: the largest such offset, in ns
 * @window: the widest interval that an offset is in, in ns
 * @nr: number of ways
 * @clock: the ways
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
	struct bpmu_clock clock[BPMU_CLOCKS_MOST];
};

typedef void bpmu_clocks_warn(void *ctx, const char *text);

void bpmu_clocks_median(double *batch, struct bpmu_clock *clock);
void bpmu_clocks_steps(const double *read, unsigned int nr,
		       struct bpmu_clock *clock);
void bpmu_clocks_trip(struct bpmu_clocks_offset *offset, double here,
		      double there, double back);
void bpmu_clocks_warnings(const struct bpmu_clocks *clocks,
			  bpmu_clocks_warn *warn, void *ctx);

int bpmu_clocks_measure(struct bpmu_clocks *clocks,
			const struct bpmu_cpulist *cpus,
			struct bpmu_error *err);

#endif /* BPMU_CLOCKS_H */
