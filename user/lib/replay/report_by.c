// SPDX-License-Identifier: GPL-2.0
#include "report_by.h"

#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "event/event.h"
#include "intel.h"
#include "report_by_stack.h"
#include "source/series.h"

/*
 * Maximum number of entries: an entry has the sums of one key, such as one interrupted function.
 * Samples with further keys are summed in the entry OTHERS.
 */
#define ENTRIES_MAX 65536U
#define OTHERS "[others]"

/* Size in bytes, with the NUL, of a text with a process ID and the name of a thread */
#define TEXT_SIZE 48

/*
 * A sample with one of these flags begins the counting of its CPU anew: its values are not
 * subtracted from those of an earlier sample, but the next sample's values from its values.
 */
#define SAMPLE_FIRST (BPMU_SAMPLE_START | BPMU_SAMPLE_ONLINE)

static const char *const names[] = {
	[BPMU_BY_COMM] = "comm",
	[BPMU_BY_PID] = "pid",
	[BPMU_BY_SYMBOL] = "symbol",
	[BPMU_BY_LINE] = "line",
	[BPMU_BY_ADDRESS] = "address",
	[BPMU_BY_STACK] = "stack",
	[BPMU_BY_BRANCH] = "branch",
	[BPMU_BY_CACHELINE] = "cacheline",
	[BPMU_BY_SOURCE] = "source",
	[BPMU_BY_CPU] = "cpu",
};

/**
 * struct bpmu_by_cpu - latest sample of a CPU, and the entry (sums of a key) to which it was added
 * @seq: sequence number of the CPU's next sample if none is lost; 0 before the first sample
 * @lost: number of lost samples that no entry of --by includes yet
 * @flaws: with BPMU_BY_CPU, flaws of samples that no entry includes yet
 * @entry: entry to which the latest interval of the CPU belongs, or NULL
 * @enabled: enabled time, TSC ticks
 * @spent: time that sampling took, TSC ticks
 * @end: TSC at the end of the sample, 0 before the first sample
 * @based: true if the group has had a sample, so that @running and @last are valid, [nr groups]
 * @running: running time in the latest sample of each group, TSC ticks, [nr groups]
 * @last: raw values in the latest sample of each group, [slots]
 */
struct bpmu_by_cpu {
	u64 seq;
	u64 lost;
	u32 flaws;
	struct bpmu_by_entry *entry;
	u64 enabled;
	u64 spent;
	u64 end;
	bool based[BPMU_GROUPS_MAX];
	u64 running[BPMU_GROUPS_MAX];
	u64 *last;
};

/*
 * First index of the array &bpmu_by.tail. The second index is the number of an entry (the sums of
 * one key, such as one function).
 */
enum tail { ENABLED, LOST, SPENT, FLAWS, TAILS };

static int compare_keys(const void *a, const void *b)
{
	const struct bpmu_by_entry *x = a, *y = b;

	return strcmp(x->key, y->key);
}

/* Makes room for another entry by doubling the memory; returns false if out of memory. */
static bool by_make_room(struct bpmu_by *by)
{
	struct bpmu_by_entry **grown;

	if (by->nr & (by->nr - 1))
		return true;
	grown = reallocarray(by->entry, by->nr ? 2 * by->nr : 1,
			     sizeof(*grown));
	if (grown)
		by->entry = grown;
	return grown;
}

static struct bpmu_by_entry *new_entry(struct bpmu_by *by, const char *key)
{
	struct bpmu_by_entry *entry;

	if (!by_make_room(by))
		return NULL;
	entry = calloc(1, sizeof(*entry) +
		       by->about->groups.slots * sizeof(*entry->cell));
	if (!entry)
		return NULL;
	entry->key = strdup(key);
	entry->label = strdup(key);
	if (entry->key && entry->label &&
	    tsearch(entry, &by->tree, compare_keys)) {
		by->entry[by->nr++] = entry;
		return entry;
	}
	free(entry->key);
	free(entry->label);
	free(entry);
	return NULL;
}

static struct bpmu_by_entry *find_entry(struct bpmu_by *by, const char *key)
{
	struct bpmu_by_entry wanted = { .key = (char *)key };
	struct bpmu_by_entry **at = tfind(&wanted, &by->tree, compare_keys);

	if (at)
		return *at;
	if (by->nr >= ENTRIES_MAX && strcmp(key, OTHERS))
		return find_entry(by, OTHERS);
	return new_entry(by, key);
}

static const char *name_of(const struct bpmu_who *who)
{
	if (who->flags & BPMU_WHO_IDLE)
		return "[idle]";
	return who->flags & BPMU_WHO_UNNAMED ? "[hidden]" : who->comm;
}

/*
 * Sets the label of an entry, which is shown to the user, to the ID of a process and the latest
 * name of the first thread of this process.
 */
static void label_process(struct bpmu_by_entry *entry,
			  const struct bpmu_who *who)
{
	char label[TEXT_SIZE];
	char *copy;

	if (entry->samples && who->pid != who->tgid)
		return;
	snprintf(label, sizeof(label), "%u %s", who->tgid, name_of(who));
	if (!strcmp(label, entry->label))
		return;
	copy = strdup(label);
	if (!copy)
		return;
	free(entry->label);
	entry->label = copy;
}

static struct bpmu_by_entry *process_entry(struct bpmu_by *by,
					   const struct bpmu_who *who)
{
	struct bpmu_by_entry *entry;
	char key[TEXT_SIZE];

	if (who->flags & BPMU_WHO_UNNAMED)
		return find_entry(by, name_of(who));
	snprintf(key, sizeof(key), "%u", who->tgid);
	entry = find_entry(by, key);
	if (entry && !strcmp(entry->key, key))
		label_process(entry, who);
	return entry;
}

/*
 * Returns the label of the instruction at @address of the task @who, such as the name of its
 * function; NULL if out of memory. @address is 0 if the kernel hides the address.
 */
static const char *label_address(struct bpmu_by *by, const struct bpmu_who *who, u64 address)
{
	struct bpmu_who at = *who;

	at.ip = address;
	at.flags &= BPMU_WHO_UNNAMED;
	if (address >> 63)
		at.flags |= BPMU_WHO_KERNEL;
	else if (!address)
		at.flags |= BPMU_WHO_KERNEL | BPMU_WHO_HIDDEN;
	return bpmu_by_symbols_label(&by->symbols, &at);
}

static struct bpmu_by_entry *branch_entry(struct bpmu_by *by, const struct bpmu_who *who)
{
	const char *from, *to;
	struct bpmu_by_entry *entry;
	char *key;

	if (!by->branch)
		return find_entry(by, "[no branch]");
	from = label_address(by, who, by->branch->from);
	to = label_address(by, who, by->branch->to);
	if (!from || !to || asprintf(&key, "%s -> %s", from, to) < 0)
		return NULL;
	entry = find_entry(by, key);
	free(key);
	return entry;
}

/**
 * bpmu_by_entry() - find the entry with the sums of what a sample interrupted, by the key of --by
 * @by: sums by the key of --by, begun with bpmu_by_begin()
 * @sample: sample, which must name the interrupted task, except with BPMU_BY_CPU
 *
 * Return: the entry, which may be new; NULL if out of memory.
 */
struct bpmu_by_entry *bpmu_by_entry(struct bpmu_by *by,
				    const struct bpmu_taken_sample *sample)
{
	const struct bpmu_who *who = sample->who;
	struct bpmu_by_entry *entry;
	const char *label;
	char key[TEXT_SIZE], line[BPMU_BY_OP_KEY];

	switch (by->type) {
	case BPMU_BY_CPU:
		snprintf(key, sizeof(key), "%u", sample->head->cpu);
		return find_entry(by, key);
	case BPMU_BY_COMM:
		return find_entry(by, name_of(who));
	case BPMU_BY_PID:
		return process_entry(by, who);
	case BPMU_BY_STACK:
		return bpmu_by_stack(&by->symbols, who, name_of(who), by->chains, by->stack) ?
		       find_entry(by, by->stack) : NULL;
	case BPMU_BY_BRANCH:
		return branch_entry(by, who);
	case BPMU_BY_CACHELINE:
		return find_entry(by, bpmu_by_op_line(line, by->op, who));
	case BPMU_BY_SOURCE:
		return find_entry(by, by->fetch ? bpmu_by_fetch_source(by->fetch) :
						  bpmu_by_op_source(by->op));
	default:
		label = bpmu_by_symbols_label(&by->symbols, who);
		entry = label ? find_entry(by, label) : NULL;
		if (entry && !entry->samples && by->type == BPMU_BY_ADDRESS)
			entry->place = bpmu_by_symbols_place(&by->symbols, who);
		return entry;
	}
}

/* Function for tdestroy() that does nothing, because free_entries() frees the entries. */
static void by_keep(void *entry)
{
	(void)entry;
}

static void free_entries(struct bpmu_by *by)
{
	tdestroy(by->tree, by_keep);
	while (by->nr) {
		free(by->entry[--by->nr]->key);
		free(by->entry[by->nr]->label);
		free(by->entry[by->nr]->batch);
		free(by->entry[by->nr]);
	}
	free(by->entry);
	by->tree = NULL;
	by->entry = NULL;
}

/**
 * bpmu_by_clear() - remove the entries of --by, to sum the interrupts of another interval
 * @by: entries of --by to which only interrupts were added; keeps its symbols
 */
void bpmu_by_clear(struct bpmu_by *by)
{
	free_entries(by);
	by->samples = 0;
	by->broken = 0;
}

/**
 * bpmu_by_parse() - parse the argument of report --by, a key
 * @text: "comm", "pid", "symbol", "line", "address", "stack", "branch", "cacheline", "source" or
 *	"cpu"
 * @type: set to the type of the key
 *
 * Return: 0, or -EINVAL for another text.
 */
int bpmu_by_parse(const char *text, enum bpmu_by_type *type,
		  struct bpmu_error *err)
{
	unsigned int i;

	for (i = BPMU_BY_COMM; i < ARRAY_SIZE(names); i++) {
		if (strcmp(text, names[i]))
			continue;
		*type = i;
		return 0;
	}
	return bpmu_error_set(err, -EINVAL,
		"--by '%s': no such key; use comm, pid, symbol, line, address, stack, branch, cacheline, source or cpu",
		text);
}

/**
 * bpmu_by_needs_symbols() - check if a key of report --by needs names of functions
 *
 * Return: true if names of functions are shown with this key.
 */
bool bpmu_by_needs_symbols(enum bpmu_by_type type)
{
	return type == BPMU_BY_SYMBOL || type == BPMU_BY_LINE || type == BPMU_BY_ADDRESS ||
	       type == BPMU_BY_STACK || type == BPMU_BY_BRANCH;
}

/**
 * bpmu_by_is_of_records() - check if a key of report --by is of what the CPU has recorded
 *
 * Return: true if interrupts have the key, and counts do not: branches, and sampled ops.
 */
bool bpmu_by_is_of_records(enum bpmu_by_type type)
{
	return type == BPMU_BY_BRANCH || type == BPMU_BY_CACHELINE || type == BPMU_BY_SOURCE;
}

/**
 * bpmu_by_name() - name of a key of report --by
 * @type: the key, not BPMU_BY_NOTHING
 *
 * Return: the argument of --by.
 */
const char *bpmu_by_name(enum bpmu_by_type type)
{
	return names[type];
}

static int by_find_positions(struct bpmu_by *by, struct bpmu_error *err)
{
	unsigned int i;

	for (i = 0; i < by->cpus->nr; i++)
		if (by->cpus->cpu[i] >= by->nr_at)
			by->nr_at = by->cpus->cpu[i] + 1;
	by->at = calloc(by->nr_at, sizeof(*by->at));
	if (!by->at)
		return bpmu_error_no_memory(err, "--by");
	for (i = 0; i < by->nr_at; i++)
		by->at[i] = -1;
	for (i = 0; i < by->cpus->nr; i++)
		by->at[by->cpus->cpu[i]] = i;
	return 0;
}

/**
 * bpmu_by_set_type() - choose the key of --by by which samples are summed from now on
 * @by: entries of --by, of which there are none yet; its symbols have no labels yet
 */
void bpmu_by_set_type(struct bpmu_by *by, enum bpmu_by_type type)
{
	by->type = type;
	by->symbols.detail = type == BPMU_BY_LINE ? BPMU_DETAIL_LINE :
			     type == BPMU_BY_ADDRESS || type == BPMU_BY_BRANCH ?
			     BPMU_DETAIL_ADDRESS : BPMU_DETAIL_FUNCTION;
}

/**
 * bpmu_by_begin() - start to sum samples by the key of report --by
 * @by: zeroed, except for its type; free it with bpmu_by_free(), also after an error
 * @about: description of the recording; must outlive @by
 * @cpus: CPUs whose samples are summed; must outlive @by
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_by_begin(struct bpmu_by *by, const struct bpmu_recording_about *about,
		  const struct bpmu_cpulist *cpus, struct bpmu_error *err)
{
	unsigned int i;
	int code;

	by->about = about;
	by->cpus = cpus;
	bpmu_by_set_type(by, by->type);
	by->nr_cpus = cpus->nr;
	by->stack = by->type == BPMU_BY_STACK ? malloc(BPMU_BY_STACK_MOST) : NULL;
	if (by->type == BPMU_BY_STACK && !by->stack)
		return bpmu_error_no_memory(err, "--by");
	code = by_find_positions(by, err);
	if (code)
		return code;
	by->delta = bpmu_deltas_new(&about->info.pmu, &about->groups);
	by->cpu = calloc(cpus->nr, sizeof(*by->cpu));
	for (i = 0; by->cpu && i < cpus->nr; i++) {
		by->cpu[i].last = calloc(about->groups.slots, sizeof(u64));
		if (!by->cpu[i].last)
			return bpmu_error_no_memory(err, "--by");
	}
	return by->cpu && by->delta ? 0 : bpmu_error_no_memory(err, "--by");
}

/*
 * Adds the number of lost samples and the flaws that by_keep_rest() has stored in @cpu to @entry,
 * the sums of what the CPU's present sample interrupted. Some of the flaws are of samples before it
 * that have no counts, and so were not added to an entry.
 */
static void by_add_rest(struct bpmu_by_cpu *cpu, struct bpmu_by_entry *entry)
{
	entry->lost += cpu->lost;
	entry->flaws |= cpu->flaws;
	cpu->lost = 0;
	cpu->flaws = 0;
}

/*
 * Adds the counts since the previous sample of the same group, and the time since the previous
 * sample of the CPU, to @entry: the sums of what @sample interrupted.
 */
static void by_count(struct bpmu_by *by, struct bpmu_by_cpu *cpu,
		     struct bpmu_by_entry *entry, unsigned int g,
		     const struct bpmu_taken_sample *sample)
{
	const struct bpmu_group *group = &by->about->groups.group[g];
	const struct bpmu_sample *head = sample->head;
	u64 ticks = head->running - cpu->running[g];
	unsigned int i;

	for (i = group->first; i < group->first + group->sched.nr; i++)
		bpmu_cell_add_slice(&entry->cell[i],
				    bpmu_delta(&by->delta[i],
					       cpu->last + group->first,
					       sample->values, ticks), ticks);
	entry->samples++;
	entry->ticks += head->enabled - cpu->enabled;
	by_add_rest(cpu, entry);
	cpu->entry = entry;
	entry->spent += head->spent - cpu->spent;
	by->samples++;
	by->ticks += head->enabled - cpu->enabled;
	entry->flaws |= bpmu_flaw_flags(head);
}

/* Returns the time in seconds from the first sample of the recording to a TSC value. */
static double by_seconds_of(const struct bpmu_by *by, u64 tsc)
{
	return tsc > by->begin ?
	       (tsc - by->begin) / (1e3 * by->about->info.tsc_khz) : 0;
}

/* Stores values and times of a sample, which is now the latest one of its CPU and group. */
static void by_note(struct bpmu_by *by, struct bpmu_by_cpu *cpu, unsigned int g,
		    const struct bpmu_taken_sample *sample)
{
	const struct bpmu_group *group = &by->about->groups.group[g];
	const struct bpmu_sample *head = sample->head;
	unsigned int i;

	cpu->enabled = head->enabled;
	cpu->spent = head->spent;
	cpu->end = head->tsc_end;
	cpu->based[g] = true;
	cpu->running[g] = head->running;
	for (i = 0; i < group->sched.nr; i++)
		cpu->last[group->first + i] =
			sample->values[group->sched.slot[i].value];
	if (!by->begin || head->tsc_begin < by->begin)
		by->begin = head->tsc_begin;
	if (head->tsc_end > by->end)
		by->end = head->tsc_end;
}

/*
 * Stores in @cpu how many samples were lost before the sample @head; with BPMU_BY_CPU also stores
 * the flaws that @head reports. by_add_rest() adds them to the sums of an entry later, when it is
 * known what the CPU's next sample interrupted, and so which entry this is.
 */
static void by_keep_rest(const struct bpmu_by *by, struct bpmu_by_cpu *cpu,
			 const struct bpmu_sample *head)
{
	cpu->lost += bpmu_sample_lost(head, cpu->seq);
	cpu->seq = head->seq + 1;
	if (by->type == BPMU_BY_CPU)
		cpu->flaws |= bpmu_flaw_flags(head);
}

/**
 * bpmu_by_add() - add the counts and the time of a sample to the sums of what it interrupted
 * @by: sums by interrupted function, task or the like (--by), begun with bpmu_by_begin()
 * @sample: the next sample of its CPU. Samples of uncore units are ignored: several CPUs share
 *	these units, so that the counts belong to no single task
 */
void bpmu_by_add(struct bpmu_by *by, const struct bpmu_taken_sample *sample)
{
	const struct bpmu_sample *head = sample->head;
	struct bpmu_by_entry *entry;
	struct bpmu_by_cpu *cpu;

	if (head->cpu >= by->nr_at || by->at[head->cpu] < 0)
		return;
	cpu = &by->cpu[by->at[head->cpu]];
	bpmu_flaws_note(&by->flaws, bpmu_flaw_flags(head), head->cpu,
			by_seconds_of(by, cpu->end ?: head->tsc_begin),
			by_seconds_of(by, head->tsc_end));
	by_keep_rest(by, cpu, head);
	/*
	 * A failed sample has no counts. Counts of uncore units belong to no single task, because
	 * several CPUs share these units.
	 */
	if (head->flags & BPMU_SAMPLE_FAILED ||
	    head->bank != BPMU_BANK_CORE)
		return;
	if (!sample->who && by->type != BPMU_BY_CPU) {
		by->unattributed = true;
		return;
	}
	if (cpu->based[head->group] && !(head->flags & SAMPLE_FIRST)) {
		/* With BPMU_BY_CPU all samples of a CPU belong to the same entry. */
		entry = by->type == BPMU_BY_CPU && cpu->entry ? cpu->entry :
			bpmu_by_entry(by, sample);
		if (entry)
			by_count(by, cpu, entry, head->group, sample);
		else
			by->failed = true;
	}
	by_note(by, cpu, head->group, sample);
}

/* Returns the slot of the recorded groups whose interrupts have an event number. */
static unsigned int slot_of(const struct bpmu_by *by, unsigned int event)
{
	const struct bpmu_group *group = by->about->groups.group;
	unsigned int i;

	for (i = 0; i < group->sched.nr; i++)
		if (bpmu_sched_interrupts(&group->sched.slot[i]) &&
		    group->sched.slot[i].value == event)
			return group->first + i;
	return by->about->groups.slots;
}

/* Adds an interrupt's count of a slot to an entry, and to a batch of the entry. */
static void by_add_count(struct bpmu_by_entry *entry, unsigned int slot, u64 count)
{
	struct bpmu_cell *cell = &entry->cell[slot];

	if (entry->batch)
		entry->batch[slot * BPMU_BATCHES + cell->slices % BPMU_BATCHES].count += count;
	cell->count += count;
	cell->sum_xx += (double)count * count;
	cell->slices++;
}

/*
 * Adds to an entry what all counters counted before an interrupt. The values of the record are
 * counts already: as raw values they are differences from 0.
 */
static void by_add_counts(struct bpmu_by *by, struct bpmu_by_entry *entry,
			  const struct bpmu_counts *counts)
{
	const struct bpmu_group *group = by->about->groups.group;
	const u64 zero[BPMU_MAX_COUNTERS] = { };
	unsigned int i;

	if (counts->nr != group->sched.values) {
		by->broken += counts->state != BPMU_COUNTS_NONE;
		return;
	}
	if (!entry->batch)
		entry->batch = calloc((size_t)by->about->groups.slots * BPMU_BATCHES,
				      sizeof(*entry->batch));
	by->failed |= !entry->batch;
	for (i = 0; i < group->sched.nr; i++)
		by_add_count(entry, group->first + i,
			     bpmu_delta(&by->delta[group->first + i], zero, counts->value, 0));
}

/**
 * bpmu_by_add_interrupt() - add the events that an interrupt stands for to what it interrupted
 * @by: sums by interrupted function, task or the like (--by), begun with bpmu_by_begin()
 * @overflow: the interrupt. Interrupts of events that have no period are ignored
 * @chains: its call chains; NULL if there are none
 * @counts: what all counters counted since the interrupt before; NULL if that is not recorded, and
 *	the interrupt is only known to stand for the events of its period
 *
 * All interrupts must be added before bpmu_by_end(), and no samples.
 */
void bpmu_by_add_interrupt(struct bpmu_by *by, const struct bpmu_overflow *overflow,
			   const struct bpmu_chains *chains, const struct bpmu_counts *counts)
{
	const struct bpmu_sample head = { .cpu = overflow->cpu };
	const struct bpmu_taken_sample sample = { .head = &head, .who = &overflow->who };
	unsigned int slot = slot_of(by, overflow->event);
	struct bpmu_by_entry *entry;

	if (slot == by->about->groups.slots)
		return;
	by->interrupts = true;
	by->chains = chains;
	entry = bpmu_by_entry(by, &sample);
	by->chains = NULL;
	if (!entry) {
		by->failed = true;
		return;
	}
	if (counts)
		by_add_counts(by, entry, counts);
	else
		by_add_count(entry, slot, overflow->period);
	entry->samples++;
	by->samples++;
}

/*
 * Returns true if a slot counts unhalted cycles, at whatever privilege levels. On Intel's CPUs fixed
 * counter 1 does.
 */
static bool counts_cycles(const struct bpmu_pmu *pmu, const struct bpmu_sched_slot *slot)
{
	static const char *const cycles[] = { "cycles", "CPU_CLK_UNHALTED.THREAD_P" };
	struct bpmu_error ignored;
	bool same = false;
	unsigned int i;

	if (slot->counter >= BPMU_FIXED_BASE)
		return slot->counter == BPMU_FIXED_CYCLES;
	for (i = 0; i < ARRAY_SIZE(cycles) && !same; i++) {
		struct bpmu_event_spec spec = { };

		if (!bpmu_event_parse(pmu, 0, cycles[i], &spec, &ignored))
			same = !((slot->select ^ spec.term[0].select) &
				 ~(BPMU_SEL_USR | BPMU_SEL_OS));
		bpmu_event_free(&spec);
	}
	return same;
}

/*
 * Returns the slot from whose interrupts the time in each entry is estimated: that of the event with
 * the most interrupts among those of unhalted cycles, or among all events.
 */
static unsigned int clock_slot(const struct bpmu_by *by)
{
	const struct bpmu_group *group = by->about->groups.group;
	u64 nr, most = 0;
	bool clock, found = false;
	unsigned int i, k, best = group->first;

	for (i = 0; i < group->sched.nr; i++) {
		for (nr = 0, k = 0; k < by->nr; k++)
			nr += by->entry[k]->cell[group->first + i].slices;
		clock = counts_cycles(&by->about->info.pmu, &group->sched.slot[i]);
		if (nr && (clock > found || (clock == found && nr > most))) {
			best = group->first + i;
			found = clock;
			most = nr;
		}
	}
	return best;
}

/*
 * Completes the counts of one slot, all of which are from interrupts: the time for which they were
 * counted, which is that of the entry, and for entries without an interrupt by the event what one
 * usual interrupt would add to the variance.
 */
static void end_slot(const struct bpmu_by *by, unsigned int slot, u32 period)
{
	double sum = 0, usual;
	struct bpmu_cell *cell;
	u64 nr = 0;
	unsigned int i;

	for (i = 0; i < by->nr; i++) {
		sum += by->entry[i]->cell[slot].count;
		nr += by->entry[i]->cell[slot].slices;
	}
	usual = nr ? sum / nr : period ?: BPMU_MIN_PERIOD;
	for (i = 0; i < by->nr; i++) {
		cell = &by->entry[i]->cell[slot];
		cell->running = by->entry[i]->ticks;
		if (!cell->slices)
			cell->sum_xx = usual * usual;
	}
}

/* Estimates the time in each entry from interrupts, and completes the counts. */
static void end_interrupts(struct bpmu_by *by)
{
	const struct bpmu_group *group = by->about->groups.group;
	unsigned int i, clock = clock_slot(by);
	double all = 0, share;

	by->clock = &group->sched.slot[clock - group->first];
	for (i = 0; i < by->nr; i++)
		all += by->entry[i]->cell[clock].count;
	by->within = all;
	for (i = 0; i < by->nr; i++) {
		share = all > 0 ? by->entry[i]->cell[clock].count / all : 0;
		by->entry[i]->ticks = by->ticks * share;
		by->entry[i]->spent = by->spent * share;
		/* An entry without an interrupt by the clock has some time, too short to be known. */
		by->entry[i]->ticks += !by->entry[i]->ticks;
	}
	for (i = 0; i < group->sched.nr; i++)
		if (bpmu_sched_interrupts(&group->sched.slot[i]) || by->about->counts)
			end_slot(by, group->first + i, group->sched.slot[i].period);
}

/*
 * Compares two entries for qsort(): by events, most first, then by time, longest first, then by
 * label.
 */
static int compare_sizes(const void *a, const void *b)
{
	const struct bpmu_by_entry *x = *(struct bpmu_by_entry *const *)a;
	const struct bpmu_by_entry *y = *(struct bpmu_by_entry *const *)b;

	if (x->events.sum != y->events.sum)
		return x->events.sum > y->events.sum ? -1 : 1;
	if (x->ticks != y->ticks)
		return x->ticks > y->ticks ? -1 : 1;
	return strcmp(x->label, y->label);
}

/**
 * bpmu_by_sort() - sort the rows of "report --by" by their events or time
 * @by: sums by the key of --by, with all samples. They are sorted by events, most first. If
 *	there are no events, they are sorted by time, longest first
 */
void bpmu_by_sort(struct bpmu_by *by)
{
	if (by->nr)
		qsort(by->entry, by->nr, sizeof(*by->entry), compare_sizes);
}

/*
 * Copies counts and times of the entries (each the sums of one key, such as one function) to arrays
 * like those of struct bpmu_interval, whose index is the number of the entry.
 */
static int by_copy(struct bpmu_by *by, struct bpmu_error *err)
{
	size_t slots = by->about->groups.slots, batches = slots * BPMU_BATCHES;
	bool counts = by->interrupts && by->about->counts;
	unsigned int i;

	by->cell = calloc((size_t)by->nr * slots, sizeof(*by->cell));
	by->tail = calloc((size_t)by->nr * TAILS, sizeof(*by->tail));
	by->batch = counts ? calloc((size_t)by->nr * batches, sizeof(*by->batch)) : NULL;
	if (!by->cell || !by->tail || (counts && !by->batch))
		return bpmu_error_no_memory(err, "--by");
	for (i = 0; i < by->nr; i++) {
		if (counts && by->entry[i]->batch)
			memcpy(by->batch + i * batches, by->entry[i]->batch,
			       batches * sizeof(*by->batch));
		memcpy(by->cell + (size_t)i * slots, by->entry[i]->cell,
		       slots * sizeof(*by->cell));
		by->tail[ENABLED * by->nr + i] = by->entry[i]->ticks;
		by->tail[LOST * by->nr + i] = by->entry[i]->lost;
		by->tail[SPENT * by->nr + i] = by->entry[i]->spent;
		by->tail[FLAWS * by->nr + i] = by->entry[i]->flaws;
	}
	return 0;
}

/**
 * bpmu_by_end() - finish the sums by the key of --by after the last sample
 * @by: entries (each the sums of one key, such as one function), which are sorted here
 * @name: name of the file, for errors
 *
 * Return: 0, -ENODATA if samples do not name interrupted tasks or nothing was counted, or
 * -ENOMEM.
 */
int bpmu_by_end(struct bpmu_by *by, const char *name, struct bpmu_error *err)
{
	unsigned int i;

	if (by->failed)
		return bpmu_error_no_memory(err, "--by");
	if (by->unattributed)
		return bpmu_error_set(err, -ENODATA,
			"%s: its samples do not name the interrupted process; record with --who, or use --by cpu",
			name);
	if (!by->nr)
		return bpmu_error_set(err, -ENODATA,
			"%s: no CPU counted anything in this time; choose another one with --from and --to",
			name);
	/*
	 * The last samples of a CPU may be of uncore units, which are not summed by function or
	 * task. Samples that were lost before them are added to the function or task that the
	 * CPU's last summed sample interrupted.
	 */
	for (i = 0; i < by->nr_cpus; i++)
		if (by->cpu[i].entry)
			by_add_rest(&by->cpu[i], by->cpu[i].entry);
	if (by->interrupts)
		end_interrupts(by);
	bpmu_by_sort(by);
	return by_copy(by, err);
}

/**
 * bpmu_by_rows() - make the rows of report --by, one row for each entry
 * @by: sums by the key of --by, finished with bpmu_by_end()
 * @rows: filled in; free it with bpmu_rows_free(), also after an error
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_by_rows(const struct bpmu_by *by, struct bpmu_rows *rows,
		 struct bpmu_error *err)
{
	struct bpmu_row *row;

	memset(rows, 0, sizeof(*rows));
	rows->by = BPMU_ROWS_ENTRY;
	rows->row = calloc(by->nr, sizeof(*rows->row));
	rows->of = calloc(by->nr, sizeof(*rows->of));
	rows->pos = calloc(by->nr, sizeof(*rows->pos));
	if (!rows->row || !rows->of || !rows->pos)
		return bpmu_error_no_memory(err, "--by");
	rows->name = names[by->type];
	rows->positions = by->nr;
	while (rows->nr < by->nr) {
		row = &rows->row[rows->nr];
		rows->of[rows->nr] = rows->nr;
		rows->pos[rows->nr] = rows->nr;
		row->first = rows->nr;
		row->cpus = 1;
		row->samples = by->entry[rows->nr]->samples;
		row->share = by->ticks ? (double)by->entry[rows->nr]->ticks /
					 by->ticks : 0;
		row->label = strdup(by->entry[rows->nr]->label);
		if (!row->label)
			return bpmu_error_no_memory(err, "--by");
		rows->nr++;
	}
	return 0;
}

/**
 * bpmu_by_interval() - make an interval of the sums by the key of --by
 * @by: sums by the key of --by, finished with bpmu_by_end()
 *
 * The interval has the entries (each the sums of one function, task or the like) where other
 * intervals have CPUs. Events of uncore units have no counts, because these units are shared by
 * CPUs, which may execute different functions.
 *
 * Return: the interval, of the recorded groups; valid until @by is freed.
 */
struct bpmu_interval bpmu_by_interval(const struct bpmu_by *by)
{
	double seconds = (by->end - by->begin) /
			 (1e3 * by->about->info.tsc_khz);

	return (struct bpmu_interval){
		.whole = true, .last = true, .interrupts = by->interrupts,
		.multiplexed = { { [BPMU_BANK_CORE] = by->interrupts } },
		.sampled = { { [BPMU_BANK_CORE] = by->interrupts } },
		.seconds = seconds, .duration = seconds,
		.cell = by->cell, .batch = by->batch, .batches = by->batch ? BPMU_BATCHES : 0,
		.enabled = by->tail + ENABLED * by->nr,
		.lost = by->tail + LOST * by->nr,
		.spent = by->tail + SPENT * by->nr,
		.flaws = by->tail + FLAWS * by->nr,
	};
}

void bpmu_by_free(struct bpmu_by *by)
{
	unsigned int i;

	for (i = 0; by->cpu && i < by->nr_cpus; i++)
		free(by->cpu[i].last);
	free_entries(by);
	free(by->stack);
	free(by->at);
	free(by->cpu);
	free(by->delta);
	free(by->cell);
	free(by->batch);
	free(by->tail);
	free(by->shares);
	bpmu_by_symbols_free(&by->symbols);
	memset(by, 0, sizeof(*by));
}
