// SPDX-License-Identifier: GPL-2.0
#include "run.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "base/array.h"
#include "base/clock.h"

/* Signal with which a thread stops at a system call (PTRACE_O_TRACESYSGOOD) */
#define SYSTEM_CALL (SIGTRAP | 0x80)
/* interval in ms at which the memory use of a long run is checked */
#define MEMORY_CHECK_MS 100
/*
 * A run has a limit of CPU time. It is also ended when the real time exceeds this multiple of the
 * limit, because on a busy host the run may have to wait for a CPU, and use little CPU time.
 */
#define BUSY_HOST 10
/*
 * Helper threads are threads of the program besides the measured one that run the same loop. They
 * run for this time in ns before the measured thread starts.
 */
#define HELPERS_LEAD_NS (5 * BPMU_NS_PER_MS)
/* A run whose resident memory grows by more pages than this is ended with BPMU_RUN_MEMORY. */
#define MAX_MORE_PAGES (1UL << 18)

static unsigned long resident_pages(pid_t pid)
{
	unsigned long pages = 0;
	char path[32];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/statm", pid);
	file = fopen(path, "re");
	if (file && fscanf(file, "%*u %lu", &pages) != 1)
		pages = 0;
	if (file)
		fclose(file);
	return pages;
}

/*
 * Is called when waitpid() has returned @status for fork @pid, which has stopped or ended. Returns
 * true if the run of the loop is over, and sets @run->status. Otherwise the caller must resume the
 * fork.
 */
static bool is_over(const struct bpmu_brackets *brackets, pid_t pid, int status,
		    struct bpmu_run *run)
{
	struct user_regs_struct regs;
	int signal;

	if (!WIFSTOPPED(status)) {
		run->status = BPMU_RUN_SIGNAL;
		run->number = WIFSIGNALED(status) ? WTERMSIG(status) : SIGKILL;
		return true;
	}
	signal = WSTOPSIG(status);
	if (signal == SYSTEM_CALL) {
		bpmu_trace_registers(pid, &regs);
		run->status = BPMU_RUN_CALL;
		run->number = regs.orig_rax;
		/*
		 * The loop makes a system call. Cancel this system call: otherwise the kernel would
		 * still execute it when the process is killed.
		 */
		bpmu_trace_set_registers(pid, &regs);
		return true;
	}
	if (status >> 16)
		return false;
	if (signal == SIGTRAP &&
	    bpmu_brackets_left(brackets, pid, &run->times)) {
		run->status = BPMU_RUN_OK;
		return true;
	}
	run->status = BPMU_RUN_SIGNAL;
	run->number = signal;
	return signal == SIGTRAP || signal == SIGSEGV || signal == SIGBUS ||
	       signal == SIGFPE || signal == SIGILL;
}

/*
 * Thread @tid has stopped. If it is a helper, it has left the loop: this function makes it enter
 * the loop again.
 */
static void restart_helper(const struct bpmu_brackets *brackets,
			   const struct bpmu_run *run, const pid_t *helper,
			   pid_t tid)
{
	unsigned int i;

	for (i = 0; i < run->helpers; i++) {
		if (helper[i] != tid)
			continue;
		bpmu_trace_set_registers(tid,
					 &brackets->snapshot->helper[i].regs);
		ptrace(PTRACE_SYSCALL, tid, 0, 0L);
	}
}

/* Starts the helper threads, and gives them time to run before the measured thread starts. */
static void start_helpers(const struct bpmu_brackets *brackets,
			  const struct bpmu_run *run, const pid_t *helper,
			  struct bpmu_error *err)
{
	u64 until = bpmu_clock_ns(CLOCK_MONOTONIC) + HELPERS_LEAD_NS;
	pid_t stopped;
	unsigned int i;
	int status;

	for (i = 0; i < run->helpers; i++)
		ptrace(PTRACE_SYSCALL, helper[i], 0, 0L);
	while (run->helpers && bpmu_clock_ns(CLOCK_MONOTONIC) < until)
		if (!bpmu_trace_wait(brackets->snapshot->trace, -1, 1, &stopped,
				     &status, err))
			restart_helper(brackets, run, helper, stopped);
}

/**
 * struct cpu_time - CPU time that a fork and its threads have used up to some moment
 * @now: the moment, as a time in ns
 * @all: CPU time in ns that all threads together have used
 * @first: CPU time in ns that the first thread, which is measured, has used
 */
struct cpu_time {
	u64 now;
	u64 all;
	u64 first;
};

/*
 * Sets @time to the CPU times that a fork has used; returns false if they are unknown. The time of
 * the whole process is exact. The time of the first thread lacks what that thread has used since it
 * last stopped.
 */
static bool cpu_time_of(pid_t pid, struct cpu_time *time)
{
	unsigned long long first;
	clockid_t clock;
	char path[48];
	FILE *file;
	bool known;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/schedstat", pid, pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	known = fscanf(file, "%llu", &first) == 1 &&
		!clock_getcpuclockid(pid, &clock);
	fclose(file);
	if (!known)
		return false;
	time->first = first;
	time->all = bpmu_clock_ns(clock);
	time->now = bpmu_clock_ns(CLOCK_MONOTONIC);
	return true;
}

/*
 * Returns the fraction of the time since @begin for which a helper thread has run on a CPU (mean of
 * all helper threads), or NAN if unknown.
 */
static double helpers_share(pid_t pid, unsigned int helpers,
			    const struct cpu_time *begin)
{
	struct cpu_time end;

	if (!begin->now || !cpu_time_of(pid, &end) || end.now == begin->now)
		return NAN;
	return ((double)(end.all - begin->all) -
		(double)(end.first - begin->first)) /
	       (helpers * (double)(end.now - begin->now));
}

/* Returns the CPU time in ms that a process has used; 0 if it is unknown. */
static int cpu_ms(pid_t pid)
{
	clockid_t clock;

	return clock_getcpuclockid(pid, &clock) ? 0 :
	       (int)(bpmu_clock_ns(clock) / BPMU_NS_PER_MS);
}

static int run_until_stop(const struct bpmu_brackets *brackets, pid_t pid,
			  struct bpmu_run *run, const pid_t *helper, struct bpmu_error *err)
{
	struct bpmu_trace *trace = brackets->snapshot->trace;
	unsigned long most = resident_pages(pid) + MAX_MORE_PAGES;
	int left = BUSY_HOST * run->limit_ms;
	struct cpu_time begin = { };
	int used = cpu_ms(pid);
	int status, slice, code;
	pid_t stopped;
	bool late;

	run->on_cpu = NAN;
	if (helper)
		start_helpers(brackets, run, helper, err);
	if (run->helpers)
		cpu_time_of(pid, &begin);
	ptrace(PTRACE_SYSCALL, pid, 0, 0L);
	for (;;) {
		slice = run->limit_ms < MEMORY_CHECK_MS ? run->limit_ms : MEMORY_CHECK_MS;
		code = bpmu_trace_wait(trace, run->helpers ? -1 : pid, slice,
				       &stopped, &status, err);
		if (code == -ETIMEDOUT) {
			left -= slice;
			late = left <= 0 || cpu_ms(pid) - used >=
					    run->limit_ms * (int)(1 + run->helpers);
			run->status = late ? BPMU_RUN_TIME : BPMU_RUN_MEMORY;
			if (late || resident_pages(pid) > most)
				return 0;
			continue;
		}
		if (!code && stopped != pid) {
			restart_helper(brackets, run, helper, stopped);
			continue;
		}
		if (!code && run->helpers)
			run->on_cpu = helpers_share(pid, run->helpers, &begin);
		if (code || is_over(brackets, pid, status, run))
			return code;
		ptrace(PTRACE_SYSCALL, pid, 0, 0L);
	}
}

/*
 * Bits of MXCSR (SDM Vol. 1, 10.2.3). SEEN: the flags that a denormal operand or an underflow
 * occurred; FLUSH: the modes "denormals are zeros" and "flush to zero"
 */
#define MXCSR_SEEN (1 << 1 | 1 << 4)
#define MXCSR_FLUSH (1 << 6 | 1 << 15)

/*
 * Sets bits @set and clears bits @clear of MXCSR in a stopped process, if its registers are known.
 */
static void change_mxcsr(pid_t pid, unsigned int set, unsigned int clear)
{
	struct user_fpregs_struct vectors;

	if (ptrace(PTRACE_GETFPREGS, pid, 0, &vectors))
		return;
	vectors.mxcsr = (vectors.mxcsr & ~clear) | set;
	ptrace(PTRACE_SETFPREGS, pid, 0, &vectors);
}

/*
 * If the original loop has no denormal numbers, makes the CPU flush denormal numbers to zero in a
 * run. This does not change what the original loop computes. But a variant without loads computes
 * with numbers that happen to be in registers. With a denormal number, each operation may need a
 * microcode assist of hundreds of cycles, which the original loop never needs.
 */
static void flush_denormals(const struct bpmu_snapshot *snapshot, pid_t pid)
{
	change_mxcsr(pid, snapshot->normal ? MXCSR_FLUSH : 0, MXCSR_SEEN);
}

/*
 * Returns true if a run may have met denormal numbers: if the flags of MXCSR say so, or cannot be
 * read.
 */
static bool met_denormals(pid_t pid)
{
	struct user_fpregs_struct vectors;

	return ptrace(PTRACE_GETFPREGS, pid, 0, &vectors) || vectors.mxcsr & MXCSR_SEEN;
}

static int decan_run_check(int code, struct bpmu_error *err)
{
	return code ? bpmu_error_set(err, code,
				     "command: its fork cannot be changed; is there memory?") :
	       0;
}

static int decan_run_start(const struct bpmu_brackets *brackets, pid_t pid,
			   const struct bpmu_run *run, struct bpmu_error *err)
{
	struct user_regs_struct regs = brackets->snapshot->regs;

	regs.rip = run->mode == BPMU_RUN_EMPTY ? brackets->empty :
		   brackets->enter;
	return decan_run_check(bpmu_trace_set_registers(pid, &regs), err);
}

static int decan_run_prepare(const struct bpmu_brackets *brackets, pid_t pid,
			     const struct bpmu_run *run, struct bpmu_error *err)
{
	int code;

	flush_denormals(brackets->snapshot, pid);
	if (run->mode == BPMU_RUN_COUNT)
		return bpmu_brackets_copy(brackets, pid, run->edit, run->nr,
					  err);
	code = bpmu_brackets_edit(brackets, pid, run->edit, run->nr);
	return code ? decan_run_check(code, err) :
	       decan_run_start(brackets, pid, run, err);
}

/*
 * Runs the loop once unmeasured, and then prepares the fork for the next run. If the fork cannot be
 * prepared, a new fork, whose caches are cold, replaces it. Returns 0 or a negative errno.
 */
static int warm_up(const struct bpmu_brackets *brackets, struct bpmu_fork *fork,
		   struct bpmu_run *run, struct bpmu_error *err)
{
	int code = run_until_stop(brackets, fork->pid, run, NULL, err);

	if (code || run->status != BPMU_RUN_OK)
		return code;
	if (!bpmu_fork_fits(fork, brackets->snapshot))
		bpmu_fork_end(fork, brackets->snapshot);
	code = bpmu_fork_ready(fork, brackets->snapshot, err);
	if (code)
		return code;
	/*
	 * The code of the variant is written before the fork's first run only. Written again, it
	 * would have to be decoded again: its uops would no longer be in the decoded uop cache.
	 */
	if (fork->runs <= 1)
		return decan_run_prepare(brackets, fork->pid, run, err);
	flush_denormals(brackets->snapshot, fork->pid);
	return decan_run_start(brackets, fork->pid, run, err);
}

static int run_fork(const struct bpmu_brackets *brackets, struct bpmu_fork *fork,
		    struct bpmu_run *run, struct bpmu_error *err)
{
	struct bpmu_snapshot *snapshot = brackets->snapshot;
	pid_t helper[BPMU_RUN_HELPERS] = { };
	struct bpmu_error ignored;
	unsigned int left = run->warm;
	int code, ended = 0;

	code = decan_run_prepare(brackets, fork->pid, run, err);
	while (left-- && !code && run->status == BPMU_RUN_OK)
		code = warm_up(brackets, fork, run, err);
	if (!code && run->helpers)
		code = bpmu_snapshot_help(snapshot, fork->pid, run->helpers,
					  helper, err);
	if (!code && run->begin)
		code = run->begin(run->data, err);
	if (!code && run->status == BPMU_RUN_OK)
		code = run_until_stop(brackets, fork->pid, run, helper, err);
	if (run->end)
		ended = run->end(run->data, code ? &ignored : err);
	if (!code && !ended && run->learn && run->status == BPMU_RUN_OK &&
	    (!run->wanted || run->times.iterations == run->wanted)) {
		if (!run->nr)
			snapshot->normal = !met_denormals(fork->pid);
		code = bpmu_snapshot_learn(snapshot, fork->pid, err);
	}
	return code ? code : ended;
}

/**
 * bpmu_run() - run the loop of a variant once
 * @brackets: from bpmu_brackets_make()
 * @run: input: the parameters of the run; output: its results
 *
 * Not thread-safe.
 *
 * Return: 0 or a negative errno; a crash or timeout of the loop is not an error.
 */
int bpmu_run(const struct bpmu_brackets *brackets, struct bpmu_run *run,
	     struct bpmu_error *err)
{
	struct bpmu_snapshot *snapshot = brackets->snapshot;
	struct bpmu_fork own = { };
	/*
	 * A run with helper threads cannot use @run->fork, which other runs also use: the helper
	 * threads end only when their process is killed.
	 */
	struct bpmu_fork *fork = run->fork && !run->helpers ? run->fork : &own;
	int code;

	run->status = BPMU_RUN_OK;
	run->number = 0;
	code = bpmu_fork_ready(fork, snapshot, err);
	if (!code)
		code = run_fork(brackets, fork, run, err);
	if (fork == run->fork && !code && run->status == BPMU_RUN_OK)
		run->disturbed = bpmu_fork_keep(fork, snapshot);
	else
		run->disturbed = bpmu_fork_end(fork, snapshot);
	return code;
}

/*
 * Returns the name of a system call. For a system call that loops rarely make, returns its number
 * as text.
 */
static const char *call_name(int number, char text[64])
{
	static const struct {
		int number;
		const char *name;
	} names[] = {
		{ 0, "read" }, { 1, "write" }, { 2, "open" }, { 9, "mmap" },
		{ 11, "munmap" }, { 12, "brk" }, { 24, "sched_yield" },
		{ 35, "nanosleep" }, { 39, "getpid" }, { 44, "sendto" },
		{ 45, "recvfrom" }, { 56, "clone" }, { 57, "fork" },
		{ 59, "execve" }, { 60, "exit" }, { 202, "futex" },
		{ 230, "clock_nanosleep" }, { 231, "exit_group" },
		{ 257, "openat" }, { 435, "clone3" },
	};
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].number == number)
			return names[i].name;
	snprintf(text, 64, "%d", number);
	return text;
}

/* Returns the name of a signal, such as "SIGSEGV". musl does not have sigabbrev_np(). */
static const char *signal_name(int number, char text[64])
{
	static const struct {
		int number;
		const char *name;
	} known[] = {
		{ SIGABRT, "SIGABRT" }, { SIGBUS, "SIGBUS" }, { SIGFPE, "SIGFPE" },
		{ SIGILL, "SIGILL" }, { SIGKILL, "SIGKILL" }, { SIGSEGV, "SIGSEGV" },
		{ SIGTERM, "SIGTERM" }, { SIGTRAP, "SIGTRAP" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(known); i++)
		if (known[i].number == number)
			return known[i].name;
	snprintf(text, 64, "signal %d", number);
	return text;
}

/**
 * bpmu_run_status_text() - format the status of a run of a variant
 * @run: completed run
 * @text: buffer for the status
 *
 * Return: "ok", "crash (SIGSEGV)", "time", "memory" or "system call (write)".
 */
const char *bpmu_run_status_text(const struct bpmu_run *run, char text[64])
{
	char call[64];

	switch (run->status) {
	case BPMU_RUN_SIGNAL:
		snprintf(text, 64, "crash (%.40s)",
			 signal_name(run->number, call));
		return text;
	case BPMU_RUN_CALL:
		snprintf(text, 64, "system call (%.40s)",
			 call_name(run->number, call));
		return text;
	case BPMU_RUN_TIME:
		return "time limit";
	case BPMU_RUN_MEMORY:
		return "memory limit";
	case BPMU_RUN_OK:
		break;
	}
	return "ok";
}
