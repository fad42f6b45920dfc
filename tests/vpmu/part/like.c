// SPDX-License-Identifier: GPL-2.0
/*
 * CPU models whose cores are simulated with the sizes and latencies of another CPU model. Only the
 * differences are here: registers, counters and CPUID, so that the module and the tool can be
 * tested with each CPU model that they support. Counts are exact for events that have the same code
 * on both models; other events may count something else.
 *
 * Source of the numbers of counters: Linux, arch/x86/events/intel/core.c; of native model
 * IDs: mapfile.csv of Intel's event files.
 */
#include <string.h>

#include "box/cbo.h"
#include "box/client.h"
#include "box/iio.h"
#include "box/imc.h"
#include "box/mchbar.h"
#include "box/server.h"
#include "box/uncore.h"
#include "parts.h"

/**
 * struct like - a CPU model, described by its differences from another one
 * @name: value of the option part=, as "snb"
 * @part: the other CPU model
 * @uncore: uncore of a client, or NULL
 * @cbo: CBos or CHAs of a server, or NULL
 * @server: power control unit and UBox of a server, or NULL
 * @imc: memory channels, home agents and links of a server, or NULL
 * @mchbar: registers of a client's memory controllers, or NULL
 * @version: version of the architectural PMU, 0 for that of @part
 * @metrics: number of fields of PERF_METRICS, if @part has that register
 * @nr_gp: number of general-purpose counters, 0 for that of @part
 * @nr_fixed: number of fixed counters, 0 for that of @part
 * @width: width of all counters in bits, 0 for the widths that @part has
 * @slots: slots per cycle of the core, 0 for the number that @part has
 * @offcore: legal bits of MSR_OFFCORE_RSP_0 and _1, 0 for the bits of @part; source: Linux, core.c,
 *	intel_westmere_extra_regs, intel_snbep_extra_regs
 * @omr: legal bits of MSR_OMR_0 to _3, which replace MSR_OFFCORE_RSP_0 and _1; 0 for the bits of
 *	@part
 * @bitmaps: CPUID leaf 0x23 has bitmaps of the counters; source: dumps of CPUID in the repository
 *	InstLatx64/InstLatx64
 * @arch_pebs: the CPU model has architectural PEBS; source: cover letter of Linux' "arch-PEBS
 *	enabling for Intel platforms", which names Panther Lake and Clearwater Forest. Later models
 *	are assumed to have it, too
 * @pebs: format of the CPU model's PEBS records, 0 for that of @part; source: Linux, ds.c
 * @timing: PEBS records have the retire latency; source: Intel's metrics, which ask for it
 * @source: see &vpmu_part.source; 0 for that of @part
 * @whole: the model needs no auxiliary event, see &vpmu_part.aux; source: Linux, where
 *	PMU_FL_MEM_LOADS_AUX is set
 * @lbr_format: LBR_FMT of IA32_PERF_CAPABILITIES, 0 for that of @part
 * @ibs: what instruction-based sampling can do beyond that of @part, VPMU_IBS_* bits
 * @core_type: core type in CPUID leaf 0x1A, 0 if the model is not hybrid
 * @native: native model ID in CPUID leaf 0x1A
 * @other: name of the CPU model of the next core type, or NULL
 */
struct like {
	const char *name;
	const struct vpmu_part *part;
	const struct vpmu_uncore_part *uncore;
	const struct vpmu_cbo_part *cbo;
	const struct vpmu_server_part *server;
	const struct vpmu_imc_part *imc;
	const struct vpmu_mchbar_part *mchbar;
	const struct vpmu_iio_part *iio;
	unsigned int version;
	unsigned int metrics;
	unsigned int nr_gp;
	unsigned int nr_fixed;
	unsigned int width;
	unsigned int slots;
	uint64_t offcore;
	uint64_t omr;
	bool bitmaps;
	bool arch_pebs;
	unsigned int pebs;
	bool timing;
	enum vpmu_source source;
	bool whole;
	unsigned int lbr_format;
	uint32_t ibs;
	unsigned int core_type;
	unsigned int native;
	const char *other;
};

/*
 * groups that a PEBS record can have, as in IA32_PMC_GPn_CFG_C: registers, auxiliary data, and the
 * values of counters: bit 35 allows a counter's value in records, bits 36, 37 and 38 ask for the
 * values of general-purpose counters, of fixed counters, and of PERF_METRICS
 */
#define PEBS_GROUPS (VPMU_BIT(61) | VPMU_BIT(62) | PEBS_COUNTERS | VPMU_BIT(38))
#define PEBS_COUNTERS (VPMU_BIT(35) | VPMU_BIT(36) | VPMU_BIT(37))

#define NHM_OFFCORE 0xffff
/* Bonnell, which is derived from Nehalem's model, has format 0, which is not simulated. */
#define NHM_PEBS .pebs = 1, .source = VPMU_SOURCE_NHM
#define SERVER_OFFCORE 0x3fffff8fff
#define LNC_OFFCORE 0xfffffffffff

#define BIG 0x40
#define SMALL 0x20

static const struct like parts[] = {
	{ .name = "nhm", .part = &vpmu_nhm, NHM_PEBS,
	  .uncore = &vpmu_nhm_uncore },
	{ .name = "nhm-ex", .part = &vpmu_nhm, NHM_PEBS },
	{ .name = "wsm", .part = &vpmu_nhm, NHM_PEBS, .offcore = NHM_OFFCORE,
	  .uncore = &vpmu_nhm_uncore },
	{ .name = "wsm-ep", .part = &vpmu_nhm, NHM_PEBS, .offcore = NHM_OFFCORE,
	  .uncore = &vpmu_nhm_uncore },
	{ .name = "wsm-ex", .part = &vpmu_nhm, NHM_PEBS, .offcore = NHM_OFFCORE },
	{ .name = "snb", .part = &vpmu_ivb,
	  .uncore = &vpmu_snb_uncore, .mchbar = &vpmu_snb_mchbar },
	{ .name = "jkt", .part = &vpmu_ivb,
	  .cbo = &vpmu_jkt_cbo, .server = &vpmu_jkt_server,
	  .imc = &vpmu_jkt_imc, .offcore = SERVER_OFFCORE },
	{ .name = "ivt", .part = &vpmu_ivb,
	  .cbo = &vpmu_ivt_cbo, .server = &vpmu_ivt_server,
	  .imc = &vpmu_ivt_imc, .offcore = SERVER_OFFCORE },
	{ .name = "hsw", .part = &vpmu_ivb, .lbr_format = VPMU_CAP_LBR_TX_FLAGS, .pebs = 2,
	  .uncore = &vpmu_snb_uncore, .mchbar = &vpmu_hsw_mchbar },
	{ .name = "hsx", .part = &vpmu_ivb, .lbr_format = VPMU_CAP_LBR_TX_FLAGS, .pebs = 2,
	  .cbo = &vpmu_hsx_cbo, .server = &vpmu_hsx_server,
	  .imc = &vpmu_hsx_imc, .offcore = SERVER_OFFCORE },
	{ .name = "bdw", .part = &vpmu_ivb, .lbr_format = VPMU_CAP_LBR_TX_FLAGS, .pebs = 2,
	  .uncore = &vpmu_snb_uncore, .mchbar = &vpmu_bdw_mchbar },
	{ .name = "bdx", .part = &vpmu_ivb, .lbr_format = VPMU_CAP_LBR_TX_FLAGS, .pebs = 2,
	  .cbo = &vpmu_bdx_cbo, .server = &vpmu_bdx_server,
	  .imc = &vpmu_bdx_imc, .offcore = SERVER_OFFCORE },
	{ .name = "skx", .part = &vpmu_skl,
	  .cbo = &vpmu_skx_cbo, .server = &vpmu_skx_server,
	  .imc = &vpmu_skx_imc, .iio = &vpmu_skx_iio },
	{ .name = "icl", .part = &vpmu_spr,
	  .uncore = &vpmu_icl_uncore, .mchbar = &vpmu_icl_mchbar, .metrics = 4, .pebs = 4, .whole = true },
	{ .name = "icx", .part = &vpmu_spr, .cbo = &vpmu_icx_cbo, .server = &vpmu_skx_server,
	  .imc = &vpmu_icx_imc, .iio = &vpmu_icx_iio, .metrics = 4,
	  .pebs = 4, .whole = true },
	{ .name = "tgl", .part = &vpmu_spr,
	  .uncore = &vpmu_tgl_uncore, .mchbar = &vpmu_tgl_mchbar, .metrics = 4, .pebs = 4, .whole = true },
	{ .name = "rkl", .part = &vpmu_spr,
	  .uncore = &vpmu_tgl_uncore, .mchbar = &vpmu_rkl_mchbar, .metrics = 4, .pebs = 4, .whole = true },
	{ .name = "emr", .part = &vpmu_spr, .imc = &vpmu_emr_imc, .metrics = 8 },
	{ .name = "gnr", .part = &vpmu_spr, .imc = &vpmu_gnr_imc, .metrics = 8, .bitmaps = true,
	  .timing = true, .whole = true },
	/*
	 * Alder Lake without E-cores, then Alder Lake without P-cores. CPUID enumerates all
	 * counters of the only core type.
	 */
	{ .name = "adl-p", .part = &vpmu_spr,
	  .uncore = &vpmu_adl_uncore, .mchbar = &vpmu_adl_mchbar, .metrics = 8 },
	{ .name = "adl-n", .part = &vpmu_adl_e,
	  .uncore = &vpmu_adl_uncore, .mchbar = &vpmu_adl_mchbar },
	{ .name = "bnl", .part = &vpmu_nhm, .nr_gp = 2, .width = 40, .slots = 2 },
	{ .name = "slm", .part = &vpmu_slm, .width = 40, .slots = 2 },
	{ .name = "avn", .part = &vpmu_slm, .width = 40, .slots = 2 },
	{ .name = "glm", .part = &vpmu_glm, .slots = 3 },
	{ .name = "glp", .part = &vpmu_glm, .slots = 4 },
	/*
	 * Bit 4 of MSR_OFFCORE_RSP_x is reserved on Knights Landing. At boot Linux writes a 1 to
	 * bit 4 to see if the write raises #GP.
	 */
	{ .name = "knl", .part = &vpmu_slm, .imc = &vpmu_knl_imc, .width = 40, .slots = 2 },
	{ .name = "snr", .part = &vpmu_adl_e, .nr_gp = 4, .pebs = 4 },
	{ .name = "ehl", .part = &vpmu_adl_e, .nr_gp = 4, .pebs = 4 },
	{ .name = "srf", .part = &vpmu_adl_e, .nr_gp = 8, .source = VPMU_SOURCE_CMT },
	{ .name = "grr", .part = &vpmu_adl_e, .nr_gp = 8, .source = VPMU_SOURCE_CMT },
	{ .name = "cwf", .part = &vpmu_adl_e, .version = 6, .nr_gp = 8, .bitmaps = true,
	  .arch_pebs = true },
	{ .name = "mtl", .part = &vpmu_adl, .mchbar = &vpmu_mtl_mchbar, .metrics = 8,
	  .bitmaps = true, .timing = true, .whole = true,
	  .core_type = BIG, .native = 2, .other = "mtl-e" },
	{ .name = "mtl-e", .part = &vpmu_adl_e,
	  .nr_gp = 8, .bitmaps = true, .timing = true, .source = VPMU_SOURCE_CMT,
	  .core_type = SMALL, .native = 2 },
	/* Format 6 of both core types of Arrow Lake and Lunar Lake: the driver's lines in dmesg */
	{ .name = "arl", .part = &vpmu_adl, .version = 6, .metrics = 8, .nr_gp = 10, .pebs = 6,
	  .offcore = LNC_OFFCORE, .bitmaps = true, .timing = true, .source = VPMU_SOURCE_LNC,
	  .whole = true,
	  .core_type = BIG, .native = 3, .other = "arl-e" },
	{ .name = "arl-e", .part = &vpmu_adl_e, .version = 6, .pebs = 6,
	  .nr_gp = 8, .bitmaps = true, .timing = true, .source = VPMU_SOURCE_CMT,
	  .core_type = SMALL, .native = 3, .other = "mtl-e" },
	{ .name = "lnl", .part = &vpmu_adl, .version = 6, .metrics = 8, .nr_gp = 10, .pebs = 6,
	  .offcore = LNC_OFFCORE, .bitmaps = true, .timing = true, .source = VPMU_SOURCE_LNC,
	  .whole = true,
	  .core_type = BIG, .native = 3, .other = "lnl-e" },
	{ .name = "lnl-e", .part = &vpmu_adl_e, .version = 6, .pebs = 6,
	  .nr_gp = 8, .bitmaps = true, .timing = true, .source = VPMU_SOURCE_CMT,
	  .core_type = SMALL, .native = 3 },
	{ .name = "ptl", .part = &vpmu_adl, .version = 6, .metrics = 8, .nr_gp = 10,
	  .offcore = LNC_OFFCORE, .bitmaps = true, .arch_pebs = true, .core_type = BIG, .native = 4,
	  .other = "ptl-e" },
	{ .name = "ptl-e", .part = &vpmu_adl_e, .version = 6,
	  .nr_gp = 8, .bitmaps = true, .arch_pebs = true, .core_type = SMALL, .native = 4 },
	{ .name = "cnl", .part = &vpmu_skl },
	/*
	 * Lakefield. On both core types CPUID enumerates the number of counters that the E-core,
	 * Tremont, has.
	 */
	{ .name = "lkf", .part = &vpmu_adl, .nr_gp = 4, .nr_fixed = 3, .core_type = BIG,
	  .pebs = 4, .whole = true, .other = "lkf-e" },
	{ .name = "lkf-e", .part = &vpmu_adl_e, .nr_gp = 4, .pebs = 4, .core_type = SMALL },
	{ .name = "nvl", .part = &vpmu_adl, .version = 6, .metrics = 8, .nr_gp = 10,
	  .omr = 0x40ffffff0000ffff, .bitmaps = true, .arch_pebs = true, .core_type = BIG, .native = 5,
	  .other = "nvl-e" },
	{ .name = "nvl-e", .part = &vpmu_adl_e, .version = 6, .nr_gp = 8,
	  .omr = 0xc0ffffffffffffff, .bitmaps = true, .arch_pebs = true, .core_type = SMALL,
	  .native = 5 },
	{ .name = "dmr", .part = &vpmu_spr, .version = 6, .metrics = 8, .nr_gp = 10,
	  .omr = 0x40ffffff0000ffff, .bitmaps = true, .arch_pebs = true },
	{ .name = "k10", .part = &vpmu_jaguar },
	{ .name = "bulldozer", .part = &vpmu_zen2 },
	{ .name = "jaguar", .part = &vpmu_jaguar },
	{ .name = "zen1", .part = &vpmu_zen2 },
	{ .name = "zen3", .part = &vpmu_zen2 },
	{ .name = "zen6", .part = &vpmu_zen5,
	  .ibs = VPMU_IBS_CTL2 | VPMU_IBS_FETCH_LATENCY | VPMU_IBS_LEVELS | VPMU_IBS_STREAMS },
	{ .name = "hygon", .part = &vpmu_zen2 },
};

#define PARTS (sizeof(parts) / sizeof(*parts))

static struct vpmu_part made[PARTS];
static struct vcore_params cores[PARTS];

/**
 * vpmu_part_like() - find a CPU model that is described by its differences from another one
 * @name: name of the CPU model, value of the option part=
 *
 * Return: the CPU model, or NULL if the name is unknown.
 */
const struct vpmu_part *vpmu_part_like(const char *name)
{
	const struct like *like;
	unsigned int i, k;

	for (i = 0; i < PARTS && strcmp(parts[i].name, name); i++)
		;
	if (i == PARTS)
		return NULL;
	like = &parts[i];
	made[i] = *like->part;
	made[i].name = name;
	if (like->offcore) {
		made[i].extra[VPMU_OFFCORE_0] = like->offcore;
		made[i].extra[VPMU_OFFCORE_1] = like->offcore;
	}
	if (like->omr) {
		made[i].extra[VPMU_OFFCORE_0] = 0;
		made[i].extra[VPMU_OFFCORE_1] = 0;
		for (k = VPMU_OMR_0; k <= VPMU_OMR_3; k++)
			made[i].extra[k] = like->omr;
	}
	made[i].uncore = like->uncore;
	made[i].cbo = like->cbo;
	made[i].server = like->server;
	made[i].imc = like->imc;
	made[i].mchbar = like->mchbar;
	made[i].iio = like->iio;
	made[i].metrics = like->metrics;
	made[i].core_type = like->core_type;
	made[i].native = like->native;
	made[i].other = like->other ? vpmu_part_like(like->other) : NULL;
	made[i].bitmaps = like->bitmaps;
	if (like->arch_pebs) {
		made[i].arch_pebs = PEBS_GROUPS & ~(like->metrics ? 0 : VPMU_BIT(38));
		made[i].capable &= ~(VPMU_CAP_PEBS_BASELINE | VPMU_CAP_PEBS(0xfull));
		made[i].capable |= VPMU_CAP_ARCH_PEBS;
	} else if (like->pebs) {
		made[i].capable &= ~VPMU_CAP_PEBS(0xfull);
		made[i].capable |= like->pebs < 4 ? VPMU_CAP_LEGACY_PEBS(like->pebs) :
						    VPMU_CAP_PEBS(like->pebs);
	}
	if (like->source)
		made[i].source = like->source;
	if (like->whole)
		made[i].aux = false;
	if (like->timing)
		made[i].capable |= VPMU_CAP_PEBS_TIMING;
	if (like->lbr_format)
		made[i].capable = (made[i].capable & ~VPMU_LBR_FORMAT(~0ull)) | like->lbr_format;
	made[i].ibs |= like->ibs;
	if (like->version)
		made[i].version = like->version;
	if (like->nr_fixed)
		made[i].nr_fixed = like->nr_fixed;
	if (like->nr_gp)
		made[i].nr_gp = like->nr_gp;
	if (like->width) {
		made[i].width = like->width;
		made[i].fixed_width = like->width;
	}
	if (like->slots) {
		cores[i] = *like->part->core;
		cores[i].back.width = like->slots;
		made[i].core = &cores[i];
	}
	if (made[i].other) {
		made[i].common_gp = made[i].other->nr_gp;
		made[i].common_fixed = made[i].other->nr_fixed;
	}
	return &made[i];
}
