/* SPDX-License-Identifier: GPL-2.0 */
/* Counts the calls of a kernel function by a probe (kprobe). */
#ifndef PROBE_H
#define PROBE_H

#include <stdbool.h>

bool probe_begin(const char *definition, const char *filter);
unsigned int probe_hits(void);
void probe_end(void);

#endif /* PROBE_H */
