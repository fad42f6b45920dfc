/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The processes and kernel instructions that samples have interrupted. Because the mappings of a
 * process can be read only while the process exists, they are read, and passed on as blocks of a
 * recording, during the measurement.
 */
#ifndef BPMU_RECORDING_WHO_SEEN_H
#define BPMU_RECORDING_WHO_SEEN_H

#include <linux/barepmu.h>
#include <stdbool.h>
#include <stddef.h>

#include "arch.h"
#include "recording_who.h"
#include "recording_who_maps.h"

/*
 * The kernel's instructions are in a hash table with open addressing, of which at most half is
 * full: most interrupts are at instructions that were seen before, and a call chain has many.
 */
#define BPMU_WHO_SEEN_FACTOR 0x9e3779b97f4a7c15ULL

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

/**
 * struct bpmu_who_range - where a task can be interrupted without that there is something to note
 * @flags: flags of the task for which this holds
 * @map: the instructions
 * @seen: further ones are the instructions of the kernel in there, NULL if there are none
 */
struct bpmu_who_range {
	u32 flags;
	struct bpmu_who_map map;
	const struct bpmu_who_seen *seen;
};

u64 *bpmu_who_seen_place(u64 *table, unsigned int room, u64 ip);

/**
 * bpmu_who_seen_first() - hash of an instruction of the kernel
 * @ip: address of the instruction
 *
 * Return: the hash, whose lowest bits are the first place of a table that is tried.
 */
static inline u64 bpmu_who_seen_first(u64 ip)
{
	return ip * BPMU_WHO_SEEN_FACTOR >> 32;
}

/**
 * bpmu_who_seen_has() - check if an instruction of the kernel was seen
 * @seen: what was seen so far
 * @ip: address of the instruction
 *
 * Return: true if it was.
 */
static inline bool bpmu_who_seen_has(const struct bpmu_who_seen *seen, u64 ip)
{
	return seen->kernel &&
	       (seen->kernel[bpmu_who_seen_first(ip) & (seen->kernel_room - 1)] == ip ||
		*bpmu_who_seen_place(seen->kernel, seen->kernel_room, ip) == ip);
}

/**
 * bpmu_who_range_has() - check if a task was interrupted where there is nothing to note, as before
 * @range: set by bpmu_who_seen_kept() for the same task, or zeroed
 * @who: the interrupted task
 *
 * Return: true if it was; false if bpmu_who_seen_kept() must tell.
 */
static inline bool bpmu_who_range_has(const struct bpmu_who_range *range,
				      const struct bpmu_who_bytes *who)
{
	return who->task.flags == range->flags &&
	       (who->task.ip - range->map.start < range->map.size ||
		(range->seen && bpmu_who_seen_has(range->seen, who->task.ip)));
}

bool bpmu_who_seen_kept(struct bpmu_who_seen *seen, const struct bpmu_who_bytes *bytes,
			struct bpmu_who_range *range);
void bpmu_who_seen_add(struct bpmu_who_seen *seen, const void *records, size_t bytes,
		       size_t size);
void bpmu_who_seen_overflows(struct bpmu_who_seen *seen, const void *records, size_t bytes);
void bpmu_who_seen_task(struct bpmu_who_seen *seen, const struct bpmu_who *who);
void bpmu_who_seen_kernel(struct bpmu_who_seen *seen, u64 ip);
void bpmu_who_seen_end(struct bpmu_who_seen *seen);

#endif /* BPMU_RECORDING_WHO_SEEN_H */
