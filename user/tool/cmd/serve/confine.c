// SPDX-License-Identifier: GPL-2.0
#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch.h"
#include "base/array.h"
#include "base/library.h"

#define LIBRARY "libseccomp.so.2"

/* number of the user nobody, and of its group */
#define NOBODY 65534

/* The linux/capability.h of older kernels does not define this capability. */
#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif

static int confine_failed(const char *what, struct bpmu_error *err)
{
	return bpmu_error_set(err, -errno, "serve: %s: %s", what,
			      strerror(errno));
}

static void confine_keep(struct __user_cap_data_struct data[2], unsigned int cap,
			 const struct __user_cap_data_struct had[2])
{
	unsigned int bit = CAP_TO_MASK(cap) & had[CAP_TO_INDEX(cap)].permitted;

	data[CAP_TO_INDEX(cap)].effective |= bit;
	data[CAP_TO_INDEX(cap)].permitted |= bit;
}

/**
 * bpmu_confine_privileges() - confine serve: become the user nobody, and keep only CAP_PERFMON
 * @low_port: true if the process will bind a port below 1024: CAP_NET_BIND_SERVICE is then kept,
 *	too
 *
 * The user changes only if the process runs as root. The module checks CAP_PERFMON or CAP_SYS_ADMIN
 * with each command. If the process does not have CAP_PERFMON, it keeps CAP_SYS_ADMIN instead.
 *
 * Must be called before any thread is started, because existing threads keep their privileges.
 */
int bpmu_confine_privileges(bool low_port, struct bpmu_error *err)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct had[2] = { }, data[2] = { };

	if (syscall(SYS_capget, &head, had))
		return confine_failed("capabilities", err);
	confine_keep(data, CAP_PERFMON, had);
	if (!data[CAP_TO_INDEX(CAP_PERFMON)].permitted)
		confine_keep(data, CAP_SYS_ADMIN, had);
	if (low_port)
		confine_keep(data, CAP_NET_BIND_SERVICE, had);
	if (!geteuid() &&
	    (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) || setgroups(0, NULL) ||
	     setresgid(NOBODY, NOBODY, NOBODY) ||
	     setresuid(NOBODY, NOBODY, NOBODY)))
		return confine_failed("cannot become user nobody", err);
	if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return confine_failed("prctl", err);
	if (syscall(SYS_capset, &head, data))
		return bpmu_error_set(err, -errno,
				      "serve: capset: %s; let the sandbox allow it, it only takes away",
				      strerror(errno));
	return 0;
}

/**
 * struct filter - functions of the library libseccomp, which is loaded at run time
 * @init: seccomp_init()
 * @set: seccomp_attr_set()
 * @add: seccomp_rule_add()
 * @load: seccomp_load()
 * @release: seccomp_release()
 */
struct filter {
	scmp_filter_ctx(*init)(u32 action);
	int (*set)(scmp_filter_ctx ctx, enum scmp_filter_attr attr, u32 value);
	int (*add)(scmp_filter_ctx ctx, u32 action, int call, unsigned int nr,
		   ...);
	int (*load)(const scmp_filter_ctx ctx);
	void (*release)(scmp_filter_ctx ctx);
};

#ifndef BPMU_STATIC
static bool filter_load(struct filter *lib)
{
	static const struct bpmu_library_function functions[] = {
		{ "seccomp_init", offsetof(struct filter, init) },
		{ "seccomp_attr_set", offsetof(struct filter, set) },
		{ "seccomp_rule_add", offsetof(struct filter, add) },
		{ "seccomp_load", offsetof(struct filter, load) },
		{ "seccomp_release", offsetof(struct filter, release) },
	};

	return bpmu_library_load(LIBRARY, functions, ARRAY_SIZE(functions), lib);
}
#elif defined(BPMU_NO_HTTPD)
/* Never called: a tool that is linked statically without libmicrohttpd refuses to serve before. */
static bool filter_load(struct filter *lib)
{
	(void)lib;
	return false;
}
#else
static bool filter_load(struct filter *lib)
{
	*lib = (struct filter){ seccomp_init, seccomp_attr_set,
				seccomp_rule_add, seccomp_load, seccomp_release };
	return true;
}
#endif

/*
 * System calls that serve may make: for memory, time, futexes, reading files, messages on open
 * sockets, and accepting connections. It may not open sockets, execute programs, open files to
 * write them, or access other processes.
 */
static const int calls[] = {
	SCMP_SYS(accept), SCMP_SYS(accept4), SCMP_SYS(brk),
	SCMP_SYS(clock_gettime), SCMP_SYS(clock_nanosleep), SCMP_SYS(close),
	SCMP_SYS(epoll_ctl), SCMP_SYS(epoll_pwait), SCMP_SYS(epoll_wait),
	SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(fcntl),
	SCMP_SYS(fstat), SCMP_SYS(futex), SCMP_SYS(getpeername),
	SCMP_SYS(getpid), SCMP_SYS(getrandom), SCMP_SYS(getrusage),
	SCMP_SYS(getsockname), SCMP_SYS(getsockopt), SCMP_SYS(gettid),
	SCMP_SYS(gettimeofday),
	SCMP_SYS(kill), SCMP_SYS(lseek), SCMP_SYS(madvise), SCMP_SYS(mmap),
	SCMP_SYS(mprotect), SCMP_SYS(mremap), SCMP_SYS(munmap),
	SCMP_SYS(nanosleep), SCMP_SYS(newfstatat), SCMP_SYS(poll),
	SCMP_SYS(ppoll), SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(recvfrom),
	SCMP_SYS(recvmsg), SCMP_SYS(restart_syscall), SCMP_SYS(rseq),
	SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask),
	SCMP_SYS(rt_sigreturn), SCMP_SYS(sched_getaffinity),
	SCMP_SYS(sched_yield), SCMP_SYS(select), SCMP_SYS(pselect6),
	SCMP_SYS(sendfile), SCMP_SYS(sendmsg), SCMP_SYS(sendto),
	SCMP_SYS(setsockopt), SCMP_SYS(shutdown), SCMP_SYS(sigaltstack),
	SCMP_SYS(stat), SCMP_SYS(tgkill), SCMP_SYS(uname), SCMP_SYS(write), SCMP_SYS(writev),
};

static int confine_fill(const struct filter *lib, scmp_filter_ctx filter)
{
	int code = lib->set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(calls) && !code; i++)
		code = lib->add(filter, SCMP_ACT_ALLOW, calls[i], 0);
	/* Allow to open files for reading only, by openat() or, as musl does, by open(). */
	if (!code)
		code = lib->add(filter, SCMP_ACT_ALLOW, SCMP_SYS(open), 1,
				SCMP_A1(SCMP_CMP_MASKED_EQ, O_ACCMODE,
					O_RDONLY));
	if (!code)
		code = lib->add(filter, SCMP_ACT_ALLOW, SCMP_SYS(openat), 1,
				SCMP_A2(SCMP_CMP_MASKED_EQ, O_ACCMODE,
					O_RDONLY));
	return code ? code : lib->load(filter);
}

/**
 * bpmu_confine_calls() - confine serve: restrict the system calls of all its threads
 *
 * From now on any system call that serve does not need fails with EPERM.
 *
 * Return: 0 or a negative errno; -ENOENT without libseccomp.
 */
int bpmu_confine_calls(struct bpmu_error *err)
{
	scmp_filter_ctx filter;
	struct filter lib;
	int code = -ENOMEM;

	if (!filter_load(&lib))
		return bpmu_error_set(err, -ENOENT,
				      "serve: %s: cannot be loaded; apt-get install libseccomp2",
				      LIBRARY);
	filter = lib.init(SCMP_ACT_ERRNO(EPERM));
	if (filter) {
		code = confine_fill(&lib, filter);
		lib.release(filter);
	}
	return code ? bpmu_error_set(err, code,
				     "serve: seccomp: %s; let the sandbox allow it, it only takes away",
				     strerror(-code)) : 0;
}
