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
#include "event/affinity.h"
#include "regions.h"

#define INT3 0xcc
/*
 * Maximum distance in bytes between the loop and the code that the tool adds to the program. A jump
 * reaches twice as far, so that the added code can also jump to code that is not near the loop
 */
#define REACH (1ULL << 30)
/*
 * maximum time in ns for which the tool waits until the program enters the loop again, or until
 * helpers (further threads of the program) reach the loop
 */
#define AGAIN_NS 10000000000ULL
/* while the tool waits so, time in ms between two checks whether it has waited long enough */
#define AGAIN_MS 100
#define MAX_BREAKS 64
/* size in bytes that is enough for any XSAVE area, even with AMX tiles */
#define STATE_SIZE 16384
/* offset and size in bytes of the header in an XSAVE area: SDM Vol. 1, 13.4.2 */
#define STATE_HEADER 512
#define STATE_HEADER_SIZE 64

/**
 * struct breaks - breakpoints in the program that are set and cleared together
 * @address: run-time addresses of the breakpoints, [@nr]
 * @nr: number of breakpoints
 * @old: the program's bytes at these addresses, which INT3 replaces, [@nr]
 * @set: true while the breakpoints are in the program's code
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
 * struct search - state of running the program to the entry into the loop at which it is stopped
 * @snapshot: snapshot to take at this entry
 * @wanted: number of the entry into the loop at which to stop, from 1 on, or BPMU_SNAPSHOT_AUTO
 * @enter: breakpoint at the loop's header
 * @leave: breakpoints at the loop's exits
 * @thread: threads of the program, [@nr]
 * @nr: number of threads
 * @owner: the thread that was the first to enter the loop; only its entries are counted
 * @held: other threads that reached the loop's header; they are kept stopped there, [@nr_held]
 * @nr_held: number of threads in @held
 * @left_ns: time at which @owner last left the loop, CLOCK_MONOTONIC in ns; 0 if @owner has not
 *	left the loop yet
 * @gathering: time at which the tool began to wait for helpers (threads that execute the loop
 *	beside @owner), CLOCK_MONOTONIC in ns; 0 if it does not wait yet
 */
struct search {
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

static void search_add_thread(struct search *search, pid_t tid)
{
	pid_t *grown;
	unsigned int i;

	for (i = 0; i < search->nr; i++)
		if (search->thread[i] == tid)
			return;
	grown = reallocarray(search->thread, search->nr + 1, sizeof(*grown));
	if (!grown)
		return;
	search->thread = grown;
	grown[search->nr++] = tid;
}

static void search_remove_thread(struct search *search, pid_t tid)
{
	unsigned int i;

	for (i = 0; i < search->nr; i++)
		if (search->thread[i] == tid)
			search->thread[i--] = search->thread[--search->nr];
}

/*
 * Stops tracing a child that thread @tid of the program has forked. The breakpoints are removed
 * from the code of the child, and the child continues.
 */
static void detach_child(struct search *search, pid_t tid, struct bpmu_error *err)
{
	unsigned long child;
	pid_t stopped;
	int status;

	if (ptrace(PTRACE_GETEVENTMSG, tid, 0, &child) ||
	    bpmu_trace_wait(search->snapshot->trace, child, BPMU_TRACE_FOREVER,
			    &stopped, &status, err))
		return;
	if (search->enter.set)
		breaks_clear(&search->enter, child);
	if (search->leave.set)
		breaks_clear(&search->leave, child);
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

/*
 * Reads the general-purpose registers of a stopped thread into @regs, and its XSAVE area into
 * *@state, which is allocated and has *@size bytes. Returns 0 or a negative errno.
 */
static int save_registers(pid_t tid, struct user_regs_struct *regs, void **state,
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

/*
 * Adds a stopped thread, with its registers, to the helpers of the snapshot: the other threads of
 * the program that execute the same loop. Returns 0 or -ENOMEM.
 */
static int add_helper(struct search *search, pid_t tid, struct bpmu_error *err)
{
	struct bpmu_snapshot *snapshot = search->snapshot;
	struct bpmu_snapshot_thread *helper;
	int code;

	helper = &snapshot->helper[snapshot->nr_helpers];
	helper->tid = tid;
	code = save_registers(tid, &helper->regs, &helper->state, &helper->size,
			      err);
	if (code)
		return code;
	snapshot->nr_helpers++;
	return 0;
}

static bool is_held(const struct search *search, pid_t tid)
{
	unsigned int i;

	for (i = 0; i < search->nr_held; i++)
		if (search->held[i] == tid)
			return true;
	return false;
}

/*
 * Stops all threads of the program. None of them runs again before the program is ended. Some
 * threads are stopped already: thread @but, the threads in @search->held, and the helpers of the
 * snapshot.
 */
static void stop_threads(struct search *search, pid_t but, struct bpmu_error *err)
{
	struct bpmu_trace *trace = search->snapshot->trace;
	pid_t stopped;
	unsigned int i;
	int status;

	for (i = 0; i < search->nr; i++)
		if (search->thread[i] != but &&
		    !is_helper(search->snapshot, search->thread[i]) &&
		    !is_held(search, search->thread[i]) &&
		    !ptrace(PTRACE_INTERRUPT, search->thread[i], 0, 0))
			bpmu_trace_wait(trace, search->thread[i],
					BPMU_TRACE_FOREVER, &stopped, &status,
					err);
	search->snapshot->threads = search->nr;
}

static int search_finish(struct search *search, pid_t tid, bool *done,
			 struct bpmu_error *err)
{
	breaks_clear(&search->enter, tid);
	search->enter.set = false;
	stop_threads(search, tid, err);
	*done = true;
	return 0;
}

static int handle_entry(struct search *search, pid_t tid, bool *done,
			struct bpmu_error *err)
{
	struct bpmu_snapshot *snapshot = search->snapshot;
	int code;

	if (search->gathering) {
		code = add_helper(search, tid, err);
		if (code || snapshot->nr_helpers < snapshot->helpers)
			return code;
		return search_finish(search, snapshot->pid, done, err);
	}
	breaks_clear(&search->enter, tid);
	search->enter.set = false;
	snapshot->invocation++;
	if (snapshot->invocation == search->wanted ||
	    (!search->wanted && snapshot->pid)) {
		bpmu_trace_kill(snapshot->trace, snapshot->pid);
		snapshot->pid = tid;
		snapshot->forked = false;
		if (!snapshot->helpers)
			return search_finish(search, tid, done, err);
		search->gathering = bpmu_clock_ns(CLOCK_MONOTONIC);
		breaks_set(&search->enter, tid);
		return 0;
	}
	if (!search->wanted) {
		snapshot->threads = search->nr;
		code = bpmu_trace_fork(snapshot->trace, tid, &snapshot->pid,
				       err);
		snapshot->forked = true;
		if (code)
			return code;
	}
	breaks_set(&search->leave, tid);
	return 0;
}

/*
 * Keeps a thread stopped at the loop's header, where it has hit the breakpoint. The thread is not
 * the one whose entries into the loop are counted (the owner). To let the thread pass, the
 * breakpoint would have to be cleared for a moment, in which the owner could enter the loop unseen.
 * Returns 0 or -ENOMEM.
 */
static int hold_thread(struct search *search, pid_t tid, struct bpmu_error *err)
{
	pid_t *grown = reallocarray(search->held, search->nr_held + 1,
				    sizeof(*grown));

	if (!grown)
		return bpmu_error_no_memory(err, "decan");
	search->held = grown;
	grown[search->nr_held++] = tid;
	return 0;
}

/*
 * Handles a thread that has hit a breakpoint. Sets *@done to true if the program is now stopped at
 * the entry into the loop at which the snapshot is taken. If another thread has hit the same
 * breakpoint before, the breakpoint may have been cleared since. This thread is then only set back
 * to the breakpoint's address. Returns 0 or a negative errno.
 */
static int handle_breakpoint(struct search *search, pid_t tid, bool *done, struct bpmu_error *err)
{
	struct user_regs_struct regs;
	u64 at;

	bpmu_trace_registers(tid, &regs);
	at = regs.rip - 1;
	if (!breaks_has(&search->enter, at) && !breaks_has(&search->leave, at))
		return 0;
	regs.rip = at;
	bpmu_trace_set_registers(tid, &regs);
	if (search->enter.set && breaks_has(&search->enter, at)) {
		if (!search->owner)
			search->owner = tid;
		return tid == search->owner || search->gathering ?
		       handle_entry(search, tid, done, err) :
		       hold_thread(search, tid, err);
	}
	if (!search->leave.set || !breaks_has(&search->leave, at) ||
	    tid != search->owner)
		return 0;
	breaks_clear(&search->leave, tid);
	search->leave.set = false;
	breaks_set(&search->enter, tid);
	search->left_ns = bpmu_clock_ns(CLOCK_MONOTONIC);
	return 0;
}

/*
 * Returns true if a stopped thread must not continue. These are the threads in @search->held and,
 * while the tool waits for helpers (other threads that execute the same loop), the thread of the
 * snapshot and the helpers that have reached the loop's header.
 */
static bool is_kept(const struct search *search, pid_t tid)
{
	return is_held(search, tid) ||
	       (search->gathering && (tid == search->snapshot->pid ||
				      is_helper(search->snapshot, tid)));
}

static int handle_stop(struct search *search, pid_t tid, int status, bool *done,
		       struct bpmu_error *err)
{
	unsigned long child;
	int code = 0;

	search_add_thread(search, tid);
	switch (status >> 16) {
	case PTRACE_EVENT_CLONE:
		if (!ptrace(PTRACE_GETEVENTMSG, tid, 0, &child))
			search_add_thread(search, child);
		break;
	case PTRACE_EVENT_FORK:
		detach_child(search, tid, err);
		break;
	case PTRACE_EVENT_EXEC:
		return bpmu_error_set(err, -ENOEXEC,
				      "command: executes another program; name that program");
	case 0:
		if (WSTOPSIG(status) == SIGTRAP)
			code = handle_breakpoint(search, tid, done, err);
		break;
	}
	if (!code && !*done && !is_kept(search, tid))
		bpmu_trace_resume(tid, status);
	return code;
}

static int handle_end(struct search *search, struct bpmu_error *err)
{
	struct bpmu_snapshot *snapshot = search->snapshot;

	if (snapshot->pid)
		return 0;
	if (snapshot->invocation)
		return bpmu_error_set(err, -ENOENT,
				      "loop: entered %u times only; use a smaller --invocation",
				      snapshot->invocation);
	return bpmu_error_set(err, -ENOENT,
			      "loop: never entered by this command; give it other arguments, or take another loop");
}

/*
 * Returns true if the thread whose entries into the loop are counted (the owner) left the loop so
 * long ago that it is not expected to enter the loop again.
 */
static bool is_late(const struct search *search)
{
	return search->left_ns &&
	       bpmu_clock_ns(CLOCK_MONOTONIC) - search->left_ns > AGAIN_NS;
}

static int run_to_entry(struct search *search, struct bpmu_error *err)
{
	struct bpmu_trace *trace = search->snapshot->trace;
	bool done = false;
	pid_t tid;
	int status, code;

	while (!done) {
		code = bpmu_trace_wait(trace, -1, AGAIN_MS, &tid, &status, err);
		if (code == -ETIMEDOUT && search->gathering &&
		    bpmu_clock_ns(CLOCK_MONOTONIC) - search->gathering > AGAIN_NS)
			return bpmu_error_set(err, -ETIMEDOUT,
					      "--threads: only %u threads come to the loop; ask for fewer",
					      search->snapshot->nr_helpers + 1);
		if (code == -ETIMEDOUT && search->nr_held && search->wanted &&
		    is_late(search))
			return bpmu_error_set(err, -ETIMEDOUT,
					      "--invocation: the thread that entered the loop waits for others; take 1");
		if (code == -ETIMEDOUT && !search->wanted && is_late(search))
			break;
		if (code == -ETIMEDOUT)
			continue;
		if (code)
			return code;
		if (tid == search->snapshot->pid && search->snapshot->forked)
			continue;
		if (!WIFSTOPPED(status)) {
			search_remove_thread(search, tid);
			if (tid != trace->pid)
				continue;
			trace->pid = 0;
			return handle_end(search, err);
		}
		code = handle_stop(search, tid, status, &done, err);
		if (code)
			return code;
	}
	if (!done)
		bpmu_trace_kill(trace, trace->pid);
	return 0;
}

/**
 * bpmu_snapshot_take() - take a snapshot: run the program to a loop's entry and stop it there
 * @snapshot: the caller sets the members @trace, @header, @exits, @nr_exits and @helpers, and
 *	zeroes all others, which are output. The command of @trace is stopped at the program's entry
 *	point
 * @invocation: number of the entry into the loop at which to stop, from 1, or BPMU_SNAPSHOT_AUTO
 *
 * Not thread-safe.
 * Return: 0 or a negative errno; the caller calls bpmu_snapshot_end() in any case.
 */
int bpmu_snapshot_take(struct bpmu_snapshot *snapshot, unsigned int invocation,
		       struct bpmu_error *err)
{
	struct search search = {
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
	/*
	 * By default the snapshot is taken at the second entry into the loop. At the first entry a
	 * fork is made: it becomes the snapshot if the program enters the loop only once. A fork
	 * has only one thread. If helpers (further threads that execute the loop) were requested,
	 * the snapshot is therefore taken at the first entry, without a fork.
	 */
	if (snapshot->helpers && !search.wanted)
		search.wanted = 1;
	search_add_thread(&search, snapshot->trace->pid);
	breaks_set(&search.enter, snapshot->trace->pid);
	bpmu_trace_resume(snapshot->trace->pid, 0);
	code = run_to_entry(&search, err);
	free(search.thread);
	free(search.held);
	if (code)
		return code;
	/*
	 * @snapshot->forked: the program did not enter the loop a second time, and the snapshot is
	 * a fork that was made at the first entry.
	 */
	if (snapshot->forked)
		snapshot->invocation = 1;
	return save_registers(snapshot->pid, &snapshot->regs, &snapshot->state,
			      &snapshot->size, err);
}

static int inject(struct bpmu_snapshot *snapshot, long number, u64 a, u64 b,
		  u64 c, u64 d, u64 *result, struct bpmu_error *err)
{
	const u64 argument[6] = { a, b, c, d, ~0ULL, 0 };

	return bpmu_trace_call(snapshot->trace, snapshot->pid, number, argument,
			       result, NULL, err);
}

static int copy_mapping(pid_t pid, const struct bpmu_region *region, u8 *bytes, bool put)
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

/*
 * Replaces a shared mapping (MAP_SHARED) of the snapshot's process by a private mapping with the
 * same contents. Otherwise all forks of the process would write to the same memory. Returns 0 or a
 * negative errno.
 */
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
	copy_mapping(snapshot->pid, region, bytes, false);
	code = inject(snapshot, SYS_mmap, region->start, size,
		      PROT_READ | PROT_WRITE |
		      (region->mode[2] == 'x' ? PROT_EXEC : 0),
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, &result, err);
	if (!code && result != region->start)
		code = bpmu_error_set(err, -ENOMEM,
				      "command: its shared memory at 0x%llx cannot be made private; is there memory?",
				      (unsigned long long)region->start);
	if (!code)
		copy_mapping(snapshot->pid, region, bytes, true);
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

/*
 * Finds a range of @size bytes that is not mapped in the snapshot's process, as near to the loop as
 * possible. Returns the address of the range; 0 if there is none within REACH of the loop.
 */
static u64 find_unmapped(const struct bpmu_snapshot *snapshot, u64 size)
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
	int code = bpmu_affinity_pin_thread(pid, cpu);

	if (!code)
		return 0;
	return bpmu_error_set(err, code,
			      "CPU %d: the program cannot run there: %s; take another one with -C",
			      cpu, strerror(-code));
}

/**
 * bpmu_snapshot_prepare() - prepare the process of a snapshot for being forked
 * @snapshot: snapshot from bpmu_snapshot_take()
 * @cpu: CPU to which the process is pinned, and so are its forks
 * @code_size: size in bytes of the memory to map for code that the tool adds to the program
 *
 * Also replaces shared mappings by private copies, so that forks cannot change each other's memory.
 *
 * Not thread-safe.
 */
int bpmu_snapshot_prepare(struct bpmu_snapshot *snapshot, int cpu,
			  size_t code_size, struct bpmu_error *err)
{
	u64 size = (code_size + BPMU_PAGE - 1) & ~(BPMU_PAGE - 1);
	u64 at, result[2];
	int code;

	snapshot->cpu = cpu;
	code = pin(snapshot->pid, cpu, err);
	if (!code)
		code = make_all_private(snapshot, err);
	if (code)
		return code;
	at = find_unmapped(snapshot, size + BPMU_PAGE);
	if (!at)
		return bpmu_error_set(err, -ENOMEM,
				      "loop: no room within reach of a jump; is the program that large?");
	code = inject(snapshot, SYS_mmap, at, BPMU_PAGE, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, &result[0], err);
	if (!code)
		code = inject(snapshot, SYS_mmap, at + BPMU_PAGE, size,
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
 * bpmu_snapshot_fork() - fork the snapshot's process
 * @snapshot: snapshot after bpmu_snapshot_prepare()
 * @pid: output: the new process, which is stopped at the loop's header
 *
 * Not thread-safe.
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
 * Pins the thread @tid to a CPU of its own. @nr is the thread's number among the helpers (threads
 * that execute the loop beside thread @first). Helper 0 gets the highest allowed CPU, and each
 * further helper the next lower one. The CPU of thread @first is left out.
 */
static void pin_helper(pid_t tid, pid_t first, unsigned int nr)
{
	struct bpmu_affinity allowed, own;
	unsigned int cpu, seen = 0;

	bpmu_affinity_get(0, &allowed);
	bpmu_affinity_get(first, &own);
	for (cpu = BPMU_CPULIST_MAX; cpu-- > 0;)
		if (bpmu_affinity_has(&allowed, cpu) && !bpmu_affinity_has(&own, cpu) && seen++ == nr)
			bpmu_affinity_pin_thread(tid, cpu);
}

/**
 * bpmu_snapshot_help() - create copies of the snapshot's helper threads in a fork of the snapshot
 * @snapshot: snapshot with helpers, the other threads of the program that execute the same loop
 * @pid: fork that has not run yet
 * @nr: number of threads to create, at most &bpmu_snapshot.nr_helpers
 * @tid: output: the threads, [@nr]; all are stopped at the loop's header
 *
 * Not thread-safe.
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
		pin_helper(tid[i], pid, i);
	}
	return code;
}

/*
 * Stacks may have grown in fork @pid. Grows the same stacks of the snapshot's process to the same
 * size: reads, through the /proc/PID/mem of the snapshot's process, the lowest byte of each
 * writable region that the fork has. The kernel then grows the stack as if the process itself read
 * the byte.
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
 * bpmu_snapshot_learn() - extend the snapshot by the pages that a run of the loop has accessed
 * @snapshot: snapshot after bpmu_snapshot_prepare(); pages are added to its @written and @read
 * @pid: fork that has run the loop
 */
int bpmu_snapshot_learn(struct bpmu_snapshot *snapshot, pid_t pid,
			struct bpmu_error *err)
{
	if (!bpmu_regions_equal(pid, snapshot->pid))
		grow_stack(snapshot, pid);
	return bpmu_pages_used(pid, &snapshot->written, &snapshot->read, err);
}

/**
 * bpmu_snapshot_prefault() - access a snapshot's pages in a fork, to avoid later page faults
 * @snapshot: snapshot with the pages from bpmu_snapshot_learn()
 * @pid: fork that has not run yet
 *
 * The fork gets its own copies of the pages that the loop writes, so that no copy on write happens
 * while the loop is measured.
 *
 * Return: 0 or a negative errno.
 */
int bpmu_snapshot_prefault(const struct bpmu_snapshot *snapshot, pid_t pid)
{
	bpmu_pages_read(&snapshot->read, pid);
	return bpmu_pages_own(&snapshot->written, pid);
}

/**
 * bpmu_snapshot_restore() - set memory and registers of a fork back to those of the snapshot
 * @snapshot: snapshot with the pages from bpmu_snapshot_learn()
 * @pid: fork that has run the loop, and has written only the pages in &bpmu_snapshot.written
 *
 * The contents of the written pages are copied by the CPU on which the loop runs. So the pages are
 * in the caches of this CPU, as when the program itself enters the loop.
 *
 * Not thread-safe.
 * Return: 0 or a negative errno.
 */
int bpmu_snapshot_restore(const struct bpmu_snapshot *snapshot, pid_t pid)
{
	struct iovec state = { snapshot->state, snapshot->size };
	struct bpmu_affinity before;
	struct bpmu_error ignored;
	bool moved;
	int code;

	moved = snapshot->written.nr && !bpmu_affinity_get(0, &before) &&
		!pin(0, snapshot->cpu, &ignored);
	code = bpmu_pages_copy(&snapshot->written, snapshot->pid, pid);
	if (moved)
		bpmu_affinity_set(0, &before);
	if (!code && ptrace(PTRACE_SETREGSET, pid, NT_X86_XSTATE, &state))
		code = -errno;
	return code ? code : bpmu_trace_set_registers(pid, &snapshot->regs);
}

/* Continues the 64-bit FNV-1a hash @sum with @size further bytes, and returns the result. */
static u64 fnv1a(u64 sum, const void *bytes, size_t size)
{
	const u8 *byte = bytes;
	size_t i;

	for (i = 0; i < size; i++)
		sum = (sum ^ byte[i]) * 0x100000001b3ULL;
	return sum;
}

/*
 * Continues the hash @sum with the XSAVE area of a thread. Returns the result; 0 if memory runs
 * out. The area's header is left out: its field XSTATE_BV may differ although the registers are
 * equal, because a CPU need not notice that a component is in its initial state.
 */
static u64 fnv1a_vectors(u64 sum, pid_t pid)
{
	u8 *state = calloc(1, STATE_SIZE);
	struct iovec vectors = { state, STATE_SIZE };

	if (!state)
		return 0;
	ptrace(PTRACE_GETREGSET, pid, NT_X86_XSTATE, &vectors);
	memset(state + STATE_HEADER, 0, STATE_HEADER_SIZE);
	sum = fnv1a(sum, state, STATE_SIZE);
	free(state);
	return sum;
}

/**
 * bpmu_snapshot_checksum() - checksum of the state of a snapshot's process, or of a fork of it
 * @pid: the process, which is stopped
 * @leave_out: start address of a mapping that is left out, such as &bpmu_snapshot.data
 *
 * Return: checksum of all other writable mappings, the general-purpose registers and the XSAVE
 * area.
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
	sum = fnv1a(sum, &regs, sizeof(regs));
	sum = fnv1a_vectors(sum, pid);
	if (!bpmu_regions_open(&regions, pid))
		return 0;
	while (bpmu_regions_next(&regions, &region)) {
		if (region.mode[1] != 'w' || region.start == leave_out)
			continue;
		for (at = region.start; at < region.end; at += BPMU_PAGE) {
			if (bpmu_trace_read(pid, at, page, BPMU_PAGE))
				continue;
			sum = fnv1a(sum, &at, sizeof(at));
			sum = fnv1a(sum, page, BPMU_PAGE);
		}
	}
	bpmu_regions_close(&regions);
	return sum;
}

/**
 * bpmu_snapshot_end() - kill the snapshot's process and free the snapshot
 * @snapshot: snapshot in any state. The caller ends &bpmu_snapshot.trace only afterwards, with
 *	bpmu_trace_end()
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
