/* SPDX-License-Identifier: GPL-2.0 */
/* Functions on cycle numbers, which count core clock cycles since power-on. */
#ifndef VCORE_CYCLE_H
#define VCORE_CYCLE_H

#include <stdint.h>

static inline uint64_t vcore_later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

#endif /* VCORE_CYCLE_H */
