/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A program stopped where it enters a loop, to be forked for each run of it.
 */
#ifndef BPMU_SNAPSHOT_H
#define BPMU_SNAPSHOT_H

#include "pages.h"
#include "trace.h"

/* the second entry, or the first where there is only one */
#define BPMU_SNAPSHOT_AUTO 0

/**
 * struct bpmu_snapshot_thread - another thread in the same loop
 * @tid: of the program
 * @regs: at the header
 * @state: of its vector registers
 * @size: bytes
 */
struct bpmu_snapshot_thread {
	pid_t tid;
	struct user_regs_struct regs;
	void *state;
	size_t size;
};

/**
 * struct bpmu_snapshot - the stopped program
 * @trace: the command
 * @pid: process to be forked
 * @forked: it is a fork itself, the command goes on or has ended
 * @regs: at the loop's header
 * @state: of the vector registers there
 * @size: bytes
 * @invocation: number of the entry into the loop, from 1
 * @threads: that the program had
 * @helpers: threads in the same loop, besides the one of @pid, that are wanted
 * @helper: these
 * @nr_helpers: how many have come
 * @header: run-time address
 * @exits: run-time addresses
 * @nr_exits: their number
 * @data: run-time address of a page for the brackets
 * @code: run-time address of room for code
 * @code_size: bytes
 * @forks: that were made of it
 * @private: shared mappings that were made private
 * @written: pages that the loop writes in any variant
 * @read: pages of files that it reads
 */
struct bpmu_snapshot {
	struct bpmu_trace *trace;
	pid_t pid;
	bool forked;
	struct user_regs_struct regs;
	void *state;
	size_t size;
	unsigned int invocation;
	unsigned int threads;
	unsigned int helpers;
	struct bpmu_snapshot_thread *helper;
	unsigned int nr_helpers;
	u64 header;
	const u64 *exits;
	unsigned int nr_exits;
	u64 data;
	u64 code;
	size_t code_size;
	unsigned int forks;
	unsigned int private;
	struct bpmu_pages written;
	struct bpmu_pages read;
};

int bpmu_snapshot_take(struct bpmu_snapshot *snapshot, unsigned int invocation,
		       struct bpmu_error *err);
int bpmu_snapshot_prepare(struct bpmu_snapshot *snapshot, int cpu,
			  size_t code_size, struct bpmu_error *err);
int bpmu_snapshot_fork(struct bpmu_snapshot *snapshot, pid_t *pid,
		       struct bpmu_error *err);
int bpmu_snapshot_help(struct bpmu_snapshot *snapshot, pid_t pid,
		       unsigned int nr, pid_t *tid, struct bpmu_error *err);
int bpmu_snapshot_learn(struct bpmu_snapshot *snapshot, pid_t pid,
			struct bpmu_error *err);
int bpmu_snapshot_prefault(const struct bpmu_snapshot *snapshot, pid_t pid);
int bpmu_snapshot_restore(const struct bpmu_snapshot *snapshot, pid_t pid);
u64 bpmu_snapshot_checksum(pid_t pid, u64 leave_out);
void bpmu_snapshot_end(struct bpmu_snapshot *snapshot);

#endif /* BPMU_SNAPSHOT_H */
