// SPDX-License-Identifier: GPL-2.0
/* Tests of how the end of a run of decan's loop is named. */
#include <signal.h>

#include "base/array.h"
#include "cmd/decan/run.h"
#include "unit.h"

TEST(the_end_of_a_run_has_its_name)
{
	static const struct {
		enum bpmu_run_status status;
		int number;
		const char *text;
	} all[] = {
		{ BPMU_RUN_OK, 9, "ok" },
		{ BPMU_RUN_TIME, 9, "time limit" },
		{ BPMU_RUN_MEMORY, 9, "memory limit" },
		{ BPMU_RUN_SIGNAL, SIGABRT, "crash (SIGABRT)" },
		{ BPMU_RUN_SIGNAL, SIGBUS, "crash (SIGBUS)" },
		{ BPMU_RUN_SIGNAL, SIGFPE, "crash (SIGFPE)" },
		{ BPMU_RUN_SIGNAL, SIGILL, "crash (SIGILL)" },
		{ BPMU_RUN_SIGNAL, SIGKILL, "crash (SIGKILL)" },
		{ BPMU_RUN_SIGNAL, SIGSEGV, "crash (SIGSEGV)" },
		{ BPMU_RUN_SIGNAL, SIGTERM, "crash (SIGTERM)" },
		{ BPMU_RUN_SIGNAL, SIGTRAP, "crash (SIGTRAP)" },
		{ BPMU_RUN_SIGNAL, 64, "crash (signal 64)" },
		{ BPMU_RUN_CALL, 0, "system call (read)" },
		{ BPMU_RUN_CALL, 1, "system call (write)" },
		{ BPMU_RUN_CALL, 2, "system call (open)" },
		{ BPMU_RUN_CALL, 9, "system call (mmap)" },
		{ BPMU_RUN_CALL, 11, "system call (munmap)" },
		{ BPMU_RUN_CALL, 12, "system call (brk)" },
		{ BPMU_RUN_CALL, 24, "system call (sched_yield)" },
		{ BPMU_RUN_CALL, 35, "system call (nanosleep)" },
		{ BPMU_RUN_CALL, 39, "system call (getpid)" },
		{ BPMU_RUN_CALL, 44, "system call (sendto)" },
		{ BPMU_RUN_CALL, 45, "system call (recvfrom)" },
		{ BPMU_RUN_CALL, 56, "system call (clone)" },
		{ BPMU_RUN_CALL, 57, "system call (fork)" },
		{ BPMU_RUN_CALL, 59, "system call (execve)" },
		{ BPMU_RUN_CALL, 60, "system call (exit)" },
		{ BPMU_RUN_CALL, 202, "system call (futex)" },
		{ BPMU_RUN_CALL, 230, "system call (clock_nanosleep)" },
		{ BPMU_RUN_CALL, 231, "system call (exit_group)" },
		{ BPMU_RUN_CALL, 257, "system call (openat)" },
		{ BPMU_RUN_CALL, 435, "system call (clone3)" },
		{ BPMU_RUN_CALL, 3, "system call (3)" },
	};
	struct bpmu_run run = { };
	char text[64];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		run.status = all[i].status;
		run.number = all[i].number;
		assert_string_equal(bpmu_run_status_text(&run, text), all[i].text);
	}
}
