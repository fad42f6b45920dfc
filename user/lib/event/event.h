/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Syntax of events:
 *
 *   NAME[.UMASK][:FILTER...]         UOPS_EXECUTED.THREAD:[>=2]:u
 *   cpu/event=0x9c,umask=1,cmask=4/  perf's form
 *   cpu_core/cycles/, cpu_atom/...   the same, on one kind of cores alone
 *   rUUEE                            raw, perf's form: an event select
 *
 * FILTER is [>=N] [>N] [<N] [<=N] [=N] (counter mask: cycles with so many),
 * c=N or cN, i or i1 (invert), e or e1 (edge), t or any (both threads of the
 * core), the privilege levels u, k or uk; none means both, and an event of the
 * uncore has none. PMCn or FIXCn (LIKWID's names) is the only counter that may
 * hold the event. An event of an L3 takes threadmask=, and slicemask= or coreid= and
 * sliceid=, whichever its part has; one of a server's CBos tid_en= and those of filter_opc=,
 * filter_state=, filter_nid= and the like that it uses; an event of the core with an extra
 * register offcore_rsp= or frontend=. Case does not matter.
 *
 * A list has commas between events; {A,B}:u is A:u,B:u, and NAME with * or ? is
 * all rows of the part that match.
 */
#ifndef BPMU_EVENT_H
#define BPMU_EVENT_H

#include <stdbool.h>

#include "arch.h"
#include "base/error.h"

#define BPMU_EVENT_TERMS 2

/**
 * struct bpmu_event_term - programming of one counter
 * @select: value of the event select register
 * @filter: value of its box's filter, or of its extra register
 * @counters: counters of this PMU that can hold it, never empty; of one box
 *	if @unit is in the uncore
 * @unit: &enum bpmu_unit
 * @sign: 1, or -1 if it is to be subtracted
 */
struct bpmu_event_term {
	u64 select;
	u64 filter;
	u64 counters;
	u8 unit;
	int sign;
};

/**
 * struct bpmu_event_spec - an event that was asked for
 * @text: as typed, without blanks around it
 * @row: the part's row, or NULL for raw events and names of libpfm4
 * @nr: number of terms, 1 or 2; [=N] is [>=N] minus [>=N+1]; 0 if others have
 *	counted what cannot be counted here
 * @term: the terms
 */
struct bpmu_event_spec {
	char *text;
	const struct bpmu_event *row;
	unsigned int nr;
	struct bpmu_event_term term[BPMU_EVENT_TERMS];
};

/**
 * struct bpmu_event_list - events in the order asked for
 * @spec: the events
 * @nr: number of events
 * @room: number that @spec has room for, if bpmu_event_list_grow() made it
 */
struct bpmu_event_list {
	struct bpmu_event_spec *spec;
	unsigned int nr;
	unsigned int room;
};

bool bpmu_event_is_occupancy(u64 select);
int bpmu_event_parse(const struct bpmu_pmu *pmu, int smt, const char *text,
		     struct bpmu_event_spec *spec, struct bpmu_error *err);
void bpmu_event_free(struct bpmu_event_spec *spec);
int bpmu_event_fields_write(const struct bpmu_box *box, u64 select, char *text,
			    size_t size);
int bpmu_event_filter_write(const struct bpmu_box *box, u64 select, u64 filter,
			    char *text, size_t size);

typedef int bpmu_event_each_fn(void *data, const char *event,
			       struct bpmu_error *err);
int bpmu_event_list_each(const char *text, bpmu_event_each_fn *each, void *data,
			 struct bpmu_error *err);
void bpmu_event_leave_fixed(const struct bpmu_pmu *pmu, int smt,
			    const struct bpmu_event_list *list,
			    struct bpmu_event_spec *spec);
int bpmu_event_list_parse(const struct bpmu_pmu *pmu, int smt,
			  const char *text, struct bpmu_event_list *list,
			  struct bpmu_error *err);
int bpmu_event_list_grow(struct bpmu_event_list *list);
int bpmu_event_list_add(const struct bpmu_pmu *pmu, int smt, const char *text,
			struct bpmu_event_list *list, struct bpmu_error *err);
int bpmu_event_list_add_given(const struct bpmu_pmu *pmu, int smt,
			      const char *text, bool unknown,
			      struct bpmu_event_list *list,
			      struct bpmu_error *err);
void bpmu_event_list_free(struct bpmu_event_list *list);

#endif /* BPMU_EVENT_H */
