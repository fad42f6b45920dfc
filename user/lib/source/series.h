/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes a series of intervals from samples. Counts are differences of raw values of a CPU. They are
 * gathered until all CPUs have delivered the counts of an interval, which is then emitted.
 */
#ifndef BPMU_SERIES_H
#define BPMU_SERIES_H

#include "measure.h"

struct bpmu_series;

/**
 * bpmu_sample_lost() - number of lost samples of a CPU since the sample before a given one
 * @sample: the sample
 * @next: sequence number that the sample has if none was lost: the number of the CPU's previous
 *	sample, of core counters or uncore counters, plus 1; 0 if there is no previous sample
 *
 * Return: the number of lost samples; 0 if there is no previous sample, or if @sample is the first
 * one of a session.
 */
static inline u64 bpmu_sample_lost(const struct bpmu_sample *sample, u64 next)
{
	return next && !(sample->flags & BPMU_SAMPLE_START) ? sample->seq - next : 0;
}

struct bpmu_series *bpmu_series_new(const struct bpmu_measure *measure,
				    unsigned int batches);
void bpmu_series_free(struct bpmu_series *series);
void bpmu_series_add(void *series, const struct bpmu_taken_sample *samples, unsigned int nr);
unsigned int bpmu_series_index(const struct bpmu_series *series);
int bpmu_series_emit(struct bpmu_series *s, unsigned int most);
int bpmu_series_finish(struct bpmu_series *series);
void bpmu_series_swap(struct bpmu_series *series, struct bpmu_series *next);
void bpmu_series_follow(struct bpmu_series *series, struct bpmu_series *old);
int bpmu_series_begun(const struct bpmu_series *series);

#endif /* BPMU_SERIES_H */
