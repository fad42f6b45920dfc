// SPDX-License-Identifier: GPL-2.0
#include "report_by.h"

#include <ctype.h>
#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* what is met behind so many places is not kept apart */
#define PLACES_MAX 65536U
#define OTHERS "[others]"

/* of a key or label that is made here */
#define TEXT_MAX 48

static int compare_keys(const void *a, const void *b)
{
	const struct bpmu_by_place *x = a, *y = b;

	return strcmp(x->key, y->key);
}

/* a process may call itself what it likes: nothing of it moves the cursor */
static char *tidy(const char *text)
{
	char *copy = strdup(text);
	char *at;

	for (at = copy; at && *at; at++)
		if (iscntrl((unsigned char)*at))
			*at = '?';
	return copy;
}

/* for one more; twice as much each time */
static bool by_make_room(struct bpmu_by *by)
{
	struct bpmu_by_place **grown;

	if (by->nr & (by->nr - 1))
		return true;
	grown = reallocarray(by->place, by->nr ? 2 * by->nr : 1,
			     sizeof(*grown));
	if (grown)
		by->place = grown;
	return grown;
}

static struct bpmu_by_place *new_place(struct bpmu_by *by, const char *key)
{
	struct bpmu_by_place *place;

	if (!by_make_room(by))
		return NULL;
	place = calloc(1, sizeof(*place) +
		       by->about->groups.slots * sizeof(*place->cell));
	if (!place)
		return NULL;
	place->key = strdup(key);
	place->label = tidy(key);
	if (place->key && place->label &&
	    tsearch(place, &by->tree, compare_keys)) {
		by->place[by->nr++] = place;
		return place;
	}
	free(place->key);
	free(place->label);
	free(place);
	return NULL;
}

static struct bpmu_by_place *find_place(struct bpmu_by *by, const char *key)
{
	struct bpmu_by_place wanted = { .key = (char *)key };
	struct bpmu_by_place **at = tfind(&wanted, &by->tree, compare_keys);

	if (at)
		return *at;
	if (by->nr >= PLACES_MAX && strcmp(key, OTHERS))
		return find_place(by, OTHERS);
	return new_place(by, key);
}

/* the name is that of its first thread, the latest that it had */
static void name_process(struct bpmu_by_place *place,
			 const struct bpmu_who *who)
{
	char label[TEXT_MAX];
	char *copy;

	if (place->samples && who->pid != who->tgid)
		return;
	snprintf(label, sizeof(label), "%u %s", who->tgid,
		 who->flags & BPMU_WHO_IDLE ? "[idle]" : who->comm);
	if (!strcmp(label, place->label))
		return;
	copy = tidy(label);
	if (!copy)
		return;
	free(place->label);
	place->label = copy;
}

static struct bpmu_by_place *process_place(struct bpmu_by *by,
					   const struct bpmu_who *who)
{
	struct bpmu_by_place *place;
	char key[TEXT_MAX];

	snprintf(key, sizeof(key), "%u", who->tgid);
	place = find_place(by, key);
	if (place && !strcmp(place->key, key))
		name_process(place, who);
	return place;
}

/**
 * bpmu_by_place() - what a sample has interrupted
 * @by: begun
 * @sample: says who, unless the places are CPUs
 *
 * Return: the place, which may be new, or NULL without memory.
 */
struct bpmu_by_place *bpmu_by_place(struct bpmu_by *by,
				    const struct bpmu_recording_sample *sample)
{
	const struct bpmu_who *who = sample->who;
	const char *label;
	char key[TEXT_MAX];

	if (by->type == BPMU_BY_CPU) {
		snprintf(key, sizeof(key), "%u", sample->head.cpu);
		return find_place(by, key);
	}
	switch (by->type) {
	case BPMU_BY_COMM:
		return find_place(by, who->flags & BPMU_WHO_IDLE ? "[idle]" :
				  who->comm);
	case BPMU_BY_PID:
		return process_place(by, who);
	default:
		label = bpmu_by_symbols_label(&by->symbols, who);
		return label ? find_place(by, label) : NULL;
	}
}

static void by_keep(void *place)
{
	(void)place;
}

/**
 * bpmu_by_free_places() - free all of them
 * @by: in any state
 */
void bpmu_by_free_places(struct bpmu_by *by)
{
	tdestroy(by->tree, by_keep);
	while (by->nr) {
		free(by->place[--by->nr]->key);
		free(by->place[by->nr]->label);
		free(by->place[by->nr]);
	}
	free(by->place);
}

#define SAMPLE_FIRST (BPMU_SAMPLE_START | BPMU_SAMPLE_ONLINE)

static const char *const names[] = {
	[BPMU_BY_COMM] = "comm",
	[BPMU_BY_PID] = "pid",
	[BPMU_BY_SYMBOL] = "symbol",
	[BPMU_BY_CPU] = "cpu",
};

/**
 * struct bpmu_by_cpu - what the next sample of a CPU is compared with
 * @seq: number of its next sample
 * @enabled: of its latest sample
 * @spent: of its latest sample
 * @end: TSC of the same
 * @based: for each group: there was a sample
 * @running: for each group, of its latest sample
 * @last: raw values of each group's latest sample, by slot
 */
struct bpmu_by_cpu {
	u64 seq;
	u64 enabled;
	u64 spent;
	u64 end;
	bool based[BPMU_GROUPS_MAX];
	u64 running[BPMU_GROUPS_MAX];
	u64 *last;
};

/* rows of &struct bpmu_by.tail */
enum tail { ENABLED, LOST, SPENT, FLAWS, TAILS };

/**
 * bpmu_by_parse() - understand what was asked for
 * @text: "comm", "pid", "symbol" or "cpu"
 * @type: set
 * @err: set on failure
 *
 * Return: 0 or -EINVAL.
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
		"--by '%s': no such key; use comm, pid, symbol or cpu",
		text);
}

/**
 * bpmu_by_begin() - nothing counted yet
 * @by: with a type, else zeroed; free it with bpmu_by_free(), on an error too
 * @about: what was recorded
 * @cpus: what of it is looked at
 * @err: set on failure
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_by_begin(struct bpmu_by *by, const struct bpmu_recording_about *about,
		  const struct bpmu_cpulist *cpus, struct bpmu_error *err)
{
	unsigned int i;

	by->about = about;
	by->cpus = cpus;
	by->nr_cpus = cpus->nr;
	by->delta = bpmu_deltas_new(&about->info.pmu, &about->groups);
	by->cpu = calloc(cpus->nr, sizeof(*by->cpu));
	for (i = 0; by->cpu && i < cpus->nr; i++) {
		by->cpu[i].last = calloc(about->groups.slots, sizeof(u64));
		if (!by->cpu[i].last)
			return bpmu_error_no_memory(err, "--by");
	}
	return by->cpu && by->delta ? 0 : bpmu_error_no_memory(err, "--by");
}

static void by_count(struct bpmu_by *by, struct bpmu_by_cpu *cpu,
		     struct bpmu_by_place *place, unsigned int g,
		     const struct bpmu_recording_sample *sample)
{
	const struct bpmu_group *group = &by->about->groups.group[g];
	const struct bpmu_sample *head = &sample->head;
	u64 ticks = head->running - cpu->running[g];
	unsigned int i;

	for (i = group->first; i < group->first + group->sched.nr; i++)
		bpmu_cell_add_slice(&place->cell[i],
				    bpmu_delta(&by->delta[i],
					       cpu->last + group->first,
					       sample->values, ticks), ticks);
	place->samples++;
	place->ticks += head->enabled - cpu->enabled;
	place->lost += head->seq - cpu->seq;
	place->spent += head->spent - cpu->spent;
	by->samples++;
	by->ticks += head->enabled - cpu->enabled;
	place->flaws |= head->flags & BPMU_FLAW_FLAGS;
}

static double by_seconds_of(const struct bpmu_by *by, u64 tsc)
{
	return tsc > by->begin ?
	       (tsc - by->begin) / (1e3 * by->about->info.tsc_khz) : 0;
}

static void by_note(struct bpmu_by *by, struct bpmu_by_cpu *cpu, unsigned int g,
		    const struct bpmu_recording_sample *sample)
{
	const struct bpmu_group *group = &by->about->groups.group[g];
	const struct bpmu_sample *head = &sample->head;
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

/**
 * bpmu_by_add() - count a sample's interval for its place
 * @by: begun
 * @sample: in the order of its CPU; those of a package are nobody's
 */
void bpmu_by_add(struct bpmu_by *by, const struct bpmu_recording_sample *sample)
{
	const struct bpmu_sample *head = &sample->head;
	struct bpmu_by_place *place;
	struct bpmu_by_cpu *cpu;
	unsigned int pos = 0;

	while (pos < by->cpus->nr && by->cpus->cpu[pos] != head->cpu)
		pos++;
	if (pos == by->cpus->nr)
		return;
	cpu = &by->cpu[pos];
	bpmu_flaws_note(&by->flaws, head->flags, head->cpu,
			by_seconds_of(by, cpu->end ?: head->tsc_begin),
			by_seconds_of(by, head->tsc_end));
	/* there is nothing to be attributed */
	if (head->flags & BPMU_SAMPLE_FAILED) {
		cpu->seq = head->seq + 1;
		return;
	}
	if (bpmu_side_of_sample(head->flags) != BPMU_SIDE_CORE) {
		cpu->seq += head->seq == cpu->seq;
		return;
	}
	if (!sample->who && by->type != BPMU_BY_CPU) {
		by->nobody = true;
		return;
	}
	if (cpu->based[head->group] && !(head->flags & SAMPLE_FIRST)) {
		place = bpmu_by_place(by, sample);
		if (place)
			by_count(by, cpu, place, head->group, sample);
		else
			by->failed = true;
	}
	cpu->seq = head->seq + 1;
	by_note(by, cpu, head->group, sample);
}

static int by_ticks(const void *a, const void *b)
{
	const struct bpmu_by_place *x = *(struct bpmu_by_place *const *)a;
	const struct bpmu_by_place *y = *(struct bpmu_by_place *const *)b;

	if (x->ticks != y->ticks)
		return x->ticks > y->ticks ? -1 : 1;
	return strcmp(x->label, y->label);
}

static int flatten(struct bpmu_by *by, struct bpmu_error *err)
{
	unsigned int slots = by->about->groups.slots;
	unsigned int i;

	by->cell = calloc((size_t)by->nr * slots, sizeof(*by->cell));
	by->tail = calloc((size_t)by->nr * TAILS, sizeof(*by->tail));
	if (!by->cell || !by->tail)
		return bpmu_error_no_memory(err, "--by");
	for (i = 0; i < by->nr; i++) {
		memcpy(by->cell + (size_t)i * slots, by->place[i]->cell,
		       slots * sizeof(*by->cell));
		by->tail[ENABLED * by->nr + i] = by->place[i]->ticks;
		by->tail[LOST * by->nr + i] = by->place[i]->lost;
		by->tail[SPENT * by->nr + i] = by->place[i]->spent;
		by->tail[FLAWS * by->nr + i] = by->place[i]->flaws;
	}
	return 0;
}

/**
 * bpmu_by_end() - all samples were added
 * @by: begun; its places are sorted, those of the most time first
 * @name: of the file
 * @err: set on failure
 *
 * Return: 0, -ENODATA if nobody was noted, or nothing was counted, or -ENOMEM.
 */
int bpmu_by_end(struct bpmu_by *by, const char *name, struct bpmu_error *err)
{
	if (by->failed)
		return bpmu_error_no_memory(err, "--by");
	if (by->nobody)
		return bpmu_error_set(err, -ENODATA,
			"%s: its samples do not name the interrupted process; record with --who, or use --by cpu",
			name);
	if (!by->nr)
		return bpmu_error_set(err, -ENODATA,
			"%s: no CPU counted anything in this time; choose another one with --from and --to",
			name);
	qsort(by->place, by->nr, sizeof(*by->place), by_ticks);
	return flatten(by, err);
}

/**
 * bpmu_by_rows() - a row for each place
 * @by: ended
 * @rows: filled in; free it with bpmu_rows_free(), on an error too
 * @err: set on failure
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_by_rows(const struct bpmu_by *by, struct bpmu_rows *rows,
		 struct bpmu_error *err)
{
	struct bpmu_row *row;

	memset(rows, 0, sizeof(*rows));
	rows->by = BPMU_ROWS_PLACE;
	rows->row = calloc(by->nr, sizeof(*rows->row));
	rows->of = calloc(by->nr, sizeof(*rows->of));
	if (!rows->row || !rows->of)
		return bpmu_error_no_memory(err, "--by");
	rows->name = names[by->type];
	rows->positions = by->nr;
	while (rows->nr < by->nr) {
		row = &rows->row[rows->nr];
		rows->of[rows->nr] = rows->nr;
		row->samples = by->place[rows->nr]->samples;
		row->share = by->ticks ? (double)by->place[rows->nr]->ticks /
					 by->ticks : 0;
		row->label = strdup(by->place[rows->nr]->label);
		if (!row->label)
			return bpmu_error_no_memory(err, "--by");
		rows->nr++;
	}
	return 0;
}

/**
 * bpmu_by_interval() - all that was counted, as one interval
 * @by: ended
 *
 * Places stand where CPUs do. An uncore has counted for all of them together.
 *
 * Return: the interval, of the recorded groups; good until @by is freed.
 */
struct bpmu_interval bpmu_by_interval(const struct bpmu_by *by)
{
	double seconds = (by->end - by->begin) /
			 (1e3 * by->about->info.tsc_khz);

	return (struct bpmu_interval){
		.whole = true, .last = true,
		.seconds = seconds, .duration = seconds,
		.cell = by->cell,
		.enabled = by->tail + ENABLED * by->nr,
		.lost = by->tail + LOST * by->nr,
		.spent = by->tail + SPENT * by->nr,
		.flaws = by->tail + FLAWS * by->nr,
	};
}

/**
 * bpmu_by_free() - free all of it
 * @by: in any state
 */
void bpmu_by_free(struct bpmu_by *by)
{
	unsigned int i;

	for (i = 0; by->cpu && i < by->nr_cpus; i++)
		free(by->cpu[i].last);
	bpmu_by_free_places(by);
	free(by->cpu);
	free(by->delta);
	free(by->cell);
	free(by->tail);
	bpmu_by_symbols_free(&by->symbols);
	memset(by, 0, sizeof(*by));
}
