// SPDX-License-Identifier: GPL-2.0
/*
 * Description of a recording: machine, time, request and groups.
 */
#include <stdlib.h>

#include "base/clock.h"
#include "base/print.h"
#include "html_view.h"

static void html_about_put_words(json_t *object, const char *key, char **words)
{
	char *text = NULL;
	size_t size;
	FILE *out;

	if (!words || !words[0])
		return;
	out = open_memstream(&text, &size);
	if (!out)
		return;
	bpmu_print_command(out, words);
	fclose(out);
	json_object_set_new(object, key, json_string(text));
	free(text);
}

static void put_time(json_t *about, const struct bpmu_recording_state *state)
{
	char text[64];
	struct tm tm;
	time_t s = state->first.wall_ns / BPMU_NS_PER_S;

	if (!state->clocks || !gmtime_r(&s, &tm))
		return;
	strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &tm);
	json_object_set_new(about, "begun", json_string(text));
}

/**
 * bpmu_html_about() - description of a recording
 * @html: the page; its recording has been read to the end
 *
 * Return: an object, or NULL without memory.
 */
json_t *bpmu_html_about(const struct bpmu_html *html)
{
	const struct bpmu_recording_about *r = html->target.recorded;
	const struct bpmu_recording_state *state =
		bpmu_recording_state(html->replay->file);
	json_t *groups = json_array();
	json_t *about;
	unsigned int g;

	for (g = 0; g < r->groups.nr; g++)
		json_array_append_new(groups,
				      bpmu_html_group(&r->groups.group[g]));
	about = json_pack("{s:s,s:s,s:s,s:s,s:i,s:b,s:f,s:f,s:f,s:b,s:o}",
		"host", r->host, "part", r->info.part, "title", r->info.title,
		"cpus", html->target.cpus_text, "machine_cpus",
		(int)r->machine_cpus, "smt", r->smt,
		"interval_ms", r->interval_ns / 1e6,
		"period_ms", r->period_ns / 1e6,
		"drawn_ms", html->interval_ns / 1e6,
		"cut", state->cut && !state->ended, "groups", groups);
	if (!about)
		return NULL;
	html_about_put_words(about, "asked", r->asked);
	html_about_put_words(about, "command", r->command);
	put_time(about, state);
	return about;
}
