// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/fields.h"
#include "client/client.h"
#include "client/failure.h"
#include "command.h"
#include "event/event_ibs.h"
#include "events.h"
#include "ibs.h"
#include "intel.h"
#include "options.h"
#include "source/overhead.h"

static const char *const states[] = {
	[BPMU_STATE_IDLE] = "idle",
	[BPMU_STATE_READY] = "ready",
	[BPMU_STATE_RUNNING] = "running",
};

static const char *state_name(u32 state)
{
	if (state >= sizeof(states) / sizeof(states[0]))
		return "unknown";
	return states[state];
}

/* Prints the names of the free-running counters of this machine in one line. */
static void print_registers(FILE *out, const struct bpmu_pmu *pmu)
{
	const struct bpmu_event *rows;
	const char *separator = "";
	size_t nr, i;

	rows = bpmu_free_events(&nr);
	for (i = 0; i < nr; i++) {
		if (!(pmu->free & rows[i].counters))
			continue;
		fprintf(out, "%s%s", separator, rows[i].name);
		separator = " ";
	}
}

static double info_unit_of(const struct bpmu_pmu *pmu)
{
	return pmu->units ? ldexp(1, -(int)(pmu->units >> 8 & 0x1f)) : 0;
}

/*
 * Prints how many boxes of an uncore unit a package has, and how many counters each box has. "the
 * clock of 48" is a fixed counter of 48 bits that counts clock ticks. Examples:
 *
 * "PCU           4 counters of 48 bits"
 * "CHAs          26 of a package, 4 counters of 48 bits in each"
 * "memory        6 channels of a package, 4 counters of 48 bits in each, the clock of 48"
 */
static void print_boxes(const struct bpmu_pmu *pmu, const struct bpmu_box *box)
{
	const struct bpmu_bank_facts *bank = &bpmu_bank_facts[bpmu_unit_facts[box->unit].bank];
	unsigned int counters = bpmu_box_counters(pmu, box);
	unsigned int fixed = bpmu_box_fixed(box) != 0;
	const char *of;
	char label[16];

	if (!counters || !box->base)
		return;
	of = strncmp(box->title, "memory ", 7) ? NULL : box->title + 7;
	snprintf(label, sizeof(label), of ? "memory" : box->nr > 1 ? "%ss" : "%s", box->title);
	printf("%-14s", label);
	if (box->nr > 1)
		printf("%u %s%sof a package, ", pmu->nr[box->unit], of ?: "",
		       !of ? "" : pmu->nr[box->unit] == 1 ? " " : "s ");
	printf("%u counter%s of %u bits", counters - fixed, counters - fixed == 1 ? "" : "s",
	       bpmu_pmu_width(pmu, box->base));
	if (box->nr > 1)
		fputs(" in each", stdout);
	else if (bank->domain != BPMU_DOMAIN_PACKAGE)
		printf(" in each %s", bpmu_domain_name(bank->domain));
	if (fixed)
		printf(", the clock of %u", bpmu_pmu_width(pmu, box->base + counters - 1));
	putchar('\n');
}

static void info_text(const struct bpmu_info *info,
		      const struct bpmu_failures *failures)
{
	const struct bpmu_pmu *pmu = &info->pmu;
	const struct bpmu_box *box;
	char words[BPMU_FAILURE_WORDS], filters[BPMU_IBS_FILTERS];
	unsigned int i;

	printf("part          %s (%s)\n", info->title, info->part);
	printf("CPU           family %u, model %u (0x%02x), stepping %u\n",
	       info->family, info->model, info->model, info->stepping);
	printf("PMU version   %u\n", pmu->version);
	printf("counters      %u general of %u bits, %u fixed of %u bits\n",
	       pmu->gp_counters, pmu->gp_width, pmu->fixed_counters,
	       pmu->fixed_width);
	if (bpmu_pmu_has_store(pmu))
		printf("PEBS          format %u, through the debug store\n", pmu->pebs_format - 1);
	else if (pmu->pebs)
		puts("PEBS          architectural");
	else if (pmu->pebs_format == BPMU_PEBS_ARCHITECTURAL)
		puts("PEBS          architectural, but CPUID names no counter for it (leaf 0x23): not used");
	else if (pmu->pebs_format)
		printf("PEBS          format %u, through the debug store: not used%s\n",
		       pmu->pebs_format - 1, pmu->pebs_format - 1 == BPMU_DS_FIRST ?
		       " with this microcode, which has errata" : "");
	for (box = pmu->part->uncore ? pmu->part->uncore->boxes : NULL; box && box->unit; box++)
		print_boxes(pmu, box);
	fputs("registers     ", stdout);
	print_registers(stdout, pmu);
	putchar('\n');
	if (pmu->ibs)
		printf("IBS           ibs_op; filters: %s\n",
		       bpmu_event_ibs_filters(filters, pmu->ibs));
	if (pmu->ibs & BPMU_IBS_FETCHES)
		printf("IBS           ibs_fetch; filters: %s\n",
		       bpmu_event_fetch_filters(pmu->ibs));
	if (pmu->units)
		printf("energy        in units of %.3g J\n", info_unit_of(pmu));
	if (pmu->tjmax)
		printf("TjMax         %u degrees C\n", pmu->tjmax);
	printf("TSC           %u.%03u MHz\n", info->tsc_khz / 1000,
	       info->tsc_khz % 1000);
	printf("CPUs online   %u\n", info->cpus_online);
	printf("module        %s\n", info->module_version);
	printf("session       %s", state_name(info->state));
	if (info->owner_pid)
		printf(", of %s, process %u", info->owner_comm,
		       info->owner_pid);
	puts(info->busy ? "; perf or the NMI watchdog holds the counters" : "");
	for (i = 0; i < failures->nr; i++)
		printf("failure       CPU %u: %s: %s\n",
		       failures->failure[i].cpu,
		       bpmu_failure_words(failures->failure[i].what, words),
		       strerror(failures->failure[i].error));
}

static struct bpmu_object info_open(const struct bpmu_info *info,
				    const char *names)
{
	const struct bpmu_table table = {
		.out = stdout, .format = BPMU_JSON, .type = "info",
	};
	const struct bpmu_pmu *pmu = &info->pmu;
	char filters[BPMU_IBS_FILTERS];
	const struct bpmu_field fields[] = {
		{ "part", info->part, BPMU_FIELD_TEXT },
		{ "title", info->title, BPMU_FIELD_TEXT },
		{ "family", .form = BPMU_FIELD_WHOLE, .whole = info->family },
		{ "model", .form = BPMU_FIELD_WHOLE, .whole = info->model },
		{ "stepping", .form = BPMU_FIELD_WHOLE,
		  .whole = info->stepping },
		{ "pmu_version", .form = BPMU_FIELD_WHOLE,
		  .whole = pmu->version },
		{ "gp_counters", .form = BPMU_FIELD_WHOLE,
		  .whole = pmu->gp_counters },
		{ "gp_width", .form = BPMU_FIELD_WHOLE, .whole = pmu->gp_width },
		{ "fixed_counters", .form = BPMU_FIELD_WHOLE,
		  .whole = pmu->fixed_counters },
		{ "fixed_width", .form = BPMU_FIELD_WHOLE,
		  .whole = pmu->fixed_width },
		{ "pebs_format", .form = BPMU_FIELD_WHOLE, .whole = pmu->pebs_format - 1,
		  .absent = !pmu->pebs_format },
		{ "registers", names, BPMU_FIELD_WORDS },
		{ "ibs", bpmu_event_ibs_filters(filters, pmu->ibs), BPMU_FIELD_WORDS,
		  .absent = !pmu->ibs },
		{ "ibs_fetch", bpmu_event_fetch_filters(pmu->ibs), BPMU_FIELD_WORDS,
		  .absent = !(pmu->ibs & BPMU_IBS_FETCHES) },
		{ "joules_per_count", .form = BPMU_FIELD_REAL, .digits = 9,
		  .number = info_unit_of(pmu) },
		{ "tjmax", .form = BPMU_FIELD_WHOLE, .whole = pmu->tjmax },
		{ "tsc_khz", .form = BPMU_FIELD_WHOLE, .whole = info->tsc_khz },
		{ "cpus_online", .form = BPMU_FIELD_WHOLE,
		  .whole = info->cpus_online },
		{ "module", info->module_version, BPMU_FIELD_TEXT },
		{ "session", state_name(info->state), BPMU_FIELD_TEXT },
		{ "owner_pid", .form = BPMU_FIELD_WHOLE,
		  .whole = info->owner_pid },
		{ "owner", info->owner_comm, BPMU_FIELD_TEXT },
		{ "busy", .form = BPMU_FIELD_FLAG, .whole = info->busy },
	};

	return bpmu_table_open(&table, fields, ARRAY_SIZE(fields));
}

static void put_failure(struct bpmu_object *object,
			const struct bpmu_client_failure *failure)
{
	const struct bpmu_field members[] = {
		{ "cpu", .form = BPMU_FIELD_WHOLE, .whole = failure->cpu },
		{ "what", bpmu_failure_name(failure->what), BPMU_FIELD_TEXT },
		{ "error", strerror(failure->error), BPMU_FIELD_TEXT },
	};
	const struct bpmu_field element = {
		.form = BPMU_FIELD_OBJECT, .of = { members, ARRAY_SIZE(members) },
	};

	bpmu_object_put(object, &element, 1);
}

static void info_json(const struct bpmu_info *info,
		      const struct bpmu_failures *failures)
{
	struct bpmu_object object;
	char *names = NULL;
	size_t size;
	FILE *text = open_memstream(&names, &size);
	unsigned int i;

	if (text) {
		print_registers(text, &info->pmu);
		fclose(text);
	}
	object = info_open(info, names);
	free(names);
	bpmu_object_open(&object, "failures", '[');
	for (i = 0; i < failures->nr; i++)
		put_failure(&object, &failures->failure[i]);
	bpmu_object_close(&object, ']');
	bpmu_table_close(&object);
}

static void overhead_json(const struct bpmu_overhead *o)
{
	struct bpmu_table table = {
		.out = stdout, .format = BPMU_JSON, .type = "overhead",
	};
	struct bpmu_field fields[BPMU_OVERHEAD_FIELDS];

	bpmu_overhead_fields(o, fields);
	bpmu_table_row(&table, fields, ARRAY_SIZE(fields));
}

static int show_overhead(struct bpmu_ctx *ctx, int as_json)
{
	struct bpmu_overhead o;

	if (bpmu_overhead_measure(&o, &ctx->err))
		return bpmu_fail(ctx, BPMU_EXIT_FAILED);
	if (as_json)
		overhead_json(&o);
	else
		printf("a sample      %llu cycles of the TSC (%llu to %llu, %u samples of %u events),\n"
		       "              %llu of them to read the counters; plus the cost of entering\n"
		       "              and leaving the interrupt, unless the tick is used\n",
		       o.median, o.least, o.most, o.samples, o.events,
		       o.reading);
	return BPMU_EXIT_OK;
}

static int info_show(struct bpmu_ctx *ctx, int as_json)
{
	struct bpmu_failures failures = { };
	struct bpmu_client *client;
	struct bpmu_info info;
	int code;

	code = bpmu_client_open(&client, &ctx->err);
	if (code)
		return bpmu_fail(ctx, BPMU_EXIT_FAILED);
	code = bpmu_client_info(client, &info, &ctx->err);
	if (!code)
		code = bpmu_client_failures(client, &failures, &ctx->err);
	bpmu_client_close(client);
	if (!code && as_json)
		info_json(&info, &failures);
	else if (!code)
		info_text(&info, &failures);
	free(failures.failure);
	return code ? bpmu_fail(ctx, BPMU_EXIT_FAILED) : BPMU_EXIT_OK;
}

/**
 * struct call - options of "barepmu info"
 * @json: print one JSON object instead of text
 * @overhead: measure how long a sample takes
 */
struct call {
	bool json;
	bool overhead;
};

static const struct bpmu_option table[] = {
	{ 'j', "json", NULL, "one JSON object", BPMU_CHOICE_FORMAT },
	{ BPMU_OPTION_OWN, "overhead", NULL,
	  "instead, measure the cost of a sample, for 0.3 s" },
	BPMU_OPTION_ROW_HELP,
	{ }
};

static int info_take_option(void *data, int option, const char *value,
			    struct bpmu_error *err)
{
	struct call *call = data;

	(void)value;
	(void)err;
	if (option == 'j')
		call->json = true;
	else
		call->overhead = true;
	return 0;
}

/**
 * bpmu_cmd_info() - run "barepmu info", which prints what the module found on this machine
 */
int bpmu_cmd_info(struct bpmu_ctx *ctx, int argc, char **argv)
{
	static const struct bpmu_option_table options = {
		.command = "info",
		.about = "Usage: barepmu info [-j] [--overhead]\n\n"
			 "Prints what the module found on this machine, and the owner of its session.\n\n",
		.option = table, .set = info_take_option,
	};
	struct call call = { };
	int code;

	code = bpmu_options_only(&options, &call, argc, argv, &ctx->err);
	if (code)
		return bpmu_usage(ctx, code);
	return call.overhead ? show_overhead(ctx, call.json) :
			       info_show(ctx, call.json);
}
