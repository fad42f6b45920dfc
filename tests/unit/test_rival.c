// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the names of perf's PMUs for uncore boxes that perf may use at the same time. The
 * expected names are from Linux' files uncore.c and amd/uncore.c.
 */
#include <string.h>
#include <unistd.h>
#include <linux/barepmu.h>

#include "arch.h"
#include "base/array.h"
#include "count/rival.h"
#include "unit.h"

static const struct {
	u32 unit, bank;
	const char *of, *present;
} all[] = {
	{ BPMU_UNIT_L3, BPMU_BANK_L3, "amd_l3, amd_l2", "" },
	{ BPMU_UNIT_DF, BPMU_BANK_DF, "amd_df, amd_nb", "amd_df" },
	{ BPMU_UNIT_UMC, BPMU_BANK_UMC, "amd_umc", "amd_umc" },
	{ BPMU_UNIT_CHA, BPMU_BANK_CHA, "uncore_cbox, uncore_cha", "uncore_cbox" },
	{ BPMU_UNIT_PCU, BPMU_BANK_PCU, "uncore_pcu", "" },
	{ BPMU_UNIT_UBOX, BPMU_BANK_UBOX, "uncore_ubox, uncore_type_5", "uncore_type_5" },
	{ BPMU_UNIT_IMC, BPMU_BANK_IMC, "uncore_imc", "uncore_imc" },
	{ BPMU_UNIT_HA, BPMU_BANK_HA, "uncore_ha, uncore_m2m, uncore_b2cmi",
	  "uncore_m2m, uncore_b2cmi" },
	{ BPMU_UNIT_LINK, BPMU_BANK_LINK, "uncore_qpi, uncore_upi", "uncore_upi" },
	{ BPMU_UNIT_IIO, BPMU_BANK_IIO, "uncore_iio", "" },
	{ BPMU_UNIT_EDC_ECLK, BPMU_BANK_EDC_ECLK, "uncore_edc_eclk", "uncore_edc_eclk" },
	{ BPMU_UNIT_EDC_UCLK, BPMU_BANK_EDC_UCLK, "uncore_edc_uclk", "" },
	{ BPMU_UNIT_IMC_UCLK, BPMU_BANK_IMC_UCLK, "uncore_imc_uclk", "" },
	{ BPMU_UNIT_M2PCIE, BPMU_BANK_M2PCIE, "uncore_m2pcie", "uncore_m2pcie" },
};

int __wrap_access(const char *path, int mode);

/*
 * Fakes sysfs. Some of perf's PMUs have a plain name there, others a name that ends with a number.
 */
int __wrap_access(const char *path, int mode)
{
	static const char *const there[] = {
		"amd_df", "amd_umc_0", "uncore_cbox_0", "uncore_type_5", "uncore_imc_0",
		"uncore_m2m_0", "uncore_b2cmi_0", "uncore_upi_0", "uncore_arb", "uncore_iio_1",
		"uncore_edc_eclk_0", "uncore_m2pcie",
	};
	static const char folder[] = "/sys/bus/event_source/devices/";
	size_t i;

	assert_int_equal(mode, F_OK);
	assert_memory_equal(path, folder, strlen(folder));
	for (i = 0; i < ARRAY_SIZE(there); i++)
		if (!strcmp(path + strlen(folder), there[i]))
			return 0;
	return -1;
}

TEST(each_box_has_its_rivals)
{
	char text[BPMU_RIVAL_TEXT];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		strcpy(text, "left over");
		bpmu_rivals_of(1 << all[i].bank, text);
		assert_string_equal(text, all[i].of);
		strcpy(text, "left over");
		bpmu_rivals_present(all[i].unit, text);
		assert_string_equal(text, all[i].present);
	}
	/*
	 * The boxes of client CPUs are all in one bank. On Nehalem perf's PMU is called uncore,
	 * without a suffix.
	 */
	bpmu_rivals_of(1 << BPMU_BANK_UNCORE, text);
	assert_string_equal(text, "uncore_clock, uncore_arb, uncore_cbox, uncore");
	bpmu_rivals_present(BPMU_UNIT_ARB, text);
	assert_string_equal(text, "uncore_arb");
	bpmu_rivals_present(BPMU_UNIT_CBO, text);
	assert_string_equal(text, "uncore_cbox");
	bpmu_rivals_present(BPMU_UNIT_CLOCK, text);
	assert_string_equal(text, "");
	bpmu_rivals_present(BPMU_UNIT_CORE, text);
	assert_string_equal(text, "");
	bpmu_rivals_of(1 << BPMU_BANK_L3 | 1 << BPMU_BANK_IIO, text);
	assert_string_equal(text, "amd_l3, uncore_iio, amd_l2");
	bpmu_rivals_of(1 << BPMU_BANK_CORE | 1 << BPMU_BANK_FREE_PACKAGE, text);
	assert_string_equal(text, "");
}

/* The buffer of BPMU_RIVAL_TEXT bytes has room for the names of the PMUs of all banks. */
TEST(all_rivals_fit)
{
	char text[BPMU_RIVAL_TEXT];

	bpmu_rivals_of(~0u, text);
	assert_non_null(strstr(text, "uncore_upi, uncore_iio"));
	assert_memory_equal(text, "uncore_clock, ", 14);
}
