// SPDX-License-Identifier: GPL-2.0
#include "snapshot.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "regions.h"

#define INT3 0xcc
/* A jump reaches 2 GB; the rest is for the length of the mappings themselves. */
#define REACH (1ULL << 30)
/* The longest time from one entry into the loop to the next. */
#define AGAIN_NS 10000000000ULL
#define AGAIN_MS 100
#define MAX_BREAKS 64
#define CPU_BITS 1024
/* The largest XSAVE area, which includes AMX tiles. */
#define STATE_SIZE 16384
#define STATE_HEADER 512
#define STATE_HEADER_SIZE 64

/**
 * struct breaks - a set of breakpoints that are set and cleared together
 * @address: run-time addresses, [@nr]
 * @nr: number of breakpoints
 * @old: bytes that the breakpoints replace, [@nr]
 * @set: the breakpoints are set
 */
struct breaks {
	const u64 *address;
	unsigned int nr;
	u8 old[MAX_BREAKS];
	bool set;
};

static void breaks_set(struct breaks *breaks, pid_t pid)
{
	const u8 stop = INT3;
	unsigned int i;

	for (i = 0; i < breaks->nr; i++) {
		bpmu_trace_read(pid, breaks->address[i], &breaks->old[i], 1);
		bpmu_trace_write(pid, breaks->address[i], &stop, 1);
	}
	breaks->set = true;
}

static void breaks_clear(struct breaks *breaks, pid_t pid)
{
	unsigned int i;

	for (i = 0; i < breaks->nr && breaks->set; i++)
		bpmu_trace_write(pid, breaks->address[i], &breaks->old[i], 1);
}

static bool breaks_has(const struct breaks *breaks, u64 address)
{
	unsigned int i;

	for (i = 0; i < breaks->nr; i++)
		if (breaks->address[i] == address)
			return true;
	return false;
}

/**
 * struct hunt - search for the wanted entry into the loop
 * @snapshot: snapshot to take
 * @wanted: number of the entry, from 1, or BPMU_SNAPSHOT_AUTO
 * @enter: breakpoint at the loop's header
 * @leave: breakpoints at its exits
 * @thread: threads of the program, [@nr]
 * @nr: number of threads
 * @owner: the first thread that has entered the loop; only its entries are counted
 * @held: other threads, which have reached the header and stay there, [@nr_held]
 * @nr_held: number of these threads
 * @left_ns: time at which @owner left the loop, 0 if it has not
 * @gathering: time since which further threads are awaited, 0 before
 */
struct hunt {
	struct bpmu_snapshot *snapshot;
	unsigned int wanted;
	struct breaks enter;
	struct breaks leave;
	pid_t *thread;
	unsigned int nr;
	pid_t owner;
	pid_t *held;
	unsigned int nr_held;
	u64 left_ns;
	u64 gathering;
};

static void decan_snapshot_add_thread(struct hunt *hunt, pid_t tid)
{
	pid_t *grown;
	unsigned int i;

	for (i = 0; i < hunt->nr; i++)
		if (hunt->thread[i] == tid)
			return;
	grown = reallocarray(hunt->thread, hunt->nr + 1, sizeof(*grown));
	if (!grown)
		return;
	hunt->thread = grown;
	grown[hunt->nr++] = tid;
}

static void decan_snapshot_remove_thread(struct hunt *hunt, pid_t tid)
{
	unsigned int i;

	for (i = 0; i < hunt->nr; i++)
		if (hunt->thread[i] == tid)
			hunt->thread[i--] = hunt->thread[--hunt->nr];
}

/* A child that the program forks continues without breakpoints. */
static void let_child_go(struct hunt *hunt, pid_t tid, struct bpmu_error *err)
{
	unsigned long child;
	pid_t stopped;
	int status;

	if (ptrace(PTRACE_GETEVENTMSG, tid, 0, &child) ||
	    bpmu_trace_wait(hunt->snapshot->trace, child, BPMU_TRACE_FOREVER,
			    &stopped, &status, err))
		return;
	if (hunt->enter.set)
		breaks_clear(&hunt->enter, child);
	if (hunt->leave.set)
		breaks_clear(&hunt->leave, child);
	ptrace(PTRACE_DETACH, child, 0, 0L);
}

static bool is_helper(const struct bpmu_snapshot *snapshot, pid_t tid)
{
	unsigned int i;

	for (i = 0; i < snapshot->nr_helpers; i++)
		if (snapshot->helper[i].tid == tid)
			return true;
	return false;
}

/* Saves the general and vector registers of a stopped thread. */
static int keep_registers(pid_t tid, struct user_regs_struct *regs, void **state,
			  size_t *size, struct bpmu_error *err)
{
	struct iovec vectors = { .iov_len = STATE_SIZE };

	*state = calloc(1, STATE_SIZE);
	vectors.iov_base = *state;
	if (!*state || bpmu_trace_registers(tid, regs) ||
	    ptrace(PTRACE_GETREGSET, tid, NT_X86_XSTATE, &vectors))
		return bpmu_error_set(err, -ENOMEM,
				      "command: a thread's registers cannot be read; is there memory?");
	*size = vectors.iov_len;
	return 0;
}

/* Keeps a thread stopped that is to run the loop in parallel to the first one. */
static int keep_helper(struct hunt *hunt, pid_t tid, struct bpmu_error *err)
{
	struct bpmu_snapshot *snapshot = hunt->snapshot;
	struct bpmu_snapshot_thread *helper;
	int code;

	helper = &snapshot->helper[snapshot->nr_helpers];
	helper->tid = tid;
	code = keep_registers(tid, &helper->regs, &helper->state, &helper->size,
			      err);
	if (code)
		return code;
	snapshot->nr_helpers++;
	return 0;
}

static bool is_held(const struct hunt *hunt, pid_t tid)
{
	unsigned int i;

	for (i = 0; i < hunt->nr_held; i++)
		if (hunt->held[i] == tid)
			return true;
	return false;
}

/*
 * Stops all threads for good, except @but and the helpers, which are stopped
 * already.
 */
static void freeze(struct hunt *hunt, pid_t but, struct bpmu_error *err)
{
	struct bpmu_trace *trace = hunt->snapshot->trace;
	pid_t stopped;
	unsigned int i;
	int status;

	for (i = 0; i < hunt->nr; i++)
		if (hunt->thread[i] != but &&
		    !is_helper(hunt->snapshot, hunt->thread[i]) &&
		    !is_held(hunt, hunt->thread[i]) &&
		    !ptrace(PTRACE_INTERRUPT, hunt->thread[i], 0, 0))
			bpmu_trace_wait(trace, hunt->thread[i],
					BPMU_TRACE_FOREVER, &stopped, &status,
					err);
	hunt->snapshot->threads = hunt->nr;
}

static int decan_snapshot_finish(struct hunt *hunt, pid_t tid, bool *done,
				 struct bpmu_error *err)
{
	breaks_clear(&hunt->enter, tid);
	hunt->enter.set = false;
	freeze(hunt, tid, err);
	*done = true;
	return 0;
}

static int entered(struct hunt *hunt, pid_t tid, bool *done,
		   struct bpmu_error *err)
{
	struct bpmu_snapshot *snapshot = hunt->snapshot;
	int code;

	if (hunt->gathering) {
		code = keep_helper(hunt, tid, err);
		if (code || snapshot->nr_helpers < snapshot->helpers)
			return code;
		return decan_snapshot_finish(hunt, snapshot->pid, done, err);
	}
	breaks_clear(&hunt->enter, tid);
	hunt->enter.set = false;
	snapshot->invocation++;
	if (snapshot->invocation == hunt->wanted ||
	    (!hunt->wanted && snapshot->pid)) {
		bpmu_trace_kill(snapshot->trace, snapshot->pid);
		snapshot->pid = tid;
		snapshot->forked = false;
		if (!snapshot->helpers)
			return decan_snapshot_finish(hunt, tid, done, err);
		hunt->gathering = bpmu_clock_ns(CLOCK_MONOTONIC);
		breaks_set(&hunt->enter, tid);
		return 0;
	}
	if (!hunt->wanted) {
		snapshot->threads = hunt->nr;
		code = bpmu_trace_fork(snapshot->trace, tid, &snapshot->pid,
				       err);
		snapshot->forked = true;
		if (code)
			return code;
	}
	breaks_set(&hunt->leave, tid);
	return 0;
}

/*
 * Another thread may be in the loop already, so that its passing the header is no
 * entry. It is held there, because without the breakpoint the owner's entry would
 * be missed.
 */
static int hold_thread(struct hunt *hunt, pid_t tid, struct bpmu_error *err)
{
	pid_t *grown = reallocarray(hunt->held, hunt->nr_held + 1,
				    sizeof(*grown));

	if (!grown)
		return bpmu_error_no_memory(err, "decan");
	hunt->held = grown;
	grown[hunt->nr_held++] = tid;
	return 0;
}

/* Handles a breakpoint, which another thread may have reached first. */
static int hit(struct hunt *hunt, pid_t tid, bool *done, struct bpmu_error *err)
{
	struct user_regs_struct regs;
	u64 at;

	bpmu_trace_registers(tid, &regs);
	at = regs.rip - 1;
	if (!breaks_has(&hunt->enter, at) && !breaks_has(&hunt->leave, at))
		return 0;
	regs.rip = at;
	bpmu_trace_set_registers(tid, &regs);
	if (hunt->enter.set && breaks_has(&hunt->enter, at)) {
		if (!hunt->owner)
			hunt->owner = tid;
		return tid == hunt->owner || hunt->gathering ?
		       entered(hunt, tid, done, err) :
		       hold_thread(hunt, tid, err);
	}
	if (!hunt->leave.set || !breaks_has(&hunt->leave, at) ||
	    tid != hunt->owner)
		return 0;
	breaks_clear(&hunt->leave, tid);
	hunt->leave.set = false;
	breaks_set(&hunt->enter, tid);
	hunt->left_ns = bpmu_clock_ns(CLOCK_MONOTONIC);
	return 0;
}

/*
 * The thread of the snapshot and the threads that run the loop in parallel stay
 * stopped.
 */
static bool is_kept(const struct hunt *hunt, pid_t tid)
{
	return is_held(hunt, tid) ||
	       (hunt->gathering && (tid == hunt->snapshot->pid ||
				    is_helper(hunt->snapshot, tid)));
}

static int stopped_at(struct hunt *hunt, pid_t tid, int status, bool *done,
		      struct bpmu_error *err)
{
	unsigned long child;
	int code = 0;

	decan_snapshot_add_thread(hunt, tid);
	switch (status >> 16) {
	case PTRACE_EVENT_CLONE:
		if (!ptrace(PTRACE_GETEVENTMSG, tid, 0, &child))
			decan_snapshot_add_thread(hunt, child);
		break;
	case PTRACE_EVENT_FORK:
		let_child_go(hunt, tid, err);
		break;
	case PTRACE_EVENT_EXEC:
		return bpmu_error_set(err, -ENOEXEC,
				      "command: executes another program; name that program");
	case 0:
		if (WSTOPSIG(status) == SIGTRAP)
			code = hit(hunt, tid, done, err);
		break;
	}
	if (!code && !*done && !is_kept(hunt, tid))
		bpmu_trace_resume(tid, status);
	return code;
}

static int ended(struct hunt *hunt, struct bpmu_error *err)
{
	struct bpmu_snapshot *snapshot = hunt->snapshot;

	if (snapshot->pid)
		return 0;
	if (snapshot->invocation)
		return bpmu_error_set(err, -ENOENT,
				      "loop: entered %u times only; ask for less with --invocation",
				      snapshot->invocation);
	return bpmu_error_set(err, -ENOENT,
			      "loop: never entered by this command; give it other arguments, or take another loop");
}

/* Returns true if the second entry takes too long, so that the first one is used. */
static bool is_late(const struct hunt *hunt)
{
	return hunt->left_ns &&
	       bpmu_clock_ns(CLOCK_MONOTONIC) - hunt->left_ns > AGAIN_NS;
}

static int run_on(struct hunt *hunt, struct bpmu_error *err)
{
	struct bpmu_trace *trace = hunt->snapshot->trace;
	bool done = false;
	pid_t tid;
	int status, code;

	while (!done) {
		code = bpmu_trace_wait(trace, -1, AGAIN_MS, &tid, &status, err);
		if (code == -ETIMEDOUT && hunt->gathering &&
		    bpmu_clock_ns(CLOCK_MONOTONIC) - hunt->gathering > AGAIN_NS)
			return bpmu_error_set(err, -ETIMEDOUT,
					      "--threads: only %u threads come to the loop; ask for fewer",
					      hunt->snapshot->nr_helpers + 1);
		if (code == -ETIMEDOUT && hunt->nr_held && hunt->wanted &&
		    is_late(hunt))
			return bpmu_error_set(err, -ETIMEDOUT,
					      "--invocation: the thread that entered the loop waits for others; take 1");
		if (code == -ETIMEDOUT && !hunt->wanted && is_late(hunt))
			break;
		if (code == -ETIMEDOUT)
			continue;
		if (code)
			return code;
		if (tid == hunt->snapshot->pid && hunt->snapshot->forked)
			continue;
		if (!WIFSTOPPED(status)) {
			decan_snapshot_remove_thread(hunt, tid);
			if (tid != trace->pid)
				continue;
			trace->pid = 0;
			return ended(hunt, err);
		}
		code = stopped_at(hunt, tid, status, &done, err);
		if (code)
			return code;
	}
	if (!done)
		bpmu_trace_kill(trace, trace->pid);
	return 0;
}

/**
 * bpmu_snapshot_take() - run the program to an entry into the loop
 * @snapshot: with @trace stopped at the program's entry point, @header and @exits; all
 *	other fields zeroed
 * @invocation: number of the entry, from 1, or BPMU_SNAPSHOT_AUTO
 * @err: set on failure
 *
 * Not thread-safe.
 * Return: 0 or a negative errno; @snapshot must be ended in any case.
 */
int bpmu_snapshot_take(struct bpmu_snapshot *snapshot, unsigned int invocation,
		       struct bpmu_error *err)
{
	struct hunt hunt = {
		.snapshot = snapshot,
		.wanted = invocation,
		.enter = { .address = &snapshot->header, .nr = 1 },
		.leave = { .address = snapshot->exits,
			   .nr = snapshot->nr_exits },
	};
	int code;

	if (snapshot->nr_exits > MAX_BREAKS)
		return bpmu_error_set(err, -E2BIG,
				      "loop: has %u exits, at most %d can be watched; take an inner loop",
				      snapshot->nr_exits, MAX_BREAKS);
	snapshot->helper = calloc(snapshot->helpers + 1,
				  sizeof(*snapshot->helper));
	if (!snapshot->helper)
		return bpmu_error_no_memory(err, "decan");
	/* A fork has no other threads, so it cannot stand for the first entry. */
	if (snapshot->helpers && !hunt.wanted)
		hunt.wanted = 1;
	decan_snapshot_add_thread(&hunt, snapshot->trace->pid);
	breaks_set(&hunt.enter, snapshot->trace->pid);
	bpmu_trace_resume(snapshot->trace->pid, 0);
	code = run_on(&hunt, err);
	free(hunt.thread);
	free(hunt.held);
	if (code)
		return code;
	/* The snapshot is that of the first entry, which was kept as a fork. */
	if (snapshot->forked)
		snapshot->invocation = 1;
	return keep_registers(snapshot->pid, &snapshot->regs, &snapshot->state,
			      &snapshot->size, err);
}

static int call(struct bpmu_snapshot *snapshot, long number, u64 a, u64 b,
		u64 c, u64 d, u64 *result, struct bpmu_error *err)
{
	const u64 argument[6] = { a, b, c, d, ~0ULL, 0 };

	return bpmu_trace_call(snapshot->trace, snapshot->pid, number, argument,
			       result, NULL, err);
}

static int decan_snapshot_copy(pid_t pid, const struct bpmu_region *region, u8 *bytes, bool put)
{
	u64 at;

	for (at = region->start; at < region->end; at += BPMU_PAGE) {
		if (put)
			bpmu_trace_write(pid, at, bytes + (at - region->start),
					 BPMU_PAGE);
		else if (bpmu_trace_read(pid, at, bytes + (at - region->start),
					 BPMU_PAGE))
			memset(bytes + (at - region->start), 0, BPMU_PAGE);
	}
	return 0;
}

/* Replaces a mapping that is shared with other processes by a private copy. */
static int make_private(struct bpmu_snapshot *snapshot,
			const struct bpmu_region *region, struct bpmu_error *err)
{
	u64 size = region->end - region->start;
	u8 *bytes = malloc(size);
	u64 result;
	int code;

	if (!bytes)
		return bpmu_error_set(err, -ENOMEM,
				      "decan: no memory for %llu bytes that the program shares; free some",
				      (unsigned long long)size);
	decan_snapshot_copy(snapshot->pid, region, bytes, false);
	code = call(snapshot, SYS_mmap, region->start, size,
		    PROT_READ | PROT_WRITE |
		    (region->mode[2] == 'x' ? PROT_EXEC : 0),
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, &result, err);
	if (!code && result != region->start)
		code = bpmu_error_set(err, -ENOMEM,
				      "command: its shared memory at 0x%llx cannot be made private; is there memory?",
				      (unsigned long long)region->start);
	if (!code)
		decan_snapshot_copy(snapshot->pid, region, bytes, true);
	free(bytes);
	snapshot->private += !code;
	return code;
}

static int make_all_private(struct bpmu_snapshot *snapshot,
			    struct bpmu_error *err)
{
	struct bpmu_regions regions;
	struct bpmu_region region;
	int code = 0;

	if (!bpmu_regions_open(&regions, snapshot->pid))
		return 0;
	while (!code && bpmu_regions_next(&regions, &region))
		if (region.mode[1] == 'w' && region.mode[3] == 's')
			code = make_private(snapshot, &region, err);
	bpmu_regions_close(&regions);
	return code;
}

/* Finds an unmapped range near the loop, within reach of a jump. */
static u64 find_room(const struct bpmu_snapshot *snapshot, u64 size)
{
	struct bpmu_regions regions;
	struct bpmu_region region;
	u64 behind = 1 << 20;
	u64 best = 0, at;

	if (!bpmu_regions_open(&regions, snapshot->pid))
		return 0;
	while (bpmu_regions_next(&regions, &region)) {
		if (region.start >= behind &&
		    region.start - behind >= size + 2 * BPMU_PAGE) {
			at = region.start > snapshot->header ?
			     behind + BPMU_PAGE : region.start - size - BPMU_PAGE;
			if (!best || llabs((long long)(at - snapshot->header)) <
				     llabs((long long)(best - snapshot->header)))
				best = at;
		}
		behind = region.end;
	}
	bpmu_regions_close(&regions);
	return best && (best > snapshot->header ? best - snapshot->header :
			snapshot->header - best) < REACH ? best : 0;
}

static int pin(pid_t pid, int cpu, struct bpmu_error *err)
{
	unsigned long mask[CPU_BITS / 8 / sizeof(long)] = { };

	mask[cpu / (8 * sizeof(long))] = 1UL << cpu % (8 * sizeof(long));
	if (!syscall(SYS_sched_setaffinity, pid, sizeof(mask), mask))
		return 0;
	return bpmu_error_set(err, -errno,
			      "CPU %d: the program cannot run there: %s; take another one with -C",
			      cpu, strerror(errno));
}

/**
 * bpmu_snapshot_prepare() - prepare a snapshot for forks
 * @snapshot: snapshot that was taken
 * @cpu: CPU on which its forks run
 * @code_size: bytes of code that the forks need
 * @err: set on failure
 *
 * Memory that is shared with other processes becomes private.
 *
 * Not thread-safe.
 * Return: 0 or a negative errno.
 */
int bpmu_snapshot_prepare(struct bpmu_snapshot *snapshot, int cpu,
			  size_t code_size, struct bpmu_error *err)
{
	u64 size = (code_size + BPMU_PAGE - 1) & ~(BPMU_PAGE - 1);
	u64 at, result[2];
	int code;

	code = pin(snapshot->pid, cpu, err);
	if (!code)
		code = make_all_private(snapshot, err);
	if (code)
		return code;
	at = find_room(snapshot, size + BPMU_PAGE);
	if (!at)
		return bpmu_error_set(err, -ENOMEM,
				      "loop: no room within reach of a jump; is the program that large?");
	code = call(snapshot, SYS_mmap, at, BPMU_PAGE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, &result[0], err);
	if (!code)
		code = call(snapshot, SYS_mmap, at + BPMU_PAGE, size,
			    PROT_READ | PROT_EXEC,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, &result[1],
			    err);
	if (!code && (result[0] != at || result[1] != at + BPMU_PAGE))
		code = bpmu_error_set(err, -EACCES,
				      "command: no memory can be mapped into it; does a security policy forbid it?");
	snapshot->data = at;
	snapshot->code = at + BPMU_PAGE;
	snapshot->code_size = size;
	return code;
}

/**
 * bpmu_snapshot_fork() - create a process in the state of the snapshot
 * @snapshot: prepared snapshot
 * @pid: set to the process, which is stopped at the loop's header
 * @err: set on failure
 *
 * Not thread-safe.
 * Return: 0 or a negative errno.
 */
int bpmu_snapshot_fork(struct bpmu_snapshot *snapshot, pid_t *pid,
		       struct bpmu_error *err)
{
	int code = bpmu_trace_fork(snapshot->trace, snapshot->pid, pid, err);

	snapshot->forks++;
	if (!code)
		bpmu_trace_set_registers(*pid, &snapshot->regs);
	return code;
}

/*
 * Pins helper @nr to a CPU, counted from the last one, other than that of thread
 * @first.
 */
static void decan_snapshot_spread(pid_t tid, pid_t first, unsigned int nr)
{
	unsigned long allowed[CPU_BITS / 8 / sizeof(long)] = { };
	unsigned long one[CPU_BITS / 8 / sizeof(long)] = { };
	unsigned long own[CPU_BITS / 8 / sizeof(long)] = { };
	const unsigned int bits = 8 * sizeof(long);
	unsigned int cpu, seen = 0;

	syscall(SYS_sched_getaffinity, 0, sizeof(allowed), allowed);
	syscall(SYS_sched_getaffinity, first, sizeof(own), own);
	for (cpu = CPU_BITS; cpu-- > 0;) {
		if (!(allowed[cpu / bits] >> cpu % bits & 1) ||
		    own[cpu / bits] >> cpu % bits & 1 || seen++ != nr)
			continue;
		one[cpu / bits] = 1UL << cpu % bits;
		syscall(SYS_sched_setaffinity, tid, sizeof(one), one);
	}
}

/**
 * bpmu_snapshot_help() - recreate the parallel threads of the loop in a fork
 * @snapshot: snapshot taken with helpers
 * @pid: fork that has not run
 * @nr: number of threads
 * @tid: set to the threads, [@nr]; they are stopped at the header
 * @err: set on failure
 *
 * Not thread-safe.
 * Return: 0 or a negative errno.
 */
int bpmu_snapshot_help(struct bpmu_snapshot *snapshot, pid_t pid,
		       unsigned int nr, pid_t *tid, struct bpmu_error *err)
{
	const u64 argument[6] = {
		CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND |
		CLONE_THREAD | CLONE_SYSVSEM,
	};
	const struct bpmu_snapshot_thread *helper;
	struct iovec state;
	pid_t stopped;
	unsigned int i;
	int status, code = 0;
	u64 result;

	for (i = 0; i < nr && !code; i++) {
		helper = &snapshot->helper[i];
		tid[i] = 0;
		code = bpmu_trace_call(snapshot->trace, pid, SYS_clone,
				       argument, &result, &tid[i], err);
		if (!code && tid[i])
			code = bpmu_trace_wait(snapshot->trace, tid[i],
					       BPMU_TRACE_FOREVER, &stopped,
					       &status, err);
		if (code)
			break;
		state = (struct iovec){ helper->state, helper->size };
		ptrace(PTRACE_SETREGSET, tid[i], NT_X86_XSTATE, &state);
		bpmu_trace_set_registers(tid[i], &helper->regs);
		decan_snapshot_spread(tid[i], pid, i);
	}
	return code;
}

/*
 * If a stack has grown in the fork, it has to grow in the snapshot, too. A read
 * through /proc/PID/mem extends a stack like an access of the process.
 */
static void grow_stack(const struct bpmu_snapshot *snapshot, pid_t pid)
{
	struct bpmu_regions regions;
	struct bpmu_region region;
	char path[32];
	int memory;
	u8 byte;

	snprintf(path, sizeof(path), "/proc/%d/mem", snapshot->pid);
	memory = open(path, O_RDONLY | O_CLOEXEC);
	if (memory < 0)
		return;
	if (bpmu_regions_open(&regions, pid)) {
		while (bpmu_regions_next(&regions, &region))
			if (region.mode[1] == 'w' &&
			    pread(memory, &byte, 1, region.start) != 1)
				continue;
		bpmu_regions_close(&regions);
	}
	close(memory);
}

/**
 * bpmu_snapshot_learn() - add the pages that a run of the loop has used
 * @snapshot: prepared snapshot; @written and @read are updated
 * @pid: fork that has run the loop
 * @err: set on failure
 *
 * Return: 0 or a negative errno.
 */
int bpmu_snapshot_learn(struct bpmu_snapshot *snapshot, pid_t pid,
			struct bpmu_error *err)
{
	if (!bpmu_regions_equal(pid, snapshot->pid))
		grow_stack(snapshot, pid);
	return bpmu_pages_used(pid, &snapshot->written, &snapshot->read, err);
}

/**
 * bpmu_snapshot_prefault() - map the pages that a fork will use
 * @snapshot: snapshot, with the pages that bpmu_snapshot_learn() has found
 * @pid: fork that has not run yet
 *
 * Each page that the fork will write is copied now, and not while the loop runs.
 *
 * Return: 0 or a negative errno.
 */
int bpmu_snapshot_prefault(const struct bpmu_snapshot *snapshot, pid_t pid)
{
	bpmu_pages_read(&snapshot->read, pid);
	return bpmu_pages_own(&snapshot->written, pid);
}

/**
 * bpmu_snapshot_restore() - restore the initial memory and registers of a fork
 * @snapshot: snapshot, with the pages that bpmu_snapshot_learn() has found
 * @pid: fork that has run the loop and written no other pages
 *
 * Return: 0 or a negative errno.
 */
int bpmu_snapshot_restore(const struct bpmu_snapshot *snapshot, pid_t pid)
{
	struct iovec state = { snapshot->state, snapshot->size };
	int code = bpmu_pages_copy(&snapshot->written, snapshot->pid, pid);

	if (!code && ptrace(PTRACE_SETREGSET, pid, NT_X86_XSTATE, &state))
		code = -errno;
	return code ? code : bpmu_trace_set_registers(pid, &snapshot->regs);
}

static u64 mix(u64 sum, const void *bytes, size_t size)
{
	const u8 *byte = bytes;
	size_t i;

	/* FNV-1a */
	for (i = 0; i < size; i++)
		sum = (sum ^ byte[i]) * 0x100000001b3ULL;
	return sum;
}

/*
 * The header of the XSAVE area only tells which components are in their initial
 * state.
 */
static u64 mix_vectors(u64 sum, pid_t pid)
{
	u8 *state = calloc(1, STATE_SIZE);
	struct iovec vectors = { state, STATE_SIZE };

	if (!state)
		return 0;
	ptrace(PTRACE_GETREGSET, pid, NT_X86_XSTATE, &vectors);
	memset(state + STATE_HEADER, 0, STATE_HEADER_SIZE);
	sum = mix(sum, state, STATE_SIZE);
	free(state);
	return sum;
}

/**
 * bpmu_snapshot_checksum() - compute a checksum over memory and registers
 * @pid: stopped process
 * @leave_out: start address of a mapping that is left out
 *
 * Return: checksum of all writable mappings and of general and vector registers.
 */
u64 bpmu_snapshot_checksum(pid_t pid, u64 leave_out)
{
	struct user_regs_struct regs = { };
	u64 sum = 0xcbf29ce484222325ULL;
	struct bpmu_regions regions;
	struct bpmu_region region;
	u8 page[BPMU_PAGE];
	u64 at;

	bpmu_trace_registers(pid, &regs);
	regs.orig_rax = 0;
	sum = mix(sum, &regs, sizeof(regs));
	sum = mix_vectors(sum, pid);
	if (!bpmu_regions_open(&regions, pid))
		return 0;
	while (bpmu_regions_next(&regions, &region)) {
		if (region.mode[1] != 'w' || region.start == leave_out)
			continue;
		for (at = region.start; at < region.end; at += BPMU_PAGE) {
			if (bpmu_trace_read(pid, at, page, BPMU_PAGE))
				continue;
			sum = mix(sum, &at, sizeof(at));
			sum = mix(sum, page, BPMU_PAGE);
		}
	}
	bpmu_regions_close(&regions);
	return sum;
}

/**
 * bpmu_snapshot_end() - end the program and free the snapshot
 * @snapshot: snapshot in any state; its trace must be ended afterwards
 */
void bpmu_snapshot_end(struct bpmu_snapshot *snapshot)
{
	unsigned int i;

	if (snapshot->forked)
		bpmu_trace_kill(snapshot->trace, snapshot->pid);
	for (i = 0; i < snapshot->nr_helpers; i++)
		free(snapshot->helper[i].state);
	free(snapshot->helper);
	free(snapshot->state);
	bpmu_pages_free(&snapshot->written);
	bpmu_pages_free(&snapshot->read);
}
