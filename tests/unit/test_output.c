// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the output file of the option -o: a measurement that cannot begin leaves an existing
 * file unchanged and creates no new one; if a measurement has begun, the file has its output.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"
#include "unit.h"

static char path[] = "/tmp/barepmu-output-XXXXXX";

/*
 * Simulates a command with the option -o. The command prints @text, or nothing if @text is NULL. It
 * ends with the error code @code; 0 for success.
 */
static void call(bool append, const char *text, int code)
{
	struct bpmu_options options = { .output = path, .append = append };
	struct bpmu_error err;
	FILE *out = bpmu_options_open(&options, &err);

	assert_non_null(out);
	if (text)
		fputs(text, out);
	assert_int_equal(bpmu_options_close(&options, out, code, &err), code);
}

static void holds(const char *text)
{
	char found[32] = "";
	FILE *file = fopen(path, "r");

	assert_non_null(file);
	fread(found, 1, sizeof(found) - 1, file);
	fclose(file);
	assert_string_equal(found, text);
}

TEST(a_new_file_is_absent_without_a_session)
{
	int append;

	for (append = 0; append <= 1; append++) {
		call(append, NULL, -EBUSY);
		assert_int_equal(access(path, F_OK), -1);
		call(append, "part", -EIO);
		holds("part");
		unlink(path);
		call(append, NULL, 0);
		holds("");
		unlink(path);
	}
}

TEST(an_earlier_file_survives_without_a_session)
{
	int append;

	for (append = 0; append <= 1; append++) {
		call(append, "earlier", 0);
		call(append, NULL, -EBUSY);
		holds("earlier");
		unlink(path);
		call(append, NULL, 0);
		call(append, NULL, -EBUSY);
		holds("");
		unlink(path);
	}
	call(false, "earlier", 0);
	call(false, "later", 0);
	holds("later");
	call(true, ".", 0);
	holds("later.");
	unlink(path);
}

TEST_FIXTURE(setup)
{
	int fd = mkstemp(path);

	if (fd < 0)
		return 1;
	close(fd);
	unlink(path);
	return 0;
}

TEST_GROUP(setup, NULL);
