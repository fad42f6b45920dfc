// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the counters of AMD's L3, data fabric and memory controllers: they count the injected
 * events that their event selects and masks describe, and no others.
 */
#include "machine.h"

#include "box/complex.h"
#include "box/fabric.h"
#include "box/umc.h"

/*
 * MSRs of event select i of the L3, the data fabric and the memory controllers: Linux, msr-index.h.
 * The counter of an event select has the next MSR.
 */
#define L3(i) (0xc0010230u + 2 * (i))
#define DF(i) (0xc0010240u + 2 * (i))
#define UMC(i) (0xc0010800u + 2 * (i))
#define COUNTER(select) ((select) + 1)
#define UMC_EN VPMU_BIT(31)

/* Creates two packages. Each has one core complex, with two cores of one thread each. */
static struct vpmu_cpu *create(const struct vpmu_part *part)
{
	machine_new(part, 4, 1);
	vpmu_options.complex = 2;
	vpmu_options.fabric = 2;
	vpmu_options.umc = 0x5;
	vpmu_options.umc2 = 0x1;
	vpmu_boxes_init();
	return vpmu_cpus;
}

#define THREADS_17H(mask) ((uint64_t)(mask) << 56)
#define SLICES_17H(mask) ((uint64_t)(mask) << 48)

/* On family 17h an event select has a mask of threads and a mask of slices. */
TEST(an_l3_counts_its_threads_and_slices)
{
	struct vpmu_cpu *cpu = create(&vpmu_zen2);
	uint64_t value;

	box_wr(cpu, L3(0), 0x104 | THREADS_17H(2) | SLICES_17H(4) | EN);
	box_wr(cpu, L3(1), 0x104 | THREADS_17H(3) | SLICES_17H(0xf));
	box_wr(cpu, L3(2), 0x204 | THREADS_17H(3) | SLICES_17H(0xf) | EN);
	box_wr(cpu, L3(4), 0x1ac | EN);
	box_wr(cpu, L3(5), 0x190 | EN);
	vpmu_complex_happen(cpu, 0x1ac, 0, 7);
	vpmu_complex_happen(cpu + 1, 2 << 16 | 0x104, 0, 1);
	vpmu_complex_happen(cpu, 2 << 16 | 0x104, 0, 10);
	vpmu_complex_happen(cpu + 1, 3 << 16 | 0x104, 0, 100);
	vpmu_complex_happen(cpu + 1, 2 << 16 | 0x106, 0, 1000);
	vpmu_complex_happen(cpu + 3, 2 << 16 | 0x104, 0, 10000);
	vpmu_complex_happen(cpu, 2 << 16 | 0x90, 0, 100000);
	assert_int_equal(box_rd(cpu, COUNTER(L3(0))), 1);
	assert_int_equal(box_rd(cpu + 1, COUNTER(L3(0))), 1);
	assert_int_equal(box_rd(cpu, COUNTER(L3(1))), 0);
	assert_int_equal(box_rd(cpu, COUNTER(L3(2))), 0);
	assert_int_equal(box_rd(cpu, COUNTER(L3(4))), 0);
	assert_int_equal(box_rd(cpu, COUNTER(L3(5))), 100000);
	assert_int_equal(box_rd(cpu + 2, COUNTER(L3(0))), 0);
	/* the L3's counters have the indices 10 to 15 for RDPMC */
	assert_true(vpmu_boxes_rdpmc(cpu, 10, &value));
	assert_int_equal(value, 1);
	assert_true(vpmu_boxes_rdpmc(cpu, 15, &value));
	assert_int_equal(value, 100000);
	assert_false(vpmu_boxes_read(cpu, L3(6), &value));
	/* family 17h reserves the bits that only family 19h has */
	box_wr_refused(cpu, L3(0), VPMU_BIT(46));
	box_wr_refused(cpu, L3(0), VPMU_BIT(52));
	box_wr_refused(cpu, L3(0), VPMU_BIT(16));
	box_wr_refused(cpu, COUNTER(L3(0)), VPMU_BIT(48));
	box_wr(cpu, COUNTER(L3(0)), VPMU_BIT(48) - 1);
	vpmu_complex_happen(cpu + 1, 2 << 16 | 0x104, 0, 3);
	assert_int_equal(box_rd(cpu, COUNTER(L3(0))), 2);
	vpmu_options.complex = 0;
	assert_false(vpmu_boxes_read(cpu, L3(0), &value));
	assert_false(vpmu_boxes_rdpmc(cpu, 10, &value));
}

#define THREADS_19H(mask) ((uint64_t)(mask) << 56)
#define SLICE_19H(slice) ((uint64_t)(slice) << 48)
#define CORE_19H(core) ((uint64_t)(core) << 42)
#define ALL_SLICES VPMU_BIT(46)
#define ALL_CORES VPMU_BIT(47)

/* On family 19h an event select selects one slice or all slices, and one core or all cores. */
TEST(an_l3_of_zen_4_counts_one_core_or_all)
{
	struct vpmu_cpu *cpu = create(&vpmu_zen4);

	box_wr(cpu, L3(0), 0x104 | THREADS_19H(1) | SLICE_19H(2) | CORE_19H(1) | EN);
	box_wr(cpu, L3(1), 0x104 | THREADS_19H(1) | ALL_SLICES | CORE_19H(1) | EN);
	box_wr(cpu, L3(2), 0x104 | THREADS_19H(1) | SLICE_19H(2) | ALL_CORES | EN);
	box_wr(cpu, L3(3), 0x104 | THREADS_19H(2) | ALL_SLICES | ALL_CORES | EN);
	vpmu_complex_happen(cpu + 1, 2 << 16 | 0x104, 0, 1);
	vpmu_complex_happen(cpu + 1, 3 << 16 | 0x104, 0, 20);
	vpmu_complex_happen(cpu, 2 << 16 | 0x104, 0, 300);
	vpmu_complex_happen(cpu, 3 << 16 | 0x104, 0, 4000);
	assert_int_equal(box_rd(cpu, COUNTER(L3(0))), 1);
	assert_int_equal(box_rd(cpu, COUNTER(L3(1))), 21);
	assert_int_equal(box_rd(cpu, COUNTER(L3(2))), 301);
	assert_int_equal(box_rd(cpu, COUNTER(L3(3))), 0);
	box_wr_refused(cpu, L3(0), VPMU_BIT(58));
	box_wr_refused(cpu, L3(0), VPMU_BIT(51));
	/* With two threads per core, each thread has its own bit in the mask of threads. */
	vpmu_options.threads = 2;
	box_wr(cpu, L3(0), 0x104 | THREADS_19H(2) | ALL_SLICES | CORE_19H(0) | EN);
	vpmu_complex_happen(cpu + 1, 0x104, 0, 50000);
	vpmu_complex_happen(cpu, 0x104, 0, 600000);
	assert_int_equal(box_rd(cpu, COUNTER(L3(0))), 50001);
}

/* Jaguar's L2, which all cores of a complex share, has four counters. */
TEST(an_l2_of_jaguar_counts_for_all_its_cores)
{
	struct vpmu_cpu *cpu = create(&vpmu_jaguar);
	uint64_t value;

	assert_true(vpmu_complex_is_l2(&vpmu_jaguar));
	assert_false(vpmu_complex_is_l2(&vpmu_zen2));
	assert_false(vpmu_complex_is_l2(&vpmu_ivb));
	box_wr(cpu, L3(3), 0x27e | EN);
	vpmu_complex_happen(cpu, 3 << 16 | 0x27e, 0, 1);
	vpmu_complex_happen(cpu + 1, 0x27e, 0, 20);
	vpmu_complex_happen(cpu + 1, 0x17e, 0, 300);
	vpmu_complex_happen(cpu + 2, 0x27e, 0, 4000);
	assert_int_equal(box_rd(cpu, COUNTER(L3(3))), 21);
	assert_false(vpmu_boxes_read(cpu, L3(4), &value));
	box_wr_refused(cpu, L3(0), VPMU_BIT(32));
	box_wr_refused(cpu, L3(0), VPMU_BIT(56));
	/* Jaguar's northbridge also has four counters. */
	box_wr(cpu, DF(3), 0xec | 0x3f00 | (uint64_t)3 << 32 | EN);
	assert_int_equal(vpmu_fabric_counters(&vpmu_jaguar), 4);
}

/*
 * An event to inject into the data fabric, as vpmu_fabric_happen() gets it: event code in bits
 * 13:0, unit mask from bit 14 on.
 */
#define WHAT(event, umask) ((event) | (umask) << 14)

TEST(a_fabric_counts_whole_event_codes)
{
	struct vpmu_cpu *cpu = create(&vpmu_zen2);
	uint64_t value;

	/*
	 * The event code is 0x107. Its bits 11:8 are in bits 35:32 of the event select, and its
	 * bits 13:12 in bits 60:59.
	 */
	box_wr(cpu, DF(0), 0x07 | 0x3800 | VPMU_BIT(32) | EN);
	box_wr(cpu, DF(1), 0x07 | 0x3800 | EN);
	box_wr(cpu, DF(2), 0x07 | 0x3800 | VPMU_BIT(32));
	box_wr(cpu, DF(3), 0x07 | 0x3800 | VPMU_BIT(60) | VPMU_BIT(32) | EN);
	vpmu_fabric_happen(cpu + 1, WHAT(0x107, 0x08), 0, 1);
	vpmu_fabric_happen(cpu, WHAT(0x107, 0x40), 0, 10);
	vpmu_fabric_happen(cpu + 2, WHAT(0x107, 0x08), 0, 100);
	vpmu_fabric_happen(cpu, WHAT(0x2107, 0x08), 0, 1000);
	assert_int_equal(box_rd(cpu, COUNTER(DF(0))), 1);
	assert_int_equal(box_rd(cpu, COUNTER(DF(1))), 0);
	assert_int_equal(box_rd(cpu, COUNTER(DF(2))), 0);
	assert_int_equal(box_rd(cpu, COUNTER(DF(3))), 1000);
	assert_int_equal(box_rd(cpu + 2, COUNTER(DF(0))), 0);
	/* the four counters have the indices 6 to 9 for RDPMC */
	assert_true(vpmu_fabric_rdpmc(cpu, 6, &value));
	assert_int_equal(value, 1);
	assert_true(vpmu_fabric_rdpmc(cpu, 9, &value));
	assert_int_equal(value, 1000);
	assert_false(vpmu_fabric_rdpmc(cpu, 5, &value));
	assert_false(vpmu_fabric_rdpmc(cpu, 10, &value));
	assert_false(vpmu_fabric_rdpmc(cpu, 16, &value));
	assert_false(vpmu_boxes_read(cpu, DF(4), &value));
	box_wr_refused(cpu, DF(0), VPMU_BIT(36));
	box_wr_refused(cpu, DF(0), VPMU_BIT(24));
	box_wr_refused(cpu, DF(0), VPMU_BIT(16));
}

TEST(a_fabric_of_zen_4_matches_operation_and_requester)
{
	struct vpmu_cpu *cpu = create(&vpmu_zen4);
	uint64_t value;

	/*
	 * In unit mask 0xbfe the lower ten bits, 0x3fe, select an operation, and the upper two bits
	 * select the remote socket.
	 */
	box_wr(cpu, DF(15), 0x1f | 0xfe00 | (uint64_t)0xb << 24 | EN);
	vpmu_fabric_happen(cpu, WHAT(0x1f, 0xbfe), 0, 1);
	vpmu_fabric_happen(cpu, WHAT(0x1f, 0xffe), 0, 20);
	vpmu_fabric_happen(cpu, WHAT(0x1f, 0x7fe), 0, 300);
	vpmu_fabric_happen(cpu, WHAT(0x1f, 0xbff), 0, 4000);
	vpmu_fabric_happen(cpu, WHAT(0x1f, 0x3fe), 0, 50000);
	vpmu_fabric_happen(cpu, WHAT(0x11f, 0xbfe), 0, 600000);
	assert_int_equal(box_rd(cpu, COUNTER(DF(15))), 21);
	/*
	 * For RDPMC the indices of the L3's counters are between those of counters 3 and 4 of the
	 * data fabric.
	 */
	assert_true(vpmu_fabric_rdpmc(cpu, 27, &value));
	assert_int_equal(value, 21);
	assert_false(vpmu_fabric_rdpmc(cpu, 28, &value));
	assert_false(vpmu_fabric_rdpmc(cpu, 15, &value));
	assert_false(vpmu_boxes_read(cpu, DF(16), &value));
	box_wr_refused(cpu, DF(0), VPMU_BIT(28));
	box_wr_refused(cpu, DF(0), VPMU_BIT(38));
	assert_int_equal(vpmu_fabric_counters(&vpmu_zen2), 4);
	assert_int_equal(vpmu_fabric_counters(&vpmu_spr), 0);
	vpmu_options.fabric = 0;
	assert_int_equal(vpmu_fabric_counters(&vpmu_zen4), 0);
}

/*
 * Package 0 has the active controllers 0 and 2, package 1 has one. Counters stop at their maximum
 * instead of wrapping.
 */
TEST(a_memory_controller_counts_reads_or_writes)
{
	struct vpmu_cpu *cpu = create(&vpmu_zen4);
	uint64_t value;

	assert_int_equal(vpmu_umc_active(cpu), 5);
	assert_int_equal(vpmu_umc_counters(cpu), 8);
	assert_int_equal(vpmu_umc_counters(cpu + 2), 4);
	box_wr(cpu, UMC(4), 0x0a | UMC_EN);
	box_wr(cpu, UMC(5), 0x0a | 0x100 | UMC_EN);
	box_wr(cpu, UMC(6), 0x0a | 0x200);
	box_wr(cpu, UMC(7), 0x0b | UMC_EN);
	box_wr(cpu, UMC(0), 0x0a | UMC_EN);
	vpmu_umc_happen(cpu, 1 << 16 | 0x10a, 0, 1);
	vpmu_umc_happen(cpu, 1 << 16 | 0x20a, 0, 20);
	vpmu_umc_happen(cpu, 2 << 16 | 0x10a, 0, 300);
	vpmu_umc_happen(cpu + 2, 1 << 16 | 0x10a, 0, 4000);
	assert_int_equal(box_rd(cpu, COUNTER(UMC(4))), 21);
	assert_int_equal(box_rd(cpu, COUNTER(UMC(5))), 1);
	assert_int_equal(box_rd(cpu, COUNTER(UMC(6))), 0);
	assert_int_equal(box_rd(cpu, COUNTER(UMC(7))), 0);
	assert_int_equal(box_rd(cpu, COUNTER(UMC(0))), 0);
	box_wr(cpu, COUNTER(UMC(4)), VPMU_BIT(48) - 10);
	vpmu_umc_happen(cpu, 1 << 16 | 0x10a, 0, 8);
	assert_int_equal(box_rd(cpu, COUNTER(UMC(4))), VPMU_BIT(48) - 2);
	vpmu_umc_happen(cpu, 1 << 16 | 0x10a, 0, 8);
	assert_int_equal(box_rd(cpu, COUNTER(UMC(4))), VPMU_BIT(48) - 1);
	vpmu_umc_happen(cpu, 1 << 16 | 0x10a, 0, 8);
	assert_int_equal(box_rd(cpu, COUNTER(UMC(4))), VPMU_BIT(48) - 1);
	assert_false(vpmu_boxes_read(cpu, UMC(8), &value));
	assert_false(vpmu_boxes_read(cpu + 2, UMC(4), &value));
	box_wr_refused(cpu, UMC(0), VPMU_BIT(10));
	box_wr_refused(cpu, UMC(0), EN);
	box_wr_refused(cpu, UMC(0), VPMU_BIT(32));
	/* Zen 2 has no counters of memory controllers */
	cpu = create(&vpmu_zen2);
	assert_int_equal(vpmu_umc_active(cpu), 0);
	assert_false(vpmu_boxes_read(cpu, UMC(0), &value));
}

/*
 * Writes each bit of an event select and of its counter, and fails unless the bits @legal of the
 * event select and 48 bits of the counter are kept, and the others refused. The counter of the
 * second package's vCPU stays.
 */
static void assert_bits(struct vpmu_cpu *cpu, uint32_t msr, uint64_t legal)
{
	uint64_t first = box_rd(cpu + 2, msr), second = box_rd(cpu + 2, msr + 1);
	unsigned int bit;

	for (bit = 0; bit < 64; bit++) {
		if (legal >> bit & 1)
			box_wr(cpu, msr, VPMU_BIT(bit));
		else
			box_wr_refused(cpu, msr, VPMU_BIT(bit));
		if (bit < 48)
			box_wr(cpu, msr + 1, VPMU_BIT(bit));
		else
			box_wr_refused(cpu, msr + 1, VPMU_BIT(bit));
		assert_int_equal(box_rd(cpu, msr), legal >> bit & 1 ? VPMU_BIT(bit) :
				 box_rd(cpu, msr));
		assert_int_equal(box_rd(cpu, msr + 1), VPMU_BIT(bit < 48 ? bit : 47));
	}
	assert_int_equal(box_rd(cpu + 2, msr), first);
	assert_int_equal(box_rd(cpu + 2, msr + 1), second);
	box_wr(cpu, msr, 0);
}

TEST(event_selects_have_the_bits_of_their_family)
{
	struct vpmu_cpu *cpu = create(&vpmu_zen4);

	assert_bits(cpu, L3(0), 0x0307dc000040ffff);
	assert_bits(cpu, L3(5), 0x0307dc000040ffff);
	assert_bits(cpu, DF(0), 0x0000003f0f40ffff);
	assert_bits(cpu, DF(15), 0x0000003f0f40ffff);
	assert_bits(cpu, UMC(0), UMC_EN | 0x3ff);
	assert_bits(cpu, UMC(3), UMC_EN | 0x3ff);
	cpu = create(&vpmu_zen2);
	assert_bits(cpu, L3(5), 0xff0f00000040ffff);
	assert_bits(cpu, DF(3), 0x1800000f0040ffff);
	cpu = create(&vpmu_jaguar);
	assert_bits(cpu, L3(3), 0x40ffff);
}

/* An event counts in its package, on every counter that selects it, the last one as well. */
TEST(packages_count_their_own_events)
{
	struct vpmu_cpu *cpu = create(&vpmu_zen4);
	uint64_t value;
	unsigned int i;

	for (i = 0; i < 4; i += 2) {
		box_wr(cpu + i, DF(0), 0x1f | 0xfe00 | (uint64_t)0xb << 24 | EN);
		box_wr(cpu + i, DF(15), 0x1f | 0xfe00 | (uint64_t)0xb << 24 | EN);
		box_wr(cpu + i, L3(0), 0x104 | THREADS_19H(1) | ALL_SLICES | ALL_CORES | EN);
		box_wr(cpu + i, L3(5), 0x104 | THREADS_19H(1) | ALL_SLICES | ALL_CORES | EN);
		box_wr(cpu + i, UMC(0), 0x0a | UMC_EN);
		box_wr(cpu + i, UMC(3), 0x0a | UMC_EN);
	}
	vpmu_fabric_happen(cpu, WHAT(0x1f, 0xbfe), 0, 1);
	vpmu_complex_happen(cpu + 1, 0x104, 0, 2);
	vpmu_umc_happen(cpu, 0x10a, 0, 3);
	for (i = 0; i < 4; i += 2) {
		assert_int_equal(box_rd(cpu + i, COUNTER(DF(0))), i ? 0 : 1);
		assert_int_equal(box_rd(cpu + i, COUNTER(DF(15))), i ? 0 : 1);
		assert_int_equal(box_rd(cpu + i, COUNTER(L3(0))), i ? 0 : 2);
		assert_int_equal(box_rd(cpu + i, COUNTER(L3(5))), i ? 0 : 2);
		assert_int_equal(box_rd(cpu + i, COUNTER(UMC(0))), i ? 0 : 3);
		assert_int_equal(box_rd(cpu + i, COUNTER(UMC(3))), i ? 0 : 3);
	}
	/* The L3 and the fabric wrap. RDPMC has their counters between each other's. */
	box_wr(cpu, COUNTER(L3(5)), VPMU_BIT(48) - 1);
	box_wr(cpu, COUNTER(DF(15)), VPMU_BIT(48) - 1);
	vpmu_complex_happen(cpu, 0x104, 0, 3);
	vpmu_fabric_happen(cpu + 1, WHAT(0x1f, 0xbfe), 0, 4);
	assert_true(vpmu_complex_rdpmc(cpu, 15, &value));
	assert_int_equal(value, 2);
	assert_true(vpmu_complex_rdpmc(cpu, 10, &value));
	assert_int_equal(value, 2 + 3);
	assert_false(vpmu_complex_rdpmc(cpu, 9, &value));
	assert_false(vpmu_complex_rdpmc(cpu, 16, &value));
	assert_true(vpmu_fabric_rdpmc(cpu, 27, &value));
	assert_int_equal(value, 3);
	assert_true(vpmu_fabric_rdpmc(cpu, 16, &value));
	assert_int_equal(value, 0);
	/* With top= every counter begins before its end. */
	vpmu_options.top = 16;
	vpmu_boxes_init();
	assert_int_equal(box_rd(cpu + 2, COUNTER(L3(5))), VPMU_BIT(48) - 16);
	assert_int_equal(box_rd(cpu + 2, COUNTER(DF(15))), VPMU_BIT(48) - 16);
	assert_int_equal(box_rd(cpu + 2, COUNTER(UMC(3))), VPMU_BIT(48) - 16);
	assert_int_equal(box_rd(cpu, L3(0)), 0);
	vpmu_options.complex = 0;
	vpmu_options.fabric = 0;
	assert_false(vpmu_boxes_read(cpu, L3(0), &value));
	assert_false(vpmu_boxes_read(cpu, DF(0), &value));
}

TEST_GROUP(NULL, machine_free);
