// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the texts for failures during a run, when a CPU or a box can no longer be measured. A
 * text says what failed, and on which counter.
 */

#include <string.h>

#include "base/array.h"
#include "client/failure.h"
#include "unit.h"

/*
 * For each bank of counters, in the order of enum bpmu_bank_id: its name in JSON, and the start of
 * the sentence about its failure.
 */
TEST(each_failure_has_its_words)
{
	static const char *const all[][2] = {
		{ "core", "its counters could not be programmed, it is not measured" },
		{ "uncore", "the counters of its package's uncore could not " },
		{ "free-thread", "the free-running registers of its CPU cannot be read" },
		{ "free-core", "the free-running registers of its core cannot be read" },
		{ "free-package", "the free-running registers of its package cannot be read" },
		{ "l3", "the counters of its core complex's L3 or L2 could not " },
		{ "df", "the counters of its node's data fabric or northbridge could not " },
		{ "umc", "the counters of its package's memory controllers could not " },
		{ "cha", "the counters of its package's CBos or CHAs could not " },
		{ "pcu", "the counters of its package's PCU could not " },
		{ "ubox", "the counters of its package's UBox could not " },
		{ "imc", "the counters of its package's memory channels or controllers could not " },
		{ "ha", "the counters of its package's home agents could not " },
		{ "link", "the counters of its package's links could not " },
		{ "iio", "the counters of its package's IIO stacks could not " },
		{ "irp", "the counters of its package's IRPs could not " },
		{ "edc-eclk", "the counters of its package's EDC ECLKs could not " },
		{ "edc-uclk", "the counters of its package's EDC UCLKs could not " },
		{ "imc-uclk", "the counters of its package's IMC UCLKs could not " },
		{ "m2pcie", "the counters of its package's M2PCIes could not " },
	};
	char words[BPMU_FAILURE_WORDS], whole[BPMU_FAILURE_WORDS];
	u32 i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		assert_string_equal(bpmu_failure_name(i), all[i][0]);
		assert_ptr_equal(bpmu_failure_words(i, words), words);
		if (!strcmp(all[i][1] + strlen(all[i][1]) - 11, " could not "))
			snprintf(whole, sizeof(whole), "%sbe programmed, they are not read",
				 all[i][1]);
		else
			snprintf(whole, sizeof(whole), "%s", all[i][1]);
		assert_string_equal(words, whole);
	}
	assert_int_equal(i, BPMU_BANKS);
	assert_string_equal(bpmu_failure_name(i), "unknown");
	assert_string_equal(bpmu_failure_words(i, words),
			    "something that this tool does not know failed");
	assert_string_equal(bpmu_failure_name(BPMU_FAILURE_PREFETCH), "prefetch");
	assert_string_equal(bpmu_failure_words(BPMU_FAILURE_PREFETCH, words),
			    "its prefetchers could not be set, it is measured as they are");
}

TEST(counters_are_general_or_fixed)
{
	char text[700];
	size_t i;

	bpmu_counters_text(0, text, sizeof(text));
	assert_string_equal(text, "");
	bpmu_counters_text(0x8000000380000005, text, sizeof(text));
	assert_string_equal(text, "general 0, general 2, general 31, fixed 0, fixed 1, fixed 31");
	bpmu_counters_text(0x8, text, sizeof(text));
	assert_string_equal(text, "general 3");
	/*
	 * The list of counters is cut to the size of the buffer, and no byte is written behind the
	 * buffer.
	 */
	memset(text, 'x', sizeof(text));
	bpmu_counters_text(0x7, text, 14);
	assert_string_equal(text, "general 0, ge");
	for (i = 14; i < sizeof(text); i++)
		assert_int_equal(text[i], 'x');
	bpmu_counters_text(0x7, text, 10);
	assert_string_equal(text, "general 0");
	bpmu_counters_text(0x7, text, 1);
	assert_string_equal(text, "");
}
