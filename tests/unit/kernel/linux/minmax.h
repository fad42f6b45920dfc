/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stand-in for the kernel's headers that kmod/sample/buffer.c includes. The unit test has one
 * thread: barriers only have to stop the compiler from reordering.
 */
#ifndef UNIT_KERNEL_H
#define UNIT_KERNEL_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "arch.h"

typedef unsigned int seqcount_t;

#define min_t(type, a, b) ((type)(a) < (type)(b) ? (type)(a) : (type)(b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define READ_ONCE(x) (*(volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, value) (*(volatile __typeof__(x) *)&(x) = (value))
/* Each of these barriers orders at least what the kernel's barrier of the same name orders. */
#define smp_mb() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define smp_rmb() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_load_acquire(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define smp_store_release(p, value) __atomic_store_n(p, value, __ATOMIC_RELEASE)
#define seqcount_init(seq) (*(seq) = 0)
#define raw_write_seqcount_begin(seq) ((*(seq))++)
#define raw_write_seqcount_end(seq) ((*(seq))++)
#define read_seqcount_begin(seq) (*(seq))
#define read_seqcount_retry(seq, begin) (*(seq) != (begin))
#define array_size(nr, size) ((size_t)(nr) * (size))
#define size_add(a, b) ((size_t)(a) + (b))
#define GFP_KERNEL_ACCOUNT 0
#define __GFP_RETRY_MAYFAIL 0
#define __GFP_NOWARN 0
#define kvzalloc_node(size, flags, node) \
	((void)(flags), (void)(node), calloc(1, size))
#define kvfree(p) free(p)

#endif /* UNIT_KERNEL_H */
