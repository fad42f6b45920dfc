/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reading beside a session, for the files of attach.h alone.
 */
#ifndef BPMU_ATTACH_OWN_H
#define BPMU_ATTACH_OWN_H

#include "attach.h"
#include "report_map.h"
#include "series.h"

/**
 * struct bpmu_attach_reading - how far it is read
 * @attach: the session, or the last one
 * @watch: who wants what
 * @counted: the same with all that the session counts
 * @map: from one to the other
 * @series: of the session's groups; NULL while none is read
 * @from: of each CPU of the session the next sample
 * @begun: of each of them a sample was taken as the first
 * @placed: @from is known
 * @records: that were read and are not yet known to be of the run
 * @bytes: their size
 * @room: of @records
 * @failed: there was no memory for them
 */
struct bpmu_attach_reading {
	struct bpmu_attach *attach;
	const struct bpmu_attach_watch *watch;
	struct bpmu_measure counted;
	struct bpmu_map map;
	struct bpmu_series *series;
	struct bpmu_position *from;
	bool *begun;
	bool placed;
	char *records;
	size_t bytes;
	size_t room;
	bool failed;
};

void bpmu_attach_say(const struct bpmu_attach_reading *reading, bool counts,
		     const char *why);
int bpmu_attach_enter(struct bpmu_attach_reading *reading,
		      struct bpmu_error *err);
void bpmu_attach_leave(struct bpmu_attach_reading *reading);
int bpmu_attach_fetch(struct bpmu_attach_reading *reading,
		      struct bpmu_error *err);

#endif /* BPMU_ATTACH_OWN_H */
