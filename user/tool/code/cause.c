// SPDX-License-Identifier: GPL-2.0
/*
 * The idea is perf's (Linux, intel_pmu_pebs_fixup_ip()): from the target of the newest branch to the
 * recorded address the thread executed one instruction after the other, and the last of them caused
 * the event. But the CPU freezes its branch records when it interrupts, which may be some branches
 * after the event. So all recorded branches are tried: between two of them, too, instructions were
 * executed one after the other. If the thread came to the recorded address in several ways, it is
 * not known which of them was that of the event, and no cause is named.
 */
#include "cause.h"

#include <stdlib.h>
#include <string.h>

#include "elf_file.h"
#include "insn.h"
#include "recording/symbols.h"

/* most bytes that are decoded from the target of a branch on */
#define STRETCH 4096

/**
 * struct bpmu_cause_file - a program or library
 * @path: its path
 * @build_id: build ID when it was recorded
 * @elf: its contents; no bytes if it cannot be read, or is another one now
 */
struct bpmu_cause_file {
	char *path;
	char *build_id;
	struct bpmu_elf elf;
};

/* Returns true if the instruction after this one in memory cannot be the next that is executed. */
static bool ends_stretch(const struct bpmu_insn *insn)
{
	return insn->z.meta.category == ZYDIS_CATEGORY_UNCOND_BR ||
	       insn->z.meta.category == ZYDIS_CATEGORY_CALL ||
	       insn->z.meta.category == ZYDIS_CATEGORY_RET;
}

static bool is_kernel(u64 address)
{
	return address >> 63;
}

/*
 * Returns the address of the instruction that is executed just before that at @next, if all from
 * @at on are executed one after the other; 0 if this does not lead to @next.
 */
static u64 last_before(const struct bpmu_zydis *zydis, const struct bpmu_cause_code *code, u64 at,
		       u64 next)
{
	struct bpmu_insn insn;
	u64 last = 0;

	if (at < code->start || next - code->start > code->size || next - at > STRETCH)
		return 0;
	for (; at < next; at += insn.length) {
		last = at;
		bpmu_insn_decode(zydis, at, code->bytes + (at - code->start), next - at, &insn);
		if (!insn.valid || ends_stretch(&insn))
			return 0;
	}
	return last;
}

/**
 * bpmu_cause_before() - find the instruction that a thread has executed before that at an address
 * @zydis: decoder
 * @code: code around the address
 * @next: the address, in user space
 * @branches: branches of the thread until some time after it was at the address, the newest first
 *
 * A branch from the kernel is the end of an interrupt or a system call: it does not tell where the
 * thread was before, nor where the instructions after the branch before it ended.
 *
 * Return: address of the instruction; 0 if the branches do not tell, or tell several.
 */
u64 bpmu_cause_before(const struct bpmu_zydis *zydis, const struct bpmu_cause_code *code, u64 next,
		      const struct bpmu_branches *branches)
{
	const struct bpmu_branch *branch = branches->branch;
	u64 found = 0, cause;
	unsigned int i;

	for (i = 0; i < branches->nr; i++) {
		bool ended = i && !is_kernel(branch[i - 1].from);

		if (next < branch[i].to || (ended && next > branch[i - 1].from) ||
		    (next == branch[i].to && is_kernel(branch[i].from)))
			continue;
		cause = next == branch[i].to ? branch[i].from :
					       last_before(zydis, code, branch[i].to, next);
		if (!cause && !ended)
			continue;
		if (!cause || (found && cause != found))
			return 0;
		found = cause;
	}
	return found;
}

static struct bpmu_cause_file *add_file(struct bpmu_causes *causes, const struct bpmu_by_map *map)
{
	struct bpmu_cause_file *grown, *file;
	struct bpmu_symbols *symbols;
	struct bpmu_error ignored;

	grown = reallocarray(causes->file, causes->nr + 1, sizeof(*grown));
	if (!grown)
		return NULL;
	causes->file = grown;
	file = &grown[causes->nr];
	*file = (struct bpmu_cause_file){
		.path = strdup(map->path), .build_id = strdup(map->build_id),
	};
	if (!file->path || !file->build_id) {
		free(file->path);
		free(file->build_id);
		return NULL;
	}
	causes->nr++;
	/* It compares the build ID of the file, and there must be one to compare. */
	symbols = *map->build_id ? bpmu_symbols_open(map->path, map->build_id) : NULL;
	if (symbols && bpmu_elf_open(&file->elf, map->path, &ignored))
		bpmu_elf_close(&file->elf);
	bpmu_symbols_close(symbols);
	return file;
}

static const struct bpmu_cause_file *file_of(struct bpmu_causes *causes,
					     const struct bpmu_by_map *map)
{
	unsigned int i;

	for (i = 0; i < causes->nr; i++)
		if (!strcmp(causes->file[i].path, map->path) &&
		    !strcmp(causes->file[i].build_id, map->build_id))
			return &causes->file[i];
	return add_file(causes, map);
}

static u64 find_cause(void *data, const struct bpmu_by_symbols *symbols,
		      const struct bpmu_who *who, const struct bpmu_branches *branches)
{
	const struct bpmu_cause_file *file;
	struct bpmu_cause_code code;
	const struct bpmu_zydis *zydis;
	struct bpmu_error ignored;
	struct bpmu_by_map map;

	if (!bpmu_by_symbols_mapping(symbols, who, &map))
		return 0;
	zydis = bpmu_zydis(&ignored);
	file = zydis ? file_of(data, &map) : NULL;
	if (!file || map.offset >= file->elf.size)
		return 0;
	code = (struct bpmu_cause_code){
		.start = map.start, .bytes = file->elf.bytes + map.offset,
		.size = file->elf.size - map.offset,
	};
	if (code.size > map.size)
		code.size = map.size;
	return bpmu_cause_before(zydis, &code, who->ip, branches);
}

/**
 * bpmu_causes_begin() - let a replay name the instructions that caused precise interrupts
 * @causes: set; to be freed with bpmu_causes_free() after the replay
 * @replay: the replay, before it begins
 *
 * Only of interrupts in user space, in files that are still there; and only with branches.
 */
void bpmu_causes_begin(struct bpmu_causes *causes, struct bpmu_replay *replay)
{
	*causes = (struct bpmu_causes){ };
	replay->cause = find_cause;
	replay->cause_data = causes;
}

void bpmu_causes_free(struct bpmu_causes *causes)
{
	unsigned int i;

	for (i = 0; i < causes->nr; i++) {
		bpmu_elf_close(&causes->file[i].elf);
		free(causes->file[i].path);
		free(causes->file[i].build_id);
	}
	free(causes->file);
	*causes = (struct bpmu_causes){ };
}
