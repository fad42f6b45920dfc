// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "evaluation.h"
#include "phi_options.h"
#include "phi_print.h"
#include "recording_session.h"
#include "repeat.h"

#define PART "knc"

static const char about[] =
	"Usage: barepmu phi [OPTION]... [--] [COMMAND [ARGUMENT]...]\n\n"
	"Efficiency metrics of the threads and cores of a Xeon Phi (Knights Corner),\n"
	"system-wide on the chosen CPUs, while COMMAND runs or until interrupted. There\n"
	"are two counters: ten event groups are multiplexed.\n\n";

enum own_option {
	OPTION_CORE = BPMU_OPTION_OWN,
	OPTION_THREAD,
	OPTION_CARD,
	OPTION_ELEMENT,
	OPTION_USED,
	OPTION_PAGES,
	OPTION_FREQ,
	OPTION_PAPER,
	OPTION_GROUPS
};

static const struct bpmu_option table[] = {
	{ OPTION_CORE, "per-core", NULL, "one row per core (the default)",
	  BPMU_CHOICE_ROWS },
	{ OPTION_THREAD, "per-thread", NULL, "one row per thread",
	  BPMU_CHOICE_ROWS },
	{ OPTION_CARD, "per-card", NULL, "one row for the card", BPMU_CHOICE_ROWS },
	{ OPTION_ELEMENT, "element", "sp|dp",
	  "precision of the elements, single or double: 16 or 8\n"
	  "in a vector register; without it\n"
	  "Vectorization_Intensity has no threshold" },
	{ OPTION_USED, "threads-used", "N",
	  "threads per core that the program runs on, 1 to 4;\n"
	  "default: those with an eighth of the busiest one's\n"
	  "instructions" },
	{ OPTION_PAGES, "pages", "4k|2m",
	  "page size, for the cost of TLB misses; default 4k" },
	{ OPTION_FREQ, "freq", "GHZ",
	  "clock rate; default that of the time stamp counter" },
	{ OPTION_PAPER, "paper", NULL, "thresholds as printed, including errors" },
	{ OPTION_GROUPS, "groups", NULL,
	  "only print the event groups and their counters" },
	BPMU_OPTION_ROW_REPEAT("intervals; print the metrics"),
	BPMU_OPTION_ROWS_MEASURING,
	{ }
};

static int phi_take_option(void *call, int option, const char *value,
			   struct bpmu_error *err)
{
	struct bpmu_phi *phi = call;

	switch (option) {
	case OPTION_CORE:
		phi->scope = BPMU_PHI_CORE;
		return 0;
	case OPTION_THREAD:
		phi->scope = BPMU_PHI_THREAD;
		return 0;
	case OPTION_CARD:
		phi->scope = BPMU_PHI_CARD;
		return 0;
	case 'r':
		return bpmu_repeat_take(value, &phi->repeat, err);
	case OPTION_ELEMENT:
		return bpmu_phi_take_element(&phi->settings, value, err);
	case OPTION_USED:
		return bpmu_phi_take_used(&phi->settings, value, err);
	case OPTION_PAGES:
		return bpmu_phi_take_pages(&phi->settings, value, err);
	case OPTION_FREQ:
		return bpmu_phi_take_freq(&phi->settings, value, err);
	case OPTION_PAPER:
		phi->settings.paper = true;
		return 0;
	case OPTION_GROUPS:
		phi->groups = true;
		return 0;
	default:
		return bpmu_options_take(&phi->options, option, value, err);
	}
}

static int phi_check(void *call, const struct bpmu_operands *operands, struct bpmu_error *err)
{
	struct bpmu_phi *phi = call;
	int code = bpmu_options_check(&phi->options, operands, err);

	return code ? code : bpmu_repeat_check(phi->repeat, &phi->options, err);
}

static int find_rows(struct bpmu_phi *phi, struct bpmu_error *err)
{
	static const enum bpmu_rows_by by[] = {
		[BPMU_PHI_THREAD] = BPMU_ROWS_CPU,
		[BPMU_PHI_CORE] = BPMU_ROWS_CORE,
		[BPMU_PHI_CARD] = BPMU_ROWS_ALL,
	};
	unsigned int pos;
	int code;

	code = bpmu_target_rows(&phi->target, BPMU_ROWS_CORE, &phi->cores,
				err);
	if (!code)
		code = bpmu_session_rows(&phi->target, &phi->options,
					 by[phi->scope], &phi->passes.groups, &phi->rows, err);
	if (code)
		return code;
	phi->thread = calloc(phi->rows.positions, sizeof(*phi->thread));
	phi->flagged = calloc(phi->method.metrics.nr, sizeof(*phi->flagged));
	if (!phi->thread || !phi->flagged)
		return bpmu_error_no_memory(err, "phi");
	/*
	 * With --by, a line of output has, for example, the counts of a symbol: sums over all
	 * threads that were interrupted in it. Metrics are computed from these sums as if they were
	 * of a single thread. It does not matter to which cores the threads belong.
	 */
	if (phi->rows.by == BPMU_ROWS_ENTRY)
		phi->scope = BPMU_PHI_THREAD;
	for (pos = 0; phi->rows.by != BPMU_ROWS_ENTRY &&
	     pos < phi->rows.positions; pos++)
		phi->thread[pos].core = phi->cores.of[pos];
	return 0;
}

static int phi_prepare(struct bpmu_phi *phi, struct bpmu_error *err)
{
	const struct bpmu_pmu *pmu = &phi->target.info.pmu;
	int code;

	code = bpmu_session_open(&phi->target, &phi->options, err);
	if (code)
		return code;
	if (strcmp(pmu->part->name, PART))
		return bpmu_error_set(err, -ENODEV,
			"phi: this is no Knights Corner but %s; use 'barepmu topdown' or 'barepmu stat'",
			phi->target.info.title);
	if (!(phi->settings.ghz > 0))
		phi->settings.ghz = phi->target.info.tsc_khz / 1e6;
	code = bpmu_phi_method_init(&phi->method, pmu->part, err);
	if (!code)
		code = bpmu_phi_passes_make(&phi->passes, pmu, phi->target.smt,
					    err);
	return code ? code : find_rows(phi, err);
}

static void phi_on_interval(void *data, const struct bpmu_interval *interval)
{
	const struct bpmu_event_spec *spec;
	struct bpmu_phi *phi = data;
	struct bpmu_estimate *count;
	unsigned int pos, i;

	for (pos = 0; pos < phi->rows.positions; pos++) {
		count = phi->thread[pos].count;
		memset(count, 0, sizeof(phi->thread[pos].count));
		for (i = 0; i < BPMU_PHI_EVENTS; i++) {
			spec = bpmu_phi_passes_spec(&phi->passes, i);
			if (spec)
				bpmu_interval_estimate(&phi->passes.groups,
						       interval, pos, spec,
						       &count[i]);
		}
		phi->lost += interval->lost[pos];
	}
	if (phi->rows.by == BPMU_ROWS_ENTRY)
		phi->flaws = phi->options.replay->by.flaws;
	else
		bpmu_flaws_add(&phi->flaws, interval, &phi->target.cpus);
	bpmu_phi_print(phi, interval);
}

static int phi_measure(struct bpmu_phi *phi, int *status, struct bpmu_error *err)
{
	const struct bpmu_target *const targets[BPMU_CORE_TYPES] = { &phi->target };
	struct bpmu_measure m = bpmu_session_measure(&phi->options, &phi->target);

	m.groups[0] = &phi->passes.groups;
	m.emit = phi_on_interval;
	m.data = phi;
	bpmu_session_print_to(&m, phi->out);
	return bpmu_repeat_run(phi->repeat, &phi->options, targets, &m, &phi->runs, status, err);
}

static int phi_print_result(struct bpmu_phi *phi, int *status,
			    struct bpmu_error *err)
{
	int code;

	if (phi->groups) {
		bpmu_phi_print_groups(phi);
		return 0;
	}
	phi->out = bpmu_options_open(&phi->options, err);
	if (!phi->out)
		return -EIO;
	code = phi_measure(phi, status, err);
	return bpmu_options_close(&phi->options, phi->out, code, err);
}

static int phi_run(struct bpmu_ctx *ctx, void *call)
{
	struct bpmu_phi *phi = call;
	int status = 0;
	int code;

	code = phi_prepare(phi, &ctx->err);
	if (!code)
		code = phi_print_result(phi, &status, &ctx->err);
	if (code)
		bpmu_fail(ctx, BPMU_EXIT_FAILED);
	free(phi->thread);
	free(phi->flagged);
	bpmu_rows_free(&phi->rows);
	bpmu_rows_free(&phi->cores);
	bpmu_phi_passes_free(&phi->passes);
	bpmu_phi_method_free(&phi->method);
	bpmu_target_close(&phi->target);
	return code && !status ? BPMU_EXIT_FAILED : status;
}

static void phi_begin(void *call, const struct bpmu_options *initial)
{
	struct bpmu_phi *phi = call;

	phi->options = *initial;
	phi->scope = BPMU_PHI_CORE;
}

const struct bpmu_evaluation bpmu_evaluation_phi = {
	.options = &(const struct bpmu_option_table){
		.command = "phi", .about = about, .option = table,
		.command_follows = true, .set = phi_take_option,
	},
	.size = sizeof(struct bpmu_phi), .begin = phi_begin, .check = phi_check, .run = phi_run,
};

/**
 * bpmu_cmd_phi() - run "barepmu phi", which measures the metrics of Xeon Phi
 */
int bpmu_cmd_phi(struct bpmu_ctx *ctx, int argc, char **argv)
{
	return bpmu_evaluation_words(&bpmu_evaluation_phi, ctx, argc, argv);
}
