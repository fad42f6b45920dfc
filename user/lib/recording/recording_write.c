// SPDX-License-Identifier: GPL-2.0
#include "recording_write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "recording_branch.h"
#include "recording_counts.h"
#include "recording_chain.h"
#include "recording_code.h"
#include "recording_op.h"
#include "recording_overflow.h"
#include "recording_section.h"
#include "recording_who.h"
#include "recording_who_seen.h"

/* Maximum size in bytes of a number that bpmu_code_number() encodes */
#define NUMBER_MOST 10

/* Maximum size in bytes of a sample record of the module */
#define RECORD_MOST (sizeof(struct bpmu_sample) + sizeof(struct bpmu_who) + \
	BPMU_MAX_COUNTERS * sizeof(u64))

/**
 * bpmu_recording_create() - create a recording to be written
 * @recording: filled in; on success bpmu_recording_close() must end it
 * @name: name of the file; the first bpmu_recording_round() replaces an existing file of this name
 */
int bpmu_recording_create(struct bpmu_recording *recording, const char *name,
			  struct bpmu_error *err)
{
	memset(recording, 0, sizeof(*recording));
	recording->name = name;
	recording->fd = bpmu_replace_open(&recording->replace, name);
	if (recording->fd >= 0) {
		recording->waiting = malloc(BPMU_RECORDING_WAIT);
		return 0;
	}
	return bpmu_error_set(err, recording->fd,
			      "%s: cannot be written: %s; name another file",
			      name, strerror(-recording->fd));
}

/* Writes all @size bytes of @data to the file; if this fails, sets @recording->error. */
static void write_all(struct bpmu_recording *recording, const void *data, size_t size)
{
	const char *at = data;
	ssize_t done;

	while (size && !recording->error) {
		done = write(recording->fd, at, size);
		if (done < 0) {
			if (errno != EINTR)
				recording->error = errno;
			continue;
		}
		at += done;
		size -= done;
	}
}

/* Writes what waits; if this fails, sets @recording->error. */
static void write_waiting(struct bpmu_recording *recording)
{
	write_all(recording, recording->waiting, recording->nr_waiting);
	recording->nr_waiting = 0;
}

/* Lets @size bytes of @data wait until they are written, or writes them if they are too many. */
static void rec_write_put(struct bpmu_recording *recording, const void *data, size_t size)
{
	recording->bytes += size;
	if (size > BPMU_RECORDING_WAIT - recording->nr_waiting)
		write_waiting(recording);
	if (!recording->waiting || size > BPMU_RECORDING_WAIT) {
		write_all(recording, data, size);
		return;
	}
	memcpy(recording->waiting + recording->nr_waiting, data, size);
	recording->nr_waiting += size;
}

/* Returns memory for the contents of a block of up to @most bytes; NULL if out of memory. */
static unsigned char *contents(struct bpmu_recording *recording, size_t most)
{
	unsigned char *grown;

	most += BPMU_RECORDING_HEAD_BYTES;
	if (most > recording->room) {
		grown = realloc(recording->block, most);
		if (!grown) {
			recording->error = recording->error ?: ENOMEM;
			return NULL;
		}
		recording->block = grown;
		recording->room = most;
	}
	return recording->block + BPMU_RECORDING_HEAD_BYTES;
}

static void put_block(struct bpmu_recording *recording, u32 type, size_t size)
{
	u32 head[4] = { type, size };

	head[2] = bpmu_recording_crc(0, head, 2 * sizeof(*head));
	head[3] = bpmu_recording_crc(0, recording->block + sizeof(head), size);
	memcpy(recording->block, head, sizeof(head));
	rec_write_put(recording, recording->block, sizeof(head) + size);
}

static void put_clock(struct bpmu_recording *recording)
{
	unsigned char *begin = contents(recording, 3 * NUMBER_MOST);
	unsigned char *at = begin;

	if (!at)
		return;
	at = bpmu_code_number(at, __builtin_ia32_rdtsc());
	at = bpmu_code_number(at, bpmu_clock_ns(CLOCK_MONOTONIC));
	at = bpmu_code_number(at, bpmu_clock_ns(CLOCK_REALTIME));
	put_block(recording, BPMU_RECORDING_CLOCK, at - begin);
}

static u32 last_cpu(const struct bpmu_recording_about *about)
{
	unsigned int i;
	u32 last = 0;
	u32 cpu;

	for (i = 0; i <= about->others; i++) {
		cpu = about[i].cpus.cpu[about[i].cpus.nr - 1];
		if (cpu > last)
			last = cpu;
	}
	return last;
}

/**
 * bpmu_recording_describe() - write the blocks of a recording that come before the samples
 * @recording: created with bpmu_recording_create()
 * @about: complete description
 * @record_bytes: size of a sample record of the module in bytes
 */
int bpmu_recording_describe(struct bpmu_recording *recording,
			    const struct bpmu_recording_about *about,
			    u32 record_bytes, struct bpmu_error *err)
{
	char magic[] = BPMU_RECORDING_MAGIC;
	char *text = bpmu_recording_about_text(about);
	unsigned char *at = NULL;

	magic[BPMU_RECORDING_MAGIC_BYTES - 1] =
		about->others ? BPMU_RECORDING_HYBRID : BPMU_RECORDING_VERSION;
	recording->record_bytes = record_bytes;
	recording->counts = about->counts;
	recording->nr_cpus = last_cpu(about) + 1;
	recording->cpu = calloc(recording->nr_cpus, sizeof(*recording->cpu));
	if (text && recording->cpu)
		at = contents(recording, strlen(text));
	if (!at) {
		free(text);
		return bpmu_error_no_memory(err, recording->name);
	}
	rec_write_put(recording, magic, sizeof(magic));
	memcpy(at, text, strlen(text));
	put_block(recording, BPMU_RECORDING_ABOUT, strlen(text));
	free(text);
	put_clock(recording);
	return 0;
}

/*
 * Adds @nr samples of a CPU, with sequence numbers from @first to @last, to the CPU's totals.
 * Missing sequence numbers, also those before @first, are lost samples.
 */
static void rec_write_count(struct bpmu_recording_cpu *cpu, size_t nr, u64 first,
			    u64 last)
{
	if (!cpu->seen)
		cpu->next = first;
	cpu->lost += last + 1 - cpu->next - nr;
	cpu->seen = true;
	cpu->next = last + 1;
	cpu->samples += nr;
}

/*
 * Encodes the interrupted task of a sample record of the module to @to; the record ends at @end, and
 * its last bytes are a struct bpmu_who.
 */
static struct bpmu_code_extra who_of(const char *end, struct bpmu_who_code *code,
				     unsigned char to[BPMU_WHO_MOST])
{
	return (struct bpmu_code_extra){
		.data = to, .size = bpmu_who_put(code, end - sizeof(struct bpmu_who), to),
	};
}

/**
 * bpmu_recording_add() - write a block of samples to a recording
 * @recording: recording whose description was written
 * @records: sample records of one CPU, as the module stores them
 * @bytes: size of all records in bytes
 */
void bpmu_recording_add(struct bpmu_recording *recording, const void *records,
			size_t bytes)
{
	const size_t size = recording->record_bytes;
	size_t i, nr = bytes / size, at_once = recording->who ? 1 : nr;
	const char *record = records;
	unsigned char encoded[BPMU_WHO_MOST];
	struct bpmu_who_code who = { };
	struct bpmu_code_extra extra;
	struct bpmu_sample sample;
	struct bpmu_code code;
	unsigned char *begin, *at;

	begin = contents(recording, NUMBER_MOST + nr *
			 (BPMU_CODE_MOST + BPMU_WHO_MOST));
	if (!begin || !nr || size > RECORD_MOST)
		return;
	memcpy(&sample, records, sizeof(sample));
	if (sample.cpu >= recording->nr_cpus)
		return;
	bpmu_code_begin(&code, sample.cpu);
	at = bpmu_code_number(begin, sample.cpu);
	for (i = 0; i < nr; i += at_once, record += size) {
		if (recording->who)
			extra = who_of(record + size, &who, encoded);
		at += bpmu_code_put(&code, record, at_once, size,
				    recording->who ? &extra : NULL, at);
	}
	rec_write_count(&recording->cpu[sample.cpu], nr, sample.seq, code.last.seq);
	put_block(recording, BPMU_RECORDING_SAMPLES, at - begin);
}

/* Notes the innermost @nr addresses of a call chain in the kernel. */
static void see_callers(struct bpmu_who_seen *seen, const struct bpmu_chain_bytes *chain,
			unsigned int nr)
{
	u64 address;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		memcpy(&address, chain->data + i * sizeof(address), sizeof(address));
		bpmu_who_seen_kernel(seen, address);
	}
}

/*
 * Notes the address at which a task entered the kernel, the first of @chain. @entry is the task of
 * the call before, interrupted there, and @range what bpmu_who_seen_kept() has set for it. Returns
 * false if the mappings of the process must be read.
 */
static bool see_entry(struct bpmu_who_seen *seen, const struct bpmu_who_bytes *who,
		      const struct bpmu_chain_bytes *chain, struct bpmu_who *entry,
		      struct bpmu_who_range *range)
{
	const struct bpmu_who_bytes *bytes = (const struct bpmu_who_bytes *)entry;
	const bool same = bpmu_who_is_same(who, entry);

	if (!chain->nr)
		return true;
	if (!same)
		*entry = who->task;
	memcpy(&entry->ip, chain->data, sizeof(entry->ip));
	entry->flags = who->task.flags & BPMU_WHO_UNNAMED;
	return (same && bpmu_who_range_has(range, bytes)) ||
	       bpmu_who_seen_kept(seen, bytes, range);
}

/*
 * Writes a block with the call chains of @nr records of interrupts, unless no record has one. The
 * next block of interrupts that the caller writes must be the block of these records. Notes who
 * called; sets @unread to the first of the records whose process has mappings that must be read,
 * unless there is none, or @unread comes before it. Returns the kinds of sections that any of the
 * records has, as bits of &enum bpmu_section_id.
 */
static u64 put_chains(struct bpmu_recording *recording, const char *from, unsigned int nr,
		      const void **unread)
{
	unsigned char *begin = contents(recording, (size_t)nr * BPMU_CHAINS_MOST);
	struct bpmu_who_seen *seen = recording->seen;
	const struct bpmu_chain_bytes *kernel, *user;
	struct bpmu_who_range range = { };
	struct bpmu_chains_code code = { };
	const struct bpmu_who_bytes *who;
	struct bpmu_who entry = { };
	unsigned char *at = begin;
	bool idle = false;

	if (!begin)
		return 0;
	kernel = &code.put[BPMU_SECTION_KERNEL];
	user = &code.put[BPMU_SECTION_USER];
	for (; nr; nr--, from += bpmu_section_record_size(from)) {
		at = bpmu_chains_put(&code, from, at);
		if (!seen || !(code.present & 1 << BPMU_SECTION_KERNEL))
			continue;
		who = (const void *)(from + offsetof(struct bpmu_overflow, who));
		/* The callers of an idle CPU are not noted, so that a chain may share new ones. */
		if (!(who->task.flags & BPMU_WHO_IDLE))
			see_callers(seen, kernel,
				    idle ? kernel->nr : code.fresh[BPMU_SECTION_KERNEL]);
		idle = who->task.flags & BPMU_WHO_IDLE;
		if (code.present & 1 << BPMU_SECTION_USER &&
		    !see_entry(seen, who, user, &entry, &range) &&
		    (!*unread || (const char *)*unread > from))
			*unread = from;
	}
	if (code.sections & (1 << BPMU_SECTION_KERNEL | 1 << BPMU_SECTION_USER))
		put_block(recording, BPMU_RECORDING_CHAINS, at - begin);
	return code.sections;
}

/*
 * Writes a block with the branch records of @nr records of interrupts, of which at least one has a
 * section of branches. The next block of interrupts that the caller writes must be the block of
 * these records.
 */
static void encode_branches(struct bpmu_recording *recording, const char *from, unsigned int nr)
{
	struct bpmu_branches branches;
	unsigned char *begin, *at;
	bool any = false;

	begin = contents(recording, (size_t)nr * BPMU_BRANCHES_MOST);
	for (at = begin; begin && nr; nr--, from += bpmu_section_record_size(from)) {
		any |= bpmu_branches_take(&branches, from);
		at += bpmu_branches_put(&branches, at);
	}
	if (begin && any)
		put_block(recording, BPMU_RECORDING_BRANCHES, at - begin);
}

/*
 * Writes a block with the counts of @nr records of interrupts, also if none of them has a section
 * of counts, because an earlier one has the counts of the same record of the CPU: without the block
 * a reader would take these counts for lost. The next block of interrupts that the caller writes
 * must be the block of these records.
 */
static void encode_counts(struct bpmu_recording *recording, const char *from, unsigned int nr)
{
	struct bpmu_counts counts;
	unsigned char *begin, *at;

	begin = contents(recording, (size_t)nr * BPMU_COUNTS_MOST);
	for (at = begin; begin && nr; nr--, from += bpmu_section_record_size(from)) {
		bpmu_counts_take(&counts, from);
		at += bpmu_counts_put(&counts, at);
	}
	if (begin)
		put_block(recording, BPMU_RECORDING_COUNTS, at - begin);
}

/*
 * Writes a block with the sampled ops of @nr records of interrupts, unless no record has one. The
 * next block of interrupts that the caller writes must be the block of these records.
 */
static void encode_ops(struct bpmu_recording *recording, const char *from, unsigned int nr)
{
	struct bpmu_op_code code = { };
	struct bpmu_tagged_op op;
	unsigned char *begin, *at;
	bool present, any = false;

	begin = contents(recording, (size_t)nr * BPMU_OP_MOST);
	for (at = begin; begin && nr; nr--, from += bpmu_section_record_size(from)) {
		present = bpmu_op_take(&op, from);
		any |= present;
		at += bpmu_op_put(&code, present ? &op : NULL, at);
	}
	if (begin && any)
		put_block(recording, BPMU_RECORDING_OPS, at - begin);
}

/*
 * Writes a block with the sampled fetches of @nr records of interrupts, unless no record has one.
 * The next block of interrupts that the caller writes must be the block of these records.
 */
static void encode_fetches(struct bpmu_recording *recording, const char *from, unsigned int nr)
{
	struct bpmu_fetched fetch;
	unsigned char *begin, *at;
	bool present, any = false;

	begin = contents(recording, (size_t)nr * BPMU_FETCH_MOST);
	for (at = begin; begin && nr; nr--, from += bpmu_section_record_size(from)) {
		present = bpmu_fetch_take(&fetch, from);
		any |= present;
		at += bpmu_fetch_put(present ? &fetch : NULL, at);
	}
	if (begin && any)
		put_block(recording, BPMU_RECORDING_FETCHES, at - begin);
}

/*
 * Writes a block with the retire latencies of @nr records of interrupts, unless no record has one.
 * The next block of interrupts that the caller writes must be the block of these records.
 */
static void encode_retired(struct bpmu_recording *recording, const char *from, unsigned int nr)
{
	struct bpmu_retired retired;
	unsigned char *begin, *at;
	bool known, any = false;

	begin = contents(recording, (size_t)nr * BPMU_RETIRED_MOST);
	for (at = begin; begin && nr; nr--, from += bpmu_section_record_size(from)) {
		known = bpmu_retired_take(&retired, from);
		any |= known;
		at += bpmu_retired_put(known ? &retired : NULL, at);
	}
	if (begin && any)
		put_block(recording, BPMU_RECORDING_RETIRED, at - begin);
}

/* Keeps the block that is being built while another one is built, or goes on with it. */
static void exchange(struct bpmu_recording *recording)
{
	unsigned char *block = recording->block;
	size_t room = recording->room;

	recording->block = recording->kept;
	recording->room = recording->kept_room;
	recording->kept = block;
	recording->kept_room = room;
}

/* Writes the blocks with the sections of records of interrupts, which come before the records. */
static void encode_sections(struct bpmu_recording *recording, const char *records,
			    struct bpmu_overflow_code *code)
{
	const unsigned int nr = code->nr;
	u64 sections = code->longer ? put_chains(recording, records, nr, &code->unread) : 0;

	if (sections & 1 << BPMU_SECTION_BRANCHES) {
		encode_branches(recording, records, nr);
		code->unread = recording->seen ? records : NULL;
	}
	if (recording->counts)
		encode_counts(recording, records, nr);
	if (sections & 1 << BPMU_SECTION_OP)
		encode_ops(recording, records, nr);
	if (sections & 1 << BPMU_SECTION_FETCH)
		encode_fetches(recording, records, nr);
	if (sections & 1 << BPMU_SECTION_RETIRED)
		encode_retired(recording, records, nr);
}

/**
 * bpmu_recording_add_overflows() - write overflow interrupts to a recording, as one block
 * @recording: recording whose description was written
 * @records: records of one CPU, as the module gives them: each is a &struct bpmu_overflow, followed
 *	by its call chains, branches, counts and sampled op or fetch. The member size of the struct is
 *	the size of all this in bytes. There are no gaps between the records
 * @bytes: size of all records in bytes
 *
 * Who was interrupted is noted in &bpmu_recording.seen, after the block was written.
 *
 * Return: number of records that were written.
 */
unsigned int bpmu_recording_add_overflows(struct bpmu_recording *recording, const void *records,
					  size_t bytes)
{
	struct bpmu_overflow_code code = { .seen = recording->seen };
	const char *end = (const char *)records + bytes;
	struct bpmu_recording_cpu *cpu;
	struct bpmu_overflow record;
	unsigned char *begin, *at;
	u64 before;

	memcpy(&record, records, sizeof(record));
	if (record.cpu >= recording->nr_cpus)
		return 0;
	begin = contents(recording, 2 * NUMBER_MOST +
			 bytes / sizeof(record) * BPMU_OVERFLOW_MOST);
	if (!begin)
		return 0;
	cpu = &recording->cpu[record.cpu];
	before = cpu->next_overflow;
	at = bpmu_code_number(begin, record.cpu);
	at = bpmu_code_number(at, 0);
	at = bpmu_overflows_put(&code, records, bytes, &cpu->next_overflow, at);
	cpu->overflows_gaps += cpu->next_overflow - before - code.nr;
	cpu->overflows += code.nr;
	exchange(recording);
	encode_sections(recording, records, &code);
	exchange(recording);
	put_block(recording, BPMU_RECORDING_OVERFLOWS, at - begin);
	if (code.unread)
		bpmu_who_seen_overflows(recording->seen, code.unread,
					end - (const char *)code.unread);
	return code.nr;
}

/**
 * bpmu_recording_lose_overflows() - note for writing how many interrupts of a CPU a recording lacks
 * @recording: recording whose description was written
 * @cpu: number of the CPU
 * @lost: number of the CPU's interrupts since the start that the module could not record
 */
void bpmu_recording_lose_overflows(struct bpmu_recording *recording, u32 cpu, u64 lost)
{
	if (cpu < recording->nr_cpus)
		recording->cpu[cpu].overflows_lost = lost;
}

/*
 * Writes how many interrupts of each CPU were lost after the CPU's last recorded interrupt. Earlier
 * losses are gaps in the sequence numbers of the recorded interrupts.
 */
static void put_lost_overflows(struct bpmu_recording *recording)
{
	const struct bpmu_recording_cpu *cpu;
	unsigned char *begin, *at;
	unsigned int i;

	for (i = 0; i < recording->nr_cpus; i++) {
		cpu = &recording->cpu[i];
		begin = cpu->overflows_lost > cpu->overflows_gaps ?
			contents(recording, 2 * NUMBER_MOST) : NULL;
		if (!begin)
			continue;
		at = bpmu_code_number(begin, i);
		at = bpmu_code_number(at, cpu->overflows_lost - cpu->overflows_gaps);
		put_block(recording, BPMU_RECORDING_OVERFLOWS, at - begin);
	}
}

/**
 * bpmu_recording_block() - write a block of text to a recording
 * @recording: recording whose description was written
 * @type: &enum bpmu_recording_block
 * @text: contents of the block; a block that exceeds BPMU_RECORDING_BLOCK_MAX is not written
 */
void bpmu_recording_block(struct bpmu_recording *recording, u32 type,
			  const char *text)
{
	size_t size = strlen(text);
	unsigned char *at;

	if (size > BPMU_RECORDING_BLOCK_MAX)
		return;
	at = contents(recording, size);
	if (!at)
		return;
	memcpy(at, text, size);
	put_block(recording, type, size);
}

/**
 * bpmu_recording_round() - write a block with the time of day, after the samples of all CPUs
 * @recording: recording whose description was written
 *
 * A reader merges the samples of all CPUs up to this block, and converts the times of samples by
 * the clocks in it. The first call, which shows that the session works, also lets the temporary
 * file replace an existing file with the requested name.
 */
void bpmu_recording_round(struct bpmu_recording *recording)
{
	put_clock(recording);
	write_waiting(recording);
	if (!recording->error)
		recording->error = -bpmu_replace_end(&recording->replace);
}

static void put_end(struct bpmu_recording *recording)
{
	unsigned char *begin, *at;
	unsigned int cpu;

	begin = contents(recording, (size_t)recording->nr_cpus * 3 *
				    NUMBER_MOST);
	at = begin;
	for (cpu = 0; at && cpu < recording->nr_cpus; cpu++) {
		if (!recording->cpu[cpu].seen)
			continue;
		at = bpmu_code_number(at, cpu);
		at = bpmu_code_number(at, recording->cpu[cpu].samples);
		at = bpmu_code_number(at, recording->cpu[cpu].lost);
	}
	if (at)
		put_block(recording, BPMU_RECORDING_END, at - begin);
}

/**
 * bpmu_recording_close() - write the end of a recording, and close its file
 * @recording: created with bpmu_recording_create(); the file is removed if bpmu_recording_round()
 *	was never called
 *
 * Return: 0, or the negative errno of the first failure of writing since the recording was created.
 */
int bpmu_recording_close(struct bpmu_recording *recording,
			 struct bpmu_error *err)
{
	int error;

	if (recording->cpu) {
		put_lost_overflows(recording);
		put_clock(recording);
		put_end(recording);
	}
	write_waiting(recording);
	error = recording->error;
	if (close(recording->fd) && !error)
		error = errno;
	bpmu_replace_drop(&recording->replace);
	free(recording->cpu);
	free(recording->block);
	free(recording->kept);
	free(recording->waiting);
	if (!error)
		return 0;
	return bpmu_error_set(err, -error, "%s: not written: %s; is there room?",
			      recording->name, strerror(error));
}

/**
 * bpmu_recording_switch() - continue to write a recording in another file
 * @recording: recording; the last block written is from bpmu_recording_round()
 * @name: name of the next file
 * @about: description of the recording
 * @err: set on failure, after which only bpmu_recording_close() may be called
 *
 * Samples that are lost between the two files count as lost in the second one.
 */
int bpmu_recording_switch(struct bpmu_recording *recording, const char *name,
			  const struct bpmu_recording_about *about,
			  struct bpmu_error *err)
{
	struct bpmu_recording next;
	struct bpmu_error ignored;
	unsigned int i;
	int code;

	code = bpmu_recording_create(&next, name, err);
	if (code)
		return code;
	next.who = recording->who;
	next.seen = recording->seen;
	code = bpmu_recording_describe(&next, about, recording->record_bytes,
				       err);
	if (code) {
		bpmu_recording_close(&next, &ignored);
		return code;
	}
	for (i = 0; i < next.nr_cpus; i++) {
		next.cpu[i].seen = recording->cpu[i].seen;
		next.cpu[i].next = recording->cpu[i].next;
		next.cpu[i].next_overflow = recording->cpu[i].next_overflow;
		next.cpu[i].overflows_lost = recording->cpu[i].overflows_lost;
		next.cpu[i].overflows_gaps = recording->cpu[i].overflows_gaps;
		/*
		 * Interrupts that were lost after the last one of this file are a gap in the
		 * sequence numbers of the next file. A reader finds them there, so they are not
		 * written to this file, too.
		 */
		recording->cpu[i].overflows_lost = 0;
	}
	code = bpmu_recording_close(recording, err);
	*recording = next;
	return code;
}
