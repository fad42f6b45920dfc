// SPDX-License-Identifier: GPL-2.0
/* Tests of the truth file: all that it says, for totals of known size. */
#include "truth/truth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "box/package.h"
#include "machine.h"
#include "memory/tracker.h"

static char text[1 << 18];

/* Adds @by times the number of each quantity, from 1 on, to a vCPU's totals at one level. */
static void happen(struct vpmu_cpu *cpu, unsigned int priv, uint64_t by)
{
	struct vcore_counts *counts = &cpu->core->counts[priv];
	unsigned int i;

	for (i = 0; i < VPMU_EXACT; i++)
		cpu->score->exact[i][priv] += by * (i + 1);
	for (i = 0; i < VCORE_PLAIN; i++)
		counts->plain[i] += by * (i + 1);
	for (i = 0; i < VCORE_PER_CYCLE; i++) {
		counts->cycles_with[i][1] += by * (i + 1);
		counts->cycles_with[i][3] += by;
	}
}

/* Writes the file, and returns what it has of a section, without its first and last line. */
static const char *section(const char *which)
{
	static char found[sizeof(text)];
	char head[64];
	char *at, *end;
	FILE *in;

	vpmu_truth_write();
	in = fopen(machine_file, "r");
	assert_non_null(in);
	text[fread(text, 1, sizeof(text) - 1, in)] = '\0';
	fclose(in);
	snprintf(head, sizeof(head), "\"%s\": [\n", which);
	at = strstr(text, head);
	assert_non_null(at);
	at += strlen(head);
	end = *at == ']' ? at : strstr(at, "\n]") + 1;
	snprintf(found, sizeof(found), "%.*s", (int)(end - at), at);
	return found;
}

/* Returns the line with number @nr, from 0 on, of the lines @lines. */
static const char *line(const char *lines, unsigned int nr)
{
	static char found[1 << 15];

	while (nr--) {
		lines = strchr(lines, '\n');
		assert_non_null(lines);
		lines++;
	}
	snprintf(found, sizeof(found), "%.*s", (int)strcspn(lines, "\n"), lines);
	return found;
}

static uint64_t value(const char *in, const char *priv, const char *key)
{
	char words[64];
	const char *at;

	snprintf(words, sizeof(words), "\"%s\": {", priv);
	at = strstr(in, words);
	assert_non_null(at);
	snprintf(words, sizeof(words), "\"%s\": ", key);
	at = strstr(at, words);
	assert_non_null(at);
	return strtoull(at + strlen(words), NULL, 10);
}

/* Fails unless a line says that happen(@kernel) and happen(@user) is all that happened. */
static void assert_happened(const char *in, uint64_t kernel, uint64_t user)
{
	static const struct {
		const char *key;
		unsigned int nr;
	} some[] = {
		{ "instructions", VPMU_INSTRUCTIONS + 1 }, { "br_far", VPMU_BR_FAR + 1 },
		{ "atomics", VPMU_EXACT }, { "cycles", VCORE_CYCLES + 1 },
		{ "baclears", VCORE_BACLEARS + 1 }, { "stall_rob", VCORE_STALL_ROB + 1 },
		{ "no_retire_load", VCORE_NO_RETIRE_LOAD + 1 }, { "l3_miss", VCORE_L3_MISS + 1 },
		{ "l2_code_hits", VCORE_L2_CODE_HITS + 1 }, { "hwp_l2miss", VCORE_PLAIN },
		{ "bubbles", 1 + 3 }, { "executed", 5 + 3 },
		{ "cycles_with_1_bubbles", 1 }, { "cycles_with_1_unsupplied", 2 },
		{ "cycles_with_2_bubbles", 0 }, { "cycles_with_3_bubbles", 1 },
		{ "cycles_with_4_unsupplied", 0 },
	};
	unsigned int i;

	for (i = 0; i < sizeof(some) / sizeof(*some); i++) {
		assert_int_equal(value(in, "kernel", some[i].key), kernel * some[i].nr);
		assert_int_equal(value(in, "user", some[i].key), user * some[i].nr);
	}
}

static void assert_begins(const char *in, const char *with)
{
	assert_true(strlen(in) >= strlen(with));
	assert_memory_equal(in, with, strlen(with));
}

static struct vpmu_cpu *create(unsigned int cpus)
{
	machine_new(&vpmu_ivb, cpus, 1);
	return vpmu_cpus;
}

TEST(without_a_file_nothing_is_recorded)
{
	struct vpmu_cpu *cpu = create(1);

	assert_false(vpmu_truth_needs_model());
	vpmu_truth_window(cpu, true);
	vpmu_truth_window(cpu, false);
	vpmu_truth_region(cpu, 3, true);
	vpmu_truth_region(cpu, 3, false);
	vpmu_truth_interrupt(cpu, true);
	vpmu_truth_record(cpu, 1, 2);
	vpmu_truth_op(cpu, &cpu->ibs);
	vpmu_truth_fetch(cpu, &cpu->ibs);
	vpmu_truth_write();
	assert_int_equal(cpu->score->model_on, 0);
	vpmu_truth_open(machine_file);
	assert_true(vpmu_truth_needs_model());
	vpmu_options.counters_model = true;
	assert_false(vpmu_truth_needs_model());
	assert_string_equal(section("windows"), "");
	assert_string_equal(section("regions"), "");
	assert_string_equal(section("interrupts"), "");
	assert_string_equal(section("records"), "");
	assert_string_equal(section("ops"), "");
	assert_string_equal(section("fetches"), "");
}

TEST(totals_are_those_of_each_cpu)
{
	struct vpmu_cpu *cpu = create(2);

	happen(&cpu[0], USER, 1000);
	happen(&cpu[0], KERNEL, 70);
	happen(&cpu[1], USER, 5);
	cpu[1].illegal_writes = 3;
	cpu[1].absent = 4;
	assert_begins(line(section("totals"), 0),
		      "{\"cpu\": 0, \"illegal_writes\": 0, \"absent\": 0, \"kernel\": {");
	assert_happened(line(section("totals"), 0), 70, 1000);
	assert_string_equal(strrchr(line(section("totals"), 0), '}'), "},");
	assert_begins(line(section("totals"), 1),
		      "{\"cpu\": 1, \"illegal_writes\": 3, \"absent\": 4, \"kernel\": {");
	assert_happened(line(section("totals"), 1), 0, 5);
	assert_string_equal(strrchr(line(section("totals"), 1), '}'), "}");
	assert_string_equal(line(section("totals"), 2), "");
	assert_begins(text,
		      "{\n\"part\": \"ivb\",\n\"totals\": [\n");
	assert_string_equal(text + strlen(text) - 4, "]\n}\n");
}

/* The first and the last component of each stage. */
TEST(each_stage_has_its_components)
{
	static const char *const stages[] = { "dispatch", "issue", "commit" };
	struct vpmu_cpu *cpu = create(1);
	char key[32];
	unsigned int i, k;

	for (i = 0; i < VCORE_STAGES; i++)
		for (k = 0; k < VCORE_COMPONENTS; k++)
			assert_int_equal(vcore_component(&cpu->core->counts[USER], i, k), 0);
	happen(cpu, USER, 6);
	for (i = 0; i < VCORE_STAGES; i++) {
		snprintf(key, sizeof(key), "%s_base", stages[i]);
		assert_int_equal(value(line(section("totals"), 0), "user", key),
				 vcore_component(&cpu->core->counts[USER], i, 0));
		snprintf(key, sizeof(key), "%s_other", stages[i]);
		assert_int_equal(value(line(section("totals"), 0), "user", key),
				 vcore_component(&cpu->core->counts[USER], i,
						 VCORE_COMPONENTS - 1));
	}
}

/*
 * A window has what happens from its begin to its end. It goes on if the vCPU has executed less
 * than VPMU_PAUSE instructions since it ended. A window that is open is not written.
 */
TEST(windows_have_what_happens_while_a_cpu_counts)
{
	struct vpmu_cpu *cpu = create(2);

	happen(&cpu[0], USER, 1);
	vpmu_truth_window(&cpu[0], true);
	happen(&cpu[0], USER, 20);
	happen(&cpu[1], USER, 300);
	cpu[0].msr_reads += 3;
	cpu[0].msr_writes += 5;
	assert_string_equal(section("windows"), "");
	vpmu_truth_window(&cpu[1], false);
	vpmu_truth_window(&cpu[0], false);
	cpu[0].msr_reads += 100;
	happen(&cpu[0], USER, VPMU_PAUSE - 1);
	assert_happened(line(section("windows"), 0), 0, 20);
	vpmu_truth_window(&cpu[0], true);
	happen(&cpu[0], KERNEL, 7);
	vpmu_truth_window(&cpu[0], false);
	vpmu_truth_window(&cpu[0], false);
	assert_begins(line(section("windows"), 0),
		      "{\"index\": 0, \"cpu\": 0, "
			    "\"msr_reads\": 103, \"msr_writes\": 5, \"kernel\": {");
	assert_happened(line(section("windows"), 0), 7, 20 + VPMU_PAUSE - 1);
	assert_string_equal(strrchr(line(section("windows"), 0), '}'), "}");
	assert_string_equal(line(section("windows"), 1), "");
	happen(&cpu[0], KERNEL, VPMU_PAUSE);
	vpmu_truth_window(&cpu[1], true);
	happen(&cpu[1], KERNEL, 9);
	vpmu_truth_window(&cpu[0], true);
	happen(&cpu[0], USER, 11);
	vpmu_truth_window(&cpu[0], false);
	vpmu_truth_window(&cpu[1], false);
	assert_begins(line(section("windows"), 1),
		      ",{\"index\": 0, \"cpu\": 1, "
			    "\"msr_reads\": 0, \"msr_writes\": 0, \"kernel\": {");
	assert_happened(line(section("windows"), 1), 9, 0);
	assert_begins(line(section("windows"), 2),
		      ",{\"index\": 1, \"cpu\": 0, ");
	assert_happened(line(section("windows"), 2), 0, 11);
	assert_string_equal(line(section("windows"), 3), "");
}

/* A region has what happens on all vCPUs; while one is open, all cores are simulated. */
TEST(regions_have_what_happens_on_all_cpus)
{
	struct vpmu_cpu *cpu = create(2);

	vpmu_truth_region(&cpu[0], 7, true);
	assert_true(cpu[0].score->model_on & VPMU_FOR_REGION);
	assert_true(cpu[1].score->model_on & VPMU_FOR_REGION);
	happen(&cpu[0], USER, 1);
	vpmu_truth_region(&cpu[1], 9, true);
	happen(&cpu[1], USER, 20);
	assert_string_equal(section("regions"), "");
	vpmu_truth_region(&cpu[1], 7, false);
	assert_true(cpu[1].score->model_on & VPMU_FOR_REGION);
	happen(&cpu[0], KERNEL, 300);
	vpmu_truth_region(&cpu[0], 9, false);
	assert_false(cpu[0].score->model_on & VPMU_FOR_REGION);
	assert_false(cpu[1].score->model_on & VPMU_FOR_REGION);
	assert_begins(line(section("regions"), 0),
		      "{\"region\": 7, \"cpu\": 0, ");
	assert_happened(line(section("regions"), 0), 0, 1);
	assert_begins(line(section("regions"), 1),
		      ",{\"region\": 7, \"cpu\": 1, ");
	assert_happened(line(section("regions"), 1), 0, 20);
	assert_begins(line(section("regions"), 2),
		      ",{\"region\": 9, \"cpu\": 0, ");
	assert_happened(line(section("regions"), 2), 300, 0);
	assert_happened(line(section("regions"), 3), 0, 20);
	/* a region that begins again has what happens from then on */
	vpmu_truth_region(&cpu[0], 7, true);
	happen(&cpu[0], USER, 4);
	vpmu_truth_region(&cpu[0], 7, false);
	assert_happened(line(section("regions"), 0), 0, 4);
	assert_happened(line(section("regions"), 1), 0, 0);
	assert_string_equal(line(section("regions"), 4), "");
	vpmu_options.counters_model = true;
	vpmu_truth_region(&cpu[0], 7, true);
	assert_false(cpu[0].score->model_on & VPMU_FOR_REGION);
	vpmu_truth_region(&cpu[0], 7, false);
}

/* An address belongs to the latest interrupt of its vCPU. */
TEST(interrupts_records_ops_and_fetches_are_listed)
{
	struct vpmu_cpu *cpu = create(2);

	cpu[0].pmi.due = 5;
	cpu[0].pmi.late = 17;
	vpmu_truth_interrupt(&cpu[0], true);
	vpmu_truth_interrupt(&cpu[0], true);
	cpu[1].pmi.due = 1ull << 32;
	vpmu_truth_interrupt(&cpu[1], false);
	vpmu_truth_interrupted_at(&cpu[0], 0xffffffff81000010);
	assert_string_equal(section("interrupts"),
			    "{\"cpu\": 0, \"counters\": \"0x5\", \"late\": 17, \"delivered\": 1, "
			    "\"pc\": \"0x0\"},\n"
			    "{\"cpu\": 0, \"counters\": \"0x5\", \"late\": 17, \"delivered\": 1, "
			    "\"pc\": \"0xffffffff81000010\"},\n"
			    "{\"cpu\": 1, \"counters\": \"0x100000000\", \"late\": 0, \"delivered\": 0, "
			    "\"pc\": \"0x0\"}\n");
	vpmu_truth_record(&cpu[1], 33, 0x401000);
	assert_string_equal(section("records"),
			    "{\"cpu\": 1, \"counter\": 33, \"pc\": \"0x401000\"}\n");
	vpmu_truth_record(&cpu[0], 2, 0x401004);
	assert_string_equal(section("records"),
			    "{\"cpu\": 1, \"counter\": 33, \"pc\": \"0x401000\"},\n"
			    "{\"cpu\": 0, \"counter\": 2, \"pc\": \"0x401004\"}\n");
	cpu[1].ibs.reg[4] = 0x401008;
	cpu[1].ibs.reg[5] = 0x11;
	cpu[1].ibs.reg[6] = 0x22;
	cpu[1].ibs.reg[7] = 0x33;
	cpu[1].ibs.reg[8] = 0x7fff0000;
	vpmu_truth_op(&cpu[1], &cpu[1].ibs);
	vpmu_truth_op(&cpu[0], &cpu[0].ibs);
	assert_string_equal(section("ops"),
			    "{\"cpu\": 1, \"pc\": \"0x401008\", \"data\": \"0x11\", \"data2\": \"0x22\", "
			    "\"data3\": \"0x33\", \"address\": \"0x7fff0000\"},\n"
			    "{\"cpu\": 0, \"pc\": \"0x0\", \"data\": \"0x0\", \"data2\": \"0x0\", "
			    "\"data3\": \"0x0\", \"address\": \"0x0\"}\n");
	cpu[1].ibs.reg[0] = 0x44;
	cpu[1].ibs.reg[1] = 0x40100c;
	cpu[1].ibs.reg[12] = 0x55;
	vpmu_truth_fetch(&cpu[1], &cpu[1].ibs);
	vpmu_truth_fetch(&cpu[0], &cpu[0].ibs);
	assert_string_equal(section("fetches"),
			    "{\"cpu\": 1, \"ctl\": \"0x44\", \"pc\": \"0x40100c\", \"refill\": \"0x55\"},\n"
			    "{\"cpu\": 0, \"ctl\": \"0x0\", \"pc\": \"0x0\", \"refill\": \"0x0\"}\n");
}

TEST(many_records_are_all_kept)
{
	struct vpmu_cpu *cpu = create(1);
	unsigned int i, lines = 0;
	const char *at;

	for (i = 0; i < 100; i++)
		vpmu_truth_record(cpu, 0, 0x500000 + i);
	for (at = section("records"); (at = strstr(at, "\"0x5000")); at++)
		assert_int_equal(strtoull(at + 1, NULL, 16), 0x500000 + lines++);
	assert_int_equal(lines, 100);
}

TEST(registers_are_those_at_the_end)
{
	struct vpmu_cpu *cpu = create(2);

	cpu[0].select[0] = 0x4300c0;
	cpu[0].select[3] = 0x43003c;
	cpu[0].fixed_ctrl = 0x333;
	cpu[1].global_ctrl = 0x70000000full;
	assert_string_equal(section("msrs"),
			    "{\"cpu\": 0, \"select0\": \"0x4300c0\", \"select1\": \"0x0\", "
			    "\"select2\": \"0x0\", \"select3\": \"0x43003c\", \"select4\": \"0x0\", "
			    "\"select5\": \"0x0\", \"select6\": \"0x0\", \"select7\": \"0x0\", "
			    "\"fixed_ctrl\": \"0x333\", \"global_ctrl\": \"0x0\"},\n"
			    "{\"cpu\": 1, \"select0\": \"0x0\", \"select1\": \"0x0\", "
			    "\"select2\": \"0x0\", \"select3\": \"0x0\", \"select4\": \"0x0\", "
			    "\"select5\": \"0x0\", \"select6\": \"0x0\", \"select7\": \"0x0\", "
			    "\"fixed_ctrl\": \"0x0\", \"global_ctrl\": \"0x70000000f\"}\n");
}

/*
 * What was before a window is not in it, of any kind of total. Instructions of the kernel end a pause
 * as those of user space do. A vCPU that stops twice has stopped once.
 */
TEST(windows_have_differences_of_all_kinds)
{
	struct vpmu_cpu *cpu = &create(4)[3];
	uint64_t *part = &cpu->core->counts[USER].stack[VCORE_COMMIT][VCORE_PART_L3];
	const char *own = "\"cpu\": 3, \"msr_reads\": ";
	char *at;

	cpu->msr_reads = 1000;
	cpu->msr_writes = 2000;
	*part = 50;
	vpmu_truth_window(cpu, true);
	cpu->msr_reads += 3;
	cpu->msr_writes += 4;
	*part += 7;
	vpmu_truth_window(cpu, false);
	cpu->msr_reads += 100;
	vpmu_truth_window(cpu, false);
	at = strstr(section("windows"), own);
	assert_non_null(at);
	assert_begins(at, "\"cpu\": 3, \"msr_reads\": 3, \"msr_writes\": 4, ");
	assert_int_equal(value(at, "user", "commit_dcache"), 7);
	assert_int_equal(value(at, "user", "issue_dcache"), 0);
	assert_int_equal(value(at, "kernel", "commit_dcache"), 0);
	cpu->score->exact[VPMU_INSTRUCTIONS][KERNEL] += VPMU_PAUSE - 1;
	vpmu_truth_window(cpu, true);
	vpmu_truth_window(cpu, false);
	at = strstr(section("windows"), own);
	assert_null(strstr(at + 1, own));
	cpu->score->exact[VPMU_INSTRUCTIONS][KERNEL] += VPMU_PAUSE;
	vpmu_truth_window(cpu, true);
	vpmu_truth_window(cpu, false);
	at = strstr(section("windows"), own);
	assert_non_null(strstr(at + 1, own));
}

/* A file that cannot be written is an error message, and QEMU ends as it would. */
TEST(a_file_that_cannot_be_written_is_left_out)
{
	struct stat found;

	create(1);
	assert_int_equal(unlink(machine_file), 0);
	assert_int_equal(mkdir(machine_file, 0700), 0);
	vpmu_truth_write();
	assert_int_equal(rmdir(machine_file), 0);
	vpmu_truth_write();
	assert_int_equal(stat(machine_file, &found), 0);
	assert_true(found.st_size > 0);
}

/*
 * A window of a client's uncore has the traffic from its begin to its end, also over a pause. The
 * line "all" comes first, and windows have no commas at their ends.
 */
TEST(a_client_s_uncore_has_the_traffic_of_windows)
{
	struct vcore_traffic *seen = calloc(1, sizeof(*seen));
	struct vpmu_cpu *cpu = create(1);
	char wanted[64];

	assert_non_null(seen);
	vpmu_options.boxes = 2;
	cpu->score->exact[VPMU_INSTRUCTIONS][USER] += 10 * VPMU_PAUSE;
	seen->cycles_with[0] = 100;
	seen->cycles_with[3] = 7;
	seen->requests = 5;
	seen->writes = 1;
	seen->slice[0].lookups[VCORE_REQUEST_READ][1] = 50;
	vpmu_package_window(seen, true);
	seen->cycles_with[0] = 300;
	seen->cycles_with[3] = 17;
	seen->requests = 12;
	vpmu_package_window(seen, false);
	cpu->score->exact[VPMU_INSTRUCTIONS][USER] += VPMU_PAUSE - 1;
	vpmu_package_window(seen, true);
	seen->cycles_with[VCORE_TRACKER_ENTRIES] = 2;
	seen->writes = 4;
	seen->slice[0].lookups[VCORE_REQUEST_READ][1] = 53;
	seen->slice[1].lookups[VCORE_REQUEST_RFO][0] = 4;
	seen->slice[2].lookups[VCORE_REQUEST_CODE][0] = 20;
	seen->slice[3].lookups[VCORE_REQUEST_PREFETCH][1] = 500;
	vpmu_package_window(seen, false);
	vpmu_package_window(seen, false);
	assert_begins(line(section("uncore"), 0), "{\"index\": \"all\", \"clock\": ");
	assert_begins(line(section("uncore"), 1),
		      "{\"index\": 0, \"clock\": 212, \"requests\": 7, \"writes\": 3, ");
	snprintf(wanted, sizeof(wanted), "\"occupancy\": %u, \"cycles_with\": [200, 0, 0, 10, 0, ",
		 30 + 2 * VCORE_TRACKER_ENTRIES);
	assert_non_null(strstr(line(section("uncore"), 1), wanted));
	assert_non_null(strstr(line(section("uncore"), 1), "], \"lookups\": [23, 504]}"));
	/* the next window is another one, and is written while it is open */
	cpu->score->exact[VPMU_INSTRUCTIONS][KERNEL] += VPMU_PAUSE;
	vpmu_package_window(seen, true);
	assert_begins(line(section("uncore"), 2), "{\"index\": 1, ");
	assert_null(strstr(section("uncore"), "\"index\": 2"));
	/* Servers have no such uncore, and no such section. */
	vpmu_options.part = &vpmu_spr;
	vpmu_truth_write();
	section("msrs");
	assert_null(strstr(text, "\"uncore\""));
	free(seen);
}

TEST_GROUP(machine_file_create, machine_file_remove);
