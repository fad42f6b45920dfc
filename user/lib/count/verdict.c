// SPDX-License-Identifier: GPL-2.0
#include "verdict.h"

#include <math.h>
#include <string.h>

#include "base/array.h"

/**
 * struct search - search for the path from the root to the bottleneck in a tree
 * @tree: the tree
 * @metric: metrics of the tree, [node]
 * @values: values of the nodes, [node]
 * @below: true to regard a node as flagged even if it is flagged only because of deeper nodes.
 *	False to ignore such flags, so that the path does not depend on the number of levels that
 *	are measured: a tree of fewer levels lacks the deeper nodes
 */
struct search {
	const struct bpmu_tree *tree;
	const struct bpmu_metric *metric;
	const struct bpmu_tree_value *values;
	bool below;
};

static const struct bpmu_verdict_path no_path = { .maybe = -1, .missing = -1, .beyond = -1 };

/*
 * Checks if node @i is a more important bottleneck than node @than: a fraction (of slots or cycles)
 * is more important than a value that is no fraction. Of two values of the same kind, such as
 * fractions of the slots, the larger is more important. With @maybe it also suffices that it may be
 * the larger one. Siblings are shares of the same whole, so their errors are not independent. The
 * sum of both errors, an upper bound, is taken as the error of their difference.
 */
static bool leads(const struct search *s, int i, int than, bool maybe)
{
	const struct bpmu_tree_value *a = &s->values[i];
	const struct bpmu_tree_value *b = &s->values[than];

	if (s->tree->share[i] != s->tree->share[than])
		return s->tree->share[i];
	return s->tree->kind[i] == s->tree->kind[than] &&
	       (a->value > b->value ||
		(maybe && b->value - a->value <= a->uncertainty + b->uncertainty));
}

/*
 * Finds a path downwards from child to child. It begins with a child of @parent, or with a root if
 * @parent is -1. At each level it goes to the largest flagged sibling. It ends where several
 * siblings may be the largest. @without is a sibling that the path must not begin with, or -1.
 */
static void verdict_follow(const struct search *s, int parent, int without,
			   struct bpmu_verdict_path *path)
{
	const int nr = s->tree->metrics.nr;
	const struct bpmu_tree_value *value;
	bool known, flagged, sure;
	int leader, i;

	*path = no_path;
	for (;; parent = leader, without = -1) {
		leader = -1;
		known = false;
		sure = false;
		for (i = 0; i < nr; i++) {
			if (s->metric[i].parent != parent || !s->tree->shown[i])
				continue;
			value = &s->values[i];
			/*
			 * If a sibling lacks a value because an event was not counted, it is not
			 * known which sibling is the largest.
			 */
			if (parent >= 0 && !s->metric[i].extra) {
				known |= value->known;
				if (!value->known && path->missing < 0 &&
				    value->flags & BPMU_VALUE_MISSING)
					path->missing = i;
			}
			/* Find the largest of the siblings that are flagged or may be flagged. */
			flagged = s->below ? value->flagged : value->alone;
			if (i != without && (flagged || value->maybe) &&
			    s->tree->competes[i] && (leader < 0 || leads(s, i, leader, false))) {
				leader = i;
				sure = flagged;
			}
		}
		if (!known)
			path->missing = -1;
		if (leader < 0 || path->missing >= 0)
			return;
		if (s->values[leader].impossible) {
			path->beyond = leader;
			return;
		}
		if (!sure) {
			path->maybe = leader;
			return;
		}
		/*
		 * The path now ends at the leader (the largest flagged sibling), and at siblings
		 * that may be as large as the leader.
		 */
		path->nr = 1;
		path->end[0] = leader;
		for (i = 0; i < nr; i++) {
			flagged = s->below ? s->values[i].flagged : s->values[i].alone;
			if (i != leader && i != without && s->metric[i].parent == parent &&
			    s->tree->shown[i] && flagged && s->tree->competes[i] &&
			    leads(s, i, leader, true) && path->nr < BPMU_VERDICT_ENDS)
				path->end[path->nr++] = i;
		}
		if (path->nr > 1)
			return;
	}
}

static int root_of(const struct search *s, int i)
{
	while (s->metric[i].parent >= 0)
		i = s->metric[i].parent;
	return i;
}

static void add_why(struct bpmu_verdict *verdict, int i)
{
	if (verdict->nr_why < BPMU_VERDICT_ENDS)
		verdict->why[verdict->nr_why++] = i;
}

/**
 * bpmu_verdict_find() - determine the verdict of a tree
 * @values: values of the nodes, flagged by bpmu_tree_judge(), [node]; unknown for nodes that were
 *	not measured
 * @verdict: filled in
 *
 * The path goes from the largest flagged root to its largest flagged child and so on. Because only
 * siblings are compared, measuring a deeper tree can only extend the path. Nodes that are flagged
 * only because of nodes below them are not on the path; the verdict lists them separately.
 *
 * There is no verdict if counts contradict each other, if a root has no value, or if all counts of
 * some roots are 0; see &enum bpmu_verdict_type.
 */
void bpmu_verdict_find(const struct bpmu_tree *tree,
		       const struct bpmu_tree_value *values,
		       struct bpmu_verdict *verdict)
{
	const struct bpmu_metric *metric = tree->metrics.metric;
	const struct search s = { .tree = tree, .metric = metric, .values = values };
	const struct search all = {
		.tree = tree, .metric = metric, .values = values, .below = true,
	};
	const int nr = tree->metrics.nr;
	unsigned int full = 0, roots = 0;
	bool threshold = false, known = false, nothing = true;
	int first = -1, besides = -1;
	double whole;
	int other, i;

	*verdict = (struct bpmu_verdict){
		.first = no_path, .path = no_path, .besides = no_path,
	};

	/*
	 * There is no verdict if the tree has no threshold, if it has no value, or if the values
	 * are from too few rotation slices.
	 */
	for (i = 0; i < nr; i++) {
		if (!tree->shown[i] || !tree->competes[i])
			continue;
		threshold |= !!metric[i].flag;
		known |= values[i].known;
		verdict->longer = fmax(verdict->longer, values[i].longer);
		verdict->runs = fmax(verdict->runs, values[i].runs);
	}
	verdict->type = !threshold ? BPMU_VERDICT_NONE :
			!known ? BPMU_VERDICT_NO_VALUE : BPMU_VERDICT_WITHHELD;
	if (!threshold || !known || verdict->longer > 0)
		return;

	/* No verdict: a root without a value may be the largest share of the whole. */
	verdict->type = BPMU_VERDICT_INCOMPLETE;
	for (i = 0; tree->rooted && i < nr; i++)
		if (metric[i].parent < 0 && tree->competes[i] &&
		    (!metric[i].extra || tree->shown[i]) &&
		    !(tree->shown[i] && values[i].known))
			add_why(verdict, i);
	if (verdict->nr_why)
		return;

	/*
	 * No verdict: every running program retires some uops, so that no single root can have all
	 * slots. If a root seems to have all slots, its value is what the other roots leave, and
	 * the counters of the other roots have failed: they read 0.
	 */
	verdict->type = BPMU_VERDICT_COUNTS_NOTHING;
	for (i = 0; tree->rooted && i < nr && nothing; i++) {
		if (metric[i].parent >= 0 || !tree->competes[i] || !tree->shown[i])
			continue;
		roots++;
		whole = tree->whole[i];
		nothing = whole && values[i].known &&
			  (values[i].value == 0 || values[i].value == whole);
		if (nothing && values[i].value == whole) {
			full++;
			verdict->why[0] = i;
		}
	}
	verdict->nr_why = nothing && full == 1 && roots > 1;
	if (verdict->nr_why)
		return;

	/* No verdict: the counts of a root contradict each other. */
	verdict->type = BPMU_VERDICT_CONTRADICTORY;
	for (i = 0; i < nr; i++)
		if (metric[i].parent < 0 && tree->competes[i] && values[i].impossible)
			add_why(verdict, i);
	if (verdict->nr_why)
		return;

	/*
	 * A root, such as Bad_Speculation, may have precedence over the other roots if it is
	 * flagged (&bpmu_metric.first). The path from it comes first. The path from the largest
	 * other root is reported beside it, but only if this other root may be as large.
	 */
	for (i = 0; i < nr && first < 0; i++)
		if (metric[i].first && metric[i].parent < 0 && tree->shown[i] &&
		    values[i].alone && tree->competes[i])
			first = i;
	verdict_follow(&s, -1, first, &verdict->path);
	if (first >= 0) {
		verdict_follow(&s, first, -1, &verdict->first);
		if (!verdict->first.nr)
			verdict->first.end[verdict->first.nr++] = first;
		other = verdict->path.nr ? root_of(&s, verdict->path.end[0]) :
					   verdict->path.maybe;
		if (other >= 0 && !leads(&s, other, first, true))
			verdict->path = no_path;
	}
	verdict->type = verdict->first.nr || verdict->path.nr ? BPMU_VERDICT_FLAGGED :
			verdict->path.maybe >= 0 ? BPMU_VERDICT_UNDECIDED : BPMU_VERDICT_CLEAR;

	/*
	 * A root may be flagged only because a node below it is. The path from the largest such
	 * root is reported in addition to the other paths.
	 */
	for (i = 0; i < nr; i++)
		if (metric[i].parent < 0 && tree->shown[i] && values[i].flagged &&
		    tree->competes[i] && !values[i].alone && !values[i].maybe &&
		    (besides < 0 || leads(&all, i, besides, false)))
			besides = i;
	if (besides >= 0)
		verdict_follow(&all, besides, -1, &verdict->besides);
}

/**
 * bpmu_verdict_node() - the single node that a verdict points to
 * @verdict: filled in by bpmu_verdict_find()
 *
 * Return: index of the node, or -1 if no node is flagged.
 */
int bpmu_verdict_node(const struct bpmu_verdict *verdict)
{
	if (verdict->type != BPMU_VERDICT_FLAGGED)
		return -1;
	return verdict->first.nr ? verdict->first.end[0] :
				   verdict->path.end[0];
}

/**
 * bpmu_verdict_event() - the event by which a verdict's advice on a node says to sample
 * @metric: the node
 * @event: filled in, [@size]
 * @size: size of @event in bytes; a longer name is no event
 *
 * Return: true, or false if the advice names no event; @event is then "".
 */
bool bpmu_verdict_event(const struct bpmu_metric *metric, char *event, size_t size)
{
	static const char sample[] = "sample ";
	const char *clause = metric->next;
	size_t length;

	event[0] = '\0';
	while (clause && strncmp(clause, sample, sizeof(sample) - 1)) {
		clause = strstr(clause, "; ");
		clause = clause ? clause + 2 : NULL;
	}
	if (!clause)
		return false;
	clause += sizeof(sample) - 1;
	length = strcspn(clause, "; ");
	if (length >= size)
		return false;
	memcpy(event, clause, length);
	event[length] = '\0';
	return length;
}

/*
 * Prints the names of the nodes from the root of a path to its first end. A path can end at several
 * siblings: the names of the other siblings follow.
 */
static void verdict_print_path(FILE *out, const struct search *s,
			       const struct bpmu_verdict_path *path)
{
	int node, above;
	unsigned int i;

	for (above = -1; above != path->end[0]; above = node) {
		for (node = path->end[0]; s->metric[node].parent != above;)
			node = s->metric[node].parent;
		fprintf(out, "%s%s", above < 0 ? "" : " > ", s->metric[node].name);
	}
	for (i = 1; i < path->nr; i++)
		fprintf(out, " or %s", s->metric[path->end[i]].name);
}

static void print_advice(FILE *out, const struct search *s,
			 const struct bpmu_verdict_path *path, bool names)
{
	static const char look[] = "look one level down";
	const unsigned int nr = s->tree->metrics.nr;
	const struct bpmu_metric *metric, *below;
	unsigned int i, k, pass, level, names_nr;
	const char *clause, *before;
	bool deeper;
	int len, at;

	if (path->nr > 1)
		fputs("Not distinguishable: measure longer.\n", out);
	for (i = 0; i < path->nr; i++) {
		metric = &s->metric[path->end[i]];
		names |= path->nr > 1;
		if (metric->text)
			fprintf(out, "%s%s%s\n", names ? metric->name : "",
				names ? ": " : "", metric->text);

		/*
		 * Has the node children that were not measured, and that can be measured without
		 * the option --extra?
		 */
		deeper = false;
		for (k = path->end[i] + 1; k < nr; k++)
			deeper |= s->metric[k].parent == path->end[i] && !s->metric[k].extra &&
				  !(s->tree->shown[k] && s->values[k].known);

		/*
		 * Print what the metric's definition advises as the next step. It may advise to
		 * look one level down: this is left out if there is no deeper level.
		 */
		before = "Next: ";
		clause = metric->next;
		for (; clause; clause = clause[len] ? clause + len + 2 : NULL) {
			len = strstr(clause, "; ") ? strstr(clause, "; ") - clause :
						     (long)strlen(clause);
			if (memmem(clause, len, look, sizeof(look) - 1) && !deeper)
				continue;
			fprintf(out, "%s%.*s", before, len, clause);
			before = "; ";
		}
		if (*before == ';')
			fputc('\n', out);

		/*
		 * If the option --extra is needed to measure any node below this one, tell the user
		 * which nodes the option adds: the names of those nearest to this node. The first
		 * pass of the loop finds their level, the second prints their names.
		 */
		if (deeper || s->tree->extra || path->maybe >= 0 || path->missing >= 0 ||
		    path->beyond >= 0)
			continue;
		level = 0;
		names_nr = 0;
		for (pass = 0; pass < 2; pass++) {
			for (k = path->end[i] + 1; k < nr; k++) {
				below = &s->metric[k];
				for (at = k; at >= 0 && at != path->end[i];)
					at = s->metric[at].parent;
				if (at < 0 || !below->extra)
					continue;
				if (!pass && (!level || below->level < level))
					level = below->level;
				if (!pass || below->level != level)
					continue;
				if (!names_nr++)
					fprintf(out, "--extra -l %u measures more below it: ",
						level > s->tree->level ? level : s->tree->level);
				fprintf(out, "%s%s", names_nr > 1 ? ", " : "", below->name);
			}
		}
		if (names_nr)
			fputs(".\n", out);
	}
	if (path->nr && path->maybe >= 0)
		fprintf(out, "Below it %s may be over its threshold: measure longer.\n",
			s->metric[path->maybe].name);
	if (path->nr && path->missing >= 0)
		fprintf(out, "Below it %s has no value, and of a level only the whole tells what is largest.\n",
			s->metric[path->missing].name);
	if (path->nr && path->beyond >= 0)
		fprintf(out, "Below it %s is %.0f %%, which cannot be: its counts contradict each other.\n",
			s->metric[path->beyond].name,
			100 / s->tree->whole[path->beyond] *
			s->values[path->beyond].value);
}

static void print_without(FILE *out, const struct search *s,
			  const struct bpmu_verdict *verdict)
{
	unsigned int i;

	fputs("No verdict: ", out);
	for (i = 0; i < verdict->nr_why; i++)
		fprintf(out, "%s%s", i ? ", " : "",
			s->metric[verdict->why[i]].name);
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
			s->metric[verdict->why[i]].name,
			100 / s->tree->whole[verdict->why[i]] *
			s->values[verdict->why[i]].value);
	fprintf(out, "%s%s cannot be; the counts contradict each other.\n",
		s->tree->share[verdict->why[0]] ? " of " : "",
		s->tree->share[verdict->why[0]] ?
			s->metric[verdict->why[0]].unit : "");
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
 * bpmu_verdict_text() - print the verdict of a tree as text, after an empty line
 * @values: values of the nodes, flagged by bpmu_tree_judge()
 * @how: what the user can do to get more rotation slices if groups had too few for a verdict
 *
 * If the tree has no thresholds, nothing is printed.
 */
void bpmu_verdict_text(FILE *out, const struct bpmu_tree *tree,
		       const struct bpmu_tree_value *values, enum bpmu_longer how)
{
	const struct search s = {
		.tree = tree, .metric = tree->metrics.metric, .values = values,
	};
	struct bpmu_verdict verdict;
	bool both;

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
			s.metric[verdict.why[0]].name);
		break;
	case BPMU_VERDICT_INCOMPLETE:
		print_without(out, &s, &verdict);
		break;
	case BPMU_VERDICT_CONTRADICTORY:
		print_impossible(out, &s, &verdict);
		break;
	case BPMU_VERDICT_UNDECIDED:
		fprintf(out, "Nothing is flagged for sure, but %s may be over its threshold: measure longer.\n",
			s.metric[verdict.path.maybe].name);
		break;
	case BPMU_VERDICT_CLEAR:
		fputs("Nothing is flagged: no bottleneck stands out.\n",
		      out);
		break;
	case BPMU_VERDICT_FLAGGED:
		both = verdict.first.nr && verdict.path.nr;
		fputs("Flagged: ", out);
		if (verdict.first.nr)
			verdict_print_path(out, &s, &verdict.first);
		if (both)
			fputs(" first, then ", out);
		if (verdict.path.nr)
			verdict_print_path(out, &s, &verdict.path);
		fputs(".\n", out);
		/*
		 * Source of this advice on Bad_Speculation: A. Yasin, A Top-Down Method, ISPASS
		 * 2014, 3.4.
		 */
		if (verdict.first.nr)
			fprintf(out, "%s comes first: that much of the work is on wrong paths, where most events count too; what lies below other nodes is to be trusted less until it is fixed.\n",
				s.metric[root_of(&s, verdict.first.end[0])].name);
		print_advice(out, &s, &verdict.first, both);
		print_advice(out, &s, &verdict.path, both);
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
		.text = s->metric[node].name, .form = BPMU_FIELD_TEXT,
	};

	if (s->metric[node].parent >= 0)
		json_path(object, s, s->metric[node].parent);
	bpmu_object_put(object, &element, 1);
}

/*
 * Writes a path as a list of paths in JSON. If @path ends at several siblings, the list has a path
 * from the root to each of these siblings.
 */
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
		element.text = s->metric[verdict->why[i]].name;
		bpmu_object_put(object, &element, 1);
	}
	bpmu_object_close(object, ']');
}

/**
 * bpmu_verdict_json() - print the verdict as a JSON object
 * @values: values of the nodes, flagged by bpmu_tree_judge()
 * @when: members with which the object begins: the time, and the CPUs that the values are of
 *
 * If the tree has no thresholds, nothing is printed.
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
	const struct search s = {
		.tree = tree, .metric = tree->metrics.metric, .values = values,
	};
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
		rest[0].text = s.metric[verdict.path.maybe].name;
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
