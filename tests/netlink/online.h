/* SPDX-License-Identifier: GPL-2.0 */
/* CPUs that tests take offline and online again. */
#ifndef ONLINE_H
#define ONLINE_H

#include <stdbool.h>
#include <stdint.h>

int online(uint32_t cpu, bool yes);

#endif /* ONLINE_H */
