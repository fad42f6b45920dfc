// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of decan's messages if the kernel does not let the user trace a program: a message says
 * why, and names the remedy. The test fakes ptrace() and the file with the scope of Yama. Yama is
 * the security module that restricts tracing.
 */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "process/trace.h"
#include "unit.h"

#define YAMA "/proc/sys/kernel/yama/ptrace_scope"

/* Contents of /proc/sys/kernel/yama/ptrace_scope; NULL if there is no such file. */
static const char *scope;

FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);
long __wrap_ptrace(int request, ...);

FILE *__wrap_fopen(const char *path, const char *mode)
{
	if (strcmp(path, YAMA))
		return __real_fopen(path, mode);
	return scope ? fmemopen((void *)scope, strlen(scope), "r") : NULL;
}

long __wrap_ptrace(int request, ...)
{
	(void)request;
	errno = EPERM;
	return -1;
}

static void refused(const char *file, const char *wanted)
{
	static char command[] = "/bin/true";
	char *argv[] = { command, NULL };
	struct bpmu_error err = { };
	struct bpmu_trace trace;
	sigset_t before, after;

	sigprocmask(SIG_SETMASK, NULL, &before);
	scope = file;
	assert_int_equal(bpmu_trace_start(&trace, argv, &err), -EPERM);
	assert_string_equal(err.text, wanted);
	bpmu_trace_end(&trace);
	/* Signals are no longer kept for the command. */
	sigprocmask(SIG_SETMASK, NULL, &after);
	assert_int_equal(sigismember(&after, SIGINT), sigismember(&before, SIGINT));
	assert_int_equal(sigismember(&after, SIGCHLD), sigismember(&before, SIGCHLD));
	/* There is no child left: the command was ended after the refusal. */
	assert_int_equal(waitpid(-1, NULL, __WALL | WNOHANG), -1);
}

TEST(yama_s_scope_is_named_with_its_remedy)
{
	refused("2\n",
		"ptrace: not permitted, kernel.yama.ptrace_scope is 2; run as root or set it to 1");
	refused("3\n",
		"ptrace: not permitted, kernel.yama.ptrace_scope is 3; boot with another one, 3 stays until then");
}

/*
 * Yama with a scope of 0 or 1 lets a program trace its own children, so a refusal must have another
 * cause.
 */
TEST(other_refusals_are_not_attributed_to_yama)
{
	static const char other[] =
		"ptrace: Operation not permitted; is it allowed here (seccomp, container)?";

	refused("0\n", other);
	refused("1\n", other);
	refused("?\n", other);
	refused(NULL, other);
}
