// SPDX-License-Identifier: GPL-2.0
#include "recording_who_seen.h"

#include <search.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain.h"
#include "recording.h"
#include "recording_section.h"
#include "recording_who.h"
#include "recording_who_maps.h"

/* Maximum numbers of processes and of kernel instructions that the recording describes */
#define PROCESSES_MAX 16384
#define KERNEL_MAX 65536U

/* Number of places of the first table of the kernel's instructions */
#define KERNEL_ROOM_LEAST 1024

/*
 * Maximum number of times that the mappings of a process are read. Without this limit, the mappings
 * of a process that loads or generates code all the time would be read after each fetch of samples.
 */
#define ASK_MAX 8

/**
 * struct process - a process that a sample has interrupted
 * @tgid: ID of the process
 * @comm: name of the process when its mappings were read
 * @asked: number of times that the mappings of the process were read
 * @round: number of the fetch of samples after which the mappings were read last
 * @maps: mappings of the process, or NULL
 * @map: the mapping that the last sample of the process was in; its size is 0 before that
 */
struct process {
	u32 tgid;
	char comm[sizeof(((struct bpmu_who *)0)->comm)];
	unsigned int asked;
	unsigned int round;
	json_t *maps;
	struct bpmu_who_map map;
};

static int compare_processes(const void *a, const void *b)
{
	const struct process *x = a, *y = b;

	return x->tgid < y->tgid ? -1 : x->tgid > y->tgid;
}

static int compare_ips(const void *a, const void *b)
{
	const u64 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/**
 * bpmu_who_seen_place() - place of an instruction of the kernel in a table of those that were seen
 * @table: the table, which is not full, [@room]
 * @room: number of places, a power of two
 * @ip: address of the instruction
 *
 * Return: where it is, or else the free place, which is 0, where it belongs.
 */
u64 *bpmu_who_seen_place(u64 *table, unsigned int room, u64 ip)
{
	u64 at = bpmu_who_seen_first(ip);

	while (table[at & (room - 1)] && table[at & (room - 1)] != ip)
		at++;
	return &table[at & (room - 1)];
}

/* Doubles the room of the kernel's instructions. Returns false if memory runs out. */
static bool grow_kernel(struct bpmu_who_seen *seen)
{
	unsigned int room = seen->kernel_room ? 2 * seen->kernel_room : KERNEL_ROOM_LEAST;
	u64 *grown = calloc(room, sizeof(*grown));
	unsigned int i;

	if (!grown)
		return false;
	for (i = 0; i < seen->kernel_room; i++)
		if (seen->kernel[i])
			*bpmu_who_seen_place(grown, room, seen->kernel[i]) = seen->kernel[i];
	free(seen->kernel);
	seen->kernel = grown;
	seen->kernel_room = room;
	return true;
}

/* Adds an instruction of the kernel that was not seen before, unless there are too many. */
static __attribute__((noinline)) void add_kernel(struct bpmu_who_seen *seen, u64 ip)
{
	if (seen->nr_kernel == KERNEL_MAX ||
	    (2 * seen->nr_kernel >= seen->kernel_room && !grow_kernel(seen)))
		return;
	*bpmu_who_seen_place(seen->kernel, seen->kernel_room, ip) = ip;
	seen->nr_kernel++;
}

/**
 * bpmu_who_seen_kernel() - note that an instruction of the kernel was seen, interrupted or calling
 * @seen: what was seen so far
 * @ip: address of the instruction, 0 if it is hidden
 */
void bpmu_who_seen_kernel(struct bpmu_who_seen *seen, u64 ip)
{
	if (ip && !bpmu_who_seen_has(seen, ip))
		add_kernel(seen, ip);
}

/* Returns the process with an ID if a sample has interrupted it, else NULL. */
static struct process *seen_process(struct bpmu_who_seen *seen, u32 tgid)
{
	struct process key = { .tgid = tgid };
	struct process **at;

	if (seen->last && seen->last->tgid == tgid)
		return seen->last;
	at = tfind(&key, &seen->processes, compare_processes);
	if (!at)
		return NULL;
	seen->last = *at;
	return *at;
}

static struct process *find_process(struct bpmu_who_seen *seen, u32 tgid)
{
	struct process *new = seen_process(seen, tgid);

	if (new)
		return new;
	if (seen->nr_processes == PROCESSES_MAX)
		return NULL;
	new = calloc(1, sizeof(*new));
	if (!new)
		return NULL;
	new->tgid = tgid;
	if (tsearch(new, &seen->processes, compare_processes)) {
		seen->nr_processes++;
		return new;
	}
	free(new);
	return NULL;
}

static void pass_process(const struct bpmu_who_seen *seen, const struct process *process)
{
	json_t *all = json_pack("{s:I,s:o,s:O}", "tgid",
				(json_int_t)process->tgid, "comm",
				bpmu_utf8_text(process->comm), "maps",
				process->maps);
	char *text = all ? json_dumps(all, JSON_COMPACT) : NULL;

	if (text)
		seen->block(seen->data, BPMU_RECORDING_PROCESS, text, strlen(text));
	free(text);
	json_decref(all);
}

/*
 * Reads the mappings of a process and passes them on. If the process has ended, nothing is passed
 * on, and the mappings that were read before stay valid.
 */
static void who_seen_ask(struct bpmu_who_seen *seen, struct process *process,
			 const struct bpmu_who *who)
{
	json_t *maps;

	process->asked++;
	process->round = seen->round;
	maps = bpmu_who_maps(process->tgid);
	if (!maps)
		return;
	json_decref(process->maps);
	process->maps = maps;
	process->map.size = 0;
	memcpy(process->comm, who->comm, sizeof(process->comm));
	pass_process(seen, process);
}

/*
 * Checks if the mappings of a process must be read again: if none were read yet, if the name of the
 * process has changed, or if no mapping contains the interrupted instruction of @who.
 */
static bool has_changed(struct process *process, const struct bpmu_who *who)
{
	return !process->maps ||
	       (who->pid == who->tgid &&
		memcmp(process->comm, who->comm, sizeof(who->comm))) ||
	       (who->ip - process->map.start >= process->map.size &&
		!bpmu_who_maps_find(process->maps, who->ip, &process->map));
}

/* Checks if the mappings of a process must be read now, before the next fetch of samples. */
static bool must_ask(const struct bpmu_who_seen *seen, struct process *process,
		     const struct bpmu_who *who)
{
	return process->asked < ASK_MAX && !(process->asked && process->round == seen->round) &&
	       has_changed(process, who);
}

/*
 * Checks if a task was interrupted in user space in the process and in the mapping of the sample
 * before, as most are.
 */
static inline bool is_as_before(const struct bpmu_who_seen *seen, const struct bpmu_who_bytes *who)
{
	const struct process *last = seen->last;

	return last && last->tgid == who->task.tgid &&
	       who->task.ip - last->map.start < last->map.size &&
	       (who->task.pid != who->task.tgid ||
		!memcmp(last->comm, who->task.comm, sizeof(last->comm)));
}

/* Notes a task that was interrupted in user space. */
static __attribute__((noinline)) void see_process(struct bpmu_who_seen *seen,
						  const struct bpmu_who_bytes *bytes)
{
	const struct bpmu_who who = bytes->task;
	struct process *process = find_process(seen, who.tgid);

	if (process && must_ask(seen, process, &who))
		who_seen_ask(seen, process, &who);
}

static inline __attribute__((always_inline)) void see_task(struct bpmu_who_seen *seen,
							   const struct bpmu_who_bytes *who)
{
	u32 flags = who->task.flags;

	if (flags & (BPMU_WHO_NOWHERE | BPMU_WHO_IDLE | BPMU_WHO_HIDDEN))
		return;
	if (flags & BPMU_WHO_KERNEL)
		bpmu_who_seen_kernel(seen, who->task.ip);
	else if (!(flags & BPMU_WHO_UNNAMED) && !is_as_before(seen, who))
		see_process(seen, who);
}

/* Checks if the mappings of a task need not be read that was interrupted in user space; as below. */
static bool knows_process(struct bpmu_who_seen *seen, const struct bpmu_who *who,
			  struct bpmu_who_map *map)
{
	struct process *process = seen_process(seen, who->tgid);

	if (!process || must_ask(seen, process, who))
		return false;
	*map = process->map;
	return true;
}

/**
 * bpmu_who_seen_kept() - note who was seen, interrupted, unless the mappings of a process are read
 * @seen: what was seen so far; NULL if nothing is to be noted
 * @bytes: the interrupted task
 * @range: set to where else the same task can be interrupted without that there is something to
 *	note; valid until mappings are read
 *
 * Return: true; false if bpmu_who_seen_task() must be called, which reads mappings and passes them
 * on.
 */
bool bpmu_who_seen_kept(struct bpmu_who_seen *seen, const struct bpmu_who_bytes *bytes,
			struct bpmu_who_range *range)
{
	const struct bpmu_who who = bytes->task;

	*range = (struct bpmu_who_range){ .flags = who.flags };
	if (!seen || who.flags & (BPMU_WHO_NOWHERE | BPMU_WHO_IDLE | BPMU_WHO_HIDDEN) ||
	    (who.flags & (BPMU_WHO_KERNEL | BPMU_WHO_UNNAMED)) == BPMU_WHO_UNNAMED) {
		range->map.size = ~0ULL;
		return true;
	}
	if (!(who.flags & BPMU_WHO_KERNEL))
		return knows_process(seen, &who, &range->map);
	range->seen = seen;
	bpmu_who_seen_kernel(seen, who.ip);
	return true;
}

/**
 * bpmu_who_seen_task() - note who was seen, interrupted by a sample: process or kernel instruction
 * @seen: what was seen so far
 * @who: the interrupted task
 */
void bpmu_who_seen_task(struct bpmu_who_seen *seen, const struct bpmu_who *who)
{
	see_task(seen, (const struct bpmu_who_bytes *)who);
}

/**
 * bpmu_who_seen_add() - note all who were seen, interrupted: processes and kernel instructions
 * @seen: what was seen so far
 * @records: sample records of one CPU, as the module gives them; NULL after the records of all CPUs
 * @bytes: size of all records in bytes
 * @size: size of one record in bytes
 */
void bpmu_who_seen_add(struct bpmu_who_seen *seen, const void *records, size_t bytes,
		       size_t size)
{
	const char *end;

	if (!records) {
		seen->round++;
		return;
	}
	for (; bytes >= size; bytes -= size, records = end) {
		end = (const char *)records + size;
		see_task(seen, (const void *)(end - sizeof(struct bpmu_who)));
	}
}

/* Notes an address of user space. */
static void see_user(struct bpmu_who_seen *seen, const struct bpmu_who *who, u64 address)
{
	struct bpmu_who at = *who;

	at.ip = address;
	at.flags &= BPMU_WHO_UNNAMED;
	bpmu_who_seen_task(seen, &at);
}

/* Notes an address; 0 if it is hidden. */
static void see_address(struct bpmu_who_seen *seen, const struct bpmu_who *who, u64 address)
{
	if (address >> 63)
		bpmu_who_seen_kernel(seen, address);
	else if (address)
		see_user(seen, who, address);
}

static void see_branches(struct bpmu_who_seen *seen, const struct bpmu_who *who, const char *data,
			 size_t bytes)
{
	struct bpmu_branch branch;

	for (; bytes >= sizeof(branch); bytes -= sizeof(branch), data += sizeof(branch)) {
		memcpy(&branch, data, sizeof(branch));
		see_address(seen, who, branch.from);
		see_address(seen, who, branch.to);
	}
}

/**
 * struct chain - addresses of a call chain in the kernel
 * @at: the addresses, unaligned, beginning with that of the innermost function
 * @bytes: their size in bytes
 */
struct chain {
	const char *at;
	size_t bytes;
};

/*
 * Notes the addresses of a call chain in the kernel. The outer ones that are also those of the
 * chain before it, @last, have been noted already. @last is set to the chain.
 */
static void see_chain(struct bpmu_who_seen *seen, const char *data, size_t bytes,
		      struct chain *last)
{
	const struct chain before = *last;
	const char *a = data + bytes, *b = before.at + before.bytes;
	u64 address;

	*last = (struct chain){ data, bytes };
	while (a - data >= (long)sizeof(address) && b - before.at >= (long)sizeof(address) &&
	       !memcmp(a - sizeof(address), b - sizeof(address), sizeof(address))) {
		a -= sizeof(address);
		b -= sizeof(address);
	}
	for (; a - data >= (long)sizeof(address); data += sizeof(address)) {
		memcpy(&address, data, sizeof(address));
		bpmu_who_seen_kernel(seen, address);
	}
}

/*
 * Notes addresses in the sections of an interrupt: all addresses of a call chain in the kernel, the
 * first address of the process's chain behind it, and those of branches. @chain is that of the
 * interrupt before, and is set to that of this one.
 */
static void see_sections(struct bpmu_who_seen *seen, const void *record, struct chain *chain)
{
	const struct bpmu_who who = ((const struct bpmu_overflow_bytes *)record)->record.who;
	struct bpmu_section head;
	const char *data = NULL;
	bool kernel = false;
	u64 address;

	while ((data = bpmu_section_next(record, data, &head))) {
		size_t bytes = head.size - sizeof(head);

		if (head.id == BPMU_SECTION_BRANCHES)
			see_branches(seen, &who, data, bytes);
		kernel |= head.id == BPMU_SECTION_KERNEL;
		if (head.id == BPMU_SECTION_KERNEL && !(who.flags & BPMU_WHO_IDLE))
			see_chain(seen, data, bytes, chain);
		if (head.id != BPMU_SECTION_USER || !kernel || bytes < sizeof(address))
			continue;
		memcpy(&address, data, sizeof(address));
		see_user(seen, &who, address);
	}
}

/**
 * bpmu_who_seen_overflows() - note all who were seen, interrupted by overflows, and who called them
 * @seen: what was seen so far
 * @records: records of interrupts of one CPU, as the module gives them, with their sections
 * @bytes: size of all records in bytes
 */
void bpmu_who_seen_overflows(struct bpmu_who_seen *seen, const void *records, size_t bytes)
{
	const char *at = records, *end = at + bytes;
	struct chain chain = { };
	const struct bpmu_overflow_bytes *one;
	size_t size;

	for (; at < end; at += size) {
		one = (const struct bpmu_overflow_bytes *)at;
		size = one->record.size;
		see_task(seen, (const void *)(at + offsetof(struct bpmu_overflow, who)));
		if (size > sizeof(struct bpmu_overflow))
			see_sections(seen, at, &chain);
	}
}

static void pass_kernel(const struct bpmu_who_seen *seen)
{
	u64 *ip = calloc(seen->nr_kernel, sizeof(*ip));
	json_t *all;
	char *text;
	unsigned int i;
	size_t nr = 0;

	if (!ip)
		return;
	for (i = 0; i < seen->kernel_room; i++)
		if (seen->kernel[i])
			ip[nr++] = seen->kernel[i];
	qsort(ip, nr, sizeof(*ip), compare_ips);
	all = bpmu_who_functions(ip, nr);
	text = all ? json_dumps(all, JSON_COMPACT) : NULL;
	if (text)
		seen->block(seen->data, BPMU_RECORDING_KERNEL, text, strlen(text));
	free(text);
	json_decref(all);
	free(ip);
}

static void free_process(void *process)
{
	json_decref(((struct process *)process)->maps);
	free(process);
}

/**
 * bpmu_who_seen_end() - pass on the kernel functions that were seen in samples, and forget all
 * @seen: what was seen; freed
 */
void bpmu_who_seen_end(struct bpmu_who_seen *seen)
{
	if (seen->nr_kernel)
		pass_kernel(seen);
	tdestroy(seen->processes, free_process);
	free(seen->kernel);
}
