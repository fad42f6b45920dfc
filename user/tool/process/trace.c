// SPDX-License-Identifier: GPL-2.0
#include "trace.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define OPTIONS (PTRACE_O_TRACEEXEC | PTRACE_O_TRACECLONE | \
		 PTRACE_O_TRACEFORK | PTRACE_O_EXITKILL | \
		 PTRACE_O_TRACESYSGOOD)

#define INT3 0xcc
#define YAMA "/proc/sys/kernel/yama/ptrace_scope"

static int not_permitted(int code, struct bpmu_error *err)
{
	FILE *file = fopen(YAMA, "re");
	int scope = -1;

	if (file && fscanf(file, "%d", &scope) != 1)
		scope = -1;
	if (file)
		fclose(file);
	if (code == EPERM && scope > 1)
		return bpmu_error_set(err, -code,
			"ptrace: not permitted, kernel.yama.ptrace_scope is %d; %s",
			scope, scope > 2 ? "boot with another one, 3 stays until then" :
			"run as root or set it to 1");
	return bpmu_error_set(err, -code,
			      "ptrace: %s; is it allowed here (seccomp, container)?",
			      strerror(code));
}

/**
 * bpmu_trace_wait() - wait until a traced process or thread stops or ends
 * @trace: trace after bpmu_trace_start()
 * @who: process or thread to wait for, -1 for any traced one
 * @timeout_ms: maximum time to wait in ms, or BPMU_TRACE_FOREVER
 * @stopped: output: the process or thread that has stopped or ended
 * @status: output: its status, as by waitpid()
 *
 * Not thread-safe.
 * Return: 0; -ETIMEDOUT; -EINTR if the tool has received a signal that ends the tool; -ECHILD if no
 * such process is traced.
 */
int bpmu_trace_wait(struct bpmu_trace *trace, pid_t who, int timeout_ms,
		    pid_t *stopped, int *status, struct bpmu_error *err)
{
	struct pollfd fd = { .fd = trace->signals.fd, .events = POLLIN };
	struct signalfd_siginfo info;
	pid_t got;
	int ready;

	for (;;) {
		got = waitpid(who, status, __WALL | WNOHANG);
		if (got > 0) {
			*stopped = got;
			return 0;
		}
		if (got < 0)
			return bpmu_error_set(err, -ECHILD,
					      "command: ended; does it run the loop?");
		ready = poll(&fd, 1, timeout_ms);
		if (!ready)
			return bpmu_error_set(err, -ETIMEDOUT,
					      "command: takes too long; give it less to do");
		while (bpmu_signals_next(&trace->signals, &info))
			if (info.ssi_signo != SIGCHLD)
				return bpmu_error_set(err, -EINTR,
						      "decan: interrupted; start it again");
	}
}

/**
 * bpmu_trace_resume() - let a stopped thread of the traced command continue
 * @tid: stopped thread
 * @status: status from bpmu_trace_wait(), or 0. If the thread stopped because it got a signal, the
 *	status names the signal, which is delivered now
 */
void bpmu_trace_resume(pid_t tid, int status)
{
	int signal = WSTOPSIG(status);

	if (status >> 16 || signal == SIGTRAP || signal & 0x80)
		signal = 0;
	ptrace(PTRACE_CONT, tid, 0, (long)signal);
}

static int seize(struct bpmu_trace *trace, struct bpmu_error *err)
{
	if (!ptrace(PTRACE_SEIZE, trace->pid, 0, OPTIONS))
		return 0;
	return not_permitted(errno, err);
}

static void find_path(struct bpmu_trace *trace)
{
	char link[32];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/%d/exe", trace->pid);
	len = readlink(link, trace->path, sizeof(trace->path) - 1);
	trace->path[len > 0 ? len : 0] = '\0';
}

static u64 auxiliary(pid_t pid, u64 type)
{
	char path[32];
	u64 entry[2];
	u64 value = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/auxv", pid);
	file = fopen(path, "re");
	while (file && fread(entry, sizeof(entry), 1, file) == 1)
		if (entry[0] == type)
			value = entry[1];
	if (file)
		fclose(file);
	return value;
}

/**
 * bpmu_trace_start() - start a command under ptrace, and stop it after its execve()
 * @trace: output
 * @argv: words of the command, NULL-terminated
 *
 * Not thread-safe.
 * Return: 0 or a negative errno; the caller calls bpmu_trace_end() in any case.
 */
int bpmu_trace_start(struct bpmu_trace *trace, char **argv,
		     struct bpmu_error *err)
{
	struct bpmu_child child = { };
	int status, code;
	pid_t stopped;

	*trace = (struct bpmu_trace){ };
	code = bpmu_signals_take(&trace->signals, err);
	trace->taken = true;
	if (!code)
		code = bpmu_child_create(&child, argv, &trace->signals, err);
	if (code)
		return code;
	trace->pid = child.pid;
	code = seize(trace, err);
	if (code) {
		bpmu_child_end(&child);
		trace->pid = 0;
		return code;
	}
	code = bpmu_child_go(&child, argv[0], &status, err);
	if (code) {
		trace->pid = 0;
		return code;
	}
	do {
		code = bpmu_trace_wait(trace, trace->pid, BPMU_TRACE_FOREVER,
				       &stopped, &status, err);
		if (!code && !WIFSTOPPED(status))
			trace->pid = 0;
		if (!code && WIFSTOPPED(status) &&
		    status >> 16 != PTRACE_EVENT_EXEC)
			bpmu_trace_resume(stopped, status);
	} while (!code && trace->pid && status >> 16 != PTRACE_EVENT_EXEC);
	if (code || !trace->pid)
		return code ? code :
		       bpmu_error_set(err, -ECHILD, "command '%s': ended; is it a program?",
				      argv[0]);
	find_path(trace);
	trace->entry = auxiliary(trace->pid, AT_ENTRY);
	return 0;
}

/*
 * Waits for the end of all threads of a killed process except the first thread. @threads is
 * /proc/PID/task. The kernel reports the end of the first thread only when the end of all other
 * traced threads has been waited for.
 */
static void reap_threads(pid_t pid, DIR *threads)
{
	struct dirent *entry;
	int status;
	pid_t tid;

	while (threads && (entry = readdir(threads))) {
		tid = atoi(entry->d_name);
		if (!tid || tid == pid)
			continue;
		while (waitpid(tid, &status, __WALL) == tid &&
		       WIFSTOPPED(status))
			ptrace(PTRACE_CONT, tid, 0, 0L);
	}
}

/**
 * bpmu_trace_kill() - kill a traced process and wait for its end
 * @trace: the trace
 * @pid: traced process; 0: nothing is done
 *
 * Return: the number of involuntary context switches that the process has had; 0 for @pid 0.
 */
long bpmu_trace_kill(struct bpmu_trace *trace, pid_t pid)
{
	struct rusage usage = { };
	char path[32];
	DIR *threads;
	int status;

	if (!pid)
		return 0;
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	threads = opendir(path);
	kill(pid, SIGKILL);
	reap_threads(pid, threads);
	if (threads)
		closedir(threads);
	while (wait4(pid, &status, __WALL, &usage) == pid && WIFSTOPPED(status))
		ptrace(PTRACE_CONT, pid, 0, 0L);
	if (trace->pid == pid)
		trace->pid = 0;
	return usage.ru_nivcsw;
}

/**
 * bpmu_trace_end() - end the traced command, and restore the tool's own signal handling
 * @trace: trace in any state
 */
void bpmu_trace_end(struct bpmu_trace *trace)
{
	bpmu_trace_kill(trace, trace->pid);
	if (trace->taken)
		bpmu_signals_give(&trace->signals);
	trace->taken = false;
}

/**
 * bpmu_trace_read() - copy bytes out of the memory of a traced process
 * @pid: the process
 * @address: address in the process
 * @bytes: destination, [@size]
 * @size: number of bytes
 *
 * Return: 0 or a negative errno.
 */
int bpmu_trace_read(pid_t pid, u64 address, void *bytes, size_t size)
{
	struct iovec to = { bytes, size };
	struct iovec from = { (void *)(uintptr_t)address, size };
	ssize_t got = process_vm_readv(pid, &to, 1, &from, 1, 0);

	return got == (ssize_t)size ? 0 : got < 0 ? -errno : -EFAULT;
}

/**
 * bpmu_trace_write() - copy bytes into the memory of a traced process, even if that is read-only
 * @pid: the process
 * @address: address in the process
 * @bytes: source, [@size]
 * @size: number of bytes
 *
 * Return: 0 or a negative errno.
 */
int bpmu_trace_write(pid_t pid, u64 address, const void *bytes, size_t size)
{
	char path[32];
	ssize_t put;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	put = pwrite(fd, bytes, size, address);
	close(fd);
	return put == (ssize_t)size ? 0 : -EFAULT;
}

/**
 * bpmu_trace_registers() - read the general registers of a traced thread
 * @tid: stopped thread
 * @regs: output: the registers
 *
 * Return: 0 or a negative errno.
 */
int bpmu_trace_registers(pid_t tid, struct user_regs_struct *regs)
{
	return ptrace(PTRACE_GETREGS, tid, 0, regs) ? -errno : 0;
}

/**
 * bpmu_trace_set_registers() - write the general registers of a traced thread
 * @tid: stopped thread
 * @regs: new values
 *
 * Return: 0 or a negative errno.
 */
int bpmu_trace_set_registers(pid_t tid, const struct user_regs_struct *regs)
{
	struct user_regs_struct set = *regs;

	/*
	 * If the thread is stopped in a system call, orig_rax has the number of this call. The
	 * kernel would restart the system call when the thread continues, and so change the new
	 * RIP. The value -1 prevents this.
	 */
	set.orig_rax = -1;
	return ptrace(PTRACE_SETREGS, tid, 0, &set) ? -errno : 0;
}

/*
 * Writes two instructions over the code at the program's entry point, which does not run any more:
 * SYSCALL, and INT3, which stops the thread after the system call. Returns 0, or -EFAULT if the
 * instructions cannot be written.
 */
static int make_gate(struct bpmu_trace *trace, pid_t tid)
{
	static const u8 gate[] = { 0x0f, 0x05, INT3 };

	if (trace->gate)
		return 0;
	if (bpmu_trace_write(tid, trace->entry, gate, sizeof(gate)))
		return -EFAULT;
	trace->gate = trace->entry;
	return 0;
}

/**
 * bpmu_trace_call() - inject a system call into a stopped traced thread
 * @trace: the trace
 * @tid: the thread; its registers are restored afterwards
 * @number: system call number
 * @argument: arguments, [6]
 * @result: output: return value of the system call, a negative errno if the call failed
 * @forked: output: the child that the system call has created; the caller passes NULL if the call
 *	creates none
 *
 * Not thread-safe.
 */
int bpmu_trace_call(struct bpmu_trace *trace, pid_t tid, long number,
		    const u64 argument[6], u64 *result, pid_t *forked,
		    struct bpmu_error *err)
{
	struct user_regs_struct before, regs;
	unsigned long message;
	int status, code;
	pid_t stopped;

	if (bpmu_trace_registers(tid, &before) || make_gate(trace, tid))
		return bpmu_error_set(err, -EFAULT,
				      "command: its memory cannot be changed; is it still there?");
	regs = before;
	regs.rip = trace->gate;
	regs.rax = number;
	regs.rdi = argument[0];
	regs.rsi = argument[1];
	regs.rdx = argument[2];
	regs.r10 = argument[3];
	regs.r8 = argument[4];
	regs.r9 = argument[5];
	bpmu_trace_set_registers(tid, &regs);
	for (;;) {
		ptrace(PTRACE_CONT, tid, 0, 0L);
		code = bpmu_trace_wait(trace, tid, BPMU_TRACE_FOREVER, &stopped,
				       &status, err);
		if (code)
			return code;
		if (!WIFSTOPPED(status))
			return bpmu_error_set(err, -ECHILD,
					      "command: was killed; is there memory?");
		if (forked && (status >> 16 == PTRACE_EVENT_FORK ||
			       status >> 16 == PTRACE_EVENT_CLONE) &&
		    !ptrace(PTRACE_GETEVENTMSG, tid, 0, &message))
			*forked = message;
		bpmu_trace_registers(tid, &regs);
		if (!(status >> 16) && WSTOPSIG(status) == SIGTRAP &&
		    regs.rip == trace->gate + 3)
			break;
	}
	*result = regs.rax;
	bpmu_trace_set_registers(tid, &before);
	return 0;
}

/**
 * bpmu_trace_fork() - clone a traced process, by a system call that is injected into its thread
 * @trace: the trace
 * @tid: the thread, which is stopped
 * @forked: output: the child, which is traced, and stopped with the same registers as the thread
 *
 * The child's parent is the tool (CLONE_PARENT), so that the program gets no SIGCHLD.
 *
 * Not thread-safe.
 */
int bpmu_trace_fork(struct bpmu_trace *trace, pid_t tid, pid_t *forked,
		    struct bpmu_error *err)
{
	const u64 argument[6] = { CLONE_PARENT | SIGCHLD };
	struct user_regs_struct regs;
	int status, code;
	pid_t stopped;
	u64 result;

	*forked = 0;
	bpmu_trace_registers(tid, &regs);
	code = bpmu_trace_call(trace, tid, SYS_clone, argument, &result, forked,
			       err);
	if (code)
		return code;
	if (!*forked)
		return bpmu_error_set(err, (int)result,
				      "command: cannot fork: %s; is there memory?",
				      strerror(-(int)result));
	code = bpmu_trace_wait(trace, *forked, BPMU_TRACE_FOREVER, &stopped,
			       &status, err);
	if (!code)
		bpmu_trace_set_registers(*forked, &regs);
	return code;
}

/**
 * bpmu_trace_to_entry() - run the traced command to its program's entry point, and stop it there
 * @trace: trace from bpmu_trace_start()
 *
 * At the entry point the dynamic loader has mapped the libraries that the program is linked to.
 *
 * Not thread-safe.
 */
int bpmu_trace_to_entry(struct bpmu_trace *trace, struct bpmu_error *err)
{
	const u8 stop = INT3;
	struct user_regs_struct regs;
	pid_t stopped;
	int status, code;
	u8 old;

	if (bpmu_trace_read(trace->pid, trace->entry, &old, 1) ||
	    bpmu_trace_write(trace->pid, trace->entry, &stop, 1))
		return bpmu_error_set(err, -EFAULT,
				      "%s: cannot be changed in memory; is it a program?",
				      trace->path);
	for (status = 0;;) {
		bpmu_trace_resume(trace->pid, status);
		code = bpmu_trace_wait(trace, trace->pid, BPMU_TRACE_FOREVER,
				       &stopped, &status, err);
		if (code)
			return code;
		if (!WIFSTOPPED(status)) {
			trace->pid = 0;
			return bpmu_error_set(err, -ECHILD,
					      "%s: ended while it was loaded; does it run without decan?",
					      trace->path);
		}
		bpmu_trace_registers(stopped, &regs);
		if (!(status >> 16) && WSTOPSIG(status) == SIGTRAP &&
		    regs.rip == trace->entry + 1)
			break;
	}
	bpmu_trace_write(trace->pid, trace->entry, &old, 1);
	regs.rip = trace->entry;
	bpmu_trace_set_registers(trace->pid, &regs);
	return 0;
}
