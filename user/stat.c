// SPDX-License-Identifier: GPL-2.0
#include "stat.h"

#include <math.h>
#include <string.h>

#include "events.h"

/* the rings of a select value: usr and os */
#define RINGS (BPMU_BIT(16) | BPMU_BIT(17))

/* width of the event names that notes are aligned behind */
#define NOTE_COLUMN 22

/**
 * struct row - one event on one CPU or on all of them
 * @cpus: which
 * @first: position of the first
 * @end: position after the last
 * @spec: the event
 * @count: how often, and how sure
 * @lost: samples
 */
struct row {
	const char *cpus;
	unsigned int first;
	unsigned int end;
	const struct bpmu_event_spec *spec;
	struct bpmu_estimate count;
	u64 lost;
};

static void add_cpu(const struct bpmu_stat *stat,
		    const struct bpmu_interval *interval, unsigned int pos,
		    struct row *row)
{
	bpmu_measure_estimate(&stat->wanted.groups, interval, pos, row->spec,
			      &row->count);
	row->lost += interval->lost[pos];
}

static double enabled_percent(const struct row *row)
{
	if (!row->count.enabled)
		return 0;
	return 100.0 * row->count.running / row->count.enabled;
}

/* a count that nothing was seen of, not even a part */
static bool not_counted(const struct row *row)
{
	return row->count.missing && !row->count.running;
}

static void csv(const struct bpmu_stat *stat, const struct row *row,
		const struct bpmu_interval *interval)
{
	const char *separator = stat->options.separator;
	FILE *out = stat->out;

	if (stat->options.interval_ns)
		fprintf(out, "%.9f", interval->seconds);
	fputs(separator, out);
	bpmu_print_csv(out, row->cpus, separator);
	fputs(separator, out);
	bpmu_print_csv(out, row->spec->text, separator);
	fputs(separator, out);
	if (not_counted(row))
		fputs("<not counted>", out);
	else
		fprintf(out, "%.0f", row->count.value);
	fprintf(out, "%sevents%s%.2f%s%llu%s", separator, separator,
		enabled_percent(row), separator, row->lost, separator);
	if (bpmu_estimate_half_width(&row->count) > 0)
		fprintf(out, "%.0f", bpmu_estimate_half_width(&row->count));
	fputc('\n', out);
}

static void json(const struct bpmu_stat *stat, const struct row *row,
		 const struct bpmu_interval *interval)
{
	FILE *out = stat->out;

	fprintf(out, "{\"schema\":1,\"type\":\"count\",\"time\":%.9f,",
		interval->seconds);
	bpmu_print_stamps(out);
	fputs(",\"cpus\":", out);
	bpmu_print_json(out, row->cpus);
	fputs(",\"event\":", out);
	bpmu_print_json(out, row->spec->text);
	if (not_counted(row))
		fputs(",\"count\":null", out);
	else
		fprintf(out, ",\"count\":%.0f", row->count.value);
	fprintf(out, ",\"unit\":\"events\",\"uncertainty\":");
	if (isinf(row->count.variance))
		fputs("null", out);
	else
		fprintf(out, "%.0f", bpmu_estimate_half_width(&row->count));
	fprintf(out, ",\"enabled_ticks\":%llu,\"running_ticks\":%llu",
		row->count.enabled, row->count.running);
	fprintf(out, ",\"lost\":%llu}\n", row->lost);
}

/* does it count what is called so on all parts, in whatever rings */
static bool counts(const struct bpmu_stat *stat,
		   const struct bpmu_event_spec *spec, const char *name)
{
	const struct bpmu_event_alias *alias;
	size_t nr, i;

	if (!spec->row || spec->nr != 1 ||
	    (spec->term[0].select ^ spec->row->select) & ~RINGS)
		return false;
	alias = bpmu_event_aliases(stat->target.info.pmu.part, &nr);
	for (i = 0; i < nr; i++)
		if (!strcmp(alias[i].name, name))
			return !strcmp(alias[i].event, spec->row->name);
	return false;
}

/* instructions per cycle, if the cycles of the same rings were counted */
static void text_note(const struct bpmu_stat *stat, const struct row *row,
		      const struct bpmu_interval *interval)
{
	const struct bpmu_event_spec *spec;
	struct row cycles = { };
	int blanks = NOTE_COLUMN - (int)strlen(row->spec->text);
	unsigned int i, pos;

	if (!counts(stat, row->spec, "instructions"))
		return;
	for (i = 0; i < stat->wanted.events.nr; i++) {
		spec = &stat->wanted.events.spec[i];
		if (counts(stat, spec, "cycles") &&
		    !((spec->term[0].select ^ row->spec->term[0].select) &
		      RINGS))
			cycles.spec = spec;
	}
	if (!cycles.spec)
		return;
	for (pos = row->first; pos < row->end; pos++)
		add_cpu(stat, interval, pos, &cycles);
	if (cycles.count.value > 0)
		fprintf(stat->out, "%*s  # %.2f insn per cycle",
			blanks > 0 ? blanks : 0, "",
			row->count.value / cycles.count.value);
}

/* how sure a count is of which only a part was seen */
static void text_turns(const struct bpmu_stat *stat, const struct row *row)
{
	double half = bpmu_estimate_half_width(&row->count);

	if (!row->spec || row->count.running == row->count.enabled)
		return;
	if (isinf(half) || !row->count.value)
		fputs("  +- ?", stat->out);
	else
		fprintf(stat->out, "  +- %.2f%%",
			100 * half / fabs(row->count.value));
	fprintf(stat->out, "  (%.1f%% of the time)", enabled_percent(row));
}

static void text(const struct bpmu_stat *stat, const struct row *row,
		 const struct bpmu_interval *interval)
{
	char buffer[BPMU_PRINT_NUMBER];

	if (stat->options.interval_ns)
		fprintf(stat->out, "%13.6f", interval->seconds);
	if (stat->per_cpu)
		fprintf(stat->out, "  CPU%-4s", row->cpus);
	fprintf(stat->out, "  %20s  %s",
		not_counted(row) ? "<not counted>" :
		bpmu_print_number(buffer, llround(row->count.value)),
		row->spec->text);
	text_note(stat, row, interval);
	text_turns(stat, row);
	if (row->lost)
		fprintf(stat->out, "  (%llu samples lost)", row->lost);
	fputc('\n', stat->out);
}

static void print(const struct bpmu_stat *stat, const struct row *row,
		  const struct bpmu_interval *interval)
{
	switch (stat->options.format) {
	case BPMU_CSV:
		csv(stat, row, interval);
		break;
	case BPMU_JSON:
		json(stat, row, interval);
		break;
	case BPMU_TEXT:
		text(stat, row, interval);
		break;
	}
}

static void event_rows(struct bpmu_stat *stat,
		       const struct bpmu_interval *interval,
		       const struct bpmu_event_spec *spec)
{
	const struct bpmu_cpulist *cpus = &stat->target.cpus;
	struct row sum = {
		.cpus = stat->target.cpus_text,
		.end = cpus->nr,
		.spec = spec,
	};
	struct row one;
	char name[16];
	unsigned int i;

	for (i = 0; i < cpus->nr; i++) {
		one = (struct row){
			.cpus = name, .first = i, .end = i + 1, .spec = spec,
		};
		snprintf(name, sizeof(name), "%u", cpus->cpu[i]);
		add_cpu(stat, interval, i, &one);
		add_cpu(stat, interval, i, &sum);
		if (stat->per_cpu)
			print(stat, &one, interval);
	}
	if (!stat->per_cpu)
		print(stat, &sum, interval);
}

static double spent_percent(const struct bpmu_stat *stat)
{
	return stat->enabled ? 100.0 * stat->spent / stat->enabled : 0;
}

static void json_end(const struct bpmu_stat *stat,
		     const struct bpmu_interval *interval)
{
	fprintf(stat->out, "{\"schema\":1,\"type\":\"end\",\"time\":%.9f,",
		interval->seconds);
	bpmu_print_stamps(stat->out);
	fprintf(stat->out,
		",\"intervals\":%u,\"lost\":%llu,\"spent_percent\":%.4f,\"disturbed\":%s}\n",
		interval->index + 1, stat->lost, spent_percent(stat),
		stat->disturbed ? "true" : "false");
}

static void tail(struct bpmu_stat *stat, const struct bpmu_interval *interval)
{
	if (stat->options.format == BPMU_JSON)
		json_end(stat, interval);
	if (stat->options.format != BPMU_TEXT)
		return;
	fprintf(stat->out, "\n  %.6f seconds, %.4f%% of the CPUs' time spent in sampling\n",
		interval->seconds, spent_percent(stat));
	if (stat->disturbed)
		fputs("  Someone else wrote to the counters meanwhile: do not trust these counts.\n",
		      stat->out);
	if (stat->lost)
		fprintf(stat->out,
			"  %llu samples lost: counts are whole, intervals are coarser; take a longer -I\n",
			stat->lost);
}

static void head(const struct bpmu_stat *stat)
{
	const char *s = stat->options.separator;

	if (stat->options.format == BPMU_CSV)
		fprintf(stat->out,
			"time%scpus%sevent%scount%sunit%senabled_percent%slost%suncertainty\n",
			s, s, s, s, s, s, s);
	if (stat->options.format != BPMU_TEXT)
		return;
	fprintf(stat->out, "Counting everything that runs on CPU %s (%s)",
		stat->target.cpus_text, stat->target.info.title);
	if (stat->options.argv) {
		fputs(" while '", stat->out);
		bpmu_print_command(stat->out, stat->options.argv);
		fputs("' runs", stat->out);
	}
	fputs(":\n\n", stat->out);
}

/**
 * bpmu_stat_interval() - print an interval
 * @stat: &struct bpmu_stat
 * @interval: its counts; a head comes before the first, totals after the last
 */
void bpmu_stat_interval(void *stat, const struct bpmu_interval *interval)
{
	struct bpmu_stat *s = stat;
	unsigned int i;

	if (!interval->index)
		head(s);
	for (i = 0; i < s->target.cpus.nr; i++) {
		s->lost += interval->lost[i];
		s->spent += interval->spent[i];
		s->enabled += interval->enabled[i];
	}
	s->disturbed |= interval->disturbed;
	for (i = 0; i < s->wanted.events.nr; i++)
		event_rows(s, interval, &s->wanted.events.spec[i]);
	if (interval->last)
		tail(s, interval);
	fflush(s->out);
}
