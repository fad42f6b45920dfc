/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes an event select: counts the events of a loop with each of its bits flipped.
 */
#ifndef BPMU_PROBE_H
#define BPMU_PROBE_H

#include "base/print.h"
#include "client/client.h"

/**
 * struct bpmu_probe_wish - parameters of a probe
 * @client: open client
 * @info: the module's description of the CPU
 * @cpu: CPU to use
 * @smt: whether threads share cores
 * @event: event as typed
 * @counter: number of a general-purpose counter, or -1 for the first that can count it
 * @format: format of the output
 * @separator: separator of CSV
 */
struct bpmu_probe_wish {
	struct bpmu_client *client;
	const struct bpmu_info *info;
	u32 cpu;
	int smt;
	const char *event;
	int counter;
	enum bpmu_format format;
	const char *separator;
};

int bpmu_probe_run(const struct bpmu_probe_wish *wish, struct bpmu_error *err);

#endif /* BPMU_PROBE_H */
