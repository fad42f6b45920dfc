// SPDX-License-Identifier: GPL-2.0
#include "recording_who.h"

#include <string.h>

#include "base/plain.h"

/**
 * bpmu_who_put_task() - encode who was interrupted, another task than by the sample before
 * @code: state of encoding a block of samples
 * @who: the interrupted task
 * @to: memory for at least BPMU_WHO_MOST bytes
 *
 * Return: the address after the encoded task.
 */
unsigned char *bpmu_who_put_task(struct bpmu_who_code *code, const struct bpmu_who_bytes *who,
				 unsigned char *to)
{
	const u64 before = code->last.ip;
	size_t length;

	code->last = who->task;
	length = strnlen(code->last.comm, sizeof(code->last.comm));
	*to++ = BPMU_WHO_TYPE;
	to = bpmu_code_number(to, code->last.flags << BPMU_WHO_SHAPE_BITS | BPMU_WHO_HAS_TASK);
	to = bpmu_code_number(to, code->last.ip ^ before);
	to = bpmu_code_number(to, code->last.pid);
	to = bpmu_code_number(to, code->last.tgid);
	memcpy(to, code->last.comm, length);
	return to + length;
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
	if (type != BPMU_WHO_TYPE)
		return true;
	if (!bpmu_code_read_number(&at, end, &shape) ||
	    !bpmu_code_read_number(&at, end, &ip))
		return false;
	code->last.flags = shape >> BPMU_WHO_SHAPE_BITS;
	code->last.ip ^= ip;
	if (shape & BPMU_WHO_HAS_TASK ? !get_task(at, end, &code->last) : at != end)
		return false;
	*who = &code->last;
	return true;
}
