// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the names that are suggested in place of a mistyped one, and of the texts that numbers
 * and commands are printed as.
 */

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/nearest.h"
#include "base/print.h"
#include "unit.h"

/**
 * struct typed - a mistyped name, and what is suggested
 * @text: the mistyped name
 * @names: known names, separated by blanks
 * @list: expected list of suggestions
 */
struct typed {
	const char *text;
	const char *names;
	const char *list;
};

/*
 * Names of four and more letters may differ in two, of eight and more in three, shorter ones in one:
 * a letter more, less, or another one, in upper or lower case. The nearest come first, of equal ones
 * in the order in which they are known, then names that begin with the text, then such that contain
 * it, if it has three letters and more; five names in all.
 */
static const struct typed all[] = {
	{ "abc", "abd", "abd" },
	{ "abc", "ABC", "ABC" },
	{ "abc", "ab", "ab" },
	{ "abc", "xabc", "xabc" },
	{ "abc", "add", "" },
	{ "abc", "a", "" },
	{ "abcd", "abxy", "abxy" },
	{ "abcd", "axyz", "" },
	{ "abcd", "badc", "" },
	{ "abcdefg", "abcdxyz", "" },
	{ "abcdefgh", "abcdexyz", "abcdexyz" },
	{ "kitten", "sitting", "" },
	{ "kittens", "sittings", "" },
	{ "kittenly", "sittingly", "sittingly" },
	{ "abc", "zzabczz abczzzz abd abc", "abc, abd, abczzzz, zzabczz" },
	{ "abc", "zzabczz abczzzz", "abczzzz, zzabczz" },
	{ "ABC", "zzabczz", "zzabczz" },
	{ "ab", "abzzz zzabz", "" },
	{ "abc", "abd abe abf abg abh abi", "abd, abe, abf, abg, abh" },
	{ "abc", "abd abe abf abg abh abc", "abc, abd, abe, abf, abg" },
	{ "abc", "zzabczz abczzzz abd abe abf abg", "abd, abe, abf, abg, abczzzz" },
	{ "abc", "xyz", "" },
	{ "", "a bb", "a" },
};

TEST(names_that_differ_in_few_letters_are_near)
{
	char names[64], list[BPMU_NEAREST_LIST];
	unsigned int i;
	char *name;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		struct bpmu_nearest nearest = { .typed = all[i].text };

		strcpy(names, all[i].names);
		for (name = strtok(names, " "); name; name = strtok(NULL, " "))
			bpmu_nearest_offer(&nearest, name);
		bpmu_nearest_list(&nearest, list, sizeof(list));
		assert_string_equal(list, all[i].list);
	}
}

/* Names of up to 128 letters are compared. */
TEST(long_names_are_not_near)
{
	char typed[140], name[140], list[BPMU_NEAREST_LIST * 4];
	unsigned int len;

	for (len = 127; len <= 129; len++) {
		struct bpmu_nearest nearest = { .typed = typed };

		memset(typed, 'a', len);
		memset(name, 'a', len);
		typed[len] = '\0';
		name[len] = '\0';
		typed[3] = 'b';
		bpmu_nearest_offer(&nearest, name);
		assert_int_equal(nearest.nr, len <= 128);
	}
	strcpy(typed, "abc");
	{
		struct bpmu_nearest nearest = { .typed = typed };

		bpmu_nearest_offer(&nearest, "abd");
		bpmu_nearest_offer(&nearest, "abe");
		memset(list, 'x', sizeof(list));
		bpmu_nearest_list(&nearest, list, 7);
		assert_string_equal(list, "abd, a");
		assert_int_equal(list[7], 'x');
		bpmu_nearest_list(&nearest, list, 4);
		assert_string_equal(list, "abd");
		for (len = 7; len < sizeof(list); len++)
			assert_int_equal(list[len], 'x');
	}
}

TEST(digits_are_in_groups_of_three)
{
	static const struct {
		long long number;
		const char *text;
	} numbers[] = {
		{ 0, "0" }, { 7, "7" }, { 10, "10" }, { 999, "999" }, { 1000, "1,000" },
		{ -1, "-1" }, { -999, "-999" }, { -1000, "-1,000" }, { 12034, "12,034" },
		{ 1002003, "1,002,003" }, { 987654321, "987,654,321" },
		{ LLONG_MAX, "9,223,372,036,854,775,807" },
		{ LLONG_MIN, "-9,223,372,036,854,775,808" },
	};
	char buffer[BPMU_PRINT_NUMBER];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		assert_string_equal(bpmu_print_number(buffer, numbers[i].number), numbers[i].text);
}

TEST(commands_are_printed_with_their_arguments)
{
	char *one[] = { "ls", NULL }, *three[] = { "ls", "-l", "a b", NULL };
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	bpmu_print_during(out, NULL, 3);
	bpmu_print_during(out, one, 0);
	bpmu_print_during(out, one, 1);
	bpmu_print_during(out, three, 2);
	bpmu_print_command(out, three);
	fclose(out);
	assert_string_equal(text,
			    " during 'ls' during 1 run of 'ls' during 2 runs of 'ls -l a b'ls -l a b");
	free(text);
}
