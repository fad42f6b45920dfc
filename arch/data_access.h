/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What precise records (PEBS) say of memory accesses: of which events, and how each core type codes
 * where a load found its data.
 */
#ifndef BPMU_DATA_ACCESS_H
#define BPMU_DATA_ACCESS_H

#include "arch.h"

/* least threshold of the load latency, in core cycles: Linux, SDM Vol. 3, "Load Latency" */
#define BPMU_LATENCY_LEAST	3

/**
 * enum bpmu_data_access_kind - what the records of an event say of the recorded memory access
 * @BPMU_DATA_ACCESS_NONE: nothing
 * @BPMU_DATA_ACCESS_LOAD: the address of what was loaded
 * @BPMU_DATA_ACCESS_STORE: the address of what was stored; on performance cores also whether the
 *	store hit the L1
 * @BPMU_DATA_ACCESS_ANY: the address of what was loaded or stored
 * @BPMU_DATA_ACCESS_PRECISE_STORE: the address of what was stored, and whether the store hit the
 *	L1, missed the TLBs or is locked
 * @BPMU_DATA_ACCESS_LOAD_LATENCY: of a load also the source of the data, and the latency
 * @BPMU_DATA_ACCESS_STORE_LATENCY: of a store also the latency
 */
enum bpmu_data_access_kind {
	BPMU_DATA_ACCESS_NONE,
	BPMU_DATA_ACCESS_LOAD,
	BPMU_DATA_ACCESS_STORE,
	BPMU_DATA_ACCESS_ANY,
	BPMU_DATA_ACCESS_PRECISE_STORE,
	BPMU_DATA_ACCESS_LOAD_LATENCY,
	BPMU_DATA_ACCESS_STORE_LATENCY
};

/**
 * struct bpmu_data_access - the group of memory accesses of a precise record
 * @address: address of the data
 * @source: where they were, and what delayed the access
 * @latency: latencies
 */
struct bpmu_data_access {
	u64 address;
	u64 source;
	u64 latency;
};

struct bpmu_tagged_op;

enum bpmu_data_access_kind bpmu_data_access_kind(const struct bpmu_part *part, u64 select);
int bpmu_data_access_needs_aux(const struct bpmu_part *part, u64 select);
int bpmu_data_access_is_aux(u64 select);
void bpmu_data_access_decode(const struct bpmu_pmu *pmu, u64 select,
			     const struct bpmu_data_access *access, struct bpmu_tagged_op *op);

#endif /* BPMU_DATA_ACCESS_H */
