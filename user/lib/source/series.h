/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From samples to intervals: differences of raw values, CPU by CPU, gathered
 * until all CPUs have delivered an interval.
 */
#ifndef BPMU_SERIES_H
#define BPMU_SERIES_H

#include "measure.h"
#include "recording/recording_read.h"

struct bpmu_series;

/**
 * bpmu_sample_lost() - number of samples of a CPU that were lost before one
 * @sample: the sample
 * @next: number after that of the CPU's previous sample, of whatever bank; 0 without one
 *
 * Return: the number; 0 for a sample with which the session, or the window of a recording,
 * begins.
 */
static inline u64 bpmu_sample_lost(const struct bpmu_sample *sample, u64 next)
{
	return next && !(sample->flags & BPMU_SAMPLE_START) ? sample->seq - next : 0;
}

struct bpmu_series *bpmu_series_new(const struct bpmu_measure *measure,
				    unsigned int batches);
void bpmu_series_free(struct bpmu_series *series);
void bpmu_series_add(void *series, const struct bpmu_sample *sample,
		     const u64 *values);
void bpmu_series_add_all(struct bpmu_series *series,
			 const struct bpmu_recording_sample *samples,
			 unsigned int nr);
unsigned int bpmu_series_index(const struct bpmu_series *series);
bool bpmu_series_emit(struct bpmu_series *series, unsigned int most);
void bpmu_series_finish(struct bpmu_series *series);
void bpmu_series_swap(struct bpmu_series *series, struct bpmu_series *next);
void bpmu_series_follow(struct bpmu_series *series, struct bpmu_series *old);
int bpmu_series_begun(const struct bpmu_series *series);
int bpmu_series_failed(const struct bpmu_series *series);

#endif /* BPMU_SERIES_H */
