// SPDX-License-Identifier: GPL-2.0
/*
 * Evaluates readings of the machine's clocks: the cost of a reading, the smallest difference of two
 * readings (step of the clock), and the offset between the TSCs of two CPUs.
 */
#include "clocks.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The cost of a reading is measured 31 times. The true median is between the values RANK_LOW and
 * RANK_HIGH of the 31 sorted ones with a probability of 97 %: a binomial variable (31, 1/2) is 22
 * or more with a probability of 0.0147.
 */
#define RANK_LOW 9
#define RANK_HIGH 21

static int clocks_compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/**
 * bpmu_clocks_median() - compute the cost of one of the clocks, as a median
 * @batch: mean cost of a reading in each series of readings (batch), in TSC ticks,
 *	[BPMU_CLOCKS_BATCHES]; sorted in place
 * @clock: output: &bpmu_clock.cycles, &bpmu_clock.low and &bpmu_clock.high are set
 *
 * Interrupts lengthen some of the series of readings; this hardly changes the median.
 */
void bpmu_clocks_median(double *batch, struct bpmu_clock *clock)
{
	qsort(batch, BPMU_CLOCKS_BATCHES, sizeof(*batch), clocks_compare);
	clock->cycles = batch[BPMU_CLOCKS_BATCHES / 2];
	clock->low = batch[RANK_LOW];
	clock->high = batch[RANK_HIGH];
}

/*
 * If the process did not run for a while between two readings of a clock, the difference of the
 * readings may be that pause, and no step of the clock. The difference is then taken as a step only
 * if it is at least this multiple of the time between the readings by the TSC.
 */
#define STEP_PER_GAP 8
/*
 * If the time between two readings of a clock exceeds this multiple of the cost of a reading, the
 * process did not run for a while between them.
 */
#define GAP 10
/*
 * Some clocks step at each timer tick. If their step exceeds this multiple of the resolution from
 * clock_getres(), a timer tick was late.
 */
#define LATE 1.5

/**
 * bpmu_clocks_steps() - find the smallest step of a clock, and count its steps backward
 * @read: consecutive readings of the clock in ns, [@nr]
 * @at: times of the readings by the TSC in ns, [@nr]; NULL if @read is the TSC
 * @nr: number of readings
 * @cost: cost of a reading in ns
 * @clock: &bpmu_clock.step and &bpmu_clock.back are updated
 *
 * If the process did not run for a while between two readings, their difference is not taken as a
 * step of the clock: even a clock with small steps advances by this while.
 */
void bpmu_clocks_steps(const double *read, const double *at, unsigned int nr,
		       double cost, struct bpmu_clock *clock)
{
	unsigned int i;
	double step;

	for (i = 1; i < nr; i++) {
		step = read[i] - read[i - 1];
		clock->back += step < 0;
		if (!(step > 0) ||
		    (at && at[i] - at[i - 1] > GAP * cost &&
		     STEP_PER_GAP * (at[i] - at[i - 1]) > step))
			continue;
		if (!clock->step || step < clock->step)
			clock->step = step;
	}
}

/**
 * bpmu_clocks_unclear() - check if the step of one of the machine's clocks is still unknown
 * @clock: &bpmu_clock.stated is the resolution from clock_getres(), &bpmu_clock.step the smallest
 *	step so far
 * @cost: cost of a reading in ns
 *
 * A clock that steps with the timer tick makes several steps at once if the tick is late, because
 * the machine is busy.
 *
 * Return: true if there was no step, or only steps at late ticks.
 */
bool bpmu_clocks_unclear(const struct bpmu_clock *clock, double cost)
{
	return !clock->step || (clock->stated > GAP * cost &&
				clock->step > LATE * clock->stated);
}

/**
 * bpmu_clocks_trip() - narrow the bounds of a clock's offset between CPUs by a round trip
 * @offset: the bounds so far, at first -INFINITY and INFINITY; they are narrowed
 * @here: TSC of the first CPU, read before @there
 * @there: TSC of the other CPU
 * @back: TSC of the first CPU, read after @there
 *
 * @there was read between @here and @back, so that the other CPU's offset is between @there - @back
 * and @there - @here.
 */
void bpmu_clocks_trip(struct bpmu_clocks_offset *offset, double here,
		      double there, double back)
{
	offset->low = fmax(offset->low, there - back);
	offset->high = fmin(offset->high, there - here);
}

/**
 * struct reporter - where warnings of the clocks' defects go
 * @warn: called with each warning
 * @ctx: passed to @warn
 */
struct reporter {
	bpmu_clocks_warn *warn;
	void *ctx;
};

__printf(2, 3)
static void report_warning(const struct reporter *r, const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	r->warn(r->ctx, text);
}

static void warn_of_tsc(const struct reporter *r, const struct bpmu_clocks *c)
{
	if (!c->invariant)
		report_warning(r, "TSC: not invariant: its rate follows the core clock; measure time with CLOCK_MONOTONIC");
	if (c->away)
		report_warning(r, "TSC: on %u of %u CPUs not the first CPU's, by up to %.0f ns; compare readings of one CPU only",
			       c->away, c->cpus, c->offset);
	if (*c->current && strcmp(c->current, "tsc"))
		report_warning(r, "clocksource: the kernel uses %s%s, not the TSC; its clocks may cost a system call",
			       c->current, strstr(c->available, "tsc") ?
			       ", though it could use tsc" : "");
}

static void warn_of_clock(const struct reporter *r, const struct bpmu_clocks *c,
			  const struct bpmu_clock *clock)
{
	double cost = clock->cycles * 1e6 / c->khz;

	if (*clock->why)
		return;
	if (clock->back)
		report_warning(r, "%s: went back %u times on one CPU; do not compute time differences from it",
			       clock->name, clock->back);
	if (clock->across > 0)
		report_warning(r, "%s: goes back by up to %.0f ns from one CPU to another; compare readings of one CPU only",
			       clock->name, clock->across);
	if (clock->disturbed)
		report_warning(r, "%s: its step is not known: others disturbed the measurement; repeat on an idle machine",
			       clock->name);
	if (clock->type == BPMU_CLOCK_CALL && clock->stated > 10 * cost)
		report_warning(r, "%s: steps of %.0f ns, far longer than its cost; too coarse for short times",
			       clock->name, clock->stated);
}

/**
 * bpmu_clocks_warnings() - warn of defects of the machine's clocks, such as steps backward
 * @clocks: the clocks as bpmu_clocks_measure() has measured them
 * @warn: called with each warning, one line
 * @ctx: passed to @warn
 */
void bpmu_clocks_warnings(const struct bpmu_clocks *clocks,
			  bpmu_clocks_warn *warn, void *ctx)
{
	const struct reporter r = { .warn = warn, .ctx = ctx };
	unsigned int i;

	warn_of_tsc(&r, clocks);
	for (i = 0; i < clocks->nr; i++)
		warn_of_clock(&r, clocks, &clocks->clock[i]);
}
