// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the options -M and --metrics, which choose metrics by the name of a metric, a group or a
 * file. Formulas get the constants of this machine that they need.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "event/event_name.h"
#include "metric/metric_expr.h"
#include "source/machine.h"
#include "tree/metric_choice.h"
#include "unit.h"

#define FILES "../vendor/skl"
#define CLOSE 0.000000001

static int load(struct bpmu_choice *choice, const char *part,
		const char *path, const char *names, struct bpmu_error *err)
{
	struct bpmu_pmu pmu = unit_pmu(part, 8);
	int ret = 0;

	memset(choice, 0, sizeof(*choice));
	if (path)
		ret = bpmu_choice_add_path(choice, path, err);
	if (!ret && names)
		ret = bpmu_choice_add_names(choice, names, err);
	if (!ret)
		ret = bpmu_choice_load(choice, &pmu, err);
	return ret;
}

/*
 * Checks that the names in @names choose exactly the metrics in @chosen, separated by blanks.
 * @path: metric file, or directory of Intel's files; NULL for the metrics of barepmu.
 */
static void expect(const char *part, const char *path, const char *names,
		   const char *chosen)
{
	struct bpmu_choice choice;
	struct bpmu_error err;
	char list[1024] = "";
	unsigned int i;

	if (load(&choice, part, path, names, &err))
		fail_msg("%s: %s", names, err.text);
	for (i = 0; i < choice.lines->nr; i++) {
		if (!choice.chosen[i])
			continue;
		strcat(list, *list ? " " : "");
		strcat(list, choice.lines->metric[i].name);
	}
	assert_string_equal(list, chosen);
	bpmu_choice_free(&choice);
}

static void refuse(const char *part, const char *path, const char *names,
		   int code, const char *why)
{
	struct bpmu_choice choice;
	struct bpmu_error err;

	assert_int_equal(load(&choice, part, path, names, &err), code);
	assert_string_equal(err.text, why);
	bpmu_choice_free(&choice);
}

TEST(finds_metrics_by_name_glob_and_level)
{
	expect("ivb", NULL, "frontend_bound", "Frontend_Bound");
	expect("ivb", NULL, "Retiring, BASE",
	       "Retiring BASE");
	expect("ivb", NULL, "Fetch_*_Bound",
	       "Fetch_Latency_Bound Fetch_Bandwidth_Bound");
	expect("ivb", NULL, "TopdownL1",
	       "Frontend_Bound Bad_Speculation Retiring Backend_Bound");
	/*
	 * Group TopdownL3 has the nodes of level 3 that "barepmu topdown -l 3" shows. It does not
	 * have the nodes that only the option --extra adds.
	 */
	expect("ivb", NULL, "TopdownL3",
	       "L1_Bound L2_Bound L3_Bound Ext_Memory_Bound Stores_Bound");
	expect("skl", FILES, "child,ratio", "ratio child");
}

TEST(refuses_unknown_names)
{
	refuse("ivb", NULL, "front_bound", -ENOENT,
	       "metric 'front_bound': no metric or group of them is called so; did you mean Frontend_Bound? Or see 'barepmu list metrics'");
	refuse("ivb", NULL, "Nothing_like_it_*", -ENOENT,
	       "metric 'Nothing_like_it_*': no metric or group of them is called so; see 'barepmu list metrics'");
	/*
	 * If only the other core type of a hybrid CPU has a metric, the message names that core
	 * type. A metric that neither core type has is unknown.
	 */
	refuse("adl-e", NULL, "Divider", -ENOENT,
	       "metric 'Divider': known for adl, not for adl-e; choose adl, with -C or --part");
	refuse("adl-e", NULL, "TopdownL4", -ENOENT,
	       "metric 'TopdownL4': known for adl, not for adl-e; choose adl, with -C or --part");
	refuse("adl-e", NULL, "Front_bound", -ENOENT,
	       "metric 'Front_bound': no metric or group of them is called so; did you mean Frontend_Bound? Or see 'barepmu list metrics'");
	refuse("ivb", NULL, "", -ENOTSUP,
	       "metrics: none of those asked for can be measured; see 'barepmu list metrics -v'");
	refuse("knc", NULL, NULL, -ENOTSUP,
	       "metrics: those of knc are of threads, cores and the card; use 'barepmu phi', or --metrics for others");
	refuse("zen1", NULL, NULL, -ENOENT,
	       "method 'topdown': AMD publishes no Top-Down metrics for zen1, only from Zen 4 on; see 'barepmu list metrics' for others");
	refuse("zen3", NULL, NULL, -ENOENT,
	       "method 'topdown': AMD publishes no Top-Down metrics for zen3, only from Zen 4 on; see 'barepmu list metrics' for others");
	refuse("zen4", NULL, "Machine_Clears", -ENOENT,
	       "metric 'Machine_Clears': no metric or group of them is called so; see 'barepmu list metrics'");
	refuse("skl", FILES, "opcode", -ENOTSUP,
	       "metric 'opcode': UNC_NEW_CBO.LOOKUP:opc=0x182 needs an opcode filter, which the unit of its event lacks; use another metric");
	refuse("skl", FILES "/events/core.json", NULL, -ENOENT,
	       FILES "/events/core.json: holds no metrics; name a metric file");
	refuse("skl", "/nowhere", NULL, -ENOENT,
	       "/nowhere: cannot be read: No such file or directory; is it the right file?");
}

TEST(refuses_mixed_formats)
{
	struct bpmu_choice choice = { .nr_paths = 2 };
	struct bpmu_pmu pmu = unit_pmu("skl", 8);
	struct bpmu_error err;
	char says[128];

	choice.path[0] = FILES;
	choice.path[1] = "../../arch/metrics/topdown.bpm";
	assert_int_equal(bpmu_choice_load(&choice, &pmu, &err), -EINVAL);
	assert_string_equal(err.text,
			    "--metrics: Intel's files and others have different names for the same; give files of one format");
	bpmu_choice_free(&choice);
	choice.nr_paths = BPMU_CHOICE_PATHS - 1;
	assert_int_equal(bpmu_choice_add_path(&choice, FILES, &err), 0);
	assert_string_equal(choice.path[BPMU_CHOICE_PATHS - 1], FILES);
	assert_int_equal(bpmu_choice_add_path(&choice, FILES, &err), -E2BIG);
	snprintf(says, sizeof(says), "--metrics '" FILES "': more than %d files; join some",
		 BPMU_CHOICE_PATHS);
	assert_string_equal(err.text, says);
	assert_int_equal(choice.nr_paths, BPMU_CHOICE_PATHS);
}

/* The other core type of a hybrid CPU is asked for the same. */
TEST(a_copy_has_all_options)
{
	struct bpmu_choice choice = {
		.events = "events", .unmeasured = true, .paper = true, .memory_by = "imc",
	};
	struct bpmu_choice copy = { };
	struct bpmu_error err;

	assert_int_equal(bpmu_choice_take_method(&choice, "tma", &err), 0);
	assert_string_equal(choice.asked, "tma");
	assert_int_equal(bpmu_choice_take_method(&choice, "papers", &err), -EINVAL);
	assert_string_equal(err.text, "--method 'papers': not known; paper or tma is");
	assert_int_equal(bpmu_choice_take_method(&choice, "paper", &err), 0);
	assert_int_equal(bpmu_choice_add_path(&choice, "one", &err), 0);
	assert_int_equal(bpmu_choice_add_path(&choice, "two", &err), 0);
	assert_int_equal(bpmu_choice_copy(&copy, &choice, &err), 0);
	assert_null(copy.names);
	bpmu_choice_free(&copy);
	assert_int_equal(bpmu_choice_add_names(&choice, "A,B", &err), 0);
	assert_int_equal(bpmu_choice_add_names(&choice, "C", &err), 0);
	assert_int_equal(bpmu_choice_copy(&copy, &choice, &err), 0);
	assert_string_equal(copy.events, "events");
	assert_true(copy.unmeasured && copy.paper);
	assert_string_equal(copy.memory_by, "imc");
	assert_string_equal(copy.asked, "topdown");
	assert_int_equal(copy.nr_paths, 2);
	assert_string_equal(copy.path[0], "one");
	assert_string_equal(copy.path[1], "two");
	assert_string_equal(copy.names, "A,B,C");
	assert_ptr_not_equal(copy.names, choice.names);
	bpmu_choice_free(&copy);
	bpmu_choice_free(&choice);
}

/* Prints which metrics of @choice cannot be measured, in the given format; frees the text. */
static void expect_report(const struct bpmu_choice *choice, enum bpmu_format format,
			  const char *expected)
{
	struct bpmu_field row[] = {
		{ "time", .form = BPMU_FIELD_NUMBER, .number = NAN },
		{ "metric", .form = BPMU_FIELD_TEXT }, { "value", .form = BPMU_FIELD_NUMBER, .number = NAN },
	};
	struct bpmu_table table = { .format = format, .type = "metric", .separator = "," };
	char *text;
	size_t size;

	table.out = open_memstream(&text, &size);
	assert_non_null(table.out);
	bpmu_choice_report(choice, &table, row, ARRAY_SIZE(row));
	fclose(table.out);
	assert_string_equal(text, expected);
	free(text);
}

TEST(metrics_that_cannot_be_measured_are_reported)
{
	const struct bpmu_choice none = { };
	struct bpmu_choice choice;
	struct bpmu_error err;

	assert_int_equal(load(&choice, "skl", FILES, "o?code,child,thr??d", &err), 0);
	assert_false(bpmu_choice_is_whole(&choice));
	expect_report(&choice, BPMU_TEXT,
		      "  opcode: not measured, UNC_NEW_CBO.LOOKUP:opc=0x182 needs an opcode filter, which the unit of its event lacks\n"
		      "  thread: not measured, UNC_NEW_CBO.LOOKUP:tid=0x3e needs a thread filter, which the unit of its event lacks\n");
	expect_report(&choice, BPMU_JSON,
		      "{\"schema\":3,\"type\":\"refused\",\"metric\":\"opcode\",\"why\":\"UNC_NEW_CBO.LOOKUP:opc=0x182 needs an opcode filter, which the unit of its event lacks\"}\n"
		      "{\"schema\":3,\"type\":\"refused\",\"metric\":\"thread\",\"why\":\"UNC_NEW_CBO.LOOKUP:tid=0x3e needs a thread filter, which the unit of its event lacks\"}\n");
	bpmu_choice_free(&choice);
	assert_int_equal(load(&choice, "skl", FILES, "child", &err), 0);
	assert_true(bpmu_choice_is_whole(&choice));
	expect_report(&choice, BPMU_TEXT, "");
	bpmu_choice_free(&choice);
	expect_report(&none, BPMU_TEXT, "");
	/* None of the metrics that are asked for can be measured: the last one has the reason. */
	refuse("skl", FILES, "o?code,thr??d", -ENOTSUP,
	       "metrics: none of those asked for can be measured; thread: UNC_NEW_CBO.LOOKUP:tid=0x3e needs a thread filter, which the unit of its event lacks; see 'barepmu list metrics -v'");
}

/* A board may lack registers that other boards of the CPU model have. */
TEST(metrics_need_the_registers_of_the_board)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 8), board = pmu;
	struct bpmu_choice choice = { .board = &board };
	struct bpmu_error err;
	int power, ipc;

	board.free = pmu.part->free & ~BPMU_FREE(PKG);
	assert_int_equal(bpmu_choice_add_names(&choice, "Package_Pow*,Cores_Power,IPC", &err), 0);
	if (bpmu_choice_load(&choice, &pmu, &err))
		fail_msg("%s", err.text);
	power = bpmu_metrics_find(choice.lines, "Package_Power");
	ipc = bpmu_metrics_find(choice.lines, "IPC");
	assert_true(power >= 0 && ipc >= 0);
	assert_string_equal(bpmu_choice_refused(&choice, power),
			    "this board lacks a register that it needs, or a hypervisor hides it");
	assert_null(bpmu_choice_refused(&choice, ipc));
	assert_null(bpmu_choice_refused(&choice,
					bpmu_metrics_find(choice.lines, "Cores_Power")));
	assert_null(bpmu_choice_unflagged(&choice, power));
	assert_false(bpmu_choice_is_whole(&choice));
	choice.board = NULL;
	assert_true(bpmu_choice_is_whole(&choice));
	bpmu_choice_free(&choice);
	choice.board = &board;
	assert_int_equal(bpmu_choice_add_names(&choice, "Package_Power", &err), 0);
	assert_int_equal(bpmu_choice_load(&choice, &pmu, &err), -ENOTSUP);
	assert_string_equal(err.text,
			    "metric 'Package_Power': this board lacks a register that it needs, or a hypervisor hides it; use another metric");
	bpmu_choice_free(&choice);
}

/*
 * The user names the same directory twice, for Intel's files of events and for Intel's files of
 * metrics. The tool loads the directory once.
 */
TEST(loads_a_directory_given_twice_once)
{
	struct bpmu_choice choice = { .events = FILES, .nr_paths = 1 };
	struct bpmu_pmu pmu = unit_pmu("skl", 8);
	struct bpmu_error err;

	choice.path[0] = FILES;
	if (bpmu_choice_load(&choice, &pmu, &err))
		fail_msg("%s", err.text);
	assert_non_null(bpmu_event_row(pmu.part, "NEW.PLAIN"));
	bpmu_choice_free(&choice);
}

/* The events of a metric that is not chosen, or that is refused, are not counted. */
TEST(counts_only_the_chosen_metrics)
{
	struct bpmu_pmu pmu = unit_pmu("skl", 8);
	struct bpmu_tree_wish wish = { .pmu = &pmu, .level = BPMU_TREE_ALL };
	struct bpmu_tree_value *values;
	const double counts[] = { 30, 120 };
	const double *group[BPMU_TREE_GROUPS] = { counts };
	struct bpmu_choice choice;
	struct bpmu_tree tree;
	struct bpmu_error err;
	int ratio;

	assert_int_equal(load(&choice, "skl", FILES, "ratio,opc*", &err), 0);
	pmu.part = choice.vendor.part;
	bpmu_choice_wish(&choice, &wish);
	if (bpmu_tree_make(&tree, &wish, &err))
		fail_msg("%s", err.text);
	assert_int_equal(tree.nr_groups, 1);
	assert_int_equal(tree.events[0].nr, 2);
	assert_string_equal(tree.events[0].spec[0].text, "NEW.PLAIN");
	values = calloc(tree.metrics.nr, sizeof(*values));
	bpmu_tree_eval(&tree, group, values);
	ratio = bpmu_metrics_find(&tree.metrics, "ratio");
	assert_true(values[ratio].known);
	assert_true(fabs(values[ratio].value - 25) < CLOSE);
	free(values);
	bpmu_tree_free(&tree);
	bpmu_choice_free(&choice);
}

/* The counts of another tool are summed over all packages if the metrics are the vendor's. */
TEST(a_tree_has_the_parameters_of_its_metrics)
{
	static const struct {
		const char *path, *names;
		bool apart, given, extra;
	} cases[] = {
		{ FILES, "ratio", true, true, true }, { FILES, "ratio", false, false, true },
		{ FILES, NULL, true, true, false }, { NULL, "Retiring", true, false, true },
		{ NULL, NULL, false, false, false },
	};
	struct bpmu_choice choice;
	struct bpmu_error err;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct bpmu_tree_wish wish = { .given = !cases[i].given };
		struct bpmu_pmu pmu = unit_pmu("skl", 8);

		memset(&choice, 0, sizeof(choice));
		choice.apart = cases[i].apart;
		if ((cases[i].path && bpmu_choice_add_path(&choice, cases[i].path, &err)) ||
		    (cases[i].names && bpmu_choice_add_names(&choice, cases[i].names, &err)) ||
		    bpmu_choice_load(&choice, &pmu, &err))
			fail_msg("%s", err.text);
		bpmu_choice_wish(&choice, &wish);
		assert_ptr_equal(wish.lines, choice.lines);
		assert_ptr_equal(wish.wanted_ctx, &choice);
		assert_int_equal(wish.given, cases[i].given);
		assert_int_equal(wish.extra, cases[i].extra);
		bpmu_choice_free(&choice);
	}
}

TEST(counts_sockets_cores_and_threads)
{
	static const struct bpmu_topology topology[] = {
		{ 0, 0 }, { 0, 4 }, { 1, 0 }, { 1, 4 },
		{ 0, 0 }, { 0, 4 }, { 1, 0 }, { 1, 4 },
	};
	static const struct bpmu_topology none[] = { { -1, -1 } };
	/*
	 * Each die numbers its cores from 0. Two dies that each have cores 0 and 1 have four cores
	 * together.
	 */
	static const struct bpmu_topology dies[] = {
		{ 0, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 0, 1, 1 },
	};
	struct bpmu_machine machine = { .tsc_hz = 2e9 };
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_tree tree;
	struct bpmu_error err;

	bpmu_machine_shape(&machine, topology, 8);
	assert_int_equal(machine.sockets, 2);
	assert_int_equal(machine.cores, 2);
	assert_int_equal(machine.threads, 2);
	assert_int_equal(bpmu_tree_init(&tree, "topdown", &pmu, 0, 1, &err),
			 0);
	bpmu_machine_set(&machine, &tree);
	assert_true(tree.slot[BPMU_CONSTANT_TSC_HZ].number == 2e9);
	assert_true(tree.slot[BPMU_CONSTANT_CORES].number == 2);
	assert_false(tree.slot[BPMU_CONSTANT_CHAS].known);
	bpmu_tree_free(&tree);
	bpmu_machine_shape(&machine, dies, 4);
	assert_int_equal(machine.sockets, 1);
	assert_int_equal(machine.cores, 4);
	assert_int_equal(machine.threads, 1);
	bpmu_machine_shape(&machine, none, 1);
	assert_int_equal(machine.threads, 0);
}

/*
 * Returns a pipe to which all of @text was written. Stores the pipe's path in @path, in the form in
 * which a shell passes <(...) to a command.
 */
static int pipe_of(const char *text, char *path, size_t size)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], text, strlen(text)), strlen(text));
	close(ends[1]);
	snprintf(path, size, "/dev/fd/%d", ends[0]);
	return ends[0];
}

/* Text in a pipe can be read only once, but the tool needs it for each of the two core types. */
TEST(reads_metrics_from_a_pipe_for_both_core_types)
{
	char path[32];
	int fd = pipe_of("Plain = cycles * 2 | unit clocks\n", path,
			 sizeof(path));

	expect("adl", path, NULL, "Plain");
	expect("adl-e", path, NULL, "Plain");
	close(fd);
}

TEST(reads_events_from_a_pipe_once)
{
	struct bpmu_choice choice;
	struct bpmu_pmu pmu;
	struct bpmu_error err;
	char path[32];
	int fd = pipe_of("{\"Events\":[{\"EventName\":\"NEW.EVENT\",\"EventCode\":\"0xc0\",\"UMask\":\"0x01\",\"Counter\":\"0,1,2,3\"}]}",
			 path, sizeof(path));
	int i;

	for (i = 0; i < 2; i++) {
		choice = (struct bpmu_choice){ .events = path };
		pmu = unit_pmu("skl", 8);
		if (bpmu_choice_load_events(&choice, &pmu, &err))
			fail_msg("%s", err.text);
		assert_non_null(bpmu_event_row(pmu.part, "NEW.EVENT"));
		assert_int_equal(choice.vendor.nr_events, 1);
		bpmu_choice_free(&choice);
	}
	close(fd);
}

TEST(refuses_a_named_pipe)
{
	char name[] = "/tmp/barepmu-test-XXXXXX";
	int fd = mkstemp(name);
	char says[256];

	assert_true(fd >= 0);
	close(fd);
	unlink(name);
	assert_int_equal(mkfifo(name, 0600), 0);
	snprintf(says, sizeof(says),
		 "%s: a named pipe, which can be read only once; name a file, or write <(cat %s)",
		 name, name);
	refuse("ivb", name, NULL, -ESPIPE, says);
	unlink(name);
}

/*
 * Local and remote loads are printed per second, so the unit in the output must be that of a rate,
 * not that of a count.
 */
TEST(a_rate_of_loads_has_a_unit_of_a_rate)
{
	static const char *const names[] = { "Local_Loads", "Remote_Loads" };
	struct bpmu_choice choice;
	struct bpmu_error err;
	unsigned int i;
	int found;

	if (load(&choice, "ivt", NULL, "NUMA", &err))
		fail_msg("%s", err.text);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		found = bpmu_metrics_find(choice.lines, names[i]);
		assert_true(found >= 0);
		assert_string_equal(choice.lines->metric[found].unit, "count/s");
	}
	bpmu_choice_free(&choice);
}

/*
 * Groups of metrics with LIKWID's names. On each CPU model a group has only those metrics that the
 * model can count, because it has all their events.
 */
TEST(parts_have_the_groups_that_their_events_allow)
{
	expect("ivb", NULL, "TLB",
	       "DTLB_Load_Walks DTLB_Store_Walks ITLB_Walks DTLB_Load_Walk_Time");
	expect("ivb", NULL, "l2", "L2_Fill_Rate L2_Evict_Rate");
	expect("skx", NULL, "L2", "L2_Fill_Rate L2_Miss_Ratio");
	expect("ivb", NULL, "MEM", "Memory_Request_Rate DRAM_Read_Rate DRAM_Write_Rate");
	expect("tgl", NULL, "MEM", "Memory_Request_Rate DRAM_Read_Rate DRAM_Write_Rate");
	expect("mtl", NULL, "MEM", "DRAM_Read_Rate DRAM_Write_Rate");
	expect("knl", NULL, "MEM", "DRAM_Read_Rate DRAM_Write_Rate DRAM_Bus_Utilization");
	expect("knl", NULL, "HBM", "MCDRAM_Read_Rate MCDRAM_Write_Rate");
	expect("knl", NULL, "HBM_CACHE",
	       "MCDRAM_Cache_Read_Rate MCDRAM_Cache_Write_Rate MCDRAM_Cache_Hit_Ratio");
	expect("adl", NULL, "MEM",
	       "Memory_Request_Rate DRAM_Read_Rate DRAM_Write_Rate");
	expect("adl", NULL, "DRAM", "DRAM_Page_Hit_Ratio DRAM_Page_Miss_Ratio");
	expect("gnr", NULL, "MEM",
	       "DRAM_Read_Rate DRAM_Write_Rate Core_Read_Rate L3_Read_Miss_Latency L3_Read_Misses_Under_Way");
	expect("ivt", NULL, "NUMA",
	       "Local_Read_Rate Remote_Read_Rate Local_Loads Remote_Loads Home_Remote_Read_Share");
	expect("bdx", NULL, "UPI", "Link_Send_Rate Link_Receive_Rate Link_Utilization");
	expect("skx", NULL, "UPI", "Link_Send_Rate Link_Receive_Rate Link_Utilization");
	expect("skx", NULL, "IO", "DMA_Read_Rate DMA_Write_Rate MMIO_Read_Rate MMIO_Write_Rate");
	expect("ivt", NULL, "MEM",
	       "DRAM_Read_Rate DRAM_Write_Rate DRAM_Bus_Utilization Home_Busy Core_Read_Rate L3_Writeback_Rate L3_Read_Miss_Latency L3_Read_Misses_Under_Way");
	expect("skx", NULL, "MEM",
	       "DRAM_Read_Rate DRAM_Write_Rate DRAM_Bus_Utilization Core_Read_Rate L3_Writeback_Rate L3_Read_Miss_Latency L3_Read_Misses_Under_Way");
	expect("skx", NULL, "DRAM",
	       "DRAM_Page_Hit_Ratio DRAM_Page_Miss_Ratio DRAM_Read_Queue_Busy");
	expect("skx", NULL, "L3",
	       "L3_Fill_Rate L3_Evict_Rate L3_Miss_Rate L3_Read_Miss_Latency L3_Read_Misses_Under_Way");
	expect("cwf", NULL, "FLOPS_DP", "DP_FLOP_Rate");
	expect("zen2", NULL, "NUMA", "Local_Read_Rate Remote_Read_Rate");
	expect("zen5", NULL, "TLB", "DTLB_Misses DTLB_Walks ITLB_Walks");
	expect("zen4", NULL, "L2", "L2_Request_Rate L2_Miss_Ratio");
	expect("hsx", NULL, "ENERGY",
	       "Package_Power Cores_Power DRAM_Power Package_Energy Cores_Energy DRAM_Energy Core_Temperature Package_Temperature");
	expect("zen3", NULL, "ENERGY",
	       "Package_Power Core_Power Package_Energy Core_Energy");
	refuse("srf", NULL, "mem", -ENOTSUP,
	       "metric 'mem': Memory_Request_Rate of this group needs UNC_ARB_TRK_REQUESTS.ALL, which srf does not have; use another metric");
	refuse("zen3", NULL, "FLOPS_DP", -ENOTSUP,
	       "metric 'FLOPS_DP': DP_FLOP_Rate of this group needs RETIRED_SSE_AVX_FLOPS, for which counters of zen3 would have to be merged, which barepmu does not do; use another metric");
	/*
	 * The formula contains either(A, B): A is an event of Intel's CPUs, B an event of Zen that
	 * merges two counters. For this CPU of Intel's the message names A as the missing event.
	 */
	refuse("hsx", NULL, "FLOPS_DP", -ENOTSUP,
	       "metric 'FLOPS_DP': DP_FLOP_Rate of this group needs FP_COMP_OPS_EXE.SSE_SCALAR_DOUBLE, which hsx does not have; use another metric");
	refuse("skx", NULL, "MEMS", -ENOENT,
	       "metric 'MEMS': no metric or group of them is called so; did you mean MS? Or see 'barepmu list metrics'");
	refuse("ivb", NULL, "DRAM_Power", -ENOTSUP,
	       "metric 'DRAM_Power': needs POWER.DRAM, which ivb does not have; use another metric");
	refuse("zen3", NULL, "L2_Fill_Rate", -ENOTSUP,
	       "metric 'L2_Fill_Rate': needs L1D.REPLACEMENT, which zen3 does not have; use another metric");
}

/*
 * Several formulas have the same name, and the events of the CPU model decide which one is used.
 * Expected values are computed by hand.
 */
TEST(flops_are_counted_by_the_part_s_events)
{
	static const struct {
		const char *part, *events;
	} all[] = {
		{ "skx", "512B_PACKED_DOUBLE" },
		{ "skl", "256B_PACKED_DOUBLE" },
		{ "ivb", "FP_COMP_OPS_EXE.SSE_SCALAR_DOUBLE" },
	};
	static const char *const not[] = {
		"FP_COMP_OPS_EXE", "512B", "FP_ARITH",
	};
	struct bpmu_choice choice;
	struct bpmu_error err;
	char *text;
	size_t size, i;
	FILE *out;
	int at;

	for (i = 0; i < 3; i++) {
		assert_int_equal(load(&choice, all[i].part, NULL, "FLOPS_DP",
				      &err), 0);
		at = bpmu_metrics_find(choice.lines, "DP_FLOP_Rate");
		assert_true(at >= 0 && choice.chosen[at]);
		out = open_memstream(&text, &size);
		bpmu_expr_print(out, choice.lines->metric[at].expr);
		fclose(out);
		assert_non_null(strstr(text, all[i].events));
		assert_null(strstr(text, not[i]));
		assert_null(strstr(text, "either"));
		free(text);
		bpmu_choice_free(&choice);
	}
}

/* Made-up counts of events and made-up values of the machine's constants. */
static const struct unit_count counts[] = {
	{ "instructions", 3000 }, { "cycles", 2000 }, { "ref_cycles", 1000 },
	{ "branches", 600 }, { "branch_misses", 30 }, { "cache_misses", 12 },
	{ "cache_references", 48 }, { "TSC_HZ", 2e9 }, { "TSC", 4000 },
	{ "SECONDS", 2 }, { "JOULE", 0.5 }, { "JOULE_DRAM", 0.25 },
	{ "TJMAX", 100 },
	{ "L1D.REPLACEMENT", 5e8 }, { "L2_TRANS.L1D_WB", 2.5e8 },
	{ "L2_TRANS.L2_WB", 1e9 }, { "L2_LINES_IN.ALL", 1.25e8 },
	{ "L2_RQSTS.MISS", 25 }, { "L2_RQSTS.REFERENCES", 100 },
	{ "LONGEST_LAT_CACHE.MISS", 7.5e8 },
	{ "UNC_ARB_TRK_REQUESTS.ALL", 6.25e8 },
	{ "MEM_LOAD_UOPS_LLC_MISS_RETIRED.LOCAL_DRAM", 70 },
	{ "MEM_LOAD_UOPS_LLC_MISS_RETIRED.REMOTE_DRAM", 90 },
	{ "DTLB_LOAD_MISSES.WALK_COMPLETED", 6 },
	{ "DTLB_STORE_MISSES.WALK_COMPLETED", 9 },
	{ "ITLB_MISSES.WALK_COMPLETED", 12 },
	{ "DTLB_LOAD_MISSES.WALK_DURATION", 500 },
	{ "OCR.READS_TO_CORE.LOCAL_DRAM", 5e7 },
	{ "OCR.READS_TO_CORE.REMOTE_DRAM", 1e7 },
	{ "OCR.DEMAND_DATA_RD.LOCAL_DRAM", 2e7 },
	{ "OFFCORE_RESPONSE.ALL_READS.LLC_MISS.LOCAL_DRAM", 1e8 },
	{ "OFFCORE_RESPONSE.ALL_READS.LLC_MISS.REMOTE_DRAM", 2e8 },
	{ "OFFCORE_RESPONSE.ALL_READS.L3_MISS_LOCAL_DRAM.SNOOP_MISS_OR_NO_FWD",
	  3e8 },
	{ "OFFCORE_RESPONSE.ALL_READS.L3_MISS_REMOTE_DRAM.SNOOP_MISS_OR_NO_FWD",
	  4e8 },
	{ "DATA_CACHE_REFILLS_FROM_SYSTEM.LS_MABRESP_LCL_DRAM", 1e7 },
	{ "HARDWARE_PREFETCH_DATA_CACHE_FILLS.LS_MABRESP_LCL_DRAM", 2e7 },
	{ "DATA_CACHE_REFILLS_FROM_SYSTEM.LS_MABRESP_RMT_DRAM", 3e7 },
	{ "HARDWARE_PREFETCH_DATA_CACHE_FILLS.LS_MABRESP_RMT_DRAM", 4e7 },
	{ "ANY_DATA_CACHE_FILLS_FROM_SYSTEM.MEM_IO_LCL", 6e7 },
	{ "ANY_DATA_CACHE_FILLS_FROM_SYSTEM.DRAM_IO_FAR", 7e7 },
	{ "UNC_C_LLC_VICTIMS.M_STATE", 8e7 },
	{ "DL1.DIRTY_EVICTION", 5e7 },
	{ "L2_REQUEST.HIT", 75 }, { "L2_REQUEST.MISS", 25 },
	{ "CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS.ALL", 1e8 },
	{ "CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS.MISS", 4e7 },
	{ "L1_DTLB_MISS.ALL", 45 }, { "L1_DTLB_MISS.ALL_L2_MISS", 15 },
	{ "L1_ITLB_MISS_L2_ITLB_MISS", 18 },
	{ "DATA_PAGE_WALK", 21 }, { "LONG_DATA_PAGE_WALK", 24 },
	{ "CODE_PAGE_WALK", 27 },
	{ "FP_FLOPS_RETIRED.FP64", 9e9 },
	{ "FP_COMP_OPS_EXE.SSE_SCALAR_DOUBLE", 5e9 },
	{ "FP_COMP_OPS_EXE.SSE_PACKED_DOUBLE", 3e9 },
	{ "SIMD_FP_256.PACKED_DOUBLE", 2e9 },
	{ "FP_ARITH_OPS_RETIRED.SCALAR_DOUBLE", 2e9 },
	{ "FP_ARITH_OPS_RETIRED.128B_PACKED_DOUBLE", 1e9 },
	{ "FP_ARITH_OPS_RETIRED.256B_PACKED_DOUBLE", 5e9 },
	{ "FP_ARITH_INST_RETIRED.SCALAR_DOUBLE", 1e9 },
	{ "FP_ARITH_INST_RETIRED.128B_PACKED_DOUBLE", 2e9 },
	{ "FP_ARITH_INST_RETIRED.256B_PACKED_DOUBLE", 3e9 },
	{ "FP_ARITH_INST_RETIRED.512B_PACKED_DOUBLE", 4e9 },
	{ "POWER.PKG", 1000 }, { "POWER.DRAM", 800 }, { "POWER.CORES", 600 },
	{ "POWER.GPU", 400 }, { "POWER.PSYS", 1400 }, { "JOULE_PSYS", 2 }, { "POWER.CORE", 44 },
	{ "CORE.APERF", 300 }, { "CORE.MPERF", 200 }, { "CORE.PPERF", 150 },
	{ "THREAD.TSC", 800 }, { "CORE.TSC", 600 }, { "PACKAGE.TSC", 1000 },
	{ "PACKAGE.UNCORE_RATIO", 24000 }, { "CORE.C6", 150 },
	{ "CORE.C1", 30 }, { "CORE.C3", 60 }, { "CORE.C7", 240 },
	{ "PACKAGE.C2", 50 }, { "PACKAGE.C6", 200 }, { "PACKAGE.C7", 300 },
	{ "PACKAGE.C8", 400 }, { "PACKAGE.C9", 500 }, { "PACKAGE.C10", 600 },
	{ "CORE.SMI", 6 }, { "PACKAGE.C3", 100 }, { "CORE.THERMAL_MARGIN", 24000 },
	{ "PACKAGE.THERMAL_MARGIN", 30000 },
	{ "L3_LOOKUP_STATE.L3_MISS", 250 },
	{ "L3_LOOKUP_STATE.ALL_L3_REQ_TYPS", 2000 },
	{ "L3_LOOKUP_STATE.ALL_COHERENT_ACCESSES_TO_L3", 1000 },
	{ "L3_XI_SAMPLED_LATENCY.ALL", 500 },
	{ "L3_XI_SAMPLED_LATENCY_REQUESTS.ALL", 40 },
	{ "MEMORY.READS", 1.5e8 }, { "MEMORY.WRITES", 7.5e7 },
	{ "UMC_CAS_CMD.RD", 5e7 }, { "UMC_CAS_CMD.WR", 2.5e7 },
	{ "UNC_M_CAS_COUNT.RD", 1e8 }, { "UNC_M_CAS_COUNT.WR", 5e7 },
	{ "UNC_E_RPQ_INSERTS", 2e8 }, { "UNC_E_WPQ_INSERTS", 1.5e8 },
	{ "UNC_E_EDC_ACCESS.HIT", 3e8 }, { "UNC_E_EDC_ACCESS.MISS_CLEAN", 2e7 },
	{ "UNC_E_EDC_ACCESS.MISS_DIRTY", 3e7 }, { "UNC_E_EDC_ACCESS.MISS_INVALID", 5e7 },
	{ "UNC_M_CAS_COUNT_SCH0.RD", 4e7 }, { "UNC_M_CAS_COUNT_SCH1.RD", 6e7 },
	{ "UNC_M_CAS_COUNT_SCH0.WR", 1e7 }, { "UNC_M_CAS_COUNT_SCH1.WR", 3e7 },
	{ "UNC_M_CAS_COUNT.ALL", 800 }, { "UNC_M_CLOCKTICKS_F", 1.2e9 },
	{ "UNC_M_ACT_COUNT.RD", 60 }, { "UNC_M_ACT_COUNT.WR", 30 },
	{ "UNC_M_ACT_COUNT.BYP", 10 }, { "UNC_M_ACT_COUNT", 200 },
	{ "UNC_M_PRE_COUNT.PAGE_MISS", 50 },
	{ "UNC_M_DRAM_PAGE_HIT_RD", 500 }, { "UNC_M_DRAM_PAGE_HIT_WR", 250 },
	{ "UNC_M_DRAM_PAGE_EMPTY_RD", 100 }, { "UNC_M_DRAM_PAGE_EMPTY_WR", 50 },
	{ "UNC_M_DRAM_PAGE_MISS_RD", 60 }, { "UNC_M_DRAM_PAGE_MISS_WR", 40 },
	{ "UNC_CHA_LLC_VICTIMS.TOTAL_M", 1.6e8 },
	{ "UNC_M_RPQ_CYCLES_NE", 3e8 }, { "UNC_H_CLOCKTICKS", 400 },
	{ "UNC_H_TRACKER_CYCLES_NE", 300 }, { "UNC_H_TRACKER_CYCLES_NE.ALL", 250 },
	{ "UNC_H_REQUESTS.READS", 200 }, { "UNC_H_REQUESTS.READS_REMOTE", 25 },
	{ "UNC_CHA_REQUESTS.READS", 80 }, { "UNC_CHA_REQUESTS.READS_REMOTE", 60 },
	{ "UNC_Q_TxL_FLITS_G0.DATA", 3e8 }, { "UNC_Q_TxL_FLITS_G0.NON_DATA", 1e8 },
	{ "UNC_Q_RxL_FLITS_G1.DRS_DATA", 1.5e8 },
	{ "UNC_Q_RxL_FLITS_G2.NCB_DATA", 5e7 }, { "UNC_Q_CLOCKTICKS", 8e8 },
	{ "UNC_UPI_TxL_FLITS.ALL_DATA", 4.5e8 }, { "UNC_UPI_TxL_FLITS.NON_DATA", 5.5e8 },
	{ "UNC_UPI_RxL_FLITS.ALL_DATA", 2.25e8 }, { "UNC_UPI_CLOCKTICKS", 8e8 },
	{ "UNC_IIO_DATA_REQ_OF_CPU.MEM_READ.PART0:ch_mask=0xf", 5e8 },
	{ "UNC_IIO_DATA_REQ_OF_CPU.MEM_WRITE.PART0:ch_mask=0xf", 3e8 },
	{ "UNC_IIO_DATA_REQ_BY_CPU.MEM_READ.PART0:ch_mask=0xf", 1e6 },
	{ "UNC_IIO_DATA_REQ_BY_CPU.MEM_WRITE.PART0:ch_mask=0xf", 2e6 },
	{ "UMC_DATA_SLOT_CLKS.ALL", 3000 }, { "UMC_MEM_CLK", 6000 },
	{ "XI_SYS_FILL_LATENCY", 500 }, { "XI_CCX_SDP_REQ1", 50 },
	{ "XI_CCX_SDP_REQ1.ALL_L3_MISS_REQ_TYPS", 100 },
};

/*
 * Made-up counts of the memory channels of AMD's data fabric. The table has the counts of channel
 * 0. Channel N has N + 1 times the counts of channel 0.
 */
static const struct unit_count channels[] = {
	{ "LOCAL_OR_REMOTE_SOCKET_READ_DATA_BEATS_DRAM_", 1e6 },
	{ "LOCAL_OR_REMOTE_SOCKET_WRITE_DATA_BEATS_DRAM_", 2e6 },
	{ "DRAM_CHANNEL_DATA_CONTROLLER_", 1e7 },
};

static double count_of(const char *name)
{
	size_t i, len;

	for (i = 0; i < ARRAY_SIZE(channels); i++) {
		len = strlen(channels[i].event);
		if (!strncmp(name, channels[i].event, len))
			return channels[i].count * (atoi(name + len) + 1);
	}
	return unit_count_of(counts, ARRAY_SIZE(counts), name);
}

static struct bpmu_value counted(void *ctx, const char *name)
{
	(void)ctx;
	return (struct bpmu_value){
		.number = count_of(name),
		.known = true,
	};
}

/*
 * Expected values of all metrics that belong to no method such as Top-Down. The values were
 * computed by hand.
 */
TEST(metrics_without_a_method_have_values_computed_by_hand)
{
	static const struct {
		const char *part, *name;
		double value;
	} all[] = {
		{ "skx", "IPC", 1.5 }, { "skx", "CPI", 2 / 3.0 },
		{ "skx", "GHz", 4 }, { "skx", "Branch_Miss_Ratio", 0.05 },
		{ "skx", "Branch_MPKI", 10 }, { "skx", "Cache_Miss_Ratio", 0.25 },
		{ "skx", "MPKI", 4 }, { "skx", "Utilization", 0.25 },
		{ "skx", "CPUs_Used", 1000 / 2e9 / 2 },
		{ "skx", "Cycles_per_Instruction", 2 / 3.0 },
		{ "skx", "Branch_Rate", 0.2 },
		{ "skx", "Branch_Mispredictions", 0.01 },
		{ "skx", "Branch_Misprediction_Ratio", 0.05 },
		{ "skx", "Instructions_per_Branch", 5 },
		{ "skx", "DP_FLOP_Rate", (1 + 2 * 2 + 4 * 3 + 8 * 4) / 2.0 },
		{ "ivb", "L2_Fill_Rate", 16 }, { "ivb", "L2_Evict_Rate", 8 },
		{ "skx", "L2_Miss_Ratio", 0.25 }, { "ivb", "L3_Fill_Rate", 4 },
		{ "ivb", "L3_Evict_Rate", 32 }, { "ivb", "L3_Miss_Rate", 24 },
		{ "ivb", "Memory_Request_Rate", 20 },
		{ "ivb", "DP_FLOP_Rate", (5 + 2 * 3 + 4 * 2) / 2.0 },
		{ "skl", "DP_FLOP_Rate", (1 + 2 * 2 + 4 * 3) / 2.0 },
		{ "ptl", "DP_FLOP_Rate", (2 + 2 * 1 + 4 * 5) / 2.0 },
		{ "srf", "DP_FLOP_Rate", 4.5 },
		{ "skx", "DP_Packed_Share", 0.9 }, { "ivb", "DP_Packed_Share", 0.5 },
		{ "bdw", "DP_Packed_Share", 5 / 6.0 },
		{ "ptl", "DP_Packed_Share", 0.75 },
		{ "srf", "L2_Evict_Rate", 1.6 }, { "adl-e", "L2_Miss_Ratio", 0.25 },
		{ "zen1", "L2_Request_Rate", 3.2 }, { "zen5", "L2_Miss_Ratio", 0.4 },
		{ "gnr", "Core_Read_Rate", 1.92 }, { "hsx", "Core_Read_Rate", 9.6 },
		{ "skx", "Core_Read_Rate", 22.4 },
		{ "jkt", "L3_Writeback_Rate", 2.56 },
		{ "skx", "L3_Writeback_Rate", 5.12 },
		{ "icx", "Local_Read_Rate", 1.6 }, { "icx", "Remote_Read_Rate", 0.32 },
		{ "cwf", "Local_Read_Rate", 0.64 },
		{ "bdx", "Local_Read_Rate", 3.2 }, { "ivt", "Remote_Read_Rate", 6.4 },
		{ "skx", "Local_Read_Rate", 9.6 },
		{ "zen2", "Local_Read_Rate", 0.96 },
		{ "zen1", "Remote_Read_Rate", 2.24 },
		{ "zen3", "Local_Read_Rate", 1.92 },
		{ "zen4", "Remote_Read_Rate", 2.24 },
		{ "zen3", "DTLB_Misses", 15 }, { "zen3", "DTLB_Walks", 5 },
		{ "zen3", "ITLB_Walks", 6 }, { "knc", "DTLB_Misses", 7 },
		{ "knc", "DTLB_Walks", 8 }, { "knc", "ITLB_Walks", 9 },
		{ "ivt", "Local_Loads", 35 }, { "ivt", "Remote_Loads", 45 },
		{ "hsw", "DTLB_Load_Walks", 2 }, { "hsw", "DTLB_Store_Walks", 3 },
		{ "hsw", "ITLB_Walks", 4 }, { "hsw", "DTLB_Load_Walk_Time", 0.25 },
		{ "hsx", "Package_Power", 250 }, { "hsx", "DRAM_Power", 100 },
		{ "hsx", "Cores_Power", 150 }, { "hsx", "Package_Energy", 500 },
		{ "hsx", "DRAM_Energy", 200 }, { "hsx", "Cores_Energy", 300 },
		{ "skx", "Frequency", 3 }, { "skx", "Busy", 0.25 },
		{ "skx", "Productive", 0.5 }, { "skx", "Uncore_Frequency", 2.4 },
		{ "skx", "Core_C6", 0.25 }, { "skx", "Package_C3", 0.1 },
		{ "icx", "Core_C1", 0.05 }, { "skl", "Core_C3", 0.1 }, { "skl", "Core_C6", 0.25 },
		{ "skl", "Core_C7", 0.4 }, { "skl", "Package_C2", 0.05 },
		{ "skl", "Package_C3", 0.1 }, { "skl", "Package_C6", 0.2 },
		{ "skl", "Package_C7", 0.3 }, { "skl", "Package_C8", 0.4 },
		{ "skl", "Package_C9", 0.5 }, { "skl", "Package_C10", 0.6 },
		{ "skl", "GPU_Power", 100 }, { "skl", "GPU_Energy", 200 },
		{ "skl", "Platform_Power", 1400 }, { "skl", "Platform_Energy", 2800 },
		{ "zen2", "Core_Power", 11 }, { "zen2", "Core_Energy", 22 },
		/*
		 * The made-up counts have 6 SMIs in 800 TSC ticks. At 2 GHz a run of 2 s has 4e9
		 * ticks, which makes 3e7 SMIs.
		 */
		{ "skl", "SMIs", 3e7 },
		{ "hsx", "Core_Temperature", 60 },
		{ "hsx", "Package_Temperature", 70 },
		{ "zen2", "L3_Miss_Ratio", 0.125 }, { "zen5", "L3_Miss_Ratio", 0.25 },
		{ "zen4", "L3_Miss_Latency", 125 }, { "zen1", "L3_Miss_Cycles", 80 },
		{ "zen3", "L3_Miss_Cycles", 160 },
		/*
		 * Channel N has N + 1 million reads. In 2 s twelve memory channels count 1 + 2 +
		 * ... + 12 = 78 million reads. Eight channels count 10 * (1 + 2 + ... + 8) = 360
		 * million events.
		 */
		{ "zen4", "Memory_Read_Rate", 2.496 },
		{ "zen5", "Memory_Write_Rate", 4.992 },
		{ "zen4", "DRAM_Read_Rate", 1.6 }, { "zen5", "DRAM_Write_Rate", 0.8 },
		{ "zen5", "DRAM_Bus_Utilization", 0.25 },
		{ "skx", "DRAM_Read_Rate", 3.2 },
		{ "skl", "DRAM_Read_Rate", 4.8 }, { "ivb", "DRAM_Write_Rate", 2.4 },
		{ "tgl", "DRAM_Write_Rate", 2.4 }, { "mtl", "DRAM_Read_Rate", 4.8 },
		{ "skx", "DRAM_Page_Hit_Ratio", 0.875 },
		{ "adl", "DRAM_Page_Hit_Ratio", 0.75 }, { "adl-e", "DRAM_Page_Miss_Ratio", 0.1 },
		{ "ivt", "DRAM_Read_Rate", 3.2 }, { "bdx", "DRAM_Write_Rate", 1.6 },
		{ "gnr", "DRAM_Read_Rate", 3.2 }, { "gnr", "DRAM_Write_Rate", 1.28 },
		{ "gnr", "Memory_Traffic", 4.48 },
		{ "knl", "DRAM_Read_Rate", 3.2 }, { "knl", "DRAM_Bus_Utilization", 0.5 },
		{ "knl", "MCDRAM_Read_Rate", 6.4 }, { "knl", "MCDRAM_Write_Rate", 4.8 },
		{ "knl", "MCDRAM_Cache_Read_Rate", 4.8 },
		{ "knl", "MCDRAM_Cache_Write_Rate", 1.6 },
		{ "knl", "MCDRAM_Cache_Hit_Ratio", 0.75 }, { "knl", "Memory_Traffic", 16 },
		{ "jkt", "DRAM_Bus_Utilization", 0.5 },
		{ "jkt", "DRAM_Page_Hit_Ratio", 0.75 },
		{ "hsx", "DRAM_Page_Hit_Ratio", 0.875 },
		{ "ivt", "DRAM_Page_Miss_Ratio", 0.0625 },
		{ "hsx", "Home_Remote_Read_Share", 0.125 },
		{ "skx", "Home_Remote_Read_Share", 0.75 },
		{ "jkt", "DRAM_Read_Queue_Busy", 0.25 },
		{ "skx", "DRAM_Read_Queue_Busy", 0.25 },
		{ "ivt", "Home_Busy", 0.75 }, { "bdx", "Home_Busy", 0.625 },
		{ "skx", "Link_Send_Rate", 1.6 }, { "skx", "Link_Receive_Rate", 0.8 },
		{ "skx", "Link_Utilization", 0.5 },
		{ "skx", "DMA_Read_Rate", 1 }, { "skx", "DMA_Write_Rate", 0.6 },
		{ "skx", "MMIO_Read_Rate", 0.002 }, { "skx", "MMIO_Write_Rate", 0.004 },
		{ "jkt", "Link_Send_Rate", 1.2 }, { "ivt", "Link_Send_Rate", 1.2 },
		{ "hsx", "Link_Receive_Rate", 0.8 }, { "bdx", "Link_Utilization", 0.25 },
		{ "zen1", "Memory_Rate", 11.52 }, { "zen3", "Memory_Rate", 11.52 },
	};
	struct bpmu_choice choice;
	struct bpmu_value value;
	struct bpmu_error err;
	size_t i;
	int at;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		if (load(&choice, all[i].part, NULL, all[i].name, &err))
			fail_msg("%s: %s", all[i].name, err.text);
		at = bpmu_metrics_find(choice.lines, all[i].name);
		assert_true(at >= 0);
		value = unit_value(choice.lines, choice.lines->metric[at].expr, counted, NULL);
		if (!value.known ||
		    fabs(value.number - all[i].value) >
		    CLOSE * fabs(all[i].value))
			fail_msg("%s: %s is %.12g, not %.12g", all[i].part,
				 all[i].name, value.number, all[i].value);
		bpmu_choice_free(&choice);
	}
}

/*
 * Returns the value of a metric for these made-up counts: the core loses half of its clocks because
 * it waits for memory, and in a quarter of the memory controller's clocks a read is pending.
 */
static struct bpmu_value waiting(void *ctx, const char *name)
{
	static const struct unit_count seen[] = {
		{ "Ext_Memory_Bound", 0.5 }, { "Clocks", 4000 },
		{ "UNC_M_RPQ_CYCLES_NE", 300 }, { "UNC_M_CLOCKTICKS_F", 1200 },
	};
	const struct bpmu_metrics *lines = ctx;
	int i = bpmu_metrics_find(lines, name);
	size_t k;

	for (k = 0; k < ARRAY_SIZE(seen); k++)
		if (!strcmp(name, seen[k].event))
			return (struct bpmu_value){ .number = seen[k].count, .known = true };
	assert_true(i >= 0);
	return unit_value(NULL, lines->metric[i].expr, waiting, ctx);
}

/*
 * On CPUs whose memory channels can be counted, --memory-by imc adds nodes for each channel. The
 * option accepts no other word than imc.
 */
TEST(memory_by_imc_splits_memory_by_the_channels)
{
	static const char *const parts[] = { "jkt", "ivt", "hsx", "bdx", "skx" };
	static const struct {
		const char *part, *method, *by;
		int code;
		const char *why;
	} refused[] = {
		{ "skl", "topdown", "imc", -ENOTSUP,
		  "--memory-by imc: needs UNC_M_RPQ_CYCLES_NE, which skl does not have; leave it out" },
		{ "ivt", "topdown", "cha", -EINVAL, "--memory-by 'cha': not known; imc is" },
		{ "ivt", "tma", "imc", -ENOTSUP,
		  "--memory-by imc: these metrics have no MEM_Bandwidth of the paper's tree; leave it or --method and --metrics out" },
	};
	struct bpmu_choice choice;
	struct bpmu_error err;
	struct bpmu_pmu pmu;
	size_t i;
	int at;

	for (i = 0; i < ARRAY_SIZE(parts); i++) {
		choice = (struct bpmu_choice){ .asked = "topdown", .memory_by = "imc" };
		pmu = unit_pmu(parts[i], 8);
		if (bpmu_choice_load(&choice, &pmu, &err))
			fail_msg("%s: %s", parts[i], err.text);
		at = bpmu_metrics_find(choice.lines, "MEM_Bandwidth");
		assert_string_equal(choice.lines->metric[at].unit, "system-wide clocks");
		assert_true(waiting(choice.lines, "MEM_Bandwidth").number == 0.125);
		assert_true(waiting(choice.lines, "MEM_Latency").number == 0.375);
		bpmu_choice_free(&choice);
	}
	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		choice = (struct bpmu_choice){ .asked = refused[i].method,
					       .memory_by = refused[i].by };
		pmu = unit_pmu(refused[i].part, 8);
		assert_int_equal(bpmu_choice_load(&choice, &pmu, &err), refused[i].code);
		assert_string_equal(err.text, refused[i].why);
		bpmu_choice_free(&choice);
	}
}
