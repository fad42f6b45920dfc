// SPDX-License-Identifier: GPL-2.0
#include "recording_who.h"

#include <string.h>

#include "base/plain.h"

/*
 * An encoded sample can have an extension, whose first number is its type. So far there is only
 * this type: the task that the sample interrupted.
 */
#define TYPE_WHO 1

/**
 * enum shape - lowest bits of the second number of an encoded task; the first number is TYPE_WHO
 * @HAS_TASK: bit that is 1 if the IDs of thread and process and the name follow; else they are the
 *	same as those of the task that was encoded before
 * @SHAPE_BITS: number of these lowest bits; the bits above them are the flags of the task
 */
enum shape { HAS_TASK = 1, SHAPE_BITS = 1 };

static bool same_task(const struct bpmu_who *a, const struct bpmu_who *b)
{
	return a->pid == b->pid && a->tgid == b->tgid &&
	       !memcmp(a->comm, b->comm, sizeof(a->comm));
}

/**
 * bpmu_who_put() - encode who was interrupted by a sample of a recording
 * @code: state of encoding a block of samples, zeroed before the block's first sample
 * @who: the interrupted task
 * @to: memory for at least BPMU_WHO_MOST bytes
 *
 * Return: number of bytes of the encoded task.
 */
size_t bpmu_who_put(struct bpmu_who_code *code, const struct bpmu_who *who, unsigned char *to)
{
	bool task = !same_task(who, &code->last);
	unsigned char *at = to;
	size_t length;

	*at++ = TYPE_WHO;
	at = bpmu_code_number(at, who->flags << SHAPE_BITS |
				  (task ? HAS_TASK : 0));
	at = bpmu_code_number(at, who->ip ^ code->last.ip);
	if (task) {
		length = strnlen(who->comm, sizeof(who->comm));
		at = bpmu_code_number(at, who->pid);
		at = bpmu_code_number(at, who->tgid);
		memcpy(at, who->comm, length);
		at += length;
		code->last = *who;
	}
	code->last.ip = who->ip;
	return at - to;
}

static bool get_task(const unsigned char *at, const unsigned char *end,
		     struct bpmu_who *who)
{
	u64 pid, tgid;

	if (!bpmu_code_read_number(&at, end, &pid) ||
	    !bpmu_code_read_number(&at, end, &tgid) ||
	    (size_t)(end - at) >= sizeof(who->comm))
		return false;
	who->pid = pid;
	who->tgid = tgid;
	memset(who->comm, 0, sizeof(who->comm));
	memcpy(who->comm, at, end - at);
	bpmu_plain(who->comm, "");
	return true;
}

/**
 * bpmu_who_get() - decode who was interrupted by a sample of a recording
 * @code: state of decoding the block, zeroed before the block's first sample
 * @extra: encoded task of the sample
 * @who: set to the decoded task, valid until the next call; to NULL if the sample names no task
 *
 * Return: true, or false if the bytes are malformed.
 */
bool bpmu_who_get(struct bpmu_who_code *code,
		  const struct bpmu_code_extra *extra,
		  const struct bpmu_who **who)
{
	const unsigned char *at = extra->data;
	const unsigned char *end;
	u64 type, shape, ip;

	*who = NULL;
	if (!extra->size)
		return true;
	end = at + extra->size;
	if (!bpmu_code_read_number(&at, end, &type))
		return false;
	if (type != TYPE_WHO)
		return true;
	if (!bpmu_code_read_number(&at, end, &shape) ||
	    !bpmu_code_read_number(&at, end, &ip))
		return false;
	code->last.flags = shape >> SHAPE_BITS;
	code->last.ip ^= ip;
	if (shape & HAS_TASK ? !get_task(at, end, &code->last) : at != end)
		return false;
	*who = &code->last;
	return true;
}
