/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What CPUID returns on real CPUs, and which CPU model and counters follow from it. The values are
 * from the dumps of 8,045 logical CPUs in the repository InstLatx64/InstLatx64, commit
 * 087af2c7d72c: of all Intel CPUs from family 6 on, of all AMD CPUs from family 15 on, and of
 * Hygon's CPUs. Logical CPUs with the same values share an element of the array of dumps.
 *
 * The CPU model was assigned by hand, by the CPU's name in the dump. The numbers of counters are
 * those that the CPUID leaves of the same element state, with two exceptions. First, some hybrid
 * CPUs have no leaf 0x23, which has a bitmap of the counters. Leaf 0xA of such a CPU states only
 * the counters that both core types have, but the performance cores have more. Second, on AMD's
 * CPUs before version 2 of performance monitoring no leaf states the numbers.
 *
 * If a dump was taken in a virtual machine, leaf 0xA has zeros. The counters of such a CPU cannot
 * be used. The counters of version 1 of performance monitoring cannot be used either.
 */
#ifndef DUMPS_H
#define DUMPS_H

/**
 * struct dump - CPUID of one CPU model and one core type, and what it means
 * @cpu: name of the CPU, for the messages of the test
 * @vendor: leaf 0
 * @signature: leaf 1 EAX, without stepping
 * @steppings: mask of steppings: bit N is set if stepping N has these values
 * @hybrid: leaf 7 EDX, bit 15: the CPU has two core types
 * @perfmon: leaf 0xA: EAX, EBX, ECX, EDX
 * @core: leaf 0x1A EAX, of hybrid CPUs; 0 on others
 * @bitmaps: leaf 0x23 subleaf 1: EAX, EBX; zeros if the CPU lacks the leaf
 * @selects: leaf 0x23 subleaf 0 EBX: bit 0 is set if event selects have the field UMASK2, bit 1 if
 *	they have the bit EQ
 * @extended: leaf 0x80000001 ECX, bit 23: AMD's core performance counter extensions
 * @v2: leaf 0x80000022, AMD's performance monitoring version 2: EAX, EBX, ECX
 * @part: name of the CPU model in arch/, NULL if it is not supported
 * @gp: number of general counters, 0 if they cannot be used
 * @width: width of general counters in bits
 * @fixed: number of fixed counters
 * @fixed_width: width of fixed counters in bits
 */
struct dump {
	const char *cpu;
	const char *vendor;
	u32 signature, steppings;
	bool hybrid;
	u32 perfmon[4];
	u32 core;
	u32 bitmaps[2];
	u32 selects;
	bool extended;
	u32 v2[3];
	const char *part;
	u8 gp, width, fixed, fixed_width;
};

#define NONE 0, 0, 0, 0

#define INTEL(cpu, signature, steppings, a, b, c, d, part, general, fixed, ...) \
	{ cpu, "GenuineIntel", signature, steppings, false, { a, b, c, d }, 0, \
	  { general, fixed }, 0, false, { 0 }, part, __VA_ARGS__ }
#define HYBRID(cpu, signature, steppings, a, b, c, d, part, core, general, fixed, ...) \
	{ cpu, "GenuineIntel", signature, steppings, true, { a, b, c, d }, core, \
	  { general, fixed }, 0, false, { 0 }, part, __VA_ARGS__ }
#define UMASK2(cpu, signature, steppings, a, b, c, d, part, core, general, fixed, ...) \
	{ cpu, "GenuineIntel", signature, steppings, true, { a, b, c, d }, core, \
	  { general, fixed }, 3, false, { 0 }, part, __VA_ARGS__ }
#define OTHER(cpu, vendor, signature, steppings, extended, a, b, c, part, ...) \
	{ cpu, vendor, signature, steppings, false, { 0 }, 0, { 0 }, 0, extended, { a, b, c }, \
	  part, __VA_ARGS__ }
#define AMD(cpu, ...) OTHER(cpu, "AuthenticAMD", __VA_ARGS__)
#define HYGON(cpu, ...) OTHER(cpu, "HygonGenuine", __VA_ARGS__)

static const struct dump dumps[] = {
	INTEL("Pentium Pro", 0x610, 0x280, 0, 0, 0, 0, "arch", 0, 0, NONE),
	INTEL("P2OD", 0x630, 0xc, 0, 0, 0, 0, "arch", 0, 0, NONE),
	INTEL("P2 Descuthes", 0x650, 0xa, 0, 0, 0, 0, "arch", 0, 0, NONE),
	INTEL("P2 Mendocino", 0x660, 0x421, 0, 0, 0, 0, "arch", 0, 0, NONE),
	INTEL("P3 Tanner", 0x670, 0x8, 0, 0, 0, 0, "arch", 0, 0, NONE),
	INTEL("P3 Coppermine", 0x680, 0x48, 0, 0, 0, 0, "arch", 0, 0, NONE),
	INTEL("PM Banias", 0x690, 0x20, 0, 0, 0, 0, "arch", 0, 0, NONE),
	INTEL("P3 Cascades", 0x6a0, 0x10, 0, 0, 0, 0, "arch", 0, 0, NONE),
	INTEL("P3 Tualatin", 0x6b0, 0x2, 0, 0, 0, 0, "arch", 0, 0, NONE),
	INTEL("PM Dothan", 0x6d0, 0x100, 0, 0, 0, 0, "arch", 0, 0, NONE),
	INTEL("PM Yonah", 0x6e0, 0x110, 0x7280201, 0, 0, 0, "arch", 0, 0, NONE),
	INTEL("Clovertown", 0x6f0, 0xd4, 0x7280202, 0, 0, 0, "arch", 0, 0, 2, 40, 0, 0),
	INTEL("Tigerton", 0x6f0, 0xa00, 0x7280202, 0, 0, 0x503, "arch", 0, 0, 2, 40, 3, 40),
	INTEL("Tolapai", 0x10650, 0x1, 0, 0, 0, 0, "arch", 0, 0, NONE),
	INTEL("ConroeL", 0x10660, 0x2, 0x7280202, 0, 0, 0, "arch", 0, 0, 2, 40, 0, 0),
	INTEL("Harpertown", 0x10670, 0x440, 0x7280202, 0, 0, 0x503, "arch", 0, 0, 2, 40, 3, 40),
	INTEL("Nehalem-EP", 0x106a0, 0x6, 0x7300403, 0, 0, 0x603, "nhm", 0, 0, 4, 48, 3, 48),
	INTEL("Bloomfield", 0x106a0, 0x10, 0x7300403, 0x40, 0, 0x603, "nhm", 0, 0, 4, 48, 3, 48),
	INTEL("DiamondvilleDC", 0x106c0, 0x4, 0x7280203, 0, 0, 0x2501, "bnl", 0, 0, 2, 40, 1, 40),
	INTEL("PineviewD", 0x106c0, 0x400, 0x7280203, 0, 0, 0x503, "bnl", 0, 0, 2, 40, 3, 40),
	INTEL("Dunnington", 0x106d0, 0x3, 0x7280202, 0, 0, 0x503, "arch", 0, 0, 2, 40, 3, 40),
	INTEL("Lynnfield", 0x106e0, 0x21, 0x7300403, 0x44, 0, 0x603, "nhm", 0, 0, 4, 48, 3, 48),
	INTEL("Auburndale", 0x106f0, 0x2, 0x7300403, 0x40, 0, 0x603, "nhm", 0, 0, 4, 48, 3, 48),
	INTEL("Clarkdale", 0x20650, 0x4, 0x7300403, 4, 0, 0x603, "wsm", 0, 0, 4, 48, 3, 48),
	INTEL("TunnelCreek", 0x20660, 0x2, 0x7280203, 0, 0, 0x503, "bnl", 0, 0, 2, 40, 3, 40),
	INTEL("Medfield", 0x20670, 0x4, 0x7280203, 0, 0, 0x503, "bnl", 0, 0, 2, 40, 3, 40),
	INTEL("SandyBridge", 0x206a0, 0x84, 0x7300403, 0, 0, 0x603, "snb", 0, 0, 4, 48, 3, 48),
	INTEL("SandyBridge", 0x206a0, 0x80, 0x7300803, 0, 0, 0x603, "snb", 0, 0, 8, 48, 3, 48),
	INTEL("Gulftown", 0x206c0, 0x6, 0x7300403, 4, 0, 0x603, "wsm-ep", 0, 0, 4, 48, 3, 48),
	INTEL("SandyBridgeEP", 0x206d0, 0xe0, 0x7300403, 0, 0, 0x603, "jkt", 0, 0, 4, 48, 3, 48),
	INTEL("Beckton", 0x206e0, 0x30, 0x7300403, 0x44, 0, 0x603, "nhm-ex", 0, 0, 4, 48, 3, 48),
	INTEL("Beckton", 0x206e0, 0x40, 0, 0, 0, 0, "nhm-ex", 0, 0, NONE),
	INTEL("Eagleton", 0x206f0, 0x4, 0x7300403, 4, 0, 0x603, "wsm-ex", 0, 0, 4, 48, 3, 48),
	INTEL("Cedarview", 0x30660, 0x202, 0x7280203, 0, 0, 0x503, "bnl", 0, 0, 2, 40, 3, 40),
	INTEL("Silvermont", 0x30670, 0x308, 0x7280203, 0, 0, 0x4503, "slm", 0, 0, 2, 40, 3, 40),
	INTEL("IvyBridge", 0x306a0, 0x200, 0x7300403, 0, 0, 0x603, "ivb", 0, 0, 4, 48, 3, 48),
	INTEL("IvyBridge", 0x306a0, 0x200, 0x7300803, 0, 0, 0x603, "ivb", 0, 0, 8, 48, 3, 48),
	INTEL("Haswell", 0x306c0, 0x8, 0x7300403, 0, 0, 0x603, "hsw", 0, 0, 4, 48, 3, 48),
	INTEL("Broadwell", 0x306d0, 0x10, 0x7300403, 0, 0, 0x603, "bdw", 0, 0, 4, 48, 3, 48),
	INTEL("IvyBridgeE", 0x306e0, 0x18, 0x7300403, 0, 0, 0x603, "ivt", 0, 0, 4, 48, 3, 48),
	INTEL("HaswellEP", 0x306f0, 0x4, 0x7300403, 0, 0, 0x603, "hsx", 0, 0, 4, 48, 3, 48),
	INTEL("HaswellULT", 0x40650, 0x2, 0x7300403, 0, 0, 0x603, "hsw", 0, 0, 4, 48, 3, 48),
	INTEL("CrystalWell", 0x40660, 0x2, 0x7300403, 0, 0, 0x603, "hsw", 0, 0, 4, 48, 3, 48),
	INTEL("BroadwellH", 0x40670, 0x2, 0x7300403, 0, 0, 0x603, "bdw", 0, 0, 4, 48, 3, 48),
	INTEL("Braswell", 0x406c0, 0x8, 0x7280203, 0, 0, 0x503, "slm", 0, 0, 2, 40, 3, 40),
	INTEL("Avoton", 0x406d0, 0x100, 0x7280203, 0, 0, 0x4503, "avn", 0, 0, 2, 40, 3, 40),
	INTEL("Skylake", 0x406e0, 0x8, 0x7300404, 0, 0, 0x603, "skl", 0, 0, 4, 48, 3, 48),
	INTEL("BroadwellE", 0x406f0, 0x2, 0x7300403, 0, 0, 0x603, "bdx", 0, 0, 4, 48, 3, 48),
	INTEL("SkylakeXeon", 0x50650, 0xd0, 0x7300404, 0, 0, 0x603, "skx", 0, 0, 4, 48, 3, 48),
	INTEL("SkylakeXeon", 0x50650, 0x10, 0x7300804, 0, 0, 0x603, "skx", 0, 0, 8, 48, 3, 48),
	INTEL("BroadwellDE", 0x50660, 0x14, 0x7300403, 0, 0, 0x603, "bdx", 0, 0, 4, 48, 3, 48),
	INTEL("KnightsLanding", 0x50670, 0x3, 0x7280203, 0, 0, 0x503, "knl", 0, 0, 2, 40, 3, 40),
	INTEL("Moorefield", 0x506a0, 0x1, 0x7280203, 0, 0, 0x4503, "slm", 0, 0, 2, 40, 3, 40),
	INTEL("Goldmont", 0x506c0, 0x600, 0x7300404, 0, 0, 0x603, "glm", 0, 0, 4, 48, 3, 48),
	INTEL("SoFIA", 0x506d0, 0x2, 0x7280203, 0, 0, 0x4503, "arch", 0, 0, 2, 40, 3, 40),
	INTEL("Skylake", 0x506e0, 0x9, 0x7300404, 0, 0, 0x603, "skl", 0, 0, 4, 48, 3, 48),
	INTEL("Skylake", 0x506e0, 0x8, 0x7300804, 0, 0, 0x603, "skl", 0, 0, 8, 48, 3, 48),
	INTEL("Denverton", 0x506f0, 0x2, 0x7300404, 0, 0, 0x603, "glm", 0, 0, 4, 48, 3, 48),
	INTEL("CannonLake", 0x60660, 0x8, 0x7300404, 0, 0, 0x603, "cnl", 0, 0, 4, 48, 3, 48),
	INTEL("ICX", 0x606a0, 0x40, 0x8300805, 0, 0xf, 0x8604, "icx", 0, 0, 8, 48, 4, 48),
	INTEL("ICX", 0x606c0, 0x2, 0x8300805, 0, 0xf, 0x8604, "icx", 0, 0, 8, 48, 4, 48),
	INTEL("Spreadtrum", 0x70650, 0x400, 0x7280203, 0, 0, 0x503, "slm", 0, 0, 2, 40, 3, 40),
	INTEL("GoldmontPlus", 0x706a0, 0x102, 0x7300404, 0, 0, 0x8603, "glp", 0, 0, 4, 48, 3, 48),
	INTEL("IceLakeY", 0x706e0, 0x20, 0x8300805, 0, 0xf, 0x8604, "icl", 0, 0, 8, 48, 4, 48),
	HYBRID("Lakefield", 0x806a0, 0x2, 0x7300405, 4, 7, 0x8603, "lkf-e",
	       0x20000000, 0, 0, 4, 48, 3, 48),
	HYBRID("Lakefield", 0x806a0, 0x2, 0x7300405, 4, 7, 0x8603, "lkf",
	       0x40000000, 0, 0, 4, 48, 3, 48),
	INTEL("TigerLake", 0x806c0, 0x2, 0x8300805, 0, 0xf, 0x8604, "tgl", 0, 0, 8, 48, 4, 48),
	INTEL("TigerLakeH", 0x806d0, 0x2, 0x8300805, 0, 0xf, 0x8604, "tgl", 0, 0, 8, 48, 4, 48),
	INTEL("Kabylake", 0x806e0, 0x1e00, 0x7300404, 0, 0, 0x603, "skl", 0, 0, 4, 48, 3, 48),
	INTEL("SapphireRapids", 0x806f0, 0x100, 0x8300805, 0, 0xf, 0x8604,
	      "spr", 0, 0, 8, 48, 4, 48),
	INTEL("ElkhartLake", 0x90660, 0x2, 0x7300405, 0, 7, 0x8603, "tnt", 0, 0, 4, 48, 3, 48),
	INTEL("AlderLake", 0x90670, 0x24, 0x8300805, 0, 0xf, 0x8604, "adl", 0, 0, 8, 48, 4, 48),
	HYBRID("AlderLake", 0x90670, 0x4, 0x7300605, 0, 7, 0x8603, "adl-e",
	       0x20000001, 0, 0, 6, 48, 3, 48),
	HYBRID("AlderLake", 0x90670, 0x4, 0x8300805, 0, 0xf, 0x8604, "adl",
	       0x40000001, 0, 0, 8, 48, 4, 48),
	HYBRID("AlderLake", 0x90670, 0x4, 0x7300605, 0, 7, 0x8603, "adl",
	       0x40000001, 0, 0, 8, 48, 4, 48),
	HYBRID("AlderLakeP", 0x906a0, 0x1c, 0x7300605, 0, 7, 0x8603, "adl-e",
	       0x20000001, 0, 0, 6, 48, 3, 48),
	HYBRID("AlderLakeP", 0x906a0, 0x1c, 0x7300605, 0, 7, 0x8603, "adl",
	       0x40000001, 0, 0, 8, 48, 4, 48),
	INTEL("JasperLake", 0x906c0, 0x1, 0x7300405, 0, 7, 0x8603, "tnt", 0, 0, 4, 48, 3, 48),
	INTEL("Coffeelake", 0x906e0, 0x3600, 0x7300404, 0, 0, 0x603, "skl", 0, 0, 4, 48, 3, 48),
	INTEL("Coffeelake", 0x906e0, 0x1e00, 0x7300804, 0, 0, 0x603, "skl", 0, 0, 8, 48, 3, 48),
	INTEL("CometLake", 0xa0650, 0x24, 0x7300404, 0, 0, 0x603, "skl", 0, 0, 4, 48, 3, 48),
	INTEL("CometLake", 0xa0650, 0x30, 0x7300404, 0, 0, 0x603, "skl", 0, 0, 4, 48, 3, 48),
	INTEL("CometLake", 0xa0660, 0x1, 0x7300404, 0, 0, 0x603, "skl", 0, 0, 4, 48, 3, 48),
	INTEL("RocketLake", 0xa0670, 0x2, 0x8300805, 0, 0xf, 0x8604, "rkl", 0, 0, 8, 48, 4, 48),
	INTEL("RocketLake", 0xa0670, 0x2, 0x8300805, 0, 0, 0x604, "rkl", 0, 0, 8, 48, 4, 48),
	HYBRID("MeteorLake", 0xa06a0, 0x10, 0x7300805, 0, 7, 0x8603, "mtl-e",
	       0x20000002, 0xff, 7, 8, 48, 3, 48),
	HYBRID("MeteorLake", 0xa06a0, 0x10, 0x7300805, 0, 7, 0x8603, "mtl",
	       0x40000002, 0xff, 0xf, 8, 48, 4, 48),
	INTEL("GraniteRapids", 0xa06d0, 0x2, 0x8300805, 0, 0xf, 0x8604, "gnr",
	      0xff, 0xf, 8, 48, 4, 48),
	HYBRID("ArrowLakeU", 0xb0650, 0x1, 0x7300805, 0, 7, 0x8603, "mtl-e",
	       0x20000002, 0xff, 7, 8, 48, 3, 48),
	HYBRID("ArrowLakeU", 0xb0650, 0x1, 0x7300805, 0, 7, 0x8603, "mtl",
	       0x40000002, 0xff, 0xf, 8, 48, 4, 48),
	INTEL("RaptorLake", 0xb0670, 0x2, 0x8300805, 0, 0xf, 0x8604, "adl", 0, 0, 8, 48, 4, 48),
	HYBRID("RaptorLake", 0xb0670, 0x12, 0x7300605, 0, 7, 0x8603, "adl-e",
	       0x20000001, 0, 0, 6, 48, 3, 48),
	HYBRID("RaptorLake", 0xb0670, 0x12, 0x7300605, 0, 7, 0x8603, "adl",
	       0x40000001, 0, 0, 8, 48, 4, 48),
	HYBRID("RaptorLakeP", 0xb06a0, 0x4, 0x7300605, 0, 7, 0x8603, "adl-e",
	       0x20000001, 0, 0, 6, 48, 3, 48),
	HYBRID("RaptorLakeP", 0xb06a0, 0xc, 0x8300805, 0, 0xf, 0x8604, "adl",
	       0x40000001, 0, 0, 8, 48, 4, 48),
	HYBRID("RaptorLakeP", 0xb06a0, 0x4, 0x7300605, 0, 7, 0x8603, "adl",
	       0x40000001, 0, 0, 8, 48, 4, 48),
	UMASK2("LunarLake", 0xb06d0, 0x2, 0xd300806, 0x280, 7, 0x8603, "lnl-e",
	       0x20000003, 0xff, 0x77, 8, 48, 3, 48),
	UMASK2("LunarLake", 0xb06d0, 0x2, 0xd300806, 0x280, 7, 0x8603, "lnl",
	       0x40000003, 0x3ff, 0xf, 10, 48, 4, 48),
	INTEL("AlderLakeN", 0xb06e0, 0x1, 0x7300605, 0, 7, 0x8603, "adl-e", 0, 0, 6, 48, 3, 48),
	HYBRID("RaptorLakeS", 0xb06f0, 0x4, 0x7300605, 0, 7, 0x8603, "adl-e",
	       0x20000001, 0, 0, 6, 48, 3, 48),
	HYBRID("RaptorLakeS", 0xb06f0, 0x4, 0x7300605, 0, 7, 0x8603, "adl",
	       0x40000001, 0, 0, 8, 48, 4, 48),
	HYBRID("ArrowLakeH", 0xc0650, 0x4, 0x7300805, 0, 7, 0x8603, "arl-lp",
	       0x20000002, 0xff, 7, 8, 48, 3, 48),
	UMASK2("ArrowLakeH", 0xc0650, 0x4, 0x7300805, 0, 7, 0x8603, "arl-e",
	       0x20000003, 0xff, 0x77, 8, 48, 3, 48),
	UMASK2("ArrowLakeH", 0xc0650, 0x4, 0x7300805, 0, 7, 0x8603, "arl",
	       0x40000003, 0x3ff, 0xf, 8, 48, 4, 48),
	UMASK2("ArrowLake", 0xc0660, 0x4, 0xd300806, 0x280, 7, 0x8603, "arl-e",
	       0x20000003, 0xff, 0x77, 8, 48, 3, 48),
	UMASK2("ArrowLake", 0xc0660, 0x4, 0xd300806, 0x280, 7, 0x8603, "arl",
	       0x40000003, 0x3ff, 0xf, 10, 48, 4, 48),
	UMASK2("PantherLakeL", 0xc06c0, 0x8, 0xd300806, 0x280, 7, 0x8603, "ptl-e",
	       0x20000004, 0xff, 0x77, 8, 48, 3, 48),
	UMASK2("PantherLakeL", 0xc06c0, 0x8, 0xd300806, 0x280, 7, 0x8603, "ptl",
	       0x40000004, 0x3ff, 0xf, 10, 48, 4, 48),
	INTEL("EmeraldRapids", 0xc06f0, 0x4, 0x8300805, 0, 0xf, 0x8604, "emr", 0, 0, 8, 48, 4, 48),
	UMASK2("WildcatLake", 0xd0650, 0x2, 0xd300806, 0x280, 7, 0x8603, "ptl-e",
	       0x20000004, 0xff, 0x77, 8, 48, 3, 48),
	UMASK2("WildcatLake", 0xd0650, 0x2, 0xd300806, 0x280, 7, 0x8603, "ptl",
	       0x40000004, 0x3ff, 0xf, 10, 48, 4, 48),
	INTEL("BartlettLake", 0xd0670, 0x1, 0x8300805, 0, 0xf, 0x8604, "adl", 0, 0, 8, 48, 4, 48),
	INTEL("P4 Willamette", 0xf00, 0x400, 0, 0, 0, 0, "arch", 0, 0, NONE),
	INTEL("P4 Willamette", 0xf10, 0x8, 0, 0, 0, 0, "arch", 0, 0, NONE),
	INTEL("P4 GallatinDP", 0xf20, 0x2b0, 0, 0, 0, 0, "arch", 0, 0, NONE),
	INTEL("P4 Irwindale", 0xf40, 0x51a, 0, 0, 0, 0, "arch", 0, 0, NONE),
	INTEL("P4 Tulsa", 0xf60, 0x174, 0, 0, 0, 0, "arch", 0, 0, NONE),
	AMD("Clawhammer", 0xf40, 0x400, 0, 0, 0, 0, NULL, NONE),
	AMD("Sledgehammer", 0xf50, 0x402, 0, 0, 0, 0, NULL, NONE),
	AMD("Winchester", 0x10fc0, 0x1, 0, 0, 0, 0, NULL, NONE),
	AMD("Manchester", 0x20fb0, 0x2, 0, 0, 0, 0, NULL, NONE),
	AMD("Palermo", 0x20fc0, 0x4, 0, 0, 0, 0, NULL, NONE),
	AMD("Venice", 0x20ff0, 0x1, 0, 0, 0, 0, NULL, NONE),
	AMD("SantaRosa", 0x40f10, 0x4, 0, 0, 0, 0, NULL, NONE),
	AMD("Windsor", 0x40f30, 0x8, 0, 0, 0, 0, NULL, NONE),
	AMD("Orleans", 0x50ff0, 0x8, 0, 0, 0, 0, NULL, NONE),
	AMD("Brisbane", 0x60fb0, 0x2, 0, 0, 0, 0, NULL, NONE),
	AMD("Lima", 0x70ff0, 0x2, 0, 0, 0, 0, NULL, NONE),
	AMD("Barcelona", 0x100f20, 0x40e, 0, 0, 0, 0, "k10", 4, 48, 0, 0),
	AMD("Shanghai", 0x100f40, 0xc, 0, 0, 0, 0, "k10", 4, 48, 0, 0),
	AMD("Propus", 0x100f50, 0x4, 0, 0, 0, 0, "k10", 4, 48, 0, 0),
	AMD("Regor", 0x100f60, 0xc, 0, 0, 0, 0, "k10", 4, 48, 0, 0),
	AMD("Istanbul", 0x100f80, 0x3, 0, 0, 0, 0, "k10", 4, 48, 0, 0),
	AMD("MagnyCours", 0x100f90, 0x2, 0, 0, 0, 0, "k10", 4, 48, 0, 0),
	AMD("Thuban", 0x100fa0, 0x1, 0, 0, 0, 0, "k10", 4, 48, 0, 0),
	AMD("Griffin", 0x200f30, 0x1, 0, 0, 0, 0, NULL, NONE),
	AMD("Llano", 0x300f10, 0x1, 0, 0, 0, 0, NULL, NONE),
	AMD("Bobcat", 0x500f00, 0x2, 0, 0, 0, 0, NULL, NONE),
	AMD("Bobcat", 0x500f10, 0x1, 0, 0, 0, 0, NULL, NONE),
	AMD("Bulldozer", 0x600f00, 0x2, 1, 0, 0, 0, "bulldozer", 6, 48, 0, 0),
	AMD("X1 x64", 0x600f00, 0x2, 0, 0, 0, 0, "bulldozer", NONE),
	AMD("Interlagos", 0x600f10, 0x4, 1, 0, 0, 0, "bulldozer", 6, 48, 0, 0),
	AMD("AbuDhabi", 0x600f20, 0x1, 1, 0, 0, 0, "bulldozer", 6, 48, 0, 0),
	AMD("Piledriver", 0x610f00, 0x2, 1, 0, 0, 0, "bulldozer", 6, 48, 0, 0),
	AMD("Richland", 0x610f30, 0x2, 1, 0, 0, 0, "bulldozer", 6, 48, 0, 0),
	AMD("Berlin", 0x630f00, 0x2, 1, 0, 0, 0, "bulldozer", 6, 48, 0, 0),
	AMD("Godavari", 0x630f80, 0x2, 1, 0, 0, 0, "bulldozer", 6, 48, 0, 0),
	AMD("Carrizo", 0x660f00, 0x2, 1, 0, 0, 0, "bulldozer", 6, 48, 0, 0),
	AMD("BristolRidge", 0x660f50, 0x2, 1, 0, 0, 0, "bulldozer", 6, 48, 0, 0),
	AMD("StoneyRidge", 0x670f00, 0x1, 1, 0, 0, 0, "bulldozer", 6, 48, 0, 0),
	AMD("Kabini", 0x700f00, 0x2, 0, 0, 0, 0, "jaguar", 4, 48, 0, 0),
	AMD("Kabini", 0x700f00, 0x2, 0, 0, 0, 0, "jaguar", 4, 48, 0, 0),
	AMD("Cato", 0x720f60, 0x2, 0, 0, 0, 0, "jaguar", 4, 48, 0, 0),
	AMD("Beema", 0x730f00, 0x2, 0, 0, 0, 0, "jaguar", 4, 48, 0, 0),
	AMD("Zen", 0x800f00, 0x1, 1, 0, 0, 0, "zen1", 6, 48, 0, 0),
	AMD("Zen", 0x800f10, 0x6, 1, 0, 0, 0, "zen1", 6, 48, 0, 0),
	AMD("Zen", 0x800f10, 0x4, 0, 0, 0, 0, "zen1", NONE),
	AMD("Zen+", 0x800f80, 0x4, 1, 0, 0, 0, "zen1", 6, 48, 0, 0),
	AMD("Zen", 0x810f10, 0x1, 1, 0, 0, 0, "zen1", 6, 48, 0, 0),
	AMD("Picasso", 0x810f80, 0x2, 1, 0, 0, 0, "zen1", 6, 48, 0, 0),
	AMD("Dali", 0x820f00, 0x2, 1, 0, 0, 0, "zen1", 6, 48, 0, 0),
	AMD("Rome", 0x830f10, 0x1, 1, 0, 0, 0, "zen2", 6, 48, 0, 0),
	AMD("AMD 4800S", 0x840f70, 0x1, 1, 0, 0, 0, "zen2", 6, 48, 0, 0),
	AMD("Zen", 0x850f00, 0x1, 1, 0, 0, 0, "zen1", 6, 48, 0, 0),
	AMD("Zen", 0x850f00, 0x1, 0, 0, 0, 0, "zen1", NONE),
	AMD("Renoir", 0x860f00, 0x2, 1, 0, 0, 0, "zen2", 6, 48, 0, 0),
	AMD("Lucienne", 0x860f80, 0x2, 1, 0, 0, 0, "zen2", 6, 48, 0, 0),
	AMD("Matisse", 0x870f10, 0x1, 1, 0, 0, 0, "zen2", 6, 48, 0, 0),
	AMD("Xbox", 0x880f40, 0x1, 1, 0, 0, 0, "zen2", 6, 48, 0, 0),
	AMD("VanGogh", 0x890f00, 0x4, 1, 0, 0, 0, "zen2", 6, 48, 0, 0),
	AMD("VanGogh", 0x890f10, 0x1, 1, 0, 0, 0, "zen2", 6, 48, 0, 0),
	AMD("Mendocino", 0x8a0f00, 0x1, 1, 0, 0, 0, "zen2", 6, 48, 0, 0),
	AMD("Milan", 0xa00f10, 0x2, 1, 0, 0, 0, "zen3", 6, 48, 0, 0),
	AMD("Genoa", 0xa10f10, 0x2, 1, 7, 0x304106, 0xfff, "zen4", 6, 48, 0, 0),
	AMD("Genoa", 0xa10f10, 0x2, 1, 7, 0x44106, 8, "zen4", 6, 48, 0, 0),
	AMD("StormPeak", 0xa10f80, 0x2, 1, 3, 0x204106, 0x6db, "zen4", 6, 48, 0, 0),
	AMD("StormPeak", 0xa10f80, 0x2, 1, 3, 0x104106, 0x249, "zen4", 6, 48, 0, 0),
	AMD("Vermeer", 0xa20f10, 0x5, 1, 0, 0, 0, "zen3", 6, 48, 0, 0),
	AMD("Rembrandt", 0xa40f40, 0x2, 1, 0, 0, 0, "zen3", 6, 48, 0, 0),
	AMD("Cezanne", 0xa50f00, 0x1, 1, 0, 0, 0, "zen3", 6, 48, 0, 0),
	AMD("Raphael", 0xa60f10, 0x4, 1, 3, 0x84106, 3, "zen4", 6, 48, 0, 0),
	AMD("Raphael", 0xa60f10, 0x4, 1, 7, 0x84106, 3, "zen4", 6, 48, 0, 0),
	AMD("Phoenix", 0xa70f40, 0x2, 1, 7, 0x81106, 3, "zen4", 6, 48, 0, 0),
	AMD("Phoenix", 0xa70f50, 0x4, 1, 3, 0x81106, 3, "zen4", 6, 48, 0, 0),
	AMD("Phoenix2", 0xa70f80, 0x1, 1, 7, 0x101106, 0xf, "zen4", 6, 48, 0, 0),
	AMD("HawkPoint2", 0xa70fc0, 0x1, 1, 7, 0x101106, 0xf, "zen4", 6, 48, 0, 0),
	AMD("Bergamo", 0xaa0f00, 0x4, 1, 3, 0x204106, 0xfff, "zen4", 6, 48, 0, 0),
	AMD("Turin", 0xb00f20, 0x2, 1, 7, 0x304106, 0xfff, "zen5", 6, 48, 0, 0),
	AMD("ShimadaPeak", 0xb00f80, 0x2, 1, 7, 0x204106, 0xb6d, "zen5", 6, 48, 0, 0),
	AMD("TurinD", 0xb10f10, 0x1, 1, 7, 0x304106, 0xfff, "zen5", 6, 48, 0, 0),
	AMD("StrixPoint", 0xb20f40, 0x1, 1, 7, 0x102106, 0xf, "zen5", 6, 48, 0, 0),
	AMD("GraniteRidge", 0xb40f40, 0x1, 1, 7, 0x84106, 3, "zen5", 6, 48, 0, 0),
	AMD("KrackanPoint", 0xb60f00, 0x1, 1, 7, 0x104106, 0xf, "zen5", 6, 48, 0, 0),
	AMD("GorgonPoint", 0xb60f80, 0x1, 1, 7, 0x104106, 0xf, "zen5", 6, 48, 0, 0),
	AMD("StrixHalo", 0xb70f00, 0x1, 1, 7, 0x402106, 0xffff, "zen5", 6, 48, 0, 0),
	HYGON("Hygon", 0x900f00, 0x4, 1, 0, 0, 0, "zen1", 6, 48, 0, 0),
	HYGON("Hygon", 0x900f10, 0x2, 1, 0, 0, 0, "zen1", 6, 48, 0, 0),
	HYGON("Hygon", 0x900f20, 0x4, 1, 0, 0, 0, "zen1", 6, 48, 0, 0),
	HYGON("Hygon", 0x910f00, 0x1, 1, 0, 0, 0, "zen1", 6, 48, 0, 0),
};

#endif /* DUMPS_H */
