// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/fields.h"
#include "base/signals.h"
#include "base/sysfs.h"
#include "check.h"
#include "command.h"
#include "options.h"

#define FIXES 3
#define WATCHDOG "/proc/sys/kernel/nmi_watchdog"
#define DEVICES "/sys/bus/event_source/devices"

extern char **environ;

/**
 * struct fix - a problem of this machine that "barepmu doctor" can fix
 * @name: name of the problem on the command line
 * @needed: measuring is impossible without the fix
 * @present: this machine has the problem
 * @command: shell command that fixes the problem
 * @undo: shell command that undoes the fix
 * @file: file to write; "" for the problem that the module is not loaded
 * @value: text to write to @file
 */
struct fix {
	const char *name;
	bool needed;
	bool present;
	char command[128];
	char undo[128];
	char file[96];
	char value[8];
};

static void file_fix(struct fix *fix, const char *file, const char *value,
		     const char *old)
{
	snprintf(fix->file, sizeof(fix->file), "%s", file);
	snprintf(fix->value, sizeof(fix->value), "%s", value);
	bpmu_check_echo(fix->command, sizeof(fix->command), value, file);
	bpmu_check_echo(fix->undo, sizeof(fix->undo), old, file);
}

/*
 * Fills in @fix for the problem that user space may not execute RDPMC. The remedy writes 2 to a
 * file in sysfs. On hybrid CPUs the file of the P-cores also sets what E-cores allow.
 */
static void rdpmc(struct fix *fix)
{
	static const char *const files[] = {
		DEVICES "/cpu/rdpmc", DEVICES "/cpu_core/rdpmc"
	};
	char value[8];
	size_t i;

	fix->name = "rdpmc";
	for (i = 0; i < ARRAY_SIZE(files) && !fix->present; i++) {
		if (!bpmu_sysfs_read(files[i], value, sizeof(value)))
			continue;
		fix->present = strcmp(value, "2");
		file_fix(fix, files[i], "2", value);
	}
}

static void fix_find(const struct bpmu_checkup *check, struct fix fix[FIXES])
{
	memset(fix, 0, FIXES * sizeof(*fix));
	fix[0] = (struct fix){
		.name = "module",
		.needed = check->unloaded,
		.present = check->unloaded,
	};
	snprintf(fix[0].command, sizeof(fix[0].command), "%smodprobe barepmu",
		 bpmu_check_as_root());
	snprintf(fix[0].undo, sizeof(fix[0].undo), "%smodprobe -r barepmu",
		 bpmu_check_as_root());
	fix[1] = (struct fix){
		.name = "watchdog",
		.needed = check->watchdog,
		.present = check->watchdog,
	};
	file_fix(&fix[1], WATCHDOG, "0", "1");
	rdpmc(&fix[2]);
}

static int load_module(struct bpmu_error *err)
{
	char name[] = "modprobe", module[] = "barepmu";
	char *argv[] = { name, module, NULL };
	struct sigaction old = bpmu_signals_keep_children();
	int code, status = -1;
	pid_t pid;

	code = posix_spawnp(&pid, name, NULL, NULL, argv, environ);
	while (!code && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	sigaction(SIGCHLD, &old, NULL);
	if (code)
		return bpmu_error_set(err, -code,
			"modprobe: %s; install kmod, or load barepmu.ko with insmod",
			strerror(code));
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	return bpmu_error_set(err, -EIO,
		"modprobe barepmu: failed; see 'dmesg' for why, and 'make install' or DKMS if there is no such module");
}

static int fix_write(const struct fix *fix, struct bpmu_error *err)
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

static int fix_do(const struct fix *fix, struct bpmu_error *err)
{
	return *fix->file ? fix_write(fix, err) : load_module(err);
}

static const char about[] =
	"Usage: barepmu doctor [-j] [--fix] [module|watchdog|rdpmc]...\n\n"
	"Like check, followed by the commands that fix the problems. With --fix it\n"
	"executes them, prints how to undo them, and checks again. By default it loads\n"
	"the module and switches off the NMI watchdog, which holds a counter; rdpmc,\n"
	"which lets all programs read counters, must be named. Exit status 0: measuring\n"
	"is possible in the end.\n\n";

enum own_option { OPTION_FIX = BPMU_OPTION_OWN };

static const struct bpmu_option table[] = {
	{ OPTION_FIX, "fix", NULL, "execute the commands" },
	{ 'j', "json", NULL, "JSON lines", BPMU_CHOICE_FORMAT },
	BPMU_OPTION_ROW_HELP,
	{ }
};

/**
 * struct call - options and state of "barepmu doctor"
 * @json: print JSON lines instead of text
 * @fix: execute the commands that fix problems; else only print them
 * @names: names of the problems to fix, [@nr_names]
 * @nr_names: number of names; 0: fix all problems without which measuring is impossible
 */
struct call {
	bool json;
	bool fix;
	char **names;
	int nr_names;
};

static int doctor_take_option(void *data, int option, const char *value,
			      struct bpmu_error *err)
{
	struct call *call = data;

	(void)value;
	(void)err;
	if (option == OPTION_FIX)
		call->fix = true;
	else
		call->json = true;
	return 0;
}

/*
 * Writes to @text, [@size], the names of all problems that can be fixed, in the form "a, b and c".
 */
static void fix_names(const struct fix fix[FIXES], char *text,
		      size_t size)
{
	size_t len = 0;
	int i;

	for (i = 0; i < FIXES && len < size; i++)
		len += snprintf(text + len, size - len, "%s%s",
				!i ? "" : i < FIXES - 1 ? ", " : " and ",
				fix[i].name);
}

static int doctor_check_names(const struct call *call, struct bpmu_error *err)
{
	static const struct bpmu_checkup nothing;
	struct fix fix[FIXES];
	char names[64];
	int i, k;

	fix_find(&nothing, fix);
	for (i = 0; i < call->nr_names; i++) {
		for (k = 0; k < FIXES; k++)
			if (!strcmp(call->names[i], fix[k].name))
				break;
		if (k < FIXES)
			continue;
		fix_names(fix, names, sizeof(names));
		return bpmu_error_set(err, -EINVAL,
			"doctor: '%s': not a problem that it can fix; it can fix %s",
			call->names[i], names);
	}
	return 0;
}

static bool doctor_is_wanted(const struct call *call, const struct fix *fix)
{
	int i;

	if (!fix->present)
		return false;
	for (i = 0; i < call->nr_names; i++)
		if (!strcmp(call->names[i], fix->name))
			return true;
	return !call->nr_names && fix->needed;
}

static void doctor_print_fix(const struct call *call, const struct fix *fix,
			     const char *done, const char *error)
{
	static const struct bpmu_column columns[] = {
		{ "done", -5, .after = " " },
		{ "what", -12, .after = " " },
		{ "command" },
	};
	struct bpmu_table table = {
		.out = stdout, .format = call->json ? BPMU_JSON : BPMU_TEXT, .type = "fix",
		.text = { columns + !call->fix, ARRAY_SIZE(columns) - !call->fix },
	};
	const struct bpmu_field fields[] = {
		{ "what", fix->name, BPMU_FIELD_TEXT },
		{ "command", fix->command, BPMU_FIELD_TEXT },
		{ "undo", fix->undo, BPMU_FIELD_TEXT },
		{ "done", done, BPMU_FIELD_TEXT },
		{ "error", error, BPMU_FIELD_TEXT },
	};

	bpmu_table_row(&table, fields, ARRAY_SIZE(fields));
	if (!call->json)
		printf("%*s %s%s\n", call->fix ? 18 : 12, "",
		       *error ? "" : "undo: ", *error ? error : fix->undo);
}

/*
 * Without --fix, the commands that fix problems are only printed. This function then prints the
 * command line by which the user executes them.
 */
static void doctor_print_call(const struct call *call)
{
	int i;

	printf("\n\"%sbarepmu doctor --fix", bpmu_check_as_root());
	for (i = 0; i < call->nr_names; i++)
		printf(" %s", call->names[i]);
	puts("\" executes them.");
}

/* Prints or executes the commands that fix problems. Returns how many problems were fixed. */
static unsigned int doctor_fix_all(const struct call *call,
				   const struct bpmu_checkup *check)
{
	struct fix fix[FIXES];
	unsigned int i, nr = 0, done = 0;
	struct bpmu_error err;

	fix_find(check, fix);
	for (i = 0; i < FIXES; i++) {
		if (!doctor_is_wanted(call, &fix[i]))
			continue;
		if (!nr++ && !call->json)
			puts(call->fix ? "" : "\nThese commands would fix this:\n");
		err.text[0] = 0;
		if (!call->fix)
			doctor_print_fix(call, &fix[i], "no", "");
		else if (fix_do(&fix[i], &err))
			doctor_print_fix(call, &fix[i], "FAIL", err.text);
		else
			doctor_print_fix(call, &fix[i], "done", "");
		done += call->fix && !err.text[0];
		fflush(stdout);
	}
	if (nr && !call->fix && !call->json)
		doctor_print_call(call);
	return done;
}

static int doctor_run(const struct call *call)
{
	struct bpmu_checkup check = { .json = call->json };
	int status = bpmu_check_all(&check);

	if (!doctor_fix_all(call, &check))
		return status;
	if (!call->json)
		puts("\nAnd now:\n");
	check = (struct bpmu_checkup){ .json = call->json };
	return bpmu_check_all(&check);
}

/**
 * bpmu_cmd_doctor() - run "barepmu doctor", which fixes what keeps counters from being used
 *
 * Return: 0 if measuring is possible, 1 if not, 2 for wrong usage.
 */
int bpmu_cmd_doctor(struct bpmu_ctx *ctx, int argc, char **argv)
{
	static const struct bpmu_option_table options = {
		.command = "doctor", .about = about, .option = table,
		.set = doctor_take_option,
	};
	struct bpmu_operands operands;
	struct call call = { };
	int code;

	code = bpmu_options_parse(&options, &call, argc, argv, &operands,
				  &ctx->err);
	call.names = operands.word;
	call.nr_names = operands.nr;
	if (!code)
		code = doctor_check_names(&call, &ctx->err);
	return code ? bpmu_usage(ctx, code) : doctor_run(&call);
}
