// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the descriptors of Intel's PMU boxes, mostly on servers. The test checks addresses and
 * bits of registers, and which filter fields each event uses. Expected values were copied by hand
 * from Linux, arch/x86/events/intel/uncore_snbep.c: *_MSR_PMON_*, *_PCI_PMON_*, *_uncore_pci_ids,
 * *_uncore_cbox_extra_regs and skx_uncore_cha_extra_regs.
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

/* Mask of bits FIRST to LAST, both included. */
#define BITS(first, last) (~0ULL >> (63 - (last)) & ~0ULL << (first))

/*
 * Filter fields of a CBo: thread, link, cache line state, node, and opcode with the bits C6, NC and
 * ISOC.
 */
#define TID	0x01
#define LINK	0x02
#define STATE	0x04
#define NID	0x08
#define OPC	0x10

struct use {
	u64 select;
	unsigned int fields;
};

/*
 * Checks for each event in @uses which bits of the CHA's filter register restrict the event: the
 * bits of the fields that the event's element of @uses names, and no other bits. @masks: bits of
 * the fields TID, LINK, STATE, NID and OPC, in this order.
 */
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

TEST(filters_restrict_the_events_of_a_cbo)
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

	assert_uses("jkt", jkt, jkt_uses);
	assert_uses("ivt", ivt, ivt_uses);
	assert_uses("hsx", hsx, hsx_uses);
	assert_uses("bdx", hsx, hsx_uses);
}

/*
 * A CHA of Skylake has a filter register with fields for opcodes, homes and memory. On Ice Lake the
 * event select has such fields instead.
 */
TEST(filters_restrict_the_events_of_a_cha)
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

	assert_uses("skx", skx, skx_uses);
	assert_uses("icx", icx, icx_uses);
}

TEST(each_band_of_a_pcu_has_its_byte)
{
	static const char *const parts[] = { "jkt", "ivt", "hsx", "bdx", "skx", "icx" };
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(parts); i++) {
		const struct bpmu_box *box = box_of(parts[i], BPMU_UNIT_PCU);

		for (n = 0; n < 4; n++) {
			char name[] = "filter_bandN";

			name[strlen(name) - 1] = '0' + n;
			assert_string_equal(box->filters[n].name, name);
			assert_true(box->filters[n].bits == 0xffULL << 8 * n);
			/*
			 * The example value of this filter is 20 units of 100 MHz, a frequency of 2
			 * GHz.
			 */
			assert_int_equal(box->filters[n].asked, 20);
			assert_false(box->filters[n].unless || box->filters[n].some ||
				     box->filters[n].open);
			assert_true(bpmu_filter_used(box, 0x0b + n) == 0xffULL << 8 * n);
		}
		assert_null(box->filters[4].name);
		assert_true(bpmu_filter_used(box, 0x0a) == 0);
		assert_true(bpmu_filter_used(box, 0x0f) == 0);
		assert_true(bpmu_filter_used(box, 0x80) == 0);
	}
}

/* Fails unless the two tables of named fields of a filter are equal. */
static void assert_fields(const char *part, const struct bpmu_select_field *fields,
			  const struct bpmu_select_field *expected)
{
	for (; fields && fields->name && expected->name; fields++, expected++)
		if (strcmp(fields->name, expected->name) || fields->bits != expected->bits ||
		    fields->unless != expected->unless || fields->some != expected->some ||
		    fields->asked != expected->asked || fields->open != expected->open)
			fail_msg("%s: %s", part, expected->name);
	assert_true((!fields || !fields->name) && !expected->name);
}

/*
 * The named fields of the filter registers of each CPU model; the columns are those of struct
 * bpmu_select_field. Some fields let nothing pass if they are 0: those for nodes, for line states
 * and, on Skylake, for homes. Their bits are therefore 1 by default (@open).
 */
TEST(fields_of_filters_have_their_bits)
{
	static const struct bpmu_select_field jkt[] = {
		{ "filter_tid", 0x1f, 0, 0, 0, 0 },
		{ "filter_nid", 0x3fc00, 0, 1, 0, 0x3fc00 },
		{ "filter_state", 0x7c0000, 0, 1, 0, 0x7c0000 },
		{ "filter_opc", 0xff800000, 0, 0, 0x182, 0 }, { NULL }
	};
	static const struct bpmu_select_field ivt[] = {
		{ "filter_tid", 0x1f, 0, 0, 0, 0 }, { "filter_link", 0x1e0, 0, 0, 0, 0 },
		{ "filter_state", 0x7e0000, 0, 1, 0, 0x7e0000 },
		{ "filter_nid", BITS(32, 47), 0, 1, 0, BITS(32, 47) },
		{ "filter_opc", BITS(52, 60), 0, 0, 0x182, 0 },
		{ "filter_c6", BITS(61, 61), 0, 0, 0, 0 }, { "filter_nc", BITS(62, 62), 0, 0, 0, 0 },
		{ "filter_isoc", BITS(63, 63), 0, 0, 0, 0 }, { NULL }
	};
	static const struct bpmu_select_field hsx[] = {
		{ "filter_tid", 0x3f, 0, 0, 0, 0 }, { "filter_link", 0x3c0, 0, 0, 0, 0 },
		{ "filter_state", 0xfe0000, 0, 1, 0, 0xfe0000 },
		{ "filter_nid", BITS(32, 47), 0, 1, 0, BITS(32, 47) },
		{ "filter_opc", BITS(52, 60), 0, 0, 0x182, 0 },
		{ "filter_c6", BITS(61, 61), 0, 0, 0, 0 }, { "filter_nc", BITS(62, 62), 0, 0, 0, 0 },
		{ "filter_isoc", BITS(63, 63), 0, 0, 0, 0 }, { NULL }
	};
	static const struct bpmu_select_field skx[] = {
		{ "filter_tid", 0x1ff, 0, 0, 0, 0 },
		{ "filter_state", BITS(17, 26), 0, 1, 0, 0x1e20000 },
		{ "filter_rem", BITS(32, 32), 0, 0, 0, BITS(32, 32) },
		{ "filter_loc", BITS(33, 33), 0, 0, 0, BITS(33, 33) },
		{ "filter_all_op", BITS(35, 35), 0, 0, 0, BITS(35, 35) },
		{ "filter_nm", BITS(36, 36), 0, 0, 0, BITS(36, 36) },
		{ "filter_not_nm", BITS(37, 37), 0, 0, 0, BITS(37, 37) },
		{ "filter_opc0", BITS(41, 50), BITS(35, 35), 0, 0, 0 },
		{ "filter_opc1", BITS(51, 60), BITS(35, 35), 0, 0, 0 },
		{ "filter_nc", BITS(62, 62), 0, 0, 0, 0 },
		{ "filter_isoc", BITS(63, 63), 0, 0, 0, 0 }, { NULL }
	};
	static const struct bpmu_select_field icx[] = {
		{ "filter_tid", 0x1ff, 0, 0, 0, 0 }, { NULL }
	};

	assert_fields("jkt", box_of("jkt", BPMU_UNIT_CHA)->filters, jkt);
	assert_fields("ivt", box_of("ivt", BPMU_UNIT_CHA)->filters, ivt);
	assert_fields("hsx", box_of("hsx", BPMU_UNIT_CHA)->filters, hsx);
	assert_fields("bdx", box_of("bdx", BPMU_UNIT_CHA)->filters, hsx);
	assert_fields("skx", box_of("skx", BPMU_UNIT_CHA)->filters, skx);
	assert_fields("icx", box_of("icx", BPMU_UNIT_CHA)->filters, icx);
}

/*
 * Addresses of the registers of the first box of each unit. @counters is the number of counters of
 * the box, with the fixed counter included.
 */
TEST(registers_have_their_addresses)
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
		{ "skx", BPMU_UNIT_IRP, 6, 2, 48, 0xa5b, 0xa59, 0x20, 0xa58, 0x100, 0, 0, 0, 0, 0 },
		{ "icx", BPMU_UNIT_IRP, 6, 2, 48, 0xa4d, 0xa4b, 0, 0xa4a, 0x100, 0, 0, 0, 0, 0 },
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
		{ "hsx", BPMU_UNIT_HA, 2, 4, 48, 0xd8, 0xa0, 0, 0xf4, 0x10100, 0x10000, 0, 0, 0, 0 },
		{ "bdx", BPMU_UNIT_HA, 2, 4, 48, 0xd8, 0xa0, 0, 0xf4, 0x10100, 0x10000, 0, 0, 0, 0 },
		{ "skx", BPMU_UNIT_HA, 2, 4, 48, 0x228, 0x200, 0, 0x258, 0x100, 0, 0, 0, 0, 0 },
		{ "icx", BPMU_UNIT_HA, 4, 4, 48, 0x468, 0x440, 0, 0x438, 0x100, 0, 0, 0, 0, 0 },
		{ "jkt", BPMU_UNIT_LINK, 2, 4, 48, 0xd8, 0xa0, 0, 0xf4, 0x10100, 0x10000, 0, 0, 0, 0 },
		{ "ivt", BPMU_UNIT_LINK, 3, 4, 48, 0xd8, 0xa0, 0, 0xf4, 0x100, 0, 0, 0, 0, 0 },
		{ "bdx", BPMU_UNIT_LINK, 3, 4, 48, 0xd8, 0xa0, 0, 0xf4, 0x10100, 0x10000, 0, 0, 0, 0 },
		{ "hsx", BPMU_UNIT_LINK, 3, 4, 48, 0xd8, 0xa0, 0, 0xf4, 0x10100, 0x10000, 0, 0, 0, 0 },
		{ "skx", BPMU_UNIT_LINK, 3, 4, 48, 0x350, 0x318, 0, 0x378, 0x100, 0, 0, 0, 0, 0 },
		{ "icx", BPMU_UNIT_LINK, 3, 4, 48, 0x350, 0x320, 0, 0x318, 0x100, 0, 0, 0, 0, 0 },
		{ "spr", BPMU_UNIT_LINK, 4, 4, 48, 0x350, 0x320, 0, 0x318, 0x1, 0, 0, 0, 0, 0 },
		{ "knl", BPMU_UNIT_IMC, 6, 5, 48, 0xb20, 0xb00, 0, 0xb30, 0x10100, 0,
		  0xb44, 0xb3c, 0, 0 },
		{ "knl", BPMU_UNIT_IMC_UCLK, 2, 5, 48, 0x420, 0x400, 0, 0x430, 0x10100, 0,
		  0x454, 0x44c, 0, 0 },
		{ "knl", BPMU_UNIT_EDC_ECLK, 8, 5, 48, 0xa20, 0xa00, 0, 0xa30, 0x10100, 0,
		  0xa44, 0xa3c, 0, 0 },
		{ "knl", BPMU_UNIT_EDC_UCLK, 8, 5, 48, 0x420, 0x400, 0, 0x430, 0x10100, 0,
		  0x454, 0x44c, 0, 0 },
		{ "knl", BPMU_UNIT_M2PCIE, 1, 4, 48, 0xd8, 0xa0, 0, 0xf4, 0x10100, 0x10000,
		  0, 0, 0, 0 },
		/*
		 * On these CPU models the module reads the number of boxes and their addresses from
		 * the discovery tables. The tool knows only how many boxes there are at most.
		 */
		{ "spr", BPMU_UNIT_CHA, 144, 4, 48, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0 },
		{ "spr", BPMU_UNIT_IIO, 16, 4, 48, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0 },
		{ "spr", BPMU_UNIT_IRP, 16, 2, 48, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0 },
		{ "spr", BPMU_UNIT_PCU, 1, 4, 48, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0 },
		{ "spr", BPMU_UNIT_UBOX, 1, 2, 48, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0 },
		{ "spr", BPMU_UNIT_IMC, 16, 4, 48, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0 },
		{ "spr", BPMU_UNIT_HA, 32, 4, 48, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0 },
		{ "gnr", BPMU_UNIT_CHA, 144, 4, 48, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0 },
		{ "gnr", BPMU_UNIT_IIO, 16, 4, 48, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0 },
		{ "gnr", BPMU_UNIT_IRP, 16, 2, 48, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0 },
		{ "gnr", BPMU_UNIT_PCU, 1, 4, 48, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0 },
		{ "gnr", BPMU_UNIT_UBOX, 1, 2, 48, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0 },
		{ "gnr", BPMU_UNIT_IMC, 16, 4, 48, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0 },
		{ "gnr", BPMU_UNIT_HA, 32, 4, 48, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0 },
		{ "gnr", BPMU_UNIT_LINK, 6, 4, 48, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0 },
		{ "nhm", BPMU_UNIT_CLOCK, 1, 1, 48, 0x395, 0x394, 0, 0, 0, 0, 0, 0, 0, 0 },
		{ "nhm", BPMU_UNIT_GQ, 1, 8, 48, 0x3c0, 0x3b0, 0, 0, 0, 0, 0, 0, 0, 0 },
		{ "snb", BPMU_UNIT_CLOCK, 1, 1, 44, 0x394, 0x395, 0, 0, 0, 0, 0, 0, 0, 0 },
		{ "skl", BPMU_UNIT_CLOCK, 1, 1, 44, 0x394, 0x395, 0, 0, 0, 0, 0, 0, 0, 0 },
		{ "icl", BPMU_UNIT_CLOCK, 1, 1, 48, 0x394, 0x395, 0, 0, 0, 0, 0, 0, 0, 0 },
		{ "tgl", BPMU_UNIT_CLOCK, 1, 1, 48, 0x394, 0x395, 0, 0, 0, 0, 0, 0, 0, 0 },
		{ "adl", BPMU_UNIT_CLOCK, 1, 1, 48, 0x2fde, 0x2fdf, 0, 0, 0, 0, 0, 0, 0, 0 },
		{ "snb", BPMU_UNIT_ARB, 1, 2, 44, 0x3b2, 0x3b0, 0, 0, 0, 0, 0, 0, 0, 0 },
		{ "skl", BPMU_UNIT_ARB, 1, 2, 44, 0x3b2, 0x3b0, 0, 0, 0, 0, 0, 0, 0, 0 },
		{ "icl", BPMU_UNIT_ARB, 1, 1, 44, 0x3b3, 0x3b1, 0, 0, 0, 0, 0, 0, 0, 0 },
		{ "tgl", BPMU_UNIT_ARB, 1, 2, 44, 0x3b2, 0x3b0, 0, 0, 0, 0, 0, 0, 0, 0 },
		{ "adl", BPMU_UNIT_ARB, 2, 2, 44, 0x2fd0, 0x2fd2, 8, 0, 0, 0, 0, 0, 0, 0 },
		{ "snb", BPMU_UNIT_CBO, 4, 2, 44, 0x700, 0x706, 0x10, 0, 0, 0, 0, 0, 0, 0 },
		{ "skl", BPMU_UNIT_CBO, 7, 4, 44, 0x700, 0x706, 0x10, 0, 0, 0, 0, 0, 0, 0 },
		{ "icl", BPMU_UNIT_CBO, 8, 2, 44, 0x700, 0x702, 8, 0, 0, 0, 0, 0, 0, 0 },
		{ "tgl", BPMU_UNIT_CBO, 8, 2, 44, 0x700, 0x702, 8, 0, 0, 0, 0, 0, 0, 0 },
		{ "adl", BPMU_UNIT_CBO, 8, 2, 44, 0x2000, 0x2002, 8, 0, 0, 0, 0, 0, 0, 0 },
		{ "adl", BPMU_UNIT_IMC, 2, 5, 64, 0xd0, 0xe8, 0, 0xc4, 1, 0, 0, 0, 0, 0 },
		{ "mtl", BPMU_UNIT_IMC, 2, 5, 64, 0xd0, 0xe8, 0, 0xc4, 1, 0, 0, 0, 0, 0 },
		{ "zen1", BPMU_UNIT_L3, 1, 6, 48, 0xc0010230, 0xc0010231, 0, 0, 0, 0, 0, 0, 0, 0 },
		{ "zen3", BPMU_UNIT_L3, 1, 6, 48, 0xc0010230, 0xc0010231, 0, 0, 0, 0, 0, 0, 0, 0 },
		{ "zen4", BPMU_UNIT_L3, 1, 6, 48, 0xc0010230, 0xc0010231, 0, 0, 0, 0, 0, 0, 0, 0 },
		{ "zen1", BPMU_UNIT_DF, 1, 4, 48, 0xc0010240, 0xc0010241, 0, 0, 0, 0, 0, 0, 0, 0 },
		{ "zen3", BPMU_UNIT_DF, 1, 4, 48, 0xc0010240, 0xc0010241, 0, 0, 0, 0, 0, 0, 0, 0 },
		{ "zen4", BPMU_UNIT_DF, 1, 16, 48, 0xc0010240, 0xc0010241, 0, 0, 0, 0, 0, 0, 0, 0 },
		{ "jaguar", BPMU_UNIT_L2, 1, 4, 48, 0xc0010230, 0xc0010231, 0, 0, 0, 0, 0, 0, 0, 0 },
		{ "jaguar", BPMU_UNIT_NB, 1, 4, 48, 0xc0010240, 0xc0010241, 0, 0, 0, 0, 0, 0, 0, 0 },
		{ "bulldozer", BPMU_UNIT_NB, 1, 4, 48, 0xc0010240, 0xc0010241, 0, 0, 0, 0, 0, 0, 0,
		  0 },
		{ "zen4", BPMU_UNIT_UMC, 32, 8, 47, 0xc0010800, 0xc0010801, 0, 0, 0, 0, 0, 0, 0, 0 },
	};
	unsigned int i;

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
			fail_msg("%s: %s", all[i].part, box->name);
		assert_int_equal(box->fixed_width, box->fixed_select ? 48 : 0);
		/* KNL_PMON_FIXED_CTL_EN: only Knights Landing's fixed counter has an enable bit. */
		assert_int_equal(box->fixed_enable,
				 !strcmp(all[i].part, "knl") && box->fixed_select);
	}
}

#define CODE_AND_UMASK	0xffffULL
/*
 * Bits of an event select: edge detection, inversion, and thresholds of five, six and eight bits.
 */
#define EDGE		0x40000ULL
#define INV		0x800000ULL
#define T5		0x1f000000ULL
#define T6		0x3f000000ULL
#define T8		0xff000000ULL
#define CBO		(CODE_AND_UMASK | EDGE | 0x80000 | T8)
#define PCU		(0xffULL | 0xc000 | EDGE | T5 | 0xc0000000)
#define IIO		(CODE_AND_UMASK | EDGE | INV | 0xfff000000)
#define PCI		(CODE_AND_UMASK | EDGE | T8)

/*
 * Bits of event selects (*_RAW_EVENT_MASK, and the formats of perf's PMUs), enable and freeze bits,
 * and distances between the addresses of neighbouring registers. @wrap_us is the longest time in us
 * in which a counter surely rises by less than 2^32: 2^32 divided by the largest increment per
 * clock and by the highest clock rate of any CPU model. A memory controller counts at the memory's
 * clock. A link has two events per clock.
 */
TEST(event_selects_have_their_bits)
{
	static const struct {
		const char *parts;
		u8 unit;
		u64 legal;
		u32 enable, freeze;
		u16 base;
		u8 stride, counter_stride, wide, thresholds;
		u16 wrap_us;
		u32 size;
	} all[] = {
		{ "nhm", BPMU_UNIT_CLOCK, 0, 1 << 0, 0, 0, 1, 0, 0, 0, 0, 0 },
		{ "nhm", BPMU_UNIT_GQ, CODE_AND_UMASK | EDGE | INV | T8, 1 << 22, 0,
		  0, 1, 0, 0, 0, 0, 0 },
		{ "snb skl icl tgl adl", BPMU_UNIT_CLOCK, 0, 1 << 22, 0, 0, 1, 0, 0, 0, 0, 0 },
		{ "snb skl icl tgl adl", BPMU_UNIT_ARB, CODE_AND_UMASK | EDGE | INV | T5, 1 << 22, 0,
		  0, 1, 0, 0, 0, 0, 0 },
		{ "snb skl icl tgl", BPMU_UNIT_CBO, CODE_AND_UMASK | EDGE | INV | T5, 1 << 22, 0,
		  0, 1, 0, 0, 0, 0, 0 },
		{ "adl", BPMU_UNIT_CBO, CODE_AND_UMASK | EDGE | INV | T6, 1 << 22, 0,
		  0, 1, 0, 0, 0, 0, 0 },
		{ "adl mtl", BPMU_UNIT_IMC, 0xfff | EDGE, 0, 1, 384, 4, 8, 0, 1, 0, 0x110 },
		{ "jkt hsx bdx skx", BPMU_UNIT_CHA, CBO | INV, 1 << 22, 0x100,
		  360, 1, 0, 0, 1, 0, 0 },
		{ "ivt", BPMU_UNIT_CHA, CBO, 1 << 22, 0x100, 360, 1, 0, 0, 1, 0, 0 },
		{ "icx", BPMU_UNIT_CHA, CBO | INV | BITS(32, 57), 1 << 22, 0x100,
		  360, 1, 0, 0, 1, 0, 0 },
		{ "jkt hsx bdx skx icx", BPMU_UNIT_PCU, PCU | INV, 1 << 22, 0x100,
		  364, 1, 0, 0, 1, 0, 0 },
		{ "ivt", BPMU_UNIT_PCU, PCU, 1 << 22, 0x100, 364, 1, 0, 0, 1, 0, 0 },
		{ "jkt hsx bdx skx icx", BPMU_UNIT_UBOX, CODE_AND_UMASK | EDGE | INV | T5, 1 << 22, 0,
		  368, 1, 0, 0, 1, 0, 0 },
		{ "ivt", BPMU_UNIT_UBOX, CODE_AND_UMASK | EDGE | T5, 1 << 22, 0,
		  368, 1, 0, 0, 1, 0, 0 },
		{ "skx", BPMU_UNIT_IIO, IIO | BITS(36, 46), 1 << 22, 0x100,
		  408, 1, 0, 0, 1, 0, 0 },
		{ "icx", BPMU_UNIT_IIO, IIO | BITS(36, 50), 1 << 22, 0x100,
		  408, 1, 0, 0, 1, 0, 0 },
		{ "skx icx", BPMU_UNIT_IRP, PCI | INV, 1 << 22, 0x100, 416, 1, 0, 0, 1, 0, 0 },
		{ "jkt hsx bdx skx", BPMU_UNIT_IMC, PCI | INV, 1 << 22, 0x100,
		  384, 4, 8, 0, 1, 20000, 0 },
		{ "ivt", BPMU_UNIT_IMC, PCI, 1 << 22, 0x100, 384, 4, 8, 0, 1, 20000, 0 },
		{ "icx", BPMU_UNIT_IMC, PCI | INV, 1 << 22, 0x100, 384, 4, 8, 0, 1, 20000, 0x58 },
		{ "jkt hsx bdx", BPMU_UNIT_HA, PCI | INV, 1 << 22, 0x100,
		  392, 4, 8, 0, 1, 6500, 0 },
		{ "ivt", BPMU_UNIT_HA, PCI, 1 << 22, 0x100, 392, 4, 8, 0, 1, 6500, 0 },
		{ "skx", BPMU_UNIT_HA, PCI | INV, 1 << 22, 0x100, 392, 8, 0, 1, 1, 6500, 0 },
		{ "icx", BPMU_UNIT_HA, PCI | INV | BITS(32, 39), 1 << 22, 0x100,
		  392, 8, 0, 1, 1, 6500, 0 },
		{ "jkt hsx bdx", BPMU_UNIT_LINK, PCI | INV | BITS(21, 21), 1 << 22, 0x100,
		  400, 4, 8, 0, 1, 6500, 0 },
		{ "ivt", BPMU_UNIT_LINK, PCI | BITS(21, 21), 1 << 22, 0x100,
		  400, 4, 8, 0, 1, 6500, 0 },
		{ "skx", BPMU_UNIT_LINK, PCI | INV, 1 << 22, 0x100, 400, 8, 0, 1, 1, 6500, 0 },
		{ "icx", BPMU_UNIT_LINK, PCI | INV | BITS(32, 55), 1 << 22, 0x100,
		  400, 8, 0, 1, 1, 6500, 0 },
		{ "knl", BPMU_UNIT_IMC, PCI | INV, 1 << 22, 0x100, 384, 4, 8, 0, 1, 6500, 0 },
		{ "knl", BPMU_UNIT_EDC_ECLK, PCI | INV, 1 << 22, 0x100,
		  424, 4, 8, 0, 1, 6500, 0 },
		{ "knl", BPMU_UNIT_EDC_UCLK, PCI | INV, 1 << 22, 0x100,
		  432, 4, 8, 0, 1, 6500, 0 },
		{ "knl", BPMU_UNIT_IMC_UCLK, PCI | INV, 1 << 22, 0x100,
		  440, 4, 8, 0, 1, 6500, 0 },
		{ "knl", BPMU_UNIT_M2PCIE, PCI | INV, 1 << 22, 0x100, 448, 4, 8, 0, 1, 6500, 0 },
		{ "spr gnr", BPMU_UNIT_CHA, PCI | INV | BITS(32, 55), 0, 1, 360, 0, 0, 0, 1, 0, 0 },
		{ "spr gnr", BPMU_UNIT_IIO, IIO | BITS(36, 50), 0, 1, 408, 0, 0, 0, 1, 0, 0 },
		{ "spr gnr", BPMU_UNIT_IRP, PCI | INV | BITS(32, 55), 0, 1,
		  416, 0, 0, 0, 1, 0, 0 },
		{ "spr gnr", BPMU_UNIT_PCU, PCI | INV, 0, 1, 364, 0, 0, 0, 1, 0, 0 },
		{ "spr gnr", BPMU_UNIT_UBOX, PCI | INV, 0, 1, 368, 0, 0, 0, 1, 0, 0 },
		{ "spr gnr", BPMU_UNIT_IMC, PCI | INV, 0, 1, 384, 0, 0, 0, 1, 20000, 0 },
		{ "spr gnr", BPMU_UNIT_HA, PCI | INV | BITS(32, 55), 0, 1,
		  392, 0, 0, 1, 1, 6500, 0 },
		{ "spr", BPMU_UNIT_LINK, PCI | INV | BITS(32, 55), 0, 1, 400, 8, 0, 1, 1, 6500, 0 },
		{ "gnr", BPMU_UNIT_LINK, PCI | INV | BITS(32, 55), 0, 1, 400, 0, 0, 1, 1, 6500, 0 },
		{ "zen1", BPMU_UNIT_L3, CODE_AND_UMASK | BITS(48, 51) | BITS(56, 63), 1 << 22, 0,
		  320, 2, 0, 0, 0, 0, 0 },
		{ "zen3 zen4", BPMU_UNIT_L3,
		  CODE_AND_UMASK | BITS(42, 44) | BITS(46, 50) | BITS(56, 57), 1 << 22, 0,
		  320, 2, 0, 0, 0, 0, 0 },
		{ "zen1 zen3", BPMU_UNIT_DF, CODE_AND_UMASK | BITS(32, 35) | BITS(59, 60), 1 << 22, 0,
		  336, 2, 0, 0, 0, 0, 0 },
		{ "zen4", BPMU_UNIT_DF, CODE_AND_UMASK | BITS(24, 27) | BITS(32, 37), 1 << 22, 0,
		  336, 2, 0, 0, 0, 0, 0 },
		{ "jaguar", BPMU_UNIT_L2, CODE_AND_UMASK, 1 << 22, 0, 320, 2, 0, 0, 0, 0, 0 },
		{ "jaguar bulldozer", BPMU_UNIT_NB, CODE_AND_UMASK | BITS(32, 35), 1 << 22, 0,
		  336, 2, 0, 0, 0, 0, 0 },
		{ "zen4", BPMU_UNIT_UMC, 0xff | BITS(8, 9), 1u << 31, 0, 352, 2, 0, 0, 0, 0, 0 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		char text[32], *part, *rest = text;

		snprintf(text, sizeof(text), "%s", all[i].parts);
		while ((part = strsep(&rest, " "))) {
			const struct bpmu_box *box = box_of(part, all[i].unit);

			if (box->legal != all[i].legal || box->enable != all[i].enable ||
			    box->freeze != all[i].freeze || box->base != all[i].base ||
			    box->stride != all[i].stride ||
			    box->counter_stride != all[i].counter_stride ||
			    box->wide != all[i].wide || box->thresholds != all[i].thresholds ||
			    box->wrap_us != all[i].wrap_us || box->size != all[i].size)
				fail_msg("%s: %s", part, box->name);
			assert_int_equal(box->saturates, all[i].unit == BPMU_UNIT_UMC);
		}
	}
}

/*
 * Registers that boxes of only one type have. An example is the global control register that only
 * memory controller 1 of Alder Lake has.
 */
TEST(other_registers_of_boxes)
{
	const struct bpmu_part *part;
	const struct bpmu_box *box;
	unsigned int i;

	for (i = 0; (part = bpmu_part_at(i)); i++)
		for (box = part->uncore ? part->uncore->boxes : NULL; box && box->unit; box++) {
			bool client = box->unit == BPMU_UNIT_IMC && part->mchbar;

			assert_int_equal(box->global, client ? 0xc0 : 0);
			assert_int_equal(box->global_in, client);
		}
	box = box_of("icx", BPMU_UNIT_IMC);
	assert_int_equal(box->channels->base, 0xd0);
	assert_int_equal(box->channels->controller, 0xd8);
	assert_int_equal(box->channels->controllers, 4);
	assert_int_equal(box->channels->nr, 3);
	assert_int_equal(box->channels->first, 0x22800);
	assert_int_equal(box->channels->step, 0x4000);
	assert_int_equal(box->channels->free, 0x2200);
}

/*
 * Numbers by which discovery tables identify units. Source: Linux, UNCORE_* in uncore_discovery.h,
 * and uncore_snbep.c.
 */
TEST(units_have_their_types)
{
	static const struct {
		u8 unit, spr, gnr;
	} all[] = {
		{ BPMU_UNIT_CHA, 0, 0 }, { BPMU_UNIT_IIO, 1, 1 }, { BPMU_UNIT_IRP, 2, 2 },
		{ BPMU_UNIT_PCU, 4, 4 },
		{ BPMU_UNIT_UBOX, 5, 5 }, { BPMU_UNIT_IMC, 6, 6 }, { BPMU_UNIT_HA, 7, 16 },
		{ BPMU_UNIT_LINK, 0, 8 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		assert_int_equal(box_of("spr", all[i].unit)->type, all[i].spr);
		assert_int_equal(box_of("gnr", all[i].unit)->type, all[i].gnr);
	}
}

/*
 * Named fields of event selects: the bits of the field, other bits of the event select that make
 * the hardware ignore the field, and whether the field may be 0. Source: Linux,
 * arch/x86/events/amd/uncore.c and arch/x86/events/intel/uncore_snb.c, uncore_snbep.c.
 */
TEST(fields_of_event_selects_have_their_bits)
{
	static const struct {
		const char *parts;
		u8 unit;
		struct bpmu_select_field fields[4];
	} all[] = {
		{ "jkt ivt hsx bdx skx", BPMU_UNIT_CHA, { { "tid_en", BITS(19, 19), 0, 0, 0, 0 } } },
		{ "icx", BPMU_UNIT_CHA, { { "tid_en", BITS(19, 19), 0, 0, 0, 0 },
					  { "umask_ext", BITS(32, 57), 0, 0, 0, 0 } } },
		{ "jkt ivt hsx bdx skx icx", BPMU_UNIT_PCU,
		  { { "occ_invert", BITS(30, 30), 0, 0, 0, 0 },
		    { "occ_edge", BITS(31, 31), 0, 0, 0, 0 } } },
		{ "skx", BPMU_UNIT_IIO, { { "ch_mask", BITS(36, 43), 0, 1, 0, 0 },
					  { "fc_mask", BITS(44, 46), 0, 1, 0, 0 } } },
		{ "icx spr gnr", BPMU_UNIT_IIO, { { "ch_mask", BITS(36, 47), 0, 1, 0, 0 },
						  { "fc_mask", BITS(48, 50), 0, 1, 0, 0 } } },
		{ "icx", BPMU_UNIT_HA, { { "umask_ext", BITS(32, 39), 0, 0, 0, 0 } } },
		{ "icx spr gnr", BPMU_UNIT_LINK, { { "umask_ext", BITS(32, 55), 0, 0, 0, 0 } } },
		{ "spr gnr", BPMU_UNIT_CHA, { { "umask_ext", BITS(32, 55), 0, 0, 0, 0 } } },
		{ "spr gnr", BPMU_UNIT_HA, { { "umask_ext", BITS(32, 55), 0, 0, 0, 0 } } },
		{ "spr gnr", BPMU_UNIT_IRP, { { "umask_ext", BITS(32, 55), 0, 0, 0, 0 } } },
		{ "adl mtl", BPMU_UNIT_IMC, { { "chmask", BITS(8, 11), 0, 0, 0, 0 } } },
		{ "zen1", BPMU_UNIT_L3, { { "slicemask", BITS(48, 51), 0, 1, 0, 0 },
					  { "threadmask", BITS(56, 63), 0, 1, 0, 0 } } },
		{ "zen3 zen4", BPMU_UNIT_L3,
		  { { "coreid", BITS(42, 44), BITS(47, 47), 0, 0, 0 },
		    { "sliceid", BITS(48, 50), BITS(46, 46), 0, 0, 0 },
		    { "threadmask", BITS(56, 57), 0, 1, 0, 0 } } },
		{ "zen4", BPMU_UNIT_UMC, { { "rdwrmask", BITS(8, 9), 0, 0, 0, 0 } } },
		{ "nhm", BPMU_UNIT_GQ, { { NULL } } },
		{ "snb skl icl tgl adl", BPMU_UNIT_CBO, { { NULL } } },
		{ "snb skl icl tgl adl", BPMU_UNIT_ARB, { { NULL } } },
		{ "jkt ivt hsx bdx skx icx spr gnr", BPMU_UNIT_UBOX, { { NULL } } },
		{ "jkt ivt hsx bdx skx", BPMU_UNIT_HA, { { NULL } } },
		{ "jkt ivt hsx bdx skx", BPMU_UNIT_LINK, { { NULL } } },
		{ "jkt ivt hsx bdx skx icx spr gnr", BPMU_UNIT_IMC, { { NULL } } },
		{ "zen1 zen3 zen4", BPMU_UNIT_DF, { { NULL } } },
		{ "jaguar", BPMU_UNIT_L2, { { NULL } } },
		{ "jaguar bulldozer", BPMU_UNIT_NB, { { NULL } } },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		char text[40], *part, *rest = text;

		snprintf(text, sizeof(text), "%s", all[i].parts);
		while ((part = strsep(&rest, " ")))
			assert_fields(part, box_of(part, all[i].unit)->fields, all[i].fields);
	}
}

/*
 * Bits that let a counter count. Source: Linux, uncore_snbep.c, snbep_uncore_pci_enable_event() and
 * knl_uncore_imc_enable_event(): SNBEP_PMON_CTL_EN, and KNL_PMON_FIXED_CTL_EN for fixed counters.
 */
TEST(counters_have_their_enable_bits)
{
	static const struct {
		const char *part;
		u32 counter;
		bool fixed;
		u64 enable;
	} all[] = {
		{ "knl", BPMU_COUNTER_IMC, false, BPMU_BIT(22) },
		{ "knl", BPMU_COUNTER_IMC + BPMU_EDC_COUNTERS - 1, true, BPMU_BIT(0) },
		{ "knl", BPMU_COUNTER_EDC_ECLK, false, BPMU_BIT(22) },
		{ "knl", BPMU_COUNTER_EDC_ECLK + BPMU_EDC_COUNTERS - 1, true, BPMU_BIT(0) },
		{ "jkt", BPMU_COUNTER_IMC, false, BPMU_BIT(22) },
		{ "jkt", BPMU_COUNTER_IMC + BPMU_IMC_COUNTERS - 1, true, BPMU_BIT(22) },
		{ "skx", BPMU_COUNTER_IMC + BPMU_IMC_COUNTERS - 1, true, BPMU_BIT(22) },
	};
	struct bpmu_place at;
	struct bpmu_pmu pmu;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		pmu = unit_pmu(all[i].part, 4);
		assert_true(bpmu_uncore_place(&pmu, all[i].counter, &at));
		assert_int_equal(bpmu_place_fixed(&at), all[i].fixed);
		assert_true(bpmu_place_enable(&at) == all[i].enable);
	}
}

/*
 * The registers of Ice Lake's boxes are not at equal distances. Source: Linux, icx_msr_offsets and
 * icx_cha_msr_offsets. The first elements of icx_cha_msr_offsets are the offsets of the last six
 * CHAs.
 */
TEST(ice_lake_s_boxes_have_their_gaps)
{
	static const short iio[] = { 0xa50, 0xa70, 0xa90, 0xae0, 0xb00, 0xb20 };
	static const short irp[] = { 0xa4a, 0xa6a, 0xa8a, 0xada, 0xafa, 0xb1a };
	const struct bpmu_box *cha = box_of("icx", BPMU_UNIT_CHA);
	const struct bpmu_box *stack = box_of("icx", BPMU_UNIT_IIO);
	const struct bpmu_box *agent = box_of("icx", BPMU_UNIT_IRP);
	unsigned int i, first;

	for (i = 0; i < cha->nr; i++) {
		first = i < 18 ? 0xe00 + 14 * i : i < 34 ? 0xf0a + 14 * (i - 18) :
			0xb60 + 14 * (i - 34);
		assert_int_equal(cha->ctl + cha->offsets[i], first);
	}
	for (i = 0; i < stack->nr; i++)
		assert_int_equal(stack->ctl + stack->offsets[i], iio[i]);
	for (i = 0; i < agent->nr; i++)
		assert_int_equal(agent->ctl + agent->offsets[i], irp[i]);
}

/* PCI device IDs of each unit's boxes, in the order of the boxes. */
TEST(devices_have_their_identifiers)
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
		{ "knl", BPMU_UNIT_IMC, { 0x7843 } },
		{ "knl", BPMU_UNIT_IMC_UCLK, { 0x7841 } },
		{ "knl", BPMU_UNIT_EDC_ECLK, { 0x7835 } },
		{ "knl", BPMU_UNIT_EDC_UCLK, { 0x7833 } },
		{ "knl", BPMU_UNIT_M2PCIE, { 0x7817 } },
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
