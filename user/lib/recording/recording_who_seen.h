/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The processes and kernel instructions that samples have interrupted. Because the mappings of a
 * process can be read only while the process exists, they are read, and passed on as blocks of a
 * recording, during the measurement.
 */
#ifndef BPMU_RECORDING_WHO_SEEN_H
#define BPMU_RECORDING_WHO_SEEN_H

#include <linux/barepmu.h>
#include <stddef.h>

#include "arch.h"

struct process;

/**
 * struct bpmu_who_seen - processes and kernel instructions that samples have interrupted so far
 * @block: called with the mappings of a process (BPMU_RECORDING_PROCESS) and at the end with the
 *	functions of the kernel (BPMU_RECORDING_KERNEL), as JSON of @size bytes and a NUL
 * @data: first argument of @block
 * @processes: search tree of the processes, by ID
 * @nr_processes: number of processes
 * @last: process of the last sample that was found, NULL before the first one
 * @kernel: hash table of the kernel's instructions that samples interrupted, [@kernel_room]; 0
 *	where there is none
 * @kernel_room: room of @kernel
 * @nr_kernel: number of instructions of the kernel
 * @round: number of the current fetch of samples
 */
struct bpmu_who_seen {
	void (*block)(void *data, int type, const char *text, size_t size);
	void *data;
	void *processes;
	unsigned int nr_processes;
	struct process *last;
	u64 *kernel;
	unsigned int kernel_room;
	unsigned int nr_kernel;
	unsigned int round;
};

void bpmu_who_seen_add(struct bpmu_who_seen *seen, const void *records, size_t bytes,
		       size_t size);
void bpmu_who_seen_overflows(struct bpmu_who_seen *seen, const void *records, size_t bytes);
void bpmu_who_seen_task(struct bpmu_who_seen *seen, const struct bpmu_who *who);
void bpmu_who_seen_kernel(struct bpmu_who_seen *seen, u64 ip);
void bpmu_who_seen_end(struct bpmu_who_seen *seen);

#endif /* BPMU_RECORDING_WHO_SEEN_H */
