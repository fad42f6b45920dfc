// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of branch records (LBR). When a counter interrupts a thread, the module stores the thread's
 * last branches in a sample: never those of another thread. The thread runs a loop whose branches
 * this program knows. After the session, the LBR's control registers must have their old values,
 * and its other registers must hold no addresses of branches.
 *
 * There are several copies of the loop, each with the same branches at the same offsets.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <linux/genetlink.h>
#include <kselftest_harness.h>

#include "interrupts.h"
#include "kptr.h"
#include "msr.h"
#include "online.h"
#include "pids.h"

#define PERIOD 10000
#define ITERATIONS 100000
#define CALLS 2000
#define USR (1ULL << 16)
#define OS (1ULL << 17)
#define KERNEL 0xffff800000000000ULL
/*
 * Number of iterations of the loop between two context switches of a thread, and number of
 * switches.
 */
#define BETWEEN 20
#define SWITCHES 4000
/*
 * Registers of branch records (LBR). IA32_DEBUGCTL, MSR_LBR_SELECT and
 * MSR_LASTBRANCH_0_FROM_IP are of Skylake (SDM Vol. 4). MSR_ARCH_LBR_CTL, MSR_ARCH_LBR_DEPTH and
 * MSR_ARCH_LBR_FROM_0 are of CPUs with architectural LBR (Linux, msr-index.h).
 */
#define DEBUGCTL 0x1d9
#define SELECT 0x1c8
#define FROM 0x680
#define ARCH_CTL 0x14ce
#define ARCH_DEPTH 0x14cf
#define ARCH_FROM 0x1500
/* MSR_PEBS_DATA_CFG (Linux, msr-index.h) */
#define DATA_CFG 0x3f2

#define NOINLINE __attribute__((noinline, noclone))

/* The four taken branches of one iteration of the loop, in their order. */
enum { JUMP, CALL, RETURN, BACK, BRANCHES };

/* Addresses of a branch instruction and of its target. */
struct branch {
	uint64_t from;
	uint64_t to;
};

/**
 * struct loop - addresses of the branches in one copy of the loop
 * @branch: [JUMP, CALL, RETURN, BACK], the branches in their order
 */
struct loop {
	struct branch branch[BRANCHES];
};

static struct log own;
static uint32_t depth;

static bool is_architectural(void)
{
	return strcmp(own.part, "skl");
}

/*
 * Runs @n iterations of a loop that has four taken branches and one branch that is not taken. Each
 * use of this macro makes a copy of the loop. The macro stores the addresses of the copy's branches
 * in *@loop.
 */
#define RUN(loop, n) do { \
	unsigned long _left = (n); \
	uint64_t *_to = (uint64_t *)(loop); \
	\
	asm volatile("	leaq 1f(%%rip), %%rax\n	movq %%rax, 0(%1)\n" \
		     "	leaq 2f(%%rip), %%rax\n	movq %%rax, 8(%1)\n" \
		     "	movq %%rax, 16(%1)\n" \
		     "	leaq 5f(%%rip), %%rax\n	movq %%rax, 24(%1)\n" \
		     "	leaq 6f(%%rip), %%rax\n	movq %%rax, 32(%1)\n" \
		     "	leaq 3f(%%rip), %%rax\n	movq %%rax, 40(%1)\n" \
		     "	leaq 4f(%%rip), %%rax\n	movq %%rax, 48(%1)\n" \
		     "	leaq 1f(%%rip), %%rax\n	movq %%rax, 56(%1)\n" \
		     "	subq $128, %%rsp\n" \
		     "1:	jmp 2f\n" \
		     "	nop\n" \
		     "2:	call 5f\n" \
		     "3:	dec %0\n" \
		     "	js 7f\n" \
		     "4:	jnz 1b\n" \
		     "	jmp 7f\n" \
		     "5:	nop\n" \
		     "6:	ret\n" \
		     "7:	addq $128, %%rsp\n" \
		     : "+r"(_left) : "r"(_to) : "rax", "cc", "memory"); \
} while (0)

static struct loop first, second;

static NOINLINE void run_first(unsigned long n)
{
	RUN(&first, n);
}

static NOINLINE void run_second(unsigned long n)
{
	RUN(&second, n);
}

/*
 * Makes the calling thread the only one that runs on its CPU, or ends this. Meanwhile the CPU
 * switches to no other thread, such as a kernel thread. Returns 0, or -1 if the kernel refuses.
 */
static int run_alone(bool alone)
{
	struct sched_param priority = { .sched_priority = alone };
	FILE *runtime = fopen("/proc/sys/kernel/sched_rt_runtime_us", "w");

	if (!runtime)
		return -1;
	fprintf(runtime, "%d\n", alone ? -1 : 950000);
	if (fclose(runtime))
		return -1;
	return sched_setscheduler(0, alone ? SCHED_FIFO : SCHED_OTHER, &priority);
}

static struct nlmsghdr *begin(uint64_t level, bool branches)
{
	struct nlmsghdr *message = interrupts_begin(&own);

	interrupts_put_group(message, level | (own.instructions & ~USR), PERIOD);
	if (branches)
		mnl_attr_put_u32(message, BPMU_A_BRANCHES, BPMU_BRANCH_KIND_ANY);
	return message;
}

static bool is_ours(unsigned int record)
{
	return interrupts.record[record].who.pid == (uint32_t)getpid();
}

static unsigned int kept(void)
{
	return interrupts.nr < INTERRUPTS_CHAINS ? interrupts.nr : INTERRUPTS_CHAINS;
}

/* Returns the index of a branch in the loop, or BRANCHES if the loop does not have this branch. */
static unsigned int find(const struct loop *loop, const struct bpmu_branch *branch)
{
	unsigned int i;

	for (i = 0; i < BRANCHES; i++)
		if (loop->branch[i].from == branch->from && loop->branch[i].to == branch->to)
			break;
	return i;
}

/*
 * Returns true if a sample has as many branches as the CPU has branch records, and if all of them
 * are branches of the loop, the latest one first, in the order in which the loop executes them.
 */
static bool is_cycle(const struct interrupts_branches *branches, const struct loop *loop)
{
	unsigned int i, at = find(loop, branches->branch);

	if (branches->nr != depth)
		return false;
	for (i = 0; i < branches->nr; i++, at = (at + BRANCHES - 1) % BRANCHES)
		if (find(loop, &branches->branch[i]) != at)
			return false;
	return true;
}

FIXTURE(branches) {
	int unused;
};

FIXTURE_SETUP(branches)
{
	GENL_LOAD(return);
	MSR_OPEN(return);
	ASSERT_EQ(0, log_pin(0));
	ASSERT_EQ(0, log_open(&own));
	depth = interrupts_info(&own, BPMU_A_INFO_BRANCHES);
	ASSERT_NE(UINT32_MAX, depth);
}

FIXTURE_TEARDOWN(branches)
{
	run_alone(false);
	genl_close(&own.genl);
	kptr_restrict('0');
	msr_close();
}

#define NEED_RECORDS() do { \
	if (!depth) \
		SKIP(return, "no branch records here"); \
} while (0)

TEST_F(branches, a_loop_has_its_branches)
{
	unsigned int i, found = 0, cycles = 0, predicted = 0;

	NEED_RECORDS();
	ASSERT_EQ(32, depth);
	begin(USR, true);
	ASSERT_EQ(0, interrupts_start(&own));
	run_first(ITERATIONS);
	ASSERT_EQ(0, interrupts_stop(&own));
	ASSERT_LE(30, interrupts.nr);
	EXPECT_EQ(0, interrupts.malformed);
	for (i = 0; i < kept(); i++) {
		if (!is_cycle(&interrupts.branches[i], &first))
			continue;
		found++;
		cycles += interrupts.branches[i].branch[9].flags & BPMU_BRANCH_CYCLES &&
			  interrupts.branches[i].branch[9].cycles < 20;
		predicted += (interrupts.branches[i].branch[9].flags &
			      (BPMU_BRANCH_PREDICTED | BPMU_BRANCH_MISPREDICTED)) ==
			     BPMU_BRANCH_PREDICTED;
	}
	EXPECT_LT(interrupts.nr * 8 / 10, found);
	EXPECT_LT(found * 9 / 10, cycles);
	EXPECT_LT(found * 9 / 10, predicted);
}

/*
 * The virtual PMU must tell the addresses of this process's branches, not those of the process that
 * executed the same program first: the kernel maps a program at another address each time.
 */
TEST_F(branches, a_loop_has_its_branches_when_its_program_is_executed_again)
{
	int status = -1;
	pid_t child;

	NEED_RECORDS();
	child = fork();
	ASSERT_LE(0, child);
	if (!child) {
		if (!freopen("/dev/null", "w", stdout))
			_exit(1);
		execl("/proc/self/exe", "branches", "-t", "a_loop_has_its_branches", NULL);
		_exit(1);
	}
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
}

/*
 * Begins a session of precise records with branches, of which a CPU writes 16 before it interrupts.
 * The event is that of the branches.
 */
static void begin_precise(uint32_t period)
{
	struct nlmsghdr *message = interrupts_begin(&own);
	struct nlattr *group = mnl_attr_nest_start(message, BPMU_A_GROUP);

	interrupts_put_event(message, 0, USR | 0xc4, period, true);
	mnl_attr_nest_end(message, group);
	mnl_attr_put_u32(message, BPMU_A_BRANCHES, BPMU_BRANCH_KIND_ANY);
	mnl_attr_put_u32(message, BPMU_A_BATCH, 16);
}

/*
 * Returns true if a branch of the first loop is the last one that was taken when the branch
 * instruction at @ip has retired: itself, or, if it is not taken, the return before it.
 */
static bool is_recorded(const struct bpmu_branch *branch, uint64_t ip)
{
	unsigned int at = find(&first, branch);

	if (at == RETURN && ip > first.branch[RETURN].to && ip < first.branch[BACK].from)
		return true;
	return at < BRANCHES && ip == first.branch[at].from;
}

/*
 * A CPU with adaptive records writes the branches up to each event into its record: it need not
 * interrupt for them.
 */
TEST_F(branches, precise_records_have_them_without_interrupts)
{
	unsigned int i, found = 0, newest = 0;

	if (strcmp(own.part, "spr"))
		SKIP(return, "this part's records are not adaptive");
	begin_precise(PERIOD);
	ASSERT_EQ(0, interrupts_start(&own));
	EXPECT_EQ(31ULL << 24 | 8, msr_read(DATA_CFG));
	/* Records that the CPU writes after the last one of a batch would have old branches. */
	EXPECT_EQ(0, msr_read(DEBUGCTL) & 0x800);
	run_first(2 * ITERATIONS);
	ASSERT_EQ(0, interrupts_stop(&own));
	/* Five branches of an iteration retire, of which four are taken. */
	ASSERT_LE(80, interrupts.nr);
	EXPECT_GE(110, interrupts.nr);
	EXPECT_EQ(0, interrupts.malformed);
	EXPECT_EQ(0, interrupts.lost);
	for (i = 0; i < kept(); i++) {
		found += is_cycle(&interrupts.branches[i], &first);
		newest += is_recorded(interrupts.branches[i].branch, interrupts.record[i].who.ip);
	}
	EXPECT_LT(kept() * 8 / 10, found);
	EXPECT_EQ(kept(), newest);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	EXPECT_EQ(0, msr_read(DATA_CFG));
}

/*
 * The first branch of a sample is the last branch that was taken before the interrupt. So the
 * interrupted address is not below the target of this branch, and not above the address of the
 * loop's next branch.
 */
TEST_F(branches, the_first_record_is_of_the_last_branch)
{
	unsigned int i, at, found = 0, right = 0;

	NEED_RECORDS();
	begin(USR, true);
	ASSERT_EQ(0, interrupts_start(&own));
	run_first(ITERATIONS);
	ASSERT_EQ(0, interrupts_stop(&own));
	for (i = 0; i < kept(); i++) {
		if (!is_cycle(&interrupts.branches[i], &first))
			continue;
		found++;
		at = find(&first, interrupts.branches[i].branch);
		right += interrupts.record[i].who.ip >= first.branch[at].to &&
			 interrupts.record[i].who.ip <= first.branch[(at + 1) % BRANCHES].from;
	}
	EXPECT_LT(30, found);
	EXPECT_LT(found / 2, right);
}

/*
 * If only instructions of the kernel are counted, only branches to addresses of the kernel are
 * recorded.
 */
TEST_F(branches, the_kernel_has_its_branches)
{
	unsigned int i, k, to_kernel = 0, others = 0;

	NEED_RECORDS();
	begin(OS, true);
	ASSERT_EQ(0, interrupts_start(&own));
	for (i = 0; i < CALLS; i++)
		syscall(SYS_getppid);
	ASSERT_EQ(0, interrupts_stop(&own));
	ASSERT_LE(10, interrupts.nr);
	for (i = 0; i < kept(); i++)
		for (k = 0; k < interrupts.branches[i].nr; k++)
			if (interrupts.branches[i].branch[k].to >= KERNEL)
				to_kernel++;
			else
				others++;
	EXPECT_LT(100, to_kernel);
	EXPECT_EQ(0, others);
}

/*
 * If addresses of the kernel are hidden, the module must replace them by 0. The addresses of a
 * branch in user space must still be there.
 */
TEST_F(branches, kernel_addresses_are_hidden)
{
	unsigned int i, k, hidden = 0, shown = 0;
	const struct bpmu_branch *branch;

	NEED_RECORDS();
	ASSERT_EQ(0, kptr_restrict('2'));
	begin(USR | OS, true);
	ASSERT_EQ(0, interrupts_start(&own));
	for (i = 0; i < CALLS; i++)
		syscall(SYS_getppid);
	ASSERT_EQ(0, interrupts_stop(&own));
	for (i = 0; i < kept(); i++)
		for (k = 0; k < interrupts.branches[i].nr; k++) {
			branch = &interrupts.branches[i].branch[k];
			ASSERT_GT(KERNEL, branch->from);
			ASSERT_GT(KERNEL, branch->to);
			hidden += !branch->from && !branch->to;
			shown += branch->from && branch->to;
		}
	EXPECT_LT(100, hidden);
	EXPECT_LT(10, shown);
}

/*
 * Lets two processes alternate, each of which runs its own copy of the loop: this one the first, its
 * child the second. Returns the child's number, or -1 if there was none.
 */
static pid_t run_both(void)
{
	unsigned int i;
	pid_t child;

	run_first(1);
	run_second(1);
	child = fork();
	if (child < 0)
		return -1;
	for (i = 0; i < SWITCHES; i++) {
		if (child)
			run_first(BETWEEN);
		else
			run_second(BETWEEN);
		sched_yield();
	}
	if (!child)
		_exit(0);
	return waitpid(child, NULL, 0);
}

/*
 * Between two context switches, a process runs fewer branches than there are between two
 * interrupts. If the module did not clear the branch records at a context switch, an interrupt soon
 * after the switch would find branches of the other process.
 */
TEST_F(branches, threads_do_not_see_each_others)
{
	unsigned int i, k, own_branches = 0, others = 0;
	pid_t child;

	NEED_RECORDS();
	begin(USR, true);
	ASSERT_EQ(0, interrupts_start(&own));
	child = run_both();
	ASSERT_LT(0, child);
	ASSERT_EQ(0, interrupts_stop(&own));
	ASSERT_LE(30, interrupts.nr);
	for (i = 0; i < kept(); i++) {
		bool is_child = interrupts.record[i].who.pid == (uint32_t)child;

		if (!is_child && !is_ours(i))
			continue;
		for (k = 0; k < interrupts.branches[i].nr; k++) {
			own_branches += find(is_child ? &second : &first,
					     &interrupts.branches[i].branch[k]) < BRANCHES;
			others += find(is_child ? &first : &second,
				       &interrupts.branches[i].branch[k]) < BRANCHES;
		}
	}
	EXPECT_LT(300, own_branches);
	/*
	 * Before the fork, this process itself ran one iteration of the child's copy of the loop.
	 * One sample of this process may still hold the branches of this iteration.
	 */
	EXPECT_GE(BRANCHES, others);
}

/*
 * Precise records name no thread: those that a CPU has written without an interrupt are read at
 * each context switch, and the branches are cleared there too.
 */
TEST_F(branches, precise_records_of_threads_have_their_own)
{
	unsigned int i, k, at, right = 0, wrong = 0;
	pid_t child;

	if (strcmp(own.part, "spr"))
		SKIP(return, "this part's records are not adaptive");
	begin_precise(2000);
	ASSERT_EQ(0, interrupts_start(&own));
	child = run_both();
	ASSERT_LT(0, child);
	ASSERT_EQ(0, interrupts_stop(&own));
	ASSERT_LE(200, interrupts.nr);
	EXPECT_EQ(0, interrupts.malformed);
	for (i = 0; i < kept(); i++)
		for (k = 0; k < interrupts.branches[i].nr; k++) {
			const struct bpmu_branch *branch = &interrupts.branches[i].branch[k];

			at = find(&first, branch) < BRANCHES ? 1 :
			     find(&second, branch) < BRANCHES ? 2 : 0;
			if (!at)
				continue;
			if (interrupts.record[i].who.pid == (uint32_t)(at == 1 ? getpid() : child))
				right++;
			else
				wrong++;
		}
	EXPECT_LT(300, right);
	/* This process ran one iteration of the child's copy, which may be in one record. */
	EXPECT_GE(BRANCHES, wrong);
}

TEST_F(branches, registers_are_restored_and_hold_no_address)
{
	const uint32_t control = is_architectural() ? ARCH_CTL : SELECT;
	const uint32_t from = is_architectural() ? ARCH_FROM : FROM;
	const uint64_t value = is_architectural() ? 0x1000a : 0x4;
	unsigned int i;

	NEED_RECORDS();
	ASSERT_EQ(0, msr_write(control, value));
	if (is_architectural())
		ASSERT_EQ(0, msr_write(ARCH_DEPTH, 8));
	begin(USR, true);
	ASSERT_EQ(0, interrupts_start(&own));
	EXPECT_EQ(is_architectural() ? 0x800 : 0x801, msr_read(DEBUGCTL) & 0x801);
	EXPECT_EQ(is_architectural() ? 0x7f0005 : 0x1, msr_read(control));
	run_first(ITERATIONS / 10);
	EXPECT_NE(0, msr_read(from));
	ASSERT_EQ(0, interrupts_stop(&own));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	EXPECT_EQ(0, msr_read(DEBUGCTL) & 0x801);
	EXPECT_EQ(value, msr_read(control));
	if (is_architectural())
		EXPECT_EQ(8, msr_read(ARCH_DEPTH));
	for (i = 0; i < (is_architectural() ? 8 : depth); i++)
		ASSERT_EQ(0, msr_read(from + i));
	ASSERT_EQ(0, msr_write(control, 0));
	if (is_architectural())
		ASSERT_EQ(0, msr_write(ARCH_DEPTH, 32));
}

/* A session must be refused while another agent has turned branch records on. */
TEST_F(branches, records_of_another_agent_are_refused)
{
	const uint32_t control = is_architectural() ? ARCH_CTL : DEBUGCTL;

	NEED_RECORDS();
	ASSERT_EQ(0, msr_write(control, 1));
	EXPECT_EQ(BPMU_OBSTACLE_BRANCHES, interrupts_info(&own, BPMU_A_INFO_OBSTACLES));
	begin(USR, true);
	EXPECT_EQ(-EBUSY, log_send(&own));
	EXPECT_STREQ("another agent records the branches of a CPU (LBR); stop it first, such as perf record -b",
		     own.genl.sentence);
	EXPECT_EQ(1, msr_read(control));
	begin(USR, false);
	EXPECT_EQ(0, log_send(&own));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	ASSERT_EQ(0, msr_write(control, 0));
	begin(USR, true);
	ASSERT_EQ(0, interrupts_start(&own));
	EXPECT_EQ(0, interrupts_info(&own, BPMU_A_INFO_OBSTACLES));
}

static void take_kind(void *kind, const struct nlmsghdr *answer)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, answer, GENL_HDRLEN)
		if (mnl_attr_get_type(attr) == BPMU_A_BRANCHES)
			*(uint32_t *)kind = mnl_attr_get_u32(attr);
}

static struct nlmsghdr *begin_calls(uint32_t chain)
{
	struct nlmsghdr *message = begin(USR, false);

	mnl_attr_put_u32(message, BPMU_A_BRANCHES, BPMU_BRANCH_KIND_CALLS);
	if (chain)
		mnl_attr_put_u32(message, BPMU_A_CHAIN, chain);
	return message;
}

static bool is_in(uint64_t ip, uint64_t first_ip, uint64_t last_ip)
{
	return ip >= first_ip && ip <= last_ip;
}

/*
 * In call-stack mode the callers of an interrupted function are in the record's call chain. The
 * function that the loop calls has no frame pointer. In this function the first caller is the loop;
 * the second one is the call of the loop, which is the first one outside of this function.
 */
TEST_F(branches, calls_that_have_not_returned_are_the_call_stack)
{
	unsigned int i, inside = 0, outside = 0, right = 0, cut = 0;
	const struct interrupts_chain *chain;
	uint64_t ip, call = 0;

	NEED_RECORDS();
	begin_calls(BPMU_MAX_CHAIN);
	ASSERT_EQ(0, interrupts_start(&own));
	EXPECT_EQ(0, msr_read(DEBUGCTL) & 0x800);
	EXPECT_EQ(is_architectural() ? 0x38000d : 0x3c5, msr_read(is_architectural() ? ARCH_CTL :
										     SELECT));
	ASSERT_EQ(0, run_alone(true));
	run_first(ITERATIONS);
	ASSERT_EQ(0, run_alone(false));
	ASSERT_EQ(0, interrupts_stop(&own));
	ASSERT_LE(30, interrupts.nr);
	EXPECT_EQ(0, interrupts.malformed);
	for (i = 0; i < kept(); i++) {
		chain = &interrupts.chain[i][BPMU_SECTION_USER];
		ip = interrupts.record[i].who.ip;
		EXPECT_FALSE(interrupts.branches[i].present);
		if (!is_ours(i) || !chain->present || !chain->nr)
			continue;
		if (is_in(ip, first.branch[CALL].to, first.branch[RETURN].from)) {
			inside++;
			right += chain->nr > 1 && chain->address[0] == first.branch[CALL].from + 1;
			if (chain->nr > 1)
				call = chain->address[1];
		} else if (call && is_in(ip, first.branch[JUMP].from, first.branch[BACK].from)) {
			outside++;
			right += chain->address[0] == call;
		}
		cut += chain->flags & BPMU_SECTION_CUT;
	}
	EXPECT_LT(5, inside);
	EXPECT_LT(5, outside);
	EXPECT_EQ(inside + outside, right);
	EXPECT_EQ(0, cut);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	EXPECT_EQ(0, msr_read(DEBUGCTL) & 0x801);
}

/* Number of the innermost callers that a test compares. */
#define CALLERS 4

/* Runs the loop of this process, or its child's copy, between switches to the other process. */
static NOINLINE void alternate(bool child)
{
	unsigned int i;

	for (i = 0; i < SWITCHES / 8; i++) {
		if (child)
			run_second(8 * BETWEEN);
		else
			run_first(8 * BETWEEN);
		sched_yield();
	}
}

static NOINLINE void alternate_first(void)
{
	alternate(false);
	asm volatile("" : : : "memory");
}

static NOINLINE void alternate_second(void)
{
	alternate(true);
	asm volatile("" : : : "memory");
}

/*
 * Returns the calls of record @i, if it is of process @pid in the function that @loop calls; else
 * NULL.
 */
static const struct interrupts_chain *calls_in(unsigned int i, const struct loop *loop, pid_t pid)
{
	const struct bpmu_who *who = &interrupts.record[i].who;

	return who->pid == (uint32_t)pid && is_in(who->ip, loop->branch[CALL].to,
						  loop->branch[RETURN].from) ?
		       &interrupts.chain[i][BPMU_SECTION_USER] : NULL;
}

/* How often the kernel has switched from this process to others. */
static long switched(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

/*
 * Two processes alternate. Each has the callers that it called before the switches, and none of the
 * other one. Which callers these are is known from a run without switches.
 */
TEST_F(branches, threads_keep_their_callers)
{
	unsigned int i, run, known = 0, kept_calls = 0, children = 0, others = 0;
	uint64_t callers[CALLERS] = { 0 };
	const struct interrupts_chain *chain;
	pid_t child;
	long before;

	NEED_RECORDS();
	run_second(1);
	for (run = 0; run < 2; run++) {
		begin_calls(BPMU_MAX_CHAIN);
		ASSERT_EQ(0, interrupts_start(&own));
		child = run ? fork() : 0;
		ASSERT_LE(0, child);
		if (run && !child) {
			alternate_second();
			_exit(0);
		}
		ASSERT_EQ(0, run ? 0 : run_alone(true));
		before = switched();
		alternate_first();
		EXPECT_EQ(run, switched() - before > 10);
		ASSERT_EQ(0, run ? waitpid(child, NULL, 0) != child : run_alone(false));
		ASSERT_EQ(0, interrupts_stop(&own));
		for (i = 0; i < kept(); i++) {
			chain = calls_in(i, &first, getpid());
			if (chain && !run) {
				known++;
				ASSERT_EQ(CALLERS, chain->nr);
				memcpy(callers, chain->address, sizeof(callers));
			} else if (chain) {
				kept_calls++;
				EXPECT_EQ(CALLERS, chain->nr);
				EXPECT_EQ(0, memcmp(callers, chain->address, sizeof(callers)));
			}
			chain = run ? calls_in(i, &second, child) : NULL;
			if (!chain)
				continue;
			children++;
			EXPECT_EQ(CALLERS, chain->nr);
			others += chain->address[1] == callers[1] || chain->address[3] == callers[3];
		}
	}
	EXPECT_LT(5, known);
	EXPECT_LT(5, kept_calls);
	EXPECT_LT(5, children);
	EXPECT_EQ(0, others);
}

/*
 * A multiple of the number of places of the table of call stacks, on machines with up to 128 CPUs
 * (kmod/sample/calls.c).
 */
#define PLACES 4096
/* return_first() and return_second() begin at multiples of this, and have fewer bytes */
#define CALLER_BYTES 64

/* Runs the loop of the first process, or that of the other, after both have run once. */
static NOINLINE void return_to(bool other)
{
	sched_yield();
	if (other)
		run_second(ITERATIONS);
	else
		run_first(ITERATIONS);
	asm volatile("" : : : "memory");
}

static NOINLINE __attribute__((aligned(CALLER_BYTES))) void return_first(void)
{
	return_to(false);
	asm volatile("" : : : "memory");
}

static NOINLINE __attribute__((aligned(CALLER_BYTES))) void return_second(void)
{
	return_to(true);
	asm volatile("" : : : "memory");
}

/* Starts process @pid, which calls @run and ends. Returns its number, or -1 if there is none. */
static pid_t start_as(pid_t pid, void (*run)(void))
{
	pid_t child = fork_as(pid);

	if (child)
		return child;
	run();
	_exit(0);
}

/*
 * Counts the records of process @pid in the function that @loop calls in *@nr. Returns how many of
 * them have another caller of return_to() than @caller, if they have one.
 */
static unsigned int strangers(pid_t pid, const struct loop *loop, void (*caller)(void),
			      unsigned int *nr)
{
	const uint64_t begin = (uintptr_t)caller;
	const struct interrupts_chain *chain;
	unsigned int i, found = 0;

	for (i = 0, *nr = 0; i < kept(); i++) {
		chain = calls_in(i, loop, pid);
		if (!chain)
			continue;
		++*nr;
		found += chain->nr > 2 &&
			 !is_in(chain->address[2], begin, begin + CALLER_BYTES - 1);
	}
	return found;
}

/*
 * The calls of two processes have the same place in the module's table, since the lowest bits of
 * their numbers are equal. When the first one returns from its first switch, it finds those of the
 * other one there, which has been switched away as often. It must not take them for its own.
 */
TEST_F(branches, threads_at_one_place_do_not_have_each_others_callers)
{
	const pid_t one = 3 * PLACES + 1, other = one + PLACES;
	unsigned int nr, found;

	NEED_RECORDS();
	run_first(1);
	run_second(1);
	begin_calls(BPMU_MAX_CHAIN);
	ASSERT_EQ(0, interrupts_start(&own));
	ASSERT_EQ(0, run_alone(true));
	EXPECT_EQ(one, start_as(one, return_first));
	EXPECT_EQ(other, start_as(other, return_second));
	EXPECT_EQ(one, waitpid(one, NULL, 0));
	EXPECT_EQ(other, waitpid(other, NULL, 0));
	ASSERT_EQ(0, run_alone(false));
	ASSERT_EQ(0, interrupts_stop(&own));
	found = strangers(one, &first, return_first, &nr);
	EXPECT_LT(5, nr);
	EXPECT_EQ(0, found);
	found = strangers(other, &second, return_second, &nr);
	EXPECT_LT(5, nr);
	EXPECT_EQ(0, found);
}

static NOINLINE int leave_cpu(void)
{
	int err = log_pin(1);

	asm volatile("" : "+r"(err));
	return err;
}

static NOINLINE int come_back(void)
{
	int err = log_pin(0);

	run_first(ITERATIONS);
	asm volatile("" : "+r"(err));
	return err;
}

/*
 * A thread that has run on a CPU without the session may have returned from the functions that it
 * was in when it left. They are no callers when it comes back.
 */
TEST_F(branches, callers_of_before_another_cpu_are_forgotten)
{
	const struct interrupts_chain *chain;
	unsigned int i, found = 0;

	NEED_RECORDS();
	if (online(1, true))
		SKIP(return, "only one CPU");
	begin_calls(BPMU_MAX_CHAIN);
	ASSERT_EQ(0, interrupts_start(&own));
	ASSERT_EQ(0, leave_cpu());
	ASSERT_EQ(0, come_back());
	ASSERT_EQ(0, interrupts_stop(&own));
	ASSERT_EQ(0, online(1, false));
	for (i = 0; i < kept(); i++) {
		chain = calls_in(i, &first, getpid());
		if (!chain)
			continue;
		found++;
		EXPECT_EQ(2, chain->nr);
		EXPECT_EQ(first.branch[CALL].from + 1, chain->address[0]);
	}
	EXPECT_LT(5, found);
}

#define LOOP_ONLY "loop"

/* Called before main(): with argument LOOP_ONLY the program runs the loop and ends. */
static __attribute__((constructor)) void loop_only(int argc, char *argv[])
{
	if (argc != 2 || strcmp(argv[1], LOOP_ONLY))
		return;
	run_first(ITERATIONS);
	_exit(0);
}

static NOINLINE void execute(void)
{
	execl("/proc/self/exe", "branches", LOOP_ONLY, NULL);
	_exit(1);
}

/*
 * A process executes another program, which is at other addresses. The old program's functions do
 * not return, and are no callers of the new one's. One interrupt may come before.
 */
TEST_F(branches, callers_of_before_another_program_are_forgotten)
{
	const uint64_t text = (uint64_t)(uintptr_t)execute;
	const struct interrupts_chain *chain;
	unsigned int i, found = 0, before = 0;
	int status;
	pid_t child;

	NEED_RECORDS();
	begin_calls(BPMU_MAX_CHAIN);
	ASSERT_EQ(0, interrupts_start(&own));
	child = fork();
	ASSERT_LE(0, child);
	if (!child)
		execute();
	ASSERT_EQ(child, waitpid(child, &status, 0));
	ASSERT_EQ(0, status);
	ASSERT_EQ(0, interrupts_stop(&own));
	for (i = 0; i < kept(); i++) {
		chain = &interrupts.chain[i][BPMU_SECTION_USER];
		if (interrupts.record[i].who.pid != (uint32_t)child || chain->nr < 2)
			continue;
		found++;
		before += is_in(chain->address[chain->nr - 1], text - 0x100000, text + 0x100000);
	}
	EXPECT_LT(30, found);
	EXPECT_GE(1, before);
}

/* Calls itself @depth times, and then runs the loop. The asm keeps the compiler from a loop. */
static NOINLINE unsigned int descend(unsigned int depth)
{
	unsigned int below = 0;

	if (depth)
		below = descend(depth - 1) + 1;
	else
		run_first(ITERATIONS);
	asm volatile("" : "+r"(below));
	return below;
}

/* A call stack that is deeper than the registers, or than the chain may be, is cut. */
TEST_F(branches, a_deep_call_stack_is_cut)
{
	static const struct {
		uint32_t chain, nr;
	} all[] = { { BPMU_MAX_CHAIN, 32 }, { 5, 5 } };
	const struct interrupts_chain *chain;
	unsigned int i, k, found;

	NEED_RECORDS();
	for (k = 0; k < sizeof(all) / sizeof(*all); k++) {
		found = 0;
		begin_calls(all[k].chain);
		ASSERT_EQ(0, interrupts_start(&own));
		ASSERT_EQ(0, run_alone(true));
		EXPECT_EQ(40, descend(40));
		ASSERT_EQ(0, run_alone(false));
		ASSERT_EQ(0, interrupts_stop(&own));
		for (i = 0; i < kept(); i++) {
			chain = &interrupts.chain[i][BPMU_SECTION_USER];
			found += is_ours(i) && chain->nr == all[k].nr &&
				 chain->flags == BPMU_SECTION_CUT;
		}
		EXPECT_LT(0, found);
	}
}

/*
 * While another agent or a debug exception has turned the records off, calls that return stay in
 * them, as those by which this test turns them off. They are no callers, and the record says that
 * callers are missing. Later records have the calls since.
 */
TEST_F(branches, calls_that_were_not_recorded_are_no_callers)
{
	const uint32_t control = is_architectural() ? ARCH_CTL : DEBUGCTL;
	const struct interrupts_chain *chain;
	unsigned int i, broken = 0, found = 0;

	NEED_RECORDS();
	begin_calls(BPMU_MAX_CHAIN);
	ASSERT_EQ(0, interrupts_start(&own));
	ASSERT_EQ(0, msr_write(control, msr_read(control) & ~1ULL));
	run_first(ITERATIONS);
	ASSERT_EQ(0, interrupts_stop(&own));
	for (i = 0; i < kept(); i++) {
		chain = &interrupts.chain[i][BPMU_SECTION_USER];
		broken += chain->present && chain->flags == BPMU_SECTION_BROKEN && !chain->nr;
		if (!calls_in(i, &first, getpid()) || !chain->nr)
			continue;
		found++;
		EXPECT_EQ(1, chain->nr);
		EXPECT_EQ(first.branch[CALL].from + 1, chain->address[0]);
	}
	EXPECT_EQ(1, broken);
	EXPECT_LT(5, found);
}

TEST_F(branches, a_call_stack_goes_only_with_call_chains)
{
	uint32_t kind = UINT32_MAX;

	NEED_RECORDS();
	begin_calls(0);
	EXPECT_EQ(-EINVAL, log_send(&own));
	EXPECT_STREQ("a call stack is part of the call chains: BPMU_A_CHAIN is missing",
		     own.genl.sentence);
	begin_calls(10);
	ASSERT_EQ(0, log_send(&own));
	own.genl.reply = take_kind;
	own.genl.data = &kind;
	EXPECT_EQ(0, genl_command(&own.genl, BPMU_CMD_GET_PLAN));
	EXPECT_EQ(BPMU_BRANCH_KIND_CALLS, kind);
	own.genl.data = &own;
}

static const char *refusal(void)
{
	if (!strncmp(own.part, "zen", 3))
		return "the module reads no branch records of AMD's parts (LbrExtV2)";
	if (!strcmp(own.part, "knc") || !strcmp(own.part, "arch"))
		return "this part has no branch records (LBR) that the module reads";
	return "this part has branch records (LBR), but the hypervisor shows none";
}

TEST_F(branches, a_part_without_records_is_refused)
{
	if (depth)
		SKIP(return, "this part has branch records");
	begin(USR, true);
	EXPECT_EQ(-EINVAL, log_send(&own));
	EXPECT_STREQ(refusal(), own.genl.sentence);
}

TEST_F(branches, goes_only_with_a_period)
{
	struct nlmsghdr *message = interrupts_begin(&own);

	interrupts_put_group(message, own.instructions, 0);
	mnl_attr_put_u32(message, BPMU_A_BRANCHES, BPMU_BRANCH_KIND_ANY);
	EXPECT_EQ(-EINVAL, log_send(&own));
	EXPECT_STREQ("only an event that interrupts has branch records: give one a period",
		     own.genl.sentence);
}

TEST_F(branches, the_plan_has_them)
{
	uint32_t kind = UINT32_MAX;

	NEED_RECORDS();
	begin(USR, true);
	ASSERT_EQ(0, log_send(&own));
	own.genl.reply = take_kind;
	own.genl.data = &kind;
	EXPECT_EQ(0, genl_command(&own.genl, BPMU_CMD_GET_PLAN));
	EXPECT_EQ(BPMU_BRANCH_KIND_ANY, kind);
	own.genl.data = &own;
}

TEST_F(branches, none_is_sent_unless_asked)
{
	begin(USR, false);
	if (log_send(&own) == -EINVAL)
		SKIP(return, "no counter interrupts here");
	begin(USR, false);
	ASSERT_EQ(0, interrupts_start(&own));
	run_first(ITERATIONS);
	ASSERT_EQ(0, interrupts_stop(&own));
	ASSERT_LE(10, interrupts.nr);
	EXPECT_EQ(sizeof(struct bpmu_overflow), interrupts.record[0].size);
}

TEST_HARNESS_MAIN
