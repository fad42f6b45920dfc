// SPDX-License-Identifier: GPL-2.0
#include "tree.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "metric/metric_unit.h"

/*
 * Name of a metric that is added to a tree: cycles per instruction. The cycles are those of the
 * thread, or those of the core if the tree's metrics are shares of the core's slots.
 */
#define CPI_NAME "Cycles_Per_Instruction"
/* Name of the metric "cycles per instruction" in the method of CPI stacks, which has it already */
#define STACK_CPI_NAME "CPI"

/*
 * Rounding can make a share less than 0 or more than 1 by up to this much. Only a share that is
 * further outside is flagged as impossible.
 */
#define ROUNDING 0.000000001

/*
 * Because counters start one after another, a metric that is a fraction may be below 0 or above 1
 * by this much. A value that is farther outside is impossible: the counts contradict each other.
 */
#define BEYOND 0.05

/*
 * Largest difference between the slots and the sum of the four fields of PERF_METRICS, as a
 * fraction of the slots, that can result from rounding each field to 8 bits.
 */
#define FIELDS 0.02

static int tree_add_event(const struct bpmu_tree_wish *wish, const char *text,
			  struct bpmu_event_list *list, struct bpmu_error *err)
{
	if (wish->apart)
		return bpmu_event_list_add_given(wish->pmu, wish->smt, text,
						 wish->given, list, err);
	return bpmu_event_list_add(wish->pmu, wish->smt, text, list, err);
}

static int tree_add_group(struct bpmu_tree *tree, const struct bpmu_tree_wish *wish,
			  const struct bpmu_needs *needs,
			  const struct bpmu_event_set *events,
			  struct bpmu_error *err)
{
	unsigned int g = tree->nr_groups++;
	struct bpmu_event_list *list = &tree->events[g];
	unsigned int i;
	int ret = 0;

	for (i = 0; i < needs->events.nr && !ret; i++)
		if (bpmu_event_set_has(events, i))
			ret = tree_add_event(wish, needs->events.spec[i].text, list,
					     err);
	if (ret || wish->apart)
		return ret;
	if (wish->counted)
		return bpmu_groups_set(&tree->groups, g, list, err);
	return bpmu_groups_add(&tree->groups, list, err);
}

static const struct bpmu_event_spec *tree_find_text(const struct bpmu_tree *tree,
						    const char *text)
{
	unsigned int g, i;

	for (g = 0; g < tree->nr_groups; g++)
		for (i = 0; i < tree->events[g].nr; i++)
			if (!strcmp(tree->events[g].spec[i].text, text))
				return &tree->events[g].spec[i];
	return NULL;
}

/*
 * Sets @tree->events[BPMU_TREE_TOTAL(bank)], for the counters of the cores and for those of each
 * kind of uncore unit (bank), to the events that are in every group and so are counted all the
 * time. The lists of the groups own the texts of these events.
 */
static int tree_add_totals(struct bpmu_tree *tree, const struct bpmu_needs *needs,
			   const struct bpmu_pack *pack, struct bpmu_error *err)
{
	struct bpmu_event_list *list;
	unsigned int g, i;

	for (g = BPMU_TREE_TOTAL(0); g < BPMU_TREE_GROUPS; g++) {
		list = &tree->events[g];
		for (i = 0; i < needs->events.nr; i++) {
			if (!bpmu_event_set_has(&pack->group[g], i))
				continue;
			if (bpmu_event_list_grow(list))
				return bpmu_error_no_memory(err, "metrics");
			list->spec[list->nr++] =
				*tree_find_text(tree, needs->events.spec[i].text);
		}
	}
	return 0;
}

static void tree_one_group(const struct bpmu_needs *needs, struct bpmu_pack *pack)
{
	unsigned int i;

	memset(pack, 0, sizeof(*pack));
	pack->nr = 1;
	for (i = 0; i < needs->events.nr; i++)
		bpmu_event_set_add(&pack->group[0], i);
}

static bool needed(const struct bpmu_tree *tree, unsigned int i)
{
	return tree->shown[i] || (int)i == tree->cpi;
}

static bool names_deeper(const struct bpmu_metrics *metrics,
			 const struct bpmu_expr *expr, unsigned int level)
{
	unsigned int a;
	int i;

	i = expr->op == BPMU_EXPR_NAME ?
	    bpmu_metrics_find(metrics, expr->name) : -1;
	if (i >= 0 && metrics->metric[i].level)
		return metrics->metric[i].level > level;
	if (i >= 0)
		return names_deeper(metrics, metrics->metric[i].expr, level);
	for (a = 0; a < BPMU_EXPR_ARGS && expr->arg[a]; a++)
		if (names_deeper(metrics, expr->arg[a], level))
			return true;
	return false;
}

/* Compiles the condition that flags node @i, as if the tree had no nodes deeper than node @i. */
static int compile_alone(struct bpmu_tree *tree, struct bpmu_compiler *c,
			 unsigned int i)
{
	const struct bpmu_metric *metric = tree->metrics.metric;
	int *slots = calloc(tree->metrics.nr, sizeof(*slots));
	unsigned int k;
	int slot;

	if (!slots)
		return -ENOMEM;
	for (k = 0; k < tree->metrics.nr; k++)
		if (metric[k].level <= metric[i].level)
			slots[k] = tree->value_slot[k];
	slot = bpmu_compile_flag(c, metric[i].flag, slots);
	free(slots);
	return slot;
}

static int compile(struct bpmu_tree *tree, struct bpmu_compiler *c)
{
	const struct bpmu_metric *metric = tree->metrics.metric;
	unsigned int i;
	int slot;

	for (i = 0; i < tree->metrics.nr; i++) {
		if (!needed(tree, i))
			continue;
		slot = bpmu_compile_node(c, i, &tree->window[i]);
		if (slot < 0)
			return slot;
		tree->value_slot[i] = slot;
		tree->valued[tree->nr_valued++] = i;
	}
	tree->first_flag = tree->program.nr_statements;
	for (i = 0; i < tree->metrics.nr; i++) {
		if (!tree->value_slot[i] || !metric[i].flag)
			continue;
		slot = bpmu_compile_flag(c, metric[i].flag, tree->value_slot);
		if (slot < 0)
			return slot;
		tree->flag_slot[i] = slot;
		if (names_deeper(&tree->metrics, metric[i].flag,
				 metric[i].level))
			slot = compile_alone(tree, c, i);
		if (slot < 0)
			return slot;
		tree->alone_slot[i] = slot;
	}
	return 0;
}

/*
 * Sets @tree->node: for each statement of the compiled formulas the metric whose value or flag the
 * statement computes, or -1 if the statement computes something else.
 */
static void find_nodes(struct bpmu_tree *tree)
{
	const unsigned int first = tree->program.first_result;
	unsigned int i;

	for (i = 0; i < tree->program.nr_statements; i++)
		tree->node[i] = -1;
	for (i = 0; i < tree->metrics.nr; i++) {
		if (tree->value_slot[i])
			tree->node[tree->value_slot[i] - first] = i;
		if (tree->flag_slot[i])
			tree->node[tree->flag_slot[i] - first] = i;
		if (tree->alone_slot[i])
			tree->node[tree->alone_slot[i] - first] = i;
	}
}

/*
 * @op is an operation of a compiled condition that flags a node. Returns the metric whose value the
 * operation pushes on the stack; -1 if the operation does something else.
 */
static int node_loaded(const struct bpmu_tree *tree, const struct bpmu_op *op)
{
	if (op->op != BPMU_EXPR_NAME || op->slot < tree->program.first_result)
		return -1;
	return tree->node[op->slot - tree->program.first_result];
}

/*
 * Sets @tree->flags: for each node, the conditions (which flag this or other nodes) that use the
 * node's value. A condition does not depend on whether nodes are flagged.
 */
static int find_flags(struct bpmu_tree *tree)
{
	const struct bpmu_program *p = &tree->program;
	struct bpmu_reach *reach;
	unsigned int i, k, nr = 0;
	int node;

	tree->flags = calloc(tree->metrics.nr, sizeof(*tree->flags));
	for (i = tree->first_flag; i < p->nr_statements; i++)
		nr += p->statement[i].end - p->statement[i].first;
	tree->flag_statements = calloc(nr + 1, sizeof(*tree->flag_statements));
	tree->flag_number = calloc(p->first_result + p->nr_statements + 1,
				   sizeof(*tree->flag_number));
	if (!tree->flags || !tree->flag_statements || !tree->flag_number)
		return -ENOMEM;
	for (i = p->first_result + tree->first_flag; i < p->first_result + p->nr_statements; i++)
		tree->flag_number[i] = tree->replicates[i];
	for (i = tree->first_flag; i < p->nr_statements; i++)
		for (k = p->statement[i].first; k < p->statement[i].end; k++) {
			node = node_loaded(tree, &p->op[k]);
			if (node >= 0)
				tree->flags[node].nr++;
		}
	for (i = 0, nr = 0; i < tree->metrics.nr; i++) {
		tree->flags[i].number = tree->flag_number;
		tree->flags[i].statement = tree->flag_statements + nr;
		nr += tree->flags[i].nr;
		tree->flags[i].nr = 0;
	}
	for (i = tree->first_flag; i < p->nr_statements; i++)
		for (k = p->statement[i].first; k < p->statement[i].end; k++) {
			node = node_loaded(tree, &p->op[k]);
			reach = node >= 0 ? &tree->flags[node] : NULL;
			if (reach && (!reach->nr || reach->statement[reach->nr - 1] != i))
				reach->statement[reach->nr++] = i;
		}
	return 0;
}

/*
 * Finds for each group the statements of the compiled formulas that depend on the group's counts.
 * If the counts of one group change, only these statements have to be executed again.
 */
static int find_reach(struct bpmu_tree *tree)
{
	const struct bpmu_program *p = &tree->program;
	struct bpmu_tree_tried *tried;
	struct bpmu_reach *reach;
	unsigned int g, i, nr;
	int code;

	tree->node = calloc(p->nr_statements + 1, sizeof(*tree->node));
	tree->reach = calloc(BPMU_TREE_GROUPS, sizeof(*tree->reach));
	tree->replicates = calloc(p->first_result + p->nr_statements + 1,
				  sizeof(*tree->replicates));
	if (!tree->node || !tree->reach || !tree->replicates)
		return -ENOMEM;
	find_nodes(tree);
	for (g = 0; g < BPMU_TREE_GROUPS; g++) {
		if (!tree->events[g].nr)
			continue;
		tree->other[g] = tree->replicates + p->first_count[g];
		reach = &tree->reach[g];
		code = bpmu_program_reach(p, p->first_count[g], tree->events[g].nr,
					  tree->first_flag, tree->replicates, reach);
		if (code)
			return code;
		for (nr = 0, i = 0; i < reach->nr; i++)
			nr += tree->node[reach->statement[i]] >= 0;
		tree->tried[g] = malloc((nr + 1) * sizeof(*tree->tried[g]));
		if (!tree->tried[g])
			return -ENOMEM;
		/*
		 * Statements that compute a metric write their results to tree->tried, all other
		 * statements to tree->replicates.
		 */
		for (i = 0; i < reach->nr; i++) {
			if (tree->node[reach->statement[i]] < 0)
				continue;
			tried = &tree->tried[g][tree->nr_tried[g]++];
			tried->metric = tree->node[reach->statement[i]];
			reach->number[p->first_result + reach->statement[i]] = tried->value;
		}
	}
	return find_flags(tree);
}

static void free_reach(struct bpmu_tree *tree)
{
	unsigned int g;

	for (g = 0; tree->reach && g < BPMU_TREE_GROUPS; g++) {
		free(tree->reach[g].statement);
		free(tree->reach[g].number);
		free(tree->tried[g]);
	}
	free(tree->reach);
	free(tree->node);
	free(tree->flags);
	free(tree->flag_statements);
	free(tree->flag_number);
	free(tree->replicates);
}

static int make_slots(struct bpmu_tree *tree, struct bpmu_error *err)
{
	unsigned int i;

	tree->slot = calloc(tree->program.first_result +
			    tree->program.nr_statements + 1, sizeof(*tree->slot));
	if (!tree->slot || find_reach(tree))
		return bpmu_error_no_memory(err, "metrics");
	for (i = 0; i < BPMU_NR_CONSTANTS; i++)
		tree->slot[i].flags = BPMU_VALUE_MISSING;
	bpmu_tree_set(tree, BPMU_CONSTANT_SMT, tree->smt);
	return 0;
}

static void free_event_slots(struct bpmu_tree *tree)
{
	unsigned int g;

	for (g = 0; g < BPMU_TREE_GROUPS; g++) {
		free(tree->counts[g]);
		free(tree->event_slots[g]);
		tree->counts[g] = NULL;
		tree->event_slots[g] = NULL;
	}
	for (g = 0; g < BPMU_BANKS; g++) {
		free(tree->total_slots[g]);
		tree->total_slots[g] = NULL;
	}
}

static int find_total_slots(struct bpmu_tree *tree, unsigned int bank, struct bpmu_error *err)
{
	const struct bpmu_event_list *events = &tree->events[BPMU_TREE_TOTAL(bank)];
	struct bpmu_event_slots *slots;
	unsigned int i;

	slots = calloc(events->nr + 1, sizeof(*slots));
	if (!slots)
		return bpmu_error_no_memory(err, "metrics");
	tree->total_slots[bank] = slots;
	for (i = 0; i < events->nr; i++)
		bpmu_groups_event_slots(&tree->groups, &events->spec[i], &events->spec[i],
					&slots[i]);
	return 0;
}

/*
 * Sets @tree->event_slots and @tree->total_slots: for each event the group, and the counters in
 * this group, that count the event. The groups must have been sorted before, because sorting
 * changes the indices of groups.
 */
static int find_event_slots(struct bpmu_tree *tree, struct bpmu_error *err)
{
	const struct bpmu_event_list *events;
	unsigned int g, i;
	int code = 0;

	free_event_slots(tree);
	for (g = 0; g < BPMU_TREE_GROUPS; g++) {
		events = &tree->events[g];
		if (g >= tree->groups.nr && !events->nr)
			continue;
		tree->counts[g] = calloc(events->nr + 1, sizeof(*tree->counts[g]));
		if (!tree->counts[g])
			return bpmu_error_no_memory(err, "metrics");
		if (g >= tree->groups.nr)
			continue;
		tree->event_slots[g] = calloc(events->nr + 1,
					      sizeof(*tree->event_slots[g]));
		if (!tree->event_slots[g])
			return bpmu_error_no_memory(err, "metrics");
		for (i = 0; i < events->nr; i++)
			bpmu_groups_slots(&tree->groups, g, &events->spec[i],
					  &tree->event_slots[g][i]);
	}
	for (g = 0; g < BPMU_BANKS && !code; g++)
		code = find_total_slots(tree, g, err);
	return code;
}

/*
 * Finds the events of the requested nodes in the groups that a recording or another session has
 * counted, and lets @tree have the same groups.
 */
static int find_counted(struct bpmu_tree *tree, const struct bpmu_tree_wish *wish,
			struct bpmu_needs *needs, struct bpmu_pack *pack,
			struct bpmu_error *err)
{
	struct bpmu_event_set wanted = { .word = { 0 } };
	struct bpmu_sched_rules rules = tree->groups.rules;
	unsigned int i;
	int ret;

	for (i = 0; i < tree->metrics.nr; i++)
		if (needed(tree, i))
			bpmu_event_set_join(&wanted, &needs->line[i].events);
	ret = bpmu_pack_counted(needs, wish->counted, &wanted, pack, err);
	if (ret)
		return ret;
	ret = bpmu_groups_begin_of(&tree->groups, wish->pmu, wish->counted, err);
	tree->groups.rules = rules;
	return ret;
}

static int arrange(struct bpmu_tree *tree, const struct bpmu_tree_wish *wish,
		   struct bpmu_needs *needs, struct bpmu_error *err)
{
	struct bpmu_compiler c;
	struct bpmu_pack pack;
	unsigned int i;
	int ret = 0;

	if (wish->apart)
		tree_one_group(needs, &pack);
	else if (wish->counted)
		ret = find_counted(tree, wish, needs, &pack, err);
	else
		ret = bpmu_pack_groups(needs, &pack, err);
	for (i = 0; !ret && i < pack.nr; i++)
		ret = tree_add_group(tree, wish, needs, &pack.group[i], err);
	if (!ret)
		ret = tree_add_totals(tree, needs, &pack, err);
	if (!ret)
		ret = find_event_slots(tree, err);
	if (ret)
		return ret;
	ret = bpmu_compile_begin(&c, &tree->program, needs, &pack, err);
	if (!ret)
		ret = compile(tree, &c);
	bpmu_compile_end(&c);
	return ret ? ret : make_slots(tree, err);
}

static int check_level(struct bpmu_tree *tree, struct bpmu_error *err)
{
	unsigned int deepest = 0;
	unsigned int i;

	for (i = 0; i < tree->metrics.nr; i++)
		if (tree->metrics.metric[i].level > deepest)
			deepest = tree->metrics.metric[i].level;
	if (tree->level == BPMU_TREE_ALL)
		tree->level = deepest;
	if (tree->level >= 1 && tree->level <= deepest)
		return 0;
	return bpmu_error_set(err, -ERANGE,
			      "level %u: these metrics have levels 1 to %u; choose one of them",
			      tree->level, deepest);
}

/*
 * Adds the metric "cycles per instruction" to @lines. Its cycles are counted by the clock from
 * which the method computes slots. A node's share of the slots, multiplied by the cycles per
 * instruction, is therefore the node's share of the cycles per instruction.
 */
static int add_cpi(struct bpmu_metrics *lines, struct bpmu_error *err)
{
	const char *clock = "cycles";
	unsigned int i;
	char line[256];

	if (bpmu_metrics_find(lines, CPI_NAME) >= 0)
		return 0;
	for (i = lines->nr; i-- > 0; )
		if (lines->metric[i].clock)
			clock = lines->metric[i].name;
	snprintf(line, sizeof(line), CPI_NAME " := %s / instructions", clock);
	return bpmu_metrics_parse(lines, "cpi", line, err);
}

/*
 * Replaces the divisor in the formula of the definition @name, the number of instructions, by
 * @work, the number of units of work.
 */
static void divide_by(struct bpmu_metrics *lines, const char *name, double work)
{
	int i = bpmu_metrics_find(lines, name);

	if (i >= 0 && !lines->metric[i].level &&
	    lines->metric[i].expr->op == BPMU_EXPR_DIV)
		bpmu_expr_set(lines->metric[i].expr->arg[1], work);
}

static int load_lines(struct bpmu_tree *tree, const struct bpmu_tree_wish *wish,
		      struct bpmu_error *err)
{
	struct bpmu_metrics *lines = wish->lines ?: &tree->metrics;
	int ret = 0;

	tree->borrowed = wish->lines;
	if (!tree->borrowed)
		ret = bpmu_metrics_builtin(lines, wish->method,
					   wish->pmu->part, err);
	if (!ret && wish->cpi)
		ret = add_cpi(lines, err);
	if (!ret && wish->cpi && wish->work > 0) {
		divide_by(lines, CPI_NAME, wish->work);
		divide_by(lines, STACK_CPI_NAME, wish->work);
	}
	tree->metrics = *lines;
	tree->work = wish->work;
	if (wish->cpi)
		tree->cpi = bpmu_metrics_find(lines, CPI_NAME);
	return ret;
}

/*
 * Sets @tree->shown: the requested nodes, which are all nodes except those deeper than @tree->level
 * and those that @wish->wanted rejects. Also sets the members of @tree that the verdict (the search
 * for the bottleneck) needs: share, whole, kind, rooted and competes.
 */
static int choose_shown(struct bpmu_tree *tree, const struct bpmu_tree_wish *wish,
			struct bpmu_error *err)
{
	const struct bpmu_metric *metric = tree->metrics.metric;
	const unsigned int nr = tree->metrics.nr;
	bool *inner = calloc(nr, sizeof(*inner));
	unsigned int file = 0;
	unsigned int i, k;

	tree->shown = calloc(nr, sizeof(*tree->shown));
	tree->share = calloc(nr, sizeof(*tree->share));
	tree->whole = calloc(nr, sizeof(*tree->whole));
	tree->kind = calloc(nr, sizeof(*tree->kind));
	tree->competes = calloc(nr, sizeof(*tree->competes));
	if (!inner || !tree->shown || !tree->share || !tree->whole || !tree->kind ||
	    !tree->competes) {
		free(inner);
		return bpmu_error_no_memory(err, "metrics");
	}
	for (i = 0; i < nr; i++) {
		const char *unit = metric[i].unit ?: "";

		if (metric[i].parent >= 0)
			inner[metric[i].parent] = true;
		tree->share[i] = bpmu_unit_is_share(metric[i].unit);
		tree->whole[i] = tree->share[i] ? 1 : !strcmp(unit, "percent") ? 100 : 0;
		tree->shown[i] = metric[i].level >= 1 &&
				 metric[i].level <= tree->level &&
				 (tree->extra || !metric[i].extra) &&
				 (!wish->wanted ||
				  wish->wanted(wish->wanted_ctx, &metric[i]));
		/*
		 * Two shown metrics with the same unit get the same number as their kind: the index
		 * of the first shown metric with this unit.
		 */
		for (k = 0; tree->shown[i] && k < i; k++)
			if (tree->shown[k] && !strcmp(metric[k].unit ?: "", unit))
				break;
		tree->kind[i] = tree->shown[i] ? k : i;
	}

	/*
	 * Choose the nodes that the verdict (the search for the bottleneck) considers. These are
	 * the nodes with a parent, and the roots of the file that has the first root with children.
	 * Metrics that are published beside a tree, such as instructions per call, have no parent
	 * and no children, and are not considered.
	 */
	for (i = 0; i < nr && !tree->rooted; i++) {
		tree->rooted = tree->shown[i] && metric[i].parent < 0 && inner[i];
		file = metric[i].file;
	}
	for (i = 0; i < nr; i++)
		tree->competes[i] = metric[i].parent >= 0 || !tree->rooted ||
				    (metric[i].file == file && (metric[i].root || inner[i]));
	free(inner);
	return 0;
}

static int find_errata(struct bpmu_tree *tree,
		       const struct bpmu_errata_cpu *cpu,
		       struct bpmu_error *err)
{
	unsigned int i;

	tree->errata = cpu ? bpmu_errata_of_metrics(cpu, &tree->metrics) :
		calloc(tree->metrics.nr, sizeof(*tree->errata));
	if (!tree->errata)
		return bpmu_error_no_memory(err, "metrics");
	for (i = 0; i < tree->metrics.nr; i++)
		tree->touched |= tree->shown[i] && tree->errata[i].nr;
	return 0;
}

static int tree_load(struct bpmu_tree *tree, const struct bpmu_tree_wish *wish,
		     struct bpmu_error *err)
{
	unsigned int nr;
	int ret;

	ret = load_lines(tree, wish, err);
	if (!ret)
		ret = check_level(tree, err);
	if (!ret)
		ret = choose_shown(tree, wish, err);
	if (ret)
		return ret;
	ret = find_errata(tree, wish->errata, err);
	if (ret)
		return ret;
	nr = tree->metrics.nr;
	tree->window = calloc(nr, sizeof(*tree->window));
	tree->banks = calloc(nr, sizeof(*tree->banks));
	tree->value_slot = calloc(nr, sizeof(*tree->value_slot));
	tree->valued = calloc(nr, sizeof(*tree->valued));
	tree->flag_slot = calloc(nr, sizeof(*tree->flag_slot));
	tree->alone_slot = calloc(nr, sizeof(*tree->alone_slot));
	return tree->window && tree->banks && tree->value_slot && tree->valued &&
	       tree->flag_slot && tree->alone_slot ? 0 : bpmu_error_no_memory(err, "metrics");
}

static unsigned int banks_of(const struct bpmu_needs *needs, const struct bpmu_event_set *set)
{
	unsigned int banks = 0;
	unsigned int e;

	for (e = 0; e < needs->events.nr; e++)
		if (bpmu_event_set_has(set, e) && needs->events.spec[e].nr)
			banks |= BPMU_BIT(bpmu_unit_facts[needs->events.spec[e].term[0].unit].bank);
	return banks;
}

static int tree_fill(struct bpmu_tree *tree, const struct bpmu_tree_wish *wish,
		     const struct bpmu_sched_rules *rules, struct bpmu_needs *needs,
		     struct bpmu_error *err)
{
	unsigned int level;
	unsigned int i;
	int ret;

	ret = bpmu_needs_begin(needs, &tree->metrics, wish->pmu, wish->smt,
			       err);
	needs->apart = wish->apart;
	needs->given = wish->given;
	needs->counted = wish->counted;
	needs->rules = *rules;
	tree->groups.rules = *rules;
	for (level = 1; level <= tree->level && !ret; level++)
		for (i = 0; i < tree->metrics.nr && !ret; i++)
			if (tree->metrics.metric[i].level == level && tree->shown[i])
				ret = bpmu_needs_add(needs, i, err);
	if (!ret && tree->cpi >= 0)
		ret = bpmu_needs_add(needs, tree->cpi, err);
	for (i = 0; i < tree->metrics.nr && !ret; i++)
		if (tree->shown[i])
			tree->banks[i] = banks_of(needs, &needs->line[i].events);
	for (i = 0; wish->beside && wish->beside[i] && !ret; i++)
		ret = bpmu_needs_beside(needs, wish->beside[i], err);
	return ret ? ret : arrange(tree, wish, needs, err);
}

static int tree_make(struct bpmu_tree *tree, const struct bpmu_tree_wish *wish,
		     const struct bpmu_sched_rules *rules, struct bpmu_error *err)
{
	struct bpmu_needs needs = { .nr_bundles = 0 };
	int ret;

	memset(tree, 0, sizeof(*tree));
	tree->level = wish->level;
	tree->extra = wish->extra;
	tree->apart = wish->apart;
	tree->fields = wish->pmu->part->metrics;
	tree->smt = wish->smt;
	tree->cpi = -1;
	bpmu_groups_begin(&tree->groups, wish->pmu);
	ret = tree_load(tree, wish, err);
	if (!ret)
		ret = tree_fill(tree, wish, rules, &needs, err);
	bpmu_needs_free(&needs);
	if (ret)
		bpmu_tree_free(tree);
	return ret;
}

static bool leaks(const struct bpmu_tree *tree, const struct bpmu_pmu *pmu)
{
	unsigned int g;

	for (g = 0; g < tree->nr_groups; g++)
		if (bpmu_groups_leak(pmu, &tree->events[g]))
			return true;
	return false;
}

/**
 * bpmu_tree_make() - prepare a tree of a method for a PMU
 * @tree: filled in
 * @wish: parameters of the tree
 *
 * An event that leaks into the counter of the sibling thread gets a counter that the sibling does
 * not use, as in bpmu_groups_make().
 *
 * Return: 0, -ENOENT if the CPU model lacks the method, -ERANGE for a level that the method lacks,
 * -ENODATA if an event is not in the groups that were counted, -ENOSPC if no counter can count an
 * event, or if there are too many groups; on failure nothing is to be freed.
 */
int bpmu_tree_make(struct bpmu_tree *tree, const struct bpmu_tree_wish *wish,
		   struct bpmu_error *err)
{
	struct bpmu_sched_rules rules = bpmu_sched_no_rules;
	unsigned int i;
	int ret;

	rules.arb_both = wish->arb_both;
	ret = tree_make(tree, wish, &rules, err);
	if (ret || !wish->siblings || !leaks(tree, wish->pmu))
		return ret;
	for (i = 0; bpmu_groups_leak_pair(i, &rules); i++) {
		bpmu_tree_free(tree);
		ret = tree_make(tree, wish, &rules, err);
		if (ret != -ENOSPC)
			break;
	}
	return ret;
}

/**
 * bpmu_tree_init() - prepare a tree of metrics, down to a level, for evaluation
 * @tree: filled in
 * @method: name of the method, such as "topdown"
 * @pmu: PMU of the CPUs, or a PMU with the CPU model's default numbers of counters
 * @smt: whether threads share a core
 * @level: deepest level, from 1
 *
 * Return: as bpmu_tree_make().
 */
int bpmu_tree_init(struct bpmu_tree *tree, const char *method,
		   const struct bpmu_pmu *pmu, int smt, unsigned int level,
		   struct bpmu_error *err)
{
	const struct bpmu_tree_wish wish = {
		.method = method, .pmu = pmu, .smt = smt, .level = level,
	};

	return bpmu_tree_make(tree, &wish, err);
}

/**
 * bpmu_tree_free() - undo bpmu_tree_init() or bpmu_tree_make()
 */
void bpmu_tree_free(struct bpmu_tree *tree)
{
	unsigned int g;

	bpmu_groups_free(&tree->groups);
	for (g = 0; g < BPMU_TREE_TOTAL(0); g++)
		bpmu_event_list_free(&tree->events[g]);
	for (; g < BPMU_TREE_GROUPS; g++)
		free(tree->events[g].spec);
	free_event_slots(tree);
	free_reach(tree);
	if (!tree->borrowed)
		bpmu_metrics_free(&tree->metrics);
	free(tree->shown);
	free(tree->share);
	free(tree->whole);
	free(tree->kind);
	free(tree->competes);
	bpmu_program_free(&tree->program);
	free(tree->errata);
	free(tree->window);
	free(tree->banks);
	free(tree->slot);
	free(tree->value_slot);
	free(tree->valued);
	free(tree->flag_slot);
	free(tree->alone_slot);
	memset(tree, 0, sizeof(*tree));
}

/**
 * bpmu_tree_set() - set in a tree the number of sockets, or another constant of its formulas
 * @tree: the tree, from bpmu_tree_make() or bpmu_tree_init(), which set only BPMU_CONSTANT_SMT
 * @constant: the constant
 * @number: value of the constant
 */
void bpmu_tree_set(struct bpmu_tree *tree, enum bpmu_metric_constant constant,
		   double number)
{
	tree->slot[constant] = bpmu_value_of(number);
}

/*
 * Checks if Intel's formulas use an event only to correct a field of PERF_METRICS by a few per
 * cent. If such an event was not counted, the value is flagged as uncorrected instead of missing.
 * This happens if counts are from perf's own topdown events, which do not include such an event.
 */
static bool is_correction(const struct bpmu_event_spec *spec)
{
	return spec->row && (!strcmp(spec->row->name, "INT_MISC.UOP_DROPPING") ||
			     !strcmp(spec->row->name, "INT_MISC.CLEARS_COUNT"));
}

/* Returns the variable with the count of event @name in group @g; NULL if the group lacks it. */
static struct bpmu_value *slot_named(const struct bpmu_tree *tree, unsigned int g,
				     const char *name)
{
	const struct bpmu_event_list *events = &tree->events[g];
	unsigned int i;

	for (i = 0; i < events->nr; i++)
		if (!strcmp(events->spec[i].text, name))
			return tree->slot + tree->program.first_count[g] + i;
	return NULL;
}

/*
 * Formulas divide each field of PERF_METRICS by the sum of the fields, as Linux's perf does. If the
 * sum differs from the slots by more than rounding to 8 bits explains, the division changes the
 * values noticeably: the fields are flagged as normalised.
 */
static void check_fields(const struct bpmu_tree *tree, unsigned int g)
{
	static const char *const names[] = {
		"PERF_METRICS.FRONTEND_BOUND", "PERF_METRICS.BAD_SPECULATION",
		"PERF_METRICS.RETIRING", "PERF_METRICS.BACKEND_BOUND"
	};
	struct bpmu_value *slots = slot_named(tree, g, "TOPDOWN.SLOTS");
	struct bpmu_value *field[ARRAY_SIZE(names)];
	double sum = 0;
	size_t i;

	for (i = 0; slots && i < ARRAY_SIZE(names); i++) {
		field[i] = slot_named(tree, g, names[i]);
		if (!field[i] || !field[i]->known)
			return;
		sum += field[i]->number;
	}
	if (!slots || !slots->known ||
	    fabs(sum - slots->number) <= FIELDS * slots->number)
		return;
	for (i = 0; i < ARRAY_SIZE(names); i++)
		field[i]->flags |= BPMU_VALUE_NORMALISED;
}

/**
 * bpmu_tree_compute() - compute a tree without flags: the values of all its metrics
 * @tree: the tree; its member slot (the variables of the formulas) is overwritten
 * @counts: results of bpmu_sched_count(), [BPMU_TREE_GROUPS][nr events], up to the last group with
 *	events; NAN for an event without count, NULL for a group without counts
 * @others: NULL, or number of further counts in @tree->other of each event of a group, 0 to
 *	%BPMU_REPLICATES, [@tree->nr_groups]. The values of the metrics with each of the further
 *	counts are written to @tree->tried
 * @values: filled in, [nr @tree->metrics]; a metric that is not shown has no value. The uncertainty
 *	of all values is set to 0, and no node is flagged
 *
 * Not thread-safe.
 */
void bpmu_tree_compute(const struct bpmu_tree *tree,
		       const double *const *counts, const unsigned int *others,
		       struct bpmu_tree_value *values)
{
	const struct bpmu_event_list *events;
	struct bpmu_tree_value *value;
	struct bpmu_value *slot;
	unsigned int g, i, v;
	double count;

	for (g = 0; g < BPMU_TREE_GROUPS; g++) {
		/*
		 * After the last group, go on with the events that are in all groups of a bank (the
		 * counters of the cores, or those of one kind of uncore unit).
		 */
		if (g == tree->nr_groups)
			g = BPMU_TREE_TOTAL(0);
		events = &tree->events[g];
		slot = tree->slot + tree->program.first_count[g];
		for (i = 0; i < events->nr; i++, slot++) {
			count = counts[g] ? counts[g][i] : NAN;
			slot->known = isfinite(count);
			slot->number = slot->known ? count : 0;
			slot->flags = slot->known ? 0 : BPMU_VALUE_MISSING;
			if (!slot->known && tree->apart && is_correction(&events->spec[i])) {
				slot->known = true;
				slot->flags = BPMU_VALUE_UNCORRECTED;
			}
			/*
			 * A count of one counter is never negative, unless the counter has wrapped.
			 * An event of two counters is a difference, which may be negative.
			 */
			if (slot->known && count < 0 && events->spec[i].nr == 1)
				slot->flags = BPMU_VALUE_WRAPPED;
		}
		if (tree->fields && events->nr)
			check_fields(tree, g);
	}

	/*
	 * Compute the values of all metrics from the counts in the slots. @others may have replicates
	 * of the counts of a group: from these compute only the metrics that depend on the group.
	 */
	bpmu_program_run(&tree->program, 0, tree->first_flag, tree->slot);
	for (g = 0; others && g < tree->nr_groups; g++)
		if (others[g])
			bpmu_program_try(&tree->program, &tree->reach[g], tree->slot, others[g]);

	memset(values, 0, tree->metrics.nr * sizeof(*values));
	for (v = 0; v < tree->nr_valued; v++) {
		i = tree->valued[v];
		value = &values[i];
		slot = &tree->slot[tree->value_slot[i]];
		value->known = slot->known;
		value->value = slot->number;
		value->flags = slot->flags;
		if (tree->window[i] == BPMU_VIEW_MIXED)
			value->flags |= BPMU_VALUE_MIXED;
		if (tree->errata[i].nr)
			value->flags |= BPMU_VALUE_ERRATUM;
		if (value->known && tree->share[i] && value->value < -ROUNDING)
			value->flags |= BPMU_VALUE_BELOW_0;
		if (value->known && tree->share[i] && value->value > 1 + ROUNDING)
			value->flags |= BPMU_VALUE_ABOVE_1;
	}
}

/**
 * bpmu_tree_half_width() - half-width of the 95 % confidence interval of a node of the tree
 * @value: the value
 *
 * Return: the half-width; 0 if the value is exact or unknown, INFINITY if the half-width cannot be
 * computed, because the groups were multiplexed and each was counted too few times.
 */
double bpmu_tree_half_width(const struct bpmu_tree_value *value)
{
	if (!value->known)
		return 0;
	return value->longer > 0 ? INFINITY : value->uncertainty;
}

/**
 * bpmu_tree_judge() - determine which nodes of a tree are flagged, and which values are unsure
 * @tree: the tree; its member slot (the variables of the formulas) is overwritten
 * @values: with values and uncertainties; the flags of @tree->valued are set
 *
 * A value below 0 or above 1 of a share is unsure if its 95 % interval has a possible one, and
 * impossible if the interval is farther outside than counters that start one after another explain.
 *
 * If the 95 % interval of a value contains the threshold, the node is undecided rather than
 * flagged. A node is flagged only if its parent is flagged, so that a path of flagged nodes leads
 * from each flagged node to the root. Nodes with &bpmu_metric.stands do not need a flagged parent.
 *
 * Not thread-safe.
 */
void bpmu_tree_judge(const struct bpmu_tree *tree,
		     struct bpmu_tree_value *values)
{
	enum { LOWER, UPPER, ENDS };
	const struct bpmu_metric *metric = tree->metrics.metric;
	const struct bpmu_value *flag, *alone;
	const struct bpmu_reach *reach;
	struct bpmu_tree_value *value;
	bool below, lower, upper;
	struct bpmu_value *slot;
	const double *number;
	unsigned int v, i, k;
	double *end, half, whole;
	int at;

	/* First compute from the values themselves the conditions that flag the nodes. */
	for (v = 0; v < tree->nr_valued; v++) {
		i = tree->valued[v];
		slot = &tree->slot[tree->value_slot[i]];
		slot->known = values[i].known;
		slot->number = values[i].value;
	}
	bpmu_program_run(&tree->program, tree->first_flag, tree->program.nr_statements,
			 tree->slot);
	for (v = 0; v < tree->nr_valued; v++) {
		i = tree->valued[v];
		flag = &tree->slot[tree->flag_slot[i]];
		alone = &tree->slot[tree->alone_slot[i]];
		value = &values[i];
		value->flags &= ~BPMU_VALUE_UNDECIDED;
		value->maybe = false;
		value->flagged = value->known && tree->flag_slot[i] && flag->known &&
				 flag->number != 0;
		value->alone = value->known && tree->alone_slot[i] && alone->known &&
			       alone->number != 0;
		if ((value->flags & BPMU_VALUE_BELOW_0 &&
		     value->value + value->uncertainty >= 0) ||
		    (value->flags & BPMU_VALUE_ABOVE_1 && value->value - value->uncertainty <= 1))
			value->flags |= BPMU_VALUE_UNSURE;
		whole = tree->whole[i];
		value->impossible = tree->shown[i] && value->known && whole &&
				    (value->value + value->uncertainty < -BEYOND * whole ||
				     value->value - value->uncertainty > (1 + BEYOND) * whole);
	}

	/*
	 * Then replace each value by the lower and by the upper end of its confidence interval, and
	 * compute the conditions again. A node whose flag differs is undecided. A condition without
	 * a value (NAN) does not flag its node.
	 */
	for (v = 0; v < tree->nr_valued; v++) {
		i = tree->valued[v];
		half = bpmu_tree_half_width(&values[i]);
		if (!(half <= DBL_MAX))
			half = DBL_MAX;
		if (!(half > 0))
			continue;
		reach = &tree->flags[i];
		end = tree->replicates[tree->value_slot[i]];
		tree->flag_number[tree->value_slot[i]] = end;
		end[LOWER] = values[i].value - half;
		end[UPPER] = values[i].value + half;
		bpmu_program_try(&tree->program, reach, tree->slot, ENDS);
		tree->flag_number[tree->value_slot[i]] = NULL;
		for (k = 0; k < reach->nr; k++) {
			value = &values[tree->node[reach->statement[k]]];
			at = tree->program.first_result + reach->statement[k];
			number = tree->replicates[at];
			lower = islessgreater(number[LOWER], 0);
			upper = islessgreater(number[UPPER], 0);
			if (!value->known)
				continue;
			if (at == tree->flag_slot[value - values] &&
			    (lower != value->flagged || upper != value->flagged))
				value->flags |= BPMU_VALUE_UNDECIDED;
			if (at == tree->alone_slot[value - values] &&
			    (lower != value->alone || upper != value->alone))
				value->maybe = true;
		}
	}

	/*
	 * If the parent of a node is not flagged, the node is not flagged. Exceptions are nodes
	 * that need no flagged parent ("stands").
	 */
	for (v = 0; v < tree->nr_valued; v++) {
		i = tree->valued[v];
		value = &values[i];
		below = metric[i].parent < 0 || metric[i].stands ||
			values[metric[i].parent].flagged;
		if (!below) {
			value->flags &= ~BPMU_VALUE_UNDECIDED;
			value->maybe = false;
		}
		value->flagged &= below && !(value->flags & BPMU_VALUE_UNDECIDED);
		value->alone &= value->flagged && !value->maybe;
	}
}

/**
 * bpmu_tree_eval() - evaluate a tree once: the values of its metrics, and their flags
 * @tree: the tree; its member slot (the variables of the formulas) is overwritten
 * @counts: as for bpmu_tree_compute()
 * @values: filled in as by bpmu_tree_compute() and bpmu_tree_judge()
 *
 * Not thread-safe.
 */
void bpmu_tree_eval(const struct bpmu_tree *tree, const double *const *counts,
		    struct bpmu_tree_value *values)
{
	bpmu_tree_compute(tree, counts, NULL, values);
	bpmu_tree_judge(tree, values);
}

/*
 * Checks if two events have equal counts even if their names differ: both count the same events on
 * the same counters. (An event may be a sum or difference of two events, its terms.)
 */
static bool same_event(const struct bpmu_event_spec *a,
		       const struct bpmu_event_spec *b)
{
	unsigned int t;

	if (a->nr != b->nr)
		return false;
	for (t = 0; t < a->nr; t++)
		if (a->term[t].select != b->term[t].select ||
		    a->term[t].filter != b->term[t].filter ||
		    a->term[t].counters != b->term[t].counters ||
		    a->term[t].unit != b->term[t].unit ||
		    a->term[t].sign != b->term[t].sign)
			return false;
	return true;
}

/**
 * bpmu_tree_event() - find the event of a tree that has the same count as a given event
 * @tree: the tree, from bpmu_tree_make()
 *
 * Return: the first such event, or NULL if the tree has none.
 */
const struct bpmu_event_spec *
bpmu_tree_event(const struct bpmu_tree *tree,
		const struct bpmu_event_spec *spec)
{
	unsigned int g, i;

	for (g = 0; g < tree->nr_groups; g++)
		for (i = 0; i < tree->events[g].nr; i++)
			if (same_event(&tree->events[g].spec[i], spec))
				return &tree->events[g].spec[i];
	return NULL;
}

/**
 * bpmu_tree_beside() - find the requested events that the tree does not count itself
 * @tree: the tree, from bpmu_tree_make()
 * @pmu: PMU of the tree
 * @smt: whether threads share a core
 * @events: requested events. If the tree needs the fixed counter of an event, the event is moved to
 *	a general counter where possible
 * @beside: filled in with copies of the events found; @beside->spec is to be freed with free()
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_tree_beside(const struct bpmu_tree *tree, const struct bpmu_pmu *pmu,
		     int smt, struct bpmu_event_list *events,
		     struct bpmu_event_list *beside)
{
	struct bpmu_event_spec *spec;
	unsigned int g, i;

	beside->nr = 0;
	beside->spec = calloc(events->nr, sizeof(*beside->spec));
	if (!beside->spec)
		return -ENOMEM;
	for (i = 0; i < events->nr; i++) {
		spec = &events->spec[i];
		if (bpmu_tree_event(tree, spec))
			continue;
		for (g = 0; g < tree->nr_groups; g++)
			bpmu_event_leave_fixed(pmu, smt, &tree->events[g],
					       spec);
		if (!bpmu_tree_event(tree, spec))
			beside->spec[beside->nr++] = *spec;
	}
	return 0;
}

/* Moves all data of a group in @tree, such as the group's events, from index @from to @to. */
static void move_group(struct bpmu_tree *tree, unsigned int from,
		       unsigned int to)
{
	unsigned int i;

	if (from == to)
		return;
	tree->events[to] = tree->events[from];
	tree->events[from] = (struct bpmu_event_list){ };
	tree->program.first_count[to] = tree->program.first_count[from];
	tree->reach[to] = tree->reach[from];
	tree->reach[from] = (struct bpmu_reach){ };
	tree->other[to] = tree->other[from];
	tree->tried[to] = tree->tried[from];
	tree->nr_tried[to] = tree->nr_tried[from];
	tree->tried[from] = NULL;
	tree->nr_tried[from] = 0;
	for (i = 0; i < tree->metrics.nr; i++)
		if (tree->window[i] == (int)from)
			tree->window[i] = to;
}

/**
 * bpmu_tree_join() - let a tree count further events beside those of its metrics
 * @tree: the tree, from bpmu_tree_make(), with counters: not for counts from another tool
 * @events: from bpmu_tree_beside(); their texts must outlive the tree
 * @together: refuse events that do not fit into the groups of the tree
 *
 * Groups are sorted: first those of the cores, then those of each kind of uncore unit. If a group
 * is added, groups of the tree may therefore get higher indices. If an event is added to a group,
 * the order of the group's counters may change.
 *
 * Return: as bpmu_groups_join().
 */
int bpmu_tree_join(struct bpmu_tree *tree, const struct bpmu_event_list *events,
		   bool together, struct bpmu_error *err)
{
	const struct bpmu_group *group;
	unsigned int nr = tree->nr_groups;
	unsigned int g;
	int code;

	code = bpmu_groups_join(&tree->groups, events, together, err);
	if (code)
		return code;
	/* Groups keep their order and move to higher indices, so the last one moves first. */
	for (g = nr; g-- > 0; ) {
		if (!tree->events[g].nr)
			continue;
		group = bpmu_groups_find(&tree->groups, &tree->events[g].spec[0]);
		if (g == nr - 1)
			tree->nr_groups = group - tree->groups.group + 1;
		move_group(tree, g, group - tree->groups.group);
	}
	return find_event_slots(tree, err);
}
