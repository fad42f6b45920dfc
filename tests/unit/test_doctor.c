// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of "barepmu doctor", which prints the commands that remove obstacles to measurements. The
 * test decides which obstacles the checks find.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/sysfs.h"
#include "cmd/check/check.h"
#include "commands.h"
#include "unit.h"

static bool unloaded, watchdog;
/*
 * Contents of sysfs' file cpu_core/rdpmc, which says whether programs may read counters by RDPMC;
 * NULL if there is no file.
 */
static const char *rdpmc;
static unsigned int checks;

int __wrap_bpmu_check_all(struct bpmu_checkup *check)
{
	checks++;
	check->unloaded = unloaded;
	check->watchdog = watchdog;
	check->failed = unloaded;
	if (!check->json)
		puts("(checks)");
	return unloaded;
}

bool __wrap_bpmu_sysfs_read(const char *name, char *text, size_t size)
{
	if (!rdpmc || !strstr(name, "/cpu_core/rdpmc"))
		return false;
	snprintf(text, size, "%s", rdpmc);
	return true;
}

static uid_t user;

uid_t __wrap_geteuid(void)
{
	return user;
}

/*
 * Runs "barepmu doctor" with the arguments in @words, which must return @status, and appends its
 * command line and output to @out.
 */
static void run(FILE *out, int status, const char *words)
{
	struct bpmu_ctx ctx = { .evaluation = NULL };
	char *all = strdup(words), *said, *word;
	char *argv[8] = { "doctor" };
	int argc = 1, code;

	assert_non_null(all);
	for (word = strtok(all, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	fprintf(out, "$ doctor%s%s%s%s%s%s\n", *words ? " " : "", words, unloaded ? " [no module]" : "",
		watchdog ? " [watchdog]" : "", rdpmc ? " [rdpmc]" : "", user ? " [not root]" : "");
	unit_capture_begin(stdout);
	code = bpmu_cmd_doctor(&ctx, argc, argv);
	said = unit_capture_end();
	assert_int_equal(code, status);
	fputs(said, out);
	if (status == 2)
		fprintf(out, "%s\n", ctx.err.text);
	free(said);
	free(all);
}

TEST(commands_fix_what_was_found)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	run(out, 0, "");
	unloaded = true;
	run(out, 1, "");
	watchdog = true;
	rdpmc = "1";
	run(out, 1, "");
	run(out, 1, "rdpmc");
	run(out, 1, "watchdog module");
	run(out, 1, "-j");
	user = 1000;
	run(out, 1, "");
	user = 0;
	unloaded = false;
	watchdog = false;
	run(out, 0, "");
	rdpmc = "2";
	run(out, 0, "rdpmc");
	assert_int_equal(checks, 9);
	run(out, 2, "kernel");
	fclose(out);
	unit_text("doctor", text);
}
