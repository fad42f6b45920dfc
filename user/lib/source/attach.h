/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Attaches to a session of another process: finds its events, and reads copies of its samples.
 *
 * The members of a group of users, which uapi/linux/barepmu.h describes, may attach to a session.
 * The module tells only the counters and the event selects of the session; attach.c finds the names
 * of the events.
 */
#ifndef BPMU_ATTACH_H
#define BPMU_ATTACH_H

#include "client/client.h"
#include "measure.h"
#include "recording/recording.h"

/**
 * struct bpmu_attach - connection to the session of another process
 * @client: connection to the module, which listens to the module's messages
 * @about: description of the session. Its groups have counters with event names, but no lists of
 *	events
 * @run: number of the session's run, see &struct bpmu_client_plan
 * @number: number of the session's plan, see &struct bpmu_client_plan
 * @owner_pid: process that owns the session
 * @owner_comm: name of this process
 */
struct bpmu_attach {
	struct bpmu_client *client;
	struct bpmu_recording_about about;
	u32 run;
	u32 number;
	u32 owner_pid;
	char owner_comm[32];
};

/**
 * struct bpmu_attach_watch - how to read a session of another process
 * @measure: parameters of the measurement; parameters that only the owner of a session can choose
 *	are not used
 * @changed: called when counts begin or cease to arrive. Its arguments are the data of @measure,
 *	true if counts begin to arrive, and the reason as a sentence without full stop
 */
struct bpmu_attach_watch {
	const struct bpmu_measure *measure;
	void (*changed)(void *data, bool counts, const char *why);
};

int bpmu_attach_open(struct bpmu_attach *attach, struct bpmu_error *err);
int bpmu_attach_take(struct bpmu_attach *attach,
		     const struct bpmu_client_plan *plan,
		     struct bpmu_error *err);
int bpmu_attach_events(const struct bpmu_attach *attach, char **text,
		       struct bpmu_error *err);
u64 bpmu_attach_round_ns(const struct bpmu_attach *attach);
int bpmu_attach_run(struct bpmu_attach *attach,
		    const struct bpmu_attach_watch *watch,
		    struct bpmu_error *err);
void bpmu_attach_close(struct bpmu_attach *attach);

int bpmu_attach_groups(struct bpmu_groups *groups,
		       const struct bpmu_client_plan *plan,
		       const struct bpmu_pmu *pmu, int smt,
		       struct bpmu_error *err);

#endif /* BPMU_ATTACH_H */
