// SPDX-License-Identifier: GPL-2.0
#include "recording_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "recording_who.h"

/*
 * Size in bytes of the buffer through which the file of a recording is read. It is large, because
 * many small reads would take more time.
 */
#define READ_BYTES (256 * 1024)

#define NO_SAMPLE "no sample in a block"

/* bpmu_recording_fetch() reads no further blocks if those it has read have this size in bytes. */
#define FETCH_BYTES (4U << 20)

/**
 * struct cursor - position in a block of samples that is being decoded
 * @block_at: offset of the block in the file
 * @groups: groups that the block's CPU counted
 * @least: number of values that a sample of each group of the core must have; for other numbers of
 *	groups more than a sample can have
 * @next: smallest valid sequence number of the CPU's next sample; 0 before the first sample
 * @samples: number of samples of the CPU that were read so far
 * @code: decoder of the block's samples
 * @who: decoder of the interrupted tasks that the samples name
 * @batch: the samples that were decoded last
 * @task: interrupted tasks of the samples in @batch
 * @sample: the samples in @batch, in the form in which the reader returns them, [@nr]
 * @extended: samples in @batch have extensions; else no sample in @sample has a task
 * @nr: number of samples in @sample
 * @taken: number of samples in @sample that bpmu_recording_next() has returned
 * @failed: negative errno if the bytes behind @batch could not be decoded, else 0
 * @err: error with @failed
 */
struct cursor {
	u64 block_at;
	const struct bpmu_groups *groups;
	u8 least[BPMU_MAX_GROUPS];
	u64 next;
	u64 samples;
	struct bpmu_code code;
	struct bpmu_who_code who;
	struct bpmu_code_batch batch;
	struct bpmu_who task[BPMU_CODE_BATCH];
	struct bpmu_taken_sample sample[BPMU_CODE_BATCH];
	bool extended;
	unsigned int nr;
	unsigned int taken;
	int failed;
	struct bpmu_error err;
};

/**
 * struct fetched - one of several blocks of samples that were read together
 * @block_at: offset of the block in the file
 * @from: offset of the block's contents in &struct bpmu_recording_file.block
 * @size: size of the block's contents in bytes
 * @cpu: number of the CPU whose samples the block has
 * @next: index of the next block of the same CPU plus one; 0 for the CPU's last block
 */
struct fetched {
	u64 block_at;
	size_t from;
	u32 size;
	u32 cpu;
	unsigned int next;
};

/**
 * struct run - blocks of samples of one CPU that were read together; &fetched.next links them
 * @first: index of the first block
 * @last: index of the last block
 * @samples: number of samples that were decoded from these blocks
 * @code: 0, or a negative errno if decoding one of the blocks failed
 * @failed_at: offset in the file of the block whose decoding failed
 * @err: error with @code
 */
struct run {
	unsigned int first;
	unsigned int last;
	u64 samples;
	int code;
	u64 failed_at;
	struct bpmu_error err;
};

/**
 * struct bpmu_recording_file - a recording that is being read, which may be several files
 * @names: names of the files, in their order
 * @nr: number of files
 * @now: index of the current file in @names
 * @name: name of the current file
 * @file: stream of the current file
 * @base: size of all files before the current one in bytes
 * @about: description of the recording, from the first file
 * @state: progress of reading
 * @block_at: offset in the file of the block that was read last
 * @block: memory for the contents of blocks
 * @room: size of @block in bytes
 * @used: number of bytes of @block that are kept when the next block is read
 * @cursor: position in samples that are read one by one
 * @contents: contents of the block that was read last
 * @holding: true if a block has been read (or reading it has failed), but is used only after the
 *	samples before it have been decoded
 * @held: with @holding: the type of this block, 0 for the end, or a negative errno
 * @held_size: with @holding: size of this block in bytes
 * @held_err: with @holding: the error of reading this block
 * @fetched: blocks of samples that were read together, [@nr_fetched]
 * @nr_fetched: number of these blocks
 * @fetched_room: number of blocks for which @fetched has room
 * @run: the blocks in @fetched by CPU, [@nr_runs]
 * @nr_runs: number of CPUs that have blocks in @fetched
 * @run_of: index in @run of the CPU's blocks plus one; 0 for a CPU without blocks, [nr CPUs]
 * @on_block: called for blocks other than samples, or NULL
 * @data: passed to @on_block
 * @next: smallest valid sequence number of each CPU's next sample, [nr CPUs]
 * @samples: number of samples of each CPU so far, [nr CPUs]
 */
struct bpmu_recording_file {
	char **names;
	unsigned int nr;
	unsigned int now;
	const char *name;
	FILE *file;
	u64 base;
	struct bpmu_recording_about about[BPMU_CORE_TYPES];
	struct bpmu_recording_state state;
	u64 block_at;
	unsigned char *block;
	size_t room;
	size_t used;
	struct cursor cursor;
	const unsigned char *contents;
	bool holding;
	int held;
	u32 held_size;
	struct bpmu_error held_err;
	struct fetched *fetched;
	unsigned int nr_fetched;
	unsigned int fetched_room;
	struct run *run;
	unsigned int nr_runs;
	unsigned int run_of[BPMU_CPULIST_MAX];
	void (*on_block)(void *data, int type, const char *text, size_t size);
	void *data;
	u64 next[BPMU_CPULIST_MAX];
	u64 samples[BPMU_CPULIST_MAX];
};

static int corrupt_at(const struct bpmu_recording_file *file, u64 block_at,
		      const char *what, struct bpmu_error *err)
{
	return bpmu_error_set(err, -EBADMSG,
		"%s: %s at offset %llu; the file is damaged, restore it or record again",
		file->name, what, block_at);
}

static int corrupt(const struct bpmu_recording_file *file, const char *what,
		   struct bpmu_error *err)
{
	return corrupt_at(file, file->block_at, what, err);
}

/*
 * Reads @size bytes, or fewer at the end of the file. Returns the number of bytes that were read,
 * or a negative errno.
 */
static ssize_t rec_read_fill(struct bpmu_recording_file *file, void *to, size_t size,
			     struct bpmu_error *err)
{
	FILE *from = file->file;
	size_t got = 0;

	while ((got += fread((char *)to + got, 1, size - got, from)) < size &&
	       ferror(from) && errno == EINTR)
		clearerr(from);
	if (got < size && ferror(from))
		return bpmu_error_set(err, -errno,
			"%s: cannot be read: %s; is it a file?", file->name,
			strerror(errno));
	file->state.bytes += got;
	return got;
}

static int rec_read_no_seek(const struct bpmu_recording_file *file, struct bpmu_error *err)
{
	return bpmu_error_set(err, -errno,
			      "%s: cannot be read twice: %s; copy it to a file",
			      file->name, strerror(errno));
}

/* Checks if a block's head is all zeros. After a power failure a file may end with zeros. */
static bool blank(const u32 *head)
{
	return !head[0] && !head[1] && !head[2] && !head[3];
}

static bool rec_read_make_room(struct bpmu_recording_file *file, size_t size)
{
	unsigned char *grown;

	size += file->used;
	if (size <= file->room)
		return true;
	/* The size is at least doubled, so that realloc() seldom has to copy the earlier blocks. */
	if (size < 2 * file->room)
		size = 2 * file->room;
	grown = realloc(file->block, size);
	if (!grown)
		return false;
	file->block = grown;
	file->room = size;
	return true;
}

static int check_head(const struct bpmu_recording_file *file, const u32 *head,
		      struct bpmu_error *err)
{
	if (head[2] != bpmu_recording_crc(0, head, 2 * sizeof(*head)))
		return corrupt(file, "wrong checksum of a block's head", err);
	if (head[1] > BPMU_RECORDING_BLOCK_MAX)
		return corrupt(file, "a block too long", err);
	return 0;
}

/*
 * Reads a block of the current file; returns its type, 0 if the file ends before or within the
 * block, or a negative errno.
 */
static int read_block_here(struct bpmu_recording_file *file, u32 *size,
			   struct bpmu_error *err)
{
	unsigned char *contents;
	u32 head[4] = { };
	ssize_t got;
	int code;

	file->block_at = file->state.bytes - file->base;
	got = rec_read_fill(file, head, sizeof(head), err);
	if (got < 0)
		return got;
	file->state.cut = !file->state.ended;
	if (got < (ssize_t)sizeof(head) || blank(head)) {
		if (file->state.ended && got)
			return corrupt(file, "bytes after the last block", err);
		return 0;
	}
	code = check_head(file, head, err);
	if (code)
		return code;
	*size = head[1];
	if (!rec_read_make_room(file, head[1] + 1))
		return bpmu_error_no_memory(err, file->name);
	contents = file->block + file->used;
	file->contents = contents;
	got = rec_read_fill(file, contents, head[1], err);
	if (got < 0)
		return got;
	if (got < head[1])
		return 0;
	if (head[3] != bpmu_recording_crc(0, contents, head[1]))
		return corrupt(file, "wrong checksum of a block", err);
	return head[0] && head[0] <= 0xffff ? (int)head[0] :
			 corrupt(file, "a block of no type", err);
}

static int check_magic(struct bpmu_recording_file *file, struct bpmu_error *err)
{
	char magic[BPMU_RECORDING_MAGIC_BYTES];
	unsigned char version;
	ssize_t got = rec_read_fill(file, magic, sizeof(magic), err);

	if (got < 0)
		return got;
	if (got < (ssize_t)sizeof(magic) ||
	    memcmp(magic, BPMU_RECORDING_MAGIC, sizeof(magic) - 1))
		return bpmu_error_set(err, -EINVAL,
			"%s: is no recording; name a file that 'barepmu record -o' wrote",
			file->name);
	version = magic[sizeof(magic) - 1];
	if (version == BPMU_RECORDING_VERSION ||
	    version == BPMU_RECORDING_HYBRID)
		return 0;
	return bpmu_error_set(err, -EPROTO,
		"%s: a recording of version %u, this tool reads %u and %u; use the tool that wrote it",
		file->name, version, BPMU_RECORDING_VERSION,
		BPMU_RECORDING_HYBRID);
}

static int read_about(struct bpmu_recording_file *file,
		      struct bpmu_recording_about *about, struct bpmu_error *err)
{
	u32 size = 0;
	int type;

	memset(about, 0, BPMU_CORE_TYPES * sizeof(*about));
	type = check_magic(file, err);
	if (type)
		return type;
	type = read_block_here(file, &size, err);
	if (type < 0)
		return type;
	if (!type)
		return bpmu_error_set(err, -ENODATA,
			"%s: was cut off before its first sample; record again",
			file->name);
	if (type != BPMU_RECORDING_ABOUT)
		return corrupt(file, "no description", err);
	return bpmu_recording_about_parse(about, (char *)file->contents, size,
					  file->name, err);
}

static int open_stream(struct bpmu_recording_file *file, struct bpmu_error *err)
{
	file->name = file->names[file->now];
	file->file = fopen(file->name, "re");
	if (!file->file)
		return bpmu_error_set(err, -errno,
			"%s: cannot be read: %s; name a file that 'barepmu record -o' wrote",
			file->name, strerror(errno));
	if (setvbuf(file->file, NULL, _IOFBF, READ_BYTES))
		return bpmu_error_no_memory(err, file->name);
	return 0;
}

static void shut_stream(struct bpmu_recording_file *file)
{
	if (file->file)
		fclose(file->file);
	file->file = NULL;
}

/* Opens the next of several files; it is an error if the current file is not complete. */
static int open_next(struct bpmu_recording_file *file, struct bpmu_error *err)
{
	struct bpmu_recording_about about[BPMU_CORE_TYPES];
	int code;

	if (!file->state.ended)
		return bpmu_error_set(err, -EBADMSG,
			"%s: was cut off, and %s follows it; report each alone",
			file->name, file->names[file->now + 1]);
	shut_stream(file);
	file->now++;
	file->base = file->state.bytes;
	file->state.ended = false;
	memset(file->samples, 0, sizeof(file->samples));
	code = open_stream(file, err);
	if (code)
		return code;
	code = read_about(file, about, err);
	if (!code && about->session != file->about->session)
		code = corrupt(file, "another session", err);
	bpmu_recording_about_free(about);
	return code;
}

/*
 * Reads the next block, if necessary from the next file; returns its type, 0 at the end of the last
 * file, or a negative errno.
 */
static int read_block(struct bpmu_recording_file *file, u32 *size,
		      struct bpmu_error *err)
{
	int type, code;

	for (;;) {
		type = read_block_here(file, size, err);
		if (type || file->now + 1 == file->nr)
			return type;
		code = open_next(file, err);
		if (code)
			return code;
	}
}

/**
 * struct member - one of the files of a recording, while they are sorted
 * @name: name of the file
 * @about: description of the recording
 */
struct member {
	char *name;
	struct bpmu_recording_about about[BPMU_CORE_TYPES];
};

static int compare_members(const void *one, const void *other)
{
	const struct member *a = one, *b = other;

	return (a->about->file > b->about->file) - (a->about->file < b->about->file);
}

static int check_members(const struct member *member, unsigned int nr,
			 struct bpmu_error *err)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (!member[i].about->session)
			return bpmu_error_set(err, -EINVAL,
				"%s: is a recording of its own; report it alone, or compare with --diff or --html",
				member[i].name);
		if (member[i].about->session != member[0].about->session)
			return bpmu_error_set(err, -EINVAL,
				"%s: is of another session than %s; report each alone",
				member[i].name, member[0].name);
		if (i && member[i].about->file == member[i - 1].about->file)
			return bpmu_error_set(err, -EINVAL,
				"%s: is the same part of the recording as %s; name it once",
				member[i].name, member[i - 1].name);
	}
	return 0;
}

/*
 * Sorts the names of the files in the order in which the files were written. The description in
 * each file has the number of the file.
 */
static int sort_names(struct bpmu_recording_file *file, struct bpmu_error *err)
{
	struct member *member = calloc(file->nr, sizeof(*member));
	int code = member ? 0 : bpmu_error_no_memory(err, file->names[0]);
	unsigned int i;

	for (i = 0; i < file->nr && !code; i++) {
		member[i].name = file->names[i];
		file->now = i;
		code = open_stream(file, err);
		if (!code)
			code = read_about(file, member[i].about, err);
		shut_stream(file);
	}
	if (!code) {
		qsort(member, file->nr, sizeof(*member), compare_members);
		code = check_members(member, file->nr, err);
	}
	for (i = 0; member && i < file->nr; i++) {
		if (!code)
			file->names[i] = member[i].name;
		bpmu_recording_about_free(member[i].about);
	}
	free(member);
	return code;
}

/* Returns the size of all files of the recording in bytes, 0 if one of them is a pipe. */
static u64 size_of_all(const struct bpmu_recording_file *file)
{
	struct stat stat_of;
	unsigned int i;
	u64 size = 0;

	for (i = 0; i < file->nr; i++) {
		if (stat(file->names[i], &stat_of) || !S_ISREG(stat_of.st_mode))
			return 0;
		size += stat_of.st_size;
	}
	return size;
}

static int begin_first(struct bpmu_recording_file *file,
		       struct bpmu_recording_about *about,
		       struct bpmu_error *err)
{
	int code = 0;

	if (file->now)
		shut_stream(file);
	memset(&file->state, 0, sizeof(file->state));
	file->now = 0;
	file->base = 0;
	if (file->file)
		rewind(file->file);
	else
		code = open_stream(file, err);
	return code ? code : read_about(file, about, err);
}

static void begin_cursor(struct cursor *cursor)
{
	unsigned int i;

	for (i = 0; i < BPMU_CODE_BATCH; i++) {
		cursor->sample[i].head = &cursor->batch.head[i];
		cursor->sample[i].values = cursor->batch.value[i];
		cursor->sample[i].who = NULL;
	}
	cursor->extended = false;
}

static bool copy_names(struct bpmu_recording_file *file,
		       const char *const *names, unsigned int nr)
{
	file->names = calloc(nr, sizeof(*file->names));
	for (; file->names && file->nr < nr; file->nr++) {
		file->names[file->nr] = strdup(names[file->nr]);
		if (!file->names[file->nr])
			return false;
	}
	return file->names;
}

/**
 * bpmu_recording_open_set() - open a recording that is a set of files, for reading
 * @file: set on success; free it with bpmu_recording_shut()
 * @names: names of the files, in any order; a recording has several files if
 *	bpmu_recording_switch() was called while it was written
 * @nr: number of files
 */
int bpmu_recording_open_set(struct bpmu_recording_file **file,
			    const char *const *names, unsigned int nr,
			    struct bpmu_error *err)
{
	struct bpmu_recording_file *f = calloc(1, sizeof(*f));
	int code = 0;

	*file = NULL;
	if (!f || !copy_names(f, names, nr)) {
		bpmu_recording_shut(f);
		return bpmu_error_no_memory(err, names[0]);
	}
	if (nr > 1)
		code = sort_names(f, err);
	if (!code)
		code = begin_first(f, f->about, err);
	if (code) {
		bpmu_recording_shut(f);
		return code;
	}
	begin_cursor(&f->cursor);
	f->state.size = size_of_all(f);
	*file = f;
	return 0;
}

/**
 * bpmu_recording_open() - open a recording for reading
 * @file: set on success; free it with bpmu_recording_shut()
 * @name: name of the file
 */
int bpmu_recording_open(struct bpmu_recording_file **file, const char *name,
			struct bpmu_error *err)
{
	return bpmu_recording_open_set(file, &name, 1, err);
}

/**
 * bpmu_recording_about() - description of a recording that is read
 * @file: open recording
 *
 * Return: the description, valid until bpmu_recording_shut().
 */
const struct bpmu_recording_about *
bpmu_recording_about(const struct bpmu_recording_file *file)
{
	return file->about;
}

/**
 * bpmu_recording_state() - how far a recording has been read
 * @file: open recording
 *
 * Return: the state, which later reads update; valid until bpmu_recording_shut().
 */
const struct bpmu_recording_state *
bpmu_recording_state(const struct bpmu_recording_file *file)
{
	return &file->state;
}

static void forget_block(struct cursor *cursor)
{
	cursor->code.at = NULL;
	cursor->code.end = NULL;
	cursor->nr = 0;
	cursor->taken = 0;
	cursor->failed = 0;
}

static void find_least(struct cursor *cursor)
{
	const struct bpmu_groups *groups = cursor->groups;
	unsigned int g;

	memset(cursor->least, BPMU_MAX_COUNTERS + 1, sizeof(cursor->least));
	for (g = 0; g < groups->nr_of[BPMU_BANK_CORE] && g < BPMU_MAX_GROUPS; g++)
		cursor->least[g] = groups->group[g].sched.values;
}

static int begin_samples(const struct bpmu_recording_file *file,
			 struct cursor *cursor, u64 block_at,
			 const unsigned char *contents, u32 size,
			 struct bpmu_error *err)
{
	const unsigned char *at = contents, *end = contents + size;
	u64 cpu;

	forget_block(cursor);
	cursor->block_at = block_at;
	if (!bpmu_code_read_number(&at, end, &cpu) || cpu >= BPMU_CPULIST_MAX)
		return corrupt_at(file, block_at, "samples of no CPU", err);
	bpmu_code_open(&cursor->code, cpu, at, end);
	cursor->groups = bpmu_recording_groups(file->about, cpu);
	find_least(cursor);
	memset(&cursor->who, 0, sizeof(cursor->who));
	cursor->next = file->next[cpu];
	cursor->samples = file->samples[cpu];
	return 0;
}

/* Updates the totals of a block's CPU after all samples of the block were read. */
static void end_samples(struct bpmu_recording_file *file, struct cursor *cursor)
{
	u32 cpu = cursor->code.last.cpu;

	file->next[cpu] = cursor->next;
	file->samples[cpu] = cursor->samples;
	forget_block(cursor);
}

static int rec_read_clock(struct bpmu_recording_file *file, u32 size,
			  struct bpmu_error *err)
{
	struct bpmu_recording_clock *clock = &file->state.latest;
	const unsigned char *at = file->contents;
	const unsigned char *end = at + size;

	if (!bpmu_code_read_number(&at, end, &clock->tsc) ||
	    !bpmu_code_read_number(&at, end, &clock->monotonic_ns) ||
	    !bpmu_code_read_number(&at, end, &clock->wall_ns))
		return corrupt(file, "no clocks", err);
	if (!file->state.clocks++)
		file->state.first = *clock;
	return 0;
}

/* Checks for each CPU that the last block of a file states the number of samples that were read. */
static int read_end(struct bpmu_recording_file *file, u32 size,
		    struct bpmu_error *err)
{
	const unsigned char *at = file->contents;
	const unsigned char *end = at + size;
	u64 cpu, samples, lost;
	bool fit = true;

	while (at < end && fit) {
		fit = bpmu_code_read_number(&at, end, &cpu) &&
		      bpmu_code_read_number(&at, end, &samples) &&
		      bpmu_code_read_number(&at, end, &lost) &&
		      cpu < BPMU_CPULIST_MAX && samples == file->samples[cpu];
		if (fit)
			file->samples[cpu] = 0;
	}
	/*
	 * The last block must name each CPU with samples exactly once. The loop above has set the
	 * number of samples of each named CPU to 0, so a number that is not 0 is of a CPU that the
	 * block does not name.
	 */
	for (cpu = 0; cpu < BPMU_CPULIST_MAX; cpu++)
		fit &= !file->samples[cpu];
	if (!fit)
		return corrupt(file, "totals that do not fit the samples", err);
	file->state.ended = true;
	return 0;
}

static int take_block(struct bpmu_recording_file *file, int type, u32 size,
		      struct bpmu_error *err)
{
	if (file->state.ended)
		return corrupt(file, "a block after the last one", err);
	switch (type) {
	case BPMU_RECORDING_SAMPLES:
		return begin_samples(file, &file->cursor, file->block_at,
				     file->contents, size, err);
	case BPMU_RECORDING_CLOCK:
		return rec_read_clock(file, size, err);
	case BPMU_RECORDING_END:
		return read_end(file, size, err);
	}
	if (type & BPMU_RECORDING_SKIP) {
		if (file->on_block)
			file->on_block(file->data, type, (char *)file->contents,
				       size);
		return 0;
	}
	return bpmu_error_set(err, -EPROTO,
		"%s: a block of unknown type %d at offset %llu; use the tool that wrote it",
		file->name, type, file->block_at);
}

/*
 * Decodes the extensions of the samples that were decoded last. On an error @cursor->nr is set to
 * the number of samples before it.
 */
static void read_extras(const struct bpmu_recording_file *file, struct cursor *cursor)
{
	const struct bpmu_who *who;
	unsigned int i;

	for (i = 0; i < cursor->nr; i++) {
		if (!bpmu_who_get(&cursor->who, &cursor->batch.extra[i], &who)) {
			cursor->failed = corrupt_at(file, cursor->block_at, NO_SAMPLE,
						    &cursor->err);
			cursor->nr = i;
			return;
		}
		if (!who)
			continue;
		cursor->task[i] = *who;
		cursor->sample[i].who = &cursor->task[i];
	}
}

/*
 * Returns what is wrong with a sample whose number must be at least @next, or NULL: its group does
 * not exist, or it is older than the previous one.
 */
static const char *sample_wrong(const struct cursor *cursor, const struct bpmu_sample *head,
				u64 next)
{
	const struct bpmu_group *group = bpmu_groups_of_sample(cursor->groups, head);

	if (!group || head->plan ||
	    (head->nr < group->sched.values && !(head->flags & BPMU_SAMPLE_FAILED)))
		return "a sample of unknown events";
	return head->seq < next ? "samples out of order" : NULL;
}

/*
 * Checks that the groups of the samples that were decoded last exist, and that no sample is older
 * than the previous one. On an error @cursor->nr is set to the number of samples before it.
 */
static void check_samples(const struct bpmu_recording_file *file, struct cursor *cursor)
{
	const struct bpmu_sample *head = cursor->batch.head;
	const struct bpmu_sample *end = head + cursor->nr;
	const char *wrong = NULL;
	u64 next = cursor->next;

	for (; head < end; next = head->seq + 1, head++) {
		wrong = sample_wrong(cursor, head, next);
		if (wrong)
			break;
		/* Most samples differ from the one before only in the group. */
		while (!cursor->batch.special && head + 1 < end &&
		       head[1].nr >= cursor->least[head[1].group])
			head++;
	}
	if (wrong)
		cursor->failed = corrupt_at(file, cursor->block_at, wrong, &cursor->err);
	cursor->nr = head - cursor->batch.head;
	cursor->next = next;
	cursor->samples += cursor->nr;
}

static bool at_end(const struct cursor *cursor)
{
	return cursor->failed || cursor->code.at == cursor->code.end;
}

/* Decodes the next samples of a block: at most @most, and at most BPMU_CODE_BATCH. */
static void read_decoded(const struct bpmu_recording_file *file, struct cursor *cursor, u64 most)
{
	bool good = bpmu_code_get(&cursor->code, most < BPMU_CODE_BATCH ? most : BPMU_CODE_BATCH,
				  &cursor->batch);
	unsigned int i;

	cursor->taken = 0;
	cursor->nr = cursor->batch.nr;
	if (!good)
		cursor->failed = corrupt_at(file, cursor->block_at, NO_SAMPLE, &cursor->err);
	for (i = 0; cursor->extended && i < BPMU_CODE_BATCH; i++)
		cursor->sample[i].who = NULL;
	cursor->extended = cursor->batch.extended;
	if (cursor->extended)
		read_extras(file, cursor);
	check_samples(file, cursor);
}

/* Returns 0, or the negative errno with which decoding a block ended. */
static int cursor_failed(const struct cursor *cursor, struct bpmu_error *err)
{
	if (cursor->failed)
		*err = cursor->err;
	return cursor->failed;
}

/**
 * bpmu_recording_next() - read the next sample of a recording
 * @file: open recording
 * @sample: filled in, valid until the next call; samples of the same CPU come in order of time
 *
 * Return: 1 for a sample; 0 at the end, where bpmu_recording_state() tells whether the recording is
 * complete; or a negative errno.
 */
int bpmu_recording_next(struct bpmu_recording_file *file,
			struct bpmu_taken_sample *sample,
			struct bpmu_error *err)
{
	struct cursor *cursor = &file->cursor;
	u32 size = 0;
	int type, code;

	while (cursor->taken == cursor->nr) {
		if (!at_end(cursor)) {
			read_decoded(file, cursor, BPMU_CODE_BATCH);
			continue;
		}
		if (cursor->failed)
			return cursor_failed(cursor, err);
		if (cursor->code.end)
			end_samples(file, cursor);
		type = read_block(file, &size, err);
		if (type <= 0)
			return type;
		code = take_block(file, type, size, err);
		if (code)
			return code;
	}
	*sample = cursor->sample[cursor->taken++];
	file->state.samples++;
	return 1;
}

/*
 * Decodes the first @most samples of the block that was read last, and extends @extent so that it
 * includes their times.
 */
static int skim_samples(struct bpmu_recording_file *file, u32 size, u64 most,
			struct bpmu_recording_extent *extent, struct bpmu_error *err)
{
	struct cursor *cursor = &file->cursor;
	const struct bpmu_sample *head;
	int code;

	code = begin_samples(file, cursor, file->block_at, file->contents, size, err);
	if (code)
		return code;
	for (; most && !at_end(cursor); most -= cursor->nr) {
		read_decoded(file, cursor, most);
		for (head = cursor->batch.head; head < cursor->batch.head + cursor->nr; head++) {
			extent->samples++;
			if (head->tsc_begin < extent->first)
				extent->first = head->tsc_begin;
			if (head->tsc_end > extent->last)
				extent->last = head->tsc_end;
		}
	}
	return cursor_failed(cursor, err);
}

/* Adds to *samples what the last block of a file states: the number of samples of each CPU. */
static void skim_end(struct bpmu_recording_file *file, u32 size, u64 *samples)
{
	const unsigned char *at = file->contents;
	const unsigned char *end = at + size;
	u64 cpu, of_cpu, lost;

	while (bpmu_code_read_number(&at, end, &cpu) &&
	       bpmu_code_read_number(&at, end, &of_cpu) &&
	       bpmu_code_read_number(&at, end, &lost))
		*samples += of_cpu;
	file->state.ended = true;
}

/*
 * Reads the last block of samples of each CPU. @last has the offset of this block plus 1 for each
 * CPU, or 0 if the CPU has no block.
 */
static int skim_last(struct bpmu_recording_file *file, const u64 *last,
		     struct bpmu_recording_extent *extent, struct bpmu_error *err)
{
	int type, code = 0;
	u32 cpu, size = 0;

	for (cpu = 0; cpu < BPMU_CPULIST_MAX && !code; cpu++) {
		if (!last[cpu])
			continue;
		if (fseeko(file->file, last[cpu] - 1, SEEK_SET))
			return rec_read_no_seek(file, err);
		type = read_block_here(file, &size, err);
		code = type < 0 ? type : skim_samples(file, size, ~0ULL, extent, err);
	}
	return code;
}

/*
 * Reads the first @most samples of each block. Sets @last to the offset plus 1 of each CPU's last
 * block of samples, and @total to the number of samples that the last blocks of all files state.
 */
static int skim_all(struct bpmu_recording_file *file, u64 most, u64 *last, u64 *total,
		    struct bpmu_recording_extent *extent, struct bpmu_error *err)
{
	unsigned int now = file->now;
	int type, code = 0;
	u32 size = 0;

	*extent = (struct bpmu_recording_extent){ .first = ~0ULL };
	*total = 0;
	while (!code && (type = read_block(file, &size, err)) > 0) {
		if (file->now != now)
			memset(last, 0, BPMU_CPULIST_MAX * sizeof(*last));
		now = file->now;
		switch (type) {
		case BPMU_RECORDING_SAMPLES:
			code = skim_samples(file, size, most, extent, err);
			if (!code)
				last[file->cursor.code.last.cpu] = file->block_at + 1;
			break;
		case BPMU_RECORDING_END:
			skim_end(file, size, total);
			break;
		default:
			code = take_block(file, type, size, err);
		}
	}
	return code ? code : type;
}

/**
 * bpmu_recording_skim() - find out the length of a recording by reading little of it
 * @file: open recording, of which no sample has been read. On return the recording is at its start
 *	again
 * @extent: filled in
 *
 * The function decodes the first sample of each block, and all samples of each CPU's last block. A
 * recording that was cut off lacks the last block, which states the number of samples. Of such a
 * recording the function decodes all samples.
 *
 * Return: 0, or a negative errno, such as -ESPIPE for a pipe.
 */
int bpmu_recording_skim(struct bpmu_recording_file *file,
			struct bpmu_recording_extent *extent, struct bpmu_error *err)
{
	u64 *last = calloc(BPMU_CPULIST_MAX, sizeof(*last)), total;
	int code;

	if (!last)
		return bpmu_error_no_memory(err, file->name);
	code = skim_all(file, 1, last, &total, extent, err);
	if (!code && file->state.ended) {
		code = skim_last(file, last, extent, err);
		extent->samples = total;
	} else if (!code) {
		code = bpmu_recording_rewind(file, err);
		if (!code)
			code = skim_all(file, ~0ULL, last, &total, extent, err);
	}
	free(last);
	return code ? code : bpmu_recording_rewind(file, err);
}

static int make_room_for_fetched(struct bpmu_recording_file *file,
				 struct bpmu_error *err)
{
	unsigned int room = file->fetched_room ? 2 * file->fetched_room : 64;
	struct fetched *blocks;
	struct run *run;

	if (file->nr_fetched < file->fetched_room)
		return 0;
	blocks = reallocarray(file->fetched, room, sizeof(*blocks));
	if (!blocks)
		return bpmu_error_no_memory(err, file->name);
	file->fetched = blocks;
	run = reallocarray(file->run, room, sizeof(*run));
	if (!run)
		return bpmu_error_no_memory(err, file->name);
	file->run = run;
	file->fetched_room = room;
	return 0;
}

/* Adds the block of samples that was read last to the blocks that are decoded later, in threads. */
static int recording_keep_block(struct bpmu_recording_file *file, u32 size,
				struct bpmu_error *err)
{
	const unsigned char *at = file->contents;
	struct run *run;
	u64 cpu;
	int code;

	if (file->state.ended ||
	    !bpmu_code_read_number(&at, at + size, &cpu) ||
	    cpu >= BPMU_CPULIST_MAX)
		return take_block(file, BPMU_RECORDING_SAMPLES, size, err);
	code = make_room_for_fetched(file, err);
	if (code)
		return code;
	if (file->run_of[cpu]) {
		run = &file->run[file->run_of[cpu] - 1];
		file->fetched[run->last].next = file->nr_fetched + 1;
	} else {
		run = &file->run[file->nr_runs++];
		run->first = file->nr_fetched;
		file->run_of[cpu] = file->nr_runs;
	}
	run->last = file->nr_fetched;
	file->fetched[file->nr_fetched++] = (struct fetched){
		.block_at = file->block_at, .from = file->used, .size = size,
		.cpu = cpu,
	};
	file->used += size;
	return 0;
}

static void forget_fetched(struct bpmu_recording_file *file)
{
	unsigned int i;

	for (i = 0; i < file->nr_fetched; i++)
		file->run_of[file->fetched[i].cpu] = 0;
	file->nr_fetched = 0;
	file->nr_runs = 0;
	file->used = 0;
}

/*
 * Returns the type of the next block. The previous bpmu_recording_fetch() may have read this block
 * already and held it back; otherwise reads it by read_block(). Returns a negative errno if reading
 * the block fails, or has failed before.
 */
static int next_block(struct bpmu_recording_file *file, u32 *size,
		      struct bpmu_error *err)
{
	if (!file->holding)
		return read_block(file, size, err);
	file->holding = false;
	*size = file->held_size;
	if (file->held < 0)
		*err = file->held_err;
	return file->held;
}

static int hold(struct bpmu_recording_file *file, int type, u32 size,
		const struct bpmu_error *err)
{
	file->holding = true;
	file->held = type;
	file->held_size = size;
	if (type < 0)
		file->held_err = *err;
	return 1;
}

/**
 * bpmu_recording_fetch() - read blocks of samples of a recording
 * @file: open recording, of which no sample was read with bpmu_recording_next()
 * @across: true to read on after clock blocks, so that more blocks are read together
 *
 * The blocks are for bpmu_recording_decode(), and valid until the next call. The recording has a
 * clock block (with the time of day) after the samples of each fetch: up to a clock block, the
 * samples of all CPUs are complete. If @across is false, reading ends at the next clock block.
 *
 * Return: 1 if blocks were read; 0 at the end, where bpmu_recording_state() tells whether the
 * recording is complete; or a negative errno.
 */
int bpmu_recording_fetch(struct bpmu_recording_file *file, bool across,
			 struct bpmu_error *err)
{
	u32 size = 0;
	int type, code;

	forget_fetched(file);
	do {
		type = next_block(file, &size, err);
		if (type != BPMU_RECORDING_SAMPLES && file->nr_fetched &&
		    (type <= 0 || type == BPMU_RECORDING_END || !across))
			return hold(file, type, size, err);
		if (type <= 0)
			return type;
		code = type == BPMU_RECORDING_SAMPLES ?
		       recording_keep_block(file, size, err) :
		       take_block(file, type, size, err);
		if (code)
			return file->nr_fetched ? hold(file, code, 0, err) : code;
	} while (file->used < FETCH_BYTES);
	return 1;
}

/**
 * bpmu_recording_runs() - number of CPUs that have samples in the fetched blocks of a recording
 * @file: recording whose next blocks bpmu_recording_fetch() has read
 * @bytes: set to the size of these blocks in bytes
 *
 * Return: the number of CPUs. The CPUs are numbered, for bpmu_recording_decode(), in the order of
 * the first block of each CPU.
 */
unsigned int bpmu_recording_runs(const struct bpmu_recording_file *file,
				 size_t *bytes)
{
	*bytes = file->used;
	return file->nr_runs;
}

static int decode_block(struct bpmu_recording_file *file,
			const struct fetched *block, struct cursor *cursor,
			void (*add)(void *data, const struct bpmu_taken_sample *samples,
				    unsigned int nr),
			void *data, struct run *run)
{
	int code;

	code = begin_samples(file, cursor, block->block_at,
			     file->block + block->from, block->size, &run->err);
	if (code)
		return code;
	while (!at_end(cursor)) {
		read_decoded(file, cursor, BPMU_CODE_BATCH);
		run->samples += cursor->nr;
		add(data, cursor->sample, cursor->nr);
	}
	if (!cursor->failed)
		end_samples(file, cursor);
	return cursor_failed(cursor, &run->err);
}

/**
 * bpmu_recording_decode() - decode the fetched blocks of one CPU of a recording that is read
 * @file: recording whose next blocks bpmu_recording_fetch() has read
 * @i: index of the CPU, below bpmu_recording_runs(); other threads may decode other
 *	CPUs at the same time
 * @add: called for all samples, in order of time, several at a time
 * @data: first argument of @add
 *
 * If decoding fails, bpmu_recording_decoded() returns the error.
 */
void bpmu_recording_decode(struct bpmu_recording_file *file, unsigned int i,
			   void (*add)(void *data,
				       const struct bpmu_taken_sample *samples,
				       unsigned int nr),
			   void *data)
{
	struct run *run = &file->run[i];
	const struct fetched *block = &file->fetched[run->first];
	struct cursor cursor;

	begin_cursor(&cursor);
	run->samples = 0;
	for (;;) {
		run->code = decode_block(file, block, &cursor, add, data, run);
		run->failed_at = block->block_at;
		if (run->code || !block->next)
			return;
		block = &file->fetched[block->next - 1];
	}
}

/**
 * bpmu_recording_decoded() - finish reading the fetched blocks of all CPUs of a recording
 * @file: recording whose blocks bpmu_recording_decode() has decoded, for all CPUs
 * @err: on failure set to the error of the first block, in the order of the file, that could not be
 *	decoded
 */
int bpmu_recording_decoded(struct bpmu_recording_file *file,
			   struct bpmu_error *err)
{
	const struct run *run, *failed = NULL;

	for (run = file->run; run < file->run + file->nr_runs; run++) {
		file->state.samples += run->samples;
		if (run->code &&
		    (!failed || run->failed_at < failed->failed_at))
			failed = run;
	}
	if (!failed)
		return 0;
	*err = failed->err;
	return failed->code;
}

/**
 * bpmu_recording_on_block() - set a callback for reading blocks of a recording other than samples
 * @file: open recording
 * @on_block: called for each block with mappings, kernel functions or interrupts, when it is read:
 *	the types of these blocks have the bit BPMU_RECORDING_SKIP; or NULL
 * @data: passed to @on_block
 */
void bpmu_recording_on_block(struct bpmu_recording_file *file,
			     void (*on_block)(void *data, int type,
					      const char *text, size_t size),
			     void *data)
{
	file->on_block = on_block;
	file->data = data;
}

/**
 * bpmu_recording_rewind() - return to the first sample of a recording
 * @file: open recording
 *
 * Return: 0, or a negative errno, for example -ESPIPE for a pipe.
 */
int bpmu_recording_rewind(struct bpmu_recording_file *file,
			  struct bpmu_error *err)
{
	struct bpmu_recording_about about[BPMU_CORE_TYPES] = { };
	u64 size = file->state.size;
	int code;

	if (fseeko(file->file, 0, SEEK_SET))
		return rec_read_no_seek(file, err);
	memset(file->samples, 0, sizeof(file->samples));
	memset(file->next, 0, sizeof(file->next));
	file->holding = false;
	forget_fetched(file);
	forget_block(&file->cursor);
	code = begin_first(file, about, err);
	bpmu_recording_about_free(about);
	file->state.size = size;
	return code;
}

/**
 * bpmu_recording_shut() - end reading a recording, and free it
 * @file: open recording, or NULL
 */
void bpmu_recording_shut(struct bpmu_recording_file *file)
{
	if (!file)
		return;
	shut_stream(file);
	bpmu_recording_about_free(file->about);
	free(file->block);
	free(file->fetched);
	free(file->run);
	while (file->nr)
		free(file->names[--file->nr]);
	free(file->names);
	free(file);
}
