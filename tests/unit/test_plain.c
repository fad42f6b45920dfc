// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of printing texts from elsewhere, such as the name of a process: control characters are
 * replaced, so that they cannot control the user's terminal.
 */
#include <string.h>

#include "base/array.h"
#include "base/plain.h"
#include "client/client.h"
#include "recording/recording_who.h"
#include "unit.h"

static const struct {
	const char *text;
	const char *plain;
} rows[] = {
	{ "", "" }, { "plain", "plain" }, { "na\xc3\xafve \xe2\x82\xac \xf0\x9f\x98\x80", "na\xc3\xafve \xe2\x82\xac \xf0\x9f\x98\x80" },
	{ "\x1b[2J", "?[2J" }, { "a\tb\nc\rd", "a?b?c?d" }, { "\x7f", "?" },
	/*
	 * C1 characters, such as CSI and OSC, begin control sequences. Here a C1 character is
	 * encoded in UTF-8, or is a single byte. U+00A0, the character after the last C1 character,
	 * is kept.
	 */
	{ "\xc2\x9b\x33\x31\x6d", "??31m" }, { "\x9b\x33\x31\x6d", "?31m" },
	{ "\xc2\x9d\x30;x\xc2\x9c", "??0;x??" }, { "\xc2\xa0", "\xc2\xa0" },
	/*
	 * Invalid UTF-8: a truncated sequence, an overlong form, a surrogate, a value beyond
	 * Unicode.
	 */
	{ "\xe2\x82", "??" }, { "\xc0\x9b", "??" }, { "\xe0\x82\x9b", "???" },
	{ "\xed\xa0\x80", "???" }, { "\xf4\x90\x80\x80", "????" },
	{ "\xe2\x80\xa8", "???" }, { "\xff", "?" },
};

TEST(control_characters_of_texts_are_replaced)
{
	char text[64];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		strcpy(text, rows[i].text);
		assert_string_equal(bpmu_plain(text, ""), rows[i].plain);
		assert_int_equal(bpmu_plain_is(rows[i].text, ""),
				 !strcmp(rows[i].text, rows[i].plain));
		assert_true(bpmu_plain_is(text, ""));
	}
	strcpy(text, "a\tb\nc\x1b");
	assert_string_equal(bpmu_plain(text, "\t"), "a\tb?c?");
	assert_false(bpmu_plain_is("a\tb\nc", "\t"));
	assert_true(bpmu_plain_is("a\tb\nc", "\t\n"));
}

/* Error messages quote file names and other names that were refused. */
TEST(control_characters_of_errors_are_replaced)
{
	struct bpmu_error err;

	bpmu_error_set(&err, -1, "%s: cannot be read", "\x1b]0;mine\a");
	assert_string_equal(err.text, "?]0;mine?: cannot be read");
}

/* A process chooses its own name, so that name is not to be trusted. */
TEST(control_characters_of_process_names_are_replaced)
{
	struct bpmu_who who = { .pid = 7, .tgid = 7, .comm = "\x1b[31mred" };
	struct bpmu_who_code put = { }, get = { };
	unsigned char bytes[BPMU_WHO_MOST];
	const struct bpmu_who *got;
	struct bpmu_code_extra extra;

	extra.size = bpmu_who_put(&put, &who, bytes);
	extra.data = bytes;
	assert_true(bpmu_who_get(&get, &extra, &got));
	assert_string_equal(got->comm, "?[31mred");
}
