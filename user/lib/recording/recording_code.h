/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compact encoding of samples: each sample is predicted from earlier ones, and only the differences
 * from the prediction are written.
 */
#ifndef BPMU_RECORDING_CODE_H
#define BPMU_RECORDING_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <linux/barepmu.h>

#include "arch.h"
#include "event/sched.h"

/*
 * Number of groups of which a block can have samples: BPMU_MAX_GROUPS for each bank (the counters
 * of the cores, or those of a kind of uncore unit)
 */
#define BPMU_CODE_GROUPS (BPMU_BANKS * BPMU_MAX_GROUPS)

/*
 * Maximum size in bytes of an encoded sample without its extension, plus sixteen: the decoder may
 * read sixteen bytes behind the sample.
 */
#define BPMU_CODE_MOST 320

/* Maximum number of samples that one call of bpmu_code_get() decodes */
#define BPMU_CODE_BATCH 64

/**
 * struct bpmu_code_group - what is known of a group's latest sample in a block
 * @running: TSC ticks for which the group was counted up to this sample
 * @enabled: TSC ticks for which the CPU was measured up to this sample
 * @value: counter values of the sample
 */
struct bpmu_code_group {
	u64 running;
	u64 enabled;
	u64 value[BPMU_MAX_COUNTERS];
};

/**
 * struct bpmu_code - state of encoding or decoding a block of samples
 * @last: latest sample of the CPU
 * @step: TSC ticks between @last and the sample before @last
 * @at: when decoding: address of the next sample
 * @end: end of the block
 * @near_end: address behind which fewer than BPMU_CODE_MOST bytes of the block are left; equal to
 *	@end after these bytes were copied to @rest
 * @seen: true if the block has had a sample of the group, [BPMU_CODE_GROUPS]
 * @group: latest sample of each group, [BPMU_CODE_GROUPS]
 * @rest: copy of the last bytes of the block, with room behind them, so that decoding a malformed
 *	sample that exceeds the block does no harm
 */
struct bpmu_code {
	struct bpmu_sample last;
	u64 step;
	const unsigned char *at;
	const unsigned char *end;
	const unsigned char *near_end;
	bool seen[BPMU_CODE_GROUPS];
	struct bpmu_code_group group[BPMU_CODE_GROUPS];
	unsigned char rest[2 * BPMU_CODE_MOST];
};

/**
 * struct bpmu_code_extra - extension of an encoded sample, with additional information
 * @data: encoded extension, which begins with its type; or NULL
 * @size: number of bytes of @data
 */
struct bpmu_code_extra {
	const unsigned char *data;
	size_t size;
};

/**
 * struct bpmu_code_batch - samples that were decoded together
 * @nr: number of samples
 * @head: heads of the samples: all numbers but the counter values, [@nr]
 * @value: raw counter values of the samples, [@nr]
 * @special: a sample behind the first one has flags, a bank, a gap or a plan of its own; else they
 *	are samples of the timer and of the core's counters, of the first one's plan and with
 *	consecutive numbers
 * @extended: at least one sample has an extension
 * @extra: if @extended, extensions of the samples, [@nr]; of size 0 if a sample has none
 */
struct bpmu_code_batch {
	unsigned int nr;
	struct bpmu_sample head[BPMU_CODE_BATCH];
	u64 value[BPMU_CODE_BATCH][BPMU_MAX_COUNTERS];
	bool special;
	bool extended;
	struct bpmu_code_extra extra[BPMU_CODE_BATCH];
};

unsigned char *bpmu_code_number_long(unsigned char *to, u64 number);

/**
 * bpmu_code_number() - encode a number of a recording, seven bits per byte, the lowest first
 * @to: memory for the encoded number, which takes at most ten bytes; four are written if it takes three
 * @number: the number
 *
 * Two to four bytes are written at once: bits 7 on are added once more, which shifts them by one,
 * bits 14 on twice more, and bits 21 on four times more.
 *
 * Return: the address after the encoded number.
 */
static inline unsigned char *bpmu_code_number(unsigned char *to, u64 number)
{
	u32 bytes;

	if (number < 1 << 7) {
		*to = number;
		return to + 1;
	}
	if (number < 1 << 14) {
		bytes = number + (number & ~0x7fULL) + 0x80;
		memcpy(to, &bytes, 2);
		return to + 2;
	}
	if (number < 1 << 21) {
		bytes = number + (number & ~0x7fULL) + 2 * (number & ~0x3fffULL) + 0x8080;
		memcpy(to, &bytes, sizeof(bytes));
		return to + 3;
	}
	if (number < 1 << 28) {
		bytes = number + (number & ~0x7fULL) + 2 * (number & ~0x3fffULL) +
			4 * (number & ~0x1fffffULL) + 0x808080;
		memcpy(to, &bytes, sizeof(bytes));
		return to + 4;
	}
	return bpmu_code_number_long(to, number);
}

bool bpmu_code_read_number(const unsigned char **from,
			   const unsigned char *end, u64 *number);

void bpmu_code_begin(struct bpmu_code *code, u32 cpu);
size_t bpmu_code_put(struct bpmu_code *code, const char *records, size_t nr,
		     size_t size, const struct bpmu_code_extra *extra,
		     unsigned char *to);
void bpmu_code_open(struct bpmu_code *code, u32 cpu, const unsigned char *from,
		    const unsigned char *end);
bool bpmu_code_get(struct bpmu_code *code, unsigned int most, struct bpmu_code_batch *batch);

#endif /* BPMU_RECORDING_CODE_H */
