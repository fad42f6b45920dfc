// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the preparation of an analysis on several core types: a request is counted on the core
 * types that can count it, and a note names the core types that cannot.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

static struct bpmu_analysis analysis;

static void begin(void)
{
	memset(&analysis, 0, sizeof(analysis));
	unit_core_type(&analysis, "adl", 0);
	unit_core_type(&analysis, "adl-e", 2);
}

/*
 * The error codes that prepare() returns for the first core type (CPU 0) and for the second one
 * (CPU 2); 0 for success.
 */
static int codes[BPMU_CORE_TYPES];

static int prepare(void *data, struct bpmu_core_type *type, struct bpmu_error *err)
{
	unsigned int k = type->target.cpus.cpu[0] / 2;

	assert_ptr_equal(data, codes);
	return codes[k] ? bpmu_error_set(err, codes[k], "type %u: cannot", k) : 0;
}

/*
 * Prepares a request on two core types. For them prepare() returns the error codes @first and
 * @second. @all: the request needs all core types. Fails unless bpmu_analysis_keep() returns
 * @expected. Returns the printed notes about core types that cannot count the request; the caller
 * frees the notes.
 */
static char *keep(int first, int second, bool all, int expected, struct bpmu_error *err)
{
	begin();
	codes[0] = first;
	codes[1] = second;
	unit_capture_begin(stderr);
	assert_int_equal(bpmu_analysis_keep(&analysis, prepare, codes, all, err), expected);
	return unit_capture_end();
}

static void keeps(int first, int second, unsigned int nr, const char *part, const char *note)
{
	struct bpmu_error err;
	char *said = keep(first, second, false, 0, &err);

	assert_int_equal(analysis.nr, nr);
	assert_string_equal(analysis.type[0]->target.info.part, part);
	assert_string_equal(said, note);
	bpmu_analysis_name(&analysis);
	if (nr > 1)
		assert_string_equal(analysis.type[0]->name, part);
	else
		assert_null(analysis.type[0]->name);
	free(said);
	bpmu_analysis_free(&analysis);
}

TEST(core_types_that_cannot_count_the_request_are_left_out_with_a_note)
{
	keeps(0, 0, 2, "adl", "");
	keeps(0, -ENOENT, 1, "adl",
	      "barepmu: type 1: cannot; counted on CPU 0-1 (adl) alone\n");
	keeps(-ENOENT, 0, 1, "adl-e",
	      "barepmu: type 0: cannot; counted on CPU 2-3 (adl-e) alone\n");
	/*
	 * The user chose this core type by name, so no note about the other core type is printed.
	 */
	keeps(-EXDEV, 0, 1, "adl-e", "");
}

static void refuses(int first, int second, bool all, int expected, const char *why)
{
	struct bpmu_error err;
	char *said = keep(first, second, all, expected, &err);

	assert_string_equal(err.text, why);
	assert_string_equal(said, "");
	assert_int_equal(analysis.nr, 2);
	free(said);
	bpmu_analysis_free(&analysis);
}

TEST(a_request_that_no_core_type_can_count_is_refused_with_the_reason_of_the_first)
{
	refuses(-ENOENT, -ENOTSUP, false, -ENOENT, "type 0: cannot");
	refuses(-ENOENT, -ENOTSUP, true, -ENOENT, "type 0: cannot");
	refuses(0, -ENOTSUP, true, -EINVAL,
		"the CPUs have two core types; choose one with -C 0-1 (adl) or -C 2-3 (adl-e)");
}

static void ask(const char *path, const char *names)
{
	struct bpmu_error err;
	int code = 0;

	begin();
	if (path)
		code = bpmu_choice_add_path(&analysis.choice, path, &err);
	if (!code && names)
		code = bpmu_choice_add_names(&analysis.choice, names, &err);
	if (!code)
		code = bpmu_analysis_ask(&analysis, &err);
	if (code)
		fail_msg("%s", err.text);
}

/*
 * Loads the tree "tma" and the metrics @names with the function @load, on a board without RAPL
 * registers. Fails unless @load returns @expected. Returns whether all metrics can be counted.
 */
static bool is_whole(int (*load)(struct bpmu_core_type *, struct bpmu_error *), const char *names,
		     int expected)
{
	struct bpmu_core_type *type;
	struct bpmu_error err;
	bool whole;

	ask(NULL, names);
	type = analysis.type[0];
	type->target.info.pmu.free = 0;
	type->choice.asked = "tma";
	assert_int_equal(load(type, &err), expected);
	whole = !expected && bpmu_choice_is_whole(&type->choice);
	bpmu_analysis_free(&analysis);
	return whole;
}

/*
 * Metrics of a tree that the board cannot count are left out. Only metrics that the user has named
 * are refused with a message.
 */
TEST(a_whole_tree_refuses_only_metrics_that_are_named)
{
	assert_true(is_whole(bpmu_core_type_load_whole, NULL, 0));
	assert_false(is_whole(bpmu_core_type_load_whole, "tma_info_system_power", -ENOTSUP));
	assert_true(is_whole(bpmu_core_type_load_whole, "tma_retiring", 0));
	assert_false(is_whole(bpmu_core_type_load, NULL, 0));
}

static int make_tree(void *data, struct bpmu_core_type *type, struct bpmu_error *err)
{
	int code = bpmu_core_type_load(type, err);

	(void)data;
	type->wish.level = BPMU_TREE_ALL;
	return code ? code : bpmu_core_type_tree(type, err);
}

static void has_trees(const char *path, const char *names, unsigned int nr, const char *part,
		      const char *note)
{
	struct bpmu_error err;
	unsigned int k;
	char *said;

	ask(path, names);
	unit_capture_begin(stderr);
	if (bpmu_analysis_keep(&analysis, make_tree, NULL, false, &err))
		fail_msg("%s", err.text);
	said = unit_capture_end();
	assert_int_equal(analysis.nr, nr);
	assert_string_equal(analysis.type[0]->target.info.part, part);
	for (k = 0; k < nr; k++) {
		assert_ptr_equal(analysis.type[k]->groups, &analysis.type[k]->tree.groups);
		assert_ptr_equal(analysis.type[k]->errata.part,
				 analysis.type[k]->target.info.pmu.part);
	}
	if (!strstr(said, note) || (!*note && *said))
		fail_msg("'%s' is not: %s", note, said);
	free(said);
	bpmu_analysis_free(&analysis);
}

TEST(metrics_are_loaded_for_each_core_type_that_has_them)
{
	char file[] = "/tmp/analysis.XXXXXX";

	has_trees(NULL, "Retiring", 2, "adl", "");
	has_trees(NULL, "Divider", 1, "adl", "; counted on CPU 0-1 (adl) alone\n");
	unit_file(file, "x = MEM_UOPS_RETIRED.ALL_LOADS / instructions\n");
	has_trees(file, NULL, 1, "adl-e", "; counted on CPU 2-3 (adl-e) alone\n");
	unlink(file);
}

/*
 * Uncore events are counted by CPUs of the first core type, because only these read the counters of
 * the package.
 */
TEST(events_of_the_package_are_those_of_the_first_core_type)
{
	char file[] = "/tmp/analysis.XXXXXX";

	unit_file(file, "x = UNC_ARB_TRK_REQUESTS.ALL / instructions\n");
	has_trees(file, NULL, 1, "adl", "; counted on CPU 0-1 (adl) alone\n");
	unlink(file);
}

TEST(an_event_file_that_one_core_type_cannot_read_is_an_error_of_it_alone)
{
	struct bpmu_error err;

	ask(NULL, NULL);
	analysis.type[1]->choice.events = "/nonexistent/events.json";
	assert_int_equal(bpmu_core_type_load_events(analysis.type[0], &err), 0);
	assert_int_not_equal(bpmu_core_type_load_events(analysis.type[1], &err), 0);
	assert_non_null(strstr(err.text, "/nonexistent/events.json"));
	bpmu_analysis_free(&analysis);
}

/*
 * Parses @events for two core types; if @events is NULL, parses the default events. If @described,
 * the second core type is known from a recording only: none of its CPUs is measured. Returns 0, or
 * a negative error code with @err filled in.
 */
static int give(const char *events, bool described, struct bpmu_error *err)
{
	begin();
	if (described)
		analysis.nr = 1;
	if (events)
		assert_int_equal(bpmu_wanted_add(&analysis.wanted, events, err), 0);
	return bpmu_analysis_events(&analysis, err);
}

static void gives(const char *events, bool described, const char *first, const char *second,
		  const char *note)
{
	struct bpmu_error err;
	const char *text;
	char *said;

	unit_capture_begin(stderr);
	if (give(events, described, &err))
		fail_msg("%s", err.text);
	said = unit_capture_end();
	text = analysis.type[0]->wanted.text;
	assert_string_equal(text ?: "", first);
	text = analysis.type[1]->wanted.text;
	assert_string_equal(text ?: "", second);
	assert_string_equal(said, note);
	free(said);
	bpmu_analysis_free(&analysis);
}

TEST(events_are_given_to_the_core_types_that_have_them)
{
	struct bpmu_error err;

	gives("cycles,slots", false, "cycles,slots", "cycles",
	      "barepmu: event 'slots': not known on adl-e; see 'barepmu list'; counted on CPU 0-1 (adl) alone\n");
	gives("cpu_atom/cycles/", false, "", "cpu_atom/cycles/", "");
	gives(NULL, false, BPMU_WANTED_DEFAULT, BPMU_WANTED_DEFAULT, "");
	gives("POWER.PKG,cycles", false, "POWER.PKG,cycles", "cycles", "");
	assert_int_equal(give("nonsense", false, &err), -ENOENT);
	bpmu_analysis_free(&analysis);
	assert_int_equal(give("cpu_atom/nonsense/", false, &err), -ENOENT);
	assert_non_null(strstr(err.text, "not known on adl-e;"));
	bpmu_analysis_free(&analysis);
}

/*
 * Only the second core type knows this uncore event. The counters of the package are always read by
 * CPUs of the first core type, so the event cannot be counted.
 */
TEST(an_event_of_the_package_that_the_first_core_type_lacks_is_refused)
{
	struct bpmu_error err;

	memset(&analysis, 0, sizeof(analysis));
	unit_core_type(&analysis, "zen3", 0);
	unit_core_type(&analysis, "adl", 2);
	assert_int_equal(bpmu_wanted_add(&analysis.wanted, "UNC_ARB_TRK_REQUESTS.ALL", &err), 0);
	assert_int_equal(bpmu_analysis_events(&analysis, &err), -ENOENT);
	assert_non_null(strstr(err.text, "not known on zen3"));
	bpmu_analysis_free(&analysis);
}

TEST(events_of_a_core_type_that_was_not_chosen_are_left_out_with_a_note)
{
	struct bpmu_error err;

	gives("cycles,MEM_UOPS_RETIRED.ALL_LOADS", true, "cycles", "",
	      "barepmu: event 'MEM_UOPS_RETIRED.ALL_LOADS': not known on adl; did you mean MEM_INST_RETIRED.ALL_LOADS? See 'barepmu list'; counted on CPU 2-3 (adl-e) alone\n");
	assert_int_equal(give("nonsense", true, &err), -ENOENT);
	bpmu_analysis_free(&analysis);
}

TEST(a_closed_analysis_keeps_its_request)
{
	struct bpmu_error err;

	ask(NULL, "Retiring");
	assert_false(analysis.type[1]->wanted.together);
	assert_int_equal(bpmu_wanted_add(&analysis.wanted, "cycles", &err), 0);
	bpmu_analysis_close(&analysis);
	assert_int_equal(analysis.nr, 0);
	assert_null(analysis.type[0]);
	assert_string_equal(analysis.choice.names, "Retiring");
	assert_string_equal(analysis.wanted.text, "cycles");
	unit_core_type(&analysis, "adl", 0);
	analysis.wanted.together = true;
	assert_int_equal(bpmu_analysis_ask(&analysis, &err), 0);
	assert_true(analysis.type[0]->wanted.together);
	assert_string_equal(analysis.type[0]->choice.names, "Retiring");
	bpmu_analysis_free(&analysis);
}
