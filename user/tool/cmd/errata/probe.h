/* SPDX-License-Identifier: GPL-2.0 */
/* Probes an event select: flips one of its bits at a time, and counts the events of a loop. */
#ifndef BPMU_PROBE_H
#define BPMU_PROBE_H

#include "base/print.h"
#include "client/client.h"

/**
 * struct bpmu_probe_wish - which event select "barepmu errata probe" probes, and where
 * @client: open connection to the module
 * @info: the module's description of the CPU
 * @cpu: number of the CPU
 * @smt: 1 if two threads of a core are online (hyper-threading), else 0
 * @event: name of the event, as the user typed it
 * @counter: number of a general-purpose counter; -1 for the first that can count @event
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
