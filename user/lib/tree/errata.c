// SPDX-License-Identifier: GPL-2.0
#include "errata.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/sysfs.h"
#include "client/client.h"
#include "errata_facts.h"
#include "event/event_name.h"
#include "events.h"
#include "intel.h"
#include "metric/metric_expr.h"

/* Bits of an event select that tell the event: code and unit mask. The other bits are filters. */
#define CODE (BPMU_SEL_EVENT | BPMU_SEL_EVENT_HIGH | BPMU_SEL_UMASK)

/*
 * Checks if @word is a word of the list @list. Each character in @separators separates two words.
 */
static bool listed(const char *list, const char *separators, const char *word)
{
	size_t len;

	for (; list && *list; list += len + (list[len] != 0)) {
		len = strcspn(list, separators);
		if (len == strlen(word) && !strncmp(list, word, len))
			return true;
	}
	return false;
}

/*
 * Checks if a name matches one of the globs in @globs, which are separated by blanks. The
 * characters before a glob's first wildcard are compared first, because most globs differ from the
 * name there, and fnmatch() is slow.
 */
static bool errata_matches(const char *globs, const char *name)
{
	char glob[64];
	size_t len;
	size_t i;

	for (; globs && *globs; globs += len + (globs[len] != 0)) {
		for (i = 0; name[i] && globs[i] == name[i]; i++)
			;
		len = i + strcspn(globs + i, " ");
		if (i < len && !strchr("*?[", globs[i]))
			continue;
		snprintf(glob, sizeof(glob), "%.*s", (int)len, globs);
		if (!fnmatch(glob, name, 0))
			return true;
	}
	return false;
}

/**
 * bpmu_errata_microcode() - read the revision of microcode, on which errata may depend
 * @version: path of the file microcode/version of a CPU in sysfs
 *
 * Under a hypervisor, which may report any revision, the kernel has no such file.
 *
 * Return: the CPU's revision, 0 if it is unknown.
 */
u32 bpmu_errata_microcode(const char *version)
{
	char text[16];

	return bpmu_sysfs_read(version, text, sizeof(text)) ?
		strtoul(text, NULL, 16) : 0;
}

/**
 * bpmu_errata_cpu_init() - describe a CPU to find its errata, from the module's information
 * @cpu: filled in
 * @info: the module's information about the machine
 * @smt: 1 if threads share cores, else 0
 */
void bpmu_errata_cpu_init(struct bpmu_errata_cpu *cpu,
			  const struct bpmu_info *info, int smt)
{
	*cpu = (struct bpmu_errata_cpu){
		.part = info->pmu.part,
		.family = info->family,
		.model = info->model,
		.stepping = info->stepping,
		.microcode = bpmu_errata_microcode(BPMU_ERRATA_MICROCODE),
		.smt = smt,
	};
}

static bool errata_is_model(const struct bpmu_errata_cpu *cpu,
			    const struct bpmu_erratum *erratum)
{
	if (!cpu->family)
		return true;
	if (erratum->family && erratum->family != cpu->family)
		return false;
	if (erratum->last_model ?
	    cpu->model < erratum->model || cpu->model > erratum->last_model :
	    erratum->model && erratum->model != cpu->model)
		return false;
	return cpu->stepping >= erratum->first &&
	       (!erratum->last || cpu->stepping <= erratum->last);
}

/**
 * bpmu_errata_match() - check if a CPU has one of the published errata
 * @cpu: the CPU
 * @erratum: the erratum
 *
 * Return: &enum bpmu_errata_match.
 */
enum bpmu_errata_match bpmu_errata_match(const struct bpmu_errata_cpu *cpu,
					 const struct bpmu_erratum *erratum)
{
	if (!listed(erratum->parts, " ", cpu->part->name) ||
	    !errata_is_model(cpu, erratum))
		return BPMU_ERRATA_NO;
	if (erratum->when == BPMU_ERRATUM_SMT && !cpu->smt)
		return BPMU_ERRATA_NO;
	if (erratum->when == BPMU_ERRATUM_NO_SMT && cpu->smt > 0)
		return BPMU_ERRATA_NO;
	if (!erratum->fixed)
		return BPMU_ERRATA_YES;
	if (!cpu->microcode)
		return BPMU_ERRATA_PERHAPS;
	return cpu->microcode < erratum->fixed ? BPMU_ERRATA_YES :
						 BPMU_ERRATA_NO;
}

/**
 * bpmu_errata_unread() - name a document with errata of a CPU model if nobody could read it
 * @part: short name of the CPU model. The errata in this document are missing in the tool's table
 *
 * Return: a clause that names the document, NULL if there is no such document.
 */
const char *bpmu_errata_unread(const char *part)
{
	const struct bpmu_errata_unread *unread;
	unsigned int i;

	for (i = 0; (unread = bpmu_errata_unread_at(i)); i++)
		if (listed(unread->parts, " ", part))
			return unread->what;
	return NULL;
}

/**
 * bpmu_errata_touches() - check if one of a CPU model's errata affects the count of an event
 * @erratum: the erratum
 * @row: the event, in the event table of a CPU model that has the erratum
 *
 * Return: true if &bpmu_event.errata names the erratum, or if a glob of the erratum matches the
 * event.
 */
bool bpmu_errata_touches(const struct bpmu_erratum *erratum,
			 const struct bpmu_event *row)
{
	return listed(row->errata, ",", erratum->name) ||
	       errata_matches(erratum->events, row->name);
}

static void errata_add(struct bpmu_errata *errata, const char *name)
{
	unsigned int i;

	for (i = 0; i < errata->nr; i++)
		if (!strcmp(errata->name[i], name))
			return;
	if (errata->nr < BPMU_ERRATA_MAX)
		errata->name[errata->nr++] = name;
}

/**
 * bpmu_errata_of_row() - add to a set the errata that affect an event of the event table
 * @cpu: the CPU
 * @row: the event in the event table of the CPU model
 * @errata: the set, to which errata are added; zeroed before the first call
 */
void bpmu_errata_of_row(const struct bpmu_errata_cpu *cpu,
			const struct bpmu_event *row,
			struct bpmu_errata *errata)
{
	const struct bpmu_erratum *erratum;
	unsigned int i;

	for (i = 0; (erratum = bpmu_erratum_at(i)); i++)
		if (bpmu_errata_touches(erratum, row) &&
		    bpmu_errata_match(cpu, erratum) != BPMU_ERRATA_NO)
			errata_add(errata, erratum->name);
}

/*
 * Returns an event of the CPU model's event table that has the same errata as @spec: the event of
 * the same name or, if @spec is a raw event (without a name), an event with the same event code and
 * unit mask. Returns NULL if there is no such event.
 */
static const struct bpmu_event *errata_row_of(const struct bpmu_part *part,
					      const struct bpmu_event_spec *spec)
{
	const struct bpmu_event_term *term = &spec->term[0];
	const struct bpmu_event *rows;
	size_t nr;
	size_t i;

	if (spec->row)
		return spec->row;
	rows = bpmu_events(part, &nr);
	for (i = 0; i < nr; i++)
		if (rows[i].unit == term->unit &&
		    !(rows[i].counters >> BPMU_FIXED_BASE) &&
		    !((rows[i].select ^ term->select) & CODE))
			return &rows[i];
	return NULL;
}

/**
 * bpmu_errata_of_event() - add to a set the errata that affect a parsed event with its filters
 * @cpu: the CPU
 * @spec: the event, which may be a raw event
 * @errata: the set, to which errata are added; zeroed before the first call
 */
void bpmu_errata_of_event(const struct bpmu_errata_cpu *cpu,
			  const struct bpmu_event_spec *spec,
			  struct bpmu_errata *errata)
{
	const struct bpmu_event *row = errata_row_of(cpu->part, spec);

	if (row)
		bpmu_errata_of_row(cpu, row, errata);
}

/**
 * struct find - state of a search for the errata of all metrics of a method
 * @cpu: the CPU
 * @metrics: the metrics
 * @own: errata of the CPU, [@nr]
 * @nr: number of errata of the CPU
 * @of: [metric], errata that affect the metric
 * @found: [metric], true if @of has all errata of the metric
 */
struct find {
	const struct bpmu_errata_cpu *cpu;
	const struct bpmu_metrics *metrics;
	const struct bpmu_erratum *own[BPMU_ERRATA_FACTS];
	unsigned int nr;
	struct bpmu_errata *of;
	bool *found;
};

static void of_line(struct find *find, unsigned int line);

static void of_name(struct find *find, const char *name, struct bpmu_errata *errata)
{
	const struct bpmu_event *row;
	char event[128];
	int line = bpmu_metrics_find(find->metrics, name);
	unsigned int i;

	if (line >= 0) {
		of_line(find, line);
		for (i = 0; i < find->of[line].nr; i++)
			errata_add(errata, find->of[line].name[i]);
		return;
	}
	snprintf(event, sizeof(event), "%.*s", (int)strcspn(name, ":"), name);
	row = find->nr ? bpmu_event_row(find->cpu->part, event) : NULL;
	for (i = 0; row && i < find->nr; i++)
		if (bpmu_errata_touches(find->own[i], row))
			errata_add(errata, find->own[i]->name);
}

/*
 * Adds to @errata the errata that affect the events of an expression. Of an "if" on SMT, only the
 * branch that applies to the CPU is searched. If it is unknown whether threads share cores, both
 * branches are searched.
 */
static void of_expr(struct find *find, const struct bpmu_expr *expr, struct bpmu_errata *errata)
{
	int i;

	if (find->cpu->smt >= 0)
		expr = bpmu_expr_taken(expr, find->cpu->smt);
	if (expr->op == BPMU_EXPR_NAME)
		of_name(find, expr->name, errata);
	for (i = 0; i < BPMU_EXPR_ARGS && expr->arg[i]; i++)
		of_expr(find, expr->arg[i], errata);
}

static void of_line(struct find *find, unsigned int line)
{
	if (!find->found[line])
		of_expr(find, find->metrics->metric[line].expr, &find->of[line]);
	find->found[line] = true;
}

/**
 * bpmu_errata_of_metrics() - find the errata that affect metrics through their events
 * @cpu: the CPU
 * @metrics: metrics of a method
 *
 * Return: the errata of each metric, [@metrics->nr], which the caller frees; NULL if out of memory.
 */
struct bpmu_errata *bpmu_errata_of_metrics(const struct bpmu_errata_cpu *cpu,
					   const struct bpmu_metrics *metrics)
{
	struct find find = { .cpu = cpu, .metrics = metrics };
	const struct bpmu_erratum *erratum;
	unsigned int i;

	for (i = 0; (erratum = bpmu_erratum_at(i)); i++)
		if (bpmu_errata_match(cpu, erratum) != BPMU_ERRATA_NO)
			find.own[find.nr++] = erratum;
	find.of = calloc(metrics->nr + 1, sizeof(*find.of));
	find.found = calloc(metrics->nr + 1, sizeof(*find.found));
	for (i = 0; find.of && find.found && i < metrics->nr; i++)
		of_line(&find, i);
	if (!find.found) {
		free(find.of);
		find.of = NULL;
	}
	free(find.found);
	return find.of;
}

/**
 * bpmu_errata_words() - join the names of errata with blanks
 * @errata: the errata; there may be none
 * @text: set to the names; empty if there are none
 */
void bpmu_errata_words(const struct bpmu_errata *errata,
		       char text[BPMU_ERRATA_WORDS])
{
	size_t len = 0;
	unsigned int i;

	text[0] = '\0';
	for (i = 0; i < errata->nr && len < BPMU_ERRATA_WORDS; i++)
		len += snprintf(text + len, BPMU_ERRATA_WORDS - len, "%s%s",
				i ? " " : "", errata->name[i]);
}

/**
 * bpmu_errata_note() - print the errata that affect an event or a metric
 * @what: name of the event or metric
 * @errata: the errata; if empty, nothing is printed
 */
void bpmu_errata_note(FILE *out, const char *what,
		      const struct bpmu_errata *errata)
{
	char words[BPMU_ERRATA_WORDS];

	if (!errata->nr)
		return;
	bpmu_errata_words(errata, words);
	fprintf(out, "  %s: erratum %s; see \"barepmu list errata -v\"\n", what,
		words);
}
