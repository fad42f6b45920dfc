// SPDX-License-Identifier: GPL-2.0
#include "machine.h"

#include <string.h>

#include "event/events.h"

static struct vpmu_snapshot now;

static uint64_t count(const struct vpmu_part *part, uint64_t select,
		      unsigned int counter)
{
	now.part = part;
	return vpmu_events_count(&now, USER, select, counter);
}

static struct vcore_counts *clean(void)
{
	memset(&now, 0, sizeof(now));
	return &now.ring[USER];
}

/* one uop in 10 cycles, two in 20, three in 30, four in 40; none in 100 */
static void test_masks(void **state)
{
	struct vcore_counts *counts = clean();
	unsigned int k;

	(void)state;
	counts->plain[VCORE_CYCLES] = 200;
	for (k = 1; k <= 4; k++)
		counts->cycles_with[VCORE_ISSUED][k] = 10 * k;
	now.ring[KERNEL].cycles_with[VCORE_ISSUED][1] = 7000;
	assert_int_equal(count(&vpmu_ivb, 0x010e, 0), 300);
	assert_int_equal(count(&vpmu_ivb, 0x0100010e, 0), 100);
	assert_int_equal(count(&vpmu_ivb, 0x0300010e, 0), 70);
	assert_int_equal(count(&vpmu_ivb, 0x0380010e, 0), 130);
	assert_int_equal(count(&vpmu_ivb, 0x0180010e, 0), 100);
	assert_int_equal(count(&vpmu_ivb, 0x0900010e, 0), 0);
	/* what nobody knows */
	assert_int_equal(count(&vpmu_ivb, 0x770e, 0), 0);
}

/* of the same event and umask a row with a mask and edge counts something else */
static void test_row_of_the_whole_select(void **state)
{
	struct vcore_counts *counts = clean();

	(void)state;
	counts->plain[VCORE_RECOVERY_CYCLES] = 500;
	counts->plain[VCORE_MISPREDICTS] = 20;
	counts->plain[VCORE_CLEARS] = 3;
	assert_int_equal(count(&vpmu_ivb, 0x030d, 0), 500);
	assert_int_equal(count(&vpmu_ivb, 0x0104030d, 0), 23);
	assert_int_equal(count(&vpmu_ivb, 0x0104030d | USR | EN, 0), 23);
}

static void test_differences(void **state)
{
	struct vcore_counts *counts = clean();

	(void)state;
	counts->plain[VCORE_L2_RFOS] = 100;
	counts->plain[VCORE_L2_RFO_HITS] = 30;
	assert_int_equal(count(&vpmu_ivb, 0x0c24, 0), 100);
	assert_int_equal(count(&vpmu_ivb, 0x0424, 0), 30);
	assert_int_equal(count(&vpmu_ivb, 0x0824, 0), 70);
}

static void test_ports(void **state)
{
	struct vcore_counts *counts = clean();
	unsigned int i;

	(void)state;
	for (i = 0; i < VCORE_MAX_PORTS; i++)
		counts->ports[i] = 1 << i;
	assert_int_equal(count(&vpmu_ivb, 0x01a1, 0), 1);
	assert_int_equal(count(&vpmu_ivb, 0x0ca1, 0), 4);
	assert_int_equal(count(&vpmu_ivb, 0x30a1, 0), 8);
	assert_int_equal(count(&vpmu_ivb, 0x80a1, 0), 32);
	/* loads have two ports there */
	assert_int_equal(count(&vpmu_spr, 0x04b2, 0), 4 + 8);
}

static void test_slots_and_numbers(void **state)
{
	struct vcore_counts *counts = clean();

	(void)state;
	counts->plain[VCORE_CYCLES] = 10;
	counts->cycles_with[VCORE_EXECUTED][2] = 5;
	counts->cycles_with[VCORE_EXECUTED][3] = 6;
	counts->computed[VCORE_X87] = 9;
	assert_int_equal(count(&vpmu_spr, 0x01a4, 0), 60);
	assert_int_equal(count(&vpmu_spr, 0x0ca6, 0), 11);
	assert_int_equal(count(&vpmu_skl, 0x04a6, 0), 5);
	assert_int_equal(count(&vpmu_ivb, 0x0110, 0), 9);
}

/* as Linux' event constraints say */
static void test_counters_of_an_event(void **state)
{
	struct vcore_counts *counts = clean();

	(void)state;
	counts->plain[VCORE_NO_EXECUTE_L1] = 5;
	counts->plain[VCORE_NO_EXECUTE] = 6;
	now.exact[VPMU_INSTRUCTIONS][USER] = 7;
	now.exact[VPMU_LOADS][USER] = 8;
	counts->plain[VCORE_WRONG_SLOTS] = 9;
	assert_int_equal(count(&vpmu_ivb, 0x0c000ca3, 2), 5);
	assert_int_equal(count(&vpmu_ivb, 0x0c000ca3, 1), 0);
	assert_int_equal(count(&vpmu_ivb, 0x040004a3, 3), 6);
	assert_int_equal(count(&vpmu_ivb, 0x040004a3, 4), 0);
	assert_int_equal(count(&vpmu_ivb, 0x01c0, 1), 7);
	assert_int_equal(count(&vpmu_ivb, 0x01c0, 0), 0);
	assert_int_equal(count(&vpmu_ivb, 0x81d0, 3), 8);
	assert_int_equal(count(&vpmu_ivb, 0x81d0, 4), 0);
	assert_int_equal(count(&vpmu_ivb, 0x00c0, 7), 7);
	assert_int_equal(count(&vpmu_spr, 0x04a4, 0), 9);
	assert_int_equal(count(&vpmu_spr, 0x04a4, 1), 0);
	assert_int_equal(count(&vpmu_spr, 0x81d0, 4), 0);
	assert_int_equal(count(&vpmu_spr, 0x00c0, 7), 7);
}

static void test_timed(void **state)
{
	(void)state;
	assert_false(vpmu_events_timed(&vpmu_ivb, 0x81d0, 0));
	assert_false(vpmu_events_timed(&vpmu_ivb, 0x00c4, 0));
	assert_true(vpmu_events_timed(&vpmu_ivb, 0x003c, 0));
	assert_true(vpmu_events_timed(&vpmu_ivb, 0x20c4, 0));
	assert_false(vpmu_events_timed(&vpmu_ivb, 0x0ca3, 0));
	assert_true(vpmu_events_timed(&vpmu_ivb, 0x0c000ca3, 2));
}

/* an event code of AMD's has twelve bits */
static void test_high_codes(void **state)
{
	struct vcore_counts *counts = clean();

	(void)state;
	counts->plain[VCORE_BACKEND_SLOTS] = 44;
	vpmu_options.part = &vpmu_zen4;
	assert_int_equal(count(&vpmu_zen4, 0x100001ea0, 0), 44);
	assert_int_equal(count(&vpmu_zen4, 0x1ea0, 0), 0);
	assert_int_equal(count(&vpmu_zen4, 0x200001ea0, 0), 0);
	vpmu_options.part = &vpmu_zen2;
	assert_int_equal(count(&vpmu_zen2, 0x100001ea0, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_masks),
		cmocka_unit_test(test_row_of_the_whole_select),
		cmocka_unit_test(test_differences),
		cmocka_unit_test(test_ports),
		cmocka_unit_test(test_slots_and_numbers),
		cmocka_unit_test(test_counters_of_an_event),
		cmocka_unit_test(test_timed),
		cmocka_unit_test(test_high_codes),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
