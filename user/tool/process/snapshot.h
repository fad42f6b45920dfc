/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The snapshot: a process of the user's program that is stopped at the header of a loop. The loop
 * is run in forks of this process.
 */
#ifndef BPMU_SNAPSHOT_H
#define BPMU_SNAPSHOT_H

#include "pages.h"
#include "trace.h"

/*
 * argument of bpmu_snapshot_take(): take the snapshot at the second entry into the loop or, if the
 * program enters the loop only once, at the first
 */
#define BPMU_SNAPSHOT_AUTO 0

/**
 * struct bpmu_snapshot_thread - a helper: a further thread of the program that executes the loop
 * @tid: thread ID (TID)
 * @regs: general-purpose registers at the loop's header
 * @state: XSAVE area at the loop's header, [@size]
 * @size: size of @state in bytes
 */
struct bpmu_snapshot_thread {
	pid_t tid;
	struct user_regs_struct regs;
	void *state;
	size_t size;
};

/**
 * struct bpmu_snapshot - a process of the program, stopped at the entry into a loop to be forked
 * @trace: the traced command
 * @pid: the stopped process
 * @cpu: CPU on which @pid and its forks run
 * @forked: true if @pid is a fork of the command that was made at the first entry into the loop;
 *	the command itself went on, and may have ended
 * @regs: general-purpose registers at the loop's header
 * @state: XSAVE area at the loop's header, [@size]
 * @size: size of @state in bytes
 * @invocation: number of the entry into the loop at which the program was stopped, from 1
 * @threads: number of threads of the program
 * @helpers: number of helpers (further threads of the program that execute the loop) that the user
 *	requested
 * @helper: helper threads that have reached the loop's header, [@nr_helpers]
 * @nr_helpers: number of helpers in @helper
 * @header: run-time address of the loop's header
 * @exits: run-time addresses of the loop's exits, [@nr_exits]
 * @nr_exits: number of exits
 * @data: run-time address of a page for data of the code that the tool adds before and after the
 *	loop
 * @code: run-time address of the memory for code that the tool adds
 * @code_size: size of the memory at @code in bytes
 * @forks: number of forks made so far
 * @private: number of shared mappings that were replaced by private ones
 * @written: pages that the loop writes, in its original form or in a variant made by the tool
 * @read: pages of mapped files that the loop accesses, in its original form or in a variant
 * @normal: true if the loop computes no denormal numbers; in runs of variants the CPU may then
 *	flush denormal numbers to zero
 */
struct bpmu_snapshot {
	struct bpmu_trace *trace;
	pid_t pid;
	int cpu;
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
	bool normal;
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
