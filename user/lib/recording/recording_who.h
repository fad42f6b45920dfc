/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compact encoding of the task that a sample interrupted, as an extension of the encoded sample.
 */
#ifndef BPMU_RECORDING_WHO_H
#define BPMU_RECORDING_WHO_H

#include "recording_code.h"

/*
 * Maximum size in bytes of an encoded task, including the number that states its length, which thus
 * takes one byte
 */
#define BPMU_WHO_MOST 64

/**
 * struct bpmu_who_code - state of encoding or decoding the interrupted tasks of a block of samples
 * @last: task of the previous sample; of the next task only the differences from it are encoded
 */
struct bpmu_who_code {
	struct bpmu_who last;
};

size_t bpmu_who_put(struct bpmu_who_code *code, const struct bpmu_who *who, unsigned char *to);
bool bpmu_who_get(struct bpmu_who_code *code,
		  const struct bpmu_code_extra *extra,
		  const struct bpmu_who **who);

#endif /* BPMU_RECORDING_WHO_H */
