// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of events that interrupt when their counters overflow. The records of the interrupts must
 * agree with the counts of the same counters, and say which task was interrupted. Losses and
 * refusals must be reported. After the session, registers must have their old values. Records of
 * precise events must have the address of the instruction that caused the event.
 *
 * The test reads and writes the register LVTPC of the local APIC, and sends NMIs in the role of
 * another agent. The test reaches the APIC through /dev/mem, for which the guest's kernel needs the
 * parameter iomem=relaxed.
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
#include "kcore.h"
#include "kptr.h"
#include "msr.h"

#define PERIOD 20000
/* A period is a random number that differs from BPMU_A_EVENT_PERIOD by 1/16 of it at most. */
#define SPREAD 16
/*
 * On Broadwell, the module starts counters at a multiple of this number (errata BDM11 and BDM55).
 */
#define STEP 64
#define ITERATIONS 2000000
#define USR (1ULL << 16)
#define OS (1ULL << 17)
#define INT (1ULL << 20)
#define FREEZE (1ULL << 12)
#define KERNEL 0xffff800000000000ULL
/* Addresses of MSRs (SDM Vol. 4, table 2-2). */
#define DEBUGCTL 0x1d9
#define FIXED_CTRL 0x38d
#define TRACE_CTL 0x570
#define COUNTER0 0xc1
/* Physical address of the local APIC, and indices of its registers (SDM Vol. 3, table 11-1). */
#define APIC 0xfee00000
#define ICR_LOW (0x300 / 4)
#define ICR_HIGH (0x310 / 4)
#define LVTPC (0x340 / 4)
/*
 * Addresses of MSRs, from Linux, msr-index.h: MSR_IA32_PEBS_BASE, MSR_IA32_PEBS_INDEX,
 * MSR_IA32_PMC_V6_GP0_CFG_C, MSR_IA32_PMC_V6_FX0_CFG_C.
 */
#define PEBS_BASE 0x3f4
#define PEBS_INDEX 0x3f5
#define CONFIG0 0x1903
#define FIXED_CONFIG0 0x1983
/*
 * MSRs: IA32_DS_AREA, IA32_PEBS_ENABLE, IA32_DEBUGCTL and its bit that turns on records of branches
 * (BTS)
 */
#define DS_AREA 0x600
#define PEBS_ENABLE 0x3f1
#define DEBUGCTL 0x1d9
#define BTS (1ULL << 7)
/* Event selects of retired branches and of cycles in user space (SDM Vol. 3, table 19-1). */
#define BRANCHES (USR | 0xc4)
#define CYCLES (USR | 0x3c)
#define NMI 0x400
#define MASKED 0x10000

/**
 * struct registers - registers of the PMU of some CPU models
 * @parts: short names of the CPU models, each followed by a blank
 * @counters: minimum number of general-purpose counters of these models
 * @width: width of a counter in bits
 * @fixed: true if the models have fixed counters
 * @masks: true if the local APIC sets the mask bit of LVTPC when it delivers the NMI of a counter
 * @select: address of the first event select
 * @global: address of the global control register; 0 if the models have none
 * @status: address of the register of overflow bits; 0 if the models have none
 *
 * Source: SDM Vol. 4, table 2-2; Linux, msr-index.h, MSR_AMD64_PERF_CNTR_* and MSR_KNC_*.
 */
struct registers {
	const char *parts;
	unsigned int counters;
	unsigned int width;
	bool fixed;
	bool masks;
	uint32_t select;
	uint32_t global;
	uint32_t status;
};

static const struct registers registers[] = {
	{ "snb ivb bdw skl skx icx spr adl arch dmr ", 4, 48, true, true, 0x186, 0x38f, 0x38e },
	{ "zen2 ", 6, 48, false, false, 0xc0010200, 0, 0 },
	{ "zen4 ", 6, 48, false, false, 0xc0010200, 0xc0000301, 0xc0000300 },
	{ "knc ", 2, 40, false, false, 0x28, 0x2f, 0x2d },
};

/*
 * Symbols that the linker defines: the first byte of this program, and the first byte after its
 * code.
 */
extern const char __executable_start, etext;

static struct log own;
static const struct registers *have;
static volatile uint32_t *apic = MAP_FAILED;

/*
 * Finds the registers of this CPU model in registers[], and stores their address in @have. Returns
 * nonzero if registers[] does not have this CPU model.
 */
static int find_registers(void)
{
	char name[sizeof(own.part) + 1];
	unsigned int i;

	snprintf(name, sizeof(name), "%s ", own.part);
	for (i = 0; i < sizeof(registers) / sizeof(*registers); i++)
		if (strstr(registers[i].parts, name))
			have = &registers[i];
	return !have;
}

static bool is_broadwell(void)
{
	return !strcmp(own.part, "bdw");
}

/*
 * Returns the shortest period that the record of an interrupt may have, if BPMU_A_EVENT_PERIOD is
 * @period. The period is shorter than @period because the module varies it at random, and on
 * Broadwell because the counter starts at a multiple of STEP.
 */
static uint64_t shortest_of(uint64_t period)
{
	return period - period / SPREAD - (is_broadwell() ? STEP - 1 : 0);
}

/* Plays another agent: sends an NMI to this CPU, whose APIC ID is 0. */
static inline __attribute__((always_inline)) void send_nmi(void)
{
	apic[ICR_HIGH] = 0;
	apic[ICR_LOW] = NMI;
}

/*
 * Begins a configuration request: counter 0 counts instructions in user space, and interrupts each
 * time it has counted @period instructions.
 */
static struct nlmsghdr *begin_usual(uint32_t period)
{
	struct nlmsghdr *message = interrupts_begin(&own);

	interrupts_put_group(message, own.instructions, period);
	return message;
}

static int start(void)
{
	return interrupts_start(&own);
}

static int stop_and_read(void)
{
	return interrupts_stop(&own);
}

/*
 * Starts the configured session, executes a loop, stops the session and reads its samples. Returns
 * 0. Returns nonzero if a command fails, or if there are samples besides those of the start and the
 * stop.
 */
static int run(void)
{
	int err = start();

	log_loop(ITERATIONS);
	if (!err)
		err = stop_and_read();
	return err ? err : own.nr != 2;
}

static uint64_t counted(unsigned int event)
{
	return (own.sample[1].value[event] - own.sample[0].value[event]) &
	       ((1ULL << have->width) - 1);
}

/*
 * Returns the sum of the periods in all records of an event, and stores the longest of these
 * periods in *@longest.
 */
static uint64_t sum_of(unsigned int event, uint64_t *longest)
{
	uint64_t sum = 0;
	unsigned int i;

	*longest = 0;
	for (i = 0; i < interrupts.nr; i++)
		if (interrupts.record[i].event == event) {
			sum += interrupts.record[i].period;
			if (interrupts.record[i].period > *longest)
				*longest = interrupts.record[i].period;
		}
	return sum;
}

/*
 * Returns the number of NMIs that no handler has claimed, or UINT32_MAX on an error. The kernel
 * prints "Dazed and confused" for each such NMI.
 */
static unsigned int unclaimed(void)
{
	FILE *lines = popen("dmesg | grep -c 'Dazed and confused'", "r");
	unsigned int nr = UINT32_MAX;

	if (!lines)
		return nr;
	if (fscanf(lines, "%u", &nr) != 1)
		nr = UINT32_MAX;
	pclose(lines);
	return nr;
}

static int map_apic(void)
{
	int fd = open("/dev/mem", O_RDWR | O_SYNC);

	if (fd < 0)
		return -1;
	apic = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, APIC);
	close(fd);
	return apic == MAP_FAILED ? -1 : 0;
}

FIXTURE(overflow) {
	unsigned int unclaimed;
};

FIXTURE_SETUP(overflow)
{
	GENL_LOAD(return);
	MSR_OPEN(return);
	ASSERT_EQ(0, log_pin(0));
	ASSERT_EQ(0, log_open(&own));
	ASSERT_EQ(0, find_registers());
	if (map_apic())
		SKIP(return, "the local APIC cannot be reached; boot with iomem=relaxed");
	self->unclaimed = unclaimed();
}

FIXTURE_TEARDOWN(overflow)
{
	genl_close(&own.genl);
	kptr_restrict('0');
	if (apic != MAP_FAILED)
		munmap((void *)apic, 4096);
	msr_close();
}

/*
 * Each record has its period: the number of events since the interrupt before it. So the sum of the
 * periods is the count of all events up to the last interrupt. After the last interrupt, at most
 * twice as many events happen as in the longest period.
 */
TEST_F(overflow, periods_add_up_to_the_count)
{
	const uint64_t allowed = shortest_of(PERIOD);
	uint64_t longest, sum, shortest = UINT64_MAX;
	unsigned int i;

	begin_usual(PERIOD);
	ASSERT_EQ(0, run());
	sum = sum_of(0, &longest);
	ASSERT_LE(100, interrupts.nr);
	EXPECT_EQ(0, interrupts.lost);
	EXPECT_EQ(0, interrupts.malformed);
	EXPECT_LE(ITERATIONS * LOG_PER_ITERATION, counted(0));
	EXPECT_LE(sum, counted(0));
	EXPECT_GE(2 * longest, counted(0) - sum);
	for (i = 0; i < interrupts.nr; i++) {
		EXPECT_EQ(i, interrupts.record[i].seq);
		EXPECT_EQ(0, interrupts.record[i].cpu);
		EXPECT_EQ(0, interrupts.record[i].event);
		EXPECT_EQ(sizeof(struct bpmu_overflow), interrupts.record[i].size);
		EXPECT_LE(allowed, interrupts.record[i].period);
		EXPECT_LT(own.sample[0].head.tsc_end, interrupts.record[i].tsc);
		EXPECT_GT(own.sample[1].head.tsc_end, interrupts.record[i].tsc);
		if (i)
			EXPECT_LT(interrupts.record[i - 1].tsc, interrupts.record[i].tsc);
		if (interrupts.record[i].period < shortest)
			shortest = interrupts.record[i].period;
	}
	EXPECT_LT(shortest + PERIOD / SPREAD, longest);
	EXPECT_EQ(self->unclaimed, unclaimed());
}

/* If two counters overflow before the NMI comes, each of the two events must get a record. */
TEST_F(overflow, events_interrupt_beside_each_other_and_beside_others)
{
	struct nlmsghdr *message = interrupts_begin(&own);
	uint64_t longest, sum;
	struct nlattr *group;
	unsigned int i;

	group = mnl_attr_nest_start(message, BPMU_A_GROUP);
	interrupts_put_event(message, 1, own.instructions, PERIOD, false);
	interrupts_put_event(message, 0, own.instructions, PERIOD + 1, false);
	if (have->fixed)
		interrupts_put_event(message, BPMU_COUNTER_FIXED, USR, 0, false);
	mnl_attr_nest_end(message, group);
	ASSERT_EQ(0, run());
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(counted(0), counted(i));
		sum = sum_of(i, &longest);
		EXPECT_LT(counted(i) / 2, sum);
		EXPECT_LE(sum, counted(i));
		EXPECT_GE(2 * longest, counted(i) - sum);
	}
	if (have->fixed) {
		EXPECT_EQ(counted(0), counted(2));
		EXPECT_EQ(0, sum_of(2, &longest));
	}
	EXPECT_EQ(self->unclaimed, unclaimed());
}

TEST_F(overflow, a_fixed_counter_interrupts)
{
	struct nlmsghdr *message = interrupts_begin(&own);
	uint64_t longest, sum;
	struct nlattr *group;

	if (!have->fixed)
		SKIP(return, "this part has no fixed counters");
	group = mnl_attr_nest_start(message, BPMU_A_GROUP);
	interrupts_put_event(message, BPMU_COUNTER_FIXED, USR, PERIOD, false);
	mnl_attr_nest_end(message, group);
	ASSERT_EQ(0, run());
	sum = sum_of(0, &longest);
	EXPECT_LT(counted(0) / 2, sum);
	EXPECT_GE(2 * longest, counted(0) - sum);
}

/*
 * If another agent has set bit 12 of IA32_DEBUGCTL, Intel's counters freeze when one of them
 * overflows. They count again when the overflow is acknowledged.
 */
TEST_F(overflow, counters_that_another_agent_freezes_go_on)
{
	uint64_t longest, sum, before = msr_read(DEBUGCTL);

	if (!have->masks)
		SKIP(return, "only Intel's counters can be frozen");
	ASSERT_EQ(0, msr_write(DEBUGCTL, before | FREEZE));
	begin_usual(PERIOD);
	EXPECT_EQ(0, run());
	ASSERT_EQ(0, msr_write(DEBUGCTL, before));
	sum = sum_of(0, &longest);
	EXPECT_LE(100, interrupts.nr);
	EXPECT_LE(ITERATIONS * LOG_PER_ITERATION, counted(0));
	EXPECT_GE(2 * longest, counted(0) - sum);
}

/*
 * Without random numbers each record has the same period. The virtual CPU interrupts directly after
 * the instruction that overflows the counter, so that no event is counted after the overflow.
 */
TEST_F(overflow, periods_are_constant_if_asked_for)
{
	const uint64_t period = is_broadwell() ? PERIOD / STEP * STEP : PERIOD;
	unsigned int i;

	mnl_attr_put_u32(begin_usual(PERIOD), BPMU_A_CHECK, BPMU_CHECK_PERIOD);
	ASSERT_EQ(0, run());
	ASSERT_LE(100, interrupts.nr);
	/* After 64 interrupts, periods may become longer, because interrupts take too much time. */
	for (i = 0; i < 50; i++)
		EXPECT_EQ(period, interrupts.record[i].period);
}

/*
 * Counts the kernel's instructions on counter 1, while an event of user space interrupts. Returns
 * the kernel's instructions per interrupt in that one of several runs that has the fewest, since
 * there the kernel did little besides; UINT64_MAX on an error.
 */
static uint64_t kernel_per_interrupt(uint32_t check)
{
	uint64_t least = UINT64_MAX, now;
	struct nlmsghdr *message;
	struct nlattr *group;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		message = interrupts_begin(&own);
		group = mnl_attr_nest_start(message, BPMU_A_GROUP);
		interrupts_put_event(message, 0, own.instructions, PERIOD, false);
		interrupts_put_event(message, 1, (own.instructions & ~USR) | OS, 0, false);
		mnl_attr_nest_end(message, group);
		mnl_attr_put_u32(message, BPMU_A_CHECK, check | BPMU_CHECK_PERIOD);
		if (start())
			return UINT64_MAX;
		if (check & BPMU_CHECK_FREEZE && !(msr_read(DEBUGCTL) & FREEZE))
			return UINT64_MAX;
		log_loop(60 * PERIOD / LOG_PER_ITERATION);
		if (stop_and_read() || interrupts.nr < 50)
			return UINT64_MAX;
		now = counted(1) / interrupts.nr;
		if (now < least)
			least = now;
	}
	return least;
}

/* Counters that the CPU stops at an interrupt do not count how its handler is entered. */
TEST_F(overflow, counters_freeze_if_asked_for)
{
	uint64_t before = msr_read(DEBUGCTL), running, frozen;

	mnl_attr_put_u32(begin_usual(PERIOD), BPMU_A_CHECK, BPMU_CHECK_FREEZE);
	if (!have->masks) {
		EXPECT_EQ(-EINVAL, log_send(&own));
		EXPECT_STREQ("this part cannot stop its counters when it raises an interrupt",
			     own.genl.sentence);
		return;
	}
	ASSERT_EQ(0, log_send(&own));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	running = kernel_per_interrupt(0);
	frozen = kernel_per_interrupt(BPMU_CHECK_FREEZE);
	ASSERT_NE(UINT64_MAX, running);
	ASSERT_NE(UINT64_MAX, frozen);
	EXPECT_LT(frozen + 32, running);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	EXPECT_EQ(before & FREEZE, msr_read(DEBUGCTL) & FREEZE);
	EXPECT_EQ(self->unclaimed, unclaimed());
}

/* KVM may write an old value of IA32_DEBUGCTL back. The next interrupt sets the bit again. */
TEST_F(overflow, a_lost_freeze_bit_is_set_again)
{
	if (!have->masks)
		SKIP(return, "only Intel's counters can be frozen");
	mnl_attr_put_u32(begin_usual(PERIOD), BPMU_A_CHECK, BPMU_CHECK_FREEZE);
	ASSERT_EQ(0, start());
	ASSERT_EQ(0, msr_write(DEBUGCTL, msr_read(DEBUGCTL) & ~FREEZE));
	log_loop(60 * PERIOD / LOG_PER_ITERATION);
	EXPECT_EQ(FREEZE, msr_read(DEBUGCTL) & FREEZE);
	ASSERT_EQ(0, stop_and_read());
	EXPECT_LE(50, interrupts.nr);
}

/*
 * Because of errata BDM11 and BDM55, counters of Broadwell must start at a multiple of 64. Here a
 * counter counts an event code that does not exist. So it counts nothing, and the test can read the
 * value at which the counter started.
 */
TEST_F(overflow, counters_of_broadwell_start_at_multiples_of_64)
{
	unsigned int i, odd = 0;

	if (!have->masks)
		SKIP(return, "this part has other counters");
	for (i = 0; i < 16; i++) {
		interrupts_put_group(interrupts_begin(&own), USR | 0xff, PERIOD);
		ASSERT_EQ(0, start());
		odd |= msr_read(COUNTER0) % STEP;
		ASSERT_EQ(0, stop_and_read());
	}
	EXPECT_EQ(is_broadwell(), !odd);
}

/*
 * Addresses in the loop of turn(): its first byte, its branch, and the first byte after the loop.
 */
extern const char turn_begin, turn_branch, turn_end;

/* Executes a loop of four instructions, the last of which is a branch. */
static __attribute__((noinline, noclone)) void turn(unsigned long nr)
{
	asm volatile("turn_begin: nop; nop; dec %0; turn_branch: jnz turn_begin; turn_end:"
		     : "+r" (nr) : : "cc");
}

static bool has_arch_pebs(void)
{
	return !strcmp(own.part, "dmr");
}

/* Returns the format of the CPU model's precise records in a debug store; 0 if it has none there. */
static unsigned int store_format(void)
{
	static const struct {
		const char *part;
		unsigned int format;
	} formats[] = {
		{ "ivb", 1 }, { "bdw", 2 }, { "skl", 3 }, { "skx", 3 }, { "icx", 4 }, { "spr", 5 }
	};
	unsigned int i;

	for (i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (!strcmp(own.part, formats[i].part))
			return formats[i].format;
	return 0;
}

static bool has_store(void)
{
	return store_format();
}

/* Returns true if precise records have one of the formats before the adaptive ones. */
static bool has_legacy(void)
{
	return store_format() >= 1 && store_format() <= 3;
}

static bool has_pebs(void)
{
	return has_arch_pebs() || has_store();
}

/*
 * Starts the configured session, executes turn(), stops the session and reads its samples. Returns
 * 0 or an error.
 */
static int run_turns(void)
{
	int err = start();

	turn(ITERATIONS);
	return err ? err : stop_and_read();
}

static uint64_t address(const char *of)
{
	return (uint64_t)(uintptr_t)of;
}

/*
 * Returns how many records of an event have an address in the loop of turn(). Stores in *@at how
 * many of these records have the address of @label.
 */
static unsigned int in_loop_at(unsigned int event, const char *label, unsigned int *at)
{
	unsigned int i, nr = 0;

	*at = 0;
	for (i = 0; i < interrupts.nr; i++) {
		const struct bpmu_overflow *record = &interrupts.record[i];

		if (record->event != event || record->who.flags ||
		    record->who.ip < address(&turn_begin) ||
		    record->who.ip >= address(&turn_end))
			continue;
		nr++;
		*at += record->who.ip == address(label);
	}
	return nr;
}

/* The same with the address of the loop's branch. */
static unsigned int in_loop(unsigned int event, unsigned int *at_branch)
{
	return in_loop_at(event, &turn_branch, at_branch);
}

/*
 * The three events count in the loop of turn(): branches with precise records (PEBS), branches
 * without, and instructions with precise records. A precise record of a branch must have the
 * address of the loop's branch or, in format 1, of the instruction after it, to which it jumps. A
 * record of a branch that is not precise must have another address than the branch's.
 */
TEST_F(overflow, precise_records_are_of_instructions_with_the_event)
{
	unsigned int nr, at_branch;
	struct nlmsghdr *message;
	uint64_t longest, sum;
	struct nlattr *group;
	unsigned int i;

	if (!has_pebs())
		SKIP(return, "this part has no precise records");
	message = interrupts_begin(&own);
	group = mnl_attr_nest_start(message, BPMU_A_GROUP);
	interrupts_put_event(message, 1, BRANCHES, PERIOD, true);
	interrupts_put_event(message, 2, BRANCHES, PERIOD, false);
	if (has_legacy())
		interrupts_put_event(message, 3, own.instructions, 4 * PERIOD, true);
	else
		interrupts_put_event(message, BPMU_COUNTER_FIXED, USR, 4 * PERIOD, true);
	mnl_attr_nest_end(message, group);
	ASSERT_EQ(0, run_turns());
	nr = in_loop_at(0, store_format() == 1 ? &turn_begin : &turn_branch, &at_branch);
	EXPECT_LE(90, nr);
	EXPECT_EQ(nr, at_branch);
	EXPECT_LE(90, in_loop(1, &at_branch));
	EXPECT_EQ(0, at_branch);
	/*
	 * The third event counts instructions, and the branch is one of four instructions of the
	 * loop. So at least a tenth of the event's records must have the address of the branch.
	 */
	nr = in_loop(2, &at_branch);
	EXPECT_LE(90, nr);
	EXPECT_LE(nr / 10, at_branch);
	EXPECT_GE(nr / 2, at_branch);
	for (i = 0; i < 3; i++) {
		sum = sum_of(i, &longest);
		EXPECT_LE(sum, counted(i));
		EXPECT_GE(2 * longest, counted(i) - sum);
	}
	for (i = 0; i < interrupts.nr; i++) {
		EXPECT_LT(own.sample[0].head.tsc_end, interrupts.record[i].tsc);
		EXPECT_GT(own.sample[1].head.tsc_end, interrupts.record[i].tsc);
	}
	EXPECT_EQ(0, interrupts.lost);
	EXPECT_EQ(self->unclaimed, unclaimed());
}

/*
 * Two counters overflow at the same branch each time. Up to format 2 the first of their two records
 * has the bits of both: it is lost, and only the second one is known to be of its event. Both events
 * are counted all the same.
 */
TEST_F(overflow, records_of_counters_that_overflow_together)
{
	struct nlmsghdr *message;
	unsigned int nr, at;
	struct nlattr *group;
	unsigned int i;

	if (!has_store())
		SKIP(return, "this part has no debug store");
	message = interrupts_begin(&own);
	group = mnl_attr_nest_start(message, BPMU_A_GROUP);
	interrupts_put_event(message, 0, BRANCHES, PERIOD, true);
	interrupts_put_event(message, 1, BRANCHES, PERIOD, true);
	mnl_attr_nest_end(message, group);
	mnl_attr_put_u32(message, BPMU_A_CHECK, BPMU_CHECK_PERIOD);
	ASSERT_EQ(0, run_turns());
	nr = in_loop(1, &at);
	EXPECT_LE(90, nr);
	if (store_format() <= 2) {
		EXPECT_EQ(0, in_loop(0, &at));
		EXPECT_LE(nr, interrupts.lost);
	} else {
		EXPECT_EQ(nr, in_loop(0, &at));
		EXPECT_EQ(0, interrupts.lost);
	}
	for (i = 0; i < 2; i++) {
		EXPECT_LE(ITERATIONS, counted(i));
		EXPECT_GT(ITERATIONS + ITERATIONS / 100, counted(i));
	}
	EXPECT_FALSE(own.sample[own.nr - 1].head.flags & BPMU_SAMPLE_DISTURBED);
}

/*
 * Another agent may have left values in the registers of PEBS. The session must restore them. The
 * values that this test writes do not turn PEBS on.
 */
TEST_F(overflow, registers_of_precise_records_are_restored)
{
	static const uint32_t registers[] = {
		PEBS_BASE, PEBS_INDEX, CONFIG0, CONFIG0 + 4, FIXED_CONFIG0
	};
	static const uint64_t values[] = {
		0x7000, 0x2000000040, 0x2000000000000010, 0x4000000000000020, 0x30
	};
	struct nlattr *group;
	unsigned int i;

	if (!has_arch_pebs())
		SKIP(return, "this part has no architectural PEBS");
	for (i = 0; i < 5; i++)
		ASSERT_EQ(0, msr_write(registers[i], values[i]));
	group = mnl_attr_nest_start(interrupts_begin(&own), BPMU_A_GROUP);
	interrupts_put_event(own.genl.message, 0, BRANCHES, PERIOD, true);
	mnl_attr_nest_end(own.genl.message, group);
	ASSERT_EQ(0, start());
	/* Only counter 0 counts a precise event. The module turns PEBS off for other counters. */
	EXPECT_EQ(1ULL << 63, msr_read(CONFIG0));
	EXPECT_EQ(0, msr_read(CONFIG0 + 4));
	EXPECT_EQ(0, msr_read(FIXED_CONFIG0));
	ASSERT_EQ(0, stop_and_read());
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	for (i = 0; i < 5; i++) {
		EXPECT_EQ(values[i], msr_read(registers[i]));
		ASSERT_EQ(0, msr_write(registers[i], 0));
	}
}

/* Adds an event of branches with precise records, and @batch records an interrupt. */
static void begin_precise(uint32_t batch)
{
	struct nlmsghdr *message = interrupts_begin(&own);
	struct nlattr *group = mnl_attr_nest_start(message, BPMU_A_GROUP);

	interrupts_put_event(message, 1, BRANCHES, PERIOD, true);
	mnl_attr_nest_end(message, group);
	mnl_attr_put_u32(message, BPMU_A_BATCH, batch);
}

/*
 * The area of another agent, whose records are off, is left alone; so is the kernel's page for one,
 * which takes the records if page tables are isolated.
 */
TEST_F(overflow, the_debug_store_is_restored)
{
	const uint64_t area = 0xffff800000001000;
	uint8_t before[4096], after[4096];

	if (!has_store())
		SKIP(return, "this part has no debug store");
	ASSERT_EQ(0, kcore_per_cpu("cpu_debug_store", before, sizeof(before)));
	ASSERT_EQ(0, msr_write(DS_AREA, area));
	begin_precise(1);
	ASSERT_EQ(0, start());
	EXPECT_EQ(1 << 1, msr_read(PEBS_ENABLE));
	EXPECT_NE(area, msr_read(DS_AREA));
	EXPECT_EQ(0, interrupts_info(&own, BPMU_A_INFO_OBSTACLES));
	ASSERT_EQ(0, stop_and_read());
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	EXPECT_EQ(0, msr_read(PEBS_ENABLE));
	EXPECT_EQ(area, msr_read(DS_AREA));
	ASSERT_EQ(0, kcore_per_cpu("cpu_debug_store", after, sizeof(after)));
	EXPECT_EQ(0, memcmp(before, after, sizeof(before)));
	ASSERT_EQ(0, msr_write(DS_AREA, 0));
}

/* A session with precise records is refused while another agent writes into a debug store. */
TEST_F(overflow, the_debug_store_of_another_agent_is_refused)
{
	static const uint32_t registers[] = { PEBS_ENABLE, DEBUGCTL };
	static const uint64_t values[] = { 1, BTS };
	unsigned int i;

	if (!has_store())
		SKIP(return, "this part has no debug store");
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, msr_write(registers[i], values[i]));
		EXPECT_EQ(BPMU_OBSTACLE_STORE, interrupts_info(&own, BPMU_A_INFO_OBSTACLES));
		begin_precise(1);
		EXPECT_EQ(-EBUSY, log_send(&own));
		EXPECT_STREQ("another agent lets a CPU write into a debug store (PEBS or BTS); stop it first",
			     own.genl.sentence);
		EXPECT_EQ(values[i], msr_read(registers[i]));
		begin_usual(PERIOD);
		EXPECT_EQ(0, log_send(&own));
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
		ASSERT_EQ(0, msr_write(registers[i], 0));
	}
	begin_precise(1);
	EXPECT_EQ(0, log_send(&own));
}

/*
 * While the APIC masks the interrupt, the CPU fills its buffer, and says nothing of what it loses
 * then.
 */
TEST_F(overflow, records_that_the_cpu_may_have_lost_are_counted)
{
	if (!has_store() || interrupts_info(&own, BPMU_A_INFO_BATCH) < 2)
		SKIP(return, "this part has no debug store in which several records wait");
	begin_precise(2);
	ASSERT_EQ(0, start());
	apic[LVTPC] |= MASKED;
	turn(200 * PERIOD);
	apic[LVTPC] = NMI;
	ASSERT_EQ(0, stop_and_read());
	EXPECT_NE(0, interrupts.lost);
	EXPECT_LE(has_legacy() ? 15 : 50, interrupts.nr);
	EXPECT_TRUE(own.sample[own.nr - 1].head.flags & BPMU_SAMPLE_DISTURBED);
}

/* Before the adaptive formats few events have precise records, and no fixed counter. */
TEST_F(overflow, events_without_precise_records_are_refused)
{
	static const struct {
		uint32_t counter;
		uint64_t select;
		const char *sentence;
	} cases[] = {
		{ 0, CYCLES, "this part writes no precise records (PEBS) of this event" },
		{ BPMU_COUNTER_FIXED, USR, "events of this counter have no precise records" },
	};
	struct nlattr *group;
	unsigned int i;

	if (!has_legacy())
		SKIP(return, "this part has no precise records, or of all events");
	for (i = 0; i < 2; i++) {
		group = mnl_attr_nest_start(interrupts_begin(&own), BPMU_A_GROUP);
		interrupts_put_event(own.genl.message, cases[i].counter, cases[i].select, PERIOD,
				     true);
		mnl_attr_nest_end(own.genl.message, group);
		EXPECT_NE(0, log_send(&own));
		EXPECT_STREQ(cases[i].sentence, own.genl.sentence);
	}
	if (store_format() == 3)
		return;
	begin_precise(2);
	EXPECT_NE(0, log_send(&own));
	EXPECT_STREQ("this part's precise records lack the time: each has an interrupt of its own",
		     own.genl.sentence);
}

/* Returns what is said of precise events that are refused, on a part with interrupts. */
static const char *precise_refusal(void)
{
	if (!strcmp(own.part, "snb"))
		return "precise records (PEBS) have errata with this CPU's microcode; update it";
	return have->masks ?
		       "this part has no precise records (PEBS) in a format that the module reads" :
		       "this part writes no precise records (PEBS)";
}

TEST_F(overflow, precise_records_that_cannot_be_written_are_refused)
{
	struct nlattr *group;

	group = mnl_attr_nest_start(interrupts_begin(&own), BPMU_A_GROUP);
	interrupts_put_event(own.genl.message, 0, own.instructions, 0, true);
	mnl_attr_nest_end(own.genl.message, group);
	EXPECT_NE(0, log_send(&own));
	EXPECT_STREQ("an event with precise records needs BPMU_A_EVENT_PERIOD or BPMU_A_EVENT_FREQUENCY",
		     own.genl.sentence);
	group = mnl_attr_nest_start(interrupts_begin(&own), BPMU_A_GROUP);
	interrupts_put_event(own.genl.message, 0, own.instructions, PERIOD, true);
	mnl_attr_nest_end(own.genl.message, group);
	if (has_pebs()) {
		EXPECT_EQ(0, log_send(&own));
		return;
	}
	EXPECT_NE(0, log_send(&own));
	EXPECT_STREQ(precise_refusal(), own.genl.sentence);
}

/*
 * What a CPU can do without an interrupt: fields of PERF_METRICS (SDM Vol. 3, 20.3.9.3), and precise
 * records that may wait. Records up to Broadwell lack their time, which each interrupt gives them.
 */
TEST_F(overflow, the_module_tells_what_the_cpu_can_do)
{
	static const struct {
		const char *part;
		uint32_t metrics;
		uint32_t batch;
	} cpus[] = {
		{ "knc", 0, 0 }, { "snb", 0, 0 }, { "ivb", 0, 1 }, { "bdw", 0, 1 },
		{ "spr", 8, BPMU_MAX_BATCH }, { "dmr", 8, BPMU_MAX_BATCH }, { "zen2", 0, 0 },
		{ "zen4", 0, 0 },
	};
	unsigned int i;

	for (i = 0; i < sizeof(cpus) / sizeof(*cpus); i++) {
		if (strcmp(own.part, cpus[i].part))
			continue;
		EXPECT_EQ(cpus[i].metrics, interrupts_info(&own, BPMU_A_INFO_METRICS));
		EXPECT_EQ(cpus[i].batch, interrupts_info(&own, BPMU_A_INFO_BATCH));
		return;
	}
	SKIP(return, "this part is not in the table");
}

/*
 * On some CPU models, the local APIC sets the mask bit of its register LVTPC when it delivers the
 * NMI of a counter. There the module must not claim an NMI that comes while the mask bit is 0: such
 * an NMI is of another agent.
 */
TEST_F(overflow, only_own_interrupts_are_claimed)
{
	begin_usual(BPMU_MAX_PERIOD);
	ASSERT_EQ(0, start());
	EXPECT_EQ(NMI, apic[LVTPC]);
	if (have->masks) {
		apic[LVTPC] |= MASKED;
		send_nmi();
		EXPECT_EQ(NMI, apic[LVTPC]);
		EXPECT_EQ(self->unclaimed, unclaimed());
	}
	send_nmi();
	EXPECT_EQ(self->unclaimed + 1, unclaimed());
	ASSERT_EQ(0, stop_and_read());
	EXPECT_EQ(0, interrupts.nr);
}

/* Number of events that together interrupt so often that the handler is always busy. */
#define MANY 5

/*
 * While interrupts take too much time, the module makes periods longer; afterwards it makes them
 * short again. All periods must still add up to the count.
 */
TEST_F(overflow, periods_are_longer_while_interrupts_take_too_much_time)
{
	struct nlmsghdr *message = interrupts_begin(&own);
	struct nlattr *group;
	uint64_t longest;
	unsigned int i;

	if (sysconf(_SC_NPROCESSORS_ONLN) > 1)
		SKIP(return, "only with one CPU is time the number of instructions");
	if (have->counters < MANY - 1)
		SKIP(return, "this part has too few counters");
	mnl_attr_put_u32(message, BPMU_A_BUFFER_SAMPLES, INTERRUPTS_MOST);
	group = mnl_attr_nest_start(message, BPMU_A_GROUP);
	for (i = 0; i < MANY - 1; i++)
		interrupts_put_event(message, i, own.instructions, BPMU_MIN_PERIOD, false);
	if (have->fixed)
		interrupts_put_event(message, BPMU_COUNTER_FIXED, USR, BPMU_MIN_PERIOD, false);
	else
		interrupts_put_event(message, MANY - 1, own.instructions, BPMU_MIN_PERIOD, false);
	mnl_attr_nest_end(message, group);
	ASSERT_EQ(0, start());
	log_loop(200 * BPMU_MIN_PERIOD);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_SAMPLE));
	for (i = 0; i < 200; i++) {
		log_loop(BPMU_MIN_PERIOD);
		usleep(200);
	}
	ASSERT_EQ(0, stop_and_read());
	ASSERT_LT(1000, interrupts.nr);
	EXPECT_EQ(0, interrupts.lost);
	for (i = 0, longest = 0; i < interrupts.nr; i++)
		if (interrupts.record[i].tsc < own.sample[1].head.tsc_begin &&
		    interrupts.record[i].period > longest)
			longest = interrupts.record[i].period;
	EXPECT_LE(3 * BPMU_MIN_PERIOD / 2, longest);
	EXPECT_GT(3 * BPMU_MIN_PERIOD / 2, interrupts.record[interrupts.nr - 1].period);
}

#define FREQUENCY 5000
/*
 * The test periods_follow_a_frequency first executes a loop, then system calls. Each of the two
 * takes PART times the requested time between two interrupts. The last LAST interrupts of each must
 * have the requested frequency.
 */
#define PART 120
#define LAST 20

/*
 * Begins a configuration request for an event on counter 0 that interrupts FREQUENCY times a
 * second. Counter 1 counts the same event without interrupts.
 */
static struct nlmsghdr *begin_frequent(uint64_t select)
{
	struct nlmsghdr *message = interrupts_begin(&own);
	struct nlattr *group = mnl_attr_nest_start(message, BPMU_A_GROUP);
	struct nlattr *event = mnl_attr_nest_start(message, BPMU_A_GROUP_EVENT);

	mnl_attr_put_u32(message, BPMU_A_EVENT_COUNTER, 0);
	mnl_attr_put_u64(message, BPMU_A_EVENT_SELECT, select);
	mnl_attr_put_u32(message, BPMU_A_EVENT_FREQUENCY, FREQUENCY);
	mnl_attr_nest_end(message, event);
	interrupts_put_event(message, 1, select, 0, false);
	mnl_attr_nest_end(message, group);
	return message;
}

static uint64_t tsc(void)
{
	uint32_t low, high;

	asm volatile("rdtsc" : "=a" (low), "=d" (high));
	return (uint64_t)high << 32 | low;
}

/*
 * Returns the mean number of TSC ticks from one record to the next, over the last LAST periods
 * before the TSC had the value @before. Returns 0 if there are fewer records.
 */
static uint64_t ticks_between(uint64_t before)
{
	unsigned int nr = 0;

	while (nr < interrupts.nr && interrupts.record[nr].tsc < before)
		nr++;
	if (nr <= LAST)
		return 0;
	return (interrupts.record[nr - 1].tsc - interrupts.record[nr - 1 - LAST].tsc) / LAST;
}

/*
 * Counts instructions in user space during a loop, then during system calls. Most instructions of a
 * system call are in the kernel, so fewer instructions per second are counted. The module must then
 * make the periods shorter, to keep the frequency. Periods are random, so the frequency over LAST
 * of them may differ by 10 % from the requested one.
 */
TEST_F(overflow, periods_follow_a_frequency)
{
	uint64_t begin, wished = own.tsc_khz * 1000ULL / FREQUENCY;
	uint64_t longest, sum, shortest, loop_ends, ends;

	if (sysconf(_SC_NPROCESSORS_ONLN) > 1)
		SKIP(return, "only with one CPU is time the number of instructions");
	begin_frequent(own.instructions);
	ASSERT_EQ(0, start());
	for (begin = tsc(); tsc() - begin < PART * wished;)
		log_loop(100);
	loop_ends = tsc();
	for (begin = tsc(); tsc() - begin < PART * wished;)
		syscall(SYS_getppid);
	ends = tsc();
	ASSERT_EQ(0, stop_and_read());
	EXPECT_EQ(0, interrupts.lost);
	ASSERT_LE(3 * PART / 2, interrupts.nr);
	EXPECT_LE(wished * 9 / 10, ticks_between(loop_ends));
	EXPECT_GE(wished * 11 / 10, ticks_between(loop_ends));
	EXPECT_LE(wished * 9 / 10, ticks_between(ends));
	EXPECT_GE(wished * 11 / 10, ticks_between(ends));
	sum = sum_of(0, &longest);
	shortest = interrupts.record[interrupts.nr - 1].period;
	EXPECT_LT(2 * shortest, longest);
	EXPECT_LE(shortest_of(BPMU_MIN_PERIOD), interrupts.record[0].period);
	EXPECT_GE(BPMU_MIN_PERIOD + BPMU_MIN_PERIOD / SPREAD + 1000, interrupts.record[0].period);
	EXPECT_EQ(counted(1), counted(0));
	EXPECT_LE(sum, counted(0));
	EXPECT_GE(2 * shortest, counted(0) - sum);
}

TEST_F(overflow, registers_are_restored)
{
	const uint64_t global = have->global ? msr_read(have->global) : 0;
	const uint64_t select = msr_read(have->select);
	const uint64_t fixed = have->fixed ? msr_read(FIXED_CTRL) : 0;
	const uint32_t entries[] = { NMI, NMI | MASKED, MASKED };
	unsigned int i;

	for (i = 0; i < 3; i++) {
		apic[LVTPC] = entries[i];
		begin_usual(PERIOD);
		ASSERT_EQ(0, start());
		EXPECT_EQ(NMI, apic[LVTPC]);
		EXPECT_EQ(INT, msr_read(have->select) & INT);
		log_loop(PERIOD);
		ASSERT_EQ(0, stop_and_read());
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
		EXPECT_EQ(entries[i], apic[LVTPC]);
		EXPECT_EQ(select, msr_read(have->select));
		if (have->fixed)
			EXPECT_EQ(fixed, msr_read(FIXED_CTRL));
		if (have->global)
			EXPECT_EQ(global, msr_read(have->global));
		if (have->status)
			EXPECT_EQ(0, msr_read(have->status));
	}
	apic[LVTPC] = NMI;
}

TEST_F(overflow, an_entry_of_another_agent_is_refused)
{
	apic[LVTPC] = MASKED | 0xf0;
	begin_usual(PERIOD);
	EXPECT_EQ(-EBUSY, log_send(&own));
	EXPECT_STREQ("another agent has set the overflow interrupt of a CPU (LVTPC); stop it first",
		     own.genl.sentence);
	EXPECT_EQ(MASKED | 0xf0, apic[LVTPC]);
	apic[LVTPC] = NMI;
	begin_usual(PERIOD);
	EXPECT_EQ(0, log_send(&own));
}

/*
 * Returns what the module reports as reasons why counters cannot interrupt on CPU 0: a set of enum
 * bpmu_obstacle.
 */
static uint32_t get_obstacles(void)
{
	return interrupts_info(&own, BPMU_A_INFO_OBSTACLES);
}

/*
 * Bits of IA32_RTIT_CTL (SDM Vol. 3): TraceEn (bit 0) turns Intel PT on; BranchEn (bit 13) alone
 * traces nothing.
 */
TEST_F(overflow, a_cpu_that_intel_pt_traces_is_refused)
{
	if (!have->masks)
		SKIP(return, "only Intel's parts have Intel PT");
	ASSERT_EQ(0, msr_write(TRACE_CTL, 0x2000));
	EXPECT_EQ(0, get_obstacles());
	begin_usual(PERIOD);
	EXPECT_EQ(0, log_send(&own));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	ASSERT_EQ(0, msr_write(TRACE_CTL, 0x2001));
	begin_usual(PERIOD);
	EXPECT_EQ(-EBUSY, log_send(&own));
	EXPECT_STREQ("Intel PT traces a CPU, and its interrupts stop all counters; stop perf's intel_pt first",
		     own.genl.sentence);
	begin_usual(0);
	EXPECT_EQ(0, log_send(&own));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	EXPECT_EQ(BPMU_OBSTACLE_TRACE, get_obstacles());
	apic[LVTPC] = MASKED | 0xf0;
	EXPECT_EQ(BPMU_OBSTACLE_TRACE | BPMU_OBSTACLE_LVTPC, get_obstacles());
	apic[LVTPC] = NMI;
	ASSERT_EQ(0, msr_write(TRACE_CTL, 0));
	EXPECT_EQ(0, get_obstacles());
}

/*
 * The test asks for a buffer for eight records of interrupts. The module rounds the size in bytes
 * up to a power of two, so that the buffer may have room for more than eight records.
 */
TEST_F(overflow, losses_are_counted)
{
	uint64_t longest, sum;

	mnl_attr_put_u32(begin_usual(PERIOD), BPMU_A_BUFFER_SAMPLES, 8);
	ASSERT_EQ(0, run());
	EXPECT_LE(8, interrupts.nr);
	EXPECT_GT(16, interrupts.nr);
	EXPECT_LT(0, interrupts.lost);
	EXPECT_EQ(0, own.lost);
	sum = sum_of(0, &longest);
	EXPECT_GT(counted(0), sum + interrupts.lost * (PERIOD - PERIOD / SPREAD));
}

/*
 * Executes a loop in user space and then system calls. Meanwhile instructions at privilege level
 * @level (USR or OS) are counted, and their counter interrupts. Stores in *@who the task in the
 * first record of this process. Returns 0 or -1.
 */
static int see(uint64_t level, struct bpmu_who *who)
{
	const uint32_t pid = getpid();
	unsigned int i;
	int err;

	interrupts_put_group(interrupts_begin(&own), level | (own.instructions & ~USR), PERIOD);
	err = start();
	log_loop(ITERATIONS / 20);
	for (i = 0; i < 1000; i++)
		syscall(SYS_getppid);
	if (err || stop_and_read())
		return -1;
	for (i = 0; i < interrupts.nr; i++)
		if (interrupts.record[i].who.pid == pid) {
			*who = interrupts.record[i].who;
			return 0;
		}
	return -1;
}

static int see_both(struct bpmu_who *user, struct bpmu_who *kernel)
{
	return see(USR, user) || see(OS, kernel);
}

TEST_F(overflow, a_record_says_who_was_interrupted)
{
	const uint32_t pid = getpid();
	struct bpmu_who user, kernel;

	ASSERT_EQ(0, see_both(&user, &kernel));
	EXPECT_EQ(pid, user.pid);
	EXPECT_EQ(pid, user.tgid);
	EXPECT_STREQ("overflow", user.comm);
	EXPECT_EQ(0, user.flags);
	EXPECT_LE((uintptr_t)&__executable_start, user.ip);
	EXPECT_GT((uintptr_t)&etext, user.ip);
	EXPECT_EQ(pid, kernel.pid);
	EXPECT_EQ(BPMU_WHO_KERNEL, kernel.flags);
	EXPECT_LE(KERNEL, kernel.ip);
	EXPECT_EQ(0, user.pad | kernel.pad);
}

TEST_F(overflow, kernel_addresses_are_hidden_as_elsewhere)
{
	struct bpmu_who user, kernel;

	ASSERT_EQ(0, kptr_restrict('2'));
	ASSERT_EQ(0, see_both(&user, &kernel));
	EXPECT_EQ(0, user.flags);
	EXPECT_NE(0, user.ip);
	EXPECT_EQ(BPMU_WHO_KERNEL | BPMU_WHO_HIDDEN, kernel.flags);
	EXPECT_EQ(0, kernel.ip);
}

TEST_F(overflow, records_are_for_the_owner)
{
	static struct genl reader;

	begin_usual(PERIOD);
	ASSERT_EQ(0, start());
	ASSERT_EQ(0, genl_let_read(getegid()));
	ASSERT_EQ(0, genl_open(&reader));
	EXPECT_EQ(-EPERM, genl_command(&reader, BPMU_CMD_READ));
	EXPECT_STREQ("the session's samples name processes: only its owner may read them",
		     reader.sentence);
	genl_close(&reader);
	/*
	 * The owner reads in the way of the other users: with the number of the first sample
	 * (BPMU_A_FROM). This must be allowed, and give the only sample, that of the start.
	 */
	ASSERT_EQ(0, log_read_from(&own, 0));
	EXPECT_EQ(1, own.nr);
	ASSERT_EQ(0, genl_let_read(GENL_NO_GROUP));
}

/**
 * struct pace - how often an event interrupts, from an answer to BPMU_CMD_GET_PLAN
 * @period: BPMU_A_EVENT_PERIOD, or 0 if the event has none
 * @frequency: BPMU_A_EVENT_FREQUENCY, or 0 if the event has none
 */
struct pace {
	uint32_t period;
	uint32_t frequency;
};

static void take_pace(void *data, const struct nlmsghdr *answer)
{
	const struct nlattr *group, *event, *attr;
	struct pace *pace = data;

	mnl_attr_for_each(group, answer, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(group) != BPMU_A_GROUP)
			continue;
		mnl_attr_for_each_nested(event, group)
			mnl_attr_for_each_nested(attr, event) {
				if (mnl_attr_get_type(attr) == BPMU_A_EVENT_PERIOD)
					pace->period = mnl_attr_get_u32(attr);
				if (mnl_attr_get_type(attr) == BPMU_A_EVENT_FREQUENCY)
					pace->frequency = mnl_attr_get_u32(attr);
			}
	}
}

static int get_pace(struct pace *pace)
{
	int err = log_send(&own);

	*pace = (struct pace){ 0 };
	own.genl.reply = take_pace;
	own.genl.data = pace;
	err = err ?: genl_command(&own.genl, BPMU_CMD_GET_PLAN);
	own.genl.data = &own;
	return err;
}

TEST_F(overflow, the_plan_has_the_period_or_the_frequency)
{
	struct pace pace;

	begin_usual(PERIOD);
	ASSERT_EQ(0, get_pace(&pace));
	EXPECT_EQ(PERIOD, pace.period);
	EXPECT_EQ(0, pace.frequency);
	begin_frequent(own.instructions);
	ASSERT_EQ(0, get_pace(&pace));
	EXPECT_EQ(0, pace.period);
	EXPECT_EQ(FREQUENCY, pace.frequency);
}

#define EXPECT_REFUSED(text) do { \
	EXPECT_EQ(-EINVAL, log_send(&own)); \
	EXPECT_STREQ(text, own.genl.sentence); \
} while (0)

TEST_F(overflow, what_goes_not_with_a_period_is_refused)
{
	struct nlmsghdr *message;
	struct nlattr *group;

	begin_usual(BPMU_MIN_PERIOD - 1);
	EXPECT_EQ(-ERANGE, log_send(&own));
	begin_usual(BPMU_MAX_PERIOD + 1u);
	EXPECT_EQ(-ERANGE, log_send(&own));
	mnl_attr_put_u32(begin_usual(PERIOD), BPMU_A_TOP, 1000);
	EXPECT_REFUSED("an event that interrupts has a period: BPMU_A_TOP cannot set its counter as well");
	message = interrupts_begin(&own);
	interrupts_put_group(message, own.instructions, 0);
	mnl_attr_put_u32(message, BPMU_A_CHECK, BPMU_CHECK_PERIOD);
	EXPECT_REFUSED("PERIOD and FREEZE are for events that interrupt: give one a period");
	message = begin_usual(PERIOD);
	interrupts_put_group(message, own.instructions, 0);
	mnl_attr_put_u64(message, BPMU_A_INTERVAL_NS, 1000000);
	EXPECT_REFUSED("an event that interrupts cannot be multiplexed: give one group of the core");
	/*
	 * The rest of the test uses a counter of the uncore's arbiter. Only on Ivy Bridge the
	 * arbiter's counters have these numbers.
	 */
	if (strcmp(own.part, "ivb"))
		return;
	message = interrupts_begin(&own);
	group = mnl_attr_nest_start(message, BPMU_A_UNCORE_GROUP);
	interrupts_put_event(message, BPMU_COUNTER_UNCORE + BPMU_COUNTERS_PER_BOX, 0x180, PERIOD,
			     false);
	mnl_attr_nest_end(message, group);
	EXPECT_REFUSED("only a general or fixed counter of the core interrupts");
}

/*
 * Sends a configuration request with one event. The event has the frequency @frequency and, if
 * @period is not 0, also the period @period. Returns 0 or a negative errno.
 */
static int send_paced(uint32_t period, uint32_t frequency)
{
	struct nlmsghdr *message = interrupts_begin(&own);
	struct nlattr *group = mnl_attr_nest_start(message, BPMU_A_GROUP);
	struct nlattr *event = mnl_attr_nest_start(message, BPMU_A_GROUP_EVENT);

	mnl_attr_put_u32(message, BPMU_A_EVENT_COUNTER, 0);
	mnl_attr_put_u64(message, BPMU_A_EVENT_SELECT, own.instructions);
	if (period)
		mnl_attr_put_u32(message, BPMU_A_EVENT_PERIOD, period);
	mnl_attr_put_u32(message, BPMU_A_EVENT_FREQUENCY, frequency);
	mnl_attr_nest_end(message, event);
	mnl_attr_nest_end(message, group);
	return log_send(&own);
}

TEST_F(overflow, what_goes_not_with_a_frequency_is_refused)
{
	EXPECT_EQ(-ERANGE, send_paced(0, 0));
	EXPECT_EQ(-ERANGE, send_paced(0, BPMU_MAX_FREQUENCY + 1));
	EXPECT_EQ(0, send_paced(0, BPMU_MAX_FREQUENCY));
	EXPECT_EQ(-EINVAL, send_paced(PERIOD, FREQUENCY));
	EXPECT_STREQ("an event has a period or a frequency, not both", own.genl.sentence);
}

TEST_F(overflow, neither_session_nor_groups_can_be_swapped)
{
	static const char sentence[] =
		"groups with an event that interrupts cannot be swapped; stop and configure";

	begin_usual(PERIOD);
	ASSERT_EQ(0, start());
	EXPECT_EQ(-EINVAL, log_swap(&own, 0));
	EXPECT_STREQ(sentence, own.genl.sentence);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	begin_usual(0);
	ASSERT_EQ(0, start());
	interrupts_put_group(genl_new(&own.genl, BPMU_CMD_SWAP, 0), own.instructions, PERIOD);
	EXPECT_EQ(-EINVAL, genl_send(&own.genl));
	EXPECT_STREQ(sentence, own.genl.sentence);
}

TEST_HARNESS_MAIN
