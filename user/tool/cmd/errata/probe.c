// SPDX-License-Identifier: GPL-2.0
#include "probe.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/fields.h"
#include "trial/errata_trial.h"
#include "event/event.h"
#include "event/event_counters.h"
#include "intel.h"

/*
 * number of iterations of the loop whose events are counted; the loop has branches, stores, and
 * loads that hit or miss the caches
 */
#define ROUNDS 2000

/**
 * struct probe - state of probing the bits of an event select
 * @wish: what to probe, and where: the caller's parameters
 * @trial: a loop whose events are counted: its parameters
 * @name: name of the event
 * @select: event select of the event, before a bit is flipped
 * @base: count of the event in the loop with @select
 * @table: output as CSV or JSON
 */
struct probe {
	const struct bpmu_probe_wish *wish;
	struct bpmu_trial trial;
	const char *name;
	u64 select;
	u64 base;
	struct bpmu_table table;
};

/**
 * struct finding - result of counting the loop's events with one value of the event select
 * @bit: number of the flipped bit; -1 if none was flipped
 * @sticks: the register of the event select, when read, has the value that was written
 * @count: count of the events in the loop
 */
struct finding {
	int bit;
	bool sticks;
	u64 count;
};

static void run_mixed(u64 rounds, void **at)
{
	bpmu_bench_chase.run(rounds, at);
	bpmu_bench_copy.run(rounds, at);
}

static const struct bpmu_bench mixed_bench = { .run = run_mixed };

static int read_back(struct probe *probe, u32 counter, u64 select,
		     bool *sticks, struct bpmu_error *err)
{
	struct bpmu_info info;
	int code;

	code = bpmu_client_info_of(probe->wish->client, probe->wish->cpu,
				   &info, err);
	if (code)
		return code;
	if (info.nr_selects <= counter)
		return bpmu_error_set(err, -EPERM,
			"errata probe: register values are hidden; run as root");
	*sticks = !((info.select[counter] ^ select) & ~BPMU_SEL_EN);
	return 0;
}

static int probe_count(struct probe *probe, u64 select, struct finding *finding,
		       struct bpmu_error *err)
{
	struct bpmu_trial *trial = &probe->trial;
	struct bpmu_trial_counts counts;
	u32 counter = probe->wish->counter;
	int code;

	bpmu_trial_clear(trial);
	trial->config.check = BPMU_CHECK_SELECT;
	bpmu_trial_count(trial, probe->name, select, counter, counter);
	code = bpmu_trial_begin(trial, err);
	if (!code)
		code = read_back(probe, counter, select, &finding->sticks, err);
	if (!code)
		code = bpmu_trial_run(trial, &mixed_bench, ROUNDS, true,
				      &counts, err);
	if (!code)
		code = bpmu_trial_end(trial, err);
	finding->count = counts.own[0];
	return code;
}

static const char *bit_name(const struct probe *probe, int bit)
{
	return bit < 0 ? "as it is" :
			 bpmu_select_bit_name(probe->wish->info->pmu.part, bit);
}

/* columns of the text output, which has a line for each bit of the event select */
static const struct bpmu_column probe_columns[] = {
	{ "bit", 3, .before = "  ", .head = "bit" },
	{ "name", -12, .before = " ", .head = "name" },
	{ "sticks", -7, .before = " " },
	{ "count", 15, .before = " ", .head = "count" },
	{ "ratio", .before = "  ", .head = "of the event's", .none = "no value" },
};

static void probe_print(struct probe *probe, const struct finding *finding)
{
	u64 base = probe->base;
	char ratio[32] = "";
	const struct bpmu_field fields[] = {
		{ "bit", .form = BPMU_FIELD_FIXED,
		  .number = finding->bit < 0 ? NAN : finding->bit },
		{ "name", bit_name(probe, finding->bit), BPMU_FIELD_TEXT },
		{ "sticks", .form = BPMU_FIELD_FLAG, .whole = finding->sticks,
		  .cell = finding->sticks ? "sticks" : "does not" },
		{ "count", .form = BPMU_FIELD_WHOLE, .whole = finding->count },
		{ "ratio", ratio, BPMU_FIELD_DIGITS },
		{ "event", probe->name, BPMU_FIELD_TEXT },
		{ "counter", .form = BPMU_FIELD_FIXED, .number = probe->wish->counter },
	};

	if (base)
		snprintf(ratio, sizeof(ratio), "%.4g",
			 (double)finding->count / base);
	bpmu_table_row(&probe->table, fields, ARRAY_SIZE(fields));
}

static void probe_print_head(struct probe *probe)
{
	if (probe->wish->format != BPMU_TEXT)
		return;
	printf("%s on counter %d of CPU %u (%s), select 0x%llx with one bit flipped:\n\n",
	       probe->name, probe->wish->counter, probe->wish->cpu,
	       probe->wish->info->title, probe->select);
	bpmu_table_head(&probe->table, NULL, 0);
}

static int probe_bits(struct probe *probe, struct bpmu_error *err)
{
	struct finding finding = { .bit = -1 };
	int code;

	code = probe_count(probe, probe->select, &finding, err);
	if (code)
		return code;
	probe->base = finding.count;
	probe_print_head(probe);
	probe_print(probe, &finding);
	for (finding.bit = 0; finding.bit < 64; finding.bit++) {
		if (!(probe->wish->info->pmu.legal >> finding.bit & 1))
			continue;
		code = probe_count(probe, probe->select ^ BPMU_BIT(finding.bit),
				   &finding, err);
		if (code)
			return code;
		probe_print(probe, &finding);
	}
	return 0;
}

/*
 * Sets @probe->select to the event select of the event @wish->event. If the user named no counter,
 * sets @wish->counter to the first general-purpose counter that can count this event. Returns 0 or
 * a negative errno.
 */
static int choose_select(struct probe *probe, struct bpmu_probe_wish *wish,
			 struct bpmu_error *err)
{
	u64 general = bpmu_counters_general(&wish->info->pmu);
	struct bpmu_event_spec spec;
	int code;

	code = bpmu_event_parse(&wish->info->pmu, wish->smt, wish->event,
				&spec, err);
	if (code)
		return code;
	probe->select = spec.term[0].select;
	if (spec.term[0].unit || spec.nr > 1)
		code = bpmu_error_set(err, -EINVAL,
				      "errata probe: '%s' is not one counter of the core; take another event",
				      wish->event);
	else if (!(spec.term[0].counters & general))
		code = bpmu_error_set(err, -EINVAL,
				      "errata probe: '%s' has a counter of its own, without a select; take an event of the general ones, see 'barepmu list events -v'",
				      wish->event);
	else if (wish->counter < 0)
		wish->counter = __builtin_ctzll(spec.term[0].counters &
						general);
	bpmu_event_free(&spec);
	if (code)
		return code;
	if (!(general >> wish->counter & 1))
		return bpmu_error_set(err, -EINVAL,
			"--counter %d: not a general one; these are those of 0x%llx",
			wish->counter, general);
	return 0;
}

/**
 * bpmu_probe_run() - probe the legal bits of an event select one by one, and print their effects
 * @wish: what to probe, and where: the caller's parameters
 *
 * Only one bit at a time is flipped: a 1 becomes 0, a 0 becomes 1. The same loop is counted with
 * each flipped bit. The calling thread stays pinned to the CPU.
 */
int bpmu_probe_run(const struct bpmu_probe_wish *wish, struct bpmu_error *err)
{
	struct bpmu_probe_wish chosen = *wish;
	struct probe probe = {
		.wish = &chosen,
		.name = wish->event,
		.table = {
			.text = BPMU_COLUMNS(probe_columns),
			.out = stdout, .format = wish->format,
			.separator = wish->separator, .type = "errata-probe",
		},
		.trial = {
			.client = wish->client,
			.info = wish->info,
			.cpu = wish->cpu,
		},
	};
	void *arena = NULL;
	int code;

	code = choose_select(&probe, &chosen, err);
	if (!code)
		code = bpmu_trial_settle(wish->cpu, err);
	if (!code)
		code = bpmu_bench_arena(&arena, err);
	probe.trial.arena = arena;
	if (!code)
		code = probe_bits(&probe, err);
	free(arena);
	return code;
}
