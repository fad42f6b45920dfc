/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracepoints that show what the module does to counters, for use without the tool. They are in
 * /sys/kernel/tracing/events/barepmu. A tracepoint that is disabled costs one no-op instruction.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM barepmu

#if !defined(BPMU_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define BPMU_TRACE_H

#include <linux/barepmu.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "plan.h"
#include "units.h"

DECLARE_EVENT_CLASS(bpmu_bank,
		    TP_PROTO(u32 bank, const struct bpmu_plan_groups *groups, u32 group),
		    TP_ARGS(bank, groups, group),
		    TP_STRUCT__entry(__array(char, bank, 20)
				     __field(u32, cpu)
				     __field(u32, group)
				     __field(u32, nr)),
		    TP_fast_assign(strscpy(__entry->bank, bpmu_bank_facts[bank].name,
					   sizeof(__entry->bank));
				   __entry->cpu = smp_processor_id();
				   __entry->group = group;
				   __entry->nr = groups->group[group].nr;),
		    TP_printk("cpu=%u bank=%s group=%u events=%u",
			      __entry->cpu, __entry->bank, __entry->group,
			      __entry->nr)
);

/* Tracepoint: the registers of a group were programmed. */
DEFINE_EVENT(bpmu_bank, bpmu_program,
	     TP_PROTO(u32 bank, const struct bpmu_plan_groups *groups, u32 group),
	     TP_ARGS(bank, groups, group));
/* Tracepoint: the counters of a group were started. */
DEFINE_EVENT(bpmu_bank, bpmu_start,
	     TP_PROTO(u32 bank, const struct bpmu_plan_groups *groups, u32 group),
	     TP_ARGS(bank, groups, group));
/* Tracepoint: a register of a bank does not hold what the module has written to it. */
DEFINE_EVENT(bpmu_bank, bpmu_disturbed,
	     TP_PROTO(u32 bank, const struct bpmu_plan_groups *groups, u32 group),
	     TP_ARGS(bank, groups, group));
/* Tracepoint: the registers of a bank were restored to their values from before the session. */
DEFINE_EVENT(bpmu_bank, bpmu_restore,
	     TP_PROTO(u32 bank, const struct bpmu_plan_groups *groups, u32 group),
	     TP_ARGS(bank, groups, group));

DECLARE_EVENT_CLASS(bpmu_record,
		    TP_PROTO(const struct bpmu_sample *sample),
		    TP_ARGS(sample),
		    TP_STRUCT__entry(__field(u64, seq)
				     __field(u64, tsc)
				     __field(u32, cpu)
				     __field(u32, flags)
				     __field(u16, group)
				     __field(u16, nr)),
		    TP_fast_assign(__entry->seq = sample->seq;
				   __entry->tsc = sample->tsc_begin;
				   __entry->cpu = sample->cpu;
				   __entry->flags = sample->flags;
				   __entry->group = sample->group;
				   __entry->nr = sample->nr;),
		    TP_printk("cpu=%u seq=%llu tsc=%llu flags=%#x group=%u values=%u",
			      __entry->cpu, __entry->seq, __entry->tsc,
			      __entry->flags, __entry->group, __entry->nr)
);

/* Tracepoint: a sample was stored in the buffer of its CPU. */
DEFINE_EVENT(bpmu_record, bpmu_sample,
	     TP_PROTO(const struct bpmu_sample *sample),
	     TP_ARGS(sample));
/* Tracepoint: a sample was dropped, because the buffer of its CPU is full. */
DEFINE_EVENT(bpmu_record, bpmu_lost,
	     TP_PROTO(const struct bpmu_sample *sample),
	     TP_ARGS(sample));

#endif /* BPMU_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH bank
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
