// SPDX-License-Identifier: GPL-2.0
#include "probe.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/mount.h>

#define TRACING "/sys/kernel/tracing/"
#define PROBE TRACING "events/kprobes/bpmu_probe/"

static int put(const char *file, const char *text)
{
	int fd = open(file, O_WRONLY | O_APPEND);
	ssize_t len = -1;

	if (fd < 0)
		return -1;
	len = write(fd, text, strlen(text));
	close(fd);
	return len < 0 ? -1 : 0;
}

/**
 * probe_begin() - set a probe (kprobe) on a kernel function, to count its calls
 * @definition: the function and its arguments, in the syntax of kprobe_events
 * @filter: condition on the arguments for a call to be counted, in the syntax of trace events
 *
 * Return: false if the kernel refuses the probe.
 */
bool probe_begin(const char *definition, const char *filter)
{
	char text[160];

	mount("tracefs", TRACING, "tracefs", 0, NULL);
	snprintf(text, sizeof(text), "p:bpmu_probe %s\n", definition);
	if (put(TRACING "kprobe_events", text))
		return false;
	put(TRACING "trace", "");
	if (!put(PROBE "filter", filter) && !put(PROBE "enable", "1"))
		return true;
	probe_end();
	return false;
}

/**
 * probe_hits() - get the number of calls that the probe (kprobe) of a kernel function has counted
 *
 * Return: number of calls since probe_begin().
 */
unsigned int probe_hits(void)
{
	FILE *stream = fopen(TRACING "trace", "re");
	unsigned int nr = 0;
	char line[512];

	while (stream && fgets(line, sizeof(line), stream))
		nr += line[0] != '#' && strstr(line, "bpmu_probe");
	if (stream)
		fclose(stream);
	return nr;
}

/**
 * probe_end() - remove the probe (kprobe) of a kernel function
 */
void probe_end(void)
{
	put(PROBE "enable", "0");
	put(TRACING "kprobe_events", "-:bpmu_probe\n");
}
