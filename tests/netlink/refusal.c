// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of what the documentation in uapi/linux/barepmu.h promises: which requests the module
 * refuses, and in which states a session is after a command. A refusal must have the promised
 * errno, and a sentence in the extended acknowledgment.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>

#include <linux/barepmu.h>
#include <linux/genetlink.h>
#include <kselftest_harness.h>

#include "genl.h"

#define NOBODY 65534
/*
 * Number of processes that configure sessions at the same time, and number of times that each of
 * these processes tries.
 */
#define CONTENDERS 16
#define CONTENDED 200

static int configure(struct genl *genl)
{
	genl_plan(genl);
	return genl_send(genl);
}

static int configure_select(struct genl *genl, uint32_t counter,
			    uint64_t select)
{
	genl_put_group(genl_new(genl, BPMU_CMD_CONFIGURE, 0), counter, select);
	return genl_send(genl);
}

#define EXPECT_REFUSED(genl, code, expected, text) do { \
	EXPECT_EQ(expected, code); \
	EXPECT_STREQ(text, (genl)->sentence); \
} while (0)

FIXTURE(session) {
	struct genl genl;
};

FIXTURE_SETUP(session)
{
	GENL_LOAD(return);
	ASSERT_EQ(0, genl_open(&self->genl));
}

FIXTURE_TEARDOWN(session)
{
	genl_close(&self->genl);
}

TEST_F(session, get_info_sends_one_reply)
{
	EXPECT_EQ(0, genl_command(&self->genl, BPMU_CMD_GET_INFO));
	EXPECT_EQ(1, self->genl.replies);
}

TEST_F(session, idle_refuses_all_but_configure)
{
	static const uint8_t refused[] = {
		BPMU_CMD_START, BPMU_CMD_STOP, BPMU_CMD_SAMPLE, BPMU_CMD_READ,
	};
	unsigned int i;
	int code;

	for (i = 0; i < sizeof(refused); i++) {
		code = genl_command(&self->genl, refused[i]);
		EXPECT_NE(0, code);
		EXPECT_STREQ("there is no session; configure one first",
			     self->genl.sentence);
	}
}

TEST_F(session, idle_accepts_release)
{
	EXPECT_EQ(0, genl_command(&self->genl, BPMU_CMD_RELEASE));
}

TEST_F(session, ready_accepts_configure_read_and_release)
{
	int code;

	ASSERT_EQ(0, configure(&self->genl));
	EXPECT_EQ(0, configure(&self->genl));
	code = genl_command(&self->genl, BPMU_CMD_SAMPLE);
	EXPECT_NE(0, code);
	EXPECT_STREQ("the session is not running; start it first",
		     self->genl.sentence);
	EXPECT_NE(0, genl_command(&self->genl, BPMU_CMD_STOP));
	EXPECT_EQ(0, genl_command(&self->genl, BPMU_CMD_READ));
	EXPECT_EQ(0, genl_command(&self->genl, BPMU_CMD_RELEASE));
}

TEST_F(session, running_accepts_sample_read_stop_and_release)
{
	ASSERT_EQ(0, configure(&self->genl));
	ASSERT_EQ(0, genl_command(&self->genl, BPMU_CMD_START));
	EXPECT_NE(0, configure(&self->genl));
	EXPECT_STREQ("the session is running; stop it first",
		     self->genl.sentence);
	EXPECT_NE(0, genl_command(&self->genl, BPMU_CMD_START));
	EXPECT_STREQ("the session is running already", self->genl.sentence);
	EXPECT_EQ(0, genl_command(&self->genl, BPMU_CMD_SAMPLE));
	EXPECT_EQ(0, genl_command(&self->genl, BPMU_CMD_READ));
	EXPECT_LE(1, self->genl.replies);
	EXPECT_EQ(0, genl_command(&self->genl, BPMU_CMD_STOP));
	EXPECT_EQ(0, genl_command(&self->genl, BPMU_CMD_START));
	EXPECT_EQ(0, genl_command(&self->genl, BPMU_CMD_RELEASE));
}

static void put_filtered(struct nlmsghdr *message, uint32_t counter,
			 uint64_t select, uint64_t filter)
{
	struct nlattr *nest;

	nest = mnl_attr_nest_start(message, BPMU_A_GROUP_EVENT);
	mnl_attr_put_u32(message, BPMU_A_EVENT_COUNTER, counter);
	mnl_attr_put_u64(message, BPMU_A_EVENT_SELECT, select);
	mnl_attr_put_u64(message, BPMU_A_EVENT_FILTER, filter);
	mnl_attr_nest_end(message, nest);
}

/*
 * Configures two events of CBos. The first event counts requests that miss the L3, with the filter
 * @first. The second event has the event select @select and the filter @second. Returns 0 or a
 * negative errno.
 */
static int configure_filters(struct genl *genl, uint64_t first, uint64_t select,
			     uint64_t second)
{
	const uint32_t cpu = 0;
	struct nlmsghdr *message = genl_new(genl, BPMU_CMD_CONFIGURE, 0);
	struct nlattr *nest;

	mnl_attr_put(message, BPMU_A_CPUS, sizeof(cpu), &cpu);
	nest = mnl_attr_nest_start(message, BPMU_A_UNCORE_GROUP);
	put_filtered(message, BPMU_COUNTER_CHA, 0x335, first);
	put_filtered(message, BPMU_COUNTER_CHA + 1, select, second);
	mnl_attr_nest_end(message, nest);
	return genl_send(genl);
}

TEST_F(session, a_filter_of_a_core_event_is_refused)
{
	const uint32_t cpu = 0;
	struct nlmsghdr *message = genl_new(&self->genl, BPMU_CMD_CONFIGURE, 0);
	struct nlattr *nest;

	mnl_attr_put(message, BPMU_A_CPUS, sizeof(cpu), &cpu);
	nest = mnl_attr_nest_start(message, BPMU_A_GROUP);
	put_filtered(message, 0, GENL_SELECT, 1);
	mnl_attr_nest_end(message, nest);
	EXPECT_REFUSED(&self->genl, genl_send(&self->genl), -EINVAL,
		       "the event does not use these bits of its box's filter, or there is no filter; leave them 0");
}

/*
 * Configures two core events. The first has the event select @select, and its extra register gets
 * the value @value. The second has the event select @other, and its extra register gets @second.
 * Returns 0 or a negative errno.
 */
static int configure_extras(struct genl *genl, uint64_t select, uint64_t value,
			    uint64_t other, uint64_t second)
{
	const uint32_t cpu = 0;
	struct nlmsghdr *message = genl_new(genl, BPMU_CMD_CONFIGURE, 0);
	struct nlattr *nest;

	mnl_attr_put(message, BPMU_A_CPUS, sizeof(cpu), &cpu);
	nest = mnl_attr_nest_start(message, BPMU_A_GROUP);
	put_filtered(message, 0, select, value);
	put_filtered(message, 1, other, second);
	mnl_attr_nest_end(message, nest);
	return genl_send(genl);
}

/* Adds a group with an off-core event, whose extra register gets the value @value. */
static void put_offcore(struct nlmsghdr *message, uint64_t value)
{
	struct nlattr *nest = mnl_attr_nest_start(message, BPMU_A_GROUP);

	put_filtered(message, 0, 0x301b7, value);
	mnl_attr_nest_end(message, nest);
}

static int send_offcore(struct genl *genl, uint8_t command, uint64_t value)
{
	put_offcore(genl_new(genl, command, 0), value);
	return genl_send(genl);
}

/* On Nehalem and Westmere, the threads of a core share the extra register of off-core events. */
TEST_F(session, threads_that_share_an_extra_register_need_one_value)
{
	struct nlmsghdr *message = genl_new(&self->genl, BPMU_CMD_CONFIGURE, 0);
	int code;

	mnl_attr_put_u64(message, BPMU_A_INTERVAL_NS, 10000000);
	put_offcore(message, 0x4001);
	put_offcore(message, 0x2001);
	code = genl_send(&self->genl);
	if (code != -EINVAL || !strstr(self->genl.sentence, "threads"))
		SKIP(return, "threads share no extra register here");
	EXPECT_STREQ("the threads of a core share the off-core registers of this part: a register needs the same value in all groups, or measure one thread of each core",
		     self->genl.sentence);
	ASSERT_EQ(0, send_offcore(&self->genl, BPMU_CMD_CONFIGURE, 0x4001));
	ASSERT_EQ(0, genl_command(&self->genl, BPMU_CMD_START));
	EXPECT_REFUSED(&self->genl, send_offcore(&self->genl, BPMU_CMD_SWAP, 0x2001), -EINVAL,
		       "the threads of a core share the off-core registers of this part: a swap must keep their values");
	EXPECT_EQ(0, send_offcore(&self->genl, BPMU_CMD_SWAP, 0x4001));
	EXPECT_EQ(0, genl_command(&self->genl, BPMU_CMD_STOP));
}

/*
 * From Sandy Bridge to Ice Lake, the events 0xb7 and 0xbb count off-core requests, and each has an
 * extra register of its own.
 */
TEST_F(session, conflicting_values_of_an_extra_register_are_refused)
{
	if (configure_extras(&self->genl, 0x301b7, 0x10001, GENL_SELECT, 0))
		SKIP(return, "this part has other off-core events");
	EXPECT_EQ(0, configure_extras(&self->genl, 0x301b7, 0x10001, 0x301bb,
				      0x10002));
	EXPECT_EQ(0, configure_extras(&self->genl, 0x301b7, 0x10001, 0x101b7,
				      0x10001));
	EXPECT_REFUSED(&self->genl,
		       configure_extras(&self->genl, 0x301b7, 0x10001, 0x101b7,
					0x10002), -EINVAL,
		       "two events of the group need different values of one extra register; use the other off-core event for one of them, or put them into two groups");
	EXPECT_REFUSED(&self->genl,
		       configure_extras(&self->genl, 0x301b7, 1ULL << 63, 0x301bb,
					0), -EINVAL,
		       "a bit of the event's extra register is reserved on this part");
	EXPECT_REFUSED(&self->genl,
		       configure_extras(&self->genl, 0x302b7, 0x10001, 0x301bb, 0),
		       -EINVAL,
		       "the event does not use these bits of its box's filter, or there is no filter; leave them 0");
}

/*
 * Two events need different opcodes, but the filter of a CBo has room for only one. tests/pmu/cbo
 * runs this test on a server.
 */
TEST_F(session, conflicting_filters_of_cbos_are_refused)
{
	const uint64_t read = 0x182ULL << 52;
	const uint64_t write = 0x180ULL << 52;
	const uint64_t state = 1 << 17;

	if (configure_filters(&self->genl, read, 0x335, read))
		SKIP(return, "no CBos with such counters here");
	EXPECT_REFUSED(&self->genl,
		       configure_filters(&self->genl, read, 0x335, write),
		       -EINVAL,
		       "two events of the group need different values of the box's only filter; put them into two groups");
	EXPECT_REFUSED(&self->genl,
		       configure_filters(&self->genl, read, 0x135, 0), -EINVAL,
		       "two events of the group need different values of the box's only filter; put them into two groups");
	EXPECT_EQ(0, configure_filters(&self->genl, read, 0x334, state));
	EXPECT_EQ(0, configure_filters(&self->genl, read, 0, 0));
	EXPECT_REFUSED(&self->genl,
		       configure_filters(&self->genl, read, 0, state), -EINVAL,
		       "the event does not use these bits of its box's filter, or there is no filter; leave them 0");
	EXPECT_REFUSED(&self->genl,
		       configure_filters(&self->genl, read, 0x30000, 0), -EINVAL,
		       "legal for CBos and CHAs: event, umask, edge, tid_en, threshold; no USR, OS");
}

static int configure_channel(struct genl *genl, uint32_t counter, uint64_t select,
			     uint64_t filter)
{
	const uint32_t cpu = 0;
	struct nlmsghdr *message = genl_new(genl, BPMU_CMD_CONFIGURE, 0);
	struct nlattr *nest;

	mnl_attr_put(message, BPMU_A_CPUS, sizeof(cpu), &cpu);
	nest = mnl_attr_nest_start(message, BPMU_A_UNCORE_GROUP);
	put_filtered(message, counter, select, filter);
	mnl_attr_nest_end(message, nest);
	return genl_send(genl);
}

/*
 * Event 4 of memory channels is configured with illegal bits in its event select. tests/pmu/imc
 * runs this test on a server.
 */
TEST_F(session, illegal_selects_of_memory_channels_are_refused)
{
	const uint32_t counter = BPMU_COUNTER_IMC;

	if (configure_channel(&self->genl, counter, 0x304, 0))
		SKIP(return, "no memory channels with such counters here");
	EXPECT_EQ(0, configure_channel(&self->genl, counter + 4, 0, 0));
	EXPECT_REFUSED(&self->genl,
		       configure_channel(&self->genl, counter, 0x10304, 0), -EINVAL,
		       "legal for memory channels: event, umask, edge, threshold, for their clock 0; no USR, OS");
	EXPECT_REFUSED(&self->genl,
		       configure_channel(&self->genl, counter + 4, 0x304, 0), -EINVAL,
		       "legal for memory channels: event, umask, edge, threshold, for their clock 0; no USR, OS");
	EXPECT_REFUSED(&self->genl,
		       configure_channel(&self->genl, counter, 0x304, 1), -EINVAL,
		       "the event does not use these bits of its box's filter, or there is no filter; leave them 0");
}

/*
 * Events of M2Ms (reads) and of UPI links (data) are configured with illegal bits in the event
 * select. tests/pmu/upi runs this test on a server.
 */
TEST_F(session, illegal_selects_of_m2ms_and_upi_links_are_refused)
{
	const uint32_t link = BPMU_COUNTER_LINK;
	const uint32_t m2m = BPMU_COUNTER_HA;

	if (configure_channel(&self->genl, link, 0xf02, 0) ||
	    !configure_channel(&self->genl, link, 0x200f02, 0))
		SKIP(return, "no UPI links with such counters here");
	EXPECT_REFUSED(&self->genl,
		       configure_channel(&self->genl, link, 0x200f02, 0), -EINVAL,
		       "legal for links: event (QPI: bit 21), umask, edge, threshold; no USR, OS");
	EXPECT_EQ(0, configure_channel(&self->genl, m2m + 3, 0xff840437, 0));
	EXPECT_REFUSED(&self->genl,
		       configure_channel(&self->genl, m2m, 0x100000437, 0), -EINVAL,
		       "legal for home agents and M2Ms: event, umask, edge, threshold; no USR, OS");
}

/*
 * Events of home agents (reads) and of QPI links (data) are configured with illegal bits in the
 * event select. tests/pmu/links runs this test on a server.
 */
TEST_F(session, illegal_selects_of_home_agents_and_qpi_links_are_refused)
{
	const uint32_t link = BPMU_COUNTER_LINK;
	const uint32_t ha = BPMU_COUNTER_HA;

	if (configure_channel(&self->genl, ha, 0x301, 0) ||
	    configure_channel(&self->genl, link, 0x200802, 0))
		SKIP(return, "no home agents with such counters here, or M2Ms");
	EXPECT_REFUSED(&self->genl,
		       configure_channel(&self->genl, ha, 0x200301, 0), -EINVAL,
		       "legal for home agents and M2Ms: event, umask, edge, threshold; no USR, OS");
	EXPECT_EQ(0, configure_channel(&self->genl, link + 3, 0x200802, 0));
	EXPECT_REFUSED(&self->genl,
		       configure_channel(&self->genl, link, 0x210802, 0), -EINVAL,
		       "legal for links: event (QPI: bit 21), umask, edge, threshold; no USR, OS");
	EXPECT_REFUSED(&self->genl,
		       configure_channel(&self->genl, link, 0x200802, 1), -EINVAL,
		       "the event does not use these bits of its box's filter, or there is no filter; leave them 0");
}

/*
 * The event select of an IIO stack has a mask of ports and a mask of flow control classes. Events
 * that count data requests are configured with illegal bits. tests/pmu/iio runs this test on a
 * server.
 */
TEST_F(session, illegal_selects_of_iio_stacks_are_refused)
{
	const char *fields = "legal for IIO stacks: event, umask, edge, inv, threshold, ch_mask, fc_mask";
	const uint32_t iio = BPMU_COUNTER_IIO;

	if (configure_channel(&self->genl, iio, 0x701000000483, 0))
		SKIP(return, "no IIO stacks with such counters here");
	EXPECT_EQ(0, configure_channel(&self->genl, iio + 3, 0x7fffff84ffff, 0));
	EXPECT_REFUSED(&self->genl,
		       configure_channel(&self->genl, iio, 0xf01000000483, 0), -EINVAL,
		       fields);
	EXPECT_REFUSED(&self->genl,
		       configure_channel(&self->genl, iio, 0x701000010483, 0), -EINVAL,
		       fields);
	EXPECT_REFUSED(&self->genl,
		       configure_channel(&self->genl, iio, 0x701000000483, 1), -EINVAL,
		       "the event does not use these bits of its box's filter, or there is no filter; leave them 0");
}

/*
 * The IIO stacks of Ice Lake have twelve ports. Therefore the mask of flow control classes is in
 * other bits of the event select. tests/pmu/icx runs this test.
 */
TEST_F(session, illegal_selects_of_iio_stacks_with_twelve_parts_are_refused)
{
	const char *fields = "legal for IIO stacks: event, umask, edge, inv, threshold, ch_mask, fc_mask";
	const uint32_t iio = BPMU_COUNTER_IIO;

	if (configure_channel(&self->genl, iio, 0x7fff000000483, 0))
		SKIP(return, "no IIO stacks with such counters here");
	EXPECT_EQ(0, configure_channel(&self->genl, iio + 3, 0x7ffffff84ffff, 0));
	EXPECT_REFUSED(&self->genl,
		       configure_channel(&self->genl, iio, 0xffff000000483, 0), -EINVAL,
		       fields);
}

/*
 * Events of IRPs (writes on the fast path) are configured with illegal bits in the event select.
 * tests/pmu/iio runs this test on a server.
 */
TEST_F(session, illegal_selects_of_irps_are_refused)
{
	const char *fields = "legal for IRPs: event, umask, edge, inv, threshold; no USR, OS";
	const uint32_t irp = BPMU_COUNTER_IRP;

	if (configure_channel(&self->genl, irp, 0x811, 0))
		SKIP(return, "no IRPs with such counters here");
	EXPECT_EQ(0, configure_channel(&self->genl, irp + 1, 0xff84ffff, 0));
	EXPECT_REFUSED(&self->genl, configure_channel(&self->genl, irp, 0x10811, 0), -EINVAL,
		       fields);
	EXPECT_REFUSED(&self->genl, configure_channel(&self->genl, irp, 0x100000811, 0), -EINVAL,
		       fields);
	EXPECT_REFUSED(&self->genl, configure_channel(&self->genl, irp, 0x811, 1), -EINVAL,
		       "the event does not use these bits of its box's filter, or there is no filter; leave them 0");
	EXPECT_REFUSED(&self->genl, configure_channel(&self->genl, irp + 2, 0x811, 0), -EINVAL,
		       "this package has no uncore counter of that number");
}

/*
 * Events of Knights Landing's memory controllers (reads) are configured with illegal bits in the
 * event select. tests/pmu/mcdram runs this test.
 */
TEST_F(session, illegal_selects_of_knights_landing_s_boxes_are_refused)
{
	static const struct {
		uint32_t counter, fixed;
		const char *legal;
	} all[] = {
		{ BPMU_COUNTER_EDC_ECLK, 4,
		  "legal for EDC ECLKs: event, umask, edge, inv, threshold, for their clock 0; no USR, OS" },
		{ BPMU_COUNTER_EDC_UCLK, 4,
		  "legal for EDC UCLKs: event, umask, edge, inv, threshold, for their clock 0; no USR, OS" },
		{ BPMU_COUNTER_IMC_UCLK, 4,
		  "legal for IMC UCLKs: event, umask, edge, inv, threshold, for their clock 0; no USR, OS" },
		{ BPMU_COUNTER_M2PCIE, 0,
		  "legal for M2PCIes: event, umask, edge, inv, threshold; no USR, OS" },
	};
	size_t i;

	if (configure_channel(&self->genl, BPMU_COUNTER_EDC_ECLK, 0x101, 0))
		SKIP(return, "no EDCs with such counters here");
	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		EXPECT_EQ(0, configure_channel(&self->genl, all[i].counter + 3, 0xff84ffff, 0));
		EXPECT_EQ(0, configure_channel(&self->genl, all[i].counter + all[i].fixed, 0, 0));
		EXPECT_REFUSED(&self->genl,
			       configure_channel(&self->genl, all[i].counter, 0x210101, 0), -EINVAL,
			       all[i].legal);
		EXPECT_REFUSED(&self->genl,
			       configure_channel(&self->genl, all[i].counter, 0x100000101, 0),
			       -EINVAL, all[i].legal);
		EXPECT_REFUSED(&self->genl,
			       configure_channel(&self->genl, all[i].counter, 0x101, 1), -EINVAL,
			       "the event does not use these bits of its box's filter, or there is no filter; leave them 0");
		if (all[i].fixed)
			EXPECT_REFUSED(&self->genl,
				       configure_channel(&self->genl, all[i].counter + 4, 1, 0),
				       -EINVAL, all[i].legal);
		EXPECT_REFUSED(&self->genl,
			       configure_channel(&self->genl, all[i].counter + 5, 0, 0), -EINVAL,
			       "this package has no uncore counter of that number");
	}
}

/*
 * Events of the PCU (clock, cores in C6, a frequency band) and of the UBox (messages) are
 * configured with illegal bits in the event select. tests/pmu/pcu runs this test.
 */
TEST_F(session, illegal_selects_of_pcu_and_ubox_are_refused)
{
	const uint32_t pcu = BPMU_COUNTER_PCU;
	const uint32_t ubox = BPMU_COUNTER_UBOX;

	if (configure_channel(&self->genl, pcu, 0, 0))
		SKIP(return, "no power control unit with such counters here");
	EXPECT_EQ(0, configure_channel(&self->genl, pcu + 3, 0x4300c080, 0));
	EXPECT_EQ(0, configure_channel(&self->genl, pcu, 0x0c, 0x1e00));
	EXPECT_REFUSED(&self->genl,
		       configure_channel(&self->genl, pcu, 0x0c, 0x1e), -EINVAL,
		       "the event does not use these bits of its box's filter, or there is no filter; leave them 0");
	EXPECT_REFUSED(&self->genl,
		       configure_channel(&self->genl, pcu, 0x10000, 0), -EINVAL,
		       "legal for PCUs: event, C-state, edge, threshold to 31; no USR");
	EXPECT_REFUSED(&self->genl,
		       configure_channel(&self->genl, pcu, 0x20000000, 0), -EINVAL,
		       "legal for PCUs: event, C-state, edge, threshold to 31; no USR");
	EXPECT_EQ(0, configure_channel(&self->genl, ubox + 1, 0x1f000842, 0));
	EXPECT_EQ(0, configure_channel(&self->genl, ubox + 2, 0, 0));
	EXPECT_REFUSED(&self->genl,
		       configure_channel(&self->genl, ubox, 0x20000842, 0), -EINVAL,
		       "legal for UBoxes: event, umask, edge, threshold to 31; for their clock: 0");
	EXPECT_REFUSED(&self->genl,
		       configure_channel(&self->genl, ubox + 2, 0x842, 0), -EINVAL,
		       "legal for UBoxes: event, umask, edge, threshold to 31; for their clock: 0");
	EXPECT_REFUSED(&self->genl,
		       configure_channel(&self->genl, ubox, 0x842, 1), -EINVAL,
		       "the event does not use these bits of its box's filter, or there is no filter; leave them 0");
}

TEST_F(session, a_second_owner_is_refused_until_the_first_closes)
{
	static struct genl other;

	ASSERT_EQ(0, genl_open(&other));
	ASSERT_EQ(0, configure(&self->genl));
	EXPECT_EQ(-EBUSY, configure(&other));
	EXPECT_STREQ("the counters are in use by another process",
		     other.sentence);
	EXPECT_NE(0, genl_command(&other, BPMU_CMD_START));
	EXPECT_NE(0, genl_command(&other, BPMU_CMD_READ));
	EXPECT_NE(0, genl_command(&other, BPMU_CMD_RELEASE));
	EXPECT_EQ(0, genl_command(&other, BPMU_CMD_GET_INFO));
	genl_close(&self->genl);
	EXPECT_EQ(0, configure(&other));
	genl_close(&other);
}

TEST_F(session, configure_without_cap_perfmon_is_refused)
{
	int status = 0;
	pid_t child;
	int code;

	child = fork();
	ASSERT_LE(0, child);
	if (!child) {
		if (setuid(NOBODY) || genl_open(&self->genl))
			_exit(2);
		code = configure(&self->genl);
		if (code != -EPERM || !strstr(self->genl.sentence, "CAP_PERFMON"))
			_exit(1);
		_exit(genl_command(&self->genl, BPMU_CMD_GET_INFO) ? 3 : 0);
	}
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
}

TEST_F(session, illegal_bits_and_counters_are_refused)
{
	struct genl *genl = &self->genl;

	EXPECT_REFUSED(genl, configure_select(genl, 0, GENL_SELECT | 1 << 20),
		       -EINVAL,
		       "INT (bit 20) is set by the module for BPMU_A_EVENT_PERIOD; leave it 0");
	EXPECT_REFUSED(genl, configure_select(genl, 0, GENL_SELECT | 1 << 19),
		       -EINVAL, "PC (pin control, bit 19) is refused");
	EXPECT_REFUSED(genl, configure_select(genl, 0, GENL_SELECT | 1 << 22),
		       -EINVAL,
		       "EN (enable, bit 22) is set by the module; leave it 0");
	EXPECT_REFUSED(genl, configure_select(genl, 0, GENL_SELECT | 1ULL << 63),
		       -EINVAL, "a bit in 63:32 is reserved on this part");
	EXPECT_REFUSED(genl, configure_select(genl, 31, GENL_SELECT), -EINVAL,
		       "this CPU has no counter of that number");
	EXPECT_REFUSED(genl, configure_select(genl, 4000000000U, GENL_SELECT),
		       -EINVAL, "this CPU has no counter of that number");
}

/*
 * The test sets the bits UMASK2 and EQ in an event select. The CPU model has these bits, but the
 * CPUID of this virtual machine lacks them. tests/pmu/version6 runs this test on Lunar Lake.
 */
TEST_F(session, bits_that_cpuid_does_not_have_are_refused)
{
	const char *why =
		"CPUID has no UMASK2 (47:40) and EQ (36) here, or a hypervisor hides them";
	struct genl *genl = &self->genl;

	if (!configure_select(genl, 0, GENL_SELECT | 1ULL << 40))
		SKIP(return, "CPUID has them");
	if (!strstr(genl->sentence, "CPUID"))
		SKIP(return, "the part does not have them");
	EXPECT_REFUSED(genl, configure_select(genl, 0, GENL_SELECT | 1ULL << 40), -EINVAL, why);
	EXPECT_REFUSED(genl, configure_select(genl, 0, GENL_SELECT | 1ULL << 47), -EINVAL, why);
	EXPECT_REFUSED(genl, configure_select(genl, 0, GENL_SELECT | 1ULL << 36), -EINVAL, why);
	EXPECT_REFUSED(genl, configure_select(genl, 0, GENL_SELECT | 1ULL << 39), -EINVAL,
		       "a bit in 63:32 is reserved on this part");
}

TEST_F(session, invalid_groups_are_refused)
{
	struct genl *genl = &self->genl;
	struct nlmsghdr *message;
	struct nlattr *nest;
	unsigned int i;

	genl_new(genl, BPMU_CMD_CONFIGURE, 0);
	EXPECT_REFUSED(genl, genl_send(genl), -EINVAL,
		       "BPMU_A_GROUP is missing");
	message = genl_new(genl, BPMU_CMD_CONFIGURE, 0);
	mnl_attr_nest_end(message, mnl_attr_nest_start(message, BPMU_A_GROUP));
	EXPECT_REFUSED(genl, genl_send(genl), -EINVAL,
		       "a group without an event");
	genl_put_group(genl_plan(genl), 1, GENL_SELECT);
	EXPECT_REFUSED(genl, genl_send(genl), -EINVAL,
		       "several groups are multiplexed by the interval: BPMU_A_INTERVAL_NS is missing");
	message = genl_plan(genl);
	for (i = 0; i < BPMU_MAX_GROUPS; i++)
		genl_put_group(message, 0, GENL_SELECT);
	EXPECT_REFUSED(genl, genl_send(genl), -EINVAL,
		       "more groups than a session can have");
	message = genl_new(genl, BPMU_CMD_CONFIGURE, 0);
	nest = mnl_attr_nest_start(message, BPMU_A_GROUP);
	genl_put_event(message, 0, GENL_SELECT);
	genl_put_event(message, 0, GENL_SELECT);
	mnl_attr_nest_end(message, nest);
	EXPECT_REFUSED(genl, genl_send(genl), -EINVAL,
		       "this counter has an event already");
}

TEST_F(session, an_incomplete_event_is_refused)
{
	struct genl *genl = &self->genl;
	struct nlattr *group, *event;
	struct nlmsghdr *message;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		message = genl_new(genl, BPMU_CMD_CONFIGURE, 0);
		group = mnl_attr_nest_start(message, BPMU_A_GROUP);
		event = mnl_attr_nest_start(message, BPMU_A_GROUP_EVENT);
		if (i)
			mnl_attr_put_u32(message, BPMU_A_EVENT_COUNTER, 0);
		else
			mnl_attr_put_u64(message, BPMU_A_EVENT_SELECT, GENL_SELECT);
		mnl_attr_nest_end(message, event);
		mnl_attr_nest_end(message, group);
		EXPECT_REFUSED(genl, genl_send(genl), -EINVAL,
			       i ? "BPMU_A_EVENT_SELECT is missing" :
				   "BPMU_A_EVENT_COUNTER is missing");
	}
}

TEST_F(session, invalid_cpus_are_refused)
{
	static const uint32_t absent = 8191, twice[] = { 0, 0 };
	struct genl *genl = &self->genl;

	mnl_attr_put(genl_plan(genl), BPMU_A_CPUS, sizeof(absent), &absent);
	EXPECT_REFUSED(genl, genl_send(genl), -ENODEV,
		       "a CPU of BPMU_A_CPUS is absent or offline");
	mnl_attr_put(genl_plan(genl), BPMU_A_CPUS, sizeof(twice), twice);
	EXPECT_REFUSED(genl, genl_send(genl), -EINVAL,
		       "BPMU_A_CPUS names a CPU twice");
	mnl_attr_put(genl_plan(genl), BPMU_A_CPUS, 6, twice);
	EXPECT_REFUSED(genl, genl_send(genl), -EINVAL,
		       "the length of BPMU_A_CPUS is not a multiple of 4");
}

static void put_other_group(struct nlmsghdr *message)
{
	genl_put_group_as(message, BPMU_A_OTHER_GROUP, 0, GENL_SELECT);
}

/*
 * The session here is for one CPU, so it can have no groups for another core type. hybrid.c tests
 * sessions for CPUs of two core types.
 */
TEST_F(session, groups_of_another_core_type_are_refused)
{
	struct genl *genl = &self->genl;
	const uint32_t cpu = 0;

	put_other_group(genl_plan(genl));
	EXPECT_REFUSED(genl, genl_send(genl), -EINVAL,
		       "all CPUs have one core type: use BPMU_A_GROUP");
	mnl_attr_put(genl_new(genl, BPMU_CMD_CONFIGURE, 0), BPMU_A_CPUS,
		     sizeof(cpu), &cpu);
	put_other_group(genl->message);
	EXPECT_REFUSED(genl, genl_send(genl), -EINVAL,
		       "all CPUs have one core type: use BPMU_A_GROUP");
}

/**
 * struct width - what wrap_ns() needs to know for the time in which a counter wraps
 * @bits: width of the general-purpose counters in bits
 * @khz: frequency of the TSC in kHz
 */
struct width {
	uint32_t bits;
	uint32_t khz;
};

static void take_width(void *data, const struct nlmsghdr *answer)
{
	struct width *width = data;
	const struct nlattr *attr;

	mnl_attr_for_each(attr, answer, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) == BPMU_A_INFO_GP_WIDTH)
			width->bits = mnl_attr_get_u32(attr);
		if (mnl_attr_get_type(attr) == BPMU_A_INFO_TSC_KHZ)
			width->khz = mnl_attr_get_u32(attr);
	}
}

static uint64_t wrap_ns(struct genl *genl)
{
	struct width width = { 0 };

	genl->reply = take_width;
	genl->data = &width;
	if (genl_command(genl, BPMU_CMD_GET_INFO) || !width.khz)
		return 0;
	genl->reply = NULL;
	return (1ULL << width.bits) / width.khz * 1000000 / 64;
}

TEST_F(session, too_short_and_too_long_intervals_are_refused)
{
	struct genl *genl = &self->genl;

	mnl_attr_put_u64(genl_plan(genl), BPMU_A_INTERVAL_NS,
			 BPMU_MIN_INTERVAL_NS - 1);
	EXPECT_REFUSED(genl, genl_send(genl), -EINVAL,
		       "an interval is at least 100000 ns");
	mnl_attr_put_u64(genl_plan(genl), BPMU_A_INTERVAL_NS, UINT64_MAX);
	EXPECT_REFUSED(genl, genl_send(genl), -EINVAL,
		       "a counter could wrap twice in that interval; choose a shorter one");
	/* A counter wraps once in this interval if 64 events happen in each TSC tick. */
	mnl_attr_put_u64(genl_plan(genl), BPMU_A_INTERVAL_NS, wrap_ns(genl));
	EXPECT_REFUSED(genl, genl_send(genl), -EINVAL,
		       "a counter could wrap twice in that interval; choose a shorter one");
	/*
	 * An interval must be at most half of the time in which a counter wraps, because the timer
	 * may be late.
	 */
	mnl_attr_put_u64(genl_plan(genl), BPMU_A_INTERVAL_NS,
			 wrap_ns(genl) / 200 * 101);
	EXPECT_REFUSED(genl, genl_send(genl), -EINVAL,
		       "a counter could wrap twice in that interval; choose a shorter one");
	mnl_attr_put_u64(genl_plan(genl), BPMU_A_INTERVAL_NS,
			 BPMU_MIN_INTERVAL_NS);
	EXPECT_EQ(0, genl_send(genl));
}

static int set_buffer_mib(const char *text)
{
	int fd = open("/sys/module/barepmu/parameters/buffer_mib", O_WRONLY);
	int err = fd < 0 || write(fd, text, strlen(text)) < 0;

	if (fd >= 0)
		close(fd);
	return err;
}

/*
 * Configures a buffer of @samples samples on one CPU. A sample has 72 bytes; with PERF_METRICS it
 * has more. Returns 0 or a negative errno.
 */
static int configure_buffer(struct genl *genl, uint32_t samples)
{
	struct nlmsghdr *message = genl_plan(genl);
	const uint32_t cpu = 0;

	mnl_attr_put(message, BPMU_A_CPUS, sizeof(cpu), &cpu);
	mnl_attr_put_u32(message, BPMU_A_BUFFER_SAMPLES, samples);
	return genl_send(genl);
}

TEST_F(session, buffer_mib_limits_the_buffers)
{
	struct genl *genl = &self->genl;

	ASSERT_EQ(0, set_buffer_mib("1"));
	EXPECT_REFUSED(genl, configure_buffer(genl, 16384), -ENOMEM,
		       "the buffers are larger than buffer_mib allows; ask for fewer samples");
	EXPECT_EQ(0, configure_buffer(genl, 4096));
	ASSERT_EQ(0, set_buffer_mib("4"));
	EXPECT_EQ(0, configure_buffer(genl, 16384));
	/* buffer_mib=0 stands for the default limit, an eighth of the memory. */
	ASSERT_EQ(0, set_buffer_mib("0"));
	EXPECT_EQ(0, configure_buffer(genl, 32768));
}

static const char held[] =
	"other requests hold the memory that buffer_mib allows; try again, or ask for fewer samples";

/*
 * Configures and releases sessions, until one is refused because another process holds the memory
 * of the buffers. Returns 0 if the refusal has the right sentence.
 */
static int contend(struct genl *genl)
{
	unsigned int i;

	for (i = 0; i < CONTENDED; i++) {
		int code = configure_buffer(genl, BPMU_MAX_BUFFER_SAMPLES);

		if (code == -ENOMEM)
			return strcmp(genl->sentence, held) ? 2 : 0;
		if (code && code != -EBUSY)
			return 3;
		if (!code && genl_command(genl, BPMU_CMD_RELEASE))
			return 4;
	}
	return 1;
}

/*
 * Finds the smallest value of the module's parameter buffer_mib, the limit for the memory of
 * buffers in MiB, with which a buffer of the maximum size is allowed. Leaves the parameter at this
 * value and returns it. Returns 0 if 64 MiB are not enough.
 */
static unsigned int smallest_limit(struct genl *genl)
{
	unsigned int mib = 0;
	char text[16];

	do {
		snprintf(text, sizeof(text), "%u", ++mib);
		if (mib > 64 || set_buffer_mib(text))
			return 0;
	} while (configure_buffer(genl, BPMU_MAX_BUFFER_SAMPLES));
	return genl_command(genl, BPMU_CMD_RELEASE) ? 0 : mib;
}

/*
 * The module's parameter buffer_mib, the limit for the memory of buffers, allows only one buffer of
 * the maximum size. While one process has such a buffer, no other process must get one.
 */
TEST_F_TIMEOUT(session, buffer_mib_limits_all_requests_together, 240)
{
	pid_t pid[CONTENDERS];
	int status, told = 0;
	struct genl other;
	unsigned int i;

	ASSERT_LT(2, smallest_limit(&self->genl));
	for (i = 0; i < CONTENDERS; i++) {
		pid[i] = fork();
		if (!pid[i])
			_exit(genl_open(&other) ? 5 : contend(&other));
	}
	for (i = 0; i < CONTENDERS; i++) {
		status = -1;
		waitpid(pid[i], &status, 0);
		EXPECT_TRUE(WIFEXITED(status));
		EXPECT_GE(1, WEXITSTATUS(status));
		told += !WEXITSTATUS(status);
	}
	EXPECT_LT(0, told);
	/* The module must have freed the memory of the requests that it refused. */
	EXPECT_EQ(0, configure_buffer(&self->genl, BPMU_MAX_BUFFER_SAMPLES));
	ASSERT_EQ(0, set_buffer_mib("0"));
}

static void put_pair(struct nlmsghdr *message, uint32_t counter,
		     uint32_t sibling)
{
	struct nlattr *nest = mnl_attr_nest_start(message,
						  BPMU_A_GROUP_EVENT);

	mnl_attr_put_u32(message, BPMU_A_EVENT_COUNTER, counter);
	mnl_attr_put_u64(message, BPMU_A_EVENT_SELECT, GENL_SELECT);
	mnl_attr_put_u32(message, BPMU_A_EVENT_SIBLING, sibling);
	mnl_attr_nest_end(message, nest);
}

/*
 * Configures a group of two events. On this thread, the first event has the counter @counter, and
 * the second event @other_counter. On the core's other thread, the first event has the counter
 * @sibling, and the second event @other_sibling. Returns 0 or a negative errno.
 */
static int configure_pairs(struct genl *genl, uint32_t counter,
			   uint32_t sibling, uint32_t other_counter,
			   uint32_t other_sibling)
{
	struct nlmsghdr *message = genl_new(genl, BPMU_CMD_CONFIGURE, 0);
	const uint32_t cpu = 0;
	struct nlattr *nest;

	mnl_attr_put(message, BPMU_A_CPUS, sizeof(cpu), &cpu);
	nest = mnl_attr_nest_start(message, BPMU_A_GROUP);
	put_pair(message, counter, sibling);
	put_pair(message, other_counter, other_sibling);
	mnl_attr_nest_end(message, nest);
	return genl_send(genl);
}

TEST_F(session, two_events_on_a_counter_of_either_thread_are_refused)
{
	struct genl *genl = &self->genl;

	EXPECT_REFUSED(genl, configure_pairs(genl, 0, 1, 0, 0), -EINVAL,
		       "this counter has an event already");
	EXPECT_REFUSED(genl, configure_pairs(genl, 0, 1, 1, 1), -EINVAL,
		       "this counter has an event already");
	EXPECT_EQ(0, configure_pairs(genl, 0, 1, 1, 0));
}

TEST_F(session, who_with_the_timer_tick_is_refused)
{
	struct genl *genl = &self->genl;

	mnl_attr_put(genl_plan(genl), BPMU_A_WHO, 0, NULL);
	mnl_attr_put_u32(genl->message, BPMU_A_TIMER, BPMU_TIMER_TICK);
	EXPECT_REFUSED(genl, genl_send(genl), -EINVAL,
		       "samples of the timer tick cannot name the interrupted task; use BPMU_TIMER_HARD");
	mnl_attr_put(genl_plan(genl), BPMU_A_WHO, 0, NULL);
	EXPECT_EQ(0, genl_send(genl));
}

TEST_F(session, invalid_buffers_and_watermarks_are_refused)
{
	struct genl *genl = &self->genl;

	mnl_attr_put_u32(genl_plan(genl), BPMU_A_BUFFER_SAMPLES, 1);
	EXPECT_EQ(-ERANGE, genl_send(genl));
	mnl_attr_put_u32(genl_plan(genl), BPMU_A_BUFFER_SAMPLES,
			 BPMU_MAX_BUFFER_SAMPLES + 1);
	EXPECT_EQ(-ERANGE, genl_send(genl));
	mnl_attr_put_u32(genl_plan(genl), BPMU_A_WATERMARK, 0);
	EXPECT_EQ(-ERANGE, genl_send(genl));
}

TEST_F(session, values_out_of_range_are_refused)
{
	struct genl *genl = &self->genl;

	mnl_attr_put_u32(genl_plan(genl), BPMU_A_TOP, 0);
	EXPECT_EQ(-ERANGE, genl_send(genl));
	mnl_attr_put_u32(genl_plan(genl), BPMU_A_TOP, 1u << 31);
	EXPECT_EQ(-ERANGE, genl_send(genl));
	mnl_attr_put_u32(genl_plan(genl), BPMU_A_CHECK, 1u << 4);
	EXPECT_EQ(-EINVAL, genl_send(genl));
	mnl_attr_put_u32(genl_plan(genl), BPMU_A_PREFETCH, 1u << 4);
	EXPECT_EQ(-EINVAL, genl_send(genl));
}

TEST_F(session, unknown_and_misplaced_attributes_are_refused)
{
	struct genl *genl = &self->genl;

	mnl_attr_put_u32(genl_new(genl, BPMU_CMD_GET_INFO, 0), BPMU_A_CPUS, 0);
	EXPECT_NE(0, genl_send(genl));
	mnl_attr_put_u32(genl_plan(genl), BPMU_A_MAX + 1, 0);
	EXPECT_NE(0, genl_send(genl));
	mnl_attr_put_u32(genl_plan(genl), BPMU_A_INFO_STATE, 0);
	EXPECT_NE(0, genl_send(genl));
	genl_new(genl, BPMU_CMD_STATE, 0);
	EXPECT_EQ(-EOPNOTSUPP, genl_send(genl));
}

TEST_HARNESS_MAIN
