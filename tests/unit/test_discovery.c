// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the parser of discovery tables, in which firmware lists uncore units: right records are
 * accepted, and broken or hostile ones refused with a reason. The records are made by hand.
 */
#include <string.h>

#include "unit.h"

#define COUNTERS(n) ((u64)(n))
#define SELECT(n) ((u64)(n) << 8)
#define WIDTH(n) ((u64)(n) << 16)
#define COUNTER(n) ((u64)(n) << 24)
#define STATUS(n) ((u64)(n) << 32)
#define ACCESS(n) ((u64)(n) << 62)
#define TYPE(n) ((u64)(n))
#define ID(n) ((u64)(n) << 16)

#define CHA_WORD (COUNTERS(4) | SELECT(2) | WIDTH(48) | COUNTER(8) | STATUS(1))
#define IMC_WORD (COUNTERS(4) | SELECT(0x40) | WIDTH(48) | COUNTER(8) | ACCESS(1))
#define M2M_WORD (COUNTERS(4) | SELECT(0x30) | WIDTH(48) | COUNTER(8) | ACCESS(2))
/* PCI address of a unit: domain 1, bus 7e, device 0c, function 1, register offset 438. */
#define M2M_ADDRESS (1u << 28 | 0x7eu << 20 | 0x61u << 12 | 0x438)

static const struct bpmu_uncore *spr(void)
{
	return bpmu_part_by_name("spr")->uncore;
}

static const struct bpmu_box *box_of(u8 unit)
{
	return bpmu_uncore_box(bpmu_part_by_name("spr"), unit);
}

/* Returns the reason why a record is refused; NULL if it is accepted. */
static const char *wrong(u8 unit, u64 first, u64 address)
{
	const u64 words[BPMU_DISCOVERY_WORDS] = { first, address, TYPE(0) };
	struct bpmu_discovery_unit record;

	assert_true(bpmu_discovery_unit(words, &record));
	return bpmu_discovery_wrong(spr()->discovery, box_of(unit), &record);
}

static void is_said(u8 unit, u64 first, u64 address, const char *words)
{
	const char *why = wrong(unit, first, address);

	assert_non_null(why);
	assert_non_null(strstr(why, words));
}

static int head(u64 first, u64 second, u64 third, struct bpmu_discovery_table *table)
{
	const u64 words[BPMU_DISCOVERY_WORDS] = { first, second, third };

	return bpmu_discovery_head(words, table);
}

TEST(headers_of_tables_are_parsed)
{
	struct bpmu_discovery_table table;

	assert_true(head(5 << 8 | 300 << 16, 0x2ff0, 0, &table));
	assert_int_equal(table.stride, 40);
	assert_int_equal(table.units, 300);
	/* This header describes the largest table that its fields allow. */
	assert_true(head(0xff << 8 | 0x3ff << 16, 0x2ff0, 0, &table));
	assert_int_equal((table.units + 1) * table.stride, 1024 * 2040);
}

TEST(invalid_headers_are_refused)
{
	struct bpmu_discovery_table table;

	assert_false(head(0, 0x2ff0, 0, &table));
	assert_false(head(~0ull, 0x2ff0, 0, &table));
	assert_false(head(3 << 8 | 1 << 16, 0, 0, &table));
	assert_false(head(3 << 8 | 1 << 16, ~0ull, 0, &table));
	assert_false(head(3 << 8 | 1 << 16, 0x2ff0, ~0ull, &table));
	/*
	 * A discovery table is refused in each of these cases: it has no unit, its records are
	 * shorter than the description of a unit, or the length of its records is 0.
	 */
	assert_false(head(3 << 8, 0x2ff0, 0, &table));
	assert_false(head(2 << 8 | 1 << 16, 0x2ff0, 0, &table));
	assert_false(head(1 << 16, 0x2ff0, 0, &table));
}

TEST(records_of_units_are_parsed)
{
	const u64 words[BPMU_DISCOVERY_WORDS] = {
		IMC_WORD | STATUS(0x3c), 0x23ffe000000, TYPE(6) | ID(11)
	};
	struct bpmu_discovery_unit unit;

	assert_true(bpmu_discovery_unit(words, &unit));
	assert_int_equal(unit.counters, 4);
	assert_int_equal(unit.select, 0x40);
	assert_int_equal(unit.width, 48);
	assert_int_equal(unit.counter, 8);
	assert_int_equal(unit.access, BPMU_ACCESS_MEMORY);
	assert_int_equal(unit.address, 0x23ffe000000);
	assert_int_equal(unit.type, 6);
	assert_int_equal(unit.id, 11);
}

TEST(records_without_a_unit_are_skipped)
{
	static const u64 none[][BPMU_DISCOVERY_WORDS] = {
		{ 0, 0x2000, 0 }, { CHA_WORD, 0, 0 }, { ~0ull, 0x2000, 0 },
		{ CHA_WORD, ~0ull, 0 }, { CHA_WORD, 0x2000, ~0ull },
	};
	struct bpmu_discovery_unit unit;
	size_t i;

	for (i = 0; i < sizeof(none) / sizeof(*none); i++)
		assert_false(bpmu_discovery_unit(none[i], &unit));
}

TEST(supported_units_are_accepted)
{
	assert_null(wrong(BPMU_UNIT_CHA, CHA_WORD, 0x2000));
	assert_null(wrong(BPMU_UNIT_CHA, CHA_WORD, 0x3ff0));
	assert_null(wrong(BPMU_UNIT_IIO, CHA_WORD, 0x3000));
	assert_null(wrong(BPMU_UNIT_PCU, CHA_WORD, 0x2fc0));
	assert_null(wrong(BPMU_UNIT_UBOX, (CHA_WORD & ~0xffull) | COUNTERS(2), 0x2fd0));
	assert_null(wrong(BPMU_UNIT_IMC, IMC_WORD, 0x23ffe000000));
	assert_null(wrong(BPMU_UNIT_HA, M2M_WORD, M2M_ADDRESS));
	/* A unit may have more counters than barepmu uses. */
	assert_null(wrong(BPMU_UNIT_IMC, IMC_WORD | COUNTERS(8), 0x23ffe000000));
}

TEST(unsupported_units_are_refused)
{
	is_said(BPMU_UNIT_CHA, CHA_WORD | ACCESS(1), 0x2000, "access type");
	is_said(BPMU_UNIT_PCU, CHA_WORD | ACCESS(2), 0x2000, "access type");
	is_said(BPMU_UNIT_IMC, IMC_WORD & ~ACCESS(3), 0x2000, "access type");
	is_said(BPMU_UNIT_HA, M2M_WORD | ACCESS(3), M2M_ADDRESS, "access type");
	is_said(BPMU_UNIT_CHA, (CHA_WORD & ~0xffull) | COUNTERS(3), 0x2000,
		"too few counters");
	is_said(BPMU_UNIT_CHA, CHA_WORD | WIDTH(1), 0x2000, "unexpected width");
	is_said(BPMU_UNIT_CHA, CHA_WORD & ~WIDTH(255), 0x2000, "unexpected width");
}

TEST(overlapping_and_misaligned_registers_are_refused)
{
	const u64 cha = COUNTERS(4) | WIDTH(48), imc = cha | ACCESS(1), m2m = cha | ACCESS(2);

	/*
	 * A unit is refused if its counter registers overlap its control register, overlap other
	 * registers of the unit, or are misaligned.
	 */
	is_said(BPMU_UNIT_CHA, cha | SELECT(0) | COUNTER(8), 0x2000, "registers");
	is_said(BPMU_UNIT_CHA, cha | SELECT(2) | COUNTER(0), 0x2000, "registers");
	is_said(BPMU_UNIT_CHA, cha | SELECT(2) | COUNTER(5), 0x2000, "registers");
	is_said(BPMU_UNIT_CHA, cha | SELECT(8) | COUNTER(5), 0x2000, "registers");
	assert_null(wrong(BPMU_UNIT_IIO, cha | SELECT(12) | COUNTER(2), 0x3000));
	is_said(BPMU_UNIT_IMC, imc | SELECT(0x42) | COUNTER(8), 0x1000, "registers");
	is_said(BPMU_UNIT_IMC, imc | SELECT(0x40) | COUNTER(12), 0x1000, "registers");
	is_said(BPMU_UNIT_IMC, imc | SELECT(0x20) | COUNTER(8), 0x1000, "registers");
	is_said(BPMU_UNIT_HA, m2m | SELECT(0x34) | COUNTER(8), M2M_ADDRESS, "registers");
}

TEST(addresses_out_of_range_are_refused)
{
	/*
	 * The MSR address of a unit is refused if it is below or above the range in which units
	 * have their MSRs, if it is no multiple of 16 (each unit has 16 MSRs), or if it is too
	 * large for an MSR. A unit is also refused if it needs more than 16 MSRs.
	 */
	is_said(BPMU_UNIT_CHA, CHA_WORD, 0x1ff0, "address");
	is_said(BPMU_UNIT_CHA, CHA_WORD, 0x4000, "address");
	is_said(BPMU_UNIT_CHA, CHA_WORD, 0x1a0, "address");
	is_said(BPMU_UNIT_CHA, CHA_WORD, 0x2008, "address");
	is_said(BPMU_UNIT_CHA, CHA_WORD, 0x100002000, "address");
	is_said(BPMU_UNIT_IIO, COUNTERS(4) | WIDTH(48) | SELECT(2) | COUNTER(13), 0x3000,
		"address");
	/*
	 * The memory address of a unit is refused if it is misaligned, or if the unit's registers
	 * would lie beyond the largest 64-bit address.
	 */
	is_said(BPMU_UNIT_IMC, IMC_WORD, 0x23ffe000004, "address");
	is_said(BPMU_UNIT_IMC, IMC_WORD, ~0x1full, "address");
	/*
	 * An address in configuration space is refused if it is in the standard PCI header, beyond
	 * the end, or misaligned, or has too many bits.
	 */
	is_said(BPMU_UNIT_HA, M2M_WORD, (M2M_ADDRESS & ~0xfff) | 0xf8, "address");
	is_said(BPMU_UNIT_HA, M2M_WORD, (M2M_ADDRESS & ~0xfff) | 0xfb8, "address");
	is_said(BPMU_UNIT_HA, M2M_WORD, M2M_ADDRESS | 4, "address");
	is_said(BPMU_UNIT_HA, M2M_WORD, M2M_ADDRESS | 1ull << 31, "address");
}

TEST(the_pci_device_of_a_unit_is_decoded)
{
	assert_int_equal(bpmu_discovery_config(M2M_ADDRESS), 0x438);
	assert_int_equal(bpmu_discovery_device(M2M_ADDRESS), 1 << 16 | 0x7e << 8 | 0x61);
}

static struct bpmu_box made_of(u8 unit, u64 first, u64 address)
{
	const u64 words[BPMU_DISCOVERY_WORDS] = { first, address, TYPE(0) };
	struct bpmu_discovery_unit record;

	assert_true(bpmu_discovery_unit(words, &record));
	return bpmu_discovery_box(box_of(unit), &record);
}

TEST(boxes_have_the_registers_of_their_units)
{
	struct bpmu_box box = made_of(BPMU_UNIT_CHA, CHA_WORD, 0x2010);

	assert_int_equal(box.ctl, 0x2010);
	assert_int_equal(box.select, 0x2012);
	assert_int_equal(box.counter, 0x2018);
	assert_int_equal(box.stride, 1);
	assert_int_equal(box.size, 0);
	box = made_of(BPMU_UNIT_IMC, IMC_WORD, 0x23ffe000000);
	assert_int_equal(box.ctl, 0);
	assert_int_equal(box.select, 0x40);
	assert_int_equal(box.counter, 8);
	assert_int_equal(box.stride, 4);
	assert_int_equal(box.counter_stride, 8);
	assert_int_equal(box.size, 0x50);
	assert_int_equal(box.wide, 0);
	box = made_of(BPMU_UNIT_HA, M2M_WORD, M2M_ADDRESS);
	assert_int_equal(box.ctl, 0x438);
	assert_int_equal(box.select, 0x468);
	assert_int_equal(box.counter, 0x440);
	assert_int_equal(box.stride, 8);
	assert_int_equal(box.wide, 1);
	assert_int_equal(box.size, 0);
}
