// SPDX-License-Identifier: GPL-2.0
/* Finds the loop that "barepmu decan" analyses: its file, its function, and the loop itself. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pipe.h"
#include "base/plain.h"
#include "decan.h"

#define LINE 4352

/* Returns the link-time address of an offset in the program's file; 0 if no segment has it. */
static u64 address_of(const struct bpmu_elf *program, u64 offset)
{
	const Elf64_Phdr *segment = program->segment;
	unsigned int i;

	for (i = 0; i < program->header->e_phnum; i++, segment++)
		if (segment->p_type == PT_LOAD && offset >= segment->p_offset &&
		    offset - segment->p_offset < segment->p_filesz)
			return segment->p_vaddr + offset - segment->p_offset;
	return 0;
}

/* Returns how many samples of the profile are at link-time addresses from @start to @end - 1. */
static u64 samples_in(const struct bpmu_decan *decan, u64 start, u64 end)
{
	const struct bpmu_spot *spot = decan->profile.spot;
	u64 sum = 0, address;
	size_t i;

	for (i = 0; i < decan->profile.nr; i++) {
		if (strcmp(spot[i].path, decan->elf.path))
			continue;
		address = address_of(&decan->elf, spot[i].offset);
		if (address >= start && address < end)
			sum += spot[i].samples;
	}
	return sum;
}

/* Returns how many samples of the profile are at instructions of a loop. */
static u64 decan_find_samples_of(const struct bpmu_decan *decan,
				 const struct bpmu_loop *loop)
{
	const struct bpmu_insn *insn;
	u64 sum = 0;
	unsigned int i;

	for (i = 0; i < decan->code.nr; i++) {
		insn = &decan->code.insn[i];
		if (loop->in[insn->block])
			sum += samples_in(decan, insn->address,
					  insn->address + insn->length);
	}
	return sum;
}

/*
 * Runs the command to take a profile. A profile without samples is an error only if the user has
 * named no function. With a named function the profile may not be needed: the function may have a
 * single loop, or its loops may only be listed. Returns 0 or a negative errno.
 */
static int profile_command(struct bpmu_decan *decan, struct bpmu_error *err)
{
	int code = bpmu_profile_take(&decan->profile, decan->options.argv, err);

	if (!code && !decan->profile.samples && !decan->function)
		code = bpmu_error_set(err, -ENODATA,
				      "profile: the command is over too soon for a sample; name the loop with -f and --loop");
	return code;
}

/*
 * Chooses the function with the most samples in the profile, and opens its file. Returns 0 or a
 * negative errno.
 */
static int choose_hottest(struct bpmu_decan *decan, struct bpmu_error *err)
{
	const struct bpmu_profile *profile = &decan->profile;
	const Elf64_Sym *symbol, *best = NULL;
	u64 most = 0, now, address;
	size_t p, i;
	int code;

	for (p = 0; p < profile->nr_paths; p++) {
		struct bpmu_elf before = decan->elf;
		bool better = false;

		code = bpmu_elf_open(&decan->elf, profile->path[p],
				     err);
		for (i = 0; i < profile->nr && !code; i++) {
			if (strcmp(profile->spot[i].path, profile->path[p]))
				continue;
			address = address_of(&decan->elf,
					     profile->spot[i].offset);
			symbol = bpmu_elf_at(&decan->elf, STT_FUNC,
					     address);
			now = symbol ? samples_in(decan, symbol->st_value,
						  symbol->st_value +
						  symbol->st_size) : 0;
			if (now <= most)
				continue;
			most = now;
			best = symbol;
			better = true;
		}
		if (better) {
			bpmu_elf_close(&before);
		} else {
			bpmu_elf_close(&decan->elf);
			decan->elf = before;
		}
	}
	if (!best)
		return bpmu_error_set(err, -ENOENT,
				      "profile: no function has a name where the time goes; name the loop with --loop START-END");
	snprintf(decan->name, sizeof(decan->name), "%s",
		 bpmu_elf_name(&decan->elf, best));
	return 0;
}

/*
 * Sets @decan->bias to the load bias of the file with the function; returns false if the program
 * has not mapped this file.
 */
static bool find_bias(struct bpmu_decan *decan)
{
	unsigned long long start, offset;
	char line[LINE], path[LINE];
	bool found = false;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/maps", decan->trace.pid);
	file = fopen(path, "re");
	while (file && !found && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%llx-%*x %*s %llx %*s %*s %4351[^\n]", &start,
			   &offset, path) != 3 || offset ||
		    strcmp(path, decan->elf.path))
			continue;
		decan->bias = start - bpmu_elf_base(&decan->elf);
		found = true;
	}
	if (file)
		fclose(file);
	return found;
}

/*
 * Reads the lines of /proc/PID/maps up to the next file that is mapped executable. Stores the path
 * of this file in @path and returns @path. Returns NULL if no such file follows.
 */
static const char *next_library(FILE *maps, char path[LINE])
{
	char line[LINE], mode[8];

	while (maps && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%*x-%*x %7s %*s %*s %*s %4351[^\n]", mode,
			   path) == 2 && mode[2] == 'x' && path[0] == '/')
			return path;
	return NULL;
}

static int search_libraries(struct bpmu_decan *decan, struct bpmu_error *err)
{
	char path[LINE];
	const char *library;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", decan->trace.pid);
	maps = fopen(path, "re");
	while ((library = next_library(maps, path))) {
		bpmu_elf_close(&decan->elf);
		if (!bpmu_elf_open(&decan->elf, library, err) &&
		    bpmu_elf_function(&decan->elf, decan->function))
			break;
	}
	if (maps)
		fclose(maps);
	if (library)
		return 0;
	bpmu_elf_close(&decan->elf);
	return bpmu_error_set(err, -ENOENT,
			      "function '%s': not in %s or its libraries; is it inlined, or the file stripped? --loop START-END needs no name",
			      decan->function, decan->trace.path);
}

/*
 * Opens the file with the function: the program or one of its libraries. Nothing is done if the
 * profile has already chosen the function. Returns 0 or a negative errno.
 */
static int decan_find_file(struct bpmu_decan *decan, struct bpmu_error *err)
{
	int code = 0;

	if (!decan->elf.path)
		code = bpmu_elf_open(&decan->elf, decan->trace.path,
				     err);
	if (!code && decan->function &&
	    !bpmu_elf_function(&decan->elf, decan->function))
		code = search_libraries(decan, err);
	if (code)
		return code;
	if (!strcmp(decan->elf.path, decan->trace.path)) {
		decan->bias = decan->trace.entry -
			      decan->elf.header->e_entry;
		return 0;
	}
	return find_bias(decan) ? 0 :
	       bpmu_error_set(err, -ENOENT,
			      "%s: not loaded when the program begins; decan cannot follow what is loaded later",
			      decan->elf.path);
}

static bool parse_range(const char *text, u64 *start, u64 *end)
{
	char *behind;

	*start = strtoull(text, &behind, 16);
	if (*behind != '-' || behind == text)
		return false;
	text = behind + 1;
	*end = strtoull(text, &behind, 16);
	return !*behind && behind != text && *end > *start;
}

static bool is_range(const char *text)
{
	u64 start, end;

	return text && parse_range(text, &start, &end);
}

/*
 * Decodes the function or, if the user gave a range of addresses, the code in this range. Returns 0
 * or a negative errno.
 */
static int decan_find_decode(struct bpmu_decan *decan, struct bpmu_error *err)
{
	const Elf64_Sym *symbol = NULL;
	u64 start, end;
	const u8 *bytes;
	size_t size;

	if (is_range(decan->loop)) {
		parse_range(decan->loop, &start, &end);
		/*
		 * The user gave a range START-END. END may be the address of the last instruction,
		 * or the address behind that instruction. So an instruction at END is decoded, too.
		 */
		end++;
		symbol = bpmu_elf_at(&decan->elf, STT_FUNC, start);
		snprintf(decan->name, sizeof(decan->name), "%s",
			 symbol ? bpmu_elf_name(&decan->elf, symbol) :
			 "stripped");
	} else {
		symbol = bpmu_elf_function(&decan->elf, decan->name);
		start = symbol ? symbol->st_value : 0;
		end = symbol ? start + symbol->st_size : 0;
	}
	bytes = bpmu_elf_code(&decan->elf, start, &size);
	if (!bytes)
		return bpmu_error_set(err, -EFAULT,
				      "0x%llx: no code there in %s; addresses are those of objdump",
				      (unsigned long long)start,
				      decan->elf.path);
	if (is_range(decan->loop) && end - start + 15 < size)
		size = end - start + 15;
	else if (!is_range(decan->loop) && end - start < size)
		size = end - start;
	return bpmu_code_init(&decan->code, start, bytes, size, err);
}

static int check_loop(const struct bpmu_decan *decan, struct bpmu_error *err)
{
	const struct bpmu_loop *loop = decan->target;

	if (!*loop->refused)
		return 0;
	return bpmu_error_set(err, -ENOTSUP,
			      "loop %u of '%s': %s; take another one, see --list",
			      decan->id, decan->name, loop->refused);
}

static int loop_by_range(struct bpmu_decan *decan, struct bpmu_error *err)
{
	const struct bpmu_code *code = &decan->code;
	u64 start, end;
	unsigned int i;

	parse_range(decan->loop, &start, &end);
	for (i = 0; i < code->nr_loops && !decan->target; i++) {
		if (bpmu_loop_header(code, &code->loop[i]) != start &&
		    code->loop[i].first != start)
			continue;
		decan->target = &code->loop[i];
		decan->id = i;
	}
	return decan->target ? check_loop(decan, err) :
	       bpmu_error_set(err, -ENOENT,
			      "--loop %s: no loop begins at 0x%llx; is END after its last branch?",
			      decan->loop, (unsigned long long)start);
}

static int loop_by_number(struct bpmu_decan *decan, struct bpmu_error *err)
{
	char *end;
	unsigned long id = strtoul(decan->loop, &end, 10);

	if (*end || end == decan->loop)
		return bpmu_error_set(err, -EINVAL,
				      "--loop '%s': is neither a number nor START-END; see --list",
				      decan->loop);
	if (id >= decan->code.nr_loops)
		return bpmu_error_set(err, -ENOENT,
				      "--loop %lu: '%s' has %u loops, numbered from 0; see --list",
				      id, decan->name, decan->code.nr_loops);
	decan->id = id;
	decan->target = &decan->code.loop[id];
	return check_loop(decan, err);
}

/*
 * Chooses the innermost loop with the most samples. If none has samples, chooses the innermost loop
 * if it is the only one. Returns 0; or a negative errno if no loop is chosen, or if the chosen loop
 * cannot be analysed.
 */
static int loop_by_samples(struct bpmu_decan *decan, struct bpmu_error *err)
{
	struct bpmu_code *code = &decan->code;
	unsigned int i, inner = 0, last = 0;
	u64 most = 0, now;

	for (i = 0; i < code->nr_loops; i++) {
		if (!code->loop[i].inner)
			continue;
		inner++;
		last = i;
		now = decan_find_samples_of(decan, &code->loop[i]);
		if (now <= most)
			continue;
		most = now;
		decan->target = &code->loop[i];
		decan->id = i;
	}
	if (!most && inner == 1) {
		decan->target = &code->loop[last];
		decan->id = last;
	}
	if (decan->target)
		return check_loop(decan, err);
	if (code->nr_loops)
		return bpmu_error_set(err, -ENODATA,
				      "function '%s': no sample is in an innermost loop of it; name one with --loop, see --list",
				      decan->name);
	return bpmu_error_set(err, -ENOENT,
			      "function '%s': has no loop; name another one with -f",
			      decan->name);
}

static void add_lines(struct bpmu_decan *decan)
{
	char id[BPMU_BUILD_ID];
	unsigned int i;

	bpmu_symbols_build_id(decan->elf.path, id);
	decan->symbols = bpmu_symbols_open(decan->elf.path, id);
	for (i = 0; i < decan->candidates.nr && decan->symbols; i++)
		decan->candidates.candidate[i].line =
			bpmu_symbols_line(decan->symbols,
					  decan->candidates.candidate[i].insn->address,
					  NULL);
}

static int decan_find_start(struct bpmu_decan *decan, struct bpmu_error *err)
{
	int code = bpmu_trace_start(&decan->trace, decan->options.argv, err);

	/*
	 * The program's file is opened before the program runs, because the error message is then
	 * clearer.
	 */
	if (!code && !decan->elf.path)
		code = bpmu_elf_open(&decan->elf, decan->trace.path,
				     err);
	return code ? code : bpmu_trace_to_entry(&decan->trace, err);
}

/**
 * bpmu_decan_find() - find function, loop and candidates that DECAN is to analyse
 * @decan: input: the options; output: what was found
 *
 * Afterwards the command is stopped at its program's entry point.
 *
 * Return: 0 or a negative errno; the caller calls bpmu_decan_free() in any case.
 */
int bpmu_decan_find(struct bpmu_decan *decan, struct bpmu_error *err)
{
	int code = 0;

	decan->coverage = NAN;
	if (decan->from) {
		code = bpmu_pipe_keep(decan->from, err) ?: decan_find_start(decan, err);
		if (!code)
			code = bpmu_profile_read(&decan->profile, decan->from,
						 decan->trace.path, err);
	} else if (!decan->loop) {
		code = profile_command(decan, err);
	}
	if (!code && !decan->function && !is_range(decan->loop))
		code = decan->profile.samples ? choose_hottest(decan, err) :
		       bpmu_error_set(err, -EINVAL,
				      "--loop %s: of which function? name it with -f",
				      decan->loop);
	if (decan->function)
		snprintf(decan->name, sizeof(decan->name), "%s",
			 decan->function);
	if (!code && !decan->from)
		code = decan_find_start(decan, err);
	if (!code)
		code = decan_find_file(decan, err);
	if (!code)
		code = decan_find_decode(decan, err);
	/*
	 * The name of the function is no longer compared with symbols, but only printed. Its
	 * control characters are replaced, because a terminal would obey them.
	 */
	bpmu_plain(decan->name, "");
	if (code)
		return code;
	if (is_range(decan->loop))
		code = loop_by_range(decan, err);
	else if (decan->loop)
		code = loop_by_number(decan, err);
	else
		code = loop_by_samples(decan, err);
	/*
	 * --list also lists loops that cannot be analysed. So with --list it is no error if a
	 * function has only such loops.
	 */
	if (code && !(decan->list && decan->code.nr_loops))
		return code;
	if (!decan->target)
		decan->target = decan->code.loop;
	if (decan->profile.samples)
		decan->coverage = (double)decan_find_samples_of(decan, decan->target) /
				  decan->profile.samples;
	code = bpmu_candidates_init(&decan->candidates, &decan->code,
				    decan->target, decan->integer, err);
	if (!code)
		add_lines(decan);
	return code;
}

/**
 * bpmu_decan_free() - free what bpmu_decan_find() found for DECAN, and end the command
 * @decan: options and state of "barepmu decan", in any state
 */
void bpmu_decan_free(struct bpmu_decan *decan)
{
	bpmu_decan_session_close(&decan->session);
	bpmu_variants_free(&decan->variants);
	bpmu_candidates_free(&decan->candidates);
	bpmu_brackets_free(&decan->brackets);
	bpmu_fork_end(&decan->fork, &decan->snapshot);
	bpmu_snapshot_end(&decan->snapshot);
	bpmu_trace_end(&decan->trace);
	bpmu_code_free(&decan->code);
	bpmu_symbols_close(decan->symbols);
	bpmu_elf_close(&decan->elf);
	bpmu_profile_free(&decan->profile);
}
