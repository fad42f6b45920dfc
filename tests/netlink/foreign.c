// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of another agent that writes to the counters of a session, by the kernel's msr device: the
 * samples are flagged as disturbed, and the agent's values are restored after the session. The
 * registers are those of Ivy Bridge.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/genetlink.h>
#include <kselftest_harness.h>

#include "log.h"
#include "msr.h"

/* Addresses of MSRs (SDM Vol. 4, table 2-2). */
#define COUNTER0 0xc1
#define COUNTER1 0xc2
#define SELECT0 0x186
#define SELECT1 0x187
#define FIXED_CTRL 0x38d
#define STATUS 0x38e
#define GLOBAL_CTRL 0x38f
#define OVF_CTRL 0x390
/* An enabled event select: retired instructions in user space. */
#define COUNTS 0x4100c0ULL
/* An event select that is not enabled: branches in user space. */
#define OTHER_SELECT 0x100c4ULL
/* Event select of a fixed counter: bit USR, so that its event is counted in user space only. */
#define IN_USER_SPACE 0x10000ULL
/*
 * Value to write to a counter, so that the counter wraps after 256 counts. The write copies bit 31
 * to the bits above it.
 */
#define NEAR_WRAP 0xffffff00ULL
#define ALL_STATUS 0x70000000fULL
#define ARBITER (BPMU_COUNTER_UNCORE + BPMU_COUNTERS_PER_BOX)
/* Addresses of MSRs of the uncore's arbiter (Linux, arch/x86/events/intel/uncore_snb.c). */
#define ARBITER_COUNTER1 0x3b1
#define ARBITER_SELECT1 0x3b3
#define UNCORE_CTRL 0x391
#define PREFETCH_CTRL 0x1a4
/* An enabled event select of the arbiter. The session never counts this event. */
#define ARBITER_COUNTS 0x400285ULL

static struct log own;

FIXTURE(foreign) {
	uint64_t global;
};

FIXTURE_SETUP(foreign)
{
	GENL_LOAD(return);
	MSR_OPEN(return);
	ASSERT_EQ(0, log_pin(0));
	ASSERT_EQ(0, log_open(&own));
	if (strcmp(own.part, "ivb"))
		SKIP(return, "the registers are those of Ivy Bridge");
	self->global = msr_read(GLOBAL_CTRL);
}

FIXTURE_TEARDOWN(foreign)
{
	genl_close(&own.genl);
	msr_write(SELECT0, 0);
	msr_write(SELECT1, 0);
	msr_write(FIXED_CTRL, 0);
	msr_write(GLOBAL_CTRL, self->global);
	msr_write(OVF_CTRL, ALL_STATUS);
	msr_write(COUNTER0, 0);
	msr_close();
}

static int configure(bool take_over, uint32_t top)
{
	struct nlmsghdr *message = genl_plan(&own.genl);

	if (take_over)
		mnl_attr_put(message, BPMU_A_TAKE_OVER, 0, NULL);
	if (top)
		mnl_attr_put_u32(message, BPMU_A_TOP, top);
	return log_send(&own);
}

static void take_foreign(void *set, const struct nlmsghdr *answer)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, answer, sizeof(struct genlmsghdr))
		if (mnl_attr_get_type(attr) == BPMU_A_INFO_FOREIGN)
			*(uint64_t *)set = mnl_attr_get_u64(attr);
}

static uint64_t foreign(void)
{
	uint64_t set = ~0ULL;

	own.genl.reply = take_foreign;
	own.genl.data = &set;
	mnl_attr_put_u32(genl_new(&own.genl, BPMU_CMD_GET_INFO, 0),
			 BPMU_A_INFO_CPU, 0);
	if (genl_send(&own.genl))
		set = ~0ULL;
	own.genl.data = &own;
	return set;
}

/*
 * To find out if the session's counters work, the module writes values to them and reads them back.
 * It must restore the old values before the first sample. A session without BPMU_A_TOP (the
 * attribute that sets where counters begin) counts from the old values on.
 */
TEST_F(foreign, counters_begin_at_their_values_without_top)
{
	ASSERT_EQ(0, msr_write(COUNTER0, 5000));
	ASSERT_EQ(0, configure(false, 0));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	ASSERT_EQ(0, log_read(&own));
	ASSERT_EQ(2, own.nr);
	EXPECT_EQ(5000, own.sample[0].value[0]);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	EXPECT_EQ(5000, msr_read(COUNTER0));
}

TEST_F(foreign, a_counter_in_use_is_refused_unless_taken_over)
{
	EXPECT_EQ(0, foreign());
	ASSERT_EQ(0, msr_write(SELECT1, COUNTS));
	EXPECT_EQ(2, foreign());
	EXPECT_EQ(-EBUSY, configure(false, 0));
	EXPECT_STREQ("an unknown agent has enabled a counter; stop it, or take the counter over",
		     own.genl.sentence);
	EXPECT_EQ(COUNTS, msr_read(SELECT1));
	ASSERT_EQ(0, configure(true, 0));
	EXPECT_EQ(0, foreign());
	EXPECT_EQ(0, msr_read(SELECT1));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	log_loop(1000);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	ASSERT_EQ(0, log_read(&own));
	ASSERT_EQ(2, own.nr);
	EXPECT_LE(1000 * LOG_PER_ITERATION,
		  own.sample[1].value[0] - own.sample[0].value[0]);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	EXPECT_EQ(COUNTS, msr_read(SELECT1));
	EXPECT_EQ(2, foreign());
}

TEST_F(foreign, a_fixed_counter_in_use_is_refused_unless_taken_over)
{
	ASSERT_EQ(0, msr_write(FIXED_CTRL, 0x20));
	EXPECT_EQ(1ULL << 33, foreign());
	EXPECT_EQ(-EBUSY, configure(false, 0));
	ASSERT_EQ(0, configure(true, 0));
	EXPECT_EQ(0, msr_read(FIXED_CTRL));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	EXPECT_EQ(0x20, msr_read(FIXED_CTRL));
}

/*
 * Configures a group of one event on @counter. A general-purpose counter counts instructions; a
 * fixed counter counts its own event.
 */
static int configure_on(uint32_t counter)
{
	struct nlmsghdr *message = genl_new(&own.genl, BPMU_CMD_CONFIGURE, 0);
	const uint32_t cpu = 0;

	mnl_attr_put(message, BPMU_A_CPUS, sizeof(cpu), &cpu);
	genl_put_group(message, counter,
		       counter < BPMU_COUNTER_FIXED ? own.instructions : IN_USER_SPACE);
	return log_send(&own);
}

/*
 * Plays another agent during a session that counts with @counter: writes @value to the register
 * @address. Writes nothing if @address is 0. Stores in @flags the flags of the next requested
 * sample and of the session's last sample. Returns 0 or -1.
 */
static int after(uint32_t counter, uint32_t address, uint64_t value, uint32_t flags[2])
{
	if (configure_on(counter) ||
	    genl_command(&own.genl, BPMU_CMD_START) ||
	    genl_command(&own.genl, BPMU_CMD_SAMPLE) ||
	    (address && msr_write(address, value)) ||
	    genl_command(&own.genl, BPMU_CMD_SAMPLE) ||
	    genl_command(&own.genl, BPMU_CMD_STOP) || log_read(&own))
		return -1;
	if (own.nr != 4 || own.sample[1].head.flags != BPMU_SAMPLE_REQUEST)
		return -1;
	flags[0] = own.sample[2].head.flags;
	flags[1] = own.sample[3].head.flags;
	return 0;
}

#define DISTURBED_REQUEST (BPMU_SAMPLE_REQUEST | BPMU_SAMPLE_DISTURBED)
#define DISTURBED_STOP (BPMU_SAMPLE_STOP | BPMU_SAMPLE_DISTURBED)

TEST_F(foreign, an_undisturbed_run_has_no_flag)
{
	uint32_t flags[2];

	ASSERT_EQ(0, after(0, 0, 0, flags));
	EXPECT_EQ(BPMU_SAMPLE_REQUEST, flags[0]);
	EXPECT_EQ(BPMU_SAMPLE_STOP, flags[1]);
}

TEST_F(foreign, stopped_counters_are_flagged_in_the_next_sample)
{
	uint32_t flags[2];

	ASSERT_EQ(0, after(0, GLOBAL_CTRL, 0, flags));
	EXPECT_EQ(DISTURBED_REQUEST, flags[0]);
	EXPECT_EQ(DISTURBED_STOP, flags[1]);
}

TEST_F(foreign, a_written_fixed_control_is_flagged_in_the_next_sample)
{
	uint32_t flags[2];

	ASSERT_EQ(0, after(BPMU_COUNTER_FIXED, FIXED_CTRL, 0x8, flags));
	EXPECT_EQ(DISTURBED_REQUEST, flags[0]);
	EXPECT_EQ(DISTURBED_STOP, flags[1]);
}

/*
 * The module reads the event selects of a group and compares them with the values that it wrote. It
 * does this when another group takes the counters, and when the session stops. In a session with
 * one group, only the last sample must be flagged as disturbed.
 */
TEST_F(foreign, a_written_event_select_is_flagged_in_the_last_sample)
{
	uint32_t flags[2];

	ASSERT_EQ(0, after(0, SELECT0, 0x41003c, flags));
	EXPECT_EQ(BPMU_SAMPLE_REQUEST, flags[0]);
	EXPECT_EQ(DISTURBED_STOP, flags[1]);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	EXPECT_EQ(0, msr_read(SELECT0));
}

/*
 * Another agent writes the event select of a counter that the session does not use. This changes no
 * count of the session, so no sample is flagged, and the agent's value stays after the session. If
 * the agent enables a counter in the global control register, samples are flagged as disturbed.
 */
TEST_F(foreign, registers_that_no_group_uses_are_left_alone)
{
	uint32_t flags[2];

	ASSERT_EQ(0, after(0, SELECT1, COUNTS, flags));
	EXPECT_EQ(BPMU_SAMPLE_REQUEST, flags[0]);
	EXPECT_EQ(BPMU_SAMPLE_STOP, flags[1]);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	EXPECT_EQ(COUNTS, msr_read(SELECT1));
	ASSERT_EQ(0, msr_write(SELECT1, 0));
	ASSERT_EQ(0, after(0, FIXED_CTRL, 0x20, flags));
	EXPECT_EQ(BPMU_SAMPLE_REQUEST, flags[0]);
	EXPECT_EQ(BPMU_SAMPLE_STOP, flags[1]);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	EXPECT_EQ(0x20, msr_read(FIXED_CTRL));
	ASSERT_EQ(0, msr_write(FIXED_CTRL, 0));
	ASSERT_EQ(0, after(0, GLOBAL_CTRL, 3, flags));
	EXPECT_EQ(DISTURBED_REQUEST, flags[0]);
	EXPECT_EQ(DISTURBED_STOP, flags[1]);
}

/*
 * Two counters of another agent run before the session. The session takes them over, that is, stops
 * them. Then the agent writes their registers again. The session's last sample must be flagged as
 * disturbed.
 */
TEST_F(foreign, registers_of_a_counter_taken_over_are_compared)
{
	ASSERT_EQ(0, msr_write(FIXED_CTRL, 0x20));
	ASSERT_EQ(0, msr_write(SELECT1, COUNTS));
	ASSERT_EQ(0, configure(true, 0));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	ASSERT_EQ(0, msr_write(FIXED_CTRL, 0x20));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	ASSERT_EQ(0, log_read(&own));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	ASSERT_EQ(0, msr_write(SELECT1, OTHER_SELECT));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	ASSERT_EQ(0, log_read(&own));
	ASSERT_EQ(4, own.nr);
	EXPECT_EQ(DISTURBED_STOP, own.sample[1].head.flags);
	EXPECT_EQ(DISTURBED_STOP, own.sample[3].head.flags);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	EXPECT_EQ(COUNTS, msr_read(SELECT1));
	EXPECT_EQ(0x20, msr_read(FIXED_CTRL));
}

/*
 * Writes the registers that KVM with enable_mediated_pmu writes when a CPU enters and leaves a
 * guest that counts with one counter. After the CPU has left the guest, perf may enable its own
 * counters; @left is the value that perf writes to the global control register. Returns 0 or -1.
 */
static int run_guest(uint64_t left)
{
	if (msr_write(GLOBAL_CTRL, 0) || msr_write(SELECT0, COUNTS) || msr_write(COUNTER0, 1000) ||
	    msr_write(GLOBAL_CTRL, 1))
		return -1;
	log_loop(1000);
	return msr_write(GLOBAL_CTRL, 0) || msr_write(COUNTER0, 0) || msr_write(SELECT0, 0) ||
	       msr_write(FIXED_CTRL, 0) || msr_write(GLOBAL_CTRL, left) ? -1 : 0;
}

/*
 * Runs a guest of KVM during a session, by run_guest(). Stores in @flags the flags of the next
 * requested sample and of the session's last sample. @enabled: true if the global control register
 * has its old value afterwards, false if it is 0. Returns 0, or nonzero on an error.
 */
static int after_guest(bool enabled, uint32_t flags[2])
{
	if (configure(false, 0) || genl_command(&own.genl, BPMU_CMD_START) ||
	    run_guest(enabled ? msr_read(GLOBAL_CTRL) : 0) ||
	    genl_command(&own.genl, BPMU_CMD_SAMPLE) ||
	    genl_command(&own.genl, BPMU_CMD_STOP) || log_read(&own) || own.nr != 3)
		return -1;
	flags[0] = own.sample[1].head.flags;
	flags[1] = own.sample[2].head.flags;
	return genl_command(&own.genl, BPMU_CMD_RELEASE);
}

/*
 * KVM reserves no counters for a guest: only the values of the registers show that a guest has run.
 */
TEST_F(foreign, a_guest_with_the_whole_pmu_is_flagged)
{
	uint32_t flags[2];

	ASSERT_EQ(0, after_guest(false, flags));
	EXPECT_EQ(DISTURBED_REQUEST, flags[0]);
	EXPECT_EQ(DISTURBED_STOP, flags[1]);
	ASSERT_EQ(0, after_guest(true, flags));
	EXPECT_EQ(DISTURBED_STOP, flags[1]);
}

/*
 * Requests three samples of a session with two groups. After the first sample, plays another agent:
 * writes @select to the event select of counter 1. Stores in @flags the flags of these samples and
 * of the session's last sample. Returns 0 or -1.
 */
static int after_first_of_three(uint64_t select, uint32_t flags[4])
{
	const struct log_plan two = {
		.groups = 2, .interval_ns = 20000000000ULL,
		.timer = BPMU_TIMER_HARD,
	};
	unsigned int i;

	/*
	 * The event select must be written between the first and the second requested sample. If
	 * the session's timer has taken samples too, the loop repeats the session.
	 */
	do {
		if (log_configure(&own, &two) ||
		    genl_command(&own.genl, BPMU_CMD_START) ||
		    genl_command(&own.genl, BPMU_CMD_SAMPLE) ||
		    msr_write(SELECT1, select) ||
		    genl_command(&own.genl, BPMU_CMD_SAMPLE) ||
		    genl_command(&own.genl, BPMU_CMD_SAMPLE) ||
		    genl_command(&own.genl, BPMU_CMD_STOP) ||
		    log_read(&own) ||
		    genl_command(&own.genl, BPMU_CMD_RELEASE))
			return -1;
	} while (own.nr > 6);
	if (own.nr != 6)
		return -1;
	for (i = 0; i < 4; i++)
		flags[i] = own.sample[2 + i].head.flags;
	return 0;
}

/*
 * Each time the next group takes the counters, the module compares one event select of the group
 * that has counted with the value that it wrote: another one each time. The groups here have only
 * one event select each, so this one is compared each time.
 */
TEST_F(foreign, a_written_event_select_is_flagged_when_groups_change)
{
	uint32_t flags[4];

	ASSERT_EQ(0, after_first_of_three(0x41003c, flags));
	EXPECT_EQ(BPMU_SAMPLE_REQUEST, flags[0]);
	EXPECT_EQ(DISTURBED_REQUEST, flags[1]);
	EXPECT_EQ(BPMU_SAMPLE_REQUEST, flags[2]);
	EXPECT_EQ(BPMU_SAMPLE_STOP, flags[3]);
}

/* Configures two groups that have different event selects on counter 0 and on counter 1. */
static int configure_crossed(void)
{
	struct nlmsghdr *message = genl_new(&own.genl, BPMU_CMD_CONFIGURE, 0);
	const uint64_t selects[] = { own.instructions, OTHER_SELECT };
	const uint32_t cpu = 0;
	struct nlattr *group;
	unsigned int i;

	mnl_attr_put(message, BPMU_A_CPUS, sizeof(cpu), &cpu);
	for (i = 0; i < 2; i++) {
		group = mnl_attr_nest_start(message, BPMU_A_GROUP);
		genl_put_event(message, 0, selects[i]);
		genl_put_event(message, 1, selects[!i]);
		mnl_attr_nest_end(message, group);
	}
	mnl_attr_put_u64(message, BPMU_A_INTERVAL_NS, 20000000000ULL);
	mnl_attr_put_u32(message, BPMU_A_TIMER, BPMU_TIMER_HARD);
	return log_send(&own);
}

/*
 * When the counters go from the first group to the second for the first time, the module checks
 * only the event select of counter 0 for itself. Here another agent has written the event select of
 * counter 1. The module must find this when it overwrites this event select for the second group.
 * Later changes of groups may be from and to other groups, because their order is random.
 */
TEST_F(foreign, a_written_event_select_is_flagged_when_it_is_overwritten)
{
	do {
		ASSERT_EQ(0, configure_crossed());
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
		ASSERT_EQ(0, msr_write(SELECT1, 0x41003c));
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_SAMPLE));
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
		ASSERT_EQ(0, log_read(&own));
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	} while (own.nr > 4);
	ASSERT_EQ(4, own.nr);
	EXPECT_EQ(DISTURBED_REQUEST, own.sample[2].head.flags);
	EXPECT_EQ(BPMU_SAMPLE_STOP, own.sample[3].head.flags);
}

/*
 * The first group has no fixed counter. So the module does not compare the control register of the
 * fixed counters when it takes samples of this group, but must compare this register when it
 * overwrites the register for the second group.
 */
TEST_F(foreign, a_written_fixed_control_is_flagged_when_it_is_overwritten)
{
	struct nlmsghdr *message;
	const uint32_t cpu = 0;

	do {
		message = genl_new(&own.genl, BPMU_CMD_CONFIGURE, 0);
		mnl_attr_put(message, BPMU_A_CPUS, sizeof(cpu), &cpu);
		genl_put_group(message, 0, own.instructions);
		genl_put_group(message, BPMU_COUNTER_FIXED, IN_USER_SPACE);
		mnl_attr_put_u64(message, BPMU_A_INTERVAL_NS, 20000000000ULL);
		mnl_attr_put_u32(message, BPMU_A_TIMER, BPMU_TIMER_HARD);
		ASSERT_EQ(0, log_send(&own));
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
		ASSERT_EQ(0, msr_write(FIXED_CTRL, 0x20));
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_SAMPLE));
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
		ASSERT_EQ(0, log_read(&own));
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	} while (own.nr > 4);
	ASSERT_EQ(4, own.nr);
	EXPECT_EQ(DISTURBED_REQUEST, own.sample[2].head.flags);
	EXPECT_EQ(BPMU_SAMPLE_STOP, own.sample[3].head.flags);
}

/*
 * BPMU_CMD_SWAP replaces the groups of a session that runs. The new group uses counter 1, which the
 * old group does not use. The module must save the value of counter 1 before it programs counter 1,
 * and restore the value when the session is released.
 */
TEST_F(foreign, a_counter_that_a_swap_brings_is_restored)
{
	ASSERT_EQ(0, msr_write(COUNTER1, 7000));
	ASSERT_EQ(0, configure(false, 0));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	ASSERT_EQ(0, log_swap(&own, 1));
	log_loop(1000);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	ASSERT_LT(7000, msr_read(COUNTER1));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	EXPECT_EQ(7000, msr_read(COUNTER1));
	EXPECT_EQ(0, msr_read(SELECT1));
	ASSERT_EQ(0, msr_write(COUNTER1, 0));
}

/*
 * Runs a session in which counter 0 counts until it overflows. The counter begins @top counts
 * before the overflow; if @top is 0, it begins at its old value. Returns 0 or -1.
 */
static int overflow(uint32_t top)
{
	if (configure(false, top) ||
	    genl_command(&own.genl, BPMU_CMD_START))
		return -1;
	log_loop(100000);
	return genl_command(&own.genl, BPMU_CMD_STOP);
}

TEST_F(foreign, overflow_bits_of_a_session_are_cleared)
{
	ASSERT_EQ(0, msr_write(COUNTER0, NEAR_WRAP));
	ASSERT_EQ(0, overflow(0));
	EXPECT_EQ(1, msr_read(STATUS) & ALL_STATUS);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	EXPECT_EQ(0, msr_read(STATUS) & ALL_STATUS);
}

/*
 * If a counter of another agent has set an overflow bit, this bit must stay: the agent may still
 * read it.
 */
TEST_F(foreign, overflow_bits_of_other_agents_are_kept)
{
	ASSERT_EQ(0, msr_write(COUNTER0, NEAR_WRAP));
	ASSERT_EQ(0, msr_write(SELECT0, COUNTS));
	ASSERT_EQ(0, msr_write(GLOBAL_CTRL, 1));
	log_loop(100000);
	ASSERT_EQ(0, msr_write(SELECT0, 0));
	ASSERT_EQ(1, msr_read(STATUS) & ALL_STATUS);
	ASSERT_EQ(0, overflow(0));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	EXPECT_EQ(1, msr_read(STATUS) & ALL_STATUS);
	EXPECT_EQ(1, msr_read(GLOBAL_CTRL));
	/*
	 * With BPMU_A_TOP, the module itself writes a value just below the maximum to each counter
	 * of the session. So the session sets the overflow bits, and must clear them.
	 */
	ASSERT_EQ(0, overflow(1000));
	EXPECT_EQ(1, msr_read(STATUS) & ALL_STATUS);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	EXPECT_EQ(0, msr_read(STATUS) & ALL_STATUS);
}

/*
 * Configures three groups of the uncore's arbiter, whose events never happen: the first group uses
 * both counters, the second only counter 0, the third only counter 1.
 */
static int configure_arbiter(void)
{
	static const struct {
		unsigned int group;
		uint32_t counter;
		uint64_t select;
	} event[] = { { 0, 0, 0x183 }, { 0, 1, 0x185 }, { 1, 0, 0x283 }, { 2, 1, 0x383 } };
	struct nlmsghdr *message = genl_new(&own.genl, BPMU_CMD_CONFIGURE, 0);
	const uint32_t cpu = 0;
	struct nlattr *group;
	unsigned int g, i;

	mnl_attr_put(message, BPMU_A_CPUS, sizeof(cpu), &cpu);
	for (g = 0; g < 3; g++) {
		group = mnl_attr_nest_start(message, BPMU_A_UNCORE_GROUP);
		for (i = 0; i < sizeof(event) / sizeof(*event); i++)
			if (event[i].group == g)
				genl_put_event(message, ARBITER + event[i].counter,
					       event[i].select);
		mnl_attr_nest_end(message, group);
	}
	mnl_attr_put_u64(message, BPMU_A_INTERVAL_NS, 20000000000ULL);
	mnl_attr_put_u32(message, BPMU_A_TIMER, BPMU_TIMER_HARD);
	return log_send(&own);
}

/*
 * Requests @samples samples, at most three. Sample number n, counted from 0, is of the arbiter's
 * group n; the next group then takes the counters. Before the request for sample number @write,
 * plays another agent: writes @value to the register @address. Returns 0 or -1.
 */
static int sample_arbiter(unsigned int samples, unsigned int write, uint32_t address,
			  uint64_t value)
{
	unsigned int i;

	do {
		if (configure_arbiter() || genl_command(&own.genl, BPMU_CMD_START))
			return -1;
		for (i = 0; i < samples; i++) {
			if (i == write && msr_write(address, value))
				return -1;
			if (genl_command(&own.genl, BPMU_CMD_SAMPLE))
				return -1;
		}
		if (genl_command(&own.genl, BPMU_CMD_STOP) || log_read(&own))
			return -1;
	} while (own.nr > 3 + samples + 1);
	return own.nr == 3 + samples + 1 ? 0 : -1;
}

/*
 * The second group does not use counter 1. While the second group counts, another agent writes the
 * event select of counter 1. The next sample must be flagged as disturbed, and the agent's value
 * must stay.
 */
TEST_F(foreign, a_shared_counter_of_another_agent_is_flagged_and_kept_when_groups_change)
{
	ASSERT_EQ(0, sample_arbiter(2, 1, ARBITER_SELECT1, ARBITER_COUNTS));
	EXPECT_EQ(BPMU_SAMPLE_REQUEST, own.sample[3].head.flags);
	EXPECT_EQ(DISTURBED_REQUEST, own.sample[4].head.flags);
	EXPECT_EQ(ARBITER_COUNTS, msr_read(ARBITER_SELECT1));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	EXPECT_EQ(ARBITER_COUNTS, msr_read(ARBITER_SELECT1));
	EXPECT_EQ(0, msr_write(ARBITER_SELECT1, 0));
}

TEST_F(foreign, a_stopped_uncore_is_flagged_when_groups_change)
{
	ASSERT_EQ(0, sample_arbiter(2, 1, UNCORE_CTRL, 0));
	EXPECT_EQ(BPMU_SAMPLE_REQUEST, own.sample[3].head.flags);
	EXPECT_EQ(DISTURBED_REQUEST, own.sample[4].head.flags);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
}

TEST_F(foreign, a_shared_counter_begins_at_its_value_when_groups_change)
{
	ASSERT_EQ(0, msr_write(ARBITER_COUNTER1, 5000));
	ASSERT_EQ(0, sample_arbiter(3, 3, 0, 0));
	EXPECT_EQ(5000, own.sample[2].value[0]);
	EXPECT_EQ(2, own.sample[5].head.group);
	EXPECT_EQ(5000, own.sample[5].value[0]);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	EXPECT_EQ(5000, msr_read(ARBITER_COUNTER1));
	EXPECT_EQ(0, msr_write(ARBITER_COUNTER1, 0));
}

/*
 * The session is stopped while the second group counts. The second group does not use counter 1,
 * whose event select is still that of the first group. The module must clear it.
 */
TEST_F(foreign, event_selects_of_all_groups_are_cleared_when_a_run_ends)
{
	ASSERT_EQ(0, sample_arbiter(1, 1, 0, 0));
	EXPECT_EQ(0, msr_read(ARBITER_SELECT1));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
}

/* Whoever has switched prefetchers off finds the same ones off after the session. */
TEST_F(foreign, prefetchers_are_those_of_before)
{
	const uint64_t before = msr_read(PREFETCH_CTRL);

	ASSERT_EQ(0, msr_write(PREFETCH_CTRL, 2));
	mnl_attr_put_u32(genl_plan(&own.genl), BPMU_A_PREFETCH, 5);
	EXPECT_EQ(0, genl_send(&own.genl));
	EXPECT_EQ(5, msr_read(PREFETCH_CTRL));
	EXPECT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	EXPECT_EQ(2, msr_read(PREFETCH_CTRL));
	msr_write(PREFETCH_CTRL, before);
}

TEST_HARNESS_MAIN
