// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the search for processes that have perf events. Such processes may hold the counters.
 * The test fakes /proc, with several such processes, one without a name, and processes that may not
 * be examined.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "client/holder.h"
#include "unit.h"

#define PERF "anon_inode:[perf_event]"
#define VCPU "anon_inode:kvm-vcpu:1"

/**
 * struct process - a process in the faked /proc, or another file there
 * @pid: number of the process, or the name of a file that belongs to no process
 * @comm: name of the process; NULL if it has just ended
 * @fds: targets of its file descriptors 0, 1, ..., ended by NULL
 * @closed: the tool may not read the file descriptors of the process
 */
struct process {
	const char *pid;
	const char *comm;
	const char *fds[4];
	bool closed;
};

static const struct process *processes;
static const char *watchdog;
/* The module of KVM that is loaded, and its parameter enable_mediated_pmu; NULL if there is none. */
static const char *kvm, *mediated;

/**
 * struct directory - an open directory
 * @process: process whose file descriptors it lists; NULL for /proc itself
 * @at: index of the next entry
 * @entry: the entry returned last
 */
struct directory {
	const struct process *process;
	unsigned int at;
	struct dirent entry;
};

static const struct process *process_of(const char *path)
{
	const struct process *p;
	size_t len;

	for (p = processes; p->pid; p++) {
		len = strlen(p->pid);
		if (!strncmp(path, "/proc/", 6) && !strncmp(path + 6, p->pid, len) &&
		    path[6 + len] == '/')
			return p;
	}
	return NULL;
}

/*
 * Fakes of the functions that read directories. They use struct directory in place of DIR, because
 * the callers only pass the pointer on.
 */
struct directory *__wrap_opendir(const char *name);
struct dirent *__wrap_readdir(struct directory *dir);
int __wrap_closedir(struct directory *dir);
ssize_t __wrap_readlink(const char *path, char *target, size_t size);
bool __wrap_bpmu_sysfs_read(const char *path, char *text, size_t size);
FILE *__wrap_fopen(const char *name, const char *mode);

struct directory *__wrap_opendir(const char *name)
{
	struct directory *dir = calloc(1, sizeof(*dir));

	assert_non_null(dir);
	if (!strcmp(name, "/proc"))
		return dir;
	dir->process = process_of(name);
	if (dir->process && !dir->process->closed)
		return dir;
	free(dir);
	errno = EACCES;
	return NULL;
}

struct dirent *__wrap_readdir(struct directory *dir)
{
	const struct process *p = dir->process;

	if (p ? !p->fds[dir->at] : !processes[dir->at].pid)
		return NULL;
	if (p)
		snprintf(dir->entry.d_name, sizeof(dir->entry.d_name), "%u", dir->at);
	else
		strcpy(dir->entry.d_name, processes[dir->at].pid);
	dir->at++;
	return &dir->entry;
}

int __wrap_closedir(struct directory *dir)
{
	free(dir);
	return 0;
}

ssize_t __wrap_readlink(const char *path, char *target, size_t size)
{
	const struct process *p = process_of(path);
	const char *text = p->fds[atoi(strrchr(path, '/') + 1)];
	size_t len = strlen(text) < size ? strlen(text) : size;

	memcpy(target, text, len);
	return len;
}

FILE *__wrap_fopen(const char *name, const char *mode)
{
	const struct process *p = process_of(name);
	const char *text = !strcmp(name, "/proc/sys/kernel/nmi_watchdog") ? watchdog :
			   p ? p->comm : NULL;

	return text ? fmemopen((void *)text, strlen(text), mode[0] == 'r' ? "r" : "") : NULL;
}

bool __wrap_bpmu_sysfs_read(const char *path, char *text, size_t size)
{
	char wanted[128];

	snprintf(wanted, sizeof(wanted), "/sys/module/%s/parameters/enable_mediated_pmu",
		 kvm ?: "none");
	if (!mediated || strcmp(path, wanted))
		return false;
	snprintf(text, size, "%s", mediated);
	return true;
}

static const struct process several[] = {
	{ "1", "init\n", { "/dev/null" } },
	{ "self", "perf\n", { PERF } },
	{ "120", "perf\n", { "/dev/null", "pipe:[1]", PERF } },
	{ "130", "shell\n", { "/dev/null", "/tmp/" PERF } },
	{ "140", "guest\n", { VCPU } },
	{ "150", "secret\n", { PERF }, .closed = true },
	{ "160", "likwid-perfctr\n", { PERF, PERF } },
	{ "170", NULL, { PERF } },
	{ }
};

TEST(all_holders_are_named)
{
	struct bpmu_holders holders;
	struct bpmu_error err = { .text = "the counters are in use" };

	processes = several;
	watchdog = "1\n";
	bpmu_holders_find(&holders);
	assert_true(holders.watchdog);
	assert_int_equal(holders.nr, 3);
	assert_int_equal(holders.process[0].pid, 120);
	assert_string_equal(holders.process[0].comm, "perf");
	assert_int_equal(holders.process[1].pid, 160);
	assert_string_equal(holders.process[1].comm, "likwid-perfctr");
	assert_int_equal(holders.process[2].pid, 170);
	assert_string_equal(holders.process[2].comm, "?");
	bpmu_holder_explain(&err);
	assert_string_equal(err.text,
			    "the counters are in use; the NMI watchdog is on: echo 0 > /proc/sys/kernel/nmi_watchdog; perf (process 120) has perf events; likwid-perfctr (process 160) has perf events; ? (process 170) has perf events");
}

TEST(without_holders_nothing_is_added)
{
	static const struct process none[] = {
		{ "1", "init\n", { "/dev/null", "anon_inode:[perf_even" } }, { }
	};
	struct bpmu_error err = { .text = "the counters are in use" };
	struct bpmu_holders holders;

	processes = none;
	watchdog = "0\n";
	bpmu_holder_explain(&err);
	assert_string_equal(err.text, "the counters are in use");
	watchdog = NULL;
	bpmu_holders_find(&holders);
	assert_false(holders.watchdog);
	assert_int_equal(holders.nr, 0);
}

/* Guests of KVM are found whether or not they have the whole PMU. */
TEST(a_guest_keeps_away_records_that_could_go_into_its_memory)
{
	static const struct process with_guest[] = {
		{ "7", "init", { "/dev/null" }, false },
		{ "44", "qemu", { "/dev/kvm", VCPU }, false },
		{ }
	};
	static const struct process alone[] = { { "7", "init", { "/dev/null" }, false }, { } };
	struct bpmu_error err;

	watchdog = "0\n";
	processes = alone;
	assert_int_equal(bpmu_guests_refuse(&err), 0);
	processes = with_guest;
	assert_int_equal(bpmu_guests_refuse(&err), -EBUSY);
	assert_string_equal(err.text,
			    "qemu, process 44, runs a guest of KVM, into whose memory the CPU could write precise records (PEBS); stop the guest, or leave out p");
}

/* A guest has the whole PMU if the parameter of the loaded module of KVM is on. */
TEST(kvm_writes_counters_if_its_parameter_is_on)
{
	static const struct {
		const char *kvm, *mediated;
		bool on;
	} cases[] = {
		{ "kvm_intel", "Y", true }, { "kvm_intel", "N", false }, { "kvm_intel", NULL, false },
		{ "kvm_amd", "Y", true }, { "kvm_amd", "N", false }, { NULL, "Y", false },
	};
	struct bpmu_guests guests;
	unsigned int i;

	processes = several;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		kvm = cases[i].kvm;
		mediated = cases[i].mediated;
		bpmu_guests_find(&guests);
		if (cases[i].on)
			assert_string_equal(guests.module, cases[i].kvm);
		else
			assert_null(guests.module);
		assert_int_equal(guests.nr, 1);
		assert_int_equal(guests.process[0].pid, 140);
		assert_string_equal(guests.process[0].comm, "guest");
	}
	mediated = NULL;
}

/*
 * The list of processes has room for BPMU_HOLDER_MAX. If more processes hold perf events, the list
 * has the first of them.
 */
TEST(more_holders_than_room_are_cut)
{
	static struct process many[BPMU_HOLDER_MAX + 2];
	static char pids[BPMU_HOLDER_MAX + 1][12];
	struct bpmu_holders holders;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pids); i++) {
		snprintf(pids[i], sizeof(pids[i]), "%u", 100 + i);
		many[i] = (struct process){ pids[i], "perf\n", { PERF } };
	}
	processes = many;
	watchdog = NULL;
	bpmu_holders_find(&holders);
	assert_int_equal(holders.nr, BPMU_HOLDER_MAX);
	assert_int_equal(holders.process[BPMU_HOLDER_MAX - 1].pid, 100 + BPMU_HOLDER_MAX - 1);
}

/* The driver's device that exists in the faked sysfs; NULL if there is none. */
static const char *device;

int __wrap_access(const char *path, int mode);

int __wrap_access(const char *path, int mode)
{
	assert_int_equal(mode, F_OK);
	return device && !strcmp(path, device) ? 0 : -1;
}

TEST(the_driver_of_the_uncore_is_found_by_its_devices)
{
	static const char *const devices[] = {
		"/sys/bus/event_source/devices/uncore_arb",
		"/sys/bus/event_source/devices/uncore_cbox",
		"/sys/bus/event_source/devices/uncore_cbox_0",
	};
	struct bpmu_error err;
	unsigned int i;

	assert_int_equal(bpmu_holder_uncore(&err), 0);
	for (i = 0; i < ARRAY_SIZE(devices); i++) {
		device = devices[i];
		assert_int_equal(bpmu_holder_uncore(&err), -EADDRINUSE);
		assert_string_equal(err.text,
				    "the uncore's counters are in use: unload intel_uncore");
	}
	device = "/sys/bus/event_source/devices/uncore_imc";
	assert_int_equal(bpmu_holder_uncore(&err), 0);
	device = NULL;
}
