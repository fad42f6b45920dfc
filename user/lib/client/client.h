/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A client of the module's generic netlink family: functions for its commands, with structs in the
 * place of netlink attributes.
 *
 * All functions with @err return 0 or a negative errno. On failure they fill in @err, with the
 * sentence of the module if it sent one.
 */
#ifndef BPMU_CLIENT_H
#define BPMU_CLIENT_H

#include <stdbool.h>
#include <linux/barepmu.h>

#include "arch.h"
#include "base/cpulist.h"
#include "base/error.h"
#include "event/groups.h"
#include "intel.h"

struct bpmu_client;

/**
 * struct bpmu_info - what the module reports of a CPU and of the session: BPMU_CMD_GET_INFO
 * @module_version: version of the module
 * @part: short name of the CPU model
 * @title: marketing name of the CPU model
 * @family: CPUID display family
 * @model: CPUID display model
 * @stepping: CPUID stepping
 * @pmu: the CPU model's counters; @pmu.part is NULL if this tool does not know the CPU model
 * @tsc_khz: rate of the TSC, which stamps the samples, in kHz
 * @cpus_online: online CPUs
 * @state: &enum bpmu_state of the session
 * @owner_pid: process that owns the session, 0 if there is no session
 * @owner_comm: command name of that process
 * @busy: true if perf or the NMI watchdog has reserved the counters
 * @prefetch: bits of MSR 0x1A4 that are set; each bit switches a prefetcher off
 * @status: overflow bits of the CPU (IA32_PERF_GLOBAL_STATUS), valid if @nr_selects is not 0
 * @select: contents of the CPU's event select registers, [@nr_selects]
 * @nr_selects: number of @select, 0 if the module does not report them
 * @foreign: mask of the CPU's counters that other software than the module has enabled
 * @batch: maximum of &bpmu_config.batch; 0 if the CPU writes no precise records
 * @obstacles: set of enum bpmu_obstacle: what keeps the CPU's counters from interrupting
 */
struct bpmu_info {
	char module_version[32];
	char part[16];
	char title[64];
	u32 family;
	u32 model;
	u32 stepping;
	struct bpmu_pmu pmu;
	u32 tsc_khz;
	u32 cpus_online;
	u32 state;
	u32 owner_pid;
	char owner_comm[32];
	bool busy;
	u32 prefetch;
	u64 status;
	u64 select[BPMU_MAX_COUNTERS];
	unsigned int nr_selects;
	u64 foreign;
	u32 batch;
	u32 obstacles;
};

/**
 * struct bpmu_client_failure - a CPU that could not be programmed
 * @cpu: number of the CPU
 * @what: what could not be programmed, &enum bpmu_bank_id or &enum bpmu_failure
 * @error: positive errno, the reason
 */
struct bpmu_client_failure {
	u32 cpu;
	u32 what;
	u32 error;
};

/**
 * struct bpmu_failures - the CPUs that a session could not program
 * @failure: failures, [@nr]; to be freed with free()
 * @nr: number of failures
 */
struct bpmu_failures {
	struct bpmu_client_failure *failure;
	unsigned int nr;
};

/**
 * struct bpmu_config - configuration of a session: BPMU_CMD_CONFIGURE
 * @cpus: CPU numbers, [@nr_cpus]
 * @nr_cpus: number of CPUs
 * @groups: groups to count on each core type, [core type]; the core type of the lowest CPU number
 *	comes first; NULL after the last core type
 * @interval_ns: sampling interval in ns, 0 in counting mode
 * @timer: &enum bpmu_timer
 * @buffer_samples: capacity of the sample buffer of a CPU, 0 for the module's default
 * @prefetch: mask of the prefetchers to disable (MSR 0x1A4), or NULL to change no prefetcher
 * @top: when the session starts, the core's counters are set so that they wrap after this many
 *	events; 0 to leave the values of counters as they are
 * @check: set of &enum bpmu_check
 * @who: each sample record ends with a &struct bpmu_who, which names the interrupted task
 * @take_over: use counters even if other software has enabled them
 * @chain: maximum number of addresses in the call chain of an interrupt; 0 to record no call chains
 * @branches: record the last branches before an interrupt
 * @calls: with @chain: find callers in user space by branch records, not by frame pointers; not with
 *	@branches
 * @counts: the record of an interrupt has the counts of all events of the group since the interrupt
 *	before
 * @batch: number of precise records that a CPU writes before it interrupts; 0: it interrupts at each
 */
struct bpmu_config {
	const u32 *cpus;
	unsigned int nr_cpus;
	const struct bpmu_groups *groups[BPMU_CORE_TYPES];
	u64 interval_ns;
	u32 timer;
	u32 buffer_samples;
	const u32 *prefetch;
	u32 top;
	u32 check;
	bool who;
	bool take_over;
	u32 chain;
	bool branches;
	bool calls;
	bool counts;
	u32 batch;
};

/**
 * struct bpmu_taken_sample - a sample that was read, by a client or from a recording
 * @head: times, flags and numbers of the sample, as the module gives them before the values
 * @values: raw counter values, as many as @head states
 * @who: the task that the sample interrupted; NULL if it was not read
 *
 * The members point to memory that is valid until the next samples are read.
 */
struct bpmu_taken_sample {
	const struct bpmu_sample *head;
	const u64 *values;
	const struct bpmu_who *who;
};

/**
 * struct bpmu_reader - callbacks of bpmu_client_read()
 * @samples: called with samples of one CPU, [nr], in rising order of time
 * @records: if not NULL, called instead of @samples, with unparsed sample records
 * @overflows: if not NULL, called with the interrupt records of one CPU: packed
 *	&struct bpmu_overflow, each with the length that its @size states
 * @overflows_lost: if not NULL, called with the number of interrupt records that a CPU has lost
 *	since the start
 * @data: first argument of all callbacks
 */
struct bpmu_reader {
	void (*samples)(void *data, const struct bpmu_taken_sample *samples, unsigned int nr);
	void (*records)(void *data, const void *records, size_t bytes);
	void (*overflows)(void *data, const void *records, size_t bytes);
	void (*overflows_lost)(void *data, u32 cpu, u64 lost);
	void *data;
};

/**
 * struct bpmu_client_plan - what a session counts: BPMU_CMD_GET_PLAN
 * @run: number that each configuration and each start of the session changes
 * @number: number that increases each time that the groups of the session are replaced
 * @state: &enum bpmu_state
 * @owner_pid: process of the session
 * @owner_comm: command name of that process
 * @cpus: CPUs of the session
 * @interval_ns: sampling interval of a CPU in ns, 0 for none
 * @timer: the timer in use, &enum bpmu_timer, never AUTO
 * @group: groups that the session counts, groups of the core first, [@nr_groups]. Of each event of
 *	a group only these are filled in: its counter, the counter of the other thread of the core
 *	that counts it, the event select, the filter and the index of its value in a sample
 * @nr_groups: number of groups
 * @hybrid: @cpus have two core types; @group has the groups of the lowest CPU's type
 */
struct bpmu_client_plan {
	u32 run;
	u32 number;
	u32 state;
	u32 owner_pid;
	char owner_comm[32];
	struct bpmu_cpulist cpus;
	u64 interval_ns;
	u32 timer;
	struct bpmu_sched *group;
	unsigned int nr_groups;
	bool hybrid;
};

int bpmu_client_open(struct bpmu_client **client, struct bpmu_error *err);
void bpmu_client_close(struct bpmu_client *client);

int bpmu_client_info(struct bpmu_client *client, struct bpmu_info *info,
		     struct bpmu_error *err);
int bpmu_client_info_of(struct bpmu_client *client, u32 cpu,
			struct bpmu_info *info, struct bpmu_error *err);
int bpmu_client_pmu_of(struct bpmu_client *client, u32 cpu,
		       struct bpmu_info *info, struct bpmu_error *err);
int bpmu_client_alike(struct bpmu_client *client, u32 cpu,
		      struct bpmu_cpulist *cpus, struct bpmu_error *err);
int bpmu_client_isolated(struct bpmu_client *client, struct bpmu_cpulist *cpus,
			 struct bpmu_error *err);
int bpmu_client_foreign(struct bpmu_client *client,
			const struct bpmu_cpulist *cpus,
			struct bpmu_cpulist *found, u64 *counters,
			struct bpmu_error *err);
int bpmu_client_obstacles(struct bpmu_client *client, const struct bpmu_cpulist *cpus,
			  u32 obstacle, struct bpmu_cpulist *found, struct bpmu_error *err);
int bpmu_client_failures(struct bpmu_client *client,
			 struct bpmu_failures *failures, struct bpmu_error *err);

/**
 * bpmu_info_has_counts() - check if precise records can have the counts of all events
 * @info: information about the module, from bpmu_client_info()
 *
 * Return: true if the module can ask the CPU for records with counts.
 */
static inline bool bpmu_info_has_counts(const struct bpmu_info *info)
{
	return info->batch > 1 && (!bpmu_pmu_has_store(&info->pmu) ||
				   info->pmu.pebs_format > BPMU_DS_HELD);
}

int bpmu_client_configure(struct bpmu_client *client,
			  const struct bpmu_config *config,
			  struct bpmu_error *err);
u32 bpmu_client_record_size(const struct bpmu_client *client);
int bpmu_client_start(struct bpmu_client *client, struct bpmu_error *err);
int bpmu_client_stop(struct bpmu_client *client, struct bpmu_error *err);
int bpmu_client_swap(struct bpmu_client *client,
		     const struct bpmu_groups *const groups[BPMU_CORE_TYPES],
		     struct bpmu_error *err);
int bpmu_client_read(struct bpmu_client *client,
		     const struct bpmu_reader *reader, struct bpmu_error *err);
int bpmu_client_copy(struct bpmu_client *client,
		     const struct bpmu_position *from, unsigned int nr,
		     const struct bpmu_reader *reader, struct bpmu_error *err);
void bpmu_client_record(const void *record, u32 size,
			struct bpmu_sample *sample,
			u64 values[BPMU_MAX_COUNTERS]);
int bpmu_client_plan(struct bpmu_client *client, struct bpmu_client_plan *plan,
		     struct bpmu_error *err);
void bpmu_client_plan_free(struct bpmu_client_plan *plan);
int bpmu_client_release(struct bpmu_client *client, struct bpmu_error *err);

int bpmu_client_listen(struct bpmu_client *client, struct bpmu_error *err);
int bpmu_client_listen_fd(const struct bpmu_client *client);
int bpmu_client_listen_drain(struct bpmu_client *client,
			     struct bpmu_error *err);

#endif /* BPMU_CLIENT_H */
