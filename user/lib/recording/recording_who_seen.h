/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who was seen in samples, while they are recorded: what processes have mapped
 * is asked as long as they live, and put into the file.
 */
#ifndef BPMU_RECORDING_WHO_SEEN_H
#define BPMU_RECORDING_WHO_SEEN_H

#include "recording_write.h"

struct kernel_ip;

/**
 * struct bpmu_who_seen - all of it
 * @recording: where it goes
 * @processes: a tree of them
 * @nr_processes: how many
 * @kernel: a tree of the kernel's instructions
 * @last_kernel: the last of them, from which all are reached
 * @nr_kernel: how many
 * @round: number of the fetch of samples
 */
struct bpmu_who_seen {
	struct bpmu_recording *recording;
	void *processes;
	unsigned int nr_processes;
	void *kernel;
	struct kernel_ip *last_kernel;
	unsigned int nr_kernel;
	unsigned int round;
};

void bpmu_who_seen_add(struct bpmu_who_seen *seen, const void *records,
		       size_t bytes);
void bpmu_who_seen_end(struct bpmu_who_seen *seen);

#endif /* BPMU_RECORDING_WHO_SEEN_H */
