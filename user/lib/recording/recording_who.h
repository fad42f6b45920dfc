/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compact encoding of the task that a sample interrupted, as an extension of the encoded sample.
 */
#ifndef BPMU_RECORDING_WHO_H
#define BPMU_RECORDING_WHO_H

#include <string.h>

#include "recording_code.h"

/*
 * Maximum size in bytes of an encoded task, including the number that states its length, which thus
 * takes one byte
 */
#define BPMU_WHO_MOST 64

/*
 * An encoded sample can have an extension, whose first number is its type. So far there is only
 * this type: the task that the sample interrupted.
 */
#define BPMU_WHO_TYPE 1

/**
 * enum bpmu_who_shape - lowest bits of the second number of an encoded task
 * @BPMU_WHO_HAS_TASK: bit that is 1 if the IDs of thread and process and the name follow; else they
 *	are the same as those of the task that was encoded before
 * @BPMU_WHO_SHAPE_BITS: number of these lowest bits; the bits above them are the flags of the task
 *
 * The first number is BPMU_WHO_TYPE.
 */
enum bpmu_who_shape { BPMU_WHO_HAS_TASK = 1, BPMU_WHO_SHAPE_BITS = 1 };

/**
 * struct bpmu_who_code - state of encoding or decoding the interrupted tasks of a block of samples
 * @last: task of the previous sample; of the next task only the differences from it are encoded
 */
struct bpmu_who_code {
	struct bpmu_who last;
};

/**
 * struct bpmu_who_bytes - an interrupted task in a record of the module, unaligned
 * @task: the task
 */
struct bpmu_who_bytes {
	struct bpmu_who task;
} __attribute__((packed, may_alias));

/**
 * bpmu_who_ids() - IDs of the interrupted thread and of its process, as one number
 * @who: the interrupted task
 *
 * Return: a number that no other pair of IDs has.
 */
static inline u64 bpmu_who_ids(const struct bpmu_who_bytes *who)
{
	return (u64)who->task.tgid << 32 | who->task.pid;
}

/**
 * bpmu_who_is_same() - check if the same task was interrupted as before, who can be elsewhere now
 * @who: the interrupted task
 * @before: the task that was interrupted before
 *
 * Return: true if the IDs of thread and process and the names are the same.
 */
static inline bool bpmu_who_is_same(const struct bpmu_who_bytes *who, const struct bpmu_who *before)
{
	return bpmu_who_ids(who) == bpmu_who_ids((const struct bpmu_who_bytes *)before) &&
	       !memcmp(who->task.comm, before->comm, sizeof(before->comm));
}

unsigned char *bpmu_who_put_task(struct bpmu_who_code *code, const struct bpmu_who_bytes *who,
				 unsigned char *to);

/**
 * bpmu_who_put_again() - encode who was interrupted by a sample, if it may be the task as before
 * @code: state of encoding a block of samples, zeroed before the block's first sample
 * @who: the interrupted task
 * @same: result of bpmu_who_is_same() for it and the one before
 * @to: memory for at least BPMU_WHO_MOST bytes
 *
 * Return: number of bytes of the encoded task.
 */
static inline size_t bpmu_who_put_again(struct bpmu_who_code *code,
					const struct bpmu_who_bytes *who, bool same,
					unsigned char *to)
{
	unsigned char *at = to;
	u64 ip = who->task.ip;

	if (!same)
		return bpmu_who_put_task(code, who, to) - to;
	*at++ = BPMU_WHO_TYPE;
	at = bpmu_code_number(at, who->task.flags << BPMU_WHO_SHAPE_BITS);
	at = bpmu_code_number(at, ip ^ code->last.ip);
	code->last.ip = ip;
	return at - to;
}

/**
 * bpmu_who_put() - encode who was interrupted by a sample of a recording
 * @code: state of encoding a block of samples, zeroed before the block's first sample
 * @who: the interrupted task, a &struct bpmu_who, unaligned
 * @to: memory for at least BPMU_WHO_MOST bytes
 *
 * Return: number of bytes of the encoded task.
 */
static inline size_t bpmu_who_put(struct bpmu_who_code *code, const void *who, unsigned char *to)
{
	return bpmu_who_put_again(code, who, bpmu_who_is_same(who, &code->last), to);
}

bool bpmu_who_get(struct bpmu_who_code *code,
		  const struct bpmu_code_extra *extra,
		  const struct bpmu_who **who);

#endif /* BPMU_RECORDING_WHO_H */
