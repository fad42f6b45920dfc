// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/nearest.h"
#include "command.h"
#include "event/part.h"
#include "event/topology.h"
#include "event/this_cpu.h"
#include "list.h"
#include "options.h"

static const char about[] =
	"Usage: barepmu list [OPTION]... [TOPIC] [GLOB]\n\n"
	"Lists what can be measured on this machine or on another CPU model; needs no\n"
	"module and no privileges. TOPIC is groups (metric groups that -g takes),\n"
	"metrics, events, errata, parts (CPU models) or schedule (on which counters\n"
	"'topdown' counts its events). Without TOPIC the first four are searched; without\n"
	"TOPIC and GLOB their numbers are printed. GLOB selects names, in upper or lower\n"
	"case; a word without wildcards is looked for in names and descriptions.\n\n";

enum own_option {
	OPTION_PART = BPMU_OPTION_OWN,
	OPTION_NAMES
};

static const struct bpmu_option table[] = {
	{ OPTION_PART, "part", "NAME", "CPU model; default: this machine's" },
	{ BPMU_OPTION_EVENTS, "events", "PATH",
	  "load events, or mean retire latencies, from Intel's JSON\n"
	  "file or directory" },
	{ BPMU_OPTION_METRICS, "metrics", "PATH",
	  "load metrics from such a file, or from one as in\n"
	  "barepmu-metrics(5)" },
	{ 'v', "verbose", NULL, "all details" },
	{ OPTION_NAMES, "names", NULL, "only names, one per line" },
	BPMU_OPTION_ROWS_FORMAT,
	BPMU_OPTION_ROW_HELP,
	{ }
};

static const struct topic {
	const char *name;
	const char *help;
	bool searched;
	int (*print)(struct bpmu_list *list, struct bpmu_error *err);
} topics[] = {
	{ "groups", "metric groups that 'stat -g' takes", true, bpmu_list_groups },
	{ "metrics", "metrics that 'stat -M' takes, nodes of trees among them", true,
	  bpmu_list_metrics },
	{ "events", "names that 'stat -e' takes", true, bpmu_list_events },
	{ "errata", "errata of the counters", true, bpmu_list_errata },
	{ "parts", "CPUs that barepmu knows", false, bpmu_list_parts },
	{ "schedule", "counters of the events of 'topdown'", false,
	  bpmu_list_schedule },
};

static int choose_named_part(struct bpmu_list *list, const char *name,
			     struct bpmu_error *err)
{
	int ret = bpmu_part_named(&list->pmu, name, err);

	if (ret)
		return ret;
	bpmu_part_platform(name, &list->choice.vendor.cpu,
			   &list->choice.vendor.stepping);
	list->cpu.part = list->pmu.part;
	list->cpu.smt = list->cpu.part->threads > 1 ? -1 : 0;
	return 0;
}

static int choose_own_part(struct bpmu_list *list, struct bpmu_error *err)
{
	struct bpmu_this_cpu cpu;
	int ret;

	ret = bpmu_this_cpu(&cpu, err);
	if (ret)
		return ret;
	list->cpu = (struct bpmu_errata_cpu){
		.part = cpu.pmu.part,
		.family = cpu.id.family,
		.model = cpu.id.model,
		.stepping = cpu.stepping,
		.microcode = bpmu_errata_microcode(BPMU_ERRATA_MICROCODE),
		.smt = bpmu_topology_smt(),
	};
	bpmu_vendor_this_cpu(&list->choice.vendor);
	list->pmu = cpu.pmu;
	if (!cpu.pmu.gp_counters)
		bpmu_part_make_up(&list->pmu, cpu.pmu.part);
	return 0;
}

static int list_load_files(struct bpmu_list *list, struct bpmu_error *err)
{
	int ret;

	ret = bpmu_choice_load_events(&list->choice, &list->pmu, err);
	if (!ret && list->choice.nr_paths)
		ret = bpmu_choice_load_paths(&list->choice, &list->pmu, err);
	list->cpu.part = list->pmu.part;
	return ret;
}

static void print_count(struct bpmu_list *list, const struct topic *topic)
{
	static const struct bpmu_column columns[] = {
		{ "topic", -8, .before = "  ", .after = " " },
		{ "count", 5 },
		{ "help", .before = "  " },
	};
	static const struct bpmu_columns text = BPMU_COLUMNS(columns);
	char count[12];
	const struct bpmu_field fields[] = {
		{ "topic", topic->name },
		{ "part", list->cpu.part->name },
		{ "count", count, BPMU_FIELD_DIGITS },
		{ "help", topic->help, BPMU_FIELD_CELL },
	};

	snprintf(count, sizeof(count), "%u", list->found);
	bpmu_list_row(list, "topic", &text, fields, ARRAY_SIZE(fields));
}

/*
 * Prints the list of a topic, for example the events. Returns 0 or a negative errno. An empty list
 * is no error, for example of a CPU model without errata.
 */
static int print_matches(struct bpmu_list *list, const struct topic *topic,
			 struct bpmu_error *err)
{
	int ret = topic->print(list, err);

	return ret == -ENOENT ? 0 : ret;
}

static int print_overview(struct bpmu_list *list, struct bpmu_error *err)
{
	size_t i;
	int ret = 0;

	list->quiet = true;
	if (list->format == BPMU_TEXT)
		printf("%s (%s):\n\n", list->cpu.part->title,
		       list->cpu.part->name);
	for (i = 0; i < ARRAY_SIZE(topics) && !ret; i++) {
		if (topics[i].print == bpmu_list_schedule)
			continue;
		list->found = 0;
		ret = print_matches(list, &topics[i], err);
		if (!ret)
			print_count(list, &topics[i]);
	}
	if (list->format == BPMU_TEXT)
		puts("\n\"barepmu list TOPIC\" lists them, \"barepmu list WORD\" looks for a word.");
	return ret;
}

static int list_search(struct bpmu_list *list, struct bpmu_error *err)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < ARRAY_SIZE(topics) && !ret; i++) {
		list->head = topics[i].name;
		if (topics[i].searched)
			ret = print_matches(list, &topics[i], err);
	}
	return ret;
}

/*
 * Sets @err to the error for @word, a pattern that matches nothing. If @topic is NULL, the pattern
 * may be a misspelt topic, and the error names the right one. Returns -ENOENT.
 */
static int list_no_match(const struct bpmu_list *list, const struct topic *topic,
			 const char *word, struct bpmu_error *err)
{
	const char *part = list->cpu.part ? list->cpu.part->name : "any part";
	/* CPU models are not those of a CPU model. */
	bool models = topic && topic->print == bpmu_list_parts;
	struct bpmu_nearest nearest = { .typed = word };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(topics) && !topic; i++)
		bpmu_nearest_offer(&nearest, topics[i].name);
	if (nearest.nr)
		return bpmu_error_set(err, -ENOENT,
			"list: '%s' is neither a topic nor part of a name; did you mean 'barepmu list %s'?",
			word, nearest.name[0]);
	return bpmu_error_set(err, -ENOENT,
			      "list: none of the %s%s%s matches '%s'; use another word or a glob such as '*MISS*'",
			      topic ? topic->name : "names", models ? "" : " of ",
			      models ? "" : part, word);
}

/*
 * Prints sentences below the list of a topic. If the list is empty, a sentence says that none are
 * known of the CPU model. Below the list of errata, a sentence says which document of the vendor
 * may have further errata.
 */
static void print_below(const struct bpmu_list *list, const struct topic *topic)
{
	if (!list->found)
		printf("No %s of %s are known.\n", topic->name, list->cpu.part->name);
	if (topic->print == bpmu_list_errata)
		bpmu_list_errata_unread(list);
}

static int list_run(struct bpmu_list *list, const struct topic *topic,
		    const char *word, struct bpmu_error *err)
{
	int ret;

	list->glob = word ? word : "*";
	if (!topic && !word && !list->names)
		return print_overview(list, err);
	ret = topic ? topic->print(list, err) : list_search(list, err);
	if (!ret && !word && topic && list->format == BPMU_TEXT && !list->names)
		print_below(list, topic);
	if (ret || list->found || !word)
		return ret;
	return list_no_match(list, topic, word, err);
}

/**
 * struct call - options and state of "barepmu list"
 * @options: common options; only the options of the output are used
 * @list: what is listed, of which CPU model, and how
 * @part: name of the CPU model, or NULL for this machine's
 */
struct call {
	struct bpmu_options options;
	struct bpmu_list list;
	const char *part;
};

static int list_take_option(void *data, int option, const char *value,
			    struct bpmu_error *err)
{
	struct call *call = data;
	struct bpmu_list *list = &call->list;

	switch (option) {
	case OPTION_PART:
		call->part = value;
		return 0;
	case 'v':
		list->verbose = true;
		return 0;
	case OPTION_NAMES:
		list->names = true;
		return 0;
	default:
		return bpmu_options_choose(&call->options, &list->choice, option,
					   value, err);
	}
}

static const char *next_word(struct bpmu_operands *operands)
{
	if (!operands->nr)
		return NULL;
	operands->nr--;
	return *operands->word++;
}

static const struct topic *take_topic(struct bpmu_operands *operands)
{
	size_t i;

	for (i = 0; operands->nr && i < ARRAY_SIZE(topics); i++) {
		if (strcmp(operands->word[0], topics[i].name))
			continue;
		next_word(operands);
		return &topics[i];
	}
	return NULL;
}

static int list_check(const struct bpmu_list *list, const struct topic *topic,
		      const char *word, struct bpmu_error *err)
{
	if (list->format == BPMU_CSV && !topic && word)
		return bpmu_error_set(err, -EINVAL,
			"-x: groups, metrics, events and errata have different columns; name one of them");
	return 0;
}

/**
 * bpmu_list_part() - choose the CPU model whose events or metrics "barepmu list" prints
 * @list: state of "barepmu list"; &bpmu_list.cpu and &bpmu_list.pmu are set
 * @part: name of the CPU model, or NULL for this machine's
 */
int bpmu_list_part(struct bpmu_list *list, const char *part,
		   struct bpmu_error *err)
{
	return part ? choose_named_part(list, part, err) : choose_own_part(list, err);
}

static int list_prepare(struct bpmu_list *list, const struct topic *topic,
			const char *part, struct bpmu_error *err)
{
	int ret = bpmu_list_part(list, part, err);

	/* "list parts" lists all CPU models, even if the CPU model of this machine is unknown. */
	if (ret && !part && topic && topic->print == bpmu_list_parts)
		ret = 0;
	return ret ? ret : list_load_files(list, err);
}

/*
 * Parses the command line of "barepmu list" and prints the list of @topic; returns an exit status.
 * If @topic is NULL, the first word of the command line that is no option may be the name of a
 * topic.
 */
static int list_words(struct call *call, const struct topic *topic, int argc, char **argv,
		      struct bpmu_ctx *ctx)
{
	static const struct bpmu_option_table options = {
		.command = "list", .about = about, .option = table,
		.set = list_take_option,
	};
	struct bpmu_list *list = &call->list;
	struct bpmu_operands operands;
	const char *word;
	int ret;

	ret = bpmu_options_parse(&options, call, argc, argv, &operands,
				 &ctx->err);
	if (ret)
		return bpmu_usage(ctx, ret);
	list->format = call->options.format;
	list->separator = call->options.separator;
	if (!topic)
		topic = take_topic(&operands);
	word = next_word(&operands);
	ret = bpmu_options_end("list", &operands, &ctx->err);
	if (!ret)
		ret = list_check(list, topic, word, &ctx->err);
	if (ret)
		return bpmu_fail(ctx, BPMU_EXIT_USAGE);
	ret = list_prepare(list, topic, call->part, &ctx->err);
	if (!ret)
		ret = list_run(list, topic, word, &ctx->err);
	return ret ? bpmu_fail(ctx, BPMU_EXIT_FAILED) : BPMU_EXIT_OK;
}

static int list_call(struct bpmu_ctx *ctx, const struct topic *topic, int argc, char **argv)
{
	struct call call = { };
	int status = list_words(&call, topic, argc, argv, ctx);

	bpmu_choice_free(&call.list.choice);
	return status;
}

/**
 * bpmu_cmd_list() - run "barepmu list", which lists events, metrics, groups, CPU models, ...
 * @argc: number of words in @argv
 * @argv: "list" and the words after it
 */
int bpmu_cmd_list(struct bpmu_ctx *ctx, int argc, char **argv)
{
	return list_call(ctx, NULL, argc, argv);
}

/**
 * bpmu_cmd_list_errata() - run "barepmu list errata", also for "barepmu errata list"
 * @argc: number of words in @argv
 * @argv: any word, which is ignored, and then options and the pattern of names to list
 *
 * Return: exit status.
 */
int bpmu_cmd_list_errata(struct bpmu_ctx *ctx, int argc, char **argv)
{
	const struct topic *topic = topics;

	while (topic->print != bpmu_list_errata)
		topic++;
	return list_call(ctx, topic, argc, argv);
}
