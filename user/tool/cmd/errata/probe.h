/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the bits of an event's select do.
 */
#ifndef BPMU_PROBE_H
#define BPMU_PROBE_H

#include "base/print.h"
#include "client/client.h"

/**
 * struct bpmu_probe_wish - what to probe, and how to print it
 * @client: open
 * @info: of the module, of this CPU
 * @cpu: where
 * @smt: whether threads share cores
 * @event: as typed
 * @counter: number of a general counter, or -1 for any that can hold it
 * @format: of the output
 * @separator: of the CSV format
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
