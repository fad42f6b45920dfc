/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_NO_MEMORY_H
#define BPMU_NO_MEMORY_H

#include "base/error.h"

/**
 * typedef no_memory_call - make a call that allocates memory, and free what it returns
 * @data: argument from the caller of no_memory_each()
 * @err: to be filled in by the call
 *
 * The function may assert what holds with and without memory: of a call that succeeds all the same,
 * its results.
 *
 * Return: 0 or a negative errno.
 */
typedef int no_memory_call(void *data, struct bpmu_error *err);

void no_memory_begin(void);
void no_memory_end(void);
unsigned int no_memory_each(no_memory_call *call, void *data);

#endif /* BPMU_NO_MEMORY_H */
