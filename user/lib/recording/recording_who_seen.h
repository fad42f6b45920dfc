/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The processes and kernel instructions that samples of a recording have interrupted. Because the
 * mappings of a process can be read only while the process exists, they are read, and written to
 * the recording, during the measurement.
 */
#ifndef BPMU_RECORDING_WHO_SEEN_H
#define BPMU_RECORDING_WHO_SEEN_H

#include "recording_write.h"

struct kernel_ip;

/**
 * struct bpmu_who_seen - processes and kernel instructions that samples have interrupted so far
 * @recording: recording to which mappings of processes and functions of the kernel are written
 * @processes: search tree of the processes, by ID
 * @nr_processes: number of processes
 * @kernel: search tree of the kernel's instructions that samples interrupted
 * @last_kernel: instruction of the kernel that was added last; &kernel_ip.before links the earlier
 *	ones
 * @nr_kernel: number of instructions of the kernel
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
