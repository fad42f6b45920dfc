// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of BPMU_CMD_SWAP, which replaces the groups of events of a running session. A swap is a
 * transaction: if a register of one CPU does not keep the value that is written, the module must
 * refuse the swap, and all CPUs must count the old groups as if there had been no swap. The tests
 * inject such faults on each CPU, and in each type of uncore unit that the virtual machine has. One
 * CPU of a package reads the uncore counters. If it goes offline, another CPU reads them. If that
 * CPU cannot program them, the module must report the failure.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <linux/genetlink.h>
#include <kselftest_harness.h>

#include "fault.h"
#include "log.h"
#include "online.h"

#define MS 1000000ULL
/* An event select with another event than GENL_SELECT has. */
#define OTHER_SELECT 0x1003cULL
#define LOOPS 100000
#define ATTEMPTS 5

/*
 * Free-running registers of arch/free.h: the TSC of a package, and the count of lines read from the
 * memory of a server.
 */
#define PACKAGE_TSC (BPMU_COUNTER_FREE + 13)
#define MEMORY_READS (BPMU_COUNTER_FREE + 37)

static const char refused[] =
	"a register of the new groups does not work on one of the CPUs; the old groups are counted on";

static struct log own;
static unsigned int nr_cpus;
static bool hybrid;

FIXTURE(swap) {
	int unused;
};

FIXTURE_SETUP(swap)
{
	struct genl_cpus same;

	GENL_LOAD(return);
	if (!fault_inject(0, 0))
		SKIP(return, "no virtual PMU, whose registers could fail");
	ASSERT_EQ(0, log_open(&own));
	nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	ASSERT_EQ(0, genl_core_type(&own.genl, 0, &same));
	hybrid = same.nr < nr_cpus;
}

FIXTURE_TEARDOWN(swap)
{
	unsigned int cpu;

	for (cpu = 0; cpu < nr_cpus; cpu++)
		fault_ignore(cpu, 0);
	genl_close(&own.genl);
}

static struct nlmsghdr *begin(uint8_t command)
{
	return genl_new(&own.genl, command, 0);
}

/* Adds a group with a core event to the request; on a hybrid machine, one for each core type. */
static void put_core(uint32_t counter, uint64_t select)
{
	genl_put_group(own.genl.message, counter, select);
	if (hybrid)
		genl_put_group_as(own.genl.message, BPMU_A_OTHER_GROUP, counter,
				  select);
}

static int swap_core(uint32_t counter, uint64_t select)
{
	begin(BPMU_CMD_SWAP);
	put_core(counter, select);
	return genl_send(&own.genl);
}

/*
 * Returns the number of samples of a CPU that have the flags @flags, and that were taken after
 * @plan replacements of the session's groups (BPMU_CMD_SWAP).
 */
static unsigned int count(uint32_t cpu, uint32_t flags, uint32_t plan)
{
	const struct bpmu_sample *head;
	unsigned int nr = 0;
	unsigned int i;

	for (i = 0; i < own.nr; i++) {
		head = &own.sample[i].head;
		nr += head->cpu == cpu && head->flags == flags && head->plan == plan;
	}
	return nr;
}

TEST_F_TIMEOUT(swap, a_fault_on_any_cpu_refuses_the_swap_on_all, 240)
{
	unsigned int cpu, i;

	for (cpu = 0; cpu < nr_cpus; cpu++) {
		begin(BPMU_CMD_CONFIGURE);
		put_core(0, GENL_SELECT);
		ASSERT_EQ(0, log_send(&own));
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
		ASSERT_TRUE(fault_ignore(cpu, OTHER_SELECT));
		EXPECT_EQ(-EIO, swap_core(0, OTHER_SELECT));
		EXPECT_STREQ(refused, own.genl.sentence);
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_SAMPLE));
		fault_ignore(cpu, 0);
		EXPECT_EQ(0, swap_core(0, OTHER_SELECT));
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
		ASSERT_EQ(0, log_read(&own));
		/* No sample of any CPU is missing, and none is flagged as disturbed. */
		EXPECT_EQ(5 * nr_cpus, own.nr);
		for (i = 0; i < nr_cpus; i++) {
			EXPECT_EQ(1, count(i, BPMU_SAMPLE_START, 0));
			EXPECT_EQ(1, count(i, BPMU_SAMPLE_REQUEST, 0));
			EXPECT_EQ(1, count(i, BPMU_SAMPLE_SWAP, 0));
			EXPECT_EQ(1, count(i, BPMU_SAMPLE_START, 1));
			EXPECT_EQ(1, count(i, BPMU_SAMPLE_STOP, 1));
		}
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	}
}

/*
 * Returns the sum of the counts of the first @groups groups of a CPU, from each group's start
 * sample to its last sample.
 */
static uint64_t counted(uint32_t cpu, unsigned int groups)
{
	uint64_t first[2] = { 0 }, last[2] = { 0 };
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < own.nr; i++) {
		const struct log_sample *s = &own.sample[i];

		if (s->head.cpu != cpu)
			continue;
		if (s->head.flags & BPMU_SAMPLE_START)
			first[s->head.group] = s->value[0];
		last[s->head.group] = s->value[0];
	}
	for (i = 0; i < groups; i++)
		sum += last[i] - first[i];
	return sum;
}

/*
 * Executes loops of @first and of @second iterations on a CPU. After each loop, the function sends
 * BPMU_CMD_SWAP, which the module must refuse because of an injected fault. The session has @groups
 * groups, which are multiplexed and count the same event, instructions in user space. Returns the
 * sum of their counts on this CPU, or 0 if a command fails.
 */
static uint64_t refused_between(uint32_t cpu, unsigned int groups, unsigned long first,
				unsigned long second)
{
	unsigned int i;
	int wrong;

	log_pin(cpu);
	begin(BPMU_CMD_CONFIGURE);
	for (i = 0; i < groups; i++)
		put_core(i, own.instructions);
	if (groups > 1)
		mnl_attr_put_u64(own.genl.message, BPMU_A_INTERVAL_NS, 10 * MS);
	wrong = log_send(&own) || genl_command(&own.genl, BPMU_CMD_START) ||
		!fault_ignore(cpu, OTHER_SELECT);
	log_loop(first);
	wrong |= swap_core(0, OTHER_SELECT) != -EIO;
	log_loop(second);
	wrong |= swap_core(1, OTHER_SELECT) != -EIO;
	fault_ignore(cpu, 0);
	wrong |= genl_command(&own.genl, BPMU_CMD_STOP) || log_read(&own);
	return wrong ? 0 : counted(cpu, groups);
}

static uint64_t least_between(uint32_t cpu, unsigned int groups, unsigned long first,
			      unsigned long second)
{
	uint64_t sum, least = ~0ULL;
	int i;

	for (i = 0; i < ATTEMPTS; i++) {
		sum = refused_between(cpu, groups, first, second);
		if (sum < least)
			least = sum;
	}
	return least;
}

TEST_F_TIMEOUT(swap, a_refused_swap_loses_no_count, 240)
{
	uint32_t cpu = nr_cpus - 1;
	unsigned int groups;
	uint64_t base;

	for (groups = 1; groups <= 2; groups++) {
		base = least_between(cpu, groups, LOOPS, LOOPS);
		ASSERT_NE(0, base);
		EXPECT_EQ(LOOPS * LOG_PER_ITERATION,
			  least_between(cpu, groups, 2 * LOOPS, LOOPS) - base);
		EXPECT_EQ(LOOPS * LOG_PER_ITERATION,
			  least_between(cpu, groups, LOOPS, 2 * LOOPS) - base);
	}
}

/**
 * struct bank - a type of uncore unit, called counter bank, and two of its events
 * @name: name of the type in the test's messages
 * @counter: number of a counter of such a unit
 * @failure: failure that the module reports if such counters cannot be programmed, enum
 *	bpmu_failure
 * @first: event select of an event that works
 * @second: event select of another event, for which a fault is injected
 */
struct bank {
	const char *name;
	uint32_t counter;
	uint32_t failure;
	uint64_t first;
	uint64_t second;
};

/*
 * Initializes a struct bank. The legal bits of an event select differ from one CPU model to the
 * next. The two event selects are legal on all CPU models that have such uncore units.
 */
#define BANK(name, unit, first, second) \
	{ name, BPMU_COUNTER_##unit, BPMU_BANK_##unit, first, second }

static const struct bank banks[] = {
	{ "uncore", BPMU_COUNTER_UNCORE + BPMU_COUNTERS_PER_BOX, BPMU_BANK_UNCORE, 0x180, 0x181 },
	BANK("L3", L3, 0xff0f000000000104, 0xff0f00000000ff04),
	BANK("L3", L3, 0x0300c00000000104, 0x0300c0000000ff04),
	BANK("data fabric", DF, 0x3807, 0x3847),
	BANK("memory controllers", UMC, 0x10a, 0x20a),
	BANK("CBos or CHAs", CHA, 0x335, 0x334),
	BANK("power control unit", PCU, 0x80, 0x0c),
	BANK("UBox", UBOX, 0x842, 0x442),
	BANK("memory channels", IMC, 0x304, 0xc04),
	BANK("a client's memory controllers", IMC, 0x22, 0x23),
	BANK("home agents or M2Ms", HA, 0x301, 0x103),
	BANK("QPI links", LINK, 0x200802, 0x200002),
	BANK("UPI links", LINK, 0xf02, 0xf03),
	BANK("IIO stacks", IIO, 0x701000000483, 0x701000000183),
	BANK("IIO stacks", IIO, 0x7001000000483, 0x7001000000183),
	BANK("IRPs", IRP, 0x811, 0x211),
	BANK("EDC ECLKs", EDC_ECLK, 0x101, 0x102),
	BANK("EDC UCLKs", EDC_UCLK, 0x102, 0x402),
	BANK("IMC UCLKs", IMC_UCLK, 0x100, 0x200),
	BANK("M2PCIes", M2PCIE, 0x124, 0x824),
};

static int send_bank(uint8_t command, const struct bank *bank, uint64_t select)
{
	begin(command);
	genl_put_group_as(own.genl.message, BPMU_A_UNCORE_GROUP, bank->counter, select);
	return command == BPMU_CMD_CONFIGURE ? log_send(&own) : genl_send(&own.genl);
}

/*
 * Returns true if @cpu reads uncore counters in this session. One CPU of each package does this for
 * all its CPUs, so only this CPU has samples.
 */
static bool reads(uint32_t cpu)
{
	unsigned int i;

	for (i = 0; i < own.nr; i++)
		if (own.sample[i].head.cpu == cpu)
			return true;
	return false;
}

/*
 * Returns the number of wrong samples among those that the test has read, from index @before on. A
 * sample is wrong if it is flagged as disturbed, or if it was not taken after exactly @plan
 * replacements of the session's groups (BPMU_CMD_SWAP).
 */
static unsigned int wrong_since(unsigned int before, uint32_t plan)
{
	unsigned int nr = 0;

	for (; before < own.nr; before++)
		nr += own.sample[before].head.flags & BPMU_SAMPLE_DISTURBED ||
		      own.sample[before].head.plan != plan;
	return nr;
}

TEST_F_TIMEOUT(swap, a_fault_in_any_bank_refuses_the_swap, 480)
{
	unsigned int cpu, before, i, readers, tried = 0;
	const struct bank *bank;

	for (i = 0; i < sizeof(banks) / sizeof(banks[0]); i++) {
		bank = &banks[i];
		readers = 0;
		if (send_bank(BPMU_CMD_CONFIGURE, bank, bank->second) ||
		    send_bank(BPMU_CMD_CONFIGURE, bank, bank->first))
			continue;
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
		ASSERT_EQ(0, log_read(&own));
		for (cpu = 0; cpu < nr_cpus; cpu++) {
			if (!reads(cpu))
				continue;
			readers++;
			ASSERT_TRUE(fault_ignore(cpu, bank->second));
			EXPECT_EQ(-EIO, send_bank(BPMU_CMD_SWAP, bank, bank->second));
			EXPECT_STREQ(refused, own.genl.sentence);
			fault_ignore(cpu, 0);
			before = own.nr;
			ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_SAMPLE));
			ASSERT_EQ(0, log_read(&own));
			EXPECT_LT(before, own.nr);
			EXPECT_EQ(0, wrong_since(before, 0));
		}
		before = own.nr;
		EXPECT_EQ(0, send_bank(BPMU_CMD_SWAP, bank, bank->second));
		ASSERT_EQ(0, log_read(&own));
		EXPECT_EQ(readers, wrong_since(before, 0));
		before = own.nr;
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
		ASSERT_EQ(0, log_read(&own));
		EXPECT_EQ(readers, own.nr - before);
		EXPECT_EQ(0, wrong_since(before, 1));
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
		printf("# %s: a fault of each of %u readers\n", bank->name, readers);
		tried++;
	}
	if (!tried)
		SKIP(return, "no bank that CPUs share has counters here");
}

/*
 * Configures a session on the last two CPUs that counts an event of uncore units of type @bank. The
 * first of these two CPUs reads the units' counters. Returns 0 or a negative errno.
 */
static int configure_pair(const struct bank *bank)
{
	const uint32_t cpus[] = { nr_cpus - 2, nr_cpus - 1 };

	begin(BPMU_CMD_CONFIGURE);
	mnl_attr_put(own.genl.message, BPMU_A_CPUS, sizeof(cpus), cpus);
	genl_put_group_as(own.genl.message, BPMU_A_UNCORE_GROUP, bank->counter, bank->first);
	return log_send(&own);
}

/*
 * Adds the failures that a message reports to a set, bit n for failure n of enum bpmu_failure. In
 * the test, only the CPU with the highest number may fail: bit 31 becomes 1 if another CPU failed.
 */
static void take_failures(void *set, const struct nlmsghdr *answer)
{
	const struct nlattr *attr, *nested;

	mnl_attr_for_each(attr, answer, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) != BPMU_A_FAILURE)
			continue;
		mnl_attr_for_each_nested(nested, attr) {
			uint32_t value = mnl_attr_get_u32(nested);

			if (mnl_attr_get_type(nested) == BPMU_A_FAILURE_WHAT)
				*(uint32_t *)set |= 1U << value;
			if (mnl_attr_get_type(nested) == BPMU_A_FAILURE_CPU && value != nr_cpus - 1)
				*(uint32_t *)set |= 1U << 31;
		}
	}
}

static uint32_t failures(void)
{
	uint32_t set = 0;
	int code;

	own.genl.reply = take_failures;
	own.genl.data = &set;
	genl_new(&own.genl, BPMU_CMD_GET_INFO, NLM_F_DUMP);
	code = genl_send(&own.genl);
	own.genl.data = &own;
	return code ? UINT32_MAX : set;
}

TEST_F_TIMEOUT(swap, a_bank_that_the_next_reader_cannot_program_is_named, 480)
{
	uint32_t reader = nr_cpus - 2, next = nr_cpus - 1;
	unsigned int i, tried = 0;

	for (i = 0; nr_cpus > 2 && i < sizeof(banks) / sizeof(banks[0]); i++) {
		if (configure_pair(&banks[i]))
			continue;
		EXPECT_EQ(0, failures());
		ASSERT_TRUE(fault_ignore(next, banks[i].first));
		ASSERT_EQ(0, online(reader, false));
		EXPECT_EQ(1U << banks[i].failure, failures());
		fault_ignore(next, 0);
		ASSERT_EQ(0, online(reader, true));
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
		printf("# %s: its failure is named\n", banks[i].name);
		tried++;
	}
	if (!tried)
		SKIP(return, "no bank that the last two CPUs share has counters here");
}

static int send_register(uint8_t command, uint32_t counter)
{
	const uint32_t cpu = 0;

	begin(command);
	if (command == BPMU_CMD_CONFIGURE)
		mnl_attr_put(own.genl.message, BPMU_A_CPUS, sizeof(cpu), &cpu);
	genl_put_group_as(own.genl.message, BPMU_A_FREE_GROUP, counter, 0);
	return command == BPMU_CMD_CONFIGURE ? log_send(&own) : genl_send(&own.genl);
}

/* This test needs a server whose second package has no memory controllers, as in tests/pmu/icx. */
TEST_F(swap, registers_that_a_package_lacks_refuse_the_swap)
{
	if (send_register(BPMU_CMD_CONFIGURE, MEMORY_READS) != -ENODEV)
		SKIP(return, "no package without memory controllers beside one with");
	ASSERT_EQ(0, send_register(BPMU_CMD_CONFIGURE, PACKAGE_TSC));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	EXPECT_EQ(-ENODEV, send_register(BPMU_CMD_SWAP, MEMORY_READS));
	EXPECT_STREQ("the memory controllers of a package do not answer: leave its CPUs out (-C); if their PCI device has been removed, echo 1 > /sys/bus/pci/rescan",
		     own.genl.sentence);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_SAMPLE));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	ASSERT_EQ(0, log_read(&own));
	EXPECT_EQ(3, own.nr);
	EXPECT_EQ(0, wrong_since(0, 0));
}

TEST_HARNESS_MAIN
