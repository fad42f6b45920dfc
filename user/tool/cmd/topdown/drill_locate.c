// SPDX-License-Identifier: GPL-2.0
#include "drill_locate.h"

#include <stdlib.h>
#include <string.h>

#include "period_options.h"

/* words of "barepmu record" before the command */
#define WORDS 9

/* Perf's modifier that asks for precise samples. */
#define PRECISE ":pp"

/*
 * Returns true if the CPU model has the event. *@precise tells whether each counter that can count
 * it writes precise records of it, which name the instruction.
 */
static bool locate_has_event(const struct bpmu_topdown_view *t, const char *event, bool *precise)
{
	const struct bpmu_pmu *pmu = &t->type->target.info.pmu;
	struct bpmu_event_list list = { };
	struct bpmu_error ignored;
	int code;

	code = bpmu_event_list_parse(pmu, t->type->target.smt, event, &list, &ignored);
	*precise = list.nr == 1 && list.spec[0].nr == 1 &&
		   !(list.spec[0].term[0].counters & ~pmu->pebs) && bpmu_pmu_pebs_names(pmu) &&
		   bpmu_pmu_pebs_counters(pmu, list.spec[0].term[0].select);
	bpmu_event_list_free(&list);
	return !code;
}

/**
 * bpmu_drill_offer() - choose the event by which the flagged node of a drill-down can be located
 * @topdown: what topdown prints of a core type; &bpmu_topdown.event is set, to "" if nothing is
 *	flagged
 * @values: value of each node
 *
 * Without --locate, prints the commands that find the lines of source where the node's event
 * occurs, unless events cannot interrupt on this CPU model.
 */
void bpmu_drill_offer(struct bpmu_topdown_view *topdown, const struct bpmu_tree_value *values)
{
	const struct bpmu_tree *tree = &topdown->type->tree;
	struct bpmu_topdown *call = topdown->call;
	const struct bpmu_options *options = &call->options;
	const size_t room = sizeof(call->event) - strlen(PRECISE);
	struct bpmu_verdict verdict;
	bool precise = false;
	int node;

	bpmu_verdict_find(tree, values, &verdict);
	node = bpmu_verdict_node(&verdict);
	call->event[0] = '\0';
	if (node < 0)
		return;
	if (!bpmu_verdict_event(&tree->metrics.metric[node], call->event, room) ||
	    !locate_has_event(topdown, call->event, &precise)) {
		strcpy(call->event, BPMU_ANY_EVENT);
		locate_has_event(topdown, call->event, &precise);
	}
	if (precise)
		strcat(call->event, PRECISE);
	if (call->locate)
		return;
	fprintf(call->out, "\nLines of %s: barepmu record -e %s -F " BPMU_ANY_FREQUENCY,
		tree->metrics.metric[node].name, call->event);
	if (options->cpus)
		fprintf(call->out, " -C %s", options->cpus);
	if (options->argv) {
		fputs(" -o FILE -- ", call->out);
		bpmu_print_command(call->out, options->argv);
	} else {
		fputs(" --timeout 10s -o FILE", call->out);
	}
	fputs("; barepmu report --by line FILE\n", call->out);
}

static int locate_record(const struct bpmu_ctx *ctx, const struct bpmu_topdown *t)
{
	const struct bpmu_options *options = &t->options;
	struct bpmu_ctx own = { .evaluation = ctx->evaluation, .run = ctx->run };
	const char *words[] = {
		"record", "-e", t->event, "-F", BPMU_ANY_FREQUENCY, "-o", t->locate,
		"-C", options->cpus,
	};
	unsigned int nr = options->cpus ? WORDS : WORDS - 2;
	unsigned int command = 0;
	int status;
	char **argv;

	while (options->argv[command])
		command++;
	argv = calloc(nr + 1 + command + 1, sizeof(*argv));
	if (!argv) {
		bpmu_error_no_memory(&own.err, "--locate");
		return bpmu_fail(&own, BPMU_EXIT_FAILED);
	}
	memcpy(argv, words, nr * sizeof(*argv));
	argv[nr] = "--";
	memcpy(argv + nr + 1, options->argv, command * sizeof(*argv));
	status = own.run(&own, nr + 1 + command, argv);
	free(argv);
	return status;
}

static int locate_report(const struct bpmu_ctx *ctx, const struct bpmu_topdown *t)
{
	struct bpmu_ctx own = { .evaluation = ctx->evaluation, .run = ctx->run };
	char *argv[] = {
		"report", "--by", "line", (char *)t->locate, "-o", (char *)t->options.output,
		"--append", NULL,
	};
	int nr = t->options.output ? 7 : 4;

	argv[nr] = NULL;
	return own.run(&own, nr, argv);
}

/**
 * bpmu_drill_locate() - locate the bottleneck of a drill-down by another run of the command
 * @ctx: the call of the tool
 * @topdown: the call of topdown, with --locate, after bpmu_drill_offer(). No session is running
 *
 * Return: the exit status of the command, or of "barepmu report" if the command has succeeded.
 */
int bpmu_drill_locate(const struct bpmu_ctx *ctx, const struct bpmu_topdown *topdown)
{
	int status;

	if (!*topdown->event) {
		fputs("barepmu: --locate: nothing is flagged, nothing is recorded\n", stderr);
		return BPMU_EXIT_OK;
	}
	status = locate_record(ctx, topdown);
	return status ? status : locate_report(ctx, topdown);
}
