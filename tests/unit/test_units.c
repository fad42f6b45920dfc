// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the table of a CPU's units and of the table of banks. The counters of a bank are
 * multiplexed together. The tables are complete, and each counter number belongs to at most one
 * bank.
 */
#include <string.h>

#include "arch.h"
#include "free.h"
#include "units.h"
#include "unit.h"

TEST(each_unit_has_its_row)
{
	unsigned int i, k;

	for (i = 0; i < BPMU_UNITS; i++) {
		assert_non_null(bpmu_unit_facts[i].name);
		assert_non_null(bpmu_unit_facts[i].title);
		assert_in_range(bpmu_unit_facts[i].bank, 0, BPMU_BANK_MAX);
		/*
		 * For each unit of the uncore the table has the name of perf's PMU, and the largest
		 * number of boxes.
		 */
		assert_int_equal(!bpmu_unit_facts[i].perf[0],
				 !bpmu_bank_is_uncore(bpmu_unit_facts[i].bank));
		assert_int_equal(!bpmu_unit_facts[i].most, !bpmu_unit_facts[i].perf[0]);
		assert_int_equal(bpmu_unit_is_free(i), i >= BPMU_UNIT_FREE_THREAD &&
						       i <= BPMU_UNIT_FREE_PACKAGE);
		for (k = 0; k < i; k++)
			assert_string_not_equal(bpmu_unit_facts[i].name, bpmu_unit_facts[k].name);
	}
}

TEST(each_bank_has_its_row)
{
	unsigned int i, k, units;

	for (i = 0; i < BPMU_BANKS; i++) {
		assert_non_null(bpmu_bank_facts[i].name);
		assert_non_null(bpmu_bank_facts[i].title);
		for (k = 0, units = 0; k < BPMU_UNITS; k++)
			units += bpmu_unit_facts[k].bank == i;
		/*
		 * Some banks have several units. The clock, the arbiter and the CBos of a client
		 * CPU are one bank, because they are counted together. On Nehalem the clock and the
		 * global queue are one bank for the same reason. L3 and L2 are one bank, because no
		 * CPU has counters for both. Data fabric and northbridge are one bank, because no
		 * CPU has both.
		 */
		assert_int_equal(units, i == BPMU_BANK_UNCORE ? 4 :
					i == BPMU_BANK_L3 || i == BPMU_BANK_DF ? 2 : 1);
		for (k = 0; k < i; k++) {
			assert_string_not_equal(bpmu_bank_facts[i].name, bpmu_bank_facts[k].name);
			/*
			 * The tool names a counter by the letter of its bank and a number. Two
			 * banks of programmable counters must therefore not have the same letter.
			 */
			assert_int_equal(!strcmp(bpmu_bank_facts[i].letter,
						 bpmu_bank_facts[k].letter),
					 bpmu_bank_facts[i].free && bpmu_bank_facts[k].free);
		}
	}
}

/*
 * Ranges of counter numbers in the netlink protocol and the bank of each range; -1 for numbers that
 * are no counter.
 */
TEST(each_counter_is_of_one_bank)
{
	static const struct {
		u32 first, last;
		int bank;
	} ranges[] = {
		{ 0, 63, BPMU_BANK_CORE }, { 64, 255, BPMU_BANK_UNCORE },
		{ 256 + BPMU_FREE_NR, 319, -1 }, { 320, 325, BPMU_BANK_L3 }, { 326, 335, -1 },
		{ 336, 351, BPMU_BANK_DF }, { 352, 359, BPMU_BANK_UMC },
		{ 360, 363, BPMU_BANK_CHA }, { 364, 367, BPMU_BANK_PCU },
		{ 368, 370, BPMU_BANK_UBOX }, { 371, 383, -1 }, { 384, 388, BPMU_BANK_IMC },
		{ 389, 391, -1 }, { 392, 395, BPMU_BANK_HA }, { 396, 399, -1 },
		{ 400, 403, BPMU_BANK_LINK }, { 404, 407, -1 }, { 408, 411, BPMU_BANK_IIO },
		{ 412, 415, -1 },
		{ 416, 417, BPMU_BANK_IRP }, { 418, 423, -1 },
		{ 424, 428, BPMU_BANK_EDC_ECLK }, { 429, 431, -1 },
		{ 432, 436, BPMU_BANK_EDC_UCLK }, { 437, 439, -1 },
		{ 440, 444, BPMU_BANK_IMC_UCLK }, { 445, 447, -1 },
		{ 448, 451, BPMU_BANK_M2PCIE }, { 452, 1000, -1 }, { ~0U - 9, ~0U - 1, -1 },
	};
	unsigned int i;
	u32 counter;

	for (i = 0; i < sizeof(ranges) / sizeof(*ranges); i++)
		for (counter = ranges[i].first; counter <= ranges[i].last; counter++)
			assert_int_equal(bpmu_bank_of(counter), ranges[i].bank);
	for (counter = 0; counter < BPMU_FREE_NR; counter++)
		assert_int_equal(bpmu_bank_of(256 + counter),
				 bpmu_free_at(256 + counter)->unit == BPMU_UNIT_FREE_THREAD ?
					 BPMU_BANK_FREE_THREAD :
				 bpmu_free_at(256 + counter)->unit == BPMU_UNIT_FREE_CORE ?
					 BPMU_BANK_FREE_CORE : BPMU_BANK_FREE_PACKAGE);
}

/*
 * The domain of a bank is the set of CPUs that share its counters. In each domain one CPU reads
 * these counters.
 */
TEST(banks_have_their_domains)
{
	static const char *const domains[BPMU_BANKS] = {
		"CPU", "package", "CPU", "core", "package", "core complex", "node", "package",
		"package", "package", "package", "package", "package", "package", "package",
		"package", "package", "package", "package", "package",
	};
	unsigned int i;

	for (i = 0; i < BPMU_BANKS; i++) {
		assert_string_equal(bpmu_domain_name(bpmu_bank_facts[i].domain), domains[i]);
		assert_int_equal(bpmu_bank_is_shared(i),
				 i != BPMU_BANK_CORE && i != BPMU_BANK_FREE_THREAD &&
				 i != BPMU_BANK_FREE_CORE);
		assert_int_equal(bpmu_bank_is_uncore(i),
				 i == BPMU_BANK_UNCORE || i >= BPMU_BANK_L3);
		assert_int_equal(bpmu_bank_facts[i].free, i >= BPMU_BANK_FREE_THREAD &&
							  i <= BPMU_BANK_FREE_PACKAGE);
	}
}
