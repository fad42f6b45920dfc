// SPDX-License-Identifier: GPL-2.0
/*
 * Two checks of the self-test that count nothing. "detection" compares what the tool reads by CPUID
 * with what the module found. "restore" compares the registers after the last session with those
 * before the first one.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "event/this_cpu.h"
#include "selftest.h"

/*
 * Maximum number of registers of a CPU's PMU that are compared: the event selects, the
 * general-purpose and the fixed counters, IA32_FIXED_CTR_CTRL, IA32_PERF_GLOBAL_CTRL and
 * IA32_PERF_GLOBAL_STATUS
 */
#define MOST_REGISTERS (2 * BPMU_FIXED_BASE + 16 + 3)

/**
 * struct saved_msrs - values of a CPU's registers that were read from /dev/cpu/N/msr
 * @msr: MSR address of each register, [@nr]
 * @value: value of each register, [@nr]
 * @nr: number of registers that could be read
 */
struct saved_msrs {
	u32 msr[MOST_REGISTERS];
	u64 value[MOST_REGISTERS];
	unsigned int nr;
};

/**
 * struct bpmu_selftest_registers - registers of a CPU before or after the self-test's sessions
 * @info: event selects and overflow bits, as the module reports them
 * @saved: registers read from /dev/cpu/N/msr, if that exists
 */
struct bpmu_selftest_registers {
	struct bpmu_info info;
	struct saved_msrs saved;
};

static void copy_cpu(void *data, const struct bpmu_this_cpu *cpu)
{
	*(struct bpmu_this_cpu *)data = *cpu;
}

static bool same_cpu(const struct bpmu_this_cpu *cpu, const struct bpmu_info *info)
{
	return cpu->part == info->pmu.part &&
	       cpu->id.family == info->family && cpu->id.model == info->model &&
	       cpu->stepping == info->stepping &&
	       cpu->pmu.gp_counters == info->pmu.gp_counters &&
	       cpu->pmu.gp_width == info->pmu.gp_width &&
	       cpu->pmu.fixed_counters == info->pmu.fixed_counters &&
	       cpu->pmu.fixed_width == info->pmu.fixed_width;
}

/* number of JSON members in the report that describe what was detected of a CPU */
#define DETECTED 9

static void put_detected(struct bpmu_field field[DETECTED], const char *part,
			 u32 family, u32 model, u32 stepping,
			 const struct bpmu_pmu *pmu)
{
	const struct {
		const char *name;
		u32 number;
	} numbers[DETECTED - 1] = {
		{ "family", family }, { "model", model },
		{ "stepping", stepping },
		{ "gp_counters", pmu->gp_counters },
		{ "gp_width", pmu->gp_width },
		{ "fixed_counters", pmu->fixed_counters },
		{ "fixed_width", pmu->fixed_width },
		{ "pmu_version", pmu->version },
	};
	unsigned int i;

	field[0] = (struct bpmu_field){ "part", part, BPMU_FIELD_TEXT };
	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		field[1 + i] = (struct bpmu_field){
			numbers[i].name, .form = BPMU_FIELD_WHOLE,
			.whole = numbers[i].number,
		};
}

static void report_detection(struct bpmu_selftest *selftest, u32 cpu,
			     const struct bpmu_this_cpu *own, const struct bpmu_info *info)
{
	struct bpmu_field by_cpuid[DETECTED], by_module[DETECTED];
	const struct bpmu_field fields[] = {
		{ "cpu", .form = BPMU_FIELD_WHOLE, .whole = cpu },
		{ "cpuid", .form = BPMU_FIELD_OBJECT,
		  .of = { by_cpuid, DETECTED } },
		{ "module", .form = BPMU_FIELD_OBJECT,
		  .of = { by_module, DETECTED } },
	};

	put_detected(by_cpuid, own->part ? own->part->name : "", own->id.family,
		     own->id.model, own->stepping, &own->pmu);
	put_detected(by_module, info->part, info->family, info->model,
		     info->stepping, &info->pmu);
	bpmu_selftest_raw(selftest, "detection", fields, ARRAY_SIZE(fields));
}

/**
 * bpmu_selftest_detection() - self-test: compare this machine's CPUID with what the module detected
 *
 * The calling thread stays pinned to the last of the tested CPUs.
 */
int bpmu_selftest_detection(struct bpmu_selftest *selftest,
			    struct bpmu_error *err)
{
	const struct bpmu_cpulist *cpus = &selftest->target.cpus;
	const struct bpmu_pmu *pmu = &selftest->target.info.pmu;
	unsigned int i, differ = 0;
	struct bpmu_this_cpu own;
	struct bpmu_info info;
	u32 example = 0;
	int code;

	for (i = 0; i < cpus->nr; i++) {
		code = bpmu_trial_settle(cpus->cpu[i], err);
		if (!code)
			code = bpmu_this_cpu_core_types(copy_cpu, &own, err);
		if (!code)
			code = bpmu_client_info_of(selftest->target.client,
						   cpus->cpu[i], &info, err);
		if (code)
			return code;
		report_detection(selftest, cpus->cpu[i], &own, &info);
		if (same_cpu(&own, &info))
			continue;
		example = differ++ ? example : cpus->cpu[i];
	}
	if (differ)
		bpmu_selftest_say(selftest, "detection", BPMU_SELFTEST_FAIL,
				  "CPUID and the module disagree on %u of %u CPUs, the first is CPU %u",
				  differ, cpus->nr, example);
	else
		bpmu_selftest_say(selftest, "detection", BPMU_SELFTEST_OK,
				  "CPUID and module agree: %s, %u general counters of %u bits, %u fixed of %u",
				  selftest->target.info.title, pmu->gp_counters,
				  pmu->gp_width, pmu->fixed_counters,
				  pmu->fixed_width);
	return 0;
}

static void save_msr(struct saved_msrs *saved, int fd, u32 msr)
{
	u64 value;

	if (!msr || saved->nr == MOST_REGISTERS ||
	    pread(fd, &value, sizeof(value), msr) != sizeof(value))
		return;
	saved->msr[saved->nr] = msr;
	saved->value[saved->nr++] = value;
}

static void save_msrs(struct saved_msrs *saved, u32 cpu, const struct bpmu_pmu *pmu)
{
	const struct bpmu_msrs *msrs = &pmu->part->msrs;
	char path[64];
	unsigned int i;
	int fd;

	saved->nr = 0;
	snprintf(path, sizeof(path), "/dev/cpu/%u/msr", cpu);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	for (i = 0; i < pmu->gp_counters; i++) {
		save_msr(saved, fd, bpmu_pmu_select_msr(pmu->part, i));
		save_msr(saved, fd, bpmu_pmu_counter_msr(pmu->part, i, false));
	}
	for (i = 0; msrs->fixed && i < pmu->fixed_counters; i++)
		save_msr(saved, fd, msrs->fixed + i);
	save_msr(saved, fd, msrs->fixed_ctrl);
	save_msr(saved, fd, msrs->global_ctrl);
	save_msr(saved, fd, msrs->global_status);
	close(fd);
}

static int read_registers(struct bpmu_selftest *selftest, u32 cpu,
			  struct bpmu_selftest_registers *registers,
			  struct bpmu_error *err)
{
	int code = bpmu_client_pmu_of(selftest->target.client, cpu,
				      &registers->info, err);

	if (!code)
		save_msrs(&registers->saved, cpu, &registers->info.pmu);
	return code;
}

/**
 * bpmu_selftest_remember() - self-test: save this machine's registers before the first session
 * @selftest: the self-test; its member registers is allocated and filled in
 */
int bpmu_selftest_remember(struct bpmu_selftest *selftest,
			   struct bpmu_error *err)
{
	const struct bpmu_cpulist *cpus = &selftest->target.cpus;
	unsigned int i;
	int code = 0;

	selftest->registers = calloc(cpus->nr, sizeof(*selftest->registers));
	if (!selftest->registers)
		return bpmu_error_no_memory(err, "selftest");
	for (i = 0; i < cpus->nr && !code; i++)
		code = read_registers(selftest, cpus->cpu[i], &selftest->registers[i],
				      err);
	return code;
}

/**
 * struct difference - registers whose values the sessions of the self-test have not restored
 * @nr: number of these registers
 * @first: description of the first of these registers, for the user
 */
struct difference {
	unsigned int nr;
	char first[160];
};

static void compare_register(struct bpmu_selftest *selftest, struct difference *found,
			     u32 cpu, const char *name, u64 before, u64 after)
{
	const struct bpmu_field fields[] = {
		{ "cpu", .form = BPMU_FIELD_WHOLE, .whole = cpu },
		{ "register", name, BPMU_FIELD_TEXT },
		{ "before", .form = BPMU_FIELD_HEX, .whole = before },
		{ "after", .form = BPMU_FIELD_HEX, .whole = after },
	};

	bpmu_selftest_raw(selftest, "restore", fields, ARRAY_SIZE(fields));
	if (before == after)
		return;
	if (!found->nr++)
		snprintf(found->first, sizeof(found->first),
			 "CPU %u's %s was 0x%llx and is 0x%llx", cpu, name,
			 before, after);
}

static unsigned int compare_cpu(struct bpmu_selftest *selftest,
				struct difference *found, u32 cpu,
				const struct bpmu_selftest_registers *before,
				const struct bpmu_selftest_registers *after)
{
	const struct saved_msrs *saved = &before->saved;
	char name[40];
	unsigned int i;

	for (i = 0; i < before->info.nr_selects; i++) {
		snprintf(name, sizeof(name), "event select %u", i);
		compare_register(selftest, found, cpu, name, before->info.select[i],
				 after->info.select[i]);
	}
	if (before->info.nr_selects)
		compare_register(selftest, found, cpu, "overflow bits",
				 before->info.status, after->info.status);
	if (saved->nr != after->saved.nr)
		return 0;
	for (i = 0; i < saved->nr; i++) {
		snprintf(name, sizeof(name), "MSR 0x%x", saved->msr[i]);
		compare_register(selftest, found, cpu, name, saved->value[i],
				 after->saved.value[i]);
	}
	return saved->nr;
}

/**
 * bpmu_selftest_restored() - self-test: check that this machine's registers were restored
 * @selftest: the self-test, whose registers bpmu_selftest_remember() has saved; its sessions have
 *	ended
 */
int bpmu_selftest_restored(struct bpmu_selftest *selftest,
			   struct bpmu_error *err)
{
	const struct bpmu_cpulist *cpus = &selftest->target.cpus;
	struct bpmu_selftest_registers *after;
	struct difference found = { };
	unsigned int i, msrs = 0, reported = 0;
	int code = 0;

	after = calloc(1, sizeof(*after));
	if (!after)
		return bpmu_error_no_memory(err, "selftest");
	for (i = 0; i < cpus->nr && !code; i++) {
		code = read_registers(selftest, cpus->cpu[i], after, err);
		if (code)
			break;
		reported += !!after->info.nr_selects;
		msrs += compare_cpu(selftest, &found, cpus->cpu[i],
				    &selftest->registers[i], after);
	}
	free(after);
	if (code)
		return code;
	if (found.nr)
		bpmu_selftest_say(selftest, "restore", BPMU_SELFTEST_FAIL,
				  "%u registers differ from before: %s",
				  found.nr, found.first);
	else if (msrs)
		bpmu_selftest_say(selftest, "restore", BPMU_SELFTEST_OK,
				  "%u registers have their old values, by /dev/cpu/*/msr",
				  msrs);
	else if (reported)
		bpmu_selftest_say(selftest, "restore", BPMU_SELFTEST_OK,
				  "event selects and overflow bits are as they were; \"modprobe msr\" lets more registers be compared");
	else
		bpmu_selftest_say(selftest, "restore", BPMU_SELFTEST_SKIP,
				  "the module does not report the registers; run as root");
	return 0;
}

/**
 * bpmu_selftest_forget() - free the registers of the machine that the self-test saved
 */
void bpmu_selftest_forget(struct bpmu_selftest *selftest)
{
	free(selftest->registers);
	selftest->registers = NULL;
}
