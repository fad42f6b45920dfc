// SPDX-License-Identifier: GPL-2.0
#include "parts.h"

static const struct bpmu_part *const parts[] = {
#define PART(name, ...) (&bpmu_##name)
#include "part_list.h"
	NULL
};

/**
 * bpmu_part_at() - iterate over the list of all parts
 * @i: index in the list, from 0 on
 *
 * Context: any.
 * Return: the part, or NULL after the last one.
 */
const struct bpmu_part *bpmu_part_at(unsigned int i)
{
	return parts[i];
}

static int in_range(const struct bpmu_cpu_id *id, u8 model)
{
	u8 last = id->last ? id->last : id->model;

	return model >= id->model && model <= last;
}

static int id_match(const struct bpmu_cpu_id *id, const struct bpmu_cpu_id *cpu)
{
	for (; id->vendor; id++)
		if (id->vendor == cpu->vendor && id->core == cpu->core &&
		    (!id->family || (id->family == cpu->family &&
				     in_range(id, cpu->model))) &&
		    (!id->native || id->native == cpu->native))
			return 1;
	return 0;
}

/**
 * bpmu_part_find() - find in the list of parts the one of a CPU, by its family, model and core type
 * @cpu: vendor, family, model and core type, from CPUID
 *
 * Context: any.
 * Return: the part, or NULL if no part lists this CPU.
 */
const struct bpmu_part *bpmu_part_find(const struct bpmu_cpu_id *cpu)
{
	const struct bpmu_part *part;
	unsigned int i;

	for (i = 0; (part = bpmu_part_at(i)); i++)
		if (id_match(part->ids, cpu))
			return part;
	return NULL;
}

static int name_equal(const char *a, const char *b)
{
	for (; *a && *a == *b; a++, b++)
		;
	return *a == *b;
}

/**
 * bpmu_part_by_name() - find a part in the list of parts by its short name
 * @name: short name of the part, as in &bpmu_part.name
 *
 * Context: any.
 * Return: the part, or NULL if no part has that name.
 */
const struct bpmu_part *bpmu_part_by_name(const char *name)
{
	const struct bpmu_part *part;
	unsigned int i;

	for (i = 0; (part = bpmu_part_at(i)); i++)
		if (name_equal(part->name, name))
			return part;
	return NULL;
}
