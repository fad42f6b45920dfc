// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of "barepmu doctor", which prints or executes the commands that remove obstacles to
 * measurements. The test decides which obstacles the checks find, and fakes the commands.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/sysfs.h"
#include "cmd/check/check.h"
#include "commands.h"
#include "unit.h"

static bool unloaded, watchdog;
/*
 * Contents of sysfs' files cpu/rdpmc and cpu_core/rdpmc, which say whether programs may read counters
 * by RDPMC; NULL if there is no such file.
 */
static const char *rdpmc_cpu, *rdpmc;
static unsigned int checks;

int __wrap_bpmu_check_all(struct bpmu_checkup *check)
{
	checks++;
	check->unloaded = unloaded;
	check->watchdog = watchdog;
	check->failed = unloaded;
	if (!check->json)
		puts("(checks)");
	return unloaded;
}

bool __wrap_bpmu_sysfs_read(const char *name, char *text, size_t size)
{
	const char *value = strstr(name, "/cpu_core/rdpmc") ? rdpmc :
			    strstr(name, "/cpu/rdpmc") ? rdpmc_cpu : NULL;

	if (!value)
		return false;
	snprintf(text, size, "%s", value);
	return true;
}

static uid_t user;

uid_t __wrap_geteuid(void)
{
	return user;
}

/* what the command wrote and executed, a line each */
static char did[512];
/* errors of open(), write() and posix_spawnp(), 0 for none */
static int open_error, write_error, spawn_error;
/* how often waitpid() is interrupted, its error after that, and the status of modprobe */
static unsigned int interruptions;
static int wait_error, modprobe_status;
/* descriptor of the file that is open, -1 for none */
static int opened = -1;

static void note(const char *format, const char *text, size_t size)
{
	size_t length = strlen(did);

	snprintf(did + length, sizeof(did) - length, format, (int)size, text);
}

int __wrap_open(const char *path, int flags)
{
	assert_int_equal(flags, O_WRONLY | O_CLOEXEC);
	assert_int_equal(opened, -1);
	note("open %.*s\n", path, strlen(path));
	errno = open_error;
	if (!open_error)
		opened = 1000;
	return opened;
}

ssize_t __wrap_write(int fd, const char *text, size_t size)
{
	assert_int_equal(fd, 1000);
	note("write %.*s\n", text, size);
	errno = write_error;
	if (write_error)
		return -1;
	watchdog = watchdog && strncmp(text, "0", size);
	return size;
}

int __real_close(int fd);

int __wrap_close(int fd)
{
	if (fd != 1000)
		return __real_close(fd);
	assert_int_equal(fd, opened);
	opened = -1;
	return 0;
}

int __wrap_posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
			const posix_spawnattr_t *attributes, char *const *argv, char *const *envp)
{
	struct sigaction child;

	assert_string_equal(file, "modprobe");
	assert_string_equal(argv[0], "modprobe");
	assert_null(actions);
	assert_null(attributes);
	assert_null(argv[2]);
	assert_ptr_equal(envp, environ);
	note("modprobe %.*s\n", argv[1], strlen(argv[1]));
	/* The kernel keeps the status of a child for which its parent does not ignore SIGCHLD. */
	sigaction(SIGCHLD, NULL, &child);
	assert_ptr_equal(child.sa_handler, SIG_DFL);
	*pid = 4711;
	return spawn_error;
}

pid_t __wrap_waitpid(pid_t pid, int *status, int options)
{
	assert_int_equal(pid, 4711);
	assert_int_equal(options, 0);
	errno = EINTR;
	if (interruptions) {
		interruptions--;
		return -1;
	}
	errno = wait_error;
	if (wait_error)
		return -1;
	*status = modprobe_status;
	unloaded = modprobe_status;
	return pid;
}

/*
 * Runs "barepmu doctor" with the arguments in @words, which must return @status, and appends its
 * command line and output to @out.
 */
static void run(FILE *out, int status, const char *words)
{
	struct bpmu_ctx ctx = { .evaluation = NULL };
	char *all = strdup(words), *said, *word;
	char *argv[8] = { "doctor" };
	int argc = 1, code;

	assert_non_null(all);
	for (word = strtok(all, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	fprintf(out, "$ doctor%s%s%s%s%s%s\n", *words ? " " : "", words, unloaded ? " [no module]" : "",
		watchdog ? " [watchdog]" : "", rdpmc ? " [rdpmc]" : "", user ? " [not root]" : "");
	*did = '\0';
	unit_capture_begin(stdout);
	code = bpmu_cmd_doctor(&ctx, argc, argv);
	said = unit_capture_end();
	assert_int_equal(code, status);
	fputs(said, out);
	if (status == 2)
		fprintf(out, "%s\n", ctx.err.text);
	assert_int_equal(opened, -1);
	free(said);
	free(all);
}

TEST(commands_fix_what_was_found)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	run(out, 0, "");
	unloaded = true;
	run(out, 1, "");
	watchdog = true;
	rdpmc = "1";
	run(out, 1, "");
	run(out, 1, "rdpmc");
	run(out, 1, "watchdog module");
	run(out, 1, "-j");
	user = 1000;
	run(out, 1, "");
	user = 0;
	unloaded = false;
	watchdog = false;
	run(out, 0, "");
	rdpmc = "2";
	run(out, 0, "rdpmc");
	assert_int_equal(checks, 9);
	run(out, 2, "kernel");
	fclose(out);
	unit_text("doctor", text);
}

/* Runs "barepmu doctor" as run(), and appends what it wrote and executed. */
static void run_fix(FILE *out, int status, const char *words)
{
	run(out, status, words);
	fprintf(out, "%s", *did ? "[it did:\n" : "[it did nothing]\n");
	if (*did)
		fprintf(out, "%s]\n", did);
}

TEST(commands_are_executed_and_the_machine_is_checked_again)
{
	struct sigaction ignored = { .sa_handler = SIG_IGN }, child, before;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_int_equal(sigaction(SIGCHLD, &ignored, &before), 0);
	user = 0;
	rdpmc = "1";
	unloaded = true;
	watchdog = true;
	interruptions = 2;
	run_fix(out, 0, "--fix");
	assert_int_equal(interruptions, 0);
	run_fix(out, 0, "--fix");
	run_fix(out, 0, "--fix rdpmc");
	run_fix(out, 0, "--fix watchdog");
	unloaded = true;
	watchdog = true;
	checks = 0;
	run_fix(out, 0, "--fix -j rdpmc module");
	assert_int_equal(checks, 2);
	/* The file of CPUs that are not hybrid comes first. */
	rdpmc_cpu = "0";
	run_fix(out, 0, "--fix rdpmc");
	rdpmc_cpu = "2";
	run_fix(out, 0, "--fix rdpmc");
	rdpmc = NULL;
	run_fix(out, 0, "--fix rdpmc");
	rdpmc_cpu = NULL;
	assert_int_equal(sigaction(SIGCHLD, &before, &child), 0);
	assert_ptr_equal(child.sa_handler, SIG_IGN);
	fclose(out);
	unit_text("doctor-fix", text);
}

TEST(commands_that_fail_say_why)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	user = 0;
	rdpmc = NULL;
	unloaded = true;
	watchdog = true;
	open_error = EACCES;
	spawn_error = ENOENT;
	checks = 0;
	run_fix(out, 1, "--fix");
	assert_int_equal(checks, 1);
	spawn_error = 0;
	wait_error = ECHILD;
	run_fix(out, 1, "--fix module");
	wait_error = 0;
	modprobe_status = 1 << 8;
	run_fix(out, 1, "--fix module");
	modprobe_status = SIGKILL;
	run_fix(out, 1, "--fix module -j");
	/* One of two commands fails. */
	open_error = 0;
	write_error = EINVAL;
	modprobe_status = 0;
	run_fix(out, 0, "--fix");
	write_error = 0;
	fclose(out);
	unit_text("doctor-failed", text);
}

TEST(options_that_do_not_exist_are_refused)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	checks = 0;
	run(out, 2, "--all");
	run(out, 2, "module kernel");
	run(out, 2, "modules");
	assert_int_equal(checks, 0);
	fclose(out);
	unit_text("doctor-refused", text);
}
