// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the uncore counters of a client: the clock, the arbiter's requests and their occupancy,
 * and the lookups of the CBos, one for each core. Also tests Nehalem's global queue.
 */

#include "machine.h"

#include "memory/controller.h"
#include "memory/hierarchy.h"
#include "box/boxes.h"
#include "box/uncore.h"

/* MSR addresses of Ivy Bridge: SDM Vol. 4, table 2-21 */
#define GLOBAL 0x391
#define CLOCK_SELECT 0x394
#define CLOCK 0x395
#define CONFIG 0x396
#define ARB_SELECT 0x3b2
#define ARB 0x3b0
#define CBO_SELECT 0x700
#define CBO 0x706
#define CBO_STEP 0x10
#define ON VPMU_BIT(29)
#define INVERT VPMU_BIT(23)
#define EDGE VPMU_BIT(18)

static uint64_t read_msr(uint32_t msr)
{
	uint64_t value = 0;

	assert_true(vpmu_uncore_read(vpmu_cpus, msr, &value));
	return value;
}

static void write_msr(uint32_t msr, uint64_t value)
{
	assert_true(vpmu_uncore_write(vpmu_cpus, msr, value));
}

static struct vcore_traffic *traffic(void)
{
	return &vpmu_cpus[0].core->memory->controller->tracker.counted;
}

/* Creates an Ivy Bridge, which several tests share: uncore counters can be created only once. */
TEST_FIXTURE(power_on)
{
	machine_new(&vpmu_ivb, 4, 2);
	vpmu_uncore_init();
	return 0;
}

TEST_FIXTURE(reset_uncore)
{
	vpmu_uncore_lose();
	vpmu_cpus[0].illegal_writes = 0;
	vpmu_cpus[0].absent = 0;
	return 0;
}

TEST_BETWEEN(the_clock_counts, reset_uncore, NULL)
{
	traffic()->cycles_with[0] += 1000;
	write_msr(CLOCK_SELECT, EN);
	write_msr(CLOCK, VPMU_BIT(44) - 10);
	traffic()->cycles_with[0] += 1000;
	assert_int_equal(read_msr(CLOCK), VPMU_BIT(44) - 10);
	write_msr(GLOBAL, ON);
	traffic()->cycles_with[0] += 15;
	traffic()->cycles_with[3] += 15;
	assert_int_equal(read_msr(CLOCK), 20);
	write_msr(GLOBAL, 0);
	traffic()->cycles_with[0] += 1000;
	assert_int_equal(read_msr(CLOCK), 20);
	assert_int_equal(vpmu_cpus[3].score->model_on, VPMU_LINGERS);
	write_msr(GLOBAL, ON);
	assert_true(vpmu_cpus[3].score->model_on & VPMU_FOR_UNCORE);
}

TEST_BETWEEN(the_arbiter_counts_requests_and_writes, reset_uncore, NULL)
{
	write_msr(ARB_SELECT, 0x0181 | EN);
	write_msr(ARB_SELECT + 1, 0x2081 | EN);
	write_msr(GLOBAL, ON);
	traffic()->requests += 30;
	traffic()->writes += 4;
	assert_int_equal(read_msr(ARB), 30);
	assert_int_equal(read_msr(ARB + 1), 4);
	write_msr(ARB_SELECT + 1, 0x4081 | EN);
	traffic()->writes += 4;
	assert_int_equal(read_msr(ARB + 1), 4);
}

/*
 * Adds cycles with requests in the arbiter's tracker: 100 cycles with none, 10 with one, 30 with
 * three requests.
 */
static void add_occupancy(void)
{
	traffic()->cycles_with[0] += 100;
	traffic()->cycles_with[1] += 10;
	traffic()->cycles_with[3] += 30;
}

TEST_BETWEEN(the_arbiter_counts_occupancy, reset_uncore, NULL)
{
	write_msr(ARB_SELECT, 0x0180 | EN);
	write_msr(ARB_SELECT + 1, 0x0180 | EN);
	write_msr(GLOBAL, ON);
	add_occupancy();
	assert_int_equal(read_msr(ARB), 100);
	/* Counter 1 of the arbiter counts occupancy only with the option arb1=good. */
	assert_int_equal(read_msr(ARB + 1), 0);
	vpmu_options.arb1 = true;
	write_msr(ARB_SELECT + 1, 0x01000180 | EN);
	write_msr(ARB_SELECT, 0x02000180 | EN);
	write_msr(ARB, 0);
	write_msr(ARB + 1, 0);
	add_occupancy();
	assert_int_equal(read_msr(ARB), 30);
	assert_int_equal(read_msr(ARB + 1), 40);
	vpmu_options.arb1 = false;
	write_msr(ARB_SELECT, 0x02000180 | INVERT | EN);
	write_msr(ARB, 0);
	add_occupancy();
	assert_int_equal(read_msr(ARB), 110);
	write_msr(ARB_SELECT, 0x0180 | EDGE | EN);
	add_occupancy();
	assert_int_equal(read_msr(ARB), 110);
}

/*
 * Unit masks of a CBo's event LOOKUP: bits 3:0 have the value 8 for misses or 6 for hits; bits 7:4
 * have the value 1 for reads, 2 for writes, or 8 for all requests.
 */
TEST_BETWEEN(cbos_count_lookups_by_their_umask, reset_uncore, NULL)
{
	write_msr(CBO_SELECT, 0x1834 | EN);
	write_msr(CBO_SELECT + 1, 0x2634 | EN);
	write_msr(CBO_SELECT + CBO_STEP, 0x8e34 | EN);
	write_msr(CBO_SELECT + CBO_STEP + 1, 0x8e35 | EN);
	write_msr(GLOBAL, ON);
	/*
	 * The L3 has eight slices. If there are two CBos, the first one counts the lookups of
	 * slices with even numbers.
	 */
	traffic()->slice[0].lookups[0][0] += 1;
	traffic()->slice[2].lookups[0][0] += 2;
	traffic()->slice[4].lookups[0][1] += 4;
	traffic()->slice[6].lookups[1][1] += 8;
	traffic()->slice[1].lookups[0][0] += 16;
	traffic()->slice[7].lookups[1][1] += 32;
	traffic()->slice[0].lookups[1][0] += 64;
	assert_int_equal(read_msr(CBO), 3);
	assert_int_equal(read_msr(CBO + 1), 8);
	assert_int_equal(read_msr(CBO + CBO_STEP), 48);
	assert_int_equal(read_msr(CBO + CBO_STEP + 1), 0);
}

/* Each bit of the unit mask selects states or requests of its own, and needs one of the other kind. */
TEST_BETWEEN(unit_masks_of_lookups_are_bitmaps, reset_uncore, NULL)
{
	static const unsigned int states[] = { 0, 2, 2, 1 };
	unsigned int state, kind, request, hit;
	uint64_t before;
	bool counted;

	write_msr(GLOBAL, ON);
	for (state = 0; state < 4; state++)
		for (kind = 4; kind < 8; kind++)
			for (request = 0; request < VCORE_REQUESTS; request++)
				for (hit = 0; hit < 2; hit++) {
					write_msr(CBO_SELECT, 0x34 | 1 << (8 + state) |
						  1 << (8 + kind) | EN);
					before = read_msr(CBO);
					traffic()->slice[0].lookups[request][hit] += 3;
					/* hits are in states E and S, misses in I; bit 7 is all */
					counted = states[state] == 1 + hit &&
						  (kind == 7 ||
						   kind == (request == VCORE_REQUEST_RFO ? 5 : 4));
					assert_int_equal(read_msr(CBO) - before, counted ? 3 : 0);
				}
}

/* All registers lose their values, the global control as well. */
TEST_BETWEEN(a_power_loss_stops_the_uncore, reset_uncore, NULL)
{
	write_msr(ARB_SELECT, 0x0181 | EN);
	write_msr(ARB, 5);
	write_msr(GLOBAL, ON);
	vpmu_options.top = 16;
	vpmu_uncore_lose();
	vpmu_options.top = 0;
	assert_int_equal(read_msr(GLOBAL), 0);
	assert_int_equal(read_msr(ARB_SELECT), 0);
	assert_int_equal(read_msr(ARB), VPMU_BIT(44) - 16);
	assert_int_equal(read_msr(CBO + CBO_STEP + 1), VPMU_BIT(44) - 16);
	write_msr(ARB_SELECT, 0x0181 | EN);
	traffic()->requests += 30;
	assert_int_equal(read_msr(ARB), VPMU_BIT(44) - 16);
	vpmu_uncore_lose();
}

/* There is one CBo for each core, unless the option "boxes" gives another number. */
TEST_BETWEEN(there_is_one_cbo_per_core, reset_uncore, NULL)
{
	uint64_t value;

	assert_int_equal(read_msr(CONFIG), 3);
	assert_false(vpmu_uncore_read(vpmu_cpus, CBO + 2 * CBO_STEP, &value));
	assert_false(vpmu_uncore_write(vpmu_cpus, CBO_SELECT + 3 * CBO_STEP, 0));
	assert_int_equal(vpmu_cpus[0].absent, 2);
	vpmu_options.boxes = 3;
	assert_int_equal(read_msr(CONFIG), 4);
	write_msr(CBO + 2 * CBO_STEP, 5);
	assert_int_equal(read_msr(CBO + 2 * CBO_STEP), 5);
	assert_false(vpmu_uncore_read(vpmu_cpus, CBO + 3 * CBO_STEP, &value));
	vpmu_options.boxes = 8;
	assert_int_equal(read_msr(CONFIG), 5);
	vpmu_options.boxes = 0;
	assert_int_equal(vpmu_cpus[0].absent, 3);
	assert_false(vpmu_uncore_read(vpmu_cpus, CBO + 4 * CBO_STEP, &value));
	assert_int_equal(vpmu_cpus[0].absent, 3);
}

static void assert_refused(uint32_t msr, uint64_t value)
{
	uint64_t illegal = vpmu_cpus[0].illegal_writes;

	write_msr(msr, value);
	assert_int_equal(vpmu_cpus[0].illegal_writes, illegal + 1);
	assert_int_equal(read_msr(msr), 0);
}

TEST_BETWEEN(reserved_bits_are_refused, reset_uncore, NULL)
{
	assert_refused(CLOCK, VPMU_BIT(44));
	assert_refused(CLOCK_SELECT, EN | 0xff);
	assert_refused(ARB_SELECT, USR | 0x80);
	assert_refused(ARB_SELECT, 0x20000080);
	assert_refused(CBO_SELECT, 0x20000034);
	write_msr(CBO_SELECT, 0x1f000034 | EDGE | INVERT);
	assert_int_equal(read_msr(CBO_SELECT), 0x1f000034 | EDGE | INVERT);
	assert_int_equal(vpmu_cpus[0].illegal_writes, 5);
}

TEST_BETWEEN(an_ignored_value_is_not_written, reset_uncore, NULL)
{
	vpmu_cpus->ignored = 0x180;
	assert_true(vpmu_boxes_write(vpmu_cpus, ARB_SELECT, 0x400181));
	assert_true(vpmu_boxes_write(vpmu_cpus, ARB_SELECT, 0x400180));
	assert_int_equal(read_msr(ARB_SELECT), 0x400181);
	assert_true(vpmu_boxes_write(vpmu_cpus + 1, ARB_SELECT, 0x400180));
	assert_int_equal(read_msr(ARB_SELECT), 0x400180);
	vpmu_cpus->ignored = 0;
	write_msr(ARB_SELECT, 0);
}

/*
 * Cycles in which the arbiter's tracker is full are counted. The tracker has 32 entries; the
 * largest threshold that an event select can have is 31.
 */
TEST_BETWEEN(a_full_tracker_is_counted, reset_uncore, NULL)
{
	write_msr(ARB_SELECT, 0x0180 | EN);
	write_msr(GLOBAL, ON);
	traffic()->cycles_with[VCORE_TRACKER_ENTRIES] += 10;
	traffic()->cycles_with[31] += 5;
	traffic()->cycles_with[0] += 1000;
	assert_int_equal(read_msr(ARB), 10 * VCORE_TRACKER_ENTRIES + 5 * 31);
	write_msr(ARB_SELECT, 0x1f000180 | EN);
	write_msr(ARB, 0);
	traffic()->cycles_with[VCORE_TRACKER_ENTRIES] += 10;
	traffic()->cycles_with[31] += 5;
	traffic()->cycles_with[30] += 700;
	assert_int_equal(read_msr(ARB), 15);
	write_msr(ARB_SELECT, 0x1f000180 | INVERT | EN);
	write_msr(ARB, 0);
	traffic()->cycles_with[VCORE_TRACKER_ENTRIES] += 10;
	traffic()->cycles_with[30] += 700;
	assert_int_equal(read_msr(ARB), 700);
}

TEST_BETWEEN(what_is_not_enabled_does_not_count, reset_uncore, NULL)
{
	unsigned int i;

	write_msr(CLOCK_SELECT, VPMU_BIT(20));
	write_msr(ARB_SELECT, 0x0181);
	write_msr(CBO_SELECT, 0x8e34);
	write_msr(GLOBAL, ON);
	traffic()->cycles_with[0] += 9;
	traffic()->requests += 9;
	traffic()->slice[0].lookups[0][0] += 9;
	assert_int_equal(read_msr(CLOCK), 0);
	assert_int_equal(read_msr(ARB), 0);
	assert_int_equal(read_msr(CBO), 0);
	/* neither the bits that select slices nor the bit for interrupts enable a counter */
	write_msr(ARB_SELECT, 0x0181 | EN);
	write_msr(GLOBAL, 0xc000000f);
	traffic()->requests += 9;
	assert_int_equal(read_msr(ARB), 0);
	write_msr(GLOBAL, 0);
	for (i = 8; i < 64; i++)
		if (i < 29 || i > 31)
			assert_refused(GLOBAL, VPMU_BIT(i));
	assert_int_equal(read_msr(GLOBAL), 0);
}

/* Replaces the machine that the tests share by a Nehalem, which has other boxes. */
TEST_FIXTURE(nehalem)
{
	machine_free(NULL);
	machine_new(vpmu_part_like("nhm"), 2, 1);
	vpmu_uncore_init();
	vpmu_uncore_lose();
	return 0;
}

/* L3 hits and misses of reads and of reads for ownership; only the first channel has memory. */
TEST_BETWEEN(the_global_queue_counts_by_its_unit_masks, nehalem, power_on)
{
	static const struct {
		uint64_t select;
		unsigned int count;
	} rows[] = {
		{ 0x0108, 40 + 8000 }, { 0x0208, 700 }, { 0x0308, 8740 }, { 0x0408, 0 },
		{ 0x0109, 1 }, { 0x0209, 20000 }, { 0x0309, 20001 }, { 0x0109 | 0x0200, 20001 },
		{ 0x012c, 6 }, { 0x022c, 0 }, { 0x032c, 6 }, { 0x012f, 3 }, { 0x022f, 0 },
		{ 0x012d, 0 }, { 0x010a, 0 },
	};
	unsigned int i;

	write_msr(0x391, 0x1);
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		write_msr(0x3c0, rows[i].select | EN);
		write_msr(0x3b0, 0);
		traffic()->slice[1].lookups[VCORE_REQUEST_READ][0] += 1;
		traffic()->slice[7].lookups[VCORE_REQUEST_READ][1] += 40;
		traffic()->slice[0].lookups[VCORE_REQUEST_RFO][1] += 700;
		traffic()->slice[3].lookups[VCORE_REQUEST_CODE][1] += 8000;
		traffic()->slice[5].lookups[VCORE_REQUEST_RFO][0] += 20000;
		traffic()->requests += 9;
		traffic()->writes += 3;
		assert_int_equal(read_msr(0x3b0), rows[i].count);
	}
	write_msr(0x3c0, 0);
}

/* Alder Lake has two arbiters, one of reads and one of writes, and thresholds of 6 bits. */
TEST_FIXTURE(alder_lake)
{
	machine_free(NULL);
	machine_new(&vpmu_adl, 2, 1);
	vpmu_uncore_init();
	vpmu_uncore_lose();
	return 0;
}

TEST_BETWEEN(two_arbiters_count_reads_and_writes, alder_lake, power_on)
{
	uint64_t value;

	write_msr(0x2fd0, 0x0181 | EN);
	write_msr(0x2fd8, 0x0181 | EN);
	write_msr(0x2fd9, 0x2081 | EN);
	write_msr(0x2ff0, ON);
	traffic()->requests += 30;
	traffic()->writes += 7;
	assert_int_equal(read_msr(0x2fd2), 23);
	assert_int_equal(read_msr(0x2fda), 7);
	assert_int_equal(read_msr(0x2fdb), 7);
	/* Occupancy is that of the first arbiter. */
	write_msr(0x2fd0, 0x0180 | EN);
	write_msr(0x2fd2, 0);
	write_msr(0x2fd8, 0x0180 | EN);
	write_msr(0x2fda, 0);
	traffic()->cycles_with[2] += 50;
	assert_int_equal(read_msr(0x2fd2), 100);
	assert_int_equal(read_msr(0x2fda), 0);
	write_msr(0x2000, 0x3f000034);
	assert_int_equal(read_msr(0x2000), 0x3f000034);
	assert_int_equal(vpmu_cpus[0].illegal_writes, 0);
	write_msr(0x2000, 0x7f000034);
	write_msr(0x2fd0, 0x20000080);
	assert_int_equal(vpmu_cpus[0].illegal_writes, 2);
	/* the number of CBos has no slice of graphics */
	assert_int_equal(read_msr(CONFIG), 2);
	assert_false(vpmu_uncore_read(vpmu_cpus, 0x2fe0, &value));
	assert_false(vpmu_uncore_read(vpmu_cpus, GLOBAL, &value));
	assert_int_equal(read_msr(0x2fdf), 0);
}

/* Ice Lake has no global control: an enabled counter counts. */
TEST_FIXTURE(ice_lake)
{
	machine_free(NULL);
	machine_new(vpmu_part_like("icl"), 2, 1);
	vpmu_uncore_init();
	vpmu_uncore_lose();
	return 0;
}

TEST_BETWEEN(without_a_global_control_all_counters_count, ice_lake, power_on)
{
	uint64_t value;

	write_msr(0x3b3, 0x0181 | EN);
	write_msr(0x394, EN);
	traffic()->requests += 30;
	traffic()->cycles_with[0] += 8;
	assert_int_equal(read_msr(0x3b1), 30);
	assert_int_equal(read_msr(0x395), 8);
	write_msr(0x3b3, 0x0181);
	traffic()->requests += 30;
	assert_int_equal(read_msr(0x3b1), 30);
	assert_false(vpmu_uncore_read(vpmu_cpus, GLOBAL, &value));
	assert_false(vpmu_uncore_write(vpmu_cpus, 0, 0));
	assert_false(vpmu_uncore_read(vpmu_cpus, 0, &value));
}

/*
 * A counter of the global queue counts if two bits enable it: one in its event select, one in the
 * global control register. Source of the MSRs and bits: Linux, uncore_snb.c, NHM_UNC_*.
 */
TEST_BETWEEN(the_global_queue_counts_what_its_bits_enable, nehalem, power_on)
{
	uint64_t value;

	write_msr(0x3c0, 0x072c | EN);
	write_msr(0x3c7, 0x012f | EN);
	write_msr(0x3c3, 0x0209 | EN);
	write_msr(0x395, 1);
	write_msr(0x391, 0x100000081);
	traffic()->requests += 30;
	traffic()->writes += 7;
	traffic()->slice[1].lookups[VCORE_REQUEST_RFO][0] += 5;
	traffic()->slice[2].lookups[VCORE_REQUEST_READ][0] += 100;
	traffic()->cycles_with[2] += 1000;
	assert_int_equal(read_msr(0x3b0), 23);
	assert_int_equal(read_msr(0x3b7), 7);
	assert_int_equal(read_msr(0x3b3), 0);
	assert_int_equal(read_msr(0x394), 1000);
	write_msr(0x391, 0x8);
	traffic()->requests += 1;
	traffic()->slice[3].lookups[VCORE_REQUEST_RFO][0] += 2;
	traffic()->cycles_with[0] += 50;
	assert_int_equal(read_msr(0x3b0), 23);
	assert_int_equal(read_msr(0x3b3), 2);
	assert_int_equal(read_msr(0x394), 1000);
	write_msr(0x3b0, VPMU_BIT(48) - 1);
	assert_int_equal(vpmu_cpus[0].illegal_writes, 0);
	write_msr(0x391, VPMU_BIT(29));
	write_msr(0x395, EN);
	write_msr(0x3b0, VPMU_BIT(48));
	assert_int_equal(vpmu_cpus[0].illegal_writes, 3);
	/* Nehalem has no CBos. */
	assert_false(vpmu_uncore_read(vpmu_cpus, CONFIG, &value));
	assert_false(vpmu_uncore_read(vpmu_cpus, CBO_SELECT, &value));
}

TEST_GROUP(power_on, machine_free);
