// SPDX-License-Identifier: GPL-2.0
/*
 * Core types in event names. An event may begin with the name of one of perf's PMUs: "cpu/" or, on
 * a hybrid CPU, "cpu_core/" or "cpu_atom/", which stand for its core types. Linux defines these
 * names in arch/x86/events/intel/core.c, intel_hybrid_pmu_type_map.
 */
#include "event_core.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"

static const struct core {
	const char *prefix;
	const char *cores;
	enum bpmu_core core_type;
} cores[] = {
	{ "cpu/", "all", BPMU_CORE_ANY },
	{ "cpu_core/", "performance", BPMU_CORE_PERFORMANCE },
	{ "cpu_atom/", "efficient", BPMU_CORE_EFFICIENT },
};

static const struct core *event_core_find(const char *text)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cores); i++)
		if (!strncasecmp(text, cores[i].prefix,
				 strlen(cores[i].prefix)))
			return &cores[i];
	return NULL;
}

static const struct core *core_of(const struct bpmu_part *part)
{
	enum bpmu_core core_type = bpmu_event_core_of(part);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cores) - 1; i++)
		if (cores[i].core_type == core_type)
			break;
	return &cores[i];
}

/**
 * bpmu_event_core_of() - core type on which the events of a CPU model are counted
 * @part: descriptor of the CPU model; a hybrid CPU model has a descriptor per core type, or one for
 *	both
 *
 * Return: &enum bpmu_core; BPMU_CORE_ANY if the CPU model is not hybrid, or if the descriptor is
 * for both core types.
 */
enum bpmu_core bpmu_event_core_of(const struct bpmu_part *part)
{
	enum bpmu_core found = BPMU_CORE_ANY;
	const struct bpmu_cpu_id *id;

	for (id = part->ids; id->vendor; id++) {
		if (id->core == BPMU_CORE_ANY)
			continue;
		if (found != BPMU_CORE_ANY && found != id->core)
			return BPMU_CORE_ANY;
		found = id->core;
	}
	return found;
}

/**
 * bpmu_event_core_end() - length of the core type before an event's name, such as "cpu_core/"
 * @text: event, such as "cpu_core/cycles/"
 *
 * Return: the length of "cpu/", "cpu_core/" or "cpu_atom/"; 0 if @text begins with none of them.
 */
size_t bpmu_event_core_end(const char *text)
{
	const struct core *core = event_core_find(text);

	return core ? strlen(core->prefix) : 0;
}

/**
 * bpmu_event_core_check() - check that the core type before an event's name is the CPU model's
 * @part: descriptor of the CPU model
 * @text: the event, which begins with the name of a PMU of perf, such as "cpu_core/", which stands
 *	for a core type
 *
 * Return: 0, -EXDEV if the name stands for the other core type, or -EINVAL if the CPU model is not
 * hybrid.
 */
int bpmu_event_core_check(const struct bpmu_part *part, const char *text,
			  struct bpmu_error *err)
{
	const struct core *wanted = event_core_find(text);
	const struct core *here = core_of(part);

	if (wanted->core_type == BPMU_CORE_ANY || wanted == here)
		return 0;
	if (here->core_type == BPMU_CORE_ANY)
		return bpmu_error_set(err, -EINVAL,
			"event '%s': %s has only one core type; write cpu/%s",
			text, part->name, text + strlen(wanted->prefix));
	return bpmu_error_set(err, -EXDEV,
		"event '%s': is for %s cores, and these CPUs are %s cores (%s); choose others with -C, or write %s%s",
		text, wanted->cores, here->cores, part->name, here->prefix,
		text + strlen(wanted->prefix));
}
