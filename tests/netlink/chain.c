// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of call chains. When a counter interrupts a thread, the module stores the addresses of the
 * calling functions in a sample. In user space they must be the return addresses that this program
 * has found out itself. In the kernel the outermost function must be the one that /proc/kallsyms
 * has for the entry of system calls.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <linux/genetlink.h>
#include <kselftest_harness.h>

#include "interrupts.h"
#include "kptr.h"

#define PERIOD 20000
#define ITERATIONS 400000
#define CALLS 3000
#define MANY 300
#define USR (1ULL << 16)
#define OS (1ULL << 17)
#define KERNEL 0xffff800000000000ULL

/* Maximum length in bytes of the kernel functions that may be in the call chains. */
#define LONGEST 0x1000

#define NOINLINE __attribute__((noinline, noclone))

enum { INNER, MIDDLE, OUTER, CALLERS };

/*
 * Return addresses of the functions of this program that are active when interrupts come, [INNER,
 * MIDDLE, OUTER].
 */
static uint64_t returns[CALLERS];
/* Address after the SYSCALL instruction in inner(), to which the kernel returns. */
static uint64_t entry;
/*
 * A frame as functions put it on the stack: the address of the caller's frame, and that to which
 * the function returns.
 */
static uint64_t frame[] = { 0, 0x1234 };
static struct log own;

/*
 * What inner() does while interrupts come: it runs a loop, makes system calls, makes system calls of
 * several kinds and page faults, or runs the loop with an invalid frame pointer, or with one that
 * points to @frame.
 */
enum work { LOOP, CALL_KERNEL, CALL_MANY, LOSE_FRAME, LOSE_CALLER };

static inline __attribute__((always_inline)) void call_kernel(void)
{
	unsigned int i;
	long result;

	for (i = 0; i < CALLS; i++)
		asm volatile("leaq 1f(%%rip), %1\n\tsyscall\n1:"
			     : "=a"(result), "=&r"(entry) : "0"(SYS_getppid)
			     : "rcx", "r11", "memory");
}

static inline __attribute__((always_inline)) void call_many(void)
{
	const size_t bytes = 16 * 4096;
	char text[4096], *memory;
	unsigned int i, page;
	int fd, ends[2];

	for (i = 0; i < MANY; i++) {
		fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
		if (fd >= 0 && read(fd, text, sizeof(text)) >= 0)
			close(fd);
		if (!pipe(ends)) {
			if (write(ends[1], text, sizeof(text)) > 0 &&
			    read(ends[0], text, sizeof(text)) > 0)
				close(ends[0]);
			close(ends[1]);
		}
		memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			      -1, 0);
		if (memory == MAP_FAILED)
			continue;
		for (page = 0; page < bytes; page += 4096)
			((volatile char *)memory)[page] = 1;
		munmap(memory, bytes);
	}
}

/*
 * Runs the loop with a frame pointer that points to no memory, so that the chain cannot be
 * followed.
 */
static inline __attribute__((always_inline)) void lose_frame(void)
{
	unsigned long n = ITERATIONS;

	asm volatile("movq %%rbp, %%r15\n\tmovl $8, %%ebp\n"
		     "1:\tdec %0\n\tjnz 1b\n\tmovq %%r15, %%rbp"
		     : "+r"(n) : : "cc", "r15");
}

/* Runs the loop with a frame pointer that points to @frame. */
static inline __attribute__((always_inline)) void lose_caller(void)
{
	unsigned long n = ITERATIONS;

	asm volatile("movq %%rbp, %%r15\n\tmovq %1, %%rbp\n"
		     "1:\tdec %0\n\tjnz 1b\n\tmovq %%r15, %%rbp"
		     : "+r"(n) : "r"(frame) : "cc", "r15", "memory");
}

/*
 * Does @work while interrupts come. The code of @work is inlined, because a function that inner()
 * called would be in the call chain too.
 */
static NOINLINE void inner(enum work work)
{
	unsigned long n = ITERATIONS;

	returns[INNER] = (uintptr_t)__builtin_return_address(0);
	if (work == CALL_KERNEL)
		call_kernel();
	else if (work == CALL_MANY)
		call_many();
	else if (work == LOSE_FRAME)
		lose_frame();
	else if (work == LOSE_CALLER)
		lose_caller();
	else
		asm volatile("1: dec %0\n\tjnz 1b" : "+r"(n) : : "cc");
}

static NOINLINE void middle(enum work work)
{
	returns[MIDDLE] = (uintptr_t)__builtin_return_address(0);
	inner(work);
	asm volatile("");
}

static NOINLINE void outer(enum work work)
{
	returns[OUTER] = (uintptr_t)__builtin_return_address(0);
	middle(work);
	asm volatile("");
}

static int run(uint64_t level, uint32_t most, enum work work)
{
	struct nlmsghdr *message = interrupts_begin(&own);
	int err;

	interrupts_put_group(message, level | (own.instructions & ~USR), PERIOD);
	if (most)
		mnl_attr_put_u32(message, BPMU_A_CHAIN, most);
	err = interrupts_start(&own);
	outer(work);
	return err ? err : interrupts_stop(&own);
}

static unsigned int kept(void)
{
	return interrupts.nr < INTERRUPTS_CHAINS ? interrupts.nr : INTERRUPTS_CHAINS;
}

static bool is_ours(unsigned int record)
{
	return interrupts.record[record].who.pid == (uint32_t)getpid();
}

/*
 * Returns true if the addresses of a chain, from index @at on, are those of returns[]. The chain
 * may lack the last addresses of returns[], but must have the first one.
 */
static bool has_callers(const struct interrupts_chain *chain, unsigned int at)
{
	unsigned int i;

	for (i = 0; i < CALLERS && at + i < chain->nr; i++)
		if (chain->address[at + i] != returns[i])
			return false;
	return i;
}

/*
 * Returns the number of user-space chains of this program that have at least @nr addresses and
 * whose addresses from index @at on are the true callers.
 */
static unsigned int with_callers(unsigned int at, unsigned int nr)
{
	const struct interrupts_chain *chain;
	unsigned int i, found = 0;

	for (i = 0; i < kept(); i++) {
		chain = &interrupts.chain[i][BPMU_SECTION_USER];
		found += is_ours(i) && chain->present && chain->nr >= nr &&
			 has_callers(chain, at);
	}
	return found;
}

static uint64_t symbol(const char *name)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	uint64_t address, found = 0;
	char line[256], text[200];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "%lx %*c %199s", &address, text) == 2 && !strcmp(text, name))
			found = address;
	if (file)
		fclose(file);
	return found;
}

static unsigned long parameter(const char *name)
{
	unsigned long value = 0;
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/module/barepmu/parameters/%s", name);
	file = fopen(path, "re");
	if (file && fscanf(file, "%lu", &value) != 1)
		value = 0;
	if (file)
		fclose(file);
	return value;
}

/* Lets the module compare one of @nr chains of the kernel with those of the kernel's functions. */
static bool compare_one_of(unsigned int nr)
{
	FILE *file = fopen("/sys/module/barepmu/parameters/unwind_compare", "we");
	bool written = file && fprintf(file, "%u", nr) > 0;

	return file && !fclose(file) && written;
}

FIXTURE(chain) {
	int unused;
};

FIXTURE_SETUP(chain)
{
	GENL_LOAD(return);
	ASSERT_EQ(0, log_pin(0));
	ASSERT_EQ(0, log_open(&own));
}

FIXTURE_TEARDOWN(chain)
{
	genl_close(&own.genl);
	kptr_restrict('0');
}

/*
 * Most chains must have all callers, but not all chains: some interrupts come before the loop or
 * after it.
 */
TEST_F(chain, user_space_has_its_callers)
{
	ASSERT_EQ(0, run(USR, BPMU_MAX_CHAIN, LOOP));
	ASSERT_LE(30, interrupts.nr);
	EXPECT_EQ(0, interrupts.malformed);
	EXPECT_LT(interrupts.nr * 8 / 10, with_callers(0, CALLERS));
	EXPECT_FALSE(interrupts.chain[interrupts.nr / 2][BPMU_SECTION_KERNEL].present);
	EXPECT_EQ(0, interrupts.chain[interrupts.nr / 2][BPMU_SECTION_USER].flags &
		     BPMU_SECTION_CUT);
}

TEST_F(chain, has_as_many_addresses_as_asked)
{
	unsigned int i;

	ASSERT_EQ(0, run(USR, 2, LOOP));
	EXPECT_LT(interrupts.nr * 8 / 10, with_callers(0, 2));
	for (i = 0; i < kept(); i++)
		ASSERT_GE(2, interrupts.chain[i][BPMU_SECTION_USER].nr);
	EXPECT_EQ(BPMU_SECTION_CUT, interrupts.chain[interrupts.nr / 2][BPMU_SECTION_USER].flags);
}

TEST_F(chain, a_lost_frame_ends_it)
{
	const struct interrupts_chain *chain;

	ASSERT_EQ(0, run(USR, BPMU_MAX_CHAIN, LOSE_FRAME));
	chain = &interrupts.chain[interrupts.nr / 2][BPMU_SECTION_USER];
	EXPECT_TRUE(chain->present);
	EXPECT_EQ(BPMU_SECTION_BROKEN, chain->flags);
	EXPECT_EQ(0, chain->nr);
}

/*
 * The frame of the function that was interrupted can be read, but not that of its caller, whose
 * address is that of no memory, or of the kernel's. What the kernel has there must not be told.
 */
TEST_F(chain, a_lost_caller_ends_it)
{
	const uint64_t lost[] = { 8, symbol("entry_SYSCALL_64_after_hwframe"), 1ULL << 63 };
	const struct interrupts_chain *chain;
	unsigned int i;

	for (i = 0; i < sizeof(lost) / sizeof(*lost); i++) {
		frame[0] = lost[i];
		ASSERT_EQ(0, run(USR, BPMU_MAX_CHAIN, LOSE_CALLER));
		chain = &interrupts.chain[interrupts.nr / 2][BPMU_SECTION_USER];
		EXPECT_EQ(BPMU_SECTION_BROKEN, chain->flags);
		ASSERT_EQ(1, chain->nr);
		EXPECT_EQ(0x1234, chain->address[0]);
	}
}

/*
 * The outermost function of the kernel's call chain must be the entry of system calls. The sample
 * must also have the chain of user space: the address after the SYSCALL instruction, then the
 * callers.
 */
TEST_F(chain, the_kernel_has_its_callers_and_who_called_it)
{
	const uint64_t begin = symbol("entry_SYSCALL_64_after_hwframe");
	const struct interrupts_chain *chain;
	unsigned int i, found = 0;

	ASSERT_NE(0, begin);
	ASSERT_EQ(0, run(OS, BPMU_MAX_CHAIN, CALL_KERNEL));
	EXPECT_EQ(0, interrupts.malformed);
	for (i = 0; i < kept(); i++) {
		chain = &interrupts.chain[i][BPMU_SECTION_KERNEL];
		if (!is_ours(i) || !chain->nr ||
		    interrupts.chain[i][BPMU_SECTION_USER].address[0] != entry)
			continue;
		EXPECT_TRUE(has_callers(&interrupts.chain[i][BPMU_SECTION_USER], 1));
		EXPECT_LE(KERNEL, chain->address[0]);
		found += begin <= chain->address[chain->nr - 1] &&
			 chain->address[chain->nr - 1] < begin + LONGEST;
	}
	EXPECT_LE(5, found);
}

/*
 * Most chains of the kernel are unwound by steps that the module has learned. Each of them is
 * compared here, and must be the one that the kernel's functions find.
 */
TEST_F(chain, learned_steps_find_what_the_kernel_finds)
{
	const unsigned long compared = parameter("unwind_compared");

	if (!parameter("unwind_compare"))
		SKIP(return, "the kernel does not unwind by ORC");
	ASSERT_TRUE(compare_one_of(1));
	ASSERT_EQ(0, run(OS, BPMU_MAX_CHAIN, CALL_MANY));
	EXPECT_EQ(1, parameter("unwind_compare"));
	EXPECT_LE(200, interrupts.nr);
	EXPECT_LT(interrupts.nr / 2, parameter("unwind_compared") - compared);
	EXPECT_TRUE(compare_one_of(256));
}

/*
 * The limit of 2 addresses holds for the chains of the kernel and of user space together. Each
 * interrupt comes in the kernel, and the kernel's chain alone has 2 addresses or more.
 */
TEST_F(chain, the_limit_is_of_both_together)
{
	unsigned int i;

	ASSERT_EQ(0, run(OS, 2, CALL_KERNEL));
	for (i = 0; i < kept(); i++)
		ASSERT_GE(2, interrupts.chain[i][BPMU_SECTION_KERNEL].nr +
			     interrupts.chain[i][BPMU_SECTION_USER].nr);
}

TEST_F(chain, kernel_addresses_are_hidden)
{
	unsigned int i, k, hidden = 0, shown = 0;

	ASSERT_EQ(0, kptr_restrict('2'));
	ASSERT_EQ(0, run(OS, BPMU_MAX_CHAIN, CALL_KERNEL));
	for (i = 0; i < kept(); i++) {
		for (k = 0; k < interrupts.chain[i][BPMU_SECTION_KERNEL].nr; k++, hidden++)
			ASSERT_EQ(0, interrupts.chain[i][BPMU_SECTION_KERNEL].address[k]);
		shown += interrupts.chain[i][BPMU_SECTION_USER].address[0] == entry;
	}
	EXPECT_LT(0, hidden);
	EXPECT_LT(0, shown);
}

TEST_F(chain, none_is_sent_unless_asked)
{
	ASSERT_EQ(0, run(USR, 0, LOOP));
	ASSERT_LE(30, interrupts.nr);
	EXPECT_EQ(sizeof(struct bpmu_overflow), interrupts.record[0].size);
}

/* Records of different lengths fill the module's small ring buffer several times over. */
TEST_F(chain, small_buffers_lose_whole_records)
{
	struct nlmsghdr *message = interrupts_begin(&own);
	unsigned int i;

	interrupts_put_group(message, USR | OS | own.instructions, PERIOD);
	mnl_attr_put_u32(message, BPMU_A_CHAIN, 20);
	mnl_attr_put_u32(message, BPMU_A_BUFFER_SAMPLES, 32);
	ASSERT_EQ(0, interrupts_start(&own));
	for (i = 0; i < 40; i++) {
		outer(i % 2 ? LOOP : CALL_KERNEL);
		ASSERT_EQ(0, interrupts_read(&own));
	}
	ASSERT_EQ(0, interrupts_stop(&own));
	EXPECT_EQ(0, interrupts.malformed);
	EXPECT_LT(200, interrupts.nr);
	EXPECT_EQ(interrupts.record[interrupts.nr - 1].seq + 1 - interrupts.nr, interrupts.lost);
	EXPECT_LT(100, with_callers(0, CALLERS) + with_callers(1, CALLERS));
	for (i = 1; i < interrupts.nr; i++)
		ASSERT_LT(interrupts.record[i - 1].tsc, interrupts.record[i].tsc);
}

TEST_F(chain, goes_only_with_a_period)
{
	struct nlmsghdr *message = interrupts_begin(&own);

	interrupts_put_group(message, own.instructions, 0);
	mnl_attr_put_u32(message, BPMU_A_CHAIN, 1);
	EXPECT_EQ(-EINVAL, log_send(&own));
	EXPECT_STREQ("only an event that interrupts has call chains: give one a period",
		     own.genl.sentence);
	message = interrupts_begin(&own);
	interrupts_put_group(message, own.instructions, PERIOD);
	mnl_attr_put_u32(message, BPMU_A_CHAIN, BPMU_MAX_CHAIN + 1);
	EXPECT_EQ(-ERANGE, log_send(&own));
}

static void take_chain(void *chain, const struct nlmsghdr *answer)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, answer, GENL_HDRLEN)
		if (mnl_attr_get_type(attr) == BPMU_A_CHAIN)
			*(uint32_t *)chain = mnl_attr_get_u32(attr);
}

TEST_F(chain, the_plan_has_its_limit)
{
	struct nlmsghdr *message = interrupts_begin(&own);
	uint32_t chain = 0;

	interrupts_put_group(message, own.instructions, PERIOD);
	mnl_attr_put_u32(message, BPMU_A_CHAIN, 77);
	ASSERT_EQ(0, log_send(&own));
	own.genl.reply = take_chain;
	own.genl.data = &chain;
	EXPECT_EQ(0, genl_command(&own.genl, BPMU_CMD_GET_PLAN));
	EXPECT_EQ(77, chain);
	own.genl.data = &own;
}

TEST_HARNESS_MAIN
