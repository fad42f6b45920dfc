/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Syntax of events:
 *
 *   NAME[.UMASK][:FILTER...]         UOPS_EXECUTED.THREAD:[>=2]:u
 *   cpu/event=0x9c,umask=1,cmask=4/  perf's form
 *   cpu_core/cycles/, cpu_atom/...   the same, on one core type alone
 *   rUUEE                            raw, perf's form: an event select
 *
 * FILTER is one of (case is ignored)
 *
 *   [>=N] [>N] [<N] [<=N] [=N]       counter mask: cycles with this many events
 *   c=N or cN, i or i1, e or e1      counter mask, invert, edge
 *   t or any                         both threads of the core
 *   u, k or uk                       privilege levels, both by default; not in the uncore
 *   PMCn or FIXCn                    only this counter, by LIKWID's name
 *   threadmask= slicemask= ...       fields of an L3 event, if the CPU model has them
 *   tid_en= filter_opc= ...          fields of a server's CBo event, if the event uses them
 *   offcore_rsp= or frontend=        value of the extra register of an event of the core
 *
 * In metrics A:per=B is the count of A divided by the count of B on each CPU, see
 * bpmu_event_is_quotient().
 *
 * Events of a list are separated by commas. {A,B}:u stands for A:u,B:u. A NAME with * or ? stands
 * for all events in the CPU model's table with a matching name.
 */
#ifndef BPMU_EVENT_H
#define BPMU_EVENT_H

#include <stdbool.h>

#include "arch.h"
#include "base/error.h"

#define BPMU_EVENT_TERMS 2

/**
 * struct bpmu_event_term - what one counter has to be programmed with for an event
 * @select: value of the event select register
 * @filter: value of the filter register of the uncore unit, or of the extra register of the core
 *	(such as MSR_OFFCORE_RSP_0)
 * @counters: mask of the counters of the PMU that can count the event, never 0; if @unit is an
 *	uncore unit, the counters of one of its boxes (instances)
 * @unit: &enum bpmu_unit
 * @sign: an event can need two counters. 1 if this counter's count is added, -1 if it is
 *	subtracted, 0 if the other counter's count is divided by it, on each CPU
 */
struct bpmu_event_term {
	u64 select;
	u64 filter;
	u64 counters;
	u8 unit;
	int sign;
};

/**
 * struct bpmu_event_spec - a parsed event
 * @text: the event as typed, without leading and trailing blanks
 * @row: the event in the CPU model's table of events; NULL for raw events and names of libpfm4
 * @nr: number of counters of which the event's count is made. It is 2 for the filter [=N], which is
 *	[>=N] minus [>=N+1], and for the quotient A:per=B; 0 for an event that another tool has
 *	counted and that cannot be counted here; 1 for all others
 * @term: [@nr], what to program these counters with
 */
struct bpmu_event_spec {
	char *text;
	const struct bpmu_event *row;
	unsigned int nr;
	struct bpmu_event_term term[BPMU_EVENT_TERMS];
};

/**
 * struct bpmu_event_list - list of parsed events, in the requested order
 * @spec: [@nr], events
 * @nr: number of events
 * @room: number of events for which bpmu_event_list_grow() has allocated @spec
 */
struct bpmu_event_list {
	struct bpmu_event_spec *spec;
	unsigned int nr;
	unsigned int room;
};

bool bpmu_event_is_precise(const char *text);
bool bpmu_event_is_occupancy(u64 select);
bool bpmu_event_is_quotient(const struct bpmu_event_spec *spec);
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
