// SPDX-License-Identifier: GPL-2.0
/*
 * Writes the retire latencies of events as Intel's files have them, which --events loads: JSON with
 * the object "Data", whose keys are the names of events.
 */
#include "retire_latency.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <string.h>

/* Maximum size in bytes of the name of an event without its modifiers */
#define KEY_MOST 256

/* Sets @key to the name of an event without its modifiers, in upper case as in Intel's files. */
static void find_key(const struct bpmu_shares *shares, char key[KEY_MOST])
{
	size_t i;

	for (i = 0; i + 1 < KEY_MOST && shares->slot->text[i] && shares->slot->text[i] != ':'; i++)
		key[i] = toupper((unsigned char)shares->slot->text[i]);
	key[i] = '\0';
}

/*
 * Adds to @sum the latencies of those of the events [@nr] that have the key @key. Intel's files
 * have one row for an event, so that its interrupts at all privilege levels are put together.
 */
static void sum_latencies(struct bpmu_shares *sum, const struct bpmu_event_shares *events,
			  unsigned int nr, const char *key)
{
	char other[KEY_MOST];
	unsigned int i;

	for (i = 0; i < nr; i++) {
		const struct bpmu_shares *shares = &events[i].shares;

		find_key(shares, other);
		if (!shares->retired || strcmp(other, key))
			continue;
		if (!sum->retired || shares->least < sum->least)
			sum->least = shares->least;
		if (shares->most > sum->most)
			sum->most = shares->most;
		sum->latency += shares->latency;
		sum->retired += shares->retired;
	}
}

/* Adds a row with latencies to @data. Returns false if memory runs out. */
static bool put_latencies(json_t *data, const char *key, const struct bpmu_shares *sum)
{
	json_t *row = json_pack("{s:i, s:f, s:i, s:I}", "MIN", (int)sum->least,
				"MEAN", (double)sum->latency / sum->retired,
				"MAX", (int)sum->most, "SAMPLES", (json_int_t)sum->retired);

	return row && !json_object_set_new(data, key, row);
}

/**
 * bpmu_retire_latency_write() - write the retire latencies of events for the option --events
 * @name: name of the recording, for errors
 * @events: events that interrupted, from bpmu_replay_shares(), [@nr]
 * @nr: number of events
 *
 * Events without known latency are left out. Events that differ only in their modifiers are one
 * event of the file, with the latencies of all. The caller checks that @out could be written.
 *
 * Return: 0, -ENODATA if no interrupt has a retire latency, or -ENOMEM.
 */
int bpmu_retire_latency_write(FILE *out, const char *name, const struct bpmu_event_shares *events,
			      unsigned int nr, struct bpmu_error *err)
{
	json_t *data = json_object();
	bool failed = !data;
	unsigned int i;
	char key[KEY_MOST];
	json_t *root;

	for (i = 0; i < nr && !failed; i++) {
		struct bpmu_shares sum = { };

		find_key(&events[i].shares, key);
		if (json_object_get(data, key))
			continue;
		sum_latencies(&sum, events + i, nr - i, key);
		failed = sum.retired && !put_latencies(data, key, &sum);
	}
	if (!failed && !json_object_size(data)) {
		json_decref(data);
		return bpmu_error_set(err, -ENODATA,
			"%s: no interrupt has a retire latency; the CPU writes it with precise events, such as record -e MEM_INST_RETIRED.LOCK_LOADS:pp",
			name);
	}
	root = json_pack("{s:o}", "Data", data);
	if (failed || !root) {
		json_decref(root);
		return bpmu_error_no_memory(err, "--retire-latency");
	}
	json_dumpf(root, out, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
	fputc('\n', out);
	json_decref(root);
	return 0;
}
