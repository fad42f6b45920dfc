// SPDX-License-Identifier: GPL-2.0
#include "verdict.h"

#include <math.h>
#include <string.h>

#include "base/array.h"

/**
 * struct search - a tree that is searched
 * @tree: the tree
 * @values: values, [node]
 * @below: search also for nodes that are flagged only because of deeper ones
 */
struct search {
	const struct bpmu_tree *tree;
	const struct bpmu_tree_value *values;
	bool below;
};

static const struct bpmu_metric *metric_of(const struct search *s, int i)
{
	return &s->tree->metrics.metric[i];
}

/*
 * A tree of fewer levels lacks the nodes because of which some are flagged; the
 * path must not depend on the number of levels.
 */
static bool is_flagged(const struct search *s, int i)
{
	return s->tree->shown[i] &&
	       (s->below ? s->values[i].flagged : s->values[i].alone);
}

/* Returns true if it is flagged, or if its interval includes the threshold. */
static bool stands_out(const struct search *s, int i)
{
	return is_flagged(s, i) ||
	       (s->tree->shown[i] && s->values[i].maybe);
}

/* Returns true for shares of the same whole, or numbers of the same unit. */
static bool comparable(const struct search *s, int i, int j)
{
	const char *a = metric_of(s, i)->unit;
	const char *b = metric_of(s, j)->unit;

	return s->tree->share[i] == s->tree->share[j] &&
	       !strcmp(a ? a : "", b ? b : "");
}

/* Shares precede values of other units, which are not comparable with them. */
static bool leads(const struct search *s, int i, int than)
{
	bool share = s->tree->share[i];
	bool other = s->tree->share[than];

	if (share != other)
		return share;
	return comparable(s, i, than) &&
	       s->values[i].value > s->values[than].value;
}

/**
 * struct siblings - nodes with the same parent, or the roots
 * @parent: number of the node, -1 for roots
 * @without: one of them that is left out, or -1
 */
struct siblings {
	int parent;
	int without;
};

static int verdict_largest(const struct search *s, const struct siblings *among)
{
	int found = -1;
	unsigned int i;

	for (i = 0; i < s->tree->metrics.nr; i++)
		if (metric_of(s, i)->parent == among->parent &&
		    (int)i != among->without && stands_out(s, i) &&
		    (found < 0 || leads(s, i, found)))
			found = i;
	return found;
}

/*
 * The error of the difference is unknown, because siblings are shares of the same
 * whole. It is at most the sum of both errors, which is used.
 */
static bool tied(const struct search *s, int i, int j)
{
	const struct bpmu_tree_value *a = &s->values[i];
	const struct bpmu_tree_value *b = &s->values[j];

	return comparable(s, i, j) &&
	       fabs(a->value - b->value) <= a->uncertainty + b->uncertainty;
}

static void add_end(struct bpmu_verdict_path *path, int i)
{
	if (path->nr < BPMU_VERDICT_ENDS)
		path->end[path->nr++] = i;
}

/*
 * The leader is the largest flagged sibling; all of them end the path if it goes
 * no deeper.
 */
static void end_at(const struct search *s, const struct siblings *among,
		   int leader, struct bpmu_verdict_path *path)
{
	unsigned int i;

	path->nr = 0;
	add_end(path, leader);
	for (i = 0; i < s->tree->metrics.nr; i++)
		if ((int)i != leader && (int)i != among->without &&
		    metric_of(s, i)->parent == among->parent &&
		    is_flagged(s, i) && tied(s, leader, i))
			add_end(path, i);
}

/* Follows the path down from the siblings, as long as one of them is the largest. */
static void verdict_follow(const struct search *s, struct siblings among,
			   struct bpmu_verdict_path *path)
{
	int leader;

	path->nr = 0;
	path->maybe = -1;
	for (;;) {
		leader = verdict_largest(s, &among);
		if (leader < 0)
			return;
		if (!is_flagged(s, leader)) {
			path->maybe = leader;
			return;
		}
		end_at(s, &among, leader, path);
		if (path->nr > 1)
			return;
		among.parent = leader;
		among.without = -1;
	}
}

/* Returns the flagged root that takes precedence, or -1. */
static int comes_first(const struct search *s)
{
	unsigned int i;

	for (i = 0; i < s->tree->metrics.nr; i++)
		if (metric_of(s, i)->first && metric_of(s, i)->parent < 0 &&
		    is_flagged(s, i))
			return i;
	return -1;
}

static int root_of(const struct search *s, int i)
{
	while (metric_of(s, i)->parent >= 0)
		i = metric_of(s, i)->parent;
	return i;
}

/* Other nodes are reported if they are as large as the first one. */
static void find_paths(const struct search *s, struct bpmu_verdict *verdict)
{
	struct siblings among = { .parent = -1, .without = comes_first(s) };
	int first = among.without;
	int other;

	verdict_follow(s, among, &verdict->path);
	if (first < 0)
		return;
	among.parent = first;
	among.without = -1;
	verdict_follow(s, among, &verdict->first);
	if (!verdict->first.nr)
		add_end(&verdict->first, first);
	other = verdict->path.nr ? root_of(s, verdict->path.end[0]) :
				   verdict->path.maybe;
	if (other >= 0 && !leads(s, other, first) && !tied(s, other, first)) {
		verdict->path.nr = 0;
		verdict->path.maybe = -1;
	}
}

/* Finds the largest root that is flagged only because of deeper nodes, and its path. */
static void find_besides(const struct search *s, struct bpmu_verdict *verdict)
{
	const struct search all = {
		.tree = s->tree, .values = s->values, .below = true,
	};
	struct siblings among = { .parent = -1, .without = -1 };
	unsigned int i;

	for (i = 0; i < s->tree->metrics.nr; i++)
		if (metric_of(s, i)->parent < 0 && is_flagged(&all, i) &&
		    !s->values[i].alone && !s->values[i].maybe &&
		    (among.parent < 0 || leads(s, i, among.parent)))
			among.parent = i;
	if (among.parent >= 0)
		verdict_follow(&all, among, &verdict->besides);
}

/**
 * bpmu_verdict_find() - determine the verdict of a tree
 * @tree: the tree
 * @values: judged, [node]; unknown for nodes that were not measured
 * @verdict: filled in
 *
 * The path goes from the largest flagged root to its largest flagged child and
 * so on: only siblings are compared. A deeper tree therefore only extends the path. Nodes
 * that are flagged only because of nodes below them are not on it and are listed
 * separately.
 */
void bpmu_verdict_find(const struct bpmu_tree *tree,
		       const struct bpmu_tree_value *values,
		       struct bpmu_verdict *verdict)
{
	const struct search s = { .tree = tree, .values = values };
	bool threshold = false, known = false;
	unsigned int i;

	memset(verdict, 0, sizeof(*verdict));
	verdict->first.maybe = -1;
	verdict->path.maybe = -1;
	verdict->besides.maybe = -1;
	for (i = 0; i < tree->metrics.nr; i++) {
		if (!tree->shown[i])
			continue;
		threshold |= !!tree->metrics.metric[i].flag;
		known |= values[i].known;
		verdict->longer = fmax(verdict->longer, values[i].longer);
	}
	if (!threshold) {
		verdict->type = BPMU_VERDICT_NONE;
	} else if (!known) {
		verdict->type = BPMU_VERDICT_NO_VALUE;
	} else if (verdict->longer > 0) {
		verdict->type = BPMU_VERDICT_WITHHELD;
	} else {
		find_paths(&s, verdict);
		find_besides(&s, verdict);
		verdict->type = verdict->first.nr || verdict->path.nr ?
				BPMU_VERDICT_FLAGGED :
				verdict->path.maybe >= 0 ?
				BPMU_VERDICT_UNDECIDED : BPMU_VERDICT_CLEAR;
	}
}

/**
 * bpmu_verdict_node() - the single node that a verdict points to
 * @verdict: found
 *
 * Return: number of the node, or -1.
 */
int bpmu_verdict_node(const struct bpmu_verdict *verdict)
{
	if (verdict->type != BPMU_VERDICT_FLAGGED)
		return -1;
	return verdict->first.nr ? verdict->first.end[0] :
				   verdict->path.end[0];
}

static void verdict_print_names(FILE *out, const struct search *s, int node)
{
	if (metric_of(s, node)->parent >= 0) {
		verdict_print_names(out, s, metric_of(s, node)->parent);
		fputs(" > ", out);
	}
	fputs(metric_of(s, node)->name, out);
}

static void verdict_print_path(FILE *out, const struct search *s,
			       const struct bpmu_verdict_path *path)
{
	unsigned int i;

	verdict_print_names(out, s, path->end[0]);
	for (i = 1; i < path->nr; i++)
		fprintf(out, " or %s", metric_of(s, path->end[i])->name);
}

static void print_advice(FILE *out, const struct search *s,
			 const struct bpmu_verdict_path *path, bool names)
{
	const struct bpmu_metric *metric;
	unsigned int i;

	if (path->nr > 1)
		fputs("Not distinguishable: measure longer.\n", out);
	for (i = 0; i < path->nr; i++) {
		metric = metric_of(s, path->end[i]);
		names |= path->nr > 1;
		if (metric->text)
			fprintf(out, "%s%s%s\n", names ? metric->name : "",
				names ? ": " : "", metric->text);
		if (metric->next)
			fprintf(out, "Next: %s\n", metric->next);
	}
	if (path->nr && path->maybe >= 0)
		fprintf(out, "Below it %s may be over its threshold: measure longer.\n",
			metric_of(s, path->maybe)->name);
}

/* The reason for its precedence: section 3.4 of the paper. */
static void print_reason(FILE *out, const struct search *s, int first)
{
	fprintf(out, "%s comes first: that much of the work is on wrong paths, where most events count too; what lies below other nodes is to be trusted less until it is fixed.\n",
		metric_of(s, first)->name);
}

static void flagged(FILE *out, const struct search *s,
		    const struct bpmu_verdict *verdict)
{
	bool both = verdict->first.nr && verdict->path.nr;

	fputs("Flagged: ", out);
	if (verdict->first.nr)
		verdict_print_path(out, s, &verdict->first);
	if (both)
		fputs(" first, then ", out);
	if (verdict->path.nr)
		verdict_print_path(out, s, &verdict->path);
	fputs(".\n", out);
	if (verdict->first.nr)
		print_reason(out, s, root_of(s, verdict->first.end[0]));
	print_advice(out, s, &verdict->first, both);
	print_advice(out, s, &verdict->path, both);
}

/**
 * bpmu_verdict_text() - print the verdict as text, after an empty line
 * @out: output
 * @tree: the tree
 * @values: judged
 *
 * Of a tree without thresholds nothing is printed.
 */
void bpmu_verdict_text(FILE *out, const struct bpmu_tree *tree,
		       const struct bpmu_tree_value *values)
{
	const struct search s = { .tree = tree, .values = values };
	struct bpmu_verdict verdict;

	bpmu_verdict_find(tree, values, &verdict);
	if (verdict.type != BPMU_VERDICT_NONE)
		fputc('\n', out);
	switch (verdict.type) {
	case BPMU_VERDICT_NONE:
		break;
	case BPMU_VERDICT_NO_VALUE:
		fputs("No node has a value: no verdict.\n", out);
		break;
	case BPMU_VERDICT_WITHHELD:
		fprintf(out, "No verdict (too few slices per group); measure longer: at least %.1f s%s.\n",
			ceil(10 * verdict.longer) / 10,
			tree->level > 1 ? ", or -l 1" : "");
		break;
	case BPMU_VERDICT_UNDECIDED:
		fprintf(out, "Nothing is flagged for sure, but %s may be over its threshold: measure longer.\n",
			metric_of(&s, verdict.path.maybe)->name);
		break;
	case BPMU_VERDICT_CLEAR:
		fputs("Nothing is flagged: no bottleneck stands out.\n",
		      out);
		break;
	case BPMU_VERDICT_FLAGGED:
		flagged(out, &s, &verdict);
		break;
	}
	if (!verdict.besides.nr)
		return;
	fputs("Besides, whatever its parent's share: ", out);
	verdict_print_path(out, &s, &verdict.besides);
	fputs(".\n", out);
	print_advice(out, &s, &verdict.besides, true);
}

static void json_path(struct bpmu_object *object, const struct search *s,
		      int node)
{
	const struct bpmu_field element = {
		.text = metric_of(s, node)->name, .form = BPMU_FIELD_TEXT,
	};

	if (metric_of(s, node)->parent >= 0)
		json_path(object, s, metric_of(s, node)->parent);
	bpmu_object_put(object, &element, 1);
}

/* Writes a list of paths, one for each end. */
static void json_paths(struct bpmu_object *object, const struct search *s,
		       const char *name, const struct bpmu_verdict_path *path)
{
	unsigned int i;

	bpmu_object_open(object, name, '[');
	for (i = 0; i < path->nr; i++) {
		bpmu_object_open(object, NULL, '[');
		json_path(object, s, path->end[i]);
		bpmu_object_close(object, ']');
	}
	bpmu_object_close(object, ']');
}

/**
 * bpmu_verdict_json() - print the verdict as a JSON object
 * @out: output
 * @tree: the tree
 * @values: judged
 * @when: members of the time and the scope
 *
 * Of a tree without thresholds nothing is printed.
 */
void bpmu_verdict_json(FILE *out, const struct bpmu_tree *tree,
		       const struct bpmu_tree_value *values,
		       const struct bpmu_fields *when)
{
	static const char *const names[] = {
		[BPMU_VERDICT_NO_VALUE] = "no-value",
		[BPMU_VERDICT_WITHHELD] = "withheld",
		[BPMU_VERDICT_UNDECIDED] = "undecided",
		[BPMU_VERDICT_CLEAR] = "clear",
		[BPMU_VERDICT_FLAGGED] = "flagged",
	};
	const struct search s = { .tree = tree, .values = values };
	const struct bpmu_table table = {
		.out = out, .format = BPMU_JSON, .type = "verdict", .when = *when,
	};
	struct bpmu_field word = { "verdict", .form = BPMU_FIELD_TEXT };
	struct bpmu_field rest[] = {
		{ "maybe", .form = BPMU_FIELD_OPTIONAL },
		{ "longer", .form = BPMU_FIELD_FIXED, .number = NAN,
		  .digits = 3 },
	};
	struct bpmu_verdict verdict;
	struct bpmu_object object;

	bpmu_verdict_find(tree, values, &verdict);
	if (verdict.type == BPMU_VERDICT_NONE)
		return;
	word.text = names[verdict.type];
	if (verdict.path.maybe >= 0)
		rest[0].text = metric_of(&s, verdict.path.maybe)->name;
	if (verdict.type == BPMU_VERDICT_WITHHELD)
		rest[1].number = verdict.longer;
	object = bpmu_table_open(&table, &word, 1);
	json_paths(&object, &s, "first", &verdict.first);
	json_paths(&object, &s, "paths", &verdict.path);
	json_paths(&object, &s, "besides", &verdict.besides);
	bpmu_object_put(&object, rest, ARRAY_SIZE(rest));
	bpmu_table_close(&object);
}
