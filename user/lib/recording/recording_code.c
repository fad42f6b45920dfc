// SPDX-License-Identifier: GPL-2.0
#include "recording_code.h"

#include <string.h>

/**
 * enum shape - first number of a sample: bits for its optional parts
 * @HAS_FLAGS: flags and bank; else the interval timer took it, of the core
 * @HAS_GAP: samples were lost before it
 * @HAS_PLAN: number of a plan; else that of the sample before
 * @HAS_GROUP: number of its group, and of values; else those of the sample before
 * @HAS_EXTRA: an extension, at its end
 * @HAS_RUNNING: its group has not run for as long as the session
 * @HAS_ALL: all bits that there are
 */
enum shape {
	HAS_FLAGS = 1 << 0,
	HAS_GAP = 1 << 1,
	HAS_PLAN = 1 << 2,
	HAS_GROUP = 1 << 3,
	HAS_EXTRA = 1 << 4,
	HAS_RUNNING = 1 << 5,
	HAS_ALL = (1 << 6) - 1
};

/* position of the bank above the flags */
#define BANK_SHIFT 16

/**
 * struct head - first numbers of a sample
 * @shape: &enum shape
 * @more: value of more_running()
 */
struct head {
	u64 shape;
	u64 more;
};

/* Zigzag encoding: numbers with a small absolute value become small numbers. */
static u64 fold(u64 number)
{
	return number << 1 ^ (number >> 63 ? ~0ULL : 0);
}

static u64 unfold(u64 number)
{
	return number >> 1 ^ (number & 1 ? ~0ULL : 0);
}

/**
 * bpmu_code_number() - write a number, seven bits per byte, the lowest first
 * @to: room for ten bytes
 * @number: the number
 *
 * Return: the address after it.
 */
unsigned char *bpmu_code_number(unsigned char *to, u64 number)
{
	for (; number >= 0x80; number >>= 7)
		*to++ = number | 0x80;
	*to++ = number;
	return to;
}

static bool read_long(const unsigned char **from, const unsigned char *end,
		      u64 *number)
{
	const unsigned char *at = *from;
	unsigned int shift;
	u64 sum = 0;

	for (shift = 0; at < end && shift < 64; shift += 7) {
		sum |= (u64)(*at & 0x7f) << shift;
		if (*at++ & 0x80)
			continue;
		*number = sum;
		*from = at;
		return true;
	}
	return false;
}

/**
 * bpmu_code_read_number() - read a number of bpmu_code_number()
 * @from: advanced past it
 * @end: end of the bytes
 * @number: set to the number
 *
 * Return: false if there is none.
 */
inline bool bpmu_code_read_number(const unsigned char **from,
				  const unsigned char *end, u64 *number)
{
	if (*from >= end || **from & 0x80)
		return read_long(from, end, number);
	*number = *(*from)++;
	return true;
}

/**
 * bpmu_code_begin() - initialise the state at the start of a block
 * @code: filled in
 * @cpu: number of the block's CPU
 */
void bpmu_code_begin(struct bpmu_code *code, u32 cpu)
{
	memset(code, 0, offsetof(struct bpmu_code, group));
	code->last.cpu = cpu;
	code->last.seq = ~0ULL;
}

/* Only a few of them occur in a block: each starts at 0 when it is first seen. */
static inline struct bpmu_code_group *group_of(struct bpmu_code *code,
					       const struct bpmu_sample *sample)
{
	unsigned int at = sample->group +
			  sample->bank * BPMU_MAX_GROUPS;
	struct bpmu_code_group *group = &code->group[at];

	if (!code->seen[at]) {
		code->seen[at] = true;
		memset(group, 0, sizeof(*group));
	}
	return group;
}

/* Ticks for which the group ran, minus those of the session. */
static u64 more_running(const struct bpmu_code_group *group,
			const struct bpmu_sample *sample)
{
	return sample->running - group->running -
	       (sample->enabled - group->enabled);
}

static unsigned int shape_of(const struct bpmu_code *code,
			     const struct bpmu_code_group *group,
			     const struct bpmu_sample *sample,
			     const struct bpmu_code_extra *extra)
{
	const struct bpmu_sample *last = &code->last;
	unsigned int shape = extra ? HAS_EXTRA : 0;

	if (sample->flags != BPMU_SAMPLE_TIMER || sample->bank != BPMU_BANK_CORE)
		shape |= HAS_FLAGS;
	if (sample->seq != last->seq + 1)
		shape |= HAS_GAP;
	if (sample->plan != last->plan)
		shape |= HAS_PLAN;
	if (sample->group != last->group || sample->nr != last->nr)
		shape |= HAS_GROUP;
	if (more_running(group, sample))
		shape |= HAS_RUNNING;
	return shape;
}

static void rec_code_note(struct bpmu_code *code, struct bpmu_code_group *group,
			  const struct bpmu_sample *sample)
{
	code->step = sample->tsc_begin - code->last.tsc_begin;
	code->last = *sample;
	group->running = sample->running;
	group->enabled = sample->enabled;
}

static __attribute__((noinline)) unsigned char *rec_code_put_head(const struct bpmu_code *code,
			       const struct bpmu_code_group *group,
			       const struct bpmu_sample *sample,
			       unsigned int shape, unsigned char *at)
{
	if (shape & HAS_FLAGS)
		at = bpmu_code_number(at, sample->flags | (u32)sample->bank << BANK_SHIFT);
	if (shape & HAS_GAP)
		at = bpmu_code_number(at, sample->seq - code->last.seq - 1);
	if (shape & HAS_PLAN)
		at = bpmu_code_number(at, sample->plan);
	if (shape & HAS_GROUP) {
		at = bpmu_code_number(at, sample->group);
		at = bpmu_code_number(at, sample->nr);
	}
	if (shape & HAS_RUNNING)
		at = bpmu_code_number(at, fold(more_running(group, sample)));
	return at;
}

/* Returns the number of bytes after the first, by one instruction. */
static inline unsigned long put_bytes(unsigned char *to, u64 number)
{
	memcpy(to, &number, sizeof(number));
	return (63UL ^ __builtin_clzll(number | 1)) / 8;
}

/* Encodes two numbers: whole bytes cost less than a loop over seven bits each. */
static inline unsigned char *put_pair(unsigned char *to, u64 one, u64 other)
{
	unsigned char *at = to + 1;
	unsigned long more, more2;

	more = put_bytes(at, one);
	at += more + 1;
	more2 = put_bytes(at, other);
	*to = more | more2 << 4;
	return at + more2 + 1;
}

static inline u64 growth(u64 *last, const char *from)
{
	u64 before = *last;

	memcpy(last, from, sizeof(*last));
	return *last - before;
}

static inline unsigned char *rec_code_put_values(unsigned char *at, u64 *last,
						 const char *from, unsigned int nr)
{
	const char *end = from + (nr & ~1U) * sizeof(*last);
	u64 one;

	for (; from < end; from += 2 * sizeof(*last), last += 2) {
		one = growth(last, from);
		at = put_pair(at, one, growth(last + 1, from + sizeof(*last)));
	}
	return nr & 1 ? put_pair(at, growth(last, from), 0) : at;
}

static inline unsigned char *put_sample(struct bpmu_code *code,
					const struct bpmu_sample *sample,
					const char *values,
					const struct bpmu_code_extra *extra,
					unsigned char *at)
{
	struct bpmu_code_group *group = group_of(code, sample);
	unsigned int shape = shape_of(code, group, sample, extra);
	const struct bpmu_sample *last = &code->last;
	u64 step = sample->tsc_begin - last->tsc_begin;

	at = bpmu_code_number(at, shape);
	if (shape)
		at = rec_code_put_head(code, group, sample, shape, at);
	at = put_pair(at, fold(step - code->step),
		      fold(sample->enabled - last->enabled - step));
	at = put_pair(at, sample->tsc_end - sample->tsc_begin,
		      sample->spent - last->spent);
	at = rec_code_put_values(at, group->value, values, sample->nr);
	rec_code_note(code, group, sample);
	return at;
}

/**
 * bpmu_code_put() - encode samples
 * @code: state of coding the block
 * @records: as the module gives them, of the block's CPU, of at most
 *	BPMU_MAX_COUNTERS values, a bank below BPMU_BANKS and a group below BPMU_MAX_GROUPS;
 *	aligned or not
 * @nr: number of @records
 * @size: bytes from one to the next
 * @extra: their extensions, or NULL
 * @to: room for BPMU_CODE_MOST bytes of each record, and for those of @extra
 *
 * Return: bytes used.
 */
size_t bpmu_code_put(struct bpmu_code *code, const char *records, size_t nr,
		     size_t size, const struct bpmu_code_extra *extra,
		     unsigned char *to)
{
	struct bpmu_sample sample;
	unsigned char *at = to;

	for (; nr--; records += size) {
		memcpy(&sample, records, sizeof(sample));
		at = put_sample(code, &sample, records + sizeof(sample), extra,
				at);
		if (!extra)
			continue;
		at = bpmu_code_number(at, extra->size);
		memcpy(at, extra->data, extra->size);
		at += extra->size;
	}
	return at - to;
}

/* Decodes the header; returns false if it is incomplete or impossible. */
static bool get_head(const struct bpmu_code *code, const unsigned char **from,
		     const unsigned char *end, struct bpmu_sample *sample,
		     struct head *head)
{
	u64 flags = BPMU_SAMPLE_TIMER, gap = 0, more = 0;
	u64 plan = code->last.plan;
	u64 group = code->last.group, nr = code->last.nr;

	if (!bpmu_code_read_number(from, end, &head->shape) ||
	    head->shape & ~HAS_ALL)
		return false;
	if ((head->shape & HAS_FLAGS &&
	     !bpmu_code_read_number(from, end, &flags)) ||
	    (head->shape & HAS_GAP && !bpmu_code_read_number(from, end, &gap)) ||
	    (head->shape & HAS_PLAN && !bpmu_code_read_number(from, end, &plan)) ||
	    (head->shape & HAS_GROUP &&
	     (!bpmu_code_read_number(from, end, &group) ||
	      !bpmu_code_read_number(from, end, &nr))) ||
	    (head->shape & HAS_RUNNING &&
	     !bpmu_code_read_number(from, end, &more)))
		return false;
	if (group >= BPMU_MAX_GROUPS || nr > BPMU_MAX_COUNTERS ||
	    flags >> BANK_SHIFT >= BPMU_BANKS)
		return false;
	sample->seq = code->last.seq + 1 + gap;
	sample->cpu = code->last.cpu;
	sample->flags = flags;
	sample->bank = flags >> BANK_SHIFT;
	sample->plan = plan;
	sample->group = group;
	sample->nr = nr;
	head->more = unfold(more);
	return true;
}

/* Maximum size of an encoded pair. */
#define PAIR_MOST (1 + 2 * sizeof(u64))

/* Stores 1 to 8 bytes. */
static const u64 masks[] = {
	0xff, 0xffff, 0xffffff, 0xffffffff, 0xffffffffff, 0xffffffffffff,
	0xffffffffffffff, 0xffffffffffffffff
};

static inline u64 take_bytes(const unsigned char *from, unsigned int more)
{
	u64 number;

	memcpy(&number, from, sizeof(number));
	return number & masks[more];
}

static bool get_bytes(const unsigned char **from, const unsigned char *end,
		      unsigned int bytes, u64 *number)
{
	if (bytes > sizeof(*number) || bytes > (size_t)(end - *from))
		return false;
	*number = 0;
	memcpy(number, *from, bytes);
	*from += bytes;
	return true;
}

static inline bool get_pair(const unsigned char **from,
			    const unsigned char *end, u64 *one, u64 *other)
{
	unsigned int lengths, first;

	if (*from >= end)
		return false;
	lengths = *(*from)++;
	/* Far from the end whole words can be read. */
	if ((size_t)(end - *from) >= PAIR_MOST - 1 && !(lengths & 0x88)) {
		first = lengths & 0xf;
		*one = take_bytes(*from, first);
		*other = take_bytes(*from + first + 1, lengths >> 4);
		*from += first + (lengths >> 4) + 2;
		return true;
	}
	return get_bytes(from, end, (lengths & 0xf) + 1, one) &&
	       get_bytes(from, end, (lengths >> 4) + 1, other);
}

static bool get_times(const struct bpmu_code *code,
		      const struct bpmu_code_group *group,
		      const unsigned char **from, const unsigned char *end,
		      const struct head *head, struct bpmu_sample *sample)
{
	const struct bpmu_sample *last = &code->last;
	u64 step, took, enabled, spent;

	if (!get_pair(from, end, &step, &enabled) ||
	    !get_pair(from, end, &took, &spent))
		return false;
	step = unfold(step) + code->step;
	sample->tsc_begin = last->tsc_begin + step;
	sample->tsc_end = sample->tsc_begin + took;
	sample->enabled = last->enabled + step + unfold(enabled);
	sample->running = head->more + group->running +
			  (sample->enabled - group->enabled);
	sample->spent = last->spent + spent;
	return true;
}

static bool get_values(u64 *value, unsigned int nr, const unsigned char **from,
		       const unsigned char *end)
{
	u64 one, other;
	unsigned int i;

	for (i = 0; i < nr; i += 2) {
		if (!get_pair(from, end, &one, &other))
			return false;
		value[i] += one;
		if (i + 1 < nr)
			value[i + 1] += other;
	}
	return true;
}

static bool get_extra(const unsigned char **from, const unsigned char *end,
		      struct bpmu_code_extra *extra)
{
	u64 size;

	if (!bpmu_code_read_number(from, end, &size) ||
	    size > (u64)(end - *from))
		return false;
	extra->data = *from;
	extra->size = size;
	*from += size;
	return true;
}

/**
 * bpmu_code_get() - decode the next sample
 * @code: state of the block
 * @from: advanced past the sample
 * @end: end of the block
 * @sample: filled in
 * @values: set to its values, valid until the next sample
 * @extra: set to its extension
 *
 * Return: false if the bytes are not a sample.
 */
bool bpmu_code_get(struct bpmu_code *code, const unsigned char **from,
		   const unsigned char *end, struct bpmu_sample *sample,
		   const u64 **values, struct bpmu_code_extra *extra)
{
	struct bpmu_code_group *group;
	struct head head;

	*extra = (struct bpmu_code_extra){ .data = NULL };
	if (!get_head(code, from, end, sample, &head))
		return false;
	group = group_of(code, sample);
	if (!get_times(code, group, from, end, &head, sample) ||
	    !get_values(group->value, sample->nr, from, end))
		return false;
	*values = group->value;
	rec_code_note(code, group, sample);
	return !(head.shape & HAS_EXTRA) || get_extra(from, end, extra);
}
