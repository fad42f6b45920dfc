/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The target of a measurement: the CPUs to measure, their PMU, and the connection to the module.
 */
#ifndef BPMU_TARGET_H
#define BPMU_TARGET_H

#include "base/cpulist.h"
#include "client/client.h"
#include "event/rows.h"
#include "recording/recording.h"

/**
 * struct bpmu_target - CPUs to measure, their PMU, and a connection to the module
 * @client: connection that listens to the module's messages; NULL with @recorded
 * @info: information of the module, with the counters of the first CPU
 * @cpus: the CPUs to measure
 * @cpus_text: @cpus as text
 * @smt: true if hyper-threading is on
 * @recorded: description of the recording, or of another process's session, that has the counts of
 *	the CPUs; NULL if the CPUs are to be measured on this machine
 * @left_out: notes for the user on CPUs that were left out of @cpus: [0] on isolated CPUs, [1] on
 *	CPUs of a third core type; NULL if there are no such CPUs
 */
struct bpmu_target {
	struct bpmu_client *client;
	struct bpmu_info info;
	struct bpmu_cpulist cpus;
	char *cpus_text;
	int smt;
	const struct bpmu_recording_about *recorded;
	char *left_out[2];
};

int bpmu_target_open(struct bpmu_target *target, const char *cpus,
		     struct bpmu_error *err);
int bpmu_target_open_any(struct bpmu_target *target, const char *cpus,
			 struct bpmu_error *err);
int bpmu_target_split(struct bpmu_client *client, struct bpmu_target *target,
		      struct bpmu_target *rest, struct bpmu_error *err);
int bpmu_target_choose(const struct bpmu_target *const *target, unsigned int nr,
		       struct bpmu_error *err);
int bpmu_target_named(struct bpmu_client *client, const char *name,
		      struct bpmu_cpulist *cpus, struct bpmu_error *err);
int bpmu_target_recorded(struct bpmu_target *target,
			 const struct bpmu_recording_about *about,
			 const char *name, const char *cpus,
			 struct bpmu_error *err);
int bpmu_target_recorded_types(struct bpmu_target *const target[BPMU_CORE_TYPES],
			       unsigned int *nr, const struct bpmu_recording_about *about,
			       const char *name, const char *cpus, struct bpmu_error *err);
int bpmu_target_recorded_rows(const struct bpmu_target *target,
			      enum bpmu_rows_by by, struct bpmu_rows *rows,
			      struct bpmu_error *err);
bool bpmu_target_is_name(const char *cpus);
const struct bpmu_groups *bpmu_target_counted(const struct bpmu_target *target);
bool bpmu_target_has_siblings(const struct bpmu_target *target);
int bpmu_target_rows(const struct bpmu_target *target, enum bpmu_rows_by by,
		     struct bpmu_rows *rows, struct bpmu_error *err);
void bpmu_target_close(struct bpmu_target *target);

#endif /* BPMU_TARGET_H */
