// SPDX-License-Identifier: GPL-2.0
#include "fork.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "regions.h"

#define LINE 512
/* scanf() format of /proc/PID/stat after the program's name: reads the fields minflt and majflt */
#define STAT " %*c %*d %*d %*d %*d %*d %*u %lu %*u %lu"

/* Returns how many page faults a process has had, minor and major; ULONG_MAX if unknown. */
static unsigned long faults_of(pid_t pid)
{
	unsigned long minor, major;
	char path[32], line[LINE];
	const char *behind;
	FILE *file;
	bool known;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return ULONG_MAX;
	/*
	 * The program's name is in parentheses, and may itself have spaces and parentheses: fields
	 * are read from the last parenthesis on.
	 */
	known = fgets(line, sizeof(line), file) &&
		(behind = strrchr(line, ')')) &&
		sscanf(behind + 1, STAT, &minor, &major) == 2;
	fclose(file);
	return known ? minor + major : ULONG_MAX;
}

static long switches_of(pid_t pid)
{
	char path[32], line[LINE];
	long switches = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "nonvoluntary_ctxt_switches: %ld",
			   &switches) == 1)
			break;
	if (file)
		fclose(file);
	return switches;
}

/* Raises the oom_score_adj of a process, so that the OOM killer kills it rather than the tool. */
static void raise_oom_score(pid_t pid)
{
	char path[40];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/oom_score_adj", pid);
	file = fopen(path, "we");
	if (!file)
		return;
	fputs("1000", file);
	fclose(file);
}

/**
 * bpmu_fork_ready() - prepare a fork of the snapshot for a run: it is stopped at the loop's header
 * @fork: a fork for which bpmu_fork_fits() returned true, to use it again; or a zeroed struct, to
 *	create a fork
 * @snapshot: snapshot after bpmu_snapshot_prepare()
 *
 * The fork then has the memory and registers of the snapshot. But its code may still be that of the
 * variant that ran last: the caller must write the code of a variant before each run.
 *
 * Not thread-safe.
 * Return: 0 or a negative errno; the caller calls bpmu_fork_end() for @fork in any case.
 */
int bpmu_fork_ready(struct bpmu_fork *fork, struct bpmu_snapshot *snapshot,
		    struct bpmu_error *err)
{
	int code;

	if (fork->pid) {
		fork->runs++;
		fork->switches = switches_of(fork->pid);
		code = bpmu_snapshot_restore(snapshot, fork->pid);
	} else {
		*fork = (struct bpmu_fork){ .runs = 1, .faults = ULONG_MAX };
		code = bpmu_snapshot_fork(snapshot, &fork->pid, err);
		if (code)
			return code;
		raise_oom_score(fork->pid);
		code = bpmu_snapshot_prefault(snapshot, fork->pid);
	}
	return code ? bpmu_error_set(err, code,
				     "command: its fork cannot be changed; is there memory?") :
	       0;
}

/**
 * bpmu_fork_fits() - check if a fork that has run can be used for another run
 * @fork: fork that has run
 * @snapshot: snapshot from which the fork was made, with the pages that bpmu_snapshot_restore()
 *	restores
 *
 * If this function was called for @fork before, the last call must have returned true. If the fork
 * has had no page faults since that call, it still fits: a run that grows its stack, or that writes
 * to a further page (copy on write), has page faults. Otherwise mappings and pages are compared.
 *
 * Return: true if the run has changed no mapping, and has written only pages that
 * bpmu_snapshot_restore() copies.
 */
bool bpmu_fork_fits(struct bpmu_fork *fork, const struct bpmu_snapshot *snapshot)
{
	struct bpmu_pages written = { }, read = { };
	unsigned long faults = faults_of(fork->pid);
	struct bpmu_error ignored;
	bool fits;

	if (faults != ULONG_MAX && faults == fork->faults)
		return true;
	fits = bpmu_regions_equal(fork->pid, snapshot->pid) &&
	       !bpmu_pages_used(fork->pid, &written, &read, &ignored) &&
	       bpmu_pages_within(&written, &snapshot->written);
	bpmu_pages_free(&written);
	bpmu_pages_free(&read);
	fork->faults = faults;
	return fits;
}

/**
 * bpmu_fork_end() - kill a fork of the snapshot
 * @fork: fork in any state; @fork->pid is 0 afterwards
 * @snapshot: snapshot from which it was forked
 *
 * Return: how often other processes interrupted the fork's last run (involuntary context switches).
 */
long bpmu_fork_end(struct bpmu_fork *fork, struct bpmu_snapshot *snapshot)
{
	long switches = bpmu_trace_kill(snapshot->trace, fork->pid);

	fork->pid = 0;
	return switches - fork->switches;
}

/**
 * bpmu_fork_keep() - after a run, keep a fork if it can be used for another run, else kill it
 * @fork: fork that is stopped after it has left the loop
 * @snapshot: snapshot from which it was forked
 *
 * Return: how often other processes interrupted the fork's last run (involuntary context switches).
 */
long bpmu_fork_keep(struct bpmu_fork *fork, struct bpmu_snapshot *snapshot)
{
	return bpmu_fork_fits(fork, snapshot) ?
	       switches_of(fork->pid) - fork->switches :
	       bpmu_fork_end(fork, snapshot);
}
