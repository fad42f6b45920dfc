// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the counters of CBos and CHAs: they count the events that event select and filter
 * select, as on a server. Writes of reserved bits are illegal.
 */

#include "machine.h"

#include "box/cbo.h"
#include "memory/controller.h"
#include "memory/hierarchy.h"

/*
 * MSRs of the first CBo of Ivy Bridge's servers: Linux, uncore_snbep.c, IVBEP_CB0_*. MSRs of each
 * further CBo are STEP higher.
 */
#define CTL 0xd04
#define SELECT 0xd10
#define FILTER 0xd14
#define COUNTER 0xd16
#define FILTER_HIGH 0xd1a
#define STEP 0x20
#define FREEZE 0x100
/* MSRs of the first CHA of Skylake's servers: Linux, uncore_snbep.c, SKX_CHA_* */
#define CHA_SELECT 0xe01
#define CHA_FILTER_HIGH 0xe06
#define CHA_COUNTER 0xe08
#define CHA_STEP 0x10

#define THRESHOLD VPMU_BIT(24)
#define TID_EN VPMU_BIT(19)
#define EDGE VPMU_BIT(18)
#define OPC(code) ((code) << 20)

static uint64_t read_msr(uint32_t msr)
{
	uint64_t value = 0;

	assert_true(vpmu_cbo_read(vpmu_cpus, msr, &value));
	return value;
}

static void write_msr(uint32_t msr, uint64_t value)
{
	assert_true(vpmu_cbo_write(vpmu_cpus, msr, value));
}

static struct vcore_traffic *traffic(void)
{
	return &vpmu_cpus[0].core->memory->controller->tracker.counted;
}

/*
 * Adds lookups in a slice of the simulated L3; each request is in the TOR for 200 cycles. The
 * machine has three boxes. Box n counts for slices n, n + 3 and n + 6.
 */
static void look_up(unsigned int slice, enum vcore_request request, bool hit,
		    unsigned int times)
{
	traffic()->slice[slice].lookups[request][hit] += times;
	traffic()->slice[slice].cycles[request][hit] += 200 * times;
}

static void create_boxes(const char *part)
{
	machine_new(vpmu_part_like(part), 3, 1);
	vpmu_options.boxes = 3;
	vpmu_cbo_init();
}

TEST(counts_requests_of_an_opcode)
{
	create_boxes("ivt");
	look_up(0, VCORE_REQUEST_READ, false, 1000);
	assert_false(vpmu_cpus[2].score->model_on);
	/*
	 * Select TOR_OCCUPANCY.OPCODE and TOR_INSERTS.MISS_OPCODE in the first box,
	 * TOR_INSERTS.ALL in the second, and TOR_INSERTS.OPCODE in the third.
	 */
	write_msr(FILTER_HIGH, OPC(0x182));
	write_msr(SELECT, 0x136 | EN);
	write_msr(SELECT + 1, 0x335 | EN);
	write_msr(STEP + FILTER_HIGH, OPC(0x182));
	write_msr(STEP + SELECT, 0x835 | EN);
	write_msr(2 * STEP + FILTER_HIGH, OPC(0x192));
	write_msr(2 * STEP + SELECT, 0x135 | EN);
	assert_true(vpmu_cpus[2].score->model_on & VPMU_FOR_SLICES);
	look_up(0, VCORE_REQUEST_READ, false, 3);
	look_up(3, VCORE_REQUEST_READ, true, 10);
	look_up(6, VCORE_REQUEST_RFO, false, 100);
	look_up(4, VCORE_REQUEST_CODE, false, 7);
	look_up(7, VCORE_REQUEST_PREFETCH, true, 20);
	look_up(2, VCORE_REQUEST_PREFETCH, true, 5);
	look_up(5, VCORE_REQUEST_READ, false, 50);
	assert_int_equal(read_msr(COUNTER), 13 * 200);
	assert_int_equal(read_msr(COUNTER + 1), 3);
	assert_int_equal(read_msr(STEP + COUNTER), 27);
	assert_int_equal(read_msr(2 * STEP + COUNTER), 5);
	/* A new filter must apply to later lookups only. */
	write_msr(FILTER_HIGH, OPC(0x180));
	look_up(0, VCORE_REQUEST_READ, false, 3);
	look_up(0, VCORE_REQUEST_RFO, false, 2);
	assert_int_equal(read_msr(COUNTER), 15 * 200);
	write_msr(CTL, FREEZE);
	look_up(0, VCORE_REQUEST_RFO, false, 2);
	assert_int_equal(read_msr(COUNTER), 15 * 200);
	write_msr(COUNTER, 1);
	write_msr(CTL, 0);
	look_up(0, VCORE_REQUEST_RFO, false, 1);
	assert_int_equal(read_msr(COUNTER), 201);
	/* A counter counts injected events and events of the simulated L3. */
	vpmu_cbo_happen(vpmu_cpus, 0x36 | 1 << 8, 0x180, 5);
	assert_int_equal(read_msr(COUNTER), 206);
}

/*
 * An event select counts nothing if it has a bit that the virtual PMU does not implement (REMOTE,
 * WB, EVICTION, TID_EN, threshold, edge), has no enable bit, or has another event.
 */
TEST(unsupported_selects_count_nothing)
{
	static const uint64_t none[] = {
		0x8136 | EN, 0x1036 | EN, 0x436 | EN, 0x836 | EN | TID_EN,
		0x836 | EN | THRESHOLD, 0x836 | EN | EDGE, 0x836, 0x1 | EN,
	};
	unsigned int i;

	create_boxes("ivt");
	write_msr(FILTER_HIGH, OPC(0x182));
	for (i = 0; i < sizeof(none) / sizeof(*none); i++) {
		write_msr(SELECT, none[i]);
		look_up(0, VCORE_REQUEST_READ, false, 3);
		assert_int_equal(read_msr(COUNTER), 0);
	}
	write_msr(SELECT, 0x2136 | EN);
	look_up(0, VCORE_REQUEST_READ, false, 3);
	assert_int_equal(read_msr(COUNTER), 600);
	/* only counter 0 counts occupancy */
	write_msr(SELECT + 1, 0x836 | EN);
	look_up(0, VCORE_REQUEST_READ, false, 3);
	assert_int_equal(read_msr(COUNTER + 1), 0);
	write_msr(SELECT, 0);
	write_msr(SELECT + 1, 0);
	assert_int_equal(vpmu_cpus[0].score->model_on & VPMU_FOR_SLICES, 0);
}

TEST(counts_lookups_by_state)
{
	create_boxes("ivt");
	/*
	 * Event LOOKUP: the first box counts DATA_READ of lines that are not in the cache (state
	 * I), the second DATA_READ of lines in any state, the third ANY of lines in the cache.
	 */
	write_msr(FILTER, 0x01 << 17);
	write_msr(SELECT, 0x334 | EN);
	write_msr(STEP + FILTER, 0x3f << 17);
	write_msr(STEP + SELECT, 0x334 | EN);
	write_msr(2 * STEP + FILTER, 0x3e << 17);
	write_msr(2 * STEP + SELECT, 0x1134 | EN);
	look_up(0, VCORE_REQUEST_READ, false, 1);
	look_up(0, VCORE_REQUEST_READ, true, 2);
	look_up(0, VCORE_REQUEST_RFO, false, 4);
	look_up(1, VCORE_REQUEST_READ, false, 1);
	look_up(1, VCORE_REQUEST_PREFETCH, true, 2);
	look_up(1, VCORE_REQUEST_CODE, true, 4);
	look_up(2, VCORE_REQUEST_RFO, true, 1);
	look_up(2, VCORE_REQUEST_CODE, false, 2);
	assert_int_equal(read_msr(COUNTER), 1);
	assert_int_equal(read_msr(STEP + COUNTER), 3);
	assert_int_equal(read_msr(2 * STEP + COUNTER), 1);
}

TEST(chas_count_occupancy_inserts_and_clocks)
{
	create_boxes("skx");
	/*
	 * The first CHA counts TOR occupancy and TOR inserts of requests with opcode DRd that miss,
	 * and reads from memory; the second writes to memory; the third writes to memory, and clock
	 * ticks.
	 */
	write_msr(CHA_FILTER_HIGH, 0x40433);
	write_msr(CHA_SELECT, 0x2136 | EN);
	write_msr(CHA_SELECT + 1, 0x2135 | EN);
	write_msr(CHA_SELECT + 2, 0x0350 | EN);
	write_msr(CHA_STEP + CHA_SELECT, 0x0c50 | EN);
	write_msr(2 * CHA_STEP + CHA_SELECT, 0x0c50 | EN);
	write_msr(2 * CHA_STEP + CHA_SELECT + 1, 0x0000 | EN);
	look_up(0, VCORE_REQUEST_READ, false, 2);
	look_up(3, VCORE_REQUEST_READ, true, 10);
	look_up(6, VCORE_REQUEST_RFO, false, 4);
	traffic()->writes = 5;
	traffic()->cycles_with[0] = 100;
	traffic()->cycles_with[2] = 11;
	assert_int_equal(read_msr(CHA_COUNTER), 400);
	assert_int_equal(read_msr(CHA_COUNTER + 1), 2);
	assert_int_equal(read_msr(CHA_COUNTER + 2), 6);
	assert_int_equal(read_msr(CHA_STEP + CHA_COUNTER), 2);
	assert_int_equal(read_msr(2 * CHA_STEP + CHA_COUNTER), 1);
	assert_int_equal(read_msr(2 * CHA_STEP + CHA_COUNTER + 1), 111);
}

static void assert_refused(uint32_t msr, uint64_t value)
{
	uint64_t illegal = vpmu_cpus[0].illegal_writes, before = read_msr(msr);

	write_msr(msr, value);
	assert_int_equal(vpmu_cpus[0].illegal_writes, illegal + 1);
	assert_int_equal(read_msr(msr), before);
}

/*
 * Two reset bits of the unit control read as 0. One clears the event selects, the other the
 * counters.
 */
TEST(reset_bits_read_as_0)
{
	create_boxes("ivt");
	write_msr(SELECT + 3, 0x334 | EN);
	write_msr(COUNTER + 3, 5);
	write_msr(FILTER, 0x1f);
	write_msr(STEP + COUNTER + 3, 6);
	write_msr(CTL, 0x2);
	assert_int_equal(read_msr(CTL), 0);
	assert_int_equal(read_msr(SELECT + 3), 0x334 | EN);
	assert_int_equal(read_msr(COUNTER + 3), 0);
	write_msr(COUNTER + 3, 5);
	write_msr(CTL, 0x1 | FREEZE);
	assert_int_equal(read_msr(CTL), FREEZE);
	assert_int_equal(read_msr(SELECT + 3), 0);
	assert_int_equal(read_msr(COUNTER + 3), 5);
	assert_int_equal(read_msr(FILTER), 0x1f);
	assert_int_equal(read_msr(STEP + COUNTER + 3), 6);
}

/*
 * Each CPU model has its own reserved bits. The last CBo of the package has registers; the MSRs
 * that a further CBo would have do not exist.
 */
TEST(reserved_bits_of_cbos_are_refused)
{
	uint64_t value;

	create_boxes("ivt");
	assert_refused(CTL, 0x10000);
	assert_refused(SELECT, VPMU_BIT(23));
	assert_refused(SELECT, VPMU_BIT(32));
	assert_refused(COUNTER, VPMU_BIT(44));
	assert_refused(FILTER, VPMU_BIT(9));
	assert_refused(FILTER, VPMU_BIT(23));
	assert_refused(FILTER_HIGH, VPMU_BIT(16));
	assert_refused(FILTER_HIGH, VPMU_BIT(32));
	write_msr(2 * STEP + COUNTER, VPMU_BIT(44) - 1);
	assert_false(vpmu_cbo_read(vpmu_cpus, 3 * STEP + COUNTER, &value));
	assert_false(vpmu_cbo_write(vpmu_cpus, 3 * STEP + SELECT, 0));
	create_boxes("jkt");
	write_msr(CTL, 0x10000);
	write_msr(SELECT, VPMU_BIT(23));
	assert_false(vpmu_cbo_read(vpmu_cpus, FILTER_HIGH, &value));
	assert_refused(FILTER, VPMU_BIT(5));
	create_boxes("skx");
	write_msr(CHA_COUNTER, VPMU_BIT(48) - 1);
	assert_refused(CHA_COUNTER, VPMU_BIT(48));
	assert_refused(CHA_SELECT, VPMU_BIT(32));
	assert_refused(0xe00, 0x10000);
	assert_refused(0x702, 1);
	create_boxes("icx");
	write_msr(CHA_SELECT, VPMU_BIT(57));
	assert_refused(CHA_SELECT, VPMU_BIT(58));
	assert_false(vpmu_cbo_read(vpmu_cpus, CHA_FILTER_HIGH, &value));
	/* a client has no such MSRs, and ignores injected events of CBos */
	machine_new(&vpmu_ivb, 1, 1);
	assert_false(vpmu_cbo_read(vpmu_cpus, CTL, &value));
	vpmu_cbo_happen(vpmu_cpus, 0x36, 0, 1);
}

/*
 * An injected event is counted only by its box, and only if the box's filter selects the event's
 * thread, opcode or line state.
 */
TEST(injected_events_pass_the_filter)
{
	unsigned int box;
	uint64_t value;

	create_boxes("ivt");
	write_msr(FILTER_HIGH, OPC(0x182));
	write_msr(SELECT, 0x135 | EN);
	write_msr(SELECT + 1, 0x135);
	write_msr(STEP + FILTER_HIGH, OPC(0x182));
	write_msr(STEP + SELECT, 0x135 | EN | TID_EN);
	write_msr(STEP + FILTER, 0x05);
	vpmu_cbo_happen(vpmu_cpus, 0x135, 0x182, 1);
	vpmu_cbo_happen(vpmu_cpus, 0x135, 0x183, 20);
	vpmu_cbo_happen(vpmu_cpus, 0x136, 0x182, 300);
	vpmu_cbo_happen(vpmu_cpus, 1 << 16 | 0x135, 5 << 10 | 0x182, 4000);
	vpmu_cbo_happen(vpmu_cpus, 1 << 16 | 0x135, 4 << 10 | 0x182, 50000);
	assert_int_equal(read_msr(COUNTER), 1);
	assert_int_equal(read_msr(COUNTER + 1), 0);
	assert_int_equal(read_msr(STEP + COUNTER), 4000);
	/*
	 * an injected event of a box that the CPU's package does not have must not be counted by a
	 * box of the next package
	 */
	vpmu_options.fabric = 1;
	assert_true(vpmu_cbo_write(vpmu_cpus + 1, FILTER_HIGH, OPC(0x182)));
	assert_true(vpmu_cbo_write(vpmu_cpus + 1, SELECT, 0x135 | EN));
	for (box = 3; box < 256; box++)
		vpmu_cbo_happen(vpmu_cpus, box << 16 | 0x135, 0x182, 1);
	assert_true(vpmu_cbo_read(vpmu_cpus + 1, COUNTER, &value));
	assert_int_equal(value, 0);
	vpmu_options.fabric = 0;
	write_msr(CTL, FREEZE);
	vpmu_cbo_happen(vpmu_cpus, 0x135, 0x182, 1);
	assert_int_equal(read_msr(COUNTER), 1);
	/* The counter wraps at 44 bits. */
	write_msr(CTL, 0);
	write_msr(COUNTER, VPMU_BIT(44) - 1);
	vpmu_cbo_happen(vpmu_cpus, 0x135, 0x182, 3);
	assert_int_equal(read_msr(COUNTER), 2);
}

/* Requests that hit, miss, or have an opcode: bits 63:32 of the selects of Intel's perfmon for ICX. */
TEST(chas_of_ice_lake_servers_match_by_the_select)
{
	const uint64_t inserts = 0x0135 | EN;

	create_boxes("icx");
	write_msr(CHA_SELECT, 0xc817feull << 32 | inserts);
	write_msr(CHA_SELECT + 1, 0xc817fdull << 32 | inserts);
	write_msr(CHA_SELECT + 2, 0xc807feull << 32 | inserts);
	write_msr(CHA_SELECT + 3, 0x0007feull << 32 | inserts);
	look_up(0, VCORE_REQUEST_READ, false, 3);
	look_up(0, VCORE_REQUEST_READ, true, 20);
	look_up(0, VCORE_REQUEST_RFO, false, 500);
	look_up(0, VCORE_REQUEST_CODE, false, 7000);
	assert_int_equal(read_msr(CHA_COUNTER), 3);
	assert_int_equal(read_msr(CHA_COUNTER + 1), 20);
	assert_int_equal(read_msr(CHA_COUNTER + 2), 500);
	assert_int_equal(read_msr(CHA_COUNTER + 3), 7503);
}

/* With top=500 each counter of each box begins 500 events before it wraps. */
TEST(all_counters_have_their_values_at_power_on)
{
	unsigned int box, i;

	create_boxes("ivt");
	vpmu_options.top = 500;
	vpmu_cbo_init();
	for (box = 0; box < 3; box++)
		for (i = 0; i < 4; i++)
			assert_int_equal(read_msr(box * STEP + COUNTER + i), VPMU_BIT(44) - 500);
	vpmu_options.top = 0;
}

/* First and last CHA of each range: Linux, uncore_snbep.c, icx_cha_msr_offsets, above 0xb60. */
TEST(chas_of_ice_lake_servers_have_three_ranges_of_msrs)
{
	static const struct {
		unsigned int box;
		uint32_t ctl;
	} chas[] = {
		{ 0, 0xe00 }, { 17, 0xeee }, { 18, 0xf0a }, { 33, 0xfdc }, { 34, 0xb60 }, { 35, 0xb6e },
	};
	unsigned int i, times;

	machine_new(vpmu_part_like("icx"), 3, 1);
	vpmu_options.boxes = 36;
	vpmu_cbo_init();
	for (i = 0; i < sizeof(chas) / sizeof(*chas); i++)
		write_msr(chas[i].ctl + 1, EN);
	for (i = 0; i < sizeof(chas) / sizeof(*chas); i++)
		vpmu_cbo_happen(vpmu_cpus, chas[i].box << 16, 0, 10 + i);
	for (i = 0; i < sizeof(chas) / sizeof(*chas); i++) {
		times = read_msr(chas[i].ctl + 8);
		assert_int_equal(times, 10 + i);
	}
}

/* filter of a CHA in FILTER1: bits for the home of a line, for all opcodes, and two opcodes */
#define REMOTE 0x01
#define LOCAL 0x02
#define ALL 0x08
#define FAR 0x20
#define OPC_1(code) ((code) << 9)
#define OPC_2(code) ((uint64_t)(code) << 19)

/*
 * Of which occurrences counter 0 counts those that are injected: @select and @high are its event
 * select and FILTER1, @low is FILTER0; @what and @detail are the occurrence's event and unit mask,
 * and opcode, state or thread.
 */
struct occurrence {
	uint64_t select;
	uint64_t low, high;
	uint32_t what;
	uint32_t detail;
	bool counted;
};

static void assert_counted(const char *part, uint32_t select, uint32_t counter, uint32_t low,
			   uint32_t high, const struct occurrence *of, size_t nr)
{
	uint64_t before;
	size_t i;

	create_boxes(part);
	for (i = 0; i < nr; i++) {
		if (low)
			write_msr(low, of[i].low);
		if (high)
			write_msr(high, of[i].high);
		write_msr(select, of[i].select | EN);
		before = read_msr(counter);
		vpmu_cbo_happen(vpmu_cpus, of[i].what, of[i].detail, 3);
		assert_int_equal(read_msr(counter) - before, of[i].counted ? 3 : 0);
	}
	assert_int_equal(vpmu_cpus->illegal_writes, 0);
}

/* Intel's uncore guides: unit masks of the TOR's events, and how FILTER0 and FILTER1 restrict them. */
TEST(cbos_count_what_unit_mask_and_filter_select)
{
	static const struct occurrence of[] = {
		/* all; those whose home is this package or another one; those that missed */
		{ 0x0835, 0, 0, 0x0035, 0x182, true }, { 0x0835, 0, 0, 0x2235, 0, true },
		{ 0x2835, 0, 0, 0x2035, 0, true }, { 0x2835, 0, 0, 0x0035, 0, false },
		{ 0x2835, 0, 0, 0x8035, 0, false }, { 0x8835, 0, 0, 0x8035, 0, true },
		{ 0x8835, 0, 0, 0x2035, 0, false }, { 0x0a35, 0, 0, 0x0235, 0, true },
		{ 0x0a35, 0, 0, 0x2035, 0, false }, { 0x2a35, 0, 0, 0x2235, 0, true },
		{ 0x2a35, 0, 0, 0x0235, 0, false },
		/* evictions and write-backs, and no others */
		{ 0x0435, 0, 0, 0x0435, 0, true }, { 0x0435, 0, 0, 0x1035, 0, false },
		{ 0x0435, 0, 0, 0x0035, 0, false }, { 0x1035, 0, 0, 0x1035, 0, true },
		{ 0x1035, 0, 0, 0x0435, 0, false }, { 0x1435, 0, 0, 0x1035, 0, true },
		/* an opcode */
		{ 0x0135, 0, OPC(0x182), 0x0035, 0x182, true },
		{ 0x0135, 0, OPC(0x182), 0x0035, 0x180, false },
		{ 0x0335, 0, OPC(0x182), 0x0035, 0x182, false },
		{ 0x0335, 0, OPC(0x182), 0x0235, 0x182, true },
		{ 0x0835, 0, OPC(0x182), 0x0035, 0x180, true },
		/* the home node of the first package is number 0 */
		{ 0x4835, 0, 1, 0x0035, 0, true }, { 0x4835, 0, 2, 0x0035, 0, false },
		{ 0x4835, 0, 3, 0x0035, 0, true }, { 0x0835, 0, 2, 0x0035, 0, true },
		/* lookups: the state of the line, and which */
		{ 0x0334, 0x04 << 17, 0, 0x0334, 0x04, true },
		{ 0x0334, 0x02 << 17, 0, 0x0334, 0x04, false },
		{ 0x0334, 0x06 << 17, 0, 0x0534, 0x04, false },
		{ 0x1134, 0x04 << 17, 0, 0x0534, 0x04, true },
		{ 0x4334, 0x04 << 17, 2, 0x0334, 0x04, false },
		{ 0x4334, 0x04 << 17, 1, 0x0334, 0x04, true },
		/* events before and behind those have unit masks that must be equal */
		{ 0x0137, 0, 0, 0x0137, 0, true }, { 0x0337, 0, 0, 0x0137, 0, false },
		{ 0x0133, 0, 0, 0x0133, 0, true }, { 0x0333, 0, 0, 0x0133, 0, false },
		{ 0x0137, 0, 0, 0x0138, 0, false }, { 0x4137, 0, 2, 0x4137, 0, true },
		/* a thread */
		{ 0x0835 | TID_EN, 9, 0, 0x0035, 9 << 10, true },
		{ 0x0835 | TID_EN, 9, 0, 0x0035, 8 << 10, false },
		{ 0x0835, 9, 0, 0x0035, 8 << 10, true },
	};

	assert_counted("ivt", SELECT, COUNTER, FILTER, FILTER_HIGH, of, sizeof(of) / sizeof(*of));
}

TEST(chas_of_skylake_servers_count_what_their_filter_selects)
{
	static const struct occurrence of[] = {
		{ 0x3135, 0, FAR | LOCAL | ALL, 0x2135, 0, true },
		{ 0x3135, 0, FAR | LOCAL | ALL, 0x1135, 0, true },
		{ 0x3135, 0, FAR | LOCAL | ALL, 0x2235, 0, false },
		{ 0x3335, 0, FAR | LOCAL | ALL, 0x2235, 0, true },
		{ 0x2135, 0, FAR | LOCAL | ALL, 0x1135, 0, false },
		{ 0x1135, 0, FAR | LOCAL | ALL, 0x2135, 0, false },
		{ 0x1135, 0, FAR | LOCAL | ALL, 0x1135, 0, true },
		{ 0x3135, 0, LOCAL | ALL, 0x2135, 0, false },
		{ 0x3135, 0, FAR | ALL, 0x2135, 0, false },
		{ 0x3135, 0, FAR | REMOTE | ALL, 0x2135, 0, false },
		{ 0x3135, 0, FAR | REMOTE | ALL, 0xa135, 0, true },
		{ 0x3135, 0, FAR | LOCAL | ALL, 0xa135, 0, false },
		{ 0x3135, 0, FAR | REMOTE | LOCAL | ALL, 0xa135, 0, true },
		{ 0x3135, 0, FAR | LOCAL | OPC_1(0x202), 0x2135, 0x202, true },
		{ 0x3135, 0, FAR | LOCAL | OPC_1(0x202), 0x2135, 0x200, false },
		{ 0x3135, 0, FAR | LOCAL | OPC_1(0x202) | OPC_2(0x200), 0x2135, 0x200, true },
		{ 0x3135, 0, FAR | LOCAL | OPC_1(0x202) | OPC_2(0x200), 0x2135, 0x202, true },
		{ 0x3135, 0, FAR | LOCAL | OPC_1(0x202) | OPC_2(0x200), 0x2135, 0x201, false },
		{ 0x3135, 0, FAR | LOCAL | OPC_2(0x25a), 0x2135, 0x25a, true },
		{ 0x0334, 0x20 << 17, 0, 0x0334, 0x20, true },
		{ 0x0334, 0x04 << 17, 0, 0x0334, 0x20, false },
		/* Other unit masks are bitmaps. */
		{ 0x0137, 0, 0, 0x0137, 0, true }, { 0x0337, 0, 0, 0x0137, 0, true },
		{ 0x0133, 0, 0, 0x0333, 0, false }, { 0x0733, 0, 0, 0x0333, 0, true },
	};

	assert_counted("skx", CHA_SELECT, CHA_COUNTER, 0xe05, CHA_FILTER_HIGH, of,
		       sizeof(of) / sizeof(*of));
}

#define HIGH(ext) ((uint64_t)(ext) << 32)

TEST(chas_of_ice_lake_servers_count_what_their_select_selects)
{
	static const struct occurrence of[] = {
		/* umask_ext: hit 1, miss 2, local 0x80, remote 0x100, opcode from bit 11 on */
		{ HIGH(0x083) | 0x0135, 0, 0, 0x1135, 0x102, true },
		{ HIGH(0x083) | 0x0135, 0, 0, 0x2135, 0x102, true },
		{ HIGH(0x081) | 0x0135, 0, 0, 0x2135, 0, false },
		{ HIGH(0x081) | 0x0135, 0, 0, 0x1135, 0, true },
		{ HIGH(0x082) | 0x0135, 0, 0, 0x1135, 0, false },
		{ HIGH(0x083) | 0x0235, 0, 0, 0x1135, 0, false },
		{ HIGH(0x083) | 0x0235, 0, 0, 0x1235, 0, true },
		{ HIGH(0x083) | 0x0135, 0, 0, 0x9135, 0, false },
		{ HIGH(0x103) | 0x0135, 0, 0, 0x9135, 0, true },
		{ HIGH(0x103) | 0x0135, 0, 0, 0x1135, 0, false },
		{ HIGH(0x083 | 0x102 << 11) | 0x0135, 0, 0, 0x1135, 0x102, true },
		{ HIGH(0x083 | 0x102 << 11) | 0x0135, 0, 0, 0x1135, 0x100, false },
		{ HIGH(0x083) | 0x0135, 0, 0, 0x1136, 0x102, false },
		/* a lookup: states in the unit mask, requests in umask_ext */
		{ HIGH(0x01) | 0x2034, 0, 0, 0x0134, 0x20, true },
		{ HIGH(0x01) | 0x0134, 0, 0, 0x0134, 0x20, false },
		{ HIGH(0x08) | 0x2034, 0, 0, 0x0134, 0x20, false },
		{ HIGH(0x1f) | 0xff34, 0, 0, 0x1034, 0x01, true },
		{ HIGH(0x20) | 0xff34, 0, 0, 0x2034, 0x01, false },
		{ 0x0337, 0, 0, 0x0137, 0, true }, { 0x0137, 0, 0, 0x0337, 0, false },
		{ 0x0133, 0, 0, 0x0133, 0, true },
	};

	assert_counted("icx", CHA_SELECT, CHA_COUNTER, 0, 0, of, sizeof(of) / sizeof(*of));
}

/* On Jaketown and Haswell the freeze bit needs its enable bit, on the others it is enough. */
TEST(frozen_boxes_keep_their_counts)
{
	static const struct {
		const char *part;
		uint32_t ctl, select, counter;
		uint64_t freeze;
		bool counts;
	} rows[] = {
		{ "jkt", CTL, SELECT, COUNTER, FREEZE, true },
		{ "jkt", CTL, SELECT, COUNTER, 0x10000, true },
		{ "jkt", CTL, SELECT, COUNTER, FREEZE | 0x10000, false },
		{ "ivt", CTL, SELECT, COUNTER, FREEZE, false },
		{ "hsx", 0xe00, CHA_SELECT, CHA_COUNTER, FREEZE, true },
		{ "hsx", 0xe00, CHA_SELECT, CHA_COUNTER, FREEZE | 0x10000, false },
		{ "skx", 0xe00, CHA_SELECT, CHA_COUNTER, FREEZE, false },
		{ "icx", 0xe00, CHA_SELECT, CHA_COUNTER, FREEZE, false },
	};
	unsigned int i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		create_boxes(rows[i].part);
		write_msr(rows[i].select, 0x33 | EN);
		write_msr(rows[i].ctl, rows[i].freeze);
		vpmu_cbo_happen(vpmu_cpus, 0x33, 0, 5);
		assert_int_equal(read_msr(rows[i].counter), rows[i].counts ? 5 : 0);
	}
}

/* Event constraints: Linux, snbep_uncore_cbox_constraints and skx_uncore_chabox_constraints. */
TEST(events_have_their_counters)
{
	static const struct {
		const char *part;
		uint32_t select, counter;
		uint32_t event;
		unsigned int counters;
	} rows[] = {
		{ "ivt", SELECT, COUNTER, 0x33, 0xf }, { "ivt", SELECT, COUNTER, 0x0834, 0x3 },
		{ "ivt", SELECT, COUNTER, 0x0835, 0x3 }, { "ivt", SELECT, COUNTER, 0x0836, 0x1 },
		{ "ivt", SELECT, COUNTER, 0x37, 0xf }, { "skx", CHA_SELECT, CHA_COUNTER, 0x33, 0xf },
		{ "skx", CHA_SELECT, CHA_COUNTER, 0x3134, 0xf },
		{ "skx", CHA_SELECT, CHA_COUNTER, 0x3135, 0xf },
		{ "skx", CHA_SELECT, CHA_COUNTER, 0x3136, 0x1 },
	};
	unsigned int i, k;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		create_boxes(rows[i].part);
		if (rows[i].counter == CHA_COUNTER) {
			write_msr(0xe05, 0x20 << 17);
			write_msr(CHA_FILTER_HIGH, FAR | LOCAL | ALL);
		} else {
			write_msr(FILTER, 0x20 << 17);
		}
		for (k = 0; k < 4; k++)
			write_msr(rows[i].select + k, rows[i].event | EN);
		vpmu_cbo_happen(vpmu_cpus, rows[i].event, 0x20, 5);
		for (k = 0; k < 4; k++)
			assert_int_equal(read_msr(rows[i].counter + k),
					 rows[i].counters >> k & 1 ? 5 : 0);
	}
}

/* Each package has boxes of its own; their number is that of its cores, or an option's. */
TEST(packages_have_boxes_of_their_own)
{
	uint64_t value = 7;

	machine_new(vpmu_part_like("ivt"), 4, 1);
	vpmu_options.fabric = 2;
	vpmu_cbo_init();
	assert_int_equal(vpmu_cbo_number(), 2);
	write_msr(STEP + SELECT, 0x33 | EN);
	assert_false(vpmu_cbo_read(vpmu_cpus, 2 * STEP + SELECT, &value));
	assert_true(vpmu_cbo_read(&vpmu_cpus[1], STEP + SELECT, &value));
	assert_int_equal(value, 0x33 | EN);
	assert_true(vpmu_cbo_read(&vpmu_cpus[2], STEP + SELECT, &value));
	assert_int_equal(value, 0);
	assert_true(vpmu_cbo_write(&vpmu_cpus[3], STEP + SELECT, 0x33 | EN));
	vpmu_cbo_happen(&vpmu_cpus[2], 1 << 16 | 0x33, 0, 6);
	assert_true(vpmu_cbo_read(&vpmu_cpus[3], STEP + COUNTER, &value));
	assert_int_equal(value, 6);
	assert_int_equal(read_msr(STEP + COUNTER), 0);
	vpmu_options.fabric = 0;
	assert_int_equal(vpmu_cbo_number(), 4);
	vpmu_options.boxes = 6;
	assert_int_equal(vpmu_cbo_number(), 6);
	vpmu_options.chas = 5;
	assert_int_equal(vpmu_cbo_number(), 5);
	vpmu_options.chas = 16;
	assert_int_equal(vpmu_cbo_number(), 15);
	vpmu_options.part = &vpmu_ivb;
	assert_int_equal(vpmu_cbo_number(), 0);
	/* the MSR with the number of CHAs, which the option chas=untold hides */
	create_boxes("skx");
	assert_int_equal(read_msr(0x702), 3);
	vpmu_options.untold = true;
	assert_int_equal(read_msr(0x702), 0);
}

TEST_GROUP(NULL, machine_free);
