/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads a recording of any size with bounded memory.
 *
 *   bpmu_recording_open(&file, name, &err);
 *   while ((code = bpmu_recording_next(file, &sample, &err)) > 0)
 *           use sample
 *   bpmu_recording_shut(file);
 */
#ifndef BPMU_RECORDING_READ_H
#define BPMU_RECORDING_READ_H

#include "recording.h"
#include "recording_code.h"

struct bpmu_recording_file;

/**
 * struct bpmu_recording_state - how far a recording has been read
 * @bytes: number of bytes read
 * @size: size of the file in bytes, 0 for a pipe
 * @first: TSC, monotonic time and time of day in the first clock block
 * @latest: TSC, monotonic time and time of day in the latest clock block
 * @clocks: number of clock blocks read
 * @samples: number of samples read
 * @ended: true if the last block was read, so that the recording is complete
 * @cut: true if the recording is incomplete: the file ends within a block, or without the last
 *	block
 */
struct bpmu_recording_state {
	u64 bytes;
	u64 size;
	struct bpmu_recording_clock first;
	struct bpmu_recording_clock latest;
	u64 clocks;
	u64 samples;
	bool ended;
	bool cut;
};

/**
 * struct bpmu_recording_extent - length of a recording
 * @first: TSC at the start of the first sample; larger than @last if there is no sample
 * @last: TSC at the end of the last sample
 * @samples: number of samples
 */
struct bpmu_recording_extent {
	u64 first;
	u64 last;
	u64 samples;
};

typedef void bpmu_recording_block_fn(void *data, int type, const char *text, size_t size);

int bpmu_recording_open(struct bpmu_recording_file **file, const char *name,
			struct bpmu_error *err);
int bpmu_recording_open_set(struct bpmu_recording_file **file,
			    const char *const *names, unsigned int nr,
			    struct bpmu_error *err);
const struct bpmu_recording_about *
bpmu_recording_about(const struct bpmu_recording_file *file);
const struct bpmu_recording_state *
bpmu_recording_state(const struct bpmu_recording_file *file);
int bpmu_recording_next(struct bpmu_recording_file *file,
			struct bpmu_taken_sample *sample,
			struct bpmu_error *err);
int bpmu_recording_skim(struct bpmu_recording_file *file,
			struct bpmu_recording_extent *extent, struct bpmu_error *err);
int bpmu_recording_fetch(struct bpmu_recording_file *file, bool across,
			 struct bpmu_error *err);
unsigned int bpmu_recording_runs(const struct bpmu_recording_file *file,
				 size_t *bytes);
void bpmu_recording_decode(struct bpmu_recording_file *file, unsigned int i,
			   void (*add)(void *data,
				       const struct bpmu_taken_sample *samples,
				       unsigned int nr),
			   void *data);
int bpmu_recording_decoded(struct bpmu_recording_file *file,
			   struct bpmu_error *err);
void bpmu_recording_on_block(struct bpmu_recording_file *file,
			     bpmu_recording_block_fn *on_block, void *data);
int bpmu_recording_rewind(struct bpmu_recording_file *file,
			  struct bpmu_error *err);
void bpmu_recording_shut(struct bpmu_recording_file *file);

#endif /* BPMU_RECORDING_READ_H */
