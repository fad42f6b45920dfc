// SPDX-License-Identifier: GPL-2.0
#include "part.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/nearest.h"
#include "event_counters.h"
#include "events.h"
#include "this_cpu.h"

/**
 * bpmu_part_make_up() - construct the PMU of a part (CPU model), to resolve names and formulas only
 * @pmu: set; it has all counters that can count events of the CPU model while hyper-threading is on
 * @part: descriptor of the CPU model
 */
void bpmu_part_make_up(struct bpmu_pmu *pmu, const struct bpmu_part *part)
{
	const struct bpmu_cpuid none = { 0 };
	const struct bpmu_event *rows;
	const struct bpmu_box *box;
	u64 general;
	u64 set = 0;
	size_t nr;
	size_t i;

	rows = bpmu_events(part, &nr);
	for (i = 0; i < nr; i++)
		if (rows[i].unit == BPMU_UNIT_CORE)
			set |= rows[i].counters;
	general = set & BPMU_COUNTERS_GENERAL;
	bpmu_pmu_init(pmu, part, &none, BPMU_CORE_ANY);
	pmu->gp_counters = __builtin_popcountll(general);
	pmu->fixed_counters = __builtin_popcountll(set ^ general);
	for (box = part->uncore ? part->uncore->boxes : NULL; box && box->unit; box++)
		if (box->nr > 1)
			pmu->nr[box->unit] = 1;
}

static bool has_core_type(const struct bpmu_part *part, const struct bpmu_cpu_id *not)
{
	const struct bpmu_cpu_id *id;

	for (id = part->ids; id->vendor; id++)
		if (id->vendor == not->vendor && id->family == not->family &&
		    id->model == not->model && id->core != BPMU_CORE_ANY &&
		    id->core != not->core)
			return true;
	return false;
}

/**
 * bpmu_part_other_core_type() - find the part (descriptor) of the other core type of a hybrid CPU
 * @part: descriptor of one core type of a CPU model
 *
 * Return: the descriptor of the other core type, or NULL if @part is not of a hybrid CPU.
 */
const struct bpmu_part *bpmu_part_other_core_type(const struct bpmu_part *part)
{
	const struct bpmu_cpu_id *id;
	unsigned int i;

	for (i = 0; bpmu_part_at(i); i++)
		for (id = part->ids; id->vendor; id++)
			if (id->core != BPMU_CORE_ANY &&
			    has_core_type(bpmu_part_at(i), id))
				return bpmu_part_at(i);
	return NULL;
}

/*
 * Platforms: CPU models that have the same counters as another CPU model (@part), but for which
 * Intel has separate event files
 */
static const struct {
	const char *name;
	const char *part;
	struct bpmu_cpu_id cpu;
	u8 stepping;
} platforms[] = {
	{ "clx", "skx", { BPMU_VENDOR_INTEL, 6, 0x55 }, 7 },
};

/**
 * bpmu_part_platform() - find the CPU of a platform that uses the part (counters) of another model
 * @name: name of the platform, such as "clx", which has the counters of "skx"
 * @cpu: set to the platform's model; not changed if @name is not that of a platform
 * @stepping: set to the platform's stepping; not changed if @name is not that of a platform
 */
void bpmu_part_platform(const char *name, struct bpmu_cpu_id *cpu, u8 *stepping)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(platforms); i++) {
		if (strcmp(name, platforms[i].name))
			continue;
		*cpu = platforms[i].cpu;
		*stepping = platforms[i].stepping;
	}
}

/* Appends a name to a list of names in @names, which has room for @size bytes. */
static void append_name(char *names, size_t size, const char *name)
{
	size_t length = strlen(names);

	snprintf(names + length, size - length, "%s%s", length ? ", " : "", name);
}

/**
 * bpmu_part_named() - construct the PMU of a named part, to resolve names and formulas only
 * @pmu: set
 * @name: short name of a CPU model, such as "ivb", or of a platform (CPU model with the counters of
 *	another one), such as "clx"
 *
 * Return: 0 or -ENOENT.
 */
int bpmu_part_named(struct bpmu_pmu *pmu, const char *name,
		    struct bpmu_error *err)
{
	const struct bpmu_part *part = bpmu_events_part(name);
	struct bpmu_nearest nearest = { .typed = name };
	char list[BPMU_NEAREST_LIST];
	char names[sizeof(err->text)] = "";
	const char *other;
	unsigned int i;

	for (i = 0; !part && i < ARRAY_SIZE(platforms); i++)
		if (!strcmp(name, platforms[i].name))
			part = bpmu_events_part(platforms[i].part);
	if (part) {
		bpmu_part_make_up(pmu, part);
		return 0;
	}
	for (i = 0; bpmu_part_at(i); i++) {
		other = bpmu_part_at(i)->name;
		append_name(names, sizeof(names), other);
		bpmu_nearest_offer(&nearest, other);
	}
	for (i = 0; i < ARRAY_SIZE(platforms); i++) {
		if (!bpmu_events_part(platforms[i].part))
			continue;
		append_name(names, sizeof(names), platforms[i].name);
		bpmu_nearest_offer(&nearest, platforms[i].name);
	}
	bpmu_nearest_list(&nearest, list, sizeof(list));
	if (*list)
		return bpmu_error_set(err, -ENOENT,
				      "part '%s': not known; did you mean %s? See 'barepmu list parts'",
				      name, list);
	return bpmu_error_set(err, -ENOENT,
			      "part '%s': not known; choose one of %s", name,
			      names);
}

/**
 * bpmu_part_here() - construct the PMU of this machine's part, to resolve names and formulas only
 * @pmu: set
 *
 * This executes CPUID, and uses neither the module nor the PMU.
 *
 * Return: 0 or -ENODEV.
 */
int bpmu_part_here(struct bpmu_pmu *pmu, struct bpmu_error *err)
{
	struct bpmu_this_cpu cpu;
	int ret;

	ret = bpmu_this_cpu(&cpu, err);
	if (!ret)
		bpmu_part_make_up(pmu, cpu.pmu.part);
	return ret;
}
