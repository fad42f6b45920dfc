// SPDX-License-Identifier: GPL-2.0
/* Tests of CPU models that are described by their differences from others: those, and no further. */
#include "machine.h"

#include <string.h>

#include "box/cbo.h"
#include "box/client.h"
#include "box/iio.h"
#include "box/imc.h"
#include "box/mchbar.h"
#include "box/server.h"
#include "box/uncore.h"

#define PEBS_GROUPS (7ull << 35 | VPMU_BIT(61) | VPMU_BIT(62))
#define LEGACY (VPMU_BIT(6) | VPMU_BIT(7))

static const struct vpmu_part *like(const char *name)
{
	const struct vpmu_part *part = vpmu_part_like(name);

	assert_non_null(part);
	assert_string_equal(part->name, name);
	return part;
}

TEST(only_known_models_exist)
{
	assert_null(vpmu_part_like("xyz"));
	assert_null(vpmu_part_like(""));
	assert_null(vpmu_part_like("sn"));
	assert_null(vpmu_part_like("snbx"));
	/* the last of the list */
	assert_ptr_equal(like("hygon")->core, vpmu_zen2.core);
}

/* What a model does not describe it has from the other, but none of its boxes. */
TEST(a_model_without_differences_has_no_boxes)
{
	struct vpmu_part wanted = vpmu_skl;

	assert_non_null(vpmu_skl.uncore);
	wanted.name = "cnl";
	wanted.uncore = NULL;
	wanted.mchbar = NULL;
	assert_string_equal(like("cnl")->name, wanted.name);
	wanted.name = like("cnl")->name;
	assert_memory_equal(like("cnl"), &wanted, sizeof(wanted));
}

TEST(old_cores_are_narrow)
{
	const struct vpmu_part *bnl = like("bnl");
	unsigned int slots = vpmu_nhm.core->back.width;

	assert_int_equal(bnl->nr_gp, 2);
	assert_int_equal(bnl->nr_fixed, 3);
	assert_int_equal(bnl->width, 40);
	assert_int_equal(bnl->fixed_width, 40);
	assert_int_equal(bnl->core->back.width, 2);
	assert_string_equal(bnl->core->name, vpmu_nhm.core->name);
	assert_int_equal(vpmu_nhm.core->back.width, slots);
	assert_int_equal(slots, 4);
	assert_int_equal(like("glm")->core->back.width, 3);
	assert_int_equal(like("glp")->core->back.width, 4);
	assert_int_equal(like("glp")->width, 48);
	assert_ptr_equal(like("nhm")->core, vpmu_nhm.core);
}

TEST(models_have_their_own_boxes)
{
	const struct vpmu_part *skx = like("skx"), *snb = like("snb");

	assert_ptr_equal(skx->cbo, &vpmu_skx_cbo);
	assert_ptr_equal(skx->server, &vpmu_skx_server);
	assert_ptr_equal(skx->imc, &vpmu_skx_imc);
	assert_ptr_equal(skx->iio, &vpmu_skx_iio);
	assert_null(skx->uncore);
	assert_null(skx->mchbar);
	assert_ptr_equal(snb->uncore, &vpmu_snb_uncore);
	assert_ptr_equal(snb->mchbar, &vpmu_snb_mchbar);
	assert_null(snb->imc);
	assert_null(like("emr")->cbo);
	assert_ptr_equal(like("emr")->imc, &vpmu_emr_imc);
}

TEST(registers_of_requests_are_those_of_the_model)
{
	const struct vpmu_part *dmr = like("dmr");
	unsigned int i;

	assert_int_equal(like("nhm")->extra[VPMU_OFFCORE_0], 0xffff);
	assert_int_equal(like("nhm")->extra[VPMU_OFFCORE_1], 0);
	assert_int_equal(like("wsm")->extra[VPMU_OFFCORE_1], 0xffff);
	assert_int_equal(like("ivt")->extra[VPMU_OFFCORE_0], 0x3fffff8fff);
	assert_int_equal(like("ivt")->extra[VPMU_OMR_0], 0);
	assert_int_equal(dmr->extra[VPMU_OFFCORE_0], 0);
	assert_int_equal(dmr->extra[VPMU_OFFCORE_1], 0);
	assert_int_equal(dmr->extra[VPMU_FRONTEND], vpmu_spr.extra[VPMU_FRONTEND]);
	for (i = VPMU_OMR_0; i <= VPMU_OMR_3; i++)
		assert_int_equal(dmr->extra[i], 0x40ffffff0000ffff);
}

/* IA32_PERF_CAPABILITIES: formats of branch records and of PEBS, and what the records have. */
TEST(records_have_the_format_of_the_model)
{
	const struct vpmu_part *cwf = like("cwf");

	assert_int_equal(like("snb")->capable, VPMU_BIT(13) | LEGACY | 1 << 8 | 3);
	assert_int_equal(like("hsw")->capable, VPMU_BIT(13) | LEGACY | 2 << 8 | 4);
	assert_int_equal(like("nhm")->capable, LEGACY | 1 << 8);
	assert_int_equal(like("icl")->capable, VPMU_BIT(13) | VPMU_BIT(14) | VPMU_BIT(15) | 4 << 8);
	assert_int_equal(like("emr")->capable, VPMU_BIT(13) | VPMU_BIT(14) | VPMU_BIT(15) | 5 << 8);
	assert_int_equal(like("gnr")->capable,
			 VPMU_BIT(13) | VPMU_BIT(14) | VPMU_BIT(15) | VPMU_BIT(17) | 5 << 8);
	assert_int_equal(like("lnl")->capable, VPMU_BIT(13) | VPMU_BIT(14) | VPMU_BIT(17) | 6 << 8);
	/* architectural PEBS: a P-core has PERF_METRICS in it, an E-core not */
	assert_int_equal(cwf->capable, VPMU_BIT(13) | 15 << 8);
	assert_int_equal(cwf->arch_pebs, PEBS_GROUPS);
	assert_int_equal(like("dmr")->arch_pebs, PEBS_GROUPS | VPMU_BIT(38));
	assert_int_equal(like("dmr")->capable, VPMU_BIT(13) | VPMU_BIT(15) | 15 << 8);
	assert_int_equal(like("lnl")->arch_pebs, 0);
	assert_true(vpmu_spr.aux);
	assert_true(like("emr")->aux);
	assert_false(like("icl")->aux);
	assert_false(like("gnr")->aux);
}

TEST(hybrid_models_have_the_counters_that_both_core_types_have)
{
	const struct vpmu_part *arl = like("arl"), *small = arl->other;

	assert_int_equal(arl->version, 6);
	assert_int_equal(arl->nr_gp, 10);
	assert_int_equal(arl->nr_fixed, 4);
	assert_int_equal(arl->metrics, 8);
	assert_int_equal(arl->core_type, 0x40);
	assert_int_equal(arl->native, 3);
	assert_true(arl->bitmaps);
	assert_int_equal(arl->source, VPMU_SOURCE_LNC);
	assert_int_equal(arl->common_gp, 8);
	assert_int_equal(arl->common_fixed, 3);
	assert_string_equal(small->name, "arl-e");
	assert_int_equal(small->core_type, 0x20);
	assert_int_equal(small->metrics, 0);
	assert_int_equal(small->source, VPMU_SOURCE_CMT);
	/* a third core type */
	assert_string_equal(small->other->name, "mtl-e");
	assert_int_equal(small->other->native, 2);
	assert_int_equal(small->other->version, 5);
	assert_null(small->other->other);
	/* Lakefield's P-core has as few as its E-core. */
	assert_int_equal(like("lkf")->nr_gp, 4);
	assert_int_equal(like("lkf")->nr_fixed, 3);
	assert_int_equal(like("lkf")->common_gp, 4);
	assert_int_equal(like("srf")->common_gp, 0);
	assert_int_equal(like("srf")->source, VPMU_SOURCE_CMT);
	assert_int_equal(like("snr")->source, vpmu_adl_e.source);
	assert_null(like("adl-n")->other);
	assert_int_equal(like("adl-n")->core_type, 0);
}

TEST(zen_6_can_do_more_than_zen_5)
{
	assert_int_equal(like("zen6")->ibs, vpmu_zen5.ibs | 0xf << 13);
	assert_int_equal(like("zen3")->ibs, vpmu_zen2.ibs);
	assert_int_equal(like("zen6")->amd_version, 2);
}

TEST_GROUP(NULL, machine_free);
