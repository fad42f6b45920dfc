// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the descriptors of CPU models: their numbers are those of the manuals. This file has the
 * numbers a second time, entered independently from the sources. MSRs are from SDM Vol. 4, table
 * 2-2, and AMD64 Architecture Programmer's Manual Vol. 2, 13.2. Slots per cycle are from Intel's
 * TMA metrics and event files, and from perf's metrics of AMD's CPUs. Extra registers are from
 * Linux, arch/x86/events/intel/core.c, intel_*_extra_regs. Host bridges are from Linux,
 * uncore_snb.c, PCI_DEVICE_ID_INTEL_*_IMC.
 */
#include <pthread.h>
#include <string.h>

#include "base/array.h"
#include "event/part.h"
#include "events.h"
#include "free.h"
#include "unit.h"

/*
 * Bits of event selects that user space may set. NO_ANY and ANY: on Intel's CPUs without and with
 * the any-thread bit. AMD: on AMD's CPUs. SIX: on Intel's CPUs with version 6 of performance
 * monitoring, which have UMASK2 (bits 47:40) and EQ (bit 36).
 */
#define NO_ANY	0xff87ffffULL
#define ANY	0xffa7ffffULL
#define AMD	0xfff87ffffULL
#define SIX	0xff10ff87ffffULL

#define PERFMON	0x0a
#define V2	0x80000022
#define LEAK	BPMU_QUIRK_SMT_LEAK
#define NO_TIME	BPMU_QUIRK_FIXED0_NO_RETIRE
#define AUX	BPMU_QUIRK_LOADS_AUX
#define OS	BPMU_QUIRK_NEEDS_OS
#define DRAM	BPMU_QUIRK_DRAM_UNIT
#define PSYS	BPMU_QUIRK_PSYS_UNIT
#define MICRO	BPMU_QUIRK_MICROJOULES
#define P64	BPMU_QUIRK_PERIOD_64
#define SHARED	BPMU_QUIRK_SHARED_EXTRAS
#define NEXT	BPMU_QUIRK_PEBS_NEXT
#define PEBS_0	BPMU_QUIRK_PEBS_0

static const struct {
	const char *name;
	u64 legal;
	u32 leaf;
	u8 slots, threads, metrics, prefetch;
	u16 quirks;
	/* Number and width of counters if CPUID does not enumerate them; 0 if it does. */
	u8 gp, width, fixed;
	u16 merged;
} numbers[] = {
	{ "nhm", ANY, PERFMON, 4, 2, 0, 0xf, SHARED | NEXT, 0, 0, 0, 0 },
	{ "nhm-ex", ANY, PERFMON, 4, 2, 0, 0xf, SHARED | NEXT, 0, 0, 0, 0 },
	{ "wsm", ANY, PERFMON, 4, 2, 0, 0xf, SHARED | NEXT, 0, 0, 0, 0 },
	{ "wsm-ep", ANY, PERFMON, 4, 2, 0, 0xf, SHARED | NEXT, 0, 0, 0, 0 },
	{ "wsm-ex", ANY, PERFMON, 4, 2, 0, 0xf, SHARED | NEXT, 0, 0, 0, 0 },
	{ "snb", ANY, PERFMON, 4, 2, 0, 0xf, LEAK | NEXT, 0, 0, 0, 0 },
	{ "jkt", ANY, PERFMON, 4, 2, 0, 0xf, LEAK | NEXT, 0, 0, 0, 0 },
	{ "ivb", ANY, PERFMON, 4, 2, 0, 0xf, LEAK | NEXT, 0, 0, 0, 0 },
	{ "ivt", ANY, PERFMON, 4, 2, 0, 0xf, LEAK | NEXT, 0, 0, 0, 0 },
	{ "hsw", ANY, PERFMON, 4, 2, 0, 0xf, LEAK, 0, 0, 0, 0 },
	{ "hsx", ANY, PERFMON, 4, 2, 0, 0xf, LEAK | DRAM, 0, 0, 0, 0 },
	{ "bdw", ANY, PERFMON, 4, 2, 0, 0xf, OS | P64, 0, 0, 0, 0 },
	{ "bdx", ANY, PERFMON, 4, 2, 0, 0xf, OS | DRAM | P64, 0, 0, 0, 0 },
	{ "skl", ANY, PERFMON, 4, 2, 0, 0xf, 0, 0, 0, 0, 0 },
	{ "cnl", ANY, PERFMON, 4, 2, 0, 0xf, 0, 0, 0, 0, 0 },
	{ "skx", ANY, PERFMON, 4, 2, 0, 0xf, DRAM, 0, 0, 0, 0 },
	{ "icl", NO_ANY, PERFMON, 5, 2, 4, 0xf, 0, 0, 0, 0, 0 },
	{ "icx", NO_ANY, PERFMON, 5, 2, 4, 0xf, DRAM, 0, 0, 0, 0 },
	{ "tgl", NO_ANY, PERFMON, 5, 2, 4, 0xf, 0, 0, 0, 0, 0 },
	{ "rkl", NO_ANY, PERFMON, 5, 2, 4, 0xf, 0, 0, 0, 0, 0 },
	{ "spr", NO_ANY, PERFMON, 6, 2, 8, 0xf, PSYS | AUX, 0, 0, 0, 0 },
	{ "emr", NO_ANY, PERFMON, 6, 2, 8, 0xf, PSYS | AUX, 0, 0, 0, 0 },
	{ "gnr", NO_ANY, PERFMON, 6, 2, 8, 0, PSYS, 0, 0, 0, 0 },
	{ "adl", NO_ANY, PERFMON, 6, 2, 8, 0, AUX, 8, 0, 4, 0 },
	{ "adl-e", NO_ANY, PERFMON, 5, 1, 0, 0, 0, 0, 0, 0, 0 },
	{ "mtl", NO_ANY, PERFMON, 6, 2, 8, 0, NO_TIME, 8, 0, 4, 0 },
	{ "mtl-e", NO_ANY, PERFMON, 6, 1, 0, 0, 0, 0, 0, 0, 0 },
	{ "arl", SIX, PERFMON, 8, 1, 8, 0, 0, 8, 0, 4, 0 },
	{ "arl-e", SIX, PERFMON, 8, 1, 0, 0, 0, 0, 0, 0, 0 },
	{ "arl-lp", NO_ANY, PERFMON, 6, 1, 0, 0, 0, 0, 0, 0, 0 },
	{ "lnl", SIX, PERFMON, 8, 1, 8, 0, 0, 8, 0, 4, 0 },
	{ "lnl-e", SIX, PERFMON, 8, 1, 0, 0, 0, 0, 0, 0, 0 },
	{ "ptl", SIX, PERFMON, 8, 1, 8, 0, 0, 8, 0, 4, 0 },
	{ "ptl-e", SIX, PERFMON, 8, 1, 0, 0, 0, 0, 0, 0, 0 },
	{ "lkf", NO_ANY, PERFMON, 5, 1, 0, 0, 0, 0, 0, 0, 0 },
	{ "lkf-e", NO_ANY, PERFMON, 4, 1, 0, 0, 0, 0, 0, 0, 0 },
	{ "nvl", SIX, PERFMON, 8, 1, 8, 0, 0, 8, 0, 4, 0 },
	{ "nvl-e", SIX, PERFMON, 8, 1, 0, 0, 0, 0, 0, 0, 0 },
	{ "dmr", NO_ANY, PERFMON, 8, 2, 8, 0, 0, 0, 0, 0, 0 },
	{ "bnl", ANY, PERFMON, 2, 2, 0, 0, 0, 0, 0, 0, 0 },
	{ "slm", NO_ANY, PERFMON, 2, 1, 0, 0, MICRO | PEBS_0, 0, 0, 0, 0 },
	{ "avn", NO_ANY, PERFMON, 2, 1, 0, 0x5, PEBS_0, 0, 0, 0, 0 },
	{ "glm", NO_ANY, PERFMON, 3, 1, 0, 0x5, PEBS_0, 0, 0, 0, 0 },
	{ "glp", NO_ANY, PERFMON, 4, 1, 0, 0x5, 0, 0, 0, 0, 0 },
	{ "knl", ANY, PERFMON, 2, 4, 0, 0, DRAM | PEBS_0, 0, 0, 0, 0 },
	{ "tnt", NO_ANY, PERFMON, 4, 1, 0, 0, 0, 0, 0, 0, 0 },
	{ "srf", NO_ANY, PERFMON, 6, 1, 0, 0, PSYS, 0, 0, 0, 0 },
	{ "grr", NO_ANY, PERFMON, 6, 1, 0, 0, PSYS, 0, 0, 0, 0 },
	{ "cwf", SIX, PERFMON, 8, 1, 0, 0, PSYS, 0, 0, 0, 0 },
	{ "knc", NO_ANY, 0, 2, 4, 0, 0, 0, 2, 40, 0, 0 },
	{ "topdown", NO_ANY, PERFMON, 4, 2, 0, 0, 0, 0, 0, 0, 0 },
	{ "k10", AMD, 0, 3, 1, 0, 0, 0, 4, 48, 0, 0 },
	{ "bulldozer", AMD, V2, 4, 2, 0, 0, 0, 6, 48, 0, 0 },
	{ "jaguar", AMD, 0, 2, 1, 0, 0, 0, 4, 48, 0, 0 },
	{ "zen1", AMD, V2, 6, 2, 0, 0, 0, 6, 48, 0, 3 },
	{ "zen2", AMD, V2, 6, 2, 0, 0, 0, 6, 48, 0, 3 },
	{ "zen3", AMD, V2, 6, 2, 0, 0, 0, 6, 48, 0, 3 },
	{ "zen4", AMD, V2, 6, 2, 0, 0, 0, 6, 48, 0, 3 },
	{ "zen5", AMD, V2, 8, 2, 0, 0, 0, 6, 48, 0, 3 },
	{ "zen6", AMD, V2, 8, 2, 0, 0, 0, 6, 48, 0, 3 },
	{ "arch", NO_ANY, PERFMON, 4, 2, 0, 0, 0, 0, 0, 0, 0 },
};

TEST(parts_have_their_numbers)
{
	const struct bpmu_part *part;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		part = bpmu_part_at(i);
		assert_string_equal(part->name, numbers[i].name);
		if (part->legal != numbers[i].legal || part->cpuid_leaf != numbers[i].leaf ||
		    part->issue_width != numbers[i].slots ||
		    part->threads != numbers[i].threads ||
		    part->metrics != numbers[i].metrics ||
		    part->prefetch != numbers[i].prefetch ||
		    part->quirks != numbers[i].quirks || part->gp_counters != numbers[i].gp ||
		    part->gp_width != numbers[i].width ||
		    part->fixed_counters != numbers[i].fixed || part->fixed_width ||
		    part->merged != numbers[i].merged)
			fail_msg("%s", part->name);
		assert_int_equal(!part->merged_name, !part->merged);
		assert_null(part->loaded);
	}
	assert_null(bpmu_part_at(i));
}

TEST(parts_have_their_msrs)
{
	static const struct bpmu_msrs intel = {
		0x186, 0xc1, 0x4c1, 0x309, 0x38d, 0x38f, 0x38e, 0x390, 1
	};
	static const struct bpmu_msrs knc = { 0x28, 0x20, 0x20, 0, 0, 0x2f, 0x2d, 0x2e, 1 };
	static const struct bpmu_msrs amd = {
		0xc0010200, 0xc0010201, 0xc0010201, 0, 0, 0xc0000301, 0xc0000300, 0xc0000302, 2
	};
	static const struct bpmu_msrs f15 = {
		0xc0010200, 0xc0010201, 0xc0010201, 0, 0, 0, 0, 0, 2
	};
	static const struct bpmu_msrs k7 = {
		0xc0010000, 0xc0010004, 0xc0010004, 0, 0, 0, 0, 0, 1
	};
	const struct bpmu_part *part;
	unsigned int i;

	for (i = 0; (part = bpmu_part_at(i)); i++)
		assert_memory_equal(&part->msrs,
				    !strcmp(part->name, "knc") ? &knc :
				    !strcmp(part->name, "bulldozer") ? &f15 :
				    strstr(" k10 jaguar ", part->name) ? &k7 :
				    part->ids->vendor == BPMU_VENDOR_AMD ? &amd : &intel,
				    sizeof(intel));
}

/*
 * Off-core response MSRs of each core type. Columns: number of the MSR, mask of the counters that
 * can count its event, event code and unit mask, bits that software may set.
 */
static const struct bpmu_extra nhm[] = {
	{ 0, 0x4, 0x01b7, 0xffff }, { 7, 0x8, 0x100b, 0xffff }, { 0 }
};

static const struct bpmu_extra wsm[] = {
	{ 0, 0xf, 0x01b7, 0xffff }, { 1, 0xf, 0x01bb, 0xffff }, { 7, 0x8, 0x100b, 0xffff },
	{ 0 }
};

static const struct bpmu_extra snb[] = {
	{ 0, 0xf, 0x01b7, 0x3f807f8fffULL }, { 1, 0xf, 0x01bb, 0x3f807f8fffULL },
	{ 7, 0x8, 0x01cd, 0xffff }, { 0 }
};

static const struct bpmu_extra snbep[] = {
	{ 0, 0xf, 0x01b7, 0x3fffff8fffULL }, { 1, 0xf, 0x01bb, 0x3fffff8fffULL },
	{ 7, 0x8, 0x01cd, 0xffff }, { 0 }
};

static const struct bpmu_extra skl[] = {
	{ 0, 0xf, 0x01b7, 0x3fffff8fffULL }, { 1, 0xf, 0x01bb, 0x3fffff8fffULL },
	{ 2, 0xf, 0x01c6, 0x7fff17 }, { 7, 0xf, 0x01cd, 0xffff }, { 0 }
};

static const struct bpmu_extra icl[] = {
	{ 0, 0xf, 0x01b7, 0x3fffffbfffULL }, { 1, 0xf, 0x01bb, 0x3fffffbfffULL },
	{ 2, 0xff, 0x01c6, 0x7fff17 }, { 7, 0xff, 0x01cd, 0xffff }, { 0 }
};

static const struct bpmu_extra glc[] = {
	{ 0, 0xf, 0x012a, 0x3fffffffffULL }, { 1, 0xf, 0x012b, 0x3fffffffffULL },
	{ 2, 0xff, 0x01c6, 0x7fff1f }, { 2, 0xff, 0x40ad, 0x7 }, { 2, 0xff, 0x04c2, 0x8 },
	{ 7, 0xfe, 0x01cd, 0xffff }, { 0 }
};

static const struct bpmu_extra rwc[] = {
	{ 0, 0xf, 0x012a, 0x3fffffffffULL }, { 1, 0xf, 0x012b, 0x3fffffffffULL },
	{ 2, 0xff, 0x02c6, 0x9 }, { 2, 0xff, 0x03c6, 0x7fff1f }, { 2, 0xff, 0x40ad, 0x7 },
	{ 2, 0xff, 0x04c2, 0x8 },
	{ 7, 0xfe, 0x01cd, 0xffff }, { 0 }
};

static const struct bpmu_extra lnc[] = {
	{ 0, 0xf, 0x012a, 0xfffffffffffULL }, { 1, 0xf, 0x012b, 0xfffffffffffULL },
	{ 2, 0xff, 0x02c6, 0x9 }, { 2, 0xff, 0x03c6, 0x7fff1f }, { 2, 0xff, 0x40ad, 0xf },
	{ 2, 0xff, 0x04c2, 0x8 }, { 7, 0x3fc, 0x01cd, 0xffff }, { 0 }
};

#define PNC_OMR 0x40ffffff0000ffffULL
#define PNC_LOADS 0x00ffffffffffffffULL
#define ARW_OMR 0xc0ffffffffffffffULL

static const struct bpmu_extra pnc[] = {
	{ 3, 0xff, 0x012a, PNC_OMR }, { 4, 0xff, 0x022a, PNC_OMR },
	{ 5, 0xff, 0x042a, PNC_OMR }, { 6, 0xff, 0x082a, PNC_OMR },
	{ 3, 0xf, 0x01d6, PNC_LOADS }, { 4, 0xf, 0x02d6, PNC_LOADS },
	{ 5, 0xf, 0x04d6, PNC_LOADS }, { 6, 0xf, 0x08d6, PNC_LOADS },
	{ 2, 0xff, 0x02c6, 0x9 }, { 2, 0xff, 0x03c6, 0x7fff1f }, { 2, 0xff, 0x40ad, 0xf },
	{ 2, 0xff, 0x04c2, 0x8 }, { 0 }
};

static const struct bpmu_extra arw[] = {
	{ 3, 1, 0x01b7, ARW_OMR }, { 4, 2, 0x02b7, ARW_OMR }, { 5, 4, 0x04b7, ARW_OMR },
	{ 6, 8, 0x08b7, ARW_OMR }, { 3, 1, 0x01d4, ARW_OMR }, { 4, 2, 0x02d4, ARW_OMR },
	{ 5, 4, 0x04d4, ARW_OMR }, { 6, 8, 0x08d4, ARW_OMR }, { 0 }
};

static const struct bpmu_extra slm[] = {
	{ 0, 0x3, 0x01b7, 0x768005ffffULL }, { 1, 0x3, 0x02b7, 0x368005ffffULL }, { 0 }
};

static const struct bpmu_extra glm[] = {
	{ 0, 0xf, 0x01b7, 0x760005ffbfULL }, { 1, 0xf, 0x02b7, 0x360005ffbfULL }, { 0 }
};

static const struct bpmu_extra knl[] = {
	{ 0, 0x3, 0x01b7, 0x799ffbb6e7ULL }, { 1, 0x3, 0x02b7, 0x399ffbffe7ULL }, { 0 }
};

static const struct bpmu_extra tnt[] = {
	{ 0, 0xff, 0x01b7, 0x800ff0ffffff9fffULL }, { 1, 0xff, 0x02b7, 0xff0ffffff9fffULL }, { 0 }
};

static const struct bpmu_extra grt[] = {
	{ 0, 0xff, 0x01b7, 0x3fffffffffULL }, { 1, 0xff, 0x02b7, 0x3fffffffffULL },
	{ 7, 0x3, 0x05d0, 0xffff }, { 0 }
};

static const struct bpmu_extra cmt[] = {
	{ 0, 0xff, 0x01b7, 0x800ff3ffffffffffULL }, { 1, 0xff, 0x02b7, 0xff3ffffffffffULL },
	{ 7, 0x3, 0x05d0, 0xffff }, { 0 }
};

static const struct {
	const struct bpmu_extra *extra;
	const char *parts;
} extras[] = {
	{ nhm, "nhm nhm-ex" }, { wsm, "wsm wsm-ep wsm-ex" },
	{ snb, "snb ivb" }, { snbep, "jkt ivt hsw hsx bdw bdx" }, { skl, "skl cnl skx" },
	{ icl, "icl icx tgl rkl lkf" }, { glc, "spr emr adl" }, { rwc, "gnr mtl" },
	{ lnc, "arl lnl ptl" }, { pnc, "nvl dmr" }, { arw, "nvl-e" }, { slm, "slm avn" },
	{ glm, "glm glp" }, { knl, "knl" }, { tnt, "tnt lkf-e" },
	{ grt, "adl-e" },
	{ cmt, "mtl-e arl-e arl-lp lnl-e ptl-e srf grr cwf" },
	{ NULL, "bnl knc topdown k10 bulldozer jaguar zen1 zen2 zen3 zen4 zen5 zen6 arch" },
};

static void check_extras(const struct bpmu_part *part, const struct bpmu_extra *expected)
{
	const struct bpmu_extra *extra = part->extras;

	if (!expected) {
		assert_null(extra);
		return;
	}
	for (; expected->code; expected++, extra++)
		if (extra->id != expected->id || extra->counters != expected->counters ||
		    extra->code != expected->code || extra->legal != expected->legal)
			fail_msg("%s: 0x%x", part->name, expected->code);
	assert_int_equal(extra->code, 0);
}

TEST(parts_have_the_extra_registers_of_linux)
{
	unsigned int i, nr = 0;

	for (i = 0; i < ARRAY_SIZE(extras); i++) {
		char text[128], *word, *rest = text;

		snprintf(text, sizeof(text), "%s", extras[i].parts);
		while ((word = strsep(&rest, " "))) {
			const struct bpmu_part *part = bpmu_part_by_name(word);

			assert_non_null(part);
			check_extras(part, extras[i].extra);
			nr++;
		}
	}
	assert_int_equal(nr, ARRAY_SIZE(numbers));
}

/* Device IDs of host bridges, whose configuration space has the address of the uncore registers. */
static const u16 snb_hosts[] = { 0x0100, 0 };
static const u16 ivb_hosts[] = { 0x0150, 0x0154, 0 };
static const u16 hsw_hosts[] = { 0x0a04, 0x0c00, 0 };
static const u16 bdw_hosts[] = { 0x1604, 0 };
static const u16 skl_hosts[] = {
	0x1900, 0x1904, 0x190c, 0x190f, 0x1910, 0x1918, 0x191f,
	0x3e0f, 0x3e10, 0x3e18, 0x3e1f, 0x3e30, 0x3e31, 0x3e32, 0x3e33, 0x3e34, 0x3e35, 0x3ec2,
	0x3ec4, 0x3ec6, 0x3eca, 0x3ecc, 0x3ed0,
	0x5904, 0x590c, 0x590d, 0x590f, 0x5910, 0x5914, 0x5918, 0x591f,
	0x9b33, 0x9b43, 0x9b44, 0x9b51, 0x9b53, 0x9b54, 0x9b61, 0x9b63, 0x9b64, 0x9b71, 0x9b73, 0
};

static const u16 icl_hosts[] = { 0x8a02, 0x8a12, 0 };

static const u16 rkl_hosts[] = { 0x4c43, 0x4c53, 0 };
static const u16 tgl_u_hosts[] = { 0x9a02, 0x9a04, 0x9a12, 0x9a14, 0 };
static const u16 tgl_h_hosts[] = { 0x9a36, 0 };
static const u16 adl_hosts[] = {
	0x4601, 0x4602, 0x4609, 0x460a, 0x4614, 0x4617, 0x4618, 0x461b, 0x461c, 0x4621, 0x4623,
	0x4629, 0x4637, 0x463b, 0x4641, 0x4648, 0x4649, 0x4650, 0x4660, 0x4668, 0x4670,
	0xa700, 0xa701, 0xa702, 0xa703, 0xa704, 0xa705, 0xa706, 0xa707, 0xa708, 0xa709, 0xa70a,
	0xa70b, 0xa715, 0xa716, 0xa717, 0xa718, 0xa719, 0xa71a, 0xa71b, 0xa71c, 0xa728, 0xa729,
	0xa72a, 0
};

static const u16 mtl_hosts[] = {
	0x7d00, 0x7d01, 0x7d02, 0x7d05, 0x7d10, 0x7d14, 0x7d15, 0x7d16, 0x7d21, 0x7d22, 0x7d23,
	0x7d24, 0x7d28, 0
};

static const struct {
	const char *part;
	unsigned int row;
	const u16 *hosts;
	u32 base, step, box;
} bars[] = {
	{ "snb", 0, snb_hosts, 0x5000, 0, 0 }, { "ivb", 0, ivb_hosts, 0x5000, 0, 0 },
	{ "hsw", 0, hsw_hosts, 0x5000, 0, 0 }, { "bdw", 0, bdw_hosts, 0x5000, 0, 0 },
	{ "skl", 0, skl_hosts, 0x5000, 0, 0 }, { "icl", 0, icl_hosts, 0x5000, 0, 0 },
	{ "rkl", 0, rkl_hosts, 0x5000, 0, 0 },
	{ "tgl", 0, tgl_u_hosts, 0x5000, 0x10000, 0 },
	{ "tgl", 1, tgl_h_hosts, 0xd800, 0x10000, 0 },
	{ "adl", 0, adl_hosts, 0xd800, 0x10000, 0xd900 },
	{ "adl-e", 0, adl_hosts, 0xd800, 0x10000, 0xd900 },
	{ "mtl", 0, mtl_hosts, 0xd800, 0x10000, 0xd900 },
	{ "mtl-e", 0, mtl_hosts, 0xd800, 0x10000, 0xd900 },
};

static bool has(const u16 *ids, u16 id)
{
	for (; *ids; ids++)
		if (*ids == id)
			return true;
	return false;
}

/* Each thread has its own threshold of the load latency: SDM Vol. 4, table 2-15, 3F6H. */
TEST(threads_share_the_registers_of_off_core_responses_before_sandy_bridge)
{
	struct bpmu_pmu pmu;

	assert_int_equal(bpmu_part_named(&pmu, "nhm", NULL), 0);
	assert_true(bpmu_extra_is_shared(pmu.part, BPMU_EXTRA_OFFCORE_0));
	assert_false(bpmu_extra_is_shared(pmu.part, BPMU_EXTRA_LATENCY));
	assert_int_equal(bpmu_part_named(&pmu, "ivb", NULL), 0);
	assert_false(bpmu_extra_is_shared(pmu.part, BPMU_EXTRA_OFFCORE_0));
}

TEST(host_bridges_are_those_of_linux)
{
	unsigned int i, rows[ARRAY_SIZE(numbers)] = { 0 };
	const struct bpmu_part *part;
	u32 id;

	for (i = 0; i < ARRAY_SIZE(bars); i++) {
		const struct bpmu_mchbar *bar =
			&bpmu_part_by_name(bars[i].part)->mchbar[bars[i].row];

		assert_int_equal(bar->base, bars[i].base);
		assert_int_equal(bar->step, bars[i].step);
		assert_int_equal(bar->box, bars[i].box);
		for (id = 1; id < 0x10000; id++)
			if (has(bar->hosts, id) != has(bars[i].hosts, id))
				fail_msg("%s: host bridge 0x%04x", bars[i].part, id);
		for (id = 0; (part = bpmu_part_at(id)); id++)
			rows[id] += !strcmp(part->name, bars[i].part);
	}
	for (i = 0; (part = bpmu_part_at(i)); i++)
		if (part->mchbar)
			assert_null(part->mchbar[rows[i]].hosts);
		else
			assert_int_equal(rows[i], 0);
}

/*
 * The register by which all counters of the uncore are started, and the register that has the
 * number of CBos. Source: Linux, uncore_snb.c and uncore_snbep.c.
 */
TEST(uncores_have_their_global_registers)
{
	static const struct {
		const char *parts;
		u32 ctrl;
		u64 start;
		u32 config;
		u8 slices;
	} all[] = {
		{ "nhm wsm wsm-ep", 0x391, 0x1000000ff, 0, BPMU_SLICES_CORES },
		{ "snb ivb hsw bdw", 0x391, 0x2000000f, 0x396, BPMU_SLICES_GRAPHICS },
		{ "skl", 0xe01, 0x2000001f, 0x396, BPMU_SLICES_EITHER },
		{ "icl", 0, 0, 0x396, BPMU_SLICES_CORES },
		{ "tgl rkl", 0xe01, 0x20000000, 0x396, BPMU_SLICES_CORES },
		{ "adl adl-e", 0x2ff0, 0x20000000, 0x396, BPMU_SLICES_CORES },
		{ "skx icx", 0, 0, 0x702, BPMU_SLICES_CORES },
		{ "mtl mtl-e jkt ivt hsx bdx spr emr gnr knl "
		  "bulldozer jaguar zen1 zen2 zen3 zen4 zen5 zen6", 0, 0, 0,
		  BPMU_SLICES_CORES },
		{ "nhm-ex wsm-ex bnl "
		  "arl arl-e arl-lp lnl lnl-e ptl ptl-e slm avn glm glp tnt srf grr cwf knc "
		  "cnl lkf lkf-e nvl nvl-e dmr k10 topdown arch" },
	};
	unsigned int i, nr = 0;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		char text[240], *word, *rest = text;

		snprintf(text, sizeof(text), "%s", all[i].parts);
		for (; (word = strsep(&rest, " ")); nr++) {
			const struct bpmu_uncore *uncore = bpmu_part_by_name(word)->uncore;

			assert_int_equal(!uncore, i == ARRAY_SIZE(all) - 1);
			if (!uncore)
				continue;
			if (uncore->global_ctrl != all[i].ctrl ||
			    uncore->global_start != all[i].start ||
			    uncore->cbo_config != all[i].config ||
			    uncore->slices != all[i].slices)
				fail_msg("%s", word);
		}
	}
	assert_int_equal(nr, ARRAY_SIZE(numbers));
}

TEST(discovery_tables_have_their_limits)
{
	const struct bpmu_part *part;
	unsigned int i;

	for (i = 0; (part = bpmu_part_at(i)); i++) {
		const struct bpmu_discovery *limits =
			part->uncore ? part->uncore->discovery : NULL;
		bool spr = !strcmp(part->name, "spr") || !strcmp(part->name, "emr");

		if (!spr && strcmp(part->name, "gnr")) {
			assert_null(limits);
			continue;
		}
		assert_int_equal(limits->first, 0x2000);
		assert_int_equal(limits->last, 0x3fff);
		assert_int_equal(limits->chas, spr ? 0x2ffe : 0);
	}
}

static void *rows_of_skx(void *ctx)
{
	size_t nr;
	const struct bpmu_event *rows = bpmu_events_own(ctx, &nr);

	return nr > 1 && rows[0].name && rows[nr - 1].name ? (void *)rows : NULL;
}

/*
 * The event table of a CPU model is stored packed. The first thread that asks for it unpacks it for
 * all threads. A text that an event does not have is NULL.
 */
TEST(rows_are_unpacked_once)
{
	const struct bpmu_part *skx = bpmu_part_by_name("skx");
	pthread_t threads[8];
	const struct bpmu_event *rows;
	void *seen;
	size_t nr, i;

	for (i = 0; i < ARRAY_SIZE(threads); i++)
		assert_int_equal(pthread_create(&threads[i], NULL, rows_of_skx, (void *)skx), 0);
	rows = bpmu_events_own(skx, &nr);
	for (i = 0; i < ARRAY_SIZE(threads); i++) {
		assert_int_equal(pthread_join(threads[i], &seen), 0);
		assert_ptr_equal(seen, rows);
	}
	assert_string_equal(rows[0].name, "ARITH.DIVIDER_ACTIVE");
	assert_null(rows[0].errata);
	for (i = 0; i < nr && strcmp(rows[i].name, "INST_RETIRED.ANY_P"); i++)
		;
	assert_true(i < nr);
	assert_string_equal(rows[i].errata, "SKL091,SKL044");
	assert_int_equal(rows[i].select, 0xc0);
	assert_int_equal(rows[i].counters, 0xf);
	assert_int_equal(rows[i].counters_noht, 0xff);
}

/*
 * The descriptor of each CPU model lists energy registers, or has the reason why barepmu counts
 * none. It also describes an uncore, or has the reason why barepmu does not count the uncore.
 */
TEST(parts_say_why_they_have_no_energy_or_uncore)
{
	const u64 energy = BPMU_FREE(PKG) | BPMU_FREE(CORES) | BPMU_FREE(CORE_ENERGY) |
			   BPMU_FREE(DRAM) | BPMU_FREE(GPU) | BPMU_FREE(PSYS) |
			   BPMU_FREE(AMD_PKG);
	const struct bpmu_part *part;
	unsigned int i;

	for (i = 0; (part = bpmu_part_at(i)); i++) {
		if (!!(part->free & energy) == !!part->no_energy ||
		    (!part->uncore && !!part->mchbar == !!part->no_uncore))
			fail_msg("%s: %s; %s", part->name, part->no_energy ?: "energy",
				 part->no_uncore ?: "uncore");
	}
	assert_int_not_equal(i, 0);
}

/*
 * A CPU model without a table of events has no events. It also has no further names for events, and
 * no list of events of which barepmu says why they are missing.
 */
TEST(unknown_parts_have_no_events)
{
	static const struct bpmu_part unknown = { .name = "none" };
	size_t nr[4] = { 7, 7, 7, 7 };
	unsigned int i;

	assert_null(bpmu_events_own(&unknown, &nr[0]));
	assert_null(bpmu_events(&unknown, &nr[1]));
	assert_null(bpmu_event_aliases(&unknown, &nr[2]));
	assert_null(bpmu_cache_events(&unknown, &nr[3]));
	for (i = 0; i < ARRAY_SIZE(nr); i++)
		assert_int_equal(nr[i], 0);
	assert_null(bpmu_events_part("none"));
	assert_ptr_equal(bpmu_part_described(&unknown), &unknown);
	assert_null(bpmu_part_described(NULL));
}
