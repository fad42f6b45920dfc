// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of "barepmu check", which says whether this machine can be measured: it names each obstacle
 * and its remedy. The test fakes machines, and compares all that the command prints.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cpulist.h"
#include "base/sysfs.h"
#include "client/client.h"
#include "client/holder.h"
#include "cmd/check/check.h"
#include "count/rival.h"
#include "event/this_cpu.h"
#include "trial/errata_trial.h"
#include "unit.h"

/**
 * struct machine - a machine that the test fakes
 * @part: CPU model of the first core type; NULL for an unknown CPU
 * @other: CPU model of the second core type; NULL if the machine is not hybrid
 * @unusable: CPUID reports no usable counters
 * @alone: the process may run on some CPUs only
 * @hypervisor: the hypervisor's signature in CPUID; NULL if there is none
 * @user: effective user of the process, 0 for root
 * @status: contents of /proc/self/status
 * @lockdown: contents of the kernel's file about lockdown; NULL if there is no file
 * @offline: contents of the file that lists offline CPUs; NULL if there is no file
 * @open: error when the client connects to the module; 0 for none
 * @info_code: error of the first request for the module's state; 0 for none
 * @lists: error of the requests that list failures or CPUs; 0 for none
 * @info: state that the module reports
 * @foreign: mask of the counters on CPU 2 that neither barepmu nor perf has enabled
 * @obstacles: what keeps counters of CPU 1 from interrupting
 * @isolated: CPU 3 is isolated
 * @failures: number of failures that the session lists
 * @trial: error of the trial (the check counts a short loop); 0 for none
 * @cycles: cycles that the trial counts
 * @instructions: instructions that the trial counts
 * @holders: processes that hold perf events
 * @guests: KVM guests
 * @rivals: perf's drivers of the counters are loaded
 */
static struct machine {
	const char *part, *other;
	bool unusable, alone;
	const char *hypervisor;
	uid_t user;
	const char *status, *lockdown, *offline;
	int open, info_code, lists;
	struct bpmu_info info;
	u64 foreign;
	u32 obstacles;
	bool isolated;
	unsigned int failures;
	int trial;
	u64 cycles, instructions;
	struct bpmu_holders holders;
	struct bpmu_guests guests;
	bool rivals;
} machine;

static unsigned int nr_open;
static bool running;

FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);
int __wrap_bpmu_this_cpu_core_types(void (*found)(void *data, const struct bpmu_this_cpu *cpu),
				    void *data, struct bpmu_error *err);
bool __wrap_bpmu_sysfs_read(const char *name, char *text, size_t size);
int __wrap_bpmu_client_open(struct bpmu_client **client, struct bpmu_error *err);
void __wrap_bpmu_client_close(struct bpmu_client *client);
int __wrap_bpmu_client_info(struct bpmu_client *client, struct bpmu_info *info,
			    struct bpmu_error *err);
int __wrap_bpmu_client_pmu_of(struct bpmu_client *client, u32 cpu, struct bpmu_info *info,
			      struct bpmu_error *err);
int __wrap_bpmu_client_foreign(struct bpmu_client *client, const struct bpmu_cpulist *cpus,
			       struct bpmu_cpulist *found, u64 *counters, struct bpmu_error *err);
int __wrap_bpmu_client_obstacles(struct bpmu_client *client, const struct bpmu_cpulist *cpus,
				 u32 obstacle, struct bpmu_cpulist *found, struct bpmu_error *err);
int __wrap_bpmu_client_isolated(struct bpmu_client *client, struct bpmu_cpulist *cpus,
				struct bpmu_error *err);
int __wrap_bpmu_client_failures(struct bpmu_client *client, struct bpmu_failures *failures,
				struct bpmu_error *err);
int __wrap_bpmu_trial_pin(u32 cpu, struct bpmu_error *err);
int __wrap_bpmu_trial_begin(struct bpmu_trial *trial, struct bpmu_error *err);
int __wrap_bpmu_trial_run(struct bpmu_trial *trial, const struct bpmu_bench *bench, u64 rounds,
			  bool quiet, struct bpmu_trial_counts *counts, struct bpmu_error *err);
int __wrap_bpmu_trial_end(struct bpmu_trial *trial, struct bpmu_error *err);
void __wrap_bpmu_holders_find(struct bpmu_holders *holders);
void __wrap_bpmu_guests_find(struct bpmu_guests *guests);
void __wrap_bpmu_rivals_present(u32 unit, char text[BPMU_RIVAL_TEXT]);

uid_t __wrap_geteuid(void);
ssize_t __real_readlink(const char *path, char *to, size_t size);
ssize_t __wrap_readlink(const char *path, char *to, size_t size);

uid_t __wrap_geteuid(void)
{
	return machine.user;
}

/* Fakes the link /proc/self/exe: the path of the tool, which the remedies name. */
ssize_t __wrap_readlink(const char *path, char *to, size_t size)
{
	static const char tool[] = "/usr/bin/barepmu";

	if (strcmp(path, "/proc/self/exe"))
		return __real_readlink(path, to, size);
	assert_true(size >= sizeof(tool));
	memcpy(to, tool, sizeof(tool) - 1);
	return sizeof(tool) - 1;
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
	FILE *file;

	if (strcmp(path, "/proc/self/status"))
		return __real_fopen(path, mode);
	file = tmpfile();
	assert_non_null(file);
	fputs(machine.status, file);
	rewind(file);
	return file;
}

int __wrap_bpmu_this_cpu_core_types(void (*found)(void *data, const struct bpmu_this_cpu *cpu),
				    void *data, struct bpmu_error *err)
{
	struct bpmu_this_cpu cpu = {
		.vendor = "GenuineFake", .id = { .family = 6, .model = 0x99 },
		.hypervisor = machine.hypervisor,
		.usable = !machine.unusable,
	};

	if (machine.hypervisor)
		strcpy(cpu.hypervisor_id, machine.hypervisor);
	cpu.part = machine.part ? bpmu_part_by_name(machine.part) : NULL;
	found(data, &cpu);
	if (machine.other) {
		cpu.part = bpmu_part_by_name(machine.other);
		found(data, &cpu);
	}
	return machine.alone ? bpmu_error_set(err, -EPERM, "core types: some are not allowed") : 0;
}

bool __wrap_bpmu_sysfs_read(const char *name, char *text, size_t size)
{
	const char *found = strstr(name, "lockdown") ? machine.lockdown :
			    strstr(name, "cpu/offline") ? machine.offline :
			    strstr(name, "cpu/online") ? "0-3" : NULL;

	snprintf(text, size, "%s", found ?: "");
	return found;
}

int __wrap_bpmu_client_open(struct bpmu_client **client, struct bpmu_error *err)
{
	*client = (struct bpmu_client *)&machine;
	nr_open += !machine.open;
	return machine.open ? bpmu_error_set(err, machine.open, "module: not there") : 0;
}

void __wrap_bpmu_client_close(struct bpmu_client *client)
{
	assert_ptr_equal(client, &machine);
	nr_open--;
	running = false;
}

int __wrap_bpmu_client_info(struct bpmu_client *client, struct bpmu_info *info,
			    struct bpmu_error *err)
{
	(void)client;
	*info = machine.info;
	return machine.info_code ? bpmu_error_set(err, machine.info_code, "module: silent") : 0;
}

int __wrap_bpmu_client_pmu_of(struct bpmu_client *client, u32 cpu, struct bpmu_info *info,
			      struct bpmu_error *err)
{
	(void)cpu;
	return __wrap_bpmu_client_info(client, info, err);
}

static void one_cpu(struct bpmu_cpulist *cpus, bool there, u32 cpu)
{
	*cpus = (struct bpmu_cpulist){ calloc(1, sizeof(u32)), there };
	assert_non_null(cpus->cpu);
	cpus->cpu[0] = cpu;
}

static int listed(struct bpmu_error *err)
{
	return machine.lists ? bpmu_error_set(err, machine.lists, "module: no list") : 0;
}

int __wrap_bpmu_client_foreign(struct bpmu_client *client, const struct bpmu_cpulist *cpus,
			       struct bpmu_cpulist *found, u64 *counters, struct bpmu_error *err)
{
	(void)client;
	assert_true(cpus->nr);
	*counters = machine.foreign;
	one_cpu(found, machine.foreign, 2);
	return listed(err);
}

int __wrap_bpmu_client_obstacles(struct bpmu_client *client, const struct bpmu_cpulist *cpus,
				 u32 obstacle, struct bpmu_cpulist *found, struct bpmu_error *err)
{
	(void)client;
	assert_true(cpus->nr);
	one_cpu(found, machine.obstacles & obstacle, 1);
	return listed(err);
}

int __wrap_bpmu_client_isolated(struct bpmu_client *client, struct bpmu_cpulist *cpus,
				struct bpmu_error *err)
{
	(void)client;
	one_cpu(cpus, machine.isolated, 3);
	return listed(err);
}

int __wrap_bpmu_client_failures(struct bpmu_client *client, struct bpmu_failures *failures,
				struct bpmu_error *err)
{
	static const struct bpmu_client_failure all[] = {
		{ 4, BPMU_BANK_CORE, EBUSY }, { 5, BPMU_BANK_UBOX, EIO },
	};

	(void)client;
	failures->nr = machine.failures;
	failures->failure = calloc(2, sizeof(all[0]));
	assert_non_null(failures->failure);
	memcpy(failures->failure, all, machine.failures * sizeof(all[0]));
	return listed(err);
}

int __wrap_bpmu_trial_pin(u32 cpu, struct bpmu_error *err)
{
	(void)cpu;
	(void)err;
	return 0;
}

int __wrap_bpmu_trial_begin(struct bpmu_trial *trial, struct bpmu_error *err)
{
	(void)err;
	assert_int_equal(trial->group.sched.nr, 2);
	assert_string_equal(trial->group.sched.slot[0].text, "cycles");
	assert_string_equal(trial->group.sched.slot[1].text, "instructions");
	assert_true(trial->group.sched.slot[0].counter != trial->group.sched.slot[1].counter);
	running = true;
	return 0;
}

int __wrap_bpmu_trial_run(struct bpmu_trial *trial, const struct bpmu_bench *bench, u64 rounds,
			  bool quiet, struct bpmu_trial_counts *counts, struct bpmu_error *err)
{
	(void)trial;
	assert_ptr_equal(bench, &bpmu_bench_alu);
	assert_int_equal(rounds, 100000);
	assert_false(quiet);
	counts->own[0] = machine.cycles;
	counts->own[1] = machine.instructions;
	return machine.trial ? bpmu_error_set(err, machine.trial, "errata: busy") : 0;
}

int __wrap_bpmu_trial_end(struct bpmu_trial *trial, struct bpmu_error *err)
{
	(void)trial;
	(void)err;
	running = false;
	return 0;
}

void __wrap_bpmu_holders_find(struct bpmu_holders *holders)
{
	*holders = machine.holders;
}

void __wrap_bpmu_guests_find(struct bpmu_guests *guests)
{
	*guests = machine.guests;
}

void __wrap_bpmu_rivals_present(u32 unit, char text[BPMU_RIVAL_TEXT])
{
	snprintf(text, BPMU_RIVAL_TEXT, "%s", !machine.rivals ? "" :
		 unit == BPMU_UNIT_IMC ? "uncore_imc" : unit == BPMU_UNIT_CHA ? "uncore_cha" :
		 unit == BPMU_UNIT_CBO ? "uncore_cbox" : unit == BPMU_UNIT_GQ ? "uncore" : "");
}

static void good(const char *part)
{
	machine = (struct machine){
		.part = part, .status = "Name:\tx\nCapEff:\t0000004000000000\n",
		.info = { .pmu = unit_pmu(part, 4), .module_version = "1.23", .title = "A title" },
		.cycles = 5, .instructions = 7,
	};
}

/*
 * Runs the checks, which must return @status, and appends to @out the title of the case and all
 * that the checks print.
 */
static void run(FILE *out, const char *title, int status, bool json)
{
	struct bpmu_checkup check = { .json = json, .hint = " See the hint." };
	char *said;
	int code;

	fprintf(out, "# %s\n", title);
	running = false;
	unit_capture_begin(stdout);
	code = bpmu_check_all(&check);
	said = unit_capture_end();
	fprintf(out, "%s# failed %d, partial %d, unloaded %d, watchdog %d\n\n", said, check.failed,
		check.partial, check.unloaded, check.watchdog);
	free(said);
	assert_int_equal(code, status);
	assert_int_equal(nr_open, 0);
	assert_false(running);
}

TEST(all_findings_are_printed)
{
	static const char *const ids[] = {
		"KVMKVMKVM", "TCGTCGTCGTCG", "VMwareVMware", "Microsoft Hv", "XenVMMXenVMM",
		"bhyve bhyve ",
	};
	size_t i;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	good("ivb");
	run(out, "all is well", 0, false);
	run(out, "all is well, in JSON", 0, true);
	good("adl");
	machine.other = "adl-e";
	machine.status = "CapEff:\t0000000000200000\n";
	machine.lockdown = "[none] integrity confidentiality";
	run(out, "two core types, CAP_SYS_ADMIN", 0, false);
	good("ivb");
	machine.part = NULL;
	machine.user = 1000;
	machine.alone = true;
	machine.hypervisor = "KVMKVMKVM";
	machine.status = "CapEff:\t0000008000100000\n";
	machine.lockdown = "none [integrity] confidentiality";
	machine.offline = "4-7";
	machine.open = -ENOENT;
	run(out, "nothing is there", 1, false);
	run(out, "nothing is there, in JSON", 1, true);
	good("ivb");
	machine.open = -EPROTO;
	machine.offline = "";
	run(out, "the module refuses", 1, false);
	good("ivb");
	machine.info_code = -EPROTO;
	run(out, "the module says nothing", 1, false);
	good("ivb");
	machine.info.state = BPMU_STATE_RUNNING;
	machine.info.owner_pid = 4711;
	strcpy(machine.info.owner_comm, "toplev");
	machine.isolated = true;
	machine.failures = 2;
	run(out, "a session of somebody", 1, false);
	good("ivb");
	machine.info.state = BPMU_STATE_READY;
	run(out, "a session of nobody", 1, false);
	good("ivb");
	machine.foreign = 0x100000002;
	run(out, "an unknown agent", 1, false);
	good("ivb");
	machine.lists = -EIO;
	run(out, "lists cannot be read", 0, false);
	good("ivb");
	machine.info.busy = true;
	machine.foreign = 1;
	machine.holders.watchdog = true;
	machine.holders.nr = 2;
	machine.holders.process[0] = (struct bpmu_holder){ 11, "perf" };
	machine.holders.process[1] = (struct bpmu_holder){ 12, "likwid" };
	run(out, "perf has the counters", 1, false);
	machine.info.busy = false;
	machine.foreign = 0;
	run(out, "perf has events, but the counters are free", 0, false);
	good("ivb");
	machine.info.busy = true;
	run(out, "somebody in the kernel has them", 1, false);
	good("ivb");
	machine.info.pmu.absent = 0x21;
	run(out, "events are absent", 0, false);
	machine.hypervisor = "Linux KVM Hv";
	run(out, "events are absent in a virtual machine", 0, false);
	good("ivb");
	machine.info.pmu.pebs_format = 0 + 1;
	run(out, "PEBS of format 0", 0, false);
	machine.info.pmu.pebs_format = 1 + 1;
	run(out, "PEBS of format 1, with errata of microcode", 0, false);
	machine.info.pmu.pebs = 0x3;
	run(out, "PEBS of format 1", 0, false);
	machine.info.pmu.pebs_format = 5 + 1;
	machine.info.batch = 64;
	run(out, "PEBS of format 5", 0, false);
	machine.info.pmu.pebs_format = 6 + 1;
	run(out, "PEBS of format 6", 0, false);
	machine.info.pmu.pebs_format = 5 + 1;
	machine.obstacles = BPMU_OBSTACLE_STORE;
	machine.guests = (struct bpmu_guests){ .nr = 1, .process = { { 21, "qemu" } } };
	run(out, "a debug store in use, and a guest", 0, false);
	machine.guests.nr = 0;
	machine.obstacles = 0;
	machine.info.pmu.pebs = 0;
	machine.info.pmu.pebs_format = 16;
	run(out, "architectural PEBS, but no counter for it", 0, false);
	machine.info.pmu.pebs = 0x3;
	run(out, "architectural PEBS", 0, false);
	machine.info.batch = 1;
	run(out, "architectural PEBS, whose records lack counters", 0, false);
	machine.obstacles = BPMU_OBSTACLE_LVTPC;
	run(out, "another agent has LVTPC", 0, false);
	machine.obstacles |= BPMU_OBSTACLE_TRACE;
	run(out, "and Intel PT traces", 0, false);
	good("ivb");
	machine.info.pmu.lbr.depth = 16;
	run(out, "branch records", 0, false);
	machine.obstacles = BPMU_OBSTACLE_BRANCHES;
	run(out, "another agent records branches", 0, false);
	good("ivb");
	machine.cycles = 0;
	run(out, "no cycles", 0, false);
	machine.instructions = 0;
	run(out, "nothing counts", 1, false);
	machine.user = 1000;
	machine.foreign = 1;
	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		machine.hypervisor = ids[i];
		run(out, ids[i], 1, false);
		machine.foreign = 0;
	}
	good("ivb");
	machine.trial = -EAGAIN;
	run(out, "others disturb the loop", 0, false);
	machine.trial = -EIO;
	run(out, "the loop fails", 1, false);
	good("arch");
	run(out, "a CPU newer than the tool", 0, false);
	good("ivb");
	machine.unusable = true;
	machine.hypervisor = "KVMKVMKVM";
	run(out, "the hypervisor hides the counters", 1, false);
	good("zen2");
	run(out, "a part of AMD's without IBS", 0, false);
	machine.info.pmu.ibs = 0x1fd;
	run(out, "IBS samples ops", 0, false);
	machine.guests = (struct bpmu_guests){ .nr = 1, .process = { { 21, "qemu" } } };
	run(out, "IBS samples ops, those of a guest too", 0, false);
	machine.guests.nr = 0;
	machine.obstacles = BPMU_OBSTACLE_IBS;
	run(out, "another agent samples ops", 0, false);
	machine.info.pmu.ibs = 0x3ff;
	machine.obstacles = 0;
	run(out, "IBS samples fetches as well", 0, false);
	machine.obstacles = BPMU_OBSTACLE_IBS_FETCH;
	run(out, "another agent samples fetches", 0, false);
	good("zen4");
	machine.info.pmu.ibs = 0x9fd;
	run(out, "IBS samples ops, too", 0, false);
	good("zen2");
	machine.unusable = true;
	run(out, "a CPU without usable counters", 1, false);
	fclose(out);
	unit_text("check", text);
}

TEST(perf_s_boxes_and_guests_are_named)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	good("skx");
	machine.rivals = true;
	machine.guests.module = "kvm_intel";
	run(out, "a server: perf's driver has its PCI devices", 0, false);
	good("spr");
	machine.rivals = true;
	machine.guests = (struct bpmu_guests){ .module = "kvm_intel", .nr = 1 };
	machine.guests.process[0] = (struct bpmu_holder){ 21, "qemu" };
	run(out, "discovery tables: nothing is refused", 1, false);
	good("ivb");
	machine.rivals = true;
	run(out, "a client", 0, false);
	good("nhm");
	machine.rivals = true;
	run(out, "Nehalem: perf's driver starts nothing before perf counts", 0, false);
	good("nhm-ex");
	run(out, "none of the uncore is counted", 0, false);
	good("knl");
	run(out, "some of the uncore is not counted", 0, false);
	fclose(out);
	unit_text("check-boxes", text);
}
