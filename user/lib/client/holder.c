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

#define WATCHDOG "/proc/sys/kernel/nmi_watchdog"
#define DEVICES "/sys/bus/event_source/devices"
#define PERF_FD "anon_inode:[perf_event]"

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

static bool has_perf_event(const char *pid)
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
		found = len == (ssize_t)strlen(PERF_FD) &&
			!memcmp(target, PERF_FD, len);
	}
	closedir(dir);
	return found;
}

static void holder_note(struct bpmu_holders *holders, const char *pid)
{
	struct bpmu_holder *holder = &holders->process[holders->nr++];
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

/**
 * bpmu_holders_find() - find the processes that have perf events open
 * @holders: filled in
 *
 * Only root finds processes of other users.
 */
void bpmu_holders_find(struct bpmu_holders *holders)
{
	struct dirent *entry;
	DIR *proc;

	memset(holders, 0, sizeof(*holders));
	holders->watchdog = watchdog_on();
	proc = opendir("/proc");
	if (!proc)
		return;
	while (holders->nr < BPMU_HOLDER_MAX && (entry = readdir(proc)))
		if (isdigit((unsigned char)entry->d_name[0]) &&
		    has_perf_event(entry->d_name))
			holder_note(holders, entry->d_name);
	closedir(proc);
}

/**
 * bpmu_holder_uncore() - check that the kernel's uncore driver is not loaded
 * @err: filled in if it is loaded
 *
 * Some kernels enable the uncore's counters only with the first event. The module then
 * does not detect the idle driver, which may write to the counters later.
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
 * bpmu_holder_explain() - append the likely users of the counters to an error
 * @err: the module's refusal; extended
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
