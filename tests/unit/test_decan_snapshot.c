// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of decan's snapshots: the analysed program is stopped at a loop, and variants of the loop
 * (the loop without some of its instructions) run in forks of the program. All runs start in the
 * same state, and no run has an effect outside of its fork.
 */
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <jansson.h>

#include "cmd/decan/decan.h"
#include "unit.h"

#define WORKLOAD TOP "/build/workload/decan"
#define PAGE 4096

static struct bpmu_decan decan;
static struct bpmu_error err;
/* If true, calls of ptrace() are recorded in traced[]. */
static bool watched;

/*
 * Argument of the program: the number of times that it enters the loop. @forever is so large that
 * no thread ends before the other thread has entered the loop.
 */
static char twice[] = "2";
static char forever[] = "1000000000";
static char *entries = twice;

/*
 * Finds a loop of the program as decan does, but measures no variant. @file: second argument of the
 * program; NULL for none. Returns 0, or a negative error code with err filled in.
 */
static int find(char *path, char *function, char *loop, char *file)
{
	static char *argv[5];

	argv[0] = path;
	argv[1] = function;
	argv[2] = entries;
	argv[3] = file;
	decan = (struct bpmu_decan){
		.function = function, .loop = loop, .kinds = BPMU_VARIANT_DEFAULT,
		.rounds = 6, .threads = 1, .unit = "ticks", .options.argv = argv,
	};
	err = (struct bpmu_error){ };
	return bpmu_decan_find(&decan, &err);
}

static int analyse(char *function, char *file)
{
	static char zero[] = "0";
	int code = find((char *)WORKLOAD, function, zero, file);

	if (!code)
		code = bpmu_decan_measure(&decan, &err);
	if (code)
		print_message("# %s\n", err.text);
	return code;
}

static const struct bpmu_variant *variant(const char *name)
{
	unsigned int i;

	for (i = 0; i < decan.variants.nr; i++)
		if (!strcmp(decan.variants.variant[i].name, name))
			return &decan.variants.variant[i];
	return NULL;
}

static const struct bpmu_variant *first_of(unsigned int kind)
{
	unsigned int i;

	for (i = 0; i < decan.variants.nr; i++)
		if (decan.variants.variant[i].kind == kind)
			return &decan.variants.variant[i];
	return NULL;
}

static u64 checksum_of_fork(void)
{
	pid_t pid;
	u64 sum;

	assert_int_equal(bpmu_snapshot_fork(&decan.snapshot, &pid, &err), 0);
	sum = bpmu_snapshot_checksum(pid, decan.snapshot.data);
	bpmu_trace_kill(&decan.trace, pid);
	return sum;
}

TEST(all_forks_begin_in_the_same_state)
{
	u64 before;

	assert_int_equal(analyse("matvec", NULL), 0);
	/*
	 * Each variant has run by now, and has changed memory. New forks must not have these
	 * changes.
	 */
	before = checksum_of_fork();
	assert_true(before == checksum_of_fork());
	assert_true(before == bpmu_snapshot_checksum(decan.snapshot.pid,
						     decan.snapshot.data));
	bpmu_decan_free(&decan);
}

/* Flips a bit of XMM15. */
static void change_vectors(pid_t pid)
{
	struct user_fpregs_struct vectors;

	assert_int_equal(ptrace(PTRACE_GETFPREGS, pid, 0, &vectors), 0);
	vectors.xmm_space[63] ^= 1;
	assert_int_equal(ptrace(PTRACE_SETFPREGS, pid, 0, &vectors), 0);
}

TEST(the_checksum_includes_memory_and_registers)
{
	struct user_regs_struct regs;
	u64 before, byte = 1;
	pid_t pid;

	assert_int_equal(analyse("matvec", NULL), 0);
	assert_int_equal(bpmu_snapshot_fork(&decan.snapshot, &pid, &err), 0);
	before = bpmu_snapshot_checksum(pid, decan.snapshot.data);
	assert_int_equal(bpmu_trace_registers(pid, &regs), 0);
	regs.r15 ^= 1;
	assert_int_equal(bpmu_trace_set_registers(pid, &regs), 0);
	assert_false(before == bpmu_snapshot_checksum(pid,
						      decan.snapshot.data));
	regs.r15 ^= 1;
	assert_int_equal(bpmu_trace_set_registers(pid, &regs), 0);
	change_vectors(pid);
	assert_false(before == bpmu_snapshot_checksum(pid,
						      decan.snapshot.data));
	change_vectors(pid);
	assert_true(before == bpmu_snapshot_checksum(pid,
						     decan.snapshot.data));
	assert_int_equal(bpmu_trace_write(pid, regs.rsp - 4096, &byte, 1), 0);
	assert_false(before == bpmu_snapshot_checksum(pid,
						      decan.snapshot.data));
	bpmu_trace_kill(&decan.trace, pid);
	bpmu_decan_free(&decan);
}

TEST(a_restored_fork_has_its_first_state)
{
	struct user_regs_struct regs;
	struct bpmu_times times;
	u64 before, after;
	pid_t pid;

	assert_int_equal(analyse("rbgauss", NULL), 0);
	assert_int_equal(bpmu_snapshot_fork(&decan.snapshot, &pid, &err), 0);
	before = bpmu_snapshot_checksum(pid, decan.snapshot.data);
	regs = decan.snapshot.regs;
	regs.rip = decan.brackets.enter;
	assert_int_equal(bpmu_trace_set_registers(pid, &regs), 0);
	assert_int_equal(ptrace(PTRACE_CONT, pid, 0, 0L), 0);
	assert_int_equal(waitpid(pid, NULL, __WALL), pid);
	assert_true(bpmu_brackets_left(&decan.brackets, pid, &times));
	after = bpmu_snapshot_checksum(pid, decan.snapshot.data);
	assert_false(before == after);
	assert_int_equal(bpmu_snapshot_restore(&decan.snapshot, pid), 0);
	assert_true(before == bpmu_snapshot_checksum(pid,
						     decan.snapshot.data));
	bpmu_trace_kill(&decan.trace, pid);
	bpmu_decan_free(&decan);
}

/*
 * Bits of MXCSR, SDM Vol. 1, figure 10-3. SEEN: DE and UE, a denormal operand and an underflow have
 * been seen. FLUSH: DAZ and FTZ, denormal numbers are flushed to 0.
 */
#define SEEN 0x12
#define FLUSH 0x8040

static unsigned int mxcsr_of(pid_t pid)
{
	struct user_fpregs_struct vectors;

	assert_int_equal(ptrace(PTRACE_GETFPREGS, pid, 0, &vectors), 0);
	return vectors.mxcsr;
}

static void set_mxcsr(pid_t pid, unsigned int mxcsr)
{
	struct user_fpregs_struct vectors;

	assert_int_equal(ptrace(PTRACE_GETFPREGS, pid, 0, &vectors), 0);
	vectors.mxcsr = mxcsr;
	assert_int_equal(ptrace(PTRACE_SETFPREGS, pid, 0, &vectors), 0);
}

/*
 * State at the start of a run: a checksum of memory and registers, and a copy of the page with the
 * loop's code.
 */
struct beginning {
	u64 sum;
	u8 text[PAGE];
};

static struct beginning beginning_of(pid_t pid)
{
	struct beginning beginning = {
		.sum = bpmu_snapshot_checksum(pid, decan.snapshot.data),
	};
	u64 first = decan.brackets.loop->first;

	assert_true(decan.brackets.loop->end - first <= PAGE);
	assert_int_equal(bpmu_trace_read(pid, first + decan.bias, beginning.text,
					 decan.brackets.loop->end - first), 0);
	return beginning;
}

static int note_beginning(void *data, struct bpmu_error *error)
{
	struct beginning *beginning = data;

	(void)error;
	*beginning = beginning_of(decan.fork.pid);
	return 0;
}

/*
 * Runs a variant of the loop in the fork that all runs share, after @warm warm-up runs of the same
 * variant. Returns the state at the start of the run.
 */
static struct beginning run_shared(const struct bpmu_variant *one, unsigned int warm)
{
	struct beginning beginning = { };
	struct bpmu_run run = {
		.mode = BPMU_RUN_TIMED, .edit = one->edit, .nr = one->nr,
		.limit_ms = 60000, .warm = warm, .fork = &decan.fork,
		.begin = note_beginning, .data = &beginning,
	};

	assert_int_equal(bpmu_run(&decan.brackets, &run, &err), 0);
	assert_int_equal(run.status, BPMU_RUN_OK);
	return beginning;
}

/*
 * Returns the state in which a variant's run starts in a new fork. No run was in this fork before.
 */
static struct beginning first_beginning(const struct bpmu_variant *one)
{
	struct beginning beginning;
	struct user_regs_struct regs;
	pid_t pid;

	assert_int_equal(bpmu_snapshot_fork(&decan.snapshot, &pid, &err), 0);
	assert_int_equal(bpmu_brackets_edit(&decan.brackets, pid, one->edit,
					    one->nr), 0);
	regs = decan.snapshot.regs;
	regs.rip = decan.brackets.enter;
	assert_int_equal(bpmu_trace_set_registers(pid, &regs), 0);
	/*
	 * At the start of a run decan clears the flags that record a denormal operand or an
	 * underflow, and sets the bits that flush denormal numbers to 0.
	 */
	set_mxcsr(pid, (mxcsr_of(pid) & ~SEEN) | FLUSH);
	beginning = beginning_of(pid);
	bpmu_trace_kill(&decan.trace, pid);
	return beginning;
}

static void begins_as_in_a_new_fork(const struct bpmu_variant *one, unsigned int warm)
{
	struct beginning wanted = first_beginning(one);
	struct beginning found = run_shared(one, warm);

	assert_true(found.sum == wanted.sum);
	assert_memory_equal(found.text, wanted.text, PAGE);
}

static int note_mxcsr(void *data, struct bpmu_error *error)
{
	unsigned int *mxcsr = data;

	(void)error;
	*mxcsr = mxcsr_of(decan.fork.pid);
	return 0;
}

/*
 * Runs a variant of the loop after @warm warm-up runs of the same variant. Returns MXCSR at the
 * start of the timed run.
 */
static unsigned int mxcsr_of_run(const struct bpmu_variant *one, unsigned int warm)
{
	unsigned int mxcsr = 0;
	struct bpmu_run run = {
		.mode = BPMU_RUN_TIMED, .edit = one->edit, .nr = one->nr,
		.limit_ms = 60000, .warm = warm, .fork = &decan.fork,
		.begin = note_mxcsr, .data = &mxcsr,
	};

	assert_int_equal(bpmu_run(&decan.brackets, &run, &err), 0);
	assert_int_equal(run.status, BPMU_RUN_OK);
	return mxcsr;
}

/*
 * If the loads of a loop are removed, the loop computes with values that happen to be in registers.
 * These values may be denormal, which is slow. Denormal numbers are therefore flushed to 0 in all
 * runs. If the original loop itself computes with denormal numbers, they are flushed in no run.
 */
TEST(denormal_numbers_are_flushed_where_the_loop_has_none)
{
	static const char *const loops[] = { "library_sum", "program_sum" };
	static char zero[] = "0";
	unsigned int i, k, warm, flush;

	for (k = 0; k < 2; k++) {
		flush = k ? 0 : FLUSH;
		assert_int_equal(find((char *)FIXTURE, (char *)loops[k], zero, NULL), 0);
		assert_int_equal(bpmu_decan_measure(&decan, &err), 0);
		assert_int_equal(decan.snapshot.normal, !k);
		assert_true(decan.variants.nr > 1);
		for (i = 0; i < decan.variants.nr; i++)
			for (warm = 0; warm < 3; warm++)
				assert_int_equal(mxcsr_of_run(&decan.variants.variant[i], warm) &
						 (SEEN | FLUSH), flush);
		/* The program itself continues with the MXCSR that it had. */
		assert_int_equal(mxcsr_of(decan.snapshot.pid) & FLUSH, 0);
		bpmu_decan_free(&decan);
	}
}

/*
 * Number of forks that decan needs to measure a loop and its variants: one to run the loop in
 * single steps, one to count its iterations, and one for all timed runs.
 */
#define FORKS 3

/*
 * Runs all variants of a loop in one shared fork, and checks that all runs start in the same state.
 */
static void share(char *function)
{
	static char zero[] = "0";
	unsigned int i;

	assert_int_equal(find((char *)WORKLOAD, function, zero, NULL), 0);
	assert_int_equal(bpmu_decan_measure(&decan, &err), 0);
	assert_true(decan.variants.nr > 3);
	for (i = 0; i < decan.variants.nr; i++) {
		assert_string_equal(decan.variants.variant[i].status, "ok");
		assert_int_equal(decan.variants.variant[i].samples, 6);
	}
}

TEST(one_fork_runs_all_variants)
{
	share((char *)"aside");
	assert_int_equal(decan.snapshot.forks, FORKS);
	begins_as_in_a_new_fork(variant("aside_loop0_loads"), 0);
	begins_as_in_a_new_fork(first_of(BPMU_VARIANT_STORE), 1);
	begins_as_in_a_new_fork(decan.variants.variant, 0);
	bpmu_decan_free(&decan);
}

TEST(without_page_faults_written_pages_are_not_searched)
{
	struct bpmu_pages written;

	share((char *)"matvec");
	written = decan.snapshot.written;
	decan.snapshot.written = (struct bpmu_pages){ };
	/*
	 * If the fork had no page fault since its start, it still has the pages of the snapshot.
	 * decan must recognise this by the number of page faults.
	 */
	assert_true(bpmu_fork_fits(&decan.fork, &decan.snapshot));
	decan.fork.faults--;
	assert_false(bpmu_fork_fits(&decan.fork, &decan.snapshot));
	decan.snapshot.written = written;
	bpmu_decan_free(&decan);
}

/*
 * Number of pages restored by the CPU on which the loop runs, number of pages restored by another
 * CPU, and how often decan has written a variant's instructions into a fork.
 */
static unsigned int restored_there;
static unsigned int restored_elsewhere;
static unsigned int edits;

int __real_bpmu_pages_copy(const struct bpmu_pages *pages, pid_t from, pid_t to);
int __wrap_bpmu_pages_copy(const struct bpmu_pages *pages, pid_t from, pid_t to);
int __real_bpmu_brackets_edit(const struct bpmu_brackets *brackets, pid_t pid,
			      const struct bpmu_edit *edit, unsigned int nr);
int __wrap_bpmu_brackets_edit(const struct bpmu_brackets *brackets, pid_t pid,
			      const struct bpmu_edit *edit, unsigned int nr);

int __wrap_bpmu_pages_copy(const struct bpmu_pages *pages, pid_t from, pid_t to)
{
	*(sched_getcpu() == (int)decan.cpu ? &restored_there :
					     &restored_elsewhere) += pages->nr;
	return __real_bpmu_pages_copy(pages, from, to);
}

int __wrap_bpmu_brackets_edit(const struct bpmu_brackets *brackets, pid_t pid,
			      const struct bpmu_edit *edit, unsigned int nr)
{
	edits++;
	return __real_bpmu_brackets_edit(brackets, pid, edit, nr);
}

/*
 * Pages must be restored on the CPU of the loop. If another CPU wrote the pages, their cache lines
 * would leave the caches of the loop's CPU. When the program itself runs the loop, these lines are
 * in the caches of the loop's CPU.
 */
TEST(pages_are_restored_on_the_cpu_of_the_loop)
{
	cpu_set_t before, after;

	restored_there = 0;
	restored_elsewhere = 0;
	share((char *)"matvec");
	assert_true(restored_there > 0);
	assert_int_equal(restored_elsewhere, 0);
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	run_shared(decan.variants.variant, 1);
	assert_int_equal(sched_getaffinity(0, sizeof(after), &after), 0);
	assert_true(CPU_EQUAL(&before, &after));
	bpmu_decan_free(&decan);
}

/*
 * A warm-up run must run the code of the variant. Otherwise the timed run would be the first one to
 * decode that code, and its time would include misses of the decoded-uop cache.
 */
TEST(a_warm_up_runs_the_code_that_is_measured)
{
	share((char *)"matvec");
	edits = 0;
	run_shared(decan.variants.variant, 1);
	assert_int_equal(edits, 1);
	bpmu_decan_free(&decan);
}

TEST(a_fork_with_unknown_written_pages_ends)
{
	unsigned int forks;

	share((char *)"rbgauss");
	forks = decan.snapshot.forks;
	bpmu_fork_end(&decan.fork, &decan.snapshot);
	bpmu_pages_free(&decan.snapshot.written);
	/*
	 * run_shared() makes a warm-up run and a timed run. The list of pages that the loop writes
	 * was freed above, so decan cannot restore them, and each of the two runs needs a new fork.
	 */
	run_shared(decan.variants.variant, 1);
	assert_int_equal(decan.fork.pid, 0);
	assert_int_equal(decan.snapshot.forks, forks + 2);
	bpmu_decan_free(&decan);
}

TEST(a_fork_ends_at_a_crash)
{
	const struct bpmu_variant *load;
	struct bpmu_run run = {
		.mode = BPMU_RUN_TIMED, .limit_ms = 60000, .fork = &decan.fork,
	};
	static char zero[] = "0";

	assert_int_equal(find((char *)WORKLOAD, "indirect", zero, NULL), 0);
	assert_int_equal(bpmu_decan_measure(&decan, &err), 0);
	load = first_of(BPMU_VARIANT_LOAD);
	assert_string_equal(load->status, "crash (SIGSEGV)");
	assert_int_equal(decan.variants.variant->samples, 6);
	run_shared(decan.variants.variant, 0);
	assert_true(decan.fork.pid > 0);
	run.edit = load->edit;
	run.nr = load->nr;
	assert_int_equal(bpmu_run(&decan.brackets, &run, &err), 0);
	assert_int_equal(run.status, BPMU_RUN_SIGNAL);
	assert_int_equal(decan.fork.pid, 0);
	begins_as_in_a_new_fork(decan.variants.variant, 0);
	bpmu_decan_free(&decan);
}

TEST(a_grown_stack_is_restored)
{
	assert_int_equal(analyse("deep", NULL), 0);
	assert_int_equal(decan.variants.variant->iterations, 256);
	assert_true(variant("deep_loop0_loads")->ok);
	bpmu_decan_free(&decan);
	share((char *)"deep");
	assert_int_equal(decan.snapshot.forks, FORKS);
	begins_as_in_a_new_fork(decan.variants.variant, true);
	begins_as_in_a_new_fork(variant("deep_loop0_loads"), false);
	bpmu_decan_free(&decan);
}

TEST(iterations_are_exact)
{
	assert_int_equal(analyse("matvec", NULL), 0);
	assert_int_equal(decan.variants.variant->iterations, 256);
	assert_true(variant("matvec_loop0_loads")->ok);
	assert_int_equal(variant("matvec_loop0_loads")->iterations, 256);
	assert_true(decan.variants.variant->cycles.value > 0);
	bpmu_decan_free(&decan);
	assert_int_equal(analyse("brief", NULL), 0);
	assert_int_equal(decan.variants.variant->iterations, 8);
	bpmu_decan_free(&decan);
}

/* Returns the duration of the shortest of several runs, because any run may be interrupted. */
static u64 shortest(enum bpmu_run_mode mode)
{
	u64 least = ~0ULL;
	unsigned int i;

	for (i = 0; i < 20; i++) {
		struct bpmu_run run = {
			.mode = mode, .limit_ms = 60000, .warm = 1,
		};

		assert_int_equal(bpmu_run(&decan.brackets, &run, &err), 0);
		assert_int_equal(run.status, BPMU_RUN_OK);
		if (run.times.ticks < least)
			least = run.times.ticks;
	}
	return least;
}

TEST(an_empty_run_takes_less_than_a_quarter)
{
	assert_int_equal(analyse("chain", NULL), 0);
	assert_true(shortest(BPMU_RUN_EMPTY) <
		    shortest(BPMU_RUN_TIMED) / 4);
	bpmu_decan_free(&decan);
}

TEST(ticks_have_more_than_32_bits)
{
	struct user_regs_struct regs;
	struct bpmu_times times;
	u64 begin = 0x1ffffff00;
	pid_t pid;

	assert_int_equal(analyse("brief", NULL), 0);
	assert_int_equal(bpmu_snapshot_fork(&decan.snapshot, &pid, &err), 0);
	assert_int_equal(bpmu_trace_write(pid, decan.snapshot.data, &begin,
					  sizeof(begin)), 0);
	regs = decan.snapshot.regs;
	/*
	 * The code behind the loop (the second bracket) has 6 bytes: LFENCE, RDTSC and INT3. The
	 * registers are as after this code: RIP is behind it, and RDX and RAX have the result of
	 * RDTSC.
	 */
	regs.rip = decan.brackets.leave[0] + 6;
	regs.rdx = 0x12;
	regs.rax = 0x10;
	assert_int_equal(bpmu_trace_set_registers(pid, &regs), 0);
	assert_true(bpmu_brackets_left(&decan.brackets, pid, &times));
	assert_true(times.ticks == 0x1200000010 - begin);
	bpmu_trace_kill(&decan.trace, pid);
	bpmu_decan_free(&decan);
}

static bool is_empty(const char *path)
{
	char bytes[PAGE], zero[PAGE] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = read(fd, bytes, sizeof(bytes));

	close(fd);
	return got == PAGE && !memcmp(bytes, zero, PAGE);
}

TEST(stores_to_shared_memory_do_not_leave_the_fork)
{
	char path[] = "/tmp/decanXXXXXX";

	close(mkstemp(path));
	/*
	 * The variants start where the program enters the loop for the first time. At this point
	 * the program has stored nothing yet.
	 */
	static char zero[] = "0";

	assert_int_equal(find((char *)WORKLOAD, "publish", zero, path), 0);
	decan.invocation = 1;
	assert_int_equal(bpmu_decan_measure(&decan, &err), 0);
	assert_true(decan.snapshot.private > 0);
	assert_true(decan.variants.variant->ok);
	assert_int_equal(decan.variants.variant->iterations, 100);
	bpmu_decan_free(&decan);
	assert_true(is_empty(path));
	unlink(path);
}

TEST(a_loop_with_system_calls_is_refused_before_the_first_call)
{
	char path[] = "/tmp/decanXXXXXX";
	static char zero[] = "0";

	close(mkstemp(path));
	assert_int_equal(find((char *)WORKLOAD, "writing", zero, path), 0);
	decan.invocation = 1;
	assert_true(bpmu_decan_measure(&decan, &err) < 0);
	assert_non_null(strstr(err.text, "system call (write)"));
	bpmu_decan_free(&decan);
	assert_true(is_empty(path));
	unlink(path);
}

TEST(a_crash_is_the_status_of_its_variant)
{
	assert_int_equal(analyse("indirect", NULL), 0);
	assert_string_equal(first_of(BPMU_VARIANT_LOAD)->status,
			    "crash (SIGSEGV)");
	assert_true(first_of(BPMU_VARIANT_LOAD)->candidate->flags &
		    BPMU_CANDIDATE_ADDRESS);
	assert_true(decan.variants.variant->ok);
	bpmu_decan_free(&decan);
}

TEST(the_time_limit_is_the_status_of_its_variant)
{
	assert_int_equal(analyse("search", NULL), 0);
	assert_string_equal(first_of(BPMU_VARIANT_LOAD)->status, "time limit");
	assert_true(first_of(BPMU_VARIANT_LOAD)->candidate->flags &
		    BPMU_CANDIDATE_CONTROL);
	bpmu_decan_free(&decan);
}

TEST(a_fork_has_only_the_thread_of_the_loop)
{
	entries = forever;
	assert_int_equal(analyse("count", NULL), 0);
	entries = twice;
	assert_int_equal(decan.snapshot.threads, 2);
	assert_int_equal(decan.variants.variant->iterations, 100000);
	bpmu_decan_free(&decan);
}

TEST(a_loop_that_waits_for_other_threads_is_refused)
{
	entries = forever;
	assert_true(analyse("together", NULL) < 0);
	entries = twice;
	assert_non_null(strstr(err.text,
			       "loop 0 of 'together': synchronises with other threads"));
	assert_int_equal(decan.snapshot.threads, 2);
	bpmu_decan_free(&decan);
}

/* The program has only one thread, so decan must not wait for another thread to reach the loop. */
TEST(a_locked_loop_of_one_thread_is_measured)
{
	static char zero[] = "0", times[] = "2";

	decan = (struct bpmu_decan){
		.function = "together", .loop = zero,
		.kinds = BPMU_VARIANT_DEFAULT, .rounds = 6, .threads = 1,
		.unit = "ticks",
		.options.argv = (char *[]){ (char *)WORKLOAD, (char *)"alone",
					    times, NULL },
	};
	assert_int_equal(bpmu_decan_find(&decan, &err), 0);
	assert_int_equal(bpmu_decan_measure(&decan, &err), 0);
	assert_int_equal(decan.variants.variant->iterations, 256);
	bpmu_decan_free(&decan);
}

TEST(a_jump_table_is_refused)
{
	static char zero[] = "0";

	assert_true(find((char *)WORKLOAD, "table", zero, NULL) < 0);
	assert_non_null(strstr(err.text, "loop 0 of 'table': indirect jump inside at 0x"));
	assert_non_null(strstr(err.text, "; take another one, see --list"));
	bpmu_decan_free(&decan);
}

/*
 * Returns the number, from 1, of the first source line of decan_library.c that contains @text; 0 if
 * none does.
 */
static unsigned int line_with(const char *text)
{
	FILE *file = fopen(TOP "/tests/unit/decan_library.c", "re");
	unsigned int nr = 0, found = 0;
	char line[256];

	assert_non_null(file);
	while (!found && fgets(line, sizeof(line), file)) {
		nr++;
		if (strstr(line, text))
			found = nr;
	}
	fclose(file);
	return found;
}

static char *printed(void (*print)(const struct bpmu_decan *, FILE *))
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	print(&decan, out);
	fclose(out);
	return text;
}

TEST(variants_are_named_by_source_line)
{
	char name[64], line[64], *text;
	static char zero[] = "0";

	assert_int_equal(find((char *)FIXTURE, "program_sum", zero, NULL), 0);
	assert_int_equal(bpmu_decan_measure(&decan, &err), 0);
	snprintf(name, sizeof(name), "program_sum_loop0_ld_0x%llx_line%u",
		 (unsigned long long)first_of(BPMU_VARIANT_LOAD)->candidate->insn->address,
		 line_with("sum += of[i];"));
	assert_string_equal(first_of(BPMU_VARIANT_LOAD)->name, name);
	snprintf(line, sizeof(line), "decan_library.c:%u",
		 line_with("sum += of[i];"));
	text = printed(bpmu_decan_list);
	assert_non_null(strstr(text, line));
	free(text);
	text = printed(bpmu_decan_text);
	assert_non_null(strstr(text, "loop 0 at 0x"));
	assert_non_null(strstr(text, "(decan_library.c:"));
	free(text);
	bpmu_decan_free(&decan);
}

TEST(functions_of_libraries_and_pie_are_found)
{
	static char zero[] = "0";

	assert_int_equal(find((char *)FIXTURE, "library_sum", zero, NULL), 0);
	assert_int_equal(bpmu_decan_measure(&decan, &err), 0);
	assert_non_null(strstr(decan.elf.path, "libdecan_fixture.so"));
	assert_int_equal(decan.variants.variant->iterations, 1000);
	assert_int_equal(decan.snapshot.invocation, 2);
	bpmu_decan_free(&decan);
	assert_int_equal(find((char *)FIXTURE, "program_sum", zero, NULL), 0);
	assert_int_equal(bpmu_decan_measure(&decan, &err), 0);
	assert_int_equal(decan.variants.variant->iterations, 500);
	/*
	 * The program enters the loop of program_sum() only once, so decan must use the snapshot of
	 * the first entry.
	 */
	assert_int_equal(decan.snapshot.invocation, 1);
	bpmu_decan_free(&decan);
}

/*
 * The loop is so short, 500 additions, that a profile rarely has a sample in it. decan needs no
 * sample if the loop is the only one of the function.
 */
TEST(the_only_loop_of_a_named_function_needs_no_sample)
{
	char *text = NULL;
	size_t size;
	FILE *out;

	assert_int_equal(find((char *)FIXTURE, "program_sum", NULL, NULL), 0);
	assert_int_equal(decan.id, 0);
	out = open_memstream(&text, &size);
	bpmu_decan_list(&decan, out);
	fclose(out);
	assert_non_null(strstr(text, "* loop 0 "));
	free(text);
	assert_int_equal(bpmu_decan_measure(&decan, &err), 0);
	assert_int_equal(decan.variants.variant->iterations, 500);
	bpmu_decan_free(&decan);
}

TEST(a_stripped_program_needs_addresses)
{
	static char zero[] = "0";
	char range[64];

	assert_int_equal(find((char *)FIXTURE, "program_sum", zero, NULL), 0);
	snprintf(range, sizeof(range), "%llx-%llx",
		 (unsigned long long)decan.target->first,
		 (unsigned long long)decan.target->end);
	bpmu_decan_free(&decan);
	assert_true(find((char *)FIXTURE "-stripped", "program_sum", zero,
			 NULL) < 0);
	assert_non_null(strstr(err.text, "--loop START-END"));
	bpmu_decan_free(&decan);
	assert_int_equal(find((char *)FIXTURE "-stripped", NULL, range, NULL),
			 0);
	assert_int_equal(bpmu_decan_measure(&decan, &err), 0);
	assert_int_equal(decan.variants.variant->iterations, 500);
	bpmu_decan_free(&decan);
}

/*
 * A static program without symbols: decan refuses to look for a function by its name, and accepts
 * addresses.
 */
static void needs_addresses(char *program, char *stripped)
{
	static char chain[] = "chain", times[] = "4000", zero[] = "0";
	char *argv[] = { stripped, chain, times, NULL };
	char range[64];

	assert_int_equal(find(program, "chain", zero, NULL), 0);
	snprintf(range, sizeof(range), "%llx-%llx",
		 (unsigned long long)decan.target->first,
		 (unsigned long long)decan.target->end);
	bpmu_decan_free(&decan);
	decan = (struct bpmu_decan){
		.kinds = BPMU_VARIANT_DEFAULT, .rounds = 6, .threads = 1,
		.unit = "ticks", .options.argv = argv,
	};
	assert_true(bpmu_decan_find(&decan, &err) < 0);
	assert_string_equal(err.text,
			    "profile: no function has a name where the time goes; name the loop with --loop START-END");
	bpmu_decan_free(&decan);
	assert_true(find(stripped, "chain", zero, NULL) < 0);
	assert_non_null(strstr(err.text, "function 'chain': not in "));
	assert_non_null(strstr(err.text, "--loop START-END needs no name"));
	bpmu_decan_free(&decan);
	decan = (struct bpmu_decan){
		.loop = range, .kinds = BPMU_VARIANT_DEFAULT, .rounds = 6,
		.threads = 1, .unit = "ticks", .options.argv = argv,
	};
	assert_int_equal(bpmu_decan_find(&decan, &err), 0);
	assert_int_equal(bpmu_decan_measure(&decan, &err), 0);
	assert_int_equal(decan.variants.variant->iterations, 100000);
	assert_string_equal(decan.name, "stripped");
	bpmu_decan_free(&decan);
}

TEST(a_static_program_without_symbols_needs_addresses)
{
	needs_addresses((char *)WORKLOAD, (char *)STRIPPED);
}

TEST(a_stripped_musl_program_needs_addresses)
{
	static char zero[] = "0";

	if (access(MUSL "-stripped", X_OK)) {
		print_message("# no musl-gcc; run tests/vm/packages check\n");
		skip();
	}
	assert_int_equal(find((char *)MUSL, "matvec", zero, NULL), 0);
	assert_int_equal(bpmu_decan_measure(&decan, &err), 0);
	assert_int_equal(decan.variants.variant->iterations, 256);
	assert_true(variant("matvec_loop0_loads")->ok);
	bpmu_decan_free(&decan);
	needs_addresses((char *)MUSL, (char *)MUSL "-stripped");
}

static unsigned int count_of(const char *text, char wanted)
{
	unsigned int nr = 0;

	for (; *text; text++)
		nr += *text == wanted;
	return nr;
}

static void csv_has_rows_of_all_variants(const char *text)
{
	unsigned int rows = 0;
	size_t len;

	for (; *text; text += len + 1, rows++) {
		char line[512] = "";

		len = strcspn(text, "\n");
		assert_true(len < sizeof(line));
		memcpy(line, text, len);
		assert_int_equal(count_of(line, ','), 21);
		if (rows == 1)
			assert_non_null(strstr(line, ",original,original,"));
	}
	assert_int_equal(rows, decan.variants.nr + 1);
}

static void json_has_objects_of_all_variants(const char *text)
{
	unsigned int rows = 0;
	json_t *row;
	size_t len;

	for (; *text; text += len + 1, rows++) {
		len = strcspn(text, "\n");
		row = json_loadb(text, len, 0, NULL);
		assert_non_null(row);
		assert_string_equal(json_string_value(json_object_get(row,
								      "type")),
				    rows < decan.variants.nr ? "variant" :
				    "verdict");
		json_decref(row);
	}
	assert_int_equal(rows, decan.variants.nr + 1);
}

TEST(results_are_written_as_text_csv_and_json)
{
	char *text;

	assert_int_equal(analyse("indirect", NULL), 0);
	text = printed(bpmu_decan_csv);
	csv_has_rows_of_all_variants(text);
	free(text);
	text = printed(bpmu_decan_json);
	json_has_objects_of_all_variants(text);
	free(text);
	text = printed(bpmu_decan_text);
	assert_non_null(strstr(text, "crash (SIGSEGV)"));
	assert_non_null(strstr(text, "\nVerdict: "));
	free(text);
	text = printed(bpmu_decan_list);
	assert_non_null(strstr(text, "* loop 0 "));
	assert_non_null(strstr(text, "movq xmm0, qword ptr"));
	free(text);
	bpmu_decan_free(&decan);
}

static u8 *contents(const char *path, size_t *size)
{
	struct stat status;
	u8 *bytes;
	FILE *file = fopen(path, "re");

	assert_non_null(file);
	assert_int_equal(fstat(fileno(file), &status), 0);
	*size = status.st_size;
	bytes = malloc(*size + 1);
	assert_int_equal(fread(bytes, 1, *size, file), *size);
	bytes[*size] = '\0';
	fclose(file);
	return bytes;
}

TEST(write_creates_programs_and_a_page)
{
	char folder[] = "/tmp/decanXXXXXX", path[512];
	size_t size, of, i, differ = 0;
	const struct bpmu_variant *one;
	u8 *before, *after;

	assert_non_null(mkdtemp(folder));
	assert_int_equal(analyse("matvec", NULL), 0);
	one = first_of(BPMU_VARIANT_STORE);
	decan.write = folder;
	assert_int_equal(bpmu_decan_write(&decan, &err), 0);
	before = contents(WORKLOAD, &size);
	snprintf(path, sizeof(path), "%s/%s", folder, one->name);
	after = contents(path, &of);
	assert_int_equal(of, size);
	for (i = 0; i < size; i++)
		differ += before[i] != after[i];
	assert_true(differ > 0 && differ <= one->edit->insn->length);
	free(before);
	free(after);
	snprintf(path, sizeof(path), "%s/page", folder);
	decan.html = path;
	assert_int_equal(bpmu_decan_page(&decan, &err), 0);
	after = contents(path, &of);
	/*
	 * The HTML table shows the end of each variant's name, and has the whole name as the title
	 * of the cell. The page has no empty paragraph.
	 */
	snprintf(path, sizeof(path), "<td title=\"%s\">st_0x", one->name);
	assert_non_null(strstr((char *)after, path));
	assert_null(strstr((char *)after, "<p></p>"));
	assert_non_null(strstr((char *)after, "Verdict: "));
	assert_null(strstr((char *)after, "<script"));
	free(after);
	bpmu_decan_free(&decan);
	snprintf(path, sizeof(path), "rm -r %s", folder);
	assert_int_equal(system(path), 0);
}

TEST(a_second_thread_runs_the_loop)
{
	static char zero[] = "0", times[] = "200";
	const struct bpmu_variant *both;
	char name[] = "/tmp/barepmu-test-page-XXXXXX";
	u8 *page;
	size_t size;

	decan = (struct bpmu_decan){
		.function = "count", .loop = zero, .kinds = BPMU_VARIANT_STORES,
		.rounds = 6, .threads = 2, .unit = "ticks",
		.options.argv = (char *[]){ (char *)WORKLOAD, (char *)"count",
					    times, NULL },
	};
	assert_int_equal(bpmu_decan_find(&decan, &err), 0);
	assert_int_equal(bpmu_decan_measure(&decan, &err), 0);
	assert_int_equal(decan.snapshot.nr_helpers, 1);
	both = variant("original_threads2");
	assert_non_null(both);
	assert_true(both->ok);
	assert_int_equal(both->samples, 6);
	/*
	 * For runs of two threads decan reports the fraction of the elapsed time in which the
	 * threads had a CPU. On a busy machine the fraction may be 0.
	 */
	assert_true(both->on_cpu >= 0 && both->on_cpu < 1.5);
	assert_true(isnan(decan.variants.variant->on_cpu));
	close(mkstemp(name));
	decan.html = name;
	assert_int_equal(bpmu_decan_page(&decan, &err), 0);
	page = contents(name, &size);
	assert_non_null(strstr((char *)page, "<p>Threads: "));
	free(page);
	unlink(name);
	bpmu_decan_free(&decan);
}

/**
 * struct thread - recorded calls of ptrace() for a thread
 * @tid: the thread
 * @stack: the first stack pointer that decan gave the thread
 * @moved: the thread was later given a different stack pointer
 * @resumed: decan has resumed the thread
 */
struct thread {
	pid_t tid;
	u64 stack;
	bool moved;
	bool resumed;
};

static struct thread traced[256];
static unsigned int nr_traced;

static struct thread *thread_of(pid_t tid)
{
	unsigned int i;

	for (i = 0; i < nr_traced; i++)
		if (traced[i].tid == tid)
			return &traced[i];
	assert_true(nr_traced < sizeof(traced) / sizeof(*traced));
	traced[nr_traced].tid = tid;
	return &traced[nr_traced++];
}

long __real_ptrace(int request, ...);
long __wrap_ptrace(int request, ...);

long __wrap_ptrace(int request, ...)
{
	const struct user_regs_struct *regs;
	struct thread *thread;
	void *address, *data;
	va_list args;
	pid_t tid;

	va_start(args, request);
	tid = va_arg(args, pid_t);
	address = va_arg(args, void *);
	data = va_arg(args, void *);
	va_end(args);
	if (watched && request == PTRACE_SETREGS) {
		regs = data;
		thread = thread_of(tid);
		thread->moved |= thread->stack && thread->stack != regs->rsp;
		thread->stack = thread->stack ?: regs->rsp;
	} else if (watched && request == PTRACE_SYSCALL) {
		thread_of(tid)->resumed = true;
	}
	return __real_ptrace(request, tid, address, data);
}

/*
 * Returns the number of threads that decan gave the registers of @helper, without @helper itself. A
 * helper is a thread of the program that runs the loop at the same time as the measured thread.
 * Fails if one of the counted threads was ever resumed with other registers.
 */
static unsigned int threads_like(const struct bpmu_snapshot_thread *helper)
{
	unsigned int i, nr = 0;

	for (i = 0; i < nr_traced; i++) {
		if (traced[i].stack != helper->regs.rsp || traced[i].tid == helper->tid)
			continue;
		assert_true(traced[i].resumed && !traced[i].moved);
		nr++;
	}
	return nr;
}

/*
 * In the program two more threads, the helpers, run the loop at the same time as the measured
 * thread. In each of decan's runs one thread must have the registers of the first helper, and
 * another one those of the second helper.
 */
TEST(several_helpers_run_the_loop)
{
	static char zero[] = "0", times[] = "200";
	const struct bpmu_variant *all;
	unsigned int first;

	decan = (struct bpmu_decan){
		.function = "count", .loop = zero, .kinds = BPMU_VARIANT_STORES,
		.rounds = 6, .threads = 3, .unit = "ticks",
		.options.argv = (char *[]){ (char *)WORKLOAD, (char *)"three", times, NULL },
	};
	watched = true;
	nr_traced = 0;
	memset(traced, 0, sizeof(traced));
	assert_int_equal(bpmu_decan_find(&decan, &err), 0);
	assert_int_equal(bpmu_decan_measure(&decan, &err), 0);
	watched = false;
	assert_int_equal(decan.snapshot.nr_helpers, 2);
	assert_true(decan.snapshot.helper[0].regs.rsp != decan.snapshot.helper[1].regs.rsp);
	all = variant("original_threads3");
	assert_non_null(all);
	assert_true(all->ok);
	assert_int_equal(all->samples, 6);
	first = threads_like(&decan.snapshot.helper[0]);
	assert_true(first >= 6);
	assert_int_equal(threads_like(&decan.snapshot.helper[1]), first);
	bpmu_decan_free(&decan);
}

TEST(files_and_functions_that_cannot_be_analysed_are_named)
{
	char path[] = "/tmp/decanXXXXXX";
	static char zero[] = "0", nine[] = "9";
	struct bpmu_elf elf;
	u8 header[64] = "\177ELF\1\1\1";
	int fd;

	fd = mkstemp(path);
	assert_int_equal(write(fd, header, sizeof(header)), sizeof(header));
	close(fd);
	assert_true(bpmu_elf_open(&elf, path, &err) < 0);
	assert_non_null(strstr(err.text, "not a 64-bit x86 program"));
	bpmu_elf_close(&elf);
	unlink(path);
	assert_true(find((char *)WORKLOAD, "nothing", zero, NULL) < 0);
	assert_non_null(strstr(err.text, "function 'nothing'"));
	bpmu_decan_free(&decan);
	assert_true(find((char *)WORKLOAD, "matvec", nine, NULL) < 0);
	assert_non_null(strstr(err.text, "has 1 loops"));
	bpmu_decan_free(&decan);
}

TEST(a_loop_that_is_not_entered_is_an_error)
{
	static char zero[] = "0";

	assert_int_equal(find((char *)WORKLOAD, "matvec", zero, NULL), 0);
	decan.invocation = 3;
	assert_true(bpmu_decan_measure(&decan, &err) < 0);
	assert_non_null(strstr(err.text, "entered 2 times only"));
	bpmu_decan_free(&decan);
}
