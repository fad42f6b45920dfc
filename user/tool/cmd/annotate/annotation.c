// SPDX-License-Identifier: GPL-2.0
#include "annotation.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code/elf_file.h"
#include "code/insn.h"

/* maximum number of functions that the error message about an ambiguous name lists */
#define NAMED 8

/*
 * Returns the function name in the label of an interrupted address, as a pointer into the label.
 * The label is "0xADDRESS FUNCTION" or "FUNCTION".
 */
static const char *function_of(const struct bpmu_by_entry *entry)
{
	const char *blank = strncmp(entry->label, "0x", 2) ? NULL : strchr(entry->label, ' ');

	return blank ? blank + 1 : entry->label;
}

/*
 * Returns true if a label names the function that the user named. The label of main() of a program
 * "count" is "main [count]". The user may call this function "main" or "main [count]".
 */
static bool is_called(const char *label, const char *function)
{
	size_t length = strlen(function);

	return !strncmp(label, function, length) &&
	       (!label[length] || !strncmp(label + length, " [", 2));
}

static int refuse_several(const char *function, const char *const *named, unsigned int nr,
			  struct bpmu_error *err)
{
	char list[512] = "";
	size_t length = 0;
	unsigned int i;

	for (i = 0; i < nr && i < NAMED && length < sizeof(list); i++)
		length += snprintf(list + length, sizeof(list) - length, "%s'%s'",
				   i ? ", " : "", named[i]);
	return bpmu_error_set(err, -EINVAL, "function '%s': is in several files; write one of %s",
			      function, list);
}

static int compare_functions(const void *a, const void *b)
{
	const struct bpmu_by_entry *x = *(struct bpmu_by_entry *const *)a;
	const struct bpmu_by_entry *y = *(struct bpmu_by_entry *const *)b;

	return strcmp(function_of(x), function_of(y));
}

/**
 * struct choice - the functions with the name that the user gave
 * @named: labels of these functions, of which only the first NAMED are kept
 * @nr: number of functions
 * @hottest: label of the function with most events
 * @most: number of events of the function @hottest
 */
struct choice {
	const char *named[NAMED];
	unsigned int nr;
	const char *hottest;
	double most;
};

static void choice_add(struct choice *choice, const char *label, double events)
{
	if (choice->nr < NAMED)
		choice->named[choice->nr] = label;
	choice->nr++;
	if (!choice->hottest || events > choice->most) {
		choice->hottest = label;
		choice->most = events;
	}
}

/*
 * Collects in @choice the functions whose name is @function; all functions if @function is NULL.
 * @entry are the interrupted addresses, sorted by their labels. A label that begins with a bracket
 * names no function.
 */
static void choose(struct choice *choice, struct bpmu_by_entry *const *entry, unsigned int nr,
		   const char *function)
{
	const char *label;
	unsigned int i = 0;
	double sum;

	while (i < nr) {
		label = function_of(entry[i]);
		for (sum = 0; i < nr && !strcmp(function_of(entry[i]), label); i++)
			sum += entry[i]->events.sum;
		if (function ? is_called(label, function) : *label != '[')
			choice_add(choice, label, sum);
	}
}

/*
 * Sets *@found to the label of the function whose name is @function; if @function is NULL, to the
 * label of the function with most events. @by has the interrupts of the recording @name, summed by
 * address. Returns 0, -ENODATA if there is no such function, -EINVAL if several functions have this
 * name, or -ENOMEM.
 */
static int find_function(const struct bpmu_by *by, const char *function, const char *name,
			 const char **found, struct bpmu_error *err)
{
	struct choice choice = { };
	struct bpmu_by_entry **sorted;

	sorted = malloc(by->nr * sizeof(struct bpmu_by_entry *));
	if (!sorted)
		return bpmu_error_no_memory(err, "annotate");
	memcpy(sorted, by->entry, by->nr * sizeof(struct bpmu_by_entry *));
	qsort(sorted, by->nr, sizeof(struct bpmu_by_entry *), compare_functions);
	choose(&choice, sorted, by->nr, function);
	free(sorted);
	*found = choice.hottest;
	if (!choice.nr && !function)
		return bpmu_error_set(err, -ENODATA,
			"%s: no interrupted function has a name; see \"barepmu report --by symbol %s\"",
			name, name);
	if (!choice.nr)
		return bpmu_error_set(err, -ENODATA,
			"function '%s': nothing was interrupted in it; \"barepmu report --by symbol %s\" lists functions",
			function, name);
	return function && choice.nr > 1 ?
	       refuse_several(function, choice.named, choice.nr, err) : 0;
}

static int compare_instructions(const void *a, const void *b)
{
	const struct bpmu_annotated *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

static struct bpmu_annotated *add_instruction(struct bpmu_annotation *annotation, u64 address,
					      unsigned int length)
{
	struct bpmu_annotated *grown;

	if (!(annotation->nr & (annotation->nr - 1))) {
		grown = reallocarray(annotation->insn, annotation->nr ? 2 * annotation->nr : 1,
				     sizeof(*grown));
		if (!grown)
			return NULL;
		annotation->insn = grown;
	}
	grown = &annotation->insn[annotation->nr++];
	*grown = (struct bpmu_annotated){ .address = address, .length = length };
	return grown;
}

static void disassemble(const struct bpmu_zydis *zydis, const struct bpmu_elf *file,
			struct bpmu_annotated *at)
{
	struct bpmu_insn insn;
	size_t size = 0;
	const u8 *code = bpmu_elf_code(file, at->address, &size);

	if (!code || !size)
		return;
	bpmu_insn_decode(zydis, at->address, code, size, &insn);
	at->length = insn.length;
	bpmu_insn_text(zydis, &insn, at->text, sizeof(at->text));
}

/*
 * Adds to the annotation all instructions of the function that contains @address. If the end of the
 * function is unknown, @annotation->missing says so and nothing is added. Returns 0 or -ENOMEM.
 */
static int annotate_whole(struct bpmu_annotation *annotation, const struct bpmu_zydis *zydis,
			  const struct bpmu_elf *file, u64 address)
{
	u64 start = 0, size = 0;
	struct bpmu_annotated *at;

	if (!bpmu_symbols_function(annotation->symbols, address, &start, &size) || !size) {
		snprintf(annotation->missing, sizeof(annotation->missing),
			 "%s does not tell where the function ends", annotation->path);
		return 0;
	}
	for (address = start; address < start + size; address += at->length) {
		at = add_instruction(annotation, address, 1);
		if (!at)
			return -ENOMEM;
		disassemble(zydis, file, at);
	}
	return 0;
}

static int compare_address(const void *key, const void *element)
{
	const struct bpmu_annotated *at = element;
	u64 address = *(const u64 *)key;

	return address < at->address ? -1 : address - at->address >= at->length;
}

/*
 * Adds the interrupts in the annotated function to the instructions of the annotation: @by has the
 * number of interrupts at each address. If the code could not be read, the annotation has no
 * instructions yet: an instruction is then added for each interrupted address. Returns 0 or
 * -ENOMEM.
 */
static int add_interrupts(struct bpmu_annotation *annotation, const struct bpmu_by *by)
{
	size_t nr = annotation->nr;
	const struct bpmu_by_entry *entry;
	struct bpmu_annotated *at;
	unsigned int i;
	u64 address;

	for (i = 0; i < by->nr; i++) {
		entry = by->entry[i];
		if (strcmp(function_of(entry), annotation->function))
			continue;
		address = entry->place.offset;
		if (annotation->symbols && entry->place.path)
			bpmu_symbols_address(annotation->symbols, entry->place.offset, &address);
		at = nr ? bsearch(&address, annotation->insn, nr, sizeof(*at), compare_address) :
			  NULL;
		at = at ?: add_instruction(annotation, address, 1);
		if (!at)
			return -ENOMEM;
		at->interrupts += entry->samples;
		bpmu_weights_join(&at->events, &entry->events);
		annotation->interrupts += entry->samples;
		bpmu_weights_join(&annotation->events, &entry->events);
	}
	return 0;
}

static const struct bpmu_by_entry *first_entry(const struct bpmu_by *by, const char *function)
{
	unsigned int i;

	for (i = 0; strcmp(function_of(by->entry[i]), function); i++)
		;
	return by->entry[i];
}

/*
 * Adds the instructions of the annotated function to the annotation. They are read from the file
 * @place->path, a program or library. It is no error if this file cannot be read:
 * @annotation->missing then says why. Returns 0 or a negative errno.
 */
static int annotate_code(struct bpmu_annotation *annotation, const struct bpmu_by_location *place,
			 struct bpmu_elf *file, struct bpmu_error *err)
{
	const struct bpmu_zydis *zydis = bpmu_zydis(err);
	struct bpmu_error unreadable;
	u64 address;

	if (!zydis)
		return -ENOENT;
	annotation->symbols = bpmu_symbols_open(place->path, place->build_id);
	if (!annotation->symbols || bpmu_elf_open(file, place->path, &unreadable)) {
		snprintf(annotation->missing, sizeof(annotation->missing), "%s",
			 bpmu_symbols_missing() ?:
			 "the file is not there, or is another one than was recorded");
		return 0;
	}
	if (bpmu_symbols_address(annotation->symbols, place->offset, &address) &&
	    annotate_whole(annotation, zydis, file, address))
		return bpmu_error_no_memory(err, "annotate");
	return 0;
}

/*
 * Finds the source line of each instruction of the annotation. Also decodes the instructions that
 * have no text yet: if the end of the annotated function is unknown, only the interrupted addresses
 * were added to the annotation, without their code.
 */
static void annotate_lines(struct bpmu_annotation *annotation, const struct bpmu_elf *file)
{
	struct bpmu_error ignored;
	struct bpmu_annotated *at;
	size_t i;

	for (i = 0; i < annotation->nr && annotation->symbols; i++) {
		at = &annotation->insn[i];
		at->line = bpmu_symbols_line(annotation->symbols, at->address, &at->file);
		if (!*at->text && file->header)
			disassemble(bpmu_zydis(&ignored), file, at);
	}
}

/**
 * bpmu_annotation_make() - make an annotation: a function's instructions with the events at each
 * @annotation: output; to be freed with bpmu_annotation_free(), on an error too
 * @by: interrupts, summed by instruction (BPMU_BY_ADDRESS); @annotation points into it
 * @function: name of the function: "main", or "main [count]" as "report --by symbol" prints it;
 *	NULL for the function with most events
 * @name: name of the recording, for errors
 *
 * Return: 0, -ENODATA if no function of this name was interrupted, -EINVAL if several functions
 * have this name, -ENOENT if the library Zydis, which disassembles, is not installed, or -ENOMEM.
 */
int bpmu_annotation_make(struct bpmu_annotation *annotation, const struct bpmu_by *by,
			 const char *function, const char *name, struct bpmu_error *err)
{
	const struct bpmu_by_entry *entry;
	struct bpmu_elf file = { };
	int code;

	*annotation = (struct bpmu_annotation){ };
	code = find_function(by, function, name, &annotation->function, err);
	if (code)
		return code;
	entry = first_entry(by, annotation->function);
	annotation->path = entry->place.path;
	if (annotation->path)
		code = annotate_code(annotation, &entry->place, &file, err);
	else
		snprintf(annotation->missing, sizeof(annotation->missing),
			 "no file is recorded that has the code");
	if (!code && add_interrupts(annotation, by))
		code = bpmu_error_no_memory(err, "annotate");
	if (!code) {
		qsort(annotation->insn, annotation->nr, sizeof(*annotation->insn),
		      compare_instructions);
		annotate_lines(annotation, &file);
	}
	bpmu_elf_close(&file);
	return code;
}

void bpmu_annotation_free(struct bpmu_annotation *annotation)
{
	bpmu_symbols_close(annotation->symbols);
	free(annotation->insn);
	*annotation = (struct bpmu_annotation){ };
}
