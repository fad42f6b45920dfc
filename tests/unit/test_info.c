// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of "barepmu info": each property of the machine is printed in its place. All numbers of the
 * test's machines are different, so that swapped properties are found.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "client/client.h"
#include "command.h"
#include "free.h"
#include "source/overhead.h"
#include "unit.h"

static const struct bpmu_client_failure some_failures[] = {
	{ 3, BPMU_BANK_IMC, EBUSY }, { 5, BPMU_BANK_CORE, ENODEV }, { 7, 99, EIO },
};

static struct bpmu_info machine;
static unsigned int nr_failures, closed;
static int open_code, info_code, failures_code, overhead_code;

int __wrap_bpmu_client_open(struct bpmu_client **client, struct bpmu_error *err);
void __wrap_bpmu_client_close(struct bpmu_client *client);
int __wrap_bpmu_client_info(struct bpmu_client *client, struct bpmu_info *info,
			    struct bpmu_error *err);
int __wrap_bpmu_client_failures(struct bpmu_client *client, struct bpmu_failures *failures,
				struct bpmu_error *err);
int __wrap_bpmu_overhead_measure(struct bpmu_overhead *overhead, struct bpmu_error *err);

int __wrap_bpmu_client_open(struct bpmu_client **client, struct bpmu_error *err)
{
	*client = (struct bpmu_client *)&machine;
	return open_code ? bpmu_error_set(err, open_code, "no module") : 0;
}

void __wrap_bpmu_client_close(struct bpmu_client *client)
{
	assert_ptr_equal(client, &machine);
	closed++;
}

int __wrap_bpmu_client_info(struct bpmu_client *client, struct bpmu_info *info,
			    struct bpmu_error *err)
{
	(void)client;
	*info = machine;
	return info_code ? bpmu_error_set(err, info_code, "no facts") : 0;
}

int __wrap_bpmu_client_failures(struct bpmu_client *client, struct bpmu_failures *failures,
				struct bpmu_error *err)
{
	(void)client;
	failures->nr = nr_failures;
	failures->failure = calloc(nr_failures + 1, sizeof(*some_failures));
	assert_non_null(failures->failure);
	memcpy(failures->failure, some_failures, nr_failures * sizeof(*some_failures));
	return failures_code ? bpmu_error_set(err, failures_code, "no list") : 0;
}

int __wrap_bpmu_overhead_measure(struct bpmu_overhead *overhead, struct bpmu_error *err)
{
	*overhead = (struct bpmu_overhead){
		.events = 2, .samples = 301, .median = 4002, .least = 3003, .most = 50004,
		.reading = 605, .reading_low = 600, .reading_high = 610,
	};
	return overhead_code ? bpmu_error_set(err, overhead_code, "no samples") : 0;
}

/*
 * Runs "barepmu info" with the arguments in @words, which must return @status, and appends its
 * command line, its output and its error message to @out.
 */
static void run(FILE *out, int status, const char *words)
{
	struct bpmu_ctx ctx = { .evaluation = NULL };
	char *all = strdup(words), *said, *word;
	char *argv[8] = { "info" };
	int argc = 1, code;

	assert_non_null(all);
	for (word = strtok(all, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	fprintf(out, "$ info%s%s\n", *words ? " " : "", words);
	unit_capture_begin(stdout);
	code = bpmu_cmd_info(&ctx, argc, argv);
	said = unit_capture_end();
	assert_int_equal(code, status);
	fputs(said, out);
	free(said);
	free(all);
	if (status)
		fprintf(out, "%s\n", ctx.err.text);
}

static void set(const char *part, u64 free)
{
	machine = (struct bpmu_info){
		.family = 6, .model = 62, .stepping = 4, .pmu = unit_pmu(part, 4),
		.tsc_khz = 2700045, .cpus_online = 17,
	};
	snprintf(machine.part, sizeof(machine.part), "%s", part);
	snprintf(machine.title, sizeof(machine.title), "%s", machine.pmu.part->title);
	snprintf(machine.module_version, sizeof(machine.module_version), "1.23");
	machine.pmu.version = 3;
	machine.pmu.gp_width = 48;
	machine.pmu.fixed_counters = 2;
	machine.pmu.fixed_width = 40;
	machine.pmu.free = free;
}

TEST(each_machine_is_described)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	set("ivb", BPMU_FREE(TSC) | BPMU_FREE(PKG));
	machine.pmu.units = 0xa1003;
	machine.pmu.tjmax = 105;
	run(out, 0, "");
	run(out, 0, "-j");
	set("skx", BPMU_FREE(TSC));
	machine.pmu.nr[BPMU_UNIT_CHA] = 26;
	machine.pmu.nr[BPMU_UNIT_IMC] = 5;
	machine.pmu.nr[BPMU_UNIT_HA] = 2;
	machine.pmu.nr[BPMU_UNIT_LINK] = 3;
	machine.pmu.nr[BPMU_UNIT_IIO] = 6;
	machine.state = BPMU_STATE_RUNNING;
	machine.owner_pid = 4711;
	strcpy(machine.owner_comm, "toplev");
	machine.busy = true;
	nr_failures = 3;
	run(out, 0, "");
	run(out, 0, "--json");
	nr_failures = 0;
	set("spr", BPMU_FREE(TSC));
	machine.state = BPMU_STATE_READY;
	machine.pmu.pebs_format = 1 + 1;
	run(out, 0, "");
	machine.pmu.pebs_format = 0 + 1;
	run(out, 0, "-j");
	machine.pmu.pebs_format = 5 + 1;
	machine.pmu.pebs = 0x3;
	run(out, 0, "");
	machine.pmu.pebs = 0;
	machine.pmu.pebs_format = 16;
	run(out, 0, "");
	machine.pmu.pebs = 0x3;
	run(out, 0, "");
	set("adl", BPMU_FREE(TSC) | BPMU_FREE(MEMORY64_READS));
	machine.pmu.nr[BPMU_UNIT_IMC] = 2;
	machine.state = 9;
	run(out, 0, "");
	set("zen4", BPMU_FREE(IRPERF) | BPMU_FREE(AMD_PKG));
	machine.pmu.ibs = 0x1bff;
	machine.pmu.nr[BPMU_UNIT_UMC] = 12;
	machine.pmu.counters[BPMU_UNIT_DF] = 16;
	machine.pmu.counters[BPMU_UNIT_UMC] = 4;
	run(out, 0, "");
	run(out, 0, "-j");
	machine.pmu.ibs = 0x1fd;
	run(out, 0, "");
	machine.pmu.ibs = 0x3ff;
	run(out, 0, "");
	assert_int_equal(closed, 14);
	run(out, 0, "--overhead");
	run(out, 0, "--overhead -j");
	assert_int_equal(closed, 14);
	fclose(out);
	unit_text("info", text);
}

TEST(what_fails_is_said)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	closed = 0;
	set("ivb", 0);
	nr_failures = 1;
	open_code = -ENOENT;
	run(out, 1, "");
	assert_int_equal(closed, 0);
	open_code = 0;
	info_code = -EPROTO;
	run(out, 1, "");
	info_code = 0;
	failures_code = -EIO;
	run(out, 1, "-j");
	assert_int_equal(closed, 2);
	overhead_code = -EAGAIN;
	run(out, 1, "--overhead");
	run(out, 2, "--what");
	run(out, 2, "word");
	fclose(out);
	unit_says(text, (const char *const[]){
		"$ info\nno module\n$ info\nno facts\n$ info -j\nno list\n$ info --overhead\nno samples\n",
		"$ info --what\noption '--what': not known; see 'barepmu info --help'\n",
		"$ info word\ninfo: 'word': one word too many; see 'barepmu info --help'\n", NULL,
	});
}
