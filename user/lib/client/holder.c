// SPDX-License-Identifier: GPL-2.0
#include "holder.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/plain.h"
#include "base/sysfs.h"

#define WATCHDOG "/proc/sys/kernel/nmi_watchdog"
#define DEVICES "/sys/bus/event_source/devices"
#define PERF_FD "anon_inode:[perf_event]"
/*
 * The target of a link in /proc/PID/fd begins with this text if the file is a virtual CPU of KVM.
 * The number of the virtual CPU follows.
 */
#define VCPU_FD "anon_inode:kvm-vcpu:"

static bool watchdog_on(void)
{
	FILE *file = fopen(WATCHDOG, "re");
	bool on;

	if (!file)
		return false;
	on = fgetc(file) == '1';
	fclose(file);
	return on;
}

/* Checks if a process has an open file whose name begins with @name. */
static bool has_file(const char *pid, const char *name)
{
	char path[PATH_MAX], target[64];
	bool found = false;
	struct dirent *fd;
	ssize_t len;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%s/fd", pid);
	dir = opendir(path);
	if (!dir)
		return false;
	while (!found && (fd = readdir(dir))) {
		snprintf(path, sizeof(path), "/proc/%s/fd/%s", pid,
			 fd->d_name);
		len = readlink(path, target, sizeof(target));
		found = len >= (ssize_t)strlen(name) &&
			!memcmp(target, name, strlen(name));
	}
	closedir(dir);
	return found;
}

static void holder_note(struct bpmu_holder *holder, const char *pid)
{
	char path[64];
	FILE *file;

	holder->pid = atoi(pid);
	snprintf(path, sizeof(path), "/proc/%d/comm", holder->pid);
	file = fopen(path, "re");
	if (!file || !fgets(holder->comm, sizeof(holder->comm), file))
		strcpy(holder->comm, "?");
	holder->comm[strcspn(holder->comm, "\n")] = 0;
	bpmu_plain(holder->comm, "");
	if (file)
		fclose(file);
}

/*
 * Fills @process with the processes that have an open file whose name begins with @name. Returns
 * how many elements of @process were filled, at most BPMU_HOLDER_MAX.
 */
static unsigned int holders_of(const char *name, struct bpmu_holder process[BPMU_HOLDER_MAX])
{
	struct dirent *entry;
	unsigned int nr = 0;
	DIR *proc;

	proc = opendir("/proc");
	if (!proc)
		return 0;
	while (nr < BPMU_HOLDER_MAX && (entry = readdir(proc)))
		if (isdigit((unsigned char)entry->d_name[0]) && has_file(entry->d_name, name))
			holder_note(&process[nr++], entry->d_name);
	closedir(proc);
	return nr;
}

/**
 * bpmu_holders_find() - find holders of counters: processes with open perf events
 * @holders: filled in
 *
 * Without the permissions of root this finds only processes of the same user.
 */
void bpmu_holders_find(struct bpmu_holders *holders)
{
	memset(holders, 0, sizeof(*holders));
	holders->watchdog = watchdog_on();
	holders->nr = holders_of(PERF_FD, holders->process);
}

/**
 * bpmu_guests_find() - find guests of KVM, which may be holders of the whole PMU
 * @guests: filled in
 *
 * Since Linux 7.0 KVM has the parameter enable_mediated_pmu. If it is on, KVM writes the registers
 * of the core's counters whenever it enters or leaves a guest, and reserves none of these
 * registers. Without the permissions of root this finds only processes of the same user.
 */
void bpmu_guests_find(struct bpmu_guests *guests)
{
	static const char *const modules[] = { "kvm_intel", "kvm_amd" };
	char path[PATH_MAX], value[8];
	size_t i;

	memset(guests, 0, sizeof(*guests));
	for (i = 0; i < ARRAY_SIZE(modules); i++) {
		snprintf(path, sizeof(path), "/sys/module/%s/parameters/enable_mediated_pmu",
			 modules[i]);
		if (bpmu_sysfs_read(path, value, sizeof(value)) && *value == 'Y')
			guests->module = modules[i];
	}
	guests->nr = holders_of(VCPU_FD, guests->process);
}

/**
 * bpmu_guests_refuse() - check that no guest of KVM runs, into whose memory a CPU could write
 * @err: filled in if one runs
 *
 * For precise records through the debug store. KVM leaves the registers of records that perf knows
 * nothing of as they are when it enters a guest, and the CPU then takes the address of its records
 * for one of the guest's. Without the permissions of root this finds only processes of the same
 * user.
 *
 * Return: 0 or -EBUSY.
 */
int bpmu_guests_refuse(struct bpmu_error *err)
{
	struct bpmu_guests guests;

	bpmu_guests_find(&guests);
	if (!guests.nr)
		return 0;
	return bpmu_error_set(err, -EBUSY,
			      "%s, process %d, runs a guest of KVM, into whose memory the CPU could write precise records (PEBS); stop the guest, or leave out p",
			      guests.process[0].comm, guests.process[0].pid);
}

/**
 * bpmu_holder_uncore() - check that the kernel's uncore driver, a possible holder, is not loaded
 * @err: filled in if the driver is loaded
 *
 * The module notices another user of the uncore's counters only if some counters are enabled. In
 * some kernels the uncore driver enables no counter before perf opens its first event. This
 * function therefore looks for the driver in sysfs.
 *
 * Return: 0 or -EADDRINUSE.
 */
int bpmu_holder_uncore(struct bpmu_error *err)
{
	static const char *const devices[] = {
		"uncore_arb", "uncore_cbox", "uncore_cbox_0"
	};
	char path[PATH_MAX];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(devices); i++) {
		snprintf(path, sizeof(path), DEVICES "/%s", devices[i]);
		if (!access(path, F_OK))
			return bpmu_error_set(err, -EADDRINUSE,
					      "the uncore's counters are in use: unload intel_uncore");
	}
	return 0;
}

/**
 * bpmu_holder_explain() - append the likely holders of the counters to an error
 * @err: the module's error that the counters are in use; the holders are appended to its text
 */
void bpmu_holder_explain(struct bpmu_error *err)
{
	struct bpmu_holders holders;
	size_t len = strlen(err->text);
	unsigned int i;

	bpmu_holders_find(&holders);
	if (holders.watchdog) {
		snprintf(err->text + len, sizeof(err->text) - len,
			 "; the NMI watchdog is on: echo 0 > " WATCHDOG);
		len = strlen(err->text);
	}
	for (i = 0; i < holders.nr; i++) {
		snprintf(err->text + len, sizeof(err->text) - len,
			 "; %s (process %d) has perf events",
			 holders.process[i].comm, holders.process[i].pid);
		len = strlen(err->text);
	}
}
