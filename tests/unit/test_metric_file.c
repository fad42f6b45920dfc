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

/* Nodes behind the inserted ones keep their parents, also those whose parent is the next node. */
TEST(inserted_nodes_move_the_nodes_behind_them)
{
	struct bpmu_metrics before = { .nr = 0 }, after = { .nr = 0 };
	const struct bpmu_metric *old, *new;
	struct bpmu_error err;
	unsigned int i;

	assert_int_equal(bpmu_metrics_builtin(&before, "topdown", ivb(), &err), 0);
	add(&after, "extends topdown\nFrontend_Bound\n  Own = 1\n    Deeper = 2\n  Other = 3\n"
		    "Memory_Bound\n  Last = 4\n");
	assert_int_equal(after.nr, before.nr + 4);
	for (i = 0; i < before.nr; i++) {
		old = &before.metric[i];
		new = line(&after, old->name);
		assert_int_equal(new->level, old->level);
		assert_int_equal(new->parent < 0, old->parent < 0);
		if (old->parent >= 0)
			assert_string_equal(after.metric[new->parent].name,
					    before.metric[old->parent].name);
	}
	assert_string_equal(after.metric[line(&after, "Deeper")->parent].name, "Own");
	assert_string_equal(after.metric[line(&after, "Other")->parent].name, "Frontend_Bound");
	assert_string_equal(line(&after, "Other")[1].name, "Bad_Speculation");
	assert_string_equal(line(&after, "Last")[1].name, "Core_Bound");
	bpmu_metrics_free(&before);
	bpmu_metrics_free(&after);
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

static const struct {
	const char *text;
	int code;
	const char *says;
} wrong[] = {
	{ "a = b\nb := c + 1\nc := 2 * b", -ELOOP,
	  "m.bpm:3:10: defined by itself, b -> c -> b; break the cycle" },
	{ "a = a", -ELOOP, "m.bpm:1:5: defined by itself, a -> a; break the cycle" },
	{ "a = 1 | flag > 1 or b > 2", -ENOENT,
	  "m.bpm:1:21: 'b' is no node, as a flag needs; did you mean a?" },
	{ "abc = 1 | flag abd > 2\nabe := 2", -ENOENT,
	  "m.bpm:1:16: 'abd' is no node, as a flag needs; did you mean abc?" },
	{ "a = UOPS_ISUED.ANY:[>=1]", -ENOENT,
	  "m.bpm:1:5: 'UOPS_ISUED.ANY:[>=1]' is neither a line nor an event of ivb; did you mean UOPS_ISSUED.ANY?" },
	{ "a = Bcdefg\nBcdefh := 1", -ENOENT,
	  "m.bpm:1:5: 'Bcdefg' is neither a line nor an event of ivb; did you mean Bcdefh?" },
	{ "a = 1 + UOPS_ISSUED.ANY:[>=999]", -ERANGE,
	  "m.bpm:1:9: event 'UOPS_ISSUED.ANY:[>=999]': '[>=999]' needs counter mask 999; 255 is the highest" },
	{ "a = UOPS_ISSUED.ANY:zz", -EINVAL,
	  "m.bpm:1:5: event 'UOPS_ISSUED.ANY:zz': 'zz' is not a filter; use [>=N], [<N], [=N], c=N, i, e, t, u, k or PMCn" },
	{ "extends topdown\nFrontend_Boun\n | flag > 1", -EINVAL,
	  "m.bpm:2:1: no node 'Frontend_Boun' to change; did you mean Frontend_Bound?" },
	{ "extends topdown\nqqqqq", -EINVAL,
	  "m.bpm:2:1: no node 'qqqqq' to change; write NAME = EXPRESSION to add one" },
	{ "extends topdown\nClocks\n", -EINVAL,
	  "m.bpm:2:1: 'Clocks' is no node but a definition; write NAME := EXPRESSION to change it" },
	{ "extends topdown\nRetiring = 1", -EINVAL,
	  "m.bpm:2:1: 'Retiring' is a line of the method; change a definition by ':=', a node's flag by its name alone" },
	{ "extends topdown\na = 1\n  Retiring", -EINVAL,
	  "m.bpm:3:3: the node is in the tree already; begin its line at the left" },
	{ "extends topdown\na := 1\na := 2", -EINVAL,
	  "m.bpm:3:1: 'a' is taken by a line above or of another file; use another name" },
	{ "version \"TMA 5.2\" x", -EINVAL,
	  "m.bpm:1:19: more than a version; write version \"NAME NUMBER\"" },
	{ "version \"TMA", -EINVAL, "m.bpm:1:9: the closing '\"' is missing; add it" },
	{ "extends topdown x", -EINVAL, "m.bpm:1:17: more than a method; write extends METHOD" },
	{ "extends nothing", -ENOENT,
	  "method 'nothing': not available on ivb; see 'barepmu list events' for what can be counted" },
	{ "a = 1\nextends topdown", -EINVAL, "m.bpm:2:9: no '=' here; write NAME = EXPRESSION" },
	{ "extends topdown\nRetiring\n| flag > Nothing", -ENOENT,
	  "m.bpm:3:10: 'Nothing' is no node, as a flag needs; name one of the tree" },
	{ "a = UOPS_ISSUED.ANY + Nothing_at_all", -ENOENT,
	  "m.bpm:1:23: 'Nothing_at_all' is neither a line nor an event of ivb; see 'barepmu list'" },
	{ "a = min(1, 2, Bcdefg)\nb = 1 + c\nc := d\nd := b\nBcdefg := 1", -ELOOP,
	  "m.bpm:4:6: defined by itself, b -> c -> d -> b; break the cycle" },
	{ "a = 1 if 2 else a", -ELOOP, "m.bpm:1:17: defined by itself, a -> a; break the cycle" },
	{ "version", -EINVAL, "m.bpm:1:8: no '=' here; write NAME = EXPRESSION" },
	{ "extends\na = 1", -EINVAL, "m.bpm:1:8: no '=' here; write NAME = EXPRESSION" },
	{ "extends", -EINVAL,
	  "m.bpm:1:8: no name here; write one that begins with a letter and is no word of the language" },
	{ "extends \"topdown\"", -EINVAL,
	  "m.bpm:1:9: no name here; write one that begins with a letter and is no word of the language" },
};

TEST(refuses_invalid_files_with_their_position)
{
	struct bpmu_metrics m = { .nr = 0 };
	struct bpmu_error err;
	size_t i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		ret = bpmu_metrics_add(&m, "m.bpm", wrong[i].text, ivb(), &err);
		bpmu_metrics_free(&m);
		if (ret != wrong[i].code ||
		    !unit_file_said(wrong[i].text, wrong[i].says, &err))
			fail_msg("%s: %d, %s\n%s", wrong[i].text, ret, err.text, err.excerpt);
	}
}

TEST(refuses_a_second_method)
{
	struct bpmu_metrics m = { .nr = 0 };
	struct bpmu_error err;

	add(&m, "a = 1");
	assert_int_equal(bpmu_metrics_add(&m, "n.bpm", "extends topdown\n",
					  ivb(), &err), -EINVAL);
	assert_string_equal(err.text,
			    "n.bpm:1:9: the files before do not extend 'topdown'; give files of one method");
	assert_int_equal(bpmu_metrics_add(&m, "n.bpm", "a = 2", ivb(), &err),
			 -EINVAL);
	assert_string_equal(err.text,
			    "n.bpm:1:1: 'a' is taken by a line above or of another file; use another name");
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
	assert_string_equal(why, "needs MEM_LOAD_L3_HIT_RETIRED.XSNP_MISS: mean retire latency, published for no such CPU; --events FILE gives yours");
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
		assert_string_equal(err.text,
				    "m.bpm:1:1: too much to compute with all names written out; define it by simpler lines");
		bpmu_metrics_free(&m);
	}
	len = sprintf(text, "x = 1");
	for (i = 0; i < 6000; i++)
		len += sprintf(text + len, " + 1");
	assert_int_equal(bpmu_metrics_add(&m, "m.bpm", text, ivb(), &err),
			 -EINVAL);
	assert_string_equal(err.text,
			    "m.bpm:1:20007: too long an expression; name parts of it by NAME := EXPRESSION");
	bpmu_metrics_free(&m);
	for (len = 0, i = 0; i < 4097; i++)
		len += sprintf(text + len, "n%d:=1\n", i);
	assert_int_equal(bpmu_metrics_add(&m, "m.bpm", text, ivb(), &err),
			 -EINVAL);
	assert_string_equal(err.text, "m.bpm:4097:1: more than 4096 names; leave some out");
	bpmu_metrics_free(&m);
}

/*
 * Formula n%d of this file has 2^(n + 1) - 1 operations and numbers with all names written out. A
 * formula may have 100,000 of them, and a file a million.
 */
TEST(formulas_and_files_have_a_size)
{
	static const struct {
		unsigned int doubled, again, line;
	} cases[] = { { 15, 0, 0 }, { 16, 0, 17 }, { 15, 13, 0 }, { 15, 14, 30 } };
	char text[1 << 10], says[128];
	struct bpmu_error err;
	unsigned int i, k, line;
	int len;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct bpmu_metrics m = { .nr = 0 };

		len = sprintf(text, "n0 := 1\n");
		for (k = 1; k <= cases[i].doubled; k++)
			len += sprintf(text + len, "n%u := n%u + n%u\n", k, k - 1, k - 1);
		for (k = 0; k < cases[i].again; k++)
			len += sprintf(text + len, "m%u := n15\n", k);
		line = cases[i].line;
		assert_int_equal(bpmu_metrics_add(&m, "m.bpm", text, ivb(), &err),
				 line ? -E2BIG : 0);
		snprintf(says, sizeof(says),
			 "m.bpm:%u:1: too much to compute with all names written out; define it by simpler lines",
			 line);
		if (line)
			assert_string_equal(err.text, says);
		bpmu_metrics_free(&m);
	}
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

/* Checks if the error is the path of a file of load() and @says. */
static void is_of_the_file(const struct bpmu_error *err, const char *says)
{
	if (strncmp(err->text, "/tmp/barepmu-unit-", 18) ||
	    strcmp(err->text + strcspn(err->text, ":"), says))
		fail_msg("%s", err->text);
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
	is_of_the_file(&err, ":2: a NUL byte; a metric file is UTF-8 text");
	assert_int_equal(load("a = 1 | text \"\303\251\"\n", 18, &err), 0);
	assert_int_equal(load("a = 1\n\n# \351\n", 11, &err), -EINVAL);
	is_of_the_file(&err, ":3: not UTF-8; a metric file is UTF-8 text");
	large = malloc(1 << 21);
	assert_non_null(large);
	memset(large, '\n', 1 << 21);
	assert_int_equal(load(large, 1 << 20, &err), 0);
	assert_int_equal(load(large, 1 << 21, &err), -EFBIG);
	is_of_the_file(&err, ": larger than 1048576 bytes; a metric file is a small text");
	free(large);
	assert_int_equal(bpmu_metrics_file(&m, "/nowhere/a.bpm", ivb(), &err),
			 -ENOENT);
	assert_string_equal(err.text, "/nowhere/a.bpm: cannot be read: No such file or directory; is it the right file?");
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
	assert_string_equal(bpmu_unit_find("slots", 5), "slots");
	assert_string_equal(bpmu_unit_find("ns of it", 2), "ns");
	assert_null(bpmu_unit_find("ns", 1));
}

TEST(units_may_have_other_words_and_values_below_0)
{
	char list[BPMU_UNIT_LIST], few[12];

	assert_string_equal(bpmu_unit_words("GB/s"), "bandwidth, gigabytes per second");
	assert_string_equal(bpmu_unit_words("degrees C"), "temperature, Celsius");
	assert_null(bpmu_unit_words("slots"));
	assert_null(bpmu_unit_words("furlongs"));
	assert_null(bpmu_unit_words(NULL));
	assert_true(bpmu_unit_is_signed("degrees C"));
	assert_false(bpmu_unit_is_signed("J"));
	assert_true(bpmu_unit_is_signed(NULL));
	assert_false(bpmu_unit_is_share("ratio"));
	assert_true(bpmu_unit_is_share("share"));
	bpmu_unit_list(list, sizeof(list));
	assert_int_equal(strncmp(list, "slots, clocks, core clocks, ", 28), 0);
	assert_string_equal(list + strlen(list) - 14, ", J, degrees C");
	bpmu_unit_list(few, sizeof(few));
	assert_string_equal(few, "slots, cloc");
}

/* The tree of a method is refused with the reason why the CPU model has none. */
TEST(a_method_that_a_part_lacks_is_refused_with_the_reason)
{
	static const char published[] = ": Intel has published no tree of it";
	static const char early[] =
		": before Sandy Bridge no event counts slots that were not delivered";
	static const struct {
		const char *part, *method, *why;
	} cases[] = {
		{ "nhm-ex", "topdown", early }, { "wsm", "topdown", early },
		{ "bnl", "topdown", ": its in-order core has no events of slots" },
		{ "cnl", "topdown", published }, { "lkf-e", "topdown", published },
		{ "nvl", "topdown", ": Intel has published no tree of it yet" },
		{ "dmr", "topdown", ": Intel has published no tree of it yet" },
		{ "knc", "topdown", ": its cores do not count slots, use 'barepmu phi'" },
		{ "arch", "topdown", ": architectural events do not tell it" },
		{ "ivb", "nothing", "" }, { "zen4", "nothing", "" },
	};
	struct bpmu_error err;
	char says[256];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct bpmu_metrics m = { .nr = 0 };

		snprintf(says, sizeof(says),
			 "method '%s': not available on %s%s; see 'barepmu list events' for what can be counted",
			 cases[i].method, cases[i].part, cases[i].why);
		assert_int_equal(bpmu_metrics_builtin(&m, cases[i].method,
						      bpmu_part_by_name(cases[i].part), &err),
				 -ENOENT);
		assert_string_equal(err.text, says);
		bpmu_metrics_free(&m);
	}
}

TEST(the_tree_of_another_vendor_is_refused)
{
	static const struct {
		const char *part, *method, *says;
	} cases[] = {
		{ "zen4", "tma",
		  "method 'tma': is Intel's tree, and zen4 has AMD's; leave --method out" },
		{ "zen2", "tma",
		  "method 'tma': AMD publishes no Top-Down metrics for zen2, only from Zen 4 on; see 'barepmu list metrics' for others" },
		{ "zen2", "topdown",
		  "method 'topdown': AMD publishes no Top-Down metrics for zen2, only from Zen 4 on; see 'barepmu list metrics' for others" },
		{ "knc", "tma",
		  "method 'tma': Intel publishes no metrics for knc; leave --method out" },
	};
	struct bpmu_error err;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct bpmu_metrics m = { .nr = 0 };

		assert_int_equal(bpmu_metrics_builtin(&m, cases[i].method,
						      bpmu_part_by_name(cases[i].part), &err),
				 -ENOENT);
		assert_string_equal(err.text, cases[i].says);
		bpmu_metrics_free(&m);
	}
}

/* Both sides of the limits: 128 characters of a name, 16 levels, 64 parentheses, signs and ifs. */
TEST(names_and_trees_have_limits)
{
	static const struct {
		const char *before, *each, *behind;
		unsigned int most;
		const char *says;
	} cases[] = {
		{ "x = ", "(", "", 64, NULL }, { "x = ", "-", "1", 64, "too many signs; leave some out" },
		{ "x = ", "1 if 1 else ", "1", 64,
		  "too many 'if' in one another; write it flatter" },
		{ "", "n", " = 1", 128, "a name of more than 128 characters; shorten it" },
	};
	char text[2048], says[128];
	struct bpmu_error err;
	unsigned int more, k;
	int code;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		for (more = 0; more < 2; more++) {
			struct bpmu_metrics m = { .nr = 0 };

			strcpy(text, cases[i].before);
			for (k = 0; k < cases[i].most + more; k++)
				strcat(text, cases[i].each);
			strcat(text, cases[i].behind);
			if (!cases[i].says) {
				strcat(text, "1");
				for (k = 0; k < cases[i].most + more; k++)
					strcat(text, ")");
			}
			code = bpmu_metrics_parse(&m, "m.bpm", text, &err);
			assert_int_equal(code, more ? -EINVAL : 0);
			snprintf(says, sizeof(says), ": %s", cases[i].says ?:
				 "too many parentheses; write it flatter");
			if (more)
				assert_string_equal(err.text + strlen(err.text) - strlen(says),
						    says);
			bpmu_metrics_free(&m);
		}
}

TEST(a_tree_has_sixteen_levels_at_most)
{
	struct bpmu_metrics m = { .nr = 0 };
	struct bpmu_error err;
	char text[1024] = "";
	int i;

	for (i = 0; i < 16; i++)
		sprintf(text + strlen(text), "%*sn%d = 1\n", i, "", i);
	assert_int_equal(bpmu_metrics_parse(&m, "m.bpm", text, &err), 0);
	assert_int_equal(line(&m, "n15")->level, 16);
	assert_int_equal(line(&m, "n15")->parent, 14);
	bpmu_metrics_free(&m);
	sprintf(text + strlen(text), "%*sn%d = 1\n", i, "", i);
	assert_int_equal(bpmu_metrics_parse(&m, "m.bpm", text, &err), -EINVAL);
	assert_string_equal(err.text, "m.bpm:17:17: too deep a tree; indent less");
	bpmu_metrics_free(&m);
}

TEST(each_unit_is_found_by_its_whole_name)
{
	struct bpmu_metrics m = { .nr = 0 };

	add(&m, "a = 1 | unit GB/s | scope card | clock\nb = 1 | first\nc = 1 | root\n"
		"d = 1 | extra\n  e = 1\n    f = 1\ng = 1 | group MEM | group L3");
	assert_string_equal(line(&m, "a")->unit, "GB/s");
	assert_int_equal(line(&m, "a")->scope, BPMU_SCOPE_CARD);
	assert_true(line(&m, "a")->clock && !line(&m, "a")->first && !line(&m, "a")->root);
	assert_true(line(&m, "b")->first && !line(&m, "b")->clock && !line(&m, "b")->extra);
	assert_true(line(&m, "c")->root && !line(&m, "c")->first);
	assert_true(line(&m, "d")->extra && line(&m, "e")->extra && line(&m, "f")->extra);
	assert_false(line(&m, "a")->extra || line(&m, "g")->extra || line(&m, "d")->root);
	assert_string_equal(line(&m, "g")->group, "MEM;L3");
	bpmu_metrics_free(&m);
}
