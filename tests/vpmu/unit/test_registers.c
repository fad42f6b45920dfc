// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of which registers of the core's PMU a CPU model has, and which bits of them can be written:
 * all others do not exist, or are refused. Source: SDM Vol. 4, and Linux' msr-index.h for AMD and
 * Knights Corner.
 */
#include "machine.h"

/* what is read after a bit has been written: the bit, or something else */
enum kind { KEPT, OTHER };

/**
 * struct registers - registers of one type
 * @first: MSR of the first
 * @nr: number of them
 * @stride: distance between two
 * @legal: bits that can be written
 * @kind: &enum kind
 */
struct registers {
	uint32_t first;
	unsigned int nr;
	unsigned int stride;
	uint64_t legal;
	enum kind kind;
};

#define BITS(nr) (VPMU_BIT(nr) - 1)
#define ALL ~0ull
/* event select, global control and status, of Intel's from version 3 on */
#define INTEL(gp, width, select, control) \
	{ 0xc1, gp, 1, ALL, OTHER }, { 0x186, gp, 1, select, KEPT }, \
	{ 0x4c1, gp, 1, BITS(width), KEPT }, { 0x38e, 1, 1, 0, KEPT }, \
	{ 0x38f, 1, 1, control, KEPT }, { 0x390, 1, 1, ALL, OTHER }, { 0x345, 1, 1, 0, KEPT }
#define VERSION_4 { 0x391, 1, 1, ALL, OTHER }, { 0x392, 1, 1, 0, KEPT }

static const struct registers *find(const struct registers *of, size_t nr, uint32_t msr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (msr >= of[i].first && !((msr - of[i].first) % of[i].stride) &&
		    (msr - of[i].first) / of[i].stride < of[i].nr)
			return &of[i];
	return NULL;
}

static void assert_bits(struct vpmu_cpu *cpu, uint32_t msr, const struct registers *of)
{
	uint64_t before = rd(cpu, msr);
	unsigned int bit;

	for (bit = 0; bit < 64; bit++) {
		if (!(of->legal >> bit & 1)) {
			wr_refused(cpu, msr, VPMU_BIT(bit));
			continue;
		}
		wr(cpu, msr, VPMU_BIT(bit));
		if (of->kind == KEPT)
			assert_int_equal(rd(cpu, msr), VPMU_BIT(bit));
		wr(cpu, msr, 0);
	}
	if (of->kind == KEPT)
		assert_int_equal(rd(cpu, msr), before);
}

static void assert_has(const struct vpmu_part *part, const struct registers *of, size_t nr)
{
	static const uint32_t ranges[][2] = {
		{ 0, 0x2000 }, { 0xc0000000, 0xc0000400 }, { 0xc0010000, 0xc0010300 },
	};
	const struct registers *found;
	uint64_t value;
	unsigned int i;
	uint32_t msr;

	machine_new(part, 1, 1);
	for (i = 0; i < 3; i++)
		for (msr = ranges[i][0]; msr < ranges[i][1]; msr++) {
			found = find(of, nr, msr);
			assert_int_equal(vpmu_msr_read(vpmu_cpus, msr, &value), !!found);
			if (found)
				assert_bits(vpmu_cpus, msr, found);
			else
				assert_false(vpmu_msr_write(vpmu_cpus, msr, 0));
		}
}

#define ASSERT_HAS(part, ...) \
	assert_has(part, (const struct registers[]){ __VA_ARGS__ }, \
		   sizeof((const struct registers[]){ __VA_ARGS__ }) / sizeof(struct registers))

TEST(ivy_bridge_has_version_3)
{
	ASSERT_HAS(&vpmu_ivb, INTEL(8, 48, BITS(32), 7ull << 32 | 0xff), { 0x309, 3, 1, BITS(48), KEPT },
		   { 0x38d, 1, 1, 0xfff, KEPT }, { 0x1a4, 1, 1, 0xf, KEPT },
		   { 0x1a6, 2, 1, 0x3f807f8fff, KEPT });
}

TEST(skylake_has_version_4)
{
	ASSERT_HAS(&vpmu_skl, INTEL(8, 48, BITS(32), 7ull << 32 | 0xff), VERSION_4,
		   { 0x309, 3, 1, BITS(48), KEPT }, { 0x38d, 1, 1, 0xfff, KEPT },
		   { 0x1a4, 1, 1, 0xf, KEPT }, { 0x1a6, 2, 1, 0x3fffff8fff, KEPT },
		   { 0x3f7, 1, 1, 0x7fff17, KEPT });
}

/* Adaptive PEBS has a bit in each control, above the others. */
TEST(sapphire_rapids_has_metrics_and_adaptive_records)
{
	ASSERT_HAS(&vpmu_spr, INTEL(8, 48, 0xffdfffff | VPMU_BIT(34), 1ull << 48 | 0xfull << 32 | 0xff),
		   VERSION_4, { 0x309, 4, 1, BITS(48), KEPT },
		   { 0x38d, 1, 1, 0xbbbb | 0x1111ull << 32, KEPT }, { 0x329, 1, 1, ALL, OTHER },
		   { 0x1a4, 1, 1, 0xf, KEPT }, { 0x1a6, 2, 1, BITS(38), KEPT },
		   { 0x3f7, 1, 1, 0x7fff1f, KEPT });
}

/* A second MSR for each counter; those above 7 have it alone. UMASK2, EQ and a bit against RDPMC. */
TEST(lunar_lake_has_version_6)
{
	ASSERT_HAS(vpmu_part_like("lnl"),
		   INTEL(8, 48, 0xffdfffff | VPMU_BIT(34) | 0xffull << 40 | 3ull << 36,
			 1ull << 48 | 0xfull << 32 | 0x3ff),
		   VERSION_4, { 0x309, 4, 1, BITS(48), KEPT }, { 0x1900, 10, 4, BITS(48), KEPT },
		   { 0x1901, 10, 4, 0xffdfffff | VPMU_BIT(34) | 0xffull << 40 | 3ull << 36, KEPT },
		   { 0x1980, 4, 4, BITS(48), KEPT },
		   { 0x38d, 1, 1, 0xbbbb | 0x3333ull << 32, KEPT }, { 0x329, 1, 1, ALL, OTHER },
		   { 0x1a4, 1, 1, 0xf, KEPT }, { 0x1a6, 2, 1, BITS(44), KEPT },
		   { 0x3f7, 1, 1, 0x7fff1f, KEPT });
}

/* Architectural PEBS has no adaptive bits; four registers replace those of off-core requests. */
TEST(diamond_rapids_has_registers_of_responses)
{
	ASSERT_HAS(vpmu_part_like("dmr"),
		   INTEL(8, 48, 0xffdfffff | 0xffull << 40 | 3ull << 36,
			 1ull << 48 | 0xfull << 32 | 0x3ff),
		   VERSION_4, { 0x309, 4, 1, BITS(48), KEPT }, { 0x1900, 10, 4, BITS(48), KEPT },
		   { 0x1901, 10, 4, 0xffdfffff | 0xffull << 40 | 3ull << 36, KEPT },
		   { 0x1980, 4, 4, BITS(48), KEPT },
		   { 0x38d, 1, 1, 0xbbbb | 0x2222ull << 32, KEPT }, { 0x329, 1, 1, ALL, OTHER },
		   { 0x1a4, 1, 1, 0xf, KEPT }, { 0x3e0, 4, 1, 0x40ffffff0000ffff, KEPT },
		   { 0x3f7, 1, 1, 0x7fff1f, KEPT });
}

/* bits of AMD's event selects: event code of 12 bits, host and guest; 19 and 21 are reserved */
#define AMD_SELECT (0xffd7ffffull | 0xfull << 32 | 3ull << 40)

TEST(zen_4_has_a_global_control)
{
	ASSERT_HAS(&vpmu_zen4, { 0xc0010200, 6, 2, AMD_SELECT, KEPT },
		   { 0xc0010201, 6, 2, ALL, OTHER }, { 0xc0010000, 4, 1, AMD_SELECT, KEPT },
		   { 0xc0010004, 4, 1, ALL, OTHER }, { 0xc0000300, 1, 1, 0, KEPT },
		   { 0xc0000301, 1, 1, 0x3f, KEPT }, { 0xc0000302, 1, 1, ALL, OTHER });
}

TEST(older_parts_of_amd_have_none)
{
	ASSERT_HAS(&vpmu_zen2, { 0xc0010200, 6, 2, AMD_SELECT, KEPT },
		   { 0xc0010201, 6, 2, ALL, OTHER }, { 0xc0010000, 4, 1, AMD_SELECT, KEPT },
		   { 0xc0010004, 4, 1, ALL, OTHER });
	ASSERT_HAS(&vpmu_jaguar, { 0xc0010000, 4, 1, AMD_SELECT, KEPT },
		   { 0xc0010004, 4, 1, ALL, OTHER });
}

TEST(knights_corner_has_two_counters)
{
	ASSERT_HAS(&vpmu_knc, { 0x28, 2, 1, BITS(32), KEPT }, { 0x20, 2, 1, ALL, OTHER },
		   { 0x2f, 1, 1, 3, KEPT }, { 0x2d, 1, 1, 0, KEPT }, { 0x2e, 1, 1, ALL, OTHER });
}

/* Counters with a narrower width: 40 bits on Knights Landing; an old core has two. */
TEST(knights_landing_has_narrow_counters)
{
	ASSERT_HAS(vpmu_part_like("knl"), INTEL(2, 40, BITS(32), 7ull << 32 | 3),
		   { 0x309, 3, 1, BITS(40), KEPT }, { 0x38d, 1, 1, 0xfff, KEPT }, { 0x1a4, 1, 1, 5, KEPT },
		   { 0x1a6, 1, 1, 0x768005ffff, KEPT }, { 0x1a7, 1, 1, 0x368005ffff, KEPT });
}

/* Registers by which bits of another are set or cleared read as 0. */
TEST(registers_of_bits_read_as_0)
{
	struct vpmu_cpu *cpu = vpmu_cpus;

	machine_new(&vpmu_skl, 1, 1);
	wr(cpu, 0x391, 5);
	assert_int_equal(rd(cpu, 0x391), 0);
	assert_int_equal(rd(cpu, 0x390), 0);
	assert_int_equal(rd(cpu, 0x38e), 5);
	wr(cpu, 0x390, 4);
	assert_int_equal(rd(cpu, 0x390), 0);
	assert_int_equal(rd(cpu, 0x38e), 1);
	/* Bits without a counter are not set. */
	wr(cpu, 0x391, ALL);
	assert_int_equal(rd(cpu, 0x38e), VPMU_BIT(59) | 7ull << 32 | 0xff);
}

TEST_GROUP(NULL, machine_free);
