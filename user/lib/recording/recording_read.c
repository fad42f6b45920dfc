// SPDX-License-Identifier: GPL-2.0
#include "recording_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "recording_who.h"

/* blocks may be as short as one sample */
#define READ_BYTES (256 * 1024)

/**
 * struct bpmu_recording_file - a file being read
 * @name: of the file
 * @file: its stream
 * @about: its description
 * @state: how far it was read
 * @samples_at: offset of the first block of samples
 * @block_at: offset of the block in @block
 * @block: contents of the block
 * @room: bytes of @block
 * @at: the next sample in it
 * @end: behind its last sample
 * @groups: of the CPU that it is of
 * @code: of the block's samples
 * @who: of the same
 * @hear: is told what stands beside samples, or NULL
 * @data: passed to it
 * @next: for each CPU the number of its next sample
 * @samples: for each CPU how many there were
 */
struct bpmu_recording_file {
	char *name;
	FILE *file;
	struct bpmu_recording_about about;
	struct bpmu_recording_state state;
	u64 samples_at;
	u64 block_at;
	unsigned char *block;
	size_t room;
	const unsigned char *at;
	const unsigned char *end;
	const struct bpmu_groups *groups;
	struct bpmu_code code;
	struct bpmu_who_code who;
	void (*hear)(void *data, int type, const char *text, size_t size);
	void *data;
	u64 next[BPMU_CPULIST_MAX];
	u64 samples[BPMU_CPULIST_MAX];
};

static int corrupt(const struct bpmu_recording_file *file, const char *what,
		   struct bpmu_error *err)
{
	return bpmu_error_set(err, -EBADMSG,
		"%s: %s at offset %llu; the file is damaged, restore it or record again",
		file->name, what, file->block_at);
}

/* so many bytes, or fewer at the end of the file */
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

/* a disk that lost power may leave zeros where blocks were to be */
static bool blank(const u32 *head)
{
	return !head[0] && !head[1] && !head[2] && !head[3];
}

static bool rec_read_make_room(struct bpmu_recording_file *file, size_t size)
{
	unsigned char *grown;

	if (size <= file->room)
		return true;
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

/* Return: its type, 0 if the file ends here or within it, or an error */
static int read_block(struct bpmu_recording_file *file, u32 *size,
		      struct bpmu_error *err)
{
	u32 head[4] = { };
	ssize_t got;
	int code;

	file->block_at = file->state.bytes;
	got = rec_read_fill(file, head, sizeof(head), err);
	if (got < 0)
		return got;
	file->state.cut = !file->state.ended;
	if (got < (ssize_t)sizeof(head) || blank(head)) {
		if (file->state.ended && got)
			return corrupt(file, "bytes behind the last block", err);
		return 0;
	}
	code = check_head(file, head, err);
	if (code)
		return code;
	*size = head[1];
	if (!rec_read_make_room(file, head[1] + 1))
		return bpmu_error_no_memory(err, file->name);
	got = rec_read_fill(file, file->block, head[1], err);
	if (got < 0)
		return got;
	if (got < head[1])
		return 0;
	if (head[3] != bpmu_recording_crc(0, file->block, head[1]))
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
	    version == BPMU_RECORDING_KINDS)
		return 0;
	return bpmu_error_set(err, -EPROTO,
		"%s: a recording of version %u, this tool reads %u and %u; use the tool that wrote it",
		file->name, version, BPMU_RECORDING_VERSION,
		BPMU_RECORDING_KINDS);
}

static int read_about(struct bpmu_recording_file *file, struct bpmu_error *err)
{
	u32 size = 0;
	int type;

	type = check_magic(file, err);
	if (type)
		return type;
	type = read_block(file, &size, err);
	if (type < 0)
		return type;
	if (!type)
		return bpmu_error_set(err, -ENODATA,
			"%s: was cut off before its first sample; record again",
			file->name);
	if (type != BPMU_RECORDING_ABOUT)
		return corrupt(file, "no description", err);
	file->samples_at = file->state.bytes;
	return bpmu_recording_about_parse(&file->about, (char *)file->block,
					  size, file->name, err);
}

/**
 * bpmu_recording_open() - begin to read
 * @file: set; free it with bpmu_recording_shut()
 * @name: of the file
 * @err: set on failure
 *
 * Return: 0 or a negative errno.
 */
int bpmu_recording_open(struct bpmu_recording_file **file, const char *name,
			struct bpmu_error *err)
{
	struct bpmu_recording_file *f = calloc(1, sizeof(*f));
	struct stat stat;
	int code;

	*file = NULL;
	if (f)
		f->name = strdup(name);
	if (!f || !f->name) {
		free(f);
		return bpmu_error_no_memory(err, name);
	}
	f->file = fopen(name, "re");
	if (!f->file)
		code = bpmu_error_set(err, -errno,
			"%s: cannot be read: %s; name a file that 'barepmu record -o' wrote",
			name, strerror(errno));
	else if (setvbuf(f->file, NULL, _IOFBF, READ_BYTES))
		code = bpmu_error_no_memory(err, name);
	else
		code = read_about(f, err);
	if (code) {
		bpmu_recording_shut(f);
		return code;
	}
	if (!fstat(fileno(f->file), &stat) && S_ISREG(stat.st_mode))
		f->state.size = stat.st_size;
	*file = f;
	return 0;
}

/**
 * bpmu_recording_about() - what was measured, where and how
 * @file: open
 *
 * Return: the description, good as long as the file is open.
 */
const struct bpmu_recording_about *
bpmu_recording_about(const struct bpmu_recording_file *file)
{
	return &file->about;
}

/**
 * bpmu_recording_state() - how far it was read
 * @file: open
 *
 * Return: the state, good as long as the file is open.
 */
const struct bpmu_recording_state *
bpmu_recording_state(const struct bpmu_recording_file *file)
{
	return &file->state;
}

static int begin_samples(struct bpmu_recording_file *file, u32 size,
			 struct bpmu_error *err)
{
	u64 cpu;

	file->at = file->block;
	file->end = file->block + size;
	if (!bpmu_code_read_number(&file->at, file->end, &cpu) ||
	    cpu >= BPMU_CPULIST_MAX)
		return corrupt(file, "samples of no CPU", err);
	bpmu_code_begin(&file->code, cpu);
	file->groups = bpmu_recording_groups(&file->about, cpu);
	memset(&file->who, 0, sizeof(file->who));
	return 0;
}

static int rec_read_clock(struct bpmu_recording_file *file, u32 size,
			  struct bpmu_error *err)
{
	struct bpmu_recording_clock *clock = &file->state.latest;
	const unsigned char *at = file->block;
	const unsigned char *end = at + size;

	if (!bpmu_code_read_number(&at, end, &clock->tsc) ||
	    !bpmu_code_read_number(&at, end, &clock->monotonic_ns) ||
	    !bpmu_code_read_number(&at, end, &clock->wall_ns))
		return corrupt(file, "no clocks", err);
	if (!file->state.clocks++)
		file->state.first = *clock;
	return 0;
}

/* are all blocks there that were written */
static int read_end(struct bpmu_recording_file *file, u32 size,
		    struct bpmu_error *err)
{
	const unsigned char *at = file->block;
	const unsigned char *end = at + size;
	u64 cpu, samples, lost;

	while (at < end) {
		if (!bpmu_code_read_number(&at, end, &cpu) ||
		    !bpmu_code_read_number(&at, end, &samples) ||
		    !bpmu_code_read_number(&at, end, &lost) ||
		    cpu >= BPMU_CPULIST_MAX || samples != file->samples[cpu])
			return corrupt(file, "totals that do not fit the samples",
				       err);
	}
	file->state.ended = true;
	return 0;
}

static int take_block(struct bpmu_recording_file *file, int type, u32 size,
		      struct bpmu_error *err)
{
	if (file->state.ended)
		return corrupt(file, "a block behind the last one", err);
	switch (type) {
	case BPMU_RECORDING_SAMPLES:
		return begin_samples(file, size, err);
	case BPMU_RECORDING_CLOCK:
		return rec_read_clock(file, size, err);
	case BPMU_RECORDING_END:
		return read_end(file, size, err);
	}
	if (type & BPMU_RECORDING_SKIP) {
		if (file->hear)
			file->hear(file->data, type, (char *)file->block, size);
		return 0;
	}
	return bpmu_error_set(err, -EPROTO,
		"%s: a block of unknown type %d at offset %llu; use the tool that wrote it",
		file->name, type, file->block_at);
}

/* does the sample belong to what the description says */
static int rec_read_check(struct bpmu_recording_file *file,
			  const struct bpmu_sample *head, struct bpmu_error *err)
{
	const struct bpmu_group *group =
		bpmu_groups_of_sample(file->groups, head);

	if (head->plan || !group ||
	    (head->nr < group->sched.values &&
	     !(head->flags & BPMU_SAMPLE_FAILED)))
		return corrupt(file, "a sample of unknown events", err);
	if (file->samples[head->cpu] && head->seq < file->next[head->cpu])
		return corrupt(file, "samples out of order", err);
	file->next[head->cpu] = head->seq + 1;
	file->samples[head->cpu]++;
	file->state.samples++;
	return 1;
}

/**
 * bpmu_recording_next() - the next sample
 * @file: open
 * @sample: filled in; those of one CPU are in order
 * @err: set on failure
 *
 * Return: 1, 0 at the end (the state tells which), or a negative errno.
 */
int bpmu_recording_next(struct bpmu_recording_file *file,
			struct bpmu_recording_sample *sample,
			struct bpmu_error *err)
{
	struct bpmu_code_extra extra;
	u32 size = 0;
	int type, code;

	while (file->at == file->end) {
		type = read_block(file, &size, err);
		if (type <= 0)
			return type;
		code = take_block(file, type, size, err);
		if (code)
			return code;
	}
	if (!bpmu_code_get(&file->code, &file->at, file->end, &sample->head,
			   &sample->values, &extra) ||
	    !bpmu_who_get(&file->who, &extra, &sample->who))
		return corrupt(file, "no sample in a block", err);
	return rec_read_check(file, &sample->head, err);
}

/**
 * bpmu_recording_hear() - who is told what stands beside samples
 * @file: open
 * @hear: called for each block of a type from BPMU_RECORDING_SKIP on as it is
 *	met, or NULL
 * @data: passed to it
 */
void bpmu_recording_hear(struct bpmu_recording_file *file,
			 void (*hear)(void *data, int type, const char *text,
				      size_t size), void *data)
{
	file->hear = hear;
	file->data = data;
}

/**
 * bpmu_recording_rewind() - begin again with the first sample
 * @file: open
 * @err: set on failure
 *
 * Return: 0, or a negative errno, of a pipe for example.
 */
int bpmu_recording_rewind(struct bpmu_recording_file *file,
			  struct bpmu_error *err)
{
	u64 size = file->state.size;

	if (fseeko(file->file, file->samples_at, SEEK_SET))
		return bpmu_error_set(err, -errno,
			"%s: cannot be read twice: %s; copy it to a file",
			file->name, strerror(errno));
	memset(&file->state, 0, sizeof(file->state));
	memset(file->samples, 0, sizeof(file->samples));
	file->state.bytes = file->samples_at;
	file->state.size = size;
	file->at = NULL;
	file->end = NULL;
	return 0;
}

/**
 * bpmu_recording_shut() - end reading
 * @file: or NULL
 */
void bpmu_recording_shut(struct bpmu_recording_file *file)
{
	if (!file)
		return;
	if (file->file)
		fclose(file->file);
	bpmu_recording_about_free(&file->about);
	free(file->block);
	free(file->name);
	free(file);
}
