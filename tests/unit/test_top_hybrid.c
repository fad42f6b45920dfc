// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of top on a hybrid CPU: it shows both core types, each in a view of its own, and a key
 * changes only the view in which the cursor is.
 */

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cmd/top/top.h"
#include "unit.h"

static struct bpmu_top top;

static void begin(const char *names, const char *path)
{
	struct bpmu_error err;

	memset(&top, 0, sizeof(top));
	unit_core_type(&top.analysis, "adl", 0);
	unit_core_type(&top.analysis, "adl-e", 2);
	if (names)
		assert_int_equal(bpmu_choice_add_names(&top.analysis.choice, names, &err), 0);
	if (path)
		assert_int_equal(bpmu_choice_add_path(&top.analysis.choice, path, &err), 0);
}

static void end(void)
{
	bpmu_analysis_free(&top.analysis);
}

static void share(void)
{
	struct bpmu_error err;

	if (bpmu_top_schedule(&top, &err))
		fail_msg("%s", err.text);
}

static bool has(unsigned int k, const char *name)
{
	return bpmu_metrics_find(&top.section[k].type->tree.metrics, name) >= 0;
}

TEST(shows_both_core_types)
{
	begin(NULL, NULL);
	share();
	assert_int_equal(top.analysis.nr, 2);
	assert_true(has(0, "Core_Bound"));
	assert_false(has(1, "Core_Bound"));
	assert_true(has(1, "Memory_Bound"));
	end();
	begin("Retiring", NULL);
	share();
	assert_int_equal(top.analysis.nr, 2);
	end();
}

/*
 * A core type that has none of the metrics is left out, whether it is the first or the second one.
 */
TEST(leaves_out_a_core_type_without_a_tree)
{
	char file[] = "/tmp/hybrid.XXXXXX";

	begin("Divider", NULL);
	share();
	assert_int_equal(top.analysis.nr, 1);
	assert_string_equal(top.section->type->target.info.part, "adl");
	end();
	unit_file(file, "x = MEM_UOPS_RETIRED.ALL_LOADS / instructions\n");
	begin(NULL, file);
	share();
	assert_int_equal(top.analysis.nr, 1);
	assert_string_equal(top.section->type->target.info.part, "adl-e");
	assert_string_equal(top.section->type->target.cpus_text, "2-3");
	assert_true(has(0, "x"));
	end();
	unlink(file);
}

TEST(refuses_a_metric_of_neither_core_type)
{
	struct bpmu_error err;

	begin("Nothing_like_it", NULL);
	assert_int_equal(bpmu_top_schedule(&top, &err), -ENOENT);
	assert_non_null(strstr(err.text, "'Nothing_like_it': no metric"));
	end();
}
