// SPDX-License-Identifier: GPL-2.0
#include "verdict.h"

#include <math.h>
#include <string.h>

#include "base/array.h"

/*
 * A share may exceed 0 or 1 by this much, because counters start one after another; a share that
 * is farther outside is impossible, and there is no verdict.
 */
#define BEYOND 0.05

/**
 * struct search - a tree that is searched
 * @tree: the tree
 * @values: values, [node]
 * @below: search also for nodes that are flagged only because of deeper ones
 * @trees: some requested root has children; then roots without children are single metrics, which
 *	are not searched
 * @file: file of the first root with children; roots of other files belong to another tree
 */
struct search {
	const struct bpmu_tree *tree;
	const struct bpmu_tree_value *values;
	bool below;
	bool trees;
	unsigned int file;
};

static const struct bpmu_metric *metric_of(const struct search *s, int i)
{
	return &s->tree->metrics.metric[i];
}

/* Whether a root has children, whether or not they are within the requested level. */
static bool is_root_of_tree(const struct bpmu_metrics *metrics, unsigned int i)
{
	unsigned int c;

	if (metrics->metric[i].parent >= 0 || !metrics->metric[i].level)
		return false;
	for (c = i + 1; c < metrics->nr; c++)
		if (metrics->metric[c].parent == (int)i)
			return true;
	return false;
}

static struct search search_in(const struct bpmu_tree *tree,
			       const struct bpmu_tree_value *values)
{
	struct search s = { .tree = tree, .values = values };
	unsigned int i;

	for (i = 0; i < tree->metrics.nr && !s.trees; i++) {
		s.trees = tree->shown[i] && is_root_of_tree(&tree->metrics, i);
		s.file = tree->metrics.metric[i].file;
	}
	return s;
}

static bool is_rival(const struct search *s, unsigned int i)
{
	const struct bpmu_metric *metric = metric_of(s, i);

	return metric->file == s->file &&
	       ((metric->root && metric->parent < 0) ||
		is_root_of_tree(&s->tree->metrics, i));
}

/*
 * Whether a node takes part in the verdict. Metrics that are published beside a tree, such as
 * instructions per call, do not.
 */
static bool competes(const struct search *s, unsigned int i)
{
	return metric_of(s, i)->parent >= 0 || !s->trees ||
	       is_rival(s, i);
}

/*
 * Whether a node is flagged by itself. Nodes that are flagged because of a deeper node do not
 * count: a tree of fewer levels lacks the deeper node, and the path must not depend on the number
 * of levels.
 */
static bool is_flagged(const struct search *s, int i)
{
	return s->tree->shown[i] &&
	       (s->below ? s->values[i].flagged : s->values[i].alone);
}

/* Whether a node is flagged, or may be: its confidence interval includes the threshold. */
static bool stands_out(const struct search *s, int i)
{
	return is_flagged(s, i) ||
	       (s->tree->shown[i] && s->values[i].maybe);
}

/* Whether the values of two nodes can be compared: shares of the same whole, or the same unit. */
static bool comparable(const struct search *s, int i, int j)
{
	const char *a = metric_of(s, i)->unit;
	const char *b = metric_of(s, j)->unit;

	return s->tree->share[i] == s->tree->share[j] &&
	       !strcmp(a ? a : "", b ? b : "");
}

/* Whether node @i is larger than node @than; shares precede values of other units. */
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
 * @without: number of a sibling that is left out, or -1
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
		    competes(s, i) && (found < 0 || leads(s, i, found)))
			found = i;
	return found;
}

/*
 * Whether the order of two siblings is uncertain. The error of their difference is unknown,
 * because siblings are shares of the same whole; its upper bound, the sum of both errors, is used.
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
 * Ends the path at the leader, the largest flagged sibling, and at the siblings whose order with
 * it is uncertain.
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
		    is_flagged(s, i) && competes(s, i) && tied(s, leader, i))
			add_end(path, i);
}

/* Returns the value of the whole of a share, 1, or 100 in per cent as in Intel's files; else 0. */
static double whole_of(const struct search *s, int i)
{
	const char *unit = metric_of(s, i)->unit;

	if (s->tree->share[i])
		return 1;
	return unit && !strcmp(unit, "percent") ? 100 : 0;
}

/* Whether a share is impossible: its whole confidence interval is below 0 or above the whole. */
static bool is_impossible(const struct search *s, int i)
{
	const struct bpmu_tree_value *value = &s->values[i];
	double whole = whole_of(s, i);

	return s->tree->shown[i] && value->known && whole &&
	       (value->value + value->uncertainty < -BEYOND * whole ||
		value->value - value->uncertainty > (1 + BEYOND) * whole);
}

/*
 * Returns a sibling that has no value although others have one, because it lacks a count; -1 if
 * all siblings have values, or none has.
 */
static int missing_among(const struct search *s, const struct siblings *among)
{
	bool known = false;
	int missing = -1;
	unsigned int i;

	for (i = 0; among->parent >= 0 && i < s->tree->metrics.nr; i++) {
		if (metric_of(s, i)->parent != among->parent ||
		    !s->tree->shown[i] || metric_of(s, i)->extra)
			continue;
		known |= s->values[i].known;
		if (!s->values[i].known && missing < 0 &&
		    s->values[i].flags & BPMU_VALUE_MISSING)
			missing = i;
	}
	return known ? missing : -1;
}

static void path_begin(struct bpmu_verdict_path *path)
{
	path->nr = 0;
	path->maybe = -1;
	path->missing = -1;
	path->beyond = -1;
}

/* Follows the path down from the siblings, as long as a single one of them is the largest. */
static void verdict_follow(const struct search *s, struct siblings among,
			   struct bpmu_verdict_path *path)
{
	int leader;

	path_begin(path);
	for (;;) {
		path->missing = missing_among(s, &among);
		leader = verdict_largest(s, &among);
		if (leader < 0 || path->missing >= 0)
			return;
		if (is_impossible(s, leader)) {
			path->beyond = leader;
			return;
		}
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
		    is_flagged(s, i) && competes(s, i))
			return i;
	return -1;
}

static int root_of(const struct search *s, int i)
{
	while (metric_of(s, i)->parent >= 0)
		i = metric_of(s, i)->parent;
	return i;
}

/*
 * Finds the path from the root that takes precedence, and the path from the largest other root if
 * that root is as large.
 */
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
	if (other >= 0 && !leads(s, other, first) && !tied(s, other, first))
		path_begin(&verdict->path);
}

/* Finds the largest root that is flagged only because of deeper nodes, and its path. */
static void find_besides(const struct search *s, struct bpmu_verdict *verdict)
{
	const struct search all = {
		.tree = s->tree, .values = s->values, .below = true,
		.trees = s->trees, .file = s->file,
	};
	struct siblings among = { .parent = -1, .without = -1 };
	unsigned int i;

	for (i = 0; i < s->tree->metrics.nr; i++)
		if (metric_of(s, i)->parent < 0 && is_flagged(&all, i) &&
		    competes(s, i) && !s->values[i].alone && !s->values[i].maybe &&
		    (among.parent < 0 || leads(s, i, among.parent)))
			among.parent = i;
	if (among.parent >= 0)
		verdict_follow(&all, among, &verdict->besides);
}

static void add_why(struct bpmu_verdict *verdict, int i)
{
	if (verdict->nr_why < BPMU_VERDICT_ENDS)
		verdict->why[verdict->nr_why++] = i;
}

/* There is no verdict if a root has no value: it may be the largest share of the whole. */
static void find_without(const struct search *s, struct bpmu_verdict *verdict)
{
	unsigned int i;

	for (i = 0; s->trees && i < s->tree->metrics.nr; i++)
		if (is_rival(s, i) &&
		    (!metric_of(s, i)->extra || s->tree->shown[i]) &&
		    !(s->tree->shown[i] && s->values[i].known))
			add_why(verdict, i);
}

static void find_impossible(const struct search *s, struct bpmu_verdict *verdict)
{
	unsigned int i;

	for (i = 0; i < s->tree->metrics.nr; i++)
		if (metric_of(s, i)->parent < 0 && competes(s, i) &&
		    is_impossible(s, i))
			add_why(verdict, i);
}

/*
 * There is no verdict if a single root has all slots. A running program retires some uops; that
 * root is then computed as the remainder of the others, whose counters read 0.
 */
static void find_nothing(const struct search *s, struct bpmu_verdict *verdict)
{
	unsigned int i, full = 0, nr = 0;
	double whole;

	for (i = 0; s->trees && i < s->tree->metrics.nr; i++) {
		if (!is_rival(s, i) || !s->tree->shown[i])
			continue;
		nr++;
		whole = whole_of(s, i);
		if (!whole || !s->values[i].known ||
		    (s->values[i].value != 0 && s->values[i].value != whole))
			return;
		if (s->values[i].value == whole) {
			full++;
			verdict->why[0] = i;
		}
	}
	verdict->nr_why = full == 1 && nr > 1;
}

/* Finds the reason for which there is no verdict, if there is one. */
static bool find_refusal(const struct search *s, struct bpmu_verdict *verdict)
{
	static const struct {
		enum bpmu_verdict_type type;
		void (*find)(const struct search *s, struct bpmu_verdict *verdict);
	} refusals[] = {
		{ BPMU_VERDICT_INCOMPLETE, find_without },
		{ BPMU_VERDICT_COUNTS_NOTHING, find_nothing },
		{ BPMU_VERDICT_CONTRADICTORY, find_impossible },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(refusals); i++) {
		refusals[i].find(s, verdict);
		verdict->type = refusals[i].type;
		if (verdict->nr_why)
			return true;
	}
	return false;
}

/**
 * bpmu_verdict_find() - determine the verdict of a tree
 * @values: judged, [node]; unknown for nodes that were not measured
 * @verdict: filled in
 *
 * The path goes from the largest flagged root to its largest flagged child and
 * so on: only siblings are compared. A deeper tree therefore only extends the path. Nodes
 * that are flagged only because of nodes below them are not on it and are listed
 * separately.
 *
 * There is no verdict if counts contradict each other, if a root has no value, or if counters
 * read 0.
 */
void bpmu_verdict_find(const struct bpmu_tree *tree,
		       const struct bpmu_tree_value *values,
		       struct bpmu_verdict *verdict)
{
	const struct search s = search_in(tree, values);
	bool threshold = false, known = false;
	unsigned int i;

	memset(verdict, 0, sizeof(*verdict));
	path_begin(&verdict->first);
	path_begin(&verdict->path);
	path_begin(&verdict->besides);
	for (i = 0; i < tree->metrics.nr; i++) {
		if (!tree->shown[i] || !competes(&s, i))
			continue;
		threshold |= !!tree->metrics.metric[i].flag;
		known |= values[i].known;
		verdict->longer = fmax(verdict->longer, values[i].longer);
		verdict->runs = fmax(verdict->runs, values[i].runs);
	}
	if (!threshold) {
		verdict->type = BPMU_VERDICT_NONE;
	} else if (!known) {
		verdict->type = BPMU_VERDICT_NO_VALUE;
	} else if (verdict->longer > 0) {
		verdict->type = BPMU_VERDICT_WITHHELD;
	} else if (!find_refusal(&s, verdict)) {
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

/* Whether the node has children that could be measured without --extra, but were not. */
static bool is_deeper(const struct search *s, int node)
{
	unsigned int i;

	for (i = node + 1; i < s->tree->metrics.nr; i++)
		if (metric_of(s, i)->parent == node && !metric_of(s, i)->extra &&
		    !(s->tree->shown[i] && s->values[i].known))
			return true;
	return false;
}

/* Prints the node's advice; without its part on the next level if there is no next level. */
static void print_next(FILE *out, const struct search *s, int node)
{
	static const char look[] = "look one level down";
	const char *clause = metric_of(s, node)->next;
	const char *before = "Next: ";
	int len;

	for (; clause; clause = clause[len] ? clause + len + 2 : NULL) {
		len = strstr(clause, "; ") ? strstr(clause, "; ") - clause :
					     (long)strlen(clause);
		if (memmem(clause, len, look, sizeof(look) - 1) &&
		    !is_deeper(s, node))
			continue;
		fprintf(out, "%s%.*s", before, len, clause);
		before = "; ";
	}
	if (*before == ';')
		fputc('\n', out);
}

static bool is_below(const struct search *s, int node, int above)
{
	while (node >= 0 && node != above)
		node = metric_of(s, node)->parent;
	return node >= 0;
}

/* Names the nearest nodes below @node that need --extra, if only they can tell more. */
static void print_extra(FILE *out, const struct search *s, int node)
{
	unsigned int level = 0, nr = 0;
	unsigned int i;

	if (is_deeper(s, node) || s->tree->extra)
		return;
	for (i = node + 1; i < s->tree->metrics.nr; i++)
		if (metric_of(s, i)->extra && is_below(s, i, node) &&
		    (!level || metric_of(s, i)->level < level))
			level = metric_of(s, i)->level;
	for (i = node + 1; level && i < s->tree->metrics.nr; i++) {
		if (!metric_of(s, i)->extra || !is_below(s, i, node) ||
		    metric_of(s, i)->level != level)
			continue;
		if (!nr++)
			fprintf(out, "--extra -l %u measures more below it: ",
				level > s->tree->level ? level :
							 s->tree->level);
		fprintf(out, "%s%s", nr > 1 ? ", " : "", metric_of(s, i)->name);
	}
	if (nr)
		fputs(".\n", out);
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
		print_next(out, s, path->end[i]);
		if (path->maybe < 0 && path->missing < 0 && path->beyond < 0)
			print_extra(out, s, path->end[i]);
	}
	if (path->nr && path->maybe >= 0)
		fprintf(out, "Below it %s may be over its threshold: measure longer.\n",
			metric_of(s, path->maybe)->name);
	if (path->nr && path->missing >= 0)
		fprintf(out, "Below it %s has no value, and of a level only the whole tells what is largest.\n",
			metric_of(s, path->missing)->name);
	if (path->nr && path->beyond >= 0)
		fprintf(out, "Below it %s is %.0f %%, which cannot be: its counts contradict each other.\n",
			metric_of(s, path->beyond)->name,
			100 / whole_of(s, path->beyond) *
			s->values[path->beyond].value);
}

/* Prints why a node takes precedence: A. Yasin, A Top-Down Method (ISPASS 2014), section 3.4. */
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

static void print_without(FILE *out, const struct search *s,
			  const struct bpmu_verdict *verdict)
{
	unsigned int i;

	fputs("No verdict: ", out);
	for (i = 0; i < verdict->nr_why; i++)
		fprintf(out, "%s%s", i ? ", " : "",
			metric_of(s, verdict->why[i])->name);
	fprintf(out, " %s no value, and of a level only the whole tells what is largest.\n",
		verdict->nr_why > 1 ? "have" : "has");
}

static void print_impossible(FILE *out, const struct search *s,
			     const struct bpmu_verdict *verdict)
{
	unsigned int i;

	fputs("No verdict: ", out);
	for (i = 0; i < verdict->nr_why; i++)
		fprintf(out, "%s%s %.0f %%", i ? ", " : "",
			metric_of(s, verdict->why[i])->name,
			100 / whole_of(s, verdict->why[i]) *
			s->values[verdict->why[i]].value);
	fprintf(out, "%s%s cannot be; the counts contradict each other.\n",
		s->tree->share[verdict->why[0]] ? " of " : "",
		s->tree->share[verdict->why[0]] ?
			metric_of(s, verdict->why[0])->unit : "");
}

static void print_withheld(FILE *out, const struct bpmu_tree *tree,
			   const struct bpmu_verdict *verdict, enum bpmu_longer how)
{
	static const char *const remedies[] = {
		[BPMU_LONGER_RUN] = "measure longer",
		[BPMU_LONGER_REPEAT] = "measure longer",
		[BPMU_LONGER_INTERVAL] = "take longer intervals (-I)",
		[BPMU_LONGER_RECORDING] = "record longer",
		[BPMU_LONGER_REPLAY] = "take longer intervals (-I)",
	};
	static const char *const less[] = {
		[BPMU_LONGER_RUN] = ", or -l 1",
		[BPMU_LONGER_REPEAT] = ", or -l 1",
		[BPMU_LONGER_INTERVAL] = ", or -l 1",
		[BPMU_LONGER_RECORDING] = ", or --topdown 1",
		[BPMU_LONGER_REPLAY] = "",
	};

	fprintf(out, "No verdict (too few slices per group); %s: at least %.1f s",
		remedies[how], ceil(10 * verdict->longer) / 10);
	if (how == BPMU_LONGER_REPEAT && verdict->runs > 0)
		fprintf(out, ", such as %.0f runs (topdown -r auto)", verdict->runs);
	fprintf(out, "%s.\n", tree->level > 1 ? less[how] : "");
}

/**
 * bpmu_verdict_text() - print the verdict as text, after an empty line
 * @values: judged
 * @how: what the user can do if there were too few slices
 *
 * Of a tree without thresholds nothing is printed.
 */
void bpmu_verdict_text(FILE *out, const struct bpmu_tree *tree,
		       const struct bpmu_tree_value *values, enum bpmu_longer how)
{
	const struct search s = search_in(tree, values);
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
		print_withheld(out, tree, &verdict, how);
		break;
	case BPMU_VERDICT_COUNTS_NOTHING:
		fprintf(out, "No verdict: %s is all there is, to the last slot, and a program that runs retires uops: the counters of the other nodes read 0. Can this machine count them?\n",
			metric_of(&s, verdict.why[0])->name);
		break;
	case BPMU_VERDICT_INCOMPLETE:
		print_without(out, &s, &verdict);
		break;
	case BPMU_VERDICT_CONTRADICTORY:
		print_impossible(out, &s, &verdict);
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

static void json_why(struct bpmu_object *object, const struct search *s,
		     const struct bpmu_verdict *verdict)
{
	struct bpmu_field element = { .form = BPMU_FIELD_TEXT };
	unsigned int i;

	bpmu_object_open(object, "why", '[');
	for (i = 0; i < verdict->nr_why; i++) {
		element.text = metric_of(s, verdict->why[i])->name;
		bpmu_object_put(object, &element, 1);
	}
	bpmu_object_close(object, ']');
}

/**
 * bpmu_verdict_json() - print the verdict as a JSON object
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
		[BPMU_VERDICT_COUNTS_NOTHING] = "counts-nothing",
		[BPMU_VERDICT_INCOMPLETE] = "incomplete",
		[BPMU_VERDICT_CONTRADICTORY] = "contradictory",
		[BPMU_VERDICT_UNDECIDED] = "undecided",
		[BPMU_VERDICT_CLEAR] = "clear",
		[BPMU_VERDICT_FLAGGED] = "flagged",
	};
	const struct search s = search_in(tree, values);
	const struct bpmu_table table = {
		.out = out, .format = BPMU_JSON, .type = "verdict", .when = *when,
	};
	struct bpmu_field word = { "verdict", .form = BPMU_FIELD_TEXT };
	struct bpmu_field rest[] = {
		{ "maybe", .form = BPMU_FIELD_OPTIONAL },
		{ "longer", .form = BPMU_FIELD_FIXED, .number = NAN,
		  .digits = 3 },
		{ "longer_runs", .form = BPMU_FIELD_FIXED, .number = NAN },
		{ "tree", .form = BPMU_FIELD_TEXT },
	};
	struct bpmu_verdict verdict;
	struct bpmu_object object;

	bpmu_verdict_find(tree, values, &verdict);
	if (verdict.type == BPMU_VERDICT_NONE)
		return;
	rest[3].text = bpmu_metrics_version(&tree->metrics);
	rest[3].absent = !rest[3].text;
	word.text = names[verdict.type];
	if (verdict.path.maybe >= 0)
		rest[0].text = metric_of(&s, verdict.path.maybe)->name;
	if (verdict.type == BPMU_VERDICT_WITHHELD)
		rest[1].number = verdict.longer;
	if (verdict.type == BPMU_VERDICT_WITHHELD && verdict.runs > 0)
		rest[2].number = verdict.runs;
	object = bpmu_table_open(&table, &word, 1);
	json_paths(&object, &s, "first", &verdict.first);
	json_paths(&object, &s, "paths", &verdict.path);
	json_paths(&object, &s, "besides", &verdict.besides);
	json_why(&object, &s, &verdict);
	bpmu_object_put(&object, rest, ARRAY_SIZE(rest));
	bpmu_table_close(&object);
}
