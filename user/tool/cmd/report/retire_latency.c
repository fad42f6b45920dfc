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

/*
 * Returns the latencies of an event, and sets @key to the event's name without its modifiers, in
 * upper case as in Intel's files. Returns NULL if memory runs out.
 */
static json_t *latencies_of(const struct bpmu_shares *shares, char *key, size_t size)
{
	size_t i;

	for (i = 0; i + 1 < size && shares->slot->text[i] && shares->slot->text[i] != ':'; i++)
		key[i] = toupper((unsigned char)shares->slot->text[i]);
	key[i] = '\0';
	return json_pack("{s:i, s:f, s:i, s:I}", "MIN", (int)shares->least,
			 "MEAN", (double)shares->latency / shares->retired,
			 "MAX", (int)shares->most, "SAMPLES", (json_int_t)shares->retired);
}

/**
 * bpmu_retire_latency_write() - write the retire latencies of events for the option --events
 * @name: name of the recording, for errors
 * @events: events that interrupted, from bpmu_replay_shares(), [@nr]
 * @nr: number of events
 *
 * Events without known latency are left out. The caller checks that @out could be written.
 *
 * Return: 0, -ENODATA if no interrupt has a retire latency, or -ENOMEM.
 */
int bpmu_retire_latency_write(FILE *out, const char *name, const struct bpmu_event_shares *events,
			      unsigned int nr, struct bpmu_error *err)
{
	json_t *data = json_object();
	bool failed = !data;
	unsigned int i;
	json_t *root;
	char key[256];

	for (i = 0; i < nr && !failed; i++)
		if (events[i].shares.retired) {
			json_t *one = latencies_of(&events[i].shares, key, sizeof(key));

			failed = !one || json_object_set_new(data, key, one);
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
