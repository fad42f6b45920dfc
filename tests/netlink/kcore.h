/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's memory, as root reads it: /proc/kcore.
 */
#ifndef KCORE_H
#define KCORE_H

#include <stddef.h>

int kcore_per_cpu(const char *symbol, void *bytes, size_t size);

#endif /* KCORE_H */
