// SPDX-License-Identifier: GPL-2.0
#include "banks.h"

#include "core.h"
#include "free_running.h"
#include "uncore.h"

const struct bpmu_bank_type *const bpmu_bank_types[BPMU_BANKS] = {
	[BPMU_BANK_CORE] = &bpmu_core_bank,
	[BPMU_BANK_UNCORE] = &bpmu_uncore_bank,
	[BPMU_BANK_L3] = &bpmu_l3_bank,
	[BPMU_BANK_DF] = &bpmu_df_bank,
	[BPMU_BANK_UMC] = &bpmu_umc_bank,
	[BPMU_BANK_CHA] = &bpmu_cha_bank,
	[BPMU_BANK_PCU] = &bpmu_pcu_bank,
	[BPMU_BANK_UBOX] = &bpmu_ubox_bank,
	[BPMU_BANK_IMC] = &bpmu_imc_bank,
	[BPMU_BANK_HA] = &bpmu_ha_bank,
	[BPMU_BANK_LINK] = &bpmu_link_bank,
	[BPMU_BANK_IIO] = &bpmu_iio_bank,
	[BPMU_BANK_FREE_THREAD] = &bpmu_free_thread_bank,
	[BPMU_BANK_FREE_CORE] = &bpmu_free_core_bank,
	[BPMU_BANK_FREE_PACKAGE] = &bpmu_free_package_bank,
};

/**
 * bpmu_bank_of() - find the bank of a counter
 * @counter: number of the counter; for free-running registers see bpmu_free_bank()
 *
 * Context: any.
 * Return: &enum bpmu_bank_id, or -1 if no bank has such a number.
 */
int bpmu_bank_of(u32 counter)
{
	int bank;

	for (bank = 0; bank < BPMU_BANKS; bank++)
		if (counter - bpmu_bank_types[bank]->first <
		    bpmu_bank_types[bank]->counters)
			return bank;
	return -1;
}
