// SPDX-License-Identifier: GPL-2.0
/*
 * Output of the self-test: what the self-test is going to do, the tested machine, and the verdict
 * of each check.
 */
#include "selftest.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <cpuid.h>

#include "base/sysfs.h"
#include "base/version.h"

/**
 * bpmu_selftest_say() - print the verdict of a check of the self-test as text, JSON or both
 * @check: name of the check in JSON
 * @verdict: result of the check
 * @fmt: sentence for the user, a format as for printf()
 */
void bpmu_selftest_say(struct bpmu_selftest *selftest, const char *check,
		       enum bpmu_selftest_verdict verdict, const char *fmt, ...)
{
	static const char *const names[] = {
		[BPMU_SELFTEST_OK] = "ok",
		[BPMU_SELFTEST_FAIL] = "FAIL",
		[BPMU_SELFTEST_SKIP] = "skip",
	};
	static const struct bpmu_column columns[] = {
		{ "verdict", -5, .after = " " },
		{ "check", -12, .after = " " },
		{ "text" },
	};
	struct bpmu_table table = {
		.out = selftest->json, .format = BPMU_JSON, .type = "selftest",
	};
	char text[1024];
	const struct bpmu_field fields[] = {
		{ "check", check, BPMU_FIELD_TEXT },
		{ "verdict", names[verdict], BPMU_FIELD_TEXT },
		{ "text", text, BPMU_FIELD_TEXT },
	};
	struct bpmu_table text_table = {
		.out = selftest->text, .format = BPMU_TEXT,
		.text = BPMU_COLUMNS(columns),
	};
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	selftest->nr[verdict]++;
	bpmu_progress_end(&selftest->progress);
	if (selftest->text) {
		bpmu_table_row(&text_table, fields, ARRAY_SIZE(fields));
		fflush(selftest->text);
	}
	if (selftest->json)
		bpmu_table_row(&table, fields, ARRAY_SIZE(fields));
}

/**
 * bpmu_selftest_raw() - write the raw values of a check to the self-test's report
 * @check: name of the check in JSON
 * @fields: values, [@nr]
 * @nr: number of values
 */
void bpmu_selftest_raw(struct bpmu_selftest *selftest, const char *check,
		       const struct bpmu_field *fields, unsigned int nr)
{
	const struct bpmu_field name = { "check", check, BPMU_FIELD_TEXT };
	struct bpmu_table table = {
		.out = selftest->json, .format = BPMU_JSON,
		.type = "selftest-raw", .when = { &name, 1 },
	};

	if (selftest->json)
		bpmu_table_row(&table, fields, nr);
}

/**
 * bpmu_selftest_counter() - format the name of a counter for the self-test's report
 * @counter: number of the counter
 * @buffer: buffer for the name
 *
 * Return: @buffer: "2" for general-purpose counter 2, "fixed 2" for fixed counter 2.
 */
const char *bpmu_selftest_counter(u32 counter, char buffer[20])
{
	if (counter >= BPMU_FIXED_BASE)
		snprintf(buffer, 20, "fixed %u", counter - BPMU_FIXED_BASE);
	else
		snprintf(buffer, 20, "%u", counter);
	return buffer;
}

/**
 * bpmu_selftest_announce() - print what the self-test will do to the machine
 * @selftest: the self-test; its target is open
 * @report: name of the report file, or NULL
 */
void bpmu_selftest_announce(const struct bpmu_selftest *selftest, FILE *out,
			    const char *report)
{
	const struct bpmu_target *target = &selftest->target;
	u32 first = target->cpus.cpu[0];

	fprintf(out, "Self-test of %u CPU%s (%s), %s. It will\n\n"
		     "  - hold the counters of these CPUs: meanwhile perf and others cannot use them\n"
		     "  - keep one CPU after the other busy, as a real-time process, some ms each\n"
		     "  - start counters just below their maximum, so that they wrap\n"
		     "  - let counters interrupt (NMI) in loops of some ten thousand instructions\n",
		target->cpus.nr, target->cpus.nr == 1 ? "" : "s",
		target->cpus_text, target->info.title);
	if (target->info.prefetch)
		fprintf(out, "  - switch the L1 prefetchers of CPU %u's core off and on again\n",
			first);
	if (target->smt)
		fprintf(out, "  - keep the other thread of CPU %u's core busy for some seconds\n",
			first);
	fprintf(out, "  - use 32 MB of memory, and read /dev/cpu/*/msr where there is one\n\n"
		     "It writes only registers of the counters%s, and restores all of them.\n"
		     "It loads no module%s%s.\n\n",
		target->info.prefetch ? ", their interrupts and the prefetchers" :
					" and their interrupts",
		report ? ", and writes no file but " : " and writes no file",
		report ?: "");
	fflush(out);
}

/*
 * Sets @value to the value of the first line "@name : value" of /proc/cpuinfo; "" if there is none.
 */
static void cpuinfo(const char *name, char *value, size_t size)
{
	FILE *file = fopen("/proc/cpuinfo", "re");
	char line[512];
	char *text;

	*value = 0;
	while (file && !*value && fgets(line, sizeof(line), file)) {
		if (strncmp(line, name, strlen(name)))
			continue;
		text = strstr(line, ": ");
		if (!text)
			continue;
		text[strcspn(text, "\n")] = 0;
		snprintf(value, size, "%s", text + 2);
	}
	if (file)
		fclose(file);
}

/*
 * Adds to a JSON object the CPUID leaves that describe the PMU. They are read on the CPU that runs
 * this function.
 */
static void put_leaves(struct bpmu_object *object)
{
	static const u32 numbers[] = {
		0, 1, 7, 0xa, 0x1a, 0x23, 0x80000001, 0x80000022
	};
	static const char *const names[] = { "eax", "ebx", "ecx", "edx" };
	struct bpmu_field leaf[1 + ARRAY_SIZE(names)] = {
		{ "leaf", .form = BPMU_FIELD_HEX },
	};
	const struct bpmu_field element = {
		.form = BPMU_FIELD_OBJECT, .of = { leaf, ARRAY_SIZE(leaf) },
	};
	u32 value[ARRAY_SIZE(names)];
	char text[ARRAY_SIZE(names)][11];
	size_t i, r;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		if (!__get_cpuid_count(numbers[i], 0, &value[0], &value[1],
				       &value[2], &value[3]))
			continue;
		leaf[0].whole = numbers[i];
		for (r = 0; r < ARRAY_SIZE(names); r++) {
			snprintf(text[r], sizeof(text[r]), "0x%08x", value[r]);
			leaf[1 + r] = (struct bpmu_field){
				names[r], text[r], BPMU_FIELD_TEXT,
			};
		}
		bpmu_object_put(object, &element, 1);
	}
}

/**
 * bpmu_selftest_machine() - write the tested CPUs and the running kernel to the self-test's report
 * @selftest: the self-test; its target is open
 */
void bpmu_selftest_machine(struct bpmu_selftest *selftest)
{
	const struct bpmu_info *info = &selftest->target.info;
	struct bpmu_object object;
	struct utsname name = { };
	char title[256], microcode[256];
	const struct bpmu_table table = {
		.out = selftest->json, .format = BPMU_JSON,
		.type = "selftest-machine",
	};
	const struct bpmu_field fields[] = {
		{ "tool", BPMU_VERSION, BPMU_FIELD_TEXT },
		{ "module", info->module_version, BPMU_FIELD_TEXT },
		{ "kernel", name.release, BPMU_FIELD_TEXT },
		{ "cpu_name", title, BPMU_FIELD_TEXT },
		{ "microcode", microcode, BPMU_FIELD_TEXT },
		{ "part", info->part, BPMU_FIELD_TEXT },
		{ "family", .form = BPMU_FIELD_WHOLE, .whole = info->family },
		{ "model", .form = BPMU_FIELD_WHOLE, .whole = info->model },
		{ "stepping", .form = BPMU_FIELD_WHOLE,
		  .whole = info->stepping },
		{ "tsc_khz", .form = BPMU_FIELD_WHOLE, .whole = info->tsc_khz },
		{ "cpus_online", .form = BPMU_FIELD_WHOLE,
		  .whole = info->cpus_online },
		{ "cpus", selftest->target.cpus_text, BPMU_FIELD_TEXT },
		{ "smt", .form = BPMU_FIELD_FIXED,
		  .number = selftest->target.smt },
	};

	if (!selftest->json)
		return;
	uname(&name);
	cpuinfo("model name", title, sizeof(title));
	cpuinfo("microcode", microcode, sizeof(microcode));
	object = bpmu_table_open(&table, fields, ARRAY_SIZE(fields));
	bpmu_object_open(&object, "cpuid", '[');
	put_leaves(&object);
	bpmu_object_close(&object, ']');
	bpmu_table_close(&object);
}
