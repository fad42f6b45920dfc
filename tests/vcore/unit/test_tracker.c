// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the arbiter's tracker, which counts the entries in use: its histogram equals one that is
 * computed cycle by cycle. Also tests the distribution of lines over slices, and of bandwidth over
 * cores.
 */

#include <stdlib.h>
#include <string.h>

#include "access.h"
#include "memory/bandwidth.h"
#include "memory/hierarchy.h"

static struct core core;

/* The histogram of the entries in use equals one that is computed cycle by cycle. */
TEST(the_occupancy_histogram_agrees_with_a_count_per_cycle)
{
	static const unsigned int uses[][2] = {
		{ 0, 10 }, { 3, 5 }, { 4, 300 }, { 64, 65 }, { 100, 16000 },
		{ 128, 192 }, { 191, 193 }, { 5, 5 },
	};
	const unsigned int end = 17000;
	uint64_t expected[VCORE_TRACKER_ENTRIES + 1] = { 0 };
	struct vcore_tracker *tracker = calloc(1, sizeof(*tracker));
	unsigned int cycle, i, k;

	for (i = 0; i < sizeof(uses) / sizeof(*uses); i++)
		vcore_tracker_add(tracker, uses[i][0], uses[i][1], i == 2);
	for (cycle = 0; cycle < end; cycle++) {
		for (i = 0, k = 0; i < sizeof(uses) / sizeof(*uses); i++)
			k += cycle >= uses[i][0] && cycle < uses[i][1];
		expected[k]++;
	}
	for (cycle = 0; cycle <= end; cycle += cycle < 300 ? 1 : 50)
		vcore_tracker_advance(tracker, cycle);
	vcore_tracker_advance(tracker, end);
	assert_memory_equal(tracker->counted.cycles_with, expected,
			    sizeof(expected));
	assert_int_equal(vcore_traffic_clock(&tracker->counted), end);
	assert_int_equal(tracker->counted.requests, 8);
	assert_int_equal(tracker->counted.writes, 1);
	free(tracker);
}

/* Cycles with more requests than the tracker has entries count as cycles with a full tracker. */
TEST(a_full_tracker_counts_in_the_last_element)
{
	struct vcore_tracker *tracker = calloc(1, sizeof(*tracker));
	const struct vcore_traffic *seen = &tracker->counted;
	unsigned int i;

	for (i = 0; i < VCORE_TRACKER_ENTRIES + 2; i++)
		vcore_tracker_add(tracker, 10 * i, 1000, false);
	vcore_tracker_advance(tracker, 2000);
	assert_int_equal(seen->cycles_with[1], 10);
	assert_int_equal(seen->cycles_with[VCORE_TRACKER_ENTRIES - 1], 10);
	assert_int_equal(seen->cycles_with[VCORE_TRACKER_ENTRIES],
			 1000 - 10 * (VCORE_TRACKER_ENTRIES - 1));
	assert_int_equal(seen->cycles_with[0], 1000);
	assert_int_equal(vcore_traffic_clock(seen), 2000);
	assert_int_equal(seen->requests, VCORE_TRACKER_ENTRIES + 2);
	free(tracker);
}

/*
 * If a use of the tracker begins in cycles that have been counted, these cycles are not counted
 * again. Cycles that are VCORE_AHEAD or more ahead are not counted at all.
 */
TEST(uses_in_the_past_and_far_future_are_cut)
{
	struct vcore_tracker *tracker = calloc(1, sizeof(*tracker));
	const struct vcore_traffic *seen = &tracker->counted;

	vcore_tracker_advance(tracker, 100);
	vcore_tracker_add(tracker, 40, 100, true);
	vcore_tracker_add(tracker, 40, 103, true);
	vcore_tracker_add(tracker, 200, 200 + 2 * VCORE_AHEAD, false);
	vcore_tracker_add(tracker, 100 + VCORE_AHEAD, 101 + VCORE_AHEAD, false);
	vcore_tracker_advance(tracker, 3 * VCORE_AHEAD);
	assert_int_equal(seen->cycles_with[1], 3 + VCORE_AHEAD - 1 - 100);
	assert_int_equal(seen->cycles_with[2], 0);
	assert_int_equal(vcore_traffic_clock(seen), 3 * VCORE_AHEAD);
	assert_int_equal(seen->requests, 4);
	assert_int_equal(seen->writes, 2);
	/* Afterwards all entries are free, and no cycle was counted twice. */
	vcore_tracker_advance(tracker, 2 * VCORE_AHEAD);
	assert_int_equal(vcore_traffic_clock(seen), 3 * VCORE_AHEAD);
	assert_int_equal(tracker->entries.in_use, 0);
	free(tracker);
}

TEST(lookups_are_counted_by_slice_and_type)
{
	struct vcore_tracker *tracker = calloc(1, sizeof(*tracker));
	const struct vcore_traffic *seen = &tracker->counted;

	vcore_tracker_lookup(tracker, 3, VCORE_REQUEST_RFO, false, 200);
	vcore_tracker_lookup(tracker, 3 << 6, VCORE_REQUEST_RFO, false, 20);
	vcore_tracker_lookup(tracker, 4, VCORE_REQUEST_READ, true, 30);
	assert_int_equal(seen->slice[3].lookups[VCORE_REQUEST_RFO][0], 2);
	assert_int_equal(seen->slice[3].cycles[VCORE_REQUEST_RFO][0], 220);
	assert_int_equal(seen->slice[4].lookups[VCORE_REQUEST_READ][1], 1);
	assert_int_equal(seen->slice[4].cycles[VCORE_REQUEST_READ][1], 30);
	assert_int_equal(seen->slice[4].lookups[VCORE_REQUEST_RFO][0], 0);
	free(tracker);
}

/* The lookup of a core's transfer reaches the tracker with its line and its time. */
TEST(lookups_of_transfers_are_counted_by_line)
{
	const struct vcore_traffic *seen;

	core_new(&core, &vcore_ivb, 0, 0);
	vcore_transfers_lookup(core.memory, 5, VCORE_REQUEST_RFO, true, 1000);
	seen = traffic(&core);
	assert_int_equal(seen->slice[5].lookups[VCORE_REQUEST_RFO][1], 1);
	assert_int_equal(seen->slice[5].cycles[VCORE_REQUEST_RFO][1], 1000);
	core_free(&core);
}

/* Lines whose distance is a power of two are spread evenly over the slices. */
TEST(lines_are_distributed_evenly_over_slices)
{
	unsigned int shift, i;

	for (shift = 0; shift < 36; shift++) {
		unsigned int seen[VCORE_SLICES] = { 0 };

		for (i = 0; i < 4 * VCORE_SLICES; i++)
			seen[vcore_slice_of((uint64_t)i << shift)]++;
		for (i = 0; i < VCORE_SLICES; i++)
			assert_int_equal(seen[i], 4);
	}
	assert_int_equal(vcore_slice_of(1 | 2 << 6 | 4 << 12), 7);
}

TEST(waits_are_summed)
{
	struct vcore_tracker *tracker = calloc(1, sizeof(*tracker));

	vcore_tracker_wait(tracker, 10, 30);
	vcore_tracker_wait(tracker, 20, 40);
	vcore_tracker_wait(tracker, 50, 50);
	vcore_tracker_advance(tracker, 100);
	assert_int_equal(tracker->counted.waits, 40);
	assert_int_equal(tracker->counted.waiting[0], 70);
	assert_int_equal(tracker->counted.waiting[1], 30);
	free(tracker);
}

/* Reads consecutive lines as fast as a core can. */
static void read_all(uint64_t first, uint64_t lines)
{
	uint64_t done[10] = { 0 };
	uint64_t i;

	for (i = 0; i < lines * 8; i++) {
		struct vcore_reply reply;

		/* As many loads are in flight as fit the reorder buffer: those of ten lines. */
		if (done[i / 8 % 10] > core.cycle)
			core.cycle = done[i / 8 % 10];
		for (;;) {
			reply = load_now(&core, PC, first + i * 8);
			if (!reply.refused)
				break;
			core.cycle = reply.done;
		}
		if (i % 8 == 7)
			done[i / 8 % 10] = reply.done;
		wait(&core, i % 2);
	}
}

/* A stream of reads fills the tracker, and takes no more than the bandwidth. */
TEST(a_stream_fills_the_tracker)
{
	const uint64_t lines = 20000;
	const struct vcore_traffic *seen;
	uint64_t full = 0;
	unsigned int k;

	core_new(&core, &vcore_ivb, 0, 0);
	read_all(BASE, lines);
	wait(&core, 5000);
	seen = traffic(&core);
	for (k = 28; k <= VCORE_TRACKER_ENTRIES; k++)
		full += seen->cycles_with[k];
	assert_true(2 * full > seen->requests);
	assert_true(seen->requests >= lines);
	assert_true(core.cycle >= seen->requests * 9);
	assert_true(core.cycle < seen->requests * 18);
	assert_int_equal(vcore_traffic_clock(seen), core.cycle);
	assert_memory_equal(core.counts.outstanding, seen->cycles_with,
			    sizeof(seen->cycles_with));
	core_free(&core);
}

TEST(fill_buffers_limit_requests_without_prefetchers)
{
	const struct vcore_traffic *seen;
	unsigned int k;

	core_new(&core, &vcore_ivb, 0, ALL_PREFETCHERS);
	read_all(BASE, 5000);
	wait(&core, 5000);
	seen = traffic(&core);
	for (k = 13; k <= VCORE_TRACKER_ENTRIES; k++)
		assert_int_equal(seen->cycles_with[k], 0);
	core_free(&core);
}

/*
 * A core reads only once in VCORE_BANDWIDTH_PERIOD cycles how much bandwidth the other cores use.
 */
TEST(a_core_reads_the_bandwidth_once_per_period)
{
	struct vcore_bandwidth *b = calloc(1, sizeof(*b));

	b->line_interval = 9;
	assert_int_equal(vcore_bandwidth_interval(b, 0, 1, 0), 9 * 16);
	vcore_bandwidth_interval(b, 1, VCORE_BANDWIDTH_PERIOD, VCORE_BANDWIDTH_PERIOD / 9);
	assert_int_equal(vcore_bandwidth_interval(b, 0, VCORE_BANDWIDTH_PERIOD, 0), 9 * 16);
	assert_in_range(vcore_bandwidth_interval(b, 0, 1 + VCORE_BANDWIDTH_PERIOD, 0),
			17 * 16, 18 * 16);
	free(b);
}

/*
 * On Knights Corner one busy core gets the whole bandwidth, and each of two busy cores gets half of
 * it.
 */
TEST(busy_cores_share_the_bandwidth)
{
	struct vcore_bandwidth *b = calloc(1, sizeof(*b));
	uint64_t cycle[2] = { 0 };
	uint64_t lines[2] = { 0 };
	unsigned int interval[2] = { 0 };
	unsigned int i, c;

	b->line_interval = 9;
	assert_int_equal(vcore_bandwidth_interval(b, 0, 1, 0), 9 * 16);
	for (i = 0; i < 400000; i++)
		for (c = 0; c < 2; c++) {
			interval[c] = vcore_bandwidth_interval(b, c, cycle[c],
							       ++lines[c]);
			cycle[c] += interval[c] / VCORE_INTERVAL_UNITS;
		}
	assert_in_range(interval[0], 17 * 16, 19 * 16);
	assert_in_range(interval[1], 17 * 16, 19 * 16);
	/* From here on the second core reads nothing. */
	for (i = 0; i < 100000; i++) {
		interval[0] = vcore_bandwidth_interval(b, 0, cycle[0],
						       ++lines[0]);
		cycle[0] += interval[0] / VCORE_INTERVAL_UNITS;
	}
	assert_int_equal(interval[0], 9 * 16);
	free(b);
}

/*
 * The interval of a core follows from the fractions of the bandwidth that the others use: the core has
 * what these leave, or an equal share. One that uses 1 % or less does not count. The cycles are those
 * of the clock that has advanced further.
 */
TEST(a_core_has_what_others_leave_or_an_equal_share)
{
	static const struct {
		double used[3];
		uint64_t own_cycles;
		double share;
	} all[] = {
		{ { 0 }, VCORE_BANDWIDTH_PERIOD, 1 },
		{ { 0.25 }, VCORE_BANDWIDTH_PERIOD, 0.75 },
		{ { 0.5 }, VCORE_BANDWIDTH_PERIOD, 0.5 },
		{ { 0.8 }, VCORE_BANDWIDTH_PERIOD, 0.5 },
		{ { 0.25, 0.25 }, VCORE_BANDWIDTH_PERIOD, 0.5 },
		{ { 0.4, 0.4 }, VCORE_BANDWIDTH_PERIOD, 1.0 / 3 },
		{ { 0.5, 0.125, 0.125 }, VCORE_BANDWIDTH_PERIOD, 0.25 },
		{ { 0.009 }, VCORE_BANDWIDTH_PERIOD, 1 },
		/* The others' clocks have advanced for a period, this core's for four of them. */
		{ { 0.8 }, 4 * VCORE_BANDWIDTH_PERIOD, 0.8 },
		{ { 0.4, 0.4 }, 4 * VCORE_BANDWIDTH_PERIOD, 0.8 },
	};
	const unsigned int line = 16;
	unsigned int i, k;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct vcore_bandwidth *b = calloc(1, sizeof(*b));
		unsigned int interval, ideal = line * VCORE_INTERVAL_UNITS / all[i].share;

		b->line_interval = line;
		vcore_bandwidth_interval(b, 7, 0, 0);
		for (k = 0; k < 3; k++)
			vcore_bandwidth_interval(b, k, VCORE_BANDWIDTH_PERIOD,
						 all[i].used[k] * VCORE_BANDWIDTH_PERIOD / line);
		interval = vcore_bandwidth_interval(b, 7, all[i].own_cycles, 0);
		assert_in_range(interval, ideal - 1, ideal + 1);
		/* What has been read once is not read again. */
		interval = vcore_bandwidth_interval(b, 7, 2 * all[i].own_cycles, 0);
		assert_int_equal(interval, line * VCORE_INTERVAL_UNITS);
		free(b);
	}
}

/* A read is in the tracker from its arrival at the controller on, in the core's own cycles. */
TEST(a_request_enters_the_tracker_when_it_arrives)
{
	const uint64_t there = vcore_ivb.memory.l3.latency / 2;

	core_new(&core, &vcore_ivb, 0, ALL_PREFETCHERS);
	vcore_transfers_read(core.memory, 1000, 1);
	core.cycle = 1000 + there;
	assert_int_equal(traffic(&core)->cycles_with[1], 0);
	core.cycle++;
	assert_int_equal(traffic(&core)->cycles_with[1], 1);
	core.cycle = 1000 + vcore_ivb.memory.memory - 1;
	assert_int_equal(traffic(&core)->cycles_with[1], vcore_ivb.memory.memory - there - 1);
	core.cycle += 1000;
	assert_int_equal(traffic(&core)->cycles_with[1], vcore_ivb.memory.memory - there);
	core_free(&core);
}
