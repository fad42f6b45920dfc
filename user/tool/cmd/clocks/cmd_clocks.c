// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdio.h>

#include "base/cpulist.h"
#include "base/array.h"
#include "base/fields.h"
#include "clocks.h"
#include "command.h"

static const char about[] =
	"Usage: barepmu clocks [-j] [-C LIST] [--clocksources]\n\n"
	"Time sources of the machine: TSC and clocksources; cost and resolution of each\n"
	"clock, and whether it is the same on all CPUs; with warnings of pitfalls.\n"
	"Takes half a second, and as much again if the module is loaded and idle.\n\n";

/* Initialiser of a struct bpmu_field for a number with three decimals */
#define CLOCKS_NUMBER(field, value) \
	{ .name = (field), .form = BPMU_FIELD_FIXED, .number = (value), .digits = 3 }

static double ns(const struct bpmu_clocks *clocks, double cycles)
{
	return cycles * 1e6 / clocks->khz;
}

static void warn_text(void *ctx, const char *text)
{
	unsigned int *nr = ctx;

	printf("%sWarning: %s.\n", (*nr)++ ? "" : "\n", text);
}

static void text_facts(const struct bpmu_clocks *c)
{
	printf("TSC           %.3f MHz +- %.3f, %sinvariant%s\n", c->khz / 1e3,
	       c->khz_half / 1e3, c->invariant ? "" : "not ",
	       c->rdtscp ? "" : ", without RDTSCP");
	printf("clocksource   %s (of %s)\n", *c->current ? c->current : "unknown",
	       *c->available ? c->available : "unknown");
	if (c->cpus > 1)
		printf("CPUs          %u: %u TSCs differ from the first CPU's; resolution %.0f ns\n",
		       c->cpus, c->away, c->window);
}

/*
 * Returns the cost of reading clock @i while the kernel uses clocksource @source, as a multiple of
 * the cost with the first clocksource; NAN if the cost with the first clocksource is unknown.
 */
static double times_of_first(const struct bpmu_clocks *c, const struct bpmu_clocksource *source,
			     unsigned int i)
{
	return *c->source->why ? NAN :
	       source->clock[i].cycles / c->source->clock[i].cycles;
}

/* columns of a clock in text; a clock that cannot be used has only its name and the reason */
static const struct bpmu_column clock_columns[] = {
	{ "name", -41, .before = "  ", .head = "a reading" },
	{ "cycles", 7, BPMU_COLUMN_FIXED(0), .head = "cycles" },
	{ "low", -16, .before = " ", BPMU_COLUMN_FIXED(0), .to = "high", .head = "[95 %]" },
	{ "ns", 9, BPMU_COLUMN_FIXED(1), .head = "ns" },
	{ "step_ns", 11, .before = " ", BPMU_COLUMN_FIXED(1), .head = "step, ns" },
	{ "forward", 7, .before = " ", .head = "forward" },
};

static const struct bpmu_column unusable_columns[] = {
	{ "name", -41, .before = "  " },
	{ "why" },
};

static void print_clock(struct bpmu_table *table, const struct bpmu_clocks *c,
			const struct bpmu_clock *clock)
{
	bool usable = !*clock->why;
	const struct bpmu_field fields[] = {
		{ "name", clock->name, BPMU_FIELD_TEXT },
		CLOCKS_NUMBER("cycles", usable ? clock->cycles : NAN),
		CLOCKS_NUMBER("low", usable ? clock->low : NAN),
		CLOCKS_NUMBER("high", usable ? clock->high : NAN),
		CLOCKS_NUMBER("ns", usable ? ns(c, clock->cycles) : NAN),
		{ "step_ns", .form = BPMU_FIELD_FIXED, .digits = 3,
		  .number = clock->step ? clock->step : NAN,
		  .cell = clock->step ? NULL : clock->disturbed ? "disturbed" : "-" },
		{ "disturbed", .form = BPMU_FIELD_TRUTH,
		  .whole = clock->disturbed },
		CLOCKS_NUMBER("stated_ns", clock->stated ? clock->stated : NAN),
		{ "back", .form = BPMU_FIELD_WHOLE, .whole = clock->back },
		CLOCKS_NUMBER("across_ns", usable ? clock->across : NAN),
		{ "why", clock->why, BPMU_FIELD_OPTIONAL },
		{ "forward", clock->type == BPMU_CLOCK_MODULE ? "-" :
		  clock->back || clock->across > 0 ? "no" : "yes", BPMU_FIELD_CELL },
	};

	if (usable)
		table->text = (struct bpmu_columns)BPMU_COLUMNS(clock_columns);
	else
		table->text = (struct bpmu_columns)BPMU_COLUMNS(unusable_columns);
	bpmu_table_row(table, fields, ARRAY_SIZE(fields));
}

/*
 * Prints how long it takes to read clock @i while the kernel uses the clocksource @source, or why
 * the kernel cannot use it.
 */
static void print_source(struct bpmu_table *table, const struct bpmu_clocks *c,
			 const struct bpmu_clocksource *source, unsigned int i)
{
	static const struct bpmu_column unusable[] = {
		{ "clocksource", -12, .before = "  " },
		{ "why" },
	};
	const struct bpmu_clock *clock = &source->clock[i];
	struct bpmu_table other = *table;
	bool usable = !*source->why;
	const struct bpmu_field fields[] = {
		{ "clocksource", source->name, BPMU_FIELD_TEXT },
		{ "name", clock->name, BPMU_FIELD_OPTIONAL },
		CLOCKS_NUMBER("cycles", usable ? clock->cycles : NAN),
		CLOCKS_NUMBER("low", usable ? clock->low : NAN),
		CLOCKS_NUMBER("high", usable ? clock->high : NAN),
		CLOCKS_NUMBER("ns", usable ? ns(c, clock->cycles) : NAN),
		{ "times", .form = BPMU_FIELD_FIXED, .digits = 3,
		  .number = usable ? times_of_first(c, source, i) : NAN },
		{ "why", source->why, BPMU_FIELD_OPTIONAL },
	};

	if (!usable)
		other.text = (struct bpmu_columns)BPMU_COLUMNS(unusable);
	bpmu_table_row(&other, fields, ARRAY_SIZE(fields));
}

static void print_sources(const struct bpmu_clocks *c, enum bpmu_format format)
{
	char first[BPMU_CLOCKS_NAME + 4];
	const struct bpmu_column columns[] = {
		{ "clocksource", -12, .before = "  ", .head = "clocksource" },
		{ "name", -29, .head = "a reading" },
		{ "cycles", 7, BPMU_COLUMN_FIXED(0), .head = "cycles" },
		{ "low", -16, .before = " ", BPMU_COLUMN_FIXED(0), .to = "high", .head = "[95 %]" },
		{ "ns", 9, BPMU_COLUMN_FIXED(1), .head = "ns" },
		{ "times", 10, .before = " ", BPMU_COLUMN_FIXED(2), .after = "x", .head = first },
	};
	struct bpmu_table table = {
		.out = stdout, .format = format, .type = "clocksource",
		.text = BPMU_COLUMNS(columns),
	};
	unsigned int i, k;

	if (!c->nr_sources)
		return;
	snprintf(first, sizeof(first), "of %s", c->source->name);
	if (format == BPMU_TEXT)
		putchar('\n');
	bpmu_table_head(&table, NULL, 0);
	for (i = 0; i < c->nr_sources; i++)
		for (k = 0; k < (*c->source[i].why ? 1 : BPMU_CLOCKS_BY_SOURCE); k++)
			print_source(&table, c, &c->source[i], k);
}

static void print_clocks(const struct bpmu_clocks *c, enum bpmu_format format)
{
	struct bpmu_table table = {
		.out = stdout, .format = format, .type = "clock",
		.text = BPMU_COLUMNS(clock_columns),
	};
	unsigned int i;

	bpmu_table_head(&table, NULL, 0);
	for (i = 0; i < c->nr; i++)
		print_clock(&table, c, &c->clock[i]);
	print_sources(c, format);
}

static void clocks_text(const struct bpmu_clocks *clocks)
{
	unsigned int warnings = 0;

	text_facts(clocks);
	putchar('\n');
	print_clocks(clocks, BPMU_TEXT);
	bpmu_clocks_warnings(clocks, warn_text, &warnings);
}

static void warn_json(void *ctx, const char *text)
{
	struct bpmu_table table = {
		.out = stdout, .format = BPMU_JSON, .type = "warning",
	};
	const struct bpmu_field field = { "text", text, BPMU_FIELD_TEXT };

	(void)ctx;
	bpmu_table_row(&table, &field, 1);
}

static void clocks_json(const struct bpmu_clocks *c)
{
	struct bpmu_table table = {
		.out = stdout, .format = BPMU_JSON, .type = "clocks",
	};
	const struct bpmu_field fields[] = {
		CLOCKS_NUMBER("tsc_khz", c->khz),
		CLOCKS_NUMBER("tsc_khz_uncertainty", c->khz_half),
		{ "invariant", .form = BPMU_FIELD_TRUTH,
		  .whole = c->invariant },
		{ "rdtscp", .form = BPMU_FIELD_TRUTH, .whole = c->rdtscp },
		{ "clocksource", c->current, BPMU_FIELD_TEXT },
		{ "available", c->available, BPMU_FIELD_TEXT },
		{ "cpus", .form = BPMU_FIELD_WHOLE, .whole = c->cpus },
		{ "cpus_away", .form = BPMU_FIELD_WHOLE, .whole = c->away },
		CLOCKS_NUMBER("offset_ns", c->offset),
		CLOCKS_NUMBER("window_ns", c->window),
	};

	bpmu_table_row(&table, fields, ARRAY_SIZE(fields));
	print_clocks(c, BPMU_JSON);
	bpmu_clocks_warnings(c, warn_json, NULL);
}

/**
 * struct call - options and state of "barepmu clocks"
 * @cpus: list of CPUs as typed, or NULL for all
 * @compare: compare the kernel's clocksources
 * @json: print JSON
 */
struct call {
	const char *cpus;
	bool compare;
	bool json;
};

static int clocks_measure(struct bpmu_ctx *ctx, const struct call *call)
{
	struct bpmu_cpulist cpus = { };
	struct bpmu_clocks clocks;
	int code;

	code = call->cpus ? bpmu_cpulist_select(call->cpus, &cpus, &ctx->err) :
			    bpmu_cpulist_online(&cpus, &ctx->err);
	if (!code)
		code = bpmu_clocks_measure(&clocks, &cpus, &ctx->err);
	if (!code && call->compare)
		code = bpmu_clocks_compare(&clocks, cpus.cpu[0], &ctx->err);
	bpmu_cpulist_free(&cpus);
	if (code)
		return bpmu_fail(ctx, BPMU_EXIT_FAILED);
	if (call->json)
		clocks_json(&clocks);
	else
		clocks_text(&clocks);
	return BPMU_EXIT_OK;
}

enum own_option {
	OPTION_SOURCES = BPMU_OPTION_OWN
};

static const struct bpmu_option table[] = {
	{ 'C', "cpu", "LIST", "measure the first of these CPUs, compare the others" },
	{ OPTION_SOURCES, "clocksources", NULL,
	  "switch the kernel to each of its clocksources in turn,\n"
	  "and compare the costs of a reading" },
	{ 'j', "json", NULL, "JSON lines", BPMU_CHOICE_FORMAT },
	BPMU_OPTION_ROW_HELP,
	{ }
};

static int clocks_take_option(void *data, int option, const char *value,
			      struct bpmu_error *err)
{
	struct call *call = data;

	(void)err;
	if (option == 'j')
		call->json = true;
	else if (option == OPTION_SOURCES)
		call->compare = true;
	else
		call->cpus = value;
	return 0;
}

/**
 * bpmu_cmd_clocks() - run "barepmu clocks", which measures what it costs to read clocks
 */
int bpmu_cmd_clocks(struct bpmu_ctx *ctx, int argc, char **argv)
{
	static const struct bpmu_option_table options = {
		.command = "clocks", .about = about, .option = table,
		.set = clocks_take_option,
	};
	struct call call = { };
	int code;

	code = bpmu_options_only(&options, &call, argc, argv, &ctx->err);
	if (code)
		return bpmu_usage(ctx, code);
	return clocks_measure(ctx, &call);
}
