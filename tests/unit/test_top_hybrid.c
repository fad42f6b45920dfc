// SPDX-License-Identifier: GPL-2.0
/*
 * A user of top on a hybrid part sees both core types; keys change the one in whose view the
 * cursor is.
 */

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cmd/top/top.h"
#include "unit.h"

static struct bpmu_top top[BPMU_CORE_TYPES];

static void begin(const char *names, const char *path)
{
	struct bpmu_error err;

	memset(top, 0, sizeof(top));
	unit_target(&top->target, "adl", 0);
	unit_target(&top[1].target, "adl-e", 2);
	if (names)
		assert_int_equal(bpmu_choice_add_names(&top->choice, names,
						       &err), 0);
	if (path)
		assert_int_equal(bpmu_choice_add_path(&top->choice, path, &err),
				 0);
}

static void end(void)
{
	unsigned int i;

	for (i = 0; i < BPMU_CORE_TYPES; i++) {
		bpmu_tree_free(&top[i].tree);
		bpmu_choice_free(&top[i].choice);
		bpmu_target_close(&top[i].target);
	}
}

static void share(void)
{
	struct bpmu_error err;

	if (bpmu_top_share(top, &err))
		fail_msg("%s", err.text);
}

static bool has(const struct bpmu_top *one, const char *name)
{
	return bpmu_metrics_find(&one->tree.metrics, name) >= 0;
}

TEST(shows_both_core_types)
{
	begin(NULL, NULL);
	share();
	assert_int_equal(top->others, 1);
	assert_true(has(top, "Core_Bound"));
	assert_false(has(&top[1], "Core_Bound"));
	assert_true(has(&top[1], "Memory_Bound"));
	end();
	begin("Retiring", NULL);
	share();
	assert_int_equal(top->others, 1);
	end();
}

/* A core type without a tree is left out, whichever of the two it is. */
TEST(leaves_out_a_core_type_without_a_tree)
{
	char file[] = "/tmp/hybrid.XXXXXX";

	begin("Divider", NULL);
	share();
	assert_int_equal(top->others, 0);
	assert_string_equal(top->target.info.part, "adl");
	end();
	unit_file(file, "x = MEM_UOPS_RETIRED.ALL_LOADS / instructions\n");
	begin(NULL, file);
	share();
	assert_int_equal(top->others, 0);
	assert_string_equal(top->target.info.part, "adl-e");
	assert_string_equal(top->target.cpus_text, "2-3");
	assert_true(has(top, "x"));
	end();
	unlink(file);
}

TEST(refuses_a_metric_of_neither_core_type)
{
	struct bpmu_error err;

	begin("Nothing_like_it", NULL);
	assert_int_equal(bpmu_top_share(top, &err), -ENOENT);
	assert_non_null(strstr(err.text, "'Nothing_like_it': no metric"));
	end();
}
