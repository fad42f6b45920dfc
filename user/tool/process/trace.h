/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Traces a command by ptrace: waits until its threads stop, reads and writes its memory and
 * registers, and injects system calls.
 */
#ifndef BPMU_TRACE_H
#define BPMU_TRACE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/user.h>

#include "arch.h"
#include "base/error.h"
#include "base/signals.h"
#include "source/child.h"

/* timeout of bpmu_trace_wait(): wait without a limit */
#define BPMU_TRACE_FOREVER (-1)

/**
 * struct bpmu_trace - a command that the tool runs under ptrace
 * @signals: signalfd from which the tool reads its own signals during the trace
 * @taken: true while @signals is open; bpmu_trace_end() then closes it
 * @pid: process of the command, 0 once it has ended
 * @path: path of the command's program
 * @gate: run-time address of a SYSCALL instruction by which system calls are injected into the
 *	command; 0 before it is written
 * @entry: run-time address of the program's entry point
 */
struct bpmu_trace {
	struct bpmu_signals signals;
	bool taken;
	pid_t pid;
	char path[4096];
	u64 gate;
	u64 entry;
};

int bpmu_trace_start(struct bpmu_trace *trace, char **argv,
		     struct bpmu_error *err);
void bpmu_trace_end(struct bpmu_trace *trace);
int bpmu_trace_wait(struct bpmu_trace *trace, pid_t who, int timeout_ms,
		    pid_t *stopped, int *status, struct bpmu_error *err);
int bpmu_trace_to_entry(struct bpmu_trace *trace, struct bpmu_error *err);
long bpmu_trace_kill(struct bpmu_trace *trace, pid_t pid);
void bpmu_trace_resume(pid_t tid, int status);

int bpmu_trace_read(pid_t pid, u64 address, void *bytes, size_t size);
int bpmu_trace_write(pid_t pid, u64 address, const void *bytes, size_t size);
int bpmu_trace_registers(pid_t tid, struct user_regs_struct *regs);
int bpmu_trace_set_registers(pid_t tid, const struct user_regs_struct *regs);
int bpmu_trace_call(struct bpmu_trace *trace, pid_t tid, long number,
		    const u64 argument[6], u64 *result, pid_t *forked,
		    struct bpmu_error *err);
int bpmu_trace_fork(struct bpmu_trace *trace, pid_t tid, pid_t *forked,
		    struct bpmu_error *err);

#endif /* BPMU_TRACE_H */
