// SPDX-License-Identifier: GPL-2.0
/*
 * Writes the interrupts of a recording as a profile that pprof reads: a protobuf message Profile,
 * compressed by gzip (github.com/google/pprof, proto/profile.proto, has the numbers of its fields).
 * Interrupts with the same process, thread name and call stack become one sample of the profile. It
 * has a value for each event: the number of its occurrences.
 */
#include "pprof.h"

#include <errno.h>
#include <search.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/library.h"
#include "protobuf.h"
#include "replay/report_by_stack.h"

#define ZLIB "libz.so.1"

/* numbers of the fields of pprof's protobuf message Profile */
#define PROFILE_SAMPLE_TYPE 1
#define PROFILE_SAMPLE 2
#define PROFILE_MAPPING 3
#define PROFILE_LOCATION 4
#define PROFILE_FUNCTION 5
#define PROFILE_STRING 6
#define PROFILE_TIME_NS 9
#define PROFILE_PERIOD_TYPE 11
#define PROFILE_PERIOD 12
#define PROFILE_DEFAULT_TYPE 14

/* lowest address of the kernel's half of the address space */
#define KERNEL_HALF 0xffff800000000000ULL

/*
 * Maximum number of locations of a call stack: the interrupted instruction, the callers in the
 * kernel, and the callers in user space; if callers are missing in kernel or user space, a further
 * location says so
 */
#define PLACES_MOST (2 * (BPMU_MAX_CHAIN + 1) + 1)

/* maximum number of bytes that zlib is given at once to compress */
#define CHUNK (1U << 20)

/*
 * Kinds of elements of a profile, such as strings and functions. Each element has a number, by
 * which other elements refer to it. A PLACE is not written to the profile: it maps an instruction
 * to the number of the instruction's LOCATION, so that the symbol of the instruction is looked up
 * only once.
 */
enum kind { STRING, MAPPING, FUNCTION, LOCATION, PLACE, SAMPLE, KINDS };

/**
 * struct known - an element of the profile (string, function, ...), which has a number
 * @key: contents by which the element is found, [@size]
 * @size: number of bytes in @key
 * @id: number of the element
 * @next: of a sample: the sample with the next number
 * @value: of a sample: number of occurrences of each event, [&pprof.nr]
 */
struct known {
	void *key;
	size_t size;
	u64 id;
	struct known *next;
	u64 value[BPMU_MAX_COUNTERS];
};

/**
 * struct sample_key - key of a sample of the profile: what all its interrupts have in common
 * @comm: number of the element of kind STRING that has the thread's name
 * @pid: interrupted process
 * @location: numbers of the elements of kind LOCATION in the call stack, the outermost caller first
 */
struct sample_key {
	u64 comm;
	u64 pid;
	u64 location[PLACES_MOST];
};

/**
 * struct pprof - state of writing a profile for pprof
 * @replay: the recording
 * @slot: events whose interrupts are written, [@nr]
 * @nr: number of events
 * @profile: protobuf message Profile
 * @part: buffer for a message that becomes a field of @profile
 * @inner: buffer for a message that becomes a field of @part
 * @tree: for all kinds of elements: tsearch(3) tree of &struct known, [&enum kind]
 * @numbers: number of elements of every kind, [&enum kind]
 * @first: first sample
 * @last: last sample
 * @stack: thread, process and stack of the interrupt that is being added
 * @depth: number of locations in @stack
 * @failed: memory ran out
 */
struct pprof {
	struct bpmu_replay *replay;
	const struct bpmu_sched_slot *slot[BPMU_MAX_COUNTERS + 1];
	unsigned int nr;
	struct bpmu_protobuf profile;
	struct bpmu_protobuf part;
	struct bpmu_protobuf inner;
	void *tree[KINDS];
	u64 numbers[KINDS];
	struct known *first;
	struct known *last;
	struct sample_key stack;
	unsigned int depth;
	bool failed;
};

/**
 * struct zlib - functions of the library zlib, which is loaded at run time
 * @open: gzdopen()
 * @write: gzwrite()
 * @close: gzclose()
 */
struct zlib {
	void *(*open)(int fd, const char *mode);
	int (*write)(void *file, const void *bytes, unsigned int size);
	int (*close)(void *file);
};

static int compare_known(const void *a, const void *b)
{
	const struct known *x = a, *y = b;

	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return memcmp(x->key, y->key, x->size);
}

static void free_known(void *known)
{
	free(((struct known *)known)->key);
	free(known);
}

/*
 * Returns the element of kind @of (string, mapping, ...) that has the key @key. If there is none
 * yet, adds an element with the next number of this kind; numbers begin at 0 for strings, at 1 for
 * other kinds. Sets *@new to true if an element was added, otherwise to false. Returns NULL if
 * memory runs out.
 */
static struct known *know(struct pprof *p, enum kind of, const void *key, size_t size, bool *new)
{
	struct known wanted = { .key = (void *)key, .size = size };
	struct known **at = tfind(&wanted, &p->tree[of], compare_known);
	struct known *known;

	*new = !at;
	if (at)
		return *at;
	known = calloc(1, sizeof(*known));
	if (known)
		*known = (struct known){ .key = malloc(size ?: 1), .size = size };
	if (!known || !known->key || !memcpy(known->key, key, size) ||
	    !tsearch(known, &p->tree[of], compare_known)) {
		p->failed = true;
		if (known)
			free_known(known);
		return NULL;
	}
	known->id = p->numbers[of]++ + (of != STRING);
	return known;
}

static u64 string_of(struct pprof *p, const char *text)
{
	const struct known *known;
	bool new;

	known = know(p, STRING, text, strlen(text), &new);
	if (known && new)
		bpmu_protobuf_bytes(&p->profile, PROFILE_STRING, text, strlen(text));
	return known ? known->id : 0;
}

/*
 * Returns the number of the mapped file (element of kind MAPPING) that contains the instruction
 * @at; 0 if there is none.
 */
static u64 mapping_of(struct pprof *p, const struct bpmu_who *at)
{
	struct bpmu_by_map map = {
		.start = KERNEL_HALF, .size = ~KERNEL_HALF, .path = "[kernel.kallsyms]",
		.build_id = "",
	};
	const struct known *known;
	u64 key[5];
	bool new;

	if (!(at->flags & BPMU_WHO_KERNEL) &&
	    !bpmu_by_symbols_mapping(&p->replay->by.symbols, at, &map))
		return 0;
	key[0] = map.start;
	key[1] = map.start + map.size;
	key[2] = map.offset;
	key[3] = string_of(p, map.path);
	key[4] = string_of(p, map.build_id);
	known = know(p, MAPPING, key, sizeof(key), &new);
	if (!known || !new)
		return known ? known->id : 0;
	bpmu_protobuf_number(&p->part, 1, known->id);
	bpmu_protobuf_number(&p->part, 2, key[0]);
	bpmu_protobuf_number(&p->part, 3, key[1]);
	bpmu_protobuf_number(&p->part, 4, key[2]);
	bpmu_protobuf_number(&p->part, 5, key[3]);
	bpmu_protobuf_number(&p->part, 6, key[4]);
	/*
	 * Fields 7 to 9 tell pprof that the profile has all functions, files and lines, so that
	 * pprof does not look them up in the mapped file.
	 */
	bpmu_protobuf_number(&p->part, 7, true);
	bpmu_protobuf_number(&p->part, 8, true);
	bpmu_protobuf_number(&p->part, 9, true);
	bpmu_protobuf_message(&p->profile, PROFILE_MAPPING, &p->part);
	return known->id;
}

static u64 pprof_function(struct pprof *p, const char *label, const char *file)
{
	const u64 key[2] = { string_of(p, label), string_of(p, file) };
	const struct known *known;
	bool new;

	known = know(p, FUNCTION, key, sizeof(key), &new);
	if (!known || !new)
		return known ? known->id : 0;
	bpmu_protobuf_number(&p->part, 1, known->id);
	bpmu_protobuf_number(&p->part, 2, key[0]);
	bpmu_protobuf_number(&p->part, 3, key[0]);
	bpmu_protobuf_number(&p->part, 4, key[1]);
	bpmu_protobuf_message(&p->profile, PROFILE_FUNCTION, &p->part);
	return known->id;
}

/*
 * Returns the number of the element of kind LOCATION for the instruction @at in function @label. If
 * @at is NULL, the location says that callers are missing in the call stack.
 */
static u64 location_of(struct pprof *p, const struct bpmu_who *at, const char *label)
{
	const u64 key[3] = { at ? mapping_of(p, at) : 0, at ? at->ip : 0, string_of(p, label) };
	const struct known *known;
	unsigned int line = 0;
	const char *file = "";
	bool new;

	known = know(p, LOCATION, key, sizeof(key), &new);
	if (!known || !new)
		return known ? known->id : 0;
	if (at)
		line = bpmu_by_symbols_source(&p->replay->by.symbols, at, &file);
	bpmu_protobuf_number(&p->inner, 1, pprof_function(p, label, line ? file : ""));
	bpmu_protobuf_number(&p->inner, 2, line);
	bpmu_protobuf_number(&p->part, 1, known->id);
	bpmu_protobuf_number(&p->part, 2, key[0]);
	bpmu_protobuf_number(&p->part, 3, key[1]);
	bpmu_protobuf_message(&p->part, 4, &p->inner);
	bpmu_protobuf_message(&p->profile, PROFILE_LOCATION, &p->part);
	return known->id;
}

/*
 * Adds the instruction @at to the call stack of the current interrupt. If @at is NULL, adds a
 * location that says that callers are missing. Returns false if memory runs out.
 */
static bool add_place(void *data, const struct bpmu_who *at)
{
	struct pprof *p = data;
	const char *label = at ? bpmu_by_symbols_label(&p->replay->by.symbols, at) :
				 BPMU_BY_STACK_INCOMPLETE;
	const u64 key[3] = { (uintptr_t)label, at ? at->ip : 0, at ? at->tgid : 0 };
	struct known *place;
	bool new;

	if (!label) {
		p->failed = true;
		return false;
	}
	place = know(p, PLACE, key, sizeof(key), &new);
	if (place && new)
		place->id = location_of(p, at, label);
	if (place)
		p->stack.location[p->depth++] = place->id;
	return place;
}

static void pprof_on_interrupt(void *data, const struct bpmu_interrupt *interrupt)
{
	const struct bpmu_overflow *overflow = interrupt->overflow;
	bool hidden = overflow->who.flags & BPMU_WHO_UNNAMED, new;
	struct pprof *p = data;
	struct known *sample;
	unsigned int event = 0;

	p->depth = 0;
	p->stack.comm = string_of(p, hidden ? "[hidden]" : overflow->who.comm);
	p->stack.pid = hidden ? 0 : overflow->who.tgid;
	if (!bpmu_by_stack_each(&overflow->who, interrupt->chains, add_place, p))
		return;
	sample = know(p, SAMPLE, &p->stack,
		      offsetof(struct sample_key, location[0]) + p->depth * sizeof(u64), &new);
	if (!sample)
		return;
	if (new && p->last)
		p->last->next = sample;
	else if (new)
		p->first = sample;
	if (new)
		p->last = sample;
	while (event + 1 < p->nr && p->slot[event]->value != overflow->event)
		event++;
	sample->value[event] += overflow->period;
}

static void put_label(struct pprof *p, const char *key, u64 text, u64 number)
{
	bpmu_protobuf_number(&p->inner, 1, string_of(p, key));
	bpmu_protobuf_number(&p->inner, 2, text);
	bpmu_protobuf_number(&p->inner, 3, number);
	bpmu_protobuf_message(&p->part, 3, &p->inner);
}

static void pprof_put_sample(struct pprof *p, const struct known *sample)
{
	const struct sample_key *key = sample->key;
	unsigned int depth = (sample->size - offsetof(struct sample_key, location[0])) /
			     sizeof(u64);
	unsigned int i;

	while (depth)
		bpmu_protobuf_number(&p->part, 1, key->location[--depth]);
	for (i = 0; i < p->nr; i++)
		bpmu_protobuf_number(&p->part, 2, sample->value[i]);
	put_label(p, "comm", key->comm, 0);
	put_label(p, "pid", 0, key->pid);
	bpmu_protobuf_message(&p->profile, PROFILE_SAMPLE, &p->part);
}

static void put_type(struct pprof *p, unsigned int field, const struct bpmu_sched_slot *slot)
{
	bpmu_protobuf_number(&p->part, 1, string_of(p, slot->text));
	bpmu_protobuf_number(&p->part, 2, string_of(p, "count"));
	bpmu_protobuf_message(&p->profile, field, &p->part);
}

static void put_events(struct pprof *p)
{
	unsigned int i;

	for (i = 0; i < p->nr; i++)
		put_type(p, PROFILE_SAMPLE_TYPE, p->slot[i]);
	put_type(p, PROFILE_PERIOD_TYPE, p->slot[0]);
	bpmu_protobuf_number(&p->profile, PROFILE_PERIOD, p->slot[0]->period);
	bpmu_protobuf_number(&p->profile, PROFILE_DEFAULT_TYPE, string_of(p, p->slot[0]->text));
	bpmu_protobuf_number(&p->profile, PROFILE_TIME_NS,
			     bpmu_recording_state(p->replay->file)->first.wall_ns);
}

static int put_profile(struct pprof *p, const struct bpmu_sched_slot *only,
		       const struct bpmu_target *target, struct bpmu_error *err)
{
	const struct known *sample;
	int code;

	/* pprof requires that string number 0 is "". */
	string_of(p, "");
	code = bpmu_replay_overflows(p->replay, only, target, pprof_on_interrupt, p, err);
	if (code)
		return code;
	for (sample = p->first; sample; sample = sample->next)
		pprof_put_sample(p, sample);
	put_events(p);
	return p->failed || p->profile.failed ? bpmu_error_no_memory(err, "--pprof") : 0;
}

static int compress(FILE *out, const struct zlib *zlib, const struct bpmu_protobuf *profile,
		    struct bpmu_error *err)
{
	int fd = dup(fileno(out));
	void *file = fd < 0 ? NULL : zlib->open(fd, "wb");
	bool failed = !file;
	size_t at, size;

	for (at = 0; at < profile->size && !failed; at += size) {
		size = profile->size - at < CHUNK ? profile->size - at : CHUNK;
		failed = zlib->write(file, profile->byte + at, size) != (int)size;
	}
	if (file)
		failed |= zlib->close(file) != 0;
	else if (fd >= 0)
		close(fd);
	return failed ? bpmu_error_set(err, -EIO, "--pprof: cannot be written; free disk space") :
			0;
}

/**
 * bpmu_pprof_write() - write the interrupts of a recording as a profile for pprof
 * @out: the file. Nothing may have been written to it before, because zlib writes to its file
 *	descriptor, not to the stream
 * @replay: open recording with interrupts, at its start. Only interrupts between the times of
 *	--from and --to are written. &bpmu_replay.by must have the type BPMU_BY_STACK; symbols are
 *	added to it
 * @only: event whose interrupts are written, or NULL for the interrupts of all events
 * @target: CPUs of the recording
 *
 * Return: 0, -ENOTSUP if the library zlib is not installed, or another negative errno.
 */
int bpmu_pprof_write(FILE *out, struct bpmu_replay *replay, const struct bpmu_sched_slot *only,
		     const struct bpmu_target *target, struct bpmu_error *err)
{
	static const struct bpmu_library_function functions[] = {
		{ "gzdopen", offsetof(struct zlib, open) },
		{ "gzwrite", offsetof(struct zlib, write) },
		{ "gzclose", offsetof(struct zlib, close) },
	};
	struct pprof p = { .replay = replay, .slot = { only }, .nr = !!only };
	struct zlib zlib;
	int code;
	int kind;

	if (!bpmu_library_load(ZLIB, functions, ARRAY_SIZE(functions), &zlib))
		return bpmu_error_set(err, -ENOTSUP,
			"--pprof: needs zlib (" ZLIB "), which this tool lacks; install it, or use --speedscope");
	while (!only && (p.slot[p.nr] = bpmu_replay_interrupting(target->recorded, p.nr)))
		p.nr++;
	code = put_profile(&p, only, target, err);
	if (!code)
		code = compress(out, &zlib, &p.profile, err);
	for (kind = 0; kind < KINDS; kind++)
		tdestroy(p.tree[kind], free_known);
	free(p.profile.byte);
	free(p.part.byte);
	free(p.inner.byte);
	return code;
}
