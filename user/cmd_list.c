// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "client.h"
#include "events.h"
#include "intel.h"
#include "main.h"
#include "smt.h"
#include "tree.h"

#define METHOD "topdown"

/**
 * struct list - what to list
 * @ctx: the tool's
 * @part: of which part
 * @pmu: its counters
 * @smt: whether threads share a core
 * @glob: which names, "*" for all
 * @found: names printed
 */
struct list {
	struct bpmu_ctx *ctx;
	const struct bpmu_part *part;
	struct bpmu_pmu pmu;
	int smt;
	const char *glob;
	unsigned int found;
};

static const char usage[] =
	"usage: barepmu list [--part NAME] [events|metrics|groups] [GLOB]\n"
	"  events   names that 'stat -e' takes (default)\n"
	"  metrics  nodes of the Top-Down tree\n"
	"  groups   the events of each group that 'topdown' measures\n"
	"  GLOB     only names that match; a word matches where it is a part\n"
	"  --part   of this part, not of this machine; needs no module\n";

static bool wanted(struct list *list, const char *name)
{
	if (fnmatch(list->glob, name, FNM_CASEFOLD))
		return false;
	list->found++;
	return true;
}

static void print_set(char *buf, size_t size, u64 set)
{
	const char *prefix = "";
	int last;
	int first;

	if (set == BPMU_BIT(BPMU_METRICS_COUNTER)) {
		snprintf(buf, size, "M");
		return;
	}
	if (set >> BPMU_FIXED_BASE) {
		set >>= BPMU_FIXED_BASE;
		prefix = "F";
	}
	first = __builtin_ctzll(set);
	last = 63 - __builtin_clzll(set);
	if (first == last)
		snprintf(buf, size, "%s%d", prefix, first);
	else
		snprintf(buf, size, "%s%d-%d", prefix, first, last);
}

/* with hyper-threading off, and behind a "/" with it on if that differs */
static void print_counters(char *buf, size_t size, const struct bpmu_event *row)
{
	size_t len;

	print_set(buf, size, row->counters_noht);
	if (row->counters == row->counters_noht)
		return;
	len = strlen(buf);
	buf[len++] = '/';
	print_set(buf + len, size - len, row->counters);
}

static void print_code(char *buf, size_t size, const struct bpmu_event *row)
{
	static const char *const units[] = {
		[BPMU_UNIT_CORE] = "r",
		[BPMU_UNIT_ARB] = "arb ",
		[BPMU_UNIT_CBO] = "cbo "
	};
	unsigned int cmask = (row->select & BPMU_SEL_CMASK) >>
			     BPMU_SEL_CMASK_SHIFT;
	int len;

	if (row->unit == BPMU_UNIT_CLOCK) {
		snprintf(buf, size, "clock");
		return;
	}
	if (row->counters >> BPMU_FIXED_BASE) {
		snprintf(buf, size, "fixed%s",
			 row->select & BPMU_SEL_ANY ? " t" : "");
		return;
	}
	len = snprintf(buf, size, "%s%04llx", units[row->unit],
		       row->select & (BPMU_SEL_EVENT | BPMU_SEL_EVENT_HIGH |
				      BPMU_SEL_UMASK));
	if (cmask)
		len += snprintf(buf + len, size - len, " c%u", cmask);
	snprintf(buf + len, size - len, "%s%s%s",
		 row->select & BPMU_SEL_INV ? " i" : "",
		 row->select & BPMU_SEL_EDGE ? " e" : "",
		 row->select & BPMU_SEL_ANY ? " t" : "");
}

static void print_row(const struct bpmu_event *row)
{
	char counters[16];
	char code[32];

	print_code(code, sizeof(code), row);
	print_counters(counters, sizeof(counters), row);
	printf("%-52s %-12s %-8s %s%s%s%s\n", row->name, code, counters,
	       row->desc ? row->desc : "", row->errata ? " (erratum " : "",
	       row->errata ? row->errata : "", row->errata ? ")" : "");
}

static int list_events(struct list *list)
{
	const struct bpmu_event_alias *aliases;
	const struct bpmu_event *rows;
	size_t nr;
	size_t i;

	printf("%-52s %-12s %-8s %s\n", "EVENT", "CODE", "COUNTERS",
	       "DESCRIPTION");
	rows = bpmu_events(list->part, &nr);
	for (i = 0; i < nr; i++)
		if (wanted(list, rows[i].name))
			print_row(&rows[i]);
	aliases = bpmu_event_aliases(list->part, &nr);
	for (i = 0; i < nr; i++)
		if (wanted(list, aliases[i].name))
			printf("%-52s %-12s %-8s same as %s\n", aliases[i].name,
			       "", "", aliases[i].event);
	return 0;
}

static int list_metrics(struct list *list)
{
	const struct bpmu_metric *metric;
	struct bpmu_metrics metrics;
	unsigned int i;
	int ret;

	ret = bpmu_metrics_builtin(&metrics, METHOD, list->part,
				   &list->ctx->err);
	if (!ret)
		printf("%-28s %-6s %s\n", "METRIC", "OF", "DESCRIPTION");
	for (i = 0; !ret && i < metrics.nr; i++) {
		metric = &metrics.metric[i];
		if (metric->level && wanted(list, metric->name))
			printf("%*s%-*s %-6s %s\n", 2 * (metric->level - 1), "",
			       28 - 2 * (metric->level - 1), metric->name,
			       metric->unit ? metric->unit : "",
			       metric->text ? metric->text : "");
	}
	bpmu_metrics_free(&metrics);
	return ret;
}

static void print_group(const struct bpmu_tree *tree, unsigned int g)
{
	const struct bpmu_sched *sched = &tree->groups.group[g].sched;
	char counter[16];
	unsigned int i;

	for (i = 0; i < sched->nr; i++) {
		print_set(counter, sizeof(counter),
			  1ULL << sched->slot[i].counter);
		printf("%-5u %-5u %-8s %s\n", tree->level, g + 1, counter,
		       sched->slot[i].text);
	}
}

static int list_groups(struct list *list)
{
	struct bpmu_tree tree;
	unsigned int level;
	unsigned int g;
	int ret;

	ret = bpmu_tree_init(&tree, METHOD, &list->pmu, list->smt, 1,
			     &list->ctx->err);
	if (ret)
		return ret;
	bpmu_tree_free(&tree);
	printf("%-5s %-5s %-8s %s\n", "LEVEL", "GROUP", "COUNTER", "EVENT");
	for (level = 1; wanted(list, METHOD); level++) {
		ret = bpmu_tree_init(&tree, METHOD, &list->pmu, list->smt,
				     level, &list->ctx->err);
		if (ret)
			return ret == -ERANGE ? 0 : ret;
		for (g = 0; g < tree.groups.nr; g++)
			print_group(&tree, g);
		bpmu_tree_free(&tree);
	}
	return 0;
}

static const struct {
	const char *name;
	int (*print)(struct list *list);
} kinds[] = {
	{ "events", list_events },
	{ "metrics", list_metrics },
	{ "groups", list_groups },
};

/* as many counters as the part's events can be on, hyper-threading on */
static void made_up_pmu(struct bpmu_pmu *pmu, const struct bpmu_part *part)
{
	const struct bpmu_cpuid none = { 0 };
	const struct bpmu_event *rows;
	u64 general;
	u64 set = 0;
	size_t nr;
	size_t i;

	rows = bpmu_events(part, &nr);
	for (i = 0; i < nr; i++)
		if (rows[i].unit == BPMU_UNIT_CORE)
			set |= rows[i].counters;
	general = set & (BPMU_FIXED_BIT(0) - 1);
	bpmu_pmu_init(pmu, part, &none);
	pmu->gp_counters = __builtin_popcountll(general);
	pmu->fixed_counters = __builtin_popcountll(set ^ general);
}

static int known_part(struct list *list, const char *name)
{
	char names[256] = "";
	const char *other;
	unsigned int i;

	list->part = bpmu_part_by_name(name);
	if (list->part) {
		made_up_pmu(&list->pmu, list->part);
		list->smt = list->part->threads > 1;
		return 0;
	}
	for (i = 0; bpmu_part_at(i); i++) {
		other = bpmu_part_at(i)->name;
		strncat(names, i ? ", " : "", sizeof(names) - strlen(names) - 1);
		strncat(names, other, sizeof(names) - strlen(names) - 1);
	}
	return bpmu_error_set(&list->ctx->err, -ENOENT,
			      "part '%s': not known; choose one of %s", name,
			      names);
}

static int this_part(struct list *list)
{
	struct bpmu_client *client;
	struct bpmu_info info;
	int ret;

	ret = bpmu_client_open(&client, &list->ctx->err);
	if (ret)
		return ret;
	ret = bpmu_client_info(client, &info, &list->ctx->err);
	bpmu_client_close(client);
	if (ret)
		return ret;
	list->part = info.pmu.part;
	list->pmu = info.pmu;
	list->smt = bpmu_smt_active();
	if (list->part)
		return 0;
	return bpmu_error_set(&list->ctx->err, -ENODEV,
			      "part '%s': the module knows it, this tool does not; use tool and module of one version",
			      info.part);
}

static int print_kind(struct list *list, const char *kind, const char *word)
{
	char glob[256];
	size_t i;
	int ret;

	snprintf(glob, sizeof(glob), strpbrk(word, "*?[") ? "%s" : "*%s*",
		 word);
	list->glob = glob;
	for (i = 0; strcmp(kinds[i].name, kind); i++)
		;
	ret = kinds[i].print(list);
	if (!ret && !list->found)
		ret = bpmu_error_set(&list->ctx->err, -ENOENT,
				     "list: no %s match '%s'; use another word or a glob such as '*MISS*'",
				     kind, word);
	return ret;
}

/**
 * bpmu_cmd_list() - barepmu list
 * @ctx: the tool's
 * @argc: number of @argv
 * @argv: the command's name and what follows it
 *
 * Context: process.
 * Return: exit status.
 */
int bpmu_cmd_list(struct bpmu_ctx *ctx, int argc, char **argv)
{
	static const struct option options[] = {
		{ "part", required_argument, NULL, 'p' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL }
	};
	struct list list = { .ctx = ctx };
	const char *kind = kinds[0].name;
	const char *part = NULL;
	size_t i;
	int opt;
	int ret;

	while ((opt = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (opt != 'p') {
			fputs(usage, opt == 'h' ? stdout : stderr);
			return opt == 'h' ? BPMU_EXIT_OK : BPMU_EXIT_USAGE;
		}
		part = optarg;
	}
	for (i = 0; optind < argc && i < ARRAY_SIZE(kinds); i++) {
		if (strcmp(argv[optind], kinds[i].name))
			continue;
		kind = kinds[i].name;
		optind++;
		break;
	}
	if (argc - optind > 1) {
		fputs(usage, stderr);
		return BPMU_EXIT_USAGE;
	}
	ret = part ? known_part(&list, part) : this_part(&list);
	if (!ret)
		ret = print_kind(&list, kind, optind < argc ? argv[optind] :
						"*");
	return ret ? bpmu_fail(ctx, BPMU_EXIT_FAILED) : BPMU_EXIT_OK;
}
