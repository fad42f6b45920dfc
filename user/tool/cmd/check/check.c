// SPDX-License-Identifier: GPL-2.0
#include "check.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cpulist.h"
#include "base/fields.h"
#include "base/sysfs.h"
#include "client/client.h"
#include "client/failure.h"
#include "client/holder.h"
#include "command.h"
#include "count/rival.h"
#include "event/affinity.h"
#include "event/event.h"
#include "event/topology.h"
#include "event/this_cpu.h"
#include "ibs.h"
#include "intel.h"
#include "options.h"
#include "trial/errata_trial.h"

/*
 * number of iterations of the loop whose events are counted, to find out if counters count
 * anything; the loop takes some ms
 */
#define LOOPS 100000

#define CAP_SYS_ADMIN_BIT 21
#define CAP_PERFMON_BIT 38

enum verdict { OK, WARN, FAIL };

/*
 * Prints the result @verdict of the check @what, and what was found: @format and its arguments.
 * @remedy says what the user can do about a problem; NULL if nothing.
 */
static void report_finding(struct bpmu_checkup *check, enum verdict verdict, const char *what,
			   const char *remedy, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

static void report_finding(struct bpmu_checkup *check, enum verdict verdict, const char *what,
			   const char *remedy, const char *format, ...)
{
	static const char *const names[] = { "ok", "warn", "FAIL" };
	static const struct bpmu_column columns[] = {
		{ "verdict", -5, .after = " " },
		{ "what", -12, .after = " " },
		{ "found" },
		{ "remedy", .before = "; " },
	};
	struct bpmu_table table = {
		.out = stdout, .format = check->json ? BPMU_JSON : BPMU_TEXT, .type = "check",
		.text = BPMU_COLUMNS(columns),
	};
	char found[512];
	const struct bpmu_field fields[] = {
		{ "what", what, BPMU_FIELD_TEXT },
		{ "verdict", names[verdict], BPMU_FIELD_TEXT },
		{ "found", found, BPMU_FIELD_TEXT },
		{ "remedy", remedy, BPMU_FIELD_TEXT },
	};
	va_list args;

	va_start(args, format);
	vsnprintf(found, sizeof(found), format, args);
	va_end(args);
	check->failed |= verdict == FAIL;
	bpmu_table_row(&table, fields, ARRAY_SIZE(fields));
}

/**
 * struct bpmu_hypervisor - a hypervisor, and how the user makes it give guests a PMU
 * @id: signature of the hypervisor in CPUID
 * @name: name of the hypervisor
 * @remedy: what the user must do, on the host or in the virtual machine's configuration, to give a
 *	guest a PMU
 */
struct bpmu_hypervisor {
	const char *id;
	const char *name;
	const char *remedy;
};

#define OF_KVM "start the machine with -cpu host,pmu=on, or with libvirt: virsh edit NAME, <pmu state='on'/> in <features>"

/*
 * Known hypervisors, with remedies from their manuals. The last element, without a signature,
 * stands for all others.
 */
static const struct bpmu_hypervisor hypervisors[] = {
	{ "KVMKVMKVM", "KVM", OF_KVM },
	{ "Linux KVM Hv", "KVM", OF_KVM },
	{ "TCGTCGTCGTCG", "QEMU without KVM", "start the machine with -accel kvm -cpu host,pmu=on" },
	{ "VMwareVMware", "VMware", "write vpmc.enable = \"TRUE\" into the machine's .vmx file" },
	{ "Microsoft Hv", "Hyper-V", "on the host: Set-VMProcessor NAME -Perfmon @(\"pmu\")" },
	{ "XenVMMXenVMM", "Xen", "boot Xen with vpmu=on" },
	{ NULL, "an unknown hypervisor", "let the hypervisor pass the PMU through" },
};

static const struct bpmu_hypervisor *hypervisor_of(const struct bpmu_this_cpu *cpu)
{
	const struct bpmu_hypervisor *found = hypervisors;

	if (!cpu->hypervisor)
		return NULL;
	while (found->id && strcmp(found->id, cpu->hypervisor_id))
		found++;
	return found;
}

/* Returns what the user of a virtual machine can do on the host if counters do not work. */
static const char *remedy_of_hypervisor(const struct bpmu_checkup *check)
{
	return check->hypervisor ? check->hypervisor->remedy :
	       "run 'barepmu selftest', and report what it prints";
}

/*
 * Reports that CPUID enumerates no usable counters: a hypervisor hides them, or the CPU is too old.
 */
static void report_unusable(struct bpmu_checkup *check, const struct bpmu_this_cpu *cpu)
{
	const char *remedy = check->hypervisor ? check->hypervisor->remedy :
			     "this CPU cannot be measured; use 'perf stat'";

	if (cpu->part->cpuid_leaf == BPMU_CPUID_PERFMON_V2)
		report_finding(check, FAIL, "CPU", remedy,
			       "%s: CPUID leaf 0x80000001 does not report its six counters",
			       cpu->part->title);
	else
		report_finding(check, FAIL, "CPU", remedy,
			       "%s: CPUID leaf 0xA reports version %u with %u general counters",
			       cpu->part->title, cpu->pmu.version, cpu->pmu.gp_counters);
}

static void check_core_type(void *data, const struct bpmu_this_cpu *cpu)
{
	struct bpmu_checkup *check = data;

	check->hypervisor = hypervisor_of(cpu);
	if (!cpu->part)
		report_finding(check, FAIL, "CPU",
			       "use 'perf stat'; 'barepmu list parts' lists those that are",
			       "%s family %u model %u is not supported", cpu->vendor,
			       cpu->id.family, cpu->id.model);
	else if (!cpu->usable)
		report_unusable(check, cpu);
	else if (!cpu->part->ids->family)
		report_finding(check, WARN, "CPU",
			       "for its events: git clone https://github.com/intel/perfmon, then add --events perfmon to each command",
			       "family %u model %u is not known: raw codes and architectural events count",
			       cpu->id.family, cpu->id.model);
	else
		report_finding(check, OK, "CPU", NULL, "%s", cpu->part->title);
	check->part = check->part ?: cpu->part;
}

static void check_cpu(struct bpmu_checkup *check)
{
	char online[64], remedy[128];
	struct bpmu_error err;

	if (bpmu_this_cpu_core_types(check_core_type, check, &err)) {
		bpmu_sysfs_read("/sys/devices/system/cpu/online", online, sizeof(online));
		snprintf(remedy, sizeof(remedy), "let this shell run on any CPU: taskset -pc %s $$",
			 online);
		report_finding(check, FAIL, "CPU", remedy, "%s", err.text);
	}
	if (check->hypervisor)
		report_finding(check, WARN, "hypervisor",
			       "counts are its virtual CPU's; compare with a known workload",
			       "this is a virtual machine of %s", check->hypervisor->name);
	else
		report_finding(check, OK, "hypervisor", NULL, "none");
}

/**
 * bpmu_check_as_root() - prefix of a command that "barepmu check" advises to execute as root
 *
 * Return: "sudo ", or "" for root.
 */
const char *bpmu_check_as_root(void)
{
	return geteuid() ? "sudo " : "";
}

/**
 * bpmu_check_echo() - format a remedy of "barepmu check": a command that writes a value to a file
 * @command: output: the command, cut to @size
 * @size: size of @command in bytes
 * @value: the value
 * @file: name of the file, which only root may write: for other users the command has sudo
 */
void bpmu_check_echo(char *command, size_t size, const char *value, const char *file)
{
	snprintf(command, size, "echo %s %s %s", value, geteuid() ? "| sudo tee" : ">", file);
}

static void report_powerless(struct bpmu_checkup *check)
{
	char tool[PATH_MAX] = "barepmu", remedy[PATH_MAX + 80];

	if (readlink("/proc/self/exe", tool, sizeof(tool) - 1) < 0)
		strcpy(tool, "barepmu");
	snprintf(remedy, sizeof(remedy),
		 "run it with sudo, or let it count for everyone: %ssetcap cap_perfmon=ep %s",
		 bpmu_check_as_root(), tool);
	report_finding(check, FAIL, "permission", remedy, "no CAP_PERFMON");
}

static void check_capability(struct bpmu_checkup *check)
{
	unsigned long long effective = 0;
	FILE *file = fopen("/proc/self/status", "re");
	char line[256];

	while (file && fgets(line, sizeof(line), file))
		if (!strncmp(line, "CapEff:", 7))
			effective = strtoull(line + 7, NULL, 16);
	if (file)
		fclose(file);
	if (effective >> CAP_PERFMON_BIT & 1)
		report_finding(check, OK, "permission", NULL, "CAP_PERFMON");
	else if (effective >> CAP_SYS_ADMIN_BIT & 1)
		report_finding(check, OK, "permission", NULL, "CAP_SYS_ADMIN");
	else
		report_powerless(check);
}

static void check_session(struct bpmu_checkup *check, const struct bpmu_info *info)
{
	char remedy[64];

	snprintf(remedy, sizeof(remedy), "wait for it, or stop it: %skill %u", bpmu_check_as_root(),
		 info->owner_pid);
	if (info->owner_pid)
		report_finding(check, FAIL, "session", remedy,
			       "taken by %s, process %u", info->owner_comm,
			       info->owner_pid);
	else if (info->state != BPMU_STATE_IDLE)
		report_finding(check, FAIL, "session",
			       "as root, find who has a socket of generic netlink open: ss -f netlink -p",
			       "taken by a process that is hidden or has ended");
	else
		report_finding(check, OK, "session", NULL, "free");
}

/*
 * Reports counters of online CPUs that are enabled although neither the module nor perf uses them:
 * an unknown agent has enabled them.
 */
static void check_foreign(struct bpmu_checkup *check, struct bpmu_client *client)
{
	struct bpmu_cpulist online = { }, found = { };
	struct bpmu_error err;
	char counters[512], remedy[160];
	char *cpus;
	u64 set = 0;
	int code;

	code = bpmu_cpulist_online(&online, &err);
	if (!code)
		code = bpmu_client_foreign(client, &online, &found, &set, &err);
	cpus = bpmu_cpulist_format(&found);
	bpmu_counters_text(set, counters, sizeof(counters));
	snprintf(remedy, sizeof(remedy),
		 "see who writes MSRs: %sfuser -v /dev/cpu/*/msr; if nobody does, count all the same: %sbarepmu stat --take-over",
		 bpmu_check_as_root(), bpmu_check_as_root());
	if (code)
		report_finding(check, WARN, "enabled", NULL, "%s", err.text);
	else if (set)
		report_finding(check, FAIL, "enabled", remedy,
			       "CPU %s: counters enabled by an unknown agent, such as firmware or a previous kernel: %s",
			       cpus ?: "?", counters);
	else
		report_finding(check, OK, "enabled", NULL,
			       "only counters with a known owner");
	free(cpus);
	bpmu_cpulist_free(&online);
	bpmu_cpulist_free(&found);
}

static void check_isolated(struct bpmu_checkup *check, struct bpmu_client *client)
{
	struct bpmu_cpulist isolated;
	struct bpmu_error err;
	char *cpus;

	if (bpmu_client_isolated(client, &isolated, &err)) {
		report_finding(check, WARN, "isolated", NULL, "%s", err.text);
	} else if (isolated.nr) {
		cpus = bpmu_cpulist_format(&isolated);
		report_finding(check, WARN, "isolated", "name them with -C to measure them",
			       "CPU %s: left out, as they get no timers and interrupts",
			       cpus ?: "?");
		free(cpus);
	} else {
		report_finding(check, OK, "isolated", NULL, "no CPUs");
	}
	bpmu_cpulist_free(&isolated);
}

static void check_failures(struct bpmu_checkup *check, struct bpmu_client *client)
{
	char words[BPMU_FAILURE_WORDS];
	struct bpmu_failures failures;
	struct bpmu_error err;
	char remedy[96];
	unsigned int i;

	snprintf(remedy, sizeof(remedy), "see why: %sdmesg | grep barepmu; then begin the session again",
		 bpmu_check_as_root());

	if (bpmu_client_failures(client, &failures, &err))
		report_finding(check, WARN, "failures", NULL, "%s", err.text);
	for (i = 0; i < failures.nr; i++)
		report_finding(check, WARN, "failures",
			       remedy, "CPU %u: %s: %s", failures.failure[i].cpu,
			       bpmu_failure_words(failures.failure[i].what, words),
			       strerror(failures.failure[i].error));
	free(failures.failure);
}

static void check_absent(struct bpmu_checkup *check, const struct bpmu_info *info)
{
	char names[256] = "";
	size_t length = 0;
	char remedy[256];
	unsigned int i;

	snprintf(remedy, sizeof(remedy), "count others%s%s", check->hypervisor ? ", or " : "",
		 check->hypervisor ? check->hypervisor->remedy : "");
	for (i = 0; bpmu_arch_event_name(i); i++)
		if (info->pmu.absent >> i & 1)
			length += snprintf(names + length, sizeof(names) - length, "%s%s",
					   length ? ", " : "", bpmu_arch_event_name(i));
	check->partial |= length;
	if (length)
		report_finding(check, WARN, "events", remedy,
			       "CPUID reports as absent on general counters: %s", names);
	else
		report_finding(check, OK, "events", NULL, "CPUID reports none as absent");
}

/*
 * Prints the result of the check @line if a CPU has @obstacle: the numbers of such CPUs, and @what,
 * a sentence that says which options the module refuses on them. If no CPU has the obstacle, prints
 * nothing and returns false. Returns true if a CPU has the obstacle, or if this is unknown.
 */
static bool check_obstacle(struct bpmu_checkup *check, struct bpmu_client *client,
			   const char *line, u32 obstacle, const char *remedy, const char *what)
{
	struct bpmu_cpulist online = { }, found = { };
	struct bpmu_error err;
	bool any = true;
	char *cpus;
	int code;

	code = bpmu_cpulist_online(&online, &err);
	if (!code)
		code = bpmu_client_obstacles(client, &online, obstacle, &found, &err);
	cpus = bpmu_cpulist_format(&found);
	if (code)
		report_finding(check, WARN, line, NULL, "%s", err.text);
	else if (found.nr)
		report_finding(check, WARN, line, remedy, "CPU %s: %s", cpus ?: "?", what);
	else
		any = false;
	free(cpus);
	bpmu_cpulist_free(&online);
	bpmu_cpulist_free(&found);
	return any;
}

/*
 * Reports whether IBS, AMD's instruction-based sampling, can sample ops and fetches, if the CPU has
 * it. Returns the set of BPMU_IBS_OPS and BPMU_IBS_FETCHES of what it can sample.
 */
static u32 check_ibs(struct bpmu_checkup *check, struct bpmu_client *client,
		     const struct bpmu_info *info)
{
	u32 can = info->pmu.ibs & (BPMU_IBS_OPS | BPMU_IBS_FETCHES);

	check->ibs = info->pmu.ibs;
	if (!check->ibs)
		return 0;
	if (check_obstacle(check, client, "sampling", BPMU_OBSTACLE_IBS,
			   "stop perf's event ibs_op, such as perf record -e ibs_op// or cycles:pp",
			   "another agent samples ops (IBS): record -e ibs_op and cycles:pp are refused"))
		can &= ~BPMU_IBS_OPS;
	if (can & BPMU_IBS_FETCHES &&
	    check_obstacle(check, client, "sampling", BPMU_OBSTACLE_IBS_FETCH,
			   "stop perf's event ibs_fetch, such as perf record -e ibs_fetch//",
			   "another agent samples fetches (IBS): record -e ibs_fetch is refused"))
		can &= ~BPMU_IBS_FETCHES;
	if (check_obstacle(check, client, "sampling", BPMU_OBSTACLE_IBS_LVT,
			   "see dmesg for IBS and LVT: firmware assigns the entry",
			   "the APIC does not deliver the interrupts of IBS: record -e ibs_op, ibs_fetch and cycles:pp are refused"))
		can = 0;
	return can;
}

/*
 * Writes to @text whether precise events can interrupt, which PEBS the CPU has, and why it is not
 * used. @ibs: what IBS can sample, from check_ibs(). Returns @text.
 */
static const char *precise_ones(const struct bpmu_info *info, u32 ibs, char *text, size_t size)
{
	const char *counts = bpmu_info_has_counts(info) ? ", with the counts of all events" : "";
	unsigned int format = info->pmu.pebs_format - 1;

	if (bpmu_pmu_has_store(&info->pmu))
		snprintf(text, size, ", precise ones too (PEBS of format %u%s)", format,
			 bpmu_pmu_pebs_names(&info->pmu) ? counts :
			 ", which names the next instruction");
	else if (info->pmu.pebs)
		snprintf(text, size, ", precise ones too (architectural PEBS%s)", counts);
	else if (ibs & BPMU_IBS_OPS)
		snprintf(text, size,
			 ", precise ones of cycles and uops too (IBS), and ops%s with what they did (record -e ibs_op -c%s)",
			 ibs & BPMU_IBS_FETCHES ? " and fetches" : "",
			 ibs & BPMU_IBS_FETCHES ? ", -e ibs_fetch -c" : "");
	else if (ibs)
		snprintf(text, size, ", and fetches by IBS (record -e ibs_fetch -c)");
	else if (info->pmu.ibs)
		*text = '\0';
	else if (info->pmu.pebs_format == BPMU_PEBS_ARCHITECTURAL)
		snprintf(text, size,
			 "; precise ones cannot: CPUID names no counter for architectural PEBS (leaf 0x23)");
	else if (info->pmu.pebs_format && format == BPMU_DS_FIRST)
		snprintf(text, size,
			 "; precise ones cannot: PEBS has errata with this CPU's microcode, which has to be updated");
	else if (info->pmu.pebs_format)
		snprintf(text, size,
			 "; precise ones cannot: PEBS of format %u is one that the module does not read",
			 format);
	else
		snprintf(text, size, "; precise ones cannot: %s",
			 info->pmu.part->ids->vendor == BPMU_VENDOR_AMD ?
			 "no IBS that can sample ops" : "no architectural PEBS");
	return text;
}

/*
 * Reports whether overflows of events can interrupt, and whether there are precise events, whose
 * interrupts name the instruction exactly.
 */
static void check_sampling(struct bpmu_checkup *check, struct bpmu_client *client,
			   const struct bpmu_info *info)
{
	u32 ibs = check_ibs(check, client, info);
	char remedy[96], precise[256];
	bool any;

	snprintf(remedy, sizeof(remedy), "see who writes MSRs: %sfuser -v /dev/cpu/*/msr",
		 bpmu_check_as_root());
	any = check_obstacle(check, client, "sampling", BPMU_OBSTACLE_LVTPC, remedy,
			     "another agent has set the overflow interrupt (LVTPC): record -c and -F are refused");
	any |= check_obstacle(check, client, "sampling", BPMU_OBSTACLE_TRACE,
			      "stop perf's event intel_pt",
			      "Intel PT traces, and its interrupts stop all counters: record -c and -F are refused");
	check->store = bpmu_pmu_has_store(&info->pmu);
	if (check->store)
		any |= check_obstacle(check, client, "sampling", BPMU_OBSTACLE_STORE,
				      "end perf's events of intel_bts, or see who writes MSRs",
				      "another agent writes into a debug store (PEBS or BTS): precise events are refused");
	if (!any)
		report_finding(check, OK, "sampling", NULL, "events can interrupt (record -c, -F)%s",
			       precise_ones(info, ibs, precise, sizeof(precise)));
}

/* Reports whether the CPU can record its last branches (LBR) at interrupts of events. */
static void check_branches(struct bpmu_checkup *check, struct bpmu_client *client,
			   const struct bpmu_info *info)
{
	if (!info->pmu.lbr.depth)
		report_finding(check, OK, "branches", NULL,
			       "no records of branches (LBR) that the module can read: record -b is refused");
	else if (!check_obstacle(check, client, "branches", BPMU_OBSTACLE_BRANCHES,
				 "end perf's events with branch records (perf record -b)",
				 "another agent records branches (LBR): record -b is refused"))
		report_finding(check, OK, "branches", NULL,
			       "an interrupt can record the last %u (record -b)",
			       info->pmu.lbr.depth);
}

/*
 * Adds the event @name to a trial, which is a loop whose events are counted. The event gets a
 * counter that is not in the bit set @used; the counter is then added to @used. Returns 0 or a
 * negative errno.
 */
static int add_to_trial(struct bpmu_trial *trial, const char *name, u64 *used,
			struct bpmu_error *err)
{
	struct bpmu_event_spec spec;
	u32 counter;
	u64 free;
	int code;

	code = bpmu_event_parse(&trial->info->pmu, bpmu_topology_smt(), name, &spec, err);
	if (code)
		return code;
	free = spec.term[0].counters & ~*used;
	if (!free)
		code = bpmu_error_set(err, -ENODEV, "%s: no counter is left", name);
	counter = free ? __builtin_ctzll(free) : 0;
	*used |= BPMU_BIT(counter);
	if (!code)
		bpmu_trial_count(trial, name, spec.term[0].select, counter, counter);
	bpmu_event_free(&spec);
	return code;
}

/*
 * Counts the cycles and the instructions of a loop on the CPU that runs this function. Stores the
 * cycles in @counts[0] and the instructions in @counts[1]. Returns 0 or a negative errno.
 */
static int count_loop(struct bpmu_client *client, struct bpmu_info *info, u64 counts[2],
		      struct bpmu_error *err)
{
	struct bpmu_trial trial = { .client = client, .info = info, .cpu = sched_getcpu() };
	struct bpmu_trial_counts counted = { };
	u64 used = 0;
	int code;

	code = bpmu_client_pmu_of(client, trial.cpu, info, err);
	bpmu_trial_clear(&trial);
	if (!code)
		code = add_to_trial(&trial, "cycles", &used, err);
	if (!code)
		code = add_to_trial(&trial, "instructions", &used, err);
	if (!code)
		code = bpmu_trial_pin(trial.cpu, err);
	if (!code)
		code = bpmu_trial_begin(&trial, err);
	if (code)
		return code;
	code = bpmu_trial_run(&trial, &bpmu_bench_alu, LOOPS, false, &counted, err);
	/*
	 * Other processes have disturbed the counts (-EAGAIN). That does not matter, because the
	 * caller only looks for counts of 0.
	 */
	if (code == -EAGAIN)
		code = 0;
	if (!code)
		code = bpmu_trial_end(&trial, err);
	counts[0] = counted.own[0];
	counts[1] = counted.own[1];
	return code;
}

/*
 * Reports whether counters count anything: under some hypervisors their registers can be written,
 * but nothing is counted.
 */
static void check_counting(struct bpmu_checkup *check, struct bpmu_client *client,
			   struct bpmu_info *info)
{
	struct bpmu_error err;
	struct bpmu_affinity allowed;
	bool kept = !bpmu_affinity_get(0, &allowed);
	u64 counts[2] = { 0 };
	char remedy[256];

	snprintf(remedy, sizeof(remedy), "count no cycles, or %s", remedy_of_hypervisor(check));
	if (count_loop(client, info, counts, &err))
		report_finding(check, FAIL, "counting", NULL, "%s", err.text);
	else if (!counts[1])
		report_finding(check, FAIL, "counting", remedy_of_hypervisor(check),
			       "instructions of a loop stay 0: the counters do not count");
	else if (!counts[0])
		report_finding(check, WARN, "counting", remedy,
			       "cycles of a loop stay 0; instructions count");
	else
		report_finding(check, OK, "counting", NULL,
			       "cycles and instructions of a loop");
	check->partial |= !check->failed && !counts[0];
	if (kept)
		bpmu_affinity_set(0, &allowed);
}

static void check_module(struct bpmu_checkup *check, bool *busy)
{
	struct bpmu_client *client;
	struct bpmu_error err;
	struct bpmu_info info;
	int code;

	*busy = false;
	code = bpmu_client_open(&client, &err);
	check->unloaded = code == -ENOENT;
	if (code) {
		report_finding(check, FAIL, "module", NULL, "%s", err.text);
		return;
	}
	if (bpmu_client_info(client, &info, &err)) {
		report_finding(check, FAIL, "module", NULL, "%s", err.text);
	} else {
		report_finding(check, OK, "module", NULL, "version %s, %s",
			       info.module_version, info.title);
		check_session(check, &info);
		*busy = info.busy;
		/*
		 * If @info.busy is set, perf uses counters. check_holders() reports this. The
		 * enabled counters are then perf's, and no unknown agent's.
		 */
		if (!info.busy)
			check_foreign(check, client);
		check_isolated(check, client);
		check_failures(check, client);
		check_absent(check, &info);
		check_sampling(check, client, &info);
		check_branches(check, client, &info);
		if (!check->failed && !info.busy)
			check_counting(check, client, &info);
	}
	bpmu_client_close(client);
}

static void check_holders(struct bpmu_checkup *check, bool busy)
{
	enum verdict verdict = busy ? FAIL : WARN;
	struct bpmu_holders holders;
	char remedy[128];
	unsigned int i;

	bpmu_holders_find(&holders);
	bpmu_check_echo(remedy, sizeof(remedy), "0", "/proc/sys/kernel/nmi_watchdog");
	check->watchdog = holders.watchdog;
	if (holders.watchdog)
		report_finding(check, verdict, "NMI watchdog", remedy,
			       "on, it holds a counter on each CPU");
	else
		report_finding(check, OK, "NMI watchdog", NULL, "off");
	for (i = 0; i < holders.nr; i++) {
		snprintf(remedy, sizeof(remedy), "stop it: %skill %d", bpmu_check_as_root(),
			 holders.process[i].pid);
		report_finding(check, verdict, "perf", remedy,
			       "%s, process %d, has perf events",
			       holders.process[i].comm, holders.process[i].pid);
	}
	snprintf(remedy, sizeof(remedy),
		 "BPF programs and guests of KVM use perf in the kernel: %sbpftool perf show; pgrep -a qemu",
		 bpmu_check_as_root());
	if (busy && !holders.watchdog && !holders.nr)
		report_finding(check, FAIL, "counters", remedy, "held by someone unknown");
	else if (!busy)
		report_finding(check, OK, "counters", NULL, "not held by perf");
}

/*
 * Returns true if the module refuses to use an uncore box while perf's driver for the box is
 * loaded. It refuses two kinds of boxes:
 *
 * - boxes of client CPUs, because the driver starts their counters when it is loaded. Boxes of
 *   Nehalem are not refused: the driver starts their counters only while perf counts.
 * - boxes in PCI devices, because the driver is bound to the device. If the CPU model has discovery
 *   tables, the boxes are not refused: the driver is not bound to devices.
 */
static bool is_refused(const struct bpmu_part *part, const struct bpmu_box *box)
{
	if (bpmu_unit_facts[box->unit].bank == BPMU_BANK_UNCORE)
		return !bpmu_uncore_box(part, BPMU_UNIT_GQ);
	return box->devices && !part->uncore->discovery;
}

/*
 * Reports which PMUs perf has for uncore boxes. The kernel can reserve core counters for the
 * module, but not the counters of a box. So perf may use the counters of a box at any time, unless
 * the box is in a PCI device: a device has only one driver.
 */
static void check_boxes(struct bpmu_checkup *check)
{
	const struct bpmu_uncore *uncore = check->part ? check->part->uncore : NULL;
	const struct bpmu_box *box = uncore ? uncore->boxes : NULL;
	const char *lack = check->part ? check->part->no_uncore : NULL;
	char pmus[BPMU_RIVAL_TEXT];
	bool any = !!lack;

	if (lack)
		report_finding(check, WARN, "boxes", "'barepmu list events' has what is counted",
			       "%s: %s", uncore ? "not all are counted" : "none are counted", lack);
	for (; box && box->unit; box++) {
		bpmu_rivals_present(box->unit, pmus);
		if (!*pmus)
			continue;
		any = true;
		if (is_refused(check->part, box))
			report_finding(check, WARN, "boxes", "modprobe -r intel_uncore",
				       "%s: refused while perf's driver (%s) is loaded",
				       box->title ?: box->name, pmus);
		else
			report_finding(check, WARN, "boxes",
				       "do not count with both; samples are flagged as disturbed then",
				       "%s: perf (%s) can take counters from a session, the kernel has no exclusion",
				       box->title ?: box->name, pmus);
	}
	if (!any)
		report_finding(check, OK, "boxes", NULL, "perf has no PMU of them");
}

/*
 * Reports KVM guests whose ops IBS samples beside those of the host: it has no filter for guests,
 * and the module is not told that an NMI has interrupted one.
 */
static void report_sampled_guests(struct bpmu_checkup *check, const struct bpmu_guests *guests)
{
	char remedy[128];
	unsigned int i;

	for (i = 0; check->ibs && i < guests->nr; i++) {
		snprintf(remedy, sizeof(remedy),
			 "sample CPUs where it does not run (-C), or stop it: %skill %d",
			 bpmu_check_as_root(), guests->process[i].pid);
		report_finding(check, WARN, "KVM", remedy,
			       "%s, process %d, runs a guest: IBS samples the guest too, as this process, at the guest's addresses",
			       guests->process[i].comm, guests->process[i].pid);
	}
}

/*
 * Reports KVM guests into whose memory a CPU could write precise records by the addresses of a debug
 * store, so that such events are refused.
 */
static void report_endangered_guests(struct bpmu_checkup *check, const struct bpmu_guests *guests)
{
	char remedy[128];
	unsigned int i;

	for (i = 0; check->store && i < guests->nr; i++) {
		snprintf(remedy, sizeof(remedy), "stop the guest: %skill %d",
			 bpmu_check_as_root(), guests->process[i].pid);
		report_finding(check, WARN, "KVM", remedy,
			       "%s, process %d, runs a guest, into whose memory the CPU could write precise records (PEBS): precise events are refused",
			       guests->process[i].comm, guests->process[i].pid);
	}
}

/*
 * Reports KVM guests that may use this machine's counters directly. KVM gives a guest these
 * counters without reserving them in the kernel.
 */
static void check_guests(struct bpmu_checkup *check)
{
	struct bpmu_guests guests;
	char remedy[256];
	unsigned int i;

	bpmu_guests_find(&guests);
	report_sampled_guests(check, &guests);
	report_endangered_guests(check, &guests);
	if (!guests.module) {
		report_finding(check, OK, "KVM", NULL, "gives no guest the whole PMU");
		return;
	}
	for (i = 0; i < guests.nr; i++) {
		snprintf(remedy, sizeof(remedy),
			 "start the guest with -cpu host,pmu=off, or stop it: %skill %d",
			 bpmu_check_as_root(), guests.process[i].pid);
		report_finding(check, FAIL, "KVM", remedy,
			       "%s, process %d, runs a guest that may have the whole PMU (%s enable_mediated_pmu)",
			       guests.process[i].comm, guests.process[i].pid, guests.module);
	}
	snprintf(remedy, sizeof(remedy),
		 "samples are flagged as disturbed then; or forbid it: %smodprobe -r %s && %smodprobe %s enable_mediated_pmu=0",
		 bpmu_check_as_root(), guests.module, bpmu_check_as_root(), guests.module);
	if (!guests.nr)
		report_finding(check, WARN, "KVM", remedy,
			       "a guest that starts later may take the whole PMU (%s enable_mediated_pmu)",
			       guests.module);
}

static void check_lockdown(struct bpmu_checkup *check)
{
	char text[256];

	if (!bpmu_sysfs_read("/sys/kernel/security/lockdown", text,
			     sizeof(text)) ||
	    strstr(text, "[none]"))
		report_finding(check, OK, "lockdown", NULL, "none");
	else
		report_finding(check, WARN, "lockdown",
			       "sign the module, or switch Secure Boot off",
			       "%s: unsigned modules are refused", text);
}

static void check_offline(struct bpmu_checkup *check)
{
	char text[256];

	if (bpmu_sysfs_read("/sys/devices/system/cpu/offline", text,
			    sizeof(text)) && text[0])
		report_finding(check, WARN, "offline CPUs",
			       "what runs there later is not counted",
			       "%s", text);
	else
		report_finding(check, OK, "offline CPUs", NULL, "none");
}

/**
 * bpmu_check_all() - check all that may keep this machine's counters from being used, and print it
 * @check: input are @json and @hint; the other members are output
 *
 * Return: exit status.
 */
int bpmu_check_all(struct bpmu_checkup *check)
{
	const char *verdict = "You can measure here.";
	bool busy;

	check_cpu(check);
	check_capability(check);
	check_lockdown(check);
	check_module(check, &busy);
	check_holders(check, busy);
	check_boxes(check);
	check_guests(check);
	check_offline(check);
	if (check->failed)
		verdict = "Cannot measure yet: fix the FAIL lines above.";
	else if (check->partial)
		verdict = "Not all events count here: see the lines \"events\" and \"counting\" above.";
	if (!check->json)
		printf("\n%s%s\n", verdict,
		       check->failed && check->hint ? check->hint : "");
	return check->failed ? BPMU_EXIT_FAILED : BPMU_EXIT_OK;
}
