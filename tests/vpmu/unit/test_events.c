// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the event tables: an event counts quantities of the simulated core (instructions, cycles
 * and so on) as its counter mask, edge and invert bits say. Also tests the list of uncounted
 * events, which the virtual PMU does not have, so that their counters read 0.
 */

#include "machine.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "event/events.h"
#include "event/uncounted.h"

static struct vpmu_snapshot snapshot;

static uint64_t event_count(const struct vpmu_part *part, uint64_t select,
			    unsigned int counter)
{
	snapshot.part = part;
	return vpmu_events_count(&snapshot, USER, select, counter);
}

static struct vcore_counts *clear_snapshot(void)
{
	memset(&snapshot, 0, sizeof(snapshot));
	return &snapshot.priv[USER];
}

/* The core issues 1 uop in each of 10 cycles, 2 in 20, 3 in 30, 4 in 40, and none in 100 cycles. */
TEST(counter_mask_invert_and_edge_apply)
{
	struct vcore_counts *counts = clear_snapshot();
	unsigned int k;

	counts->plain[VCORE_CYCLES] = 200;
	for (k = 1; k <= 4; k++)
		counts->cycles_with[VCORE_ISSUED][k] = 10 * k;
	snapshot.priv[KERNEL].cycles_with[VCORE_ISSUED][1] = 7000;
	assert_int_equal(event_count(&vpmu_ivb, 0x010e, 0), 300);
	assert_int_equal(event_count(&vpmu_ivb, 0x0100010e, 0), 100);
	assert_int_equal(event_count(&vpmu_ivb, 0x0300010e, 0), 70);
	assert_int_equal(event_count(&vpmu_ivb, 0x0380010e, 0), 130);
	assert_int_equal(event_count(&vpmu_ivb, 0x0180010e, 0), 100);
	assert_int_equal(event_count(&vpmu_ivb, 0x0900010e, 0), 0);
	/* The virtual PMU does not know this event, so its count is 0. */
	assert_int_equal(event_count(&vpmu_ivb, 0x770e, 0), 0);
}

/*
 * An event table may have a row for an event with counter mask and edge detect, and another row for
 * the same event code and unit mask without these.
 */
TEST(events_with_edge_have_rows_of_their_own)
{
	struct vcore_counts *counts = clear_snapshot();

	counts->plain[VCORE_RECOVERY_CYCLES] = 500;
	counts->plain[VCORE_MISPREDICTS] = 20;
	counts->plain[VCORE_CLEARS] = 3;
	assert_int_equal(event_count(&vpmu_ivb, 0x030d, 0), 500);
	assert_int_equal(event_count(&vpmu_ivb, 0x0104030d, 0), 23);
	assert_int_equal(event_count(&vpmu_ivb, 0x0104030d | USR | EN, 0), 23);
}

TEST(events_are_differences_of_counts)
{
	struct vcore_counts *counts = clear_snapshot();

	counts->plain[VCORE_L2_RFOS] = 100;
	counts->plain[VCORE_L2_RFO_HITS] = 30;
	assert_int_equal(event_count(&vpmu_ivb, 0x0c24, 0), 100);
	assert_int_equal(event_count(&vpmu_ivb, 0x0424, 0), 30);
	assert_int_equal(event_count(&vpmu_ivb, 0x0824, 0), 70);
}

TEST(events_count_uops_by_port)
{
	struct vcore_counts *counts = clear_snapshot();
	unsigned int i;

	for (i = 0; i < VCORE_MAX_PORTS; i++)
		counts->ports[i] = 1 << i;
	assert_int_equal(event_count(&vpmu_ivb, 0x01a1, 0), 1);
	assert_int_equal(event_count(&vpmu_ivb, 0x0ca1, 0), 4);
	assert_int_equal(event_count(&vpmu_ivb, 0x30a1, 0), 8);
	assert_int_equal(event_count(&vpmu_ivb, 0x80a1, 0), 32);
	/* The event counts the uops of both load ports. */
	assert_int_equal(event_count(&vpmu_spr, 0x04b2, 0), 4 + 8);
}

TEST(events_count_slots_and_operations)
{
	struct vcore_counts *counts = clear_snapshot();

	counts->plain[VCORE_CYCLES] = 10;
	counts->cycles_with[VCORE_EXECUTED][2] = 5;
	counts->cycles_with[VCORE_EXECUTED][3] = 6;
	counts->computed[VCORE_X87] = 9;
	assert_int_equal(event_count(&vpmu_spr, 0x10ad, 0), 0);
	assert_int_equal(event_count(&vpmu_spr, 0x01a4, 0), 60);
	assert_int_equal(event_count(&vpmu_spr, 0x0ca6, 0), 11);
	assert_int_equal(event_count(&vpmu_skl, 0x04a6, 0), 5);
	assert_int_equal(event_count(&vpmu_ivb, 0x0110, 0), 9);
}

/* An event counts 0 on a counter that Linux' event constraints exclude. */
TEST(events_count_on_their_counters_only)
{
	struct vcore_counts *counts = clear_snapshot();

	counts->plain[VCORE_NO_EXECUTE_L1] = 5;
	counts->plain[VCORE_NO_EXECUTE] = 6;
	snapshot.exact[VPMU_INSTRUCTIONS][USER] = 7;
	snapshot.exact[VPMU_LOADS][USER] = 8;
	counts->plain[VCORE_WRONG_SLOTS] = 9;
	assert_int_equal(event_count(&vpmu_ivb, 0x0c000ca3, 2), 5);
	assert_int_equal(event_count(&vpmu_ivb, 0x0c000ca3, 1), 0);
	assert_int_equal(event_count(&vpmu_ivb, 0x040004a3, 3), 6);
	assert_int_equal(event_count(&vpmu_ivb, 0x040004a3, 4), 0);
	assert_int_equal(event_count(&vpmu_ivb, 0x01c0, 1), 7);
	assert_int_equal(event_count(&vpmu_ivb, 0x01c0, 0), 0);
	assert_int_equal(event_count(&vpmu_ivb, 0x81d0, 3), 8);
	assert_int_equal(event_count(&vpmu_ivb, 0x81d0, 4), 0);
	assert_int_equal(event_count(&vpmu_ivb, 0x00c0, 7), 7);
	assert_int_equal(event_count(&vpmu_skl, 0x01c0, 1), 7);
	assert_int_equal(event_count(&vpmu_skl, 0x01c0, 0), 0);
	assert_int_equal(event_count(&vpmu_skl, 0x4101c0, 0), 0);
	assert_int_equal(event_count(&vpmu_skl, 0x81d0, 3), 8);
	assert_int_equal(event_count(&vpmu_skl, 0x81d0, 4), 0);
	assert_int_equal(event_count(&vpmu_skl, 0x00c0, 7), 7);
	assert_int_equal(event_count(&vpmu_spr, 0x04a4, 0), 9);
	assert_int_equal(event_count(&vpmu_spr, 0x04a4, 1), 0);
	assert_int_equal(event_count(&vpmu_spr, 0x81d0, 4), 0);
	assert_int_equal(event_count(&vpmu_spr, 0x00c0, 7), 7);
}

TEST(events_say_whether_they_need_the_model)
{
	assert_false(vpmu_events_timed(&vpmu_ivb, 0x81d0, 0));
	assert_false(vpmu_events_timed(&vpmu_ivb, 0x00c4, 0));
	assert_false(vpmu_events_timed(&vpmu_ivb, 0x01b7, 0));
	assert_false(vpmu_events_timed(&vpmu_ivb, 0x770e, 0));
	assert_true(vpmu_events_timed(&vpmu_ivb, 0x003c, 0));
	assert_true(vpmu_events_timed(&vpmu_ivb, 0x20c4, 0));
	assert_false(vpmu_events_timed(&vpmu_ivb, 0x0ca3, 0));
	assert_false(vpmu_events_timed(&vpmu_spr, 0x10ad, 0));
	assert_true(vpmu_events_timed(&vpmu_ivb, 0x0c000ca3, 2));
}

TEST(events_say_whether_they_are_counted)
{
	assert_true(vpmu_events_counted(&vpmu_ivb, 0x003c, 0));
	assert_true(vpmu_events_counted(&vpmu_ivb, 0x00c0, 32));
	assert_true(vpmu_events_counted(&vpmu_ivb, 0x0180010e, 0));
	/*
	 * Of the event of outstanding reads only two thresholds are simulated: at least 6 reads on
	 * Ivy Bridge, and at least 4 on Skylake, because Top-Down trees need these.
	 */
	assert_true(vpmu_events_counted(&vpmu_ivb, 0x06000860, 0));
	assert_true(vpmu_events_counted(&vpmu_skl, 0x04000860, 0));
	assert_false(vpmu_events_counted(&vpmu_skl, 0x05000860, 0));
	assert_false(vpmu_events_counted(&vpmu_ivb, 0x770e, 0));
	/*
	 * The simulated core never drops a uop, so 0 is the right count of INT_MISC.UOP_DROPPING,
	 * and the event is not uncounted.
	 */
	assert_true(vpmu_events_counted(&vpmu_spr, 0x10ad, 0));
	/*
	 * Off-core events are filtered by an MSR, and occur only if the guest injects them. When
	 * the guest has injected an event of an MSR, no event of this MSR is listed as uncounted
	 * any more.
	 */
	assert_false(vpmu_events_counted(&vpmu_ivb, 0x01b7, 0));
	assert_false(vpmu_events_counted(&vpmu_ivb, 0x01bb, 0));
	vpmu_events_inject(VPMU_OFFCORE_0);
	assert_true(vpmu_events_counted(&vpmu_ivb, 0x01b7, 0));
	assert_false(vpmu_events_counted(&vpmu_ivb, 0x01bb, 0));
}

/*
 * The list of uncounted events has each event once, whatever its privilege levels. It has no event
 * that the guest injects, even if the guest enables a counter for the event before it injects the
 * event.
 */
TEST(the_list_has_events_that_are_not_counted)
{
	const char wanted[] = "ivb 0x770e 0x0 core\nivb 0x100770e 0x0 core\nspr 0x770e 0x0 core\n";
	char name[] = "/tmp/vpmu-uncounted.XXXXXX", said[256] = "";
	int fd = mkstemp(name);

	assert_true(fd >= 0);
	clear_snapshot();
	vpmu_uncounted_open(name);
	snapshot.part = &vpmu_ivb;
	vpmu_uncounted_see(&snapshot, 0x41003c, 0);
	vpmu_uncounted_see(&snapshot, 0x41770e, 0);
	vpmu_uncounted_see(&snapshot, 0x42770e, 1);
	vpmu_uncounted_see(&snapshot, 0x143770e, 1);
	snapshot.part = &vpmu_spr;
	vpmu_uncounted_see(&snapshot, 0x41770e, 0);
	vpmu_uncounted_see(&snapshot, 0x4101c6, 0);
	vpmu_events_inject(VPMU_FRONTEND);
	vpmu_uncounted_write();
	assert_int_equal(read(fd, said, sizeof(said) - 1), strlen(wanted));
	assert_string_equal(said, wanted);
	close(fd);
	unlink(name);
}

TEST(amd_event_codes_have_12_bits)
{
	struct vcore_counts *counts = clear_snapshot();

	counts->plain[VCORE_BACKEND_SLOTS] = 44;
	assert_int_equal(event_count(&vpmu_zen4, 0x100001ea0, 0), 44);
	assert_int_equal(event_count(&vpmu_zen4, 0x1ea0, 0), 0);
	assert_int_equal(event_count(&vpmu_zen4, 0x200001ea0, 0), 0);
	assert_int_equal(event_count(&vpmu_zen2, 0x100001ea0, 0), 0);
}

/*
 * Zen 4 and Zen 5 both count dispatch slots. Both count restarts of the pipeline, but with
 * different codes.
 */
TEST(amd_counts_dispatch_slots)
{
	static const struct vpmu_part *const parts[] = { &vpmu_zen4, &vpmu_zen5 };
	struct vcore_counts *counts = clear_snapshot();
	unsigned int i;

	counts->cycles_with[VCORE_UNSUPPLIED][6] = 5;
	counts->cycles_with[VCORE_UNSUPPLIED][8] = 3;
	counts->cycles_with[VCORE_BUBBLES][6] = 1;
	counts->plain[VCORE_NO_RETIRE_WAITS] = 70;
	counts->plain[VCORE_NO_RETIRE_LOAD] = 20;
	counts->plain[VCORE_RETIRED_MS_SLOTS] = 9;
	counts->plain[VCORE_CLEARS] = 4;
	for (i = 0; i < 2; i++) {
		assert_int_equal(event_count(parts[i], 0x1000001a0, 0), 54);
		assert_int_equal(event_count(parts[i], 0x1060001a0, 0), 8);
		assert_int_equal(event_count(parts[i], 0x1080001a0, 0), 3);
		assert_int_equal(event_count(parts[i], 0x1000060a0, 0), 0);
		assert_int_equal(event_count(parts[i], 0x02d6, 0), 70);
		assert_int_equal(event_count(parts[i], 0xa2d6, 0), 20);
		assert_int_equal(event_count(parts[i], 0x1000000c2, 0), 9);
		assert_int_equal(event_count(parts[i], 0x0096, 0), i ? 0 : 4);
		assert_int_equal(event_count(parts[i], 0x019f, 0), i ? 4 : 0);
	}
	assert_int_equal(event_count(&vpmu_zen2, 0x02d6, 0), 0);
	assert_int_equal(event_count(&vpmu_zen2, 0x1000000c2, 0), 0);
}

/* The event select of an event counts 0 on a CPU model that lacks the event. */
TEST(a_part_counts_its_own_events_only)
{
	static const struct {
		uint64_t select;
		const struct vpmu_part *part, *lacks;
	} rows[] = {
		{ 0x030d, &vpmu_ivb, &vpmu_skl },
		{ 0x010d, &vpmu_skl, &vpmu_ivb },
		{ 0x01ad, &vpmu_spr, &vpmu_skl },
		{ 0x010e, &vpmu_ivb, &vpmu_spr },
		{ 0x01ae, &vpmu_spr, &vpmu_ivb },
		{ 0x0ca1, &vpmu_ivb, &vpmu_skl },
		{ 0x01a1, &vpmu_skl, &vpmu_spr },
		{ 0x01b2, &vpmu_spr, &vpmu_ivb },
		{ 0x0110, &vpmu_ivb, &vpmu_skl },
		{ 0x02ec, &vpmu_spr, &vpmu_skl },
		{ 0x0400, &vpmu_spr, &vpmu_skl },
		{ 0x0107, &vpmu_skl, &vpmu_spr },
		{ 0x00c1, &vpmu_zen2, &vpmu_skl },
		{ 0x0076, &vpmu_zen4, &vpmu_spr },
		{ 0x002a, &vpmu_knc, &vpmu_ivb },
		{ 0x01b7, &vpmu_skl, &vpmu_spr },
		{ 0x012a, &vpmu_spr, &vpmu_skl },
		{ 0x01c6, &vpmu_skl, &vpmu_ivb },
	};
	struct vcore_counts *counts = clear_snapshot();
	unsigned int i, k;

	for (i = 0; i < sizeof(counts->plain) / sizeof(*counts->plain); i++)
		counts->plain[i] = 1;
	for (i = 0; i < VCORE_MAX_PORTS; i++)
		counts->ports[i] = 1;
	for (i = 0; i < sizeof(counts->computed) / sizeof(*counts->computed); i++)
		counts->computed[i] = 1;
	for (i = 0; i < sizeof(counts->cycles_with) / sizeof(*counts->cycles_with); i++)
		for (k = 1; k <= VCORE_MAX_WIDTH; k++)
			counts->cycles_with[i][k] = 1;
	for (i = 0; i < VPMU_EXTRAS; i++)
		snapshot.passed[i] = 1;
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_int_not_equal(event_count(rows[i].part, rows[i].select, 0), 0);
		assert_int_equal(event_count(rows[i].lacks, rows[i].select, 0), 0);
	}
}

/* Counter 0 of Knights Corner counts all events, counter 1 no event of the L2. */
TEST(the_l2_s_events_need_knights_corner_s_counter_0)
{
	static const uint32_t l2[] = {
		0x10c4, 0x10cb, 0x10d7, 0x10e7, 0x10f1, 0x10f2, 0x10f6, 0x10f7
	}, others[] = { 0x0000, 0x0016, 0x002a, 0x2016 };
	struct vcore_counts *counts = clear_snapshot();
	unsigned int i;

	for (i = 0; i < VCORE_PLAIN; i++)
		counts->plain[i] = 1;
	for (i = 0; i < VPMU_EXACT; i++)
		snapshot.exact[i][USER] = 1;
	for (i = 0; i < sizeof(l2) / sizeof(*l2); i++) {
		assert_int_not_equal(event_count(&vpmu_knc, l2[i], 0), 0);
		assert_int_equal(event_count(&vpmu_knc, l2[i], 1), 0);
	}
	for (i = 0; i < sizeof(others) / sizeof(*others); i++) {
		assert_int_not_equal(event_count(&vpmu_knc, others[i], 0), 0);
		assert_int_equal(event_count(&vpmu_knc, others[i], 1),
				 event_count(&vpmu_knc, others[i], 0));
	}
}

/*
 * A counter mask above the core's width is never reached: the counter counts no cycle or, with the
 * invert bit, all cycles.
 */
TEST(a_mask_beyond_the_width_is_never_reached)
{
	struct vcore_counts *counts = clear_snapshot();

	counts->plain[VCORE_CYCLES] = 200;
	counts->cycles_with[VCORE_ISSUED][VCORE_MAX_WIDTH] = 7;
	counts->cycles_with[VCORE_ISSUED][0] = 193;
	assert_int_equal(event_count(&vpmu_ivb, 0x010e, 0), 7 * VCORE_MAX_WIDTH);
	assert_int_equal(event_count(&vpmu_ivb, 0x010e | VCORE_MAX_WIDTH << 24, 0), 7);
	assert_int_equal(event_count(&vpmu_ivb, 0x010e | (VCORE_MAX_WIDTH + 1) << 24, 0), 0);
	assert_int_equal(event_count(&vpmu_ivb, 0xff80010e, 0), 200);
	/* Without a counter mask the invert bit has no effect. */
	assert_int_equal(event_count(&vpmu_ivb, 0x0080010e, 0), 7 * VCORE_MAX_WIDTH);
}

/*
 * On which general-purpose counters an event counts: those of Linux' event constraints (intel/core.c)
 * that the model has. Fixed counters are not constrained.
 */
TEST(events_are_constrained_to_counters)
{
	static const struct {
		const struct vpmu_part *part;
		uint64_t select;
		unsigned int counters;
	} rows[] = {
		{ &vpmu_ivb, 0x003c, 0xff }, { &vpmu_ivb, 0x00c0, 0xff }, { &vpmu_ivb, 0x01c0, 0x02 },
		{ &vpmu_ivb, 0x019c, 0x0f }, { &vpmu_ivb, 0x01a2, 0xff },
		{ &vpmu_ivb, 0x040004a3, 0x0f }, { &vpmu_ivb, 0x050005a3, 0x0f },
		{ &vpmu_ivb, 0x0c000ca3, 0x04 }, { &vpmu_ivb, 0x01cd, 0x08 },
		{ &vpmu_ivb, 0x02cd, 0x08 }, { &vpmu_ivb, 0x81d0, 0x0f }, { &vpmu_ivb, 0x01d1, 0x0f },
		{ &vpmu_ivb, 0x02d2, 0x0f }, { &vpmu_ivb, 0x01d3, 0x0f }, { &vpmu_ivb, 0x1fe6, 0xff },
		{ &vpmu_ivb, 0x0ca1, 0xff }, { &vpmu_ivb, 0x01001eca, 0xff },
		{ &vpmu_skl, 0x003c, 0xff }, { &vpmu_skl, 0x00c0, 0xff }, { &vpmu_skl, 0x01c0, 0x02 },
		{ &vpmu_skl, 0x019c, 0xff }, { &vpmu_skl, 0x140014a3, 0x0f },
		{ &vpmu_skl, 0x060006a3, 0xff }, { &vpmu_skl, 0x01c5, 0xff },
		{ &vpmu_skl, 0x01c6, 0x0f }, { &vpmu_skl, 0x01c7, 0xff }, { &vpmu_skl, 0x01cd, 0x0f },
		{ &vpmu_skl, 0x81d0, 0x0f }, { &vpmu_skl, 0x01d1, 0x0f }, { &vpmu_skl, 0x02d2, 0x0f },
		{ &vpmu_skl, 0x01d3, 0x0f }, { &vpmu_skl, 0x01e6, 0xff },
		{ &vpmu_spr, 0x0400, 0xff }, { &vpmu_spr, 0x003c, 0xff }, { &vpmu_spr, 0x412e, 0xff },
		{ &vpmu_spr, 0x0403, 0x0f }, { &vpmu_spr, 0x0879, 0x0f }, { &vpmu_spr, 0x0187, 0x0f },
		{ &vpmu_spr, 0x019c, 0xff }, { &vpmu_spr, 0x01a4, 0xff }, { &vpmu_spr, 0x02a4, 0xff },
		{ &vpmu_spr, 0x04a4, 0x01 }, { &vpmu_spr, 0x08a4, 0x01 }, { &vpmu_spr, 0x02c1, 0xff },
		{ &vpmu_spr, 0x01cd, 0xfe }, { &vpmu_spr, 0x02cd, 0x01 }, { &vpmu_spr, 0x81d0, 0x0f },
		{ &vpmu_spr, 0x01d3, 0x0f }, { &vpmu_spr, 0x02ec, 0xff },
		{ &vpmu_knc, 0x10cb, 0x01 }, { &vpmu_knc, 0x2016, 0xff }, { &vpmu_knc, 0x0016, 0xff },
		{ &vpmu_glm, 0x000e, 0xff }, { &vpmu_slm, 0x4004, 0xff }, { &vpmu_topdown, 0x01e0, 0xff },
		{ &vpmu_adl_e, 0x0071, 0xff }, { &vpmu_nhm, 0x010b, 0xff }, { &vpmu_zen2, 0x0076, 0xff },
	};
	unsigned int i, k;

	vpmu_events_inject(VPMU_FRONTEND);
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		for (k = 0; k < 8; k++)
			assert_int_equal(vpmu_events_counted(rows[i].part, rows[i].select, k),
					 rows[i].counters >> k & 1);
	assert_true(vpmu_events_counted(&vpmu_spr, 0x0403, 32));
	assert_true(vpmu_events_counted(&vpmu_spr, 0x81d0, 35));
}

/* Goldmont and Silvermont count slots, each by codes of its own; Top-Down's model has those of all. */
TEST(small_cores_count_their_slots)
{
	struct vcore_counts *counts = clear_snapshot();

	counts->cycles_with[VCORE_ISSUED][2] = 5;
	counts->cycles_with[VCORE_BUBBLES][2] = 6;
	counts->cycles_with[VCORE_RETIRED][3] = 7;
	counts->plain[VCORE_CYCLES] = 100;
	counts->plain[VCORE_CLEARS] = 8;
	snapshot.exact[VPMU_LOADS][USER] = 9;
	assert_int_equal(event_count(&vpmu_glm, 0x000e, 0), 10);
	assert_int_equal(event_count(&vpmu_glm, 0x009c, 0), 12);
	assert_int_equal(event_count(&vpmu_glm, 0x00c2, 0), 21);
	assert_int_equal(event_count(&vpmu_glm, 0x08c3, 0), 0);
	assert_int_equal(event_count(&vpmu_slm, 0x000e, 0), 0);
	assert_int_equal(event_count(&vpmu_slm, 0x10c2, 0), 21);
	assert_int_equal(event_count(&vpmu_slm, 0x08c3, 0), 8);
	assert_int_equal(event_count(&vpmu_slm, 0x50ca, 0), 6);
	assert_int_equal(event_count(&vpmu_slm, 0x4004, 0), 9);
	assert_int_equal(event_count(&vpmu_topdown, 0x01e0, 0), 4 * 100);
	assert_int_equal(event_count(&vpmu_topdown, 0x02e0, 0), 10);
	assert_int_equal(event_count(&vpmu_topdown, 0x40e0, 0), 8);
	assert_int_equal(event_count(&vpmu_topdown, 0x003c, 0), 100);
}

/* the sum of the numbers from 1 to that of the elements */
#define OUTSTANDING ((VCORE_MAX_OUTSTANDING + 1) * (VCORE_MAX_OUTSTANDING + 2) / 2)

/* The model to measure Top-Down has the outstanding misses and the stacks of cycles as events. */
TEST(stacks_of_cycles_are_events)
{
	struct vcore_counts *counts = clear_snapshot();
	unsigned int i, k;

	counts->plain[VCORE_CYCLES] = 1000;
	for (i = 0; i <= VCORE_MAX_OUTSTANDING; i++)
		counts->outstanding[i] = i + 1;
	assert_int_equal(event_count(&vpmu_topdown, 0x010001e3, 0),
			 OUTSTANDING - 1);
	assert_int_equal(event_count(&vpmu_topdown, 0x030001e3, 0),
			 OUTSTANDING - 1 - 2 - 3);
	/* Each part of a stack is an event of its own. */
	for (i = 0; i < VCORE_STAGES; i++)
		for (k = 0; k < VCORE_PARTS; k++)
			counts->stack[i][k] = 100 * i + k + 1;
	assert_int_equal(event_count(&vpmu_topdown, 0x10f0, 0),
			 100 * VCORE_DISPATCH + VCORE_PART_CODE_L2 + 1);
	assert_int_equal(event_count(&vpmu_topdown, 0x17f1, 0),
			 100 * VCORE_ISSUE + VCORE_PART_L3 + 1);
	assert_int_equal(event_count(&vpmu_topdown, 0x23f2, 0),
			 100 * VCORE_COMMIT + VCORE_PART_ORDER + 1);
	assert_int_equal(event_count(&vpmu_topdown, 0x01f2, 0),
			 vcore_component(counts, VCORE_COMMIT, VCORE_ICACHE));
	assert_int_equal(event_count(&vpmu_topdown, 0x03f0, 0),
			 vcore_component(counts, VCORE_DISPATCH, VCORE_DCACHE));
	assert_int_not_equal(event_count(&vpmu_topdown, 0x03f0, 0),
			     event_count(&vpmu_topdown, 0x03f1, 0));
}

/* From version 6 on a counter mask with EQ means that number exactly; UMASK2 tells events apart. */
TEST(version_6_has_exact_masks_and_a_second_unit_mask)
{
	const struct vpmu_part *lnl = vpmu_part_like("lnl");
	struct vcore_counts *counts = clear_snapshot();
	unsigned int k;

	machine_new(lnl, 1, 1);
	counts->plain[VCORE_CYCLES] = 200;
	for (k = 1; k <= 4; k++)
		counts->cycles_with[VCORE_ISSUED][k] = 10 * k;
	snapshot.exact[VPMU_BR_CONDITIONAL][USER] = 77;
	assert_int_equal(event_count(lnl, 0x030001ae, 0), 70);
	assert_int_equal(event_count(lnl, 0x1030001ae, 0), 70);
	assert_int_equal(event_count(lnl, 0x10030001ae, 0), 30);
	assert_int_equal(event_count(lnl, 0x10038001ae, 0), 170);
	assert_int_equal(event_count(lnl, 0x0100000011c4, 0), 77);
	assert_int_equal(event_count(lnl, 0x0200000011c4, 0), 0);
	machine_new(&vpmu_spr, 1, 1);
	assert_int_equal(event_count(&vpmu_spr, 0x0200000011c4, 0), 77);
	machine_free(NULL);
}
