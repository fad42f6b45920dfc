// SPDX-License-Identifier: GPL-2.0
#include "machine.h"

#include "box/cbo.h"
#include "memory/controller.h"
#include "memory/hierarchy.h"

/* Ivy Bridge's: Linux, uncore_snbep.c, IVBEP_CB0_*; the second box's are 0x20 further */
#define CTL 0xd04
#define SELECT 0xd10
#define FILTER 0xd14
#define COUNTER 0xd16
#define FILTER_HIGH 0xd1a
#define STEP 0x20
#define FREEZE 0x100
/* of Skylake's CHA: SKX_CHA_* */
#define CHA_SELECT 0xe01
#define CHA_FILTER_HIGH 0xe06
#define CHA_COUNTER 0xe08
#define CHA_STEP 0x10

#define THRESHOLD VPMU_BIT(24)
#define TID_EN VPMU_BIT(19)
#define EDGE VPMU_BIT(18)
#define OPC(code) ((code) << 20)

static uint64_t get(uint32_t msr)
{
	uint64_t value = 0;

	assert_true(vpmu_cbo_read(vpmu_cpus, msr, &value));
	return value;
}

static void set(uint32_t msr, uint64_t value)
{
	assert_true(vpmu_cbo_write(vpmu_cpus, msr, value));
}

static struct vcore_traffic *traffic(void)
{
	return &vpmu_cpus[0].core->memory->controller->tracker.counted;
}

/* slices 0 and 3 are the first box's of three, 2 the third's */
static void ask(unsigned int slice, enum vcore_request request, bool hit,
		unsigned int times)
{
	traffic()->slice[slice].lookups[request][hit] += times;
	traffic()->slice[slice].cycles[request][hit] += 200 * times;
}

static void boxes_of(const char *part)
{
	machine_new(vpmu_part_like(part), 3, 1);
	vpmu_options.boxes = 3;
	vpmu_cbo_init();
}

static void test_tor(void **state)
{
	(void)state;
	boxes_of("ivt");
	ask(0, VCORE_REQUEST_READ, false, 1000);
	assert_false(vpmu_cpus[2].score->model_on);
	/* OPCODE of the TOR's inserts, MISS_OPCODE of its occupancy, ALL of its inserts */
	set(FILTER_HIGH, OPC(0x182));
	set(SELECT, 0x136 | EN);
	set(SELECT + 1, 0x335 | EN);
	set(STEP + FILTER_HIGH, OPC(0x182));
	set(STEP + SELECT, 0x835 | EN);
	set(2 * STEP + FILTER_HIGH, OPC(0x192));
	set(2 * STEP + SELECT, 0x135 | EN);
	assert_true(vpmu_cpus[2].score->model_on & VPMU_FOR_SLICES);
	ask(0, VCORE_REQUEST_READ, false, 3);
	ask(3, VCORE_REQUEST_READ, true, 10);
	ask(6, VCORE_REQUEST_RFO, false, 100);
	ask(4, VCORE_REQUEST_CODE, false, 7);
	ask(7, VCORE_REQUEST_PREFETCH, true, 20);
	ask(2, VCORE_REQUEST_PREFETCH, true, 5);
	ask(5, VCORE_REQUEST_READ, false, 50);
	assert_int_equal(get(COUNTER), 13 * 200);
	assert_int_equal(get(COUNTER + 1), 3);
	assert_int_equal(get(STEP + COUNTER), 27);
	assert_int_equal(get(2 * STEP + COUNTER), 5);
	/* what a filter lets pass from now on */
	set(FILTER_HIGH, OPC(0x180));
	ask(0, VCORE_REQUEST_READ, false, 3);
	ask(0, VCORE_REQUEST_RFO, false, 2);
	assert_int_equal(get(COUNTER), 15 * 200);
	set(CTL, FREEZE);
	ask(0, VCORE_REQUEST_RFO, false, 2);
	assert_int_equal(get(COUNTER), 15 * 200);
	set(COUNTER, 1);
	set(CTL, 0);
	ask(0, VCORE_REQUEST_RFO, false, 1);
	assert_int_equal(get(COUNTER), 201);
	/* injected beside it */
	vpmu_cbo_happen(vpmu_cpus, 0x36 | 1 << 8, 0x180, 5);
	assert_int_equal(get(COUNTER), 206);
}

/* of local memory, of the other socket's, of a thread; cycles with so many; edges */
static void test_not(void **state)
{
	static const uint64_t none[] = {
		0x8136 | EN, 0x1036 | EN, 0x436 | EN, 0x836 | EN | TID_EN,
		0x836 | EN | THRESHOLD, 0x836 | EN | EDGE, 0x836, 0x1 | EN,
	};
	unsigned int i;

	(void)state;
	boxes_of("ivt");
	set(FILTER_HIGH, OPC(0x182));
	for (i = 0; i < sizeof(none) / sizeof(*none); i++) {
		set(SELECT, none[i]);
		ask(0, VCORE_REQUEST_READ, false, 3);
		assert_int_equal(get(COUNTER), 0);
	}
	set(SELECT, 0x2136 | EN);
	ask(0, VCORE_REQUEST_READ, false, 3);
	assert_int_equal(get(COUNTER), 600);
	/* counter 1 has no occupancy */
	set(SELECT + 1, 0x836 | EN);
	ask(0, VCORE_REQUEST_READ, false, 3);
	assert_int_equal(get(COUNTER + 1), 0);
	set(SELECT, 0);
	set(SELECT + 1, 0);
	assert_int_equal(vpmu_cpus[0].score->model_on & VPMU_FOR_SLICES, 0);
}

static void test_cbo_lookups(void **state)
{
	(void)state;
	boxes_of("ivt");
	/* DATA_READ of lines that are not there, of all; any, of those that are */
	set(FILTER, 0x01 << 17);
	set(SELECT, 0x334 | EN);
	set(STEP + FILTER, 0x3f << 17);
	set(STEP + SELECT, 0x334 | EN);
	set(2 * STEP + FILTER, 0x3e << 17);
	set(2 * STEP + SELECT, 0x1134 | EN);
	ask(0, VCORE_REQUEST_READ, false, 1);
	ask(0, VCORE_REQUEST_READ, true, 2);
	ask(0, VCORE_REQUEST_RFO, false, 4);
	ask(1, VCORE_REQUEST_READ, false, 1);
	ask(1, VCORE_REQUEST_PREFETCH, true, 2);
	ask(1, VCORE_REQUEST_CODE, true, 4);
	ask(2, VCORE_REQUEST_RFO, true, 1);
	ask(2, VCORE_REQUEST_CODE, false, 2);
	assert_int_equal(get(COUNTER), 1);
	assert_int_equal(get(STEP + COUNTER), 3);
	assert_int_equal(get(2 * STEP + COUNTER), 1);
}

static void test_cha(void **state)
{
	(void)state;
	boxes_of("skx");
	/* misses of DRd in memory of any socket; reads; writes; the clock */
	set(CHA_FILTER_HIGH, 0x40433);
	set(CHA_SELECT, 0x2136 | EN);
	set(CHA_SELECT + 1, 0x2135 | EN);
	set(CHA_SELECT + 2, 0x0350 | EN);
	set(CHA_STEP + CHA_SELECT, 0x0c50 | EN);
	set(2 * CHA_STEP + CHA_SELECT, 0x0c50 | EN);
	set(2 * CHA_STEP + CHA_SELECT + 1, 0x0000 | EN);
	ask(0, VCORE_REQUEST_READ, false, 2);
	ask(3, VCORE_REQUEST_READ, true, 10);
	ask(6, VCORE_REQUEST_RFO, false, 4);
	traffic()->writes = 5;
	traffic()->cycles_with[0] = 100;
	traffic()->cycles_with[2] = 11;
	assert_int_equal(get(CHA_COUNTER), 400);
	assert_int_equal(get(CHA_COUNTER + 1), 2);
	assert_int_equal(get(CHA_COUNTER + 2), 6);
	assert_int_equal(get(CHA_STEP + CHA_COUNTER), 2);
	assert_int_equal(get(2 * CHA_STEP + CHA_COUNTER), 1);
	assert_int_equal(get(2 * CHA_STEP + CHA_COUNTER + 1), 111);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tor),
		cmocka_unit_test(test_not),
		cmocka_unit_test(test_cbo_lookups),
		cmocka_unit_test(test_cha),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("CBos and CHAs", tests, NULL, machine_free);
}
