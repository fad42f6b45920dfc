/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Processes seen in samples that are being recorded. The mappings of a process can be read only
 * while it lives, so they are read and written to the file during the recording.
 */
#ifndef BPMU_RECORDING_WHO_SEEN_H
#define BPMU_RECORDING_WHO_SEEN_H

#include "recording_write.h"

struct kernel_ip;

/**
 * struct bpmu_who_seen - processes and kernel instructions seen so far
 * @recording: recording that gets their mappings and functions
 * @processes: search tree of the processes
 * @nr_processes: number of processes
 * @kernel: search tree of the kernel's instructions
 * @last_kernel: the instruction that was first seen last; the others are linked from it
 * @nr_kernel: number of the kernel's instructions
 * @round: number of the current fetch of samples
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
void bpmu_who_seen_task(struct bpmu_who_seen *seen, const struct bpmu_who *who);
void bpmu_who_seen_end(struct bpmu_who_seen *seen);

#endif /* BPMU_RECORDING_WHO_SEEN_H */
