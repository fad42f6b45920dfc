// SPDX-License-Identifier: GPL-2.0
/*
 * Parses the description of a recording from JSON.
 */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/plain.h"
#include "recording.h"

#define WORDS_MAX 4096
#define COUNTERS_MAX (BPMU_COUNTER_IIO + BPMU_IIO_COUNTERS - 1)

static int rec_parse_wrong(const char *name, const char *what, struct bpmu_error *err)
{
	return bpmu_error_set(err, -EINVAL,
		"%s: its description has no usable %s; record again with this version",
		name, what);
}

static bool take_bits(const json_t *object, const char *key, u64 *number)
{
	const char *text = json_string_value(json_object_get(object, key));
	char *end;

	if (!text)
		return false;
	*number = strtoull(text, &end, 0);
	return end != text && !*end;
}

/* Parses a number from 0 to @most. */
static bool rec_parse_take(const json_t *object, const char *key, u32 most, u32 *number)
{
	const json_t *value = json_object_get(object, key);
	json_int_t integer = json_integer_value(value);

	if (!json_is_integer(value) || integer < 0 || integer > most)
		return false;
	*number = integer;
	return true;
}

static bool rec_parse_take_u8(const json_t *object, const char *key, u32 most, u8 *number)
{
	u32 value;

	if (!rec_parse_take(object, key, most, &value))
		return false;
	*number = value;
	return true;
}

static char *plain_copy(const char *text)
{
	char *copy = strdup(text);

	return copy ? bpmu_plain(copy, "") : NULL;
}

static bool rec_parse_take_text(const json_t *object, const char *key, char *to,
				size_t size)
{
	const char *text = json_string_value(json_object_get(object, key));

	if (!text)
		return false;
	snprintf(to, size, "%s", text);
	bpmu_plain(to, "");
	return true;
}

/* Recordings of earlier versions lack this member. */
static bool parse_free(const json_t *part, struct bpmu_pmu *pmu)
{
	return !json_object_get(part, "free") ||
	       (take_bits(part, "free", &pmu->free) &&
		take_bits(part, "units", &pmu->units) &&
		rec_parse_take_u8(part, "tjmax", 255, &pmu->tjmax));
}

static bool parse_part(const json_t *part, struct bpmu_info *info)
{
	struct bpmu_pmu *pmu = &info->pmu;

	return (!json_object_get(part, "l3") ||
		rec_parse_take_u8(part, "l3", BPMU_L3_COUNTERS, &pmu->l3)) &&
	       (!json_object_get(part, "df") ||
		rec_parse_take_u8(part, "df", BPMU_DF_COUNTERS, &pmu->df)) &&
	       (!json_object_get(part, "umc") ||
		(rec_parse_take_u8(part, "umcs", BPMU_UMCS, &pmu->umcs) &&
		 rec_parse_take_u8(part, "umc", 255, &pmu->umc))) &&
	       (!json_object_get(part, "boxes") ||
		take_bits(part, "boxes", &pmu->boxes)) &&
	       (!json_object_get(part, "imcs") ||
		rec_parse_take_u8(part, "imcs", BPMU_IMCS, &pmu->imcs)) &&
	       (!json_object_get(part, "agents") ||
		rec_parse_take_u8(part, "agents", BPMU_HAS, &pmu->agents)) &&
	       (!json_object_get(part, "links") ||
		rec_parse_take_u8(part, "links", BPMU_LINKS, &pmu->links)) &&
	       (!json_object_get(part, "iios") ||
		rec_parse_take_u8(part, "iios", BPMU_IIOS, &pmu->iios)) &&
	       rec_parse_take_text(part, "name", info->part, sizeof(info->part)) &&
	       rec_parse_take_text(part, "title", info->title, sizeof(info->title)) &&
	       rec_parse_take_text(part, "module", info->module_version,
				   sizeof(info->module_version)) &&
	       rec_parse_take(part, "family", ~0U, &info->family) &&
	       rec_parse_take(part, "model", ~0U, &info->model) &&
	       rec_parse_take(part, "stepping", ~0U, &info->stepping) &&
	       rec_parse_take_u8(part, "version", 255, &pmu->version) &&
	       rec_parse_take_u8(part, "gp_counters", BPMU_MAX_COUNTERS,
				 &pmu->gp_counters) &&
	       rec_parse_take_u8(part, "gp_width", 64, &pmu->gp_width) &&
	       rec_parse_take_u8(part, "fixed_counters", BPMU_MAX_COUNTERS,
				 &pmu->fixed_counters) &&
	       rec_parse_take_u8(part, "fixed_width", 64, &pmu->fixed_width) &&
	       rec_parse_take_u8(part, "metrics", 255, &pmu->metrics) &&
	       rec_parse_take_u8(part, "global", 1, &pmu->global) &&
	       rec_parse_take_u8(part, "cbos", 255, &pmu->cbos) &&
	       parse_free(part, pmu);
}

/* Recordings of earlier versions have neither dies nor caches nor nodes. */
static bool parse_topology(const json_t *list, unsigned int at,
			   struct bpmu_topology *topology)
{
	int *const place[] = {
		&topology->package, &topology->core, &topology->die,
		&topology->cache, &topology->node,
	};
	const json_t *number;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(place); i++) {
		number = json_array_get(list, at + i);
		*place[i] = number ? json_integer_value(number) : -1;
		if (number ? !json_is_integer(number) : i < 2)
			return false;
	}
	return true;
}

static bool parse_cpus(const json_t *list, struct bpmu_recording_about *about)
{
	const json_t *entry;
	json_int_t cpu, before = -1;
	size_t i;

	for (i = 0; i < json_array_size(list); i++) {
		entry = json_array_get(list, i);
		cpu = json_integer_value(json_array_get(entry, 0));
		if (cpu <= before || cpu >= BPMU_CPULIST_MAX ||
		    !parse_topology(entry, 1, &about->topology[i]))
			return false;
		before = cpu;
		about->cpus.cpu[about->cpus.nr++] = cpu;
	}
	return i;
}

static int parse_machine(const json_t *list, struct bpmu_recording_about *about,
			 const char *name, struct bpmu_error *err)
{
	size_t nr = json_array_size(list);
	size_t i;

	if (nr > BPMU_CPULIST_MAX)
		return rec_parse_wrong(name, "list of CPUs", err);
	about->machine_topology = calloc(nr + 1, sizeof(*about->machine_topology));
	if (!about->machine_topology)
		return bpmu_error_no_memory(err, name);
	for (i = 0; i < nr; i++)
		if (!parse_topology(json_array_get(list, i), 0,
				    &about->machine_topology[i]))
			return rec_parse_wrong(name, "list of CPUs", err);
	about->machine_cpus = nr;
	return 0;
}

static int parse_measured_cpus(const json_t *all,
			       struct bpmu_recording_about *about,
			       const char *name, struct bpmu_error *err)
{
	const json_t *cpus = json_object_get(all, "cpus");
	size_t nr = json_array_size(cpus);

	if (nr > BPMU_CPULIST_MAX)
		return rec_parse_wrong(name, "list of CPUs", err);
	about->cpus.cpu = calloc(nr + 1, sizeof(*about->cpus.cpu));
	about->topology = calloc(nr + 1, sizeof(*about->topology));
	if (!about->cpus.cpu || !about->topology)
		return bpmu_error_no_memory(err, name);
	return parse_cpus(cpus, about) ? 0 : rec_parse_wrong(name, "list of CPUs", err);
}

static bool parse_slot(const json_t *event, struct bpmu_sched_slot *slot)
{
	const char *text = json_string_value(json_object_get(event, "event"));

	if (!text || !rec_parse_take(event, "counter", COUNTERS_MAX, &slot->counter) ||
	    !rec_parse_take(event, "sibling", COUNTERS_MAX, &slot->sibling) ||
	    !take_bits(event, "select", &slot->select) ||
	    (json_object_get(event, "filter") &&
	     !take_bits(event, "filter", &slot->filter)) ||
	    !take_bits(event, "counters", &slot->counters) ||
	    !rec_parse_take_u8(event, "unit", 255, &slot->unit) ||
	    !rec_parse_take_u8(event, "field", 7, &slot->field) ||
	    !rec_parse_take_u8(event, "value", BPMU_MAX_COUNTERS - 1, &slot->value))
		return false;
	slot->text = plain_copy(text);
	return slot->text;
}

/* Recordings from before free-running registers have no sides. */
static bool parse_side(const json_t *json, struct bpmu_sched *sched)
{
	u32 side;

	if (json_object_get(json, "side")) {
		if (!rec_parse_take(json, "side", BPMU_NR_SIDES - 1, &side))
			return false;
		sched->side = side;
		return true;
	}
	sched->side = json_is_true(json_object_get(json, "uncore")) ?
		      BPMU_SIDE_UNCORE : BPMU_SIDE_CORE;
	return true;
}

static bool parse_group(const json_t *json, struct bpmu_sched *sched)
{
	const json_t *events = json_object_get(json, "events");
	size_t nr = json_array_size(events);

	if (!parse_side(json, sched) || !nr || nr > BPMU_MAX_COUNTERS ||
	    !rec_parse_take(json, "values", BPMU_MAX_COUNTERS, &sched->values))
		return false;
	for (; sched->nr < nr; sched->nr++)
		if (!parse_slot(json_array_get(events, sched->nr),
				&sched->slot[sched->nr]) ||
		    sched->slot[sched->nr].value >= sched->values)
			return false;
	return true;
}

static int parse_groups(const json_t *list, struct bpmu_recording_about *about,
			const char *name, struct bpmu_error *err)
{
	struct bpmu_groups *groups = &about->groups;
	enum bpmu_side last = BPMU_SIDE_CORE;
	size_t nr = json_array_size(list);
	struct bpmu_sched *sched;

	if (!nr || nr > BPMU_GROUPS_MAX)
		return rec_parse_wrong(name, "groups of events", err);
	groups->pmu = &about->info.pmu;
	groups->group = calloc(nr, sizeof(*groups->group));
	if (!groups->group)
		return bpmu_error_no_memory(err, name);
	while (groups->nr < nr) {
		sched = &groups->group[groups->nr].sched;
		groups->group[groups->nr].first = groups->slots;
		if (!parse_group(json_array_get(list, groups->nr++), sched) ||
		    sched->side < last)
			return rec_parse_wrong(name, "groups of events", err);
		groups->slots += sched->nr;
		groups->nr_of[sched->side]++;
		last = sched->side;
	}
	return 0;
}

/* Returns NULL if there are none, or if there is no memory. */
static char **parse_words(const json_t *list)
{
	size_t nr = json_array_size(list);
	const char *word;
	char **words;
	size_t i;

	if (!nr || nr > WORDS_MAX)
		return NULL;
	words = calloc(nr + 1, sizeof(*words));
	for (i = 0; words && i < nr; i++) {
		word = json_string_value(json_array_get(list, i));
		words[i] = plain_copy(word ?: "?");
		if (!words[i])
			break;
	}
	return words;
}

/* Parses CPUs and groups of a core type. */
static int parse_kind(const json_t *json, struct bpmu_recording_about *about,
		      const char *name, struct bpmu_error *err)
{
	struct bpmu_info *info = &about->info;
	int code;

	if (!parse_part(json_object_get(json, "part"), info))
		return rec_parse_wrong(name, "part", err);
	info->pmu.part = bpmu_part_by_name(info->part);
	if (!info->pmu.part)
		return bpmu_error_set(err, -ENODEV,
			"%s: part '%s' is not known to this version; take the one that has recorded it",
			name, info->part);
	code = parse_measured_cpus(json, about, name, err);
	if (!code)
		code = parse_groups(json_object_get(json, "groups"), about,
				    name, err);
	return code;
}

static bool overlap(const struct bpmu_cpulist *a, const struct bpmu_cpulist *b)
{
	unsigned int i;

	for (i = 0; i < a->nr; i++)
		if (bpmu_cpulist_has(b, a->cpu[i]))
			return true;
	return false;
}

static int parse_other(const json_t *json, struct bpmu_recording_about *about,
		       const char *name, struct bpmu_error *err)
{
	struct bpmu_recording_about *other = &about[1];
	int code;

	*other = *about;
	other->cpus = (struct bpmu_cpulist){ };
	other->topology = NULL;
	other->groups = (struct bpmu_groups){ };
	other->info.pmu = (struct bpmu_pmu){ };
	about->others = 1;
	code = parse_kind(json, other, name, err);
	if (!code && overlap(&about->cpus, &other->cpus))
		code = rec_parse_wrong(name, "list of CPUs", err);
	return code;
}

static bool parse_ceilings(const json_t *json, struct bpmu_ceilings *ceilings)
{
	ceilings->bytes = json_integer_value(json_object_get(json, "bytes"));
	ceilings->flops = json_integer_value(json_object_get(json, "flops"));
	ceilings->uops = json_integer_value(json_object_get(json, "uops"));
	return ceilings->bytes > 0 && ceilings->flops > 0 && ceilings->uops > 0;
}

static int parse_all(const json_t *all, struct bpmu_recording_about *about,
		     const char *name, struct bpmu_error *err)
{
	const char *host = json_string_value(json_object_get(all, "host"));
	const json_t *ceilings = json_object_get(all, "ceilings");
	const json_t *other = json_object_get(all, "other");
	struct bpmu_info *info = &about->info;
	int code;

	if (!rec_parse_take(all, "tsc_khz", ~0U, &info->tsc_khz) || !info->tsc_khz)
		return rec_parse_wrong(name, "rate of the time stamps", err);
	if (!rec_parse_take(all, "timer", BPMU_TIMER_TICK, &about->timer))
		return rec_parse_wrong(name, "timer", err);
	if (json_object_get(all, "session") &&
	    (!take_bits(all, "session", &about->session) || !about->session ||
	     !rec_parse_take(all, "file", ~0U, &about->file) || !about->file))
		return rec_parse_wrong(name, "number of its session or file", err);
	if (ceilings && !parse_ceilings(ceilings, &about->ceilings))
		return rec_parse_wrong(name, "ceilings of the machine", err);
	about->interval_ns = json_integer_value(
		json_object_get(all, "interval_ns"));
	about->period_ns = json_integer_value(json_object_get(all,
							      "period_ns"));
	about->smt = json_is_true(json_object_get(all, "smt"));
	about->arb_both = json_is_true(
		json_object_get(all, "arbiter_counts_occupancy_twice"));
	about->asked = parse_words(json_object_get(all, "asked"));
	about->command = parse_words(json_object_get(all, "command"));
	about->host = plain_copy(host ?: "");
	code = parse_machine(json_object_get(all, "machine"), about, name, err);
	if (!code)
		code = parse_kind(all, about, name, err);
	if (!code && other)
		code = parse_other(other, about, name, err);
	return code;
}

/**
 * bpmu_recording_about_parse() - parse the description of a recording
 * @about: filled in, [BPMU_KINDS]; free it with bpmu_recording_about_free(), on an
 *	error too
 * @text: JSON
 * @size: its bytes
 * @name: name of the file
 * @err: set on failure
 *
 * Return: 0 or a negative errno.
 */
int bpmu_recording_about_parse(struct bpmu_recording_about *about,
			       const char *text, size_t size, const char *name,
			       struct bpmu_error *err)
{
	json_t *all = json_loadb(text, size, 0, NULL);
	int code;

	memset(about, 0, BPMU_KINDS * sizeof(*about));
	code = parse_all(all, about, name, err);
	json_decref(all);
	return code;
}

static void free_words(char **words)
{
	char **word;

	for (word = words; word && *word; word++)
		free(*word);
	free(words);
}

/**
 * bpmu_recording_groups() - find the groups of a CPU
 * @about: parsed
 * @cpu: its number
 *
 * Return: the groups of its kind.
 */
const struct bpmu_groups *
bpmu_recording_groups(const struct bpmu_recording_about *about, u32 cpu)
{
	unsigned int i = about->others;

	while (i && !bpmu_cpulist_has(&about[i].cpus, cpu))
		i--;
	return &about[i].groups;
}

static void free_kind(struct bpmu_recording_about *about)
{
	struct bpmu_groups *groups = &about->groups;
	unsigned int g, i;

	for (g = 0; g < groups->nr; g++)
		for (i = 0; i < BPMU_MAX_COUNTERS; i++)
			free((char *)groups->group[g].sched.slot[i].text);
	free(groups->group);
	bpmu_cpulist_free(&about->cpus);
	free(about->topology);
}

/**
 * bpmu_recording_about_free() - free a parsed description
 * @about: zeroed, or filled by bpmu_recording_about_parse()
 */
void bpmu_recording_about_free(struct bpmu_recording_about *about)
{
	unsigned int i;

	for (i = 0; i <= about->others; i++)
		free_kind(&about[i]);
	free(about->machine_topology);
	free_words(about->asked);
	free_words(about->command);
	free(about->host);
	memset(about, 0, sizeof(*about));
}
