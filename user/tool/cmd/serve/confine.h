/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Gives up the privileges that "barepmu serve" does not need any more once it has started, because
 * it is a server on the network.
 */
#ifndef BPMU_CONFINE_H
#define BPMU_CONFINE_H

#include <stdbool.h>

#include "base/error.h"

int bpmu_confine_privileges(bool low_port, struct bpmu_error *err);
int bpmu_confine_calls(struct bpmu_error *err);

#endif /* BPMU_CONFINE_H */
