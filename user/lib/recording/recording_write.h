/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes a recording block by block. The file has all blocks of a round when the round ends.
 */
#ifndef BPMU_RECORDING_WRITE_H
#define BPMU_RECORDING_WRITE_H

#include "recording.h"
#include "replace.h"

struct bpmu_who_seen;

/**
 * struct bpmu_recording_cpu - totals of one CPU's samples and interrupts so far
 * @seen: true if the CPU has had samples
 * @next: sequence number of the CPU's next sample if none is lost
 * @samples: number of samples written
 * @lost: number of lost samples, which are gaps in the sequence numbers
 * @next_overflow: sequence number of the CPU's next interrupt if none is lost
 * @overflows: number of interrupts written
 * @overflows_lost: number of interrupts lost since the start, as the module reported last
 * @overflows_gaps: number of lost interrupts that a reader finds by the sequence numbers that are
 *	missing between the written interrupts
 */
struct bpmu_recording_cpu {
	bool seen;
	u64 next;
	u64 samples;
	u64 lost;
	u64 next_overflow;
	u64 overflows;
	u64 overflows_lost;
	u64 overflows_gaps;
};

/* Blocks wait until they have this many bytes, or until the end of a round, to be written at once. */
#define BPMU_RECORDING_WAIT 65536

/**
 * struct bpmu_recording - a recording that is being written to a file
 * @name: name of the file
 * @replace: temporary file that is written, until it replaces the file @name
 * @fd: open file
 * @error: errno of the first failure, or 0
 * @bytes: number of bytes written, or to be written
 * @record_bytes: size of a sample record of the module in bytes
 * @who: true if the module's sample records end with a &struct bpmu_who
 * @counts: true if the records of interrupts have counts, as &bpmu_recording_about.counts says
 * @seen: what records of interrupts have interrupted, is noted in there; NULL if nothing is noted
 * @block: memory for the block that is being built, its head first
 * @room: size of @block in bytes
 * @waiting: what is to be written next, [@nr_waiting]; NULL if nothing waits before it is written
 * @nr_waiting: number of bytes that wait, at most BPMU_RECORDING_WAIT
 * @kept: memory for another block, which is written later
 * @kept_room: size of @kept in bytes
 * @cpu: totals by CPU number, [nr_cpus]
 * @nr_cpus: highest number of a measured CPU, plus one
 */
struct bpmu_recording {
	const char *name;
	struct bpmu_replace replace;
	int fd;
	int error;
	u64 bytes;
	u32 record_bytes;
	bool who;
	bool counts;
	struct bpmu_who_seen *seen;
	unsigned char *block;
	size_t room;
	unsigned char *waiting;
	size_t nr_waiting;
	unsigned char *kept;
	size_t kept_room;
	struct bpmu_recording_cpu *cpu;
	unsigned int nr_cpus;
};

int bpmu_recording_create(struct bpmu_recording *recording, const char *name,
			  struct bpmu_error *err);
int bpmu_recording_describe(struct bpmu_recording *recording,
			    const struct bpmu_recording_about *about,
			    u32 record_bytes, struct bpmu_error *err);
void bpmu_recording_add(struct bpmu_recording *recording, const void *records,
			size_t bytes);
unsigned int bpmu_recording_add_overflows(struct bpmu_recording *recording, const void *records,
					  size_t bytes);
void bpmu_recording_lose_overflows(struct bpmu_recording *recording, u32 cpu, u64 lost);
void bpmu_recording_block(struct bpmu_recording *recording, u32 type,
			  const char *text);
void bpmu_recording_round(struct bpmu_recording *recording);
int bpmu_recording_close(struct bpmu_recording *recording,
			 struct bpmu_error *err);
int bpmu_recording_switch(struct bpmu_recording *recording, const char *name,
			  const struct bpmu_recording_about *about,
			  struct bpmu_error *err);

#endif /* BPMU_RECORDING_WRITE_H */
