// SPDX-License-Identifier: GPL-2.0
/*
 * PMU boxes of Intel's servers: their registers, and the filter fields of each event. Expected
 * values are from Linux, arch/x86/events/intel/uncore_snbep.c, by hand: *_MSR_PMON_*,
 * *_PCI_PMON_*, *_uncore_pci_ids, *_uncore_cbox_extra_regs and skx_uncore_cha_extra_regs.
 */
#include <string.h>

#include "base/array.h"
#include "unit.h"

static const struct bpmu_box *box_of(const char *part, u8 unit)
{
	const struct bpmu_box *box = bpmu_uncore_box(bpmu_part_by_name(part), unit);

	assert_non_null(box);
	return box;
}

/* filter fields of a CBo: thread, link, line state, node, opcode with its bits C6, NC, ISOC */
#define TID	0x01
#define LINK	0x02
#define STATE	0x04
#define NID	0x08
#define OPC	0x10

struct use {
	u64 select;
	unsigned int fields;
};

/* For events of other codes, as the clock, no field applies. */
static void assert_uses(const char *part, const u64 *masks, const struct use *uses)
{
	const struct bpmu_box *box = box_of(part, BPMU_UNIT_CHA);
	unsigned int bit;
	u64 expected;

	for (; uses->select; uses++) {
		expected = 0;
		for (bit = 0; bit < 5; bit++)
			if (uses->fields >> bit & 1)
				expected |= masks[bit];
		if (bpmu_filter_used(box, uses->select) != expected)
			fail_msg("%s: 0x%llx uses 0x%llx, not 0x%llx", part,
				 (unsigned long long)uses->select,
				 (unsigned long long)bpmu_filter_used(box, uses->select),
				 (unsigned long long)expected);
	}
}

static void filters_restrict_the_events_of_a_cbo(void **state)
{
	static const u64 jkt[] = { 0x1f, 0, 0x7c0000, 0x3fc00, 0xff800000 };
	static const u64 ivt[] = { 0x1f, 0x1e0, 0x7e0000, 0xffffULL << 32, 0xfff0ULL << 48 };
	static const u64 hsx[] = { 0x3f, 0x3c0, 0xfe0000, 0xffffULL << 32, 0xfff0ULL << 48 };
	static const struct use jkt_uses[] = {
		{ 0x80000, TID }, { 0x80334, TID | STATE }, { 0x0334, STATE },
		{ 0x4334, STATE | NID }, { 0x0534, STATE }, { 0x4534, STATE | NID },
		{ 0x0934, STATE }, { 0x4934, STATE | NID }, { 0x4134, STATE | NID },
		{ 0x0135, OPC }, { 0x0335, OPC }, { 0x4135, OPC | NID }, { 0x4335, OPC | NID },
		{ 0x4435, NID }, { 0x4835, NID }, { 0x4a35, NID }, { 0x5035, NID },
		{ 0x0136, OPC }, { 0x0336, OPC }, { 0x4136, OPC | NID }, { 0x4336, OPC | NID },
		{ 0x4436, NID }, { 0x4836, NID }, { 0x4a36, NID },
		{ 0x4037, NID }, { 0x4137, NID }, { 0x0137, 0 }, { 0x0835, 0 }, { 0x0a36, 0 },
		{ 0x4038, 0 }, { 0x4031, 0 }, { 0x1031, 0 }, { 0x0133, 0 }, {}
	};
	static const struct use ivt_uses[] = {
		{ 0x80000, TID }, { 0x1031, LINK }, { 0x0831, 0 }, { 0x1032, 0 },
		{ 0x1134, STATE }, { 0x4134, STATE | NID }, { 0x5134, STATE | NID },
		{ 0x0334, STATE }, { 0x4334, STATE | NID }, { 0x0534, STATE },
		{ 0x4534, STATE | NID }, { 0x0934, STATE }, { 0x4934, STATE | NID },
		{ 0x0135, OPC }, { 0x0335, OPC }, { 0x2135, OPC }, { 0x2335, OPC },
		{ 0x4135, OPC | NID }, { 0x4335, OPC | NID }, { 0x4435, NID }, { 0x4835, NID },
		{ 0x4a35, NID }, { 0x5035, NID }, { 0x8135, OPC }, { 0x8335, OPC },
		{ 0x0136, OPC }, { 0x0336, OPC }, { 0x2136, OPC }, { 0x2336, OPC },
		{ 0x4136, OPC | NID }, { 0x4336, OPC | NID }, { 0x4436, NID }, { 0x4836, NID },
		{ 0x4a36, NID }, { 0x5036, NID }, { 0x8136, OPC }, { 0x8336, OPC },
		{ 0x4037, NID }, { 0x0137, 0 }, { 0x0835, 0 }, { 0x0a36, 0 }, { 0x4033, 0 }, {}
	};
	static const struct use hsx_uses[] = {
		{ 0x80000, TID }, { 0x4028, NID }, { 0x4029, NID }, { 0x402a, NID },
		{ 0x4032, NID }, { 0x4033, NID }, { 0x402b, 0 }, { 0x0028, 0 }, { 0x1031, 0 },
		{ 0x0334, STATE }, { 0x0534, STATE }, { 0x0934, STATE }, { 0x1134, STATE },
		{ 0x4134, STATE | NID },
		{ 0x0135, LINK | OPC }, { 0x0335, OPC }, { 0x4135, OPC | NID }, { 0x4435, NID },
		{ 0x4835, NID }, { 0x5035, NID }, { 0x4335, OPC | NID }, { 0x4a35, NID },
		{ 0x2335, OPC }, { 0x8335, OPC }, { 0x2135, OPC }, { 0x8135, OPC },
		{ 0x0136, OPC }, { 0x4136, OPC | NID }, { 0x4436, NID }, { 0x4836, NID },
		{ 0x4336, OPC | NID }, { 0x4a36, NID }, { 0x2336, OPC }, { 0x8336, OPC },
		{ 0x2136, OPC }, { 0x8136, OPC }, { 0x5036, NID }, { 0x4037, NID },
		{ 0x0137, 0 }, { 0x0835, 0 }, { 0x0a36, 0 }, {}
	};

	(void)state;
	assert_uses("jkt", jkt, jkt_uses);
	assert_uses("ivt", ivt, ivt_uses);
	assert_uses("hsx", hsx, hsx_uses);
	assert_uses("bdx", hsx, hsx_uses);
}

/* Skylake: opcodes with homes and memory; Ice Lake has those in the event select. */
static void filters_restrict_the_events_of_a_cha(void **state)
{
	static const u64 skx[] = { 0x1ff, 0, 0x7fe0000, 0, 0xdffffe3bULL << 32 };
	static const u64 icx[] = { 0x1ff };
	static const struct use skx_uses[] = {
		{ 0x80000, TID }, { 0x0334, STATE }, { 0x9134, STATE }, { 0x2135, OPC },
		{ 0x2136, OPC }, { 0x0f37, 0 }, { 0x0350, 0 }, {}
	};
	static const struct use icx_uses[] = {
		{ 0x80000, TID }, { 0x0334, 0 }, { 0x2135, 0 }, { 0x2136, 0 }, {}
	};

	(void)state;
	assert_uses("skx", skx, skx_uses);
	assert_uses("icx", icx, icx_uses);
}

static void each_band_of_a_pcu_has_its_byte(void **state)
{
	static const char *const parts[] = { "jkt", "ivt", "hsx", "bdx", "skx", "icx" };
	unsigned int i, n;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(parts); i++) {
		const struct bpmu_box *box = box_of(parts[i], BPMU_UNIT_PCU);

		for (n = 0; n < 4; n++) {
			char name[] = "filter_bandN";

			name[strlen(name) - 1] = '0' + n;
			assert_string_equal(box->filters[n].name, name);
			assert_true(box->filters[n].bits == 0xffULL << 8 * n);
			assert_true(bpmu_filter_used(box, 0x0b + n) == 0xffULL << 8 * n);
		}
		assert_null(box->filters[4].name);
		assert_true(bpmu_filter_used(box, 0x0a) == 0);
		assert_true(bpmu_filter_used(box, 0x0f) == 0);
		assert_true(bpmu_filter_used(box, 0x80) == 0);
	}
}

/* named fields of the filter of each part: name and bits */
static void fields_of_filters_have_their_bits(void **state)
{
	static const struct {
		const char *part, *name;
		u64 bits;
	} all[] = {
		{ "jkt", "filter_tid", 0x1f }, { "jkt", "filter_nid", 0x3fc00 },
		{ "jkt", "filter_state", 0x7c0000 }, { "jkt", "filter_opc", 0xff800000 },
		{ "jkt", NULL, 0 },
		{ "ivt", "filter_tid", 0x1f }, { "ivt", "filter_link", 0x1e0 },
		{ "ivt", "filter_state", 0x7e0000 }, { "ivt", "filter_nid", 0xffffULL << 32 },
		{ "ivt", "filter_opc", 0x1ffULL << 52 }, { "ivt", "filter_c6", 1ULL << 61 },
		{ "ivt", "filter_nc", 1ULL << 62 }, { "ivt", "filter_isoc", 1ULL << 63 },
		{ "ivt", NULL, 0 },
		{ "hsx", "filter_tid", 0x3f }, { "hsx", "filter_link", 0x3c0 },
		{ "hsx", "filter_state", 0xfe0000 }, { "hsx", "filter_nid", 0xffffULL << 32 },
		{ "hsx", "filter_opc", 0x1ffULL << 52 }, { "hsx", "filter_c6", 1ULL << 61 },
		{ "hsx", "filter_nc", 1ULL << 62 }, { "hsx", "filter_isoc", 1ULL << 63 },
		{ "hsx", NULL, 0 },
		{ "skx", "filter_tid", 0x1ff }, { "skx", "filter_state", 0x3ffULL << 17 },
		{ "skx", "filter_rem", 1ULL << 32 }, { "skx", "filter_loc", 1ULL << 33 },
		{ "skx", "filter_all_op", 1ULL << 35 }, { "skx", "filter_nm", 1ULL << 36 },
		{ "skx", "filter_not_nm", 1ULL << 37 },
		{ "skx", "filter_opc0", 0x3ffULL << 41 }, { "skx", "filter_opc1", 0x3ffULL << 51 },
		{ "skx", "filter_nc", 1ULL << 62 }, { "skx", "filter_isoc", 1ULL << 63 },
		{ "skx", NULL, 0 },
		{ "icx", "filter_tid", 0x1ff }, { "icx", NULL, 0 },
	};
	const char *part = "";
	unsigned int i, n = 0;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(all); i++, n++) {
		const struct bpmu_select_field *field;

		if (strcmp(all[i].part, part))
			n = 0;
		part = all[i].part;
		field = &box_of(part, BPMU_UNIT_CHA)->filters[n];
		if (!all[i].name) {
			assert_null(field->name);
			continue;
		}
		assert_string_equal(field->name, all[i].name);
		assert_true(field->bits == all[i].bits);
	}
}

/* Registers of the first instance; @counters include the fixed one. */
static void registers_have_their_addresses(void **state)
{
	static const struct {
		const char *part;
		u8 unit, nr, counters, width;
		u32 select, counter, step, ctl, frozen, running, fixed_select, fixed_counter,
			filter, filter_high;
	} all[] = {
		{ "jkt", BPMU_UNIT_CHA, 8, 4, 44, 0xd10, 0xd16, 0x20, 0xd04, 0x10100, 0x10000,
		  0, 0, 0xd14, 0 },
		{ "ivt", BPMU_UNIT_CHA, 15, 4, 44, 0xd10, 0xd16, 0x20, 0xd04, 0x100, 0,
		  0, 0, 0xd14, 0xd1a },
		{ "hsx", BPMU_UNIT_CHA, 18, 4, 48, 0xe01, 0xe08, 0x10, 0xe00, 0x10100, 0x10000,
		  0, 0, 0xe05, 0xe06 },
		{ "bdx", BPMU_UNIT_CHA, 24, 4, 48, 0xe01, 0xe08, 0x10, 0xe00, 0x10100, 0x10000,
		  0, 0, 0xe05, 0xe06 },
		{ "skx", BPMU_UNIT_CHA, 28, 4, 48, 0xe01, 0xe08, 0x10, 0xe00, 0x100, 0,
		  0, 0, 0xe05, 0xe06 },
		{ "icx", BPMU_UNIT_CHA, 40, 4, 48, 0xe01, 0xe08, 0, 0xe00, 0x100, 0,
		  0, 0, 0xe05, 0 },
		{ "jkt", BPMU_UNIT_PCU, 1, 4, 48, 0xc30, 0xc36, 0, 0xc24, 0x10100, 0x10000,
		  0, 0, 0xc34, 0 },
		{ "ivt", BPMU_UNIT_PCU, 1, 4, 48, 0xc30, 0xc36, 0, 0xc24, 0x100, 0,
		  0, 0, 0xc34, 0 },
		{ "hsx", BPMU_UNIT_PCU, 1, 4, 48, 0x711, 0x717, 0, 0x710, 0x10100, 0x10000,
		  0, 0, 0x715, 0 },
		{ "bdx", BPMU_UNIT_PCU, 1, 4, 48, 0x711, 0x717, 0, 0x710, 0x10100, 0x10000,
		  0, 0, 0x715, 0 },
		{ "skx", BPMU_UNIT_PCU, 1, 4, 48, 0x711, 0x717, 0, 0x710, 0x100, 0,
		  0, 0, 0x715, 0 },
		{ "icx", BPMU_UNIT_PCU, 1, 4, 48, 0x711, 0x717, 0, 0x710, 0x100, 0,
		  0, 0, 0x715, 0 },
		{ "jkt", BPMU_UNIT_UBOX, 1, 3, 44, 0xc10, 0xc16, 0, 0, 0, 0, 0xc08, 0xc09, 0, 0 },
		{ "ivt", BPMU_UNIT_UBOX, 1, 3, 44, 0xc10, 0xc16, 0, 0, 0, 0, 0xc08, 0xc09, 0, 0 },
		{ "hsx", BPMU_UNIT_UBOX, 1, 3, 44, 0x705, 0x709, 0, 0, 0, 0, 0x703, 0x704, 0, 0 },
		{ "bdx", BPMU_UNIT_UBOX, 1, 3, 48, 0x705, 0x709, 0, 0, 0, 0, 0x703, 0x704, 0, 0 },
		{ "skx", BPMU_UNIT_UBOX, 1, 3, 48, 0x705, 0x709, 0, 0, 0, 0, 0x703, 0x704, 0, 0 },
		{ "icx", BPMU_UNIT_UBOX, 1, 3, 48, 0x705, 0x709, 0, 0, 0, 0, 0x703, 0x704, 0, 0 },
		{ "skx", BPMU_UNIT_IIO, 6, 4, 48, 0xa48, 0xa41, 0x20, 0xa40, 0x100, 0, 0, 0, 0, 0 },
		{ "icx", BPMU_UNIT_IIO, 6, 4, 48, 0xa58, 0xa51, 0, 0xa50, 0x100, 0, 0, 0, 0, 0 },
		{ "jkt", BPMU_UNIT_IMC, 4, 5, 48, 0xd8, 0xa0, 0, 0xf4, 0x10100, 0x10000,
		  0xf0, 0xd0, 0, 0 },
		{ "ivt", BPMU_UNIT_IMC, 8, 5, 48, 0xd8, 0xa0, 0, 0xf4, 0x100, 0, 0xf0, 0xd0, 0, 0 },
		{ "hsx", BPMU_UNIT_IMC, 8, 5, 48, 0xd8, 0xa0, 0, 0xf4, 0x10100, 0x10000,
		  0xf0, 0xd0, 0, 0 },
		{ "bdx", BPMU_UNIT_IMC, 8, 5, 48, 0xd8, 0xa0, 0, 0xf4, 0x10100, 0x10000,
		  0xf0, 0xd0, 0, 0 },
		{ "skx", BPMU_UNIT_IMC, 6, 5, 48, 0xd8, 0xa0, 0, 0xf4, 0x100, 0, 0xf0, 0xd0, 0, 0 },
		{ "icx", BPMU_UNIT_IMC, 12, 5, 48, 0x40, 0x08, 0, 0x00, 0x100, 0, 0x54, 0x38, 0, 0 },
		{ "jkt", BPMU_UNIT_HA, 1, 4, 48, 0xd8, 0xa0, 0, 0xf4, 0x10100, 0x10000, 0, 0, 0, 0 },
		{ "ivt", BPMU_UNIT_HA, 2, 4, 48, 0xd8, 0xa0, 0, 0xf4, 0x100, 0, 0, 0, 0, 0 },
		{ "skx", BPMU_UNIT_HA, 2, 4, 48, 0x228, 0x200, 0, 0x258, 0x100, 0, 0, 0, 0, 0 },
		{ "icx", BPMU_UNIT_HA, 4, 4, 48, 0x468, 0x440, 0, 0x438, 0x100, 0, 0, 0, 0, 0 },
		{ "jkt", BPMU_UNIT_LINK, 2, 4, 48, 0xd8, 0xa0, 0, 0xf4, 0x10100, 0x10000, 0, 0, 0, 0 },
		{ "hsx", BPMU_UNIT_LINK, 3, 4, 48, 0xd8, 0xa0, 0, 0xf4, 0x10100, 0x10000, 0, 0, 0, 0 },
		{ "skx", BPMU_UNIT_LINK, 3, 4, 48, 0x350, 0x318, 0, 0x378, 0x100, 0, 0, 0, 0, 0 },
		{ "icx", BPMU_UNIT_LINK, 3, 4, 48, 0x350, 0x320, 0, 0x318, 0x100, 0, 0, 0, 0, 0 },
		{ "spr", BPMU_UNIT_LINK, 4, 4, 48, 0x350, 0x320, 0, 0x318, 0x1, 0, 0, 0, 0, 0 },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(all); i++) {
		const struct bpmu_box *box = box_of(all[i].part, all[i].unit);

		if (box->nr != all[i].nr || box->counters != all[i].counters ||
		    box->width != all[i].width || box->select != all[i].select ||
		    box->counter != all[i].counter || box->step != all[i].step ||
		    box->ctl != all[i].ctl || box->frozen != all[i].frozen ||
		    box->running != all[i].running ||
		    box->fixed_select != all[i].fixed_select ||
		    box->fixed_counter != all[i].fixed_counter ||
		    box->filter != all[i].filter || box->filter_high != all[i].filter_high)
			fail_msg("%s: %s", all[i].part, box->title);
		if (box->fixed_select)
			assert_int_equal(box->fixed_width, 48);
	}
}

/* icx_cha_msr_offsets, which begins with the last six CHAs; icx_msr_offsets */
static void ice_lake_s_boxes_have_their_gaps(void **state)
{
	static const short iio[] = { 0xa50, 0xa70, 0xa90, 0xae0, 0xb00, 0xb20 };
	const struct bpmu_box *cha = box_of("icx", BPMU_UNIT_CHA);
	const struct bpmu_box *stack = box_of("icx", BPMU_UNIT_IIO);
	unsigned int i, first;

	(void)state;
	for (i = 0; i < cha->nr; i++) {
		first = i < 18 ? 0xe00 + 14 * i : i < 34 ? 0xf0a + 14 * (i - 18) :
			0xb60 + 14 * (i - 34);
		assert_int_equal(cha->ctl + cha->offsets[i], first);
	}
	for (i = 0; i < stack->nr; i++)
		assert_int_equal(stack->ctl + stack->offsets[i], iio[i]);
}

/* PCI devices, in the order of the boxes */
static void devices_have_their_identifiers(void **state)
{
	static const struct {
		const char *part;
		u8 unit;
		u16 ids[9];
	} all[] = {
		{ "jkt", BPMU_UNIT_IMC, { 0x3cb0, 0x3cb1, 0x3cb4, 0x3cb5 } },
		{ "jkt", BPMU_UNIT_HA, { 0x3c46 } },
		{ "jkt", BPMU_UNIT_LINK, { 0x3c41, 0x3c42 } },
		{ "ivt", BPMU_UNIT_IMC, { 0xeb4, 0xeb5, 0xeb0, 0xeb1, 0xef4, 0xef5, 0xef0, 0xef1 } },
		{ "ivt", BPMU_UNIT_HA, { 0xe30, 0xe38 } },
		{ "ivt", BPMU_UNIT_LINK, { 0xe32, 0xe33, 0xe3a } },
		{ "hsx", BPMU_UNIT_IMC,
		  { 0x2fb0, 0x2fb1, 0x2fb4, 0x2fb5, 0x2fd0, 0x2fd1, 0x2fd4, 0x2fd5 } },
		{ "hsx", BPMU_UNIT_HA, { 0x2f30, 0x2f38 } },
		{ "hsx", BPMU_UNIT_LINK, { 0x2f32, 0x2f33, 0x2f3a } },
		{ "bdx", BPMU_UNIT_IMC,
		  { 0x6fb0, 0x6fb1, 0x6fb4, 0x6fb5, 0x6fd0, 0x6fd1, 0x6fd4, 0x6fd5 } },
		{ "bdx", BPMU_UNIT_HA, { 0x6f30, 0x6f38 } },
		{ "bdx", BPMU_UNIT_LINK, { 0x6f32, 0x6f33, 0x6f3a } },
		{ "skx", BPMU_UNIT_IMC, { 0x2042, 0x2046, 0x204a } },
		{ "skx", BPMU_UNIT_HA, { 0x2066 } },
		{ "skx", BPMU_UNIT_LINK, { 0x2058 } },
		{ "icx", BPMU_UNIT_IMC, { 0x3451 } },
		{ "icx", BPMU_UNIT_HA, { 0x344a } },
		{ "icx", BPMU_UNIT_LINK, { 0x3441 } },
		{ "spr", BPMU_UNIT_LINK, { 0x3241 } },
	};
	static const struct {
		const char *part;
		u32 device, node, map;
	} uboxes[] = {
		{ "jkt", 0x3ce0, 0x40, 0x54 }, { "ivt", 0x0e1e, 0x40, 0x54 },
		{ "hsx", 0x2f1e, 0x40, 0x54 }, { "bdx", 0x6f1e, 0x40, 0x54 },
		{ "skx", 0x2014, 0xc0, 0xd4 }, { "icx", 0x3450, 0xc0, 0xd4 },
		{ "spr", 0x3250, 0xc0, 0xd4 }, { "gnr", 0x3250, 0xc0, 0xd4 },
	};
	unsigned int i, k;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(all); i++)
		for (k = 0; k == 0 || all[i].ids[k - 1]; k++)
			assert_int_equal(box_of(all[i].part, all[i].unit)->devices[k],
					 all[i].ids[k]);
	for (i = 0; i < ARRAY_SIZE(uboxes); i++) {
		const struct bpmu_ubox *ubox = bpmu_part_by_name(uboxes[i].part)->uncore->ubox;

		assert_int_equal(ubox->device, uboxes[i].device);
		assert_int_equal(ubox->node, uboxes[i].node);
		assert_int_equal(ubox->map, uboxes[i].map);
		assert_int_equal(ubox->lower, !strcmp(uboxes[i].part, "skx"));
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(filters_restrict_the_events_of_a_cbo),
		cmocka_unit_test(filters_restrict_the_events_of_a_cha),
		cmocka_unit_test(each_band_of_a_pcu_has_its_byte),
		cmocka_unit_test(fields_of_filters_have_their_bits),
		cmocka_unit_test(registers_have_their_addresses),
		cmocka_unit_test(ice_lake_s_boxes_have_their_gaps),
		cmocka_unit_test(devices_have_their_identifiers),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("boxes", tests, NULL, NULL);
}
