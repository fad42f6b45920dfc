// SPDX-License-Identifier: GPL-2.0
#include "report_by_symbol.h"

#include <jansson.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain.h"
#include "recording/recording.h"
#include "recording/recording_who_maps.h"
#include "recording/symbols.h"

/**
 * struct bpmu_by_process - recorded mappings of a process
 * @tgid: ID of the process
 * @comm: name of the process when its mappings were recorded
 * @maps: array of mappings, each an array of start, size, offset, path and build ID
 */
struct bpmu_by_process {
	u32 tgid;
	char *comm;
	json_t *maps;
};

/**
 * struct file - a program or library whose functions are looked up
 * @path: path of the file
 * @build_id: build ID of the file when it was recorded
 * @symbols: symbols of the file; NULL if it cannot be read or has another build ID now
 */
struct file {
	char *path;
	char *build_id;
	struct bpmu_symbols *symbols;
};

/**
 * struct label - name to show for the function at an address of a process, kept for later samples
 * @who: an interrupted task; its address and its process identify the label
 * @text: label of the function
 */
struct label {
	struct bpmu_who who;
	char *text;
};

/**
 * struct map - a mapping of a process
 * @start: first address
 * @size: size in bytes
 * @offset: offset of the first address in the file, in bytes
 * @path: path of the file, empty for anonymous memory
 * @build_id: build ID of the file, empty if unknown
 */
struct map {
	json_int_t start;
	json_int_t size;
	json_int_t offset;
	const char *path;
	const char *build_id;
};

static void add_process_maps(struct bpmu_by_symbols *s, json_t *all)
{
	struct bpmu_by_process *grown, new = { };
	json_int_t tgid;
	const char *comm;
	json_t *maps;

	if (json_unpack(all, "{s:I,s:s,s:o}", "tgid", &tgid, "comm", &comm,
			"maps", &maps))
		return;
	grown = reallocarray(s->process, s->nr + 1, sizeof(*grown));
	if (!grown)
		return;
	s->process = grown;
	new.tgid = tgid;
	new.comm = strdup(comm);
	if (new.comm)
		bpmu_plain(new.comm, "");
	new.maps = json_incref(maps);
	if (new.comm)
		grown[s->nr++] = new;
	else
		json_decref(new.maps);
}

/* Copies a function of the kernel, with its label; returns false if out of memory. */
static bool label_function(struct bpmu_by_function *to, const struct bpmu_who_function *from)
{
	const char *bracket = *from->module == '[' ? "" : "[";

	to->start = from->start;
	to->size = from->size;
	if (asprintf(&to->label, "%.*s %s%s%s", from->length, from->name, bracket, from->module,
		     *bracket ? "]" : "") < 0)
		to->label = NULL;
	return to->label;
}

/* Parses the JSON of one kernel function; returns false if it is malformed, or if out of memory. */
static bool take_function(const json_t *entry, struct bpmu_by_function *function)
{
	struct bpmu_who_function taken;
	const char *start;
	json_int_t size;
	char *end;

	if (json_unpack((json_t *)entry, "[s,I,s,s]", &start, &size, &taken.name, &taken.module))
		return false;
	taken.start = strtoull(start, &end, 0);
	taken.size = size;
	taken.length = strlen(taken.name);
	return !*end && label_function(function, &taken);
}

static void add_kernel_functions(struct bpmu_by_symbols *s, const json_t *all)
{
	size_t nr = json_array_size(all);
	struct bpmu_by_function *list;
	size_t i;

	if (s->kernel || !nr)
		return;
	list = calloc(nr, sizeof(*list));
	s->kernel = list;
	for (i = 0; list && i < nr; i++)
		s->nr_kernel += take_function(json_array_get(all, i),
					      &list[s->nr_kernel]);
}

static void add_running_function(void *data, const struct bpmu_who_function *function)
{
	struct bpmu_by_symbols *s = data;
	struct bpmu_by_function *grown = s->kernel;

	if (!(s->nr_kernel & (s->nr_kernel - 1)))
		grown = reallocarray(s->kernel, s->nr_kernel ? 2 * s->nr_kernel : 1,
				     sizeof(*grown));
	if (!grown)
		return;
	s->kernel = grown;
	s->nr_kernel += label_function(&grown[s->nr_kernel], function);
}

/**
 * bpmu_by_symbols_add_kernel() - add all functions of the running kernel to symbols
 * @symbols: symbols without functions of the kernel. None are added if /proc/kallsyms hides their
 *	addresses, or if out of memory
 */
void bpmu_by_symbols_add_kernel(struct bpmu_by_symbols *symbols)
{
	bpmu_who_functions_all(add_running_function, symbols);
}

static void free_label(void *label)
{
	free(((struct label *)label)->text);
	free(label);
}

/**
 * bpmu_by_symbols_add_block() - add memory mappings or kernel functions of a recording to symbols
 * @symbols: &struct bpmu_by_symbols, zeroed before the first call; labels from before are freed,
 *	because the mappings may give other ones
 * @type: type of the block; the block is ignored unless this is BPMU_RECORDING_PROCESS or
 *	BPMU_RECORDING_KERNEL
 * @text: contents of the block; malformed members are ignored
 * @size: size of @text in bytes
 */
void bpmu_by_symbols_add_block(void *symbols, int type, const char *text,
			       size_t size)
{
	struct bpmu_by_symbols *s = symbols;
	json_t *all = NULL;

	if (type == BPMU_RECORDING_PROCESS || type == BPMU_RECORDING_KERNEL)
		all = json_loadb(text, size, 0, NULL);
	if (all) {
		tdestroy(s->labels, free_label);
		s->labels = NULL;
	}
	if (type == BPMU_RECORDING_PROCESS)
		add_process_maps(s, all);
	if (type == BPMU_RECORDING_KERNEL)
		add_kernel_functions(s, all);
	json_decref(all);
}

static int compare_files(const void *a, const void *b)
{
	const struct file *x = a, *y = b;

	return strcmp(x->path, y->path) ?: strcmp(x->build_id, y->build_id);
}

static void free_file(void *file)
{
	struct file *f = file;

	bpmu_symbols_close(f->symbols);
	free(f->path);
	free(f->build_id);
	free(f);
}

/* Returns the symbols of a mapped file, or NULL if they cannot be read. */
static struct bpmu_symbols *symbols_of(struct bpmu_by_symbols *s,
				       const struct map *map)
{
	struct file key = { (char *)map->path, (char *)map->build_id };
	struct file **at = tfind(&key, &s->files, compare_files);
	struct file *new;

	if (at)
		return (*at)->symbols;
	new = calloc(1, sizeof(*new));
	if (!new)
		return NULL;
	new->path = strdup(map->path);
	new->build_id = strdup(map->build_id);
	if (new->path && new->build_id) {
		new->symbols = bpmu_symbols_open(map->path, map->build_id);
		if (tsearch(new, &s->files, compare_files))
			return new->symbols;
	}
	free_file(new);
	return NULL;
}

/* Sets @map to mapping @i of a process; returns false if the recorded mapping is malformed. */
static bool unpack_map(const struct bpmu_by_process *process, size_t i,
		       struct map *map)
{
	return !json_unpack(json_array_get(process->maps, i), "[I,I,I,s,s]",
			    &map->start, &map->size, &map->offset, &map->path,
			    &map->build_id);
}

static struct bpmu_by_map public_map(const struct map *map)
{
	return (struct bpmu_by_map){
		map->start, map->size, map->offset, map->path, map->build_id,
	};
}

/* Calls @each for each mapping of a process; returns how many mappings there are. */
static size_t pass_maps(const struct bpmu_by_process *process, bpmu_by_map_fn *each, void *data)
{
	struct bpmu_by_map passed;
	struct map map;
	size_t i, nr = 0;

	for (i = 0; i < json_array_size(process->maps); i++) {
		if (!unpack_map(process, i, &map))
			continue;
		passed = public_map(&map);
		each(data, &passed);
		nr++;
	}
	return nr;
}

/**
 * bpmu_by_symbols_maps() - visit the recorded mappings of a process, for report --by
 * @symbols: symbols, with the mappings in the recording so far
 * @tgid: ID of the process
 * @comm: name of the process when it had the mappings; NULL for all of its mappings
 * @each: called for each mapping in the order of the recording. Its texts are valid until @symbols
 *	is freed. A mapping replaces earlier mappings at the same addresses
 * @data: passed to @each
 *
 * Return: number of mappings.
 */
size_t bpmu_by_symbols_maps(const struct bpmu_by_symbols *symbols, u32 tgid, const char *comm,
			    bpmu_by_map_fn *each, void *data)
{
	size_t i, nr = 0;

	for (i = 0; i < symbols->nr; i++)
		if (symbols->process[i].tgid == tgid &&
		    (!comm || !strcmp(symbols->process[i].comm, comm)))
			nr += pass_maps(&symbols->process[i], each, data);
	return nr;
}

static bool find_map(const struct bpmu_by_process *process, u64 ip,
		     struct map *map)
{
	size_t i;

	for (i = 0; i < json_array_size(process->maps); i++)
		if (unpack_map(process, i, map) &&
		    ip - map->start < (u64)map->size)
			return true;
	return false;
}

/*
 * Finds the mapping that contains the interrupted address. After an exec() a process has another
 * name and other mappings, so mappings that were recorded under the name in @who are searched
 * first, then all mappings of the process, the latest first. Sets @known to true if any mapping of
 * the process was recorded.
 */
static bool find_process_map(const struct bpmu_by_symbols *s,
			     const struct bpmu_who *who, bool *known,
			     struct map *map)
{
	const struct bpmu_by_process *process;
	unsigned int any;
	size_t i;

	*known = false;
	for (any = 0; any < 2; any++) {
		for (i = s->nr; i--;) {
			process = &s->process[i];
			if (process->tgid != who->tgid)
				continue;
			*known = true;
			if ((any || !strcmp(process->comm, who->comm)) &&
			    find_map(process, who->ip, map))
				return true;
		}
	}
	return false;
}

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/*
 * Sets @place to the text that precedes the function's name in a label: the source line
 * ("main.c:12 "), the address ("0x1234 "), or "" if only the function is to be shown.
 */
static void print_place(struct bpmu_by_symbols *s, struct bpmu_symbols *symbols, u64 offset,
			char *place, size_t size)
{
	const char *file = NULL;
	unsigned int line;
	u64 address;

	place[0] = '\0';
	if (s->detail == BPMU_DETAIL_FUNCTION || !bpmu_symbols_address(symbols, offset, &address))
		return;
	if (s->detail == BPMU_DETAIL_ADDRESS) {
		snprintf(place, size, "%#llx ", address);
		return;
	}
	line = bpmu_symbols_line(symbols, address, &file);
	if (line)
		snprintf(place, size, "%s:%u ", file_name(file), line);
}

static char *label_program(struct bpmu_by_symbols *s, const struct bpmu_who *who)
{
	struct bpmu_symbols *symbols;
	const char *name = NULL;
	char place[256] = "";
	char *label = NULL;
	struct map map;
	bool known;
	u64 offset;
	int length;

	if (!find_process_map(s, who, &known, &map)) {
		length = asprintf(&label, "[%s, %s]", who->comm,
				  known ? "no file" : "ended");
		return length < 0 ? NULL : label;
	}
	symbols = symbols_of(s, &map);
	if (symbols) {
		offset = who->ip - map.start + map.offset;
		name = bpmu_symbols_find(symbols, offset);
		print_place(s, symbols, offset, place, sizeof(place));
	}
	if (name)
		length = asprintf(&label, "%s%s [%s]", place, name, file_name(map.path));
	else
		length = asprintf(&label, "%s[%s]", place,
				  *map.path ? file_name(map.path) : "no file");
	return length < 0 ? NULL : label;
}

static const char *kernel_function(const struct bpmu_by_symbols *s, u64 ip)
{
	size_t low = 0, high = s->nr_kernel;
	const struct bpmu_by_function *at;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->kernel[middle].start <= ip)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return "[kernel]";
	at = &s->kernel[low - 1];
	return at->size && ip - at->start >= at->size ? "[kernel]" : at->label;
}

static char *label_kernel(const struct bpmu_by_symbols *s, u64 ip)
{
	const char *function = kernel_function(s, ip);
	char *label;

	if (s->detail != BPMU_DETAIL_ADDRESS)
		return strdup(function);
	return asprintf(&label, "%#llx %s", ip, function) < 0 ? NULL : label;
}

static int compare_labels(const void *a, const void *b)
{
	const struct label *x = a, *y = b;

	if (x->who.ip != y->who.ip)
		return x->who.ip < y->who.ip ? -1 : 1;
	if (x->who.tgid != y->who.tgid)
		return x->who.tgid < y->who.tgid ? -1 : 1;
	return strcmp(x->who.comm, y->who.comm);
}

/**
 * bpmu_by_symbols_label() - make the label of an interrupted function for report --by symbol
 * @symbols: symbols, with the mappings and functions in the recording so far
 * @who: interrupted task
 *
 * Return: the name of the function, with its file or module in brackets. If the function is
 * unknown, the label is the file, the process or the kernel in brackets, whichever is known. The
 * text is valid until @symbols is freed or gets another block. NULL if out of memory.
 */
const char *bpmu_by_symbols_label(struct bpmu_by_symbols *symbols,
				  const struct bpmu_who *who)
{
	struct label key = { .who = *who };
	struct label **at, *new;

	if (who->flags & BPMU_WHO_IDLE)
		return "[idle]";
	if (who->flags & BPMU_WHO_NOWHERE)
		return "[not known]";
	if (who->flags & BPMU_WHO_HIDDEN) {
		symbols->hidden = true;
		return "[kernel, hidden]";
	}
	if (who->flags & BPMU_WHO_UNNAMED && !(who->flags & BPMU_WHO_KERNEL))
		return "[hidden]";
	at = tfind(&key, &symbols->labels, compare_labels);
	if (at)
		return (*at)->text;
	new = calloc(1, sizeof(*new));
	if (!new)
		return NULL;
	new->who = *who;
	new->text = who->flags & BPMU_WHO_KERNEL ?
		    label_kernel(symbols, who->ip) :
		    label_program(symbols, who);
	if (new->text)
		bpmu_plain(new->text, "");
	if (new->text && tsearch(new, &symbols->labels, compare_labels))
		return new->text;
	free(new->text);
	free(new);
	return NULL;
}

static bool has_mapped(const struct bpmu_by_process *process, const char *path)
{
	struct map map;
	size_t i;

	for (i = 0; i < json_array_size(process->maps); i++)
		if (unpack_map(process, i, &map) && !strcmp(map.path, path))
			return true;
	return false;
}

/**
 * bpmu_by_symbols_mapping() - report --by symbol: find the mapping of an interrupted instruction
 * @symbols: symbols, with the mappings in the recording so far
 * @who: interrupted task
 * @map: set to the mapping; its texts are valid until @symbols is freed
 *
 * Return: true; false in the kernel, and if no mapping of a file contains the address.
 */
bool bpmu_by_symbols_mapping(const struct bpmu_by_symbols *symbols, const struct bpmu_who *who,
			     struct bpmu_by_map *map)
{
	struct map found;
	bool known;

	if (who->flags || !find_process_map(symbols, who, &known, &found) || !*found.path)
		return false;
	*map = public_map(&found);
	return true;
}

/**
 * bpmu_by_symbols_source() - report --by symbol: find the source line of an interrupted instruction
 * @symbols: symbols, with the mappings in the recording so far
 * @who: interrupted task
 * @file: set to the name of the source file if the line is known; valid until @symbols is freed
 *
 * Return: number of the line, or 0 if it is not known.
 */
unsigned int bpmu_by_symbols_source(struct bpmu_by_symbols *symbols, const struct bpmu_who *who,
				    const char **file)
{
	struct bpmu_symbols *of;
	struct map map;
	bool known;
	u64 address;

	if (who->flags || !find_process_map(symbols, who, &known, &map))
		return 0;
	of = symbols_of(symbols, &map);
	if (!of || !bpmu_symbols_address(of, who->ip - map.start + map.offset, &address))
		return 0;
	return bpmu_symbols_line(of, address, file);
}

/**
 * bpmu_by_symbols_place() - report --by symbol: find the file and offset of an instruction
 * @symbols: symbols, with the mappings in the recording so far
 * @who: interrupted task
 *
 * Return: location of the instruction. In the kernel, and in memory without a file, the path is
 * NULL, and the offset is the address of the instruction.
 */
struct bpmu_by_location bpmu_by_symbols_place(const struct bpmu_by_symbols *symbols,
					      const struct bpmu_who *who)
{
	struct bpmu_by_map map;

	if (bpmu_by_symbols_mapping(symbols, who, &map))
		return (struct bpmu_by_location){
			.path = map.path, .build_id = map.build_id,
			.offset = who->ip - map.start + map.offset,
		};
	return (struct bpmu_by_location){ .offset = who->ip };
}

/**
 * bpmu_by_symbols_locate() - find the interrupted instruction in a program or its libraries
 * @symbols: symbols, with the mappings in the recording so far
 * @who: interrupted task
 * @program: path of the program
 * @location: set to file and offset of the instruction, in @program or in a library
 *
 * Return: true if the sample interrupted user space of a process that had mapped @program.
 */
bool bpmu_by_symbols_locate(const struct bpmu_by_symbols *symbols,
			    const struct bpmu_who *who, const char *program,
			    struct bpmu_by_location *location)
{
	bool mapped = false;
	size_t i;

	*location = (struct bpmu_by_location){ };
	if (who->flags)
		return false;
	for (i = 0; i < symbols->nr && !mapped; i++)
		mapped = symbols->process[i].tgid == who->tgid &&
			 has_mapped(&symbols->process[i], program);
	if (mapped)
		*location = bpmu_by_symbols_place(symbols, who);
	return mapped;
}

void bpmu_by_symbols_free(struct bpmu_by_symbols *symbols)
{
	while (symbols->nr) {
		free(symbols->process[--symbols->nr].comm);
		json_decref(symbols->process[symbols->nr].maps);
	}
	while (symbols->nr_kernel)
		free(symbols->kernel[--symbols->nr_kernel].label);
	free(symbols->process);
	free(symbols->kernel);
	tdestroy(symbols->files, free_file);
	tdestroy(symbols->labels, free_label);
	memset(symbols, 0, sizeof(*symbols));
}
