// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/sysfs.h"
#include "check.h"

#define WATCHDOG "/proc/sys/kernel/nmi_watchdog"
#define DEVICES "/sys/bus/event_source/devices"

extern char **environ;

static void file_fix(struct bpmu_fix *fix, const char *file, const char *value,
		     const char *old)
{
	snprintf(fix->file, sizeof(fix->file), "%s", file);
	snprintf(fix->value, sizeof(fix->value), "%s", value);
	snprintf(fix->command, sizeof(fix->command), "echo %s > %s", value,
		 file);
	snprintf(fix->undo, sizeof(fix->undo), "echo %s > %s", old, file);
}

/* on hybrid CPUs the file of the performance cores is valid for all */
static void rdpmc(struct bpmu_fix *fix)
{
	static const char *const files[] = {
		DEVICES "/cpu/rdpmc", DEVICES "/cpu_core/rdpmc"
	};
	char value[8];
	size_t i;

	fix->name = "rdpmc";
	for (i = 0; i < ARRAY_SIZE(files) && !fix->there; i++) {
		if (!bpmu_sysfs_read(files[i], value, sizeof(value)))
			continue;
		fix->there = strcmp(value, "2");
		file_fix(fix, files[i], "2", value);
	}
}

/**
 * bpmu_fix_find() - find the problems that can be fixed
 * @check: a look at everything
 * @fix: filled in
 */
void bpmu_fix_find(const struct bpmu_checkup *check,
		   struct bpmu_fix fix[BPMU_FIXES])
{
	memset(fix, 0, BPMU_FIXES * sizeof(*fix));
	fix[0] = (struct bpmu_fix){
		.name = "module",
		.needed = check->unloaded,
		.there = check->unloaded,
		.command = "modprobe barepmu",
		.undo = "modprobe -r barepmu",
	};
	fix[1] = (struct bpmu_fix){
		.name = "watchdog",
		.needed = check->watchdog,
		.there = check->watchdog,
	};
	file_fix(&fix[1], WATCHDOG, "0", "1");
	rdpmc(&fix[2]);
}

static int load_module(struct bpmu_error *err)
{
	char name[] = "modprobe", module[] = "barepmu";
	char *argv[] = { name, module, NULL };
	int code, status;
	pid_t pid;

	code = posix_spawnp(&pid, name, NULL, NULL, argv, environ);
	if (code)
		return bpmu_error_set(err, -code,
			"modprobe: %s; install kmod, or load barepmu.ko with insmod",
			strerror(code));
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	return bpmu_error_set(err, -EIO,
		"modprobe barepmu: failed; see 'dmesg' for why, and 'make install' or DKMS if there is no such module");
}

static int fix_write(const struct bpmu_fix *fix, struct bpmu_error *err)
{
	int fd = open(fix->file, O_WRONLY | O_CLOEXEC);
	size_t len = strlen(fix->value);
	int code = 0;

	if (fd < 0 || write(fd, fix->value, len) != (ssize_t)len)
		code = bpmu_error_set(err, -errno, "%s: %s; run as root",
				      fix->file, strerror(errno));
	if (fd >= 0)
		close(fd);
	return code;
}

/**
 * bpmu_fix_do() - fix a problem
 * @fix: found
 * @err: filled on an error
 *
 * Return: 0 or a negative errno.
 */
int bpmu_fix_do(const struct bpmu_fix *fix, struct bpmu_error *err)
{
	return *fix->file ? fix_write(fix, err) : load_module(err);
}
