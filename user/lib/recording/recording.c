// SPDX-License-Identifier: GPL-2.0
/*
 * The description of a recording in JSON: writes it, reads it, and finds the topology of the
 * machine, which is a part of the description.
 */
#include "recording.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/fields.h"
#include "base/plain.h"

/* Returns @word, or "?" if @word is not UTF-8, because readers of JSON would refuse it. */
static const char *readable(const char *word)
{
	return bpmu_utf8_is(word, strlen(word)) ? word : "?";
}

static void rec_about_put_words(struct bpmu_object *object, const char *name,
				char *const *word)
{
	struct bpmu_field element = { .form = BPMU_FIELD_TEXT };

	bpmu_object_open(object, name, '[');
	for (; word && *word; word++) {
		element.text = readable(*word);
		bpmu_object_put(object, &element, 1);
	}
	bpmu_object_close(object, ']');
}

static void put_cpus(struct bpmu_object *object,
		     const struct bpmu_recording_about *about)
{
	unsigned int i;

	bpmu_object_open(object, "cpus", '[');
	for (i = 0; i < about->cpus.nr; i++) {
		const struct bpmu_field cpu[] = {
			{ .form = BPMU_FIELD_WHOLE, .whole = about->cpus.cpu[i] },
			{ .form = BPMU_FIELD_FIXED,
			  .number = about->topology[i].package },
			{ .form = BPMU_FIELD_FIXED,
			  .number = about->topology[i].core },
			{ .form = BPMU_FIELD_FIXED,
			  .number = about->topology[i].die },
			{ .form = BPMU_FIELD_FIXED,
			  .number = about->topology[i].cache },
			{ .form = BPMU_FIELD_FIXED,
			  .number = about->topology[i].node },
		};
		const struct bpmu_field element = {
			.form = BPMU_FIELD_LIST, .of = { cpu, ARRAY_SIZE(cpu) },
		};

		bpmu_object_put(object, &element, 1);
	}
	bpmu_object_close(object, ']');
}

static void put_machine(struct bpmu_object *object,
			const struct bpmu_recording_about *about)
{
	unsigned int i;

	bpmu_object_open(object, "machine", '[');
	for (i = 0; i < about->machine_cpus; i++) {
		const struct bpmu_field cpu[] = {
			{ .form = BPMU_FIELD_FIXED,
			  .number = about->machine_topology[i].package },
			{ .form = BPMU_FIELD_FIXED,
			  .number = about->machine_topology[i].core },
			{ .form = BPMU_FIELD_FIXED,
			  .number = about->machine_topology[i].die },
			{ .form = BPMU_FIELD_FIXED,
			  .number = about->machine_topology[i].cache },
			{ .form = BPMU_FIELD_FIXED,
			  .number = about->machine_topology[i].node },
		};
		const struct bpmu_field element = {
			.form = BPMU_FIELD_LIST, .of = { cpu, ARRAY_SIZE(cpu) },
		};

		bpmu_object_put(object, &element, 1);
	}
	bpmu_object_close(object, ']');
}

static void put_slot(struct bpmu_object *object,
		     const struct bpmu_sched_slot *slot)
{
	const struct bpmu_field members[] = {
		{ "event", slot->text, BPMU_FIELD_TEXT },
		{ "counter", .form = BPMU_FIELD_WHOLE, .whole = slot->counter },
		{ "sibling", .form = BPMU_FIELD_WHOLE, .whole = slot->sibling },
		{ "select", .form = BPMU_FIELD_HEX, .whole = slot->select },
		{ "filter", .form = BPMU_FIELD_HEX, .whole = slot->filter },
		{ "counters", .form = BPMU_FIELD_HEX, .whole = slot->counters },
		{ "unit", .form = BPMU_FIELD_WHOLE, .whole = slot->unit },
		{ "field", .form = BPMU_FIELD_WHOLE, .whole = slot->field },
		{ "value", .form = BPMU_FIELD_WHOLE, .whole = slot->value },
		{ "period", .form = BPMU_FIELD_WHOLE, .whole = slot->period,
		  .absent = !slot->period },
		{ "frequency", .form = BPMU_FIELD_WHOLE, .whole = slot->frequency,
		  .absent = !slot->frequency },
	};
	const struct bpmu_field element = {
		.form = BPMU_FIELD_OBJECT, .of = { members, ARRAY_SIZE(members) },
	};

	bpmu_object_put(object, &element, 1);
}

static void put_recorded_group(struct bpmu_object *object,
			       const struct bpmu_sched *sched)
{
	const struct bpmu_field members[] = {
		{ "bank", bpmu_bank_facts[sched->bank].name, BPMU_FIELD_TEXT },
		{ "values", .form = BPMU_FIELD_WHOLE, .whole = sched->values },
	};
	unsigned int i;

	bpmu_object_open(object, NULL, '{');
	bpmu_object_put(object, members, ARRAY_SIZE(members));
	bpmu_object_open(object, "events", '[');
	for (i = 0; i < sched->nr; i++)
		put_slot(object, &sched->slot[i]);
	bpmu_object_close(object, ']');
	bpmu_object_close(object, '}');
}

static void rec_about_put_groups(struct bpmu_object *object,
				 const struct bpmu_groups *groups)
{
	unsigned int g;

	bpmu_object_open(object, "groups", '[');
	for (g = 0; g < groups->nr; g++)
		put_recorded_group(object, &groups->group[g].sched);
	bpmu_object_close(object, ']');
}

static void put_boxes(struct bpmu_object *object, const struct bpmu_pmu *pmu, unsigned int unit)
{
	const struct bpmu_field members[] = {
		{ "unit", bpmu_unit_facts[unit].name, BPMU_FIELD_TEXT },
		{ "nr", .form = BPMU_FIELD_WHOLE, .whole = pmu->nr[unit] },
		{ "counters", .form = BPMU_FIELD_WHOLE, .whole = pmu->counters[unit] },
	};

	if (!pmu->nr[unit])
		return;
	bpmu_object_open(object, NULL, '{');
	bpmu_object_put(object, members, ARRAY_SIZE(members));
	bpmu_object_close(object, '}');
}

static void rec_about_put_part(struct bpmu_object *object,
			       const struct bpmu_info *info)
{
	const struct bpmu_pmu *pmu = &info->pmu;
	const struct bpmu_field members[] = {
		{ "name", readable(info->part), BPMU_FIELD_TEXT },
		{ "title", readable(info->title), BPMU_FIELD_TEXT },
		{ "module", readable(info->module_version), BPMU_FIELD_TEXT },
		{ "family", .form = BPMU_FIELD_WHOLE, .whole = info->family },
		{ "model", .form = BPMU_FIELD_WHOLE, .whole = info->model },
		{ "stepping", .form = BPMU_FIELD_WHOLE,
		  .whole = info->stepping },
		{ "version", .form = BPMU_FIELD_WHOLE, .whole = pmu->version },
		{ "gp_counters", .form = BPMU_FIELD_WHOLE,
		  .whole = pmu->gp_counters },
		{ "gp_width", .form = BPMU_FIELD_WHOLE, .whole = pmu->gp_width },
		{ "fixed_counters", .form = BPMU_FIELD_WHOLE,
		  .whole = pmu->fixed_counters },
		{ "fixed_width", .form = BPMU_FIELD_WHOLE,
		  .whole = pmu->fixed_width },
		{ "metrics", .form = BPMU_FIELD_WHOLE, .whole = pmu->metrics },
		{ "global", .form = BPMU_FIELD_WHOLE, .whole = pmu->global },
		{ "free", .form = BPMU_FIELD_HEX, .whole = pmu->free },
		{ "units", .form = BPMU_FIELD_HEX, .whole = pmu->units },
		{ "tjmax", .form = BPMU_FIELD_WHOLE, .whole = pmu->tjmax },
	};
	unsigned int unit;

	bpmu_object_open(object, "part", '{');
	bpmu_object_put(object, members, ARRAY_SIZE(members));
	bpmu_object_open(object, "boxes", '[');
	for (unit = 0; unit < BPMU_UNITS; unit++)
		put_boxes(object, pmu, unit);
	bpmu_object_close(object, ']');
	bpmu_object_close(object, '}');
}

/*
 * Writes the version of Intel's published Top-Down tree, such as "TMA 5.2", if this tree was
 * measured on the core type.
 */
static void rec_about_put_tree(struct bpmu_object *object,
			       const struct bpmu_recording_about *about)
{
	const struct bpmu_field tree = {
		"tree", about->tree, BPMU_FIELD_TEXT, .absent = !about->tree,
	};

	bpmu_object_put(object, &tree, 1);
}

static void put_other(struct bpmu_object *object,
		      const struct bpmu_recording_about *other)
{
	bpmu_object_open(object, "other", '{');
	rec_about_put_part(object, &other->info);
	put_cpus(object, other);
	rec_about_put_groups(object, &other->groups);
	rec_about_put_tree(object, other);
	bpmu_object_close(object, '}');
}

static void put_all(FILE *out, const struct bpmu_recording_about *about)
{
	const struct bpmu_field host = {
		"host", readable(about->host ?: ""), BPMU_FIELD_TEXT,
	};
	const struct bpmu_field session[] = {
		{ "tsc_khz", .form = BPMU_FIELD_WHOLE,
		  .whole = about->info.tsc_khz },
		{ "interval_ns", .form = BPMU_FIELD_WHOLE,
		  .whole = about->interval_ns },
		{ "period_ns", .form = BPMU_FIELD_WHOLE,
		  .whole = about->period_ns },
		{ "timer", .form = BPMU_FIELD_WHOLE, .whole = about->timer },
		{ "smt", .form = BPMU_FIELD_FLAG, .whole = about->smt },
		{ "arbiter_counts_occupancy_twice", .form = BPMU_FIELD_FLAG,
		  .whole = about->arb_both },
		{ "counts", .form = BPMU_FIELD_FLAG, .whole = about->counts,
		  .absent = !about->counts },
	};
	const struct bpmu_field ceiling[] = {
		{ "bytes", .form = BPMU_FIELD_WHOLE,
		  .whole = about->ceilings.bytes },
		{ "flops", .form = BPMU_FIELD_WHOLE,
		  .whole = about->ceilings.flops },
		{ "uops", .form = BPMU_FIELD_WHOLE,
		  .whole = about->ceilings.uops },
	};
	const struct bpmu_field ceilings = {
		"ceilings", .form = BPMU_FIELD_OBJECT,
		.of = { ceiling, ARRAY_SIZE(ceiling) },
		.absent = !about->ceilings.bytes,
	};
	const struct bpmu_field file[] = {
		{ "session", .form = BPMU_FIELD_HEX, .whole = about->session,
		  .absent = !about->session },
		{ "file", .form = BPMU_FIELD_WHOLE, .whole = about->file,
		  .absent = !about->session },
	};
	const struct bpmu_table table = { .out = out, .format = BPMU_JSON };
	struct bpmu_object object = bpmu_table_open(&table, &host, 1);
	unsigned int i;

	rec_about_put_part(&object, &about->info);
	bpmu_object_put(&object, session, ARRAY_SIZE(session));
	put_cpus(&object, about);
	put_machine(&object, about);
	rec_about_put_groups(&object, &about->groups);
	rec_about_put_tree(&object, about);
	for (i = 1; i <= about->others; i++)
		put_other(&object, &about[i]);
	bpmu_object_put(&object, &ceilings, 1);
	bpmu_object_put(&object, file, ARRAY_SIZE(file));
	rec_about_put_words(&object, "asked", about->asked);
	rec_about_put_words(&object, "command", about->command);
	bpmu_object_close(&object, '}');
	bpmu_line_write(&object.line);
}

/**
 * bpmu_recording_about_text() - format what a recording says about itself: its description
 * @about: complete description
 *
 * The text is written member by member. To build a tree of JSON objects first would take half of
 * the time that starting a recording takes.
 *
 * Return: JSON text, which the caller frees; NULL if out of memory.
 */
char *bpmu_recording_about_text(const struct bpmu_recording_about *about)
{
	char *text = NULL;
	size_t size;
	FILE *out;

	out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	put_all(out, about);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

/*
 * Maximum number of words of a recorded command, so that a malformed file cannot take much memory
 */
#define WORDS_MAX 4096

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

/* Parses the member @key. Returns false unless it is a number from 0 to @most. */
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

static bool parse_boxes(const json_t *list, struct bpmu_pmu *pmu)
{
	const json_t *boxes;
	const char *name;
	unsigned int unit;
	size_t i;

	if (!json_is_array(list))
		return false;
	json_array_foreach(list, i, boxes) {
		name = json_string_value(json_object_get(boxes, "unit"));
		for (unit = 0; name && unit < BPMU_UNITS; unit++)
			if (!strcmp(name, bpmu_unit_facts[unit].name))
				break;
		if (!name || unit == BPMU_UNITS ||
		    !rec_parse_take_u8(boxes, "nr", bpmu_unit_facts[unit].most, &pmu->nr[unit]) ||
		    !rec_parse_take_u8(boxes, "counters", 255, &pmu->counters[unit]))
			return false;
	}
	return true;
}

static bool parse_part(const json_t *part, struct bpmu_info *info)
{
	struct bpmu_pmu *pmu = &info->pmu;

	return rec_parse_take_text(part, "name", info->part, sizeof(info->part)) &&
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
	       take_bits(part, "free", &pmu->free) &&
	       take_bits(part, "units", &pmu->units) &&
	       rec_parse_take_u8(part, "tjmax", 255, &pmu->tjmax) &&
	       parse_boxes(json_object_get(part, "boxes"), pmu);
}

/*
 * Parses the topology of a CPU: the numbers of a JSON array from index @at on, each of which is -1
 * if it was not known. Returns NULL, or what is not usable. The numbers of an L3 and of a node were
 * read from lists like those of CPUs, the others from files with one number.
 */
static const char *parse_topology(const json_t *list, unsigned int at,
				  struct bpmu_topology *topology)
{
	const struct {
		int *to;
		int most;
		const char *what;
	} member[] = {
		{ &topology->package, INT_MAX, "package of a CPU" },
		{ &topology->core, INT_MAX, "core of a CPU" },
		{ &topology->die, INT_MAX, "die of a CPU" },
		{ &topology->cache, BPMU_CPULIST_MAX - 1, "L3 of a CPU" },
		{ &topology->node, BPMU_CPULIST_MAX - 1, "NUMA node of a CPU" },
	};
	const json_t *number;
	json_int_t value;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(member); i++) {
		number = json_array_get(list, at + i);
		value = json_integer_value(number);
		if (!json_is_integer(number) || value < -1 || value > member[i].most)
			return member[i].what;
		*member[i].to = value;
	}
	return NULL;
}

/* Parses the measured CPUs. Returns NULL, or what is not usable. */
static const char *parse_cpus(const json_t *list, struct bpmu_recording_about *about)
{
	const char *wrong;
	const json_t *entry;
	json_int_t cpu, before = -1;
	size_t i;

	for (i = 0; i < json_array_size(list); i++) {
		entry = json_array_get(list, i);
		cpu = json_integer_value(json_array_get(entry, 0));
		if (cpu <= before || cpu >= BPMU_CPULIST_MAX)
			return "list of CPUs";
		wrong = parse_topology(entry, 1, &about->topology[i]);
		if (wrong)
			return wrong;
		before = cpu;
		about->cpus.cpu[about->cpus.nr++] = cpu;
	}
	return i ? NULL : "list of CPUs";
}

static int parse_machine(const json_t *list, struct bpmu_recording_about *about,
			 const char *name, struct bpmu_error *err)
{
	size_t nr = json_array_size(list);
	const char *wrong;
	size_t i;

	if (nr > BPMU_CPULIST_MAX)
		return rec_parse_wrong(name, "list of CPUs", err);
	about->machine_topology = calloc(nr + 1, sizeof(*about->machine_topology));
	if (!about->machine_topology)
		return bpmu_error_no_memory(err, name);
	for (i = 0; i < nr; i++) {
		wrong = parse_topology(json_array_get(list, i), 0, &about->machine_topology[i]);
		if (wrong)
			return rec_parse_wrong(name, wrong, err);
	}
	about->machine_cpus = nr;
	return 0;
}

static int parse_measured_cpus(const json_t *all,
			       struct bpmu_recording_about *about,
			       const char *name, struct bpmu_error *err)
{
	const json_t *cpus = json_object_get(all, "cpus");
	size_t nr = json_array_size(cpus);
	const char *wrong;

	if (nr > BPMU_CPULIST_MAX)
		return rec_parse_wrong(name, "list of CPUs", err);
	about->cpus.cpu = calloc(nr + 1, sizeof(*about->cpus.cpu));
	about->topology = calloc(nr + 1, sizeof(*about->topology));
	if (!about->cpus.cpu || !about->topology)
		return bpmu_error_no_memory(err, name);
	wrong = parse_cpus(cpus, about);
	return wrong ? rec_parse_wrong(name, wrong, err) : 0;
}

static bool parse_slot(const json_t *event, struct bpmu_sched_slot *slot)
{
	const char *text = json_string_value(json_object_get(event, "event"));

	if (!text || !rec_parse_take(event, "counter", ~0U, &slot->counter) ||
	    !rec_parse_take(event, "sibling", ~0U, &slot->sibling) ||
	    bpmu_bank_of(slot->counter) < 0 || bpmu_bank_of(slot->sibling) < 0 ||
	    !take_bits(event, "select", &slot->select) ||
	    (json_object_get(event, "filter") &&
	     !take_bits(event, "filter", &slot->filter)) ||
	    !take_bits(event, "counters", &slot->counters) ||
	    !rec_parse_take_u8(event, "unit", 255, &slot->unit) ||
	    !rec_parse_take_u8(event, "field", 7, &slot->field) ||
	    !rec_parse_take_u8(event, "value", BPMU_MAX_COUNTERS - 1, &slot->value) ||
	    (json_object_get(event, "period") &&
	     !rec_parse_take(event, "period", BPMU_MAX_PERIOD, &slot->period)) ||
	    (json_object_get(event, "frequency") &&
	     !rec_parse_take(event, "frequency", BPMU_MAX_FREQUENCY, &slot->frequency)))
		return false;
	slot->text = plain_copy(text);
	return true;
}

static bool parse_bank(const json_t *json, struct bpmu_sched *sched)
{
	const char *name = json_string_value(json_object_get(json, "bank"));
	unsigned int bank;

	for (bank = 0; name && bank < BPMU_BANKS; bank++)
		if (!strcmp(name, bpmu_bank_facts[bank].name)) {
			sched->bank = bank;
			return true;
		}
	return false;
}

static bool parse_group(const json_t *json, struct bpmu_sched *sched)
{
	const json_t *events = json_object_get(json, "events");
	size_t nr = json_array_size(events);

	if (!parse_bank(json, sched) || !nr || nr > BPMU_MAX_COUNTERS ||
	    !rec_parse_take(json, "values", BPMU_MAX_COUNTERS, &sched->values))
		return false;
	for (; sched->nr < nr; sched->nr++)
		if (!parse_slot(json_array_get(events, sched->nr),
				&sched->slot[sched->nr]) ||
		    sched->slot[sched->nr].value >= sched->values)
			return false;
	return true;
}

/* Checks that there was memory for the names of a group's events. */
static bool has_names(const struct bpmu_sched *sched)
{
	unsigned int i;

	for (i = 0; i < sched->nr; i++)
		if (!sched->slot[i].text)
			return false;
	return true;
}

static int parse_groups(const json_t *list, struct bpmu_recording_about *about,
			const char *name, struct bpmu_error *err)
{
	struct bpmu_groups *groups = &about->groups;
	enum bpmu_bank_id last = BPMU_BANK_CORE;
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
		    sched->bank < last)
			return rec_parse_wrong(name, "groups of events", err);
		if (!has_names(sched))
			return bpmu_error_no_memory(err, name);
		groups->slots += sched->nr;
		groups->nr_of[sched->bank]++;
		last = sched->bank;
	}
	return 0;
}

/*
 * Returns the strings of a JSON array as an array ended by NULL; NULL if the JSON array is empty,
 * or if out of memory.
 */
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

/* Parses those members of a description that depend on the core type: CPU model, CPUs, groups. */
static int parse_core_type(const json_t *json, struct bpmu_recording_about *about,
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
	info->pmu.legal = info->pmu.part->legal;
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

/*
 * Returns a copy of the recorded version of Intel's published Top-Down tree, such as "TMA 5.2";
 * NULL if this tree was not recorded.
 */
static char *parse_tree(const json_t *json)
{
	const char *tree = json_string_value(json_object_get(json, "tree"));

	return tree ? plain_copy(tree) : NULL;
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
	other->tree = parse_tree(json);
	about->others = 1;
	code = parse_core_type(json, other, name, err);
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
	about->counts = json_is_true(json_object_get(all, "counts"));
	about->tree = parse_tree(all);
	about->asked = parse_words(json_object_get(all, "asked"));
	about->command = parse_words(json_object_get(all, "command"));
	about->host = plain_copy(host ?: "");
	code = parse_machine(json_object_get(all, "machine"), about, name, err);
	if (!code)
		code = parse_core_type(all, about, name, err);
	if (!code && other)
		code = parse_other(other, about, name, err);
	return code;
}

/**
 * bpmu_recording_about_parse() - parse the JSON description that a recording contains
 * @about: filled in, [BPMU_CORE_TYPES]; free it with bpmu_recording_about_free(), also after an
 *	error
 * @text: JSON text
 * @size: size of @text in bytes
 * @name: name of the file, for errors
 */
int bpmu_recording_about_parse(struct bpmu_recording_about *about,
			       const char *text, size_t size, const char *name,
			       struct bpmu_error *err)
{
	json_t *all = json_loadb(text, size, 0, NULL);
	int code;

	memset(about, 0, BPMU_CORE_TYPES * sizeof(*about));
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
 * bpmu_recording_groups() - find the groups that a recording's description has for a CPU
 * @about: descriptions of all core types, from bpmu_recording_about_parse()
 * @cpu: number of the CPU
 *
 * Return: the groups of the CPU's core type.
 */
const struct bpmu_groups *
bpmu_recording_groups(const struct bpmu_recording_about *about, u32 cpu)
{
	unsigned int i = about->others;

	while (i && !bpmu_cpulist_has(&about[i].cpus, cpu))
		i--;
	return &about[i].groups;
}

static void free_core_type(struct bpmu_recording_about *about)
{
	struct bpmu_groups *groups = &about->groups;
	unsigned int g, i;

	for (g = 0; g < groups->nr; g++)
		for (i = 0; i < BPMU_MAX_COUNTERS; i++)
			free((char *)groups->group[g].sched.slot[i].text);
	free(groups->group);
	bpmu_cpulist_free(&about->cpus);
	free(about->topology);
	free(about->tree);
}

void bpmu_recording_about_free(struct bpmu_recording_about *about)
{
	unsigned int i;

	for (i = 0; i <= about->others; i++)
		free_core_type(&about[i]);
	free(about->machine_topology);
	free_words(about->asked);
	free_words(about->command);
	free(about->host);
	memset(about, 0, sizeof(*about));
}

/*
 * Sets the topology of a core type's CPUs from the topology of all online CPUs. The identifiers of
 * a CPU that has gone offline in the meantime become -1.
 */
static int pick_topology(struct bpmu_recording_about *about,
			 const struct bpmu_topology *machine,
			 const struct bpmu_cpulist *online,
			 struct bpmu_error *err)
{
	static const struct bpmu_topology nowhere = { -1, -1, -1, -1, -1 };
	unsigned int i, k = 0;

	about->topology = calloc(about->cpus.nr, sizeof(*about->topology));
	if (!about->topology)
		return bpmu_error_no_memory(err, "topology");
	for (i = 0; i < about->cpus.nr; i++) {
		while (k < online->nr && online->cpu[k] < about->cpus.cpu[i])
			k++;
		about->topology[i] = k < online->nr &&
				  online->cpu[k] == about->cpus.cpu[i] ?
			machine[k] : nowhere;
	}
	return 0;
}

/**
 * bpmu_recording_find_topology() - complete a recording's description by the topology of CPUs
 * @about: descriptions of all core types, with their CPUs; the topology of these CPUs and of all
 *	online CPUs is filled in
 */
int bpmu_recording_find_topology(struct bpmu_recording_about *about,
				 struct bpmu_error *err)
{
	struct bpmu_cpulist online;
	unsigned int i;
	int code;

	code = bpmu_cpulist_select(NULL, &online, err);
	if (code)
		return code;
	about->machine_topology = calloc(online.nr, sizeof(*about->topology));
	about->machine_cpus = online.nr;
	if (about->machine_topology)
		bpmu_topology_read(&online, about->machine_topology);
	else
		code = bpmu_error_no_memory(err, "topology");
	for (i = 0; i <= about->others && !code; i++)
		code = pick_topology(&about[i], about->machine_topology, &online,
				     err);
	bpmu_cpulist_free(&online);
	return code;
}
