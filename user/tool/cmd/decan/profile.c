// SPDX-License-Identifier: GPL-2.0
#include "profile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "recording/recording_read.h"
#include "recording/symbols.h"
#include "replay/report_by_symbol.h"

#define TICK_MS 1
/* Time in ns after which the profile is complete; the command is killed if it still runs */
#define SAMPLING_NS (10 * BPMU_NS_PER_S)
#define LINE 4352

/**
 * struct sampler - state of taking a profile of a command
 * @trace: the command, under ptrace
 * @profile: profile, to which samples are added
 * @thread: threads of the command, [@nr]
 * @nr: number of threads
 */
struct sampler {
	struct bpmu_trace trace;
	struct bpmu_profile *profile;
	pid_t *thread;
	size_t nr;
};

static const char *keep_path(struct bpmu_profile *profile, const char *path)
{
	char **grown;
	size_t i;

	for (i = 0; i < profile->nr_paths; i++)
		if (!strcmp(profile->path[i], path))
			return profile->path[i];
	grown = reallocarray(profile->path, profile->nr_paths + 1,
			     sizeof(*grown));
	if (!grown)
		return NULL;
	profile->path = grown;
	grown[profile->nr_paths] = strdup(path);
	return grown[profile->nr_paths] ? grown[profile->nr_paths++] : NULL;
}

static void keep_spot(struct bpmu_profile *profile, const char *path, u64 offset)
{
	struct bpmu_spot *grown;
	size_t i;

	for (i = 0; i < profile->nr; i++) {
		if (profile->spot[i].path != path ||
		    profile->spot[i].offset != offset)
			continue;
		profile->spot[i].samples++;
		return;
	}
	grown = reallocarray(profile->spot, profile->nr + 1, sizeof(*grown));
	if (!grown)
		return;
	profile->spot = grown;
	grown[profile->nr++] = (struct bpmu_spot){ path, offset, 1 };
}

/*
 * Adds a sample at a run-time address to the profile. The profile stores the file that is mapped at
 * the address, and the offset in this file. If no file is mapped there, nothing is stored.
 */
static void decan_profile_resolve(struct sampler *sampler, u64 address)
{
	unsigned long long start, end, offset;
	char line[LINE], path[LINE];
	const char *kept;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/maps", sampler->trace.pid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%llx-%llx %*s %llx %*s %*s %4351[^\n]", &start,
			   &end, &offset, path) != 4 ||
		    address < start || address >= end || path[0] != '/')
			continue;
		kept = keep_path(sampler->profile, path);
		if (kept)
			keep_spot(sampler->profile, kept,
				  address - start + offset);
		break;
	}
	if (file)
		fclose(file);
}

/* Takes a sample of a stopped thread: its RIP, unless the thread is in a system call. */
static void sample(struct sampler *sampler, pid_t tid)
{
	struct user_regs_struct regs;

	if (bpmu_trace_registers(tid, &regs) || (long)regs.orig_rax >= 0)
		return;
	sampler->profile->samples++;
	decan_profile_resolve(sampler, regs.rip);
}

static void decan_profile_add_thread(struct sampler *sampler, pid_t tid)
{
	pid_t *grown;
	size_t i;

	for (i = 0; i < sampler->nr; i++)
		if (sampler->thread[i] == tid)
			return;
	grown = reallocarray(sampler->thread, sampler->nr + 1, sizeof(*grown));
	if (!grown)
		return;
	sampler->thread = grown;
	grown[sampler->nr++] = tid;
}

static void decan_profile_remove_thread(struct sampler *sampler, pid_t tid)
{
	size_t i;

	for (i = 0; i < sampler->nr; i++)
		if (sampler->thread[i] == tid)
			sampler->thread[i--] = sampler->thread[--sampler->nr];
}

static void on_stop(struct sampler *sampler, pid_t tid, int status)
{
	unsigned long child;
	struct bpmu_error ignored;
	pid_t stopped;

	if (status >> 16 == PTRACE_EVENT_FORK &&
	    !ptrace(PTRACE_GETEVENTMSG, tid, 0, &child) &&
	    !bpmu_trace_wait(&sampler->trace, child, BPMU_TRACE_FOREVER,
			     &stopped, &status, &ignored)) {
		ptrace(PTRACE_DETACH, child, 0, 0L);
		status = PTRACE_EVENT_FORK << 16;
	} else {
		decan_profile_add_thread(sampler, tid);
	}
	if (status >> 16 == PTRACE_EVENT_STOP)
		sample(sampler, tid);
	bpmu_trace_resume(tid, status);
}

static int decan_profile_watch(struct sampler *sampler, struct bpmu_error *err)
{
	u64 until = bpmu_clock_ns(CLOCK_MONOTONIC) + SAMPLING_NS;
	int status, code;
	pid_t tid;
	size_t i;

	while (bpmu_clock_ns(CLOCK_MONOTONIC) < until) {
		code = bpmu_trace_wait(&sampler->trace, -1, TICK_MS, &tid,
				       &status, err);
		if (code == -ETIMEDOUT) {
			for (i = 0; i < sampler->nr; i++)
				ptrace(PTRACE_INTERRUPT, sampler->thread[i], 0,
				       0);
			continue;
		}
		if (code)
			return code == -ECHILD ? 0 : code;
		if (WIFSTOPPED(status)) {
			on_stop(sampler, tid, status);
			continue;
		}
		decan_profile_remove_thread(sampler, tid);
		if (tid != sampler->trace.pid)
			continue;
		sampler->trace.pid = 0;
		return 0;
	}
	return 0;
}

/**
 * bpmu_profile_take() - take a profile of a command: sample it to find its hottest function
 * @profile: output
 * @argv: the command, ended by NULL; it is killed if it runs for more than ten seconds
 *
 * Not thread-safe.
 *
 * Return: 0 or a negative errno; the caller frees @profile in any case.
 */
int bpmu_profile_take(struct bpmu_profile *profile, char **argv,
		      struct bpmu_error *err)
{
	struct sampler sampler = { .profile = profile };
	int code;

	*profile = (struct bpmu_profile){ };
	code = bpmu_trace_start(&sampler.trace, argv, err);
	if (!code) {
		decan_profile_add_thread(&sampler, sampler.trace.pid);
		bpmu_trace_resume(sampler.trace.pid, 0);
		code = decan_profile_watch(&sampler, err);
	}
	bpmu_trace_end(&sampler.trace);
	free(sampler.thread);
	return code;
}

/*
 * Refuses a program that was built again after the recording was made: its functions may have other
 * addresses now. Returns 0 or a negative errno.
 */
static int check_build(const struct bpmu_by_location *at, const char *name,
		       struct bpmu_error *err)
{
	char now[BPMU_BUILD_ID];

	bpmu_symbols_build_id(at->path, now);
	if (!*at->build_id || !strcmp(now, at->build_id))
		return 0;
	return bpmu_error_set(err, -ESTALE,
			      "%s: %s was another build then; record it again",
			      name, at->path);
}

static int read_samples(struct bpmu_profile *profile,
			struct bpmu_recording_file *file, const char *name,
			const struct bpmu_by_symbols *symbols,
			const char *program, struct bpmu_error *err)
{
	struct bpmu_taken_sample sample;
	struct bpmu_by_location at;
	const char *kept;
	size_t paths;
	int code;

	while ((code = bpmu_recording_next(file, &sample, err)) > 0) {
		if (!sample.who)
			return bpmu_error_set(err, -ENODATA,
					      "%s: its samples do not name the interrupted process; record with --who",
					      name);
		if (!bpmu_by_symbols_locate(symbols, sample.who, program, &at))
			continue;
		profile->samples++;
		if (!at.path)
			continue;
		paths = profile->nr_paths;
		kept = keep_path(profile, at.path);
		if (kept)
			keep_spot(profile, kept, at.offset);
		if (profile->nr_paths > paths)
			code = check_build(&at, name, err);
		if (code < 0)
			return code;
	}
	return code;
}

/**
 * bpmu_profile_read() - read the profile of a program from the samples of a recording
 * @profile: output: the profile of all processes that ran @program
 * @name: name of the recording, which must have been made with --who
 * @program: path of the program
 *
 * Return: 0 or a negative errno; the caller frees @profile in any case.
 */
int bpmu_profile_read(struct bpmu_profile *profile, const char *name,
		      const char *program, struct bpmu_error *err)
{
	struct bpmu_by_symbols symbols = { };
	struct bpmu_taken_sample sample;
	struct bpmu_recording_file *file;
	int code = bpmu_recording_open(&file, name, err);

	*profile = (struct bpmu_profile){ };
	if (code)
		return code;
	/*
	 * The whole recording is read twice: first for the mappings of processes, which may come
	 * after the samples of these processes.
	 */
	bpmu_recording_on_block(file, bpmu_by_symbols_add_block, &symbols);
	do {
		code = bpmu_recording_next(file, &sample, err);
	} while (code > 0);
	bpmu_recording_on_block(file, NULL, NULL);
	if (!code)
		code = bpmu_recording_rewind(file, err);
	if (!code)
		code = read_samples(profile, file, name, &symbols, program,
				    err);
	if (!code && !profile->samples)
		code = bpmu_error_set(err, -ENODATA,
				      "%s: no sample is of %s; record that program, and on its CPU",
				      name, program);
	bpmu_by_symbols_free(&symbols);
	bpmu_recording_shut(file);
	return code;
}

void bpmu_profile_free(struct bpmu_profile *profile)
{
	size_t i;

	for (i = 0; i < profile->nr_paths; i++)
		free(profile->path[i]);
	free(profile->path);
	free(profile->spot);
	*profile = (struct bpmu_profile){ };
}
