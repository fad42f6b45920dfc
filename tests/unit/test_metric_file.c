// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of metric files: all metrics of a file are read, or an error has its position in the file;
 * no contents crash the tool.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "metric/metric.h"
#include "metric/metric_expr.h"
#include "metric/metric_unit.h"
#include "tree/tree.h"
#include "unit.h"

static const struct bpmu_part *ivb(void)
{
	return bpmu_part_by_name("ivb");
}

static const struct bpmu_metric *line(const struct bpmu_metrics *m,
				      const char *name)
{
	int i = bpmu_metrics_find(m, name);

	if (i < 0)
		fail_msg("no line %s", name);
	return &m->metric[i];
}

static void add(struct bpmu_metrics *m, const char *text)
{
	struct bpmu_error err;

	if (bpmu_metrics_add(m, "mine.bpm", text, ivb(), &err))
		fail_msg("%s\n%s", err.text, err.excerpt);
}

TEST(a_complete_file_is_measured)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_error err;
	struct bpmu_tree tree;

	if (unit_tree(&tree,
		      "\xef\xbb\xbfIPC = Insn / Clk | unit instructions/clock\r\n"
		      "Clk := CPU_CLK_UNHALTED.THREAD | clock\r\n"
		      "Insn := inst_retired.any", &pmu, 1, &err))
		fail_msg("%s", err.text);
	assert_int_equal(tree.metrics.nr, 3);
	assert_int_equal(tree.groups.nr, 1);
	assert_int_equal(tree.events[0].nr, 2);
	bpmu_tree_free(&tree);
}

/*
 * A file may state the version of its tree. If the file extends another tree, only the file's own
 * metrics have the version, not the other tree. A metric may have the name "version".
 */
TEST(a_file_tells_the_version_of_its_tree)
{
	struct bpmu_metrics m = { .nr = 0 };

	add(&m, "# mine\n\nversion \"TMA 5.2\" # newest\n\nA = 1\n\tB = A\n");
	assert_int_equal(line(&m, "B")->level, 2);
	assert_string_equal(bpmu_metrics_version(&m), "TMA 5.2");
	bpmu_metrics_free(&m);
	add(&m, "extends topdown\nversion \"Own 1\"\nOwn = 1\n");
	assert_null(bpmu_metrics_version(&m));
	assert_string_equal(bpmu_metric_version(&m, bpmu_metrics_find(&m, "Own")), "Own 1");
	bpmu_metrics_free(&m);
	add(&m, "version = 3\n");
	assert_int_equal(line(&m, "version")->level, 1);
	assert_null(bpmu_metrics_version(&m));
	bpmu_metrics_free(&m);
}

/* New nodes are placed below their parent and before the parent's next sibling. */
TEST(a_file_adds_nodes_below_their_parents)
{
	static const char text[] =
		"# mine\nextends topdown # really\n"
		"Memory_Bound\n  | flag > 0.35\n"
		"  Own = Twice / Clocks | unit clocks | flag > 0.1\n"
		"    Deeper = Own / 2\n"
		"Twice := 2 * MemStalls.Stores\n"
		"MemStalls.Stores := RESOURCE_STALLS.SB:c2\n"
		"Root = IPC\nIPC := INST_RETIRED.ANY / Clocks\n";
	struct bpmu_metrics m = { .nr = 0 };
	const struct bpmu_metric *memory;
	const struct bpmu_metric *own;
	unsigned int i;

	add(&m, text);
	memory = line(&m, "Memory_Bound");
	assert_int_equal(memory->level, 2);
	assert_true(memory->flag->arg[1]->number == 0.35);
	assert_string_equal(memory->unit, "clocks");
	own = line(&m, "Own");
	assert_int_equal(own->level, 3);
	assert_int_equal(own->parent, memory - m.metric);
	assert_string_equal(own[1].name, "Deeper");
	assert_int_equal(own[1].level, 4);
	assert_string_equal(own[2].name, "Core_Bound");
	assert_int_equal(own[2].parent, memory->parent);
	assert_string_equal(line(&m, "MemStalls.Stores")->expr->name,
			    "RESOURCE_STALLS.SB:c2");
	assert_true(line(&m, "CoreClocks")->clock);
	for (i = 0; i < m.nr; i++)
		assert_true(m.metric[i].parent < (int)i);
	add(&m, "extends topdown\nOwn\n  More = 1\nTwice := 3");
	assert_string_equal(line(&m, "Deeper")[1].name, "More");
	assert_true(line(&m, "Twice")->expr->number == 3);
	bpmu_metrics_free(&m);
}

/* A file that extends a tree may change one attribute of a node; the node keeps all others. */
TEST(a_file_replaces_each_attribute_that_it_gives_and_no_other)
{
	struct bpmu_metrics m = { .nr = 0 };
	const struct bpmu_metric *own;
	const struct bpmu_expr *expr;

	add(&m, "extends topdown\n"
		"Own = 1 | unit slots | flag > 0.1 | text \"a\" | next \"b\" | source \"c\"\n"
		"  | erratum BV98 | group d | scope core\n");
	expr = line(&m, "Own")->expr;
	add(&m, "extends topdown\nOwn\n  | erratum BJ122 | scope thread\n");
	own = line(&m, "Own");
	assert_string_equal(own->erratum, "BJ122");
	assert_int_equal(own->scope, BPMU_SCOPE_THREAD);
	assert_string_equal(own->unit, "slots");
	assert_true(own->flag->arg[1]->number == 0.1);
	assert_string_equal(own->text, "a");
	assert_string_equal(own->next, "b");
	assert_string_equal(own->source, "c");
	assert_string_equal(own->group, "d");
	assert_ptr_equal(own->expr, expr);
	add(&m, "extends topdown\n"
		"Own\n  | unit clocks | flag > 0.2 | text \"e\" | next \"f\" | source \"g\" | group h\n");
	own = line(&m, "Own");
	assert_string_equal(own->unit, "clocks");
	assert_true(own->flag->arg[1]->number == 0.2);
	assert_string_equal(own->text, "e");
	assert_string_equal(own->next, "f");
	assert_string_equal(own->source, "g");
	assert_string_equal(own->group, "h");
	assert_string_equal(own->erratum, "BJ122");
	assert_int_equal(own->scope, BPMU_SCOPE_THREAD);
	assert_false(own->clock || own->first || own->root);
	bpmu_metrics_free(&m);
}

/* says: the end of a line of the message or of its excerpt */
static const struct {
	const char *text;
	int code;
	const char *says;
} wrong[] = {
	{ "a = b\nb := c + 1\nc := 2 * b", -ELOOP,
	  "m.bpm:3:10: defined by itself, b -> c -> b; break the cycle\nc := 2 * b\n         ^" },
	{ "a = a", -ELOOP, "m.bpm:1:5: defined by itself, a -> a; break the cycle" },
	{ "a = 1 | flag > 1 or b > 2", -ENOENT,
	  "m.bpm:1:21: 'b' is no node, as a flag needs; did you mean a?" },
	{ "abc = 1 | flag abd > 2\nabe := 2", -ENOENT,
	  "'abd' is no node, as a flag needs; did you mean abc?" },
	{ "a = UOPS_ISUED.ANY:[>=1]", -ENOENT,
	  "m.bpm:1:5: 'UOPS_ISUED.ANY:[>=1]' is neither a line nor an event of ivb; did you mean UOPS_ISSUED.ANY?" },
	{ "a = Bcdefg\nBcdefh := 1", -ENOENT,
	  "neither a line nor an event of ivb; did you mean Bcdefh?" },
	{ "a = 1 +\tUOPS_ISSUED.ANY:[>=999]", -ERANGE,
	  "m.bpm:1:9: event 'UOPS_ISSUED.ANY:[>=999]': '[>=999]' needs counter mask 999; 255 is the highest" },
	{ "a = UOPS_ISSUED.ANY:zz", -EINVAL,
	  "'zz' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "extends topdown\nFrontend_Boun\n | flag > 1", -EINVAL,
	  "m.bpm:2:1: no node 'Frontend_Boun' to change; did you mean Frontend_Bound?" },
	{ "extends topdown\nqqqqq", -EINVAL,
	  "no node 'qqqqq' to change; write NAME = EXPRESSION to add one" },
	{ "extends topdown\nClocks\n", -EINVAL,
	  "'Clocks' is no node but a definition; write NAME := EXPRESSION to change it" },
	{ "extends topdown\nRetiring = 1", -EINVAL,
	  "'Retiring' is a line of the method; change a definition by ':=', a node's flag by its name alone" },
	{ "extends topdown\na = 1\n  Retiring", -EINVAL,
	  "m.bpm:3:3: the node is in the tree already; begin its line at the left" },
	{ "extends topdown\na := 1\na := 2", -EINVAL,
	  "'a' is taken by a line above or of another file; use another name" },
	{ "version \"TMA 5.2\" x", -EINVAL,
	  "m.bpm:1:19: more than a version; write version \"NAME NUMBER\"" },
	{ "version \"TMA", -EINVAL, "the closing '\"' is missing; add it" },
	{ "extends topdown x", -EINVAL,
	  "m.bpm:1:17: more than a method; write extends METHOD" },
	{ "extends nothing", -ENOENT,
	  "method 'nothing': not available on ivb; see 'barepmu list events' for what can be counted" },
	{ "a = 1\nextends topdown", -EINVAL, "m.bpm:2:9: no '=' here; write NAME = EXPRESSION" },
};

TEST(refuses_invalid_files_with_their_position)
{
	char said[sizeof(struct bpmu_error) + 2];
	struct bpmu_metrics m = { .nr = 0 };
	struct bpmu_error err;
	const char *says;
	size_t i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		ret = bpmu_metrics_add(&m, "m.bpm", wrong[i].text, ivb(), &err);
		bpmu_metrics_free(&m);
		snprintf(said, sizeof(said), "%s\n%s", err.text, err.excerpt);
		says = strstr(said, wrong[i].says);
		if (ret != wrong[i].code || !says || says[strlen(wrong[i].says)] != '\n')
			fail_msg("%s: %d, %s", wrong[i].text, ret, said);
	}
}

TEST(refuses_a_second_method)
{
	struct bpmu_metrics m = { .nr = 0 };
	struct bpmu_error err;

	add(&m, "a = 1");
	assert_int_equal(bpmu_metrics_add(&m, "n.bpm", "extends topdown\n",
					  ivb(), &err), -EINVAL);
	assert_non_null(strstr(err.text,
			       "the files before do not extend 'topdown'"));
	assert_int_equal(bpmu_metrics_add(&m, "n.bpm", "a = 2", ivb(), &err),
			 -EINVAL);
	assert_non_null(strstr(err.text, "n.bpm:1:1: 'a' is taken"));
	bpmu_metrics_free(&m);
}

/*
 * A file may describe a node. If this CPU model has the node, the node gets the description. If the
 * model lacks the node, the description is ignored; the reason why the model lacks the node stays
 * known.
 */
TEST(only_nodes_of_the_part_get_a_description)
{
	struct bpmu_metrics m = { .nr = 0 };
	const struct bpmu_part *part;
	struct bpmu_error err;
	char why[BPMU_METRICS_WHY];

	part = ivb();
	assert_int_equal(bpmu_metrics_builtin(&m, "tma", part, &err), 0);
	assert_string_equal(line(&m, "tma_lcp")->text,
			    "Cycles in which decoding waits because a prefix changes an instruction's length");
	assert_int_equal(line(&m, "tma_lcp")->level, 3);
	assert_int_equal(bpmu_metrics_find(&m, "tma_amx_busy"), -1);
	bpmu_metrics_free(&m);
	part = bpmu_part_by_name("mtl");
	/*
	 * On this CPU model tma_contested_accesses is no node of the tree, so the file must not
	 * give it a description as a node. The file may define this name as a metric outside of the
	 * tree, or as "none" with a reason.
	 */
	memset(&m, 0, sizeof(m));
	assert_int_equal(bpmu_metrics_builtin(&m, "tma", part, &err), 0);
	assert_int_equal(bpmu_metrics_find(&m, "tma_contested_accesses"), -1);
	bpmu_metrics_free(&m);
	assert_true(bpmu_metrics_lost("tma", part, "tma_contested_accesses", why));
	assert_non_null(strstr(why, "needs "));
}

TEST(several_files_extend_the_same_method)
{
	struct bpmu_metrics m = { .nr = 0 };

	add(&m, "extends tma\ntma_lcp | flag > 0.5\n");
	add(&m, "extends tma\ntma_lcp | text \"other\"\n");
	assert_string_equal(line(&m, "tma_lcp")->text, "other");
	bpmu_metrics_free(&m);
}

TEST(a_tab_advances_to_a_multiple_of_eight_columns)
{
	struct bpmu_metrics m = { .nr = 0 };

	add(&m, "a = 1\n\tb = 1\n        c = 1\n   \td = 1\n\t e = 1\n");
	assert_int_equal(line(&m, "b")->level, 2);
	assert_int_equal(line(&m, "c")->level, 2);
	assert_int_equal(line(&m, "d")->level, 2);
	assert_int_equal(line(&m, "e")->level, 3);
	bpmu_metrics_free(&m);
}

/*
 * The formulas of a small file can refer to each other so that they grow exponentially. Such a file
 * is refused.
 */
TEST(refuses_formulas_that_grow_too_large)
{
	static const char *const forms[] = { "n%d := n%d + 1\n",
					     "n%d := n%d + n%d\n" };
	struct bpmu_metrics m = { .nr = 0 };
	struct bpmu_error err;
	char text[1 << 16];
	size_t f;
	int len;
	int i;

	for (f = 0; f < ARRAY_SIZE(forms); f++) {
		len = 0;
		for (i = 0; i < 2000; i++)
			len += sprintf(text + len, forms[f], i, i + 1, i + 1);
		sprintf(text + len, "n%d := 1\n", i);
		assert_int_equal(bpmu_metrics_add(&m, "m.bpm", text, ivb(),
						  &err), -E2BIG);
		assert_non_null(strstr(err.text, "too much to compute"));
		bpmu_metrics_free(&m);
	}
	len = sprintf(text, "x = 1");
	for (i = 0; i < 6000; i++)
		len += sprintf(text + len, " + 1");
	assert_int_equal(bpmu_metrics_add(&m, "m.bpm", text, ivb(), &err),
			 -EINVAL);
	assert_non_null(strstr(err.text, "too long an expression"));
	bpmu_metrics_free(&m);
	for (len = 0, i = 0; i < 4097; i++)
		len += sprintf(text + len, "n%d:=1\n", i);
	assert_int_equal(bpmu_metrics_add(&m, "m.bpm", text, ivb(), &err),
			 -EINVAL);
	assert_non_null(strstr(err.text, "m.bpm:4097:1: more than 4096 names"));
	bpmu_metrics_free(&m);
}

static int load(const void *text, size_t len, struct bpmu_error *err)
{
	char path[] = "/tmp/barepmu-unit-XXXXXX";
	struct bpmu_metrics m = { .nr = 0 };
	int fd = mkstemp(path);
	int ret;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, len), len);
	close(fd);
	ret = bpmu_metrics_file(&m, path, ivb(), err);
	unlink(path);
	bpmu_metrics_free(&m);
	return ret;
}

TEST(refuses_files_that_are_large_or_not_text)
{
	struct bpmu_metrics m = { .nr = 0 };
	struct bpmu_error err;
	char *large;

	if (load("a = 1", 5, &err))
		fail_msg("%s", err.text);
	assert_int_equal(load("", 0, &err), 0);
	assert_int_equal(load("a = 1\n\0b", 8, &err), -EINVAL);
	assert_non_null(strstr(err.text, ":2: a NUL byte"));
	assert_int_equal(load("a = 1 | text \"\303\251\"\n", 18, &err), 0);
	assert_int_equal(load("a = 1\n\n# \351\n", 11, &err), -EINVAL);
	assert_non_null(strstr(err.text, ":3: not UTF-8"));
	large = malloc(1 << 21);
	assert_non_null(large);
	memset(large, '\n', 1 << 21);
	assert_int_equal(load(large, 1 << 20, &err), 0);
	assert_int_equal(load(large, 1 << 21, &err), -EFBIG);
	assert_non_null(strstr(err.text, "larger than 1048576 bytes"));
	free(large);
	assert_int_equal(bpmu_metrics_file(&m, "/nowhere/a.bpm", ivb(), &err),
			 -ENOENT);
	assert_non_null(strstr(err.text, "/nowhere/a.bpm: cannot be read"));
	assert_int_equal(bpmu_metrics_file(&m, "/", ivb(), &err), -EISDIR);
	bpmu_metrics_free(&m);
}

TEST(slots_and_clocks_are_shares)
{
	assert_true(bpmu_unit_is_share(bpmu_unit_find("core clocks", 11)));
	assert_false(bpmu_unit_is_share(bpmu_unit_find("GB/s", 4)));
	assert_false(bpmu_unit_is_share(NULL));
	assert_null(bpmu_unit_find("slot", 4));
	assert_null(bpmu_unit_find("", 0));
}
