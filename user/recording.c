// SPDX-License-Identifier: GPL-2.0
#include "recording.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "print.h"

#define MAGIC "BPMUREC\001"
#define BLOCK 0x4b4c4250U

/**
 * bpmu_recording_create() - begin a file
 * @recording: filled in
 * @name: of the file; what it held is lost
 * @err: filled on an error
 *
 * Return: 0 or a negative errno.
 */
int bpmu_recording_create(struct bpmu_recording *recording, const char *name,
			  struct bpmu_error *err)
{
	memset(recording, 0, sizeof(*recording));
	recording->name = name;
	recording->fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
			     0644);
	if (recording->fd >= 0)
		return 0;
	return bpmu_error_set(err, -errno, "%s: cannot be written: %s", name,
			      strerror(errno));
}

/* all of it, or the errno is noted */
static void put(struct bpmu_recording *recording, struct iovec *part, int nr)
{
	ssize_t done;

	while (nr && !recording->error) {
		done = writev(recording->fd, part, nr);
		if (done < 0) {
			if (errno != EINTR)
				recording->error = errno;
			continue;
		}
		for (; nr && (size_t)done >= part->iov_len; part++, nr--)
			done -= part->iov_len;
		if (nr) {
			part->iov_base = (char *)part->iov_base + done;
			part->iov_len -= done;
		}
	}
}

static void describe_group(FILE *out, const struct bpmu_sched *sched)
{
	const char *comma = "";
	unsigned int i;

	fprintf(out, "{\"uncore\":%s,\"events\":[",
		sched->uncore ? "true" : "false");
	for (i = 0; i < sched->nr; i++) {
		fprintf(out, "%s{\"event\":", comma);
		bpmu_print_json(out, sched->slot[i].text);
		fprintf(out,
			",\"counter\":%u,\"sibling\":%u,\"select\":%llu,\"value\":%u}",
			sched->slot[i].counter, sched->slot[i].sibling,
			sched->slot[i].select, sched->slot[i].value);
		comma = ",";
	}
	fputs("]}", out);
}

static void describe(FILE *out, const struct bpmu_target *target,
		     const struct bpmu_groups *groups, u64 period_ns)
{
	unsigned int i;

	fputs("{\"schema\":1,\"type\":\"recording\",\"part\":", out);
	bpmu_print_json(out, target->info.part);
	fprintf(out, ",\"tsc_khz\":%u,\"gp_width\":%u,\"fixed_width\":%u",
		target->info.tsc_khz, target->info.pmu.gp_width,
		target->info.pmu.fixed_width);
	fprintf(out, ",\"record_bytes\":%u,\"period_ns\":%llu,",
		bpmu_client_record_size(target->client), period_ns);
	bpmu_print_stamps(out);
	fputs(",\"cpus\":", out);
	bpmu_print_json(out, target->cpus_text);
	fputs(",\"groups\":[", out);
	for (i = 0; i < groups->nr; i++) {
		fputs(i ? "," : "", out);
		describe_group(out, &groups->group[i].sched);
	}
	fputs("]}\n", out);
}

/**
 * bpmu_recording_describe() - write what comes before the samples
 * @recording: created
 * @target: what is measured, configured
 * @groups: the events
 * @period_ns: from one sample to the next
 * @err: filled on an error
 *
 * Return: 0 or a negative errno.
 */
int bpmu_recording_describe(struct bpmu_recording *recording,
			    const struct bpmu_target *target,
			    const struct bpmu_groups *groups, u64 period_ns,
			    struct bpmu_error *err)
{
	char magic[] = MAGIC;
	struct iovec part[3];
	char *text = NULL;
	size_t size = 0;
	FILE *out;
	u32 bytes;

	out = open_memstream(&text, &size);
	if (out) {
		describe(out, target, groups, period_ns);
		fclose(out);
	}
	if (!text)
		return bpmu_error_set(err, -ENOMEM, "%s: out of memory",
				      recording->name);
	bytes = size;
	part[0] = (struct iovec){ magic, sizeof(magic) - 1 };
	part[1] = (struct iovec){ &bytes, sizeof(bytes) };
	part[2] = (struct iovec){ text, size };
	put(recording, part, 3);
	free(text);
	return 0;
}

/**
 * bpmu_recording_add() - a block of records
 * @recording: described
 * @records: of one CPU
 * @bytes: of them
 */
void bpmu_recording_add(struct bpmu_recording *recording, const void *records,
			size_t bytes)
{
	u32 head[2] = { BLOCK, bytes };
	struct iovec part[] = {
		{ head, sizeof(head) }, { (void *)records, bytes },
	};

	put(recording, part, 2);
}

/**
 * bpmu_recording_close() - the file is complete
 * @recording: created
 * @err: filled on an error
 *
 * Return: 0, or a negative errno if anything could not be written.
 */
int bpmu_recording_close(struct bpmu_recording *recording,
			 struct bpmu_error *err)
{
	int error = recording->error;

	if (close(recording->fd) && !error)
		error = errno;
	if (!error)
		return 0;
	return bpmu_error_set(err, -error, "%s: not written: %s; is there room?",
			      recording->name, strerror(error));
}
