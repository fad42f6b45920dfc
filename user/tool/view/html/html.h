/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes a recording, or a comparison of several recordings, as an HTML page that needs no other
 * files.
 */
#ifndef BPMU_HTML_H
#define BPMU_HTML_H

#include "replay/report_replay.h"
#include "tree/metric_choice.h"

/**
 * struct bpmu_html_call - parameters of a page
 * @output: name of the file, "-" for standard output
 * @replay: the open recording
 * @cpus: list of CPUs, or NULL for all
 * @interval_ns: interval of the plots over time in ns; 0 for the default
 * @choice: metrics to show besides Top-Down, and the method of the Top-Down tree. The recorded
 *	metrics are shown if the user requested no metrics; the recorded method is used if the user
 *	requested no method
 */
struct bpmu_html_call {
	const char *output;
	struct bpmu_replay *replay;
	const char *cpus;
	u64 interval_ns;
	struct bpmu_choice *choice;
};

int bpmu_html_write(const struct bpmu_html_call *call, struct bpmu_error *err);
int bpmu_html_compare(const struct bpmu_html_call *call, char **names, int nr,
		      struct bpmu_error *err);

#endif /* BPMU_HTML_H */
