// SPDX-License-Identifier: GPL-2.0
#include "recording_who_maps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain.h"
#include "symbols.h"

/* Maximum number of mappings that are read of a process */
#define MAPS_MAX 4096
/* Address below which all mappings of programs are; only the kernel's vsyscall page is above it */
#define USER_END (1ULL << 62)

/*
 * Reads the build-id of a file that a process has mapped. The path is resolved below the root
 * directory of the process, because the process may be in a container.
 */
static void build_id(u32 tgid, const char *path, char text[BPMU_BUILD_ID])
{
	char *inside;

	text[0] = '\0';
	if (path[0] != '/' ||
	    asprintf(&inside, "/proc/%u/root%s", tgid, path) < 0)
		return;
	bpmu_symbols_build_id(inside, text);
	free(inside);
}

static void who_maps_add_line(json_t *maps, u32 tgid, const char *line)
{
	const char *permissions = strchr(line, ' ');
	unsigned long long start, end, offset;
	char id[BPMU_BUILD_ID];
	const char *path;
	int at = 0;

	/* Most mappings are not executable. */
	if (!permissions || strnlen(permissions, 4) < 4 || permissions[3] != 'x' ||
	    sscanf(line, "%llx-%llx %*s %llx %*s %*s %n", &start, &end, &offset, &at) < 3 || !at ||
	    end > USER_END)
		return;
	path = line + at;
	build_id(tgid, path, id);
	json_array_append_new(maps,
			      json_pack("[I,I,I,o,s]", (json_int_t)start,
					(json_int_t)(end - start), (json_int_t)offset,
					bpmu_utf8_text(path), id));
}

/**
 * bpmu_who_maps() - read the executable mappings of a process that was interrupted
 * @tgid: ID of the process
 *
 * Return: an array of arrays, one for each executable mapping: start, size, offset in the mapped
 * file, path of this file and its build-id. NULL if the process has ended, or if out of memory.
 */
json_t *bpmu_who_maps(u32 tgid)
{
	json_t *maps = json_array();
	char *line = NULL;
	size_t room = 0;
	char name[32];
	ssize_t got;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%u/maps", tgid);
	file = fopen(name, "re");
	while (file && maps && (got = getline(&line, &room, file)) > 0) {
		line[got - 1] = '\0';
		if (json_array_size(maps) < MAPS_MAX)
			who_maps_add_line(maps, tgid, line);
	}
	free(line);
	if (file)
		fclose(file);
	/* A process without mappings is about to end. */
	if (maps && json_array_size(maps))
		return maps;
	json_decref(maps);
	return NULL;
}

/**
 * bpmu_who_maps_find() - find which of a process's mappings in the recording contains an address
 * @maps: mappings of the process, from bpmu_who_maps()
 * @ip: address of an instruction
 * @found: set to the mapping if there is one
 *
 * Return: true if a mapping contains the address.
 */
bool bpmu_who_maps_find(const json_t *maps, u64 ip, struct bpmu_who_map *found)
{
	const json_t *map;
	u64 start, size;
	size_t i;

	for (i = 0; i < json_array_size(maps); i++) {
		map = json_array_get(maps, i);
		start = json_integer_value(json_array_get(map, 0));
		size = json_integer_value(json_array_get(map, 1));
		if (ip - start >= size)
			continue;
		*found = (struct bpmu_who_map){ start, size };
		return true;
	}
	return false;
}

/**
 * struct function - a function of the kernel in /proc/kallsyms
 * @start: address of the function
 * @name: name of the function, followed by "[module]" if it is in a module
 */
struct function {
	u64 start;
	char *name;
};

static int by_start(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/*
 * Adds the function that a line of /proc/kallsyms names, if it is code, after its address and the
 * letter of its type. The file has some hundred thousand lines. Returns false if memory runs out.
 */
static bool add_function(struct function **list, size_t *nr, size_t *room, const char *line)
{
	struct function *grown;
	char *at, *name;
	u64 start = strtoull(line, &at, 16);

	if (!start || at[0] != ' ' || !at[1] || !strchr("tTwW", at[1]) || at[2] != ' ')
		return true;
	if (*nr == *room) {
		*room = *room ? 2 * *room : 1024;
		grown = reallocarray(*list, *room, sizeof(**list));
		if (!grown)
			return false;
		*list = grown;
	}
	name = strdup(at + 3);
	if (!name)
		return false;
	(*list)[(*nr)++] = (struct function){ start, name };
	return true;
}

static struct function *read_functions(size_t *nr)
{
	struct function *list = NULL;
	size_t room = 0, length = 0;
	FILE *file = fopen("/proc/kallsyms", "re");
	char *line = NULL;
	ssize_t got;

	*nr = 0;
	while (file && (got = getline(&line, &length, file)) > 0) {
		line[got - 1] = '\0';
		if (!add_function(&list, nr, &room, line))
			break;
	}
	free(line);
	if (file)
		fclose(file);
	if (list)
		qsort(list, *nr, sizeof(*list), by_start);
	return list;
}

/* Returns the index of the last function in @list that starts at or before @ip; -1 if none does. */
static ssize_t who_maps_find(const struct function *list, size_t nr, u64 ip)
{
	size_t low = 0, high = nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (list[middle].start <= ip)
			low = middle + 1;
		else
			high = middle;
	}
	return (ssize_t)low - 1;
}

static struct bpmu_who_function who_function(const struct function *list, size_t nr, size_t i)
{
	const char *module = strchr(list[i].name, '\t');
	size_t next = i + 1;

	while (next < nr && list[next].start == list[i].start)
		next++;
	return (struct bpmu_who_function){
		.start = list[i].start, .size = next < nr ? list[next].start - list[i].start : 0,
		.name = list[i].name,
		.length = module ? module - list[i].name : (ssize_t)strlen(list[i].name),
		.module = module ? module + 1 : "[kernel]",
	};
}

static void add_hit(json_t *all, const struct bpmu_who_function *function)
{
	char start[20];

	snprintf(start, sizeof(start), "%#llx", function->start);
	json_array_append_new(all,
			      json_pack("[s,I,s%,s]", start, (json_int_t)function->size,
					function->name, (size_t)function->length,
					function->module));
}

static void free_functions(struct function *list, size_t nr)
{
	while (nr)
		free(list[--nr].name);
	free(list);
}

/**
 * bpmu_who_functions() - map interrupted instructions of the kernel to its functions
 * @ip: addresses of the instructions, in ascending order, [@nr]
 * @nr: number of instructions
 *
 * Return: an array of arrays, one for each function: address as text, size, name and module. The
 * array is empty if /proc/kallsyms hides addresses. NULL if out of memory.
 */
json_t *bpmu_who_functions(const u64 *ip, size_t nr)
{
	json_t *all = json_array();
	struct bpmu_who_function hit;
	struct function *list;
	size_t nr_list, i;
	ssize_t at, before = -1;

	list = read_functions(&nr_list);
	for (i = 0; i < nr; i++) {
		at = who_maps_find(list, nr_list, ip[i]);
		if (at >= 0 && at != before) {
			hit = who_function(list, nr_list, at);
			add_hit(all, &hit);
		}
		before = at;
	}
	free_functions(list, nr_list);
	return all;
}

/**
 * bpmu_who_functions_all() - visit all mapped functions of the kernel that can be interrupted
 * @each: called for each function in ascending order of address; not at all if /proc/kallsyms
 *	hides addresses. The texts are valid only during the call
 * @data: first argument of @each
 */
void bpmu_who_functions_all(bpmu_who_function_fn *each, void *data)
{
	struct bpmu_who_function function;
	struct function *list;
	size_t nr, i;

	list = read_functions(&nr);
	for (i = 0; i < nr; i++) {
		function = who_function(list, nr, i);
		each(data, &function);
	}
	free_functions(list, nr);
}
