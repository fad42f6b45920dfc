// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the notes below results that were disturbed: a note says what the disturbance was, when
 * it occurred, and on which CPUs. Without a disturbance there is no note.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "count/flaw.h"
#include "metric/value_flag.h"
#include "unit.h"

static u32 numbers[] = { 2, 3, 4, 8191 };
static const struct bpmu_cpulist cpus = { numbers, 4 };

static void add(struct bpmu_flaws *flaws, double begin, double end,
		const u64 of[4])
{
	const struct bpmu_interval interval = {
		.seconds = end, .duration = end - begin, .flaws = of,
	};

	bpmu_flaws_add(flaws, &interval, &cpus);
}

static void printed(const struct bpmu_flaws *flaws, bool json,
		    const char *expected)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	if (json)
		bpmu_flaws_json(flaws, out);
	else
		bpmu_flaws_text(flaws, out, "  ");
	fclose(out);
	assert_string_equal(text, expected);
	free(text);
}

TEST(no_flaw_prints_nothing)
{
	static const u64 none[4];
	struct bpmu_flaws flaws = { };

	add(&flaws, 0, 1, none);
	add(&flaws, 1, 2, NULL);
	printed(&flaws, false, "");
	printed(&flaws, true, "");
}

/* The note names the first and the last affected interval, and all affected CPUs. */
TEST(a_flaw_has_its_cpus_and_times)
{
	static const u64 first[] = { 0, BPMU_SAMPLE_DISTURBED,
		BPMU_SAMPLE_DISTURBED | BPMU_SAMPLE_TIMER, 0 };
	static const u64 second[] = { 0, BPMU_SAMPLE_DISTURBED, 0,
		BPMU_SAMPLE_FAILED };
	struct bpmu_flaws flaws = { };

	add(&flaws, 0.5, 1, first);
	add(&flaws, 1, 1.5, second);
	printed(&flaws, false,
		"  disturbed: another agent wrote counter registers of CPU 3-4 between 0.500000 and 1.500000 s: its counts are unreliable; stop what writes MSRs and measure again\n"
		"  failed: could not be programmed after hotplug, resume or a device's removal: CPU 8191 between 1.000000 and 1.500000 s: not measured from then on; \"barepmu check\" shows which counters, and the cause, while the session lasts\n");
	printed(&flaws, true,
		"{\"schema\":3,\"type\":\"flaw\",\"flaw\":\"disturbed\",\"cpus\":\"3-4\",\"begin\":0.500000,\"end\":1.500000}\n"
		"{\"schema\":3,\"type\":\"flaw\",\"flaw\":\"failed\",\"cpus\":\"8191\",\"begin\":1.000000,\"end\":1.500000}\n");
}

static u64 flaws_of(u32 flags, enum bpmu_bank_id bank)
{
	const struct bpmu_sample sample = { .flags = flags, .bank = bank };

	return bpmu_flaw_flags(&sample);
}

/*
 * If something other than barepmu has written the counters of a box, the note names perf's PMUs of
 * the box. Notes about other disturbances name no PMU.
 */
TEST(a_disturbed_box_names_the_pmus_of_perf)
{
	struct bpmu_flaws flaws = { };

	bpmu_flaws_note(&flaws, flaws_of(BPMU_SAMPLE_DISTURBED | BPMU_SAMPLE_TIMER, BPMU_BANK_L3), 2,
			0, 1);
	bpmu_flaws_note(&flaws, flaws_of(BPMU_SAMPLE_PREFETCH, BPMU_BANK_DF), 2, 0, 1);
	printed(&flaws, false,
		"  disturbed: another agent, e.g. perf (amd_l3, amd_l2), wrote counter registers of CPU 2 between 0.000000 and 1.000000 s: its counts are unreliable; stop what writes MSRs and measure again\n"
		"  prefetchers: not as --prefetchers asked on CPU 2 between 0.000000 and 1.000000 s: its counts are with prefetchers as they were; \"barepmu check\" shows the cause while the session lasts\n");
	bpmu_flaws_note(&flaws, flaws_of(BPMU_SAMPLE_DISTURBED, BPMU_BANK_LINK), 2, 0, 1);
	printed(&flaws, true,
		"{\"schema\":3,\"type\":\"flaw\",\"flaw\":\"disturbed\",\"cpus\":\"2\",\"begin\":0.000000,\"end\":1.000000,\"perf\":\"amd_l3, uncore_qpi, uncore_upi, amd_l2\"}\n"
		"{\"schema\":3,\"type\":\"flaw\",\"flaw\":\"prefetchers\",\"cpus\":\"2\",\"begin\":0.000000,\"end\":1.000000}\n");
}

/*
 * The flags of a disturbance are made from the flags of a sample. They include the bank (a set of
 * counters that are multiplexed together) that was disturbed. The result is 0 if no flag of the
 * sample means a disturbance.
 */
TEST(the_flags_of_a_flaw_have_its_bank)
{
	assert_int_equal(flaws_of(BPMU_SAMPLE_TIMER, BPMU_BANK_L3), 0);
	assert_int_equal(flaws_of(BPMU_SAMPLE_DISTURBED | BPMU_SAMPLE_TIMER, BPMU_BANK_L3),
			 BPMU_SAMPLE_DISTURBED | 1 << (16 + BPMU_BANK_L3));
}

TEST(prefetchers_are_a_flaw_of_existing_cpus)
{
	struct bpmu_flaws flaws = { };

	bpmu_flaws_note(&flaws, BPMU_SAMPLE_PREFETCH, 0, 0, 2);
	bpmu_flaws_note(&flaws, BPMU_SAMPLE_PREFETCH, 8192, 0, 9);
	printed(&flaws, true,
		"{\"schema\":3,\"type\":\"flaw\",\"flaw\":\"prefetchers\",\"cpus\":\"0\",\"begin\":0.000000,\"end\":2.000000}\n");
}

/* The time of a flaw is from the first begin to the last end, whichever CPU is noted first. */
TEST(a_flaw_lasts_from_its_first_begin_to_its_last_end)
{
	struct bpmu_flaws flaws = { };

	bpmu_flaws_note(&flaws, BPMU_SAMPLE_PREFETCH, 1, 2, 9);
	bpmu_flaws_note(&flaws, BPMU_SAMPLE_PREFETCH, 0, 1, 3);
	bpmu_flaws_note(&flaws, BPMU_SAMPLE_PREFETCH, 3, 4, 5);
	printed(&flaws, true,
		"{\"schema\":3,\"type\":\"flaw\",\"flaw\":\"prefetchers\",\"cpus\":\"0-1,3\",\"begin\":1.000000,\"end\":9.000000}\n");
}

/* The buffer of BPMU_VALUE_FLAG_TEXT bytes has room for the words of all flags at once. */
TEST(all_flags_fit_into_the_buffer)
{
	char text[BPMU_VALUE_FLAG_TEXT];
	unsigned int flags;

	flags = bpmu_flaws_of_values(BPMU_SAMPLE_DISTURBED | BPMU_SAMPLE_STOP |
				     BPMU_SAMPLE_FAILED | BPMU_SAMPLE_PREFETCH);
	assert_int_equal(flags, BPMU_VALUE_FLAWS);
	bpmu_value_flags_text(flags, "", " ", "", text);
	assert_string_equal(text, "disturbed failed prefetchers");
	assert_true(bpmu_value_flags_text(~0U, "\"", ",", "\"", text) <
		    sizeof(text));
	assert_non_null(strstr(text, "\"prefetchers\""));
	bpmu_value_flags_text(BPMU_VALUE_SHARED, "", " ", "", text);
	assert_string_equal(text, "shared");
}

/* The words are those that barepmu-output(7) explains. */
TEST(each_flag_has_its_word)
{
	static const struct {
		unsigned int flag;
		const char *word;
	} words[] = {
		{ BPMU_VALUE_BELOW_0, "below-0" }, { BPMU_VALUE_ABOVE_1, "above-1" },
		{ BPMU_VALUE_DIVIDED_BY_0, "divided-by-0" }, { BPMU_VALUE_MISSING, "missing" },
		{ BPMU_VALUE_MIXED, "mixed-groups" }, { BPMU_VALUE_WRAPPED, "wrapped" },
		{ BPMU_VALUE_ERRATUM, "erratum" }, { BPMU_VALUE_UNSURE, "unsure" },
		{ BPMU_VALUE_UNDECIDED, "undecided" }, { BPMU_VALUE_DISTURBED, "disturbed" },
		{ BPMU_VALUE_FAILED, "failed" }, { BPMU_VALUE_PREFETCH, "prefetchers" },
		{ BPMU_VALUE_UNCORRECTED, "uncorrected" },
		{ BPMU_VALUE_NORMALISED, "normalised" }, { BPMU_VALUE_ABSENT, "absent" },
		{ BPMU_VALUE_FEW, "few-slices" }, { BPMU_VALUE_UNSEEN, "unseen" },
		{ BPMU_VALUE_BURSTY, "bursty" }, { BPMU_VALUE_SHARED, "shared" },
	};
	char text[BPMU_VALUE_FLAG_TEXT], two[64];
	size_t i;

	assert_int_equal(bpmu_value_flags_text(0, "<", "|", ">", text), 0);
	assert_string_equal(text, "");
	assert_int_equal(bpmu_value_flags_text(1U << 31, "<", "|", ">", text), 0);
	for (i = 0; i < sizeof(words) / sizeof(*words); i++) {
		assert_int_equal(bpmu_value_flags_text(words[i].flag, "", " ", "", text),
				 strlen(words[i].word));
		assert_string_equal(text, words[i].word);
		if (!i)
			continue;
		snprintf(two, sizeof(two), "<below-0>|<%s>", words[i].word);
		assert_int_equal(bpmu_value_flags_text(words[i].flag | BPMU_VALUE_BELOW_0, "<",
						       "|", ">", text), strlen(two));
		assert_string_equal(text, two);
	}
}
